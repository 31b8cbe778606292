/* SPDX-License-Identifier: MIT */
/* What went wrong, in words and with its place. Not on the path of valid messages. */
#include "../base/printable.h"
#include "../json/scanner.h"
#include "check.h"
#include "choose.h"
#include "kinds.h"
#include "tell.h"

bool mcpw_is_verdict(mcpw_status status) {
    switch (status) {
    case MCPW_E_TYPE:
    case MCPW_E_VALUE:
    case MCPW_E_RANGE:
    case MCPW_E_OVERFLOW:
    case MCPW_E_LENGTH:
    case MCPW_E_MISSING:
    case MCPW_E_UNEXPECTED:
    case MCPW_E_DUPLICATE:
    case MCPW_E_UNION:
    case MCPW_E_FORMAT:
        return true;
    default:
        return false;
    }
}

/* Whether anybody wants to know of failures. */
static bool wanted(const mcpw_teller *t) { return t->error != NULL && t->quiet == 0; }

/* A key of the text, which may have escapes; they are known to be well-formed. Of a long key only as many of
 * the last bytes are kept as a path can show. */
static void prepend_key(mcpw_error *error, const mcpw_frame *f) {
    enum { KEPT = 2 * MCPW_ERROR_PATH_SIZE, ROOM = 2 * KEPT };
    unsigned char plain[ROOM];
    size_t used = 0;
    const unsigned char *p = (const unsigned char *)f->key;
    const unsigned char *const end = p + f->key_len;
    while (p < end) {
        if (used > ROOM - sizeof(uint32_t)) {
            memmove(plain, plain + used - KEPT, KEPT);
            used = KEPT;
        }
        used += mcpw_put_character(plain + used, mcpw_next_character(&p));
    }
    mcpw_error_prepend_key(error, (const char *)plain, used);
}

static void set_path(const mcpw_teller *t) {
    for (const mcpw_frame *f = t->frame; f != NULL; f = f->up) {
        if (f->key != NULL) {
            prepend_key(t->error, f);
        } else {
            mcpw_error_prepend_index(t->error, f->index);
        }
    }
}

/* Notes a failure; whether it is to be described. */
static bool note(mcpw_walk *w, const unsigned char *p, mcpw_status status) {
    (void)mcpw_stop(&w->reader, p, status);
    return wanted(&w->teller);
}

static size_t offset_of(const mcpw_walk *w, const unsigned char *p) { return (size_t)(p - w->reader.base); }

#if defined(MCPW_NO_ERROR_TEXT)
void mcpw_tell_code(mcpw_walk *w, const unsigned char *p, mcpw_status status) {
    if (note(w, p, status)) {
        mcpw_error_place(w->teller.error, status, offset_of(w, p));
        set_path(&w->teller);
    }
}

void mcpw_tell_kind(mcpw_walk *w, const unsigned char *p) {
    mcpw_tell_code(w, p, mcpw_json_type(*p) == 0 ? MCPW_E_SYNTAX : MCPW_E_TYPE);
}

void mcpw_tell_number_kind(mcpw_walk *w, unsigned char *p) {
    const mcpw_status status = w->reader.status;
    if (mcpw_json_type(*p) != MCPW_IS_NUMBER) {
        mcpw_tell_kind(w, p);
    } else if (mcpw_is_verdict(status)) {
        mcpw_tell_code(w, p, status == MCPW_E_OVERFLOW ? status : MCPW_E_TYPE);
    } else {
        mcpw_describe(w);
    }
}
#else
void mcpw_tell(mcpw_walk *w, const unsigned char *p, mcpw_status status, const char *text) {
    if (note(w, p, status)) {
        mcpw_error_text(w->teller.error, status, offset_of(w, p), text);
        set_path(&w->teller);
    }
}

/* A message that is being put together. */
typedef struct message {
    size_t len;
    char text[MCPW_ERROR_MESSAGE_SIZE];
} message;

/* What does not fit is left out. */
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

