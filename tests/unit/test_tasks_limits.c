/* SPDX-License-Identifier: MIT */
/* 100,000 open tasks in one process: under 1 KiB each, beside their results, and found without looking at the
 * others. */
#include "tasks_world.h"

enum { COUNT = 100000, MOST_BYTES = 1024, SLOW = 4 };

static world w;

static void a_task_that_is_open_takes_under_1_kib(void) {
    static char ids[COUNT][MCPW_TASK_ID_LEN + 1];
    counting memory = {0};
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    config.max_tasks = COUNT;
    config.max_running = SLOW;
    config.allocator = counting_allocator(&memory);
    world_open_with(&w, &config);
    client *const c = modern(&w);
    for (int i = 0; i < SLOW; i++) {
        (void)call_tool(c, "slow"); /* they run, and all others wait for their turn or for input */
    }
    const size_t before = memory.in_use;
    for (int i = SLOW; i < COUNT; i++) {
        (void)snprintf(ids[i], sizeof ids[i], "%s", id_in(call_tool(c, "slow")));
    }
    const size_t each = (memory.in_use - before) / (COUNT - SLOW);
    (void)fprintf(stderr, "%zu bytes for each open task\n", each);
    CHECK(each < MOST_BYTES);
    CHECK_HAS(call_tool(c, "slow"), "there are too many tasks");
    CHECK_HAS(get(c, ids[SLOW]), "'status':'working'");
    CHECK_HAS(get(c, ids[COUNT - 1]), "'status':'working'");
    for (int i = SLOW; i < COUNT; i++) {
        CHECK_HAS(ask(c, "tasks/cancel", with_id(ids[i], "")), "'result':{");
    }
    CHECK_HAS(get(c, ids[COUNT - 1]), "'status':'cancelled'");
    client_free(c);
    world_close(&w);
    CHECK(memory.in_use == 0);
}

int main(void) {
    mcpw_error error;
    mcpw_task_store *const any = mcpw_task_memory_new(NULL, &error);
    if (any == NULL) {
        (void)fprintf(stderr, "skipped: %s\n", error.message);
        return CHECK_SKIPPED;
    }
    mcpw_task_memory_free(any);
    RUN(a_task_that_is_open_takes_under_1_kib);
    return check_end();
}
