/* SPDX-License-Identifier: MIT */
/*
 * A schema of the protocol that a user names by its file: its definitions, compiled as they are needed, and
 * which of them a message is checked against.
 *
 * A request or a notification is checked by the definition whose "method" is constant, a result by the
 * definition of its request's result. Definitions that say nothing of the envelope are checked together with
 * JSONRPCRequest and its like.
 */
#ifndef MCPWIRE_PROTOCOL_H
#define MCPWIRE_PROTOCOL_H

#include "exchange.h"
#include "input.h"

#include <mcpw/message.h>
#include <mcpw/schema.h>

#include <stdbool.h>
#include <stddef.h>

/* What a message is read as. */
typedef enum protocol_reading {
    PROTOCOL_REQUEST,
    PROTOCOL_NOTIFICATION,
    PROTOCOL_RESULT,
    PROTOCOL_TASK_RESULT, /* of a request that carried a task */
    PROTOCOL_ERROR,
    PROTOCOL_OTHER, /* a batch, and what is no message */
    PROTOCOL_READINGS
} protocol_reading;

typedef struct protocol_definition {
    mcpw_str name; /* a NUL follows */
    mcpw_json value;
    mcpw_str method; /* constant in it; absent: none is */
    bool enveloped;  /* it states "jsonrpc", so it is of a whole message */
} protocol_definition;

typedef struct protocol_method {
    mcpw_str name;
    const protocol_definition *by[PROTOCOL_READINGS]; /* NULL: the envelope says all */
    mcpw_schema *compiled[PROTOCOL_READINGS];         /* NULL: not yet */
} protocol_method;

typedef struct protocol {
    input file; /* holds the text */
    mcpw_json text;
    mcpw_arena arena;
    const char *keyword; /* "$defs" or "definitions" */
    bool assert_formats;
    bool batches;
    const mcpw_revision *like;        /* whose results methods have; NULL: messages are not asked for */
    protocol_definition *definitions; /* by name */
    size_t definition_count;
    protocol_method *methods; /* by name, behind the first, which stands for methods that are not known */
    size_t method_count;      /* with that one */
    size_t without_result;    /* requests whose result no definition is found for; */
    mcpw_str first_without;   /* one of them */
} protocol;

/* The same for a text, which stays the caller's and is named in complaints. check: all definitions are
 * compiled at once; else each when it is needed. */
bool protocol_open_text(protocol *p, const char *name, mcpw_json schema, bool assert_formats, bool check);

/* Reads the file. False after saying why it is no schema of the protocol. protocol_close is due in either
 * case. Formats are asserted or not. */
bool protocol_open(protocol *p, const char *file, bool assert_formats);
void protocol_close(protocol *p);

/* Finds the methods, and the definition for each message. like: the revision whose decisions hold; NULL: the
 * nearest, by the names of its definitions. False after saying what the schema lacks. */
bool protocol_find_methods(protocol *p, const mcpw_revision *like);

/* A definition by its name; NULL when there is none. */
const protocol_definition *protocol_find(const protocol *p, const char *name, size_t len);

/* A definition, compiled: to be given back by json_schema_free. NULL after saying why not. */
mcpw_schema *protocol_compile(const protocol *p, const protocol_definition *definition);

/* The number of a method; 0: the schema has none such. */
int protocol_method_number(const protocol *p, mcpw_str name);

/* What checks messages by this schema; it refers to it, and keeps there what it compiles. */
exchange_schema protocol_checks(protocol *p);

/* ---- for the other files of this ---- */

/* Order by bytes, as of strcmp. */
int protocol_compare_names(mcpw_str a, mcpw_str b);

/* The schema by which messages of a method (0: an unknown one) are read; NULL: no memory. */
const mcpw_schema *protocol_schema(protocol *p, int method, protocol_reading reading);

#endif
