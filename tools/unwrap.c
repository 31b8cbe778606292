/* SPDX-License-Identifier: MIT */
#include "unwrap.h"

#include "record.h"
#include "sessions.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TOKEN_SIZE = 256, DECIMAL = 10, MOST_DIGITS = 9 };

/* Reads the token of a pointer after its slash; returns its end, or NULL if it is invalid. */
static const char *read_token(const char *p, char token[TOKEN_SIZE]) {
    size_t len = 0;
    for (; *p != '\0' && *p != '/'; p++) {
        char c = *p;
        if (c == '~') {
            p++;
            if (*p != '0' && *p != '1') {
                return NULL;
            }
            c = *p == '0' ? '~' : '/';
        }
        if (len + 1 == TOKEN_SIZE) {
            return NULL;
        }
        token[len++] = c;
    }
    token[len] = '\0';
    return p;
}

bool unwrap_is_pointer(const char *text) {
    char token[TOKEN_SIZE];
    const char *p = text;
    while (p != NULL && *p == '/') {
        p = read_token(p + 1, token);
    }
    return p != NULL && *p == '\0';
}

/* Reads an index of RFC 6901: no sign, no leading zero. */
static bool read_index(const char *token, size_t *out) {
    const size_t len = strlen(token);
    *out = 0;
    if (len == 0 || len > MOST_DIGITS || (token[0] == '0' && len > 1)) {
        return false;
    }
    for (const char *p = token; *p != '\0'; p++) {
        if (*p < '0' || *p > '9') {
            return false;
        }
        *out = *out * DECIMAL + (size_t)(*p - '0');
    }
    return true;
}

bool unwrap_find(mcpw_json root, const char *pointer, mcpw_json *out) {
    char token[TOKEN_SIZE];
    const char *p = pointer;
    *out = root;
    while (*p == '/') {
        size_t index = 0;
        const mcpw_json at = *out;
        mcpw_status status = MCPW_E_NOT_FOUND;
        p = read_token(p + 1, token);
        if (p == NULL) {
            return false;
        }
        if (mcpw_json_kind_of(at) == MCPW_JSON_OBJECT) {
            status = mcpw_json_get(at, token, out);
        } else if (read_index(token, &index)) {
            status = mcpw_json_at(at, index, out);
        }
        if (status != MCPW_OK) {
            return false;
        }
    }
    return true;
}

static mcpw_status fail(mcpw_error *error, mcpw_status code, const char *pointer, const char *message) {
    memset(error, 0, sizeof *error);
    error->code = code;
    (void)snprintf(error->path, sizeof error->path, "%s", pointer);
    (void)snprintf(error->message, sizeof error->message, "%s", message);
    return code;
}

/* Reads the name of a session: a string or an integer as such, another value as its text. */
static mcpw_status read_session(mcpw_json value, mcpw_arena *arena, mcpw_id *out, mcpw_error *error,
                                const char *pointer) {
    memset(out, 0, sizeof *out);
    if (mcpw_json_int(value, &out->as.integer) == MCPW_OK) {
        out->kind = MCPW_ID_INTEGER;
        return MCPW_OK;
    }
    out->kind = MCPW_ID_STRING;
    if (mcpw_json_string(value, arena, &out->as.string) != MCPW_OK) {
        out->as.string.ptr = value.ptr;
        out->as.string.len = value.len;
    }
    if (out->as.string.len > SESSIONS_NAME) {
        return fail(error, MCPW_E_SIZE, pointer, "the name of the session is too long");
    }
    return MCPW_OK;
}

/* Reads a recorded line. False: it is none. */
static bool read_record(mcpw_json line, mcpw_arena *arena, unwrapped *out, mcpw_status *status,
                        mcpw_error *error) {
    mcpw_json unused = {NULL, 0, 0};
    record r;
    if (mcpw_json_kind_of(line) != MCPW_JSON_OBJECT || mcpw_json_get(line, "jsonrpc", &unused) == MCPW_OK ||
        !record_get(line, arena, &r)) {
        return false;
    }
    *status = MCPW_OK;
    out->begins = r.kind == RECORD_BEGIN;
    out->refuses = r.kind == RECORD_REFUSED;
    out->has_side = !out->begins;
    out->from = r.from;
    out->time = r.time;
    if (r.conversation != 0) {
        out->session.kind = MCPW_ID_INTEGER;
        out->session.as.integer = (int64_t)r.conversation;
    }
    out->text.ptr = r.line.ptr;
    out->text.len = r.line.len;
    if (r.kind == RECORD_SKIPPED) {
        char message[MCPW_ERROR_MESSAGE_SIZE];
        (void)snprintf(message, sizeof message, "a line of %" PRIu64 " bytes was too long to be recorded",
                       r.number);
        *status = fail(error, MCPW_E_SIZE, "", message);
    }
    return true;
}

/* The offset of the message in its line. */
static size_t offset_in(mcpw_json line, mcpw_json text) {
    const uintptr_t at = (uintptr_t)text.ptr;
    const uintptr_t begin = (uintptr_t)line.ptr;
    return text.ptr != NULL && at >= begin && at - begin <= line.len ? at - begin : 0;
}

mcpw_status unwrap(const unwrap_settings *set, mcpw_json line, mcpw_arena *arena, unwrapped *out,
                   mcpw_error *error) {
    mcpw_json found = {NULL, 0, 0};
    mcpw_status status = MCPW_OK;
    memset(out, 0, sizeof *out);
    out->text = line;
    if (set->message != NULL || set->session != NULL) {
        status = mcpw_json_check(line, set->max_depth, error);
    }
    if (status == MCPW_OK && set->session != NULL && unwrap_find(line, set->session, &found)) {
        status = read_session(found, arena, &out->session, error, set->session);
    }
    if (status != MCPW_OK) {
        return status;
    }
    if (set->message == NULL) {
        (void)(set->records && read_record(line, arena, out, &status, error));
    } else if (!unwrap_find(line, set->message, &out->text)) {
        out->text = line;
        return fail(error, MCPW_E_NOT_FOUND, set->message, "there is nothing at the place of --message");
    }
    out->offset = offset_in(line, out->text);
    return status;
}