void mcpw_tell_around(mcpw_walk *w, const unsigned char *p, mcpw_status status, const char *before,
                      const char *what, const char *after) {
    message m;
    begin(&m, before);
    add(&m, what);
    add(&m, after);
    mcpw_tell(w, p, status, m.text);
}

static MCPW_COLD void tell_got(mcpw_walk *w, const unsigned char *p, const char *expected, const char *got) {
    message m;
    begin(&m, "expected ");
    add(&m, expected);
    add_got(&m, got);
    mcpw_tell(w, p, MCPW_E_TYPE, m.text);
}

static MCPW_COLD void unexpected(mcpw_walk *w, const unsigned char *p, mcpw_status status) {
    const unsigned char *const end = w->reader.base + w->reader.len;
    const unsigned char *next = p;
    const bool text = status == MCPW_E_UTF8;
    char excerpt[MCPW_EXCERPT_SIZE];
    if (p >= end) {
        mcpw_tell(w, p, status, "unexpected end of text");
        return;
    }
    if (*p == '\\') {
        mcpw_tell(w, p, status, text ? "lone surrogate in an escape" : "invalid escape");
        return;
    }
    do { /* a whole character */
        next++;
    } while (next < end && (*next & 0xc0) == 0x80);
    (void)mcpw_excerpt(excerpt, (const char *)p, (size_t)(next - p));
    mcpw_tell_around(w, p, status, text ? "invalid UTF-8: " : "unexpected character '", excerpt,
                     text ? "" : "'");
}

void mcpw_tell_type(mcpw_walk *w, const unsigned char *p, const char *expected) {
    const mcpw_status status = mcpw_json_type(*p) == 0 ? MCPW_E_SYNTAX : MCPW_E_TYPE;
    if (!note(w, p, status)) {
        return;
    }
    if (status == MCPW_E_SYNTAX) {
        unexpected(w, p, status);
    } else {
        tell_got(w, p, expected, type_name(*p));
    }
}

/* A value that is not the number asked for: another type, a fraction, too large, or broken. */
void mcpw_tell_number(mcpw_walk *w, unsigned char *p, const char *expected) {
    const mcpw_status status = w->reader.status;
    if (mcpw_json_type(*p) != MCPW_IS_NUMBER) {
        mcpw_tell_type(w, p, expected);
        return;
    }
    if (!mcpw_is_verdict(status)) {
        mcpw_describe(w);
        return;
    }
    unsigned char *const end = mcpw_skip_number(&w->reader, p);
    char excerpt[MCPW_EXCERPT_SIZE];
    if (end == NULL) { /* uncovered: a name longer than a path has room for */
        return;
    }
    (void)mcpw_excerpt(excerpt, (const char *)p, (size_t)(end - p));
    if (status == MCPW_E_OVERFLOW) {
        mcpw_tell_around(w, p, status, "number ", excerpt, " does not fit");
    } else {
        tell_got(w, p, expected, excerpt);
    }
}

void mcpw_tell_missing(mcpw_walk *w, const unsigned char *p, const mcpw_row *row) {
    const mcpw_str name = mcpw_row_name(w->tables.revision, w->tables.pool, row);
    message m;
    begin(&m, "missing required member ");
    append(&m, name.ptr - 1, name.len + MCPW_VALUE_QUOTES);
    mcpw_tell(w, p, MCPW_E_MISSING, m.text);
}

void mcpw_tell_check(mcpw_walk *w, const unsigned char *p, mcpw_status status, unsigned check) {
    char text[MCPW_ERROR_MESSAGE_SIZE];
    if (note(w, p, status)) {
        mcpw_tell(w, p, status, mcpw_check_words(text, w->tables.revision, check, status));
    }
}

/* Ends a message with the value at p, shortened, and tells it. */
static void tell_with_value(mcpw_walk *w, unsigned char *p, mcpw_status status, message *m) {
    char excerpt[MCPW_EXCERPT_SIZE];
    if (*p == '{' || *p == '[') {
        add_got(m, type_name(*p));
    } else {
        unsigned char *const end = mcpw_json_type(*p) != 0 ? mcpw_skip_value(&w->reader, p) : NULL;
        if (end != NULL) {
            add_got(m, mcpw_excerpt(excerpt, (const char *)p, (size_t)(end - p)));
        }
    }
    mcpw_tell(w, p, status, m->text);
}

