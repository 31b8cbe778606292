/* SPDX-License-Identifier: MIT */
/* Connections by hiredis: made, watched by one set, and made again. */
#define _GNU_SOURCE
#include "http_redis_internal.h"

#include <mcpw/io.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { DEFAULT_PORT = 6379, DEFAULT_TIMEOUT = 2000, DEFAULT_RETRY = 500, DEFAULT_PATIENCE = 250 };
enum { DEFAULT_LIFETIME = 1800000, DEFAULT_EVENTS = 256, DEFAULT_ENTRIES = 10000, DEFAULT_BYTES = 1 << 18 };
enum { DEFAULT_SESSION_BYTES = 1 << 20, DEFAULT_SESSIONS_BYTES = 1 << 28, DEFAULT_EVENT_BYTES = 1 << 20 };
enum { DEFAULT_STORE_BYTES = 1 << 26, DEFAULT_LOG_BYTES = 1 << 26 };
enum { MOST_EVENTS = 2 /* the links */ };

/* ---- What hiredis asks of a loop ----------------------------------------------------------------------- */

/* A context that closes its connection gets no more callbacks. */
static void want(redis_link *link, unsigned events) {
    if (link->events == events) {
        return;
    }
    if (events == 0) {
        mcpw_os_set_drop(link->redis->set, link->context->c.fd);
    } else { /* a failure becomes a timeout */
        (void)!mcpw_os_set_put(link->redis->set, link->context->c.fd, events, (uintptr_t)link);
    }
    link->events = events;
}

static void add_read(void *self) { want(self, ((redis_link *)self)->events | MCPW_SET_IN); }
static void stop_read(void *self) { want(self, ((redis_link *)self)->events & ~(unsigned)MCPW_SET_IN); }
static void add_write(void *self) { want(self, ((redis_link *)self)->events | MCPW_SET_OUT); }
static void stop_write(void *self) { want(self, ((redis_link *)self)->events & ~(unsigned)MCPW_SET_OUT); }

/* The context is freed. */
static void cleanup(void *self) {
    redis_link *const link = self;
    want(link, 0);
    link->context = NULL;
    link->is_ready = false;
    mcpw_redis_expect(link, link->redis->config.retry_ms);
    link->end(link->redis);
}

/* ---- Links --------------------------------------------------------------------------------------------- */

/* Gives a connection up that does not do what it should. */
static void break_link(redis_link *link) {
    if (link->context != NULL) {
        redisAsyncFree(link->context);
    }
}

static void on_login(redisAsyncContext *context, void *reply, void *self) {
    redis_link *const link = self;
    const redisReply *const said = reply;
    if (said == NULL) {
        return; /* the connection is lost */
    }
    if (said->type == REDIS_REPLY_ERROR) {
        redisAsyncDisconnect(context); /* it is tried again: a password may be set later */
        return;
    }
    link->is_ready = true;
    link->begin(link->redis);
}

static void on_connect(const redisAsyncContext *context, int status) {
    redis_link *const link = context->data;
    const mcpw_http_redis_config *const config = &link->redis->config;
    int asked;
    if (status != REDIS_OK) {
        return; /* hiredis frees it */
    }
    if (config->password == NULL) {
        asked = redisAsyncCommand(link->context, on_login, link, "PING");
    } else if (config->user == NULL) {
        asked = redisAsyncCommand(link->context, on_login, link, "AUTH %s", config->password);
    } else {
        asked =
            redisAsyncCommand(link->context, on_login, link, "AUTH %s %s", config->user, config->password);
    }
    if (asked == REDIS_OK) {
        mcpw_redis_expect(link, config->timeout_ms);
    } /* else its time ends */
}

static void make_context(redis_link *link) {
    const mcpw_http_redis_config *const config = &link->redis->config;
    redisAsyncContext *const context = *config->address == '/'
                                           ? redisAsyncConnectUnix(config->address)
                                           : redisAsyncConnect(config->address, config->port);
    mcpw_redis_expect(link, config->retry_ms);
    if (context == NULL || context->err != 0) {
        if (context != NULL) {
            redisAsyncFree(context);
        }
        return;
    }
    link->context = context;
    mcpw_redis_limit(context->c.reader, &link->limited);
    context->data = link;
    context->ev.data = link;
    context->ev.addRead = add_read;
    context->ev.delRead = stop_read;
    context->ev.addWrite = add_write;
    context->ev.delWrite = stop_write;
    context->ev.cleanup = cleanup;
    mcpw_redis_expect(link, config->timeout_ms);
    (void)redisAsyncSetConnectCallback(context, on_connect); /* which begins to wait for it */
}

