/* SPDX-License-Identifier: MIT */
/* Requests of mcpwire call, and lists with pages. */
#include "call.h"

#include "requests.h"
#include "tool.h"

#include <mcpw/codec.h>
#include <mcpw/detail/catalogue.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define VERSION_KEY "io.modelcontextprotocol/protocolVersion"
#define CAPABILITIES_KEY "io.modelcontextprotocol/clientCapabilities"
#define LOG_LEVEL_KEY "io.modelcontextprotocol/logLevel"

enum {
    MAX_PAGES = 10000,
    MAX_LIST = 64 << 20 /* bytes of all pages of a list */
};

static void complain_lines(const char *lines) {
    while (*lines != '\0') {
        const size_t len = strcspn(lines, "\n");
        tool_complain("%.*s", (int)len, lines);
        lines += len + (lines[len] != '\0' ? 1 : 0);
    }
}

void caller_complain(const caller *c) {
    const mcpw_error *const e = &c->error;
    const char *const tool = e->path[0] != '\0' ? c->tool : NULL;
    if (e->code == MCPW_E_UNAUTHORIZED && c->link.must_log_in && c->may_log_in) {
        return;
    }
    if (link_signal() == 0 && e->code == MCPW_E_UNAUTHORIZED && c->link.advice[0] != '\0') {
        complain_lines(c->link.advice);
    } else if (link_signal() == 0) { /* otherwise the user knows the reason */
        tool_complain("%s%s%s%s%s%s", tool != NULL ? "tool " : "", tool != NULL ? tool : "",
                      tool != NULL ? ": " : "", e->path, e->path[0] != '\0' ? ": " : "", e->message);
    }
}

/* Writes {PARAMS, "_meta": ...}. */
static void put_params(const caller *c, text *out, const text *params) {
    const bool handshake = mcpw_method_number(c->revision, "initialize", strlen("initialize")) != 0;
    text_add(out, "{");
    text_bytes(out, params->buffer.data != NULL ? params->buffer.data : "", params->buffer.len);
    if (!handshake) { /* The session sets its own values; the members must exist here. */
        text_format(out, "%s\"_meta\":{\"" VERSION_KEY "\":\"%s\",\"" CAPABILITIES_KEY "\":{}%s}",
                    params->buffer.len != 0 ? "," : "", mcpw_revision_name(c->revision),
                    c->log ? ",\"" LOG_LEVEL_KEY "\":\"debug\"" : "");
    }
    text_add(out, "}");
}

mcpw_status caller_result(caller *c, const mcpw_result *answer, mcpw_json *result) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = MCPW_ALLOW_UNKNOWN; /* it is shown as received */
    text_clear(&c->result_text);
    const mcpw_status status =
        mcpw_encode(answer->type, answer->value, &c->result_text.buffer, &options, &c->error);
    *result = (mcpw_json){c->result_text.buffer.data, c->result_text.buffer.len, 0};
    return status;
}

static mcpw_status send_request(caller *c, int method, const void *params, mcpw_json *result) {
    mcpw_result answer = {NULL, NULL}; /* of either kind */
    mcpw_call call;
    memset(&call, 0, sizeof call);
    call.on_progress = c->log ? caller_on_progress : NULL;
    call.timeout_ms = c->patient ? UINT64_MAX : 0;
    const mcpw_status status =
        link_request(&c->link, c->revision, method, params, &call, &c->arena, &answer, &c->error);
    return status == MCPW_OK ? caller_result(c, &answer, result) : status;
}

const void *caller_params(caller *c, const char *method, const text *params) {
    const int number = mcpw_method_number(c->revision, method, strlen(method));
    const mcpw_type *const type = mcpw_method_params(mcpw_method_entry(c->revision, number));
    text out = TEXT_INIT;
    mcpw_status status = MCPW_E_MEMORY;
    mcpw_arena_reset(&c->arena);
    put_params(c, &out, params);
    void *const value = mcpw_arena_alloc(&c->arena, mcpw_type_size(type));
    (void)snprintf(c->error.message, sizeof c->error.message, "out of memory");
    if (value != NULL && !out.lost) {
        status = mcpw_decode(type, out.buffer.data, out.buffer.len, &c->arena, value, NULL, &c->error);
    }
    text_free(&out);
    c->error.code = status;
    return status == MCPW_OK ? value : NULL;
}

