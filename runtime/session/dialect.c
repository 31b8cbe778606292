/* SPDX-License-Identifier: MIT */
/* A revision as a session speaks it: what it works out from its tables, and what it puts into params and
 * results. */
#include "dialect.h"

#include "adapt.h"
#include "capability.h"
#include "level.h"
#include "value.h"

static const char *const own_names[MCPW_OWN_COUNT] = {NULL,
#define OWN_NAME(name, text) text,
                                                      MCPW_OWN_METHODS(OWN_NAME)
#undef OWN_NAME
};

static const char version_name[] = "io.modelcontextprotocol/protocolVersion";
static const char server_name[] = "io.modelcontextprotocol/serverInfo";
static const char level_name[] = "io.modelcontextprotocol/logLevel";

/* Whether the config's list, "2025-11-25 2026-07-28", names a revision. */
static bool is_listed(const char *list, const char *name) {
    const size_t len = strlen(name);
    while (list != NULL && *list != '\0') {
        const size_t word = strcspn(list, " ,");
        if (word == len && memcmp(list, name, len) == 0) {
            return true;
        }
        list += word;
        list += strspn(list, " ,");
    }
    return list == NULL;
}

static bool is_known(const char *word, size_t len) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    for (size_t i = 0; i < count; i++) {
        if (strlen(all[i]->name) == len && memcmp(all[i]->name, word, len) == 0) {
            return true;
        }
    }
    return false;
}

mcpw_status mcpw_dialects_make(mcpw_session *session, mcpw_error *error) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    for (const char *list = session->config.revisions; list != NULL && *list != '\0';) {
        const size_t word = strcspn(list, " ,");
        if (word != 0 && !is_known(list, word)) {
            mcpw_error_set(error, MCPW_E_VERSION, 0, "this library holds no revision \"%.*s\"", (int)word,
                           list);
            return MCPW_E_VERSION;
        }
        list += word;
        list += strspn(list, " ,");
    }
    session->dialects = mcpw_arena_alloc(&session->memory, count * sizeof *session->dialects);
    if (session->dialects == NULL) {
        return MCPW_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        mcpw_dialect *const d = session->dialects + session->dialect_count;
        if (!is_listed(session->config.revisions, all[i]->name)) {
            continue;
        }
        memset(d, 0, sizeof *d);
        d->revision = all[i];
        for (int own = 1; own < MCPW_OWN_COUNT; own++) {
            d->number[own] = (uint8_t)mcpw_method_number(all[i], own_names[own], strlen(own_names[own]));
        }
        d->modern = d->number[MCPW_OWN_INITIALIZE] == 0;
        session->dialect_count++;
    }
    if (session->dialect_count == 0) {
        mcpw_error_set(error, MCPW_E_VERSION, 0, "the config names no revision to speak");
        return MCPW_E_VERSION;
    }
    session->dialect = session->dialects + (session->dialect_count - 1);
    return MCPW_OK;
}

mcpw_dialect *mcpw_dialect_named(mcpw_session *session, mcpw_str revision) {
    for (size_t i = 0; i < session->dialect_count; i++) {
        if (mcpw_str_is(revision, session->dialects[i].revision->name)) {
            return session->dialects + i;
        }
    }
    return NULL;
}

mcpw_dialect *mcpw_dialect_newest(mcpw_session *session, bool modern) {
    for (size_t i = session->dialect_count; i-- > 0;) {
        if (session->dialects[i].modern == modern) {
            return session->dialects + i;
        }
    }
    return NULL;
}

void mcpw_dialect_names(const mcpw_session *session, mcpw_text *out) {
    mcpw_text_put(out, "[");
    for (size_t i = session->dialect_count; i-- > 0;) {
        mcpw_text_comma(out);
        mcpw_text_string(out, mcpw_str_from(session->dialects[i].revision->name));
    }
    mcpw_text_put(out, "]");
}

/* ---- What each method's params and result hold ---- */

static uint16_t place_of(const mcpw_revision *revision, mcpw_ref ref, const char *name, mcpw_kind kind,
                         uint16_t *index) {
    const mcpw_row *const row = mcpw_row_named(revision, ref, name);
    const mcpw_ref value = row != NULL ? mcpw_row_value(revision, row) : ref;
    if (row == NULL || value.kind != kind) {
        return MCPW_NO_OFFSET;
    }
    if (index != NULL) {
        *index = value.index;
    }
    return row->offset;
}

