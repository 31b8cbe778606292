/* SPDX-License-Identifier: MIT */
/* Records of sessions: a hash for each, which expires. Their bytes are counted, so that there is an end to
 * them. The count is kept by scripts, as several processes write: a sorted set says when each session
 * expires, a hash how many bytes it has, and "all" how many all have. */
#define _GNU_SOURCE
#include "http_redis_ask.h"

#include <string.h>

/* Bytes that a part takes besides its name and its text. */
#define PART "64"

/* The time at the server; sessions that have expired are not counted any more. KEYS[2] and [3] are the sorted
 * set and the hash. */
#define FORGET_EXPIRED                                                                                       \
    "local t=redis.call('TIME') local now=t[1]*1000+math.floor(t[2]/1000) "                                  \
    "for _,old in ipairs(redis.call('ZRANGEBYSCORE',KEYS[2],'-inf',now,'LIMIT',0,100)) do "                  \
    "redis.call('HINCRBY',KEYS[3],'all',0-(redis.call('HGET',KEYS[3],old) or 0)) "                           \
    "redis.call('HDEL',KEYS[3],old) redis.call('ZREM',KEYS[2],old) end "

/* A session that is in use expires later. ARGV[1] is its id, ARGV[2] its lifetime. */
#define PUT_OFF                                                                                              \
    "local t=redis.call('TIME') local now=t[1]*1000+math.floor(t[2]/1000) "                                  \
    "redis.call('PEXPIRE',KEYS[1],ARGV[2]) redis.call('ZADD',KEYS[2],'XX',now+ARGV[2],ARGV[1]) "

/* ARGV[3] is the most bytes of all sessions, ARGV[4] the name of the part, and ARGV[5] its text; without that
 * the part is forgotten. Nothing but the first part makes a record. */
static const char keep_part[] = FORGET_EXPIRED
    "local name,text=ARGV[4],ARGV[5] local more=0 "
    "if name~='session' and redis.call('EXISTS',KEYS[1])==0 then return 'NONE' end "
    "if redis.call('HEXISTS',KEYS[1],name)==1 then "
    "more=-(#name+redis.call('HSTRLEN',KEYS[1],name)+" PART ") end "
    "if text then more=more+#name+#text+" PART " end "
    "if more>0 and (redis.call('HGET',KEYS[3],'all') or 0)+more>tonumber(ARGV[3]) then return 'FULL' end "
    "if text then redis.call('HSET',KEYS[1],name,text) else redis.call('HDEL',KEYS[1],name) end "
    "redis.call('PEXPIRE',KEYS[1],ARGV[2]) "
    "redis.call('HINCRBY',KEYS[3],ARGV[1],more) redis.call('HINCRBY',KEYS[3],'all',more) "
    "redis.call('ZADD',KEYS[2],now+ARGV[2],ARGV[1]) return 'OK'";

/* A key that is no record, or takes more than ARGV[3] bytes, is not sent. */
static const char find_parts[] =
    "local kind=redis.call('TYPE',KEYS[1]).ok "
    "if kind=='none' then return 'NONE' end "
    "if kind~='hash' then return 'BAD' end "
    "if redis.call('MEMORY','USAGE',KEYS[1],'SAMPLES','0')>tonumber(ARGV[3]) then return 'LONG' end " PUT_OFF
    "return redis.call('HGETALL',KEYS[1])";

static const char touch_session[] =
    "if redis.call('EXISTS',KEYS[1])==0 then return 'NONE' end " PUT_OFF "return 'OK'";

static const char end_session[] =
    "redis.call('DEL',KEYS[1]) redis.call('ZREM',KEYS[2],ARGV[1]) "
    "redis.call('HINCRBY',KEYS[3],'all',0-(redis.call('HGET',KEYS[3],ARGV[1]) or 0)) "
    "redis.call('HDEL',KEYS[3],ARGV[1]) return 'OK'";

/* Keys of a session and of the count of all. */
typedef struct keys {
    char session[REDIS_KEY];
    char expiry[REDIS_KEY];
    char bytes[REDIS_KEY];
} keys;

static bool make_keys(const mcpw_http_redis *redis, keys *k, mcpw_str session) {
    const mcpw_str none = {"", 0};
    return mcpw_redis_key(redis, k->session, "session:", session) &&
           mcpw_redis_key(redis, k->expiry, "sessions", none) &&
           mcpw_redis_key(redis, k->bytes, "sessions:bytes", none);
}

