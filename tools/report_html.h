/* SPDX-License-Identifier: MIT */
/* The page that shows a trace. Its script and style are in tools/web/. */
#ifndef MCPWIRE_REPORT_HTML_H
#define MCPWIRE_REPORT_HTML_H

#include "report.h"

/* The page before and after its data, which is a JSON text; written by the build (page.cmake). */
extern const unsigned char page_head[];
extern const size_t page_head_len;
extern const unsigned char page_tail[];
extern const size_t page_tail_len;
extern const char page_policy[]; /* of content; it stands in the page, too */

/* Appends JSON so that it can stand in an element of HTML. */
void report_html_json(text *to, const text *json);

/* Writes an object of a trace into the line of the report. */
void report_html_event(report *r, const text *event);

#endif
