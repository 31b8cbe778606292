/* SPDX-License-Identifier: MIT */
/*
 * Projects JSON values from one revision to another, for the oracle test of projection.
 *
 * A request is a line "MODE FROM TO METHOD PART LENGTH VALUES", then LENGTH bytes of text, VALUES bytes of an
 * object whose members are the values for what the target requires, and a line feed. MODE is p (mcpw_project)
 * or a (mcpw_adapt); PART is params or result. Answers:
 *
 *   ?                              one of the revisions has no such part
 *   - CODE OFFSET PATH<tab>TEXT    the text is no value of the source
 *   0 CODE OFFSET PATH<tab>TEXT    it cannot be projected
 *   1 LENGTH DROPPED               then LENGTH bytes, a line feed, and a line for each dropped path
 *
 * Called with the argument "types" it lists "REVISION METHOD PART NAME" instead: the definition, or the path
 * to the inline object, that each part is.
 */
#include <mcpw/adapt.h>
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/plan.h>
#include <mcpw/json.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 512, NAME_SIZE = 128, MODE_SIZE = 2, MAX_VALUES = 32, EXIT_USAGE = 2 };

typedef struct request {
    char mode[MODE_SIZE];
    const mcpw_type *from;
    const mcpw_type *to;
    char *text; /* exactly len bytes, so that a sanitizer sees every read beyond them */
    size_t len;
    char *values;
    size_t values_len;
} request;

typedef struct drops {
    mcpw_buffer text;
    size_t count;
} drops;

static void die(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("projection driver: ", stderr);
    (void)vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(EXIT_USAGE);
}

static void put_error(char verdict, const mcpw_error *error) {
    printf("%c %s %zu ", verdict, mcpw_status_name(error->code), error->offset);
    for (const char *p = error->path; *p != '\0'; p++) {
        putchar(*p);
    }
    putchar('\t');
    for (const char *p = error->message; *p != '\0'; p++) {
        putchar(*p == '\n' ? ' ' : *p);
    }
    putchar('\n');
}

static void note_drop(void *user, const char *path) {
    drops *const d = user;
    d->count++;
    if (mcpw_buffer_append(&d->text, path, strlen(path)) != MCPW_OK ||
        mcpw_buffer_append(&d->text, "\n", 1) != MCPW_OK) {
        die("out of memory");
    }
}

static mcpw_members members_of(const char *text, size_t len, mcpw_arena *arena, mcpw_member *room) {
    const mcpw_json object = mcpw_json_of(text, len);
    mcpw_members members = {room, 0};
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json value;
    mcpw_status status = mcpw_json_iterate(object, &it);
    while (status == MCPW_OK && members.count < MAX_VALUES && mcpw_json_next(&it, &key, &value)) {
        status = mcpw_json_string(key, arena, &room[members.count].name);
        room[members.count++].value = value;
    }
    if (status != MCPW_OK) {
        die("the values are no object");
    }
    return members;
}

static void *new_value(const mcpw_type *type) {
    void *const value = calloc(1, mcpw_type_size(type));
    if (value == NULL) {
        die("out of memory");
    }
    return value;
}

/* The projected value; *owned must be freed. */
static mcpw_status project(const request *r, const void *value, mcpw_arena *arena, drops *dropped,
                           const void **out, void **owned, mcpw_error *error) {
    mcpw_member room[MAX_VALUES];
    const mcpw_members values = members_of(r->values, r->values_len, arena, room);
    mcpw_project_options options = MCPW_PROJECT_INIT;
    options.values = values;
    options.on_drop = note_drop;
    options.user = dropped;
    if (r->mode[0] == 'a') {
        return mcpw_adapt(r->from, value, r->to, &options, arena, out, error);
    }
    *owned = new_value(r->to);
    *out = *owned;
    return mcpw_project(r->from, value, r->to, arena, *owned, &options, error);
}

/* The values that a plan needs, made of all values; NULL: nothing, or they do not say enough. */
static const void *make_needed(const mcpw_plan *plan, mcpw_members values, mcpw_arena *arena) {
    mcpw_project_options options = MCPW_PROJECT_INIT;
    const mcpw_type *const needs = mcpw_plan_needs(plan);
    void *const made = needs != NULL ? mcpw_arena_alloc(arena, mcpw_type_size(needs)) : NULL;
    options.values = values;
    return made != NULL && mcpw_project_values(needs, arena, made, &options, NULL) == MCPW_OK ? made : NULL;
}

/* If a plan can be followed it gives the same, and nothing was to be told. text: what projection says;
 * NULL: it, or encoding, fails. The values of a client come after the plan is made, as in sessions. */