static void bind_params(mcpw_binding *b, const mcpw_revision *revision, const mcpw_type *params) {
    b->meta = b->token = b->version = b->level = b->responses = b->state = MCPW_NO_OFFSET;
    if (params != NULL) {
        b->responses = place_of(revision, params->ref, "inputResponses", MCPW_KIND_MAP, NULL);
        b->state = place_of(revision, params->ref, "requestState", MCPW_KIND_STRING, NULL);
    }
    const mcpw_row *const meta = params != NULL ? mcpw_row_named(revision, params->ref, "_meta") : NULL;
    if (meta == NULL) {
        return;
    }
    const mcpw_ref ref = mcpw_row_value(revision, meta);
    if (ref.kind != MCPW_KIND_STRUCT && ref.kind != MCPW_KIND_STRUCT_PTR) {
        return;
    }
    b->meta = meta->offset;
    b->meta_ref = ref;
    b->meta_size = revision->structs[ref.index].size;
    b->token = place_of(revision, ref, "progressToken", MCPW_KIND_ID, NULL);
    b->version = place_of(revision, ref, version_name, MCPW_KIND_STRING, NULL);
    b->level = place_of(revision, ref, level_name, MCPW_KIND_ENUM, &b->level_enum);
}

/* The required members of a result that one of the session's values can stand in for. */
static mcpw_status bind_result(mcpw_session *session, mcpw_binding *b, const mcpw_revision *revision,
                               const mcpw_type *result) {
    for (size_t i = 0; result != NULL && i < session->value_count; i++) {
        const mcpw_row *const row = mcpw_row_named(revision, result->ref, session->values[i].name.ptr);
        const mcpw_ref ref = row != NULL ? mcpw_row_value(revision, row) : result->ref;
        const uint8_t size = row != NULL ? mcpw_kinds[ref.kind].size : 0;
        if (size == 0 || size > MCPW_FILL_SIZE || b->fill_count == MCPW_MAX_FILLS ||
            !mcpw_row_required(revision->structs + result->ref.index, row)) {
            continue;
        }
        mcpw_fill *const fill = b->fills + b->fill_count;
        _Alignas(max_align_t) unsigned char room[MCPW_FILL_SIZE] = {0};
        const mcpw_type type = {revision, "", ref, size};
        const mcpw_json text = session->values[i].value;
        const mcpw_status status = mcpw_decode(&type, text.ptr, text.len, &session->memory, room, NULL, NULL);
        if (status != MCPW_OK) {
            return status;
        }
        memcpy(fill->bytes, room, size);
        fill->offset = row->offset;
        fill->ref = ref;
        fill->size = size;
        fill->value = (uint8_t)i;
        b->fill_count++;
    }
    return MCPW_OK;
}

static uint16_t self_place(const mcpw_dialect *dialect, const mcpw_type *result) {
    uint16_t index = 0;
    const uint16_t at = dialect->self != NULL && result != NULL
                            ? place_of(dialect->revision, result->ref, "_meta", MCPW_KIND_STRUCT_PTR, &index)
                            : MCPW_NO_OFFSET;
    return index == dialect->self_ref.index ? at : MCPW_NO_OFFSET;
}

static mcpw_status bind_fill_text(mcpw_session *session, const mcpw_dialect *dialect, mcpw_binding *b) {
    mcpw_text text = mcpw_session_text(session);
    const bool is_signed = b->result_meta != MCPW_NO_OFFSET;
    if (is_signed) {
        mcpw_text_json(&text, dialect->self_meta);
    }
    for (unsigned i = 0; i < b->fill_count; i++) {
        const mcpw_member *const fill = session->values + b->fills[i].value;
        mcpw_text_string(&text, fill->name);
        mcpw_text_put(&text, ":");
        mcpw_text_json(&text, fill->value);
        mcpw_text_put(&text, ",");
    }
    b->fill_text.ptr = "";
    return b->fill_count != 0 || is_signed ? mcpw_text_finish(&text, &session->memory, &b->fill_text)
                                           : MCPW_OK;
}

/* "io.modelcontextprotocol/serverInfo":{"name":...,"version":...}: the rest of it, icons maybe, is told once,
 * by server/discover. (MCP 2026-07-28, "Overview", _meta: every result should carry it.) */
