/* SPDX-License-Identifier: MIT */
/*
 * Handles of revisions, types and methods, and functions that read them. A handle is constant, lives as long
 * as the program, and may be used by every thread. Only generated code and the codec know its contents;
 * programs use its address.
 *
 * Generated headers declare a handle for each revision (mcp_20251125_revision) and each type
 * (mcp_20251125_tool_table). Programs that know only names get handles from mcpw_find_revision,
 * mcpw_find_type and mcpw_method_entry of <mcpw/codec.h>.
 */
#ifndef MCPW_TYPE_H
#define MCPW_TYPE_H

#include <mcpw/base.h>

MCPW_BEGIN_DECLS

/* A protocol revision. */
typedef struct mcpw_revision mcpw_revision;

/* A type of a revision. */
typedef struct mcpw_type mcpw_type;

/* A method of a revision. */
typedef struct mcpw_method mcpw_method;

/* The name of a revision, such as "2025-11-25". */
MCPW_API const char *mcpw_revision_name(const mcpw_revision *revision);

/* The sha256, in hexadecimal, of the schema that the revision was generated from. */
MCPW_API const char *mcpw_revision_sha256(const mcpw_revision *revision);

/* The name of a type in the schema, such as "CallToolResult". It is empty in a library without names. */
MCPW_API const char *mcpw_type_name(const mcpw_type *type);

/* The size in bytes of a type's C struct, which mcpw_decode fills in. */
MCPW_API size_t mcpw_type_size(const mcpw_type *type);

/* A definition of one revision by name; NULL if there is none. */
MCPW_API const mcpw_type *mcpw_revision_type(const mcpw_revision *revision, const char *name);

/* Whether a type is an object that has a member of this name in its schema. */
MCPW_API bool mcpw_type_has(const mcpw_type *type, const char *member);

/* The type of a method's params; NULL: it takes none. */
MCPW_API const mcpw_type *mcpw_method_params(const mcpw_method *method);

/* The flags of mcpw_method_flags. */
enum {
    MCPW_METHOD_REQUEST = 1,          /* it has a response */
    MCPW_METHOD_NOTIFICATION = 2,     /* it has no response */
    MCPW_METHOD_FROM_CLIENT = 4,      /* clients send it */
    MCPW_METHOD_FROM_SERVER = 8,      /* servers send it */
    MCPW_METHOD_PARAMS_REQUIRED = 16, /* it needs params */
    MCPW_METHOD_INPUT = 32,           /* travels inside an input_required result, never as a message */
    MCPW_METHOD_EXTENDED = 64         /* an extension adds it, or members of its params */
};

/* The flags of a method, combined by |; 0 for NULL. */
MCPW_API unsigned mcpw_method_flags(const mcpw_method *method);

MCPW_END_DECLS

#endif
