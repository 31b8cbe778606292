/* SPDX-License-Identifier: MIT */
/* The way of one message through the middleware, and what a middleware may do with it. */
#include "passage.h"

#include <mcpw/detail/catalogue.h>

static const mcpw_middleware *middleware_at(const mcpw_passage *p, unsigned at) {
    return p->session->config->extensions->middleware + at;
}

mcpw_status mcpw_passage_enter(mcpw_passage *p) {
    const size_t count = p->session->config->extensions->middleware_count;
    while (p->entered < count) {
        const mcpw_middleware *const middleware = middleware_at(p, p->entered);
        mcpw_status status = MCPW_OK;
        p->at = p->entered++;
        if ((middleware->passes & p->pass) != 0 && middleware->before != NULL) {
            status = middleware->before(p, middleware->user);
        }
        if (p->phase != MCPW_PHASE_OF_BEFORE) {
            return MCPW_OK; /* the message has ended in the middleware's hands */
        }
        if (status != MCPW_OK || p->answered || p->dropped) {
            p->phase = MCPW_PHASE_OF_HANDLER;
            return status;
        }
        p->passed = p->entered;
    }
    p->phase = MCPW_PHASE_OF_HANDLER;
    return MCPW_OK;
}

static void fail(mcpw_passage *p, mcpw_status status) {
    static const char message[] = "Internal error: a middleware failed";
    mcpw_error error;
    mcpw_error_set(&error, status, 0, "the middleware %s failed: %s", middleware_at(p, p->at)->name,
                   mcpw_status_text(status));
    mcpw_session_diagnose(p->session, MCPW_DIAGNOSTIC_HANDLER, NULL, p->method, &error);
    p->error = (mcpw_rpc_error){.code = MCPW_RPC_INTERNAL_ERROR, .message = mcpw_str_from(message)};
    p->has_error = p->changed = true;
    p->result = no_json;
}

void mcpw_passage_leave(mcpw_passage *p) {
    p->phase = MCPW_PHASE_OF_AFTER;
    for (unsigned i = p->passed; i > 0 && p->phase == MCPW_PHASE_OF_AFTER; i--) {
        const mcpw_middleware *const middleware = middleware_at(p, i - 1);
        p->at = i - 1;
        if ((middleware->passes & p->pass) == 0 || middleware->after == NULL) {
            continue;
        }
        const mcpw_status status = middleware->after(p, middleware->user);
        if (status != MCPW_OK && p->phase == MCPW_PHASE_OF_AFTER) {
            fail(p, status);
        }
    }
    p->phase = MCPW_PHASE_OF_END;
}

void mcpw_passage_end(mcpw_passage *p) {
    if (p == NULL) {
        return;
    }
    p->phase = MCPW_PHASE_OF_END;
    while (p->entered > 0) {
        const mcpw_middleware *const middleware = middleware_at(p, --p->entered);
        p->at = p->entered;
        if ((middleware->passes & p->pass) != 0 && middleware->ended != NULL) {
            middleware->ended(p, middleware->user);
        }
    }
}

/* ---- What a middleware asks ---- */

mcpw_session *mcpw_passage_session(const mcpw_passage *passage) { return passage->session; }

mcpw_request *mcpw_passage_request(const mcpw_passage *passage) { return passage->request; }

mcpw_message_kind mcpw_passage_kind(const mcpw_passage *passage) {
    return (passage->pass & (MCPW_PASS_RECEIVED_REQUESTS | MCPW_PASS_SENT_REQUESTS)) != 0
               ? MCPW_MESSAGE_REQUEST
               : MCPW_MESSAGE_NOTIFICATION;
}

bool mcpw_passage_is_sent(const mcpw_passage *passage) {
    return (passage->pass & (MCPW_PASS_SENT_NOTIFICATIONS | MCPW_PASS_SENT_REQUESTS)) != 0;
}

mcpw_str mcpw_passage_method(const mcpw_passage *passage) { return passage->method; }

mcpw_arena *mcpw_passage_arena(mcpw_passage *passage) { return passage->arena; }

void **mcpw_passage_state(mcpw_passage *passage) { return passage->states + passage->at; }

mcpw_json mcpw_passage_params(mcpw_passage *passage) {
    mcpw_json text = passage->params;
    if (text.ptr == NULL && passage->value != NULL &&
        mcpw_field_text(mcpw_field_of(passage->type, passage->value), passage->arena, &text) != MCPW_OK) {
        text = no_json;
    }
    passage->params = text;
    return text;
}

