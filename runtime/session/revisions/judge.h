/* SPDX-License-Identifier: MIT */
/* The questions of a session to the policy (<mcpw/policy.h>). The rules stand there. Here a session gives
 * them its state and the message at hand. */
#ifndef MCPW_JUDGE_H
#define MCPW_JUDGE_H

#include "../core/core.h"

/* Sets of rules, a bit for each mcpw_rule. */
enum {
    MCPW_RULES_DIRECTION = 1U << MCPW_RULE_DIRECTION,
    MCPW_RULES_METHOD =
        1U << MCPW_RULE_METHOD_UNKNOWN | 1U << MCPW_RULE_METHOD_REVISION | MCPW_RULES_DIRECTION,
    MCPW_RULES_BATCH = 1U << MCPW_RULE_BATCH,
    MCPW_RULES_CANCEL = 1U << MCPW_RULE_CANCELLED_INITIALIZE | 1U << MCPW_RULE_CANCELLED_TASK,
    MCPW_RULES_CAPABILITY = 1U << MCPW_RULE_CAPABILITY,
    MCPW_RULES_EXTENSION = 1U << MCPW_RULE_EXTENSION
};

/* A message that the rules are asked about. Members that it does not have are zero. */
typedef struct mcpw_case {
    mcpw_role from;
    mcpw_message_kind kind;
    int method;
    bool inside;       /* it is an input request inside a result */
    int cancels;       /* in place of method: that of the request that it cancels */
    bool cancels_task; /* that request asked for a task */
    const mcpw_type *type;
    const void *value;
    mcpw_json raw; /* in place of value */
    /* The declared capabilities of the receiver of a request, of the sender of a notification, and of the
     * client if an extension is used. Absent: nothing. */
    mcpw_declared declared;
} mcpw_case;

/* Whether a message of a profile breaks none of these rules. Else *out says which; it may be NULL. */
bool mcpw_judge(const mcpw_session *session, const mcpw_profile *profile, unsigned rules,
                const mcpw_case *message, mcpw_verdict *out);
/* The phases in which a server takes a client's request of a method, a bit for each mcpw_phase. The verdict
 * of the rules depends on nothing else, so they are asked once. */
unsigned mcpw_judge_phases(const mcpw_profile *profile, int method);
/* Whether this end takes a message of the peer's, which was read in a profile. For a request that may belong
 * to an extension, client has its declared capabilities. */
bool mcpw_judge_received(const mcpw_session *session, const mcpw_profile *profile,
                         const mcpw_message *message, bool batched, mcpw_declared client, mcpw_verdict *out);
/* Whether a client's request may name this revision; absent: it names none. `newest` is the server's newest
 * revision without a handshake. `named` is the profile of that name; NULL: the server lacks it. */
bool mcpw_judge_version(const mcpw_profile *newest, mcpw_str method, mcpw_str version,
                        const mcpw_profile *named, mcpw_verdict *out);

/* The role of the other end. */
static inline mcpw_role mcpw_peer_role(const mcpw_session *session) {
    return mcpw_is_server(session) ? MCPW_ROLE_CLIENT : MCPW_ROLE_SERVER;
}

#endif
