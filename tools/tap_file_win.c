/* SPDX-License-Identifier: MIT */
#include "tap_file.h"

#include "../runtime/transport/os.h"

#include "tap_system.h"
#include "text.h"
#include "tool.h"

#include <mcpw/detail/private_file.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <string.h>

/* The words of an error of Windows, without a line end. */
static const char *words_of(DWORD number, char *words, size_t size) {
    mcpw_os_error_text((int)number, words, size);
    return words;
}

/* Ends an unfinished last line, which a killed recorder leaves, and goes to the end. */
static bool end_last_line(HANDLE file) {
    const LARGE_INTEGER nowhere = {.QuadPart = 0};
    LARGE_INTEGER size = {.QuadPart = 0};
    char last = '\n';
    DWORD moved = 0;
    if (!GetFileSizeEx(file, &size)) {
        return false;
    }
    if (size.QuadPart > 0) {
        const LARGE_INTEGER before = {.QuadPart = size.QuadPart - 1};
        if (!SetFilePointerEx(file, before, NULL, FILE_BEGIN) || !ReadFile(file, &last, 1, &moved, NULL) ||
            moved != 1) {
            return false;
        }
    }
    return SetFilePointerEx(file, nowhere, NULL, FILE_END) &&
           (last == '\n' || WriteFile(file, "\n", 1, &moved, NULL));
}

/* Checks and prepares a file; NULL: it is ready. Otherwise returns why it is not written. */
static const char *prepare(HANDLE file, bool append, char *words, size_t size) {
    BY_HANDLE_FILE_INFORMATION about;
    if (GetFileType(file) != FILE_TYPE_DISK) {
        return NULL; /* a pipe, such as \\.\pipe\x, or a device */
    }
    if (!GetFileInformationByHandle(file, &about)) {
        return words_of(GetLastError(), words, size);
    }
    if ((about.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) {
        return "it is a symbolic link, which is not followed";
    }
    if ((about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
        return "it is a folder";
    }
    if (!mcpw_private_is_mine((intptr_t)file)) {
        return "the file belongs to another user";
    }
    if (about.nNumberOfLinks != 1) {
        return "the file has another name, too (a hard link)";
    }
    if (!mcpw_private_is((intptr_t)file) && !mcpw_private_close_to_others((intptr_t)file)) {
        return words_of(GetLastError(), words, size);
    }
    return (append ? end_last_line(file) : SetEndOfFile(file) != 0) ? NULL
                                                                    : words_of(GetLastError(), words, size);
}

/* The open descriptor that a name of POSIX refers to; -1: it names a file. */
static int descriptor_of(const char *name) {
    return strcmp(name, "/dev/stdout") == 0   ? TAP_STANDARD_OUTPUT
           : strcmp(name, "/dev/stderr") == 0 ? TAP_STANDARD_ERROR
                                              : -1;
}

static int open_named(const char *name, bool append) {
    enum { WORDS = 256 };
    char words[WORDS];
    const int given = descriptor_of(name);
    if (given != -1) {
        return _dup(given);
    }
    const HANDLE file = (HANDLE)mcpw_private_open(name, MCPW_PRIVATE_WRITE | MCPW_PRIVATE_MAKE);
    const char *const why = file == INVALID_HANDLE_VALUE ? words_of(GetLastError(), words, sizeof words)
                                                         : prepare(file, append, words, sizeof words);
    const int fd = why == NULL ? _open_osfhandle((intptr_t)file, _O_BINARY | (append ? _O_APPEND : 0)) : -1;
    if (fd == -1) {
        tool_complain("%s: cannot open: %s", name, why != NULL ? why : "too many files are open");
        (void)(file != INVALID_HANDLE_VALUE && CloseHandle(file));
    }
    return fd;
}

int tap_file_open(const char *pattern, bool append) {
    text name = TEXT_INIT;
    tap_file_name(&name, pattern);
    int fd = -1;
    if (name.lost) {
        tool_complain("%s: cannot open: out of memory", pattern);
    } else {
        fd = open_named(name.buffer.data, append);
    }
    text_free(&name);
    return fd;
}
