/* SPDX-License-Identifier: MIT */
/* The writer by which sessions make JSON. */
#include "text.h"

#include <mcpw/json.h>

enum { NUMBER_ROOM = 64, TEN = 10 };

/* The place for so many bytes, after a comma where one is due. NULL after a failure. */
static char *begin_value(mcpw_text *text, size_t len) {
    mcpw_buffer *const buffer = &text->buffer;
    if (text->status == MCPW_OK) {
        text->status = mcpw_text_room(buffer, len + 1);
    }
    if (text->status != MCPW_OK) {
        return NULL;
    }
    char *to = buffer->data + buffer->len;
    const char last = buffer->len != 0 ? to[-1] : ',';
    if (last != ':' && last != ',' && last != '{' && last != '[') {
        *to++ = ',';
    }
    buffer->len = (size_t)(to - buffer->data);
    return to;
}

void mcpw_text_raw(mcpw_text *text, const char *bytes, size_t len) {
    if (text->status == MCPW_OK && len != 0) {
        text->status = mcpw_buffer_append(&text->buffer, bytes, len);
    }
}

void mcpw_text_put(mcpw_text *text, const char *words) { mcpw_text_raw(text, words, strlen(words)); }

void mcpw_text_comma(mcpw_text *text) {
    if (text->buffer.len != 0) {
        (void)begin_value(text, 0);
    }
}

void mcpw_text_json(mcpw_text *text, mcpw_json value) {
    char *const to = begin_value(text, value.len);
    if (to != NULL && value.len != 0) {
        memcpy(to, value.ptr, value.len);
        text->buffer.len += value.len;
    }
}

void mcpw_text_string(mcpw_text *text, mcpw_str value) {
    if (begin_value(text, value.len) != NULL) {
        text->status = mcpw_json_append_string(&text->buffer, value.ptr != NULL ? value : mcpw_str_from(""));
    }
}

/* Writes the digits of a number in front of `at`, two at a time; returns the first. Most numbers are small,
 * and dividing those costs less. */
static char *put_digits(char *at, uint64_t value) {
    enum { PAIR = 2, HUNDRED = TEN * TEN };
    static const char pairs[] =
        "0001020304050607080910111213141516171819202122232425262728293031323334353637383940"
        "4142434445464748495051525354555657585960616263646566676869707172737475767778798081"
        "828384858687888990919293949596979899";
    for (; value > UINT32_MAX; value /= HUNDRED) {
        at -= PAIR;
        memcpy(at, pairs + PAIR * (value % HUNDRED), PAIR);
    }
    uint32_t rest = (uint32_t)value;
    for (; rest >= HUNDRED; rest /= HUNDRED) {
        at -= PAIR;
        memcpy(at, pairs + PAIR * (size_t)(rest % HUNDRED), PAIR);
    }
    at -= PAIR;
    memcpy(at, pairs + PAIR * (size_t)rest, PAIR);
    return at + (rest < TEN ? 1 : 0);
}

