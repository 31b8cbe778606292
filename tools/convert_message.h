/* SPDX-License-Identifier: MIT */
/* Converts the messages of a stream to another revision, one by one. */
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
    bool is_source_given;      /* the source's revision was given; otherwise each message has its session's
                                  revision */
    const mcpw_revision *from; /* of the current message */
    const mcpw_revision *to;
    mcpw_options limits;
    mcpw_arena arena;       /* for the current message */
    mcpw_arena check_arena; /* for its check */
    sessions sessions;      /* the open requests of the source; marked: those that were left out */
    mcpw_member values[CONVERT_VALUES]; /* members that the target may require */
    char version[CONVERT_VERSION];      /* one of them: the target's version as JSON */
    mcpw_buffer info;                   /* others, from the stream's initialize */
    mcpw_buffer capabilities;
    mcpw_buffer message; /* the current message in the target's revision */
    convert_report *report;
    mcpw_json before; /* the text before each message in its line; after: the text after it */
    mcpw_json after;
    text out; /* lines to be written, which the caller clears */
} converter;

/* from: the source's revision; NULL: the messages decide. False: no memory. converter_free is needed in
 * either case. */
bool converter_init(converter *c, const mcpw_revision *from, const mcpw_revision *to,
                    const mcpw_options *limits, size_t max_open, convert_report *report);
void converter_free(converter *c);

/* Begins another stream. */
void converter_restart(converter *c);

/* Enters the session of the next messages, like sessions_enter. False: no memory. */
bool converter_enter(converter *c, const mcpw_id *session);

/* Converts one line, which may be a batch: the converted messages go to `out`, and the rest to the report.
 * from: the sender; NULL: unknown. A status other than MCPW_OK means that the program failed, not the line.
 */
MCPW_NODISCARD mcpw_status converter_take(converter *c, const side *from, mcpw_json text);

#endif
