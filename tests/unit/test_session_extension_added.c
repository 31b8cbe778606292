/* SPDX-License-Identifier: MIT */
/* The generated descriptor of an extension that changes results of the protocol: the tasks extension, added
 * in one call at each end. */
#include <mcp/2026-07-28-tasks.h>
#include <mcpw/extension.h>

#include "session_harness.h"

#define TASK                                                                                                 \
    "'taskId':'1','status':'working','createdAt':'2026-07-28T00:00:00Z',"                                    \
    "'lastUpdatedAt':'2026-07-28T00:00:00Z','ttlMs':null"

static mcpw_status get_task(mcpw_request *request, const mcp_20260728_tasks_get_task_request_params *params,
                            void *user) {
    const char *const text = q("{'resultType':'complete'," TASK "}");
    (void)user;
    CHECK(mcpw_str_is(params->task_id, "1"));
    return mcpw_respond_json(request, mcpw_json_of(text, strlen(text)), NULL);
}

static mcpw_status make_task(end *e, mcpw_request *request, const void *params) {
    if (mcpw_request_settings(request, mcp_20260728_tasks_extension.id).ptr == NULL) {
        return say_hello(e, request, params);
    }
    const mcpw_type *const type = &mcp_20260728_tasks_create_task_result_table;
    return mcpw_respond(request, type,
                        decoded(type, "{'resultType':'task'," TASK "}", mcpw_request_arena(request)), NULL);
}

/* An end whose own code is that of the revision below. */
static end *with_tasks(mcpw_role role) {
    static const mcp_20260728_tasks_server_handlers handlers = {.tasks_get = get_task};
    end *const e = end_make(role, MODERN, MODERN);
    mcpw_extension extension = mcp_20260728_tasks_extension;
    mcpw_error error;
    extension.handlers = role == MCPW_ROLE_SERVER ? &handlers : NULL;
    CHECK(mcpw_client_add_extension(&e->config, &extension, &error) == MCPW_OK);
    if (role == MCPW_ROLE_SERVER) {
        end_serve(e, "tools/list", list_one_tool);
        end_serve(e, "tools/call", make_task);
    }
    return e;
}

static void open_both(end *client, end *server) {
    client->unchecked = server->unchecked = true;
    end_start(server);
    end_start(client);
    CHECK(mcpw_session_open(client->session) == MCPW_OK);
    pump(client, server, NULL);
    CHECK(client->opened == 1 && client->open_status == MCPW_OK);
}

static mcpw_status ask(end *client, const char *id) {
    const mcp_20260728_tasks_get_task_request_params params = {.task_id = mcpw_str_from(id)};
    return mcp_20260728_tasks_request_tasks_get(client->session, &params, NULL, end_on_reply, client, NULL,
                                                NULL);
}

static void both_ends_speak_it(void) {
    end *const server = with_tasks(MCPW_ROLE_SERVER);
    end *const client = with_tasks(MCPW_ROLE_CLIENT);
    open_both(client, server);
    CHECK(mcpw_session_settings(client->session, mcp_20260728_tasks_extension.id).len == 2);
    CHECK(ask(client, "1") == MCPW_OK);
    pump(client, server, NULL);
    CHECK(client->out.count == 1 && client->out.status == MCPW_OK);
    CHECK_HAS(client->out.text, "'taskId':'1','status':'working'");
    end_free(client);
    end_free(server);
}

static void a_client_without_it_is_served_as_ever(void) {
    end *const server = with_tasks(MCPW_ROLE_SERVER);
    end *const client = client_of(MODERN, MODERN);
    open_both(client, server);
    CHECK(call(client, "tools/call", "'name':'t'") == MCPW_OK);
    pump(client, server, NULL);
    CHECK(client->out.count == 1 && client->out.status == MCPW_OK);
    CHECK_HAS(client->out.text, "'hello'");
    end_free(client);
    end_free(server);
}

static void a_server_without_it_is_not_asked(void) {
    end *const server = server_of(MODERN, MODERN);
    end *const client = with_tasks(MCPW_ROLE_CLIENT);
    end_serve(server, "tools/call", say_hello);
    open_both(client, server);
    CHECK(ask(client, "1") == MCPW_E_CAPABILITY);
    end_free(client);
    end_free(server);
}

static void the_programs_own_handlers_may_not_have_its_methods(void) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    static const mcp_20260728_tasks_server_handlers handlers = {.tasks_get = get_task};
    mcpw_extension extension = mcp_20260728_tasks_extension;
    mcpw_error error;
    config.role = MCPW_ROLE_SERVER;
    config.name = config.version = "1";
    config.dispatch = &mcp_20260728_tasks_server_dispatch;
    config.handlers = &handlers;
    CHECK(mcpw_client_add_extension(&config, &extension, &error) == MCPW_OK);
    CHECK(mcpw_session_new(&config, &error) == NULL && error.code == MCPW_E_DUPLICATE);
    CHECK_HAS(error.message, "tasks/get");
    CHECK_HAS(error.message, mcp_20260728_tasks_extension.id);
    mcpw_extensions_free(config.extensions);
}

int main(void) {
    RUN(both_ends_speak_it);
    RUN(a_client_without_it_is_served_as_ever);
    RUN(a_server_without_it_is_not_asked);
    RUN(the_programs_own_handlers_may_not_have_its_methods);
    return check_end();
}
