/* SPDX-License-Identifier: MIT */
/* A table in an arena of the raw values that are known to be good. */
#include "known.h"

/* A peer chooses how far apart values lie, and so which slots they want. So a slot is looked for at no more
 * places than this. A value for which none of them is free stays unknown, and is checked when it is written.
 */
enum { MOST_PROBES = 16 };

enum { FIRST_SLOTS = 16, SLOTS_FOR_EACH = 4, HALF = 32 };

/* Two odd numbers of many bits, by which an address is multiplied. Values mostly lie at equal distances, and
 * this scatters them. */
#define SPREAD UINT64_C(0x9E3779B97F4A7C15)
#define SPREAD_AGAIN UINT64_C(0xBF58476D1CE4E5B9)

/* Entries by the hash of their place, with open addressing. At most one slot in SLOTS_FOR_EACH is taken. The
 * table lies in the arena. When it grows, it leaves the smaller one behind. */
typedef struct mcpw_known_table {
    size_t count;
    size_t slots;   /* a power of two */
    mcpw_mark last; /* behind the entry that was noted last */
    const mcpw_known **entries;
} mcpw_known_table;

static size_t first_slot(const mcpw_known_table *t, const char *ptr) {
    const uint64_t spread = (uint64_t)(uintptr_t)ptr * SPREAD;
    return (size_t)((spread ^ spread >> HALF) * SPREAD_AGAIN >> HALF) & (t->slots - 1);
}

/* The slot of the value that begins at ptr, or a free one for it. t->slots: there is none near its hash. */
static size_t find_slot(const mcpw_known_table *t, const char *ptr) {
    size_t slot = first_slot(t, ptr);
    for (int i = 0; i < MOST_PROBES; i++) {
        if (t->entries[slot] == NULL || t->entries[slot]->ptr == ptr) {
            return slot;
        }
        slot = (slot + 1) & (t->slots - 1);
    }
    return t->slots;
}

static void put(mcpw_known_table *t, const mcpw_known *entry) {
    const size_t slot = find_slot(t, entry->ptr);
    if (slot != t->slots) {
        t->count += t->entries[slot] == NULL;
        t->entries[slot] = entry;
    }
}

/* Makes a table of twice the size that holds the same; NULL without memory. */
static mcpw_known_table *grown(mcpw_arena *arena, const mcpw_known_table *old) {
    const size_t slots = old != NULL ? old->slots * 2 : FIRST_SLOTS;
    mcpw_known_table *const t = mcpw_arena_bump(arena, sizeof *t);
    const mcpw_known **const entries =
        t != NULL ? mcpw_arena_bump(arena, slots * sizeof(const mcpw_known *)) : NULL;
    if (entries == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < slots; i++) {
        entries[i] = NULL;
    }
    *t = (mcpw_known_table){0, slots, {NULL, NULL}, entries};
    for (size_t i = 0; old != NULL && i < old->slots; i++) {
        if (old->entries[i] != NULL) {
            put(t, old->entries[i]);
        }
    }
    return t;
}

void mcpw_known_mark(mcpw_arena *arena, const mcpw_known *value) {
    mcpw_known_table *t = arena->known;
    if (t == NULL || t->count * SLOTS_FOR_EACH >= t->slots) {
        t = grown(arena, t);
    }
    mcpw_known *const entry = t != NULL ? mcpw_arena_bump(arena, sizeof *entry) : NULL;
    if (entry == NULL) {
        return;
    }
    *entry = *value;
    put(t, entry);
    t->last = mcpw_arena_mark(arena);
    arena->known = t;
}

const mcpw_known *mcpw_known_find(const mcpw_arena *arena, const char *ptr, size_t len) {
    const mcpw_known_table *const t = arena->known;
    if (t == NULL || len < MCPW_KNOWN_LEAST) {
        return NULL;
    }
    const size_t slot = find_slot(t, ptr);
    const mcpw_known *const entry = slot != t->slots ? t->entries[slot] : NULL;
    return entry != NULL && entry->len == len ? entry : NULL;
}

bool mcpw_known_before(const mcpw_known_table *table, mcpw_mark mark) {
    return mark.block == table->last.block && mark.next >= table->last.next;
}
