/* SPDX-License-Identifier: MIT */
/* The sessions of a server, each in its list, and the loops that drive them. */
#include "provider.h"

void mcpw_server_attach(mcpw_server *server, mcpw_server_link *link) {
    mcpw_server_base *const base = mcpw_server_base_of(server);
    link->next = base->links;
    link->at = &base->links;
    if (link->next != NULL) {
        link->next->at = &link->next;
    }
    base->links = link;
}

void mcpw_server_detach(mcpw_server_link *link) {
    if (link->at == NULL) {
        return;
    }
    *link->at = link->next;
    if (link->next != NULL) {
        link->next->at = link->at;
    }
    link->next = NULL;
    link->at = NULL;
}

mcpw_status mcpw_server_join(mcpw_server *server, const mcpw_executor *executor, void *self) {
    return mcpw_changes_join(&mcpw_server_base_of(server)->changes, executor, self);
}

void mcpw_server_leave(mcpw_server *server, const void *self) {
    mcpw_changes_leave(&mcpw_server_base_of(server)->changes, self);
}
