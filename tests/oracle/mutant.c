/* SPDX-License-Identifier: MIT */
/*
 * Table mutation: spoils each entry of a revision's tables in each way, and looks whether a prepared set of
 * labelled texts notices.
 *
 *     oracle_mutant REVISION SAMPLES
 *     oracle_mutant --check
 *
 * Samples of a definition stand together. The second form only says whether the tables of all revisions, as
 * they are, agree with themselves.
 *
 * A sample is a line "DEFINITION<tab>LABEL<tab>MODE<tab>POINTER<tab>UNION<tab>LENGTH", LENGTH bytes of text
 * and a line feed. LABEL is 1 for valid. MODE says which places an error may name: "-" any, "=" the pointer
 * alone, "u" the union too, "i" anything inside the union too.
 *
 * Each mutation runs in a child process on copied tables, so that it may crash. The checks are those of the
 * oracle: the verdict, the place of an error, agreement of decode with validate, and an equal value after
 * decode and encode. Writes "killed<tab>HOW<tab>MUTATION" or "survived<tab><tab>MUTATION" for each, and
 * "unfit<tab>HOW<tab>SAMPLE" for samples that the tables fail as they are.
 */
/* fork, alarm */
#define _POSIX_C_SOURCE 200809L

#include "alternative.h"
#include "mutant_tables.h"

#include <mcpw/arena.h>
#include <mcpw/codec.h>
#include <mcpw/detail/generated.h>
#include <mcpw/error.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE_SIZE = 2048, FIELDS = 6, SECONDS_FOR_A_MUTATION = 20, EXIT_USAGE = 2, SLACK = 4096 };

/* The check that noticed a mutation; also the exit status of the child. */
typedef enum notice {
    NOTICE_NONE,
    NOTICE_VERDICT,
    NOTICE_PLACE,
    NOTICE_DECODE,
    NOTICE_ROUND_TRIP,
    NOTICE_ALTERNATIVE,
    NOTICE_CONSISTENCY,
    NOTICES
} notice;

static const char *const notice_names[NOTICES] = {"",           "verdict",     "place",      "decode",
                                                  "round trip", "alternative", "consistency"};

typedef struct sample {
    size_t definition;
    char *text;
    size_t len;
    char *pointer;
    char *union_pointer;
    char *output; /* of the tables as they are, for valid ones */
    size_t output_len;
    char *alternatives; /* that were decoded, likewise */
    char mode;
    bool valid;
} sample;

typedef struct state {
    tables tables;
    sample *samples;
    size_t count;
    size_t *first; /* sample of each definition */
    size_t *order; /* definitions, the one that reaches least first */
    mcpw_arena arena;
    mcpw_arena other;
    mcpw_buffer out;
    char alternatives[ALTERNATIVES_SIZE]; /* of the last sample */
} state;

static void die(const char *what, const char *which) {
    (void)fprintf(stderr, "table mutation: %s %s\n", what, which);
    exit(EXIT_USAGE);
}

static void *must(void *memory) {
    if (memory == NULL) {
        die("out of", "memory");
    }
    return memory;
}

static char *text_of(const char *from, size_t len) {
    char *copy = must(malloc(len + 1));
    memcpy(copy, from, len);
    copy[len] = '\0';
    return copy;
}

static size_t find_definition(const tables *t, const char *name) {
    for (size_t i = 0; i < t->original->definition_count; i++) {
        if (strcmp(t->types[i].name, name) == 0) {
            return i;
        }
    }
    die("no definition", name);
    return 0;
}

static bool read_sample(FILE *file, const tables *t, sample *s) {
    char line[LINE_SIZE];
    char *fields[FIELDS];
    if (fgets(line, sizeof line, file) == NULL) {
        return false;
    }
    char *at = line;
    for (size_t i = 0; i < FIELDS; i++) {
        fields[i] = at;
        at += strcspn(at, "\t\n");
        if (*at == '\0') {
            die("not a sample:", line);
        }
        *at++ = '\0';
    }
    s->definition = find_definition(t, fields[0]);
    s->valid = fields[1][0] == '1';
    s->mode = fields[2][0];
    s->pointer = text_of(fields[3], strlen(fields[3]));
    s->union_pointer = text_of(fields[4], strlen(fields[4]));
    s->len = strtoul(fields[5], NULL, 10);
    s->text = must(malloc(s->len + 1));
    if (fread(s->text, 1, s->len, file) != s->len || getc(file) != '\n') {
        die("a sample is cut short:", fields[0]);
    }
    return true;
}

