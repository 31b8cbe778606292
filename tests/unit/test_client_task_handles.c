/* SPDX-License-Identifier: MIT */
/* Handles of tasks at a client, and their text. */
#include "client_tasks_harness.h"

/* ---- Handles ---- */

static mcpw_task *got;
static int on_task_calls;

static void on_task(void *user, mcpw_session *session, mcpw_task *made, const mcpw_reply *reply) {
    got = made;
    on_task_calls++;
    CHECK((made == NULL) != (reply == NULL));
    if (reply != NULL) {
        end_on_reply(user, session, reply);
    }
}

static mcpw_status call_task(end *e) {
    const mcpw_revision *const revision = e->dispatch.revision;
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_method *const entry =
        mcpw_method_entry(revision, mcpw_method_number(revision, "tools/call", strlen("tools/call")));
    mcpw_error error = {0};
    got = NULL;
    on_task_calls = 0;
    const mcpw_status status =
        mcpw_session_call_task(e->session, revision,
                               decoded(mcpw_method_params(entry),
                                       "{'_meta':{'io.modelcontextprotocol/protocolVersion':'x',"
                                       "'io.modelcontextprotocol/clientCapabilities':{}},'name':'t'}",
                                       &arena),
                               NULL, on_task, e, &e->number, &error);
    mcpw_arena_free(&arena);
    return status;
}

static end *with_handle(bool core) {
    mcpw_client_tasks_options options = plain_options;
    options.ask_if_optional = MCPW_OFF;
    is_core = core;
    end *const e = client_with(core ? HANDSHAKE : MODERN, MODERN, options);
    open_client_as(e, core ? HAS_TASKS : EXTENDED);
    CHECK(mcpw_session_has_tasks(e->session));
    CHECK(call_task(e) == MCPW_OK);
    if (core) {
        list_tools(e, "optional");
    }
    respond(e, hear(e, "tools/call"), created("working"));
    CHECK(on_task_calls == 1 && got != NULL);
    CHECK(mcpw_str_is(mcpw_task_last(got).id, "t1") && mcpw_task_last(got).status == MCPW_TASK_WORKING);
    return e;
}

static void a_handle_lives_beside_its_task(void) {
    for (int core = 0; core < 2; core++) {
        end *const e = with_handle(core != 0);
        wait_ms(e, LONG);
        EXPECT(e, ""); /* nobody follows it */
        mcpw_task_free(got);
        EXPECT(e, "");
        end_free(e);
    }
}

static void a_call_for_a_task_may_be_answered_at_once(void) {
    is_core = false;
    end *const e = client_with(MODERN, MODERN, plain_options);
    open_client_as(e, EXTENDED);
    CHECK(call_task(e) == MCPW_OK);
    respond(e, hear(e, "tools/call"), result_of_call());
    CHECK(on_task_calls == 1 && got == NULL && e->out.status == MCPW_OK);
    CHECK(call_task(e) == MCPW_OK);
    mcpw_session_close(e->session);
    CHECK(on_task_calls == 1 && got == NULL && e->out.status == MCPW_E_CLOSED);
    end_free(e);
}

static void on_state(void *user, mcpw_session *session, mcpw_status status, const mcpw_task_state *state,
                     const mcpw_error *error) {
    end *const e = user;
    (void)session;
    CHECK((status == MCPW_OK) == (error == NULL));
    e->told++;
    e->status = status;
    (void)snprintf(e->text, sizeof e->text, "%s", mcpw_task_status_text(state->status));
}

static void a_task_is_asked_about_once(void) {
    for (int core = 0; core < 2; core++) {
        end *const e = with_handle(core != 0);
        mcpw_error error = {0};
        CHECK(mcpw_task_get(got, on_state, e, &error) == MCPW_OK);
        CHECK(mcpw_task_get(got, on_state, e, &error) == MCPW_E_STATE);
        respond(e, hear(e, "tasks/get"), stands("input_required", ""));
        CHECK(e->told == 1 && e->status == MCPW_OK);
        CHECK_STRING(e->text, "input_required");
        wait_ms(e, LONG);
        EXPECT(e, "");
        mcpw_task_free(got);
        end_free(e);
    }
}

