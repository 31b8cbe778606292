/* SPDX-License-Identifier: MIT */
/* Calls of a client that a task answers: how the task is followed, and how that ends. */
#include "client_tasks_harness.h"

/* ---- A call ---- */

static void a_call_ends_with_the_result_of_its_task(void) {
    for (int core = 0; core < 2; core++) {
        end *const e = with_task(core != 0, plain_options);
        EXPECT(e, "");
        respond(e, next_poll(e), stands("working", ""));
        CHECK(e->out.count == 0);
        respond(e, next_poll(e), stands("completed", fmt(",'result':%s", result_of_call())));
        if (core) {
            respond(e, hear(e, "tasks/result"), result_of_call());
        }
        CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
        CHECK_STRING(e->out.why, "");
        CHECK_HAS(e->out.text, "'text':'hello'");
        wait_ms(e, LONG);
        EXPECT(e, "");
        end_free(e);
    }
}

static void a_status_is_reported_when_it_changes(void) {
    end *const e = with_task(false, plain_options);
    CHECK(seen.count == 1);
    respond(e, next_poll(e), stands("working", ""));
    CHECK(seen.count == 1);
    respond(e, next_poll(e), stands("working", ",'statusMessage':'half'"));
    CHECK(seen.count == 2);
    CHECK_STRING(seen.last, "working half");
    end_free(e);
}

static void a_plain_result_stays_one(void) {
    is_core = false;
    end *const e = client_with(MODERN, MODERN, plain_options);
    open_client_as(e, EXTENDED);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    const char *const line = heard(e);
    CHECK_HAS(line, "'extensions':{'io.modelcontextprotocol/tasks':{}}");
    respond(e, id_in(line), result_of_call());
    CHECK(e->out.count == 1 && e->out.status == MCPW_OK && seen.count == 0);
    end_free(e);
}

/* A caller of the older revision follows a task of the newer one. */
static void the_result_is_in_the_revision_of_the_caller(void) {
    is_core = false;
    end *const e = client_with(MODERN, HANDSHAKE, plain_options);
    open_client_as(e, EXTENDED);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    respond(e, hear(e, "tools/call"), created("working"));
    respond(e, next_poll(e), stands("completed", ",'result':{" CONTENT "}"));
    CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
    CHECK_STRING(e->out.text, q("{" CONTENT "}"));
    end_free(e);
}

static void progress_goes_on_while_the_task_does(void) {
    const mcpw_call how = {.on_progress = end_on_progress};
    is_core = true;
    end *const e = client_with(HANDSHAKE, MODERN, plain_options);
    open_client_as(e, HAS_TASKS);
    CHECK(call_with(e, "tools/call", "'name':'t'", &how) == MCPW_OK);
    list_tools(e, "required");
    respond(e, hear(e, "tools/call"), created("working"));
    say(e,
        fmt("{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':%ld,'progress':1}}",
            (long)e->number));
    CHECK(e->progressed == 1);
    end_free(e);
}

/* ---- Whether a call asks for a task (2025-11-25) ---- */

static bool asks(const char *capabilities, const char *support, mcpw_switch if_optional) {
    mcpw_client_tasks_options options = plain_options;
    options.ask_if_optional = if_optional;
    options.ttl_ms = 5000;
    is_core = true;
    end *const e = client_with(HANDSHAKE, MODERN, options);
    open_client_as(e, capabilities);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    const char *line = heard(e);
    if (has(line, "'tools/list'")) {
        respond(e, id_in(line), fmt("{'tools':[{'name':'t','inputSchema':{'type':'object'}%s}]}", support));
        line = heard(e);
    }
    CHECK_HAS(line, "'method':'tools/call'");
    const bool asked = has(line, "'task':{'ttl':5000}");
    CHECK(asked || !has(line, "'task'"));
    respond(e, id_in(line), asked ? created("working") : result_of_call());
    CHECK(e->out.count == (asked ? 0 : 1));
    end_free(e);
    return asked;
}

