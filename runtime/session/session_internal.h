/* SPDX-License-Identifier: MIT */
/*
 * A session's parts, and what its files ask of each other.
 *
 *   receive.c   line -> message -> request, notification or reply, each to its place
 *   open.c      which revision is spoken: initialize, server/discover, both ends
 *   request.c   requests of the peer's: from arrival through handler to answer
 *   respond.c   their answers
 *   call.c      requests of ours: how they are sent and answered, progress, timeouts, cancellation
 *   pending.c   where those are found that have no answer yet
 *   detach.c    requests that another thread has; far.c: what that thread calls
 *   ask.c       questions in the middle of a request, server; state.c signs what passes through the client
 *   round.c     the same, client
 *   notify.c    notifications, subscriptions, log messages
 *   relay.c     requests that are passed on to the peer of another session
 *   declared.c  the capabilities that the peer has declared, and how one is found among them
 *   watch.c     which resources the client watches, for this end's handlers
 *   dialect.c   what a session works out from a revision's tables, once
 *
 * Callbacks. Handlers, on_note, on_cancel, on_reply, on_progress, on_watch, on_open and on_close may call
 * everything but mcpw_session_free: each may answer, cancel or close, whatever it was called for. One rule
 * keeps that safe: behind a call that may reach user code nothing is touched that user code may have ended,
 * unless it is known to be alive. How that is known:
 *
 *   a request of the peer's   mcpw_request_hold before, mcpw_request_let behind: its memory stays until then,
 *                             and the answer tells whether it is still in flight. While its handler runs it
 *                             is held: r->in_flight tells
 *   a request of ours         its number, which is never used again: p->number is as before
 *   a round of input          round->entering keeps it, round->pending is NULL once it has ended
 *   a list                    is walked from its head again
 *
 * User code is reached by mcpw_session_note, by mcpw_session_adapt (which notes what it drops), by a failed
 * mcpw_respond... and mcpw_request_log (which note why), by mcpw_request_run, _drop and _resume, by
 * mcpw_pending_end and _fail and what calls them. mcpw_session_emit, mcpw_request_finish and mcpw_call_send
 * within one revision do not reach it.
 */
#ifndef MCPW_SESSION_INTERNAL_H
#define MCPW_SESSION_INTERNAL_H

#include <mcpw/frame.h>
#include <mcpw/json.h>
#include <mcpw/project.h>
#include <mcpw/session.h>
#include <mcpw/thread.h>

#include "adapt.h"
#include "arena_internal.h"
#include "error_internal.h"
#include "executor.h"
#include "far.h"
#include "field.h"
#include "registry.h"
#include "text.h"
#include "value.h"

#include <stdatomic.h>
#include <stdio.h>

static const mcpw_json no_json = {NULL, 0};
static const mcpw_str no_str = {NULL, 0};

/* The methods that a session has a part in. */
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
    MCPW_BUCKETS = 256,        /* of requests of the peer's by id */
    MCPW_PENDING_BUCKETS = 64, /* of requests of ours at first, by id and by number */
    MCPW_MAX_FILLS = 4,
    MCPW_FILL_SIZE = 16, /* bytes of the largest value that is filled in */
    MCPW_VALUES = 6,     /* values that no table holds */
    MCPW_MESSAGE_ROOM = 512,
    MCPW_MAX_CAPABILITIES = 1 << 16, /* bytes; each request may have to look at them */
    MCPW_DIGITS = 20,                /* of a 64-bit number, with its sign */
    MCPW_KEPT_ARENA = 1 << 17,       /* memory that an arena keeps between messages */
    MCPW_LEAST_BYTES = 4096,         /* of a request's arena: its first block */
    MCPW_KEPT_IDLE = 128,            /* requests of the peer's that keep their arena for the next ones */
    MCPW_KEPT_BYTES = 1 << 24        /* all that, with what requests in flight have of it and do not need */
};

/* A required member of a result that is put in where the handler left it absent. */
typedef struct mcpw_fill {
    uint16_t offset;
    mcpw_ref ref;
    uint8_t size;
    uint8_t value; /* its place in the session's values */
    unsigned char bytes[MCPW_FILL_SIZE];
} mcpw_fill;

/* What a session knows of one method of a revision. Offsets are MCPW_NO_OFFSET where there is no such
 * member. */
