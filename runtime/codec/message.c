/* SPDX-License-Identifier: MIT */
/*
 * JSON-RPC envelopes: which kind of message a text is, and its params or result by the catalogue of methods.
 * Decoding and validating share every line but the last step of a value; `build` tells them apart.
 */
#include <mcpw/message.h>
#include <mcpw/table.h>

#include "engine_internal.h"

/* The members that JSON-RPC names. */
typedef enum envelope_member {
    JSONRPC,
    ID,
    METHOD,
    PARAMS = MCPW_ENVELOPE_PARAMS,
    RESULT,
    ERROR,
    OTHER = MCPW_ENVELOPE_OTHER
} envelope_member;

static const char envelope_names[OTHER][sizeof "jsonrpc"] = {"jsonrpc", "id",     "method",
                                                             "params",  "result", "error"};

const char mcpw_lacks_params[] = MCPW_TEXT_ARRAY("missing required member \"params\"");
const char mcpw_empty_batch[] = MCPW_TEXT_ARRAY("a batch is not empty");
const char mcpw_mixed_batch[] = MCPW_TEXT_ARRAY("a batch holds requests or responses, not both");

typedef struct exchange {
    mcpw_walk w;
    mcpw_resolve resolve;
    void *user;
    bool guess;  /* a result before its id may be read by the id that seems to end the text */
    bool stores; /* where it is no constant */
    bool task;   /* the params of the request carry a task */
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
} draft;

/* Whether values are stored stands in the exchange where size counts, and is a constant elsewhere: HOW is the
 * parameter that says it, SAME and AS are its arguments. A reader that stores has no error to describe, so
 * one call can fail both. */
#if MCPW_COMPACT
#define HOW exchange *x
#define SAME x
#define AS(x, how) ((x)->stores = (how), (x))
#define BUILD (x->stores)
#define STOPS false
#else
#define HOW exchange *x, const bool build
#define SAME x, build
#define AS(x, how) (x), (how)
#define BUILD build
#define STOPS build
#endif

static bool has(const draft *d, envelope_member member) { return (d->seen & 1U << member) != 0; }

MCPW_INLINE unsigned char *refuse(HOW, const unsigned char *p, mcpw_status status, const char *why) {
    return STOPS ? mcpw_stop(&x->w.reader, p, status) : mcpw_fail_text(&x->w, p, status, why);
}

MCPW_INLINE unsigned char *mismatch(HOW, const unsigned char *p, const char *expected) {
    return STOPS ? mcpw_stop(&x->w.reader, p, MCPW_E_TYPE) : mcpw_fail_type(&x->w, p, expected);
}

MCPW_INLINE unsigned char *read_ref(HOW, unsigned char *p, const mcpw_type *type, void *out) {
#if MCPW_COMPACT
    return mcpw_build_ref(&x->w, p, type->ref, x->stores ? out : NULL);
#else
    return build ? mcpw_build_ref(&x->w, p, type->ref, out) : mcpw_check_ref(&x->w, p, type->ref);
#endif
}

/* A copy of a string token without its quotes, escapes undone: the text itself is needed again. */
MCPW_INLINE unsigned char *copy_string(HOW, unsigned char *p, mcpw_str *out) {
    mcpw_walk *const w = &x->w;
    if (BUILD) {
        return mcpw_read_string(&w->reader, p + 1, out);
    }
    unsigned char *const end = mcpw_skip_string(&w->reader, p + 1);
    if (end == NULL) {
        return NULL;
    }
    const size_t room = (size_t)(end - p) - MCPW_VALUE_QUOTES;
    char *const text = mcpw_arena_bump(w->arena, room + 1);
    if (text == NULL) { /* uncovered: no memory, at one more place */
        return mcpw_stop(&w->reader, p, mcpw_arena_status(w->arena));
    }
    if (mcpw_token_unescape(&w->reader, p + 1, text, room, &out->len) == NULL) {
        return NULL; /* uncovered: no memory, at one more place */
    }
    text[out->len] = '\0';
    out->ptr = text;
    return end;
}

