/* SPDX-License-Identifier: MIT */
/*
 * Logs of real traffic: what mcpwire tap --record writes. An object a line, in the order in which the lines
 * passed by; members that are not known are ignored:
 *
 *   {"time":"2026-11-22T14:50:00.123Z","begin":4711}                            a tap starts: its process id
 *   {"time":"2026-11-22T14:50:00.123Z","from":"client","message":{...}}         any JSON, as it was sent
 *   {"time":"2026-11-22T14:50:00.123Z","from":"server","line":"Listening"}      a line that is no JSON
 *   {"time":"2026-11-22T14:50:00.123Z","from":"server","bytes":"4cff"}          nor UTF-8: in hexadecimal
 *   {"time":"2026-11-22T14:50:00.123Z","from":"server","skipped":70000000}      a line too long to be held
 *
 * Over HTTP several conversations go on side by side: "conversation" behind "from" is the number of one.
 *
 * A line that did not end with a line feed alone has "end" behind that: "crlf" or "none". Nothing is lost but
 * the text of skipped lines, and white space around messages.
 */
#ifndef MCPWIRE_RECORD_H
#define MCPWIRE_RECORD_H

#include "side.h"
#include "text.h"

#include <mcpw/arena.h>
#include <mcpw/json.h>

#include <stdbool.h>
#include <stdint.h>

typedef enum record_kind { RECORD_BEGIN, RECORD_MESSAGE, RECORD_LINE, RECORD_SKIPPED } record_kind;

typedef enum record_end { RECORD_LF, RECORD_CRLF, RECORD_NO_END, RECORD_ENDS } record_end;

typedef struct record {
    record_kind kind;
    int64_t time; /* ms since 1970 began, UTC */
    side from;    /* but for RECORD_BEGIN */
    record_end end;
    mcpw_str line;         /* RECORD_MESSAGE: JSON; RECORD_LINE: any bytes; without the line's end */
    uint64_t conversation; /* its number; 0: there is one alone */
    uint64_t number;       /* RECORD_SKIPPED: bytes of the line; RECORD_BEGIN: process id */
} record;

/* RECORD_MESSAGE where a line is JSON, else RECORD_LINE. */
record_kind record_kind_of(mcpw_str line);

/* Appends the line of a log. */
void record_put(text *out, const record *r);

/* Reads a line of a log, without its line feed. What *out refers to lives in the text or in the arena. False:
 * it is none. */
bool record_get(mcpw_json line, mcpw_arena *arena, record *out);

#endif
