/* SPDX-License-Identifier: MIT */
/*
 * Token exchange for a gateway: a server that calls another server, its upstream, on behalf of its own
 * client. The token that the gateway has received is for the gateway alone, and MCP forbids passing it on.
 * The authorization server exchanges it for a token that is for the upstream:
 *
 *     mcpw_oauth_upstream_exchange   is the one function that takes a received token; only the authorization
 *                                    server's token endpoint gets it
 *     mcpw_oauth_upstream_exchanged  takes the response of the token endpoint
 *     mcpw_oauth_upstream_field      makes the field Authorization, with the new token, for a request to the
 *                                    upstream
 *
 * So a received token cannot reach an upstream by these functions, not even if the authorization server
 * returns it as the new one. <mcpw/http.h> shows no token to handlers. A program gets the received token in
 * `authorize`, or in a mcpw_http_verifier of its own, whose `verify` calls that of the verifier in use.
 *
 * It is a state machine without I/O, as <mcpw/oauth.h> is; the program makes the one request.
 *
 * (MCP 2026-07-28, "Authorization", token handling; RFC 8693; RFC 8707.)
 *
 * Threads: an object belongs to one thread at a time.
 */
#ifndef MCPW_OAUTH_UPSTREAM_H
#define MCPW_OAUTH_UPSTREAM_H

#include <mcpw/oauth.h>

MCPW_BEGIN_DECLS

/* A token for one upstream, on behalf of one client. */
typedef struct mcpw_oauth_upstream mcpw_oauth_upstream;

/* The config of an exchange. Texts are copied; the signer must outlive the object. Either client_secret or
 * signer is required. Initialise with MCPW_OAUTH_UPSTREAM_CONFIG_INIT. */
typedef struct mcpw_oauth_upstream_config {
    size_t struct_size;              /* set by MCPW_OAUTH_UPSTREAM_CONFIG_INIT */
    const char *url;                 /* required: the upstream's URL; the new token is for it alone */
    const char *issuer;              /* required: the authorization server, a URL */
    const char *token_endpoint;      /* required: its token endpoint; https, or http on this machine */
    const char *client_id;           /* required: the id of the gateway at the authorization server */
    const char *client_secret;       /* sent by the scheme Basic; NULL: the signer is used */
    const mcpw_oauth_signer *signer; /* signs an assertion (RFC 7523); NULL: the secret is used */
    const char *audience;            /* the upstream's name at the authorization server; NULL: not sent */
    const char *scopes;  /* for the new token, separated by spaces; NULL: those that the server chooses */
    size_t max_document; /* most bytes of the response; default 256 KiB */
    mcpw_allocator allocator; /* for all memory; it is wiped before it is freed */
} mcpw_oauth_upstream_config;

/* Everything at its default. */
#define MCPW_OAUTH_UPSTREAM_CONFIG_INIT MCPW_SIZED(mcpw_oauth_upstream_config)

/* Makes an object without a token. Free it with mcpw_oauth_upstream_free. NULL, with error filled in, if the
 * config is not usable, or memory runs out. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_oauth_upstream *
mcpw_oauth_upstream_new(const mcpw_oauth_upstream_config *config, mcpw_error *error);
/* Frees an object and wipes its token. Does nothing for NULL. */
MCPW_STATIC_API void mcpw_oauth_upstream_free(mcpw_oauth_upstream *upstream);

/* Makes the request that exchanges a received token; unix_ms is the time, in ms since 1970 (UTC). The texts
 * of the request live until the next call for this object. Send it without redirects, and report its response
 * by mcpw_oauth_upstream_exchanged. MCPW_E_ARGUMENT: the token is empty, or the order was not initialised
 * with MCPW_OAUTH_ORDER_INIT. MCPW_E_MEMORY. Other statuses are the signer's. (RFC 8693, section 2.1.) */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_oauth_upstream_exchange(mcpw_oauth_upstream *upstream,
                                                                        mcpw_str received_token,
                                                                        uint64_t unix_ms,
                                                                        mcpw_oauth_order *order,
                                                                        mcpw_error *error);
/* Takes the response: its HTTP status and its body. It wipes the request with the received token, and the
 * upstream's last token. MCPW_E_UNAUTHORIZED: the status is not 200, or the response has the received token,
 * or no access token to be sent as Bearer. MCPW_E_STATE: no response is awaited. MCPW_E_ARGUMENT. Other
 * statuses mean that the body is no valid response. (RFC 8693, section 2.2.) */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_oauth_upstream_exchanged(mcpw_oauth_upstream *upstream,
                                                                         int status, mcpw_str body,
                                                                         uint64_t unix_ms, mcpw_error *error);

/* Makes the field Authorization of a request to the upstream. Its text lives until the next call for this
 * object. MCPW_E_ARGUMENT: the URL is neither that of the upstream nor below its path. MCPW_PENDING: there is
 * no token, or it expires within 10 seconds; exchange the received one. MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_oauth_upstream_field(mcpw_oauth_upstream *upstream,
                                                                     const char *url, uint64_t unix_ms,
                                                                     mcpw_http_field *field);

MCPW_END_DECLS

#endif
