/* SPDX-License-Identifier: MIT */
/* A server that offers the tool `echo` on standard input and output. */
#include "echo.h"

#include <mcpw/io.h>
#include <stdio.h>

int main(void) {
    const mcpw_allocator standard = {NULL, NULL};
    mcpw_server *const server = bench_echo_server(standard);
    mcpw_error error;
    if (server == NULL) {
        return 1;
    }
    const mcpw_status status = mcpw_serve_stdio(server, &error);
    if (status != MCPW_OK) {
        fprintf(stderr, "echo_server: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
