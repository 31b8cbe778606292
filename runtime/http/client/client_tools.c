/* SPDX-License-Identifier: MIT */
/* Tools with arguments that headers repeat. (MCP 2026-07-28, "Streamable HTTP", custom headers.) */
#include "../core/fields.h"
#include "client.h"

enum {
    MAX_NESTING = 32, /* of schemas in schemas; MCPW_MAX_DEPTH limits the text */
    MAX_HEADERS = 64  /* of one tool */
};

static const mcpw_str prefix = MCPW_STR("Mcp-Param-");

/* An argument that a header repeats. Its texts follow the tool. */
typedef struct header {
    mcpw_str field;   /* "Mcp-Param-Region" */
    const char *path; /* the property names that lead to it, each ended by NUL */
    unsigned depth;   /* number of these names */
} header;

struct mcpw_header_tool {
    mcpw_header_tool *next;
    size_t size; /* bytes in all */
    mcpw_str name;
    size_t count;
    header headers[];
};

/* ---- Schemas ------------------------------------------------------------------------------------------- */

/* The findings of a walk through a schema. */
typedef struct found {
    mcpw_arena *arena;
    header headers[MAX_HEADERS];
    size_t count;
    const char *names[MAX_NESTING]; /* the properties that lead to the current schema */
    const char *wrong;              /* the fault that was found; NULL: none */
} found;

static bool is_one_of(mcpw_str text, const char *const *words) {
    for (; *words != NULL; words++) {
        if (mcpw_str_is(text, *words)) {
            return true;
        }
    }
    return false;
}

/* Joins the property names that lead to a property. */
static const char *path_to(found *f, unsigned depth) {
    size_t len = 0;
    for (unsigned i = 0; i < depth; i++) {
        len += strlen(f->names[i]) + 1;
    }
    char *const path = mcpw_arena_alloc(f->arena, len);
    char *to = path;
    for (unsigned i = 0; path != NULL && i < depth; i++) {
        const size_t size = strlen(f->names[i]) + 1;
        memcpy(to, f->names[i], size);
        to += size;
    }
    return path;
}

static void add_header(found *f, mcpw_json schema, mcpw_json wanted, unsigned depth) {
    static const char *const types[] = {"string", "integer", "boolean", NULL};
    mcpw_str name;
    mcpw_str type;
    if (mcpw_json_string(wanted, f->arena, &name) != MCPW_OK || !mcpw_header_is_token(name)) {
        f->wrong = "an x-mcp-header is not the name of a header";
        return;
    }
    if (mcpw_json_get_string(schema, "type", f->arena, &type) != MCPW_OK || !is_one_of(type, types)) {
        f->wrong = "an x-mcp-header is not that of a string, an integer or a boolean";
        return;
    }
    char *const field = mcpw_arena_alloc(f->arena, prefix.len + name.len);
    if (field == NULL || f->count == MAX_HEADERS) {
        f->wrong = "there are too many x-mcp-header";
        return;
    }
    memcpy(field, prefix.ptr, prefix.len);
    memcpy(field + prefix.len, name.ptr, name.len);
    const header h = {{field, prefix.len + name.len}, path_to(f, depth), depth};
    for (size_t i = 0; i < f->count; i++) {
        if (mcpw_header_is(f->headers[i].field, h.field)) {
            f->wrong = "two x-mcp-header have one name";
        }
    }
    f->headers[f->count++] = h;
    f->wrong = h.path == NULL ? "there is no memory for its headers" : f->wrong;
}

/* The position of a schema: depth counts its properties. Only a schema that is reached by properties alone
 * may have headers. */
typedef struct place {
    unsigned depth;
    unsigned nesting;
    bool is_property;
    bool is_reached;
} place;

static void look_at(found *f, mcpw_json schema, place at);

/* Walks the members of an object whose values are schemas. */
static void look_at_members(found *f, mcpw_json map, place at, bool are_properties) {
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json value;
    if (mcpw_json_kind_of(map) != MCPW_JSON_OBJECT || mcpw_json_iterate(map, &it) != MCPW_OK) {
        return;
    }
    while (f->wrong == NULL && mcpw_json_next(&it, &key, &value)) {
        place below = {at.depth, at.nesting + 1, are_properties && at.is_reached,
                       are_properties && at.is_reached};
        if (below.is_reached) {
            mcpw_str name = {NULL, 0};
            if (at.depth == MAX_NESTING || mcpw_json_string(key, f->arena, &name) != MCPW_OK ||
                (name.len != 0 && memchr(name.ptr, '\0', name.len) != NULL)) {
                below.is_reached = below.is_property = false; /* an argument below it cannot be sent */
            } else {
                f->names[below.depth++] = mcpw_arena_str(f->arena, name.ptr, name.len).ptr;
                f->wrong = f->names[at.depth] == NULL ? "there is no memory for its headers" : NULL;
            }
        }
        look_at(f, value, below);
    }
}

