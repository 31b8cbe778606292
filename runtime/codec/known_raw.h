/* SPDX-License-Identifier: MIT */
/* Raw values that decoding has checked, and that encoding therefore need not check: see ../base/known.h. */
#ifndef MCPW_KNOWN_RAW_H
#define MCPW_KNOWN_RAW_H

#include "walk.h"
#include "write.h"

/* Notes a raw value that was just decoded as what a reference with these members says. (In one piece it would
 * be put together before each value that is none.) */
MCPW_COLD void mcpw_keep_known(mcpw_walk *w, unsigned kind, unsigned index, unsigned check,
                               const mcpw_json *json);

/* Whether it is known that a raw value is what ref says, and may be written where the writer stands. */
#if defined(MCPW_SMALL) /* which checks again: to remember takes code */
#define mcpw_is_known(w, ref, json) ((void)(w), (void)(ref), (void)(json), false)
#else
bool mcpw_is_known(const mcpw_writer *w, mcpw_ref ref, mcpw_json json);
#endif

#endif
