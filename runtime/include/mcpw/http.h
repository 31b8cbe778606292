/* SPDX-License-Identifier: MIT */
/*
 * A server of the transport "Streamable HTTP", without any input or output of its own. It knows what HTTP
 * means here: which requests are refused and by which status, which headers must agree with the body, what is
 * answered by one JSON text and what by a stream of events, what it means when a stream is closed. It opens
 * no sockets and parses no HTTP: a program has a server that does, and connects the two:
 *
 *   the head of a request has come     mcpw_http_begin, which makes an exchange
 *   a piece of its body has come       mcpw_http_body
 *   the body is complete               mcpw_http_body_end
 *   there may be something to send     mcpw_http_next, until it says that there is nothing
 *   all was sent, or the peer is gone  mcpw_http_close
 *   time has passed                    mcpw_http_advance, by mcpw_http_deadline at the latest
 *   anything else has happened         mcpw_http_ready gives the exchanges that have something to send
 *
 * It serves both eras at one place, and a request says which it is of. In the revisions that have no
 * handshake, from 2026-07-28 on, every request stands for itself, and so any process may serve any request. A
 * client of the revisions before that opens a session by initialize. The session has an id that nobody can
 * guess, and is good for the principal alone that has opened it. It ends by DELETE, or when it was not used
 * for session_timeout_ms. What is said in it can be asked for again: who has lost a stream names the last
 * event that came. A client of 2024-11-05 that opens by POST is served likewise; that revision's own
 * transport, HTTP with SSE at two places, is not spoken. (MCP 2026-07-28, "Streamable HTTP", "Versioning and
 * Compatibility"; MCP 2025-11-25, "Streamable HTTP".)
 *
 * Threads: a server and its exchanges belong to one thread at a time, that of its endpoint's sessions.
 * Handlers and callbacks of sessions run inside of any function here but mcpw_http_body. From there nothing
 * of this header may be called but mcpw_http_exchange_of, mcpw_http_field_of, mcpw_http_user and
 * mcpw_http_end_stream. On a thread that has a detached request mcpw_http_user may not be called either.
 */
#ifndef MCPW_HTTP_H
#define MCPW_HTTP_H

#include <mcpw/session.h>

MCPW_BEGIN_DECLS

/* What serves an endpoint over HTTP. */
typedef struct mcpw_http_server mcpw_http_server;
/* One request and its response. */
typedef struct mcpw_http_exchange mcpw_http_exchange;

/* A header field. Names are compared whatever their case; blanks around the value do not count. */
typedef struct mcpw_http_field {
    mcpw_str name;  /* "Content-Type" */
    mcpw_str value; /* as it came: nothing is decoded */
} mcpw_http_field;

/* The head of a request, as an HTTP parser gives it. */
typedef struct mcpw_http_request {
    mcpw_str method;               /* "POST" */
    mcpw_str path;                 /* the target as it was sent, nothing decoded: "/mcp", or a URL
                                      "http://localhost/mcp", whose host counts. A query is passed over.
                                      HTTP/2: :path. (RFC 9112, 3.2.) */
    const mcpw_http_field *fields; /* all of them, in any order. HTTP/2: with Host from :authority */
    size_t field_count;            /* how many */
    mcpw_str principal;            /* on whose behalf it is made, where the program knows; absent: unknown */
    mcpw_str peer;                 /* the address that it comes from, in digits; absent: unknown */
} mcpw_http_request;

/* Which requests are served. What the endpoint's revisions do not have is not served either way. */
typedef enum mcpw_http_eras {
    MCPW_HTTP_BOTH = 0,   /* all. Without libsodium, which makes ids of sessions, as MODERN */
    MCPW_HTTP_MODERN = 1, /* those that stand for themselves: GET and DELETE are answered 405 */
    MCPW_HTTP_LEGACY = 2  /* those in sessions; it needs libsodium */
} mcpw_http_eras;

/* Takes an event that is sent again. Any status but MCPW_OK ends that. */
typedef mcpw_status mcpw_http_give(void *user, uint64_t event, mcpw_str text);

