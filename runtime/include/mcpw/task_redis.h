/* SPDX-License-Identifier: MIT */
/*
 * A store of tasks (<mcpw/tasks.h>) in a Valkey or Redis server (5.0 or newer). It is a part of
 * mcpwire::http_redis, because it needs the same library, hiredis. A server over stdio may use it, too. For
 * POSIX.
 *
 *     store = mcpw_task_redis_new(&config, &error);
 *     ...                                           give it to the server's tasks
 *     mcpw_server_free(server);
 *     mcpw_task_redis_free(store);
 *
 * Any process with the same prefix finds the tasks of all, also after a restart. Each change is one script,
 * so of two processes that replace an entry at once exactly one succeeds, and limits hold for all of them
 * together. An entry expires by the clock of the Valkey server: its time to live is measured when it is
 * created, so clocks of processes may differ.
 *
 * Heartbeat: each store is a worker with a new random name. A thread with a connection of its own keeps the
 * key of the worker alive, whatever other threads do. `read` sets is_orphan when that key is gone: the
 * process has ended, was stopped, or cannot reach the Valkey server for worker_ttl_ms. So the tasks of a
 * process that restarts are orphans. The same thread reads the log of replacements, and calls `hear`. After a
 * broken connection it continues after the last entry. If the log no longer has that, another worker has
 * ended, or a function has failed with MCPW_E_IO before this heartbeat, it calls `hear` without an id.
 *
 * Failures: a function waits at most patience_ms, and then returns MCPW_E_IO. For the next retry_ms, calls
 * fail at once. A list that has failed after its first reply does not cause that. A change that has failed
 * with MCPW_E_IO may have been made nevertheless: a later `replace` of the same version returns MCPW_E_STATE
 * then, and the entry tells which one succeeded. Keys of another type, and entries that are damaged, are
 * MCPW_E_FORMAT; lists leave them out. Entries that are too long are not sent. A reply that announces an
 * array of more than 65536 elements breaks the connection: no command has such a reply.
 *
 * Durability: MCPW_OK means that the Valkey server has the change. It survives a crash of that server only
 * with `appendonly yes` and `appendfsync always`; with `everysec` the last second is lost. To survive the
 * loss of its machine as well, set replicas. Set `maxmemory-policy noeviction`, else tasks vanish when memory
 * runs out.
 *
 * One server has all keys. Redis Cluster is not supported.
 *
 * Threads: the store belongs to the server's thread. It has one thread of its own, and a child of fork() must
 * not use it.
 *
 * Security: anyone who can write to the Valkey server can change any task, and send anything to clients.
 * Protect it by a private address and a password.
 */
#ifndef MCPW_TASK_REDIS_H
#define MCPW_TASK_REDIS_H

#include <mcpw/tasks.h>

MCPW_BEGIN_DECLS

/* How to connect, and limits. Zero and NULL take the default. All processes must have the same limits,
 * because each applies its own when it writes. Initialise with MCPW_TASK_REDIS_CONFIG_INIT. Texts are copied.
 */
typedef struct mcpw_task_redis_config {
    size_t struct_size;     /* set by MCPW_TASK_REDIS_CONFIG_INIT */
    const char *address;    /* in digits, or the path of a Unix socket ("/..."); default "127.0.0.1" */
    uint16_t port;          /* default 6379 */
    const char *user;       /* the user to log in as; NULL: the default user */
    const char *password;   /* NULL: none */
    const char *prefix;     /* the prefix of all keys, one for each service; default "mcpw:" */
    uint64_t patience_ms;   /* ms that a function of the store takes at most; default 250 */
    uint64_t retry_ms;      /* ms until a broken connection is made again; default 500 */
    uint64_t worker_ttl_ms; /* ms until a worker that is not heard of has ended; default 10000, least 300 */
    unsigned replicas;      /* that must have a change before a function returns; default 0 */
    size_t max_tasks;       /* of all owners; default 100000 */
    size_t max_bytes;       /* of the texts of all entries; default 256 MiB */
    size_t max_log;         /* the newest replacements in the log, approximately; default 10000 */
    /* The time in ms since 1970, by which the server's expires_at is meant; NULL: that of the C library. */
    uint64_t (*clock)(void *user);
    void *clock_user; /* passed to clock */
} mcpw_task_redis_config;

/* Everything at its default. */
#define MCPW_TASK_REDIS_CONFIG_INIT MCPW_SIZED(mcpw_task_redis_config)

/* A new store, and its thread. It does not wait for a connection, so a missing Valkey server is detected
 * later. NULL, with error filled in, if memory, descriptors, threads or random numbers run out, or the config
 * is invalid. config may be NULL. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_task_store *mcpw_task_redis_new(const mcpw_task_redis_config *config,
                                                                    mcpw_error *error);
/* Whether the worker of the store is known as alive at present. Any thread may ask. */
MCPW_STATIC_API bool mcpw_task_redis_is_connected(const mcpw_task_store *store);
/* Ends the thread, says that the worker has ended, and frees the store. The servers that use it must be gone.
 * It waits at most patience_ms. Does nothing for NULL. */
MCPW_STATIC_API void mcpw_task_redis_free(mcpw_task_store *store);

MCPW_END_DECLS

#endif
