/* SPDX-License-Identifier: MIT */
/*
 * The client's end of rounds of input (MCP 2026-07-28, "Multi round-trip requests"). A server's answer that
 * asks is given to this end's handlers, input request by input request, as if each were a request. Then the
 * request is sent again with their answers. The limits for requests of the peer's hold for its input
 * requests, too.
 */
#include <mcpw/detail/catalogue.h>
#include <mcpw/error.h>

#include "round.h"

#include "../requests/request.h"
#include "../requests/running.h"
#include "../revisions/judge.h"
#include "../support/print.h"
#include "../support/wire_names.h"
#include "call.h"

enum { MAX_ROUNDS = 32 };

static void drop_round(mcpw_round *round) {
    mcpw_session *const session = round->session;
    mcpw_request *r = session->served.in_flight;
    round->pending = NULL; /* what is left of the round takes no answer */
    while (r != NULL) {
        if (r->origin.round == round) {
            mcpw_request_drop(r);
            r = session->served.in_flight; /* a callback may have changed the list */
        } else {
            r = r->place.next;
        }
    }
    if (!round->entering) {
        mcpw_text_free(&round->answers);
        mcpw_session_release(session, round, sizeof *round);
    }
}

static void round_step(mcpw_round *round) {
    mcpw_pending *const p = round->pending;
    round->waiting--;
    if (round->refusal.ptr != NULL && !round->entering) { /* the other answers are of no use */
        mcpw_pending_fail(p, MCPW_E_CANCELLED, round->refusal.ptr);
        return;
    }
    if (round->waiting != 0) {
        return;
    }
    if (round->answers.status != MCPW_OK) {
        mcpw_pending_fail(p, round->answers.status, mcpw_status_text(round->answers.status));
        return;
    }
    if (p->callbacks.gathered != NULL) {
        p->callbacks.gathered(round);
        return;
    }
    const mcpw_mark before = round->before;
    const int64_t number = p->number;
    mcpw_session *const session = p->session;
    p->input.round = NULL;
    mcpw_call_resend(p, mcpw_text_get(&round->answers), round->state);
    drop_round(round);
    if (mcpw_pending_numbered(session, number) == p) {
        mcpw_arena_rewind(&p->arena, before); /* the next round has its own texts */
    }
}

static void answer(mcpw_request *request, mcpw_json result) {
    mcpw_round *const round = request->origin.round;
    mcpw_text_key_str(&round->answers, request->round_key);
    mcpw_text_json(&round->answers, result);
    mcpw_request_finish(request);
    round_step(round);
}

static void keep_refusal(mcpw_round *round, mcpw_str key, const char *why) {
    char text[MCPW_MESSAGE_ROOM];
    char name[MCPW_EXCERPT_SIZE];
    (void)mcpw_print_text(text, sizeof text, "the server's input request \"%s\" was refused: %s",
                          mcpw_excerpt(name, key.ptr, key.len), why);
    const mcpw_str copy = mcpw_arena_str(&round->pending->arena, text, strlen(text));
    round->refusal.ptr = copy.ptr != NULL ? copy.ptr : "an input request of the server was refused";
}

static void refuse_input_request(mcpw_request *request, mcpw_str message) {
    mcpw_round *const round = request->origin.round;
    const mcpw_str why = mcpw_arena_str(&round->pending->arena, message.ptr, message.len); /* ends with NUL */
    keep_refusal(round, request->round_key, why.ptr != NULL ? why.ptr : "");
    mcpw_request_finish(request);
    round_step(round);
}

static const mcpw_round_callbacks round_callbacks = {answer, refuse_input_request, drop_round};