static void a_task_is_followed_to_its_end(void) {
    for (int core = 0; core < 2; core++) {
        end *const e = with_handle(core != 0);
        mcpw_error error = {0};
        CHECK(mcpw_task_follow(got, e->dispatch.revision, NULL, end_on_reply, e, &e->number, &error) ==
              MCPW_OK);
        CHECK(mcpw_task_follow(got, e->dispatch.revision, NULL, end_on_reply, e, NULL, &error) ==
              MCPW_E_STATE);
        respond(e, next_poll(e), stands("completed", fmt(",'result':%s", result_of_call())));
        if (core) {
            respond(e, hear(e, "tasks/result"), result_of_call());
        }
        CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
        CHECK(mcpw_task_last(got).status == MCPW_TASK_COMPLETED);
        mcpw_task_free(got);
        end_free(e);
    }
}

static void following_ends_at_its_deadline_and_the_task_goes_on(void) {
    const mcpw_task_follow_options options = {.struct_size = sizeof options, .deadline_ms = 300};
    end *const e = with_handle(false);
    mcpw_error error = {0};
    CHECK(mcpw_task_follow(got, e->dispatch.revision, &options, end_on_reply, e, NULL, &error) == MCPW_OK);
    wait_ms(e, 300);
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_TIMEOUT);
    CHECK_STRING(e->out.why, ": the task has not ended in time; it goes on");
    EXPECT(e, "");
    mcpw_task_free(got);
    end_free(e);
}

static void a_task_is_cancelled_by_its_handle(void) {
    for (int core = 0; core < 2; core++) {
        end *const e = with_handle(core != 0);
        mcpw_error error = {0};
        CHECK(mcpw_task_follow(got, e->dispatch.revision, NULL, end_on_reply, e, NULL, &error) == MCPW_OK);
        CHECK(mcpw_task_cancel(got, on_state, e, &error) == MCPW_OK);
        CHECK(mcpw_task_cancel(got, on_state, e, &error) == MCPW_E_STATE);
        respond(e, hear(e, "tasks/cancel"), core ? stands("cancelled", "") : "{'resultType':'complete'}");
        CHECK(e->told == 1 && e->status == MCPW_OK);
        CHECK(e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
        mcpw_task_free(got);
        end_free(e);
    }
}

static void a_refused_cancellation_leaves_the_task_followed(void) {
    end *const e = with_handle(true);
    mcpw_error error = {0};
    CHECK(mcpw_task_follow(got, e->dispatch.revision, NULL, end_on_reply, e, NULL, &error) == MCPW_OK);
    CHECK(mcpw_task_cancel(got, on_state, e, &error) == MCPW_OK);
    const long id = hear(e, "tasks/cancel");
    say(e, fmt("{'jsonrpc':'2.0','id':%ld,'error':{'code':-32602,'message':'it is over'}}", id));
    CHECK(e->told == 1 && e->status == MCPW_E_REMOTE && e->out.count == 0);
    respond(e, next_poll(e), stands("completed", ""));
    respond(e, hear(e, "tasks/result"), result_of_call());
    CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
    mcpw_task_free(got);
    end_free(e);
}

static void free_in_callback(void *user, mcpw_session *session, const mcpw_reply *reply) {
    end_on_reply(user, session, reply);
    mcpw_task_free(got);
}

static void free_in_state(void *user, mcpw_session *session, mcpw_status status, const mcpw_task_state *state,
                          const mcpw_error *error) {
    on_state(user, session, status, state, error);
    mcpw_task_free(got);
}

static void free_in_status(void *user, mcpw_session *session, const mcpw_task_state *state) {
    on_status(user, session, state);
    mcpw_task_free(got);
}

static void a_handle_may_be_freed_at_any_time(void) {
    const mcpw_task_follow_options frees = {.struct_size = sizeof frees, .on_status = free_in_status};
    mcpw_error error = {0};
    for (int when = 0; when < 5; when++) {
        end *const e = with_handle(when % 2 != 0);
        e->out.count = 0;
        if (when == 3) {
            CHECK(mcpw_task_get(got, free_in_state, e, &error) == MCPW_OK);
            respond(e, hear(e, "tasks/get"), stands("working", ""));
            end_free(e);
            continue;
        }
        CHECK(mcpw_task_follow(got, e->dispatch.revision, when == 4 ? &frees : NULL, free_in_callback, e,
                               &e->number, &error) == MCPW_OK);
        if (when == 0) {
            mcpw_task_free(got);
            CHECK(e->out.count == 0);
        } else if (when == 1) {
            CHECK(mcpw_session_cancel(e->session, e->number, NULL) == MCPW_OK);
            CHECK(e->out.count == 1);
        } else if (when == 2) {
            respond(e, next_poll(e), stands("cancelled", ""));
            CHECK(e->out.count == 1);
        } else {
            respond(e, next_poll(e), stands("completed", fmt(",'result':%s", result_of_call())));
            CHECK(e->out.count == 0);
        }
        end_free(e);
    }
}

/* ---- Handles as text ---- */

static void handle_as_text(char *out, size_t size) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    mcpw_str text;
    CHECK(mcpw_task_text(got, &arena, &text, &error) == MCPW_OK);
    (void)snprintf(out, size, "%.*s", (int)text.len, text.ptr);
    mcpw_arena_free(&arena);
}

