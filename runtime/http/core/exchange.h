/* SPDX-License-Identifier: MIT */
/* An exchange and its server, as the parts of this room know them. */
#ifndef MCPW_EXCHANGE_H
#define MCPW_EXCHANGE_H

#include <mcpw/http.h>
#include <mcpw/json.h>

#include "attach.h"

#include "timers.h"

/* HTTP statuses that are answered here. */
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

/* Errors of JSON-RPC that have a status of their own (MCP 2026-07-28, "Streamable HTTP", server validation).
 */
enum {
    MCPW_RPC_HEADER_MISMATCH = -32020,    /* header and body do not agree */
    MCPW_RPC_MISSING_CAPABILITY = -32021, /* the client has not declared what the request needs */
    MCPW_RPC_UNSUPPORTED_VERSION = -32022 /* the server does not speak the revision */
};

enum { MCPW_ANSWER_FIELDS = 8 /* most fields of a response */ };
enum { MCPW_ENOUGH_OUTPUT = 1 << 16 /* bytes that wait to be sent, from which on a session keeps its own */ };

/* A session that lives longer than one request: session/http_session.h. */
typedef struct mcpw_http_session mcpw_http_session;

/* How an exchange is driven. There are two kinds: its message stands for itself (stateless/stateless.h), or
 * it belongs to a session (session/session_exchange.h). An exchange is of the first kind until it joins a
 * session. */
typedef struct mcpw_exchange_kind {
    /* Brings what the session of the message has to say to the response. */
    void (*pump)(mcpw_http_exchange *exchange);
    /* Begins the response, which is a stream, before anything was said. */
    void (*begin_stream)(mcpw_http_exchange *exchange);
    /* Gives the program what waits in out, which then stays until sent is called. */
    mcpw_str (*give)(mcpw_http_exchange *exchange);
    void (*sent)(mcpw_http_exchange *exchange);
    /* Everything was given. An exchange that will be silent for long gives back memory. */
    void (*rest)(mcpw_http_exchange *exchange);
    /* Nothing was said for the time of a comment. */
    void (*trim)(mcpw_http_exchange *exchange);
    /* Time has passed, and when it must be said again that it has; UINT64_MAX: never. */
    void (*advance)(mcpw_http_exchange *exchange);
    uint64_t (*deadline)(const mcpw_http_exchange *exchange);
    /* Something of what the server offers has changed in another process. */
    void (*changed)(mcpw_http_exchange *exchange, mcpw_change change, mcpw_str uri);
    /* Ends the response early, so that its client comes back for the rest. MCPW_E_STATE: it cannot. */
    mcpw_status (*end_stream)(mcpw_http_exchange *exchange);
    /* The server ends; the peer has gone. */
    void (*end)(mcpw_http_exchange *exchange);
    void (*abandon)(mcpw_http_exchange *exchange);
    /* Whether a handler may still look at it, or its request is still to be answered. */
    bool (*is_in_use)(const mcpw_http_exchange *exchange);
    /* Its memory goes to another exchange. */
    void (*leave)(mcpw_http_exchange *exchange);
} mcpw_exchange_kind;

/* A stream of such a session: what is said on it goes to one reader, and where clients know it by an id, to
 * the store. */
typedef struct mcpw_http_stream {
    uint64_t number;            /* among the session's streams; 0: the server's own */
    uint64_t said;              /* events so far */
    uint64_t read;              /* the last of them that was given to a reader */
    mcpw_http_exchange *reader; /* NULL: nobody is there */
    bool is_numbered;           /* its events have ids, and are kept */
} mcpw_http_stream;

/* What an exchange does. Its response is another matter: it may be there from the beginning. */
typedef enum mcpw_exchange_phase {
    MCPW_EXCHANGE_READS, /* the body comes */
    MCPW_EXCHANGE_SERVES /* the session has the message, or the response is complete */
} mcpw_exchange_phase;

/* Which part of a session's record is written when its client's message is granted. */
typedef enum mcpw_kept {
    MCPW_KEPT_NOTHING,
    MCPW_KEPT_SESSION,
    MCPW_KEPT_LEVEL,
    MCPW_KEPT_SUBSCRIPTION
} mcpw_kept;

/* The role of an exchange in its session. max_streams bounds each role by itself, so that one cannot keep out
 * another: a session with as many requests as it may have still takes what ends them. */