static void look_at_time(redis_link *link) {
    if (link->redis->now < link->due) {
        return;
    }
    break_link(link);
    if (link->redis->now >= link->due) {
        make_context(link);
    }
}

/* ---- The loop ------------------------------------------------------------------------------------------ */

static void run(void *self, uint64_t now) {
    mcpw_http_redis *const redis = self;
    mcpw_os_ready ready[MOST_EVENTS];
    redis_guard guard;
    const size_t count = mcpw_os_set_take(redis->set, ready, MOST_EVENTS, 0);
    redis->now = now;
    mcpw_redis_guard(&guard);
    for (size_t i = 0; i < count; i++) {
        redis_link *const link = (redis_link *)ready[i].who; /* as it was put */
        if (link->context != NULL && (ready[i].events & (MCPW_SET_BROKEN | MCPW_SET_IN)) != 0) {
            redisAsyncHandleRead(link->context);
        }
        if (link->context != NULL && (ready[i].events & MCPW_SET_OUT) != 0) {
            redisAsyncHandleWrite(link->context);
        }
    }
    look_at_time(&redis->reader);
    look_at_time(&redis->writer);
    mcpw_redis_unguard(&guard);
    mcpw_os_set_settle(redis->set);
}

static uint64_t deadline(const void *self) {
    const mcpw_http_redis *const redis = self;
    return redis->reader.due < redis->writer.due ? redis->reader.due : redis->writer.due;
}

/* ---- All of it ----------------------------------------------------------------------------------------- */

static bool copy_text(const char **text) {
    if (*text != NULL) {
        *text = mcpw_redis_copy(*text, strlen(*text));
        return *text != NULL;
    }
    return true;
}

static size_t size_or(size_t value, size_t otherwise) { return value != 0 ? value : otherwise; }

static bool copy_config(mcpw_http_redis *redis, const mcpw_http_redis_config *given) {
    mcpw_http_redis_config *const config = &redis->config;
    config->struct_size = sizeof *config;
    config->address = given->address != NULL ? given->address : "127.0.0.1";
    config->user = given->user;
    config->password = given->password;
    config->prefix = given->prefix != NULL ? given->prefix : "mcpw:";
    config->port = given->port != 0 ? given->port : DEFAULT_PORT;
    config->timeout_ms = given->timeout_ms != 0 ? given->timeout_ms : DEFAULT_TIMEOUT;
    config->retry_ms = given->retry_ms != 0 ? given->retry_ms : DEFAULT_RETRY;
    config->patience_ms = given->patience_ms != 0 ? given->patience_ms : DEFAULT_PATIENCE;
    config->lifetime_ms = given->lifetime_ms != 0 ? given->lifetime_ms : DEFAULT_LIFETIME;
    config->max_events = given->max_events != 0 ? given->max_events : DEFAULT_EVENTS;
    config->max_entries = given->max_entries != 0 ? given->max_entries : DEFAULT_ENTRIES;
    config->max_bytes = given->max_bytes != 0 ? given->max_bytes : DEFAULT_BYTES;
    config->max_session_bytes = size_or(given->max_session_bytes, DEFAULT_SESSION_BYTES);
    config->max_sessions_bytes = size_or(given->max_sessions_bytes, DEFAULT_SESSIONS_BYTES);
    config->max_event_bytes = size_or(given->max_event_bytes, DEFAULT_EVENT_BYTES);
    config->max_store_bytes = size_or(given->max_store_bytes, DEFAULT_STORE_BYTES);
    config->max_log_bytes = size_or(given->max_log_bytes, DEFAULT_LOG_BYTES);
    bool done = copy_text(&config->address);
    done = copy_text(&config->user) && done;
    done = copy_text(&config->password) && done;
    done = copy_text(&config->prefix) && done;
    return done;
}

