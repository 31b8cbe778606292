/* SPDX-License-Identifier: MIT */
/* A machine without a browser: the user opens the page elsewhere, and pastes the URL that it leads to. Later
 * runs, such as those of a timer, use what was kept, and fail if a user is needed. */
#include <mcpw/http_login.h>

#include <stdio.h>
#include <unistd.h>

enum { MOST_LINE = 4096 };

static mcpw_status ask_user(void *user, mcpw_http_login *login, const char *url) {
    char line[MOST_LINE];
    mcpw_error error;
    (void)user;
    if (!isatty(STDIN_FILENO)) {
        return MCPW_E_UNAUTHORIZED; /* nobody is there */
    }
    printf("Open %s\nand paste the URL that your browser cannot open: ", url);
    (void)fflush(stdout);
    if (fgets(line, sizeof line, stdin) == NULL) {
        return MCPW_E_CANCELLED;
    }
    line[strcspn(line, "\r\n")] = '\0';
    return mcpw_http_login_redirected(login, mcpw_str_from(line), &error);
}

int main(int argc, char **argv) {
    mcpw_http_login_options options = MCPW_HTTP_LOGIN_OPTIONS_INIT;
    mcpw_oauth_config oauth = MCPW_OAUTH_CONFIG_INIT;
    mcpw_oauth_login state = MCPW_OAUTH_LOGIN_INIT;
    mcpw_error error;
    if (argc != 2) {
        fprintf(stderr, "usage: headless URL\n");
        return 2;
    }
    oauth.redirect_uri = "http://127.0.0.1/callback"; /* without a port: nobody listens */
    options.url = argv[1];
    options.oauth = &oauth;
    options.browser = "";
    options.on_open = ask_user;
    mcpw_http_login *const login = mcpw_http_login_new(&options, &error);
    mcpw_status status = login != NULL ? mcpw_http_login_run(login, false, &error) : error.code;
    if (status == MCPW_OK) {
        status = mcpw_oauth_read(mcpw_http_login_oauth(login), &state);
        printf("%.*s, scopes: %.*s\n", (int)state.issuer.len, state.issuer.ptr, (int)state.scopes.len,
               state.scopes.ptr != NULL ? state.scopes.ptr : "");
    } else {
        fprintf(stderr, "%s: %s\n", mcpw_status_name(status), error.message);
    }
    mcpw_http_login_free(login);
    return status == MCPW_OK ? 0 : 1;
}
