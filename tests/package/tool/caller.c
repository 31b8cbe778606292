/* SPDX-License-Identifier: MIT */
/* caller SERVER SETTINGS NAME: has the server greet somebody. */
#include <mcpw/io.h>
#include <their.h>

#include <stdio.h>

static mcpw_status greet(mcpw_client *client, const char *name, mcpw_error *error) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const their_say_hello_args args = {.name = mcpw_str_from(name)};
    their_say_hello_result result;
    const mcpw_status status = their_say_hello_call(client, &args, &result, NULL, &arena, error);
    if (status == MCPW_OK) {
        printf("%s\n", result.text.ptr);
    }
    mcpw_arena_free(&arena);
    return status;
}

int main(int argc, char **argv) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error;
    if (argc != 4) {
        return 2;
    }
    const char *const server[] = {argv[1], argv[2], NULL};
    mcpw_spawn spawn = {0};
    spawn.argv = server;
    config.name = "caller";
    config.version = "1";
    mcpw_client *const client = mcpw_client_start(&spawn, &config, &error);
    const mcpw_status status = client != NULL ? greet(client, argv[3], &error) : error.code;
    if (status != MCPW_OK) {
        fprintf(stderr, "%s: %s\n", error.path, error.message);
    }
    if (client != NULL) {
        mcpw_client_free(client);
    }
    return status == MCPW_OK ? 0 : 1;
}
