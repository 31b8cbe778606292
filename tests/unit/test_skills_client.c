/* SPDX-License-Identifier: MIT */
/* Clients of skills: entries are checked, files are verified, and what a bad file does to its skill. The
 * facts are those of the conformance scenarios sep-2640-client-verify-digest, -size, -frontmatter and
 * -unlisted. */
#define _XOPEN_SOURCE 700
#include "skills_world.h"

#include "counting_allocator.h"

#include <pthread.h>
#include <sys/socket.h>

#define PDF "skill://pdf-processing/"
#define MAIN_URI PDF "SKILL.md"
#define FORMS_URI PDF "references/FORMS.md"
#define MAIN_TEXT                                                                                            \
    "---\nname: pdf-processing\ndescription: Forms.\nlicense: MIT\n---\nRead references/FORMS.md.\n"
#define FRONTMATTER "'frontmatter':{'description':'Forms.','license':'MIT','name':'pdf-processing'}"
#define FORMS_TEXT "Forms.\n"
#define SIXTEEN "0123456789abcdef"
#define UPPER_DIGEST                                                                                         \
    "sha256:ABCDEF"                                                                                          \
    "0123456789" SIXTEEN SIXTEEN SIXTEEN
#define BAD_DIGEST "sha256:" SIXTEEN SIXTEEN SIXTEEN SIXTEEN

/* A server that answers by a script. */
typedef struct script {
    char list[8192];       /* the result of skills/list, or of its first page */
    char next[8192];       /* of the second page */
    char entry[4096];      /* the skill of skills/get */
    const char *main_text; /* the content of SKILL.md, as JSON */
    const char *forms;     /* of references/FORMS.md */
    char asked[4096];
    int count;
} script;

static const char *quoted(const char *text) {
    static char out[1 << 15];
    (void)snprintf(out, sizeof out, "%s", text);
    for (char *c = out; *c != '\0'; c++) {
        *c = *c == '\'' ? '"' : *c;
    }
    return out;
}

static mcpw_status answer(void *user, const char *method, mcpw_json params, mcpw_arena *arena,
                          mcpw_json *result, mcpw_error *error) {
    script *const s = user;
    char text[8192];
    mcpw_str uri = {"", 0};
    const size_t len = strlen(s->asked);
    const bool has_uri = mcpw_json_get_string(params, "uri", arena, &uri) == MCPW_OK;
    mcpw_str cursor;
    const bool has_cursor = mcpw_json_get_string(params, "cursor", arena, &cursor) == MCPW_OK;
    (void)snprintf(s->asked + len, sizeof s->asked - len, "%s %.*s\n", method, has_uri ? (int)uri.len : 0,
                   uri.ptr);
    s->count++;
    if (strcmp(method, "skills/list") == 0) {
        (void)snprintf(text, sizeof text, "%s", has_cursor ? s->next : s->list);
    } else if (strcmp(method, "skills/get") == 0) {
        (void)snprintf(text, sizeof text, "{'skill':%s}", s->entry);
    } else {
        const char *const content = mcpw_str_is(uri, MAIN_URI) ? s->main_text : s->forms;
        (void)snprintf(text, sizeof text, "{'contents':[{'uri':'%.*s','mimeType':'text/markdown',%s}]}",
                       (int)uri.len, uri.ptr, content);
    }
    if (text[0] == '\0') {
        return mcpw_error_set(error, MCPW_E_REMOTE, 0, "no more");
    }
    const char *const json = quoted(text);
    const mcpw_str copy = mcpw_arena_str(arena, json, strlen(json));
    *result = mcpw_json_of(copy.ptr, copy.len);
    return MCPW_OK;
}

static void write_entry(char *out, size_t size, const char *frontmatter, const char *digest,
                        long long extra) {
    char main_digest[MCPW_SKILL_DIGEST_SIZE];
    char forms_digest[MCPW_SKILL_DIGEST_SIZE];
    mcpw_skill_digest(MAIN_TEXT, sizeof MAIN_TEXT - 1, main_digest);
    mcpw_skill_digest(FORMS_TEXT, sizeof FORMS_TEXT - 1, forms_digest);
    (void)snprintf(out, size,
                   "{'uri':'" MAIN_URI "',%s,'resources':[{'uri':'" FORMS_URI "','digest':'%s','size':%zu},"
                   "{'uri':'" MAIN_URI "','digest':'%s','size':%lld}]}",
                   frontmatter, forms_digest, sizeof FORMS_TEXT - 1, digest != NULL ? digest : main_digest,
                   (long long)sizeof MAIN_TEXT - 1 + extra);
}

