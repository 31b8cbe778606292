/* SPDX-License-Identifier: MIT */
/* Finds the definition for each message in a schema of the protocol. */
#include "protocol.h"
#include "text.h"
#include "tool.h"

#include <mcpw/codec.h>
#include <mcpw/detail/catalogue.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- envelopes ---- */

/* The definitions for messages of unknown methods; the first existing name counts. */
static const struct {
    protocol_reading reading;
    const char *name;
} envelopes[] = {
    {PROTOCOL_REQUEST, "JSONRPCRequest"},       {PROTOCOL_NOTIFICATION, "JSONRPCNotification"},
    {PROTOCOL_RESULT, "JSONRPCResultResponse"}, {PROTOCOL_RESULT, "JSONRPCResponse"},
    {PROTOCOL_ERROR, "JSONRPCErrorResponse"},   {PROTOCOL_ERROR, "JSONRPCError"},
    {PROTOCOL_OTHER, "JSONRPCMessage"},
};

static bool find_envelopes(protocol *p) {
    const protocol_definition **const by = p->methods[0].by;
    for (size_t i = 0; i < sizeof envelopes / sizeof envelopes[0]; i++) {
        const protocol_reading reading = envelopes[i].reading;
        if (by[reading] == NULL) {
            by[reading] = protocol_find(p, envelopes[i].name, strlen(envelopes[i].name));
        }
    }
    for (size_t i = 0; i < sizeof envelopes / sizeof envelopes[0]; i++) {
        if (by[envelopes[i].reading] == NULL) {
            tool_complain("%s is not a schema of the protocol: /%s: there is no definition %s", p->file.name,
                          p->keyword, envelopes[i].name);
            return false;
        }
    }
    by[PROTOCOL_TASK_RESULT] = by[PROTOCOL_RESULT];
    p->batches = protocol_find(p, "JSONRPCBatchRequest", strlen("JSONRPCBatchRequest")) != NULL;
    return true;
}

/* ---- methods ---- */

static int by_method(const void *a, const void *b) {
    return protocol_compare_names(((const protocol_method *)a)->name, ((const protocol_method *)b)->name);
}

int protocol_method_number(const protocol *p, mcpw_str name) {
    const protocol_method key = {.name = name};
    const protocol_method *const found =
        p->method_count > 1 ? bsearch(&key, p->methods + 1, p->method_count - 1, sizeof key, by_method)
                            : NULL;
    return found != NULL ? (int)(found - p->methods) : 0;
}

static bool ends_with(mcpw_str name, const char *end) {
    const size_t len = strlen(end);
    return name.len >= len && memcmp(name.ptr + name.len - len, end, len) == 0;
}

/* True if a definition is for all messages of one direction. It exists beside the method's definition if the
 * direction has only one message. */
static bool is_direction(const protocol_definition *d) {
    return mcpw_str_is(d->name, "ClientRequest") || mcpw_str_is(d->name, "ServerRequest") ||
           mcpw_str_is(d->name, "ClientNotification") || mcpw_str_is(d->name, "ServerNotification");
}

static bool list_methods(protocol *p) {
    p->methods = calloc(p->definition_count + 1, sizeof *p->methods);
    if (p->methods == NULL) {
        tool_complain("out of memory");
        return false;
    }
    size_t count = 1;
    for (size_t i = 0; i < p->definition_count; i++) {
        if (p->definitions[i].method.ptr != NULL) {
            p->methods[count++].name = p->definitions[i].method;
        }
    }
    qsort(p->methods + 1, count - 1, sizeof *p->methods, by_method);
    p->method_count = 1;
    for (size_t i = 1; i < count; i++) {
        if (i == 1 || by_method(p->methods + i, p->methods + p->method_count - 1) != 0) {
            p->methods[p->method_count++] = p->methods[i];
        }
    }
    return true;
}

static void give_definitions(protocol *p) {
    for (size_t i = 0; i < p->definition_count; i++) {
        const protocol_definition *const d = p->definitions + i;
        if (d->method.ptr == NULL) {
            continue;
        }
        const bool is_request = !ends_with(d->name, "Notification");
        const protocol_definition **const place = p->methods[protocol_method_number(p, d->method)].by +
                                                  (is_request ? PROTOCOL_REQUEST : PROTOCOL_NOTIFICATION);
        if (*place == NULL || is_direction(*place)) {
            *place = d;
        }
    }
}

/* ---- results ---- */

/* The definition with the same name and another ending. */
static const protocol_definition *sibling(const protocol *p, mcpw_str name, const char *end) {
    static const char request[] = "Request";
    text other = TEXT_INIT;
    text_bytes(&other, name.ptr, name.len - (ends_with(name, request) ? sizeof request - 1 : 0));
    text_add(&other, end);
    const protocol_definition *const found =
        other.lost ? NULL : protocol_find(p, other.buffer.data, other.buffer.len);
    text_free(&other);
    return found;
}

static const protocol_definition *named_as(const protocol *p, const mcpw_type *type) {
    const char *const name = type != NULL ? mcpw_type_name(type) : "";
    return protocol_find(p, name, strlen(name));
}

/* Finds the definitions of a method's results. The schema's own link to the response has precedence over the
 * other revision's. */
static void give_results(protocol *p, protocol_method *m) {
    const mcpw_method *const known =
        mcpw_method_entry(p->like, mcpw_method_number(p->like, m->name.ptr, m->name.len));
    const mcpw_str name = m->by[PROTOCOL_REQUEST]->name;
    const protocol_definition *found = sibling(p, name, "ResultResponse");
    if (found == NULL && known != NULL) {
        found = named_as(p, mcpw_method_result(known));
    }
    if (found == NULL) {
        found = sibling(p, name, "Result");
    }
    m->by[PROTOCOL_RESULT] = found;
    m->by[PROTOCOL_TASK_RESULT] = known != NULL ? named_as(p, mcpw_method_task_result(known)) : NULL;
    if (m->by[PROTOCOL_TASK_RESULT] == NULL) {
        m->by[PROTOCOL_TASK_RESULT] = found;
    }
    if (found == NULL && p->without_result++ == 0) {
        p->first_without = m->name;
    }
}

/* ---- the nearest revision ---- */

/* The revision with the largest share of common definition names; if several are equal, the newest. */
static const mcpw_revision *nearest(const protocol *p) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    const mcpw_revision *best = NULL;
    uint64_t best_common = 0;
    uint64_t best_union = 1;
    for (size_t i = 0; i < count; i++) {
        uint64_t common = 0;
        for (size_t k = 0; k < p->definition_count; k++) {
            common += mcpw_revision_type(all[i], p->definitions[k].name.ptr) != NULL ? 1U : 0U;
        }
        const uint64_t both = p->definition_count + mcpw_type_count(all[i]) - common;
        if (best == NULL || common * best_union >= best_common * both) {
            best = all[i];
            best_common = common;
            best_union = both;
        }
    }
    return best;
}

bool protocol_find_methods(protocol *p, const mcpw_revision *like) {
    p->like = like != NULL ? like : nearest(p);
    if (!list_methods(p) || !find_envelopes(p)) {
        return false;
    }
    give_definitions(p);
    for (size_t i = 1; i < p->method_count; i++) {
        if (p->methods[i].by[PROTOCOL_REQUEST] != NULL) {
            give_results(p, p->methods + i);
        }
    }
    return true;
}
