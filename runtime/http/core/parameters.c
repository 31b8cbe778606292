/* SPDX-License-Identifier: MIT */
/* Headers that repeat arguments of a tool: the schema's properties and the arguments are walked together. */
#include "parameters.h"

#include "fields.h"

enum { MAX_NESTING = 32 /* of properties in properties */, MAX_NAME = 256 /* bytes of a header name */ };

/* Finds an argument by name; absent: there is none. MCPW_E_DUPLICATE: the name appears twice, and another
 * reader may use the other value. */
static mcpw_status find_argument(mcpw_json arguments, mcpw_str name, mcpw_arena *scratch, mcpw_json *out) {
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json value;
    mcpw_status status = mcpw_json_iterate(arguments, &it);
    *out = (mcpw_json){NULL, 0, 0};
    while (status == MCPW_OK && mcpw_json_next(&it, &key, &value)) {
        const mcpw_mark mark = mcpw_arena_mark(scratch);
        mcpw_str text;
        status = mcpw_json_string(key, scratch, &text);
        if (status == MCPW_OK && mcpw_str_equal(text, name)) {
            status = out->ptr == NULL ? MCPW_OK : MCPW_E_DUPLICATE;
            *out = value;
        }
        mcpw_arena_rewind(scratch, mark);
    }
    return status;
}

static mcpw_status agree(bool same) { return same ? MCPW_OK : MCPW_E_VALUE; }

/* Compares a field with the value of an argument. A value that no header can carry is left to the check of
 * the arguments. */
static mcpw_status compare(mcpw_arena *arena, mcpw_str field, mcpw_json argument) {
    const mcpw_json number = {field.ptr, field.len, 0};
    mcpw_str text;
    int64_t said;
    int64_t meant;
    switch (mcpw_json_kind_of(argument)) {
    case MCPW_JSON_STRING: {
        const mcpw_status status = mcpw_json_string(argument, arena, &text);
        return status != MCPW_OK ? status : agree(mcpw_str_equal(field, text));
    }
    case MCPW_JSON_NUMBER:
        if (mcpw_json_int(argument, &meant) != MCPW_OK) {
            return agree(mcpw_json_check(number, 0, NULL) == MCPW_OK && mcpw_json_equal(number, argument));
        }
        return agree(mcpw_json_check(number, 0, NULL) == MCPW_OK && mcpw_json_int(number, &said) == MCPW_OK &&
                     said == meant);
    case MCPW_JSON_BOOLEAN:
        return agree(mcpw_str_equal(field, (mcpw_str){argument.ptr, argument.len}));
    default:
        return MCPW_OK;
    }
}

/* Checks one argument; absent: it was not given. */
static mcpw_status check_one(mcpw_http_exchange *exchange, mcpw_str header, mcpw_json argument) {
    static const mcpw_str prefix = MCPW_STR("Mcp-Param-");
    char name[MAX_NAME];
    mcpw_str value;
    if (header.len > sizeof name - prefix.len) {
        return MCPW_OK;
    }
    memcpy(name, prefix.ptr, prefix.len);
    memcpy(name + prefix.len, header.ptr, header.len);
    const size_t count = mcpw_header_count(exchange, (mcpw_str){name, prefix.len + header.len}, &value);
    const mcpw_json_kind kind = mcpw_json_kind_of(argument);
    if (kind == MCPW_JSON_ABSENT || kind == MCPW_JSON_NULL) {
        return agree(count == 0);
    }
    if (count != 1) {
        return MCPW_E_VALUE;
    }
    const mcpw_status status = mcpw_header_unwrap(&exchange->server->scratch, value, &value);
    return status != MCPW_OK ? status : compare(&exchange->server->scratch, value, argument);
}

static mcpw_status check_properties(mcpw_http_exchange *exchange, mcpw_json schema, mcpw_json arguments,
                                    unsigned depth);

static mcpw_status check_property(mcpw_http_exchange *exchange, mcpw_json key, mcpw_json property,
                                  mcpw_json arguments, unsigned depth) {
    mcpw_arena *const arena = &exchange->server->scratch;
    mcpw_json argument = {NULL, 0, 0};
    mcpw_str name;
    mcpw_json below;
    mcpw_str header;
    const mcpw_status mirrored = mcpw_json_get_string(property, "x-mcp-header", arena, &header);
    if (mirrored == MCPW_E_MEMORY || mirrored == MCPW_E_ARENA) {
        return mirrored;
    }
    if (mirrored != MCPW_OK && mcpw_json_get(property, "properties", &below) != MCPW_OK) {
        return MCPW_OK; /* no header repeats it, and arguments may be long */
    }
    mcpw_status status = mcpw_json_string(key, arena, &name);
    if (status == MCPW_OK && mcpw_json_kind_of(arguments) == MCPW_JSON_OBJECT) {
        status = find_argument(arguments, name, arena, &argument);
    }
    if (status != MCPW_OK) {
        return status;
    }
    return mirrored == MCPW_OK ? check_one(exchange, header, argument)
                               : check_properties(exchange, property, argument, depth + 1);
}

/* NOLINTNEXTLINE(misc-no-recursion): depth is bounded */
static mcpw_status check_properties(mcpw_http_exchange *exchange, mcpw_json schema, mcpw_json arguments,
                                    unsigned depth) {
    mcpw_json properties;
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json property;
    mcpw_status status = MCPW_OK;
    if (depth == MAX_NESTING || mcpw_json_get(schema, "properties", &properties) != MCPW_OK ||
        mcpw_json_kind_of(properties) != MCPW_JSON_OBJECT || mcpw_json_iterate(properties, &it) != MCPW_OK) {
        return MCPW_OK;
    }
    while (status == MCPW_OK && mcpw_json_next(&it, &key, &property)) {
        status = check_property(exchange, key, property, arguments, depth);
    }
    return status;
}

/* True if the schema mentions headers at all: few schemas do. */
static bool mentions_headers(mcpw_json schema) {
    enum { HYPHEN = 2 /* its first one: schemas have few hyphens and many quotes */ };
    static const mcpw_str keyword = MCPW_STR("\"x-mcp-header\"");
    const char *at = schema.ptr;
    size_t left = schema.len;
    while (left >= keyword.len) {
        const char *const hyphen = memchr(at + HYPHEN, '-', left - keyword.len + 1);
        if (hyphen == NULL) {
            return false;
        }
        if (memcmp(hyphen - HYPHEN, keyword.ptr, keyword.len) == 0) {
            return true;
        }
        left -= (size_t)(hyphen - HYPHEN - at) + 1;
        at = hyphen - HYPHEN + 1;
    }
    return false;
}

mcpw_status mcpw_parameters_check(mcpw_http_exchange *exchange, mcpw_json schema, mcpw_json arguments) {
    return mentions_headers(schema) ? check_properties(exchange, schema, arguments, 0) : MCPW_OK;
}
