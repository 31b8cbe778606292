/* SPDX-License-Identifier: MIT */
/* The envelope of a message, in one pass of the scanner over its text. */
#include <mcpw/envelope.h>

#include <assert.h>

#include "../base/error_text.h"
#include "../json/scanner.h"

#define META "io.modelcontextprotocol/"

/* The names, in the order of mcpw_envelope_at. */
static const mcpw_str names[MCPW_AT_COUNT] = {
    MCPW_STR("jsonrpc"),
    MCPW_STR("id"),
    MCPW_STR("method"),
    MCPW_STR("params"),
    MCPW_STR("result"),
    MCPW_STR("error"),
    MCPW_STR("_meta"),
    MCPW_STR("name"),
    MCPW_STR("arguments"),
    MCPW_STR("uri"),
    MCPW_STR("taskId"),
    MCPW_STR("task"),
    MCPW_STR("requestId"),
    MCPW_STR("protocolVersion"),
    MCPW_STR(META "protocolVersion"),
    MCPW_STR(META "clientCapabilities"),
    MCPW_STR(META "clientInfo"),
    MCPW_STR(META "logLevel"),
    MCPW_STR("progressToken"),
    MCPW_STR("code"),
};

static_assert(MCPW_AT_COUNT <= 32, "each member has a bit");

/* The objects whose members are looked at, as the ranges of their names. */
typedef struct level {
    unsigned first;
    unsigned end;
} level;

static const level message_level = {MCPW_AT_JSONRPC, MCPW_AT_META};
static const level params_level = {MCPW_AT_META, MCPW_AT_VERSION};
static const level meta_level = {MCPW_AT_VERSION, MCPW_AT_CODE};
static const level error_level = {MCPW_AT_CODE, MCPW_AT_COUNT};

/* The level below a member, if its members are looked at. */
static const level *below(unsigned member) {
    switch (member) {
    case MCPW_AT_PARAMS:
        return &params_level;
    case MCPW_AT_META:
        return &meta_level;
    case MCPW_AT_ERROR:
        return &error_level;
    default:
        return NULL;
    }
}

static const unsigned char *fail(mcpw_scanner *s, const unsigned char *p, mcpw_status status) {
    s->at = p;
    s->status = status;
    return NULL;
}

static unsigned member_named(const level *l, mcpw_json token) {
    const bool is_escaped = memchr(token.ptr, '\\', token.len) != NULL;
    const size_t len = token.len - 2;
    for (unsigned member = l->first; member < l->end; member++) {
        const mcpw_str name = names[member];
        if (is_escaped ? mcpw_scanned_is(token, name.ptr, name.len)
                       : len == name.len && memcmp(token.ptr + 1, name.ptr, len) == 0) {
            return member;
        }
    }
    return MCPW_AT_COUNT;
}

static const unsigned char *read_object(mcpw_scanner *s, const unsigned char *p, const level *l,
                                        mcpw_message_envelope *out);

/* Reads a member from its name on. A second member of the same name is ignored. */
static const unsigned char *read_member(mcpw_scanner *s, const unsigned char *p, const level *l,
                                        mcpw_message_envelope *out) {
    mcpw_json name = {NULL, 0, 0};
    const unsigned char *const value = mcpw_scan_name(s, p, &name);
    if (value == NULL) {
        return NULL;
    }
    const unsigned member = member_named(l, name);
    if (member == MCPW_AT_COUNT) {
        return mcpw_scan_value(s, value);
    }
    const bool is_first = out->at[member].ptr == NULL;
    const level *const inner = is_first && value < s->end && *value == '{' ? below(member) : NULL;
    const unsigned char *const end =
        inner != NULL ? read_object(s, value, inner, out) : mcpw_scan_value(s, value);
    if (end == NULL) {
        return NULL;
    }
    if (is_first) {
        out->at[member].ptr = (const char *)value;
        out->at[member].len = (size_t)(end - value);
    } else {
        out->twice |= UINT32_C(1) << member;
    }
    return end;
}

