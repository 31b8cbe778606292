/* SPDX-License-Identifier: MIT */
/* What the specification's prose demands of texts, checked under MCPW_STRICT alone. */
#include "engine_internal.h"

#if !defined(MCPW_NO_STRICT)
static bool is_letter(unsigned char c) {
    const unsigned char lower = c | 0x20;
    return lower >= 'a' && lower <= 'z';
}

static bool is_alphanumeric(unsigned char c) { return is_letter(c) || mcpw_is_digit(c); }

static bool is_hex(unsigned char c) {
    const unsigned char lower = c | 0x20;
    return mcpw_is_digit(c) || (lower >= 'a' && lower <= 'f');
}

static bool is_one_of(unsigned char c, const char *set) { return c != 0 && strchr(set, c) != NULL; }

/* RFC 3986: a scheme, a colon, and then only characters that a URI may hold. */
static bool is_uri(const unsigned char *s, size_t len) {
    size_t i = 0;
    while (i < len && (is_alphanumeric(s[i]) || is_one_of(s[i], "+-."))) {
        i++;
    }
    if (i == 0 || i == len || s[i] != ':' || !is_letter(s[0])) {
        return false;
    }
    for (; i < len; i++) {
        if (s[i] == '%') {
            if (len - i < 3 || !is_hex(s[i + 1]) || !is_hex(s[i + 2])) {
                return false;
            }
        } else if (!is_alphanumeric(s[i]) && !is_one_of(s[i], "-._~:/?#[]@!$&'()*+,;=")) {
            return false;
        }
    }
    return true;
}

/* RFC 6570 section 2: literals, and expressions in braces that hold variable names. */
static bool is_uri_template(const unsigned char *s, size_t len) {
    bool inside = false;
    size_t begin = 0;
    for (size_t i = 0; i < len; i++) {
        if (s[i] == '{') {
            if (inside) {
                return false;
            }
            inside = true;
            begin = i + 1;
        } else if (s[i] == '}') {
            if (!inside || i == begin) {
                return false;
            }
            inside = false;
        } else if (inside) {
            const bool operator_here = i == begin && is_one_of(s[i], "+#./;?&=,!@|");
            if (!operator_here && !is_alphanumeric(s[i]) && !is_one_of(s[i], "_.,:*%")) {
                return false;
            }
        } else if (s[i] <= ' ' || is_one_of(s[i], "\"<>\\^`|")) {
            return false;
        }
    }
    return !inside;
}

/* RFC 4648 section 4, with padding, whose bits are zero (section 3.5): as mcpw_base64_decode has it. */
static bool is_base64(const unsigned char *s, size_t len) {
    size_t end = len;
    if (len % 4 != 0) {
        return false;
    }
    while (end > 0 && len - end < 2 && s[end - 1] == '=') {
        end--;
    }
    for (size_t i = 0; i < end; i++) {
        if (!is_alphanumeric(s[i]) && s[i] != '+' && s[i] != '/') {
            return false;
        }
    }
    return end == len || is_one_of(s[end - 1], len - end == 1 ? "AEIMQUYcgkosw048" : "AQgw");
}

static bool digits(const unsigned char *s, size_t n, unsigned low, unsigned high) {
    unsigned v = 0;
    for (size_t i = 0; i < n; i++) {
        if (!mcpw_is_digit(s[i])) {
            return false;
        }
        v = v * 10 + (unsigned)(s[i] - '0');
    }
    return v >= low && v <= high;
}

enum { DATE_LENGTH = 10, TIME_LENGTH = 8, LAST_HOUR = 23, LAST_MINUTE = 59, LEAP_SECOND = 60 };

static bool is_date(const unsigned char *s, size_t len) {
    return len == DATE_LENGTH && digits(s, 4, 0, 9999) && s[4] == '-' && digits(s + 5, 2, 1, 12) &&
           s[7] == '-' && digits(s + 8, 2, 1, 31);
}

