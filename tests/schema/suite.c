/* SPDX-License-Identifier: MIT */
/* The verdicts of the official JSON Schema Test Suite, one dialect: usage
 *     suite SUITE DIALECT [FILE...]
 * where SUITE has the folders tests and remotes, and FILE is one below tests/DIALECT, without which all
 * required ones are run. Each test whose verdict differs is printed. */
#include <mcpw/json.h>
#include <mcpw/pcre2.h>
#include <mcpw/schema.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

enum { PATH_SIZE = 1024, MOST_REMOTES = 256 };

/* Texts that were read, which stay until the end. */
typedef struct library {
    const char *root;
    char *texts[MOST_REMOTES];
    size_t count;
} library;

typedef struct run {
    library *books;
    mcpw_schema_options options;
    mcpw_arena scratch;
    const char *file;
    size_t passed;
    size_t failed;
} run;

static char *read_file(const char *path, size_t *len) {
    FILE *const file = fopen(path, "rb");
    char *text = NULL;
    *len = 0;
    if (file == NULL) {
        return NULL;
    }
    for (size_t room = 1 << 16;; room *= 2) {
        char *const more = realloc(text, room);
        if (more == NULL) {
            exit(2);
        }
        text = more;
        *len += fread(text + *len, 1, room - *len, file);
        if (*len < room) {
            break;
        }
    }
    (void)fclose(file);
    return text;
}

/* The remotes stand where the suite says that a server gives them. */
static mcpw_status resolve(void *user, const char *uri, mcpw_json *document) {
    static const char base[] = "http://localhost:1234/";
    library *const books = user;
    char path[PATH_SIZE];
    if (strncmp(uri, base, sizeof base - 1) != 0 || books->count == MOST_REMOTES) {
        return MCPW_E_NOT_FOUND;
    }
    (void)snprintf(path, sizeof path, "%s/remotes/%s", books->root, uri + sizeof base - 1);
    size_t len = 0;
    char *const text = read_file(path, &len);
    if (text == NULL) {
        return MCPW_E_NOT_FOUND;
    }
    books->texts[books->count++] = text;
    document->ptr = text;
    document->len = len;
    return MCPW_OK;
}

static void tell(run *r, mcpw_json group, mcpw_json test, const char *what, const mcpw_error *error) {
    r->failed++;
    (void)printf("%s: %.*s: %.*s: %s: %s %s\n", r->file, (int)group.len, group.ptr, (int)test.len, test.ptr,
                 what, error->path, error->message);
}

static mcpw_json member(mcpw_json object, const char *name) {
    mcpw_json value = {NULL, 0, 0};
    (void)!mcpw_json_get(object, name, &value);
    return value;
}

static void run_group(run *r, mcpw_json group) {
    mcpw_schema *schema = NULL;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_json_iter tests;
    mcpw_json test;
    const mcpw_json text = member(group, "schema");
    const mcpw_status compiled = mcpw_schema_compile(text.ptr, text.len, &r->options, &schema, &error);
    if (mcpw_json_iterate(member(group, "tests"), &tests) != MCPW_OK) {
        return;
    }
    while (mcpw_json_next(&tests, NULL, &test)) {
        const mcpw_json description = member(test, "description");
        const mcpw_json data = member(test, "data");
        bool valid = false;
        (void)!mcpw_json_get_bool(test, "valid", &valid);
        if (compiled != MCPW_OK) {
            tell(r, member(group, "description"), description, "schema is refused", &error);
            continue;
        }
        error.path[0] = '\0';
        error.message[0] = '\0';
        const mcpw_status status = mcpw_schema_check(schema, data.ptr, data.len, &r->scratch, NULL, &error);
        if ((status == MCPW_OK) != valid) {
            tell(r, member(group, "description"), description, valid ? "is refused" : "is accepted", &error);
        } else {
            r->passed++;
        }
    }
    mcpw_schema_free(schema);
}

static void run_file(run *r, const char *dialect, const char *name) {
    char path[PATH_SIZE];
    mcpw_json_iter groups;
    mcpw_json group;
    size_t len = 0;
    (void)snprintf(path, sizeof path, "%s/tests/%s/%s", r->books->root, dialect, name);
    char *const text = read_file(path, &len);
    const mcpw_json whole = mcpw_json_of(text, len);
    r->file = name;
    if (text == NULL || mcpw_json_iterate(whole, &groups) != MCPW_OK) {
        (void)printf("%s: cannot be read\n", path);
        r->failed++;
        free(text);
        return;
    }
    while (mcpw_json_next(&groups, NULL, &group)) {
        run_group(r, group);
    }
    free(text);
}

static void run_folder(run *r, const char *dialect) {
    char path[PATH_SIZE];
    (void)snprintf(path, sizeof path, "%s/tests/%s", r->books->root, dialect);
    DIR *const folder = opendir(path);
    const struct dirent *entry = NULL;
    if (folder == NULL) {
        (void)printf("%s: cannot be read\n", path);
        r->failed++;
        return;
    }
    while ((entry = readdir(folder)) != NULL) {
        const char *const dot = strrchr(entry->d_name, '.');
        if (dot != NULL && strcmp(dot, ".json") == 0) {
            run_file(r, dialect, entry->d_name);
        }
    }
    (void)closedir(folder);
}

int main(int argc, char **argv) {
    static library books;
    run r = {&books, MCPW_SCHEMA_OPTIONS_INIT, MCPW_ARENA_INIT, NULL, 0, 0};
    if (argc < 3) {
        (void)fprintf(stderr, "usage: suite SUITE DIALECT [FILE...]\n");
        return 2;
    }
    books.root = argv[1];
    r.options.patterns = mcpw_pcre2();
    r.options.resolve = resolve;
    r.options.user = &books;
    r.options.dialect = strcmp(argv[2], "draft7") == 0         ? MCPW_SCHEMA_DRAFT_07
                        : strcmp(argv[2], "draft2019-09") == 0 ? MCPW_SCHEMA_2019_09
                                                               : MCPW_SCHEMA_2020_12;
    for (int i = 3; i < argc; i++) {
        r.options.flags = strstr(argv[i], "optional/format/") != NULL ? MCPW_SCHEMA_ASSERT_FORMATS : 0;
        run_file(&r, argv[2], argv[i]);
    }
    if (argc == 3) {
        run_folder(&r, argv[2]);
    }
    (void)printf("%s: %zu as the suite says, %zu not\n", argv[2], r.passed, r.failed);
    mcpw_arena_free(&r.scratch);
    while (books.count > 0) {
        free(books.texts[--books.count]);
    }
    return r.failed != 0;
}
