/* SPDX-License-Identifier: MIT */
/* Input requests that the server of Valkey or Redis answers while the loop waits. An answer that does not
 * come in time ends the connection, and the session that was asked for is not asked for again for a while. A
 * second session that gets no answer meanwhile shows that the server is at fault: then nothing is asked for a
 * while.
 */
#define _GNU_SOURCE
#include "http_redis_ask.h"

#include <mcpw/io.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MS = 1000 };

void mcpw_redis_stop_asking(mcpw_http_redis *redis) {
    if (redis->asked != NULL) {
        redisFree(redis->asked);
        redis->asked = NULL;
    }
}

static bool is_doubted(const mcpw_http_redis *redis, mcpw_str session) {
    return redis->doubted_len == session.len &&
           (session.len == 0 || memcmp(redis->doubted, session.ptr, session.len) == 0);
}

static void give_up(mcpw_http_redis *redis, mcpw_str session) {
    const mcpw_http_redis_config *const config = &redis->config;
    const uint64_t now = mcpw_io_now();
    mcpw_redis_stop_asking(redis);
    if (now < redis->doubted_until && !is_doubted(redis, session)) {
        redis->asked_again = now + config->retry_ms;
    }
    redis->doubted_until = now + config->retry_ms + config->patience_ms;
    redis->doubted_len = session.len < sizeof redis->doubted ? session.len : 0;
    if (redis->doubted_len != 0) {
        memcpy(redis->doubted, session.ptr, redis->doubted_len);
    }
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

static bool connect_now(mcpw_http_redis *redis, mcpw_str session) {
    const mcpw_http_redis_config *const config = &redis->config;
    const struct timeval patience = {(time_t)(config->patience_ms / MS),
                                     (suseconds_t)(config->patience_ms % MS * MS)};
    const uint64_t now = mcpw_io_now();
    if (now < redis->asked_again || (now < redis->doubted_until && is_doubted(redis, session))) {
        return false;
    }
    if (redis->asked != NULL) {
        return true;
    }
    redis->asked = *config->address == '/' ? redisConnectUnixWithTimeout(config->address, patience)
                                           : redisConnectWithTimeout(config->address, config->port, patience);
    if (redis->asked != NULL) {
        mcpw_redis_limit(redis->asked->reader, &redis->limited);
    }
    if (redis->asked == NULL || redis->asked->err != 0 ||
        redisSetTimeout(redis->asked, patience) != REDIS_OK || !log_in(redis)) {
        give_up(redis, session);
        return false;
    }
    return true;
}

/* ---- Commands ---- */

void mcpw_redis_add(redis_command *c, mcpw_str word) {
    c->words[c->count] = word.len != 0 ? word.ptr : "";
    c->lens[c->count++] = word.len;
}

void mcpw_redis_add_text(redis_command *c, const char *word) { mcpw_redis_add(c, mcpw_str_from(word)); }

void mcpw_redis_add_number(redis_command *c, uint64_t number) {
    char *const text = c->numbers[c->number_count++];
    (void)snprintf(text, REDIS_NUMBER_TEXT, "%" PRIu64, number);
    mcpw_redis_add_text(c, text);
}

bool mcpw_redis_key(const mcpw_http_redis *redis, char key[REDIS_KEY], const char *what, mcpw_str session) {
    const int len =
        snprintf(key, REDIS_KEY, "%s%s%.*s", redis->config.prefix, what, (int)session.len, session.ptr);
    return len > 0 && len < REDIS_KEY;
}

static redisReply *ask_now(mcpw_http_redis *redis, mcpw_str session, redis_command *command) {
    void *reply = NULL;
    if (redisAppendCommandArgv(redis->asked, command->count, command->words, command->lens) != REDIS_OK ||
        redisGetReply(redis->asked, &reply) != REDIS_OK) {
        give_up(redis, session);
        return NULL;
    }
    return reply;
}

redisReply *mcpw_redis_ask(mcpw_http_redis *redis, mcpw_str session, redis_command *command) {
    redis_guard guard;
    mcpw_redis_guard(&guard);
    redisReply *const reply = connect_now(redis, session) ? ask_now(redis, session, command) : NULL;
    mcpw_redis_unguard(&guard);
    return reply;
}

/* ---- Answers ---- */

bool mcpw_redis_are_texts(const redisReply *array) {
    size_t texts = 0;
    while (texts < array->elements && array->element[texts]->type == REDIS_REPLY_STRING) {
        texts++;
    }
    return texts == array->elements;
}

bool mcpw_redis_is_entry(const redisReply *entry, size_t values) {
    return entry->type == REDIS_REPLY_ARRAY && entry->elements == 2 &&
           entry->element[0]->type == REDIS_REPLY_STRING && entry->element[1]->type == REDIS_REPLY_ARRAY &&
           entry->element[1]->elements == 2 * values && mcpw_redis_are_texts(entry->element[1]);
}

const redisReply *mcpw_redis_value(const redisReply *entry, size_t at) {
    return entry->element[1]->element[2 * at + 1];
}
