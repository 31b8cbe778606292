/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* popen */
/* A client that logs in: logging_in URL COMMAND... Its browser is that of BROWSER, its store that of
 * XDG_DATA_HOME. A command is N (N lists of tools at once), "wait" (half a second for the server), or "leave"
 * (a list of tools that nobody waits for; the client is closed, and the login half a second later). It prints
 * what became of each. */
#include <mcpw/detail/protocol.h>
#include <mcpw/http_login.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_TOGETHER = 9, PAUSE = 500, DECIMAL = 10 };

typedef struct waiting {
    unsigned left;
} waiting;

static void on_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    waiting *const w = user;
    (void)session;
    w->left--;
    printf("%s %s\n", mcpw_status_name(reply->status), reply->error != NULL ? reply->error->message : "");
}

static void warn(void *user, const char *message) {
    (void)user;
    printf("warning: %s\n", message);
}

/* Makes requests at once, and waits for all. */
static void request(mcpw_client *client, const char *name, const void *params, unsigned count) {
    mcpw_session *const session = mcpw_client_session(client);
    const mcpw_revision *const revision = mcpw_session_revision(session);
    const int method = mcpw_method_number(revision, name, strlen(name));
    waiting w = {count};
    mcpw_error error = {.code = MCPW_OK};
    mcpw_status status = MCPW_OK;
    for (unsigned i = 0; status == MCPW_OK && i < count; i++) {
        status = mcpw_session_request(session, revision, method, params, NULL, on_reply, &w, NULL, &error);
    }
    while (status == MCPW_OK && w.left != 0) {
        status = mcpw_client_wait(client, DECIMAL, &error);
    }
    if (status != MCPW_OK) {
        printf("%s %s\n", mcpw_status_name(status), error.message);
    }
}

/* Begins a request, and closes the client in the middle of the login. */
static void leave(mcpw_client *client) {
    mcpw_session *const session = mcpw_client_session(client);
    const mcpw_revision *const revision = mcpw_session_revision(session);
    const int method = mcpw_method_number(revision, "tools/list", sizeof "tools/list" - 1);
    const struct timespec pause = {.tv_nsec = PAUSE * 1000000L};
    waiting w = {1};
    mcpw_error error = {.code = MCPW_OK};
    mcpw_status status =
        mcpw_session_request(session, revision, method, NULL, NULL, on_reply, &w, NULL, &error);
    for (unsigned i = 0; status == MCPW_OK && i < 3; i++) {
        status = mcpw_client_wait(client, PAUSE, &error);
    }
    printf("leaving\n");
    (void)fflush(stdout);
    mcpw_client_free(client);
    printf("left\n");
    (void)fflush(stdout);
    (void)nanosleep(&pause, NULL);
}

static void play(mcpw_client *client, const char *command) {
    mcpw_error error = {.code = MCPW_OK};
    const unsigned long count = strtoul(command, NULL, DECIMAL);
    if (strcmp(command, "wait") == 0) {
        printf("%s\n", mcpw_status_name(mcpw_client_wait(client, PAUSE, &error)));
    } else {
        request(client, "tools/list", NULL, count < MOST_TOGETHER ? (unsigned)count : MOST_TOGETHER);
    }
}

/* A user who has no browser here: the command in LOGIN_USER_AT prints the URL to which theirs was sent. */
static mcpw_status ask_user(void *user, mcpw_http_login *login, const char *url) {
    enum { LINE_SIZE = 4096 };
    char line[LINE_SIZE] = "";
    mcpw_error error = {.code = MCPW_OK};
    (void)user;
    (void)snprintf(line, sizeof line, "%s '%s'", getenv("LOGIN_USER_AT"), url);
    FILE *const out = popen(line, "r");
    const bool is_read = out != NULL && fgets(line, sizeof line, out) != NULL;
    if (out != NULL) {
        (void)pclose(out);
    }
    return is_read ? mcpw_http_login_redirected(login, (mcpw_str){line, strcspn(line, "\n")}, &error)
                   : MCPW_E_CANCELLED;
}

static uint64_t number(const char *name) {
    const char *const text = getenv(name);
    return text != NULL ? strtoul(text, NULL, DECIMAL) : 0;
}

int main(int argc, char **argv) {
    static const mcpw_http_field key = {MCPW_STR("X-Api-Key"), MCPW_STR("key-of-the-program")};
    mcpw_http_login_options login = MCPW_HTTP_LOGIN_OPTIONS_INIT;
    mcpw_oauth_config oauth = MCPW_OAUTH_CONFIG_INIT;
    mcpw_http_client_config http = MCPW_HTTP_CLIENT_CONFIG_INIT;
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_client *client = NULL;
    mcpw_error error = {.code = MCPW_OK};
    oauth.deadline_ms = number("LOGIN_DEADLINE");
    oauth.user_ms = number("LOGIN_USER");
    oauth.redirect_uri = getenv("LOGIN_REDIRECT");
    login.url = options.url = argc > 1 ? argv[1] : "";
    login.oauth = &oauth;
    login.on_warning = warn;
    login.on_open = getenv("LOGIN_USER_AT") != NULL ? ask_user : NULL;
    http.fields = &key;
    http.field_count = 1;
    options.http = &http;
    options.login = mcpw_http_login_new(&login, &error);
    config.name = "logging-in";
    config.version = "1";
    config.request_timeout_ms = number("LOGIN_TIMEOUT");
    if (options.login != NULL) {
        client = mcpw_client_connect(&options, &config, &error);
    }
    if (client == NULL) {
        printf("%s %s\n", mcpw_status_name(error.code), error.message);
    }
    const bool is_connected = client != NULL;
    for (int i = 2; client != NULL && i < argc; i++) {
        if (strcmp(argv[i], "leave") == 0) {
            leave(client);
            client = NULL;
        } else {
            play(client, argv[i]);
        }
        (void)fflush(stdout);
    }
    mcpw_client_free(client);
    mcpw_http_login_free(options.login);
    return is_connected ? 0 : 1;
}
