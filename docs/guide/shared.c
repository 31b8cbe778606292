/* SPDX-License-Identifier: MIT */
/* One of several processes that serve the same clients: any of them serves any session, and a change in one
 * is told to the clients of all. */
#include <mcpw/http_redis.h>
#include <mcpw/http_serve.h>

#include <stdio.h>

static mcpw_status serve(mcpw_server *server, mcpw_error *error) {
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    mcpw_http_redis_config config = MCPW_HTTP_REDIS_CONFIG_INIT;
    config.address = "/run/valkey/valkey.sock";
    mcpw_http_redis *const redis = mcpw_http_redis_new(&config, error);
    if (redis == NULL) {
        return error->code;
    }
    http.cluster = mcpw_http_redis_cluster(redis);
    http.store = mcpw_http_redis_store(redis);
    options.http = &http;
    const mcpw_status status = mcpw_serve_http(server, &options, error);
    mcpw_http_redis_free(redis);
    return status;
}

int main(void) {
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("shared", "1.0.0", &error);
    const mcpw_status status = server != NULL ? serve(server, &error) : error.code;
    if (status != MCPW_OK) {
        fprintf(stderr, "shared: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
