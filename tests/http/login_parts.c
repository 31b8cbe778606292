/* SPDX-License-Identifier: MIT */
/* Parts of a login without an authorization server: the addresses that it connects to, the pages that it
 * opens, the options that it refuses. Names are resolved by this program. */
#define _GNU_SOURCE
#include "check.h"
#include "login_internal.h"

#include <mcpw/io.h>

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { CONNECT_TIMEOUT = 5000 };

/* ---- A resolver ---- */

static const char *address_of(const char *host) {
    static const char *const names[][2] = {
        {"ten.example.com", "10.0.0.1"},   {"cloud.example.com", "169.254.169.254"},
        {"here.example.com", "127.0.0.1"}, {"local.example.com", "fe80::1"},
        {"unique.example.com", "fd00::1"}, {"mapped.example.com", "::ffff:10.0.0.1"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i][0], host) == 0) {
            return names[i][1];
        }
    }
    return NULL;
}

typedef struct found {
    struct addrinfo info;
    struct sockaddr_storage address;
} found;

/* libcurl calls this in the place of the one of libc. */
int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **out) {
    enum { DECIMAL = 10 };
    const char *const text = host != NULL ? address_of(host) : NULL;
    found *const f = text != NULL ? calloc(1, sizeof *f) : NULL;
    (void)hints;
    if (f == NULL) {
        return EAI_NONAME;
    }
    const in_port_t port = htons((uint16_t)(service != NULL ? strtoul(service, NULL, DECIMAL) : 0));
    f->info.ai_socktype = SOCK_STREAM;
    f->info.ai_addr = (struct sockaddr *)&f->address;
    if (strchr(text, ':') != NULL) {
        struct sockaddr_in6 *const in = (struct sockaddr_in6 *)&f->address;
        in->sin6_family = AF_INET6;
        in->sin6_port = port;
        (void)inet_pton(AF_INET6, text, &in->sin6_addr);
        f->info.ai_addrlen = sizeof *in;
    } else {
        struct sockaddr_in *const in = (struct sockaddr_in *)&f->address;
        in->sin_family = AF_INET;
        in->sin_port = port;
        (void)inet_pton(AF_INET, text, &in->sin_addr);
        f->info.ai_addrlen = sizeof *in;
    }
    f->info.ai_family = f->address.ss_family;
    *out = &f->info;
    return 0;
}

void freeaddrinfo(struct addrinfo *info) { free(info); }

/* ---- Addresses ---- */

/* Begins a login because a server refused a request, whose metadata are at a URL, and waits for its end. */
static mcpw_error refused_by(const char *server, const char *peer, const char *metadata) {
    mcpw_http_login_options options = MCPW_HTTP_LOGIN_OPTIONS_INIT;
    mcpw_oauth_config oauth = MCPW_OAUTH_CONFIG_INIT;
    mcpw_oauth_pass pass = MCPW_OAUTH_PASS_INIT;
    mcpw_error error = {.code = MCPW_OK};
    char challenge[MCPW_LOGIN_URI_SIZE];
    enum { UNAUTHORIZED = 401, SOON = 5000 };
    oauth.foreign_metadata = true;
    oauth.deadline_ms = SOON;
    options.url = server;
    options.oauth = &oauth;
    options.directory = options.browser = options.proxy = "";
    (void)snprintf(challenge, sizeof challenge, "Bearer resource_metadata=\"%s\"", metadata);
    mcpw_http_login *const login = mcpw_http_login_new(&options, &error);
    if (login == NULL) {
        return error;
    }
    const mcpw_http_login_response response = {UNAUTHORIZED, mcpw_str_from(challenge), {NULL, 0}, peer};
    CHECK(login->fields(login, "POST", &pass, &error) == MCPW_OK);
    CHECK(login->answered(login, &pass, &response, &error) == MCPW_OAUTH_BEGIN);
    while (login->work(login, &error) == MCPW_PENDING) {
        mcpw_os_ready ready;
        (void)mcpw_os_set_take(login->set, &ready, 1, 1);
    }
    mcpw_http_login_free(login);
    return error;
}

static bool is_private(const char *server, const char *peer, const char *metadata) {
    const mcpw_error error = refused_by(server, peer, metadata);
    return strstr(error.message, "address is private") != NULL;
}

