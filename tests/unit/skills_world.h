/* SPDX-License-Identifier: MIT */
/* A server with skills and a client of it, in one process without descriptors, and trees of files. Results
 * are checked against the types that are generated from the extension's overlay. In the texts of tests '
 * stands for ". Needs _XOPEN_SOURCE 700 and nftw. */
#ifndef MCPW_TESTS_SKILLS_WORLD_H
#define MCPW_TESTS_SKILLS_WORLD_H

#include <mcp/2026-07-28-skills.h>
#include <mcp/2026-07-28.h>
#include <mcpw/extension.h>
#include <mcpw/json.h>
#include <mcpw/skills.h>

#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORLD_TEXT = 1 << 20, WORLD_PATH = 2048, WORLD_LOG = 1 << 14 };

#define MAIN_OF(name) "---\nname: " name "\ndescription: Does " name ".\n---\nBody of " name ".\n"

/* Both ends, and the last result. */
typedef struct world {
    mcpw_server *server;
    mcpw_skills *skills;
    mcpw_session *at_server;
    mcpw_session *at_client;
    mcpw_session_config config;
    mcpw_status status; /* of the last request */
    int64_t code;       /* of its error */
    char text[WORLD_TEXT];
    char asked[WORLD_LOG];    /* "METHOD URI\n" of each request */
    char reported[WORLD_LOG]; /* "PATH: MESSAGE\n" of each diagnostic */
    int reports;
} world;

/* ---- Trees ---- */

static char world_root[64];

static int world_remove(const char *path, const struct stat *status, int flag, struct FTW *place) {
    (void)status;
    (void)flag;
    (void)place;
    (void)chmod(path, S_IRWXU);
    return remove(path);
}

static inline void tree_end(void) { (void)nftw(world_root, world_remove, 8, FTW_DEPTH | FTW_PHYS); }

/* Begins with an empty directory: in memory, where that is possible. */
static inline void tree_begin(void) {
    (void)snprintf(world_root, sizeof world_root, "/dev/shm/mcpw-skills-XXXXXX");
    if (mkdtemp(world_root) == NULL) {
        (void)snprintf(world_root, sizeof world_root, "/tmp/mcpw-skills-XXXXXX");
        CHECK(mkdtemp(world_root) != NULL);
    }
}

static inline const char *tree_path(const char *path) {
    static char rooms[4][WORLD_PATH];
    static unsigned at = 0;
    char *const room = rooms[at++ % 4];
    (void)snprintf(room, WORLD_PATH, "%s/%s", world_root, path);
    return room;
}

/* Writes a file, with the directories that lead to it. */
static inline void tree_write(const char *path, const void *bytes, size_t len) {
    char full[WORLD_PATH];
    (void)snprintf(full, sizeof full, "%s/%s", world_root, path);
    for (char *slash = full + strlen(world_root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        (void)mkdir(full, S_IRWXU);
        *slash = '/';
    }
    FILE *const file = fopen(full, "wb");
    CHECK(file != NULL);
    if (file != NULL) {
        CHECK(fwrite(bytes, 1, len, file) == len);
        (void)fclose(file);
    }
}

static inline void tree_text(const char *path, const char *text) { tree_write(path, text, strlen(text)); }

/* ---- Both ends ---- */

static void world_report(void *user, const char *path, const mcpw_error *error) {
    world *const w = user;
    const size_t len = strlen(w->reported);
    (void)snprintf(w->reported + len, sizeof w->reported - len, "%s: %s\n", path, error->message);
    w->reports++;
}

static inline void world_pump(world *w) {
    bool moved = true;
    while (moved) {
        mcpw_outgoing message;
        moved = false;
        while (mcpw_session_next_message(w->at_client, &message)) {
            moved = true;
            if (message.text.ptr != NULL) {
                CHECK(mcpw_session_receive(w->at_server, message.text.ptr, message.text.len, NULL) ==
                      MCPW_OK);
            }
        }
        while (mcpw_session_next_message(w->at_server, &message)) {
            moved = true;
            if (message.text.ptr != NULL) {
                CHECK(mcpw_session_receive(w->at_client, message.text.ptr, message.text.len, NULL) ==
                      MCPW_OK);
            }
        }
    }
}

/* Makes the sessions of a server that is ready. */
static inline void world_connect(world *w) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    config.role = MCPW_ROLE_SERVER;
    config.server = w->server;
    w->at_server = mcpw_session_new(&config, &error);
    CHECK_STRING(error.message, "");
    w->config = (mcpw_session_config)MCPW_SESSION_CONFIG_INIT;
    w->config.role = MCPW_ROLE_CLIENT;
    w->config.name = "client";
    w->config.version = "1";
    CHECK(mcpw_client_add_skills(&w->config, &error) == MCPW_OK);
    w->at_client = mcpw_session_new(&w->config, &error);
    CHECK(w->at_server != NULL && w->at_client != NULL);
    CHECK(mcpw_session_open(w->at_client) == MCPW_OK);
    world_pump(w);
}

