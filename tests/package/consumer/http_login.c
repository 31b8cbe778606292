/* SPDX-License-Identifier: MIT */
/* A login at a server that is not there. */
#include <mcpw/http_login.h>

#include <stdio.h>

int main(void) {
    mcpw_http_login_options options = MCPW_HTTP_LOGIN_OPTIONS_INIT;
    mcpw_error error;
    mcpw_http_login *login;
    options.url = "http://127.0.0.1:1/mcp";
    options.directory = "";
    options.proxy = "";
    login = mcpw_http_login_new(&options, &error);
    if (login != NULL && mcpw_http_login_run(login, false, &error) != MCPW_OK) {
        printf("%s\n", error.message);
    }
    mcpw_http_login_free(login);
    return 0;
}
