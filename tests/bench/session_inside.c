/* SPDX-License-Identifier: MIT */
#include "session_inside.h"

#include "echo.h"

#include <mcpw/frame.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t bench_case_count(void) { return 2 * bench_dialect_count; }

bench_case bench_case_at(size_t index) {
    static const char *const names[] = {"registry", "typed"};
    const bench_case one = {names[index % 2], index % 2 != 0, bench_dialects + index / 2};
    return one;
}

static bool fail(const bench_inside *inside, const char *why) {
    fprintf(stderr, "%s, %s: %s\n", inside->about->name, inside->about->dialect->revision, why);
    return false;
}

static bool feed(const bench_inside *inside, const char *bytes, size_t len) {
    const mcpw_status status = mcpw_session_feed(inside->session, bytes, len);
    return status == MCPW_OK || fail(inside, mcpw_status_text(status));
}

static void take(const bench_inside *inside) {
    const char *bytes = NULL;
    const size_t len = mcpw_session_output(inside->session, &bytes);
    mcpw_session_sent(inside->session, len);
}

static void on_diagnostic(void *user, mcpw_session *session, const mcpw_diagnostic *note) {
    (void)user;
    (void)session;
    fprintf(stderr, "%s%s\n", note->error->path, note->error->message);
}

static bool open_endpoint(bench_inside *inside, const bench_case *about, mcpw_allocator allocator) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error = {0};
    memset(inside, 0, sizeof *inside);
    inside->about = about;
    inside->server = about->typed ? NULL : bench_echo_server(allocator);
    config.role = MCPW_ROLE_SERVER;
    config.name = "echo";
    config.version = "1.0.0";
    config.server = inside->server;
    config.dispatch = about->typed ? &mcp_20260728_server_dispatch : NULL;
    config.handlers = about->typed ? &bench_echo_handlers : NULL;
    config.on_diagnostic = on_diagnostic;
    config.allocator = allocator;
    inside->endpoint = inside->server != NULL || about->typed ? mcpw_endpoint_new(&config, &error) : NULL;
    return inside->endpoint != NULL || fail(inside, error.message);
}

bool bench_inside_make(const bench_case *about, mcpw_allocator allocator, unsigned long count) {
    bench_inside inside;
    bool good = open_endpoint(&inside, about, allocator);
    for (unsigned long i = 0; good && i < count; i++) {
        mcpw_session *const session = mcpw_session_from(inside.endpoint, NULL, NULL);
        good = session != NULL;
        mcpw_session_free(session);
    }
    bench_inside_close(&inside);
    return good;
}

bool bench_inside_open(bench_inside *inside, const bench_case *about, mcpw_allocator allocator) {
    mcpw_error error = {0};
    if (!open_endpoint(inside, about, allocator)) {
        return false;
    }
    inside->calls = malloc((size_t)BENCH_BATCH * BENCH_LINE);
    inside->session = mcpw_session_from(inside->endpoint, NULL, &error);
    if (inside->session == NULL || inside->calls == NULL) {
        return fail(inside, error.message);
    }
    for (long id = BENCH_FIRST_ID; id < BENCH_FIRST_ID + BENCH_BATCH; id++) {
        inside->len += bench_put_call(inside->calls + inside->len, about->dialect, id);
    }
    if (!feed(inside, about->dialect->opening, strlen(about->dialect->opening))) {
        return false;
    }
    take(inside);
    return feed(inside, inside->calls, inside->len) && bench_inside_check(inside);
}

bool bench_inside_check(const bench_inside *inside) {
    const char *bytes = NULL;
    const size_t len = mcpw_session_output(inside->session, &bytes);
    const bool good = bench_check_answers(bytes, len, BENCH_FIRST_ID, BENCH_BATCH, true);
    mcpw_session_sent(inside->session, len);
    return good || fail(inside, "the answers are wrong");
}

bool bench_inside_pass(const bench_inside *inside) {
    const bool fed = feed(inside, inside->calls, inside->len);
    take(inside);
    return fed;
}

void bench_inside_close(bench_inside *inside) {
    mcpw_session_free(inside->session);
    mcpw_endpoint_free(inside->endpoint);
    mcpw_server_free(inside->server);
    free(inside->calls);
}
