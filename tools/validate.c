/* SPDX-License-Identifier: MIT */
/* mcpwire validate: whether each value of the given files is what the protocol asks for. */
#include "exchange.h"
#include "input.h"
#include "options.h"
#include "progress.h"
#include "report.h"
#include "suggest.h"
#include "tool.h"

#include <mcpw/codec.h>
#include <mcpw/json.h>
#include <mcpw/message.h>

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_MAX_OPEN ((size_t)1000000)
#define MAX_MAX_OPEN ((size_t)1 << 30)
#define KEEP_ARENA ((size_t)4 << 20) /* a larger arena is given back after its value */
#define ARENA_FACTOR 3               /* an arena may grow to this many times the longest value */

typedef enum validate_option {
    REVISION,
    TYPE,
    NDJSON,
    ALL_ERRORS,
    STRICT,
    FORMAT,
    QUIET,
    MAX_BYTES,
    MAX_DEPTH,
    MAX_OPEN,
    HELP,
    OPTIONS
} validate_option;

static const option options[OPTIONS] = {
    [REVISION] = {"--revision", "R", "revision of the protocol, such as 2025-11-25"},
    [TYPE] = {"--type", "T",
              "check values against this definition of the schema\n(CallToolResult) instead of as messages"},
    [NDJSON] = {"--ndjson", NULL, "a value a line; without it a file is one value"},
    [ALL_ERRORS] = {"--all-errors", NULL, "report every error of a value, not only the first"},
    [STRICT] = {"--strict", NULL, "refuse also what only the specification's prose forbids"},
    [FORMAT] = {"--format", "F", "text (default) or json: an object a value"},
    [QUIET] = {"--quiet", NULL, "no report, only the exit status"},
    [MAX_BYTES] = {"--max-bytes", "N", "longest value, in bytes (default 64M)"},
    [MAX_DEPTH] = {"--max-depth", "N", "deepest nesting (default 128)"},
    [MAX_OPEN] = {"--max-open", "N", "most requests to remember until their response\n(default 1000000)"},
    [HELP] = {"--help", NULL, "show this text"},
};

typedef struct settings {
    const char *revision;
    const char *type;
    bool ndjson;
    bool all_errors;
    bool strict;
    bool quiet;
    bool help;
    bool json;
    size_t max_bytes;
    size_t max_depth;
    size_t max_open;
    const char **files; /* room for every argument */
    size_t file_count;
} settings;

/* What checking the values of one file needs. */
typedef struct job {
    const settings *set;
    const mcpw_revision *revision;
    const mcpw_type *type; /* NULL: values are messages */
    mcpw_options limits;
    mcpw_arena arena;
    exchange exchange;
    report report;
    progress progress;
    const char *file;
    input_value value;
    size_t line_offset; /* a place in the value, and the line that it is in */
    uint64_t line;
    size_t errors; /* reported of the value at hand */
    bool cap_said; /* of the file at hand */
} job;

/* ---- arguments ---- */

static int print_help(void) {
    fputs("usage: mcpwire validate [OPTION...] FILE...\n"
          "\n"
          "Says of each value whether it is a valid message of the Model Context Protocol, or,\n"
          "with --type, a valid value of that type. A FILE named - is standard input.\n"
          "A response is checked by the request that it answers, if that stands before it in\n"
          "the same file, else as an envelope.\n"
          "\n"
          "options:\n",
          stdout);
    options_print(options, OPTIONS);
    fputs("\nrevisions: ", stdout);
    tool_print_revisions(stdout, ", ");
    printf("\ndefault: %s\n", tool_default_revision()->name);
    fputs("\n"
          "exit status: 0 all values are valid, 1 a value is invalid, 2 usage or input error\n"
          "\n"
          "examples:\n"
          "  mcpwire validate --ndjson session.ndjson\n"
          "  mcpwire validate --revision 2025-11-25 --type CallToolResult result.json\n"
          "  server | mcpwire validate --ndjson --all-errors --format json -\n",
          stdout);
    return tool_finish_output();
}

