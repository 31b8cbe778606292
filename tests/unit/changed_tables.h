/* SPDX-License-Identifier: MIT */
/* A revision with tables that a test may change: for what the tables can say and no revision says yet. */
#ifndef MCPW_TESTS_CHANGED_TABLES_H
#define MCPW_TESTS_CHANGED_TABLES_H

#include <mcpw/codec.h>
#include <mcpw/table.h>

#include "check.h"

enum {
    CHANGED_ROWS = 2048,
    CHANGED_STRUCTS = 512,
    CHANGED_ENUM_VALUES = 256,
    CHANGED_ENUMS = 64,
    CHANGED_CHECKS = 64,
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
} changed;

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
    memcpy(c->checks, v->checks, v->check_count * sizeof *v->checks);
    memset(c->checks + OWN_CHECK, 0, sizeof *c->checks);
    c->checks[OWN_CHECK].flags = MCPW_CHECK_MIN | MCPW_CHECK_MAX;
    c->checks[OWN_CHECK].min = 2;
    c->checks[OWN_CHECK].max = 3;
    for (unsigned i = 0; i < v->row_count; i++) {
        c->rows[i].value.check = 0;
    }
    c->type = *type;
    c->type.revision = &c->revision;
}

static inline mcpw_struct *struct_of(changed *c) { return c->structs + c->type.ref.index; }

static inline mcpw_row *row_of(changed *c, const char *name) {
    const mcpw_struct *const s = c->revision.structs + c->type.ref.index;
    for (unsigned i = 0; i < s->count; i++) {
        mcpw_row *const row = c->rows + s->first + i;
        if (row->key_len == strlen(name) &&
            memcmp(c->revision.pool + row->key + 1, name, row->key_len) == 0) {
            return row;
        }
    }
    CHECK(false);
    return c->rows;
}

#endif
