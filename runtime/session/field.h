/* SPDX-License-Identifier: MIT */
/*
 * Members of protocol structs by wire name, for code that serves every revision and therefore cannot name
 * their C types. A member that the type lacks reads as absent. The types are found by the tables alone.
 */
#ifndef MCPW_FIELD_H
#define MCPW_FIELD_H

#include <mcpw/codec.h>
#include <mcpw/table.h>

/* A value and what describes it. at NULL: not there. */
typedef struct mcpw_field {
    const mcpw_revision *revision;
    mcpw_ref ref;
    const unsigned char *at;
} mcpw_field;

/* The value that a handle describes. */
mcpw_field mcpw_field_of(const mcpw_type *type, const void *value);
/* A member of a struct (or of a union's alternative), by wire name, or the value of a map's key; nothing when
 * there is no such member or it is absent. Pointers are followed. */
mcpw_field mcpw_field_get(mcpw_field of, const char *name);
/* The member of a struct that a row of its type describes; nothing for no row. */
mcpw_field mcpw_field_at(const mcpw_type *type, const void *value, const mcpw_row *row);
/* The row of a member, by wire name; NULL when what is described is no struct or has no such member. */
const mcpw_row *mcpw_row_named(const mcpw_revision *revision, mcpw_ref ref, const char *name);
const mcpw_row *mcpw_field_row(const mcpw_type *type, const char *name);
/* What it is; of MCPW_KIND_END when it has none such. */
mcpw_ref mcpw_field_ref(const mcpw_type *type, const char *name);
/* Its value: absent or false when it is of another kind. */
mcpw_str mcpw_field_str(mcpw_field field);
mcpw_json mcpw_field_json(mcpw_field field);
mcpw_id mcpw_field_id(mcpw_field field);
bool mcpw_field_bool(mcpw_field field);
bool mcpw_field_number(mcpw_field field, double *out);
/* Of an enum, and of a constant string. */
mcpw_str mcpw_field_enum_text(mcpw_field field);
/* The items of an array, or the values of a map. */
size_t mcpw_field_count(mcpw_field field);
mcpw_field mcpw_field_item(mcpw_field field, size_t index);
/* A union's alternative: its struct (or other value), and its name in *name unless that is NULL. */
mcpw_field mcpw_field_alternative(mcpw_field field, const char **name);

/* The JSON text of a value, in the arena. Raw values are given as they are. MCPW_E_NOT_FOUND for nothing. */
MCPW_NODISCARD mcpw_status mcpw_field_text(mcpw_field field, mcpw_arena *arena, mcpw_json *out);

/* An output buffer whose memory is an arena's: it is not freed. Taking its text ends it, and gives back what
 * it did not need. When writing to it fails for memory, arena->status tells which kind. */
mcpw_buffer mcpw_buffer_in(mcpw_arena *arena);
mcpw_json mcpw_buffer_take(mcpw_buffer *buffer);

#endif