static void check_plan(const request *r, const void *value, const mcpw_buffer *text, const drops *dropped) {
    static const char client[] = "io.modelcontextprotocol/";
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer said = MCPW_BUFFER_INIT;
    mcpw_member all[MAX_VALUES];
    mcpw_member first[MAX_VALUES];
    mcpw_plan_options options = {0};
    const mcpw_plan *plan = NULL;
    const void *out = NULL;
    const mcpw_members values = members_of(r->values, r->values_len, &arena, all);
    memcpy(first, all, values.count * sizeof *first);
    for (size_t i = 0; i < values.count; i++) {
        if (strncmp(first[i].name.ptr, client, sizeof client - 1) == 0) {
            first[i].value = (mcpw_json){NULL, 0, 0};
        }
    }
    options.values = (mcpw_members){first, values.count};
    if (mcpw_plan_make(r->from, r->to, &options, &arena, &plan) == MCPW_OK &&
        mcpw_plan_follow(plan, value, make_needed(plan, values, &arena), &arena, &out)) {
        const bool good = mcpw_encode(r->to, out, &said, NULL, NULL) == MCPW_OK;
        if (good != (text != NULL) || (good && (dropped->count != 0 || said.len != text->len ||
                                                memcmp(said.data, text->data, said.len) != 0))) {
            die("a plan says %.*s", (int)said.len, said.data != NULL ? said.data : "");
        }
    }
    mcpw_buffer_free(&said);
    mcpw_arena_free(&arena);
}

static void answer(const request *r) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer text = MCPW_BUFFER_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    drops dropped = {MCPW_BUFFER_INIT, 0};
    mcpw_error error;
    void *const value = new_value(r->from);
    void *owned = NULL;
    const void *out = NULL;
    memset(&error, 0, sizeof error);
    options.flags = MCPW_ALLOW_UNKNOWN; /* for what is no value of the schema */
    if (mcpw_decode(r->from, r->text, r->len, &arena, value, NULL, NULL) != MCPW_OK &&
        mcpw_decode(r->from, r->text, r->len, &arena, value, &options, &error) != MCPW_OK) {
        put_error('-', &error);
    } else if (project(r, value, &arena, &dropped, &out, &owned, &error) != MCPW_OK ||
               mcpw_encode(r->to, out, &text, &options, &error) != MCPW_OK) {
        put_error('0', &error);
        check_plan(r, value, NULL, &dropped);
    } else {
        check_plan(r, value, &text, &dropped);
        printf("1 %zu %zu\n", text.len, dropped.count);
        (void)fwrite(text.data, 1, text.len, stdout);
        putchar('\n');
        if (dropped.count != 0) {
            (void)fwrite(dropped.text.data, 1, dropped.text.len, stdout);
        }
    }
    free(owned);
    free(value);
    mcpw_buffer_free(&dropped.text);
    mcpw_buffer_free(&text);
    mcpw_arena_free(&arena);
}

static const mcpw_type *part_of(const char *revision, const char *method, const char *part) {
    const mcpw_revision *const v = mcpw_find_revision(revision);
    const mcpw_method *const m = mcpw_method_entry(v, mcpw_method_number(v, method, strlen(method)));
    if (m == NULL) {
        return NULL;
    }
    return strcmp(part, "params") == 0 ? mcpw_method_params(m) : mcpw_method_result(m);
}

static char *read_block(size_t len) {
    char *const block = malloc(len);
    if ((block == NULL && len != 0) || fread(block, 1, len, stdin) != len) {
        die("a request is cut short");
    }
    return block;
}

static bool read_request(request *r) {
    char line[LINE_SIZE];
    char from[NAME_SIZE];
    char to[NAME_SIZE];
    char method[NAME_SIZE];
    char part[NAME_SIZE];
    if (fgets(line, sizeof line, stdin) == NULL) {
        return false;
    }
    if (sscanf(line, "%1s %127s %127s %127s %127s %zu %zu", r->mode, from, to, method, part, &r->len,
               &r->values_len) != 7) {
        die("not a request: %s", line);
    }
    r->from = part_of(from, method, part);
    r->to = part_of(to, method, part);
    r->text = read_block(r->len);
    r->values = read_block(r->values_len);
    if (getchar() != '\n') {
        die("a request does not end where it should");
    }
    return true;
}

static void list_types(void) {
    size_t count = 0;
    const mcpw_revision *const *const revisions = mcpw_revisions(&count);
    for (size_t i = 0; i < count; i++) {
        for (int n = 1; n <= mcpw_method_count(revisions[i]); n++) {
            const mcpw_method *const m = mcpw_method_entry(revisions[i], n);
            const mcpw_str name = mcpw_method_name(revisions[i], n);
            const mcpw_type *const parts[] = {mcpw_method_params(m), mcpw_method_result(m)};
            for (size_t k = 0; k < 2; k++) {
                if (parts[k] != NULL) {
                    printf("%s %.*s %s %s\n", mcpw_revision_name(revisions[i]), (int)name.len, name.ptr,
                           k == 0 ? "params" : "result", mcpw_type_name(parts[k]));
                }
            }
        }
    }
}

int main(int argc, char **argv) {
    request r;
    if (argc == 2 && strcmp(argv[1], "types") == 0) {
        list_types();
        return 0;
    }
    while (read_request(&r)) {
        if (r.from == NULL || r.to == NULL) {
            puts("?");
        } else {
            answer(&r);
        }
        free(r.text);
        free(r.values);
    }
    return fflush(stdout) == 0 ? 0 : EXIT_USAGE;
}
