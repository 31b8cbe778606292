/* SPDX-License-Identifier: MIT */
/* Pairs members by sorting their names. Each text is looked through once for where arrays and objects end,
 * when the outermost object is met whose members stand in another order; then no value is passed twice to
 * find the names after it, however deep it lies. */
#include "unordered.h"

#include <stdlib.h>

#include "../base/arena_internal.h"
#include "names.h"

#if !defined(MCPW_SMALL) && !defined(MCPW_NO_MALLOC)

/* ---- where arrays and objects end ---- */

typedef struct mcpw_skip {
    const unsigned char *after;
    size_t next; /* number of the first one after it; while it is open: of the one around it */
} mcpw_skip;

/* Numbers what is opened from p on, which is in an object, up to that object's end. Notes where it ends,
 * unless skips is NULL. */
static size_t number_containers(mcpw_scanner *s, const unsigned char *p, mcpw_skip *skips) {
    size_t count = 0;
    size_t around = 0;
    unsigned depth = 1;
    do {
        switch (*p) {
        case '"':
            p = mcpw_scan_string(s, p);
            continue;
        case '{':
        case '[':
            depth++;
            if (skips != NULL) {
                skips[count].next = around;
                around = count;
            }
            count++;
            break;
        case '}':
        case ']':
            depth--;
            if (skips != NULL && depth > 0) {
                const size_t ended = around;
                around = skips[ended].next;
                skips[ended].after = p + 1;
                skips[ended].next = count;
            }
            break;
        default:
            break;
        }
        p++;
    } while (depth > 0);
    return count;
}

static bool note_skips(mcpw_comparison *c, mcpw_side *side) {
    const size_t count = number_containers(&side->scanner, side->at, NULL);
    mcpw_skip *const skips =
        count <= SIZE_MAX / sizeof *skips ? mcpw_arena_bump(&c->scratch, count * sizeof *skips) : NULL;
    if (skips != NULL) {
        (void)number_containers(&side->scanner, side->at, skips);
    }
    side->skips = skips;
    side->number = 0;
    return skips != NULL;
}

/* ---- members ---- */

enum { QUOTES = 2 }; /* around a name */

typedef struct member {
    mcpw_str name;
    const unsigned char *value;
    size_t number; /* of the first array or object in it, or after it */
} member;

/* The members of one object, sorted, and what is after it. */
typedef struct sorted {
    const void **members;
    const unsigned char *after;
    size_t next;
} sorted;

typedef struct mcpw_pairs {
    struct mcpw_pairs *around;
    mcpw_mark mark;
    sorted a;
    sorted b;
    size_t count;
    size_t next;
} mcpw_pairs;

/* Reads the member at whose name the side is, without undoing escapes; the side is after it then. */
static void read_member(mcpw_side *side, member *m) {
    mcpw_json name;
    m->value = mcpw_scan_name(&side->scanner, side->at, &name);
    m->name.ptr = name.ptr + 1;
    m->name.len = name.len - QUOTES;
    m->number = side->number;
    if (*m->value == '{' || *m->value == '[') {
        const mcpw_skip *const skip = side->skips + side->number;
        side->at = skip->after;
        side->number = skip->next;
    } else {
        side->at = mcpw_scan_value(&side->scanner, m->value);
    }
    side->at = mcpw_scan_space(&side->scanner, side->at);
}

/* Whether there is another one; the side is at its name then, and else after the object. */
static bool next_member(mcpw_side *side) {
    const bool more = *side->at == ',';
    side->at++;
    if (more) {
        side->at = mcpw_scan_space(&side->scanner, side->at);
    }
    return more;
}

static size_t count_members(mcpw_side side) {
    member ignored;
    size_t count = 0;
    do {
        read_member(&side, &ignored);
        count++;
    } while (next_member(&side));
    return count;
}

/* Undoes the escapes of a name; false when there is no memory. */
static bool undo_escapes(mcpw_arena *scratch, mcpw_str *name) {
    if (memchr(name->ptr, '\\', name->len) == NULL) {
        return true;
    }
    const unsigned char *const from = (const unsigned char *)name->ptr;
    unsigned char *const text = mcpw_arena_bump(scratch, name->len);
    if (text == NULL) {
        return false;
    }
    name->len = mcpw_undo_escapes(text, name->len, from, from + name->len);
    name->ptr = (const char *)text;
    return true;
}

