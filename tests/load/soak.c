/* SPDX-License-Identifier: MIT */
/*
 * Many messages through one process: memory stays what it was after the first of them.
 *
 *     soak codec N     N messages decoded and encoded again
 *     soak session N   N requests of a client session's, answered by a server session
 */
#define _POSIX_C_SOURCE 200809L
#include <mcpw/frame.h>
#include <mcpw/json.h>
#include <mcpw/server.h>

#include <stdlib.h>

#include "steady.h"

enum { WARM_UP = STEADY_WARM_UP, DECIMAL = 10, SKIPPED = 77, USAGE = 2, IN_FLIGHT = 16 };

#define REVISION "2025-11-25"

/* ---- The codec ------------------------------------------------------------------------------------------
 */

/* Messages of each kind, large and small, some of them refused. */
static const char *const lines[] = {
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
    "call\",\"params\":{\"name\":\"n\",\"arguments\":{\"a\":[1,2.5,"
    "\"\\u00e9\\n\"]},\"_meta\":{\"progressToken\":\"t\"}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"a long text, "
    "or at "
    "least one that is longer than a block of any kind of SIMD, with an escape\\n\"},{\"data\":\"aGVsbG8=\","
    "\"mimeType\":\"image/"
    "png\",\"type\":\"image\"}],\"structuredContent\":{\"k\":{\"v\":null}},\"isError\":false}}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
    "progress\",\"params\":{\"progressToken\":1,\"progress\":0.5}}",
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32602,\"message\":\"m\",\"data\":{\"path\":\"/a\"}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"sampling/"
    "createMessage\",\"params\":{\"messages\":[{\"role\":\"user\","
    "\"content\":[{\"type\":\"text\",\"text\":\"t\",\"annotations\":{\"priority\":1}}]}],\"maxTokens\":10,"
    "\"x1\":1,"
    "\"x2\":2,\"x3\":3,\"x4\":4,\"x5\":5}}",
    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"arguments\":{}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/"
    "call\",\"params\":{\"name\":\"n\",\"arguments\":{\"a\":",
};
enum { LINES = sizeof lines / sizeof *lines };

static mcpw_answered_request answer_to(void *user, const mcpw_id *id) {
    const mcpw_answered_request answer = {mcpw_method_number(user, "tools/call", sizeof "tools/call" - 1),
                                          false};
    (void)id;
    return answer;
}

static bool soak_codec(unsigned long count) {
    const mcpw_revision *const revision = mcpw_find_revision(REVISION);
    counted memory = {0, 0};
    const mcpw_allocator allocator = {counted_resize, &memory};
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    state before = {0};
    size_t lens[LINES];
    size_t refused = 0;
    bool good = true;
    arena.allocator = out.allocator = allocator;
    for (size_t i = 0; i < LINES; i++) {
        lens[i] = strlen(lines[i]);
    }
    for (unsigned long i = 0; i < count && good; i++) {
        const size_t at = i % LINES;
        mcpw_message message;
        mcpw_error error;
        if (i == WARM_UP) {
            before = look(&memory);
        }
        if (mcpw_message_decode(revision, lines[at], lens[at], &arena, answer_to, (void *)(uintptr_t)revision,
                                &message, NULL, &error) != MCPW_OK) {
            refused++;
        } else {
            out.len = 0;
            good = mcpw_message_encode(revision, &message, &out, NULL, &error) == MCPW_OK && out.len != 0;
        }
        mcpw_arena_reset(&arena);
    }
    good = good && refused == count / LINES * 2 + (count % LINES > 5 ? count % LINES - 5 : 0) &&
           is_steady(&before, &memory, count, "messages decoded and encoded");
    mcpw_arena_free(&arena);
    mcpw_buffer_free(&out);
    return good && memory.in_use == 0;
}

/* ---- Sessions -------------------------------------------------------------------------------------------
 */

typedef struct pair {
    counted memory;
    mcpw_server *server;
    mcpw_session *ends[2]; /* client, server */
    unsigned long answered;
    bool wrong;
} pair;

static mcpw_status echo(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str text;
    (void)user;
    const mcpw_status status =
        mcpw_json_get_string(call->arguments, "message", mcpw_request_arena(request), &text);
    return status == MCPW_OK ? mcpw_respond_text(request, text) : status;
}

static void on_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    pair *const p = user;
    (void)session;
    p->answered++;
    p->wrong |= reply->status != MCPW_OK && reply->status != MCPW_E_REMOTE;
}