typedef struct mcpw_binding {
    mcpw_own own;
    int handler;   /* number in the handlers' revision where its slot is filled in; else 0 */
    uint16_t meta; /* of _meta in the params */
    mcpw_ref meta_ref;
    uint16_t meta_size;
    uint16_t token;   /* the rest in _meta */
    uint16_t version; /* protocolVersion */
    uint16_t level;   /* logLevel */
    uint16_t level_enum;
    uint16_t responses; /* inputResponses and requestState, in the params themselves */
    uint16_t state;
    uint8_t fill_count;
    mcpw_fill fills[MCPW_MAX_FILLS];
    uint16_t result_meta; /* of _meta in the result, where this program's name belongs into it */
    mcpw_json fill_text;  /* the fills and _meta as members, each with a comma behind it; not NULL */
} mcpw_binding;

/* A revision as a session speaks it. */
typedef struct mcpw_dialect {
    const mcpw_revision *revision;
    bool modern; /* no handshake: each request names its revision */
    uint8_t number[MCPW_OWN_COUNT];
    mcpw_binding *bindings; /* by method number; [0] is that of unknown methods */
    void *meta;             /* what requests of ours carry in _meta, as a struct */
    uint16_t meta_index;    /* of that struct in the tables */
    void *self;             /* what every result carries in _meta, as a struct; NULL: nothing */
    mcpw_ref self_ref;      /* of a pointer to it */
    uint16_t self_size;
    uint16_t self_at;    /* the member that names this program, a pointer */
    mcpw_json self_text; /* that member */
    mcpw_json self_meta; /* "_meta" with it, and a comma */
} mcpw_dialect;

typedef struct mcpw_capability_index mcpw_capability_index;

/* Capabilities that were declared: in a session by their index, with a request by their text. */
typedef struct mcpw_declared {
    mcpw_json text;
    const mcpw_capability_index *index; /* NULL: none */
} mcpw_declared;

typedef enum mcpw_era { MCPW_ERA_UNKNOWN, MCPW_ERA_LEGACY, MCPW_ERA_MODERN } mcpw_era;

/* Requests of the peer's that came in one line, answered in one. */
typedef struct mcpw_batch {
    mcpw_buffer text;
    size_t waiting; /* requests not answered yet, and one for the reader of the line */
} mcpw_batch;

/* A question that a handler asked in the middle of its request. */
typedef struct mcpw_question {
    struct mcpw_question *next;
    struct mcpw_question *next_in_bucket;
    mcpw_str key;
    int method;       /* in the peer's revision */
    mcpw_json params; /* in the peer's revision */
    mcpw_json answer; /* in the peer's revision; absent: none yet */
    mcpw_error *refused;
    bool task;      /* answered by a task that the client creates */
    int64_t number; /* of the request that asks it, where the server makes requests; 0: not under way */
    mcpw_request *request;
    mcpw_str elicitation; /* its elicitationId; absent: it has none */
    bool wanted; /* the handler has asked it, in this round or one before: its answer is kept for the next */
} mcpw_question;

/* The questions of a request and what was answered unasked: in their order, and by key. */
typedef struct mcpw_questions {
    mcpw_question *first;
    mcpw_question **end; /* NULL: there is none */
    mcpw_question **buckets;
    size_t bucket_count; /* a power of two */
    size_t count;
} mcpw_questions;

typedef struct mcpw_watch {
    struct mcpw_watch *next;
    mcpw_str uri;
    bool owed;
    bool counted; /* by mcpw_watch_begin */
} mcpw_watch;

/* A resource that the client watches, by one subscription or more. */
typedef struct mcpw_watched {
    struct mcpw_watched *next;
    mcpw_str uri;
    size_t count;
    int64_t number; /* the handlers' own */
} mcpw_watched;

/* What a client wants to hear of: the filter of a subscriptions/listen. What is owed has changed while the
 * output was full, and is told once it is not: a change is told late, and once for many, but never lost. */
typedef struct mcpw_filter {
    bool tools;
    bool prompts;
    bool resources;
    mcpw_watch *uris;
    size_t count;  /* of uris */
    unsigned owed; /* a bit for each mcpw_change of a list; those of resources are in uris */
} mcpw_filter;

struct mcpw_round;
typedef struct mcpw_relay mcpw_relay;
typedef struct mcpw_carried mcpw_carried;

/* What there is to a request that another thread has, or had. That thread reads cancelled, run and what, and
 * owns stays; all else is the session's thread's. */
typedef struct mcpw_detachment {
    atomic_bool cancelled; /* by the peer, or by the end of the session */
    mcpw_request *request;
    mcpw_arena answers; /* to its questions, which come while the other thread uses the request's own */
    bool in_handler;    /* the handler that detached it has not returned */
    bool returned;      /* meanwhile, with: */
    mcpw_status status;
    bool *stays; /* of a worker: its handler keeps the request for another thread */
    mcpw_status (*run)(mcpw_request *request, const void *what);
    const void *what;
    mcpw_task task;
} mcpw_detachment;

/* Its first part stays as it is while it is free: who takes it sets that. The rest, from `entry` on, is zero
 * in one that is taken. */
