/* SPDX-License-Identifier: MIT */
/* The page of mcpwire convert: each message beside what it is in the other revision. */
#ifndef MCPWIRE_CONVERT_PAGE_H
#define MCPWIRE_CONVERT_PAGE_H

#include "convert_message.h"
#include "trace.h"
#include "unwrap.h"

typedef struct convert_page {
    report report;
    trace trace;
    text changes; /* of the current message */
} convert_page;

/* Takes the notes of convert_report instead of standard error. */
void convert_page_init(convert_page *p, convert_report *notes, bool redacts);
void convert_page_file(convert_page *p, const char *name);

/* Adds the line that was converted. The converter's output is what it became, and is cleared. found NULL: the
 * line has no message. */
void convert_page_take(convert_page *p, uint64_t line, mcpw_str whole, const unwrapped *found, converter *c);

/* Ends the page, and frees everything. */
void convert_page_end(convert_page *p);

#endif
