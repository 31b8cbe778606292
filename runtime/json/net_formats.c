/* SPDX-License-Identifier: MIT */
/* Formats of host names, addresses and URIs. */
#include "formats.h"

#include "characters.h"

static bool is_digit(char c) { return mcpw_is_digit((unsigned char)c); }

static bool is_letter(char c) { return mcpw_is_letter((unsigned char)c); }

static bool is_hex(char c) { return mcpw_is_hex((unsigned char)c); }

static bool is_wide(char c) { return (unsigned char)c >= 0x80; }

static bool is_one_of(char c, const char *set) { return c != '\0' && strchr(set, c) != NULL; }

/* Returns the text before the first c, and cuts it off together with c. Without c, that is all of the text.
 */
static mcpw_str cut(mcpw_str *s, char c) {
    const char *const at = s->len != 0 ? memchr(s->ptr, c, s->len) : NULL;
    mcpw_str piece = *s;
    if (at == NULL) {
        s->ptr += s->len;
        s->len = 0;
        return piece;
    }
    piece.len = (size_t)(at - s->ptr);
    s->ptr += piece.len + 1;
    s->len -= piece.len + 1;
    return piece;
}

/* ---- addresses ---- */

enum { PARTS_4 = 4, GROUPS_6 = 8, GROUP_DIGITS = 4, PART_DIGITS = 3, MOST_BYTE = 255 };

bool mcpw_is_ipv4(mcpw_str s) {
    for (unsigned part = 0; part < PARTS_4; part++) {
        unsigned value = 0;
        unsigned digits = 0;
        for (; digits < s.len && is_digit(s.ptr[digits]) && digits <= PART_DIGITS; digits++) {
            value = value * 10 + (unsigned)(s.ptr[digits] - '0');
        }
        if (digits == 0 || digits > PART_DIGITS || value > MOST_BYTE || (digits > 1 && s.ptr[0] == '0')) {
            return false;
        }
        s.ptr += digits;
        s.len -= digits;
        if (part < PARTS_4 - 1) {
            if (s.len == 0 || s.ptr[0] != '.') {
                return false;
            }
            s.ptr++;
            s.len--;
        }
    }
    return s.len == 0;
}

bool mcpw_is_ipv6(mcpw_str s) {
    unsigned groups = 0;
    bool gap = false;
    if (s.len >= 2 && s.ptr[0] == ':' && s.ptr[1] == ':') {
        gap = true;
        s.ptr += 2;
        s.len -= 2;
    } else if (s.len == 0 || s.ptr[0] == ':') {
        return false;
    }
    while (s.len != 0) {
        unsigned digits = 0;
        while (digits < s.len && is_hex(s.ptr[digits]) && digits <= GROUP_DIGITS) {
            digits++;
        }
        if (digits < s.len && s.ptr[digits] == '.') {
            groups += 2;
            return mcpw_is_ipv4(s) && (gap ? groups < GROUPS_6 : groups == GROUPS_6);
        }
        if (digits == 0 || digits > GROUP_DIGITS || ++groups > GROUPS_6) {
            return false;
        }
        s.ptr += digits;
        s.len -= digits;
        if (s.len == 0) {
            break;
        }
        if (s.ptr[0] != ':' || s.len == 1) {
            return false;
        }
        s.ptr++;
        s.len--;
        if (s.ptr[0] == ':') {
            if (gap) {
                return false;
            }
            gap = true;
            s.ptr++;
            s.len--;
        }
    }
    return gap ? groups < GROUPS_6 : groups == GROUPS_6;
}

/* ---- host names ---- */

enum { MOST_LABEL = 63, MOST_HOST = 253 };

static bool is_label(mcpw_str s, bool wide) {
    if (s.len == 0 || s.len > MOST_LABEL || s.ptr[0] == '-' || s.ptr[s.len - 1] == '-') {
        return false;
    }
    if (s.len >= 4 && s.ptr[2] == '-' && s.ptr[3] == '-' && ((unsigned)s.ptr[0] | 0x20U) != 'x') {
        return false;
    }
    for (size_t i = 0; i < s.len; i++) {
        if (!is_letter(s.ptr[i]) && !is_digit(s.ptr[i]) && s.ptr[i] != '-' && !(wide && is_wide(s.ptr[i]))) {
            return false;
        }
    }
    return true;
}

/* The bytes of a separator of labels at the front; 0: there is none. In hosts with letters of other scripts
 * three more characters are one (RFC 3490, section 3.1). */
static size_t separator_at(mcpw_str s, bool wide) {
    static const char *const wides[] = {"\xe3\x80\x82", "\xef\xbc\x8e", "\xef\xbd\xa1"};
    if (s.ptr[0] == '.') {
        return 1;
    }
    for (size_t i = 0; wide && s.len >= 3 && i < sizeof wides / sizeof *wides; i++) {
        if (memcmp(s.ptr, wides[i], 3) == 0) {
            return 3;
        }
    }
    return 0;
}