static void a_call_asks_for_a_task_where_server_and_tool_allow_it(void) {
    CHECK(asks(HAS_TASKS, ",'execution':{'taskSupport':'required'}", MCPW_ON));
    CHECK(asks(HAS_TASKS, ",'execution':{'taskSupport':'optional'}", MCPW_ON));
    CHECK(!asks(HAS_TASKS, ",'execution':{'taskSupport':'forbidden'}", MCPW_ON));
    CHECK(!asks(HAS_TASKS, "", MCPW_ON));
    CHECK(!asks("{'tools':{}}", ",'execution':{'taskSupport':'required'}", MCPW_ON));
    CHECK(!asks("{'tools':{},'tasks':{}}", ",'execution':{'taskSupport':'required'}", MCPW_ON));
}

static void an_optional_task_is_asked_for_unless_the_program_does_not_want_it(void) {
    CHECK(asks(HAS_TASKS, ",'execution':{'taskSupport':'required'}", MCPW_OFF));
    CHECK(!asks(HAS_TASKS, ",'execution':{'taskSupport':'optional'}", MCPW_OFF));
}

static void a_tool_is_looked_for_page_by_page_and_once(void) {
    is_core = true;
    end *const e = client_with(HANDSHAKE, MODERN, plain_options);
    open_client_as(e, HAS_TASKS);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    respond(e, hear(e, "tools/list"),
            "{'tools':[{'name':'u','inputSchema':{'type':'object'}}],'nextCursor':'2'}");
    const char *const line = heard(e);
    CHECK_HAS(line, "'cursor':'2'");
    respond(
        e, id_in(line),
        "{'tools':[{'name':'t','inputSchema':{'type':'object'},'execution':{'taskSupport':'required'}}]}");
    CHECK_HAS(heard(e), "'task':{}");
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    CHECK_HAS(heard(e), "'task':{}");
    end_free(e);
}

static void a_list_without_end_does_not_hold_a_call_up(void) {
    enum { PAGES = 100 };
    int pages = 0;
    is_core = true;
    end *const e = client_with(HANDSHAKE, MODERN, plain_options);
    open_client_as(e, HAS_TASKS);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    const char *line = heard(e);
    while (has(line, "'tools/list'") && pages <= PAGES) {
        pages++;
        respond(e, id_in(line), "{'tools':[],'nextCursor':'again'}");
        line = heard(e);
    }
    CHECK(pages == PAGES);
    CHECK_HAS(line, "'method':'tools/call'");
    end_free(e);
}

/* ---- Times ---- */

/* The ms that a client waits after an answer with this interval. */
static uint64_t waited(const char *interval) {
    const uint64_t step = 100;
    uint64_t ms = 0;
    is_core = false;
    end *const e = client_with(MODERN, MODERN, plain_options);
    open_client_as(e, EXTENDED);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    respond(e, hear(e, "tools/call"),
            fmt("{'resultType':'task','taskId':'t1','status':'working'," TIMES ",'ttlMs':null%s}", interval));
    while (!has(heard(e), "tasks/get") && ms < LONG) {
        ms += step;
        wait_ms(e, step);
    }
    end_free(e);
    return ms;
}

static void the_interval_of_the_server_counts_within_limits(void) {
    CHECK(waited(",'pollIntervalMs':3000") == 3000);
    CHECK(waited("") == 1000);
    CHECK(waited(",'pollIntervalMs':0") == 1000);
    CHECK(waited(",'pollIntervalMs':-5") == 1000);
    CHECK(waited(",'pollIntervalMs':1") == 200);
    CHECK(waited(",'pollIntervalMs':1e18") == 60000);
    CHECK(waited(",'pollIntervalMs':1e999") == 1000 || waited(",'pollIntervalMs':1e300") == 60000);
    CHECK(waited(",'pollIntervalMs':'soon'") == 1000);
}

static void an_interval_may_change(void) {
    end *const e = with_task(false, plain_options);
    respond(e, next_poll(e),
            "{'resultType':'complete','taskId':'t1','status':'working'," TIMES
            ",'ttlMs':60000,'pollIntervalMs':2000}");
    wait_ms(e, 1900);
    EXPECT(e, "");
    wait_ms(e, 100);
    CHECK(hear(e, "tasks/get") != 0);
    end_free(e);
}

