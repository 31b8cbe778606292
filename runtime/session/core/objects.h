/* SPDX-License-Identifier: MIT */
/*
 * The objects that the parts of a session work on: the session, requests of the peer's, requests of ours, the
 * revisions as they are spoken. Each part's own header has its functions.
 *
 * Callbacks. Handlers, on_diagnostic, on_cancel, on_reply, on_progress, on_watch, on_open and on_close may
 * call everything but mcpw_session_free: each may respond, cancel or close. One rule keeps that safe. After a
 * call that may reach user code, nothing is touched that user code may have ended, unless it is known to be
 * alive. These show it:
 *
 *   a request of the peer's   mcpw_request_ref before, mcpw_request_unref after: its memory stays until
 *                             then, and the return value says whether it is in flight. While its handler
 *                             runs it is held: r->life.in_flight says so
 *   a request of ours         its number, which is never used again: p->number is as before
 *   a round of input          round->entering keeps it, round->pending is NULL once it has ended
 *   the requests in flight    mcpw_request_walk: it passes over a request that ends before its step, and does
 *                             not visit new ones
 *   another list              is walked from its head again; that of the requests, too, where each step ends
 *                             one of them
 *
 * User code is reached by mcpw_session_diagnose, by mcpw_session_adapt (which notes what it drops), by a
 * failed mcpw_respond... and mcpw_request_log (which note why), by mcpw_request_run, _drop and _resume, by
 * mcpw_pending_end and _fail and what calls them. Middleware is user code: mcpw_session_emit reaches it with
 * a notification (but for those of the session's own, such as notifications/cancelled), mcpw_call_send and
 * mcpw_call_emit with a request, every mcpw_respond... with a response. mcpw_request_finish reaches what is
 * notified of a request's end: `ended` of its middleware, on_watch, and the input requests that it carried.
 * mcpw_session_emit with other messages does not reach it.
 */
#ifndef MCPW_OBJECTS_H
#define MCPW_OBJECTS_H

#include "../../base/compiler.h"
#include "../attach.h"
#include "../protocol.h"
#include "../support/hash_table.h"
#include "../support/text.h"
#include "provider.h"
#include <mcpw/detail/field.h>
#include <mcpw/detail/plan.h>
#include <mcpw/detail/remembered.h>
#include <mcpw/json.h>
#include <mcpw/policy.h>
#include <mcpw/project.h>
#include <mcpw/server.h>
#include <mcpw/session.h>
#include <mcpw/thread.h>

#include <limits.h>
#include <stdatomic.h>

/* The methods that a session handles itself. */
#define MCPW_OWN_METHODS(X)                                                                                  \
    X(INITIALIZE, "initialize")                                                                              \
    X(INITIALIZED, "notifications/initialized")                                                              \
    X(PING, "ping")                                                                                          \
    X(DISCOVER, "server/discover")                                                                           \
    X(LISTEN, "subscriptions/listen")                                                                        \
    X(ACKNOWLEDGED, "notifications/subscriptions/acknowledged")                                              \
    X(CANCELLED, "notifications/cancelled")                                                                  \
    X(PROGRESS, "notifications/progress")                                                                    \
    X(MESSAGE, "notifications/message")                                                                      \
    X(SET_LEVEL, "logging/setLevel")                                                                         \
    X(SUBSCRIBE, "resources/subscribe")                                                                      \
    X(UNSUBSCRIBE, "resources/unsubscribe")                                                                  \
    X(RESOURCE_UPDATED, "notifications/resources/updated")                                                   \
    X(TOOLS_CHANGED, "notifications/tools/list_changed")                                                     \
    X(ELICITED, "notifications/elicitation/complete")                                                        \
    X(PROMPTS_CHANGED, "notifications/prompts/list_changed")                                                 \
    X(RESOURCES_CHANGED, "notifications/resources/list_changed")                                             \
    X(LIST_TOOLS, "tools/list")                                                                              \
    X(ELICIT, "elicitation/create")                                                                          \
    X(CALL_TOOL, "tools/call")                                                                               \
    X(ROOTS_CHANGED, "notifications/roots/list_changed")

