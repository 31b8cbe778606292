/* SPDX-License-Identifier: MIT */
/*
 * The tables behind <mcpw/protocol.h>. The generated protocol_table.c of a revision fills them in; only
 * sessions read them. The layout goes with MCPW_TABLE_ABI, as that of <mcpw/table.h>.
 */
#ifndef MCPW_PROTOCOL_TABLE_H
#define MCPW_PROTOCOL_TABLE_H

#include <mcpw/protocol.h>

MCPW_BEGIN_DECLS

/* What a method needs. */
typedef struct mcpw_need {
    const char *capability; /* "tools", "resources.subscribe"; NULL: none */
    bool by_sender;         /* the sender must have declared it; else the receiver */
} mcpw_need;

/* A capability that the receiver of a method must have declared when the params have a member, or have it
 * with a certain value. It holds beside that of the method. */
typedef struct mcpw_gate {
    int method;             /* its number */
    const char *member;     /* of the params */
    const char *value;      /* a string that the member is; NULL: whatever it is */
    const char *capability; /* "elicitation.url" */
} mcpw_gate;

/* An error code of other revisions that this one does not send, and the code that it sends instead. */
typedef struct mcpw_code {
    int32_t from; /* what a handler said */
    int32_t to;   /* what is sent */
} mcpw_code;

/* What one revision says. */
typedef struct mcpw_protocol {
    const mcpw_revision *revision;
    const mcpw_need *needs; /* of each method, by its number less one */
    const mcpw_gate *gates;
    const mcpw_code *codes;
    uint16_t need_count;
    uint16_t gate_count;
    uint16_t code_count;
    bool argument_results;               /* a tool's bad arguments are told in a result */
    int32_t role_codes[MCPW_CODE_COUNT]; /* by mcpw_code_role */
} mcpw_protocol;

MCPW_END_DECLS

#endif
