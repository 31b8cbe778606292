/* SPDX-License-Identifier: MIT */
/*
 * A compiled schema: tables, and what walks along them.
 *
 *     text --tape.c--> tape --library.c--> resources, anchors --compile*.c--> tables --pack.c--> mcpw_schema
 *     text --tape.c--> tape, and the tables --fit*.c--> verdict, errors
 *
 * Each subschema that can be reached is a **shape**: the JSON types that it allows, a row for each type of
 * value about which it says more (numbers, strings, arrays, objects), and steps for what holds whatever the
 * value is: const, enum, references, alternatives, what is unevaluated. A walk looks at the type once, then
 * at one row, then at the steps. true and false are the shapes 0 and 1, to which nothing is asked.
 *
 * Every name that an object's schema speaks of (properties, required, dependentRequired, dependentSchemas) is
 * one row of its names, so that each member of a value is looked up once: by its hash, which the tape has.
 *
 * Tables refer to each other by number, and the texts of all of them stand in one pool: they are one block
 * of memory that can be moved, or constants that the generator made (codegen/emit/shapes.py).
 * <mcpw/detail/table_shapes.h> says what they hold.
 */
#ifndef MCPW_SHAPES_H
#define MCPW_SHAPES_H

#include <mcpw/detail/table_shapes.h>
#include <mcpw/schema.h>

#include "tape.h"

/* The name row of some text among sorted names, from low to before high; NULL when it is none. */
const mcpw_name *mcpw_search_names(const mcpw_schema *schema, const mcpw_name *low, const mcpw_name *high,
                                   uint32_t hash, const char *text, size_t len);

/* The same among the names of a row, of which there are some. */
MCPW_INLINE const mcpw_name *mcpw_find_name(const mcpw_schema *schema, const mcpw_object_row *row,
                                            uint32_t hash, const char *text, size_t len) {
    enum { HASH_BITS = 32 };
    const uint32_t *const bucket =
        schema->numbers + row->buckets + (size_t)((uint64_t)hash >> (HASH_BITS - row->bucket_bits));
    const mcpw_name *const names = schema->names + row->names.first;
    const mcpw_name *const first = names + bucket[0];
    if (MCPW_LIKELY(bucket[1] - bucket[0] <= 1)) {
        const bool same = bucket[1] != bucket[0] && first->hash == hash && first->text.count == len &&
                          mcpw_same_text(schema->pool + first->text.first, text, len);
        return same ? first : NULL;
    }
    return mcpw_search_names(schema, first, names + bucket[1], hash, text, len);
}

/* Whether the text is among names that have no buckets. */
bool mcpw_has_word(const mcpw_schema *schema, mcpw_span names, const char *text, size_t len);

/* The order in which names stand. */
int mcpw_compare_name(uint32_t hash, const char *text, size_t len, const mcpw_name *name, const char *pool);

MCPW_INLINE mcpw_str mcpw_pool_text(const mcpw_schema *schema, mcpw_span span) {
    const mcpw_str text = {schema->pool + span.first, span.count};
    return text;
}

#endif
