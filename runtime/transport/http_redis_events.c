/* SPDX-License-Identifier: MIT */
/* Events of sessions that clients may ask for again, a stream for each session; and the log, as far as a
 * client asks for what it has missed. Both are read in pieces, for so long as the loop may wait. */
#define _GNU_SOURCE
#include "http_redis_ask.h"

#include <mcpw/io.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Entries of a stream that are read at once: twice as many as before while they have few bytes, because each
 * piece takes the time of a round trip. The most of them keep the memory of a piece of long ones bounded. */
enum { FIRST_AT_ONCE = 16, MOST_AT_ONCE = 128, FEW_BYTES = 1 << 18 };
enum { BASE = 10 };
enum { COUNT_BITS = 16, COUNT_MASK = 0xFFFF };

/* Bytes that an event takes besides its text. */
#define EVENT "64"

/* KEYS: the session's stream; when each session's events expire, a sorted set; how many bytes they have, a
 * hash, and under "all" those of all sessions. ARGV: session, lifetime, most events, most bytes of them, most
 * bytes of all sessions, what keys of streams begin with, stream, event, text. Events that there is no room
 * for go as in a process of its own: first the session's oldest, then those of the session that was silent
 * for longest. */
static const char append_event[] =
    "local t=redis.call('TIME') local now=t[1]*1000+math.floor(t[2]/1000) "
    "local function forget(id) "
    "local all=redis.call('HINCRBY',KEYS[3],'all',0-(redis.call('HGET',KEYS[3],id) or 0)) "
    "redis.call('HDEL',KEYS[3],id) redis.call('ZREM',KEYS[2],id) return all end "
    "for _,old in ipairs(redis.call('ZRANGEBYSCORE',KEYS[2],'-inf',now,'LIMIT',0,100)) do forget(old) end "
    "redis.call('XADD',KEYS[1],'*','stream',ARGV[7],'event',ARGV[8],'text',ARGV[9]) "
    "redis.call('PEXPIRE',KEYS[1],ARGV[2]) redis.call('ZADD',KEYS[2],now+ARGV[2],ARGV[1]) "
    "local function count(n) return redis.call('HINCRBY',KEYS[3],ARGV[1],n),"
    "redis.call('HINCRBY',KEYS[3],'all',n) end "
    "local own,all=count(#ARGV[9]+" EVENT ") local left=redis.call('XLEN',KEYS[1]) "
    "while left>1 and (left>tonumber(ARGV[3]) or own>tonumber(ARGV[4])) do "
    "local first=redis.call('XRANGE',KEYS[1],'-','+','COUNT',1)[1] "
    "redis.call('XDEL',KEYS[1],first[1]) left=left-1 own,all=count(-(#(first[2][6] or '')+" EVENT ")) end "
    "while all>tonumber(ARGV[5]) do "
    "local old=redis.call('ZRANGE',KEYS[2],0,0)[1] if not old or old==ARGV[1] then break end "
    "redis.call('DEL',ARGV[6]..old) all=forget(old) end return 'OK'";

static const char drop_events[] =
    "redis.call('DEL',KEYS[1]) redis.call('ZREM',KEYS[2],ARGV[1]) "
    "redis.call('HINCRBY',KEYS[3],'all',0-(redis.call('HGET',KEYS[3],ARGV[1]) or 0)) "
    "redis.call('HDEL',KEYS[3],ARGV[1]) return 'OK'";

/* Keys of a session's events and of the count of all. */
typedef struct keys {
    char events[REDIS_KEY];
    char expiry[REDIS_KEY];
    char bytes[REDIS_KEY];
    char prefix[REDIS_KEY];
} keys;

static bool make_keys(const mcpw_http_redis *redis, keys *k, mcpw_str session) {
    const mcpw_str none = {"", 0};
    return mcpw_redis_key(redis, k->events, "events:", session) &&
           mcpw_redis_key(redis, k->prefix, "events:", none) &&
           mcpw_redis_key(redis, k->expiry, "events", none) &&
           mcpw_redis_key(redis, k->bytes, "events:bytes", none);
}

static void begin(redis_command *c, const keys *k, const char *script, mcpw_str session) {
    c->count = c->number_count = 0;
    mcpw_redis_add_text(c, "EVAL");
    mcpw_redis_add_text(c, script);
    mcpw_redis_add_text(c, "3");
    mcpw_redis_add_text(c, k->events);
    mcpw_redis_add_text(c, k->expiry);
    mcpw_redis_add_text(c, k->bytes);
    mcpw_redis_add(c, session);
}

static mcpw_status append(void *self, mcpw_str session, uint64_t stream, uint64_t event, mcpw_str text) {
    mcpw_http_redis *const redis = self;
    const mcpw_http_redis_config *const config = &redis->config;
    redis_command c;
    keys k;
    if (text.len > config->max_bytes) {
        return MCPW_E_SIZE;
    }
    if (!make_keys(redis, &k, session)) {
        return MCPW_E_IO;
    }
    begin(&c, &k, append_event, session);
    mcpw_redis_add_number(&c, config->lifetime_ms);
    mcpw_redis_add_number(&c, config->max_events);
    mcpw_redis_add_number(&c, config->max_event_bytes);
    mcpw_redis_add_number(&c, config->max_store_bytes);
    mcpw_redis_add_text(&c, k.prefix);
    mcpw_redis_add_number(&c, stream);
    mcpw_redis_add_number(&c, event);
    mcpw_redis_add(&c, text);
    redisReply *const reply = mcpw_redis_ask(redis, session, &c);
    const bool is_kept = reply != NULL && reply->type != REDIS_REPLY_ERROR;
    freeReplyObject(reply);
    return is_kept ? MCPW_OK : MCPW_E_IO;
}

