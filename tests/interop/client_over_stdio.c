/* SPDX-License-Identifier: MIT */
/* The link of our client to a server: its command. */
#define _POSIX_C_SOURCE 200809L
#include "client.h"

#include <signal.h>
#include <stdio.h>

const char client_link[] = "COMMAND [ARGUMENT...]";

static void on_stderr(void *user, mcpw_str line) {
    (void)user;
    fprintf(stderr, "server: %.*s\n", (int)line.len, line.ptr);
}

mcpw_client *client_open(char **link, const mcpw_session_config *config, mcpw_error *error) {
    const mcpw_spawn spawn = {.argv = (const char *const *)link, .on_stderr = on_stderr};
    signal(SIGPIPE, SIG_IGN); /* a server that is gone is an error of write() */
    return mcpw_client_start(&spawn, config, error);
}
