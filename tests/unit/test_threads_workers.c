/* SPDX-License-Identifier: MIT */
/* Handlers on workers: many at once, cancelled and closed at any point. */
#include <mcp/2026-07-28.h>
#include <mcpw/ask.h>
#include <mcpw/detail/session.h>

#include "attach.h"
#include "thread_stage.h"

enum { WORKERS = 4, IN_FLIGHT = 64, ROUNDS = 20 };

static mcpw_workers *workers_of(stage *s) {
    mcpw_error error = {0};
    mcpw_workers *const workers = mcpw_workers_new(WORKERS, &error);
    if (!check_that(workers != NULL, __FILE__, __LINE__, error.message)) {
        abort();
    }
    CHECK(mcpw_session_set_workers(s->session, workers) == MCPW_OK);
    return workers;
}

static atomic_int running;
static atomic_int most;

/* Tells progress, and answers with its argument. */
static mcpw_status work(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    char text[STAGE_LINE];
    int64_t n = 0;
    const int now = atomic_fetch_add(&running, 1) + 1;
    (void)user;
    for (int seen = atomic_load(&most); now > seen && !atomic_compare_exchange_weak(&most, &seen, now);) {
    }
    mcpw_status status = mcpw_json_get_int(call->arguments, "n", &n);
    for (int i = 1; i <= 3 && status == MCPW_OK; i++) {
        (void)poll(NULL, 0, 1);
        status = mcpw_request_progress(request, i, 3, NULL);
    }
    (void)snprintf(text, sizeof text, "worked %lld", (long long)n);
    status = status == MCPW_OK ? mcpw_respond_text(request, mcpw_str_from(text)) : status;
    (void)atomic_fetch_sub(&running, 1);
    return status;
}

static stage *stage_of_workers(mcpw_workers **workers) {
    stage *const s = stage_new();
    stage_tool(s, "t", work);
    stage_begin(s);
    *workers = workers_of(s);
    stage_open(s);
    return s;
}

/* The workers go after the session that uses them. */
static void free_both(stage *s, mcpw_workers *workers) {
    mcpw_io_end(&s->io);
    mcpw_session_free(s->session);
    s->session = NULL;
    mcpw_workers_free(workers);
    stage_free(s);
}

static void many_requests_are_worked_on_at_once(void) {
    mcpw_workers *workers;
    stage *const s = stage_of_workers(&workers);
    atomic_store(&most, 0);
    for (int i = 0; i < IN_FLIGHT; i++) {
        stage_call(s, i, "t");
    }
    AWAIT_TIMES(s, "'text':'worked ", IN_FLIGHT);
    for (int i = 0; i < IN_FLIGHT; i++) {
        char part[STAGE_LINE];
        (void)snprintf(part, sizeof part, "'text':'worked %d'", i);
        CHECK(stage_count(s, part) == 1);
    }
    CHECK(stage_count(s, "'progressToken'") == 3 * IN_FLIGHT);
    CHECK(atomic_load(&most) > 1 && atomic_load(&most) <= WORKERS && s->diagnostics == 0);
    free_both(s, workers);
}

static void cancellation_may_come_at_any_point(void) {
    mcpw_workers *workers;
    stage *const s = stage_of_workers(&workers);
    for (int i = 0; i < IN_FLIGHT; i++) {
        stage_call(s, i, "t");
        if (i % 2 == 0) {
            (void)stage_step(s);
            stage_cancel(s, i / 2);
        }
    }
    while (mcpw_session_is_busy(s->session) || mcpw_session_detached(s->session) != 0) {
        (void)stage_step(s);
    }
    CHECK(stage_count(s, "'error'") == 0);
    stage_say(s, "{'jsonrpc':'2.0','id':'p','method':'ping'}");
    AWAIT(s, "'id':'p'");
    free_both(s, workers);
}

static void a_session_may_end_with_everything_under_way(void) {
    for (int round = 0; round < ROUNDS; round++) {
        mcpw_workers *workers;
        stage *const s = stage_of_workers(&workers);
        for (int i = 0; i < IN_FLIGHT; i++) {
            stage_call(s, i, "t");
        }
        for (int i = 0; i < round; i++) {
            (void)stage_step(s);
        }
        free_both(s, workers);
    }
}