/* A server with the skills of the tree, or without a tree, and a client of it. */
static inline world *world_new(bool has_tree, const mcpw_skills_options *options) {
    world *const w = calloc(1, sizeof *w);
    mcpw_skills_options own = MCPW_SKILLS_OPTIONS_INIT;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    own = options != NULL ? *options : own;
    own.on_diagnostic = own.on_diagnostic != NULL ? own.on_diagnostic : world_report;
    own.user = w;
    own.check_ms = own.check_ms != 0 ? own.check_ms : -1;
    w->server = mcpw_server_new("server", "1", &error);
    w->skills = mcpw_server_add_skills(w->server, has_tree ? world_root : NULL, &own, &error);
    CHECK_STRING(error.message, "");
    return w;
}

static inline world *world_of_tree(const mcpw_skills_options *options) {
    world *const w = world_new(true, options);
    world_connect(w);
    return w;
}

static inline void world_free(world *w) {
    mcpw_session_free(w->at_client);
    mcpw_session_free(w->at_server);
    mcpw_extensions_free(w->config.extensions);
    mcpw_server_free(w->server);
    mcpw_skills_free(w->skills);
    free(w);
}

/* ---- Requests ---- */

static void world_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    world *const w = user;
    mcpw_str text = {reply->text.ptr, reply->text.len};
    mcpw_buffer buffer = MCPW_BUFFER_INIT;
    (void)session;
    w->status = reply->status;
    w->code = reply->status == MCPW_E_REMOTE ? reply->remote.code : 0;
    if (reply->status == MCPW_OK && text.ptr == NULL) {
        CHECK(mcpw_encode(reply->type, reply->value, &buffer, NULL, NULL) == MCPW_OK);
        text = (mcpw_str){buffer.data, buffer.len};
    } else if (reply->status == MCPW_E_REMOTE) {
        text = reply->remote.message;
    } else if (reply->status != MCPW_OK) {
        text = mcpw_str_from(reply->error->message);
    }
    CHECK(text.len < sizeof w->text);
    (void)snprintf(w->text, sizeof w->text, "%.*s", (int)text.len, text.ptr != NULL ? text.ptr : "");
    mcpw_buffer_free(&buffer);
}

