/* SPDX-License-Identifier: MIT */
/* Servers with skills: lists, entries, directories and files, of a tree and in memory. */
#define _XOPEN_SOURCE 700
#include "skills_world.h"

#include "counting_allocator.h"

#include <pthread.h>
#include <time.h>

/* printf %s abc | sha256sum, and of the others, by another program. */
#define ABC_DIGEST "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define EMPTY_DIGEST "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static void make_pdf(void) {
    tree_text("pdf/SKILL.md", MAIN_OF("pdf"));
    tree_text("pdf/references/FORMS.md", "abc");
    tree_text("pdf/data/empty.bin", "");
}

static void every_file_of_a_skill_is_listed_with_digest_and_size(void) {
    tree_begin();
    make_pdf();
    tree_text("README.md", "of no skill");
    world *const w = world_of_tree(NULL);
    CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK);
    CHECK(world_has(
        w, "'resultType':'complete','skills':[{'uri':'skill://pdf/SKILL.md','frontmatter':{'name':'pdf',"
           "'description':'Does pdf.'},'resources':[{'uri':'skill://pdf/SKILL.md','digest':'sha256:"));
    CHECK(world_has(w, "{'uri':'skill://pdf/data/empty.bin','digest':'" EMPTY_DIGEST "','size':0}"));
    CHECK(world_has(w, "{'uri':'skill://pdf/references/FORMS.md','digest':'" ABC_DIGEST "','size':3}"));
    CHECK(world_has(w, "]}],'ttlMs':0,'cacheScope':'private'}"));
    CHECK(strstr(w->text, "README") == NULL);
    CHECK(w->reports == 0);
    world_free(w);
    tree_end();
}

static void an_entry_is_got_by_its_uri(void) {
    tree_begin();
    make_pdf();
    world *const w = world_of_tree(NULL);
    CHECK(world_ask(w, "skills/get", "{'uri':'skill://pdf/SKILL.md'}") == MCPW_OK);
    CHECK(world_has(w, "'resultType':'complete','skill':{'uri':'skill://pdf/SKILL.md',"));
    static const char *const unknown[] = {"{'uri':'skill://pdf'}",
                                          "{'uri':'skill://pdf/SKILL.md/'}",
                                          "{'uri':'skill://PDF/SKILL.md'}",
                                          "{'uri':'skill:///SKILL.md'}",
                                          "{'uri':'file:///etc/passwd'}",
                                          "{'uri':'skill://pdf/../pdf/SKILL.md'}",
                                          "{'uri':7}",
                                          "{}"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        CHECK(world_ask(w, "skills/get", unknown[i]) == MCPW_E_REMOTE && w->code == MCPW_RPC_INVALID_PARAMS);
        CHECK_STRING(w->text, "Unknown skill");
    }
    world_free(w);
    tree_end();
}

static void the_capability_is_declared_with_resources(void) {
    tree_begin();
    make_pdf();
    world *const w = world_of_tree(NULL);
    const mcpw_json capabilities = mcpw_session_peer_capabilities(w->at_client);
    const mcpw_json settings = mcpw_session_settings(w->at_client, MCPW_SKILLS_EXTENSION);
    CHECK(mcpw_capabilities_have(capabilities, "resources"));
    CHECK_TEXT(settings.ptr, settings.len, "{\"directoryRead\":true}");
    world_free(w);
    const mcpw_skills_options options = {.struct_size = sizeof options, .directory_read = MCPW_OFF};
    world *const without = world_of_tree(&options);
    const mcpw_json none = mcpw_session_settings(without->at_client, MCPW_SKILLS_EXTENSION);
    CHECK_TEXT(none.ptr, none.len, "{}");
    CHECK(world_ask(without, "resources/directory/read", "{'uri':'skill://pdf'}") == MCPW_E_REMOTE);
    CHECK(without->code == MCPW_RPC_METHOD_NOT_FOUND);
    world_free(without);
    tree_end();
}

