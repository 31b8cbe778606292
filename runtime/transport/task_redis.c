/* SPDX-License-Identifier: MIT */
/* A store of tasks in a Valkey or Redis server: its functions, each of which runs a script there. */
#define _GNU_SOURCE
#include "task_redis_internal.h"

#include <mcpw/io.h>

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_PORT = 6379, DEFAULT_PATIENCE = 250, DEFAULT_RETRY = 500, DEFAULT_WORKER_TTL = 10000 };
enum { DEFAULT_TASKS = 100000, DEFAULT_BYTES = 1 << 28, DEFAULT_LOG = 10000, LEAST_WORKER_TTL = 300 };
enum { SLACK = 1 << 16 /* bytes of a reply beside the text */ };

/* ---- Running a script ---- */

/* A call of a script, whose first words are filled in when it is sent. */
enum { RUN_WORD, SCRIPT_WORD };

static void begin(const task_redis *redis, task_command *c, const char *function, mcpw_str id) {
    c->count = 0;
    mcpw_task_redis_add_text(c, "");
    mcpw_task_redis_add_text(c, "");
    mcpw_task_redis_add_text(c, "1");
    mcpw_task_redis_add_text(c, redis->config.prefix);
    mcpw_task_redis_add_text(c, function);
    mcpw_task_redis_add(c, id);
}

static void set_word(task_command *c, int at, const char *word) {
    c->words[at] = word;
    c->lens[at] = strlen(word);
}

/* Loads a script, unless its hash is known. */
static bool load(task_redis *redis, int script, uint64_t end) {
    char *const hash = redis->hashes[script];
    task_command c = {.count = 0};
    if (*hash != '\0') {
        return true;
    }
    mcpw_task_redis_add_text(&c, "SCRIPT");
    mcpw_task_redis_add_text(&c, "LOAD");
    mcpw_task_redis_add_text(&c, mcpw_task_redis_scripts[script]);
    const redisReply *const reply = mcpw_task_redis_ask(&redis->wire, &c, SLACK, end);
    if (reply != NULL && mcpw_task_redis_is_text(reply) && reply->len == TASK_REDIS_HASH - 1) {
        memcpy(hash, reply->str, TASK_REDIS_HASH);
    }
    return reply != NULL;
}

/* The reply; NULL: there is none in time. A server that has forgotten the script is sent all of it. */
static const redisReply *run_script(task_redis *redis, int script, task_command *c, size_t most,
                                    uint64_t end) {
    static const char forgotten[] = "NOSCRIPT";
    const char *const hash = redis->hashes[script];
    if (!mcpw_task_redis_open(&redis->wire, end) || !load(redis, script, end)) {
        return NULL;
    }
    if (*hash != '\0') {
        set_word(c, RUN_WORD, "EVALSHA");
        set_word(c, SCRIPT_WORD, hash);
        const redisReply *const reply = mcpw_task_redis_ask(&redis->wire, c, most, end);
        if (reply == NULL || reply->type != REDIS_REPLY_ERROR ||
            strncmp(reply->str, forgotten, sizeof forgotten - 1) != 0) {
            return reply;
        }
    }
    set_word(c, RUN_WORD, "EVAL");
    set_word(c, SCRIPT_WORD, mcpw_task_redis_scripts[script]);
    return mcpw_task_redis_ask(&redis->wire, c, most, end);
}

/* When a function has to give up; 0: at once. */
static uint64_t end_of_patience(const task_redis *redis) {
    const uint64_t now = mcpw_io_now();
    return now >= redis->asked_again ? now + redis->config.patience_ms : 0;
}

/* The same, and nothing more is asked for a while after a failure. */
static const redisReply *run(task_redis *redis, int script, task_command *c, size_t most, uint64_t end) {
    const redisReply *const reply = end != 0 ? run_script(redis, script, c, most, end) : NULL;
    if (end != 0 && reply == NULL) {
        redis->asked_again = mcpw_io_now() + redis->config.retry_ms;
    }
    return reply;
}

/* The server may have to ask again what has failed. The other thread tells it so when it has a connection. */
static mcpw_status noted(task_redis *redis, mcpw_status status) {
    if (status == MCPW_E_IO) {
        atomic_store(&redis->has_failed, true);
    }
    return status;
}

/* ---- Changing entries ---- */

