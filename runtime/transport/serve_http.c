/* SPDX-License-Identifier: MIT */
/* Serves HTTP according to the arguments of the program. */
#include <mcpw/http_serve.h>

#include "serve_command.h"

#include <stdio.h>

static const char own_hosts[] = "localhost 127.0.0.1 [::1]";

/* The state of a server that runs. */
typedef struct stage {
    const mcpw_serve_plan *plan;
    mcpw_http_serve_options given; /* the callbacks are the program's */
    mcpw_http_config given_config; /* the callbacks are the program's */
    bool is_given_socket;
    mcpw_os_signals *signals; /* NULL: not handled here */
    mcpw_serve_tokens *tokens;
    mcpw_buffer hosts;
    char *certificate;
    char *key;
} stage;

int mcpw_serve_given_socket(void) { return mcpw_http_given_socket(); }

/* ---- Callbacks ----------------------------------------------------------------------------------------- */

static void on_session(void *user, mcpw_session *session) {
    const stage *const s = user;
    if (s->given_config.on_session != NULL) {
        s->given_config.on_session(s->given_config.user, session);
    }
}

static bool authorize(void *user, const mcpw_http_exchange *exchange, mcpw_str token,
                      mcpw_http_grant *grant) {
    const stage *const s = user;
    bool known = false;
    if (s->tokens == NULL) {
        return s->given_config.authorize(s->given_config.user, exchange, token, grant);
    }
    grant->principal = mcpw_serve_tokens_find(s->tokens, token, &known);
    grant->error = known || token.ptr == NULL ? NULL : "invalid_token";
    return known;
}

static void stop(void *self) { mcpw_http_listener_stop(self); }

static bool is_loopback(const char *address) {
    return address[0] == '\0' || strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

/* Writes the server's address. It is written regardless of the log settings, because users of HTTP need it.
 */
static void print_address(const stage *s, uint16_t port) {
    const mcpw_serve_arguments *const a = s->plan->arguments;
    mcpw_diagnostics_options options = *s->plan->diagnostics;
    mcpw_diagnostics *diagnostics = NULL;
    char line[MCPW_ERROR_MESSAGE_SIZE + MCPW_ERROR_PATH_SIZE];
    const char *const address = a->address[0] != '\0'      ? a->address
                                : s->given.address != NULL ? s->given.address
                                                           : "127.0.0.1";
    const char *const path = a->path != NULL                ? a->path
                             : s->given_config.path != NULL ? s->given_config.path
                                                            : "/mcp";
    const bool is_v6 = strchr(address, ':') != NULL;
    const char *const scheme = s->certificate != NULL || s->given.certificate != NULL ? "https" : "http";
    options.level = MCPW_LOG_DEBUG;
    options.format = options.format == MCPW_DIAGNOSTICS_OFF ? MCPW_DIAGNOSTICS_TEXT : options.format;
    mcpw_error error;
    if (mcpw_serve_diagnostics(s->plan->server, &options, &diagnostics, &error) != MCPW_OK) {
        return;
    }
    if (s->is_given_socket) {
        (void)snprintf(line, sizeof line, "listening on the given socket, port %u, %s", port, path);
    } else {
        (void)snprintf(line, sizeof line, "listening on %s://%s%s%s:%u%s", scheme, is_v6 ? "[" : "", address,
                       is_v6 ? "]" : "", port, path);
    }
    mcpw_diagnostics_log(diagnostics, MCPW_LOG_NOTICE, line);
    mcpw_diagnostics_free(diagnostics);
}

/* Warns that a server on a public address refuses requests until its host name is set. */
static void warn_of_hosts(const stage *s) {
    mcpw_diagnostics *diagnostics = NULL;
    mcpw_error error;
    if (is_loopback(s->plan->arguments->address) || s->hosts.len != 0 || s->given_config.hosts != NULL ||
        mcpw_serve_diagnostics(s->plan->server, s->plan->diagnostics, &diagnostics, &error) != MCPW_OK ||
        diagnostics == NULL) {
        return;
    }
    mcpw_diagnostics_log(diagnostics, MCPW_LOG_WARNING,
                         "requests for hosts other than localhost are refused: --allow-host names more");
    mcpw_diagnostics_free(diagnostics);
}

static void on_start(void *user, mcpw_http_listener *listener) {
    stage *const s = user;
    if (!s->plan->options->keep_signals) {
        s->signals = mcpw_os_signals_begin(stop, listener);
    }
    print_address(s, mcpw_http_listener_port(listener));
    warn_of_hosts(s);
    if (s->given.on_start != NULL) {
        s->given.on_start(s->given.user, listener);
    }
}

static void on_end(void *user, mcpw_http_listener *listener) {
    stage *const s = user;
    if (s->given.on_end != NULL) {
        s->given.on_end(s->given.user, listener);
    }
    mcpw_os_signals_end(s->signals);
    s->signals = NULL;
}

/* ---- Options ------------------------------------------------------------------------------------------- */

static mcpw_status take_given(stage *s, mcpw_error *error) {
    const mcpw_http_config none = MCPW_HTTP_CONFIG_INIT;
    if (!MCPW_TAKE(&s->given, on_end, s->plan->options->http)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "the options for HTTP were not initialised with MCPW_HTTP_SERVE_OPTIONS_INIT");
    }
    s->given_config = s->given.http != NULL ? *s->given.http : none;
    return MCPW_OK;
}

