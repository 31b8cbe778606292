/* SPDX-License-Identifier: MIT */
/* What the files of the part on hiredis ask of each other. */
#ifndef MCPW_HTTP_REDIS_INTERNAL_H
#define MCPW_HTTP_REDIS_INTERNAL_H

#include <mcpw/http_redis.h>

#include <async.h>
#include <hiredis.h>

enum { REDIS_INSTANCE = 32 /* digits of the name of a process */ };

/* A connection that is made again when it breaks. */
typedef struct redis_link {
    mcpw_http_redis *redis;
    redisAsyncContext *context; /* NULL: there is none */
    unsigned events;            /* that epoll tells of */
    bool is_ready;              /* what is asked now is sent at once */
    uint64_t due; /* without a context: when to connect. Else: by when it must have said something */
    /* The connection is there; it is lost, with all that was asked. */
    void (*begin)(mcpw_http_redis *redis);
    void (*end)(mcpw_http_redis *redis);
} redis_link;

/* A change that is not in the log yet. */
typedef struct redis_change {
    struct redis_change *next;
    mcpw_change change;
    bool is_sent; /* on this connection, and not confirmed */
    char uri[];
} redis_change;

struct mcpw_http_redis {
    mcpw_http_redis_config config; /* its texts are its own */
    mcpw_http_watch watch;
    int epoll;
    uint64_t now;
    char instance[REDIS_INSTANCE + 1];
    char *log;         /* the key of the log */
    char *last;        /* the id of the last change that was read; NULL: none was */
    redis_link reader; /* waits for changes, so it can be asked nothing else */
    redis_link writer;
    redis_change *changes; /* the oldest first */
    size_t change_count;
};

/* ---- http_redis.c ---- */

/* Something must be said on a link within that time. */
void mcpw_redis_expect(redis_link *link, uint64_t ms);
/* A copy that free takes; NULL: no memory, or there was none. */
char *mcpw_redis_copy(const char *text, size_t len);
/* Gives a connection up that does not do what it should. */
void mcpw_redis_break(redis_link *link);

/* ---- http_redis_news.c ---- */

void mcpw_redis_read_begin(mcpw_http_redis *redis);
void mcpw_redis_read_end(mcpw_http_redis *redis);
void mcpw_redis_write_begin(mcpw_http_redis *redis);
void mcpw_redis_write_end(mcpw_http_redis *redis);
/* A change took place here. user: mcpw_http_redis. */
void mcpw_redis_on_change(void *user, mcpw_change change, mcpw_str uri);
void mcpw_redis_forget_changes(mcpw_http_redis *redis);

#endif