static void a_call_ends_at_its_deadline_and_cancels_the_task(void) {
    for (int core = 0; core < 2; core++) {
        mcpw_client_tasks_options options = plain_options;
        options.deadline_ms = INTERVAL * 2;
        end *const e = with_task(core != 0, options);
        respond(e, next_poll(e), stands("working", ""));
        wait_ms(e, INTERVAL);
        CHECK_HAS(heard(e), "'method':'tasks/cancel'");
        EXPECT(e, "");
        CHECK(e->out.count == 1 && e->out.status == MCPW_E_TIMEOUT);
        CHECK_STRING(e->out.why, ": the task has not ended in time, and was cancelled");
        end_free(e);
    }
}

static void a_task_is_not_followed_beyond_its_time_to_live(void) {
    end *const e = with_task(false, plain_options);
    int polls = 0;
    for (int i = 0; i < 1000 && e->out.count == 0; i++) {
        respond(e, next_poll(e), stands("working", ""));
        polls++;
    }
    CHECK(polls == 60000 / INTERVAL);
    CHECK(e->out.status == MCPW_E_TIMEOUT);
    CHECK_STRING(e->out.why, ": the time to live of the task is over");
    end_free(e);
}

static void a_time_to_live_in_the_past_ends_it_after_one_question(void) {
    static const char *const ttls[] = {"0", "-7", "-1e300"};
    for (size_t i = 0; i < sizeof ttls / sizeof *ttls; i++) {
        is_core = false;
        end *const e = client_with(MODERN, MODERN, plain_options);
        char state[HARNESS_TEXT]; /* of its own: those of fmt are used again */
        (void)snprintf(state, sizeof state,
                       "'taskId':'t1','status':'working'," TIMES ",'ttlMs':%s,'pollIntervalMs':500", ttls[i]);
        open_client_as(e, EXTENDED);
        CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
        respond(e, hear(e, "tools/call"), fmt("{'resultType':'task',%s}", state));
        respond(e, next_poll(e), fmt("{'resultType':'complete',%s}", state));
        CHECK(e->out.count == 1 && e->out.status == MCPW_E_TIMEOUT);
        CHECK_STRING(e->out.why, ": the time to live of the task is over");
        end_free(e);
    }
}

static void a_few_questions_may_go_unanswered(void) {
    end *const e = with_task(false, plain_options);
    for (int i = 0; i < 2; i++) {
        CHECK(next_poll(e) != 0);
        wait_ms(e, 60000);
        CHECK_HAS(heard(e), "'method':'notifications/cancelled'");
    }
    respond(e, next_poll(e), stands("working", ""));
    CHECK(e->out.count == 0 || e->out.status == MCPW_E_TIMEOUT);
    end_free(e);
}

static void a_server_that_is_silent_ends_it(void) {
    mcpw_client_tasks_options options = plain_options;
    is_core = false;
    end *const e = client_with(MODERN, MODERN, options);
    open_client_as(e, EXTENDED);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    respond(e, hear(e, "tools/call"),
            "{'resultType':'task','taskId':'t1','status':'working'," TIMES ",'ttlMs':null}");
    for (int i = 0; i < 3 && e->out.count == 0; i++) {
        wait_ms(e, 1000);
        CHECK(hear(e, "tasks/get") != 0);
        wait_ms(e, 60000);
        CHECK_HAS(heard(e), "'method':'notifications/cancelled'");
    }
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_TIMEOUT);
    end_free(e);
}

#define STORE_FAILED "{'jsonrpc':'2.0','id':%ld,'error':{'code':-32603,'message':'no store'}}"

static void a_server_whose_store_fails_is_asked_again(void) {
    for (int core = 0; core < 2; core++) {
        end *const e = with_task(core != 0, plain_options);
        for (int i = 0; i < 9; i++) {
            say(e, fmt(STORE_FAILED, next_poll(e)));
            CHECK(e->out.count == 0);
        }
        respond(e, next_poll(e), stands("working", "")); /* then its patience is as before */
        for (int i = 0; i < 9; i++) {
            say(e, fmt(STORE_FAILED, next_poll(e)));
            CHECK(e->out.count == 0);
        }
        say(e, fmt(STORE_FAILED, next_poll(e)));
        CHECK(e->out.count == 1 && e->out.status == MCPW_E_REMOTE && e->out.code == -32603);
        end_free(e);
    }
}

