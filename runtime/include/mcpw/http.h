/* SPDX-License-Identifier: MIT */
/*
 * A server of the transport "Streamable HTTP". It does no input or output of its own. It implements the rules
 * of that transport: the requests to refuse and their status, the headers that must agree with the body, the
 * choice between one JSON text and a stream of events, and the meaning of a closed stream. It opens no
 * sockets and parses no HTTP. A program has an HTTP server for that and connects the two:
 *
 *   - The head of a request has come: mcpw_http_begin, which makes an exchange.
 *   - A piece of its body has come: mcpw_http_body.
 *   - The body is complete: mcpw_http_body_end.
 *   - There may be something to send: mcpw_http_next, until it returns false.
 *   - All was sent, or the peer is gone: mcpw_http_close.
 *   - Time has passed: mcpw_http_advance, by mcpw_http_deadline at the latest.
 *   - Anything else has happened: mcpw_http_ready, which returns each exchange that has something to send.
 *
 * It serves both eras at one path, and each request selects its era. The revisions from 2026-07-28 on have no
 * handshake. Every request is independent there, so any process may serve any request. A client of an earlier
 * revision opens a session by initialize. The session has an id that nobody can guess. It is valid only for
 * the principal that opened it. It ends by DELETE, or when it was not used for session_timeout_ms. A client
 * that has lost a stream can get its events again, by naming the last event that it received. A client of
 * 2024-11-05 that opens by POST is served in the same way. That revision's own transport, HTTP with SSE at
 * two paths, is not supported. (MCP 2026-07-28, "Streamable HTTP", "Versioning and Compatibility"; MCP
 * 2025-11-25, "Streamable HTTP".)
 *
 * Threads: a server and its exchanges belong to one thread at a time, that of its endpoint's sessions.
 * Handlers and callbacks of sessions run inside any function here except mcpw_http_body. They may call only
 * these functions of this header: mcpw_http_exchange_of, mcpw_http_field_of, mcpw_http_user and
 * mcpw_http_end_stream. A thread that has a detached request must not call mcpw_http_user.
 */
#ifndef MCPW_HTTP_H
#define MCPW_HTTP_H

#include <mcpw/session.h>

MCPW_BEGIN_DECLS

/* A server of one endpoint over HTTP. */
typedef struct mcpw_http_server mcpw_http_server;
/* One request and its response. */
typedef struct mcpw_http_exchange mcpw_http_exchange;

/* A header field. Names are compared without regard to case; blanks around the value do not count. */
typedef struct mcpw_http_field {
    mcpw_str name;  /* "Content-Type" */
    mcpw_str value; /* not decoded */
} mcpw_http_field;

/* The head of a request, from an HTTP parser. */
typedef struct mcpw_http_request {
    mcpw_str method; /* "POST" */
    /* The target of the request line, not decoded: "/mcp", or a URL "http://localhost/mcp", whose host then
     * counts. A query is ignored. HTTP/2: :path. (RFC 9112, 3.2.) */
    mcpw_str path;
    const mcpw_http_field *fields; /* all of them, in any order. HTTP/2: with Host from :authority */
    size_t field_count;            /* how many */
    mcpw_str principal;            /* the user on whose behalf it is made; absent: unknown */
    mcpw_str peer;                 /* the address of the client, in digits; absent: unknown */
} mcpw_http_request;

/* The requests that are served. Revisions that the endpoint lacks are never served. */
typedef enum mcpw_http_eras {
    MCPW_HTTP_BOTH = 0,   /* all; without libsodium, which makes ids of sessions, as MODERN */
    MCPW_HTTP_MODERN = 1, /* independent requests; GET and DELETE are answered 405 */
    MCPW_HTTP_LEGACY = 2  /* requests in sessions; needs libsodium */
} mcpw_http_eras;

/* Called for each event that is replayed. Any status but MCPW_OK ends the replay. */
typedef mcpw_status mcpw_http_give(void *user, uint64_t event, mcpw_str text);

/* A store of session events that clients may ask for again. A store outside of the process lets the events
 * outlive it. A store decides how much it keeps; it drops the oldest events first. Its functions are called
 * on the server's thread and must call nothing of this header. (MCP 2025-11-25, "Streamable HTTP",
 * resumability.) */
