/* SPDX-License-Identifier: MIT */
/*
 * Extensions and middleware of servers and clients.
 *
 * An extension is a registration: its id, its settings, its requirements, the requests and notifications that
 * it adds, and its middleware. An end speaks no extension until one is added to it. An extension that was not
 * added leaves no trace in capabilities or behaviour.
 *
 *     mcpw_extension clock = mcp_clock_extension;   (mcpwire_generate with OVERLAY writes this descriptor)
 *     clock.handlers = &handlers;                   (a mcp_clock_server_handlers)
 *     status = mcpw_server_add_extension(server, &clock, &error);
 *
 * Sessions speak an extension in those revisions that have `extensions` among their capabilities. They send
 * nothing of it to a peer that has not declared it. If a client that has not declared it sends one of its
 * requests, the answer is the error -32021. In other revisions its methods are unknown (-32601).
 *
 * Add everything on one thread, before the first session or endpoint is made. (MCP 2026-07-28,
 * "Extensions"; SEP-2133.)
 */
#ifndef MCPW_EXTENSION_H
#define MCPW_EXTENSION_H

#include <mcpw/server.h>

MCPW_BEGIN_DECLS

enum {
    MCPW_MAX_EXTENSIONS = 32,         /* most extensions of one end */
    MCPW_MAX_EXTENSION_METHODS = 256, /* most methods of all extensions of one end */
    MCPW_MAX_EXTENSION_RESULTS = 32,  /* most results of all extensions of one end, and most topics */
    MCPW_MAX_MIDDLEWARE = 16          /* most middleware of one end, that of extensions included */
};

/* ---- Methods ------------------------------------------------------------------------------------------- */

/* A request or notification of an extension. A request's call lives as long as the request, a notification's
 * as long as the callback. */
typedef struct mcpw_extension_call {
    mcpw_str method;   /* its name */
    mcpw_json params;  /* an object with the _meta of the sender; absent: none */
    const void *value; /* the params as a struct, if the method has a type for them; else NULL */
} mcpw_extension_call;

/* The revisions in which an extension's method is served. */
typedef enum mcpw_method_scope {
    MCPW_SCOPE_EXTENSION = 0, /* in revisions that have extensions */
    MCPW_SCOPE_CORE = 1,      /* in revisions without extensions whose core has a method of this name */
    MCPW_SCOPE_BOTH = 2       /* in both */
    MCPW_ENUM_WIDTH(MCPW_SCOPE)
} mcpw_method_scope;

/* A method that an extension adds. The receiver of the method sets its handler; the sender leaves it NULL. */
typedef struct mcpw_extension_method {
    size_t struct_size;      /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    const char *name;        /* required, such as "acme/time" */
    mcpw_role from;          /* its sender; 0: clients for requests, servers for notifications */
    bool is_notification;    /* it has no response */
    const mcpw_type *params; /* a generated type; NULL: the params are JSON text */
    const mcpw_type *result; /* likewise */
    /* A JSON Schema that both ends check the params by. Params of the peer that break it are answered with
     * -32602. Absent: any object is valid. It needs a library with <mcpw/schema.h>. */
    mcpw_json params_schema;
    /* The same for the result. The receiver of the request does not send a result that breaks it, but the
     * error -32603. At the sender, such a result fails the request. */
    mcpw_json result_schema;
    /* Answers a request, by mcpw_respond with the type of the result, or by mcpw_respond_json. It may return
     * the statuses that mcpw_dispatch lists. It cannot make input requests: the protocol allows
     * input_required in the responses to prompts/get, resources/read and tools/call alone, so
     * mcpw_request_ask and the calls of <mcpw/ask.h> return MCPW_E_STATE. The same holds for the handlers of
     * generated bindings. (MCP 2026-07-28, "Multi Round-Trip Requests".) */
    mcpw_status (*request)(mcpw_request *request, const mcpw_extension_call *call, void *user);
    /* Gets a notification. */
    void (*notification)(mcpw_session *session, const mcpw_extension_call *call, void *user);
    /* Requests of clients: a feature that became an extension may have been a part of the core before. A
     * handler of the core's method gets the params as text, and answers with a result of that revision. A
     * slot of the program takes precedence. */
    mcpw_method_scope scope;
    /* `request` runs on the session's thread, also where handlers run on workers. It must not block. */
    bool on_session_thread;
    /* Receivers: scopes that a message of this method needs over HTTP, separated by spaces, beside those of
     * the extension; NULL: none (<mcpw/http_protect.h>). */
    const char *scopes;
} mcpw_extension_method;

