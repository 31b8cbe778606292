/* SPDX-License-Identifier: MIT */
/*
 * A schema of the protocol in a user's file: its definitions, which are compiled when needed, and the
 * definition that checks each message.
 *
 * A request or a notification is checked by the definition with its "method" as a constant, and a result by
 * the result definition of its request. Definitions without the envelope are checked together with
 * JSONRPCRequest and the like.
 */
#ifndef MCPWIRE_PROTOCOL_H
#define MCPWIRE_PROTOCOL_H

#include "exchange.h"
#include "input.h"

#include <mcpw/message.h>
#include <mcpw/schema.h>

#include <stdbool.h>
#include <stddef.h>

/* The kind of a message that selects its definition. */
typedef enum protocol_reading {
    PROTOCOL_REQUEST,
    PROTOCOL_NOTIFICATION,
    PROTOCOL_RESULT,
    PROTOCOL_TASK_RESULT, /* of a request with a task */
    PROTOCOL_ERROR,
    PROTOCOL_OTHER, /* a batch, or no message */
    PROTOCOL_READINGS
} protocol_reading;

typedef struct protocol_definition {
    mcpw_str name; /* NUL-terminated */
    mcpw_json value;
    mcpw_str method; /* its constant method; absent: none */
    bool enveloped;  /* it has the member "jsonrpc", so it describes a whole message */
} protocol_definition;

typedef struct protocol_method {
    mcpw_str name;
    const protocol_definition *by[PROTOCOL_READINGS]; /* NULL: the envelope suffices */
    mcpw_schema *compiled[PROTOCOL_READINGS];         /* NULL: not yet */
} protocol_method;

typedef struct protocol {
    input file; /* contains the text */
    mcpw_json text;
    mcpw_arena arena;
    const char *keyword; /* "$defs" or "definitions" */
    bool assert_formats;
    bool batches;
    const mcpw_revision *like;        /* the revision with the same results; NULL: messages are not checked */
    protocol_definition *definitions; /* by name */
    size_t definition_count;
    protocol_method *methods; /* by name, after the first one, which is for unknown methods */
    size_t method_count;      /* including that one */
    size_t without_result;    /* requests without a definition for their result */
    mcpw_str first_without;   /* one of them */
} protocol;

/* Opens a text, which stays the caller's and is named in errors. check: all definitions are compiled at once,
 * not when needed. */
bool protocol_open_text(protocol *p, const char *name, mcpw_json schema, bool assert_formats, bool check);

/* Opens a file, with formats asserted or not. False: it is not a schema of the protocol; the error was
 * printed. protocol_close is needed in either case. */
bool protocol_open(protocol *p, const char *file, bool assert_formats);
void protocol_close(protocol *p);

/* Finds the methods and the definition for each message. like: the revision whose results apply; NULL: the
 * one with the most definition names in common. False: the schema lacks something; the error was printed. */
bool protocol_find_methods(protocol *p, const mcpw_revision *like);

/* A definition by its name; NULL: there is none. */
const protocol_definition *protocol_find(const protocol *p, const char *name, size_t len);

/* Compiles a definition; json_schema_free frees it. NULL: the error was printed. */
mcpw_schema *protocol_compile(const protocol *p, const protocol_definition *definition);

/* The number of a method; 0: there is none. */
int protocol_method_number(const protocol *p, mcpw_str name);

/* The functions that check messages by this schema. They refer to it, and store compiled definitions in it.
 */
exchange_schema protocol_checks(protocol *p);

/* ---- for the other protocol_*.c files ---- */

/* Compares names bytewise, like strcmp. */
int protocol_compare_names(mcpw_str a, mcpw_str b);

/* The compiled schema for messages of a method (0: an unknown one); NULL: no memory. */
const mcpw_schema *protocol_schema(protocol *p, int method, protocol_reading reading);

#endif
