/* SPDX-License-Identifier: MIT */
/* Substitutes for values that a revision cannot express: mcpw_adapt; <mcpw/adapt.h> lists them. */
#include <mcpw/adapt.h>
#include <mcpw/detail/field.h>
#include <mcpw/detail/reflect.h>
#include <mcpw/json.h>

#include "print.h"
#include "text.h"

/* ---- substitutes of alternatives ---- */

/* Writes a text block of these words, which are freed. */
static void put_block(mcpw_text *out, mcpw_text *words) {
    const mcpw_json text = mcpw_text_get(words);
    mcpw_text_object(out);
    mcpw_text_member(out, "type", mcpw_str_from("text"));
    mcpw_text_member(out, "text", (mcpw_str){text.ptr, text.len});
    mcpw_text_object_end(out);
    if (words->status != MCPW_OK) {
        out->status = words->status;
    }
    mcpw_text_free(words);
}

/* Begins the words for what cannot be said, such as "[audio: ", with the member of that name. */
static mcpw_status begin_words(mcpw_text *words, const char *what, mcpw_json value, const char *name,
                               mcpw_arena *arena) {
    mcpw_str text;
    const mcpw_status status = mcpw_json_get_string(value, name, arena, &text);
    if (status == MCPW_OK) {
        mcpw_text_put(words, what);
        mcpw_text_raw(words, text.ptr, text.len);
        mcpw_text_put(words, ", ");
    }
    return status;
}

/* The bytes that base64 text stands for. */
static int64_t base64_size(mcpw_str text) {
    enum { CHARS = 4, BYTES = 3 };
    while (text.len != 0 && text.ptr[text.len - 1] == '=') {
        text.len--;
    }
    return (int64_t)(text.len / CHARS * BYTES + text.len % CHARS * BYTES / CHARS);
}

static mcpw_status put_audio(mcpw_json value, mcpw_arena *arena, mcpw_text *out) {
    mcpw_text words = MCPW_TEXT_INIT;
    mcpw_str data = {"", 0};
    char size[MCPW_INT_ROOM + sizeof " bytes]"];
    mcpw_status status = mcpw_json_get_string(value, "data", arena, &data);
    status = status == MCPW_OK ? begin_words(&words, "[audio: ", value, "mimeType", arena) : status;
    (void)mcpw_print_text(size, sizeof size, "%ld bytes]", (long)base64_size(data));
    mcpw_text_put(&words, size);
    put_block(out, &words);
    return status;
}

static mcpw_status put_link(mcpw_json value, mcpw_arena *arena, mcpw_text *out) {
    mcpw_text words = MCPW_TEXT_INIT;
    mcpw_str uri = {"", 0};
    mcpw_status status = mcpw_json_get_string(value, "uri", arena, &uri);
    status = status == MCPW_OK ? begin_words(&words, "[resource: ", value, "name", arena) : status;
    mcpw_text_raw(&words, uri.ptr, uri.len);
    mcpw_text_put(&words, "]");
    put_block(out, &words);
    return status;
}

/* A list of the member `from` of each choice, under the key `to`. */
static mcpw_status put_choices(mcpw_json choices, const char *from, mcpw_text *out, const char *to) {
    mcpw_json_iter it;
    mcpw_json item;
    mcpw_json text;
    mcpw_text_key(out, to);
    mcpw_text_array(out);
    mcpw_status status = mcpw_json_iterate(choices, &it);
    while (status == MCPW_OK && mcpw_json_next(&it, NULL, &item)) {
        status = mcpw_json_get(item, from, &text);
        mcpw_text_json(out, text);
    }
    mcpw_text_array_end(out);
    return status;
}

static mcpw_status put_titled_enum(mcpw_json value, mcpw_arena *arena, mcpw_text *out) {
    static const char *const kept[] = {"title", "description"};
    mcpw_json choices;
    mcpw_json text;
    (void)arena;
    mcpw_status status = mcpw_json_get(value, "oneOf", &choices);
    mcpw_text_object(out);
    mcpw_text_member(out, "type", mcpw_str_from("string"));
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        if (mcpw_json_get(value, kept[i], &text) == MCPW_OK) {
            mcpw_text_member_json(out, kept[i], text);
        }
    }
    status = status == MCPW_OK ? put_choices(choices, "const", out, "enum") : status;
    status = status == MCPW_OK ? put_choices(choices, "title", out, "enumNames") : status;
    mcpw_text_object_end(out);
    return status;
}

