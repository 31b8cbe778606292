/* SPDX-License-Identifier: MIT */
/* Sessions that clients of revisions with a handshake open: how they are found, how long they live, and what
 * they cost while nobody uses them. */
#ifndef MCPW_SESSIONS_H
#define MCPW_SESSIONS_H

#include "../core/exchange.h"

enum { MCPW_SESSION_ID = 32 /* characters of an id */ };

/* What a session does. Those that rest stand in the order in which they began to. */
typedef enum mcpw_rest {
    MCPW_AWAKE,   /* it has exchanges, or waits for an answer */
    MCPW_RESTING, /* for a short time: the next message finds its memory */
    MCPW_ASLEEP,  /* until its time is over */
    MCPW_ENDED,   /* nobody finds it; exchanges or threads are left that do not know yet */
    MCPW_RESTS    /* number of these */
} mcpw_rest;

struct mcpw_http_session {
    mcpw_http_server *server;
    mcpw_http_session *next; /* of those that do the same */
    mcpw_http_session *previous;
    mcpw_http_session *same; /* the next one in its bucket */
    mcpw_http_session *next_speaker;
    mcpw_http_session *previous_speaker;
    bool speaks; /* it is among those that have something to say */
    mcpw_session *session;
    mcpw_timer timer; /* of what it has asked its client */
    mcpw_rest rest;
    uint64_t since; /* when it began to rest */
    char id[MCPW_SESSION_ID];
    size_t principal_len; /* the principal stands behind the struct */
    mcpw_http_exchange *members;
    size_t role_counts[MCPW_IN_SESSION_COUNT];
    uint64_t last_stream;        /* the number of the newest stream */
    mcpw_http_stream own;        /* what belongs to no request */
    mcpw_http_exchange *blocked; /* has so much to send that the session waits for it; NULL: none */
    bool cancels;                /* what ends without an answer just now was cancelled */
    uint64_t touched;            /* when the cluster was told that it is in use */
    size_t record_bytes;         /* of what a cluster keeps of it, without subscriptions */
    uint64_t hears;              /* the entry of the cluster's log that it is told just now; 0: none */
    bool receives_all;           /* that entry is about every resource, so it may be several events */
};

typedef struct mcpw_session_list {
    mcpw_http_session *first;
    mcpw_http_session *last;
} mcpw_session_list;

/* How processes that serve the same sessions hear of each other. There are two implementations: one process
 * that serves them alone (alone.c), and cluster/cluster.c. */
typedef struct mcpw_sharing {
    bool is_shared; /* other processes serve the same sessions */
    /* A session was opened here, or a copy of it was made. */
    void (*opened)(mcpw_http_session *http_session);
    /* The number of the session's next stream; whether a stream is one of another process's. */
    uint64_t (*next_stream)(mcpw_http_session *http_session);
    bool (*is_foreign)(const mcpw_http_server *server, uint64_t stream);
    /* Makes a copy of a session that another process has opened. MCPW_E_NOT_FOUND: none has. */
    mcpw_status (*adopt)(mcpw_http_server *server, mcpw_str id, mcpw_str principal,
                         mcpw_http_session **http_session);
    /* A copy is used: the session lives on. MCPW_E_NOT_FOUND: it has ended elsewhere. */
    mcpw_status (*touch)(mcpw_http_session *http_session);
    /* The session is over, in all processes. */
    void (*ended)(mcpw_http_session *http_session);
    /* Looks at the message of an exchange: which part of the record is written once it is granted. A
     * notification or an answer is passed on to other processes now. MCPW_E_SIZE: it is too long for that,
     * and nothing is kept of it. */
    mcpw_status (*look_at)(mcpw_http_exchange *exchange);
    /* The message was granted: the record says so, and other processes are told. If that fails, the client
     * is answered that it was not done. */
    mcpw_status (*keep)(const mcpw_http_exchange *exchange);
    /* Says on the session's own stream what belongs to no request. */
    void (*say_on_own)(mcpw_http_session *http_session, const mcpw_outgoing *said);
    /* That stream is read here from now on, and in no other process. */
    void (*reads)(const mcpw_http_session *http_session);
    /* Says again on that stream what came after an event; false: it could not be done. */
    bool (*repeat)(mcpw_http_session *http_session, uint64_t after);
} mcpw_sharing;

