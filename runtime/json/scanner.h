/* SPDX-License-Identifier: MIT */
/* A small scanner for unchecked JSON text, for values outside of any type. It reads no byte at
 * or beyond `end`, recurses nowhere and changes nothing. Functions take the place where something begins and
 * return the place after it, or NULL with a status. */
#ifndef MCPW_JSON_SCAN_H
#define MCPW_JSON_SCAN_H

#include <mcpw/json.h>

#include "characters.h"

typedef struct mcpw_scanner {
    const unsigned char *end;
    const unsigned char *at; /* where it failed */
    mcpw_status status;
    unsigned depth;      /* levels that a value may have, at most MCPW_MAX_DEPTH */
    bool saw_line_break; /* a line break was passed between tokens */
    bool saw_space;      /* white space was */
} mcpw_scanner;

/* The other fields are set before they are read. */
MCPW_INLINE void mcpw_scanner_open(mcpw_scanner *s, const unsigned char *end, unsigned depth) {
    s->end = end;
    s->depth = depth;
    s->saw_line_break = false;
    s->saw_space = false;
}

/* Notes a failure at p; NULL. */
static inline const unsigned char *mcpw_scanner_fail(mcpw_scanner *s, const unsigned char *p,
                                                     mcpw_status status) {
    s->at = p;
    s->status = status;
    return NULL;
}

/* Whether the byte at p is c. */
MCPW_INLINE bool mcpw_scanner_is(const mcpw_scanner *s, const unsigned char *p, unsigned char c) {
    return p < s->end && *p == c;
}

/* Skips white space. Most of the time there is none. */
const unsigned char *mcpw_scan_some_space(mcpw_scanner *s, const unsigned char *p);
static inline const unsigned char *mcpw_scan_space(mcpw_scanner *s, const unsigned char *p) {
    const bool is_none = !MCPW_COMPACT && s->end > p && *p > ' ';
    return MCPW_LIKELY(is_none) ? p : mcpw_scan_some_space(s, p);
}

/* Scans a string. p is at the opening quote. */
const unsigned char *mcpw_scan_string(mcpw_scanner *s, const unsigned char *p);

/* Scans a value of any type. */
const unsigned char *mcpw_scan_any(mcpw_scanner *s, const unsigned char *p);
static inline const unsigned char *mcpw_scan_value(mcpw_scanner *s, const unsigned char *p) {
    return !MCPW_COMPACT && mcpw_scanner_is(s, p, '"') ? mcpw_scan_string(s, p) : mcpw_scan_any(s, p);
}

/* Scans a string, number or literal. */
const unsigned char *mcpw_scan_scalar(mcpw_scanner *s, const unsigned char *p);

/* Scans a number or literal (scan_unquoted.c). */
const unsigned char *mcpw_scan_unquoted(mcpw_scanner *s, const unsigned char *p);

const unsigned char *mcpw_scan_number(mcpw_scanner *s, const unsigned char *p);

/* Scans the name of a member, which *name receives unless it is NULL, and its colon, up to the value. */
const unsigned char *mcpw_scan_name(mcpw_scanner *s, const unsigned char *p, mcpw_json *name);

/* Whether a string token that was scanned holds the code points of a plain text. */
bool mcpw_scanned_is(mcpw_json token, const char *text, size_t len);

/* value without white space around it, when it is one value and nothing else; *offset tells how far it is. */
MCPW_NODISCARD mcpw_status mcpw_scan_whole(mcpw_json value, unsigned depth, mcpw_json *out, size_t *offset);

#endif