/* A result that an extension adds to a method of the protocol. Its resultType tells it from the others. It is
 * for extensions without generated bindings. A client gets it as text: in on_reply, `type` is NULL and `text`
 * is the result.
 *
 * With `taken`, an extension of a client takes such a result instead. The request then goes on until the
 * extension ends it, so its caller gets an ordinary result in the end. In a revision without extensions whose
 * core lets a task answer the method (2025-11-25), `taken` gets that task. Requests are named by the number
 * that mcpw_session_cancel takes. The functions for such a request are in <mcpw/extension_kit.h>. All of the
 * callbacks run on the session's thread. One extension of an end may have them for a method. */
typedef struct mcpw_extension_result {
    size_t struct_size; /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    const char *method; /* required, such as "tools/call" */
    const char *value;  /* of resultType; required, such as "task" */
    /* The name of the generated type of this result, such as "CreateTaskResult". A caller whose revision has
     * this type gets the result itself, and the callbacks below are not called. NULL: there is no such type.
     */
    const char *type_name;
    /* Clients: called before a request is sent, once the session is open. If it returns true, the request
     * waits until mcpw_session_send_held; it may be asked again meanwhile. `name` is the member "name" of its
     * params; absent: they have none. NULL: no request waits. */
    bool (*held)(mcpw_session *session, int64_t request, mcpw_str name, void *user);
    /* Clients: called when a request is sent. It may set *members to an object whose members are put into the
     * params, in place of those of the same names. The revision that is spoken must have them. The text lives
     * until the next callback. A status other than MCPW_OK fails the request. NULL: nothing is added. */
    mcpw_status (*adding)(mcpw_session *session, int64_t request, mcpw_str name, mcpw_json *members,
                          void *user, mcpw_error *error);
    /* Clients: called with the result, which lives during the call. From now on the request has no time
     * limit, and nothing of it is in flight. NULL: on_reply gets the result, and no callback here is called.
     */
    void (*taken)(mcpw_session *session, int64_t request, mcpw_json result, void *user);
    /* Clients: called when the caller cancels a request that was taken or kept open. NULL: nothing. */
    void (*cancelled)(mcpw_session *session, int64_t request, void *user);
    /* Clients: called once when a request with a state (mcpw_session_request_state) has ended in any way,
     * before on_reply. NULL: nothing. */
    void (*ended)(mcpw_session *session, void *state, void *user);
} mcpw_extension_result;

/* A filter that an extension without generated bindings adds to subscriptions: a list of names, to each of
 * which belong notifications. Clients use it by mcpw_named_interest, servers by mcpw_server_notify_named.
 * (MCP 2026-07-28, "Subscriptions".) */
typedef struct mcpw_extension_topic {
    size_t struct_size; /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    const char *filter; /* the member of the filter that lists names; required, such as "taskIds" */
    /* Servers: whether the client of a subscription may have a name. Names that it may not have are left out
     * of the acknowledgement. NULL: it may have every name. */
    bool (*accepts)(mcpw_request *request, mcpw_str name, void *user);
    /* Servers: called for each accepted name when its subscription ends. NULL: it need not be known. */
    void (*ended)(mcpw_str name, void *user);
    /* Servers: scopes that a subscription with this filter needs over HTTP, separated by spaces, beside those
     * of the extension; NULL: none (<mcpw/http_protect.h>). */
    const char *scopes;
} mcpw_extension_topic;

