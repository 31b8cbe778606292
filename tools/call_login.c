/* SPDX-License-Identifier: MIT */
#include "call_login.h"

#include "login_link.h"

#include <stdlib.h>
#include <string.h>

struct call_login {
    login_store store;
    login_link link;
};

bool call_login_works(void) { return true; }

/* Whether there is a token, fresh or not. */
static bool has_token(const login_store *k) {
    mcpw_oauth_credential credential;
    const mcpw_oauth_config config = login_store_config(k, &credential);
    mcpw_oauth_login login = MCPW_OAUTH_LOGIN_INIT;
    mcpw_oauth *const oauth = mcpw_oauth_new(&config, NULL);
    mcpw_oauth_advance(oauth, 1);
    const bool has = oauth != NULL && mcpw_oauth_read(oauth, &login) == MCPW_OK;
    mcpw_oauth_free(oauth);
    return has;
}

call_login *call_login_open(const char *url, const char *ca_file, bool has_user, bool only_kept) {
    call_login *const l = !only_kept || login_store_exists() ? calloc(1, sizeof *l) : NULL;
    if (l == NULL) {
        return NULL;
    }
    if (!login_store_open(&l->store, url, LOGIN_STORE_AS_BEFORE) ||
        (only_kept && !l->store.has_facts && !has_token(&l->store)) ||
        !login_open(&l->link, &l->store, has_user ? LOGIN_BROWSER : LOGIN_NOBODY, ca_file)) {
        call_login_close(l);
        return NULL;
    }
    return l;
}

struct mcpw_http_login *call_login_of(call_login *login) {
    return login != NULL ? login->link.login : NULL;
}

bool call_login_lacks_user(const call_login *login) {
    return login != NULL && login->link.was_asked && login->link.way == LOGIN_NOBODY;
}

void call_login_close(call_login *login) {
    if (login != NULL) {
        login_close(&login->link);
        login_store_close(&login->store);
        free(login);
    }
}
