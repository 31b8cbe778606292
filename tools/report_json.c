/* SPDX-License-Identifier: MIT */
/* An object a value, and one for the summary. */
#include "report.h"

#include <mcpw/codec.h>

#include <inttypes.h>

static void put_begin(report *r) {
    report_put_text(r, "{\"file\":");
    report_put_json(r, r->file);
    report_put_format(r, ",\"line\":%" PRIu64, r->line);
    if (r->set.with_revisions && r->revision != NULL) {
        report_put_text(r, ",\"revision\":");
        report_put_json(r, mcpw_revision_name(r->revision));
    }
    report_put_format(r, ",\"valid\":%s,\"errors\":[", r->valid ? "true" : "false");
}

static void put_error(report *r, uint64_t line, const mcpw_error *error) {
    (void)line; /* the value has one */
    report_put_text(r, r->listed++ != 0 ? ",{\"pointer\":" : "{\"pointer\":");
    report_put_json(r, error->path);
    report_put_text(r, ",\"code\":");
    report_put_json(r, mcpw_status_name(error->code));
    report_put_text(r, ",\"message\":");
    report_put_json(r, error->message);
    report_put_format(r, ",\"offset\":%zu}", error->offset);
}

static void put_note(report *r, const char *pointer, const char *message) {
    report_put_text(r, r->notes_open ? ",{\"pointer\":" : "],\"notes\":[{\"pointer\":");
    r->notes_open = true;
    report_put_json(r, pointer);
    report_put_text(r, ",\"message\":");
    report_put_json(r, message);
    report_put_text(r, "}");
}

static void put_end(report *r) { report_put_text(r, "]}\n"); }

static void put_revisions(report *r) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    const char *between = "";
    report_put_text(r, ",\"revisions\":{");
    for (size_t i = 0; i < count; i++) {
        if (r->by_revision[i] != 0) {
            report_put_text(r, between);
            report_put_json(r, mcpw_revision_name(all[i]));
            report_put_format(r, ":%" PRIu64, r->by_revision[i]);
            between = ",";
        }
    }
    report_put_text(r, "}");
}

static void put_summary(report *r) {
    report_put_format(r, "{\"summary\":{\"files\":%" PRIu64 ",\"values\":%" PRIu64, r->files, r->values);
    report_put_format(r, ",\"invalid\":%" PRIu64 ",\"notes\":%" PRIu64, r->invalid, r->notes);
    report_put_format(r, ",\"files_not_read\":%" PRIu64 ",\"files_empty\":%" PRIu64, r->failed_files,
                      r->empty_files);
    if (r->set.with_revisions) {
        report_put_format(r, ",\"sessions\":%" PRIu64, r->sessions);
    }
    put_revisions(r);
    report_put_text(r, "}}\n");
}

const report_style report_json = {
    .begin = put_begin, .error = put_error, .note = put_note, .end = put_end, .summary = put_summary};