/* RFC 3339 section 5.6. */
static bool is_date_time(const unsigned char *s, size_t len) {
    if (len < DATE_LENGTH + 1 + TIME_LENGTH + 1 || !is_date(s, DATE_LENGTH) ||
        (s[DATE_LENGTH] | 0x20) != 't') {
        return false;
    }
    const unsigned char *t = s + DATE_LENGTH + 1;
    const unsigned char *const end = s + len;
    if (!digits(t, 2, 0, LAST_HOUR) || t[2] != ':' || !digits(t + 3, 2, 0, LAST_MINUTE) || t[5] != ':' ||
        !digits(t + 6, 2, 0, LEAP_SECOND)) {
        return false;
    }
    t += TIME_LENGTH;
    if (*t == '.') {
        const unsigned char *const fraction = ++t;
        while (t < end && mcpw_is_digit(*t)) {
            t++;
        }
        if (t == fraction || t == end) {
            return false;
        }
    }
    if ((*t | 0x20) == 'z') {
        return t + 1 == end;
    }
    return (*t == '+' || *t == '-') && end - t == 6 && digits(t + 1, 2, 0, LAST_HOUR) && t[3] == ':' &&
           digits(t + 4, 2, 0, LAST_MINUTE);
}

static bool is_email(const unsigned char *s, size_t len) {
    const unsigned char *const at = len != 0 ? memchr(s, '@', len) : NULL;
    return at != NULL && at != s && at != s + len - 1 && memchr(s, ' ', len) == NULL;
}

/* A label of a prefix: letter first, letter or digit last, hyphens between. */
static bool is_label(const unsigned char *s, size_t len) {
    if (len == 0 || !is_letter(s[0]) || !is_alphanumeric(s[len - 1])) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        if (!is_alphanumeric(s[i]) && s[i] != '-') {
            return false;
        }
    }
    return true;
}

/* MCP base protocol, "_meta": an optional prefix of labels, dots between and a slash behind, and a name. */
static bool is_meta_key(const unsigned char *s, size_t len) {
    const unsigned char *const slash = len != 0 ? memchr(s, '/', len) : NULL;
    size_t begin = 0;
    if (slash != NULL) {
        const size_t prefix = (size_t)(slash - s);
        for (size_t i = 0; i <= prefix; i++) {
            if (i == prefix || s[i] == '.') {
                if (!is_label(s + begin, i - begin)) {
                    return false;
                }
                begin = i + 1;
            }
        }
    }
    const unsigned char *const name = s + begin;
    const size_t n = len - begin;
    if (n == 0) {
        return slash != NULL;
    }
    for (size_t i = 0; i < n; i++) {
        const bool edge = i == 0 || i == n - 1;
        if (!is_alphanumeric(name[i]) && (edge || !is_one_of(name[i], "-_."))) {
            return false;
        }
    }
    return true;
}

static bool has_format(mcpw_format format, const char *text, size_t len) {
    const unsigned char *const s = (const unsigned char *)text;
    static const char file_scheme[] = "file://";
    switch (format) {
    case MCPW_FORMAT_URI:
        return is_uri(s, len);
    case MCPW_FORMAT_FILE_URI:
        return is_uri(s, len) && len >= sizeof file_scheme - 1 &&
               memcmp(text, file_scheme, sizeof file_scheme - 1) == 0;
    case MCPW_FORMAT_URI_TEMPLATE:
        return is_uri_template(s, len);
    case MCPW_FORMAT_BASE64:
        return is_base64(s, len);
    case MCPW_FORMAT_DATE_TIME:
        return is_date_time(s, len);
    case MCPW_FORMAT_DATE:
        return is_date(s, len);
    case MCPW_FORMAT_EMAIL:
        return is_email(s, len);
    case MCPW_FORMAT_META_KEYS:
        return is_meta_key(s, len);
    default:
        return true;
    }
}

