/* SPDX-License-Identifier: MIT */
/* A process that uses the store of tasks in Valkey or Redis as it is told. Each line of standard input is a
 * command and its arguments; the answer is a line that begins with a status. "-" is an absent argument, and
 * "me" the worker of this process. A line "hear ID" comes whenever another process has replaced an entry.
 *
 *     create ID OWNER TTL WORKER TEXT          read ID MOST         list OWNER AFTER COUNT
 *     replace ID VERSION TTL FINAL WORKER TEXT remove ID            follow / unfollow
 *     limits COUNT BYTES                       connected            worker
 *     race ID ROUNDS                           fill OWNER COUNT
 *
 * usage: task_redis_shell NAME=VALUE...; names are those of members of the config. */
#define _POSIX_C_SOURCE 200809L
#include <mcpw/task_redis.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINE = 1 << 16, MOST_WORDS = 8, BASE = 10, ID_TEXT = 64 };

typedef struct shell {
    mcpw_task_store *store;
    mcpw_task_limits limits;
} shell;

static const char *word_of(mcpw_status status) {
    static const struct {
        mcpw_status status;
        const char *word;
    } words[] = {{MCPW_OK, "OK"},
                 {MCPW_E_NOT_FOUND, "NOT_FOUND"},
                 {MCPW_E_DUPLICATE, "DUPLICATE"},
                 {MCPW_E_FULL, "FULL"},
                 {MCPW_E_SIZE, "SIZE"},
                 {MCPW_E_STATE, "STATE"},
                 {MCPW_E_FORMAT, "FORMAT"},
                 {MCPW_E_IO, "IO"},
                 {MCPW_E_ARGUMENT, "ARGUMENT"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (words[i].status == status) {
            return words[i].word;
        }
    }
    return "OTHER";
}

/* ---- Arguments ---- */

static mcpw_str text_of(const char *argument) {
    return strcmp(argument, "-") != 0 ? mcpw_str_from(argument) : (mcpw_str){NULL, 0};
}

static uint64_t number_of(const char *argument) { return strtoull(argument, NULL, BASE); }

static uint64_t end_of(const char *ttl) {
    enum { MS_IN_S = 1000, NS_IN_MS = 1000000 };
    struct timespec t = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &t);
    return strcmp(ttl, "-") != 0
               ? (uint64_t)t.tv_sec * MS_IN_S + (uint64_t)t.tv_nsec / NS_IN_MS + number_of(ttl)
               : UINT64_MAX;
}

static mcpw_task_entry entry_of(const shell *s, const char *id, uint64_t version, const char *ttl,
                                const char *worker, const char *text) {
    mcpw_task_entry entry = MCPW_TASK_ENTRY_INIT;
    entry.id = mcpw_str_from(id);
    entry.version = version;
    entry.expires_at = end_of(ttl);
    entry.worker = strcmp(worker, "me") == 0 ? mcpw_str_from(s->store->worker) : text_of(worker);
    entry.text = mcpw_str_from(text);
    return entry;
}

/* ---- Answers ---- */

static void say(const char *line) {
    (void)flockfile(stdout);
    (void)fputs(line, stdout);
    (void)fputc('\n', stdout);
    (void)fflush(stdout);
    funlockfile(stdout);
}

static void say_status(mcpw_status status) { say(word_of(status)); }

static void hear(void *user, mcpw_str id) {
    char line[2 * ID_TEXT];
    (void)user;
    (void)snprintf(line, sizeof line, "hear %.*s", id.ptr != NULL ? (int)id.len : 1,
                   id.ptr != NULL ? id.ptr : "-");
    say(line);
}

typedef struct answer {
    char text[LINE];
    size_t len;
    uint64_t version;
} answer;

