/* SPDX-License-Identifier: MIT */
/* Decoding, changing, encoding and validating values of protocol types. */
#include <mcp/pinned.h>
#include <mcpw/json.h>

#include <stdio.h>

static const char tool_text[] = "{\"name\":\"add\",\"inputSchema\":{\"type\":\"object\"},"
                                "\"annotations\":{\"readOnlyHint\":true},\"x-vendor\":[1,2]}";

/* Text to struct, and back. */
static mcpw_status round_trip(mcpw_arena *arena, mcpw_error *error) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcp_tool tool;
    mcpw_status status = mcp_tool_decode(tool_text, sizeof tool_text - 1, arena, &tool, NULL, error);
    if (status != MCPW_OK) {
        return status; /* error says what and where */
    }
    printf("%s\n", tool.name.ptr);
    if (tool.annotations != NULL && tool.annotations->read_only_hint.set) {
        printf("reads only: %d\n", tool.annotations->read_only_hint.value);
    }
    printf("%zu member that the schema does not name\n", tool.extra.count);

    tool.description = mcpw_str_from("Adds two numbers");
    status = mcp_tool_encode(&tool, &out, NULL, error);
    if (status == MCPW_OK) {
        printf("%.*s\n", (int)out.len, out.data);
    }
    mcpw_buffer_free(&out);
    return status;
}

/* The first error, or all of them. */
static bool print_error(void *user, const mcpw_error *error) {
    (void)user;
    printf("%s at byte %zu, %s: %s\n", mcpw_status_name(error->code), error->offset, error->path,
           error->message);
    return true; /* go on */
}

static void all_errors(mcpw_arena *scratch) {
    const char text[] = "{\"name\":7,\"inputSchema\":{\"type\":\"array\"}}";
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.on_error = print_error;
    if (mcp_tool_validate(text, sizeof text - 1, scratch, &options, NULL) != MCPW_OK) {
        printf("no Tool\n");
    }
}

/* A type by its name, for programs that learn it at run time. */
static mcpw_status by_name(mcpw_arena *scratch, mcpw_error *error) {
    const mcpw_type *const type = mcpw_find_type("2025-06-18", "Tool");
    if (type == NULL) {
        return MCPW_E_NOT_FOUND;
    }
    return mcpw_validate(type, tool_text, sizeof tool_text - 1, scratch, NULL, error);
}

/* Open values stay JSON text: read them in place. */
static mcpw_status raw(mcpw_error *error) {
    const mcpw_json arguments = MCPW_JSON("{\"a\":1,\"list\":[true,\"x\"]}");
    mcpw_json list;
    mcpw_json item;
    mcpw_json_iter it;
    int64_t a;
    mcpw_status status = mcpw_json_check(arguments, 0, error); /* decoded values need no check */
    if (status == MCPW_OK) {
        status = mcpw_json_get_int(arguments, "a", &a);
    }
    if (status == MCPW_OK) {
        printf("a is %d\n", (int)a);
        status = mcpw_json_get(arguments, "list", &list);
    }
    if (status == MCPW_OK) {
        status = mcpw_json_iterate(list, &it);
    }
    while (status == MCPW_OK && mcpw_json_next(&it, NULL, &item)) {
        printf("item: %.*s\n", (int)item.len, item.ptr);
    }
    return status == MCPW_OK ? it.status : status;
}

/* And write them. */
static mcpw_status write_raw(void) {
    char room[64];
    mcpw_json_writer w;
    mcpw_json value;
    mcpw_json_write_begin(&w, room, sizeof room);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "sum");
    mcpw_json_write_int(&w, 3);
    mcpw_json_write_close(&w);
    const mcpw_status status = mcpw_json_write_end(&w, &value); /* the first error of all calls */
    if (status == MCPW_OK) {
        printf("%.*s\n", (int)value.len, value.ptr);
    }
    return status;
}

int main(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {.code = MCPW_OK};
    mcpw_status status = round_trip(&arena, &error);
    mcpw_arena_reset(&arena); /* all that was decoded is gone; the memory is used again */
    all_errors(&arena);
    if (status == MCPW_OK) {
        status = by_name(&arena, &error);
    }
    if (status == MCPW_OK) {
        status = raw(&error);
    }
    if (status == MCPW_OK) {
        status = write_raw();
    }
    if (status != MCPW_OK) {
        printf("%s %s: %s\n", mcpw_status_name(status), error.path, error.message);
    }
    mcpw_arena_free(&arena);
    return status == MCPW_OK ? 0 : 1;
}
