/* SPDX-License-Identifier: MIT */
/*
 * A session is one end of one connection. It does no input or output of its own. Messages from the peer go in
 * by mcpw_session_receive. Messages for the peer come out by mcpw_session_next_message. Each comes with the
 * context of the message that it belongs to. <mcpw/frame.h> makes one stream of bytes of that. In between,
 * the session negotiates, dispatches, keeps track of pending requests, times out and cancels. The caller
 * passes in the time by mcpw_session_advance. The transports in <mcpw/io.h> do all of that.
 *
 * One type serves both ends and every revision. The client's first request decides which revision a server
 * session speaks. `initialize` selects one for the whole session (2024-11-05 to 2025-11-25). A request whose
 * _meta names a revision is served in that revision (2026-07-28). A client session asks by `server/discover`
 * and falls back to `initialize`. Handlers and callers use the types of one revision, usually the pinned one.
 * The session converts between that and the peer's revision (<mcpw/project.h>).
 *
 * Threads: a session belongs to one thread at a time. So do its requests, except those that <mcpw/thread.h>
 * hands to another thread. Nothing here blocks, except that mcpw_session_free waits while another thread has
 * a request. A callback may call any function of its session except mcpw_session_free. Inside
 * mcpw_session_receive, calls of mcpw_session_receive and mcpw_session_end_input do nothing and return
 * MCPW_E_STATE. A callback may end the request or the session that an outer call works on. The outer call
 * then returns MCPW_E_STATE or MCPW_E_CLOSED. (MCP, "Lifecycle" up to 2025-11-25; "Versioning and
 * Compatibility" and "Discovery" from 2026-07-28 on.)
 */
#ifndef MCPW_SESSION_H
#define MCPW_SESSION_H

#include <mcpw/library.h>
#include <mcpw/message.h>

MCPW_BEGIN_DECLS

/* One end of one connection. */
typedef struct mcpw_session mcpw_session;
/* Registries of tools, resources and prompts: <mcpw/server.h>. */
typedef struct mcpw_server mcpw_server;
/* The extensions and the middleware of a server or client: <mcpw/extension.h>. */
typedef struct mcpw_extensions mcpw_extensions;

/* A request from the peer. It lives from its arrival until it is answered or cancelled. Everything that its
 * params refer to lives as long. */
typedef struct mcpw_request mcpw_request;

/* The end that a session is. */
typedef enum mcpw_role {
    MCPW_ROLE_SERVER = 1, /* waits for the client to open */
    MCPW_ROLE_CLIENT = 2  /* opens */
} mcpw_role;

/* JSON-RPC error codes that mean the same in every revision that has them. The generated
 * MCP_<revision>_ERROR_... list the codes of each revision. Sessions with other revisions send their
 * counterparts for the last three. (MCP 2026-07-28, "Streamable HTTP", server validation.) */
enum {
    MCPW_RPC_PARSE_ERROR = -32700,        /* the text is not JSON */
    MCPW_RPC_INVALID_REQUEST = -32600,    /* the JSON is not a message */
    MCPW_RPC_METHOD_NOT_FOUND = -32601,   /* the method is not served */
    MCPW_RPC_INVALID_PARAMS = -32602,     /* the params do not fit the method */
    MCPW_RPC_INTERNAL_ERROR = -32603,     /* the receiver failed */
    MCPW_RPC_HEADER_MISMATCH = -32020,    /* HTTP header and body do not agree */
    MCPW_RPC_MISSING_CAPABILITY = -32021, /* the client has not declared what the request needs */
    MCPW_RPC_UNSUPPORTED_VERSION = -32022 /* the server does not support the revision */
};

/* How the session calls the typed handlers of one side of one revision. The generated ones are
 * mcp_<revision>_server_dispatch and _client_dispatch. They serve the handler structs
 * mcp_<revision>_server_handlers and _client_handlers. A relay that treats all methods alike writes its own.
 */
typedef struct mcpw_dispatch {
    const mcpw_revision *revision; /* of the params that the handlers get */
    mcpw_role role;                /* of the side that they serve */
    /* Returns whether the slot of a method is filled in. The session advertises by this, and answers -32601
     * for a method whose slot is empty. */
    bool (*has)(const void *handlers, int method);
    /* Calls the slot of a request. A request handler may return:
     *   - MCPW_OK: it has answered, or it keeps the request, to answer it or to call mcpw_request_resume
     *     later.
     *   - MCPW_PENDING: mcpw_request_ask returned it. The handler runs again from its beginning when the
     *     peer has answered.
     *   - MCPW_E_CAPABILITY: the peer lacks a capability that is needed. The session sends the error that
     *     the peer's revision has for it.
     *   - A codec status (MCPW_E_SYNTAX to MCPW_E_METHOD): the input is wrong. The answer is -32602 with
     *     the text of the status. For a tool of <mcpw/server.h> it is a result with isError in those
     *     revisions where mcpw_request_refuse sends one.
     *   - Any other status: the answer is -32603.
     *
     * If the handler has already answered, its status is only reported. */
    mcpw_status (*request)(const void *handlers, int method, mcpw_request *request, const void *params,
                           void *user);
    /* Calls the slot of a notification. */
    void (*notification)(const void *handlers, int method, mcpw_session *session, const void *params,
                         void *user);
    /* Returns whether this side may send a notification. Together with has it decides what is advertised.
     * NULL: every notification that goes with the served methods. */
    bool (*sends)(const void *handlers, int method);
    /* Its request function passes requests on by mcpw_request_relay. So a requestState may be the other
     * end's. */
    bool relays;
} mcpw_dispatch;