static void free_sample(sample *s) {
    free(s->text);
    free(s->pointer);
    free(s->union_pointer);
    free(s->output);
    free(s->alternatives);
}

static void read_samples(state *st, const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        die("cannot open", path);
    }
    size_t room = 0;
    for (;;) {
        if (st->count == room) {
            room = room * 2 + 1024;
            st->samples = must(realloc(st->samples, room * sizeof *st->samples));
        }
        memset(&st->samples[st->count], 0, sizeof *st->samples);
        if (!read_sample(file, &st->tables, &st->samples[st->count])) {
            break;
        }
        st->count++;
    }
    (void)fclose(file);
}

static bool place_allowed(const sample *s, const char *path) {
    if (s->mode == '-' || strcmp(path, s->pointer) == 0) {
        return true;
    }
    const size_t len = strlen(s->union_pointer);
    if (s->mode == 'u' || s->mode == 'i') {
        return strncmp(path, s->union_pointer, len) == 0 &&
               (path[len] == '\0' || (s->mode == 'i' && path[len] == '/'));
    }
    return false;
}

/* Room for a value; more than its type needs, because a spoiled table may write past it. */
static void *new_value(const mcpw_type *type) { return must(calloc(1, (size_t)type->size + SLACK)); }

/* Whether the output stands for the same value as the sample's text, according to the tables as they are. */
static bool same_value(state *st, const sample *s) {
    const mcpw_type *type = st->tables.original->definitions[s->definition];
    void *a = new_value(type);
    void *b = new_value(type);
    const bool same = mcpw_decode(type, s->text, s->len, &st->other, a, NULL, NULL) == MCPW_OK &&
                      mcpw_decode(type, st->out.data, st->out.len, &st->other, b, NULL, NULL) == MCPW_OK &&
                      mcpw_equal(type, a, b);
    free(a);
    free(b);
    return same;
}

static bool encodes_well(state *st, const mcpw_type *type, const sample *s, const void *value) {
    st->out.len = 0;
    if (mcpw_encode(type, value, &st->out, NULL, NULL) != MCPW_OK ||
        mcpw_validate_value(type, value, &st->other, NULL, NULL) != MCPW_OK) {
        return false;
    }
    if (s->output != NULL && s->output_len == st->out.len &&
        memcmp(s->output, st->out.data, st->out.len) == 0) {
        return true;
    }
    return same_value(st, s);
}

static bool decodes_as_before(state *st, const mcpw_type *type, const sample *s, const void *value) {
    list_alternatives(type, value, st->alternatives);
    return s->alternatives == NULL || strcmp(s->alternatives, st->alternatives) == 0;
}

/* The fault of a type's treatment of a sample. */
static notice check_sample(state *st, const mcpw_type *type, const sample *s) {
    mcpw_error validated = {MCPW_OK, 0, "", ""};
    mcpw_error decoded = {MCPW_OK, 0, "", ""};
    const mcpw_status verdict = mcpw_validate(type, s->text, s->len, &st->arena, NULL, &validated);
    if ((verdict == MCPW_OK) != s->valid) {
        return NOTICE_VERDICT;
    }
    if (!s->valid && !place_allowed(s, validated.path)) {
        return NOTICE_PLACE;
    }
    void *value = new_value(type);
    notice result = NOTICE_NONE;
    const mcpw_status status = mcpw_decode(type, s->text, s->len, &st->arena, value, NULL, &decoded);
    if (status != verdict || strcmp(validated.path, decoded.path) != 0 ||
        validated.offset != decoded.offset) {
        result = NOTICE_DECODE;
    } else if (s->valid && !encodes_well(st, type, s, value)) {
        result = NOTICE_ROUND_TRIP;
    } else if (s->valid && !decodes_as_before(st, type, s, value)) {
        result = NOTICE_ALTERNATIVE;
    }
    free(value);
    mcpw_arena_reset(&st->arena);
    mcpw_arena_reset(&st->other);
    return result;
}

/* The tables as they are must pass, and what they write is kept for comparison. A sample that does not pass
 * is reported and left out. */
static void check_baseline(state *st) {
    size_t kept = 0;
    for (size_t i = 0; i < st->count; i++) {
        sample *s = &st->samples[i];
        const notice found = check_sample(st, &st->tables.types[s->definition], s);
        if (found != NOTICE_NONE) {
            printf("unfit\t%s\tsample %zu, a %s\n", notice_names[found], i,
                   st->tables.types[s->definition].name);
            free_sample(s);
            continue;
        }
        if (s->valid) {
            s->output = text_of(st->out.data, st->out.len);
            s->output_len = st->out.len;
            s->alternatives = text_of(st->alternatives, strlen(st->alternatives));
        }
        st->samples[kept++] = *s;
    }
    st->count = kept;
}

