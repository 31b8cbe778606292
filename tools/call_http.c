/* SPDX-License-Identifier: MIT */
#include "call_http.h"

#include "tool.h"

#include <mcpw/http_connect.h>

#include <stdlib.h>
#include <string.h>

static mcpw_str token(void *user, mcpw_str challenge) {
    (void)user;
    return mcpw_str_from(challenge.ptr == NULL ? getenv("MCPWIRE_TOKEN") : NULL); /* there is no other */
}

static void warn(void *user, const char *message) {
    (void)user;
    tool_complain("warning: %s", message);
}

/* "Name: value" */
static bool cut_field(const char *text, mcpw_http_field *field) {
    const char *const colon = strchr(text, ':');
    if (colon == NULL) {
        return false;
    }
    field->name = (mcpw_str){text, (size_t)(colon - text)};
    field->value = mcpw_str_from(colon[1] == ' ' ? colon + 2 : colon + 1);
    return true;
}

static mcpw_status connect_to(mcpw_io *io, mcpw_session *session, const link_target *to,
                              mcpw_http_field *fields, mcpw_error *error) {
    mcpw_http_client_config http = MCPW_HTTP_CLIENT_CONFIG_INIT;
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    mcpw_carrier carrier;
    for (size_t i = 0; i < to->header_count; i++) {
        if (!cut_field(to->headers[i], fields + i)) {
            mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "--header %s: \"Name: value\" is wanted",
                           to->headers[i]);
            return MCPW_E_ARGUMENT;
        }
    }
    http.fields = fields;
    http.field_count = to->header_count;
    http.token = token;
    http.on_warning = warn;
    options.url = to->url;
    options.ca_file = to->ca_file;
    options.http = &http;
    const mcpw_status status = mcpw_http_carrier(&options, session, &carrier, error);
    return status == MCPW_OK ? mcpw_io_carry(io, session, &carrier, error) : status;
}

mcpw_status call_http_begin(mcpw_io *io, mcpw_session *session, const link_target *to, mcpw_error *error) {
    mcpw_http_field *const fields = calloc(to->header_count + 1, sizeof *fields);
    if (fields == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "out of memory");
        return MCPW_E_MEMORY;
    }
    const mcpw_status status = connect_to(io, session, to, fields, error);
    free(fields);
    return status;
}
