/* SPDX-License-Identifier: MIT */
/* Messages of a handler while it works: progress and log messages. */
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/reflect.h>
#include <mcpw/extension_kit.h>

#include "request.h"

#include "../core/level.h"
#include "../support/wire_names.h"
#include "outbound.h"

/* Writes the params of a notification of progress. */
static void write_progress(mcpw_text *text, const mcpw_request *request, const mcpw_progress *progress) {
    static const char *const written[] = {MCPW_NAME_PROGRESS_TOKEN, "progress", "total", "message", NULL};
    const mcpw_profile *const profile = request->profile;
    const mcpw_method *const entry = mcpw_method_entry(profile->revision, profile->number[MCPW_OWN_PROGRESS]);
    mcpw_text_object(text);
    mcpw_text_key(text, MCPW_NAME_PROGRESS_TOKEN);
    mcpw_text_id(text, &request->reports.token);
    mcpw_text_key(text, "progress");
    mcpw_text_number(text, progress->progress);
    if (progress->total.set) {
        mcpw_text_key(text, "total");
        mcpw_text_number(text, progress->total.value);
    }
    if (progress->message.ptr != NULL &&
        mcpw_slot_exists(mcpw_type_slot(mcpw_method_params(entry), "message"))) {
        mcpw_text_member(text, "message", progress->message);
    }
    if (text->status == MCPW_OK && progress->more.ptr != NULL) {
        text->status = mcpw_json_append_members(&text->buffer, progress->more, written);
    }
    mcpw_text_object_end(text);
}

MCPW_POSTED(posted_progress, mcpw_request_send_progress(request, a->value))

/* `name` is the function that the program has called. */
static mcpw_status send_progress(mcpw_request *request, const mcpw_progress *progress, const char *name) {
    if (mcpw_request_is_elsewhere(request)) {
        return mcpw_post_call(request, name, posted_progress, &(mcpw_post_args){.value = progress});
    }
    const mcpw_status ended = mcpw_request_ended(request);
    if (ended != MCPW_OK) {
        return ended;
    }
    if (request->reports.token.kind == MCPW_ID_ABSENT || mcpw_session_is_full(request->session) ||
        (request->reports.has_progress && !(progress->progress > request->reports.progress))) {
        return MCPW_OK;
    }
    mcpw_text text = mcpw_session_text(request->session);
    write_progress(&text, request, progress);
    const mcpw_route route = mcpw_route_of(request);
    const mcpw_status status =
        mcpw_notify_text(request->session, request->profile, MCPW_OWN_PROGRESS, &text, &route);
    if (status == MCPW_OK) {
        request->reports.has_progress = true;
        request->reports.progress = progress->progress;
    }
    return status;
}

mcpw_status mcpw_request_send_progress(mcpw_request *request, const mcpw_progress *progress) {
    return send_progress(request, progress, __func__);
}

mcpw_status mcpw_request_progress(mcpw_request *request, double progress, double total, const char *message) {
    const mcpw_progress all = {.progress = progress,
                               .total = {.set = total >= 0, .value = total},
                               .message = {message, message != NULL ? strlen(message) : 0}};
    return send_progress(request, &all, __func__);
}

static mcpw_status log_to(mcpw_session *session, const mcpw_profile *profile, mcpw_log_level level,
                          const char *logger, mcpw_json data, const mcpw_route *route) {
    if (mcpw_session_is_full(session)) {
        return MCPW_OK;
    }
    mcpw_text text = mcpw_session_text(session);
    mcpw_text_object(&text);
    mcpw_text_member(&text, "level", mcpw_level_name(level));
    if (logger != NULL) {
        mcpw_text_member(&text, "logger", mcpw_str_from(logger));
    }
    mcpw_text_member_json(&text, "data", data);
    mcpw_text_object_end(&text);
    return mcpw_notify_text(session, profile, MCPW_OWN_MESSAGE, &text, route);
}

static mcpw_status check_log(mcpw_session *session, mcpw_log_level level, mcpw_json data) {
    if (!mcpw_is_server(session) || session->closed) {
        return MCPW_E_STATE;
    }
    if (!session->config->logs) {
        mcpw_error error;
        mcpw_error_set(&error, MCPW_E_CAPABILITY, 0,
                       "a log message was left out: this server does not say that it logs, see "
                       "mcpw_server_will_log");
        mcpw_session_diagnose(session, MCPW_DIAGNOSTIC_HANDLER, NULL, no_str, &error);
        return MCPW_E_CAPABILITY;
    }
    if (level < MCPW_LOG_DEBUG || level > MCPW_LOG_EMERGENCY) {
        return MCPW_E_ARGUMENT;
    }
    return mcpw_json_check(data, 0, NULL);
}

MCPW_POSTED(posted_log, mcpw_request_log(request, (mcpw_log_level)a->number, a->text, a->json))

mcpw_status mcpw_request_log(mcpw_request *request, mcpw_log_level level, const char *logger,
                             mcpw_json data) {
    if (mcpw_request_is_elsewhere(request)) {
        return mcpw_post_call(request, __func__, posted_log,
                              &(mcpw_post_args){.number = level, .text = logger, .json = data});
    }
    const mcpw_status ended = mcpw_request_ended(request);
    if (ended != MCPW_OK) {
        return ended;
    }
    const mcpw_status status = check_log(request->session, level, data);
    if (status != MCPW_OK) {
        return status; /* the callback may have ended the request */
    }
    const mcpw_route route = mcpw_route_of(request);
    const bool wanted = request->profile->modern
                            ? request->reports.level != 0 && level >= request->reports.level
                            : level >= request->session->level;
    return wanted ? log_to(request->session, request->profile, level, logger, data, &route) : MCPW_OK;
}

bool mcpw_session_wants_log(const mcpw_session *session, mcpw_str level) {
    const mcpw_log_level said = mcpw_level_named(level);
    return mcpw_is_server(session) && session->config->logs && session->era == MCPW_ERA_LEGACY && said != 0 &&
           said >= session->level;
}

mcpw_status mcpw_session_log(mcpw_session *session, mcpw_log_level level, const char *logger,
                             mcpw_json data) {
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_log", NULL);
    }
    const mcpw_status status = check_log(session, level, data);
    if (status == MCPW_OK && session->era != MCPW_ERA_LEGACY) {
        return session->era == MCPW_ERA_MODERN ? MCPW_E_METHOD : MCPW_E_STATE;
    }
    return status == MCPW_OK && level >= session->level
               ? log_to(session, session->profile, level, logger, data, &mcpw_no_route)
               : status;
}
