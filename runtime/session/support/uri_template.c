/* SPDX-License-Identifier: MIT */
/* URI templates (RFC 6570): how they are parsed, and how a URI is matched by one. */
#include <mcpw/error.h>

#include "uri_template.h"

enum { ESCAPE_SIZE = 3, HEX_SHIFT = 4, HEX_MASK = 15, NO_DIGIT = 16, LETTER_TEN = 10 };

/* ---- characters (RFC 3986 section 2) ---- */

static bool is_one_of(char c, const char *set) { return c != '\0' && strchr(set, c) != NULL; }

static bool is_unreserved(char c) {
    const char lower = (char)(c | 0x20);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || is_one_of(c, "-._~");
}

static unsigned hex_digit(char c) {
    const char lower = (char)(c | 0x20);
    if (c >= '0' && c <= '9') {
        return (unsigned)(c - '0');
    }
    return lower >= 'a' && lower <= 'f' ? (unsigned)(lower - 'a') + LETTER_TEN : NO_DIGIT;
}

/* How many bytes the character at p has, an escape or one that is allowed; 0: it is neither. */
static size_t character(const char *p, const char *end, bool reserved) {
    if (p == end) {
        return 0;
    }
    if (*p == '%') {
        const bool whole = end - p >= ESCAPE_SIZE && hex_digit(p[1]) < NO_DIGIT && hex_digit(p[2]) < NO_DIGIT;
        return whole ? (size_t)ESCAPE_SIZE : 0;
    }
    return is_unreserved(*p) || (reserved && is_one_of(*p, ":/?#[]@!$&'()*+,;=")) ? 1 : 0;
}

/* ---- parsing ---- */

static mcpw_status refuse_template(mcpw_error *error, size_t offset, const char *why) {
    return mcpw_error_set(error, MCPW_E_FORMAT, offset, "URI template: %s at byte %zu", why, offset);
}

/* Parses an expression, whose braces stand at p[-1] and *close. Returns what is wrong with it, or NULL. */
static const char *parse_expression(mcpw_uri_template *out, mcpw_str literal, const char *p,
                                    const char *close) {
    mcpw_uri_part *const part = out->parts + out->count;
    part->literal = literal;
    part->reserved = *p == '+';
    part->name.ptr = p + (part->reserved ? 1 : 0);
    part->name.len = (size_t)(close - part->name.ptr);
    if (part->name.len == 0) {
        return "a variable without a name";
    }
    for (p = part->name.ptr; p < close; p++) {
        if (!is_unreserved(*p) || is_one_of(*p, "-~")) {
            return "only {name} and {+name} are supported, not the expression";
        }
    }
    if (out->count != 0 && literal.len == 0) {
        return "no text between two variables, so that no URI tells them apart,";
    }
    for (size_t i = 0; i < out->count; i++) {
        if (mcpw_str_equal(out->parts[i].name, part->name)) {
            return "a variable that was used before";
        }
    }
    out->count++;
    return NULL;
}

mcpw_status mcpw_uri_template_parse(mcpw_uri_template *out, mcpw_str text, mcpw_error *error) {
    const char *const end = text.ptr + text.len;
    const char *p = text.ptr;
    mcpw_str literal = {text.ptr, 0};
    memset(out, 0, sizeof *out);
    while (p < end) {
        const size_t offset = (size_t)(p - text.ptr);
        if (*p == '{') {
            const char *const close = memchr(p, '}', (size_t)(end - p));
            if (close == NULL || out->count == MCPW_MAX_VARIABLES) {
                return refuse_template(
                    error, offset, close == NULL ? "a brace that is not closed" : "one variable too many");
            }
            const char *const why = parse_expression(out, literal, p + 1, close);
            if (why != NULL) {
                return refuse_template(error, offset, why);
            }
            p = close + 1;
            literal.ptr = p;
            literal.len = 0;
            continue;
        }
        const size_t n = character(p, end, true);
        if (n == 0) {
            return refuse_template(error, offset, "a character that no URI can hold");
        }
        p += n;
        literal.len += n;
    }
    out->tail = literal;
    return MCPW_OK;
}

/* ---- matching ---- */

typedef struct span {
    const char *from;
    const char *to;
} span;

typedef struct matcher {
    const mcpw_uri_template *uri_template;
    const char *end;
    /* For each variable, where it cannot begin. If it failed to begin once, no later beginning in the same
     * run of characters can do better, because that leaves it fewer ends to choose from. So each variable
     * looks at each character once. */
    const char *barred[MCPW_MAX_VARIABLES];
    span spans[MCPW_MAX_VARIABLES];
} matcher;

static bool has_literal(const matcher *m, const char *p, mcpw_str literal) {
    return (size_t)(m->end - p) >= literal.len && memcmp(p, literal.ptr, literal.len) == 0;
}

static bool match_from(matcher *m, size_t variable, const char *from) {
    const mcpw_uri_template *const t = m->uri_template;
    const char *p = from;
    size_t n;
    if (m->barred[variable] != NULL && from <= m->barred[variable]) {
        return false;
    }
    while ((n = character(p, m->end, t->parts[variable].reserved)) != 0) {
        p += n;
        if (variable + 1 == t->count) {
            if ((size_t)(m->end - p) != t->tail.len || !has_literal(m, p, t->tail)) {
                continue;
            }
        } else {
            const mcpw_str next = t->parts[variable + 1].literal;
            if (!has_literal(m, p, next) || !match_from(m, variable + 1, p + next.len)) {
                continue;
            }
        }
        m->spans[variable].from = from;
        m->spans[variable].to = p;
        return true;
    }
    m->barred[variable] = p;
    return false;
}