typedef enum mcpw_own {
    MCPW_OWN_NONE = 0,
#define MCPW_OWN_ENUM(name, text) MCPW_OWN_##name,
    MCPW_OWN_METHODS(MCPW_OWN_ENUM)
#undef MCPW_OWN_ENUM
        MCPW_OWN_COUNT
} mcpw_own;

enum {
    MCPW_FILL_SIZE = 16,    /* bytes of the largest value that is filled in */
    MCPW_RESULT_VALUES = 3, /* values that no table holds, but every result has */
    MCPW_VALUES = 6,        /* these and those of params, which identify the client */
    MCPW_MESSAGE_ROOM = 512,
    MCPW_MAX_CAPABILITIES = 1 << 16, /* bytes; each request may read them */
    MCPW_MAX_PEER_INFO = 1 << 16,    /* bytes of a peer's info; also kept with the session */
    MCPW_MAX_INSTRUCTIONS = 1 << 20, /* bytes of a server's instructions */
    MCPW_DIGITS = 20,                /* of a 64-bit number, with its sign */
    MCPW_KEPT_ARENA = 1 << 17,       /* memory that an arena keeps between messages */
    MCPW_LEAST_BYTES = 4096,         /* bytes of the first block of a request's arena */
    MCPW_KEPT_OUTPUT = 1 << 24,      /* bytes of output that are kept for the next messages */
    MCPW_KEPT_IDLE = 128,            /* requests of the peer's that keep their arena for the next ones */
    MCPW_KEPT_BYTES = 1 << 24 /* bytes of all these arenas, and of the unused parts of those in flight */
};

/* A required member of a result that is filled in if the handler left it absent. */
typedef struct mcpw_fill {
    uint16_t offset;
    mcpw_ref ref;
    uint8_t size;
    uint8_t value; /* its place in the endpoint's values */
    unsigned char bytes[MCPW_FILL_SIZE];
} mcpw_fill;

/* The facts of a session about one method of a revision. Offsets are MCPW_NO_OFFSET where there is no such
 * member. */
typedef struct mcpw_binding {
    mcpw_own own;
    int handler;   /* the slot in the handlers' revision, if it is filled in; else 0 */
    uint16_t meta; /* of _meta in the params */
    mcpw_ref meta_ref;
    uint16_t meta_size;
    uint16_t token;   /* progressToken; this and the next two lie in _meta */
    uint16_t version; /* protocolVersion */
    uint16_t level;   /* logLevel */
    uint16_t level_enum;
    uint16_t responses; /* inputResponses and requestState, in the params themselves */
    uint16_t state;
    uint8_t admitted; /* phases in which a server accepts it as a request, a bit for each mcpw_phase */
    uint8_t fill_count;
    const mcpw_fill *fills;
    const mcpw_served_method *served; /* set while the registries have something of the kind; NULL: never */
    const void *own_meta;             /* the required _meta of a client's requests, as a struct */
    const mcpw_type *result;
    uint16_t result_meta;   /* of _meta in the result, if it names this program */
    bool extended;          /* it, or its params, may be an extension's */
    bool plain;             /* of an extension's method: any object is a result, but for one that asks */
    mcpw_json fill_text;    /* the fills and _meta as members, each followed by a comma; not NULL */
    const mcpw_type *wants; /* params and result of the handlers' revision, where there is a slot */
    const mcpw_type *says;
    const mcpw_plan *of_params; /* from and to the peer's revision; NULL: the same, or without */
    const mcpw_plan *of_result;
} mcpw_binding;

/* A revision as a session speaks it. */
typedef struct mcpw_profile {
    const mcpw_revision *revision;
    mcpw_str name;       /* the revision's, in messages */
    bool modern;         /* no handshake: each request names its revision */
    bool has_extensions; /* they extend the revision: a message may require that both ends declare one */
    uint8_t number[MCPW_OWN_COUNT];
    mcpw_binding *bindings; /* by method number; [0] is that of unknown methods */
    mcpw_binding *customs;  /* of the methods of extensions, in their order; NULL: it takes none of them */
    bool takes_extensions;  /* its capabilities have extensions; else only methods of its core are taken */
    const mcpw_added_method
        *added; /* requests of extensions that a server reads in one go with the message */
    size_t added_count;
    const uint8_t *added_customs; /* their places among the methods of extensions */
    mcpw_json own_meta;           /* of a client: the required _meta of requests, as text */
    void *self;                   /* the _meta of every result, as a struct; NULL: none */
    mcpw_ref self_ref;            /* the type of a pointer to it */
    uint16_t self_size;
    uint16_t self_at;    /* offset of the pointer to this program's name */
    mcpw_json self_text; /* that member as text */
    mcpw_json self_meta; /* _meta with it as a member, followed by a comma */
} mcpw_profile;