typedef enum mcpw_role_in_session {
    MCPW_IN_SESSION_DONE,    /* nothing that counts; its response may still be on its way */
    MCPW_IN_SESSION_REQUEST, /* POST of a request, or of a batch with one */
    MCPW_IN_SESSION_READER,  /* GET of a stream */
    MCPW_IN_SESSION_MESSAGE, /* POST of a notification or an answer, which is handled at once */
    MCPW_IN_SESSION_COUNT    /* number of these */
} mcpw_role_in_session;

/* Exchanges that somebody is to look at. */
typedef struct mcpw_exchange_list {
    mcpw_http_exchange *first;
    mcpw_http_exchange *last;
} mcpw_exchange_list;

struct mcpw_http_exchange {
    mcpw_http_server *server;
    const mcpw_exchange_kind *kind;
    mcpw_http_exchange *next;
    mcpw_http_exchange *previous;
    mcpw_exchange_list *ready; /* the list in which it stands: it may have something to send, or to be freed.
                                  NULL: none */
    mcpw_http_exchange *next_ready;
    mcpw_http_exchange *previous_ready;
    mcpw_timer timer;      /* expires at due, or before */
    mcpw_session *session; /* of requests that stand for themselves; stays with the memory of the exchange,
                              for the exchanges to come. NULL: there was none yet */
    void *user;
    mcpw_buffer head; /* fields, principal and their texts */
    const mcpw_http_field *fields;
    size_t field_count;
    mcpw_str principal;
    mcpw_str origin; /* of the page that asks, which is served; absent: it is no page */
    mcpw_str peer;
    mcpw_buffer body;
    mcpw_exchange_phase phase;
    bool is_open;    /* it is one of the server's; else its memory waits for the next */
    bool is_request; /* the message wants an answer */
    bool listens;    /* it opens a subscription, and has not rested yet */
    bool is_pending; /* the session has the message and may say more about it */
    bool is_gone;    /* it was closed while another thread had its request */
    bool is_dropped; /* its request was cancelled; another thread may still have it */
    uint64_t due;    /* when the body has taken too long, or a comment goes out; UINT64_MAX: never */

    int status; /* of the response; 0: there is none yet */
    mcpw_http_field answer[MCPW_ANSWER_FIELDS];
    size_t answer_count;
    bool streams;
    bool is_over;    /* the response is complete */
    bool head_given; /* to the program; likewise: */
    bool end_given;
    mcpw_buffer out; /* of the response's body, what is not given yet */
    mcpw_str fixed;  /* a text of the library's own in its place, where there is no memory */
    bool out_given;  /* what out holds was given, and stays until the next step is asked for */

    /* Of one that belongs to a session: */
    mcpw_http_session *http_session;
    mcpw_http_exchange *sibling; /* the next one of that session */
    bool opens;                  /* its message opens the session */
    bool cancels;                /* its message is notifications/cancelled */
    mcpw_role_in_session role;   /* what it is to that session */
    mcpw_kept kept;              /* what becomes of its message in a cluster */
    mcpw_http_stream stream;     /* of a POST: what is said about its message */
    mcpw_http_stream
        *reads; /* what it gets: stream, that of another which it resumes, or the session's; NULL: none */
    mcpw_buffer given; /* what was given, where more may come meanwhile */
    mcpw_buffer gate;  /* of bearer.c or cors.c: a principal, or the value of a field of the response */
};

struct mcpw_http_server {
    mcpw_http_config config; /* its texts are the server's own */
    mcpw_arena memory;
    mcpw_arena scratch;       /* what checking a message needs */
    mcpw_http_exchange *open; /* the newest first */
    mcpw_http_exchange *idle;
    mcpw_exchange_list ready; /* those that may have something to send */
    mcpw_exchange_list gone;  /* closed ones, of whose end nobody tells: another thread has their requests */
    mcpw_http_exchange *cursor; /* of mcpw_http_ready, among the heard: where to go on */
    bool is_walking;            /* cursor counts */
    mcpw_timers timers;
    bool is_ended;
    size_t open_count;
    size_t idle_count;
    uint64_t now;
    bool serves_alone;              /* requests that stand for themselves */
    struct mcpw_sessions *sessions; /* NULL: it serves none that live longer than a request */
    size_t session_count;           /* of these; each has a timer */
    mcpw_str resource_path;         /* of the config's resource */
    mcpw_str metadata;              /* of that, as JSON; absent: there are none */
    mcpw_str metadata_url;          /* where they stand */
    const mcpw_exchange_kind *kind; /* of new exchanges */
    struct mcpw_cluster *cluster;   /* NULL: no other process serves the same clients */
};