/* A problem that is passed to on_diagnostic. None of them ends the session. */
typedef enum mcpw_diagnostic_kind {
    MCPW_DIAGNOSTIC_BAD_LINE = 1,      /* text that is not a message; answered if possible */
    MCPW_DIAGNOSTIC_BAD_MESSAGE = 2,   /* params or a result that break the schema */
    MCPW_DIAGNOSTIC_UNKNOWN_REPLY = 3, /* a response to no request of ours, or to a cancelled one */
    MCPW_DIAGNOSTIC_OUT_OF_ORDER = 4,  /* a message that is not allowed at this point */
    MCPW_DIAGNOSTIC_DROPPED = 5,       /* a member was left out because the peer's revision lacks it */
    MCPW_DIAGNOSTIC_HANDLER = 6,       /* a handler failed, or its answer cannot be sent */
    MCPW_DIAGNOSTIC_TOOL_SCHEMA = 7,   /* a schema of a listed tool is unusable; its values are not checked */
    MCPW_DIAGNOSTIC_TOLERATED = 8      /* `lenient` repaired or ignored a fault of the peer */
} mcpw_diagnostic_kind;

/* A diagnostic. It lives while on_diagnostic runs. */
typedef struct mcpw_diagnostic {
    mcpw_diagnostic_kind kind; /* the problem */
    const mcpw_id *id;         /* of the message; NULL: none */
    mcpw_str method;           /* absent: none */
    const mcpw_error *error;   /* where and why */
    /* The name of the tool or prompt, or the URI of the resource, exactly as the peer's request has it;
     * absent: none. */
    mcpw_str subject;
    const char *type; /* MCPW_DIAGNOSTIC_HANDLER: the type of the result that could not be sent; NULL: none */
} mcpw_diagnostic;

/* How to make a session. Zero and NULL take the default. Initialise with MCPW_SESSION_CONFIG_INIT. The
 * session copies the texts, the JSON and the library that the config points at. It does not copy dispatch,
 * handlers, user, server, patterns, extensions and diagnostic_user. Those must outlive the session. */
