/* SPDX-License-Identifier: MIT */
/*
 * The stdio transport of a session: each message is a line. Input bytes are split into messages. Waiting
 * messages are written as they are, each with its line end.
 */
#include <mcpw/detail/framer.h>
#include <mcpw/frame.h>

#include "../session/attach.h"

typedef struct mcpw_lines {
    mcpw_stream stream; /* the first member, because the session refers to it */
    mcpw_framer framer;
    mcpw_buffer held; /* input that arrived while the output was full */
    size_t held_from;
} mcpw_lines;

static mcpw_lines *lines_in(const mcpw_session *session) { return (void *)mcpw_stream_of(session); }

/* ---- In ---- */

/* Handles lines until there are no more. With `stops` it also ends when the output is full. */
static mcpw_status take_lines(mcpw_session *session, const char **at, size_t *len, bool stops) {
    mcpw_lines *const lines = lines_in(session);
    mcpw_status outcome = MCPW_OK;
    while (mcpw_stream_takes(session, stops)) {
        mcpw_str line;
        mcpw_status status = mcpw_framer_next(&lines->framer, at, len, &line);
        if (status == MCPW_PENDING) {
            return outcome;
        }
        if (status == MCPW_OK) {
            status = mcpw_stream_take(session, line);
        } else if (status == MCPW_E_SIZE) {
            status = mcpw_stream_take_long(session);
        }
        outcome = status != MCPW_OK ? status : outcome;
    }
    return mcpw_session_is_closed(session) ? MCPW_E_CLOSED : outcome;
}

/* Handles the kept input. Input that cannot be kept for lack of memory is handled at once, whatever output it
 * causes, because no message may be lost. */
static mcpw_status take_held(mcpw_session *session, bool stops) {
    mcpw_lines *const lines = lines_in(session);
    const char *at = lines->held.data + lines->held_from;
    size_t len = lines->held.len - lines->held_from;
    const mcpw_status status = take_lines(session, &at, &len, stops);
    lines->held_from = lines->held.len - len;
    if (len == 0 || mcpw_session_is_closed(session)) {
        mcpw_buffer_free(&lines->held);
        lines->held_from = 0;
        lines->stream.waits = false;
    }
    return status;
}

static mcpw_status hold(mcpw_lines *lines, const char *at, size_t len) {
    const mcpw_status status = mcpw_buffer_append(&lines->held, at, len);
    lines->stream.waits = lines->held.len != 0;
    return status;
}

static mcpw_status feed(mcpw_session *session, const char *at, size_t len) {
    mcpw_lines *const lines = lines_in(session);
    mcpw_status status = MCPW_OK;
    if (lines->stream.waits) {
        if (hold(lines, at, len) == MCPW_OK) {
            return MCPW_OK;
        }
        status = take_held(session, false);
    }
    const mcpw_status taken = take_lines(session, &at, &len, true);
    status = taken != MCPW_OK ? taken : status;
    if (len != 0 && !mcpw_session_is_closed(session) && hold(lines, at, len) != MCPW_OK) {
        status = take_lines(session, &at, &len, false);
    }
    return status;
}

/* Handles a last line without line end. */
static mcpw_status end_lines(mcpw_session *session) {
    mcpw_lines *const lines = lines_in(session);
    mcpw_status status = MCPW_OK;
    mcpw_str line;
    lines->stream.ends = lines->stream.waits;
    if (lines->stream.ends) {
        return MCPW_PENDING;
    }
    if (mcpw_framer_end(&lines->framer, &line) != MCPW_OK) {
        return MCPW_OK;
    }
    status = mcpw_stream_enter(session, "mcpw_session_end_input");
    if (status == MCPW_OK) {
        status = mcpw_stream_take(session, line);
        mcpw_stream_leave(session);
    }
    return status;
}

static void go_on(mcpw_session *session) {
    mcpw_lines *const lines = lines_in(session);
    if (lines->stream.waits && mcpw_stream_enter(session, "mcpw_session_sent") == MCPW_OK) {
        const mcpw_status status = take_held(session, true);
        mcpw_stream_leave(session);
        if (status == MCPW_E_MEMORY) {
            mcpw_stream_lost(session, status);
        }
    }
    if (lines->stream.ends && !lines->stream.waits && !mcpw_session_is_closed(session)) {
        lines->stream.ends = false;
        (void)end_lines(session); /* on_diagnostic reports errors */
        mcpw_session_input_ended(session);
    }
}

/* ---- The layer ---- */

static void trim(mcpw_session *session) {
    mcpw_framer *const framer = &lines_in(session)->framer;
    if (framer->kept.len == 0 || framer->given) {
        mcpw_buffer_free(&framer->kept);
        framer->given = false;
    }
}

static void free_lines(mcpw_session *session) {
    mcpw_lines *const lines = lines_in(session);
    mcpw_framer_free(&lines->framer);
    mcpw_buffer_free(&lines->held);
    (void)mcpw_resize(&mcpw_stream_config(session)->allocator, lines, sizeof *lines, 0);
}

static const mcpw_stream_callbacks callbacks = {go_on, end_lines, trim, free_lines};

/* The transport of a session; the first call creates it. NULL: no memory. */
static mcpw_lines *lines_of(mcpw_session *session) {
    mcpw_lines *lines = lines_in(session);
    if (lines != NULL) {
        return lines;
    }
    const mcpw_session_config *const config = mcpw_stream_config(session);
    lines = mcpw_resize(&config->allocator, NULL, 0, sizeof *lines);
    if (lines != NULL) {
        memset(lines, 0, sizeof *lines);
        lines->stream.callbacks = &callbacks;
        lines->framer = (mcpw_framer)MCPW_FRAMER_INIT;
        lines->framer.limit = config->max_message;
        lines->held = (mcpw_buffer)MCPW_BUFFER_INIT;
        lines->framer.kept.allocator = lines->held.allocator = config->allocator;
        mcpw_stream_join(session, &lines->stream, '\n');
    }
    return lines;
}

mcpw_status mcpw_session_feed(mcpw_session *session, const void *bytes, size_t len) {
    mcpw_status status = mcpw_stream_enter(session, "mcpw_session_feed");
    if (status == MCPW_OK) {
        status = lines_of(session) != NULL ? feed(session, bytes, len) : MCPW_E_MEMORY;
        mcpw_stream_leave(session);
    }
    return status;
}

/* ---- Out ---- */

size_t mcpw_session_output(mcpw_session *session, const char **bytes) {
    *bytes = NULL;
    if (mcpw_session_is_away(session)) {
        (void)mcpw_session_misused(session, "mcpw_session_output", NULL);
        return 0;
    }
    return lines_of(session) != NULL ? mcpw_stream_bytes(session, bytes) : 0;
}

void mcpw_session_sent(mcpw_session *session, size_t len) {
    if (mcpw_session_is_away(session)) {
        (void)mcpw_session_misused(session, "mcpw_session_sent", NULL);
        return;
    }
    if (lines_of(session) != NULL) {
        mcpw_stream_sent(session, len);
    }
}
