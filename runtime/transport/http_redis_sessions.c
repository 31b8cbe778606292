/* SPDX-License-Identifier: MIT */
/* What is known of sessions, and their events: a hash and a stream for each, which expire. They are asked for
 * while the loop waits. What does not come in time ends the connection, and nothing is asked for a while. */
#define _GNU_SOURCE
#include "http_redis_internal.h"

#include <mcpw/io.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MS = 1000, KEY = 512, NUMBER_TEXT = 24, MOST_ENTRIES = 256 /* of the log, at once */ };
enum { COUNT_BITS = 16, COUNT_MASK = 0xFFFF, BASE = 10 };

/* ---- Asking -------------------------------------------------------------------------------------------- */

void mcpw_redis_stop_asking(mcpw_http_redis *redis) {
    if (redis->asked != NULL) {
        redisFree(redis->asked);
        redis->asked = NULL;
    }
}

static void give_up(mcpw_http_redis *redis) {
    mcpw_redis_stop_asking(redis);
    redis->asked_again = mcpw_io_now() + redis->config.retry;
}

static bool log_in(const mcpw_http_redis *redis) {
    const mcpw_http_redis_config *const config = &redis->config;
    if (config->password == NULL) {
        return true;
    }
    redisReply *const reply = config->user == NULL
                                  ? redisCommand(redis->asked, "AUTH %s", config->password)
                                  : redisCommand(redis->asked, "AUTH %s %s", config->user, config->password);
    const bool is_in = reply != NULL && reply->type != REDIS_REPLY_ERROR;
    freeReplyObject(reply);
    return is_in;
}

static bool connect_now(mcpw_http_redis *redis) {
    const mcpw_http_redis_config *const config = &redis->config;
    const struct timeval patience = {(time_t)(config->patience / MS),
                                     (suseconds_t)(config->patience % MS * MS)};
    if (redis->asked != NULL) {
        return true;
    }
    if (mcpw_io_now() < redis->asked_again) {
        return false;
    }
    redis->asked = *config->address == '/' ? redisConnectUnixWithTimeout(config->address, patience)
                                           : redisConnectWithTimeout(config->address, config->port, patience);
    if (redis->asked == NULL || redis->asked->err != 0 ||
        redisSetTimeout(redis->asked, patience) != REDIS_OK || !log_in(redis)) {
        give_up(redis);
        return false;
    }
    return true;
}

/* Whether there is a connection. */
static bool connect_to(mcpw_http_redis *redis) {
    redis_guard guard;
    mcpw_redis_guard(&guard);
    const bool is_there = connect_now(redis);
    mcpw_redis_unguard(&guard);
    return is_there;
}

/* A command whose words may hold any bytes. */
typedef struct command {
    const char *words[16];
    size_t lens[16];
    int count;
} command;

static void add(command *c, mcpw_str word) {
    c->words[c->count] = word.len != 0 ? word.ptr : "";
    c->lens[c->count++] = word.len;
}

static void add_text(command *c, const char *word) { add(c, mcpw_str_from(word)); }

static redisReply *ask_now(mcpw_http_redis *redis, const command *commands, size_t count) {
    void *reply = NULL;
    for (size_t i = 0; i < count; i++) {
        command c = commands[i];
        if (redisAppendCommandArgv(redis->asked, c.count, c.words, c.lens) != REDIS_OK) {
            give_up(redis);
            return NULL;
        }
    }
    for (size_t i = 0; i < count; i++) {
        freeReplyObject(reply);
        reply = NULL;
        if (redisGetReply(redis->asked, &reply) != REDIS_OK) {
            give_up(redis);
            return NULL;
        }
    }
    return reply;
}

/* The answer to the last of some commands, which are sent together; NULL: there is none. freeReplyObject. */
static redisReply *ask(mcpw_http_redis *redis, const command *commands, size_t count) {
    redis_guard guard;
    mcpw_redis_guard(&guard);
    redisReply *const reply = ask_now(redis, commands, count);
    mcpw_redis_unguard(&guard);
    return reply;
}

static mcpw_status status_of(redisReply *reply) {
    const mcpw_status status = reply != NULL && reply->type != REDIS_REPLY_ERROR ? MCPW_OK : MCPW_E_IO;
    freeReplyObject(reply);
    return status;
}

static bool are_texts(const redisReply *array) {
    size_t texts = 0;
    while (texts < array->elements && array->element[texts]->type == REDIS_REPLY_STRING) {
        texts++;
    }
    return texts == array->elements;
}

/* ---- Keys ---------------------------------------------------------------------------------------------- */