static bool is_host(mcpw_str s, bool wide) {
    if (s.len == 0 || s.len > MOST_HOST) {
        return false;
    }
    for (;;) {
        mcpw_str label = {s.ptr, 0};
        while (s.len > 0 && separator_at(s, wide) == 0) {
            s.ptr++;
            s.len--;
            label.len++;
        }
        if (!is_label(label, wide)) {
            return false;
        }
        if (s.len == 0) {
            return true;
        }
        const size_t separator = separator_at(s, wide);
        s.ptr += separator;
        s.len -= separator;
    }
}

bool mcpw_is_hostname(mcpw_str s) { return is_host(s, false); }

bool mcpw_is_idn_hostname(mcpw_str s) { return is_host(s, true); }

/* ---- e-mail ---- */

/* Words with dots between. */
static bool is_dotted(mcpw_str s, bool wide) {
    bool word = false;
    for (size_t i = 0; i < s.len; i++) {
        const char c = s.ptr[i];
        if (c == '.') {
            if (!word) {
                return false;
            }
            word = false;
        } else if (is_letter(c) || is_digit(c) || is_one_of(c, "!#$%&'*+-/=?^_`{|}~") ||
                   (wide && is_wide(c))) {
            word = true;
        } else {
            return false;
        }
    }
    return word;
}

static bool is_quoted(mcpw_str s, bool wide) {
    if (s.len < 2 || s.ptr[0] != '"' || s.ptr[s.len - 1] != '"') {
        return false;
    }
    for (size_t i = 1; i + 1 < s.len; i++) {
        char c = s.ptr[i];
        if (c == '"') {
            return false;
        }
        if (c == '\\') {
            i++;
            if (i + 1 == s.len) {
                return false;
            }
            c = s.ptr[i];
        }
        if (!(wide && is_wide(c)) && (c < ' ' || c > '~')) {
            return false;
        }
    }
    return true;
}

static bool is_address(mcpw_str s, bool wide) {
    static const char six[] = "IPv6:";
    if (s.len < 2 || s.ptr[0] != '[' || s.ptr[s.len - 1] != ']') {
        return is_host(s, wide);
    }
    mcpw_str inner = {s.ptr + 1, s.len - 2};
    if (inner.len > sizeof six - 1 && memcmp(inner.ptr, six, sizeof six - 1) == 0) {
        inner.ptr += sizeof six - 1;
        inner.len -= sizeof six - 1;
        return mcpw_is_ipv6(inner);
    }
    return mcpw_is_ipv4(inner);
}

static bool is_mail(mcpw_str s, bool wide) {
    size_t at = s.len;
    while (at > 0 && s.ptr[at - 1] != '@') {
        at--;
    }
    if (at == 0) {
        return false;
    }
    const mcpw_str local = {s.ptr, at - 1};
    const mcpw_str domain = {s.ptr + at, s.len - at};
    return (is_dotted(local, wide) || is_quoted(local, wide)) && is_address(domain, wide);
}

bool mcpw_is_email(mcpw_str s) { return is_mail(s, false); }

bool mcpw_is_idn_email(mcpw_str s) { return is_mail(s, true); }

/* ---- URIs ---- */

/* Letters, digits, bytes of the set, and escapes. */
static bool has_only(mcpw_str s, const char *set, bool wide) {
    for (size_t i = 0; i < s.len; i++) {
        const char c = s.ptr[i];
        if (c == '%') {
            if (s.len - i < 3 || !is_hex(s.ptr[i + 1]) || !is_hex(s.ptr[i + 2])) {
                return false;
            }
            i += 2;
        } else if (!is_letter(c) && !is_digit(c) && !is_one_of(c, set) && !(wide && is_wide(c))) {
            return false;
        }
    }
    return true;
}

#define UNRESERVED "-._~"
#define SUB_DELIMITERS "!$&'()*+,;="

