/* SPDX-License-Identifier: MIT */
/* Skills at both ends. Usage: skills DIRECTORY serves those below a directory; skills --read SERVER
 * [ARGUMENT]... lists those of the server that it starts, and reads SKILL.md of each. */
#include <mcpw/extension.h>
#include <mcpw/io.h>
#include <mcpw/skills.h>

#include <stdio.h>
#include <string.h>

/* ---- The server ---- */

static void report(void *user, const char *path, const mcpw_error *error) {
    (void)user;
    fprintf(stderr, "%s: %s\n", path, error->message);
}

/* A skill in memory. */
static mcpw_status add_haiku(mcpw_skills *skills, mcpw_error *error) {
    static const char text[] = "---\nname: haiku\ndescription: Writes a haiku.\n---\nFive, seven, five.\n";
    const mcpw_skill_file files[] = {{.path = "SKILL.md", .bytes = text, .len = sizeof text - 1}};
    const mcpw_skill skill = {.path = "haiku", .files = files, .file_count = 1};
    return mcpw_skills_add(skills, &skill, error);
}

static int serve(const char *directory) {
    mcpw_skills_options options = MCPW_SKILLS_OPTIONS_INIT;
    mcpw_error error;
    options.on_diagnostic = report;
    options.ttl_ms = 60000;
    mcpw_server *const server = mcpw_server_new("skills", "1.0.0", &error);
    mcpw_skills *const skills =
        server != NULL ? mcpw_server_add_skills(server, directory, &options, &error) : NULL;
    mcpw_status status = skills != NULL ? add_haiku(skills, &error) : error.code;
    if (status == MCPW_OK) {
        status = mcpw_serve_stdio(server, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "%s\n", error.message);
    }
    mcpw_server_free(server);
    mcpw_skills_free(skills);
    return status == MCPW_OK ? 0 : 1;
}

/* ---- The client ---- */

enum { MOST = 16 };

typedef struct found {
    mcpw_str uris[MOST];
    size_t count;
    mcpw_arena arena;
} found;

static bool note(void *user, const mcpw_skill_entry *entry) {
    found *const f = user;
    printf("%.*s: %.*s\n", (int)entry->name.len, entry->name.ptr, (int)entry->description.len,
           entry->description.ptr);
    f->uris[f->count++] = mcpw_arena_str(&f->arena, entry->uri.ptr, entry->uri.len);
    return f->count < MOST;
}

static void refuse(void *user, mcpw_str uri, const mcpw_error *error) {
    (void)user;
    fprintf(stderr, "%.*s: %s\n", (int)uri.len, uri.ptr, error->message);
}

static mcpw_status read_all(mcpw_client *client, mcpw_error *error) {
    mcpw_skills_client_options options = MCPW_SKILLS_CLIENT_OPTIONS_INIT;
    found f = {.arena = MCPW_ARENA_INIT};
    options.server = "documents"; /* the name by which the user knows this server */
    options.client = client;
    mcpw_skills_client *const skills = mcpw_skills_client_new(&options, error);
    mcpw_status status =
        skills != NULL ? mcpw_skills_client_list(skills, note, refuse, &f, error) : error->code;
    for (size_t i = 0; status == MCPW_OK && i < f.count; i++) {
        const mcpw_str skill_md = {NULL, 0};
        mcpw_skill_content content;
        status = mcpw_skills_client_read(skills, f.uris[i], skill_md, &f.arena, &content, error);
        if (status == MCPW_OK) {
            printf("%zu bytes of %.*s at %.*s\n", content.len, (int)content.uri.len, content.uri.ptr,
                   (int)content.server.len, content.server.ptr);
        }
    }
    mcpw_skills_client_free(skills);
    mcpw_arena_free(&f.arena);
    return status;
}

static int start_and_read(const char *const *command) {
    const mcpw_spawn spawn = {.argv = command};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error;
    config.name = "reader";
    config.version = "1.0.0";
    mcpw_status status = mcpw_client_add_skills(&config, &error);
    mcpw_client *const client = status == MCPW_OK ? mcpw_client_start(&spawn, &config, &error) : NULL;
    status = client != NULL ? read_all(client, &error) : error.code;
    if (status != MCPW_OK) {
        fprintf(stderr, "%s\n", error.message);
    }
    mcpw_client_free(client);
    mcpw_extensions_free(config.extensions);
    return status == MCPW_OK ? 0 : 1;
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "--read") == 0) {
        return start_and_read((const char *const *)(argv + 2));
    }
    return argc == 2 ? serve(argv[1]) : 2;
}