/* The key of a session, or of its events; false: it is too long. */
static bool make_key(const mcpw_http_redis *redis, char key[KEY], const char *what, mcpw_str session) {
    const int len =
        snprintf(key, KEY, "%s%s:%.*s", redis->config.prefix, what, (int)session.len, session.ptr);
    return len > 0 && len < KEY;
}

static void expire(command *c, const char *key, uint64_t ms, char number[NUMBER_TEXT]) {
    (void)snprintf(number, NUMBER_TEXT, "%" PRIu64, ms);
    add_text(c, "PEXPIRE");
    add_text(c, key);
    add_text(c, number);
}

/* ---- Sessions ------------------------------------------------------------------------------------------ */

static mcpw_status keep(void *self, mcpw_str session, uint64_t lifetime, mcpw_str name, mcpw_str text) {
    mcpw_http_redis *const redis = self;
    command commands[2] = {{.count = 0}, {.count = 0}};
    char number[NUMBER_TEXT];
    char key[KEY];
    if (!make_key(redis, key, "session", session) || !connect_to(redis)) {
        return MCPW_E_IO;
    }
    add_text(commands, text.ptr != NULL ? "HSET" : "HDEL");
    add_text(commands, key);
    add(commands, name);
    if (text.ptr != NULL) {
        add(commands, text);
    }
    expire(commands + 1, key, lifetime, number);
    return status_of(ask(redis, commands, 2));
}

static mcpw_status find(void *self, mcpw_str session, uint64_t lifetime, mcpw_http_take *take, void *user) {
    mcpw_http_redis *const redis = self;
    command commands[2] = {{.count = 0}, {.count = 0}};
    char number[NUMBER_TEXT];
    char key[KEY];
    if (!make_key(redis, key, "session", session) || !connect_to(redis)) {
        return MCPW_E_IO;
    }
    expire(commands, key, lifetime, number);
    add_text(commands + 1, "HGETALL");
    add_text(commands + 1, key);
    redisReply *const reply = ask(redis, commands, 2);
    const bool is_record = reply != NULL && reply->type == REDIS_REPLY_ARRAY && are_texts(reply);
    mcpw_status status = !is_record ? MCPW_E_IO : reply->elements == 0 ? MCPW_E_NOT_FOUND : MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i + 1 < reply->elements; i += 2) {
        const redisReply *const name = reply->element[i];
        const redisReply *const text = reply->element[i + 1];
        status = take(user, (mcpw_str){name->str, name->len}, (mcpw_str){text->str, text->len});
    }
    freeReplyObject(reply);
    return status;
}

static mcpw_status touch(void *self, mcpw_str session, uint64_t lifetime) {
    mcpw_http_redis *const redis = self;
    command expiry = {.count = 0};
    char number[NUMBER_TEXT];
    char key[KEY];
    if (!make_key(redis, key, "session", session) || !connect_to(redis)) {
        return MCPW_E_IO;
    }
    expire(&expiry, key, lifetime, number);
    redisReply *const reply = ask(redis, &expiry, 1);
    const bool is_gone = reply != NULL && reply->type == REDIS_REPLY_INTEGER && reply->integer == 0;
    const mcpw_status status = status_of(reply);
    return is_gone ? MCPW_E_NOT_FOUND : status;
}

static void forget(mcpw_http_redis *redis, const char *what, mcpw_str session) {
    command c = {.count = 0};
    char key[KEY];
    if (make_key(redis, key, what, session) && connect_to(redis)) {
        add_text(&c, "DEL");
        add_text(&c, key);
        freeReplyObject(ask(redis, &c, 1)); /* else it expires */
    }
}

static void end(void *self, mcpw_str session) { forget(self, "session", session); }

/* ---- Events -------------------------------------------------------------------------------------------- */

static mcpw_status append(void *self, mcpw_str session, uint64_t stream, uint64_t event, mcpw_str text) {
    mcpw_http_redis *const redis = self;
    command commands[2] = {{.count = 0}, {.count = 0}};
    char numbers[4][NUMBER_TEXT];
    char key[KEY];
    if (text.len > redis->config.max_bytes) {
        return MCPW_E_SIZE;
    }
    if (!make_key(redis, key, "events", session) || !connect_to(redis)) {
        return MCPW_E_IO;
    }
    (void)snprintf(numbers[0], NUMBER_TEXT, "%zu", redis->config.max_events);
    (void)snprintf(numbers[1], NUMBER_TEXT, "%" PRIu64, stream);
    (void)snprintf(numbers[2], NUMBER_TEXT, "%" PRIu64, event);
    const char *const words[] = {"XADD",   key,        "MAXLEN", numbers[0], "*",
                                 "stream", numbers[1], "event",  numbers[2], "text"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        add_text(commands, words[i]);
    }
    add(commands, text);
    expire(commands + 1, key, redis->config.lifetime, numbers[3]);
    return status_of(ask(redis, commands, 2));
}

