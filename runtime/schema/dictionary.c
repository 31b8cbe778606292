/* SPDX-License-Identifier: MIT */
/*
 * A crit-bit tree: each fork names the first bit in which the keys below it differ, and forks further down
 * name later bits. A look-up therefore tests at most the bits of its key, whichever other keys there are: no
 * choice of names makes it slow, as names that collide make a hash table.
 *
 * The key of an entry is its room, the length of its text and the text, in this order, so that no key is the
 * beginning of another one.
 */
#include "compiler.h"

enum { ROOM_BYTES = 8, LEN_BYTES = 4, HEAD_BYTES = ROOM_BYTES + LEN_BYTES, BYTE_BITS = 8, BYTE_MASK = 255 };

typedef mcpw_schema_entry entry;

/* A link leads to a fork, or to an entry where its lowest bit is set. */
typedef struct fork {
    uint32_t at;       /* the byte of the key, */
    uint32_t bit;      /* and the bit in it, as a mask */
    uint32_t links[2]; /* where that bit is 0, and where it is 1 */
} fork;

const size_t mcpw_fork_size = sizeof(fork);

static bool is_entry(uint32_t link) { return (link & 1U) != 0; }

static entry *entry_at(const mcpw_compiler *c, uint32_t link) {
    return mcpw_row_at(c, MCPW_TABLE_ENTRIES, link >> 1);
}

static fork *fork_at(const mcpw_compiler *c, uint32_t link) {
    return mcpw_row_at(c, MCPW_TABLE_FORKS, link >> 1);
}

static unsigned byte_at(uint64_t room, mcpw_str text, size_t at) {
    if (at < ROOM_BYTES) {
        return (unsigned)(room >> BYTE_BITS * (ROOM_BYTES - 1 - at)) & BYTE_MASK;
    }
    if (at < HEAD_BYTES) {
        return (unsigned)(text.len >> BYTE_BITS * (HEAD_BYTES - 1 - at)) & BYTE_MASK;
    }
    return at - HEAD_BYTES < text.len ? (unsigned char)text.ptr[at - HEAD_BYTES] : 0;
}

/* The one entry that may have this key. There is an entry. */
static entry *nearest(const mcpw_compiler *c, uint64_t room, mcpw_str text) {
    uint32_t link = c->entries_root;
    while (!is_entry(link)) {
        const fork *const f = fork_at(c, link);
        link = f->links[(byte_at(room, text, f->at) & f->bit) != 0];
    }
    return entry_at(c, link);
}

uint32_t mcpw_look_up(const mcpw_compiler *c, uint64_t room, mcpw_str text) {
    if (c->tables[MCPW_TABLE_ENTRIES].count == 0) {
        return MCPW_NO_ENTRY;
    }
    const entry *const e = nearest(c, room, text);
    return e->room == room && mcpw_str_equal(e->text, text) ? e->value : MCPW_NO_ENTRY;
}

/* The first byte in which the key differs from that of an entry, which is another one. */
static size_t difference(const entry *e, uint64_t room, mcpw_str text) {
    size_t at = 0;
    if (e->room == room && e->text.len == text.len) {
        at = HEAD_BYTES;
    }
    while (byte_at(e->room, e->text, at) == byte_at(room, text, at)) {
        at++;
    }
    return at;
}

static unsigned highest_bit(unsigned bits) {
    unsigned bit = 1;
    while (bit * 2 <= bits) {
        bit *= 2;
    }
    return bit;
}

/* Hangs a new entry into the tree, at the bit in which it differs from the nearest one. */
static void hang(mcpw_compiler *c, const entry *made, size_t at, unsigned bit) {
    const unsigned side = (byte_at(made->room, made->text, at) & bit) != 0;
    fork f = {(uint32_t)at, bit, {0, 0}}; /* texts are shorter than 4 GiB */
    const uint32_t number = mcpw_add_row(c, MCPW_TABLE_FORKS, &f);
    f.links[side] = mcpw_add_row(c, MCPW_TABLE_ENTRIES, made) << 1 | 1U;
    if (mcpw_failed(c)) {
        return;
    }
    uint32_t *link = &c->entries_root;
    while (!is_entry(*link)) {
        fork *const next = fork_at(c, *link);
        if (next->at > at || (next->at == at && next->bit < bit)) {
            break;
        }
        link = next->links + ((byte_at(made->room, made->text, next->at) & next->bit) != 0);
    }
    f.links[1 - side] = *link;
    *fork_at(c, number << 1) = f;
    *link = number << 1;
}

mcpw_schema_entry *mcpw_enter(mcpw_compiler *c, uint64_t room, mcpw_str text, uint32_t value) {
    const entry made = {room, text, value};
    const uint32_t number = c->tables[MCPW_TABLE_ENTRIES].count;
    if (number == 0) {
        (void)mcpw_add_row(c, MCPW_TABLE_ENTRIES, &made);
        c->entries_root = 1;
    } else {
        entry *const e = nearest(c, room, text);
        if (e->room == room && mcpw_str_equal(e->text, text)) {
            return e;
        }
        const size_t at = difference(e, room, text);
        const unsigned bits = byte_at(e->room, e->text, at) ^ byte_at(room, text, at);
        hang(c, &made, at, highest_bit(bits));
    }
    return mcpw_failed(c) ? NULL : entry_at(c, number << 1);
}
