/* SPDX-License-Identifier: MIT */
/* Adds a skill to a server. */
#include <mcpw/skills.h>

#include <stdio.h>

int main(void) {
    static const char text[] = "---\nname: haiku\ndescription: Writes a haiku.\n---\n";
    const mcpw_skill_file files[] = {{"SKILL.md", text, sizeof text - 1, NULL}};
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_skill skill = MCPW_SIZED(mcpw_skill);
    skill.path = "haiku";
    skill.files = files;
    skill.file_count = 1;
    mcpw_server *server = mcpw_server_new("consumer", "1", &error);
    mcpw_skills *skills = mcpw_server_add_skills(server, NULL, NULL, &error);
    mcpw_status status = mcpw_skills_add(skills, &skill, &error);
    printf("%s\n", status == MCPW_OK ? "a skill" : error.message);
    mcpw_server_free(server);
    mcpw_skills_free(skills);
    return 0;
}
