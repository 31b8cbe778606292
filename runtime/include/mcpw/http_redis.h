/* SPDX-License-Identifier: MIT */
/*
 * A cluster of processes that serve the same clients over HTTP, by a Valkey or Redis server (5.0 or newer).
 * It is a library of its own over hiredis, mcpwire::http_redis, for POSIX.
 *
 *     redis = mcpw_http_redis_new(&config, &error);
 *     http.cluster = mcpw_http_redis_cluster(redis);
 *     http.store = mcpw_http_redis_store(redis);
 *     options.http = &http;
 *     status = mcpw_serve_http(server, &options, &error);
 *
 * Changes of lists and resources, and events of sessions, are written to a log that all processes read (a
 * stream, which is trimmed). After a broken connection, reading continues after the last entry, and entries
 * that could not be written are written once, later. So nothing is lost or doubled as long as it is in the
 * log.
 *
 * The record of a session and its events have keys of their own, which expire. The loop waits for them, at
 * most `patience_ms`. If no answer comes, the request is answered 503, and that session is not looked up
 * again for `retry_ms`. After a second session without an answer, no session is looked up during that time.
 * Sessions that the process has a copy of go on meanwhile. Without sessions (MCPW_HTTP_MODERN) nothing waits.
 * A record that is damaged or too long is not read, and requests of its session are answered 404.
 *
 * Records, events and the log have limits in bytes. If the records reach their limit, a new session is
 * refused with 503. Old events and log entries are dropped for new ones. The writing process applies its own
 * limits, so all processes must have the same.
 *
 * One server has all keys. Redis Cluster is not supported.
 *
 * Threads: all functions belong to the thread of the listener.
 *
 * Security: anyone who can write to the Valkey server can send anything to clients. Protect it by a private
 * address and a password.
 */
#ifndef MCPW_HTTP_REDIS_H
#define MCPW_HTTP_REDIS_H

#include <mcpw/http.h>

MCPW_BEGIN_DECLS

/* The connections of a process. */
typedef struct mcpw_http_redis mcpw_http_redis;

/* How to connect. Zero and NULL take the default. Initialise with MCPW_HTTP_REDIS_CONFIG_INIT. Texts are
 * copied. */
typedef struct mcpw_http_redis_config {
    size_t struct_size;   /* set by MCPW_HTTP_REDIS_CONFIG_INIT */
    const char *address;  /* in digits, or the path of a Unix socket ("/..."); default "127.0.0.1" */
    uint16_t port;        /* default 6379 */
    const char *user;     /* the user to log in as; NULL: the default user */
    const char *password; /* NULL: none */
    const char *prefix;   /* the prefix of all keys, one for each service; default "mcpw:" */
    uint64_t timeout_ms;  /* ms to make a connection or to get an answer; default 2000 */
    uint64_t retry_ms;    /* ms until a broken connection is made again; default 500 */
    uint64_t patience_ms; /* ms that the loop waits for the data of a session; default 250 */
    uint64_t lifetime_ms; /* ms that the events of a session are kept after the last one; default 1800000 */
    size_t max_events;    /* the newest events of a session that are kept for replay; default 256 */
    size_t max_entries;   /* the newest entries in the log, approximately; default 10000 */
    size_t max_bytes;     /* bytes of one entry, and of one kept event; default 256 KiB */
    /* bytes of memory for reading one record; default 1 MiB. max_record_bytes of mcpw_http_config limits the
     * size when it is written. */
    size_t max_session_bytes;
    size_t max_sessions_bytes; /* bytes of the records of all sessions; default 256 MiB */
    size_t max_event_bytes;    /* bytes of the events of one session; default 1 MiB */
    /* bytes of the events of all sessions; default 64 MiB. The session without traffic for longest loses its
     * events first. */
    size_t max_store_bytes;
    size_t max_log_bytes; /* bytes of the log; default 64 MiB */
} mcpw_http_redis_config;

/* Everything at its default. */
#define MCPW_HTTP_REDIS_CONFIG_INIT MCPW_SIZED(mcpw_http_redis_config)

/* Begins to connect. It does not wait for the connection, so a missing server is detected later. Returns
 * NULL, with error filled in, if memory or descriptors run out, or the config is invalid. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_http_redis *mcpw_http_redis_new(const mcpw_http_redis_config *config,
                                                                    mcpw_error *error);
/* The cluster for the mcpw_http_config of one server. It lives as long as redis, which must outlive the
 * server. */
MCPW_STATIC_API const mcpw_http_cluster *mcpw_http_redis_cluster(const mcpw_http_redis *redis);
/* The store of session events, likewise. */
MCPW_STATIC_API const mcpw_http_store *mcpw_http_redis_store(const mcpw_http_redis *redis);
/* Whether the log of the other processes is being read at present. */
MCPW_STATIC_API bool mcpw_http_redis_is_connected(const mcpw_http_redis *redis);
/* Closes the connections. Entries that could not be written are lost. Does nothing for NULL. */
MCPW_STATIC_API void mcpw_http_redis_free(mcpw_http_redis *redis);

MCPW_END_DECLS

#endif