/* The code of ends with extensions or middleware (revisions/extended.h). */
typedef struct mcpw_extended mcpw_extended;
/* A method that an extension adds (revisions/extension.h). */
typedef struct mcpw_custom mcpw_custom;
/* A message on its way through the middleware (requests/passage.h). */
typedef struct mcpw_passage mcpw_passage;

typedef enum mcpw_era { MCPW_ERA_UNKNOWN, MCPW_ERA_LEGACY, MCPW_ERA_MODERN } mcpw_era;

/* Requests of the peer's in one line, with responses in one. */
typedef struct mcpw_batch {
    mcpw_buffer text;
    void *context;  /* of the message that it came in */
    size_t waiting; /* requests without a response, and one for the reader of the line */
} mcpw_batch;

/* The destination of a message. */
typedef struct mcpw_route {
    mcpw_batch *batch; /* the batch whose response contains it; NULL: none */
    void *context;     /* of the peer's message that it belongs to; NULL: of none */
    bool is_last;      /* the context has no further message */
    int64_t request;   /* the request of this end that it is, or that it cancels; 0: none */
} mcpw_route;

/* A message that waits in an output that hands out single messages. */
typedef struct mcpw_queued_message {
    size_t len;
    void *context;
    mcpw_str method;
    mcpw_message_kind kind;
    int64_t code; /* of an error */
    int64_t request;
    bool is_last;
    bool is_dropped; /* no receiver is left */
} mcpw_queued_message;

/* The form of an elicitation. */
typedef struct mcpw_form {
    struct mcpw_schema *schema; /* NULL: there is none, or it is not checked */
    mcpw_json text;
    bool looked;
} mcpw_form;

/* An input request that a handler sends during its request. */
typedef struct mcpw_input_request {
    mcpw_hash_link in_bucket; /* stands first */
    struct mcpw_input_request *next;
    mcpw_str key;
    int method;       /* in the peer's revision */
    mcpw_json params; /* in the peer's revision */
    mcpw_json answer; /* in the peer's revision; absent: none yet */
    mcpw_error *refused;
    bool task;      /* the client responds with a task */
    int64_t number; /* of the request that sends it; 0: none, or the response is here */
    mcpw_request *request;
    mcpw_str elicitation; /* its elicitationId; absent: it has none */
    mcpw_form form;
    bool wanted; /* the handler has sent it, in this or an earlier round: its response is kept for the next */
} mcpw_input_request;

/* The input requests of a request, and responses to input requests that were not sent yet, in their order and
 * by key. */
typedef struct mcpw_input_requests {
    mcpw_input_request *first;
    mcpw_input_request **end; /* NULL: there is none */
    mcpw_hash_table by_key;
} mcpw_input_requests;

typedef struct mcpw_uri_subscription {
    struct mcpw_uri_subscription *next;
    mcpw_str uri;
    bool owed;
    bool counted; /* by mcpw_uri_subscription_begin */
} mcpw_uri_subscription;

/* A resource that the client subscribes to, once or more. */
typedef struct mcpw_subscribed_uri {
    mcpw_hash_link in_bucket; /* stands first */
    mcpw_str uri;
    size_t count;
    int64_t number; /* the handlers' own */
    bool telling;   /* handlers get their first notification of it */
    bool ended;     /* meanwhile */
} mcpw_subscribed_uri;

/* A name of a topic that a client has subscribed to. */
typedef struct mcpw_named {
    struct mcpw_named *next;
    const mcpw_topic *topic;
    mcpw_str name;
    const struct mcpw_added_topic
        *added; /* that of an extension that the topic belongs to; NULL: the revision has it */
} mcpw_named;

