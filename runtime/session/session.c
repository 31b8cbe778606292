/* SPDX-License-Identifier: MIT */
/* A session: how it is made and ended, what goes in and comes out, what time it is. */
#include "broken.h"
#include "call.h"
#include "capability.h"
#include "close.h"
#include "dialect.h"
#include "dispatch.h"
#include "endpoint.h"
#include "listen.h"
#include "open.h"
#include "outbound.h"
#include "receive.h"
#include "request.h"
#include "threads.h"
#include "watch.h"

/* ---- Making one ---- */

static void release_principal(mcpw_session *session) {
    mcpw_session_release(session, (void *)(uintptr_t)session->principal.ptr, session->principal.len + 1);
    session->principal = no_str;
}

mcpw_status mcpw_session_set_principal(mcpw_session *session, mcpw_str principal) {
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_set_principal", NULL);
    }
    char *const copy = principal.ptr != NULL ? mcpw_session_alloc(session, principal.len + 1) : NULL;
    if (copy == NULL && principal.ptr != NULL) { /* uncovered: no memory, at one more place */
        return MCPW_E_MEMORY;
    }
    if (copy != NULL) {
        memcpy(copy, principal.ptr, principal.len);
    }
    release_principal(session);
    session->principal.ptr = copy;
    session->principal.len = principal.len;
    return MCPW_OK;
}

static mcpw_session *refuse_memory(mcpw_error *error) {
    mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    return NULL;
}

mcpw_session *mcpw_session_from(mcpw_endpoint *endpoint, void *user, mcpw_error *error) {
    if (endpoint == NULL) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "a session needs an endpoint: see mcpw_endpoint_new");
        return NULL;
    }
    const mcpw_session_config *const config = &endpoint->config;
    mcpw_session *const session = mcpw_resize(&config->allocator, NULL, 0, sizeof *session);
    if (session == NULL) {
        return refuse_memory(error);
    }
    memset(session, 0, sizeof *session);
    mcpw_endpoint_hold(endpoint);
    session->endpoint = endpoint;
    session->config = config;
    session->user = user != NULL ? user : config->user;
    session->course = &mcpw_dispatch_course;
    session->dialect = endpoint->dialects + (endpoint->dialect_count - 1);
    session->scratch = (mcpw_arena)MCPW_ARENA_INIT;
    session->framer = (mcpw_framer)MCPW_FRAMER_INIT;
    session->framer.limit = config->max_message;
    session->output = (mcpw_buffer)MCPW_BUFFER_INIT;
    session->scratch.allocator = config->allocator;
    session->framer.kept.allocator = session->output.allocator = config->allocator;
    session->held = session->output;
    memcpy(session->values, endpoint->values, sizeof endpoint->values);
    session->value_count = endpoint->value_count;
    session->next_id = 1;
    session->open_due = session->end_at = UINT64_MAX;
    mcpw_pending_init(session);
    session->id_buckets = MCPW_ID_BUCKETS;
    session->relays_end = &session->relays;
    session->link.session = session;
    atomic_init(&session->misused, NULL);
    if (mcpw_session_set_principal(session, config->principal) != MCPW_OK) {
        session->closed = true; /* it never lived: nobody is told */
        mcpw_session_free(session);
        return refuse_memory(error);
    }
    if (mcpw_is_server(session) && config->server != NULL) {
        mcpw_server_attach(config->server, &session->link);
    }
    return session;
}

mcpw_session *mcpw_session_new(const mcpw_session_config *config, mcpw_error *error) {
    mcpw_endpoint *const own = mcpw_endpoint_new(config, error);
    mcpw_session *const session = own != NULL ? mcpw_session_from(own, NULL, error) : NULL;
    mcpw_endpoint_free(own); /* the session holds it */
    return session;
}

void mcpw_session_free(mcpw_session *session) {
    if (session == NULL) {
        return;
    }
    mcpw_endpoint *const endpoint = session->endpoint;
    mcpw_session_take(session);
    mcpw_session_close(session);
    mcpw_session_await_detached(session);
    mcpw_server_detach(&session->link);
    mcpw_requests_free(session);
    mcpw_pending_free(session);
    mcpw_declared_free(session);
    mcpw_watch_free(session);
    mcpw_watched_free(session);
    release_principal(session);
    mcpw_framer_free(&session->framer);
    mcpw_buffer_free(&session->output);
    mcpw_buffer_free(&session->held);
    mcpw_arena_free(&session->scratch);
    mcpw_session_forget(session, NULL);
    mcpw_session_leave(session);
    mcpw_session_release(session, session, sizeof *session);
    mcpw_endpoint_free(endpoint);
}

