/* SPDX-License-Identifier: MIT */
#include "exchange.h"

#include "overlay.h"
#include "text.h"

#include <mcpw/codec.h>
#include <mcpw/detail/catalogue.h>
#include <mcpw/envelope.h>
#include <mcpw/json.h>

#include <stdio.h>
#include <string.h>

enum { SHOWN_NAME = 100 }; /* bytes of a method's name in a note */

void exchange_init(exchange *x, const mcpw_revision *revision, const mcpw_options *options, mcpw_arena *arena,
                   size_t max_open) {
    memset(x, 0, sizeof *x);
    x->revision = revision;
    x->options = *options;
    x->options.on_error = NULL;
    x->arena = arena;
    requests_init(&x->open, max_open);
    x->asked = &x->open;
    x->answered = &x->open;
}

void exchange_free(exchange *x) { requests_free(&x->open); }

static bool is_batch(const exchange *x, const char *text, size_t len) {
    const mcpw_json value = mcpw_json_of(text, len);
    const bool has_batches = x->schema != NULL ? x->schema->batches : mcpw_revision_has_batches(x->revision);
    return has_batches && mcpw_json_kind_of(value) == MCPW_JSON_ARRAY;
}

/* The number of a method in a revision with its overlays; 0: there is none. */
static int number_in(const exchange *x, const mcpw_revision *revision, mcpw_str name) {
    const int number = mcpw_method_number(revision, name.ptr, name.len);
    const overlay_method *const brought = number == 0 ? overlays_find(x->overlays, revision, name) : NULL;
    return brought != NULL ? brought->number : number;
}

/* The number of a method in the schema or revision that checks messages; 0: there is none. */
static int method_number(const exchange *x, mcpw_str name) {
    return x->schema != NULL ? x->schema->method_number(x->schema->user, name)
                             : number_in(x, x->revision, name);
}

mcpw_str exchange_method_name(const exchange *x, const mcpw_revision *revision, int method) {
    const overlay_method *const brought = overlays_at(x->overlays, revision, method);
    return brought != NULL ? brought->name : mcpw_method_name(revision, method);
}

/* One attempt to check a response: by which open request it is read, and the result. */
typedef struct attempt {
    const exchange *exchange;
    unsigned which;
    bool batch;
    bool unknown;
    bool ambiguous;
} attempt;

mcpw_answered_request exchange_translate(const exchange *x, mcpw_answered_request answer) {
    if (x->asked_in != NULL && x->asked_in != x->revision) {
        const mcpw_str name = exchange_method_name(x, x->asked_in, answer.method);
        answer.method = name.ptr != NULL ? number_in(x, x->revision, name) : 0;
    }
    return answer;
}

bool exchange_is_overlaid(const exchange *x, int answered) {
    return x->by_overlay || answered > OVERLAY_METHODS || x->envelope.method > OVERLAY_METHODS;
}

static mcpw_answered_request resolve(void *user, const mcpw_id *id) {
    static const mcpw_answered_request none = {0, false};
    attempt *const a = user;
    const open_request *const entry = requests_find(a->exchange->answered, id);
    if (entry == NULL) {
        a->unknown = true;
        return none;
    }
    a->ambiguous = a->ambiguous || entry->count > 1;
    /* Each response of a batch may belong to another request, so the second attempt leaves the doubtful ones
     * open. */
    if (a->batch && entry->count > 1 && a->which != 0) {
        return none;
    }
    return exchange_translate(a->exchange, entry->answers[a->which < entry->count ? a->which : 0]);
}

static mcpw_status validate(exchange *x, mcpw_json text, attempt *a, mcpw_envelope *found,
                            const mcpw_options *options, mcpw_error *error) {
    x->by_overlay = false;
    if (x->schema == NULL && x->overlays != NULL) {
        return overlays_validate(x->overlays, x->revision, text, x->arena, resolve, a, found, options, error,
                                 &x->by_overlay);
    }
    return x->schema != NULL
               ? x->schema->validate(x->schema->user, text, x->arena, resolve, a, found, options, error)
               : mcpw_message_validate(x->revision, text.ptr, text.len, x->arena, resolve, a, found, options,
                                       error);
}

static mcpw_status try_once(exchange *x, const char *text, size_t len, attempt *a, mcpw_error *error) {
    mcpw_arena_reset(x->arena);
    memset(&x->envelope, 0, sizeof x->envelope);
    x->status = validate(x, mcpw_json_of(text, len), a, &x->envelope, &x->options, error);
    x->unknown = a->unknown;
    x->which = a->which;
    return x->status;
}

static mcpw_status check(exchange *x, const char *text, size_t len, bool batch, mcpw_error *error) {
    attempt a = {x, 0, batch, false, false};
    if (try_once(x, text, len, &a, error) == MCPW_OK || !a.ambiguous) {
        return x->status;
    }
    mcpw_error unused;
    const mcpw_status first = x->status;
    attempt second = {x, 1, batch, false, false};
    if (try_once(x, text, len, &second, &unused) != MCPW_OK) {
        x->status = first;
    }
    return x->status;
}

mcpw_status exchange_check(exchange *x, const char *text, size_t len, mcpw_error *error) {
    return check(x, text, len, is_batch(x, text, len), error);
}

void exchange_errors(exchange *x, const char *text, size_t len, mcpw_error_callback on_error, void *user) {
    mcpw_options options = x->options;
    mcpw_envelope unused;
    attempt a = {x, 0, is_batch(x, text, len), false, false};
    options.on_error = on_error;
    options.user = user;
    mcpw_arena_reset(x->arena);
    /* The result is known; this run only calls the callback. */
    const mcpw_status again = validate(x, mcpw_json_of(text, len), &a, &unused, &options, NULL);
    (void)again;
}

