/* SPDX-License-Identifier: MIT */
/* mcpwire tap: relays the messages between a client and a server, and reports errors in them. */
#include "options.h"
#include "tap_file.h"
#include "tap_proxy.h"
#include "tap_relay.h"
#include "tap_replay.h"
#include "tap_report.h"
#include "tap_system.h"
#include "tap_watch.h"
#include "tap_web.h"
#include "tool.h"
#include "trace.h"

#include <mcpw/system.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_MAX_OPEN ((size_t)100000)
#define MAX_MAX_OPEN ((size_t)1 << 30)

enum { PATIENCE = 1000 /* ms for writing the last output */ };

typedef struct settings {
    watch_settings watch;
    overlay_settings overlays;
    proxy_settings proxy;
    web_settings web;
    const char *output;
    const char *record;
    const char *replay;
    report_format format;
    bool append;
    bool times;
    bool summary;
    bool check;
    bool redact;
    bool rules;
    bool help;
    const char *const *command; /* ends with NULL */
} settings;

/* Takes --web, whose port is optional. */
static bool take_web(void *to, const option *entry, const char *value) {
    web_settings *const web = to;
    (void)entry;
    web->wanted = true;
    web->port = value;
    return true;
}

static const option options[] = {
    {"--listen", "PORT",
     "stand before the server at the URL of --to; on another\naddress than 127.0.0.1: ADDRESS:PORT",
     OPTION_WORD(settings, proxy.listen)},
    {"--to", "URL", "the server that --listen stands for", OPTION_WORD(settings, proxy.url)},
    {"--cacert", "FILE", "trust the certificates in FILE instead of the system's",
     OPTION_WORD(settings, proxy.ca_file)},
    {"--rewrite-resource", NULL,
     "let clients request tokens for the address of --listen, not\nfor that of the server",
     OPTION_FLAG(settings, proxy.rewrites)},
    {"--revision", "R", "check every message by this revision of the protocol\ninstead of the one in force",
     OPTION_BY(options_revision, settings, watch.revision)},
    {"--overlay", "OVERLAY",
     "put this overlay on top of its revision: one of mcpwire's, or\n"
     "the file of one, or the schema of an extension; repeatable",
     OPTION_BY(overlay_take, settings, overlays)},
    {"--strict", NULL, "report also what only the specification's prose forbids",
     OPTION_FLAG(settings, watch.strict)},
    {"--all-errors", NULL, "report every error of a message, not only the first",
     OPTION_FLAG(settings, watch.all_errors)},
    {"--output", "FILE", "write the report to FILE instead of standard error", OPTION_WORD(settings, output)},
    {"--record", "FILE", "log every message to FILE, with its time and direction;\nonly you can read it",
     OPTION_WORD(settings, record)},
    {"--append", NULL, "add to the files of --output and --record instead of\nemptying them first",
     OPTION_FLAG(settings, append)},
    {"--replay", "FILE", "report what is wrong in a log of --record; the report\ngoes to standard output",
     OPTION_WORD(settings, replay)},
    {"--format", "F",
     "text (default), json: an object a finding, github:\nannotations of a workflow, junit: XML, or html: a "
     "page\nthat shows the conversation",
     OPTION_BY(report_take_format, settings, format)},
    {"--web", "PORT",
     "show the session in a browser while it runs, at an address\nthat standard error names (127.0.0.1 "
     "alone)",
     OPTION_IS_TAKEN, offsetof(settings, web), 0, 0, take_web, true},
    {"--max-web", "N", "most bytes to keep for pages of --web (default 1G)",
     OPTION_NUMBER(settings, web.max_bytes, 1, SIZE_MAX)},
    {"--redact", NULL, "leave the values of messages out of pages (html, --web)",
     OPTION_FLAG(settings, redact)},
    {"--times", NULL, "say when, in seconds since the start", OPTION_FLAG(settings, times)},
    {"--summary", NULL, "count the messages by method at the end", OPTION_FLAG(settings, summary)},
    {"--check", NULL, "exit with 1 if errors were reported, else with 0", OPTION_FLAG(settings, check)},
    {"--max-bytes", "N", "longest line to check, in bytes (default 64M)",
     OPTION_NUMBER(settings, watch.max_bytes, 1, SIZE_MAX)},
    {"--max-open", "N", "most requests to remember until their response\n(default 100000)",
     OPTION_NUMBER(settings, watch.max_open, 1, MAX_MAX_OPEN)},
    {"--rules", NULL, "list the rules that messages are held to", OPTION_FLAG(settings, rules)},
    {"--help", NULL, "show this text", OPTION_FLAG(settings, help)},
};

