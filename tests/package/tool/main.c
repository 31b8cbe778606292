/* SPDX-License-Identifier: MIT */
/* A server whose tool greets as its settings say, which are its argument. */
#include <app_say_hello.h>
#include <mcpw/io.h>
#include <own.h>

#include <stdio.h>
#include <string.h>

mcpw_status app_say_hello(mcpw_request *request, const app_say_hello_input *input, void *user) {
    const own_settings *const settings = user;
    const mcpw_str greeting = own_settings_greeting_text(settings->greeting);
    char text[100];
    (void)snprintf(text, sizeof text, "%.*s, %s", (int)greeting.len, greeting.ptr, input->name.ptr);
    const app_say_hello_output output = {.text = mcpw_str_from(text)};
    return app_say_hello_reply(request, &output);
}

static int serve(own_settings *settings, mcpw_error *error) {
    mcpw_server *const server = mcpw_server_new("tool", "1.0.0", NULL);
    mcpw_status status = app_say_hello_add(server, settings, error);
    if (status == MCPW_OK) {
        status = mcpw_serve_stdio(server, error);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}

int main(int argc, char **argv) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    own_settings settings;
    mcpw_error error;
    int failed = argc != 2;
    if (failed == 0) {
        failed = own_settings_decode(argv[1], strlen(argv[1]), &arena, &settings, NULL, &error) != MCPW_OK;
        failed = failed != 0 ? 1 : serve(&settings, &error);
        if (failed != 0) {
            fprintf(stderr, "%s: %s\n", error.path, error.message);
        }
    }
    mcpw_arena_free(&arena);
    return failed;
}
