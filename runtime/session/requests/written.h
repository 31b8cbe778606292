/* SPDX-License-Identifier: MIT */
/* Results that are written straight into what the session sends, member by member. */
#ifndef MCPW_WRITTEN_H
#define MCPW_WRITTEN_H

#include <mcpw/json.h>

#include "../core/registry.h"
#include "../support/pieces.h"

static inline void mcpw_written_fail(mcpw_written *a, mcpw_status status, const char *why) {
    if (a->text.status == MCPW_OK) {
        a->text.status = status;
        mcpw_error_set(&a->error, status, 0, "%s", why);
    }
}

/* Fails where a text is absent that a handler has to give. */
static inline void mcpw_written_need(mcpw_written *a, mcpw_str text) {
    if (text.ptr == NULL) {
        mcpw_written_fail(a, MCPW_E_ARGUMENT, "a text is absent");
    }
}

/* Writes a member that is such a text. */
static inline void mcpw_written_member(mcpw_written *a, const char *name, mcpw_str text) {
    mcpw_written_need(a, text);
    mcpw_text_member(&a->text, name, text);
}

static inline void mcpw_written_piece(mcpw_written *a, const char *piece, size_t len) {
    mcpw_buffer *const out = &a->text.buffer;
    if (a->text.status == MCPW_OK && (a->text.status = mcpw_text_room(out, len)) == MCPW_OK) {
        memcpy(out->data + out->len, piece, len);
        out->len += len;
    }
}

/* Writes the content of a tool's result that is one text. */
static inline void mcpw_written_content(mcpw_written *a, mcpw_str text) {
    static const char before[] = MCPW_PIECE_TEXT_CONTENT;
    static const char after[] = MCPW_PIECE_TEXT_CONTENT_END;
    mcpw_written_piece(a, before, sizeof before - 1);
    mcpw_written_need(a, text);
    if (a->text.status == MCPW_OK) {
        a->text.status = mcpw_json_append_string(&a->text.buffer, text);
    }
    mcpw_written_piece(a, after, sizeof after - 1);
}

#endif
