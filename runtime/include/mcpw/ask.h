/* SPDX-License-Identifier: MIT */
/*
 * Input requests in the middle of a request, in one line: JSON and texts go in, JSON and texts come out.
 *
 *     mcpw_ask_answer answer = MCPW_ASK_ANSWER_INIT;
 *     const mcpw_status status = mcpw_ask_form(request, "size", "How large?", MCPW_JSON("{...}"), &answer);
 *     if (status != MCPW_OK) {
 *         return status;
 *     }
 *
 * Handlers call these functions: those of <mcpw/server.h> and typed slots, on the session's thread, on a
 * worker, and on a thread that has a detached request (<mcpw/thread.h>). They work in every revision that has
 * the method, as mcpw_request_ask does, and return what that returns:
 *
 *   MCPW_OK            the answer is there
 *   MCPW_PENDING       the input request was asked. The handler returns MCPW_PENDING and runs again, from its
 *                      beginning, when all answers are there
 *   MCPW_E_CAPABILITY  the client cannot be asked this. A handler that returns this status refuses
 *                      the request as the client's revision says. It may also go on without an answer
 *   any other          there is no answer; `error` of the answer says why
 *
 * key names the input request within its request. The texts that an answer refers to live as long as the
 * request. Input requests are written in the newest revision that has the method and projected to the
 * client's. (MCP, "Elicitation", "Sampling", "Roots"; from 2026-07-28 on also "Multi Round-Trip Requests".)
 */
#ifndef MCPW_ASK_H
#define MCPW_ASK_H

#include <mcpw/session.h>

MCPW_BEGIN_DECLS

/* What the user did with an input request. */
typedef enum mcpw_ask_action {
    MCPW_ASK_ACCEPT = 1,  /* the form was filled in, or the URL will be visited */
    MCPW_ASK_DECLINE = 2, /* the user said no */
    MCPW_ASK_CANCEL = 3   /* the user closed the input request without a choice */
} mcpw_ask_action;

/* An answer. Initialise with MCPW_ASK_ANSWER_INIT. */
typedef struct mcpw_ask_answer {
    size_t struct_size;     /* set by MCPW_ASK_ANSWER_INIT */
    mcpw_ask_action action; /* of a form or a URL; 0: none */
    mcpw_json content;      /* of a form that was accepted: an object, which fits the form's schema */
    mcpw_str text;          /* of mcpw_ask_text: what the model wrote */
    mcpw_json result;       /* the whole result of the method */
    mcpw_error error;       /* where and why, unless the status is MCPW_OK or MCPW_PENDING */
} mcpw_ask_answer;

/* Everything absent. */
#define MCPW_ASK_ANSWER_INIT MCPW_SIZED(mcpw_ask_answer)

/* Asks the user to fill in a form. message says what for. schema is the form: a JSON Schema of an object
 * whose properties are flat (texts, numbers, booleans, choices). MCPW_OK: `action` says what the user did,
 * and `content` has what was filled in. (MCP, "Elicitation", form mode; from 2025-06-18 on.) */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_ask_form(mcpw_request *request, const char *key, const char *message,
                                                  mcpw_json schema, mcpw_ask_answer *answer);

/* Asks the user to visit a URL, for what must not pass through the client: a password, a payment, a consent.
 * MCPW_OK: `action` says whether the user agreed to visit it, not what came of it. When that is done,
 * mcpw_session_elicitation_complete with the handle of mcpw_request_elicitation tells the client. (MCP,
 * "Elicitation", URL mode; from 2025-11-25 on.) */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_ask_url(mcpw_request *request, const char *key, const char *message,
                                                 const char *url, mcpw_ask_answer *answer);

/* Options of an input request to the client's model. Zero and NULL take the default. Initialise with
 * MCPW_ASK_TEXT_OPTIONS_INIT. */
typedef struct mcpw_ask_text_options {
    size_t struct_size;        /* set by MCPW_ASK_TEXT_OPTIONS_INIT */
    int64_t max_tokens;        /* that the model may write; default 1000 */
    const char *system_prompt; /* NULL: none */
    /* An object with more members of CreateMessageRequestParams: modelPreferences, temperature. */
    mcpw_json more;
} mcpw_ask_text_options;

/* Everything at its default. */
#define MCPW_ASK_TEXT_OPTIONS_INIT MCPW_SIZED(mcpw_ask_text_options)

/* Asks the client's model for a text. prompt is the one message, the user's. options may be NULL. MCPW_OK:
 * `text` has what the model wrote, and `result` which model it was. MCPW_E_TYPE: the model did not write
 * text. (MCP, "Sampling".) */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_ask_text(mcpw_request *request, const char *key, mcpw_str prompt,
                                                  const mcpw_ask_text_options *options,
                                                  mcpw_ask_answer *answer);

/* Asks any input request by its method, such as "roots/list". params is an object of the newest revision that
 * has the method; absent: none. MCPW_OK: `result` has the whole result. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_ask_json(mcpw_request *request, const char *key, const char *method,
                                                  mcpw_json params, mcpw_ask_answer *answer);

MCPW_END_DECLS

#endif
