/* SPDX-License-Identifier: MIT */
/*
 * A session: one end of one connection, without any input or output of its own. Messages of the peer's go in
 * by mcpw_session_receive. Messages for the peer come out by mcpw_session_next_message, each with the context
 * of the one that it belongs to. <mcpw/frame.h> makes one stream of bytes of that. Between them the session
 * negotiates, dispatches, remembers what is pending, times out and cancels. The caller tells the time by
 * mcpw_session_advance. The transports in <mcpw/io.h> do all of that.
 *
 * One type serves both ends and every revision. How the client opens decides what a server session speaks.
 * `initialize` selects a revision for good (2024-11-05 to 2025-11-25). A request whose _meta names a revision
 * is served on its own (2026-07-28). A client session asks by `server/discover` and falls back to
 * `initialize`. Handlers and callers use the types of one revision, usually the pinned one. The session
 * projects (<mcpw/project.h>) what the peer speaks.
 *
 * Threads: a session belongs to one thread at a time. So do its requests, but for those that <mcpw/thread.h>
 * hands to another. Nothing here blocks, except that mcpw_session_free waits while another thread has a
 * request. Callbacks may call any function of the session that they were given, but for mcpw_session_free.
 * From inside of mcpw_session_receive, that function and mcpw_session_end_input do nothing but return
 * MCPW_E_STATE. So a callback may end what a call further up works on. That call then returns MCPW_E_STATE,
 * or MCPW_E_CLOSED. (MCP, "Lifecycle" up to 2025-11-25; "Versioning and Compatibility" and "Discovery" from
 * 2026-07-28 on.)
 */
#ifndef MCPW_SESSION_H
#define MCPW_SESSION_H

#include <mcpw/library.h>
#include <mcpw/message.h>
#include <mcpw/protocol.h>

MCPW_BEGIN_DECLS

/* One end of one connection. */
typedef struct mcpw_session mcpw_session;
/* Registries of tools, resources and prompts: <mcpw/server.h>. */
typedef struct mcpw_server mcpw_server;

/* A request of the peer's, from its arrival until it is answered or cancelled. It lives exactly that long,
 * and so does everything that its params refer to. */
typedef struct mcpw_request mcpw_request;

/* Which end a session is. */
typedef enum mcpw_role {
    MCPW_ROLE_SERVER = 1, /* waits for the client to open */
    MCPW_ROLE_CLIENT = 2  /* opens */
} mcpw_role;

/* Codes of JSON-RPC errors that mean the same in every revision. The generated MCP_<revision>_ERROR_... list
 * those of each. */
enum {
    MCPW_RPC_PARSE_ERROR = -32700,      /* text that is no JSON */
    MCPW_RPC_INVALID_REQUEST = -32600,  /* JSON that is no message */
    MCPW_RPC_METHOD_NOT_FOUND = -32601, /* a method that is not served */
    MCPW_RPC_INVALID_PARAMS = -32602,   /* params that do not fit the method */
    MCPW_RPC_INTERNAL_ERROR = -32603    /* the receiver failed */
};

/* The typed handlers of one side of one revision, as the session calls them. Generated:
 * mcp_<revision>_server_dispatch and _client_dispatch, for the structs of slots
 * mcp_<revision>_server_handlers and _client_handlers. A relay that treats all methods alike writes its own.
 */
typedef struct mcpw_dispatch {
    const mcpw_revision *revision; /* of the params that the handlers get */
    mcpw_role role;                /* of the side that they serve */
    /* Whether the slot of a method is filled in: decides what is advertised and what is -32601. */
    bool (*has)(const void *handlers, int method);
    /* Calls the slot of a request. What a request handler may return:
     *   MCPW_OK            it answered, or keeps the request: to answer later, or to mcpw_request_resume
     *   MCPW_PENDING       mcpw_request_ask said so: the handler runs again, from its beginning, when the
     *                      peer has answered what was asked
     *   MCPW_E_CAPABILITY  the peer lacks a capability that is needed: answered as its revision says
     *   a codec status     (MCPW_E_SYNTAX to MCPW_E_METHOD) its input is wrong: -32602, with the text of
     *                      the status; of a tool of <mcpw/server.h>: a result with isError where
     *                      mcpw_request_refuse gives one
     *   any other          -32603
     * Where the handler has answered already its status is only reported. */
    mcpw_status (*request)(const void *handlers, int method, mcpw_request *request, const void *params,
                           void *user);
    /* Calls the slot of a notification. */
    void (*notification)(const void *handlers, int method, mcpw_session *session, const void *params,
                         void *user);
    /* Whether a notification of this side may be sent: decides, with has, what is advertised. NULL: all that
     * go with what is served. */
    bool (*sends)(const void *handlers, int method);
    /* Its request passes requests on by mcpw_request_relay: a requestState may be that of the other end. */
    bool relays;
} mcpw_dispatch;

