/* SPDX-License-Identifier: MIT */
/*
 * Front matter and trees of skills: whatever they are, they are taken or refused with a reason, and what is
 * taken keeps the promises of <mcpw/skills.h>.
 *
 * The first byte says what the rest is: a SKILL.md; skills in memory, whose names and contents are separated
 * by NULs; files of a directory, likewise; or the results that a client gets, one after the other.
 */
#define _XOPEN_SOURCE 700
#include "fuzz.h"

#include <mcpw/extension.h>
#include <mcpw/json.h>
#include <mcpw/skills.h>

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KINDS = 4, MOST_FILES = 24, ROOM = 1 << 12, FILES_OPEN = 8, MOST_CALLS = 16 };

static mcpw_str first_of(fuzz_in *in) {
    const uint8_t *const end = in->left != 0 ? memchr(in->at, 0, in->left) : NULL;
    const mcpw_str first = {(const char *)in->at, end != NULL ? (size_t)(end - in->at) : in->left};
    const size_t used = first.len + (end != NULL ? 1 : 0);
    in->at += used;
    in->left -= used;
    return first;
}

static void check_error(const mcpw_error *error, mcpw_status status) {
    FUZZ_ASSERT(status != MCPW_OK && error->code == status);
    FUZZ_ASSERT(error->message[0] != '\0' && memchr(error->message, 0, sizeof error->message) != NULL);
}

/* ---- Front matter -------------------------------------------------------------------------------------- */

static void check_frontmatter(mcpw_json json) {
    mcpw_error error;
    FUZZ_ASSERT(mcpw_json_check(json, MCPW_SKILL_FRONTMATTER_DEPTH, &error) == MCPW_OK);
    FUZZ_ASSERT(mcpw_json_kind_of(json) == MCPW_JSON_OBJECT);
    FUZZ_ASSERT(mcpw_json_equal(json, json));
}

static void try_frontmatter(const fuzz_in *in) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_json json = {NULL, 0, 0};
    mcpw_error error;
    const mcpw_status status = mcpw_skill_frontmatter(in->at, in->left, &arena, &json, &error);
    if (status == MCPW_OK) {
        check_frontmatter(json);
    } else {
        check_error(&error, status);
        FUZZ_ASSERT(json.ptr == NULL);
    }
    mcpw_arena_free(&arena);
}

/* ---- A server ------------------------------------------------------------------------------------------ */

static void on_diagnostic(void *user, const char *path, const mcpw_error *error) {
    (void)user;
    check_error(error, error->code);
    for (const char *c = path; *c != '\0'; c++) {
        FUZZ_ASSERT(*c >= ' ' && *c <= '~');
    }
}

/* Both ends, and the last result. */
typedef struct both {
    mcpw_session *server;
    mcpw_session *client;
    mcpw_arena *arena;
    mcpw_json result;
    mcpw_status status;
} both;

static void pump(const both *b) {
    bool moved = true;
    while (moved) {
        mcpw_outgoing message;
        moved = false;
        while (mcpw_session_next_message(b->client, &message)) {
            moved = true;
            FUZZ_ASSERT(mcpw_session_receive(b->server, message.text.ptr, message.text.len, NULL) == MCPW_OK);
        }
        while (mcpw_session_next_message(b->server, &message)) {
            moved = true;
            FUZZ_ASSERT(message.text.ptr == NULL ||
                        mcpw_session_receive(b->client, message.text.ptr, message.text.len, NULL) == MCPW_OK);
        }
    }
}

static void on_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    both *const b = user;
    (void)session;
    b->status = reply->status;
    if (reply->status == MCPW_OK) {
        const mcpw_str copy = mcpw_arena_str(b->arena, reply->text.ptr, reply->text.len);
        b->result = mcpw_json_of(copy.ptr, copy.len);
    }
}

static mcpw_status ask(void *user, const char *method, mcpw_json params, mcpw_arena *arena, mcpw_json *result,
                       mcpw_error *error) {
    both *const b = user;
    b->arena = arena;
    b->status = MCPW_PENDING;
    const mcpw_status status =
        mcpw_session_request_named(b->client, method, params, NULL, on_reply, b, NULL, error);
    FUZZ_ASSERT(status == MCPW_OK);
    pump(b);
    *result = b->result;
    return b->status == MCPW_OK ? MCPW_OK : mcpw_error_set(error, b->status, 0, "refused");
}

