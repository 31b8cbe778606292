/* SPDX-License-Identifier: MIT */
/* The contents of a revision, for code that goes through all of it. No part of the API: it may change in any
 * version. */
#ifndef MCPW_DETAIL_CATALOGUE_H
#define MCPW_DETAIL_CATALOGUE_H

#include <mcpw/library.h>
#include <mcpw/type.h>

MCPW_BEGIN_DECLS

/* The name of a revision as a number, such as 20251125. */
MCPW_API uint32_t mcpw_revision_number(const mcpw_revision *revision);

/* Whether a message may be an array of messages. Only 2025-03-26 has such batches. */
MCPW_API bool mcpw_revision_has_batches(const mcpw_revision *revision);

/* The number of methods of a revision. The methods are numbered from 1 to this number. */
MCPW_API int mcpw_method_count(const mcpw_revision *revision);

/* The number of definitions of a revision that can be found by name. */
MCPW_API size_t mcpw_type_count(const mcpw_revision *revision);

/* A definition of a revision by its index from 0, in the order of the names; NULL past the last one. */
MCPW_API const mcpw_type *mcpw_type_at(const mcpw_revision *revision, size_t index);

/* The revision that a type belongs to. */
MCPW_API const mcpw_revision *mcpw_type_revision(const mcpw_type *type);

/* The type of a method's result, as the schema names it; NULL for notifications. */
MCPW_API const mcpw_type *mcpw_method_result(const mcpw_method *method);

/* The type of a method's response: the union of the results that resultType selects. NULL for notifications.
 */
MCPW_API const mcpw_type *mcpw_method_response(const mcpw_method *method);

/* The type of the result for a request that carried a task; NULL: the same as without a task. */
MCPW_API const mcpw_type *mcpw_method_task_result(const mcpw_method *method);

/* The revisions of a set, oldest first. The array belongs to the set and is valid until a revision is added.
 */
MCPW_API const mcpw_revision *const *mcpw_library_revisions(const mcpw_library *library, size_t *count);

/* A revision by its name, such as "2027-01-15"; NULL if the set lacks it. */
MCPW_API const mcpw_revision *mcpw_library_revision(const mcpw_library *library, const char *name);

MCPW_END_DECLS

#endif
