/* SPDX-License-Identifier: MIT */
/* Checks of values while they are text (check_token.c, check_names.c). */
#ifndef MCPW_CHECK_TEXT_H
#define MCPW_CHECK_TEXT_H

#include "walk.h"

/* A string token from..to with its quotes: its length and, when strict, its format. */
unsigned char *mcpw_check_string(mcpw_walk *w, unsigned char *from, unsigned char *to, unsigned check);

#if defined(MCPW_NO_STRICT) /* built without: asking for it is an error */
#define mcpw_check_raw(w, from, to, check) ((void)(from), (to))
#else
/* A value from..to that stays text or has members of its own: the names of its members, when strict. */
unsigned char *mcpw_check_raw(mcpw_walk *w, unsigned char *from, unsigned char *to, unsigned check);
#endif

#endif
