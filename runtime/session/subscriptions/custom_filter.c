/* SPDX-License-Identifier: MIT */
#include "custom_filter.h"

#include "../requests/request.h"
#include "../revisions/declared.h"

/* ---- What a client asks for ---- */

/* Whether a name is among those of its filter. */
static bool is_there(const mcpw_filter *filter, const mcpw_added_topic *added, mcpw_str name) {
    const mcpw_named *named = filter->named;
    while (named != NULL && (named->added != added || !mcpw_str_equal(named->name, name))) {
        named = named->next;
    }
    return named != NULL;
}

/* Appends those names of one filter that the client may have. To ask for a name may take time, so no more are
 * asked for than a client may subscribe to. */
static mcpw_status read_names(mcpw_request *r, const mcpw_added_topic *added, mcpw_json names,
                              mcpw_filter *filter) {
    void *const user = added->extension->given.user;
    const size_t most = r->session->config->max_requests;
    mcpw_named **end = &filter->named;
    mcpw_json_iter it;
    mcpw_json item;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    if (mcpw_json_kind_of(names) != MCPW_JSON_ARRAY || mcpw_json_iterate(names, &it) != MCPW_OK) {
        return MCPW_E_TYPE;
    }
    while (mcpw_json_next(&it, NULL, &item)) {
        mcpw_str name = no_str;
        const mcpw_status status = mcpw_json_string(item, &r->arena, &name);
        if (status != MCPW_OK) {
            return status;
        }
        if (is_there(filter, added, name)) {
            continue;
        }
        if (filter->asked++ == most) {
            filter->count = SIZE_MAX; /* which is refused */
            return MCPW_OK;
        }
        mcpw_named *const named = mcpw_arena_alloc(&r->arena, sizeof *named);
        if (named == NULL) {
            return MCPW_E_MEMORY;
        }
        *named = (mcpw_named){NULL, &added->topic, name, added};
        if (added->given.accepts == NULL || added->given.accepts(r, name, user)) {
            *end = named;
            end = &named->next;
            filter->count++;
        }
    }
    return MCPW_OK;
}

mcpw_status mcpw_custom_filters_read(mcpw_request *r, mcpw_field asked, mcpw_filter *filter) {
    const mcpw_extensions *const set = r->session->config->extensions;
    mcpw_json text = no_json;
    mcpw_json names = no_json;
    if (set == NULL || set->topic_count == 0 || !r->profile->takes_extensions || asked.at == NULL) {
        return MCPW_OK;
    }
    mcpw_status status = mcpw_field_text(asked, &r->arena, &text);
    for (size_t i = 0; status == MCPW_OK && i < set->topic_count; i++) {
        const mcpw_added_topic *const added = set->topics + i;
        if (mcpw_json_get(text, added->topic.filter, &names) != MCPW_OK) {
            continue;
        }
        if (!mcpw_declares(mcpw_request_declared(r), added->extension->capability)) {
            r->client.lacking = added->extension->capability;
            return MCPW_E_CAPABILITY;
        }
        status = read_names(r, added, names, filter);
    }
    return status;
}

void mcpw_custom_filters_end(mcpw_filter *filter) {
    mcpw_named *named = filter->named;
    filter->named = NULL;
    for (; named != NULL; named = named->next) {
        if (named->added != NULL && named->added->given.ended != NULL) {
            named->added->given.ended(named->name, named->added->extension->given.user);
        }
    }
}
