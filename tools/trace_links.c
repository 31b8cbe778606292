/* SPDX-License-Identifier: MIT */
#include "trace_links.h"

#include <stdlib.h>
#include <string.h>

void links_init(links *l) {
    memset(l, 0, sizeof *l);
    l->key = hash_key_new();
}

void links_free(links *l) {
    free(l->table);
    free(l->buckets);
    l->table = NULL;
    l->buckets = NULL;
    l->used = l->at = 0;
}

static uint64_t hash_of(const links *l, const link_key *key) {
    const uint64_t parts[] = {(uint64_t)key->kind, key->conversation, key->side,
                              hash_bytes(&l->key, key->text.ptr, key->text.len)};
    return hash_bytes(&l->key, parts, sizeof parts);
}

static uint32_t *bucket_of(const links *l, uint64_t hash) { return &l->buckets[hash % MOST_LINKS]; }

static bool prepare(links *l) {
    if (l->table == NULL) {
        l->table = calloc(MOST_LINKS, sizeof *l->table);
        l->buckets = calloc(MOST_LINKS, sizeof *l->buckets);
        if (l->table == NULL || l->buckets == NULL) {
            links_free(l);
        }
    }
    return l->table != NULL;
}

/* Takes a place of the ring out of its bucket. */
static void forget(links *l, uint32_t place) {
    uint32_t *at = bucket_of(l, l->table[place].hash);
    while (*at != 0 && *at != place + 1) {
        at = &l->table[*at - 1].next;
    }
    if (*at != 0) {
        *at = l->table[place].next;
    }
}

void links_add(links *l, const link_key *key, uint64_t entry, uint32_t round) {
    if (!prepare(l)) {
        return;
    }
    if (l->used == MOST_LINKS) {
        forget(l, l->at);
    } else {
        l->used++;
    }
    trace_link *const one = &l->table[l->at];
    one->hash = hash_of(l, key);
    one->entry = entry;
    one->round = round;
    uint32_t *const bucket = bucket_of(l, one->hash);
    one->next = *bucket;
    *bucket = l->at + 1;
    l->at = (l->at + 1) % MOST_LINKS;
}

trace_link *links_find(links *l, const link_key *key) {
    if (l->table == NULL) {
        return NULL;
    }
    const uint64_t hash = hash_of(l, key);
    for (uint32_t at = *bucket_of(l, hash); at != 0; at = l->table[at - 1].next) {
        if (l->table[at - 1].hash == hash) {
            return &l->table[at - 1];
        }
    }
    return NULL;
}
