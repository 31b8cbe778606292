/* SPDX-License-Identifier: MIT */
/* Foreign documents: bounded, typed, and named in errors. */
#ifndef MCPW_OAUTH_DOCUMENTS_H
#define MCPW_OAUTH_DOCUMENTS_H

#include "oauth.h"

/* A document as messages name it. */
typedef struct mcpw_oauth_document {
    const mcpw_type *type;
    const char *name; /* "resource metadata" */
    bool is_secret;   /* its values must not be shown */
} mcpw_oauth_document;

extern const mcpw_oauth_document mcpw_oauth_resource_document;
extern const mcpw_oauth_document mcpw_oauth_server_document;
extern const mcpw_oauth_document mcpw_oauth_client_document;
extern const mcpw_oauth_document mcpw_oauth_token_document;

/* Reads a document into `out`, whose texts lie in `flow`. False: the login has failed. */
MCPW_NODISCARD bool mcpw_oauth_read_document(mcpw_oauth *oauth, const mcpw_oauth_document *document,
                                             mcpw_str body, void *out);
/* Reads an error response into `scratch`. False: it is no error response; or memory ran out, and the login
 * has failed. */
MCPW_NODISCARD bool mcpw_oauth_read_failure(mcpw_oauth *oauth, mcpw_str body,
                                            mcpw_oauth_json_failure *failure);
/* Ends the login by the error of an endpoint's response. */
void mcpw_oauth_fail_response(mcpw_oauth *oauth, const char *name, const mcpw_oauth_http_response *response,
                              const char *hint);

#endif
