/* SPDX-License-Identifier: MIT */
/* Writes the diagnostics of sessions as lines: <mcpw/diagnostics.h>. */
#include <mcpw/diagnostics.h>
#include <mcpw/error.h>
#include <mcpw/json.h>

#include "transport_internal.h"

#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_LINES = 100, DEFAULT_REFILL = 10000 };

/* Maximum bytes of each part of a line, including the NUL. A character takes at most four bytes, and JSON
 * doubles the backslash, so a whole line always fits. */
enum {
    METHOD_SIZE = 128,
    SUBJECT_SIZE = 256,
    ID_SIZE = 128,
    PATH_SIZE = 640,
    MESSAGE_SIZE = 640,
    NAME_SIZE = 64
};

/* The side that made the mistake. Each side has its own budget of lines. */
enum { OURS, PEERS, BUDGETS };

typedef struct budget {
    unsigned lines;    /* number of lines that may be written now */
    uint64_t counted;  /* ms; the budget includes the time up to here */
    uint64_t left_out; /* lines since the last one */
} budget;

struct mcpw_diagnostics {
    mcpw_diagnostics_options options; /* the texts are absent here */
    mcpw_os_mutex lock;
    mcpw_os_stream error;
    bool coloured;
    budget budgets[BUDGETS];
    char name[NAME_SIZE];
};

/* The content of a line; absent texts are empty. */
typedef struct entry {
    mcpw_log_level level;
    const char *kind;
    char method[METHOD_SIZE];
    char subject[SUBJECT_SIZE];
    const mcpw_id *id;
    const char *type;
    char path[PATH_SIZE];
    const char *status;
    char message[MESSAGE_SIZE];
} entry;

typedef struct line {
    size_t len;
    char text[MCPW_DIAGNOSTICS_LINE];
} line;

/* ---- Options ------------------------------------------------------------------------------------------- */

static bool is_coloured(const mcpw_diagnostics_options *options) {
    const char *const term = getenv("TERM");
    const char *const refused = getenv("NO_COLOR");
    if (options->color != MCPW_DIAGNOSTICS_COLOR_AUTO) {
        return options->color == MCPW_DIAGNOSTICS_COLOR_ALWAYS;
    }
    return options->write == NULL && mcpw_os_error_is_terminal() && (refused == NULL || refused[0] == '\0') &&
           term != NULL && strcmp(term, "dumb") != 0;
}

mcpw_diagnostics *mcpw_diagnostics_new(const mcpw_diagnostics_options *options, mcpw_error *error) {
    mcpw_diagnostics_options own = MCPW_DIAGNOSTICS_OPTIONS_INIT;
    if (!MCPW_TAKE(&own, user, options)) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                       "the options were not initialised with MCPW_DIAGNOSTICS_OPTIONS_INIT");
        return NULL;
    }
    mcpw_diagnostics *const d = calloc(1, sizeof *d);
    if (d == NULL || !mcpw_os_mutex_begin(&d->lock)) {
        free(d);
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return NULL;
    }
    const char *const name = own.name != NULL ? own.name : "mcpwire";
    (void)mcpw_put_printable(d->name, sizeof d->name, name, strlen(name));
    own.name = NULL;
    own.level = own.level != 0 ? own.level : MCPW_LOG_NOTICE;
    own.max_lines = own.max_lines != 0 ? own.max_lines : DEFAULT_LINES;
    own.refill_ms = own.refill_ms != 0 ? own.refill_ms : DEFAULT_REFILL;
    d->options = own;
    mcpw_os_stream_init(&d->error);
    d->coloured = is_coloured(&own);
    for (int i = 0; i < BUDGETS; i++) {
        d->budgets[i].lines = own.max_lines;
    }
    return d;
}

/* ---- Lines --------------------------------------------------------------------------------------------- */

static const char *level_name(mcpw_log_level level) {
    static const char *const names[] = {"",      "debug",    "info",  "notice",   "warning",
                                        "error", "critical", "alert", "emergency"};
    return level >= MCPW_LOG_DEBUG && level <= MCPW_LOG_EMERGENCY ? names[level] : names[MCPW_LOG_ERROR];
}

static void put(line *out, const char *text) {
    const size_t len = strlen(text);
    const size_t room = sizeof out->text - 1 - out->len; /* one byte for the line end */
    const size_t took = len < room ? len : room;
    memcpy(out->text + out->len, text, took);
    out->len += took;
}

