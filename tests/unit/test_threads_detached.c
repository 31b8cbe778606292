/* SPDX-License-Identifier: MIT */
/* Requests that a handler hands to a thread of the program's: answered, asked, cancelled from there. */
#include "thread_stage.h"

#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>
#include <mcpw/detail/session.h>

static mcpw_status respond(const job *j, const char *text) {
    return mcpw_respond_text(j->request, mcpw_str_from(text));
}

/* ---- Answers ---- */

static void *answer_work(void *argument) {
    const job *const j = argument;
    (void)poll(NULL, 0, 5);
    (void)!mcpw_request_return(j->request, respond(j, "from a thread"));
    return NULL;
}

static mcpw_status answer_later(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    return stage_hand_over(request, call, user, answer_work);
}

static stage *stage_with(const char *name,
                         mcpw_status (*call)(mcpw_request *, const mcpw_tool_call *, void *)) {
    stage *const s = stage_new();
    stage_tool(s, name, call);
    stage_begin(s);
    stage_open(s);
    return s;
}

static void an_answer_of_a_thread_leaves(void) {
    stage *const s = stage_with("t", answer_later);
    for (int i = 0; i < 10; i++) {
        stage_call(s, i, "t");
    }
    AWAIT_TIMES(s, "'text':'from a thread'", 10);
    CHECK(s->diagnostics == 0 && !mcpw_session_is_busy(s->session));
    stage_free(s);
}

/* Every kind of answer gives its exact status to the thread. */
static void *statuses_work(void *argument) {
    const job *const j = argument;
    const mcpw_json broken = MCPW_JSON("{]");
    mcpw_error error = {0};
    stage *const s = j->s;
    s->last_status = mcpw_respond_json(j->request, broken, &error);
    s->turns += mcpw_respond_tool_error(j->request, "no") == MCPW_OK ? 10 : 0;
    s->turns += respond(j, "twice") == MCPW_E_STATE ? 100 : 0;
    (void)!mcpw_request_return(j->request, MCPW_OK);
    return NULL;
}

static mcpw_status statuses(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    return stage_hand_over(request, call, user, statuses_work);
}

static void a_thread_gets_the_exact_status(void) {
    stage *const s = stage_with("t", statuses);
    stage_call(s, 1, "t");
    AWAIT(s, "'isError':true");
    while (mcpw_session_is_busy(s->session)) {
        (void)stage_step(s);
    }
    mcpw_io_end(&s->io);
    mcpw_session_free(s->session); /* waits for the thread */
    s->session = NULL;
    CHECK(s->turns == 111 && s->diagnostics == 1);
    stage_free(s);
}

static void *fail_work(void *argument) {
    const job *const j = argument;
    (void)!mcpw_request_return(j->request, MCPW_E_IO);
    return NULL;
}

static mcpw_status fail_later(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    return stage_hand_over(request, call, user, fail_work);
}

static void an_error_that_a_thread_returns_is_answered(void) {
    stage *const s = stage_with("t", fail_later);
    stage_call(s, 1, "t");
    AWAIT(s, "'error':{'code':-32603,'message':'Internal error: input or output failed'");
    stage_free(s);
}

static mcpw_status changes_its_mind(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    CHECK(mcpw_request_detach(request) == MCPW_OK);
    CHECK(mcpw_request_detach(request) == MCPW_E_STATE);
    return MCPW_E_FULL;
}

static mcpw_status returns_itself(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    CHECK(mcpw_request_detach(request) == MCPW_OK);
    CHECK(mcpw_respond_text(request, mcpw_str_from("myself")) == MCPW_OK);
    CHECK(mcpw_request_return(request, MCPW_OK) == MCPW_OK);
    CHECK(mcpw_request_return(request, MCPW_OK) == MCPW_E_STATE);
    return MCPW_OK;
}

static void a_handler_may_take_its_request_back(void) {
    stage *const s = stage_with("t", changes_its_mind);
    stage_tool(s, "u", returns_itself);
    stage_call(s, 1, "t");
    AWAIT(s, "'message':'Internal error: too much output waits to be sent'");
    stage_call(s, 2, "u");
    AWAIT(s, "'text':'myself'");
    CHECK(mcpw_session_is_busy(s->session) == false);
    stage_free(s);
}

