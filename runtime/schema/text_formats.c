/* SPDX-License-Identifier: MIT */
/* The formats of JSON Schema by their names, and those that JSON Schema alone knows. */
#include "text_formats.h"

#include "../base/arena_internal.h"
#include "../json/characters.h"
#include "../json/formats.h"

enum {
    BYTES_A_STEP = 16, /* that are looked at one by one */
    EXPRESSION = 256   /* steps of compiling the shortest regular expression */
};

/* A text that is being read: each function takes what it knows from the front. */

static bool take(mcpw_str *s, char c) {
    const bool here = s->len > 0 && s->ptr[0] == c;
    s->ptr += here;
    s->len -= here;
    return here;
}

/* One digit and all that follow. */
static bool take_number(mcpw_str *s) {
    const char *const begin = s->ptr;
    while (s->len > 0 && mcpw_is_digit((unsigned char)s->ptr[0])) {
        s->ptr++;
        s->len--;
    }
    return s->ptr != begin;
}

/* Units in their order, each at most once, without a gap (RFC 3339, appendix A). */
static bool take_units(mcpw_str *s, const char *units, bool *any) {
    const char *expected = NULL;
    while (s->len > 0 && mcpw_is_digit((unsigned char)s->ptr[0])) {
        (void)take_number(s);
        const char *const unit = s->len > 0 && s->ptr[0] != '\0' ? strchr(units, s->ptr[0]) : NULL;
        if (unit == NULL || (expected != NULL && unit != expected)) {
            return false;
        }
        (void)take(s, *unit);
        expected = unit + 1;
        *any = true;
        if (*expected == '\0') {
            break;
        }
    }
    return true;
}

static bool is_duration(mcpw_str s) {
    bool date = false;
    bool time = false;
    if (!take(&s, 'P')) {
        return false;
    }
    mcpw_str weeks = s;
    if (take_number(&weeks) && take(&weeks, 'W')) {
        return weeks.len == 0;
    }
    if (!take_units(&s, "YMD", &date)) {
        return false;
    }
    if (take(&s, 'T')) {
        return take_units(&s, "HMS", &time) && time && s.len == 0;
    }
    return date && s.len == 0;
}

/* ---- others ---- */

static bool is_uuid(mcpw_str s) {
    enum { SIZE = 36 };
    if (s.len != SIZE) {
        return false;
    }
    for (size_t i = 0; i < SIZE; i++) {
        const bool hyphen = i == 8 || i == 13 || i == 18 || i == 23;
        if (hyphen ? s.ptr[i] != '-' : !mcpw_is_hex((unsigned char)s.ptr[i])) {
            return false;
        }
    }
    return true;
}

/* RFC 6901. */
static bool is_pointer(mcpw_str s) {
    if (s.len != 0 && s.ptr[0] != '/') {
        return false;
    }
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '~' && (i + 1 == s.len || (s.ptr[i + 1] != '0' && s.ptr[i + 1] != '1'))) {
            return false;
        }
    }
    return true;
}

static bool is_relative_pointer(mcpw_str s) {
    const bool zero = s.len > 0 && s.ptr[0] == '0';
    if (!(zero ? take(&s, '0') : take_number(&s))) {
        return false;
    }
    return take(&s, '#') ? s.len == 0 : is_pointer(s);
}

/* An engine may refuse an expression for another reason than its form, such as its size. */
static mcpw_status is_expression(mcpw_str s, const mcpw_pattern_engine *engine, mcpw_arena *scratch) {
    char message[MCPW_ERROR_MESSAGE_SIZE];
    void *pattern = NULL;
    if (engine == NULL) {
        return MCPW_OK;
    }
    const mcpw_mark mark = mcpw_arena_mark(scratch);
    const mcpw_allocator allocator = {mcpw_resize_in_arena, scratch};
    const mcpw_status status = engine->compile(s.ptr, s.len, &allocator, &pattern, message);
    if (status == MCPW_OK) {
        engine->free(pattern);
    }
    mcpw_arena_rewind(scratch, mark);
    return status == MCPW_E_FORMAT || status == MCPW_E_MEMORY ? status : MCPW_OK;
}

/* ---- */

static const struct {
    const char *name;
    bool (*fits)(mcpw_str text); /* NULL: a regular expression */
    bool newer;                  /* than draft-07 */
} formats[] = {
    {"", NULL, false},
    {"date", mcpw_is_date, false},
    {"date-time", mcpw_is_date_time, false},
    {"duration", is_duration, true},
    {"email", mcpw_is_email, false},
    {"hostname", mcpw_is_hostname, false},
    {"idn-email", mcpw_is_idn_email, false},
    {"idn-hostname", mcpw_is_idn_hostname, false},
    {"ipv4", mcpw_is_ipv4, false},
    {"ipv6", mcpw_is_ipv6, false},
    {"iri", mcpw_is_iri, false},
    {"iri-reference", mcpw_is_iri_reference, false},
    {"json-pointer", is_pointer, false},
    {"regex", NULL, false},
    {"relative-json-pointer", is_relative_pointer, false},
    {"time", mcpw_is_time, false},
    {"uri", mcpw_is_uri, false},
    {"uri-reference", mcpw_is_uri_reference, false},
    {"uri-template", mcpw_is_uri_template, false},
    {"uuid", is_uuid, true},
};

uint32_t mcpw_find_format(mcpw_str name, mcpw_schema_dialect dialect) {
    for (uint32_t i = 1; i < sizeof formats / sizeof *formats; i++) {
        if (mcpw_str_is(name, formats[i].name)) {
            return formats[i].newer && dialect == MCPW_SCHEMA_DRAFT_07 ? 0 : i;
        }
    }
    return 0;
}

mcpw_str mcpw_format_name(uint32_t format) { return mcpw_str_from(formats[format].name); }

uint64_t mcpw_format_work(uint32_t format, size_t len) {
    return formats[format].fits != NULL ? len / BYTES_A_STEP : EXPRESSION + (uint64_t)len;
}

mcpw_status mcpw_format_fits(uint32_t format, mcpw_str text, const mcpw_pattern_engine *engine,
                             mcpw_arena *scratch) {
    if (formats[format].fits == NULL) {
        return is_expression(text, engine, scratch);
    }
    return formats[format].fits(text) ? MCPW_OK : MCPW_E_FORMAT;
}
