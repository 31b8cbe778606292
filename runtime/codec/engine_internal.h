/* SPDX-License-Identifier: MIT */
/* What the compilations of engine.inc share, and what the rest of the codec calls of them. */
#ifndef MCPW_ENGINE_INTERNAL_H
#define MCPW_ENGINE_INTERNAL_H

#if defined(MCPW_NO_NAMES) && !defined(MCPW_NO_ERROR_TEXT)
#error "MCPW_NO_NAMES needs MCPW_NO_ERROR_TEXT: messages name types"
#endif

#include <mcpw/message.h>

#include "../json/reader.h"
#include "choose.h"
#include "error_internal.h"

/* Zeroes n bytes and up to MCPW_ZERO_STEP - 1 more: for memory of the arena that was asked for with
 * MCPW_ZERO_STEP bytes behind it. */
#if MCPW_COMPACT
enum { MCPW_ZERO_STEP = 0 };
#define mcpw_zero(to, n) ((void)memset((to), 0, (n)))
#else
enum { MCPW_ZERO_STEP = 64 };

MCPW_INLINE void mcpw_zero(unsigned char *to, size_t n) {
    size_t i = 0;
    do {
        memset(to + i, 0, MCPW_ZERO_STEP);
        i += MCPW_ZERO_STEP;
    } while (MCPW_UNLIKELY(i < n));
}
#endif

/* ---- limits and bounds (bounds.c) ---- */

bool mcpw_string_in_bounds(const mcpw_revision *revision, const char *text, size_t len, unsigned check);
bool mcpw_integer_in_bounds(const mcpw_revision *revision, int64_t value, unsigned check);
bool mcpw_count_in_bounds(const mcpw_revision *revision, size_t count, unsigned check);

/* value is the double nearest to the number that stands at from..to; the bound is held against the number
 * as it is written. */
bool mcpw_number_in_bounds(const mcpw_revision *revision, double value, const unsigned char *from,
                           const unsigned char *to, unsigned check);

/* ---- storing (store.c) ---- */

/* Room for more items, at least one: the new place of the items, or NULL. */
unsigned char *mcpw_grow(mcpw_reader *r, unsigned char *items, size_t size, size_t *capacity);

/* Adds a member to the mcpw_members at `list`. */
bool mcpw_keep_member(mcpw_reader *r, unsigned char *list, mcpw_str name, mcpw_json value);

/* The default of an absent member by its key in the pool; NULL when it has none. */
const mcpw_default *mcpw_find_default(const mcpw_revision *revision, uint16_t key);
bool mcpw_store_default(mcpw_reader *r, const mcpw_default *d, mcpw_ref ref, unsigned char *out);

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
bool mcpw_token_text(mcpw_reader *r, unsigned char *from, unsigned char *to, mcpw_str *out);

/* Notes a name that stands between its quotes; undone into the arena when it has escapes. */
bool mcpw_keys_add(mcpw_reader *r, mcpw_keys *keys, unsigned char *from, unsigned char *to);

/* Whether the names that `count` items of `size` bytes begin with (each a mcpw_str) all differ: MCPW_OK or
 * MCPW_E_DUPLICATE, or why there is no working memory. */
MCPW_NODISCARD mcpw_status mcpw_names_differ(mcpw_arena *arena, const void *items, size_t count, size_t size);

/* The same for a reader, whose status is set when they do not. */
bool mcpw_keys_unique(mcpw_reader *r, const void *items, size_t count, size_t size);

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
mcpw_choice mcpw_choose_text(mcpw_reader *r, unsigned char *p, const mcpw_union *u);

/* ---- verdicts (describe.c) ---- */

/* Whether a status says something about the value, so that another alternative may do better, or reading
 * may go on behind the value. */
bool mcpw_is_verdict(mcpw_status status);

/* Notes a failure and, unless nobody wants to know, describes it: by a text, one in three parts, bounds, what
 * was expected, or the member that is missing. */
#if defined(MCPW_NO_ERROR_TEXT)
#define mcpw_tell(r, p, status, text) (MCPW_UNUSED_TEXT(text), mcpw_tell_code((r), (p), (status)))
#define mcpw_tell_around(r, p, status, before, what, after) mcpw_tell((r), (p), (status), (what))
#define mcpw_tell_bounds(r, p, status, check) mcpw_tell_code((r), (p), (status))
#define mcpw_tell_type(r, p, expected) (MCPW_UNUSED_TEXT(expected), mcpw_tell_kind((r), (p)))
#define mcpw_tell_number(r, p, expected) (MCPW_UNUSED_TEXT(expected), mcpw_tell_number_kind((r), (p)))
#define mcpw_tell_missing(r, p, row) mcpw_tell_code((r), (p), MCPW_E_MISSING)
MCPW_COLD void mcpw_tell_code(mcpw_reader *r, const unsigned char *p, mcpw_status status);
MCPW_COLD void mcpw_tell_kind(mcpw_reader *r, const unsigned char *p);
MCPW_COLD void mcpw_tell_number_kind(mcpw_reader *r, unsigned char *p);
#else
MCPW_COLD void mcpw_tell(mcpw_reader *r, const unsigned char *p, mcpw_status status, const char *text);
MCPW_COLD void mcpw_tell_around(mcpw_reader *r, const unsigned char *p, mcpw_status status,
                                const char *before, const char *what, const char *after);
MCPW_COLD void mcpw_tell_bounds(mcpw_reader *r, const unsigned char *p, mcpw_status status, unsigned check);
MCPW_COLD void mcpw_tell_type(mcpw_reader *r, const unsigned char *p, const char *expected);
MCPW_COLD void mcpw_tell_number(mcpw_reader *r, unsigned char *p, const char *expected);
MCPW_COLD void mcpw_tell_missing(mcpw_reader *r, const unsigned char *p, const mcpw_row *row);
#endif

