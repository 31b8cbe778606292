/* SPDX-License-Identifier: MIT */
/* Structs of options that callers allocate, which begin with their size. */
#ifndef MCPW_TRANSPORT_OPTIONS_H
#define MCPW_TRANSPORT_OPTIONS_H

#include <mcpw/error.h>

/* Copies the caller's options over the defaults in `own`, whose size is known here. A smaller struct is of an
 * older header: the members that it lacks keep their defaults. A larger one is of a newer header. False where
 * it asks for something that this library does not know, or was not initialised. `given` may be NULL. */
static inline bool mcpw_options_take(void *own, size_t known, const void *given) {
    size_t size = 0;
    if (given == NULL) {
        return true;
    }
    memcpy(&size, given, sizeof size);
    for (size_t i = known; i < size; i++) {
        if (((const char *)given)[i] != 0) {
            return false;
        }
    }
    if (size < sizeof size) {
        return false;
    }
    memcpy(own, given, size < known ? size : known);
    memcpy(own, &known, sizeof known);
    return true;
}

#endif