static bool apply_option(settings *set, const option_reader *o, int which, const char *value) {
    switch ((validate_option)which) {
    case REVISION:
        set->revision = value;
        return true;
    case TYPE:
        set->type = value;
        return true;
    case NDJSON:
        set->ndjson = true;
        return true;
    case ALL_ERRORS:
        set->all_errors = true;
        return true;
    case STRICT:
        set->strict = true;
        return true;
    case FORMAT:
        return options_format(o, which, value, &set->json);
    case QUIET:
        set->quiet = true;
        return true;
    case MAX_BYTES:
        return options_number(o, which, value, 1, SIZE_MAX, &set->max_bytes);
    case MAX_DEPTH:
        return options_number(o, which, value, 1, MCPW_MAX_DEPTH, &set->max_depth);
    case MAX_OPEN:
        return options_number(o, which, value, 0, MAX_MAX_OPEN, &set->max_open);
    case HELP:
        set->help = true;
        return true;
    default:
        return false;
    }
}

static bool check_files(const settings *set) {
    size_t stdin_count = 0;
    for (size_t i = 0; i < set->file_count; i++) {
        stdin_count += strcmp(set->files[i], "-") == 0 ? 1U : 0U;
    }
    if (set->file_count == 0) {
        tool_complain("validate needs a file; - is standard input, \"mcpwire validate --help\" explains");
    } else if (stdin_count > 1) {
        tool_complain("standard input (-) is given %zu times; it can be read once", stdin_count);
    }
    return set->file_count != 0 && stdin_count <= 1;
}

static bool read_arguments(settings *set, int argc, char **argv) {
    option_reader reader = options_begin(options, OPTIONS, argc, argv);
    const char *value = NULL;
    int which;
    while ((which = options_next(&reader, &value)) != OPTION_END) {
        if (which == OPTION_OPERAND) {
            set->files[set->file_count++] = value;
        } else if (which == OPTION_BAD || !apply_option(set, &reader, which, value)) {
            return false;
        }
    }
    return set->help || check_files(set);
}

static bool find_revision(job *j) {
    j->revision = j->set->revision != NULL ? tool_find_revision(j->set->revision) : tool_default_revision();
    return j->revision != NULL;
}

static const char *definition_name(const void *list, size_t index) {
    return ((const mcpw_type *const *)list)[index]->name;
}

/* The newest revision that has the type; NULL when none has. */
static const char *other_revision(const char *type) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    while (count-- > 0) {
        if (mcpw_revision_type(all[count], type) != NULL) {
            return all[count]->name;
        }
    }
    return NULL;
}

static bool find_type(job *j) {
    const char *const name = j->set->type;
    char near[SUGGEST_SIZE];
    if (name == NULL) {
        return true;
    }
    j->type = mcpw_revision_type(j->revision, name);
    if (j->type != NULL) {
        return true;
    }
    const char *const other = other_revision(name);
    if (other != NULL) {
        tool_complain("revision %s has no type \"%s\"; revision %s has it", j->revision->name, name, other);
    } else if (suggest(near, name, j->revision->definitions, j->revision->definition_count,
                       definition_name)) {
        tool_complain("revision %s has no type \"%s\"; did you mean %s?", j->revision->name, name, near);
    } else {
        tool_complain("revision %s has no type \"%s\"; types are the definitions of its schema",
                      j->revision->name, name);
    }
    return false;
}

/* ---- values ---- */

/* The line of a place in the value. Errors mostly come in order, so this goes on from the last place. */
static uint64_t line_of(job *j, size_t offset) {
    const input_value *const v = &j->value;
    if (j->set->ndjson) {
        return v->line;
    }
    const size_t to = offset < v->len ? offset : v->len;
    for (; j->line_offset < to; j->line_offset++) {
        j->line += v->text[j->line_offset] == '\n' ? 1U : 0U;
    }
    for (; j->line_offset > to; j->line_offset--) {
        j->line -= v->text[j->line_offset - 1] == '\n' ? 1U : 0U;
    }
    return j->line;
}

