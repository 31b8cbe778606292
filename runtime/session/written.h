/* SPDX-License-Identifier: MIT */
/* Results that are written straight into what the session sends, member by member. */
#ifndef MCPW_WRITTEN_H
#define MCPW_WRITTEN_H

#include "registry.h"
#include "write.h"

/* A result while its members are written. */
typedef struct mcpw_written {
    mcpw_request *request;
    mcpw_status status; /* of its beginning */
    mcpw_writer writer;
    unsigned char *at; /* NULL: it has failed */
    mcpw_error error;
} mcpw_written;

/* Begins a result of the type of this name that has about that many bytes. */
static inline void mcpw_written_open(mcpw_written *a, mcpw_request *request, const char *type, size_t size) {
    a->request = request;
    a->status = mcpw_written_begin(request, type, &a->writer, &a->at, &a->error);
    a->at = a->at != NULL ? mcpw_room(&a->writer, a->at, size) : NULL;
}

static inline void mcpw_written_put(mcpw_written *a, const char *literal, size_t len) {
    a->at = a->at != NULL ? mcpw_room(&a->writer, a->at, len) : NULL;
    if (a->at != NULL) {
        memcpy(a->at, literal, len);
        a->at += len;
    }
}

#define MCPW_WRITTEN_PUT(w, literal) mcpw_written_put((w), (literal), sizeof(literal) - 1)

static inline void mcpw_written_string(mcpw_written *a, mcpw_str text) {
    if (a->at != NULL) {
        a->at = text.ptr != NULL ? mcpw_put_string(&a->writer, a->at, text)
                                 : mcpw_write_fail(&a->writer, MCPW_E_ARGUMENT, "a text is absent");
    }
}

static inline mcpw_status mcpw_written_send(mcpw_written *a) {
    return a->status == MCPW_OK ? mcpw_written_end(a->request, &a->writer, a->at, &a->error) : a->status;
}

#endif
