/* SPDX-License-Identifier: MIT */
/* The interface of an engine for regular expressions. <mcpw/pcre2.h> has one; a program may supply another.
 */
#ifndef MCPW_PATTERN_H
#define MCPW_PATTERN_H

#include <mcpw/arena.h>
#include <mcpw/base.h>
#include <mcpw/error.h>

MCPW_BEGIN_DECLS

/* An engine. Several threads may call its functions at once. */
typedef struct mcpw_pattern_engine {
    size_t struct_size; /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    /* Compiles a regular expression of ECMA-262 with the flag u, in UTF-8. MCPW_E_FORMAT: it is invalid.
     * message, of MCPW_ERROR_MESSAGE_SIZE bytes, then receives the reason. */
    mcpw_status (*compile)(const char *pattern, size_t len, const mcpw_allocator *allocator, void **out,
                           char *message);
    /* Searches the text, which is UTF-8, for the pattern. MCPW_OK if the pattern occurs, MCPW_E_VALUE if not,
     * MCPW_E_WORK if the search takes more than `limit` steps of the engine, MCPW_E_MEMORY. */
    mcpw_status (*match)(const void *pattern, const char *text, size_t len, uint32_t limit,
                         mcpw_arena *scratch);
    /* Frees a compiled pattern. */
    void (*free)(void *pattern);
} mcpw_pattern_engine;

MCPW_END_DECLS

#endif