static void on_invalid(void *user, mcpw_str uri, const mcpw_error *error) {
    (void)user;
    (void)uri;
    (void)fprintf(stderr, "the server has listed an invalid entry: %s\n", error->message);
    abort();
}

static bool on_skill(void *user, const mcpw_skill_entry *entry) {
    (void)user;
    check_frontmatter(entry->frontmatter);
    FUZZ_ASSERT(entry->file_count != 0 && entry->file_count <= MCPW_SKILL_MAX_FILES);
    return true;
}

/* Lists what a server has: a client of ours must find all of it valid. */
static void list_all(mcpw_server *server) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_session_config own = MCPW_SESSION_CONFIG_INIT;
    mcpw_skills_client_options options = MCPW_SKILLS_CLIENT_OPTIONS_INIT;
    mcpw_error error;
    both b = {0};
    config.role = MCPW_ROLE_SERVER;
    config.server = server;
    own.role = MCPW_ROLE_CLIENT;
    own.name = own.version = "1";
    FUZZ_ASSERT(mcpw_client_add_skills(&own, &error) == MCPW_OK);
    b.server = mcpw_session_new(&config, &error);
    b.client = mcpw_session_new(&own, &error);
    FUZZ_ASSERT(b.server != NULL && b.client != NULL && mcpw_session_open(b.client) == MCPW_OK);
    pump(&b);
    options.server = "fuzz";
    options.ask = ask;
    options.user = &b;
    mcpw_skills_client *const client = mcpw_skills_client_new(&options, &error);
    FUZZ_ASSERT(mcpw_skills_client_list(client, on_skill, on_invalid, &b, &error) == MCPW_OK);
    mcpw_skills_client_free(client);
    mcpw_session_free(b.client);
    mcpw_session_free(b.server);
    mcpw_extensions_free(own.extensions);
}

static mcpw_skills *add(mcpw_server *server, const char *directory) {
    mcpw_skills_options options = MCPW_SKILLS_OPTIONS_INIT;
    mcpw_error error;
    options.on_diagnostic = on_diagnostic;
    options.page_size = 2;
    mcpw_skills *const skills = mcpw_server_add_skills(server, directory, &options, &error);
    FUZZ_ASSERT(skills != NULL);
    return skills;
}

/* The text with a NUL after it. */
static const char *name_of(fuzz_in *in, char room[ROOM]) {
    const mcpw_str text = first_of(in);
    (void)snprintf(room, ROOM, "%.*s", (int)(text.len < ROOM ? text.len : ROOM - 1), text.ptr);
    return room;
}

static void try_memory(fuzz_in *in) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_skills *const skills = add(server, NULL);
    char path[ROOM];
    char names[2][ROOM];
    while (in->left != 0) {
        mcpw_skill_file files[2];
        mcpw_error error;
        const mcpw_skill skill = {.path = name_of(in, path), .files = files, .file_count = 2};
        for (size_t i = 0; i < 2; i++) {
            files[i] = (mcpw_skill_file){.path = name_of(in, names[i])};
            const mcpw_str bytes = first_of(in);
            files[i].bytes = bytes.ptr;
            files[i].len = bytes.len;
        }
        const mcpw_status status = mcpw_skills_add(skills, &skill, &error);
        if (status != MCPW_OK) {
            check_error(&error, status);
        }
    }
    list_all(server);
    mcpw_server_free(server);
    mcpw_skills_free(skills);
}

/* ---- Directories --------------------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *status, int flag, struct FTW *place) {
    (void)status;
    (void)flag;
    (void)place;
    return remove(path);
}

/* Makes a file, a link or a pipe below the root; no name leads up. */
static void make_file(int root, char *path, mcpw_str bytes) {
    if (strstr(path, "..") != NULL || path[0] == '/') {
        return;
    }
    for (char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdirat(root, path, S_IRWXU);
        *slash = '/';
    }
    if (bytes.len == 1 && bytes.ptr[0] == '@') {
        (void)symlinkat("/etc/passwd", root, path);
    } else if (bytes.len == 1 && bytes.ptr[0] == '|') {
        (void)mkfifoat(root, path, S_IRWXU);
    } else {
        const int fd = openat(root, path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, S_IRWXU);
        if (fd >= 0) {
            const ssize_t written = write(fd, bytes.ptr, bytes.len);
            (void)written;
            (void)close(fd);
        }
    }
}

