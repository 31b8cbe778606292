/* SPDX-License-Identifier: MIT */
/*
 * Reads a stream of server-sent events, as responses over HTTP are: bytes in any split, events out. For
 * programs that read such streams themselves; <mcpw/http_client.h> does it by itself.
 *
 *     mcpw_event_reader reader = MCPW_EVENT_READER_INIT;
 *     reader.limit = MCPW_DEFAULT_BYTES;
 *     while (mcpw_event_reader_next(&reader, &bytes, &len, &data) == MCPW_OK) {
 *         ... data is a message, or empty ...
 *     }
 *     mcpw_event_reader_free(&reader);
 *
 * (WHATWG HTML, "Server-sent events", section 9.2.6; MCP 2026-07-28, "Streamable HTTP".)
 */
#ifndef MCPW_EVENT_READER_H
#define MCPW_EVENT_READER_H

#include <mcpw/arena.h>

MCPW_BEGIN_DECLS

/* A stream that is read. Initialise with MCPW_EVENT_READER_INIT, and set the limit; the rest is its own. Give
 * back with mcpw_event_reader_free. */
typedef struct mcpw_event_reader {
    size_t limit;       /* most bytes of an event */
    mcpw_buffer line;   /* the beginning of a line whose end has not come; likewise of an event: */
    mcpw_buffer data;   /* its lines, each ended by LF */
    mcpw_buffer new_id; /* its id, where it has one */
    mcpw_buffer id;     /* of the last event that is complete, and had one */
    uint64_t retry;     /* ms until the client comes back, as the server has said it; see has_retry */
    bool has_retry;     /* it has */
    bool has_new_id;    /* new_id counts */
    bool has_type;      /* the event is of another type than "message" */
    bool is_begun;      /* something has come: there is no byte order mark any more */
    bool after_cr;      /* an LF that follows ends no other line */
    bool data_given;    /* data was given, and goes with the next call */
} mcpw_event_reader;

enum { MCPW_EVENT_ID_MAX = 4096 /* bytes of an id that is kept */ };

/* A reader of a stream that has not begun. */
#define MCPW_EVENT_READER_INIT                                                                               \
    {                                                                                                        \
        0, MCPW_BUFFER_INIT, MCPW_BUFFER_INIT, MCPW_BUFFER_INIT, MCPW_BUFFER_INIT, 0, false, false, false,   \
            false, false, false                                                                              \
    }

/* Takes the next event from *bytes, and advances them past what was used.
 *   MCPW_OK        *data is that of an event of type "message". It lives until the next call
 *   MCPW_PENDING   all bytes are used up
 *   MCPW_E_SIZE    an event is longer than the limit; nothing more can be read. Likewise:
 *   MCPW_E_MEMORY  */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_event_reader_next(mcpw_event_reader *reader, const char **bytes,
                                                           size_t *len, mcpw_str *data);
/* Forgets what is unfinished, for another stream; the last id and the time stay. */
MCPW_API void mcpw_event_reader_restart(mcpw_event_reader *reader);
/* The id of the last event, by which a stream is resumed (Last-Event-ID); empty: none, or one of more than
 * MCPW_EVENT_ID_MAX bytes. */
MCPW_API mcpw_str mcpw_event_reader_id(const mcpw_event_reader *reader);
/* Gives back its memory. */
MCPW_API void mcpw_event_reader_free(mcpw_event_reader *reader);

MCPW_END_DECLS

#endif
