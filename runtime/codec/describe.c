/* SPDX-License-Identifier: MIT */
/* What went wrong, in words and with its place. Not on the path of valid messages. */
#include "../json/scanner.h"
#include "engine_internal.h"

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

static bool wanted(const mcpw_reader *r) { return r->error != NULL && r->quiet == 0; }

/* A key of the text, which may have escapes; they are known to be well-formed. Of a long key only as many of
 * the last bytes are kept as a path can show. */
static void prepend_key(mcpw_reader *r, const mcpw_frame *f) {
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
    mcpw_error_prepend_key(r->error, (const char *)plain, used);
}

static void set_path(mcpw_reader *r) {
    for (const mcpw_frame *f = r->frame; f != NULL; f = f->up) {
        if (f->key != NULL) {
            prepend_key(r, f);
        } else {
            mcpw_error_prepend_index(r->error, f->index);
        }
    }
}

/* Notes a failure; whether it is to be described. */
static bool note(mcpw_reader *r, const unsigned char *p, mcpw_status status) {
    (void)mcpw_stop(r, p, status);
    return wanted(r);
}

#if defined(MCPW_NO_ERROR_TEXT)
void mcpw_tell_code(mcpw_reader *r, const unsigned char *p, mcpw_status status) {
    if (note(r, p, status)) {
        mcpw_error_place(r->error, status, (size_t)(p - r->base));
        set_path(r);
    }
}

void mcpw_tell_kind(mcpw_reader *r, const unsigned char *p) {
    mcpw_tell_code(r, p, mcpw_json_type(*p) == 0 ? MCPW_E_SYNTAX : MCPW_E_TYPE);
}

void mcpw_tell_number_kind(mcpw_reader *r, unsigned char *p) {
    const mcpw_status status = r->status;
    if (mcpw_json_type(*p) != MCPW_IS_NUMBER) {
        mcpw_tell_kind(r, p);
    } else if (mcpw_is_verdict(status)) {
        mcpw_tell_code(r, p, status == MCPW_E_OVERFLOW ? status : MCPW_E_TYPE);
    } else {
        mcpw_describe(r);
    }
}
#else
void mcpw_tell(mcpw_reader *r, const unsigned char *p, mcpw_status status, const char *text) {
    if (note(r, p, status)) {
        mcpw_error_text(r->error, status, (size_t)(p - r->base), text);
        set_path(r);
    }
}

/* Appends to a message being put together; what does not fit is left out. */
static void append(mcpw_reader *r, const char *text, size_t len) {
    const size_t have = strlen(r->text);
    const size_t room = sizeof r->text - 1 - have;
    if (len <= room) {
        memcpy(r->text + have, text, len);
        r->text[have + len] = '\0';
    }
}

static void add(mcpw_reader *r, const char *text) { append(r, text, strlen(text)); }

/* Begins a message; whether anybody wants to know the rest. */
static bool begin(mcpw_reader *r, const char *text) {
    r->text[0] = '\0';
    add(r, text);
    return wanted(r);
}

static void add_got(mcpw_reader *r, const char *what) {
    add(r, ", got ");
    add(r, what);
}

/* The name of the type of the value that begins with c. */
static const char *type_name(unsigned char c) {
    const char *name = "object\0array\0string\0number\0boolean\0null"; /* in the order of MCPW_IS_... */
    for (unsigned type = mcpw_json_type(c); type > MCPW_IS_OBJECT; type >>= 1) {
        name += strlen(name) + 1;
    }
    return name;
}

void mcpw_tell_around(mcpw_reader *r, const unsigned char *p, mcpw_status status, const char *before,
                      const char *what, const char *after) {
    (void)begin(r, before);
    add(r, what);
    add(r, after);
    mcpw_tell(r, p, status, r->text);
}

void mcpw_tell_bounds(mcpw_reader *r, const unsigned char *p, mcpw_status status, unsigned check) {
    mcpw_tell(r, p, status, mcpw_bounds_text(r, check));
}

