/* SPDX-License-Identifier: MIT */
#include "protocol.h"

#include "glance.h"
#include "json_schema.h"
#include "text.h"
#include "tool.h"

#include <mcpw/codec.h>
#include <mcpw/json.h>

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DOCUMENT "mcpwire:/schema"

/* ---- the definitions ---- */

int protocol_compare_names(mcpw_str a, mcpw_str b) {
    const size_t common = a.len < b.len ? a.len : b.len;
    const int order = common != 0 ? memcmp(a.ptr, b.ptr, common) : 0;
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

static int by_name(const void *a, const void *b) {
    return protocol_compare_names(((const protocol_definition *)a)->name,
                                  ((const protocol_definition *)b)->name);
}

const protocol_definition *protocol_find(const protocol *p, const char *name, size_t len) {
    const protocol_definition key = {.name = {name, len}};
    return p->definition_count == 0 ? NULL
                                    : bsearch(&key, p->definitions, p->definition_count, sizeof key, by_name);
}

/* The constant string of a schema, from const or from an enum with one value; absent: none. */
static mcpw_str constant_of(protocol *p, mcpw_json schema) {
    mcpw_json value = glance_member(schema, "const");
    const mcpw_json list = glance_member(schema, "enum");
    mcpw_str out = {NULL, 0};
    if (value.ptr == NULL && mcpw_json_kind_of(list) == MCPW_JSON_ARRAY && mcpw_json_count(list) == 1 &&
        mcpw_json_at(list, 0, &value) != MCPW_OK) {
        value.ptr = NULL;
    }
    return value.ptr != NULL && mcpw_json_string(value, &p->arena, &out) == MCPW_OK ? out
                                                                                    : (mcpw_str){NULL, 0};
}

/* Reads a name, unescaped and NUL-terminated. */
static mcpw_status read_name(protocol *p, mcpw_json key, mcpw_str *out) {
    mcpw_str name = {NULL, 0};
    const mcpw_status status = mcpw_json_string(key, &p->arena, &name);
    char *const copy = status == MCPW_OK ? mcpw_arena_alloc(&p->arena, name.len + 1) : NULL;
    if (copy == NULL) {
        return status == MCPW_OK ? MCPW_E_MEMORY : status;
    }
    if (name.len != 0) {
        memcpy(copy, name.ptr, name.len);
    }
    copy[name.len] = '\0';
    out->ptr = copy;
    out->len = name.len;
    return MCPW_OK;
}

/* The schema of a property of a definition or of its parts (allOf). */
static mcpw_json property(mcpw_json definition, const char *name) {
    mcpw_json found = glance_member(glance_member(definition, "properties"), name);
    const mcpw_json parts = glance_member(definition, "allOf");
    mcpw_json_iter it;
    mcpw_json part = {NULL, 0, 0};
    if (found.ptr != NULL || parts.ptr == NULL || mcpw_json_iterate(parts, &it) != MCPW_OK) {
        return found;
    }
    while (found.ptr == NULL && mcpw_json_next(&it, NULL, &part)) {
        found = glance_member(glance_member(part, "properties"), name);
    }
    return found;
}

static mcpw_status read_definitions(protocol *p, mcpw_json all) {
    const size_t count = mcpw_json_count(all);
    mcpw_json_iter it;
    mcpw_json key = {NULL, 0, 0};
    mcpw_json value = {NULL, 0, 0};
    p->definitions = calloc(count + 1, sizeof *p->definitions);
    mcpw_status status = p->definitions != NULL ? mcpw_json_iterate(all, &it) : MCPW_E_MEMORY;
    while (status == MCPW_OK && p->definition_count < count && mcpw_json_next(&it, &key, &value)) {
        protocol_definition *const d = p->definitions + p->definition_count++;
        d->value = value;
        d->enveloped = property(value, "jsonrpc").ptr != NULL;
        d->method = constant_of(p, property(value, "method"));
        status = read_name(p, key, &d->name);
    }
    if (status == MCPW_OK) {
        qsort(p->definitions, p->definition_count, sizeof *p->definitions, by_name);
    }
    return status;
}

/* ---- compiling ---- */

/* Writes a reference to a definition: a URI whose fragment is a JSON pointer. */
static void put_ref(text *out, const protocol *p, const protocol_definition *d) {
    text_add(out, "{\"$ref\":\"" DOCUMENT "#/");
    text_add(out, p->keyword);
    text_add(out, "/");
    for (size_t i = 0; i < d->name.len; i++) {
        const unsigned char c = (unsigned char)d->name.ptr[i];
        if (c == '~' || c == '/') {
            text_add(out, c == '~' ? "~0" : "~1");
        } else if (c < 0x80 && (isalnum(c) != 0 || strchr("-._", c) != NULL) && c != 0) {
            text_bytes(out, d->name.ptr + i, 1);
        } else {
            text_format(out, "%%%02X", c);
        }
    }
    text_add(out, "\"}");
}

static mcpw_schema *compile(const protocol *p, const text *wrapper) {
    const json_schema_document document = {
        DOCUMENT, p->text, strcmp(p->keyword, "$defs") == 0 ? MCPW_SCHEMA_2020_12 : MCPW_SCHEMA_DRAFT_07};
    if (wrapper->lost) {
        tool_complain("out of memory");
        return NULL;
    }
    return json_schema_compile(p->file.name, wrapper->buffer.data, wrapper->buffer.len, &document,
                               p->assert_formats);
}

mcpw_schema *protocol_compile(const protocol *p, const protocol_definition *definition) {
    text wrapper = TEXT_INIT;
    put_ref(&wrapper, p, definition);
    mcpw_schema *const schema = compile(p, &wrapper);
    text_free(&wrapper);
    return schema;
}

/* Compiles all definitions first, so that their errors are reported before any check. */
static bool compiles(const protocol *p) {
    text wrapper = TEXT_INIT;
    text_add(&wrapper, "{\"anyOf\":[true");
    for (size_t i = 0; i < p->definition_count; i++) {
        text_add(&wrapper, ",");
        put_ref(&wrapper, p, p->definitions + i);
    }
    text_add(&wrapper, "]}");
    mcpw_schema *const schema = compile(p, &wrapper);
    text_free(&wrapper);
    json_schema_free(schema);
    return schema != NULL;
}

const mcpw_schema *protocol_schema(protocol *p, int method, protocol_reading reading) {
    protocol_method *const m = p->methods + (p->methods[method].by[reading] != NULL ? (size_t)method : 0);
    const protocol_definition *const d = m->by[reading];
    const bool of_result =
        !d->enveloped && (reading == PROTOCOL_RESULT || reading == PROTOCOL_TASK_RESULT) && m != p->methods;
    text wrapper = TEXT_INIT;
    if (m->compiled[reading] != NULL) {
        return m->compiled[reading];
    }
    text_add(&wrapper, "{\"allOf\":[");
    if (!d->enveloped && m != p->methods) {
        put_ref(&wrapper, p, p->methods->by[reading]);
        text_add(&wrapper, ",");
    }
    text_add(&wrapper, of_result ? "{\"properties\":{\"result\":" : "");
    put_ref(&wrapper, p, d);
    text_add(&wrapper, of_result ? "}}]}" : "]}");
    m->compiled[reading] = compile(p, &wrapper);
    text_free(&wrapper);
    return m->compiled[reading];
}

/* ---- the file ---- */

static bool is_no_schema(const protocol *p, const char *pointer, const char *why) {
    tool_complain("%s is not a schema of the protocol: %s%s%s", p->file.name, pointer,
                  pointer[0] != '\0' ? ": " : "", why);
    return false;
}

static bool read_file(protocol *p, const char *file) {
    char why[INPUT_REASON_SIZE];
    input_value value;
    if (!input_open(&p->file, file, MCPW_SCHEMA_DEFAULT_BYTES) ||
        input_whole(&p->file, &value) == INPUT_FAILED) {
        input_reason(&p->file, why);
        tool_complain("%s: %s", file, why);
        return false;
    }
    if (value.too_long) {
        tool_complain("%s is longer than a schema may be", file);
        return false;
    }
    p->text.ptr = value.text;
    p->text.len = value.len;
    return true;
}

static void begin(protocol *p, bool assert_formats) {
    const mcpw_arena arena = MCPW_ARENA_INIT;
    memset(p, 0, sizeof *p);
    p->arena = arena;
    p->assert_formats = assert_formats;
}

static bool take_text(protocol *p, bool check) {
    static const char *const keywords[] = {"$defs", "definitions"};
    mcpw_error error;
    if (mcpw_json_check(p->text, MCPW_DEFAULT_DEPTH, &error) != MCPW_OK) {
        return is_no_schema(p, error.path, error.message);
    }
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0] && p->keyword == NULL; i++) {
        const mcpw_json all = glance_member(p->text, keywords[i]);
        p->keyword = all.ptr != NULL ? keywords[i] : NULL;
        if (all.ptr != NULL && mcpw_json_kind_of(all) == MCPW_JSON_OBJECT) {
            const mcpw_status status = read_definitions(p, all);
            return status == MCPW_OK ? !check || compiles(p) : is_no_schema(p, "", mcpw_status_text(status));
        }
    }
    return p->keyword == NULL ? is_no_schema(p, "", "it has neither $defs nor definitions")
                              : is_no_schema(p, p->keyword[0] == '$' ? "/$defs" : "/definitions",
                                             "definitions are an object");
}

bool protocol_open(protocol *p, const char *file, bool assert_formats) {
    begin(p, assert_formats);
    return read_file(p, file) && take_text(p, true);
}

bool protocol_open_text(protocol *p, const char *name, mcpw_json schema, bool assert_formats, bool check) {
    begin(p, assert_formats);
    p->file.fd = -1;
    p->file.name = name;
    p->text = schema;
    return take_text(p, check);
}

void protocol_close(protocol *p) {
    for (size_t i = 0; i < p->method_count; i++) {
        for (unsigned reading = 0; reading < PROTOCOL_READINGS; reading++) {
            json_schema_free(p->methods[i].compiled[reading]);
        }
    }
    free(p->methods);
    free(p->definitions);
    mcpw_arena_free(&p->arena);
    input_close(&p->file);
}
