/* SPDX-License-Identifier: MIT */
/* Raw values as json-c objects, and back. It uses the public functions of the library alone, so that it can
 * be built as a part of its own. */
#include <mcpw/json_c.h>

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include <json-c/json.h>
#include <mcpw/json.h>

enum {
    NUMBER_SIZE = 40,
    LONGEST_ESCAPE = 6, /* bytes that one byte of text can become */
    QUOTES = 2,
    TOKENER_LEVELS = 2 /* that json-c counts beyond those that are nested */
};

static mcpw_status fail(mcpw_error *error, mcpw_status status) {
    if (error != NULL) {
        const char *const text = mcpw_status_text(status);
        memset(error, 0, sizeof *error);
        error->code = status;
        memcpy(error->message, text, strlen(text) + 1);
    }
    return status;
}

mcpw_status mcpw_json_to_object(mcpw_json value, struct json_object **out, mcpw_error *error) {
    *out = NULL;
    const mcpw_status status = mcpw_json_check(value, 0, error);
    if (status != MCPW_OK) {
        return status;
    }
    if (value.len > INT_MAX) {
        return fail(error, MCPW_E_SIZE);
    }
    struct json_tokener *const tokener = json_tokener_new_ex((int)MCPW_DEFAULT_DEPTH + TOKENER_LEVELS);
    if (tokener == NULL) {
        return fail(error, MCPW_E_MEMORY);
    }
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    *out = json_tokener_parse_ex(tokener, value.ptr, (int)value.len);
    if (json_tokener_get_error(tokener) == json_tokener_continue) { /* a number ends with what follows it */
        *out = json_tokener_parse_ex(tokener, "", 1);
    }
    const enum json_tokener_error result = json_tokener_get_error(tokener);
    json_tokener_free(tokener);
    if (result == json_tokener_success) {
        return MCPW_OK;
    }
    json_object_put(*out);
    *out = NULL;
    return fail(error, MCPW_E_MEMORY); /* the text was checked before: nothing else is left to fail */
}

/* ---- back ---- */

static mcpw_status put_value(mcpw_buffer *out, struct json_object *object, unsigned depth);

static mcpw_status put_text(mcpw_buffer *out, const char *text) {
    return mcpw_buffer_append(out, text, strlen(text));
}

static mcpw_status put_string(mcpw_buffer *out, const char *text, size_t len) {
    mcpw_json_writer w;
    mcpw_json written = {NULL, 0, 0};
    if (len > (SIZE_MAX - QUOTES) / LONGEST_ESCAPE) {
        return MCPW_E_SIZE;
    }
    const size_t room = len * LONGEST_ESCAPE + QUOTES;
    mcpw_status status = mcpw_buffer_reserve(out, room);
    if (status != MCPW_OK) {
        return status;
    }
    mcpw_json_write_begin(&w, out->data + out->len, room);
    mcpw_json_write_string(&w, text, len);
    status = mcpw_json_write_end(&w, &written);
    out->len += status == MCPW_OK ? written.len : 0;
    return status;
}

static mcpw_status put_int(mcpw_buffer *out, struct json_object *object) {
    char text[NUMBER_SIZE];
    const int64_t value = json_object_get_int64(object);
    const uint64_t large = json_object_get_uint64(object);
    if (value == INT64_MAX && large > (uint64_t)INT64_MAX) {
        (void)snprintf(text, sizeof text, "%" PRIu64, large);
    } else {
        (void)snprintf(text, sizeof text, "%" PRId64, value);
    }
    return put_text(out, text);
}

/* Finds the text that the number was read from. json-c may have kept it, and it may still be the number's. */
static bool source_text(struct json_object *object, double value, mcpw_json *text) {
    double back = 0;
    if (json_object_get_userdata(object) == NULL) {
        return false;
    }
    *text = mcpw_json_from(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
    return mcpw_json_double(*text, &back) == MCPW_OK && back == value;
}

static mcpw_status put_double(mcpw_buffer *out, struct json_object *object) {
    char data[NUMBER_SIZE];
    mcpw_json_writer w;
    mcpw_json text = {NULL, 0, 0};
    const double value = json_object_get_double(object);
    if (!source_text(object, value, &text)) {
        mcpw_json_write_begin(&w, data, sizeof data);
        mcpw_json_write_double(&w, value);
        const mcpw_status status = mcpw_json_write_end(&w, &text);
        if (status != MCPW_OK) {
            return status;
        }
    }
    return mcpw_buffer_append(out, text.ptr, text.len);
}

static mcpw_status put_array(mcpw_buffer *out, struct json_object *array, unsigned depth) {
    const size_t count = json_object_array_length(array);
    mcpw_status status = put_text(out, "[");
    for (size_t i = 0; i < count && status == MCPW_OK; i++) {
        if (i != 0) {
            status = put_text(out, ",");
        }
        if (status == MCPW_OK) {
            status = put_value(out, json_object_array_get_idx(array, i), depth);
        }
    }
    return status == MCPW_OK ? put_text(out, "]") : status;
}

static mcpw_status put_member(mcpw_buffer *out, const char *name, struct json_object *value, unsigned depth) {
    mcpw_status status = put_string(out, name, strlen(name));
    if (status == MCPW_OK) {
        status = put_text(out, ":");
    }
    return status == MCPW_OK ? put_value(out, value, depth) : status;
}

static mcpw_status put_object(mcpw_buffer *out, struct json_object *object, unsigned depth) {
    struct json_object_iterator at = json_object_iter_begin(object);
    const struct json_object_iterator end = json_object_iter_end(object);
    mcpw_status status = put_text(out, "{");
    bool first = true;
    while (status == MCPW_OK && !json_object_iter_equal(&at, &end)) {
        if (!first) {
            status = put_text(out, ",");
        }
        first = false;
        if (status == MCPW_OK) {
            status =
                put_member(out, json_object_iter_peek_name(&at), json_object_iter_peek_value(&at), depth);
        }
        json_object_iter_next(&at);
    }
    return status == MCPW_OK ? put_text(out, "}") : status;
}

static mcpw_status put_value(mcpw_buffer *out, struct json_object *object, unsigned depth) {
    switch (json_object_get_type(object)) {
    case json_type_null:
        return put_text(out, "null");
    case json_type_boolean:
        return put_text(out, json_object_get_boolean(object) ? "true" : "false");
    case json_type_int:
        return put_int(out, object);
    case json_type_double:
        return put_double(out, object);
    case json_type_string:
        return put_string(out, json_object_get_string(object), (size_t)json_object_get_string_len(object));
    case json_type_array:
        return depth == 0 ? MCPW_E_DEPTH : put_array(out, object, depth - 1);
    case json_type_object:
        return depth == 0 ? MCPW_E_DEPTH : put_object(out, object, depth - 1);
    default:
        return MCPW_E_ARGUMENT;
    }
}

mcpw_status mcpw_json_from_object(struct json_object *object, mcpw_arena *arena, mcpw_json *out,
                                  mcpw_error *error) {
    mcpw_buffer text = MCPW_BUFFER_INIT;
    *out = (mcpw_json){NULL, 0, 0};
    mcpw_status status = put_value(&text, object, MCPW_DEFAULT_DEPTH);
    if (status == MCPW_OK) {
        const mcpw_str copy = mcpw_arena_str(arena, text.data, text.len);
        status = copy.ptr != NULL ? MCPW_OK : arena->status;
        out->ptr = copy.ptr;
        out->len = copy.len;
    }
    mcpw_buffer_free(&text);
    return status == MCPW_OK ? MCPW_OK : fail(error, status);
}