static void a_public_server_leads_to_no_private_address(void) {
    static const char *const places[] = {"https://ten.example.com/m",    "https://cloud.example.com/m",
                                         "https://here.example.com:1/m", "https://local.example.com/m",
                                         "https://unique.example.com/m", "https://mapped.example.com/m"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        CHECK(is_private("https://mcp.example.com/mcp", "8.8.8.8", places[i]));
        CHECK(is_private("https://mcp.example.com/mcp", "2001:4860:4860::8888", places[i]));
    }
}

static void a_name_of_a_public_server_may_not_become_private(void) {
    CHECK(is_private("https://here.example.com:1/mcp", "8.8.8.8", "https://here.example.com:1/m"));
}

static void a_private_server_may_have_a_private_login(void) {
    CHECK(!is_private("https://mcp.example.com/mcp", "10.0.0.2", "https://here.example.com:1/m"));
    CHECK(!is_private("https://here.example.com:1/mcp", NULL, "https://here.example.com:1/m"));
}

static void an_unknown_server_counts_as_public(void) {
    CHECK(is_private("https://mcp.example.com/mcp", NULL, "https://here.example.com:1/m"));
}

static mcpw_os_set *new_set(void) {
    int number;
    mcpw_os_set *const set = mcpw_os_set_new(&number);
    CHECK(set != NULL);
    return set;
}

/* Requests a document of the MCP server itself, and waits for the end of that. */
static void request_own(mcpw_login_network *network, const char *url) {
    mcpw_error error = {.code = MCPW_OK};
    mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
    enum { MOST_BODY = 100 };
    order.method = "GET";
    order.url = mcpw_str_from(url);
    order.max_body = MOST_BODY;
    order.public_only = true;
    CHECK(mcpw_login_request_begin(network, &order, &error) == MCPW_OK);
    while (network->request != NULL) {
        mcpw_os_ready ready;
        if (mcpw_os_set_take(network->loop.set, &ready, 1, 1) == 1) {
            mcpw_curl_loop_ready(&network->loop, &ready);
        }
        mcpw_login_network_work(network, NULL);
    }
}

/* A name may have several addresses, so one that does not answer says nothing about the server. */
static void an_address_that_is_only_tried_does_not_make_a_server_private(void) {
    mcpw_login_network network = {.url = "https://here.example.com:1/mcp", .proxy = ""};
    network.connect_timeout_ms = CONNECT_TIMEOUT;
    CHECK(mcpw_curl_loop_open(&network.loop, new_set()));
    request_own(&network, "https://here.example.com:1/m");
    CHECK(network.reach == MCPW_LOGIN_UNKNOWN);
    mcpw_login_network_close(&network);
    mcpw_os_set_free(network.loop.set);
}

static void words_of_libcurl_are_printable(void) {
    mcpw_error error = {.code = MCPW_OK};
    mcpw_curl_explain(&error, "the certificate is of \x1b[2J\xe2\x80\xae", CURLE_PEER_FAILED_VERIFICATION);
    CHECK_STRING(error.message, "the certificate is of \\x1b[2J\\xe2\\x80\\xae");
    CHECK(error.code == MCPW_E_CONNECTION);
    mcpw_curl_explain(&error, "", CURLE_COULDNT_CONNECT);
    CHECK_STRING(error.message, curl_easy_strerror(CURLE_COULDNT_CONNECT));
}

/* ---- The listener ---- */