static void try_tree(fuzz_in *in) {
    char root[] = "/tmp/mcpw-fuzz-skills-XXXXXX";
    char path[ROOM];
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    FUZZ_ASSERT(mkdtemp(root) != NULL);
    const int fd = open(root, O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < MOST_FILES && in->left != 0; i++) {
        (void)name_of(in, path);
        make_file(fd, path, first_of(in));
    }
    mcpw_skills *const skills = add(server, root);
    list_all(server);
    mcpw_server_free(server);
    mcpw_skills_free(skills);
    (void)close(fd);
    (void)nftw(root, remove_one, FILES_OPEN, FTW_DEPTH | FTW_PHYS);
}

/* ---- A client ------------------------------------------------------------------------------------------ */

static mcpw_status answer(void *user, const char *method, mcpw_json params, mcpw_arena *arena,
                          mcpw_json *result, mcpw_error *error) {
    fuzz_in *const in = user;
    const mcpw_str text = first_of(in);
    (void)method;
    FUZZ_ASSERT(mcpw_json_check(params, 0, NULL) == MCPW_OK);
    if (text.len == 0 || mcpw_json_check(mcpw_json_of(text.ptr, text.len), 0, NULL) != MCPW_OK) {
        return mcpw_error_set(error, MCPW_E_REMOTE, 0, "no answer");
    }
    const mcpw_str copy = mcpw_arena_str(arena, text.ptr, text.len);
    *result = mcpw_json_of(copy.ptr, copy.len);
    return MCPW_OK;
}

static void read_one(mcpw_skills_client *client, mcpw_str skill, const char *file) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_skill_content content;
    mcpw_error error;
    const mcpw_status status =
        mcpw_skills_client_read(client, skill, mcpw_str_from(file), &arena, &content, &error);
    if (status != MCPW_OK) {
        check_error(&error, status);
        FUZZ_ASSERT(content.bytes == NULL);
    } else if (content.is_verified) {
        char digest[MCPW_SKILL_DIGEST_SIZE];
        const mcpw_skill_entry *const entry = mcpw_skills_client_find(client, skill);
        bool is_listed = false;
        mcpw_skill_digest(content.bytes, content.len, digest);
        for (size_t i = 0; i < entry->file_count; i++) {
            is_listed = is_listed || (mcpw_str_equal(entry->files[i].uri, content.uri) &&
                                      mcpw_str_is(entry->files[i].digest, digest));
        }
        FUZZ_ASSERT(is_listed);
    }
    mcpw_arena_free(&arena);
}

static void try_client(fuzz_in *in) {
    static const mcpw_str uri = MCPW_STR("skill://a/SKILL.md");
    mcpw_skills_client_options options = MCPW_SKILLS_CLIENT_OPTIONS_INIT;
    mcpw_error error;
    options.server = "fuzz";
    options.ask = answer;
    options.user = in;
    options.max_skills = 4;
    mcpw_skills_client *const client = mcpw_skills_client_new(&options, &error);
    for (int i = 0; i < MOST_CALLS && in->left != 0; i++) {
        const unsigned call = fuzz_byte(in) % 4;
        mcpw_status status = MCPW_OK;
        if (call == 0) {
            status = mcpw_skills_client_list(client, NULL, NULL, NULL, &error);
        } else if (call == 1) {
            status = mcpw_skills_client_get(client, uri, NULL, &error);
        } else {
            read_one(client, uri, call == 2 ? NULL : "b/c.txt");
        }
        if (status != MCPW_OK) {
            check_error(&error, status);
        }
    }
    mcpw_skills_client_free(client);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_in in = {data, size};
    switch (fuzz_byte(&in) % KINDS) {
    case 0:
        try_frontmatter(&in);
        break;
    case 1:
        try_memory(&in);
        break;
    case 2:
        try_tree(&in);
        break;
    default:
        try_client(&in);
        break;
    }
    return 0;
}
