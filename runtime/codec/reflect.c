/* SPDX-License-Identifier: MIT */
/* Members of protocol structs by wire name. Each value is settled first: pointers are followed, and unions
 * that store nothing but their alternative become that alternative, so that a field's kind is that of its
 * value.
 */
#include <mcpw/detail/field.h>
#include <mcpw/detail/generated.h>
#include <mcpw/detail/reflect.h>

#include "../base/arena_internal.h"
#include "tables.h"
#include "value.h"

static mcpw_field nothing(void) {
    const mcpw_field field = {NULL, {MCPW_KIND_END, 0, 0}, NULL};
    return field;
}

/* In line and by its parts: a struct that was put together in memory a moment ago is slow to copy. */
MCPW_INLINE mcpw_field settle(const mcpw_revision *revision, mcpw_ref ref, const unsigned char *at) {
    while (at != NULL && ref.kind != MCPW_KIND_STRUCT) {
        if (!mcpw_is_present(revision, ref, at)) {
            return nothing();
        }
        if (mcpw_is_pointer(ref)) {
            at = mcpw_load_pointer(at);
            ref = mcpw_plain_ref(ref);
        } else if (ref.kind == MCPW_KIND_UNION &&
                   (revision->unions[ref.index].flags & MCPW_UNION_BARE) != 0) {
            ref = mcpw_bare_value(revision, revision->unions + ref.index);
        } else {
            break;
        }
    }
    const mcpw_field field = {revision, ref, at};
    return field;
}

/* ---- Types ---- */

mcpw_ref mcpw_type_ref(const mcpw_type *type) { return type->ref; }

mcpw_ref mcpw_ref_plain(mcpw_ref ref) { return mcpw_plain_ref(ref); }

size_t mcpw_ref_size(const mcpw_revision *revision, mcpw_ref ref) { return mcpw_size_of(revision, ref); }

bool mcpw_ref_is_present(const mcpw_revision *revision, mcpw_ref ref, const void *at) {
    return mcpw_is_present(revision, ref, at);
}

unsigned mcpw_alternative_count(const mcpw_revision *revision, mcpw_ref ref) {
    return mcpw_base_kind(ref) == MCPW_KIND_UNION ? revision->unions[ref.index].alternative_count : 0;
}

mcpw_ref mcpw_alternative_at(const mcpw_revision *revision, mcpw_ref ref, unsigned place) {
    if (place >= mcpw_alternative_count(revision, ref)) {
        return nothing().ref;
    }
    const unsigned first = revision->unions[ref.index].alternatives;
    return mcpw_alternative_value(revision, revision->alternatives + first + place);
}

const mcpw_type *mcpw_type_make(mcpw_type_room *room, const mcpw_revision *revision, mcpw_ref ref,
                                const char *name) {
    const mcpw_type type = {revision, name, ref, (uint32_t)mcpw_size_of(revision, ref)};
    _Static_assert(sizeof type <= sizeof *room, "a handle does not fit into its room");
    return memcpy(room, &type, sizeof type);
}

/* ---- Where members lie ---- */

static const mcpw_slot no_slot = {{MCPW_KIND_END, 0, 0}, MCPW_NO_OFFSET, 0, false};

static mcpw_slot slot_of(const mcpw_revision *revision, const mcpw_struct *s, const mcpw_row *row) {
    const mcpw_ref ref = mcpw_row_value(revision, row);
    const mcpw_slot slot = {ref, row->offset, mcpw_kinds[ref.kind].size, mcpw_row_required(s, row)};
    return slot;
}

static const mcpw_struct *struct_of(const mcpw_revision *revision, mcpw_ref ref) {
    return mcpw_base_kind(ref) == MCPW_KIND_STRUCT ? revision->structs + ref.index : NULL;
}

mcpw_slot mcpw_slot_named(const mcpw_revision *revision, mcpw_ref ref, const char *name) {
    const mcpw_struct *const s = struct_of(revision, ref);
    const mcpw_row *const row = s != NULL ? mcpw_find_row(revision, s, name, strlen(name)) : NULL;
    return row != NULL ? slot_of(revision, s, row) : no_slot;
}

mcpw_slot mcpw_type_slot(const mcpw_type *type, const char *name) {
    return type != NULL ? mcpw_slot_named(type->revision, type->ref, name) : no_slot;
}

