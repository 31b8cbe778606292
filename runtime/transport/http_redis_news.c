/* SPDX-License-Identifier: MIT */
/* The log of changes, which all processes write to and read. An entry says which process it is of, what has
 * changed, and for a resource its URI. */
#define _GNU_SOURCE
#include "http_redis_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WAITS = 10000, /* ms after which Redis answers that there was no change: so it is known to be alive */
    AT_ONCE = 256, /* changes that are read */
    MOST_WAITING = 4096 /* changes that wait to be written; more are not told to others */
};
enum { NUMBER_TEXT = 24 };

static const char *const change_names[] = {"tools", "prompts", "resources", "resource"};

/* ---- Reading ------------------------------------------------------------------------------------------- */

static void ask_for_more(mcpw_http_redis *redis);

static bool is_text(const redisReply *reply) {
    return reply->type == REDIS_REPLY_STRING || reply->type == REDIS_REPLY_STATUS;
}

static bool is_array(const redisReply *reply, size_t least) {
    return reply->type == REDIS_REPLY_ARRAY && reply->elements >= least;
}

/* The value of a field of an entry; NULL: there is none. */
static const redisReply *field_of(const redisReply *fields, const char *name) {
    for (size_t i = 0; i + 1 < fields->elements; i += 2) {
        if (is_text(fields->element[i]) && is_text(fields->element[i + 1]) &&
            strcmp(fields->element[i]->str, name) == 0) {
            return fields->element[i + 1];
        }
    }
    return NULL;
}

/* Entries of others, of later versions too: what is not understood is passed over. */
static void hear(const mcpw_http_redis *redis, const redisReply *fields) {
    const redisReply *const from = field_of(fields, "from");
    const redisReply *const what = field_of(fields, "change");
    const redisReply *const uri = field_of(fields, "uri");
    if (from == NULL || what == NULL || strcmp(from->str, redis->instance) == 0) {
        return;
    }
    for (mcpw_change change = MCPW_CHANGE_TOOLS; change <= MCPW_CHANGE_RESOURCE; change++) {
        if (strcmp(what->str, change_names[change]) == 0 && (change != MCPW_CHANGE_RESOURCE || uri != NULL)) {
            mcpw_server_heard(redis->config.server, change, mcpw_str_from(uri != NULL ? uri->str : NULL));
        }
    }
}

static bool keep_last(mcpw_http_redis *redis, const char *id) {
    char *const copy = mcpw_redis_copy(id, strlen(id));
    if (copy != NULL) {
        free(redis->last);
        redis->last = copy;
    }
    return copy != NULL;
}

/* [[id, [field, value, ...]], ...]; false: that it is not, or there is no memory. */
static bool read_entries(mcpw_http_redis *redis, const redisReply *entries) {
    for (size_t i = 0; i < entries->elements; i++) {
        const redisReply *const entry = entries->element[i];
        if (!is_array(entry, 2) || !is_text(entry->element[0]) || !keep_last(redis, entry->element[0]->str)) {
            return false;
        }
        if (is_array(entry->element[1], 2)) {
            hear(redis, entry->element[1]);
        }
    }
    return true;
}

/* [[key, entries]], or nil where there was no change for so long. */
static void on_changes(redisAsyncContext *context, void *reply, void *self) {
    mcpw_http_redis *const redis = self;
    const redisReply *const said = reply;
    bool is_right = said != NULL && said->type == REDIS_REPLY_NIL;
    if (said == NULL) {
        return; /* the connection is lost */
    }
    if (is_array(said, 1) && is_array(said->element[0], 2) && is_array(said->element[0]->element[1], 0)) {
        is_right = read_entries(redis, said->element[0]->element[1]);
    }
    if (is_right) {
        ask_for_more(redis);
    } else {
        redisAsyncDisconnect(context);
    }
}

static void ask_for_more(mcpw_http_redis *redis) {
    if (redisAsyncCommand(redis->reader.context, on_changes, redis, "XREAD COUNT %d BLOCK %d STREAMS %s %s",
                          AT_ONCE, WAITS, redis->log, redis->last) == REDIS_OK) {
        mcpw_redis_expect(&redis->reader, WAITS + redis->config.timeout);
    }
}

