/* SPDX-License-Identifier: MIT */
/*
 * What the tables say twice must agree: kinds with the layout of the C structs, alternatives with the JSON
 * types that they are for and with the definitions that they are named after.
 */
#include "mutant_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALL_JSON =
        MCPW_IS_OBJECT | MCPW_IS_ARRAY | MCPW_IS_STRING | MCPW_IS_NUMBER | MCPW_IS_BOOLEAN | MCPW_IS_NULL
};

typedef struct layout {
    size_t size;
    size_t align;
} layout;

#define LAYOUT(type) ((layout){sizeof(type), _Alignof(type)})

typedef struct items_layout {
    const void *items;
    size_t count;
} items_layout;

/* How a value of the kind is stored; a struct or union inside another has pointers and so their alignment. */
static layout layout_of(const mcpw_revision *r, mcpw_ref ref) {
    switch (ref.kind) {
    case MCPW_KIND_STRING:
        return LAYOUT(mcpw_str);
    case MCPW_KIND_JSON:
    case MCPW_KIND_JSON_OBJECT:
    case MCPW_KIND_SHAPED:
        return LAYOUT(mcpw_json);
    case MCPW_KIND_INTEGER:
        return LAYOUT(int64_t);
    case MCPW_KIND_OPT_INTEGER:
        return LAYOUT(mcpw_opt_int);
    case MCPW_KIND_NUMBER:
        return LAYOUT(double);
    case MCPW_KIND_OPT_NUMBER:
        return LAYOUT(mcpw_opt_double);
    case MCPW_KIND_BOOLEAN:
    case MCPW_KIND_OPT_CONST:
        return LAYOUT(bool);
    case MCPW_KIND_OPT_BOOLEAN:
        return LAYOUT(mcpw_opt_bool);
    case MCPW_KIND_ENUM:
        return LAYOUT(int);
    case MCPW_KIND_ID:
        return LAYOUT(mcpw_id);
    case MCPW_KIND_STRUCT:
        return (layout){r->structs[ref.index].size, _Alignof(void *)};
    case MCPW_KIND_UNION:
        return (layout){r->unions[ref.index].size, _Alignof(void *)};
    case MCPW_KIND_STRUCT_PTR:
    case MCPW_KIND_UNION_PTR:
        return LAYOUT(void *);
    case MCPW_KIND_ARRAY:
    case MCPW_KIND_MAP:
        return LAYOUT(items_layout);
    default: /* nothing is stored */
        return (layout){0, 1};
    }
}

static size_t round_up(size_t at, size_t align) { return (at + align - 1) / align * align; }

typedef struct place {
    size_t offset;
    layout layout;
} place;

static int by_offset(const void *a, const void *b) {
    const size_t x = ((const place *)a)->offset;
    const size_t y = ((const place *)b)->offset;
    return x < y ? -1 : x > y;
}

/* Whether the members, as their kinds store them, fill the struct without overlap and without a gap. */
static bool members_fill(const mcpw_revision *r, const mcpw_struct *s) {
    place places[MCPW_MAX_ROWS + 1];
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const mcpw_row *row = &r->rows[s->first + i];
        const place here = {row->offset, layout_of(r, row->value)};
        if (here.layout.size != 0) {
            places[count++] = here;
        }
    }
    if (s->extra != MCPW_NO_OFFSET) {
        places[count++] = (place){s->extra, LAYOUT(mcpw_members)};
    }
    qsort(places, count, sizeof *places, by_offset);
    size_t end = 0;
    size_t align = 1;
    for (size_t i = 0; i < count; i++) {
        if (places[i].offset != round_up(end, places[i].layout.align)) {
            return false;
        }
        end = places[i].offset + places[i].layout.size;
        align = places[i].layout.align > align ? places[i].layout.align : align;
    }
    return count == 0 || s->size == round_up(end, align);
}

