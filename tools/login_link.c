/* SPDX-License-Identifier: MIT */
#include "login_link.h"

#include "ca.h"
#include "login_paste.h"
#include "login_wipe.h"

#include "tool.h"

#include <stdio.h>
#include <string.h>

enum { URI_SIZE = 64, PASTE_SIZE = 8192 };

static void warn(void *user, const char *message) {
    (void)user;
    tool_complain("warning: %s", message);
}

/* Reads the URL to which the user's browser was sent. */
static mcpw_status paste(mcpw_http_login *login) {
    char line[PASTE_SIZE];
    mcpw_error error = {.code = MCPW_OK};
    mcpw_status status = MCPW_E_CANCELLED;
    while (status != MCPW_OK && login_paste(line, sizeof line)) {
        const mcpw_str redirect = {line, strcspn(line, " \t\r\n")};
        if (redirect.len == 0) {
            continue;
        }
        status = mcpw_http_login_redirected(login, redirect, &error);
        if (status != MCPW_OK) {
            tool_complain("%s", error.message);
        }
    }
    login_wipe(line, sizeof line);
    return status == MCPW_OK ? MCPW_OK : MCPW_E_CANCELLED;
}

static mcpw_status on_open(void *user, mcpw_http_login *login, const char *url) {
    login_link *const l = user;
    l->was_asked = true;
    switch (l->way) {
    case LOGIN_NOBODY:
        return MCPW_E_UNAUTHORIZED;
    case LOGIN_BROWSER:
        tool_complain("log in in your browser; if none opens, open %s", url);
        return MCPW_OK;
    case LOGIN_SHOW:
        tool_complain("to log in, open %s", url);
        return MCPW_OK;
    default:
        tool_complain("to log in, open %s", url);
        tool_complain("then paste the URL to which your browser was sent, and that it could not open:");
        return paste(login);
    }
}

bool login_open(login_link *l, login_store *store, login_way way, const char *ca_file) {
    mcpw_http_login_options options = MCPW_HTTP_LOGIN_OPTIONS_INIT;
    mcpw_oauth_credential credential;
    char uri[URI_SIZE];
    mcpw_error error = {.code = MCPW_OK};
    mcpw_oauth_config config = login_store_config(store, &credential);
    if (way == LOGIN_BROWSER || way == LOGIN_SHOW) {
        config.redirect_uri = NULL; /* the listener chooses a port */
    }
    if (way != LOGIN_NOBODY && store->facts.redirect_port != 0) {
        (void)snprintf(uri, sizeof uri, "http://127.0.0.1:%lld/callback",
                       (long long)store->facts.redirect_port);
        config.redirect_uri = uri;
    }
    options.url = store->url;
    options.oauth = &config;
    options.browser = way == LOGIN_BROWSER ? NULL : "";
    options.on_open = on_open;
    options.on_warning = warn;
    options.user = l;
    options.ca_file = ca_file_of(ca_file);
    l->store = store;
    l->way = way;
    l->login = mcpw_http_login_new(&options, &error);
    if (l->login == NULL) {
        tool_complain("%s", error.message);
    }
    return l->login != NULL;
}

void login_close(login_link *l) {
    mcpw_http_login_free(l->login);
    l->login = NULL;
}
