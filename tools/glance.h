/* SPDX-License-Identifier: MIT */
/* The kind and members of a message, which need not be valid. */
#ifndef MCPWIRE_GLANCE_H
#define MCPWIRE_GLANCE_H

#include <mcpw/arena.h>
#include <mcpw/envelope.h>
#include <mcpw/type.h>

typedef struct glance {
    mcpw_message_kind kind; /* MCPW_MESSAGE_BATCH: any array */
    mcpw_id id;
    mcpw_str method;
    mcpw_json at[MCPW_AT_COUNT]; /* the members of the envelope */
    mcpw_str named;              /* the revision in a request's _meta; absent: none */
} glance;

/* Reads a text. The first of duplicate members counts. *out refers to the text and the arena. */
void glance_read(glance *out, mcpw_json text, mcpw_arena *arena);

/* A member of an object; absent: it has none. */
mcpw_json glance_member(mcpw_json object, const char *name);
/* The text of a string; absent: the value is none. */
mcpw_str glance_text(mcpw_json value, mcpw_arena *arena);
/* A string member of an object; absent: it has none. */
mcpw_str glance_string(mcpw_json object, const char *name, mcpw_arena *arena);
/* An id; absent: the value is neither a string nor an integer. */
mcpw_id glance_id(mcpw_json value, mcpw_arena *arena);

/* The revision with this name in messages; NULL: this build has none. */
const mcpw_revision *glance_revision(mcpw_str name);
/* The name of a revision in messages. */
const char *glance_wire(const mcpw_revision *revision);

#endif
