/* SPDX-License-Identifier: MIT */
/* Trees of skills that someone else has made, or changes meanwhile. */
#define _XOPEN_SOURCE 700
#include "skills_world.h"

#include "counting_allocator.h"

#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>

static bool was_reported(const world *w, const char *text) {
    const bool was = strstr(w->reported, text) != NULL;
    if (!was) {
        (void)fprintf(stderr, "%s: not reported: %s in %s\n", check_test, text, w->reported);
    }
    return was;
}

/* A good skill that must stay, whatever is beside it. */
static void make_good(void) { tree_text("good/SKILL.md", MAIN_OF("good")); }

static bool has_only_good(world *w) {
    mcpw_json skills;
    return world_ask(w, "skills/list", "{}") == MCPW_OK && world_has(w, "skill://good/SKILL.md") &&
           mcpw_json_get(mcpw_json_from(w->text), "skills", &skills) == MCPW_OK &&
           mcpw_json_count(skills) == 1;
}

static void a_skill_that_breaks_a_rule_is_left_out_alone(void) {
    static const struct {
        const char *path;
        const char *text;
        const char *report;
    } samples[] = {
        {"Upper/SKILL.md", MAIN_OF("Upper"), "Upper: the name of the skill's directory has other characters"},
        {"-a/SKILL.md", MAIN_OF("-a"), "-a: the name of the skill's directory"},
        {"a_b/SKILL.md", MAIN_OF("a_b"), "a_b: the name of the skill's directory"},
        {"other/SKILL.md", MAIN_OF("name"),
         "other: the name in the front matter is not the name of the directory"},
        {"no-name/SKILL.md", "---\ndescription: d\n---\n", "no-name: the front matter has no name"},
        {"no-text/SKILL.md", "---\nname: no-text\n---\n", "no-text: the front matter has no description"},
        {"number/SKILL.md", "---\nname: 1\ndescription: d\n---\n", "number: the front matter has no name"},
        {"bare/SKILL.md", "# bare\n", "bare: SKILL.md does not begin with a line \"---\""},
        {"bomb/SKILL.md", "---\na: &a [x]\nb: *a\n---\n",
         "bomb: line 3 of SKILL.md: aliases are not supported"},
        {"SKILL.md", MAIN_OF("root"), ".: a SKILL.md of the root itself is left out"},
    };
    tree_begin();
    make_good();
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        tree_text(samples[i].path, samples[i].text);
    }
    world *const w = world_of_tree(NULL);
    CHECK(has_only_good(w));
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        CHECK(was_reported(w, samples[i].report));
    }
    CHECK(w->reports == (int)(sizeof samples / sizeof *samples));
    CHECK(has_only_good(w)); /* nothing is reported twice */
    CHECK(w->reports == (int)(sizeof samples / sizeof *samples));
    world_free(w);
    tree_end();
}

