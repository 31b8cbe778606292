/* SPDX-License-Identifier: MIT */
/*
 * The forms of elicitations. Both ends check them, in every revision: whoever asks, what comes back, and
 * whoever answers, what goes out. (MCP, "Elicitation", requested schema and response actions.)
 */
#ifndef MCPW_FORM_H
#define MCPW_FORM_H

#include "core.h"

/* Compiles the form that an input request has, once. An input request without one, and a session that does
 * not check, have none. text lies in the arena afterwards. Errors have their path from the params. */
MCPW_NODISCARD mcpw_status mcpw_form_read(mcpw_session *session, mcpw_form *form, mcpw_arena *arena,
                                          const mcpw_type *type, const void *params, mcpw_error *error);
/* Whether an answer, as text, fits the form. Only one that accepts has to. Errors have their path from the
 * answer. */
MCPW_NODISCARD mcpw_status mcpw_form_check(const mcpw_form *form, mcpw_arena *arena, mcpw_json answer,
                                           mcpw_error *error);
/* The answer with the defaults that its content lacks. */
MCPW_NODISCARD mcpw_status mcpw_form_fill(const mcpw_form *form, mcpw_arena *arena, mcpw_json *answer);
void mcpw_form_free(mcpw_form *form);

/* The form of a request of the peer's that is an elicitation is read before its handler sees it, */
MCPW_NODISCARD mcpw_status mcpw_form_take(mcpw_request *request, mcpw_error *error);
/* its answer is checked, and filled in where the config wants that, */
MCPW_NODISCARD mcpw_status mcpw_form_answer(mcpw_request *request, mcpw_json *answer, mcpw_error *error);
/* and the form goes with it. */
void mcpw_form_end(mcpw_request *request);

#endif
