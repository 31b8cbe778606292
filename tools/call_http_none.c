/* SPDX-License-Identifier: MIT */
#include "call_http.h"

mcpw_status call_http_begin(mcpw_io *io, mcpw_session *session, const link_target *to, mcpw_error *error) {
    (void)io;
    (void)session;
    mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s: this mcpwire was built without libcurl", to->url);
    return MCPW_E_ARGUMENT;
}
