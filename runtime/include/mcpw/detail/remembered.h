/* SPDX-License-Identifier: MIT */
/* Reading messages whose params hold the same value time and again, for sessions. This is not part of the API
 * and may change in any version. */
#ifndef MCPW_DETAIL_REMEMBERED_H
#define MCPW_DETAIL_REMEMBERED_H

#include <mcpw/message.h>

MCPW_BEGIN_DECLS

/* The text of a struct in a message, and what it takes to read it. */
typedef struct mcpw_remembered_text {
    mcpw_str text;   /* absent: there is none */
    size_t elements; /* as mcpw_options.max_elements counts them */
    unsigned depth;  /* levels that could be opened at its beginning */
} mcpw_remembered_text;

/* A struct that is remembered. */
typedef struct mcpw_remembered {
    uint16_t type;              /* the index of its type in the tables of the revision */
    mcpw_remembered_text known; /* the text, without line breaks */
    const void *value;          /* what it was decoded to */
    bool is_taken;              /* set where a message has it: its value has the pointers of this one */
    mcpw_remembered_text read;  /* set where a message has another one of that type; lies in its text */
} mcpw_remembered;

/* mcpw_message_decode. A struct of the message whose text is the remembered one is not read again.
 * remembered may be NULL. */
MCPW_NODISCARD MCPW_API mcpw_status
mcpw_message_decode_remembered(const mcpw_revision *revision, const char *text, size_t len, mcpw_arena *arena,
                               mcpw_resolve resolve, void *user, mcpw_message *out,
                               const mcpw_options *options, mcpw_error *error, mcpw_remembered *remembered);

MCPW_END_DECLS

#endif