static void take_one(void *user, const mcpw_task_entry *e) {
    answer *const a = user;
    const int len = snprintf(a->text + a->len, sizeof a->text - a->len,
                             "%s%.*s owner=%.*s version=%" PRIu64 " %s %s %.*s", a->len != 0 ? " | " : "",
                             (int)e->id.len, e->id.ptr, e->principal.ptr != NULL ? (int)e->principal.len : 1,
                             e->principal.ptr != NULL ? e->principal.ptr : "-", e->version,
                             e->is_final ? "final" : "open", e->is_orphan ? "orphan" : "kept",
                             (int)(e->text.len < ID_TEXT ? e->text.len : ID_TEXT), e->text.ptr);
    a->version = e->version;
    a->len += len > 0 ? (size_t)len : 0;
    a->len = a->len < sizeof a->text ? a->len : sizeof a->text - 1;
}

static void say_answer(mcpw_status status, const answer *a) {
    static char line[LINE + ID_TEXT];
    (void)snprintf(line, sizeof line, "%s %s", word_of(status), a->text);
    say(line);
}

/* ---- Commands ---- */

static void do_create(shell *s, char **w) {
    mcpw_task_entry entry = entry_of(s, w[1], 1, w[3], w[4], w[5]);
    entry.principal = text_of(w[2]);
    say_status(s->store->create(s->store->self, &entry, &s->limits));
}

static void do_replace(shell *s, char **w) {
    mcpw_task_entry entry = entry_of(s, w[1], number_of(w[2]), w[3], w[5], w[6]);
    entry.is_final = *w[4] == '1';
    say_status(s->store->replace(s->store->self, &entry, &s->limits));
}

static void do_read(shell *s, char **w) {
    static answer a;
    a.len = 0;
    a.text[0] = '\0';
    const mcpw_status status =
        s->store->read(s->store->self, mcpw_str_from(w[1]), number_of(w[2]), take_one, &a);
    say_answer(status, &a);
}

static void do_list(shell *s, char **w) {
    static answer a;
    a.len = 0;
    a.text[0] = '\0';
    const mcpw_status status =
        s->store->list(s->store->self, text_of(w[1]), text_of(w[2]), number_of(w[3]), SIZE_MAX, take_one, &a);
    say_answer(status, &a);
}

static void do_remove(shell *s, char **w) {
    say_status(s->store->remove(s->store->self, mcpw_str_from(w[1])));
}

static void do_limits(shell *s, char **w) {
    s->limits = (mcpw_task_limits){number_of(w[1]), number_of(w[2])};
    say_status(MCPW_OK);
}

static void do_follow(shell *s, char **w) {
    s->store->follow(s->store->self, strcmp(w[0], "follow") == 0 ? hear : NULL, NULL);
    say_status(MCPW_OK);
}

static void do_connected(shell *s, char **w) {
    (void)w;
    say(mcpw_task_redis_is_connected(s->store) ? "OK yes" : "OK no");
}

static void do_worker(shell *s, char **w) {
    char line[ID_TEXT];
    (void)w;
    (void)snprintf(line, sizeof line, "OK %s", s->store->worker);
    say(line);
}

/* Replaces an entry as often as it can, until it has made so many versions; answers how often it did. */
static void do_race(shell *s, char **w) {
    static answer a;
    const uint64_t last = number_of(w[2]) + 1;
    char line[ID_TEXT];
    unsigned wins = 0;
    mcpw_status status = MCPW_OK;
    a.version = 1;
    while ((status == MCPW_OK || status == MCPW_E_STATE) && a.version < last) {
        const mcpw_task_entry entry = entry_of(s, w[1], a.version + 1, "-", "-", s->store->worker);
        status = s->store->replace(s->store->self, &entry, &s->limits);
        wins += status == MCPW_OK;
        a.version += status == MCPW_OK;
        if (status == MCPW_E_STATE) {
            a.len = 0;
            status = s->store->read(s->store->self, mcpw_str_from(w[1]), SIZE_MAX, take_one, &a);
        }
    }
    (void)snprintf(line, sizeof line, "%s %u", word_of(status), wins);
    say(line);
}