typedef struct mcpw_http_store {
    size_t struct_size; /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    void *self;         /* passed to its functions */
    /* Keeps an event of a stream of a session. The session's id consists of bytes 0x21 to 0x7E. The events of
     * a stream are numbered from 1 on, in order. If it fails, the event is sent nevertheless, but cannot be
     * replayed. */
    mcpw_status (*append)(void *self, mcpw_str session, uint64_t stream, uint64_t event, mcpw_str text);
    /* Calls `give` for each kept event of that stream that came after one, in order, as long as `give`
     * returns MCPW_OK. It returns MCPW_OK if all of them were passed on, also if there are none. Else it
     * returns the status of `give`, or the reason of its own failure.
     */
    mcpw_status (*replay)(void *self, mcpw_str session, uint64_t stream, uint64_t after, mcpw_http_give *give,
                          void *user);
    /* Forgets a session. */
    void (*drop)(void *self, mcpw_str session);
} mcpw_http_store;

/* A descriptor besides the connections that a server's loop waits for, such as one with messages of another
 * process. */
typedef struct mcpw_http_watch {
    void *self;             /* passed to its functions */
    mcpw_handle descriptor; /* run is called while it is readable; it must not change while it is watched */
    /* Does the pending work without waiting. now is in ms of the system's monotonic clock. */
    void (*run)(void *self, uint64_t now);
    uint64_t (*deadline)(const void *self); /* the time by which run is called; UINT64_MAX: never */
} mcpw_http_watch;

/* Called for each text that is kept of a session. Any status but MCPW_OK ends the calls. */
typedef mcpw_status mcpw_http_take(void *user, mcpw_str name, mcpw_str text);
/* Called for each entry of a cluster's log. */
typedef void mcpw_http_entry_handler(void *user, uint64_t number, mcpw_str entry);

/* A cluster: the data that processes with the same clients share. It has a record of each session, so that
 * any process can serve the session. It has a log of entries from each process to the others. The processes
 * also share a store. Only revisions with a handshake have sessions. For the other revisions a cluster passes
 * changes of tools, prompts and resources to the streams of all processes.
 *
 * A record has a few parts, each a text under a name: the revision, the client's info and capabilities, the
 * level of log messages, the URIs of its subscriptions. It contains no message of a client. It has at most
 * max_record_bytes. A record that cannot be read affects only its own session. Requests of that session are
 * answered 404, or 503 if a newer version has written the record.
 *
 * Its functions are called on the server's thread, which serves no other client meanwhile. So they must give
 * up after a short time with MCPW_E_IO. They must call nothing of this header. The data of a session is
 * dropped when it was not used for lifetime_ms. <mcpw/http_redis.h> implements a cluster. */
typedef struct mcpw_http_cluster {
    size_t struct_size; /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    void *self;         /* passed to its functions */
    uint32_t number;    /* of this process, from 1 on; unique among the live processes */
    /* Keeps a text of a session under a name, and replaces the text before. An absent text deletes it. The
     * first text of a session has the name "session". MCPW_E_NOT_FOUND: that first text is missing, so no
     * other is kept. MCPW_E_FULL: there is no room for more, and nothing was kept. */
    mcpw_status (*keep)(void *self, mcpw_str session, uint64_t lifetime_ms, mcpw_str name, mcpw_str text);
    /* Calls take for each text of a session. MCPW_E_NOT_FOUND: there is none. MCPW_E_FORMAT, MCPW_E_SIZE: the
     * record is damaged or too long, and a retry does not help. */
    mcpw_status (*find)(void *self, mcpw_str session, uint64_t lifetime_ms, mcpw_http_take *take, void *user);
    /* Marks the session as used now. MCPW_E_NOT_FOUND: it has ended, or its data was dropped. */
    mcpw_status (*touch)(void *self, mcpw_str session, uint64_t lifetime_ms);
    /* Forgets a session. */
    void (*end)(void *self, mcpw_str session);
    /* Appends an entry to the log. MCPW_E_SIZE: the entry is too long. The client's message in it is then
     * answered 413. */
    mcpw_status (*say)(void *self, mcpw_str entry);
    /* Calls `give` for each kept entry after one, in order, as long as `give` returns MCPW_OK. It returns
     * MCPW_OK if all of them were passed on, also if there are none. After a failure a client of 2025-11-25
     * resumes its stream after the entries that were passed on. */
    mcpw_status (*since)(void *self, uint64_t after, mcpw_http_give *give, void *user);
    /* Sets `hear`, which is called for each later entry, in order and with growing numbers, also for entries
     * of this process. The first call has an empty entry, with the number of the last entry in the log.
     * `hear` is called on the server's thread, and never from inside a function of the cluster. NULL: no more
     * calls. */
    void (*follow)(void *self, mcpw_http_entry_handler *hear, void *user);
    /* The descriptor that the loop of the server's thread waits for, to receive entries. It must live as long
     * as the server. NULL: entries come in another way. <mcpw/http_serve.h> waits for it by itself. */
    const mcpw_http_watch *watch;
} mcpw_http_cluster;

