/* SPDX-License-Identifier: MIT */
/*
 * A server of skills: those of a directory, and one that is made when it is read.
 *
 *     example_skills_server DIRECTORY [--http 8080 ...]
 *
 * What is left out of the directory is written to standard error.
 */
#include <mcpw/serve.h>
#include <mcpw/skills.h>

#include <stdio.h>
#include <time.h>

static void report(void *user, const char *path, const mcpw_error *error) {
    (void)user;
    fprintf(stderr, "skills: %s: left out: %s\n", path, error->message);
}

/* Answers a read of a file of the dynamic skill. */
static mcpw_status read_clock(mcpw_request *request, mcpw_str path, void *user) {
    static const char instructions[] = "---\nname: clock\ndescription: Tells the time.\n---\nRead now.txt.\n";
    char text[64];
    (void)user;
    if (mcpw_str_is(path, "SKILL.md")) {
        return mcpw_respond_resource_text(request, "text/markdown", mcpw_str_from(instructions));
    }
    if (!mcpw_str_is(path, "now.txt")) {
        return mcpw_respond_resource_not_found(request);
    }
    (void)snprintf(text, sizeof text, "%lld seconds since 1970\n", (long long)time(NULL));
    return mcpw_respond_resource_text(request, "text/plain", mcpw_str_from(text));
}

int main(int argc, char **argv) {
    const mcpw_skill clock_skill = {
        .path = "clock",
        .read = read_clock,
        .frontmatter = MCPW_JSON("{\"name\":\"clock\",\"description\":\"Tells the time.\"}"),
    };
    mcpw_skills_options options = MCPW_SKILLS_OPTIONS_INIT;
    mcpw_error error;
    if (argc < 2) {
        fprintf(stderr, "usage: %s DIRECTORY [OPTION]...\n", argv[0]);
        return 2;
    }
    options.on_diagnostic = report;
    options.ttl_ms = 60000;
    mcpw_server *const server = mcpw_server_new("skills", "1.0.0", &error);
    mcpw_skills *const skills =
        server != NULL ? mcpw_server_add_skills(server, argv[1], &options, &error) : NULL;
    mcpw_status status = skills != NULL ? mcpw_skills_add(skills, &clock_skill, &error) : error.code;
    if (status == MCPW_OK) {
        status = mcpw_serve(server, argc - 1, argv + 1, NULL, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "skills: %s\n", error.message);
    }
    mcpw_server_free(server);
    mcpw_skills_free(skills);
    return status == MCPW_OK ? 0 : 1;
}
