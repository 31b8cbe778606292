/* SPDX-License-Identifier: MIT */
/* Copies plain text and tests it at once: fast, or small. */
#ifndef MCPW_COPY_PLAIN_H
#define MCPW_COPY_PLAIN_H

enum { MCPW_COPY_BLOCK = 16 }; /* bytes that are copied at once */

#if defined(MCPW_SMALL)
#include "copy_plain_small.h"
#else
#include "copy_plain_fast.h"
#endif

#endif
