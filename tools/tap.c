/* SPDX-License-Identifier: MIT */
/* mcpwire tap: stands between a client and a server, and says what is wrong with what they tell each other.
 */
#define _POSIX_C_SOURCE 200809L

#include "options.h"
#include "tap_relay.h"
#include "tap_report.h"
#include "tap_watch.h"
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_MAX_OPEN ((size_t)100000)
#define MAX_MAX_OPEN ((size_t)1 << 30)

enum { OUTPUT_MODE = 0666, PATIENCE = 1000 /* ms that the last words may take */ };

typedef enum tap_option {
    REVISION,
    STRICT,
    ALL_ERRORS,
    OUTPUT,
    FORMAT,
    TIMES,
    SUMMARY,
    CHECK,
    MAX_BYTES,
    MAX_OPEN,
    LIST_RULES,
    HELP,
    OPTIONS
} tap_option;

static const option options[OPTIONS] = {
    [REVISION] = {"--revision", "R",
                  "check every message by this revision of the protocol\ninstead of the one in force"},
    [STRICT] = {"--strict", NULL, "report also what only the specification's prose forbids"},
    [ALL_ERRORS] = {"--all-errors", NULL, "report every error of a message, not only the first"},
    [OUTPUT] = {"--output", "FILE", "write the report to FILE instead of standard error"},
    [FORMAT] = {"--format", "F", "text (default) or json: an object a finding"},
    [TIMES] = {"--times", NULL, "say when, in seconds since the start"},
    [SUMMARY] = {"--summary", NULL, "count the messages by method at the end"},
    [CHECK] = {"--check", NULL, "exit with 1 if errors were reported, else with 0"},
    [MAX_BYTES] = {"--max-bytes", "N", "longest line to check, in bytes (default 64M)"},
    [MAX_OPEN] = {"--max-open", "N", "most requests to remember until their response\n(default 100000)"},
    [LIST_RULES] = {"--rules", NULL, "list the rules that messages are held to"},
    [HELP] = {"--help", NULL, "show this text"},
};

typedef struct settings {
    watch_settings watch;
    const char *output;
    bool json;
    bool times;
    bool summary;
    bool check;
    bool rules;
    bool help;
    const char *const *command; /* ends with NULL */
} settings;

static int print_help(void) {
    fputs("usage: mcpwire tap [OPTION...] -- COMMAND [ARGUMENT...]\n"
          "\n"
          "Starts a server of the Model Context Protocol and passes everything on between it\n"
          "and standard input and output, untouched. What breaks the schema or the rules of\n"
          "the protocol, in either direction, is reported on standard error.\n"
          "\n"
          "options:\n",
          stdout);
    options_print(options, OPTIONS);
    fputs("\nrevisions: ", stdout);
    tool_print_revisions(stdout, ", ");
    fputs("\n\n"
          "exit status: that of COMMAND, 128 and the signal's number if one ended it; 2 if it\n"
          "could not be started; with --check 1 if errors were reported, else 0\n"
          "\n"
          "examples:\n"
          "  mcpwire tap -- ./server --verbose\n"
          "  mcpwire tap --format json --output findings.ndjson -- node server.js\n",
          stdout);
    return tool_finish_output();
}

static int print_rules(void) {
    for (int i = 0; i < RULE_COUNT; i++) {
        const rule *const r = rules_get((rule_id)i);
        printf("%-20s %-8s %s\n", r->code, severity_name(r->severity), r->meaning);
    }
    return tool_finish_output();
}

static bool apply_option(settings *set, const option_reader *o, int which, const char *value) {
    switch ((tap_option)which) {
    case REVISION:
        set->watch.revision = tool_find_revision(value);
        return set->watch.revision != NULL;
    case STRICT:
        set->watch.strict = true;
        return true;
    case ALL_ERRORS:
        set->watch.all_errors = true;
        return true;
    case OUTPUT:
        set->output = value;
        return true;
    case FORMAT:
        return options_format(o, which, value, &set->json);
    case TIMES:
        set->times = true;
        return true;
    case SUMMARY:
        set->summary = true;
        return true;
    case CHECK:
        set->check = true;
        return true;
    case MAX_BYTES:
        return options_number(o, which, value, 1, SIZE_MAX, &set->watch.max_bytes);
    case MAX_OPEN:
        return options_number(o, which, value, 1, MAX_MAX_OPEN, &set->watch.max_open);
    case LIST_RULES:
        set->rules = true;
        return true;
    case HELP:
        set->help = true;
        return true;
    default:
        return false;
    }
}

