/* SPDX-License-Identifier: MIT */
#include "tap_tools.h"

#include "json_schema.h"
#include "text.h"

#include <mcpw/codec.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_TOOLS = 1 << 16,
    MAX_SCHEMAS = 64 << 20, /* bytes of all compiled schemas */
    SHOWN = 60,             /* bytes of a name */
    POINTER_SIZE = 64
};

/* The schemas of a listed tool; NULL: it has none, or an invalid one, which was reported. */
typedef struct tool_schemas {
    mcpw_schema *input;
    mcpw_schema *output;
} tool_schemas;

/* The receiver of findings, and their subject. */
typedef struct reporter {
    void (*on_finding)(void *user, const finding *f);
    void *user;
    rule_id rule;
    const char *pointer; /* of the checked value */
    mcpw_str tool;
} reporter;

static void drop(void *facts) {
    tool_schemas *const s = facts;
    json_schema_free(s->input);
    json_schema_free(s->output);
    free(s);
}

static void begin_list(tool_list *list) {
    memset(list, 0, sizeof *list);
    requests_init(&list->tools, MAX_TOOLS);
    list->tools.drop = drop;
}

void tap_tools_init(tap_tools *t, bool all_errors) {
    t->all_errors = all_errors;
    begin_list(&t->known);
    begin_list(&t->coming);
}

void tap_tools_free(tap_tools *t) {
    requests_free(&t->known.tools);
    requests_free(&t->coming.tools);
}

static mcpw_id key_of(mcpw_str name) {
    const mcpw_id id = {MCPW_ID_STRING, {.string = name}};
    return id;
}

static const tool_schemas *find_in(const tool_list *list, mcpw_str name) {
    const mcpw_id id = key_of(name);
    const open_request *const entry = name.ptr != NULL ? requests_find(&list->tools, &id) : NULL;
    return entry != NULL ? entry->facts : NULL;
}

static const tool_schemas *find(const tap_tools *t, mcpw_str name) {
    const tool_schemas *const fresh = find_in(&t->coming, name);
    return fresh != NULL ? fresh : find_in(&t->known, name);
}

static bool report_error(void *user, const mcpw_error *error) {
    const reporter *const to = user;
    char pointer[MCPW_ERROR_PATH_SIZE + POINTER_SIZE];
    finding f;
    (void)snprintf(pointer, sizeof pointer, "%s%s", to->pointer, error->path);
    finding_set(&f, to->rule, pointer, "tool %.*s%s: %s", (int)text_cut(to->tool.ptr, to->tool.len, SHOWN),
                to->tool.ptr, to->tool.len > SHOWN ? "..." : "", error->message);
    f.status = error->code;
    to->on_finding(to->user, &f);
    return true;
}

static void check(const tap_tools *t, talk *talk, const mcpw_schema *schema, mcpw_json value, reporter *to) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_error error;
    options.max_bytes = value.len;
    options.max_elements = value.len + 1; /* the length of a line is limit enough */
    options.on_error = t->all_errors ? report_error : NULL;
    options.user = to;
    if (json_schema_check(schema, value, &talk->arena, &options, &error) != MCPW_OK && !t->all_errors) {
        (void)report_error(to, &error);
    }
}

/* ---- calls and results --------------------------------------------------------------------------------- */

static void check_call(const tap_tools *t, talk *talk, const talk_message *m, reporter *to) {
    static const mcpw_json nothing = {"{}", 2, 0};
    const mcpw_json given = m->at[MCPW_AT_ARGUMENTS];
    to->tool = glance_text(m->at[MCPW_AT_NAME], &talk->arena);
    const tool_schemas *const tool = find(t, to->tool);
    if (tool != NULL && tool->input != NULL) {
        to->rule = RULE_TOOL_ARGUMENTS;
        to->pointer = "/params/arguments";
        check(t, talk, tool->input, given.ptr != NULL ? given : nothing, to);
    }
}

static void check_result(const tap_tools *t, talk *talk, const talk_message *m, reporter *to) {
    const request_facts *const f = m->answer_facts;
    const mcpw_json structured = glance_member(m->at[MCPW_AT_RESULT], "structuredContent");
    const bool completes = glance_member(m->at[MCPW_AT_RESULT], "content").ptr !=
                           NULL; /* it is neither a task nor an input request */
    bool is_error = false;
    if (f == NULL || f->tool == NULL || !completes ||
        (mcpw_json_get_bool(m->at[MCPW_AT_RESULT], "isError", &is_error) == MCPW_OK && is_error)) {
        return;
    }
    to->tool = mcpw_str_from(f->tool);
    const tool_schemas *const tool = find(t, to->tool);
    if (tool == NULL || tool->output == NULL) {
        return;
    }
    to->rule = RULE_TOOL_RESULT;
    to->pointer = "/result/structuredContent";
    if (structured.ptr != NULL) {
        check(t, talk, tool->output, structured, to);
        return;
    }
    mcpw_error error;
    mcpw_error_set(&error, MCPW_E_MISSING, 0,
                   "it has an outputSchema, but its result has no structured content");
    to->pointer = "/result";
    (void)report_error(to, &error);
}

