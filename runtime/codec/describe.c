/* SPDX-License-Identifier: MIT */
/* What went wrong, in words and with its place. Not on the path of valid messages. */
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
    unsigned char *p = (unsigned char *)(uintptr_t)f->key;
    const unsigned char *const end = p + f->key_len;
    if (memchr(f->key, '\\', f->key_len) == NULL) {
        mcpw_error_prepend_key(r->error, f->key, f->key_len);
        return;
    }
    while (p != NULL && p < end) {
        if (used > ROOM - sizeof(uint64_t)) {
            memmove(plain, plain + used - KEPT, KEPT);
            used = KEPT;
        }
        unsigned written = 1;
        if (*p == '\\') {
            p = mcpw_read_escape(r, p, plain + used, &written);
        } else {
            plain[used] = *p++;
        }
        used += written;
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

#if defined(MCPW_NO_ERROR_TEXT)
unsigned char *mcpw_fail_code(mcpw_reader *r, const unsigned char *p, mcpw_status status) {
    (void)mcpw_stop(r, p, status);
    if (wanted(r)) {
        mcpw_error_place(r->error, status, (size_t)(p - r->base));
        set_path(r);
    }
    return NULL;
}

unsigned char *mcpw_fail_kind(mcpw_reader *r, const unsigned char *p) {
    return mcpw_fail_code(r, p, mcpw_json_type(*p) == 0 ? MCPW_E_SYNTAX : MCPW_E_TYPE);
}

unsigned char *mcpw_fail_number_kind(mcpw_reader *r, unsigned char *p) {
    const mcpw_status status = r->status;
    if (mcpw_json_type(*p) != MCPW_IS_NUMBER) {
        return mcpw_fail_kind(r, p);
    }
    if (mcpw_is_verdict(status)) {
        return mcpw_fail_code(r, p, status == MCPW_E_OVERFLOW ? status : MCPW_E_TYPE);
    }
    mcpw_describe(r);
    return NULL;
}
#else
unsigned char *mcpw_fail(mcpw_reader *r, const unsigned char *p, mcpw_status status, const char *fmt, ...) {
    (void)mcpw_stop(r, p, status);
    if (!wanted(r)) {
        return NULL;
    }
    char message[MCPW_ERROR_MESSAGE_SIZE];
    va_list args;
    va_start(args, fmt);
    (void)mcpw_vprint(message, sizeof message, fmt, args);
    va_end(args);
    mcpw_error_set(r->error, status, (size_t)(p - r->base), "%s", message);
    set_path(r);
    return NULL;
}

unsigned char *mcpw_fail_text(mcpw_reader *r, const unsigned char *p, mcpw_status status, const char *text) {
    return mcpw_fail(r, p, status, "%s", text);
}

unsigned char *mcpw_fail_bounds(mcpw_reader *r, const unsigned char *p, mcpw_status status, unsigned check) {
    return mcpw_fail_text(r, p, status, mcpw_bounds_text(r, check));
}

static const char *type_name(unsigned char c) {
    switch (mcpw_json_type(c)) {
    case MCPW_IS_OBJECT:
        return "object";
    case MCPW_IS_ARRAY:
        return "array";
    case MCPW_IS_STRING:
        return "string";
    case MCPW_IS_NUMBER:
        return "number";
    case MCPW_IS_BOOLEAN:
        return "boolean";
    default:
        return "null";
    }
}

static unsigned char *unexpected(mcpw_reader *r, const unsigned char *p, mcpw_status status) {
    if ((size_t)(p - r->base) >= r->len) {
        return mcpw_fail(r, p, status, "%s", "unexpected end of text");
    }
    char excerpt[MCPW_EXCERPT_SIZE];
    const size_t left = r->len - (size_t)(p - r->base);
    size_t len = 0;
    do { /* a whole character */
        len++;
    } while (len < left && (p[len] & 0xc0) == 0x80);
    (void)mcpw_excerpt(excerpt, (const char *)p, len);
    if (status == MCPW_E_UTF8) {
        return mcpw_fail(r, p, status, *p == '\\' ? "lone surrogate in an escape" : "invalid UTF-8: %s",
                         excerpt);
    }
    return mcpw_fail(r, p, status, *p == '\\' ? "invalid escape" : "unexpected character '%s'", excerpt);
}

unsigned char *mcpw_fail_type(mcpw_reader *r, const unsigned char *p, const char *expected) {
    if (mcpw_json_type(*p) == 0) {
        return wanted(r) ? unexpected(r, p, MCPW_E_SYNTAX) : mcpw_stop(r, p, MCPW_E_SYNTAX);
    }
    return mcpw_fail(r, p, MCPW_E_TYPE, "expected %s, got %s", expected, type_name(*p));
}

/* A value that is not the number asked for: another type, a fraction, too large, or broken. */
unsigned char *mcpw_fail_number(mcpw_reader *r, unsigned char *p, const char *expected) {
    const mcpw_status status = r->status;
    if (mcpw_json_type(*p) != MCPW_IS_NUMBER) {
        return mcpw_fail_type(r, p, expected);
    }
    if (!mcpw_is_verdict(status)) {
        mcpw_describe(r);
        return NULL;
    }
    unsigned char *const end = mcpw_skip_number(r, p);
    char excerpt[MCPW_EXCERPT_SIZE];
    if (end == NULL) {
        return NULL;
    }
    (void)mcpw_excerpt(excerpt, (const char *)p, (size_t)(end - p));
    if (status == MCPW_E_OVERFLOW) {
        return mcpw_fail(r, p, status, "number %s does not fit", excerpt);
    }
    return mcpw_fail(r, p, MCPW_E_TYPE, "expected %s, got %s", expected, excerpt);
}
#endif

void mcpw_describe(mcpw_reader *r) {
    if (!wanted(r) || r->error->code != MCPW_OK || r->stopped) {
        return;
    }
#if !defined(MCPW_NO_ERROR_TEXT)
    if (r->status == MCPW_E_SYNTAX || r->status == MCPW_E_UTF8) {
        (void)unexpected(r, r->at, r->status);
        return;
    }
#endif
    (void)mcpw_fail(r, r->at != NULL ? r->at : r->base, r->status, "%s", mcpw_status_text(r->status));
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

const char *mcpw_bounds_text(mcpw_reader *r, unsigned check) {
    const mcpw_check *const c = r->revision->checks + check;
    const char *const low = r->pool + c->min_text;
    const char *const high = r->pool + c->max_text;
    const char *const above = (c->flags & MCPW_CHECK_ABOVE_MIN) != 0 ? "more than" : "at least";
    const char *const below = (c->flags & MCPW_CHECK_BELOW_MAX) != 0 ? "less than" : "at most";
    if (!wanted(r)) {
        return "";
    }
    if ((c->flags & MCPW_CHECK_MIN) == 0) {
        mcpw_print(r->text, sizeof r->text, "expected %s %.40s", below, high);
    } else if ((c->flags & MCPW_CHECK_MAX) == 0) {
        mcpw_print(r->text, sizeof r->text, "expected %s %.40s", above, low);
    } else {
        mcpw_print(r->text, sizeof r->text, "expected %s %.40s and %s %.40s", above, low, below, high);
    }
    return r->text;
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

/* The value at p, shortened, behind what is expected. */
static const char *append_got(mcpw_reader *r, unsigned char *p) {
    char excerpt[MCPW_EXCERPT_SIZE];
    unsigned char *end = NULL;
    if (*p == '{' || *p == '[') {
        append(r, ", got ", 6);
        append(r, type_name(*p), strlen(type_name(*p)));
        return r->text;
    }
    end = mcpw_json_type(*p) != 0 ? mcpw_skip_value(r, p) : NULL;
    if (end != NULL) {
        (void)mcpw_excerpt(excerpt, (const char *)p, (size_t)(end - p));
        append(r, ", got ", 6);
        append(r, excerpt, strlen(excerpt));
    }
    return r->text;
}

const char *mcpw_enum_choices(mcpw_reader *r, uint16_t index, unsigned char *p) {
    const mcpw_enum *const e = r->revision->enums + index;
    if (!wanted(r)) {
        return "";
    }
    mcpw_print(r->text, sizeof r->text, "expected ");
    for (unsigned i = 0; i < e->count && i < MAX_CHOICES; i++) {
        const mcpw_str text = mcpw_enum_value_text(r->pool, r->revision->enum_values + e->first + i);
        if (i != 0) {
            append(r, i + 1 == e->count ? " or " : ", ", i + 1 == e->count ? 4 : 2);
        }
        append(r, text.ptr - 1, text.len + MCPW_VALUE_QUOTES);
    }
    return append_got(r, p);
}

const char *mcpw_const_choice(mcpw_reader *r, const mcpw_const *want, unsigned char *p) {
    if (!wanted(r)) {
        return "";
    }
    mcpw_print(r->text, sizeof r->text, "expected ");
    const mcpw_json text = mcpw_const_text(r->pool, want);
    append(r, text.ptr, text.len);
    return append_got(r, p);
}

static void append_alternatives(mcpw_reader *r, const mcpw_union *u) {
    const mcpw_alternative *const a = r->revision->alternatives + u->alternatives;
    for (unsigned i = 0; i < u->alternative_count; i++) {
        const char *const name = r->pool + a[i].name;
        if (i != 0) {
            append(r, ", ", 2);
        }
        append(r, name, strlen(name));
    }
}

const char *mcpw_union_choices(mcpw_reader *r, const mcpw_union *u, unsigned char *p) {
    if (!wanted(r)) {
        return "";
    }
    mcpw_print(r->text, sizeof r->text, "matches none of ");
    append_alternatives(r, u);
    if (*p == '{' && (u->flags & MCPW_UNION_ONE_KEY) != 0) {
        const mcpw_str key = mcpw_test_key(r->pool, r->revision->tests + u->tests);
        append(r, ": no known ", 11);
        append(r, key.ptr - 1, key.len + MCPW_VALUE_QUOTES);
        return r->text;
    }
    return append_got(r, p);
}
#endif
