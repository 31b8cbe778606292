/* SPDX-License-Identifier: MIT */
/* The further actions of a callback: whatever the headers allow, which is everything but
 * mcpw_session_free, to any request that is known. */
#include "side.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/frame.h>
#include <mcpw/json.h>

enum { MOST_DEPTH = 3, MOST_TIMES = 200, SOON = 100, LATE = 70000, CHANCES = 256, RARELY = 16 };

enum {
    ANSWER_KEPT,
    ANSWER_RUNNING,
    REFUSE_RUNNING,
    ASK_RUNNING,
    TELL_RUNNING,
    RESUME_KEPT,
    CANCEL_CALL,
    CALL,
    CHANGE,
    EXCHANGE_TOOL,
    ADVANCE,
    CLOSE,
    LISTEN,
    LOG,
    FEED,
    SENT,
    COMPLETE,
    PRINCIPAL,
    ABANDON,
    TRIM,
    MEDDLES
};

static mcpw_request *running(side *s) {
    return s->running_count != 0 ? s->running[side_random(s) % s->running_count] : NULL;
}

static void tell(mcpw_request *request, unsigned n) {
    const mcpw_json data = MCPW_JSON("[1]");
    const mcpw_json state = MCPW_JSON("{\"step\":1}");
    (void)!mcpw_request_progress(request, n, -1, "meanwhile");
    (void)!mcpw_request_log(request, MCPW_LOG_ERROR, "meddler", data);
    (void)!mcpw_request_set_state(request, state);
    mcpw_request_set_patience(request, n);
}

/* To the request of a handler that runs. */
static void meddle_with(side *s, mcpw_request *request, unsigned what, unsigned n) {
    static const char *const input_requests[] = {"roots/list", "elicitation/create",
                                                 "sampling/createMessage"};
    switch (what) {
    case ANSWER_RUNNING:
        side_over(s, request);
        (void)!side_answer(s, request);
        break;
    case REFUSE_RUNNING:
        side_over(s, request);
        (void)!mcpw_respond_error(request, -1, "meddled", mcpw_json_from(NULL));
        break;
    case ASK_RUNNING:
        (void)!side_ask(s, request, "meddler",
                        input_requests[n % (sizeof input_requests / sizeof input_requests[0])]);
        break;
    default:
        tell(request, n);
        break;
    }
}

static void meddle_once(side *s, unsigned what, unsigned n) {
    const mcpw_interest interest = {.tools = true, .prompts = true, .resources = true};
    mcpw_request *const request = running(s);
    if (what >= ANSWER_RUNNING && what <= TELL_RUNNING) {
        if (request != NULL) {
            meddle_with(s, request, what, n);
        }
        return;
    }
    switch (what) {
    case ANSWER_KEPT:
        side_answer_kept(s, n, n >> 3);
        break;
    case RESUME_KEPT:
        side_resume_kept(s, n);
        break;
    case CANCEL_CALL:
        side_cancel(s, n);
        break;
    case CALL:
        side_request(s, (int)(n % ((unsigned)mcpw_method_count(s->revision) + 2U)), n >> 8);
        break;
    case CHANGE:
        side_change(s, n);
        break;
    case EXCHANGE_TOOL:
        side_exchange_tool(s);
        break;
    case ADVANCE:
        side_advance(s, n % 2 == 0 ? SOON : LATE);
        break;
    case CLOSE:
        if (n % RARELY == 0) {
            mcpw_session_close(s->session);
        }
        break;
    case LISTEN:
        (void)!mcpw_session_listen(s->session, &interest, NULL, NULL, NULL, NULL);
        break;
    case LOG:
        (void)!mcpw_session_log(s->session, MCPW_LOG_ALERT, NULL, mcpw_json_from("[]"));
        break;
    case FEED:
        if (!s->whole) { /* it would be one stream of bytes from then on */
            (void)!mcpw_session_feed(s->session, "", 0);
        }
        break;
    case ABANDON:
        side_abandon(s, n);
        break;
    case TRIM:
        mcpw_session_trim(s->session);
        break;
    case COMPLETE:
        (void)!mcpw_session_elicitation_complete(s->session, mcpw_str_from("e"));
        break;
    case PRINCIPAL:
        (void)!mcpw_session_set_principal(s->session, mcpw_str_from(n % 2 == 0 ? "somebody" : NULL));
        break;
    default:
        if (!s->whole) {
            mcpw_session_sent(s->session, 0);
        }
        break;
    }
}

bool side_operate(side *s, int letter, unsigned number) {
    const mcpw_interest interest = {.tools = true, .prompts = true, .resources = (number & 1U) != 0};
    switch (letter) {
    case 't':
        side_advance(s, LATE);
        break;
    case 'k':
        side_cancel(s, number);
        break;
    case 'r':
        side_answer_kept(s, number, number >> 3);
        break;
    case 'u':
        side_resume_kept(s, number);
        break;
    case 'm':
        s->meddling = number;
        break;
    case 'g':
        side_change(s, number);
        break;
    case 'l':
        (void)!mcpw_session_log(s->session, (mcpw_log_level)(number % (MCPW_LOG_EMERGENCY + 2U)), "l",
                                mcpw_json_from("{\"a\":\n1}"));
        break;
    case 'i':
        (void)!mcpw_session_listen(s->session, &interest, NULL, NULL, NULL, NULL);
        break;
    case 'c':
        mcpw_session_close(s->session);
        break;
    case 'e':
        s->cut = s->cut || s->line_len != 0;
        (void)!mcpw_session_end_input(s->session);
        break;
    case 'x':
        mcpw_session_trim(s->session);
        break;
    default:
        return false;
    }
    return true;
}

void side_meddle(side *s) {
    if (s->session == NULL || s->depth >= MOST_DEPTH || s->meddled >= MOST_TIMES ||
        side_random(s) % CHANCES >= s->meddling) {
        return;
    }
    s->depth++;
    s->meddled++;
    meddle_once(s, side_random(s) % MEDDLES, side_random(s));
    s->depth--;
}
