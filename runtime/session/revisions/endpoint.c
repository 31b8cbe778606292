/* SPDX-License-Identifier: MIT */
/*
 * The offers of a server or client, computed once from its config and shared by all its sessions: its
 * revisions, the bindings of each of their methods, and the texts that name it. Nothing of it changes once it
 * is made, so sessions of several threads may share it.
 */
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/reflect.h>
#include <mcpw/detail/session.h>

#include "endpoint.h"

#include "../core/tool_schema.h"
#include "../support/wire_names.h"
#include "capability.h"
#include "extension.h"
#include "judge.h"
#include "plans.h"
#include "profile.h"
#include <mcpw/system.h>

enum { LEAST_KEY = 32 /* least bytes of a key that signs states */ };

static const char *const own_names[MCPW_OWN_COUNT] = {NULL,
#define OWN_NAME(name, text) text,
                                                      MCPW_OWN_METHODS(OWN_NAME)
#undef OWN_NAME
};

static const char version_name[] = MCPW_META_PROTOCOL_VERSION;
static const char server_name[] = MCPW_META_SERVER_INFO;
static const char level_name[] = "io.modelcontextprotocol/logLevel";

static const uint64_t default_timeout = 60000;
static const uint64_t default_timeout_max = 600000;
/* A server that npx or uvx starts needs several seconds until it reads. A server with a handshake may leave
 * unanswered what it does not know, and its user waits that long. 10 s are enough for most of the former, and
 * not too long for the latter. An answer that comes later still counts. */
static const uint64_t default_discover_timeout = 10000;
/* Clients give a server two seconds to end before they send a signal. It should have gone by then. */
static const uint64_t default_end_grace = 1000;
static const uint64_t default_input_ttl = 3600000;
static const size_t default_max_output = (size_t)16 << 20;
static const size_t default_max_requests = 4096;
static const size_t default_max_tool_schemas = (size_t)16 << 20;
static const size_t default_max_request_bytes = (size_t)256 << 20;

/* ---- The config ---- */

static mcpw_status keep_str(mcpw_endpoint *endpoint, const char **text) {
    if (*text != NULL) {
        *text = mcpw_arena_str(&endpoint->memory, *text, strlen(*text)).ptr;
        return *text != NULL ? MCPW_OK : MCPW_E_MEMORY;
    }
    return MCPW_OK;
}

static mcpw_json keep(mcpw_endpoint *endpoint, mcpw_json value) {
    const mcpw_str copy = mcpw_arena_str(&endpoint->memory, value.ptr, value.len);
    return (mcpw_json){copy.ptr, copy.len, 0};
}

static mcpw_status keep_bytes(mcpw_endpoint *endpoint, mcpw_str *bytes) {
    *bytes = mcpw_arena_str(&endpoint->memory, bytes->ptr, bytes->len);
    return bytes->ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
}

static mcpw_status keep_json(mcpw_endpoint *endpoint, mcpw_json *json, const char *what, mcpw_error *error) {
    if (json->ptr == NULL) {
        return MCPW_OK;
    }
    const mcpw_status status = mcpw_json_check(*json, 0, error);
    if (status != MCPW_OK || mcpw_json_kind_of(*json) != MCPW_JSON_OBJECT) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the config's %s is not a JSON object", what);
    }
    *json = keep(endpoint, *json);
    return json->ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
}

/* Whether the code of a server says that it sends log messages, by its slots or by what it declares. */
static bool says_it_logs(const mcpw_session_config *c) {
    static const char set_level[] = "logging/setLevel";
    static const char message[] = "notifications/message";
    const mcpw_dispatch *const d = c->dispatch;
    const int slot = d != NULL ? mcpw_method_number(d->revision, set_level, sizeof set_level - 1) : 0;
    const int sent = d != NULL ? mcpw_method_number(d->revision, message, sizeof message - 1) : 0;
    return (slot != 0 && d->has(c->handlers, slot)) ||
           (sent != 0 && d->sends != NULL && d->sends(c->handlers, sent)) ||
           mcpw_capability_in(c->capabilities, "logging");
}

static uint64_t or_default(uint64_t value, uint64_t otherwise) { return value != 0 ? value : otherwise; }

/* A text that the config does not give may be in its info. */
static mcpw_status take_from_info(mcpw_endpoint *endpoint, const char *name, const char **text) {
    const mcpw_json info = endpoint->config.info;
    mcpw_str found = no_str;
    if (*text != NULL || info.ptr == NULL ||
        mcpw_json_get_string(info, name, &endpoint->memory, &found) != MCPW_OK) {
        return endpoint->memory.status;
    }
    *text = mcpw_arena_str(&endpoint->memory, found.ptr, found.len).ptr;
    return endpoint->memory.status;
}

