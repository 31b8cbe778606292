/* SPDX-License-Identifier: MIT */
#include "call_http.h"

#include "ca.h"
#include "call_login.h"

#include "text.h"
#include "tool.h"

#include <mcpw/http_connect.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 300 /* bytes of the server's text in a line of advice */ };

static mcpw_str token(void *user, mcpw_str challenge) {
    (void)user;
    return mcpw_str_from(challenge.ptr == NULL ? getenv("MCPWIRE_TOKEN") : NULL); /* there is only one */
}

static void warn(void *user, const char *message) {
    (void)user;
    tool_complain("warning: %s", message);
}

/* Splits "Name: value". */
static bool cut_field(const char *text, mcpw_http_field *field) {
    const char *const colon = strchr(text, ':');
    if (colon == NULL) {
        return false;
    }
    field->name = (mcpw_str){text, (size_t)(colon - text)};
    field->value = mcpw_str_from(colon[1] == ' ' ? colon + 2 : colon + 1);
    return true;
}

/* Adds one line of advice: "
 *   scope: a b". */
static void advise(text *out, const char *label, mcpw_str words) {
    if (words.len != 0) {
        text_format(out, "\n  %s: ", label);
        text_safe(out, words.ptr, text_cut(words.ptr, words.len, MOST_WORDS));
    }
}

/* Explains which credentials a server wants and how to pass them. */
static void on_failure(void *user, const mcpw_http_failure *failure) {
    server_link *const l = user;
    const mcpw_http_challenge *const c = &failure->challenge;
    text out = TEXT_INIT;
    l->advice[0] = '\0';
    if (failure->error->code != MCPW_E_UNAUTHORIZED) {
        return;
    }
    l->must_log_in = !failure->has_token || l->has_login;
    if (l->has_login) {
        return; /* the error says why the login failed */
    }
    text_format(&out, "%s (HTTP status %d)",
                !failure->has_token           ? "the server requires a token"
                : failure->http_status == 401 ? "the server refuses the token that was sent"
                                              : "the token that was sent is not sufficient",
                failure->http_status);
    advise(&out, "error", c->error);
    advise(&out, "it says", c->error_description.len != 0 ? c->error_description : failure->body);
    advise(&out, "scope", c->scope);
    advise(&out, "where to get tokens", c->resource_metadata);
    if (l->must_log_in && call_login_works()) {
        text_add(&out, "\n  \"mcpwire login ");
        text_safe(&out, l->url, text_cut(l->url, strlen(l->url), MOST_WORDS));
        text_add(&out, "\" gets one, and keeps it");
    }
    text_add(&out, "\n  a token is sent from the environment variable MCPWIRE_TOKEN, anything else by\n"
                   "  --header \"Authorization: ...\"");
    if (!out.lost && out.buffer.len < sizeof l->advice) {
        memcpy(l->advice, out.buffer.data, out.buffer.len);
        l->advice[out.buffer.len] = '\0';
    }
    text_free(&out);
}

static mcpw_status connect_to(server_link *l, const link_target *to, mcpw_http_field *fields,
                              mcpw_error *error) {
    mcpw_http_client_config http = MCPW_HTTP_CLIENT_CONFIG_INIT;
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    mcpw_transport transport;
    for (size_t i = 0; i < to->header_count; i++) {
        if (!cut_field(to->headers[i], fields + i)) {
            mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "--header %s: \"Name: value\" is expected",
                           to->headers[i]);
            return MCPW_E_ARGUMENT;
        }
    }
    http.fields = fields;
    http.field_count = to->header_count;
    l->url = to->url;
    l->has_login = to->login != NULL;
    http.token = l->has_login ? NULL : token;
    options.login = to->login;
    http.on_warning = warn;
    http.on_failure = on_failure;
    http.user = l;
    options.patience_ms = to->patience;
    options.url = to->url;
    options.ca_file = ca_file_of(to->ca_file);
    options.http = &http;
    const mcpw_status status = mcpw_http_transport(&options, l->session, &transport, error);
    return status == MCPW_OK ? mcpw_io_carry(&l->io, l->session, &transport, error) : status;
}

mcpw_status call_http_begin(server_link *l, const link_target *to, mcpw_error *error) {
    mcpw_http_field *const fields = calloc(to->header_count + 1, sizeof *fields);
    if (fields == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "out of memory");
        return MCPW_E_MEMORY;
    }
    const mcpw_status status = connect_to(l, to, fields, error);
    free(fields);
    return status;
}
