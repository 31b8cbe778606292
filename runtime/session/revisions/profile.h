/* SPDX-License-Identifier: MIT */
/* revisions/: each revision as an endpoint speaks it: its tables, rules and capabilities. */
/* A revision as a session speaks it: what it works out from its tables, once. */
#ifndef MCPW_PROFILE_H
#define MCPW_PROFILE_H

#include "../core/core.h"

/* The place of a struct's member, if it is of that kind, and the index of its type; else MCPW_NO_OFFSET. */
uint16_t mcpw_profile_place_of(const mcpw_revision *revision, mcpw_ref ref, const char *name, mcpw_kind kind,
                               uint16_t *index);
/* The place in a result of the _meta that names this program. */
uint16_t mcpw_profile_self_place(const mcpw_profile *profile, const mcpw_type *result);
const mcpw_profile *mcpw_profile_named(const mcpw_session *session, mcpw_str revision);
const mcpw_profile *mcpw_profile_newest(const mcpw_session *session, bool modern);
/* The names of the revisions that are spoken, as a JSON array. */
void mcpw_profile_names(const mcpw_session *session, mcpw_text *out);
/* Sets one of the values that no table holds; the text must live as long as the session. */
void mcpw_session_set_value(mcpw_session *session, const char *name, mcpw_json value);
/* Params as they are sent, with _meta filled in. *out is params where nothing had to be put in. */
MCPW_NODISCARD mcpw_status mcpw_profile_params(const mcpw_session *session, const mcpw_profile *profile,
                                               int method, const void *params, const mcpw_id *token,
                                               mcpw_arena *arena, const void **out);
/* The same for the type and binding of a method that an extension adds. */
MCPW_NODISCARD mcpw_status mcpw_profile_params_by(const mcpw_session *session, const mcpw_revision *revision,
                                                  const mcpw_binding *binding, const mcpw_type *type,
                                                  const void *params, const mcpw_id *token, mcpw_arena *arena,
                                                  const void **out);
/* A result of the binding's type, with its fills and with this program in its _meta. *bare says that it has
 * no _meta: then self_meta is written in front of its members. */
const void *mcpw_profile_result(const mcpw_profile *profile, const mcpw_binding *binding,
                                const mcpw_type *type, const void *result, mcpw_arena *arena, bool *bare);
/* The same for any result, without fills. */
const void *mcpw_profile_signed(const mcpw_profile *profile, const mcpw_type *type, const void *result,
                                mcpw_arena *arena, bool *bare);
/* Begins the text of a result: its brace, and the _meta that names this program where the revision has it. */
void mcpw_profile_begin_result(const mcpw_profile *profile, mcpw_text *text);
/* Brings a value from the revision of this side's code to the peer's, or back. */
MCPW_NODISCARD mcpw_status mcpw_session_adapt(mcpw_session *session, const mcpw_type *from, const void *value,
                                              const mcpw_type *to, mcpw_arena *arena, const void **out,
                                              mcpw_error *error);
/* The same with one more value that no table holds. */
MCPW_NODISCARD mcpw_status mcpw_session_adapt_with(mcpw_session *session, const mcpw_member *more,
                                                   const mcpw_type *from, const void *value,
                                                   const mcpw_type *to, mcpw_arena *arena, const void **out,
                                                   mcpw_error *error);

/* Whether a method may be answered by this type, by what selects it in its response. */
bool mcpw_profile_is_response(const mcpw_method *method, const mcpw_type *type);
/* The type of that name by which a method may be answered, such as InputRequiredResult; NULL: none. */
const mcpw_type *mcpw_profile_response(const mcpw_method *method, const char *name);

#endif
