/* SPDX-License-Identifier: MIT */
/*
 * Tasks of a server: calls of tools that go on after their answer. The client gets a task at once, and asks
 * for its state and its result later.
 *
 *     mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
 *     status = mcpw_server_add_tasks(server, &config, &error);    (before the first tool)
 *     tool.task = MCPW_TASK_OPTIONAL;
 *     status = mcpw_server_add_tool(server, &tool, &error);
 *
 *     static mcpw_status handle(mcpw_request *request, const mcpw_tool_call *call, void *user) {
 *         const mcpw_status status = mcpw_request_detach_as_task(request, NULL);
 *         return status == MCPW_OK ? work(request, call, user) : status;
 *     }
 *
 * One handler serves plain calls and tasks, in both forms that the protocol has for them: that of 2025-11-25,
 * where the client asks for a task, and the extension io.modelcontextprotocol/tasks of 2026-07-28, where the
 * server decides. A task can be read in both. A task runs as a request of its own: its handler runs from its
 * beginning, with the same arguments, and with the answers to all input requests so far. Input requests,
 * progress and the answer of that request go to the task.
 *
 * A store keeps a record of each task. The record is in the store before the client gets the task. A record
 * with a final status (completed, failed, cancelled) never changes. A task that waits for input keeps nothing
 * but its record, and runs again when all its input requests are answered.
 *
 * A task belongs to the principal of its request (mcpw_request_principal). Other principals get the same
 * answer as for an unknown task. Without principals the id of a task is its only protection: it has 128
 * random bits.
 *
 * Threads: as for <mcpw/server.h>. mcpw_request_detach_as_task also works on a thread that has the request.
 *
 * It needs libsodium. A small library (MCPW_SMALL) does not have it. (MCP 2025-11-25, "Tasks"; extension
 * io.modelcontextprotocol/tasks.)
 */
#ifndef MCPW_TASKS_H
#define MCPW_TASKS_H

#include <mcpw/server.h>

MCPW_BEGIN_DECLS

/* ---- Stores -------------------------------------------------------------------------------------------- */

/* Ids of tasks that the server makes, and ids of workers, are hexadecimal digits. */
enum { MCPW_TASK_ID_LEN = 32 /* half a byte each */ };

/* A task as a store sees it. */
typedef struct mcpw_task_entry {
    size_t struct_size; /* set by MCPW_TASK_ENTRY_INIT */
    mcpw_str id;        /* the id; a store takes letters, digits and hyphens, up to 64 bytes */
    mcpw_str principal; /* the owner; absent: there is none. All tasks without an owner count together. */
    /* 1 when the task is created. Each replacement adds 1. */
    uint64_t version;
    uint64_t expires_at; /* when the store forgets it, in ms since 1970; UINT64_MAX: never */
    bool is_final;       /* it must not be replaced any more */
    /* The worker that runs it: 32 hexadecimal digits. Absent: none does. */
    mcpw_str worker;
    /* Set by `read` alone: the worker has ended, or was not heard of in time. */
    bool is_orphan;
    mcpw_str text; /* the record, which the store does not read */
} mcpw_task_entry;

/* Everything absent. */
#define MCPW_TASK_ENTRY_INIT MCPW_SIZED(mcpw_task_entry)

/* The limits of one owner, which a store enforces. Entries that have expired do not count. */
typedef struct mcpw_task_limits {
    size_t count; /* entries */
    size_t bytes; /* of the texts of all entries */
} mcpw_task_limits;

/* Called for each entry that is read. The entry lives during the call. */
typedef void mcpw_take_task(void *user, const mcpw_task_entry *entry);

/* A store of tasks. A store outside of the process lets tasks outlive it, and lets several processes serve
 * the same clients. Its functions are called on the server's thread, which serves no other client meanwhile.
 * So they must give up after a short time, with MCPW_E_IO. They must call nothing of this header. Texts are
 * copied. An entry that has expired is the same as none. */
