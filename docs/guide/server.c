/* SPDX-License-Identifier: MIT */
/* A server of one tool, one resource and one prompt. */
#include <mcp/pinned.h>
#include <mcpw/json.h>
#include <mcpw/serve.h>

#include <stdio.h>

/* A tool: raw arguments, structured content. */
static mcpw_status add(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    char room[64];
    mcpw_json_writer w;
    mcpw_json result;
    int64_t a;
    int64_t b;
    (void)user;
    if (mcpw_json_get_int(call->arguments, "a", &a) != MCPW_OK ||
        mcpw_json_get_int(call->arguments, "b", &b) != MCPW_OK) {
        return mcpw_respond_tool_error(request, "add needs a and b, which are integers"); /* for the model */
    }
    if ((b > 0 && a > INT64_MAX - b) || (b < 0 && a < INT64_MIN - b)) {
        return MCPW_E_RANGE; /* wrong input */
    }
    mcpw_json_write_begin(&w, room, sizeof room);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "sum");
    mcpw_json_write_int(&w, a + b);
    mcpw_json_write_close(&w);
    const mcpw_status status = mcpw_json_write_end(&w, &result);
    return status == MCPW_OK ? mcpw_respond_structured(request, result) : status;
}

static const mcpw_tool add_tool = {
    .name = "add",
    .description = "Adds two integers",
    .input_schema = MCPW_JSON("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"},"
                              "\"b\":{\"type\":\"integer\"}},\"required\":[\"a\",\"b\"]}"),
    .call = add,
};

/* A resource. */
static mcpw_status read_motd(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)read;
    return mcpw_respond_resource_text(request, NULL, mcpw_str_from(user));
}

/* A prompt with an argument. */
static mcpw_status get_greet(mcpw_request *request, const mcpw_prompt_get *get, void *user) {
    const mcpw_str who = mcpw_prompt_get_argument(request, get, "who");
    char *const text = mcpw_arena_alloc(mcpw_request_arena(request), who.len + sizeof "Greet .");
    (void)user;
    if (text == NULL) {
        return MCPW_E_MEMORY; /* answered -32603 */
    }
    (void)snprintf(text, who.len + sizeof "Greet .", "Greet %s.", who.ptr);
    return mcpw_respond_prompt_text(request, mcpw_str_from(text));
}

static mcpw_status offer(mcpw_server *server, mcpw_error *error) {
    static char motd[] = "Have a nice day.";
    static const mcpw_prompt_argument who = {"who", "Whom to greet", true};
    const mcpw_resource resource = {
        .uri = "demo://motd", .name = "motd", .mime_type = "text/plain", .read = read_motd, .user = motd};
    const mcpw_prompt prompt = {.name = "greet", .arguments = &who, .argument_count = 1, .get = get_greet};
    mcpw_status status = mcpw_server_add_tool(server, &add_tool, error);
    if (status == MCPW_OK) {
        status = mcpw_server_add_resource(server, &resource, error);
    }
    if (status == MCPW_OK) {
        status = mcpw_server_add_prompt(server, &prompt, error);
    }
    return status;
}

int main(int argc, char **argv) {
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("demo", "1.0.0", &error);
    mcpw_status status = server != NULL ? offer(server, &error) : error.code;
    if (status == MCPW_OK) {
        status = mcpw_serve(server, argc, argv, NULL, &error); /* until the client goes */
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "demo: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
