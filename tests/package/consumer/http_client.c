/* SPDX-License-Identifier: MIT */
/* A client over HTTP whose server is not there. */
#include <mcpw/http_connect.h>

#include <stdio.h>

int main(void) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    mcpw_error error;
    mcpw_client *client;
    config.name = "consumer";
    config.version = "1";
    options.url = "http://127.0.0.1:1/mcp";
    options.proxy = "";
    client = mcpw_client_connect(&options, &config, &error);
    printf(client == NULL && error.code == MCPW_E_CONNECTION ? "nobody is there\n" : "somebody is there\n");
    mcpw_client_free(client);
    return 0;
}
