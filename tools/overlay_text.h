/* SPDX-License-Identifier: MIT */
/* The texts of schema/ in the command. CMake writes their file when the build is configured. */
#ifndef MCPWIRE_OVERLAY_TEXT_H
#define MCPWIRE_OVERLAY_TEXT_H

#include <stddef.h>

typedef struct overlay_text {
    const char *name; /* a revision, or an overlay */
    const unsigned char *text;
    size_t len;
} overlay_text;

typedef enum overlay_kind { TEXT_SCHEMA, TEXT_ERRATA, TEXT_OVERLAY, TEXT_METHODS, TEXT_KINDS } overlay_kind;

/* All texts of a kind. */
const overlay_text *overlay_texts(overlay_kind kind, size_t *count);

#endif