/* JSON of a text with line feeds. */
#define AS_JSON_MAIN                                                                                         \
    "'text':'---\\nname: pdf-processing\\ndescription: Forms.\\nlicense: MIT\\n---\\nRead "                  \
    "references/FORMS.md.\\n'"

static mcpw_skills_client *begin(script *s, const char *frontmatter, const char *digest, long long extra) {
    mcpw_skills_client_options options = MCPW_SKILLS_CLIENT_OPTIONS_INIT;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    memset(s, 0, sizeof *s);
    write_entry(s->entry, sizeof s->entry, frontmatter, digest, extra);
    (void)snprintf(s->list, sizeof s->list, "{'skills':[%s]}", s->entry);
    s->main_text = AS_JSON_MAIN;
    s->forms = "'text':'Forms.\\n'";
    options.server = "files";
    options.ask = answer;
    options.user = s;
    mcpw_skills_client *const client = mcpw_skills_client_new(&options, &error);
    CHECK_STRING(error.message, "");
    CHECK(mcpw_skills_client_list(client, NULL, NULL, NULL, &error) == MCPW_OK);
    CHECK_STRING(s->asked, "skills/list \n"); /* nothing is fetched before it is asked for */
    s->asked[0] = '\0';
    return client;
}

static mcpw_status read_file(mcpw_skills_client *client, const char *file, char *message) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_skill_content content;
    const mcpw_status status = mcpw_skills_client_read(client, (mcpw_str)MCPW_STR(MAIN_URI),
                                                       mcpw_str_from(file), &arena, &content, &error);
    CHECK((status == MCPW_OK) == (content.bytes != NULL));
    (void)snprintf(message, 512, "%s%s%s", error.path, error.path[0] != '\0' ? ": " : "", error.message);
    mcpw_arena_free(&arena);
    return status;
}

static void verified_content_has_its_origin(void) {
    script s;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_skill_content content;
    mcpw_skills_client *const client = begin(&s, FRONTMATTER, NULL, 0);
    const mcpw_str uri = MCPW_STR(MAIN_URI);
    CHECK(mcpw_skills_client_read(client, uri, (mcpw_str){NULL, 0}, &arena, &content, &error) == MCPW_OK);
    CHECK_TEXT(content.bytes, content.len, MAIN_TEXT);
    CHECK(mcpw_str_is(content.server, "files") && mcpw_str_is(content.skill, MAIN_URI));
    CHECK(mcpw_str_is(content.uri, MAIN_URI) && mcpw_str_is(content.mime_type, "text/markdown"));
    CHECK(content.is_text && content.is_verified);
    s.forms = "'blob':'Rm9ybXMuCg=='";
    CHECK(mcpw_skills_client_read(client, uri, (mcpw_str)MCPW_STR("references/FORMS.md"), &arena, &content,
                                  &error) == MCPW_OK);
    CHECK_TEXT(content.bytes, content.len, FORMS_TEXT);
    CHECK(!content.is_text && content.is_verified);
    CHECK(mcpw_skills_client_read(client, uri, (mcpw_str)MCPW_STR(FORMS_URI), &arena, &content, &error) ==
          MCPW_OK);
    CHECK_STRING(s.asked,
                 "resources/read " MAIN_URI "\nresources/read " FORMS_URI "\nresources/read " FORMS_URI "\n");
    mcpw_skills_client_free(client);
    mcpw_arena_free(&arena);
}

/* A bad SKILL.md is refused, the entry is asked for again, and FORMS.md is never asked for. */
static void check_bad_main(script *s, mcpw_skills_client *client, const char *why) {
    char message[512];
    const mcpw_str uri = MCPW_STR(MAIN_URI);
    CHECK(mcpw_skills_client_approve(client, uri) == MCPW_OK);
    CHECK(read_file(client, NULL, message) == MCPW_E_VALUE);
    CHECK_STRING(message, why);
    CHECK_STRING(s->asked, "resources/read " MAIN_URI "\nskills/get " MAIN_URI "\n");
    CHECK(!mcpw_skills_client_find(client, uri)->is_approved);
    CHECK(read_file(client, "references/FORMS.md", message) == MCPW_E_VALUE);
    CHECK_STRING(message, why);
    CHECK(strstr(s->asked, "FORMS") == NULL);
    mcpw_skills_client_free(client);
}