static bool report_each(void *user, const mcpw_error *error) {
    job *const j = user;
    j->errors++;
    report_error(&j->report, line_of(j, error->offset), error);
    return j->report.error == 0;
}

static void report_each_note(void *user, const exchange_note *note) {
    job *const j = user;
    report_note(&j->report, note->pointer, note->message);
}

static void report_all(job *j) {
    const input_value *const v = &j->value;
    if (j->type == NULL) {
        exchange_errors(&j->exchange, v->text, v->len, report_each, j);
        return;
    }
    mcpw_options every = j->limits;
    every.on_error = report_each;
    every.user = j;
    mcpw_arena_reset(&j->arena);
    const mcpw_status again = mcpw_validate(j->type, v->text, v->len, &j->arena, &every, NULL);
    (void)again; /* it was invalid before: this run is for the callback */
}

static mcpw_status check_value(job *j, mcpw_error *error) {
    const input_value *const v = &j->value;
    if (v->too_long) {
        error->code = MCPW_E_SIZE;
        (void)snprintf(error->message, sizeof error->message, "value is longer than %zu bytes (--max-bytes)",
                       j->limits.max_bytes);
        return error->code;
    }
    if (j->type == NULL) {
        return exchange_check(&j->exchange, v->text, v->len, error);
    }
    mcpw_arena_reset(&j->arena);
    return mcpw_validate(j->type, v->text, v->len, &j->arena, &j->limits, error);
}

/* Says that more follows the first value of a file, as in a file with a value a line. */
static void hint_at_ndjson(const job *j, const mcpw_error *error) {
    const mcpw_json before = {j->value.text, error->offset};
    mcpw_error unused;
    if (j->set->ndjson || j->set->quiet || error->code != MCPW_E_SYNTAX || error->offset >= j->value.len) {
        return;
    }
    if (mcpw_json_check(before, j->limits.max_depth, &unused) == MCPW_OK) {
        tool_complain("%s: more follows the first value; for a file with a value a line add --ndjson",
                      j->file);
    }
}

static void report_verdict(job *j, mcpw_status status, const mcpw_error *error) {
    const bool valid = status == MCPW_OK;
    j->line_offset = 0;
    j->line = 1;
    j->errors = 0;
    report_begin(&j->report, j->file, valid ? j->value.line : line_of(j, error->offset), valid);
    if (!valid && j->set->all_errors && !j->value.too_long) {
        report_all(j);
    }
    if (!valid && j->errors == 0) {
        (void)report_each(j, error);
    }
}

static void follow(job *j) {
    exchange *const x = &j->exchange;
    if (j->type != NULL || j->value.too_long) {
        return;
    }
    exchange_follow(x, j->value.text, j->value.len);
    if (x->forgot && !j->cap_said) {
        j->cap_said = true;
        progress_hide(&j->progress);
        tool_complain("%s:%" PRIu64
                      ": %zu open requests are the limit (--max-open): further ones are not remembered, "
                      "and results that answer them are checked as objects only",
                      j->file, j->value.line, j->set->max_open);
    }
}

/* Checks one value. False: the machine, not the value, is at fault. */
static bool handle_value(job *j) {
    mcpw_error error;
    memset(&error, 0, sizeof error);
    const mcpw_status status = check_value(j, &error);
    if (status == MCPW_E_MEMORY || status == MCPW_E_ARENA || status == MCPW_E_ARGUMENT) {
        progress_hide(&j->progress);
        tool_complain("%s:%" PRIu64 ": %s", j->file, j->value.line, mcpw_status_text(status));
        return false;
    }
    report_verdict(j, status, &error);
    follow(j);
    report_end(&j->report);
    if (status != MCPW_OK) {
        hint_at_ndjson(j, &error);
    }
    if (j->arena.total > KEEP_ARENA) {
        mcpw_arena_free(&j->arena);
    }
    return true;
}