/* Makes a key. Without one states cannot be signed, and asking fails. */
static void make_state_key(mcpw_endpoint *endpoint) {
    char *const key = mcpw_arena_alloc(&endpoint->memory, LEAST_KEY);
    if (key != NULL && mcpw_random(key, LEAST_KEY) == MCPW_OK) {
        endpoint->config.state_key = (mcpw_str){key, LEAST_KEY};
    }
}

/* Checks the required members of a config. */
static mcpw_status check_config(const mcpw_session_config *c, mcpw_error *error) {
    if (c->name == NULL || c->version == NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the config lacks the program's name or version");
    }
    if (c->dispatch != NULL && (c->handlers == NULL || c->dispatch->role != c->role)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "the config's dispatch is of the other role, or has no handlers");
    }
    if (c->state_key.ptr != NULL && c->state_key.len < LEAST_KEY) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the config's state_key has fewer than 32 bytes");
    }
    if (c->check_arguments && !mcpw_tool_schemas_work()) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "check_arguments needs a library that was built with MCPW_WITH_SCHEMA");
    }
    return MCPW_OK;
}

static mcpw_status take_config(mcpw_endpoint *endpoint, mcpw_error *error) {
    mcpw_session_config *const c = &endpoint->config;
    if (c->server != NULL) {
        const mcpw_server_base *const base = mcpw_server_base_of(c->server);
        c->name = c->name != NULL ? c->name : base->config.name;
        c->version = c->version != NULL ? c->version : base->config.version;
        c->instructions = c->instructions != NULL ? c->instructions : base->config.instructions;
        c->info = c->info.ptr != NULL ? c->info : base->config.info;
        c->logs = c->logs || base->logs;
        c->library = c->library != NULL ? c->library : &base->library;
        c->patterns = c->patterns != NULL ? c->patterns : base->config.patterns;
        if (c->extensions != NULL) {
            return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                                  "a config with a server has no extensions of its own: see "
                                  "mcpw_server_add_extension");
        }
        c->extensions = base->extensions;
    }
    mcpw_status status = keep_json(endpoint, &c->info, "info", error);
    status = status == MCPW_OK ? take_from_info(endpoint, "name", &c->name) : status;
    status = status == MCPW_OK ? take_from_info(endpoint, "version", &c->version) : status;
    status = status == MCPW_OK ? check_config(c, error) : status;
    if (status != MCPW_OK) {
        return status;
    }
    c->check_results = mcpw_tool_schemas_work() ? c->check_results : MCPW_OFF;
    c->check_forms = mcpw_tool_schemas_work() ? c->check_forms : MCPW_OFF;
    c->max_message = (size_t)or_default(c->max_message, MCPW_DEFAULT_BYTES);
    c->max_output = (size_t)or_default(c->max_output, default_max_output);
    c->max_requests = (size_t)or_default(c->max_requests, default_max_requests);
    c->max_request_bytes = (size_t)or_default(c->max_request_bytes, default_max_request_bytes);
    c->max_tool_schemas = (size_t)or_default(c->max_tool_schemas, default_max_tool_schemas);
    c->request_timeout_ms = or_default(c->request_timeout_ms, default_timeout);
    c->max_request_timeout_ms = or_default(c->max_request_timeout_ms, default_timeout_max);
    c->discover_timeout_ms = or_default(c->discover_timeout_ms, default_discover_timeout);
    c->ask_timeout_ms =
        or_default(c->ask_timeout_ms, c->max_request_timeout_ms); /* a person may have to think */
    c->input_ttl_ms = or_default(c->input_ttl_ms, default_input_ttl);
    c->end_grace_ms = or_default(c->end_grace_ms, default_end_grace);
    c->lenient = c->lenient && c->role == MCPW_ROLE_CLIENT;
    c->flags |= MCPW_ALLOW_UNKNOWN | (c->role == MCPW_ROLE_CLIENT ? (unsigned)MCPW_PEER_DEFAULTS : 0U);
    c->flags |= c->lenient ? (unsigned)MCPW_NULL_IS_ABSENT : 0U;
    status = keep_str(endpoint, &c->name);
    status = status == MCPW_OK ? keep_str(endpoint, &c->version) : status;
    status = status == MCPW_OK ? keep_str(endpoint, &c->instructions) : status;
    status = status == MCPW_OK ? keep_str(endpoint, &c->revisions) : status;
    status =
        status == MCPW_OK ? keep_json(endpoint, &c->capabilities, MCPW_NAME_CAPABILITIES, error) : status;
    c->logs = c->role == MCPW_ROLE_SERVER && (c->logs || (status == MCPW_OK && says_it_logs(c)));
    if (status == MCPW_OK && c->state_key.ptr == NULL && c->role == MCPW_ROLE_SERVER) {
        make_state_key(endpoint);
    } else if (status == MCPW_OK && c->state_key.ptr != NULL) {
        status = keep_bytes(endpoint, &c->state_key);
    }
    return status == MCPW_OK && c->principal.ptr != NULL ? keep_bytes(endpoint, &c->principal) : status;
}

