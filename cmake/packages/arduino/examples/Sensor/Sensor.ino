/* SPDX-License-Identifier: MIT */
/* A sensor that speaks MCP over Serial: an LM35 at A0, 10 mV a degree, of a board with 3.3 V and 10 bits. */
#include <mcpwire.h>

extern "C" {
#include "sensor.h"
#include "wire.h"
}

static unsigned char memory[20 * 1024] __attribute__((aligned(8)));
static char line[1024];
static sensor thermometer;
static wire w;

static bool measure(void *user, int32_t *milli_celsius) {
    (void)user;
    *milli_celsius = (int32_t)analogRead(A0) * 3300 / 1023 * 100;
    return true;
}

static mcpw_status add_tools(mcpw_server *server, void *user) {
    return sensor_add(server, static_cast<sensor *>(user));
}

/* Serial has the session, so a board with a second serial line can log there. */
static void log_line(void *user, const char *text) {
    (void)user;
    (void)text;
}

/* millis() begins again after 49 days; this does not. */
static uint64_t now() {
    static uint32_t before;
    static uint64_t begun;
    const uint32_t ms = millis();
    if (ms < before) {
        begun += UINT64_C(1) << 32;
    }
    before = ms;
    return begun + ms;
}

static void send_output() {
    const char *bytes;
    size_t len;
    while ((len = wire_output(&w, &bytes)) != 0) {
        Serial.write(reinterpret_cast<const uint8_t *>(bytes), len);
        wire_sent(&w, len);
    }
}

void setup() {
    wire_config config = {};
    Serial.begin(115200);
    thermometer.measure = measure;
    config.name = "sensor";
    config.version = "1.0.0";
    config.memory = memory;
    config.memory_size = sizeof memory;
    config.line = line;
    config.line_size = sizeof line;
    config.max_output = sizeof line;
    config.quiet_ms = 500;
    config.add = add_tools;
    config.log = log_line;
    config.user = &thermometer;
    while (!wire_open(&w, &config)) {
        delay(1000); /* the memory is too small for the tools */
    }
}

void loop() {
    char bytes[64];
    size_t len = 0;
    while (len < sizeof bytes && Serial.available() > 0) {
        bytes[len++] = static_cast<char>(Serial.read());
    }
    for (size_t taken = 0; taken < len;) {
        taken += wire_take(&w, bytes + taken, len - taken, now());
        send_output();
    }
    if (len == 0) {
        wire_wait(&w, now());
        send_output();
    }
}
