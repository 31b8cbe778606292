/* SPDX-License-Identifier: MIT */
/* Functions that change a session or its server, called on a thread that neither belongs to: refused, and
 * reported. */
#include "thread_stage.h"

#include <mcpw/detail/session.h>
#include <mcpw/extension.h>

static mcpw_status answer(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_respond_text(request, mcpw_str_from("a"));
}

static mcpw_status read_it(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)user;
    return mcpw_respond_resource_text(request, NULL, read->uri);
}

static mcpw_status get_it(mcpw_request *request, const mcpw_prompt_get *get, void *user) {
    (void)user;
    return mcpw_respond_prompt_text(request, get->name);
}

/* ---- The calls. Those that return nothing count as refused when they are told ---------------------------
 */

static mcpw_status add_tool(stage *s) {
    const mcpw_tool tool = {.name = "new", .call = answer};
    return mcpw_server_add_tool(s->server, &tool, NULL);
}

static mcpw_status remove_tool(stage *s) { return mcpw_server_remove_tool(s->server, "old"); }

static mcpw_status add_resource(stage *s) {
    const mcpw_resource resource = {.uri = "x:new", .name = "new", .read = read_it};
    return mcpw_server_add_resource(s->server, &resource, NULL);
}

static mcpw_status remove_resource(stage *s) { return mcpw_server_remove_resource(s->server, "x:old"); }

static mcpw_status add_template(stage *s) {
    const mcpw_resource_template t = {.uri_template = "new:{x}", .name = "new", .read = read_it};
    return mcpw_server_add_resource_template(s->server, &t, NULL);
}

static mcpw_status remove_template(stage *s) {
    return mcpw_server_remove_resource_template(s->server, "old:{x}");
}

static mcpw_status add_prompt(stage *s) {
    const mcpw_prompt prompt = {.name = "new", .get = get_it};
    return mcpw_server_add_prompt(s->server, &prompt, NULL);
}

static mcpw_status remove_prompt(stage *s) { return mcpw_server_remove_prompt(s->server, "old"); }

static mcpw_status elicitation_complete(stage *s) {
    return mcpw_session_elicitation_complete(s->session, mcpw_str_from("e"));
}

static mcpw_status ping(stage *s) { return mcpw_session_ping(s->session, NULL, NULL, NULL, NULL, NULL); }

static mcpw_status set_log_level(stage *s) {
    return mcpw_session_set_log_level(s->session, MCPW_LOG_ERROR, NULL);
}

static mcpw_status roots_changed(stage *s) { return mcpw_session_roots_changed(s->session, NULL); }

static mcpw_status open_it(stage *s) { return mcpw_session_open(s->session); }

static mcpw_status end_input(stage *s) { return mcpw_session_end_input(s->session); }

static mcpw_status set_principal(stage *s) {
    return mcpw_session_set_principal(s->session, mcpw_str_from("p"));
}

static mcpw_status output(stage *s) {
    const char *bytes = "";
    return mcpw_session_output(s->session, &bytes) == 0 && bytes == NULL ? MCPW_E_THREAD : MCPW_OK;
}

static mcpw_status sent(stage *s) {
    mcpw_session_sent(s->session, 1);
    return MCPW_E_THREAD;
}

static mcpw_status advance(stage *s) {
    mcpw_session_advance(s->session, mcpw_io_now());
    return MCPW_E_THREAD;
}

static mcpw_status listen_to_tools(stage *s) {
    const mcpw_interest interest = {.tools = true};
    return mcpw_session_listen(s->session, &interest, NULL, NULL, NULL, NULL);
}

static mcpw_status receive_one(stage *s) { return mcpw_session_receive(s->session, "{}", 2, NULL); }

static mcpw_status next_message(stage *s) {
    mcpw_outgoing message;
    return mcpw_session_next_message(s->session, &message) ? MCPW_OK : MCPW_E_THREAD;
}

static mcpw_status abandon(stage *s) {
    mcpw_session_abandon(s->session, s);
    return MCPW_E_THREAD;
}

static mcpw_status trim(stage *s) {
    mcpw_session_trim(s->session);
    return MCPW_E_THREAD;
}

static mcpw_status notify_named(stage *s) {
    return mcpw_server_notify_named(s->server, "notifications/x", "xs", mcpw_str_from("1"),
                                    mcpw_json_of("{}", 2), NULL);
}

typedef struct call {
    const char *name;
    mcpw_status (*run)(stage *s);
} call;

static const call of_server[] = {
    {"mcpw_server_add_tool", add_tool},
    {"mcpw_server_remove_tool", remove_tool},
    {"mcpw_server_add_resource", add_resource},
    {"mcpw_server_remove_resource", remove_resource},
    {"mcpw_server_add_resource_template", add_template},
    {"mcpw_server_remove_resource_template", remove_template},
    {"mcpw_server_add_prompt", add_prompt},
    {"mcpw_server_remove_prompt", remove_prompt},
    {"mcpw_server_notify_named", notify_named},
};

