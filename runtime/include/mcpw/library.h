/* SPDX-License-Identifier: MIT */
/*
 * Sets of revisions: those that the library holds, and bindings that a program brings, which
 * mcpwire_generate or mcpwire-codegen made.
 *
 *     mcpw_library library;
 *     mcpw_library_init(&library);
 *     status = mcpw_library_add(&library, &mcp_20270115_revision, &error);
 *     config.library = &library;
 *
 * Sessions and servers are given one by their configs; what looks revisions and types up by name has a
 * sibling here that takes one. A set is a value: it owns nothing, and may be copied. Two pieces of a program
 * have sets of their own. While nobody adds to it, any number of threads may use it.
 */
#ifndef MCPW_LIBRARY_H
#define MCPW_LIBRARY_H

#include <mcpw/error.h>
#include <mcpw/type.h>

MCPW_BEGIN_DECLS

/* How many revisions a set has room for. */
enum { MCPW_LIBRARY_MAX = 32 /* revisions */ };

/* A set of revisions; zeroed, it is the empty one. Every function that takes one takes NULL for what the
 * library itself holds. */
typedef struct mcpw_library {
    const mcpw_revision *revisions[MCPW_LIBRARY_MAX]; /* by name: oldest first */
    size_t count;                                     /* how many there are */
    const void *reserved[4];                          /* NULL; for later versions */
} mcpw_library;

/* Makes it the set of what the library itself holds. */
MCPW_API void mcpw_library_init(mcpw_library *library);

/* Adds a revision. It takes the place of one of the same name: so an overlay comes in the place of what it
 * lies upon. Sessions speak it by the tables of its protocol_table.c, which mcpwire_generate links. Without
 * them its methods need no capabilities, and it has no error codes of its own. A part of a revision (generate
 * --only) that lacks what sessions say by themselves, initialize with notifications/initialized or
 * server/discover, and notifications/cancelled and notifications/progress, is not spoken, but looked up and
 * projected. MCPW_E_ARGUMENT: there is no revision, or its tables were generated for another version of the
 * library; MCPW_E_SIZE: MCPW_LIBRARY_MAX are there. The set is as it was then. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_library_add(mcpw_library *library, const mcpw_revision *revision,
                                                     mcpw_error *error);

/* Its revisions, oldest first. They are the set's, and stay until something is added. */
MCPW_API const mcpw_revision *const *mcpw_library_revisions(const mcpw_library *library, size_t *count);

/* A revision by its name, such as "2027-01-15"; NULL when the set lacks it. */
MCPW_API const mcpw_revision *mcpw_library_revision(const mcpw_library *library, const char *name);

/* A type by revision and definition name, as mcpw_find_type; NULL when there is none. */
MCPW_API const mcpw_type *mcpw_library_type(const mcpw_library *library, const char *revision,
                                            const char *name);

MCPW_END_DECLS

#endif
