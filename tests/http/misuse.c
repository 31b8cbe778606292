/* SPDX-License-Identifier: MIT */
/* The refusals of the libraries over libmicrohttpd and libcurl, and their reasons. */
#define _POSIX_C_SOURCE 200809L
#include <mcpw/http_connect.h>
#include <mcpw/http_serve.h>

#include "check.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/* ---- The server ---- */

static mcpw_endpoint *endpoint_of(mcpw_server *server) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    config.role = MCPW_ROLE_SERVER;
    config.server = server;
    return mcpw_endpoint_new(&config, NULL);
}

static bool is_refused(const mcpw_http_serve_options *options, mcpw_status code, const char *why) {
    mcpw_error error;
    mcpw_http_listener *const listener = mcpw_http_listener_new(options, &error);
    const bool is = listener == NULL && error.code == code && strstr(error.message, why) != NULL;
    if (!is) {
        (void)fprintf(stderr, "%s\n", listener == NULL ? error.message : "it listens");
    }
    mcpw_http_listener_free(listener);
    return is;
}

static void options_that_make_no_sense_are_refused(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    http.endpoint = endpoint_of(server);
    CHECK(is_refused(NULL, MCPW_E_ARGUMENT, "MCPW_HTTP_SERVE_OPTIONS_INIT"));
    CHECK(is_refused(&options, MCPW_E_ARGUMENT, "mcpw_http_config"));
    options.http = &http;
    options.key = "k";
    CHECK(is_refused(&options, MCPW_E_ARGUMENT, "a certificate needs its key"));
    options.certificate = "c";
    CHECK(is_refused(&options, MCPW_E_IO, "the certificate or its key cannot be used"));
    options.certificate = options.key = NULL;
    options.address = "example.com";
    CHECK(is_refused(&options, MCPW_E_ARGUMENT, "cannot bind to example.com"));
    options.address = "192.0.2.1"; /* none of this machine's */
    CHECK(is_refused(&options, MCPW_E_IO, "192.0.2.1"));
    options.address = NULL;
    options.struct_size = 1;
    CHECK(is_refused(&options, MCPW_E_ARGUMENT, "MCPW_HTTP_SERVE_OPTIONS_INIT"));
    mcpw_endpoint_free(http.endpoint);
    http.endpoint = NULL;
    options.struct_size = sizeof options;
    CHECK(is_refused(&options, MCPW_E_ARGUMENT, "endpoint"));
    mcpw_server_free(server);
}

static void options_of_an_older_header_are_taken(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    mcpw_error error;
    http.endpoint = endpoint_of(server);
    options.http = &http;
    options.struct_size = offsetof(mcpw_http_serve_options, diagnostics);
    mcpw_http_listener *const listener = mcpw_http_listener_new(&options, &error);
    CHECK(listener != NULL && mcpw_http_listener_port(listener) != 0);
    mcpw_http_listener_free(listener);
    mcpw_endpoint_free(http.endpoint);
    mcpw_server_free(server);
}

static void serving_needs_a_server(void) {
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    const mcpw_http_config http = {.struct_size = 1};
    const mcpw_session_config sessions = {.struct_size = 1};
    mcpw_error error;
    CHECK(mcpw_serve_http(NULL, &options, &error) == MCPW_E_ARGUMENT);
    CHECK(strstr(error.message, "mcpw_server_new") != NULL);
    options.struct_size = 1;
    CHECK(mcpw_serve_http(server, &options, &error) == MCPW_E_ARGUMENT);
    CHECK(strstr(error.message, "MCPW_HTTP_SERVE_OPTIONS_INIT") != NULL);
    options.struct_size = sizeof options;
    options.http = &http;
    CHECK(mcpw_serve_http(server, &options, &error) == MCPW_E_ARGUMENT);
    CHECK(strstr(error.message, "http or sessions of the options") != NULL);
    options.http = NULL;
    options.sessions = &sessions;
    CHECK(mcpw_serve_http(server, &options, &error) == MCPW_E_ARGUMENT);
    mcpw_server_free(server);
}