static const call of_session[] = {
    {"mcpw_session_elicitation_complete", elicitation_complete},
    {"mcpw_session_ping", ping},
    {"mcpw_session_set_log_level", set_log_level},
    {"mcpw_session_roots_changed", roots_changed},
    {"mcpw_session_open", open_it},
    {"mcpw_session_end_input", end_input},
    {"mcpw_session_set_principal", set_principal},
    {"mcpw_session_output", output},
    {"mcpw_session_sent", sent},
    {"mcpw_session_advance", advance},
    {"mcpw_session_listen", listen_to_tools},
    {"mcpw_session_receive", receive_one},
    {"mcpw_session_next_message", next_message},
    {"mcpw_session_abandon", abandon},
    {"mcpw_session_trim", trim},
};

/* ---- On another thread --------------------------------------------------------------------------------- */

typedef struct attempt {
    stage *s;
    const call *call;
    mcpw_status status;
} attempt;

static void *try_it(void *argument) {
    attempt *const a = argument;
    a->status = a->call->run(a->s);
    return NULL;
}

static void check_refused(stage *s, const call *c) {
    attempt a = {s, c, MCPW_OK};
    pthread_t thread;
    const int before = s->diagnostics;
    stage_start(&thread, try_it, &a);
    CHECK(pthread_join(thread, NULL) == 0);
    (void)stage_step(s);
    const bool told = s->diagnostics == before + 1 && s->last_status == MCPW_E_THREAD;
    const size_t len = strlen(c->name);
    const bool named =
        told && strncmp(s->last_diagnostic, c->name, len) == 0 && s->last_diagnostic[len] == ' ';
    (void)check_that(a.status == MCPW_E_THREAD && named, __FILE__, __LINE__, c->name);
}

/* A session whose thread is this one, also between two steps: it has a queue of the test's. */
static stage *stage_with_queue(mcpw_queue *queue) {
    stage *const s = stage_new();
    const mcpw_resource resource = {.uri = "x:old", .name = "old", .read = read_it};
    const mcpw_resource_template t = {.uri_template = "old:{x}", .name = "old", .read = read_it};
    const mcpw_prompt prompt = {.name = "old", .get = get_it};
    stage_tool(s, "old", answer);
    CHECK(mcpw_server_add_resource(s->server, &resource, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_resource_template(s->server, &t, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_prompt(s->server, &prompt, NULL) == MCPW_OK);
    s->session = mcpw_session_new(&s->config, NULL);
    CHECK(s->session != NULL && mcpw_session_set_queue(s->session, queue) == MCPW_OK);
    CHECK(mcpw_io_begin(&s->io, s->session, s->here, s->here, NULL) == MCPW_OK);
    stage_open(s);
    (void)stage_step(s);
    return s;
}

static void a_server_is_changed_on_its_own_thread_alone(void) {
    mcpw_queue *const queue = mcpw_queue_new(NULL);
    stage *const s = stage_with_queue(queue);
    for (size_t i = 0; i < sizeof of_server / sizeof of_server[0]; i++) {
        check_refused(s, of_server + i);
    }
    CHECK(stage_count(s, "list_changed'}") == 0);
    for (size_t i = 0; i + 1 < sizeof of_server / sizeof of_server[0]; i++) {
        CHECK(of_server[i].run(s) == MCPW_OK); /* nothing of it has been done before */
    }
    stage_free(s);
    mcpw_queue_free(queue);
}

static mcpw_status keep(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    stage *const s = user;
    (void)call;
    s->user = request;
    return MCPW_OK;
}

static mcpw_status resume(stage *s) { return mcpw_request_resume(s->user); }

static void a_kept_request_is_resumed_on_the_thread_of_its_session(void) {
    static const call resuming = {"mcpw_request_resume", resume};
    mcpw_queue *const queue = mcpw_queue_new(NULL);
    stage *const s = stage_with_queue(queue);
    stage_tool(s, "keep", keep);
    stage_call(s, 1, "keep");
    while (s->user == NULL) {
        (void)stage_step(s);
    }
    check_refused(s, &resuming);
    CHECK(mcpw_respond_text(s->user, mcpw_str_from("x")) == MCPW_OK);
    stage_free(s);
    mcpw_queue_free(queue);
}

static void a_session_is_called_on_its_own_thread_alone(void) {
    mcpw_queue *const queue = mcpw_queue_new(NULL);
    stage *const s = stage_with_queue(queue);
    for (size_t i = 0; i < sizeof of_session / sizeof of_session[0]; i++) {
        check_refused(s, of_session + i);
    }
    stage_call(s, 1, "old");
    AWAIT(s, "'id':1");
    stage_free(s);
    mcpw_queue_free(queue);
}

int main(void) {
    RUN(a_server_is_changed_on_its_own_thread_alone);
    RUN(a_kept_request_is_resumed_on_the_thread_of_its_session);
    RUN(a_session_is_called_on_its_own_thread_alone);
    return check_failures != 0;
}