static void what_is_asked_before_the_end_of_input_is_answered(void) {
    mcpw_workers *workers;
    stage *const s = stage_of_workers(&workers);
    for (int i = 0; i < WORKERS; i++) {
        stage_call(s, i, "t");
    }
    CHECK(shutdown(s->peer, SHUT_WR) == 0);
    CHECK(mcpw_io_run(&s->io, NULL, NULL, NULL) == MCPW_E_CLOSED);
    stage_hear(s);
    CHECK(stage_count(s, "'text':'worked ") == WORKERS);
    free_both(s, workers);
}

/* ---- A handler that goes on after it has returned ---- */

static void *later_work(void *argument) {
    const job *const j = argument;
    (void)poll(NULL, 0, 5);
    (void)!mcpw_request_return(j->request, mcpw_respond_text(j->request, mcpw_str_from("later")));
    return NULL;
}

static mcpw_status hand_on(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    return stage_hand_over(request, call, user, later_work);
}

static void a_worker_may_hand_its_request_on(void) {
    mcpw_workers *workers;
    stage *const s = stage_of_workers(&workers);
    stage_tool(s, "u", hand_on);
    stage_call(s, 1, "u");
    AWAIT(s, "'text':'later'");
    CHECK(s->diagnostics == 0);
    free_both(s, workers);
}

/* ---- All kinds of handlers ---- */

static atomic_bool was_here; /* a handler ran on the session's thread */
static pthread_t sessions_thread;

static void look_where(void) {
    if (pthread_equal(pthread_self(), sessions_thread)) {
        atomic_store(&was_here, true);
    }
}

static mcpw_status read_it(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)user;
    look_where();
    return mcpw_respond_resource_text(request, NULL, read->uri);
}

static mcpw_status get_it(mcpw_request *request, const mcpw_prompt_get *get, void *user) {
    (void)user;
    look_where();
    return mcpw_respond_prompt_text(request, get->name);
}

static mcpw_status complete_it(mcpw_request *request, const mcpw_completion *completion, void *user) {
    (void)user;
    look_where();
    return mcpw_respond_completion(request, &completion->value, 1);
}