/* Walks one keyword of a schema. */
static void look_at_keyword(found *f, mcpw_str keyword, mcpw_json value, place at) {
    static const char *const data[] = {"const", "default", "enum", "examples", "required", NULL};
    static const char *const maps[] = {"$defs",      "definitions", "patternProperties", "dependentSchemas",
                                       "properties", NULL};
    mcpw_json_iter it;
    mcpw_json item;
    if (is_one_of(keyword, data)) {
        return;
    }
    if (is_one_of(keyword, maps)) {
        look_at_members(f, value, at, mcpw_str_is(keyword, "properties"));
    } else if (mcpw_json_kind_of(value) == MCPW_JSON_ARRAY) {
        if (mcpw_json_iterate(value, &it) == MCPW_OK) {
            while (f->wrong == NULL && mcpw_json_next(&it, NULL, &item)) {
                look_at(f, item, (place){at.depth, at.nesting + 1, false, false});
            }
        }
    } else {
        look_at(f, value, (place){at.depth, at.nesting + 1, false, false});
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): the depth is bounded */
static void look_at(found *f, mcpw_json schema, place at) {
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json value;
    mcpw_str keyword;
    if (at.nesting > MCPW_MAX_DEPTH || mcpw_json_kind_of(schema) != MCPW_JSON_OBJECT ||
        mcpw_json_iterate(schema, &it) != MCPW_OK) {
        return;
    }
    while (f->wrong == NULL && mcpw_json_next(&it, &key, &value)) {
        if (mcpw_json_string(key, f->arena, &keyword) != MCPW_OK) {
            f->wrong = "there is no memory for its headers";
        } else if (!mcpw_str_is(keyword, "x-mcp-header")) {
            look_at_keyword(f, keyword, value, at);
        } else if (at.is_property) {
            add_header(f, schema, value, at.depth);
        } else {
            f->wrong = "an x-mcp-header is not at an argument";
        }
    }
}

/* ---- Known tools --------------------------------------------------------------------------------------- */

static mcpw_header_tool **place_of(mcpw_http_client *client, mcpw_str name) {
    enum { FIRST = 5381, FACTOR = 33 };
    size_t hash = FIRST;
    for (size_t i = 0; i < name.len; i++) {
        hash = hash * FACTOR ^ (unsigned char)name.ptr[i];
    }
    mcpw_header_tool **at = client->tools + hash % MCPW_TOOL_BUCKETS;
    while (*at != NULL && !mcpw_str_equal((*at)->name, name)) {
        at = &(*at)->next;
    }
    return at;
}

static void forget_tool(mcpw_http_client *client, mcpw_str name) {
    mcpw_header_tool **const at = place_of(client, name);
    mcpw_header_tool *const tool = *at;
    if (tool != NULL) {
        *at = tool->next;
        client->tool_bytes -= tool->size;
        (void)mcpw_resize(&client->config.allocator, tool, tool->size, 0);
    }
}

void mcpw_http_calls_forget_tools(mcpw_http_client *client) {
    for (size_t i = 0; i < MCPW_TOOL_BUCKETS; i++) {
        while (client->tools[i] != NULL) {
            forget_tool(client, client->tools[i]->name);
        }
    }
}

static size_t path_size(const header *h) {
    const char *at = h->path;
    for (unsigned i = 0; i < h->depth; i++) {
        at += strlen(at) + 1;
    }
    return (size_t)(at - h->path);
}

static void keep_tool(mcpw_http_client *client, mcpw_str name, const found *f) {
    size_t size = sizeof(mcpw_header_tool) + f->count * sizeof(header) + name.len;
    for (size_t i = 0; i < f->count; i++) {
        size += f->headers[i].field.len + path_size(f->headers + i);
    }
    if (size > client->config.max_tools - client->tool_bytes) {
        mcpw_http_calls_warn(client, "max_tools is full: a tool is called without its headers first", name);
        return;
    }
    mcpw_header_tool *const tool = mcpw_resize(&client->config.allocator, NULL, 0, size);
    if (tool == NULL) {
        return; /* the server then refuses the call, and its tools are listed again */
    }
    char *to = (char *)(tool->headers + f->count);
    *tool = (mcpw_header_tool){NULL, size, {to, name.len}, f->count};
    memcpy(to, name.ptr, name.len);
    to += name.len;
    for (size_t i = 0; i < f->count; i++) {
        const header *const h = f->headers + i;
        const size_t path_len = path_size(h);
        memcpy(to, h->field.ptr, h->field.len);
        memcpy(to + h->field.len, h->path, path_len);
        tool->headers[i] = (header){{to, h->field.len}, to + h->field.len, h->depth};
        to += h->field.len + path_len;
    }
    *place_of(client, tool->name) = tool;
    client->tool_bytes += size;
}

/* Learns the headers of one tool; false: the tool is removed. */
static bool learn_tool(mcpw_http_client *client, mcpw_json tool) {
    mcpw_arena *const arena = &client->scratch;
    const mcpw_mark mark = mcpw_arena_mark(arena);
    mcpw_json schema;
    mcpw_str name;
    found f = {.arena = arena};
    if (mcpw_json_get_string(tool, "name", arena, &name) != MCPW_OK) {
        return true; /* the session reports the fault */
    }
    if (mcpw_json_get(tool, "inputSchema", &schema) == MCPW_OK) {
        look_at(&f, schema, (place){0, 0, false, true});
    }
    forget_tool(client, name);
    if (f.wrong != NULL) {
        mcpw_http_calls_warn(client, f.wrong, name);
    } else if (f.count != 0) {
        keep_tool(client, name, &f);
    }
    mcpw_arena_rewind(arena, mark);
    return f.wrong == NULL;
}

/* Writes a tool, after a comma unless it is the first. */
static mcpw_status put_tool(mcpw_buffer *out, mcpw_json tool, bool is_first) {
    const mcpw_status status = is_first ? MCPW_OK : mcpw_buffer_append(out, ",", 1);
    return status == MCPW_OK ? mcpw_buffer_append(out, tool.ptr, tool.len) : status;
}

mcpw_status mcpw_http_calls_learn_tools(mcpw_http_client *client, mcpw_json result, mcpw_str *text) {
    mcpw_buffer *const out = &client->filtered;
    mcpw_json tools;
    mcpw_json_iter it;
    mcpw_json tool;
    size_t kept = 0;
    size_t count = 0;
    if (mcpw_json_get(result, "tools", &tools) != MCPW_OK || mcpw_json_kind_of(tools) != MCPW_JSON_ARRAY ||
        mcpw_json_iterate(tools, &it) != MCPW_OK) {
        return MCPW_OK;
    }
    const size_t before = (size_t)(tools.ptr + 1 - text->ptr);
    out->len = 0;
    mcpw_status status = mcpw_buffer_append(out, text->ptr, before);
    while (status == MCPW_OK && mcpw_json_next(&it, NULL, &tool)) {
        count++;
        if (learn_tool(client, tool)) {
            status = put_tool(out, tool, kept++ == 0);
        }
    }
    if (status != MCPW_OK || kept == count) {
        return status;
    }
    const char *const end = tools.ptr + tools.len - 1;
    status = mcpw_buffer_append(out, end, (size_t)(text->ptr + text->len - end));
    *text = (mcpw_str){out->data, out->len};
    return status;
}

/* ---- The headers of a call ----------------------------------------------------------------------------- */

static const mcpw_header_tool *tool_of(const mcpw_http_call *call) {
    mcpw_str name;
    if (call->version.ptr == NULL || !mcpw_str_is(call->method, "tools/call") ||
        mcpw_json_get_string(call->params, "name", &call->client->scratch, &name) != MCPW_OK) {
        return NULL;
    }
    return *place_of(call->client, name);
}

size_t mcpw_http_calls_tool_fields(const mcpw_http_call *call) {
    const mcpw_header_tool *const tool = tool_of(call);
    return tool != NULL ? tool->count : 0;
}

/* The argument that a path leads to; absent: there is none. */
static mcpw_json argument_at(const header *h, mcpw_json arguments) {
    const char *name = h->path;
    for (unsigned i = 0; i < h->depth; i++) {
        if (mcpw_json_get(arguments, name, &arguments) != MCPW_OK) {
            return (mcpw_json){NULL, 0, 0};
        }
        name += strlen(name) + 1;
    }
    return arguments;
}

/* The text of an argument; absent: no header can carry it. */
static mcpw_status text_of(mcpw_arena *arena, mcpw_json argument, mcpw_str *out) {
    mcpw_str text;
    mcpw_status status;
    *out = (mcpw_str){NULL, 0};
    switch (mcpw_json_kind_of(argument)) {
    case MCPW_JSON_STRING:
        status = mcpw_json_string(argument, arena, &text);
        if (status != MCPW_OK) {
            return status;
        }
        *out = mcpw_header_wrap(arena, text);
        return out->ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
    case MCPW_JSON_NUMBER:
    case MCPW_JSON_BOOLEAN:
        *out = (mcpw_str){argument.ptr, argument.len};
        return MCPW_OK;
    default:
        return MCPW_OK;
    }
}

mcpw_status mcpw_http_calls_add_tool_fields(mcpw_http_call *call) {
    const mcpw_header_tool *const tool = tool_of(call);
    mcpw_json arguments;
    mcpw_str text;
    if (tool == NULL || mcpw_json_get(call->params, "arguments", &arguments) != MCPW_OK) {
        return MCPW_OK;
    }
    for (size_t i = 0; i < tool->count; i++) {
        const mcpw_status status = text_of(&call->head, argument_at(tool->headers + i, arguments), &text);
        if (status != MCPW_OK) {
            return status;
        }
        if (text.ptr != NULL) { /* the name is a copy, because the tool may be listed again meanwhile */
            const mcpw_str field = tool->headers[i].field;
            const mcpw_str name = mcpw_arena_str(&call->head, field.ptr, field.len);
            if (name.ptr == NULL) {
                return MCPW_E_MEMORY;
            }
            call->fields[call->field_count++] = (mcpw_http_field){name, text};
        }
    }
    return MCPW_OK;
}