bool mcpw_type_has(const mcpw_type *type, const char *member) {
    return mcpw_slot_exists(mcpw_type_slot(type, member));
}

mcpw_slot mcpw_slot_at(const mcpw_revision *revision, mcpw_ref ref, unsigned place) {
    const mcpw_struct *const s = struct_of(revision, ref);
    return s != NULL && place < s->count ? slot_of(revision, s, revision->rows + s->first + place) : no_slot;
}

uint16_t mcpw_extra_at(const mcpw_revision *revision, mcpw_ref ref) {
    const mcpw_struct *const s = struct_of(revision, ref);
    return s != NULL ? (uint16_t)mcpw_extra_offset(revision, s) : MCPW_NO_OFFSET;
}

const mcpw_members *mcpw_extra_of(const mcpw_type *type, const void *value) {
    const uint16_t at = type != NULL && value != NULL && type->ref.kind == MCPW_KIND_STRUCT
                            ? mcpw_extra_at(type->revision, type->ref)
                            : MCPW_NO_OFFSET;
    return at != MCPW_NO_OFFSET ? (const void *)((const unsigned char *)value + at) : NULL;
}

/* ---- Reading ---- */

static mcpw_field member(const mcpw_revision *revision, const unsigned char *of, mcpw_slot slot) {
    if (!mcpw_slot_exists(slot)) {
        return nothing();
    }
    return settle(revision, slot.ref, of + slot.offset);
}

mcpw_field mcpw_field_of(const mcpw_type *type, const void *value) {
    if (type == NULL) {
        return nothing();
    }
    return settle(type->revision, type->ref, value);
}

static mcpw_field find_entry(mcpw_field of, const char *name) {
    const mcpw_map *const m = of.revision->maps + of.ref.index;
    const mcpw_list l = mcpw_load_list(of.at);
    for (size_t i = 0; i < l.count; i++) {
        const unsigned char *const entry = l.items + i * m->entry_size;
        if (mcpw_str_is(mcpw_load_str(entry), name)) {
            return settle(of.revision, m->value, entry + m->value_offset);
        }
    }
    return nothing();
}

mcpw_field mcpw_field_get(mcpw_field of, const char *name) {
    if (of.at != NULL && of.ref.kind == MCPW_KIND_UNION) {
        of = mcpw_field_alternative(of, NULL);
    }
    if (of.at == NULL) {
        return of;
    }
    if (of.ref.kind == MCPW_KIND_MAP) {
        return find_entry(of, name);
    }
    if (of.ref.kind != MCPW_KIND_STRUCT) {
        return nothing();
    }
    return member(of.revision, of.at, mcpw_slot_named(of.revision, of.ref, name));
}

mcpw_field mcpw_field_at(const mcpw_type *type, const void *value, mcpw_slot slot) {
    return value != NULL ? member(type->revision, value, slot) : nothing();
}

mcpw_str mcpw_slot_str(const void *value, mcpw_slot slot) {
    const mcpw_str absent = {NULL, 0};
    return value != NULL && slot.ref.kind == MCPW_KIND_STRING
               ? mcpw_load_str((const unsigned char *)value + slot.offset)
               : absent;
}

mcpw_json mcpw_slot_json(const void *value, mcpw_slot slot) {
    const mcpw_json absent = {NULL, 0, 0};
    return value != NULL && mcpw_is_raw(slot.ref) ? mcpw_load_json((const unsigned char *)value + slot.offset)
                                                  : absent;
}

mcpw_str mcpw_field_str(mcpw_field field) {
    const mcpw_str absent = {NULL, 0};
    return field.at != NULL && field.ref.kind == MCPW_KIND_STRING ? mcpw_load_str(field.at) : absent;
}

mcpw_json mcpw_field_json(mcpw_field field) {
    const mcpw_json absent = {NULL, 0, 0};
    return field.at != NULL && mcpw_is_raw(field.ref) ? mcpw_load_json(field.at) : absent;
}

mcpw_id mcpw_field_id(mcpw_field field) {
    mcpw_id id;
    memset(&id, 0, sizeof id);
    if (field.at != NULL && field.ref.kind == MCPW_KIND_ID) {
        id = *(const mcpw_id *)(const void *)field.at;
    }
    return id;
}

