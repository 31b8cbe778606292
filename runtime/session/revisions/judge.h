/* SPDX-License-Identifier: MIT */
/* A session applies the rules of <mcpw/policy.h> here. It passes them its state and the message. */
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

/* A message that the rules judge. Members that it does not have are zero. */
typedef struct mcpw_case {
    mcpw_role from;
    mcpw_message_kind kind;
    int method;
    bool inside;       /* it is an input request inside a result */
    int cancels;       /* that of the request that it cancels, in place of method */
    bool cancels_task; /* that request asked for a task */
    const mcpw_type *type;
    const void *value;
    mcpw_json raw; /* in place of value */
    /* The declared capabilities of the receiver of a request, of the sender of a notification, and of the
     * client if an extension is used. Absent: nothing. */
    mcpw_declared declared;
} mcpw_case;

/* Whether a message of a profile breaks none of these rules. Else *out names it; out may be NULL. */
bool mcpw_judge(const mcpw_session *session, const mcpw_profile *profile, unsigned rules,
                const mcpw_case *message, mcpw_verdict *out);
/* The phases in which a server accepts a client's request of a method, a bit for each mcpw_phase. The verdict
 * depends on nothing else, so it is computed once. */
unsigned mcpw_judge_phases(const mcpw_profile *profile, int method);
/* Whether this end accepts a peer's message that was read in a profile. For a request that may belong to an
 * extension, client has its declared capabilities. */
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