static void a_handle_as_text_is_taken_up_by_another_session(void) {
    char text[HARNESS_ERROR];
    for (int core = 0; core < 2; core++) {
        end *first = with_handle(core != 0);
        handle_as_text(text, sizeof text);
        mcpw_task_free(got);
        end_free(first);
        end *const e = client_with(core ? HANDSHAKE : MODERN, MODERN, plain_options);
        mcpw_error error = {0};
        open_client_as(e, core ? HAS_TASKS : EXTENDED);
        mcpw_task *const again = mcpw_task_resume(e->session, mcpw_str_from(text), &error);
        CHECK_STRING(error.message, "");
        CHECK(again != NULL && mcpw_task_last(again).status == MCPW_TASK_UNKNOWN);
        CHECK(mcpw_task_follow(again, e->dispatch.revision, NULL, end_on_reply, e, NULL, &error) == MCPW_OK);
        respond(e, hear(e, "tasks/get"), stands("completed", fmt(",'result':%s", result_of_call())));
        if (core) {
            respond(e, hear(e, "tasks/result"), result_of_call());
        }
        CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
        mcpw_task_free(again);
        end_free(e);
    }
}

static void a_handle_keeps_nothing_of_the_text_that_it_was_taken_up_by(void) {
    end *const e = with_handle(false);
    char text[HARNESS_ERROR];
    char changed[HARNESS_ERROR];
    char later[HARNESS_ERROR];
    mcpw_error error = {0};
    handle_as_text(text, sizeof text);
    mcpw_task_free(got);
    (void)snprintf(changed, sizeof changed, "%s", text);
    got = mcpw_task_resume(e->session, mcpw_str_from(changed), &error);
    memset(changed, '?', sizeof changed);
    handle_as_text(later, sizeof later);
    CHECK_STRING(later, text);
    mcpw_task_free(got);
    end_free(e);
}

static void a_bare_id_is_a_handle(void) {
    is_core = false;
    end *const e = client_with(MODERN, MODERN, plain_options);
    mcpw_error error = {0};
    open_client_as(e, EXTENDED);
    mcpw_task *const task_again = mcpw_task_resume(e->session, MCPW_STR_VALUE("t1"), &error);
    CHECK(task_again != NULL && mcpw_str_is(mcpw_task_last(task_again).id, "t1"));
    CHECK(mcpw_task_get(task_again, on_state, e, &error) == MCPW_OK);
    CHECK_HAS(heard(e), "'taskId':'t1'");
    mcpw_task_free(task_again);
    end_free(e);
}

