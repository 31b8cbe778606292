/* SPDX-License-Identifier: MIT */
/*
 * A client of the transport "Streamable HTTP". It does no input or output of its own. It stands between a
 * client's session and a program that makes HTTP requests, such as that of <mcpw/http_connect.h>. It
 * implements the rules of that transport: the fields of a request, the message that a response answers, the
 * meaning of a stream that ends early, and how a session on the server is named, ended and opened again. It
 * opens no sockets and parses no HTTP. The program calls:
 *
 *   - To learn the next thing to do: mcpw_http_client_next, until it returns MCPW_PENDING.
 *   - The head of a response has come: mcpw_http_call_head.
 *   - A piece of its body has come: mcpw_http_call_body.
 *   - The response is complete, or has failed: mcpw_http_call_end.
 *   - Time has passed: mcpw_http_client_advance, by mcpw_http_client_deadline at the latest.
 *   - The program needs nothing more: mcpw_http_client_stop.
 *
 * It speaks both eras, as the session asks for them. It begins as a client of 2026-07-28 or newer, whose
 * requests are independent. If the server knows none of these revisions, it opens a session on the server.
 * Beyond carrying messages it follows these rules:
 *   - Headers repeat values of the body. That includes arguments of tools whose schemas in the server's
 *     list have x-mcp-header. A tool with an invalid x-mcp-header is left out of the list. If the server
 *     answers that headers do not match, the tools are listed again and the call is made once more.
 *   - A cancelled request is ended by closing its stream, or in a session by a message.
 *   - A broken stream is resumed if its events have ids. Else a request that is safe to repeat is made
 *     again under a new id. A call of a tool is not repeated; it fails.
 *   - A session that the server has lost (404) is opened again, once for each request.
 *   - The session's request_timeout_ms also limits messages other than its requests: responses and
 *     notifications, the opening of a lost session, and the repeated listing of tools. After that they are
 *     given up. The program is warned if it was a response or a notification.
 *   - A request that HTTP could not carry fails with one of these: MCPW_E_CONNECTION (no response, or a
 *     broken one), MCPW_E_UNAUTHORIZED (401, or 403 with a challenge), MCPW_E_HTTP (any other status
 *     without a JSON-RPC error, or a response without an answer), MCPW_E_SIZE, MCPW_E_MEMORY. It never
 *     fails with MCPW_E_REMOTE, which is for JSON-RPC errors of the server.
 *   - Messages from the server that need an answer are read as fast as the server takes the answers: see
 *     max_queued.
 *
 * (MCP 2026-07-28, "Streamable HTTP"; MCP 2025-11-25, "Streamable HTTP".)
 *
 * Threads: all of it belongs to the thread of the session. Callbacks of the session run inside
 * mcpw_http_call_body, mcpw_http_call_end, mcpw_http_client_advance and mcpw_http_client_next. They must call
 * nothing of this header.
 */
#ifndef MCPW_HTTP_CLIENT_H
#define MCPW_HTTP_CLIENT_H

#include <mcpw/http.h>

MCPW_BEGIN_DECLS

/* A client's side of HTTP. */
typedef struct mcpw_http_client mcpw_http_client;
/* An HTTP request and its response. */
typedef struct mcpw_http_call mcpw_http_call;

/* A challenge: the contents of a server's WWW-Authenticate. A text that the server does not send is absent.
 * (RFC 9110, section 11.6.1; RFC 6750, section 3; RFC 9728, section 5.1.) */
typedef struct mcpw_http_challenge {
    mcpw_str scheme;            /* "Bearer" */
    mcpw_str realm;             /* the protected area */
    mcpw_str error;             /* "invalid_token", "insufficient_scope" */
    mcpw_str error_description; /* the error in words for people */
    mcpw_str resource_metadata; /* the URL of metadata that name the issuers of tokens */
    mcpw_str scope;             /* the scopes that are needed, separated by blanks */
} mcpw_http_challenge;

enum { MCPW_MAX_CHALLENGE = 8192 /* bytes of a WWW-Authenticate; a longer one is not read */ };

