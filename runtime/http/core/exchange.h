/* SPDX-License-Identifier: MIT */
/* The exchange and its server, as shared by the files of this folder. */
#ifndef MCPW_EXCHANGE_H
#define MCPW_EXCHANGE_H

#include <mcpw/http_protect.h>
#include <mcpw/json.h>

#include "attach.h"

#include "timers.h"

/* Statuses of responses. */
enum {
    MCPW_HTTP_OK = 200,
    MCPW_HTTP_ACCEPTED = 202,
    MCPW_HTTP_NO_CONTENT = 204,
    MCPW_HTTP_BAD_REQUEST = 400,
    MCPW_HTTP_UNAUTHORIZED = 401,
    MCPW_HTTP_FORBIDDEN = 403,
    MCPW_HTTP_NOT_FOUND = 404,
    MCPW_HTTP_METHOD_NOT_ALLOWED = 405,
    MCPW_HTTP_NOT_ACCEPTABLE = 406,
    MCPW_HTTP_TIMEOUT = 408,
    MCPW_HTTP_CONFLICT = 409,
    MCPW_HTTP_TOO_LARGE = 413,
    MCPW_HTTP_UNSUPPORTED_TYPE = 415,
    MCPW_HTTP_HEAD_TOO_LARGE = 431,
    MCPW_HTTP_INTERNAL_ERROR = 500,
    MCPW_HTTP_UNAVAILABLE = 503
};

enum { MCPW_ANSWER_FIELDS = 8 /* most fields of a response */ };
enum { MCPW_ENOUGH_OUTPUT = 1 << 16 /* bytes of unsent output; above that, a session keeps its messages */ };

/* A session that outlives one request: session/http_session.h. */
typedef struct mcpw_http_session mcpw_http_session;

/* The functions of a kind of exchange. There are two kinds: stateless (stateless/stateless.h), and in a
 * session (session/session_exchange.h). An exchange is of the first kind until it joins a session. */
typedef struct mcpw_exchange_kind {
    /* Moves the messages of the session into the response. */
    void (*pump)(mcpw_http_exchange *exchange);
    /* Begins the response as a stream, before the session has sent a message. */
    void (*begin_stream)(mcpw_http_exchange *exchange);
    /* Returns the unsent output, which stays valid until sent is called. */
    mcpw_str (*give)(mcpw_http_exchange *exchange);
    void (*sent)(mcpw_http_exchange *exchange);
    /* Everything was sent. An exchange that will be silent for long frees memory. */
    void (*rest)(mcpw_http_exchange *exchange);
    /* A comment is due, because the stream was silent. The exchange frees memory. */
    void (*trim)(mcpw_http_exchange *exchange);
    /* Advances the session's time. */
    void (*advance)(mcpw_http_exchange *exchange);
    uint64_t (*deadline)(const mcpw_http_exchange *exchange);
    /* A list or a resource of the server has changed in another process. */
    void (*changed)(mcpw_http_exchange *exchange, mcpw_change change, mcpw_str uri);
    /* Ends the response early, so that its client resumes it. MCPW_E_STATE: not possible. */
    mcpw_status (*end_stream)(mcpw_http_exchange *exchange);
    /* Ends the exchange when the server ends, or when the peer has gone. */
    void (*end)(mcpw_http_exchange *exchange);
    void (*abandon)(mcpw_http_exchange *exchange);
    /* True if a handler may still use the exchange, or its request is unanswered. */
    bool (*is_in_use)(const mcpw_http_exchange *exchange);
    /* Detaches the exchange before its memory is reused. */
    void (*leave)(mcpw_http_exchange *exchange);
} mcpw_exchange_kind;

/* A stream of an HTTP session. It has one reader at a time. If its events have ids, the store keeps them. */
typedef struct mcpw_http_stream {
    uint64_t number;            /* in the session; 0: the server's own stream */
    uint64_t said;              /* events so far */
    uint64_t read;              /* the last event that was given to a reader */
    mcpw_http_exchange *reader; /* NULL: none */
    bool is_numbered;           /* its events have ids, and the store keeps them */
} mcpw_http_stream;

/* The phase of an exchange. The response may be complete in either phase. */
typedef enum mcpw_exchange_phase {
    MCPW_EXCHANGE_READS, /* it receives the body */
    MCPW_EXCHANGE_SERVES /* the session has the message, or the response is complete */
} mcpw_exchange_phase;

/* The part of a session's record that is written when the message of its client is accepted. */
typedef enum mcpw_kept_part {
    MCPW_KEPT_NOTHING,
    MCPW_KEPT_SESSION,
    MCPW_KEPT_LEVEL,
    MCPW_KEPT_SUBSCRIPTION
} mcpw_kept_part;

/* The role of an exchange in its session. max_streams limits each role separately, so a session with the
 * maximum number of requests still accepts their cancellation. */
