/* SPDX-License-Identifier: MIT */
/* Answers to tasks/get are kept from one poll to the next. A client must not notice that. */
#include "tasks_world.h"

static world w;

/* Asks twice, so that the second answer may be one that was kept. */
static const char *get_again(client *c, const char *id) {
    char first[WORLD_TEXT];
    (void)snprintf(first, sizeof first, "%.4000s", strstr(get(c, id), "\"result\""));
    const char *const second = get(c, id);
    CHECK_STRING(strstr(second, "\"result\""), first);
    return second;
}

static void a_task_that_has_not_changed_is_answered_in_the_same_way(void) {
    world_open(&w);
    client *const c = modern(&w);
    CHECK_HAS(get_again(c, id_in(call_tool(c, "slow"))), "'status':'working'");
    CHECK_HAS(get_again(c, id_in(call_tool(c, "asks"))), "'inputRequests':{");
    CHECK_HAS(get_again(c, id_in(call_tool(c, "rather"))), "'status':'completed'");
    CHECK_HAS(get_again(c, id_in(call_tool(c, "breaks"))), "'error':{");
    client_free(c);
    world_close(&w);
}

static void a_change_is_seen_at_the_next_poll(void) {
    world_open(&w);
    client *const c = modern(&w);
    const char *const id = id_in(call_tool(c, "slow"));
    CHECK_HAS(get_again(c, id), "'status':'working'");
    CHECK(mcpw_request_set_task_message(w.kept[0], "half of it") == MCPW_OK);
    CHECK_HAS(get_again(c, id), "'statusMessage':'half of it'");
    CHECK(mcpw_respond_text(w.kept[0], mcpw_str_from("all of it")) == MCPW_OK);
    CHECK_HAS(get_again(c, id), "all of it");
    client_free(c);
    world_close(&w);
}

static void nobody_else_gets_an_answer_that_was_kept(void) {
    world_open(&w);
    client *const alice = client_of(&w, "alice", EXTENSION);
    client *const bob = client_of(&w, "bob", EXTENSION);
    const char *const id = id_in(call_tool(alice, "slow"));
    CHECK_HAS(get_again(alice, id), "'status':'working'");
    CHECK_HAS(get(bob, id), "'code':-32602");
    CHECK_HAS(get(alice, id), "'status':'working'");
    client_free(alice);
    client_free(bob);
    world_close(&w);
}

static void each_form_has_its_own_answer(void) {
    world_open(&w);
    client *const c = modern(&w);
    client *const old = core(&w, NULL);
    const char *const id = id_in(call_tool(c, "slow"));
    for (int i = 0; i < 2; i++) {
        CHECK_HAS(get_again(c, id), "'ttlMs':");
        const char *const text = ask_core(old, "tasks/get", with_id(id, ""));
        CHECK_HAS(text, "'ttl':");
        CHECK_LACKS(text, "'ttlMs':");
    }
    client_free(c);
    client_free(old);
    world_close(&w);
}

static void an_answer_ends_with_the_time_to_live(void) {
    world_open(&w);
    client *const c = modern(&w);
    const char *const id = id_in(call_tool(c, "rather"));
    CHECK_HAS(get_again(c, id), "'status':'completed'");
    w.now += 3600000;
    CHECK_HAS(get(c, id), "there is no such task");
    client_free(c);
    world_close(&w);
}

/* The bytes that answers to polls of 40 tasks leave behind. */
static size_t kept_bytes(size_t limit) {
    enum { TASKS = 40 };
    static char ids[TASKS][MCPW_TASK_ID_LEN + 1];
    counting memory = {0};
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    config.max_view_bytes = limit;
    config.allocator = counting_allocator(&memory);
    world_open_with(&w, &config);
    client *const c = modern(&w);
    for (int i = 0; i < TASKS; i++) {
        (void)snprintf(ids[i], sizeof ids[i], "%s", id_in(call_tool(c, "rather")));
    }
    const size_t before = memory.in_use;
    for (int i = 0; i < 2 * TASKS; i++) {
        CHECK_HAS(get(c, ids[i % TASKS]), "'status':'completed'");
    }
    const size_t kept = memory.in_use - before;
    client_free(c);
    world_close(&w);
    CHECK(memory.in_use == 0);
    return kept;
}

static void answers_are_kept_up_to_their_limit(void) {
    enum { LIMIT = 1 << 13, BUCKETS = 1 << 9 /* at most 64 pointers */ };
    const size_t kept = kept_bytes(LIMIT);
    CHECK(kept > LIMIT / 2 && kept <= LIMIT + BUCKETS);
    CHECK(kept_bytes(0) > LIMIT);
}

static void no_answer_is_kept_if_the_limit_is_1(void) { CHECK(kept_bytes(1) == 0); }

int main(void) {
    mcpw_error error;
    mcpw_task_store *const any = mcpw_task_memory_new(NULL, &error);
    if (any == NULL) {
        (void)fprintf(stderr, "skipped: %s\n", error.message);
        return CHECK_SKIPPED;
    }
    mcpw_task_memory_free(any);
    RUN(a_task_that_has_not_changed_is_answered_in_the_same_way);
    RUN(a_change_is_seen_at_the_next_poll);
    RUN(nobody_else_gets_an_answer_that_was_kept);
    RUN(each_form_has_its_own_answer);
    RUN(an_answer_ends_with_the_time_to_live);
    RUN(answers_are_kept_up_to_their_limit);
    RUN(no_answer_is_kept_if_the_limit_is_1);
    return check_end();
}
