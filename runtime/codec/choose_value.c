/* SPDX-License-Identifier: MIT */
/* Chooses the alternative of the target's union for a C value of the source. It does not look at the names of
 * types and alternatives. */
#include <mcpw/detail/generated.h>
#include <mcpw/detail/reflect.h>

#include "project_internal.h"

/* The members of an object of the source, in the order in which they would be written. Members that have
 * rows, or entries of a map, come first. The extra members follow, and then what the options will give. */
typedef struct members {
    mcpw_projector *p;
    const mcpw_source *source;
    size_t row;   /* those before it have been looked at; in a map, entries */
    size_t extra; /* likewise */
    size_t given; /* likewise */

    /* The member that was reached: a value of the source, or text. */
    mcpw_ref ref;
    const unsigned char *at; /* NULL: text */
    mcpw_json text;
    bool is_given;
} members;

/* The JSON type that a value has, as a bit. */
static unsigned json_type(const mcpw_projector *p, const mcpw_source *source) {
    switch (source->ref.kind) {
    case MCPW_KIND_ID:
        return ((const mcpw_id *)(const void *)source->at)->kind == MCPW_ID_STRING ? MCPW_IS_STRING
                                                                                   : MCPW_IS_NUMBER;
    case MCPW_KIND_CONST:
        return p->from.revision->consts[source->ref.index].is;
    default:
        return mcpw_kinds[source->ref.kind].is;
    }
}

/* ---- members ---- */

static bool next_row(members *m, const mcpw_struct *s, mcpw_str *name) {
    const mcpw_tables *const from = &m->p->from;
    while (m->row < s->count) {
        const mcpw_row *const row = from->rows + s->first + m->row++;
        m->ref = mcpw_row_value(from->revision, row);
        m->at = m->source->at + row->offset;
        const bool unknown = m->ref.kind == MCPW_KIND_ENUM && mcpw_load_kind(m->at) == MCPW_UNKNOWN;
        if (!unknown && mcpw_is_present(from->revision, m->ref, m->at)) { /* the unknown is an extra member */
            *name = mcpw_row_name(from->revision, from->pool, row);
            return true;
        }
    }
    return false;
}

static bool next_entry(members *m, const mcpw_map *map, mcpw_str *name) {
    const mcpw_list l = mcpw_load_list(m->source->at);
    if (l.items == NULL || m->row >= l.count) {
        return false;
    }
    const unsigned char *const entry = l.items + m->row++ * map->entry_size;
    m->ref = map->value;
    m->at = entry + map->value_offset;
    *name = mcpw_load_str(entry);
    return name->ptr != NULL;
}

static bool next_text(members *m, mcpw_members of, size_t *number, mcpw_str *name) {
    while (of.items != NULL && *number < of.count) {
        const mcpw_member *const member = of.items + (*number)++;
        if (member->name.ptr != NULL && member->value.ptr != NULL) {
            m->at = NULL;
            m->text = member->value;
            *name = member->name;
            return true;
        }
    }
    return false;
}

static bool next(void *value, mcpw_str *name) {
    members *const m = value;
    const mcpw_revision *const from = m->p->from.revision;
    mcpw_members extra = {NULL, 0};
    if (m->source->ref.kind == MCPW_KIND_MAP) {
        if (next_entry(m, from->maps + m->source->ref.index, name)) {
            return true;
        }
    } else {
        const mcpw_struct *const s = from->structs + m->source->ref.index;
        if (next_row(m, s, name)) {
            return true;
        }
        const unsigned offset = mcpw_extra_offset(from, s);
        if (offset != MCPW_NO_OFFSET) {
            extra = *(const mcpw_members *)(const void *)(m->source->at + offset);
        }
    }
    if (next_text(m, extra, &m->extra, name)) {
        return true;
    }
    m->is_given = true;
    return next_text(m, m->p->options.values, &m->given, name);
}

/* ---- what tests want of them ---- */

/* The text of a value that can be a tag; absent for other kinds. */
static mcpw_str tag_text(const mcpw_tables *from, mcpw_ref ref, const unsigned char *at) {
    const mcpw_const *constant = NULL;
    mcpw_str text = {NULL, 0};
    switch (mcpw_base_kind(ref)) {
    case MCPW_KIND_STRING:
        return mcpw_load_str(at);
    case MCPW_KIND_ENUM:
        return mcpw_enum_text(from->revision, ref.index, mcpw_load_kind(at));
    case MCPW_KIND_CONST:
        constant = from->revision->consts + ref.index;
        if (constant->is == MCPW_IS_STRING) {
            const mcpw_json json = mcpw_const_text(from->pool, constant);
            text.ptr = json.ptr + 1;
            text.len = json.len - MCPW_VALUE_QUOTES;
        }
        return text;
    default:
        return text;
    }
}

/* Whether a JSON text is a string that says this. */
static bool says(mcpw_arena *arena, mcpw_json json, mcpw_str wanted) {
    const mcpw_mark mark = mcpw_arena_mark(arena);
    mcpw_str text = {NULL, 0};
    const bool same = mcpw_json_string(json, arena, &text) == MCPW_OK && mcpw_str_equal(text, wanted);
    mcpw_arena_rewind(arena, mark);
    return same;
}

static bool passes(void *value, const mcpw_test *t) {
    const members *const m = value;
    const mcpw_str wanted = mcpw_test_value(m->p->to.pool, t);
    if (wanted.ptr == NULL) {
        return !m->is_given; /* what the options give need not be meant for this value */
    }
    return m->at != NULL ? mcpw_str_equal(tag_text(&m->p->from, m->ref, m->at), wanted)
                         : says(m->p->arena, m->text, wanted);
}

mcpw_choice mcpw_choose_value(mcpw_projector *p, const mcpw_source *source, const mcpw_union *u) {
    static const mcpw_probe probe = {next, passes};
    members m;
    m.p = p;
    m.source = source;
    m.row = 0;
    m.extra = 0;
    m.given = 0;
    m.at = NULL;
    m.is_given = false;
    const mcpw_unchosen value = {p->to.revision, json_type(p, source), 0, &probe, &m};
    return mcpw_choose(&value, u);
}
