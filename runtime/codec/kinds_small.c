/* SPDX-License-Identifier: MIT */
/* The only copies of the functions of kinds.h, where size counts. */
#include "kinds.h"

extern inline bool mcpw_is_present(const mcpw_revision *revision, mcpw_ref ref, const unsigned char *at);