static MCPW_COLD void tell_got(mcpw_reader *r, const unsigned char *p, const char *expected,
                               const char *got) {
    (void)begin(r, "expected ");
    add(r, expected);
    add_got(r, got);
    mcpw_tell(r, p, MCPW_E_TYPE, r->text);
}

static MCPW_COLD void unexpected(mcpw_reader *r, const unsigned char *p, mcpw_status status) {
    const unsigned char *const end = r->base + r->len;
    const unsigned char *next = p;
    const bool text = status == MCPW_E_UTF8;
    char excerpt[MCPW_EXCERPT_SIZE];
    if (p >= end) {
        mcpw_tell(r, p, status, "unexpected end of text");
        return;
    }
    if (*p == '\\') {
        mcpw_tell(r, p, status, text ? "lone surrogate in an escape" : "invalid escape");
        return;
    }
    do { /* a whole character */
        next++;
    } while (next < end && (*next & 0xc0) == 0x80);
    (void)mcpw_excerpt(excerpt, (const char *)p, (size_t)(next - p));
    mcpw_tell_around(r, p, status, text ? "invalid UTF-8: " : "unexpected character '", excerpt,
                     text ? "" : "'");
}

void mcpw_tell_type(mcpw_reader *r, const unsigned char *p, const char *expected) {
    const mcpw_status status = mcpw_json_type(*p) == 0 ? MCPW_E_SYNTAX : MCPW_E_TYPE;
    if (!note(r, p, status)) {
        return;
    }
    if (status == MCPW_E_SYNTAX) {
        unexpected(r, p, status);
    } else {
        tell_got(r, p, expected, type_name(*p));
    }
}

/* A value that is not the number asked for: another type, a fraction, too large, or broken. */
void mcpw_tell_number(mcpw_reader *r, unsigned char *p, const char *expected) {
    const mcpw_status status = r->status;
    if (mcpw_json_type(*p) != MCPW_IS_NUMBER) {
        mcpw_tell_type(r, p, expected);
        return;
    }
    if (!mcpw_is_verdict(status)) {
        mcpw_describe(r);
        return;
    }
    unsigned char *const end = mcpw_skip_number(r, p);
    char excerpt[MCPW_EXCERPT_SIZE];
    if (end == NULL) {
        return;
    }
    (void)mcpw_excerpt(excerpt, (const char *)p, (size_t)(end - p));
    if (status == MCPW_E_OVERFLOW) {
        mcpw_tell_around(r, p, status, "number ", excerpt, " does not fit");
    } else {
        tell_got(r, p, expected, excerpt);
    }
}

void mcpw_tell_missing(mcpw_reader *r, const unsigned char *p, const mcpw_row *row) {
    const mcpw_str name = mcpw_row_name(r->revision, r->pool, row);
    (void)begin(r, "missing required member ");
    append(r, name.ptr - 1, name.len + MCPW_VALUE_QUOTES);
    mcpw_tell(r, p, MCPW_E_MISSING, r->text);
}
#endif

void mcpw_describe(mcpw_reader *r) {
    if (!wanted(r) || r->error->code != MCPW_OK || r->stopped) {
        return;
    }
#if !defined(MCPW_NO_ERROR_TEXT)
    if (r->status == MCPW_E_SYNTAX || r->status == MCPW_E_UTF8) {
        unexpected(r, r->at, r->status);
        return;
    }
#endif
    mcpw_tell(r, r->at != NULL ? r->at : r->base, r->status, mcpw_status_text(r->status));
}

void mcpw_forgive(mcpw_reader *r) {
    r->status = MCPW_OK;
    if (wanted(r)) {
        r->error->code = MCPW_OK;
    }
}

bool mcpw_report(mcpw_reader *r) {
    mcpw_describe(r);
    if (!r->collect || r->quiet != 0 || r->stopped || !mcpw_is_verdict(r->status)) {
        return false;
    }
    if (r->first == MCPW_OK) {
        r->first = r->status;
    }
    if (!r->on_error(r->user, r->error)) {
        r->stopped = true;
        return false;
    }
    mcpw_forgive(r);
    return true;
}