static void a_directory_lists_its_direct_children(void) {
    tree_begin();
    make_pdf();
    tree_text("pdf/a-b/x.txt", "x");
    tree_text("pdf/a/y.txt", "y");
    tree_text("acme/tools/csv/SKILL.md", MAIN_OF("csv"));
    world *const w = world_of_tree(NULL);
    CHECK(world_ask(w, "resources/directory/read", "{'uri':'skill://pdf'}") == MCPW_OK);
    CHECK(world_has(w, "'resultType':'complete','resources':[{'uri':'skill://pdf/SKILL.md','name':'SKILL.md',"
                       "'mimeType':'text/markdown','size':"));
    CHECK(world_has(w, "{'uri':'skill://pdf/a','name':'a','mimeType':'inode/directory'},"
                       "{'uri':'skill://pdf/a-b','name':'a-b','mimeType':'inode/directory'},"
                       "{'uri':'skill://pdf/data','name':'data','mimeType':'inode/directory'},"
                       "{'uri':'skill://pdf/references','name':'references','mimeType':'inode/directory'}],"
                       "'ttlMs':0,'cacheScope':'private'}"));
    CHECK(world_ask(w, "resources/directory/read", "{'uri':'skill://pdf/data'}") == MCPW_OK);
    CHECK(world_has(w, "'resources':[{'uri':'skill://pdf/data/empty.bin','name':'empty.bin','size':0}]"));
    CHECK(world_ask(w, "resources/directory/read", "{'uri':'skill://acme'}") == MCPW_OK);
    CHECK(world_has(
        w, "'resources':[{'uri':'skill://acme/tools','name':'tools','mimeType':'inode/directory'}]"));
    static const char *const unknown[] = {"{'uri':'skill://pdf/'}", "{'uri':'skill://pdf/SKILL.md'}",
                                          "{'uri':'skill://pd'}", "{'uri':'skill://'}", "{}"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        CHECK(world_ask(w, "resources/directory/read", unknown[i]) == MCPW_E_REMOTE &&
              w->code == MCPW_RPC_INVALID_PARAMS);
        CHECK_STRING(w->text, "Unknown directory");
    }
    world_free(w);
    tree_end();
}

static void files_are_read_as_text_or_as_bytes(void) {
    tree_begin();
    make_pdf();
    tree_text("pdf/LICENSE", "MIT");
    tree_write("pdf/LOGO", "\xff\x00\x01", 3);
    tree_write("pdf/broken.md", "\xff", 1);
    tree_text("pdf/a b&\xC3\xA9.txt", "named");
    world *const w = world_of_tree(NULL);
    CHECK(world_read(w, "skill://pdf/references/FORMS.md") == MCPW_OK);
    CHECK(world_has(w, "{'uri':'skill://pdf/references/FORMS.md','mimeType':'text/markdown','text':'abc'}"));
    CHECK(world_read(w, "skill://pdf/LICENSE") == MCPW_OK &&
          world_has(w, "'mimeType':'text/plain','text':'MIT'"));
    CHECK(world_read(w, "skill://pdf/LOGO") == MCPW_OK &&
          world_has(w, "'mimeType':'application/octet-stream','blob':'/wAB'"));
    CHECK(world_read(w, "skill://pdf/broken.md") == MCPW_OK && world_has(w, "'blob':'/w=='"));
    CHECK(world_read(w, "skill://pdf/a%20b%26%C3%A9.txt") == MCPW_OK && world_has(w, "'text':'named'"));
    CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK);
    CHECK(world_has(w, "'uri':'skill://pdf/a%20b%26%C3%A9.txt'"));
    world_free(w);
    tree_end();
}

static void nothing_but_files_of_skills_is_read(void) {
    static const char *const refused[] = {"skill://README.md",
                                          "skill://pdf/none.md",
                                          "skill://pdf/../README.md",
                                          "skill://pdf/%2e%2e/README.md",
                                          "skill://pdf%2f..%2fREADME.md",
                                          "skill://pdf/references",
                                          "skill://pdf//SKILL.md",
                                          "skill://%2Fetc%2Fpasswd",
                                          "skill://pdf/SKILL.md%00",
                                          "skill://pdf/%zz",
                                          "skill://pdf/%C2%85",
                                          "skill://pdf/SKILL.md?x"};
    tree_begin();
    make_pdf();
    tree_text("README.md", "of no skill");
    world *const w = world_of_tree(NULL);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        CHECK(world_read(w, refused[i]) == MCPW_E_REMOTE && w->code == MCPW_RPC_INVALID_PARAMS);
    }
    world_free(w);
    tree_end();
}