/* ---- Middleware ---------------------------------------------------------------------------------------- */

/* A message on its way through the middleware: a request with its response, or a notification. It lives until
 * the last `ended` has returned. */
typedef struct mcpw_passage mcpw_passage;

/* The messages that a middleware gets. */
enum {
    MCPW_PASS_RECEIVED_REQUESTS = 1,      /* requests of the peer with their responses */
    MCPW_PASS_RECEIVED_NOTIFICATIONS = 2, /* notifications of the peer */
    MCPW_PASS_SENT_REQUESTS = 4,          /* requests of this end with their responses */
    MCPW_PASS_SENT_NOTIFICATIONS = 8,     /* notifications of this end, each when it is made */
    MCPW_PASS_ALL = 15                    /* all of these */
};

/* A middleware stands between the wire and the handlers, after validation and authorization: it gets no
 * message that these refuse. Messages pass middleware in the order in which the program adds it. That of an
 * extension is added with the extension. If A is added before B, a message passes A.before, B.before, the
 * handler, B.after and A.after. Messages of this end take the same way, with the wire in place of the
 * handler. If B answers early, the handler and B.after are skipped, and A.after gets the answer. Messages
 * that the session handles itself do not pass: initialize, server/discover, ping, subscriptions/listen,
 * cancellation.
 *
 * The functions run on the session's thread. They must not block. */
typedef struct mcpw_middleware {
    size_t struct_size; /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    const char *name;   /* for people; required; it must live as long as the sessions */
    unsigned passes;    /* MCPW_PASS_...; 0: MCPW_PASS_RECEIVED_REQUESTS */
    /* Called on the way in. It may read and change the params, answer by mcpw_passage_set_result or
     * mcpw_passage_set_error, or drop a notification. A status other than MCPW_OK fails the message as if the
     * handler had returned it. NULL: nothing. */
    mcpw_status (*before)(mcpw_passage *passage, void *user);
    /* Called on the way out, with a response or, for a notification, without one. It may read and replace the
     * result or the error. A status other than MCPW_OK makes the response an error -32603. NULL: nothing. */
    mcpw_status (*after)(mcpw_passage *passage, void *user);
    /* Called once for each message that has reached this middleware, when the message has ended in any way:
     * with a response, by cancellation, by a timeout, or by the end of the session. NULL: nothing. */
    void (*ended)(mcpw_passage *passage, void *user);
    void *user; /* passed to the functions; must outlive the sessions */
} mcpw_middleware;

/* The session. */
MCPW_SESSION_API mcpw_session *mcpw_passage_session(const mcpw_passage *passage);
/* The request of the peer that passes; NULL for all other messages. */
MCPW_SESSION_API mcpw_request *mcpw_passage_request(const mcpw_passage *passage);
/* MCPW_MESSAGE_REQUEST or MCPW_MESSAGE_NOTIFICATION. */
MCPW_SESSION_API mcpw_message_kind mcpw_passage_kind(const mcpw_passage *passage);
/* Whether this end is the sender. */
MCPW_SESSION_API bool mcpw_passage_is_sent(const mcpw_passage *passage);
/* The method by name. */
MCPW_SESSION_API mcpw_str mcpw_passage_method(const mcpw_passage *passage);
/* Memory that lives as long as the passage. */
MCPW_SESSION_API mcpw_arena *mcpw_passage_arena(mcpw_passage *passage);
/* A pointer that this middleware keeps for this message; *mcpw_passage_state() is NULL at first. */
MCPW_SESSION_API void **mcpw_passage_state(mcpw_passage *passage);

/* The params as text, in the revision of the peer; absent: there are none, or memory ran out. */
MCPW_SESSION_API mcpw_json mcpw_passage_params(mcpw_passage *passage);
/* The params as a struct with its type, if the message has been decoded; else NULL. `type` must not be NULL.
 * The struct does not show params that middleware has replaced in a message of this end. */
