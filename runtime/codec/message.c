/* SPDX-License-Identifier: MIT */
/*
 * JSON-RPC envelopes: which kind of message a text is, and its params or result by the catalogue of methods.
 * Decoding and validating share every line but the last step of a value; `build` tells them apart.
 */
#include <mcpw/message.h>

#include "engine_internal.h"

/* The members that JSON-RPC names. */
typedef enum envelope_member {
    JSONRPC,
    ID,
    METHOD,
    PARAMS,
    RESULT,
    ERROR,
    MEMBERS,
    OTHER = MEMBERS
} envelope_member;

static const mcpw_str envelope_names[MEMBERS] = {{"jsonrpc", 7}, {"id", 2},     {"method", 6},
                                                 {"params", 6},  {"result", 6}, {"error", 5}};

typedef struct exchange {
    mcpw_reader r;
    mcpw_resolve resolve;
    void *user;
    bool guess; /* a result before its id may be read by the id that seems to end the text */
} exchange;

/* A message being read: what has been found, and where the values stand whose type is not known yet. */
typedef struct draft {
    mcpw_message *out;
    unsigned seen;            /* a bit for each envelope_member */
    const mcpw_method *entry; /* of out->method */
    unsigned char *params;    /* to be read when the method is known */
    unsigned char *result;    /* to be read when the id is known */
    bool guessed;             /* the result was read by a guess at the id */
    int64_t guess;
    bool task;
} draft;

static bool has(const draft *d, envelope_member member) { return (d->seen & 1U << member) != 0; }

MCPW_INLINE unsigned char *refuse(exchange *x, const bool build, const unsigned char *p, mcpw_status status,
                                  const char *why) {
    return build ? mcpw_stop(&x->r, p, status) : mcpw_fail(&x->r, p, status, why);
}

/* A copy of a string token without its quotes, escapes undone: the text itself is needed again. */
MCPW_INLINE unsigned char *copy_string(exchange *x, const bool build, unsigned char *p, mcpw_str *out) {
    mcpw_reader *const r = &x->r;
    if (build) {
        return mcpw_read_string(r, p + 1, out);
    }
    unsigned char *const end = mcpw_skip_string(r, p + 1);
    if (end == NULL) {
        return NULL;
    }
    const size_t room = (size_t)(end - p) - MCPW_VALUE_QUOTES;
    char *const text = mcpw_arena_bump(r->arena, room + 1);
    if (text == NULL) {
        return mcpw_stop(r, p, mcpw_arena_status(r->arena));
    }
    if (mcpw_token_unescape(r, p + 1, text, room, &out->len) == NULL) {
        return NULL;
    }
    text[out->len] = '\0';
    out->ptr = text;
    return end;
}

MCPW_INLINE unsigned char *read_id(exchange *x, const bool build, unsigned char *p, mcpw_id *id) {
    if (*p == '"') {
        id->kind = MCPW_ID_STRING;
        return copy_string(x, build, p, &id->as.string);
    }
    if (*p == 'n') {
        id->kind = MCPW_ID_NULL;
        unsigned char *const end = mcpw_read_null(&x->r, p);
        return end != NULL ? end : refuse(x, build, p, MCPW_E_SYNTAX, "expected string or integer");
    }
    unsigned char *const end = mcpw_read_int(&x->r, p, &id->as.integer);
    if (end == NULL) {
        return build ? NULL : mcpw_fail_number(&x->r, p, "string or integer");
    }
    id->kind = MCPW_ID_INTEGER;
    return end;
}

MCPW_INLINE const mcpw_method *method_entry(const mcpw_revision *revision, int number) {
    return number < 1 || number > revision->method_count ? NULL : revision->methods + (number - 1);
}

#if MCPW_COMPACT
#define method_number(revision, in_text, method) mcpw_method_number((revision), (method).ptr, (method).len)
#else
/* The number of a method by its name; 0: none. Where the name stands in the text, more than its own bytes may
 * be compared. */
