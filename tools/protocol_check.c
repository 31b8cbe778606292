/* SPDX-License-Identifier: MIT */
/* Checks messages by a schema of the protocol. */
#include "glance.h"
#include "json_schema.h"
#include "protocol.h"

#include <mcpw/json.h>

#include <stdio.h>
#include <string.h>

/* The kind of a message; a response has the kind that its request selects. */
static protocol_reading reading_of(const protocol *p, const glance *g, mcpw_resolve resolve, void *user,
                                   mcpw_envelope *found) {
    mcpw_answered_request answer = {0, false};
    found->kind = g->kind;
    found->id = g->id;
    switch (g->kind) {
    case MCPW_MESSAGE_REQUEST:
    case MCPW_MESSAGE_NOTIFICATION:
        found->method_name = g->method;
        found->method = protocol_method_number(p, g->method);
        found->task = g->kind == MCPW_MESSAGE_REQUEST && g->at[MCPW_AT_TASK].ptr != NULL;
        return g->kind == MCPW_MESSAGE_REQUEST ? PROTOCOL_REQUEST : PROTOCOL_NOTIFICATION;
    case MCPW_MESSAGE_RESULT:
        answer = resolve(user, &g->id);
        found->method = answer.method;
        return answer.task ? PROTOCOL_TASK_RESULT : PROTOCOL_RESULT;
    case MCPW_MESSAGE_ERROR:
        return PROTOCOL_ERROR;
    default:
        return PROTOCOL_OTHER;
    }
}

static mcpw_status check_one(protocol *p, mcpw_json text, mcpw_arena *scratch, mcpw_resolve resolve,
                             void *user, mcpw_envelope *found, const mcpw_options *options,
                             mcpw_error *error) {
    glance g;
    memset(found, 0, sizeof *found);
    glance_read(&g, text, scratch);
    const protocol_reading reading = reading_of(p, &g, resolve, user, found);
    const mcpw_schema *const schema = protocol_schema(p, found->method, reading);
    if (schema == NULL) {
        return MCPW_E_MEMORY;
    }
    if (found->kind == MCPW_MESSAGE_REQUEST && found->id.kind == MCPW_ID_ABSENT) {
        found->kind = MCPW_MESSAGE_NOTIFICATION; /* no response can follow it */
    }
    return json_schema_check(schema, text, scratch, options, error);
}

/* ---- batches ---- */

typedef struct item_errors {
    size_t place;
    size_t offset; /* of the item in the batch */
    mcpw_error_callback on_error;
    void *user;
} item_errors;

/* Converts the error of an item to an error of the batch. */
static void move_error(const item_errors *of, mcpw_error *error) {
    char path[MCPW_ERROR_PATH_SIZE];
    const int len = snprintf(path, sizeof path, "/%zu%s", of->place, error->path);
    if (len > 0 && (size_t)len < sizeof path) {
        memcpy(error->path, path, (size_t)len + 1);
    } /* otherwise the path was cut at its left, and stays so */
    error->offset += of->offset;
}

static bool report_item(void *user, const mcpw_error *error) {
    const item_errors *const of = user;
    mcpw_error moved = *error;
    move_error(of, &moved);
    return of->on_error(of->user, &moved);
}

static mcpw_status check_items(protocol *p, mcpw_json batch, mcpw_arena *scratch, mcpw_resolve resolve,
                               void *user, const mcpw_options *options, mcpw_error *error) {
    item_errors of = {0, 0, options->on_error, options->user};
    mcpw_options each = *options;
    mcpw_status status = MCPW_OK;
    mcpw_json_iter it;
    mcpw_json item = {NULL, 0, 0};
    mcpw_envelope unused;
    mcpw_error own;
    if (options->on_error != NULL) {
        each.on_error = report_item;
        each.user = &of;
    }
    if (mcpw_json_iterate(batch, &it) != MCPW_OK) {
        return MCPW_OK;
    }
    for (; mcpw_json_next(&it, NULL, &item); of.place++) {
        of.offset = (size_t)(item.ptr - batch.ptr);
        const mcpw_status one = check_one(p, item, scratch, resolve, user, &unused, &each, &own);
        if (one != MCPW_OK && status == MCPW_OK) {
            status = one;
            move_error(&of, &own);
            if (error != NULL) {
                *error = own;
            }
        }
        if (status != MCPW_OK && options->on_error == NULL) {
            break;
        }
    }
    return status;
}

/* ---- for the exchange ---- */

static mcpw_status validate(void *user, mcpw_json text, mcpw_arena *scratch, mcpw_resolve resolve,
                            void *asked, mcpw_envelope *found, const mcpw_options *options,
                            mcpw_error *error) {
    protocol *const p = user;
    const mcpw_status status = check_one(p, text, scratch, resolve, asked, found, options, error);
    if (status != MCPW_OK || found->kind != MCPW_MESSAGE_BATCH || !p->batches) {
        return status;
    }
    return check_items(p, text, scratch, resolve, asked, options, error);
}

static int method_number(const void *user, mcpw_str name) { return protocol_method_number(user, name); }

static bool is_request(const void *user, int method) {
    const protocol *const p = user;
    return method == 0 || p->methods[method].by[PROTOCOL_REQUEST] != NULL;
}

exchange_schema protocol_checks(protocol *p) {
    const exchange_schema checks = {p, p->batches, method_number, is_request, validate};
    return checks;
}
