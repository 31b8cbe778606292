/* SPDX-License-Identifier: MIT */
/* The interface between the files of the store of tasks on hiredis. */
#ifndef MCPW_TASK_REDIS_INTERNAL_H
#define MCPW_TASK_REDIS_INTERNAL_H

#include <mcpw/task_redis.h>

#include <hiredis.h>
#include <pthread.h>
#include <stdatomic.h>

enum {
    TASK_REDIS_HASH = 41,           /* of a script, in digits of base 16, with its NUL */
    TASK_REDIS_LOG_ID = 48,         /* room for the id of an entry of the log */
    TASK_REDIS_LONGEST_ID = 64,     /* bytes of the id of a task or worker */
    TASK_REDIS_LONGEST_OWNER = 8192 /* bytes of a principal */
};

/* The scripts: one changes entries, one reads them. */
enum { TASK_WRITE, TASK_LOOK, TASK_SCRIPTS };

/* A command whose words may hold any bytes. It is not copied while it is in use. */
enum { TASK_REDIS_WORDS = 24, TASK_REDIS_NUMBER = 24 };
typedef struct task_command {
    const char *words[TASK_REDIS_WORDS];
    size_t lens[TASK_REDIS_WORDS];
    char numbers[TASK_REDIS_WORDS][TASK_REDIS_NUMBER];
    int count;
} task_command;

/* A connection that one thread uses. A question on it has an end, whatever the server sends. */
typedef struct task_wire {
    const mcpw_task_redis_config *config;
    redisContext *context;             /* NULL: there is no connection */
    redisReplyObjectFunctions limited; /* of its reader */
    int wake;                          /* a descriptor that ends each wait when it can be read; -1: none */
    redisReply *reply;                 /* the last one, until the next question */
    bool is_too_long;                  /* the last reply was longer than allowed */
} task_wire;

typedef struct task_redis {
    mcpw_task_store store;
    mcpw_task_redis_config config; /* its texts are its own */
    char worker[MCPW_TASK_ID_LEN + 1];
    char *log;                                  /* the key of the log of replacements */
    char *worker_key;                           /* the key that says that this worker is alive */
    char *workers;                              /* the key of all workers by their last heartbeats */
    task_wire wire;                             /* of the server's thread */
    char hashes[TASK_SCRIPTS][TASK_REDIS_HASH]; /* of the scripts; empty: it was not loaded */
    uint64_t asked_again;                       /* nothing is asked before, in ms of mcpw_io_now */

    pthread_t thread;
    bool has_thread;
    int wake; /* an eventfd that ends the thread */
    task_wire beat;
    uint64_t next_beat;           /* in ms of mcpw_io_now */
    uint64_t last_beat;           /* in ms of the Valkey server; 0: there was none */
    char last[TASK_REDIS_LOG_ID]; /* the id of the last entry of the log that was read; empty: none was */
    uint64_t last_number;         /* and its number */
    bool has_missed;              /* the server has to be told so */
    atomic_bool has_failed;       /* a function of the store has failed since the last heartbeat */
    atomic_bool is_alive;         /* the key of the worker was set in time */
    pthread_mutex_t lock;         /* of the following, and held while hear is called */
    void (*hear)(void *user, mcpw_str id);
    void *hearer;
} task_redis;

/* ---- task_redis_wire.c ---- */

void mcpw_task_redis_add(task_command *command, mcpw_str word);
void mcpw_task_redis_add_text(task_command *command, const char *word);
void mcpw_task_redis_add_number(task_command *command, uint64_t number);

/* Makes a connection, unless there is one that works, and logs in. end: in ms of mcpw_io_now. */
MCPW_NODISCARD bool mcpw_task_redis_open(task_wire *wire, uint64_t end);
/* The reply to a command, at most so many bytes; NULL: there is none in time, and the connection is closed.
 * It lives until the next question. */
const redisReply *mcpw_task_redis_ask(task_wire *wire, const task_command *command, size_t most,
                                      uint64_t end);
void mcpw_task_redis_close(task_wire *wire);

/* ---- task_redis_reply.c ---- */

bool mcpw_task_redis_is_text(const redisReply *reply);
bool mcpw_task_redis_is_array(const redisReply *reply, size_t least);
/* A number in decimal digits, without leading zeros. */
bool mcpw_task_redis_number(const redisReply *reply, uint64_t *out);
/* Whether a text may be the id of a task or worker. */
bool mcpw_task_redis_is_id(mcpw_str text);
/* The status that the reply of the script stands for, if it is no array. */
mcpw_status mcpw_task_redis_status(const redisReply *reply);
/* Fills in an entry from the reply of the script, whose texts it refers to. MCPW_E_FORMAT: it is damaged. */
mcpw_status mcpw_task_redis_entry(const redisReply *reply, mcpw_str id, mcpw_task_entry *entry);

/* ---- task_redis_script.c ---- */

extern const char *const mcpw_task_redis_scripts[TASK_SCRIPTS];

/* ---- task_redis_beat.c ---- */

/* The thread that keeps the worker known, and reads the log. */
MCPW_NODISCARD bool mcpw_task_redis_start(task_redis *redis);
/* Ends it. */
void mcpw_task_redis_stop(task_redis *redis);

#endif
