/* SPDX-License-Identifier: MIT */
/* The facts of a revision beyond its types: codes, and who declares a capability. */
#include <mcp/2024-11-05.h>
#include <mcp/2026-07-28.h>
#include <mcpw/detail/protocol.h>

#include "check.h"
#include "protocol.h"

static void each_role_has_the_code_of_the_revision(void) {
    const mcpw_revision *const old = &mcp_20241105_revision;
    const mcpw_revision *const new = &mcp_20260728_revision;
    CHECK(mcpw_protocol_code(old, MCPW_CODE_RESOURCE_NOT_FOUND) == -32002);
    CHECK(mcpw_protocol_code(old, MCPW_CODE_MISSING_CAPABILITY) == -32600);
    CHECK(mcpw_protocol_code(old, MCPW_CODE_UNSUPPORTED_VERSION) == -32602);
    CHECK(mcpw_protocol_code(new, MCPW_CODE_RESOURCE_NOT_FOUND) == -32602);
    CHECK(mcpw_protocol_code(new, MCPW_CODE_MISSING_CAPABILITY) ==
          MCP_20260728_ERROR_MISSING_REQUIRED_CLIENT_CAPABILITY);
    CHECK(mcpw_protocol_code(new, MCPW_CODE_UNSUPPORTED_VERSION) ==
          MCP_20260728_ERROR_UNSUPPORTED_PROTOCOL_VERSION);
}

static void codes_of_other_revisions_have_a_successor(void) {
    CHECK(mcpw_protocol_code_in(&mcp_20260728_revision, MCP_20241105_ERROR_RESOURCE_NOT_FOUND) == -32602);
    CHECK(mcpw_protocol_code_in(&mcp_20241105_revision, MCP_20260728_ERROR_HEADER_MISMATCH) == -32600);
    CHECK(mcpw_protocol_code_in(&mcp_20241105_revision, MCP_20241105_ERROR_RESOURCE_NOT_FOUND) == -32002);
}

static void gates_name_method_member_and_capability(void) {
    const mcpw_protocol *const protocol = mcpw_protocol_of(&mcp_20260728_revision);
    const mcpw_gate *const url = protocol->gates;
    CHECK(mcpw_protocol_of(&mcp_20241105_revision)->gate_count == 0);
    CHECK(protocol->gate_count == 3);
    CHECK(url->method == MCP_20260728_METHOD_ELICITATION_CREATE);
    CHECK_STRING(url->member, "mode");
    CHECK_STRING(url->value, "url");
    CHECK_STRING(url->capability, "elicitation.url");
    CHECK(url[1].method == MCP_20260728_METHOD_SAMPLING_CREATE_MESSAGE && url[1].value == NULL);
}

static bool sender_declares(int method) {
    bool by_sender = false;
    CHECK(mcpw_capability_of(&mcp_20241105_revision, method, &by_sender) != NULL);
    return by_sender;
}

static void capabilities_are_those_of_the_receiver_or_of_the_sender(void) {
    CHECK(!sender_declares(MCP_20241105_METHOD_TOOLS_CALL));
    CHECK(!sender_declares(MCP_20241105_METHOD_SAMPLING_CREATE_MESSAGE));
    CHECK(sender_declares(MCP_20241105_METHOD_NOTIFICATIONS_ROOTS_LIST_CHANGED));
    CHECK(sender_declares(MCP_20241105_METHOD_NOTIFICATIONS_TOOLS_LIST_CHANGED));
}

static void a_capability_is_named(void) {
    CHECK_STRING(mcpw_capability_of(&mcp_20241105_revision, MCP_20241105_METHOD_TOOLS_CALL, NULL), "tools");
    CHECK(mcpw_capability_of(&mcp_20241105_revision, MCP_20241105_METHOD_PING, NULL) == NULL);
}

static void bad_arguments_are_told_in_a_result_since_2025_11_25(void) {
    CHECK(!mcpw_protocol_tells_arguments(&mcp_20241105_revision));
    CHECK(mcpw_protocol_tells_arguments(&mcp_20260728_revision));
}

static void what_no_revision_has_needs_nothing(void) {
    bool by_sender = true;
    CHECK(mcpw_capability_of(NULL, 1, &by_sender) == NULL && !by_sender);
    CHECK(mcpw_capability_of(&mcp_20241105_revision, 0, NULL) == NULL);
    CHECK(mcpw_capability_of(&mcp_20241105_revision, 1000, NULL) == NULL);
    CHECK(mcpw_protocol_code(NULL, MCPW_CODE_MISSING_CAPABILITY) == 0);
    CHECK(mcpw_protocol_code_in(NULL, -32002) == -32002);
}

int main(void) {
    RUN(each_role_has_the_code_of_the_revision);
    RUN(codes_of_other_revisions_have_a_successor);
    RUN(gates_name_method_member_and_capability);
    RUN(capabilities_are_those_of_the_receiver_or_of_the_sender);
    RUN(a_capability_is_named);
    RUN(bad_arguments_are_told_in_a_result_since_2025_11_25);
    RUN(what_no_revision_has_needs_nothing);
    return check_end();
}