static mcpw_status bind_self(mcpw_session *session, mcpw_dialect *dialect) {
    const mcpw_type *const type = mcpw_revision_type(dialect->revision, "ResultMetaObject");
    const mcpw_row *const row = type != NULL ? mcpw_field_row(type, server_name) : NULL;
    mcpw_text text = mcpw_session_text(session);
    mcpw_json all;
    if (row == NULL || mcpw_row_value(dialect->revision, row).kind != MCPW_KIND_STRUCT_PTR ||
        !mcpw_is_server(session) || session->config.omit_server_info) {
        return MCPW_OK;
    }
    mcpw_text_put(&text, "\"_meta\":{");
    mcpw_text_key(&text, server_name);
    mcpw_text_put(&text, "{\"name\":");
    mcpw_text_string(&text, mcpw_str_from(session->config.name));
    mcpw_text_key(&text, "version");
    mcpw_text_string(&text, mcpw_str_from(session->config.version));
    mcpw_text_put(&text, "}},");
    mcpw_status status = mcpw_text_finish(&text, &session->memory, &all);
    void *const self = status == MCPW_OK ? mcpw_arena_alloc(&session->memory, type->size) : NULL;
    if (self == NULL) { /* uncovered: no memory, at one more place */
        return status == MCPW_OK ? MCPW_E_MEMORY : status;
    }
    const mcpw_json meta = {all.ptr + (sizeof "\"_meta\":" - 1), all.len - sizeof "\"_meta\":"};
    status = mcpw_decode(type, meta.ptr, meta.len, &session->memory, self, NULL, NULL);
    if (status == MCPW_OK) {
        dialect->self = self;
        dialect->self_ref = type->ref;
        dialect->self_size = (uint16_t)type->size;
        dialect->self_at = row->offset;
        dialect->self_text = (mcpw_json){meta.ptr + 1, meta.len - 2};
        dialect->self_meta = all;
    }
    return status;
}

void mcpw_dialect_begin_result(const mcpw_dialect *dialect, mcpw_text *text) {
    mcpw_text_put(text, "{");
    if (dialect->self != NULL) {
        mcpw_text_put(text, "\"_meta\":{");
        mcpw_text_json(text, dialect->self_text);
        mcpw_text_put(text, "}");
    }
}

static int handler_number(const mcpw_session *session, mcpw_str name) {
    const mcpw_dispatch *const dispatch = session->config.dispatch;
    if (dispatch == NULL) {
        return 0;
    }
    const int number = mcpw_method_number(dispatch->revision, name.ptr, name.len);
    return number != 0 && dispatch->has(session->config.handlers, number) ? number : 0;
}

mcpw_status mcpw_dialect_make_bindings(mcpw_session *session, mcpw_dialect *dialect) {
    const mcpw_revision *const revision = dialect->revision;
    mcpw_binding *const bindings =
        mcpw_arena_alloc(&session->memory, (revision->method_count + 1U) * sizeof *bindings);
    if (bindings == NULL) {
        return MCPW_E_MEMORY;
    }
    memset(bindings, 0, (revision->method_count + 1U) * sizeof *bindings);
    bind_params(bindings, revision, NULL);
    bindings->result_meta = MCPW_NO_OFFSET;
    mcpw_status status = bind_self(session, dialect);
    for (int number = 1; status == MCPW_OK && number <= revision->method_count; number++) {
        mcpw_binding *const b = bindings + number;
        const mcpw_method *const method = revision->methods + (number - 1);
        b->handler = handler_number(session, mcpw_method_name(revision, number));
        bind_params(b, revision, method->params);
        b->result_meta = self_place(dialect, method->result);
        status = bind_result(session, b, revision, method->result);
        status = status == MCPW_OK ? bind_fill_text(session, dialect, b) : status;
    }
    if (status != MCPW_OK) {
        return status;
    }
    for (int own = 1; own < MCPW_OWN_COUNT; own++) {
        if (dialect->number[own] != 0) {
            bindings[dialect->number[own]].own = (mcpw_own)own;
        }
    }
    dialect->bindings = bindings;
    return MCPW_OK;
}

/* ---- Values that no table holds ---- */

void mcpw_session_set_value(mcpw_session *session, const char *name, mcpw_json value) {
    size_t i = 0;
    while (i < session->value_count && !mcpw_str_is(session->values[i].name, name)) {
        i++;
    }
    if (i == MCPW_VALUES) { /* uncovered: more values than there are names for */
        return;
    }
    session->values[i].name = mcpw_str_from(name);
    session->values[i].value = value;
    session->value_count += i == session->value_count;
}

typedef struct drops {
    mcpw_session *session;
    const char *type;
} drops;

