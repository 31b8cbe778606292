/* SPDX-License-Identifier: MIT */
/* The codec alone: reads a call of a tool from each line, within a block of memory, and says what memory that
 * took. */
#include <mcp/pinned.h>
#include <mcpw/json.h>

#include "board.h"

enum { MEMORY = 2048, LINE = 512, OUT = 256 };

static void answer(const char *line, size_t len) {
    static _Alignas(max_align_t) unsigned char memory[MEMORY];
    char text[OUT];
    mcpw_arena arena;
    mcpw_json_writer w;
    mcpw_json out;
    mcp_call_tool_request call;
    mcpw_status status = mcpw_arena_use(&arena, memory, sizeof memory);
    if (status == MCPW_OK) {
        status = mcp_call_tool_request_decode(line, len, &arena, &call, NULL, NULL);
    }
    mcpw_json_write_begin(&w, text, sizeof text);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "status");
    mcpw_json_write_int(&w, status);
    if (status == MCPW_OK) {
        mcpw_json_write_key(&w, "name");
        mcpw_json_write_string(&w, call.params.name.ptr, call.params.name.len);
    }
    mcpw_json_write_key(&w, "memory");
    mcpw_json_write_int(&w, (int64_t)(sizeof memory - (size_t)(arena.end - arena.next)));
    mcpw_json_write_key(&w, "stack");
    mcpw_json_write_int(&w, (int64_t)board_stack_used());
    mcpw_json_write_close(&w);
    if (mcpw_json_write_end(&w, &out) == MCPW_OK) {
        board_write(out.ptr, out.len);
        board_write("\n", 1);
    }
    mcpw_arena_free(&arena);
}

void firmware_run(void) {
    static char line[LINE];
    size_t len = 0;
    for (;;) {
        const char byte = board_read();
        if (byte == '\n') {
            answer(line, len);
            len = 0;
        } else if (len < sizeof line) {
            line[len++] = byte;
        }
    }
}