typedef struct mcpw_session_config {
    size_t struct_size;       /* set by MCPW_SESSION_CONFIG_INIT */
    mcpw_role role;           /* required */
    const char *name;         /* of this program, sent to the peer; required unless server or info has one */
    const char *version;      /* likewise */
    mcpw_json info;           /* an object with more members of Implementation: title, websiteUrl, icons */
    const char *instructions; /* of a server: how to use it */

    const mcpw_dispatch *dispatch; /* with handlers: typed slots; they take precedence over server */
    const void *handlers;          /* the struct of slots that dispatch knows */
    void *user;                    /* passed to every handler and callback */
    mcpw_server *server;           /* of a server: its tools, resources and prompts */

    /* Revisions to speak, by name, separated by blanks; NULL: every one of library. A client
     * asks for the newest of them. */
    const char *revisions;
    /* An object with more capabilities to declare (experimental, extensions). The session declares by itself
     * what slots and registries offer. `declares` names sub-capabilities of those. */
    mcpw_json capabilities;

    unsigned flags;     /* how to read: MCPW_STRICT, MCPW_NULL_IS_ABSENT; the session adds
                           MCPW_ALLOW_UNKNOWN and, for a client, MCPW_PEER_DEFAULTS */
    size_t max_message; /* bytes of a message; default MCPW_DEFAULT_BYTES */
    /* The most bytes that wait to be sent; default 16 MiB. At the limit mcpw_session_wants_input returns
     * false, and no message is handled until the peer has read. Progress and log messages are dropped. Change
     * notifications are delayed. */
    size_t max_output;
    size_t max_requests; /* the peer's requests at once, and the resources that it watches; more are refused;
                            default 4096 */
    size_t max_request_bytes;    /* bytes of memory for one request, and for all of them together when one
                                    arrives; more are refused; default 256 MiB */
    uint64_t request_timeout_ms; /* ms until a request of ours fails; progress restarts it; default 60000 */
    uint64_t max_request_timeout_ms; /* ms after which it fails in spite of progress; default 600000 */
    /* The ms that a client waits for a response to server/discover before it sends initialize as well;
     * default 10000. A late response to server/discover still counts until initialize has succeeded, because
     * a server may start slowly. */
    uint64_t discover_timeout_ms;
    uint64_t input_ttl_ms; /* ms for which a requestState is valid; default 3600000 */
    /* Signs requestState; at least 32 bytes; absent: a random key of the endpoint. Endpoints with the same
     * key accept each other's states, also after a restart. */
    mcpw_str state_key;
    int64_t cache_ttl_ms; /* ttlMs for results whose handler sets none; default 0 */
    bool cache_public;    /* likewise, cacheScope is "public" in place of "private" */

    /* Called when the negotiation has ended. status is MCPW_OK, or the reason of the failure, with details in
     * error. May be NULL. */
    void (*on_open)(void *user, mcpw_session *session, mcpw_status status, const mcpw_error *error);
    /* Called when either end has closed the session. May be NULL. */
    void (*on_close)(void *user, mcpw_session *session);
    /* Called when the peer did something wrong or a handler failed. May be NULL. The one-call servers
     * (mcpw_serve, mcpw_serve_stdio, mcpw_serve_http) then write to standard error: <mcpw/diagnostics.h>. */
    void (*on_diagnostic)(void *user, mcpw_session *session, const mcpw_diagnostic *diagnostic);
    mcpw_allocator allocator; /* for all memory that the session keeps */
    /* Servers: called when its client begins to watch a resource (watched is true) or stops. The client
     * does so by resources/subscribe or subscriptions/listen. There is one call for a URI, however many
     * subscriptions it has. uri is NUL-terminated and lives during the call. *number is the program's to use.
     * It is 0 at first and keeps its value while the resource is watched. A relay stores the number from
     * mcpw_session_listen there. With on_watch set, clients can subscribe to resources without a slot for it.
     * If the slot for resources/subscribe is filled in, it gets those requests in place of on_watch. May be
     * NULL. (MCP, "Resources", subscriptions; 2026-07-28: "Subscriptions".) */
    void (*on_watch)(void *user, mcpw_session *session, mcpw_str uri, bool watched, int64_t *number);

    /* Servers: the session sends log messages by mcpw_request_log or mcpw_session_log. It then declares
     * `logging` and answers logging/setLevel. mcpw_server_will_log sets this for all sessions of a server of
     * <mcpw/server.h>. A slot for logging/setLevel that is filled in has the same effect. */
    bool logs;
    /* Servers: their name and version are put into the _meta of results, as 2026-07-28 asks for. On by
     * default. The result of server/discover has them in either case. */
    mcpw_switch send_server_info;
    /* Clients: the session keeps the tools that the server has listed by tools/list. It checks the
     * structured content of a tool's result against the outputSchema of that tool. If the content does not
     * match, the request fails with the place and the reason, and the rest of the result is withheld. Results
     * with isError, results of tasks and relayed results are not checked. Each list replaces the one before.
     * After the server's notification that the list has changed, nothing is checked until the tools are
     * listed again. A library built without <mcpw/schema.h> checks nothing. On by default. (MCP, "Tools",
     * output schema.) */
    mcpw_switch check_results;
    /* Clients: arguments are checked against the inputSchema before they are sent. The request fails if
     * they do not match. A library built without <mcpw/schema.h> refuses this option. */
    bool check_arguments;
    /* Both ends check the schema of an elicitation's form, and the values that are filled in, including their
     * formats. If a server's handler asks with an invalid form, the call fails at once. If the answer is
     * invalid, the call fails with the reason, and the handler may ask again by another key. A client refuses
     * an invalid form before its handler is called, and its handler cannot send an invalid answer. A library
     * built without <mcpw/schema.h> checks nothing. On by default. (MCP, "Elicitation".) */
    mcpw_switch check_forms;
    bool fill_forms; /* of a client: values that an accepted form lacks take the form's defaults; needs
                        check_forms */
    /* Capabilities that do not follow from a slot, by dotted name, separated by blanks:
     *   - Of a client: "elicitation.form elicitation.url" (if either is named, only the named ones are
     *     declared), "sampling.tools", "tasks.requests.sampling.createMessage".
     *   - Of a server: "tasks.requests.tools.call", and an extension that has no methods.
     *
     * Each revision declares those that it knows. A name that no spoken revision knows is refused. NULL:
     * none. */
    const char *declares;
    /* The ms after the end of input in which handlers may still answer; UINT64_MAX: for ever; default 1000.
     * Then the session closes itself and calls on_cancel for each unanswered request. With the default a
     * worker's answer is still sent, and the server exits before its client sends a signal. */
    uint64_t end_grace_ms;
    uint64_t ask_timeout_ms; /* ms that an input request of mcpw_request_ask may wait for its answer (a person
                                may have to answer); default max_request_timeout_ms */
    mcpw_str principal; /* on whose behalf the client acts, as mcpw_session_set_principal; absent: unknown */
    /* Returns the time in ms since 1970. It measures the age of a requestState, which may outlive the process
     * that made it. NULL: the C library's clock. */
    uint64_t (*clock)(void *user);
    /* The set of known revisions; a program may add its own. It is copied. NULL: the set of server, or else
     * the revisions that were built into the library. If there is a server, its set must contain all of
     * these. */
    const mcpw_library *library;

    /* The most bytes of schemas of listed tools, as text and compiled; default 16 MiB. A schema beyond that
     * is reported (MCPW_DIAGNOSTIC_TOOL_SCHEMA), and its values are not checked. */
    size_t max_tool_schemas;
    /* The engine for schemas of tools and forms that have patterns, such as mcpw_pcre2() of <mcpw/pcre2.h>.
     * NULL: that of the server, if the config has one; else a tool's schema with a pattern is reported and
     * not used, and a form with a pattern is refused. Schemas of a server's own tools use the engine of the
     * server. */
    const struct mcpw_pattern_engine *patterns;
    /* Clients: common faults of servers are repaired or ignored. If it is false, they are refused, as the
     * specification demands. A null in place of an optional member is read as absent, without a diagnostic.
     * Each of the other faults is reported (MCPW_DIAGNOSTIC_TOLERATED):
     *   - an id that is the decimal text of the request's number; "error": null beside a result
     *   - capabilities or serverInfo that are missing or broken; content that is missing or null
     *   - an inputSchema that is missing or is no schema of an object, or a broken member of one
     *   - a broken optional member of a list, of an item of a list, or of the answer to the first request
     *   - a missing or broken member of a task, as long as the task can be followed (2025-11-25)
     *   - tools, prompts and resources that are used though the server has not declared them
     *
     * An item that cannot be repaired is left out of its list. (MCP, "Lifecycle", "Tools".) */
    bool lenient;
    /* Passed to on_diagnostic in place of user; must outlive the session; NULL: user */
    void *diagnostic_user;
    /* Extensions and middleware: see mcpw_client_add_extension. They must outlive the session. NULL: those of
     * server. A session with a server has none of its own. */
    mcpw_extensions *extensions;
} mcpw_session_config;

/* Everything at its default. */
#define MCPW_SESSION_CONFIG_INIT MCPW_SIZED(mcpw_session_config)

/* A server or client, prepared once from a config and shared by all its sessions. An endpoint has the
 * revisions that it speaks, the bindings of their methods and its own info. So a new session is cheap in time
 * and memory.
 *
 * An endpoint does not change once it is made. Sessions on several threads may share it. Then all these
 * threads call the config's allocator and handlers. The data that the config pointed at may change
 * afterwards. Tools may be added to the registries of a server and removed at any time, and each session
 * notifies its client. Registries belong to one thread, and so do all sessions of an endpoint that has a
 * server. Settings of the whole server, such as mcpw_server_will_log, are read when the endpoint is made. */
