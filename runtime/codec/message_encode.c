/* SPDX-License-Identifier: MIT */
/* JSON-RPC messages to text. */
#include <mcpw/message.h>

#include "number.h"
#include "write.h"

static const mcpw_ref any_value = {MCPW_KIND_JSON, 0, 0};
static const mcpw_ref any_object = {MCPW_KIND_JSON_OBJECT, 0, 0};

/* Text that is known when the library is compiled. */
#define PUT_TEXT(p, text) put_text((p), (text), sizeof(text) - 1)

MCPW_INLINE unsigned char *put_text(unsigned char *p, const char *text, size_t len) {
    memcpy(p, text, len);
    return p + len;
}

static unsigned char *refuse(mcpw_writer *w, const char *why) {
    return mcpw_write_fail(w, MCPW_E_MESSAGE, why);
}

static unsigned char *misuse(mcpw_writer *w, const char *why) {
    return mcpw_write_fail(w, MCPW_E_ARGUMENT, why);
}

/* "id":...,  */
static unsigned char *put_id(mcpw_writer *w, unsigned char *p, const mcpw_id *id) {
    p = PUT_TEXT(p, "\"id\":");
    if (id->kind == MCPW_ID_INTEGER) {
        p += mcpw_format_int((char *)p, id->as.integer);
    } else if (id->kind == MCPW_ID_NULL) {
        p = PUT_TEXT(p, "null");
    } else if (id->as.string.ptr == NULL) {
        (void)misuse(w, "the id is a string, but absent");
        mcpw_error_prepend_key(w->error, "id", 2);
        return NULL;
    } else {
        p = mcpw_put_string(w, p, id->as.string);
        if (p == NULL) {
            mcpw_error_prepend_key(w->error, "id", 2);
            return NULL;
        }
    }
    *p++ = ',';
    return p;
}

/* params or result: by its type, or as the text that it is. Nothing when it is absent. */
static unsigned char *put_value(mcpw_writer *w, unsigned char *p, const char *name, const mcpw_type *type,
                                const mcpw_message *m) {
    const size_t len = strlen(name);
    if (m->value == NULL && m->raw.ptr == NULL) {
        return p;
    }
    if (m->value != NULL && m->raw.ptr != NULL) {
        return misuse(w, "a message has a value or raw text, not both");
    }
    if (m->value != NULL && type == NULL) {
        return misuse(w, "nothing gives the message's value a type");
    }
    *p++ = '"';
    p = put_text(p, name, len);
    p = PUT_TEXT(p, "\":");
    if (m->value != NULL) {
        p = mcpw_write_document(w, p, type->ref, m->value);
    } else {
        p = mcpw_write_raw(w, p, type != NULL ? type->ref : any_object, m->raw);
    }
    if (p == NULL) {
        mcpw_error_prepend_key(w->error, name, len);
        return NULL;
    }
    *p++ = ',';
    return p;
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
    const mcpw_members *const extra = &m->extra;
    if (extra->count == 0) {
        return p;
    }
    if (extra->items == NULL) {
        return misuse(w, "extra is NULL but its count is not 0");
    }
    for (size_t i = 0; i < extra->count; i++) {
        const mcpw_str name = extra->items[i].name;
        if (is_envelope_name(name, is_outcome(m))) {
            (void)mcpw_write_fail(w, MCPW_E_DUPLICATE,
                                  "JSON-RPC names this member, so extra may not hold it");
            mcpw_error_prepend_key(w->error, name.ptr, name.len);
            return NULL;
        }
        p = mcpw_write_member(w, p, extra->items + i, any_value);
        if (p == NULL) {
            return NULL;
        }
    }
    return (w->flags & MCPW_STRICT) == 0 ||
                   mcpw_write_unique(w, extra->items, extra->count, sizeof *extra->items)
               ? p
               : NULL;
}

/* What the catalogue says about a request or notification; NULL in *why when the message fits it. */
static const mcpw_method *catalogue_entry(const mcpw_writer *w, const mcpw_message *m, mcpw_str *name,
                                          const char **why) {
    const mcpw_method *const by_number = mcpw_method_entry(w->revision, m->method);
    *why = NULL;
    *name = m->method_name;
    if (m->method != 0 && by_number == NULL) {
        *why = "the revision has no method of that number";
    } else if (m->method_name.ptr == NULL) {
        *name = mcpw_method_name(w->revision, m->method);
        *why = name->ptr == NULL ? "a request or notification names its method" : NULL;
    } else if (m->method != 0 && !mcpw_str_equal(m->method_name, mcpw_method_name(w->revision, m->method))) {
        *why = "the method's number and name are those of two methods";
    }
    if (by_number != NULL || *why != NULL) {
        return by_number;
    }
    return mcpw_method_entry(w->revision, mcpw_method_number(w->revision, name->ptr, name->len));
}

