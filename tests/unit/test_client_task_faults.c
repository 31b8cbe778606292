/* SPDX-License-Identifier: MIT */
/* A client follows tasks while each of its allocations fails in turn: it is told one end, nothing leaks, and
 * the session goes on. */
#include "client_tasks_harness.h"

enum { STEPS = 12, FEWEST = 20, MOST = 4000, STEP_MS = 1000, LONG_MS = 700000, MANY = 8 };

#define ASKS                                                                                                 \
    ",'inputRequests':{'a':{'method':'elicitation/create','params':{'mode':'form','message':'sure?',"        \
    "'requestedSchema':{'type':'object','properties':{}}}}}"

static mcpw_status accept_form(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{'action':'accept','content':{}}");
}

static int asked;
static mcpw_task *got;

/* A response that may be lost, because there is no memory for it. */
static void try_respond(end *e, long id, const char *result) {
    const char *const line = fmt("{'jsonrpc':'2.0','id':%ld,'result':%s}", id, result);
    const char *const text = q(line);
    (void)!say_bytes(e, text, strlen(text));
}

/* Answers one message of the client as a server does whose task asks once. Returns false for silence. */
static bool serve_one(end *e) {
    const char *const line = heard(e);
    if (*line == '\0') {
        return false;
    }
    if (!has(line, "'id':")) {
        return true;
    }
    const long id = id_in(line);
    if (has(line, "'tools/list'")) {
        try_respond(
            e, id,
            "{'tools':[{'name':'t','inputSchema':{'type':'object'},'execution':{'taskSupport':'required'}"
            "}]}");
    } else if (has(line, "'tools/call'")) {
        try_respond(e, id, created("working"));
    } else if (has(line, "'tasks/get'") && asked++ == 0) {
        try_respond(e, id, stands("input_required", ASKS));
    } else if (has(line, "'tasks/get'")) {
        try_respond(e, id, stands("completed", fmt(",'result':%s", result_of_call())));
    } else if (has(line, "'tasks/result'")) {
        try_respond(e, id, result_of_call());
    } else if (has(line, "'tasks/update'") || has(line, "'tasks/cancel'")) {
        try_respond(e, id, is_core ? stands("cancelled", "") : "{'resultType':'complete'}");
    }
    return true;
}

static void play(end *e) {
    for (int i = 0; i < STEPS; i++) {
        while (serve_one(e)) {
        }
        wait_ms(e, STEP_MS);
    }
    for (int i = 0; i < MANY; i++) { /* what was lost is given up */
        wait_ms(e, LONG_MS);
        while (serve_one(e)) {
        }
    }
}

static end *ready(bool core) {
    is_core = core;
    asked = 0;
    got = NULL;
    mcpw_client_tasks_options options = plain_options;
    options.listen = MCPW_ON;
    end *const e = client_with(core ? HANDSHAKE : MODERN, MODERN, options);
    end_serve(e, "elicitation/create", accept_form);
    e->memory.stingy = true;
    open_client_as(e, core ? HAS_TASKS : EXTENDED);
    return e;
}

static void make_call(end *e) {
    const bool made = call(e, "tools/call", "'name':'t'") == MCPW_OK;
    play(e);
    CHECK(e->out.count == (made ? 1 : 0));
}

static void on_task(void *user, mcpw_session *session, mcpw_task *made, const mcpw_reply *reply) {
    end *const e = user;
    mcpw_error error = {0};
    got = made;
    if (made == NULL) {
        end_on_reply(user, session, reply);
        return;
    }
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str text;
    if (mcpw_task_text(made, &arena, &text, &error) == MCPW_OK) {
        mcpw_task *const again = mcpw_task_resume(session, text, &error);
        CHECK((again != NULL) == (error.code != MCPW_E_MEMORY));
        mcpw_task_free(again);
    }
    mcpw_arena_free(&arena);
    e->told = mcpw_task_follow(made, e->dispatch.revision, NULL, end_on_reply, e, NULL, &error) == MCPW_OK;
}

static void make_handle(end *e) {
    const mcpw_revision *const revision = e->dispatch.revision;
    const int number = mcpw_method_number(revision, "tools/call", strlen("tools/call"));
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    const void *const params = decoded(mcpw_method_params(mcpw_method_entry(revision, number)),
                                       "{'_meta':{'io.modelcontextprotocol/protocolVersion':'x',"
                                       "'io.modelcontextprotocol/clientCapabilities':{}},'name':'t'}",
                                       &arena);
    const bool made =
        mcpw_session_call_task(e->session, revision, params, NULL, on_task, e, NULL, &error) == MCPW_OK;
    mcpw_arena_free(&arena);
    play(e);
    CHECK(e->out.count == (made && (got == NULL || e->told) ? 1 : 0));
    mcpw_task_free(got);
}

/* Lets each allocation fail, until there are no more. */
static void fail_each(bool core, void (*make)(end *e)) {
    int failures = 0;
    bool failed = true;
    for (size_t at = 1; failed && at < MOST; at++) {
        end *const e = ready(core);
        e->memory.fail_at = e->memory.calls + at;
        make(e);
        failed = e->memory.calls >= e->memory.fail_at;
        failures += e->out.count == 0 || e->out.status != MCPW_OK;
        CHECK(failed || (e->out.count == 1 && e->out.status == MCPW_OK));
        e->memory.fail_at = 0;
        CHECK(call(e, "prompts/list", "") != MCPW_E_CLOSED); /* the session is as it was */
        end_free(e);
    }
    CHECK(!failed && failures >= FEWEST);
}

static void a_call_without_memory_is_told_its_end_once(void) {
    fail_each(false, make_call);
    fail_each(true, make_call);
}

static void a_handle_without_memory_is_told_its_end_once(void) {
    fail_each(false, make_handle);
    fail_each(true, make_handle);
}

int main(void) {
    RUN(a_call_without_memory_is_told_its_end_once);
    RUN(a_handle_without_memory_is_told_its_end_once);
    return check_end();
}
