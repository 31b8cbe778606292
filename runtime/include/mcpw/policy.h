/* SPDX-License-Identifier: MIT */
/*
 * The rules of the protocol about the messages that each side may send, and when. They decide whether the
 * revision and the side have a method, which messages wait for initialize, and which need a capability.
 * Sessions refuse messages by these rules, and mcpwire tap reports violations of them.
 *
 * A rule looks at one message and at the state of the conversation. It keeps nothing and allocates nothing.
 * The rules of the schema are elsewhere (<mcpw/message.h>). Rules about ids, progress tokens and
 * subscriptions, which need a memory of the conversation, are not here either.
 *
 * A sender must follow every rule. A receiver is less strict: the verdict has its reaction to a message that
 * breaks a rule. (MCP, "Lifecycle" and "Capability Negotiation" up to 2025-11-25; "Versioning and
 * Compatibility" from 2026-07-28 on.)
 */
#ifndef MCPW_POLICY_H
#define MCPW_POLICY_H

#include <mcpw/session.h>

MCPW_BEGIN_DECLS

/* The rules. Each comment states the rule. */
typedef enum mcpw_rule {
    MCPW_RULE_NONE = 0,                /* no rule is broken */
    MCPW_RULE_BATCH = 1,               /* messages are batched only where the revision has batches */
    MCPW_RULE_VERSION_UNKNOWN = 2,     /* the revision that a message names is known to its receiver */
    MCPW_RULE_VERSION_ERA = 3,         /* initialize names revisions that have it, _meta the others */
    MCPW_RULE_VERSION_MIXED = 4,       /* _meta names no other revision than initialize agreed on */
    MCPW_RULE_INITIALIZE_TWICE = 5,    /* a session is initialized once */
    MCPW_RULE_BATCH_INITIALIZE = 6,    /* initialize is not part of a batch */
    MCPW_RULE_BEFORE_INITIALIZE = 7,   /* a client's initialize comes before its other requests except ping */
    MCPW_RULE_BEFORE_RESPONSE = 8,     /* those requests wait for the response to initialize */
    MCPW_RULE_INITIALIZED_MISSING = 9, /* and they come after notifications/initialized */
    MCPW_RULE_INITIALIZED_ORDER = 10,  /* the notification comes once, after initialize's result */
    MCPW_RULE_SERVER_EARLY = 11,    /* a server's requests except ping come after notifications/initialized */
    MCPW_RULE_METHOD_UNKNOWN = 12,  /* a method is one of the protocol */
    MCPW_RULE_METHOD_REVISION = 13, /* a method of the protocol is one of the revision */
    MCPW_RULE_DIRECTION = 14,       /* a message is one that its side may send */
    MCPW_RULE_CAPABILITY = 15,      /* a capability that is used was declared */
    MCPW_RULE_CANCELLED_INITIALIZE = 16, /* initialize is not cancelled */
    MCPW_RULE_CANCELLED_TASK = 17,       /* a request that makes a task is cancelled by tasks/cancel */
    MCPW_RULE_EXTENSION = 18,            /* both sides have declared an extension that is used */
    MCPW_RULE_COUNT = 19                 /* one more than the last */
} mcpw_rule;

/* The progress of a session's handshake. */
typedef enum mcpw_phase {
    MCPW_PHASE_NONE = 0,     /* there is no handshake; each request is independent */
    MCPW_PHASE_NEW = 1,      /* initialize has not come, or was refused */
    MCPW_PHASE_ASKED = 2,    /* initialize waits for its response */
    MCPW_PHASE_ANSWERED = 3, /* initialize has its result */
    MCPW_PHASE_OPEN = 4      /* and the client has sent notifications/initialized */
} mcpw_phase;

/* Capabilities by name, as a session keeps those of its peer. */
typedef struct mcpw_capability_index mcpw_capability_index;

/* The capabilities that one side has declared. */
typedef struct mcpw_declared {
    mcpw_json text; /* an object; absent: not declared yet, and no rule is broken by that */
    const mcpw_capability_index *index; /* of a session; else NULL */
} mcpw_declared;

