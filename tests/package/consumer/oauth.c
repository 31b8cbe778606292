/* SPDX-License-Identifier: MIT */
/* The first request of a login. */
#include <mcpw/oauth.h>

#include <stdio.h>

int main(void) {
    mcpw_oauth_config config = MCPW_OAUTH_CONFIG_INIT;
    mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
    mcpw_error error;
    mcpw_oauth *oauth;
    config.server_url = "https://mcp.example.com/mcp";
    config.redirect_uri = "http://127.0.0.1:8765/callback";
    oauth = mcpw_oauth_new(&config, &error);
    mcpw_oauth_advance(oauth, 1800000000000);
    if (mcpw_oauth_next(oauth, &order, &error) == MCPW_OAUTH_SEND) {
        printf("%s %s\n", order.method, order.url.ptr);
    }
    mcpw_oauth_free(oauth);
    return 0;
}
