/* SPDX-License-Identifier: MIT */
/* What the specification's prose demands of texts, checked under MCPW_STRICT alone. */
#include "../json/reader.h"
#include "check.h"

/* Behind every text here, at `end`, stands a quote or a NUL, which no rule allows: loops need not look for
 * the end. */

static bool is_letter(unsigned char c) { return (unsigned)(c | 0x20) - 'a' < 26U; }

static bool is_alphanumeric(unsigned char c) { return is_letter(c) || mcpw_is_digit(c); }

static bool is_hex(unsigned char c) { return mcpw_is_digit(c) || (unsigned)(c | 0x20) - 'a' < 6U; }

static bool is_one_of(unsigned char c, const char *set) {
    while (*set != '\0' && (unsigned char)*set != c) {
        set++;
    }
    return *set != '\0';
}

/* The place behind the letters, digits and bytes of the set that stand at s. */
static MCPW_NOINLINE const unsigned char *span(const unsigned char *s, const char *set) {
    while (is_alphanumeric(*s) || is_one_of(*s, set)) {
        s++;
    }
    return s;
}

/* RFC 3986: a scheme, a colon, and then only characters that a URI may hold. */
static bool is_uri(const unsigned char *s, const unsigned char *end) {
    const unsigned char *p = span(s, "+-.");
    if (!is_letter(*s) || *p != ':') {
        return false;
    }
    for (;; p += 3) {
        p = span(p, "-._~:/?#[]@!$&'()*+,;=");
        if (*p != '%') {
            return p == end;
        }
        if (!is_hex(p[1]) || !is_hex(p[2])) {
            return false;
        }
    }
}

static bool is_file_uri(const unsigned char *s, const unsigned char *end) {
    static const char scheme[] = "file://";
    const size_t len = sizeof scheme - 1;
    return (size_t)(end - s) >= len && memcmp(s, scheme, len) == 0 && is_uri(s, end);
}

/* RFC 6570 section 2: literals, and expressions in braces that hold variable names. */
static bool is_uri_template(const unsigned char *s, const unsigned char *end) {
    for (; s < end; s++) {
        if (*s == '{') {
            const unsigned char *const begin = ++s;
            s = span(is_one_of(*s, "+#./;?&=,!@|") ? s + 1 : s, "_.,:*%");
            if (s == begin || *s != '}') {
                return false;
            }
        } else if (*s <= ' ' || is_one_of(*s, "}\"<>\\^`|")) {
            return false;
        }
    }
    return true;
}

/* RFC 4648 section 4, with padding, whose bits are zero (section 3.5): as mcpw_base64_decode has it. */
static bool is_base64(const unsigned char *s, const unsigned char *end) {
    const unsigned char *const p = span(s, "+/");
    if ((end - s) % 4 != 0) {
        return false;
    }
    switch (end - p) {
    case 0:
        return true;
    case 1:
        return *p == '=' && is_one_of(p[-1], "AEIMQUYcgkosw048");
    case 2:
        return p[0] == '=' && p[1] == '=' && is_one_of(p[-1], "AQgw");
    default:
        return false;
    }
}

/* Two digits and what stands before them, if anything does. */
typedef struct field {
    unsigned char before;
    unsigned char least;
    unsigned char most;
} field;

enum { DATE_FIELDS = 4, TIME_FIELDS = 3, ZONE_FIELDS = 2 };

static const field date_fields[DATE_FIELDS] = {{0, 0, 99}, {0, 0, 99}, {'-', 1, 12}, {'-', 1, 31}};
static const field time_fields[TIME_FIELDS] = {{0, 0, 23}, {':', 0, 59}, {':', 0, 60}}; /* a leap second */

/* The place behind the fields, or NULL. */
static const unsigned char *fields_at(const unsigned char *s, const field *f, unsigned count) {
    for (; count > 0; count--, f++, s += 2) {
        if (f->before != 0 && *s++ != f->before) {
            return NULL;
        }
        if (!mcpw_is_digit(s[0]) || !mcpw_is_digit(s[1])) {
            return NULL;
        }
        const unsigned v = (s[0] - '0') * 10U + s[1] - '0';
        if (v < f->least || v > f->most) {
            return NULL;
        }
    }
    return s;
}

static bool is_date(const unsigned char *s, const unsigned char *end) {
    return fields_at(s, date_fields, DATE_FIELDS) == end;
}

