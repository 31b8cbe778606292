/* SPDX-License-Identifier: MIT */
/*
 * The rules of the protocol about who may send which message, and when: whether a method is one of the
 * revision and of the side, what waits for initialize, what needs a capability. Sessions refuse by these
 * rules, and mcpwire tap reports by them.
 *
 * A rule looks at one message and at how far the conversation has come. It keeps nothing and allocates
 * nothing. What the schema says is not here (<mcpw/message.h>), nor what takes a memory of the conversation:
 * ids, progress tokens, subscriptions.
 *
 * Who sends is held to every rule. Who receives is not as strict: the verdict says how it treats a message
 * that breaks one. (MCP, "Lifecycle" and "Capability Negotiation" up to 2025-11-25; "Versioning and
 * Compatibility" from 2026-07-28 on.)
 */
#ifndef MCPW_POLICY_H
#define MCPW_POLICY_H

#include <mcpw/session.h>

MCPW_BEGIN_DECLS

/* The rules. What each of them asks for stands beside its name. */
typedef enum mcpw_rule {
    MCPW_RULE_NONE = 0,                  /* none is broken */
    MCPW_RULE_BATCH = 1,                 /* messages are batched only where the revision has batches */
    MCPW_RULE_VERSION_UNKNOWN = 2,       /* the revision that a message names is known to its receiver */
    MCPW_RULE_VERSION_ERA = 3,           /* initialize names revisions that have it, _meta the others */
    MCPW_RULE_VERSION_MIXED = 4,         /* _meta names no other revision than initialize agreed on */
    MCPW_RULE_INITIALIZE_TWICE = 5,      /* a session is initialized once */
    MCPW_RULE_BATCH_INITIALIZE = 6,      /* initialize is not part of a batch */
    MCPW_RULE_BEFORE_INITIALIZE = 7,     /* a client's initialize comes before its other requests but ping */
    MCPW_RULE_BEFORE_RESPONSE = 8,       /* these requests wait for the answer to initialize */
    MCPW_RULE_INITIALIZED_MISSING = 9,   /* and come after notifications/initialized */
    MCPW_RULE_INITIALIZED_ORDER = 10,    /* that comes once, after the result of initialize */
    MCPW_RULE_SERVER_EARLY = 11,         /* a server's requests but ping come after it */
    MCPW_RULE_METHOD_UNKNOWN = 12,       /* a method is one of the protocol */
    MCPW_RULE_METHOD_REVISION = 13,      /* a method of the protocol is one of the revision */
    MCPW_RULE_DIRECTION = 14,            /* a message is one that its side may send */
    MCPW_RULE_CAPABILITY = 15,           /* what is used was declared as a capability */
    MCPW_RULE_CANCELLED_INITIALIZE = 16, /* initialize is not cancelled */
    MCPW_RULE_CANCELLED_TASK = 17,       /* a request that makes a task is cancelled by tasks/cancel */
    MCPW_RULE_EXTENSION = 18,            /* what an extension brings was declared by both sides */
    MCPW_RULE_COUNT = 19                 /* one more than the last */
} mcpw_rule;

/* How far the handshake of a session has come. */
typedef enum mcpw_phase {
    MCPW_PHASE_NONE = 0,     /* there is none: it is settled that each request stands for itself */
    MCPW_PHASE_NEW = 1,      /* initialize has not come, or was refused */
    MCPW_PHASE_ASKED = 2,    /* initialize waits for its answer */
    MCPW_PHASE_ANSWERED = 3, /* it has its result */
    MCPW_PHASE_OPEN = 4      /* and the client has gone on */
} mcpw_phase;

/* Capabilities by name, as a session keeps those of its peer. */
typedef struct mcpw_capability_index mcpw_capability_index;

/* The capabilities that one side has declared. */
typedef struct mcpw_declared {
    mcpw_json text; /* an object; absent: it has not said yet, and no rule is broken by what it lacks */
    const mcpw_capability_index *index; /* of a session; else NULL */
} mcpw_declared;