/* Whether somebody listens at an address of this machine. */
static bool is_listening(bool is_v6, unsigned port) {
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    v4.sin_port = v6.sin6_port = htons((in_port_t)port);
    const int fd = socket(is_v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int status = is_v6 ? connect(fd, (const struct sockaddr *)&v6, sizeof v6)
                             : connect(fd, (const struct sockaddr *)&v4, sizeof v4);
    (void)close(fd);
    return status == 0;
}

/* Whether this machine has the address ::1. */
static bool has_v6(void) {
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    const int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool has = fd >= 0 && bind(fd, (const struct sockaddr *)&v6, sizeof v6) == 0;
    if (fd >= 0) {
        (void)close(fd);
    }
    return has;
}

/* A port that is free at both addresses, most likely. */
static unsigned free_port(void) {
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t len = sizeof in;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(bind(fd, (const struct sockaddr *)&in, sizeof in) == 0 &&
          getsockname(fd, (struct sockaddr *)&in, &len) == 0);
    (void)close(fd);
    return ntohs(in.sin_port);
}

static mcpw_login_listener *listen_at(const char *host, unsigned port, mcpw_os_set *set) {
    char uri[MCPW_LOGIN_URI_SIZE];
    mcpw_error error = {.code = MCPW_OK};
    (void)snprintf(uri, sizeof uri, "http://%s:%u/callback", host, port);
    CHECK(mcpw_login_can_listen_at(uri));
    mcpw_login_listener *const listener = mcpw_login_listener_new(uri, set, &error);
    CHECK(listener != NULL && mcpw_login_listener_open(listener, &error) == MCPW_OK);
    return listener;
}

static void a_listener_has_the_addresses_of_its_uri_alone(void) {
    static const struct {
        const char *host;
        bool v4;
        bool v6;
    } all[] = {{"127.0.0.1", true, false}, {"[::1]", false, true}, {"localhost", true, true}};
    mcpw_os_set *const set = new_set();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const unsigned port = free_port();
        if (all[i].v4 || has_v6()) {
            mcpw_login_listener *const listener = listen_at(all[i].host, port, set);
            CHECK(is_listening(false, port) == all[i].v4);
            CHECK(is_listening(true, port) == (all[i].v6 && has_v6()));
            mcpw_login_listener_free(listener);
        }
    }
    CHECK(!mcpw_login_can_listen_at("http://127.0.0.2:8000/callback")); /* nobody would come there */
    CHECK(!mcpw_login_can_listen_at("http://0.0.0.0:8000/callback"));
    mcpw_os_set_free(set);
}

static void a_listener_that_is_closed_keeps_its_port(void) {
    mcpw_os_set *const set = new_set();
    const unsigned port = free_port();
    char uri[MCPW_LOGIN_URI_SIZE];
    mcpw_error error = {.code = MCPW_OK};
    mcpw_login_listener *const listener = listen_at("localhost", port, set);
    CHECK(is_listening(false, port)); /* which leaves a connection in the queue */
    mcpw_login_listener_work(listener, NULL, 0);
    for (unsigned i = 0; i < 2; i++) {
        mcpw_login_listener_close(listener);
        CHECK(!is_listening(false, port) && !is_listening(true, port));
        CHECK(mcpw_login_listener_open(listener, &error) == MCPW_OK && is_listening(false, port));
    }
    (void)snprintf(uri, sizeof uri, "http://127.0.0.1:%u/callback", port);
    CHECK(mcpw_login_listener_new(uri, set, &error) == NULL); /* nobody else may listen there */
    mcpw_login_listener_free(listener);
    mcpw_os_set_free(set);
}

