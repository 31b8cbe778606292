/* SPDX-License-Identifier: MIT */
/* The scopes that messages of extensions need. */
#include "extension_scopes.h"

/* Reports the scopes of an extension, and those of one part of it. */
static mcpw_status need_both(const mcpw_registered *extension, const char *scopes, mcpw_need_scopes *need,
                             void *user) {
    const mcpw_status status =
        extension->given.scopes != NULL ? need(user, mcpw_str_from(extension->given.scopes)) : MCPW_OK;
    return status == MCPW_OK && scopes != NULL ? need(user, mcpw_str_from(scopes)) : status;
}

/* Reports the scopes of each filter that a subscription has. */
static mcpw_status need_topics(const mcpw_extensions *set, mcpw_json params, mcpw_need_scopes *need,
                               void *user) {
    mcpw_json filter;
    mcpw_json names;
    mcpw_status status = MCPW_OK;
    if (set->topic_count == 0 || mcpw_json_get(params, "notifications", &filter) != MCPW_OK) {
        return MCPW_OK;
    }
    for (size_t i = 0; status == MCPW_OK && i < set->topic_count; i++) {
        const mcpw_added_topic *const topic = set->topics + i;
        if (mcpw_json_get(filter, topic->topic.filter, &names) == MCPW_OK) {
            status = need_both(topic->extension, topic->given.scopes, need, user);
        }
    }
    return status;
}

mcpw_status mcpw_extensions_need(const mcpw_extensions *set, mcpw_str method,
                                 const mcpw_message_envelope *envelope, mcpw_need_scopes *need, void *user) {
    const mcpw_custom *const custom = mcpw_extensions_find(set, method);
    if (custom != NULL) {
        return need_both(custom->extension, custom->scopes, need, user);
    }
    return mcpw_str_is(method, "subscriptions/listen")
               ? need_topics(set, envelope->at[MCPW_AT_PARAMS], need, user)
               : MCPW_OK;
}
