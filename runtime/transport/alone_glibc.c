/* SPDX-License-Identifier: MIT */
/* glibc knows whether the process has a single thread. */
#include "transport_internal.h"

#include <sys/single_threaded.h>

bool mcpw_is_alone(void) { return __libc_single_threaded != 0; }
