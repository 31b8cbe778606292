/* SPDX-License-Identifier: MIT */
#include <mcpw/error.h>

#include "listed.h"

#include "../core/tool_schema.h"
#include "../revisions/extension.h"

#include <mcpw/extension_kit.h>

static const char input_name[] = "inputSchema";
static const char output_name[] = "outputSchema";
static const char arguments_name[] = "arguments";
static const char structured_name[] = "structuredContent";

/* ---- The table ---- */

static mcpw_listed_tool *find(const mcpw_session *session, mcpw_str name) {
    return mcpw_table_find(&session->listed.by_name, mcpw_session_hash32(session, name), name,
                           offsetof(mcpw_listed_tool, name));
}

void mcpw_listed_unref(mcpw_session *session, mcpw_listed_tool *tool) {
    if (tool == NULL || --tool->uses != 0) {
        return;
    }
    session->listed.bytes -= tool->bytes;
    mcpw_tool_schema_free(tool->input.schema);
    mcpw_tool_schema_free(tool->output.schema);
    mcpw_session_release(session, tool, tool->size);
}

static void drop(mcpw_session *session, mcpw_listed_tool *tool) {
    mcpw_table_drop(&session->listed.by_name, &tool->in_bucket);
    mcpw_listed_unref(session, tool);
}

/* Drops the tools that the list has no more. */
static void drop_old(mcpw_session *session) {
    const mcpw_listed *const all = &session->listed;
    for (size_t i = 0; i < all->by_name.bucket_count; i++) {
        for (mcpw_hash_link *link = all->by_name.buckets[i], *next = NULL; link != NULL; link = next) {
            next = link->next;
            if (((mcpw_listed_tool *)link)->list != all->list) {
                drop(session, (mcpw_listed_tool *)link);
            }
        }
    }
}

void mcpw_listed_forget(mcpw_session *session) {
    session->listed.list++;
    drop_old(session);
}

void mcpw_listed_free(mcpw_session *session) {
    mcpw_listed_forget(session);
    mcpw_table_free(&session->listed.by_name, &session->config->allocator);
    session->listed = (mcpw_listed){0};
}

/* ---- A list comes ---- */

static mcpw_str put(char **at, const char *text, size_t len) {
    const mcpw_str copy = {*at, len};
    memcpy(*at, text, len);
    *at += len;
    return copy;
}

static size_t size_of(mcpw_str name, mcpw_json input, mcpw_json output) {
    return sizeof(mcpw_listed_tool) + name.len + input.len + output.len;
}

/* The facts about a tool; its texts lie after it. NULL: no memory. */
static mcpw_listed_tool *make(mcpw_session *session, mcpw_str name, mcpw_json input, mcpw_json output) {
    const size_t size = size_of(name, input, output);
    mcpw_listed_tool *const tool = mcpw_session_alloc(session, size);
    if (tool == NULL) {
        return NULL;
    }
    char *at = (char *)(tool + 1);
    tool->uses = 1;
    tool->size = size;
    tool->bytes = size;
    tool->name = put(&at, name.ptr, name.len);
    if (input.ptr != NULL) {
        const mcpw_str text = put(&at, input.ptr, input.len);
        tool->input.text = (mcpw_json){text.ptr, text.len, 0};
    }
    if (output.ptr != NULL) {
        const mcpw_str text = put(&at, output.ptr, output.len);
        tool->output.text = (mcpw_json){text.ptr, text.len, 0};
    }
    session->listed.bytes += size;
    return tool;
}

/* Notes why a tool goes unchecked. */
static void diagnostic(mcpw_session *session, mcpw_str name, mcpw_error *error) {
    static const mcpw_str method = MCPW_STR("tools/list");
    char text[MCPW_ERROR_MESSAGE_SIZE];
    char path[MCPW_ERROR_PATH_SIZE];
    char excerpt[MCPW_EXCERPT_SIZE];
    memcpy(text, error->message, sizeof text);
    memcpy(path, error->path, sizeof path);
    mcpw_error_set(error, error->code, error->offset, "tool %s: %s",
                   mcpw_excerpt(excerpt, name.ptr, name.len), text);
    memcpy(error->path, path, sizeof path);
    mcpw_session_diagnose(session, MCPW_DIAGNOSTIC_TOOL_SCHEMA, NULL, method, error);
}

/* Whether an extension may ask for the facts of any tool. */
static bool keeps_all(const mcpw_session *session) {
    return session->config->extensions != NULL && session->config->extensions->takes_results;
}

bool mcpw_session_tool_task(const mcpw_session *session, mcpw_str name, mcpw_task_use *out) {
    const mcpw_listed_tool *const tool = session->listed.by_name.count != 0 ? find(session, name) : NULL;
    *out = tool != NULL ? tool->task : MCPW_TASK_FORBIDDEN;
    return tool != NULL;
}