/* Where events of sessions are kept that clients may ask for again; outside of the process, if that is to
 * outlive it. A store keeps as much as it likes: it forgets the oldest first. Its functions are called on the
 * server's thread and call nothing of this header. (MCP 2025-11-25, "Streamable HTTP", resumability.) */
typedef struct mcpw_http_store {
    size_t struct_size; /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    void *self;         /* passed to its functions */
    /* Keeps an event of a stream of a session, whose id is text of 0x21 to 0x7E. Events of a stream are
     * numbered from 1 on, in the order in which they come. Where it fails the event is sent all the same, but
     * nobody can ask for it again. */
    mcpw_status (*append)(void *self, mcpw_str session, uint64_t stream, uint64_t event, mcpw_str text);
    /* Gives the events of that stream that came after one, in their order, as long as `give` says MCPW_OK.
     * MCPW_OK: all that are kept were given, though it be none; else the status of `give`, or why it cannot.
     */
    mcpw_status (*replay)(void *self, mcpw_str session, uint64_t stream, uint64_t after, mcpw_http_give *give,
                          void *user);
    /* Forgets a session. */
    void (*drop)(void *self, mcpw_str session);
} mcpw_http_store;

/* Something beside connections that a server's loop waits for, such as what another process says. */
typedef struct mcpw_http_watch {
    void *self;     /* passed to its functions */
    int descriptor; /* run is called while it can be read; it is the same for as long as it is watched */
    /* Does what there is to do, and does not wait. now: ms of the system's monotonic clock. */
    void (*run)(void *self, uint64_t now);
    uint64_t (*deadline)(const void *self); /* when run is called at the latest; UINT64_MAX: no need */
} mcpw_http_watch;

/* Takes a text that is kept of a session under a name. Any status but MCPW_OK ends that. */
typedef mcpw_status mcpw_http_take(void *user, mcpw_str name, mcpw_str text);
/* Takes an entry of a cluster's log. */
typedef void mcpw_http_entry_handler(void *user, uint64_t number, mcpw_str entry);

/* Processes that serve the same clients, and what they share: a record of each session, so that any of them
 * can serve it, and a log in which each says what the others are to hear. With it goes a store that they
 * share as well. Sessions are the business of revisions with a handshake; of the others a cluster makes
 * changes of tools, prompts and resources known to the streams of all processes.
 *
 * A record has a few parts, each a text under a name, and holds no message of a client: the revision, the
 * client's info and capabilities, the level of log messages, the URIs of its subscriptions. It is as long as
 * max_record_bytes at most. A record that cannot be read costs its own session alone: that is answered 404,
 * or 503 where a newer version has written it.
 *
 * Its functions are called on the server's thread, which serves nobody else meanwhile: they
 * give up after a short time, by MCPW_E_IO. They call nothing of this header. lifetime is in ms: what is kept
 * of a session is forgotten when nobody has used it for so long. <mcpw/http_redis.h> is one. */
typedef struct mcpw_http_cluster {
    size_t struct_size; /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    void *self;         /* passed to its functions */
    uint32_t number;    /* of this process, from 1 on; no two that live have the same */
    /* Keeps a text of a session under a name, in the place of what was there; an absent one: forgets it.
     * The first text of a session has the name "session"; without that one no other is kept:
     * MCPW_E_NOT_FOUND. MCPW_E_FULL: there is no room for more, and nothing was kept. */
    mcpw_status (*keep)(void *self, mcpw_str session, uint64_t lifetime, mcpw_str name, mcpw_str text);
    /* Gives each text of a session. MCPW_E_NOT_FOUND: there is none; MCPW_E_FORMAT, MCPW_E_SIZE: there is
     * one that is damaged or too long, and it will stay so. */
    mcpw_status (*find)(void *self, mcpw_str session, uint64_t lifetime, mcpw_http_take *take, void *user);
    /* The session is in use. MCPW_E_NOT_FOUND: it has ended, or was forgotten. */
    mcpw_status (*touch)(void *self, mcpw_str session, uint64_t lifetime);
    /* Forgets a session. */
    void (*end)(void *self, mcpw_str session);
    /* Writes an entry behind those that are in the log. MCPW_E_SIZE: it is too long, and so is the message of
     * a client that it holds, which is answered 413. */
    mcpw_status (*say)(void *self, mcpw_str entry);
    /* Gives the entries behind one, in their order, as long as `give` says MCPW_OK. MCPW_OK: all that are
     * kept were given, though it be none. */
    mcpw_status (*since)(void *self, uint64_t after, mcpw_http_give *give, void *user);
    /* From now on each entry goes to `hear`, in their order and with growing numbers, those of this process,
     * too; first an empty one with the number of the last that was there. It is called on the server's
     * thread, in none of its functions. NULL: nobody hears any more. */
    void (*follow)(void *self, mcpw_http_entry_handler *hear, void *user);
    /* What the loop of the server's thread waits for, so that entries come; it must live as long as the
     * server. NULL: they come otherwise. <mcpw/http_serve.h> waits for it by itself. */
    const mcpw_http_watch *watch;
} mcpw_http_cluster;

