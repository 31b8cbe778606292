/* SPDX-License-Identifier: MIT */
/* One of several processes that serve the same clients: any of them serves any session and any task, and a
 * change in one is told to the clients of all. */
#include <mcpw/http_redis.h>
#include <mcpw/http_serve.h>
#include <mcpw/task_redis.h>

#include <stdio.h>

/* Tasks outlive this process, in a store that must outlive the server. NULL: error says why. */
static mcpw_task_store *keep_tasks(mcpw_server *server, mcpw_error *error) {
    mcpw_tasks_config tasks = MCPW_TASKS_CONFIG_INIT;
    mcpw_task_redis_config config = MCPW_TASK_REDIS_CONFIG_INIT;
    config.address = "/run/valkey/valkey.sock";
    mcpw_task_store *const store = mcpw_task_redis_new(&config, error);
    if (store == NULL) {
        return NULL;
    }
    tasks.store = store;
    if (mcpw_server_add_tasks(server, &tasks, error) != MCPW_OK) {
        mcpw_task_redis_free(store);
        return NULL;
    }
    return store;
}

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
    mcpw_task_store *const store = server != NULL ? keep_tasks(server, &error) : NULL;
    const mcpw_status status = store != NULL ? serve(server, &error) : error.code;
    if (status != MCPW_OK) {
        fprintf(stderr, "shared: %s\n", error.message);
    }
    mcpw_server_free(server);
    mcpw_task_redis_free(store);
    return status == MCPW_OK ? 0 : 1;
}
