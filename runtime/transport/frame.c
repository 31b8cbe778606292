/* SPDX-License-Identifier: MIT */
/* Splits bytes into lines: <mcpw/frame.h>. */
#include <mcpw/detail/framer.h>
#include <mcpw/frame.h>

/* Bytes that the framer keeps between lines. More memory is freed after a longer line. */
enum { KEPT_CAPACITY = 1 << 20 };

static void forget_kept(mcpw_framer *framer) {
    framer->kept.len = 0;
    framer->given = false;
    if (framer->kept.capacity > KEPT_CAPACITY) {
        mcpw_buffer_free(&framer->kept);
    }
}

/* Refuses a line. The framer forgets its bytes, and skips its rest unless this was its end. */
static mcpw_status refuse(mcpw_framer *framer, mcpw_status why, bool ended) {
    forget_kept(framer);
    framer->line_number++;
    framer->skipping = !ended;
    return why;
}

/* Adds a piece to the current line; `ended`: its LF follows. MCPW_PENDING: the line is incomplete or empty.
 */
static mcpw_status add_piece(mcpw_framer *framer, mcpw_str piece, bool ended, mcpw_str *line) {
    const size_t limit = framer->limit != 0 ? framer->limit : MCPW_DEFAULT_BYTES;
    const size_t before = framer->kept.len;
    const size_t total = before + piece.len;
    const char last = piece.len != 0 ? piece.ptr[piece.len - 1]
                      : total != 0   ? framer->kept.data[before - 1]
                                     : 0;
    /* A CR at the end may belong to the line end, even if the LF arrives later. */
    const size_t content = total - (last == '\r' ? 1 : 0);
    if (content > limit) {
        return refuse(framer, MCPW_E_SIZE, ended);
    }
    if (!ended || before != 0) {
        if (mcpw_buffer_append(&framer->kept, piece.ptr, piece.len) != MCPW_OK) {
            return refuse(framer, MCPW_E_MEMORY, ended);
        }
        piece.ptr = framer->kept.data;
    }
    if (!ended) {
        return MCPW_PENDING;
    }
    if (content == 0) {
        forget_kept(framer);
        return MCPW_PENDING;
    }
    framer->given = before != 0;
    framer->line_number++;
    line->ptr = piece.ptr;
    line->len = content;
    return MCPW_OK;
}

mcpw_status mcpw_framer_next(mcpw_framer *framer, const char **bytes, size_t *len, mcpw_str *line) {
    mcpw_status status = MCPW_PENDING;
    if (framer->given) {
        forget_kept(framer);
    }
    while (status == MCPW_PENDING && *len != 0) {
        const char *const end = memchr(*bytes, '\n', *len);
        const mcpw_str piece = {*bytes, end != NULL ? (size_t)(end - *bytes) : *len};
        const size_t used = piece.len + (end != NULL ? 1 : 0);
        *bytes += used;
        *len -= used;
        if (!framer->skipping) {
            status = add_piece(framer, piece, end != NULL, line);
        } else if (end != NULL) {
            framer->skipping = false;
        }
    }
    return status;
}

mcpw_status mcpw_framer_end(mcpw_framer *framer, mcpw_str *line) {
    const mcpw_str nothing = {"", 0};
    if (framer->given) {
        forget_kept(framer);
    }
    if (framer->skipping || framer->kept.len == 0) {
        framer->skipping = false;
        return MCPW_PENDING;
    }
    return add_piece(framer, nothing, true, line);
}

void mcpw_framer_free(mcpw_framer *framer) {
    mcpw_buffer_free(&framer->kept);
    framer->line_number = 0;
    framer->skipping = false;
    framer->given = false;
}
