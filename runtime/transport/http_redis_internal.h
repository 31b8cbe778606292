/* SPDX-License-Identifier: MIT */
/* The interface between the files of the part on hiredis. */
#ifndef MCPW_HTTP_REDIS_INTERNAL_H
#define MCPW_HTTP_REDIS_INTERNAL_H

#include "os_set.h"

#include <mcpw/http_redis.h>

#include <async.h>
#include <hiredis.h>
#include <signal.h>

enum { REDIS_DOUBTED = 64 /* characters of a session's id, and more */ };

/* A connection that is made again when it breaks. */
typedef struct redis_link {
    mcpw_http_redis *redis;
    redisAsyncContext *context;        /* NULL: there is none */
    redisReplyObjectFunctions limited; /* of its reader */
    unsigned events;                   /* that the set reports */
    bool is_ready;                     /* what is asked now is sent at once */
    uint64_t due; /* without a context: when to connect. Else: by when it must have said something */
    /* The connection is there; it is lost, with all that was asked. */
    void (*begin)(mcpw_http_redis *redis);
    void (*end)(mcpw_http_redis *redis);
} redis_link;

/* An entry that is not in the log yet. */
typedef struct redis_entry {
    struct redis_entry *next;
    uint64_t number; /* among those of this process */
    bool is_sent;    /* on this connection, and not confirmed */
    size_t len;
    char text[];
} redis_entry;

struct mcpw_http_redis {
    mcpw_http_redis_config config; /* its texts are its own */
    mcpw_http_watch watch;
    mcpw_http_cluster cluster;
    mcpw_http_store store;
    mcpw_os_set *set;
    uint64_t now;
    char *log;         /* the key of the log */
    char *bytes;       /* that of the bytes in the log */
    char *written;     /* that of the number of the last entry of this process that is in the log */
    char *last;        /* the id of the last entry that was read; NULL: none was */
    redis_link reader; /* waits for entries, so it can be asked nothing else */
    redis_link writer;
    redis_entry *entries; /* the oldest first */
    size_t entry_count;
    uint64_t last_entry;           /* the number of the newest */
    mcpw_http_entry_handler *hear; /* NULL: none */
    void *hearer;
    size_t entry_bytes;                /* of those that wait */
    redisContext *asked;               /* what is asked while the loop waits; NULL: there is no connection */
    redisReplyObjectFunctions limited; /* of its reader */
    uint64_t asked_again;              /* nothing is asked before */
    char doubted[REDIS_DOUBTED];       /* the session that got no answer last, */
    size_t doubted_len;
    uint64_t doubted_until; /* and when it is asked for again */
};

/* The handler of SIGPIPE before. */
typedef struct redis_guard {
    sigset_t before;
    bool was_pending;
} redis_guard;

/* ---- http_redis_common.c ---- */

/* Between these nobody is sent SIGPIPE because the other end of a connection is gone: hiredis writes without
 * a flag against that. */
void mcpw_redis_guard(redis_guard *guard);
void mcpw_redis_unguard(const redis_guard *guard);

/* Makes a reader refuse arrays that are longer than any that is asked for. `limited` must outlive it. */
void mcpw_redis_limit(redisReader *reader, redisReplyObjectFunctions *limited);

/* Something must be said on a link within that time. */
void mcpw_redis_expect(redis_link *link, uint64_t ms);
/* A copy that free takes; NULL: no memory, or there was none. */
char *mcpw_redis_copy(const char *text, size_t len);

/* ---- http_redis_log.c ---- */

void mcpw_redis_read_begin(mcpw_http_redis *redis);
void mcpw_redis_read_end(mcpw_http_redis *redis);
void mcpw_redis_write_begin(mcpw_http_redis *redis);
void mcpw_redis_write_end(mcpw_http_redis *redis);
/* Functions of the cluster. */
mcpw_status mcpw_redis_say(void *self, mcpw_str entry);
void mcpw_redis_follow(void *self, mcpw_http_entry_handler *hear, void *user);
void mcpw_redis_forget_entries(mcpw_http_redis *redis);
/* The number of an entry, by its id; 0: it is none. */
uint64_t mcpw_redis_entry_number(const char *id);

/* ---- http_redis_sessions.c, http_redis_events.c ---- */

/* Fill in what is asked of records of sessions; of their events, and of the log. */
void mcpw_redis_set_sessions(mcpw_http_redis *redis);
void mcpw_redis_set_events(mcpw_http_redis *redis);

/* ---- http_redis_ask.c ---- */

/* Closes the connection by which something is asked. */
void mcpw_redis_stop_asking(mcpw_http_redis *redis);

#endif