/* The access that a token grants. Its texts are the program's, and are copied. */
typedef struct mcpw_http_grant {
    /* If access is granted: the user on whose behalf the request is made. Absent: none; then the principal is
     * a tab and the client_id, if that is known. */
    mcpw_str principal;
    const char *error; /* if access is refused: "invalid_token" (answered 401), "insufficient_scope" (403),
                          "invalid_request" (400); NULL if there was no token (401) */
    const char *description; /* details of the error, for the author of the client; NULL: none */
    const char *scope;       /* scopes that would grant access, separated by blanks; NULL: not sent */
    /* If access is granted: more about the token, as in mcpw_http_verdict of <mcpw/http_protect.h>. With an
     * issuer, principal is the subject, and both together are the principal of the request. */
    mcpw_str issuer;      /* absent: principal stands alone; with characters other than visible ASCII: 503 */
    mcpw_str client_id;   /* the client; absent: unknown */
    mcpw_str scopes;      /* of the token, separated by spaces; absent: none */
    uint64_t expires_at;  /* in ms since 1970, for handlers; 0: unknown */
    uint64_t lifetime_ms; /* ms for which the token is still good; 0: unknown */
} mcpw_http_grant;

/* How to protect a server by access tokens: <mcpw/http_protect.h>. */
struct mcpw_http_protect;

/* How to serve. Zero and NULL take the default. Initialise with MCPW_HTTP_CONFIG_INIT. Texts are copied. */
typedef struct mcpw_http_config {
    size_t struct_size;      /* set by MCPW_HTTP_CONFIG_INIT */
    mcpw_endpoint *endpoint; /* required, of a server; it must outlive the HTTP server */
    /* the path of a request; compared byte by byte, escapes are not decoded; default "/mcp" */
    const char *path;
    /* Hosts that a request may name, separated by blanks. A host without a port allows every port. "*": any
     * host, for a server behind a proxy that checks it. Default: "localhost 127.0.0.1 [::1]". So a web page
     * cannot reach a local server by a name of its own that resolves to this machine (DNS rebinding). */
    const char *hosts;
    /* Origins of web pages whose requests are served, separated by blanks: "https://app.example.com"; "*":
     * any. Default: http and https on the hosts above, or on the loopback if these are "*". A request without
     * an origin does not come from a web page. */
    const char *origins;
    size_t max_body;          /* bytes of a body; default MCPW_DEFAULT_BYTES */
    size_t max_head;          /* bytes of the method, the target and all fields; default 32768 */
    size_t max_fields;        /* header fields; default 128 */
    size_t max_exchanges;     /* at once, including streams; default 16384 */
    size_t max_idle;          /* closed exchanges whose memory is kept for later ones; default 64 */
    uint64_t body_timeout_ms; /* ms until a body must be complete; default 30000 */
    uint64_t keep_alive_ms;   /* ms without output after which a comment is sent, so that no proxy takes the
                                 stream for dead; default 15000 */
    /* Called when a session was made. The callback may give it a queue or workers (<mcpw/thread.h>). The
     * session belongs to one client, or it serves independent exchanges one after the other. May be NULL. */
    void (*on_session)(void *user, mcpw_session *session);
    void *user;               /* passed to on_session */
    mcpw_allocator allocator; /* for all memory that the server keeps, except that of its sessions */
    mcpw_http_eras eras;      /* default MCPW_HTTP_BOTH */
    size_t max_sessions;      /* sessions of clients at once; more are refused with 503; default 10000 */
    /* The limit in one session for each of these: requests at once, also those whose peer has gone; streams
     * by GET; notifications and responses that are not handled yet. More are refused with 503; default 64. */
    size_t max_streams;
    uint64_t session_timeout_ms; /* ms without an exchange after which a session ends; default 1800000 */
    uint64_t retry_ms; /* ms after which a client reconnects whose stream has ended early; default 1000 */
    size_t max_events; /* the newest events of one session that are kept for replay; default 256 */
    size_t max_event_bytes;       /* bytes of these; default 256 KiB */
    size_t max_store_bytes;       /* bytes of the events of all sessions; default 64 MiB; the session without
                                     traffic for longest loses its events first */
    const mcpw_http_store *store; /* the program's own store, in place of one with these limits; copied */

    /* Web pages of `origins` may read responses (CORS). Each response, errors included, has the headers for
     * that, and preflight requests are answered. Off by default: a page's request is then served, but its
     * browser hides the response from the page. Cookies are not used. (WHATWG Fetch, "HTTP-CORS protocol".)
     */
    bool cors;
    /* fields that pages may send besides those of MCP, separated by blanks; NULL: none */
    const char *cors_fields;
    /* Returns whether a request is allowed. It is called before the body is read, so that refused requests
     * cost little. token is that of "Authorization: Bearer"; absent: there is none. mcpw_http_field_of and
     * mcpw_http_peer return the fields and the peer of the exchange. A refusal tells the client how to get a
     * token (WWW-Authenticate). The principal of the grant replaces that of the request, and sessions are
     * valid for it alone. The callback must not wait. NULL: every request is allowed. (MCP 2026-07-28,
     * "Authorization"; RFC 6750.) */
    bool (*authorize)(void *user, const mcpw_http_exchange *exchange, mcpw_str token, mcpw_http_grant *grant);
    /* The URL of this server for its clients, such as "https://example.com/mcp". If it is set, the metadata
     * of the resource are served at /.well-known/oauth-protected-resource and at that path followed by the
     * URL's path. A refusal then names their place. NULL: there are no metadata. (RFC 9728.) */
    const char *resource;
    const char *authorization_servers; /* the issuers of tokens: URLs, separated by blanks */
    const char *scopes;                /* scopes that tokens may have, separated by blanks; NULL: not sent */
    /* The data shared with other processes; copied. If sessions are served, it needs a store. NULL: this
     * process serves its clients alone. */
    const mcpw_http_cluster *cluster;
    /* Bytes of a cluster's record of one session: its client's info and capabilities, its subscriptions. A
     * message that needs more is refused with 413. It must be the same in all processes; default 256 KiB. */
    size_t max_record_bytes;
    /* Protects the server by access tokens; copied. It takes the place of resource, authorization_servers and
     * scopes, which must be NULL. NULL: `authorize` alone decides. */
    const struct mcpw_http_protect *protect;
} mcpw_http_config;

