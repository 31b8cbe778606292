/* SPDX-License-Identifier: MIT */
/* What mcpwire wants of an engine for regular expressions. <mcpw/pcre2.h> has one; a program may bring
 * another. */
#ifndef MCPW_PATTERN_H
#define MCPW_PATTERN_H

#include <mcpw/arena.h>
#include <mcpw/base.h>
#include <mcpw/error.h>

MCPW_BEGIN_DECLS

/* An engine. Its functions may be called by several threads at once. */
typedef struct mcpw_pattern_engine {
    size_t struct_size; /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    /* Compiles a regular expression of ECMA-262 with the flag u, given as UTF-8. message, of
     * MCPW_ERROR_MESSAGE_SIZE bytes, receives why it is none (MCPW_E_FORMAT). */
    mcpw_status (*compile)(const char *pattern, size_t len, const mcpw_allocator *allocator, void **out,
                           char *message);
    /* Whether the pattern occurs in the text, which is UTF-8: MCPW_OK, MCPW_E_VALUE when not, MCPW_E_WORK
     * when that takes more than `limit` steps of the engine's, MCPW_E_MEMORY. */
    mcpw_status (*match)(const void *pattern, const char *text, size_t len, uint32_t limit,
                         mcpw_arena *scratch);
    /* Frees a compiled pattern. */
    void (*free)(void *pattern);
} mcpw_pattern_engine;

MCPW_END_DECLS

#endif
