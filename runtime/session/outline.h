/* SPDX-License-Identifier: MIT */
/* What can be said about a text that is not read as a message, or not yet. */
#ifndef MCPW_OUTLINE_H
#define MCPW_OUTLINE_H

#include "core.h"

/* What can be read of a message whose text is JSON but not what it should be. */
typedef struct mcpw_outline {
    bool is_json;
    mcpw_id id;
    mcpw_str method;
    mcpw_json params;
    bool has_id;      /* its id may be of any kind */
    bool has_outcome; /* it has a result or an error, so it answers something */
    bool lacks_params;
} mcpw_outline;

/* Looks at a text, which may be no JSON. What it finds lies in the text and in the arena. */
mcpw_outline mcpw_outline_of(mcpw_str text, mcpw_arena *arena);

#endif
