/* SPDX-License-Identifier: MIT */
/*
 * Params and results between revisions, as sessions say them: projection by the tables (<mcpw/project.h>)
 * with substitutes for content that a revision cannot say. Which revision that is, its tables tell.
 *
 *   what the target lacks                     what takes its place
 *   ----------------------------------------  ----------------------------------------------------------
 *   an AudioContent block                     a text block: [audio: audio/wav, 1234 bytes]
 *   a ResourceLink block                      a text block: [resource: NAME, URI]
 *   structuredContent, as a whole or because  where content is empty, a text block with its JSON text;
 *   it is no object, in a result with content else nothing: content says the same for people
 *   an array of content, with one block       that block (mcpw_project does this)
 *   a choice of titled values in a question   the older form of it, enum with enumNames; its default goes
 *
 * Everything else is refused with MCPW_E_PROJECTION, which names it: tool_use and tool_result blocks, arrays
 * of several blocks, a question that wants a URL visited.
 *
 * In the library mcpwire-session.
 */
#ifndef MCPW_ADAPT_H
#define MCPW_ADAPT_H

#include <mcpw/project.h>

MCPW_BEGIN_DECLS

/* The substitute that the table above names, for mcpw_project_options; user is not used.
 * MCPW_E_NOT_FOUND: there is none. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_stand_in(void *user, const mcpw_unsayable *what, mcpw_arena *arena,
                                                  mcpw_json *out);

/* Sets *out to a struct of type `to` that says what the struct at value, of type `from`, says. It lies in the
 * arena and shares texts as mcpw_project has it; it is value itself when the types are the same, and NULL on
 * failure. options may be NULL; where they have no substitute, mcpw_stand_in is asked.
 * MCPW_E_PROJECTION: something required or chosen has no counterpart and no substitute; the error names it.
 */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_adapt(const mcpw_type *from, const void *value, const mcpw_type *to,
                                               const mcpw_project_options *options, mcpw_arena *arena,
                                               const void **out, mcpw_error *error);

MCPW_END_DECLS

#endif
