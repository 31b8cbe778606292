/* SPDX-License-Identifier: MIT */
/* Checks calls and results by the schemas of the tools that the server has listed. Each schema is compiled
 * once for each list. */
#ifndef MCPWIRE_TAP_TOOLS_H
#define MCPWIRE_TAP_TOOLS_H

#include "rules.h"

/* A list of tools, complete or not. */
typedef struct tool_list {
    requests tools; /* by name; facts: tool_schemas */
    size_t bytes;   /* of all schemas */
} tool_list;

typedef struct tap_tools {
    tool_list known;
    tool_list coming; /* the list whose last page has not arrived yet */
    bool all_errors;
} tap_tools;

void tap_tools_init(tap_tools *t, bool all_errors);
void tap_tools_free(tap_tools *t);

/* Checks a message by the known schemas, and learns from it. Call it before talk_follow. */
void tap_tools_check(tap_tools *t, talk *talk, const talk_message *m,
                     void (*on_finding)(void *user, const finding *f), void *user);

#endif