typedef struct mcpw_task_store {
    size_t struct_size; /* set by MCPW_TASK_STORE_INIT */
    void *self;         /* passed to its functions */
    /* The worker that this process is, 32 random hexadecimal digits. The store keeps it known as alive from
     * its creation to its end, whatever the server's thread does meanwhile. */
    const char *worker;
    /* Keeps a new entry. When it returns MCPW_OK, `read` finds it in every process. MCPW_E_DUPLICATE: there
     * is an entry of this id. MCPW_E_FULL: the owner has too many. MCPW_E_SIZE: their texts are too long. */
    mcpw_status (*create)(void *self, const mcpw_task_entry *entry, const mcpw_task_limits *limits);
    /* Calls `take` once for the entry of an id. MCPW_E_NOT_FOUND: there is none. MCPW_E_SIZE: it is longer
     * than `most` bytes, and was not read. */
    mcpw_status (*read)(void *self, mcpw_str id, size_t most, mcpw_take_task *take, void *user);
    /* Replaces the entry of an id, if the kept one is not final and its version is one less. MCPW_E_STATE: it
     * is final, or has another version. MCPW_E_NOT_FOUND: there is none. MCPW_E_SIZE: the texts of its owner
     * are too long. The owner of an entry never changes. */
    mcpw_status (*replace)(void *self, const mcpw_task_entry *entry, const mcpw_task_limits *limits);
    /* Calls `take` for at most `count` entries of an owner, the newest first, beginning after the entry of
     * `after` (absent: with the newest). MCPW_E_NOT_FOUND: the owner has no such entry to begin after.
     * Entries that are longer than `most` bytes are left out. After MCPW_E_IO the page of the client ends
     * after the entries that were taken, if there are any. */
    mcpw_status (*list)(void *self, mcpw_str principal, mcpw_str after, size_t count, size_t most,
                        mcpw_take_task *take, void *user);
    /* Removes an entry, if there is one. */
    mcpw_status (*remove)(void *self, mcpw_str id);
    /* Sets `hear`, which is called when another process has replaced an entry. An absent id: replacements
     * were missed, of any entries, or a worker has ended, or the store works again after MCPW_E_IO. The call
     * may come from any thread. NULL: no more calls; afterwards none is under way. A store of one process
     * leaves this NULL. */
    void (*follow)(void *self, void (*hear)(void *user, mcpw_str id), void *user);
} mcpw_task_store;

/* Everything absent. */
#define MCPW_TASK_STORE_INIT MCPW_SIZED(mcpw_task_store)

/* A store in memory. Initialise with MCPW_TASK_MEMORY_CONFIG_INIT. */
typedef struct mcpw_task_memory_config {
    size_t struct_size;            /* set by MCPW_TASK_MEMORY_CONFIG_INIT */
    size_t max_tasks;              /* of all owners; default 100000 */
    size_t max_bytes;              /* of the texts of all entries; default 256 MiB */
    uint64_t (*clock)(void *user); /* the time in ms since 1970; NULL: that of the C library */
    void *user;                    /* passed to clock */
    mcpw_allocator allocator;      /* for the store and its entries */
} mcpw_task_memory_config;

/* Everything at its default. */
#define MCPW_TASK_MEMORY_CONFIG_INIT MCPW_SIZED(mcpw_task_memory_config)

/* A new store in memory; config may be NULL. NULL, with error filled in, if memory or random numbers are
 * missing. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_task_store *mcpw_task_memory_new(const mcpw_task_memory_config *config,
                                                                      mcpw_error *error);
/* Frees a store in memory. The servers that use it must be gone. Does nothing for NULL. */
MCPW_SESSION_API void mcpw_task_memory_free(mcpw_task_store *store);

/* ---- Servers ------------------------------------------------------------------------------------------- */

