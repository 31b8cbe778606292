/* SPDX-License-Identifier: MIT */
/*
 * A client of the transport "Streamable HTTP", without any input or output of its own. It stands between a
 * client's session and a program that makes requests of HTTP, such as that of <mcpw/http_connect.h>. It knows
 * what HTTP means here: which fields a request has, which response answers which message, what it means when
 * a stream ends early, how a session on the server is named, ended and opened again. It opens no sockets and
 * parses no HTTP:
 *
 *   what is to be done              mcpw_http_client_next, until it says that there is nothing
 *   the head of a response is here  mcpw_http_call_head
 *   a piece of its body             mcpw_http_call_body
 *   it is complete, or has failed   mcpw_http_call_end
 *   time has passed                 mcpw_http_client_advance, by mcpw_http_client_deadline at the latest
 *   nothing more is wanted          mcpw_http_client_stop
 *
 * It speaks both eras, as the session asks for them: first as a client of 2026-07-28 and newer, each of whose
 * requests stands for itself, and where the server knows none of these, in a session of the server's. What it
 * does beyond carrying messages:
 *   - Headers repeat what the body says, arguments of tools among them, as the schemas in the server's list
 *     ask for it by x-mcp-header. A tool that asks in a wrong way is left out of the list. When the server
 *     says that headers do not fit, tools are listed again, and the call is made once more.
 *   - A request that was cancelled is ended by closing its stream, or in a session by a message.
 *   - A stream that breaks is resumed, where its events have ids. Else what is safe to ask twice is asked
 *     again under a new id; a call of a tool is not, and fails.
 *   - A session that the server has lost (404) is opened again, once for each request.
 *   - A request that HTTP could not carry fails with a status of its own, never with MCPW_E_REMOTE, which is
 *     for JSON-RPC errors of the server: MCPW_E_CONNECTION (no response, or a broken one),
 *     MCPW_E_UNAUTHORIZED (401, or 403 with a challenge), MCPW_E_HTTP (any other status without a JSON-RPC
 *     error, or a response without an answer), MCPW_E_SIZE, MCPW_E_MEMORY.
 *   - Messages of the server's that need an answer are read as fast as their answers are taken: see
 *     max_queued.
 * (MCP 2026-07-28, "Streamable HTTP"; MCP 2025-11-25, "Streamable HTTP".)
 *
 * Threads: all of it belongs to the thread of the session. Callbacks of the session run inside of
 * mcpw_http_call_body, mcpw_http_call_end and mcpw_http_client_next, and call nothing of this header.
 */
#ifndef MCPW_HTTP_CLIENT_H
#define MCPW_HTTP_CLIENT_H

#include <mcpw/http.h>

MCPW_BEGIN_DECLS

/* A client's side of HTTP. */
typedef struct mcpw_http_client mcpw_http_client;
/* A request of HTTP and its response. */
typedef struct mcpw_http_call mcpw_http_call;

/* A challenge: what a server asks for by WWW-Authenticate. A text is absent where the server says nothing.
 * (RFC 9110, section 11.6.1; RFC 6750, section 3; RFC 9728, section 5.1.) */
typedef struct mcpw_http_challenge {
    mcpw_str scheme;            /* "Bearer" */
    mcpw_str realm;             /* what is protected */
    mcpw_str error;             /* "invalid_token", "insufficient_scope" */
    mcpw_str error_description; /* the same in words for people */
    mcpw_str resource_metadata; /* a URL that says who gives tokens */
    mcpw_str scope;             /* the scopes that are needed, separated by blanks */
} mcpw_http_challenge;

enum { MCPW_MAX_CHALLENGE = 8192 /* bytes of a WWW-Authenticate that are read; a longer one is absent */ };