MCPW_INLINE int method_number(const mcpw_revision *revision, const bool in_text, mcpw_str name) {
    const unsigned char *const k = (const unsigned char *)name.ptr;
    if (!in_text || MCPW_UNLIKELY(revision->method_hash_mul == 0 || name.len - 1 >= MCPW_MAX_KEY)) {
        return mcpw_method_number(revision, name.ptr, name.len);
    }
    const unsigned place = revision->method_slots[MCPW_HASH(
        k, name.len, revision->method_hash_mul, revision->method_hash_shift, revision->method_hash_mask)];
    const mcpw_method *const m = revision->methods + place;
    if (place == MCPW_NO_INDEX || m->name_len != name.len) {
        return 0;
    }
    const unsigned len = m->name_len;
    const unsigned mask = len < MCPW_PATTERN_BYTES ? (1U << len) - 1U : (unsigned)MCPW_PATTERN_MASK;
    const char *const pattern = revision->pool + m->name + 1;
    return mcpw_key_matches(k, mcpw_load_input16(k), pattern, mask, len) ? (int)place + 1 : 0;
}

#endif

MCPW_INLINE unsigned char *read_method(exchange *x, const bool build, unsigned char *p, draft *d) {
    const mcpw_revision *const revision = x->r.revision;
    mcpw_message *const m = d->out;
    if (*p != '"') {
        return build ? mcpw_stop(&x->r, p, MCPW_E_TYPE) : mcpw_fail_type(&x->r, p, "string");
    }
    unsigned char *const end = copy_string(x, build, p, &m->method_name);
    if (end == NULL) {
        return NULL;
    }
    const int number = method_number(revision, build, m->method_name);
    const mcpw_method *const entry = number != 0 ? revision->methods + (number - 1) : NULL;
    if (entry != NULL && (entry->flags & MCPW_METHOD_INPUT) == 0) {
        m->method = number;
        d->entry = entry;
    } else if ((x->r.flags & MCPW_STRICT) != 0) {
        return refuse(x, build, p, MCPW_E_METHOD, "method is unknown to the revision");
    }
    return end;
}

#if !MCPW_COMPACT
/* Many peers write the id last. Where the text ends in `"id":` and digits, this is most likely the id; it is
 * held against the real one when that is read. */
static bool guess_id(const exchange *x, int64_t *id) {
    static const char name[] = "\"id\":";
    const unsigned char *const text = x->r.source;
    size_t end = x->r.len;
    if (!x->guess || end < sizeof name || text[end - 1] != '}') {
        return false;
    }
    end--;
    size_t first = end;
    while (first > 0 && end - first < MCPW_FAST_DIGITS && mcpw_is_digit(text[first - 1])) {
        first--;
    }
    if (first == end || first < sizeof name ||
        memcmp(text + first - (sizeof name - 1), name, sizeof name - 1) != 0) {
        return false;
    }
    const unsigned char before = text[first - sizeof name];
    if (before != ',' && before > ' ') { /* the end of a longer key */
        return false;
    }
    *id = 0;
    for (size_t i = first; i < end; i++) {
        *id = *id * 10 + (text[i] - '0');
    }
    return true;
}

#endif

/* A value of a type, or, where there is none, an object that stays text. */
MCPW_INLINE unsigned char *read_value(exchange *x, const bool build, unsigned char *p, const mcpw_type *type,
                                      draft *d) {
    mcpw_reader *const r = &x->r;
    mcpw_message *const m = d->out;
    unsigned char *const start = p;
    /* Where a union would take any value as one that it does not know, an object is still the least. */
    if (MCPW_UNLIKELY(*p != '{') && (type == NULL || (r->flags & MCPW_ALLOW_UNKNOWN) != 0)) {
        return build ? mcpw_stop(r, p, MCPW_E_TYPE) : mcpw_fail_type(r, p, "object");
    }
    if (type == NULL) {
        p = mcpw_skip_value(r, p);
        if (p != NULL) {
            m->raw.ptr = (const char *)start;
            m->raw.len = (size_t)(p - start);
        }
        return p;
    }
    m->type = type;
    if (!build) {
        return mcpw_check_ref(r, p, type->ref);
    }
    unsigned char *const value = mcpw_arena_bump(r->arena, type->size + MCPW_ZERO_STEP);
    if (value == NULL) {
        return mcpw_stop(r, p, mcpw_arena_status(r->arena));
    }
    mcpw_zero(value, type->size);
    m->value = value;
    return mcpw_build_ref(r, p, type->ref, value);
}

