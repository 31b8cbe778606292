/* SPDX-License-Identifier: MIT */
/* The rows of objects, and the names in them. */
#include "../base/sort.h"
#include "compiler.h"

enum { HASH_BITS = 32, MOST_BUCKET_BITS = 24, BUCKETS_A_NAME = 3 };

/* The facts of a keyword about one name. Several may speak of one. */
typedef struct mention {
    mcpw_str text;
    uint32_t hash;
    uint32_t shape;   /* properties; or MCPW_NO_SHAPE */
    uint32_t entails; /* dependentSchemas; or MCPW_NO_SHAPE */
    uint32_t demands; /* dependentRequired: the node of the list; or 0 */
    bool required;
    bool asked; /* somebody asks whether it is there */
    uint32_t node;
} mention;

/* All mentions in an object's schema. */
typedef struct mentions {
    mcpw_compiler *c;
    const mcpw_keyset *keys;
    mention *items;
    uint32_t count;
    bool depends;
} mentions;

static const mcpw_tape *tape_of(const mentions *m) { return mcpw_tape_of(m->c, &m->keys->site); }

static mcpw_site site_at(const mentions *m, uint32_t node) {
    const mcpw_site site = {m->keys->site.document, node, m->keys->site.resource};
    return site;
}

/* ---- collecting ---- */

static mention *add_mention(mentions *m, uint32_t node) {
    mention *const made = m->items + m->count++;
    const mcpw_str text = mcpw_tape_text(tape_of(m), node);
    const mention plain = {
        text, mcpw_hash_text(text.ptr, text.len), MCPW_NO_SHAPE, MCPW_NO_SHAPE, 0, false, false, node};
    *made = plain;
    return made;
}

/* Names in a list. */
static void mention_list(mentions *m, uint32_t list, bool required) {
    const mcpw_tape *const tape = tape_of(m);
    for (uint32_t i = list + 1; i < tape->nodes[list].next && !mcpw_failed(m->c);
         i = mcpw_tape_after(tape, i)) {
        if (tape->nodes[i].type != MCPW_IS_STRING) {
            const mcpw_site at = site_at(m, i);
            mcpw_fault_text(m->c, &at, MCPW_E_TYPE, "the name of a member is a string");
            return;
        }
        mention *const made = add_mention(m, i);
        made->required = required;
        made->asked = true;
    }
}

static void mention_dependency(mentions *m, uint32_t name, bool list_only) {
    const uint32_t type = tape_of(m)->nodes[name + 1].type;
    mention *const made = add_mention(m, name);
    made->asked = true;
    m->depends = true;
    if (type == MCPW_IS_ARRAY) {
        made->demands = name + 1;
        mention_list(m, name + 1, false);
    } else if (list_only) {
        const mcpw_site at = site_at(m, name + 1);
        mcpw_fault_text(m->c, &at, MCPW_E_TYPE, "the names that a member requires are a list");
    } else {
        const mcpw_site part = mcpw_part_of(m->c, &m->keys->site, name + 1);
        made->entails = mcpw_shape_at(m->c, &part);
    }
}

/* The members of the value of a keyword. */
static void mention_map(mentions *m, mcpw_keyword keyword) {
    const mcpw_tape *const tape = tape_of(m);
    const uint32_t map = m->keys->at[keyword];
    if (map == 0) {
        return;
    }
    for (uint32_t i = map + 1; i < tape->nodes[map].next && !mcpw_failed(m->c);
         i = mcpw_tape_after(tape, i + 1)) {
        if (keyword == MCPW_KEY_PROPERTIES) {
            const mcpw_site part = mcpw_part_of(m->c, &m->keys->site, i + 1);
            add_mention(m, i)->shape = mcpw_shape_at(m->c, &part);
        } else if (keyword == MCPW_KEY_DEPENDENT_SCHEMAS && (tape->nodes[i + 1].type & MCPW_IS_SCHEMA) == 0) {
            const mcpw_site at = site_at(m, i + 1);
            mcpw_fault_text(m->c, &at, MCPW_E_TYPE, "a schema is an object or a boolean");
        } else {
            mention_dependency(m, i, keyword == MCPW_KEY_DEPENDENT_REQUIRED);
        }
    }
}