unsigned char *mcpw_recover(mcpw_reader *r, unsigned char *start) {
    return mcpw_report(r) ? mcpw_skip_value(r, start) : NULL;
}

#if !defined(MCPW_NO_ERROR_TEXT)
enum { MAX_CHOICES = 12 };

static void add_bound(mcpw_reader *r, const char *relation, uint16_t bound) {
    enum { SHOWN = 40 };
    const char *const text = r->pool + bound;
    const size_t len = strlen(text);
    add(r, relation);
    append(r, text, len < SHOWN ? len : (size_t)SHOWN);
}

const char *mcpw_bounds_text(mcpw_reader *r, unsigned check) {
    const mcpw_check *const c = r->revision->checks + check;
    const unsigned flags = c->flags;
    if (begin(r, "expected ")) {
        if ((flags & MCPW_CHECK_MIN) != 0) {
            add_bound(r, (flags & MCPW_CHECK_ABOVE_MIN) != 0 ? "more than " : "at least ", c->min_text);
        }
        if ((flags & MCPW_CHECK_MIN) != 0 && (flags & MCPW_CHECK_MAX) != 0) {
            add(r, " and ");
        }
        if ((flags & MCPW_CHECK_MAX) != 0) {
            add_bound(r, (flags & MCPW_CHECK_BELOW_MAX) != 0 ? "less than " : "at most ", c->max_text);
        }
    }
    return r->text;
}

/* The value at p, shortened, behind what is expected. */
static const char *append_got(mcpw_reader *r, unsigned char *p) {
    char excerpt[MCPW_EXCERPT_SIZE];
    if (*p == '{' || *p == '[') {
        add_got(r, type_name(*p));
        return r->text;
    }
    unsigned char *const end = mcpw_json_type(*p) != 0 ? mcpw_skip_value(r, p) : NULL;
    if (end != NULL) {
        add_got(r, mcpw_excerpt(excerpt, (const char *)p, (size_t)(end - p)));
    }
    return r->text;
}

const char *mcpw_enum_choices(mcpw_reader *r, uint16_t index, unsigned char *p) {
    const mcpw_enum *const e = r->revision->enums + index;
    if (!begin(r, "expected ")) {
        return r->text;
    }
    for (unsigned i = 0; i < e->count && i < MAX_CHOICES; i++) {
        const mcpw_str text = mcpw_enum_value_text(r->pool, r->revision->enum_values + e->first + i);
        if (i != 0) {
            add(r, i + 1 == e->count ? " or " : ", ");
        }
        append(r, text.ptr - 1, text.len + MCPW_VALUE_QUOTES);
    }
    return append_got(r, p);
}

const char *mcpw_const_choice(mcpw_reader *r, const mcpw_const *want, unsigned char *p) {
    if (!begin(r, "expected ")) {
        return r->text;
    }
    const mcpw_json text = mcpw_const_text(r->pool, want);
    append(r, text.ptr, text.len);
    return append_got(r, p);
}

const char *mcpw_union_choices(mcpw_reader *r, const mcpw_union *u, unsigned char *p) {
    const mcpw_alternative *const a = r->revision->alternatives + u->alternatives;
    if (!begin(r, "matches none of ")) {
        return r->text;
    }
    for (unsigned i = 0; i < u->alternative_count; i++) {
        if (i != 0) {
            add(r, ", ");
        }
        add(r, r->pool + a[i].name);
    }
    if (*p == '{' && (u->flags & MCPW_UNION_ONE_KEY) != 0) {
        const mcpw_str key = mcpw_test_key(r->pool, r->revision->tests + u->tests);
        add(r, ": no known ");
        append(r, key.ptr - 1, key.len + MCPW_VALUE_QUOTES);
        return r->text;
    }
    return append_got(r, p);
}
#endif
