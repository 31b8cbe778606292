/* SPDX-License-Identifier: MIT */
/* Messages of ours whose method an extension adds: whether they may be sent, and as what text. */
#ifndef MCPW_CUSTOM_CALL_H
#define MCPW_CUSTOM_CALL_H

#include "../revisions/declared.h"
#include "../revisions/extension.h"

/* Params of such a message: a value of the method's type, or text. */
typedef struct mcpw_custom_given {
    const void *value;
    mcpw_json text;
} mcpw_custom_given;

/* The method of an extension by its number in the extension's own revision; NULL: it is none, or not added.
 */
const mcpw_custom *mcpw_custom_numbered(const mcpw_session *session, const mcpw_revision *revision,
                                        int method);
/* The same by its name. NULL: the error says that there is none. */
const mcpw_custom *mcpw_custom_named(const mcpw_session *session, const char *method, mcpw_error *error);
/* Whether this end may send a message of this kind (MCPW_METHOD_REQUEST or _NOTIFICATION) to a peer that has
 * declared these capabilities. */
MCPW_NODISCARD mcpw_status mcpw_custom_may_send(const mcpw_session *session, const mcpw_profile *profile,
                                                const mcpw_custom *custom, unsigned kind,
                                                mcpw_declared declared, mcpw_error *error);
/* The text of the params, with the _meta that the revision requires. */
MCPW_NODISCARD mcpw_status mcpw_custom_text(const mcpw_session *session, const mcpw_profile *profile,
                                            const mcpw_custom *custom, const mcpw_custom_given *given,
                                            const mcpw_id *token, mcpw_arena *arena, mcpw_json *out,
                                            mcpw_error *error);
/* Reads the result of such a request, which came as text. type and value are NULL if the method has no type
 * for it. */
MCPW_NODISCARD mcpw_status mcpw_custom_read(const mcpw_session *session, const mcpw_custom *custom,
                                            mcpw_json result, mcpw_arena *arena, mcpw_reply *reply,
                                            mcpw_error *error);
/* Sends a notification of an extension. declared is what the peer has declared. */
MCPW_NODISCARD mcpw_status mcpw_custom_notify(mcpw_session *session, const mcpw_profile *profile,
                                              const mcpw_custom *custom, const mcpw_custom_given *given,
                                              mcpw_declared declared, const mcpw_route *route,
                                              mcpw_error *error);
/* The same for one that the program makes in no request. In revisions without a handshake a server sends it
 * with a request in flight, because only requests say what the client has declared. */
MCPW_NODISCARD mcpw_status mcpw_custom_notify_alone(mcpw_session *session, const mcpw_custom *custom,
                                                    const mcpw_custom_given *given, mcpw_error *error);
/* Adds the _meta that requests of the revision need to params as text, where there is one. */
MCPW_NODISCARD mcpw_status mcpw_params_with_meta(const mcpw_session *session, const mcpw_profile *profile,
                                                 mcpw_json params, mcpw_arena *arena, mcpw_json *out);

#endif