struct mcpw_request {
    mcpw_session *session;
    mcpw_arena arena;
    mcpw_request *next; /* in flight, or free */
    mcpw_request **at;
    mcpw_request *next_in_bucket;
    mcpw_dialect *dialect;
    mcpw_binding *binding;
    mcpw_message message;
    size_t charged; /* of the session's held_bytes */
    size_t spare;   /* what its arena has from earlier ones, of the session's kept_bytes */
    mcpw_str round_key;
    void *cancel_user;
    const void *entry; /* of the registry */
    mcpw_batch *batch;
    struct mcpw_round *round; /* it did not come as a message, but in a round of input */
    mcpw_str principal;
    void (*on_cancel)(void *user, mcpw_request *request);
    mcpw_id token;
    double progress;
    mcpw_log_level level;
    mcpw_questions questions;
    size_t open_questions; /* asked and under way */
    mcpw_json state;
    uint64_t patience;           /* ms that its questions may wait; 0: as in the config */
    mcpw_json declared;          /* by the client, with the request; absent: not looked at */
    const char *lacking;         /* the capability that was found missing */
    mcpw_filter *filter;         /* a subscription, which stays open */
    unsigned holds;              /* who counts on its memory although it may end */
    mcpw_relay *relay;           /* it was passed on */
    mcpw_carried *carried;       /* it waits to be asked in a round of input of another session's */
    mcpw_str cancel_reason;      /* while it is cancelled */
    mcpw_detachment *detachment; /* NULL: it was never detached */
    bool guarded;                /* its session has an executor: who calls is looked at */
    bool detached;               /* another thread has it now */
    bool has_progress;
    bool in_flight;
    bool running; /* its handler runs */
    bool again;   /* the last answer came meanwhile: it runs once more */
    bool answered;
    bool cancelled;  /* there is nobody to answer */
    bool unsendable; /* an answer was refused: the handler's fault, not the peer's */
    bool loaded;     /* what the client's retry brought has been read */
    bool state_set;
    bool strange_state; /* its requestState is not this session's */
};

typedef enum mcpw_pending_kind { MCPW_PENDING_WAITING, MCPW_PENDING_SENT } mcpw_pending_kind;

/* A request of ours. */
typedef struct mcpw_pending {
    struct mcpw_pending *next;
    struct mcpw_pending **at;
    struct mcpw_pending *next_by_id;
    struct mcpw_pending *next_by_number;
    int64_t id;     /* on the wire; changes with each round of input; 0: none */
    int64_t number; /* what the caller knows it by; 0: not yet */
    mcpw_session *session;
    mcpw_pending_kind kind;
    const mcpw_revision *revision; /* the caller's */
    int method;                    /* in the caller's revision */
    mcpw_dialect *dialect;         /* that it was sent in */
    int peer_method;
    mcpw_on_reply on_reply;
    void *user;
    mcpw_call call;
    uint64_t due; /* UINT64_MAX: never; set by mcpw_pending_set_due */
    size_t clock_at;
    uint64_t due_at_last;
    double progress;
    bool task;
    bool has_progress;
    bool listening; /* has no end of its own */
    bool uncancellable;
    bool tells_input;    /* an answer that asks for input is told as it is */
    mcpw_arena arena;    /* params while it waits, and while rounds of input may come */
    const void *params;  /* waiting: in the caller's revision */
    mcpw_json text;      /* sent: in the peer's, to be sent again with answers */
    mcpw_watch *watched; /* resources that are watched, where each is a request of its own */
    unsigned rounds;
    struct mcpw_round *round;
} mcpw_pending;

/* The requests of ours that have no answer yet. */
typedef struct mcpw_pending_table {
    mcpw_pending *oldest; /* in the order in which they were made */
    mcpw_pending **end;
    size_t count;
    mcpw_pending *flushing; /* the next that mcpw_call_flush looks at */
    mcpw_pending *idle;
    size_t idle_count;
    mcpw_pending **clock; /* a heap: who is due first stands first */
    size_t clock_count;
    size_t clock_capacity;
    mcpw_pending **buckets; /* as many by id, then as many by number; NULL: those in first */
    size_t bucket_count;    /* a power of two */
    mcpw_pending *first[2 * MCPW_PENDING_BUCKETS];
} mcpw_pending_table;

/* A round of input that the server asked for: questions given to this client's handlers. */
typedef struct mcpw_round {
    mcpw_session *session;
    mcpw_pending *pending; /* NULL: it has ended while questions were given to handlers */
    bool entering;
    mcpw_text answers; /* members of inputResponses so far */
    mcpw_json state;   /* requestState as text */
    mcpw_mark before;  /* of the pending request's arena, where this round's texts lie */
    size_t waiting;
    mcpw_json refusal; /* why it failed; absent: it has not */
} mcpw_round;

