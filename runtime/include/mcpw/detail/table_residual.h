/* SPDX-License-Identifier: MIT */
/* The link between the tables of the codec and those of schemas. It is not part of the API.
 * <mcpw/detail/table.h> and <mcpw/detail/table_shapes.h> include it, and neither includes the other. */
#ifndef MCPW_TABLE_RESIDUAL_H
#define MCPW_TABLE_RESIDUAL_H

#include <mcpw/codec.h>

MCPW_BEGIN_DECLS

/* The demands of a schema on a value that the tables of the codec cannot express. Generated code names the
 * function that checks them, so that only programs with such a schema link the code for that. */
typedef struct mcpw_residual mcpw_residual;
struct mcpw_residual {
    /* Checks whether the JSON text of len bytes meets the demands. scratch is unchanged afterwards. */
    mcpw_status (*meets)(const mcpw_residual *residual, const char *text, size_t len, mcpw_arena *scratch,
                         const mcpw_options *options, mcpw_error *error);
    const struct mcpw_schema *schema;                    /* <mcpw/detail/table_shapes.h> */
    const struct mcpw_pattern_engine *(*patterns)(void); /* NULL: there are none */
};

MCPW_END_DECLS

#endif
