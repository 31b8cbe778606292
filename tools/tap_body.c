/* SPDX-License-Identifier: MIT */
#include "tap_body.h"

#include "system.h"

#include <string.h>

enum { IN_MEMORY = 1 << 20 /* bytes of a body; a longer one is kept in a file */ };

void body_free(tap_body *body) {
    if (body->len != 0) {
        (void)atomic_fetch_sub(body->all, body->len);
    }
    body->len = 0;
    mcpw_buffer_free(&body->bytes);
    if (body->file != NULL) {
        (void)fclose(body->file);
        body->file = NULL;
    }
}

static body_verdict count(tap_body *body, size_t len) {
    const size_t all = atomic_fetch_add(body->all, len) + len;
    body->len += len;
    if (body->len > BODY_MOST) {
        return BODY_TOO_LONG;
    }
    return all > BODY_MOST_ALL ? BODY_NO_ROOM : BODY_TAKEN;
}

static bool keep(tap_body *body, const char *bytes, size_t len) {
    if (body->file == NULL && body->len > IN_MEMORY) {
        body->file = system_temporary();
        if (body->file == NULL ||
            fwrite(body->bytes.data, 1, body->bytes.len, body->file) != body->bytes.len) {
            return false;
        }
        mcpw_buffer_free(&body->bytes);
    }
    return body->file != NULL ? fwrite(bytes, 1, len, body->file) == len
                              : mcpw_buffer_append(&body->bytes, bytes, len) == MCPW_OK;
}

body_verdict body_take(tap_body *body, const char *bytes, size_t len) {
    if (body->verdict == BODY_TAKEN) {
        body->verdict = count(body, len);
        if (body->verdict == BODY_TAKEN && !keep(body, bytes, len)) {
            body->verdict = BODY_FAILED;
        }
        if (body->verdict != BODY_TAKEN) {
            body_free(body);
        }
    }
    return body->verdict;
}

size_t body_rewind(tap_body *body) {
    if (body->file != NULL) {
        rewind(body->file);
    }
    body->read = 0;
    return body->len;
}

size_t body_read(tap_body *body, char *to, size_t room) {
    if (body->file != NULL) {
        return fread(to, 1, room, body->file);
    }
    const size_t left = body->bytes.len - body->read;
    const size_t len = left < room ? left : room;
    if (len != 0) {
        memcpy(to, body->bytes.data + body->read, len);
        body->read += len;
    }
    return len;
}
