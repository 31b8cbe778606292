/* SPDX-License-Identifier: MIT */
/* An extension of one's own at both ends: a clock. Usage: extension serves it, extension --ask SERVER
 * [ARGUMENT]... asks the server that it starts. */
#include <mcpw/extension.h>
#include <mcpw/io.h>
#include <mcpw/json.h>
#include <mcpw/serve.h>

#include <stdio.h>
#include <string.h>

#define CLOCK "org.example/clock"

/* Answers clock/read, after a notification that belongs to the same request. */
static mcpw_status read_clock(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    const mcpw_json settings = mcpw_request_settings(request, CLOCK); /* of the client */
    mcpw_error error;
    (void)call;
    (void)user;
    fprintf(stderr, "the client has %.*s\n", (int)settings.len, settings.ptr);
    const mcpw_status status =
        mcpw_request_notify_named(request, "notifications/clock/tick", (mcpw_json)MCPW_JSON("{}"), &error);
    if (status != MCPW_OK) {
        return status;
    }
    return mcpw_respond_json(request, (mcpw_json)MCPW_JSON("{\"seconds\":12}"), NULL);
}

/* Clients get a tick. */
static void tick(mcpw_session *session, const mcpw_extension_call *call, void *user) {
    (void)session;
    (void)user;
    printf("%.*s\n", (int)call->method.len, call->method.ptr);
}

/* A client of its own accord. */
static void wound(mcpw_session *session, const mcpw_extension_call *call, void *user) {
    (void)session;
    (void)call;
    (void)user;
}

static const mcpw_extension_method methods[] = {
    {.name = "clock/read",
     .request = read_clock,
     .result_schema = MCPW_JSON("{\"type\":\"object\",\"required\":[\"seconds\"]}")},
    {.name = "notifications/clock/tick", .is_notification = true, .notification = tick},
    {.name = "notifications/clock/wound",
     .from = MCPW_ROLE_CLIENT,
     .is_notification = true,
     .notification = wound},
};

static mcpw_extension clock_extension(void) {
    mcpw_extension extension = MCPW_EXTENSION_INIT;
    extension.id = CLOCK;
    extension.settings = (mcpw_json)MCPW_JSON("{\"unit\":\"s\"}");
    extension.methods = methods;
    extension.method_count = sizeof methods / sizeof *methods;
    return extension;
}

static mcpw_status log_method(mcpw_passage *passage, void *user) {
    const mcpw_str method = mcpw_passage_method(passage);
    (void)user;
    fprintf(stderr, "%.*s\n", (int)method.len, method.ptr);
    return MCPW_OK;
}

static int serve(void) {
    static const mcpw_middleware log = {.name = "log", .after = log_method};
    const mcpw_extension extension = clock_extension();
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("clock", "1.0.0", &error);
    mcpw_status status = server != NULL ? mcpw_server_add_extension(server, &extension, &error) : error.code;
    if (status == MCPW_OK) {
        status = mcpw_server_add_middleware(server, &log, &error);
    }
    if (status == MCPW_OK) {
        status = mcpw_serve_stdio(server, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "%s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}

static void print_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    (void)user;
    (void)session;
    printf("%s\n", reply->status == MCPW_OK ? "once more" : reply->error->message);
}

static mcpw_status ask(mcpw_client *client, mcpw_error *error) {
    mcpw_session *const session = mcpw_client_session(client);
    const mcpw_json settings = mcpw_session_settings(session, CLOCK); /* of the server */
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_json result;
    printf("%s %.*s\n", mcpw_session_extension(session, 0), (int)settings.len, settings.ptr);
    mcpw_status status = mcpw_client_request_named(client, "clock/read", (mcpw_json)MCPW_JSON("{}"), NULL,
                                                   &arena, &result, error);
    if (status == MCPW_OK) {
        printf("%.*s\n", (int)result.len, result.ptr);
        status = mcpw_session_notify_named(session, "notifications/clock/wound", (mcpw_json)MCPW_JSON("{}"),
                                           error);
    }
    if (status == MCPW_OK) { /* the same without waiting */
        status = mcpw_session_request_named(session, "clock/read", (mcpw_json)MCPW_JSON("{}"), NULL,
                                            print_reply, NULL, NULL, error);
    }
    status = status == MCPW_OK ? mcpw_client_wait(client, 100, error) : status;
    mcpw_arena_free(&arena);
    return status;
}

static int start_and_ask(const char *const *command) {
    const mcpw_extension extension = clock_extension();
    const mcpw_spawn spawn = {.argv = command};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error;
    config.name = "asker";
    config.version = "1.0.0";
    mcpw_status status = mcpw_client_add_extension(&config, &extension, &error);
    mcpw_client *const client = status == MCPW_OK ? mcpw_client_start(&spawn, &config, &error) : NULL;
    status = client != NULL ? ask(client, &error) : error.code;
    if (status != MCPW_OK) {
        fprintf(stderr, "%s\n", error.message);
    }
    mcpw_client_free(client);
    mcpw_extensions_free(config.extensions);
    return status == MCPW_OK ? 0 : 1;
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "--ask") == 0) {
        return start_and_ask((const char *const *)(argv + 2));
    }
    return serve();
}