/* Something that is not right with the peer, told to on_diagnostic. None of it ends the session. */
typedef enum mcpw_diagnostic_kind {
    MCPW_DIAGNOSTIC_BAD_LINE = 1,      /* text that is no message: answered where it can be */
    MCPW_DIAGNOSTIC_BAD_MESSAGE = 2,   /* params or a result that break the schema */
    MCPW_DIAGNOSTIC_UNKNOWN_REPLY = 3, /* an answer to no request of ours, or to one that was cancelled */
    MCPW_DIAGNOSTIC_OUT_OF_ORDER = 4,  /* a message that has no place at this point */
    MCPW_DIAGNOSTIC_DROPPED = 5,       /* a member that the peer's revision lacks was left out */
    MCPW_DIAGNOSTIC_HANDLER = 6,       /* a handler failed, or answered what cannot be sent */
    MCPW_DIAGNOSTIC_TOOL_SCHEMA = 7,   /* a schema of a listed tool is unusable: its values go unchecked */
    MCPW_DIAGNOSTIC_TOLERATED = 8 /* a fault of the peer's was mended or let pass, as `lenient` asks for */
} mcpw_diagnostic_kind;

/* A diagnostic, while on_diagnostic is called. */
typedef struct mcpw_diagnostic {
    mcpw_diagnostic_kind kind; /* what was not right */
    const mcpw_id *id;         /* of the message; NULL: none */
    mcpw_str method;           /* absent: none */
    const mcpw_error *error;   /* where and why */
    /* The name of the tool or prompt, or the URI of the resource, that the request is for, as the peer sent
     * it; absent: none. */
    mcpw_str subject;
    const char *type; /* MCPW_DIAGNOSTIC_HANDLER: the type of the result that could not be sent; NULL: none */
} mcpw_diagnostic;

/* How to make a session. Zero and NULL take the default. Initialise with MCPW_SESSION_CONFIG_INIT. What it
 * points at is copied, but for dispatch, handlers, user and server. Those must outlive the session. */
