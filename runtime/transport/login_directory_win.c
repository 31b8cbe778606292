/* SPDX-License-Identifier: MIT */
/* The directory of a user's tokens: in the part of the profile that stays on this machine. */
#include "login_internal.h"
#include "os_win.h"

#include <mcpw/detail/private_file.h>

#include <stdio.h>

/* Reads a variable that names an absolute path; another value is to be ignored. */
static bool read_variable(const wchar_t *name, wchar_t path[MAX_PATH]) {
    const DWORD len = GetEnvironmentVariableW(name, path, MAX_PATH);
    return len > 1 && len < MAX_PATH && (path[1] == L':' || (path[0] == L'\\' && path[1] == L'\\'));
}

mcpw_status mcpw_login_directory(char out[MCPW_LOGIN_PATH_SIZE], mcpw_error *error) {
    wchar_t wide[MAX_PATH];
    char data[MAX_PATH * 3]; /* UTF-8 of as many units */
    if ((!read_variable(L"XDG_DATA_HOME", wide) && !read_variable(L"LOCALAPPDATA", wide)) ||
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, data, (int)sizeof data, NULL, NULL) == 0) {
        return mcpw_error_set(
            error, MCPW_E_IO, 0,
            "there is no directory for tokens: set LOCALAPPDATA, or the option \"directory\"");
    }
    (void)snprintf(out, MCPW_LOGIN_PATH_SIZE, "%s\\mcpwire", data);
    if (!mcpw_private_folder(out)) {
        return mcpw_error_set(error, MCPW_E_IO, 0,
                              "the directory for tokens cannot be made: check its parents, or set the option "
                              "\"directory\"");
    }
    (void)snprintf(out, MCPW_LOGIN_PATH_SIZE, "%s\\mcpwire\\logins", data);
    return MCPW_OK;
}