/* A value that only one side has by design is nothing to tell of. */
static bool is_value(const mcpw_session *session, const char *path) {
    const char *const last = strrchr(path, '/');
    const mcpw_str name = mcpw_str_from(last != NULL ? last + 1 : path);
    for (size_t i = 0; i < session->value_count; i++) {
        if (mcpw_str_equal(session->values[i].name, name)) {
            return true;
        }
    }
    return strcmp(path, "/_meta") == 0 ||
           strncmp(path, "/_meta/io.modelcontextprotocol", sizeof "/_meta/io.modelcontextprotocol" - 1) == 0;
}

static void note_drop(void *user, const char *path) {
    const drops *const d = user;
    const mcpw_str method = {NULL, 0};
    mcpw_error error;
    if (is_value(d->session, path)) {
        return;
    }
    mcpw_error_set(&error, MCPW_E_PROJECTION, 0, "%s: left out, the other revision has no such member",
                   d->type);
    (void)strncat(error.path, path, sizeof error.path - 1);
    mcpw_session_note(d->session, MCPW_NOTE_DROPPED, NULL, method, &error);
}

static mcpw_status adapt_by(mcpw_session *session, mcpw_members values, const mcpw_type *from,
                            const void *value, const mcpw_type *to, mcpw_arena *arena, const void **out,
                            mcpw_error *error) {
    drops d = {session, from->name};
    const mcpw_adapt_context context = {values, session->config.on_note != NULL ? note_drop : NULL, &d};
    return mcpw_adapt(from, value, to, &context, arena, out, error);
}

mcpw_status mcpw_session_adapt(mcpw_session *session, const mcpw_type *from, const void *value,
                               const mcpw_type *to, mcpw_arena *arena, const void **out, mcpw_error *error) {
    const mcpw_members values = {session->values, session->value_count};
    return adapt_by(session, values, from, value, to, arena, out, error);
}

mcpw_status mcpw_session_adapt_with(mcpw_session *session, const mcpw_member *more, const mcpw_type *from,
                                    const void *value, const mcpw_type *to, mcpw_arena *arena,
                                    const void **out, mcpw_error *error) {
    mcpw_member items[MCPW_VALUES + 1];
    const mcpw_members values = {items, session->value_count + 1};
    memcpy(items, session->values, session->value_count * sizeof *items);
    items[session->value_count] = *more;
    return adapt_by(session, values, from, value, to, arena, out, error);
}

/* ---- Putting in what a revision wants ---- */

/* The _meta of every request of ours: revision, this program, its capabilities. */
static mcpw_status make_meta(mcpw_session *session, mcpw_dialect *dialect, const mcpw_binding *b,
                             mcpw_error *error) {
    const mcpw_type type = {
        dialect->revision, "_meta", {MCPW_KIND_STRUCT, 0, b->meta_ref.index}, b->meta_size};
    mcpw_text text = mcpw_session_text(session);
    mcpw_json part;
    mcpw_text_put(&text, "{");
    mcpw_text_key(&text, version_name);
    mcpw_text_string(&text, mcpw_str_from(dialect->revision->name));
    mcpw_status status = mcpw_implementation(session, dialect->revision, &session->memory, &part);
    if (status == MCPW_OK) {
        mcpw_text_key(&text, "io.modelcontextprotocol/clientInfo");
        mcpw_text_json(&text, part);
        status = mcpw_capabilities(session, dialect, &session->memory, &part);
    }
    if (status == MCPW_OK) {
        mcpw_text_key(&text, "io.modelcontextprotocol/clientCapabilities");
        mcpw_text_json(&text, part);
        mcpw_text_put(&text, "}");
        status = mcpw_text_finish(&text, &session->memory, &part);
    }
    mcpw_text_free(&text);
    void *const meta = status == MCPW_OK ? mcpw_arena_alloc(&session->memory, b->meta_size) : NULL;
    if (meta == NULL) {
        return status == MCPW_OK ? MCPW_E_MEMORY : status;
    }
    status = mcpw_decode(&type, part.ptr, part.len, &session->memory, meta, NULL, error);
    if (status == MCPW_OK) {
        dialect->meta = meta;
        dialect->meta_index = b->meta_ref.index;
    }
    return status;
}

/* What the caller has put into _meta stays, but for the members that are required: those are the session's.
 */
