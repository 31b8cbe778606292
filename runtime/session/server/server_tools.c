/* SPDX-License-Identifier: MIT */
/* Tools of a server: how they are registered, and how tools/call is served. */
#include <mcpw/detail/protocol.h>
#include <mcpw/detail/reflect.h>
#include <mcpw/detail/session.h>

#include "../support/defaults.h"
#include "server_internal.h"

enum { MAX_NAME = 128, MAX_FAULTS = 20 /* at most so many faults of arguments are reported */ };

/* ---- Registration -------------------------------------------------------------------------------------- */

static bool is_tool_name(const char *name) {
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
    const size_t len = strlen(name);
    return len != 0 && len <= MAX_NAME && strspn(name, allowed) == len;
}

/* A tool that says nothing of its arguments takes any object. */
static void define_input(mcpw_definition *d, mcpw_json schema) {
    static const char input_schema[] = "inputSchema";
    if (schema.ptr != NULL) {
        mcpw_define_json(d, input_schema, schema);
        return;
    }
    mcpw_text_key(&d->text, input_schema);
    mcpw_text_object(&d->text);
    mcpw_define_text(d, "type", "object");
    mcpw_text_object_end(&d->text);
}

/* Writes the members of `more`, and those that extensions add. */
static void define_more(mcpw_definition *d, const mcpw_tool *tool) {
    mcpw_server_base *const base = &d->server->base;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {.code = MCPW_OK};
    mcpw_json more = tool->more;
    arena.allocator = base->config.allocator;
    if (base->adding_tool != NULL && d->status == MCPW_OK) {
        d->status = base->adding_tool(d->server, tool, &arena, &more, &error);
        if (d->status != MCPW_OK && d->error != NULL) {
            *d->error = error;
        }
    }
    if (d->status == MCPW_OK) {
        mcpw_define_more(d, more);
    }
    mcpw_arena_free(&arena);
}

/* States whether calls may be tasks, where a revision has a place for it. */
static void define_task(mcpw_definition *d, const mcpw_server *server, mcpw_task_use use) {
    if (use == MCPW_TASK_FORBIDDEN) {
        return; /* which is the default */
    }
    if (server->base.before_tool == NULL || use > MCPW_TASK_PREFERRED) {
        mcpw_define_fail(d, MCPW_E_ARGUMENT, "task", "the server keeps no tasks: call mcpw_server_add_tasks");
        return;
    }
    mcpw_text_key(&d->text, "execution");
    mcpw_text_object(&d->text);
    mcpw_define_text(d, "taskSupport", use == MCPW_TASK_REQUIRED ? "required" : "optional");
    mcpw_text_object_end(&d->text);
}

mcpw_status mcpw_server_add_tool(mcpw_server *server, const mcpw_tool *given, mcpw_error *error) {
    mcpw_definition d;
    mcpw_tool own = {0};
    const mcpw_tool *const tool = &own;
    if (server == NULL || !MCPW_TAKE(&own, task, given) || tool->call == NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "server, tool or its call is NULL");
    }
    mcpw_define(&d, server, MCPW_FAMILY_TOOL, error);
    if (tool->name != NULL && !is_tool_name(tool->name)) {
        mcpw_define_fail(&d, MCPW_E_ARGUMENT, "name", "expected 1 to 128 of A-Z a-z 0-9 _ - .");
    }
    mcpw_define_names(&d, tool->name, tool->title, tool->description);
    define_input(&d, tool->input_schema);
    mcpw_define_json(&d, "outputSchema", tool->output_schema);
    define_task(&d, server, tool->task);
    if (tool->ui != NULL && !server->base.has_apps) {
        mcpw_define_fail(&d, MCPW_E_STATE, "ui", "mcpw_server_add_apps was not called");
    }
    define_more(&d, tool);
    mcpw_entry *const entry = mcpw_define_end(&d, tool->name);
    if (entry == NULL) {
        return d.status;
    }
    const mcpw_server_config *const config = &server->base.config;
    mcpw_status status = mcpw_entry_set_scopes(server, entry, tool->scopes, error);
    status = status == MCPW_OK ? mcpw_tool_schemas_make(config, tool, &entry->schemas, error) : status;
    if (status != MCPW_OK) {
        mcpw_entry_free(server, entry);
        return status;
    }
    if (mcpw_json_get(entry->definition, "inputSchema", &entry->input) != MCPW_OK) {
        entry->input.ptr = NULL;
    }
    entry->has_defaults =
        config->fill_defaults && entry->input.ptr != NULL && mcpw_has_defaults(tool->input_schema);
    entry->arguments = tool->arguments;
    entry->structured = tool->structured;
    entry->task = tool->task;
    entry->run.call = tool->call;
    entry->user = tool->user;
    return mcpw_registry_add(server, MCPW_FAMILY_TOOL, entry, error);
}

