/* SPDX-License-Identifier: MIT */
/*
 * Logs of real traffic, written by mcpwire tap --record. Each line is an object, in the order of the traffic.
 * Unknown members are ignored:
 *
 *   {"time":"2026-11-22T14:50:00.123Z","begin":4711}                            a tap starts: its process id
 *   {"time":"2026-11-22T14:50:00.123Z","from":"client","message":{...}}         any JSON, as it was sent
 *   {"time":"2026-11-22T14:50:00.123Z","from":"server","line":"Listening"}      a line that is no JSON
 *   {"time":"2026-11-22T14:50:00.123Z","from":"server","bytes":"4cff"}          nor UTF-8: in hexadecimal
 *   {"time":"2026-11-22T14:50:00.123Z","from":"server","skipped":70000000}      a line over the limit
 *   {"time":"2026-11-22T14:50:00.123Z","from":"server","refused":7,"status":401} an id whose request got an
 *                                                                               HTTP status, no response
 *
 * Over HTTP several conversations run side by side: "conversation" after "from" is the number of one.
 *
 * A line without a plain line feed at its end has "end" after that: "crlf" or "none". Only the text of
 * skipped lines and white space around messages are lost.
 */
#ifndef MCPWIRE_RECORD_H
#define MCPWIRE_RECORD_H

#include "side.h"
#include "text.h"

#include <mcpw/arena.h>
#include <mcpw/json.h>

#include <stdbool.h>
#include <stdint.h>

typedef enum record_kind {
    RECORD_BEGIN,
    RECORD_MESSAGE,
    RECORD_LINE,
    RECORD_SKIPPED,
    RECORD_REFUSED
} record_kind;

typedef enum record_end { RECORD_LF, RECORD_CRLF, RECORD_NO_END, RECORD_ENDS } record_end;

typedef struct record {
    record_kind kind;
    int64_t time; /* ms since 1970, UTC */
    side from;    /* except for RECORD_BEGIN */
    record_end end;
    mcpw_str line;         /* RECORD_MESSAGE: JSON; RECORD_LINE: any bytes; without the line end;
                              RECORD_REFUSED: the id in JSON */
    uint64_t conversation; /* its number; 0: there is only one */
    uint64_t number; /* RECORD_SKIPPED: bytes of the line; RECORD_BEGIN: process id; RECORD_REFUSED: status */
} record;

/* RECORD_MESSAGE if a line is JSON, otherwise RECORD_LINE. */
record_kind record_kind_of(mcpw_str line);

/* Appends a line to a log. */
void record_put(text *out, const record *r);

/* Reads a line of a log, without its line feed. *out refers to the text and the arena. False: it is invalid.
 */
bool record_get(mcpw_json line, mcpw_arena *arena, record *out);

#endif