typedef struct mcpw_session_config {
    size_t struct_size;       /* set by MCPW_SESSION_CONFIG_INIT */
    mcpw_role role;           /* required */
    const char *name;         /* of this program, told to the peer; required unless server or info gives it */
    const char *version;      /* as name */
    mcpw_json info;           /* an object with more members of Implementation: title, websiteUrl, icons */
    const char *instructions; /* of a server: how to use it */

    const mcpw_dispatch *dispatch; /* with handlers: typed slots, which come before what server offers */
    const void *handlers;          /* the struct of slots that dispatch knows */
    void *user;                    /* passed to every handler and callback */
    mcpw_server *server;           /* of a server: its tools, resources and prompts */

    /* Revisions to speak, by name, separated by blanks; NULL: every one of library. A client
     * asks for the newest of them. */
    const char *revisions;
    /* An object with more capabilities to declare (experimental, extensions). What slots and registries offer
     * is declared without it. `declares` names what lies below that. */
    mcpw_json capabilities;

    unsigned flags;              /* how to read: MCPW_STRICT, MCPW_NULL_IS_ABSENT; the session adds
                                    MCPW_ALLOW_UNKNOWN and, for a client, MCPW_PEER_DEFAULTS */
    size_t max_message;          /* bytes of a message; default MCPW_DEFAULT_BYTES */
    size_t max_output;           /* bytes waiting to be sent, from which on nothing more is handled until the
                                    peer has read (mcpw_session_wants_input says no), progress and log
                                    messages are left out, and changes are told later; default 16 MiB */
    size_t max_requests;         /* requests of the peer's at once, and resources that it watches; more are
                                    refused; default 4096 */
    size_t max_request_bytes;    /* memory of one request, and of all of them at once when they arrive; more
                                    are refused; default 256 MiB */
    uint64_t request_timeout_ms; /* ms until a request of ours fails; default 60000; reset by progress */
    uint64_t max_request_timeout_ms; /* ms after which it fails all the same; default 600000 */
    uint64_t discover_timeout_ms;    /* ms after which a client that has no answer to server/discover tries
                                     initialize, too; default 10000. Until that has succeeded a later answer
                                     counts as well: a server may be slow to start */
    uint64_t input_ttl_ms;           /* ms that a requestState is good for; default 3600000 */
    mcpw_str state_key;   /* signs requestState; at least 32 bytes; absent: random, of the endpoint.
                             Those of one key take each other's states, after a restart, too */
    int64_t cache_ttl_ms; /* ttlMs of results that carry one and do not say; default 0 */
    bool cache_public;    /* cacheScope likewise: "public" in place of "private" */

    /* The negotiation has ended: MCPW_OK, or why there is none, with error. NULL: not told. */
    void (*on_open)(void *user, mcpw_session *session, mcpw_status status, const mcpw_error *error);
    /* The session is closed, by either end. NULL: not told. */
    void (*on_close)(void *user, mcpw_session *session);
    /* Something was not right with the peer, or a handler failed. NULL: not told. The servers of one call
     * (mcpw_serve, mcpw_serve_stdio, mcpw_serve_http) write to standard error then: <mcpw/diagnostics.h>. */
    void (*on_diagnostic)(void *user, mcpw_session *session, const mcpw_diagnostic *diagnostic);
    mcpw_allocator allocator; /* for all that the session keeps */
    /* Of a server: its client watches a resource from now on, or no more, by resources/subscribe or
     * subscriptions/listen. Each URI is told once, whatever number of subscriptions there is to it. uri is
     * NUL-terminated and lives during the call. *number is for a number of yours. It is 0 at first and kept
     * while the resource is watched; a relay keeps there what mcpw_session_listen gave it. With on_watch,
     * resources can be subscribed to without a slot for it. A slot for resources/subscribe that is filled in
     * gets what is asked by that method in place of on_watch. NULL: not told. (MCP, "Resources",
     * subscriptions; 2026-07-28: "Subscriptions".) */
    void (*on_watch)(void *user, mcpw_session *session, mcpw_str uri, bool watched, int64_t *number);

    /* Of a server: it sends log messages, by mcpw_request_log or mcpw_session_log. It declares `logging`
     * then, and answers logging/setLevel. A server of <mcpw/server.h> says so by mcpw_server_will_log for all
     * its sessions. A slot for logging/setLevel that is filled in says so as well. */
    bool logs;
    /* Of a server: its name and version are put into the _meta of results, as 2026-07-28 asks for. On by
     * default. server/discover tells them all the same. */
    mcpw_switch send_server_info;
    /* Of a client: what the server has listed by tools/list is kept, and the structured content of a tool's
     * result checked by the outputSchema of the tool. A result that misses it fails the request, with where
     * and why; nothing else of it is told. A result with isError is let be, and so is that of a task, and
     * what is relayed. Each list takes the place of the one before. When the server tells that it has
     * changed, nothing is checked until it is listed again. A library built without <mcpw/schema.h> checks
     * nothing. On by default. (MCP, "Tools", output schema.) */
    mcpw_switch check_results;
    /* Of a client: arguments are checked by the inputSchema as well, before they are sent. The request fails
     * where they miss it. Refused where the library was built without <mcpw/schema.h>. */
    bool check_arguments;
    /* The forms of elicitations are checked by both ends, and so is what is filled in. A server's handler
     * that asks with a form that is none is told at once; with a wrong answer it is told what is wrong with
     * that, and may ask again by another key. A client refuses a form that is none before its handler sees
     * it, and its handler cannot send a wrong answer. Formats hold. A library built without <mcpw/schema.h>
     * checks nothing. On by default. (MCP, "Elicitation".) */
    mcpw_switch check_forms;
    bool fill_forms; /* of a client: what an accepted form lacks is filled in by the form's defaults, where
                        forms are checked */
    /* Capabilities that no slot shows, by dotted name, separated by blanks. Of a client: "elicitation.form
     * elicitation.url" (where either is named, only what is named of the two), "sampling.tools",
     * "tasks.requests.sampling.createMessage". Of a server: "tasks.requests.tools.call", and an extension
     * that has no methods. Each revision is
     * told what it knows. A name that no revision spoken knows is refused. NULL: none. */
    const char *declares;
    uint64_t end_grace_ms; /* ms after the end of input in which answers that are still due may be given; then
                           the session closes itself, and on_cancel is called for what has none. UINT64_MAX:
                           for ever; default 1000: a worker's answer is still sent, and the server is gone
                           before its client sends a signal */
    uint64_t ask_timeout_ms; /* ms that an input request of mcpw_request_ask may wait for its answer, which a
                             person may have to give; default max_request_timeout_ms */
    mcpw_str principal; /* on whose behalf the client acts, as mcpw_session_set_principal; absent: unknown */
    /* The time in ms since 1970, for the age of a requestState, which may outlive the process that made it.
     * NULL: the C library's. */
    uint64_t (*clock)(void *user);
    /* The revisions that there are, a program's own among them; copied. NULL: those of server, or else those
     * that the library holds. Where there is a server, its set has them all. */
    const mcpw_library *library;

    size_t max_tool_schemas; /* bytes of schemas of listed tools, as text and compiled; what goes beyond is
                                noted (MCPW_DIAGNOSTIC_TOOL_SCHEMA) and not checked; default 16 MiB */
    /* For schemas of tools and forms that have patterns, such as mcpw_pcre2() of <mcpw/pcre2.h>; NULL: what
     * such a schema of a tool is for goes unchecked, which is noted, and such a form is refused. A server's
     * is that of its registries. */
    const struct mcpw_pattern_engine *patterns;
    /* Of a client: common faults of servers are mended or let pass. False refuses them, as the specification
     * asks for. Each is noted (MCPW_DIAGNOSTIC_TOLERATED), but for null where a member is optional, which is
     * read as absent. The others:
     *   - an id that is the decimal text of the request's number; "error": null beside a result
     *   - capabilities or serverInfo that are missing or broken; content that is missing or null
     *   - an inputSchema that is missing or is no schema of an object, or a broken member of one
     *   - a broken optional member of a list, of an item of a list, or of the answer to the first request
     *   - tools, prompts and resources that are used though the server has not declared them
     * An item that cannot be mended is left out of its list. (MCP, "Lifecycle", "Tools".) */
    bool lenient;
    void *diagnostic_user; /* passed to on_diagnostic in the place of user; NULL: user. It must outlive the
                              session */
} mcpw_session_config;

/* Everything at its default. */
#define MCPW_SESSION_CONFIG_INIT MCPW_SIZED(mcpw_session_config)