typedef struct mcpw_endpoint mcpw_endpoint;

/* A new endpoint; NULL with error filled in when memory runs out or the config cannot be used. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_endpoint *mcpw_endpoint_new(const mcpw_session_config *config,
                                                                 mcpw_error *error);
/* Releases an endpoint. It lives until its last session is freed. Any thread may call this. Does nothing for
 * NULL. */
MCPW_SESSION_API void mcpw_endpoint_free(mcpw_endpoint *endpoint);

enum { MCPW_REVISION_NAMES = 256 /* bytes that the names of revisions need at most, with the NUL */ };

/* Writes the names of those revisions of a client's config that have a handshake, separated by blanks, for
 * `revisions` of another config. False: there are none, or there are no others, or `size` is too small. */
MCPW_SESSION_API bool mcpw_handshake_revisions(const mcpw_session_config *config, char *names, size_t size);

/* The revisions that an endpoint speaks, by index from 0, the oldest first; NULL past the last. */
MCPW_SESSION_API const mcpw_revision *mcpw_endpoint_revision_at(const mcpw_endpoint *endpoint, size_t index);

/* A new session of an endpoint; NULL with error filled in when memory runs out. Handlers and callbacks get
 * user in place of the config's; NULL: the config's. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_session *mcpw_session_from(mcpw_endpoint *endpoint, void *user,
                                                                mcpw_error *error);

/* A new session with an endpoint of its own; NULL with error filled in when memory runs out or the config
 * cannot be used. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_session *mcpw_session_new(const mcpw_session_config *config,
                                                               mcpw_error *error);

/* Frees a session. Pending requests first fail with MCPW_E_CLOSED. The call waits for requests that other
 * threads have. Does nothing for NULL. */
MCPW_SESSION_API void mcpw_session_free(mcpw_session *session);

/* Frees the memory that a session keeps for later messages. A program with many sessions calls it when one of
 * them is idle. An idle session with nothing to send then keeps at most 2 KiB from its allocator. That does
 * not count the data about its peer: its info, its capabilities and the resources that it watches. Inside a
 * callback this does nothing. */
MCPW_SESSION_API void mcpw_session_trim(mcpw_session *session);

/* Clients: begins the negotiation. on_open is called when it has ended. Requests may be made at once;
 * they wait until then. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_open(mcpw_session *session);

/* Takes the text of one whole message from the peer and handles it. In a revision with batches it may be a
 * batch. context belongs to the transport: for example the message's stream, its headers or its sender. NULL:
 * none. Handlers get it by mcpw_request_context, and everything that the session sends about the message
 * comes out with it. It must live until the last message with it has come out (mcpw_outgoing.is_last).
 *
 * The call may return:
 *   - MCPW_OK: the message was taken, even if its text is invalid.
 *   - MCPW_E_FULL: max_output waits to be sent. Try again when mcpw_session_wants_input returns true.
 *   - MCPW_E_CLOSED: the session is closed.
 *   - MCPW_E_MEMORY: memory ran out. Without a context, the message may have been taken and is lost.
 *   - MCPW_E_STATE: the call was made inside a callback, or the session is read as one stream of bytes
 *     (<mcpw/frame.h>).
 *
 * After any status but MCPW_OK, the context does not come out. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_receive(mcpw_session *session, const void *text,
                                                                 size_t len, void *context);

/* A message for the peer. */
typedef struct mcpw_outgoing {
    mcpw_str text; /* whole, without CR or LF, followed by a NUL byte; absent: no message */
    /* The context of the request that this belongs to, as its response, progress, log message or input
     * request, or as a change of its subscription; NULL: none. */
    void *context;
    /* Nothing follows with this context. Each context that was passed in comes out exactly once with is_last
     * set. It comes with the response, or without a text if there is no response (to a notification, to a
     * response from the peer, to a cancelled request). */
    bool is_last;
    mcpw_message_kind kind; /* its kind; MCPW_MESSAGE_NONE: no message */
    mcpw_str method;        /* of a request or notification; else absent */
    int64_t code;           /* of an error; else 0 */
    int64_t request; /* the id of a request, or of the one that notifications/cancelled names; 0: none */
} mcpw_outgoing;

/* Takes the next message to send, in the order in which they were made. Returns false if there is none, or if
 * the session is read as one stream of bytes. The text lives until the next call of a function of the
 * session. A transport with many streams sends each message on the stream that its context names. It sends
 * messages without a context on the session's own stream. This call also handles messages that waited for
 * room in the output, so it may call handlers.
 */
MCPW_SESSION_API bool mcpw_session_next_message(mcpw_session *session, mcpw_outgoing *message);

/* Sets a callback that is called when a first message waits to be sent, and when the session was closed. So a
 * program with many sessions need not poll them all. The callback runs inside the call that caused the
 * output, and must call no function of the session. The program calls mcpw_session_next_message later. NULL:
 * no callback. */
MCPW_SESSION_API void mcpw_session_on_output(mcpw_session *session,
                                             void (*on_output)(void *user, mcpw_session *session),
                                             void *user);

/* Reports that the stream of a context is gone. Its request is cancelled, as if the peer had cancelled it.
 * Messages that wait for that stream are dropped, and the context does not come out again. (MCP 2026-07-28,
 * "Streamable HTTP": a response stream that is closed cancels its request.) */
MCPW_SESSION_API void mcpw_session_abandon(mcpw_session *session, void *context);

