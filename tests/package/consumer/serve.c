/* SPDX-License-Identifier: MIT */
/* A server over either transport. */
#include <mcpw/serve.h>

#include <stdio.h>

int main(int argc, char **argv) {
    mcpw_server *const server = mcpw_server_new("consumer", "1", NULL);
    mcpw_error error;
    const mcpw_status status = mcpw_serve(server, argc, argv, NULL, &error);
    if (status != MCPW_OK) {
        fprintf(stderr, "%s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