static void a_wrong_digest_is_refused(void) {
    script s;
    mcpw_skills_client *const client = begin(&s, FRONTMATTER, BAD_DIGEST, 0);
    check_bad_main(&s, client, "the digest of the file differs from its entry");
}

static void a_wrong_size_is_refused(void) {
    script s;
    mcpw_skills_client *const client = begin(&s, FRONTMATTER, NULL, 1);
    check_bad_main(&s, client, "the file has 88 bytes, and its entry says 89");
}

static void other_front_matter_is_refused_and_the_field_named(void) {
    static const char *const samples[][2] = {
        {"'frontmatter':{'name':'pdf-processing','description':'Else.','license':'MIT'}", "/description"},
        {"'frontmatter':{'name':'pdf-processing','description':'Forms.'}", "/license"},
        {"'frontmatter':{'name':'pdf-processing','description':'Forms.','license':'MIT','allowed-tools':'"
         "Bash'}",
         "/allowed-tools"},
        {"'frontmatter':{'name':'pdf-processing','description':'Forms.','license':['MIT']}", "/license"},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        script s;
        char why[256];
        mcpw_skills_client *const client = begin(&s, samples[i][0], NULL, 0);
        (void)snprintf(why, sizeof why, "%s: the front matter differs from the entry", samples[i][1]);
        check_bad_main(&s, client, why);
    }
}

static void an_unlisted_file_is_refused_before_a_request(void) {
    static const char *const files[] = {"scripts/extract.py",     PDF "scripts/extract.py",
                                        "../other/SKILL.md",      "SKILL.md/",
                                        "skill://other/SKILL.md", "",
                                        "references/%46ORMS.md",  "references"};
    script s;
    mcpw_skills_client *const client = begin(&s, FRONTMATTER, NULL, 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char message[512];
        CHECK(read_file(client, files[i], message) == MCPW_E_NOT_FOUND);
        CHECK_STRING(message, "the skill has no such file");
    }
    CHECK_STRING(s.asked, "");
    mcpw_skills_client_free(client);
}

static void a_file_needs_a_valid_main_file_first(void) {
    script s;
    char message[512];
    mcpw_skills_client *const client = begin(&s, FRONTMATTER, NULL, 0);
    CHECK(read_file(client, "references/FORMS.md", message) == MCPW_OK);
    CHECK_STRING(s.asked, "resources/read " MAIN_URI "\nresources/read " FORMS_URI "\n");
    mcpw_skills_client_free(client);
}

static void a_bad_file_voids_the_skill_until_its_main_file_is_valid(void) {
    script s;
    char message[512];
    mcpw_skills_client *const client = begin(&s, FRONTMATTER, NULL, 0);
    CHECK(mcpw_skills_client_approve(client, (mcpw_str)MCPW_STR(MAIN_URI)) == MCPW_OK);
    s.forms = "'text':'forms.\\n'";
    CHECK(read_file(client, "references/FORMS.md", message) == MCPW_E_VALUE);
    CHECK(!mcpw_skills_client_find(client, (mcpw_str)MCPW_STR(MAIN_URI))->is_approved);
    s.forms = "'text':'Forms.\\n'";
    s.asked[0] = '\0';
    CHECK(read_file(client, "references/FORMS.md", message) == MCPW_OK);
    CHECK_STRING(s.asked, "resources/read " MAIN_URI "\nresources/read " FORMS_URI "\n");
    mcpw_skills_client_free(client);
}

static void a_content_of_another_uri_is_none(void) {
    static const char *const contents[] = {"'blob':'*'", "'x':1", "'text':1"};
    script s;
    char message[512];
    mcpw_skills_client *const client = begin(&s, FRONTMATTER, NULL, 0);
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        s.main_text = contents[i];
        CHECK(read_file(client, NULL, message) == MCPW_E_TYPE);
    }
    s.main_text = AS_JSON_MAIN "},{'uri':'" MAIN_URI "','text':''";
    CHECK(read_file(client, NULL, message) == MCPW_E_TYPE);
    s.main_text = "'uri':'skill://other','text':''";
    CHECK(read_file(client, NULL, message) != MCPW_OK);
    mcpw_skills_client_free(client);
}

