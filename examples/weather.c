/* SPDX-License-Identifier: MIT */
/*
 * A server whose tool gets and gives structs. <get_weather.h> is made of weather.json when this is built;
 * arguments and results that break its schemas neither come in nor go out.
 */
#include <get_weather.h>
#include <mcpw/serve.h>

#include <stdio.h>

enum { MOST_DAYS = 7 /* as the schema has it */ };

static double in_unit(double celsius, get_weather_input_unit unit) {
    return unit == GET_WEATHER_INPUT_UNIT_FAHRENHEIT ? celsius * 9 / 5 + 32 : celsius;
}

mcpw_status get_weather(mcpw_request *request, const get_weather_input *input, void *user) {
    get_weather_output_day days[MOST_DAYS];
    const size_t count = input->days.set ? (size_t)input->days.value : 1;
    (void)user;
    for (size_t i = 0; i < count; i++) { /* where it is always warm, and warmer by the day */
        days[i] = (get_weather_output_day){
            .high = in_unit(25 + (double)i, input->unit),
            .low = in_unit(15 + (double)i, input->unit),
            .sky = GET_WEATHER_OUTPUT_DAY_SKY_CLEAR,
        };
    }
    const get_weather_output output = {.city = input->city, .days = {days, count}};
    return get_weather_reply(request, &output);
}

int main(int argc, char **argv) {
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("weather", "1.0.0", &error);
    mcpw_status status = server != NULL ? get_weather_add(server, NULL, &error) : error.code;
    if (status == MCPW_OK) {
        status = mcpw_serve(server, argc, argv, NULL, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "weather: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