/* ---- Ends ---- */

static void a_failed_task_is_the_error_of_the_call(void) {
    end *const e = with_task(false, plain_options);
    respond(e, next_poll(e), stands("failed", ",'error':{'code':-7,'message':'broken','data':[1]}"));
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_REMOTE && e->out.code == -7);
    CHECK_STRING(e->out.why, ": the peer answered -7: broken");
    CHECK_STRING(e->out.text, "[1]");
    end_free(e);
}

static void a_failed_task_of_the_core_has_its_error_in_its_result(void) {
    end *const e = with_task(true, plain_options);
    respond(e, next_poll(e), stands("failed", ""));
    const long id = hear(e, "tasks/result");
    say(e, fmt("{'jsonrpc':'2.0','id':%ld,'error':{'code':-7,'message':'broken'}}", id));
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_REMOTE && e->out.code == -7);
    end_free(e);
}

static void a_task_that_the_server_cancels_is_a_cancelled_call(void) {
    for (int core = 0; core < 2; core++) {
        end *const e = with_task(core != 0, plain_options);
        respond(e, next_poll(e), stands("cancelled", ""));
        CHECK(e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
        CHECK_STRING(e->out.why, ": the task was cancelled");
        EXPECT(e, "");
        end_free(e);
    }
}

static void cancelling_a_call_cancels_its_task(void) {
    for (int core = 0; core < 2; core++) {
        end *const e = with_task(core != 0, plain_options);
        CHECK(mcpw_session_cancel(e->session, e->number, "enough") == MCPW_OK);
        CHECK(e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
        const char *const line = heard(e);
        CHECK_HAS(line, "'method':'tasks/cancel'");
        CHECK_HAS(line, "'taskId':'t1'");
        EXPECT(e, "");
        wait_ms(e, LONG);
        CHECK(!has(heard(e), "tasks/get"));
        end_free(e);
    }
}

static void a_call_that_is_no_task_yet_is_cancelled_as_a_request(void) {
    is_core = false;
    end *const e = client_with(MODERN, MODERN, plain_options);
    open_client_as(e, EXTENDED);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    CHECK(hear(e, "tools/call") != 0);
    CHECK(mcpw_session_cancel(e->session, e->number, "enough") == MCPW_OK);
    CHECK_HAS(heard(e), "'method':'notifications/cancelled'");
    end_free(e);
}

static void closing_ends_what_waits_for_tasks(void) {
    end *const e = with_task(false, plain_options);
    mcpw_session_close(e->session);
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_CLOSED);
    end_free(e);
}

static void a_task_that_the_server_forgot_is_its_error(void) {
    end *const e = with_task(false, plain_options);
    const long id = next_poll(e);
    say(e, fmt("{'jsonrpc':'2.0','id':%ld,'error':{'code':-32602,'message':'no such task'}}", id));
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_REMOTE && e->out.code == -32602);
    EXPECT(e, "");
    end_free(e);
}

/* ---- Servers that say what cannot be ---- */

/* The outcome of a call that is answered by this, and whose task then stands so. */
static void expect_end(const char *first, const char *then, mcpw_status status, const char *why) {
    is_core = false;
    end *const e = client_with(MODERN, MODERN, plain_options);
    open_client_as(e, EXTENDED);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    respond(e, hear(e, "tools/call"), first);
    if (e->out.count == 0) {
        wait_ms(e, 1000);
        respond(e, hear(e, "tasks/get"), then);
    }
    CHECK(e->out.count == 1 && e->out.status == status);
    CHECK_STRING(e->out.why, why);
    wait_ms(e, LONG);
    EXPECT(e, "");
    end_free(e);
}

#define NEW(more) "{'resultType':'task'," more TIMES ",'ttlMs':null}"
#define THEN(more) "{'resultType':'complete'," more TIMES ",'ttlMs':null}"
#define GOOD NEW("'taskId':'t1','status':'working',")