/* Begins a script whose first arguments are the session and its lifetime. */
static void begin(redis_command *c, const keys *k, const char *script, mcpw_str session, uint64_t lifetime) {
    c->count = c->number_count = 0;
    mcpw_redis_add_text(c, "EVAL");
    mcpw_redis_add_text(c, script);
    mcpw_redis_add_text(c, "3");
    mcpw_redis_add_text(c, k->session);
    mcpw_redis_add_text(c, k->expiry);
    mcpw_redis_add_text(c, k->bytes);
    mcpw_redis_add(c, session);
    mcpw_redis_add_number(c, lifetime);
}

/* The status that a word of a script stands for. */
static mcpw_status status_of(const redisReply *reply) {
    static const struct {
        const char *word;
        mcpw_status status;
    } words[] = {{"OK", MCPW_OK},
                 {"NONE", MCPW_E_NOT_FOUND},
                 {"FULL", MCPW_E_FULL},
                 {"BAD", MCPW_E_FORMAT},
                 {"LONG", MCPW_E_SIZE}};
    for (size_t i = 0; reply != NULL && reply->type == REDIS_REPLY_STRING && i < sizeof words / sizeof *words;
         i++) {
        if (strcmp(reply->str, words[i].word) == 0) {
            return words[i].status;
        }
    }
    return MCPW_E_IO;
}

static mcpw_status do_it(mcpw_http_redis *redis, mcpw_str session, redis_command *c) {
    redisReply *const reply = mcpw_redis_ask(redis, session, c);
    const mcpw_status status = status_of(reply);
    freeReplyObject(reply);
    return status;
}

static mcpw_status keep(void *self, mcpw_str session, uint64_t lifetime, mcpw_str name, mcpw_str text) {
    mcpw_http_redis *const redis = self;
    redis_command c;
    keys k;
    if (!make_keys(redis, &k, session)) {
        return MCPW_E_IO;
    }
    begin(&c, &k, keep_part, session, lifetime);
    mcpw_redis_add_number(&c, redis->config.max_sessions_bytes);
    mcpw_redis_add(&c, name);
    if (text.ptr != NULL) {
        mcpw_redis_add(&c, text);
    }
    return do_it(redis, session, &c);
}

static mcpw_status give_parts(const redisReply *reply, mcpw_http_take *take, void *user) {
    mcpw_status status = mcpw_redis_are_texts(reply) ? MCPW_OK : MCPW_E_FORMAT;
    for (size_t i = 0; status == MCPW_OK && i + 1 < reply->elements; i += 2) {
        const redisReply *const name = reply->element[i];
        const redisReply *const text = reply->element[i + 1];
        status = take(user, (mcpw_str){name->str, name->len}, (mcpw_str){text->str, text->len});
    }
    return status;
}

static mcpw_status find(void *self, mcpw_str session, uint64_t lifetime, mcpw_http_take *take, void *user) {
    mcpw_http_redis *const redis = self;
    redis_command c;
    keys k;
    if (!make_keys(redis, &k, session)) {
        return MCPW_E_IO;
    }
    begin(&c, &k, find_parts, session, lifetime);
    mcpw_redis_add_number(&c, redis->config.max_session_bytes);
    redisReply *const reply = mcpw_redis_ask(redis, session, &c);
    const bool is_record = reply != NULL && reply->type == REDIS_REPLY_ARRAY;
    const mcpw_status status = is_record ? give_parts(reply, take, user) : status_of(reply);
    freeReplyObject(reply);
    return status;
}

static mcpw_status touch(void *self, mcpw_str session, uint64_t lifetime) {
    redis_command c;
    keys k;
    if (!make_keys(self, &k, session)) {
        return MCPW_E_IO;
    }
    begin(&c, &k, touch_session, session, lifetime);
    return do_it(self, session, &c);
}

static void end(void *self, mcpw_str session) {
    redis_command c;
    keys k;
    if (make_keys(self, &k, session)) {
        begin(&c, &k, end_session, session, 0);
        (void)!do_it(self, session, &c); /* else it expires */
    }
}

void mcpw_redis_set_sessions(mcpw_http_redis *redis) {
    mcpw_http_cluster *const cluster = &redis->cluster;
    cluster->keep = keep;
    cluster->find = find;
    cluster->touch = touch;
    cluster->end = end;
}
