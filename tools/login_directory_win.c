/* SPDX-License-Identifier: MIT */
#include "login_directory.h"

#include "login_store.h"
#include "tool.h"

#include <mcpw/detail/private_file.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <stdio.h>

/* Reads a variable that names an absolute path; another value is to be ignored. */
static bool read_variable(const wchar_t *name, wchar_t path[MAX_PATH]) {
    const DWORD len = GetEnvironmentVariableW(name, path, MAX_PATH);
    return len > 1 && len < MAX_PATH && (path[1] == L':' || (path[0] == L'\\' && path[1] == L'\\'));
}

/* Writes a path below the part of the profile that stays on this machine. False: there is none. */
static bool name_below(char out[LOGIN_DIRECTORY_SIZE], const char *rest) {
    wchar_t wide[MAX_PATH];
    char data[MAX_PATH * 3]; /* UTF-8 of as many units */
    if ((!read_variable(L"XDG_DATA_HOME", wide) && !read_variable(L"LOCALAPPDATA", wide)) ||
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, data, (int)sizeof data, NULL, NULL) == 0) {
        return false;
    }
    (void)snprintf(out, LOGIN_DIRECTORY_SIZE, "%s\\mcpwire%s", data, rest);
    return true;
}

bool login_store_exists(void) {
    char directory[LOGIN_DIRECTORY_SIZE];
    const HANDLE found =
        name_below(directory, "\\logins") ? (HANDLE)mcpw_private_open(directory, 0) : INVALID_HANDLE_VALUE;
    if (found == INVALID_HANDLE_VALUE) {
        return false;
    }
    (void)CloseHandle(found);
    return true;
}

bool login_directory_find(char out[LOGIN_DIRECTORY_SIZE]) {
    if (!name_below(out, "")) {
        tool_complain("there is no directory for logins: LOCALAPPDATA or XDG_DATA_HOME must name one");
        return false;
    }
    if (!mcpw_private_folder(out)) {
        tool_complain("cannot make the directory of logins: %s: error %lu", out,
                      (unsigned long)GetLastError());
        return false;
    }
    return name_below(out, "\\logins");
}