static void links_pipes_and_sockets_are_no_files(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    tree_begin();
    make_good();
    tree_text("secret.txt", "secret");
    CHECK(symlink("../secret.txt", tree_path("good/link.txt")) == 0);
    CHECK(symlink("/etc", tree_path("good/etc")) == 0);
    CHECK(symlink("good", tree_path("twin")) == 0);
    CHECK(mkfifo(tree_path("good/pipe"), S_IRUSR | S_IWUSR) == 0);
    (void)mkdir(tree_path("linked"), S_IRWXU);
    CHECK(symlink("../good/SKILL.md", tree_path("linked/SKILL.md")) == 0);
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", tree_path("good/socket"));
    CHECK(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
    world *const w = world_of_tree(NULL);
    CHECK(has_only_good(w));
    CHECK(strstr(w->text, "link.txt") == NULL && strstr(w->text, "pipe") == NULL &&
          strstr(w->text, "etc") == NULL && strstr(w->text, "socket") == NULL);
    CHECK(was_reported(w, "good/link.txt: it is a link, a pipe or a device"));
    CHECK(was_reported(w, "good/pipe: ") && was_reported(w, "twin: ") && was_reported(w, "good/socket: "));
    CHECK(world_read(w, "skill://good/link.txt") == MCPW_E_REMOTE);
    CHECK(world_read(w, "skill://good/etc/passwd") == MCPW_E_REMOTE);
    CHECK(world_read(w, "skill://good/pipe") == MCPW_E_REMOTE);
    CHECK(world_read(w, "skill://twin/SKILL.md") == MCPW_E_REMOTE);
    (void)close(listener);
    world_free(w);
    tree_end();
}

static void become_link(void) {
    CHECK(remove(tree_path("good/a.txt")) == 0 && symlink("../secret/a.txt", tree_path("good/a.txt")) == 0);
}

static void become_pipe(void) {
    CHECK(remove(tree_path("good/a.txt")) == 0 && mkfifo(tree_path("good/a.txt"), S_IRUSR | S_IWUSR) == 0);
}

static void become_directory(void) {
    CHECK(remove(tree_path("good/a.txt")) == 0 && mkdir(tree_path("good/a.txt"), S_IRWXU) == 0);
}

static void become_large(void) {
    static const char large[5000];
    tree_write("good/a.txt", large, sizeof large);
}

static void lie_behind_a_link(void) {
    CHECK(rename(tree_path("good"), tree_path("aside")) == 0 && symlink("secret", tree_path("good")) == 0);
}

/* A file that becomes something else between the list and the read. */
static void what_was_a_file_is_opened_as_a_file_alone(void) {
    static void (*const changes[])(void) = {become_link, become_pipe, become_directory, become_large,
                                            lie_behind_a_link};
    const mcpw_skills_options options = {
        .struct_size = sizeof options, .check_ms = 3600000, .max_bytes = 4096};
    enum { CHANGES = sizeof changes / sizeof *changes };
    for (size_t i = 0; i < (size_t)2 * CHANGES; i++) { /* a full file, and an empty one */
        tree_begin();
        make_good();
        tree_text("good/a.txt", i < CHANGES ? "abc" : "");
        tree_text("secret/a.txt", "secret");
        world *const w = world_of_tree(&options);
        CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK && world_has(w, "good/a.txt"));
        changes[i % CHANGES]();
        CHECK(world_read(w, "skill://good/a.txt") == MCPW_E_REMOTE && w->code == MCPW_RPC_INVALID_PARAMS);
        CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK && strstr(w->text, "good/a.txt") == NULL);
        world_free(w);
        tree_end();
    }
}

static void names_that_are_no_text_leave_their_skill_out(void) {
    tree_begin();
    make_good();
    tree_text("latin/SKILL.md", MAIN_OF("latin"));
    tree_text("latin/caf\xe9.txt", "x");
    tree_text("control/SKILL.md", MAIN_OF("control"));
    tree_text("control/a\x1b[2Jb", "x");
    tree_text("c1/SKILL.md", MAIN_OF("c1"));
    tree_text("c1/a\xC2\x85z", "x");
    tree_text("line/SKILL.md", MAIN_OF("line"));
    tree_text("line/sub\nject/file", "x");
    world *const w = world_of_tree(NULL);
    CHECK(has_only_good(w) && strstr(w->text, "latin") == NULL && strstr(w->text, "control") == NULL);
    CHECK(was_reported(w, "latin/caf\\xe9.txt: a name in it is no UTF-8 or has control characters"));
    CHECK(was_reported(w, "control/a\\x1b[2Jb: ") && was_reported(w, "line/sub\\x0aject: "));
    world_free(w);
    tree_end();
}

/* Makes a file with many names. */
static void make_files(const char *directory, int count) {
    char path[256];
    (void)snprintf(path, sizeof path, "%s/0", directory);
    tree_text(path, "x");
    const int at = open(tree_path(directory), O_RDONLY | O_DIRECTORY);
    for (int i = 1; i < count; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "%d", i);
        if (i % 30000 == 0) { /* a file has a limited number of names */
            const int fd = openat(at, name, O_CREAT | O_WRONLY, S_IRUSR);
            (void)close(fd);
        } else {
            char from[32];
            (void)snprintf(from, sizeof from, "%d", i / 30000 * 30000);
            CHECK(linkat(at, from, at, name, 0) == 0);
        }
    }
    (void)close(at);
}

