/* SPDX-License-Identifier: MIT */
#include "call.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_REFS = 16,  /* one behind the other */
    MAX_SHOWN = 6,  /* values of an enum */
    MAX_NESTED = 8, /* schemas within each other */
    NAME_SIZE = 128
};

/* What a schema allows, as bits by mcpw_json_kind; integers have one of their own. */
enum { KIND_INTEGER = 1U << (MCPW_JSON_OBJECT + 1) };

static unsigned bit(mcpw_json_kind kind) { return 1U << kind; }

static const struct {
    const char *name;
    unsigned kinds;
} types[] = {
    {"string", 1U << MCPW_JSON_STRING}, {"integer", KIND_INTEGER},
    {"number", 1U << MCPW_JSON_NUMBER}, {"boolean", 1U << MCPW_JSON_BOOLEAN},
    {"object", 1U << MCPW_JSON_OBJECT}, {"array", 1U << MCPW_JSON_ARRAY},
    {"null", 1U << MCPW_JSON_NULL},
};

static mcpw_json member(mcpw_json object, const char *name) {
    mcpw_json value = {NULL, 0};
    if (mcpw_json_get(object, name, &value) != MCPW_OK) {
        value.ptr = NULL;
    }
    return value;
}

static mcpw_str string_of(mcpw_json value, mcpw_arena *arena) {
    mcpw_str out = {NULL, 0};
    if (mcpw_json_string(value, arena, &out) != MCPW_OK) {
        out.ptr = NULL;
    }
    return out;
}

mcpw_str schema_string(mcpw_json object, const char *name, mcpw_arena *arena) {
    return string_of(member(object, name), arena);
}

/* One step of a JSON pointer: its name, unescaped; what follows it is returned. */
static const char *next_step(const char *p, char name[NAME_SIZE]) {
    size_t used = 0;
    for (p++; *p != '\0' && *p != '/'; p++) {
        const bool escaped = *p == '~' && (p[1] == '0' || p[1] == '1');
        if (used + 1 < NAME_SIZE) {
            name[used++] = !escaped ? *p : p[1] == '0' ? '~' : '/';
        }
        p += escaped ? 1 : 0;
    }
    name[used] = '\0';
    return p;
}

mcpw_json schema_resolve(mcpw_json root, mcpw_json schema, mcpw_arena *arena) {
    for (int i = 0; i < MAX_REFS; i++) {
        const mcpw_str ref = schema_string(schema, "$ref", arena);
        char pointer[NAME_SIZE];
        char name[NAME_SIZE];
        if (ref.ptr == NULL || ref.len == 0 || ref.ptr[0] != '#' || ref.len >= sizeof pointer) {
            return schema;
        }
        memcpy(pointer, ref.ptr + 1, ref.len - 1);
        pointer[ref.len - 1] = '\0';
        mcpw_json at = root;
        for (const char *p = pointer; *p == '/';) {
            p = next_step(p, name);
            at = member(at, name);
        }
        if (at.ptr == NULL) {
            return schema;
        }
        schema = at;
    }
    return schema;
}

static unsigned kinds_named(mcpw_str name) {
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (mcpw_str_is(name, types[i].name)) {
            return types[i].kinds;
        }
    }
    return 0;
}

/* All kinds of the items of an array, by how each is found. */
static unsigned kinds_of_items(mcpw_json array, mcpw_json root, mcpw_arena *arena, int depth,
                               unsigned (*kinds)(mcpw_json, mcpw_json, mcpw_arena *, int)) {
    unsigned all = 0;
    mcpw_json_iter it;
    mcpw_json item = {NULL, 0};
    if (mcpw_json_kind_of(array) == MCPW_JSON_ARRAY && mcpw_json_iterate(array, &it) == MCPW_OK) {
        while (mcpw_json_next(&it, NULL, &item)) {
            all |= kinds(root, item, arena, depth);
        }
    }
    return all;
}

static unsigned kinds_of_name(mcpw_json root, mcpw_json name, mcpw_arena *arena, int depth) {
    (void)root;
    (void)depth;
    return kinds_named(string_of(name, arena));
}

static unsigned kinds_of_value(mcpw_json root, mcpw_json value, mcpw_arena *arena, int depth) {
    (void)root;
    (void)arena;
    (void)depth;
    return bit(mcpw_json_kind_of(value));
}

