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

#include "spool.h"
#include "tool.h"

static void put_xml(report *r, const char *piece) {
    text_xml(&r->piece, piece, strlen(piece));
    report_put_piece(r);
}

static void put_attribute(report *r, const char *name, const char *value) {
    text_xml_attribute(&r->piece, name, value);
    report_put_piece(r);
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

static void put_bytes(void *user, const char *bytes, size_t len) { report_put(user, bytes, len); }

/* Copies what the suite wrote to standard output. */
static void copy_spool(report *r) {
    const int error = spool_take(r->spool, put_bytes, r);
    r->spool = NULL;
    r->error = r->error != 0 ? r->error : error;
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