static bool sort_members(mcpw_comparison *c, mcpw_side *side, size_t count, sorted *out) {
    const bool fits = count <= SIZE_MAX / sizeof(member);
    member *const members = fits ? mcpw_arena_bump(&c->scratch, count * sizeof *members) : NULL;
    out->members = fits ? mcpw_arena_bump(&c->scratch, count * sizeof *out->members) : NULL;
    if (members == NULL || out->members == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        read_member(side, members + i);
        (void)next_member(side);
        out->members[i] = members + i;
        if (!undo_escapes(&c->scratch, &members[i].name)) {
            return false;
        }
    }
    out->after = side->at;
    out->next = side->number;
    const mcpw_mark mark = mcpw_arena_mark(&c->scratch);
    const void **const room = mcpw_arena_bump(&c->scratch, count * sizeof *room);
    if (room != NULL) {
        mcpw_sort_names(out->members, room, count);
    }
    mcpw_arena_rewind(&c->scratch, mark);
    return room != NULL;
}

static bool same_names(const mcpw_pairs *pairs) {
    size_t i = 0;
    while (i < pairs->count && mcpw_compare_names(pairs->a.members[i], pairs->b.members[i]) == 0) {
        i++;
    }
    return i == pairs->count;
}

void mcpw_pairs_init(mcpw_comparison *c) {
    c->scratch = (mcpw_arena)MCPW_ARENA_INIT;
    c->scratch.limit = SIZE_MAX;
    c->pairs = NULL;
}

void mcpw_pairs_free(mcpw_comparison *c) { mcpw_arena_free(&c->scratch); }

bool mcpw_pairs_begin(mcpw_comparison *c) {
    const mcpw_mark mark = mcpw_arena_mark(&c->scratch);
    if (c->pairs == NULL && (!note_skips(c, c->sides) || !note_skips(c, c->sides + 1))) {
        return false;
    }
    const size_t count = count_members(c->sides[0]);
    mcpw_pairs *const pairs =
        count == count_members(c->sides[1]) ? mcpw_arena_bump(&c->scratch, sizeof *pairs) : NULL;
    if (pairs == NULL || !sort_members(c, c->sides, count, &pairs->a) ||
        !sort_members(c, c->sides + 1, count, &pairs->b)) {
        return false;
    }
    pairs->around = c->pairs;
    pairs->mark = mark;
    pairs->count = count;
    pairs->next = 0;
    c->pairs = pairs;
    bool more = true;
    return same_names(pairs) && mcpw_pairs_next(c, &more);
}

static void go_to(mcpw_side *side, const sorted *s, size_t index) {
    const member *const m = s->members[index];
    side->at = m->value;
    side->number = m->number;
}

static void go_after(mcpw_side *side, const sorted *s) {
    side->at = s->after;
    side->number = s->next;
}

bool mcpw_pairs_next(mcpw_comparison *c, bool *more) {
    mcpw_pairs *const pairs = c->pairs;
    *more = pairs->next < pairs->count;
    if (*more) {
        go_to(c->sides, &pairs->a, pairs->next);
        go_to(c->sides + 1, &pairs->b, pairs->next);
        pairs->next++;
        return true;
    }
    go_after(c->sides, &pairs->a);
    go_after(c->sides + 1, &pairs->b);
    c->pairs = pairs->around;
    mcpw_arena_rewind(&c->scratch, pairs->mark);
    return true;
}

/* ---- entries ---- */

bool mcpw_equal_unordered(const mcpw_entries *e, const unsigned char *a, const unsigned char *b,
                          size_t count) {
    enum { LISTS = 3 }; /* two of names, and room to sort them in */
    const void **const names =
        count <= SIZE_MAX / LISTS / sizeof *names ? malloc(LISTS * count * sizeof *names) : NULL;
    const void **const others = names != NULL ? names + count : NULL;
    bool equal = names != NULL;
    for (size_t i = 0; i < count && equal; i++) {
        names[i] = a + i * e->size;
        others[i] = b + i * e->size;
    }
    if (equal) {
        mcpw_sort_names(names, others + count, count);
        mcpw_sort_names(others, others + count, count);
    }
    for (size_t i = 0; i < count && equal; i++) {
        equal = mcpw_compare_names(names[i], others[i]) == 0 && e->equal(e, names[i], others[i]);
    }
    free((void *)names);
    return equal;
}

#endif