/* The authority, between the slashes and the path: user, host, port. */
static bool is_authority(mcpw_str s, bool wide) {
    size_t at = s.len;
    while (at > 0 && s.ptr[at - 1] != '@') {
        at--;
    }
    if (at > 0) {
        const mcpw_str user = {s.ptr, at - 1};
        if (!has_only(user, UNRESERVED SUB_DELIMITERS ":", wide)) {
            return false;
        }
        s.ptr += at;
        s.len -= at;
    }
    if (s.len > 0 && s.ptr[0] == '[') {
        s.ptr++;
        s.len--;
        const bool closed = memchr(s.ptr, ']', s.len) != NULL;
        const mcpw_str host = cut(&s, ']');
        const bool later = host.len > 1 && (host.ptr[0] | 0x20) == 'v' && is_hex(host.ptr[1]);
        if (!closed || !(later ? has_only(host, UNRESERVED SUB_DELIMITERS ":", false) : mcpw_is_ipv6(host)) ||
            (s.len > 0 && s.ptr[0] != ':')) {
            return false;
        }
        s.ptr += s.len > 0;
        s.len -= s.len > 0;
    } else if (!has_only(cut(&s, ':'), UNRESERVED SUB_DELIMITERS, wide)) {
        return false;
    }
    while (s.len > 0 && is_digit(s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    return s.len == 0;
}

/* The length of the scheme before a colon; 0: there is none. */
static size_t scheme_of(mcpw_str s) {
    size_t n = 0;
    while (n < s.len &&
           (is_letter(s.ptr[n]) || (n > 0 && (is_digit(s.ptr[n]) || is_one_of(s.ptr[n], "+-."))))) {
        n++;
    }
    return n < s.len && s.ptr[n] == ':' ? n : 0;
}

static bool is_reference(mcpw_str s, bool wide, bool absolute) {
    const size_t scheme = scheme_of(s);
    if (scheme == 0 && absolute) {
        return false;
    }
    if (scheme != 0) {
        s.ptr += scheme + 1;
        s.len -= scheme + 1;
    }
    mcpw_str fragment = s;
    mcpw_str query = cut(&fragment, '#');
    mcpw_str path = cut(&query, '?');
    if (!has_only(fragment, UNRESERVED SUB_DELIMITERS ":@/?", wide) ||
        !has_only(query, UNRESERVED SUB_DELIMITERS ":@/?", wide)) {
        return false;
    }
    if (path.len >= 2 && path.ptr[0] == '/' && path.ptr[1] == '/') {
        mcpw_str rest = {path.ptr + 2, path.len - 2};
        if (!is_authority(cut(&rest, '/'), wide)) {
            return false;
        }
        path = rest;
    } else if (scheme == 0) {
        mcpw_str first = path;
        const mcpw_str segment = cut(&first, '/');
        if (segment.len != 0 && memchr(segment.ptr, ':', segment.len) != NULL) {
            return false;
        }
    }
    return has_only(path, UNRESERVED SUB_DELIMITERS ":@/", wide);
}

bool mcpw_is_uri(mcpw_str s) { return is_reference(s, false, true); }

bool mcpw_is_uri_reference(mcpw_str s) { return is_reference(s, false, false); }

bool mcpw_is_iri(mcpw_str s) { return is_reference(s, true, true); }

bool mcpw_is_iri_reference(mcpw_str s) { return is_reference(s, true, false); }

/* ---- URI templates ---- */

/* Words of letters, digits, underscores and escapes, with dots between. */
static bool is_variable_name(mcpw_str s) {
    if (s.len == 0 || s.ptr[s.len - 1] == '.') {
        return false;
    }
    while (s.len > 0) {
        const mcpw_str word = cut(&s, '.');
        if (word.len == 0 || !has_only(word, "_", false)) {
            return false;
        }
    }
    return true;
}

/* One variable: a name, and how much of it, or that it is a list. */
static bool is_variable(mcpw_str s) {
    size_t n = 0;
    while (n < s.len && !is_one_of(s.ptr[n], ":*")) {
        n++;
    }
    const mcpw_str name = {s.ptr, n};
    if (!is_variable_name(name)) {
        return false;
    }
    if (n == s.len) {
        return true;
    }
    if (s.ptr[n] == '*') {
        return n + 1 == s.len;
    }
    const size_t digits = s.len - n - 1;
    for (size_t i = n + 1; i < s.len; i++) {
        if (!is_digit(s.ptr[i])) {
            return false;
        }
    }
    return digits >= 1 && digits <= 4 && s.ptr[n + 1] != '0';
}

static bool is_template_expression(mcpw_str s) {
    if (s.len > 0 && is_one_of(s.ptr[0], "+#./;?&=,!@|")) {
        s.ptr++;
        s.len--;
    }
    if (s.len == 0 || s.ptr[s.len - 1] == ',') {
        return false;
    }
    while (s.len > 0) {
        if (!is_variable(cut(&s, ','))) {
            return false;
        }
    }
    return true;
}

bool mcpw_is_uri_template(mcpw_str s) {
    while (s.len > 0) {
        const char c = s.ptr[0];
        if (c == '{') {
            s.ptr++;
            s.len--;
            if (memchr(s.ptr, '}', s.len) == NULL || !is_template_expression(cut(&s, '}'))) {
                return false;
            }
            continue;
        }
        if ((unsigned char)c <= ' ' || is_one_of(c, "\"<>\\^`|}") || c == '\x7f') {
            return false;
        }
        if (c == '%' && (s.len < 3 || !is_hex(s.ptr[1]) || !is_hex(s.ptr[2]))) {
            return false;
        }
        s.ptr++;
        s.len--;
    }
    return true;
}