/* Reads the value of WWW-Authenticate. If there are several challenges, the first of the scheme Bearer
 * counts, or else the first. Its texts lie in value or in the arena. They come from the server, so escape
 * them before you show them. MCPW_E_NOT_FOUND: there is no challenge; MCPW_E_SIZE: it is longer than
 * MCPW_MAX_CHALLENGE; MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_http_challenge_read(mcpw_str value, mcpw_arena *arena,
                                                                     mcpw_http_challenge *challenge);

/* The reason why a request failed by HTTP. It lives while on_failure runs. All texts come from the server and
 * may contain any bytes. */
typedef struct mcpw_http_failure {
    const mcpw_error *error;       /* the same error as for the request's on_reply; its code is the status */
    int http_status;               /* 0: no response has begun */
    mcpw_str method;               /* of the message */
    bool has_token;                /* the request had a field Authorization */
    mcpw_http_challenge challenge; /* of status 401 and 403 */
    mcpw_str location;             /* the target of a redirect; absent: none */
    mcpw_str body;                 /* the part of the response's body that was kept */
} mcpw_http_failure;

/* How to make a client. Zero and NULL take the default. Initialise with MCPW_HTTP_CLIENT_CONFIG_INIT. */
typedef struct mcpw_http_client_config {
    size_t struct_size;    /* set by MCPW_HTTP_CLIENT_CONFIG_INIT */
    mcpw_session *session; /* required: a client session that is not open yet; must outlive this client */
    const mcpw_http_field *fields; /* more fields for every request; copied */
    size_t field_count;            /* how many */
    size_t max_message;            /* bytes of a response, or an event; default MCPW_DEFAULT_BYTES */
    /* Bytes that are kept of tools whose arguments are repeated in headers; default 1 MiB. A tool beyond that
     * is called without these headers, and listed again if the server demands them. */
    size_t max_tools;
    uint64_t retry_ms;    /* ms until a stream is resumed, if the server sets no time; default 1000 */
    unsigned max_retries; /* of one stream, without a message or a new event id between them; default 5 */
    /* In a session the client opens the server's own stream; on by default. If it is off, notifications and
     * input requests that the server sends there are lost. */
    mcpw_switch open_stream;
    /* Returns the token for "Authorization: Bearer". It is called before each request, with an absent
     * challenge. The token is copied and need not be NUL-terminated. If a server refuses the token (401), the
     * callback is called once more, with the WWW-Authenticate of that response. If it then returns an absent
     * token, the request fails. NULL: no token. */
    mcpw_str (*token)(void *user, mcpw_str challenge);
    /* Adds up to `room` fields for one request and returns their number. method is that of the message;
     * absent: the request carries none. The fields are copied. NULL: none. */
    size_t (*add_fields)(void *user, mcpw_str method, mcpw_http_field *fields, size_t room);
    /* Called when the server did something wrong, with a message for people. May be NULL. */
    void (*on_warning)(void *user, const char *message);
    void *user;               /* passed to these */
    mcpw_allocator allocator; /* for all memory that the client keeps */
    /* HTTP requests under way at once, including streams; others wait; default 64. As many responses and
     * notifications to the server may be under way besides, because requests may wait for them. For the same
     * reason a program that limits its connections keeps one for these. */
    size_t max_running;
    /* Responses and notifications to the server that wait or are under way; default 1024. At this number
     * mcpw_http_call_is_held returns true, so that streams are not read. */
    size_t max_queued;
    size_t max_queued_bytes; /* the same in bytes of these messages; default 16 MiB */
    /* The least ms until a stream is resumed, even if the server sets less; default 100. It doubles with each
     * try that yields no message, up to 10 s. */
    uint64_t retry_floor_ms;
    /* Called when a request of the session has failed by HTTP; its on_reply is called next. May be NULL. */
    void (*on_failure)(void *user, const mcpw_http_failure *failure);
} mcpw_http_client_config;

/* Everything at its default. */
#define MCPW_HTTP_CLIENT_CONFIG_INIT MCPW_SIZED(mcpw_http_client_config)

/* A new client. NULL, with error filled in, if memory runs out, the config has no session, or one of its
 * fields is invalid. The program opens the session by mcpw_session_open, and frees it after the client. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_http_client *mcpw_http_client_new(const mcpw_http_client_config *config,
                                                                       mcpw_error *error);

/* Stops the client. Messages that the session still has are sent, requests that wait for responses are given
 * up, and the session on the server is ended (DELETE). mcpw_http_client_next returns what is left to do. */