/* Reads an object whose members are looked at. There are three below each other, so this recurses no deeper.
 */
// NOLINTNEXTLINE(misc-no-recursion)
static const unsigned char *read_object(mcpw_scanner *s, const unsigned char *p, const level *l,
                                        mcpw_message_envelope *out) {
    if (s->depth == 0) {
        return fail(s, p, MCPW_E_DEPTH);
    }
    s->depth--;
    p = mcpw_scan_space(s, p + 1);
    if (p == s->end || *p != '}') {
        for (;; p++) {
            p = read_member(s, mcpw_scan_space(s, p), l, out);
            p = p != NULL ? mcpw_scan_space(s, p) : NULL;
            if (p == NULL) {
                return NULL;
            }
            if (p == s->end || *p != ',') {
                break;
            }
        }
    }
    s->depth++;
    return p < s->end && *p == '}' ? p + 1 : fail(s, p, MCPW_E_SYNTAX);
}

static mcpw_message_kind kind_of(const mcpw_message_envelope *e) {
    if (mcpw_json_kind_of(e->at[MCPW_AT_METHOD]) == MCPW_JSON_STRING) {
        return e->at[MCPW_AT_ID].ptr != NULL ? MCPW_MESSAGE_REQUEST : MCPW_MESSAGE_NOTIFICATION;
    }
    if (e->at[MCPW_AT_RESULT].ptr != NULL) {
        return MCPW_MESSAGE_RESULT;
    }
    return e->at[MCPW_AT_ERROR].ptr != NULL ? MCPW_MESSAGE_ERROR : MCPW_MESSAGE_NONE;
}

mcpw_status mcpw_envelope_read(mcpw_message_envelope *envelope, mcpw_json text, unsigned max_depth,
                               mcpw_error *error) {
    const unsigned char *const begin = (const unsigned char *)(text.ptr != NULL ? text.ptr : "");
    mcpw_scanner s;
    mcpw_scanner_open(&s, begin + text.len, max_depth != 0 ? max_depth : MCPW_DEFAULT_DEPTH);
    memset(envelope, 0, sizeof *envelope);
    if (s.depth > MCPW_MAX_DEPTH) {
        mcpw_error_text(error, MCPW_E_ARGUMENT, 0, mcpw_status_text(MCPW_E_ARGUMENT));
        return MCPW_E_ARGUMENT;
    }
    const unsigned char *const first = mcpw_scan_space(&s, begin);
    const bool is_object = first < s.end && *first == '{';
    const unsigned char *end =
        is_object ? read_object(&s, first, &message_level, envelope) : mcpw_scan_value(&s, first);
    if (end != NULL) {
        end = mcpw_scan_space(&s, end);
        end = end == s.end ? end : fail(&s, end, MCPW_E_SYNTAX);
    }
    if (end == NULL) {
        memset(envelope, 0, sizeof *envelope);
        mcpw_error_text(error, s.status, (size_t)(s.at - begin), mcpw_status_text(s.status));
        return s.status;
    }
    envelope->kind = is_object ? kind_of(envelope) : *first == '[' ? MCPW_MESSAGE_BATCH : MCPW_MESSAGE_NONE;
    return MCPW_OK;
}

mcpw_status mcpw_envelope_string(const mcpw_message_envelope *envelope, mcpw_envelope_at at,
                                 mcpw_arena *arena, mcpw_str *out) {
    *out = (mcpw_str){NULL, 0};
    return mcpw_json_string(envelope->at[at], arena, out);
}

mcpw_id mcpw_envelope_id(const mcpw_message_envelope *envelope, mcpw_arena *arena) {
    mcpw_id id = {.kind = MCPW_ID_ABSENT};
    const mcpw_json text = envelope->at[MCPW_AT_ID];
    if (mcpw_json_string(text, arena, &id.as.string) == MCPW_OK) {
        id.kind = MCPW_ID_STRING;
    } else if (mcpw_json_int(text, &id.as.integer) == MCPW_OK) {
        id.kind = MCPW_ID_INTEGER;
    }
    return id;
}
