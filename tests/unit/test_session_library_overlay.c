/* SPDX-License-Identifier: MIT */
/* An overlay that a program brings to the revisions of the library: the tasks extension, which is in no list
 * that was made when the library was built. */
#include <mcp/2026-07-28-tasks.h>
#include <mcp/2026-07-28.h>
#include <mcpw/detail/catalogue.h>

#include "session_harness.h"

#define TASKS "2026-07-28-tasks"
#define EXTENSION "extensions.io.modelcontextprotocol/tasks"
#define TASK                                                                                                 \
    "'taskId':'1','status':'working','createdAt':'2026-07-28T00:00:00Z',"                                    \
    "'lastUpdatedAt':'2026-07-28T00:00:00Z','ttlMs':null"

static mcpw_library with_tasks(void) {
    mcpw_library library;
    mcpw_library_init(&library);
    CHECK(mcpw_library_add(&library, &mcp_20260728_tasks_revision, NULL) == MCPW_OK);
    return library;
}

static mcpw_status get_task(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{'resultType':'complete'," TASK "}");
}

static mcpw_status make_task(end *e, mcpw_request *request, const void *params) {
    if (!mcpw_request_can(request, EXTENSION)) {
        return say_hello(e, request, params);
    }
    const mcpw_type *const type = &mcp_20260728_tasks_create_task_result_table;
    return mcpw_respond(request, type,
                        decoded(type, "{'resultType':'task'," TASK "}", mcpw_request_arena(request)), NULL);
}

/* An end whose code was generated for the overlay. */
static end *with_overlay(mcpw_role role, const mcpw_library *library) {
    end *const e = end_make(role, MODERN, MODERN);
    e->config.library = library;
    e->dispatch.revision = e->speaks = &mcp_20260728_tasks_revision;
    if (role == MCPW_ROLE_CLIENT) {
        e->config.declares = EXTENSION;
        return e;
    }
    end_serve(e, "tools/list", list_one_tool);
    end_serve(e, "tools/call", make_task);
    end_serve(e, "tasks/get", get_task);
    return e;
}

static void open_both(end *client, end *server) {
    client->unchecked = server->unchecked = true; /* what is said before a revision is agreed on */
    end_start(server);
    end_start(client);
    CHECK(mcpw_session_open(client->session) == MCPW_OK);
    pump(client, server, NULL);
    client->unchecked = server->unchecked = false;
    CHECK(client->opened == 1 && client->open_status == MCPW_OK);
}

static void it_is_found_in_its_set_alone(void) {
    const mcpw_library library = with_tasks();
    CHECK(mcpw_library_revision(&library, TASKS) == &mcp_20260728_tasks_revision);
    CHECK(mcpw_library_type(&library, TASKS, "CreateTaskResult") ==
          &mcp_20260728_tasks_create_task_result_table);
    CHECK(mcpw_library_revision(&library, MODERN) == &mcp_20260728_revision);
    CHECK(mcpw_find_revision(TASKS) == NULL);
}

static void both_that_bring_it_speak_it(void) {
    const mcpw_library library = with_tasks();
    end *const client = with_overlay(MCPW_ROLE_CLIENT, &library);
    end *const server = with_overlay(MCPW_ROLE_SERVER, &library);
    open_both(client, server);
    CHECK(mcpw_session_revision(client->session) == &mcp_20260728_tasks_revision);
    CHECK(call(client, "tools/call", "'name':'t'") == MCPW_OK);
    pump(client, server, NULL);
    CHECK(client->out.count == 1 && client->out.status == MCPW_OK);
    CHECK_HAS(client->out.text, "'resultType':'task','taskId':'1'");
    CHECK(call(client, "tasks/get", "'taskId':'1'") == MCPW_OK);
    pump(client, server, NULL);
    CHECK(client->out.count == 2 && client->out.status == MCPW_OK);
    CHECK_HAS(client->out.text, "'taskId':'1','status':'working'");
    end_free(client);
    end_free(server);
}

static void a_client_without_it_is_served_as_ever(void) {
    const mcpw_library library = with_tasks();
    end *const client = client_of(MODERN, MODERN);
    end *const server = with_overlay(MCPW_ROLE_SERVER, &library);
    open_both(client, server);
    CHECK(mcpw_session_revision(client->session) == &mcp_20260728_revision);
    CHECK(call(client, "tools/call", "'name':'t'") == MCPW_OK);
    pump(client, server, NULL);
    CHECK(client->out.count == 1 && client->out.status == MCPW_OK);
    CHECK_HAS(client->out.text, "'resultType':'complete'");
    end_free(client);
    end_free(server);
}

static void a_client_with_it_uses_a_server_without_it(void) {
    const mcpw_library library = with_tasks();
    end *const client = with_overlay(MCPW_ROLE_CLIENT, &library);
    end *const server = server_of(MODERN, MODERN);
    end_serve(server, "tools/call", say_hello);
    open_both(client, server);
    CHECK(call(client, "tasks/get", "'taskId':'1'") == MCPW_E_CAPABILITY);
    CHECK(call(client, "tools/call", "'name':'t'") == MCPW_OK);
    pump(client, server, NULL);
    CHECK(client->out.count == 1 && client->out.status == MCPW_OK);
    CHECK_HAS(client->out.text, "'resultType':'complete'");
    end_free(client);
    end_free(server);
}

int main(void) {
    RUN(it_is_found_in_its_set_alone);
    RUN(both_that_bring_it_speak_it);
    RUN(a_client_without_it_is_served_as_ever);
    RUN(a_client_with_it_uses_a_server_without_it);
    return check_end();
}
