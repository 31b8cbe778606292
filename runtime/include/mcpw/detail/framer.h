/* SPDX-License-Identifier: MIT */
/* Cuts bytes into the lines of the stdio transport. No part of the API: it may change in any version. */
#ifndef MCPW_DETAIL_FRAMER_H
#define MCPW_DETAIL_FRAMER_H

#include <mcpw/arena.h>
#include <mcpw/limits.h>

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
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_framer_next(mcpw_framer *framer, const char **bytes,
                                                             size_t *len, mcpw_str *line);

/* Takes a last line without LF at the end of input. MCPW_OK with the line, or MCPW_PENDING if there is none.
 */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_framer_end(mcpw_framer *framer, mcpw_str *line);

/* Frees the memory. The framer is empty and usable again. */
MCPW_SESSION_API void mcpw_framer_free(mcpw_framer *framer);

MCPW_END_DECLS

#endif