static unsigned char *put_call(mcpw_writer *w, unsigned char *p, const mcpw_message *m) {
    const char *why = NULL;
    mcpw_str name = {NULL, 0};
    const mcpw_method *entry = catalogue_entry(w, m, &name, &why);
    if (why != NULL) {
        return misuse(w, why);
    }
    why = mcpw_method_conflict(entry, m->kind);
    if (why != NULL) {
        return refuse(w, why);
    }
    if (entry != NULL && (entry->flags & MCPW_METHOD_INPUT) != 0) {
        entry = NULL;
    }
    if (entry == NULL && (w->flags & MCPW_STRICT) != 0) {
        return mcpw_write_stop(w, MCPW_E_METHOD);
    }
    if (entry != NULL && m->type != NULL && m->type != entry->params) {
        return misuse(w, "the value's type is not that of the method's params");
    }
    if (entry != NULL && (entry->flags & MCPW_METHOD_PARAMS_REQUIRED) != 0 && m->value == NULL &&
        m->raw.ptr == NULL) {
        return mcpw_write_fail(w, MCPW_E_MISSING, "missing required member \"params\"");
    }
    if (m->kind == MCPW_MESSAGE_REQUEST) {
        p = put_id(w, p, &m->id);
        if (p == NULL) {
            return NULL;
        }
    }
    p = mcpw_room(w, p, 0);
    if (p == NULL) {
        return NULL;
    }
    p = PUT_TEXT(p, "\"method\":");
    p = mcpw_put_string(w, p, name);
    if (p == NULL) {
        mcpw_error_prepend_key(w->error, "method", sizeof "method" - 1);
        return NULL;
    }
    *p++ = ',';
    return put_value(w, p, "params", entry != NULL ? entry->params : m->type, m);
}

static unsigned char *put_result(mcpw_writer *w, unsigned char *p, const mcpw_message *m) {
    if (m->value == NULL && m->raw.ptr == NULL) {
        return mcpw_write_fail(w, MCPW_E_MISSING, "missing required member \"result\"");
    }
    p = put_id(w, p, &m->id);
    return p != NULL ? put_value(w, p, "result", m->type, m) : NULL;
}

static unsigned char *put_error(mcpw_writer *w, unsigned char *p, const mcpw_message *m) {
    static const char name[] = "error";
    if (m->id.kind != MCPW_ID_ABSENT) {
        p = put_id(w, p, &m->id);
        if (p == NULL) {
            return NULL;
        }
    }
    p = PUT_TEXT(p, "\"error\":");
    p = mcpw_write_document(w, p, w->revision->error->ref, &m->error);
    if (p == NULL) {
        mcpw_error_prepend_key(w->error, name, sizeof name - 1);
        return NULL;
    }
    *p++ = ',';
    return p;
}

static unsigned char *put_message(mcpw_writer *w, unsigned char *p, const mcpw_message *m) {
    const char *const why = mcpw_id_conflict(m->kind, m->id.kind);
    if (why != NULL) {
        return refuse(w, why);
    }
    if (m->type != NULL && m->type->revision != w->revision) {
        return misuse(w, "the value's type is of another revision");
    }
    if (w->depth == 0) {
        return mcpw_write_stop(w, MCPW_E_DEPTH);
    }
    p = mcpw_room(w, p, 0);
    if (p == NULL) {
        return NULL;
    }
    w->depth--;
    p = PUT_TEXT(p, "{\"jsonrpc\":\"2.0\",");
    p = m->kind == MCPW_MESSAGE_RESULT  ? put_result(w, p, m)
        : m->kind == MCPW_MESSAGE_ERROR ? put_error(w, p, m)
                                        : put_call(w, p, m);
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
        return refuse(w, "a batch is not empty");
    }
    if (m->batch == NULL) {
        return misuse(w, "batch is NULL but its count is not 0");
    }
    w->depth--;
    *p++ = '[';
    for (size_t i = 0; i < m->batch_count; i++) {
        if (is_outcome(m->batch + i) != is_outcome(m->batch)) {
            return refuse(w, "a batch holds requests or responses, not both");
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

mcpw_status mcpw_message_encode(const mcpw_revision *revision, const mcpw_message *message, mcpw_buffer *out,
                                const mcpw_options *options, mcpw_error *error) {
    mcpw_writer w;
    if (revision == NULL || message == NULL || out == NULL) {
        mcpw_error_text(error, MCPW_E_ARGUMENT, 0, "revision, message or buffer is NULL");
        return MCPW_E_ARGUMENT;
    }
    unsigned char *p = mcpw_write_open(&w, revision, out, options, error);
    if (MCPW_LIKELY(p != NULL)) {
        p = message->kind == MCPW_MESSAGE_BATCH ? put_batch(&w, p, message) : put_message(&w, p, message);
    }
    return mcpw_write_close(&w, p);
}