/* Whether an object, whose grammar has been checked, has a member named "task". */
static bool carries_task(exchange *x, unsigned char *p) {
    mcpw_reader *const r = &x->r;
    static const char task[] = "task";
    p = mcpw_space(r, p + 1);
    while (*p == '"') {
        mcpw_key_token key;
        p = mcpw_read_key(r, p, &key);
        if (p == NULL || (key.len == sizeof task - 1 && memcmp(key.ptr, task, key.len) == 0)) {
            return p != NULL;
        }
        p = mcpw_skip_value(r, p);
        p = p != NULL ? mcpw_space(r, p) : NULL;
        if (p == NULL || *p != ',') {
            break;
        }
        p = mcpw_space(r, p + 1);
    }
    return false;
}

MCPW_INLINE unsigned char *read_params(exchange *x, const bool build, unsigned char *p, draft *d) {
    unsigned char *const start = p;
    const mcpw_type *const type = d->entry != NULL ? d->entry->params : NULL;
    p = read_value(x, build, p, type, d);
    if (p != NULL && !build && d->entry != NULL && d->entry->task_result != NULL) {
        d->task = carries_task(x, start);
    }
    return p;
}

MCPW_INLINE unsigned char *read_result(exchange *x, const bool build, unsigned char *p, draft *d) {
    const mcpw_type *type = NULL;
    if (x->resolve != NULL) {
        const mcpw_answer answer = x->resolve(x->user, &d->out->id);
        const mcpw_method *const entry = method_entry(x->r.revision, answer.method);
        if (entry != NULL) {
            d->out->method = answer.method;
            type = answer.task && entry->task_result != NULL ? entry->task_result : entry->response;
        }
    }
    return read_value(x, build, p, type, d);
}

MCPW_INLINE unsigned char *read_error(exchange *x, const bool build, unsigned char *p, draft *d) {
    const mcpw_type *const type = x->r.revision->error;
    return build ? mcpw_build_ref(&x->r, p, type->ref, (unsigned char *)&d->out->error)
                 : mcpw_check_ref(&x->r, p, type->ref);
}

MCPW_INLINE unsigned char *read_version(exchange *x, const bool build, unsigned char *p) {
    static const char version[] = "\"2.0\"";
    if (MCPW_LIKELY(memcmp(p, version, sizeof version - 1) == 0)) {
        return p + sizeof version - 1;
    }
    mcpw_str text = {NULL, 0};
    unsigned char *const end = *p == '"' ? copy_string(x, build, p, &text) : NULL;
    return end != NULL && mcpw_str_is(text, "2.0") ? end
                                                   : refuse(x, build, p, MCPW_E_VALUE, "expected \"2.0\"");
}

MCPW_INLINE unsigned char *read_member(exchange *x, const bool build, unsigned char *p,
                                       envelope_member member, draft *d) {
    switch (member) {
    case JSONRPC:
        return read_version(x, build, p);
    case ID:
        p = read_id(x, build, p, &d->out->id);
        if (build && d->guessed && p != NULL &&
            (d->out->id.kind != MCPW_ID_INTEGER || d->out->id.as.integer != d->guess)) {
            return mcpw_stop(&x->r, p, MCPW_E_MESSAGE);
        }
        return p;
    case METHOD:
        return read_method(x, build, p, d);
    case PARAMS:
        if (has(d, METHOD)) {
            return read_params(x, build, p, d);
        }
        d->params = p;
        return mcpw_skip_value(&x->r, p);
    case RESULT:
        if (has(d, ID)) {
            return read_result(x, build, p, d);
        }
#if !MCPW_COMPACT
        if (build && guess_id(x, &d->guess)) {
            d->guessed = true;
            d->out->id.kind = MCPW_ID_INTEGER;
            d->out->id.as.integer = d->guess;
            return read_result(x, build, p, d);
        }
#endif
        d->result = p;
        return mcpw_skip_value(&x->r, p);
    case ERROR:
        return read_error(x, build, p, d);
    default:
        return mcpw_skip_value(&x->r, p);
    }
}

/* Reads a value under the name of its member, so that an error gets the right path. */
MCPW_INLINE unsigned char *read_named(exchange *x, const bool build, unsigned char *p, envelope_member member,
                                      const char *name, size_t name_len, draft *d,
                                      unsigned char *(*read)(exchange *x, const bool build, unsigned char *p,
                                                             draft *d)) {
    mcpw_reader *const r = &x->r;
    unsigned char *const start = p;
    if (build) {
        return read != NULL ? read(x, build, p, d) : read_member(x, build, p, member, d);
    }
    mcpw_frame frame = {r->frame, name, name_len, 0};
    r->frame = &frame;
    p = read != NULL ? read(x, build, p, d) : read_member(x, build, p, member, d);
    if (p == NULL) {
        p = mcpw_recover(r, start);
    }
    r->frame = frame.up;
    return p;
}