static void nested_skills_are_listed_flat_and_their_files_in_both(void) {
    tree_begin();
    tree_text("outer/SKILL.md", MAIN_OF("outer"));
    tree_text("outer/inner/SKILL.md", MAIN_OF("inner"));
    tree_text("outer/inner/abc.txt", "abc");
    world *const w = world_of_tree(NULL);
    CHECK(world_ask(w, "skills/get", "{'uri':'skill://outer/SKILL.md'}") == MCPW_OK);
    CHECK(world_has(w, "{'uri':'skill://outer/inner/SKILL.md','digest'") &&
          world_has(w, "outer/inner/abc.txt"));
    CHECK(world_ask(w, "skills/get", "{'uri':'skill://outer/inner/SKILL.md'}") == MCPW_OK);
    CHECK(world_has(w, "'name':'inner'") && strstr(w->text, "outer/SKILL.md") == NULL);
    world_free(w);
    tree_end();
}

/* Takes the cursor of the last result as params of the next request. */
static bool next_page(const world *w, const char *uri, char params[WORLD_PATH]) {
    mcpw_str cursor;
    if (mcpw_json_get_string(mcpw_json_from(w->text), "nextCursor", NULL, &cursor) != MCPW_OK) {
        return false;
    }
    (void)snprintf(params, WORLD_PATH, "{%s'cursor':'%.*s'}", uri, (int)cursor.len, cursor.ptr);
    return true;
}

static void lists_come_in_pages_without_split_or_repetition(void) {
    enum { SKILLS = 7 };
    char params[WORLD_PATH] = "{}";
    int seen[SKILLS] = {0};
    int pages = 0;
    tree_begin();
    for (int i = 0; i < SKILLS; i++) {
        char path[64];
        char text[128];
        (void)snprintf(path, sizeof path, "s%d/SKILL.md", i);
        (void)snprintf(text, sizeof text, "---\nname: s%d\ndescription: d\n---\n", i);
        tree_text(path, text);
    }
    const mcpw_skills_options options = {.struct_size = sizeof options, .page_size = 3};
    world *const w = world_of_tree(&options);
    do {
        CHECK(world_ask(w, "skills/list", params) == MCPW_OK);
        for (int i = 0; i < SKILLS; i++) {
            char name[64];
            (void)snprintf(name, sizeof name, "{\"uri\":\"skill://s%d/SKILL.md\",\"front", i);
            seen[i] += strstr(w->text, name) != NULL ? 1 : 0;
        }
        if (pages++ == 0) { /* what goes away between two pages takes nothing with it */
            CHECK(remove(tree_path("s2/SKILL.md")) == 0);
        }
    } while (pages < SKILLS && next_page(w, "", params));
    CHECK(pages == 3);
    for (int i = 0; i < SKILLS; i++) {
        CHECK(seen[i] == 1);
    }
    CHECK(world_ask(w, "skills/list", "{'cursor':'7'}") == MCPW_E_REMOTE &&
          w->code == MCPW_RPC_INVALID_PARAMS);
    world_free(w);
    tree_end();
}

static void children_come_in_pages(void) {
    char params[WORLD_PATH] = "{'uri':'skill://pdf'}";
    size_t count = 0;
    int pages = 0;
    tree_begin();
    make_pdf();
    const mcpw_skills_options options = {.struct_size = sizeof options, .page_size = 2};
    world *const w = world_of_tree(&options);
    do {
        mcpw_json list;
        CHECK(world_ask(w, "resources/directory/read", params) == MCPW_OK);
        CHECK(mcpw_json_get(mcpw_json_from(w->text), "resources", &list) == MCPW_OK);
        count += mcpw_json_count(list);
        pages++;
    } while (pages < 4 && next_page(w, "'uri':'skill://pdf',", params));
    CHECK(pages == 2 && count == 3);
    world_free(w);
    tree_end();
}

