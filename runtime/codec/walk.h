/* SPDX-License-Identifier: MIT */
/* A walk over a type's tables and a text side by side: what it consists of, and how it begins. */
#ifndef MCPW_WALK_H
#define MCPW_WALK_H

#include <mcpw/detail/remembered.h>

#include "error_report.h"
#include "flags.h"
#include "tables.h"

enum {
    MCPW_WORK_FACTOR = 8, /* bytes that unions may read again, as a multiple of the text */
    MCPW_WORK_BASE = 4096 /* the same for short texts */
};

/* The member that tells which alternative of a union a value is, for walks that store nothing. */
typedef struct mcpw_tag {
    const mcpw_row *row; /* NULL: none is wanted, and the rest means nothing */
    unsigned depth;      /* of the reader among the members of the union's value */
    unsigned char *at;   /* its value; NULL: it has not been read */
} mcpw_tag;

/* Any JSON. */
static const mcpw_ref mcpw_any = {MCPW_KIND_JSON, 0, 0};

typedef struct mcpw_walk {
    mcpw_reader reader;
    mcpw_tables tables;
    mcpw_arena *arena;
    unsigned flags;  /* of mcpw_options */
    size_t elements; /* that may still be read */

    /* The members that begin as zeros. */
    mcpw_reporter reporter;
    unsigned in_shape; /* >0: inside a value that stays text */
    bool saw_unknown;  /* an enum took MCPW_UNKNOWN; the member around it keeps its text */
    bool no_guess;     /* no guesses at the alternative of a union: one was wrong, or none is to be */
    size_t spent;      /* bytes that were read again */
    mcpw_remembered *remembered; /* a struct that is not read again; NULL: none */

    mcpw_tag tag; /* whose row alone does */
} mcpw_walk;

/* Opens the reader and sets the limits. MCPW_E_SIZE, MCPW_E_ARGUMENT, MCPW_E_MEMORY or MCPW_E_ARENA. */
MCPW_NODISCARD mcpw_status mcpw_walk_open(mcpw_walk *w, const mcpw_revision *revision, const char *text,
                                          size_t len, mcpw_arena *arena, const mcpw_options *options);

/* The same over text that is the caller's to write to, with MCPW_TAIL writable bytes after it (they are
 * zeroed). Takes nothing from the arena but scratch memory. */
void mcpw_walk_open_in_place(mcpw_walk *w, const mcpw_revision *revision, char *text, size_t len,
                             mcpw_arena *arena, unsigned flags);

MCPW_INLINE size_t mcpw_limit_or(size_t value, size_t fallback) { return value != 0 ? value : fallback; }

/* All but the reader and the limits. */
MCPW_INLINE void mcpw_walk_set_up(mcpw_walk *w, const mcpw_revision *revision, mcpw_arena *arena,
                                  unsigned flags) {
    w->tables = mcpw_tables_of(revision);
    w->arena = arena;
    w->flags = flags;
    w->elements = MCPW_DEFAULT_ELEMENTS;
    w->tag.row = NULL;
    mcpw_clear(&w->reporter, offsetof(mcpw_walk, tag) - offsetof(mcpw_walk, reporter));
}

/* mcpw_walk_open, for the decoders: short messages feel the call. */
MCPW_INLINE mcpw_status mcpw_walk_open_inline(mcpw_walk *w, const mcpw_revision *revision, const char *text,
                                              size_t len, mcpw_arena *arena, const mcpw_options *options) {
    size_t depth = MCPW_DEFAULT_DEPTH;
    size_t most = MCPW_DEFAULT_BYTES;
    mcpw_walk_set_up(w, revision, arena, 0);
    if (options != NULL) {
        w->flags = options->flags;
        w->elements = mcpw_limit_or(options->max_elements, MCPW_DEFAULT_ELEMENTS);
        depth = mcpw_limit_or(options->max_depth, MCPW_DEFAULT_DEPTH);
        most = mcpw_limit_or(options->max_bytes, MCPW_DEFAULT_BYTES);
    }
    if (depth > MCPW_MAX_DEPTH || (w->flags & MCPW_LACKED_FLAGS) != 0) {
        return MCPW_E_ARGUMENT;
    }
    return len <= most ? mcpw_reader_start(&w->reader, text, len, (unsigned)depth, arena) : MCPW_E_SIZE;
}

/* mcpw_walk_start        mcpw_walk_open, for the decoders
 * mcpw_zero(to, n)       zeroes n bytes and up to MCPW_ZERO_STEP - 1 more: for memory of the arena that was
 *                        asked for with MCPW_ZERO_STEP bytes after it */
#if defined(MCPW_SMALL)
#include "walk_start_small.h"
#else
#include "walk_start_fast.h"
#endif

/* Takes bytes off the budget for re-reading; false (and MCPW_E_WORK) when it is used up. */
bool mcpw_spend(mcpw_walk *w, const unsigned char *from, const unsigned char *to);

/* Whether an enum took MCPW_UNKNOWN. */
MCPW_INLINE bool mcpw_saw_unknown(const mcpw_walk *w) { return MCPW_LACKS_LENIENCY == 0 && w->saw_unknown; }

/* Items, entries and kept members count against one limit. */
MCPW_INLINE bool mcpw_count_element(mcpw_walk *w) {
    if (MCPW_UNLIKELY(w->elements == 0)) {
        return false;
    }
    w->elements--;
    return true;
}

#endif
