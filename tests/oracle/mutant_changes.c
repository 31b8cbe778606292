/* SPDX-License-Identifier: MIT */
/* Every way to spoil an entry: kinds, presence, constraints, and how unions choose. */
#include "mutant_tables.h"

#include <stdarg.h>
#include <stdio.h>

enum { SAME_LEVELS = 4 }; /* how deep two types are compared before they pass as the same */

typedef struct context {
    tables *t;
    mutation_callback callback;
    void *user;
    bool redundant; /* what is spoiled says only once more what other entries say */
} context;

static const char *const kind_names[MCPW_KIND_COUNT] = {
    "end",
    "string",
    "json",
    "json object",
    "shaped",
    "integer",
    "optional integer",
    "number",
    "optional number",
    "boolean",
    "optional boolean",
    "enum",
    "const",
    "optional const",
    "id",
    "struct",
    "struct pointer",
    "array",
    "map",
    "union",
    "union pointer",
    "null",
    "integer of 32 bits",
};

#define NAME(entry, member, type, count, name) [entry] = (name),
static const char *const table_names[ENTRY_TABLES] = {[ENTRY_DEFINITION] = "definition", ENTRY_ARRAYS(NAME)};
#undef NAME

static const char *table_name(const tables *t, size_t entry) {
    size_t table = 0;
    while (entry >= t->first[table + 1]) {
        table++;
    }
    return table_names[table];
}

/* Reports the entry as it is now: spoiled. Entries that no definition reaches have no name and are left out.
 */
static void report(context *c, size_t entry, const char *format, ...) {
    if (c->t->names[entry][0] == '\0') {
        return;
    }
    char change[ENTRY_NAME_SIZE / 2];
    char name[MUTATION_NAME_SIZE];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(change, sizeof change, format, args);
    va_end(args);
    (void)snprintf(name, sizeof name, "%s %s: %s", table_name(c->t, entry), c->t->names[entry], change);
    c->callback(c->user, c->t, entry, c->redundant, name);
}

/* The kind that reads the same values and is stored in the other way, or itself. */
static uint8_t other_storage(uint8_t kind) {
    const uint8_t base = mcpw_kinds[kind].base;
    if (base != kind) {
        return base;
    }
    for (uint8_t other = 0; other < MCPW_KIND_COUNT; other++) {
        if (other != kind && mcpw_kinds[other].base == kind) {
            return other;
        }
    }
    return kind;
}

static bool is_numeric(uint8_t kind) { return mcpw_is_number((mcpw_ref){kind, 0, 0}); }

/* Another simple kind in place of the one that is there. */
static void change_kind(context *c, size_t entry, mcpw_ref *ref, bool optional, const char *where) {
    static const uint8_t simple[] = {MCPW_KIND_STRING,  MCPW_KIND_JSON,   MCPW_KIND_JSON_OBJECT,
                                     MCPW_KIND_INTEGER, MCPW_KIND_NUMBER, MCPW_KIND_BOOLEAN,
                                     MCPW_KIND_ID,      MCPW_KIND_NULL};
    const mcpw_ref before = *ref;
    for (size_t i = 0; i < sizeof simple; i++) {
        uint8_t kind = simple[i];
        if (kind == before.kind || kind == other_storage(before.kind)) {
            continue;
        }
        if (optional && other_storage(kind) != kind) {
            kind = other_storage(kind);
        }
        *ref = (mcpw_ref){kind, 0, 0};
        if (is_numeric(before.kind) && is_numeric(kind)) {
            ref->check = before.check;
        }
        report(c, entry, "%s%s becomes %s", where, kind_names[before.kind], kind_names[kind]);
        *ref = before;
    }
}

static size_t entries_of_kind(const tables *t, uint8_t kind) {
    const entry_table table = tables_of_kind(kind);
    return table != ENTRY_TABLES ? t->first[table + 1] - t->first[table] : 0;
}

static bool same_meaning(const tables *t, mcpw_ref a, mcpw_ref b, unsigned levels);