/* [id, [name, value, ...]]: those values, in the order in which they were written. */
static bool is_entry(const redisReply *entry, size_t values) {
    return entry->type == REDIS_REPLY_ARRAY && entry->elements == 2 &&
           entry->element[0]->type == REDIS_REPLY_STRING && entry->element[1]->type == REDIS_REPLY_ARRAY &&
           entry->element[1]->elements == 2 * values && are_texts(entry->element[1]);
}

static const redisReply *value_of(const redisReply *entry, size_t at) {
    return entry->element[1]->element[2 * at + 1];
}

static mcpw_status replay(void *self, mcpw_str session, uint64_t stream, uint64_t after, mcpw_http_give *give,
                          void *user) {
    enum { STREAM, EVENT, TEXT, VALUES };
    mcpw_http_redis *const redis = self;
    command range = {.count = 0};
    char key[KEY];
    if (!make_key(redis, key, "events", session) || !connect_to(redis)) {
        return MCPW_E_IO;
    }
    const char *const words[] = {"XRANGE", key, "-", "+"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        add_text(&range, words[i]);
    }
    redisReply *const reply = ask(redis, &range, 1);
    mcpw_status status = reply != NULL && reply->type == REDIS_REPLY_ARRAY ? MCPW_OK : MCPW_E_IO;
    for (size_t i = 0; status == MCPW_OK && i < reply->elements; i++) {
        const redisReply *const e = reply->element[i];
        if (!is_entry(e, VALUES) || strtoull(value_of(e, STREAM)->str, NULL, BASE) != stream) {
            continue;
        }
        const uint64_t event = strtoull(value_of(e, EVENT)->str, NULL, BASE);
        if (event > after) {
            status = give(user, event, (mcpw_str){value_of(e, TEXT)->str, value_of(e, TEXT)->len});
        }
    }
    freeReplyObject(reply);
    return status;
}

static void drop(void *self, mcpw_str session) { forget(self, "events", session); }

/* ---- The log ------------------------------------------------------------------------------------------- */

/* Some entries behind one, or NULL. */
static redisReply *entries_after(mcpw_http_redis *redis, uint64_t after) {
    command range = {.count = 0};
    char first[2 * NUMBER_TEXT];
    char most[NUMBER_TEXT];
    if (!connect_to(redis)) {
        return NULL;
    }
    (void)snprintf(first, sizeof first, "%" PRIu64 "-%" PRIu64, (after + 1) >> COUNT_BITS,
                   (after + 1) & COUNT_MASK);
    (void)snprintf(most, sizeof most, "%d", MOST_ENTRIES);
    const char *const words[] = {"XRANGE", redis->log, first, "+", "COUNT", most};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        add_text(&range, words[i]);
    }
    return ask(redis, &range, 1);
}

static mcpw_status since(void *self, uint64_t after, mcpw_http_give *give, void *user) {
    mcpw_http_redis *const redis = self;
    const uint64_t end = mcpw_io_now() + redis->config.patience;
    mcpw_status status = MCPW_OK;
    bool has_more = true;
    while (status == MCPW_OK && has_more) {
        if (mcpw_io_now() > end) {
            return MCPW_E_IO; /* whatever the log holds, others are served */
        }
        redisReply *const reply = entries_after(redis, after);
        status = reply != NULL && reply->type == REDIS_REPLY_ARRAY ? MCPW_OK : MCPW_E_IO;
        has_more = status == MCPW_OK && reply->elements == MOST_ENTRIES;
        for (size_t i = 0; status == MCPW_OK && i < reply->elements; i++) {
            const redisReply *const e = reply->element[i];
            if (is_entry(e, 1)) {
                after = mcpw_redis_entry_number(e->element[0]->str);
                status = give(user, after, (mcpw_str){value_of(e, 0)->str, value_of(e, 0)->len});
            }
        }
        freeReplyObject(reply);
    }
    return status;
}

void mcpw_redis_set_sessions(mcpw_http_redis *redis) {
    mcpw_http_cluster *const cluster = &redis->cluster;
    cluster->keep = keep;
    cluster->find = find;
    cluster->touch = touch;
    cluster->end = end;
    cluster->since = since;
    redis->store = (mcpw_http_store){redis, append, replay, drop};
}