char *mcpw_text_put_int(char *to, int64_t value) {
    char digits[2 * MCPW_INT_ROOM] = {0}; /* both halves are read: all of MCPW_INT_ROOM is copied */
    char *const end = digits + MCPW_INT_ROOM;
    char *at = put_digits(end, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
    if (value < 0) {
        *--at = '-';
    }
    memcpy(to, at, MCPW_INT_ROOM);
    return to + (end - at);
}

void mcpw_text_int(mcpw_text *text, int64_t value) {
    char *const to = begin_value(text, MCPW_INT_ROOM);
    if (to != NULL) {
        text->buffer.len += (size_t)(mcpw_text_put_int(to, value) - to);
    }
}

void mcpw_text_number(mcpw_text *text, double value) {
    char room[NUMBER_ROOM];
    mcpw_json_writer w;
    mcpw_json written = {NULL, 0, 0};
    mcpw_json_write_begin(&w, room, sizeof room);
    mcpw_json_write_double(&w, value);
    if (mcpw_json_write_end(&w, &written) != MCPW_OK && text->status == MCPW_OK) {
        text->status = MCPW_E_VALUE; /* it is not finite */
    }
    mcpw_text_json(text, written);
}

void mcpw_text_bool(mcpw_text *text, bool value) {
    mcpw_text_json(text, value ? MCPW_JSON_VALUE("true") : MCPW_JSON_VALUE("false"));
}

void mcpw_text_id(mcpw_text *text, const mcpw_id *id) {
    if (id->kind == MCPW_ID_STRING) {
        mcpw_text_string(text, id->as.string);
    } else {
        mcpw_text_int(text, id->as.integer);
    }
}

void mcpw_text_key(mcpw_text *text, const char *name) {
    const size_t len = strlen(name);
    char *to = begin_value(text, len + 3);
    if (to != NULL) {
        *to++ = '"';
        memcpy(to, name, len);
        to += len;
        *to++ = '"';
        *to++ = ':';
        text->buffer.len = (size_t)(to - text->buffer.data);
    }
}

void mcpw_text_key_str(mcpw_text *text, mcpw_str name) {
    mcpw_text_string(text, name);
    mcpw_text_raw(text, ":", 1);
}

static void open_with(mcpw_text *text, char bracket) {
    char *const to = begin_value(text, 1);
    if (to != NULL) {
        *to = bracket;
        text->buffer.len++;
    }
}

static void close_with(mcpw_text *text, char bracket) {
    if (text->status == MCPW_OK && (text->status = mcpw_text_room(&text->buffer, 1)) == MCPW_OK) {
        text->buffer.data[text->buffer.len++] = bracket;
    }
}

void mcpw_text_object(mcpw_text *text) { open_with(text, '{'); }

void mcpw_text_object_end(mcpw_text *text) { close_with(text, '}'); }

void mcpw_text_array(mcpw_text *text) { open_with(text, '['); }

void mcpw_text_array_end(mcpw_text *text) { close_with(text, ']'); }

void mcpw_text_member(mcpw_text *text, const char *name, mcpw_str value) {
    mcpw_text_key(text, name);
    mcpw_text_string(text, value);
}

void mcpw_text_member_json(mcpw_text *text, const char *name, mcpw_json value) {
    mcpw_text_key(text, name);
    mcpw_text_json(text, value);
}

void mcpw_text_member_copy(mcpw_text *text, mcpw_json key, mcpw_json value) {
    mcpw_text_json(text, key);
    mcpw_text_put(text, ":");
    mcpw_text_json(text, value);
}

static bool has_key(mcpw_json object, mcpw_json key) {
    mcpw_json_iter it;
    mcpw_json name;
    bool found = false;
    if (object.ptr != NULL && mcpw_json_iterate(object, &it) == MCPW_OK) {
        while (!found && mcpw_json_next(&it, &name, NULL)) {
            found = name.len == key.len && memcmp(name.ptr, key.ptr, key.len) == 0;
        }
    }
    return found;
}

void mcpw_text_rest(mcpw_text *text, mcpw_json object, mcpw_json but) {
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json value;
    if (mcpw_json_iterate(object, &it) != MCPW_OK || it.kind != MCPW_JSON_OBJECT) {
        return;
    }
    while (mcpw_json_next(&it, &key, &value)) {
        if (!has_key(but, key)) {
            mcpw_text_member_copy(text, key, value);
        }
    }
}

mcpw_json mcpw_text_get(const mcpw_text *text) {
    const mcpw_json all = {text->buffer.data, text->buffer.len, 0};
    const mcpw_json none = {NULL, 0, 0};
    return text->status == MCPW_OK && text->buffer.len != 0 ? all : none;
}

mcpw_status mcpw_text_finish(mcpw_text *text, mcpw_arena *arena, mcpw_json *out) {
    mcpw_status status = text->status;
    *out = (mcpw_json){NULL, 0, 0};
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