static const char *format_text(mcpw_format format) {
    switch (format) {
    case MCPW_FORMAT_URI:
        return "expected a URI";
    case MCPW_FORMAT_FILE_URI:
        return "expected a URI that begins with file://";
    case MCPW_FORMAT_URI_TEMPLATE:
        return "expected a URI template";
    case MCPW_FORMAT_BASE64:
        return "expected base64 text";
    case MCPW_FORMAT_DATE_TIME:
        return "expected an RFC 3339 timestamp";
    case MCPW_FORMAT_DATE:
        return "expected a date";
    case MCPW_FORMAT_EMAIL:
        return "expected an e-mail address";
    case MCPW_FORMAT_META_KEYS:
        return "member name breaks the _meta key grammar";
    default:
        return "breaks its format";
    }
}

#endif

unsigned char *mcpw_check_string(mcpw_reader *r, unsigned char *from, unsigned char *to, unsigned check) {
    const mcpw_check *const c = r->revision->checks + check;
#if defined(MCPW_NO_STRICT)
    const bool strict = false;
#define has_format(format, text, len) true
#define format_text(format) ""
#else
    const bool strict = (r->flags & MCPW_STRICT) != 0 && c->format != MCPW_FORMAT_NONE;
#endif
    if (c->flags == 0 && !strict) {
        return to;
    }
    const mcpw_mark mark = mcpw_arena_mark(r->arena);
    const char *text = (const char *)from + 1;
    size_t len = (size_t)(to - from) - MCPW_VALUE_QUOTES;
    if (memchr(text, '\\', len) != NULL) {
        char *const undone = mcpw_arena_bump(r->arena, len + 1);
        if (undone == NULL) {
            return mcpw_fail_text(r, from, mcpw_arena_status(r->arena), "allocation failed");
        }
        text = undone;
        if (mcpw_token_unescape(r, from + 1, undone, len, &len) == NULL) {
            return NULL;
        }
    }
    if (!mcpw_string_in_bounds(r, text, len, check)) {
        to = mcpw_fail_bounds(r, from, MCPW_E_LENGTH, check);
    } else if (strict && !has_format((mcpw_format)c->format, text, len)) {
        to = mcpw_fail_text(r, from, MCPW_E_FORMAT, format_text((mcpw_format)c->format));
    }
    mcpw_arena_rewind(r->arena, mark);
    return to;
}

#if !defined(MCPW_NO_STRICT)
/* The names of the members of the object from..to, whose grammar has been checked. */
static bool check_meta_keys(mcpw_reader *r, unsigned char *from) {
    unsigned char *p = mcpw_space(r, from + 1);
    while (*p != '}') {
        mcpw_key_token key;
        unsigned char *const name = p;
        p = mcpw_read_key(r, p, &key);
        if (p == NULL) {
            return false;
        }
        if ((key.escaped && key.len > MCPW_MAX_KEY) || /* not undone whole */
            !has_format(MCPW_FORMAT_META_KEYS, key.ptr, key.len)) {
            mcpw_tell(r, name, MCPW_E_FORMAT, format_text(MCPW_FORMAT_META_KEYS));
            return false;
        }
        p = mcpw_space(r, mcpw_skip_value(r, p));
        if (*p == ',') {
            p = mcpw_space(r, p + 1);
        }
    }
    return true;
}

enum { MOST_ITEMS = 100 };

bool mcpw_count_has_format(const mcpw_reader *r, size_t count, unsigned check) {
    return (r->flags & MCPW_STRICT) == 0 || r->revision->checks[check].format != MCPW_FORMAT_AT_MOST_100 ||
           count <= MOST_ITEMS;
}

unsigned char *mcpw_check_raw(mcpw_reader *r, unsigned char *from, unsigned char *to, unsigned check) {
    const mcpw_check *const c = r->revision->checks + check;
    if ((r->flags & MCPW_STRICT) == 0 || c->format != MCPW_FORMAT_META_KEYS || *from != '{') {
        return to;
    }
    return check_meta_keys(r, from) ? to : NULL;
}
#endif
