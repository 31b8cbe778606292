/* SPDX-License-Identifier: MIT */
/* The requests of a client, by the program's function or by a client that waits. */
#include "known.h"

#include <mcpw/codec.h>
#include <mcpw/extension.h>

mcpw_status mcpw_client_add_skills(mcpw_session_config *config, mcpw_error *error) {
    static const mcpw_extension_method methods[] = {
        {.name = "skills/list"}, {.name = "skills/get"}, {.name = "resources/directory/read"}};
    mcpw_extension extension = MCPW_EXTENSION_INIT;
    extension.id = MCPW_SKILLS_EXTENSION;
    extension.methods = methods;
    extension.method_count = sizeof methods / sizeof *methods;
    return mcpw_client_add_extension(config, &extension, error);
}

/* Begins {"MEMBER": VALUE ... */
static void begin_params(mcpw_json_writer *w, mcpw_buffer *buffer, const char *member, mcpw_str value) {
    mcpw_json_write_into(w, buffer);
    mcpw_json_write_object(w);
    if (value.ptr != NULL) {
        mcpw_json_write_key(w, member);
        mcpw_json_write_string(w, value.ptr, value.len);
    }
}

/* Makes params with the _meta that their type demands. The session puts its own values there. */
static mcpw_status with_meta(mcpw_json params, const mcpw_revision *revision, mcpw_arena *arena,
                             mcpw_json *out) {
    const mcpw_str version = mcpw_str_from(mcpw_revision_name(revision));
    mcpw_str uri = {NULL, 0};
    mcpw_buffer buffer = mcpw_buffer_in(arena);
    mcpw_json_writer w;
    mcpw_status status = mcpw_json_get_string(params, "uri", arena, &uri);
    if (status == MCPW_OK) {
        begin_params(&w, &buffer, "uri", uri);
        mcpw_json_write_key(&w, "_meta");
        mcpw_json_write_object(&w);
        mcpw_json_write_key(&w, "io.modelcontextprotocol/protocolVersion");
        mcpw_json_write_string(&w, version.ptr, version.len);
        mcpw_json_write_key(&w, "io.modelcontextprotocol/clientCapabilities");
        mcpw_json_write_object(&w);
        mcpw_json_write_close(&w);
        mcpw_json_write_close(&w);
        mcpw_json_write_close(&w);
        status = mcpw_json_write_end(&w, out);
    }
    (void)mcpw_buffer_take(&buffer);
    return status;
}

/* Makes a request of the protocol by its types. */
static mcpw_status ask_typed(mcpw_client *client, const char *method, mcpw_json params, mcpw_arena *arena,
                             mcpw_json *result, mcpw_error *error) {
    const mcpw_revision *const revision = mcpw_session_revision(mcpw_client_session(client));
    const int number = mcpw_method_number(revision, method, strlen(method));
    const mcpw_method *const entry = mcpw_method_entry(revision, number);
    mcpw_result answer = {NULL, NULL};
    mcpw_json text;
    if (entry == NULL) {
        return mcpw_error_set(error, MCPW_E_METHOD, 0, "the revision has no %s", method);
    }
    const mcpw_type *const type = mcpw_method_params(entry);
    void *const value = mcpw_arena_alloc(arena, mcpw_type_size(type));
    mcpw_status status = value != NULL ? with_meta(params, revision, arena, &text) : MCPW_E_MEMORY;
    if (status != MCPW_OK) {
        return mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
    }
    status = mcpw_decode(type, text.ptr, text.len, arena, value, NULL, error);
    if (status == MCPW_OK) {
        status = mcpw_client_request(client, revision, number, value, NULL, arena, &answer, error);
    }
    if (status == MCPW_OK) {
        mcpw_buffer buffer = mcpw_buffer_in(arena);
        mcpw_options options = MCPW_OPTIONS_INIT;
        options.flags = MCPW_ALLOW_UNKNOWN;
        status = mcpw_encode(answer.type, answer.value, &buffer, &options, error);
        *result = mcpw_buffer_take(&buffer);
    }
    return status;
}

mcpw_status mcpw_known_ask(const mcpw_skills_client *client, const char *method, const char *member,
                           mcpw_str value, mcpw_arena *arena, mcpw_json *result, mcpw_error *error) {
    mcpw_buffer buffer = MCPW_BUFFER_INIT;
    mcpw_json_writer w;
    mcpw_json params;
    buffer.allocator = client->options.allocator;
    begin_params(&w, &buffer, member, value);
    mcpw_json_write_close(&w);
    mcpw_status status = mcpw_json_write_end(&w, &params);
    if (status != MCPW_OK) {
        mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
    } else if (client->options.ask != NULL) {
        status = client->options.ask(client->options.user, method, params, arena, result, error);
    } else if (strcmp(method, "resources/read") == 0) {
        status = ask_typed(client->options.client, method, params, arena, result, error);
    } else {
        status =
            mcpw_client_request_named(client->options.client, method, params, NULL, arena, result, error);
    }
    mcpw_buffer_free(&buffer);
    return status;
}