static void a_socket_that_is_given_is_the_listeners(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    mcpw_error error;
    http.endpoint = endpoint_of(server);
    options.http = &http;
    options.socket = socket(AF_INET6, SOCK_STREAM, 0);
    if (options.socket < 0 || bind(options.socket, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(options.socket, 1) != 0) {
        (void)fprintf(stderr, "skipped: this machine has no IPv6\n");
    } else {
        mcpw_http_listener *const listener = mcpw_http_listener_new(&options, &error);
        CHECK(listener != NULL && mcpw_http_listener_port(listener) != 0);
        mcpw_http_listener_stop(listener);
        CHECK(listener != NULL && mcpw_http_listener_run(listener, &error) == MCPW_OK);
        mcpw_http_listener_free(listener);
    }
    mcpw_endpoint_free(http.endpoint);
    mcpw_server_free(server);
    mcpw_http_listener_free(NULL);
}

static int a_socket(void) {
    const int made = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(made >= 0 && listen(made, 1) == 0);
    return made;
}

static bool is_open(int descriptor) { return fcntl(descriptor, F_GETFD) >= 0; }

static void a_socket_that_is_given_is_closed_if_nothing_can_be_served(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    const mcpw_http_config wrong = {.struct_size = 1};
    mcpw_session_config sessions = MCPW_SESSION_CONFIG_INIT;
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    options.http = &http;
    options.certificate = "a certificate without a key";
    options.socket = a_socket();
    CHECK(mcpw_http_listener_new(&options, NULL) == NULL && !is_open(options.socket));
    options.socket = a_socket();
    CHECK(mcpw_serve_http(server, &options, NULL) == MCPW_E_ARGUMENT && !is_open(options.socket));
    options.socket = a_socket();
    CHECK(mcpw_serve_http(NULL, &options, NULL) == MCPW_E_ARGUMENT && !is_open(options.socket));
    options.http = &wrong;
    options.socket = a_socket();
    CHECK(mcpw_serve_http(server, &options, NULL) == MCPW_E_ARGUMENT && !is_open(options.socket));
    options.http = NULL;
    options.sessions = &sessions;
    sessions.revisions = "1999-01-01";
    options.socket = a_socket();
    CHECK(mcpw_serve_http(server, &options, NULL) == MCPW_E_VERSION && !is_open(options.socket));
    mcpw_server_free(server);
}

/* ---- The client ---- */

static bool does_not_connect(const mcpw_http_connect_options *options, mcpw_status code, const char *why) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error;
    config.name = "c";
    config.version = "1";
    mcpw_client *const client = mcpw_client_connect(options, &config, &error);
    const bool is = client == NULL && error.code == code && strstr(error.message, why) != NULL;
    if (!is) {
        (void)fprintf(stderr, "%d %s\n", (int)error.code, client == NULL ? error.message : "it connects");
    }
    mcpw_client_free(client);
    return is;
}

static void urls_and_options_that_cannot_be_used_are_refused(void) {
    static const char *const urls[] = {NULL, "", "example.com", "ftp://example.com/", "file:///etc/passwd"};
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    const mcpw_http_field broken = {MCPW_STR("X-A"), MCPW_STR("a\r\nX-B: b")};
    mcpw_http_client_config http = MCPW_HTTP_CLIENT_CONFIG_INIT;
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        options.url = urls[i];
        CHECK(does_not_connect(&options, MCPW_E_ARGUMENT, "http"));
    }
    options.url = "http://127.0.0.1:1/mcp";
    http.fields = &broken;
    http.field_count = 1;
    options.http = &http;
    CHECK(does_not_connect(&options, MCPW_E_ARGUMENT, ""));
}

static void who_cannot_be_reached_is_told(void) {
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    options.url = "http://127.0.0.1:1/mcp";
    options.proxy = "";
    CHECK(does_not_connect(&options, MCPW_E_CONNECTION, "127.0.0.1"));
    options.proxy = "http://127.0.0.1:1";
    CHECK(does_not_connect(&options, MCPW_E_CONNECTION, "127.0.0.1"));
    options.proxy = "";
    options.url = "https://127.0.0.1:1/mcp";
    options.ca_file = "/nonexistent";
    options.cert_file = "/nonexistent";
    options.key_file = "/nonexistent";
    CHECK(does_not_connect(&options, MCPW_E_CONNECTION, ""));
}

static void servers_that_were_met_are_remembered_whatever_they_said(void) {
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    options.url = "http://127.0.0.1:1/mcp";
    options.proxy = "";
    options.origins = mcpw_http_origins_new(0, NULL);
    CHECK(does_not_connect(&options, MCPW_E_CONNECTION, "127.0.0.1"));
    mcpw_http_origins_free(options.origins);
    mcpw_http_origins_free(NULL);
}

int main(void) {
    RUN(options_that_make_no_sense_are_refused);
    RUN(options_of_an_older_header_are_taken);
    RUN(serving_needs_a_server);
    RUN(a_socket_that_is_given_is_the_listeners);
    RUN(a_socket_that_is_given_is_closed_if_nothing_can_be_served);
    RUN(urls_and_options_that_cannot_be_used_are_refused);
    RUN(who_cannot_be_reached_is_told);
    RUN(servers_that_were_met_are_remembered_whatever_they_said);
    return check_end();
}