/* What a server or client is, worked out once from a config and shared by all its sessions: the revisions
 * that it speaks, what each of their methods is bound to, the texts that say who it is. So a session is made
 * in no time, and takes little memory.  An endpoint does not change once it is made. Sessions of several
 * threads may share it, each of them with a thread of its own. Then all of them call the allocator that the
 * config gives, and the slots of its handlers. What the config points at may change. Tools may be added to
 * the registries of a server and removed at any time, and each session tells its client. Registries belong to
 * one thread, and so do all sessions of an endpoint that has a server. What is said of a server as a whole,
 * such as mcpw_server_will_log, is read when the endpoint is made. */
typedef struct mcpw_endpoint mcpw_endpoint;

/* A new endpoint; NULL with error filled in when memory runs out or the config cannot be used. */
MCPW_NODISCARD MCPW_API mcpw_endpoint *mcpw_endpoint_new(const mcpw_session_config *config,
                                                         mcpw_error *error);
/* Gives an endpoint up. It lives until its last session is freed. From any thread. Does nothing for NULL. */
MCPW_API void mcpw_endpoint_free(mcpw_endpoint *endpoint);

/* A new session of an endpoint; NULL with error filled in when memory runs out. user is passed to handlers
 * and callbacks in the place of the config's; NULL: the config's. */
MCPW_NODISCARD MCPW_API mcpw_session *mcpw_session_from(mcpw_endpoint *endpoint, void *user,
                                                        mcpw_error *error);

/* A new session with an endpoint of its own; NULL with error filled in when memory runs out or the config
 * cannot be used. */
MCPW_NODISCARD MCPW_API mcpw_session *mcpw_session_new(const mcpw_session_config *config, mcpw_error *error);

/* Ends a session. What is pending is reported as MCPW_E_CLOSED first, and what other threads have is waited
 * for. Does nothing for NULL. */
MCPW_API void mcpw_session_free(mcpw_session *session);

/* Gives back the memory that a session keeps for messages to come. It is for a program with many sessions,
 * when one of them rests. A session that has nothing under way and nothing to send keeps 2 KiB at most. That
 * counts all that its allocator gave it, but for what it has to remember of its peer: who it is, what it
 * declared, what it watches. Inside of a callback it does nothing. */
MCPW_API void mcpw_session_trim(mcpw_session *session);

/* Of a client: begins the negotiation. on_open says how it went. Requests may be made at once; they wait. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_session_open(mcpw_session *session);

/* Takes a message of the peer's, whole and as text, and handles it. Where the revision has batches, it may be
 * one. context is the transport's own: the stream that the message came by, its headers, who sent it; NULL:
 * none. Handlers read it by mcpw_request_context, and what the session says about the message comes out with
 * it. MCPW_OK: the message was taken, whatever the text holds. The context lives until the last of what
 * belongs to it came out (mcpw_outgoing.is_last). After any other status the context does not come out.
 * MCPW_E_FULL: max_output waits to be sent; try again when mcpw_session_wants_input says so. MCPW_E_CLOSED:
 * the session is closed. MCPW_E_MEMORY: memory ran out; without a context the message may have been taken,
 * and is lost. MCPW_E_STATE: from inside of a callback, or of a session that is read as one stream of bytes
 * (<mcpw/frame.h>). */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_session_receive(mcpw_session *session, const void *text, size_t len,
                                                         void *context);

/* A message for the peer. */
typedef struct mcpw_outgoing {
    mcpw_str text; /* whole, without CR or LF; the byte behind it is NUL. Absent: there is nothing to say */
    void *context; /* of the message that it belongs to: whose answer, progress, log message or input request
                      it is, or the change of a subscription; NULL: none */
    bool is_last;  /* nothing follows with this context. Each context that was given comes back so exactly
                      once: with its answer, or without a text, where there is none (a notification, an answer
                      of the peer's, a request that was cancelled) */
    mcpw_message_kind kind; /* what it is; MCPW_MESSAGE_NONE: nothing */
    mcpw_str method;        /* of a request or notification; absent: it is neither */
    int64_t code;           /* of an error; 0: it is none */
    int64_t request; /* the id of a request, or of the one that notifications/cancelled names; 0: none */
} mcpw_outgoing;

/* The next message to send, in the order in which they were said; false: there is none. Its text lives until
 * the session is called with anything else. A transport with many streams sends each message on the stream
 * that its context names, and those with no context on the session's own. What had to wait for output to be
 * taken is handled now, so handlers may be called. Of a session that is read as one stream of bytes: false.
 */
MCPW_API bool mcpw_session_next_message(mcpw_session *session, mcpw_outgoing *message);

/* Says who is told when a message waits in a session that had none, and when the session was closed: so a
 * program with many sessions asks those that have something to say. It is called inside of whatever has said
 * that, and calls nothing of the session, which is asked by mcpw_session_next_message later. NULL: nobody. */
MCPW_API void mcpw_session_on_output(mcpw_session *session,
                                     void (*on_output)(void *user, mcpw_session *session), void *user);

