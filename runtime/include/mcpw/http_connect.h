/* SPDX-License-Identifier: MIT */
/*
 * A client of HTTP that serves <mcpw/http_client.h>, by libcurl; a library of its own, mcpwire::http_client.
 * Linux.
 *
 *     mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
 *     options.url = "http://127.0.0.1:8080/mcp";
 *     client = mcpw_client_connect(&options, &config, &error);
 *
 * The client is one of <mcpw/io.h>: what is called there, and the generated calls, work as over pipes. Before
 * another thread uses libcurl, call curl_global_init, as its manual says.
 *
 * Redirects of status 307 and 308 are followed within one origin, the method and the body kept: to a URL of
 * the same scheme, host and port, or from http at port 80 to https at port 443 of the same host. Tokens and
 * fields go there, too. Those of 308 count for all later requests. All other redirects fail the request, and
 * the error names their target. (RFC 9110, section 15.4.)
 */
#ifndef MCPW_HTTP_CONNECT_H
#define MCPW_HTTP_CONNECT_H

#include <mcpw/http_client.h>
#include <mcpw/io.h>

MCPW_BEGIN_DECLS

/* How to connect. Zero and NULL take the default. Initialise with MCPW_HTTP_CONNECT_OPTIONS_INIT. What it
 * points at is copied, but for what its callbacks use. */
typedef struct mcpw_http_connect_options {
    size_t struct_size;    /* set by MCPW_HTTP_CONNECT_OPTIONS_INIT */
    const char *url;       /* of the server's one place: "https://example.com/mcp"; http or https */
    const char *proxy;     /* as libcurl takes it: "socks5h://..."; default: by the environment, as curl does;
                              "": none */
    const char *ca_file;   /* certificates that are trusted, PEM; default: the system's */
    const char *cert_file; /* a certificate of this end, PEM, with key_file */
    const char *key_file;  /* its key, PEM */
    unsigned connect_timeout_ms; /* ms until a connection stands; default 30000 */
    unsigned max_connections;    /* to the server at once; streams take one each; default 16 */
    unsigned patience;           /* ms that the end of the session may take; default 2000 */
    /* What is sent besides, tokens, limits; its session is set. NULL: nothing, and the defaults. */
    const mcpw_http_client_config *http;
    /* Where it is looked up which servers need a handshake, and noted: mcpw_client_connect alone. It is not
     * copied. NULL: each is asked. */
    mcpw_http_origins *origins;
    unsigned max_redirects;       /* of one request; default 5 */
    mcpw_switch follow_redirects; /* on by default */
} mcpw_http_connect_options;

/* Everything at its default. */
#define MCPW_HTTP_CONNECT_OPTIONS_INIT MCPW_SIZED(mcpw_http_connect_options)

/* Connects to a server and negotiates, as mcpw_client_start does. NULL with why in error. */
MCPW_NODISCARD MCPW_API mcpw_client *mcpw_client_connect(const mcpw_http_connect_options *options,
                                                         const mcpw_session_config *config,
                                                         mcpw_error *error);

/* What carries a session's messages over HTTP, for mcpw_io_carry: for programs whose loop is a mcpw_io.
 * MCPW_E_ARGUMENT: the URL or a field cannot be used; MCPW_E_IO, MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_http_transport(const mcpw_http_connect_options *options,
                                                        mcpw_session *session, mcpw_transport *transport,
                                                        mcpw_error *error);

MCPW_END_DECLS

#endif