/* ---- the list ------------------------------------------------------------------------------------------ */

/* Compiles a schema of the tool at an index of the page. */
static mcpw_schema *compile(tool_list *list, mcpw_json tool, size_t place, const char *name,
                            const reporter *to) {
    const mcpw_json text = glance_member(tool, name);
    char pointer[POINTER_SIZE];
    reporter here = *to;
    mcpw_error error;
    if (text.ptr == NULL) {
        return NULL;
    }
    mcpw_schema *const schema = json_schema_quietly(text, &error);
    const size_t size = schema != NULL ? json_schema_size(schema) : 0;
    if (schema != NULL && size <= MAX_SCHEMAS - list->bytes) {
        list->bytes += size;
        return schema;
    }
    if (schema != NULL) {
        json_schema_free(schema);
        mcpw_error_set(&error, MCPW_E_SIZE, 0, "the schemas of the tools are too large to be kept");
    }
    (void)snprintf(pointer, sizeof pointer, "/result/tools/%zu/%s", place, name);
    here.rule = error.code == MCPW_E_SIZE || error.code == MCPW_E_MEMORY ? RULE_LIMIT : RULE_TOOL_SCHEMA;
    here.pointer = pointer;
    (void)report_error(&here, &error);
    return NULL;
}

/* Adds a tool. The first one with a name counts. */
static void learn_tool(tool_list *list, talk *talk, mcpw_json tool, size_t place, reporter *to) {
    static const mcpw_answered_request none = {0, false};
    to->tool = glance_string(tool, "name", &talk->arena);
    const mcpw_id id = key_of(to->tool);
    if (to->tool.ptr == NULL || find_in(list, to->tool) != NULL) {
        return;
    }
    tool_schemas *const fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL || !requests_add(&list->tools, &id, none)) {
        free(fresh);
        return;
    }
    fresh->input = compile(list, tool, place, "inputSchema", to);
    fresh->output = compile(list, tool, place, "outputSchema", to);
    requests_find(&list->tools, &id)->facts = fresh;
}

/* Reads a page. The last page of a new list replaces the previous list. */
static void learn_page(tap_tools *t, talk *talk, const talk_message *m, reporter *to) {
    mcpw_json_iter it;
    mcpw_json tool = {NULL, 0, 0};
    const mcpw_json tools = glance_member(m->at[MCPW_AT_RESULT], "tools");
    if (m->answer_facts != NULL && m->answer_facts->begins) {
        requests_free(&t->coming.tools);
        begin_list(&t->coming);
    }
    if (mcpw_json_kind_of(tools) != MCPW_JSON_ARRAY || mcpw_json_iterate(tools, &it) != MCPW_OK) {
        return;
    }
    for (size_t place = 0; mcpw_json_next(&it, NULL, &tool); place++) {
        learn_tool(&t->coming, talk, tool, place, to);
    }
    if (glance_member(m->at[MCPW_AT_RESULT], "nextCursor").ptr == NULL) {
        requests_free(&t->known.tools);
        t->known = t->coming;
        begin_list(&t->coming);
    }
}

void tap_tools_check(tap_tools *t, talk *talk, const talk_message *m,
                     void (*on_finding)(void *user, const finding *f), void *user) {
    reporter to = {on_finding, user, RULE_TOOL_SCHEMA, "", {NULL, 0}};
    if (!m->valid || !json_schema_works()) {
        return;
    }
    if (m->kind == MCPW_MESSAGE_REQUEST && m->from == CLIENT && mcpw_str_is(m->method, "tools/call")) {
        check_call(t, talk, m, &to);
    } else if (m->kind == MCPW_MESSAGE_RESULT && m->from == SERVER && mcpw_str_is(m->method, "tools/call")) {
        check_result(t, talk, m, &to);
    } else if (m->kind == MCPW_MESSAGE_RESULT && m->from == SERVER && mcpw_str_is(m->method, "tools/list")) {
        learn_page(t, talk, m, &to);
    }
}