/* The changes that a client subscribes to: the filter of a subscriptions/listen. A change is owed while the
 * output is full, and reported later. One report may stand for many changes; none is lost. */
typedef struct mcpw_filter {
    unsigned lists; /* a bit for each mcpw_change of a list */
    unsigned owed;  /* likewise; those of resources are in uris */
    mcpw_uri_subscription *uris;
    mcpw_named *named; /* grouped by topic */
    size_t count;      /* of uris and named */
    size_t asked;      /* names that were looked up for named */
} mcpw_filter;

/* The parts of a request that are notified of its end, in this order. */
typedef enum mcpw_ending_kind {
    MCPW_ENDING_WALK,           /* request.c; first, as the others may reach user code */
    MCPW_ENDING_INPUT_REQUESTS, /* ask.c */
    MCPW_ENDING_RELAY,          /* relay.c */
    MCPW_ENDING_FILTER,         /* listen.c */
    MCPW_ENDING_ENTRY,          /* dispatch.c */
    MCPW_ENDING_FORM,           /* form.c */
    MCPW_ENDING_PASSAGE,        /* passing.c */
    MCPW_ENDING_COUNT
} mcpw_ending_kind;
_Static_assert(MCPW_ENDING_COUNT <= CHAR_BIT, "mcpw_request_life has a byte for their bits");

struct mcpw_pending;

/* How requests are served. The layer below runs a request again, or ends it, and calls the serving layer by
 * this table. A response to its input request runs it again, and so does a thread that returns it. */
typedef struct mcpw_rerun_callbacks {
    mcpw_status (*serve)(mcpw_request *request);             /* calls its handler */
    mcpw_status (*wait)(mcpw_request *request);              /* its handler has returned MCPW_PENDING */
    void (*ended[MCPW_ENDING_COUNT])(mcpw_request *request); /* the notifications of its parts */
    void (*answered)(struct mcpw_pending *pending);          /* a middleware has answered a request of ours */
} mcpw_rerun_callbacks;

struct mcpw_round;
typedef struct mcpw_relay mcpw_relay;
typedef struct mcpw_carried mcpw_carried;

/* The further members of a request that another thread has. That thread reads cancelled, run and what, and
 * owns stays. All else belongs to the session's thread. */
typedef struct mcpw_detachment {
    atomic_bool cancelled; /* by the peer, or by the end of the session */
    mcpw_request *request;
    mcpw_arena answers; /* responses to its input requests: the other thread uses the request's own arena */
    bool in_handler;    /* the handler that detached it has not returned */
    bool returned;      /* it was returned before that, with this status: */
    mcpw_status status;
    bool *stays; /* of a worker: its handler keeps the request for another thread */
    mcpw_status (*run)(mcpw_request *request, const void *what);
    const void *what;
    mcpw_job job;
} mcpw_detachment;

/* Its place among the others, and what it costs: requests/request.c. */
typedef struct mcpw_request_place {
    mcpw_request *next; /* in flight, or free */
    mcpw_request **at;
    mcpw_hash_link by_id;
    size_t charged; /* its part of the session's held_bytes */
    size_t spare;   /* its part of the session's kept_bytes: what its arena has from earlier ones */
} mcpw_request_place;

/* The receivers of its cancellation: requests/request.c. */
typedef struct mcpw_request_cancel {
    void *user;
    void (*on_cancel)(void *user, mcpw_request *request);
    mcpw_str reason; /* while it is cancelled */
} mcpw_request_cancel;

/* Its origin: connection/dispatch.c, and calls/round.c for a round of input. */
typedef struct mcpw_request_origin {
    mcpw_batch *batch;
    void *context;            /* that the transport gave with it */
    struct mcpw_round *round; /* it did not come as a message, but in a round of input */
    mcpw_str principal;
} mcpw_request_origin;

/* Its messages to the client before the response: requests/report.c. */
typedef struct mcpw_request_reports {
    mcpw_id token;
    double progress;
    mcpw_log_level level;
    bool has_progress;
} mcpw_request_reports;

