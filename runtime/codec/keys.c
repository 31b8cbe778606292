/* SPDX-License-Identifier: MIT */
/* Whether the member names of an object all differ: they are sorted. */
#include "keys.h"

#include "../json/names.h"
#include "error_report.h"
#include "store.h"

mcpw_status mcpw_names_differ(mcpw_arena *arena, const void *items, size_t count, size_t size) {
    const void *few[MCPW_FEW_KEYS];
    const mcpw_mark mark = mcpw_arena_mark(arena);
    const void **const names =
        count <= MCPW_FEW_KEYS ? few : mcpw_arena_bump(arena, 2 * count * sizeof *names);
    bool differ = true;
    if (names == NULL) {
        return mcpw_arena_status(arena);
    }
    for (size_t i = 0; i < count; i++) {
        names[i] = (const unsigned char *)items + i * size;
    }
    mcpw_sort_names(names, names + count, count);
    for (size_t i = 1; i < count && differ; i++) {
        differ = mcpw_compare_names(names[i - 1], names[i]) != 0;
    }
    mcpw_arena_rewind(arena, mark);
    return differ ? MCPW_OK : MCPW_E_DUPLICATE;
}

bool mcpw_keys_unique(mcpw_walk *w, const void *items, size_t count, size_t size) {
    const mcpw_status status = mcpw_names_differ(w->arena, items, count, size);
    if (status != MCPW_OK) {
        w->reader.status = status;
    }
    return status == MCPW_OK;
}

bool mcpw_token_text(mcpw_walk *w, unsigned char *from, unsigned char *to, mcpw_str *out) {
    out->ptr = (const char *)from;
    out->len = (size_t)(to - from);
    if (memchr(from, '\\', out->len) == NULL) {
        return true;
    }
    char *const text = mcpw_arena_bump(w->arena, out->len + 1);
    if (text == NULL) {
        (void)mcpw_stop(&w->reader, from, mcpw_arena_status(w->arena));
        return false;
    }
    if (mcpw_token_unescape(&w->reader, from, text, out->len, &out->len) == NULL) {
        return false;
    }
    text[out->len] = '\0';
    out->ptr = text;
    return true;
}

bool mcpw_keys_add(mcpw_walk *w, mcpw_keys *keys, unsigned char *from, unsigned char *to) {
    if (keys->count == keys->capacity) {
        void *const grown = mcpw_grow(w, (unsigned char *)keys->items, sizeof *keys->items, &keys->capacity);
        if (grown == NULL) {
            (void)mcpw_stop(&w->reader, from, w->reader.status);
            return false;
        }
        keys->items = grown;
    }
    if (!mcpw_token_text(w, from, to, keys->items + keys->count)) {
        return false;
    }
    keys->count++;
    return true;
}

#if !defined(MCPW_NO_STRICT)
/* An array or an object that is open. */
typedef struct level {
    mcpw_frame frame;
    unsigned char *start;
    size_t first; /* of its names */
} level;

/* A pass over a whole text, whose grammar and depth have been checked before. */
typedef struct pass {
    level *levels;
    size_t open;
    size_t room;
    mcpw_keys keys; /* of all objects that are open */
} pass;

static bool open_level(mcpw_walk *w, pass *all, unsigned char *p) {
    if (all->open == all->room) {
        void *const grown = mcpw_grow(w, (unsigned char *)all->levels, sizeof *all->levels, &all->room);
        if (grown == NULL) {
            (void)mcpw_stop(&w->reader, p, w->reader.status);
            return false;
        }
        all->levels = grown;
    }
    const level opened = {{NULL, NULL, 0, 0}, p, all->keys.count};
    all->levels[all->open++] = opened;
    return true;
}

/* Makes the levels the reader's way to where it is, so that an error can name it. */
static void show_way(mcpw_walk *w, pass *all) {
    for (size_t i = 0; i < all->open; i++) {
        all->levels[i].frame.up = w->reporter.frame;
        w->reporter.frame = &all->levels[i].frame;
    }
}

/* The names of the object that ends here must differ. */
static bool close_level(mcpw_walk *w, pass *all) {
    const level *const l = all->levels + --all->open;
    if (!mcpw_keys_unique(w, all->keys.items + l->first, all->keys.count - l->first, sizeof(mcpw_str))) {
        show_way(w, all);
        mcpw_report_error(&w->reporter, &w->reader, l->start, w->reader.status,
                          mcpw_status_text(w->reader.status));
        return false;
    }
    all->keys.count = l->first;
    return true;
}

/* The name at p, of the innermost object: the place of its value. */
static unsigned char *read_name(mcpw_walk *w, pass *all, unsigned char *p) {
    mcpw_frame *const frame = &all->levels[all->open - 1].frame;
    unsigned char *const key = p + 1;
    p = mcpw_skip_string(&w->reader, key);
    frame->key = (const char *)key;
    frame->key_len = (size_t)(p - 1 - key);
    if (!mcpw_keys_add(w, &all->keys, key, p - 1)) {
        return NULL;
    }
    return mcpw_space(&w->reader, mcpw_space(&w->reader, p) + 1);
}

/* From the end of a value, or of what opens a level: closes what ends there, up to the next value, or to the
 * end of the text. */
static unsigned char *next_value(mcpw_walk *w, pass *all, unsigned char *p) {
    while (all->open > 0) {
        level *const l = all->levels + all->open - 1;
        p = mcpw_space(&w->reader, p);
        if (*p != '}' && *p != ']') {
            if (*p == ',') {
                l->frame.index++;
                p = mcpw_space(&w->reader, p + 1);
            }
            mcpw_look_ahead(&w->reader, p);
            return *l->start == '{' ? read_name(w, all, p) : p;
        }
        if (!close_level(w, all)) {
            return NULL;
        }
        p++;
    }
    return p;
}

bool mcpw_no_duplicates(mcpw_walk *w) {
    mcpw_frame *const frame = w->reporter.frame;
    const mcpw_mark mark = mcpw_arena_mark(w->arena);
    unsigned char *p = mcpw_space(&w->reader, w->reader.base);
    pass all = {.levels = NULL, .open = 0, .room = 0};
    mcpw_keys_init(&all.keys);
    do {
        if (*p != '{' && *p != '[') {
            p = mcpw_skip_value(&w->reader, p);
        } else {
            p = open_level(w, &all, p) ? p + 1 : NULL;
        }
        p = p != NULL ? next_value(w, &all, p) : NULL;
    } while (p != NULL && all.open > 0);
    w->reporter.frame = frame;
    mcpw_arena_rewind(w->arena, mark);
    return p != NULL;
}
#endif
