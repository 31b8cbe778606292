/* SPDX-License-Identifier: MIT */
#include "record.h"

enum { DIGITS = 20 /* of a 64-bit number */ };

/* The last millisecond of the year 9999, which has a date of four digits. */
static const uint64_t last_time = UINT64_C(253402300799999);

static const char first_line[] = "mcpw-task 1\n";
static const char form[] = "mcpw-task ";
static const char statuses[] = "wicfx";      /* by mcpw_record_status */
static const char letters[] = "pcnaqsretzm"; /* by mcpw_task_part */

/* ---- Reading ---- */

typedef struct cursor {
    const char *at;
    const char *end;
} cursor;

static bool take_char(cursor *c, char expected) {
    if (c->at == c->end || *c->at != expected) {
        return false;
    }
    c->at++;
    return true;
}

/* A number in decimal digits, without leading zeros. */
static bool take_number(cursor *c, uint64_t *out) {
    const char *const begin = c->at;
    const char *const end = c->end - begin < DIGITS ? c->end : begin + DIGITS;
    const char *at = begin;
    uint64_t value = 0;
    uint64_t before = 0;
    for (unsigned digit; at < end && (digit = (unsigned char)*at - (unsigned)'0') <= 9; at++) {
        before = value;
        value = value * 10 + digit;
    }
    *out = value;
    c->at = at;
    if (at - begin == DIGITS && (before > UINT64_MAX / 10 || value < before * 10)) {
        return false; /* with fewer it does not overflow */
    }
    return at > begin && (*begin != '0' || at == begin + 1);
}

static bool take_time(cursor *c, uint64_t *out) {
    return take_char(c, ' ') && take_number(c, out) && *out <= last_time;
}

/* The place of a letter in a list; -1: it is not there. */
static int place_of(const char *list, char letter) {
    int place = 0;
    while (list[place] != letter && list[place] != '\0') {
        place++;
    }
    return list[place] != '\0' ? place : -1;
}

static bool take_head(cursor *c, mcpw_task_record *record) {
    if (c->end - c->at < 2) {
        return false;
    }
    const int status = place_of(statuses, c->at[0]);
    const char failed = c->at[1];
    c->at += 2;
    record->status = (mcpw_record_status)status;
    record->is_tool_error = failed == '1';
    return status >= 0 && (failed == '0' || failed == '1') && take_time(c, &record->created_at) &&
           take_time(c, &record->updated_at) && take_char(c, ' ') && take_number(c, &record->ttl_ms) &&
           take_char(c, ' ') && take_number(c, &record->poll_interval_ms) && take_char(c, '\n');
}

static bool take_part(cursor *c, mcpw_task_record *record) {
    const int part = place_of(letters, *c->at);
    uint64_t len = 0;
    c->at++;
    if (part < 0 || record->parts[part].ptr != NULL || !take_number(c, &len) || !take_char(c, ':') ||
        len >= (uint64_t)(c->end - c->at)) {
        return false;
    }
    record->parts[part] = (mcpw_str){c->at, (size_t)len};
    c->at += len;
    return take_char(c, '\n');
}

/* Whether the parts fit the status. */
static bool is_whole(const mcpw_task_record *record) {
    return (mcpw_record_is_final(record->status) || record->parts[MCPW_TASK_PARAMS].ptr != NULL) &&
           (record->status != MCPW_RECORD_INPUT_REQUIRED || record->parts[MCPW_TASK_QUESTIONS].ptr != NULL) &&
           (record->status != MCPW_RECORD_COMPLETED || record->parts[MCPW_TASK_RESULT].ptr != NULL) &&
           (record->status != MCPW_RECORD_FAILED || record->parts[MCPW_TASK_ERROR].ptr != NULL);
}

mcpw_status mcpw_task_record_read(mcpw_str text, mcpw_task_record *record) {
    cursor c = {text.ptr, text.ptr + text.len};
    *record = (mcpw_task_record){.status = MCPW_RECORD_WORKING};
    if (text.ptr == NULL || text.len < sizeof form - 1 || memcmp(text.ptr, form, sizeof form - 1) != 0) {
        return MCPW_E_FORMAT;
    }
    if (text.len < sizeof first_line - 1 || memcmp(text.ptr, first_line, sizeof first_line - 1) != 0) {
        return MCPW_E_VERSION;
    }
    c.at += sizeof first_line - 1;
    bool is_good = take_head(&c, record);
    while (is_good && c.at < c.end) {
        is_good = take_part(&c, record);
    }
    return is_good && is_whole(record) ? MCPW_OK : MCPW_E_FORMAT;
}

/* ---- Writing ---- */

/* Appends a number, and the character that follows it. */
static mcpw_status put_number(mcpw_buffer *out, uint64_t value, char after) {
    char digits[DIGITS + 1];
    size_t at = DIGITS;
    digits[DIGITS] = after;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    return mcpw_buffer_append(out, digits + at, DIGITS + 1 - at);
}

static mcpw_status put_head(const mcpw_task_record *record, mcpw_buffer *out) {
    const char state[] = {statuses[record->status], record->is_tool_error ? '1' : '0', ' '};
    mcpw_status status = mcpw_buffer_append(out, first_line, sizeof first_line - 1);
    status = status == MCPW_OK ? mcpw_buffer_append(out, state, sizeof state) : status;
    status = status == MCPW_OK ? put_number(out, record->created_at, ' ') : status;
    status = status == MCPW_OK ? put_number(out, record->updated_at, ' ') : status;
    status = status == MCPW_OK ? put_number(out, record->ttl_ms, ' ') : status;
    return status == MCPW_OK ? put_number(out, record->poll_interval_ms, '\n') : status;
}

static mcpw_status put_part(mcpw_buffer *out, char letter, mcpw_str part) {
    mcpw_status status = mcpw_buffer_append(out, &letter, 1);
    status = status == MCPW_OK ? put_number(out, part.len, ':') : status;
    status = status == MCPW_OK && part.len != 0 ? mcpw_buffer_append(out, part.ptr, part.len) : status;
    return status == MCPW_OK ? mcpw_buffer_append(out, "\n", 1) : status;
}

mcpw_status mcpw_task_record_write(const mcpw_task_record *record, mcpw_buffer *out) {
    mcpw_status status = put_head(record, out);
    for (int part = 0; status == MCPW_OK && part < MCPW_TASK_PART_COUNT; part++) {
        if (record->parts[part].ptr != NULL) {
            status = put_part(out, letters[part], record->parts[part]);
        }
    }
    return status;
}

uint64_t mcpw_task_record_expires_at(const mcpw_task_record *record) {
    return record->ttl_ms < last_time - record->created_at ? record->created_at + record->ttl_ms : UINT64_MAX;
}