/* ---- Entries ---- */

typedef struct gathered {
    char valid[2048];
    char invalid[4096];
} gathered;

static bool gather(void *user, const mcpw_skill_entry *entry) {
    gathered *const g = user;
    const size_t len = strlen(g->valid);
    (void)snprintf(g->valid + len, sizeof g->valid - len, "%.*s ", (int)entry->name.len, entry->name.ptr);
    return true;
}

static void gather_invalid(void *user, mcpw_str uri, const mcpw_error *error) {
    gathered *const g = user;
    const size_t len = strlen(g->invalid);
    (void)uri;
    (void)snprintf(g->invalid + len, sizeof g->invalid - len, "%s\n", error->message);
}

static void check_entry(const char *entry, const char *why) {
    static const char before[] = "the entry of the skill is invalid: ";
    script s;
    gathered g = {"", ""};
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_skills_client *const client = begin(&s, FRONTMATTER, NULL, 0);
    (void)snprintf(s.list, sizeof s.list, "{'skills':[%s,%s]}", entry, s.entry);
    CHECK(mcpw_skills_client_list(client, gather, gather_invalid, &g, &error) == MCPW_OK);
    CHECK_STRING(g.valid, why[0] == '\0' ? "a pdf-processing " : "pdf-processing "); /* the good one stays */
    CHECK(strncmp(g.invalid, before, why[0] == '\0' ? 0 : sizeof before - 1) == 0);
    CHECK(strstr(g.invalid, why) != NULL);
    mcpw_skills_client_free(client);
}

#define A_FRONT "'frontmatter':{'name':'a','description':'d'}"
#define A_FILE(uri, digest, size) "{'uri':'" uri "','digest':'" digest "','size':" size "}"
#define A_MAIN A_FILE("skill://a/SKILL.md", BAD_DIGEST, "1")

static void entries_that_break_a_rule_are_left_out(void) {
    static const char *const samples[][2] = {
        {"{'uri':'skill://a/SKILL.md'," A_FRONT ",'resources':[" A_MAIN "]}", ""},
        {"{'uri':'git://h/x/a/SKILL.md'," A_FRONT ",'resources':'dynamic'}", ""},
        {"{" A_FRONT ",'resources':'dynamic'}", "it has no uri"},
        {"{'uri':'skill://a/x'," A_FRONT ",'resources':'dynamic'}", "its uri is not that of a SKILL.md"},
        {"{'uri':'skill://a /SKILL.md'," A_FRONT ",'resources':'dynamic'}",
         "its uri is not that of a SKILL.md"},
        {"{'uri':'skill://b/SKILL.md'," A_FRONT ",'resources':'dynamic'}",
         "its name is not the last part of its directory"},
        {"{'uri':'skill://a/SKILL.md','frontmatter':{'name':'a'},'resources':'dynamic'}",
         "lacks name or description"},
        {"{'uri':'skill://a/SKILL.md','frontmatter':[],'resources':'dynamic'}", "lacks name or description"},
        {"{'uri':'skill://a/SKILL.md'," A_FRONT "}", "it has no resources"},
        {"{'uri':'skill://a/SKILL.md'," A_FRONT ",'resources':'static'}",
         "resources is neither dynamic nor a list"},
        {"{'uri':'skill://a/SKILL.md'," A_FRONT ",'resources':[]}",
         "resources is neither dynamic nor a list"},
        {"{'uri':'skill://a/SKILL.md'," A_FRONT ",'resources':{}}",
         "resources is neither dynamic nor a list"},
        {"{'uri':'skill://a/SKILL.md'," A_FRONT ",'resources':[1]}", "a file lacks its uri, digest or size"},
        {"{'uri':'skill://a/SKILL.md'," A_FRONT ",'resources':[" A_FILE("skill://a/x", BAD_DIGEST, "1") "]}",
         "it does not list SKILL.md"},
        {"{'uri':'skill://a/SKILL.md'," A_FRONT ",'resources':[" A_MAIN "," A_MAIN "]}",
         "it lists a file twice"},
        {"{'uri':'skill://a/SKILL.md'," A_FRONT ",'resources':[" A_MAIN
         "," A_FILE("skill://b/x", BAD_DIGEST, "1") "]}",
         "a file does not lie below the skill"},
        {"{'uri':'skill://a/SKILL.md'," A_FRONT ",'resources':[" A_MAIN
         "," A_FILE("skill://a/../b/x", BAD_DIGEST, "1") "]}",
         "a file does not lie below the skill"},
        {"{'uri':'skill://a/SKILL.md'," A_FRONT ",'resources':[" A_MAIN
         "," A_FILE("skill://a/%2e%2e/x", BAD_DIGEST, "1") "]}",
         "a file does not lie below the skill"},
        {"{'uri':'skill://a/SKILL.md'," A_FRONT ",'resources':[" A_MAIN
         "," A_FILE("skill://a/%zz", BAD_DIGEST, "1") "]}",
         "a file does not lie below the skill"},
        {"{'uri':'skill://a/SKILL.md'," A_FRONT ",'resources':[" A_MAIN
         "," A_FILE("skill://a/x?y", BAD_DIGEST, "1") "]}",
         "a file does not lie below the skill"},
        {"{'uri':'skill://a/SKILL.md'," A_FRONT
         ",'resources':[" A_FILE("skill://a/SKILL.md", UPPER_DIGEST, "1") "]}",
         "a digest is not sha256:"},
        {"{'uri':'skill://a/SKILL.md'," A_FRONT
         ",'resources':[" A_FILE("skill://a/SKILL.md", "sha256:AB", "1") "]}",
         "a digest is not sha256:"},
        {"{'uri':'skill://a/SKILL.md'," A_FRONT
         ",'resources':[" A_FILE("skill://a/SKILL.md", BAD_DIGEST, "-1") "]}",
         "a file lacks its uri, digest or size"},
        {"{'uri':'skill://a/SKILL.md'," A_FRONT
         ",'resources':[" A_FILE("skill://a/SKILL.md", BAD_DIGEST, "16777217") "]}",
         "its files have more than 16 MiB"},
        {"7", "it has no uri"},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        check_entry(samples[i][0], samples[i][1]);
    }
}

