/* SPDX-License-Identifier: MIT */
/* Commands: where they are, and their arguments as one line. */
#include "os_win.h"

#include <stdlib.h>
#include <wchar.h>

wchar_t *mcpw_os_wide(const char *text) {
    const int len = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *const wide = len > 0 ? malloc((size_t)len * sizeof *wide) : NULL;
    if (wide != NULL && MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, len) == 0) {
        free(wide);
        return NULL;
    }
    if (wide == NULL && len > 0) {
        SetLastError(ERROR_NOT_ENOUGH_MEMORY);
    }
    return wide;
}

/* ---- A text that grows --------------------------------------------------------------------------------- */

typedef struct line {
    wchar_t *text;
    size_t len;
    size_t room;
    bool failed;
} line;

static void put(line *l, const wchar_t *text, size_t len) {
    if (!l->failed && l->len + len + 1 > l->room) {
        const size_t room = 2 * (l->len + len + 1);
        wchar_t *const more = realloc(l->text, room * sizeof *more);
        l->failed = more == NULL;
        l->text = more != NULL ? more : l->text;
        l->room = more != NULL ? room : l->room;
    }
    if (!l->failed) {
        memcpy(l->text + l->len, text, len * sizeof *text);
        l->len += len;
        l->text[l->len] = L'\0';
    }
}

static void put_text(line *l, const wchar_t *text) { put(l, text, wcslen(text)); }

static void put_repeated(line *l, const wchar_t *text, size_t times) {
    for (size_t i = 0; i < times; i++) {
        put_text(l, text);
    }
}

static wchar_t *finish(line *l) {
    if (l->failed) {
        free(l->text);
        SetLastError(ERROR_NOT_ENOUGH_MEMORY);
        return NULL;
    }
    return l->text;
}

/* ---- Looking a command up ------------------------------------------------------------------------------ */

static wchar_t *variable(const wchar_t *name) {
    const DWORD size = GetEnvironmentVariableW(name, NULL, 0);
    wchar_t *const value = size != 0 ? malloc(size * sizeof *value) : NULL;
    if (value != NULL && GetEnvironmentVariableW(name, value, size) >= size) {
        free(value); /* it has changed meanwhile */
        return NULL;
    }
    return value;
}

static bool is_file(const wchar_t *path) {
    const DWORD attributes = GetFileAttributesW(path);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
}

/* Whether the last part of a path has an ending. */
static bool has_ending(const wchar_t *path) {
    const wchar_t *const dot = wcsrchr(path, L'.');
    return dot != NULL && wcspbrk(dot, L"\\/") == NULL;
}

/* Tries a path as it is, if it has an ending, and with each ending of a list. */
static wchar_t *try_path(const wchar_t *folder, size_t folder_len, const wchar_t *name,
                         const wchar_t *endings) {
    line l = {NULL, 0, 0, false};
    put(&l, folder, folder_len);
    if (folder_len != 0 && wcschr(L"\\/:", folder[folder_len - 1]) == NULL) {
        put_text(&l, L"\\");
    }
    put_text(&l, name);
    const size_t len = l.len;
    if (!l.failed && has_ending(name) && is_file(l.text)) {
        return l.text;
    }
    while (!l.failed && *endings != L'\0') {
        const size_t ending_len = wcscspn(endings, L";");
        l.len = len;
        put(&l, endings, ending_len);
        if (!l.failed && ending_len != 0 && is_file(l.text)) {
            return l.text;
        }
        endings += ending_len + (endings[ending_len] != L'\0');
    }
    free(l.text);
    return NULL;
}

static wchar_t *look_up(const wchar_t *name, const wchar_t *folders, const wchar_t *endings) {
    wchar_t *path = NULL;
    if (wcspbrk(name, L"\\/:") != NULL) {
        return try_path(L"", 0, name, endings);
    }
    while (path == NULL && *folders != L'\0') {
        const size_t len = wcscspn(folders, L";");
        path = len != 0 ? try_path(folders, len, name, endings) : NULL;
        folders += len + (folders[len] != L'\0');
    }
    return path;
}

wchar_t *mcpw_os_find_command(const char *name) {
    wchar_t *const wide = mcpw_os_wide(name);
    wchar_t *const folders = variable(L"PATH");
    wchar_t *const endings = variable(L"PATHEXT");
    wchar_t *path = NULL;
    if (wide != NULL) {
        path = look_up(wide, folders != NULL ? folders : L"",
                       endings != NULL ? endings : L".COM;.EXE;.BAT;.CMD");
        if (path == NULL) {
            SetLastError(ERROR_FILE_NOT_FOUND);
        }
    }
    free(wide);
    free(folders);
    free(endings);
    return path;
}

