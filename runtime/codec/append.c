/* SPDX-License-Identifier: MIT */
/* JSON text after what a buffer holds: for text that no type describes. */
#include <mcpw/json.h>

#include "write.h"

mcpw_status mcpw_json_append_string(mcpw_buffer *out, mcpw_str text) {
    if (text.ptr == NULL || text.len > SIZE_MAX / 2) {
        return MCPW_E_ARGUMENT;
    }
    const size_t room = text.len + MCPW_ROOM;
    if (room > out->capacity - out->len && mcpw_buffer_reserve(out, room) != MCPW_OK) {
        return MCPW_E_MEMORY;
    }
    mcpw_writer w = {.out = out, .begin = out->len};
    w.limit = (unsigned char *)out->data + (out->capacity - MCPW_ROOM);
    return mcpw_write_close(&w, mcpw_put_string(&w, (unsigned char *)out->data + out->len, text));
}

mcpw_status mcpw_json_append_raw(mcpw_buffer *out, mcpw_json value, unsigned max_depth, mcpw_error *error) {
    mcpw_status status = mcpw_json_check(value, max_depth, error);
    if (status != MCPW_OK) {
        return status;
    }
    status = mcpw_buffer_reserve(out, value.len);
    if (status != MCPW_OK) {
        return mcpw_error_status(error, status);
    }
    unsigned char *const to = (unsigned char *)out->data + out->len;
    memcpy(to, value.ptr, value.len);
    const bool breaks = memchr(to, '\n', value.len) != NULL || memchr(to, '\r', value.len) != NULL;
    out->len += breaks ? (size_t)(mcpw_write_dense(to, to + value.len) - to) : value.len;
    return MCPW_OK;
}
