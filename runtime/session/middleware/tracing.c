/* SPDX-License-Identifier: MIT */
/* Trace context in the _meta of messages, for OpenTelemetry. (SEP-414; W3C Trace Context.) */
#include <mcpw/middleware.h>

#include <mcpw/json.h>

#include "../support/text.h"
#include "../support/wire_names.h"

enum {
    PARENT_SIZE = 55, /* bytes of a traceparent of version 00 */
    MOST_STATE = 512, /* bytes of a tracestate that is read or sent */
    TRACE_AT = 3,     /* where the parts of a traceparent begin, each after a hyphen */
    SPAN_AT = 36,
    FLAGS_AT = 53
};

static const char parent_name[] = "traceparent";
static const char state_name[] = "tracestate";

static bool are_hex(const char *text, size_t len) {
    for (size_t i = 0; i < len; i++) {
        if (!((text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f'))) {
            return false;
        }
    }
    return true;
}

static bool are_zeros(const char *text, size_t len) {
    while (len > 0 && text[len - 1] == '0') {
        len--;
    }
    return len == 0;
}

/* Whether it is a traceparent: version, trace id, span id and flags. Later versions may append something. */
static bool is_parent(mcpw_str t) {
    if (t.len < PARENT_SIZE || (t.len > PARENT_SIZE && t.ptr[PARENT_SIZE] != '-') ||
        t.ptr[TRACE_AT - 1] != '-' || t.ptr[SPAN_AT - 1] != '-' || t.ptr[FLAGS_AT - 1] != '-') {
        return false;
    }
    const size_t trace = SPAN_AT - TRACE_AT - 1;
    const size_t span = FLAGS_AT - SPAN_AT - 1;
    return are_hex(t.ptr, TRACE_AT - 1) && memcmp(t.ptr, "ff", TRACE_AT - 1) != 0 &&
           (memcmp(t.ptr, "00", TRACE_AT - 1) != 0 || t.len == PARENT_SIZE) &&
           are_hex(t.ptr + TRACE_AT, trace) && !are_zeros(t.ptr + TRACE_AT, trace) &&
           are_hex(t.ptr + SPAN_AT, span) && !are_zeros(t.ptr + SPAN_AT, span) &&
           are_hex(t.ptr + FLAGS_AT, PARENT_SIZE - FLAGS_AT);
}

bool mcpw_request_trace(mcpw_request *request, mcpw_trace *trace) {
    const mcpw_json meta = mcpw_request_meta(request);
    *trace = (mcpw_trace){{NULL, 0}, {NULL, 0}};
    if (meta.ptr == NULL ||
        mcpw_json_get_string(meta, parent_name, mcpw_request_arena(request), &trace->traceparent) !=
            MCPW_OK ||
        !is_parent(trace->traceparent)) {
        trace->traceparent = (mcpw_str){NULL, 0};
        return false;
    }
    if (mcpw_json_get_string(meta, state_name, mcpw_request_arena(request), &trace->tracestate) != MCPW_OK ||
        trace->tracestate.len > MOST_STATE) {
        trace->tracestate = (mcpw_str){NULL, 0};
    }
    return true;
}

/* Params with the trace in their _meta. */
static mcpw_status put_trace(mcpw_passage *passage, mcpw_json params, const mcpw_trace *trace) {
    mcpw_text text = {mcpw_buffer_in(mcpw_passage_arena(passage)), MCPW_OK};
    mcpw_text but = {mcpw_buffer_in(mcpw_passage_arena(passage)), MCPW_OK};
    mcpw_json meta = {NULL, 0, 0};
    mcpw_json found;
    if (params.ptr != NULL && mcpw_json_get(params, MCPW_NAME_META, &meta) != MCPW_OK) {
        meta = (mcpw_json){NULL, 0, 0};
    }
    if (meta.ptr != NULL && mcpw_json_get(meta, parent_name, &found) == MCPW_OK) {
        return MCPW_OK;
    }
    mcpw_text_object(&but);
    mcpw_text_key(&but, MCPW_NAME_META);
    mcpw_text_bool(&but, true);
    mcpw_text_object_end(&but);
    mcpw_text_object(&text);
    mcpw_text_key(&text, MCPW_NAME_META);
    mcpw_text_object(&text);
    mcpw_text_member(&text, parent_name, trace->traceparent);
    if (trace->tracestate.ptr != NULL && trace->tracestate.len <= MOST_STATE) {
        mcpw_text_member(&text, state_name, trace->tracestate);
    }
    if (meta.ptr != NULL) {
        mcpw_text_rest(&text, meta, mcpw_text_get(&but));
    }
    mcpw_text_object_end(&text);
    if (params.ptr != NULL) {
        mcpw_text_rest(&text, params, mcpw_text_get(&but));
    }
    mcpw_text_object_end(&text);
    const mcpw_json all = mcpw_text_get(&text);
    return all.ptr != NULL ? mcpw_passage_set_params(passage, all, NULL) : text.status;
}

static mcpw_status before(mcpw_passage *passage, void *user) {
    const mcpw_tracing *const tracing = user;
    mcpw_trace trace = {{NULL, 0}, {NULL, 0}};
    return tracing->current(tracing->user, passage, &trace) && is_parent(trace.traceparent)
               ? put_trace(passage, mcpw_passage_params(passage), &trace)
               : MCPW_OK;
}

mcpw_middleware mcpw_tracing_middleware(mcpw_tracing *tracing) {
    return (mcpw_middleware){
        .name = "tracing", .passes = MCPW_PASS_SENT_REQUESTS, .before = before, .user = tracing};
}