mcpw_status mcpw_server_remove_tool(mcpw_server *server, const char *name) {
    return mcpw_registry_remove(server, MCPW_FAMILY_TOOL, name);
}

mcpw_task_use mcpw_server_tool_task(const mcpw_server *server, mcpw_str name) {
    const mcpw_entry *const entry = mcpw_registry_find(server, MCPW_FAMILY_TOOL, name);
    return entry != NULL ? entry->task : MCPW_TASK_FORBIDDEN;
}

mcpw_json mcpw_server_tool_at(const mcpw_server *server, size_t index) {
    const mcpw_registry *const tools = server->registries + MCPW_FAMILY_TOOL;
    return index < tools->count ? tools->entries[index]->definition : (mcpw_json){NULL, 0, 0};
}

mcpw_json mcpw_server_tool_schema(const mcpw_server *server, mcpw_str name) {
    const mcpw_entry *const entry = mcpw_registry_find(server, MCPW_FAMILY_TOOL, name);
    return entry != NULL ? entry->input : (mcpw_json){NULL, 0, 0};
}

/* ---- tools/call ---------------------------------------------------------------------------------------- */

typedef struct faults {
    mcpw_buffer text;
    unsigned count;
    mcpw_status status;
} faults;

static void put_fault(faults *f, const char *words) {
    if (f->status == MCPW_OK) {
        f->status = mcpw_buffer_append(&f->text, words, strlen(words));
    }
}

/* Writes a line for each fault, as many as a model can use. */
static bool on_fault(void *user, const mcpw_error *error) {
    faults *const f = user;
    if (f->count++ == MAX_FAULTS) {
        put_fault(f, "\n...");
        return false;
    }
    put_fault(f, "\n/arguments");
    put_fault(f, error->path);
    put_fault(f, ": ");
    put_fault(f, error->message);
    return f->status == MCPW_OK;
}

/* The check of arguments: a schema, or a type. */
typedef struct expectation {
    const mcpw_schema *schema;
    const mcpw_type *type;
} expectation;

static mcpw_status check(const expectation *e, mcpw_json value, mcpw_arena *arena,
                         const mcpw_options *options, mcpw_error *error) {
    return e->schema != NULL ? mcpw_tool_schema_check(e->schema, value, arena, options, error)
                             : mcpw_validate(e->type, value.ptr, value.len, arena, options, error);
}

/* Answers with all that is wrong with the arguments, in a result: the model sees it, and tries again. */
static mcpw_status tell_faults(mcpw_request *request, const expectation *expected, mcpw_json arguments) {
    mcpw_arena *const arena = mcpw_request_arena(request);
    mcpw_options options = MCPW_OPTIONS_INIT;
    faults f = {MCPW_BUFFER_INIT, 0, MCPW_OK};
    f.text.allocator = arena->allocator; /* not the arena itself, which validation rewinds */
    options.on_error = on_fault;
    options.user = &f;
    put_fault(&f, "The arguments do not fit the tool's input schema:");
    const mcpw_status first = check(expected, arguments, arena, &options, NULL);
    if (f.status == MCPW_OK) {
        f.status = mcpw_buffer_append(&f.text, "", 1);
    }
    mcpw_status status = f.status;
    if (status == MCPW_OK) {
        status = first != MCPW_OK ? mcpw_respond_tool_error(request, f.text.data) : MCPW_E_STATE;
    }
    mcpw_buffer_free(&f.text);
    return status;
}

/* Answers that the arguments are wrong. Returns any status that is not their fault. */
static mcpw_status refuse_arguments(mcpw_request *request, const expectation *expected, mcpw_json arguments,
                                    const mcpw_error *error) {
    if (error->code == MCPW_E_MEMORY || error->code == MCPW_E_ARENA || error->code == MCPW_E_ARGUMENT) {
        return error->code;
    }
    return mcpw_protocol_tells_arguments(mcpw_request_revision(request))
               ? tell_faults(request, expected, arguments)
               : mcpw_request_refuse(request, "/arguments", error);
}