void mcpw_session_trim(mcpw_session *session) {
    if (mcpw_session_is_away(session)) {
        mcpw_ignore(mcpw_session_misused(session, "mcpw_session_trim", NULL));
        return;
    }
    if (session->feeding) {
        return; /* from a callback: what was received is still in use */
    }
    mcpw_requests_free(session);
    mcpw_pending_trim(session);
    mcpw_watched_free(session);
    mcpw_arena_free(&session->scratch);
    if (session->sent == session->output.len) {
        session->sent = session->output.len = 0;
        mcpw_buffer_free(&session->output);
    }
    if (session->framer.kept.len == 0 || session->framer.given) {
        mcpw_buffer_free(&session->framer.kept);
        session->framer.given = false;
    }
}

/* ---- Bytes ---- */

/* Handles lines, until there are none or, where it may stop for that, the output is full. */
static mcpw_status take_lines(mcpw_session *session, const char **at, size_t *len, bool stops) {
    mcpw_status outcome = MCPW_OK;
    while (!session->closed && !(stops && mcpw_session_is_full(session))) {
        mcpw_str line;
        mcpw_status status = mcpw_framer_next(&session->framer, at, len, &line);
        if (status == MCPW_PENDING) {
            return outcome;
        }
        if (status == MCPW_OK) {
            status = mcpw_receive_line(session, line);
        } else if (status == MCPW_E_SIZE) {
            mcpw_receive_too_long(session);
            status = MCPW_OK;
        }
        outcome = status != MCPW_OK ? status : outcome;
    }
    return session->closed ? MCPW_E_CLOSED : outcome;
}

/* Where there is no room to hold input it is handled at once, whatever answers it makes: none may be lost. */
static mcpw_status take_held(mcpw_session *session, bool stops) {
    const char *at = session->held.data + session->held_from;
    size_t len = session->held.len - session->held_from;
    const mcpw_status status = take_lines(session, &at, &len, stops);
    session->held_from = session->held.len - len;
    if (len == 0 || session->closed) {
        mcpw_buffer_free(&session->held);
        session->held_from = 0;
    }
    return status;
}

static mcpw_status feed(mcpw_session *session, const char *at, size_t len) {
    mcpw_status status = MCPW_OK;
    if (session->held.len != 0) {
        if (mcpw_buffer_append(&session->held, at, len) == MCPW_OK) {
            return MCPW_OK;
        }
        status = take_held(session, false); /* uncovered: no memory: what was begun is taken back */
    }
    const mcpw_status taken = take_lines(session, &at, &len, true);
    status = taken != MCPW_OK ? taken : status;
    if (len != 0 && !session->closed && mcpw_buffer_append(&session->held, at, len) != MCPW_OK) {
        status = take_lines(session, &at, &len, false);
    }
    return status;
}

mcpw_status mcpw_session_feed(mcpw_session *session, const void *bytes, size_t len) {
    if (mcpw_session_is_away(session)) {
        /* uncovered: the wrong thread; test_threads_misuse has it elsewhere */
        return mcpw_session_misused(session, "mcpw_session_feed", NULL);
    }
    if (session->feeding) {
        return MCPW_E_STATE; /* from a callback: the line that it is called for is still in use */
    }
    if (session->closed) {
        return MCPW_E_CLOSED;
    }
    session->feeding = true;
    const mcpw_status status = feed(session, bytes, len);
    session->feeding = false;
    return status;
}

static mcpw_status end_input(mcpw_session *session);

