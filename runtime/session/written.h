/* SPDX-License-Identifier: MIT */
/* Results that are written straight into what the session sends, member by member. */
#ifndef MCPW_WRITTEN_H
#define MCPW_WRITTEN_H

#include <mcpw/json.h>

#include "registry.h"
#include "text.h"

/* Begins a result of the type of this name that has about that many bytes. */
static inline void mcpw_written_open(mcpw_written *a, mcpw_request *request, const char *type, size_t size) {
    mcpw_written_begin(a, request, type);
    if (a->status == MCPW_OK) {
        a->status = mcpw_text_room(a->out, size);
    }
}

static inline void mcpw_written_put(mcpw_written *a, const char *literal, size_t len) {
    if (a->status == MCPW_OK && (a->status = mcpw_text_room(a->out, len)) == MCPW_OK) {
        memcpy(a->out->data + a->out->len, literal, len);
        a->out->len += len;
    }
}

#define MCPW_WRITTEN_PUT(w, literal) mcpw_written_put((w), (literal), sizeof(literal) - 1)

static inline void mcpw_written_fail(mcpw_written *a, mcpw_status status, const char *why) {
    if (a->status == MCPW_OK) {
        a->status = status;
        mcpw_error_set(&a->error, status, 0, "%s", why);
    }
}

static inline void mcpw_written_string(mcpw_written *a, mcpw_str text) {
    if (text.ptr == NULL) {
        mcpw_written_fail(a, MCPW_E_ARGUMENT, "a text is absent");
    } else if (a->status == MCPW_OK) {
        a->status = mcpw_json_append_string(a->out, text);
    }
}

#endif
