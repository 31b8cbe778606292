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

/* The facts about the C values of a kind. */
typedef struct mcpw_member_facts {
    uint8_t size;  /* bytes; 0: it has several sizes, or that of its struct */
    uint8_t plain; /* the kind of the value inside: of an optional integer, an integer */
    uint8_t
        inside; /* where that stands, behind the bool that says whether it is there; 0: there is no such */
    uint8_t absent; /* bytes at the beginning that are zero if the value is absent; 0: it never is */
} mcpw_member_facts;

const mcpw_member_facts *mcpw_member_facts_of(mcpw_member_kind kind);

/* Whether a member may be absent. */
bool mcpw_member_may_lack(const mcpw_described_member *m);

/* Whether the description can be that of the member. It says so in error where not. */
MCPW_NODISCARD mcpw_status mcpw_member_check(const mcpw_described_member *m, mcpw_error *error);

#endif
