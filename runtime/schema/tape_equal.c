/* SPDX-License-Identifier: MIT */
/* Equality of values, as JSON Schema has it (2020-12 core, section 4.2.2). Values with many members or items
 * are sorted first, so that no order of theirs costs more than another. */
#include "tape.h"

#include "../base/sort.h"
#include "../json/number_parts.h"

enum { FEW = 8 /* members and items that are looked for one by one */, BYTES_A_STEP = 64 /* in a row */ };

/* A member or item that is sorted by its hash. */
typedef struct entry {
    const char *text; /* of the name; NULL for items */
    uint32_t len;
    uint32_t hash;
    uint32_t node;
} entry;

static bool pay(mcpw_comparer *c, uint64_t work) {
    if (c->work < work) {
        c->work = 0;
        c->status = MCPW_E_WORK;
        return false;
    }
    c->work -= work;
    return true;
}

static bool same_bytes(const mcpw_tape *a, uint32_t x, const mcpw_tape *b, uint32_t y) {
    const mcpw_tape_node *const m = a->nodes + x;
    const mcpw_tape_node *const n = b->nodes + y;
    return m->size == n->size && memcmp(a->text + m->at, b->text + n->at, m->size) == 0;
}

static bool same_paid_bytes(mcpw_comparer *c, const mcpw_tape *a, uint32_t x, const mcpw_tape *b,
                            uint32_t y) {
    return a->nodes[x].size == b->nodes[y].size && pay(c, a->nodes[x].size / BYTES_A_STEP) &&
           same_bytes(a, x, b, y);
}

/* ---- sorting ---- */

static int by_number(uint32_t a, uint32_t b) { return a < b ? -1 : a > b; }

/* Those of one name stay in their order. */
static int by_hash(const void *a, const void *b) {
    const entry *const x = a;
    const entry *const y = b;
    int order = by_number(x->hash, y->hash);
    if (order == 0 && x->text != NULL) {
        order = by_number(x->len, y->len);
        order = order != 0 ? order : memcmp(x->text, y->text, x->len);
    }
    return order != 0 ? order : by_number(x->node, y->node);
}

/* Each level of the sort compares each entry, and texts of one hash and length as a whole. */
static const entry **sort_entries(mcpw_comparer *c, const entry *entries, uint32_t count, uint64_t bytes) {
    uint64_t levels = 1;
    for (uint32_t left = count; left > 1; left /= 2) {
        levels++;
    }
    if (!pay(c, levels * (count + bytes / BYTES_A_STEP))) {
        return NULL;
    }
    const entry **const sorted = mcpw_arena_bump(c->scratch, count * sizeof *sorted);
    if (sorted == NULL) {
        c->status = mcpw_arena_status(c->scratch);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = entries + i;
    }
    mcpw_sort((const void **)sorted, count, by_hash);
    return sorted;
}

/* The members of an object, sorted by name. */
static const entry **sort_members(mcpw_comparer *c, const mcpw_tape *tape, uint32_t object) {
    const mcpw_tape_node *const o = tape->nodes + object;
    entry *const entries = mcpw_arena_bump(c->scratch, o->size * sizeof *entries);
    entry *e = entries;
    uint64_t bytes = 0;
    if (entries == NULL) {
        c->status = mcpw_arena_status(c->scratch);
        return NULL;
    }
    for (uint32_t i = object + 1; i < o->next; i = mcpw_tape_after(tape, i + 1), e++) {
        const mcpw_str name = mcpw_tape_text(tape, i);
        e->text = name.ptr;
        e->len = (uint32_t)name.len;
        bytes += name.len;
        e->hash = tape->nodes[i].next;
        e->node = i;
    }
    return sort_entries(c, entries, o->size, bytes);
}

/* ---- equality ---- */

/* Each name of one object is looked for in the other. With names that repeat this is not exact, so whoever
 * has some sorts. */