static unsigned char *keep_other(exchange *x, const bool build, unsigned char *p, const mcpw_key_token *key,
                                 draft *d) {
    mcpw_reader *const r = &x->r;
    unsigned char *const start = p;
    p = read_named(x, build, p, OTHER, (const char *)key->text, (size_t)(key->end - key->text), d, NULL);
    if (p == NULL || !build) {
        return p;
    }
    mcpw_str name = {NULL, 0};
    const mcpw_json value = {(const char *)start, (size_t)(p - start)};
    if (mcpw_read_string(r, key->text, &name) == NULL ||
        !mcpw_keep_member(r, (unsigned char *)&d->out->extra, name, value)) {
        return NULL;
    }
    return p;
}

/* Compares with a text of known length, in a few instructions. */
#define STARTS_WITH(p, text) (memcmp((p), (text), sizeof(text) - 1) == 0)

/* A member by its number; p is at its value. */
MCPW_INLINE unsigned char *read_known(exchange *x, const bool build, unsigned char *p,
                                      const envelope_member member, draft *d) {
    p = mcpw_space(&x->r, p);
    if (MCPW_UNLIKELY(has(d, member))) {
        return refuse(x, build, p, MCPW_E_DUPLICATE, "a member occurs twice");
    }
    d->seen |= 1U << member;
    return read_named(x, build, p, member, envelope_names[member].ptr, envelope_names[member].len, d, NULL);
}

/* A member whose key is not in its plain form, or is none that JSON-RPC names. */
static MCPW_NOINLINE unsigned char *read_other(exchange *x, const bool build, unsigned char *p, draft *d) {
    mcpw_key_token key;
    p = mcpw_read_key(&x->r, p, &key);
    if (p == NULL) {
        return NULL;
    }
    for (unsigned i = 0; i < MEMBERS; i++) {
        if (key.len == envelope_names[i].len && memcmp(key.ptr, envelope_names[i].ptr, key.len) == 0) {
            return read_known(x, build, p, (envelope_member)i, d);
        }
    }
    return keep_other(x, build, p, &key, d);
}

/* One member: finds out which, and reads its value. */
MCPW_INLINE unsigned char *read_pair(exchange *x, const bool build, unsigned char *p, draft *d) {
#define TRY(key, member)                                                                                     \
    if (STARTS_WITH(p, key)) {                                                                               \
        return read_known(x, build, p + sizeof(key) - 1, member, d);                                         \
    }
#if !MCPW_COMPACT
    TRY("\"id\":", ID)
    TRY("\"method\":", METHOD)
    TRY("\"params\":", PARAMS)
    TRY("\"result\":", RESULT)
    TRY("\"jsonrpc\":", JSONRPC)
    TRY("\"error\":", ERROR)
#endif
#undef TRY
    return read_other(x, build, p, d);
}

enum {
    A_REQUEST = 1U << JSONRPC | 1U << ID | 1U << METHOD,
    A_NOTIFICATION = 1U << JSONRPC | 1U << METHOD,
    A_RESULT = 1U << JSONRPC | 1U << ID | 1U << RESULT,
    AN_ERROR = 1U << JSONRPC | 1U << ID | 1U << ERROR,
    AN_ERROR_WITHOUT_ID = 1U << JSONRPC | 1U << ERROR
};

/* Why the members that are there make no message. */
static MCPW_COLD const char *misfit(const draft *d) {
    if (!has(d, JSONRPC)) {
        return MCPW_TEXT("missing required member \"jsonrpc\"");
    }
    if (has(d, RESULT) && has(d, ERROR)) {
        return MCPW_TEXT("a response has a result or an error, not both");
    }
    if (has(d, METHOD)) {
        return MCPW_TEXT("a message has a method or an outcome, not both");
    }
    if (has(d, RESULT)) {
        d->out->kind = MCPW_MESSAGE_RESULT;
        return MCPW_TEXT("a result carries the id of its request");
    }
    return MCPW_TEXT("neither method nor result nor error");
}

