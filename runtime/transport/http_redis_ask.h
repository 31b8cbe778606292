/* SPDX-License-Identifier: MIT */
/* How the server of Valkey or Redis is asked something while the loop waits. */
#ifndef MCPW_HTTP_REDIS_ASK_H
#define MCPW_HTTP_REDIS_ASK_H

#include "http_redis_internal.h"

enum { REDIS_KEY = 512, REDIS_NUMBER_TEXT = 24, REDIS_WORDS = 24, REDIS_NUMBERS = 8 };

/* A command whose words may hold any bytes. It is not copied while it is in use. */
typedef struct redis_command {
    const char *words[REDIS_WORDS];
    size_t lens[REDIS_WORDS];
    int count;
    char numbers[REDIS_NUMBERS][REDIS_NUMBER_TEXT];
    int number_count;
} redis_command;

void mcpw_redis_add(redis_command *command, mcpw_str word);
void mcpw_redis_add_text(redis_command *command, const char *word);
void mcpw_redis_add_number(redis_command *command, uint64_t number);
/* The key of something, of a session where one is given; false: it is too long. */
MCPW_NODISCARD bool mcpw_redis_key(const mcpw_http_redis *redis, char key[REDIS_KEY], const char *what,
                                   mcpw_str session);
/* The answer to a command that concerns a session, or none; NULL: there is no answer in time, or nothing is
 * asked at present. freeReplyObject takes it. */
redisReply *mcpw_redis_ask(mcpw_http_redis *redis, mcpw_str session, redis_command *command);

bool mcpw_redis_are_texts(const redisReply *array);
/* Whether an entry of a stream is [id, [name, value, ...]] with so many values. */
bool mcpw_redis_is_entry(const redisReply *entry, size_t values);
/* A value of it, in the order in which they were written. */
const redisReply *mcpw_redis_value(const redisReply *entry, size_t at);

#endif
