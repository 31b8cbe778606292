/* SPDX-License-Identifier: MIT */
/* mcpwire convert: converts the messages of a stream to another revision. */
#include "console.h"
#include "convert_message.h"
#include "convert_page.h"
#include "input.h"
#include "options.h"
#include "overlay.h"
#include "tool.h"
#include "unwrap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_MAX_OPEN ((size_t)1000000)
#define MAX_MAX_OPEN ((size_t)1 << 30)

typedef struct settings {
    const mcpw_revision *from; /* NULL: the messages decide */
    const mcpw_revision *to;
    overlay_settings overlays;
    convert_detail detail;
    size_t max_bytes;
    size_t max_depth;
    size_t max_open;
    bool as_page;
    bool redacts;
    bool help;
    const char **files; /* room for every argument */
    size_t file_count;
} settings;

/* Takes --from; auto means no revision. */
static bool take_source(void *to, const option *entry, const char *value) {
    *(const mcpw_revision **)to = NULL;
    return strcmp(value, "auto") == 0 || options_revision(to, entry, value);
}

static bool take_report(void *to, const option *entry, const char *value) {
    bool json = false;
    const bool known = value == NULL || options_format(entry, value, &json);
    *(convert_detail *)to = json ? CONVERT_JSON : CONVERT_TEXT;
    return known;
}

static bool take_format(void *to, const option *entry, const char *value) {
    static const char *const words[] = {"ndjson", "html"};
    size_t which = 0;
    const bool known = options_choice(entry, value, words, sizeof words / sizeof *words, &which);
    *(bool *)to = which == 1;
    return known;
}

static const option options[] = {
    {"--from", "R",
     "revision of the messages, such as 2025-11-25, or auto (the\n"
     "default): each session says which it is in",
     OPTION_BY(take_source, settings, from)},
    {"--to", "R", "revision to say them in", OPTION_BY(options_revision, settings, to)},
    {"--overlay", "OVERLAY",
     "what lies on top of the messages' revision: one of mcpwire's\n"
     "overlays, or the file of one, or the schema of an extension",
     OPTION_BY(overlay_take, settings, overlays)},
    {"--report", "F",
     "tell on standard error what was dropped, defaulted and\n"
     "substituted, as text (default) or json: an object a line",
     OPTION_IS_TAKEN, offsetof(settings, detail), 0, 0, take_report, true},
    {"--format", "F", "ndjson (default): the messages, or html: a page that shows\nboth revisions",
     OPTION_BY(take_format, settings, as_page)},
    {"--redact", NULL, "leave the values of messages out of the page of html",
     OPTION_FLAG(settings, redacts)},
    {"--max-bytes", "N", "longest line, in bytes (default 64M)",
     OPTION_NUMBER(settings, max_bytes, 1, SIZE_MAX)},
    {"--max-depth", "N", "deepest nesting (default 128)",
     OPTION_NUMBER(settings, max_depth, 1, MCPW_MAX_DEPTH)},
    {"--max-open", "N", "most requests to remember until their response\n(default 1000000)",
     OPTION_NUMBER(settings, max_open, 0, MAX_MAX_OPEN)},
    {"--help", NULL, "show this text", OPTION_FLAG(settings, help)},
};

enum { OPTIONS = sizeof options / sizeof *options };

/* The state of converting one file. */
typedef struct job {
    const settings *set;
    overlays *overlays;
    bool to_terminal; /* standard output is a terminal, so control characters are escaped */
    mcpw_options limits;
    mcpw_arena arena; /* for the object around a message */
    converter converter;
    unwrapped found; /* of the current line */
    convert_page page;
    convert_report report;
    bool cap_said;
    bool is_over; /* the output cannot be written */
} job;

/* ---- arguments ---- */

static int print_help(void) {
    options_explain("usage: mcpwire convert --to R [OPTION...] [FILE...]\n"
                    "\n"
                    "Reads messages of the Model Context Protocol, one on each line, and writes them in\n"
                    "another revision. A FILE named - is standard input, which is also read without FILE. A\n"
                    "result is converted by its request, which stands before it. A message that the other\n"
                    "revision cannot express is left out and reported on standard error, with its line and\n"
                    "place. Files that mcpwire tap has recorded stay recordings, and compressed ones (gzip)\n"
                    "are unpacked.\n",
                    options, OPTIONS);
    text out = TEXT_INIT;
    text_add(&out,
             "\n\n"
             "exit status: 0 every message was written, 1 a message was left out or a file holds none,\n"
             "2 usage, input or output error\n"
             "\n"
             "examples:\n"
             "  mcpwire convert --to 2025-06-18 session.ndjson > older.ndjson\n"
             "  mcpwire convert --from 2026-07-28 --to 2025-11-25 --report=json session.ndjson\n");
    return tool_print(&out);
}

