/* SPDX-License-Identifier: MIT */
/*
 * A schema being compiled. Errors stick: the first one is kept, and from then on nothing more is looked at,
 * so that most functions need no result.
 *
 *     library.c           documents, the resources and anchors in them, and what references lead to
 *     pointers.c          what JSON pointers lead to
 *     locations.c         URIs, and references resolved against them
 *     dictionary.c        numbers by name, for the three above
 *     compile.c           the shapes that are reached, one by one; references, alternatives
 *     compile_values.c    constants, rows of numbers, strings and arrays
 *     compile_object.c    rows of objects, names
 *     compile_loops.c     refuses references that lead back to themselves
 *     pack.c              the tables as one block
 *
 * This is a recursive descent: compile.c meets a keyword, compile_values.c or compile_object.c compiles what
 * it holds, and asks compile.c for the shapes of the schemas in it. Those are compiled later, one by one, so
 * that nesting costs no stack. library.c descends likewise: the language of a document may be that of a
 * meta-schema, which is a document, too.
 */
#ifndef MCPW_SCHEMA_COMPILER_H
#define MCPW_SCHEMA_COMPILER_H

#include "../base/error_text.h"
#include "../base/printable.h"
#include "keywords.h"
#include "shapes.h"
#include "uri.h"

/* A place in a document. */
typedef struct mcpw_site {
    uint32_t document;
    uint32_t node;
    uint32_t resource;
} mcpw_site;

typedef struct mcpw_document {
    mcpw_tape tape;
    mcpw_str uri;
    uint32_t *shapes;  /* of each node, + 1; 0: it has none yet */
    uint32_t *roots;   /* the resource, + 1, of which each node is the root; 0: of none */
    uint32_t *indexes; /* the index, + 1, of the members or items of each node; 0: it has none yet */
} mcpw_document;

/* A schema with a URI of its own, in a document or the whole of it. */
typedef struct mcpw_schema_resource {
    uint32_t uri; /* of mcpw_resolve_uri */
    uint32_t document;
    uint32_t node;
    mcpw_language language;
    mcpw_language described; /* as a meta-schema: the language that it describes; dialect 0: not looked at */
    bool recursive;          /* $recursiveAnchor */
} mcpw_schema_resource;

/* A name for a place: a resource's URI and, unless it is the resource itself, an anchor in it. */
typedef struct mcpw_label {
    mcpw_str anchor;
    mcpw_site site;
    bool dynamic;
} mcpw_label;

/* The target of a reference. */
typedef struct mcpw_schema_target {
    uint32_t uri;      /* without fragment */
    mcpw_str fragment; /* decoded; empty when there is none */
} mcpw_schema_target;

/* A growing table. */
typedef struct mcpw_rows {
    unsigned char *rows;
    uint32_t count;
    uint32_t capacity;
    size_t size; /* of a row */
} mcpw_rows;

/* The tables. */
typedef enum mcpw_table_id {
    MCPW_TABLE_SHAPES,
    MCPW_TABLE_STEPS,
    MCPW_TABLE_BOUNDS,
    MCPW_TABLE_NUMBER_ROWS,
    MCPW_TABLE_STRING_ROWS,
    MCPW_TABLE_ARRAY_ROWS,
    MCPW_TABLE_OBJECT_ROWS,
    MCPW_TABLE_NAMES,
    MCPW_TABLE_DYNAMICS,
    MCPW_TABLE_NUMBERS,
    MCPW_TABLE_CONSTANTS,
    MCPW_TABLE_POOL,
    MCPW_TABLE_PATTERNS,
    MCPW_TABLE_PATTERN_TEXTS,
    MCPW_PACKED_TABLES,                    /* those above are what a schema consists of */
    MCPW_TABLE_SITES = MCPW_PACKED_TABLES, /* of the shapes */
    MCPW_TABLE_DYNAMIC_NAMES,              /* numbers of names, of the dynamics */
    MCPW_TABLE_NAMES_ASKED,                /* by dynamic references */
    MCPW_TABLE_DYNAMIC_LABELS,
    MCPW_TABLE_DOCUMENTS,
    MCPW_TABLE_RESOURCES,
    MCPW_TABLE_LABELS,
    MCPW_TABLE_PIECES,  /* of URIs */
    MCPW_TABLE_INDEXED, /* items of indexed arrays */
    MCPW_TABLE_ENTRIES, /* of the dictionary */
    MCPW_TABLE_FORKS,   /* in it */
    MCPW_TABLES
} mcpw_table_id;

