/* SPDX-License-Identifier: MIT */
#include "mutant_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *memory) {
    if (memory == NULL) {
        fputs("table mutation: out of memory\n", stderr);
        exit(2);
    }
    return memory;
}

static void *copy_of(const void *from, size_t count, size_t size) {
    void *copy = must(calloc(count + 1, size));
    if (count != 0) {
        memcpy(copy, from, count * size);
    }
    return copy;
}

static void copy_handles(tables *t) {
    const size_t count = t->original->definition_count;
    const mcpw_type **definitions = must(calloc(count + 1, sizeof *definitions));
    t->types = must(calloc(count + 1, sizeof *t->types));
    for (size_t i = 0; i < count; i++) {
        t->types[i] = *t->original->definitions[i];
        t->types[i].revision = &t->revision;
        definitions[i] = &t->types[i];
    }
    t->revision.definitions = definitions;
}

static void number_entries(tables *t) {
    const mcpw_revision *r = t->original;
#define COUNT(entry, member, type, count, name) [entry] = r->count,
    const size_t counts[ENTRY_TABLES] = {[ENTRY_DEFINITION] = r->definition_count, ENTRY_ARRAYS(COUNT)};
#undef COUNT
    t->first[0] = 0;
    for (size_t i = 0; i < ENTRY_TABLES; i++) {
        t->first[i + 1] = t->first[i] + counts[i];
    }
}

static size_t entry_count(const tables *t) { return t->first[ENTRY_TABLES]; }

static size_t entry_of(const tables *t, entry_table table, size_t index) { return t->first[table] + index; }

static const char *pool_text(const tables *t, uint16_t at) { return t->revision.pool + at; }

entry_table tables_of_kind(uint8_t kind) {
    switch (mcpw_kinds[kind].base) {
    case MCPW_KIND_SHAPED:
        return ENTRY_SHAPE;
    case MCPW_KIND_ENUM:
        return ENTRY_ENUM;
    case MCPW_KIND_CONST:
        return ENTRY_CONST;
    case MCPW_KIND_STRUCT:
        return ENTRY_STRUCT;
    case MCPW_KIND_ARRAY:
        return ENTRY_ARRAY;
    case MCPW_KIND_MAP:
        return ENTRY_MAP;
    case MCPW_KIND_UNION:
        return ENTRY_UNION;
    default:
        return ENTRY_TABLES;
    }
}

/* ---- Reach and names: a walk from each definition. ---- */

typedef struct walk {
    tables *t;
    bool *reached; /* of the definition that the walk began at */
} walk;

static void walk_ref(walk *w, mcpw_ref ref, const char *name);

/* Notes an entry; false when the walk was there before. */
static bool enter(walk *w, entry_table table, size_t index, const char *name) {
    const size_t entry = entry_of(w->t, table, index);
    if (w->reached[entry]) {
        return false;
    }
    w->reached[entry] = true;
    if (w->t->names[entry][0] == '\0') {
        (void)snprintf(w->t->names[entry], ENTRY_NAME_SIZE, "%s", name);
    }
    return true;
}

static void walk_struct(walk *w, size_t index) {
    const mcpw_struct *s = &w->t->structs[index];
    const char *owner = pool_text(w->t, s->name);
    if (!enter(w, ENTRY_STRUCT, index, owner)) {
        return;
    }
    char name[ENTRY_NAME_SIZE];
    for (size_t i = 0; i < s->count; i++) {
        const mcpw_row *row = &w->t->rows[s->first + i];
        (void)snprintf(name, sizeof name, "%s.%.*s", owner, row->key_len, pool_text(w->t, row->key) + 1);
        if (enter(w, ENTRY_ROW, (size_t)s->first + i, name)) {
            walk_ref(w, row->value, name);
        }
    }
    (void)snprintf(name, sizeof name, "%s.*", owner);
    walk_ref(w, s->extra_value, name);
}

static void walk_union(walk *w, size_t index) {
    const mcpw_union *u = &w->t->unions[index];
    const char *owner = pool_text(w->t, u->name);
    if (!enter(w, ENTRY_UNION, index, owner)) {
        return;
    }
    char name[ENTRY_NAME_SIZE];
    for (size_t i = 0; i < u->alternative_count; i++) {
        const mcpw_alternative *a = &w->t->alternatives[u->alternatives + i];
        (void)snprintf(name, sizeof name, "%s/%s", owner, pool_text(w->t, a->name));
        if (enter(w, ENTRY_ALTERNATIVE, (size_t)u->alternatives + i, name)) {
            walk_ref(w, a->value, name);
        }
    }
    for (size_t i = 0; i < u->test_count; i++) {
        const mcpw_test *test = &w->t->tests[u->tests + i];
        const bool presence = test->value == MCPW_NO_OFFSET;
        (void)snprintf(name, sizeof name, "%s?%.*s%s%.*s", owner, test->key_len,
                       pool_text(w->t, test->key) + 1, presence ? "" : "=", presence ? 0 : test->value_len,
                       presence ? "" : pool_text(w->t, test->value) + 1);
        (void)enter(w, ENTRY_TEST, (size_t)u->tests + i, name);
    }
}