/* Whether so many other servers have the changes of this connection. */
static mcpw_status wait_for_replicas(task_redis *redis, uint64_t end) {
    const uint64_t now = mcpw_io_now();
    task_command c = {.count = 0};
    if (redis->config.replicas == 0) {
        return MCPW_OK;
    }
    mcpw_task_redis_add_text(&c, "WAIT");
    mcpw_task_redis_add_number(&c, redis->config.replicas);
    mcpw_task_redis_add_number(&c, now + 1 < end ? (end - now) / 2 : 1); /* half for the way */
    const redisReply *const reply = mcpw_task_redis_ask(&redis->wire, &c, SLACK, end);
    const bool is_kept = reply != NULL && reply->type == REDIS_REPLY_INTEGER &&
                         reply->integer >= (long long)redis->config.replicas;
    return is_kept ? MCPW_OK : MCPW_E_IO;
}

static uint64_t now_ms(const mcpw_task_redis_config *config) {
    enum { MS_IN_S = 1000, NS_IN_MS = 1000000 };
    struct timespec now = {0, 0};
    if (config->clock != NULL) {
        return config->clock(config->clock_user);
    }
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * MS_IN_S + (uint64_t)now.tv_nsec / NS_IN_MS;
}

/* The arguments from the version on. */
static void add_entry(const task_redis *redis, task_command *c, const mcpw_task_entry *entry,
                      const mcpw_task_limits *limits) {
    const mcpw_task_redis_config *const config = &redis->config;
    const uint64_t now = now_ms(config);
    mcpw_task_redis_add_number(c, entry->version);
    mcpw_task_redis_add_number(c, entry->version - 1);
    mcpw_task_redis_add_number(c, entry->expires_at);
    if (entry->expires_at == UINT64_MAX) {
        mcpw_task_redis_add_text(c, "");
    } else {
        mcpw_task_redis_add_number(c, entry->expires_at > now ? entry->expires_at - now : 0);
    }
    mcpw_task_redis_add_text(c, entry->is_final ? "1" : "0");
    mcpw_task_redis_add(c, entry->worker);
    mcpw_task_redis_add(c, entry->text);
    mcpw_task_redis_add_number(c, limits->count);
    mcpw_task_redis_add_number(c, limits->bytes);
    mcpw_task_redis_add_number(c, config->max_tasks);
    mcpw_task_redis_add_number(c, config->max_bytes);
    mcpw_task_redis_add_text(c, redis->worker);
    mcpw_task_redis_add_number(c, config->worker_ttl_ms);
    mcpw_task_redis_add_number(c, config->max_log);
}

static bool is_usable(const mcpw_task_entry *entry) {
    return mcpw_task_redis_is_id(entry->id) && entry->text.ptr != NULL && entry->version != 0 &&
           (entry->worker.ptr == NULL || mcpw_task_redis_is_id(entry->worker));
}

static mcpw_status write_entry(task_redis *redis, const char *function, const mcpw_task_entry *entry,
                               mcpw_str owner, const mcpw_task_limits *limits) {
    const uint64_t end = end_of_patience(redis);
    task_command c;
    begin(redis, &c, function, entry->id);
    mcpw_task_redis_add(&c, owner);
    add_entry(redis, &c, entry, limits);
    const mcpw_status status = mcpw_task_redis_status(run(redis, TASK_WRITE, &c, SLACK, end));
    return noted(redis, status == MCPW_OK ? wait_for_replicas(redis, end) : status);
}

/* An owner as scripts know it: - for none, or + and the principal. NULL: it is too long, or there is no
 * memory. */
static char *owner_of(mcpw_str principal, mcpw_str *out) {
    const size_t len = principal.ptr != NULL ? principal.len : 0;
    char *const text = len <= TASK_REDIS_LONGEST_OWNER ? malloc(len + 1) : NULL;
    if (text != NULL) {
        *text = principal.ptr != NULL ? '+' : '-';
        if (len != 0) {
            memcpy(text + 1, principal.ptr, len);
        }
        *out = (mcpw_str){text, len + 1};
    }
    return text;
}

