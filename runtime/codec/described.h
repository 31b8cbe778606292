/* SPDX-License-Identifier: MIT */
/*
 * Structs that are described by their members (<mcpw/described.h>):
 *
 *   described.c       what members may be, and the schema
 *   described_type.c  the tables by which the codec reads and writes such structs
 */
#ifndef MCPW_CODEC_DESCRIBED_H
#define MCPW_CODEC_DESCRIBED_H

#include <mcpw/described.h>

#include "kinds.h"

enum { MCPW_DESCRIBED_STRUCTS = 64 };

/* A struct, which is the first, and all that it refers to, each once. */
typedef struct mcpw_described_set {
    const mcpw_described *list[MCPW_DESCRIBED_STRUCTS];
    size_t count;
} mcpw_described_set;

/* Adds a struct and those that it has. Fails where a description cannot be that of its struct. */
MCPW_NODISCARD mcpw_status mcpw_described_collect(mcpw_described_set *all, const mcpw_described *type,
                                                  mcpw_error *error);

/* The kind by which the codec knows a value of a member's kind and size; MCPW_KIND_END: there is none. */
mcpw_kind mcpw_described_kind(mcpw_member_kind kind, size_t size);

/* Whether a member may be absent. */
bool mcpw_described_may_lack(const mcpw_described_member *m);

/* Values that an integer of a member's kind and size may have. */
typedef struct mcpw_member_range {
    int64_t least;
    int64_t most;
} mcpw_member_range;

mcpw_member_range mcpw_member_range_of(mcpw_member_kind kind, size_t size);

#endif
