/* SPDX-License-Identifier: MIT */
/* What joins the tables of the codec to those of schemas: no part of the API. <mcpw/detail/table.h> and
 * <mcpw/detail/table_shapes.h> include it; neither knows the other. */
#ifndef MCPW_TABLE_RESIDUAL_H
#define MCPW_TABLE_RESIDUAL_H

#include <mcpw/codec.h>

MCPW_BEGIN_DECLS

/* What a schema demands of a value beyond what the tables of the codec can say. It is checked by whom the
 * generated code names, so that only programs with such a schema link what that needs. */
typedef struct mcpw_residual mcpw_residual;
struct mcpw_residual {
    /* Whether the JSON text of len bytes meets it; scratch is left as it was. */
    mcpw_status (*meets)(const mcpw_residual *residual, const char *text, size_t len, mcpw_arena *scratch,
                         const mcpw_options *options, mcpw_error *error);
    const struct mcpw_schema *schema;                    /* <mcpw/detail/table_shapes.h> */
    const struct mcpw_pattern_engine *(*patterns)(void); /* NULL: there are none */
};

MCPW_END_DECLS

#endif
