/* SPDX-License-Identifier: MIT */
/* A server with a sensor, in memory whose size Kconfig says. */
#include "sample.h"

#include "sample_config.h"
#include "sensor.h"

static _Alignas(max_align_t) unsigned char memory[CONFIG_SENSOR_MEMORY];
static char line[CONFIG_SENSOR_LINE];

static mcpw_status add_tools(mcpw_server *server, void *user) { return sensor_add(server, user); }

static void log_line(void *user, const char *text) {
    (void)user;
    sample_log(text);
}

void sample_run(void) {
    static wire w;
    static sensor s = {.measure = sample_measure};
    const wire_config config = {
        .name = "sensor",
        .version = "1.0.0",
        .memory = memory,
        .memory_size = sizeof memory,
        .line = line,
        .line_size = sizeof line,
        .max_output = sizeof line,
        .quiet_ms = CONFIG_SENSOR_QUIET_MS,
        .add = add_tools,
        .log = log_line,
        .user = &s,
    };
    if (wire_open(&w, &config)) {
        sample_serve(&w);
    } else {
        sample_log("the memory is too small");
    }
}
