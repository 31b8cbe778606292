/* SPDX-License-Identifier: MIT */
#include "record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    MESSAGE_DEPTH = 128, /* the limit of messages; the object around one is one level more */
    TIME_SIZE = 25,      /* "2026-11-22T14:50:00.123Z" */
    MS = 1000,
    MINUTE = 60,
    HOUR = 3600,
    DAY = 24 * HOUR,
    HEX = 16,
    HEX_SHIFT = 4,
    DECIMAL = 10
};

#define LAST_TIME (INT64_C(253402300800) * MS) /* the beginning of the year 10000 */

static const char *const sides[SIDES] = {[CLIENT] = "client", [SERVER] = "server"};

static const char *const ends[RECORD_ENDS] = {
    [RECORD_LF] = "lf", [RECORD_CRLF] = "crlf", [RECORD_NO_END] = "none"};

static const char digits[] = "0123456789abcdef";

/* ---- time ---- */

/* Days from 1970-01-01 to March 1 of a year. A year that begins in March ends with the leap day. */
static int64_t days_to_march(int64_t year) {
    enum { COMMON = 365, LEAP = 4, CENTURY = 100, CYCLE = 400, BEFORE_1970 = 719468 };
    return year * COMMON + year / LEAP - year / CENTURY + year / CYCLE - BEFORE_1970;
}

/* Days before a month of a year that begins in March; March is 0. */
static int days_before(int month) {
    enum { FIVE_MONTHS = 153, MONTHS = 5 };
    return (FIVE_MONTHS * month + 2) / MONTHS;
}

enum { MARCH = 3, MONTHS_FROM_MARCH = 10, MONTHS = 12 };

/* Days from 1970-01-01 to a date. */
static int64_t days_of(int year, int month, int day) {
    const bool early = month < MARCH;
    return days_to_march(early ? year - 1 : year) +
           days_before(early ? month + MONTHS - MARCH : month - MARCH) + day - 1;
}

static void put_time(char out[TIME_SIZE], int64_t time) {
    enum { SHORTEST_YEAR = 365, FIRST_YEAR = 1970, YEARS = 10000, CENT = 100 };
    const int64_t ms = time < 0 ? 0 : time < LAST_TIME ? time : LAST_TIME - 1;
    const int64_t days = ms / MS / DAY;
    const int second = (int)(ms / MS % DAY);
    int year = (int)(days / SHORTEST_YEAR) + FIRST_YEAR;
    int month = MONTHS - 1;
    while (days_to_march(year) > days) {
        year--;
    }
    const int day = (int)(days - days_to_march(year));
    while (days_before(month) > day) {
        month--;
    }
    const bool next = month >= MONTHS_FROM_MARCH;
    (void)snprintf(out, TIME_SIZE, "%04u-%02u-%02uT%02u:%02u:%02u.%03uZ",
                   (unsigned)(year + (next ? 1 : 0)) % YEARS,
                   (unsigned)(month + MARCH - (next ? MONTHS : 0)) % CENT,
                   (unsigned)(day - days_before(month) + 1) % CENT, (unsigned)(second / HOUR) % CENT,
                   (unsigned)(second / MINUTE % MINUTE), (unsigned)(second % MINUTE), (unsigned)(ms % MS));
}

/* Reads a number of that many digits. False: there are other characters. */
static bool read_number(const char *p, size_t count, int *out) {
    *out = 0;
    for (size_t i = 0; i < count; i++) {
        if (p[i] < '0' || p[i] > '9') {
            return false;
        }
        *out = *out * DECIMAL + (p[i] - '0');
    }
    return true;
}

/* Reads a time in the form of put_time; the fraction may be missing, or have any number of digits. */
static bool get_time(mcpw_str text, int64_t *out) {
    static const char shape[] = "dddd-dd-ddTdd:dd:dd";
    static const struct {
        size_t at;
        size_t digits;
        int least;
        int most;
    } fields[] = {{0, 4, 1970, 9999}, {5, 2, 1, 12},  {8, 2, 1, 31},
                  {11, 2, 0, 23},     {14, 2, 0, 59}, {17, 2, 0, 60}};
    enum { YEAR, MONTH, DAY_OF_MONTH, HOURS, MINUTES, SECONDS, FIELDS, FRACTION = sizeof shape - 1 };
    int value[FIELDS];
    int64_t ms = 0;
    int64_t unit = MS;
    if (text.len <= FRACTION || text.ptr[text.len - 1] != 'Z') {
        return false;
    }
    for (size_t i = 0; i < FRACTION; i++) {
        if (shape[i] != 'd' && shape[i] != text.ptr[i]) {
            return false;
        }
    }
    for (size_t i = 0; i < FIELDS; i++) {
        if (!read_number(text.ptr + fields[i].at, fields[i].digits, &value[i]) ||
            value[i] < fields[i].least || value[i] > fields[i].most) {
            return false;
        }
    }
    for (size_t i = FRACTION; i + 1 < text.len; i++) {
        int digit = 0;
        if (i == FRACTION ? text.ptr[i] != '.' : !read_number(text.ptr + i, 1, &digit)) {
            return false;
        }
        unit /= i == FRACTION ? 1 : DECIMAL;
        ms += digit * unit;
    }
    *out = ((days_of(value[YEAR], value[MONTH], value[DAY_OF_MONTH]) * DAY) + value[HOURS] * HOUR +
            value[MINUTES] * MINUTE + value[SECONDS]) *
               MS +
           ms;
    return true;
}

/* ---- writing ---- */

record_kind record_kind_of(mcpw_str line) {
    const mcpw_json text = mcpw_json_of(line.ptr, line.len);
    mcpw_error unused;
    return mcpw_json_check(text, MESSAGE_DEPTH, &unused) == MCPW_OK ? RECORD_MESSAGE : RECORD_LINE;
}

