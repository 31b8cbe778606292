/* SPDX-License-Identifier: MIT */
/*
 * Our client with a login, which says what it does as oauth_peer.mjs describes. Its redirects come to its own
 * listener. Usage: oauth_client URL [OPTION VALUE]...
 *   --store DIRECTORY        keeps logins in files; else in memory
 *   --client-metadata URL    has a client id metadata document
 *   --client ID, --secret TEXT, --issuer URL    has credentials of its own, and no user
 *   --key FILE               the same, with a private key in place of the secret
 *   --dpop yes               binds its tokens to a key
 *   --revisions LIST         speaks these alone
 * Besides "call TOOL" it knows the command "log out".
 */
#include <mcp/client.h>
#include <mcpw/http_login.h>
#include <mcpw/oauth_jose.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 256, KEY_SIZE = 4096 };

/* The command line. */
typedef struct arguments {
    const char *url;
    const char *store;
    const char *client_metadata;
    const char *client;
    const char *secret;
    const char *issuer;
    const char *key;
    const char *dpop;
    const char *revisions;
} arguments;

typedef struct login {
    mcpw_oauth_key *signing;
    mcpw_oauth_key *binding;
    mcpw_oauth_signer signer;
    mcpw_oauth_signer dpop;
    mcpw_oauth_credential credential;
    mcpw_oauth_config oauth;
    mcpw_http_login *login;
} login;

/* Prints a word and a text, on one line. */
static void tell(const char *word, const char *text, size_t len) {
    printf("%s ", word);
    for (size_t i = 0; i < len; i++) {
        (void)putchar(text[i] == '\n' ? ' ' : text[i]);
    }
    (void)putchar('\n');
    (void)fflush(stdout);
}

static void fail(const mcpw_error *error) { tell("failed", error->message, strlen(error->message)); }

static mcpw_status show_page(void *user, mcpw_http_login *login, const char *url) {
    (void)user;
    (void)login;
    tell("open", url, strlen(url));
    return MCPW_OK;
}

static void warn(void *user, const char *message) {
    (void)user;
    (void)fprintf(stderr, "oauth_client: %s\n", message);
}

static bool parse(int argc, char **argv, arguments *out) {
    const struct {
        const char *name;
        const char **value;
    } options[] = {{"--store", &out->store},   {"--client-metadata", &out->client_metadata},
                   {"--client", &out->client}, {"--secret", &out->secret},
                   {"--issuer", &out->issuer}, {"--key", &out->key},
                   {"--dpop", &out->dpop},     {"--revisions", &out->revisions}};
    const size_t count = sizeof options / sizeof *options;
    out->url = argc > 1 ? argv[1] : NULL;
    for (int i = 2; i + 1 < argc; i += 2) {
        size_t found = 0;
        while (found < count && strcmp(argv[i], options[found].name) != 0) {
            found++;
        }
        if (found == count) {
            return false;
        }
        *options[found].value = argv[i + 1];
    }
    return out->url != NULL && argc % 2 == 0;
}

/* Reads a private key from a file. */
static mcpw_oauth_key *read_key(const char *path, mcpw_error *error) {
    char text[KEY_SIZE];
    FILE *const file = fopen(path, "rb");
    const size_t len = file != NULL ? fread(text, 1, sizeof text, file) : 0;
    if (file != NULL) {
        (void)fclose(file);
    }
    return mcpw_oauth_key_read((mcpw_str){text, len}, NULL, NULL, error);
}

/* The client's credentials, and the key that its tokens are bound to. */
static mcpw_status prepare(login *l, const arguments *a, mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    l->oauth.client_metadata_url = a->client_metadata;
    if (a->client != NULL) {
        l->credential = (mcpw_oauth_credential){.client_id = a->client,
                                                .client_secret = a->secret,
                                                .method = a->key != NULL ? MCPW_OAUTH_METHOD_JWT
                                                                         : MCPW_OAUTH_METHOD_BASIC};
        l->oauth.grant = MCPW_OAUTH_CLIENT_CREDENTIALS;
        l->oauth.issuer = a->issuer;
        l->oauth.credentials = &l->credential;
        l->oauth.credential_count = 1;
    }
    if (a->key != NULL) {
        l->signing = read_key(a->key, error);
        status = l->signing != NULL ? mcpw_oauth_key_signer(l->signing, &l->signer) : error->code;
        l->oauth.signer = &l->signer;
    }
    if (status == MCPW_OK && a->dpop != NULL) {
        l->binding = mcpw_oauth_key_new(NULL, error);
        status = l->binding != NULL ? mcpw_oauth_key_signer(l->binding, &l->dpop) : error->code;
        l->oauth.dpop = &l->dpop;
    }
    return status;
}

static mcpw_client *connect_with(login *l, const arguments *a, mcpw_error *error) {
    mcpw_http_login_options options = MCPW_HTTP_LOGIN_OPTIONS_INIT;
    mcpw_http_connect_options connection = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    if (prepare(l, a, error) != MCPW_OK) {
        return NULL;
    }
    options.url = a->url;
    options.oauth = &l->oauth;
    options.directory = a->store != NULL ? a->store : "";
    options.browser = "";
    options.on_open = show_page;
    options.on_warning = warn;
    l->login = mcpw_http_login_new(&options, error);
    if (l->login == NULL) {
        return NULL;
    }
    connection.url = a->url;
    connection.login = l->login;
    config.name = "oauth-client";
    config.version = "1.0.0";
    config.revisions = a->revisions;
    return mcpw_client_connect(&connection, &config, error);
}

static void call(mcpw_client *client, const char *name) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {.message = ""};
    const mcp_call_tool_request_params params = {.name = mcpw_str_from(name)};
    const mcp_call_tool_result *result = NULL;
    if (mcp_call_tools_call(client, &params, NULL, &arena, &result, &error) != MCPW_OK) {
        fail(&error);
    } else if (result->content.count != 1) {
        tell("failed", "no text", sizeof "no text" - 1);
    } else {
        const mcpw_str text = result->content.items[0].as.text_content.text;
        tell("said", text.ptr, text.len);
    }
    mcpw_arena_free(&arena);
}

static void log_out(mcpw_http_login *login) {
    mcpw_error error = {.message = ""};
    if (mcpw_http_login_log_out(login, &error) == MCPW_OK) {
        tell("said", "logged out", sizeof "logged out" - 1);
    } else {
        fail(&error);
    }
}

static void listen_to_input(mcpw_client *client, mcpw_http_login *login) {
    static const char command[] = "call ";
    char line[LINE];
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, command, sizeof command - 1) == 0) {
            call(client, line + sizeof command - 1);
        } else if (strcmp(line, "log out") == 0) {
            log_out(login);
        }
    }
}

int main(int argc, char **argv) {
    arguments a = {.url = NULL};
    login l = {
        .signer = MCPW_OAUTH_SIGNER_INIT, .dpop = MCPW_OAUTH_SIGNER_INIT, .oauth = MCPW_OAUTH_CONFIG_INIT};
    mcpw_error error = {.message = ""};
    if (!parse(argc, argv, &a)) {
        (void)fprintf(stderr, "usage: oauth_client URL [OPTION VALUE]...\n");
        return 2;
    }
    mcpw_client *const client = connect_with(&l, &a, &error);
    if (client != NULL) {
        tell("said", "connected", sizeof "connected" - 1);
        listen_to_input(client, l.login);
    } else {
        fail(&error);
    }
    mcpw_client_free(client);
    mcpw_http_login_free(l.login);
    mcpw_oauth_key_free(l.signing);
    mcpw_oauth_key_free(l.binding);
    return client != NULL ? 0 : 1;
}
