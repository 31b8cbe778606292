/* SPDX-License-Identifier: MIT */
/* What is wrong with a tool's arguments, as a result: where the model sees it. */
#include "written.h"

#include "far.h"

mcpw_status mcpw_respond_tool_error(mcpw_request *request, const char *text) {
    if (mcpw_request_is_far(request)) {
        return mcpw_far_tool_error(mcpw_respond_tool_error, request, text);
    }
    const mcpw_str message = mcpw_str_from(text);
    mcpw_written a;
    mcpw_written_open(&a, request, "CallToolResult", message.len);
    MCPW_WRITTEN_PUT(&a, "\"content\":[{\"type\":\"text\",\"text\":");
    mcpw_written_string(&a, message);
    MCPW_WRITTEN_PUT(&a, "}],\"isError\":true");
    return mcpw_written_end(&a);
}
