/* SPDX-License-Identifier: MIT */
/* The messages of errors. Builds without messages have describe_code.c. */
#include <mcpw/error.h>

#include "../base/printable.h"
#include "../json/scanner.h"
#include "check.h"
#include "choose.h"
#include "error_report.h"
#include "kinds.h"

#if !defined(MCPW_NO_ERROR_TEXT)
void mcpw_report_error(mcpw_reporter *t, mcpw_reader *r, const unsigned char *p, mcpw_status status,
                       const char *text) {
    if (mcpw_report_begin(t, r, p, status)) {
        mcpw_error_text(t->error, status, (size_t)(p - r->base), text);
        mcpw_report_path(t);
    }
}

/* A message that is being put together. */
typedef struct message {
    size_t len;
    char text[MCPW_ERROR_MESSAGE_SIZE];
} message;

/* Text beyond the room is left out. */
static void append(message *m, const char *text, size_t len) {
    if (len < sizeof m->text - m->len) {
        memcpy(m->text + m->len, text, len);
        m->len += len;
        m->text[m->len] = '\0';
    }
}

static void add(message *m, const char *text) { append(m, text, strlen(text)); }

static MCPW_NOINLINE void begin(message *m, const char *text) {
    m->len = 0;
    m->text[0] = '\0';
    add(m, text);
}

static void add_got(message *m, const char *what) {
    add(m, ", got ");
    add(m, what);
}

/* The name of the type of the value that begins with c. */
static const char *type_name(unsigned char c) {
    const char *name = "object\0array\0string\0number\0boolean\0null"; /* in the order of MCPW_IS_... */
    for (unsigned type = mcpw_json_type(c); type > MCPW_IS_OBJECT; type >>= 1) {
        name += strlen(name) + 1;
    }
    return name;
}

static MCPW_COLD void tell_around(mcpw_reporter *t, mcpw_reader *r, const unsigned char *p,
                                  mcpw_status status, const char *before, const char *what,
                                  const char *after) {
    message m;
    begin(&m, before);
    add(&m, what);
    add(&m, after);
    mcpw_report_error(t, r, p, status, m.text);
}

static MCPW_COLD void tell_got(mcpw_reporter *t, mcpw_reader *r, const unsigned char *p, const char *expected,
                               const char *got) {
    message m;
    begin(&m, "expected ");
    add(&m, expected);
    add_got(&m, got);
    mcpw_report_error(t, r, p, MCPW_E_TYPE, m.text);
}

static MCPW_COLD void unexpected(mcpw_reporter *t, mcpw_reader *r, const unsigned char *p,
                                 mcpw_status status) {
    const unsigned char *const end = r->base + r->len;
    const unsigned char *next = p;
    const bool text = status == MCPW_E_UTF8;
    char excerpt[MCPW_EXCERPT_SIZE];
    if (p >= end) {
        mcpw_report_error(t, r, p, status, "unexpected end of text");
        return;
    }
    if (*p == '\\') {
        mcpw_report_error(t, r, p, status, text ? "lone surrogate in an escape" : "invalid escape");
        return;
    }
    do { /* a whole character */
        next++;
    } while (next < end && (*next & 0xc0) == 0x80);
    (void)mcpw_excerpt(excerpt, (const char *)p, (size_t)(next - p));
    tell_around(t, r, p, status, text ? "invalid UTF-8: " : "unexpected character '", excerpt,
                text ? "" : "'");
}

void mcpw_report_type(mcpw_reporter *t, mcpw_reader *r, const unsigned char *p, const char *expected) {
    const mcpw_status status = mcpw_json_type(*p) == 0 ? MCPW_E_SYNTAX : MCPW_E_TYPE;
    if (!mcpw_report_begin(t, r, p, status)) {
        return;
    }
    if (status == MCPW_E_SYNTAX) {
        unexpected(t, r, p, status);
    } else {
        tell_got(t, r, p, expected, type_name(*p));
    }
}

/* A value that is not the number asked for: another type, a fraction, too large, or broken. */
void mcpw_report_number(mcpw_reporter *t, mcpw_reader *r, unsigned char *p, const char *expected) {
    const mcpw_status status = r->status;
    if (mcpw_json_type(*p) != MCPW_IS_NUMBER) {
        mcpw_report_type(t, r, p, expected);
        return;
    }
    if (!mcpw_is_verdict(status)) {
        mcpw_describe(t, r);
        return;
    }
    unsigned char *const end = mcpw_skip_number(r, p);
    char excerpt[MCPW_EXCERPT_SIZE];
    if (end == NULL) {
        return;
    }
    (void)mcpw_excerpt(excerpt, (const char *)p, (size_t)(end - p));
    if (status == MCPW_E_OVERFLOW) {
        tell_around(t, r, p, status, "number ", excerpt, " does not fit");
    } else {
        tell_got(t, r, p, expected, excerpt);
    }
}