/* RFC 3339 section 5.6. */
static bool is_date_time(const unsigned char *s, const unsigned char *end) {
    s = fields_at(s, date_fields, DATE_FIELDS);
    if (s == NULL || (*s | 0x20) != 't') {
        return false;
    }
    s = fields_at(s + 1, time_fields, TIME_FIELDS);
    if (s == NULL) {
        return false;
    }
    if (*s == '.') {
        if (!mcpw_is_digit(s[1])) {
            return false;
        }
        do {
            s++;
        } while (mcpw_is_digit(*s));
    }
    if ((*s | 0x20) == 'z') {
        return s + 1 == end;
    }
    return (*s == '+' || *s == '-') && fields_at(s + 1, time_fields, ZONE_FIELDS) == end;
}

static bool is_email(const unsigned char *s, const unsigned char *end) {
    const size_t len = (size_t)(end - s);
    const unsigned char *const at = memchr(s, '@', len);
    return at != NULL && at != s && at != end - 1 && memchr(s, ' ', len) == NULL;
}

/* MCP base protocol, "_meta": an optional prefix of labels (a letter first, a letter or digit last, hyphens
 * between), dots between and a slash behind, and a name. */
static bool is_meta_key(const unsigned char *s, const unsigned char *end) {
    const unsigned char *const slash = memchr(s, '/', (size_t)(end - s));
    while (slash != NULL && s <= slash) {
        const unsigned char *const p = span(s, "-");
        if (!is_letter(*s) || p[-1] == '-' || (*p != '.' && *p != '/')) {
            return false;
        }
        s = p + 1;
    }
    if (s == end) {
        return slash != NULL;
    }
    return is_alphanumeric(*s) && is_alphanumeric(end[-1]) && span(s, "-_.") == end;
}

/* What a format demands of a string, of the name of each member of an object, or of a number of items. */
typedef struct format {
    bool (*string)(const unsigned char *s, const unsigned char *end);
    bool (*name)(const unsigned char *s, const unsigned char *end);
    int64_t most_items;
    const char *expected;
} format;

static const format formats[] = {
    [MCPW_FORMAT_URI] = {.string = is_uri, .expected = MCPW_TEXT("a URI")},
    [MCPW_FORMAT_FILE_URI] = {.string = is_file_uri, .expected = MCPW_TEXT("a URI that begins with file://")},
    [MCPW_FORMAT_URI_TEMPLATE] = {.string = is_uri_template, .expected = MCPW_TEXT("a URI template")},
    [MCPW_FORMAT_BASE64] = {.string = is_base64, .expected = MCPW_TEXT("base64 text")},
    [MCPW_FORMAT_DATE_TIME] = {.string = is_date_time, .expected = MCPW_TEXT("an RFC 3339 timestamp")},
    [MCPW_FORMAT_DATE] = {.string = is_date, .expected = MCPW_TEXT("a date")},
    [MCPW_FORMAT_EMAIL] = {.string = is_email, .expected = MCPW_TEXT("an e-mail address")},
    [MCPW_FORMAT_META_KEYS] = {.name = is_meta_key,
                               .expected = MCPW_TEXT("a name that the _meta key grammar allows")},
    [MCPW_FORMAT_AT_MOST_100] = {.most_items = 100, .expected = MCPW_TEXT("at most 100 items")},
};

/* Those that are not known demand nothing. */
static const format *format_of(unsigned which) {
    return formats + (which < sizeof formats / sizeof *formats ? which : MCPW_FORMAT_NONE);
}

static bool text_is(bool (*rule)(const unsigned char *s, const unsigned char *end), mcpw_str text) {
    const unsigned char *const s = (const unsigned char *)text.ptr;
    return rule == NULL || rule(s, s + text.len);
}

bool mcpw_has_format(unsigned which, const mcpw_checked *value) {
    const format *const f = format_of(which);
    switch (value->kind) {
    case MCPW_KIND_STRING:
        return text_is(f->string, value->text);
    case MCPW_KIND_ARRAY:
        return f->most_items == 0 || value->integer <= f->most_items;
    default:
        return true;
    }
}

bool mcpw_name_has_format(unsigned which, mcpw_str name) { return text_is(format_of(which)->name, name); }

bool mcpw_format_is_of_names(unsigned which) { return format_of(which)->name != NULL; }

const char *mcpw_format_text(unsigned which) { return format_of(which)->expected; }