typedef struct mcpw_compiler {
    mcpw_schema_options options;
    mcpw_language language; /* where no $schema is */
    mcpw_arena arena;       /* all that is needed while compiling */
    mcpw_rows tables[MCPW_TABLES];
    uint32_t entries_root; /* of the dictionary */
    uint32_t indexes;      /* objects whose members are in the dictionary */
    uint64_t work;         /* steps that are left for what is not bounded by the length of the schema */
    size_t bytes_left;     /* of all documents */
    unsigned loading;      /* meta-schemas that are being looked at */
    mcpw_status status;
    mcpw_error *error;
} mcpw_compiler;

/* ---- tables ---- */

/* Opens the tables of rows and the limit of work (compile_rows.c). */
void mcpw_open_rows(mcpw_compiler *c);

/* Adds a row; its number. 0, and status set, when memory runs out. */
uint32_t mcpw_add_row(mcpw_compiler *c, mcpw_table_id table, const void *row);

/* Adds many. */
uint32_t mcpw_add_rows(mcpw_compiler *c, mcpw_table_id table, const void *rows, size_t count);

/* Puts text into the pool. */
mcpw_span mcpw_add_text(mcpw_compiler *c, mcpw_str text);

/* A row by its number; NULL where the table has none at all. */
MCPW_INLINE void *mcpw_row_at(const mcpw_compiler *c, mcpw_table_id table, uint32_t row) {
    const mcpw_rows *const t = c->tables + table;
    return t->rows != NULL ? t->rows + row * t->size : NULL;
}

MCPW_INLINE const mcpw_document *mcpw_document_at(const mcpw_compiler *c, uint32_t document) {
    return mcpw_row_at(c, MCPW_TABLE_DOCUMENTS, document);
}

MCPW_INLINE const mcpw_tape *mcpw_tape_of(const mcpw_compiler *c, const mcpw_site *site) {
    return &mcpw_document_at(c, site->document)->tape;
}

MCPW_INLINE mcpw_schema_resource *mcpw_resource_at(const mcpw_compiler *c, uint32_t resource) {
    return mcpw_row_at(c, MCPW_TABLE_RESOURCES, resource);
}

/* ---- errors ---- */

/* Notes an error at a node of a document, unless there is one. The message is put together of three parts, of
 * which the second becomes an excerpt. */
MCPW_COLD void mcpw_fault(mcpw_compiler *c, const mcpw_site *site, mcpw_status status, const char *before,
                          mcpw_str what, const char *after);
MCPW_COLD void mcpw_fault_text(mcpw_compiler *c, const mcpw_site *site, mcpw_status status, const char *text);

MCPW_INLINE bool mcpw_failed(const mcpw_compiler *c) { return c->status != MCPW_OK; }

/* Takes steps from the work that is left; false, and status set, when there is too little. */
bool mcpw_spend_work(mcpw_compiler *c, uint64_t work);

/* ---- dictionary.c: numbers by name ---- */

#define MCPW_NO_ENTRY UINT32_MAX

/* Names in different rooms have nothing to do with each other. A room is made of one of these and a number.
 */
enum { MCPW_ROOM_PIECES, MCPW_ROOM_LABELS, MCPW_ROOM_MEMBERS, MCPW_ROOMS };

/* The value of a name in a room; MCPW_NO_ENTRY: it has none. */
uint32_t mcpw_look_up(const mcpw_compiler *c, uint64_t room, mcpw_str text);

/* A name in a room, and its value. */
typedef struct mcpw_schema_entry {
    uint64_t room;
    mcpw_str text;
    uint32_t value;
} mcpw_schema_entry;

/* The entry of a name in a room, which is made with this value where there is none. It stays where it is
 * until the next one is made; the text has to stay for good. NULL when memory runs out. */
