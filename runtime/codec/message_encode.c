/* SPDX-License-Identifier: MIT */
/* JSON-RPC messages to text. */
#include <mcpw/detail/table.h>
#include <mcpw/message.h>

#include "../json/number.h"
#include "envelope.h"
#include "options.h"
#include "write.h"

static const mcpw_ref any_value = {MCPW_KIND_JSON, 0, 0};
static const mcpw_ref any_object = {MCPW_KIND_JSON_OBJECT, 0, 0};

static unsigned char *refuse(mcpw_writer *w, const char *why) {
    return mcpw_write_fail(w, MCPW_E_MESSAGE, why);
}

static unsigned char *misuse(mcpw_writer *w, const char *why) {
    return mcpw_write_fail(w, MCPW_E_ARGUMENT, why);
}

/* A member of the envelope up to its value. */
MCPW_INLINE unsigned char *begin_member(unsigned char *p, const char *name) {
    const size_t len = strlen(name);
    *p++ = '"';
    memcpy(p, name, len);
    p += len;
    *p++ = '"';
    *p++ = ':';
    return p;
}

/* The rest of it, or its name in the path of what went wrong. */
MCPW_INLINE unsigned char *end_member(mcpw_writer *w, unsigned char *p, const char *name) {
    if (MCPW_UNLIKELY(p == NULL)) {
        mcpw_error_prepend_key(w->error, name, strlen(name));
        return NULL;
    }
    *p = ',';
    return p + 1;
}

MCPW_INLINE unsigned char *put_id(mcpw_writer *w, unsigned char *p, const mcpw_id *id) {
    static const char name[] = "id";
    p = begin_member(p, name);
    if (id->kind == MCPW_ID_INTEGER) {
        p = mcpw_put_int(p, id->as.integer);
    } else if (id->kind == MCPW_ID_NULL) {
        memcpy(p, "null", 4);
        p += 4;
    } else if (id->as.string.ptr == NULL) {
        p = misuse(w, "the id is a string, but absent");
    } else {
        p = mcpw_put_string(w, p, id->as.string);
    }
    return end_member(w, p, name);
}

static bool is_empty(const mcpw_message *m) { return m->value == NULL && m->raw.ptr == NULL; }

/* params or result: by its type, or as the text that it is. Nothing when it is absent. */
MCPW_INLINE unsigned char *put_value(mcpw_writer *w, unsigned char *p, const char *name,
                                     const mcpw_type *type, const mcpw_message *m) {
    if (is_empty(m)) {
        return p;
    }
    if (m->value != NULL && m->raw.ptr != NULL) {
        return misuse(w, "a message has a value or raw text, not both");
    }
    if (m->value != NULL && type == NULL) {
        return misuse(w, "the message's value has no type");
    }
    p = begin_member(p, name);
    p = m->value != NULL ? mcpw_write_document(w, p, type->ref, m->value)
                         : mcpw_write_raw(w, p, type != NULL ? type->ref : any_object, m->raw);
    return end_member(w, p, name);
}

static bool is_outcome(const mcpw_message *m) {
    return m->kind == MCPW_MESSAGE_RESULT || m->kind == MCPW_MESSAGE_ERROR;
}

/* In a response "params" means nothing. */
static bool is_envelope_name(mcpw_str name, bool outcome) {
    const unsigned member = mcpw_envelope_member(name);
    return member != MCPW_ENVELOPE_OTHER && !(outcome && member == MCPW_ENVELOPE_PARAMS);
}

static unsigned char *put_extra(mcpw_writer *w, unsigned char *p, const mcpw_message *m) {
    const size_t count = m->extra.count;
    const mcpw_member *const items = m->extra.items;
    if (count == 0) {
        return p;
    }
    if (items == NULL) {
        return misuse(w, "extra is NULL but its count is not 0");
    }
    for (size_t i = 0; i < count; i++) {
        if (is_envelope_name(items[i].name, is_outcome(m))) {
            (void)mcpw_write_fail(w, MCPW_E_DUPLICATE,
                                  "JSON-RPC names this member, so extra may not hold it");
            mcpw_error_prepend_key(w->error, items[i].name.ptr, items[i].name.len);
            return NULL;
        }
        p = mcpw_write_member(w, p, items + i, any_value);
        if (p == NULL) {
            return NULL;
        }
    }
    return (w->flags & MCPW_STRICT) == 0 || mcpw_write_unique(w, items, count, sizeof *items) ? p : NULL;
}

/* The facts about a message that are found before it is written. */
typedef struct plan {
    mcpw_str method;       /* of a request or notification */
    const mcpw_type *type; /* of its value */
} plan;

/* Looks a method up by its number or name, and gives it its name; why that cannot be, or NULL. *entry is NULL
 * for an unknown one. */
static const char *find_method(const mcpw_writer *w, const mcpw_message *m, mcpw_str *name,
                               const mcpw_method **entry) {
    int number = m->method;
    const mcpw_str known = mcpw_method_name(w->revision, number);
    if (number != 0 && known.ptr == NULL) {
        return MCPW_TEXT("the revision has no method of that number");
    }
    if (name->ptr == NULL) {
        if (number == 0) {
            return MCPW_TEXT("a request or notification names its method");
        }
        *name = known;
    } else if (number == 0) {
        number = mcpw_method_number(w->revision, name->ptr, name->len);
    } else if (name->len != known.len || memcmp(name->ptr, known.ptr, known.len) != 0) {
        return MCPW_TEXT("the method's number and name are those of two methods");
    }
    *entry = mcpw_method_entry(w->revision, number);
    return NULL;
}

static bool fail(mcpw_writer *w, mcpw_status status, const char *why) {
    (void)mcpw_write_fail(w, status, why);
    return false;
}

