/* SPDX-License-Identifier: MIT */
/*
 * JSON-RPC messages of a revision. A message with `method` and `id` is a request, one with `method` alone is
 * a notification, and one with either `result` or `error` is a response. The catalogue of methods determines
 * the types of params and results. (JSON-RPC 2.0 sections 4 to 6; MCP base protocol, "Messages".)
 *
 * Not in a library that was built with MCPW_WITH_MESSAGES=OFF; writing needs MCPW_WITH_ENCODE too.
 */
#ifndef MCPW_MESSAGE_H
#define MCPW_MESSAGE_H

#include <mcpw/codec.h>

MCPW_BEGIN_DECLS

/* The kind of a JSON-RPC message. */
typedef enum mcpw_message_kind {
    MCPW_MESSAGE_NONE = 0,         /* nothing was read */
    MCPW_MESSAGE_REQUEST = 1,      /* method and id */
    MCPW_MESSAGE_NOTIFICATION = 2, /* method without id */
    MCPW_MESSAGE_RESULT = 3,       /* a response with its result */
    MCPW_MESSAGE_ERROR = 4,        /* a response with an error */
    MCPW_MESSAGE_BATCH = 5         /* an array of messages; only 2025-03-26 has them */
} mcpw_message_kind;

/* The error object of a response (JSON-RPC 2.0 section 5.1). */
typedef struct mcpw_rpc_error {
    int64_t code;       /* -32768 to -32000 are reserved */
    mcpw_str message;   /* one sentence */
    mcpw_json data;     /* details; absent: none */
    mcpw_members extra; /* members that JSON-RPC does not name */
} mcpw_rpc_error;

/* A message. Everything that it refers to lies in the arena that it was decoded into.
 *
 * value points at the struct that type describes: the params of a request or notification, or the result of a
 * response. The generated mcp_<revision>_params_<method>() and _result_<method>() return it with its C type.
 * It is NULL if params are absent. It is also NULL if the type is not known (unknown method; result of a
 * request that the caller could not name). Then raw has its text. */
typedef struct mcpw_message {
    mcpw_message_kind kind; /* which of the members below count */
    int method;             /* number in the catalogue; 0: unknown, or a response to an unknown request */
    mcpw_str method_name;   /* of requests and notifications */
    mcpw_id id;             /* of requests and responses */
    const mcpw_type *type;  /* of value; NULL: value is NULL */
    const void *value;      /* params or result, as above */
    mcpw_json raw;          /* params or result as text, if the type is not known */
    mcpw_rpc_error error;   /* of an error response */
    mcpw_members extra;     /* members of the envelope that JSON-RPC does not name */
    const struct mcpw_message *batch; /* messages of a batch */
    size_t batch_count;               /* how many */
} mcpw_message;

/* The request that a response answers: its method, and whether it carried a task. */
typedef struct mcpw_answered_request {
    int method; /* 0: the request is not known; the result stays raw */
    bool task;  /* the result is that of creating a task */
} mcpw_answered_request;

/* Finds the request that a response answers, by its id. It may be called more than once for a message, and
 * before the message is known to be valid. So it must change nothing. */
typedef mcpw_answered_request (*mcpw_resolve)(void *user, const mcpw_id *id);

/* Reads one message. resolve may be NULL; then results stay raw. An unknown method is an error under
 * MCPW_STRICT; else the message has method 0. Ownership and failure as for mcpw_decode. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_message_decode(const mcpw_revision *revision, const char *text,
                                                        size_t len, mcpw_arena *arena, mcpw_resolve resolve,
                                                        void *user, mcpw_message *out,
                                                        const mcpw_options *options, mcpw_error *error);

/* The envelope that mcpw_message_validate finds around the params or the result. */
typedef struct mcpw_envelope {
    mcpw_message_kind kind; /* of the message */
    int method;             /* number in the catalogue; 0: unknown */
    mcpw_str method_name;   /* of requests and notifications */
    mcpw_id id;             /* of requests and responses */
    bool task;              /* the params of the request carry a task */
} mcpw_envelope;

/* Checks whether text is a message of the revision, without building its params or result. found, unless
 * NULL, receives the envelope, so that the caller can resolve the response later. Its id lives in scratch
 * until that is reset. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_message_validate(const mcpw_revision *revision, const char *text,
                                                          size_t len, mcpw_arena *scratch,
                                                          mcpw_resolve resolve, void *user,
                                                          mcpw_envelope *found, const mcpw_options *options,
                                                          mcpw_error *error);

/* Appends the text of a message: its envelope and, by its type, its value (or raw). If method_name is absent,
 * method determines the name. type may be NULL for a request or notification whose method is known. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_message_encode(const mcpw_revision *revision,
                                                        const mcpw_message *message, mcpw_buffer *out,
                                                        const mcpw_options *options, mcpw_error *error);

/* The value of a message if it has this kind, this method and this type; else NULL. The generated accessors
 * call this. */
static inline const void *mcpw_message_value(const mcpw_message *message, mcpw_message_kind kind, int method,
                                             const mcpw_type *type) {
    if (message == NULL || message->kind != kind || message->method != method || message->type != type) {
        return NULL;
    }
    return message->value;
}

MCPW_END_DECLS

#endif