static void what_cannot_be_ends_a_call_with_one_clear_text(void) {
    expect_end(NEW("'status':'working',"), "", MCPW_E_MISSING, ": the server's task has no taskId");
    expect_end(NEW("'taskId':'','status':'working',"), "", MCPW_E_MISSING,
               ": the server's task has no taskId");
    expect_end(NEW("'taskId':7,'status':'working',"), "", MCPW_E_MISSING,
               ": the server's task has no taskId");
    expect_end(NEW("'taskId':'t1',"), "", MCPW_E_MISSING, ": the server's task has no status");
    expect_end(NEW("'taskId':'t1','status':'asleep',"), "", MCPW_E_VALUE,
               ": the server's task has an unknown status");
    expect_end(GOOD, THEN("'taskId':'t2','status':'working',"), MCPW_E_VALUE,
               ": the server answered about another task");
    expect_end(GOOD, THEN("'taskId':'t1','status':'completed',"), MCPW_E_MISSING,
               ": the server's task is completed, and it has no result");
    expect_end(GOOD, THEN("'taskId':'t1','status':'failed',"), MCPW_E_MISSING,
               ": the server's task has failed, and it has no error");
    expect_end(GOOD, THEN("'taskId':'t1','status':'completed','result':{'content':7},"), MCPW_E_TYPE,
               "/content: expected array, got number");
}

static void a_final_status_stays(void) {
    expect_end(NEW("'taskId':'t1','status':'completed',"), THEN("'taskId':'t1','status':'working',"),
               MCPW_E_MESSAGE, ": the server's task was completed, which is final, and now it is working");
}

static void an_id_without_end_is_refused(void) {
    enum { SIZE = 5000 };
    static char id[SIZE + 1];
    memset(id, 'x', SIZE);
    expect_end(fmt("{'resultType':'task','taskId':'%s','status':'working'," TIMES ",'ttlMs':null}", id), "",
               MCPW_E_SIZE, ": the server's taskId has more than 4096 bytes");
}

static void a_remark_without_end_is_cut(void) {
    enum { SIZE = 5000, KEPT = 1024 };
    static char remark[SIZE + 1];
    end *const e = with_task(false, plain_options);
    for (size_t i = 0; i < SIZE; i += 3) {
        memcpy(remark + i, "\xe2\x82\xac", SIZE - i < 3 ? 0 : 3);
    }
    remark[SIZE - SIZE % 3] = '\0';
    respond(e, next_poll(e), stands("working", fmt(",'statusMessage':'%s'", remark)));
    CHECK(seen.count == 2 && strlen(seen.last) < KEPT + sizeof "working ");
    CHECK(seen.remark == KEPT - KEPT % 3); /* whole characters */
    end_free(e);
}

static void a_task_without_a_time_to_live_is_refused_unless_faults_are_mended(void) {
    for (int lenient = 0; lenient < 2; lenient++) {
        is_core = true;
        end *const e = client_with(HANDSHAKE, MODERN, plain_options);
        e->config.lenient = lenient != 0;
        open_client_as(e, HAS_TASKS);
        CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
        list_tools(e, "required");
        respond(e, hear(e, "tools/call"), "{'task':{'taskId':'t1','status':'working'," TIMES "}}");
        CHECK(e->diagnostics[MCPW_DIAGNOSTIC_TOLERATED] == lenient);
        if (lenient) {
            wait_ms(e, 1000);
            respond(e, hear(e, "tasks/get"), "{'taskId':'t1','status':'completed'," TIMES "}");
            CHECK(e->diagnostics[MCPW_DIAGNOSTIC_TOLERATED] == 2);
            respond(e, hear(e, "tasks/result"), result_of_call());
            CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
        } else {
            CHECK(e->out.count == 1 && e->out.status == MCPW_E_MISSING);
            CHECK_STRING(e->out.why, "/result/task: missing required member \"ttl\"");
        }
        end_free(e);
    }
}