/* What a schema allows; 0: it does not say. */
static unsigned kinds_of(mcpw_json root, mcpw_json schema, mcpw_arena *arena, int depth) {
    const mcpw_json at = schema_resolve(root, schema, arena);
    const mcpw_json type = member(at, "type");
    unsigned kinds = mcpw_json_kind_of(type) == MCPW_JSON_STRING
                         ? kinds_named(string_of(type, arena))
                         : kinds_of_items(type, root, arena, depth, kinds_of_name);
    if (kinds == 0) {
        kinds = kinds_of_items(member(at, "enum"), root, arena, depth, kinds_of_value);
    }
    if (kinds == 0 && depth < MAX_NESTED) {
        kinds = kinds_of_items(member(at, "anyOf"), root, arena, depth + 1, kinds_of) |
                kinds_of_items(member(at, "oneOf"), root, arena, depth + 1, kinds_of);
    }
    return kinds;
}

/* ---- in words ---- */

static void describe_enum(text *out, mcpw_json values) {
    mcpw_json_iter it;
    mcpw_json item = {NULL, 0};
    size_t shown = 0;
    if (mcpw_json_iterate(values, &it) != MCPW_OK) {
        return;
    }
    while (mcpw_json_next(&it, NULL, &item)) {
        if (++shown > MAX_SHOWN) {
            text_add(out, " | ...");
            return;
        }
        text_add(out, shown != 1 ? " | " : "");
        text_bytes(out, item.ptr, item.len);
    }
}

static void describe_kinds(text *out, unsigned kinds) {
    bool first = true;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if ((kinds & types[i].kinds) != 0) {
            text_add(out, first ? "" : " | ");
            text_add(out, types[i].name);
            first = false;
        }
    }
    text_add(out, first ? "any" : "");
}

void schema_describe(text *out, mcpw_json root, mcpw_json schema, mcpw_arena *arena) {
    const mcpw_json at = schema_resolve(root, schema, arena);
    const mcpw_json values = member(at, "enum");
    const mcpw_json constant = member(at, "const");
    const mcpw_json items = member(at, "items");
    const unsigned kinds = kinds_of(root, at, arena, 0);
    if (mcpw_json_kind_of(values) == MCPW_JSON_ARRAY) {
        describe_enum(out, values);
    } else if (constant.ptr != NULL) {
        text_bytes(out, constant.ptr, constant.len);
    } else if (kinds == bit(MCPW_JSON_ARRAY) && mcpw_json_kind_of(items) == MCPW_JSON_OBJECT) {
        const unsigned each = kinds_of(root, items, arena, 0);
        const bool several = (each & (each - 1)) != 0; /* or the brackets would belong to the last alone */
        text_add(out, several ? "(" : "");
        describe_kinds(out, each);
        text_add(out, several ? ")[]" : "[]");
    } else {
        describe_kinds(out, kinds);
    }
}

bool schema_requires(mcpw_json schema, const char *name, size_t len, mcpw_arena *arena) {
    mcpw_json_iter it;
    mcpw_json item = {NULL, 0};
    bool found = false;
    const mcpw_str wanted = {name, len};
    const mcpw_json required = member(schema, "required");
    if (mcpw_json_kind_of(required) == MCPW_JSON_ARRAY && mcpw_json_iterate(required, &it) == MCPW_OK) {
        while (mcpw_json_next(&it, NULL, &item)) {
            found = found || mcpw_str_equal(string_of(item, arena), wanted);
        }
    }
    return found;
}

/* ---- values ---- */

bool schema_value(text *out, mcpw_json root, mcpw_json schema, mcpw_str word, mcpw_arena *arena) {
    const unsigned kinds = kinds_of(root, schema, arena, 0);
    const mcpw_json value = {word.ptr, word.len};
    mcpw_error unused;
    int64_t integer = 0;
    if (kinds != 0 && mcpw_json_check(value, 0, &unused) == MCPW_OK) {
        const mcpw_json_kind kind = mcpw_json_kind_of(value);
        const bool fits = kind == MCPW_JSON_NUMBER && mcpw_json_int(value, &integer) == MCPW_OK
                              ? (kinds & (KIND_INTEGER | bit(kind))) != 0
                              : (kinds & bit(kind)) != 0;
        if (fits && kind != MCPW_JSON_STRING) {
            text_bytes(out, value.ptr, value.len);
            return true;
        }
    }
    if (kinds != 0 && (kinds & bit(MCPW_JSON_STRING)) == 0) {
        return false;
    }
    text_json(out, word.ptr, word.len);
    return true;
}
