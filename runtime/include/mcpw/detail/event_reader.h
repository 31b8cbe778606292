/* SPDX-License-Identifier: MIT */
/*
 * A reader of server-sent events in HTTP responses. It takes bytes in any split and returns events. It is for
 * programs that read such streams themselves; <mcpw/http_client.h> does so by itself.
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

/* The state of one stream. Initialise with MCPW_EVENT_READER_INIT and set the limit; the other members are
 * the library's. Free with mcpw_event_reader_free. */
typedef struct mcpw_event_reader {
    size_t limit;       /* most bytes of an event */
    mcpw_buffer line;   /* the beginning of an unfinished line */
    mcpw_buffer data;   /* lines of an unfinished event, each ended by LF */
    mcpw_buffer new_id; /* the id of that event, if it has one */
    mcpw_buffer id;     /* of the last complete event that had one */
    uint64_t retry_ms;  /* ms until the client reconnects, as the server set it; see has_retry */
    bool has_retry;     /* the server has set retry */
    bool has_new_id;    /* new_id is set */
    bool has_type;      /* the event is of another type than "message" */
    bool is_begun;      /* bytes have come, so no byte order mark can follow */
    bool after_cr;      /* a following LF does not end another line */
    bool data_given;    /* data was returned; the next call empties it */
} mcpw_event_reader;

enum { MCPW_EVENT_ID_MAX = 4096 /* bytes of an id that is kept */ };

/* A reader of a stream that has not begun. */
#define MCPW_EVENT_READER_INIT                                                                               \
    {                                                                                                        \
        0, MCPW_BUFFER_INIT, MCPW_BUFFER_INIT, MCPW_BUFFER_INIT, MCPW_BUFFER_INIT, 0, false, false, false,   \
            false, false, false                                                                              \
    }

/* Takes the next event from *bytes, and advances *bytes and *len past it. The call may return:
 *   - MCPW_OK: *data is the data of an event of type "message". It lives until the next call.
 *   - MCPW_PENDING: all bytes are used up.
 *   - MCPW_E_SIZE: an event is longer than the limit. Nothing more can be read.
 *   - MCPW_E_MEMORY: memory ran out. Nothing more can be read.  */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_event_reader_next(mcpw_event_reader *reader,
                                                                   const char **bytes, size_t *len,
                                                                   mcpw_str *data);
/* Drops the unfinished event, to begin another stream. The last id and the retry time stay. */
MCPW_SESSION_API void mcpw_event_reader_restart(mcpw_event_reader *reader);
/* The id of the last event, for resuming a stream (Last-Event-ID). It is empty if there is none, or if it has
 * more than MCPW_EVENT_ID_MAX bytes. */
MCPW_SESSION_API mcpw_str mcpw_event_reader_id(const mcpw_event_reader *reader);
/* Frees its memory. */
MCPW_SESSION_API void mcpw_event_reader_free(mcpw_event_reader *reader);

MCPW_END_DECLS

#endif