/* ---- files ---- */

static void show_progress(void *user, const input *in) { progress_update(user, in); }

static bool check_file(job *j, input *in) {
    input_result result = INPUT_END;
    while (j->report.error == 0) {
        result = j->set->ndjson ? input_next_line(in, &j->value) : input_whole(in, &j->value);
        if (result != INPUT_VALUE) {
            break;
        }
        if (!handle_value(j)) {
            return false;
        }
    }
    if (result == INPUT_FAILED) {
        progress_hide(&j->progress);
        tool_complain("%s: cannot %s: %s", in->name, in->failed, strerror(in->error));
    }
    return result != INPUT_FAILED;
}

static bool run_file(job *j, const char *name) {
    input in;
    j->file = name;
    j->cap_said = false;
    if (!input_open(&in, name, j->limits.max_bytes)) {
        tool_complain("%s: cannot %s: %s", name, in.failed, strerror(in.error));
        return false;
    }
    in.on_read = show_progress;
    in.user = &j->progress;
    progress_restart(&j->progress);
    exchange_init(&j->exchange, j->revision, &j->limits, &j->arena, j->set->max_open);
    j->exchange.on_note = report_each_note;
    j->exchange.user = j;
    const bool read = check_file(j, &in);
    exchange_free(&j->exchange);
    input_close(&in);
    return read;
}

static void set_limits(job *j) {
    const mcpw_options limits = MCPW_OPTIONS_INIT;
    const mcpw_arena arena = MCPW_ARENA_INIT;
    j->limits = limits;
    j->limits.flags = j->set->strict ? MCPW_STRICT : 0;
    j->limits.max_bytes = j->set->max_bytes;
    j->limits.max_depth = (unsigned)j->set->max_depth;
    j->limits.max_elements = j->set->max_bytes; /* as many as fit: a value's length is limit enough */
    j->arena = arena;
    if (j->set->max_bytes > MCPW_ARENA_DEFAULT_LIMIT / ARENA_FACTOR) {
        j->arena.limit =
            j->set->max_bytes < SIZE_MAX / ARENA_FACTOR ? j->set->max_bytes * ARENA_FACTOR : SIZE_MAX;
    }
}

static int run_files(job *j) {
    set_limits(j);
    progress_init(&j->progress, j->set->quiet);
    report_init(&j->report, j->set->json ? REPORT_JSON : REPORT_TEXT, j->set->quiet, &j->progress);
    for (size_t i = 0; i < j->set->file_count && j->report.error == 0; i++) {
        if (!run_file(j, j->set->files[i])) {
            report_failed_file(&j->report);
        }
    }
    mcpw_arena_free(&j->arena);
    if (!report_finish(&j->report)) {
        tool_complain_output(j->report.error);
        return TOOL_FAILED;
    }
    if (j->report.failed_files != 0) {
        return TOOL_FAILED;
    }
    return j->report.invalid != 0 ? TOOL_INVALID : TOOL_OK;
}

static int run(settings *set, int argc, char **argv) {
    job j;
    memset(&j, 0, sizeof j);
    j.set = set;
    if (!read_arguments(set, argc, argv)) {
        return TOOL_FAILED;
    }
    if (set->help) {
        return print_help();
    }
    return find_revision(&j) && find_type(&j) ? run_files(&j) : TOOL_FAILED;
}

int validate_run(int argc, char **argv) {
    settings set;
    memset(&set, 0, sizeof set);
    set.max_bytes = MCPW_DEFAULT_BYTES;
    set.max_depth = MCPW_DEFAULT_DEPTH;
    set.max_open = DEFAULT_MAX_OPEN;
    set.files = calloc((size_t)argc, sizeof *set.files);
    if (set.files == NULL) {
        tool_complain("out of memory");
        return TOOL_FAILED;
    }
    const int status = run(&set, argc, argv);
    free(set.files);
    return status;
}