enum { OPTIONS = sizeof options / sizeof *options };

static int print_help(void) {
    options_explain("usage: mcpwire tap [OPTION...] -- COMMAND [ARGUMENT...]\n"
                    "       mcpwire tap --listen [ADDRESS:]PORT --to URL [OPTION...]\n"
                    "       mcpwire tap --replay FILE [OPTION...]\n"
                    "\n"
                    "Starts a server of the Model Context Protocol and passes everything on between it\n"
                    "and standard input and output, untouched. Reports on standard error each message, in\n"
                    "either direction, that breaks the schema or the rules of the protocol. With --listen\n"
                    "it is a proxy for a server that is reached over HTTP, until a signal ends it.\n",
                    options, OPTIONS);
    fputs("\n\n"
          "In names of files to write %p stands for the process id.\n"
          "\n"
          "exit status: that of COMMAND, 128 and the signal's number if one ended it; 2 if it\n"
          "could not be started, or a log not be read, or an address not be listened on; with\n"
          "--check 1 if errors were reported, else 0\n"
          "\n"
          "examples:\n"
          "  mcpwire tap -- ./server --verbose\n"
          "  mcpwire tap --format json --output findings.ndjson -- node server.js\n"
          "  mcpwire tap --record session-%p.ndjson -- ./server\n"
          "  mcpwire tap --listen 8080 --to https://example.com/mcp\n"
          "  mcpwire tap --replay session-4711.ndjson --check\n",
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

static bool check_settings(const settings *set) {
    if (set->replay == NULL && set->command == NULL && set->proxy.listen == NULL && set->proxy.url == NULL) {
        tool_complain("tap needs a command to start: mcpwire tap -- COMMAND [ARGUMENT...]");
    } else if ((set->proxy.listen == NULL) != (set->proxy.url == NULL)) {
        tool_complain("--listen and --to belong together: mcpwire tap --listen PORT --to URL");
    } else if (set->proxy.listen != NULL && (set->command != NULL || set->replay != NULL)) {
        tool_complain("--listen starts no command, and replays nothing");
    } else if (set->proxy.rewrites && set->proxy.listen == NULL) {
        tool_complain("--rewrite-resource is for --listen");
    } else if (set->replay != NULL && set->command != NULL) {
        tool_complain("--replay starts no command: it reads a log");
    } else if (set->replay != NULL && set->record != NULL) {
        tool_complain("--record and --replay: only one of them can be done at once");
    } else if (set->append && set->output == NULL && set->record == NULL) {
        tool_complain("--append is for --output and --record");
    } else if (set->append && set->output != NULL && set->format == REPORT_JUNIT) {
        tool_complain("--append adds nothing to a report of --format junit, which is one document");
    } else if (set->append && set->output != NULL && set->format == REPORT_HTML) {
        tool_complain("--append adds nothing to a report of --format html, which is one document");
    } else if (set->redact && set->format != REPORT_HTML && !set->web.wanted) {
        tool_complain("--redact is for --format html and --web");
    } else if (set->web.wanted && set->replay != NULL) {
        tool_complain("--web shows a running session; a log is shown by --format html");
    } else {
        return true;
    }
    return false;
}

static bool read_arguments(settings *set, int argc, char **argv) {
    option_reader reader = options_begin(options, OPTIONS, argc, argv);
    const char *value = NULL;
    int which;
    while ((which = options_next(&reader, &value)) != OPTION_END) {
        if (which == OPTION_OPERAND) { /* the command; its own options follow */
            set->command = (const char *const *)(argv + reader.at - 1);
            break;
        }
        if (which == OPTION_BAD || !options_apply(&reader, set, which, value)) {
            return false;
        }
    }
    return set->help || set->rules || check_settings(set);
}

/* ---- the run ---- */

typedef struct job {
    watch watch;       /* for a command */
    conversations all; /* for HTTP and logs */
    tap_report report;
    trace trace; /* --format html, --web */
    web *web;
    outlet log;   /* --record */
    outlet aside; /* the server's standard error, if that is a terminal */
    relay relay;
    int64_t began;  /* ms since 1970 */
    uint64_t begin; /* the same moment on the clock of mcpw_io_now */
} job;

static void on_bytes(void *user, side from, const char *bytes, size_t len) {
    job *const j = user;
    subscription_at(&j->watch, mcpw_io_now() - j->begin);
    if (len == 0) {
        watch_end(&j->watch, from);
    } else {
        watch_bytes(&j->watch, from, bytes, len);
    }
    outlet_flush(&j->report.out);
    outlet_flush(&j->log);
}

static void put_record(job *j, record *r) {
    text *const t = outlet_begin(&j->log);
    r->time = j->began + (int64_t)j->report.now;
    if (t != NULL) {
        record_put(t, r);
        outlet_end(&j->log);
    }
}

static void on_line(void *user, record *line) { put_record(user, line); }

/* Starts the clock, and the log if there is one. */
static void begin(job *j, int log) {
    record r;
    memset(&r, 0, sizeof r);
    j->began = (int64_t)mcpw_time_of_day();
    j->begin = mcpw_io_now();
    j->log = outlet_of(log);
    tap_report_began(&j->report, j->began);
    if (log != -1) {
        r.kind = RECORD_BEGIN;
        r.number = tap_process_id();
        put_record(j, &r);
        j->watch.on_line = j->all.on_line = on_line;
        j->watch.user = j->all.user = j;
        j->relay.outlets[1] = &j->log;
    }
}

/* True if a file received all output; prints an error otherwise. */
static bool was_written(const outlet *o, const char *name, const char *lost) {
    if (o->error != 0) {
        tool_complain("%s: cannot write: %s", name, strerror(o->error));
    } else if (o->lost != 0) {
        tool_complain("%s: %" PRIu64 " %s are missing", name, o->lost, lost);
    }
    return o->error == 0 && o->lost == 0;
}

/* Ends the log and the report. False: they are incomplete. */
static bool finish(const settings *set, job *j) {
    if (set->summary) {
        tap_report_summary(&j->report);
    }
    bool written = tap_report_finish(&j->report);
    if (!written && set->output != NULL) {
        tool_complain("%s: cannot write: %s", set->output, strerror(j->report.out.error));
    }
    if (set->record != NULL) {
        outlet_drain(&j->log, PATIENCE);
        written = was_written(&j->log, set->record, "lines") && written;
        outlet_free(&j->log);
    }
    if (j->relay.aside != NULL) {
        outlet_drain(&j->aside, PATIENCE);
        (void)was_written(&j->aside, "standard error", "lines of the server");
        outlet_free(&j->aside);
    }
    return written;
}

/* Relays between the two sides until they have gone; *status is the command's. */
static bool stand_between(const settings *set, job *j, int log, int *status) {
    mcpw_child child = MCPW_CHILD_INIT;
    j->relay.on_bytes = on_bytes;
    j->relay.user = j;
    j->relay.outlets[0] = &j->report.out;
    if (tap_guards_error()) {
        j->aside = outlet_of(TAP_STANDARD_ERROR);
        j->relay.aside = j->relay.outlets[2] = &j->aside;
    }
    begin(j, log);
    if (!relay_start(&j->relay, &child, set->command)) {
        return false;
    }
    const bool ran = relay_run(&j->relay);
    *status = relay_finish(&j->relay);
    return ran;
}

static void flush(void *user) {
    job *const j = user;
    outlet_flush(&j->report.out);
    outlet_flush(&j->log);
}

/* Relays to a server over HTTP until a signal arrives. */
static bool stand_before(const settings *set, job *j, int log) {
    begin(j, log);
    return proxy_run(&set->proxy, &j->all, flush, j) == TOOL_OK;
}

/* Relays and checks, or replays a log. Returns an exit status. */
static int work(const settings *set, job *j, int log) {
    int status = TOOL_OK;
    const bool worked = set->replay != NULL         ? replay(&j->all, set->replay)
                        : set->proxy.listen != NULL ? stand_before(set, j, log)
                                                    : stand_between(set, j, log, &status);
    const bool errors = j->report.counts[ERROR] != 0;
    const bool written = finish(set, j);
    if (!worked || (set->check && !written)) {
        return TOOL_FAILED;
    }
    return !set->check ? status : errors ? TOOL_INVALID : TOOL_OK;
}

static void on_event(void *user, const text *event) {
    job *const j = user;
    report_event(&j->report.report, event);
    if (j->web != NULL) {
        web_event(j->web, event);
    }
}

static void set_trace(const settings *set, job *j) {
    trace_init(&j->trace, on_event, j);
    j->trace.redacts = set->redact;
    j->report.trace = set->format == REPORT_HTML || set->web.wanted ? &j->trace : NULL;
    if (set->replay != NULL) {
        trace_file(&j->trace, set->replay);
    }
}

static int run(const settings *set) {
    job *const j = calloc(1, sizeof *j);
    int status = TOOL_FAILED;
    tap_fill_standard();
    const int standard = set->replay != NULL ? TAP_STANDARD_OUTPUT : TAP_STANDARD_ERROR;
    const int out = set->output != NULL ? tap_file_open(set->output, set->append) : standard;
    const int log = set->record != NULL && out != -1 ? tap_file_open(set->record, set->append) : -1;
    if (j != NULL && out != -1 && (log != -1 || set->record == NULL)) {
        if (tap_report_init(&j->report, out, set->format, set->times)) {
            j->report.file = set->replay;
            set_trace(set, j);
            watch_init(&j->watch, &set->watch, &j->report);
            conversations_init(&j->all, &set->watch, &j->report);
            j->web = set->web.wanted ? web_open(&set->web) : NULL;
            status = set->web.wanted && j->web == NULL ? TOOL_FAILED : work(set, j, log);
            web_close(j->web);
            conversations_free(&j->all);
            watch_free(&j->watch);
            trace_free(&j->trace);
        }
    }
    free(j);
    return status;
}

/* The own extensions are always known, so that their undeclared use is reported. */
static int run_with_overlays(settings *set) {
    set->overlays.with_own = true;
    set->overlays.strict = set->watch.strict;
    set->watch.overlays = overlays_open(&set->overlays);
    const int status = set->watch.overlays != NULL ? run(set) : TOOL_FAILED;
    overlays_free(set->watch.overlays);
    return status;
}

int tap_run(int argc, char **argv) {
    settings set;
    memset(&set, 0, sizeof set);
    set.watch.max_bytes = MCPW_DEFAULT_BYTES;
    set.watch.max_open = DEFAULT_MAX_OPEN;
    set.web.max_bytes = WEB_MOST_BYTES;
    if (!read_arguments(&set, argc, argv)) {
        return TOOL_FAILED;
    }
    if (set.help) {
        return print_help();
    }
    set.proxy.max_bytes = set.watch.max_bytes;
    return set.rules ? print_rules() : run_with_overlays(&set);
}
