/* SPDX-License-Identifier: MIT */
/* The generated dispatch tables: which slot is called for which method, and with what. */
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>

#include "check.h"

enum { UNKNOWN_METHOD = 999 };

/* The arguments of a slot; handlers get it as their user pointer. */
typedef struct seen {
    const char *slot;
    const void *params;
} seen;

static void diagnostic(const char *slot, const void *params, void *user) {
    *(seen *)user = (seen){slot, params};
}

static mcpw_status call_of_2026(mcpw_request *request, const mcp_20260728_call_tool_request_params *params,
                                void *user) {
    (void)request;
    diagnostic("tools_call", params, user);
    return MCPW_PENDING;
}

static mcpw_status list_of_2026(mcpw_request *request, const mcp_20260728_paginated_request_params *params,
                                void *user) {
    (void)request;
    diagnostic("tools_list", params, user);
    return MCPW_OK;
}

static mcpw_status sampling_of_2026(mcpw_request *request,
                                    const mcp_20260728_create_message_request_params *params, void *user) {
    (void)request;
    diagnostic("sampling", params, user);
    return MCPW_OK;
}

static void updated_of_2026(mcpw_session *session,
                            const mcp_20260728_resource_updated_notification_params *params, void *user) {
    (void)session;
    diagnostic("updated", params, user);
}

static mcpw_status set_level_of_2025(mcpw_request *request,
                                     const mcp_20251125_set_level_request_params *params, void *user) {
    (void)request;
    diagnostic("set_level", params, user);
    return MCPW_E_REMOTE;
}

static mcpw_status get_task_of_2025(mcpw_request *request, const mcp_20251125_get_task_request_params *params,
                                    void *user) {
    (void)request;
    diagnostic("get_task", params, user);
    return MCPW_OK;
}

static void roots_changed_of_2025(mcpw_session *session, const mcp_20251125_notification_params *params,
                                  void *user) {
    (void)session;
    diagnostic("roots_changed", params, user);
}

static bool was_called(seen by, const char *slot, const void *params) {
    return by.slot != NULL && strcmp(by.slot, slot) == 0 && by.params == params;
}

static void a_dispatch_says_what_it_is_for(void) {
    CHECK(mcp_20251125_server_dispatch.revision == &mcp_20251125_revision);
    CHECK(mcp_20260728_client_dispatch.revision == &mcp_20260728_revision);
    CHECK(mcp_20251125_server_dispatch.role == MCPW_ROLE_SERVER);
    CHECK(mcp_20260728_client_dispatch.role == MCPW_ROLE_CLIENT);
}

static void only_filled_slots_are_there(void) {
    const mcp_20260728_server_handlers server = {.tools_call = call_of_2026};
    const mcp_20251125_server_handlers older = {.notifications_roots_list_changed = roots_changed_of_2025};
    for (int method = -1; method <= UNKNOWN_METHOD; method++) {
        CHECK(mcp_20260728_server_dispatch.has(&server, method) ==
              (method == MCP_20260728_METHOD_TOOLS_CALL));
        CHECK(mcp_20251125_server_dispatch.has(&older, method) ==
              (method == MCP_20251125_METHOD_NOTIFICATIONS_ROOTS_LIST_CHANGED));
    }
}

static void the_slot_of_a_request_gets_its_params(void) {
    const mcp_20260728_server_handlers server = {.tools_call = call_of_2026, .tools_list = list_of_2026};
    const mcp_20251125_server_handlers older = {.logging_set_level = set_level_of_2025,
                                                .tasks_get = get_task_of_2025};
    const mcp_20260728_call_tool_request_params call = {0};
    const mcp_20251125_get_task_request_params task = {0};
    seen by = {NULL, NULL};
    CHECK(mcp_20260728_server_dispatch.request(&server, MCP_20260728_METHOD_TOOLS_CALL, NULL, &call, &by) ==
          MCPW_PENDING);
    CHECK(was_called(by, "tools_call", &call));
    CHECK(mcp_20260728_server_dispatch.request(&server, MCP_20260728_METHOD_TOOLS_LIST, NULL, NULL, &by) ==
          MCPW_OK);
    CHECK(was_called(by, "tools_list", NULL));
    CHECK(mcp_20251125_server_dispatch.request(&older, MCP_20251125_METHOD_LOGGING_SET_LEVEL, NULL, NULL,
                                               &by) == MCPW_E_REMOTE);
    CHECK(was_called(by, "set_level", NULL));
    CHECK(mcp_20251125_server_dispatch.request(&older, MCP_20251125_METHOD_TASKS_GET, NULL, &task, &by) ==
          MCPW_OK);
    CHECK(was_called(by, "get_task", &task));
}

