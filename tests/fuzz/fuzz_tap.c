/* SPDX-License-Identifier: MIT */
/*
 * A conversation as mcpwire tap looks at it: a line of the text each, from the client where it begins with
 * '>', from the server where it begins with '<'. The tap must report the same again of the log that it
 * records. Then the text itself is taken for a log, whatever it is.
 *
 *     0  options  1  bytes that come at once  2  a limit, if it is used
 */
#define _POSIX_C_SOURCE 200809L

#include "fuzz.h"

#include "tap_replay.h"
#include "tap_watch.h"

#include <fcntl.h>
#include <unistd.h>

enum {
    HEADER = 3,
    STRICT = 1,
    ALL_ERRORS = 2,
    LIMITED = 4,
    JSON = 8,
    FORCED = 16,
    OPEN_SHIFT = 5,
    LINE_TIME = 300, /* ms from a line to the next */
    MOST_BYTES = 1 << 16
};

/* Files that the watch writes to and reads from. */
typedef struct files {
    FILE *log;
    FILE *live;
    FILE *again;
    int null;
    int own_err;
} files;

static const files *open_files(void) {
    static files f; /* once a process: thousands of runs a second share them */
    if (f.log == NULL) {
        f.log = tmpfile();
        f.live = tmpfile();
        f.again = tmpfile();
        f.null = open("/dev/null", O_WRONLY);
        f.own_err = dup(STDERR_FILENO);
        if (f.log == NULL || f.live == NULL || f.again == NULL || f.null < 0) {
            abort();
        }
    }
    return &f;
}

static void empty(FILE *file) {
    FUZZ_ASSERT(ftruncate(fileno(file), 0) == 0 && lseek(fileno(file), 0, SEEK_SET) == 0);
}

typedef struct taker {
    watch watch;
    conversations all; /* of a log */
    tap_report report;
    text log;
    uint64_t now;
} taker;

static void put(taker *t, record *r) {
    record again;
    mcpw_arena arena = MCPW_ARENA_INIT;
    const size_t before = t->log.buffer.len;
    r->time = (int64_t)t->now;
    record_put(&t->log, r);
    const mcpw_json line = mcpw_json_of(t->log.buffer.data + before, t->log.buffer.len - before - 1);
    FUZZ_ASSERT(record_get(line, &arena, &again));
    FUZZ_ASSERT(again.kind == r->kind && again.time == r->time && again.number == r->number);
    if (r->kind != RECORD_BEGIN) {
        FUZZ_ASSERT(again.from == r->from && again.end == r->end);
    }
    if (r->kind == RECORD_LINE) {
        FUZZ_ASSERT(again.line.len == r->line.len &&
                    (r->line.len == 0 || memcmp(again.line.ptr, r->line.ptr, r->line.len) == 0));
    }
    mcpw_arena_free(&arena);
}

static void on_line(void *user, record *line) { put(user, line); }

/* The extensions that come with the command. */
static overlays *extensions(void) {
    static overlays *known; /* once a process, as the schemas are compiled when a message needs them */
    const overlay_settings set = {.given = {"2026-07-28-tasks"}, .count = 1, .with_own = true};
    if (known == NULL) {
        known = overlays_open(&set);
    }
    return known;
}

static watch_settings settings_of(const uint8_t *data) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    watch_settings set;
    memset(&set, 0, sizeof set);
    set.strict = (data[0] & STRICT) != 0;
    set.all_errors = (data[0] & ALL_ERRORS) != 0;
    set.max_bytes = (data[0] & LIMITED) != 0 ? (size_t)data[2] + 1 : MOST_BYTES;
    set.max_open = (size_t)1 << (data[0] >> OPEN_SHIFT);
    set.overlays = extensions();
    set.revision = (data[0] & FORCED) != 0 ? all[data[2] % count] : NULL;
    return set;
}

