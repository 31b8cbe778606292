/* SPDX-License-Identifier: MIT */
/*
 * The envelope of a message: the members of JSON-RPC around params and results, and the members of params
 * that decide the route of a message. One pass over the text finds all of them, checks the grammar and UTF-8
 * of the whole text, and allocates nothing. The message need not belong to any revision. (JSON-RPC 2.0
 * sections 4 to 6; MCP 2026-07-28, "Overview", _meta.)
 *
 * Not in a library that was built with MCPW_WITH_MESSAGES=OFF or MCPW_WITH_JSON_TOOLS=OFF.
 */
#ifndef MCPW_MESSAGE_ENVELOPE_H
#define MCPW_MESSAGE_ENVELOPE_H

#include <mcpw/json.h>
#include <mcpw/message.h>

MCPW_BEGIN_DECLS

/* The members that an envelope knows, by their place. */
typedef enum mcpw_envelope_at {
    MCPW_AT_JSONRPC = 0,           /* of the message */
    MCPW_AT_ID = 1,                /* the id, of any JSON type */
    MCPW_AT_METHOD = 2,            /* the method */
    MCPW_AT_PARAMS = 3,            /* the params */
    MCPW_AT_RESULT = 4,            /* the result */
    MCPW_AT_ERROR = 5,             /* the error */
    MCPW_AT_META = 6,              /* of params: _meta */
    MCPW_AT_NAME = 7,              /* name of a tool or prompt */
    MCPW_AT_ARGUMENTS = 8,         /* arguments */
    MCPW_AT_URI = 9,               /* uri of a resource */
    MCPW_AT_TASK_ID = 10,          /* taskId */
    MCPW_AT_TASK = 11,             /* task, in a request that asks for one */
    MCPW_AT_REQUEST_ID = 12,       /* requestId of notifications/cancelled */
    MCPW_AT_PROTOCOL_VERSION = 13, /* protocolVersion of initialize */
    MCPW_AT_VERSION = 14,          /* of _meta: io.modelcontextprotocol/protocolVersion */
    MCPW_AT_CAPABILITIES = 15,     /* io.modelcontextprotocol/clientCapabilities */
    MCPW_AT_CLIENT_INFO = 16,      /* io.modelcontextprotocol/clientInfo */
    MCPW_AT_LOG_LEVEL = 17,        /* io.modelcontextprotocol/logLevel */
    MCPW_AT_PROGRESS_TOKEN = 18,   /* progressToken */
    MCPW_AT_CODE = 19,             /* code of the error */
    MCPW_AT_COUNT = 20             /* one more than the last */
} mcpw_envelope_at;

/* An envelope. It points into the text. */
typedef struct mcpw_message_envelope {
    /* MCPW_MESSAGE_NONE: the text is JSON, but not a message. BATCH: it is an array, with any items. A
     * message whose method is a string is a request or a notification, with any id. */
    mcpw_message_kind kind;
    mcpw_json at[MCPW_AT_COUNT]; /* each value as text; absent: there is none; the first of two counts */
    uint32_t twice;              /* a bit, 1 << mcpw_envelope_at, for each member that occurs twice */
} mcpw_message_envelope;

/* Reads the envelope of a text that is nested at most max_depth deep (0: MCPW_DEFAULT_DEPTH). On failure the
 * envelope is empty, and *error has the place. MCPW_E_SYNTAX, MCPW_E_UTF8, MCPW_E_DEPTH; MCPW_E_ARGUMENT for
 * a depth above MCPW_MAX_DEPTH. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_envelope_read(mcpw_message_envelope *envelope, mcpw_json text,
                                                       unsigned max_depth, mcpw_error *error);

/* Whether a member occurs twice. */
static inline bool mcpw_envelope_is_twice(const mcpw_message_envelope *envelope, mcpw_envelope_at at) {
    return (envelope->twice >> at & 1U) != 0;
}

/* The text of a member that is a string, as by mcpw_json_string. If the member is not a string, or memory
 * runs out, it is absent, and the status is that of mcpw_json_string. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_envelope_string(const mcpw_message_envelope *envelope,
                                                         mcpw_envelope_at at, mcpw_arena *arena,
                                                         mcpw_str *out);

/* The id. MCPW_ID_ABSENT: there is none, or it is neither a string nor an integer. A string with escapes is
 * unescaped into the arena. If memory runs out, the id is absent. */
MCPW_API mcpw_id mcpw_envelope_id(const mcpw_message_envelope *envelope, mcpw_arena *arena);

MCPW_END_DECLS

#endif