static unsigned types_of(const mcpw_revision *r, mcpw_ref ref, unsigned levels) {
    unsigned types = 0;
    switch (ref.kind) {
    case MCPW_KIND_STRING:
    case MCPW_KIND_ENUM:
        return MCPW_IS_STRING;
    case MCPW_KIND_JSON:
        return ALL_JSON;
    case MCPW_KIND_SHAPED:
        return levels == 0 ? ALL_JSON : types_of(r, r->shapes[ref.index], levels - 1);
    case MCPW_KIND_INTEGER:
    case MCPW_KIND_OPT_INTEGER:
    case MCPW_KIND_NUMBER:
    case MCPW_KIND_OPT_NUMBER:
        return MCPW_IS_NUMBER;
    case MCPW_KIND_BOOLEAN:
    case MCPW_KIND_OPT_BOOLEAN:
        return MCPW_IS_BOOLEAN;
    case MCPW_KIND_CONST:
    case MCPW_KIND_OPT_CONST:
        return r->consts[ref.index].is;
    case MCPW_KIND_ID:
        return MCPW_IS_STRING | MCPW_IS_NUMBER;
    case MCPW_KIND_ARRAY:
        return MCPW_IS_ARRAY;
    case MCPW_KIND_UNION:
    case MCPW_KIND_UNION_PTR:
        for (size_t i = 0; i < r->unions[ref.index].alternative_count; i++) {
            types |= r->alternatives[r->unions[ref.index].alternatives + i].is;
        }
        return types;
    case MCPW_KIND_NULL:
        return MCPW_IS_NULL;
    default:
        return MCPW_IS_OBJECT;
    }
}

/* The ref without what only says how it is stored. */
static mcpw_ref meaning(const mcpw_revision *r, mcpw_ref ref) {
    if (ref.kind == MCPW_KIND_SHAPED) {
        ref = r->shapes[ref.index];
    }
    if (ref.kind == MCPW_KIND_STRUCT_PTR) {
        ref.kind = MCPW_KIND_STRUCT;
    } else if (ref.kind == MCPW_KIND_UNION_PTR) {
        ref.kind = MCPW_KIND_UNION;
    }
    return ref;
}

/* Where an alternative has the name of a definition it must be that definition, however it is stored (of
 * arrays and maps there may be several with the same items). */
static bool is_what_it_says(const mcpw_revision *r, const mcpw_alternative *a) {
    for (size_t i = 0; i < r->definition_count; i++) {
        const mcpw_type *type = r->definitions[i];
        if (strcmp(type->name, r->pool + a->name) == 0) {
            const mcpw_ref named = meaning(r, type->ref);
            const mcpw_ref found = meaning(r, a->value);
            const bool container = named.kind == MCPW_KIND_ARRAY || named.kind == MCPW_KIND_MAP;
            return named.kind == found.kind && named.check == found.check &&
                   (container || named.index == found.index);
        }
    }
    return true;
}

/* Members that a kind cannot leave out are the required ones. */
static bool presence_fits(const mcpw_revision *r, const mcpw_struct *s) {
    for (size_t i = 0; i < s->count; i++) {
        const mcpw_row *row = &r->rows[s->first + i];
        const bool required = (s->required >> row->bit & 1) != 0;
        switch (row->value.kind) {
        case MCPW_KIND_INTEGER:
        case MCPW_KIND_NUMBER:
        case MCPW_KIND_BOOLEAN:
        case MCPW_KIND_CONST:
        case MCPW_KIND_STRUCT:
            if (!required) {
                return false;
            }
            break;
        case MCPW_KIND_OPT_INTEGER:
        case MCPW_KIND_OPT_NUMBER:
        case MCPW_KIND_OPT_BOOLEAN:
        case MCPW_KIND_OPT_CONST:
            if (required) {
                return false;
            }
            break;
        default:
            break;
        }
    }
    return true;
}

bool tables_consistent(const mcpw_revision *r, char *what, size_t size) {
    for (size_t i = 0; i < r->struct_count; i++) {
        const mcpw_struct *s = &r->structs[i];
        if (s->size != 0 && !members_fill(r, s)) {
            (void)snprintf(what, size, "the members of %s do not fill its struct", r->pool + s->name);
            return false;
        }
        if (!presence_fits(r, s)) {
            (void)snprintf(what, size, "a member of %s has a kind that its presence forbids",
                           r->pool + s->name);
            return false;
        }
    }
    for (size_t i = 0; i < r->alternative_count; i++) {
        const mcpw_alternative *a = &r->alternatives[i];
        if (a->is != types_of(r, a->value, 1) || !is_what_it_says(r, a)) {
            (void)snprintf(what, size, "alternative %s is not what it says", r->pool + a->name);
            return false;
        }
    }
    return true;
}