static void changes_on_disk_are_seen(void) {
    tree_begin();
    make_pdf();
    world *const w = world_of_tree(NULL);
    CHECK(world_ask(w, "skills/get", "{'uri':'skill://pdf/SKILL.md'}") == MCPW_OK &&
          world_has(w, ABC_DIGEST));
    tree_text("pdf/references/FORMS.md", "abd"); /* of the same size, at once */
    CHECK(world_ask(w, "skills/get", "{'uri':'skill://pdf/SKILL.md'}") == MCPW_OK);
    CHECK(strstr(w->text, ABC_DIGEST) == NULL);
    CHECK(world_read(w, "skill://pdf/references/FORMS.md") == MCPW_OK && world_has(w, "'text':'abd'"));
    tree_text("new/SKILL.md", MAIN_OF("new"));
    CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK && world_has(w, "skill://new/SKILL.md"));
    tree_text("pdf/SKILL.md", "---\nname: pdf\ndescription: Another.\n---\n");
    CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK && world_has(w, "Another."));
    CHECK(remove(tree_path("new/SKILL.md")) == 0);
    CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK && strstr(w->text, "new") == NULL);
    CHECK(world_read(w, "skill://new/SKILL.md") == MCPW_E_REMOTE);
    world_free(w);
    tree_end();
}

static void a_read_that_finds_a_change_makes_the_entry_new(void) {
    tree_begin();
    make_pdf();
    const mcpw_skills_options options = {.struct_size = sizeof options, .check_ms = 3600000};
    world *const w = world_of_tree(&options);
    CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK && world_has(w, ABC_DIGEST));
    tree_text("pdf/references/FORMS.md", "abd");
    CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK && world_has(w, ABC_DIGEST)); /* not looked at yet */
    CHECK(world_read(w, "skill://pdf/references/FORMS.md") == MCPW_OK && world_has(w, "'text':'abd'"));
    CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK && strstr(w->text, ABC_DIGEST) == NULL);
    world_free(w);
    tree_end();
}

/* Files whose times are old enough are not hashed again. */
static void unchanged_files_keep_their_entries(void) {
    const struct timespec until_old = {.tv_sec = 2, .tv_nsec = 200000000};
    static char before[WORLD_TEXT];
    tree_begin();
    make_pdf();
    tree_text("a/SKILL.md", MAIN_OF("a"));
    tree_text("b/SKILL.md", MAIN_OF("b"));
    tree_text("pdf/inner/SKILL.md", MAIN_OF("inner"));
    world *const w = world_of_tree(NULL);
    CHECK(nanosleep(&until_old, NULL) == 0);
    for (int i = 0; i < 3; i++) { /* found new, found old, taken from the list before */
        CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK);
        CHECK(i == 0 || strcmp(before, w->text) == 0);
        memcpy(before, w->text, sizeof before);
    }
    tree_text("pdf/references/FORMS.md", "abd");
    tree_text("b/SKILL.md", "---\nname: b\ndescription: Another.\n---\n");
    CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK && strstr(w->text, ABC_DIGEST) == NULL);
    CHECK(world_has(w, "Another.") && world_has(w, "Does a.") && world_has(w, "Does inner."));
    world_free(w);
    tree_end();
}

static void options_name_prefix_cache_and_hidden_files(void) {
    const mcpw_skills_options options = {.struct_size = sizeof options,
                                         .prefix = "docs://acme/",
                                         .ttl_ms = 5000,
                                         .cache_public = true,
                                         .skip_hidden = true};
    tree_begin();
    make_pdf();
    tree_text("pdf/.env", "secret");
    tree_text(".git/pdf/SKILL.md", MAIN_OF("pdf"));
    world *const w = world_of_tree(&options);
    CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK);
    CHECK(world_has(w, "docs://acme/pdf/SKILL.md") && world_has(w, "'ttlMs':5000,'cacheScope':'public'"));
    CHECK(strstr(w->text, ".env") == NULL && strstr(w->text, ".git") == NULL);
    CHECK(world_read(w, "docs://acme/pdf/.env") == MCPW_E_REMOTE);
    CHECK(world_read(w, "docs://acme/pdf/references/FORMS.md") == MCPW_OK);
    world_free(w);
    tree_end();
}

static bool allows_pdf(void *user, mcpw_request *request, mcpw_str path) {
    (void)user;
    return mcpw_str_equal(mcpw_request_principal(request), (mcpw_str)MCPW_STR("ann")) ||
           !mcpw_str_is(path, "pdf");
}