static void drop(void *self, mcpw_str session) {
    redis_command c;
    keys k;
    if (make_keys(self, &k, session)) {
        begin(&c, &k, drop_events, session);
        freeReplyObject(mcpw_redis_ask(self, session, &c)); /* else they expire */
    }
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

/* A stream that is read from one id on. */
typedef struct reading {
    mcpw_http_redis *redis;
    mcpw_str session; /* whose it is; of length 0: the log */
    const char *key;
    char next[2 * REDIS_NUMBER_TEXT];
    /* Gives one entry. */
    mcpw_status (*give_entry)(const struct reading *reading, const redisReply *entry);
    mcpw_http_give *give;
    void *user;
    uint64_t stream;
    uint64_t after;
    uint64_t at_once; /* entries of the next piece */
} reading;

/* The id after that one. */
static void go_after(reading *r, const char *id) {
    char *end = NULL;
    const uint64_t ms = strtoull(id, &end, BASE);
    const uint64_t count = *end == '-' ? strtoull(end + 1, NULL, BASE) : 0;
    (void)snprintf(r->next, sizeof r->next, "%" PRIu64 "-%" PRIu64, ms, count + 1);
}

static redisReply *read_piece(const reading *r) {
    redis_command c = {.count = 0, .number_count = 0};
    mcpw_redis_add_text(&c, "XRANGE");
    mcpw_redis_add_text(&c, r->key);
    mcpw_redis_add_text(&c, r->next);
    mcpw_redis_add_text(&c, "+");
    mcpw_redis_add_text(&c, "COUNT");
    mcpw_redis_add_number(&c, r->at_once);
    return mcpw_redis_ask(r->redis, r->session, &c);
}

/* Gives the entries of a piece; what is none is passed over. */
static mcpw_status give_piece(reading *r, const redisReply *piece) {
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < piece->elements; i++) {
        const redisReply *const e = piece->element[i];
        if (e->type != REDIS_REPLY_ARRAY || e->elements != 2 || e->element[0]->type != REDIS_REPLY_STRING) {
            return MCPW_E_FORMAT;
        }
        go_after(r, e->element[0]->str);
        status = r->give_entry(r, e);
    }
    return status;
}

static size_t bytes_of(const redisReply *reply) {
    size_t bytes = reply->type == REDIS_REPLY_STRING ? reply->len : 0;
    for (size_t i = 0; reply->type == REDIS_REPLY_ARRAY && i < reply->elements; i++) {
        bytes += bytes_of(reply->element[i]);
    }
    return bytes;
}

/* The number of entries of the next piece, after a piece of so many. */
static uint64_t next_count(uint64_t count, const redisReply *piece) {
    if (bytes_of(piece) > FEW_BYTES) {
        return FIRST_AT_ONCE;
    }
    return 2 * count < MOST_AT_ONCE ? 2 * count : MOST_AT_ONCE;
}

static mcpw_status read_all(reading *r) {
    const uint64_t end = mcpw_io_now() + r->redis->config.patience_ms;
    mcpw_status status = MCPW_OK;
    bool has_more = true;
    r->at_once = FIRST_AT_ONCE;
    while (status == MCPW_OK && has_more) {
        if (mcpw_io_now() > end) {
            return MCPW_E_IO; /* whatever the stream holds, others are served */
        }
        redisReply *const piece = read_piece(r);
        status = piece != NULL && piece->type == REDIS_REPLY_ARRAY ? MCPW_OK : MCPW_E_IO;
        has_more = status == MCPW_OK && piece->elements == r->at_once;
        r->at_once = status == MCPW_OK ? next_count(r->at_once, piece) : r->at_once;
        status = status == MCPW_OK ? give_piece(r, piece) : status;
        freeReplyObject(piece);
    }
    return status;
}

static mcpw_status give_event(const reading *r, const redisReply *e) {
    enum { STREAM, EVENT_NUMBER, TEXT, VALUES };
    if (!mcpw_redis_is_entry(e, VALUES) ||
        strtoull(mcpw_redis_value(e, STREAM)->str, NULL, BASE) != r->stream) {
        return MCPW_OK;
    }
    const uint64_t event = strtoull(mcpw_redis_value(e, EVENT_NUMBER)->str, NULL, BASE);
    const redisReply *const text = mcpw_redis_value(e, TEXT);
    return event > r->after ? r->give(r->user, event, (mcpw_str){text->str, text->len}) : MCPW_OK;
}

static mcpw_status replay(void *self, mcpw_str session, uint64_t stream, uint64_t after, mcpw_http_give *give,
                          void *user) {
    keys k;
    reading r = {self, session, k.events, "-", give_event, give, user, stream, after, 0};
    return make_keys(self, &k, session) ? read_all(&r) : MCPW_E_IO;
}

static mcpw_status give_entry(const reading *r, const redisReply *e) {
    if (!mcpw_redis_is_entry(e, 1)) {
        return MCPW_OK;
    }
    const redisReply *const text = mcpw_redis_value(e, 0);
    return r->give(r->user, mcpw_redis_entry_number(e->element[0]->str), (mcpw_str){text->str, text->len});
}

static mcpw_status since(void *self, uint64_t after, mcpw_http_give *give, void *user) {
    mcpw_http_redis *const redis = self;
    reading r = {redis, {"", 0}, redis->log, "", give_entry, give, user, 0, after, 0};
    (void)snprintf(r.next, sizeof r.next, "%" PRIu64 "-%" PRIu64, (after + 1) >> COUNT_BITS,
                   (after + 1) & COUNT_MASK);
    return read_all(&r);
}

void mcpw_redis_set_events(mcpw_http_redis *redis) {
    redis->cluster.since = since;
    redis->store = (mcpw_http_store){.self = redis, .append = append, .replay = replay, .drop = drop};
}