static const mcpw_keyword maps[] = {MCPW_KEY_PROPERTIES, MCPW_KEY_DEPENDENT_REQUIRED,
                                    MCPW_KEY_DEPENDENT_SCHEMAS, MCPW_KEY_DEPENDENCIES};

/* Nodes in the values of all keywords that mention names: at least as many as there are mentions. */
static uint32_t most_mentions(const mentions *m) {
    const mcpw_tape *const tape = tape_of(m);
    const uint32_t required = m->keys->at[MCPW_KEY_REQUIRED];
    uint32_t most = required != 0 ? tape->nodes[required].size : 0;
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        const uint32_t map = m->keys->at[maps[i]];
        if (map == 0) {
            continue;
        }
        most += tape->nodes[map].size;
        for (uint32_t j = map + 1; maps[i] != MCPW_KEY_PROPERTIES && j < tape->nodes[map].next;
             j = mcpw_tape_after(tape, j + 1)) {
            most += tape->nodes[j + 1].type == MCPW_IS_ARRAY ? tape->nodes[j + 1].size : 0;
        }
    }
    return most;
}

/* ---- sorting, joining ---- */

static int compare_mentions(const void *a, const void *b) {
    const mention *const x = a;
    const mention *const y = b;
    if (x->hash != y->hash) {
        return x->hash < y->hash ? -1 : 1;
    }
    if (x->text.len != y->text.len) {
        return x->text.len < y->text.len ? -1 : 1;
    }
    return memcmp(x->text.ptr, y->text.ptr, x->text.len);
}

static const mention **sort_mentions(mcpw_compiler *c, const mention *items, uint32_t count) {
    const mention **const sorted = mcpw_arena_bump(&c->arena, count * sizeof *sorted);
    if (sorted == NULL) {
        c->status = mcpw_error_status(c->error, mcpw_arena_status(&c->arena));
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = items + i;
    }
    mcpw_sort((const void **)sorted, count, compare_mentions);
    return sorted;
}

/* All facts about one name. */
static void join(const mentions *m, mention *all, const mention *one) {
    const bool twice = (one->shape != MCPW_NO_SHAPE && all->shape != MCPW_NO_SHAPE) ||
                       (one->entails != MCPW_NO_SHAPE && all->entails != MCPW_NO_SHAPE) ||
                       (one->demands != 0 && all->demands != 0) || (one->required && all->required);
    if (twice) {
        const mcpw_site at = site_at(m, one->node > all->node ? one->node : all->node);
        mcpw_fault(m->c, &at, MCPW_E_DUPLICATE, "'", one->text, "' occurs twice here");
        return;
    }
    all->shape = one->shape != MCPW_NO_SHAPE ? one->shape : all->shape;
    all->entails = one->entails != MCPW_NO_SHAPE ? one->entails : all->entails;
    all->demands = one->demands != 0 ? one->demands : all->demands;
    all->required = all->required || one->required;
    all->asked = all->asked || one->asked;
}

/* Leaves one mention of each name in a new list, sorted. */
static mention *join_all(const mentions *m, uint32_t *count) {
    const mention **const sorted = sort_mentions(m->c, m->items, m->count);
    mention *const joined = sorted != NULL ? mcpw_arena_bump(&m->c->arena, m->count * sizeof *joined) : NULL;
    *count = 0;
    if (joined == NULL) {
        m->c->status = mcpw_error_status(m->c->error, mcpw_arena_status(&m->c->arena));
        return NULL;
    }
    for (uint32_t i = 0; i < m->count && !mcpw_failed(m->c); i++) {
        if (i > 0 && compare_mentions(sorted[i - 1], sorted[i]) == 0) {
            join(m, joined + *count - 1, sorted[i]);
        } else {
            joined[(*count)++] = *sorted[i];
        }
    }
    return joined;
}

