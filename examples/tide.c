/* SPDX-License-Identifier: MIT */
/*
 * A server that begins in C: its structs are described by their members, and the tool's schemas are made of
 * that. Arguments that break them never come to the handler.
 */
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

static mcpw_status tide(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    static const double heights[] = {2.9, 3.1, 3.2};
    mcpw_buffer text = mcpw_buffer_in(mcpw_request_arena(request));
    tide_input input;
    mcpw_error error;
    (void)user;
    mcpw_status status =
        mcpw_described_decode(&input_type, call->arguments, mcpw_request_arena(request), &input, &error);
    if (status == MCPW_OK) {
        const tide_output output = {input.harbour, {heights, input.days.set ? (size_t)input.days.value : 1}};
        status = mcpw_described_encode(&output_type, &output, &text, &error);
    }
    return status == MCPW_OK ? mcpw_respond_structured(request, mcpw_buffer_take(&text)) : status;
}

/* Adds the tool, which has its own copy of the schemas. */
static mcpw_status add_tide(mcpw_server *server, mcpw_error *error) {
    mcpw_buffer input = MCPW_BUFFER_INIT;
    mcpw_buffer output = MCPW_BUFFER_INIT;
    mcpw_status status = mcpw_described_schema(&input_type, &input, error);
    status = status == MCPW_OK ? mcpw_described_schema(&output_type, &output, error) : status;
    if (status == MCPW_OK) {
        const mcpw_tool tool = {.name = "tide",
                                .description = "When there is how much water",
                                .input_schema = {input.data, input.len},
                                .output_schema = {output.data, output.len},
                                .call = tide};
        status = mcpw_server_add_tool(server, &tool, error);
    }
    mcpw_buffer_free(&input);
    mcpw_buffer_free(&output);
    return status;
}

int main(int argc, char **argv) {
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("tide", "1.0.0", &error);
    mcpw_status status = server != NULL ? add_tide(server, &error) : error.code;
    if (status == MCPW_OK) {
        status = mcpw_serve(server, argc, argv, NULL, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "tide: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