static bool equal_few(mcpw_comparer *c, const mcpw_tape *a, uint32_t x, const mcpw_tape *b, uint32_t y) {
    unsigned taken = 0;
    for (uint32_t i = x + 1; i < a->nodes[x].next; i = mcpw_tape_after(a, i + 1)) {
        bool found = false;
        unsigned place = 0;
        for (uint32_t j = y + 1; j < b->nodes[y].next && !found; j = mcpw_tape_after(b, j + 1), place++) {
            if ((taken >> place & 1U) == 0 && same_paid_bytes(c, a, i, b, j)) {
                found = true;
                taken |= 1U << place;
                if (!mcpw_tape_equal(c, a, i + 1, b, j + 1)) {
                    return false;
                }
            }
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

static bool equal_many(mcpw_comparer *c, const mcpw_tape *a, uint32_t x, const mcpw_tape *b, uint32_t y) {
    const uint32_t count = a->nodes[x].size;
    const mcpw_mark mark = mcpw_arena_mark(c->scratch);
    const entry **const m = sort_members(c, a, x);
    const entry **const n = m != NULL ? sort_members(c, b, y) : NULL;
    bool equal = n != NULL;
    for (uint32_t i = 0; i < count && equal; i++) {
        equal = same_bytes(a, m[i]->node, b, n[i]->node) &&
                mcpw_tape_equal(c, a, m[i]->node + 1, b, n[i]->node + 1);
    }
    mcpw_arena_rewind(c->scratch, mark);
    return equal;
}

static bool equal_items(mcpw_comparer *c, const mcpw_tape *a, uint32_t x, const mcpw_tape *b, uint32_t y) {
    const uint32_t end = a->nodes[x].next;
    x++;
    y++;
    while (x < end) {
        if (!mcpw_tape_equal(c, a, x, b, y)) {
            return false;
        }
        x = mcpw_tape_after(a, x);
        y = mcpw_tape_after(b, y);
    }
    return true;
}

bool mcpw_tape_equal(mcpw_comparer *c, const mcpw_tape *a, uint32_t x, const mcpw_tape *b, uint32_t y) {
    const mcpw_tape_node *const m = a->nodes + x;
    const mcpw_tape_node *const n = b->nodes + y;
    if (!pay(c, 1)) {
        return false;
    }
    if ((m->type & MCPW_IS_NUMERIC) != 0 && (n->type & MCPW_IS_NUMERIC) != 0) {
        return same_paid_bytes(c, a, x, b, y) ||
               (pay(c, (m->size + n->size) / MCPW_HASH_WORD) &&
                mcpw_compare_decimal(a->text + m->at, m->size, b->text + n->at, n->size) == 0);
    }
    if (m->type != n->type || m->size != n->size) {
        return false;
    }
    switch (m->type) {
    case MCPW_IS_NULL:
        return true;
    case MCPW_IS_ARRAY:
        return equal_items(c, a, x, b, y);
    case MCPW_IS_OBJECT:
        return m->size <= FEW ? equal_few(c, a, x, b, y) : equal_many(c, a, x, b, y);
    default:
        return pay(c, n->size / BYTES_A_STEP) && same_bytes(a, x, b, y);
    }
}

/* ---- hashes ---- */

static uint64_t hash_number(mcpw_str text) {
    const mcpw_decimal d = mcpw_take_apart(text.ptr, text.len);
    uint64_t hash = mcpw_hash_mix(d.negative && d.count != 0 ? 1 : 2, (uint64_t)d.scale);
    for (size_t i = 0; i < d.count; i++) {
        hash = mcpw_hash_mix(hash, mcpw_digit_at(&d, i));
    }
    return hash;
}

uint32_t mcpw_tape_hash(mcpw_comparer *c, const mcpw_tape *tape, uint32_t node) {
    const mcpw_tape_node *const n = tape->nodes + node;
    const mcpw_str text = mcpw_tape_text(tape, node);
    uint64_t hash = n->type;
    if (!pay(c, 1 + ((n->type & MCPW_IS_NESTED) != 0 ? 0 : n->size / MCPW_HASH_WORD))) {
        return 0;
    }
    switch (n->type) {
    case MCPW_IS_OBJECT:
        for (uint32_t i = node + 1; i < n->next; i = mcpw_tape_after(tape, i + 1)) {
            hash += mcpw_hash_mix(tape->nodes[i].next, mcpw_tape_hash(c, tape, i + 1)); /* in any order */
        }
        break;
    case MCPW_IS_ARRAY:
        for (uint32_t i = node + 1; i < n->next; i = mcpw_tape_after(tape, i)) {
            hash = mcpw_hash_mix(hash, mcpw_tape_hash(c, tape, i));
        }
        break;
    case MCPW_IS_WHOLE:
    case MCPW_IS_NUMBER:
        hash = hash_number(text);
        break;
    default:
        hash = mcpw_hash_mix(hash, mcpw_hash_text(text.ptr, text.len));
        break;
    }
    return (uint32_t)(hash ^ hash >> 32);
}

/* ---- twins ---- */

static bool few_have_twins(mcpw_comparer *c, const mcpw_tape *tape, uint32_t array, uint32_t *first,
                           uint32_t *second) {
    const uint32_t end = tape->nodes[array].next;
    *second = 0;
    for (uint32_t i = array + 1; i < end; i = mcpw_tape_after(tape, i), ++*second) {
        *first = 0;
        for (uint32_t j = array + 1; j < i; j = mcpw_tape_after(tape, j), ++*first) {
            if (mcpw_tape_equal(c, tape, j, tape, i)) {
                return true;
            }
        }
    }
    return false;
}

static bool many_have_twins(mcpw_comparer *c, const mcpw_tape *tape, uint32_t array, uint32_t *first,
                            uint32_t *second) {
    const mcpw_tape_node *const a = tape->nodes + array;
    entry *const entries = mcpw_arena_bump(c->scratch, a->size * sizeof *entries);
    uint32_t count = 0;
    if (entries == NULL) {
        c->status = mcpw_arena_status(c->scratch);
        return false;
    }
    for (uint32_t i = array + 1; i < a->next; i = mcpw_tape_after(tape, i), count++) {
        const entry e = {NULL, count, mcpw_tape_hash(c, tape, i), i};
        entries[count] = e;
    }
    const entry **const sorted = sort_entries(c, entries, count, 0);
    if (sorted == NULL) {
        return false;
    }
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t j = i; j > 0 && sorted[j - 1]->hash == sorted[i]->hash; j--) {
            if (mcpw_tape_equal(c, tape, sorted[j - 1]->node, tape, sorted[i]->node)) {
                *first = sorted[j - 1]->len;
                *second = sorted[i]->len;
                return true;
            }
            if (c->status != MCPW_OK) {
                return false;
            }
        }
    }
    return false;
}

bool mcpw_tape_has_twins(mcpw_comparer *c, const mcpw_tape *tape, uint32_t array, uint32_t *first,
                         uint32_t *second) {
    const mcpw_mark mark = mcpw_arena_mark(c->scratch);
    const bool found = tape->nodes[array].size <= FEW ? few_have_twins(c, tape, array, first, second)
                                                      : many_have_twins(c, tape, array, first, second);
    mcpw_arena_rewind(c->scratch, mark);
    return found && c->status == MCPW_OK;
}

bool mcpw_tape_has_same_names(mcpw_comparer *c, const mcpw_tape *tape, uint32_t object, uint32_t *again) {
    const uint32_t count = tape->nodes[object].size;
    const mcpw_mark mark = mcpw_arena_mark(c->scratch);
    bool found = false;
    if (count > 1) {
        const entry **const sorted = sort_members(c, tape, object);
        for (uint32_t i = 1; sorted != NULL && i < count && !found; i++) {
            found = same_bytes(tape, sorted[i - 1]->node, tape, sorted[i]->node);
            *again = sorted[i]->node;
        }
    }
    mcpw_arena_rewind(c->scratch, mark);
    return found && c->status == MCPW_OK;
}
