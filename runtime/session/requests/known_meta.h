/* SPDX-License-Identifier: MIT */
/* The _meta of requests in revisions without a handshake. A client says the same in each, so a session reads
 * it again only where its text is another one. */
#ifndef MCPW_KNOWN_META_H
#define MCPW_KNOWN_META_H

#include <mcpw/detail/remembered.h>

#include "../core/objects.h"

/* What is remembered while a message in that revision, which has no handshake, is read: it is made in *meta.
 * NULL: nothing is. */
mcpw_remembered *mcpw_known_meta_open(const mcpw_session *session, const mcpw_profile *profile,
                                      mcpw_remembered *meta);
/* The message has been read: it keeps what it shares, and what came twice in a row is remembered. Without
 * memory nothing is. */
void mcpw_known_meta_note(mcpw_request *r, const mcpw_remembered *meta);
/* Gives up what a message shares. */
void mcpw_known_meta_unref(mcpw_known_meta *known);
/* Gives up what the session remembers. */
void mcpw_known_meta_forget(mcpw_session *session);

#endif
