/* SPDX-License-Identifier: MIT */
#include "call_http.h"

mcpw_status call_http_begin(server_link *l, const link_target *to, mcpw_error *error) {
    (void)l;
    mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s: this mcpwire was built without libcurl", to->url);
    return MCPW_E_ARGUMENT;
}
