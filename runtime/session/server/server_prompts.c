/* SPDX-License-Identifier: MIT */
/* Prompts of a server: how they are registered, and how prompts/get is served. */
#include "../../base/sized.h"
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
    if (server == NULL || !MCPW_TAKE(&own, user, given) || prompt->get == NULL ||
        (prompt->arguments == NULL && prompt->argument_count != 0)) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "server, prompt, its get or its arguments is NULL");
        return MCPW_E_ARGUMENT;
    }
    mcpw_define(&d, server, MCPW_FAMILY_PROMPT, error);
    mcpw_define_text(&d, "name", prompt->name);
    mcpw_define_text(&d, "title", prompt->title);
    mcpw_define_text(&d, "description", prompt->description);
    if (prompt->argument_count != 0) {
        define_arguments(&d, prompt);
    }
    mcpw_define_more(&d, prompt->more);
    mcpw_entry *const entry = mcpw_define_end(&d, prompt->name);
    if (entry == NULL) {
        return d.status;
    }
    entry->run.get = prompt->get;
    entry->complete = prompt->complete;
    entry->user = prompt->user;
    return mcpw_registry_add(server, MCPW_FAMILY_PROMPT, entry, error);
}

mcpw_status mcpw_server_remove_prompt(mcpw_server *server, const char *name) {
    return mcpw_registry_remove(server, MCPW_FAMILY_PROMPT, name);
}

/* ---- prompts/get --------------------------------------------------------------------------------------- */

typedef struct get_serving {
    mcpw_serving serving;
    mcpw_get_handler handler;
    mcpw_prompt_get get;
} get_serving;

static mcpw_status run_get(mcpw_request *request, const void *serving) {
    const get_serving *const s = serving;
    return s->handler(request, &s->get, s->serving.user);
}

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

/* Gets the text of a member that is an object; "{}" when it is absent. */
static mcpw_status get_object(mcpw_field field, mcpw_arena *arena, mcpw_json *out) {
    static const mcpw_json empty = MCPW_JSON("{}");
    const mcpw_status status = mcpw_field_text(field, arena, out);
    if (status == MCPW_E_NOT_FOUND) {
        *out = empty;
        return MCPW_OK;
    }
    return status;
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
    get_serving *const s = mcpw_arena_alloc(arena, sizeof *s);
    if (s == NULL) {
        return MCPW_E_MEMORY;
    }
    memset(s, 0, sizeof *s);
    s->handler = entry->run.get;
    s->serving = mcpw_serving_of(run_get, entry->user, arena);
    s->get.name = name;
    mcpw_status status = get_object(sent, arena, &s->get.arguments);
    status = status == MCPW_OK ? find_missing(entry, sent, arena, &missing) : status;
    if (status != MCPW_OK) {
        return status;
    }
    if (missing.ptr != NULL) {
        mcpw_error error;
        mcpw_error_set(&error, MCPW_E_MISSING, 0, "missing required argument \"%s\"", missing.ptr);
        return mcpw_request_refuse(request, "/arguments", &error);
    }
    mcpw_request_set_entry(request, &s->serving);
    return mcpw_serving_run(&s->serving, request);
}

/* ---- completion/complete ------------------------------------------------------------------------------- */

typedef struct complete_serving {
    mcpw_serving serving;
    mcpw_complete_handler handler;
    mcpw_completion completion;
} complete_serving;

static mcpw_status run_complete(mcpw_request *request, const void *serving) {
    const complete_serving *const s = serving;
    return s->handler(request, &s->completion, s->serving.user);
}

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
    mcpw_arena *const arena = mcpw_request_arena(request);
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
    complete_serving *const s = mcpw_arena_alloc(arena, sizeof *s);
    if (s == NULL) {
        return MCPW_E_MEMORY;
    }
    memset(s, 0, sizeof *s);
    mcpw_completion *const completion = &s->completion;
    s->handler = entry->complete;
    s->serving = mcpw_serving_of(run_complete, entry->user, arena);
    completion->name = name;
    completion->argument = mcpw_field_str(mcpw_field_get(argument, "name"));
    completion->value = mcpw_field_str(mcpw_field_get(argument, "value"));
    if (context.at != NULL) {
        const mcpw_status status = mcpw_field_text(context, arena, &completion->context);
        if (status != MCPW_OK) {
            return status;
        }
    }
    mcpw_request_set_entry(request, &s->serving);
    return mcpw_serving_run(&s->serving, request);
}