static bool same_structs(const tables *t, const mcpw_struct *a, const mcpw_struct *b, unsigned levels) {
    if (a->count != b->count || a->required != b->required ||
        !same_meaning(t, a->extra_value, b->extra_value, levels)) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        const mcpw_row *x = &t->rows[a->first + i];
        const mcpw_row *y = &t->rows[b->first + i];
        if (x->key != y->key || !same_meaning(t, x->value, y->value, levels)) {
            return false;
        }
    }
    return true;
}

static bool same_unions(const tables *t, const mcpw_union *a, const mcpw_union *b, unsigned levels) {
    bool same = a->alternative_count == b->alternative_count;
    for (size_t i = 0; i < a->alternative_count && same; i++) {
        same = same_meaning(t, t->alternatives[a->alternatives + i].value,
                            t->alternatives[b->alternatives + i].value, levels);
    }
    return same;
}

static bool same_enums(const tables *t, const mcpw_enum *a, const mcpw_enum *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++) {
        same = t->enum_values[a->first + i].text == t->enum_values[b->first + i].text;
    }
    return same;
}

/* Whether two refs describe the same values, so that changing one for the other changes nothing. */
static bool same_meaning(const tables *t, mcpw_ref a, mcpw_ref b, unsigned levels) {
    if (a.kind != b.kind || a.check != b.check) {
        return false;
    }
    if (a.index == b.index || levels == 0) {
        return true;
    }
    switch (tables_of_kind(a.kind)) {
    case ENTRY_STRUCT:
        return same_structs(t, &t->structs[a.index], &t->structs[b.index], levels - 1);
    case ENTRY_ARRAY:
        return same_meaning(t, t->arrays[a.index].item, t->arrays[b.index].item, levels - 1);
    case ENTRY_MAP:
        return same_meaning(t, t->maps[a.index].value, t->maps[b.index].value, levels - 1);
    case ENTRY_SHAPE:
        return same_meaning(t, t->shapes[a.index], t->shapes[b.index], levels - 1);
    case ENTRY_UNION:
        return same_unions(t, &t->unions[a.index], &t->unions[b.index], levels - 1);
    case ENTRY_ENUM:
        return same_enums(t, &t->enums[a.index], &t->enums[b.index]);
    default:
        return false;
    }
}

static void change_index(context *c, size_t entry, mcpw_ref *ref, const char *where) {
    const size_t count = entries_of_kind(c->t, ref->kind);
    const mcpw_ref before = *ref;
    for (size_t i = 1; i < count && same_meaning(c->t, before, *ref, SAME_LEVELS); i++) {
        ref->index = (uint16_t)((before.index + i) % count);
    }
    if (ref->index != before.index && !same_meaning(c->t, before, *ref, SAME_LEVELS)) {
        report(c, entry, "%sanother %s", where, kind_names[ref->kind]);
    }
    *ref = before;
}

static void change_check(context *c, size_t entry, mcpw_ref *ref, const char *where) {
    const mcpw_ref before = *ref;
    if (c->t->checks[ref->check].flags != 0) {
        ref->check = 0;
        report(c, entry, "%sbounds dropped", where);
    } else if (is_numeric(ref->kind)) {
        for (uint8_t i = 1; i < c->t->original->check_count && ref->check == before.check; i++) {
            ref->check = (c->t->checks[i].flags & MCPW_CHECK_MIN) != 0 ? i : before.check;
        }
        if (ref->check != before.check) {
            report(c, entry, "%sbounds added", where);
        }
    }
    *ref = before;
}

static void change_ref(context *c, size_t entry, mcpw_ref *ref, bool optional, const char *where) {
    change_kind(c, entry, ref, optional, where);
    change_index(c, entry, ref, where);
    change_check(c, entry, ref, where);
}