static void overlay(const mcpw_revision *revision, uint16_t index, const unsigned char *callers,
                    unsigned char *meta) {
    const mcpw_struct *const s = revision->structs + index;
    for (unsigned i = 0; i < s->count; i++) {
        const mcpw_row *const row = revision->rows + s->first + i;
        const mcpw_ref ref = mcpw_row_value(revision, row);
        const uint8_t size = mcpw_kinds[ref.kind].size;
        if (!mcpw_row_required(s, row) && size != 0 &&
            mcpw_is_present(revision, ref, callers + row->offset)) {
            memcpy(meta + row->offset, callers + row->offset, size);
        }
    }
    const unsigned extra = mcpw_extra_offset(revision, s);
    if (extra != MCPW_NO_OFFSET) {
        memcpy(meta + extra, callers + extra, sizeof(mcpw_members));
    }
}

const mcpw_members *mcpw_extra_of(const mcpw_type *type, const void *value) {
    if (type == NULL || value == NULL || type->ref.kind != MCPW_KIND_STRUCT) {
        return NULL;
    }
    const unsigned at = mcpw_extra_offset(type->revision, type->revision->structs + type->ref.index);
    return at != MCPW_NO_OFFSET ? (const void *)((const unsigned char *)value + at) : NULL;
}

/* Puts a progress token into params whose revision names no _meta in them: as one more member, beside what
 * the caller may have there. */
static mcpw_status add_unnamed_token(const mcpw_type *type, const void *params, const mcpw_id *token,
                                     mcpw_arena *arena, const void **out) {
    static const char token_key[] = "\"progressToken\"";
    mcpw_text text = {mcpw_buffer_in(arena), MCPW_OK};
    mcpw_members *const copy = mcpw_arena_alloc(arena, type->size);
    if (copy == NULL) {
        return arena->status;
    }
    memset(copy, 0, type->size);
    if (params != NULL) {
        memcpy(copy, params, type->size);
    }
    mcpw_members *const extra = (mcpw_members *)mcpw_extra_of(type, copy);
    if (extra == NULL) { /* uncovered: all such params keep other members so far */
        return MCPW_OK;
    }
    mcpw_member *const items = mcpw_arena_alloc(arena, (extra->count + 1) * sizeof *items);
    size_t count = 1;
    mcpw_text_put(&text, "{\"progressToken\":");
    mcpw_text_id(&text, token);
    for (size_t i = 0; items != NULL && i < extra->count; i++) {
        mcpw_json_iter it;
        mcpw_json key;
        mcpw_json item;
        if (!mcpw_str_is(extra->items[i].name, "_meta")) {
            items[count++] = extra->items[i];
        } else if (mcpw_json_iterate(extra->items[i].value, &it) == MCPW_OK && it.kind == MCPW_JSON_OBJECT) {
            while (mcpw_json_next(&it, &key, &item)) {
                if (key.len == sizeof token_key - 1 && memcmp(key.ptr, token_key, key.len) == 0) {
                    continue; /* the caller's own, such as that of a request it relays */
                }
                mcpw_text_comma(&text);
                mcpw_text_json(&text, key);
                mcpw_text_put(&text, ":");
                mcpw_text_json(&text, item);
            }
        }
    }
    mcpw_text_put(&text, "}");
    if (items == NULL || text.status != MCPW_OK) {
        return MCPW_E_MEMORY;
    }
    items[0] = (mcpw_member){MCPW_STR("_meta"), mcpw_buffer_take(&text.buffer)};
    *extra = (mcpw_members){items, count};
    *out = copy;
    return MCPW_OK;
}

