/* SPDX-License-Identifier: MIT */
/* One message of a stream after the other, said in another revision. */
#ifndef MCPWIRE_CONVERT_MESSAGE_H
#define MCPWIRE_CONVERT_MESSAGE_H

#include "convert_report.h"
#include "glance.h"
#include "sessions.h"
#include "text.h"

#include <mcpw/codec.h>
#include <mcpw/json.h>

#include <stdbool.h>
#include <stddef.h>

enum { CONVERT_VALUES = 6, CONVERT_VERSION = 40 };

typedef struct converter {
    bool is_told;              /* the source's revision was given; else each message is in its session's */
    const mcpw_revision *from; /* of the message at hand */
    const mcpw_revision *to;
    mcpw_options limits;
    mcpw_arena arena;       /* of the message at hand */
    mcpw_arena check_arena; /* of its verdict */
    sessions sessions;      /* the source's requests that wait; marked: those that were left out */
    mcpw_member values[CONVERT_VALUES]; /* what the target may require */
    char version[CONVERT_VERSION];      /* one of them: the target's name as JSON */
    mcpw_buffer info;                   /* others, as the stream's initialize has them */
    mcpw_buffer capabilities;
    mcpw_buffer message; /* the message at hand as the target says it */
    convert_report *report;
    mcpw_json before; /* what stands before and behind each message in its line */
    mcpw_json behind;
    text out; /* lines to be written, which the caller clears */
} converter;

/* from: the source's revision; NULL: the messages tell. False: no memory. converter_free is due in either
 * case. */
bool converter_init(converter *c, const mcpw_revision *from, const mcpw_revision *to,
                    const mcpw_options *limits, size_t max_open, convert_report *report);
void converter_free(converter *c);

/* What follows is another stream. */
void converter_restart(converter *c);

/* The session that the next messages belong to, as sessions_enter. False: no memory. */
bool converter_enter(converter *c, const mcpw_id *session);

/* Converts one line, which may be a batch: what the target can say goes to `out`, and what became of the rest
 * to the report. from: who sent it; NULL: that is not known. Not MCPW_OK: the machine, not the line, is at
 * fault. */
MCPW_NODISCARD mcpw_status converter_take(converter *c, const side *from, mcpw_json text);

#endif