/* Whether the server serves requests of clients that open sessions. */
static inline bool mcpw_serves_sessions(const mcpw_http_server *server) { return server->sessions != NULL; }

/* A time and so much more of it. What has all the time that there is, is never due. */
static inline uint64_t mcpw_time_after(uint64_t time, uint64_t more) {
    return time < UINT64_MAX - more ? time + more : UINT64_MAX;
}

/* ---- exchange.c ---- */

/* An exchange that is open, of the kind that new ones have; NULL: there is no memory. It calls expire when
 * its time has come. */
mcpw_http_exchange *mcpw_exchange_open(mcpw_http_server *server, void (*expire)(void *exchange));
/* Frees the session that an exchange keeps for requests that stand for themselves, if there is one. */
void mcpw_exchange_free_session(mcpw_http_exchange *exchange);
/* Gives up the memory of an exchange that nobody knows any more. */
void mcpw_exchange_release(mcpw_http_exchange *exchange);
/* Its peer has gone: releases it, at once or when another thread has given back its request. */
void mcpw_exchange_close(mcpw_http_exchange *exchange);
/* Releases closed ones whose requests other threads have given back. */
void mcpw_exchanges_reap(mcpw_http_server *server);
/* Frees them all. */
void mcpw_exchanges_free(mcpw_http_server *server);
/* Sees to it that one more exchange or session can be timed; false: there is no memory. */
MCPW_NODISCARD bool mcpw_server_has_timers(mcpw_http_server *server);
/* It may have something to send; or it was closed, and may be freed. */
void mcpw_exchange_mark_ready(mcpw_http_exchange *exchange);
/* It has nothing to send. */
void mcpw_exchange_unhear(mcpw_http_exchange *exchange);
/* Sees to it that the server's time of waiting ends with the exchange's. */
void mcpw_exchange_await(mcpw_http_exchange *exchange);

/* ---- answer.c ---- */

/* Begins a response; adds a field to it, of which there are MCPW_ANSWER_FIELDS at most; ends it. */
void mcpw_exchange_begin(mcpw_http_exchange *exchange, int status);
void mcpw_exchange_add(mcpw_http_exchange *exchange, mcpw_str name, mcpw_str value);
void mcpw_exchange_finish(mcpw_http_exchange *exchange);
/* Answers by an error of JSON-RPC; id as it stands in the request, absent where it could not be read. */
void mcpw_exchange_refuse(mcpw_http_exchange *exchange, int status, int64_t code, mcpw_json id,
                          const char *message);
/* Answers a request that no session answers: its message says an outcome as well, or there was no memory. */
void mcpw_exchange_refuse_unanswered(mcpw_http_exchange *exchange);
/* Whether a message says the outcome of a request. */
bool mcpw_has_outcome(mcpw_json message);
/* Answers that there is no memory. */
void mcpw_exchange_fail(mcpw_http_exchange *exchange);
/* Answers without a body. */
void mcpw_exchange_accept(mcpw_http_exchange *exchange, int status);
/* Answers by one text, which is JSON. */
MCPW_NODISCARD mcpw_status mcpw_exchange_tell(mcpw_http_exchange *exchange, int status, mcpw_str text);
/* Begins a stream of events. */
void mcpw_exchange_begin_stream(mcpw_http_exchange *exchange);
/* Puts an event behind what waits to be sent, after lines such as its id; where there is no memory for all of
 * it, none of it. */
MCPW_NODISCARD mcpw_status mcpw_exchange_append_event(mcpw_http_exchange *exchange, mcpw_str lines,
                                                      mcpw_str data);
/* Something was sent: the next comment has time. */
void mcpw_exchange_put_off(mcpw_http_exchange *exchange);
/* Sends a comment, which nobody reads. */
void mcpw_exchange_comment(mcpw_http_exchange *exchange);
/* Whether mcpw_http_next has anything to give. */
bool mcpw_exchange_has_output(const mcpw_http_exchange *exchange);

/* ---- head.c ---- */

/* What the head of a request asks for. */
typedef enum mcpw_head_verdict {
    MCPW_HEAD_ANSWERED, /* nothing: it was refused, or answered without a session */
    MCPW_HEAD_POST,     /* a message comes in the body; the others have none, and are of sessions: */
    MCPW_HEAD_GET,
    MCPW_HEAD_DELETE
} mcpw_head_verdict;

/* Checks the head of a request, and answers what is wrong with it. */
MCPW_NODISCARD mcpw_head_verdict mcpw_exchange_check_head(mcpw_http_exchange *exchange,
                                                          const mcpw_http_request *request);

#endif
