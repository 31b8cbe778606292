/* SPDX-License-Identifier: MIT */
/* The order of the names of members. */
#include "names.h"

int mcpw_compare_names(const void *a, const void *b) {
    const mcpw_str *const x = a;
    const mcpw_str *const y = b;
    if (x->len != y->len) {
        return x->len < y->len ? -1 : 1;
    }
    return memcmp(x->ptr, y->ptr, x->len);
}