/* Everything at its default. */
#define MCPW_HTTP_CONFIG_INIT MCPW_SIZED(mcpw_http_config)

/* A new server. NULL, with error filled in, if memory runs out, the config has no endpoint, or its endpoint
 * has no revision of the eras. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_http_server *mcpw_http_server_new(const mcpw_http_config *config,
                                                                       mcpw_error *error);

/* Stops the server: it takes no more requests. Subscriptions end with their results, other requests with an
 * error, and sessions end with their streams. mcpw_http_ready returns the exchanges that then have something
 * to send. */
MCPW_SESSION_API void mcpw_http_server_stop(mcpw_http_server *server);

/* Frees a server and the exchanges that are left. The requests of those are cancelled, and on_cancel is
 * called. Does nothing for NULL. */
MCPW_SESSION_API void mcpw_http_server_free(mcpw_http_server *server);

/* ---- A request comes ----------------------------------------------------------------------------------- */

/* Takes the head of a request. Everything that it points at is copied. user belongs to the program, such as
 * its connection. If the head is refused, mcpw_http_next has the response at once, and the body need not be
 * read. A head that two readers could understand in two ways is refused with 400: Content-Length or Host
 * twice, Content-Length beside Transfer-Encoding, a coding other than chunked alone, control characters. The
 * caller's parser must refuse folded lines, line feeds alone, blanks before a colon, and text with a NUL;
 * these cannot be seen here. The call may return:
 *   - MCPW_OK: *exchange lives until mcpw_http_close.
 *   - MCPW_E_FULL: max_exchanges are under way. The caller answers 503.
 *   - MCPW_E_CLOSED: mcpw_http_server_stop was called. The caller answers 503.
 *   - MCPW_E_MEMORY: memory ran out. The caller answers 503. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_http_begin(mcpw_http_server *server,
                                                            const mcpw_http_request *request, void *user,
                                                            mcpw_http_exchange **exchange);

/* Takes a piece of the body, of any length, without its transfer coding. It is ignored after a response.
 */
MCPW_SESSION_API void mcpw_http_body(mcpw_http_exchange *exchange, const void *bytes, size_t len);

/* Reports that the body is complete. The message is checked and handled. A second call does nothing. */
MCPW_SESSION_API void mcpw_http_body_end(mcpw_http_exchange *exchange);