const void *mcpw_passage_value(const mcpw_passage *passage, const mcpw_type **type) {
    *type = passage->value != NULL ? passage->type : NULL;
    return passage->value;
}

mcpw_json mcpw_passage_result(const mcpw_passage *passage) { return passage->result; }

const mcpw_rpc_error *mcpw_passage_error(const mcpw_passage *passage) {
    return passage->has_error ? &passage->error : NULL;
}

/* ---- What it does ---- */

/* A copy of an object that lives as long as the passage. */
static mcpw_status keep_object(mcpw_passage *p, mcpw_json *object, const char *what, mcpw_error *error) {
    mcpw_error local;
    error = error != NULL ? error : &local;
    const mcpw_status status = mcpw_json_check(*object, 0, error);
    if (status != MCPW_OK || mcpw_json_kind_of(*object) != MCPW_JSON_OBJECT) {
        return mcpw_error_set(error, status != MCPW_OK ? status : MCPW_E_TYPE, 0, "the %s are no JSON object",
                              what);
    }
    const mcpw_str copy = mcpw_arena_str(p->arena, object->ptr, object->len);
    *object = (mcpw_json){copy.ptr, copy.len, 0};
    return copy.ptr != NULL ? MCPW_OK
                            : mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
}

mcpw_status mcpw_passage_set_params(mcpw_passage *passage, mcpw_json params, mcpw_error *error) {
    mcpw_error local;
    error = error != NULL ? error : &local;
    if (passage->phase != MCPW_PHASE_OF_BEFORE) {
        return mcpw_error_set(error, MCPW_E_STATE, 0, "params can be replaced only in `before`");
    }
    mcpw_status status = keep_object(passage, &params, "params", error);
    if (status == MCPW_OK && passage->accept != NULL) {
        status = passage->accept(passage, params, error);
    }
    if (status == MCPW_OK) {
        passage->params = params;
        passage->replaced = true;
    }
    return status;
}

/* Whether a response may be set now. */
static bool may_answer(mcpw_passage *p) {
    if (mcpw_passage_kind(p) != MCPW_MESSAGE_REQUEST ||
        (p->phase != MCPW_PHASE_OF_BEFORE && p->phase != MCPW_PHASE_OF_AFTER)) {
        return false;
    }
    p->answered = p->answered || p->phase == MCPW_PHASE_OF_BEFORE;
    p->changed = true;
    return true;
}

mcpw_status mcpw_passage_set_result(mcpw_passage *passage, mcpw_json result, mcpw_error *error) {
    const mcpw_status status = keep_object(passage, &result, "result", error);
    if (status != MCPW_OK || !may_answer(passage)) {
        return status != MCPW_OK ? status
                                 : mcpw_error_set(error, MCPW_E_STATE, 0, "this message has no response now");
    }
    passage->result = result;
    passage->has_error = false;
    return MCPW_OK;
}

mcpw_status mcpw_passage_set_error(mcpw_passage *passage, int64_t code, const char *message, mcpw_json data) {
    const mcpw_str text =
        mcpw_arena_str(passage->arena, message != NULL ? message : "", message != NULL ? strlen(message) : 0);
    if (data.ptr != NULL) {
        const mcpw_status status = mcpw_json_check(data, 0, NULL);
        const mcpw_str copy = mcpw_arena_str(passage->arena, data.ptr, data.len);
        data = (mcpw_json){copy.ptr, copy.len, 0};
        if (status != MCPW_OK || copy.ptr == NULL) {
            return status != MCPW_OK ? status : MCPW_E_MEMORY;
        }
    }
    if (text.ptr == NULL) {
        return MCPW_E_MEMORY;
    }
    if (!may_answer(passage)) {
        return MCPW_E_STATE;
    }
    passage->error = (mcpw_rpc_error){.code = code, .message = text, .data = data};
    passage->has_error = true;
    passage->result = no_json;
    return MCPW_OK;
}

void mcpw_passage_drop(mcpw_passage *passage) {
    passage->dropped =
        passage->phase == MCPW_PHASE_OF_BEFORE && mcpw_passage_kind(passage) == MCPW_MESSAGE_NOTIFICATION;
}
