/* SPDX-License-Identifier: MIT */
/* The tools that a server has listed, as somebody between it and its client sees it, and whether calls of
 * them and their results fit their schemas. Each schema is compiled once for each list that has it. */
#ifndef MCPWIRE_TAP_TOOLS_H
#define MCPWIRE_TAP_TOOLS_H

#include "rules.h"

/* A list, or what has come of one. */
typedef struct tool_list {
    requests tools; /* by name; facts: schemas */
    size_t bytes;   /* of all their schemas */
} tool_list;

typedef struct tap_tools {
    tool_list known;
    tool_list coming; /* whose last page has not come yet */
    bool all_errors;
} tap_tools;

void tap_tools_init(tap_tools *t, bool all_errors);
void tap_tools_free(tap_tools *t);

/* Holds a message to the schemas that are known, and learns from it. Call it before talk_follow. */
void tap_tools_check(tap_tools *t, talk *talk, const talk_message *m,
                     void (*on_finding)(void *user, const finding *f), void *user);

#endif