static mcpw_status create(void *self, const mcpw_task_entry *entry, const mcpw_task_limits *limits) {
    mcpw_str name = {NULL, 0};
    if (!is_usable(entry) || entry->principal.len > TASK_REDIS_LONGEST_OWNER) {
        return MCPW_E_ARGUMENT;
    }
    char *const owner = owner_of(entry->principal, &name);
    const mcpw_status status =
        owner != NULL ? write_entry(self, "create", entry, name, limits) : MCPW_E_MEMORY;
    free(owner);
    return status;
}

static mcpw_status replace(void *self, const mcpw_task_entry *entry, const mcpw_task_limits *limits) {
    const mcpw_str kept = {"", 0}; /* the owner is that of the kept entry */
    return is_usable(entry) ? write_entry(self, "replace", entry, kept, limits) : MCPW_E_ARGUMENT;
}

static mcpw_status remove_entry(void *self, mcpw_str id) {
    task_redis *const redis = self;
    task_command c;
    if (!mcpw_task_redis_is_id(id)) {
        return MCPW_OK;
    }
    begin(redis, &c, "remove", id);
    mcpw_task_redis_add_number(&c, 0);
    return mcpw_task_redis_status(run(redis, TASK_LOOK, &c, SLACK, end_of_patience(redis)));
}

/* ---- Reading entries ---- */

/* Reads an entry; with an owner, one of theirs. */
static mcpw_status read_one(task_redis *redis, mcpw_str id, const mcpw_str *owner, size_t most, uint64_t end,
                            mcpw_take_task *take, void *user) {
    const size_t longest = most < SIZE_MAX - SLACK ? most + SLACK : most;
    mcpw_task_entry entry;
    task_command c;
    begin(redis, &c, "read", id);
    mcpw_task_redis_add_number(&c, most);
    const redisReply *const reply = run(redis, TASK_LOOK, &c, longest, end);
    if (!mcpw_task_redis_is_array(reply, 0)) {
        const mcpw_status failure = mcpw_task_redis_status(reply);
        return owner == NULL ? noted(redis, failure) : failure; /* a list is asked for again by its client */
    }
    const mcpw_status status = mcpw_task_redis_entry(reply, id, &entry);
    if (status == MCPW_OK && (owner == NULL || mcpw_str_equal(entry.principal, *owner))) {
        if (mcpw_str_equal(entry.worker, mcpw_str_from(redis->worker))) {
            entry.is_orphan = false; /* this process knows best that it is alive */
        }
        take(user, &entry);
    }
    return status;
}

static mcpw_status read_entry(void *self, mcpw_str id, size_t most, mcpw_take_task *take, void *user) {
    task_redis *const redis = self;
    return mcpw_task_redis_is_id(id) ? read_one(redis, id, NULL, most, end_of_patience(redis), take, user)
                                     : MCPW_E_NOT_FOUND;
}

/* A list under way. */
typedef struct listing {
    task_redis *redis;
    mcpw_str principal;
    mcpw_str owner; /* the same as scripts know it */
    size_t most;
    uint64_t end;
    size_t left; /* entries that may still be taken */
    mcpw_take_task *take;
    void *user;
    bool is_answered; /* a reply has come */
} listing;

static void take_listed(void *user, const mcpw_task_entry *entry) {
    listing *const l = user;
    l->left--;
    l->take(l->user, entry);
}

/* The ids of the next entries, texts with a NUL each. MCPW_E_NOT_FOUND: there is no such entry to begin
 * after. */
static mcpw_status next_ids(listing *l, mcpw_str after, size_t count, char ids[][TASK_REDIS_LONGEST_ID + 1],
                            size_t *found) {
    task_command c;
    begin(l->redis, &c, "list", after);
    mcpw_task_redis_add_number(&c, l->most);
    mcpw_task_redis_add(&c, l->owner);
    mcpw_task_redis_add_number(&c, count);
    const redisReply *const reply = run(l->redis, TASK_LOOK, &c, SLACK, l->end);
    l->is_answered = l->is_answered || reply != NULL;
    *found = 0;
    if (!mcpw_task_redis_is_array(reply, 0)) {
        return mcpw_task_redis_status(reply);
    }
    if (reply->elements > count) {
        return MCPW_E_FORMAT;
    }
    for (size_t i = 0; i < reply->elements; i++) {
        const redisReply *const one = reply->element[i];
        if (!mcpw_task_redis_is_text(one) || one->len > TASK_REDIS_LONGEST_ID) {
            return MCPW_E_FORMAT;
        }
        memcpy(ids[(*found)++], one->str, (size_t)one->len + 1);
    }
    return MCPW_OK;
}

