/* SPDX-License-Identifier: MIT */
#include "documents.h"

const mcpw_oauth_document mcpw_oauth_resource_document = {&mcpw_oauth_json_resource_table,
                                                          "resource metadata", false};
const mcpw_oauth_document mcpw_oauth_server_document = {&mcpw_oauth_json_server_table,
                                                        "metadata of the authorization server", false};
const mcpw_oauth_document mcpw_oauth_client_document = {&mcpw_oauth_json_client_table,
                                                        "registration response", true};
const mcpw_oauth_document mcpw_oauth_token_document = {&mcpw_oauth_json_token_table, "token response", true};

/* Reads one JSON value of a type. `null` for an absent member is common, so it is accepted. */
static mcpw_status decode(const mcpw_oauth *oauth, const mcpw_type *type, mcpw_str body, mcpw_arena *arena,
                          void *out, mcpw_error *error) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = MCPW_NULL_IS_ABSENT;
    options.max_bytes = oauth->config.max_document;
    options.max_depth = oauth->config.max_depth;
    return mcpw_decode(type, body.ptr != NULL ? body.ptr : "", body.len, arena, out, &options, error);
}

bool mcpw_oauth_read_document(mcpw_oauth *oauth, const mcpw_oauth_document *document, mcpw_str body,
                              void *out) {
    mcpw_error error = {.code = MCPW_OK};
    const mcpw_status status = decode(oauth, document->type, body, &oauth->flow, out, &error);
    if (status == MCPW_E_MEMORY || status == MCPW_E_ARENA) {
        mcpw_oauth_fail_memory(oauth);
    } else if (status != MCPW_OK) {
        /* A message about a value may show the value. */
        mcpw_oauth_fail(oauth, status, "%s: %s%s%s; ask its operator", document->name,
                        document->is_secret ? "" : error.path,
                        error.path[0] != '\0' && !document->is_secret ? ": " : "",
                        document->is_secret ? mcpw_status_text(status) : error.message);
    }
    return status == MCPW_OK;
}

bool mcpw_oauth_read_failure(mcpw_oauth *oauth, mcpw_str body, mcpw_oauth_json_failure *failure) {
    const mcpw_status status =
        decode(oauth, &mcpw_oauth_json_failure_table, body, &oauth->scratch, failure, NULL);
    if (status == MCPW_E_MEMORY || status == MCPW_E_ARENA) {
        mcpw_oauth_fail_memory(oauth);
    }
    return status == MCPW_OK;
}

void mcpw_oauth_fail_response(mcpw_oauth *oauth, const char *name, const mcpw_oauth_http_response *response,
                              const char *hint) {
    char code[MCPW_OAUTH_WORDS_SIZE];
    char words[MCPW_OAUTH_WORDS_SIZE];
    mcpw_oauth_json_failure failure = {.error = {NULL, 0}};
    if (!mcpw_oauth_read_failure(oauth, response->body, &failure)) {
        if (oauth->state == MCPW_OAUTH_BROKEN) {
            return;
        }
        mcpw_oauth_fail(oauth, MCPW_E_HTTP, "%s: HTTP status %d without an OAuth error; %s", name,
                        response->status, hint);
        return;
    }
    (void)mcpw_oauth_foreign(oauth, code, failure.error);
    (void)mcpw_oauth_foreign(oauth, words, failure.error_description);
    mcpw_oauth_fail(oauth, MCPW_E_UNAUTHORIZED, "%s: %s%s%s; %s", name, code, words[0] != '\0' ? ": " : "",
                    words, hint);
}
