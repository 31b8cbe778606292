/* SPDX-License-Identifier: MIT */
/* The extensions of an endpoint: their declarations, and the checks of their requirements against the whole
 * configuration. */
#include "extension_check.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/reflect.h>

#include "../support/pieces.h"
#include "capability.h"

static const char extensions_name[] = "extensions";

/* ---- Handlers ---- */

const mcpw_dispatch *mcpw_custom_dispatch(const mcpw_endpoint *endpoint, const mcpw_custom *custom) {
    const mcpw_extension *const given = &custom->extension->given;
    const mcpw_dispatch *const dispatch = mcpw_endpoint_serves(endpoint) ? given->server : given->client;
    return custom->number != 0 && given->handlers != NULL ? dispatch : NULL;
}

bool mcpw_custom_is_served(const mcpw_endpoint *endpoint, const mcpw_custom *custom) {
    const mcpw_dispatch *const dispatch = mcpw_custom_dispatch(endpoint, custom);
    return custom->request != NULL || custom->notification != NULL ||
           (dispatch != NULL && dispatch->has(custom->extension->given.handlers, custom->number));
}

/* ---- What is declared ---- */

mcpw_status mcpw_extensions_add_revisions(const mcpw_extensions *set, mcpw_library *library,
                                          mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < set->count; i++) {
        if (set->items[i].changes_types) {
            status = mcpw_library_add(library, set->items[i].given.revision, error);
        }
    }
    return status;
}

/* The settings that the config's own capabilities have for an extension; absent: none. */
static mcpw_json settings_before(mcpw_json before, const char *id) {
    mcpw_json found = no_json;
    return before.ptr != NULL && mcpw_json_get(before, id, &found) == MCPW_OK ? found : no_json;
}

static void put_extensions(const mcpw_extensions *set, mcpw_json before, mcpw_text *text) {
    static const mcpw_json empty = MCPW_JSON("{}");
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json value;
    mcpw_text_key(text, extensions_name);
    mcpw_text_object(text);
    if (before.ptr != NULL && mcpw_json_iterate(before, &it) == MCPW_OK) {
        while (mcpw_json_next(&it, &key, &value)) {
            mcpw_text_member_copy(text, key, value);
        }
    }
    for (size_t i = 0; i < set->count; i++) {
        const mcpw_extension *const given = &set->items[i].given;
        if (settings_before(before, given->id).ptr == NULL) {
            mcpw_text_member_json(text, given->id, given->settings.ptr != NULL ? given->settings : empty);
        }
    }
    mcpw_text_object_end(text);
}

/* Settings that the config's own capabilities have are those of an extension that was added without any. */
static mcpw_status check_before(const mcpw_extension *given, mcpw_json before, mcpw_error *error) {
    const mcpw_json found = settings_before(before, given->id);
    if (found.ptr != NULL && given->settings.ptr != NULL) {
        return mcpw_error_set(error, MCPW_E_DUPLICATE, 0,
                              "the config's capabilities declare the extension %s, which was added with "
                              "settings of its own",
                              given->id);
    }
    if (found.ptr != NULL && mcpw_json_kind_of(found) != MCPW_JSON_OBJECT) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "%s: the settings in the config's capabilities are not a JSON object",
                              given->id);
    }
    return MCPW_OK;
}

bool mcpw_extensions_are_in_core(const mcpw_endpoint *endpoint, const mcpw_profile *profile, mcpw_str name) {
    const mcpw_custom *const custom = mcpw_extensions_find(endpoint->config.extensions, name);
    return custom != NULL && !profile->takes_extensions && custom->scope != MCPW_SCOPE_EXTENSION &&
           mcpw_endpoint_serves(endpoint) && custom->request != NULL;
}

