/* SPDX-License-Identifier: MIT */
/*
 * Projection: a value of one revision written as a value of another, so that one handler can serve peers of
 * every revision. Types are paired by what they stand for (params or result of a method); inside them
 * members are matched by wire name, union alternatives by what tells them apart, enum values by text; names
 * of C types and their layout never matter.
 *
 *   in both revisions               converted; constraints of the target are checked
 *   in the source alone             dropped and reported
 *   in the target alone, optional   absent, or taken from what the source kept in extra when that fits
 *   in the target alone, required   taken from options->values by wire name, else the projection is refused
 *   in neither (extra)              kept
 *   open text (raw JSON) that the   dropped and reported where it is optional, else the projection is refused
 *     target wants in another shape
 *   an alternative or enum value    options->substitute is asked, else the projection is refused. A list of
 *     that the target lacks         one where the target takes no list is its item
 *   unknown to the source's own     decoded where the target knows it, else kept as MCPW_UNKNOWN
 *     revision (MCPW_UNKNOWN)
 *
 * Not in a library that was built with MCPW_WITH_PROJECT=OFF, or without what it needs: MCPW_WITH_ENCODE and
 * MCPW_WITH_JSON_TOOLS.
 */
#ifndef MCPW_PROJECT_H
#define MCPW_PROJECT_H

#include <mcpw/codec.h>

MCPW_BEGIN_DECLS

/* An alternative of a union, or an enum value, that the target's revision lacks. */
typedef struct mcpw_unsayable {
    const char *path;        /* JSON pointer of the value, from the value projected */
    const mcpw_type *target; /* the union, enum or struct of the target */
    const char *alternative; /* name of the source's alternative, such as "AudioContent" */
    mcpw_json value;         /* the source's value as JSON */
} mcpw_unsayable;

/* How to project. All of it is optional; initialise with MCPW_PROJECT_INIT. */
typedef struct mcpw_project_options {
    size_t struct_size; /* set by MCPW_PROJECT_INIT */
    /* Values for required members that the source lacks, by wire name, wherever they occur: a required
     * struct that is absent is made from them, member by member. A struct that takes one of its required
     * members from here takes optional ones too (_meta's clientInfo beside its protocolVersion). */
    mcpw_members values;
    /* Asked for a value of the target that stands in for one that it lacks: JSON text in the arena. Return
     * MCPW_E_NOT_FOUND when there is none; then the projection fails with MCPW_E_PROJECTION and the path. */
    mcpw_status (*substitute)(void *user, const mcpw_unsayable *what, mcpw_arena *arena, mcpw_json *out);
    /* Told about each member that is dropped, by its pointer in the source. */
    void (*on_drop)(void *user, const char *path);
    void *user; /* passed to all callbacks */
    /* Told about each member that is taken from values, by its pointer in the target. */
    void (*on_fill)(void *user, const char *path);
} mcpw_project_options;

/* Options that give no values, substitute nothing and report nothing. */
#define MCPW_PROJECT_INIT MCPW_SIZED(mcpw_project_options)

/* Writes the struct at value, of type from, into the struct at out, of type to. Texts are shared with the
 * source and the options' values, everything else that is new lies in the arena: out lives as long as all of
 * them. Between two types of one revision it copies the struct as it is when the types are the same. Raw
 * values that both revisions leave open are not read; encoding checks them. Drops and fills are reported once
 * all is done. On failure out is zeroed and the arena is as it was before the call.
 * MCPW_E_PROJECTION: something required or chosen has no counterpart; the error names it. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_project(const mcpw_type *from, const void *value,
                                                 const mcpw_type *to, mcpw_arena *arena, void *out,
                                                 const mcpw_project_options *options, mcpw_error *error);

MCPW_END_DECLS

#endif