enum { MAX_CHOICES = 12 };

void mcpw_tell_enum(mcpw_walk *w, unsigned char *p, uint16_t index) {
    const mcpw_enum *const e = w->tables.revision->enums + index;
    message m;
    if (!note(w, p, MCPW_E_VALUE)) {
        return;
    }
    begin(&m, "expected ");
    for (unsigned i = 0; i < e->count && i < MAX_CHOICES; i++) {
        const mcpw_str text =
            mcpw_enum_value_text(w->tables.pool, w->tables.revision->enum_values + e->first + i);
        if (i != 0) {
            add(&m, i + 1 == e->count ? " or " : ", ");
        }
        append(&m, text.ptr - 1, text.len + MCPW_VALUE_QUOTES);
    }
    tell_with_value(w, p, MCPW_E_VALUE, &m);
}

void mcpw_tell_const(mcpw_walk *w, unsigned char *p, const mcpw_const *want) {
    const mcpw_json text = mcpw_const_text(w->tables.pool, want);
    message m;
    if (note(w, p, MCPW_E_VALUE)) {
        begin(&m, "expected ");
        append(&m, text.ptr, text.len);
        tell_with_value(w, p, MCPW_E_VALUE, &m);
    }
}

void mcpw_tell_union(mcpw_walk *w, unsigned char *p, const mcpw_union *u) {
    const mcpw_alternative *const a = w->tables.revision->alternatives + u->alternatives;
    message m;
    if (!note(w, p, MCPW_E_UNION)) {
        return;
    }
    begin(&m, "matches none of ");
    for (unsigned i = 0; i < u->alternative_count; i++) {
        if (i != 0) {
            add(&m, ", ");
        }
        add(&m, w->tables.pool + a[i].name);
    }
    if (*p == '{' && (u->flags & MCPW_UNION_ONE_KEY) != 0) {
        const mcpw_str key = mcpw_test_key(w->tables.pool, w->tables.revision->tests + u->tests);
        add(&m, ": no known ");
        append(&m, key.ptr - 1, key.len + MCPW_VALUE_QUOTES);
        mcpw_tell(w, p, MCPW_E_UNION, m.text);
    } else {
        tell_with_value(w, p, MCPW_E_UNION, &m);
    }
}
#endif

void mcpw_describe(mcpw_walk *w) {
    const mcpw_reader *const r = &w->reader;
    if (!wanted(&w->teller) || w->teller.error->code != MCPW_OK || w->teller.stopped) {
        return;
    }
#if !defined(MCPW_NO_ERROR_TEXT)
    if (r->status == MCPW_E_SYNTAX || r->status == MCPW_E_UTF8) {
        unexpected(w, r->at, r->status);
        return;
    }
#endif
    mcpw_tell(w, r->at != NULL ? r->at : r->base, r->status, mcpw_status_text(r->status));
}

void mcpw_forgive(mcpw_walk *w) {
    w->reader.status = MCPW_OK;
    if (wanted(&w->teller)) {
        w->teller.error->code = MCPW_OK;
    }
}

bool mcpw_report(mcpw_walk *w) {
    mcpw_teller *const t = &w->teller;
    mcpw_describe(w);
    if (!t->collect || t->quiet != 0 || t->stopped || !mcpw_is_verdict(w->reader.status)) {
        return false;
    }
    if (t->first == MCPW_OK) {
        t->first = w->reader.status;
    }
    if (!t->on_error(t->user, t->error)) {
        t->stopped = true;
        return false;
    }
    mcpw_forgive(w);
    return true;
}

unsigned char *mcpw_recover(mcpw_walk *w, unsigned char *start) {
    return mcpw_report(w) ? mcpw_skip_value(&w->reader, start) : NULL;
}
