/* SPDX-License-Identifier: MIT */
/* The log, which all processes write to and read: a stream of entries, each with one field. The number of an
 * entry is that of its id, which is ms and a count within the ms. */
#define _GNU_SOURCE
#include "http_redis_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WAITS = 10000, /* ms after which Redis answers that there was no entry: so it is known to be alive */
    AT_ONCE = 32,  /* entries that are read */
    MOST_WAITING = 4096, /* entries that wait to be written; more are not reported to others; likewise: */
    MOST_WAITING_BYTES = 1 << 24,
    KNOWN_FOR = 3600000 /* ms for which it is known what was written last */
};
enum { NUMBER_TEXT = 24 };

static const char field_name[] = "entry";

/* ---- Numbers ------------------------------------------------------------------------------------------- */

enum { COUNT_BITS = 16, COUNT_MASK = 0xFFFF, BASE = 10 };

uint64_t mcpw_redis_entry_number(const char *id) {
    char *end = NULL;
    const uint64_t ms = strtoull(id, &end, BASE);
    const uint64_t count = *end == '-' ? strtoull(end + 1, NULL, BASE) : 0;
    return ms << COUNT_BITS | (count & COUNT_MASK);
}

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

/* Entries that this version does not understand are skipped; a later version may have written them. */
static void hear(const mcpw_http_redis *redis, const char *id, const redisReply *fields) {
    const redisReply *const text = field_of(fields, field_name);
    if (text != NULL && redis->hear != NULL) {
        redis->hear(redis->hearer, mcpw_redis_entry_number(id), (mcpw_str){text->str, text->len});
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
            hear(redis, entry->element[0]->str, entry->element[1]);
        }
    }
    return true;
}

/* [[key, entries]], or nil where there was no entry for so long. */
static void on_entries(redisAsyncContext *context, void *reply, void *self) {
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
    if (redisAsyncCommand(redis->reader.context, on_entries, redis, "XREAD COUNT %d BLOCK %d STREAMS %s %s",
                          AT_ONCE, WAITS, redis->log, redis->last) == REDIS_OK) {
        mcpw_redis_expect(&redis->reader, WAITS + redis->config.timeout_ms);
    }
}

/* Older entries of the log are older than any client of this process. */
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
        if (redis->hear != NULL) {
            redis->hear(redis->hearer, mcpw_redis_entry_number(newest), (mcpw_str){NULL, 0});
        }
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
        mcpw_redis_expect(&redis->reader, redis->config.timeout_ms);
    }
}

void mcpw_redis_read_end(mcpw_http_redis *redis) { (void)redis; }

void mcpw_redis_follow(void *self, mcpw_http_entry_handler *hear, void *user) {
    mcpw_http_redis *const redis = self;
    redis->hear = hear;
    redis->hearer = user;
    if (hear != NULL && redis->last != NULL) {
        hear(user, mcpw_redis_entry_number(redis->last), (mcpw_str){NULL, 0});
    }
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

static void on_written(redisAsyncContext *context, void *reply, void *self) {
    mcpw_http_redis *const redis = self;
    const redisReply *const said = reply;
    redis_entry *const first = redis->entries;
    if (said == NULL) {
        return; /* the connection is lost */
    }
    if (said->type == REDIS_REPLY_ERROR) {
        redisAsyncDisconnect(context); /* it may be loading, or full: it is tried again */
        return;
    }
    redis->entries = first->next;
    redis->entry_count--;
    redis->entry_bytes -= first->len;
    free(first);
    redis->writer.due = redis->entries != NULL ? redis->now + redis->config.timeout_ms : UINT64_MAX;
}

/* Bytes that an entry takes besides its text. */
#define ENTRY "64"

/* An entry is written once, though it is sent again as there was no word that it was written. The oldest ones
 * make room. KEYS: the log, the last number, the bytes in the log. ARGV: number, ms, most entries, name,
 * text, most bytes. */
static const char write_once[] =
    "if tonumber(redis.call('GET',KEYS[2]) or '0')>=tonumber(ARGV[1]) then return 0 end "
    "redis.call('SET',KEYS[2],ARGV[1],'PX',ARGV[2]) "
    "redis.call('XADD',KEYS[1],'*',ARGV[4],ARGV[5]) "
    "local bytes=redis.call('INCRBY',KEYS[3],#ARGV[5]+" ENTRY ") local left=redis.call('XLEN',KEYS[1]) "
    "while left>1 and (left>tonumber(ARGV[3]) or bytes>tonumber(ARGV[6])) do "
    "local first=redis.call('XRANGE',KEYS[1],'-','+','COUNT',1)[1] "
    "redis.call('XDEL',KEYS[1],first[1]) left=left-1 "
    "bytes=redis.call('DECRBY',KEYS[3],#(first[2][2] or '')+" ENTRY ") end return 1";

static void write_entry(mcpw_http_redis *redis, redis_entry *entry) {
    char most[NUMBER_TEXT];
    char number[NUMBER_TEXT];
    char known[NUMBER_TEXT];
    char bytes[NUMBER_TEXT];
    (void)snprintf(bytes, sizeof bytes, "%zu", redis->config.max_log_bytes);
    (void)snprintf(most, sizeof most, "%zu", redis->config.max_entries);
    (void)snprintf(number, sizeof number, "%" PRIu64, entry->number);
    (void)snprintf(known, sizeof known, "%d", KNOWN_FOR);
    const char *words[] = {"EVAL", write_once, "3",  redis->log, redis->written, redis->bytes,
                           number, known,      most, field_name, entry->text,    bytes};
    enum { WORDS = sizeof words / sizeof *words, TEXT = WORDS - 2 };
    size_t lens[WORDS];
    for (size_t i = 0; i < WORDS; i++) {
        lens[i] = i == TEXT ? entry->len : strlen(words[i]);
    }
    if (redisAsyncCommandArgv(redis->writer.context, on_written, redis, WORDS, words, lens) == REDIS_OK) {
        entry->is_sent = true;
        mcpw_redis_expect(&redis->writer, redis->config.timeout_ms);
    }
}

void mcpw_redis_write_begin(mcpw_http_redis *redis) {
    redis->writer.due = UINT64_MAX;
    for (redis_entry *e = redis->entries; e != NULL; e = e->next) {
        write_entry(redis, e);
    }
}

void mcpw_redis_write_end(mcpw_http_redis *redis) {
    for (redis_entry *e = redis->entries; e != NULL; e = e->next) {
        e->is_sent = false;
    }
}

mcpw_status mcpw_redis_say(void *self, mcpw_str entry) {
    mcpw_http_redis *const redis = self;
    redis_entry **at = &redis->entries;
    if (entry.len > redis->config.max_bytes) {
        return MCPW_E_SIZE;
    }
    if (redis->entry_count >= MOST_WAITING || entry.len > MOST_WAITING_BYTES - redis->entry_bytes) {
        return MCPW_E_FULL;
    }
    redis_entry *const made = calloc(1, sizeof *made + entry.len);
    if (made == NULL) {
        return MCPW_E_MEMORY;
    }
    made->number = ++redis->last_entry;
    made->len = entry.len;
    memcpy(made->text, entry.ptr, entry.len);
    while (*at != NULL) {
        at = &(*at)->next;
    }
    *at = made;
    redis->entry_count++;
    redis->entry_bytes += entry.len;
    if (redis->writer.is_ready) {
        write_entry(redis, made);
    }
    return MCPW_OK;
}

void mcpw_redis_forget_entries(mcpw_http_redis *redis) {
    while (redis->entries != NULL) {
        redis_entry *const first = redis->entries;
        redis->entries = first->next;
        free(first);
    }
}