/* ---- Progress, log messages, input requests ---- */

static void *busy_work(void *argument) {
    const job *const j = argument;
    const mcpw_json data = MCPW_JSON("\"working\"");
    mcpw_status status = mcpw_request_log(j->request, MCPW_LOG_WARNING, "worker", data);
    CHECK(mcpw_request_resume(j->request) == MCPW_E_STATE); /* it runs here */
    for (int i = 1; i <= 3 && status == MCPW_OK; i++) {
        status = mcpw_request_progress(j->request, i, 3, "on");
    }
    status = status == MCPW_OK ? respond(j, "done") : status;
    (void)!mcpw_request_return(j->request, status);
    return NULL;
}

static mcpw_status be_busy(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    return stage_hand_over(request, call, user, busy_work);
}

static void a_thread_logs_and_tells_progress(void) {
    stage *const s = stage_with("t", be_busy);
    stage_call(s, 7, "t");
    AWAIT(s, "'text':'done'");
    CHECK(stage_count(s, "'method':'notifications/message'") == 1);
    CHECK(stage_count(s, "'progressToken':7") == 3);
    CHECK(strstr(s->text, "\"progress\":3") < strstr(s->text, "\"text\":\"done\""));
    stage_free(s);
}

static mcpw_status ask_name(mcpw_request *request, const char *key,
                            const mcp_20251125_elicit_result **answer) {
    static const mcp_20251125_primitive_schema_definition_entry none = {0}; /* of which there are 0 */
    mcp_20251125_elicit_request_params params = {0};
    const mcpw_revision *const revision = mcpw_find_revision("2025-11-25");
    mcpw_result result = {NULL, NULL};
    params.kind = MCP_20251125_ELICIT_REQUEST_PARAMS_ELICIT_REQUEST_FORM_PARAMS;
    params.as.elicit_request_form_params.message = mcpw_str_from("name?");
    params.as.elicit_request_form_params.requested_schema.properties.items = &none;
    const mcpw_status status =
        mcpw_request_ask(request, key, revision, mcpw_method_number(revision, "elicitation/create", 18),
                         &params, &result, NULL);
    *answer = result.value;
    return status;
}

static atomic_bool asked;     /* the thread has asked */
static atomic_bool go_on_now; /* it may return */

static void *ask_work(void *argument) {
    const job *const j = argument;
    const mcp_20251125_elicit_result *answer = NULL;
    mcpw_status status = ask_name(j->request, "name", &answer);
    if (status == MCPW_PENDING &&
        j->n >= 100) { /* the answer comes while this thread still has the request */
        atomic_store(&asked, true);
        wait_for(&go_on_now);
    }
    if (status == MCPW_OK) {
        status = respond(j, answer->action == MCP_20251125_ELICIT_RESULT_ACTION_ACCEPT ? "accepted" : "not");
    }
    (void)!mcpw_request_return(j->request, status);
    return NULL;
}

static mcpw_status ask_later(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    return stage_hand_over(request, call, user, ask_work);
}

#define ACCEPTS(id) "{'jsonrpc':'2.0','id':" id ",'result':{'action':'accept','content':{}}}"

static void a_thread_asks_and_the_handler_runs_again(void) {
    stage *const s = stage_with("t", ask_later);
    stage_call(s, 1, "t");
    AWAIT(s, "'method':'elicitation/create'");
    stage_say(s, ACCEPTS("1"));
    AWAIT(s, "'text':'accepted'");
    CHECK(s->turns == 2 && s->diagnostics == 0);
    stage_free(s);
}

static void an_answer_that_comes_while_a_thread_works_is_kept(void) {
    stage *const s = stage_with("t", ask_later);
    atomic_store(&asked, false);
    atomic_store(&go_on_now, false);
    stage_call(s, 100, "t");
    AWAIT(s, "'method':'elicitation/create'");
    stage_await_flag(s, &asked);
    stage_say(s, ACCEPTS("1"));
    stage_say(s, "{'jsonrpc':'2.0','id':'p','method':'ping'}");
    AWAIT(s, "'id':'p'"); /* so the answer before it was taken */
    atomic_store(&go_on_now, true);
    AWAIT(s, "'text':'accepted'");
    CHECK(s->turns == 2 && s->diagnostics == 0);
    stage_free(s);
}

