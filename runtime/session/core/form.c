/* SPDX-License-Identifier: MIT */
#include "form.h"

#include "../support/defaults.h"
#include "../support/text.h"
#include "tool_schema.h"

static const char form_name[] = "requestedSchema";
static const char content_name[] = "content";
static const char action_name[] = "action";

mcpw_status mcpw_form_read(mcpw_session *session, mcpw_form *form, mcpw_arena *arena, const mcpw_type *type,
                           const void *params, mcpw_error *error) {
    const mcpw_session_config *const c = session->config;
    if (form->looked || c->check_forms == MCPW_OFF || params == NULL || type == NULL) {
        return MCPW_OK;
    }
    const mcpw_field field = mcpw_field_get(mcpw_field_of(type, params), form_name);
    if (field.at == NULL) {
        return MCPW_OK;
    }
    mcpw_status status = mcpw_field_text(field, arena, &form->text);
    if (status != MCPW_OK) {
        return mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
    }
    status = mcpw_tool_schema_compile(c->patterns, &c->allocator, form_name, form->text, MCPW_FORMATS_HOLD,
                                      &form->schema, error);
    form->looked = status == MCPW_OK;
    return status;
}

void mcpw_form_free(mcpw_form *form) {
    mcpw_tool_schema_free(form->schema);
    form->schema = NULL;
}

/* Whether an answer accepts. A declined or cancelled form has no content to check, nor has a task. */
static mcpw_status find_acceptance(mcpw_json answer, mcpw_arena *arena, bool *accepts) {
    mcpw_str action = {NULL, 0};
    const mcpw_status status = mcpw_json_get_string(answer, action_name, arena, &action);
    *accepts = status == MCPW_OK && mcpw_str_is(action, "accept");
    return status == MCPW_E_NOT_FOUND ? MCPW_OK : status;
}

/* The content of the form. Nothing is as good as an empty form. */
static mcpw_json content_of(mcpw_json answer) {
    mcpw_json content = {"{}", 2, 0};
    mcpw_json found;
    return mcpw_json_get(answer, content_name, &found) == MCPW_OK ? found : content;
}

mcpw_status mcpw_form_check(const mcpw_form *form, mcpw_arena *arena, mcpw_json answer, mcpw_error *error) {
    const mcpw_mark mark = mcpw_arena_mark(arena);
    bool accepts = false;
    mcpw_status status = form->schema != NULL ? find_acceptance(answer, arena, &accepts) : MCPW_OK;
    if (status == MCPW_OK && accepts) {
        status = mcpw_tool_schema_check(form->schema, content_of(answer), arena, NULL, error);
        if (status != MCPW_OK) {
            mcpw_error_prepend_key(error, content_name, sizeof content_name - 1);
        }
    }
    mcpw_arena_rewind(arena, mark);
    return status;
}

mcpw_status mcpw_form_fill(const mcpw_form *form, mcpw_arena *arena, mcpw_json *answer) {
    const mcpw_json before = content_of(*answer);
    mcpw_json after = before;
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json value;
    bool accepts = false;
    if (form->schema == NULL || !mcpw_has_defaults(form->text)) {
        return MCPW_OK;
    }
    mcpw_status status = find_acceptance(*answer, arena, &accepts);
    if (status != MCPW_OK || !accepts) {
        return status;
    }
    status = mcpw_fill_defaults(form->text, before, arena, &after);
    if (status != MCPW_OK || after.ptr == before.ptr || mcpw_json_iterate(*answer, &it) != MCPW_OK) {
        return status;
    }
    mcpw_text text = {mcpw_buffer_in(arena), MCPW_OK};
    mcpw_text_object(&text);
    while (mcpw_json_next(&it, &key, &value)) {
        if (value.ptr != before.ptr) {
            mcpw_text_member_copy(&text, key, value);
        }
    }
    mcpw_text_member_json(&text, content_name, after);
    mcpw_text_object_end(&text);
    return mcpw_text_finish(&text, arena, answer);
}

/* ---- Requests of the peer's ---------------------------------------------------------------------------- */

mcpw_status mcpw_form_take(mcpw_request *r, mcpw_error *error) {
    const mcpw_dispatch *const dispatch = r->session->config->dispatch;
    if (dispatch != NULL && dispatch->relays) {
        return MCPW_OK; /* it is another's input request */
    }
    const mcpw_status status =
        mcpw_form_read(r->session, &r->form, &r->arena, r->message.type, r->message.value, error);
    if (r->form.schema != NULL) {
        r->life.endings |= 1U << MCPW_ENDING_FORM;
    }
    return status;
}

mcpw_status mcpw_form_answer(mcpw_request *r, mcpw_json *answer, mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    error->code = MCPW_OK;
    if (r->session->config->fill_forms) {
        status = mcpw_form_fill(&r->form, &r->arena, answer);
    }
    status = status == MCPW_OK ? mcpw_form_check(&r->form, &r->arena, *answer, error) : status;
    if (status != MCPW_OK) {
        mcpw_explain(error, status);
    }
    return status;
}

void mcpw_form_end(mcpw_request *r) { mcpw_form_free(&r->form); }