struct mcpw_session {
    mcpw_session_config config;
    mcpw_arena memory;  /* what lives as long as the session */
    mcpw_arena scratch; /* what lives for one step */
    mcpw_framer framer;
    mcpw_buffer output;
    size_t sent;
    mcpw_buffer held; /* input that came while the output was full */
    size_t held_from;
    bool owes;          /* changes to somebody */
    bool end_due;       /* the input ends behind what is held */
    const char **named; /* dotted names of config.declares */
    size_t named_count;
    mcpw_dialect *dialects; /* oldest first */
    size_t dialect_count;
    mcpw_dialect *dialect; /* spoken, or most likely to be */
    mcpw_era era;
    bool opening; /* a client's negotiation is under way, with: */
    bool tried_handshake;
    unsigned probes;     /* requests of server/discover that were made */
    int64_t probe;       /* the number of the last of them; 0: not under way */
    int64_t handshake;   /* that of initialize */
    mcpw_dialect *found; /* by server/discover, while initialize is under way; its server is the peer */
    mcpw_error *refusal; /* of initialize, while an answer to server/discover may come */
    uint64_t end_at;     /* when requests are given up that wait although the input has ended */
    uint64_t open_due;   /* when it goes on without an answer */
    bool open;           /* requests may be sent */
    bool closing;
    bool closed;
    bool input_ended;
    bool feeding; /* inside mcpw_session_feed or _end_input */
    mcpw_member values[MCPW_VALUES];
    size_t value_count;
    mcpw_json peer_info;
    mcpw_json peer_capabilities;
    mcpw_capability_index *peer_index; /* of these; NULL: none yet */
    mcpw_json declared;                /* a server's own capabilities, as it answered initialize */
    mcpw_str instructions;
    mcpw_log_level level; /* logging/setLevel; 0: not said */
    mcpw_filter watched;  /* resources/subscribe */
    mcpw_watched *watched_by_uri[MCPW_BUCKETS];
    mcpw_relay *relays; /* those that wait for their client, the first to be due first */
    mcpw_relay **relays_end;
    size_t relay_count;
    int64_t last_relay;
    uint64_t now;
    mcpw_request *requests;
    mcpw_request *idle; /* with an arena: as many as idle_count */
    mcpw_request *bare; /* idle without: those of a burst */
    size_t request_count;
    size_t idle_count;
    size_t kept_bytes;  /* memory that arenas hold for requests to come */
    size_t watch_count; /* resources that the peer watches, by all its subscriptions */
    size_t held_bytes;  /* memory of requests of the peer's and of what it watches */
    mcpw_request *by_id[MCPW_BUCKETS];
    mcpw_pending_table pending;
    int64_t next_id;
    mcpw_server_link link;
    mcpw_str state_key;
    mcpw_str principal;            /* of what is fed from now on; its own memory */
    uint64_t elicitations;         /* handles that were made so far, where they are numbers */
    void *client;                  /* of the client that waits, where one uses it */
    const mcpw_executor *executor; /* NULL: no other threads */
    void *executor_self;
    mcpw_submit submit; /* NULL: handlers run on this thread */
    void *submit_self;
    size_t detached;               /* requests */
    _Atomic(const char *) misused; /* a function that was called on a wrong thread, to be told */
};

static inline bool mcpw_is_server(const mcpw_session *session) {
    return session->config.role == MCPW_ROLE_SERVER;
}

/* A text that takes its memory where the session does. */
static inline mcpw_text mcpw_session_text(const mcpw_session *session) {
    mcpw_text text = MCPW_TEXT_INIT;
    text.buffer.allocator = session->config.allocator;
    return text;
}

/* Forgets what is in an arena; what a large message needed is given back. */
static inline void mcpw_arena_tidy(mcpw_arena *arena) {
    if (arena->total > MCPW_KEPT_ARENA) {
        mcpw_arena_free(arena);
    } else {
        mcpw_arena_reset(arena);
    }
}

/* A failure that did not say why, in an error whose code was set to MCPW_OK before: only want of memory has
 * no more to tell than its name. */
static inline void mcpw_explain(mcpw_error *error, mcpw_status status) {
    if (error->code != status) {
        mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
    }
}

/* A time that many ms later. */
static inline uint64_t mcpw_later(uint64_t now, uint64_t ms) {
    return ms > UINT64_MAX - now ? UINT64_MAX : now + ms;
}

/* Where there is nobody left to tell. */
static inline void mcpw_ignore(mcpw_status status) { (void)status; }

