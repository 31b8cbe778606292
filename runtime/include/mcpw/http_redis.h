/* SPDX-License-Identifier: MIT */
/*
 * What processes share that serve the same over HTTP, by a server of Valkey or Redis (5.0 or newer); a
 * library of its own over hiredis, mcpwire::http_redis. Linux.
 *
 *     config.server = server;
 *     redis = mcpw_http_redis_new(&config, &error);
 *     options.watch = mcpw_http_redis_watch(redis);
 *     status = mcpw_serve_http(server, &options, &error);
 *
 * A change of a server's lists and resources is told to the clients of every process. Each change is written
 * to a log that all of them read (a stream, which is trimmed). Where a connection breaks, reading goes on
 * behind the last change that was read, and what could not be written is written later. So none is lost, as
 * long as the log holds it. One may come twice if a connection breaks before the log has confirmed it.
 *
 * Nothing here waits: without the server each process tells its own clients alone, and tries again.
 *
 * Threads: all functions belong to the thread of the listener. Who can write to the Valkey server can say
 * anything to clients; keep it to yourself, by an address that is not public and by a password.
 */
#ifndef MCPW_HTTP_REDIS_H
#define MCPW_HTTP_REDIS_H

#include <mcpw/http.h>
#include <mcpw/server.h>

MCPW_BEGIN_DECLS

/* The connections of a process. */
typedef struct mcpw_http_redis mcpw_http_redis;

/* What to connect to. Zero and NULL take the default. Initialise with MCPW_HTTP_REDIS_CONFIG_INIT. Texts are
 * copied. */
typedef struct mcpw_http_redis_config {
    size_t struct_size;   /* set by MCPW_HTTP_REDIS_CONFIG_INIT */
    mcpw_server *server;  /* required: whose changes are shared; it must live as long */
    const char *address;  /* in digits, or the path of a Unix socket ("/..."); default "127.0.0.1" */
    uint16_t port;        /* default 6379 */
    const char *user;     /* to log in as; NULL: the one without a name */
    const char *password; /* NULL: it wants none */
    const char *prefix;   /* what the names of keys begin with: one for each service; default "mcpw:" */
    uint64_t timeout;     /* ms for a connection to be made, or an answer to come; default 2000 */
    uint64_t retry;       /* ms until a connection that broke is made again; default 500 */
    size_t max_changes;   /* in the log, the newest, about; default 10000 */
} mcpw_http_redis_config;

/* Everything at its default. */
#define MCPW_HTTP_REDIS_CONFIG_INIT                                                                          \
    { sizeof(mcpw_http_redis_config), NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0 }

/* Begins to connect, and hears of the server's changes from now on (mcpw_server_on_change). Whether anybody
 * is there is found out later. NULL with error filled in when memory or descriptors run out, or the config
 * cannot be used. */
MCPW_NODISCARD MCPW_API mcpw_http_redis *mcpw_http_redis_new(const mcpw_http_redis_config *config,
                                                             mcpw_error *error);
/* What the loop waits for: mcpw_http_serve_options.watch, or another's. It lives as long as redis. */
MCPW_API const mcpw_http_watch *mcpw_http_redis_watch(const mcpw_http_redis *redis);
/* Whether the changes of others are read at present. */
MCPW_API bool mcpw_http_redis_is_connected(const mcpw_http_redis *redis);
/* Closes the connections. Changes that could not be written are lost. Does nothing for NULL. */
MCPW_API void mcpw_http_redis_free(mcpw_http_redis *redis);

MCPW_END_DECLS

#endif
