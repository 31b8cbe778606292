/* SPDX-License-Identifier: MIT */
#include "pool.h"

#include <stdint.h>
#include <string.h>

enum { ALIGNMENT = 8 };

static size_t piece_size(size_t size) {
    const size_t rounded = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    return rounded < sizeof(pool_piece) ? sizeof(pool_piece) : rounded;
}

void pool_open(pool *p, void *block, size_t size) {
    p->free = block;
    p->free->size = size & ~(size_t)(ALIGNMENT - 1);
    p->free->next = NULL;
    p->used = 0;
    p->most = 0;
}

static void *take(pool *p, size_t size) {
    for (pool_piece **at = &p->free; *at != NULL; at = &(*at)->next) {
        pool_piece *const found = *at;
        if (found->size < size) {
            continue;
        }
        if (found->size - size >= sizeof(pool_piece)) { /* the rest stays free */
            pool_piece *const rest = (pool_piece *)(void *)((unsigned char *)found + size);
            rest->size = found->size - size;
            rest->next = found->next;
            *at = rest;
        } else {
            size = found->size;
            *at = found->next;
        }
        p->used += size;
        p->most = p->used > p->most ? p->used : p->most;
        return found;
    }
    return NULL;
}

static bool touch(const pool_piece *low, const pool_piece *high) {
    return (uintptr_t)low + low->size == (uintptr_t)high;
}

/* Joins a piece with its free neighbours. */
static void give_back(pool *p, void *ptr, size_t size) {
    pool_piece *const piece = ptr;
    pool_piece *before = NULL;
    pool_piece *after = p->free;
    while (after != NULL && after < piece) {
        before = after;
        after = after->next;
    }
    p->used -= size;
    piece->size = size;
    piece->next = after;
    if (after != NULL && touch(piece, after)) {
        piece->size += after->size;
        piece->next = after->next;
    }
    if (before == NULL) {
        p->free = piece;
    } else if (touch(before, piece)) {
        before->size += piece->size;
        before->next = piece->next;
    } else {
        before->next = piece;
    }
}

void *pool_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    pool *const p = user;
    void *moved = NULL;
    if (new_size > SIZE_MAX - ALIGNMENT ||
        (ptr != NULL && new_size != 0 && piece_size(new_size) == piece_size(old_size))) {
        return new_size > SIZE_MAX - ALIGNMENT ? NULL : ptr;
    }
    if (new_size != 0) {
        moved = take(p, piece_size(new_size));
        if (moved == NULL) {
            return NULL;
        }
        if (ptr != NULL) {
            memcpy(moved, ptr, old_size < new_size ? old_size : new_size);
        }
    }
    if (ptr != NULL) {
        give_back(p, ptr, piece_size(old_size));
    }
    return moved;
}