/* The stream of a context is gone, and nobody else will get what belongs to it. Its request is cancelled, as
 * if the peer had done that. What waits is dropped, and the context is not heard of again. (MCP 2026-07-28,
 * "Streamable HTTP": a response stream that is closed cancels its request.) */
MCPW_API void mcpw_session_abandon(mcpw_session *session, void *context);

/* Says that the peer will send no more. Requests of ours that wait are reported as MCPW_E_CLOSED. Everything
 * that came before is answered. The answers that handlers give at once stand in the output, and handlers may
 * answer the requests that they have kept for end_grace_ms ms more. Nothing else is written: no progress, no
 * log message, no change, no end of a subscription, and no error for a request whose handler fails with
 * MCPW_E_CLOSED. After end_grace_ms mcpw_session_advance closes the session: on_cancel tells the handlers of
 * the requests that are left, whose callers get nothing, and on_close tells the program. (mcpw_io_run closes
 * it at once where nothing could bring those answers.) A relay may rely on it: two sessions whose peers have
 * gone are both closed in that time. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_session_end_input(mcpw_session *session);

/* Whether to read from the peer: not when too much waits to be sent, nor when it is closed. */
MCPW_API bool mcpw_session_wants_input(const mcpw_session *session);

/* Says what time it is, in ms on any clock that does not go back, and fails what has timed out. */
MCPW_API void mcpw_session_advance(mcpw_session *session, uint64_t now);

/* When mcpw_session_advance must next be called at the latest; UINT64_MAX: no need. */
MCPW_API uint64_t mcpw_session_deadline(const mcpw_session *session);

/* Closes this end. Subscriptions of the peer's are ended with their results, and with nothing else; a client
 * takes notifications/cancelled for their end as well, see mcpw_session_listen. Subscriptions of ours are
 * ended by notifications/cancelled. Requests of ours fail with MCPW_E_CLOSED. Requests of the peer's that
 * wait are answered -32603. After the end of the peer's input nothing is written for either: their handlers
 * are told by on_cancel. Output that waits may still be sent. */
MCPW_API void mcpw_session_close(mcpw_session *session);

/* Whether it is closed, by this end or by the peer. */
MCPW_API bool mcpw_session_is_closed(const mcpw_session *session);
/* Whether requests of the peer's wait for an answer, or to be handled. */
MCPW_API bool mcpw_session_is_busy(const mcpw_session *session);
/* The revision that is spoken; NULL before that is known. */
MCPW_API const mcpw_revision *mcpw_session_revision(const mcpw_session *session);
/* The peer's info, an Implementation as JSON. If that has more than 64 KiB, only its
 * name and version. Absent before it is known, and for a server of a revision that tells it with each
 * request. It lives as long as the session. */
MCPW_API mcpw_json mcpw_session_peer_info(const mcpw_session *session);
/* What the peer declared, its capabilities as JSON; likewise (then see mcpw_request_client_capabilities). */
MCPW_API mcpw_json mcpw_session_peer_capabilities(const mcpw_session *session);
/* The instructions of the server, at a client; absent when it gives none, or more than 1 MiB, which is noted
 * (MCPW_DIAGNOSTIC_BAD_MESSAGE). */
MCPW_API mcpw_str mcpw_session_instructions(const mcpw_session *session);
/* Whether capabilities, as JSON, have one such as "tools" or "resources.subscribe": it is there, and neither
 * false nor null. */
MCPW_API bool mcpw_capabilities_have(mcpw_json capabilities, const char *capability);
/* Says on whose behalf the messages act that are fed from now on: a user's name at the authorization server,
 * a token's subject; absent: unknown. It is copied. A requestState is good only for the principal that it was
 * made for. So whoever serves several users by one state_key sets it. (MCP 2026-07-28, "Multi Round-Trip
 * Requests", security.) */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_session_set_principal(mcpw_session *session, mcpw_str principal);
/* The user pointer of the config. */
MCPW_API void *mcpw_session_user(const mcpw_session *session);

/* Levels of log messages, gravest last. (RFC 5424; MCP "Logging".) */
typedef enum mcpw_log_level {
    MCPW_LOG_DEBUG = 1,    /* for developers */
    MCPW_LOG_INFO = 2,     /* what goes on */
    MCPW_LOG_NOTICE = 3,   /* normal, but worth noting */
    MCPW_LOG_WARNING = 4,  /* something may go wrong */
    MCPW_LOG_ERROR = 5,    /* something went wrong */
    MCPW_LOG_CRITICAL = 6, /* a part has failed */
    MCPW_LOG_ALERT = 7,    /* act at once */
    MCPW_LOG_EMERGENCY = 8 /* nothing works */
} mcpw_log_level;

/* ---- Requests of ours ---------------------------------------------------------------------------------- */

/* How a request of ours ended. It lives during the callback alone. */
typedef struct mcpw_reply {
    mcpw_status status;      /* MCPW_OK, MCPW_E_REMOTE, MCPW_E_TIMEOUT, MCPW_E_CANCELLED, MCPW_E_CLOSED,
                                MCPW_E_CAPABILITY, or why the result was no good */
    int method;              /* in the caller's revision */
    const mcpw_type *type;   /* MCPW_OK: of value, in the caller's revision. The generated
                                mcp_<revision>_reply_<method>() return value with its type */
    const void *value;       /* MCPW_OK */
    mcpw_rpc_error remote;   /* MCPW_E_REMOTE: the error of the peer */
    const mcpw_error *error; /* neither: what happened */
} mcpw_reply;