/* True if all required options are given. */
static bool is_complete(settings *set) {
    if (set->to == NULL) {
        tool_complain("convert needs --to, a revision of the protocol; \"mcpwire convert --help\" explains");
        return false;
    }
    if (set->redacts && !set->as_page) {
        tool_complain("--redact is for --format html");
        return false;
    }
    if (set->file_count == 0) {
        set->files[set->file_count++] = "-";
    }
    return input_is_read_once(set->files, set->file_count);
}

static bool read_arguments(settings *set, int argc, char **argv) {
    option_reader reader = options_begin(options, OPTIONS, argc, argv);
    return options_read(&reader, set, set->files, &set->file_count) && (set->help || is_complete(set));
}

/* ---- lines ---- */

/* Copies a line that is not a message but about the recording. */
static void keep_line(converter *c, const input_value *v) {
    text_bytes(&c->out, v->text, v->len);
    text_add(&c->out, "\n");
}

static mcpw_status leave_out_line(job *j, const mcpw_error *error) {
    j->report.messages++;
    convert_report_leave_out(&j->report, CONVERT_INVALID, "", error->path, error->message);
    return MCPW_OK;
}

static mcpw_status convert_line(job *j, const input_value *v) {
    converter *const c = &j->converter;
    const unwrap_settings set = {NULL, NULL, true, (unsigned)j->set->max_depth};
    const mcpw_json line = mcpw_json_of(v->text, v->len);
    unwrapped *const found = &j->found;
    mcpw_error error;
    memset(&error, 0, sizeof error);
    memset(found, 0, sizeof *found);
    if (v->too_long) {
        (void)snprintf(error.message, sizeof error.message, "line is longer than %zu bytes (--max-bytes)",
                       j->set->max_bytes);
        return leave_out_line(j, &error);
    }
    mcpw_arena_reset(&j->arena);
    const mcpw_status status = unwrap(&set, line, &j->arena, found, &error);
    if (status != MCPW_OK) {
        return status == MCPW_E_MEMORY ? status : leave_out_line(j, &error);
    }
    if (found->begins) {
        converter_restart(c);
        keep_line(c, v);
        return MCPW_OK;
    }
    if (found->refuses) {
        keep_line(c, v);
        return MCPW_OK;
    }
    if (!converter_enter(c, &found->session)) {
        return MCPW_E_MEMORY;
    }
    const size_t end = found->offset + found->text.len;
    const bool wrapped = found->has_side && found->offset != 0 && !j->set->as_page;
    c->before = mcpw_json_of(v->text, wrapped ? found->offset : 0);
    c->after = mcpw_json_of(wrapped ? v->text + end : "", wrapped ? v->len - end : 0);
    return converter_take(c, found->has_side ? &found->from : NULL, found->text);
}

static void say_cap(job *j) {
    if (j->converter.sessions.exchange.forgot && !j->cap_said) {
        j->cap_said = true;
        tool_complain("%s:%" PRIu64 ": %zu open requests are the limit (--max-open): results that answer "
                      "further ones are left out",
                      j->report.file, j->report.line, j->set->max_open);
    }
}

static bool write_text(const text *out, bool at_once) {
    if (out->lost) {
        tool_complain("%s", mcpw_status_text(MCPW_E_MEMORY));
        return false;
    }
    const int written = console_write(out);
    const int error = written == 0 && at_once ? console_flush() : written;
    if (error != 0) {
        tool_complain_output(error);
    }
    return error == 0;
}

/* Writes the converted lines, for the reader of a pipe at once. */
static bool write_lines(job *j, converter *c, bool at_once) {
    text safe = TEXT_INIT;
    if (j->to_terminal && !c->out.lost) {
        text_safe_json(&safe, c->out.buffer.data, c->out.buffer.len);
    }
    const bool written = write_text(j->to_terminal && !c->out.lost ? &safe : &c->out, at_once);
    text_free(&safe);
    text_clear(&c->out);
    j->is_over = !written;
    return written;
}

