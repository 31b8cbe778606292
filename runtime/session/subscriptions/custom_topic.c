/* SPDX-License-Identifier: MIT */
/* Notifications of extensions for the names in their filters. */
#include "listen.h"

#include "../calls/custom_call.h"
#include "../requests/outbound.h"
#include "../revisions/declared.h"

/* Tells each subscription of a session that has the name. */
static mcpw_status tell(mcpw_session *session, const mcpw_added_topic *filter, const mcpw_custom *method,
                        mcpw_str name, mcpw_json params, mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    mcpw_request_walk walk;
    for (mcpw_request *r = mcpw_request_walk_begin(&walk, session); r != NULL;
         r = mcpw_request_walk_next(&walk)) {
        if (r->filter == NULL || !mcpw_filter_names(r->filter, &filter->topic, name)) {
            continue;
        }
        const mcpw_route route = {NULL, r->origin.context, false, 0};
        mcpw_text text = mcpw_session_text(session);
        mcpw_subscription_params(r, params, &text);
        mcpw_status one = text.status;
        if (one == MCPW_OK) {
            one = mcpw_custom_notify(session, r->profile, method,
                                     &(mcpw_custom_given){.text = mcpw_text_get(&text)},
                                     mcpw_request_declared(r), &route, error);
        }
        mcpw_text_free(&text);
        status = one != MCPW_OK ? one : status;
    }
    mcpw_request_walk_end(&walk);
    return status;
}

mcpw_status mcpw_server_notify_named(mcpw_server *server, const char *method, const char *filter,
                                     mcpw_str name, mcpw_json params, mcpw_error *error) {
    mcpw_error local;
    error = error != NULL ? error : &local;
    error->code = MCPW_OK;
    if (server != NULL && mcpw_changes_check_thread(&mcpw_server_base_of(server)->changes,
                                                    "mcpw_server_notify_named", error) != MCPW_OK) {
        return error->code;
    }
    const mcpw_extensions *const set = server != NULL ? mcpw_server_base_of(server)->extensions : NULL;
    const mcpw_custom *const custom =
        method != NULL ? mcpw_extensions_find(set, mcpw_str_from(method)) : NULL;
    const mcpw_added_topic *const of =
        custom != NULL && filter != NULL ? mcpw_extensions_topic(set, filter) : NULL;
    if (of == NULL) {
        return mcpw_error_set(error, MCPW_E_METHOD, 0, "the server has no such notification or filter");
    }
    mcpw_status status = MCPW_OK;
    for (mcpw_server_link *link = mcpw_server_base_of(server)->links; link != NULL; link = link->next) {
        if (link->session != NULL && !link->session->closed && link->session->era == MCPW_ERA_MODERN) {
            const mcpw_status one = tell(link->session, of, custom, name, params, error);
            status = one != MCPW_OK ? one : status;
        }
    }
    return status;
}
