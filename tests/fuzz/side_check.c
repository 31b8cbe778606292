/* SPDX-License-Identifier: MIT */
/* The output of a session is checked by its revision, and against the requests that came. */
#include "side.h"

#include <mcpw/json.h>

/* In the revision that is settled, or while none is, in the newest that has it. */
static void expect_message(side *s, const char *line, size_t len) {
    const mcpw_revision *const revision = mcpw_session_revision(s->session);
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    if (revision != NULL) {
        (void)known_expect(&s->known, revision, line, len);
        return;
    }
    while (count > 0 && !known_expect(&s->known, all[count - 1], line, len)) {
        count--;
    }
}

void side_expect(side *s, const char *text, size_t len) {
    while (len != 0) {
        const char *const end = memchr(text, '\n', len);
        const size_t n = end != NULL ? (size_t)(end - text) : len;
        expect_message(s, text, n);
        text += n + (end != NULL);
        len -= n + (end != NULL);
    }
}

void side_overhear(side *s, const char *piece, size_t len) {
    s->line = realloc(s->line, s->line_len + len + 1);
    FUZZ_ASSERT(s->line != NULL);
    memcpy(s->line + s->line_len, piece, len);
    s->line_len += len;
    const char *at = s->line;
    const char *const end = s->line + s->line_len;
    const char *newline = memchr(at, '\n', s->line_len);
    while (newline != NULL) {
        expect_message(s, at, (size_t)(newline - at));
        at = newline + 1;
        newline = memchr(at, '\n', (size_t)(end - at));
    }
    s->line_len = (size_t)(end - at);
    memmove(s->line, at, s->line_len);
}

static bool is_message(const side *s, const mcpw_revision *revision, const char *line, size_t len,
                       mcpw_error *error) {
    /* it passes on what it does not know, as its peer said it */
    const unsigned flags = s->relay_to != NULL ? MCPW_ALLOW_UNKNOWN : 0;
    return known_is_message(&s->known, revision, flags, line, len, error);
}

static void check_line(const side *s, const char *line, size_t len) {
    if (getenv("MCPW_FUZZ_VERBOSE") != NULL) {
        (void)fprintf(stderr, "%s: %.*s\n", s->dispatch.role == MCPW_ROLE_CLIENT ? "client" : "server",
                      (int)len, line);
    }
    const mcpw_revision *const revision = mcpw_session_revision(s->session);
    mcpw_error error = {0};
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    bool good = revision != NULL && is_message(s, revision, line, len, &error);
    for (size_t i = 0; i < count && !good; i++) { /* of any, while none is settled */
        good = (revision == NULL || known_has(&s->known, all[i])) && is_message(s, all[i], line, len, &error);
    }
    if (!good) {
        (void)fprintf(stderr, "%s: %s: %s\n%.*s\n",
                      revision != NULL ? mcpw_revision_name(revision) : "any revision", error.path,
                      error.message, (int)len, line);
    }
    FUZZ_ASSERT(good);
    FUZZ_ASSERT(len != 0 && memchr(line, '\r', len) == NULL);
}

void side_check(side *s, const char *line, size_t len) {
    check_line(s, line, len);
    const mcpw_json message = mcpw_json_of(line, len);
    mcpw_json result = {NULL, 0, 0};
    mcpw_json state = {NULL, 0, 0};
    if (mcpw_json_get(message, "result", &result) == MCPW_OK &&
        mcpw_json_get(result, "requestState", &state) == MCPW_OK && state.len < sizeof s->state) {
        (void)snprintf(s->state, sizeof s->state, "%.*s", (int)state.len, state.ptr);
    }
}
