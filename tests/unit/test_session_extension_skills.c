/* SPDX-License-Identifier: MIT */
/* The skills extension of 2026-07-28: its types, and its requests between two ends. */
#include <mcp/2026-07-28-skills.h>

#include "extension_examples.h"

#define EXTENSION "extensions.io.modelcontextprotocol/skills"
#define DECLARED "{'extensions':{'io.modelcontextprotocol/skills':{}}}"
#define SIXTEEN "0123456789abcdef"
#define DIGEST "sha256:" SIXTEEN SIXTEEN SIXTEEN SIXTEEN
#define FILE_AT(path) "{'uri':'skill://pdf/" path "','digest':'" DIGEST "','size':12}"
#define HEAD "'frontmatter':{'name':'pdf','description':'Fills in forms.'"
#define SKILL                                                                                                \
    "{'uri':'skill://pdf/SKILL.md'," HEAD ",'license':'MIT','metadata':{'a':[1,null]}},"                     \
    "'resources':[" FILE_AT("SKILL.md") "," FILE_AT("references/FORMS.md") "]}"
#define DYNAMIC "{'uri':'git://x/SKILL.md'," HEAD "},'resources':'dynamic'}"
#define CACHE "'ttlMs':60000,'cacheScope':'public'"
#define META                                                                                                 \
    "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"                                       \
    "'io.modelcontextprotocol/clientCapabilities':{}}"

#define TYPE(name) &mcp_20260728_skills_##name##_table

