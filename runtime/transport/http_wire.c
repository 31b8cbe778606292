/* SPDX-License-Identifier: MIT */
/* libmicrohttpd changes the bytes that were sent. Before 1.0 it cuts values at a NUL, joins folded lines, and
 * accepts a lone line feed or several spaces as a separator. The head is still in its buffer, though, where
 * each part must begin at the end of the previous one. Since 1.0 libmicrohttpd refuses all of that itself.
 * (RFC 9112, 2.2, 3 and 5.) */
#include "http_serve_internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { BASE = 10, END_OF_LINE = 2 /* CR and LF, which are replaced by NULs */ };

/* The length of a target, including its query; 0: it contains an invalid byte, or is no target. */
static size_t length_of(const char *target) {
    size_t len = 0;
    for (; target != NULL && target[len] != '\0'; len++) {
        if (target[len] <= ' ' || target[len] > '~') {
            return 0;
        }
    }
    return len;
}

void *mcpw_http_wire_target(void *self, const char *target, struct MHD_Connection *connection) {
    (void)self;
    mcpw_http_heads_has_target(connection, length_of(target));
    return NULL;
}

size_t mcpw_http_wire_leave(void *self, struct MHD_Connection *connection, char *text) {
    (void)self;
    (void)connection;
    return strlen(text);
}

/* True if the version in use accepts heads that other readers refuse. */
static bool reads_loosely(void) { return strtoul(MHD_get_version(), NULL, BASE) == 0; }

/* The beginning of the first field, if the request line is valid; otherwise NULL. */
static const char *after_request_line(const http_line *line, size_t target_len) {
    const bool is_plain =
        line->method + strlen(line->method) + 1 == line->url && line->url + target_len + 1 == line->version;
    return is_plain ? line->version + strlen(line->version) + END_OF_LINE : NULL;
}

/* The beginning of the next line, if the field is at `at`; otherwise NULL. */
static const char *after_field(const char *at, const mcpw_http_field *field) {
    if (field->name.ptr != at) {
        return NULL;
    }
    at += field->name.len + 1;
    while (at != field->value.ptr && (*at == ' ' || *at == '\t')) {
        at++;
    }
    return at == field->value.ptr ? at + field->value.len + END_OF_LINE : NULL;
}

/* True if the buffer contains the head exactly as libmicrohttpd reports it. */
static bool is_reported_whole(struct MHD_Connection *connection, const http_line *line,
                              const mcpw_http_field *fields, size_t count) {
    const union MHD_ConnectionInfo *const info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    const char *at = after_request_line(line, mcpw_http_heads_target(connection));
    for (size_t i = 0; at != NULL && i < count; i++) {
        at = after_field(at, fields + i);
    }
    return info != NULL && at != NULL && at + END_OF_LINE == line->method + info->header_size;
}

/* True if libmicrohttpd reads chunks when the field says so. It does not recognise the coding with a trailing
 * space, and it accepts the coding in HTTP/1.0, which has none. (RFC 9112, 6.1.) */
static bool is_coding_known(struct MHD_Connection *connection, const http_line *line) {
    const char *const coding =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_TRANSFER_ENCODING);
    return coding == NULL ||
           (strcasecmp(coding, "chunked") == 0 && strcmp(line->version, MHD_HTTP_VERSION_1_0) != 0);
}

bool mcpw_http_wire_is_plain(struct MHD_Connection *connection, const http_line *line,
                             const mcpw_http_field *fields, size_t count) {
    return mcpw_http_heads_target(connection) != 0 && is_coding_known(connection, line) &&
           (!reads_loosely() || is_reported_whole(connection, line, fields, count));
}
