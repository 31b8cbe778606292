/* SPDX-License-Identifier: MIT */
/* Arenas, buffers and allocators: <mcpw/arena.h>. */
#include "arena_internal.h"

enum {
    ARENA_FIRST_BLOCK = MCPW_COMPACT ? 256 : 4096,
    ARENA_MAX_GROWTH = 1 << 24,
    BUFFER_FIRST = MCPW_COMPACT ? 64 : 256
};

typedef struct mcpw_arena_block {
    struct mcpw_arena_block *prev; /* older */
    struct mcpw_arena_block *next; /* newer, or spare when this is the current one */
    size_t size;                   /* bytes of the whole block, this header included */
} mcpw_arena_block;

/* Room for the header and for aligning what an allocator of weaker alignment returns. */
enum {
    BLOCK_OVERHEAD =
        (sizeof(mcpw_arena_block) + 2 * MCPW_ARENA_ALIGN - 1) / MCPW_ARENA_ALIGN * MCPW_ARENA_ALIGN
};

const mcpw_nothing mcpw_empty = {0};

static size_t arena_limit(const mcpw_arena *arena) {
    return arena->limit != 0 ? arena->limit : MCPW_ARENA_DEFAULT_LIMIT;
}

/* Bytes from there to the next aligned place. */
static size_t misaligned(const void *at) { return (size_t)(0 - (uintptr_t)at) % MCPW_ARENA_ALIGN; }

static unsigned char *block_begin(mcpw_arena_block *block) {
    unsigned char *const bytes = (unsigned char *)block + sizeof(mcpw_arena_block);
    return bytes + misaligned(bytes);
}

static size_t block_room(mcpw_arena_block *block) {
    const size_t header = (size_t)(block_begin(block) - (unsigned char *)block);
    return (block->size - header) / MCPW_ARENA_ALIGN * MCPW_ARENA_ALIGN;
}

/* Makes an empty block the current one. */
static void use_block(mcpw_arena *arena, mcpw_arena_block *block) {
    arena->block = block;
    arena->next = block_begin(block);
    arena->end = arena->next + block_room(block);
}

static void release_block(mcpw_arena *arena, mcpw_arena_block *block) {
    arena->total -= block->size;
    (void)mcpw_resize(&arena->allocator, block, block->size, 0);
}

static mcpw_arena_block *first_block(const mcpw_arena *arena) {
    mcpw_arena_block *block = arena->block;
    while (block != NULL && block->prev != NULL) {
        block = block->prev;
    }
    return block;
}

/* Frees the block and all newer ones. */
static void release_from(mcpw_arena *arena, mcpw_arena_block *block) {
    while (block != NULL) {
        mcpw_arena_block *const next = block->next;
        release_block(arena, block);
        block = next;
    }
}

static void release_spare(mcpw_arena *arena) {
    if (arena->block != NULL) {
        release_from(arena, arena->block->next);
        arena->block->next = NULL;
    }
}

/* Makes a block of that many bytes, not linked to the others; NULL when the limit or memory runs out. */
static mcpw_arena_block *new_block(mcpw_arena *arena, size_t bytes) {
    const size_t limit = arena_limit(arena);
    mcpw_arena_block *block;
    arena->status = MCPW_E_ARGUMENT;
    if (!MCPW_HAS_ALL(arena, status)) {
        return NULL;
    }
    arena->status = MCPW_E_ARENA;
    if (arena->total > limit || bytes > limit - arena->total) {
        return NULL;
    }
    arena->status = MCPW_E_MEMORY;
    block = mcpw_resize(&arena->allocator, NULL, 0, bytes);
    if (block != NULL) {
        arena->status = MCPW_OK;
        block->prev = NULL;
        block->next = NULL;
        block->size = bytes;
        arena->total += bytes;
    }
    return block;
}

/* Puts the block after the current one, before the spare ones. */
static void link_block(mcpw_arena *arena, mcpw_arena_block *block) {
    mcpw_arena_block *const current = arena->block;
    if (current == NULL) {
        return;
    }
    block->prev = current;
    block->next = current->next;
    if (block->next != NULL) {
        block->next->prev = block;
    }
    current->next = block;
}

