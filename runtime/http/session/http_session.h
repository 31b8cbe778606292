/* SPDX-License-Identifier: MIT */
/* HTTP sessions, which clients of revisions with a handshake open: lookup, lifetime and the memory of idle
 * ones. */
#ifndef MCPW_SESSIONS_H
#define MCPW_SESSIONS_H

#include "../core/exchange.h"

enum { MCPW_SESSION_ID = 32 /* characters of an id */ };

/* The state of a session. Resting sessions are listed in the order in which they began to rest. */
typedef enum mcpw_rest {
    MCPW_AWAKE,   /* it has exchanges, or waits for a response */
    MCPW_RESTING, /* for a short time it keeps its memory for the next message */
    MCPW_ASLEEP,  /* its memory is trimmed, until it expires */
    MCPW_ENDED,   /* it cannot be found; exchanges or threads still refer to it */
    MCPW_RESTS    /* number of states */
} mcpw_rest;

struct mcpw_http_session {
    mcpw_http_server *server;
    mcpw_http_session *next; /* of the sessions in the same state */
    mcpw_http_session *previous;
    mcpw_http_session *same; /* the next one in its bucket */
    mcpw_http_session *next_ready;
    mcpw_http_session *previous_ready;
    bool is_ready; /* it is in the ready list */
    mcpw_session *session;
    mcpw_timer timer; /* for its input requests to the client */
    mcpw_rest rest;
    uint64_t since; /* the time when it began to rest */
    char id[MCPW_SESSION_ID];
    size_t principal_len; /* the principal follows the struct */
    mcpw_http_exchange *members;
    size_t role_counts[MCPW_IN_SESSION_COUNT];
    uint64_t last_stream;        /* the number of the newest stream */
    mcpw_http_stream own;        /* the stream of messages that belong to no request */
    mcpw_http_exchange *blocked; /* the exchange whose unsent output stops the session; NULL: none */
    bool cancels;                /* a request that ends without a response was cancelled */
    uint64_t touched;            /* the last time when the cluster was touched for it */
    size_t record_bytes;         /* of its record in the cluster, without subscriptions */
    uint64_t log_entry;          /* the log entry that is being applied to it; 0: none */
    bool receives_all;           /* that entry is about every resource, so it may become several events */
};

typedef struct mcpw_session_list {
    mcpw_http_session *first;
    mcpw_http_session *last;
} mcpw_session_list;

/* The functions by which processes share sessions. There are two implementations: alone.c for one process,
 * and cluster/cluster.c. */
typedef struct mcpw_sharing {
    bool is_shared; /* other processes serve the same sessions */
    /* A session was opened here, or copied. */
    void (*opened)(mcpw_http_session *http_session);
    /* next_stream returns the number of the session's next stream; is_foreign returns whether another process
     * numbered a stream. */
    uint64_t (*next_stream)(mcpw_http_session *http_session);
    bool (*is_foreign)(const mcpw_http_server *server, uint64_t stream);
    /* Copies a session that another process has opened. MCPW_E_NOT_FOUND: none has. */
    mcpw_status (*adopt)(mcpw_http_server *server, mcpw_str id, mcpw_str principal,
                         mcpw_http_session **http_session);
    /* Extends the lifetime of a session. MCPW_E_NOT_FOUND: it has ended in another process. */
    mcpw_status (*touch)(mcpw_http_session *http_session);
    /* The session has ended, in all processes. */
    void (*ended)(mcpw_http_session *http_session);
    /* Checks the message of an exchange: which part of the record it changes once it is accepted. A
     * notification or a response is passed on to the other processes at once. MCPW_E_SIZE: it is too long for
     * that, and is dropped. */
    mcpw_status (*look_at)(mcpw_http_exchange *exchange);
    /* Records an accepted message and passes it on. If that fails, the client receives an error. */
    mcpw_status (*keep)(const mcpw_http_exchange *exchange);
    /* Sends a message on the session's own stream. */
    void (*send_on_own)(mcpw_http_session *http_session, const mcpw_outgoing *said);
    /* This process, and no other, reads that stream from now on. */
    void (*reads)(const mcpw_http_session *http_session);
    /* Repeats that stream after an event; false: it failed. */
    bool (*repeat)(mcpw_http_session *http_session, uint64_t after);
} mcpw_sharing;

