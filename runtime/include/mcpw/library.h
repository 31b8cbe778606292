/* SPDX-License-Identifier: MIT */
/*
 * Sets of revisions: those that are built into the library, and a program's own bindings, made by
 * mcpwire_generate or mcpwire-codegen.
 *
 *     mcpw_library library;
 *     mcpw_library_init(&library);
 *     status = mcpw_library_add(&library, &mcp_20270115_revision, &error);
 *     config.library = &library;
 *
 * Sessions and servers get a set by their configs. mcpw_library_type finds the types of a set by name. A set
 * is a value: it owns nothing and may be copied. Two parts of a program can each have their own. Any number
 * of threads may use a set while no thread adds to it.
 */
#ifndef MCPW_LIBRARY_H
#define MCPW_LIBRARY_H

#include <mcpw/error.h>
#include <mcpw/type.h>

MCPW_BEGIN_DECLS

/* The greatest number of revisions in a set. */
enum { MCPW_LIBRARY_MAX = 32 /* revisions */ };

/* A set of revisions. Zeroed, it is the empty set. For every function that takes a set, NULL stands for the
 * revisions that are built into the library. */
typedef struct mcpw_library {
    const mcpw_revision *revisions[MCPW_LIBRARY_MAX]; /* by name: oldest first */
    size_t count;                                     /* how many */
    const void *reserved[4];                          /* NULL; for later versions */
} mcpw_library;

/* Initialises the set with the revisions that are built into the library. */
MCPW_API void mcpw_library_init(mcpw_library *library);

/* Adds a revision. It replaces a revision of the same name, so an overlay replaces the revision below it.
 * Sessions speak it by the tables of its protocol_table.c, which mcpwire_generate links. Without these tables
 * its methods need no capabilities, and it has no error codes of its own. A part of a revision (generate
 * --only) may lack messages that sessions themselves send: initialize with notifications/initialized or
 * server/discover, and notifications/cancelled and notifications/progress. Such a part is not spoken, but can
 * be looked up and projected. MCPW_E_ARGUMENT: there is no revision, or its tables were generated for another
 * version of the library. MCPW_E_SIZE: the set already has MCPW_LIBRARY_MAX revisions. On failure the set is
 * unchanged. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_library_add(mcpw_library *library, const mcpw_revision *revision,
                                                     mcpw_error *error);

/* A type by revision and definition name, as mcpw_find_type; NULL if there is none. */
MCPW_API const mcpw_type *mcpw_library_type(const mcpw_library *library, const char *revision,
                                            const char *name);

MCPW_END_DECLS

#endif
