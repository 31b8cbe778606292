/* SPDX-License-Identifier: MIT */
/* A process that would serve what others serve. */
#include <mcpw/http_redis.h>

#include <stdio.h>

int main(void) {
    mcpw_http_redis_config config = MCPW_HTTP_REDIS_CONFIG_INIT;
    mcpw_http_redis *redis;
    mcpw_error error;
    config.address = "/nonexistent";
    redis = mcpw_http_redis_new(&config, &error);
    if (redis != NULL && mcpw_http_redis_cluster(redis)->number != 0 &&
        !mcpw_http_redis_is_connected(redis)) {
        printf("not connected\n");
    }
    mcpw_http_redis_free(redis);
    return 0;
}