/* Reads the params of a call. Their places are looked up once for each revision. */
static mcpw_status read_call(mcpw_server *server, mcpw_request *request, mcpw_tool_call *call) {
    static const mcpw_json no_arguments = MCPW_JSON("{}");
    mcpw_call_rows *const rows = &server->call_rows;
    const mcpw_type *type = NULL;
    const void *const params = mcpw_request_params(request, &type);
    if (rows->params != type) {
        rows->params = type;
        rows->name = mcpw_type_slot(type, "name");
        rows->arguments = mcpw_type_slot(type, "arguments");
    }
    call->name = mcpw_slot_str(params, rows->name);
    call->arguments = mcpw_slot_json(params, rows->arguments);
    call->value = NULL;
    if (call->arguments.ptr != NULL) {
        return MCPW_OK;
    }
    const mcpw_status status = mcpw_field_text(mcpw_field_at(type, params, rows->arguments),
                                               mcpw_request_arena(request), &call->arguments);
    if (status == MCPW_E_NOT_FOUND) {
        call->arguments = no_arguments;
        return MCPW_OK;
    }
    return status == MCPW_OK ? MCPW_OK : MCPW_E_MEMORY;
}

/* Takes the arguments, with what is filled in, where the tool accepts them; as a struct, too, where it has a
 * type for them. If it does not accept them, the request is answered. */
static mcpw_status take_arguments(mcpw_request *request, const mcpw_entry *entry, mcpw_tool_call *call,
                                  bool *taken) {
    mcpw_arena *const arena = mcpw_request_arena(request);
    const expectation by_schema = {entry->schemas != NULL ? entry->schemas->input : NULL, NULL};
    const expectation by_type = {NULL, entry->arguments};
    mcpw_error error;
    mcpw_status status = entry->has_defaults
                             ? mcpw_fill_defaults(entry->input, call->arguments, arena, &call->arguments)
                             : MCPW_OK;
    if (status != MCPW_OK) {
        return status;
    }
    if (by_schema.schema != NULL) {
        status = check(&by_schema, call->arguments, arena, NULL, &error);
        if (status != MCPW_OK) {
            return refuse_arguments(request, &by_schema, call->arguments, &error);
        }
    }
    if (by_type.type != NULL) {
        void *const value = mcpw_arena_alloc(arena, mcpw_type_size(by_type.type));
        if (value == NULL) {
            return MCPW_E_MEMORY;
        }
        status =
            mcpw_decode(by_type.type, call->arguments.ptr, call->arguments.len, arena, value, NULL, &error);
        if (status != MCPW_OK) {
            return refuse_arguments(request, &by_type, call->arguments, &error);
        }
        call->value = value;
    }
    *taken = true;
    return MCPW_OK;
}

mcpw_status mcpw_tools_call(mcpw_server *server, mcpw_request *request) {
    mcpw_serving *const s = mcpw_serving_new(request, MCPW_SERVING_CALL, sizeof(mcpw_tool_call));
    if (s == NULL) {
        return MCPW_E_MEMORY;
    }
    mcpw_tool_call *const call = mcpw_serving_subject(s);
    mcpw_status status = read_call(server, request, call);
    if (status != MCPW_OK) {
        return status;
    }
    const mcpw_entry *const entry = mcpw_registry_find(server, MCPW_FAMILY_TOOL, call->name);
    if (entry == NULL) {
        return mcpw_refuse_unknown(request, "tool", call->name);
    }
    if (server->base.before_tool != NULL) {
        status = server->base.before_tool(server, request, call->name, entry->task);
        if (status != MCPW_OK || mcpw_request_is_answered(request)) {
            return status;
        }
    }
    bool taken = false;
    status = take_arguments(request, entry, call, &taken);
    return taken ? mcpw_entry_serve(request, s, entry) : status;
}

void mcpw_tools_unref(mcpw_server *server, const void *entry) {
    const mcpw_serving *const serving = entry;
    mcpw_tool_schemas_unref(&server->base.config, serving->schemas);
}

/* ---- Structured content -------------------------------------------------------------------------------- */

mcpw_status mcpw_tools_check_result(const void *entry, const mcpw_type *type, const void *result,
                                    mcpw_error *error) {
    if (!mcpw_slot_exists(mcpw_type_slot(type, "structuredContent"))) {
        return MCPW_OK; /* it has no place for it */
    }
    const mcpw_field fields = mcpw_field_of(type, result);
    return mcpw_field_bool(mcpw_field_get(fields, "isError"))
               ? MCPW_OK
               : mcpw_server_check_structured(
                     entry, mcpw_field_json(mcpw_field_get(fields, "structuredContent")), error);
}

mcpw_status mcpw_tools_check_text(const void *entry, mcpw_json result, mcpw_error *error) {
    mcpw_json value = {NULL, 0, 0};
    bool is_error = false;
    if (mcpw_json_get(result, "structuredContent", &value) != MCPW_OK) {
        value.ptr = NULL;
    }
    return mcpw_json_get_bool(result, "isError", &is_error) == MCPW_OK && is_error
               ? MCPW_OK
               : mcpw_server_check_structured(entry, value, error);
}