/* ---- rows ---- */

static uint32_t place_of(const mention *joined, uint32_t count, const mention *wanted) {
    uint32_t low = 0;
    while (count > 0) {
        const uint32_t half = count / 2;
        if (compare_mentions(joined + low + half, wanted) < 0) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

/* The names that a name demands, by their places. */
static mcpw_span add_demands(const mentions *m, const mention *joined, uint32_t count, uint32_t list) {
    const mcpw_tape *const tape = tape_of(m);
    mcpw_span span = {m->c->tables[MCPW_TABLE_NUMBERS].count, 0};
    for (uint32_t i = list + 1; list != 0 && i < tape->nodes[list].next; i++) {
        mention wanted;
        wanted.text = mcpw_tape_text(tape, i);
        wanted.hash = mcpw_hash_text(wanted.text.ptr, wanted.text.len);
        const uint32_t place = place_of(joined, count, &wanted);
        (void)mcpw_add_row(m->c, MCPW_TABLE_NUMBERS, &place);
        span.count++;
    }
    return span;
}

static void add_names(const mentions *m, const mention *joined, uint32_t count, mcpw_object_row *row) {
    uint32_t other = 0;
    for (uint32_t i = 0; i < count; i++) {
        row->required += joined[i].required;
    }
    row->names.first = m->c->tables[MCPW_TABLE_NAMES].count;
    row->names.count = count;
    uint32_t required = 0;
    for (uint32_t i = 0; i < count && !mcpw_failed(m->c); i++) {
        const mention *const j = joined + i;
        const mcpw_name name = {
            j->hash,    mcpw_add_text(m->c, j->text),
            j->shape,   j->required ? required++ : j->asked ? row->required + other++ : MCPW_NO_BIT,
            j->entails, add_demands(m, joined, count, j->demands)};
        (void)mcpw_add_row(m->c, MCPW_TABLE_NAMES, &name);
    }
    row->bits = row->required + other;
}

/* Some four buckets a name, so that few have two. */
static void add_buckets(mcpw_compiler *c, mcpw_object_row *row) {
    uint32_t bits = 1;
    while (bits < MOST_BUCKET_BITS && (UINT32_C(1) << bits) < BUCKETS_A_NAME * row->names.count) {
        bits++;
    }
    row->bucket_bits = bits;
    row->buckets = c->tables[MCPW_TABLE_NUMBERS].count;
    uint32_t name = 0;
    for (uint32_t bucket = 0; bucket <= UINT32_C(1) << bits && !mcpw_failed(c); bucket++) {
        while (name < row->names.count) {
            const mcpw_name *const n = mcpw_row_at(c, MCPW_TABLE_NAMES, row->names.first + name);
            if (n->hash >> (HASH_BITS - bits) >= bucket) {
                break;
            }
            name++;
        }
        (void)mcpw_add_row(c, MCPW_TABLE_NUMBERS, &name);
    }
}

static void compile_names(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_object_row *row) {
    mentions m = {c, keys, NULL, 0, false};
    uint32_t count = 0;
    const uint32_t most = most_mentions(&m);
    if (most == 0 || mcpw_failed(c)) {
        return;
    }
    m.items = mcpw_arena_bump(&c->arena, most * sizeof *m.items);
    if (m.items == NULL) {
        c->status = mcpw_error_status(c->error, mcpw_arena_status(&c->arena));
        return;
    }
    for (size_t i = 0; i < sizeof maps / sizeof *maps && !mcpw_failed(c); i++) {
        mention_map(&m, maps[i]);
    }
    if (keys->at[MCPW_KEY_REQUIRED] != 0 && !mcpw_failed(c)) {
        mention_list(&m, keys->at[MCPW_KEY_REQUIRED], true);
    }
    const mention *const joined = mcpw_failed(c) ? NULL : join_all(&m, &count);
    if (mcpw_failed(c)) {
        return;
    }
    row->depends = m.depends;
    add_names(&m, joined, count, row);
    add_buckets(c, row);
}

static void compile_patterns(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_object_row *row) {
    const mcpw_tape *const tape = mcpw_tape_of(c, &keys->site);
    const uint32_t map = keys->at[MCPW_KEY_PATTERN_PROPERTIES];
    row->patterns.first = c->tables[MCPW_TABLE_NUMBERS].count;
    for (uint32_t i = map + 1; map != 0 && i < tape->nodes[map].next && !mcpw_failed(c);
         i = mcpw_tape_after(tape, i + 1)) {
        const mcpw_site at = {keys->site.document, i, keys->site.resource};
        const mcpw_site part = mcpw_part_of(c, &keys->site, i + 1);
        const uint32_t pair[2] = {mcpw_compile_pattern(c, &at, mcpw_tape_text(tape, i)),
                                  mcpw_shape_at(c, &part)};
        (void)mcpw_add_rows(c, MCPW_TABLE_NUMBERS, pair, 2);
        row->patterns.count++;
    }
}

uint32_t mcpw_compile_object(mcpw_compiler *c, const mcpw_keyset *keys) {
    mcpw_object_row row;
    memset(&row, 0, sizeof row);
    row.least = mcpw_count_of(c, keys, MCPW_KEY_MIN_PROPERTIES, 0);
    row.most = mcpw_count_of(c, keys, MCPW_KEY_MAX_PROPERTIES, MCPW_NO_LIMIT);
    row.additional = MCPW_SHAPE_TRUE;
    row.property_names = MCPW_SHAPE_TRUE;
    compile_names(c, keys, &row);
    compile_patterns(c, keys, &row);
    if (keys->at[MCPW_KEY_ADDITIONAL_PROPERTIES] != 0) {
        row.additional = mcpw_shape_of(c, keys, MCPW_KEY_ADDITIONAL_PROPERTIES);
        row.says_additional = true;
    }
    if (keys->at[MCPW_KEY_PROPERTY_NAMES] != 0) {
        row.property_names = mcpw_shape_of(c, keys, MCPW_KEY_PROPERTY_NAMES);
    }
    const bool says = row.least != 0 || row.most != MCPW_NO_LIMIT || row.names.count != 0 ||
                      row.patterns.count != 0 || row.says_additional != 0 ||
                      row.property_names != MCPW_SHAPE_TRUE;
    return says && !mcpw_failed(c) ? mcpw_add_row(c, MCPW_TABLE_OBJECT_ROWS, &row) : 0;
}

/* ---- words of an enum ---- */

mcpw_span mcpw_compile_words(mcpw_compiler *c, const mcpw_str *words, uint32_t count) {
    const mcpw_span none = {0, 0};
    mention *const items = mcpw_arena_bump(&c->arena, count * sizeof *items);
    if (items == NULL) {
        c->status = mcpw_error_status(c->error, mcpw_arena_status(&c->arena));
        return none;
    }
    for (uint32_t i = 0; i < count; i++) {
        items[i].text = words[i];
        items[i].hash = mcpw_hash_text(words[i].ptr, words[i].len);
    }
    const mention **const sorted = sort_mentions(c, items, count);
    mcpw_span span = {c->tables[MCPW_TABLE_NAMES].count, 0};
    for (uint32_t i = 0; sorted != NULL && i < count && !mcpw_failed(c); i++) {
        if (i == 0 || compare_mentions(sorted[i - 1], sorted[i]) != 0) {
            const mcpw_name name = {sorted[i]->hash, mcpw_add_text(c, sorted[i]->text),
                                    MCPW_NO_SHAPE,   MCPW_NO_BIT,
                                    MCPW_NO_SHAPE,   {0, 0}};
            (void)mcpw_add_row(c, MCPW_TABLE_NAMES, &name);
            span.count++;
        }
    }
    return span;
}