/* The peer has read: what had to wait for that. */
static void go_on_after_output(mcpw_session *session) {
    if (session->feeding || session->closed || mcpw_session_is_full(session)) {
        return;
    }
    mcpw_session_tell_owed(session);
    if (session->held.len != 0) {
        session->feeding = true;
        const mcpw_status status = take_held(session, true);
        session->feeding = false;
        if (status == MCPW_E_MEMORY) {
            mcpw_error error;
            /* uncovered: no memory: what was begun is taken back */
            mcpw_error_set(&error, status, 0, "a message was lost: %s", mcpw_status_text(status));
            mcpw_session_note(session, MCPW_NOTE_BAD_LINE, NULL, no_str, &error);
        }
    }
    if (session->end_due && session->held.len == 0) {
        session->end_due = false;
        mcpw_ignore(end_input(session)); /* MCPW_E_CLOSED, or what is told by on_note */
    }
}

mcpw_status mcpw_session_end_input(mcpw_session *session) {
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_end_input", NULL);
    }
    if (session->closed || session->input_ended || session->end_due) {
        return MCPW_E_CLOSED;
    }
    if (session->feeding) {
        return MCPW_E_STATE;
    }
    session->end_due = session->held.len != 0;
    return session->end_due ? MCPW_OK : end_input(session);
}

static mcpw_status end_input(mcpw_session *session) {
    mcpw_str line;
    mcpw_status status = MCPW_OK;
    if (session->closed) { /* uncovered: a closed session took its requests along */
        return MCPW_E_CLOSED;
    }
    session->feeding = true;
    if (mcpw_framer_end(&session->framer, &line) == MCPW_OK) {
        status = mcpw_receive_line(session, line);
    }
    session->feeding = false;
    mcpw_session_input_ended(session);
    return status;
}

size_t mcpw_session_output(mcpw_session *session, const char **bytes) {
    if (mcpw_session_is_away(session)) {
        mcpw_ignore(mcpw_session_misused(session, "mcpw_session_output", NULL));
        *bytes = NULL;
        return 0;
    }
    *bytes = session->output.data != NULL ? session->output.data + session->sent : NULL;
    return session->output.len - session->sent;
}

void mcpw_session_sent(mcpw_session *session, size_t len) {
    if (mcpw_session_is_away(session)) {
        mcpw_ignore(mcpw_session_misused(session, "mcpw_session_sent", NULL));
        return;
    }
    const size_t waiting = session->output.len - session->sent;
    session->sent += len < waiting ? len : waiting;
    if (session->sent == session->output.len) {
        session->sent = session->output.len = 0;
        if (session->output.capacity > MCPW_KEPT_OUTPUT) { /* uncovered: 16 MB of output that waited */
            mcpw_buffer_free(&session->output);
        }
    } else if (session->sent > session->output.len / 2 && session->sent > MCPW_KEPT_ARENA) {
        /* Every byte is moved once at most for each byte that was sent. */
        memmove(session->output.data, session->output.data + session->sent,
                session->output.len - session->sent);
        session->output.len -= session->sent;
        session->sent = 0;
    }
    go_on_after_output(session);
}

bool mcpw_session_wants_input(const mcpw_session *session) {
    return !session->closed && !session->input_ended && !session->end_due && session->held.len == 0 &&
           !mcpw_session_is_full(session);
}

/* ---- Time and the end ---- */

void mcpw_session_advance(mcpw_session *session, uint64_t now) {
    if (mcpw_session_is_away(session)) {
        mcpw_ignore(mcpw_session_misused(session, "mcpw_session_advance", NULL));
        return;
    }
    session->now = now > session->now ? now : session->now;
    if (session->executor != NULL) {
        mcpw_session_tell_misuse(session);
    }
    if (!session->closed) {
        mcpw_call_timeouts(session);
    }
    if (session->opening && session->now >= session->open_due) {
        mcpw_open_overdue(session);
    }
    if (session->now >= session->end_at) {
        mcpw_session_close(session);
    }
}

uint64_t mcpw_session_deadline(const mcpw_session *session) {
    const mcpw_pending *const p = mcpw_pending_first_due(session);
    const uint64_t end_at = session->requests != NULL ? session->end_at : UINT64_MAX;
    uint64_t due = p != NULL && p->due < session->open_due ? p->due : session->open_due;
    due = due < end_at ? due : end_at;
    return session->closed ? UINT64_MAX : due;
}

bool mcpw_session_is_stalled(const mcpw_session *session) {
    return session->input_ended && session->pending.oldest == NULL;
}

bool mcpw_session_is_busy(const mcpw_session *session) {
    return session->requests != NULL || session->held.len != 0;
}
