/* SPDX-License-Identifier: MIT */
/*
 * Projection converts a value of one revision into a value of another, so that one handler can serve peers of
 * every revision. Types are paired by their role (params or result of a method). Inside them, members are
 * matched by wire name, union alternatives by their discriminator, enum values by text. Names of C types and
 * their layout do not matter. The treatment of a member or value depends on the revisions that have it:
 *   - In both revisions: it is converted, and constraints of the target are checked.
 *   - Only in the source: it is dropped and reported.
 *   - Only in the target, optional: it is absent, or taken from the source's extra members if it fits.
 *   - Only in the target, required: it is taken from options->values by wire name, else the projection is
 *     refused.
 *   - In neither (extra): it is kept.
 *   - Open text (raw JSON) that the target wants in another shape: it is dropped and reported if it is
 *     optional, else the projection is refused.
 *   - An alternative or enum value that the target lacks: options->substitute is called, else the
 *     projection is refused. If the target takes no list, a list of one item becomes that item.
 *   - Unknown to the source's own revision (MCPW_UNKNOWN): it is decoded if the target knows it, else kept
 *     as MCPW_UNKNOWN.
 *
 * It is not in a library that was built with MCPW_WITH_PROJECT=OFF. It needs MCPW_WITH_ENCODE and
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

/* How to project. Everything is optional. Initialise with MCPW_PROJECT_INIT. */
typedef struct mcpw_project_options {
    size_t struct_size; /* set by MCPW_PROJECT_INIT */
    /* Values for required members that the source lacks, by wire name and at any depth. A required struct
     * that is absent is made from them, member by member. A struct that takes a required member from here
     * also takes optional ones (_meta's clientInfo beside its protocolVersion). */
    mcpw_members values;
    /* Called for a value that the target lacks. It sets *out to a substitute in the target's revision, as
     * JSON text in the arena. If it returns MCPW_E_NOT_FOUND, the projection fails with MCPW_E_PROJECTION and
     * the path. */
    mcpw_status (*substitute)(void *user, const mcpw_unsayable *what, mcpw_arena *arena, mcpw_json *out);
    /* Called for each dropped member, with its pointer in the source. */
    void (*on_drop)(void *user, const char *path);
    void *user; /* passed to all callbacks */
    /* Called for each member that is taken from values, with its pointer in the target. */
    void (*on_fill)(void *user, const char *path);
    /* The name of a member that is kept at any depth, such as "_meta". If a struct of the target has no such
     * member, but keeps members that it does not name, it keeps this one as text. If the source has a struct
     * there, the text has the members that the struct does not name. NULL: there is no such member. */
    const char *kept;
} mcpw_project_options;

/* Options without values, substitutes and reports. */
#define MCPW_PROJECT_INIT MCPW_SIZED(mcpw_project_options)

/* Writes the struct at value, of type from, into the struct at out, of type to. Texts are shared with the
 * source and the options' values. Everything else that is new lies in the arena. So out lives as long as all
 * of them. If the two types are the same, the struct is copied unchanged. Raw values that both revisions
 * leave open are not read; encoding checks them. Drops and fills are reported at the end. On failure out is
 * zeroed, and the arena is as it was before the call. MCPW_E_PROJECTION: a required member or a chosen
 * alternative has no counterpart; the error names it. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_project(const mcpw_type *from, const void *value,
                                                 const mcpw_type *to, mcpw_arena *arena, void *out,
                                                 const mcpw_project_options *options, mcpw_error *error);

MCPW_END_DECLS

#endif
