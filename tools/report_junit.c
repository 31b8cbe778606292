/* SPDX-License-Identifier: MIT */
/*
 * XML as JUnit has made it known: a test suite a file, a test case a value. A suite begins with how many
 * cases it has, so that they wait in a temporary file until the end of the suite is seen.
 */
#define _POSIX_C_SOURCE 200809L

#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "tool.h"

enum { COPY_SIZE = 4096 };

/* Cleaned as for a terminal, which leaves nothing that XML refuses but two characters, and those escaped that
 * mean something in it. */
static void put_xml(report *r, const char *piece) {
    static const struct {
        const char *from;
        const char *to;
    } table[] = {{"&", "&amp;"},
                 {"<", "&lt;"},
                 {">", "&gt;"},
                 {"\"", "&quot;"},
                 {"'", "&apos;"},
                 {"\xef\xbf\xbe", "\\xef\\xbf\\xbe"},
                 {"\xef\xbf\xbf", "\\xef\\xbf\\xbf"}};
    text clean = TEXT_INIT;
    text_safe(&clean, piece, strlen(piece));
    for (size_t i = 0; i < clean.buffer.len;) {
        const char *const at = clean.buffer.data + i;
        const size_t left = clean.buffer.len - i;
        size_t size = 1;
        const char *to = NULL;
        for (size_t k = 0; k < sizeof table / sizeof table[0] && to == NULL; k++) {
            const size_t len = strlen(table[k].from);
            if (len <= left && memcmp(at, table[k].from, len) == 0) {
                to = table[k].to;
                size = len;
            }
        }
        text_bytes(&r->piece, to != NULL ? to : at, to != NULL ? strlen(to) : size);
        i += size;
    }
    r->piece.lost = r->piece.lost || clean.lost;
    text_free(&clean);
    report_put_piece(r);
}

static void put_attribute(report *r, const char *name, const char *value) {
    report_put_format(r, " %s=\"", name);
    put_xml(r, value);
    report_put_text(r, "\"");
}

static void begin_all(report *r) {
    if (r->files == 1) {
        report_put_text(
            r, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"mcpwire validate\">\n");
    }
}

static void begin_file(report *r) {
    begin_all(r);
    r->spool = tmpfile();
    if (r->spool == NULL) {
        r->error = errno;
        return;
    }
    r->out = r->spool;
}

/* Copies what the suite wrote to standard output. */
static void copy_spool(report *r) {
    char piece[COPY_SIZE];
    size_t got = 0;
    FILE *const spool = r->spool;
    errno = 0;
    if (fflush(spool) != 0 || fseek(spool, 0, SEEK_SET) != 0) {
        r->error = errno != 0 ? errno : EIO;
    }
    while (r->error == 0 && (got = fread(piece, 1, sizeof piece, spool)) != 0) {
        report_put(r, piece, got);
    }
    if (r->error == 0 && ferror(spool)) {
        r->error = EIO;
    }
    (void)fclose(spool);
    r->spool = NULL;
}

static void end_file(report *r) {
    r->out = stdout;
    report_put_text(r, "<testsuite");
    put_attribute(r, "name", r->file);
    report_put_format(r, " tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\"",
                      (r->set.errors_only ? r->file_invalid : r->file_values) + r->file_failures,
                      r->file_invalid);
    report_put_format(r, " errors=\"%" PRIu64 "\">\n", r->file_failures);
    copy_spool(r);
    report_put_text(r, "</testsuite>\n");
}

static void begin_case(report *r) {
    report_put_text(r, "<testcase");
    put_attribute(r, "classname", r->file);
    report_put_format(r, " name=\"line %" PRIu64 "\"", r->line);
}

static void begin_value(report *r) {
    begin_case(r);
    report_put_text(r, r->valid ? "/>\n" : ">");
}

static void put_error(report *r, uint64_t line, const mcpw_error *error) {
    if (r->listed++ == 0) {
        report_put_text(r, "<failure");
        put_attribute(r, "type", mcpw_status_name(error->code));
        put_attribute(r, "message", error->message);
        report_put_text(r, ">");
    } else {
        report_put_text(r, "\n");
    }
    put_xml(r, r->file);
    report_put_format(r, ":%" PRIu64 ": ", line);
    put_xml(r, error->path[0] != '\0' ? error->path : "/");
    report_put_text(r, ": ");
    put_xml(r, error->message);
}

static void end_value(report *r) {
    if (!r->valid) {
        report_put_text(r, r->listed != 0 ? "</failure></testcase>\n" : "</testcase>\n");
    }
}

static void put_failure(report *r, const char *message) {
    report_put_text(r, "<testcase");
    put_attribute(r, "classname", r->file);
    put_attribute(r, "name", "read");
    report_put_text(r, "><error");
    put_attribute(r, "message", message);
    report_put_text(r, "/></testcase>\n");
}

static void put_summary(report *r) { report_put_text(r, "</testsuites>\n"); }

const report_style report_junit = {.file = begin_file,
                                   .begin = begin_value,
                                   .error = put_error,
                                   .end = end_value,
                                   .failure = put_failure,
                                   .file_end = end_file,
                                   .summary = put_summary};
