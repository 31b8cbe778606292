/* SPDX-License-Identifier: MIT */
/*
 * A sensor on a serial line: the tool `read` on one UART, a log on the other. It lives with garbage, with
 * lines that break off, and with clients that come and go without a word. The tool `memory` says what of the
 * device's memory was used.
 */
#include <mcpw/json.h>

#include "../device/sensor.h"
#include "../device/wire.h"
#include "board.h"

enum {
    MEMORY = 20 * 1024,
    LONGEST_LINE = 1024,
    LONGEST_OUTPUT = 1024,
    PIECE = 64,
    QUIET_MS = 500,
    RESULT = 64
};

typedef struct firmware {
    wire wire;
    sensor sensor;
} firmware;

/* The board has no sensor. This one is warmer by an eighth of a degree at each reading. */
static bool measure(void *user, int32_t *milli_celsius) {
    enum { COLDEST = 20000, STEP = 125 };
    const firmware *const f = user;
    *milli_celsius = COLDEST + STEP * (int32_t)(f->sensor.readings % 64);
    return true;
}

static mcpw_status tell_memory(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const firmware *const f = user;
    char text[RESULT];
    mcpw_json_writer w;
    mcpw_json result;
    (void)call;
    mcpw_json_write_begin(&w, text, sizeof text);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "pool");
    mcpw_json_write_int(&w, (int64_t)f->wire.heap.most);
    mcpw_json_write_key(&w, "stack");
    mcpw_json_write_int(&w, (int64_t)board_stack_used());
    mcpw_json_write_close(&w);
    const mcpw_status status = mcpw_json_write_end(&w, &result);
    return status == MCPW_OK ? mcpw_respond_structured(request, result) : status;
}

static mcpw_status add_tools(mcpw_server *server, void *user) {
    firmware *const f = user;
    const mcpw_tool memory = {
        .name = "memory", .input_schema = MCPW_JSON("{\"type\":\"object\"}"), .call = tell_memory, .user = f};
    const mcpw_status status = sensor_add(server, &f->sensor);
    return status == MCPW_OK ? mcpw_server_add_tool(server, &memory, NULL) : status;
}

static void log_line(void *user, const char *text) {
    (void)user;
    board_log(text);
}

static void send_output(wire *w) {
    const char *bytes;
    size_t len;
    while ((len = wire_output(w, &bytes)) != 0) {
        board_write(bytes, len);
        wire_sent(w, len);
    }
}

static void serve(wire *w) {
    for (;;) {
        char bytes[PIECE];
        const size_t len = board_receive(bytes, sizeof bytes);
        size_t taken = 0;
        while (taken < len) {
            taken += wire_take(w, bytes + taken, len - taken, board_now());
            send_output(w);
        }
        if (len == 0) {
            wire_wait(w, board_now());
            send_output(w);
        }
    }
}

void firmware_run(void) {
    static _Alignas(max_align_t) unsigned char memory[MEMORY];
    static char line[LONGEST_LINE];
    static firmware f;
    const wire_config config = {
        .name = "sensor",
        .version = "1.0.0",
        .memory = memory,
        .memory_size = sizeof memory,
        .line = line,
        .line_size = sizeof line,
        .max_output = LONGEST_OUTPUT,
        .quiet_ms = QUIET_MS,
        .add = add_tools,
        .log = log_line,
        .user = &f,
    };
    f.sensor.measure = measure;
    f.sensor.user = &f;
    if (!wire_open(&f.wire, &config)) {
        board_log("the memory is too small");
        return;
    }
    board_log("ready");
    serve(&f.wire);
}