/* ---- following the conversation ---- */

/* item: the message's index in its batch; NULL: no batch. */
static void add_diagnostic(const exchange *x, const size_t *item, const char *member, const char *message) {
    exchange_diagnostic n;
    if (x->on_diagnostic == NULL) {
        return;
    }
    if (item != NULL) {
        (void)snprintf(n.pointer, sizeof n.pointer, "/%zu/%s", *item, member);
    } else {
        (void)snprintf(n.pointer, sizeof n.pointer, "/%s", member);
    }
    (void)snprintf(n.message, sizeof n.message, "%s", message);
    x->on_diagnostic(x->user, &n);
}

static void note_method(const exchange *x, const size_t *item, mcpw_str name) {
    char message[EXCHANGE_MESSAGE_SIZE];
    (void)snprintf(message, sizeof message, "%s%s has no method \"%.*s%s\": its params are not checked",
                   x->schema != NULL ? "the schema" : "revision ",
                   x->schema != NULL ? "" : mcpw_revision_name(x->revision),
                   (int)text_cut(name.ptr, name.len, SHOWN_NAME), name.ptr,
                   name.len > SHOWN_NAME ? "..." : "");
    add_diagnostic(x, item, "method", message);
}

static void open_request_of(exchange *x, const mcpw_id *id, int method, bool task) {
    const mcpw_answered_request answer = {method, task};
    if (!requests_add(x->asked, id, answer)) {
        x->forgot = true;
        return;
    }
    open_request *const entry = x->marks ? requests_find(x->asked, id) : NULL;
    if (entry != NULL) {
        entry->marks[0] = true;
    }
}

/* Updates the open requests after a valid message. */
static void follow_valid(exchange *x, const size_t *item) {
    const mcpw_envelope *const e = &x->envelope;
    switch (e->kind) {
    case MCPW_MESSAGE_REQUEST:
        open_request_of(x, &e->id, e->method, e->task);
        /* fall through */
    case MCPW_MESSAGE_NOTIFICATION:
        if (e->method == 0) {
            note_method(x, item, e->method_name);
        }
        break;
    case MCPW_MESSAGE_RESULT:
        if (x->unknown) {
            add_diagnostic(x, item, "id",
                           "no open request has this id: the result is checked as an object only");
        }
        requests_answered(x->answered, &e->id, x->which);
        break;
    case MCPW_MESSAGE_ERROR:
        requests_refused(x->answered, &e->id);
        break;
    default:
        break;
    }
}

/* True if a method may be a request; an unknown one may. */
static bool is_request(const exchange *x, int method) {
    if (x->schema != NULL) {
        return x->schema->is_request(x->schema->user, method);
    }
    const mcpw_method *const entry = mcpw_method_entry(x->revision, method);
    return entry == NULL || (mcpw_method_flags(entry) & MCPW_METHOD_REQUEST) != 0;
}

/* True if params.task of a request leads to another result. */
static bool answers_by_task(const exchange *x, int method) {
    if (x->schema != NULL) {
        return true; /* the schema decides itself */
    }
    const mcpw_method *const entry = mcpw_method_entry(x->revision, method);
    return entry != NULL && mcpw_method_task_result(entry) != NULL;
}

/* Updates the open requests after an invalid message, if its members are readable. */
static void follow_invalid(exchange *x, mcpw_json message) {
    mcpw_message_envelope e;
    mcpw_str name = {NULL, 0};
    if (mcpw_envelope_read(&e, message, MCPW_MAX_DEPTH, NULL) != MCPW_OK) {
        return;
    }
    const mcpw_id id = mcpw_envelope_id(&e, x->arena);
    if (id.kind == MCPW_ID_ABSENT) {
        return;
    }
    if (mcpw_envelope_string(&e, MCPW_AT_METHOD, x->arena, &name) == MCPW_OK) {
        const int method = method_number(x, name);
        if (is_request(x, method)) {
            open_request_of(x, &id, method, answers_by_task(x, method) && e.at[MCPW_AT_TASK].ptr != NULL);
        }
    } else if (e.at[MCPW_AT_RESULT].ptr != NULL) {
        requests_answered(x->answered, &id, 0);
    } else if (e.at[MCPW_AT_ERROR].ptr != NULL) {
        requests_refused(x->answered, &id);
    }
}

static void follow_one(exchange *x, mcpw_json message, const size_t *item) {
    if (x->status == MCPW_OK) {
        follow_valid(x, item);
    } else {
        mcpw_arena_reset(x->arena);
        follow_invalid(x, message);
    }
}

static void follow_batch(exchange *x, mcpw_json batch) {
    const bool valid = x->status == MCPW_OK;
    void (*const on_diagnostic)(void *user, const exchange_diagnostic *diagnostic) = x->on_diagnostic;
    mcpw_json_iter it;
    mcpw_json message = {NULL, 0, 0};
    size_t item = 0;
    if (mcpw_json_iterate(batch, &it) != MCPW_OK) {
        return;
    }
    x->on_diagnostic = valid ? on_diagnostic : NULL;
    while (mcpw_json_next(&it, NULL, &message)) {
        mcpw_error unused;
        const mcpw_status status = check(x, message.ptr, message.len, false, &unused);
        (void)status; /* x->status has it */
        follow_one(x, message, &item);
        item++;
    }
    x->on_diagnostic = on_diagnostic;
}

void exchange_follow(exchange *x, const char *text, size_t len) {
    const mcpw_json message = mcpw_json_of(text, len);
    if (is_batch(x, text, len)) {
        follow_batch(x, message);
    } else {
        follow_one(x, message, NULL);
    }
}
