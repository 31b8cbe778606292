/* SPDX-License-Identifier: MIT */
/* A server by libmicrohttpd that is made while memory runs out. The linker puts the functions of this file in
 * the place of the allocator, for the library and this file alone. */
#include <mcpw/http_serve.h>

#include "check.h"

#include <stddef.h>
#include <stdlib.h>

static int left; /* allocations until one fails; 0: none does */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

static bool fails(void) { return left != 0 && --left == 0; }

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }

void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }

void *__wrap_realloc(void *block, size_t size) { return fails() ? NULL : __real_realloc(block, size); }

static void any_allocation_may_fail(void) {
    enum { MOST = 1000 };
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    config.role = MCPW_ROLE_SERVER;
    config.server = server;
    http.endpoint = mcpw_endpoint_new(&config, NULL);
    options.http = &http;
    int failed = 0;
    bool has_failed = true;
    while (has_failed && failed < MOST) {
        mcpw_error error = {.code = MCPW_OK};
        left = failed + 1;
        mcpw_http_listener *const listener = mcpw_http_listener_new(&options, &error);
        has_failed = left == 0;
        left = 0;
        CHECK(listener != NULL || error.code != MCPW_OK); /* it can do without some of them */
        mcpw_http_listener_free(listener);
        failed += has_failed;
    }
    CHECK(failed > 4 && failed < MOST);
    mcpw_endpoint_free(http.endpoint);
    mcpw_server_free(server);
}

int main(void) {
    RUN(any_allocation_may_fail);
    return check_end();
}