/* Carries what the two have to say until both are silent. */
static void carry(pair *p) {
    bool more = true;
    while (more) {
        more = false;
        for (int i = 0; i < 2; i++) {
            const char *bytes = NULL;
            const size_t len = mcpw_session_output(p->ends[i], &bytes);
            more |= len != 0;
            p->wrong |= len != 0 && mcpw_session_feed(p->ends[1 - i], bytes, len) != MCPW_OK;
            mcpw_session_sent(p->ends[i], len);
        }
    }
}

static bool open_pair(pair *p, const char *revision) {
    const mcpw_allocator allocator = {counted_resize, &p->memory};
    const mcpw_tool tool = {.name = "echo", .call = echo};
    mcpw_server_config server = MCPW_SERVER_CONFIG_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    server.name = config.name = "soak";
    server.version = config.version = "1";
    server.allocator = config.allocator = allocator;
    config.revisions = revision;
    p->server = mcpw_server_new_with(&server, NULL);
    if (p->server == NULL || mcpw_server_add_tool(p->server, &tool, NULL) != MCPW_OK) {
        return false;
    }
    config.role = MCPW_ROLE_CLIENT;
    p->ends[0] = mcpw_session_new(&config, NULL);
    config.role = MCPW_ROLE_SERVER;
    config.server = p->server;
    p->ends[1] = mcpw_session_new(&config, NULL);
    if (p->ends[0] == NULL || p->ends[1] == NULL || mcpw_session_open(p->ends[0]) != MCPW_OK) {
        return false;
    }
    carry(p);
    return !p->wrong;
}

/* One of: an echo, a call of a tool that there is not, a list, a ping where there is one. */
static bool request_one(pair *p, const mcpw_revision *revision, unsigned long i) {
    static const char *const methods[] = {"tools/call", "tools/call", "tools/list"};
    static const char *const params[] = {"{\"name\":\"echo\",\"arguments\":{\"message\":\"hello\\n\"}}",
                                         "{\"name\":\"none\"}", "{}"};
    static uint64_t value[2][128];
    static mcpw_arena arena = MCPW_ARENA_INIT;
    static const mcpw_type *types[3];
    const size_t kind = i % 3;
    const int method = mcpw_method_number(revision, methods[kind], strlen(methods[kind]));
    mcpw_error error;
    mcpw_arena_reset(&arena);
    types[kind] = mcpw_find_type(REVISION, kind == 2 ? "PaginatedRequestParams" : "CallToolRequestParams");
    const bool good = mcpw_decode(types[kind], params[kind], strlen(params[kind]), &arena, value[0], NULL,
                                  &error) == MCPW_OK &&
                      mcpw_session_request(p->ends[0], revision, method, value[0], NULL, on_reply, p, NULL,
                                           &error) == MCPW_OK;
    if (!good) {
        (void)fprintf(stderr, "request %lu: %s: %s\n", i, error.path, error.message);
    }
    return good;
}

static bool soak_sessions(const char *spoken, unsigned long count) {
    const mcpw_revision *const revision = mcpw_find_revision(REVISION);
    pair p = {0};
    state before = {0};
    bool good = open_pair(&p, spoken);
    for (unsigned long i = 0; i < count && good; i++) {
        if (i == WARM_UP) {
            before = look(&p.memory);
        }
        good = request_one(&p, revision, i);
        if (i % IN_FLIGHT == IN_FLIGHT - 1 || i + 1 == count || i + 1 == WARM_UP) {
            carry(&p);
        }
    }
    good = good && !p.wrong && p.answered == count && is_steady(&before, &p.memory, count, spoken);
    mcpw_session_free(p.ends[0]);
    mcpw_session_free(p.ends[1]);
    mcpw_server_free(p.server);
    return good && p.memory.in_use == 0;
}

int main(int argc, char **argv) {
    char *end = NULL;
    const unsigned long count = argc == 3 ? strtoul(argv[2], &end, DECIMAL) : 0;
    if (count <= WARM_UP || *end != '\0') {
        (void)fprintf(stderr, "usage: soak codec|session N, more than %d\n", WARM_UP);
        return USAGE;
    }
    if (strcmp(argv[1], "codec") == 0) {
        return soak_codec(count) ? 0 : 1;
    }
    return soak_sessions("2025-11-25", count) && soak_sessions("2026-07-28", count) ? 0 : 1;
}