static void set_value(mcpw_endpoint *endpoint, const char *name, mcpw_json value) {
    endpoint->values[endpoint->value_count++] = (mcpw_member){mcpw_str_from(name), value};
}

/* The members of a result that its revision requires and the handler does not set. */
static mcpw_status set_result_values(mcpw_endpoint *endpoint) {
    static const mcpw_json complete = MCPW_JSON("\"complete\"");
    static const mcpw_json scopes[] = {MCPW_JSON("\"private\""), MCPW_JSON("\"public\"")};
    mcpw_text ttl = mcpw_endpoint_text(endpoint);
    mcpw_json text;
    mcpw_text_int(&ttl, endpoint->config.cache_ttl_ms);
    const mcpw_status status = mcpw_text_finish(&ttl, &endpoint->memory, &text);
    set_value(endpoint, "resultType", complete);
    set_value(endpoint, "ttlMs", text);
    set_value(endpoint, "cacheScope", scopes[endpoint->config.cache_public]);
    return status;
}

/* ---- The revisions ---- */

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

static bool is_known(const mcpw_library *library, const char *word, size_t len) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_library_revisions(library, &count);
    for (size_t i = 0; i < count; i++) {
        if (strlen(mcpw_revision_name(all[i])) == len && memcmp(mcpw_revision_name(all[i]), word, len) == 0) {
            return true;
        }
    }
    return false;
}

/* The config's own copy of its set. */
static mcpw_status keep_library(mcpw_endpoint *endpoint, mcpw_error *error) {
    if (endpoint->config.library == NULL && endpoint->config.extensions == NULL) {
        return MCPW_OK;
    }
    mcpw_library *const copy = mcpw_arena_alloc(&endpoint->memory, sizeof *copy);
    if (copy == NULL) {
        return MCPW_E_MEMORY;
    }
    if (endpoint->config.library != NULL) {
        *copy = *endpoint->config.library;
    } else {
        mcpw_library_init(copy);
    }
    endpoint->config.library = copy;
    const mcpw_extensions *const set = endpoint->config.extensions;
    return set != NULL ? set->extended->add_revisions(set, copy, error) : MCPW_OK;
}

/* Entries of a server are listed only in the revisions of its set. */
static mcpw_status check_served(const mcpw_endpoint *endpoint, const mcpw_revision *revision,
                                mcpw_error *error) {
    mcpw_server *const server = endpoint->config.server;
    const char *const name = mcpw_revision_name(revision);
    if (server == NULL || mcpw_library_revision(&mcpw_server_base_of(server)->library, name) == revision) {
        return MCPW_OK;
    }
    return mcpw_error_set(error, MCPW_E_VERSION, 0, "the config's server does not have its revision %s",
                          name);
}

static bool has(const mcpw_revision *revision, mcpw_own method) {
    return mcpw_method_number(revision, own_names[method], strlen(own_names[method])) != 0;
}

/* Whether a revision has the methods that every session speaks by itself. The part of one that a program was
 * generated with may lack them: then it is for values alone. */
static bool can_be_spoken(const mcpw_revision *revision) {
    const bool shakes = has(revision, MCPW_OWN_INITIALIZE) && has(revision, MCPW_OWN_INITIALIZED);
    const bool opens = shakes || (!has(revision, MCPW_OWN_INITIALIZE) && has(revision, MCPW_OWN_DISCOVER));
    return opens && has(revision, MCPW_OWN_CANCELLED) && has(revision, MCPW_OWN_PROGRESS);
}

/* How much a revision is preferred to others that messages name alike. */
static int preference(const mcpw_endpoint *endpoint, const mcpw_revision *revision) {
    const mcpw_dispatch *const dispatch = endpoint->config.dispatch;
    const mcpw_extensions *const set = endpoint->config.extensions;
    return set != NULL && set->extended->bring(set, revision)
               ? 2
               : dispatch != NULL && dispatch->revision == revision;
}

