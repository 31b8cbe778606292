/* SPDX-License-Identifier: MIT */
#include "terminal.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <io.h>
#include <stdlib.h>
#include <wchar.h>

enum { OUTPUTS = 2, CTRL_Z = 0x1A };

/* ---- Modes --------------------------------------------------------------------------------------------- */

/* The console's modes outlive this process. They are globals, because a handler of the console, which gets
 * only a number, restores them as well. 0: unchanged. */
static volatile LONG input_page = 0;
static volatile LONG output_page = 0;
static volatile LONG output_modes[OUTPUTS] = {0, 0}; /* of standard output and error */

/* Another handler may have been set later. Then it is called first, and calls terminal_restore if it ends the
 * process. */
static BOOL WINAPI on_event(DWORD event) {
    (void)event;
    terminal_restore();
    return FALSE; /* the next handler decides, which ends the process if it is that of the system */
}

void terminal_begin(void) {
    (void)InterlockedExchange(&input_page, (LONG)GetConsoleCP());
    (void)InterlockedExchange(&output_page, (LONG)GetConsoleOutputCP());
    (void)SetConsoleOutputCP(CP_UTF8);
    (void)SetConsoleCP(CP_UTF8);
    (void)atexit(terminal_restore);
    (void)SetConsoleCtrlHandler(on_event, TRUE);
}

void terminal_restore(void) {
    const LONG input = InterlockedExchange(&input_page, 0);
    const LONG output = InterlockedExchange(&output_page, 0);
    for (int i = OUTPUTS - 1; i >= 0; i--) {
        const LONG mode = InterlockedExchange(&output_modes[i], 0);
        (void)(mode != 0 && SetConsoleMode((HANDLE)_get_osfhandle(TERMINAL_OUTPUT + i), (DWORD)mode));
    }
    (void)(output != 0 && SetConsoleOutputCP((UINT)output));
    (void)(input != 0 && SetConsoleCP((UINT)input));
}

static bool is_console(int fd) {
    DWORD mode = 0;
    return GetConsoleMode((HANDLE)_get_osfhandle(fd), &mode) != 0;
}

/* ---- Terminals ----------------------------------------------------------------------------------------- */

/* Whether a name is "\msys-...-ptyN-..." or "\cygwin-...-ptyN-...". */
static bool is_name_of_terminal(const wchar_t *name) {
    static const wchar_t *const begins[] = {L"\\msys-", L"\\cygwin-"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        const size_t len = wcslen(begins[i]);
        if (wcsncmp(name, begins[i], len) == 0) {
            return wcsstr(name + len, L"-pty") != NULL;
        }
    }
    return false;
}

/* The terminals of MSYS2 and Cygwin, such as that of Git, are pipes to the programs of Windows. Only their
 * names tell. */
static bool is_pipe_of_terminal(HANDLE file) {
    union {
        FILE_NAME_INFO info;
        unsigned char room[sizeof(FILE_NAME_INFO) + MAX_PATH * sizeof(wchar_t)];
    } named;
    enum { MOST = MAX_PATH };
    wchar_t name[MOST + 1];
    if (GetFileType(file) != FILE_TYPE_PIPE ||
        !GetFileInformationByHandleEx(file, FileNameInfo, &named, sizeof named)) {
        return false;
    }
    const size_t len = named.info.FileNameLength / sizeof *name;
    if (len > MOST) {
        return false;
    }
    wmemcpy(name, named.info.FileName, len);
    name[len] = L'\0';
    return is_name_of_terminal(name);
}

bool terminal_shows(int fd) { return is_console(fd) || is_pipe_of_terminal((HANDLE)_get_osfhandle(fd)); }

bool terminal_obeys(int fd) {
    const DWORD obeys = ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING;
    const HANDLE file = (HANDLE)_get_osfhandle(fd);
    DWORD mode = 0;
    if (!GetConsoleMode(file, &mode)) {
        return is_pipe_of_terminal(file);
    }
    if ((mode & obeys) == obeys) {
        return true;
    }
    if (!SetConsoleMode(file, mode | obeys)) { /* before Windows 10 */
        return false;
    }
    (void)InterlockedExchange(&output_modes[fd - TERMINAL_OUTPUT], (LONG)mode);
    return true;
}

bool terminal_asks(void) { return is_console(TERMINAL_INPUT); }

/* ---- Lines --------------------------------------------------------------------------------------------- */

/* Appends a line as UTF-8, without its end. */
static void add_narrow(text *line, const wchar_t *wide, size_t len) {
    while (len != 0 && (wide[len - 1] == L'\n' || wide[len - 1] == L'\r')) {
        len--;
    }
    const int size = len != 0 ? WideCharToMultiByte(CP_UTF8, 0, wide, (int)len, NULL, 0, NULL, NULL) : 0;
    char *const narrow = size > 0 ? malloc((size_t)size) : NULL;
    if (narrow != NULL) {
        (void)WideCharToMultiByte(CP_UTF8, 0, wide, (int)len, narrow, size, NULL, NULL);
        text_bytes(line, narrow, (size_t)size);
    }
    line->lost = line->lost || (len != 0 && narrow == NULL);
    free(narrow);
}

/* Reads characters, because older consoles give NUL for each byte of UTF-8 outside of ASCII. */
terminal_line terminal_read(text *line) {
    enum { PIECE = 256 };
    wchar_t piece[PIECE];
    const HANDLE input = (HANDLE)_get_osfhandle(TERMINAL_INPUT);
    text wide = TEXT_INIT;
    DWORD count = 0;
    bool is_whole = false;
    while (!is_whole && ReadConsoleW(input, piece, PIECE, &count, NULL) && count != 0) {
        text_bytes(&wide, (const char *)piece, count * sizeof *piece);
        is_whole = piece[count - 1] == L'\n';
    }
    const wchar_t *const all = (const wchar_t *)(const void *)wide.buffer.data;
    is_whole = is_whole && !wide.lost && all[0] != CTRL_Z; /* by which a user ends the input */
    if (is_whole) {
        add_narrow(line, all, wide.buffer.len / sizeof *all);
    }
    text_free(&wide);
    return is_whole && !line->lost ? TERMINAL_WHOLE : TERMINAL_ENDED;
}
