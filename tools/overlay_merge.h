/* SPDX-License-Identifier: MIT */
/* Merges overlays into the schema of a revision, as text. schema/README.md describes the form of an overlay.
 */
#ifndef MCPWIRE_OVERLAY_MERGE_H
#define MCPWIRE_OVERLAY_MERGE_H

#include "text.h"

#include <mcpw/json.h>

#include <stdbool.h>

typedef struct merger {
    text out; /* the schema so far */
    mcpw_arena arena;
    const char *name; /* the name of the overlay, for errors */
} merger;

/* Begins with the schema of a revision; merge_free is needed. */
void merge_begin(merger *m, mcpw_json schema);
void merge_free(merger *m);

/* The current schema. */
mcpw_json merge_text(const merger *m);

/* Each function adds something to the schema; an absent value changes nothing. False: it does not fit, or
 * there is no memory; the error was printed on stderr. */

/* Entries as in an erratum: "pointer" with "old" or "old_absent", and "new" or "gone". */
bool merge_changes(merger *m, mcpw_json changes);
/* The selectors of the result of each method ("result_alternatives" of a revision in schema/methods.json):
 * the selected definitions get their value as a constant, because it selects how a result is read. */
bool merge_selectors(merger *m, mcpw_json methods);
/* Definitions by name. An existing one is kept. */
bool merge_definitions(merger *m, mcpw_json definitions);
/* Entries with the pointer of a union, "at", and names of definitions to "add". */
bool merge_alternatives(merger *m, mcpw_json alternatives);

#endif
