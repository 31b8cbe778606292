/* SPDX-License-Identifier: MIT */
/* Memory: a pluggable allocator, an arena for decoded values, a growing output buffer. A library that was
 * built with MCPW_WITH_MALLOC=OFF allocates only by the caller's allocator. */
#ifndef MCPW_ARENA_H
#define MCPW_ARENA_H

#include <mcpw/base.h>
#include <mcpw/error.h>

MCPW_BEGIN_DECLS

/* An allocator has one function, which works like realloc: new_size 0 frees ptr, ptr NULL allocates. Returned
 * memory is aligned for any type. NULL for a non-zero size means a failed allocation, which the library
 * reports as MCPW_E_MEMORY. */
typedef struct mcpw_allocator {
    void *(*resize)(void *user, void *ptr, size_t old_size, size_t new_size); /* NULL: malloc and free */
    void *user;                                                               /* passed to resize */
} mcpw_allocator;

/* Allocates, resizes or frees memory, as the library itself does: by the allocator's function, or by realloc
 * and free if it has none. ptr NULL allocates, new_size 0 frees. old_size is the size that ptr was allocated
 * with. Returns NULL if memory runs out.
 */
MCPW_API void *mcpw_resize(const mcpw_allocator *allocator, void *ptr, size_t old_size, size_t new_size);

/* A bump allocator. mcpw_arena_reset frees everything that was decoded into it at once, and keeps the memory
 * for the next message. So a steady load allocates nothing. Two threads must not use an arena at once. */
typedef struct mcpw_arena {
    size_t struct_size;             /* set by MCPW_ARENA_INIT */
    unsigned char *next;            /* first free byte of the current block */
    unsigned char *end;             /* end of the current block */
    struct mcpw_arena_block *block; /* current block; it links to the earlier ones */
    size_t total;                   /* bytes in all blocks */
    size_t limit;                   /* the most bytes of all blocks; 0: MCPW_ARENA_DEFAULT_LIMIT */
    mcpw_allocator allocator;       /* resize NULL: malloc and free */
    mcpw_status status;             /* of the last failed allocation: MCPW_E_ARENA or MCPW_E_MEMORY */
} mcpw_arena;

/* The default limit of an arena: 1 GiB. */
#define MCPW_ARENA_DEFAULT_LIMIT (MCPW_CAST(size_t, 1) << 30)

/* An empty arena that uses malloc and the default limit. */
#define MCPW_ARENA_INIT MCPW_SIZED(mcpw_arena)

/* Frees every value in the arena and keeps its memory. The memory is merged into one block, so that the next
 * message of this size needs no allocation. */
MCPW_API void mcpw_arena_reset(mcpw_arena *arena);

/* Frees all memory. The arena is empty and usable again. */
MCPW_API void mcpw_arena_free(mcpw_arena *arena);

/* Initialises an arena over `size` bytes of the caller's memory, without an allocator. The former contents of
 * the struct do not matter. A value that does not fit fails with MCPW_E_ARENA. mcpw_arena_reset keeps the
 * memory, mcpw_arena_free detaches it. MCPW_E_ARGUMENT if the memory is too small to be useful. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_arena_use(mcpw_arena *arena, void *memory, size_t size);

/* Allocates size bytes, aligned for any type and not initialised. Returns NULL if memory runs out or the
 * limit is reached. */
MCPW_NODISCARD MCPW_API void *mcpw_arena_alloc(mcpw_arena *arena, size_t size);

/* A place in an arena. Everything after it can be freed. */
typedef struct mcpw_mark {
    struct mcpw_arena_block *block; /* the library's own */
    unsigned char *next;            /* likewise */
} mcpw_mark;

/* The current place of the arena. It is valid until the arena is rewound to an earlier place, reset or freed.
 */
static inline mcpw_mark mcpw_arena_mark(const mcpw_arena *arena) {
    mcpw_mark mark;
    mark.block = arena->block;
    mark.next = arena->next;
    return mark;
}

/* The bytes in use: those of all blocks except the free part of the current one. */
static inline size_t mcpw_arena_used(const mcpw_arena *arena) {
    return arena->total - (arena->end != NULL ? MCPW_CAST(size_t, arena->end - arena->next) : 0);
}

/* Frees every value that was allocated after the mark, and keeps the memory for later values. */
MCPW_API void mcpw_arena_rewind(mcpw_arena *arena, mcpw_mark mark);

/* A NUL-terminated copy of text in the arena; absent if memory runs out or text is absent. */
MCPW_NODISCARD MCPW_API mcpw_str mcpw_arena_str(mcpw_arena *arena, const char *text, size_t len);

/* Output text that grows as it is written. data is not NUL-terminated. Reuse it by setting len to 0. */
typedef struct mcpw_buffer {
    size_t struct_size;       /* set by MCPW_BUFFER_INIT */
    char *data;               /* the text; NULL before anything was written */
    size_t len;               /* bytes written */
    size_t capacity;          /* bytes of room in data */
    mcpw_allocator allocator; /* resize NULL: malloc and free */
} mcpw_buffer;

/* An empty buffer that uses malloc. */
#define MCPW_BUFFER_INIT MCPW_SIZED(mcpw_buffer)

/* Makes room for more bytes beyond len. MCPW_E_MEMORY if memory runs out; then nothing has changed.
 * MCPW_E_ARGUMENT: struct_size is wrong. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_buffer_reserve(mcpw_buffer *buffer, size_t more);

/* Appends bytes unchanged. They must not lie in the buffer. Errors as for mcpw_buffer_reserve. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_buffer_append(mcpw_buffer *buffer, const void *bytes, size_t len);

/* Frees the memory. The buffer is empty and usable again. */
MCPW_API void mcpw_buffer_free(mcpw_buffer *buffer);

/* Initialises a buffer over `size` bytes of the caller's memory, without an allocator. The former contents of
 * the struct do not matter. Text that does not fit fails with MCPW_E_MEMORY. The encoder asks for 1 KiB more
 * than it writes. It has no working memory then: a map of more than 8 entries, and a raw value with a shape
 * that is not sealed, fail with MCPW_E_MEMORY as well. */
MCPW_API void mcpw_buffer_use(mcpw_buffer *buffer, void *memory, size_t size);

/* A buffer in the memory of an arena; it is not freed. When it grows, its old memory stays in use until the
 * arena is reset. If a write fails because memory runs out, arena->status is MCPW_E_ARENA or MCPW_E_MEMORY.
 */
MCPW_API mcpw_buffer mcpw_buffer_in(mcpw_arena *arena);

/* Ends such a buffer and returns its text, which lives as long as the arena. Unused room returns to the
 * arena. */
MCPW_API mcpw_json mcpw_buffer_take(mcpw_buffer *buffer);

MCPW_END_DECLS

#endif
