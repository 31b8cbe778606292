/* SPDX-License-Identifier: MIT */
/* Responses at an end that has extensions or middleware. */
#include "respond_extended.h"

#include <mcpw/detail/catalogue.h>

#include "../support/text.h"
#include "custom_result.h"
#include "passage.h"
#include "respond.h"

mcpw_status mcpw_respond_custom(mcpw_request *r, const mcpw_type *type, const void *result,
                                mcpw_error *error) {
    mcpw_json text = no_json;
    const mcpw_status status = mcpw_custom_result(r, type, result, &text, error);
    return status == MCPW_OK ? mcpw_respond_json(r, text, error) : mcpw_request_unsendable(r, status, error);
}

/* ---- Through the middleware ---- */

/* Middleware gets a result as text. bare: it has no _meta, and gets the one that names this program. */
mcpw_status mcpw_respond_pass_value(mcpw_request *r, const mcpw_type *type, const void *result, bool bare,
                                    mcpw_error *error) {
    mcpw_json text = no_json;
    mcpw_status status = mcpw_field_text(mcpw_field_of(type, result), &r->arena, &text);
    if (status == MCPW_OK && bare && r->origin.round == NULL) {
        mcpw_text all = {mcpw_buffer_in(&r->arena), MCPW_OK};
        mcpw_text_object(&all);
        mcpw_text_raw(&all, r->profile->self_meta.ptr, r->profile->self_meta.len);
        mcpw_text_raw(&all, text.ptr + 1, text.len - 1);
        text = mcpw_text_get(&all);
        status = all.status;
    }
    if (status != MCPW_OK) {
        mcpw_error_set(error, status, 0, "%s: %s", mcpw_type_name(type), mcpw_status_text(status));
        return mcpw_request_unsendable(r, status, error);
    }
    return mcpw_respond_raw(r, type, text, error);
}

/* Whether a result that a middleware has replaced fits what the request's own had to fit. */
static mcpw_status check_replaced(mcpw_request *r, mcpw_json result, mcpw_error *error) {
    if (r->entry != NULL) {
        return mcpw_provider_of(r->session->config->server)->check_text(r->entry, result, error);
    }
    return r->custom != NULL && r->message.method == 0 ? mcpw_custom_check(r, result, error) : MCPW_OK;
}

/* Takes a response through the middleware on its way out. False: user code has ended the request. */
static bool leave_middleware(mcpw_request *r) {
    mcpw_request_ref(r);
    mcpw_passage_leave(r->passage);
    return mcpw_request_unref(r);
}

/* Sends a result as the middleware leaves it. */
mcpw_status mcpw_respond_pass_text(mcpw_request *r, const mcpw_type *type, mcpw_json result,
                                   mcpw_error *error) {
    mcpw_passage *const p = r->passage;
    p->result = result;
    p->has_error = p->changed = false;
    if (!leave_middleware(r)) {
        return mcpw_error_set(error, MCPW_E_STATE, 0, "a middleware has ended the request");
    }
    if (p->has_error) {
        return mcpw_respond_remote(r, &p->error);
    }
    const mcpw_status status = p->changed ? check_replaced(r, p->result, error) : MCPW_OK;
    return status == MCPW_OK ? mcpw_respond_raw(r, type, p->result, error)
                             : mcpw_request_unsendable(r, status, error);
}

/* The same for an error. */
mcpw_status mcpw_respond_pass_error(mcpw_request *r, const mcpw_rpc_error *error) {
    mcpw_passage *const p = r->passage;
    p->error = *error;
    p->has_error = true;
    p->result = no_json;
    if (!leave_middleware(r)) {
        return MCPW_E_STATE;
    }
    return p->has_error ? mcpw_respond_remote(r, &p->error) : mcpw_respond_json(r, p->result, NULL);
}

/* ---- Results that are written ---- */

void mcpw_respond_begin_written(mcpw_written *w, mcpw_request *r) {
    w->out = NULL;
    w->passing = true;
    w->text = (mcpw_text){mcpw_buffer_in(&r->arena), MCPW_OK};
    mcpw_text_object(&w->text);
    mcpw_text_raw(&w->text, r->binding->fill_text.ptr, r->binding->fill_text.len);
}

mcpw_status mcpw_respond_end_written(mcpw_written *w) {
    mcpw_text_object_end(&w->text);
    return w->text.status == MCPW_OK
               ? mcpw_respond_raw(w->request, w->request->binding->result, mcpw_text_get(&w->text), NULL)
               : w->text.status;
}
