/* SPDX-License-Identifier: MIT */
/*
 * An HTTP client for <mcpw/http_client.h>, by libcurl. It is a library of its own, mcpwire::http_client.
 * For POSIX and Windows.
 *
 *     mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
 *     options.url = "http://127.0.0.1:8080/mcp";
 *     client = mcpw_client_connect(&options, &config, &error);
 *
 * The client is that of <mcpw/io.h>. Its functions and the generated calls work as over pipes. Call
 * curl_global_init before another thread uses libcurl, as the manual of libcurl demands.
 *
 * Redirects of status 307 and 308 are followed within one origin, with the same method and body. The target
 * must have the same scheme, host and port, or lead from http at port 80 to https at port 443 of the same
 * host. Tokens and fields are sent there, too. A redirect of status 308 applies to all later requests. Any
 * other redirect fails the request, and the error names its target. (RFC 9110, section 15.4.) A client with a
 * login (<mcpw/http_login.h>) follows none.
 */
#ifndef MCPW_HTTP_CONNECT_H
#define MCPW_HTTP_CONNECT_H

#include <mcpw/http_client.h>
#include <mcpw/io.h>

MCPW_BEGIN_DECLS

/* A login at a server (<mcpw/http_login.h>). */
typedef struct mcpw_http_login mcpw_http_login;

/* How to connect. Zero and NULL take the default. Initialise with MCPW_HTTP_CONNECT_OPTIONS_INIT. Everything
 * that they point at is copied, except the data of callbacks. */
typedef struct mcpw_http_connect_options {
    size_t struct_size; /* set by MCPW_HTTP_CONNECT_OPTIONS_INIT */
    const char *url;    /* of the server, "https://example.com/mcp"; http or https */
    const char *proxy;  /* in the form of libcurl: "socks5h://..."; default: from the environment, as in curl;
                           "": none */
    const char *ca_file;         /* trusted certificates, PEM; default: the system's */
    const char *cert_file;       /* the client's certificate, PEM; needs key_file */
    const char *key_file;        /* its key, PEM */
    unsigned connect_timeout_ms; /* ms to make a connection; default 30000 */
    /* Connections to the server at once; streams take one each; default 16. While all are taken, responses
     * and notifications have two more, because requests under way may wait for them. */
    unsigned max_connections;
    unsigned patience_ms; /* ms that the end of the session may take; default 2000 */
    /* Additional fields, tokens and limits. The call sets its session. NULL: no fields, and the defaults. */
    const mcpw_http_client_config *http;
    /* The set of servers that need a handshake, which mcpw_client_connect reads and extends. It is not
     * copied. NULL: every server is asked. */
    mcpw_http_origins *origins;
    unsigned max_redirects;       /* of one request; default 5 */
    mcpw_switch follow_redirects; /* on by default; off with a login */
    /* Puts tokens into requests, and logs in if the server refuses them. It must be for the same URL and
     * outlive the connection. NULL: none. */
    mcpw_http_login *login;
} mcpw_http_connect_options;

/* Everything at its default. */
#define MCPW_HTTP_CONNECT_OPTIONS_INIT MCPW_SIZED(mcpw_http_connect_options)

/* Connects to a server and negotiates, as mcpw_client_start does. Returns NULL on failure, with the reason in
 * error. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_client *mcpw_client_connect(const mcpw_http_connect_options *options,
                                                                const mcpw_session_config *config,
                                                                mcpw_error *error);

/* Makes a transport over HTTP for mcpw_io_carry, for programs whose loop is a mcpw_io. MCPW_E_ARGUMENT: the
 * URL or a field is invalid; MCPW_E_IO, MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_http_transport(const mcpw_http_connect_options *options,
                                                               mcpw_session *session,
                                                               mcpw_transport *transport, mcpw_error *error);

MCPW_END_DECLS

#endif