/* Whether the caller has to take the far way; costs nothing where there are no threads. */
static inline bool mcpw_request_is_elsewhere(const mcpw_request *request) {
    return request->guarded && mcpw_request_is_far(request);
}

/* ---- session.c ---- */
void mcpw_session_note(mcpw_session *session, mcpw_note_kind kind, const mcpw_id *id, mcpw_str method,
                       const mcpw_error *error);
/* Appends a message to the output, or to a batch. */
MCPW_NODISCARD mcpw_status mcpw_session_emit(mcpw_session *session, const mcpw_dialect *dialect,
                                             const mcpw_message *message, mcpw_batch *batch,
                                             mcpw_error *error);
void mcpw_batch_done(mcpw_session *session, mcpw_batch *batch);
/* Whether nothing of the session's own can bring the answers that are still due: its input has ended. */
bool mcpw_session_is_stalled(const mcpw_session *session);
/* Whether the peer leaves so much unread that nothing may be added which can wait. */
bool mcpw_session_is_full(const mcpw_session *session);
/* zeroed memory of the session's allocator; NULL when there is none. */
void *mcpw_session_alloc(mcpw_session *session, size_t size);
void mcpw_session_release(mcpw_session *session, void *ptr, size_t size);
/* A copy that lives as long as the session; absent when memory runs out. */
mcpw_json mcpw_session_keep(mcpw_session *session, mcpw_json value);

/* ---- dialect.c ---- */
MCPW_NODISCARD mcpw_status mcpw_dialects_make(mcpw_session *session, mcpw_error *error);
/* Works out the bindings; MCPW_E_MEMORY. */
MCPW_NODISCARD mcpw_status mcpw_dialect_make_bindings(mcpw_session *session, mcpw_dialect *dialect);
/* The same, where that has not been done. */
MCPW_NODISCARD static inline mcpw_status mcpw_dialect_bind(mcpw_session *session, mcpw_dialect *dialect) {
    return dialect->bindings != NULL ? MCPW_OK : mcpw_dialect_make_bindings(session, dialect);
}
mcpw_dialect *mcpw_dialect_named(mcpw_session *session, mcpw_str revision);
mcpw_dialect *mcpw_dialect_newest(mcpw_session *session, bool modern);
/* The names of the revisions that are spoken, as a JSON array. */
void mcpw_dialect_names(const mcpw_session *session, mcpw_text *out);
/* Sets one of the values that no table holds; the text must live as long as the session. */
void mcpw_session_set_value(mcpw_session *session, const char *name, mcpw_json value);
/* The members of a struct that its type does not name; NULL: it keeps none. */
const mcpw_members *mcpw_extra_of(const mcpw_type *type, const void *value);
/* Params as they are sent: with _meta filled in. out is params where nothing has to be put in. */
MCPW_NODISCARD mcpw_status mcpw_dialect_params(mcpw_session *session, mcpw_dialect *dialect, int method,
                                               const void *params, const mcpw_id *token, mcpw_arena *arena,
                                               const void **out, mcpw_error *error);
/* A result of the binding's type, with its fills and with this program in its _meta. *bare: it has no _meta,
 * and self_meta is to be written in front. */
const void *mcpw_dialect_result(const mcpw_dialect *dialect, const mcpw_binding *binding,
                                const mcpw_type *type, const void *result, mcpw_arena *arena, bool *bare);
/* The same of any result, without fills. */
const void *mcpw_dialect_signed(const mcpw_dialect *dialect, const mcpw_type *type, const void *result,
                                mcpw_arena *arena, bool *bare);
/* {"_meta":{...}, without its end, so that a result's text can begin with it; "{" where there is none. */
void mcpw_dialect_begin_result(const mcpw_dialect *dialect, mcpw_text *text);
/* Between the revisions of this side's code and the peer's. */
MCPW_NODISCARD mcpw_status mcpw_session_adapt(mcpw_session *session, const mcpw_type *from, const void *value,
                                              const mcpw_type *to, mcpw_arena *arena, const void **out,
                                              mcpw_error *error);
/* The same with one more value that no table holds. */
MCPW_NODISCARD mcpw_status mcpw_session_adapt_with(mcpw_session *session, const mcpw_member *more,
                                                   const mcpw_type *from, const void *value,
                                                   const mcpw_type *to, mcpw_arena *arena, const void **out,
                                                   mcpw_error *error);

/* ---- receive.c ---- */
MCPW_NODISCARD mcpw_status mcpw_receive_line(mcpw_session *session, mcpw_str line);
void mcpw_receive_too_long(mcpw_session *session);
/* Answers a message that cannot be read. */
void mcpw_answer_broken(mcpw_session *session, const mcpw_dialect *dialect, const mcpw_id *id, int64_t code,
                        const char *message, mcpw_json data, mcpw_batch *batch);