static bool handle_line(job *j, const input *in, const input_value *v) {
    j->report.line = v->line;
    const mcpw_status status = convert_line(j, v);
    if (status != MCPW_OK) {
        tool_complain("%s:%" PRIu64 ": %s", j->report.file, v->line, mcpw_status_text(status));
        return false;
    }
    say_cap(j);
    if (j->set->as_page) {
        const mcpw_str whole = {v->too_long ? "" : v->text, v->too_long ? 0 : v->len};
        convert_page_take(&j->page, v->line, whole, &j->found, &j->converter);
        return true;
    }
    return j->converter.out.buffer.len == 0 || write_lines(j, &j->converter, in->size == 0);
}

/* ---- files ---- */

static void complain_input(const input *in) {
    char why[INPUT_REASON_SIZE];
    input_reason(in, why);
    tool_complain("%s: %s", in->name, why);
}

/* Converts the lines of a file. False: it was not converted to its end, and the reason was printed. */
static bool convert_lines(job *j, input *in) {
    input_value value;
    input_result result;
    while ((result = input_next_line(in, &value)) == INPUT_VALUE) {
        if (!handle_line(j, in, &value)) {
            return false;
        }
    }
    if (result == INPUT_FAILED) {
        complain_input(in);
    }
    return result == INPUT_END;
}

/* Converts a file; *empty: it contains no message. */
static bool convert_file(job *j, const char *name, bool *empty) {
    const uint64_t before = j->report.messages;
    input in;
    bool done = false;
    j->report.file = name;
    j->cap_said = false;
    if (!input_open(&in, name, j->set->max_bytes)) {
        complain_input(&in);
    } else if (!converter_init(&j->converter, j->set->from, j->set->to, &j->limits, j->set->max_open,
                               &j->report)) {
        tool_complain("%s", mcpw_status_text(MCPW_E_MEMORY));
        converter_free(&j->converter);
    } else {
        j->converter.sessions.exchange.overlays = j->overlays;
        done = convert_lines(j, &in);
        converter_free(&j->converter);
    }
    input_close(&in);
    *empty = done && j->report.messages == before;
    if (*empty) {
        tool_complain("%s: no messages", name);
    }
    return done;
}

static int convert_files(const settings *set, overlays *all) {
    job j;
    bool empty = false;
    bool any_empty = false;
    bool failed = false;
    memset(&j, 0, sizeof j);
    j.set = set;
    j.overlays = all;
    j.to_terminal = console_is_terminal();
    convert_report_init(&j.report, set->as_page ? CONVERT_JSON : set->detail);
    if (set->as_page) {
        convert_page_init(&j.page, &j.report, set->redacts);
    }
    j.arena = (mcpw_arena)MCPW_ARENA_INIT;
    j.limits = (mcpw_options)MCPW_OPTIONS_INIT;
    j.limits.max_bytes = set->max_bytes;
    j.limits.max_depth = (unsigned)set->max_depth;
    j.limits.max_elements = set->max_bytes; /* the length of a line is limit enough */
    for (size_t i = 0; i < set->file_count && !j.is_over; i++) {
        if (set->as_page) {
            convert_page_file(&j.page, set->files[i]);
        }
        failed = !convert_file(&j, set->files[i], &empty) || failed;
        any_empty = any_empty || empty;
    }
    if (set->as_page) {
        convert_page_end(&j.page);
    }
    convert_report_summary(&j.report);
    convert_report_free(&j.report);
    mcpw_arena_free(&j.arena);
    if (failed || tool_finish_output() != TOOL_OK) {
        return TOOL_FAILED;
    }
    return any_empty || j.report.written != j.report.messages ? TOOL_INVALID : TOOL_OK;
}

static int convert(settings *set) {
    set->overlays.with_own = set->from == NULL;
    overlays *const all = overlays_open(&set->overlays);
    const int status = all != NULL ? convert_files(set, all) : TOOL_FAILED;
    overlays_free(all);
    return status;
}

int convert_run(int argc, char **argv) {
    settings set;
    memset(&set, 0, sizeof set);
    set.max_bytes = MCPW_DEFAULT_BYTES;
    set.max_depth = MCPW_DEFAULT_DEPTH;
    set.max_open = DEFAULT_MAX_OPEN;
    set.files = calloc((size_t)argc + 1, sizeof *set.files);
    if (set.files == NULL) {
        tool_complain("out of memory");
        return TOOL_FAILED;
    }
    int status = TOOL_FAILED;
    if (read_arguments(&set, argc, argv)) {
        status = set.help ? print_help() : convert(&set);
    }
    free(set.files);
    return status;
}