/* What a token is worth. Its texts are the program's, and are copied. */
typedef struct mcpw_http_grant {
    mcpw_str principal;      /* of who is let in: on whose behalf the request is made; absent: nobody's */
    const char *error;       /* of who is not: "invalid_token" (answered 401), "insufficient_scope" (403),
                                "invalid_request" (400); NULL where there was no token (401) */
    const char *description; /* more about it, for who writes the client; NULL: nothing */
    const char *scope;       /* what would let it in, words separated by blanks; NULL: not told */
} mcpw_http_grant;

/* How to serve. Zero and NULL take the default. Initialise with MCPW_HTTP_CONFIG_INIT. Texts are copied. */
typedef struct mcpw_http_config {
    size_t struct_size;      /* set by MCPW_HTTP_CONFIG_INIT */
    mcpw_endpoint *endpoint; /* required, of a server; it must outlive the HTTP server */
    const char *path;        /* where it is served, as it stands in a request: compared byte by byte, escapes
                                are not undone; default "/mcp" */
    /* Hosts that a request may be for, separated by blanks. One without a port stands for every port. "*":
     * any host, where a proxy has checked it. Default: "localhost 127.0.0.1 [::1]". So a web page cannot
     * reach a local server by a name that it makes point here (DNS rebinding). */
    const char *hosts;
    /* Origins of web pages whose requests are served, separated by blanks: "https://app.example.com"; "*":
     * any. Default: http and https on the hosts above, or where these are "*", on the loopback. A request
     * that names no origin comes from no web page. */
    const char *origins;
    size_t max_body;          /* bytes of a body; default MCPW_DEFAULT_BYTES */
    size_t max_head;          /* bytes of the names and values of all fields; default 32768 */
    size_t max_fields;        /* header fields; default 128 */
    size_t max_exchanges;     /* at once, streams among them; default 16384 */
    size_t max_idle;          /* exchanges whose memory is kept for those to come; default 64 */
    uint64_t body_timeout_ms; /* ms until a body must be complete; default 30000 */
    uint64_t keep_alive; /* ms without anything to send, after which a comment goes out, so that nobody on
                            the way takes the stream for dead; default 15000 */
    /* A session was made: the time to give it a queue or workers (<mcpw/thread.h>). It is a client's, or it
     * serves exchanges that stand for themselves, one after the other. NULL: not told. */
    void (*on_session)(void *user, mcpw_session *session);
    void *user;               /* passed to on_session */
    mcpw_allocator allocator; /* for all that the server keeps, but for what its sessions do */
    mcpw_http_eras eras;      /* default MCPW_HTTP_BOTH */
    size_t max_sessions;      /* of clients at once; more are refused by 503; default 10000 */
    size_t max_streams;       /* requests of one of them at once, also those whose peer has gone; streams by
                                 GET; notifications and answers that are not handled yet: so many of each.
                                 More are refused by 503; default 64 */
    uint64_t session_timeout_ms; /* ms without any exchange, after which a session ends; default 1800000 */
    uint64_t retry;              /* ms after which a client comes back whose stream has ended early; default
                                    1000 */
    size_t max_events;      /* of one session that are kept to be asked for again, the newest; default 256 */
    size_t max_event_bytes; /* of these; default 256 KiB */
    size_t max_store_bytes; /* of the events of all sessions; default 64 MiB. Those go first whose session
                               was silent for longest */
    const mcpw_http_store *store; /* of the program's own, in the place of one of that size; it is copied */

    /* Web pages of `origins` may read what is answered (CORS): their browsers are told so, by each response,
     * errors too, and what they ask before a request (preflight) is answered. Off by default: then a page's
     * request is served, and its browser keeps the answer from it. Cookies are of no use here and are not
     * asked for. (WHATWG Fetch, "HTTP-CORS protocol".) */
    bool cors;
    const char *cors_fields; /* that pages may send besides those of MCP, separated by blanks; NULL: none */
    /* Says whether a request is let in: before its body is read, so that nothing is spent on others. token is
     * that of "Authorization: Bearer", absent where there is none. Fields and peer are the exchange's:
     * mcpw_http_field_of, mcpw_http_peer. Who is refused is told how to get a token (WWW-Authenticate). The
     * principal takes the place of the request's, and sessions are good for it alone. It may not wait. NULL:
     * all are let in. (MCP 2026-07-28, "Authorization"; RFC 6750.) */
    bool (*authorize)(void *user, const mcpw_http_exchange *exchange, mcpw_str token, mcpw_http_grant *grant);
    /* The URL by which clients know what is served here: "https://example.com/mcp". With it the metadata of
     * the resource are served, at /.well-known/oauth-protected-resource and with the URL's path behind that,
     * and who is refused is told where. NULL: there are none. (RFC 9728.) */
    const char *resource;
    const char *authorization_servers; /* who gives out tokens: URLs, separated by blanks */
    const char *scopes;                /* that tokens may have, separated by blanks; NULL: not told */
    /* What is shared with other processes; it is copied. With sessions it needs a store. NULL: this one
     * serves its clients alone. */
    const mcpw_http_cluster *cluster;
    size_t max_record_bytes; /* of what a cluster keeps of one session: its client's info and capabilities,
                                its subscriptions. A message that needs more is refused by 413. The same in
                                all processes; default 256 KiB */
} mcpw_http_config;