/* The message rule: what the members that are there make of the message; NULL when it is one. */
MCPW_INLINE const char *classify(const draft *d) {
    mcpw_message *const m = d->out;
    const bool null_id = m->id.kind == MCPW_ID_NULL;
    switch (d->seen & ~(1U << PARAMS)) {
    case A_REQUEST:
        m->kind = MCPW_MESSAGE_REQUEST;
        if (null_id) {
            return MCPW_TEXT("a request's id is a string or an integer");
        }
        return d->entry != NULL && (d->entry->flags & MCPW_METHOD_REQUEST) == 0
                   ? MCPW_TEXT("a notification carries no id")
                   : NULL;
    case A_NOTIFICATION:
        m->kind = MCPW_MESSAGE_NOTIFICATION;
        return d->entry != NULL && (d->entry->flags & MCPW_METHOD_NOTIFICATION) == 0
                   ? MCPW_TEXT("a request needs an id")
                   : NULL;
    case A_RESULT:
        m->kind = MCPW_MESSAGE_RESULT;
        return null_id ? MCPW_TEXT("a result carries the id of its request") : NULL;
    case AN_ERROR:
    case AN_ERROR_WITHOUT_ID:
        m->kind = MCPW_MESSAGE_ERROR;
        return NULL;
    default:
        return misfit(d);
    }
}

/* A response's member of the name "params" means nothing: it is kept as any other. */
static bool keep_params(exchange *x, draft *d) {
    static const mcpw_str name = MCPW_STR("params");
    const unsigned char *const end = mcpw_skip_value(&x->r, d->params);
    if (end == NULL) {
        return false;
    }
    const mcpw_json value = {(const char *)d->params, (size_t)(end - d->params)};
    return mcpw_keep_member(&x->r, (unsigned char *)&d->out->extra, name, value);
}

static MCPW_NOINLINE bool read_postponed(exchange *x, const bool build, draft *d) {
    if (d->params != NULL && !has(d, METHOD)) {
        if (build && !keep_params(x, d)) {
            return false;
        }
    } else if (d->params != NULL &&
               read_named(x, build, d->params, PARAMS, "params", 6, d, read_params) == NULL) {
        return false;
    }
    return d->result == NULL || read_named(x, build, d->result, RESULT, "result", 6, d, read_result) != NULL;
}

/* What could not be read before the whole envelope was known, and what is missing. */
MCPW_INLINE unsigned char *finish(exchange *x, const bool build, unsigned char *start, unsigned char *end,
                                  draft *d) {
    const char *const why = classify(d);
    if (why != NULL) {
        return refuse(x, build, start, MCPW_E_MESSAGE, why);
    }
    if (MCPW_UNLIKELY(d->params != NULL || d->result != NULL) && !read_postponed(x, build, d)) {
        return NULL;
    }
    if (d->entry != NULL && !has(d, PARAMS) && (d->entry->flags & MCPW_METHOD_PARAMS_REQUIRED) != 0) {
        return refuse(x, build, start, MCPW_E_MISSING, "missing required member \"params\"");
    }
    return end;
}

MCPW_INLINE unsigned char *read_message(exchange *x, const bool build, unsigned char *p, mcpw_message *out,
                                        bool *task) {
    mcpw_reader *const r = &x->r;
    unsigned char *const start = p;
    draft d = {out, 0, NULL, NULL, NULL, false, 0, false};
    if (*p != '{') {
        if (mcpw_json_type(*p) == 0 && !build) {
            return mcpw_fail_type(r, p, "object");
        }
        return refuse(x, build, p, MCPW_E_MESSAGE, "a message is a JSON object");
    }
    if (r->depth == 0) {
        return refuse(x, build, p, MCPW_E_DEPTH, mcpw_status_text(MCPW_E_DEPTH));
    }
    r->depth--;
    p = mcpw_space(r, p + 1);
#if !MCPW_COMPACT
    /* What most peers begin with, in one comparison. */
    static const char prefix[] = "\"jsonrpc\":\"2.0\",";
    if (MCPW_LIKELY(
            mcpw_pattern_matches(mcpw_load_input16(p), prefix, MCPW_PATTERN_MASK, MCPW_PATTERN_BYTES) &&
            p[MCPW_PATTERN_BYTES] == '"')) {
        p += MCPW_PATTERN_BYTES;
        d.seen = 1U << JSONRPC;
    }
#endif
    for (bool more = *p != '}'; more;) {
        mcpw_look_ahead(r, p);
        p = read_pair(x, build, p, &d);
        if (p == NULL) {
            return NULL;
        }
        p = mcpw_space(r, p);
        more = *p == ',';
        if (MCPW_LIKELY(more)) {
            p = mcpw_space(r, p + 1);
        }
    }
    if (MCPW_UNLIKELY(*p != '}')) {
        return refuse(x, build, p, MCPW_E_SYNTAX, "expected ',' or '}'");
    }
    r->depth++;
    *task = false;
    p = finish(x, build, start, p + 1, &d);
    *task = d.task;
    return p;
}