static void a_skill_of_100000_files_is_left_out(void) {
    tree_begin();
    make_good();
    tree_text("huge/SKILL.md", MAIN_OF("huge"));
    make_files("huge/files", 100000);
    world *const w = world_of_tree(NULL);
    CHECK(has_only_good(w) && strstr(w->text, "huge") == NULL);
    CHECK_STRING(w->reported, "huge: the skill has more than 512 files\n");
    world_free(w);
    const mcpw_skills_options options = {.struct_size = sizeof options, .max_entries = 1000};
    world *const few = world_of_tree(&options);
    CHECK(has_only_good(few));
    CHECK(was_reported(
        few, "huge/files: there are more files and directories than max_entries: the rest is left out"));
    world_free(few);
    tree_end();
}

static void the_index_keeps_its_memory(void) {
    const mcpw_skills_options limited = {.struct_size = sizeof limited, .max_memory = 100000};
    tree_begin();
    make_good();
    tree_text("huge/SKILL.md", MAIN_OF("huge"));
    make_files("huge/files", 5000);
    counting memory = {0};
    mcpw_skills_options options = limited;
    options.allocator = counting_allocator(&memory);
    world *const w = world_of_tree(&options);
    CHECK(has_only_good(w) && strstr(w->text, "huge") == NULL);
    CHECK(was_reported(w, "the index needs more memory than max_memory: the rest is left out"));
    world_free(w);
    CHECK(memory.in_use == 0);
    tree_end();
}

static void limits_of_a_skill_hold(void) {
    static char large[4096];
    const mcpw_skills_options options = {
        .struct_size = sizeof options, .max_files = 2, .max_bytes = 4096, .max_skills = 2};
    tree_begin();
    tree_text("a/SKILL.md", MAIN_OF("a"));
    tree_text("a/x", "x");
    tree_text("b/SKILL.md", MAIN_OF("b"));
    tree_write("b/large", large, sizeof large);
    tree_text("c/SKILL.md", MAIN_OF("c"));
    tree_text("c/x", "x");
    tree_text("c/y", "y");
    tree_text("d/SKILL.md", MAIN_OF("d"));
    tree_text("e/SKILL.md", MAIN_OF("e"));
    world *const w = world_of_tree(&options);
    CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK);
    CHECK(world_has(w, "skill://a/SKILL.md") && world_has(w, "skill://d/SKILL.md"));
    CHECK(strstr(w->text, "skill://b") == NULL && strstr(w->text, "skill://c") == NULL &&
          strstr(w->text, "skill://e") == NULL);
    CHECK_STRING(w->reported, "b: the skill has more than 4096 bytes\nc: the skill has more than 2 files\n"
                              "e: there are more than 2 skills: the rest is left out\n");
    world_free(w);
    tree_end();
}

static void deep_trees_and_long_paths_end(void) {
    char path[WORLD_PATH] = "deep/SKILL.md";
    tree_begin();
    make_good();
    tree_text(path, MAIN_OF("deep"));
    size_t len = 4;
    for (int i = 0; i < 40; i++) {
        len += (size_t)snprintf(path + len, sizeof path - len, "/d");
    }
    (void)snprintf(path + len, sizeof path - len, "/file");
    tree_text(path, "x");
    (void)snprintf(path, sizeof path, "long/SKILL.md");
    tree_text(path, MAIN_OF("long"));
    len = 4;
    for (int i = 0; i < 6; i++) {
        len += (size_t)snprintf(path + len, sizeof path - len, "/%0200d", i);
    }
    (void)snprintf(path + len, sizeof path - len, "/file");
    tree_text(path, "x");
    world *const w = world_of_tree(NULL);
    CHECK(has_only_good(w) && strstr(w->text, "deep") == NULL && strstr(w->text, "long") == NULL);
    CHECK(was_reported(w, "its directories are nested too deeply") &&
          was_reported(w, "a path in it is too long"));
    world_free(w);
    tree_end();
}