/* Its handler's input requests to the client: calls/ask.c. */
typedef struct mcpw_request_input {
    mcpw_input_requests requests;
    unsigned open;      /* asked and under way */
    bool loaded;        /* the client's retry has been read */
    bool strange_state; /* its requestState is not this session's */
    mcpw_json state;
    uint64_t patience; /* ms that its input requests may wait; 0: as in the config */
} mcpw_request_input;

/* The capabilities of its client: requests/request.c. */
typedef struct mcpw_request_client {
    mcpw_json declared;  /* by the client in this request; absent: not looked at yet */
    const char *lacking; /* the capability that was found missing */
} mcpw_request_client;

/* The thread that has it: requests/detach.c. */
typedef struct mcpw_request_thread {
    mcpw_detachment *detachment; /* NULL: it was never detached */
    bool guarded;  /* its session has an executor, so that the thread of each caller is looked at */
    bool detached; /* another thread has it now */
} mcpw_request_thread;

/* Its progress: requests/running.c. */
typedef struct mcpw_request_life {
    unsigned holds;  /* users of its memory, which outlives its end */
    uint8_t endings; /* parts to notify of its end, a bit for each mcpw_ending_kind */
    bool in_flight;
    bool running; /* its handler runs */
    bool is_left; /* it was cancelled, and counts while another thread still has it and its memory */
    bool
        indirect; /* its result is not written straight into the output: a round or the middleware takes it */
    bool again;   /* the last response came meanwhile: it runs once more */
    bool answered;
    bool cancelled;  /* no request waits for a response */
    bool unsendable; /* a response was refused: the handler's fault, not the peer's */
} mcpw_request_life;

/* A _meta that several messages share (known_meta.h). */
typedef struct mcpw_known_meta mcpw_known_meta;

/* A free request keeps its first part, which is set when it is taken. The rest, from cancel.on_cancel on, is
 * zero when it is taken. */
struct mcpw_request {
    mcpw_session *session;
    mcpw_arena arena;
    mcpw_request_place place;
    const mcpw_profile *profile;
    mcpw_binding *binding;
    mcpw_message message;
    mcpw_str round_key; /* of one that came in a round of input */
    mcpw_request_cancel cancel;
    const void *entry;           /* the registry's entry */
    const mcpw_custom *custom;   /* its method, if an extension adds it; else NULL */
    mcpw_passage *passage;       /* its way through the middleware; NULL: there is none */
    mcpw_known_meta *known_meta; /* that its params share; NULL: none */
    mcpw_request_origin origin;
    mcpw_request_reports reports;
    mcpw_request_input input;
    mcpw_request_client client;
    mcpw_filter *filter;   /* a subscription, which stays open */
    mcpw_relay *relay;     /* it was passed on */
    mcpw_carried *carried; /* it is an input request that is carried to another session's client */
    mcpw_request_thread thread;
    mcpw_form form; /* of an elicitation */
    mcpw_request_life life;
};

typedef enum mcpw_pending_kind { MCPW_PENDING_WAITING, MCPW_PENDING_SENT } mcpw_pending_kind;

/* A schema of a tool that the server has listed. */
typedef struct mcpw_listed_schema {
    mcpw_json text;             /* absent: there is none, or it is not wanted */
    struct mcpw_schema *schema; /* NULL: it was not compiled, or cannot be */
    bool looked;
} mcpw_listed_schema;

/* The facts of a client about such a tool. Its texts follow it. */
typedef struct mcpw_listed_tool {
    mcpw_hash_link in_bucket; /* stands first */
    unsigned uses;            /* by the table and by requests under way */
    unsigned list;            /* the list that had it last */
    size_t size;              /* of this with the texts, and */
    size_t bytes;             /* with the schemas that were compiled */
    mcpw_str name;
    mcpw_listed_schema input;
    mcpw_listed_schema output;
    mcpw_task_use task; /* its taskSupport */
} mcpw_listed_tool;

/* All of them, by name. */
typedef struct mcpw_listed {
    mcpw_hash_table by_name;
    size_t bytes; /* of all tools, those that requests alone still use among them */
    unsigned list;
} mcpw_listed;