/* The messages of a batch that is being read. */
typedef struct batch {
    unsigned char *items; /* mcpw_message each; built only */
    size_t capacity;
    size_t count;
    bool outcomes; /* the first one was a response */
} batch;

static unsigned char *read_batch_item(exchange *x, const bool build, unsigned char *p, batch *b) {
    mcpw_reader *const r = &x->r;
    mcpw_message unused;
    mcpw_message *message = &unused;
    bool task = false;
    unsigned char *const start = p;
    if (!mcpw_count_element(r)) {
        return refuse(x, build, p, MCPW_E_ELEMENTS, mcpw_status_text(MCPW_E_ELEMENTS));
    }
    if (build) {
        if (b->count == b->capacity) {
            b->items = mcpw_grow(r, b->items, sizeof *message, &b->capacity);
            if (b->items == NULL) {
                return NULL;
            }
        }
        message = (mcpw_message *)(void *)b->items + b->count;
    }
    memset(message, 0, sizeof *message);
    mcpw_look_ahead(r, p);
    p = read_message(x, build, p, message, &task);
    if (p == NULL) {
        return NULL;
    }
    const bool outcome = message->kind == MCPW_MESSAGE_RESULT || message->kind == MCPW_MESSAGE_ERROR;
    if (b->count != 0 && outcome != b->outcomes) {
        return refuse(x, build, start, MCPW_E_MESSAGE, "a batch holds requests or responses, not both");
    }
    b->outcomes = outcome;
    b->count++;
    return p;
}

static unsigned char *read_batch_items(exchange *x, const bool build, unsigned char *p, mcpw_frame *frame,
                                       batch *b) {
    mcpw_reader *const r = &x->r;
    if (*p == ']') {
        r->frame = frame->up;
        return refuse(x, build, p, MCPW_E_MESSAGE, "a batch is not empty");
    }
    for (;;) {
        frame->index = b->count;
        p = read_batch_item(x, build, p, b);
        if (p == NULL) {
            return NULL;
        }
        p = mcpw_space(r, p);
        if (*p == ']') {
            return p + 1;
        }
        if (*p != ',') {
            return refuse(x, build, p, MCPW_E_SYNTAX, "expected ',' or ']'");
        }
        p = mcpw_space(r, p + 1);
    }
}

/* An array of messages, requests and notifications or responses (2025-03-26 alone). */
static unsigned char *read_batch(exchange *x, const bool build, unsigned char *p, mcpw_message *out) {
    mcpw_reader *const r = &x->r;
    batch b = {r->base, 0, 0, false};
    mcpw_frame frame = {r->frame, NULL, 0, 0};
    if (r->revision->batches == 0) {
        return refuse(x, build, p, MCPW_E_MESSAGE,
                      "this revision has no batches: a message is a JSON object");
    }
    r->frame = &frame;
    r->depth--;
    out->kind = MCPW_MESSAGE_BATCH;
    p = read_batch_items(x, build, mcpw_space(r, p + 1), &frame, &b);
    if (p == NULL && !build) {
        mcpw_describe(r); /* while the path is there */
    }
    r->frame = frame.up;
    r->depth++;
    out->batch = (const mcpw_message *)(const void *)b.items;
    out->batch_count = b.count;
    return p;
}

