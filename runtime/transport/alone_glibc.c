/* SPDX-License-Identifier: MIT */
/* Whether this process has one thread, as glibc knows it. */
#include "transport_internal.h"

#include <sys/single_threaded.h>

bool mcpw_is_alone(void) { return __libc_single_threaded != 0; }