static void a_thread_asks_where_servers_make_no_requests(void) {
    stage *const s = stage_new();
    char line[STAGE_LINE];
    stage_tool(s, "t", ask_later);
    stage_begin(s);
    (void)snprintf(line, sizeof line,
                   "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{" MODERN_META ",'name':'t'}}",
                   "");
    stage_say(s, line);
    AWAIT(s, "'resultType':'input_required'");
    (void)snprintf(line, sizeof line,
                   "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{" MODERN_META
                   ",'name':'t','inputResponses':{'name':{'action':'accept','content':{}}}}}",
                   "");
    stage_say(s, line);
    AWAIT(s, "'text':'accepted'");
    stage_free(s);
}

/* ---- Cancellation and the end ---- */

/* The findings of a thread that works until it is told to stop. */
typedef struct found {
    atomic_bool begun;
    atomic_bool told; /* by on_cancel */
    atomic_bool ended;
    pthread_t told_on;
    mcpw_status progress;
    mcpw_status answered;
    mcpw_status logged;
    mcpw_status asked;
    int64_t argument; /* read after the end: the params are still there */
} found;

static void on_cancel(void *user, mcpw_request *request) {
    found *const f = user;
    f->told_on = pthread_self();
    atomic_store(&f->told, mcpw_request_is_cancelled(request));
}

static void *endless_work(void *argument) {
    const job *const j = argument;
    found *const f = j->s->user;
    const mcp_20251125_elicit_result *answer = NULL;
    const mcpw_json data = MCPW_JSON("1");
    mcpw_request_on_cancel(j->request, on_cancel, f);
    atomic_store(&f->begun, true);
    while (!mcpw_request_is_cancelled(j->request)) {
        (void)poll(NULL, 0, 1);
    }
    f->progress = mcpw_request_progress(j->request, 1, 2, NULL);
    f->logged = mcpw_request_log(j->request, MCPW_LOG_ERROR, NULL, data);
    f->asked = ask_name(j->request, "k", &answer);
    f->answered = respond(j, "too late");
    f->argument = j->n;
    (void)!mcpw_request_return(j->request, f->answered);
    atomic_store(&f->ended, true);
    return NULL;
}

static mcpw_status work_endlessly(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    return stage_hand_over(request, call, user, endless_work);
}

static void check_found(found *f, mcpw_status status) {
    CHECK(f->progress == status && f->logged == status && f->asked == status && f->answered == status);
    CHECK(f->argument == 5);
    CHECK(atomic_load(&f->told) && pthread_equal(f->told_on, pthread_self()));
}

static void a_cancelled_request_lives_until_its_thread_returns_it(void) {
    stage *const s = stage_with("t", work_endlessly);
    found f = {.begun = false};
    s->user = &f;
    stage_call(s, 5, "t");
    stage_await_flag(s, &f.begun);
    stage_cancel(s, 5);
    stage_await_flag(s, &f.ended);
    check_found(&f, MCPW_E_CANCELLED);
    CHECK(stage_count(s, "'id':5") == 0 && s->diagnostics == 0);
    stage_free(s);
}

static void *held_work(void *argument) {
    const job *const j = argument;
    wait_for(j->s->user);
    (void)!mcpw_request_return(j->request, respond(j, "from a thread"));
    return NULL;
}

static mcpw_status hold(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    return stage_hand_over(request, call, user, held_work);
}

static void cancelled_requests_that_threads_hold_count_for_the_limit(void) {
    enum { MOST = 3 };
    atomic_bool is_released = false;
    stage *const s = stage_new();
    s->user = &is_released;
    s->config.max_requests = MOST;
    stage_tool(s, "t", hold);
    stage_begin(s);
    stage_open(s);
    for (int i = 0; i < MOST; i++) {
        stage_call(s, i, "t");
        stage_cancel(s, i);
    }
    stage_call(s, MOST, "t");
    AWAIT(s, "too many requests in flight");
    CHECK(s->turns == MOST);
    atomic_store(&is_released, true);
    while (mcpw_session_detached(s->session) != 0) {
        (void)stage_step(s);
    }
    stage_call(s, MOST + 1, "t");
    AWAIT(s, "'text':'from a thread'");
    stage_free(s);
}

