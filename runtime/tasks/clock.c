/* SPDX-License-Identifier: MIT */
#include "clock.h"

#include <mcpw/system.h>

enum { MS_IN_S = 1000, S_IN_DAY = 86400, S_IN_HOUR = 3600, S_IN_MINUTE = 60 };

uint64_t mcpw_tasks_now(uint64_t (*clock)(void *user), void *user) {
    return clock != NULL ? clock(user) : mcpw_time_of_day();
}

/* The date of a day since 1970, by the calendar whose year begins in March: then the leap day is the last. */
static void date_of_day(uint64_t day, unsigned *year, unsigned *month, unsigned *day_of_month) {
    enum { DAYS_TO_1970 = 719468, DAYS_OF_400 = 146097, DAYS_OF_100 = 36524, DAYS_OF_4 = 1460, DAYS = 365 };
    enum { MONTHS_OF_FIVE = 153, MARCH = 3, TURN = 10, MONTHS = 12, YEARS = 400 };
    const uint64_t days = day + DAYS_TO_1970;
    const unsigned era = (unsigned)(days / DAYS_OF_400);
    const unsigned in_era = (unsigned)(days % DAYS_OF_400);
    const unsigned y =
        (in_era - in_era / DAYS_OF_4 + in_era / DAYS_OF_100 - in_era / (DAYS_OF_400 - 1)) / DAYS;
    const unsigned in_year = in_era - (DAYS * y + y / 4 - y / 100);
    const unsigned m = (5 * in_year + 2) / MONTHS_OF_FIVE;
    *day_of_month = in_year - (MONTHS_OF_FIVE * m + 2) / 5 + 1;
    *month = m < TURN ? m + MARCH : m + MARCH - MONTHS;
    *year = y + era * YEARS + (*month < MARCH);
}

/* Writes two digits and what is after them, and returns where that ends. */
static char *put(char *at, unsigned value, char after) {
    at[0] = (char)('0' + value / 10);
    at[1] = (char)('0' + value % 10);
    at[2] = after;
    return at + 3;
}

void mcpw_tasks_date(uint64_t time, char out[MCPW_TASK_DATE_SIZE]) {
    enum { HUNDRED = 100 };
    static const uint64_t last = UINT64_C(253402300799999);
    const uint64_t known = time < last ? time : last;
    const uint64_t seconds = known / MS_IN_S;
    const unsigned ms = (unsigned)(known % MS_IN_S);
    const unsigned in_day = (unsigned)(seconds % S_IN_DAY);
    unsigned year = 0;
    unsigned month = 0;
    unsigned day = 0;
    date_of_day(seconds / S_IN_DAY, &year, &month, &day);
    char *at = put(out, year / HUNDRED, '\0') - 1;
    at = put(at, year % HUNDRED, '-');
    at = put(at, month, '-');
    at = put(at, day, 'T');
    at = put(at, in_day / S_IN_HOUR, ':');
    at = put(at, in_day / S_IN_MINUTE % S_IN_MINUTE, ':');
    at = put(at, in_day % S_IN_MINUTE, '.');
    at = put(at, ms / 10, (char)('0' + ms % 10));
    at[0] = 'Z';
    at[1] = '\0';
}

mcpw_status mcpw_tasks_new_id(char out[MCPW_TASK_ID_LEN + 1]) {
    enum { HALF = 4, MASK = 15 };
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[MCPW_TASK_ID_LEN / 2] = {0};
    const mcpw_status status = mcpw_random(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++) {
        out[2 * i] = digits[bytes[i] >> HALF];
        out[2 * i + 1] = digits[bytes[i] & MASK];
    }
    out[MCPW_TASK_ID_LEN] = '\0';
    return status;
}