static notice run_definition(state *st, size_t definition) {
    for (size_t i = st->first[definition]; i < st->count && st->samples[i].definition == definition; i++) {
        const notice found = check_sample(st, &st->tables.types[definition], &st->samples[i]);
        if (found != NOTICE_NONE) {
            return found;
        }
    }
    return NOTICE_NONE;
}

/* In the child: runs the samples of all definitions that reach the entry. If the entry repeats others, only a
 * comparison with them can notice, and that comes first. */
static notice run_samples(state *st, size_t entry, bool redundant) {
    char what[LINE_SIZE];
    if (redundant && !tables_consistent(&st->tables.revision, what, sizeof what)) {
        return NOTICE_CONSISTENCY;
    }
    for (size_t i = 0; i < st->tables.original->definition_count; i++) {
        const notice found =
            tables_reaches(&st->tables, st->order[i], entry) ? run_definition(st, st->order[i]) : NOTICE_NONE;
        if (found != NOTICE_NONE) {
            return found;
        }
    }
    return tables_consistent(&st->tables.revision, what, sizeof what) ? NOTICE_NONE : NOTICE_CONSISTENCY;
}

static void try_mutation(void *user, tables *t, size_t entry, bool redundant, const char *name) {
    state *st = user;
    (void)t;
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child < 0) {
        die("cannot", "fork");
    }
    if (child == 0) {
        /* The output of a crashing allocator is of no interest. */
        (void)!freopen("/dev/null", "w", stderr);
        (void)alarm(SECONDS_FOR_A_MUTATION);
        _exit((int)run_samples(st, entry, redundant));
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child) {
        die("lost a", "child");
    }
    const char *how = "crash";
    if (WIFEXITED(status) && WEXITSTATUS(status) < NOTICES) {
        how = notice_names[WEXITSTATUS(status)];
    }
    const bool killed = how[0] != '\0';
    printf("%s\t%s\t%s\n", killed ? "killed" : "survived", how, name);
}

/* Insertion sort: a definition's count is small, and qsort cannot be told which tables to look at. */
static void order_definitions(state *st) {
    const size_t count = st->tables.original->definition_count;
    const size_t *reach = st->tables.reach;
    st->order = must(calloc(count + 1, sizeof *st->order));
    st->first = must(calloc(count + 1, sizeof *st->first));
    for (size_t i = st->count; i-- > 0;) {
        st->first[st->samples[i].definition] = i;
    }
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        while (at > 0 && reach[st->order[at - 1]] > reach[i]) {
            st->order[at] = st->order[at - 1];
            at--;
        }
        st->order[at] = i;
    }
}

static void close_state(state *st) {
    for (size_t i = 0; i < st->count; i++) {
        free_sample(&st->samples[i]);
    }
    free(st->samples);
    free(st->order);
    free(st->first);
    mcpw_arena_free(&st->arena);
    mcpw_arena_free(&st->other);
    mcpw_buffer_free(&st->out);
    tables_close(&st->tables);
}

static int check_all(void) {
    size_t count = 0;
    int result = 0;
    const mcpw_revision *const *revisions = mcpw_revisions(&count);
    for (size_t i = 0; i < count; i++) {
        char what[LINE_SIZE] = "consistent";
        result |= !tables_consistent(revisions[i], what, sizeof what);
        printf("%s: %s\n", revisions[i]->name, what);
    }
    return result;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--check") == 0) {
        return check_all();
    }
    if (argc != 3) {
        die("usage:", "oracle_mutant REVISION SAMPLES | --check");
    }
    const mcpw_revision *revision = mcpw_find_revision(argv[1]);
    if (revision == NULL) {
        die("no revision", argv[1]);
    }
    state st;
    memset(&st, 0, sizeof st);
    st.arena = (mcpw_arena)MCPW_ARENA_INIT;
    st.other = (mcpw_arena)MCPW_ARENA_INIT;
    st.out = (mcpw_buffer)MCPW_BUFFER_INIT;
    tables_open(&st.tables, revision);
    read_samples(&st, argv[2]);
    check_baseline(&st);
    order_definitions(&st);
    tables_each_mutation(&st.tables, try_mutation, &st);
    close_state(&st);
    return 0;
}