static void closing_wakes_threads(void) {
    stage *const s = stage_with("t", work_endlessly);
    found f = {.begun = false};
    s->user = &f;
    stage_call(s, 5, "t");
    stage_await_flag(s, &f.begun);
    mcpw_session_close(s->session);
    mcpw_io_end(&s->io);
    mcpw_session_free(s->session); /* runs what the thread calls, and waits for its end */
    s->session = NULL;
    wait_for(&f.ended);
    check_found(&f, MCPW_E_CLOSED);
    stage_free(s);
}

static void *close_peer_work(void *argument) {
    const job *const j = argument;
    (void)shutdown(j->s->peer, SHUT_WR);
    (void)poll(NULL, 0, 30); /* the end is seen meanwhile */
    (void)!mcpw_request_return(j->request, respond(j, "in time"));
    return NULL;
}

static mcpw_status close_peer(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    return stage_hand_over(request, call, user, close_peer_work);
}

static void a_thread_answers_after_the_end_of_input(void) {
    stage *const s = stage_with("t", close_peer);
    stage_call(s, 1, "t");
    CHECK(mcpw_io_run(&s->io, NULL, NULL, NULL) == MCPW_E_CLOSED);
    stage_hear(s);
    CHECK(stage_count(s, "'text':'in time'") == 1);
    stage_free(s);
}

static atomic_bool may_begin;

static void *late_work(void *argument) {
    const job *const j = argument;
    wait_for(&may_begin);
    return endless_work((void *)(uintptr_t)j);
}

static mcpw_status begin_late(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    return stage_hand_over(request, call, user, late_work);
}

static void on_cancel_that_is_set_too_late_is_called_at_once(void) {
    stage *const s = stage_with("t", begin_late);
    found f = {.begun = false};
    s->user = &f;
    atomic_store(&may_begin, false);
    stage_call(s, 5, "t");
    stage_cancel(s, 5);
    stage_say(s, "{'jsonrpc':'2.0','id':'p','method':'ping'}");
    AWAIT(s, "'id':'p'");
    atomic_store(&may_begin, true);
    stage_await_flag(s, &f.ended);
    check_found(&f, MCPW_E_CANCELLED);
    stage_free(s);
}

/* ---- Kept, and wrong ---- */

static void *keep_work(void *argument) {
    const job *const j = argument;
    (void)!mcpw_request_return(j->request, MCPW_OK); /* not answered: the session's thread keeps it */
    atomic_store(&asked, true);
    return NULL;
}

static mcpw_status keep_later(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    stage *const s = user;
    s->user = request;
    return stage_hand_over(request, call, s, keep_work);
}

static void a_request_that_comes_back_without_an_answer_is_kept(void) {
    stage *const s = stage_with("t", keep_later);
    atomic_store(&asked, false);
    stage_call(s, 1, "t");
    stage_await_flag(s, &asked);
    CHECK(mcpw_request_return(s->user, MCPW_OK) == MCPW_E_STATE);
    CHECK(mcpw_respond_text(s->user, mcpw_str_from("kept")) == MCPW_OK);
    AWAIT(s, "'text':'kept'");
    stage_free(s);
}

typedef struct misuse {
    stage *s;
    mcpw_request *request;
    mcpw_status answered;
    mcpw_status logged;
    mcpw_status requested;
    atomic_bool ended;
} misuse;

static void *misuse_work(void *argument) {
    misuse *const m = argument;
    const mcpw_json data = MCPW_JSON("1");
    const mcpw_revision *const revision = mcpw_find_revision("2025-11-25");
    m->answered = mcpw_respond_text(m->request, mcpw_str_from("lost?"));
    m->logged = mcpw_session_log(m->s->session, MCPW_LOG_ERROR, NULL, data);
    m->requested = mcpw_session_request(m->s->session, revision, mcpw_method_number(revision, "ping", 4),
                                        NULL, NULL, NULL, NULL, NULL, NULL);
    mcpw_session_close(m->s->session);
    atomic_store(&m->ended, true);
    return NULL;
}

