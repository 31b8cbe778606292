/* SPDX-License-Identifier: MIT */
/*
 * Params and results between revisions, as sessions convert them. This is projection by the tables
 * (<mcpw/project.h>), with substitutes for content that the target revision cannot express. The tables tell
 * which content that is. The substitutes are:
 *   - An AudioContent block becomes a text block: [audio: audio/wav, 1234 bytes].
 *   - A ResourceLink block becomes a text block: [resource: NAME, URI].
 *   - structuredContent that the target lacks, or refuses because it is not an object, becomes a text block
 *     with its JSON text if content is empty. Otherwise it is dropped, because content says the same for
 *     people.
 *   - An array of content with one block becomes that block (mcpw_project does this).
 *   - A choice of titled values in an input request becomes its older form, enum with enumNames. Its
 *     default is dropped.
 *
 * All other content is refused with MCPW_E_PROJECTION, and the error names it: tool_use and tool_result
 * blocks, arrays of several blocks, an input request of mode "url".
 *
 * It is part of the library mcpwire-session.
 */
#ifndef MCPW_ADAPT_H
#define MCPW_ADAPT_H

#include <mcpw/project.h>

MCPW_BEGIN_DECLS

/* Makes the substitutes of the list above, for mcpw_project_options. user is not used. MCPW_E_NOT_FOUND:
 * there is no substitute. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_stand_in(void *user, const mcpw_unsayable *what,
                                                          mcpw_arena *arena, mcpw_json *out);

/* Sets *out to a struct of type `to` that is equivalent to the struct at value, of type `from`. It lies in
 * the arena and shares texts as in mcpw_project. It is value itself if the types are the same, and NULL on
 * failure. options may be NULL. If they have no substitute, mcpw_stand_in is called. MCPW_E_PROJECTION: a
 * required member or a chosen alternative has no counterpart and no substitute; the error names it.
 */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_adapt(const mcpw_type *from, const void *value,
                                                       const mcpw_type *to,
                                                       const mcpw_project_options *options, mcpw_arena *arena,
                                                       const void **out, mcpw_error *error);

MCPW_END_DECLS

#endif
