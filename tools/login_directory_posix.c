/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700

#include "login_directory.h"

#include "login_store.h"
#include "tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Makes the directories above the last one of a path. */
static bool make_parents(char *path) {
    enum { MINE = 0700 };
    bool is_there = true;
    for (char *at = strchr(path + 1, '/'); is_there && at != NULL; at = strchr(at + 1, '/')) {
        *at = '\0';
        is_there = mkdir(path, MINE) == 0 || errno == EEXIST;
        if (!is_there) {
            tool_complain("cannot make the directory of logins: %s: %s", path, strerror(errno));
        }
        *at = '/';
    }
    return is_there;
}

/* False: there is none. (XDG Base Directory Specification.) */
static bool name_directory(char out[LOGIN_DIRECTORY_SIZE]) {
    const char *const data = getenv("XDG_DATA_HOME");
    const char *const home = getenv("HOME");
    int len = -1;
    if (data != NULL && data[0] == '/') { /* a relative one is to be ignored */
        len = snprintf(out, LOGIN_DIRECTORY_SIZE, "%s/mcpwire/logins", data);
    } else if (home != NULL && home[0] == '/') {
        len = snprintf(out, LOGIN_DIRECTORY_SIZE, "%s/.local/share/mcpwire/logins", home);
    }
    return len >= 0 && len < LOGIN_DIRECTORY_SIZE;
}

bool login_store_exists(void) {
    char directory[LOGIN_DIRECTORY_SIZE];
    struct stat found;
    return name_directory(directory) && stat(directory, &found) == 0;
}

bool login_directory_find(char out[LOGIN_DIRECTORY_SIZE]) {
    if (!name_directory(out)) {
        tool_complain("there is no directory for logins: HOME or XDG_DATA_HOME must name one");
        return false;
    }
    return make_parents(out);
}
