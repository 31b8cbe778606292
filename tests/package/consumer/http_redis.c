/* SPDX-License-Identifier: MIT */
/* A process that would serve what others serve, with tasks that others have. */
#include <mcpw/http_redis.h>
#include <mcpw/task_redis.h>

#include <stdio.h>

int main(void) {
    mcpw_http_redis_config config = MCPW_HTTP_REDIS_CONFIG_INIT;
    mcpw_task_redis_config task_config = MCPW_TASK_REDIS_CONFIG_INIT;
    mcpw_http_redis *redis;
    mcpw_task_store *tasks;
    mcpw_error error;
    config.address = "/nonexistent";
    task_config.address = "/nonexistent";
    redis = mcpw_http_redis_new(&config, &error);
    tasks = mcpw_task_redis_new(&task_config, &error);
    if (redis != NULL && mcpw_http_redis_cluster(redis)->number != 0 &&
        !mcpw_http_redis_is_connected(redis) && tasks != NULL && !mcpw_task_redis_is_connected(tasks)) {
        printf("not connected\n");
    }
    mcpw_task_redis_free(tasks);
    mcpw_http_redis_free(redis);
    return 0;
}
