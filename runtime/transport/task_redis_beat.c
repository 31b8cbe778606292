/* SPDX-License-Identifier: MIT */
/* The thread that keeps the worker known as alive, and reads the log of replacements. */
#define _GNU_SOURCE
#include "task_redis_internal.h"

#include <mcpw/io.h>

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>

enum {
    AT_ONCE = 64,         /* entries of the log that are read */
    MOST_BYTES = 1 << 17, /* of a reply; an entry takes about 150 */
    BEATS = 3             /* in the time after which the worker has ended */
};

static uint64_t beat_ms(const task_redis *redis) { return redis->config.worker_ttl_ms / BEATS; }

/* ---- Heartbeats ---- */

/* The worker is alive. KEYS[1] is its key, KEYS[2] the sorted set of workers by their last heartbeat. ARGV:
 * ms until it has ended, its name, the time of the last heartbeat. It answers the time, and how many other
 * workers have ended since the last heartbeat. Those are remembered for a while, so that each process hears
 * of them. */
static const char beat_script[] =
    "local t=redis.call('TIME') local now=t[1]*1000+math.floor(t[2]/1000) local ttl=tonumber(ARGV[1])\n"
    "local function text(n) return string.format('%.0f',n) end\n"
    "redis.call('SET',KEYS[1],'1','PX',ARGV[1])\n"
    "local kind=redis.call('TYPE',KEYS[2]).ok\n"
    "if kind~='zset' and kind~='none' then redis.call('DEL',KEYS[2]) end\n"
    "redis.call('ZADD',KEYS[2],text(now),ARGV[2])\n"
    "redis.call('ZREMRANGEBYSCORE',KEYS[2],'-inf',text(now-20*ttl))\n"
    "local from=math.max(now-20*ttl,tonumber(ARGV[3])-ttl)\n"
    "return {text(now),text(redis.call('ZCOUNT',KEYS[2],text(from),'('..text(now-ttl)))}";

static bool take_beat(task_redis *redis, const redisReply *reply) {
    uint64_t now = 0;
    uint64_t ended = 0;
    if (!mcpw_task_redis_is_array(reply, 2) || !mcpw_task_redis_number(reply->element[0], &now) ||
        !mcpw_task_redis_number(reply->element[1], &ended)) {
        return false;
    }
    const bool has_failed = atomic_exchange(&redis->has_failed, false);
    redis->has_missed = redis->has_missed || has_failed || (redis->last_beat != 0 && ended != 0);
    redis->last_beat = now;
    return true;
}

static bool beat(task_redis *redis) {
    const uint64_t begin = mcpw_io_now();
    task_command c = {.count = 0};
    mcpw_task_redis_add_text(&c, "EVAL");
    mcpw_task_redis_add_text(&c, beat_script);
    mcpw_task_redis_add_text(&c, "2");
    mcpw_task_redis_add_text(&c, redis->worker_key);
    mcpw_task_redis_add_text(&c, redis->workers);
    mcpw_task_redis_add_number(&c, redis->config.worker_ttl_ms);
    mcpw_task_redis_add_text(&c, redis->worker);
    mcpw_task_redis_add_number(&c, redis->last_beat);
    const bool is_set =
        take_beat(redis, mcpw_task_redis_ask(&redis->beat, &c, MOST_BYTES, begin + beat_ms(redis)));
    redis->next_beat = begin + beat_ms(redis);
    atomic_store(&redis->is_alive, is_set);
    return is_set;
}

/* ---- The log ---- */

/* Calls the server; an absent id: replacements were missed. */
static void tell(task_redis *redis, mcpw_str id) {
    (void)pthread_mutex_lock(&redis->lock);
    if (redis->hear != NULL) {
        redis->hear(redis->hearer, id);
    }
    (void)pthread_mutex_unlock(&redis->lock);
}