/* The same as a value: NULL, which compilers see here and would not see of a function. */
#define mcpw_fail_text(r, p, status, text) (mcpw_tell((r), (p), (status), (text)), (unsigned char *)NULL)
#define mcpw_fail_around(r, p, status, before, what, after)                                                  \
    (mcpw_tell_around((r), (p), (status), (before), (what), (after)), (unsigned char *)NULL)
#define mcpw_fail_bounds(r, p, status, check)                                                                \
    (mcpw_tell_bounds((r), (p), (status), (check)), (unsigned char *)NULL)
#define mcpw_fail_type(r, p, expected) (mcpw_tell_type((r), (p), (expected)), (unsigned char *)NULL)
#define mcpw_fail_number(r, p, expected) (mcpw_tell_number((r), (p), (expected)), (unsigned char *)NULL)

/* Describes the failure that was noted last, unless that was done. */
MCPW_COLD void mcpw_describe(mcpw_reader *r);

/* Takes the failure that was noted last back. */
MCPW_COLD void mcpw_forgive(mcpw_reader *r);

/* Reports the failure to the caller's callback; whether to go on. */
MCPW_COLD bool mcpw_report(mcpw_reader *r);

/* The same, and skips the value at start: the place behind it, or NULL. */
MCPW_COLD unsigned char *mcpw_recover(mcpw_reader *r, unsigned char *start);

/* Parts of messages; cut short when nobody wants to know. */
MCPW_COLD const char *mcpw_bounds_text(mcpw_reader *r, unsigned check);
MCPW_COLD const char *mcpw_enum_choices(mcpw_reader *r, uint16_t index, unsigned char *p);
MCPW_COLD const char *mcpw_const_choice(mcpw_reader *r, const mcpw_const *want, unsigned char *p);
MCPW_COLD const char *mcpw_union_choices(mcpw_reader *r, const mcpw_union *u, unsigned char *p);

/* ---- checks on text (formats.c) ---- */

/* A string token from..to with its quotes: its length and, when strict, its format. */
unsigned char *mcpw_check_string(mcpw_reader *r, unsigned char *from, unsigned char *to, unsigned check);

#if defined(MCPW_NO_STRICT) /* built without: asking for it is an error */
#define mcpw_count_has_format(r, count, check) ((void)(count), true)
#define mcpw_check_raw(r, from, to, check) ((void)(from), (to))
#define mcpw_no_duplicates(r) true
#else
/* Whether that many items are allowed, when strict. */
bool mcpw_count_has_format(const mcpw_reader *r, size_t count, unsigned check);

/* A value from..to that stays text or has members of its own: its format, when strict. */
unsigned char *mcpw_check_raw(mcpw_reader *r, unsigned char *from, unsigned char *to, unsigned check);

/* Whether no object anywhere in the text has a member twice. */
bool mcpw_no_duplicates(mcpw_reader *r);
#endif

/* ---- entry points (decode.c, validate.c) ---- */

/* Checks a value that stays text against a type, without changing it. */
unsigned char *mcpw_check_shape(mcpw_reader *r, unsigned char *p, mcpw_ref ref);

/* Checks or builds a value of a type at p: for the message layer. Where there is one engine, it builds when
 * it is given a place, and checks when that is NULL. */
unsigned char *mcpw_check_ref(mcpw_reader *r, unsigned char *p, mcpw_ref ref);
unsigned char *mcpw_build_ref(mcpw_reader *r, unsigned char *p, mcpw_ref ref, unsigned char *out);

#if MCPW_COMPACT
/* A whole text, stored: mcpw_decode's part of the one engine. */
unsigned char *mcpw_build_document(mcpw_reader *r, mcpw_ref ref, unsigned char *out);
#endif

/* ---- what a message is (message.c) ---- */

/* The members that JSON-RPC names, as numbers; but one mean something in every message. */
enum { MCPW_ENVELOPE_PARAMS = 3, MCPW_ENVELOPE_OTHER = 6 };
unsigned mcpw_envelope_member(mcpw_str name);

/* Why a message of that kind cannot have such an id, or that method; NULL: it can. */
const char *mcpw_id_conflict(mcpw_message_kind kind, mcpw_id_kind id);
const char *mcpw_method_conflict(const mcpw_method *entry, mcpw_message_kind kind);

/* What else is wrong with messages that are read and with those that are written. */
extern const char mcpw_lacks_params[];
extern const char mcpw_empty_batch[];
extern const char mcpw_mixed_batch[];

/* Runs a validation on an opened reader (status tells whether it could be opened), with its error record and
 * its callback: what mcpw_validate and mcpw_message_validate share. */
mcpw_status mcpw_validate_open(mcpw_reader *r, mcpw_status status, const mcpw_options *options,
                               mcpw_error *error, mcpw_status (*run)(mcpw_reader *r, void *what), void *what);

/* The checks that need the whole text, when strict. */
mcpw_status mcpw_finish_strict(mcpw_reader *r);

/* Whether `text`, which is writable with MCPW_TAIL writable bytes behind it, is exactly one value of the
 * type. Reads in place and changes nothing but those bytes. *line_breaks tells whether a line break stands
 * between tokens. Working memory, which is given back, is the allocator's. */
MCPW_NODISCARD mcpw_status mcpw_check_text(const mcpw_revision *revision, mcpw_ref ref, char *text,
                                           size_t len, unsigned depth, mcpw_allocator allocator,
                                           const mcpw_options *options, mcpw_error *error, bool *line_breaks);

#endif
