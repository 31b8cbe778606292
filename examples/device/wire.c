/* SPDX-License-Identifier: MIT */
#include "wire.h"

#include <mcpw/envelope.h>
#include <mcpw/frame.h>

#include <string.h>

enum { LINE_END = 2, REQUESTS = 2 };

static void tell(const wire *w, const char *text) { w->config.log(w->config.user, text); }

static void tell_diagnostic(void *user, mcpw_session *session, const mcpw_diagnostic *diagnostic) {
    (void)session;
    tell(user, diagnostic->error->message);
}

static void advance(wire *w) {
    if (w->session != NULL) {
        mcpw_session_advance(w->session, w->now);
    }
}

bool wire_restart(wire *w) {
    mcpw_session_free(w->session);
    w->session = mcpw_session_from(w->endpoint, NULL, NULL);
    w->len = 0;
    w->is_long = false;
    advance(w);
    return w->session != NULL;
}

bool wire_open(wire *w, const wire_config *config) {
    mcpw_server_config server = MCPW_SERVER_CONFIG_INIT;
    mcpw_session_config session = MCPW_SESSION_CONFIG_INIT;
    memset(w, 0, sizeof *w);
    w->config = *config;
    pool_open(&w->heap, config->memory, config->memory_size);
    server.name = config->name;
    server.version = config->version;
    server.allocator = (mcpw_allocator){pool_resize, &w->heap};
    w->server = mcpw_server_new_with(&server, NULL);
    if (w->server == NULL || config->add(w->server, config->user) != MCPW_OK) {
        return false;
    }
    session.role = MCPW_ROLE_SERVER;
    session.server = w->server;
    session.allocator = server.allocator;
    session.max_message = config->line_size - LINE_END; /* so that a full block is too long without a copy */
    session.max_output = config->max_output;
    session.max_requests = REQUESTS;
    session.on_diagnostic = tell_diagnostic;
    session.diagnostic_user = w;
    w->endpoint = mcpw_endpoint_new(&session, NULL);
    return w->endpoint != NULL && wire_restart(w);
}

/* Hands bytes to the session. One that cannot go on makes room for the next one. */
static void feed(wire *w, const char *bytes, size_t len) {
    if (w->session == NULL && !wire_restart(w)) {
        tell(w, "no memory for a session");
        return;
    }
    const mcpw_status status = mcpw_session_feed(w->session, bytes, len);
    if (status == MCPW_E_MEMORY) {
        tell(w, "a message was lost: the memory is too small");
    } else if (status != MCPW_OK) {
        (void)wire_restart(w); /* else the next line tries again */
    }
}

/* Whether a line opens a session, though there is one. */
static bool reopens(const wire *w) {
    static const char initialize[] = "\"initialize\"";
    const mcpw_json text = {w->config.line, w->len, 0};
    mcpw_message_envelope envelope;
    if (w->session == NULL || mcpw_session_revision(w->session) == NULL ||
        mcpw_envelope_read(&envelope, text, 0, NULL) != MCPW_OK) {
        return false;
    }
    const mcpw_json method = envelope.at[MCPW_AT_METHOD];
    return method.len == sizeof initialize - 1 && memcmp(method.ptr, initialize, method.len) == 0;
}

static void end_line(wire *w) {
    const size_t len = w->len;
    if (reopens(w)) {
        tell(w, "a client begins: the session before it has ended");
        (void)wire_restart(w); /* else feed tries again, and says so */
    }
    feed(w, w->config.line, len);
    w->len = 0;
    w->is_long = false;
}

/* The line does not fit. The session refuses it by its beginning, and skips the rest. */
static void give_up(wire *w) {
    feed(w, w->config.line, w->len);
    w->len = 0;
    w->is_long = true;
}

static void add(wire *w, const char *bytes, size_t len) {
    if (w->is_long) {
        feed(w, bytes, len);
        w->is_long = bytes[len - 1] != '\n';
        return;
    }
    while (len != 0) {
        const size_t room = w->config.line_size - w->len;
        const size_t part = len < room ? len : room;
        memcpy(w->config.line + w->len, bytes, part);
        w->len += part;
        bytes += part;
        len -= part;
        if (w->config.line[w->len - 1] == '\n') {
            end_line(w);
        } else if (w->len == w->config.line_size) {
            give_up(w);
            if (len != 0) {
                add(w, bytes, len); /* as the rest of a long line, once */
            }
            return;
        }
    }
}

size_t wire_take(wire *w, const char *bytes, size_t len, uint64_t now) {
    const char *const end = memchr(bytes, '\n', len);
    const size_t taken = end != NULL ? (size_t)(end - bytes) + 1 : len;
    w->now = w->latest = now;
    if (taken != 0) {
        add(w, bytes, taken);
    }
    advance(w);
    return taken;
}

void wire_wait(wire *w, uint64_t now) {
    w->now = now;
    if (w->config.quiet_ms != 0 && now - w->latest >= w->config.quiet_ms && (w->len != 0 || w->is_long)) {
        tell(w, "a line stopped in the middle");
        add(w, "\n", 1);
    }
    advance(w);
}

size_t wire_output(wire *w, const char **bytes) {
    *bytes = NULL;
    return w->session != NULL ? mcpw_session_output(w->session, bytes) : 0;
}

void wire_sent(wire *w, size_t len) {
    if (w->session != NULL) {
        mcpw_session_sent(w->session, len);
    }
}