mcpw_schema_entry *mcpw_enter(mcpw_compiler *c, uint64_t room, mcpw_str text, uint32_t value);

/* Bytes of a row of MCPW_TABLE_FORKS. */
extern const size_t mcpw_fork_size;

/* ---- locations.c: URIs by number; 0 is the empty one ---- */

void mcpw_open_locations(mcpw_compiler *c);

/* Bytes of a row of MCPW_TABLE_PIECES. */
extern const size_t mcpw_piece_size;

/* Resolves a reference against a base. The reference has to stay. False: a %xx in the fragment is none. */
bool mcpw_resolve_uri(mcpw_compiler *c, uint32_t base, mcpw_str reference, mcpw_schema_target *out);

/* The text of a URI, with a NUL after it; each byte is a step of work. */
mcpw_str mcpw_uri_text(mcpw_compiler *c, uint32_t uri);

/* ---- pointers.c ---- */

/* The site of a part of a site, which may be the root of a resource of its own. */
mcpw_site mcpw_part_of(const mcpw_compiler *c, const mcpw_site *site, uint32_t node);

/* Follows a JSON pointer from a site. False: it leads nowhere. */
bool mcpw_follow_pointer(mcpw_compiler *c, mcpw_site *site, mcpw_str pointer);

/* ---- library.c ---- */

/* Reads a document and finds what is in it. Its site, in *out. */
void mcpw_load_document(mcpw_compiler *c, mcpw_json text, mcpw_str uri, mcpw_site *out);

/* The target of a reference in a resource. `at` is where it stands. *label is the label by which it was found
 * when that is an anchor, else NULL. */
bool mcpw_find_reference(mcpw_compiler *c, const mcpw_site *at, mcpw_str reference, mcpw_site *out,
                         const mcpw_label **label);

/* ---- compile.c ---- */

/* The places of the values of a schema's keywords; 0: the schema has no such keyword. */
typedef struct mcpw_keyset {
    mcpw_site site;
    mcpw_language language;
    uint32_t at[MCPW_KEYWORDS];
} mcpw_keyset;

/* Finds the keywords of the schema at a site, which is an object. */
void mcpw_read_keys(mcpw_compiler *c, const mcpw_site *site, mcpw_keyset *keys);

/* The shape of the schema at a site; the shape is compiled later. */
uint32_t mcpw_shape_at(mcpw_compiler *c, const mcpw_site *site);

/* The shape of a keyword's value, */
uint32_t mcpw_shape_of(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_keyword keyword);

/* and of the items of one, whose shapes stand in numbers. */
mcpw_span mcpw_shapes_of(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_keyword keyword);

/* The value of a keyword as a count; `otherwise` when it is absent. */
uint32_t mcpw_count_of(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_keyword keyword, uint32_t otherwise);

bool mcpw_is_set(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_keyword keyword);

void mcpw_add_step(mcpw_compiler *c, mcpw_shape *shape, mcpw_step_kind kind, uint32_t a, uint32_t b);

/* ---- compile_values.c, compile_object.c: the rows of a shape, 0 where it says nothing ---- */

uint32_t mcpw_compile_number(mcpw_compiler *c, const mcpw_keyset *keys);
uint32_t mcpw_compile_string(mcpw_compiler *c, const mcpw_keyset *keys);
uint32_t mcpw_compile_array(mcpw_compiler *c, const mcpw_keyset *keys);
uint32_t mcpw_compile_object(mcpw_compiler *c, const mcpw_keyset *keys);

/* type, const and enum. */
void mcpw_compile_types(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_shape *shape);
void mcpw_compile_constants(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_shape *shape);

/* A pattern at a node; its number. */
uint32_t mcpw_compile_pattern(mcpw_compiler *c, const mcpw_site *site, mcpw_str text);

/* Names of texts, sorted, each once. */
mcpw_span mcpw_compile_words(mcpw_compiler *c, const mcpw_str *words, uint32_t count);

/* ---- compile_loops.c, pack.c ---- */

void mcpw_refuse_loops(mcpw_compiler *c);
mcpw_schema *mcpw_pack(mcpw_compiler *c, uint32_t root);

#endif