static void a_principal_sees_the_skills_that_it_may_know(void) {
    const mcpw_skills_options options = {.struct_size = sizeof options, .allows = allows_pdf};
    tree_begin();
    make_pdf();
    tree_text("csv/SKILL.md", MAIN_OF("csv"));
    world *const w = world_of_tree(&options);
    CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK);
    CHECK(world_has(w, "skill://csv/SKILL.md") && strstr(w->text, "pdf") == NULL);
    CHECK(world_ask(w, "skills/get", "{'uri':'skill://pdf/SKILL.md'}") == MCPW_E_REMOTE);
    CHECK(world_ask(w, "resources/directory/read", "{'uri':'skill://pdf'}") == MCPW_E_REMOTE);
    CHECK(world_read(w, "skill://pdf/SKILL.md") == MCPW_E_REMOTE);
    CHECK(mcpw_session_set_principal(w->at_server, (mcpw_str)MCPW_STR("ann")) == MCPW_OK);
    CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK && world_has(w, "skill://pdf/SKILL.md"));
    CHECK(world_read(w, "skill://pdf/SKILL.md") == MCPW_OK);
    world_free(w);
    tree_end();
}

/* ---- In memory ---- */

static const mcpw_skill_file memo_files[] = {
    {"SKILL.md", MAIN_OF("memo"), sizeof MAIN_OF("memo") - 1, NULL},
    {"abc.txt", "abc", 3, "text/x-abc"},
};
static const mcpw_skill memo = {.path = "notes/memo", .files = memo_files, .file_count = 2};

static void a_skill_in_memory_is_served_beside_those_of_the_tree(void) {
    tree_begin();
    make_pdf();
    world *const w = world_new(true, NULL);
    mcpw_error error = {MCPW_OK, 0, "", ""};
    CHECK(mcpw_skills_add(w->skills, &memo, &error) == MCPW_OK);
    world_connect(w);
    CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK);
    CHECK(world_has(w, "skill://pdf/SKILL.md") &&
          world_has(w, "{'uri':'skill://notes/memo/SKILL.md','frontmatter'"));
    CHECK(world_has(w, "{'uri':'skill://notes/memo/abc.txt','digest':'" ABC_DIGEST "','size':3}"));
    CHECK(world_read(w, "skill://notes/memo/abc.txt") == MCPW_OK &&
          world_has(w, "'mimeType':'text/x-abc','text':'abc'"));
    CHECK(world_read(w, "skill://notes/memo/none") == MCPW_E_REMOTE);
    CHECK(world_ask(w, "resources/directory/read", "{'uri':'skill://notes/memo'}") == MCPW_OK);
    CHECK(world_has(w, "'name':'abc.txt','mimeType':'text/x-abc','size':3"));
    CHECK(mcpw_skills_remove(w->skills, "notes/memo") == MCPW_OK);
    CHECK(mcpw_skills_remove(w->skills, "notes/memo") == MCPW_E_NOT_FOUND);
    CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK && strstr(w->text, "memo") == NULL);
    world_free(w);
    tree_end();
}

static void a_skill_in_memory_hides_those_of_the_tree(void) {
    const mcpw_skill_file files[] = {{"SKILL.md", MAIN_OF("pdf"), sizeof MAIN_OF("pdf") - 1, NULL}};
    const mcpw_skill pdf = {.path = "pdf", .files = files, .file_count = 1};
    tree_begin();
    make_pdf();
    tree_text("pdf/inner/SKILL.md", MAIN_OF("inner"));
    tree_text("zip/SKILL.md", MAIN_OF("zip"));
    world *const w = world_new(true, NULL);
    CHECK(mcpw_skills_add(w->skills, &pdf, NULL) == MCPW_OK);
    CHECK(mcpw_skills_add(w->skills, &memo, NULL) == MCPW_OK);
    world_connect(w);
    CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK && world_has(w, "skill://zip/SKILL.md"));
    CHECK(strstr(w->text, "inner") == NULL && strstr(w->text, "FORMS") == NULL);
    CHECK(world_read(w, "skill://pdf/references/FORMS.md") == MCPW_E_REMOTE);
    CHECK(world_ask(w, "resources/directory/read", "{'uri':'skill://notes','cursor':'x'}") == MCPW_E_REMOTE);
    world_free(w);
    tree_end();
}