static mcpw_status keep(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    stage *const s = user;
    (void)call;
    s->user = request;
    return MCPW_OK;
}

static void a_call_on_a_wrong_thread_is_told_and_does_nothing(void) {
    stage *const s = stage_new();
    mcpw_queue *const queue = mcpw_queue_new(NULL); /* whose thread this is, also between two steps */
    pthread_t thread;
    stage_tool(s, "t", keep);
    s->session = mcpw_session_new(&s->config, NULL);
    CHECK(s->session != NULL && mcpw_session_set_queue(s->session, queue) == MCPW_OK);
    CHECK(mcpw_session_set_queue(s->session, queue) == MCPW_E_STATE);
    CHECK(mcpw_io_begin(&s->io, s->session, s->here, s->here, NULL) == MCPW_OK);
    stage_open(s);
    stage_call(s, 1, "t");
    while (s->user == NULL) {
        (void)stage_step(s);
    }
    misuse m = {.s = s, .request = s->user};
    stage_start(&thread, misuse_work, &m);
    stage_await_flag(s, &m.ended);
    CHECK(pthread_join(thread, NULL) == 0);
    (void)stage_step(s);
    CHECK(m.answered == MCPW_E_THREAD && m.logged == MCPW_E_THREAD && m.requested == MCPW_E_THREAD);
    CHECK(s->diagnostics >= 1 && s->last_status == MCPW_E_THREAD && !mcpw_session_is_closed(s->session));
    CHECK(strstr(s->last_diagnostic, "was called on another thread") != NULL);
    CHECK(mcpw_respond_text(s->user, mcpw_str_from("here")) == MCPW_OK);
    AWAIT(s, "'text':'here'");
    CHECK(stage_count(s, "lost?") == 0);
    stage_free(s);
    mcpw_queue_free(queue);
}

static void detaching_wants_a_handler_and_a_queue(void) {
    stage *const s = stage_with("t", keep);
    stage_call(s, 1, "t");
    while (s->user == NULL) {
        (void)stage_step(s);
    }
    CHECK(mcpw_request_detach(s->user) == MCPW_E_STATE); /* its handler has returned */
    CHECK(!mcpw_request_is_cancelled(s->user));
    stage_free(s);
}

static mcpw_status detach_in_vain(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    stage *const s = user;
    (void)call;
    s->last_status = mcpw_request_detach(request);
    return mcpw_respond_text(request, mcpw_str_from("x"));
}

static void a_session_without_a_queue_detaches_nothing(void) {
    stage *const s = stage_new();
    const char *bytes = NULL;
    const char *const line =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}\n";
    char opens[STAGE_LINE];
    stage_tool(s, "t", detach_in_vain);
    s->session = mcpw_session_new(&s->config, NULL);
    (void)snprintf(opens, sizeof opens, "%s\n", LEGACY_OPENS);
    for (char *at = opens; *at != '\0'; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
    CHECK(mcpw_session_queue(s->session) == NULL);
    CHECK(mcpw_session_set_workers(s->session, NULL) == MCPW_E_STATE);
    CHECK(mcpw_session_feed(s->session, opens, strlen(opens)) == MCPW_OK);
    CHECK(mcpw_session_feed(s->session, line, strlen(line)) == MCPW_OK);
    CHECK(s->last_status == MCPW_E_STATE && mcpw_session_output(s->session, &bytes) != 0);
    stage_free(s);
}

/* ---- The queue ---- */

typedef struct posted {
    mcpw_queue *queue;
    int order[4];
    int count;
    mcpw_status late;
} posted;

typedef struct one_post {
    posted *p;
    int number;
} one_post;

static void run_posted(void *user) {
    const one_post *const one = user;
    one->p->order[one->p->count++] = one->number;
}

static one_post posts[4];

static void *post_work(void *argument) {
    posted *const p = argument;
    for (int i = 0; i < 4; i++) {
        posts[i] = (one_post){p, i};
        if (mcpw_queue_post(p->queue, run_posted, &posts[i]) != MCPW_OK) {
            abort();
        }
    }
    mcpw_queue_close(p->queue);
    p->late = mcpw_queue_post(p->queue, run_posted, &posts[0]);
    return NULL;
}

