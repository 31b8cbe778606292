/* SPDX-License-Identifier: MIT */
/* client SERVER CITY DAYS: calls the tools of the example weather, and one that it has not, by generated
 * functions. */
#include <wx.h>

#include <stdio.h>
#include <stdlib.h>

static void ask(mcpw_client *client, const wx_get_weather_args *args) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    wx_get_weather_result result;
    mcpw_error error;
    const mcpw_status status = wx_get_weather_call(client, args, &result, NULL, &arena, &error);
    if (status != MCPW_OK) {
        printf("%s %s: %s\n", mcpw_status_name(status), error.path, error.message);
    } else {
        const wx_get_weather_result_day *const last = &result.days.items[result.days.count - 1];
        const mcpw_str sky = wx_get_weather_result_day_sky_text(last->sky);
        printf("%s, %zu days, at last %g and %.*s\n", result.city.ptr, result.days.count, last->high,
               (int)sky.len, sky.ptr);
    }
    mcpw_arena_free(&arena);
}

static void ask_what_is_not_there(mcpw_client *client) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcp_call_tool_result *answer = NULL;
    const wx_no_such_tool_args args = MCPW_JSON("{}");
    mcpw_error error;
    const mcpw_status status = wx_no_such_tool_call(client, &args, &answer, NULL, &arena, &error);
    printf("%s\n", mcpw_status_name(status));
    mcpw_arena_free(&arena);
}

/* NULL is no arguments: of a tool that needs none, and of one that does. */
static void ask_without_arguments(mcpw_client *client) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcp_call_tool_result *answer = NULL;
    wx_get_weather_result result;
    mcpw_error error;
    mcpw_status status = wx_no_such_tool_call(client, NULL, &answer, NULL, &arena, &error);
    printf("%s\n", mcpw_status_name(status));
    status = wx_get_weather_call(client, NULL, &result, NULL, &arena, &error);
    printf("%s %s: %s\n", mcpw_status_name(status), error.path, error.message);
    mcpw_arena_free(&arena);
}

int main(int argc, char **argv) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_spawn spawn = {0};
    mcpw_error error;
    if (argc != 4) {
        return 2;
    }
    const char *const command[] = {argv[1], NULL};
    spawn.argv = command;
    config.name = "client";
    config.version = "1";
    mcpw_client *const client = mcpw_client_start(&spawn, &config, &error);
    if (client == NULL) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const wx_get_weather_args args = {.city = mcpw_str_from(argv[2]),
                                      .days = {true, strtol(argv[3], NULL, 10)}};
    ask(client, &args);
    ask_what_is_not_there(client);
    ask_without_arguments(client);
    mcpw_client_free(client);
    return 0;
}
