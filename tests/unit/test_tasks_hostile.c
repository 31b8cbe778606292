/* SPDX-License-Identifier: MIT */
/* Tasks whose clients use every limit, leave at a bad moment, or are asked twice. */
#include "tasks_world.h"

#include <mcpw/middleware.h>

static world w;
static char text[WORLD_TEXT];

#define TASK "'task':{}"
#define SHORT_TASK "'task':{'ttl':1000}"
#define YES "'action':'accept','content':{'yes':true}"
#define CANCELLED "'error':{'code':-32603,'message':'The task was cancelled'"

static const char *core_result(client *c, const char *id) {
    return ask_core(c, "tasks/result", with_id(id, ""));
}

/* The id of a request of the server's. */
static int number_in(const char *request) {
    const char *const found = strstr(request, "\"id\":");
    return found != NULL ? atoi(found + 5) : -1;
}

/* The next message that has a part; "" if there is none. */
static const char *next_with(client *c, const char *part) {
    const char *message = next_message(c);
    while (*message != '\0' && !has(message, part)) {
        message = next_message(c);
    }
    return message;
}

/* ---- Limits ---- */

static void a_call_whose_record_just_fits_runs(void) {
    enum { LIMIT = 1000, LEAST = 300 };
    static char pad[LIMIT + 1];
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    config.max_record_bytes = LIMIT;
    world_open_with(&w, &config);
    client *const c = modern(&w);
    int created = 0;
    for (int length = LEAST; length < LIMIT; length++) {
        memset(pad, 'x', (size_t)length);
        pad[length] = '\0';
        (void)snprintf(text, sizeof text, "'name':'rather','arguments':{'pad':'%s'}", pad);
        const char *const id = id_in(ask(c, "tools/call", text));
        if (*id != '\0') {
            created++;
            CHECK_LACKS(get(c, id), "'status':'working'");
        }
    }
    CHECK(created > LEAST && created < LIMIT - LEAST); /* the longest ones do not fit */
    client_free(c);
    world_close(&w);
}

static void tasks_that_expire_before_their_turn_leave_the_queue(void) {
    enum { COUNT = 5000, MOST_BYTES = 600 * 1024, TOKEN = 200 };
    counting memory = {0};
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    config.allocator = counting_allocator(&memory);
    config.max_running = 1;
    world_open_with(&w, &config);
    client *const c = core(&w, NULL);
    (void)call_core(c, "slow", TASK); /* it runs, and all others wait */
    const size_t before = memory.in_use;
    for (int i = 0; i < COUNT; i++) {
        (void)snprintf(text, sizeof text, "'task':{'ttl':1},'_meta':{'progressToken':'%0*d'}", TOKEN, i);
        CHECK_HAS(call_core(c, "slow", text), "'task':{");
        w.now++;
    }
    CHECK(memory.in_use - before < MOST_BYTES);
    client_free(c);
    world_close(&w);
    CHECK(memory.in_use == 0);
}

static void a_long_progress_token_gets_no_progress(void) {
    enum { LENGTHS = 2 };
    static const int lengths[LENGTHS] = {254, 255}; /* and two quotation marks */
    for (int i = 0; i < LENGTHS; i++) {
        world_open(&w);
        client *const c = core(&w, NULL);
        (void)snprintf(text, sizeof text, TASK ",'_meta':{'progressToken':'%0*d'}", lengths[i], 1);
        (void)call_core(c, "reports", text);
        const bool is_told = *next_with(c, "notifications/progress") != '\0';
        CHECK(is_told == (i == 0));
        client_free(c);
        world_close(&w);
    }
}

static size_t reads;
static mcpw_status (*read_inner)(void *, mcpw_str, size_t, mcpw_take_task *, void *);

static mcpw_status read_counted(void *self, mcpw_str id, size_t most, mcpw_take_task *take, void *user) {
    reads++;
    return read_inner(self, id, most, take, user);
}

/* A subscription to a task of this id, and so many more: the same, or unknown ones. */
static const char *listen_to(client *c, const char *id, int count, bool same) {
    int at = snprintf(text, sizeof text, "'notifications':{'taskIds':['%s'", id);
    for (int i = 0; i < count; i++) {
        at += same ? snprintf(text + at, sizeof text - (size_t)at, ",'%s'", id)
                   : snprintf(text + at, sizeof text - (size_t)at, ",'%032x'", i);
    }
    (void)snprintf(text + at, sizeof text - (size_t)at, "]}");
    return ask(c, "subscriptions/listen", text);
}