static void without_memory_a_skill_is_not_added(void) {
    bool is_done = false;
    for (size_t at = 1; !is_done && at < 200; at++) {
        counting memory = {.stingy = true};
        mcpw_skills_options options = MCPW_SKILLS_OPTIONS_INIT;
        options.allocator = counting_allocator(&memory);
        mcpw_server *const server = mcpw_server_new("s", "1", NULL);
        mcpw_skills *const skills = mcpw_server_add_skills(server, NULL, &options, NULL);
        memory.fail_at = memory.calls + at;
        const mcpw_status status = mcpw_skills_add(skills, &memo, NULL);
        is_done = memory.calls < memory.fail_at;
        CHECK(is_done ? status == MCPW_OK : status == MCPW_OK || status == MCPW_E_MEMORY);
        CHECK(mcpw_skills_remove(skills, memo.path) == (status == MCPW_OK ? MCPW_OK : MCPW_E_NOT_FOUND));
        mcpw_server_free(server);
        mcpw_skills_free(skills);
        CHECK(memory.in_use == 0);
    }
    CHECK(is_done);
}

/* A result that does not fit into memory is an error, and the next request is answered. */
static void a_request_without_memory_fails_alone(void) {
    static const char *const requests[][2] = {{"skills/list", "{}"},
                                              {"skills/get", "{'uri':'skill://notes/memo/SKILL.md'}"},
                                              {"resources/directory/read", "{'uri':'skill://notes'}"}};
    counting memory = {0};
    mcpw_skills_options options = MCPW_SKILLS_OPTIONS_INIT;
    options.allocator = counting_allocator(&memory);
    world *const w = world_new(false, &options);
    CHECK(mcpw_skills_add(w->skills, &memo, NULL) == MCPW_OK);
    world_connect(w);
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        memory.fail_at = memory.calls + 1;
        CHECK(world_ask(w, requests[i][0], requests[i][1]) == MCPW_E_REMOTE &&
              w->code == MCPW_RPC_INTERNAL_ERROR);
        CHECK(world_ask(w, requests[i][0], requests[i][1]) == MCPW_OK);
    }
    world_free(w);
}

static mcpw_status tell_time(mcpw_request *request, mcpw_str path, void *user) {
    char text[128];
    (void)snprintf(text, sizeof text, "%s %.*s", (const char *)user, (int)path.len, path.ptr);
    return mcpw_respond_resource_text(request, "text/plain", mcpw_str_from(text));
}

static void a_dynamic_skill_makes_its_files_when_they_are_read(void) {
    static char user[] = "made";
    const mcpw_skill skill = {.path = "clock",
                              .read = tell_time,
                              .user = user,
                              .frontmatter = MCPW_JSON("{\"name\":\"clock\",\"description\":\"d\"}"),
                              .is_unlisted = true};
    world *const w = world_new(false, NULL);
    mcpw_error error = {MCPW_OK, 0, "", ""};
    CHECK(mcpw_skills_add(w->skills, &skill, &error) == MCPW_OK);
    world_connect(w);
    CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK && world_has(w, "'skills':[]"));
    CHECK(world_ask(w, "skills/get", "{'uri':'skill://clock/SKILL.md'}") == MCPW_OK);
    CHECK(world_has(w, "'resources':'dynamic'"));
    CHECK(world_read(w, "skill://clock/now/here.txt") == MCPW_OK &&
          world_has(w, "'text':'made now/here.txt'"));
    CHECK(world_read(w, "skill://clock") == MCPW_E_REMOTE);
    world_free(w);
}

/* Adds and removes a skill until it is told to stop. */
typedef struct changer {
    mcpw_skills *skills;
    pthread_mutex_t lock;
    bool stop;
    int rounds;
} changer;

static void *change(void *user) {
    changer *const c = user;
    bool stop = false;
    for (; !stop; c->rounds++) {
        CHECK(mcpw_skills_add(c->skills, &memo, NULL) == MCPW_OK);
        CHECK(mcpw_skills_remove(c->skills, memo.path) == MCPW_OK);
        (void)pthread_mutex_lock(&c->lock);
        stop = c->stop;
        (void)pthread_mutex_unlock(&c->lock);
    }
    return NULL;
}

