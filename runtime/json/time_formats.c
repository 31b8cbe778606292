/* SPDX-License-Identifier: MIT */
/* Dates and times: RFC 3339, section 5.6. */
#include "formats.h"

#include "characters.h"

/* Each function takes what it knows from the front of a text. */

static bool take(mcpw_str *s, char c) {
    const bool here = s->len > 0 && s->ptr[0] == c;
    s->ptr += here;
    s->len -= here;
    return here;
}

static bool take_either(mcpw_str *s, char lower) {
    return take(s, lower) || take(s, (char)(lower - 'a' + 'A'));
}

/* So many digits; -1 when there are fewer. */
static int take_digits(mcpw_str *s, unsigned count) {
    int value = 0;
    if (s->len < count) {
        return -1;
    }
    for (unsigned i = 0; i < count; i++) {
        if (!mcpw_is_digit((unsigned char)s->ptr[i])) {
            return -1;
        }
        value = value * 10 + (s->ptr[i] - '0');
    }
    s->ptr += count;
    s->len -= count;
    return value;
}

/* One digit and all that follow. */
static bool take_fraction(mcpw_str *s) {
    bool any = false;
    while (take_digits(s, 1) >= 0) {
        any = true;
    }
    return any;
}

static bool take_date(mcpw_str *s) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const int year = take_digits(s, 4);
    if (year < 0 || !take(s, '-')) {
        return false;
    }
    const int month = take_digits(s, 2);
    if (month < 1 || month > 12 || !take(s, '-')) {
        return false;
    }
    const int day = take_digits(s, 2);
    const bool leap = month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return day >= 1 && day <= days[month - 1] + leap;
}

enum { HOUR = 60, DAY = 24 * HOUR };

/* The offset from UTC, in minutes. */
static bool take_zone(mcpw_str *s, int *minutes) {
    *minutes = 0;
    if (take_either(s, 'z')) {
        return true;
    }
    const bool west = take(s, '-');
    if (!west && !take(s, '+')) {
        return false;
    }
    const int hour = take_digits(s, 2);
    if (hour < 0 || hour > 23 || !take(s, ':')) {
        return false;
    }
    const int minute = take_digits(s, 2);
    if (minute < 0 || minute > 59) {
        return false;
    }
    *minutes = (west ? -1 : 1) * (hour * HOUR + minute);
    return true;
}

static bool take_time(mcpw_str *s) {
    int zone = 0;
    const int hour = take_digits(s, 2);
    if (hour < 0 || hour > 23 || !take(s, ':')) {
        return false;
    }
    const int minute = take_digits(s, 2);
    if (minute < 0 || minute > 59 || !take(s, ':')) {
        return false;
    }
    const int second = take_digits(s, 2);
    if (second < 0 || second > 60 || (take(s, '.') && !take_fraction(s)) || !take_zone(s, &zone)) {
        return false;
    }
    /* Leap seconds are put in at the end of a day of UTC. */
    return second != 60 || (hour * HOUR + minute - zone + DAY) % DAY == DAY - 1;
}

bool mcpw_is_date(mcpw_str s) { return take_date(&s) && s.len == 0; }

bool mcpw_is_time(mcpw_str s) { return take_time(&s) && s.len == 0; }

bool mcpw_is_date_time(mcpw_str s) {
    return take_date(&s) && take_either(&s, 't') && take_time(&s) && s.len == 0;
}