/* Creates so many entries; answers how many of them there was room for. */
static void do_fill(shell *s, char **w) {
    char line[ID_TEXT];
    unsigned long kept = 0;
    mcpw_status status = MCPW_OK;
    for (uint64_t i = 0; i < number_of(w[2]) && (status == MCPW_OK || status == MCPW_E_FULL); i++) {
        char id[2 * ID_TEXT];
        (void)snprintf(id, sizeof id, "%.16s-%" PRIu64, s->store->worker, i);
        mcpw_task_entry entry = entry_of(s, id, 1, "-", "-", "x");
        entry.principal = text_of(w[1]);
        status = s->store->create(s->store->self, &entry, &s->limits);
        kept += status == MCPW_OK;
    }
    (void)snprintf(line, sizeof line, "%s %lu", word_of(status), kept);
    say(line);
}

static void obey(shell *s, char *line) {
    static const struct {
        const char *name;
        int words;
        void (*run)(shell *s, char **words);
    } commands[] = {{"create", 6, do_create}, {"replace", 7, do_replace}, {"read", 3, do_read},
                    {"list", 4, do_list},     {"remove", 2, do_remove},   {"limits", 3, do_limits},
                    {"follow", 1, do_follow}, {"unfollow", 1, do_follow}, {"connected", 1, do_connected},
                    {"worker", 1, do_worker}, {"race", 3, do_race},       {"fill", 3, do_fill}};
    char *words[MOST_WORDS];
    char *rest = NULL;
    int count = 0;
    for (char *word = strtok_r(line, " \n", &rest); word != NULL && count < MOST_WORDS;
         word = strtok_r(NULL, " \n", &rest)) {
        words[count++] = word;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (count == commands[i].words && strcmp(words[0], commands[i].name) == 0) {
            commands[i].run(s, words);
            return;
        }
    }
    say("OTHER");
}

/* ---- Making it ---- */

static bool take_number(mcpw_task_redis_config *config, const char *name, const char *value) {
    const uint64_t number = number_of(value);
    const struct {
        const char *name;
        uint64_t *to;
    } times[] = {{"patience_ms", &config->patience_ms},
                 {"retry_ms", &config->retry_ms},
                 {"worker_ttl_ms", &config->worker_ttl_ms}};
    const struct {
        const char *name;
        size_t *to;
    } sizes[] = {
        {"max_tasks", &config->max_tasks}, {"max_bytes", &config->max_bytes}, {"max_log", &config->max_log}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        if (strcmp(times[i].name, name) == 0) {
            *times[i].to = number;
            return true;
        }
        if (strcmp(sizes[i].name, name) == 0) {
            *sizes[i].to = (size_t)number;
            return true;
        }
    }
    if (strcmp(name, "port") == 0) {
        config->port = (uint16_t)number;
    } else if (strcmp(name, "replicas") == 0) {
        config->replicas = (unsigned)number;
    } else {
        return false;
    }
    return true;
}

static bool take(mcpw_task_redis_config *config, char *argument) {
    const struct {
        const char *name;
        const char **to;
    } texts[] = {{"address", &config->address},
                 {"user", &config->user},
                 {"password", &config->password},
                 {"prefix", &config->prefix}};
    char *const value = strchr(argument, '=');
    if (value == NULL) {
        return false;
    }
    *value = '\0';
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(texts[i].name, argument) == 0) {
            *texts[i].to = value + 1;
            return true;
        }
    }
    return take_number(config, argument, value + 1);
}

int main(int argc, char **argv) {
    enum { COUNT = 1000, BYTES = 1 << 20 };
    static char line[LINE];
    mcpw_task_redis_config config = MCPW_TASK_REDIS_CONFIG_INIT;
    shell s = {NULL, {COUNT, BYTES}};
    mcpw_error error;
    for (int i = 1; i < argc; i++) {
        if (!take(&config, argv[i])) {
            return 2;
        }
    }
    s.store = mcpw_task_redis_new(&config, &error);
    if (s.store == NULL) {
        say(error.message);
        return 1;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        obey(&s, line);
    }
    mcpw_task_redis_free(s.store);
    return 0;
}
