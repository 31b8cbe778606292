/* SPDX-License-Identifier: MIT */
/* The protocol rules that mcpwire tap checks in a conversation. */
#ifndef MCPWIRE_RULES_H
#define MCPWIRE_RULES_H

#include "tap_talk.h"
#include "tool.h"

#include <mcpw/error.h>
#include <mcpw/policy.h>

typedef enum severity { NOTE, WARNING, ERROR, SEVERITIES } severity;

/* X(identifier, code, severity, meaning). The codes are part of the report's format. */
#define RULES(X)                                                                                             \
    X(FRAMING_TEXT, "framing-text", ERROR, "a line is UTF-8 and JSON")                                       \
    X(FRAMING_LENGTH, "framing-length", ERROR, "a line is no longer than --max-bytes")                       \
    X(FRAMING_BLANK, "framing-blank", WARNING, "a line is not blank")                                        \
    X(FRAMING_END, "framing-end", WARNING, "the last line ends with a line feed")                            \
    X(FRAMING_CR, "framing-cr", NOTE, "a line ends with a line feed alone")                                  \
    X(LIMIT, "limit", NOTE, "a message is not too large to be checked or remembered")                        \
    X(MESSAGE, "message", ERROR, "a message is a JSON-RPC request, notification, result or error")           \
    X(SCHEMA, "schema", ERROR, "a message fits the schema of its revision, a result by its request")         \
    X(BATCH, "batch", ERROR, "messages are batched only where the revision has batches")                     \
    X(BATCH_INITIALIZE, "batch-initialize", ERROR, "initialize is not part of a batch")                      \
    X(METHOD_UNKNOWN, "method-unknown", WARNING, "a method is one of the protocol (--strict: error)")        \
    X(METHOD_REVISION, "method-revision", ERROR, "a method of the protocol is one of the revision in force") \
    X(DIRECTION, "direction", ERROR, "a message is one that its side may send")                              \
    X(ID_IN_FLIGHT, "id-in-flight", ERROR, "a request's id is not that of another open request")             \
    X(ID_REUSED, "id-reused", ERROR, "a request's id was not used before (--strict alone)")                  \
    X(ANSWER_UNKNOWN, "answer-unknown", ERROR, "a response has the id of a request")                         \
    X(ANSWER_AGAIN, "answer-again", ERROR, "a request is answered once")                                     \
    X(ANSWER_CANCELLED, "answer-cancelled", NOTE, "a cancelled request is not answered (late: warning)")     \
    X(ANSWER_NOTIFICATION, "answer-notification", ERROR, "a notification is not answered")                   \
    X(ANSWER_NO_ID, "answer-no-id", WARNING, "an error without an id answers an unreadable id")              \
    X(VERSION_UNKNOWN, "version-unknown", WARNING, "the revision is one that this tool knows")               \
    X(VERSION_OTHER, "version-other", NOTE, "the server takes the revision that initialize asks for")        \
    X(VERSION_ERA, "version-era", ERROR, "initialize names revisions that have it, _meta those that do not") \
    X(VERSION_MIXED, "version-mixed", ERROR, "_meta names no other revision than initialize agreed on")      \
    X(VERSION_REFUSED, "version-refused", ERROR,                                                             \
      "a refused revision is the one asked for, and not listed as supported")                                \
    X(VERSION_FORCED, "version-forced", WARNING, "the revision is that of --revision")                       \
    X(BEFORE_INITIALIZE, "before-initialize", ERROR, "initialize comes before other requests but ping")      \
    X(BEFORE_RESPONSE, "before-answer", WARNING, "initialize is answered before other requests but ping")    \
    X(SERVER_EARLY, "server-early", WARNING, "a server's requests but ping wait for initialized")            \
    X(INITIALIZE_TWICE, "initialize-twice", ERROR, "a session is initialized once")                          \
    X(INITIALIZED_MISSING, "initialized-missing", ERROR, "initialized comes before other requests")          \
    X(INITIALIZED_ORDER, "initialized-order", ERROR, "initialized comes once, after initialize's result")    \
    X(CANCELLED_UNKNOWN, "cancelled-unknown", NOTE, "a cancelled request is an open one")                    \
    X(CANCELLED_EARLY, "cancelled-early", ERROR, "a request comes before its cancellation")                  \
    X(CANCELLED_INITIALIZE, "cancelled-initialize", ERROR, "initialize is not cancelled")                    \
    X(CANCELLED_TASK, "cancelled-task", ERROR, "a request that made a task is cancelled by tasks/cancel")    \
    X(PROGRESS_UNKNOWN, "progress-unknown", ERROR, "progress has the token of an open request")              \
    X(PROGRESS_ORDER, "progress-order", ERROR, "progress grows with each notification")                      \
    X(PROGRESS_TOKEN, "progress-token", ERROR, "a progress token belongs to one open request")               \
    X(CAPABILITY, "capability", WARNING, "a capability is declared before it is used")                       \
    X(EXTENSION, "extension", ERROR, "an extension in use is declared by both sides")                        \
    X(RESOURCE_CODE, "resource-code", WARNING, "a missing resource is answered by the code of the revision") \
    X(SERVER_INFO, "server-info", NOTE, "a result names the server in _meta (--strict alone)")               \
    X(LOG_UNASKED, "log-unasked", WARNING, "log messages are sent while a request asks for them")            \
    X(SUBSCRIPTION_ID, "subscription-id", ERROR, "a change has the id of an open subscription")              \
    X(SUBSCRIPTION_ORDER, "subscription-order", ERROR, "a subscription is acknowledged before changes")      \
    X(TOOL_SCHEMA, "tool-schema", WARNING, "a schema of a listed tool is one that can be used")              \
    X(TOOL_ARGUMENTS, "tool-arguments", WARNING, "arguments of a tool fit its inputSchema")                  \
    X(TOOL_RESULT, "tool-result", ERROR, "the result of a tool fits its outputSchema")

typedef enum rule_id {
#define RULES_ENUM(id, code, severity, meaning) RULE_##id,
    RULES(RULES_ENUM)
#undef RULES_ENUM
        RULE_COUNT
} rule_id;

typedef struct rule {
    const char *code;
    severity severity;
    const char *meaning; /* the statement that the rule requires */
} rule;

enum { FINDING_MESSAGE_SIZE = 320 };

/* A broken rule, with its place and details. */
typedef struct finding {
    rule_id rule;
    severity severity;
    mcpw_status status; /* of a schema error; MCPW_OK for other rules */
    uint64_t offset;    /* of a schema error: in the message */
    char pointer[MCPW_ERROR_PATH_SIZE];
    char message[FINDING_MESSAGE_SIZE];
} finding;

const rule *rules_get(rule_id id);

const char *severity_name(severity of);

/* The rule of the library's policy that a rule reports; MCPW_RULE_NONE: it belongs to this tool. */
mcpw_rule rules_policy(rule_id id);

/* Sets a finding, with the rule's severity. */
void finding_set(finding *f, rule_id id, const char *pointer, const char *fmt, ...) TOOL_PRINTF(4, 5);

/* Checks whether the revision allows a batch. */
bool rules_batch(const talk_message *m, finding *f);

/* Checks a message against every rule that depends on the conversation so far. */
void rules_check(talk *t, const talk_message *m, void (*on_finding)(void *user, const finding *f),
                 void *user);

#endif
