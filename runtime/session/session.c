/* SPDX-License-Identifier: MIT */
/* A session: how it is made and ended, what goes in and comes out, what time it is. */
#include "call.h"
#include "capability.h"
#include "close.h"
#include "dialect.h"
#include "dispatch.h"
#include "listen.h"
#include "open.h"
#include "outbound.h"
#include "receive.h"
#include "request.h"
#include "threads.h"

static const uint64_t default_timeout = 60000;
static const uint64_t default_timeout_max = 600000;
/* A server that was started by npx or uvx needs several seconds until it reads. One with a handshake that
 * does not answer what it does not know makes its user wait that long: 10 s are enough for the most, and not
 * too long for these; who answers later is heard all the same. */
static const uint64_t default_discover_timeout = 10000;
/* Clients give a server two seconds to end before they send a signal: it should have gone by then. */
static const uint64_t default_end_grace = 1000;
static const uint64_t default_input_ttl = 3600000;
static const size_t default_max_output = (size_t)16 << 20;
static const size_t default_max_requests = 4096;
static const size_t default_max_request_bytes = (size_t)256 << 20;

/* ---- Making one ---- */

static mcpw_status keep_str(mcpw_session *session, const char **text) {
    if (*text != NULL) {
        *text = mcpw_arena_str(&session->memory, *text, strlen(*text)).ptr;
        return *text != NULL ? MCPW_OK : MCPW_E_MEMORY;
    }
    return MCPW_OK;
}

static mcpw_status keep_json(mcpw_session *session, mcpw_json *json, const char *what, mcpw_error *error) {
    if (json->ptr == NULL) {
        return MCPW_OK;
    }
    const mcpw_status status = mcpw_json_check(*json, 0, error);
    if (status != MCPW_OK || mcpw_json_kind_of(*json) != MCPW_JSON_OBJECT) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the config's %s is not a JSON object", what);
        return MCPW_E_ARGUMENT;
    }
    *json = mcpw_session_keep(session, *json);
    return json->ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
}

/* Whether the code of a server says that it sends log messages, by its slots or by what it declares. */
static bool says_it_logs(const mcpw_session_config *c) {
    static const char set_level[] = "logging/setLevel";
    static const char message[] = "notifications/message";
    const mcpw_dispatch *const d = c->dispatch;
    const int slot = d != NULL ? mcpw_method_number(d->revision, set_level, sizeof set_level - 1) : 0;
    const int sent = d != NULL ? mcpw_method_number(d->revision, message, sizeof message - 1) : 0;
    return (slot != 0 && d->has(c->handlers, slot)) ||
           (sent != 0 && d->sends != NULL && d->sends(c->handlers, sent)) ||
           mcpw_capability_in(c->capabilities, "logging");
}

static uint64_t or_default(uint64_t value, uint64_t otherwise) { return value != 0 ? value : otherwise; }

/* A text that the config does not give may be in its info. */
static mcpw_status take_from_info(mcpw_session *session, const char *name, const char **text) {
    const mcpw_json info = session->config.info;
    mcpw_str found = no_str;
    if (*text != NULL || info.ptr == NULL ||
        mcpw_json_get_string(info, name, &session->memory, &found) != MCPW_OK) {
        return session->memory.status;
    }
    *text = mcpw_arena_str(&session->memory, found.ptr, found.len).ptr;
    return session->memory.status;
}

static mcpw_status take_config(mcpw_session *session, mcpw_error *error) {
    mcpw_session_config *const c = &session->config;
    if (c->server != NULL) {
        const mcpw_server_base *const base = mcpw_server_base_of(c->server);
        c->name = c->name != NULL ? c->name : base->config.name;
        c->version = c->version != NULL ? c->version : base->config.version;
        c->instructions = c->instructions != NULL ? c->instructions : base->config.instructions;
        c->info = c->info.ptr != NULL ? c->info : base->config.info;
        c->logs = c->logs || base->logs;
    }
    mcpw_status status = keep_json(session, &c->info, "info", error);
    status = status == MCPW_OK ? take_from_info(session, "name", &c->name) : status;
    status = status == MCPW_OK ? take_from_info(session, "version", &c->version) : status;
    if (status != MCPW_OK) {
        return status;
    }
    if (c->name == NULL || c->version == NULL) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the config lacks the program's name or version");
        return MCPW_E_ARGUMENT;
    }
    if (c->dispatch != NULL && (c->handlers == NULL || c->dispatch->role != c->role)) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                       "the config's dispatch is of the other role, or has no handlers");
        return MCPW_E_ARGUMENT;
    }
    if (c->state_key.ptr != NULL && c->state_key.len < 32) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the config's state_key has fewer than 32 bytes");
        return MCPW_E_ARGUMENT;
    }
    c->max_message = (size_t)or_default(c->max_message, MCPW_DEFAULT_BYTES);
    c->max_output = (size_t)or_default(c->max_output, default_max_output);
    c->max_requests = (size_t)or_default(c->max_requests, default_max_requests);
    c->max_request_bytes = (size_t)or_default(c->max_request_bytes, default_max_request_bytes);
    c->request_timeout = or_default(c->request_timeout, default_timeout);
    c->request_timeout_max = or_default(c->request_timeout_max, default_timeout_max);
    c->discover_timeout = or_default(c->discover_timeout, default_discover_timeout);
    c->ask_timeout = or_default(c->ask_timeout, c->request_timeout_max); /* a person may have to think */
    c->input_ttl = or_default(c->input_ttl, default_input_ttl);
    c->end_grace = or_default(c->end_grace, default_end_grace);
    c->flags |= MCPW_ALLOW_UNKNOWN | (c->role == MCPW_ROLE_CLIENT ? (unsigned)MCPW_PEER_DEFAULTS : 0U);
    status = keep_str(session, &c->name);
    status = status == MCPW_OK ? keep_str(session, &c->version) : status;
    status = status == MCPW_OK ? keep_str(session, &c->instructions) : status;
    status = status == MCPW_OK ? keep_str(session, &c->revisions) : status;
    status = status == MCPW_OK ? keep_json(session, &c->capabilities, "capabilities", error) : status;
    c->logs = c->role == MCPW_ROLE_SERVER && (c->logs || (status == MCPW_OK && says_it_logs(c)));
    if (status == MCPW_OK && c->state_key.ptr != NULL) {
        c->state_key = mcpw_arena_str(&session->memory, c->state_key.ptr, c->state_key.len);
        session->state_key = c->state_key;
        status = c->state_key.ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
    }
    return status;
}