/* Its place among the others: calls/pending.c. */
typedef struct mcpw_pending_place {
    struct mcpw_pending *next;
    struct mcpw_pending **at;
    mcpw_hash_link by[2]; /* by id and by number */
} mcpw_pending_place;

/* The caller's request, in the caller's revision. */
typedef struct mcpw_pending_asked {
    const mcpw_revision *revision;
    const void *params; /* while it waits */
    mcpw_json text;     /* in place of params, of a method that is asked by name */
    int method;
} mcpw_pending_asked;

/* The same in the peer's revision, once it is sent: calls/call.c. */
typedef struct mcpw_pending_sent {
    const mcpw_profile *profile; /* the revision that it was sent in */
    mcpw_json text;              /* of the params, to be sent again with inputResponses */
    int method;                  /* 0: it is custom */
    const mcpw_custom *custom;   /* NULL: no extension adds it */
} mcpw_pending_sent;

/* The receivers of its end. */
typedef struct mcpw_pending_callbacks {
    mcpw_on_reply on_reply;
    void *user;
    void (*cancelled)(struct mcpw_pending *pending); /* called when the caller cancels it; NULL: none */
    void (*gathered)(
        struct mcpw_round *round); /* called when a round has all answers; NULL: it is sent again */
} mcpw_pending_callbacks;

/* How long it waits: calls/pending.c. */
typedef struct mcpw_pending_clock {
    uint64_t due; /* UINT64_MAX: never; set by mcpw_pending_set_due */
    uint64_t due_at_last;
    size_t at; /* its place in the heap */
    double progress;
    bool has_progress;
} mcpw_pending_clock;

/* Its special traits. */
typedef struct mcpw_pending_traits {
    bool task;
    bool listening; /* has no end of its own */
    bool uncancellable;
    bool tells_input; /* a result that requires input goes to the caller unchanged */
    bool relayed;     /* it is another session's, which handles its tools */
    bool begins_list; /* requests the first page of the list of tools */
    bool as_text;     /* its caller reads the result as text, also if it is broken */
    bool lends_state; /* its state is the caller's until it is sent */
} mcpw_pending_traits;

/* Its rounds of input: calls/round.c. */
typedef struct mcpw_pending_input {
    struct mcpw_round *round;
    unsigned rounds;
} mcpw_pending_input;

/* A request of ours. */
typedef struct mcpw_pending {
    mcpw_pending_place place;
    int64_t id;     /* on the wire; changes with each round of input; 0: none */
    int64_t number; /* the caller's handle; 0: not yet */
    mcpw_session *session;
    mcpw_pending_kind kind;
    mcpw_pending_traits traits;
    mcpw_pending_asked asked;
    mcpw_pending_sent sent;
    mcpw_pending_callbacks callbacks;
    mcpw_pending_clock clock;
    void *context; /* of the peer's request that it is made for; NULL: of none */
    mcpw_call call;
    mcpw_listed_tool *tool;         /* that is called, if its schemas are known */
    mcpw_arena arena;               /* params while it waits, and while rounds of input may come */
    mcpw_uri_subscription *watched; /* subscribed resources, if each is a request of its own */
    mcpw_pending_input input;
    mcpw_passage *passage;                 /* its way through the middleware; NULL: there is none */
    const struct mcpw_added_result *taker; /* the result of an extension that may answer it; NULL: none */
    void *state;                           /* that the extension keeps with it; NULL: none */
} mcpw_pending;

/* The requests of ours that have no response yet. */
typedef struct mcpw_pending_table {
    mcpw_pending *oldest; /* in the order in which they were made */
    mcpw_pending **end;
    size_t count;
    mcpw_pending *flushing; /* the next one for mcpw_call_flush */
    mcpw_pending *idle;
    size_t idle_count;
    mcpw_pending **clock; /* a heap: the first due stands first */
    size_t clock_count;
    size_t clock_capacity;
    mcpw_hash_table by; /* id and number */
    mcpw_hash_link *few[MCPW_TABLE_FEW];
} mcpw_pending_table;

/* The responses to the input requests of a round do not go to the peer, but to the request of ours that is
 * sent again. Its layer is above, so responding calls it by this table. */
