/* SPDX-License-Identifier: MIT */
/* Sessions that several processes serve. Each that is asked has a copy of its own, made of what the cluster
 * keeps of it; what its client says to one copy, and the others have to know, goes through the log. */
#ifndef MCPW_CLUSTER_H
#define MCPW_CLUSTER_H

#include "../session/http_session.h"

/* A process's part of a cluster. */
typedef struct mcpw_cluster {
    mcpw_http_cluster way;        /* as the program has given it */
    mcpw_change_listener changes; /* of the endpoint */
    uint64_t last_entry;          /* the last entry of the log */
    uint32_t copies;              /* sessions so far */
    uint32_t streams;             /* streams so far */
} mcpw_cluster;

/* Takes the config's cluster. MCPW_E_ARGUMENT: it has no number, or sessions have no store with it. */
MCPW_NODISCARD mcpw_status mcpw_cluster_begin(mcpw_http_server *server, mcpw_error *error);
void mcpw_cluster_free(mcpw_http_server *server);

#endif