static void so_many_problems_are_reported_at_once(void) {
    enum { BROKEN = 80, REPORTED = 64 };
    tree_begin();
    make_good();
    for (int i = 0; i < BROKEN; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "b%d/SKILL.md", i);
        tree_text(path, "broken");
    }
    world *const w = world_of_tree(NULL);
    CHECK(has_only_good(w) && has_only_good(w));
    CHECK(w->reports == REPORTED);
    world_free(w);
    tree_end();
}

/* The answer to skills/list of a client whose capability is this JSON. */
static const char *answer_for(world *w, const char *settings) {
    static char line[WORLD_PATH];
    mcpw_outgoing message;
    (void)snprintf(line, sizeof line,
                   "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"skills/list\",\"params\":{\"_meta\":{"
                   "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                   "\"io.modelcontextprotocol/clientCapabilities\":{\"extensions\":{\"" MCPW_SKILLS_EXTENSION
                   "\":%s}}}}}",
                   settings);
    CHECK(mcpw_session_receive(w->at_server, line, strlen(line), NULL) == MCPW_OK);
    line[0] = '\0';
    while (mcpw_session_next_message(w->at_server, &message)) {
        (void)snprintf(line, sizeof line, "%.*s", (int)message.text.len, message.text.ptr);
    }
    return line;
}

static void malformed_settings_are_refused_or_ignored(void) {
    static const char *const malformed[] = {"7", "\"x\"", "[]", "true", "null"};
    tree_begin();
    make_good();
    world *const w = world_of_tree(NULL);
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
        const char *const answer = answer_for(w, malformed[i]);
        CHECK(strstr(answer, "\"code\":-32602") != NULL &&
              strstr(answer, "1skills: expected object, got") != NULL);
    }
    CHECK(strstr(answer_for(w, "{\"directoryRead\":\"yes\",\"other\":[1]}"), "skill://good/SKILL.md") !=
          NULL);
    world_free(w);
    tree_end();
}

/* ---- Races ---- */

typedef struct racer {
    pthread_t thread;
    bool stop;
    pthread_mutex_t lock;
    void (*change)(int round);
    int rounds;
} racer;

static bool is_stopped(racer *r) {
    (void)pthread_mutex_lock(&r->lock);
    const bool stopped = r->stop;
    (void)pthread_mutex_unlock(&r->lock);
    return stopped;
}

static void *race(void *user) {
    racer *const r = user;
    for (; !is_stopped(r); r->rounds++) {
        r->change(r->rounds);
    }
    return NULL;
}

static void race_begin(racer *r, void (*change)(int round)) {
    *r = (racer){.change = change};
    (void)pthread_mutex_init(&r->lock, NULL);
    CHECK(pthread_create(&r->thread, NULL, race, r) == 0);
}

static void race_end(racer *r) {
    (void)pthread_mutex_lock(&r->lock);
    r->stop = true;
    (void)pthread_mutex_unlock(&r->lock);
    (void)pthread_join(r->thread, NULL);
    (void)pthread_mutex_destroy(&r->lock);
    CHECK(r->rounds > 0);
}

/* The directory, and a link to one outside, take turns. */
static void swap_for_link(int round) {
    (void)round;
    (void)rename(tree_path("good/sub"), tree_path("aside"));
    (void)symlink("../outside", tree_path("good/sub"));
    (void)remove(tree_path("good/sub"));
    (void)rename(tree_path("aside"), tree_path("good/sub"));
}

static void a_directory_that_is_swapped_for_a_link_leads_nowhere(void) {
    enum { READS = 3000 };
    racer r;
    int answered = 0;
    tree_begin();
    make_good();
    tree_text("good/sub/file.txt", "inside");
    tree_text("outside/file.txt", "outside secret");
    world *const w = world_of_tree(NULL);
    race_begin(&r, swap_for_link);
    for (int i = 0; i < READS; i++) {
        if (world_read(w, "skill://good/sub/file.txt") == MCPW_OK) {
            CHECK(world_has(w, "'text':'inside'"));
            answered++;
        }
        CHECK(strstr(w->text, "secret") == NULL);
        if (i % 16 == 0) {
            CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK && strstr(w->text, "\"size\":14") == NULL);
        }
    }
    race_end(&r);
    CHECK(answered > 0);
    CHECK(world_read(w, "skill://good/sub/file.txt") == MCPW_OK);
    CHECK(world_ask(w, "skills/list", "{}") == MCPW_OK && world_has(w, "good/sub/file.txt"));
    world_free(w);
    tree_end();
}