static void a_list_has_an_entry_once(void) {
    script s;
    gathered g = {"", ""};
    mcpw_skills_client *const client = begin(&s, FRONTMATTER, NULL, 0);
    (void)snprintf(s.list, sizeof s.list, "{'skills':[%s],'nextCursor':'2'}", s.entry);
    (void)snprintf(s.next, sizeof s.next, "{'skills':[%s]}", s.entry);
    CHECK(mcpw_skills_client_list(client, gather, gather_invalid, &g, NULL) == MCPW_OK);
    CHECK_STRING(g.valid, "pdf-processing ");
    CHECK_STRING(g.invalid, "the list has two entries of this uri\n");
    mcpw_skills_client_free(client);
}

static void an_endless_list_ends(void) {
    script s;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_skills_client *const client = begin(&s, FRONTMATTER, NULL, 0);
    (void)snprintf(s.list, sizeof s.list, "{'skills':[],'nextCursor':'2'}");
    (void)snprintf(s.next, sizeof s.next, "{'skills':[],'nextCursor':'2'}");
    CHECK(mcpw_skills_client_list(client, NULL, NULL, NULL, &error) == MCPW_E_ELEMENTS);
    CHECK_STRING(error.message, "skills/list has more than 4096 pages");
    mcpw_skills_client_free(client);
}

static void a_skill_that_is_no_longer_listed_is_forgotten(void) {
    script s;
    mcpw_skills_client *const client = begin(&s, FRONTMATTER, NULL, 0);
    const mcpw_str uri = MCPW_STR(MAIN_URI);
    CHECK(mcpw_skills_client_find(client, uri) != NULL);
    (void)snprintf(s.list, sizeof s.list, "{'skills':[]}");
    CHECK(mcpw_skills_client_list(client, NULL, NULL, NULL, NULL) == MCPW_OK);
    CHECK(mcpw_skills_client_find(client, uri) == NULL);
    CHECK(mcpw_skills_client_get(client, uri, NULL, NULL) == MCPW_OK); /* unlisted, and asked for */
    CHECK(mcpw_skills_client_list(client, NULL, NULL, NULL, NULL) == MCPW_OK);
    CHECK(mcpw_skills_client_find(client, uri) != NULL);
    mcpw_skills_client_free(client);
}