static void a_task_in_place_of_another_result_is_refused(void) {
    end *const e = client_with(MODERN, MODERN, plain_options);
    open_client_as(e, EXTENDED);
    CHECK(call(e, "tools/list", "") == MCPW_OK);
    respond(e, hear(e, "tools/list"), GOOD);
    CHECK(e->out.count == 1 && e->out.status != MCPW_OK);
    CHECK_HAS(e->out.why, "resultType");
    EXPECT(e, "");
    end_free(e);
}

/* ---- Input ---- */

#define ASKS(key)                                                                                            \
    "'" key "':{'method':'elicitation/create','params':{'mode':'form','message':'sure?','requestedSchema':"  \
    "{'type':'object','properties':{}}}}"

static mcpw_status accept_form(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{'action':'accept','content':{}}");
}

static end *asked(end_handler run) {
    is_core = false;
    end *const e = client_with(MODERN, MODERN, plain_options);
    end_serve(e, "elicitation/create", run);
    open_client_as(e, EXTENDED);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    respond(e, hear(e, "tools/call"), created("working"));
    return e;
}

static void input_requests_are_answered_once_by_the_ordinary_handlers(void) {
    end *const e = asked(accept_form);
    respond(e, next_poll(e), stands("input_required", ",'inputRequests':{" ASKS("a") "}"));
    CHECK(e->runs == 1);
    const char *line = heard(e);
    CHECK_HAS(line, "'method':'tasks/update'");
    CHECK_HAS(line, "'inputResponses':{'a':{");
    CHECK_HAS(line, "'action':'accept'");
    respond(e, id_in(line), "{'resultType':'complete'}");
    respond(e, hear(e, "tasks/get"), stands("input_required", ",'inputRequests':{" ASKS("a") "}"));
    CHECK(e->runs == 1);
    respond(e, next_poll(e), stands("input_required", ",'inputRequests':{" ASKS("a") "," ASKS("b") "}"));
    CHECK(e->runs == 2);
    line = heard(e);
    CHECK_HAS(line, "'inputResponses':{'b':{");
    respond(e, id_in(line), "{'resultType':'complete'}");
    respond(e, hear(e, "tasks/get"), stands("completed", fmt(",'result':%s", result_of_call())));
    CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
    end_free(e);
}

static mcpw_status refuse_form(end *e, mcpw_request *request, const void *params) {
    static const mcpw_json nothing = {NULL, 0, 0};
    (void)e;
    (void)params;
    return mcpw_respond_error(request, -1, "not now", nothing);
}

static void a_handler_that_refuses_cancels_the_task(void) {
    end *const e = asked(refuse_form);
    respond(e, next_poll(e), stands("input_required", ",'inputRequests':{" ASKS("a") "}"));
    CHECK_HAS(heard(e), "'method':'tasks/cancel'");
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
    CHECK_HAS(e->out.why, "input request 'a' was refused: not now");
    end_free(e);
}

static void a_question_is_dropped_when_the_task_ends_meanwhile(void) {
    end *const e = asked(keep);
    respond(e, next_poll(e), stands("input_required", ",'inputRequests':{" ASKS("a") "}"));
    CHECK(e->kept != NULL && e->cancels == 0);
    respond(e, next_poll(e), stands("cancelled", ""));
    CHECK(e->cancels == 1 && e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
    EXPECT(e, "");
    end_free(e);
}

static void a_server_that_asks_for_ever_is_given_up(void) {
    end *const e = asked(accept_form);
    int asked_for = 0;
    long id = next_poll(e);
    while (e->out.count == 0 && asked_for < 1000) {
        char key[20];
        (void)snprintf(key, sizeof key, "k%d", asked_for++);
        respond(e, id,
                stands("input_required",
                       fmt(",'inputRequests':{'%s':{'method':'elicitation/create','params':{'mode':'form',"
                           "'message':'m','requestedSchema':{'type':'object','properties':{}}}}}",
                           key)));
        if (e->out.count == 0) {
            respond(e, hear(e, "tasks/update"), "{'resultType':'complete'}");
            id = hear(e, "tasks/get");
        }
    }
    CHECK(asked_for == 65 && e->runs == 64);
    CHECK(e->out.status == MCPW_E_SIZE);
    CHECK_STRING(e->out.why, ": the server asks for input again and again");
    CHECK_HAS(heard(e), "'method':'tasks/cancel'");
    end_free(e);
}

static void a_key_without_end_is_refused(void) {
    enum { SIZE = 2000 };
    static char key[SIZE + 1];
    memset(key, 'k', SIZE);
    end *const e = asked(accept_form);
    respond(e, next_poll(e),
            stands("input_required", fmt(",'inputRequests':{'%s':{'method':'roots/list'}}", key)));
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_SIZE && e->runs == 0);
    CHECK_STRING(e->out.why, ": the server's input request has a key that is too long");
    end_free(e);
}