/* Reports that the peer will send no more. MCPW_E_CLOSED: the session is closed, or this was reported before.
 * MCPW_E_STATE: inside mcpw_session_receive. Requests of ours that wait fail with MCPW_E_CLOSED. Every
 * message that came before is answered. The immediate answers of handlers are in the output. For
 * end_grace_ms ms more, handlers may answer the requests that they have kept. Nothing else is written: no
 * progress, no log message, no change notification, no end of a subscription, and no error for a request
 * whose handler fails with MCPW_E_CLOSED.
 *
 * After end_grace_ms, mcpw_session_advance closes the session. It calls on_cancel for each request that is
 * left, and on_close. The peer gets no response to those requests. (mcpw_io_run closes at once if nothing
 * could produce those answers.) A relay may rely on this: two sessions whose peers have gone are both closed
 * in that time. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_end_input(mcpw_session *session);

/* Whether to read from the peer. False when max_output waits to be sent, and when the session is closed. */
MCPW_SESSION_API bool mcpw_session_wants_input(const mcpw_session *session);

/* Sets the time, in ms on any clock that does not go back, and fails the requests that have timed out. It
 * cancels what was passed on for clients that did not come back with input responses within input_ttl_ms. */
MCPW_SESSION_API void mcpw_session_advance(mcpw_session *session, uint64_t now);

/* The time by which mcpw_session_advance must be called next; UINT64_MAX: never. */
MCPW_SESSION_API uint64_t mcpw_session_deadline(const mcpw_session *session);

/* Closes this end. Subscriptions of the peer end with their results alone. (A client also takes
 * notifications/cancelled for their end; see mcpw_session_listen.) Subscriptions of ours end by
 * notifications/cancelled. Requests of ours fail with MCPW_E_CLOSED. For requests of the peer that wait,
 * on_cancel is called; those that it does not answer are answered -32603. After the end of the peer's input,
 * on_cancel is called as well, but neither the peer's subscriptions nor its requests get a response. Output
 * that waits may still be sent. */
MCPW_SESSION_API void mcpw_session_close(mcpw_session *session);

/* Whether the session is closed, by this end or by the peer. */
MCPW_SESSION_API bool mcpw_session_is_closed(const mcpw_session *session);
/* Whether requests of the peer wait for an answer or to be handled. */
MCPW_SESSION_API bool mcpw_session_is_busy(const mcpw_session *session);
/* The revision that is spoken; NULL before that is known. */
MCPW_SESSION_API const mcpw_revision *mcpw_session_revision(const mcpw_session *session);
/* The `user` that it was made with: that of mcpw_session_from, or else of the config. */
MCPW_SESSION_API void *mcpw_session_user(const mcpw_session *session);
/* The peer's info, an Implementation as JSON. If it is longer than 64 KiB, this is its name and version only.
 * It is absent before it is known. It is also absent at a server if the revision sends it with each request.
 * It lives as long as the session. */
MCPW_SESSION_API mcpw_json mcpw_session_peer_info(const mcpw_session *session);
/* The peer's capabilities as JSON; absent in the same cases (see mcpw_request_client_capabilities for the
 * last one). */
MCPW_SESSION_API mcpw_json mcpw_session_peer_capabilities(const mcpw_session *session);
/* Clients: the instructions of the server. Absent if there are none, or if they are longer than 1 MiB;
 * that is reported (MCPW_DIAGNOSTIC_BAD_MESSAGE). */
MCPW_SESSION_API mcpw_str mcpw_session_instructions(const mcpw_session *session);
/* Whether capabilities, as JSON, contain one such as "tools" or "resources.subscribe". It must be there, and
 * be neither false nor null. */
MCPW_SESSION_API bool mcpw_capabilities_have(mcpw_json capabilities, const char *capability);
/* Sets the user on whose behalf the messages from now on act, such as a user's name at the authorization
 * server or a token's subject. Absent: unknown. It is copied. A requestState is valid only for the principal
 * that it was made for. So a server of several users with one state_key must set it. (MCP 2026-07-28, "Multi
 * Round-Trip Requests", security.) */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_set_principal(mcpw_session *session,
                                                                       mcpw_str principal);

/* Levels of log messages, gravest last. (RFC 5424; MCP "Logging".) */
typedef enum mcpw_log_level {
    MCPW_LOG_DEBUG = 1,    /* for developers */
    MCPW_LOG_INFO = 2,     /* normal events */
    MCPW_LOG_NOTICE = 3,   /* normal, but worth noting */
    MCPW_LOG_WARNING = 4,  /* something may go wrong */
    MCPW_LOG_ERROR = 5,    /* something went wrong */
    MCPW_LOG_CRITICAL = 6, /* a part has failed */
    MCPW_LOG_ALERT = 7,    /* act at once */
    MCPW_LOG_EMERGENCY = 8 /* nothing works */
} mcpw_log_level;

/* ---- Requests of ours ---------------------------------------------------------------------------------- */

/* How a request of ours ended. It lives only during the callback. */
typedef struct mcpw_reply {
    mcpw_status status;      /* MCPW_OK, MCPW_E_REMOTE, MCPW_E_TIMEOUT, MCPW_E_CANCELLED, MCPW_E_CLOSED,
                                MCPW_E_CAPABILITY, or the status of an invalid result */
    int method;              /* in the caller's revision */
    const mcpw_type *type;   /* MCPW_OK: of value, in the caller's revision. The generated
                                mcp_<revision>_reply_<method>() return value with its type */
    const void *value;       /* MCPW_OK */
    mcpw_rpc_error remote;   /* MCPW_E_REMOTE: the error of the peer */
    const mcpw_error *error; /* any other status: the reason */
    mcpw_json text;          /* MCPW_OK: the result as text, if an extension adds the method; else absent */
} mcpw_reply;

/* A result and its type. A request may be answered in more than one way: by its result or, where its params
 * carry a task, by the task that was created. So a value is cast by its type alone. */
