/* SPDX-License-Identifier: MIT */
/*
 * A server that begins in C: its structs are described by their members, and the tool's schemas are made of
 * that. Arguments that break them never come to the handler.
 */
#include <mcpw/codec.h>
#include <mcpw/described.h>
#include <mcpw/serve.h>

#include <stdio.h>

typedef struct tide_input {
    mcpw_str harbour;
    mcpw_opt_int days;
} tide_input;

static const mcpw_described_member input_members[] = {
    MCPW_MEMBER(tide_input, harbour, "The harbour"),
    MCPW_MEMBER_RANGE(tide_input, days, 1, 3, "How many days; 1 if not said"),
};
static const mcpw_described input_type = MCPW_DESCRIBED(tide_input, input_members);

typedef struct tide_output {
    mcpw_str harbour;
    struct {
        const double *items;
        size_t count;
    } heights;
} tide_output;

static const mcpw_described_member output_members[] = {
    MCPW_MEMBER(tide_output, harbour, NULL),
    MCPW_MEMBER_LIST(tide_output, heights, "High water of each day, in metres"),
};
static const mcpw_described output_type = MCPW_DESCRIBED(tide_output, output_members);

/* By these the codec reads and writes the structs. */
typedef struct tide_types {
    const mcpw_type *input;
    const mcpw_type *output;
} tide_types;

static mcpw_status tide(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    static const double heights[] = {2.9, 3.1, 3.2};
    const tide_types *const types = user;
    mcpw_arena *const arena = mcpw_request_arena(request);
    mcpw_buffer text = mcpw_buffer_in(arena);
    tide_input input;
    mcpw_status status =
        mcpw_decode(types->input, call->arguments.ptr, call->arguments.len, arena, &input, NULL, NULL);
    if (status == MCPW_OK) {
        const tide_output output = {input.harbour, {heights, input.days.set ? (size_t)input.days.value : 1}};
        status = mcpw_encode(types->output, &output, &text, NULL, NULL);
    }
    return status == MCPW_OK ? mcpw_respond_structured(request, mcpw_buffer_take(&text)) : status;
}

/* Adds the tool, which has its own copy of the schemas. */
static mcpw_status add_tide(mcpw_server *server, tide_types *types, mcpw_error *error) {
    mcpw_buffer input = MCPW_BUFFER_INIT;
    mcpw_buffer output = MCPW_BUFFER_INIT;
    mcpw_status status = mcpw_described_schema(&input_type, &input, error);
    status = status == MCPW_OK ? mcpw_described_schema(&output_type, &output, error) : status;
    if (status == MCPW_OK) {
        const mcpw_tool tool = {.name = "tide",
                                .description = "When there is how much water",
                                .input_schema = {input.data, input.len},
                                .output_schema = {output.data, output.len},
                                .call = tide,
                                .user = types};
        status = mcpw_server_add_tool(server, &tool, error);
    }
    mcpw_buffer_free(&input);
    mcpw_buffer_free(&output);
    return status;
}

int main(int argc, char **argv) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    tide_types types = {mcpw_described_type(&input_type, &arena, &error), NULL};
    types.output = types.input != NULL ? mcpw_described_type(&output_type, &arena, &error) : NULL;
    mcpw_server *const server = types.output != NULL ? mcpw_server_new("tide", "1.0.0", &error) : NULL;
    mcpw_status status = server != NULL ? add_tide(server, &types, &error) : error.code;
    if (status == MCPW_OK) {
        status = mcpw_serve(server, argc, argv, NULL, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "tide: %s\n", error.message);
    }
    mcpw_server_free(server);
    mcpw_arena_free(&arena);
    return status == MCPW_OK ? 0 : 1;
}
