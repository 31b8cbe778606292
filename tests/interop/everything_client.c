/* SPDX-License-Identifier: MIT */
/* A client for the official conformance suite, which starts it with the URL of its server and says by
 * MCP_CONFORMANCE_SCENARIO what is to be done. Usage: everything_client URL. */
#include "everything_login.h"

#include <mcp/client.h>
#include <mcpw/http_connect.h>
#include <mcpw/json.h>

#include <stdio.h>
#include <stdlib.h>

/* One run of a scenario. */
typedef struct run {
    mcpw_client *client;
    mcpw_arena arena;
    const mcp_list_tools_result *tools;
    mcpw_error error;
} run;

typedef mcpw_status play(run *r);

/* ---- What the server asks ---- */

/* Consents where that is asked; all else is left to the defaults of the form. */
static mcpw_status fill_in(mcpw_request *request, const mcp_elicit_request_params *params, void *user) {
    mcp_elicit_result_content_value_entry consent = {
        .key = MCPW_STR("confirmed"),
        .value = {.kind = MCP_ELICIT_RESULT_CONTENT_VALUE_BOOLEAN, .as.boolean = true}};
    mcp_elicit_result result = {.action = MCP_ELICIT_RESULT_ACTION_ACCEPT};
    (void)user;
    result.content.items = &consent;
    if (params->kind == MCP_ELICIT_REQUEST_PARAMS_ELICIT_REQUEST_FORM_PARAMS) {
        const mcp_elicit_request_form_params *const form = &params->as.elicit_request_form_params;
        for (size_t i = 0; i < form->requested_schema.properties.count; i++) {
            if (mcpw_str_is(form->requested_schema.properties.items[i].key, "confirmed")) {
                result.content.count = 1;
            }
        }
    }
    return mcp_respond_elicitation_create(request, &result, NULL);
}

/* ---- What a scenario is made of ---- */

static mcpw_status list_tools(run *r) {
    const mcp_paginated_request_params params = {.cursor = {NULL, 0}};
    return mcp_call_tools_list(r->client, &params, NULL, &r->arena, &r->tools, &r->error);
}

static bool has_tool(const run *r, const char *name) {
    for (size_t i = 0; i < r->tools->tools.count; i++) {
        if (mcpw_str_is(r->tools->tools.items[i].name, name)) {
            return true;
        }
    }
    return false;
}

static mcpw_status call_json(run *r, mcpw_str name, mcpw_json arguments) {
    const mcp_call_tool_request_params params = {.name = name, .arguments = arguments};
    const mcp_call_tool_result *result;
    return mcp_call_tools_call(r->client, &params, NULL, &r->arena, &result, &r->error);
}

static mcpw_status call(run *r, const char *name, const char *arguments) {
    return call_json(r, mcpw_str_from(name), mcpw_json_from(arguments));
}

/* ---- Scenarios ---- */

static mcpw_status only_list(run *r) {
    const mcpw_status status = list_tools(r);
    return status == MCPW_E_CAPABILITY ? MCPW_OK : status; /* the server has no tools */
}

static mcpw_status add_numbers(run *r) {
    const mcpw_status status = list_tools(r);
    return status == MCPW_OK ? call(r, "add_numbers", "{\"a\":5,\"b\":3}") : status;
}

static mcpw_status take_defaults(run *r) {
    const mcpw_status status = list_tools(r);
    return status == MCPW_OK ? call(r, "test_client_elicitation_defaults", "{}") : status;
}

static mcpw_status reconnect(run *r) {
    const mcpw_status status = list_tools(r);
    return status == MCPW_OK ? call(r, "test_reconnection", "{}") : status;
}

static mcpw_status keep_state(run *r) {
    static const char *const tools[] = {"test_mrtr_echo_state", "test_mrtr_unrelated", "test_mrtr_no_state",
                                        "test_mrtr_no_result_type"};
    mcpw_status status = list_tools(r);
    for (size_t i = 0; status == MCPW_OK && i < sizeof tools / sizeof *tools; i++) {
        status = call(r, tools[i], "{}");
    }
    return status;
}

/* Everything that has a name. */
static mcpw_status name_things(run *r) {
    const mcp_paginated_request_params page = {.cursor = {NULL, 0}};
    const mcp_list_resources_result *resources = NULL;
    const mcp_list_prompts_result *prompts = NULL;
    const mcp_read_resource_result *content;
    const mcp_get_prompt_result *prompt;
    mcpw_status status = list_tools(r);
    for (size_t i = 0; status == MCPW_OK && i < r->tools->tools.count; i++) {
        status = call_json(r, r->tools->tools.items[i].name, mcpw_json_from("{}"));
    }
    status = status == MCPW_OK
                 ? mcp_call_resources_list(r->client, &page, NULL, &r->arena, &resources, &r->error)
                 : status;
    for (size_t i = 0; status == MCPW_OK && i < resources->resources.count; i++) {
        const mcp_read_resource_request_params params = {.uri = resources->resources.items[i].uri};
        status = mcp_call_resources_read(r->client, &params, NULL, &r->arena, &content, &r->error);
    }
    status = status == MCPW_OK ? mcp_call_prompts_list(r->client, &page, NULL, &r->arena, &prompts, &r->error)
                               : status;
    for (size_t i = 0; status == MCPW_OK && i < prompts->prompts.count; i++) {
        const mcp_get_prompt_request_params params = {.name = prompts->prompts.items[i].name};
        status = mcp_call_prompts_get(r->client, &params, NULL, &r->arena, &prompt, &r->error);
    }
    return status;
}