MCPW_SESSION_API const void *mcpw_passage_value(const mcpw_passage *passage, const mcpw_type **type);
/* Replaces the params. Call it in `before`. The new params are copied, and checked like params of the peer.
 * On failure the old ones stay. MCPW_E_STATE: the call is not in `before`. MCPW_E_TYPE: the params are no
 * object. Other statuses are those of the check. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_passage_set_params(mcpw_passage *passage, mcpw_json params,
                                                                    mcpw_error *error);
/* The result as text, in the revision of the peer; absent: there is none. */
MCPW_SESSION_API mcpw_json mcpw_passage_result(const mcpw_passage *passage);
/* The error of a response; NULL: there is none. */
MCPW_SESSION_API const mcpw_rpc_error *mcpw_passage_error(const mcpw_passage *passage);
/* Answers the request in `before`, or replaces the response in `after`. The result is checked like that of a
 * handler. The text is copied. MCPW_E_STATE: the message is a notification, or the call is in neither
 * function. MCPW_E_TYPE: the result is no object. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_passage_set_result(mcpw_passage *passage, mcpw_json result,
                                                                    mcpw_error *error);
/* The same with an error. The texts are copied; data may be absent. Choose a code outside -32768 to -32000,
 * which JSON-RPC reserves. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_passage_set_error(mcpw_passage *passage, int64_t code,
                                                                   const char *message, mcpw_json data);
/* Drops a notification. Call it in `before`; elsewhere, and for a request, it has no effect. The receiver
 * does not get the notification, and no error is reported. */
MCPW_SESSION_API void mcpw_passage_drop(mcpw_passage *passage);

/* ---- Extensions ---------------------------------------------------------------------------------------- */

/* An extension. Texts, JSON, methods and middleware are copied when it is added, except the names of
 * middleware. */
typedef struct mcpw_extension {
    size_t struct_size; /* set by MCPW_EXTENSION_INIT */
    /* Required: "prefix/name". The prefix consists of labels joined by dots. A label begins with a letter,
     * ends with a letter or digit, and may have hyphens inside. The name begins and ends with a letter or
     * digit, and may have - _ . inside. */
    const char *id;
    /* An object, which this end declares. Absent: the object that the capabilities of the config have for
     * this id, or else {}. A gateway puts the other end's settings there. */
    mcpw_json settings;
    /* Its requirements, separated by blanks: ids of other extensions of this end, and capabilities that this
     * end declares ("resources", "tools.listChanged"). NULL: none. */
    const char *needs;
    /* Checks further requirements when the endpoint is made. It gets the capabilities of this end. If it
     * returns false, the endpoint is not made, and `why` must have the reason. NULL: there are none. */
    bool (*is_met)(void *user, mcpw_json capabilities, mcpw_error *why);
    const mcpw_revision *revision; /* the generated bindings of its types and methods; NULL: none */
    const mcpw_dispatch *server;   /* of the bindings: calls the handlers of a server */
    const mcpw_dispatch *client;   /* of the bindings: calls the handlers of a client */
    /* The generated struct of handlers for this end's role, such as mcp_clock_server_handlers. NULL: this end
     * receives none of the methods of the bindings. */
    const void *handlers;
    const mcpw_extension_method *methods; /* methods without generated bindings */
    size_t method_count;                  /* how many */
    const mcpw_middleware *middleware;    /* added with the extension, in this order */
    size_t middleware_count;              /* how many */
    void *user; /* passed to handlers and is_met; NULL: handlers get the session's */
    const mcpw_extension_result *results; /* results of methods of the protocol, without generated bindings */
    size_t result_count;                  /* how many */
    const mcpw_extension_topic *topics;   /* filters of subscriptions, likewise */
    size_t topic_count;                   /* how many */
    /* Capabilities of this end that come with it in revisions that know them, by dotted name, separated by
     * blanks: "tasks.requests.tools.call". NULL: none. */
    const char *declares;
    /* Servers: called for each call of a tool before its arguments are checked, on the session's thread. The
     * function may answer the call; the handler then does not run. Any status but MCPW_OK ends the call as if
     * the handler had returned it. NULL: nothing. */
    mcpw_status (*before_tool)(mcpw_request *request, mcpw_str name, mcpw_task_use use, void *user);
    /* Servers: called when the last session and loop on a thread's queue has ended; NULL stands for no queue.
     * The extension ends everything that it has on that queue. NULL: nothing. */
    void (*queue_ended)(void *user, void *queue);
    /* Servers: called when a session is closed, by either end. NULL: nothing. */
    void (*session_ended)(mcpw_session *session, void *user);
    /* Called when the extension is freed with its server or its config, and not if it could not be added.
     * NULL: nothing. */
    void (*freed)(void *user);
    /* Servers: scopes that every message of its methods, and every subscription with one of its filters,
     * needs over HTTP, separated by spaces; NULL: none. A request that lacks one is refused before middleware
     * and handlers, in every revision. Scopes by the name of a method, also of generated bindings, can be
     * given in mcpw_http_protect, too (<mcpw/http_protect.h>). */
    const char *scopes;
    /* Servers: called before a tool is added. *more is an object with the members that its definition has
     * beside those of mcpw_tool; absent: there are none. The function may replace it by an object in the
     * arena, such as one with a member of _meta. Any status but MCPW_OK refuses the tool, and `error` has the
     * reason. NULL: nothing. */
    mcpw_status (*adding_tool)(void *user, const mcpw_tool *tool, mcpw_arena *arena, mcpw_json *more,
                               mcpw_error *error);
    /* An address of the author's own, such as that of a static variable. It tells this extension from one of
     * another author with the same id, whose `user` is something else: see <mcpw/extension_kit.h>. NULL:
     * none.
     */
    const void *tag;
} mcpw_extension;

