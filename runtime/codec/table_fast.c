/* SPDX-License-Identifier: MIT */
/* Ties tables of the layout for speed to a library that reads it. Small builds have table_small.c. */
#include <mcpw/detail/table.h>

MCPW_API const char mcpw_tables_were_compiled_without_MCPW_SMALL_but_the_library_was_built_with_it = 0;