typedef struct mcpw_result {
    const mcpw_type *type; /* in: the type that is wanted, NULL for any; out: the type of value */
    const void *value;     /* out; NULL: none */
} mcpw_result;

/* Called when a request of ours has ended. reply lives only during the call. */
typedef void (*mcpw_on_reply)(void *user, mcpw_session *session, const mcpw_reply *reply);

/* Progress of a request of ours. It lives only during the callback. */
typedef struct mcpw_progress {
    double progress;       /* grows from one to the next */
    mcpw_opt_double total; /* where it will end, if that is known */
    mcpw_str message;      /* for people; absent: none */
    /* An object with the other members of the notification, such as _meta; absent: there are none. */
    mcpw_json more;
} mcpw_progress;

/* How to make one request. Initialise with zeros; NULL takes the defaults. */
typedef struct mcpw_call {
    size_t struct_size;      /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    uint64_t timeout_ms;     /* ms; 0: as in the config; UINT64_MAX: none */
    uint64_t max_timeout_ms; /* ms after which it fails in spite of progress; 0: as in the config */
    /* Called with the progress of the request. If it is set, the request carries a progress token. */
    void (*on_progress)(void *user, mcpw_session *session, const mcpw_progress *progress);
} mcpw_call;

/* Sends a request. method and params are of the given revision; params NULL: none. The session adds the _meta
 * members that the peer's revision needs. number, unless NULL, receives a number for mcpw_session_cancel.
 * on_reply is called exactly once, and never from inside this call. If this call fails, on_reply is never
 * called. MCPW_E_CAPABILITY: the peer has not declared what the method needs. MCPW_E_METHOD: its revision has
 * no such method. Rounds of input_required are answered by this end's handlers before on_reply is called. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_request(mcpw_session *session,
                                                                 const mcpw_revision *revision, int method,
                                                                 const void *params, const mcpw_call *call,
                                                                 mcpw_on_reply on_reply, void *user,
                                                                 int64_t *number, mcpw_error *error);

/* Clients: sets the lowest level of the log messages that they want. In revisions with logging/setLevel, the
 * request waits for the negotiation (MCPW_E_CAPABILITY: the server does not log). In 2026-07-28 each request
 * carries the level. Every later request of this session then has it, unless its _meta names a level.
 * MCPW_E_ARGUMENT: this end is a server, or there is no such level. The server's response is not reported:
 * mcpw_client_set_log_level waits for it. (MCP, "Logging".) */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_set_log_level(mcpw_session *session,
                                                                       mcpw_log_level level,
                                                                       mcpw_error *error);

/* Clients: notifies the server that the list of roots has changed. MCPW_E_METHOD if the revision has
 * no such notification (a 2026-07-28 server asks for roots in each call). MCPW_E_CAPABILITY if this end has
 * not declared roots.listChanged. (MCP, "Roots".) */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_roots_changed(mcpw_session *session,
                                                                       mcpw_error *error);

/* Cancels a request of ours. The peer is notified, unless the request creates a task. tasks/cancel cancels
 * the task once it exists. on_reply is called with MCPW_E_CANCELLED before this returns. MCPW_E_NOT_FOUND if
 * the request has ended. reason may be NULL. (MCP, "Cancellation".) */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_cancel(mcpw_session *session, int64_t number,
                                                                const char *reason);

/* Sends a notification. method and params are as for mcpw_session_request. MCPW_E_METHOD: the peer's revision
 * has no such notification of this end. MCPW_E_CAPABILITY: this end has not declared its capability.
 * MCPW_E_STATE: the negotiation is not over. MCPW_E_CLOSED: the session is closed. MCPW_E_FULL: max_output
 * waits to be sent. In 2026-07-28, clients subscribe to changes. A change is then sent to the subscriptions
 * that want it, and not at all if there are none. A log message is sent only while a request is under way
 * that wants its level.
 */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_notify(mcpw_session *session,
                                                                const mcpw_revision *revision, int method,
                                                                const void *params, mcpw_error *error);

/* The number of the request of ours to which the message belongs that is being received, because it came on
 * the response stream of that request (HTTP). For the handlers of notifications. 0: the transport does not
 * say, or the message came on another stream. */
MCPW_SESSION_API int64_t mcpw_session_received_for(const mcpw_session *session);

/* A filter that an extension adds to subscriptions, such as {"taskIds", ids, 2}. */
typedef struct mcpw_named_interest {
    const char *filter;       /* the member of the filter */
    const char *const *names; /* the names that the client subscribes to */
    size_t name_count;        /* how many */
} mcpw_named_interest;

/* The changes that a client subscribes to. */
typedef struct mcpw_interest {
    bool tools;              /* the list of tools */
    bool prompts;            /* the list of prompts */
    bool resources;          /* the list of resources */
    const char *const *uris; /* resources whose content is watched */
    size_t uri_count;        /* how many */
    /* Filters of extensions. Both ends must have declared the extension; else MCPW_E_CAPABILITY.
     * MCPW_E_METHOD: the revision knows no such filter. */
    const mcpw_named_interest *named;
    size_t named_count; /* how many */
} mcpw_interest;

/* Clients: subscribes to changes, by subscriptions/listen or by resources/subscribe, depending on the
 * revision. The slots for the notifications are called. on_end is called once, when the peer has refused or
 * ended the subscription. Its status is MCPW_OK if a result ended it, and MCPW_E_CANCELLED if
 * notifications/cancelled did (the specification's pages differ on which it is). Until then
 * mcpw_session_cancel ends it. (MCP, "Subscriptions", 2026-07-28; before, "Resources".)
 */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_listen(mcpw_session *session,
                                                                const mcpw_interest *interest,
                                                                mcpw_on_reply on_end, void *user,
                                                                int64_t *number, mcpw_error *error);

