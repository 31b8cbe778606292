/* SPDX-License-Identifier: MIT */
/* The _meta of requests in revisions without a handshake. A client repeats it in each, so a session reads it
 * again only if its text changes. */
#ifndef MCPW_KNOWN_META_H
#define MCPW_KNOWN_META_H

#include <mcpw/detail/remembered.h>

#include "../core/objects.h"

/* Prepares *meta for a message that is about to be read in a revision without a handshake. NULL: nothing is
 * remembered. */
mcpw_remembered *mcpw_known_meta_open(const mcpw_session *session, const mcpw_profile *profile,
                                      mcpw_remembered *meta);
/* Called when the message has been read. The request keeps the _meta that it shares. A _meta that came twice
 * in a row is remembered if memory allows. */
void mcpw_known_meta_note(mcpw_request *r, const mcpw_remembered *meta);
/* Whether it is known if a _meta that requests share declares an extension, by the place of that in its set.
 * known may be NULL. */
bool mcpw_known_meta_says(const mcpw_known_meta *known, size_t extension, bool *declared);
/* Remembers whether it does. */
void mcpw_known_meta_learn(mcpw_known_meta *known, size_t extension, bool declared);
/* Releases the _meta that a request shares. */
void mcpw_known_meta_unref(mcpw_known_meta *known);
/* Releases the _meta that the session remembers. */
void mcpw_known_meta_forget(mcpw_session *session);

#endif