/* What a result carries where its revision wants it and the handler does not say. */
static mcpw_status set_result_values(mcpw_session *session) {
    static const mcpw_json complete = MCPW_JSON("\"complete\"");
    static const mcpw_json scopes[] = {MCPW_JSON("\"private\""), MCPW_JSON("\"public\"")};
    mcpw_text ttl = mcpw_session_text(session);
    mcpw_json text;
    mcpw_text_int(&ttl, session->config.cache_ttl);
    const mcpw_status status = mcpw_text_finish(&ttl, &session->memory, &text);
    mcpw_session_set_value(session, "resultType", complete);
    mcpw_session_set_value(session, "ttlMs", text);
    mcpw_session_set_value(session, "cacheScope", scopes[session->config.cache_public]);
    return status;
}

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

mcpw_session *mcpw_session_new(const mcpw_session_config *config, mcpw_error *error) {
    if (config == NULL || config->struct_size != sizeof *config ||
        (config->role != MCPW_ROLE_SERVER && config->role != MCPW_ROLE_CLIENT)) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                       "the config is NULL, not initialised with MCPW_SESSION_CONFIG_INIT, or has no role");
        return NULL;
    }
    mcpw_session *const session = mcpw_resize(&config->allocator, NULL, 0, sizeof *session);
    if (session == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return NULL;
    }
    memset(session, 0, sizeof *session);
    session->config = *config;
    session->course = &mcpw_dispatch_course;
    session->memory = (mcpw_arena)MCPW_ARENA_INIT;
    session->scratch = (mcpw_arena)MCPW_ARENA_INIT;
    session->framer = (mcpw_framer)MCPW_FRAMER_INIT;
    session->output = (mcpw_buffer)MCPW_BUFFER_INIT;
    session->memory.allocator = session->scratch.allocator = config->allocator;
    session->framer.kept.allocator = session->output.allocator = config->allocator;
    session->held = session->output;
    session->next_id = 1;
    session->open_due = session->end_at = UINT64_MAX;
    mcpw_pending_init(session);
    session->relays_end = &session->relays;
    session->link.session = session;
    atomic_init(&session->misused, NULL);
    mcpw_status status = take_config(session, error);
    status = status == MCPW_OK ? mcpw_session_set_principal(session, config->principal) : status;
    session->framer.limit = session->config.max_message;
    status = status == MCPW_OK ? mcpw_dialects_make(session, error) : status;
    status = status == MCPW_OK ? mcpw_capabilities_declare(session, error) : status;
    status = status == MCPW_OK ? set_result_values(session) : status;
    status = status == MCPW_OK ? mcpw_dialect_bind(session, session->dialect) : status;
    if (status != MCPW_OK) {
        if (status == MCPW_E_MEMORY) {
            mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
        }
        session->closed = true; /* it never lived: nobody is told */
        mcpw_session_free(session);
        return NULL;
    }
    if (mcpw_is_server(session) && session->config.server != NULL) {
        mcpw_server_attach(session->config.server, &session->link);
    }
    return session;
}

static void free_requests(mcpw_session *session, mcpw_request *first) {
    while (first != NULL) {
        mcpw_request *const r = first;
        first = r->next;
        mcpw_arena_free(&r->arena);
        mcpw_session_release(session, r, sizeof *r);
    }
}

void mcpw_session_free(mcpw_session *session) {
    if (session == NULL) {
        return;
    }
    const mcpw_allocator allocator = session->config.allocator;
    mcpw_session_take(session);
    mcpw_session_close(session);
    mcpw_session_await_detached(session);
    mcpw_server_detach(&session->link);
    free_requests(session, session->idle);
    free_requests(session, session->bare);
    mcpw_pending_free(session);
    mcpw_declared_free(session);
    mcpw_watch_free(session);
    release_principal(session);
    mcpw_framer_free(&session->framer);
    mcpw_buffer_free(&session->output);
    mcpw_buffer_free(&session->held);
    mcpw_arena_free(&session->scratch);
    mcpw_arena_free(&session->memory);
    mcpw_session_leave(session);
    (void)mcpw_resize(&allocator, session, sizeof *session, 0);
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
        if (session->output.capacity > default_max_output) { /* uncovered: 16 MB of output that waited */
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