static bool read_arguments(settings *set, int argc, char **argv) {
    option_reader reader = options_begin(options, OPTIONS, argc, argv);
    const char *value = NULL;
    int which;
    while ((which = options_next(&reader, &value)) != OPTION_END) {
        if (which == OPTION_OPERAND) { /* the command, whose own options follow */
            set->command = (const char *const *)(argv + reader.at - 1);
            return true;
        }
        if (which == OPTION_BAD || !apply_option(set, &reader, which, value)) {
            return false;
        }
    }
    if (!set->help && !set->rules) {
        tool_complain("tap needs a command to start: mcpwire tap -- COMMAND [ARGUMENT...]");
        return false;
    }
    return true;
}

/* ---- the run ---- */

typedef struct job {
    watch watch;
    tap_report report;
    outlet aside; /* standard error of the server, where that is a terminal */
    relay relay;
} job;

static void on_bytes(void *user, side from, const char *bytes, size_t len) {
    job *const j = user;
    if (len == 0) {
        watch_end(&j->watch, from);
    } else {
        watch_bytes(&j->watch, from, bytes, len);
    }
    outlet_flush(&j->report.out);
}

/* Descriptors that are opened later must not take the places of missing standard ones. */
static void fill_standard(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF) {
            const int opened = open("/dev/null", O_RDWR);
            (void)opened; /* the lowest one that is free: fd */
        }
    }
}

static int open_output(const settings *set) {
    if (set->output == NULL) {
        return STDERR_FILENO;
    }
    const int fd = open(set->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, OUTPUT_MODE);
    if (fd == -1) {
        tool_complain("%s: cannot open: %s", set->output, strerror(errno));
    }
    return fd;
}

/* The report's end, and what the whole run comes to. */
static int conclude(const settings *set, job *j, int status) {
    const bool errors = j->report.counts[ERROR] != 0;
    if (set->summary) {
        tap_report_summary(&j->report);
    }
    const bool written = tap_report_finish(&j->report);
    if (!written && set->output != NULL) {
        tool_complain("%s: cannot write: %s", set->output, strerror(j->report.out.error));
    }
    if (!set->check) {
        return status;
    }
    return !written ? TOOL_FAILED : errors ? TOOL_INVALID : TOOL_OK;
}

static int run(const settings *set) {
    mcpw_child child = MCPW_CHILD_INIT;
    job *const j = calloc(1, sizeof *j);
    int status = TOOL_FAILED;
    fill_standard();
    const int fd = open_output(set);
    if (j == NULL || fd == -1) {
        free(j);
        return TOOL_FAILED;
    }
    tap_report_init(&j->report, fd, set->json, set->times);
    watch_init(&j->watch, &set->watch, &j->report);
    j->relay.on_bytes = on_bytes;
    j->relay.user = j;
    j->relay.outlets[0] = &j->report.out;
    if (isatty(STDERR_FILENO)) {
        j->aside = outlet_of(STDERR_FILENO);
        j->relay.aside = j->relay.outlets[1] = &j->aside;
    }
    if (relay_start(&j->relay, &child, set->command)) {
        const bool ran = relay_run(&j->relay);
        const int ended = relay_finish(&j->relay);
        if (j->relay.aside != NULL) {
            outlet_drain(&j->aside, PATIENCE);
            if (j->aside.lost != 0) {
                tool_complain("tap: %" PRIu64 " lines of standard error were lost", j->aside.lost);
            }
            outlet_free(&j->aside);
        }
        status = conclude(set, j, ended);
        status = ran ? status : TOOL_FAILED;
    } else {
        (void)tap_report_finish(&j->report); /* nothing is in it */
    }
    watch_free(&j->watch);
    free(j);
    return status;
}

int tap_run(int argc, char **argv) {
    settings set;
    memset(&set, 0, sizeof set);
    set.watch.max_bytes = MCPW_DEFAULT_BYTES;
    set.watch.max_open = DEFAULT_MAX_OPEN;
    if (!read_arguments(&set, argc, argv)) {
        return TOOL_FAILED;
    }
    if (set.help) {
        return print_help();
    }
    return set.rules ? print_rules() : run(&set);
}
