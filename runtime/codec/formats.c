/* SPDX-License-Identifier: MIT */
/* The formats that tables name, which are checked under MCPW_STRICT alone. Formats that JSON Schema has as
 * well are in json/formats.h. */
#include "../json/formats.h"
#include "../json/characters.h"
#include "check.h"

static bool is_alphanumeric(char c) {
    return mcpw_is_letter((unsigned char)c) || mcpw_is_digit((unsigned char)c);
}

static bool is_one_of(char c, const char *set) { return c != '\0' && strchr(set, c) != NULL; }

/* The number of letters, digits and bytes of the set at the front. */
static size_t span(mcpw_str s, const char *set) {
    size_t n = 0;
    while (n < s.len && (is_alphanumeric(s.ptr[n]) || is_one_of(s.ptr[n], set))) {
        n++;
    }
    return n;
}

static bool is_file_uri(mcpw_str s) {
    static const char scheme[] = "file://";
    return s.len >= sizeof scheme - 1 && memcmp(s.ptr, scheme, sizeof scheme - 1) == 0 && mcpw_is_uri(s);
}

/* RFC 4648 section 4, with padding, whose bits are zero (section 3.5): as mcpw_base64_decode has it. */
static bool is_base64(mcpw_str s) {
    const size_t n = span(s, "+/");
    if (s.len % 4 != 0) {
        return false;
    }
    switch (s.len - n) {
    case 0:
        return true;
    case 1:
        return s.ptr[n] == '=' && is_one_of(s.ptr[n - 1], "AEIMQUYcgkosw048");
    case 2:
        return s.ptr[n] == '=' && s.ptr[n + 1] == '=' && is_one_of(s.ptr[n - 1], "AQgw");
    default:
        return false;
    }
}

/* MCP base protocol, "_meta": an optional prefix of labels (a letter first, a letter or digit last, hyphens
 * between), dots between and a slash at the end, and a name. */
static bool is_meta_key(mcpw_str s) {
    const char *const slash = s.len != 0 ? memchr(s.ptr, '/', s.len) : NULL;
    while (slash != NULL && s.ptr <= slash) {
        const size_t n = span(s, "-"); /* at most up to the slash */
        if (!mcpw_is_letter((unsigned char)s.ptr[0]) || s.ptr[n - 1] == '-' ||
            (s.ptr[n] != '.' && s.ptr[n] != '/')) {
            return false;
        }
        s.ptr += n + 1;
        s.len -= n + 1;
    }
    if (s.len == 0) {
        return slash != NULL;
    }
    return is_alphanumeric(s.ptr[0]) && is_alphanumeric(s.ptr[s.len - 1]) && span(s, "-_.") == s.len;
}

/* The subject of a format: a string, the name of each member of an object, or a number of items. */
typedef struct format {
    bool (*string)(mcpw_str s);
    bool (*name)(mcpw_str s);
    int64_t most_items;
    const char *expected;
} format;

static const format formats[] = {
    [MCPW_FORMAT_URI] = {.string = mcpw_is_uri, .expected = MCPW_TEXT("a URI")},
    [MCPW_FORMAT_FILE_URI] = {.string = is_file_uri, .expected = MCPW_TEXT("a URI that begins with file://")},
    [MCPW_FORMAT_URI_TEMPLATE] = {.string = mcpw_is_uri_template, .expected = MCPW_TEXT("a URI template")},
    [MCPW_FORMAT_BASE64] = {.string = is_base64, .expected = MCPW_TEXT("base64 text")},
    [MCPW_FORMAT_DATE_TIME] = {.string = mcpw_is_date_time, .expected = MCPW_TEXT("an RFC 3339 timestamp")},
    [MCPW_FORMAT_DATE] = {.string = mcpw_is_date, .expected = MCPW_TEXT("a date")},
    [MCPW_FORMAT_EMAIL] = {.string = mcpw_is_email, .expected = MCPW_TEXT("an e-mail address")},
    [MCPW_FORMAT_META_KEYS] = {.name = is_meta_key,
                               .expected = MCPW_TEXT("a name that the _meta key grammar allows")},
    [MCPW_FORMAT_AT_MOST_100] = {.most_items = 100, .expected = MCPW_TEXT("at most 100 items")},
};

/* Unknown formats have no effect. */
static const format *format_of(unsigned which) {
    return formats + (which < sizeof formats / sizeof *formats ? which : MCPW_FORMAT_NONE);
}

static bool text_is(bool (*rule)(mcpw_str s), mcpw_str text) { return rule == NULL || rule(text); }

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