/* Everything absent. */
#define MCPW_EXTENSION_INIT MCPW_SIZED(mcpw_extension)

/* Adds an extension to all sessions of a server. The call fails, and changes nothing, if:
 *   - MCPW_E_FORMAT: the id is NULL, has more than 250 bytes or breaks the grammar.
 *   - MCPW_E_ARGUMENT: the settings are no object, a method has no name, scopes or a schema are invalid, or
 *     another extension changes types of the protocol as well.
 *   - MCPW_E_DUPLICATE: the id was added before, or a method, a filter or the results of a method are those
 *     of the protocol or of another extension.
 *   - MCPW_E_SIZE: there are too many extensions, methods, topics or middleware.
 *   - MCPW_E_STATE: a session or endpoint of the server exists, or the extension changes types of the
 *     protocol and the server has entries.
 *   - MCPW_E_MEMORY.
 *
 * The error names the extension and the cause of the conflict. Some faults are found only when an endpoint is
 * made, which then fails: requirements that are not met, cycles of requirements, and methods that the program
 * handles itself. So the order of calls does not matter. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_server_add_extension(mcpw_server *server,
                                                                      const mcpw_extension *extension,
                                                                      mcpw_error *error);
/* Adds a middleware to all sessions of a server. Errors as above. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_server_add_middleware(mcpw_server *server,
                                                                       const mcpw_middleware *middleware,
                                                                       mcpw_error *error);

/* The same for clients, and for sessions without a mcpw_server: they are added to the config that the session
 * is made from. The first call makes config->extensions, which must outlive the sessions. The program frees
 * it with mcpw_extensions_free. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_client_add_extension(mcpw_session_config *config,
                                                                      const mcpw_extension *extension,
                                                                      mcpw_error *error);
/* Adds a middleware, likewise. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_client_add_middleware(mcpw_session_config *config,
                                                                       const mcpw_middleware *middleware,
                                                                       mcpw_error *error);
/* Frees the extensions and middleware of a config. Does nothing for NULL. */
MCPW_SESSION_API void mcpw_extensions_free(mcpw_extensions *extensions);

/* The id of an extension of a session by its index from 0; NULL past the last. Extensions are in the order in
 * which they were added. */
