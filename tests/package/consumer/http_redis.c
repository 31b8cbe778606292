/* SPDX-License-Identifier: MIT */
/* A process that would share its changes. */
#include <mcpw/http_redis.h>

#include <stdio.h>

int main(void) {
    mcpw_http_redis_config config = MCPW_HTTP_REDIS_CONFIG_INIT;
    mcpw_http_redis *redis;
    mcpw_error error;
    config.server = mcpw_server_new("consumer", "1");
    config.address = "/nonexistent";
    redis = mcpw_http_redis_new(&config, &error);
    if (redis != NULL && !mcpw_http_redis_is_connected(redis)) {
        printf("not connected\n");
    }
    mcpw_http_redis_free(redis);
    mcpw_server_free(config.server);
    return 0;
}
