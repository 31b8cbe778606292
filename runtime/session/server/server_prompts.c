/* SPDX-License-Identifier: MIT */
/* Prompts of a server: how they are registered, and how prompts/get is served. */
#include "server_internal.h"

/* ---- Registration -------------------------------------------------------------------------------------- */

static void define_argument(mcpw_definition *d, const mcpw_prompt_argument *argument) {
    mcpw_text_object(&d->text);
    if (argument->name == NULL) {
        mcpw_define_fail(d, MCPW_E_ARGUMENT, "arguments", "an argument has no name");
    }
    mcpw_define_text(d, "name", argument->name);
    mcpw_define_text(d, "description", argument->description);
    if (argument->required) {
        mcpw_text_key(&d->text, "required");
        mcpw_text_bool(&d->text, true);
    }
    mcpw_text_object_end(&d->text);
}

static void define_arguments(mcpw_definition *d, const mcpw_prompt *prompt) {
    for (size_t i = 1; i < prompt->argument_count; i++) {
        for (size_t j = 0; j < i; j++) {
            const char *const name = prompt->arguments[i].name;
            if (name != NULL && mcpw_str_is(mcpw_str_from(prompt->arguments[j].name), name)) {
                mcpw_define_fail(d, MCPW_E_DUPLICATE, "arguments", "two arguments have the same name");
            }
        }
    }
    mcpw_text_key(&d->text, "arguments");
    mcpw_text_array(&d->text);
    for (size_t i = 0; i < prompt->argument_count; i++) {
        define_argument(d, prompt->arguments + i);
    }
    mcpw_text_array_end(&d->text);
}

mcpw_status mcpw_server_add_prompt(mcpw_server *server, const mcpw_prompt *given, mcpw_error *error) {
    mcpw_definition d;
    mcpw_prompt own = {0};
    const mcpw_prompt *const prompt = &own;
    if (server == NULL || !MCPW_TAKE(&own, scopes, given) || prompt->get == NULL ||
        (prompt->arguments == NULL && prompt->argument_count != 0)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "server, prompt, its get or its arguments is NULL");
    }
    mcpw_define(&d, server, MCPW_FAMILY_PROMPT, error);
    mcpw_define_names(&d, prompt->name, prompt->title, prompt->description);
    if (prompt->argument_count != 0) {
        define_arguments(&d, prompt);
    }
    mcpw_define_more(&d, prompt->more);
    return mcpw_define_add(&d, prompt->name, prompt->scopes, (mcpw_handler){.get = prompt->get},
                           prompt->complete, prompt->user);
}

mcpw_status mcpw_server_remove_prompt(mcpw_server *server, const char *name) {
    return mcpw_registry_remove(server, MCPW_FAMILY_PROMPT, name);
}

/* ---- prompts/get --------------------------------------------------------------------------------------- */

mcpw_str mcpw_prompt_get_argument(mcpw_request *request, const mcpw_prompt_get *get, const char *name) {
    (void)get; /* get has the arguments as text; here they are read where they were decoded */
    return mcpw_field_str(mcpw_field_get(mcpw_request_field(request, "arguments"), name));
}

/* Finds the first required argument that was not sent; absent when there is none. */
static mcpw_status find_missing(const mcpw_entry *entry, mcpw_field sent, mcpw_arena *arena,
                                mcpw_str *missing) {
    mcpw_json arguments;
    mcpw_json argument;
    mcpw_json_iter it;
    missing->ptr = NULL;
    if (mcpw_json_get(entry->definition, "arguments", &arguments) != MCPW_OK ||
        mcpw_json_iterate(arguments, &it) != MCPW_OK) {
        return MCPW_OK;
    }
    while (mcpw_json_next(&it, NULL, &argument)) {
        bool required = false;
        mcpw_str name;
        if (mcpw_json_get_bool(argument, "required", &required) != MCPW_OK || !required) {
            continue;
        }
        mcpw_status status = mcpw_json_get_string(argument, "name", arena, &name);
        if (status != MCPW_OK) {
            return status;
        }
        name = mcpw_arena_str(arena, name.ptr, name.len);
        if (name.ptr == NULL) {
            return MCPW_E_MEMORY;
        }
        if (mcpw_field_get(sent, name.ptr).at == NULL) {
            *missing = name;
            return MCPW_OK;
        }
    }
    return MCPW_OK;
}

