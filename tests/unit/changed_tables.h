/* SPDX-License-Identifier: MIT */
/* A revision with tables that a test may change: for what the tables can say and no revision says yet. */
#ifndef MCPW_TESTS_CHANGED_TABLES_H
#define MCPW_TESTS_CHANGED_TABLES_H

#include <mcpw/codec.h>
#include <mcpw/detail/table.h>
#include <stdio.h>

#include "check.h"

enum {
    CHANGED_ROWS = 2048,
    CHANGED_STRUCTS = 512,
    CHANGED_ENUM_VALUES = 256,
    CHANGED_ENUMS = 64,
    CHANGED_CHECKS = 64,
    CHANGED_POOL = 1 << 16,
    OWN_CHECK = CHANGED_CHECKS - 1 /* from 2 to 3; no row has it at first */
};

typedef struct changed {
    mcpw_revision revision;
    mcpw_type type;
    mcpw_row rows[CHANGED_ROWS];
    mcpw_struct structs[CHANGED_STRUCTS];
    mcpw_enum_value enum_values[CHANGED_ENUM_VALUES];
    mcpw_enum enums[CHANGED_ENUMS];
    mcpw_check checks[CHANGED_CHECKS];
#if defined(MCPW_SMALL)
    mcpw_ref refs[CHANGED_ROWS];
#endif
    char pool[CHANGED_POOL];
} changed;

enum { OWN_TEXT = 4 }; /* bytes of a text of OWN_CHECK, with its NUL */

/* Puts a number into the pool, after what is there, as one of the texts of OWN_CHECK. Returns its place. */
static inline uint16_t own_text(changed *c, int text, int number) {
    const uint16_t at = (uint16_t)(c->revision.pool_size + text * OWN_TEXT);
    (void)snprintf(c->pool + at, OWN_TEXT, "%d", number);
    return at;
}

/* Adds to OWN_CHECK that integers are multiples of a factor, and takes its bounds away. */
static inline void set_factor(changed *c, int factor) {
    c->checks[OWN_CHECK].flags = MCPW_CHECK_MULTIPLE;
    c->checks[OWN_CHECK].argument = own_text(c, 2, factor);
}

/* The bounds of OWN_CHECK. */
static inline void set_bounds(changed *c, int min, int max) {
    c->checks[OWN_CHECK].min_text = own_text(c, 0, min);
    c->checks[OWN_CHECK].max_text = own_text(c, 1, max);
#if !defined(MCPW_SMALL)
    c->checks[OWN_CHECK].min = min;
    c->checks[OWN_CHECK].max = max;
#endif
}

#if defined(MCPW_SMALL)
/* Gives each row a type of its own, after those that there are. */
static inline void own_types(changed *c, const mcpw_revision *v) {
    unsigned count = 0;
    for (unsigned i = 0; i < v->row_count; i++) {
        count = v->rows[i].value < count ? count : v->rows[i].value + 1U;
    }
    for (unsigned i = 0; i < v->alternative_count; i++) {
        count = v->alternatives[i].value < count ? count : v->alternatives[i].value + 1U;
    }
    CHECK(count + v->row_count < 1U << MCPW_ROW_VALUE_BITS);
    memcpy(c->refs, v->refs, count * sizeof *v->refs);
    for (unsigned i = 0; i < v->row_count; i++) {
        c->refs[count + i] = v->refs[v->rows[i].value];
        c->rows[i].value = (count + i) & ((1U << MCPW_ROW_VALUE_BITS) - 1);
    }
    c->revision.refs = c->refs;
}

static inline mcpw_ref *type_in(changed *c, mcpw_row *row) { return c->refs + row->value; }

#else
static inline mcpw_ref *type_in(changed *c, mcpw_row *row) {
    (void)c;
    return &row->value;
}
#endif

static inline void change(changed *c, const mcpw_type *type) {
    const mcpw_revision *const v = type->revision;
    c->revision = *v;
    if (!check_that(v->row_count <= CHANGED_ROWS && v->struct_count <= CHANGED_STRUCTS &&
                        v->enum_value_count <= CHANGED_ENUM_VALUES && v->enum_count <= CHANGED_ENUMS &&
                        v->check_count <= OWN_CHECK,
                    __FILE__, __LINE__, "there is room for the tables")) {
        return;
    }
    memcpy(c->structs, v->structs, v->struct_count * sizeof *v->structs);
    c->revision.structs = c->structs;
    memcpy(c->rows, v->rows, v->row_count * sizeof *v->rows);
    memcpy(c->enum_values, v->enum_values, v->enum_value_count * sizeof *v->enum_values);
    memcpy(c->enums, v->enums, v->enum_count * sizeof *v->enums);
    c->revision.rows = c->rows;
    c->revision.enum_values = c->enum_values;
    c->revision.enums = c->enums;
    c->revision.checks = c->checks;
    CHECK(v->pool_size + 3 * OWN_TEXT <= CHANGED_POOL);
    memcpy(c->pool, v->pool, v->pool_size);
    c->revision.pool = c->pool;
    memcpy(c->checks, v->checks, v->check_count * sizeof *v->checks);
    memset(c->checks + OWN_CHECK, 0, sizeof *c->checks);
    c->checks[OWN_CHECK].flags = MCPW_CHECK_MIN | MCPW_CHECK_MAX;
    set_bounds(c, 2, 3);
#if defined(MCPW_SMALL)
    own_types(c, v);
#endif
    for (unsigned i = 0; i < v->row_count; i++) {
        type_in(c, c->rows + i)->check = 0;
    }
    c->type = *type;
    c->type.revision = &c->revision;
}

/* The type of a member of the type. */
static inline mcpw_ref *type_of(changed *c, const char *name) {
    const mcpw_struct *const s = c->structs + c->type.ref.index;
    for (unsigned i = 0; i < s->count; i++) {
        mcpw_row *const row = c->rows + s->first + i;
        if (mcpw_str_is(mcpw_row_name(&c->revision, c->revision.pool, row), name)) {
            return type_in(c, row);
        }
    }
    CHECK(false);
    return type_in(c, c->rows);
}

/* The type of the members that it does not name. */
static inline mcpw_ref *type_of_extra(changed *c) {
    mcpw_struct *const s = c->structs + c->type.ref.index;
#if defined(MCPW_SMALL)
    return type_in(c, c->rows + s->first + s->count);
#else
    return &s->extra_value;
#endif
}

#endif
