/* SPDX-License-Identifier: MIT */
/*
 * A cluster of processes that serve the same clients over HTTP, by a server of Valkey or Redis (5.0 or
 * newer); a library of its own over hiredis, mcpwire::http_redis. Linux.
 *
 *     redis = mcpw_http_redis_new(&config, &error);
 *     http.cluster = mcpw_http_redis_cluster(redis);
 *     http.store = mcpw_http_redis_store(redis);
 *     options.http = &http;
 *     status = mcpw_serve_http(server, &options, &error);
 *
 * Changes of lists and resources, and what concerns sessions, are written to a log that all processes read (a
 * stream, which is trimmed). Where a connection breaks, reading goes on behind the last entry that was read,
 * and what could not be written is written later, once. So nothing is lost or doubled, as long as the log
 * holds it.
 *
 * The record of a session, and its events, are kept under keys of their own, which expire. They are asked for
 * while the loop waits, for `patience` ms at most. If no answer comes, the request is answered 503, and
 * that session is not asked for again for `retry` ms. After a second session without an answer, none is asked
 * for during that time.
 * Sessions that a process has a copy of go on meanwhile. Without sessions (MCPW_HTTP_MODERN) nothing waits at
 * all. A record that is damaged or too long is not read: requests of its session are answered 404.
 *
 * All of it has a limit in bytes. When records reach theirs, a new session is refused by 503. Events and
 * entries of the log make room for newer ones. The limits are those of the process that writes, so all
 * processes have the same.
 *
 * One server has all keys: nodes of a Redis Cluster are not spoken to.
 *
 * Threads: all functions belong to the thread of the listener. Who can write to the Valkey server can say
 * anything to clients; keep it to yourself, by an address that is not public and by a password.
 */
#ifndef MCPW_HTTP_REDIS_H
#define MCPW_HTTP_REDIS_H

#include <mcpw/http.h>

MCPW_BEGIN_DECLS

/* The connections of a process. */
typedef struct mcpw_http_redis mcpw_http_redis;

/* What to connect to. Zero and NULL take the default. Initialise with MCPW_HTTP_REDIS_CONFIG_INIT. Texts are
 * copied. */
typedef struct mcpw_http_redis_config {
    size_t struct_size;        /* set by MCPW_HTTP_REDIS_CONFIG_INIT */
    const char *address;       /* in digits, or the path of a Unix socket ("/..."); default "127.0.0.1" */
    uint16_t port;             /* default 6379 */
    const char *user;          /* to log in as; NULL: the one without a name */
    const char *password;      /* NULL: it wants none */
    const char *prefix;        /* what the names of keys begin with: one for each service; default "mcpw:" */
    uint64_t timeout;          /* ms for a connection to be made, or an answer to come; default 2000 */
    uint64_t retry;            /* ms until a connection that broke is made again; default 500 */
    uint64_t patience;         /* ms that the loop waits for what is asked of a session; default 250 */
    uint64_t lifetime;         /* ms that the events of a session are kept after the last; default 1800000 */
    size_t max_events;         /* of a session that are kept to be asked for again, the newest; default 256 */
    size_t max_entries;        /* in the log, the newest, about; default 10000 */
    size_t max_bytes;          /* of one of these, and of an event that is kept; default 256 KiB */
    size_t max_session_bytes;  /* of memory that a record may take to be read; default 1 MiB.
                                  max_record_bytes of mcpw_http_config bounds what is written */
    size_t max_sessions_bytes; /* of the records of all sessions; default 256 MiB */
    size_t max_event_bytes;    /* of the events of one session; default 1 MiB */
    size_t max_store_bytes;    /* of the events of all sessions; default 64 MiB. Those go first whose session
                                  was silent for longest */
    size_t max_log_bytes;      /* of the log; default 64 MiB */
} mcpw_http_redis_config;

/* Everything at its default. */
#define MCPW_HTTP_REDIS_CONFIG_INIT MCPW_SIZED(mcpw_http_redis_config)

/* Begins to connect. Whether anybody is there is found out later. NULL with error filled in when memory or
 * descriptors run out, or the config cannot be used. */
MCPW_NODISCARD MCPW_API mcpw_http_redis *mcpw_http_redis_new(const mcpw_http_redis_config *config,
                                                             mcpw_error *error);
/* For the mcpw_http_config of one server. It lives as long as redis, which must outlive the server. */
MCPW_API const mcpw_http_cluster *mcpw_http_redis_cluster(const mcpw_http_redis *redis);
/* Likewise: where events of sessions are kept. */
MCPW_API const mcpw_http_store *mcpw_http_redis_store(const mcpw_http_redis *redis);
/* Whether what others write to the log is read at present. */
MCPW_API bool mcpw_http_redis_is_connected(const mcpw_http_redis *redis);
/* Closes the connections. Entries that could not be written are lost. Does nothing for NULL. */
MCPW_API void mcpw_http_redis_free(mcpw_http_redis *redis);

MCPW_END_DECLS

#endif
