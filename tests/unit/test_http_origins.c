/* SPDX-License-Identifier: MIT */
/* Servers that need a handshake are remembered by their origins. */
#include "session_harness.h"

#include <mcpw/detail/http_origins.h>
#include <mcpw/http_client.h>

#define LEGACY "2024-11-05 2025-03-26 2025-06-18 2025-11-25"

typedef struct memory {
    mcpw_http_origins *origins;
    mcpw_arena arena;
    mcpw_session_config config;
} memory;

static memory begin(size_t most) {
    memory m = {.arena = MCPW_ARENA_INIT, .config = MCPW_SESSION_CONFIG_INIT};
    m.origins = mcpw_http_origins_new(most, NULL);
    return m;
}

static void finish(memory *m) {
    mcpw_http_origins_free(m->origins);
    mcpw_arena_free(&m->arena);
}

/* A session that was opened with a server of that revision; NULL: it could not be opened. */
static void learn(memory *m, const char *url, const char *speaks) {
    if (speaks == NULL) {
        mcpw_http_origins_learn(m->origins, url, NULL);
        return;
    }
    end *const e = client_of(speaks, MODERN);
    open_client(e);
    mcpw_http_origins_learn(m->origins, url, e->session);
    end_free(e);
}

static const char *wanted(memory *m, const char *url) {
    const char *const revisions = mcpw_http_origins_revisions(m->origins, url, &m->config, &m->arena);
    return revisions != NULL ? revisions : "all";
}

static void a_server_that_needs_a_handshake_is_asked_for_one_at_once(void) {
    memory m = begin(0);
    CHECK_STRING(wanted(&m, "https://a.example/mcp"), "all");
    learn(&m, "https://a.example/mcp", "2025-06-18");
    CHECK_STRING(wanted(&m, "https://a.example/mcp"), LEGACY);
    CHECK_STRING(wanted(&m, "https://A.example/other?x#y"), LEGACY);
    finish(&m);
}

static void other_origins_are_not_concerned(void) {
    static const char *const urls[] = {"http://a.example/mcp", "https://a.example:8443/mcp",
                                       "https://b.a.example/mcp", "https://a.exampl"};
    memory m = begin(0);
    learn(&m, "https://a.example/mcp", "2025-06-18");
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        CHECK_STRING(wanted(&m, urls[i]), "all");
    }
    finish(&m);
}

static void a_server_that_has_learned_is_asked_as_others_are(void) {
    memory m = begin(0);
    learn(&m, "https://a.example", "2025-06-18");
    learn(&m, "https://a.example", MODERN);
    CHECK_STRING(wanted(&m, "https://a.example"), "all");
    learn(&m, "https://a.example", "2025-06-18");
    learn(&m, "https://a.example", NULL);
    CHECK_STRING(wanted(&m, "https://a.example"), "all");
    finish(&m);
}

static void what_the_config_says_is_kept(void) {
    memory m = begin(0);
    learn(&m, "https://a.example", "2025-06-18");
    m.config.revisions = "2025-06-18 " MODERN;
    CHECK_STRING(wanted(&m, "https://a.example"), "2025-06-18");
    m.config.revisions = MODERN;
    CHECK_STRING(wanted(&m, "https://a.example"), MODERN);
    finish(&m);
}

static void the_oldest_is_forgotten_first(void) {
    memory m = begin(2);
    learn(&m, "https://a", "2025-06-18");
    learn(&m, "https://b", "2025-06-18");
    learn(&m, "https://a", "2025-06-18");
    learn(&m, "https://c", "2025-06-18");
    CHECK_STRING(wanted(&m, "https://a"), LEGACY);
    CHECK_STRING(wanted(&m, "https://b"), "all");
    CHECK_STRING(wanted(&m, "https://c"), LEGACY);
    finish(&m);
}

static void without_memory_nothing_is_remembered(void) {
    for (size_t n = 1; n < 4; n++) {
        counting counted = {.fail_at = n};
        const mcpw_allocator allocator = counting_allocator(&counted);
        memory m = begin(0);
        mcpw_http_origins_free(m.origins);
        m.origins = mcpw_http_origins_new(0, &allocator);
        CHECK((m.origins == NULL) == (n == 1));
        if (m.origins != NULL) {
            learn(&m, "https://a", "2025-06-18");
            CHECK_STRING(wanted(&m, "https://a"), n == 2 ? "all" : LEGACY);
        }
        finish(&m);
        CHECK(counted.in_use == 0);
    }
}

int main(void) {
    RUN(a_server_that_needs_a_handshake_is_asked_for_one_at_once);
    RUN(other_origins_are_not_concerned);
    RUN(a_server_that_has_learned_is_asked_as_others_are);
    RUN(what_the_config_says_is_kept);
    RUN(the_oldest_is_forgotten_first);
    RUN(without_memory_nothing_is_remembered);
    return check_end();
}