mcpw_status caller_request(caller *c, const char *method, const text *params, mcpw_json *result) {
    const int number = mcpw_method_number(c->revision, method, strlen(method));
    memset(&c->error, 0, sizeof c->error);
    if (number == 0) {
        tool_complain("revision %s has no %s", mcpw_revision_name(c->revision), method);
        return MCPW_E_METHOD;
    }
    const void *const value = caller_params(c, method, params);
    const mcpw_status status = value != NULL ? send_request(c, number, value, result) : c->error.code;
    if (status != MCPW_OK && status != MCPW_E_CAPABILITY) {
        caller_complain(c);
    }
    return status;
}

/* Passes the items of one page; false: stop. */
static bool give_items(mcpw_json result, const char *name, bool (*item)(void *user, mcpw_json item),
                       void *user) {
    mcpw_json_iter it;
    mcpw_json one = {NULL, 0, 0};
    bool more = true;
    if (mcpw_json_iterate(glance_member(result, name), &it) == MCPW_OK) {
        while (more && mcpw_json_next(&it, NULL, &one)) {
            more = item(user, one);
        }
    }
    return more;
}

/* The progress of reading a list. */
typedef struct pages {
    const char *method;
    requests seen; /* the cursors */
    size_t count;
    size_t bytes;
} pages;

static bool is_too_long(const pages *p) {
    if (p->count == MAX_PAGES) {
        tool_complain("%s: the server's list has more than %d pages: the rest is left out", p->method,
                      MAX_PAGES);
    } else if (p->bytes > MAX_LIST) {
        tool_complain("%s: the server's list has more than %d bytes: the rest is left out", p->method,
                      MAX_LIST);
    } else {
        return false;
    }
    return true;
}

/* Makes params of the next page's cursor. MCPW_PENDING: there is one; MCPW_OK: there is none; MCPW_E_SIZE:
 * the list is too long. An empty or repeated cursor would lead to an endless list, so the list ends there. */
static mcpw_status next_page(caller *c, mcpw_json result, pages *p, text *params) {
    static const mcpw_answered_request none = {0, false};
    mcpw_json cursor = {NULL, 0, 0};
    mcpw_id id;
    memset(&id, 0, sizeof id);
    p->count++;
    p->bytes += result.len;
    if (mcpw_json_get(result, "nextCursor", &cursor) != MCPW_OK ||
        mcpw_json_string(cursor, &c->arena, &id.as.string) != MCPW_OK) {
        return MCPW_OK;
    }
    id.kind = MCPW_ID_STRING;
    if (id.as.string.len == 0 || requests_find(&p->seen, &id) != NULL) {
        tool_complain("%s: the server's next cursor %s: the list ends here", p->method,
                      id.as.string.len == 0 ? "is empty" : "leads back to a page that was read");
        return MCPW_OK;
    }
    if (is_too_long(p)) {
        return MCPW_E_SIZE;
    }
    if (!requests_add(&p->seen, &id, none)) {
        tool_complain("out of memory");
        return MCPW_E_MEMORY;
    }
    text_clear(params);
    text_add(params, "\"cursor\":");
    text_bytes(params, cursor.ptr, cursor.len);
    return MCPW_PENDING;
}

mcpw_status caller_list(caller *c, const char *method, const char *name,
                        bool (*item)(void *user, mcpw_json item), void *user) {
    text params = TEXT_INIT;
    pages p = {method, {0}, 0, 0};
    mcpw_json result = {NULL, 0, 0};
    mcpw_status status = MCPW_PENDING;
    requests_init(&p.seen, SIZE_MAX); /* MAX_PAGES and MAX_LIST limit it */
    while (status == MCPW_PENDING) {
        status = caller_request(c, method, &params, &result);
        if (status == MCPW_OK && give_items(result, name, item, user)) {
            status = next_page(c, result, &p, &params);
        }
    }
    requests_free(&p.seen);
    text_free(&params);
    return status;
}