static void another_thread_adds_and_removes_skills_while_they_are_served(void) {
    enum { REQUESTS = 300 };
    changer c = {.lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t thread;
    tree_begin();
    make_pdf();
    world *const w = world_of_tree(NULL);
    c.skills = w->skills;
    CHECK(pthread_create(&thread, NULL, change, &c) == 0);
    for (int i = 0; i < REQUESTS; i++) {
        CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK && world_has(w, "skill://pdf/SKILL.md"));
        const mcpw_status status = world_read(w, "skill://notes/memo/abc.txt");
        CHECK(status == MCPW_OK ? world_has(w, "'text':'abc'") : w->code == MCPW_RPC_INVALID_PARAMS);
    }
    (void)pthread_mutex_lock(&c.lock);
    c.stop = true;
    (void)pthread_mutex_unlock(&c.lock);
    (void)pthread_join(thread, NULL);
    CHECK(c.rounds > 0);
    world_free(w);
    tree_end();
}

static void check_not_added(mcpw_skills *skills, const mcpw_skill *skill, mcpw_status status,
                            const char *why) {
    mcpw_error error = {MCPW_OK, 0, "", ""};
    CHECK(mcpw_skills_add(skills, skill, &error) == status);
    CHECK_STRING(error.message, why);
}

static void unusable_skills_in_memory_are_refused(void) {
    const mcpw_skills_options options = {
        .struct_size = sizeof options, .max_files = 2, .max_bytes = 150, .max_skills = 1};
    const mcpw_skill_file twice[] = {memo_files[0], memo_files[0]};
    const mcpw_skill_file up[] = {memo_files[0], {"../x", "x", 1, NULL}};
    const mcpw_skill_file control[] = {memo_files[0], {"a\nb", "x", 1, NULL}};
    const mcpw_skill_file large[] = {memo_files[0], {"x", "x", 100, NULL}};
    world *const w = world_new(false, &options);
    const mcpw_skill_file no_path[] = {{NULL, "x", 1, NULL}};
    CHECK(mcpw_skills_remove(w->skills, NULL) == MCPW_E_ARGUMENT);
    check_not_added(w->skills, &(mcpw_skill){.path = "memo", .files = no_path, .file_count = 1},
                    MCPW_E_ARGUMENT, "a file of the skill has no path or no bytes");
    check_not_added(w->skills, NULL, MCPW_E_ARGUMENT, "the skills, the skill or its path is NULL");
    check_not_added(w->skills, &(mcpw_skill){.path = "memo"}, MCPW_E_FORMAT,
                    "the skill has no file SKILL.md");
    check_not_added(w->skills, &(mcpw_skill){.path = "/memo", .files = memo_files, .file_count = 2},
                    MCPW_E_FORMAT, "the path of the skill is unusable");
    check_not_added(w->skills, &(mcpw_skill){.path = "other", .files = memo_files, .file_count = 2},
                    MCPW_E_FORMAT, "the name in the front matter is not the name of the directory");
    check_not_added(
        w->skills, &(mcpw_skill){.path = "Memo", .files = memo_files, .file_count = 2}, MCPW_E_FORMAT,
        "the name of the skill's directory has other characters than a-z, 0-9 and inner hyphens, or more "
        "than 64");
    check_not_added(w->skills, &(mcpw_skill){.path = "memo", .files = twice, .file_count = 2},
                    MCPW_E_DUPLICATE, "the skill has two files of one path");
    check_not_added(w->skills, &(mcpw_skill){.path = "memo", .files = up, .file_count = 2}, MCPW_E_FORMAT,
                    "the path of a file of the skill is unusable");
    check_not_added(w->skills, &(mcpw_skill){.path = "memo", .files = control, .file_count = 2},
                    MCPW_E_FORMAT, "the path of a file of the skill is unusable");
    check_not_added(w->skills, &(mcpw_skill){.path = "memo", .files = large, .file_count = 2}, MCPW_E_SIZE,
                    "the skill has more than 150 bytes");
    check_not_added(w->skills, &(mcpw_skill){.path = "memo", .files = twice, .file_count = 3}, MCPW_E_SIZE,
                    "the skill has more than 2 files");
    check_not_added(w->skills, &(mcpw_skill){.path = "memo", .read = tell_time}, MCPW_E_ARGUMENT,
                    "the front matter of a dynamic skill is no JSON object");
    check_not_added(w->skills,
                    &(mcpw_skill){.path = "memo", .read = tell_time, .files = twice, .file_count = 1},
                    MCPW_E_ARGUMENT, "a dynamic skill has no files");
    CHECK(mcpw_skills_add(w->skills, &memo, NULL) == MCPW_OK);
    check_not_added(w->skills, &memo, MCPW_E_DUPLICATE, "there is a skill of this path, around it or in it");
    const mcpw_skill second = {.path = "memo", .files = memo_files, .file_count = 2};
    check_not_added(w->skills, &second, MCPW_E_SIZE, "there are 1 skills already");
    world_connect(w);
    world_free(w);
}