static mcpw_status take_hosts(stage *s, mcpw_http_config *config) {
    const mcpw_buffer *const more = &s->plan->arguments->hosts;
    const char *const known = config->hosts != NULL ? config->hosts : own_hosts;
    if (more->len == 0) {
        return MCPW_OK;
    }
    mcpw_status status = mcpw_buffer_append(&s->hosts, known, strlen(known));
    status = status == MCPW_OK ? mcpw_buffer_append(&s->hosts, " ", 1) : status;
    status = status == MCPW_OK ? mcpw_buffer_append(&s->hosts, more->data, more->len) : status;
    config->hosts = strcmp(more->data, "*") == 0 ? more->data : s->hosts.data;
    return status;
}

static mcpw_status take_files(stage *s, mcpw_http_config *config, mcpw_error *error) {
    const mcpw_serve_arguments *const a = s->plan->arguments;
    if (a->tls_cert != NULL) {
        s->certificate = mcpw_serve_file_read(a->tls_cert, error);
        s->key = s->certificate != NULL ? mcpw_serve_file_read(a->tls_key, error) : NULL;
        if (s->key == NULL) {
            return MCPW_E_IO;
        }
    }
    if (a->bearer_file == NULL) {
        return MCPW_OK;
    }
    if (config->authorize != NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "--bearer-file: this program checks tokens itself");
    }
    config->authorize = authorize;
    s->tokens = mcpw_serve_tokens_read(a->bearer_file, error);
    return s->tokens != NULL ? MCPW_OK : error->code;
}

static mcpw_status take_config(stage *s, mcpw_http_config *config, mcpw_error *error) {
    const mcpw_serve_arguments *const a = s->plan->arguments;
    *config = s->given_config;
    config->path = a->path != NULL ? a->path : config->path;
    if (a->origins.len != 0) {
        config->origins = a->origins.data;
        config->cors = true; /* otherwise the browser would not give the responses to the page */
    }
    mcpw_status status = take_hosts(s, config);
    if (status != MCPW_OK) {
        return mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
    }
    status = take_files(s, config, error);
    config->authorize = config->authorize != NULL ? authorize : NULL;
    config->on_session = on_session;
    config->user = s;
    return status;
}

static mcpw_status serve(stage *s, int socket, mcpw_error *error) {
    const mcpw_serve_arguments *const a = s->plan->arguments;
    mcpw_http_config config;
    mcpw_status status = take_config(s, &config, error);
    if (status != MCPW_OK) {
        return status;
    }
    mcpw_http_serve_options own = s->given;
    own.http = &config;
    own.socket = socket >= 0 ? socket : own.socket;
    own.address = a->address[0] != '\0' ? a->address : own.address;
    own.port = a->over_http ? a->port : own.port;
    own.certificate = s->certificate != NULL ? s->certificate : own.certificate;
    own.key = s->key != NULL ? s->key : own.key;
    own.workers = mcpw_serve_plan_workers(s->plan, own.workers);
    own.sessions = own.sessions != NULL ? own.sessions : s->plan->options->config;
    own.diagnostics = own.diagnostics != NULL ? own.diagnostics : s->plan->diagnostics;
    own.on_start = on_start;
    own.on_end = on_end;
    own.user = s;
    s->is_given_socket = own.socket > 0;
    return mcpw_serve_http(s->plan->server, &own, error);
}

mcpw_status mcpw_serve_plan_http(const mcpw_serve_plan *plan, int socket, mcpw_error *error) {
    stage s;
    mcpw_error why;
    memset(&s, 0, sizeof s);
    s.plan = plan;
    s.given = (mcpw_http_serve_options)MCPW_HTTP_SERVE_OPTIONS_INIT;
    s.hosts = (mcpw_buffer)MCPW_BUFFER_INIT;
    mcpw_status status = take_given(&s, &why);
    status = status == MCPW_OK ? serve(&s, socket, &why) : status;
    mcpw_serve_tokens_free(s.tokens);
    mcpw_serve_file_free(s.certificate);
    mcpw_serve_file_free(s.key);
    mcpw_buffer_free(&s.hosts);
    if (status != MCPW_OK && error != NULL) {
        *error = why;
    }
    return status;
}