bool mcpw_field_bool(mcpw_field field) {
    return field.at != NULL && mcpw_base_kind(field.ref) == MCPW_KIND_BOOLEAN &&
           mcpw_load_bool(mcpw_plain_value(field.ref, field.at));
}

bool mcpw_field_number(mcpw_field field, double *out) {
    if (field.at != NULL && field.ref.kind == MCPW_KIND_INT32) {
        *out = (double)mcpw_load_int32(field.ref, field.at);
        return true;
    }
    if (field.at == NULL || !mcpw_is_number(field.ref)) {
        return false;
    }
    const void *const plain = mcpw_plain_value(field.ref, field.at);
    const bool whole = mcpw_base_kind(field.ref) == MCPW_KIND_INTEGER;
    *out = whole ? (double)*(const int64_t *)plain : *(const double *)plain;
    return true;
}

mcpw_str mcpw_field_enum_text(mcpw_field field) {
    mcpw_str text = {NULL, 0};
    if (field.at == NULL) {
        return text;
    }
    if (field.ref.kind == MCPW_KIND_ENUM) {
        return mcpw_enum_text(field.revision, field.ref.index, mcpw_load_kind(field.at));
    }
    if (field.ref.kind == MCPW_KIND_CONST || field.ref.kind == MCPW_KIND_OPT_CONST) {
        const mcpw_const *const c = field.revision->consts + field.ref.index;
        if (c->is == MCPW_IS_STRING) {
            const mcpw_json json = mcpw_const_text(field.revision->pool, c);
            text.ptr = json.ptr + 1;
            text.len = json.len - 2;
        }
    }
    return text;
}

size_t mcpw_field_count(mcpw_field field) {
    return field.at != NULL && mcpw_is_list(field.ref) ? mcpw_load_list(field.at).count : 0;
}

mcpw_field mcpw_field_item(mcpw_field field, size_t index) {
    if (index >= mcpw_field_count(field)) {
        return nothing();
    }
    const unsigned char *const items = mcpw_load_list(field.at).items;
    if (field.ref.kind == MCPW_KIND_MAP) {
        const mcpw_map *const m = field.revision->maps + field.ref.index;
        field.at = items + index * m->entry_size + m->value_offset;
        field.ref = m->value;
    } else {
        const mcpw_array *const a = field.revision->arrays + field.ref.index;
        field.at = items + index * a->item_size;
        field.ref = a->item;
    }
    return settle(field.revision, field.ref, field.at);
}

mcpw_field mcpw_field_alternative(mcpw_field field, const char **name) {
    static const mcpw_ref raw = {MCPW_KIND_JSON, 0, 0};
    if (name != NULL) {
        *name = NULL;
    }
    if (field.at == NULL || field.ref.kind != MCPW_KIND_UNION) {
        return nothing();
    }
    const mcpw_union *const u = field.revision->unions + field.ref.index;
    const int32_t kind = mcpw_load_kind(field.at);
    field.at += u->as_offset;
    if (kind == MCPW_UNKNOWN) {
        field.ref = raw;
        return settle(field.revision, field.ref, field.at);
    }
    if (kind < 1 || kind > u->alternative_count) {
        return nothing();
    }
    const mcpw_alternative *const a = field.revision->alternatives + u->alternatives + (kind - 1);
    if (name != NULL) {
        *name = field.revision->pool + a->name;
    }
    field.ref = mcpw_alternative_value(field.revision, a);
    return settle(field.revision, field.ref, field.at);
}

mcpw_status mcpw_field_text(mcpw_field field, mcpw_arena *arena, mcpw_json *out) {
    *out = mcpw_field_json(field);
    if (out->ptr != NULL) {
        return MCPW_OK;
    }
    if (field.at == NULL) {
        return MCPW_E_NOT_FOUND;
    }
    const mcpw_type type = {field.revision, "", field.ref, 0};
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_buffer buffer = mcpw_buffer_in(arena);
    options.flags = MCPW_ALLOW_UNKNOWN;
    const mcpw_status status = mcpw_encode(&type, field.at, &buffer, &options, NULL);
    if (status != MCPW_OK) {
        return status == MCPW_E_MEMORY ? mcpw_arena_status(arena) : status;
    }
    *out = mcpw_buffer_take(&buffer);
    return MCPW_OK;
}
