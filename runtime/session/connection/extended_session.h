/* SPDX-License-Identifier: MIT */
/* The code of ends with extensions or middleware, as one table: ../revisions/extended.h. */
#ifndef MCPW_EXTENDED_SESSION_H
#define MCPW_EXTENDED_SESSION_H

#include "../revisions/extension.h"

extern const mcpw_extended mcpw_extended_callbacks;

#endif
