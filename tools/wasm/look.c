/* SPDX-License-Identifier: MIT */
#include "look.h"

#include "../options.h"
#include "../record.h"
#include "input.h"
#include "overlay.h"
#include "tap_replay.h"
#include "tool.h"
#include "trace.h"

#include <mcpw/codec.h>

#include <string.h>

enum { ARGUMENTS = 7, MOST_OPEN = 100000 };

typedef struct settings {
    bool redacts;
    bool strict;
} settings;

static const option options[] = {
    {"--redact", NULL, "leave the values of messages out", OPTION_FLAG(settings, redacts)},
    {"--strict", NULL, "report also what only the specification's prose forbids",
     OPTION_FLAG(settings, strict)},
};

typedef struct job {
    conversations all;
    tap_report report;
    trace trace;
} job;

static void on_event(void *user, const text *event) {
    job *const j = user;
    report_event(&j->report.report, event);
}

static int look_at_recording(const settings *set, const char *name) {
    job j;
    overlay_settings extensions;
    watch_settings watch;
    memset(&j, 0, sizeof j);
    memset(&extensions, 0, sizeof extensions);
    memset(&watch, 0, sizeof watch);
    extensions.with_own = true;
    extensions.strict = watch.strict = set->strict;
    watch.all_errors = true;
    watch.max_bytes = MCPW_DEFAULT_BYTES;
    watch.max_open = MOST_OPEN;
    watch.overlays = overlays_open(&extensions);
    if (watch.overlays == NULL || !tap_report_init(&j.report, 0, REPORT_HTML, false)) {
        overlays_free(watch.overlays);
        return TOOL_FAILED;
    }
    trace_init(&j.trace, on_event, &j);
    j.trace.redacts = set->redacts;
    j.report.trace = &j.trace;
    j.report.file = name;
    trace_file(&j.trace, name);
    conversations_init(&j.all, &watch, &j.report);
    const bool read = replay(&j.all, name);
    conversations_free(&j.all);
    const bool written = tap_report_finish(&j.report);
    trace_free(&j.trace);
    overlays_free(watch.overlays);
    return read && written ? TOOL_OK : TOOL_FAILED;
}

/* A text whose first line is a record, or else one that is a single value. */
static void sort(const char *name, bool *is_recording, bool *is_one) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error unused;
    input in;
    input_value value;
    record first;
    memset(&in, 0, sizeof in);
    *is_recording = input_open(&in, name, MCPW_DEFAULT_BYTES) &&
                    input_next_line(&in, &value) == INPUT_VALUE &&
                    record_get(mcpw_json_of(value.text, value.len), &arena, &first);
    input_close(&in);
    memset(&in, 0, sizeof in);
    *is_one = input_open(&in, name, MCPW_DEFAULT_BYTES) && input_whole(&in, &value) == INPUT_VALUE &&
              mcpw_json_check(mcpw_json_of(value.text, value.len), MCPW_MAX_DEPTH, &unused) == MCPW_OK;
    input_close(&in);
    mcpw_arena_free(&arena);
}

int look_run(int argc, char **argv) {
    settings set = {false, false};
    option_reader reader = options_begin(options, sizeof options / sizeof *options, argc, argv);
    const char *files[2] = {NULL, NULL}; /* the second is for one too many */
    size_t count = 0;
    bool is_recording = false;
    bool is_one = false;
    if (argc > ARGUMENTS || !options_read(&reader, &set, files, &count) || count != 1) {
        return TOOL_FAILED;
    }
    sort(files[0], &is_recording, &is_one);
    if (is_recording) {
        return look_at_recording(&set, files[0]);
    }
    static char words[][16] = {
        "validate", "--format=html", "--all-errors", "--ndjson", "--redact", "--strict", "--"};
    char *args[ARGUMENTS + 2] = {words[0], words[1], words[2]};
    int used = 3;
    const bool wanted[] = {!is_one, set.redacts, set.strict};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        if (wanted[i]) {
            args[used++] = words[i + 3];
        }
    }
    args[used++] = words[6];
    args[used++] = argv[argc - 1]; /* the file is the last */
    return validate_run(used, args);
}