/* ---- Requests of the peer's ---------------------------------------------------------------------------- */

/* Answers a request with a result. type is the method's result in any revision, its task result where the
 * request carried a task, 2026-07-28's InputRequiredResult, or the result of an extension that both ends have
 * declared (else MCPW_E_CAPABILITY). The generated mcp_<revision>_respond_<method>() pass it. The request is
 * gone afterwards. On failure the request is not answered and still lives. MCPW_E_STATE is the exception: the
 * request had ended before, or a callback has ended it.
 */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_respond(mcpw_request *request, const mcpw_type *type,
                                                         const void *result, mcpw_error *error);

/* The same with the text of the result, in the peer's revision. The text is checked against the schema of the
 * result. If the request carried a task and the text has a member "task", it is the task result. If the
 * schema needs resultType, ttlMs or cacheScope and the text lacks them, they are added. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_respond_json(mcpw_request *request, mcpw_json result,
                                                              mcpw_error *error);

/* Answers a request with an error; data may be absent. If the peer's revision has replaced a code, its
 * successor is sent. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_respond_error(mcpw_request *request, int64_t code,
                                                               const char *message, mcpw_json data);

/* The same with a whole error object, such as that of another peer. Its members that JSON-RPC does not name
 * are sent, too. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_respond_remote(mcpw_request *request,
                                                                const mcpw_rpc_error *error);

/* Answers -32602 for wrong input. The message says where and why it is wrong, and data.path has the place. If
 * the path does not start at the params, prefix is the part before it, such as "/arguments" for a tool's
 * arguments. From 2025-11-25 on, faults in a tool's arguments are answered with a result with isError
 * instead, so that a model can correct them. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_request_refuse(mcpw_request *request, const char *prefix,
                                                                const mcpw_error *why);

/* The session that a request came to. */
MCPW_SESSION_API mcpw_session *mcpw_request_session(const mcpw_request *request);
/* Memory that lives as long as the request: for its answer, and for what the handler keeps. */
MCPW_SESSION_API mcpw_arena *mcpw_request_arena(mcpw_request *request);
/* The params as text, in the revision of the peer; absent: there are none, or memory ran out. It lives as
 * long as the request. */
MCPW_SESSION_API mcpw_json mcpw_request_params_text(mcpw_request *request);
/* The revision of this request. */
MCPW_SESSION_API const mcpw_revision *mcpw_request_revision(const mcpw_request *request);
/* The method, by name. */
MCPW_SESSION_API mcpw_str mcpw_request_method(const mcpw_request *request);
/* The user on whose behalf it was made (mcpw_session_set_principal). It lives as long as the request. */
MCPW_SESSION_API mcpw_str mcpw_request_principal(const mcpw_request *request);
/* The context that its transport passed to mcpw_session_receive. NULL: none. */
MCPW_SESSION_API void *mcpw_request_context(const mcpw_request *request);
/* The id. It lives as long as the request. */
MCPW_SESSION_API mcpw_id mcpw_request_id(const mcpw_request *request);
/* The capabilities that the client declared, with this request or at the handshake, as JSON; absent: none. */
MCPW_SESSION_API mcpw_json mcpw_request_client_capabilities(mcpw_request *request);
/* The client's info, from this request or the handshake, an Implementation as JSON; absent: none (it is
 * optional in 2026-07-28). It lives as long as the request. */
MCPW_SESSION_API mcpw_json mcpw_request_client_info(mcpw_request *request);
/* The _meta of the params, unchanged, as JSON; absent: none. It lives as long as the request. */
MCPW_SESSION_API mcpw_json mcpw_request_meta(mcpw_request *request);
/* Whether the peer has declared a capability such as "sampling" or "elicitation.url". */
MCPW_SESSION_API bool mcpw_request_can(mcpw_request *request, const char *capability);

/* Sets a callback that is called if the request is cancelled, or its session closed, before it is answered.
 * The request is gone when the callback returns. Without a callback, a cancelled request is freed silently.
 * So a handler that keeps a request for later must set one. */
MCPW_SESSION_API void mcpw_request_on_cancel(mcpw_request *request,
                                             void (*on_cancel)(void *user, mcpw_request *request),
                                             void *user);

/* Sends progress if the peer asked for it; else it does nothing. A value that does not grow is dropped, and
 * so is any value while max_output waits to be sent. Nothing depends on it, so the status may be ignored.
 * total below 0: unknown. message may be NULL. (MCP, "Progress".) */
MCPW_SESSION_API mcpw_status mcpw_request_progress(mcpw_request *request, double progress, double total,
                                                   const char *message);

/* The same with all members of the notification. Those of `more` are sent as they are, except the progress
 * token. MCPW_E_SYNTAX, MCPW_E_TYPE: `more` is no object. */
MCPW_SESSION_API mcpw_status mcpw_request_send_progress(mcpw_request *request, const mcpw_progress *progress);

/* Sends a log message if the peer wants its level. The peer sets the lowest level by logging/setLevel. In
 * 2026-07-28 the request sets it, and a request without a level gets no log messages. data is any JSON value;
 * logger may be NULL. The message is dropped while max_output waits to be sent. MCPW_E_CAPABILITY: the
 * session does not declare that it logs (see mcpw_server_will_log, or logs in its config). on_diagnostic is
 * called for that as well, so the status may be ignored. */
MCPW_SESSION_API mcpw_status mcpw_request_log(mcpw_request *request, mcpw_log_level level, const char *logger,
                                              mcpw_json data);
/* The same outside of any request; only revisions with a handshake have it. */
MCPW_SESSION_API mcpw_status mcpw_session_log(mcpw_session *session, mcpw_log_level level, const char *logger,
                                              mcpw_json data);

