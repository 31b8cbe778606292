/* SPDX-License-Identifier: MIT */
/* A small scanner for JSON text that nobody has checked, for values outside of any type. It reads no byte at
 * or beyond `end`, recurses nowhere and changes nothing. Functions take the place where something begins and
 * return the place behind it, or NULL with a status. */
#ifndef MCPW_JSON_SCAN_H
#define MCPW_JSON_SCAN_H

#include <mcpw/json.h>

typedef struct mcpw_scanner {
    const unsigned char *end;
    const unsigned char *at; /* where it failed */
    mcpw_status status;
    unsigned depth; /* levels that a value may have, at most MCPW_MAX_DEPTH */
} mcpw_scanner;

static inline const unsigned char *mcpw_scan_space(const mcpw_scanner *s, const unsigned char *p) {
    while (p < s->end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')) {
        p++;
    }
    return p;
}

const unsigned char *mcpw_scan_value(mcpw_scanner *s, const unsigned char *p);

/* p is at the opening quote. */
const unsigned char *mcpw_scan_string(mcpw_scanner *s, const unsigned char *p);

/* One character of a string whose grammar has been checked: *p moves behind it, or behind its escape. */
uint32_t mcpw_next_character(const unsigned char **p);

/* Writes a character as UTF-8, 1 to 4 bytes; returns how many. */
size_t mcpw_put_character(unsigned char *to, uint32_t c);

/* Whether two string tokens, with their quotes and checked, hold the same code points. */
bool mcpw_tokens_equal(mcpw_json a, mcpw_json b);

#endif