/* Checks a result against the type of the overlay. */
static inline void world_check_type(const char *method, const char *text) {
    const mcpw_type *const type =
        strcmp(method, "skills/list") == 0  ? &mcp_20260728_skills_list_skills_result_table
        : strcmp(method, "skills/get") == 0 ? &mcp_20260728_skills_get_skill_result_table
                                            : &mcp_20260728_skills_read_resource_directory_result_table;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = MCPW_STRICT;
    CHECK(mcpw_validate(type, text, strlen(text), &arena, &options, &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
    mcpw_arena_free(&arena);
}

/* Makes a request with params as text; the result is in w->text. */
static inline mcpw_status world_ask(world *w, const char *method, const char *params) {
    char text[WORLD_PATH * 4];
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_status status;
    (void)snprintf(text, sizeof text, "%s", params);
    for (char *c = text; *c != '\0'; c++) {
        *c = *c == '\'' ? '"' : *c;
    }
    w->status = MCPW_PENDING;
    w->code = 0;
    w->text[0] = '\0';
    if (strcmp(method, "resources/read") == 0) {
        mcp_20260728_read_resource_request_params read = {0};
        mcpw_arena arena = MCPW_ARENA_INIT;
        CHECK(mcpw_json_get_string(mcpw_json_from(text), "uri", &arena, &read.uri) == MCPW_OK);
        status =
            mcpw_session_request(w->at_client, &mcp_20260728_revision, MCP_20260728_METHOD_RESOURCES_READ,
                                 &read, NULL, world_reply, w, NULL, &error);
        mcpw_arena_free(&arena);
    } else {
        status = mcpw_session_request_named(w->at_client, method, mcpw_json_from(text), NULL, world_reply, w,
                                            NULL, &error);
    }
    if (status != MCPW_OK) {
        (void)snprintf(w->text, sizeof w->text, "%s", error.message);
        return w->status = status;
    }
    world_pump(w);
    if (w->status == MCPW_OK && strcmp(method, "resources/read") != 0) {
        world_check_type(method, w->text);
    }
    return w->status;
}

/* Reads a file by its URI. */
static inline mcpw_status world_read(world *w, const char *uri) {
    char params[WORLD_PATH];
    (void)snprintf(params, sizeof params, "{'uri':'%s'}", uri);
    return world_ask(w, "resources/read", params);
}

/* Whether the last result has this text. */
static inline bool world_has(const world *w, const char *text) {
    char with_quotes[WORLD_PATH];
    (void)snprintf(with_quotes, sizeof with_quotes, "%s", text);
    for (char *c = with_quotes; *c != '\0'; c++) {
        *c = *c == '\'' ? '"' : *c;
    }
    const bool has = strstr(w->text, with_quotes) != NULL;
    if (!has) {
        (void)fprintf(stderr, "%s: \"%s\" is not in %.2000s\n", check_test, with_quotes, w->text);
    }
    return has;
}

/* The requests of a mcpw_skills_client. */
static mcpw_status world_ask_for(void *user, const char *method, mcpw_json params, mcpw_arena *arena,
                                 mcpw_json *result, mcpw_error *error) {
    world *const w = user;
    char text[WORLD_PATH * 4];
    mcpw_str uri = {"", 0};
    const size_t len = strlen(w->asked);
    (void)snprintf(text, sizeof text, "%.*s", (int)params.len, params.ptr);
    if (mcpw_json_get_string(params, "uri", arena, &uri) != MCPW_OK) {
        uri = (mcpw_str){"", 0};
    }
    (void)snprintf(w->asked + len, sizeof w->asked - len, "%s %.*s\n", method, (int)uri.len, uri.ptr);
    const mcpw_status status = world_ask(w, method, text);
    if (status != MCPW_OK) {
        return mcpw_error_set(error, status, 0, "%s", w->text);
    }
    const mcpw_str copy = mcpw_arena_str(arena, w->text, strlen(w->text));
    *result = mcpw_json_of(copy.ptr, copy.len);
    return MCPW_OK;
}

/* A client of the world. */
static inline mcpw_skills_client *world_client(world *w) {
    mcpw_skills_client_options options = MCPW_SKILLS_CLIENT_OPTIONS_INIT;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    options.server = "files";
    options.ask = world_ask_for;
    options.user = w;
    mcpw_skills_client *const client = mcpw_skills_client_new(&options, &error);
    CHECK_STRING(error.message, "");
    return client;
}

#endif