static void an_approval_is_for_one_entry(void) {
    script s;
    mcpw_skills_client *const client = begin(&s, FRONTMATTER, NULL, 0);
    const mcpw_str uri = MCPW_STR(MAIN_URI);
    const mcpw_skill_entry *entry = NULL;
    CHECK(mcpw_skills_client_approve(client, (mcpw_str)MCPW_STR("skill://x/SKILL.md")) == MCPW_E_NOT_FOUND);
    CHECK(mcpw_skills_client_approve(client, uri) == MCPW_OK);
    CHECK(mcpw_skills_client_get(client, uri, &entry, NULL) == MCPW_OK && entry->is_approved);
    write_entry(s.entry, sizeof s.entry, FRONTMATTER, BAD_DIGEST, 0);
    CHECK(mcpw_skills_client_get(client, uri, &entry, NULL) == MCPW_OK && !entry->is_approved);
    mcpw_skills_client_free(client);
}

static void an_entry_of_another_skill_is_refused(void) {
    script s;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_skills_client *const client = begin(&s, FRONTMATTER, NULL, 0);
    CHECK(mcpw_skills_client_get(client, (mcpw_str)MCPW_STR("skill://x/SKILL.md"), NULL, &error) ==
          MCPW_E_VALUE);
    CHECK_STRING(error.message, "the server has sent the entry of another skill");
    (void)snprintf(s.entry, sizeof s.entry, "7");
    CHECK(mcpw_skills_client_get(client, (mcpw_str)MCPW_STR(MAIN_URI), NULL, &error) == MCPW_E_VALUE);
    CHECK(mcpw_skills_client_find(client, (mcpw_str)MCPW_STR(MAIN_URI)) != NULL);
    mcpw_skills_client_free(client);
}

