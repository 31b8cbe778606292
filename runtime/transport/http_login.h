/* SPDX-License-Identifier: MIT */
/* The interface between the HTTP client and a login. The client calls these functions, and the login calls
 * nothing of the client. So a client without a login links none of it. */
#ifndef MCPW_TRANSPORT_HTTP_LOGIN_H
#define MCPW_TRANSPORT_HTTP_LOGIN_H

#include "os_set.h"

#include <mcpw/http_connect.h>
#include <mcpw/oauth.h>

/* The parts of a response of the MCP server that matter to a login. */
typedef struct mcpw_http_login_response {
    int status;
    mcpw_str www_authenticate; /* all of them, with commas between them; absent: none */
    mcpw_str dpop_nonce;       /* absent: none */
    const char *peer;          /* the address of the server in numbers; NULL: not known */
} mcpw_http_login_response;

struct mcpw_http_login {
    mcpw_os_set *set; /* one of its sockets is ready if work() has something to do */
    const char *url;  /* of the MCP server */
    /* Fills in the fields of a request, as mcpw_oauth_fields does. MCPW_PENDING: call it again when work()
     * returns something else. */
    mcpw_status (*fields)(mcpw_http_login *self, const char *method, mcpw_oauth_pass *pass,
                          mcpw_error *error);
    /* As mcpw_oauth_answered. */
    mcpw_oauth_action (*answered)(mcpw_http_login *self, const mcpw_oauth_pass *pass,
                                  const mcpw_http_login_response *response, mcpw_error *error);
    /* Does what is possible without waiting. MCPW_PENDING: a login is under way. MCPW_OK: none is. Any other
     * status: it has failed in this call. */
    mcpw_status (*work)(mcpw_http_login *self, mcpw_error *error);
    /* The time of mcpw_io_now by which work() must be called; UINT64_MAX: never. */
    uint64_t (*due)(const mcpw_http_login *self);
    /* Gives up the login that is under way, if there is one. */
    void (*stop)(mcpw_http_login *self);
};

#endif
