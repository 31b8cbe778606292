/* SPDX-License-Identifier: MIT */
/* Structs that are described by their members (<mcpw/described.h>). */
#ifndef MCPW_SCHEMA_DESCRIBED_H
#define MCPW_SCHEMA_DESCRIBED_H

#include <mcpw/described.h>

/* Values that an integer of a member's kind and size may have. */
typedef struct mcpw_member_range {
    int64_t least;
    int64_t most;
} mcpw_member_range;

mcpw_member_range mcpw_member_range_of(mcpw_member_kind kind, size_t size);

/* The size of a value of a kind; 0: it has several, or that of its struct. */
size_t mcpw_member_size(mcpw_member_kind kind);

/* Whether a member may be absent. */
bool mcpw_member_may_lack(const mcpw_described_member *m);

/* Whether the description can be that of the member. It says so in error where not. */
MCPW_NODISCARD mcpw_status mcpw_member_check(const mcpw_described_member *m, mcpw_error *error);

#endif