static void a_subscription_asks_the_store_for_few_names(void) {
    enum { MOST = 5, MANY = 100 };
    mcpw_error error;
    mcpw_task_memory_config own = MCPW_TASK_MEMORY_CONFIG_INIT;
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    own.clock = world_time;
    own.user = &w;
    mcpw_task_store *const memory = mcpw_task_memory_new(&own, &error);
    mcpw_task_store counted = *memory;
    read_inner = memory->read;
    counted.read = read_counted;
    config.store = &counted;
    world_open_with(&w, &config);
    w.config.max_requests = MOST;
    client *const c = modern(&w);
    const char *const id = id_in(call_tool(c, "slow"));
    reads = 0;
    CHECK_HAS(listen_to(c, id, MANY, false), "'error':{");
    CHECK(reads <= MOST);
    reads = 0;
    CHECK_HAS(listen_to(c, id, MANY, true), "notifications/subscriptions/acknowledged");
    CHECK(reads == 1);
    CHECK_HAS(listen_to(c, "short", 0, false), "notifications/subscriptions/acknowledged");
    CHECK(reads == 1); /* no task has such an id */
    client_free(c);
    world_close(&w);
    mcpw_task_memory_free(memory);
}

/* ---- Tasks that are gone ---- */

static void a_client_that_waits_for_a_task_that_expires_is_told(void) {
    world_open(&w);
    client *const c = core(&w, NULL);
    const char *const id = id_in(call_core(c, "slow", SHORT_TASK));
    CHECK(*core_result(c, id) == '\0');
    w.now += 2000;
    CHECK(mcpw_respond_text(w.kept[0], mcpw_str_from("too late")) == MCPW_OK);
    (void)ask_core(c, "tasks/get", with_id(id, ""));
    CHECK_HAS(c->got[0], "'id':3,'error':{'code':-32602");
    client_free(c);
    world_close(&w);
}

static void a_client_that_waits_for_a_task_that_expires_before_its_turn_is_told(void) {
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    config.max_running = 1;
    world_open_with(&w, &config);
    client *const c = core(&w, NULL);
    (void)call_core(c, "slow", TASK);
    const char *const id = id_in(call_core(c, "slow", SHORT_TASK));
    CHECK(*core_result(c, id) == '\0');
    w.now += 2000;
    CHECK(mcpw_respond_text(w.kept[0], mcpw_str_from("done")) == MCPW_OK);
    (void)ask_core(c, "tasks/get", with_id(id, ""));
    c->seen = 0;
    CHECK_HAS(next_with(c, "'id':4,"), "there is no such task");
    client_free(c);
    world_close(&w);
}

/* ---- Several that wait ---- */

static int outputs_left;

static void close_later(void *user, mcpw_session *session) {
    (void)user;
    if (--outputs_left == 0) {
        mcpw_session_close(session);
    }
}

static void a_session_may_close_while_its_requests_are_answered(void) {
    enum { MOST_OUTPUTS = 8 };
    for (int outputs = 1; outputs < MOST_OUTPUTS; outputs++) {
        world_open(&w);
        client *const c = core(&w, NULL);
        const char *const id = id_in(call_core(c, "slow", TASK));
        CHECK(*core_result(c, id) == '\0' && *core_result(c, id) == '\0' && *core_result(c, id) == '\0');
        outputs_left = outputs;
        mcpw_session_on_output(c->session, close_later, NULL);
        CHECK(mcpw_respond_text(w.kept[0], mcpw_str_from("done")) == MCPW_OK);
        client *const other = core(&w, NULL);
        CHECK_HAS(ask_core(other, "tasks/get", with_id(id, "")), "'status':'completed'");
        client_free(other);
        client_free(c);
        world_close(&w);
    }
}

static void a_task_that_is_cancelled_asks_no_more(void) {
    world_open(&w);
    client *const c = core(&w, NULL);
    client *const other = core(&w, NULL);
    const char *const id = id_in(call_core(c, "confirm", TASK));
    const char *const request = core_result(c, id);
    CHECK_HAS(request, "elicitation/create");
    const int number = number_in(request);
    CHECK_HAS(ask_core(other, "tasks/cancel", with_id(id, "")), "'status':'cancelled'");
    take_messages(c);
    bool is_answered = false;
    bool is_withdrawn = false;
    (void)snprintf(text, sizeof text, "'requestId':%d", number);
    for (const char *message = next_message(c); *message != '\0'; message = next_message(c)) {
        is_answered = is_answered || has(message, CANCELLED);
        is_withdrawn = is_withdrawn || (has(message, "notifications/cancelled") && has(message, text));
    }
    CHECK(is_answered && is_withdrawn);
    client_free(c);
    client_free(other);
    world_close(&w);
}

