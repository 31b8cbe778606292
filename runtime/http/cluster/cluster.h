/* SPDX-License-Identifier: MIT */
/* Sessions that several processes serve. Each process that receives a request makes a copy of the session
 * from the cluster's record. Messages that concern the other copies go through the log. */
#ifndef MCPW_CLUSTER_H
#define MCPW_CLUSTER_H

#include "../session/http_session.h"

/* The cluster state of a process. */
typedef struct mcpw_cluster {
    mcpw_http_cluster functions;  /* the program's functions */
    mcpw_change_listener changes; /* registered at the endpoint */
    uint64_t last_entry;          /* the last entry of the log */
    uint32_t copies;              /* sessions so far */
    uint32_t streams;             /* streams so far */
} mcpw_cluster;

/* Starts using the cluster of the config. MCPW_E_ARGUMENT: it has no number, or it is set together with a
 * store. */
MCPW_NODISCARD mcpw_status mcpw_cluster_begin(mcpw_http_server *server, mcpw_error *error);
void mcpw_cluster_free(mcpw_http_server *server);

#endif
