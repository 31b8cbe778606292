/* SPDX-License-Identifier: MIT */
/*
 * A server whose tools and prompts answer with every kind of content: text, images, audio, links to
 * resources and resources themselves. It is written in the types of the pinned revision. Clients of a
 * revision without a kind of content do not get that kind.
 */
#include <mcp/pinned.h>
#include <mcpw/serve.h>

#include <stdio.h>

#define PIXEL                                                                                                \
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg=="
#define SILENCE "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQIAAACAgA=="
#define NOTES_URI "demo://notes"
#define NOTES "Buy milk."

static const mcp_content_block image = {
    .kind = MCP_CONTENT_BLOCK_IMAGE_CONTENT,
    .as.image_content = {.data = MCPW_STR(PIXEL), .mime_type = MCPW_STR("image/png")}};
static const mcp_content_block audio = {
    .kind = MCP_CONTENT_BLOCK_AUDIO_CONTENT,
    .as.audio_content = {.data = MCPW_STR(SILENCE), .mime_type = MCPW_STR("audio/wav")}};
static const mcp_content_block embedded = {
    .kind = MCP_CONTENT_BLOCK_EMBEDDED_RESOURCE,
    .as.embedded_resource.resource = {.kind = MCP_EMBEDDED_RESOURCE_RESOURCE_TEXT_RESOURCE_CONTENTS,
                                      .as.text_resource_contents = {.uri = MCPW_STR(NOTES_URI),
                                                                    .mime_type = MCPW_STR("text/plain"),
                                                                    .text = MCPW_STR(NOTES)}}};
static const mcp_content_block link = {
    .kind = MCP_CONTENT_BLOCK_RESOURCE_LINK,
    .as.resource_link = {.uri = MCPW_STR(NOTES_URI), .name = MCPW_STR("notes")}};

/* ---- Tools and resources ---- */

static mcpw_status write_text(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_respond_text(request, mcpw_str_from("A text."));
}

/* Answers with the block that the tool was added with. */
static mcpw_status show(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcp_call_tool_result result = {.content = {user, 1}};
    (void)call;
    return mcp_respond_tools_call(request, &result, NULL);
}

static mcpw_status fail(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_respond_tool_error(request, "The scanner is off. Switch it on first.");
}

static mcpw_status read_notes(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)read;
    (void)user;
    return mcpw_respond_resource_text(request, NULL, mcpw_str_from(NOTES));
}

/* ---- Prompts ---- */

static mcpw_status say(mcpw_request *request, const mcp_content_block *block, mcpw_str text) {
    const mcp_prompt_message messages[] = {
        {.role = MCP_ROLE_USER, .content = *block},
        {.role = MCP_ROLE_USER,
         .content = {.kind = MCP_CONTENT_BLOCK_TEXT_CONTENT, .as.text_content.text = text}},
    };
    const mcp_get_prompt_result result = {.messages = {messages, sizeof messages / sizeof *messages}};
    return mcp_respond_prompts_get(request, &result, NULL);
}

static mcpw_status describe(mcpw_request *request, const mcpw_prompt_get *get, void *user) {
    (void)get;
    return say(request, user, mcpw_str_from("Describe this."));
}

static mcpw_status translate(mcpw_request *request, const mcpw_prompt_get *get, void *user) {
    char text[128];
    const mcpw_str language = mcpw_prompt_get_argument(request, get, "language");
    (void)user;
    (void)snprintf(text, sizeof text, "Translate this to %.*s.", (int)(language.len < 64 ? language.len : 64),
                   language.ptr);
    return say(request, &embedded, mcpw_str_from(text));
}

static mcpw_status complete_language(mcpw_request *request, const mcpw_completion *completion, void *user) {
    static const char *const languages[] = {"Danish", "Dutch", "English", "German"};
    mcpw_str found[sizeof languages / sizeof *languages];
    size_t count = 0;
    (void)user;
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
        const mcpw_str language = mcpw_str_from(languages[i]);
        if (completion->value.len <= language.len &&
            memcmp(completion->value.ptr, language.ptr, completion->value.len) == 0) {
            found[count++] = language;
        }
    }
    return mcpw_respond_completion(request, found, count);
}

/* ---- The server ---- */

static mcpw_status offer(mcpw_server *server, mcpw_error *error) {
    static const mcpw_tool tools[] = {
        {.name = "text", .description = "Writes a text", .call = write_text},
        {.name = "image", .description = "Shows an image", .call = show, .user = (void *)&image},
        {.name = "audio", .description = "Plays a sound", .call = show, .user = (void *)&audio},
        {.name = "embedded", .description = "Shows the notes", .call = show, .user = (void *)&embedded},
        {.name = "link", .description = "Says where the notes are", .call = show, .user = (void *)&link},
        {.name = "scan", .description = "Fails, and says how it can succeed", .call = fail},
    };
    static const mcpw_resource notes = {
        .uri = NOTES_URI, .name = "notes", .mime_type = "text/plain", .read = read_notes};
    static const mcpw_prompt_argument language = {.name = "language", .required = true};
    static const mcpw_prompt prompts[] = {
        {.name = "image", .description = "An image", .get = describe, .user = (void *)&image},
        {.name = "notes", .description = "The notes", .get = describe, .user = (void *)&embedded},
        {.name = "translate",
         .description = "The notes in another language",
         .arguments = &language,
         .argument_count = 1,
         .get = translate,
         .complete = complete_language},
    };
    mcpw_status status = mcpw_server_add_resource(server, &notes, error);
    for (size_t i = 0; status == MCPW_OK && i < sizeof tools / sizeof *tools; i++) {
        status = mcpw_server_add_tool(server, &tools[i], error);
    }
    for (size_t i = 0; status == MCPW_OK && i < sizeof prompts / sizeof *prompts; i++) {
        status = mcpw_server_add_prompt(server, &prompts[i], error);
    }
    return status;
}

int main(int argc, char **argv) {
    mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
    mcpw_error error;
    config.name = "content";
    config.version = "1.0.0";
    config.page_size = 4; /* so the list of tools has two pages */
    mcpw_server *const server = mcpw_server_new_with(&config, &error);
    mcpw_status status = server != NULL ? offer(server, &error) : error.code;
    if (status == MCPW_OK) {
        status = mcpw_serve(server, argc, argv, NULL, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "content: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