static void change_struct(context *c, size_t index) {
    mcpw_struct *s = &c->t->structs[index];
    for (size_t i = 0; i < s->count; i++) {
        const size_t entry = c->t->first[ENTRY_ROW] + s->first + i;
        mcpw_row *row = &c->t->rows[s->first + i];
        const uint64_t bit = (uint64_t)1 << row->bit;
        const bool required = (s->required & bit) != 0;
        s->required ^= bit;
        report(c, entry, required ? "no longer required" : "required");
        s->required ^= bit;
        change_ref(c, entry, &row->value, !required, "");
        const mcpw_ref before = row->value;
        c->redundant = true;
        row->value.kind = other_storage(before.kind);
        if (row->value.kind != before.kind) {
            report(c, entry, "%s stored as %s", kind_names[before.kind], kind_names[row->value.kind]);
        }
        c->redundant = false;
        row->value = before;
    }
    const size_t entry = c->t->first[ENTRY_STRUCT] + index;
    const mcpw_ref before = s->extra_value;
    change_ref(c, entry, &s->extra_value, false, "other members: ");
    if (before.kind != MCPW_KIND_END) {
        s->extra_value = (mcpw_ref){MCPW_KIND_END, 0, 0};
        report(c, entry, "other members: none allowed");
        s->extra_value = before;
    }
}

static void change_tests(context *c, mcpw_union *u) {
    for (size_t i = 0; i < u->test_count; i++) {
        const size_t entry = c->t->first[ENTRY_TEST] + u->tests + i;
        mcpw_test *test = &c->t->tests[u->tests + i];
        const mcpw_test before = *test;
        test->alternative = (uint8_t)((test->alternative + 1U) % u->alternative_count);
        report(c, entry, "chooses another alternative");
        *test = before;
        test->key = MCPW_POOL_SENTINEL;
        test->key_mask = 0xffff;
        report(c, entry, "never matches");
        *test = before;
    }
}

static void change_union(context *c, size_t index) {
    static const struct {
        uint8_t flag;
        const char *name;
    } flags[] = {{MCPW_UNION_DISJOINT, "disjoint"}, {MCPW_UNION_EXCLUSIVE, "exclusive"}};
    mcpw_union *u = &c->t->unions[index];
    const mcpw_union before = *u;
    const size_t entry = c->t->first[ENTRY_UNION] + index;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        u->flags ^= flags[i].flag;
        report(c, entry, "%s%s", (before.flags & flags[i].flag) != 0 ? "no longer " : "", flags[i].name);
        *u = before;
    }
    for (uint8_t i = 0; i < u->alternative_count; i++) {
        u->otherwise = i;
        if (u->otherwise != before.otherwise) {
            report(c, entry, "otherwise alternative %u", i);
        }
    }
    u->otherwise = MCPW_NO_INDEX;
    if (u->otherwise != before.otherwise) {
        report(c, entry, "otherwise nothing");
    }
    *u = before;
    change_tests(c, u);
}

static void change_alternative(context *c, size_t index) {
    static const char *const types[] = {"object", "array", "string", "number", "boolean", "null"};
    mcpw_alternative *a = &c->t->alternatives[index];
    const mcpw_alternative before = *a;
    const size_t entry = c->t->first[ENTRY_ALTERNATIVE] + index;
    c->redundant = true;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const uint8_t bit = (uint8_t)(1U << i);
        a->is ^= bit;
        report(c, entry, "%s %s", (before.is & bit) != 0 ? "not for" : "also for", types[i]);
        *a = before;
    }
    c->redundant = false;
    change_ref(c, entry, &a->value, false, "");
}

static void change_enum_value(context *c, size_t index) {
    mcpw_enum_value *value = &c->t->enum_values[index];
    const mcpw_enum_value before = *value;
    const size_t entry = c->t->first[ENTRY_ENUM_VALUE] + index;
    value->text = MCPW_POOL_SENTINEL;
    value->mask = 0xffff;
    report(c, entry, "never matches");
    *value = c->t->enum_values[(index + 1) % c->t->original->enum_value_count];
    if (value->text != before.text) {
        report(c, entry, "another text");
    }
    *value = before;
}