typedef struct mcpw_round_callbacks {
    void (*answer)(mcpw_request *request, mcpw_json result);
    void (*refuse)(mcpw_request *request, mcpw_str message);
    void (*drop)(struct mcpw_round *round); /* its request has ended */
} mcpw_round_callbacks;

/* A round of input that the server asked for: input requests given to this client's handlers. */
typedef struct mcpw_round {
    const mcpw_round_callbacks *callbacks;
    mcpw_session *session;
    mcpw_pending *pending; /* NULL: it has ended while input requests were given to handlers */
    bool entering;
    mcpw_text answers; /* members of inputResponses so far */
    mcpw_json state;   /* requestState as text */
    mcpw_mark before;  /* of the pending request's arena, where this round's texts lie */
    size_t waiting;
    mcpw_json refusal; /* its error; absent: none */
} mcpw_round;

/* A piece of memory that lives as long as a session. Its contents follow this header. */
typedef struct mcpw_kept {
    _Alignas(max_align_t) struct mcpw_kept *next;
    size_t size; /* bytes of the whole piece */
} mcpw_kept;

/* The part that all sessions of one end share; it is constant once it is made. */
struct mcpw_endpoint {
    atomic_size_t holders;      /* the program, and the sessions */
    mcpw_session_config config; /* texts and JSON are the endpoint's own */
    mcpw_options reading;       /* how messages are read */
    mcpw_arena memory;
    const char **named; /* dotted names of config.declares */
    size_t named_count;
    mcpw_profile *profiles; /* oldest first */
    size_t profile_count;
    mcpw_member values[MCPW_RESULT_VALUES]; /* members of a result that its handler leaves absent */
    size_t value_count;
};

/* The output of a session: requests/outbound.c. */
typedef struct mcpw_output {
    mcpw_buffer text;           /* messages, each followed by one byte */
    size_t sent;                /* how many bytes of it were sent */
    char terminator;            /* that byte: NUL, or the one that the stream requires */
    mcpw_queued_message *queue; /* of the messages that wait, without a stream */
    size_t first;
    size_t end;
    size_t capacity;
    size_t addressed;                                     /* bytes of the text that have a queued message */
    size_t handed_out;                                    /* bytes that the transport has in hand */
    void (*on_output)(void *user, mcpw_session *session); /* called for the first one; NULL: none */
    void *user;
    size_t open_contexts; /* contexts whose last message is due: each has room among the queued messages */
} mcpw_output;

/* A walk over the requests in flight, each step of which may reach user code. */
typedef struct mcpw_request_walk {
    struct mcpw_request_walk *outer; /* the walk in a step of which it was begun; NULL: none */
    mcpw_session *session;
    mcpw_request *at;   /* the request of this step, which is held; NULL: there is none */
    mcpw_request *next; /* in flight; NULL: this is the last step */
} mcpw_request_walk;

/* The requests of the peer's, in flight and free: requests/request.c. */
typedef struct mcpw_request_table {
    mcpw_request *in_flight;
    mcpw_request *idle; /* free ones with an arena, idle_count of them */
    mcpw_request *bare; /* free ones without an arena, from a burst */
    size_t count;
    size_t idle_count;
    size_t kept_bytes; /* memory that arenas hold for requests to come */
    mcpw_hash_table by_id;
    /* Memory of the requests and of the peer's subscriptions. Beside kept_bytes it would cost each request
     * five instructions more. */
    size_t held_bytes;
    mcpw_hash_link *few[MCPW_TABLE_FEW];
} mcpw_request_table;

/* A client's negotiation: connection/open.c. */
typedef struct mcpw_negotiation {
    bool under_way;
    bool tried_handshake;
    unsigned probes;           /* requests of server/discover that were made */
    int64_t probe;             /* the number of the last of them; 0: not under way */
    int64_t handshake;         /* that of initialize */
    const mcpw_profile *found; /* by server/discover while initialize is under way: that server is the peer */
    mcpw_error *refusal;       /* of initialize, while a response to server/discover may still come */
    uint64_t due;              /* when the negotiation goes on without a response */
} mcpw_negotiation;