/* Calls what the suite says. */
static mcpw_status call_given(run *r) {
    const mcpw_json context = mcpw_json_from(getenv("MCP_CONFORMANCE_CONTEXT"));
    mcpw_json calls;
    mcpw_json item;
    mcpw_json arguments;
    mcpw_json_iter it;
    mcpw_str name;
    mcpw_status status = list_tools(r);
    if (status == MCPW_OK) {
        status = mcpw_json_get(context, "toolCalls", &calls);
    }
    if (status == MCPW_OK) {
        status = mcpw_json_iterate(calls, &it);
    }
    while (status == MCPW_OK && mcpw_json_next(&it, NULL, &item)) {
        status = mcpw_json_get_string(item, "name", &r->arena, &name);
        if (status == MCPW_OK) {
            status = mcpw_json_get(item, "arguments", &arguments);
        }
        if (status == MCPW_OK) {
            status = call_json(r, name, arguments);
        }
    }
    return status;
}

/* Tools whose headers are no good are not there. */
static mcpw_status call_valid(run *r) {
    mcpw_status status = list_tools(r);
    if (status == MCPW_OK && (r->tools->tools.count != 1 || !has_tool(r, "valid_tool"))) {
        mcpw_error_set(&r->error, MCPW_E_VALUE, 0, "tools are listed that cannot be called");
        status = MCPW_E_VALUE;
    }
    return status == MCPW_OK ? call(r, "valid_tool", "{\"region\":\"eu\"}") : status;
}

/* Sends a schema back as it came. */
static mcpw_status echo_schema(run *r) {
    mcpw_status status = list_tools(r);
    mcpw_buffer text = MCPW_BUFFER_INIT;
    mcpw_json raw;
    for (size_t i = 0; status == MCPW_OK && i < r->tools->tools.count; i++) {
        const mcp_tool *const tool = &r->tools->tools.items[i];
        if (!mcpw_str_is(tool->name, "json_schema_2020_12_tool")) {
            continue;
        }
        status = mcp_tool_encode(tool, &text, NULL, &r->error);
        if (status == MCPW_OK) {
            status = mcpw_json_get(mcpw_json_of(text.data, text.len), "inputSchema", &raw);
        }
        if (status == MCPW_OK) {
            mcpw_json_writer w;
            mcpw_buffer arguments = MCPW_BUFFER_INIT;
            mcpw_json written;
            mcpw_json_write_into(&w, &arguments);
            mcpw_json_write_object(&w);
            mcpw_json_write_key(&w, "schema");
            mcpw_json_write_raw(&w, raw);
            mcpw_json_write_close(&w);
            status = mcpw_json_write_end(&w, &written);
            status = status == MCPW_OK ? call_json(r, mcpw_str_from("json_schema_echo"), written) : status;
            mcpw_buffer_free(&arguments);
        }
    }
    mcpw_buffer_free(&text);
    return status;
}

/* Lists the tools, and calls one that the server protects. */
static mcpw_status call_protected(run *r) {
    const mcpw_status status = list_tools(r);
    return status == MCPW_OK ? call(r, "test-tool", "{}") : status;
}

static play *find(const char *scenario) {
    static const struct {
        const char *name;
        play *play;
    } plays[] = {{"tools_call", add_numbers},
                 {"elicitation-sep1034-client-defaults", take_defaults},
                 {"sse-retry", reconnect},
                 {"sep-2322-client-request-state", keep_state},
                 {"http-standard-headers", name_things},
                 {"http-custom-headers", call_given},
                 {"http-invalid-tool-headers", call_valid},
                 {"json-schema-2020-12-preservation", echo_schema}};
    for (size_t i = 0; scenario != NULL && i < sizeof plays / sizeof *plays; i++) {
        if (strcmp(plays[i].name, scenario) == 0) {
            return plays[i].play;
        }
    }
    return scenario != NULL && strncmp(scenario, "auth/", sizeof "auth/" - 1) == 0 ? call_protected
                                                                                   : only_list;
}

static void warn(void *user, const char *message) {
    (void)user;
    fprintf(stderr, "everything_client: %s\n", message);
}

int main(int argc, char **argv) {
    const mcp_client_handlers handlers = {.elicitation_create = fill_in};
    mcpw_http_client_config http = MCPW_HTTP_CLIENT_CONFIG_INIT;
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    const char *const scenario = getenv("MCP_CONFORMANCE_SCENARIO");
    const char *const revision = getenv("MCP_CONFORMANCE_PROTOCOL_VERSION");
    everything_login login;
    run r = {.arena = MCPW_ARENA_INIT};
    if (argc != 2) {
        fprintf(stderr, "usage: everything_client URL\n");
        return 2;
    }
    http.on_warning = warn;
    options.url = argv[1];
    options.http = &http;
    config.name = "mcpwire-everything";
    config.version = "1.0.0";
    config.revisions = revision;
    config.dispatch = &mcp_client_dispatch;
    config.handlers = &handlers;
    config.declares = revision == NULL || strcmp(revision, "2025-06-18") >= 0 ? "elicitation.form" : NULL;
    config.fill_forms = true;
    mcpw_status status = everything_login_begin(&login, argv[1], scenario, &r.error);
    if (status == MCPW_OK) {
        options.login = login.login;
        r.client = mcpw_client_connect(&options, &config, &r.error);
        status = r.client != NULL ? find(scenario)(&r) : r.error.code;
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "everything_client: %s %s\n", r.error.path, r.error.message);
    }
    mcpw_client_free(r.client);
    everything_login_end(&login);
    mcpw_arena_free(&r.arena);
    return status == MCPW_OK ? 0 : 1;
}