extern const mcpw_sharing mcpw_not_shared;

typedef struct mcpw_sessions {
    const mcpw_sharing *sharing;
    mcpw_session_list lists[MCPW_RESTS];
    mcpw_http_session **buckets;
    size_t bucket_count;        /* a power of two */
    mcpw_http_session *speaker; /* the first of those that have something to say */
    mcpw_http_store store;
    struct mcpw_events *events; /* the store of its own; NULL: the program has given one */
} mcpw_sessions;

static inline mcpw_str mcpw_http_session_id(const mcpw_http_session *http_session) {
    return (mcpw_str){http_session->id, sizeof http_session->id};
}
static inline const mcpw_sharing *mcpw_sharing_of(const mcpw_http_server *server) {
    return server->sessions->sharing;
}

/* ---- table.c: how sessions are found ---- */

/* The session of that id and principal; NULL: there is none. Of that id, whoever's it is: */
mcpw_http_session *mcpw_sessions_find(const mcpw_http_server *server, mcpw_str id, mcpw_str principal);
mcpw_http_session *mcpw_sessions_find_any(const mcpw_http_server *server, mcpw_str id);
/* A new session can be found, and is awake; nobody finds it any more; it goes. */
void mcpw_sessions_put(mcpw_http_session *http_session);
void mcpw_sessions_take_out(mcpw_http_session *http_session);
void mcpw_sessions_unlink(mcpw_http_session *http_session);
/* It does something else from now on. */
void mcpw_sessions_move(mcpw_http_session *http_session, mcpw_rest rest);
/* A session may have something to say; it has nothing. */
void mcpw_http_session_mark_ready(mcpw_http_session *http_session);
void mcpw_sessions_unhear(mcpw_http_session *http_session);
/* A message was handled: its exchange stays until its response was sent, and does not count any more. */
void mcpw_sessions_done(mcpw_http_exchange *exchange);

/* ---- sessions.c: how they live ---- */

/* Makes a server ready for sessions. */
MCPW_NODISCARD bool mcpw_sessions_new(mcpw_http_server *server);
/* Frees them all; handlers are told. */
void mcpw_sessions_free(mcpw_http_server *server);
/* Opens a session on behalf of a principal; an absent id: a new one. MCPW_E_FULL: there are as many as there
 * may be; MCPW_E_MEMORY; MCPW_E_STATE: no id can be made. */
MCPW_NODISCARD mcpw_status mcpw_sessions_open(mcpw_http_server *server, mcpw_str id, mcpw_str principal,
                                              mcpw_arena *scratch, mcpw_http_session **http_session);
/* Ends a session: nobody finds it any more, and what waits for it is answered. It may be gone afterwards
 * unless it has exchanges. */
void mcpw_sessions_end(mcpw_http_session *http_session);
/* The same, but for a session that other processes go on with, if there are any. */
void mcpw_sessions_leave_to_others(mcpw_http_session *http_session);
/* Ends them all. */
void mcpw_sessions_end_all(mcpw_http_server *server);
/* An exchange becomes one of a session's; false: it has as many of that kind as it may have. */
MCPW_NODISCARD bool mcpw_sessions_join(mcpw_http_session *http_session, mcpw_http_exchange *exchange,
                                       mcpw_role_in_session role);
/* An exchange goes. */
void mcpw_sessions_leave(mcpw_http_exchange *exchange);
/* Something about a session has changed: it rests, or rests no more, or is freed. */
void mcpw_sessions_settle(mcpw_http_session *http_session);
/* Brings what sessions say to where it goes. */
void mcpw_sessions_pump(mcpw_http_server *server);
/* Time has passed; of those that rest, and by when it must be said that it has. */
void mcpw_sessions_advance(mcpw_http_server *server);
uint64_t mcpw_sessions_deadline(const mcpw_http_server *server);

#endif
