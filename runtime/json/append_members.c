/* SPDX-License-Identifier: MIT */
/* The members of an object after those of a text that is put together. */
#include <mcpw/json.h>

#include "scanner.h"

/* Whether a key, with its quotes, is one of these names, in whatever way it is written. NULL: no names. */
static bool is_among(mcpw_json key, const char *const *names) {
    if (names == NULL) {
        return false;
    }
    while (*names != NULL && !mcpw_scanned_is(key, *names, strlen(*names))) {
        names++;
    }
    return *names != NULL;
}

static mcpw_status append_member(mcpw_buffer *out, mcpw_json key, mcpw_json value) {
    const bool is_first = out->len == 0 || out->data[out->len - 1] == '{';
    mcpw_status status = is_first ? MCPW_OK : mcpw_buffer_append(out, ",", 1);
    status = status == MCPW_OK ? mcpw_buffer_append(out, key.ptr, key.len) : status;
    status = status == MCPW_OK ? mcpw_buffer_append(out, ":", 1) : status;
    return status == MCPW_OK ? mcpw_buffer_append(out, value.ptr, value.len) : status;
}

mcpw_status mcpw_json_append_members(mcpw_buffer *out, mcpw_json object, const char *const *but) {
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json value;
    if (object.ptr == NULL) {
        return MCPW_OK;
    }
    mcpw_status status =
        mcpw_json_kind_of(object) == MCPW_JSON_OBJECT ? mcpw_json_iterate(object, &it) : MCPW_E_TYPE;
    while (status == MCPW_OK && mcpw_json_next(&it, &key, &value)) {
        status = is_among(key, but) ? MCPW_OK : append_member(out, key, value);
    }
    return status == MCPW_OK ? it.status : status;
}
