/* SPDX-License-Identifier: MIT */
/*
 * Framing of the stdio transport. Messages are lines of UTF-8, ended by LF; a CR before it is tolerated.
 * (MCP, "Transports", stdio.) The framer takes bytes in any split and returns whole lines. A session that is
 * fed with bytes uses a framer, and its output consists of lines.
 */
#ifndef MCPW_FRAME_H
#define MCPW_FRAME_H

#include <mcpw/arena.h>
#include <mcpw/codec.h>
#include <mcpw/session.h>

MCPW_BEGIN_DECLS

/* A framer cuts bytes into lines. Initialise with MCPW_FRAMER_INIT; free with mcpw_framer_free. */
typedef struct mcpw_framer {
    size_t struct_size; /* set by MCPW_FRAMER_INIT */
    size_t limit;       /* most bytes of a line; 0: MCPW_DEFAULT_BYTES */
    mcpw_buffer kept;   /* the beginning of an unfinished line; its allocator is the user's */
    size_t line_number; /* lines returned or refused so far */
    bool skipping;      /* inside a line that was refused */
    bool given;         /* kept has the line that was returned last */
} mcpw_framer;

/* A framer at the beginning of its input, with the default limit. */
#define MCPW_FRAMER_INIT                                                                                     \
    { sizeof(mcpw_framer), 0, MCPW_BUFFER_INIT, 0, false, false }

/* Takes the next line from *bytes, and advances *bytes and *len past it. The line has no line end. It points
 * into the caller's bytes or into the framer and lives until the next call. Empty lines are skipped. The call
 * may return:
 *   - MCPW_OK: *line is a line. Call again for the next one.
 *   - MCPW_PENDING: all bytes are used up, and more are needed.
 *   - MCPW_E_SIZE: a line is longer than the limit. This is returned once for the line, as soon as the
 *     limit is passed, and the rest of the line is skipped. Call again to go on with the next line.
 *   - MCPW_E_MEMORY: memory for an unfinished line ran out. The rest of the line is skipped as well. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_framer_next(mcpw_framer *framer, const char **bytes, size_t *len,
                                                     mcpw_str *line);

/* Takes a last line without LF at the end of input. MCPW_OK with the line, or MCPW_PENDING if there is none.
 */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_framer_end(mcpw_framer *framer, mcpw_str *line);

/* Frees the memory. The framer is empty and usable again. */
MCPW_API void mcpw_framer_free(mcpw_framer *framer);

/* ---- A session as one stream of bytes ---- */

/* Takes bytes from the peer and handles every message that they complete. The session goes on after invalid
 * bytes. MCPW_E_CLOSED if the session is closed, MCPW_E_MEMORY if a message was lost because memory ran out.
 * Messages that arrive while max_output waits are kept, and handled inside mcpw_session_sent. At the end of
 * input mcpw_session_end_input handles a last line without its end. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_session_feed(mcpw_session *session, const void *bytes, size_t len);

/* Returns the number of bytes to send next, and their address. They are whole lines; 0: there are none. They
 * live until mcpw_session_sent or the next call of any other function of the session. */
MCPW_API size_t mcpw_session_output(mcpw_session *session, const char **bytes);

/* Reports that the first len bytes of the output were sent. len may be any part of the output. Messages that
 * waited for room in the output are handled now, so handlers may be called. */
MCPW_API void mcpw_session_sent(mcpw_session *session, size_t len);

MCPW_END_DECLS

#endif
