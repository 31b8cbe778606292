/* SPDX-License-Identifier: MIT */
/* Messages without their values. Names of members, and those values that say which message it is, stay. */
#ifndef MCPWIRE_TRACE_REDACT_H
#define MCPWIRE_TRACE_REDACT_H

#include "text.h"

#include <mcpw/base.h>

/* Appends a message in which every string is replaced by its length and every number by 0. Text that is no
 * JSON is replaced by its length as a whole. */
void trace_redact(text *out, mcpw_str message);

/* Appends the words of a finding as a JSON string; redacts: without the parts that quote a message. */
void trace_put_message(text *out, const char *words, bool redacts);

#endif
