/* SPDX-License-Identifier: MIT */
/* What a session says is held against its revision, and against the requests that came. */
#include "side.h"

#include <mcpw/json.h>

static void text_of_id(const mcpw_id *id, char out[SIDE_ID]) {
    if (id->kind == MCPW_ID_STRING) {
        (void)snprintf(out, SIDE_ID, "\"%.*s", (int)(id->as.string.len % SIDE_ID), id->as.string.ptr);
    } else {
        (void)snprintf(out, SIDE_ID, "%lld", id->kind == MCPW_ID_INTEGER ? (long long)id->as.integer : -1LL);
    }
}

typedef struct resolver {
    const side *of;
    const mcpw_revision *revision;
    bool plain; /* who has no tasks answers as if none had been asked for */
} resolver;

static mcpw_answer resolve(void *user, const mcpw_id *id) {
    const resolver *const r = user;
    mcpw_answer out = {0, false};
    char text[SIDE_ID];
    text_of_id(id, text);
    for (size_t i = 0; i < r->of->known_count && i < SIDE_KNOWN; i++) {
        const side_known *const k = r->of->known + i;
        if (strcmp(k->id, text) == 0) {
            if (out.method != 0) { /* sent twice: who knows */
                out.method = 0;
                return out;
            }
            out.method = mcpw_method_number(r->revision, k->method, strlen(k->method));
            out.task = k->task && !r->plain;
        }
    }
    return out;
}

/* Whether it is a message of the revision. */
static bool expect_line(side *s, const mcpw_revision *revision, const char *line, size_t len) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_envelope found = {0};
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = MCPW_ALLOW_UNKNOWN | MCPW_NULL_IS_ABSENT | MCPW_PEER_DEFAULTS; /* all that it may take */
    const bool good =
        mcpw_message_validate(revision, line, len, &arena, NULL, NULL, &found, &options, NULL) == MCPW_OK;
    if (good && found.kind == MCPW_MESSAGE_REQUEST && found.method_name.len < SIDE_METHOD) {
        side_known *const k = s->known + s->known_count++ % SIDE_KNOWN;
        text_of_id(&found.id, k->id);
        (void)snprintf(k->method, sizeof k->method, "%.*s", (int)found.method_name.len,
                       found.method_name.ptr);
        k->task = found.task;
        k->revision = revision;
    }
    mcpw_arena_free(&arena);
    return good;
}

/* In the revision that is settled, or while none is, in the newest that has it. */
static void expect_message(side *s, const char *line, size_t len) {
    const mcpw_revision *const revision = mcpw_session_revision(s->session);
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    if (revision != NULL) {
        (void)expect_line(s, revision, line, len);
        return;
    }
    while (count > 0 && !expect_line(s, all[count - 1], line, len)) {
        count--;
    }
}

/* Whether a request of that revision came, before another one was settled. */
static bool expects(const side *s, const mcpw_revision *revision) {
    size_t i = 0;
    while (i < s->known_count && i < SIDE_KNOWN && s->known[i].revision != revision) {
        i++;
    }
    return i < s->known_count && i < SIDE_KNOWN;
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
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    if (s->relay_to != NULL) { /* it passes on what it does not know, as its peer said it */
        options.flags = MCPW_ALLOW_UNKNOWN;
    }
    resolver r = {s, revision, false};
    mcpw_status status =
        mcpw_message_validate(revision, line, len, &arena, resolve, &r, NULL, &options, error);
    if (status != MCPW_OK) {
        r.plain = true;
        status = mcpw_message_validate(revision, line, len, &arena, resolve, &r, NULL, &options, error);
    }
    mcpw_arena_free(&arena);
    return status == MCPW_OK;
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
        good = (revision == NULL || expects(s, all[i])) && is_message(s, all[i], line, len, &error);
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
    const mcpw_json message = {line, len};
    mcpw_json result = {NULL, 0};
    mcpw_json state = {NULL, 0};
    if (mcpw_json_get(message, "result", &result) == MCPW_OK &&
        mcpw_json_get(result, "requestState", &state) == MCPW_OK && state.len < sizeof s->state) {
        (void)snprintf(s->state, sizeof s->state, "%.*s", (int)state.len, state.ptr);
    }
}
