/* SPDX-License-Identifier: MIT */
#include "text.h"

#include <mcpw/json.h>

enum { NUMBER_ROOM = 64, TEN = 10 };

void mcpw_text_raw(mcpw_text *text, const char *bytes, size_t len) {
    if (text->status == MCPW_OK && len != 0) {
        text->status = mcpw_buffer_append(&text->buffer, bytes, len);
    }
}

void mcpw_text_put(mcpw_text *text, const char *literal) { mcpw_text_raw(text, literal, strlen(literal)); }

void mcpw_text_json(mcpw_text *text, mcpw_json value) { mcpw_text_raw(text, value.ptr, value.len); }

void mcpw_text_string(mcpw_text *text, mcpw_str value) {
    if (text->status == MCPW_OK) {
        text->status = mcpw_json_append_string(&text->buffer, value.ptr != NULL ? value : mcpw_str_from(""));
    }
}

char *mcpw_put_int(char *to, int64_t value) {
    char digits[2 * MCPW_INT_ROOM] = {0}; /* the second half is what is copied too much */
    char *const end = digits + MCPW_INT_ROOM;
    char *at = end;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    while (rest >= TEN) {
        const unsigned pair = (unsigned)(rest % (TEN * TEN));
        rest /= TEN * TEN;
        *--at = (char)('0' + pair % TEN);
        *--at = (char)('0' + pair / TEN);
    }
    if (rest != 0 || at == end) {
        *--at = (char)('0' + (unsigned)rest);
    }
    if (value < 0) {
        *--at = '-';
    }
    memcpy(to, at, MCPW_INT_ROOM);
    return to + (end - at);
}

void mcpw_text_int(mcpw_text *text, int64_t value) {
    char room[MCPW_INT_ROOM];
    mcpw_text_raw(text, room, (size_t)(mcpw_put_int(room, value) - room));
}

void mcpw_text_number(mcpw_text *text, double value) {
    char room[NUMBER_ROOM];
    mcpw_json_writer w;
    mcpw_json written = {NULL, 0};
    mcpw_json_write_begin(&w, room, sizeof room);
    mcpw_json_write_double(&w, value);
    if (mcpw_json_write_end(&w, &written) != MCPW_OK && text->status == MCPW_OK) {
        text->status = MCPW_E_VALUE; /* not finite */
    }
    mcpw_text_json(text, written);
}

void mcpw_text_id(mcpw_text *text, const mcpw_id *id) {
    if (id->kind == MCPW_ID_STRING) {
        mcpw_text_string(text, id->as.string);
    } else {
        mcpw_text_int(text, id->as.integer);
    }
}

void mcpw_text_comma(mcpw_text *text) {
    const size_t len = text->buffer.len;
    if (len != 0 && strchr("{[,:", text->buffer.data[len - 1]) == NULL) {
        mcpw_text_put(text, ",");
    }
}

void mcpw_text_key_str(mcpw_text *text, mcpw_str name) {
    mcpw_text_comma(text);
    mcpw_text_string(text, name);
    mcpw_text_put(text, ":");
}

void mcpw_text_key(mcpw_text *text, const char *name) { mcpw_text_key_str(text, mcpw_str_from(name)); }

static void open_with(mcpw_text *text, const char *bracket) {
    mcpw_text_comma(text);
    mcpw_text_put(text, bracket);
}

void mcpw_text_object(mcpw_text *text) { open_with(text, "{"); }

void mcpw_text_object_end(mcpw_text *text) { mcpw_text_put(text, "}"); }

void mcpw_text_array(mcpw_text *text) { open_with(text, "["); }

void mcpw_text_array_end(mcpw_text *text) { mcpw_text_put(text, "]"); }

void mcpw_text_member(mcpw_text *text, const char *name, mcpw_str value) {
    mcpw_text_key(text, name);
    mcpw_text_string(text, value);
}

void mcpw_text_member_json(mcpw_text *text, const char *name, mcpw_json value) {
    mcpw_text_key(text, name);
    mcpw_text_json(text, value);
}

void mcpw_text_member_copy(mcpw_text *text, mcpw_json key, mcpw_json value) {
    mcpw_text_comma(text);
    mcpw_text_json(text, key);
    mcpw_text_put(text, ":");
    mcpw_text_json(text, value);
}

mcpw_json mcpw_text_get(const mcpw_text *text) {
    const mcpw_json all = {text->buffer.data, text->buffer.len};
    const mcpw_json none = {NULL, 0};
    return text->status == MCPW_OK && text->buffer.len != 0 ? all : none;
}

mcpw_status mcpw_text_finish(mcpw_text *text, mcpw_arena *arena, mcpw_json *out) {
    mcpw_status status = text->status;
    out->ptr = NULL;
    out->len = 0;
    if (status == MCPW_OK) {
        const mcpw_str copy = mcpw_arena_str(arena, text->buffer.data, text->buffer.len);
        status = copy.ptr != NULL ? MCPW_OK : arena->status;
        out->ptr = copy.ptr;
        out->len = copy.len;
    }
    mcpw_text_free(text);
    return status;
}

void mcpw_text_free(mcpw_text *text) {
    mcpw_buffer_free(&text->buffer);
    text->status = MCPW_OK;
}
