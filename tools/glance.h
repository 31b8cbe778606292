/* SPDX-License-Identifier: MIT */
/* What a message is, by a look at its members: it need not be valid. */
#ifndef MCPWIRE_GLANCE_H
#define MCPWIRE_GLANCE_H

#include <mcpw/arena.h>
#include <mcpw/json.h>
#include <mcpw/message.h>
#include <mcpw/type.h>

#include <stdbool.h>

typedef struct glance {
    mcpw_message_kind kind; /* MCPW_MESSAGE_BATCH: any array */
    mcpw_id id;
    mcpw_str method;
    mcpw_json params;
    mcpw_json result;
    mcpw_str named; /* the revision that _meta of a request names; absent: none */
    bool jsonrpc;   /* it has this member, as every message has */
} glance;

/* Looks at a text. Of members that occur twice the first counts. What *out refers to lies in the text and in
 * the arena. */
void glance_read(glance *out, mcpw_json text, mcpw_arena *arena);

/* A string that is a member of an object; absent when it is none. */
mcpw_str glance_string(mcpw_json object, const char *name, mcpw_arena *arena);

/* A revision by the name that messages have for it; NULL: this build has none such. */
const mcpw_revision *glance_revision(mcpw_str name);
/* That name. */
const char *glance_wire(const mcpw_revision *revision);

#endif
