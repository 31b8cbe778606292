/* SPDX-License-Identifier: MIT */
/* Resources, prompts and completion. */
#include "fixture.h"

#include <mcpw/json.h>

#include <stdio.h>

/* ---- Resources ----------------------------------------------------------------------------------------- */

/* The text in user. */
static mcpw_status read_text(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)read;
    return mcpw_respond_resource_text(request, NULL, mcpw_str_from(user));
}

static mcpw_status read_image(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    mcpw_str bytes;
    (void)read;
    (void)user;
    const mcpw_status status =
        mcpw_base64_decode(mcpw_request_arena(request), mcpw_str_from(FIXTURE_PNG_BASE64), &bytes);
    return status == MCPW_OK ? mcpw_respond_resource_bytes(request, NULL, bytes.ptr, bytes.len) : status;
}

static mcpw_status read_template(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    char text[1024];
    char data[512];
    mcpw_json_writer w;
    mcpw_json out;
    (void)user;
    const mcpw_str id = mcpw_resource_variable(read, "id");
    snprintf(data, sizeof data, "Data for ID: %.*s", (int)id.len, id.ptr);
    mcpw_json_write_begin(&w, text, sizeof text);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "id");
    mcpw_json_write_string(&w, id.ptr, id.len);
    mcpw_json_write_key(&w, "templateTest");
    mcpw_json_write_bool(&w, true);
    mcpw_json_write_key(&w, "data");
    mcpw_json_write_string(&w, data, strlen(data));
    mcpw_json_write_close(&w);
    const mcpw_status status = mcpw_json_write_end(&w, &out);
    return status == MCPW_OK ? mcpw_respond_resource_text(request, NULL, (mcpw_str){out.ptr, out.len})
                             : mcpw_respond_resource_not_found(request); /* no id is that long */
}

static const mcpw_resource resources[] = {
    {.uri = "test://static-text",
     .name = "static-text",
     .title = "A text",
     .description = "A text that stays",
     .mime_type = "text/plain",
     .read = read_text,
     .user = (void *)"This is the content of the static text resource.",
     .scopes = FIXTURE_SCOPE "resources:static"},
    {.uri = "test://static-binary",
     .name = "static-binary",
     .description = "An image",
     .mime_type = "image/png",
     .read = read_image},
    {.uri = FIXTURE_WATCHED,
     .name = "watched-resource",
     .description = "A text that changes",
     .mime_type = "text/plain",
     .read = read_text,
     .user = (void *)"Watched resource content"},
};

static const mcpw_resource_template templates[] = {
    {.uri_template = "test://template/{id}/data",
     .name = "template",
     .description = "Data by number",
     .mime_type = "application/json",
     .read = read_template,
     .scopes = FIXTURE_SCOPE "resources:template:{id}"},
};

/* ---- Prompts ------------------------------------------------------------------------------------------- */

static mcpw_status prompt_text(mcpw_request *request, const mcpw_prompt_get *get, void *user) {
    (void)get;
    return mcpw_respond_prompt_text(request, mcpw_str_from(user));
}

static mcpw_status prompt_arguments(mcpw_request *request, const mcpw_prompt_get *get, void *user) {
    char text[1024];
    (void)user;
    const mcpw_str one = mcpw_prompt_get_argument(request, get, "arg1");
    const mcpw_str two = mcpw_prompt_get_argument(request, get, "arg2");
    snprintf(text, sizeof text, "Prompt with arguments: arg1='%.*s', arg2='%.*s'", (int)one.len, one.ptr,
             (int)two.len, two.ptr);
    return mcpw_respond_prompt_text(request, mcpw_str_from(text));
}

/* A block of content, and a text after it. */
static mcpw_status say_both(mcpw_request *request, const mcp_content_block *block, const char *text) {
    const mcp_prompt_message messages[] = {
        {.role = MCP_ROLE_USER, .content = *block},
        {.role = MCP_ROLE_USER,
         .content = {.kind = MCP_CONTENT_BLOCK_TEXT_CONTENT, .as.text_content.text = mcpw_str_from(text)}},
    };
    const mcp_get_prompt_result result = {.messages = {messages, sizeof messages / sizeof messages[0]}};
    return mcp_respond_prompts_get(request, &result, NULL);
}

static mcpw_status prompt_resource(mcpw_request *request, const mcpw_prompt_get *get, void *user) {
    (void)user;
    const mcp_content_block block = {
        .kind = MCP_CONTENT_BLOCK_EMBEDDED_RESOURCE,
        .as.embedded_resource.resource = {
            .kind = MCP_EMBEDDED_RESOURCE_RESOURCE_TEXT_RESOURCE_CONTENTS,
            .as.text_resource_contents = {.uri = mcpw_prompt_get_argument(request, get, "resourceUri"),
                                          .mime_type = MCPW_STR("text/plain"),
                                          .text = MCPW_STR("Embedded resource content for testing.")}}};
    return say_both(request, &block, "Please process the embedded resource above.");
}