MCPW_SESSION_API const char *mcpw_session_extension(const mcpw_session *session, size_t index);
/* The name of a middleware, likewise, in the order in which messages pass on their way in. */
MCPW_SESSION_API const char *mcpw_session_middleware(const mcpw_session *session, size_t index);

/* The settings that the client has declared for an extension, with this request or at the handshake; absent:
 * it has not declared it. They live as long as the request. */
MCPW_SESSION_API mcpw_json mcpw_request_settings(mcpw_request *request, const char *id);
/* The `user` of an extension of the request's session; NULL: there is no extension of this id. */
MCPW_SESSION_API void *mcpw_request_extension_user(const mcpw_request *request, const char *id);
/* The settings that the peer of a session has declared; absent: it has not, or it declares them with each
 * request. They live as long as the session. */
MCPW_SESSION_API mcpw_json mcpw_session_settings(const mcpw_session *session, const char *id);

/* ---- Messages of extensions ---------------------------------------------------------------------------- */

/* Sends a request of an extension, by name and as text. It works like mcpw_session_request. In on_reply, the
 * member `text` of the reply is the result. Methods with generated bindings also have functions of their own.
 */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_request_named(mcpw_session *session,
                                                                       const char *method, mcpw_json params,
                                                                       const mcpw_call *call,
                                                                       mcpw_on_reply on_reply, void *user,
                                                                       int64_t *number, mcpw_error *error);
/* Sends a notification of an extension. MCPW_E_CAPABILITY: the peer has not declared the extension. In a
 * revision without a handshake, a server knows this only from requests. There it sends the notification with
 * the newest request in flight whose client has declared the extension. To choose the request, call
 * mcpw_request_notify_named. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_notify_named(mcpw_session *session,
                                                                      const char *method, mcpw_json params,
                                                                      mcpw_error *error);
/* Sends a notification that belongs to a request, on the stream of that request. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_request_notify_named(mcpw_request *request,
                                                                      const char *method, mcpw_json params,
                                                                      mcpw_error *error);

/* Passes a request of an extension on to the peer of another session, as mcpw_request_relay does with
 * requests of the protocol, and returns the response. The result passes as text: no member of params, result
 * or error is lost, whether or not either end has types for them. Both ends must have added the extension. If
 * the other peer has not declared it, the request is refused with -32601. Only the `request` function of the
 * method may call this, and it must return the status of this call. For a method with generated bindings
 * mcpw_request_relay does the same. A gateway passes a notification on by mcpw_session_relay_named. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_request_relay_named(mcpw_request *request,
                                                                     const char *method, mcpw_json params,
                                                                     mcpw_session *to);
/* Passes a notification of an extension on that `session` is receiving. If it belongs to a request of ours
 * (mcpw_session_received_for) that was passed on for a request of another session, it is sent on the stream
 * of that request, as by mcpw_request_notify_named. Otherwise this is mcpw_session_notify_named for `to`, and
 * MCPW_E_CLOSED if `to` is NULL. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_relay_named(mcpw_session *session,
                                                                     const char *method, mcpw_json params,
                                                                     mcpw_session *to, mcpw_error *error);

/* Answers a request of the protocol with a result of an extension: an object with a resultType of its own.
 * The text is sent as it is, with the name of this server. MCPW_E_CAPABILITY: the client has not declared the
 * extension; a handler that returns this status refuses the request with -32021. MCPW_E_ARGUMENT: this end
 * has no extension of this id. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_respond_extension(mcpw_request *request, const char *id,
                                                                   mcpw_json result, mcpw_error *error);
/* Sends a notification of an extension to all subscriptions of a server's clients that have a name in a
 * filter of that extension. The params are an object; each subscription adds its id. MCPW_E_METHOD: the
 * server has no such filter or notification. MCPW_E_THREAD: a loop of the server's is on another thread. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_server_notify_named(mcpw_server *server, const char *method,
                                                                     const char *filter, mcpw_str name,
                                                                     mcpw_json params, mcpw_error *error);

MCPW_END_DECLS

#endif