/* A result and its type. A request may be answered in more than one way: by its result or, where its params
 * carry a task, by the task that was created. So a value is cast by its type alone. */
typedef struct mcpw_result {
    const mcpw_type
        *type;         /* given: the one that is wanted, NULL for whichever comes; received: that of value */
    const void *value; /* received; NULL: none */
} mcpw_result;

/* Told how a request of ours ended. reply lives during the call alone. */
typedef void (*mcpw_on_reply)(void *user, mcpw_session *session, const mcpw_reply *reply);

/* Progress of a request of ours. It lives during the callback alone. */
typedef struct mcpw_progress {
    double progress;       /* grows from one to the next */
    mcpw_opt_double total; /* where it will end, if that is known */
    mcpw_str message;      /* for people; absent: none */
} mcpw_progress;

/* How to make one request. Initialise with zeros; NULL takes the defaults. */
typedef struct mcpw_call {
    size_t struct_size;      /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    uint64_t timeout;        /* ms; 0: as in the config; UINT64_MAX: none */
    uint64_t max_timeout_ms; /* ms after which it fails in spite of progress; 0: as in the config */
    /* Asks for progress: a token is put into the request, and what comes for it is told. */
    void (*on_progress)(void *user, mcpw_session *session, const mcpw_progress *progress);
} mcpw_call;

/* Sends a request. method and params are of the given revision; params NULL: none. What the peer's revision
 * wants in _meta is put in. number, unless NULL, receives a number for mcpw_session_cancel. on_reply is
 * called exactly once, and never from inside this call. Where this call fails it is never called.
 * MCPW_E_CAPABILITY: the peer has not declared what the method needs. MCPW_E_METHOD: its revision has no such
 * method. Rounds of input_required are answered by this end's handlers before on_reply is called. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_session_request(mcpw_session *session, const mcpw_revision *revision,
                                                         int method, const void *params,
                                                         const mcpw_call *call, mcpw_on_reply on_reply,
                                                         void *user, int64_t *number, mcpw_error *error);

/* Whether the peer is there: a request that is answered by nothing but its result, as mcpw_session_request.
 * MCPW_E_METHOD where the revision has no ping (2026-07-28). (MCP, "Ping".) */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_session_ping(mcpw_session *session, const mcpw_call *call,
                                                      mcpw_on_reply on_reply, void *user, int64_t *number,
                                                      mcpw_error *error);

/* Of a client: says from which level on it wants log messages. Where that is a request of its own, it waits
 * for the negotiation (MCPW_E_CAPABILITY: the server does not log). Where each request says it (2026-07-28),
 * every later one of this session does, unless its _meta names a level. (MCP, "Logging".) */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_session_set_log_level(mcpw_session *session, mcpw_log_level level,
                                                               mcpw_error *error);

/* Of a client: tells the server that the list of its roots has changed. MCPW_E_METHOD where the revision has
 * no such notification (2026-07-28 asks for roots in each call), MCPW_E_CAPABILITY where this end has not
 * declared roots.listChanged. (MCP, "Roots".) */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_session_roots_changed(mcpw_session *session, mcpw_error *error);

/* Gives up on a request of ours. The peer is told, unless a task is made of it; tasks/cancel cancels that
 * once it is there. on_reply gets MCPW_E_CANCELLED before this returns. MCPW_E_NOT_FOUND when the request has
 * ended. reason may be NULL. (MCP, "Cancellation".) */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_session_cancel(mcpw_session *session, int64_t number,
                                                        const char *reason);

/* Fails a request of ours that a transport could not bring to the peer, or whose answer it could not bring
 * back: on_reply gets `why` and its status, which must not be MCPW_E_REMOTE. The peer is told
 * nothing. id is that of the message that carried the request. MCPW_E_NOT_FOUND: no such request waits. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_session_fail(mcpw_session *session, const mcpw_id *id,
                                                      const mcpw_error *why);

/* Sends a notification. method and params are as for mcpw_session_request. One that the peer's revision
 * lacks, or whose capability this end has not declared, is refused. MCPW_E_FULL: max_output waits to be sent.
 * Where clients subscribe to changes (2026-07-28), a change is told to the subscriptions that want it, and to
 * nobody where there are none. A log message is told there while a request is under way that wants its level.
 */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_session_notify(mcpw_session *session, const mcpw_revision *revision,
                                                        int method, const void *params, mcpw_error *error);

/* What an extension lets subscriptions name: {"taskIds", ids, 2}. */
typedef struct mcpw_named_interest {
    const char *filter;       /* the member of the filter */
    const char *const *names; /* what the client wants to hear of */
    size_t name_count;        /* how many */
} mcpw_named_interest;

/* What a client wants to be told about. */
typedef struct mcpw_interest {
    bool tools;              /* the list of tools */
    bool prompts;            /* the list of prompts */
    bool resources;          /* the list of resources */
    const char *const *uris; /* resources whose content is watched */
    size_t uri_count;        /* how many */
    /* By extensions that both ends have declared; else MCPW_E_CAPABILITY. MCPW_E_METHOD: the revision knows
     * no such member. */
    const mcpw_named_interest *named;
    size_t named_count; /* how many */
} mcpw_interest;