/* Reads the value of WWW-Authenticate. Of several challenges the first of the scheme Bearer counts, or else
 * the first. Its texts lie in value or in the arena. They are the server's: escape them before they are
 * shown. MCPW_E_NOT_FOUND: there is no challenge; MCPW_E_SIZE: it is longer than MCPW_MAX_CHALLENGE;
 * MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_http_challenge_read(mcpw_str value, mcpw_arena *arena,
                                                             mcpw_http_challenge *challenge);

/* The reason why a request failed by HTTP, valid while on_failure is called. All texts are the server's, and
 * may hold any bytes. */
typedef struct mcpw_http_failure {
    const mcpw_error *error;       /* as the request's on_reply gets it; its code is the status */
    int http_status;               /* 0: no response has begun */
    mcpw_str method;               /* of the message */
    bool has_token;                /* the request had a field Authorization */
    mcpw_http_challenge challenge; /* of status 401 and 403 */
    mcpw_str location;             /* where the server redirects to; absent: nowhere */
    mcpw_str body;                 /* of the response, as far as it was kept */
} mcpw_http_failure;

/* How to be a client. Zero and NULL take the default. Initialise with MCPW_HTTP_CLIENT_CONFIG_INIT. */
typedef struct mcpw_http_client_config {
    size_t struct_size;            /* set by MCPW_HTTP_CLIENT_CONFIG_INIT */
    mcpw_session *session;         /* required: of a client, not open yet. It must outlive this */
    const mcpw_http_field *fields; /* for every request, besides those that are due; copied */
    size_t field_count;            /* how many */
    size_t max_message;            /* bytes of a response, or an event; default MCPW_DEFAULT_BYTES */
    size_t max_tools;              /* bytes that are kept of tools whose arguments stand in headers; default
                                      1 MiB. Those beyond it are called without, and listed again */
    uint64_t retry;          /* ms until a stream is resumed, where the server does not say; default 1000 */
    unsigned max_retries;    /* of one stream, without a message or a new event id between them; default 5 */
    mcpw_switch open_stream; /* in a session the server's own stream is asked for; on by default. Off: what it
                                tells outside of answers, and its input requests there, are not heard */
    /* The token for "Authorization: Bearer", asked for before each request; NUL-terminated is not needed, and
     * it is copied. challenge is absent then. Where a server refuses it (401) this is asked once more, with
     * the WWW-Authenticate of that response; absent: give up, and the request fails. NULL: no token. */
    mcpw_str (*token)(void *user, mcpw_str challenge);
    /* More fields for one request, up to `room` of them; how many is returned. method is the message's,
     * absent where none is carried. They are copied. NULL: none. */
    size_t (*add_fields)(void *user, mcpw_str method, mcpw_http_field *fields, size_t room);
    /* Something was not right with the server, in words for people. NULL: not told. */
    void (*on_warning)(void *user, const char *message);
    void *user;               /* passed to these */
    mcpw_allocator allocator; /* for all that is kept */
    size_t max_running; /* requests of HTTP under way at once, streams included; others wait; default 64 */
    size_t max_queued;  /* answers and notifications to the server that wait or are under way. From so
                           many on mcpw_http_call_is_held says that streams are not to be read; default
                           1024 */
    size_t max_queued_bytes; /* the same in bytes of these messages; default 16 MiB */
    uint64_t retry_floor_ms; /* ms until a stream is resumed at the earliest, whatever the server says. It
                                doubles with each try that brings no message, up to 10 s; default 100 */
    /* A request of the session's has failed by HTTP; its on_reply is called next. NULL: not told. */
    void (*on_failure)(void *user, const mcpw_http_failure *failure);
} mcpw_http_client_config;

/* Everything at its default. */
#define MCPW_HTTP_CLIENT_CONFIG_INIT MCPW_SIZED(mcpw_http_client_config)

/* A new client; NULL with error filled in when memory runs out, the config has no session, or a field that
 * cannot stand in a header. The session is opened by mcpw_session_open, and freed after this. */
MCPW_NODISCARD MCPW_API mcpw_http_client *mcpw_http_client_new(const mcpw_http_client_config *config,
                                                               mcpw_error *error);

/* Nothing more is wanted: what the session still says is sent, requests that wait for answers are given up,
 * and the session on the server is ended (DELETE). mcpw_http_client_next gives what is to be done. */
