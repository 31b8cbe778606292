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
void mcpw_written_open(mcpw_written *w, mcpw_request *request, const char *type, size_t size);
void mcpw_written_put(mcpw_written *w, const char *literal, size_t len);
#define MCPW_WRITTEN_PUT(w, literal) mcpw_written_put((w), (literal), sizeof(literal) - 1)
void mcpw_written_string(mcpw_written *w, mcpw_str text);
mcpw_status mcpw_written_send(mcpw_written *w);

#endif
