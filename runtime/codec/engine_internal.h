/* SPDX-License-Identifier: MIT */
/* What the walks share, and what the rest of the codec calls of them. */
#ifndef MCPW_ENGINE_INTERNAL_H
#define MCPW_ENGINE_INTERNAL_H

#include <mcpw/message.h>
#include <mcpw/table.h>

#include "check.h"
#include "choose.h"
#include "kinds.h"
#include "tell.h"
#include "walk.h"

/* ---- storing (store.c) ---- */

/* Room for more items, at least one: the new place of the items, or NULL. */
unsigned char *mcpw_grow(mcpw_walk *w, unsigned char *items, size_t size, size_t *capacity);

/* Adds a member to the mcpw_members at `list`. */
bool mcpw_keep_member(mcpw_walk *w, unsigned char *list, mcpw_str name, mcpw_json value);

/* The default of an absent member by its key in the pool; NULL when it has none. */
const mcpw_default *mcpw_find_default(const mcpw_revision *revision, uint16_t key);
bool mcpw_store_default(mcpw_walk *w, const mcpw_default *d, mcpw_ref ref, unsigned char *out);

/* The alternative that the default of a union's tag selects, or MCPW_NO_INDEX. */
unsigned mcpw_default_alternative(const mcpw_revision *revision, const mcpw_union *u);

/* ---- member names that must differ (keys.c) ---- */

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
 * escapes, undone into the arena, with a NUL behind it. False with the reader's status set when that has no
 * room. */
bool mcpw_token_text(mcpw_walk *w, unsigned char *from, unsigned char *to, mcpw_str *out);

/* Notes a name that stands between its quotes; undone into the arena when it has escapes. */
bool mcpw_keys_add(mcpw_walk *w, mcpw_keys *keys, unsigned char *from, unsigned char *to);

/* Whether the names that `count` items of `size` bytes begin with (each a mcpw_str) all differ: MCPW_OK or
 * MCPW_E_DUPLICATE, or why there is no working memory. */
MCPW_NODISCARD mcpw_status mcpw_names_differ(mcpw_arena *arena, const void *items, size_t count, size_t size);

/* The same for a reader, whose status is set when they do not. */
bool mcpw_keys_unique(mcpw_walk *w, const void *items, size_t count, size_t size);

/* The order of two names, or of items that begin with them (a mcpw_str): by length first. */
int mcpw_compare_names(const void *a, const void *b);

/* Sorts pointers; what the order does not tell apart, by where they point. It compares about as often as
 * their count times its logarithm, whatever a peer sends. */
typedef int mcpw_order(const void *a, const void *b);
MCPW_API void mcpw_sort(const void **items, size_t count, mcpw_order *order);

/* The same for items that begin with their names, and point ever higher before. room is for as many. The work
 * grows with the bytes of the names, whatever they are. */
#if MCPW_COMPACT
#define mcpw_sort_names(items, room, count) ((void)(room), mcpw_sort((items), (count), mcpw_compare_names))
#else
void mcpw_sort_names(const void **items, const void **room, size_t count);
#endif

/* ---- unions (choose_text.c) ---- */

/* The alternative for the value at p, of which nothing has been changed. MCPW_BROKEN: the text is no JSON or
 * the budget is used up. Costs work unless the first member decides. */
mcpw_choice mcpw_choose_text(mcpw_walk *w, unsigned char *p, const mcpw_union *u);

/* ---- checks on text (check_token.c, check_names.c) ---- */

/* A string token from..to with its quotes: its length and, when strict, its format. */
unsigned char *mcpw_check_string(mcpw_walk *w, unsigned char *from, unsigned char *to, unsigned check);

#if defined(MCPW_NO_STRICT) /* built without: asking for it is an error */
#define mcpw_check_raw(w, from, to, check) ((void)(from), (to))
#define mcpw_no_duplicates(w) true
#else
/* A value from..to that stays text or has members of its own: the names of its members, when strict. */
unsigned char *mcpw_check_raw(mcpw_walk *w, unsigned char *from, unsigned char *to, unsigned check);

/* Whether no object anywhere in the text has a member twice. */
bool mcpw_no_duplicates(mcpw_walk *w);
#endif

/* ---- entry points (walk_decode.c, walk_validate.c, walk_small.c) ---- */

/* Builds a value of a type at p, or checks it. */
unsigned char *mcpw_build_ref(mcpw_walk *w, unsigned char *p, mcpw_ref ref, unsigned char *out);
unsigned char *mcpw_check_ref(mcpw_walk *w, unsigned char *p, mcpw_ref ref);

/* The same for a whole text. */
unsigned char *mcpw_build_document(mcpw_walk *w, mcpw_ref ref, unsigned char *out);
unsigned char *mcpw_check_document(mcpw_walk *w, mcpw_ref ref);

/* Checks a value that stays text against a type, without changing it (validate.c). */
unsigned char *mcpw_check_shape(mcpw_walk *w, unsigned char *p, mcpw_ref ref);

/* ---- what a message is (message.c) ---- */

/* The members that JSON-RPC names, as numbers; but one mean something in every message. */
enum { MCPW_ENVELOPE_PARAMS = 3, MCPW_ENVELOPE_OTHER = 6 };
extern const char mcpw_envelope_names[MCPW_ENVELOPE_OTHER][sizeof "jsonrpc"];
unsigned mcpw_envelope_member(mcpw_str name);

/* Why a message of that kind cannot have such an id, or that method; NULL: it can. */
const char *mcpw_id_conflict(mcpw_message_kind kind, mcpw_id_kind id);
const char *mcpw_method_conflict(const mcpw_method *entry, mcpw_message_kind kind);

/* What else is wrong with messages that are read and with those that are written. */
extern const char mcpw_lacks_params[];
extern const char mcpw_empty_batch[];
extern const char mcpw_mixed_batch[];

/* Runs a validation on an opened walk (status tells whether it could be opened), with its error record and
 * its callback: what mcpw_validate and mcpw_message_validate share. */
mcpw_status mcpw_validate_open(mcpw_walk *w, mcpw_status status, const mcpw_options *options,
                               mcpw_error *error, mcpw_status (*run)(mcpw_walk *w, void *what), void *what);

/* The checks that need the whole text, when strict. */
mcpw_status mcpw_finish_strict(mcpw_walk *w);

/* Whether `text`, which is writable with MCPW_TAIL writable bytes behind it, is exactly one value of the
 * type. Reads in place and changes nothing but those bytes. *line_breaks tells whether a line break stands
 * between tokens. Working memory, which is given back, is the allocator's. */
MCPW_NODISCARD mcpw_status mcpw_check_text(const mcpw_revision *revision, mcpw_ref ref, char *text,
                                           size_t len, unsigned depth, mcpw_allocator allocator,
                                           const mcpw_options *options, mcpw_error *error, bool *line_breaks);

#endif