/* Entries are read one by one, so that one is in memory at a time. Damaged ones, and those that have gone
 * meanwhile, are left out. */
static mcpw_status list_all(listing *l, mcpw_str after) {
    enum { AT_ONCE = 64 };
    char ids[AT_ONCE][TASK_REDIS_LONGEST_ID + 1];
    char last[TASK_REDIS_LONGEST_ID + 1];
    mcpw_status status = MCPW_OK;
    size_t found = 1;
    while (status == MCPW_OK && l->left > 0 && found > 0) {
        status = next_ids(l, after, l->left < AT_ONCE ? l->left : AT_ONCE, ids, &found);
        for (size_t i = 0; status == MCPW_OK && i < found; i++) {
            status =
                read_one(l->redis, mcpw_str_from(ids[i]), &l->principal, l->most, l->end, take_listed, l);
            status = status != MCPW_E_IO ? MCPW_OK : status;
        }
        if (found > 0) {
            memcpy(last, ids[found - 1], sizeof last);
            after = mcpw_str_from(last);
        }
    }
    return status;
}

static mcpw_status list(void *self, mcpw_str principal, mcpw_str after, size_t count, size_t most,
                        mcpw_take_task *take, void *user) {
    task_redis *const redis = self;
    const uint64_t asked_again = redis->asked_again;
    listing l = {redis, principal, {NULL, 0}, most, end_of_patience(redis), count, take, user, false};
    if (principal.len > TASK_REDIS_LONGEST_OWNER || (after.ptr != NULL && !mcpw_task_redis_is_id(after))) {
        return MCPW_E_NOT_FOUND;
    }
    char *const owner = owner_of(principal, &l.owner);
    const mcpw_status status = owner != NULL ? list_all(&l, after) : MCPW_E_MEMORY;
    if (l.is_answered) { /* there was too much to read, and the server answers others */
        redis->asked_again = asked_again;
    }
    free(owner);
    return status;
}

static void follow(void *self, void (*hear)(void *user, mcpw_str id), void *user) {
    task_redis *const redis = self;
    (void)pthread_mutex_lock(&redis->lock);
    redis->hear = hear;
    redis->hearer = user;
    (void)pthread_mutex_unlock(&redis->lock);
}

/* ---- Making one ---- */

static size_t size_or(size_t value, size_t otherwise) { return value != 0 ? value : otherwise; }
static uint64_t ms_or(uint64_t value, uint64_t otherwise) { return value != 0 ? value : otherwise; }

static bool copy_text(const char **text, const char *otherwise) {
    const char *const given = *text != NULL ? *text : otherwise;
    *text = given != NULL ? strdup(given) : NULL;
    return *text != NULL || given == NULL;
}

/* The texts of the config become copies, so that they can be freed in any case. */
static bool copy_config(task_redis *redis, const mcpw_task_redis_config *given) {
    mcpw_task_redis_config *const config = &redis->config;
    *config = *given;
    config->port = given->port != 0 ? given->port : DEFAULT_PORT;
    config->patience_ms = ms_or(given->patience_ms, DEFAULT_PATIENCE);
    config->retry_ms = ms_or(given->retry_ms, DEFAULT_RETRY);
    config->worker_ttl_ms = ms_or(given->worker_ttl_ms, DEFAULT_WORKER_TTL);
    config->max_tasks = size_or(given->max_tasks, DEFAULT_TASKS);
    config->max_bytes = size_or(given->max_bytes, DEFAULT_BYTES);
    config->max_log = size_or(given->max_log, DEFAULT_LOG);
    bool done = copy_text(&config->address, "127.0.0.1");
    done = copy_text(&config->user, NULL) && done;
    done = copy_text(&config->password, NULL) && done;
    return copy_text(&config->prefix, "mcpw:") && done;
}

static const char *fault_of(const mcpw_task_redis_config *config) {
    enum { LONGEST_MS = 86400000 };
    unsigned char bytes[sizeof(struct in6_addr)];
    const char *const address = config->address;
    if (*address != '/' && inet_pton(AF_INET, address, bytes) != 1 &&
        inet_pton(AF_INET6, address, bytes) != 1) {
        return "the address of a store of tasks must be in digits, or the path of a socket";
    }
    if (config->worker_ttl_ms < LEAST_WORKER_TTL || config->worker_ttl_ms > LONGEST_MS ||
        config->patience_ms > LONGEST_MS || config->retry_ms > LONGEST_MS) {
        return "a time of a store of tasks is out of range";
    }
    return config->password == NULL && config->user != NULL ? "a store of tasks has a user, and no password"
                                                            : NULL;
}

