/* SPDX-License-Identifier: MIT */
/*
 * Facts that the tables state twice must agree: kinds with the layout of the C structs, alternatives with the
 * JSON types that they are for and with the definitions that they are named after.
 */
#include "mutant_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct layout {
    size_t size;
    size_t align;
} layout;

#define LAYOUT(type) ((layout){sizeof(type), _Alignof(type)})

/* How a value of the kind is stored: its size by the table of kinds, and the alignment of what it is made of.
 */
static layout layout_of(const mcpw_revision *r, mcpw_ref ref) {
    const size_t size = mcpw_size_of(r, ref);
    const size_t most = mcpw_is_number(ref) ? _Alignof(int64_t) : _Alignof(void *);
    size_t align = 1;
    while (align < most && size % (align * 2) == 0 && size != 0) {
        align *= 2;
    }
    return (layout){size, align};
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
    unsigned types = mcpw_kinds[ref.kind].is;
    switch (tables_of_kind(ref.kind)) {
    case ENTRY_SHAPE:
        return levels == 0 ? mcpw_kinds[MCPW_KIND_JSON].is : types_of(r, r->shapes[ref.index], levels - 1);
    case ENTRY_CONST:
        return r->consts[ref.index].is;
    case ENTRY_UNION:
        for (size_t i = 0; i < r->unions[ref.index].alternative_count; i++) {
            types |= r->alternatives[r->unions[ref.index].alternatives + i].is;
        }
        return types;
    default:
        return types;
    }
}

/* The ref without what only says how it is stored. */
static mcpw_ref meaning(const mcpw_revision *r, mcpw_ref ref) {
    if (ref.kind == MCPW_KIND_SHAPED) {
        ref = r->shapes[ref.index];
    }
    return mcpw_is_pointer(ref) ? mcpw_plain_ref(ref) : ref;
}

/* If an alternative has the name of a definition it must be that definition, however it is stored (of
 * arrays and maps there may be several with the same items). */
static bool is_what_it_says(const mcpw_revision *r, const mcpw_alternative *a) {
    for (size_t i = 0; i < r->definition_count; i++) {
        const mcpw_type *type = r->definitions[i];
        if (strcmp(type->name, r->pool + a->name) == 0) {
            const mcpw_ref named = meaning(r, type->ref);
            const mcpw_ref found = meaning(r, a->value);
            return named.kind == found.kind && named.check == found.check &&
                   (mcpw_is_list(named) || named.index == found.index);
        }
    }
    return true;
}

/* Members that a kind cannot leave out are the required ones. */
static bool presence_fits(const mcpw_revision *r, const mcpw_struct *s) {
    for (size_t i = 0; i < s->count; i++) {
        const mcpw_row *row = &r->rows[s->first + i];
        const bool required = (s->required >> row->bit & 1) != 0;
        const bool fits = required ? !mcpw_is_optional(row->value)
                                   : mcpw_kinds[row->value.kind].absent != MCPW_ABSENT_NEVER ||
                                         row->value.kind == MCPW_KIND_NULL;
        if (!fits) {
            return false;
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
