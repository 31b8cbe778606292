/* SPDX-License-Identifier: MIT */
/* A server without malloc and without I/O of the library: all memory is one block, bytes go in and come out.
 */
#include <mcpw/frame.h>
#include <mcpw/server.h>

#include <stdio.h>

/* Memory from a fixed block. The block that is given back last is used again, the rest when all of it is. */
typedef struct pool {
    size_t used;
    _Alignas(max_align_t) unsigned char bytes[512 * 1024];
} pool;

static void *pool_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    enum { ALIGNMENT = _Alignof(max_align_t) };
    pool *const p = user;
    const size_t rounded = (new_size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    const size_t held = (old_size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    unsigned char *const at = ptr;
    if (at != NULL && at + held == p->bytes + p->used) {
        p->used -= held; /* the last one: takes its place again */
    } else if (new_size != 0 && ptr != NULL && new_size <= old_size) {
        return ptr;
    }
    if (new_size == 0 || rounded < new_size || rounded > sizeof p->bytes - p->used) {
        p->used += new_size != 0 && at == p->bytes + p->used ? held : 0; /* failed: it stays as it was */
        return NULL;
    }
    unsigned char *const next = p->bytes + p->used;
    p->used += rounded;
    if (at != NULL && at != next) {
        memcpy(next, at, old_size);
    }
    return next;
}

static mcpw_status blink(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    ++*(int *)user;
    return mcpw_respond_text(request, mcpw_str_from("blinked"));
}

/* Hands a line to the session, and takes what it says. */
static mcpw_status exchange(mcpw_session *session, const char *line) {
    const char *bytes;
    size_t len;
    const mcpw_status status = mcpw_session_feed(session, line, strlen(line));
    while ((len = mcpw_session_output(session, &bytes)) != 0) {
        (void)fwrite(bytes, 1, len, stdout); /* a UART, a socket, ... */
        mcpw_session_sent(session, len);
    }
    return status;
}

int main(void) {
    static pool memory;
    const mcpw_allocator allocator = {pool_resize, &memory};
    int blinks = 0;
    const mcpw_tool tool = {.name = "blink", .call = blink, .user = &blinks};
    mcpw_server_config server_config = MCPW_SERVER_CONFIG_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error;
    server_config.name = "lamp";
    server_config.version = "1.0.0";
    server_config.allocator = allocator;
    mcpw_server *const server = mcpw_server_new_with(&server_config, &error);
    config.role = MCPW_ROLE_SERVER;
    config.server = server;
    config.allocator = allocator;
    config.revisions = "2025-11-25";
    config.max_message = 4096; /* bytes; longer ones are refused */
    config.max_output = 8192;
    config.max_requests = 4;
    mcpw_status status = server != NULL ? mcpw_server_add_tool(server, &tool, &error) : error.code;
    mcpw_session *const session = status == MCPW_OK ? mcpw_session_new(&config, &error) : NULL;
    if (session != NULL) {
        status = exchange(session, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
                                   "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                                   "\"clientInfo\":{\"name\":\"remote\",\"version\":\"1\"}}}\n");
    }
    if (session != NULL && status == MCPW_OK) {
        status = exchange(session, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
                                   "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\","
                                   "\"params\":{\"name\":\"blink\"}}\n");
    }
    mcpw_session_free(session);
    mcpw_server_free(server);
    return session != NULL && status == MCPW_OK && blinks == 1 ? 0 : 1;
}