static void walk_enum(walk *w, size_t index) {
    const mcpw_enum *e = &w->t->enums[index];
    const char *owner = pool_text(w->t, e->name);
    if (!enter(w, ENTRY_ENUM, index, owner)) {
        return;
    }
    char name[ENTRY_NAME_SIZE];
    for (size_t i = 0; i < e->count; i++) {
        const mcpw_enum_value *value = &w->t->enum_values[e->first + i];
        (void)snprintf(name, sizeof name, "%s=%.*s", owner, value->len, pool_text(w->t, value->text) + 1);
        (void)enter(w, ENTRY_ENUM_VALUE, (size_t)e->first + i, name);
    }
}

static void walk_container(walk *w, mcpw_ref ref, const char *name) {
    char inner[ENTRY_NAME_SIZE];
    const bool array = ref.kind == MCPW_KIND_ARRAY;
    (void)snprintf(inner, sizeof inner, "%s%s", name, array ? "[]" : "{}");
    if (enter(w, array ? ENTRY_ARRAY : ENTRY_MAP, ref.index, inner)) {
        walk_ref(w, array ? w->t->arrays[ref.index].item : w->t->maps[ref.index].value, inner);
    }
}

static void walk_ref(walk *w, mcpw_ref ref, const char *name) {
    char inner[ENTRY_NAME_SIZE];
    if (ref.check != 0) {
        (void)enter(w, ENTRY_CHECK, ref.check, name);
    }
    switch (tables_of_kind(ref.kind)) {
    case ENTRY_SHAPE:
        (void)snprintf(inner, sizeof inner, "%s shape", name);
        if (enter(w, ENTRY_SHAPE, ref.index, inner)) {
            walk_ref(w, w->t->shapes[ref.index], inner);
        }
        break;
    case ENTRY_ENUM:
        walk_enum(w, ref.index);
        break;
    case ENTRY_CONST:
        (void)snprintf(inner, sizeof inner, "const %s", pool_text(w->t, w->t->consts[ref.index].text));
        (void)enter(w, ENTRY_CONST, ref.index, inner);
        break;
    case ENTRY_STRUCT:
        walk_struct(w, ref.index);
        break;
    case ENTRY_ARRAY:
    case ENTRY_MAP:
        walk_container(w, ref, name);
        break;
    case ENTRY_UNION:
        walk_union(w, ref.index);
        break;
    default:
        break;
    }
}

static void find_reach(tables *t) {
    const size_t entries = entry_count(t);
    const size_t definitions = t->original->definition_count;
    t->names = must(calloc(entries + 1, sizeof *t->names));
    t->reached = must(calloc(definitions * entries + 1, sizeof *t->reached));
    t->reach = must(calloc(definitions + 1, sizeof *t->reach));
    for (size_t i = 0; i < definitions; i++) {
        walk w = {t, t->reached + i * entries};
        (void)enter(&w, ENTRY_DEFINITION, i, t->types[i].name);
        walk_ref(&w, t->types[i].ref, t->types[i].name);
        for (size_t e = 0; e < entries; e++) {
            t->reach[i] += w.reached[e];
        }
    }
}

bool tables_reaches(const tables *t, size_t definition, size_t entry) {
    return t->reached[definition * entry_count(t) + entry];
}

void tables_open(tables *t, const mcpw_revision *revision) {
    memset(t, 0, sizeof *t);
    t->original = revision;
    t->revision = *revision;
#define COPY(entry, member, type, count, name)                                                               \
    t->member = copy_of(revision->member, revision->count, sizeof *t->member);                               \
    t->revision.member = t->member;
    ENTRY_ARRAYS(COPY)
#undef COPY
    copy_handles(t);
    number_entries(t);
    find_reach(t);
}

void tables_close(tables *t) {
#define FREE(entry, member, type, count, name) free(t->member);
    ENTRY_ARRAYS(FREE)
#undef FREE
    free(t->types);
    free((void *)(uintptr_t)t->revision.definitions);
    free(t->names);
    free(t->reached);
    free(t->reach);
}