static void put_printable(char *out, size_t size, const char *text, size_t len) {
    static const char cut[] = "...";
    if (mcpw_put_printable(out, size - (sizeof cut - 1), text, len) < len) {
        memcpy(out + strlen(out), cut, sizeof cut);
    }
}

static void put_id(line *out, const mcpw_id *id) {
    char text[ID_SIZE];
    if (id->kind == MCPW_ID_INTEGER) {
        (void)snprintf(text, sizeof text, "%lld", (long long)id->as.integer);
        put(out, text);
    } else if (id->kind == MCPW_ID_STRING) {
        put_printable(text, sizeof text, id->as.string.ptr, id->as.string.len);
        put(out, "\"");
        put(out, text);
        put(out, "\"");
    } else {
        put(out, "null");
    }
}

static const char *color_of(mcpw_log_level level) {
    return level >= MCPW_LOG_ERROR ? "\x1b[1;31m" : level == MCPW_LOG_WARNING ? "\x1b[33m" : "\x1b[36m";
}

static void put_text(const mcpw_diagnostics *d, const entry *e, line *out) {
    put(out, d->name);
    put(out, ": ");
    put(out, d->coloured ? color_of(e->level) : "");
    put(out, level_name(e->level));
    put(out, d->coloured ? "\x1b[0m" : "");
    put(out, ": ");
    if (e->method[0] != '\0') {
        put(out, e->method);
        if (e->subject[0] != '\0') {
            put(out, " \"");
            put(out, e->subject);
            put(out, "\"");
        }
    }
    if (e->id != NULL && e->id->kind != MCPW_ID_ABSENT) {
        put(out, e->method[0] != '\0' ? " (id " : "(id ");
        put_id(out, e->id);
        put(out, ")");
    }
    put(out, e->method[0] != '\0' || (e->id != NULL && e->id->kind != MCPW_ID_ABSENT) ? ": " : "");
    if (e->type != NULL) {
        put(out, e->type);
        put(out, ": ");
    }
    put(out, e->path);
    put(out, e->path[0] != '\0' ? ": " : "");
    put(out, e->message);
}

static void write_member(mcpw_json_writer *w, const char *key, const char *text) {
    if (text != NULL && text[0] != '\0') {
        mcpw_json_write_key(w, key);
        mcpw_json_write_string(w, text, strlen(text));
    }
}

static void write_id(mcpw_json_writer *w, const mcpw_id *id) {
    char text[ID_SIZE];
    if (id == NULL || id->kind == MCPW_ID_ABSENT) {
        return;
    }
    mcpw_json_write_key(w, "id");
    if (id->kind == MCPW_ID_INTEGER) {
        mcpw_json_write_int(w, id->as.integer);
    } else if (id->kind == MCPW_ID_STRING) {
        put_printable(text, sizeof text, id->as.string.ptr, id->as.string.len);
        mcpw_json_write_string(w, text, strlen(text));
    } else {
        mcpw_json_write_null(w);
    }
}

static void put_json(const mcpw_diagnostics *d, const entry *e, line *out) {
    mcpw_json_writer w;
    mcpw_json json;
    mcpw_json_write_begin(&w, out->text, sizeof out->text - 1);
    mcpw_json_write_object(&w);
    write_member(&w, "program", d->name);
    write_member(&w, "level", level_name(e->level));
    write_member(&w, "kind", e->kind);
    write_member(&w, "method", e->method);
    write_member(&w, "subject", e->subject);
    write_id(&w, e->id);
    write_member(&w, "type", e->type);
    write_member(&w, "pointer", e->path);
    write_member(&w, "status", e->status);
    mcpw_json_write_key(&w, "message");
    mcpw_json_write_string(&w, e->message, strlen(e->message));
    mcpw_json_write_close(&w);
    out->len = mcpw_json_write_end(&w, &json) == MCPW_OK ? json.len : 0;
}

/* Writes a line; false: it was not written. */
static bool emit(mcpw_diagnostics *d, const entry *e) {
    line out = {0, {'\0'}};
    if (d->options.format == MCPW_DIAGNOSTICS_JSON) {
        put_json(d, e, &out);
    } else {
        put_text(d, e, &out);
    }
    out.text[out.len++] = '\n';
    if (d->options.write != NULL) {
        const mcpw_str text = {out.text, out.len};
        d->options.write(d->options.user, text);
        return true;
    }
    return mcpw_os_write_error(&d->error, out.text, out.len);
}

/* ---- Limits -------------------------------------------------------------------------------------------- */