static void a_port_that_another_program_took_meanwhile_is_an_error(void) {
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    mcpw_os_set *const set = new_set();
    const int on = 1;
    mcpw_error error = {.code = MCPW_OK};
    in.sin_port = htons((in_port_t)free_port());
    mcpw_login_listener *const listener = listen_at("127.0.0.1", ntohs(in.sin_port), set);
    mcpw_login_listener_close(listener);
    const int other = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(setsockopt(other, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0);
    CHECK(bind(other, (const struct sockaddr *)&in, sizeof in) == 0 && listen(other, 1) == 0);
    CHECK(mcpw_login_listener_open(listener, &error) == MCPW_E_IO); /* no user is sent there */
    (void)close(other);
    CHECK(mcpw_login_listener_open(listener, &error) == MCPW_OK);
    mcpw_login_listener_free(listener);
    mcpw_os_set_free(set);
}

/* ---- Time ---- */

/* Seconds by which the clock of the system is put back. */
static time_t put_back;

/* The program calls this in the place of the one of libc. */
int clock_gettime(clockid_t clock, struct timespec *now) {
    const long status = syscall(SYS_clock_gettime, clock, now);
    now->tv_sec -= clock == CLOCK_REALTIME ? put_back : 0;
    return (int)status;
}

/* Listens on this machine, and answers nothing. */
static int listen_silently(char url[MCPW_LOGIN_URI_SIZE]) {
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t len = sizeof in;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(bind(fd, (const struct sockaddr *)&in, sizeof in) == 0 && listen(fd, 1) == 0);
    CHECK(getsockname(fd, (struct sockaddr *)&in, &len) == 0);
    (void)snprintf(url, MCPW_LOGIN_URI_SIZE, "http://127.0.0.1:%d/mcp", ntohs(in.sin_port));
    return fd;
}

static void a_clock_that_is_put_back_makes_no_login_longer(void) {
    enum { SOON = 300, LATE = 3000, HOUR = 3600 };
    mcpw_http_login_options options = MCPW_HTTP_LOGIN_OPTIONS_INIT;
    mcpw_oauth_config oauth = MCPW_OAUTH_CONFIG_INIT;
    mcpw_oauth_pass pass = MCPW_OAUTH_PASS_INIT;
    mcpw_error error = {.code = MCPW_OK};
    char url[MCPW_LOGIN_URI_SIZE];
    const int fd = listen_silently(url);
    oauth.deadline_ms = SOON;
    options.url = url;
    options.oauth = &oauth;
    options.directory = options.browser = options.proxy = "";
    mcpw_http_login *const login = mcpw_http_login_new(&options, &error);
    CHECK(login != NULL);
    const mcpw_http_login_response response = {.status = 401};
    CHECK(login->fields(login, "POST", &pass, &error) == MCPW_OK);
    CHECK(login->answered(login, &pass, &response, &error) == MCPW_OAUTH_BEGIN);
    CHECK(login->work(login, &error) == MCPW_PENDING);
    put_back = HOUR;
    const uint64_t end = mcpw_io_now() + LATE;
    mcpw_status status = MCPW_PENDING;
    while (status == MCPW_PENDING && mcpw_io_now() < end) {
        (void)usleep(1000);
        status = login->work(login, &error);
    }
    put_back = 0;
    CHECK(status == MCPW_E_TIMEOUT);
    mcpw_http_login_free(login);
    (void)close(fd);
}

/* ---- Pages ---- */

static void only_pages_of_the_web_are_opened(void) {
    static const char *const bad[] = {"javascript:alert(1)", "file:///etc/passwd",   "http://example.com/",
                                      "https://a b/",        "https://a/\x1b[2J",    "--help",
                                      "https://u:p@a/",      "http://127.0.0.1.a/x", "https://a/\xc3\xbc"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (mcpw_login_may_open(bad[i])) {
            (void)fprintf(stderr, "%s\n", bad[i]);
        }
        CHECK(!mcpw_login_may_open(bad[i]));
    }
    CHECK(mcpw_login_may_open("https://as.example.com/authorize?a=b&c=%20"));
    CHECK(mcpw_login_may_open("http://127.0.0.1:8080/authorize"));
    CHECK(mcpw_login_may_open("http://[::1]:8080/authorize"));
    CHECK(mcpw_login_may_open("http://localhost/authorize"));
}

/* Opens a URL by commands that write their arguments to a file, and reads it. */
static void browse(const char *format, const char *url, char *out, size_t size) {
    char folder[] = "/tmp/mcpwire-login-XXXXXX";
    char script[MCPW_LOGIN_URI_SIZE];
    char written[MCPW_LOGIN_URI_SIZE];
    char commands[MCPW_LOGIN_URI_SIZE];
    mcpw_login_browser pid = 0;
    enum { TRIES = 2000, EXECUTABLE = 0700 };
    out[0] = '\0';
    CHECK(mkdtemp(folder) != NULL);
    (void)snprintf(script, sizeof script, "%s/browser", folder);
    (void)snprintf(written, sizeof written, "%s/written", folder);
    FILE *file = fopen(script, "w");
    CHECK(file != NULL);
    (void)fprintf(file, "#!/bin/sh\nfor word; do printf '[%%s]' \"$word\"; done > %s.new\nmv %s.new %s\n",
                  written, written, written);
    (void)fclose(file);
    CHECK(chmod(script, EXECUTABLE) == 0);
    (void)snprintf(commands, sizeof commands, format, script);
    CHECK(mcpw_login_open_browser(commands, url, &pid, NULL) == MCPW_OK);
    for (int i = 0; i < TRIES && (file = fopen(written, "r")) == NULL; i++) {
        (void)usleep(1000);
    }
    if (file != NULL) {
        out[fread(out, 1, size - 1, file)] = '\0';
        (void)fclose(file);
    }
    (void)unlink(written);
    (void)unlink(script);
    (void)rmdir(folder);
    for (int i = 0; i < TRIES && pid != 0; i++) {
        mcpw_login_reap(&pid);
        (void)usleep(1000);
    }
    CHECK(pid == 0);
}

static void a_command_has_words_and_no_shell(void) {
    char got[MCPW_LOGIN_URI_SIZE];
    browse("%s", "https://a/?x=$(id)&y=`id`;z", got, sizeof got);
    CHECK_STRING(got, "[https://a/?x=$(id)&y=`id`;z]");
    browse("%s --new  %%s now", "https://a/", got, sizeof got);
    CHECK_STRING(got, "[--new][https://a/][now]");
    browse("/no/such/browser:%s -a", "https://a/", got, sizeof got);
    CHECK_STRING(got, "[-a][https://a/]");
}

static void a_command_that_cannot_start_is_reported(void) {
    mcpw_error error = {.code = MCPW_OK};
    mcpw_login_browser pid = 0;
    CHECK(mcpw_login_open_browser("/no/such/browser", "https://a/", &pid, &error) == MCPW_E_NOT_FOUND);
    CHECK(strstr(error.message, "open the URL by hand") != NULL);
    CHECK(pid == 0);
}

/* ---- Options ---- */

static bool is_refused(const mcpw_http_login_options *options, const char *why) {
    mcpw_error error = {.code = MCPW_OK};
    mcpw_http_login *const login = mcpw_http_login_new(options, &error);
    const bool is = login == NULL && strstr(error.message, why) != NULL;
    if (!is) {
        (void)fprintf(stderr, "%s\n", login == NULL ? error.message : "it is taken");
    }
    mcpw_http_login_free(login);
    return is;
}

static void options_that_make_no_sense_are_refused(void) {
    mcpw_http_login_options options = MCPW_HTTP_LOGIN_OPTIONS_INIT;
    mcpw_http_connect_options connect = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error = {.code = MCPW_OK};
    CHECK(is_refused(NULL, "MCPW_HTTP_LOGIN_OPTIONS_INIT"));
    CHECK(is_refused(&options, "MCPW_HTTP_LOGIN_OPTIONS_INIT"));
    options.url = "http://mcp.example.com/mcp";
    options.directory = "";
    CHECK(is_refused(&options, "server_url"));
    options.url = "https://mcp.example.com/mcp";
    options.directory = "/proc/no/such/folder";
    CHECK(is_refused(&options, "/proc/no/such/folder"));
    options.directory = NULL;
    (void)unsetenv("HOME");
    (void)unsetenv("XDG_DATA_HOME");
    CHECK(is_refused(&options, "set HOME"));
    options.directory = "";
    connect.login = mcpw_http_login_new(&options, &error);
    CHECK(connect.login != NULL);
    connect.url = "https://other.example.com/mcp";
    config.name = "test";
    config.version = "1";
    CHECK(mcpw_client_connect(&connect, &config, &error) == NULL);
    CHECK_STRING(error.message, "the login is for another URL");
    mcpw_http_login_free(connect.login);
    CHECK(mcpw_http_login_oauth(NULL) == NULL);
    CHECK(mcpw_http_login_run(NULL, false, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_http_login_log_out(NULL, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_http_login_redirected(NULL, MCPW_STR_VALUE("?code=1"), &error) == MCPW_E_ARGUMENT);
}

int main(void) {
    RUN(a_public_server_leads_to_no_private_address);
    RUN(a_name_of_a_public_server_may_not_become_private);
    RUN(a_private_server_may_have_a_private_login);
    RUN(an_unknown_server_counts_as_public);
    RUN(an_address_that_is_only_tried_does_not_make_a_server_private);
    RUN(words_of_libcurl_are_printable);
    RUN(a_listener_has_the_addresses_of_its_uri_alone);
    RUN(a_listener_that_is_closed_keeps_its_port);
    RUN(a_port_that_another_program_took_meanwhile_is_an_error);
    RUN(a_clock_that_is_put_back_makes_no_login_longer);
    RUN(only_pages_of_the_web_are_opened);
    RUN(a_command_has_words_and_no_shell);
    RUN(a_command_that_cannot_start_is_reported);
    RUN(options_that_make_no_sense_are_refused);
    return check_end();
}
