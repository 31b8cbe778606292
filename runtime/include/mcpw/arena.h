/* SPDX-License-Identifier: MIT */
/* Memory: a pluggable allocator, an arena that decoded values live in, a growing output buffer. In a library
 * that was built with MCPW_WITH_MALLOC=OFF there is no allocation but by the allocator that is given. */
#ifndef MCPW_ARENA_H
#define MCPW_ARENA_H

#include <mcpw/base.h>
#include <mcpw/error.h>

MCPW_BEGIN_DECLS

/* One function serves all needs, as realloc does: new_size 0 frees ptr, ptr NULL allocates. Returned
 * memory is aligned for any type. Returning NULL for a non-zero size is a failed allocation, which the
 * library reports as MCPW_E_MEMORY. */
typedef struct mcpw_allocator {
    void *(*resize)(void *user, void *ptr, size_t old_size, size_t new_size); /* NULL: malloc and free */
    void *user;                                                               /* passed to resize */
} mcpw_allocator;

/* Memory by an allocator, as the library itself asks for it: its function, or realloc and free where it has
 * none. ptr NULL allocates, new_size 0 frees; old_size is what ptr was allocated with. NULL without memory.
 */
MCPW_API void *mcpw_resize(const mcpw_allocator *allocator, void *ptr, size_t old_size, size_t new_size);

/* A bump allocator. Everything that was decoded into it goes at once, by mcpw_arena_reset, which keeps
 * the memory for the next message: a steady load allocates nothing. Not for use by two threads at once. */
typedef struct mcpw_arena {
    size_t struct_size;             /* set by MCPW_ARENA_INIT */
    unsigned char *next;            /* first free byte of the current block */
    unsigned char *end;             /* end of the current block */
    struct mcpw_arena_block *block; /* current block, which links to the earlier ones */
    size_t total;                   /* bytes in all blocks */
    size_t limit;                   /* most bytes that all blocks may have; 0: MCPW_ARENA_DEFAULT_LIMIT */
    mcpw_allocator allocator;       /* resize NULL: malloc and free */
    mcpw_status status;             /* why the last failed allocation failed: MCPW_E_ARENA or MCPW_E_MEMORY */
} mcpw_arena;

/* Most bytes of an arena that sets no limit: 1 GiB. */
#define MCPW_ARENA_DEFAULT_LIMIT (MCPW_CAST(size_t, 1) << 30)

/* An empty arena that uses malloc and the default limit. */
#define MCPW_ARENA_INIT MCPW_SIZED(mcpw_arena)

/* Forgets every value in the arena and keeps its memory (merged into one block, so that the next message
 * of this size needs no allocation). */
MCPW_API void mcpw_arena_reset(mcpw_arena *arena);

/* Gives all memory back; the arena is empty and usable again. */
MCPW_API void mcpw_arena_free(mcpw_arena *arena);

/* Makes an arena, whatever was in it, one over `size` bytes of the caller's memory, without an allocator:
 * what does not fit is MCPW_E_ARENA. mcpw_arena_reset keeps the memory, mcpw_arena_free forgets it.
 * MCPW_E_ARGUMENT when there is hardly room for anything. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_arena_use(mcpw_arena *arena, void *memory, size_t size);

/* size bytes aligned for any type, not initialised; NULL when memory or the limit runs out. */
MCPW_NODISCARD MCPW_API void *mcpw_arena_alloc(mcpw_arena *arena, size_t size);

/* A place in an arena: what stands behind it can be given back. */
typedef struct mcpw_mark {
    struct mcpw_arena_block *block; /* the library's own */
    unsigned char *next;            /* likewise */
} mcpw_mark;

/* The place that the arena has reached. It holds until the arena is rewound to an earlier one, reset or
 * freed. */
static inline mcpw_mark mcpw_arena_mark(const mcpw_arena *arena) {
    mcpw_mark mark;
    mark.block = arena->block;
    mark.next = arena->next;
    return mark;
}

/* The bytes in use: those of all blocks, but for what is free in the current one. */
static inline size_t mcpw_arena_used(const mcpw_arena *arena) {
    return arena->total - (arena->end != NULL ? MCPW_CAST(size_t, arena->end - arena->next) : 0);
}

/* Forgets every value that was allocated after the mark, and keeps the memory for what comes. */
MCPW_API void mcpw_arena_rewind(mcpw_arena *arena, mcpw_mark mark);

/* A NUL-terminated copy of text in the arena; absent when memory runs out or text is absent. */
MCPW_NODISCARD MCPW_API mcpw_str mcpw_arena_str(mcpw_arena *arena, const char *text, size_t len);

/* Output text that grows as it is written. data is not NUL-terminated. Reuse it by setting len to 0. */
typedef struct mcpw_buffer {
    size_t struct_size;       /* set by MCPW_BUFFER_INIT */
    char *data;               /* the text; NULL before anything was written */
    size_t len;               /* bytes written */
    size_t capacity;          /* bytes that data has room for */
    mcpw_allocator allocator; /* resize NULL: malloc and free */
} mcpw_buffer;

/* An empty buffer that uses malloc. */
#define MCPW_BUFFER_INIT MCPW_SIZED(mcpw_buffer)

/* Makes room for more bytes beyond len. MCPW_E_MEMORY, and nothing changed, when there is none.
 * MCPW_E_ARGUMENT: struct_size is wrong. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_buffer_reserve(mcpw_buffer *buffer, size_t more);

/* Appends bytes as they are. As mcpw_buffer_reserve. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_buffer_append(mcpw_buffer *buffer, const void *bytes, size_t len);

/* Gives the memory back; the buffer is empty and usable again. */
MCPW_API void mcpw_buffer_free(mcpw_buffer *buffer);

/* Makes a buffer, whatever was in it, one over `size` bytes of the caller's memory, without an allocator:
 * what does not fit is MCPW_E_MEMORY. The encoder asks for 1 KiB more than it writes. */
MCPW_API void mcpw_buffer_use(mcpw_buffer *buffer, void *memory, size_t size);

/* A buffer whose memory is an arena's: it is not freed. What it outgrows stays behind until the arena is
 * reset. When writing to it fails for memory, arena->status tells which kind. */
MCPW_API mcpw_buffer mcpw_buffer_in(mcpw_arena *arena);

/* Ends such a buffer and gives its text, which lives as long as the arena. Room that it did not need goes
 * back. */
MCPW_API mcpw_json mcpw_buffer_take(mcpw_buffer *buffer);

MCPW_END_DECLS

#endif
