/* SPDX-License-Identifier: MIT */
/* GitHub Actions workflow commands: an annotation for each finding, with its file and line if known. */
#include "report.h"

#include <inttypes.h>
#include <string.h>

static void put_escaped(text *t, const char *words) { text_command(t, words, strlen(words), false); }

static void put_file(text *t, const char *file) {
    text_add(t, "file=");
    text_command(t, file, strlen(file), true);
}

static void put_finding(report *r, const report_finding *f) {
    static const char *const commands[] = {
        [REPORT_ERROR] = "error", [REPORT_WARNING] = "warning", [REPORT_NOTE] = "notice"};
    const bool has_origin = f->origin[0] != '\0';
    text *const t = &r->line;
    text_format(t, "::%s ", commands[f->level]);
    if (has_origin) {
        text_format(t, "title=%s%s", f->code, f->file != NULL ? "," : "");
    }
    if (f->file != NULL) {
        put_file(t, f->file);
        text_format(t, ",line=%" PRIu64, f->line);
    }
    text_format(t, "::%s%s%s", f->time, f->origin, has_origin ? ": " : "");
    put_escaped(t, f->pointer[0] != '\0' ? f->pointer : "/");
    text_add(t, ": ");
    put_escaped(t, f->message);
    put_escaped(t, f->about);
    text_add(t, "\n");
}

static void put_broken(report *r, const char *file, const char *message) {
    text_add(&r->line, "::error ");
    put_file(&r->line, file);
    text_add(&r->line, "::");
    put_escaped(&r->line, message);
    text_add(&r->line, "\n");
}

static void put_lost(text *t, uint64_t count) {
    text_format(t, "::error::%" PRIu64 " findings were lost\n", count);
}

const report_writer report_github = {.finding = put_finding, .broken = put_broken, .lost = put_lost};