/* Whether a revision of the library is spoken. If messages name several alike, one is: that of an extension,
 * that of the handlers, or else the last, which has the most on top. */
static bool spoken(const mcpw_endpoint *endpoint, const mcpw_revision *const *all, size_t at, size_t count) {
    const char *const list = endpoint->config.revisions;
    const int own = preference(endpoint, all[at]);
    if (!is_listed(list, mcpw_revision_name(all[at])) || !can_be_spoken(all[at])) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const int other = preference(endpoint, all[i]);
        if (i != at && (other > own || (other == own && i > at)) &&
            is_listed(list, mcpw_revision_name(all[i])) && can_be_spoken(all[i]) &&
            strcmp(mcpw_revision_wire(all[i]), mcpw_revision_wire(all[at])) == 0) {
            return false;
        }
    }
    return true;
}

/* Makes room for a revision among the profiles, which stand by their names in messages. */
static mcpw_profile *place_of(mcpw_endpoint *endpoint, const mcpw_revision *revision) {
    mcpw_profile *at = endpoint->profiles + endpoint->profile_count++;
    while (at > endpoint->profiles && strcmp(at[-1].name.ptr, mcpw_revision_wire(revision)) > 0) {
        at[0] = at[-1];
        at--;
    }
    return at;
}

static mcpw_status make_profiles(mcpw_endpoint *endpoint, mcpw_error *error) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_library_revisions(endpoint->config.library, &count);
    for (const char *list = endpoint->config.revisions; list != NULL && *list != '\0';) {
        const size_t word = strcspn(list, " ,");
        if (word != 0 && !is_known(endpoint->config.library, list, word)) {
            return mcpw_error_set(error, MCPW_E_VERSION, 0, "this library holds no revision \"%.*s\"",
                                  (int)word, list);
        }
        list += word;
        list += strspn(list, " ,");
    }
    endpoint->profiles = mcpw_arena_alloc(&endpoint->memory, count * sizeof *endpoint->profiles);
    if (endpoint->profiles == NULL) {
        return MCPW_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        mcpw_profile *const d = spoken(endpoint, all, i, count) ? place_of(endpoint, all[i]) : NULL;
        if (d == NULL) {
            continue;
        }
        memset(d, 0, sizeof *d);
        const mcpw_status status = check_served(endpoint, all[i], error);
        if (status != MCPW_OK) {
            return status;
        }
        d->revision = all[i];
        for (int own = 1; own < MCPW_OWN_COUNT; own++) {
            d->number[own] = (uint8_t)mcpw_method_number(all[i], own_names[own], strlen(own_names[own]));
        }
        d->modern = !mcpw_revision_has_handshake(d->revision);
        d->has_extensions = mcpw_protocol_of(d->revision)->feature_count != 0;
        d->name = mcpw_str_from(mcpw_revision_wire(d->revision));
    }
    if (endpoint->profile_count == 0) {
        return mcpw_error_set(error, MCPW_E_VERSION, 0, "the config names no revision to speak");
    }
    return MCPW_OK;
}

/* ---- What each method's params and result hold ---- */

void mcpw_binding_set_params(mcpw_binding *b, const mcpw_revision *revision, const mcpw_type *params) {
    b->meta = b->token = b->version = b->level = b->responses = b->state = MCPW_NO_OFFSET;
    if (params != NULL) {
        b->responses = mcpw_profile_place_of(revision, mcpw_type_ref(params), MCPW_NAME_INPUT_RESPONSES,
                                             MCPW_KIND_MAP, NULL);
        b->state = mcpw_profile_place_of(revision, mcpw_type_ref(params), MCPW_NAME_REQUEST_STATE,
                                         MCPW_KIND_STRING, NULL);
    }
    const mcpw_slot meta = mcpw_type_slot(params, MCPW_NAME_META);
    const mcpw_ref ref = meta.ref;
    if (ref.kind != MCPW_KIND_STRUCT && ref.kind != MCPW_KIND_STRUCT_PTR) {
        return;
    }
    b->meta = meta.offset;
    b->meta_ref = ref;
    b->meta_size = (uint16_t)mcpw_ref_size(revision, mcpw_ref_plain(ref));
    b->token = mcpw_profile_place_of(revision, ref, MCPW_NAME_PROGRESS_TOKEN, MCPW_KIND_ID, NULL);
    b->version = mcpw_profile_place_of(revision, ref, version_name, MCPW_KIND_STRING, NULL);
    b->level = mcpw_profile_place_of(revision, ref, level_name, MCPW_KIND_ENUM, &b->level_enum);
}

