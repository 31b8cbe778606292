/* SPDX-License-Identifier: MIT */
/*
 * The tables behind <mcpw/detail/protocol.h>. The generated protocol_table.c of a revision fills them in;
 * only sessions read them. The layout goes with MCPW_TABLE_ABI, as that of <mcpw/detail/table.h>.
 */
#ifndef MCPW_PROTOCOL_TABLE_H
#define MCPW_PROTOCOL_TABLE_H

#include <mcpw/detail/protocol.h>

MCPW_BEGIN_DECLS

/* The capability that a method needs. */
typedef struct mcpw_need {
    const char *capability; /* "tools", "resources.subscribe"; NULL: none */
    bool by_sender;         /* the sender must have declared it; else the receiver */
} mcpw_need;

/* A capability that the receiver of a method must have declared when the params have a member, or have it
 * with a certain value. It is needed in addition to that of the method. */
typedef struct mcpw_gate {
    int method;             /* its number */
    const char *member;     /* of the params */
    const char *value;      /* a string that the member is; NULL: whatever it is */
    const char *capability; /* "elicitation.url" */
} mcpw_gate;

/* The part of a method that belongs to an extension. */
typedef enum mcpw_part {
    MCPW_PART_METHOD, /* all of it; the extension adds the method */
    MCPW_PART_PARAMS, /* a member of its params */
    MCPW_PART_RESULT, /* a member of its result */
    MCPW_PART_VALUE   /* no method, but values that it adds to other types of the protocol */
} mcpw_part;

/* A part of a method that may be used only if both sides have declared an extension. */
typedef struct mcpw_feature {
    int method;             /* its number */
    mcpw_part part;         /* the part */
    const char *path;       /* of the member, "notifications.taskIds"; NULL: all of the method */
    const char *value;      /* a string that the member is; NULL: whatever it is */
    const char *capability; /* "extensions.io.modelcontextprotocol/tasks" */
} mcpw_feature;

/* A notification of an extension. It is sent to the subscriptions whose filter names its subject. */
typedef struct mcpw_topic {
    int method;             /* its number */
    const char *filter;     /* the member of the filter that lists names */
    const char *member;     /* of the notification's params; its value is one of the names */
    const char *capability; /* that both sides must have declared */
} mcpw_topic;

/* An error code of other revisions that this one does not send, and the code that it sends instead. */
typedef struct mcpw_code {
    int32_t from; /* the code of a handler */
    int32_t to;   /* the code that is sent */
} mcpw_code;

/* The protocol tables of one revision. */
typedef struct mcpw_protocol {
    const mcpw_revision *revision; /* the revision */
    const char *wire;              /* its name in messages */
    const mcpw_need *needs;        /* of each method, by its number less one */
    const mcpw_gate *gates;        /* see mcpw_gate */
    const mcpw_feature *features;  /* see mcpw_feature */
    const mcpw_topic *topics;      /* see mcpw_topic */
    const mcpw_code *codes;        /* see mcpw_code */
    uint16_t need_count;           /* entries in needs */
    uint16_t gate_count;           /* entries in gates */
    uint16_t feature_count;        /* entries in features */
    uint16_t topic_count;          /* entries in topics */
    uint16_t code_count;           /* entries in codes */
    bool argument_results;         /* faults in a tool's arguments are answered with a result */
    bool polled_streams;           /* over HTTP, clients reconnect to streams that the server ends early */
    int32_t role_codes[MCPW_CODE_COUNT]; /* by mcpw_code_role */
} mcpw_protocol;

/* The facts of a program's own revision beyond its types; NULL: there are none, as in the revisions of the
 * library. */
MCPW_API const mcpw_protocol *mcpw_revision_protocol(const mcpw_revision *revision);

MCPW_END_DECLS

#endif