MCPW_INLINE unsigned char *read_id(HOW, unsigned char *p, mcpw_id *id) {
    if (*p == '"') {
        id->kind = MCPW_ID_STRING;
        return copy_string(SAME, p, &id->as.string);
    }
    if (*p == 'n') {
        id->kind = MCPW_ID_NULL;
        unsigned char *const end = mcpw_read_null(&x->w.reader, p);
        return end != NULL ? end : refuse(SAME, p, MCPW_E_SYNTAX, "expected string or integer");
    }
    unsigned char *const end = mcpw_read_int(&x->w.reader, p, &id->as.integer);
    if (end == NULL) {
        return STOPS ? NULL : mcpw_fail_number(&x->w, p, "string or integer");
    }
    id->kind = MCPW_ID_INTEGER;
    return end;
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

MCPW_INLINE unsigned char *read_method(HOW, unsigned char *p, draft *d) {
    const mcpw_revision *const revision = x->w.tables.revision;
    mcpw_message *const m = d->out;
    if (*p != '"') {
        return mismatch(SAME, p, "string");
    }
    unsigned char *const end = copy_string(SAME, p, &m->method_name);
    if (end == NULL) {
        return NULL;
    }
    const int number = method_number(revision, BUILD, m->method_name);
    const mcpw_method *const entry = number != 0 ? revision->methods + (number - 1) : NULL;
    if (entry != NULL && (entry->flags & MCPW_METHOD_INPUT) == 0) {
        m->method = number;
        d->entry = entry;
    } else if ((x->w.flags & MCPW_STRICT) != 0) {
        return refuse(SAME, p, MCPW_E_METHOD, mcpw_status_text(MCPW_E_METHOD));
    }
    return end;
}

#if !MCPW_COMPACT
/* Many peers write the id last. Where the text ends in `"id":` and digits, this is most likely the id; it is
 * held against the real one when that is read. */
static bool guess_id(const exchange *x, int64_t *id) {
    static const char name[] = "\"id\":";
    const unsigned char *const text = x->w.reader.source;
    size_t end = x->w.reader.len;
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
MCPW_INLINE unsigned char *read_value(HOW, unsigned char *p, const mcpw_type *type, draft *d) {
    mcpw_walk *const w = &x->w;
    mcpw_message *const m = d->out;
    unsigned char *const start = p;
    unsigned char *value = NULL;
    /* Where a union would take any value as one that it does not know, an object is still the least. */
    if (MCPW_UNLIKELY(*p != '{') && (type == NULL || (w->flags & MCPW_ALLOW_UNKNOWN) != 0)) {
        return mismatch(SAME, p, "object");
    }
    if (type == NULL) {
        p = mcpw_skip_value(&w->reader, p);
        if (p != NULL) {
            m->raw.ptr = (const char *)start;
            m->raw.len = (size_t)(p - start);
        }
        return p;
    }
    m->type = type;
    if (BUILD) {
        value = mcpw_arena_bump(w->arena, type->size + MCPW_ZERO_STEP);
        if (value == NULL) {
            return mcpw_stop(&w->reader, p, mcpw_arena_status(w->arena));
        }
        mcpw_zero(value, type->size);
        m->value = value;
    }
    return read_ref(SAME, p, type, value);
}

/* Whether an object, whose grammar has been checked, has a member named "task". */
static bool carries_task(exchange *x, unsigned char *p) {
    mcpw_walk *const w = &x->w;
    static const char task[] = "task";
    do {
        mcpw_key_token key;
        p = mcpw_space(&w->reader, p + 1);
        if (*p != '"') {
            return false;
        }
        p = mcpw_read_key(&w->reader, p, &key);
        if (p != NULL && key.len == sizeof task - 1 && memcmp(key.ptr, task, key.len) == 0) {
            return true;
        }
        p = p != NULL ? mcpw_skip_value(&w->reader, p) : NULL;
        p = p != NULL ? mcpw_space(&w->reader, p) : NULL;
    } while (p != NULL && *p == ',');
    return false;
}

MCPW_INLINE unsigned char *read_params(HOW, unsigned char *p, draft *d) {
    unsigned char *const start = p;
    const mcpw_type *const type = d->entry != NULL ? d->entry->params : NULL;
    p = read_value(SAME, p, type, d);
    if (p != NULL && !BUILD && d->entry != NULL && d->entry->task_result != NULL) {
        x->task = carries_task(x, start);
    }
    return p;
}

MCPW_INLINE const mcpw_method *method_entry(const mcpw_revision *revision, int number) {
    return number < 1 || number > revision->method_count ? NULL : revision->methods + (number - 1);
}

MCPW_INLINE unsigned char *read_result(HOW, unsigned char *p, draft *d) {
    const mcpw_type *type = NULL;
    if (x->resolve != NULL) {
        const mcpw_answer answer = x->resolve(x->user, &d->out->id);
        const mcpw_method *const entry = method_entry(x->w.tables.revision, answer.method);
        if (entry != NULL) {
            d->out->method = answer.method;
            type = answer.task && entry->task_result != NULL ? entry->task_result : entry->response;
        }
    }
    return read_value(SAME, p, type, d);
}

/* Compares with a text of known length, in a few instructions. */
#define STARTS_WITH(p, text) (memcmp((p), (text), sizeof(text) - 1) == 0)

MCPW_INLINE unsigned char *read_version(HOW, unsigned char *p) {
    static const char version[] = {'2', '.', '0'};
    char text[sizeof version];
    size_t len = 0;
    if (!MCPW_COMPACT && MCPW_LIKELY(STARTS_WITH(p, "\"2.0\""))) {
        return p + sizeof "\"2.0\"" - 1;
    }
    unsigned char *const end =
        *p == '"' ? mcpw_token_unescape(&x->w.reader, p + 1, text, sizeof text, &len) : NULL;
    return end != NULL && len == sizeof text && memcmp(text, version, sizeof text) == 0
               ? end
               : refuse(SAME, p, MCPW_E_VALUE, "expected \"2.0\"");
}

MCPW_INLINE unsigned char *read_member(HOW, unsigned char *p, envelope_member member, draft *d) {
    switch (member) {
    case JSONRPC:
        return read_version(SAME, p);
    case ID:
        p = read_id(SAME, p, &d->out->id);
        if (!MCPW_COMPACT && d->guessed && p != NULL &&
            (d->out->id.kind != MCPW_ID_INTEGER || d->out->id.as.integer != d->guess)) {
            return mcpw_stop(&x->w.reader, p, MCPW_E_MESSAGE);
        }
        return p;
    case METHOD:
        return read_method(SAME, p, d);
    case PARAMS:
        if (has(d, METHOD)) {
            return read_params(SAME, p, d);
        }
        d->params = p;
        break;
    case RESULT:
        if (has(d, ID)) {
            return read_result(SAME, p, d);
        }
#if !MCPW_COMPACT
        if (build && guess_id(x, &d->guess)) {
            d->guessed = true;
            d->out->id.kind = MCPW_ID_INTEGER;
            d->out->id.as.integer = d->guess;
            return read_result(SAME, p, d);
        }
#endif
        d->result = p;
        break;
    case ERROR:
        return read_ref(SAME, p, x->w.tables.revision->error, &d->out->error);
    case OTHER:
    default:
        break;
    }
    return mcpw_skip_value(&x->w.reader, p);
}

/* Reads a value under the name of its member, so that an error gets the right path. */
MCPW_INLINE unsigned char *read_named(HOW, unsigned char *p, envelope_member member, const char *name,
                                      size_t name_len, draft *d) {
    mcpw_walk *const w = &x->w;
    unsigned char *const start = p;
    if (STOPS) {
        return read_member(SAME, p, member, d);
    }
    mcpw_frame frame = {w->teller.frame, name, name_len, 0};
    w->teller.frame = &frame;
    p = read_member(SAME, p, member, d);
    if (p == NULL) {
        p = mcpw_recover(w, start);
    }
    w->teller.frame = frame.up;
    return p;
}

static MCPW_NOINLINE bool keep(exchange *x, draft *d, mcpw_str name, const unsigned char *from,
                               const unsigned char *to) {
    const mcpw_json value = {(const char *)from, (size_t)(to - from)};
    return mcpw_keep_member(&x->w, (unsigned char *)&d->out->extra, name, value);
}

static unsigned char *keep_other(HOW, unsigned char *p, const mcpw_key_token *key, draft *d) {
    unsigned char *const start = p;
    mcpw_str name = {NULL, 0};
    p = read_named(SAME, p, OTHER, (const char *)key->text, (size_t)(key->end - key->text), d);
    if (p == NULL || !BUILD) {
        return p;
    }
    return mcpw_read_string(&x->w.reader, key->text, &name) != NULL && keep(x, d, name, start, p) ? p : NULL;
}

/* A member by its number; p is at its value. */
MCPW_INLINE unsigned char *read_numbered(HOW, unsigned char *p, const envelope_member member, draft *d) {
    const char *const name = envelope_names[member];
    return read_named(SAME, p, member, name, strlen(name), d);
}

MCPW_INLINE unsigned char *read_known(HOW, unsigned char *p, const envelope_member member, draft *d) {
    p = mcpw_space(&x->w.reader, p);
    if (MCPW_UNLIKELY(has(d, member))) {
        return refuse(SAME, p, MCPW_E_DUPLICATE, "member occurs twice");
    }
    d->seen |= 1U << member;
    return read_numbered(SAME, p, member, d);
}

unsigned mcpw_envelope_member(mcpw_str name) {
    unsigned member = 0;
    while (member < OTHER && !mcpw_str_is(name, envelope_names[member])) {
        member++;
    }
    return member;
}

/* A member whose key is not in its plain form, or is none that JSON-RPC names. */
static MCPW_NOINLINE unsigned char *read_other(HOW, unsigned char *p, draft *d) {
    mcpw_key_token key;
    p = mcpw_read_key(&x->w.reader, p, &key);
    if (p == NULL) {
        return NULL;
    }
    const mcpw_str name = {key.ptr, key.len};
    const envelope_member member = (envelope_member)mcpw_envelope_member(name);
    return member != OTHER ? read_known(SAME, p, member, d) : keep_other(SAME, p, &key, d);
}

/* One member: finds out which, and reads its value. */
MCPW_INLINE unsigned char *read_pair(HOW, unsigned char *p, draft *d) {
#define TRY(key, member)                                                                                     \
    if (STARTS_WITH(p, key)) {                                                                               \
        return read_known(SAME, p + sizeof(key) - 1, member, d);                                             \
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
    return read_other(SAME, p, d);
}

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
    return MCPW_TEXT("neither method nor result nor error");
}

/* Why a message of that kind cannot have such an id; NULL: it can. */
MCPW_INLINE const char *id_conflict(mcpw_message_kind kind, mcpw_id_kind id) {
    const bool given = id == MCPW_ID_STRING || id == MCPW_ID_INTEGER;
    switch (kind) {
    case MCPW_MESSAGE_REQUEST:
        return given ? NULL : MCPW_TEXT("a request's id is a string or an integer");
    case MCPW_MESSAGE_NOTIFICATION:
        return id == MCPW_ID_ABSENT ? NULL : MCPW_TEXT("a notification carries no id");
    case MCPW_MESSAGE_RESULT:
        return given ? NULL : MCPW_TEXT("a result carries the id of its request");
    case MCPW_MESSAGE_ERROR:
        return given || id == MCPW_ID_ABSENT || id == MCPW_ID_NULL
                   ? NULL
                   : MCPW_TEXT("an error's id is a string, an integer or null");
    case MCPW_MESSAGE_BATCH:
        return MCPW_TEXT("a batch holds no batch");
    case MCPW_MESSAGE_NONE:
    default:
        return MCPW_TEXT("the message has no kind");
    }
}

/* Why it cannot be of that method, which may be unknown. */
MCPW_INLINE const char *method_conflict(const mcpw_method *entry, mcpw_message_kind kind) {
    if (entry == NULL || (entry->flags & MCPW_METHOD_INPUT) != 0) {
        return NULL; /* as a message of its own it is unknown */
    }
    if (kind == MCPW_MESSAGE_REQUEST && (entry->flags & MCPW_METHOD_REQUEST) == 0) {
        return MCPW_TEXT("a notification carries no id");
    }
    if (kind == MCPW_MESSAGE_NOTIFICATION && (entry->flags & MCPW_METHOD_NOTIFICATION) == 0) {
        return MCPW_TEXT("a request needs an id");
    }
    return NULL;
}

const char *mcpw_id_conflict(mcpw_message_kind kind, mcpw_id_kind id) { return id_conflict(kind, id); }

const char *mcpw_method_conflict(const mcpw_method *entry, mcpw_message_kind kind) {
    return method_conflict(entry, kind);
}

/* A message whose members are those of a kind; NULL when that is what it is. An id that could not be read was
 * complained about where it stands. */
MCPW_INLINE const char *settle(const draft *d, const mcpw_message_kind kind) {
    d->out->kind = kind;
    const char *const why = d->out->id.kind == MCPW_ID_NULL ? id_conflict(kind, MCPW_ID_NULL) : NULL;
    return why != NULL ? why : method_conflict(d->entry, kind);
}

/* The message rule: what the members that are there make of the message; NULL when it is one. */
MCPW_INLINE const char *classify(const draft *d) {
    switch (d->seen & ~(1U << PARAMS)) {
    case 1U << JSONRPC | 1U << ID | 1U << METHOD:
        return settle(d, MCPW_MESSAGE_REQUEST);
    case 1U << JSONRPC | 1U << METHOD:
        return settle(d, MCPW_MESSAGE_NOTIFICATION);
    case 1U << JSONRPC | 1U << RESULT:
        d->out->kind = MCPW_MESSAGE_RESULT;
        return id_conflict(MCPW_MESSAGE_RESULT, MCPW_ID_ABSENT);
    case 1U << JSONRPC | 1U << ID | 1U << RESULT:
        return settle(d, MCPW_MESSAGE_RESULT);
    case 1U << JSONRPC | 1U << ID | 1U << ERROR:
    case 1U << JSONRPC | 1U << ERROR:
        return settle(d, MCPW_MESSAGE_ERROR);
    default:
        return misfit(d);
    }
}

/* Values that were skipped: now it is known how to read them. */
static MCPW_NOINLINE bool read_postponed(HOW, draft *d) {
    static const mcpw_str name = MCPW_STR("params");
    if (d->params != NULL && has(d, METHOD)) {
        if (read_numbered(SAME, d->params, PARAMS, d) == NULL) {
            return false;
        }
    } else if (d->params != NULL && BUILD) { /* in a response it means nothing: kept as any other */
        const unsigned char *const end = mcpw_skip_value(&x->w.reader, d->params);
        if (end == NULL || !keep(x, d, name, d->params, end)) {
            return false; /* uncovered: it was read once and cannot fail when read again */
        }
    }
    return d->result == NULL || read_numbered(SAME, d->result, RESULT, d) != NULL;
}

/* What could not be read before the whole envelope was known, and what is missing. */
MCPW_INLINE unsigned char *finish(HOW, unsigned char *start, unsigned char *end, draft *d) {
    const char *const why = classify(d);
    if (why != NULL) {
        return refuse(SAME, start, MCPW_E_MESSAGE, why);
    }
    if (MCPW_UNLIKELY(d->params != NULL || d->result != NULL) && !read_postponed(SAME, d)) {
        return NULL;
    }
    if (d->entry != NULL && !has(d, PARAMS) && (d->entry->flags & MCPW_METHOD_PARAMS_REQUIRED) != 0) {
        return refuse(SAME, start, MCPW_E_MISSING, mcpw_lacks_params);
    }
    return end;
}

MCPW_INLINE unsigned char *read_message(HOW, unsigned char *p, mcpw_message *out) {
    mcpw_walk *const w = &x->w;
    unsigned char *const start = p;
    draft d = {out, 0, NULL, NULL, NULL, false, 0};
    if (*p != '{') {
        return mcpw_json_type(*p) == 0 ? mismatch(SAME, p, "object")
                                       : refuse(SAME, p, MCPW_E_MESSAGE, "a message is a JSON object");
    }
    if (w->reader.depth == 0) {
        return mcpw_stop(&w->reader, p, MCPW_E_DEPTH);
    }
    w->reader.depth--;
    p = mcpw_space(&w->reader, p + 1);
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
        mcpw_look_ahead(&w->reader, p);
        p = read_pair(SAME, p, &d);
        if (p == NULL) {
            return NULL;
        }
        p = mcpw_space(&w->reader, p);
        more = *p == ',';
        if (MCPW_LIKELY(more)) {
            p = mcpw_space(&w->reader, p + 1);
        }
    }
    if (MCPW_UNLIKELY(*p != '}')) {
        return refuse(SAME, p, MCPW_E_SYNTAX, "expected ',' or '}'");
    }
    w->reader.depth++;
    return finish(SAME, start, p + 1, &d);
}

/* The messages of a batch that is being read. */
typedef struct batch {
    mcpw_frame frame;     /* the one that is read */
    unsigned char *items; /* mcpw_message each; built only */
    size_t capacity;
    bool outcomes; /* the first one was a response */
} batch;

static unsigned char *read_batch_item(HOW, unsigned char *p, batch *b) {
    mcpw_walk *const w = &x->w;
    mcpw_message unused;
    mcpw_message *message = &unused;
    unsigned char *const start = p;
    const size_t count = b->frame.index;
    if (!mcpw_count_element(w)) {
        return mcpw_stop(&w->reader, p, MCPW_E_ELEMENTS);
    }
    if (BUILD) {
        if (count == b->capacity) {
            b->items = mcpw_grow(w, b->items, sizeof *message, &b->capacity);
            if (b->items == NULL) { /* uncovered: no memory, at one more place */
                return mcpw_stop(&w->reader, p, w->reader.status);
            }
        }
        message = (mcpw_message *)(void *)b->items + count;
    }
    memset(message, 0, sizeof *message);
    mcpw_look_ahead(&w->reader, p);
    p = read_message(SAME, p, message);
    if (p == NULL) {
        return NULL;
    }
    const bool outcome = message->kind == MCPW_MESSAGE_RESULT || message->kind == MCPW_MESSAGE_ERROR;
    if (count != 0 && outcome != b->outcomes) {
        return refuse(SAME, start, MCPW_E_MESSAGE, mcpw_mixed_batch);
    }
    b->outcomes = outcome;
    return p;
}

static unsigned char *read_batch_items(HOW, unsigned char *p, batch *b) {
    mcpw_walk *const w = &x->w;
    for (;; b->frame.index++) {
        p = read_batch_item(SAME, mcpw_space(&w->reader, p + 1), b);
        if (p == NULL) {
            return NULL;
        }
        p = mcpw_space(&w->reader, p);
        if (*p != ',') {
            break;
        }
    }
    return *p == ']' ? p + 1 : refuse(SAME, p, MCPW_E_SYNTAX, "expected ',' or ']'");
}

/* An array of messages, requests and notifications or responses (2025-03-26 alone). */
static unsigned char *read_batch(HOW, unsigned char *p, mcpw_message *out) {
    mcpw_walk *const w = &x->w;
    batch b = {{w->teller.frame, NULL, 0, 0}, w->reader.base, 0, false};
    if (w->tables.revision->batches == 0) {
        return refuse(SAME, p, MCPW_E_MESSAGE, "this revision has no batches: a message is a JSON object");
    }
    out->kind = MCPW_MESSAGE_BATCH;
    unsigned char *const first = mcpw_space(&w->reader, p + 1);
    if (*first == ']') {
        return refuse(SAME, first, MCPW_E_MESSAGE, mcpw_empty_batch);
    }
    w->teller.frame = &b.frame;
    w->reader.depth--;
    p = read_batch_items(SAME, p, &b);
    if (p == NULL && !STOPS) {
        mcpw_describe(w); /* while the path is there */
    }
    w->teller.frame = b.frame.up;
    w->reader.depth++;
    x->task = false; /* which is said of a message that stands alone */
    out->batch = (const mcpw_message *)(const void *)b.items;
    out->batch_count = b.frame.index + 1;
    return p;
}

MCPW_INLINE unsigned char *read_all(HOW, mcpw_message *out) {
    mcpw_walk *const w = &x->w;
    unsigned char *p = mcpw_space(&w->reader, w->reader.base);
    p = *p == '[' ? read_batch(SAME, p, out) : read_message(SAME, p, out);
    if (p == NULL) {
        return NULL;
    }
    const unsigned char *const end = w->reader.base + w->reader.len;
    if (MCPW_LIKELY(p == end)) {
        return p;
    }
    p = mcpw_space(&w->reader, p);
    return p == end ? p : refuse(SAME, p, MCPW_E_SYNTAX, "unexpected text behind the message");
}

/* Reads and stores a message, without what is strict. A guess that fails is followed by a reading without. */
MCPW_INLINE mcpw_status build_message(exchange *x, const mcpw_revision *revision, const char *text,
                                      size_t len, mcpw_arena *arena, mcpw_resolve resolve, void *user,
                                      mcpw_message *out, const mcpw_options *options) {
    const mcpw_mark mark = mcpw_arena_mark(arena);
    x->guess = !MCPW_COMPACT && resolve != NULL;
    for (;;) {
        mcpw_status status = mcpw_walk_start(&x->w, revision, text, len, arena, options);
        x->resolve = resolve;
        x->user = user;
        x->w.flags &= ~(unsigned)MCPW_STRICT;
        if (MCPW_LIKELY(status == MCPW_OK)) {
            if (MCPW_LIKELY(read_all(AS(x, true), out) != NULL)) {
                return MCPW_OK;
            }
            status = x->w.reader.status;
        }
        memset(out, 0, sizeof *out);
        mcpw_arena_rewind(arena, mark);
        if (!x->guess) {
            return status;
        }
        x->guess = false;
    }
}

/* Validating says what is wrong; under strict it also comes first, for what only it looks at. */
static MCPW_COLD mcpw_status check_message(const mcpw_revision *revision, const char *text, size_t len,
                                           mcpw_arena *arena, mcpw_resolve resolve, void *user,
                                           const mcpw_options *options, mcpw_error *error) {
    mcpw_options plain = MCPW_OPTIONS_INIT;
    if (options != NULL) {
        plain = *options;
        plain.on_error = NULL;
    }
    return mcpw_message_validate(revision, text, len, arena, resolve, user, NULL, &plain, error);
}

mcpw_status mcpw_message_decode(const mcpw_revision *revision, const char *text, size_t len,
                                mcpw_arena *arena, mcpw_resolve resolve, void *user, mcpw_message *out,
                                const mcpw_options *options, mcpw_error *error) {
    exchange x;
    bool checks = options != NULL && (options->flags & MCPW_STRICT) != 0;
    mcpw_clear(out, sizeof *out);
    for (;; checks = false) {
        mcpw_status status = MCPW_OK;
        if (MCPW_LIKELY(!checks)) {
            status = build_message(&x, revision, text, len, arena, resolve, user, out, options);
            if (MCPW_LIKELY(status == MCPW_OK)) {
                return MCPW_OK;
            }
        }
        const bool exhausted = status == MCPW_E_MEMORY || status == MCPW_E_ARENA;
        const mcpw_status verdict =
            exhausted ? MCPW_OK : check_message(revision, text, len, arena, resolve, user, options, error);
        if (verdict != MCPW_OK) {
            return verdict;
        }
        if (!checks) {
            return mcpw_error_status(error, status);
        }
    }
}

static mcpw_status run_message(mcpw_walk *w, void *what) {
    exchange *const x = (exchange *)(void *)w; /* whose first member it is */
    if (read_all(AS(x, false), what) != NULL) {
        return mcpw_finish_strict(w);
    }
    mcpw_describe(w);
    return !mcpw_report(w) && w->teller.first == MCPW_OK ? w->reader.status : w->teller.first;
}

mcpw_status mcpw_message_validate(const mcpw_revision *revision, const char *text, size_t len,
                                  mcpw_arena *scratch, mcpw_resolve resolve, void *user, mcpw_envelope *found,
                                  const mcpw_options *options, mcpw_error *error) {
    exchange x;
    mcpw_message message;
    const mcpw_mark mark = mcpw_arena_mark(scratch);
    memset(&message, 0, sizeof message);
    x.resolve = resolve;
    x.user = user;
    x.guess = false;
    x.task = false;
    const mcpw_status opened = mcpw_walk_open(&x.w, revision, text, len, scratch, options);
    const mcpw_status status = mcpw_validate_open(&x.w, opened, options, error, run_message, &message);
    if (found == NULL) {
        mcpw_arena_rewind(scratch, mark);
        return status;
    }
    found->kind = message.kind;
    found->method = message.method;
    found->method_name = message.method_name;
    found->id = message.id;
    found->task = x.task;
    return status;
}
