/* SPDX-License-Identifier: MIT */
/* The directory of a user's tokens. (XDG Base Directory Specification.) */
#include "login_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Makes the folders above the last one of a path. */
static bool make_parents(char *path) {
    enum { MINE = 0700 };
    for (char *at = strchr(path + 1, '/'); at != NULL; at = strchr(at + 1, '/')) {
        *at = '\0';
        const bool is_there = mkdir(path, MINE) == 0 || errno == EEXIST;
        *at = '/';
        if (!is_there) {
            return false;
        }
    }
    return true;
}

mcpw_status mcpw_login_directory(char out[MCPW_LOGIN_PATH_SIZE], mcpw_error *error) {
    const char *const data = getenv("XDG_DATA_HOME");
    const char *const home = getenv("HOME");
    int len = -1;
    if (data != NULL && data[0] == '/') { /* a relative one is to be ignored */
        len = snprintf(out, MCPW_LOGIN_PATH_SIZE, "%s/mcpwire/logins", data);
    } else if (home != NULL && home[0] == '/') {
        len = snprintf(out, MCPW_LOGIN_PATH_SIZE, "%s/.local/share/mcpwire/logins", home);
    }
    if (len < 0 || len >= MCPW_LOGIN_PATH_SIZE) {
        return mcpw_error_set(error, MCPW_E_IO, 0,
                              "there is no directory for tokens: set HOME, or the option \"directory\"");
    }
    return make_parents(out)
               ? MCPW_OK
               : mcpw_error_set(error, MCPW_E_IO, 0,
                                "the directory for tokens cannot be made: check its parents, or "
                                "set the option \"directory\"");
}