/* A key; NULL: no memory. */
static char *make_key(const mcpw_http_redis *redis, const char *what, uint32_t process) {
    enum { NUMBER_TEXT = 12 };
    const size_t size = strlen(redis->config.prefix) + strlen(what) + NUMBER_TEXT;
    char *const key = malloc(size);
    if (key != NULL && process != 0) {
        (void)snprintf(key, size, "%s%s%u", redis->config.prefix, what, (unsigned)process);
    } else if (key != NULL) {
        (void)snprintf(key, size, "%s%s", redis->config.prefix, what);
    }
    return key;
}

static bool make_keys(mcpw_http_redis *redis) {
    redis->log = make_key(redis, "log", 0);
    redis->written = make_key(redis, "written:", redis->cluster.number);
    redis->bytes = make_key(redis, "log:bytes", 0);
    return redis->log != NULL && redis->written != NULL && redis->bytes != NULL;
}

/* The number of this process is any of 32 bits: no two have the same, but by a great chance. */
static bool set_cluster(mcpw_http_redis *redis) {
    mcpw_http_cluster *const cluster = &redis->cluster;
    cluster->self = redis;
    cluster->say = mcpw_redis_say;
    cluster->follow = mcpw_redis_follow;
    cluster->watch = &redis->watch;
    mcpw_redis_set_sessions(redis);
    mcpw_redis_set_events(redis);
    while (cluster->number == 0) {
        if (getrandom(&cluster->number, sizeof cluster->number, 0) != (ssize_t)sizeof cluster->number) {
            return false;
        }
    }
    return true;
}

static redis_link make_link(mcpw_http_redis *redis, void (*begin)(mcpw_http_redis *),
                            void (*end)(mcpw_http_redis *)) {
    return (redis_link){.redis = redis, .due = redis->now, .begin = begin, .end = end};
}

mcpw_http_redis *mcpw_http_redis_new(const mcpw_http_redis_config *config, mcpw_error *error) {
    mcpw_http_redis_config given = MCPW_HTTP_REDIS_CONFIG_INIT;
    int number = 0;
    if (config == NULL || !MCPW_TAKE(&given, max_log_bytes, config)) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                       "the config was not initialised with MCPW_HTTP_REDIS_CONFIG_INIT");
        return NULL;
    }
    mcpw_http_redis *const redis = calloc(1, sizeof *redis);
    if (redis == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return NULL;
    }
    redis->set = mcpw_os_set_new(&number);
    redis->now = mcpw_io_now();
    redis->watch =
        (mcpw_http_watch){redis, redis->set != NULL ? mcpw_os_set_handle(redis->set) : -1, run, deadline};
    redis->reader = make_link(redis, mcpw_redis_read_begin, mcpw_redis_read_end);
    redis->writer = make_link(redis, mcpw_redis_write_begin, mcpw_redis_write_end);
    if (redis->watch.descriptor < 0 || !set_cluster(redis)) {
        mcpw_error_set(error, MCPW_E_IO, 0, "cannot watch connections: %s", strerror(number));
        mcpw_http_redis_free(redis);
        return NULL;
    }
    if (!copy_config(redis, &given) || !make_keys(redis)) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        mcpw_http_redis_free(redis);
        return NULL;
    }
    run(redis, redis->now);
    return redis;
}

const mcpw_http_cluster *mcpw_http_redis_cluster(const mcpw_http_redis *redis) { return &redis->cluster; }

const mcpw_http_store *mcpw_http_redis_store(const mcpw_http_redis *redis) { return &redis->store; }

bool mcpw_http_redis_is_connected(const mcpw_http_redis *redis) {
    return redis->reader.is_ready && redis->last != NULL;
}

void mcpw_http_redis_free(mcpw_http_redis *redis) {
    if (redis == NULL) {
        return;
    }
    break_link(&redis->reader);
    break_link(&redis->writer);
    mcpw_redis_forget_entries(redis);
    mcpw_redis_stop_asking(redis);
    mcpw_os_set_free(redis->set);
    free((void *)(uintptr_t)redis->config.address);
    free((void *)(uintptr_t)redis->config.user);
    free((void *)(uintptr_t)redis->config.password);
    free((void *)(uintptr_t)redis->config.prefix);
    free(redis->log);
    free(redis->written);
    free(redis->bytes);
    free(redis->last);
    free(redis);
}