typedef enum mcpw_role_in_session {
    MCPW_IN_SESSION_DONE,    /* it does not count; its response may still be under way */
    MCPW_IN_SESSION_REQUEST, /* POST of a request, or of a batch with one */
    MCPW_IN_SESSION_READER,  /* GET of a stream */
    MCPW_IN_SESSION_MESSAGE, /* POST of a notification or a response, which is handled at once */
    MCPW_IN_SESSION_COUNT    /* number of roles */
} mcpw_role_in_session;

/* A list of exchanges to visit. */
typedef struct mcpw_exchange_list {
    mcpw_http_exchange *first;
    mcpw_http_exchange *last;
} mcpw_exchange_list;

struct mcpw_http_exchange {
    mcpw_http_server *server;
    const mcpw_exchange_kind *kind;
    mcpw_http_exchange *next;
    mcpw_http_exchange *previous;
    mcpw_exchange_list *ready; /* the list that contains it: the ready list, or the closed ones; NULL: none */
    mcpw_http_exchange *next_ready;
    mcpw_http_exchange *previous_ready;
    mcpw_timer timer;      /* expires at due, or earlier */
    mcpw_session *session; /* for stateless requests; it is kept for the next exchanges in this memory. NULL:
                              none yet */
    void *user;
    mcpw_buffer head; /* fields, principal and their texts */
    const mcpw_http_field *fields;
    size_t field_count;
    mcpw_str method; /* of HTTP */
    mcpw_str principal;
    mcpw_str origin; /* of the page that sends the request; absent: no page sends it */
    mcpw_str peer;
    mcpw_buffer body;
    mcpw_exchange_phase phase;
    bool is_open;            /* it is in use; otherwise its memory waits for the next request */
    bool is_request;         /* the message is a request */
    bool listens;            /* it opens a subscription, and has not freed memory yet */
    bool is_pending;         /* the session has the message and may send more about it */
    bool is_gone;            /* it was closed while another thread had its request */
    bool is_dropped;         /* its request was cancelled; another thread may still have it */
    mcpw_http_scheme scheme; /* of its credentials; 0: none */
    bool waits;              /* the verdict on its credentials is pending */
    bool is_read;            /* its body is complete */
    bool is_standing;        /* its stream only listens, and ends with its access */
    uint64_t verdict_due;    /* if it waits: when the verdict must be there */
    uint64_t access_ends;    /* UINT64_MAX: never, or at an unknown time */
    mcpw_buffer access;      /* a mcpw_held_access and its texts; empty: access is not checked */
    uint64_t due; /* the time limit of the body, or the time of the next comment; UINT64_MAX: never */

    int status; /* of the response; 0: there is none yet */
    mcpw_http_field answer[MCPW_ANSWER_FIELDS];
    size_t answer_count;
    bool streams;
    bool is_over;    /* the response is complete */
    bool head_given; /* to the program */
    bool end_given;
    mcpw_buffer out; /* the unsent part of the body */
    mcpw_str fixed;  /* a literal that replaces out if there is no memory */
    bool out_given;  /* the program has the bytes of out, which stay valid until the next step */

    /* Only for exchanges in a session: */
    mcpw_http_session *http_session;
    mcpw_http_exchange *sibling; /* the next exchange of that session */
    bool opens;                  /* its message opens the session */
    bool cancels;                /* its message is notifications/cancelled */
    mcpw_role_in_session role;   /* its role in that session */
    mcpw_kept_part kept;         /* the part of the record that its message changes */
    mcpw_http_stream stream;     /* POST: the stream of messages about its message */
    mcpw_http_stream *reads;     /* its own stream, a resumed one or the session's; NULL: none */
    mcpw_buffer given;           /* the bytes that the program has, while more are added to out */
    mcpw_buffer gate;            /* of challenge.c or cors.c: the values of response fields */
};

struct mcpw_http_server {
    mcpw_http_config config; /* its texts are copies */
    mcpw_arena memory;
    mcpw_arena scratch;       /* for the checks of a message */
    mcpw_http_exchange *open; /* newest first */
    mcpw_http_exchange *idle;
    mcpw_exchange_list ready; /* they may have output */
    mcpw_exchange_list gone;  /* closed ones: no output callback reports their end, because another thread has
                                 their requests */
    mcpw_http_exchange *cursor; /* the next exchange for mcpw_http_ready */
    bool is_walking;            /* cursor is valid */
    mcpw_timers timers;
    bool is_ended;
    size_t open_count;
    size_t idle_count;
    uint64_t now;
    bool serves_alone;              /* it accepts stateless requests */
    struct mcpw_sessions *sessions; /* NULL: the server has no HTTP sessions */
    size_t session_count;           /* each has a timer */
    struct mcpw_guard *guard;       /* of config.protect: gate.h; NULL: none */
    size_t waiting_count;           /* exchanges that wait for a verdict */
    size_t waiting_bytes;           /* of their bodies */
    mcpw_str resource_path;         /* the path of the config's resource */
    mcpw_str metadata;              /* the metadata of the resource, as JSON; absent: none */
    mcpw_str metadata_url;          /* their URL */
    const mcpw_exchange_kind *kind; /* of new exchanges */
    struct mcpw_cluster *cluster;   /* NULL: no other process serves the same clients */
};

