/* SPDX-License-Identifier: MIT */
/*
 * Framing: whatever pieces the bytes come in, the framer gives the lines that a plain loop over the whole
 * finds. The header's limit is the longest line; the sizes of the pieces follow from its last bytes.
 */
#include "fuzz.h"

#include <mcpw/detail/framer.h>
#include <mcpw/frame.h>

typedef struct pieces {
    const char *at;
    size_t left;
    unsigned seed;
    unsigned largest;
    char *piece; /* of exactly its size; the one before is freed as soon as it is used up */
} pieces;

/* The next thing to come: a line, or that one is too long; at the end MCPW_PENDING. */
static mcpw_status expected(const char **at, const char *end, size_t limit, mcpw_str *line) {
    while (*at != end) {
        const char *const from = *at;
        const char *to = from;
        while (to != end && *to != '\n') {
            to++;
        }
        *at = to != end ? to + 1 : end;
        if (to != from && to[-1] == '\r') {
            to--;
        }
        if (to != from) {
            line->ptr = from;
            line->len = (size_t)(to - from);
            return line->len > limit ? MCPW_E_SIZE : MCPW_OK;
        }
    }
    return MCPW_PENDING;
}

static const char *next_piece(pieces *p, size_t *len) {
    p->seed = p->seed * 1103515245U + 12345U;
    *len = 1 + (p->seed >> 16) % (p->largest + 1U);
    *len = *len < p->left ? *len : p->left;
    free(p->piece);
    p->piece = fuzz_copy(p->at, *len);
    p->at += *len;
    p->left -= *len;
    return p->piece;
}

static mcpw_status given(mcpw_framer *framer, pieces *p, const char **bytes, size_t *len, mcpw_str *line) {
    for (;;) {
        const mcpw_status status = mcpw_framer_next(framer, bytes, len, line);
        if (status != MCPW_PENDING) {
            return status;
        }
        FUZZ_ASSERT(*len == 0);
        if (p->left == 0) {
            return mcpw_framer_end(framer, line);
        }
        *bytes = next_piece(p, len);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { SMALL = 64, MANY = 4096 };
    const fuzz_header h = fuzz_read_header(data, size);
    mcpw_framer framer = MCPW_FRAMER_INIT;
    pieces p = {h.text, h.len, h.extra[0], (h.extra[1] & 1U) != 0 ? MANY : h.extra[1] % SMALL, NULL};
    const size_t limit = 1 + h.definition % MANY;
    const char *at = h.text;
    const char *bytes = NULL;
    size_t len = 0;
    size_t lines = 0;
    mcpw_status want = MCPW_OK;
    framer.limit = limit;
    while (want != MCPW_PENDING) {
        mcpw_str line = {NULL, 0};
        mcpw_str other = {NULL, 0};
        want = expected(&at, h.text + h.len, limit, &line);
        FUZZ_SAME(given(&framer, &p, &bytes, &len, &other), want, "the framer and the plain loop");
        if (want == MCPW_OK) {
            FUZZ_ASSERT(other.len == line.len && memcmp(other.ptr, line.ptr, line.len) == 0);
        }
        lines += want != MCPW_PENDING;
        FUZZ_ASSERT(framer.line_number == lines);
        FUZZ_ASSERT(framer.kept.len <= limit + 1);
    }
    mcpw_framer_free(&framer);
    free(p.piece);
    return 0;
}