/* Takes a spare block with that much room out of the list; NULL when there is none. */
static mcpw_arena_block *take_spare(mcpw_arena *arena, size_t size) {
    mcpw_arena_block *block = arena->block != NULL ? arena->block->next : NULL;
    while (block != NULL && block_room(block) < size) {
        block = block->next;
    }
    if (block != NULL) {
        block->prev->next = block->next;
        if (block->next != NULL) {
            block->next->prev = block->prev;
        }
    }
    return block;
}

/* How large a new block should be: as large as all the others together, within limits, so that sizes double.
 */
static size_t growth(const mcpw_arena *arena, size_t least) {
    const size_t limit = arena_limit(arena);
    size_t bytes = arena->total < ARENA_FIRST_BLOCK ? ARENA_FIRST_BLOCK : arena->total;
    if (bytes > ARENA_MAX_GROWTH) {
        bytes = ARENA_MAX_GROWTH;
    }
    if (arena->total < limit && bytes > limit - arena->total) {
        bytes = limit - arena->total;
    }
    return bytes < least ? least : bytes;
}

/* Makes a block with room for size bytes the current one. */
static bool add_block(mcpw_arena *arena, size_t size) {
    const size_t least = size + BLOCK_OVERHEAD;
    mcpw_arena_block *block = take_spare(arena, size);
    if (block == NULL) {
        block = new_block(arena, growth(arena, least));
    }
    if (block == NULL) {
        release_spare(arena);
        block = new_block(arena, least);
    }
    if (block == NULL) {
        return false;
    }
    link_block(arena, block);
    use_block(arena, block);
    return true;
}

MCPW_NOINLINE void *mcpw_arena_bump_slow(mcpw_arena *arena, size_t size) {
    if (size > SIZE_MAX - 2 * BLOCK_OVERHEAD) {
        arena->status = MCPW_E_ARENA;
        return NULL;
    }
    size = size != 0 ? mcpw_arena_round(size) : MCPW_ARENA_ALIGN;
    if (!mcpw_arena_fits(arena, size) && !add_block(arena, size)) {
        return NULL;
    }
    unsigned char *const at = arena->next;
    arena->next += size;
    return at;
}

void mcpw_arena_rewind(mcpw_arena *arena, mcpw_mark mark) {
    if (mark.block == arena->block) {
        arena->next = mark.next;
    } else if (mark.block == NULL) { /* the arena was empty: its oldest block is the current one again */
        use_block(arena, first_block(arena));
    } else {
        use_block(arena, mark.block);
        arena->next = mark.next;
    }
}

/* Puts one empty block in the place of several. */
static MCPW_NOINLINE void merge_blocks(mcpw_arena *arena) {
    const size_t all = arena->total;
    mcpw_arena_free(arena);
    arena->block = new_block(arena, all);
    if (arena->block != NULL) { /* without it an empty arena is as good, only slower */
        use_block(arena, arena->block);
    }
}

void mcpw_arena_reset(mcpw_arena *arena) {
    mcpw_arena_block *const block = arena->block;
    if (block == NULL) {
        return;
    }
    if (MCPW_LIKELY(block->prev == NULL && block->next == NULL)) { /* one block: its end stays where it is */
        arena->next = block_begin(block);
        return;
    }
    merge_blocks(arena);
}

void mcpw_arena_free(mcpw_arena *arena) {
    release_from(arena, first_block(arena));
    arena->block = NULL;
    arena->next = NULL;
    arena->end = NULL;
    arena->total = 0;
}

/* The allocator of memory that the caller has given: it has no more, and keeps what is given back. */
static void *keep(void *user, void *ptr, size_t old_size, size_t new_size) {
    (void)user;
    (void)ptr;
    (void)old_size;
    (void)new_size;
    return NULL;
}

mcpw_status mcpw_arena_use(mcpw_arena *arena, void *memory, size_t size) {
    static const mcpw_arena empty = MCPW_ARENA_INIT;
    const size_t skipped = misaligned(memory);
    if (memory == NULL || size < skipped + 2 * BLOCK_OVERHEAD) {
        return MCPW_E_ARGUMENT;
    }
    mcpw_arena_block *const block = (mcpw_arena_block *)(void *)((unsigned char *)memory + skipped);
    block->prev = NULL;
    block->next = NULL;
    block->size = size - skipped;
    *arena = empty;
    arena->allocator.resize = keep;
    arena->total = block->size;
    arena->limit = block->size;
    use_block(arena, block);
    return MCPW_OK;
}