void mcpw_report_missing(mcpw_reporter *t, mcpw_reader *r, const mcpw_tables *tables, const unsigned char *p,
                         const mcpw_row *row) {
    const mcpw_str name = mcpw_row_name(tables->revision, tables->pool, row);
    message m;
    begin(&m, "missing required member ");
    append(&m, name.ptr - 1, name.len + MCPW_VALUE_QUOTES);
    mcpw_report_error(t, r, p, MCPW_E_MISSING, m.text);
}

void mcpw_report_check(mcpw_reporter *t, mcpw_reader *r, const mcpw_tables *tables, const unsigned char *p,
                       mcpw_status status, unsigned check) {
    char text[MCPW_ERROR_MESSAGE_SIZE];
    if (mcpw_report_begin(t, r, p, status)) {
        mcpw_report_error(t, r, p, status, mcpw_check_words(text, tables->revision, check, status));
    }
}

/* Ends a message with the value at p, shortened, and reports it. */
static void tell_with_value(mcpw_reporter *t, mcpw_reader *r, unsigned char *p, mcpw_status status,
                            message *m) {
    char excerpt[MCPW_EXCERPT_SIZE];
    if (*p == '{' || *p == '[') {
        add_got(m, type_name(*p));
    } else {
        unsigned char *const end = mcpw_json_type(*p) != 0 ? mcpw_skip_value(r, p) : NULL;
        if (end != NULL) {
            add_got(m, mcpw_excerpt(excerpt, (const char *)p, (size_t)(end - p)));
        }
    }
    mcpw_report_error(t, r, p, status, m->text);
}

enum { MAX_CHOICES = 12 };

void mcpw_report_enum(mcpw_reporter *t, mcpw_reader *r, const mcpw_tables *tables, unsigned char *p,
                      uint16_t index) {
    const mcpw_enum *const e = tables->revision->enums + index;
    message m;
    if (!mcpw_report_begin(t, r, p, MCPW_E_VALUE)) {
        return;
    }
    begin(&m, "expected ");
    for (unsigned i = 0; i < e->count && i < MAX_CHOICES; i++) {
        const mcpw_str text =
            mcpw_enum_value_text(tables->pool, tables->revision->enum_values + e->first + i);
        if (i != 0) {
            add(&m, i + 1 == e->count ? " or " : ", ");
        }
        append(&m, text.ptr - 1, text.len + MCPW_VALUE_QUOTES);
    }
    tell_with_value(t, r, p, MCPW_E_VALUE, &m);
}

void mcpw_report_const(mcpw_reporter *t, mcpw_reader *r, const mcpw_tables *tables, unsigned char *p,
                       const mcpw_const *want) {
    const mcpw_json text = mcpw_const_text(tables->pool, want);
    message m;
    if (mcpw_report_begin(t, r, p, MCPW_E_VALUE)) {
        begin(&m, "expected ");
        append(&m, text.ptr, text.len);
        tell_with_value(t, r, p, MCPW_E_VALUE, &m);
    }
}

void mcpw_report_union(mcpw_reporter *t, mcpw_reader *r, const mcpw_tables *tables, unsigned char *p,
                       const mcpw_union *u) {
    const mcpw_alternative *const a = tables->revision->alternatives + u->alternatives;
    message m;
    if (!mcpw_report_begin(t, r, p, MCPW_E_UNION)) {
        return;
    }
    begin(&m, "matches none of ");
    for (unsigned i = 0; i < u->alternative_count; i++) {
        if (i != 0) {
            add(&m, ", ");
        }
        add(&m, tables->pool + a[i].name);
    }
    if (*p == '{' && (u->flags & MCPW_UNION_ONE_KEY) != 0) {
        const mcpw_str key = mcpw_test_key(tables->pool, tables->revision->tests + u->tests);
        add(&m, ": no known ");
        append(&m, key.ptr - 1, key.len + MCPW_VALUE_QUOTES);
        mcpw_report_error(t, r, p, MCPW_E_UNION, m.text);
    } else {
        tell_with_value(t, r, p, MCPW_E_UNION, &m);
    }
}

void mcpw_describe(mcpw_reporter *t, mcpw_reader *r) {
    if (!mcpw_is_wanted(t) || t->error->code != MCPW_OK || t->stopped) {
        return;
    }
    if (r->status == MCPW_E_SYNTAX || r->status == MCPW_E_UTF8) {
        unexpected(t, r, r->at, r->status);
        return;
    }
    mcpw_report_error(t, r, r->at != NULL ? r->at : r->base, r->status, mcpw_status_text(r->status));
}

#endif
