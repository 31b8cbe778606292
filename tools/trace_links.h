/* SPDX-License-Identifier: MIT */
/* A bounded memory of the messages that later ones refer to: by id, by progress token, by task, by the state
 * of a request. When it is full, the oldest is forgotten. */
#ifndef MCPWIRE_TRACE_LINKS_H
#define MCPWIRE_TRACE_LINKS_H

#include "hash.h"

#include <mcpw/base.h>

#include <stdbool.h>
#include <stdint.h>

enum { MOST_LINKS = 1 << 16 };

typedef enum link_kind { LINK_REQUEST, LINK_TOKEN, LINK_TASK, LINK_STATE, LINK_INPUT } link_kind;

/* The key of a message: its kind, and a text that is unique among those of its conversation and side. */
typedef struct link_key {
    link_kind kind;
    uint64_t conversation;
    unsigned side;
    mcpw_str text; /* JSON */
} link_key;

typedef struct trace_link {
    uint64_t hash; /* of the key; keyed, so that a peer cannot make two keys collide */
    uint64_t entry;
    uint32_t round;
    uint32_t next; /* in its bucket, plus 1; 0: none */
} trace_link;

typedef struct links {
    trace_link *table; /* a ring; NULL: nothing was remembered yet */
    uint32_t *buckets;
    hash_key key;
    uint32_t used;
    uint32_t at; /* the place of the next one */
} links;

void links_init(links *l);
void links_free(links *l);

/* Remembers an entry. Without memory it is not remembered. */
void links_add(links *l, const link_key *key, uint64_t entry, uint32_t round);

/* The newest entry with this key; NULL: none. Valid until the next change. An entry number of 0 marks one
 * that was used up. */
trace_link *links_find(links *l, const link_key *key);

#endif
