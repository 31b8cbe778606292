/* SPDX-License-Identifier: MIT */
/* Whether the member names of an object all differ. Few are compared pair by pair; many are sorted, by a
 * sort whose time does not depend on what a peer sends. */
#include "engine_internal.h"

static const mcpw_str *name_at(const void *items, size_t index, size_t size) {
    return (const mcpw_str *)(const void *)((const unsigned char *)items + index * size);
}

static int compare(const mcpw_str *a, const mcpw_str *b) {
    if (a->len != b->len) {
        return a->len < b->len ? -1 : 1;
    }
    return memcmp(a->ptr, b->ptr, a->len);
}

static int compare_names(const void *a, const void *b) { return compare(a, b); }

static void sift_down(const void **heap, size_t root, size_t count, mcpw_order *order) {
    for (;;) {
        size_t child = root * 2 + 1;
        if (child >= count) {
            return;
        }
        if (child + 1 < count && order(heap[child], heap[child + 1]) < 0) {
            child++;
        }
        if (order(heap[root], heap[child]) >= 0) {
            return;
        }
        const void *const swap = heap[root];
        heap[root] = heap[child];
        heap[child] = swap;
        root = child;
    }
}

void mcpw_sort(const void **items, size_t count, mcpw_order *order) {
    for (size_t i = count / 2; i-- > 0;) {
        sift_down(items, i, count, order);
    }
    for (size_t end = count; end-- > 1;) {
        const void *const swap = items[0];
        items[0] = items[end];
        items[end] = swap;
        sift_down(items, 0, end, order);
    }
}

static bool few_unique(const void *items, size_t count, size_t size) {
    for (size_t i = 1; i < count; i++) {
        const mcpw_str *const a = name_at(items, i, size);
        for (size_t j = 0; j < i; j++) {
            if (compare(a, name_at(items, j, size)) == 0) {
                return false;
            }
        }
    }
    return true;
}

bool mcpw_keys_unique(mcpw_reader *r, const void *items, size_t count, size_t size) {
    bool unique = true;
    if (count <= MCPW_FEW_KEYS) {
        unique = few_unique(items, count, size);
    } else {
        const mcpw_mark mark = mcpw_arena_mark(r->arena);
        const void **const names = mcpw_arena_bump(r->arena, count * sizeof *names);
        if (names == NULL) {
            r->status = mcpw_arena_status(r->arena);
            return false;
        }
        for (size_t i = 0; i < count; i++) {
            names[i] = name_at(items, i, size);
        }
        mcpw_sort(names, count, compare_names);
        for (size_t i = 1; i < count && unique; i++) {
            unique = compare(names[i - 1], names[i]) != 0;
        }
        mcpw_arena_rewind(r->arena, mark);
    }
    if (!unique) {
        r->status = MCPW_E_DUPLICATE;
    }
    return unique;
}

/* The text of a name, undone into the arena when it has escapes. */
static bool undo(mcpw_reader *r, unsigned char *from, unsigned char *to, mcpw_str *out) {
    out->ptr = (const char *)from;
    out->len = (size_t)(to - from);
    if (memchr(from, '\\', out->len) == NULL) {
        return true;
    }
    char *const text = mcpw_arena_bump(r->arena, out->len + 1);
    if (text == NULL) {
        r->status = mcpw_arena_status(r->arena);
        return false;
    }
    const size_t room = out->len;
    out->ptr = text;
    return mcpw_token_unescape(r, from, text, room, &out->len) != NULL;
}

bool mcpw_keys_add(mcpw_reader *r, mcpw_keys *keys, unsigned char *from, unsigned char *to) {
    if (keys->count == keys->capacity) {
        const size_t wanted = keys->capacity * 2;
        mcpw_str *const grown = mcpw_arena_bump(r->arena, wanted * sizeof *grown);
        if (grown == NULL) {
            r->status = mcpw_arena_status(r->arena);
            return false;
        }
        memcpy(grown, keys->items, keys->count * sizeof *grown);
        keys->items = grown;
        keys->capacity = wanted;
    }
    if (!undo(r, from, to, keys->items + keys->count)) {
        return false;
    }
    keys->count++;
    return true;
}

#if !defined(MCPW_NO_STRICT)
static unsigned char *walk(mcpw_reader *r, unsigned char *p);

static unsigned char *walk_object(mcpw_reader *r, unsigned char *p) {
    mcpw_keys keys;
    unsigned char *const start = p;
    mcpw_frame frame = {r->frame, NULL, 0, 0};
    r->frame = &frame;
    mcpw_keys_init(&keys);
    p = mcpw_space(r, p + 1);
    while (*p != '}') {
        unsigned char *const key = p;
        mcpw_look_ahead(r, p);
        p = mcpw_skip_string(r, p + 1);
        frame.key = (const char *)key + 1;
        frame.key_len = (size_t)(p - key) - MCPW_VALUE_QUOTES;
        if (!mcpw_keys_add(r, &keys, key + 1, p - 1)) {
            return NULL;
        }
        p = mcpw_space(r, mcpw_space(r, p) + 1);
        p = walk(r, p);
        if (p == NULL) {
            return NULL;
        }
        p = mcpw_space(r, p);
        if (*p == ',') {
            p = mcpw_space(r, p + 1);
        }
    }
    r->frame = frame.up;
    if (!mcpw_keys_unique(r, keys.items, keys.count, sizeof(mcpw_str))) {
        return r->status == MCPW_E_DUPLICATE
                   ? mcpw_fail_text(r, start, MCPW_E_DUPLICATE, "a member occurs twice")
                   : NULL;
    }
    return p + 1;
}

static unsigned char *walk_array(mcpw_reader *r, unsigned char *p) {
    mcpw_frame frame = {r->frame, NULL, 0, 0};
    r->frame = &frame;
    p = mcpw_space(r, p + 1);
    while (*p != ']') {
        mcpw_look_ahead(r, p);
        p = walk(r, p);
        if (p == NULL) {
            return NULL;
        }
        frame.index++;
        p = mcpw_space(r, p);
        if (*p == ',') {
            p = mcpw_space(r, p + 1);
        }
    }
    r->frame = frame.up;
    return p + 1;
}

/* The grammar and the depth have been checked before. */
static unsigned char *walk(mcpw_reader *r, unsigned char *p) {
    const mcpw_mark mark = mcpw_arena_mark(r->arena);
    if (*p != '{' && *p != '[') {
        return mcpw_skip_value(r, p);
    }
    p = *p == '{' ? walk_object(r, p) : walk_array(r, p);
    mcpw_arena_rewind(r->arena, mark);
    return p;
}

bool mcpw_no_duplicates(mcpw_reader *r) {
    const mcpw_frame *const frame = r->frame;
    const bool none = walk(r, mcpw_space(r, r->base)) != NULL;
    r->frame = frame; /* a walk that ended early leaves its own frames behind */
    return none;
}
#endif
