/* SPDX-License-Identifier: MIT */
/* Resources of a server and their templates: how they are registered, and how resources/read is served. */
#include "server_internal.h"

/* ---- Registration -------------------------------------------------------------------------------------- */

/* Adds a resource, or a template: then its uri is the template. */
static mcpw_status add(mcpw_server *server, mcpw_family family, const mcpw_resource *resource,
                       mcpw_complete_handler complete, mcpw_error *error) {
    mcpw_definition d;
    mcpw_define(&d, server, family, error);
    mcpw_define_text(&d, family == MCPW_FAMILY_TEMPLATE ? "uriTemplate" : "uri", resource->uri);
    mcpw_define_names(&d, resource->name, resource->title, resource->description);
    mcpw_define_text(&d, "mimeType", resource->mime_type);
    if (resource->size.set) {
        mcpw_text_key(&d.text, "size");
        mcpw_text_int(&d.text, resource->size.value);
    }
    mcpw_define_more(&d, resource->more);
    return mcpw_define_add(&d, resource->uri, resource->scopes, (mcpw_handler){.read = resource->read},
                           complete, resource->user);
}

mcpw_status mcpw_server_add_resource(mcpw_server *server, const mcpw_resource *given, mcpw_error *error) {
    mcpw_resource own = {0};
    if (server == NULL || !MCPW_TAKE(&own, scopes, given) || own.read == NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "server, resource or its read is NULL");
    }
    return add(server, MCPW_FAMILY_RESOURCE, &own, NULL, error);
}

mcpw_status mcpw_server_remove_resource(mcpw_server *server, const char *uri) {
    return mcpw_registry_remove(server, MCPW_FAMILY_RESOURCE, uri);
}

mcpw_status mcpw_server_add_resource_template(mcpw_server *server,
                                              const mcpw_resource_template *resource_template,
                                              mcpw_error *error) {
    mcpw_resource_template t = {0};
    if (server == NULL || !MCPW_TAKE(&t, scopes, resource_template) || t.read == NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "server, template or its read is NULL");
    }
    const mcpw_resource like = {.uri = t.uri_template,
                                .name = t.name,
                                .title = t.title,
                                .description = t.description,
                                .mime_type = t.mime_type,
                                .more = t.more,
                                .read = t.read,
                                .user = t.user,
                                .scopes = t.scopes};
    return add(server, MCPW_FAMILY_TEMPLATE, &like, t.complete, error);
}

mcpw_status mcpw_server_remove_resource_template(mcpw_server *server, const char *uri_template) {
    return mcpw_registry_remove(server, MCPW_FAMILY_TEMPLATE, uri_template);
}

mcpw_str mcpw_resource_variable(const mcpw_resource_read *read, const char *name) {
    const mcpw_str none = {NULL, 0};
    for (size_t i = 0; i < read->variable_count; i++) {
        if (mcpw_str_is(read->variables[i].name, name)) {
            return read->variables[i].value;
        }
    }
    return none;
}

/* ---- resources/read ------------------------------------------------------------------------------------ */

/* Gets the MIME type that an entry was registered with, in the arena. */
static mcpw_status get_mime_type(const mcpw_entry *entry, mcpw_arena *arena, const char **out) {
    mcpw_str text;
    *out = NULL;
    if (mcpw_json_get_string(entry->definition, "mimeType", arena, &text) == MCPW_OK) {
        *out = mcpw_arena_str(arena, text.ptr, text.len).ptr;
        return *out != NULL ? MCPW_OK : MCPW_E_MEMORY;
    }
    return MCPW_OK;
}

/* Gets the variables of a template. MCPW_E_NOT_FOUND when the URI does not match it. */
static mcpw_status get_variables(const mcpw_uri_template *t, mcpw_str uri, mcpw_arena *arena,
                                 mcpw_resource_read *read) {
    mcpw_str values[MCPW_MAX_VARIABLES];
    mcpw_status status = mcpw_uri_template_match(t, uri, arena, values);
    for (size_t i = 0; status == MCPW_OK && i < t->count; i++) {
        read->variables[i].name = mcpw_arena_str(arena, t->parts[i].name.ptr, t->parts[i].name.len);
        read->variables[i].value = values[i];
        status = read->variables[i].name.ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
    }
    read->variable_count = t->count;
    return status;
}

mcpw_status mcpw_resource_find(const mcpw_server *server, mcpw_arena *arena, mcpw_resource_read *read,
                               const mcpw_entry **entry) {
    const mcpw_registry *const templates = server->registries + MCPW_FAMILY_TEMPLATE;
    mcpw_status status = MCPW_E_NOT_FOUND;
    read->variable_count = 0;
    *entry = mcpw_registry_find(server, MCPW_FAMILY_RESOURCE, read->uri);
    if (*entry != NULL) {
        return MCPW_OK;
    }
    for (size_t i = 0; status == MCPW_E_NOT_FOUND && i < templates->count; i++) {
        *entry = templates->entries[i];
        status = get_variables((*entry)->uri_template, read->uri, arena, read);
    }
    return status;
}

mcpw_status mcpw_server_find_resource(const mcpw_server *server, mcpw_str uri, mcpw_arena *arena,
                                      mcpw_json *out) {
    mcpw_resource_read read = {.uri = uri};
    const mcpw_entry *entry = NULL;
    const mcpw_status status = mcpw_resource_find(server, arena, &read, &entry);
    *out = status == MCPW_OK ? entry->definition : (mcpw_json){NULL, 0, 0};
    return status;
}

mcpw_status mcpw_resources_read(mcpw_server *server, mcpw_request *request) {
    mcpw_arena *const arena = mcpw_request_arena(request);
    mcpw_serving *const s = mcpw_serving_new(request, MCPW_SERVING_READ, sizeof(mcpw_resource_read));
    const mcpw_entry *entry = NULL;
    if (s == NULL) {
        return MCPW_E_MEMORY;
    }
    mcpw_resource_read *const read = mcpw_serving_subject(s);
    read->uri = mcpw_field_str(mcpw_request_field(request, "uri"));
    mcpw_status status = mcpw_resource_find(server, arena, read, &entry);
    if (status == MCPW_E_NOT_FOUND) {
        return mcpw_respond_resource_not_found(request);
    }
    status = status == MCPW_OK ? get_mime_type(entry, arena, &read->mime_type) : status;
    if (status != MCPW_OK) {
        return status;
    }
    s->mime_type = read->mime_type;
    return mcpw_entry_serve(request, s, entry);
}
