/* SPDX-License-Identifier: MIT */
/* The same where the C library does not tell: there may always be another thread. */
#include "transport_internal.h"

bool mcpw_is_alone(void) { return false; }