/* Finds the required members of a result that a value of the endpoint can stand in for. */
mcpw_status mcpw_binding_set_result(mcpw_endpoint *endpoint, mcpw_binding *b, const mcpw_revision *revision,
                                    const mcpw_type *result) {
    mcpw_fill fills[MCPW_RESULT_VALUES];
    for (size_t i = 0; result != NULL && i < endpoint->value_count; i++) {
        const mcpw_slot slot = mcpw_type_slot(result, endpoint->values[i].name.ptr);
        if (!mcpw_slot_exists(slot) || slot.size == 0 || slot.size > MCPW_FILL_SIZE || !slot.required) {
            continue;
        }
        mcpw_fill *const fill = fills + b->fill_count;
        _Alignas(max_align_t) unsigned char room[MCPW_FILL_SIZE] = {0};
        mcpw_type_room type_room;
        const mcpw_type *const type = mcpw_type_make(&type_room, revision, slot.ref, "");
        const mcpw_json text = endpoint->values[i].value;
        const mcpw_status status = mcpw_decode(type, text.ptr, text.len, &endpoint->memory, room, NULL, NULL);
        if (status != MCPW_OK) {
            return status;
        }
        memcpy(fill->bytes, room, slot.size);
        fill->offset = slot.offset;
        fill->ref = slot.ref;
        fill->size = slot.size;
        fill->value = (uint8_t)i;
        b->fill_count++;
    }
    mcpw_fill *const kept =
        b->fill_count != 0 ? mcpw_arena_alloc(&endpoint->memory, b->fill_count * sizeof *kept) : NULL;
    if (b->fill_count != 0 && kept == NULL) {
        return MCPW_E_MEMORY;
    }
    if (kept != NULL) {
        memcpy(kept, fills, b->fill_count * sizeof *kept);
    }
    b->fills = kept;
    return MCPW_OK;
}

mcpw_status mcpw_binding_set_fill_text(mcpw_endpoint *endpoint, const mcpw_profile *profile, mcpw_binding *b,
                                       bool is_signed) {
    mcpw_text text = mcpw_endpoint_text(endpoint);
    if (is_signed) {
        mcpw_text_raw(&text, profile->self_meta.ptr, profile->self_meta.len);
    }
    for (unsigned i = 0; i < b->fill_count; i++) {
        const mcpw_member *const fill = endpoint->values + b->fills[i].value;
        mcpw_text_key_str(&text, fill->name);
        mcpw_text_json(&text, fill->value);
    }
    mcpw_text_comma(&text); /* before the members that the handler writes */
    b->fill_text.ptr = "";
    return b->fill_count != 0 || is_signed ? mcpw_text_finish(&text, &endpoint->memory, &b->fill_text)
                                           : MCPW_OK;
}

/* Name and version of this program, as every result should carry them. The rest that is known of it, icons
 * maybe, is sent once, by server/discover. (MCP 2026-07-28, "Overview", _meta.) */
static mcpw_status bind_self(mcpw_endpoint *endpoint, mcpw_profile *profile) {
    const mcpw_type *const type = mcpw_revision_type(profile->revision, "ResultMetaObject");
    const mcpw_slot slot = mcpw_type_slot(type, server_name);
    mcpw_text text = mcpw_endpoint_text(endpoint);
    mcpw_json all;
    if (slot.ref.kind != MCPW_KIND_STRUCT_PTR || !mcpw_endpoint_serves(endpoint) ||
        endpoint->config.send_server_info == MCPW_OFF) {
        return MCPW_OK;
    }
    mcpw_text_object(&text);
    const size_t member = text.buffer.len;
    mcpw_text_key(&text, MCPW_NAME_META);
    const size_t value = text.buffer.len;
    mcpw_text_object(&text);
    mcpw_text_key(&text, server_name);
    mcpw_text_object(&text);
    mcpw_text_member(&text, "name", mcpw_str_from(endpoint->config.name));
    mcpw_text_member(&text, "version", mcpw_str_from(endpoint->config.version));
    mcpw_text_object_end(&text);
    mcpw_text_object_end(&text);
    mcpw_text_comma(&text); /* before the members that follow it in a result */
    mcpw_status status = mcpw_text_finish(&text, &endpoint->memory, &all);
    void *const self = status == MCPW_OK ? mcpw_arena_alloc(&endpoint->memory, mcpw_type_size(type)) : NULL;
    if (self == NULL) {
        return status == MCPW_OK ? MCPW_E_MEMORY : status;
    }
    const mcpw_json meta = {all.ptr + value, all.len - value - 1, 0};
    status = mcpw_decode(type, meta.ptr, meta.len, &endpoint->memory, self, NULL, NULL);
    if (status == MCPW_OK) {
        profile->self = self;
        profile->self_ref = mcpw_type_ref(type);
        profile->self_size = (uint16_t)mcpw_type_size(type);
        profile->self_at = slot.offset;
        profile->self_text = (mcpw_json){meta.ptr + 1, meta.len - 2, 0};
        profile->self_meta = (mcpw_json){all.ptr + member, all.len - member, 0};
    }
    return status;
}

