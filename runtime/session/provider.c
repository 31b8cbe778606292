/* SPDX-License-Identifier: MIT */
/* The sessions of a server, each in its list. */
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