/* What is in the log already is older than any client of this process. */
static void on_newest(redisAsyncContext *context, void *reply, void *self) {
    mcpw_http_redis *const redis = self;
    const redisReply *const said = reply;
    const char *newest = "0-0";
    if (said == NULL) {
        return; /* the connection is lost */
    }
    if (is_array(said, 1) && is_array(said->element[0], 2) && is_text(said->element[0]->element[0])) {
        newest = said->element[0]->element[0]->str;
    }
    if (is_array(said, 0) && keep_last(redis, newest)) {
        ask_for_more(redis);
    } else {
        redisAsyncDisconnect(context);
    }
}

void mcpw_redis_read_begin(mcpw_http_redis *redis) {
    if (redis->last != NULL) {
        ask_for_more(redis);
    } else if (redisAsyncCommand(redis->reader.context, on_newest, redis, "XREVRANGE %s + - COUNT 1",
                                 redis->log) == REDIS_OK) {
        mcpw_redis_expect(&redis->reader, redis->config.timeout);
    }
}

void mcpw_redis_read_end(mcpw_http_redis *redis) { (void)redis; }

/* ---- Writing ------------------------------------------------------------------------------------------- */

static void on_written(redisAsyncContext *context, void *reply, void *self) {
    mcpw_http_redis *const redis = self;
    const redisReply *const said = reply;
    redis_change *const first = redis->changes;
    if (said == NULL) {
        return; /* the connection is lost */
    }
    if (said->type == REDIS_REPLY_ERROR) {
        redisAsyncDisconnect(context); /* it may be loading, or full: it is tried again */
        return;
    }
    redis->changes = first->next;
    redis->change_count--;
    free(first);
    redis->writer.due = redis->changes != NULL ? redis->now + redis->config.timeout : UINT64_MAX;
}

static void write_change(mcpw_http_redis *redis, redis_change *change) {
    char most[NUMBER_TEXT];
    const bool has_uri = change->change == MCPW_CHANGE_RESOURCE;
    (void)snprintf(most, sizeof most, "%zu", redis->config.max_changes);
    const char *const words[] = {"XADD", redis->log, "MAXLEN",        "~",      most,
                                 "*",    "from",     redis->instance, "change", change_names[change->change],
                                 "uri",  change->uri};
    const int count = (int)(sizeof words / sizeof *words) - (has_uri ? 0 : 2);
    if (redisAsyncCommandArgv(redis->writer.context, on_written, redis, count, (const char **)words, NULL) ==
        REDIS_OK) {
        change->is_sent = true;
        mcpw_redis_expect(&redis->writer, redis->config.timeout);
    }
}

void mcpw_redis_write_begin(mcpw_http_redis *redis) {
    redis->writer.due = UINT64_MAX;
    for (redis_change *c = redis->changes; c != NULL; c = c->next) {
        write_change(redis, c);
    }
}

void mcpw_redis_write_end(mcpw_http_redis *redis) {
    for (redis_change *c = redis->changes; c != NULL; c = c->next) {
        c->is_sent = false;
    }
}

/* One that waits already need not wait twice. */
static bool is_waiting(const redis_change *c, mcpw_change change, mcpw_str uri) {
    const mcpw_str about = uri.ptr != NULL ? uri : mcpw_str_from("");
    while (c != NULL && (c->is_sent || c->change != change || !mcpw_str_is(about, c->uri))) {
        c = c->next;
    }
    return c != NULL;
}

void mcpw_redis_on_change(void *user, mcpw_change change, mcpw_str uri) {
    mcpw_http_redis *const redis = user;
    redis_change **at = &redis->changes;
    if (redis->change_count >= MOST_WAITING || is_waiting(redis->changes, change, uri)) {
        return;
    }
    redis_change *const made = calloc(1, sizeof *made + uri.len + 1);
    if (made == NULL) {
        return;
    }
    made->change = change;
    if (uri.len != 0) {
        memcpy(made->uri, uri.ptr, uri.len);
    }
    while (*at != NULL) {
        at = &(*at)->next;
    }
    *at = made;
    redis->change_count++;
    if (redis->writer.is_ready) {
        write_change(redis, made);
    }
}

void mcpw_redis_forget_changes(mcpw_http_redis *redis) {
    while (redis->changes != NULL) {
        redis_change *const first = redis->changes;
        redis->changes = first->next;
        free(first);
    }
}