static void check_no_server(const char *directory, const mcpw_skills_options *options, mcpw_status status) {
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    CHECK(mcpw_server_add_skills(server, directory, options, &error) == NULL);
    CHECK(error.code == status && error.message[0] != '\0');
    mcpw_server_free(server);
}

static void unusable_options_are_refused(void) {
    static const char *const prefixes[] = {"",      "skill:",       "://",          "skill://x",
                                           "1s://", "skill://{x}/", "skill://a b/", "skill://%/"};
    const mcpw_skills_options negative = {.struct_size = sizeof negative, .ttl_ms = -1};
    const mcpw_skills_options small = {.struct_size = 1};
    mcpw_error error = {MCPW_OK, 0, "", ""};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const mcpw_skills_options options = {.struct_size = sizeof options, .prefix = prefixes[i]};
        check_no_server(NULL, &options, MCPW_E_ARGUMENT);
    }
    check_no_server(NULL, &negative, MCPW_E_ARGUMENT);
    check_no_server(NULL, &small, MCPW_E_ARGUMENT);
    check_no_server("/nonexistent", NULL, MCPW_E_IO);
    check_no_server("/etc/passwd", NULL, MCPW_E_IO);
    CHECK(mcpw_server_add_skills(NULL, NULL, NULL, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    mcpw_skills_free(NULL);
}

static void a_second_set_of_skills_is_refused_and_the_first_stays(void) {
    mcpw_error error = {MCPW_OK, 0, "", ""};
    world *const w = world_new(false, NULL);
    CHECK(mcpw_server_add_skills(w->server, NULL, NULL, &error) == NULL && error.code == MCPW_E_DUPLICATE);
    const mcpw_skills_options options = {.struct_size = sizeof options, .prefix = "other://"};
    CHECK(mcpw_server_add_skills(w->server, NULL, &options, &error) == NULL &&
          error.code == MCPW_E_DUPLICATE);
    CHECK(mcpw_skills_add(w->skills, &memo, NULL) == MCPW_OK);
    world_connect(w);
    CHECK(world_read(w, "skill://notes/memo/abc.txt") == MCPW_OK);
    world_free(w);
}

int main(void) {
    RUN(every_file_of_a_skill_is_listed_with_digest_and_size);
    RUN(an_entry_is_got_by_its_uri);
    RUN(the_capability_is_declared_with_resources);
    RUN(a_directory_lists_its_direct_children);
    RUN(files_are_read_as_text_or_as_bytes);
    RUN(nothing_but_files_of_skills_is_read);
    RUN(nested_skills_are_listed_flat_and_their_files_in_both);
    RUN(lists_come_in_pages_without_split_or_repetition);
    RUN(children_come_in_pages);
    RUN(changes_on_disk_are_seen);
    RUN(a_read_that_finds_a_change_makes_the_entry_new);
    RUN(unchanged_files_keep_their_entries);
    RUN(options_name_prefix_cache_and_hidden_files);
    RUN(a_principal_sees_the_skills_that_it_may_know);
    RUN(a_skill_in_memory_is_served_beside_those_of_the_tree);
    RUN(a_skill_in_memory_hides_those_of_the_tree);
    RUN(without_memory_a_skill_is_not_added);
    RUN(a_request_without_memory_fails_alone);
    RUN(a_dynamic_skill_makes_its_files_when_they_are_read);
    RUN(another_thread_adds_and_removes_skills_while_they_are_served);
    RUN(unusable_skills_in_memory_are_refused);
    RUN(unusable_options_are_refused);
    RUN(a_second_set_of_skills_is_refused_and_the_first_stays);
    return check_end();
}