static mcpw_task_use task_of(mcpw_field tool) {
    const mcpw_str word =
        mcpw_field_enum_text(mcpw_field_get(mcpw_field_get(tool, "execution"), "taskSupport"));
    return mcpw_str_is(word, "required")   ? MCPW_TASK_REQUIRED
           : mcpw_str_is(word, "optional") ? MCPW_TASK_OPTIONAL
                                           : MCPW_TASK_FORBIDDEN;
}

/* Keeps what is wanted of a tool. */
static mcpw_status keep_tool(mcpw_session *session, mcpw_field tool) {
    const mcpw_session_config *const c = session->config;
    mcpw_listed *const all = &session->listed;
    mcpw_json input = {NULL, 0, 0};
    mcpw_json output = {NULL, 0, 0};
    mcpw_status status = MCPW_OK;
    const mcpw_str name = mcpw_field_str(mcpw_field_get(tool, "name"));
    const mcpw_field out = mcpw_field_get(tool, output_name);
    if (c->check_arguments) {
        status = mcpw_field_text(mcpw_field_get(tool, input_name), &session->scratch, &input);
    }
    if (status == MCPW_OK && c->check_results != MCPW_OFF && out.at != NULL) {
        status = mcpw_field_text(out, &session->scratch, &output);
    }
    mcpw_listed_tool *const known = find(session, name);
    if (known != NULL) {
        drop(session, known);
    }
    if (status != MCPW_OK || (input.ptr == NULL && output.ptr == NULL && !keeps_all(session))) {
        return status;
    }
    const size_t size = size_of(name, input, output);
    if (size > c->max_tool_schemas || all->bytes > c->max_tool_schemas - size) {
        return MCPW_E_SIZE;
    }
    if (!mcpw_table_reserve(&all->by_name, &c->allocator)) {
        return MCPW_E_MEMORY;
    }
    mcpw_listed_tool *const fresh = make(session, name, input, output);
    if (fresh == NULL) {
        return MCPW_E_MEMORY;
    }
    fresh->list = all->list;
    fresh->task = task_of(tool);
    mcpw_table_put(&all->by_name, &fresh->in_bucket, mcpw_session_hash32(session, name));
    return MCPW_OK;
}

/* A page of the list. The first one begins a new list, and the last one ends what the old one had besides. */
static void keep_list(const mcpw_pending *p, const mcpw_type *type, const void *result) {
    mcpw_session *const session = p->session;
    const mcpw_field page = mcpw_field_of(type, result);
    const mcpw_field tools = mcpw_field_get(page, "tools");
    const size_t count = mcpw_field_count(tools);
    const mcpw_mark mark = mcpw_arena_mark(&session->scratch);
    mcpw_error error;
    mcpw_status worst = MCPW_OK;
    mcpw_str first = {NULL, 0};
    session->listed.list += p->traits.begins_list ? 1U : 0U;
    for (size_t i = 0; i < count; i++) {
        const mcpw_field tool = mcpw_field_item(tools, i);
        const mcpw_status status = keep_tool(session, tool);
        if (status != MCPW_OK && worst == MCPW_OK) {
            worst = status;
            first = mcpw_field_str(mcpw_field_get(tool, "name"));
        }
        mcpw_arena_rewind(&session->scratch, mark);
    }
    if (mcpw_field_get(page, "nextCursor").at == NULL) {
        drop_old(session);
    }
    if (worst != MCPW_OK) {
        mcpw_error_set(&error, worst, 0, "its schemas, and perhaps those of later tools, are not kept: %s",
                       mcpw_status_text(worst));
        diagnostic(session, first, &error);
    }
}

/* ---- A call goes out, and is answered ---- */

/* The schema, compiled; NULL: there is none, or it cannot be used, which was noted. */
static const mcpw_schema *schema_of(mcpw_session *session, mcpw_listed_tool *tool, mcpw_listed_schema *one,
                                    const char *member) {
    const mcpw_session_config *const c = session->config;
    mcpw_error error;
    if (one->looked || one->text.ptr == NULL) {
        return one->schema;
    }
    one->looked = true;
    mcpw_status status = mcpw_tool_schema_compile(c->patterns, &c->allocator, member, one->text,
                                                  MCPW_FORMATS_SAY_NOTHING, &one->schema, &error);
    const size_t size = status == MCPW_OK ? mcpw_tool_schema_size(one->schema) : 0;
    if (size > c->max_tool_schemas || session->listed.bytes > c->max_tool_schemas - size) {
        mcpw_tool_schema_free(one->schema);
        one->schema = NULL;
        status = MCPW_E_SIZE;
        mcpw_error_set(&error, status, 0, "schemas of tools take more than max_tool_schemas");
    }
    if (status != MCPW_OK) {
        diagnostic(session, tool->name, &error);
        return NULL;
    }
    tool->bytes += size;
    session->listed.bytes += size;
    return one->schema;
}