static int handler_number(const mcpw_endpoint *endpoint, const mcpw_revision *revision, int method) {
    const mcpw_dispatch *const dispatch = endpoint->config.dispatch;
    if (dispatch == NULL) {
        return 0;
    }
    const int number = mcpw_method_in(dispatch->revision, revision, method);
    return number != 0 && dispatch->has(endpoint->config.handlers, number) ? number : 0;
}

static mcpw_status make_bindings(mcpw_endpoint *endpoint, mcpw_profile *profile) {
    const mcpw_revision *const revision = profile->revision;
    mcpw_binding *const bindings =
        mcpw_arena_alloc(&endpoint->memory, ((size_t)mcpw_method_count(revision) + 1) * sizeof *bindings);
    if (bindings == NULL) {
        return MCPW_E_MEMORY;
    }
    memset(bindings, 0, ((size_t)mcpw_method_count(revision) + 1) * sizeof *bindings);
    mcpw_binding_set_params(bindings, revision, NULL);
    bindings->result_meta = MCPW_NO_OFFSET;
    mcpw_status status = bind_self(endpoint, profile);
    for (int number = 1; status == MCPW_OK && number <= mcpw_method_count(revision); number++) {
        mcpw_binding *const b = bindings + number;
        const mcpw_method *const method = mcpw_method_entry(revision, number);
        const mcpw_str name = mcpw_method_name(revision, number);
        b->handler = handler_number(endpoint, revision, number);
        b->extended = (mcpw_method_flags(method) & MCPW_METHOD_EXTENDED) != 0;
        b->served =
            endpoint->config.server != NULL ? mcpw_provider_of(endpoint->config.server)->find(name) : NULL;
        b->admitted = mcpw_endpoint_serves(endpoint) ? (uint8_t)mcpw_judge_phases(profile, number) : 0;
        mcpw_binding_set_params(b, revision, mcpw_method_params(method));
        b->result = mcpw_method_result(method);
        b->result_meta = mcpw_profile_self_place(profile, b->result);
        status = mcpw_binding_set_result(endpoint, b, revision, b->result);
        status = status == MCPW_OK
                     ? mcpw_binding_set_fill_text(endpoint, profile, b, b->result_meta != MCPW_NO_OFFSET)
                     : status;
    }
    if (status != MCPW_OK) {
        return status;
    }
    for (int own = 1; own < MCPW_OWN_COUNT; own++) {
        if (profile->number[own] != 0) {
            bindings[profile->number[own]].own = (mcpw_own)own;
        }
    }
    profile->bindings = bindings;
    return MCPW_OK;
}

/* Makes the _meta of every request of ours: revision, this program, its capabilities. */
mcpw_status mcpw_profile_make_meta_text(mcpw_endpoint *endpoint, mcpw_profile *profile) {
    mcpw_text text = mcpw_endpoint_text(endpoint);
    mcpw_json part;
    if (profile->own_meta.ptr != NULL) {
        return MCPW_OK;
    }
    mcpw_text_object(&text);
    mcpw_text_member(&text, version_name, profile->name);
    mcpw_status status = mcpw_implementation(endpoint, profile->revision, &endpoint->memory, &part);
    if (status == MCPW_OK) {
        mcpw_text_member_json(&text, MCPW_META_CLIENT_INFO, part);
        status = mcpw_capabilities(endpoint, profile, &endpoint->memory, &part);
    }
    if (status == MCPW_OK) {
        mcpw_text_member_json(&text, MCPW_META_CLIENT_CAPABILITIES, part);
        mcpw_text_object_end(&text);
        status = mcpw_text_finish(&text, &endpoint->memory, &profile->own_meta);
    }
    mcpw_text_free(&text);
    return status;
}