static void values_survive_decoding_and_encoding(void) {
    static const example examples[] = {
        {TYPE(skill), SKILL},
        {TYPE(skill), DYNAMIC},
        {TYPE(list_skills_result), "{'resultType':'complete','skills':[]," CACHE "}"},
        {TYPE(list_skills_result),
         "{'resultType':'complete','skills':[" SKILL "," DYNAMIC "],'nextCursor':'2'," CACHE "}"},
        {TYPE(get_skill_result), "{'resultType':'complete','skill':" SKILL "," CACHE "}"},
        {TYPE(get_skill_request_params), "{" META ",'uri':'skill://pdf/SKILL.md'}"},
        {TYPE(read_resource_directory_request_params), "{" META ",'uri':'skill://pdf','cursor':'2'}"},
        {TYPE(read_resource_directory_result),
         "{'resultType':'complete','resources':[{'uri':'skill://pdf/references','name':'references',"
         "'mimeType':'inode/directory'},{'uri':'skill://pdf/SKILL.md','name':'SKILL.md','size':12}],"
         "'nextCursor':'2'}"},
        {TYPE(skills_extension_capability), "{}"},
        {TYPE(skills_extension_capability), "{'directoryRead':true}"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        check_round_trip(&examples[i]);
    }
}

static void what_the_rules_forbid_is_refused(void) {
    static const example examples[] = {
        {TYPE(skill), "{" HEAD "},'resources':'dynamic'}"},
        {TYPE(skill), "{'uri':'skill://pdf/SKILL.md','resources':'dynamic'}"},
        {TYPE(skill), "{'uri':'skill://pdf/SKILL.md'," HEAD "}}"},
        {TYPE(skill), "{'uri':'skill://pdf/SKILL.md'," HEAD "},'resources':'static'}"},
        {TYPE(skill), "{'uri':'skill://pdf/SKILL.md'," HEAD "},'resources':[]}"},
        {TYPE(skill), "{'uri':'skill://pdf/SKILL.md'," HEAD "},'resources':null}"},
        {TYPE(skill_frontmatter), "{'name':'pdf'}"},
        {TYPE(skill_frontmatter), "{'name':'','description':'d'}"},
        {TYPE(skill_frontmatter), "{'name':'" SIXTEEN SIXTEEN SIXTEEN SIXTEEN "0','description':'d'}"},
        {TYPE(skill_file), "{'uri':'skill://pdf/a','digest':'sha256:00','size':1}"},
        {TYPE(skill_file), "{'uri':'skill://pdf/a','digest':'" DIGEST "0','size':1}"},
        {TYPE(skill_file), "{'uri':'skill://pdf/a','digest':'" DIGEST "','size':-1}"},
        {TYPE(skill_file), "{'uri':'skill://pdf/a','digest':'" DIGEST "'}"},
        {TYPE(list_skills_result), "{'resultType':'complete','skills':[]}"},
        {TYPE(list_skills_result), "{'resultType':'task','skills':[]," CACHE "}"},
        {TYPE(get_skill_result), "{'resultType':'complete','skill':" SKILL "}"},
        {TYPE(get_skill_request_params), "{" META "}"},
        {TYPE(read_resource_directory_result), "{'resources':[]}"},
        {TYPE(skills_extension_capability), "{'directoryRead':'yes'}"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        check_refused(&examples[i]);
    }
}

static void a_skill_has_at_most_512_files(void) {
    enum { MOST = 512 };
    const mcp_20260728_skills_skill_file file = {
        .uri = MCPW_STR("skill://pdf/a"), .digest = MCPW_STR(DIGEST), .size = 1};
    mcp_20260728_skills_skill_file files[MOST + 1];
    mcp_20260728_skills_skill skill = {
        .uri = MCPW_STR("skill://pdf/SKILL.md"),
        .frontmatter = {.name = MCPW_STR("pdf"), .description = MCPW_STR("d")},
        .resources = {.kind = MCP_20260728_SKILLS_SKILL_RESOURCES_SKILL_FILE_LIST},
    };
    for (size_t i = 0; i <= MOST; i++) {
        files[i] = file;
    }
    skill.resources.as.skill_file_list = (mcp_20260728_skills_skill_file_list){files, MOST};
    mcpw_buffer out = MCPW_BUFFER_INIT;
    CHECK(mcp_20260728_skills_skill_encode(&skill, &out, NULL, NULL) == MCPW_OK);
    skill.resources.as.skill_file_list.count = MOST + 1;
    CHECK(mcp_20260728_skills_skill_encode(&skill, &out, NULL, NULL) != MCPW_OK);
    mcpw_buffer_free(&out);
}

/* ---- Requests ---- */

static mcpw_status list_skills(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{'resultType':'complete','skills':[" SKILL "]," CACHE "}");
}

static mcpw_status get_skill(end *e, mcpw_request *request, const void *params) {
    const mcp_20260728_skills_get_skill_request_params *const wanted = params;
    CHECK(mcpw_str_is(wanted->uri, "skill://pdf/SKILL.md"));
    return answer(e, request, "{'resultType':'complete','skill':" SKILL "," CACHE "}");
}

static mcpw_status read_directory(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{'resultType':'complete','resources':[]}");
}

static mcpw_status read_nothing(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, cacheable(e, "'resultType':'complete','contents':[]"));
}

static end *with_skills(mcpw_role role, mcpw_library *library, const char *declares) {
    end *const e = end_make(role, MODERN, MODERN);
    mcpw_library_init(library);
    CHECK(mcpw_library_add(library, &mcp_20260728_skills_revision, NULL) == MCPW_OK);
    e->config.library = library;
    e->config.declares = declares;
    e->dispatch.revision = e->speaks = &mcp_20260728_skills_revision;
    return e;
}

static end *server_with_skills(mcpw_library *library) {
    end *const e = with_skills(MCPW_ROLE_SERVER, library, EXTENSION);
    end_serve(e, "resources/read", read_nothing);
    end_serve(e, "skills/list", list_skills);
    end_serve(e, "skills/get", get_skill);
    end_serve(e, "resources/directory/read", read_directory);
    return e;
}

static void a_client_that_has_not_declared_it_is_told_what_it_lacks(void) {
    static const char *const methods[] = {"skills/list", "skills/get", "resources/directory/read"};
    mcpw_library library;
    end *const e = server_with_skills(&library);
    open_server(e);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        say_request_as(e, "1", methods[i], "'uri':'skill://pdf/SKILL.md'", "{}", "");
        const char *const line = heard(e);
        CHECK_HAS(line, "'error':{'code':-32021");
        CHECK_HAS(line, "'data':{'requiredCapabilities':" DECLARED "}");
    }
    end_free(e);
}

/* A request between two ends that have declared the extension, and its result as the client reads it. */
static void check_answer(const char *method, const char *params, const char *result) {
    mcpw_library of_client;
    mcpw_library of_server;
    end *const client = with_skills(MCPW_ROLE_CLIENT, &of_client, EXTENSION);
    end *const server = server_with_skills(&of_server);
    end_start(server);
    end_start(client);
    CHECK(mcpw_session_open(client->session) == MCPW_OK);
    pump(client, server, NULL);
    CHECK(call(client, method, params) == MCPW_OK);
    pump(client, server, NULL);
    CHECK(client->out.status == MCPW_OK);
    CHECK_HAS(client->out.text, result);
    end_free(client);
    end_free(server);
}

static void requests_are_answered_by_their_types(void) {
    check_answer("skills/list", "", "'skills':[" SKILL "]");
    check_answer("skills/get", "'uri':'skill://pdf/SKILL.md'", "'skill':" SKILL);
    check_answer("resources/directory/read", "'uri':'skill://pdf'", "'resources':[]");
}

int main(void) {
    RUN(values_survive_decoding_and_encoding);
    RUN(what_the_rules_forbid_is_refused);
    RUN(a_skill_has_at_most_512_files);
    RUN(a_client_that_has_not_declared_it_is_told_what_it_lacks);
    RUN(requests_are_answered_by_their_types);
    return check_end();
}
