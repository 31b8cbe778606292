/* SPDX-License-Identifier: MIT */
/* What a session asks of the policy (<mcpw/policy.h>). The rules stand there. Here a session tells them of
 * itself and of the message at hand. */
#ifndef MCPW_JUDGE_H
#define MCPW_JUDGE_H

#include "../core/core.h"

/* The phases in which a server takes a client's request of a method, a bit for each mcpw_phase. What the
 * rules say of it depends on nothing else, so they are asked once. */
unsigned mcpw_judge_phases(const mcpw_profile *profile, int method);

/* Whether this end takes a message of the peer's, which was read in a profile. Of a request that may be an
 * extension's, client is what it declares. */
bool mcpw_judge_received(const mcpw_session *session, const mcpw_profile *profile,
                         const mcpw_message *message, bool batched, mcpw_declared client, mcpw_verdict *out);
/* The same of an input request in a round of input. */
bool mcpw_judge_input_request(const mcpw_session *session, const mcpw_profile *profile, int method);
/* Whether the peer sends such a method at all; where the number is 0, the method of that name. */
bool mcpw_judge_method(const mcpw_session *session, const mcpw_profile *profile, mcpw_message_kind kind,
                       int method, mcpw_str name);
/* Whether a client's request may name this revision; absent: it names none. `newest` is the server's newest
 * revision without a handshake. `named` is the profile of that name; NULL: the server lacks it. */
bool mcpw_judge_version(const mcpw_profile *newest, mcpw_str method, mcpw_str version,
                        const mcpw_profile *named, mcpw_verdict *out);
/* Whether the peer may cancel its request of a method. */
bool mcpw_judge_cancelled(const mcpw_session *session, const mcpw_profile *profile, int method);
/* Whether messages may come as a batch. */
bool mcpw_judge_batch(const mcpw_session *session, const mcpw_profile *profile);
/* Whether this end may cancel a request of its own, which asked for a task or not. */
bool mcpw_judge_cancelling(const mcpw_session *session, const mcpw_profile *profile, int method, bool task);
/* Whether this end may answer anything. A client has nothing to answer where servers make no requests.
 * (MCP 2026-07-28, "Messages".) */
bool mcpw_judge_answering(const mcpw_session *session);

/* Whether this end may send a message of a method, in the peer's revision. */
bool mcpw_judge_sent(const mcpw_session *session, const mcpw_profile *profile, mcpw_message_kind kind,
                     int method);
/* Whether this end may ask that inside a result. */
bool mcpw_judge_asked(const mcpw_session *session, const mcpw_profile *profile, int method);
/* The capability that a request of ours, or an input request, needs and the peer has not declared; NULL:
 * none. */
const char *mcpw_judge_needs(const mcpw_session *session, const mcpw_profile *profile, int method,
                             const void *params, mcpw_declared declared);
/* Whether a message uses an extension that not both sides have declared; then *out says whose it lacks. */
bool mcpw_judge_extension(const mcpw_session *session, const mcpw_profile *profile,
                          const mcpw_message *message, mcpw_declared client, mcpw_verdict *out);
/* The capability that a notification of ours needs and this end has not declared; NULL: none. */
const char *mcpw_judge_lacks(const mcpw_session *session, const mcpw_profile *profile, int method,
                             mcpw_json declared);

#endif
