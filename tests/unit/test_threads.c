/* SPDX-License-Identifier: MIT */
/*
 * The library in several threads at once, each with arenas, buffers, sessions and a server of its own. The
 * shared data is constant: tables and the program's data. ThreadSanitizer is what makes this test sharp
 * (tools/portability.sh tsan); without it, it still sees answers that got mixed up.
 */
#include <mcpw/frame.h>
#include <mcpw/json.h>
#include <mcpw/server.h>
#include <mcpw/session.h>

#include <mcp/2025-11-25.h>

#include "check.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 50, TEXT_SIZE = 512, MOST_TURNS = 100 };

/* One thread, which tells its checks by a count: those of check.h are not for several threads. */
typedef struct worker {
    unsigned number;
    unsigned rounds;
    unsigned failed;
    unsigned answers;
    char expected[TEXT_SIZE];
} worker;

static void expect(worker *w, bool condition) { w->failed += !condition; }

/* ---- The codec ----------------------------------------------------------------------------------------- */

static void decode_and_encode(worker *w, mcpw_arena *arena, mcpw_buffer *out, unsigned round) {
    char text[TEXT_SIZE];
    mcp_20251125_tool tool;
    mcp_20251125_tool copy;
    mcpw_error error;
    const int len = snprintf(
        text, sizeof text, "{\"name\":\"t%u-%u\",\"inputSchema\":{\"type\":\"object\"},\"other\":[%u,0.%u]}",
        w->number, round, round, w->number + 1);
    mcpw_arena_reset(arena);
    out->len = 0;
    expect(w, mcp_20251125_tool_decode(text, (size_t)len, arena, &tool, NULL, &error) == MCPW_OK);
    expect(w, mcp_20251125_tool_copy(&tool, arena, &copy, &error) == MCPW_OK);
    expect(w, mcp_20251125_tool_equal(&tool, &copy));
    expect(w, mcp_20251125_tool_encode(&copy, out, NULL, &error) == MCPW_OK);
    expect(w, out->len == (size_t)len && memcmp(out->data, text, out->len) == 0);
}

static void find_and_refuse(worker *w, mcpw_arena *arena) {
    static const char broken[] = "{\"name\":5}";
    const mcpw_type *const type = mcpw_find_type("2026-07-28", "Tool");
    mcpw_error error;
    expect(w, type != NULL);
    expect(w, type != NULL &&
                  mcpw_validate(type, broken, sizeof broken - 1, arena, NULL, &error) == MCPW_E_TYPE);
    expect(w, strcmp(error.path, "/name") == 0);
}

/* ---- Sessions ------------------------------------------------------------------------------------------ */

static mcpw_status echo(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str message;
    (void)user;
    if (mcpw_json_get_string(call->arguments, "message", mcpw_request_arena(request), &message) != MCPW_OK) {
        return mcpw_respond_tool_error(request, "a message is needed");
    }
    return mcpw_respond_text(request, message);
}

static const mcpw_tool echo_tool = {
    .name = "echo", .input_schema = MCPW_JSON("{\"type\":\"object\"}"), .call = echo};

static void on_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    worker *const w = user;
    const mcp_20251125_call_tool_result *const result = reply->value;
    (void)session;
    w->answers++;
    expect(w, reply->status == MCPW_OK && result != NULL && result->content.count == 1 &&
                  mcpw_str_is(result->content.items[0].as.text_content.text, w->expected));
}

static void carry(mcpw_session *from, mcpw_session *to, bool *moved) {
    const char *bytes;
    size_t len;
    while ((len = mcpw_session_output(from, &bytes)) != 0) {
        const mcpw_status status = mcpw_session_feed(to, bytes, len);
        (void)status;
        mcpw_session_sent(from, len);
        *moved = true;
    }
}

static void exchange(mcpw_session *a, mcpw_session *b) {
    bool moved = true;
    for (int i = 0; i < MOST_TURNS && moved; i++) {
        moved = false;
        carry(a, b, &moved);
        carry(b, a, &moved);
    }
}

static void call_echo(worker *w, mcpw_session *client, mcpw_session *server, unsigned round) {
    char arguments[2 * TEXT_SIZE];
    mcp_20251125_call_tool_request_params params = {.name = MCPW_STR("echo")};
    const unsigned before = w->answers;
    (void)snprintf(w->expected, sizeof w->expected, "thread %u round %u", w->number, round);
    (void)snprintf(arguments, sizeof arguments, "{\"message\":\"%s\"}", w->expected);
    params.arguments = mcpw_json_from(arguments);
    expect(w, mcpw_session_request(client, &mcp_20251125_revision, MCP_20251125_METHOD_TOOLS_CALL, &params,
                                   NULL, on_reply, w, NULL, NULL) == MCPW_OK);
    exchange(client, server);
    expect(w, w->answers == before + 1);
}

/* A client and a server, both of this thread. */
static void talk(worker *w, const char *revisions) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_server *const offer = mcpw_server_new("threads", "1", NULL);
    mcpw_session *server;
    mcpw_session *client;
    expect(w, mcpw_server_add_tool(offer, &echo_tool, NULL) == MCPW_OK);
    config.role = MCPW_ROLE_SERVER;
    config.server = offer;
    server = mcpw_session_new(&config, NULL);
    config = (mcpw_session_config)MCPW_SESSION_CONFIG_INIT;
    config.role = MCPW_ROLE_CLIENT;
    config.name = "thread";
    config.version = "1";
    config.revisions = revisions;
    client = mcpw_session_new(&config, NULL);
    expect(w, server != NULL && client != NULL);
    if (server != NULL && client != NULL) {
        expect(w, mcpw_session_open(client) == MCPW_OK);
        exchange(client, server);
        for (unsigned i = 0; i < w->rounds; i++) {
            call_echo(w, client, server, i);
        }
    }
    mcpw_session_free(client);
    mcpw_session_free(server);
    mcpw_server_free(offer);
}

static void *work(void *user) {
    worker *const w = user;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    for (unsigned i = 0; i < w->rounds; i++) {
        decode_and_encode(w, &arena, &out, i);
        find_and_refuse(w, &arena);
    }
    mcpw_arena_free(&arena);
    mcpw_buffer_free(&out);
    talk(w, w->number % 2 == 0 ? NULL : "2025-11-25");
    return NULL;
}

static void threads_with_objects_of_their_own_do_not_disturb_each_other(void) {
    static worker workers[THREADS];
    pthread_t threads[THREADS];
    unsigned started = 0;
    for (; started < THREADS; started++) {
        workers[started].number = started;
        workers[started].rounds = ROUNDS;
        if (pthread_create(&threads[started], NULL, work, &workers[started]) != 0) {
            break;
        }
    }
    CHECK(started == THREADS);
    for (unsigned i = 0; i < started; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        CHECK(workers[i].failed == 0);
        CHECK(workers[i].answers == ROUNDS);
    }
}

int main(void) {
    RUN(threads_with_objects_of_their_own_do_not_disturb_each_other);
    return check_end();
}
