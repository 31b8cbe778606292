/* SPDX-License-Identifier: MIT */
/* Reads a stream of server-sent events, in any split. (WHATWG HTML, "Server-sent events", section 9.2.6.) */
#ifndef MCPW_EVENT_READER_H
#define MCPW_EVENT_READER_H

#include <mcpw/arena.h>

/* Initialise with MCPW_EVENT_READER_INIT; give back with mcpw_event_reader_free. */
typedef struct mcpw_event_reader {
    size_t limit;       /* most bytes of an event */
    mcpw_buffer line;   /* the beginning of a line whose end has not come; likewise of an event: */
    mcpw_buffer data;   /* its lines, each ended by LF */
    mcpw_buffer new_id; /* its id, where it has one */
    mcpw_buffer id;     /* of the last event that is complete, and had one */
    uint64_t retry;     /* ms until the client comes back, as the server has said it; see has_retry */
    bool has_retry;
    bool has_new_id;
    bool has_type;   /* the event is of another type than "message" */
    bool is_begun;   /* something has come: there is no byte order mark any more */
    bool after_cr;   /* an LF that follows ends no other line */
    bool data_given; /* data was given, and goes with the next call */
} mcpw_event_reader;

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
MCPW_NODISCARD mcpw_status mcpw_event_reader_next(mcpw_event_reader *reader, const char **bytes, size_t *len,
                                                  mcpw_str *data);
/* Forgets what is unfinished, for another stream; the last id and the time stay. */
void mcpw_event_reader_restart(mcpw_event_reader *reader);
/* The id of the last event; empty: none. */
mcpw_str mcpw_event_reader_id(const mcpw_event_reader *reader);
void mcpw_event_reader_free(mcpw_event_reader *reader);

#endif
