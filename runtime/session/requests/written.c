/* SPDX-License-Identifier: MIT */
/* Tells what is wrong with a tool's arguments in a result, where the model sees it. */
#include "written.h"

MCPW_POSTED(posted_tool_error, mcpw_respond_tool_error(request, a->text))

mcpw_status mcpw_respond_tool_error(mcpw_request *request, const char *text) {
    if (mcpw_request_is_cross_thread(request)) {
        return mcpw_post_call(request, __func__, posted_tool_error, &(mcpw_post_args){.text = text});
    }
    const mcpw_str message = mcpw_str_from(text);
    mcpw_written a;
    mcpw_written_begin(&a, request, "CallToolResult", message.len);
    mcpw_written_content(&a, message);
    mcpw_text_key(&a.text, "isError");
    mcpw_text_bool(&a.text, true);
    return mcpw_written_end(&a);
}