/* Adds the names that extensions declare to those of the config. */
static mcpw_status name_capabilities(mcpw_endpoint *endpoint) {
    const mcpw_extensions *const set = endpoint->config.extensions;
    mcpw_buffer names = mcpw_buffer_in(&endpoint->memory);
    const char *const own = endpoint->config.declares;
    mcpw_status status = own != NULL ? mcpw_buffer_append(&names, own, strlen(own)) : MCPW_OK;
    for (size_t i = 0; i < set->count; i++) {
        static const char mark[] = {' ', MCPW_MAY_BE_UNKNOWN};
        const char *at = set->items[i].given.declares != NULL ? set->items[i].given.declares : "";
        for (at += strspn(at, " ,"); status == MCPW_OK && *at != '\0'; at += strspn(at, " ,")) {
            const size_t len = strcspn(at, " ,");
            status = mcpw_buffer_append(&names, mark, sizeof mark);
            status = status == MCPW_OK ? mcpw_buffer_append(&names, at, len) : status;
            at += len;
        }
    }
    if (status == MCPW_OK && names.len != 0) {
        status = mcpw_buffer_append(&names, "", 1);
        endpoint->config.declares = names.data;
    }
    return status;
}

mcpw_status mcpw_extensions_declare(mcpw_endpoint *endpoint, mcpw_error *error) {
    static const mcpw_json but = MCPW_JSON(MCPW_PIECE_ALONE("extensions"));
    const mcpw_extensions *const set = endpoint->config.extensions;
    mcpw_json *const capabilities = &endpoint->config.capabilities;
    mcpw_json before = {NULL, 0, 0};
    mcpw_status status = MCPW_OK;
    if (set->count == 0) {
        return MCPW_OK;
    }
    if (capabilities->ptr != NULL && mcpw_json_get(*capabilities, extensions_name, &before) != MCPW_OK) {
        before = no_json;
    }
    for (size_t i = 0; status == MCPW_OK && i < set->count; i++) {
        status = check_before(&set->items[i].given, before, error);
    }
    if (status != MCPW_OK) {
        return status;
    }
    const mcpw_status named = name_capabilities(endpoint);
    if (named != MCPW_OK) {
        return named;
    }
    mcpw_text text = mcpw_endpoint_text(endpoint);
    mcpw_text_object(&text);
    put_extensions(set, before, &text);
    if (capabilities->ptr != NULL) {
        mcpw_text_rest(&text, *capabilities, but);
    }
    mcpw_text_object_end(&text);
    return mcpw_text_finish(&text, &endpoint->memory, capabilities);
}

/* ---- What is required ---- */

static const mcpw_registered *find_id(const mcpw_extensions *set, const char *id, size_t len) {
    for (size_t i = 0; i < set->count; i++) {
        if (strlen(set->items[i].given.id) == len && memcmp(set->items[i].given.id, id, len) == 0) {
            return set->items + i;
        }
    }
    return NULL;
}

/* Follows the requirements of one extension. `on_way` has a bit for each extension on the path to it. */
static mcpw_status find_cycle(const mcpw_extensions *set, const mcpw_registered *item, uint32_t on_way,
                              uint32_t *done, mcpw_error *error) {
    const uint32_t bit = UINT32_C(1) << (item - set->items);
    const char *need = item->given.needs != NULL ? item->given.needs : "";
    for (need += strspn(need, " ,"); *need != '\0'; need += strspn(need, " ,")) {
        const size_t len = strcspn(need, " ,");
        const mcpw_registered *const other = find_id(set, need, len);
        const uint32_t theirs = other != NULL ? UINT32_C(1) << (other - set->items) : 0;
        need += len;
        if ((theirs & (on_way | bit)) != 0) {
            return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                                  "the extensions %s and %s require each other in a cycle", item->given.id,
                                  other->given.id);
        }
        if (other != NULL && (*done & theirs) == 0) {
            const mcpw_status status = find_cycle(set, other, on_way | bit, done, error);
            if (status != MCPW_OK) {
                return status;
            }
        }
    }
    *done |= bit;
    return MCPW_OK;
}