typedef struct substitute {
    const char *alternative;
    mcpw_status (*put)(mcpw_json value, mcpw_arena *arena, mcpw_text *out);
} substitute;

static const substitute substitutes[] = {
    {"AudioContent", put_audio},
    {"ResourceLink", put_link},
    {"TitledSingleSelectEnumSchema", put_titled_enum},
};

mcpw_status mcpw_stand_in(void *user, const mcpw_unsayable *what, mcpw_arena *arena, mcpw_json *out) {
    (void)user;
    for (size_t i = 0; i < sizeof substitutes / sizeof *substitutes; i++) {
        if (strcmp(what->alternative, substitutes[i].alternative) == 0) {
            mcpw_text text = MCPW_TEXT_INIT;
            const mcpw_status status = substitutes[i].put(what->value, arena, &text);
            const mcpw_status written = mcpw_text_finish(&text, arena, out);
            return status != MCPW_OK ? status : written;
        }
    }
    return MCPW_E_NOT_FOUND;
}

/* ---- structured content ---- */

/* Puts the text of `structured` into the empty list at `content`. */
static mcpw_status say_structured(mcpw_json structured, mcpw_field content, mcpw_arena *arena,
                                  mcpw_error *error) {
    mcpw_type_room room;
    const mcpw_type *const list = mcpw_type_make(&room, content.revision, content.ref, "content");
    mcpw_text text = MCPW_TEXT_INIT;
    mcpw_text words = MCPW_TEXT_INIT;
    mcpw_json json = {NULL, 0, 0};
    mcpw_status status = mcpw_json_check(structured, 0, error);
    if (status != MCPW_OK) {
        mcpw_error_prepend_key(error, "structuredContent", strlen("structuredContent"));
        return status;
    }
    mcpw_text_json(&words, structured);
    mcpw_text_array(&text);
    put_block(&text, &words);
    mcpw_text_array_end(&text);
    status = mcpw_text_finish(&text, arena, &json);
    if (status != MCPW_OK) {
        return mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
    }
    return mcpw_decode(list, json.ptr, json.len, arena, (void *)(uintptr_t)content.at, NULL, error);
}

static mcpw_status keep_structured(const mcpw_type *from, const void *value, const mcpw_type *to, void *out,
                                   mcpw_arena *arena, mcpw_error *error) {
    const mcpw_field before = mcpw_field_get(mcpw_field_of(from, value), "structuredContent");
    if (before.at == NULL) {
        return MCPW_OK;
    }
    const mcpw_field result = mcpw_field_of(to, out);
    const mcpw_field content = mcpw_field_get(result, "content");
    const bool lost = mcpw_field_get(result, "structuredContent").at == NULL;
    if (!lost || content.at == NULL || content.ref.kind != MCPW_KIND_ARRAY ||
        mcpw_field_count(content) != 0) {
        return MCPW_OK;
    }
    return say_structured(mcpw_field_json(before), content, arena, error);
}

/* ---- entry point ---- */

mcpw_status mcpw_adapt(const mcpw_type *from, const void *value, const mcpw_type *to,
                       const mcpw_project_options *options, mcpw_arena *arena, const void **out,
                       mcpw_error *error) {
    mcpw_project_options own = MCPW_PROJECT_INIT;
    *out = from == to ? value : NULL;
    if (from == to) {
        return MCPW_OK;
    }
    if (!MCPW_TAKE(&own, on_fill, options)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "initialise the options with MCPW_PROJECT_INIT");
    }
    void *const fresh = mcpw_arena_alloc(arena, mcpw_type_size(to));
    if (fresh == NULL) {
        mcpw_error_set(error, arena->status, 0, "%s", mcpw_status_text(arena->status));
        return arena->status;
    }
    if (own.substitute == NULL) {
        own.substitute = mcpw_stand_in;
    }
    mcpw_status status = mcpw_project(from, value, to, arena, fresh, &own, error);
    if (status == MCPW_OK) {
        status = keep_structured(from, value, to, fresh, arena, error);
    }
    *out = status == MCPW_OK ? fresh : NULL;
    return status;
}