/* True if the server has HTTP sessions. */
static inline bool mcpw_serves_sessions(const mcpw_http_server *server) { return server->sessions != NULL; }

/* Adds a duration to a time. UINT64_MAX means never, and so does a sum that would overflow. */
static inline uint64_t mcpw_time_after(uint64_t time, uint64_t more) {
    return time < UINT64_MAX - more ? time + more : UINT64_MAX;
}

/* ---- exchange.c ---- */

/* Opens an exchange of the default kind; NULL: no memory. Its timer calls expire. */
mcpw_http_exchange *mcpw_exchange_open(mcpw_http_server *server, void (*expire)(void *exchange));
/* Frees the session that an exchange keeps for stateless requests, if there is one. */
void mcpw_exchange_free_session(mcpw_http_exchange *exchange);
/* Releases an exchange that nobody refers to any more. */
void mcpw_exchange_release(mcpw_http_exchange *exchange);
/* Closes an exchange whose peer has gone. It is released at once, or when another thread has finished its
 * request. */
void mcpw_exchange_close(mcpw_http_exchange *exchange);
/* Releases the closed exchanges whose requests other threads have finished. */
void mcpw_exchanges_reap(mcpw_http_server *server);
/* Frees all exchanges. */
void mcpw_exchanges_free(mcpw_http_server *server);
/* Reserves a timer for one more exchange or session; false: no memory. */
MCPW_NODISCARD bool mcpw_server_has_timers(mcpw_http_server *server);
/* Adds an exchange to the ready list: it may have output, or it was closed and may be released. */
void mcpw_exchange_mark_ready(mcpw_http_exchange *exchange);
/* Removes an exchange from its ready list. */
void mcpw_exchange_unmark_ready(mcpw_http_exchange *exchange);
/* Sets the timer of an exchange to its deadline. */
void mcpw_exchange_await(mcpw_http_exchange *exchange);

/* ---- answer.c ---- */

/* Begins a response; adds one of at most MCPW_ANSWER_FIELDS fields to it; ends it. */
void mcpw_exchange_begin(mcpw_http_exchange *exchange, int status);
void mcpw_exchange_add(mcpw_http_exchange *exchange, mcpw_str name, mcpw_str value);
void mcpw_exchange_finish(mcpw_http_exchange *exchange);
/* Sends a JSON-RPC error; id is the request's text, absent if it could not be read. */
void mcpw_exchange_refuse(mcpw_http_exchange *exchange, int status, int64_t code, mcpw_json id,
                          const char *message);
/* Refuses a message that the session did not answer: it is both request and response, or there was no memory.
 */
void mcpw_exchange_refuse_unanswered(mcpw_http_exchange *exchange);
/* True if a message contains the result or the error of a request. */
bool mcpw_has_outcome(mcpw_json message);
/* Sends the error for lack of memory. */
void mcpw_exchange_fail(mcpw_http_exchange *exchange);
/* Sends a response without a body. */
void mcpw_exchange_accept(mcpw_http_exchange *exchange, int status);
/* Sends one JSON text. */
MCPW_NODISCARD mcpw_status mcpw_exchange_send_json(mcpw_http_exchange *exchange, int status, mcpw_str text);
/* Begins a stream of events. */
void mcpw_exchange_begin_stream(mcpw_http_exchange *exchange);
/* Appends an event, after lines such as its id. Without memory for all of it, nothing is appended. */
MCPW_NODISCARD mcpw_status mcpw_exchange_append_event(mcpw_http_exchange *exchange, mcpw_str lines,
                                                      mcpw_str data);
/* Restarts the time until the next comment. */
void mcpw_exchange_put_off(mcpw_http_exchange *exchange);
/* Sends a comment, which clients ignore. */
void mcpw_exchange_comment(mcpw_http_exchange *exchange);
/* True if mcpw_http_next has output. */
bool mcpw_exchange_has_output(const mcpw_http_exchange *exchange);

/* ---- head.c ---- */

/* The result of checking the head of a request. */
typedef enum mcpw_head_verdict {
    MCPW_HEAD_ANSWERED, /* it was refused, or answered without a session */
    MCPW_HEAD_WAITS,    /* for the verdict on its credentials */
    MCPW_HEAD_POST,     /* the body contains a message */
    MCPW_HEAD_GET,
    MCPW_HEAD_DELETE
} mcpw_head_verdict;

/* Checks the head of a request, and answers an invalid one. */
MCPW_NODISCARD mcpw_head_verdict mcpw_exchange_check_head(mcpw_http_exchange *exchange,
                                                          const mcpw_http_request *request);
/* Checks the rest of a head, after access was granted. */
MCPW_NODISCARD mcpw_head_verdict mcpw_exchange_check_rest(mcpw_http_exchange *exchange);

#endif