mcpw_status mcpw_profile_make_meta(mcpw_endpoint *endpoint, mcpw_profile *profile,
                                   const mcpw_revision *revision, mcpw_binding *b, mcpw_error *error) {
    mcpw_type_room room;
    const mcpw_type *const type =
        mcpw_type_make(&room, revision, mcpw_ref_plain(b->meta_ref), MCPW_NAME_META);
    mcpw_status status = mcpw_profile_make_meta_text(endpoint, profile);
    const mcpw_json part = profile->own_meta;
    void *const meta = status == MCPW_OK ? mcpw_arena_alloc(&endpoint->memory, b->meta_size) : NULL;
    if (meta == NULL) {
        return status == MCPW_OK ? MCPW_E_MEMORY : status;
    }
    status = mcpw_decode(type, part.ptr, part.len, &endpoint->memory, meta, NULL, error);
    if (status == MCPW_OK) {
        b->own_meta = meta;
    }
    return status;
}

/* Makes the _meta of each method. Methods whose params have it in the same struct share it. */
static mcpw_status make_metas(mcpw_endpoint *endpoint, mcpw_profile *profile, mcpw_error *error) {
    for (int number = 1; number <= mcpw_method_count(profile->revision); number++) {
        mcpw_binding *const b = profile->bindings + number;
        const mcpw_binding *like = profile->bindings + 1;
        if (b->meta == MCPW_NO_OFFSET || b->meta_ref.kind != MCPW_KIND_STRUCT) {
            continue;
        }
        while (like < b && (like->own_meta == NULL || like->meta_ref.index != b->meta_ref.index)) {
            like++;
        }
        b->own_meta = like->own_meta;
        const mcpw_status status =
            b->own_meta == NULL ? mcpw_profile_make_meta(endpoint, profile, profile->revision, b, error)
                                : MCPW_OK;
        if (status != MCPW_OK) {
            return status;
        }
    }
    return MCPW_OK;
}

/* ---- Making one ---- */

static void set_reading(mcpw_endpoint *endpoint) {
    endpoint->reading = (mcpw_options)MCPW_OPTIONS_INIT;
    endpoint->reading.flags = endpoint->config.flags;
    endpoint->reading.max_bytes = endpoint->config.max_message;
}

static mcpw_status build(mcpw_endpoint *endpoint, mcpw_error *error) {
    mcpw_status status = take_config(endpoint, error);
    const mcpw_extensions *const set = endpoint->config.extensions;
    set_reading(endpoint);
    status = status == MCPW_OK && set != NULL ? set->extended->declare(endpoint, error) : status;
    status = status == MCPW_OK ? keep_library(endpoint, error) : status;
    status = status == MCPW_OK ? make_profiles(endpoint, error) : status;
    status = status == MCPW_OK ? mcpw_capabilities_declare(endpoint, error) : status;
    status = status == MCPW_OK ? set_result_values(endpoint) : status;
    for (size_t i = 0; status == MCPW_OK && i < endpoint->profile_count; i++) {
        status = make_bindings(endpoint, endpoint->profiles + i);
        status = status == MCPW_OK ? mcpw_plans_bind(endpoint, endpoint->profiles + i) : status;
        if (status == MCPW_OK && !mcpw_endpoint_serves(endpoint)) {
            status = make_metas(endpoint, endpoint->profiles + i, error);
        }
        if (status == MCPW_OK && set != NULL) {
            status = set->extended->bind(endpoint, endpoint->profiles + i, error);
        }
    }
    status = status == MCPW_OK && set != NULL ? set->extended->check(endpoint, error) : status;
    if (status == MCPW_OK && endpoint->config.server != NULL) {
        mcpw_server_base_of(endpoint->config.server)->in_use = true;
    }
    return status;
}

mcpw_endpoint *mcpw_endpoint_new(const mcpw_session_config *given, mcpw_error *error) {
    mcpw_session_config own = MCPW_SESSION_CONFIG_INIT;
    const mcpw_session_config *const config = &own;
    if (!MCPW_TAKE(&own, diagnostic_user, given) ||
        (config->role != MCPW_ROLE_SERVER && config->role != MCPW_ROLE_CLIENT)) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                       "the config is NULL, not initialised with MCPW_SESSION_CONFIG_INIT, or has no role");
        return NULL;
    }
    mcpw_endpoint *const endpoint = mcpw_resize(&config->allocator, NULL, 0, sizeof *endpoint);
    if (endpoint == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return NULL;
    }
    memset(endpoint, 0, sizeof *endpoint);
    endpoint->config = *config;
    endpoint->memory = (mcpw_arena)MCPW_ARENA_INIT;
    endpoint->memory.allocator = config->allocator;
    atomic_init(&endpoint->holders, 1);
    const mcpw_status status = build(endpoint, error);
    if (status != MCPW_OK) {
        if (status == MCPW_E_MEMORY) {
            mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
        }
        mcpw_endpoint_free(endpoint);
        return NULL;
    }
    return endpoint;
}