/* ---- The command line ---------------------------------------------------------------------------------- */

/* Quotes as the C runtime reads it: backslashes are doubled before a quotation mark, and only there. */
static void put_quoted(line *l, const wchar_t *text) {
    size_t backslashes = 0;
    put_text(l, L"\"");
    for (; *text != L'\0'; text++) {
        if (*text == L'"') {
            put_repeated(l, L"\\", backslashes + 1);
        }
        backslashes = *text == L'\\' ? backslashes + 1 : 0;
        put(l, text, 1);
    }
    put_repeated(l, L"\\", backslashes);
    put_text(l, L"\"");
}

static void put_argument(line *l, const wchar_t *text) {
    if (*text != L'\0' && wcspbrk(text, L" \t\n\v\"") == NULL) {
        put_text(l, text);
    } else {
        put_quoted(l, text);
    }
}

/* Windows leaves dots and blanks at the end of a path out when it opens the file. */
static bool is_batch(const wchar_t *path) {
    enum { ENDING = 4 };
    size_t len = wcslen(path);
    while (len != 0 && (path[len - 1] == L'.' || path[len - 1] == L' ')) {
        len--;
    }
    const wchar_t *const ending = len >= ENDING ? path + len - ENDING : L"";
    return _wcsnicmp(ending, L".bat", ENDING) == 0 || _wcsnicmp(ending, L".cmd", ENDING) == 0;
}

/* The cmd.exe of the system, with its folder: a name alone would be looked up in the current folder first. */
static bool put_cmd(line *l) {
    wchar_t folder[MAX_PATH];
    const UINT len = GetSystemDirectoryW(folder, MAX_PATH);
    if (len == 0 || len >= MAX_PATH) {
        return false;
    }
    put(l, folder, len);
    put_text(l, L"\\cmd.exe");
    return true;
}

wchar_t *mcpw_os_program(const wchar_t *path) {
    line l = {NULL, 0, 0, false};
    if (!is_batch(path)) {
        put_text(&l, path);
    } else if (!put_cmd(&l)) {
        return NULL;
    }
    return finish(&l);
}

/* An argument of a batch file. cmd.exe takes text between quotation marks literally, except for the
 * characters that are refused here. If the file passes the argument on to a program, the C runtime of that
 * program takes a backslash before the closing quotation mark as an escape of the mark. */
static bool put_for_batch(line *l, const wchar_t *text) {
    if (wcspbrk(text, L"\"%!\r\n") != NULL) {
        SetLastError(ERROR_BAD_ARGUMENTS);
        return false;
    }
    size_t backslashes = 0;
    for (const wchar_t *c = text; *c != L'\0'; c++) {
        backslashes = *c == L'\\' ? backslashes + 1 : 0;
    }
    put_text(l, L" \"");
    put_text(l, text);
    put_repeated(l, L"\\", backslashes);
    put_text(l, L"\"");
    return true;
}

static bool put_arguments(line *l, const char *const *argv, bool is_for_batch) {
    bool works = true;
    for (size_t i = 1; works && argv[i] != NULL; i++) {
        wchar_t *const wide = mcpw_os_wide(argv[i]);
        works = wide != NULL;
        if (works && is_for_batch) {
            works = put_for_batch(l, wide);
        } else if (works) {
            put_text(l, L" ");
            put_argument(l, wide);
        }
        free(wide);
    }
    return works;
}

wchar_t *mcpw_os_command_line(const wchar_t *path, const char *const *argv) {
    line l = {NULL, 0, 0, false};
    const bool batch = is_batch(path);
    bool works = true;
    if (batch) { /* the outer quotation marks are those that cmd.exe removes */
        works = put_cmd(&l);
        put_text(&l, L" /d /e:on /v:off /s /c \"");
        works = works && put_for_batch(&l, path);
    } else {
        put_quoted(&l, path);
    }
    works = works && put_arguments(&l, argv, batch);
    if (batch) {
        put_text(&l, L"\"");
    }
    if (!works) {
        free(l.text);
        return NULL;
    }
    return finish(&l);
}

wchar_t *mcpw_os_environment(const char *const *env) {
    line l = {NULL, 0, 0, false};
    for (; *env != NULL; env++) {
        wchar_t *const wide = mcpw_os_wide(*env);
        if (wide == NULL) {
            free(l.text);
            return NULL;
        }
        put(&l, wide, wcslen(wide) + 1);
        free(wide);
    }
    put(&l, L"\0", 2);
    return finish(&l);
}
