/* SPDX-License-Identifier: MIT */
/*
 * Input requests in the middle of a request, in one call: JSON and texts go in, JSON and texts come out.
 *
 *     mcpw_ask_answer answer = MCPW_ASK_ANSWER_INIT;
 *     const mcpw_status status = mcpw_ask_form(request, "size", "How large?", MCPW_JSON("{...}"), &answer);
 *     if (status != MCPW_OK) {
 *         return status;
 *     }
 *
 * Handlers call these functions: those of <mcpw/server.h> and typed slots, on the session's thread, on a
 * worker, and on a thread that has a detached request (<mcpw/thread.h>). They work in every revision that has
 * the method, as mcpw_request_ask does, and return its statuses:
 *
 *   - MCPW_OK: the answer is there.
 *   - MCPW_PENDING: the input request was made. The handler returns MCPW_PENDING and runs again, from its
 *     beginning, when all answers have come.
 *   - MCPW_E_CAPABILITY: the client does not support this input request. A handler that returns this
 *     status refuses the request with the error that the client's revision has for it. It may also go on
 *     without an answer.
 *   - Any other status: there is no answer; `error` of the answer has the reason. MCPW_E_ARGUMENT: a
 *     pointer is NULL, a text is absent, or a struct_size is wrong; the answer may then be unchanged.
 *
 * key names the input request within its request. The texts that an answer refers to live as long as the
 * request. Input requests are written in the newest revision that has the method, and projected to the
 * client's revision. (MCP, "Elicitation", "Sampling", "Roots"; from 2026-07-28 on also "Multi Round-Trip
 * Requests".)
 */
#ifndef MCPW_ASK_H
#define MCPW_ASK_H

#include <mcpw/session.h>

MCPW_BEGIN_DECLS

/* The user's reaction to an input request. */
typedef enum mcpw_ask_action {
    MCPW_ASK_ACCEPT = 1,  /* the form was filled in, or the URL will be visited */
    MCPW_ASK_DECLINE = 2, /* the user said no */
    MCPW_ASK_CANCEL = 3   /* the user closed the input request without a choice */
} mcpw_ask_action;

/* An answer. Initialise with MCPW_ASK_ANSWER_INIT. */
typedef struct mcpw_ask_answer {
    size_t struct_size;     /* set by MCPW_ASK_ANSWER_INIT */
    mcpw_ask_action action; /* of a form or a URL; 0: none */
    mcpw_json content;      /* of an accepted form: an object that fits the form's schema */
    mcpw_str text;          /* of mcpw_ask_text: the model's text */
    mcpw_json result;       /* the whole result of the method */
    mcpw_error error;       /* the reason, unless the status is MCPW_OK or MCPW_PENDING */
} mcpw_ask_answer;

/* Everything absent. */
#define MCPW_ASK_ANSWER_INIT MCPW_SIZED(mcpw_ask_answer)

/* Asks the user to fill in a form. message explains the purpose to the user. schema is the form: a JSON
 * Schema of an object whose properties are flat (texts, numbers, booleans, choices). MCPW_OK: `action` is the
 * user's reaction, and `content` has the values of an accepted form. (MCP, "Elicitation", form mode; from
 * 2025-06-18 on.) */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_ask_form(mcpw_request *request, const char *key,
                                                          const char *message, mcpw_json schema,
                                                          mcpw_ask_answer *answer);

/* Asks the user to visit a URL, for data that must not pass through the client: a password, a payment, a
 * consent. MCPW_OK: `action` tells whether the user agreed to visit the URL, not the outcome of the visit.
 * After the visit, call mcpw_session_elicitation_complete with the id of mcpw_request_elicitation to notify
 * the client. (MCP, "Elicitation", URL mode; from 2025-11-25 on.) */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_ask_url(mcpw_request *request, const char *key,
                                                         const char *message, const char *url,
                                                         mcpw_ask_answer *answer);

/* Options of an input request to the client's model. Zero and NULL take the default. Initialise with
 * MCPW_ASK_TEXT_OPTIONS_INIT. */
typedef struct mcpw_ask_text_options {
    size_t struct_size;        /* set by MCPW_ASK_TEXT_OPTIONS_INIT */
    int64_t max_tokens;        /* limit of the model's text; default 1000 */
    const char *system_prompt; /* NULL: none */
    /* An object with more members of CreateMessageRequestParams: modelPreferences, temperature. */
    mcpw_json more;
} mcpw_ask_text_options;

/* Everything at its default. */
#define MCPW_ASK_TEXT_OPTIONS_INIT MCPW_SIZED(mcpw_ask_text_options)

/* Asks the client's model for a text. prompt is the only message, with the role of the user. options may be
 * NULL. MCPW_OK: `text` has the model's text, and `result` names the model. MCPW_E_TYPE: the model did not
 * write text. (MCP, "Sampling".) */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_ask_text(mcpw_request *request, const char *key,
                                                          mcpw_str prompt,
                                                          const mcpw_ask_text_options *options,
                                                          mcpw_ask_answer *answer);

/* Makes any input request by its method, such as "roots/list". params is an object of the newest revision
 * that has the method; absent: none. MCPW_OK: `result` has the whole result. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_ask_json(mcpw_request *request, const char *key,
                                                          const char *method, mcpw_json params,
                                                          mcpw_ask_answer *answer);

MCPW_END_DECLS

#endif