/* 2025-11-25: the server sends real requests while tasks/result waits. */
static void a_task_of_the_core_asks_by_requests_while_its_result_waits(void) {
    is_core = true;
    end *const e = client_with(HANDSHAKE, MODERN, plain_options);
    end_serve(e, "elicitation/create", accept_form);
    open_client_as(e, HAS_TASKS);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    list_tools(e, "optional");
    respond(e, hear(e, "tools/call"), created("working"));
    respond(e, next_poll(e), stands("input_required", ""));
    const long result = hear(e, "tasks/result");
    say(e, "{'jsonrpc':'2.0','id':'q','method':'elicitation/create','params':{'message':'sure?',"
           "'requestedSchema':{'type':'object','properties':{}},"
           "'_meta':{'io.modelcontextprotocol/related-task':{'taskId':'t1'}}}}");
    CHECK_HAS(heard(e), "'id':'q','result'");
    CHECK(e->runs == 1);
    respond(e, next_poll(e), stands("input_required", ""));
    EXPECT(e, "");
    respond(e, result, result_of_call());
    CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
    end_free(e);
}

/* ---- Notifications ---- */

static void a_notification_is_as_good_as_an_answer(void) {
    for (int core = 0; core < 2; core++) {
        end *const e = with_task(core != 0, plain_options);
        say(e, fmt("{'jsonrpc':'2.0','method':'notifications/tasks%s','params':{%s}}", core ? "/status" : "",
                   task("completed", core ? "" : fmt(",'result':%s", result_of_call()))));
        if (core) {
            respond(e, hear(e, "tasks/result"), result_of_call());
        }
        CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
        wait_ms(e, LONG);
        EXPECT(e, "");
        end_free(e);
    }
}

/* Over HTTP the two come on streams of their own. */
static void an_answer_that_a_notification_has_overtaken_says_nothing(void) {
    end *const e = with_task(true, plain_options);
    const long id = next_poll(e);
    say(e,
        fmt("{'jsonrpc':'2.0','method':'notifications/tasks/status','params':{%s}}", task("completed", "")));
    const long result = hear(e, "tasks/result");
    respond(e, id, stands("working", ""));
    say(e, fmt("{'jsonrpc':'2.0','method':'notifications/tasks/status','params':{%s}}", task("working", "")));
    CHECK(e->out.count == 0);
    respond(e, result, result_of_call());
    CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
    end_free(e);
}

static void a_notification_about_another_task_changes_nothing(void) {
    end *const e = with_task(false, plain_options);
    say(e,
        "{'jsonrpc':'2.0','method':'notifications/tasks','params':{'taskId':'t2','status':'cancelled'," TIMES
        ",'ttlMs':null}}");
    say(e, "{'jsonrpc':'2.0','method':'notifications/tasks','params':{'taskId':7}}");
    CHECK(e->out.count == 0 && seen.count == 1);
    end_free(e);
}

static void a_task_that_takes_a_while_is_subscribed_to(void) {
    mcpw_client_tasks_options options = plain_options;
    options.listen = MCPW_ON;
    end *const e = with_task(false, options);
    respond(e, next_poll(e), stands("working", ""));
    const char *const line = heard(e);
    CHECK_HAS(line, "'method':'subscriptions/listen'");
    CHECK_HAS(line, "'notifications':{'taskIds':['t1']}");
    respond(e, next_poll(e), stands("completed", fmt(",'result':%s", result_of_call())));
    CHECK(e->out.count == 1);
    CHECK_HAS(heard(e), "'method':'notifications/cancelled'");
    end_free(e);
}