/* Everything at its default. */
#define MCPW_HTTP_CONFIG_INIT MCPW_SIZED(mcpw_http_config)

/* A new server; NULL with error filled in when memory runs out, or the config has no endpoint, or one that
 * speaks nothing of the eras. */
MCPW_NODISCARD MCPW_API mcpw_http_server *mcpw_http_server_new(const mcpw_http_config *config,
                                                               mcpw_error *error);

/* Takes no more requests, and ends what is under way: subscriptions by their results, other requests by an
 * error, sessions and their streams. What is to be sent then is given by mcpw_http_ready. */
MCPW_API void mcpw_http_server_stop(mcpw_http_server *server);

/* Frees a server, and the exchanges that are left. Handlers are told that their requests are cancelled. Does
 * nothing for NULL. */
MCPW_API void mcpw_http_server_free(mcpw_http_server *server);

/* ---- A request comes ----------------------------------------------------------------------------------- */

/* Takes the head of a request. What it points at is copied. user is the program's own: its connection. Where
 * the head is refused, mcpw_http_next has the answer at once, and the body need not be read. A head that two
 * readers can read in two ways is refused by 400: Content-Length or Host twice, Content-Length beside
 * Transfer-Encoding, a coding other than chunked alone, control characters. Only the caller's parser sees
 * folded lines, line feeds alone, blanks before a colon, and what it cuts off at a NUL: it must refuse these.
 *   MCPW_OK        *exchange is there, until mcpw_http_close
 *   MCPW_E_FULL    max_exchanges are under way: to be answered 503
 *   MCPW_E_CLOSED  mcpw_http_server_stop was called: to be answered 503
 *   MCPW_E_MEMORY  to be answered 503 */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_http_begin(mcpw_http_server *server,
                                                    const mcpw_http_request *request, void *user,
                                                    mcpw_http_exchange **exchange);

/* Takes a piece of the body, of any length, undone of its transfer coding. After an answer it is passed over.
 */
MCPW_API void mcpw_http_body(mcpw_http_exchange *exchange, const void *bytes, size_t len);

/* The body is complete: the message is checked and handled. A second call does nothing. */
MCPW_API void mcpw_http_body_end(mcpw_http_exchange *exchange);