static mcpw_status check_needs(const mcpw_extensions *set, const mcpw_registered *item,
                               mcpw_json capabilities, mcpw_error *error) {
    const char *need = item->given.needs != NULL ? item->given.needs : "";
    for (need += strspn(need, " ,"); *need != '\0'; need += strspn(need, " ,")) {
        char name[MCPW_MAX_KEY + 1];
        const size_t len = strcspn(need, " ,");
        const size_t kept = len < sizeof name ? len : sizeof name - 1;
        memcpy(name, need, kept);
        name[kept] = '\0';
        const bool is_extension = memchr(need, '/', len) != NULL;
        if (is_extension ? find_id(set, need, len) == NULL
                         : len > MCPW_MAX_KEY || !mcpw_capability_in(capabilities, name)) {
            return mcpw_error_set(error, MCPW_E_CAPABILITY, 0,
                                  "the extension %s requires the %s \"%s\", which this end lacks",
                                  item->given.id, is_extension ? "extension" : "capability", name);
        }
        need += len;
    }
    return MCPW_OK;
}

static mcpw_status check_item(const mcpw_extensions *set, const mcpw_registered *item, mcpw_json capabilities,
                              mcpw_error *error) {
    mcpw_error why;
    mcpw_status status = check_needs(set, item, capabilities, error);
    if (status != MCPW_OK || item->given.is_met == NULL) {
        return status;
    }
    mcpw_error_set(&why, MCPW_E_CAPABILITY, 0, "its own check fails");
    return item->given.is_met(item->given.user, capabilities, &why)
               ? MCPW_OK
               : mcpw_error_set(error, MCPW_E_CAPABILITY, 0, "the extension %s cannot be served: %s",
                                item->given.id, why.message);
}

/* The program's own handlers may not have a method of an extension. */
static mcpw_status check_handlers(const mcpw_endpoint *endpoint, mcpw_error *error) {
    const mcpw_extensions *const set = endpoint->config.extensions;
    const mcpw_dispatch *const dispatch = endpoint->config.dispatch;
    for (size_t i = 0; dispatch != NULL && i < set->method_count; i++) {
        const mcpw_custom *const method = set->methods + i;
        const int number = mcpw_method_number(dispatch->revision, method->name.ptr, method->name.len);
        if (mcpw_extensions_are_in(dispatch->revision) && number != 0 &&
            dispatch->has(endpoint->config.handlers, number)) {
            return mcpw_error_set(
                error, MCPW_E_DUPLICATE, 0,
                "the program's handlers have \"%.*s\", which is a method of the extension %s",
                (int)method->name.len, method->name.ptr != NULL ? method->name.ptr : "",
                method->extension->given.id);
        }
    }
    return MCPW_OK;
}

mcpw_status mcpw_extensions_check(mcpw_endpoint *endpoint, mcpw_error *error) {
    const mcpw_extensions *const set = endpoint->config.extensions;
    const mcpw_profile *profile = NULL;
    mcpw_json capabilities = no_json;
    uint32_t done = 0;
    if (set->count == 0) {
        return MCPW_OK;
    }
    for (size_t i = 0; i < endpoint->profile_count; i++) {
        profile = mcpw_extensions_are_in(endpoint->profiles[i].revision) ? endpoint->profiles + i : profile;
    }
    mcpw_status status = check_handlers(endpoint, error);
    if (status == MCPW_OK && profile != NULL) {
        status = mcpw_capabilities(endpoint, profile, &endpoint->memory, &capabilities);
    }
    for (size_t i = 0; status == MCPW_OK && i < set->count; i++) {
        status = find_cycle(set, set->items + i, 0, &done, error);
    }
    for (size_t i = 0; status == MCPW_OK && i < set->count; i++) {
        status = check_item(set, set->items + i, capabilities, error);
    }
    return status;
}
