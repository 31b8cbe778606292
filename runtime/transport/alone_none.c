/* SPDX-License-Identifier: MIT */
/* Other C libraries do not report the number of threads, so there may always be another one. */
#include "transport_internal.h"

bool mcpw_is_alone(void) { return false; }