static mcpw_status check(mcpw_session *session, const mcpw_schema *schema, const char *member,
                         mcpw_json value, mcpw_error *error) {
    const mcpw_status status = mcpw_tool_schema_check(schema, value, &session->scratch, NULL, error);
    if (status != MCPW_OK) {
        mcpw_error_prepend_key(error, member, strlen(member));
    }
    return status;
}

static mcpw_status check_arguments(mcpw_pending *p, mcpw_field params, mcpw_error *error) {
    static const mcpw_json nothing = {"{}", 2, 0};
    mcpw_session *const session = p->session;
    const int64_t number = p->number;
    mcpw_listed_tool *const tool = p->tool;
    const mcpw_field given = mcpw_field_get(params, arguments_name);
    const mcpw_schema *const schema = schema_of(session, tool, &tool->input, input_name);
    mcpw_json arguments = nothing;
    if (p->number != number) {
        return MCPW_E_CLOSED; /* by user code that got a diagnostic of a schema */
    }
    if (schema == NULL) {
        return MCPW_OK;
    }
    const mcpw_mark mark = mcpw_arena_mark(&session->scratch);
    mcpw_status status = given.at != NULL ? mcpw_field_text(given, &session->scratch, &arguments) : MCPW_OK;
    if (status == MCPW_OK) {
        status = check(session, schema, arguments_name, arguments, error);
    }
    mcpw_arena_rewind(&session->scratch, mark);
    return status;
}

mcpw_status mcpw_listed_send(mcpw_pending *p, const mcpw_profile *profile, const mcpw_type *type,
                             const void *params, mcpw_error *error) {
    const mcpw_own own = profile->bindings[p->sent.method].own;
    if (own == MCPW_OWN_LIST_TOOLS) {
        p->traits.begins_list =
            params == NULL || mcpw_field_get(mcpw_field_of(type, params), "cursor").at == NULL;
    }
    if (own != MCPW_OWN_CALL_TOOL || params == NULL || p->session->listed.by_name.count == 0) {
        return MCPW_OK;
    }
    const mcpw_field fields = mcpw_field_of(type, params);
    p->tool = find(p->session, mcpw_field_str(mcpw_field_get(fields, "name")));
    if (p->tool == NULL) {
        return MCPW_OK;
    }
    p->tool->uses++;
    return p->session->config->check_arguments ? check_arguments(p, fields, error) : MCPW_OK;
}

/* The promises of the server about a result that is not an error. (MCP, "Tools", output schema.) */
static mcpw_status check_result(const mcpw_pending *p, const mcpw_type *type, const void *result,
                                mcpw_error *error) {
    mcpw_session *const session = p->session;
    const int64_t number = p->number;
    const mcpw_field fields = mcpw_field_of(type, result);
    const mcpw_field structured = mcpw_field_get(fields, structured_name);
    mcpw_json value = {NULL, 0, 0};
    mcpw_status status = MCPW_OK;
    if (p->tool->output.text.ptr == NULL || mcpw_field_bool(mcpw_field_get(fields, "isError"))) {
        return MCPW_OK;
    }
    const mcpw_schema *const schema = schema_of(session, p->tool, &p->tool->output, output_name);
    if (schema == NULL || p->number != number) {
        return MCPW_OK;
    }
    if (structured.at == NULL) {
        mcpw_error_set(error, MCPW_E_MISSING, 0,
                       "the tool has an outputSchema, but its result has no structured content");
        mcpw_error_prepend_key(error, structured_name, sizeof structured_name - 1);
        return MCPW_E_MISSING;
    }
    const mcpw_mark mark = mcpw_arena_mark(&session->scratch);
    status = mcpw_field_text(structured, &session->scratch, &value);
    if (status == MCPW_OK) {
        status = check(session, schema, structured_name, value, error);
    }
    mcpw_arena_rewind(&session->scratch, mark);
    return status;
}

mcpw_status mcpw_listed_answer(const mcpw_pending *p, const mcpw_profile *profile, const mcpw_type *type,
                               const void *result, mcpw_error *error) {
    if (profile->bindings[p->sent.method].own == MCPW_OWN_LIST_TOOLS &&
        (p->session->config->check_arguments || p->session->config->check_results != MCPW_OFF ||
         keeps_all(p->session))) {
        keep_list(p, type, result); /* user code may have ended p */
        return MCPW_OK;
    }
    if (p->tool == NULL) {
        return MCPW_OK;
    }
    error->code = MCPW_OK;
    const mcpw_status status = check_result(p, type, result, error);
    if (status != MCPW_OK) {
        mcpw_explain(error, status);
    }
    return status;
}