static void limits_of_a_client_hold(void) {
    script s;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_skills_client_options options = MCPW_SKILLS_CLIENT_OPTIONS_INIT;
    enum { GROWN = 6000 };
    mcpw_skills_client_free(begin(&s, FRONTMATTER, NULL, 0));
    (void)snprintf(s.list, sizeof s.list,
                   "{'skills':[{'uri':'skill://a/SKILL.md'," A_FRONT ",'resources':[" A_MAIN "]},%s]}",
                   s.entry);
    options.server = "files";
    options.ask = answer;
    options.user = &s;
    options.max_skills = 1;
    mcpw_skills_client *const one = mcpw_skills_client_new(&options, &error);
    CHECK(mcpw_skills_client_list(one, NULL, NULL, NULL, &error) == MCPW_E_ELEMENTS);
    CHECK_STRING(error.message, "the server has more than 1 skills");
    CHECK(mcpw_skills_client_find(one, (mcpw_str)MCPW_STR("skill://a/SKILL.md")) != NULL);
    mcpw_skills_client_free(one);
    options.max_skills = 0;
    options.max_memory = 6000;
    mcpw_skills_client *const small = mcpw_skills_client_new(&options, &error);
    CHECK(mcpw_skills_client_list(small, NULL, NULL, NULL, &error) == MCPW_E_SIZE);
    CHECK_STRING(error.message, "the entries of the skills have more than 6000 bytes");
    mcpw_skills_client_free(small);
    options.max_memory = 12000;
    mcpw_skills_client *const replaced = mcpw_skills_client_new(&options, &error);
    CHECK(mcpw_skills_client_list(replaced, NULL, NULL, NULL, &error) == MCPW_OK);
    (void)snprintf(s.list, sizeof s.list,
                   "{'skills':[{'uri':'skill://a/SKILL.md'," A_FRONT ",'resources':[" A_MAIN
                   "],'more':'%0*d'}]}",
                   GROWN, 0);
    CHECK(mcpw_skills_client_list(replaced, NULL, NULL, NULL, &error) == MCPW_E_SIZE);
    CHECK_STRING(error.message, "the entries of the skills have more than 12000 bytes");
    mcpw_skills_client_free(replaced);
    options.server = NULL;
    CHECK(mcpw_skills_client_new(&options, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    mcpw_skills_client_free(NULL);
}

static void a_dynamic_skill_is_not_verified_but_for_its_front_matter(void) {
    script s;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_skill_content content;
    char message[512];
    mcpw_skills_client *const client = begin(&s, FRONTMATTER, NULL, 0);
    (void)snprintf(s.entry, sizeof s.entry, "{'uri':'" MAIN_URI "'," FRONTMATTER ",'resources':'dynamic'}");
    CHECK(mcpw_skills_client_get(client, (mcpw_str)MCPW_STR(MAIN_URI), NULL, &error) == MCPW_OK);
    CHECK(mcpw_skills_client_read(client, (mcpw_str)MCPW_STR(MAIN_URI), (mcpw_str)MCPW_STR("made/a b"),
                                  &arena, &content, &error) == MCPW_OK);
    CHECK(!content.is_verified && mcpw_str_is(content.uri, PDF "made/a%20b"));
    CHECK(read_file(client, "../x", message) == MCPW_E_NOT_FOUND);
    s.main_text = "'text':'---\\nname: x\\ndescription: d\\n---\\n'";
    CHECK(read_file(client, NULL, message) == MCPW_E_VALUE);
    mcpw_skills_client_free(client);
    mcpw_arena_free(&arena);
}

/* ---- Both ends ---- */

/* A server on one end of a pair of sockets. */
static void *serve_one(void *user) {
    world *const w = user;
    mcpw_io io = MCPW_IO_INIT;
    mcpw_error error;
    CHECK(mcpw_io_begin(&io, w->at_server, (int)w->code, (int)w->code, &error) == MCPW_OK);
    (void)!mcpw_io_run(&io, NULL, NULL, &error);
    mcpw_io_end(&io);
    return NULL;
}

static void a_client_that_waits_reads_skills(void) {
    int ends[2];
    pthread_t thread;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_skill_content content;
    gathered g = {"", ""};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_skills_client_options options = MCPW_SKILLS_CLIENT_OPTIONS_INIT;
    tree_begin();
    tree_text("pdf-processing/SKILL.md", MAIN_TEXT);
    world *const w = world_of_tree(NULL);
    mcpw_session_free(w->at_server);
    config.role = MCPW_ROLE_SERVER;
    config.server = w->server;
    w->at_server = mcpw_session_new(&config, &error);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    w->code = ends[1];
    CHECK(pthread_create(&thread, NULL, serve_one, w) == 0);
    options.server = "files";
    options.client = mcpw_client_attach(ends[0], ends[0], &w->config, &error);
    CHECK_STRING(error.message, "");
    mcpw_skills_client *const client = mcpw_skills_client_new(&options, &error);
    CHECK(mcpw_skills_client_list(client, gather, gather_invalid, &g, &error) == MCPW_OK);
    CHECK_STRING(g.valid, "pdf-processing ");
    CHECK(mcpw_skills_client_read(client, (mcpw_str)MCPW_STR(MAIN_URI), (mcpw_str){NULL, 0}, &arena, &content,
                                  &error) == MCPW_OK);
    CHECK_TEXT(content.bytes, content.len, MAIN_TEXT);
    CHECK(mcpw_skills_client_get(client, (mcpw_str)MCPW_STR("skill://x/SKILL.md"), NULL, &error) ==
          MCPW_E_REMOTE);
    mcpw_skills_client_free(client);
    mcpw_client_free(options.client);
    (void)close(ends[0]);
    (void)pthread_join(thread, NULL);
    (void)close(ends[1]);
    mcpw_arena_free(&arena);
    world_free(w);
    tree_end();
}

static void a_main_file_without_front_matter_is_refused(void) {
    static const char bare[] = "# bare\n";
    script s;
    char message[512];
    char digest[MCPW_SKILL_DIGEST_SIZE];
    mcpw_skill_digest(bare, sizeof bare - 1, digest);
    mcpw_skills_client *const client =
        begin(&s, FRONTMATTER, digest, (long long)sizeof bare - (long long)sizeof MAIN_TEXT);
    s.main_text = "'text':'# bare\\n'";
    CHECK(read_file(client, NULL, message) == MCPW_E_VALUE);
    CHECK_STRING(message, "SKILL.md does not begin with a line \"---\"");
    mcpw_skills_client_free(client);
}

static void client_and_server_agree(void) {
    tree_begin();
    tree_text("pdf-processing/SKILL.md", MAIN_TEXT);
    tree_text("pdf-processing/references/FORMS.md", FORMS_TEXT);
    tree_write("pdf-processing/a b\xC3\xA9.bin", "\xff\x00", 2);
    world *const w = world_of_tree(NULL);
    mcpw_skills_client *const client = world_client(w);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_skill_content content;
    gathered g = {"", ""};
    const mcpw_str uri = MCPW_STR(MAIN_URI);
    CHECK(mcpw_skills_client_list(client, gather, gather_invalid, &g, &error) == MCPW_OK);
    CHECK_STRING(g.valid, "pdf-processing ");
    CHECK_STRING(g.invalid, "");
    CHECK(mcpw_skills_client_read(client, uri, (mcpw_str){NULL, 0}, &arena, &content, &error) == MCPW_OK &&
          content.is_verified);
    CHECK(mcpw_skills_client_read(client, uri, (mcpw_str)MCPW_STR("a b\xC3\xA9.bin"), &arena, &content,
                                  &error) == MCPW_OK);
    CHECK(content.is_verified && content.len == 2);
    tree_text("pdf-processing/references/FORMS.md", "changed");
    CHECK(mcpw_skills_client_read(client, uri, (mcpw_str)MCPW_STR("references/FORMS.md"), &arena, &content,
                                  &error) == MCPW_E_VALUE);
    CHECK(mcpw_skills_client_read(client, uri, (mcpw_str)MCPW_STR("references/FORMS.md"), &arena, &content,
                                  &error) == MCPW_OK);
    CHECK_TEXT(content.bytes, content.len, "changed");
    mcpw_arena_free(&arena);
    mcpw_skills_client_free(client);
    world_free(w);
    tree_end();
}

static void without_memory_a_client_stays_whole(void) {
    bool is_done = false;
    for (size_t at = 1; !is_done && at < 1000; at++) {
        counting memory = {.fail_at = at, .stingy = true};
        script s;
        mcpw_skills_client_options options = MCPW_SKILLS_CLIENT_OPTIONS_INIT;
        mcpw_error error = {MCPW_OK, 0, "", ""};
        mcpw_skill_content content;
        mcpw_arena arena = MCPW_ARENA_INIT;
        mcpw_skills_client_free(begin(&s, FRONTMATTER, NULL, 0));
        options.server = "files";
        options.ask = answer;
        options.user = &s;
        options.allocator = counting_allocator(&memory);
        mcpw_skills_client *const client = mcpw_skills_client_new(&options, &error);
        mcpw_status status =
            client != NULL ? mcpw_skills_client_list(client, NULL, NULL, NULL, &error) : error.code;
        if (status == MCPW_OK) {
            status =
                mcpw_skills_client_read(client, (mcpw_str)MCPW_STR(MAIN_URI),
                                        (mcpw_str)MCPW_STR("references/FORMS.md"), &arena, &content, &error);
        }
        is_done = memory.calls < at;
        CHECK(status == MCPW_OK || !is_done);
        mcpw_skills_client_free(client);
        mcpw_arena_free(&arena);
        CHECK(memory.in_use == 0);
    }
    CHECK(is_done);
}

int main(void) {
    RUN(verified_content_has_its_origin);
    RUN(a_wrong_digest_is_refused);
    RUN(a_wrong_size_is_refused);
    RUN(other_front_matter_is_refused_and_the_field_named);
    RUN(an_unlisted_file_is_refused_before_a_request);
    RUN(a_file_needs_a_valid_main_file_first);
    RUN(a_bad_file_voids_the_skill_until_its_main_file_is_valid);
    RUN(a_content_of_another_uri_is_none);
    RUN(entries_that_break_a_rule_are_left_out);
    RUN(a_list_has_an_entry_once);
    RUN(an_endless_list_ends);
    RUN(a_skill_that_is_no_longer_listed_is_forgotten);
    RUN(an_approval_is_for_one_entry);
    RUN(an_entry_of_another_skill_is_refused);
    RUN(limits_of_a_client_hold);
    RUN(a_dynamic_skill_is_not_verified_but_for_its_front_matter);
    RUN(a_client_that_waits_reads_skills);
    RUN(a_main_file_without_front_matter_is_refused);
    RUN(client_and_server_agree);
    RUN(without_memory_a_client_stays_whole);
    return check_end();
}