/* ---- A response goes ----------------------------------------------------------------------------------- */

/* A step of a response. */
typedef enum mcpw_http_step {
    MCPW_HTTP_HEAD = 1, /* status and fields, and the whole body, unless it is a stream */
    MCPW_HTTP_BODY = 2, /* more of a stream, to be sent without delay */
    MCPW_HTTP_END = 3   /* the response is complete */
} mcpw_http_step;

/* The next part of a response. */
typedef struct mcpw_http_output {
    mcpw_http_step step; /* what it is */
    int status;          /* HEAD: 200 */
    /* HEAD: fields such as Content-Type. The caller adds Date, Server and the framing of the body
     * (Content-Length, Transfer-Encoding). If there is "Connection: close", the caller closes the connection
     * after the response and does not read the request's body, because its end is not known. */
    const mcpw_http_field *fields;
    size_t field_count; /* how many */
    bool streams;       /* HEAD: BODY follows, of unknown length; else bytes is the whole body */
    mcpw_str bytes;     /* HEAD, BODY */
} mcpw_http_output;

/* Takes the next step of a response. Returns false if there is none now. Its bytes live until the next call
 * for this exchange. Call it only when the last bytes were sent, so that a slow reader gets less. At most the
 * session's max_output is kept meanwhile; beyond that, progress and log messages are dropped. */
MCPW_NODISCARD MCPW_SESSION_API bool mcpw_http_next(mcpw_http_exchange *exchange, mcpw_http_output *output);

/* Closes an exchange, when the response was sent or the peer has gone. Every exchange must be closed once. If
 * the response was not complete, an independent request is cancelled, and nothing more is sent for it. A
 * request in a session goes on, because its client may reconnect. (MCP 2026-07-28, "Streamable HTTP",
 * cancellation; MCP 2025-11-25, "Streamable HTTP", sending messages.) */
MCPW_SESSION_API void mcpw_http_close(mcpw_http_exchange *exchange);

/* Returns an exchange that has something to send, or NULL. Call it after any other event: tools were added, a
 * resource has changed, a queue has run, time has passed. If sessions are served, also call it after
 * mcpw_http_begin, mcpw_http_body_end, mcpw_http_next and mcpw_http_close. A response that a client posts may
 * continue a stream, and a resumed stream ends another response. Each call continues after the exchange that
 * the last call returned; after NULL it starts from the beginning. So each exchange is returned once between
 * two NULLs. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_http_exchange *mcpw_http_ready(mcpw_http_server *server);

/* Sets the time, in ms on any clock that does not go back. Exchanges that have timed out are answered, and
 * silent streams get a comment. */
MCPW_SESSION_API void mcpw_http_advance(mcpw_http_server *server, uint64_t now);

/* The time by which mcpw_http_advance must be called next; UINT64_MAX: never. */
MCPW_SESSION_API uint64_t mcpw_http_deadline(const mcpw_http_server *server);

/* ---- For handlers -------------------------------------------------------------------------------------- */

/* The exchange of a request, which must have come by HTTP. It lives as long as the request. */
MCPW_SESSION_API mcpw_http_exchange *mcpw_http_exchange_of(const mcpw_request *request);

/* The value of a header field, without the blanks around it. It is absent if there is none or more than one.
 * It lives as long as the exchange. Authorization, Proxy-Authorization and DPoP are always absent: a token is
 * for this server alone, and no handler passes it on. (MCP, "Authorization", token handling.) */
MCPW_SESSION_API mcpw_str mcpw_http_field_of(const mcpw_http_exchange *exchange, const char *name);

/* The address of the client, in digits; absent: unknown. It lives as long as the exchange. */
MCPW_SESSION_API mcpw_str mcpw_http_peer(const mcpw_http_exchange *exchange);

/* The user pointer that was passed to mcpw_http_begin. NULL after mcpw_http_close. */
MCPW_SESSION_API void *mcpw_http_user(const mcpw_http_exchange *exchange);

/* Ends the HTTP response to a request before its answer, so that no connection waits for the answer. The
 * client reconnects after the config's retry and gets the messages that were sent meanwhile. The request must
 * be in a session of 2025-11-25 or newer; else MCPW_E_STATE, and nothing changes. The thread that has a
 * detached request may also call this. (MCP 2025-11-25, "Streamable HTTP", sending messages.) */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_http_end_stream(mcpw_request *request);

MCPW_END_DECLS

#endif