mcpw_status mcpw_prompts_get(mcpw_server *server, mcpw_request *request) {
    mcpw_arena *const arena = mcpw_request_arena(request);
    const mcpw_str name = mcpw_field_str(mcpw_request_field(request, "name"));
    const mcpw_field sent = mcpw_request_field(request, "arguments");
    const mcpw_entry *const entry = mcpw_registry_find(server, MCPW_FAMILY_PROMPT, name);
    mcpw_str missing;
    if (entry == NULL) {
        return mcpw_refuse_unknown(request, "prompt", name);
    }
    mcpw_serving *const s = mcpw_serving_new(request, MCPW_SERVING_GET, sizeof(mcpw_prompt_get));
    if (s == NULL) {
        return MCPW_E_MEMORY;
    }
    mcpw_prompt_get *const get = mcpw_serving_subject(s);
    get->name = name;
    mcpw_status status = mcpw_field_text(sent, arena, &get->arguments);
    if (status == MCPW_E_NOT_FOUND) {
        get->arguments = (mcpw_json)MCPW_JSON("{}");
        status = MCPW_OK;
    }
    status = status == MCPW_OK ? find_missing(entry, sent, arena, &missing) : status;
    if (status != MCPW_OK) {
        return status;
    }
    if (missing.ptr != NULL) {
        mcpw_error error;
        mcpw_error_set(&error, MCPW_E_MISSING, 0, "missing required argument \"%s\"", missing.ptr);
        return mcpw_request_refuse(request, "/arguments", &error);
    }
    return mcpw_entry_serve(request, s, entry);
}

/* ---- completion/complete ------------------------------------------------------------------------------- */

/* The entry that a reference names: a prompt, a template, or a resource, which has nothing to complete. */
static const mcpw_entry *find_reference(const mcpw_server *server, mcpw_field reference, mcpw_str *name) {
    const bool is_prompt = mcpw_str_is(mcpw_field_enum_text(mcpw_field_get(reference, "type")), "ref/prompt");
    const mcpw_entry *entry;
    *name = mcpw_field_str(mcpw_field_get(reference, is_prompt ? "name" : "uri"));
    entry = mcpw_registry_find(server, is_prompt ? MCPW_FAMILY_PROMPT : MCPW_FAMILY_TEMPLATE, *name);
    if (entry == NULL && !is_prompt) {
        entry = mcpw_registry_find(server, MCPW_FAMILY_RESOURCE, *name);
    }
    return entry;
}

mcpw_status mcpw_complete(mcpw_server *server, mcpw_request *request) {
    const mcpw_field argument = mcpw_request_field(request, "argument");
    const mcpw_field context = mcpw_field_get(mcpw_request_field(request, "context"), "arguments");
    mcpw_str name;
    const mcpw_entry *const entry = find_reference(server, mcpw_request_field(request, "ref"), &name);
    if (entry == NULL) {
        return mcpw_refuse_unknown(request, "reference", name);
    }
    if (entry->complete == NULL) {
        return mcpw_respond_completion(request, NULL, 0);
    }
    mcpw_serving *const s = mcpw_serving_new(request, MCPW_SERVING_COMPLETE, sizeof(mcpw_completion));
    if (s == NULL) {
        return MCPW_E_MEMORY;
    }
    mcpw_completion *const completion = mcpw_serving_subject(s);
    *completion = (mcpw_completion){.name = name,
                                    .argument = mcpw_field_str(mcpw_field_get(argument, "name")),
                                    .value = mcpw_field_str(mcpw_field_get(argument, "value"))};
    if (context.at != NULL) {
        const mcpw_status status = mcpw_field_text(context, s->arena, &completion->context);
        if (status != MCPW_OK) {
            return status;
        }
    }
    return mcpw_entry_serve(request, s, entry);
}
