/* SPDX-License-Identifier: MIT */
#include "call_login.h"

#include <stddef.h>

bool call_login_works(void) { return false; }

call_login *call_login_open(const char *url, const char *ca_file, bool has_user, bool only_kept) {
    (void)url;
    (void)ca_file;
    (void)has_user;
    (void)only_kept;
    return NULL;
}

struct mcpw_http_login *call_login_of(call_login *login) {
    (void)login;
    return NULL;
}

bool call_login_lacks_user(const call_login *login) {
    (void)login;
    return false;
}

void call_login_close(call_login *login) { (void)login; }
