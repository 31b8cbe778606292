/* SPDX-License-Identifier: MIT */
/* The store in Valkey or Redis does what every store of tasks does. usage: task_redis_conforms PORT */
#define _POSIX_C_SOURCE 200809L
#include "task_store_cases.h"

#include <mcpw/task_redis.h>

#include <errno.h>
#include <stdlib.h>
#include <time.h>

enum { MS_IN_S = 1000, NS_IN_MS = 1000000, PREFIX = 32, BASE = 10 };

static uint16_t port;

static uint64_t now(void) {
    struct timespec t = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * MS_IN_S + (uint64_t)t.tv_nsec / NS_IN_MS;
}

static uint64_t given_clock(void *user) {
    (void)user;
    return now();
}

/* Each store has keys of its own. The server may be slow, so nobody loses patience. */
static mcpw_task_store *open_redis(size_t max_tasks, size_t max_bytes) {
    enum { PATIENCE = 20000 };
    static unsigned number;
    mcpw_task_redis_config config = MCPW_TASK_REDIS_CONFIG_INIT;
    char prefix[PREFIX];
    mcpw_error error;
    (void)snprintf(prefix, sizeof prefix, "case%u:", number++);
    config.port = port;
    config.prefix = prefix;
    config.patience_ms = PATIENCE;
    config.max_tasks = max_tasks;
    config.max_bytes = max_bytes;
    config.clock = given_clock;
    return mcpw_task_redis_new(&config, &error);
}

/* A little longer, as the server's clock has whole ms. */
static void pass(uint64_t ms) {
    struct timespec left = {(time_t)((ms + 2) / MS_IN_S), (long)((ms + 2) % MS_IN_S * NS_IN_MS)};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}

static void a_config_of_another_size_is_refused(void) {
    mcpw_task_redis_config config = MCPW_TASK_REDIS_CONFIG_INIT;
    mcpw_error error = {0};
    config.struct_size = 1;
    CHECK(mcpw_task_redis_new(&config, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    mcpw_task_redis_free(NULL);
}

int main(int argc, char **argv) {
    const store_kind in_redis = {open_redis, mcpw_task_redis_free, now, pass};
    port = argc == 2 ? (uint16_t)strtoul(argv[1], NULL, BASE) : 0;
    RUN(a_config_of_another_size_is_refused);
    run_store_cases(&in_redis);
    return check_end();
}
