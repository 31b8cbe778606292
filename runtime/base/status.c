/* SPDX-License-Identifier: MIT */
/* Names and texts of status codes. */
#include "error_text.h"

#include <assert.h>

/* Names and texts stand one after the other, in the order of the numbers. So finding one takes neither a
 * table of pointers nor code for every status. */
#define STATUS_PLACE(name, number, text) PLACE_##name,
enum { MCPW_STATUS_LIST(STATUS_PLACE) STATUSES };
#undef STATUS_PLACE

#define STATUS_NUMBER(name, number, text)                                                                    \
    static_assert(MCPW_##name == (number) && PLACE_##name == (number), "the list has another number");
MCPW_STATUS_LIST(STATUS_NUMBER)
#undef STATUS_NUMBER

#if defined(MCPW_NO_ERROR_TEXT)
const char *mcpw_status_name(mcpw_status code) {
    (void)code;
    return "";
}

const char *mcpw_status_text(mcpw_status code) {
    (void)code;
    return "";
}
#else
/* Finds the text of that number. After the last stands the one for numbers that are no status. */
static MCPW_COLD const char *find(const char *texts, mcpw_status code) {
    for (unsigned left = (unsigned)code < STATUSES ? (unsigned)code : STATUSES; left != 0; left--) {
        texts += strlen(texts) + 1;
    }
    return texts;
}

const char *mcpw_status_name(mcpw_status code) {
#define STATUS_NAME(name, number, text) "MCPW_" #name "\0"
    return find(MCPW_STATUS_LIST(STATUS_NAME) "MCPW_E_UNKNOWN", code);
#undef STATUS_NAME
}

const char *mcpw_status_text(mcpw_status code) {
#define STATUS_TEXT(name, number, text) text "\0"
    return find(MCPW_STATUS_LIST(STATUS_TEXT) "unknown status", code);
#undef STATUS_TEXT
}
#endif