extern const mcpw_sharing mcpw_not_shared;

typedef struct mcpw_sessions {
    const mcpw_sharing *sharing;
    mcpw_session_list lists[MCPW_RESTS];
    mcpw_http_session **buckets;
    size_t bucket_count;      /* a power of two */
    mcpw_http_session *ready; /* the first one in the ready list */
    mcpw_http_store store;
    struct mcpw_events *events; /* the built-in store; NULL: the program has set one */
} mcpw_sessions;

static inline mcpw_str mcpw_http_session_id(const mcpw_http_session *http_session) {
    return (mcpw_str){http_session->id, sizeof http_session->id};
}
static inline const mcpw_sharing *mcpw_sharing_of(const mcpw_http_server *server) {
    return server->sessions->sharing;
}

/* ---- table.c: lookup ---- */

/* Finds a session by its id and principal; NULL: there is none. */
mcpw_http_session *mcpw_sessions_find(const mcpw_http_server *server, mcpw_str id, mcpw_str principal);
mcpw_http_session *mcpw_sessions_find_any(const mcpw_http_server *server, mcpw_str id);
/* Adds a new session to the table, as awake; removes it from the table. */
void mcpw_sessions_put(mcpw_http_session *http_session);
void mcpw_sessions_take_out(mcpw_http_session *http_session);
void mcpw_sessions_unlink(mcpw_http_session *http_session);
/* Changes the state of a session. */
void mcpw_sessions_move(mcpw_http_session *http_session, mcpw_rest rest);
/* Adds a session to the ready list: it may have messages. Removes it from the list. */
void mcpw_http_session_mark_ready(mcpw_http_session *http_session);
void mcpw_http_session_unmark_ready(mcpw_http_session *http_session);
/* A message was handled: its exchange stays until its response was sent, but does not count any more. */
void mcpw_sessions_done(mcpw_http_exchange *exchange);

/* ---- sessions.c: lifetime ---- */

/* Prepares a server for sessions. */
MCPW_NODISCARD bool mcpw_sessions_new(mcpw_http_server *server);
/* Frees all sessions, and calls the handlers of their requests. */
void mcpw_sessions_free(mcpw_http_server *server);
/* Opens a session for a principal; an absent id: a new one is made. MCPW_E_FULL: the maximum is reached;
 * MCPW_E_MEMORY; MCPW_E_STATE: no id can be made. */
MCPW_NODISCARD mcpw_status mcpw_sessions_open(mcpw_http_server *server, mcpw_str id, mcpw_str principal,
                                              mcpw_arena *scratch, mcpw_http_session **http_session);
/* Ends a session: it cannot be found any more, and everything that waits for it is answered. It may be freed
 * at once unless it has exchanges. */
void mcpw_sessions_end(mcpw_http_session *http_session);
/* Removes a session that other processes continue. Without a cluster it ends the session. */
void mcpw_sessions_leave_to_others(mcpw_http_session *http_session);
/* Ends all sessions. */
void mcpw_sessions_end_all(mcpw_http_server *server);
/* Adds an exchange to a session; false: the limit of its role is reached. */
MCPW_NODISCARD bool mcpw_sessions_join(mcpw_http_session *http_session, mcpw_http_exchange *exchange,
                                       mcpw_role_in_session role);
/* Removes an exchange from its session. */
void mcpw_sessions_leave(mcpw_http_exchange *exchange);
/* Updates the state of a session after a change: it may rest, wake or be freed. */
void mcpw_sessions_settle(mcpw_http_session *http_session);
/* Moves the messages of the sessions to their streams. */
void mcpw_sessions_pump(mcpw_http_server *server);
/* Trims or ends the resting sessions whose time is over. mcpw_sessions_deadline returns when to call it. */
void mcpw_sessions_advance(mcpw_http_server *server);
uint64_t mcpw_sessions_deadline(const mcpw_http_server *server);

#endif