static bool is_utf8(mcpw_str text) {
    size_t i = 0;
    while (i < text.len) {
        const size_t size = text_character(text.ptr + i, text.len - i);
        if (size == 0) {
            return false;
        }
        i += size;
    }
    return true;
}

static void put_line(text *out, mcpw_str line) {
    if (is_utf8(line)) {
        text_add(out, ",\"line\":");
        text_json(out, line.ptr, line.len);
        return;
    }
    text_add(out, ",\"bytes\":\"");
    for (size_t i = 0; i < line.len; i++) {
        const unsigned char byte = (unsigned char)line.ptr[i];
        text_bytes(out, &digits[byte >> HEX_SHIFT], 1);
        text_bytes(out, &digits[byte % HEX], 1);
    }
    text_add(out, "\"");
}

void record_put(text *out, const record *r) {
    char time[TIME_SIZE];
    put_time(time, r->time);
    text_format(out, "{\"time\":\"%s\"", time);
    if (r->kind != RECORD_BEGIN) {
        text_format(out, ",\"from\":\"%s\"", sides[r->from]);
    }
    if (r->conversation != 0) {
        text_format(out, ",\"conversation\":%" PRIu64, r->conversation);
    }
    switch (r->kind) {
    case RECORD_BEGIN:
        text_format(out, ",\"begin\":%" PRIu64, r->number);
        break;
    case RECORD_MESSAGE:
        text_add(out, ",\"message\":");
        text_bytes(out, r->line.ptr, r->line.len);
        break;
    case RECORD_LINE:
        put_line(out, r->line);
        break;
    case RECORD_SKIPPED:
        text_format(out, ",\"skipped\":%" PRIu64, r->number);
        break;
    case RECORD_REFUSED:
        text_add(out, ",\"refused\":");
        text_bytes(out, r->line.ptr, r->line.len);
        text_format(out, ",\"status\":%" PRIu64, r->number);
        break;
    }
    if (r->kind != RECORD_BEGIN && r->end != RECORD_LF) {
        text_format(out, ",\"end\":\"%s\"", ends[r->end]);
    }
    text_add(out, "}\n");
}

/* ---- reading ---- */

/* The index of a name in a list; count: it is not in it. */
static unsigned place_of(mcpw_str name, const char *const *names, unsigned count) {
    unsigned i = 0;
    while (i < count && !mcpw_str_is(name, names[i])) {
        i++;
    }
    return i;
}

static int hex_digit(char c) {
    const char *const found = c != '\0' ? strchr(digits, c) : NULL;
    return found != NULL ? (int)(found - digits) : -1;
}

static bool get_bytes(mcpw_str text, mcpw_arena *arena, mcpw_str *out) {
    char *const bytes = mcpw_arena_alloc(arena, text.len / 2 + 1);
    if (bytes == NULL || text.len % 2 != 0) {
        return false;
    }
    for (size_t i = 0; i < text.len; i += 2) {
        const int high = hex_digit(text.ptr[i]);
        const int low = hex_digit(text.ptr[i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        bytes[i / 2] = (char)(high * HEX + low);
    }
    out->ptr = bytes;
    out->len = text.len / 2;
    return true;
}

static bool get_number(mcpw_json line, const char *name, uint64_t *out) {
    int64_t number = 0;
    if (mcpw_json_get_int(line, name, &number) != MCPW_OK || number < 0) {
        return false;
    }
    *out = (uint64_t)number;
    return true;
}

/* Reads the content of a record. False: it has none. */
static bool get_content(mcpw_json line, mcpw_arena *arena, record *out) {
    mcpw_json message = {NULL, 0, 0};
    mcpw_str text = {NULL, 0};
    if (mcpw_json_get(line, "message", &message) == MCPW_OK) {
        out->kind = RECORD_MESSAGE;
        out->line.ptr = message.ptr;
        out->line.len = message.len;
        return true;
    }
    out->kind = RECORD_LINE;
    if (mcpw_json_get_string(line, "line", arena, &out->line) == MCPW_OK) {
        return true;
    }
    if (mcpw_json_get_string(line, "bytes", arena, &text) == MCPW_OK) {
        return get_bytes(text, arena, &out->line);
    }
    if (mcpw_json_get(line, "refused", &message) == MCPW_OK) {
        out->kind = RECORD_REFUSED;
        out->line = (mcpw_str){message.ptr, message.len};
        return get_number(line, "status", &out->number);
    }
    out->kind = RECORD_SKIPPED;
    return get_number(line, "skipped", &out->number);
}

bool record_get(mcpw_json line, mcpw_arena *arena, record *out) {
    mcpw_str word = {NULL, 0};
    mcpw_error unused;
    memset(out, 0, sizeof *out);
    if (mcpw_json_check(line, MESSAGE_DEPTH + 1, &unused) != MCPW_OK ||
        mcpw_json_get_string(line, "time", arena, &word) != MCPW_OK || !get_time(word, &out->time)) {
        return false;
    }
    out->kind = RECORD_BEGIN;
    if (get_number(line, "begin", &out->number)) {
        return true;
    }
    if (mcpw_json_get_string(line, "end", arena, &word) == MCPW_OK) {
        out->end = (record_end)place_of(word, ends, RECORD_ENDS);
    }
    if (out->end == RECORD_ENDS || mcpw_json_get_string(line, "from", arena, &word) != MCPW_OK) {
        return false;
    }
    (void)get_number(line, "conversation", &out->conversation);
    const unsigned from = place_of(word, sides, SIDES);
    out->from = (side)from;
    return from != SIDES && get_content(line, arena, out);
}