MCPW_API void mcpw_http_client_stop(mcpw_http_client *client);

/* Frees a client and its calls, whatever they wait for. Does nothing for NULL. */
MCPW_API void mcpw_http_client_free(mcpw_http_client *client);

/* What is to be done. */
typedef struct mcpw_http_order {
    mcpw_http_call *call;          /* of what is to be done */
    bool gives_up;                 /* the call is over: its connection is closed, and nothing more is said of
                                      it. Else the request is to be made: */
    const char *method;            /* "POST", "GET", "DELETE" */
    const mcpw_http_field *fields; /* as they are sent */
    size_t field_count;            /* how many */
    mcpw_str body;                 /* of POST; all of this lives as long as the call */
} mcpw_http_order;

/* The next thing to do. To be asked after anything else has happened: a call has gone on, the session was
 * called, time has passed.
 *   MCPW_OK        *order is to be done
 *   MCPW_PENDING   there is nothing now
 *   MCPW_E_CONNECTION  the server could not be reached when the session was opened, as error says
 *   MCPW_E_FULL        the program has read on in spite of mcpw_http_call_is_held, and the session's
 *                      max_output is reached as well
 *   MCPW_E_MEMORY      a message of the session's was lost */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_http_client_next(mcpw_http_client *client, mcpw_http_order *order,
                                                          mcpw_error *error);

/* Something of the program's that goes with a call. */
MCPW_API void mcpw_http_call_set_user(mcpw_http_call *call, void *user);
/* What that is; NULL: there is none. */
MCPW_API void *mcpw_http_call_user(const mcpw_http_call *call);

/* The head of the response: its status, and its fields in any order. Not for those of status 1xx. */
MCPW_API void mcpw_http_call_head(mcpw_http_call *call, int status, const mcpw_http_field *fields,
                                  size_t field_count);
/* A piece of its body, of any length, undone of its transfer coding. false: more is of no use, and the
 * program may end the call at once, as if the response were complete. */
MCPW_NODISCARD MCPW_API bool mcpw_http_call_body(mcpw_http_call *call, const void *bytes, size_t len);
/* Whether the body is not to be read now: too many messages to the server wait (max_queued), and the stream
 * may ask for more of them. Call it before each piece, and again after each mcpw_http_client_next that
 * returned MCPW_PENDING. A piece that is passed nevertheless is accepted. */
MCPW_API bool mcpw_http_call_is_held(const mcpw_http_call *call);
/* The response is complete; or why it will not be. The call is gone then, until mcpw_http_client_next has it
 * made again. */
MCPW_API void mcpw_http_call_end(mcpw_http_call *call, const mcpw_error *error);

/* Says what time it is, in ms on any clock that does not go back. */
MCPW_API void mcpw_http_client_advance(mcpw_http_client *client, uint64_t now);
/* When mcpw_http_client_advance must next be called at the latest; UINT64_MAX: no need. */
MCPW_API uint64_t mcpw_http_client_deadline(const mcpw_http_client *client);
/* Whether nothing is under way: no call, and no message of the session's. */
MCPW_API bool mcpw_http_client_is_idle(const mcpw_http_client *client);

/* ---- Servers that are known ---------------------------------------------------------------------------- */

/* Which servers know revisions with a handshake alone, by their origins ("https://example.com"): a client
 * that connects again need not ask such a server for another one first. For one thread at a time; any number
 * of clients. (MCP 2026-07-28, "Versioning and Compatibility".) */
typedef struct mcpw_http_origins mcpw_http_origins;

/* An empty one, which keeps the newest `most` origins (0: 1024); NULL without memory. */
MCPW_NODISCARD MCPW_API mcpw_http_origins *mcpw_http_origins_new(size_t most,
                                                                 const mcpw_allocator *allocator);
/* Frees it. Does nothing for NULL. */
MCPW_API void mcpw_http_origins_free(mcpw_http_origins *origins);

MCPW_END_DECLS

#endif
