/* SPDX-License-Identifier: MIT */
/* The link of our client to a server: its URL. */
#include "client.h"

#include <mcpw/http_connect.h>

const char client_link[] = "URL";

mcpw_client *client_open(char **link, const mcpw_session_config *config, mcpw_error *error) {
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    options.url = link[0];
    return mcpw_client_connect(&options, config, error);
}