/* ---- open.c ---- */
/* Server: an initialize or server/discover request. */
mcpw_status mcpw_open_initialize(mcpw_request *request);
mcpw_status mcpw_open_discover(mcpw_request *request);
/* Client: open_due has come. */
void mcpw_open_overdue(mcpw_session *session);
/* Client: the negotiation has led to a revision, or has failed. */
void mcpw_open_done(mcpw_session *session, mcpw_status status, const mcpw_error *error);

/* ---- capability.c ---- */
/* What this end offers in a revision, as a JSON object. */
MCPW_NODISCARD mcpw_status mcpw_capabilities(mcpw_session *session, mcpw_dialect *dialect, mcpw_arena *arena,
                                             mcpw_json *out);
/* Reads the config's names of capabilities. */
MCPW_NODISCARD mcpw_status mcpw_capabilities_declare(mcpw_session *session, mcpw_error *error);
/* Whether a capabilities object holds "resources.subscribe": present and not false. */
bool mcpw_capability_in(mcpw_json capabilities, const char *path);
/* {"resources":{"subscribe":{}}} */
mcpw_json mcpw_capability_object(const char *path, mcpw_arena *arena);
/* The capability that a request's method and params need of who answers it; NULL: none. */
const char *mcpw_capability_needed(const mcpw_revision *revision, int method, const void *params,
                                   mcpw_declared declared, mcpw_arena *arena);
/* This program as an Implementation of a revision. */
MCPW_NODISCARD mcpw_status mcpw_implementation(mcpw_session *session, const mcpw_revision *revision,
                                               mcpw_arena *arena, mcpw_json *out);

/* ---- declared.c ---- */
/* Keeps what the peer has declared, which must live as long as the session. MCPW_E_SIZE: it is too long. */
MCPW_NODISCARD mcpw_status mcpw_declared_keep(mcpw_session *session, mcpw_json capabilities);
void mcpw_declared_free(mcpw_session *session);
mcpw_declared mcpw_peer_declared(const mcpw_session *session);
/* Whether they hold "resources.subscribe": present and not false. */
bool mcpw_declares(mcpw_declared declared, const char *path);

/* ---- request.c ---- */
/* What the client declared, with this request or at the handshake. */
mcpw_declared mcpw_request_declared(mcpw_request *request);
mcpw_request *mcpw_request_take(mcpw_session *session);
void mcpw_request_release(mcpw_request *request);
/* A request has come: message, dialect and batch are set. */
void mcpw_request_arrive(mcpw_request *request);
/* A question of the server's in a round of input has been put into it, and has room. */
void mcpw_request_enter(mcpw_request *request);
/* Charges what a request has taken since it arrived; false, and nothing is charged, where that is too much.
 */
bool mcpw_request_charge(mcpw_request *request);
/* Whether somebody here answers a request of that method's; 0 is no method. */
bool mcpw_request_is_served(mcpw_session *session, const mcpw_dialect *dialect, int method);
/* Calls the slot of its method, or answers {} where there is none. */
mcpw_status mcpw_request_slot(mcpw_request *request);
/* Runs its handler, again or for the first time. One that is cancelled, or whose session is being
 * closed, does not run any more. */
void mcpw_request_run(mcpw_request *request);
/* Keeps its memory while user code may end it. */
static inline void mcpw_request_hold(mcpw_request *request) { request->holds++; }
/* Ends that. False: it is not in flight any more, and nothing of it may be touched. */
static inline bool mcpw_request_let(mcpw_request *request) {
    const bool in_flight = request->in_flight;
    if (--request->holds == 0 && !in_flight) {
        mcpw_request_release(request);
    }
    return in_flight;
}
/* What follows from the status with which another thread has returned it. */
void mcpw_request_settle(mcpw_request *request, mcpw_status status);
mcpw_request *mcpw_request_find(mcpw_session *session, const mcpw_id *id);
/* Takes it out of what is in flight; it is released now, or when its handler returns. */
void mcpw_request_finish(mcpw_request *request);
/* Ends it without an answer, as cancelled. */
void mcpw_request_drop(mcpw_request *request);
bool mcpw_id_equal(const mcpw_id *a, const mcpw_id *b);
/* A hash of what the peer chose, which it cannot foresee. */
uint64_t mcpw_session_hash(const mcpw_session *session, mcpw_str text);
/* Why one more request of the peer's has no room beside those in flight; NULL: it has. */
const char *mcpw_request_excess(const mcpw_session *session, const mcpw_request *request);

