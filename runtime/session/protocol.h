/* SPDX-License-Identifier: MIT */
/* The facts of a revision beyond its types, for sessions. */
#ifndef MCPW_SESSION_PROTOCOL_H
#define MCPW_SESSION_PROTOCOL_H

#include <mcpw/detail/protocol_table.h>

/* The tables of the revisions that the library holds, oldest first. Generated. */
const mcpw_protocol *const *mcpw_protocols(size_t *count);

/* The table of a revision: its own, or the library's. It says nothing where neither is there. */
const mcpw_protocol *mcpw_protocol_of(const mcpw_revision *revision);

/* The needs of a method; empty for numbers that the revision lacks. Never NULL. */
const mcpw_need *mcpw_need_of(const mcpw_revision *revision, int method);

/* The extension that adds a method, as a capability; NULL: none does. */
const char *mcpw_extension_of(const mcpw_revision *revision, int method);

/* The number in one revision of a method of another; 0: it has none such. A method that an extension adds is
 * no other's, whatever its name is. */
int mcpw_method_in(const mcpw_revision *revision, const mcpw_revision *from, int method);

/* The member of a subscription's filter that is read when a notification is sent; NULL: it is not by name. */
const mcpw_topic *mcpw_topic_of(const mcpw_revision *revision, int method);

#endif