static void refill(const mcpw_diagnostics *d, budget *b, uint64_t now) {
    const uint64_t more = (now - b->counted) / d->options.refill_ms;
    if (b->lines == d->options.max_lines || more >= d->options.max_lines - b->lines) {
        b->lines = d->options.max_lines;
        b->counted = now;
    } else {
        b->lines += (unsigned)more;
        b->counted += more * d->options.refill_ms;
    }
}

static void tell_left_out(mcpw_diagnostics *d, budget *b) {
    if (b->left_out != 0) {
        entry e = {.level = MCPW_LOG_WARNING, .kind = "left_out"};
        (void)snprintf(e.message, sizeof e.message, "%llu more diagnostics were left out",
                       (unsigned long long)b->left_out);
        b->left_out = emit(d, &e) ? 0 : b->left_out;
    }
}

void mcpw_diagnostics_free(mcpw_diagnostics *diagnostics) {
    if (diagnostics != NULL) {
        for (int i = 0; i < BUDGETS; i++) {
            tell_left_out(diagnostics, &diagnostics->budgets[i]);
        }
        mcpw_os_stream_end(&diagnostics->error);
        mcpw_os_mutex_end(&diagnostics->lock);
        free(diagnostics);
    }
}

/* ---- Diagnostics --------------------------------------------------------------------------------------- */

static const char *kind_name(mcpw_diagnostic_kind kind) {
    static const char *const names[] = {"",        "bad_line", "bad_message", "unknown_reply", "out_of_order",
                                        "dropped", "handler",  "tool_schema", "tolerated"};
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : "";
}

static mcpw_log_level level_of(mcpw_diagnostic_kind kind) {
    switch (kind) {
    case MCPW_DIAGNOSTIC_HANDLER:
        return MCPW_LOG_ERROR;
    case MCPW_DIAGNOSTIC_UNKNOWN_REPLY:
        return MCPW_LOG_NOTICE;
    case MCPW_DIAGNOSTIC_DROPPED:
        return MCPW_LOG_INFO;
    case MCPW_DIAGNOSTIC_BAD_LINE:
    case MCPW_DIAGNOSTIC_BAD_MESSAGE:
    case MCPW_DIAGNOSTIC_OUT_OF_ORDER:
    case MCPW_DIAGNOSTIC_TOOL_SCHEMA:
    case MCPW_DIAGNOSTIC_TOLERATED:
    default:
        return MCPW_LOG_WARNING;
    }
}

static void fill(entry *e, const mcpw_diagnostic *diagnostic) {
    e->level = level_of(diagnostic->kind);
    e->kind = kind_name(diagnostic->kind);
    e->id = diagnostic->id;
    e->type = diagnostic->type;
    put_printable(e->method, sizeof e->method, diagnostic->method.ptr, diagnostic->method.len);
    put_printable(e->subject, sizeof e->subject, diagnostic->subject.ptr, diagnostic->subject.len);
    if (diagnostic->error != NULL) {
        put_printable(e->path, sizeof e->path, diagnostic->error->path, strlen(diagnostic->error->path));
        put_printable(e->message, sizeof e->message, diagnostic->error->message,
                      strlen(diagnostic->error->message));
        e->status = mcpw_status_name(diagnostic->error->code);
    }
}

void mcpw_diagnostics_write(void *diagnostics, mcpw_session *session, const mcpw_diagnostic *diagnostic) {
    mcpw_diagnostics *const d = diagnostics;
    entry e = {.level = MCPW_LOG_ERROR};
    (void)session;
    if (d->options.format == MCPW_DIAGNOSTICS_OFF || level_of(diagnostic->kind) < d->options.level) {
        return;
    }
    fill(&e, diagnostic);
    mcpw_os_lock(&d->lock);
    budget *const b = d->budgets + (diagnostic->kind == MCPW_DIAGNOSTIC_HANDLER ? OURS : PEERS);
    refill(d, b, mcpw_io_now());
    bool is_written = b->lines != 0;
    if (is_written) {
        b->lines--;
        tell_left_out(d, b);
        is_written = emit(d, &e);
    }
    b->left_out += !is_written;
    mcpw_os_unlock(&d->lock);
}

void mcpw_diagnostics_log(mcpw_diagnostics *diagnostics, mcpw_log_level level, const char *message) {
    entry e = {.level = level};
    if (diagnostics->options.format == MCPW_DIAGNOSTICS_OFF || level < diagnostics->options.level) {
        return;
    }
    put_printable(e.message, sizeof e.message, message, strlen(message));
    mcpw_os_lock(&diagnostics->lock);
    (void)emit(diagnostics, &e);
    mcpw_os_unlock(&diagnostics->lock);
}
