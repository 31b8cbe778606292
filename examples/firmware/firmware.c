/* SPDX-License-Identifier: MIT */
/*
 * An MCP server on a device without an operating system: one tool, one revision, over a serial line, within
 * 32 KiB of RAM. All memory is one static block: nothing here or in the library calls malloc.
 *
 * A client speaks to it line by line, as over standard input and output. README.md says how to build and run
 * it.
 */
#include <mcpw/frame.h>
#include <mcpw/json.h>
#include <mcpw/server.h>

#include "../device/pool.h"
#include "board.h"

enum { MEMORY = 20 * 1024, LONGEST_MESSAGE = 1024, LONGEST_OUTPUT = 1024, REQUESTS = 2, RESULT = 128 };

static _Alignas(max_align_t) unsigned char memory[MEMORY];

typedef struct lamp {
    pool pool;
    int64_t blinks;
} lamp;

/* Blinks as often as is asked. The result says how often that was so far, and how much memory was used. */
static mcpw_status blink(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    lamp *const l = user;
    char text[RESULT];
    mcpw_json_writer w;
    mcpw_json result;
    int64_t times = 0;
    if (mcpw_json_get_int(call->arguments, "times", &times) != MCPW_OK) {
        return mcpw_respond_tool_error(request, "times is an integer");
    }
    l->blinks += times;
    mcpw_json_write_begin(&w, text, sizeof text);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "blinks");
    mcpw_json_write_int(&w, l->blinks);
    mcpw_json_write_key(&w, "pool");
    mcpw_json_write_int(&w, (int64_t)l->pool.most);
    mcpw_json_write_key(&w, "stack");
    mcpw_json_write_int(&w, (int64_t)board_stack_used());
    mcpw_json_write_close(&w);
    const mcpw_status status = mcpw_json_write_end(&w, &result);
    return status == MCPW_OK ? mcpw_respond_structured(request, result) : status;
}

static const char arguments[] =
    "{\"type\":\"object\",\"properties\":{\"times\":{\"type\":\"integer\"}},\"required\":[\"times\"]}";

static mcpw_session *open_session(lamp *l, mcpw_server **server) {
    const mcpw_allocator allocator = {pool_resize, &l->pool};
    const mcpw_tool tool = {.name = "blink", .input_schema = MCPW_JSON(arguments), .call = blink, .user = l};
    mcpw_server_config server_config = MCPW_SERVER_CONFIG_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    server_config.name = "lamp";
    server_config.version = "1.0.0";
    server_config.allocator = allocator;
    *server = mcpw_server_new_with(&server_config, NULL);
    config.role = MCPW_ROLE_SERVER;
    config.server = *server;
    config.allocator = allocator;
    config.max_message = LONGEST_MESSAGE;
    config.max_output = LONGEST_OUTPUT;
    config.max_requests = REQUESTS;
    if (*server == NULL || mcpw_server_add_tool(*server, &tool, NULL) != MCPW_OK) {
        return NULL;
    }
    return mcpw_session_new(&config, NULL);
}

static void serve(mcpw_session *session) {
    mcpw_status status = MCPW_OK;
    while (status == MCPW_OK) {
        const char byte = board_read();
        const char *bytes = NULL;
        size_t len = 0;
        status = mcpw_session_feed(session, &byte, 1);
        while ((len = mcpw_session_output(session, &bytes)) != 0) {
            board_write(bytes, len);
            mcpw_session_sent(session, len);
        }
    }
}

void firmware_run(void) {
    static lamp l;
    for (;;) { /* a session that has ended makes room for the next one */
        mcpw_server *server = NULL;
        pool_open(&l.pool, memory, sizeof memory);
        mcpw_session *const session = open_session(&l, &server);
        if (session == NULL) {
            static const char why[] = "the memory is too small\n";
            board_write(why, sizeof why - 1);
            return;
        }
        serve(session);
        mcpw_session_free(session);
        mcpw_server_free(server);
    }
}
