/* SPDX-License-Identifier: MIT */
/* Choosing the alternative of a union for a value that is text. */
#ifndef MCPW_CHOOSE_TEXT_H
#define MCPW_CHOOSE_TEXT_H

#include "choose.h"
#include "walk.h"

/* The alternative for the value at p, of which nothing has been changed. MCPW_BROKEN: the text is no JSON or
 * the budget is used up. Costs work unless the first member decides. */
mcpw_choice mcpw_choose_text(mcpw_walk *w, unsigned char *p, const mcpw_union *u);

#endif