static void what_is_posted_runs_in_order_on_the_queues_thread(void) {
    posted p = {.queue = mcpw_queue_new(NULL)};
    struct pollfd fd = {mcpw_queue_fd(p.queue), POLLIN, 0};
    pthread_t thread;
    CHECK(poll(&fd, 1, 0) == 0);
    stage_start(&thread, post_work, &p);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(p.count == 0 && p.late == MCPW_E_CLOSED);
    CHECK(poll(&fd, 1, STAGE_PATIENCE) == 1);
    mcpw_queue_run(p.queue);
    CHECK(p.count == 4 && p.order[0] == 0 && p.order[1] == 1 && p.order[2] == 2 && p.order[3] == 3);
    CHECK(poll(&fd, 1, 0) == 0);
    mcpw_queue_free(p.queue);
}

static void what_was_posted_is_run_before_the_queue_ends(void) {
    posted p = {.queue = mcpw_queue_new(NULL)};
    posts[0] = (one_post){&p, 0};
    CHECK(mcpw_queue_post(p.queue, run_posted, &posts[0]) == MCPW_OK);
    mcpw_queue_free(p.queue);
    CHECK(p.count == 1);
    mcpw_queue_free(NULL);
}

/* A loop of the program's own, without mcpw_io. */
static void a_foreign_loop_needs_only_the_queue(void) {
    stage *const s = stage_new();
    mcpw_queue *const queue = mcpw_queue_new(NULL);
    const uint64_t end = mcpw_io_now() + STAGE_PATIENCE;
    char bytes[STAGE_LINE];
    stage_tool(s, "t", answer_later);
    s->session = mcpw_session_new(&s->config, NULL);
    CHECK(mcpw_session_set_queue(s->session, queue) == MCPW_OK);
    stage_say(s, LEGACY_OPENS);
    stage_call(s, 1, "t");
    while (stage_count(s, "from a thread") == 0 && mcpw_io_now() < end) {
        struct pollfd fds[] = {{s->here, POLLIN, 0}, {mcpw_queue_fd(queue), POLLIN, 0}};
        const char *out = NULL;
        (void)poll(fds, 2, STAGE_STEP);
        if (fds[0].revents != 0) {
            const ssize_t got = recv(s->here, bytes, sizeof bytes, MSG_DONTWAIT);
            CHECK(got > 0 && mcpw_session_feed(s->session, bytes, (size_t)got) == MCPW_OK);
        }
        if (fds[1].revents != 0) {
            mcpw_queue_run(queue);
        }
        const size_t len = mcpw_session_output(s->session, &out);
        if (len != 0) {
            CHECK(write(s->here, out, len) == (ssize_t)len);
            mcpw_session_sent(s->session, len);
        }
        stage_hear(s);
    }
    CHECK(stage_count(s, "from a thread") == 1);
    stage_free(s);
    mcpw_queue_free(queue);
}

int main(void) {
    RUN(an_answer_of_a_thread_leaves);
    RUN(a_thread_gets_the_exact_status);
    RUN(an_error_that_a_thread_returns_is_answered);
    RUN(a_handler_may_take_its_request_back);
    RUN(a_thread_logs_and_tells_progress);
    RUN(a_thread_asks_and_the_handler_runs_again);
    RUN(an_answer_that_comes_while_a_thread_works_is_kept);
    RUN(a_thread_asks_where_servers_make_no_requests);
    RUN(a_cancelled_request_lives_until_its_thread_returns_it);
    RUN(cancelled_requests_that_threads_hold_count_for_the_limit);
    RUN(closing_wakes_threads);
    RUN(a_thread_answers_after_the_end_of_input);
    RUN(on_cancel_that_is_set_too_late_is_called_at_once);
    RUN(a_request_that_comes_back_without_an_answer_is_kept);
    RUN(a_call_on_a_wrong_thread_is_told_and_does_nothing);
    RUN(detaching_wants_a_handler_and_a_queue);
    RUN(a_session_without_a_queue_detaches_nothing);
    RUN(what_is_posted_runs_in_order_on_the_queues_thread);
    RUN(what_was_posted_is_run_before_the_queue_ends);
    RUN(a_foreign_loop_needs_only_the_queue);
    return check_failures != 0;
}