/* The file has bytes of one kind only, and grows and shrinks. */
static void rewrite(int round) {
    char bytes[512];
    const size_t len = (size_t)(round * 37 % 500) + 1;
    memset(bytes, 'a' + round % 26, len);
    const int fd = open(tree_path("good/file.txt"), O_WRONLY | O_CREAT | O_TRUNC, S_IRUSR | S_IWUSR);
    CHECK(write(fd, bytes, len) == (ssize_t)len);
    (void)close(fd);
}

/* A client reads until file and entry agree: a mismatch shows that something changed, no more. */
static void files_that_change_while_they_are_read_are_consistent_or_refused(void) {
    enum { READS = 400 };
    racer r;
    tree_begin();
    make_good();
    rewrite(0);
    world *const w = world_of_tree(NULL);
    mcpw_skills_client *const client = world_client(w);
    const mcpw_str uri = MCPW_STR("skill://good/SKILL.md");
    race_begin(&r, rewrite);
    for (int i = 0; i < READS; i++) {
        mcpw_arena arena = MCPW_ARENA_INIT;
        mcpw_skill_content content;
        mcpw_error error;
        w->asked[0] = '\0';
        const mcpw_status status =
            mcpw_skills_client_read(client, uri, (mcpw_str)MCPW_STR("file.txt"), &arena, &content, &error);
        CHECK(status == MCPW_OK || status == MCPW_E_VALUE || status == MCPW_E_REMOTE);
        mcpw_arena_free(&arena);
    }
    race_end(&r);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_skill_content content;
    CHECK(mcpw_skills_client_get(client, uri, NULL, NULL) == MCPW_OK);
    CHECK(mcpw_skills_client_read(client, uri, (mcpw_str)MCPW_STR("file.txt"), &arena, &content, NULL) ==
          MCPW_OK);
    CHECK(content.is_verified);
    mcpw_arena_free(&arena);
    mcpw_skills_client_free(client);
    world_free(w);
    tree_end();
}

static void without_memory_nothing_is_lost(void) {
    bool is_done = false;
    tree_begin();
    make_good();
    tree_text("good/a.txt", "abc");
    for (size_t at = 1; !is_done && at < 2000; at++) {
        counting memory = {.fail_at = at, .stingy = true};
        mcpw_skills_options options = MCPW_SKILLS_OPTIONS_INIT;
        mcpw_error error = {MCPW_OK, 0, "", ""};
        options.allocator = counting_allocator(&memory);
        mcpw_server *const server = mcpw_server_new("s", "1", NULL);
        mcpw_skills *const skills = mcpw_server_add_skills(server, world_root, &options, &error);
        is_done = memory.calls < at;
        CHECK(skills != NULL || error.code == MCPW_E_MEMORY);
        CHECK(skills != NULL || !is_done);
        mcpw_server_free(server);
        mcpw_skills_free(skills);
        CHECK(memory.in_use == 0);
    }
    CHECK(is_done);
    tree_end();
}

int main(void) {
    RUN(a_skill_that_breaks_a_rule_is_left_out_alone);
    RUN(links_pipes_and_sockets_are_no_files);
    RUN(what_was_a_file_is_opened_as_a_file_alone);
    RUN(names_that_are_no_text_leave_their_skill_out);
    RUN(a_skill_of_100000_files_is_left_out);
    RUN(the_index_keeps_its_memory);
    RUN(limits_of_a_skill_hold);
    RUN(deep_trees_and_long_paths_end);
    RUN(so_many_problems_are_reported_at_once);
    RUN(malformed_settings_are_refused_or_ignored);
    RUN(a_directory_that_is_swapped_for_a_link_leads_nowhere);
    RUN(files_that_change_while_they_are_read_are_consistent_or_refused);
    RUN(without_memory_nothing_is_lost);
    return check_end();
}