static void change_enum(context *c, size_t index) {
    mcpw_enum *e = &c->t->enums[index];
    const size_t next = (size_t)e->first + e->count;
    bool new_text = next < c->t->original->enum_value_count;
    for (size_t i = e->first; i < next && new_text; i++) {
        new_text = c->t->enum_values[i].text != c->t->enum_values[next].text;
    }
    if (new_text) {
        e->count++;
        report(c, c->t->first[ENTRY_ENUM] + index, "one more value");
        e->count--;
    }
}

static void change_const(context *c, size_t index) {
    mcpw_const *value = &c->t->consts[index];
    const mcpw_const before = *value;
    const size_t entry = c->t->first[ENTRY_CONST] + index;
    if (before.is == MCPW_IS_NUMBER) {
        value->integer++;
        report(c, entry, "one more");
    } else {
        *value = c->t->consts[(index + 1) % c->t->original->const_count];
        report(c, entry, "another value");
    }
    *value = before;
}

/* Moves a bound by a step, or lets the bound itself belong to the other side. */
static void change_bound(context *c, size_t index, bool upper) {
    mcpw_check *check = &c->t->checks[index];
    const mcpw_check before = *check;
    const size_t entry = c->t->first[ENTRY_CHECK] + index;
    const char *name = upper ? "maximum" : "minimum";
    for (int step = -1; step <= 1; step += 2) {
        int64_t *bound = upper ? &check->max : &check->min;
        double *number = upper ? &check->max_number : &check->min_number;
        *bound += step;
        *number += step;
        report(c, entry, "%s %s", name, step < 0 ? "one lower" : "one higher");
        *check = before;
    }
    check->flags ^= upper ? MCPW_CHECK_BELOW_MAX : MCPW_CHECK_ABOVE_MIN;
    report(c, entry, "%s exclusive or not", name);
    *check = before;
    check->flags &= (uint8_t) ~(upper ? MCPW_CHECK_MAX : MCPW_CHECK_MIN);
    report(c, entry, "no %s", name);
    *check = before;
}

static void change_check_entry(context *c, size_t index) {
    if ((c->t->checks[index].flags & MCPW_CHECK_MIN) != 0) {
        change_bound(c, index, false);
    }
    if ((c->t->checks[index].flags & MCPW_CHECK_MAX) != 0) {
        change_bound(c, index, true);
    }
}

void tables_each_mutation(tables *t, mutation_callback callback, void *user) {
    context c = {t, callback, user, false};
    const mcpw_revision *r = t->original;
    for (size_t i = 0; i < r->definition_count; i++) {
        change_ref(&c, t->first[ENTRY_DEFINITION] + i, &t->types[i].ref, false, "");
    }
    for (size_t i = 0; i < r->struct_count; i++) {
        change_struct(&c, i);
    }
    for (size_t i = 0; i < r->array_count; i++) {
        change_ref(&c, t->first[ENTRY_ARRAY] + i, &t->arrays[i].item, false, "items: ");
    }
    for (size_t i = 0; i < r->map_count; i++) {
        change_ref(&c, t->first[ENTRY_MAP] + i, &t->maps[i].value, false, "values: ");
    }
    for (size_t i = 0; i < r->union_count; i++) {
        change_union(&c, i);
    }
    for (size_t i = 0; i < r->alternative_count; i++) {
        change_alternative(&c, i);
    }
    for (size_t i = 0; i < r->enum_count; i++) {
        change_enum(&c, i);
    }
    for (size_t i = 0; i < r->enum_value_count; i++) {
        change_enum_value(&c, i);
    }
    for (size_t i = 0; i < r->const_count; i++) {
        change_const(&c, i);
    }
    for (size_t i = 0; i < r->check_count; i++) {
        change_check_entry(&c, i);
    }
    for (size_t i = 0; i < r->shape_count; i++) {
        change_ref(&c, t->first[ENTRY_SHAPE] + i, &t->shapes[i], false, "");
    }
}
