/* SPDX-License-Identifier: MIT */
/* Whether the member names of an object all differ. Few are compared pair by pair; many are sorted, by a
 * sort whose time does not depend on what a peer sends. */
#include "engine_internal.h"

static const mcpw_str *name_at(const void *items, size_t index, size_t size) {
    return (const mcpw_str *)(const void *)((const unsigned char *)items + index * size);
}

int mcpw_compare_names(const void *a, const void *b) {
    const mcpw_str *const x = a;
    const mcpw_str *const y = b;
    if (x->len != y->len) {
        return x->len < y->len ? -1 : 1;
    }
    return memcmp(x->ptr, y->ptr, x->len);
}

bool mcpw_precedes(const void *a, const void *b, mcpw_order *order) {
    const int found = order(a, b);
    return found != 0 ? found < 0 : (uintptr_t)a < (uintptr_t)b;
}

static void swap(const void **items, size_t i, size_t j) {
    const void *const item = items[i];
    items[i] = items[j];
    items[j] = item;
}

/* Makes a heap of the items, from the last parent to the first, then takes the greatest off it time and
 * again. */
void mcpw_sort(const void **items, size_t count, mcpw_order *order) {
    size_t top = count / 2;
    while (count > 1) {
        size_t child;
        if (top > 0) {
            top--;
        } else {
            swap(items, 0, --count);
        }
        for (size_t i = top; (child = 2 * i + 1) < count; i = child) {
            if (child + 1 < count && mcpw_precedes(items[child], items[child + 1], order)) {
                child++;
            }
            if (!mcpw_precedes(items[i], items[child], order)) {
                break;
            }
            swap(items, i, child);
        }
    }
}

static bool few_unique(const void *items, size_t count, size_t size) {
    for (size_t i = 1; i < count; i++) {
        const mcpw_str *const a = name_at(items, i, size);
        for (size_t j = 0; j < i; j++) {
            if (mcpw_compare_names(a, name_at(items, j, size)) == 0) {
                return false;
            }
        }
    }
    return true;
}

mcpw_status mcpw_names_differ(mcpw_arena *arena, const void *items, size_t count, size_t size) {
    bool differ = true;
    if (count <= MCPW_FEW_KEYS) {
        differ = few_unique(items, count, size);
    } else {
        const mcpw_mark mark = mcpw_arena_mark(arena);
        const void **const names = mcpw_arena_bump(arena, count * sizeof *names);
        if (names == NULL) {
            return mcpw_arena_status(arena);
        }
        for (size_t i = 0; i < count; i++) {
            names[i] = name_at(items, i, size);
        }
        mcpw_sort(names, count, mcpw_compare_names);
        for (size_t i = 1; i < count && differ; i++) {
            differ = mcpw_compare_names(names[i - 1], names[i]) != 0;
        }
        mcpw_arena_rewind(arena, mark);
    }
    return differ ? MCPW_OK : MCPW_E_DUPLICATE;
}

bool mcpw_keys_unique(mcpw_reader *r, const void *items, size_t count, size_t size) {
    const mcpw_status status = mcpw_names_differ(r->arena, items, count, size);
    if (status != MCPW_OK) {
        r->status = status;
    }
    return status == MCPW_OK;
}

bool mcpw_token_text(mcpw_reader *r, unsigned char *from, unsigned char *to, mcpw_str *out) {
    out->ptr = (const char *)from;
    out->len = (size_t)(to - from);
    if (memchr(from, '\\', out->len) == NULL) {
        return true;
    }
    char *const text = mcpw_arena_bump(r->arena, out->len + 1);
    if (text == NULL) {
        (void)mcpw_stop(r, from, mcpw_arena_status(r->arena));
        return false;
    }
    if (mcpw_token_unescape(r, from, text, out->len, &out->len) == NULL) {
        return false;
    }
    text[out->len] = '\0';
    out->ptr = text;
    return true;
}

bool mcpw_keys_add(mcpw_reader *r, mcpw_keys *keys, unsigned char *from, unsigned char *to) {
    if (keys->count == keys->capacity) {
        const size_t wanted = keys->capacity * 2;
        mcpw_str *const grown = mcpw_arena_bump(r->arena, wanted * sizeof *grown);
        if (grown == NULL) {
            (void)mcpw_stop(r, from, mcpw_arena_status(r->arena));
            return false;
        }
        memcpy(grown, keys->items, keys->count * sizeof *grown);
        keys->items = grown;
        keys->capacity = wanted;
    }
    if (!mcpw_token_text(r, from, to, keys->items + keys->count)) {
        return false;
    }
    keys->count++;
    return true;
}

#if !defined(MCPW_NO_STRICT)
static unsigned char *walk(mcpw_reader *r, unsigned char *p);

/* The members of an object or the items of an array. */
static unsigned char *walk_level(mcpw_reader *r, unsigned char *p) {
    unsigned char *const start = p;
    const bool object = *p == '{';
    mcpw_keys keys;
    mcpw_frame frame = {r->frame, NULL, 0, 0};
    r->frame = &frame;
    mcpw_keys_init(&keys);
    p = mcpw_space(r, p + 1);
    while (*p != (object ? '}' : ']')) {
        mcpw_look_ahead(r, p);
        if (object) {
            unsigned char *const key = p + 1;
            p = mcpw_skip_string(r, key);
            frame.key = (const char *)key;
            frame.key_len = (size_t)(p - 1 - key);
            if (!mcpw_keys_add(r, &keys, key, p - 1)) {
                return NULL;
            }
            p = mcpw_space(r, mcpw_space(r, p) + 1);
        }
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
    if (!mcpw_keys_unique(r, keys.items, keys.count, sizeof(mcpw_str))) {
        return r->status == MCPW_E_DUPLICATE
                   ? mcpw_fail_text(r, start, MCPW_E_DUPLICATE, "a member occurs twice")
                   : NULL;
    }
    return p + 1;
}

/* The grammar and the depth have been checked before. */
static unsigned char *walk(mcpw_reader *r, unsigned char *p) {
    const mcpw_mark mark = mcpw_arena_mark(r->arena);
    if (*p != '{' && *p != '[') {
        return mcpw_skip_value(r, p);
    }
    p = walk_level(r, p);
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