/* The relays that wait for their client: connection/relay.c. */
typedef struct mcpw_relay_list {
    mcpw_relay *first; /* in the order of due times */
    mcpw_relay **end;
    size_t count;
    int64_t last;
} mcpw_relay_list;

/* The threads of a session: core/threads.c. */
typedef struct mcpw_threads {
    const mcpw_executor *executor; /* NULL: no other threads */
    void *executor_self;
    bool is_lent;       /* the executor is another session's, which releases it */
    mcpw_submit submit; /* NULL: handlers run on this thread */
    void *submit_self;
    size_t detached;               /* how many requests are */
    _Atomic(const char *) misused; /* a function that was called on a wrong thread, to be reported */
} mcpw_threads;

/* The facts that the peer has stated about itself: connection/open.c. */
typedef struct mcpw_peer {
    mcpw_json info;
    mcpw_json capabilities;
    mcpw_capability_index *index; /* to find what the peer has declared; NULL: none yet */
    mcpw_str instructions;
} mcpw_peer;

/* The message that is received: connection/receive.c. */
typedef struct mcpw_incoming {
    void *context; /* that the transport gave with it */
    bool open;     /* the context has no owner yet */
    bool gone;     /* it was abandoned meanwhile, by a callback */
} mcpw_incoming;

/* The peer's subscriptions: subscriptions/. */
typedef struct mcpw_subscriptions {
    mcpw_filter watched; /* resources/subscribe */
    mcpw_hash_table by_uri;
    size_t count;   /* resources in all the peer's subscriptions */
    bool owes;      /* a subscriber has yet to get changes that had to wait */
    unsigned ended; /* resources that left `watched` so far: a walk over it begins again then */
} mcpw_subscriptions;

struct mcpw_session {
    mcpw_endpoint *endpoint;           /* one of its holders is this */
    const mcpw_session_config *config; /* the endpoint's */
    void *user;
    const mcpw_rerun_callbacks *callbacks;
    mcpw_kept *kept;             /* memory of the session, the newest first */
    mcpw_arena scratch;          /* memory of one step */
    mcpw_known_meta *known_meta; /* the _meta that is remembered; NULL: none */
    uint64_t met_meta;           /* a hash of the last one that was read */
    mcpw_stream *stream;         /* NULL: messages come and go one by one */
    mcpw_output outgoing;
    mcpw_arena *answer; /* of the peer's response, while its callback runs; else NULL */
    mcpw_incoming incoming;
    const mcpw_profile *profile; /* in use, or most likely to be */
    mcpw_era era;
    mcpw_negotiation negotiation;
    uint64_t held_at; /* when mcpw_session_hold stopped the time limits of requests of ours; 0: they run */
    uint64_t end_at;  /* when requests that still wait after the end of input are abandoned */
    bool open;        /* requests may be sent */
    bool closing;
    bool closed;
    bool input_ended;
    bool feeding;                    /* something is received: its text is in use */
    mcpw_member values[MCPW_VALUES]; /* the endpoint's, then the client's identity */
    size_t value_count;
    mcpw_peer peer;
    mcpw_json declared;   /* this end's capabilities at the handshake */
    mcpw_log_level level; /* logging/setLevel; 0: not said */
    unsigned undeclared;  /* bits of used but undeclared capabilities, each reported once */
    mcpw_subscriptions subscriptions;
    mcpw_relay_list relayed;
    uint64_t now;
    mcpw_request_table served;
    mcpw_pending_table pending;
    mcpw_listed listed; /* tools of the server */
    int64_t next_id;
    int64_t received_for; /* the request of ours on whose stream the present message came; 0: not known */
    mcpw_server_link link;
    mcpw_str principal;      /* that of requests from now on; its own memory */
    mcpw_request_walk *walk; /* the innermost of those over requests in flight; NULL: none */
    uint64_t elicitations;   /* handles that were made so far, where they are numbers */
    void *client;            /* the data of a client that waits; NULL: none */
    mcpw_threads threads;
    struct mcpw_made *made; /* of the client's values, for plans; NULL: nothing yet */
    void **states;          /* that extensions keep with it, in their order; NULL: nothing yet */
};

#endif