static taker *new_taker(const uint8_t *data, FILE *report) {
    const watch_settings set = settings_of(data);
    taker *const t = fuzz_alloc(sizeof *t);
    empty(report);
    const report_format format =
        (data[0] & JSON) != 0 ? REPORT_JSON : (report_format)(data[2] % REPORT_FORMATS);
    FUZZ_ASSERT(tap_report_init(&t->report, fileno(report), format, true));
    watch_init(&t->watch, &set, &t->report);
    conversations_init(&t->all, &set, &t->report);
    return t;
}

static void end_taker(taker *t) {
    FUZZ_ASSERT(tap_report_finish(&t->report));
    watch_free(&t->watch);
    conversations_free(&t->all);
    text_free(&t->log);
    free(t);
}

/* The conversation in the text. */
static void converse(taker *t, const char *text, size_t len, size_t at_once) {
    record begin;
    memset(&begin, 0, sizeof begin);
    begin.kind = RECORD_BEGIN;
    put(t, &begin);
    t->watch.on_line = on_line;
    t->watch.user = t;
    while (len != 0) {
        const char *const end = memchr(text, '\n', len);
        size_t line = end != NULL ? (size_t)(end - text) + 1 : len;
        const side from = *text == '<' ? SERVER : CLIENT;
        const size_t mark = *text == '<' || *text == '>' ? 1 : 0;
        t->now += LINE_TIME;
        subscription_at(&t->watch, t->now);
        for (size_t i = mark; i < line; i += at_once) {
            watch_bytes(&t->watch, from, text + i, line - i < at_once ? line - i : at_once);
        }
        text += line;
        len -= line;
    }
    watch_end(&t->watch, CLIENT);
    watch_end(&t->watch, SERVER);
}

/* Gives a watch a log by standard input. */
static bool replayed(const files *f, taker *t, const char *log, size_t len) {
    const int fd = fileno(f->log);
    empty(f->log);
    FUZZ_ASSERT(len == 0 || write(fd, log, len) == (ssize_t)len);
    FUZZ_ASSERT(lseek(fd, 0, SEEK_SET) == 0 && dup2(fd, STDIN_FILENO) == STDIN_FILENO);
    (void)dup2(f->null, STDERR_FILENO);
    const bool good = replay(&t->all, "-");
    (void)dup2(f->own_err, STDERR_FILENO);
    return good;
}

/* All of a file; to be freed. */
static char *content_of(FILE *file, size_t *len) {
    const off_t size = lseek(fileno(file), 0, SEEK_END);
    FUZZ_ASSERT(size >= 0);
    *len = (size_t)size;
    char *const out = fuzz_alloc(*len);
    FUZZ_ASSERT(pread(fileno(file), out, *len, 0) == size);
    return out;
}

static void check_same(FILE *a, FILE *b) {
    size_t x_len = 0;
    size_t y_len = 0;
    char *const x = content_of(a, &x_len);
    char *const y = content_of(b, &y_len);
    const bool same = x_len == y_len && memcmp(x, y, x_len) == 0;
    if (!same) {
        (void)fprintf(stderr, "---- live\n%.*s---- again\n%.*s", (int)x_len, x, (int)y_len, y);
    }
    FUZZ_ASSERT(same);
    free(x);
    free(y);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const files *const f = open_files();
    if (size < HEADER) {
        return 0;
    }
    const char *const words = (const char *)data + HEADER;
    const size_t at_once = (size_t)data[1] + 1;
    taker *const live = new_taker(data, f->live);
    taker *const again = new_taker(data, f->again);
    converse(live, words, size - HEADER, at_once);
    FUZZ_ASSERT(!live->log.lost);
    FUZZ_ASSERT(replayed(f, again, live->log.buffer.data, live->log.buffer.len));
    end_taker(again);
    end_taker(live);
    check_same(f->live, f->again);
    taker *const raw = new_taker(data, f->again);
    (void)replayed(f, raw, words, size - HEADER);
    end_taker(raw);
    return 0;
}