MCPW_SESSION_API void mcpw_http_client_stop(mcpw_http_client *client);

/* Frees a client and its calls, also those that still wait. Does nothing for NULL. */
MCPW_SESSION_API void mcpw_http_client_free(mcpw_http_client *client);

/* The next thing to do. */
typedef struct mcpw_http_order {
    mcpw_http_call *call; /* the call */
    /* true: the call is over; close its connection and call nothing more for it. False: make this request: */
    bool gives_up;
    const char *method;            /* "POST", "GET", "DELETE" */
    const mcpw_http_field *fields; /* to send unchanged */
    size_t field_count;            /* how many */
    mcpw_str body;                 /* of POST; all of these live as long as the call */
} mcpw_http_order;

/* Returns the next thing to do. Call it after each event: a call has made progress, the session was called,
 * time has passed. The call may return:
 *   - MCPW_OK: *order is the next thing to do.
 *   - MCPW_PENDING: there is nothing to do now.
 *   - MCPW_E_CONNECTION: the server could not be reached when the session was opened; error has the
 *     reason.
 *   - MCPW_E_FULL: the program has read on in spite of mcpw_http_call_is_held, and the session's
 *     max_output is reached as well.
 *   - MCPW_E_MEMORY: a message of the session was lost. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_http_client_next(mcpw_http_client *client,
                                                                  mcpw_http_order *order, mcpw_error *error);

/* Attaches a pointer of the program to a call. */
MCPW_SESSION_API void mcpw_http_call_set_user(mcpw_http_call *call, void *user);
/* That pointer; NULL: none. */
MCPW_SESSION_API void *mcpw_http_call_user(const mcpw_http_call *call);

/* Takes the head of the response: its status, and its fields in any order. Do not call it for a status of
 * 1xx. */
MCPW_SESSION_API void mcpw_http_call_head(mcpw_http_call *call, int status, const mcpw_http_field *fields,
                                          size_t field_count);
/* Takes a piece of its body, of any length, without its transfer coding. Returns false if no more is needed.
 * The program may then end the call at once, as if the response were complete. */
MCPW_NODISCARD MCPW_SESSION_API bool mcpw_http_call_body(mcpw_http_call *call, const void *bytes, size_t len);
/* Whether the program must not read the body now. Too many messages to the server wait (max_queued), and the
 * stream could cause more of them. Call it before each piece, and again after each mcpw_http_client_next that
 * returned MCPW_PENDING. A piece that is passed nevertheless is accepted. */
MCPW_SESSION_API bool mcpw_http_call_is_held(const mcpw_http_call *call);
/* Reports that the response is complete (error is NULL), or the reason why it will not be. The call is gone
 * afterwards. mcpw_http_client_next may order it again. An error of code MCPW_E_UNAUTHORIZED says that the
 * program has no credentials; then the request fails with that error. */
MCPW_SESSION_API void mcpw_http_call_end(mcpw_http_call *call, const mcpw_error *error);

/* Sets the time, in ms on any clock that does not go back. */
MCPW_SESSION_API void mcpw_http_client_advance(mcpw_http_client *client, uint64_t now);
/* The time by which mcpw_http_client_advance must be called next; UINT64_MAX: never. */
MCPW_SESSION_API uint64_t mcpw_http_client_deadline(const mcpw_http_client *client);
/* Whether nothing is under way: no call, and no message of the session. */
MCPW_SESSION_API bool mcpw_http_client_is_idle(const mcpw_http_client *client);

/* ---- Servers that are known ---------------------------------------------------------------------------- */

/* The set of servers that know only revisions with a handshake, by their origins ("https://example.com"). A
 * client that connects again need not ask such a server for another revision first. Any number of clients may
 * share a set, on one thread at a time. (MCP 2026-07-28, "Versioning and Compatibility".) */
typedef struct mcpw_http_origins mcpw_http_origins;

/* An empty set, which keeps the newest `most` origins (0: 1024). NULL if memory runs out. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_http_origins *mcpw_http_origins_new(size_t most,
                                                                         const mcpw_allocator *allocator);
/* Frees it. Does nothing for NULL. */
MCPW_SESSION_API void mcpw_http_origins_free(mcpw_http_origins *origins);

MCPW_END_DECLS

#endif