static bool plan_call(mcpw_writer *w, const mcpw_message *m, plan *found) {
    const mcpw_method *entry = NULL;
    const char *why = find_method(w, m, &found->method, &entry);
    if (why != NULL) {
        return fail(w, MCPW_E_ARGUMENT, why);
    }
    why = mcpw_method_conflict(entry, m->kind);
    if (why != NULL) {
        return fail(w, MCPW_E_MESSAGE, why);
    }
    if (entry == NULL || (entry->flags & MCPW_METHOD_INPUT) != 0) {
        return (w->flags & MCPW_STRICT) == 0 || fail(w, MCPW_E_METHOD, mcpw_status_text(MCPW_E_METHOD));
    }
    found->type = entry->params;
    if (m->type != NULL && m->type != entry->params) {
        return fail(w, MCPW_E_ARGUMENT, "the value's type is not that of the method's params");
    }
    return (entry->flags & MCPW_METHOD_PARAMS_REQUIRED) == 0 || !is_empty(m) ||
           fail(w, MCPW_E_MISSING, mcpw_lacks_params);
}

/* Whether a message can be written, as far as its envelope tells. */
static bool plan_message(mcpw_writer *w, const mcpw_message *m, plan *found) {
    const char *const why = mcpw_id_conflict(m->kind, m->id.kind);
    if (why != NULL) {
        return fail(w, MCPW_E_MESSAGE, why);
    }
    if (m->type != NULL && m->type->revision != w->revision) {
        return fail(w, MCPW_E_ARGUMENT, "the value's type is of another revision");
    }
    if (w->depth == 0) {
        return fail(w, MCPW_E_DEPTH, mcpw_status_text(MCPW_E_DEPTH));
    }
    if (!is_outcome(m)) {
        return plan_call(w, m, found);
    }
    return m->kind == MCPW_MESSAGE_ERROR || !is_empty(m) ||
           fail(w, MCPW_E_MISSING, "missing required member \"result\"");
}

static unsigned char *put_members(mcpw_writer *w, unsigned char *p, const mcpw_message *m,
                                  const plan *found) {
    static const char start[] = "{\"jsonrpc\":\"2.0\",";
    memcpy(p, start, sizeof start - 1);
    p += sizeof start - 1;
    if (m->id.kind != MCPW_ID_ABSENT) {
        p = put_id(w, p, &m->id);
        if (p == NULL) {
            return NULL;
        }
    }
    if (m->kind == MCPW_MESSAGE_ERROR) {
        static const char name[] = "error";
        p = mcpw_write_document(w, begin_member(p, name), w->revision->error->ref, &m->error);
        return end_member(w, p, name);
    }
    if (m->kind == MCPW_MESSAGE_RESULT) {
        return put_value(w, p, "result", found->type, m);
    }
    static const char name[] = "method";
    p = end_member(w, mcpw_put_string(w, begin_member(p, name), found->method), name);
    return p != NULL ? put_value(w, p, "params", found->type, m) : NULL;
}

static unsigned char *put_message(mcpw_writer *w, unsigned char *p, const mcpw_message *m) {
    plan found = {m->method_name, m->type};
    if (!plan_message(w, m, &found)) {
        return NULL;
    }
    p = mcpw_room(w, p, 0);
    if (p == NULL) {
        return NULL;
    }
    w->depth--;
    p = put_members(w, p, m, &found);
    if (p != NULL) {
        p = put_extra(w, p, m);
    }
    w->depth++;
    return p != NULL ? mcpw_put_end(p, '}') : NULL;
}

static unsigned char *put_batch(mcpw_writer *w, unsigned char *p, const mcpw_message *m) {
    if (w->revision->batches == 0) {
        return refuse(w, "this revision has no batches");
    }
    if (m->batch_count == 0) {
        return refuse(w, mcpw_empty_batch);
    }
    if (m->batch == NULL) {
        return misuse(w, "batch is NULL but its count is not 0");
    }
    w->depth--;
    *p++ = '[';
    for (size_t i = 0; i < m->batch_count; i++) {
        if (is_outcome(m->batch + i) != is_outcome(m->batch)) {
            return refuse(w, mcpw_mixed_batch);
        }
        p = put_message(w, p, m->batch + i);
        if (p == NULL) {
            mcpw_error_prepend_index(w->error, i);
            return NULL;
        }
        *p++ = ',';
    }
    w->depth++;
    return mcpw_put_end(p, ']');
}

/* A value that was not looked at for a while comes from far: its first lines, which most need alone, and
 * which branches depend on, are on their way while the envelope is written. */
MCPW_INLINE void ask_for(const void *value) {
    enum { CACHE_LINE = 64, LINES = 8 };
    for (uintptr_t i = 0; i < LINES; i++) {
        MCPW_PREFETCH((const void *)((uintptr_t)value + i * CACHE_LINE));
    }
}

mcpw_status mcpw_message_encode(const mcpw_revision *revision, const mcpw_message *message, mcpw_buffer *out,
                                const mcpw_options *options, mcpw_error *error) {
    mcpw_writer w;
    mcpw_options own;
    if (!mcpw_options_read(&options, &own)) {
        return mcpw_error_status(error, MCPW_E_ARGUMENT);
    }
    if (revision == NULL || message == NULL || out == NULL) {
        mcpw_error_text(error, MCPW_E_ARGUMENT, 0, "revision, message or buffer is NULL");
        return MCPW_E_ARGUMENT;
    }
    ask_for(message->value);
    unsigned char *p = mcpw_write_open(&w, revision, out, options, error);
    if (MCPW_LIKELY(p != NULL)) {
        p = message->kind == MCPW_MESSAGE_BATCH ? put_batch(&w, p, message) : put_message(&w, p, message);
    }
    return mcpw_write_close(&w, p);
}