/* How a server keeps tasks. Zero and NULL take the default. Initialise with MCPW_TASKS_CONFIG_INIT. */
typedef struct mcpw_tasks_config {
    size_t struct_size;           /* set by MCPW_TASKS_CONFIG_INIT */
    const mcpw_task_store *store; /* must outlive the server; NULL: a store in memory, of this server alone */
    /* ms from its creation after which a task is forgotten, unless the client or the handler chooses; default
     * 3600000, and at most max_ttl_ms */
    uint64_t ttl_ms;
    uint64_t max_ttl_ms;       /* longest that they may choose; default 86400000 */
    uint64_t poll_interval_ms; /* ms that clients should wait between two polls; default 1000 */
    size_t max_tasks;          /* tasks of one principal that are kept; default 1000 */
    size_t max_bytes;          /* bytes of the records of one principal, results included; default 64 MiB */
    size_t max_record_bytes;   /* bytes of one record; default 16 MiB. A longer result makes the task fail. */
    size_t max_running;        /* tasks that run at once; more wait for their turn; default 256 */
    /* 2025-11-25: announces and answers tasks/list. Set it only if every session has a principal; a request
     * without one is answered with the error -32601. Off by default. */
    mcpw_switch lists;
    size_t page_size;              /* tasks in a page of tasks/list; default 50 */
    uint64_t (*clock)(void *user); /* the time in ms since 1970; NULL: that of the C library */
    void *user;               /* passed to clock; it is also the user of the sessions that tasks run in */
    mcpw_allocator allocator; /* for all memory besides the store */
    /* Scopes that requests about tasks, and subscriptions to them, need over HTTP, separated by spaces; NULL:
     * none (<mcpw/http_protect.h>). It is copied. */
    const char *scopes;
    size_t max_view_bytes; /* bytes of answers to tasks/get that are kept ready; default 1 MiB; 1: none are */
} mcpw_tasks_config;

/* Everything at its default. */
#define MCPW_TASKS_CONFIG_INIT MCPW_SIZED(mcpw_tasks_config)

/* Makes a server keep tasks. config may be NULL. The call fails, and changes nothing, if:
 *   - MCPW_E_ARGUMENT: the config is invalid.
 *   - MCPW_E_DUPLICATE: the server keeps tasks already, or has a method of the same name.
 *   - MCPW_E_STATE: the server has sessions, or the library has no libsodium.
 *   - MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_server_add_tasks(mcpw_server *server,
                                                                  const mcpw_tasks_config *config,
                                                                  mcpw_error *error);

/* Options of one task. Zero and NULL take the default. Initialise with MCPW_TASK_OPTIONS_INIT. */
typedef struct mcpw_task_options {
    size_t struct_size;         /* set by MCPW_TASK_OPTIONS_INIT */
    uint64_t ttl_ms;            /* ms from its creation after which it is forgotten */
    uint64_t poll_interval_ms;  /* ms that its client should wait between two polls */
    const char *status_message; /* for people; NULL: none */
} mcpw_task_options;

/* Everything at its default. */
#define MCPW_TASK_OPTIONS_INIT MCPW_SIZED(mcpw_task_options)

/* Makes the call of a tool a task, if the tool and its client allow that. The handler calls it before it
 * acts, but it may make input requests before. options may be NULL.
 *
 *   - MCPW_OK: the handler goes on. It runs as a task, or it serves a plain call.
 *   - MCPW_PENDING: the request has been answered, so the handler returns this status. The client has either
 *     a task, as which the handler runs again, or an error: its principal has too many tasks, or the store
 *     has failed.
 *   - MCPW_E_STATE: no handler of a tool runs, or its server keeps no tasks. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_request_detach_as_task(mcpw_request *request,
                                                                        const mcpw_task_options *options);

/* The id of the task that a request runs as; absent: it is a plain call. It lives as long as the request. */
MCPW_SESSION_API mcpw_str mcpw_request_task(mcpw_request *request);
/* Sets the status message of that task (statusMessage), which is for people; NULL: none. It does nothing for
 * a plain call. MCPW_E_UTF8: it is not UTF-8. MCPW_E_CANCELLED: the task has been cancelled. Other statuses
 * are those of the store. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_request_set_task_message(mcpw_request *request,
                                                                          const char *message);

MCPW_END_DECLS

#endif