static void a_client_serves_what_travels_inside_results(void) {
    const mcp_20260728_client_handlers client = {.sampling_create_message = sampling_of_2026};
    const mcp_20260728_create_message_request_params params = {0};
    seen by = {NULL, NULL};
    CHECK(mcp_20260728_client_dispatch.request(&client, MCP_20260728_METHOD_SAMPLING_CREATE_MESSAGE, NULL,
                                               &params, &by) == MCPW_OK);
    CHECK(was_called(by, "sampling", &params));
}

static void the_slot_of_a_notification_gets_its_params(void) {
    const mcp_20260728_client_handlers client = {.notifications_resources_updated = updated_of_2026};
    const mcp_20251125_server_handlers older = {.notifications_roots_list_changed = roots_changed_of_2025};
    const mcp_20260728_resource_updated_notification_params params = {0};
    seen by = {NULL, NULL};
    mcp_20260728_client_dispatch.notification(&client, MCP_20260728_METHOD_NOTIFICATIONS_RESOURCES_UPDATED,
                                              NULL, &params, &by);
    CHECK(was_called(by, "updated", &params));
    mcp_20251125_server_dispatch.notification(&older, MCP_20251125_METHOD_NOTIFICATIONS_ROOTS_LIST_CHANGED,
                                              NULL, NULL, &by);
    CHECK(was_called(by, "roots_changed", NULL));
}

static void an_empty_slot_is_no_method(void) {
    const mcp_20260728_server_handlers server = {.tools_call = call_of_2026};
    const mcp_20251125_client_handlers client = {0};
    seen by = {NULL, NULL};
    for (int method = -1; method <= UNKNOWN_METHOD; method++) {
        CHECK(mcp_20251125_client_dispatch.request(&client, method, NULL, NULL, &by) == MCPW_E_METHOD);
        mcp_20251125_client_dispatch.notification(&client, method, NULL, NULL, &by);
    }
    CHECK(mcp_20260728_server_dispatch.request(&server, MCP_20260728_METHOD_TOOLS_LIST, NULL, NULL, &by) ==
          MCPW_E_METHOD);
    CHECK(by.slot == NULL);
}

static void requests_and_notifications_are_apart(void) {
    const mcp_20260728_server_handlers server = {.tools_call = call_of_2026};
    const mcp_20260728_client_handlers client = {.notifications_resources_updated = updated_of_2026};
    seen by = {NULL, NULL};
    mcp_20260728_server_dispatch.notification(&server, MCP_20260728_METHOD_TOOLS_CALL, NULL, NULL, &by);
    CHECK(mcp_20260728_client_dispatch.request(&client, MCP_20260728_METHOD_NOTIFICATIONS_RESOURCES_UPDATED,
                                               NULL, NULL, &by) == MCPW_E_METHOD);
    CHECK(by.slot == NULL);
}

static void a_reply_gives_its_value_to_its_own_method_alone(void) {
    const mcp_20251125_list_tools_result tools = {0};
    mcpw_reply reply = {.status = MCPW_OK,
                        .method = MCP_20251125_METHOD_TOOLS_LIST,
                        .type = &mcp_20251125_list_tools_result_table,
                        .value = &tools};
    CHECK(mcp_20251125_reply_tools_list(&reply) == &tools);
    CHECK(mcp_20251125_reply_prompts_list(&reply) == NULL);
    reply.method = MCP_20251125_METHOD_PROMPTS_LIST;
    CHECK(mcp_20251125_reply_tools_list(&reply) == NULL);
    CHECK(mcp_20251125_reply_prompts_list(&reply) == NULL);
    reply.method = MCP_20251125_METHOD_TOOLS_LIST;
    reply.status = MCPW_E_TIMEOUT;
    CHECK(mcp_20251125_reply_tools_list(&reply) == NULL);
}

static void a_task_is_no_result_of_the_method(void) {
    const mcp_20251125_create_task_result task = {0};
    mcpw_reply reply = {.status = MCPW_OK,
                        .method = MCP_20251125_METHOD_TOOLS_CALL,
                        .type = &mcp_20251125_create_task_result_table,
                        .value = &task};
    CHECK(mcp_20251125_reply_task(&reply) == &task);
    CHECK(mcp_20251125_reply_tools_call(&reply) == NULL);
    reply.type = &mcp_20251125_call_tool_result_table;
    CHECK(mcp_20251125_reply_task(&reply) == NULL);
    CHECK(mcp_20251125_reply_tools_call(&reply) != NULL);
}

int main(void) {
    RUN(a_dispatch_says_what_it_is_for);
    RUN(only_filled_slots_are_there);
    RUN(the_slot_of_a_request_gets_its_params);
    RUN(a_client_serves_what_travels_inside_results);
    RUN(the_slot_of_a_notification_gets_its_params);
    RUN(an_empty_slot_is_no_method);
    RUN(requests_and_notifications_are_apart);
    RUN(a_reply_gives_its_value_to_its_own_method_alone);
    RUN(a_task_is_no_result_of_the_method);
    return check_end();
}