const mcpw_revision *mcpw_endpoint_revision(const mcpw_endpoint *endpoint, mcpw_str name) {
    for (size_t i = 0; i < endpoint->profile_count; i++) {
        if (mcpw_str_equal(name, endpoint->profiles[i].name)) {
            return endpoint->profiles[i].revision;
        }
    }
    return NULL;
}

const mcpw_revision *mcpw_endpoint_revision_at(const mcpw_endpoint *endpoint, size_t index) {
    return index < endpoint->profile_count ? endpoint->profiles[index].revision : NULL;
}

bool mcpw_handshake_revisions(const mcpw_session_config *config, char *names, size_t size) {
    mcpw_session_config own = *config;
    own.role = MCPW_ROLE_CLIENT;
    mcpw_endpoint *const endpoint = mcpw_endpoint_new(&own, NULL);
    const mcpw_revision *revision = NULL;
    size_t len = 0;
    bool has_others = false;
    bool fits = true;
    for (size_t i = 0; endpoint != NULL && (revision = mcpw_endpoint_revision_at(endpoint, i)) != NULL; i++) {
        const char *const name = mcpw_revision_name(revision);
        const size_t more = strlen(name) + 1; /* with the blank after it */
        if (mcpw_method_number(revision, "initialize", sizeof "initialize" - 1) == 0) {
            has_others = true;
        } else if (len + more >= size) {
            fits = false;
        } else {
            memcpy(names + len, name, more - 1);
            names[len + more - 1] = ' ';
            len += more;
        }
    }
    mcpw_endpoint_free(endpoint);
    if (len == 0) {
        return false;
    }
    names[len - 1] = '\0';
    return has_others && fits;
}

bool mcpw_endpoint_has_added(const mcpw_endpoint *endpoint, mcpw_str method) {
    const mcpw_custom *const custom = mcpw_extensions_find(endpoint->config.extensions, method);
    return custom != NULL && custom->scope != MCPW_SCOPE_CORE;
}

mcpw_status mcpw_endpoint_needs(const mcpw_endpoint *endpoint, mcpw_str method,
                                const mcpw_message_envelope *envelope, mcpw_need_scopes *need, void *user) {
    const mcpw_extensions *const set = endpoint->config.extensions;
    return set != NULL ? set->extended->need(set, method, envelope, need, user) : MCPW_OK;
}

size_t mcpw_endpoint_max_output(const mcpw_endpoint *endpoint) { return endpoint->config.max_output; }

mcpw_server *mcpw_endpoint_server(const mcpw_endpoint *endpoint) { return endpoint->config.server; }

void mcpw_endpoint_ref(mcpw_endpoint *endpoint) { atomic_fetch_add(&endpoint->holders, 1); }

void mcpw_endpoint_free(mcpw_endpoint *endpoint) {
    if (endpoint == NULL || atomic_fetch_sub(&endpoint->holders, 1) != 1) {
        return;
    }
    const mcpw_allocator allocator = endpoint->config.allocator;
    mcpw_arena_free(&endpoint->memory);
    (void)mcpw_resize(&allocator, endpoint, sizeof *endpoint, 0);
}

/* ---- Changes ---- */

static mcpw_change_listener **watches_of(const mcpw_endpoint *endpoint) {
    mcpw_server *const server = endpoint->config.server;
    return server != NULL ? &mcpw_server_base_of(server)->watches : NULL;
}

void mcpw_endpoint_add_change_listener(const mcpw_endpoint *endpoint, mcpw_change_listener *watch) {
    mcpw_change_listener **const first = watches_of(endpoint);
    if (first != NULL) {
        watch->next = *first;
        *first = watch;
    }
}

void mcpw_endpoint_remove_change_listener(const mcpw_endpoint *endpoint, const mcpw_change_listener *watch) {
    mcpw_change_listener **at = watches_of(endpoint);
    while (at != NULL && *at != NULL && *at != watch) {
        at = &(*at)->next;
    }
    if (at != NULL && *at != NULL) {
        *at = watch->next;
    }
}
