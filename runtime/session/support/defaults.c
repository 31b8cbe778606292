/* SPDX-License-Identifier: MIT */
#include "defaults.h"

#include <string.h>

#include <mcpw/json.h>

#include "text.h"

enum { MOST_SCHEMAS = 16, MOST_DEPTH = 64, DECIMAL = 10 };

/* Schemas that all hold for one value. More than that many are left out: a default less is filled in. */
typedef struct schemas {
    mcpw_json list[MOST_SCHEMAS];
    size_t count;
} schemas;

typedef struct filling {
    mcpw_json root;
    mcpw_arena *arena;
    mcpw_text text;
    bool filled;
} filling;

bool mcpw_has_defaults(mcpw_json schema) {
    static const char key[] = "\"default\"";
    const char *at = schema.ptr;
    const char *const end = schema.len >= sizeof key - 1 ? at + schema.len - (sizeof key - 1) : at;
    while (at < end && (at = memchr(at, '"', (size_t)(end - at))) != NULL) {
        if (memcmp(at, key, sizeof key - 1) == 0) {
            return true;
        }
        at++;
    }
    return false;
}

/* A schema is there once, so that one that refers to itself ends. */
static void add(schemas *all, mcpw_json schema) {
    for (size_t i = 0; i < all->count; i++) {
        if (all->list[i].ptr == schema.ptr) {
            return;
        }
    }
    if (all->count < MOST_SCHEMAS && mcpw_json_kind_of(schema) == MCPW_JSON_OBJECT) {
        all->list[all->count++] = schema;
    }
}

/* The index that a step names; SIZE_MAX: none that an array has. */
static size_t index_of(const char *key) {
    size_t index = 0;
    for (; *key >= '0' && *key <= '9' && index < SIZE_MAX / DECIMAL; key++) {
        index = index * DECIMAL + (size_t)(*key - '0');
    }
    return *key == '\0' ? index : SIZE_MAX;
}

/* The name in a step of a JSON pointer, whose text ends there or at a slash. */
static mcpw_status step(mcpw_json *at, mcpw_str name, mcpw_arena *arena) {
    char *const key = mcpw_arena_alloc(arena, name.len + 1);
    size_t len = 0;
    if (key == NULL) {
        return MCPW_E_MEMORY;
    }
    for (size_t i = 0; i < name.len; i++) {
        const bool escape = name.ptr[i] == '~' && i + 1 < name.len;
        i += escape;
        key[len++] = !escape ? name.ptr[i] : name.ptr[i] == '1' ? '/' : '~';
    }
    key[len] = '\0';
    if (mcpw_json_kind_of(*at) == MCPW_JSON_ARRAY) {
        return mcpw_json_at(*at, index_of(key), at);
    }
    return mcpw_json_get(*at, key, at);
}

/* The schema that "#/a/b" leads to; what leads elsewhere is left out. */
static bool follow(const filling *f, mcpw_str reference, mcpw_json *out) {
    const char *const end = reference.ptr + reference.len;
    const char *at = reference.ptr;
    *out = f->root;
    if (reference.len == 0 || *at != '#') {
        return false;
    }
    at++;
    while (at < end && *at == '/') {
        const char *const next = memchr(at + 1, '/', (size_t)(end - at - 1));
        const char *const stop = next != NULL ? next : end;
        if (step(out, (mcpw_str){at + 1, (size_t)(stop - at - 1)}, f->arena) != MCPW_OK) {
            return false;
        }
        at = stop;
    }
    return at == end;
}

/* Adds what holds along with the schemas that are there. */
static void expand(const filling *f, schemas *all) {
    for (size_t i = 0; i < all->count; i++) {
        mcpw_json found;
        mcpw_json_iter it;
        mcpw_str reference;
        if (mcpw_json_get_string(all->list[i], "$ref", f->arena, &reference) == MCPW_OK &&
            follow(f, reference, &found)) {
            add(all, found);
        }
        if (mcpw_json_get(all->list[i], "allOf", &found) == MCPW_OK &&
            mcpw_json_iterate(found, &it) == MCPW_OK) {
            mcpw_json part;
            while (mcpw_json_next(&it, NULL, &part)) {
                add(all, part);
            }
        }
    }
}

/* Those under a keyword of each, or in the object under it by a name. */
static schemas below(const schemas *all, const char *keyword, const char *name) {
    schemas out = {.count = 0};
    for (size_t i = 0; i < all->count; i++) {
        mcpw_json found;
        if (mcpw_json_get(all->list[i], keyword, &found) == MCPW_OK &&
            (name == NULL || mcpw_json_get(found, name, &found) == MCPW_OK)) {
            add(&out, found);
        }
    }
    return out;
}

