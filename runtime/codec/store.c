/* SPDX-License-Identifier: MIT */
/* Storing what has no fixed place in a struct: growing lists, kept members, defaults. */
#include "store.h"
#include "../json/number.h"
#include "kinds.h"

enum { FIRST_ITEMS_BYTES = 1024, FIRST_ITEMS = 8, ITEM_GROWTH = 4, FIRST_MEMBERS = 4 };

/* Whether `items`, an allocation of `old` bytes, ends where the arena goes on, with room for `size` bytes. */
static bool extend(mcpw_arena *arena, const unsigned char *items, size_t old, size_t size) {
    const size_t mask = MCPW_ARENA_ALIGN - 1;
    const size_t rounded = (old + mask) & ~mask;
    const size_t more = ((size + mask) & ~mask) - rounded;
    if (items + rounded != arena->next || more > (size_t)(arena->end - arena->next)) {
        return false;
    }
    arena->next += more;
    return true;
}

unsigned char *mcpw_grow(mcpw_walk *w, unsigned char *items, size_t size, size_t *capacity) {
    const size_t used = *capacity * size;
    size_t wanted = *capacity * ITEM_GROWTH;
    if (used == 0) {
        wanted = size * FIRST_ITEMS > FIRST_ITEMS_BYTES ? FIRST_ITEMS / 2 : FIRST_ITEMS;
    }
    if (used > SIZE_MAX / ITEM_GROWTH / 2 - MCPW_ZERO_STEP) {
        w->reader.status = MCPW_E_MEMORY;
        return NULL;
    }
    const size_t bytes = wanted * size + MCPW_ZERO_STEP;
    *capacity = wanted;
    if (used != 0 && extend(w->arena, items, used + MCPW_ZERO_STEP, bytes)) {
        return items;
    }
    unsigned char *const grown = mcpw_arena_bump(w->arena, bytes);
    if (grown == NULL) {
        w->reader.status = mcpw_arena_status(w->arena);
        return NULL;
    }
    if (used != 0) {
        memcpy(grown, items, used);
    }
    return grown;
}

/* The capacity follows from the count: FIRST_MEMBERS, then each power of two. */
bool mcpw_keep_member(mcpw_walk *w, unsigned char *list, mcpw_str name, mcpw_json value) {
    mcpw_members *const members = (mcpw_members *)(void *)list;
    const size_t count = members->count;
    const bool full = count == 0 || (count >= FIRST_MEMBERS && (count & (count - 1)) == 0);
    mcpw_member *items = (mcpw_member *)(uintptr_t)members->items;
    if (full) {
        const size_t wanted = count == 0 ? FIRST_MEMBERS : count * 2;
        items = mcpw_arena_bump(w->arena, wanted * sizeof *items);
        if (items == NULL) {
            w->reader.status = mcpw_arena_status(w->arena);
            return false;
        }
        if (count != 0) {
            memcpy(items, members->items, count * sizeof *items);
        }
        members->items = items;
    }
    items[count].name = name;
    items[count].value = value;
    members->count = count + 1;
    return true;
}

const mcpw_default *mcpw_find_default(const mcpw_revision *revision, uint16_t key) {
    for (unsigned i = 0; i < revision->default_count; i++) {
        if (revision->defaults[i].key == key) {
            return revision->defaults + i;
        }
    }
    return NULL;
}

bool mcpw_store_default(mcpw_walk *w, const mcpw_default *d, mcpw_ref ref, unsigned char *out) {
    const char *const text = w->tables.pool + d->text;
    if (ref.kind == MCPW_KIND_STRING) {
        mcpw_str *const s = (mcpw_str *)(void *)out;
        *s = mcpw_arena_str(w->arena, text + 1, (size_t)d->text_len - MCPW_VALUE_QUOTES);
        if (s->ptr == NULL) {
            w->reader.status = mcpw_arena_status(w->arena);
        }
        return s->ptr != NULL;
    }
    int64_t value = 0;
    if (ref.kind != MCPW_KIND_INTEGER || mcpw_parse_int64(text, d->text_len, &value) != MCPW_OK) {
        w->reader.status = MCPW_E_MISSING;
        return false;
    }
    *(int64_t *)(void *)out = value;
    return true;
}

unsigned mcpw_default_alternative(const mcpw_revision *revision, const mcpw_union *u) {
    const mcpw_test *const tests = revision->tests + u->tests;
    for (unsigned i = 0; i < u->test_count; i++) {
        const mcpw_default *const d = mcpw_find_default(revision, tests[i].key);
        const mcpw_str value = mcpw_test_value(revision->pool, tests + i);
        if (d != NULL && value.ptr != NULL && d->text_len == value.len + MCPW_VALUE_QUOTES &&
            memcmp(revision->pool + d->text, value.ptr - 1, d->text_len) == 0) {
            return tests[i].alternative;
        }
    }
    return MCPW_NO_INDEX;
}
