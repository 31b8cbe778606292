/* SPDX-License-Identifier: MIT */
/*
 * Framing of the stdio transport: messages are lines of UTF-8, ended by LF; a CR before it is tolerated.
 * (MCP, "Transports", stdio.) The framer takes bytes in any split and gives whole lines. A session that is
 * fed with bytes uses one; its output is lines as well.
 */
#ifndef MCPW_FRAME_H
#define MCPW_FRAME_H

#include <mcpw/arena.h>
#include <mcpw/codec.h>
#include <mcpw/session.h>

MCPW_BEGIN_DECLS

/* Cuts bytes into lines. Initialise with MCPW_FRAMER_INIT; give back with mcpw_framer_free. */
typedef struct mcpw_framer {
    size_t struct_size; /* set by MCPW_FRAMER_INIT */
    size_t limit;       /* most bytes of a line; 0: MCPW_DEFAULT_BYTES */
    mcpw_buffer kept;   /* the beginning of a line whose end has not come yet; its allocator is the user's */
    size_t line_number; /* lines given or refused so far */
    bool skipping;      /* inside a line that was refused */
    bool given;         /* kept holds the line that was given last */
} mcpw_framer;

/* A framer at the beginning of its input, with the default limit. */
#define MCPW_FRAMER_INIT                                                                                     \
    { sizeof(mcpw_framer), 0, MCPW_BUFFER_INIT, 0, false, false }

/* Takes the next line from *bytes, and advances *bytes and *len past what was used. The line, without its
 * line end, points into the caller's bytes or into the framer and lives until the next call. Empty lines
 * are passed over.
 *   MCPW_OK        *line holds a line; call again for the next
 *   MCPW_PENDING   all bytes are used up; more are needed
 *   MCPW_E_SIZE    a line is longer than the limit: reported once, as soon as it is, and passed over to its
 *                  end; call again to go on with what follows it
 *   MCPW_E_MEMORY  the unfinished line could not be kept: it is passed over to its end as well */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_framer_next(mcpw_framer *framer, const char **bytes, size_t *len,
                                                     mcpw_str *line);

/* At the end of input: a last line without LF. MCPW_OK with the line, or MCPW_PENDING when there is none. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_framer_end(mcpw_framer *framer, mcpw_str *line);

/* Gives the memory back; the framer is empty and usable again. */
MCPW_API void mcpw_framer_free(mcpw_framer *framer);

/* ---- A session as one stream of bytes ---- */

/* Takes bytes from the peer and handles every message that they complete. Whatever they hold, the session
 * goes on: MCPW_E_CLOSED once it is closed, MCPW_E_MEMORY when a message was lost for want of memory.
 * Messages that arrive while max_output waits are kept, and handled inside of mcpw_session_sent. At the end
 * of input mcpw_session_end_input handles a last line without its end. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_session_feed(mcpw_session *session, const void *bytes, size_t len);

/* The bytes to send next, whole lines; their number is returned, 0 when there are none. They stay where they
 * are until mcpw_session_sent, or until the session is called with something else. */
MCPW_API size_t mcpw_session_output(mcpw_session *session, const char **bytes);

/* Says that the first len bytes of the output were sent: any part of it, as a write took them. What had to
 * wait for that is handled now: handlers may be called. */
MCPW_API void mcpw_session_sent(mcpw_session *session, size_t len);

MCPW_END_DECLS

#endif