/* Of a client: asks to be told of changes, by subscriptions/listen or by resources/subscribe, whichever the
 * revision has. The notifications come to the slots for them. on_end is called once the peer has refused it
 * or ended it: MCPW_OK by its result, MCPW_E_CANCELLED by notifications/cancelled (the pages of the
 * specification name one or the other). Until then mcpw_session_cancel ends it. (MCP, "Subscriptions",
 * 2026-07-28; before, "Resources".)
 */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_session_listen(mcpw_session *session, const mcpw_interest *interest,
                                                        mcpw_on_reply on_end, void *user, int64_t *number,
                                                        mcpw_error *error);

/* ---- Requests of the peer's ---------------------------------------------------------------------------- */

/* Answers a request with a result. type is the method's result in any revision, its task result where the
 * request carried a task, 2026-07-28's InputRequiredResult, or the result of an extension that both ends have
 * declared (else MCPW_E_CAPABILITY). The generated mcp_<revision>_respond_<method>() pass it. The request is
 * gone afterwards. On failure it is not answered and still there, unless the failure is MCPW_E_STATE: then it
 * has ended before, or a callback has ended it.
 */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_respond(mcpw_request *request, const mcpw_type *type,
                                                 const void *result, mcpw_error *error);

/* The same with the text of the result, in the peer's revision. It is checked against its schema. resultType,
 * ttlMs and cacheScope are put in where the schema wants them and the text has none. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_respond_json(mcpw_request *request, mcpw_json result,
                                                      mcpw_error *error);

/* Answers a request with an error; data may be absent. A code that the peer's revision forbids is replaced by
 * its successor there. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_respond_error(mcpw_request *request, int64_t code,
                                                       const char *message, mcpw_json data);

/* Answers -32602 with where and why the input was wrong, in the message and as data.path. Where the path is
 * not from the params (of a tool's arguments, say) prefix says where it belongs: "/arguments". What is wrong
 * with a tool's arguments is told in a result with isError from 2025-11-25 on: a model can mend it. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_request_refuse(mcpw_request *request, const char *prefix,
                                                        const mcpw_error *why);

/* The session that a request came to. */
MCPW_API mcpw_session *mcpw_request_session(const mcpw_request *request);
/* Memory that lives as long as the request: for its answer, and for what the handler keeps. */
MCPW_API mcpw_arena *mcpw_request_arena(mcpw_request *request);
/* The params as the peer sent them, in its revision: for code that serves every method alike. */
MCPW_API const void *mcpw_request_params(const mcpw_request *request, const mcpw_type **type);
/* The revision of this request. */
MCPW_API const mcpw_revision *mcpw_request_revision(const mcpw_request *request);
/* The method, by name. */
MCPW_API mcpw_str mcpw_request_method(const mcpw_request *request);
/* On whose behalf it was made: mcpw_session_set_principal. It lives as long as the request. */
MCPW_API mcpw_str mcpw_request_principal(const mcpw_request *request);
/* The context that its transport gave with it: mcpw_session_receive. NULL: none. */
MCPW_API void *mcpw_request_context(const mcpw_request *request);
/* The id, as the peer sent it. It lives as long as the request. */
MCPW_API mcpw_id mcpw_request_id(const mcpw_request *request);
/* What the client declared, for this request or at the handshake, as JSON; absent: nothing. */
MCPW_API mcpw_json mcpw_request_client_capabilities(mcpw_request *request);
/* What the client says of itself, with this request or at the handshake, an Implementation as JSON; absent:
 * nothing (2026-07-28 leaves it to the client). It lives as long as the request. */
MCPW_API mcpw_json mcpw_request_client_info(mcpw_request *request);
/* The _meta of the params as the peer sent it, as JSON; absent: none. It lives as long as the request. */
MCPW_API mcpw_json mcpw_request_meta(mcpw_request *request);
/* Whether the peer has declared a capability such as "sampling" or "elicitation.url". */
MCPW_API bool mcpw_request_can(mcpw_request *request, const char *capability);

/* Calls back when the request is cancelled, or its session closed, before it is answered. The request is gone
 * when the callback returns. Without a callback a cancelled request just goes. So a handler that keeps a
 * request for later must set one. */
MCPW_API void mcpw_request_on_cancel(mcpw_request *request,
                                     void (*on_cancel)(void *user, mcpw_request *request), void *user);

/* Tells progress where the peer asked for it; else it does nothing. A value that does not grow is left out,
 * and so is any while max_output waits to be sent. Nothing depends on it, so the status need not be looked
 * at. total below 0: unknown. message may be NULL. (MCP, "Progress".) */
MCPW_API mcpw_status mcpw_request_progress(mcpw_request *request, double progress, double total,
                                           const char *message);

