/* SPDX-License-Identifier: MIT */
/* Member names that must differ. */
#ifndef MCPW_KEYS_H
#define MCPW_KEYS_H

#include "walk.h"

enum { MCPW_FEW_KEYS = 8 };

typedef struct mcpw_keys {
    mcpw_str *items;
    size_t count;
    size_t capacity;
    mcpw_str few[MCPW_FEW_KEYS];
} mcpw_keys;

MCPW_INLINE void mcpw_keys_init(mcpw_keys *keys) {
    keys->items = keys->few;
    keys->count = 0;
    keys->capacity = MCPW_FEW_KEYS;
}

/* The text between the quotes of a string token, which has been checked: as it stands or, when it has
 * escapes, undone into the arena, with a NUL after it. False with the reader's status set when that has no
 * room. */
bool mcpw_token_text(mcpw_walk *w, unsigned char *from, unsigned char *to, mcpw_str *out);

/* Notes a name that stands between its quotes; undone into the arena when it has escapes. */
bool mcpw_keys_add(mcpw_walk *w, mcpw_keys *keys, unsigned char *from, unsigned char *to);

/* Whether the names that `count` items of `size` bytes begin with (each a mcpw_str) all differ: MCPW_OK or
 * MCPW_E_DUPLICATE, or why there is no working memory. */
MCPW_NODISCARD mcpw_status mcpw_names_differ(mcpw_arena *arena, const void *items, size_t count, size_t size);

/* The same for a reader, whose status is set when they do not. */
bool mcpw_keys_unique(mcpw_walk *w, const void *items, size_t count, size_t size);

/* Whether no object anywhere in the text has a member twice. */
#if defined(MCPW_NO_STRICT) /* built without: asking for it is an error */
#define mcpw_no_duplicates(w) true
#else
bool mcpw_no_duplicates(mcpw_walk *w);
#endif

#endif