MCPW_INLINE unsigned char *read_all(exchange *x, const bool build, mcpw_message *out, bool *task) {
    mcpw_reader *const r = &x->r;
    unsigned char *p = mcpw_space(r, r->base);
    p = *p == '[' ? read_batch(x, build, p, out) : read_message(x, build, p, out, task);
    if (p == NULL) {
        return NULL;
    }
    const unsigned char *const end = r->base + r->len;
    if (MCPW_LIKELY(p == end)) {
        return p;
    }
    p = mcpw_space(r, p);
    return p == end ? p : refuse(x, build, p, MCPW_E_SYNTAX, "unexpected text behind the message");
}

/* What is left to do for a text that has not been decoded, because it could not be or because it has to be
 * looked at first. */
static MCPW_COLD mcpw_status explain_message(const mcpw_revision *revision, const char *text, size_t len,
                                             mcpw_arena *arena, mcpw_resolve resolve, void *user,
                                             mcpw_message *out, const mcpw_options *options,
                                             mcpw_status status, mcpw_error *error) {
    if (status == MCPW_E_MEMORY || status == MCPW_E_ARENA) {
        return mcpw_error_status(error, status);
    }
    /* Validating says what is wrong; under strict it also comes first, for what only it looks at. */
    mcpw_options plain = MCPW_OPTIONS_INIT;
    if (options != NULL) {
        plain = *options;
        plain.on_error = NULL;
    }
    const mcpw_status verdict =
        mcpw_message_validate(revision, text, len, arena, resolve, user, NULL, &plain, error);
    if (verdict != MCPW_OK) {
        return verdict;
    }
    if ((plain.flags & MCPW_STRICT) != 0) {
        plain.flags &= ~(unsigned)MCPW_STRICT;
        return mcpw_message_decode(revision, text, len, arena, resolve, user, out, &plain, error);
    }
    return mcpw_error_status(error, status);
}

mcpw_status mcpw_message_decode(const mcpw_revision *revision, const char *text, size_t len,
                                mcpw_arena *arena, mcpw_resolve resolve, void *user, mcpw_message *out,
                                const mcpw_options *options, mcpw_error *error) {
    exchange x;
    bool task = false;
    const mcpw_mark mark = mcpw_arena_mark(arena);
    const bool strict = options != NULL && (options->flags & MCPW_STRICT) != 0;
    mcpw_clear(out, sizeof *out);
    mcpw_status status = MCPW_OK;
    if (!strict) {
        x.guess = resolve != NULL;
        do {
            status = mcpw_reader_start(&x.r, revision, text, len, arena, options);
            x.resolve = resolve;
            x.user = user;
            if (MCPW_LIKELY(status == MCPW_OK)) {
                if (MCPW_LIKELY(read_all(&x, true, out, &task) != NULL)) {
                    return MCPW_OK;
                }
                status = x.r.status;
            }
            memset(out, 0, sizeof *out);
            mcpw_arena_rewind(arena, mark);
            x.guess = !x.guess; /* the second time without */
        } while (!x.guess && resolve != NULL);
    }
    return explain_message(revision, text, len, arena, resolve, user, out, options, status, error);
}

typedef struct validation {
    exchange *x;
    mcpw_message message;
    bool task;
} validation;

static mcpw_status run_message(mcpw_reader *r, void *what) {
    validation *const v = what;
    if (read_all(v->x, false, &v->message, &v->task) == NULL) {
        mcpw_describe(r);
        if (!mcpw_report(r)) {
            return r->first != MCPW_OK ? r->first : r->status;
        }
        return r->first;
    }
    return mcpw_finish_strict(r);
}

mcpw_status mcpw_message_validate(const mcpw_revision *revision, const char *text, size_t len,
                                  mcpw_arena *scratch, mcpw_resolve resolve, void *user, mcpw_envelope *found,
                                  const mcpw_options *options, mcpw_error *error) {
    exchange x;
    validation v;
    const mcpw_mark mark = mcpw_arena_mark(scratch);
    memset(&v, 0, sizeof v);
    v.x = &x;
    const mcpw_status opened = mcpw_reader_open(&x.r, revision, text, len, scratch, options);
    x.guess = false;
    x.resolve = resolve;
    x.user = user;
    const mcpw_status status = mcpw_validate_open(&x.r, opened, options, error, run_message, &v);
    if (found == NULL) {
        mcpw_arena_rewind(scratch, mark);
        return status;
    }
    found->kind = v.message.kind;
    found->method = v.message.method;
    found->method_name = v.message.method_name;
    found->id = v.message.id;
    found->task = v.task;
    return status;
}
