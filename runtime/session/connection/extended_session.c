/* SPDX-License-Identifier: MIT */
/* The way of messages at an end that has extensions or middleware, and how such an end is made. */
#include "extended_session.h"

#include <mcpw/detail/catalogue.h>

#include "../calls/ask.h"
#include "../calls/custom_call.h"
#include "../calls/extended_call.h"
#include "../calls/passing_call.h"
#include "../calls/taker.h"
#include "../core/form.h"
#include "../requests/custom_result.h"
#include "../requests/passing.h"
#include "../requests/respond_extended.h"
#include "../revisions/extension_bind.h"
#include "../revisions/extension_check.h"
#include "../revisions/extension_scopes.h"
#include "../subscriptions/custom_filter.h"
#include "../subscriptions/uri_subscription.h"
#include "custom.h"
#include "dispatch.h"
#include "receive.h"
#include "relay.h"

/* ---- Messages of the peer ---- */

/* Whether the middleware gets a request, if there is any. */
static bool passes(const mcpw_request *r) {
    const mcpw_own own = r->binding->own;
    return mcpw_passes(r->session, MCPW_PASS_RECEIVED_REQUESTS) && own != MCPW_OWN_INITIALIZE &&
           own != MCPW_OWN_DISCOVER && own != MCPW_OWN_PING && own != MCPW_OWN_LISTEN;
}

static mcpw_status serve_extended(mcpw_request *r) {
    mcpw_status status = mcpw_ask_is_due(r) ? mcpw_ask_load(r) : MCPW_OK;
    if (status == MCPW_OK && !r->life.answered && passes(r)) {
        status = mcpw_passing_request(r);
    }
    if (status != MCPW_OK || r->life.answered) {
        return status;
    }
    return mcpw_custom_is_of(r) ? mcpw_custom_serve(r) : mcpw_request_dispatch(r);
}

/* The session handles these by itself, so no middleware gets them. */
static bool is_of_session(mcpw_own own) {
    return own == MCPW_OWN_INITIALIZED || own == MCPW_OWN_CANCELLED || own == MCPW_OWN_ACKNOWLEDGED;
}

static void handle_notification(mcpw_session *session, mcpw_request *r) {
    if (r->custom != NULL) {
        mcpw_custom_notify_handler(r);
    } else {
        mcpw_receive_handle(session, r);
    }
}

static void take_notification(mcpw_session *session, mcpw_request *r) {
    mcpw_passage passage;
    bool usable = true;
    if ((!mcpw_custom_take_notification(r, &usable) && !mcpw_receive_admits(session, r)) || !usable) {
        return;
    }
    if (!mcpw_passes(session, MCPW_PASS_RECEIVED_NOTIFICATIONS) ||
        is_of_session(r->profile->bindings[r->message.method].own)) {
        handle_notification(session, r);
    } else if (mcpw_passing_notification(r, &passage)) {
        handle_notification(session, r);
        mcpw_passing_end(&passage);
    }
}

/* ---- The table ---- */

static const mcpw_rerun_callbacks rerun = {
    serve_extended, mcpw_ask_settle, {MCPW_DISPATCH_ENDED, mcpw_passing_ended}, mcpw_call_passed};

const mcpw_extended mcpw_extended_callbacks = {.rerun = &rerun,
                                               .add_revisions = mcpw_extensions_add_revisions,
                                               .bring = mcpw_extensions_bring,
                                               .declare = mcpw_extensions_declare,
                                               .bind = mcpw_extensions_bind,
                                               .check = mcpw_extensions_check,
                                               .free = mcpw_extensions_free,
                                               .need = mcpw_extensions_need,
                                               .is_in_core = mcpw_extensions_are_in_core,
                                               .read_filters = mcpw_custom_filters_read,
                                               .end_filters = mcpw_custom_filters_end,
                                               .admits = mcpw_custom_admits,
                                               .take = mcpw_custom_take,
                                               .take_notification = take_notification,
                                               .respond = mcpw_respond_custom,
                                               .check_text = mcpw_custom_check,
                                               .pass_value = mcpw_respond_pass_value,
                                               .pass_text = mcpw_respond_pass_text,
                                               .pass_error = mcpw_respond_pass_error,
                                               .begin_written = mcpw_respond_begin_written,
                                               .end_written = mcpw_respond_end_written,
                                               .pass_notification = mcpw_passing_sent_notification,
                                               .numbered = mcpw_custom_numbered,
                                               .notify = mcpw_custom_notify_value,
                                               .send = mcpw_call_send_custom,
                                               .pass_sent = mcpw_call_emit_passing,
                                               .pass_reply = mcpw_passing_reply,
                                               .reply = mcpw_call_reply_custom,
                                               .read_added = mcpw_call_read_added,
                                               .reply_added = mcpw_call_reply_added,
                                               .take_result = mcpw_taker_take_value,
                                               .holds = mcpw_taker_holds,
                                               .add_members = mcpw_taker_add_members,
                                               .end_state = mcpw_taker_end_state,
                                               .topic = mcpw_custom_topic,
                                               .end_passage = mcpw_passage_end};

/* ---- Configs ---- */

static mcpw_status set_of(mcpw_session_config *config, mcpw_error *error) {
    if (config == NULL || config->struct_size < offsetof(mcpw_session_config, extensions) + sizeof(void *)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "the config is NULL or not initialised with MCPW_SESSION_CONFIG_INIT");
    }
    if (config->extensions == NULL) {
        config->extensions =
            mcpw_extensions_new(&mcpw_extended_callbacks, &config->allocator, config->patterns);
    }
    return config->extensions != NULL
               ? MCPW_OK
               : mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
}

mcpw_status mcpw_client_add_extension(mcpw_session_config *config, const mcpw_extension *extension,
                                      mcpw_error *error) {
    const mcpw_status status = set_of(config, error);
    return status == MCPW_OK ? mcpw_extensions_add(config->extensions, extension, error) : status;
}

mcpw_status mcpw_client_add_middleware(mcpw_session_config *config, const mcpw_middleware *middleware,
                                       mcpw_error *error) {
    const mcpw_status status = set_of(config, error);
    return status == MCPW_OK ? mcpw_extensions_add_middleware(config->extensions, middleware, error) : status;
}
