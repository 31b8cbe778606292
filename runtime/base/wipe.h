/* SPDX-License-Identifier: MIT */
/* Wiping secrets without a function of one system. */
#ifndef MCPW_BASE_WIPE_H
#define MCPW_BASE_WIPE_H

#include <string.h>

/* Sets memory to zero, also where it is not read again. A compiler cannot leave the call out, because it does
 * not know the function. */
static inline void mcpw_wipe(void *bytes, size_t size) {
    void *(*const volatile wipe)(void *, int, size_t) = memset;
    (void)wipe(bytes, 0, size);
}

#endif