/* Gives one input request to this end's handlers. */
static void enter(mcpw_round *round, mcpw_str key, mcpw_json input_request) {
    mcpw_session *const session = round->pending->session;
    const mcpw_revision *const revision = session->profile->revision;
    mcpw_request *const r = mcpw_request_take(session);
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_json params = no_json;
    mcpw_str name;
    mcpw_error error;
    if (r == NULL) {
        keep_refusal(round, key, mcpw_status_text(MCPW_E_MEMORY));
        return;
    }
    options.flags = session->config->flags;
    memset(&r->message, 0, sizeof r->message);
    r->profile = session->profile;
    r->round_key = mcpw_arena_str(&r->arena, key.ptr, key.len);
    if (mcpw_json_get_string(input_request, "method", &r->arena, &name) == MCPW_OK) {
        r->message.method = mcpw_method_number(revision, name.ptr, name.len);
    }
    const mcpw_method *const method = mcpw_method_entry(revision, r->message.method);
    mcpw_status status = method != NULL ? MCPW_OK : MCPW_E_METHOD;
    mcpw_error_set(&error, status, 0, "%s", mcpw_status_text(status));
    if (method != NULL && mcpw_method_params(method) != NULL &&
        mcpw_json_get(input_request, "params", &params) == MCPW_OK) {
        void *const value = mcpw_arena_alloc(&r->arena, mcpw_type_size(mcpw_method_params(method)));
        status = value == NULL ? MCPW_E_MEMORY
                               : mcpw_decode(mcpw_method_params(method), params.ptr, params.len, &r->arena,
                                             value, &options, &error);
        r->message.value = value;
        r->message.type = mcpw_method_params(method);
    }
    const mcpw_case asked = {
        .from = MCPW_ROLE_SERVER, .kind = MCPW_MESSAGE_REQUEST, .method = r->message.method, .inside = true};
    if (status == MCPW_OK && !mcpw_judge(session, session->profile, MCPW_RULES_METHOD, &asked, NULL)) {
        status = MCPW_E_METHOD;
        mcpw_error_set(&error, status, 0, "Method not found: %.*s", (int)name.len, name.ptr);
    }
    const char *const why = status != MCPW_OK ? error.message : mcpw_request_excess(session, r);
    if (why != NULL) {
        keep_refusal(round, key, why);
        mcpw_request_release(r);
        return;
    }
    r->message.kind = MCPW_MESSAGE_REQUEST;
    r->origin.round = round;
    round->waiting++;
    mcpw_request_enter(r);
}

/* Why no round can begin; NULL: it can. */
static const char *reject(mcpw_pending *p, mcpw_field requests, mcpw_str state, mcpw_status *status) {
    *status = MCPW_E_STATE;
    if (requests.at == NULL && state.ptr == NULL) {
        *status = MCPW_E_UNION;
        return "the server asks for input but names none";
    }
    if (++p->input.rounds > MAX_ROUNDS) {
        return "the server asks for input again and again";
    }
    if (mcpw_field_count(requests) > p->session->config->max_requests) {
        return "the server asks for too much input at once";
    }
    return NULL;
}

static mcpw_round *round_new(mcpw_pending *p) {
    mcpw_session *const session = p->session;
    mcpw_round *const round = mcpw_session_alloc(session, sizeof *round);
    if (round != NULL) {
        round->callbacks = &round_callbacks;
        round->session = session;
        round->pending = p;
        round->entering = true;
        round->answers = mcpw_session_text(session);
        round->waiting =
            1; /* the beginning counts as one, so that the round ends with the last input request */
        round->before = mcpw_arena_mark(&p->arena);
        p->input.round = round;
        mcpw_pending_set_due(p, p->clock.due_at_last); /* somebody may have to think */
    }
    return round;
}

/* Keeps what the server's answer says, because it must live until the last input request is answered. */
static mcpw_status keep_asked(mcpw_round *round, mcpw_field requests, mcpw_str state,
                              mcpw_json *input_requests) {
    mcpw_arena *const arena = &round->pending->arena;
    mcpw_status status = MCPW_OK;
    *input_requests = no_json;
    if (state.ptr != NULL) {
        mcpw_text text = mcpw_session_text(round->session);
        mcpw_text_string(&text, state);
        status = mcpw_text_finish(&text, arena, &round->state);
    }
    return status == MCPW_OK && requests.at != NULL ? mcpw_field_text(requests, arena, input_requests)
                                                    : status;
}

void mcpw_round_begin(mcpw_pending *p, mcpw_field asked) {
    const mcpw_field requests = mcpw_field_get(asked, "inputRequests");
    const mcpw_str state = mcpw_field_str(mcpw_field_get(asked, MCPW_NAME_REQUEST_STATE));
    mcpw_json input_requests;
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json input_request;
    mcpw_str name;
    mcpw_status status;
    const char *const why = reject(p, requests, state, &status);
    mcpw_round *const round = why == NULL ? round_new(p) : NULL;
    if (round == NULL) {
        status = why == NULL ? MCPW_E_MEMORY : status;
        mcpw_pending_fail(p, status, why != NULL ? why : mcpw_status_text(status));
        return;
    }
    if (keep_asked(round, requests, state, &input_requests) != MCPW_OK) {
        round->refusal.ptr = mcpw_status_text(MCPW_E_MEMORY);
    } else if (input_requests.ptr != NULL && mcpw_json_iterate(input_requests, &it) == MCPW_OK) {
        while (round->pending != NULL && round->refusal.ptr == NULL &&
               mcpw_json_next(&it, &key, &input_request)) {
            if (mcpw_json_string(key, &p->arena, &name) == MCPW_OK) {
                enter(round, name, input_request);
            }
        }
    }
    round->entering = false;
    if (round->pending == NULL) {
        drop_round(round); /* a handler has closed the session, or cancelled the request */
    } else {
        round_step(round);
    }
}