/* ---- A response goes ----------------------------------------------------------------------------------- */

/* A step of a response. */
typedef enum mcpw_http_step {
    MCPW_HTTP_HEAD = 1, /* status and fields, and the whole body, unless it is a stream */
    MCPW_HTTP_BODY = 2, /* more of a stream, to be sent without delay */
    MCPW_HTTP_END = 3   /* the response is complete */
} mcpw_http_step;

/* What to send next. */
typedef struct mcpw_http_output {
    mcpw_http_step step;           /* what it is */
    int status;                    /* HEAD: 200 */
    const mcpw_http_field *fields; /* HEAD: such as Content-Type. What frames the body (Content-Length,
                                      Transfer-Encoding), Date and Server are the caller's. With "Connection:
                                      close" the connection ends behind the response, and no body is read:
                                      nobody knows where that would end */
    size_t field_count;            /* how many */
    bool streams;   /* HEAD: BODY follows, nobody knows how much; else bytes is the whole body */
    mcpw_str bytes; /* HEAD, BODY */
} mcpw_http_output;

/* The next step of a response; false: there is none now. Its bytes live until the next call for this
 * exchange. Whoever reads slowly is asked for less often: ask when the last bytes were sent. Of what is not
 * asked for, no more is kept than the session's max_output; progress and log messages are left out then. */
MCPW_NODISCARD MCPW_API bool mcpw_http_next(mcpw_http_exchange *exchange, mcpw_http_output *output);

/* The exchange is over: the response was sent, or the peer has gone. Every exchange is closed once. Where the
 * response was not complete, a request that stands for itself is cancelled, and nothing is said of it any
 * more. One in a session goes on, for a client that comes back. (MCP 2026-07-28, "Streamable HTTP",
 * cancellation; MCP 2025-11-25, "Streamable HTTP", sending messages.) */
MCPW_API void mcpw_http_close(mcpw_http_exchange *exchange);

/* An exchange that has something to send, or NULL. It is to be asked for after anything but the calls above:
 * tools were added, a resource has changed, a queue has run, time has passed. Where sessions are served also
 * after mcpw_http_begin, mcpw_http_body_end, mcpw_http_next and mcpw_http_close: an answer that a client
 * posts makes a stream go on, and a stream that is resumed ends another response. Each call goes on where the
 * last one has stopped, and after NULL from the beginning; so all are seen once between two NULLs. */
MCPW_NODISCARD MCPW_API mcpw_http_exchange *mcpw_http_ready(mcpw_http_server *server);

/* Says what time it is, in ms on any clock that does not go back. What has timed out is answered, and
 * comments are made for streams that are silent. */
MCPW_API void mcpw_http_advance(mcpw_http_server *server, uint64_t now);

/* When mcpw_http_advance must next be called at the latest; UINT64_MAX: no need. */
MCPW_API uint64_t mcpw_http_deadline(const mcpw_http_server *server);

/* ---- For handlers -------------------------------------------------------------------------------------- */

/* The exchange that a request came by, which lives as long as the request. It must have come by HTTP. */
MCPW_API mcpw_http_exchange *mcpw_http_exchange_of(const mcpw_request *request);

/* The value of a header field without the blanks around it, which lives as long as the exchange. Absent where
 * there is none, or more than one. */
MCPW_API mcpw_str mcpw_http_field_of(const mcpw_http_exchange *exchange, const char *name);

/* The address that it comes from, in digits, which lives as long as the exchange; absent: unknown. */
MCPW_API mcpw_str mcpw_http_peer(const mcpw_http_exchange *exchange);

/* What mcpw_http_begin was given: the program's own. NULL after mcpw_http_close. */
MCPW_API void *mcpw_http_user(const mcpw_http_exchange *exchange);

/* Ends the response to a request before its answer, so that no connection waits for it. The client comes back
 * after the config's retry, and gets what was said meanwhile. Of a request in a session of 2025-11-25 or
 * newer; else MCPW_E_STATE, and nothing changes. The thread that has a detached request may call it, too.
 * (MCP 2025-11-25, "Streamable HTTP", sending messages.) */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_http_end_stream(mcpw_request *request);

MCPW_END_DECLS

#endif