void *mcpw_arena_alloc(mcpw_arena *arena, size_t size) { return mcpw_arena_bump(arena, size); }

mcpw_str mcpw_arena_str(mcpw_arena *arena, const char *text, size_t len) {
    mcpw_str out = {NULL, 0};
    char *copy;
    if (text == NULL) {
        return out;
    }
    copy =
        mcpw_arena_bump(arena, len < SIZE_MAX ? len + 1 : len); /* a length of SIZE_MAX fails, as it should */
    if (copy == NULL) {
        return out;
    }
    if (len != 0) {
        memcpy(copy, text, len);
    }
    copy[len] = '\0';
    out.ptr = copy;
    out.len = len;
    return out;
}

mcpw_status mcpw_buffer_reserve(mcpw_buffer *buffer, size_t more) {
    size_t capacity;
    char *data;
    if (more <= buffer->capacity - buffer->len) {
        return MCPW_OK;
    }
    if (!MCPW_HAS_ALL(buffer, allocator)) {
        return MCPW_E_ARGUMENT;
    }
    if (more > SIZE_MAX / 4 || buffer->len > SIZE_MAX / 4) {
        return MCPW_E_MEMORY;
    }
    capacity = buffer->len + more;
    if (capacity < buffer->capacity + buffer->capacity / 2) {
        capacity = buffer->capacity + buffer->capacity / 2;
    }
    if (capacity < BUFFER_FIRST) {
        capacity = BUFFER_FIRST;
    }
    data = mcpw_resize(&buffer->allocator, buffer->data, buffer->capacity, capacity);
    if (data == NULL) {
        return MCPW_E_MEMORY;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return MCPW_OK;
}

mcpw_status mcpw_buffer_append(mcpw_buffer *buffer, const void *bytes, size_t len) {
    const mcpw_status status = mcpw_buffer_reserve(buffer, len);
    if (status == MCPW_OK && len != 0) {
        memcpy(buffer->data + buffer->len, bytes, len);
        buffer->len += len;
    }
    return status;
}

void mcpw_buffer_free(mcpw_buffer *buffer) {
    if (buffer->data != NULL) {
        (void)mcpw_resize(&buffer->allocator, buffer->data, buffer->capacity, 0);
    }
    buffer->data = NULL;
    buffer->len = 0;
    buffer->capacity = 0;
}

void mcpw_buffer_use(mcpw_buffer *buffer, void *memory, size_t size) {
    static const mcpw_buffer empty = MCPW_BUFFER_INIT;
    *buffer = empty;
    buffer->data = memory;
    buffer->capacity = size;
    buffer->allocator.resize = keep;
}

void *mcpw_resize_in_arena(void *user, void *ptr, size_t old_size, size_t new_size) {
    mcpw_arena *const arena = user;
    void *fresh;
    if (new_size == 0) {
        return NULL;
    }
    fresh = mcpw_arena_bump(arena, new_size);
    if (fresh != NULL && ptr != NULL) {
        memcpy(fresh, ptr, old_size < new_size ? old_size : new_size);
    }
    return fresh;
}

mcpw_buffer mcpw_buffer_in(mcpw_arena *arena) {
    mcpw_buffer buffer = MCPW_BUFFER_INIT;
    buffer.allocator.resize = mcpw_resize_in_arena;
    buffer.allocator.user = arena;
    return buffer;
}

mcpw_json mcpw_buffer_take(mcpw_buffer *buffer) {
    const mcpw_json text = {buffer->data, buffer->len, 0};
    mcpw_arena *const arena = buffer->allocator.user;
    unsigned char *const data = (unsigned char *)buffer->data;
    /* The buffer is the newest thing in the arena: the room that it did not need goes back. */
    if (data != NULL && data + mcpw_arena_round(buffer->capacity) == arena->next) {
        arena->next = data + mcpw_arena_round(buffer->len);
    }
    buffer->data = NULL;
    buffer->len = 0;
    buffer->capacity = 0;
    return text;
}