/* Sends a log message where the peer wants it: from its level on (logging/setLevel), or as the request says
 * (2026-07-28: only where it names a level). data is any JSON value; logger may be NULL. Left out while
 * max_output waits to be sent. MCPW_E_CAPABILITY, which on_diagnostic is told as well: the session does not
 * declare that it logs, see mcpw_server_will_log, or logs in its config. The status need not be looked at, as
 * for progress. */
MCPW_API mcpw_status mcpw_request_log(mcpw_request *request, mcpw_log_level level, const char *logger,
                                      mcpw_json data);
/* The same outside of any request; only revisions with a handshake have it. */
MCPW_API mcpw_status mcpw_session_log(mcpw_session *session, mcpw_log_level level, const char *logger,
                                      mcpw_json data);

/* Asks the client something in the middle of a request: sampling/createMessage, elicitation/create or
 * roots/list. It works in every revision that has the method: as a request of the server's, or, where servers
 * make none, by answering input_required and taking the answer out of the client's retry.
 *
 * method and params are of the given revision, and so is what result receives; its type says which answer is
 * wanted, as for mcpw_client_request: params with a task, which only clients that declare it make, are
 * answered by that task. key names the input request within the request. MCPW_OK: the answer is there.
 * MCPW_PENDING: it was asked; return MCPW_PENDING from the handler, which runs again from its beginning when
 * all answers have come: so a handler asks before it acts. Several input requests may be asked before
 * returning. MCPW_E_CAPABILITY: the client cannot; MCPW_E_REMOTE: it refused or failed, as error says;
 * MCPW_E_TIMEOUT: it did not answer in time, see mcpw_request_set_patience; a codec status: its answer is no
 * good, which is -32603 when the handler returns it; MCPW_E_STATE: no handler of this request runs, or a
 * callback has ended it. (MCP, "Sampling", "Elicitation", "Roots"; from 2026-07-28 on "Multi Round-Trip
 * Requests".) */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_request_ask(mcpw_request *request, const char *key,
                                                     const mcpw_revision *revision, int method,
                                                     const void *params, mcpw_result *result,
                                                     mcpw_error *error);

/* Passes a request on to the peer of another session, and brings back what comes of it: the result or the
 * error, with its data and with the code that the revision has for it; progress, where it was asked for;
 * cancellation, both ways; the level of log messages. method and params are of the given revision, as the
 * handler got them; to NULL: there is nobody yet. For the request of a mcpw_dispatch that relays, which
 * returns what this returns. Time is the two ends' matter: it has no timeout.
 *
 * Input requests in the middle pass whatever the two revisions do about them. Between two ends with rounds of
 * input those pass as they are, with their requestState. Where only the end that asks has them, its
 * input requests come to the slots of its session, to be passed on as any request; where only the end that is
 * asked has them, an input request is put into the newest of its requests that was passed on to who asks, and
 * refused where there is none; it needs libsodium, as mcpw_request_ask does. (MCP 2026-07-28, "Multi
 * Round-Trip Requests".) */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_request_relay(mcpw_request *request, const mcpw_revision *revision,
                                                       int method, const void *params, mcpw_session *to);

/* How long the input requests that a request asks from now on may wait for their answer, in ms: in the place
 * of the config's ask_timeout_ms, for a form that takes an hour to fill in, say. 0: as in the config;
 * UINT64_MAX: for ever. Where input requests are rounds of input_required (2026-07-28) it is the age that the
 * request's requestState may reach, in the place of input_ttl_ms. A handler that runs again sets it again. */
MCPW_API void mcpw_request_set_patience(mcpw_request *request, uint64_t ms);

/* The handle of an input request of mode "url", by its key, once it was asked: the elicitationId that the
 * handler gave, or one that was made because the handler's revision has none. Absent where the peer's
 * revision has none. It lives as long as the request. (MCP 2025-11-25, "Elicitation", URL mode.) */
MCPW_API mcpw_str mcpw_request_elicitation(const mcpw_request *request, const char *key);
/* Of a server: tells the client that what the user was sent to do by such an input request is done, at any
 * time, the request may be long gone. Sent where the revision has notifications/elicitation/complete
 * (2025-11-25); MCPW_OK and nothing is sent elsewhere, or for an absent id. MCPW_E_FULL: max_output waits to
 * be sent. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_session_elicitation_complete(mcpw_session *session, mcpw_str id);

/* Runs the handler of a request again that it has kept: it returned MCPW_OK and has not answered. It runs
 * from its beginning, finds what mcpw_request_set_state has left it, and may ask now and return MCPW_PENDING,
 * which only a handler can: so a relay that learns later what has to be asked passes the input request on.
 * MCPW_OK: it has run, and the request may be gone. MCPW_E_STATE: its handler runs, it is answered or
 * cancelled, its input requests are not all answered (it runs again by itself when they are), or the session
 * is being closed. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_request_resume(mcpw_request *request);

/* A value that the handler keeps from one run to the next, in MCPW_PENDING or mcpw_request_resume; absent in
 * the first run. It may pass through the client, signed but readable: no secrets. It is copied. */
MCPW_API mcpw_json mcpw_request_state(const mcpw_request *request);
/* Sets that value, for the next run. The status of mcpw_json_check when it is no JSON. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_request_set_state(mcpw_request *request, mcpw_json state);

MCPW_END_DECLS

#endif