/* Undoes the escapes. MCPW_E_NOT_FOUND when what they stand for is no text. */
static mcpw_status decode(span s, mcpw_arena *arena, mcpw_str *out) {
    char *const text = mcpw_arena_alloc(arena, (size_t)(s.to - s.from) + 1);
    char *to = text;
    if (text == NULL) {
        return arena->status;
    }
    for (const char *p = s.from; p < s.to; p++) {
        unsigned c = (unsigned char)*p;
        if (c == '%') {
            c = hex_digit(p[1]) << HEX_SHIFT | hex_digit(p[2]);
            p += ESCAPE_SIZE - 1;
        }
        if (c == 0) {
            return MCPW_E_NOT_FOUND;
        }
        *to++ = (char)c;
    }
    *to = '\0';
    out->ptr = text;
    out->len = (size_t)(to - text);
    for (size_t i = 0, n = 0; i < out->len; i += n) {
        n = mcpw_utf8_length((const unsigned char *)text + i, out->len - i);
        if (n == 0) {
            return MCPW_E_NOT_FOUND;
        }
    }
    return MCPW_OK;
}

mcpw_status mcpw_uri_template_match(const mcpw_uri_template *uri_template, mcpw_str uri, mcpw_arena *arena,
                                    mcpw_str values[MCPW_MAX_VARIABLES]) {
    const mcpw_str head = uri_template->count != 0 ? uri_template->parts[0].literal : uri_template->tail;
    matcher m;
    memset(&m, 0, sizeof m);
    m.uri_template = uri_template;
    m.end = uri.ptr + uri.len;
    if (!has_literal(&m, uri.ptr, head)) {
        return MCPW_E_NOT_FOUND;
    }
    if (uri_template->count == 0) {
        return head.len == uri.len ? MCPW_OK : MCPW_E_NOT_FOUND;
    }
    if (!match_from(&m, 0, uri.ptr + head.len)) {
        return MCPW_E_NOT_FOUND;
    }
    for (size_t i = 0; i < uri_template->count; i++) {
        const mcpw_status status = decode(m.spans[i], arena, values + i);
        if (status != MCPW_OK) {
            return status;
        }
    }
    return MCPW_OK;
}

/* ---- expanding ---- */

static mcpw_str value_of(mcpw_str name, const mcpw_uri_variable *variables, size_t count) {
    const mcpw_str none = {"", 0};
    for (size_t i = 0; i < count; i++) {
        if (variables[i].value.ptr != NULL && mcpw_str_equal(variables[i].name, name)) {
            return variables[i].value;
        }
    }
    return none;
}

/* Writes a value, with what may not stand there escaped. {+name} leaves escapes alone that are there already.
 */
static char *put_value(char *to, mcpw_str value, bool reserved) {
    static const char digits[] = "0123456789ABCDEF";
    const char *const end = value.ptr + value.len;
    for (const char *p = value.ptr; p < end; p++) {
        const bool plain =
            *p == '%' ? reserved && character(p, end, true) != 0 : character(p, end, reserved) != 0;
        if (plain) {
            *to++ = *p;
        } else {
            *to++ = '%';
            *to++ = digits[(unsigned char)*p >> HEX_SHIFT];
            *to++ = digits[(unsigned char)*p & HEX_MASK];
        }
    }
    return to;
}

static char *put_literal(char *to, mcpw_str literal) {
    if (literal.len != 0) {
        memcpy(to, literal.ptr, literal.len);
    }
    return to + literal.len;
}

mcpw_status mcpw_uri_template_expand(mcpw_arena *arena, mcpw_str uri_template,
                                     const mcpw_uri_variable *variables, size_t count, mcpw_str *out,
                                     mcpw_error *error) {
    mcpw_uri_template t;
    if (arena == NULL || out == NULL || uri_template.ptr == NULL || (variables == NULL && count != 0)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "arena, template, variables or out is NULL");
    }
    const mcpw_status status = mcpw_uri_template_parse(&t, uri_template, error);
    if (status != MCPW_OK) {
        return status;
    }
    size_t size = uri_template.len + 1;
    for (size_t i = 0; i < t.count; i++) {
        const size_t len = value_of(t.parts[i].name, variables, count).len;
        size = len > (SIZE_MAX / 2 - size) / ESCAPE_SIZE ? SIZE_MAX / 2 : size + len * ESCAPE_SIZE;
    }
    char *const text = mcpw_arena_alloc(arena, size);
    if (text == NULL) {
        mcpw_error_set(error, arena->status, 0, "%s", mcpw_status_text(arena->status));
        return arena->status;
    }
    char *to = text;
    for (size_t i = 0; i < t.count; i++) {
        to = put_literal(to, t.parts[i].literal);
        to = put_value(to, value_of(t.parts[i].name, variables, count), t.parts[i].reserved);
    }
    to = put_literal(to, t.tail);
    *to = '\0';
    out->ptr = text;
    out->len = (size_t)(to - text);
    return MCPW_OK;
}