static char *make_key(const task_redis *redis, const char *name, const char *more) {
    const size_t size = strlen(redis->config.prefix) + strlen(name) + strlen(more) + 1;
    char *const key = malloc(size);
    if (key != NULL) {
        (void)snprintf(key, size, "%s%s%s", redis->config.prefix, name, more);
    }
    return key;
}

static bool make_worker(task_redis *redis) {
    enum { HALF = 4, MASK = 15 };
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[MCPW_TASK_ID_LEN / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return false;
    }
    for (size_t i = 0; i < sizeof bytes; i++) {
        redis->worker[2 * i] = digits[bytes[i] >> HALF];
        redis->worker[2 * i + 1] = digits[bytes[i] & MASK];
    }
    redis->worker[MCPW_TASK_ID_LEN] = '\0';
    return true;
}

static void fill_store(task_redis *redis) {
    redis->store = (mcpw_task_store)MCPW_TASK_STORE_INIT;
    redis->store.self = redis;
    redis->store.worker = redis->worker;
    redis->store.create = create;
    redis->store.read = read_entry;
    redis->store.replace = replace;
    redis->store.list = list;
    redis->store.remove = remove_entry;
    redis->store.follow = follow;
}

/* Fills in a store that can be freed already. */
static bool set_up(task_redis *redis, const mcpw_task_redis_config *given, mcpw_error *error) {
    if (!copy_config(redis, given)) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return false;
    }
    const char *const fault = fault_of(&redis->config);
    if (fault != NULL) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s", fault);
        return false;
    }
    redis->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (redis->wake < 0 || !make_worker(redis)) {
        mcpw_error_set(error, MCPW_E_IO, 0, "cannot begin a store of tasks: %s", strerror(errno));
        return false;
    }
    fill_store(redis);
    redis->log = make_key(redis, "tasks:log", "");
    redis->worker_key = make_key(redis, "worker:", redis->worker);
    redis->workers = make_key(redis, "workers", "");
    redis->wire = (task_wire){.config = &redis->config, .wake = -1};
    redis->beat = redis->wire;
    if (redis->log == NULL || redis->worker_key == NULL || redis->workers == NULL ||
        !mcpw_task_redis_start(redis)) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "cannot start the thread of a store of tasks");
        return false;
    }
    return true;
}

mcpw_task_store *mcpw_task_redis_new(const mcpw_task_redis_config *config, mcpw_error *error) {
    mcpw_task_redis_config given = MCPW_TASK_REDIS_CONFIG_INIT;
    if (!MCPW_TAKE(&given, clock_user, config)) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the config of a store of tasks has a wrong struct_size");
        return NULL;
    }
    task_redis *const redis = calloc(1, sizeof *redis);
    if (redis == NULL || pthread_mutex_init(&redis->lock, NULL) != 0) {
        free(redis);
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return NULL;
    }
    redis->wake = -1;
    if (!set_up(redis, &given, error)) {
        mcpw_task_redis_free(&redis->store);
        return NULL;
    }
    return &redis->store;
}

bool mcpw_task_redis_is_connected(const mcpw_task_store *store) {
    const task_redis *const redis = store->self;
    return atomic_load(&redis->is_alive);
}

static void free_text(const char *text) { free((void *)(uintptr_t)text); }

void mcpw_task_redis_free(mcpw_task_store *store) {
    if (store == NULL) {
        return;
    }
    task_redis *const redis = (task_redis *)store; /* its first member */
    mcpw_task_redis_stop(redis);
    mcpw_task_redis_close(&redis->wire);
    (void)pthread_mutex_destroy(&redis->lock);
    if (redis->wake >= 0) {
        (void)close(redis->wake);
    }
    free_text(redis->config.address);
    free_text(redis->config.user);
    free_text(redis->config.password);
    free_text(redis->config.prefix);
    free(redis->log);
    free(redis->worker_key);
    free(redis->workers);
    free(redis);
}
