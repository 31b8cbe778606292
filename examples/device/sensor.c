/* SPDX-License-Identifier: MIT */
#include "sensor.h"

#include <mcpw/json.h>

enum { RESULT = 96 };

static const char input[] = "{\"type\":\"object\",\"properties\":{\"unit\":{\"type\":\"string\",\"enum\":["
                            "\"celsius\",\"fahrenheit\"]}}}";
static const char output[] = "{\"type\":\"object\",\"properties\":{\"milli\":{\"type\":\"integer\"},"
                             "\"unit\":{\"type\":\"string\"},\"readings\":{\"type\":\"integer\"}},"
                             "\"required\":[\"milli\",\"unit\",\"readings\"]}";

/* A small library checks no arguments by their schema, so the tool does: false if the unit is none of them.
 */
static bool read_unit(mcpw_json arguments, bool *fahrenheit) {
    const mcpw_str celsius = MCPW_STR("celsius");
    mcpw_str text = celsius;
    mcpw_json unit;
    if (mcpw_json_get(arguments, "unit", &unit) == MCPW_OK &&
        mcpw_json_string(unit, NULL, &text) != MCPW_OK) {
        return false;
    }
    *fahrenheit = mcpw_str_equal(text, MCPW_STR_VALUE("fahrenheit"));
    return *fahrenheit || mcpw_str_equal(text, celsius);
}

/* Answers in thousandths of a degree, as integers need no arithmetic of doubles. */
static mcpw_status read_sensor(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    sensor *const s = user;
    char text[RESULT];
    mcpw_json_writer w;
    mcpw_json result;
    int32_t milli = 0;
    bool fahrenheit = false;
    if (!read_unit(call->arguments, &fahrenheit)) {
        return mcpw_respond_tool_error(request, "unit is celsius or fahrenheit");
    }
    if (!s->measure(s->user, &milli)) {
        return mcpw_respond_tool_error(request, "the sensor does not answer");
    }
    if (fahrenheit) {
        milli = milli * 9 / 5 + 32000;
    }
    s->readings++;
    mcpw_json_write_begin(&w, text, sizeof text);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "milli");
    mcpw_json_write_int(&w, milli);
    mcpw_json_write_key(&w, "unit");
    mcpw_json_write_raw(&w, fahrenheit ? MCPW_JSON_VALUE("\"fahrenheit\"") : MCPW_JSON_VALUE("\"celsius\""));
    mcpw_json_write_key(&w, "readings");
    mcpw_json_write_int(&w, s->readings);
    mcpw_json_write_close(&w);
    const mcpw_status status = mcpw_json_write_end(&w, &result);
    return status == MCPW_OK ? mcpw_respond_structured(request, result) : status;
}

mcpw_status sensor_add(mcpw_server *server, sensor *s) {
    const mcpw_tool tool = {
        .name = "read",
        .description = "Reads the temperature, in thousandths of a degree",
        .input_schema = MCPW_JSON(input),
        .output_schema = MCPW_JSON(output),
        .call = read_sensor,
        .user = s,
    };
    return mcpw_server_add_tool(server, &tool, NULL);
}