/* How far a conversation has come. Zero what is not known. */
typedef struct mcpw_policy_state {
    mcpw_phase phase;            /* of the handshake */
    bool initialized;            /* notifications/initialized has come since the last initialize */
    const mcpw_revision *agreed; /* what initialize led to; NULL: nothing yet */
    /* Declared by initialize and its answer; from 2026-07-28 on by the request that is at hand, or that the
     * message at hand answers, and by the answer to server/discover. */
    mcpw_declared client; /* the client's */
    mcpw_declared server; /* the server's */
    /* The revisions that may have a method; NULL: those that the library holds. */
    const mcpw_library *library;
} mcpw_policy_state;

/* A message. Zero what it does not have. */
typedef struct mcpw_policy_message {
    mcpw_role from;                /* who sends it */
    mcpw_message_kind kind;        /* MCPW_MESSAGE_BATCH: an array as a whole */
    const mcpw_revision *revision; /* that it is in */
    int method;                    /* in that revision; of an answer, that of its request; 0: by name */
    mcpw_str name;                 /* of the method; may be absent where method is not 0 */
    mcpw_str version;              /* the revision that it names: in _meta, or as initialize's version */
    const mcpw_revision *named;    /* that one; NULL: the receiver does not know it */
    mcpw_json params;              /* or the result, as text, or: */
    const mcpw_type *type;         /* the type of what was decoded */
    const void *value;             /* these */
    bool batched;                  /* it is part of a batch */
    bool inside;                   /* it is a question inside an input_required result */
    int cancels;                   /* the method of the request that it cancels; 0: none that is known */
    bool cancels_task;             /* that request asked for a task */
} mcpw_policy_message;

/* What the receiver does with a message that breaks a rule. */
typedef enum mcpw_reaction {
    MCPW_REACTION_TAKE = 0,  /* takes it all the same */
    MCPW_REACTION_DROP = 1,  /* ignores it */
    MCPW_REACTION_REFUSE = 2 /* answers it by an error */
} mcpw_reaction;

/* Size of the texts of a verdict. */
enum {
    MCPW_VERDICT_TEXT_SIZE = 192 /* bytes, NUL included */
};

/* How a rule is broken. */
typedef struct mcpw_verdict {
    mcpw_rule rule;                      /* that is broken */
    mcpw_reaction reaction;              /* of the receiver */
    int32_t code;                        /* of the error; 0: it is not refused */
    const char *capability;              /* that is lacking; NULL: it is not about one */
    char text[MCPW_VERDICT_TEXT_SIZE];   /* what is wrong, for who looks on */
    char answer[MCPW_VERDICT_TEXT_SIZE]; /* the message of the error; of what is dropped, why; else "" */
} mcpw_verdict;

/* Whether a message breaks one rule; then *out says how. Of the method's rules a message breaks one at most:
 * CAPABILITY is asked of known methods alone. */
MCPW_NODISCARD MCPW_API bool mcpw_policy_breaks(mcpw_rule rule, const mcpw_policy_state *state,
                                                const mcpw_policy_message *message, mcpw_verdict *out);

/* Whether the receiver may take a message. If not, *out says which rule it breaks, the first in their order
 * above whose reaction is not to take it. */
MCPW_NODISCARD MCPW_API bool mcpw_policy_admits(const mcpw_policy_state *state,
                                                const mcpw_policy_message *message, mcpw_verdict *out);

/* "before-initialize": the rule's code in the reports of mcpwire tap; NULL for what is no rule. */
MCPW_API const char *mcpw_rule_name(mcpw_rule rule);

/* Whether sessions of a revision begin with initialize. In the others each request names its revision. */
MCPW_API bool mcpw_revision_has_handshake(const mcpw_revision *revision);

MCPW_END_DECLS

#endif