mcpw_status mcpw_dialect_params(mcpw_session *session, mcpw_dialect *dialect, int method, const void *params,
                                const mcpw_id *token, mcpw_arena *arena, const void **out,
                                mcpw_error *error) {
    const mcpw_binding *const b = dialect->bindings + method;
    const mcpw_type *const type = dialect->revision->methods[method - 1].params;
    const bool inlined = b->meta != MCPW_NO_OFFSET && b->meta_ref.kind == MCPW_KIND_STRUCT;
    *out = params;
    if (b->meta == MCPW_NO_OFFSET && token != NULL && type != NULL) {
        return add_unnamed_token(type, params, token, arena, out);
    }
    if (b->meta == MCPW_NO_OFFSET || (!inlined && token == NULL)) {
        return MCPW_OK;
    }
    if (inlined && (dialect->meta == NULL || dialect->meta_index != b->meta_ref.index)) {
        const mcpw_status status = make_meta(session, dialect, b, error);
        if (status != MCPW_OK) {
            return status;
        }
    }
    unsigned char *const copy = mcpw_arena_alloc(arena, type->size);
    unsigned char *const meta = inlined ? copy + b->meta : mcpw_arena_alloc(arena, b->meta_size);
    const unsigned char *callers = NULL;
    if (copy == NULL || meta == NULL) {
        return MCPW_E_MEMORY;
    }
    if (params != NULL) {
        memcpy(copy, params, type->size);
        callers = (const unsigned char *)params + b->meta;
        callers = inlined ? callers : mcpw_load_pointer(callers);
    } else {
        memset(copy, 0, type->size);
    }
    if (inlined) {
        memcpy(meta, dialect->meta, b->meta_size);
        if (callers != NULL) {
            overlay(dialect->revision, b->meta_ref.index, callers, meta);
        }
    } else {
        if (callers != NULL) {
            memcpy(meta, callers, b->meta_size);
        } else {
            memset(meta, 0, b->meta_size);
        }
        memcpy(copy + b->meta, &meta, sizeof meta);
    }
    if (token != NULL && b->token != MCPW_NO_OFFSET) {
        memcpy(meta + b->token, token, sizeof *token);
    }
    if (session->level != 0 && b->level != MCPW_NO_OFFSET && mcpw_load_kind(meta + b->level) == 0) {
        const mcpw_str name = mcpw_level_name(session->level);
        const int32_t value = mcpw_enum_value_of(dialect->revision, b->level_enum, name.ptr, name.len);
        memcpy(meta + b->level, &value, sizeof value);
    }
    *out = copy;
    return MCPW_OK;
}

static bool is_filled(const mcpw_revision *revision, const mcpw_fill *fill, const unsigned char *at) {
    if (fill->ref.kind == MCPW_KIND_INTEGER) {
        static const unsigned char zero[sizeof(int64_t)] = {0};
        return memcmp(at, zero, sizeof zero) != 0;
    }
    return mcpw_is_present(revision, fill->ref, at);
}

/* Puts this program into the _meta that a handler has made; copy is the result, or NULL. */
static const void *sign(const mcpw_dialect *dialect, const mcpw_type *type, const void *result,
                        unsigned char *copy, uint16_t at, mcpw_arena *arena, bool *bare) {
    const unsigned char *const from = copy != NULL ? copy : result;
    const unsigned char *const meta = mcpw_load_pointer(from + at);
    *bare = meta == NULL;
    if (meta == NULL || mcpw_load_pointer(meta + dialect->self_at) != NULL) {
        return from;
    }
    unsigned char *const both = mcpw_arena_alloc(arena, dialect->self_size);
    if (both != NULL && copy == NULL) {
        copy = mcpw_arena_alloc(arena, type->size);
        if (copy != NULL) {
            memcpy(copy, result, type->size);
        }
    }
    if (both == NULL || copy == NULL) { /* uncovered: no memory: the result goes unsigned */
        return from;
    }
    memcpy(both, meta, dialect->self_size);
    memcpy(both + dialect->self_at, (const unsigned char *)dialect->self + dialect->self_at, sizeof(void *));
    memcpy(copy + at, &both, sizeof both);
    return copy;
}

const void *mcpw_dialect_signed(const mcpw_dialect *dialect, const mcpw_type *type, const void *result,
                                mcpw_arena *arena, bool *bare) {
    const uint16_t at = self_place(dialect, type);
    *bare = false;
    return at != MCPW_NO_OFFSET ? sign(dialect, type, result, NULL, at, arena, bare) : result;
}

const void *mcpw_dialect_result(const mcpw_dialect *dialect, const mcpw_binding *binding,
                                const mcpw_type *type, const void *result, mcpw_arena *arena, bool *bare) {
    unsigned char *copy = NULL;
    *bare = false;
    for (unsigned i = 0; i < binding->fill_count; i++) {
        const mcpw_fill *const fill = binding->fills + i;
        if (is_filled(type->revision, fill, (const unsigned char *)result + fill->offset)) {
            continue;
        }
        if (copy == NULL) {
            copy = mcpw_arena_alloc(arena, type->size);
            if (copy == NULL) {
                return result; /* encoding it says what is missing */
            }
            memcpy(copy, result, type->size);
        }
        memcpy(copy + fill->offset, fill->bytes, fill->size);
    }
    return binding->result_meta != MCPW_NO_OFFSET
               ? sign(dialect, type, result, copy, binding->result_meta, arena, bare)
           : copy != NULL ? copy
                          : result;
}