/* The id of an entry of a log: two numbers with a hyphen between. */
static bool take_log_id(task_redis *redis, const redisReply *reply) {
    static const char characters[] = "0123456789-";
    const bool is_id = mcpw_task_redis_is_text(reply) && reply->len != 0 &&
                       (size_t)reply->len < sizeof redis->last &&
                       strspn(reply->str, characters) == (size_t)reply->len;
    if (is_id) {
        memcpy(redis->last, reply->str, (size_t)reply->len + 1);
    }
    return is_id;
}

/* The fields of an entry. An entry that another has written has no number, so the next one shows a gap. */
static void hear_fields(task_redis *redis, const redisReply *fields) {
    enum { NUMBER = 1, ID = 3, BY = 5, FIELDS = 6 };
    uint64_t number = 0;
    if (!mcpw_task_redis_is_array(fields, FIELDS) ||
        !mcpw_task_redis_number(fields->element[NUMBER], &number) ||
        !mcpw_task_redis_is_text(fields->element[ID]) || !mcpw_task_redis_is_text(fields->element[BY])) {
        return;
    }
    const bool is_next = number == redis->last_number + 1;
    const mcpw_str id = {fields->element[ID]->str, (size_t)fields->element[ID]->len};
    redis->last_number = number;
    if (!is_next) {
        tell(redis, (mcpw_str){NULL, 0});
    } else if (strcmp(fields->element[BY]->str, redis->worker) != 0 && mcpw_task_redis_is_id(id)) {
        tell(redis, id);
    }
}

/* [[id, [field, value, ...]], ...]; false: it is something else. */
static bool hear_entries(task_redis *redis, const redisReply *entries) {
    bool is_right = mcpw_task_redis_is_array(entries, 0);
    for (size_t i = 0; is_right && i < entries->elements; i++) {
        const redisReply *const entry = entries->element[i];
        is_right = mcpw_task_redis_is_array(entry, 2) && take_log_id(redis, entry->element[0]);
        if (is_right) {
            hear_fields(redis, entry->element[1]);
        }
    }
    return is_right;
}

/* The id and the number of the newest entry. KEYS[1] is the log. The entry itself may be of any length. */
static const char newest[] = "local e=redis.call('XREVRANGE',KEYS[1],'+','-','COUNT',1)[1] "
                             "return e and {e[1],string.sub(e[2][2] or '',1,20)} or {'0-0','0'}";

/* Reading begins after it: replacements before the store began concern none of its tasks. */
static bool find_newest(task_redis *redis) {
    task_command c = {.count = 0};
    mcpw_task_redis_add_text(&c, "EVAL");
    mcpw_task_redis_add_text(&c, newest);
    mcpw_task_redis_add_text(&c, "1");
    mcpw_task_redis_add_text(&c, redis->log);
    const redisReply *const reply =
        mcpw_task_redis_ask(&redis->beat, &c, MOST_BYTES, mcpw_io_now() + beat_ms(redis));
    if (reply == NULL) {
        return false;
    }
    redis->last_number = 0;
    if (!mcpw_task_redis_is_array(reply, 2) || !take_log_id(redis, reply->element[0])) {
        (void)snprintf(redis->last, sizeof redis->last, "%s", "0-0"); /* the key is no log */
    } else {
        (void)mcpw_task_redis_number(reply->element[1], &redis->last_number);
    }
    return true;
}

/* Waits, at most until the next heartbeat; false: the thread ends. */
static bool rest(const task_redis *redis, uint64_t ms) {
    struct pollfd wake = {.fd = redis->wake, .events = POLLIN};
    return poll(&wake, 1, (int)ms) == 0;
}

