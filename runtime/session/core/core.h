/* SPDX-License-Identifier: MIT */
/* core/: the objects of a session, and what every other folder does with them. */
/* Parts that every file of a session may use: its memory, its diagnostics, its time, and hashes that a peer
 * cannot foresee. */
#ifndef MCPW_CORE_H
#define MCPW_CORE_H

#include "objects.h"

static const mcpw_json no_json = {NULL, 0, 0};
static const mcpw_str no_str = {NULL, 0};

static inline bool mcpw_endpoint_serves(const mcpw_endpoint *endpoint) {
    return endpoint->config.role == MCPW_ROLE_SERVER;
}

static inline bool mcpw_is_server(const mcpw_session *session) {
    return session->config->role == MCPW_ROLE_SERVER;
}

static inline mcpw_text mcpw_endpoint_text(const mcpw_endpoint *endpoint) {
    mcpw_text text = MCPW_TEXT_INIT;
    text.buffer.allocator = endpoint->config.allocator;
    return text;
}

/* A text that takes its memory where the session does. */
static inline mcpw_text mcpw_session_text(const mcpw_session *session) {
    mcpw_text text = MCPW_TEXT_INIT;
    text.buffer.allocator = session->config->allocator;
    return text;
}

/* Empties an arena. The memory of a large message is given back. */
static inline void mcpw_arena_tidy(mcpw_arena *arena) {
    if (arena->total > MCPW_KEPT_ARENA) {
        mcpw_arena_free(arena);
    } else {
        mcpw_arena_reset(arena);
    }
}

/* Gives an error its text where a failure left none. Its code was set to MCPW_OK before. Only a want of
 * memory comes without a text, and its name says all. */
static inline void mcpw_explain(mcpw_error *error, mcpw_status status) {
    if (error->code != status) {
        mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
    }
}

/* The time that is so many milliseconds later, or the latest there is. */
static inline uint64_t mcpw_later(uint64_t now, uint64_t ms) {
    return ms > UINT64_MAX - now ? UINT64_MAX : now + ms;
}

/* For a failure that no caller is left to get. */
static inline void mcpw_ignore(mcpw_status status) { (void)status; }

/* Zeroed memory of the session's allocator; NULL when there is none. */
void *mcpw_session_alloc(mcpw_session *session, size_t size);
void mcpw_session_release(mcpw_session *session, void *ptr, size_t size);
/* Zeroed memory that lives as long as the session; NULL when memory runs out. */
void *mcpw_session_room(mcpw_session *session, size_t size);
/* A copy that lives as long as the session, with a NUL after it; absent when memory runs out. */
mcpw_json mcpw_session_keep(mcpw_session *session, mcpw_json value);
/* Gives back what lives as long as the session, but for what was there before. */
void mcpw_session_forget(mcpw_session *session, const mcpw_kept *before);
void mcpw_session_diagnose(mcpw_session *session, mcpw_diagnostic_kind kind, const mcpw_id *id,
                           mcpw_str method, const mcpw_error *error);
void mcpw_session_emit_diagnostic(mcpw_session *session, const mcpw_diagnostic *diagnostic);
/* Hashes of what the peer chose. They begin with the address of the session, which the peer does not know. So
 * it cannot choose names that all fall into one bucket. */
static const uint64_t mcpw_odd = UINT64_C(0x9e3779b97f4a7c15); /* 2^64 over the golden ratio */
static inline uint64_t mcpw_hash_begin(const mcpw_session *session, mcpw_id_kind kind) {
    return ((uint64_t)(uintptr_t)session + (uint64_t)kind) * mcpw_odd;
}
static inline uint64_t mcpw_hash_end(uint64_t hash) { return (hash ^ hash >> 32) * mcpw_odd; }
uint64_t mcpw_session_hash(const mcpw_session *session, mcpw_str text);
static inline uint64_t mcpw_session_hash_id(const mcpw_session *session, const mcpw_id *id) {
    return id->kind == MCPW_ID_STRING
               ? mcpw_session_hash(session, id->as.string)
               : mcpw_hash_end((mcpw_hash_begin(session, id->kind) ^ (uint64_t)id->as.integer) * mcpw_odd);
}
/* The hash of a text in a table. */
static inline uint32_t mcpw_session_hash32(const mcpw_session *session, mcpw_str text) {
    return (uint32_t)(mcpw_session_hash(session, text) >> 32);
}
bool mcpw_id_equal(const mcpw_id *a, const mcpw_id *b);

#endif
