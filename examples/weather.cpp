// SPDX-License-Identifier: MIT
// The server of weather.c in C++17.
#include <get_weather.h>
#include <mcpw/mcpw.hpp>

#include <array>
#include <cstdio>

extern "C" mcpw_status get_weather(mcpw_request *request, const get_weather_input *input, void *) {
    const bool fahrenheit = input->unit == GET_WEATHER_INPUT_UNIT_FAHRENHEIT;
    std::array<get_weather_output_day, 7> days{}; // as many as the schema allows
    const size_t count = input->days.set ? static_cast<size_t>(input->days.value) : 1;
    for (size_t i = 0; i < count; i++) { // where it is always warm, and warmer by the day
        const double low = 15 + static_cast<double>(i);
        const double high = low + 10;
        days[i].high = fahrenheit ? high * 9 / 5 + 32 : high;
        days[i].low = fahrenheit ? low * 9 / 5 + 32 : low;
        days[i].sky = GET_WEATHER_OUTPUT_DAY_SKY_CLEAR;
    }
    get_weather_output output{};
    output.city = input->city;
    output.days = {days.data(), count};
    return get_weather_reply(request, &output);
}

int main() {
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("weather", "1.0.0", &error);
    mcpw_status status = server != nullptr ? get_weather_add(server, nullptr, &error) : error.code;
    if (status == MCPW_OK) {
        status = mcpw_serve_stdio(server, &error);
    }
    if (status != MCPW_OK) {
        std::fprintf(stderr, "weather: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
