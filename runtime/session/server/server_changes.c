/* SPDX-License-Identifier: MIT */
/* Reports changes of a server to its clients, from whichever thread they are stated. */
#include "server_internal.h"

static const mcpw_str none = {NULL, 0};

/* ---- On the server's thread ---------------------------------------------------------------------------- */

/* Sessions may come and go while they are notified. So the walk keeps its place by a link of its own, which
 * has no session and stands after the one that is notified. */
void mcpw_server_changed(mcpw_server *server, mcpw_change change, mcpw_str uri) {
    mcpw_server_link place = {NULL, NULL, NULL};
    mcpw_server_link *link = server->base.links;
    while (link != NULL) {
        place.next = link->next;
        place.at = &link->next;
        if (place.next != NULL) {
            place.next->at = &place.next;
        }
        link->next = &place;
        if (link->session != NULL) {
            mcpw_session_changed(link->session, change, uri);
        }
        link = place.next;
        mcpw_server_detach(&place);
    }
    for (const mcpw_change_listener *w = server->base.watches; w != NULL; w = w->next) {
        w->changed(w->self, change, uri);
    }
}

static void tell_misuse(const mcpw_server *server, const char *function) {
    const mcpw_server_link *link = server->base.links;
    while (link != NULL && link->session == NULL) {
        link = link->next;
    }
    if (link != NULL) {
        mcpw_session_diagnose_misuse_of(link->session, function);
    }
}

static void tell_waiting(mcpw_server *server) {
    static const mcpw_str every = MCPW_STR("");
    mcpw_waiting waiting = mcpw_changes_take(&server->base.changes);
    if (waiting.misused != NULL) {
        tell_misuse(server, waiting.misused);
    }
    for (mcpw_change change = MCPW_CHANGE_TOOLS; change < MCPW_CHANGE_RESOURCE; change++) {
        if ((waiting.lists & 1U << change) != 0) {
            mcpw_server_changed(server, change, none);
        }
    }
    if (waiting.all) {
        mcpw_server_changed(server, MCPW_CHANGE_RESOURCE, every);
    }
    for (const mcpw_waiting_uri *w = waiting.first; w != NULL; w = w->next) {
        const mcpw_str uri = {(const char *)(w + 1), w->len};
        mcpw_server_changed(server, MCPW_CHANGE_RESOURCE, uri);
    }
    mcpw_waiting_free(&server->base.changes, &waiting);
}

static bool is_marked_ready(const mcpw_server *server) {
    return server->base.links != NULL || server->base.watches != NULL;
}

static void left(mcpw_server *server, void *self) {
    if (server->base.queue_ended != NULL) {
        server->base.queue_ended(server, self);
    }
}

const mcpw_changes_callbacks mcpw_server_changes = {tell_waiting, is_marked_ready, left};

/* ---- On any thread ------------------------------------------------------------------------------------- */

mcpw_status mcpw_server_check_thread(mcpw_server *server, const char *function, mcpw_error *error) {
    return mcpw_changes_check_thread(&server->base.changes, function, error);
}

static void change(mcpw_server *server, mcpw_change what, mcpw_str uri) {
    if (server != NULL && !mcpw_changes_wait(&server->base.changes, what, uri)) {
        mcpw_server_changed(server, what, uri);
    }
}

void mcpw_server_resource_updated(mcpw_server *server, const char *uri) {
    if (uri != NULL && *uri != '\0') {
        change(server, MCPW_CHANGE_RESOURCE, mcpw_str_from(uri));
    }
}

void mcpw_server_tools_changed(mcpw_server *server) { change(server, MCPW_CHANGE_TOOLS, none); }

void mcpw_server_prompts_changed(mcpw_server *server) { change(server, MCPW_CHANGE_PROMPTS, none); }

void mcpw_server_resources_changed(mcpw_server *server) { change(server, MCPW_CHANGE_RESOURCES, none); }

void mcpw_request_resource_updated(mcpw_request *request, const char *uri) {
    mcpw_server_resource_updated(mcpw_request_server(request), uri);
}