/* ---- detach.c ---- */
/* Tells on_note of it. */
void mcpw_session_tell_misuse(mcpw_session *session);
/* The caller's thread ends the session, which has executor and queue no more. */
void mcpw_session_take(mcpw_session *session);
void mcpw_session_leave(mcpw_session *session);
/* Waits until other threads have returned what they have. */
void mcpw_session_await_detached(mcpw_session *session);
/* Whether its handler, which detached it and has returned with that status, has given it to another thread.
 * Else it is settled, with the status. */
bool mcpw_request_is_handed_over(mcpw_request *request, mcpw_status *status);
/* Tells the thread that has it. */
void mcpw_request_flag_cancelled(mcpw_request *request);
/* What a call returns about one that can be answered no more. */
mcpw_status mcpw_request_how_ended(const mcpw_request *request);
/* MCPW_OK while it can be answered; else that. */
static inline mcpw_status mcpw_request_ended(const mcpw_request *r) {
    const bool lives = r->in_flight && !r->cancelled && (r->round == NULL || r->round->pending != NULL);
    return lives ? MCPW_OK : mcpw_request_how_ended(r);
}

/* ---- respond.c ---- */
/* The text of a result in the peer's revision. */
MCPW_NODISCARD mcpw_status mcpw_respond_raw(mcpw_request *request, const mcpw_type *type, mcpw_json result,
                                            mcpw_error *error);
void mcpw_respond_status(mcpw_request *request, mcpw_status status);
/* Answers with an error; where not even that can be sent it ends without an answer. */
void mcpw_request_end(mcpw_request *request, int64_t code, const char *message, mcpw_json data);
MCPW_NODISCARD mcpw_status mcpw_respond_empty(mcpw_request *request);

/* ---- call.c ---- */
typedef struct mcpw_send {
    const mcpw_revision *revision;
    int method;
    const void *params;
    const mcpw_call *call;
    mcpw_on_reply on_reply;
    void *user;
    bool unguarded; /* part of the negotiation: no capabilities, now, not cancelled */
    bool listening;
} mcpw_send;
MCPW_NODISCARD mcpw_status mcpw_call_send(mcpw_session *session, const mcpw_send *send, int64_t *number,
                                          mcpw_error *error);
/* Whether a request with such params, in the caller's revision, can be answered by the type that its caller
 * wants (NULL: any) of a peer that speaks theirs. */
MCPW_NODISCARD mcpw_status mcpw_call_wants(const mcpw_session *session, const mcpw_revision *theirs,
                                           const mcpw_revision *revision, int method, const void *params,
                                           const mcpw_type *wanted, mcpw_error *error);
/* Whether params of a method carry a task, of a peer that makes tasks of it. */
bool mcpw_call_is_task(const mcpw_session *session, const mcpw_revision *theirs, int method,
                       const void *params);
/* Ends a request of ours and tells how. */
void mcpw_pending_end(mcpw_pending *pending, const mcpw_reply *reply);
void mcpw_pending_fail(mcpw_pending *pending, mcpw_status status, const char *why);
/* The peer has answered. */
void mcpw_call_answered(mcpw_session *session, mcpw_dialect *dialect, mcpw_request *carrier);
/* The peer's answer cannot be read. */
void mcpw_call_broken(mcpw_pending *pending, const mcpw_error *error);
void mcpw_call_progress(mcpw_session *session, mcpw_request *carrier);
/* Sends what waited for the negotiation. */
void mcpw_call_flush(mcpw_session *session);
void mcpw_call_timeouts(mcpw_session *session);
void mcpw_call_fail_all(mcpw_session *session, const char *why);
/* Sends a request again with the answers of a round. */
void mcpw_call_resend(mcpw_pending *pending, mcpw_json answers, mcpw_json state);

/* ---- pending.c ---- */
void mcpw_pending_init(mcpw_session *session);
/* A new one, without id, number and time; NULL when memory runs out. */
mcpw_pending *mcpw_pending_new(mcpw_session *session);
void mcpw_pending_release(mcpw_pending *pending);
/* Frees those that are idle, when there are no others. */
void mcpw_pending_free(mcpw_session *session);
/* By the id of a request that was sent and is not answered; by the number that its caller knows. */
mcpw_pending *mcpw_pending_find(mcpw_session *session, int64_t id);
mcpw_pending *mcpw_pending_numbered(mcpw_session *session, int64_t number);
void mcpw_pending_take_number(mcpw_pending *pending);
/* The first id is the number, too. */
void mcpw_pending_take_id(mcpw_pending *pending);
void mcpw_pending_drop_id(mcpw_pending *pending);
void mcpw_pending_set_due(mcpw_pending *pending, uint64_t due);
/* The one that is due first; NULL: none ever is. */
mcpw_pending *mcpw_pending_first_due(const mcpw_session *session);