/* Whether a schema before that one has a default for the member, too: the first one counts. */
static bool is_filled_by(const schemas *all, size_t before, const char *name) {
    for (size_t i = 0; i < before; i++) {
        mcpw_json found;
        if (mcpw_json_get(all->list[i], "properties", &found) == MCPW_OK &&
            mcpw_json_get(found, name, &found) == MCPW_OK &&
            mcpw_json_get(found, "default", &found) == MCPW_OK) {
            return true;
        }
    }
    return false;
}

static void put_missing(filling *f, const schemas *all, size_t index, mcpw_json value) {
    mcpw_json properties;
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json property;
    mcpw_json found;
    if (mcpw_json_get(all->list[index], "properties", &properties) != MCPW_OK ||
        mcpw_json_iterate(properties, &it) != MCPW_OK || it.kind != MCPW_JSON_OBJECT) {
        return;
    }
    while (mcpw_json_next(&it, &key, &property)) {
        mcpw_str name;
        if (mcpw_json_get(property, "default", &found) != MCPW_OK ||
            mcpw_json_string(key, f->arena, &name) != MCPW_OK) {
            continue;
        }
        const mcpw_str named = mcpw_arena_str(f->arena, name.ptr, name.len);
        mcpw_json there;
        if (named.ptr != NULL && mcpw_json_get(value, named.ptr, &there) == MCPW_E_NOT_FOUND &&
            !is_filled_by(all, index, named.ptr)) {
            mcpw_text_member_copy(&f->text, key, found);
            f->filled = true;
        }
    }
}

static void put(filling *f, schemas *all, mcpw_json value, unsigned depth);

/* A member that is there, with what is missing in its value. */
static void put_member(filling *f, const schemas *all, mcpw_json key, mcpw_json item, unsigned depth) {
    mcpw_str name = {"", 0};
    f->text.status = mcpw_json_string(key, f->arena, &name);
    const mcpw_str named = mcpw_arena_str(f->arena, name.ptr, name.len);
    if (named.ptr == NULL) {
        f->text.status = MCPW_E_MEMORY;
        return;
    }
    schemas inner = below(all, "properties", named.ptr);
    mcpw_text_key_str(&f->text, name);
    put(f, &inner, item, depth + 1);
}

static void put_object(filling *f, const schemas *all, mcpw_json value, unsigned depth) {
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json item;
    mcpw_text_object(&f->text);
    if (mcpw_json_iterate(value, &it) == MCPW_OK) {
        while (f->text.status == MCPW_OK && mcpw_json_next(&it, &key, &item)) {
            put_member(f, all, key, item, depth);
        }
    }
    for (size_t i = 0; i < all->count; i++) {
        put_missing(f, all, i, value);
    }
    mcpw_text_object_end(&f->text);
}

static void put_array(filling *f, const schemas *all, mcpw_json value, unsigned depth) {
    const schemas items = below(all, "items", NULL);
    mcpw_json_iter it;
    mcpw_json item;
    mcpw_text_array(&f->text);
    if (mcpw_json_iterate(value, &it) == MCPW_OK) {
        while (f->text.status == MCPW_OK && mcpw_json_next(&it, NULL, &item)) {
            schemas inner = items;
            put(f, &inner, item, depth + 1);
        }
    }
    mcpw_text_array_end(&f->text);
}

static void put(filling *f, schemas *all, mcpw_json value, unsigned depth) {
    const mcpw_json_kind kind = mcpw_json_kind_of(value);
    expand(f, all);
    if (all->count == 0 || depth > MOST_DEPTH || (kind != MCPW_JSON_OBJECT && kind != MCPW_JSON_ARRAY)) {
        mcpw_text_json(&f->text, value);
    } else if (kind == MCPW_JSON_OBJECT) {
        put_object(f, all, value, depth);
    } else {
        put_array(f, all, value, depth);
    }
}

mcpw_status mcpw_fill_defaults(mcpw_json schema, mcpw_json value, mcpw_arena *arena, mcpw_json *out) {
    filling f = {schema, arena, MCPW_TEXT_INIT, false};
    schemas all = {.count = 0};
    *out = value;
    add(&all, schema);
    put(&f, &all, value, 0);
    const mcpw_status status = f.text.status;
    if (status == MCPW_OK && f.filled) {
        return mcpw_text_finish(&f.text, arena, out);
    }
    mcpw_text_free(&f.text);
    return status;
}