static void a_refusal_of_one_client_leaves_the_question_to_another(void) {
    world_open(&w);
    client *const c = core(&w, NULL);
    client *const other = core(&w, NULL);
    const char *const id = id_in(call_core(c, "confirm", TASK));
    const int refused = number_in(core_result(c, id));
    const int asked = number_in(core_result(other, id));
    CHECK(refused > 0 && asked > 0);
    (void)snprintf(text, sizeof text, "{'jsonrpc':'2.0','id':%d,'error':{'code':-1,'message':'no'}}",
                   refused);
    say(c, q(text));
    CHECK_HAS(ask_core(other, "tasks/get", with_id(id, "")), "'status':'input_required'");
    (void)snprintf(text, sizeof text, "{'jsonrpc':'2.0','id':%d,'result':{" YES "}}", asked);
    say(other, q(text));
    CHECK_HAS(next_with(other, "'content'"), "yes");
    take_messages(c);
    CHECK_HAS(next_with(c, "'content'"), "yes");
    client_free(c);
    client_free(other);
    world_close(&w);
}

/* ---- Runs ---- */

static mcpw_status look_at_user(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    CHECK(mcpw_request_task(request).ptr != NULL);
    CHECK(mcpw_session_user(mcpw_request_session(request)) == user);
    CHECK(mcpw_request_set_task_message(request, "\xff") == MCPW_E_UTF8);
    CHECK(mcpw_request_set_task_message(request, NULL) == MCPW_OK);
    return mcpw_respond_text(request, mcpw_str_from("seen"));
}

static void a_handler_finds_the_user_of_the_config_in_its_session(void) {
    world_open(&w);
    add_tool(&w, "looks", MCPW_TASK_PREFERRED, look_at_user);
    client *const c = modern(&w);
    const char *const id = id_in(call_tool(c, "looks"));
    CHECK_HAS(get(c, id), "'text':'seen'");
    client_free(c);
    world_close(&w);
}

static void a_task_counts_once_for_a_rate_limit(void) {
    mcpw_error error;
    const mcpw_rate_limit_config config = {.burst = 1, .now = world_time, .user = &w};
    mcpw_rate_limit *const limit = mcpw_rate_limit_new(&config, &error);
    const mcpw_middleware middleware = mcpw_rate_limit_middleware(limit);
    world_open(&w);
    CHECK(mcpw_server_add_middleware(w.server, &middleware, &error) == MCPW_OK);
    client *const c = modern(&w);
    const char *const id = id_in(call_tool(c, "rather"));
    w.now += 1000;
    CHECK_HAS(get(c, id), "'text':'Hello'");
    CHECK_HAS(call_tool(c, "rather"), "Too many requests");
    client_free(c);
    world_close(&w);
    mcpw_rate_limit_free(limit);
}

int main(void) {
    mcpw_error error;
    mcpw_task_store *const any = mcpw_task_memory_new(NULL, &error);
    if (any == NULL) {
        (void)fprintf(stderr, "skipped: %s\n", error.message);
        return CHECK_SKIPPED;
    }
    mcpw_task_memory_free(any);
    RUN(a_call_whose_record_just_fits_runs);
    RUN(tasks_that_expire_before_their_turn_leave_the_queue);
    RUN(a_long_progress_token_gets_no_progress);
    RUN(a_subscription_asks_the_store_for_few_names);
    RUN(a_client_that_waits_for_a_task_that_expires_is_told);
    RUN(a_client_that_waits_for_a_task_that_expires_before_its_turn_is_told);
    RUN(a_session_may_close_while_its_requests_are_answered);
    RUN(a_task_that_is_cancelled_asks_no_more);
    RUN(a_refusal_of_one_client_leaves_the_question_to_another);
    RUN(a_handler_finds_the_user_of_the_config_in_its_session);
    RUN(a_task_counts_once_for_a_rate_limit);
    return check_end();
}
