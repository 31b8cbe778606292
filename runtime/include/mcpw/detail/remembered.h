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

/* A request that the revision lacks, with the type of its params in the tables of the revision. */
typedef struct mcpw_added_method {
    mcpw_str name;           /* in messages */
    const mcpw_type *params; /* an object */
} mcpw_added_method;

/* A struct that is remembered, and methods that are known beside those of the revision. */
typedef struct mcpw_remembered {
    uint16_t type;                  /* the index of its type in the tables of the revision */
    mcpw_remembered_text known;     /* the text, without line breaks */
    const void *value;              /* the decoded struct */
    bool is_taken;                  /* set if a message has it: its value shares these pointers */
    mcpw_remembered_text read;      /* set if a message has another one of this type; lies in its text */
    const mcpw_added_method *added; /* the params of these are read by their types, and stay text as well */
    size_t added_count;             /* how many */
    size_t found;                   /* set if the message is of an added method: its place there, from 1 */
} mcpw_remembered;

/* As mcpw_message_decode, but a struct whose text is remembered is not read again, and params of an added
 * method have both a value and their text. Its number is 0 all the same. remembered may be NULL. */
MCPW_NODISCARD MCPW_API mcpw_status
mcpw_message_decode_remembered(const mcpw_revision *revision, const char *text, size_t len, mcpw_arena *arena,
                               mcpw_resolve resolve, void *user, mcpw_message *out,
                               const mcpw_options *options, mcpw_error *error, mcpw_remembered *remembered);

MCPW_END_DECLS

#endif
