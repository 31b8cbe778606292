/* SPDX-License-Identifier: MIT */
#include "side_known.h"

#include <mcpw/message.h>

static size_t held(const known_requests *known) {
    return known->count < KNOWN_REQUESTS ? known->count : KNOWN_REQUESTS;
}

static void text_of_id(const mcpw_id *id, char out[KNOWN_ID]) {
    if (id->kind == MCPW_ID_STRING) {
        (void)snprintf(out, KNOWN_ID, "\"%.*s", (int)(id->as.string.len % KNOWN_ID), id->as.string.ptr);
    } else {
        (void)snprintf(out, KNOWN_ID, "%lld", id->kind == MCPW_ID_INTEGER ? (long long)id->as.integer : -1LL);
    }
}

typedef struct resolver {
    const known_requests *of;
    const mcpw_revision *revision;
    bool plain; /* who has no tasks answers as if none had been asked for */
} resolver;

static mcpw_answered_request resolve(void *user, const mcpw_id *id) {
    const resolver *const r = user;
    mcpw_answered_request out = {0, false};
    char text[KNOWN_ID];
    text_of_id(id, text);
    for (size_t i = 0; i < held(r->of); i++) {
        const known_request *const k = r->of->list + i;
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

bool known_expect(known_requests *known, const mcpw_revision *revision, const char *text, size_t len) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_envelope found = {0};
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = MCPW_ALLOW_UNKNOWN | MCPW_NULL_IS_ABSENT | MCPW_PEER_DEFAULTS; /* all that it may take */
    const bool good =
        mcpw_message_validate(revision, text, len, &arena, NULL, NULL, &found, &options, NULL) == MCPW_OK;
    if (good && found.kind == MCPW_MESSAGE_REQUEST && found.method_name.len < KNOWN_METHOD) {
        known_request *const k = known->list + known->count++ % KNOWN_REQUESTS;
        text_of_id(&found.id, k->id);
        (void)snprintf(k->method, sizeof k->method, "%.*s", (int)found.method_name.len,
                       found.method_name.ptr);
        k->task = found.task;
        k->revision = revision;
    }
    mcpw_arena_free(&arena);
    return good;
}

bool known_has(const known_requests *known, const mcpw_revision *revision) {
    size_t i = 0;
    while (i < held(known) && known->list[i].revision != revision) {
        i++;
    }
    return i < held(known);
}

bool known_is_message(const known_requests *known, const mcpw_revision *revision, unsigned flags,
                      const char *text, size_t len, mcpw_error *error) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    resolver r = {known, revision, false};
    options.flags = flags;
    mcpw_status status =
        mcpw_message_validate(revision, text, len, &arena, resolve, &r, NULL, &options, error);
    if (status != MCPW_OK) {
        r.plain = true;
        status = mcpw_message_validate(revision, text, len, &arena, resolve, &r, NULL, &options, error);
    }
    mcpw_arena_free(&arena);
    return status == MCPW_OK;
}
