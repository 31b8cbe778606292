/* SPDX-License-Identifier: MIT */
/* Sessions use this to read messages whose params repeat a value. This is not part of the API and may change
 * in any version. */
#ifndef MCPW_DETAIL_REMEMBERED_H
#define MCPW_DETAIL_REMEMBERED_H

#include <mcpw/message.h>

MCPW_BEGIN_DECLS

/* The text of a struct in a message, and the cost of reading it. */
typedef struct mcpw_remembered_text {
    mcpw_str text;   /* absent: there is none */
    size_t elements; /* as mcpw_options.max_elements counts them */
    unsigned depth;  /* levels of nesting left at its beginning */
} mcpw_remembered_text;

/* A struct that is remembered. */
typedef struct mcpw_remembered {
    uint16_t type;              /* the index of its type in the tables of the revision */
    mcpw_remembered_text known; /* the text, without line breaks */
    const void *value;          /* the decoded struct */
    bool is_taken;              /* set if a message has it: its value shares these pointers */
    mcpw_remembered_text read;  /* set if a message has another one of this type; lies in its text */
} mcpw_remembered;

/* As mcpw_message_decode, but a struct whose text is remembered is not read again.
 * remembered may be NULL. */
MCPW_NODISCARD MCPW_API mcpw_status
mcpw_message_decode_remembered(const mcpw_revision *revision, const char *text, size_t len, mcpw_arena *arena,
                               mcpw_resolve resolve, void *user, mcpw_message *out,
                               const mcpw_options *options, mcpw_error *error, mcpw_remembered *remembered);

MCPW_END_DECLS

#endif
