/* SPDX-License-Identifier: MIT */
#include "system.h"

#include "terminal.h"

#include <mcpw/detail/private_file.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <stdlib.h>

static char *narrow(const wchar_t *wide) {
    const int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *const text = size > 0 ? malloc((size_t)size) : NULL;
    if (text != NULL) {
        (void)WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
    }
    return text;
}

static wchar_t *widen(const char *text) {
    const int size = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *const wide = size > 0 ? malloc((size_t)size * sizeof *wide) : NULL;
    if (wide != NULL) {
        (void)MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, size);
    } else {
        errno = size > 0 ? ENOMEM : EILSEQ;
    }
    return wide;
}

/* The arguments of main() are in the code page of the system, which lacks most characters. They live as long
 * as the process. */
static char **wide_arguments(int *argc) {
    wchar_t **const wide = CommandLineToArgvW(GetCommandLineW(), argc);
    char **const all = wide != NULL ? calloc((size_t)*argc + 1, sizeof *all) : NULL;
    for (int i = 0; all != NULL && i < *argc; i++) {
        all[i] = narrow(wide[i]);
        if (all[i] == NULL) {
            return NULL;
        }
    }
    (void)LocalFree((HLOCAL)wide);
    return all;
}

char **system_begin(int *argc, char **argv) {
    enum { STANDARD = 3 };
    for (int fd = 0; fd < STANDARD; fd++) {
        (void)_setmode(fd, _O_BINARY);
    }
    terminal_begin();
    int count = 0;
    char **const arguments = wide_arguments(&count);
    if (arguments == NULL) {
        return argv;
    }
    *argc = count;
    return arguments;
}

FILE *system_open(const char *name) {
    wchar_t *const wide = widen(name);
    FILE *const file = wide != NULL ? _wfopen(wide, L"rbN") : NULL;
    free(wide);
    return file;
}

/* tmpfile() of the C runtime makes its files in the root of the drive, where a user may not write. */
FILE *system_temporary(void) {
    wchar_t folder[MAX_PATH + 1];
    wchar_t name[MAX_PATH + 1];
    if (GetTempPathW(MAX_PATH + 1, folder) == 0 || GetTempFileNameW(folder, L"mcp", 0, name) == 0) {
        errno = EACCES;
        return NULL;
    }
    char *const path = narrow(name);
    (void)DeleteFileW(name); /* the next call makes a private one */
    const intptr_t file =
        path != NULL ? mcpw_private_open(path, MCPW_PRIVATE_WRITE | MCPW_PRIVATE_MAKE | MCPW_PRIVATE_NEW |
                                                   MCPW_PRIVATE_ALONE | MCPW_PRIVATE_REMOVE)
                     : -1;
    free(path);
    const int fd = file != -1 ? _open_osfhandle(file, _O_RDWR | _O_BINARY) : -1;
    FILE *const made = fd >= 0 ? _fdopen(fd, "w+b") : NULL;
    if (made == NULL) {
        errno = EACCES;
    }
    return made;
}

char *system_full_path(const char *name) {
    wchar_t *const wide = widen(name);
    wchar_t *const full = wide != NULL ? _wfullpath(NULL, wide, 0) : NULL;
    char *const path = full != NULL && _waccess(full, 0) == 0 ? narrow(full) : NULL;
    free(wide);
    free(full);
    return path;
}
