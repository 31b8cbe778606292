/* SPDX-License-Identifier: MIT */
/* What the tables say beyond the schema: gates, codes and who declares a capability. */
#include <mcp/2024-11-05.h>
#include <mcp/2026-07-28.h>
#include <mcpw/table.h>

#include "check.h"

static void each_role_has_the_code_of_the_revision(void) {
    CHECK(mcp_20241105_revision.role_codes[MCPW_CODE_RESOURCE_NOT_FOUND] == -32002);
    CHECK(mcp_20241105_revision.role_codes[MCPW_CODE_MISSING_CAPABILITY] == -32600);
    CHECK(mcp_20241105_revision.role_codes[MCPW_CODE_UNSUPPORTED_VERSION] == -32602);
    CHECK(mcp_20260728_revision.role_codes[MCPW_CODE_RESOURCE_NOT_FOUND] == -32602);
    CHECK(mcp_20260728_revision.role_codes[MCPW_CODE_MISSING_CAPABILITY] ==
          MCP_20260728_ERROR_MISSING_REQUIRED_CLIENT_CAPABILITY);
    CHECK(mcp_20260728_revision.role_codes[MCPW_CODE_UNSUPPORTED_VERSION] ==
          MCP_20260728_ERROR_UNSUPPORTED_PROTOCOL_VERSION);
}

/* What a revision sends in place of a code: the code itself, unless it is one that it does not send. */
static int32_t code_in(const mcpw_revision *revision, int32_t code) {
    for (size_t i = 0; i < revision->code_count; i++) {
        if (revision->codes[i].from == code) {
            return revision->codes[i].to;
        }
    }
    return code;
}

static void codes_of_other_revisions_have_a_successor(void) {
    CHECK(code_in(&mcp_20260728_revision, MCP_20241105_ERROR_RESOURCE_NOT_FOUND) == -32602);
    CHECK(code_in(&mcp_20241105_revision, MCP_20260728_ERROR_HEADER_MISMATCH) == -32600);
    CHECK(code_in(&mcp_20241105_revision, MCP_20241105_ERROR_RESOURCE_NOT_FOUND) == -32002);
}

static void gates_name_method_member_and_capability(void) {
    const mcpw_gate *url = mcp_20260728_revision.gates;
    CHECK(mcp_20241105_revision.gate_count == 0);
    CHECK(mcp_20260728_revision.gate_count == 3);
    CHECK(url->method == MCP_20260728_METHOD_ELICITATION_CREATE);
    CHECK_STRING(url->member, "mode");
    CHECK_STRING(url->value, "url");
    CHECK_STRING(url->capability, "elicitation.url");
    CHECK(url[1].method == MCP_20260728_METHOD_SAMPLING_CREATE_MESSAGE && url[1].value == NULL);
}

static bool sender_declares(const mcpw_revision *revision, int method) {
    return (revision->methods[method - 1].flags & MCPW_METHOD_SENDER_DECLARES) != 0;
}

static void capabilities_are_those_of_the_receiver_or_of_the_sender(void) {
    CHECK(!sender_declares(&mcp_20241105_revision, MCP_20241105_METHOD_TOOLS_CALL));
    CHECK(!sender_declares(&mcp_20241105_revision, MCP_20241105_METHOD_SAMPLING_CREATE_MESSAGE));
    CHECK(sender_declares(&mcp_20241105_revision, MCP_20241105_METHOD_NOTIFICATIONS_ROOTS_LIST_CHANGED));
    CHECK(sender_declares(&mcp_20241105_revision, MCP_20241105_METHOD_NOTIFICATIONS_TOOLS_LIST_CHANGED));
}

int main(void) {
    RUN(each_role_has_the_code_of_the_revision);
    RUN(codes_of_other_revisions_have_a_successor);
    RUN(gates_name_method_member_and_capability);
    RUN(capabilities_are_those_of_the_receiver_or_of_the_sender);
    return check_end();
}