static void resources_prompts_and_completions_run_on_workers_too(void) {
    const mcpw_resource resource = {.uri = "x:1", .name = "x", .read = read_it};
    const mcpw_prompt_argument argument = {.name = "a"};
    const mcpw_prompt prompt = {
        .name = "p", .get = get_it, .complete = complete_it, .arguments = &argument, .argument_count = 1};
    mcpw_workers *workers;
    stage *const s = stage_new();
    atomic_store(&was_here, false);
    sessions_thread = pthread_self();
    CHECK(mcpw_server_add_resource(s->server, &resource, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_prompt(s->server, &prompt, NULL) == MCPW_OK);
    stage_begin(s);
    workers = workers_of(s);
    stage_open(s);
    stage_say(s, "{'jsonrpc':'2.0','id':1,'method':'resources/read','params':{'uri':'x:1'}}");
    stage_say(s, "{'jsonrpc':'2.0','id':2,'method':'prompts/get','params':{'name':'p'}}");
    stage_say(s,
              "{'jsonrpc':'2.0','id':3,'method':'completion/complete','params':{'ref':{'type':'ref/prompt',"
              "'name':'p'},'argument':{'name':'a','value':'v'}}}");
    AWAIT(s, "'text':'x:1'");
    AWAIT(s, "'text':'p'");
    AWAIT(s, "'values':['v']");
    CHECK(!atomic_load(&was_here));
    free_both(s, workers);
}

/* Answers with the tool's name, in two steps. */
static mcpw_status call_slot(mcpw_request *request, const mcp_20260728_call_tool_request_params *params,
                             void *user) {
    mcp_20260728_content_block block = {0};
    mcp_20260728_call_tool_result result = {0};
    (void)user;
    look_where();
    block.kind = MCP_20260728_CONTENT_BLOCK_TEXT_CONTENT;
    block.as.text_content.text = params->name;
    result.content.items = &block;
    result.content.count = 1;
    const mcpw_status status = mcpw_request_progress(request, 1, 1, NULL);
    return status == MCPW_OK ? mcp_20260728_respond_tools_call(request, &result, NULL) : status;
}

/* Its params and its result go from one revision to the other on the session's thread. */
static void typed_slots_run_on_workers_too(void) {
    const mcp_20260728_server_handlers handlers = {.tools_call = call_slot};
    stage *const s = stage_new();
    atomic_store(&was_here, false);
    sessions_thread = pthread_self();
    s->config.dispatch = &mcp_20260728_server_dispatch;
    s->config.handlers = &handlers;
    stage_begin(s);
    mcpw_workers *const workers = workers_of(s);
    stage_open(s);
    for (int i = 0; i < IN_FLIGHT; i++) {
        stage_call(s, i, "typed");
    }
    AWAIT_TIMES(s, "'text':'typed'", IN_FLIGHT);
    CHECK(stage_count(s, "'progressToken'") == IN_FLIGHT && stage_count(s, "resultType") == 0);
    CHECK(!atomic_load(&was_here) && s->diagnostics == 0);
    free_both(s, workers);
}

static void a_number_of_workers_that_cannot_be_is_refused(void) {
    mcpw_error error = {0};
    CHECK(mcpw_workers_new(0, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    CHECK(mcpw_workers_new(1U << 20, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    mcpw_workers_free(NULL);
}

/* ---- Input requests ---- */

/* Asks for a size, and answers with what was filled in. */
static mcpw_status ask_size(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    static const mcpw_json form =
        MCPW_JSON("{\"type\":\"object\",\"properties\":{\"size\":{\"type\":\"integer\"}}}");
    mcpw_ask_answer answer = MCPW_ASK_ANSWER_INIT;
    (void)call;
    (void)user;
    const mcpw_status status = mcpw_ask_form(request, "size", "How large?", form, &answer);
    return status == MCPW_OK ? mcpw_respond_text(request, (mcpw_str){answer.content.ptr, answer.content.len})
                             : status;
}

static void a_worker_asks_in_one_line(void) {
    mcpw_workers *workers;
    stage *const s = stage_of_workers(&workers);
    stage_tool(s, "ask", ask_size);
    stage_call(s, 1, "ask");
    AWAIT(s, "'message':'How large?'");
    stage_say(s, "{'jsonrpc':'2.0','id':1,'result':{'action':'accept','content':{'size':4}}}");
    AWAIT(s, "'text':'{\\'size\\':4}'");
    CHECK(s->diagnostics == 0);
    free_both(s, workers);
}

static void a_worker_that_asks_for_a_cancelled_request_is_told(void) {
    mcpw_workers *workers;
    stage *const s = stage_of_workers(&workers);
    stage_tool(s, "ask", ask_size);
    for (int i = 0; i < IN_FLIGHT; i++) {
        stage_call(s, i, "ask");
        (void)stage_step(s);
        stage_cancel(s, i);
    }
    while (mcpw_session_is_busy(s->session) || mcpw_session_detached(s->session) != 0) {
        (void)stage_step(s);
    }
    CHECK(stage_count(s, "'error'") == 0);
    free_both(s, workers);
}

int main(void) {
    RUN(a_worker_asks_in_one_line);
    RUN(a_worker_that_asks_for_a_cancelled_request_is_told);
    RUN(many_requests_are_worked_on_at_once);
    RUN(cancellation_may_come_at_any_point);
    RUN(a_session_may_end_with_everything_under_way);
    RUN(what_is_asked_before_the_end_of_input_is_answered);
    RUN(a_worker_may_hand_its_request_on);
    RUN(resources_prompts_and_completions_run_on_workers_too);
    RUN(typed_slots_run_on_workers_too);
    RUN(a_number_of_workers_that_cannot_be_is_refused);
    return check_failures != 0;
}