/* The state of a conversation. Members that are not known are zero. */
typedef struct mcpw_policy_state {
    mcpw_phase phase;            /* of the handshake */
    bool initialized;            /* notifications/initialized has come since the last initialize */
    const mcpw_revision *agreed; /* the revision that initialize agreed on; NULL: none yet */
    /* The capabilities that initialize and its response declared. From 2026-07-28 on, the client declares
     * them in the present request (or the request that the present message answers), and the server in its
     * response to server/discover. */
    mcpw_declared client; /* the client's */
    mcpw_declared server; /* the server's */
    /* The revisions that may have a method; NULL: those that are built into the library. */
    const mcpw_library *library;
} mcpw_policy_state;

/* A message. Members that it does not have are zero. */
typedef struct mcpw_policy_message {
    mcpw_role from;                /* its sender */
    mcpw_message_kind kind;        /* MCPW_MESSAGE_BATCH: an array as a whole */
    const mcpw_revision *revision; /* the revision of the message */
    int method;                    /* in that revision; for a response, that of its request; 0: see name */
    mcpw_str name;                 /* of the method; may be absent if method is not 0 */
    mcpw_str version;              /* the revision that it names, in _meta or as initialize's version */
    const mcpw_revision *named;    /* the same as a handle; NULL: the receiver does not know it */
    mcpw_json params;              /* params or result as text; or in value */
    const mcpw_type *type;         /* the type of value */
    const void *value;             /* the decoded params or result */
    bool batched;                  /* it is part of a batch */
    bool inside;                   /* it is an input request inside an input_required result */
    int cancels;                   /* the method of the request that it cancels; 0: unknown or none */
    bool cancels_task;             /* that request asked for a task */
} mcpw_policy_message;

/* The receiver's reaction to a message that breaks a rule. */
typedef enum mcpw_reaction {
    MCPW_REACTION_TAKE = 0,  /* handles it nevertheless */
    MCPW_REACTION_DROP = 1,  /* ignores it */
    MCPW_REACTION_REFUSE = 2 /* answers it with an error */
} mcpw_reaction;

/* Size of the texts of a verdict. */
enum {
    MCPW_VERDICT_TEXT_SIZE = 192 /* bytes, NUL included */
};

/* A violation of a rule. */
typedef struct mcpw_verdict {
    mcpw_rule rule;                      /* the broken rule */
    mcpw_reaction reaction;              /* of the receiver */
    int32_t code;                        /* of the error; 0: the message is not refused */
    const char *capability;              /* the missing capability; NULL: none */
    char text[MCPW_VERDICT_TEXT_SIZE];   /* the violation, for an observer */
    char answer[MCPW_VERDICT_TEXT_SIZE]; /* the message of the error, or the reason of a drop; else "" */
} mcpw_verdict;

/* Whether a message breaks one rule. If it does, *out describes the violation. A message breaks at most one
 * of the rules for its method: MCPW_RULE_CAPABILITY applies to known methods only. */
MCPW_NODISCARD MCPW_SESSION_API bool mcpw_policy_breaks(mcpw_rule rule, const mcpw_policy_state *state,
                                                        const mcpw_policy_message *message,
                                                        mcpw_verdict *out);

/* Whether the receiver may handle a message. If not, *out has the broken rule. It is the first one in the
 * order above whose reaction is not MCPW_REACTION_TAKE. */
MCPW_NODISCARD MCPW_SESSION_API bool
mcpw_policy_admits(const mcpw_policy_state *state, const mcpw_policy_message *message, mcpw_verdict *out);

/* The code of a rule in the reports of mcpwire tap, such as "before-initialize"; NULL: there is no such rule.
 */
MCPW_SESSION_API const char *mcpw_rule_name(mcpw_rule rule);

/* Whether sessions of a revision begin with initialize. In other revisions each request names its revision.
 */
MCPW_SESSION_API bool mcpw_revision_has_handshake(const mcpw_revision *revision);

/* The name of a revision in messages. It is its own name. A revision with overlays has the name of the
 * revision below them. */
MCPW_SESSION_API const char *mcpw_revision_wire(const mcpw_revision *revision);

/* The capability that must have been declared before a method of a revision may be used, such as "tools";
 * NULL: none. *by_sender, unless it is NULL, is true if the sender must declare it, and false if the receiver
 * must. */
MCPW_SESSION_API const char *mcpw_capability_of(const mcpw_revision *revision, int method, bool *by_sender);

MCPW_END_DECLS

#endif
