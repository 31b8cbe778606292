/* SPDX-License-Identifier: MIT */
/* Structs that programs allocate, which begin with their size: see MCPW_SIZED in <mcpw/base.h>. */
#ifndef MCPW_SIZED_H
#define MCPW_SIZED_H

#include <mcpw/base.h>

/* Bytes of a program's struct that may be read. known: its size here; first: its size in version 1.0, which
 * struct_size 0 stands for. 0: the struct was not initialised, or asks for what is not known here. */
static inline size_t mcpw_sized_bytes(const void *given, size_t known, size_t first) {
    size_t size = 0;
    memcpy(&size, given, sizeof size);
    for (size_t i = known; i < size; i++) {
        /* A caller that sets a larger size has that many bytes. */
        if (((const char *)given)[i] != 0) { /* NOLINT(clang-analyzer-core.UndefinedBinaryOperatorResult) */
            return 0;
        }
    }
    if (size == 0) {
        return first;
    }
    if (size < sizeof size) {
        return 0;
    }
    return size < known ? size : known;
}

/* Copies a program's struct over the defaults in `own`. Members that it lacks keep them. given NULL: all do.
 */
static inline bool mcpw_sized_take(void *own, size_t known, size_t first, const void *given) {
    const size_t size = given != NULL ? mcpw_sized_bytes(given, known, first) : 0;
    if (size == 0) {
        return given == NULL;
    }
    memcpy(own, given, size);
    memcpy(own, &known, sizeof known);
    return true;
}

/* Bytes of a struct up to the end of a member: of its last one in version 1.0. */
#define MCPW_SIZED_FIRST(own, last) ((size_t)((const char *)(&(own)->last + 1) - (const char *)(own)))

/* mcpw_sized_take for the struct at `own`, whose last member in version 1.0 is `last`. */
#define MCPW_TAKE(own, last, given)                                                                          \
    mcpw_sized_take((own), sizeof *(own), MCPW_SIZED_FIRST(own, last), (given))

/* Whether an object that the library writes to has all its members and nothing unknown. `last` is its last
 * member, and that of version 1.0: a member that is appended makes the two differ. Padding behind it does not
 * count. */
#define MCPW_HAS_ALL(object, last)                                                                           \
    (mcpw_sized_bytes((object), sizeof *(object), MCPW_SIZED_FIRST(object, last)) >=                         \
     MCPW_SIZED_FIRST(object, last))

#endif
