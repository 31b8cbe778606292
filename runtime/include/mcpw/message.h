/* SPDX-License-Identifier: MIT */
/*
 * JSON-RPC messages of a revision, by the message rule: `method` with `id` is a request, `method` alone a
 * notification, `result` xor `error` a response. The catalogue of methods gives params and results their
 * types. (JSON-RPC 2.0 sections 4 to 6; MCP base protocol, "Messages".)
 *
 * Not in a library that was built with MCPW_WITH_MESSAGES=OFF; writing needs MCPW_WITH_ENCODE too.
 */
#ifndef MCPW_MESSAGE_H
#define MCPW_MESSAGE_H

#include <mcpw/codec.h>

MCPW_BEGIN_DECLS

/* What a JSON-RPC message is. */
typedef enum mcpw_message_kind {
    MCPW_MESSAGE_NONE = 0,         /* nothing was read */
    MCPW_MESSAGE_REQUEST = 1,      /* method and id */
    MCPW_MESSAGE_NOTIFICATION = 2, /* method without id */
    MCPW_MESSAGE_RESULT = 3,       /* a response with its result */
    MCPW_MESSAGE_ERROR = 4,        /* a response with an error */
    MCPW_MESSAGE_BATCH = 5         /* an array of messages; 2025-03-26 alone has them */
} mcpw_message_kind;

/* The error object of a response (JSON-RPC 2.0 section 5.1). */
typedef struct mcpw_rpc_error {
    int64_t code;       /* -32768 to -32000 are reserved */
    mcpw_str message;   /* one sentence */
    mcpw_json data;     /* more; absent: none */
    mcpw_members extra; /* members that JSON-RPC does not name */
} mcpw_rpc_error;

/* A message. Everything that it refers to lies in the arena that it was decoded into.
 *
 * value points at the struct that type describes: the params of a request or notification, or the result
 * of a response. The generated mcp_<revision>_params_<method>() and _result_<method>() return it with its
 * C type. It is NULL where params are absent, and where nothing gives the value a type: then raw holds its
 * text (unknown method; result of a request that the caller could not name). */
typedef struct mcpw_message {
    mcpw_message_kind kind; /* which of the members below count */
    int method;             /* number in the catalogue; 0: unknown, or a response to an unknown request */
    mcpw_str method_name;   /* of requests and notifications */
    mcpw_id id;             /* of requests and responses */
    const mcpw_type *type;  /* of value; NULL: value is NULL */
    const void *value;      /* params or result, as above */
    mcpw_json raw;          /* params or result as text, where it has no type */
    mcpw_rpc_error error;   /* of an error response */
    mcpw_members extra;     /* members of the envelope that JSON-RPC does not name */
    const struct mcpw_message *batch; /* messages of a batch */
    size_t batch_count;               /* how many */
} mcpw_message;

/* What a response answers: the method of the request, and whether that request carried a task. */
typedef struct mcpw_answered_request {
    int method; /* 0: no such request is known; the result stays raw */
    bool task;  /* the result is that of creating a task */
} mcpw_answered_request;

/* Finds the request that a response answers, by its id. It may be called more than once for a message, and
 * before the message is known to be valid, so it must only look. */
typedef mcpw_answered_request (*mcpw_resolve)(void *user, const mcpw_id *id);

/* Reads one message. resolve may be NULL, then results stay raw. Under MCPW_STRICT an unknown method is an
 * error, else it is a message with method 0. Ownership and failure as for mcpw_decode. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_message_decode(const mcpw_revision *revision, const char *text,
                                                        size_t len, mcpw_arena *arena, mcpw_resolve resolve,
                                                        void *user, mcpw_message *out,
                                                        const mcpw_options *options, mcpw_error *error);

/* What mcpw_message_validate finds around the params or the result. */
typedef struct mcpw_envelope {
    mcpw_message_kind kind; /* what it is */
    int method;             /* number in the catalogue; 0: unknown */
    mcpw_str method_name;   /* of requests and notifications */
    mcpw_id id;             /* of requests and responses */
    bool task;              /* a request whose params carry a task */
} mcpw_envelope;

/* Says whether text is a message of the revision, without building its params or result. When found is not
 * NULL it receives the envelope: kind, id (living in scratch until it is reset), method, and, for requests,
 * whether the params carry a task, so that the caller can resolve the response. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_message_validate(const mcpw_revision *revision, const char *text,
                                                          size_t len, mcpw_arena *scratch,
                                                          mcpw_resolve resolve, void *user,
                                                          mcpw_envelope *found, const mcpw_options *options,
                                                          mcpw_error *error);

/* Appends the text of a message: its envelope and, by its type, its value (or raw). method gives the name
 * where method_name is absent; type may be NULL for a request or notification whose method is known. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_message_encode(const mcpw_revision *revision,
                                                        const mcpw_message *message, mcpw_buffer *out,
                                                        const mcpw_options *options, mcpw_error *error);

/* The value of a message when it is of this kind, this method and this type; else NULL. The generated
 * accessors are one call to it. */
static inline const void *mcpw_message_value(const mcpw_message *message, mcpw_message_kind kind, int method,
                                             const mcpw_type *type) {
    if (message == NULL || message->kind != kind || message->method != method || message->type != type) {
        return NULL;
    }
    return message->value;
}

MCPW_END_DECLS

#endif