/* Waits for entries until the next heartbeat. */
static bool read_log(task_redis *redis) {
    const uint64_t now = mcpw_io_now();
    const uint64_t wait = now < redis->next_beat ? redis->next_beat - now : 1;
    task_command c = {.count = 0};
    mcpw_task_redis_add_text(&c, "XREAD");
    mcpw_task_redis_add_text(&c, "COUNT");
    mcpw_task_redis_add_number(&c, AT_ONCE);
    mcpw_task_redis_add_text(&c, "BLOCK");
    mcpw_task_redis_add_number(&c, wait);
    mcpw_task_redis_add_text(&c, "STREAMS");
    mcpw_task_redis_add_text(&c, redis->log);
    mcpw_task_redis_add_text(&c, redis->last);
    const redisReply *const reply =
        mcpw_task_redis_ask(&redis->beat, &c, MOST_BYTES, now + wait + beat_ms(redis));
    if (reply == NULL) {
        return false;
    }
    if (reply->type == REDIS_REPLY_ERROR) { /* the key is no log: the next replacement makes one */
        return rest(redis, wait < redis->config.retry_ms ? wait : redis->config.retry_ms);
    }
    return reply->type == REDIS_REPLY_NIL ||
           (mcpw_task_redis_is_array(reply, 1) && mcpw_task_redis_is_array(reply->element[0], 2) &&
            hear_entries(redis, reply->element[0]->element[1]));
}

/* ---- The thread ---- */

/* Tells the server what it has to be told. */
static void tell_missed(task_redis *redis) {
    if (redis->has_missed) {
        redis->has_missed = false;
        tell(redis, (mcpw_str){NULL, 0});
    }
}

/* Serves one connection as long as it lasts. */
static void serve(task_redis *redis) {
    bool is_up = mcpw_task_redis_open(&redis->beat, mcpw_io_now() + beat_ms(redis)) && beat(redis);
    if (is_up && *redis->last == '\0') {
        is_up = find_newest(redis);
    }
    while (is_up) {
        tell_missed(redis);
        is_up = (mcpw_io_now() < redis->next_beat || beat(redis)) && read_log(redis);
    }
    if (redis->beat.is_too_long) { /* entries of another's making, which are passed over */
        redis->last[0] = '\0';
        redis->has_missed = true;
    }
    atomic_store(&redis->is_alive, false);
    mcpw_task_redis_close(&redis->beat);
}

/* KEYS and ARGV as those of a heartbeat. Others need not wait until the key expires. */
static const char end_script[] =
    "local t=redis.call('TIME') local now=t[1]*1000+math.floor(t[2]/1000) redis.call('DEL',KEYS[1])\n"
    "if redis.call('TYPE',KEYS[2]).ok=='zset' then\n"
    "redis.call('ZADD',KEYS[2],string.format('%.0f',now-ARGV[1]),ARGV[2]) end return 'OK'";

static void say_goodbye(task_redis *redis) {
    const uint64_t end = mcpw_io_now() + redis->config.patience_ms;
    task_command c = {.count = 0};
    redis->beat.wake = -1;
    mcpw_task_redis_add_text(&c, "EVAL");
    mcpw_task_redis_add_text(&c, end_script);
    mcpw_task_redis_add_text(&c, "2");
    mcpw_task_redis_add_text(&c, redis->worker_key);
    mcpw_task_redis_add_text(&c, redis->workers);
    mcpw_task_redis_add_number(&c, redis->config.worker_ttl_ms);
    mcpw_task_redis_add_text(&c, redis->worker);
    if (mcpw_task_redis_open(&redis->beat, end)) {
        (void)mcpw_task_redis_ask(&redis->beat, &c, MOST_BYTES, end);
    }
    mcpw_task_redis_close(&redis->beat);
}

static void *run(void *argument) {
    task_redis *const redis = argument;
    do {
        serve(redis);
    } while (rest(redis, redis->config.retry_ms));
    say_goodbye(redis);
    return NULL;
}

bool mcpw_task_redis_start(task_redis *redis) {
    sigset_t all;
    sigset_t before;
    redis->beat.wake = redis->wake;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before); /* signals belong to the program */
    redis->has_thread = pthread_create(&redis->thread, NULL, run, redis) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return redis->has_thread;
}

void mcpw_task_redis_stop(task_redis *redis) {
    if (redis->has_thread) {
        (void)eventfd_write(redis->wake, 1);
        (void)pthread_join(redis->thread, NULL);
    }
}