/* ---- ask.c ---- */
/* Server: reads what the client's retry brings: answers and state. What is no good is refused: answered. */
MCPW_NODISCARD mcpw_status mcpw_ask_load(mcpw_request *request);
/* Server: the handler waits for answers. */
mcpw_status mcpw_ask_settle(mcpw_request *request);
void mcpw_ask_forget(mcpw_request *request);
/* A question in another revision. An elicitation that is settled out of band (mode "url") has a handle in
 * some: where only the target has it one is made. */
MCPW_NODISCARD mcpw_status mcpw_question_adapt(mcpw_request *request, const mcpw_type *from,
                                               const void *value, const mcpw_type *to, const void **out,
                                               mcpw_error *error);

/* ---- round.c ---- */
/* Client: a reply that asks for input. */
void mcpw_round_begin(mcpw_pending *pending, mcpw_field asked);
void mcpw_round_answer(mcpw_request *request, mcpw_json result);
void mcpw_round_refuse(mcpw_request *request, int64_t code, const char *message);
void mcpw_round_free(mcpw_round *round);

/* ---- control.c ---- */
/* A request in the revision that has it; revision NULL: none is needed. */
typedef struct mcpw_control {
    const mcpw_revision *revision;
    int method;
    const void *params;
} mcpw_control;
/* Sets the level of log messages that a client wants, and makes the request that says so. */
MCPW_NODISCARD mcpw_status mcpw_control_level(mcpw_session *session, mcpw_log_level level, mcpw_arena *arena,
                                              mcpw_control *out, mcpw_error *error);

/* ---- digest.c ---- */
enum { MCPW_DIGEST_SIZE = 32 };
/* A digest of a value that does not depend on how its text is written, nor on the members of the outermost
 * object that `except` names; its last is NULL. */
MCPW_NODISCARD mcpw_status mcpw_json_digest(mcpw_json value, const char *const *except, mcpw_arena *arena,
                                            unsigned char out[MCPW_DIGEST_SIZE]);

/* ---- clock.c ---- */
/* ms since 1970; 0: unknown */
uint64_t mcpw_wall_clock(void);

/* ---- state.c ---- */
/* A state for the client to bring back with this request's retry, and its content when it does. */
MCPW_NODISCARD mcpw_status mcpw_state_seal(mcpw_request *request, mcpw_json content, mcpw_str *out,
                                           mcpw_error *error);
MCPW_NODISCARD mcpw_status mcpw_state_open(mcpw_request *request, mcpw_str sealed, mcpw_json *content,
                                           mcpw_error *error);

/* A handle for an elicitation that is settled out of band, in the arena. */
MCPW_NODISCARD mcpw_status mcpw_elicitation_id(mcpw_session *session, mcpw_arena *arena, mcpw_str *out);

/* ---- notify.c ---- */
/* Sends a notification whose params are text in the peer's revision. */
MCPW_NODISCARD mcpw_status mcpw_notify_raw(mcpw_session *session, mcpw_dialect *dialect, mcpw_own method,
                                           mcpw_json params, mcpw_error *error);
mcpw_status mcpw_listen_begin(mcpw_request *request);
/* Ends a subscription with its result. */
void mcpw_listen_end(mcpw_request *request);
mcpw_status mcpw_watch_request(mcpw_request *request, bool watch);
mcpw_status mcpw_level_request(mcpw_request *request);
mcpw_log_level mcpw_level_named(mcpw_str name);
/* Absent for what is no level. */
mcpw_str mcpw_level_name(mcpw_log_level level);
void mcpw_watch_free(mcpw_session *session);
/* Tells the changes that are owed. */
void mcpw_session_tell_owed(mcpw_session *session);
/* Client: gives up what is watched by requests of its own. */
void mcpw_listen_cancel(mcpw_pending *pending);
/* Client: tells the server that nobody listens any more. */
void mcpw_listen_close(mcpw_session *session);
mcpw_status mcpw_notify_cancelled(mcpw_session *session, mcpw_pending *pending, const char *reason);

/* ---- relay.c ---- */
/* A request that was passed on, or is carried, has ended. */
void mcpw_relay_ended(mcpw_request *request);
/* Gives up what waits for its client. */
void mcpw_relays_free(mcpw_session *session);

/* ---- watch.c ---- */
/* A subscription to a resource begins or ends. Handlers are told, if it is the first or the last. */
MCPW_NODISCARD mcpw_status mcpw_watch_begin(mcpw_session *session, mcpw_str uri);
void mcpw_watch_end(mcpw_session *session, mcpw_str uri);
/* The subscription that a request was has ended. */
void mcpw_filter_end(mcpw_session *session, mcpw_filter *filter);

#endif