static void a_task_is_subscribed_to_once(void) {
    mcpw_client_tasks_options options = plain_options;
    options.listen = MCPW_ON;
    end *const e = with_task(false, options);
    respond(e, next_poll(e), stands("working", ""));
    (void)hear(e, "subscriptions/listen");
    say(e, fmt("{'jsonrpc':'2.0','method':'notifications/tasks','params':{%s}}", task("working", "")));
    CHECK_STRING(heard(e), "");
    CHECK(e->out.count == 0);
    end_free(e);
}

static void options_are_checked(void) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_client_tasks_options options = MCPW_CLIENT_TASKS_INIT;
    mcpw_error error = {0};
    options.min_interval_ms = 70000;
    CHECK(mcpw_client_add_tasks(&config, &options, &error) == MCPW_E_ARGUMENT);
    CHECK_STRING(error.message, "min_interval_ms is greater than max_interval_ms");
    CHECK(mcpw_client_add_tasks(&config, NULL, &error) == MCPW_OK);
    CHECK(mcpw_client_add_tasks(&config, NULL, &error) == MCPW_E_DUPLICATE);
    mcpw_extensions_free(config.extensions);
}

int main(void) {
    RUN(a_call_ends_with_the_result_of_its_task);
    RUN(a_status_is_reported_when_it_changes);
    RUN(a_plain_result_stays_one);
    RUN(the_result_is_in_the_revision_of_the_caller);
    RUN(progress_goes_on_while_the_task_does);
    RUN(a_call_asks_for_a_task_where_server_and_tool_allow_it);
    RUN(an_optional_task_is_asked_for_unless_the_program_does_not_want_it);
    RUN(a_tool_is_looked_for_page_by_page_and_once);
    RUN(a_list_without_end_does_not_hold_a_call_up);
    RUN(the_interval_of_the_server_counts_within_limits);
    RUN(an_interval_may_change);
    RUN(a_call_ends_at_its_deadline_and_cancels_the_task);
    RUN(a_task_is_not_followed_beyond_its_time_to_live);
    RUN(a_time_to_live_in_the_past_ends_it_after_one_question);
    RUN(a_few_questions_may_go_unanswered);
    RUN(a_server_that_is_silent_ends_it);
    RUN(a_server_whose_store_fails_is_asked_again);
    RUN(a_failed_task_is_the_error_of_the_call);
    RUN(a_failed_task_of_the_core_has_its_error_in_its_result);
    RUN(a_task_that_the_server_cancels_is_a_cancelled_call);
    RUN(cancelling_a_call_cancels_its_task);
    RUN(a_call_that_is_no_task_yet_is_cancelled_as_a_request);
    RUN(closing_ends_what_waits_for_tasks);
    RUN(a_task_that_the_server_forgot_is_its_error);
    RUN(what_cannot_be_ends_a_call_with_one_clear_text);
    RUN(a_final_status_stays);
    RUN(an_id_without_end_is_refused);
    RUN(a_remark_without_end_is_cut);
    RUN(a_task_without_a_time_to_live_is_refused_unless_faults_are_mended);
    RUN(a_task_in_place_of_another_result_is_refused);
    RUN(input_requests_are_answered_once_by_the_ordinary_handlers);
    RUN(a_handler_that_refuses_cancels_the_task);
    RUN(a_question_is_dropped_when_the_task_ends_meanwhile);
    RUN(a_server_that_asks_for_ever_is_given_up);
    RUN(a_key_without_end_is_refused);
    RUN(a_task_of_the_core_asks_by_requests_while_its_result_waits);
    RUN(a_notification_is_as_good_as_an_answer);
    RUN(an_answer_that_a_notification_has_overtaken_says_nothing);
    RUN(a_notification_about_another_task_changes_nothing);
    RUN(a_task_that_takes_a_while_is_subscribed_to);
    RUN(a_task_is_subscribed_to_once);
    RUN(options_are_checked);
    return check_end();
}
