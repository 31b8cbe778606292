/* SPDX-License-Identifier: MIT */
/* The schema of a revision with overlays put on top of it, as text. schema/README.md
 * describes the form of an overlay. */
#ifndef MCPWIRE_OVERLAY_MERGE_H
#define MCPWIRE_OVERLAY_MERGE_H

#include "text.h"

#include <mcpw/json.h>

#include <stdbool.h>

typedef struct merger {
    text out; /* the schema so far */
    mcpw_arena arena;
    const char *name; /* of what is put on top, for complaints */
} merger;

/* Begins with the schema of a revision; merge_free is due. */
void merge_begin(merger *m, mcpw_json schema);
void merge_free(merger *m);

/* The schema as it is now. */
mcpw_json merge_text(const merger *m);

/* Each of these puts something on top; an absent value changes nothing. False: said on stderr why it does not
 * fit, or that there is no memory. */

/* Entries as in an erratum: "pointer" with "old" or "old_absent", and "new" or "gone". */
bool merge_changes(merger *m, mcpw_json changes);
/* The selectors of the result of each method ("result_alternatives" of a revision in schema/methods.json):
 * its definitions get that value as a constant, because a result is read by it. */
bool merge_selectors(merger *m, mcpw_json methods);
/* Definitions by their names. One that is there stays. */
bool merge_definitions(merger *m, mcpw_json definitions);
/* Entries with the place of a union, "at", and names of definitions to "add". */
bool merge_alternatives(merger *m, mcpw_json alternatives);

#endif
