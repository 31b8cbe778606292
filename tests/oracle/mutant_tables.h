/* SPDX-License-Identifier: MIT */
/*
 * A writable copy of one revision's tables, and every way to spoil one entry of it.
 *
 * Entries are numbered across all tables. Each has a name made of definitions and members, which stays the
 * same when the tables are generated again, and is known by the definitions that reach it.
 */
#ifndef MUTANT_TABLES_H
#define MUTANT_TABLES_H

#include <mcpw/detail/table.h>

#include "kinds.h"

#include <stdbool.h>
#include <stddef.h>

enum { ENTRY_NAME_SIZE = 200, MUTATION_NAME_SIZE = 320 };

/* The tables that are arrays: the entry, the member of a revision, the type of an item, the member with the
 * count, and a name. */
#define ENTRY_ARRAYS(X)                                                                                      \
    X(ENTRY_STRUCT, structs, mcpw_struct, struct_count, "struct")                                            \
    X(ENTRY_ROW, rows, mcpw_row, row_count, "row")                                                           \
    X(ENTRY_ARRAY, arrays, mcpw_array, array_count, "array")                                                 \
    X(ENTRY_MAP, maps, mcpw_map, map_count, "map")                                                           \
    X(ENTRY_UNION, unions, mcpw_union, union_count, "union")                                                 \
    X(ENTRY_ALTERNATIVE, alternatives, mcpw_alternative, alternative_count, "alternative")                   \
    X(ENTRY_TEST, tests, mcpw_test, test_count, "test")                                                      \
    X(ENTRY_ENUM, enums, mcpw_enum, enum_count, "enum")                                                      \
    X(ENTRY_ENUM_VALUE, enum_values, mcpw_enum_value, enum_value_count, "enum value")                        \
    X(ENTRY_CONST, consts, mcpw_const, const_count, "const")                                                 \
    X(ENTRY_CHECK, checks, mcpw_check, check_count, "check")                                                 \
    X(ENTRY_SHAPE, shapes, mcpw_ref, shape_count, "shape")

/* The table of an entry. */
typedef enum entry_table {
    ENTRY_DEFINITION,
#define ENTRY(entry, member, type, count, name) entry,
    ENTRY_ARRAYS(ENTRY)
#undef ENTRY
        ENTRY_TABLES
} entry_table;

typedef struct tables {
    const mcpw_revision *original;
    mcpw_revision revision; /* refers to the arrays below */
    mcpw_type *types;       /* the definitions' handles */
#define MEMBER(entry, member, type, count, name) type *member;
    ENTRY_ARRAYS(MEMBER)
#undef MEMBER
    size_t first[ENTRY_TABLES + 1]; /* number of each table's first entry */
    char (*names)[ENTRY_NAME_SIZE]; /* by entry; empty: nothing reaches it */
    bool *reached;                  /* [definition * entries + entry] */
    size_t *reach;                  /* entries that a definition reaches */
} tables;

/* Called with one entry spoiled. The entry is restored afterwards. redundant: what was spoiled says only once
 * more what other entries say. */
typedef void (*mutation_callback)(void *user, tables *t, size_t entry, bool redundant, const char *name);

/* The table that the index of a kind refers to; ENTRY_TABLES: none. */
entry_table tables_of_kind(uint8_t kind);

void tables_open(tables *t, const mcpw_revision *revision);
void tables_close(tables *t);

/* Whether a definition's values can meet the entry. */
bool tables_reaches(const tables *t, size_t definition, size_t entry);

/* Spoils one entry after the other in every way. */
void tables_each_mutation(tables *t, mutation_callback callback, void *user);

/* Whether what the tables say twice agrees; if not, what says why. */
bool tables_consistent(const mcpw_revision *revision, char *what, size_t size);

#endif