static mcpw_status prompt_image(mcpw_request *request, const mcpw_prompt_get *get, void *user) {
    static const mcp_content_block block = {
        .kind = MCP_CONTENT_BLOCK_IMAGE_CONTENT,
        .as.image_content = {.data = MCPW_STR(FIXTURE_PNG_BASE64), .mime_type = MCPW_STR("image/png")}};
    (void)get;
    (void)user;
    return say_both(request, &block, "Please analyze the image above.");
}

static mcpw_status prompt_input_request(mcpw_request *request, const mcpw_prompt_get *get, void *user) {
    static const char form[] = "{\"message\":\"What context?\",\"requestedSchema\":{\"type\":\"object\","
                               "\"properties\":{\"context\":{\"type\":\"string\"}},"
                               "\"required\":[\"context\"]}}";
    char text[1024];
    const mcp_elicit_result *result;
    (void)get;
    (void)user;
    const mcpw_status status = fixture_ask_user(request, "user_context", form, mcpw_str_from(NULL), &result);
    if (status != MCPW_OK) {
        return status;
    }
    const mcpw_str context = fixture_given(result, "context");
    snprintf(text, sizeof text, "Context: %.*s", (int)context.len, context.ptr != NULL ? context.ptr : "");
    return mcpw_respond_prompt_text(request, mcpw_str_from(text));
}

/* ---- Completion ---------------------------------------------------------------------------------------- */

static mcpw_status complete(mcpw_request *request, const mcpw_completion *completion, void *user) {
    static const mcpw_str known[] = {MCPW_STR("paris"), MCPW_STR("park"), MCPW_STR("party")};
    mcpw_str values[sizeof known / sizeof known[0]];
    size_t count = 0;
    (void)user;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const mcpw_str typed = completion->value;
        if (typed.len <= known[i].len && strncmp(known[i].ptr, typed.ptr, typed.len) == 0) {
            values[count++] = known[i];
        }
    }
    return mcpw_respond_completion(request, values, count);
}

static const mcpw_prompt_argument two_arguments[] = {
    {.name = "arg1", .description = "The first value", .required = true},
    {.name = "arg2", .description = "The second value", .required = true},
};
static const mcpw_prompt_argument uri_argument[] = {
    {.name = "resourceUri", .description = "The resource to embed", .required = true},
};

static const mcpw_prompt prompts[] = {
    {.name = "test_simple_prompt",
     .title = "Simple",
     .description = "One text",
     .get = prompt_text,
     .user = (void *)"This is a simple prompt for testing.",
     .scopes = FIXTURE_SCOPE "prompts:test_simple_prompt"},
    {.name = "test_prompt_with_arguments",
     .description = "A text with two values",
     .arguments = two_arguments,
     .argument_count = sizeof two_arguments / sizeof two_arguments[0],
     .get = prompt_arguments,
     .complete = complete},
    {.name = "test_prompt_with_embedded_resource",
     .description = "A resource and a text",
     .arguments = uri_argument,
     .argument_count = sizeof uri_argument / sizeof uri_argument[0],
     .get = prompt_resource},
    {.name = "test_prompt_with_image", .description = "An image and a text", .get = prompt_image},
    {.name = "test_input_required_result_prompt",
     .description = "Asks for a context",
     .get = prompt_input_request},
};

mcpw_status fixture_add_content(fixture *f, mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < sizeof resources / sizeof resources[0]; i++) {
        status = mcpw_server_add_resource(f->server, &resources[i], error);
    }
    for (size_t i = 0; status == MCPW_OK && i < sizeof templates / sizeof templates[0]; i++) {
        status = mcpw_server_add_resource_template(f->server, &templates[i], error);
    }
    for (size_t i = 0; status == MCPW_OK && i < sizeof prompts / sizeof prompts[0]; i++) {
        status = mcpw_server_add_prompt(f->server, &prompts[i], error);
    }
    return status;
}

mcpw_status fixture_change_prompts(fixture *f) {
    static const mcpw_prompt comes_and_goes = {.name = "test_comes_and_goes",
                                               .description = "Is there only now and then",
                                               .get = prompt_text,
                                               .user = (void *)"Here I am."};
    f->more_prompts = !f->more_prompts;
    return f->more_prompts ? mcpw_server_add_prompt(f->server, &comes_and_goes, NULL)
                           : mcpw_server_remove_prompt(f->server, comes_and_goes.name);
}
