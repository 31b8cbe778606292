/* SPDX-License-Identifier: MIT */
/* A bucket of requests for each principal, in a table that does not grow. */
#include <mcpw/middleware.h>

#include "../core/objects.h"
#include "../support/text.h"

enum {
    DEFAULT_BURST = 60,
    DEFAULT_PERIOD = 1000,
    DEFAULT_PRINCIPALS = 1024,
    DEFAULT_CODE = 429,
    WAYS = 4 /* buckets among which a principal finds its own */
};

/* A bucket has no request left at `free_at - burst * period`, and its whole burst again at `free_at`. */
typedef struct bucket {
    uint64_t principal; /* a hash that peers cannot foresee; 0: unused */
    uint64_t free_at;
} bucket;

struct mcpw_rate_limit {
    mcpw_rate_limit_config config;
    size_t sets;
    bucket others; /* for all principals that have no bucket of their own */
    bucket buckets[];
};

mcpw_rate_limit *mcpw_rate_limit_new(const mcpw_rate_limit_config *config, mcpw_error *error) {
    mcpw_rate_limit_config own = MCPW_SIZED(mcpw_rate_limit_config);
    if (config == NULL || !MCPW_TAKE(&own, allocator, config) || own.now == NULL) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the config is NULL or has no clock");
        return NULL;
    }
    own.burst = own.burst != 0 ? own.burst : DEFAULT_BURST;
    own.period_ms = own.period_ms != 0 ? own.period_ms : DEFAULT_PERIOD;
    own.max_principals = own.max_principals != 0 ? own.max_principals : DEFAULT_PRINCIPALS;
    own.code = own.code != 0 ? own.code : DEFAULT_CODE;
    const size_t sets = own.max_principals / WAYS + (own.max_principals % WAYS != 0);
    if (sets > SIZE_MAX / WAYS / sizeof(bucket) / 2 || own.period_ms > UINT64_MAX / own.burst / 4) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the config's limits are too large");
        return NULL;
    }
    const size_t size = sizeof(mcpw_rate_limit) + sets * WAYS * sizeof(bucket);
    mcpw_rate_limit *const limit = mcpw_resize(&own.allocator, NULL, 0, size);
    if (limit == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return NULL;
    }
    memset(limit, 0, size);
    limit->config = own;
    limit->sets = sets;
    return limit;
}

void mcpw_rate_limit_free(mcpw_rate_limit *limit) {
    if (limit != NULL) {
        const mcpw_allocator allocator = limit->config.allocator;
        (void)mcpw_resize(&allocator, limit, sizeof *limit + limit->sets * WAYS * sizeof(bucket), 0);
    }
}

static uint64_t hash_of(const mcpw_rate_limit *limit, mcpw_str principal) {
    static const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15); /* 2^64 over the golden ratio */
    uint64_t hash = (uint64_t)(uintptr_t)limit * odd;
    for (size_t i = 0; i < principal.len; i++) {
        hash = (hash ^ hash >> 32 ^ (unsigned char)principal.ptr[i]) * odd;
    }
    hash ^= hash >> 32;
    return hash != 0 ? hash : 1;
}

/* The bucket of a principal. A bucket that allows its whole burst again equals a new one, so another
 * principal may get it. */
static bucket *bucket_of(mcpw_rate_limit *limit, mcpw_str principal, uint64_t now) {
    const uint64_t hash = hash_of(limit, principal);
    bucket *const set = limit->buckets + (size_t)(hash % limit->sets) * WAYS;
    bucket *unused = NULL;
    for (size_t i = 0; i < WAYS; i++) {
        if (set[i].principal == hash) {
            return set + i;
        }
        if (set[i].principal == 0 || set[i].free_at <= now) {
            unused = set + i;
        }
    }
    if (unused == NULL) {
        return &limit->others;
    }
    *unused = (bucket){hash, now};
    return unused;
}

static mcpw_status before(mcpw_passage *passage, void *user) {
    mcpw_rate_limit *const limit = user;
    const mcpw_rate_limit_config *const c = &limit->config;
    if (mcpw_request_session(mcpw_passage_request(passage))->threads.is_lent) {
        return MCPW_OK; /* the run of a task, whose call was counted */
    }
    const uint64_t now = c->now(c->user);
    const mcpw_str principal = mcpw_request_principal(mcpw_passage_request(passage));
    bucket *const own = principal.ptr != NULL ? bucket_of(limit, principal, now) : &limit->others;
    const uint64_t whole = c->burst * c->period_ms;
    const uint64_t free_at = (own->free_at > now ? own->free_at : now) + c->period_ms;
    if (free_at - now <= whole) {
        own->free_at = free_at;
        return MCPW_OK;
    }
    mcpw_text text = {mcpw_buffer_in(mcpw_passage_arena(passage)), MCPW_OK};
    mcpw_text_object(&text);
    mcpw_text_key(&text, "retryAfterMs");
    mcpw_text_int(&text, (int64_t)(free_at - now - whole));
    mcpw_text_object_end(&text);
    return mcpw_passage_set_error(passage, c->code, "Too many requests", mcpw_text_get(&text));
}

mcpw_middleware mcpw_rate_limit_middleware(mcpw_rate_limit *limit) {
    return (mcpw_middleware){
        .name = "rate limit", .passes = MCPW_PASS_RECEIVED_REQUESTS, .before = before, .user = limit};
}