/* Asks the client something in the middle of a request: sampling/createMessage, elicitation/create or
 * roots/list. It works in every revision that has the method. It is a request from the server, or a result of
 * input_required whose answer comes with the client's retry.
 *
 * method and params are of the given revision, and so is the answer in result. result->type selects the
 * answer, as for mcpw_client_request: params with a task are answered by that task (only clients that declare
 * it make tasks). key names the input request within the request. A handler may make several input requests
 * before it returns.
 *
 * The call may return:
 *   - MCPW_OK: the answer is there.
 *   - MCPW_PENDING: the input request was made. The handler must return MCPW_PENDING. It runs again from
 *     its beginning when all answers have come, so it must ask before it acts.
 *   - MCPW_E_CAPABILITY: the client does not support it.
 *   - MCPW_E_REMOTE: the client refused or failed; error has the reason.
 *   - MCPW_E_TIMEOUT: the client did not answer in time; see mcpw_request_set_patience.
 *   - A codec status: the answer is invalid. If the handler returns that status, the request is answered
 *     -32603.
 *   - MCPW_E_STATE: no handler of this request runs, or a callback has ended it. The same in a revision that
 *     allows no input requests in the middle of this method. If the handler returns that, the request is
 *     answered -32603.
 *
 * (MCP, "Sampling", "Elicitation", "Roots"; from 2026-07-28 on "Multi Round-Trip Requests".) */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_request_ask(mcpw_request *request, const char *key,
                                                             const mcpw_revision *revision, int method,
                                                             const void *params, mcpw_result *result,
                                                             mcpw_error *error);

/* Passes a request on to the peer of another session, and returns the response: the result, or the error with
 * its data and with the code that the revision has for it. It also passes on progress if it was asked for,
 * cancellation in both directions, and the level of log messages. method and params are of the given
 * revision, exactly as the handler got them. If to is NULL or closed, the request is refused. Only the
 * request function of a mcpw_dispatch that relays may call this, and it must return the status of this call.
 * A relayed request has no timeout; the two ends have theirs.
 *
 * Input requests pass in every combination of revisions (MCP 2026-07-28, "Multi Round-Trip Requests"):
 *   - If both revisions have input_required, its results and their requestState pass unchanged.
 *   - If only the asking end has it, its input requests call the slots of its session, which pass them on
 *     like any request.
 *   - If only the asked end has it, an input request goes into the response to the newest request that was
 *     passed on to the asking end. If there is none, the input request is refused. This needs libsodium. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_request_relay(mcpw_request *request,
                                                               const mcpw_revision *revision, int method,
                                                               const void *params, mcpw_session *to);
/* Passes a notification on that `session` is receiving. method and params are as the handler got them. A log
 * message that belongs to a request of ours (mcpw_session_received_for), which was passed on for a request of
 * another session, is sent on the stream of that request, if that wants its level. Everything else is sent as
 * by mcpw_session_notify for `to`. MCPW_E_CLOSED: `to` is NULL. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_relay(mcpw_session *session,
                                                               const mcpw_revision *revision, int method,
                                                               const void *params, mcpw_session *to,
                                                               mcpw_error *error);

/* Sets how long later input requests of this request may wait for their answer, in ms. It replaces the
 * config's ask_timeout_ms, for example for a form that takes an hour to fill in. 0: as in the config;
 * UINT64_MAX: for ever. If input requests are rounds of input_required (2026-07-28), it is the greatest age
 * of the request's requestState, in place of input_ttl_ms. A handler that runs again must set it again. */
MCPW_SESSION_API void mcpw_request_set_patience(mcpw_request *request, uint64_t patience_ms);

/* The elicitationId of an input request of mode "url", by its key, once it was asked. It is the handler's
 * own. If the handler's revision has no such id, it is a new one. It is absent if the peer's revision has
 * none. It lives as long as the request. (MCP 2025-11-25, "Elicitation", URL mode.) */
MCPW_SESSION_API mcpw_str mcpw_request_elicitation(const mcpw_request *request, const char *key);
/* Servers: notifies the client that the user has finished the interaction of such an input request. It
 * may be called at any time, also when the request is gone. It sends notifications/elicitation/complete
 * (2025-11-25). In other revisions, and for an absent id, it sends nothing and returns MCPW_OK. MCPW_E_STATE:
 * this end is a client. MCPW_E_CLOSED: the session is closed. MCPW_E_FULL: max_output waits to be sent. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_elicitation_complete(mcpw_session *session,
                                                                              mcpw_str id);

/* Runs the handler of a kept request again. (The handler returned MCPW_OK and has not answered.) It runs from
 * its beginning and finds the value of mcpw_request_set_state. It may now make input requests and return
 * MCPW_PENDING; only a handler can do that. A relay uses this to pass on an input request that comes later.
 * MCPW_OK: the handler has run, and the request may be gone. MCPW_E_STATE: the handler runs, the request is
 * answered or cancelled, the session is being closed, or not all input requests are answered (the handler
 * runs again by itself when they are). */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_request_resume(mcpw_request *request);

/* The answers to the input requests of a request so far, as an object by key, in the revision of the peer.
 * Absent: there are none, or memory ran out. It lives as long as the request. */
MCPW_SESSION_API mcpw_json mcpw_request_answers(mcpw_request *request);
/* A value that the handler keeps from one run to the next, after MCPW_PENDING or mcpw_request_resume; absent
 * in the first run. It may pass through the client, signed but readable, so it must contain no secrets. It is
 * copied. */
MCPW_SESSION_API mcpw_json mcpw_request_state(const mcpw_request *request);
/* Sets that value for the next run. If it is not JSON, the status is that of mcpw_json_check. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_request_set_state(mcpw_request *request, mcpw_json state);

MCPW_END_DECLS

#endif