static void expect_refused(end *e, const char *text, mcpw_status status, const char *why) {
    mcpw_error error = {0};
    const char *const json = q(text);
    CHECK(mcpw_task_resume(e->session, mcpw_str_from(json), &error) == NULL);
    CHECK(error.code == status);
    CHECK_STRING(error.message, why);
}

static void a_text_that_is_no_handle_is_refused(void) {
    enum { SIZE = 40000 };
    static char longer[SIZE + 1];
    end *const e = client_with(HANDSHAKE, MODERN, plain_options);
    open_client_as(e, HAS_TASKS);
    expect_refused(e, "", MCPW_E_SIZE, "a handle of a task has 1 to 32768 bytes");
    expect_refused(e, "{}", MCPW_E_FORMAT, "the text is no handle of a task");
    expect_refused(e, "{'mcpwTask':1}", MCPW_E_FORMAT, "the text is no handle of a task");
    expect_refused(e, "{'mcpwTask':'1','taskId':'t'}", MCPW_E_FORMAT, "the text is no handle of a task");
    expect_refused(e, "{'mcpwTask':2,'taskId':'t'}", MCPW_E_VERSION,
                   "the handle is of version 2, which is not known");
    expect_refused(e, "{'mcpwTask':1,'taskId':''}", MCPW_E_SIZE, "the id of a task has 1 to 4096 bytes");
    expect_refused(e, "{'mcpwTask':1,'taskId':'t','server':'other'}", MCPW_E_ARGUMENT,
                   "the task is of the server \"other\", and this is \"s\"");
    memset(longer, 'x', SIZE);
    expect_refused(e, longer, MCPW_E_SIZE, "a handle of a task has 1 to 32768 bytes");
    longer[5000] = '\0';
    expect_refused(e, longer, MCPW_E_SIZE, "the id of a task has 1 to 4096 bytes");
    mcpw_error error = {0};
    CHECK(mcpw_task_resume(e->session, MCPW_STR_VALUE("{\"mcpwTask\":1"), &error) == NULL);
    CHECK(error.code == MCPW_E_SYNTAX);
    CHECK(mcpw_task_resume(e->session, MCPW_STR_VALUE("\xff\xfe"), &error) == NULL &&
          error.code == MCPW_E_UTF8);
    end_free(e);
}

static void a_handle_needs_a_server_with_tasks(void) {
    mcpw_error error = {0};
    end *e = client_with(MODERN, MODERN, plain_options);
    open_client(e);
    CHECK(!mcpw_session_has_tasks(e->session));
    CHECK(mcpw_task_resume(e->session, MCPW_STR_VALUE("t1"), &error) == NULL &&
          error.code == MCPW_E_CAPABILITY);
    CHECK_STRING(error.message, "the server has no tasks in 2026-07-28");
    end_free(e);
    e = client_of(MODERN, MODERN);
    open_client(e);
    CHECK(mcpw_task_resume(e->session, MCPW_STR_VALUE("t1"), &error) == NULL && error.code == MCPW_E_STATE);
    CHECK(call_task(e) == MCPW_E_STATE);
    end_free(e);
}

int main(void) {
    RUN(a_handle_lives_beside_its_task);
    RUN(a_call_for_a_task_may_be_answered_at_once);
    RUN(a_task_is_asked_about_once);
    RUN(a_task_is_followed_to_its_end);
    RUN(following_ends_at_its_deadline_and_the_task_goes_on);
    RUN(a_task_is_cancelled_by_its_handle);
    RUN(a_refused_cancellation_leaves_the_task_followed);
    RUN(a_handle_may_be_freed_at_any_time);
    RUN(a_handle_as_text_is_taken_up_by_another_session);
    RUN(a_handle_keeps_nothing_of_the_text_that_it_was_taken_up_by);
    RUN(a_bare_id_is_a_handle);
    RUN(a_text_that_is_no_handle_is_refused);
    RUN(a_handle_needs_a_server_with_tasks);
    return check_end();
}
