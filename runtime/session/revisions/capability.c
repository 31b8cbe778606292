/* SPDX-License-Identifier: MIT */
/*
 * The capabilities of this end in a revision, as JSON. Capabilities have dotted names ("tools.listChanged").
 * Some come with what is served, and the config names others. Each becomes a member where the revision's type
 * has a place for it. The capabilities that the config declares as JSON are added.
 */
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/reflect.h>

#include "capability.h"

#include "../core/core.h"
#include "../support/print.h"
#include "extension.h"

enum { MAX_PATHS = 48 };

/* Dotted names of what this end offers, each once. */
typedef struct offers {
    const char *paths[MAX_PATHS];
    size_t count;
} offers;

/* ---- Dotted names ---- */

static size_t top_len(const char *path) { return strcspn(path, "."); }

static bool same_top(const char *a, const char *b) {
    return top_len(a) == top_len(b) && memcmp(a, b, top_len(a)) == 0;
}

static bool offers_top(const offers *o, const char *path) {
    for (size_t i = 0; i < o->count; i++) {
        if (same_top(o->paths[i], path)) {
            return true;
        }
    }
    return false;
}

static void add(offers *o, const char *path) {
    for (size_t i = 0; i < o->count; i++) {
        if (strcmp(o->paths[i], path) == 0) {
            return;
        }
    }
    if (o->count < MAX_PATHS) {
        o->paths[o->count++] = path;
    }
}

typedef char member_name[MCPW_MAX_KEY + 1];

/* The part of a dotted name that begins at a place of it. */
static void part_of(const char *path, const char *at, member_name out) {
    (void)mcpw_print_text(out, sizeof(member_name), "%.*s", (int)mcpw_path_part(path, at), at);
}

/* The name that a key spells, cut where it is longer than that of any capability. */
static void name_of(mcpw_json key, member_name out) {
    (void)mcpw_print_text(out, sizeof(member_name), "%.*s", key.len >= 2 ? (int)(key.len - 2) : 0,
                          key.ptr + 1);
}

/* Whether no path before it has the same first len bytes, as whole parts. */
static bool is_first(const offers *o, size_t at, size_t len) {
    for (size_t i = 0; i < at; i++) {
        const char *const path = o->paths[i];
        if (strncmp(path, o->paths[at], len) == 0 && (path[len] == '.' || path[len] == '\0')) {
            return false;
        }
    }
    return true;
}

/* ---- Which there are ---- */

/* Whether this end's code sends a notification, as far as it says. */
static bool is_sent(const mcpw_endpoint *endpoint, const mcpw_profile *profile, int number) {
    const mcpw_dispatch *const dispatch = endpoint->config.dispatch;
    if (dispatch == NULL || dispatch->sends == NULL) {
        return true;
    }
    const int theirs = mcpw_method_in(dispatch->revision, profile->revision, number);
    return theirs != 0 && dispatch->sends(endpoint->config.handlers, theirs);
}

/* Whether somebody here answers a request of the peer's. */
static bool is_answered(const mcpw_endpoint *endpoint, const mcpw_profile *profile, int number) {
    const mcpw_binding *const b = profile->bindings + number;
    const mcpw_str name = mcpw_method_name(profile->revision, number);
    return b->handler != 0 || (b->own == MCPW_OWN_SET_LEVEL && endpoint->config.logs) ||
           (mcpw_endpoint_serves(endpoint) && endpoint->config.server != NULL &&
            mcpw_server_has(endpoint->config.server, name)) ||
           (profile->customs != NULL &&
            endpoint->config.extensions->extended->is_in_core(endpoint, profile, name));
}

static bool is_of_a_request(const mcpw_revision *revision, const char *capability) {
    for (int number = 1; number <= mcpw_method_count(revision); number++) {
        const char *const needed = mcpw_need_of(revision, number)->capability;
        if ((mcpw_method_flags(mcpw_method_entry(revision, number)) & MCPW_METHOD_REQUEST) != 0 &&
            needed != NULL && strcmp(needed, capability) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether a notification of ours belongs to what is offered. */
static bool goes_with(const mcpw_endpoint *endpoint, const mcpw_profile *profile, int number,
                      const offers *o) {
    const mcpw_revision *const revision = profile->revision;
    const char *const capability = mcpw_need_of(revision, number)->capability;
    const mcpw_own own = profile->bindings[number].own;
    return (own == MCPW_OWN_MESSAGE && endpoint->config.logs) ||
           (offers_top(o, capability) &&
            (!is_of_a_request(revision, capability) ||
             (own == MCPW_OWN_RESOURCE_UPDATED && endpoint->config.on_watch != NULL)));
}

/* The capabilities of this end in a revision; NULL: it has no type for them. */
static const mcpw_type *own_type(const mcpw_endpoint *endpoint, const mcpw_revision *revision) {
    return mcpw_revision_type(revision,
                              mcpw_endpoint_serves(endpoint) ? "ServerCapabilities" : "ClientCapabilities");
}

/* Whether a revision has a place for each part of a dotted name. */
static bool knows(const mcpw_revision *revision, const mcpw_type *type, const char *path) {
    mcpw_ref at = mcpw_type_ref(type);
    for (const char *rest = path;;) {
        member_name name;
        const size_t len = mcpw_path_part(path, rest);
        if (len > MCPW_MAX_KEY) {
            return false;
        }
        part_of(path, rest, name);
        const mcpw_slot slot = mcpw_slot_named(revision, at, name);
        if (!mcpw_slot_exists(slot)) {
            return at.kind == MCPW_KIND_MAP && rest[len] == '\0' && top_len(path) + 1 + len == strlen(path) &&
                   strncmp(path, "extensions.", sizeof "extensions." - 1) == 0;
        }
        at = slot.ref;
        if (rest[len] == '\0') {
            return true;
        }
        rest += len + 1;
    }
}

static bool is_spoken(const mcpw_endpoint *endpoint, const char *path) {
    for (size_t i = 0; i < endpoint->profile_count; i++) {
        const mcpw_revision *const revision = endpoint->profiles[i].revision;
        const mcpw_type *const type = own_type(endpoint, revision);
        if (type != NULL && knows(revision, type, path)) {
            return true;
        }
    }
    return false;
}

mcpw_status mcpw_capabilities_declare(mcpw_endpoint *endpoint, mcpw_error *error) {
    const char *const given = endpoint->config.declares;
    const size_t len = given != NULL ? strlen(given) : 0;
    char *const names = len != 0 ? mcpw_arena_alloc(&endpoint->memory, len + 1) : NULL;
    endpoint->named =
        names != NULL ? mcpw_arena_alloc(&endpoint->memory, (len / 2 + 1) * sizeof *endpoint->named) : NULL;
    if (endpoint->named == NULL) {
        return len != 0 ? MCPW_E_MEMORY : MCPW_OK;
    }
    memcpy(names, given, len + 1);
    for (char *at = names + strspn(names, " ,"); *at != '\0';) {
        const size_t word = strcspn(at, " ,");
        char *const next = at + word + strspn(at + word, " ,");
        const bool may_be_unknown = *at == MCPW_MAY_BE_UNKNOWN;
        at[word] = '\0';
        at += may_be_unknown;
        if (is_spoken(endpoint, at)) {
            endpoint->named[endpoint->named_count++] = at;
        } else if (!may_be_unknown) {
            return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                                  "no revision that is spoken has a capability \"%s\" of a %s", at,
                                  mcpw_endpoint_serves(endpoint) ? "server" : "client");
        }
        at = next;
    }
    return MCPW_OK;
}

/* Whether a method has all of these flags. */
static bool is_a(const mcpw_revision *revision, int number, unsigned flags) {
    return (mcpw_method_flags(mcpw_method_entry(revision, number)) & flags) == flags;
}

/* Requests that are answered add their capability; so do the notifications that go with them. */
static void collect(const mcpw_endpoint *endpoint, const mcpw_profile *profile, offers *o) {
    const mcpw_revision *const revision = profile->revision;
    const unsigned from_peer =
        mcpw_endpoint_serves(endpoint) ? MCPW_METHOD_FROM_CLIENT : MCPW_METHOD_FROM_SERVER;
    const unsigned from_us =
        mcpw_endpoint_serves(endpoint) ? MCPW_METHOD_FROM_SERVER : MCPW_METHOD_FROM_CLIENT;
    for (int number = 1; number <= mcpw_method_count(revision); number++) {
        const char *const needed = mcpw_need_of(revision, number)->capability;
        const char *const extension = mcpw_extension_of(revision, number);
        if ((needed != NULL || extension != NULL) &&
            is_a(revision, number, MCPW_METHOD_REQUEST | from_peer) &&
            is_answered(endpoint, profile, number)) {
            add(o, needed != NULL ? needed : extension);
        }
    }
    for (int number = 1; number <= mcpw_method_count(revision); number++) {
        const char *const needed = mcpw_need_of(revision, number)->capability;
        if (needed != NULL && is_a(revision, number, MCPW_METHOD_NOTIFICATION | from_us) &&
            goes_with(endpoint, profile, number, o) && is_sent(endpoint, profile, number)) {
            add(o, needed);
        }
    }
    for (size_t i = 0; i < endpoint->named_count; i++) {
        if (knows(revision, own_type(endpoint, revision), endpoint->named[i])) {
            add(o, endpoint->named[i]);
        }
    }
}

/* ---- As JSON ---- */

/* Whether a path stands under the first len bytes of another. */
static bool is_below(const char *path, const char *other, size_t len) {
    return strncmp(path, other, len) == 0 && path[len] == '.';
}

/* The type below the first len bytes of a path, whose members come next. */
static void put_below(mcpw_text *text, const offers *o, const char *above, size_t len,
                      const mcpw_revision *revision, mcpw_ref type) {
    for (size_t i = 0; i < o->count; i++) {
        const char *const path = o->paths[i];
        if (!is_below(path, above, len)) {
            continue;
        }
        const size_t end = len + 1 + mcpw_path_part(path, path + len + 1);
        if (!is_first(o, i, end)) {
            continue;
        }
        member_name name;
        part_of(path, path + len + 1, name);
        const mcpw_slot slot = mcpw_slot_named(revision, type, name);
        mcpw_text_key_str(text, mcpw_str_from(name));
        if (type.kind != MCPW_KIND_MAP &&
            (!mcpw_slot_exists(slot) || slot.ref.kind == MCPW_KIND_OPT_BOOLEAN)) {
            mcpw_text_bool(text, true);
        } else {
            mcpw_text_object(text);
            put_below(text, o, path, end, revision, slot.ref);
            mcpw_text_object_end(text);
        }
    }
}

/* One capability with what lies under it: "tools":{"listChanged":true}. */
static void put_top(mcpw_text *text, const offers *o, size_t first, const mcpw_revision *revision,
                    mcpw_ref type, mcpw_json declared) {
    const char *const path = o->paths[first];
    member_name name;
    mcpw_json more = no_json;
    part_of(path, path, name);
    const mcpw_slot slot = mcpw_slot_named(revision, type, name);
    mcpw_text_key_str(text, mcpw_str_from(name));
    const size_t begin = text->buffer.len;
    mcpw_text_object(text);
    put_below(text, o, path, top_len(path), revision, mcpw_slot_exists(slot) ? slot.ref : type);
    if (declared.ptr != NULL && mcpw_json_get(declared, name, &more) == MCPW_OK && text->status == MCPW_OK) {
        mcpw_text so_far = MCPW_TEXT_INIT;
        so_far.buffer.allocator = text->buffer.allocator;
        mcpw_text_raw(&so_far, text->buffer.data + begin, text->buffer.len - begin);
        mcpw_text_object_end(&so_far);
        mcpw_text_rest(text, more, mcpw_text_get(&so_far));
        mcpw_text_free(&so_far);
    }
    mcpw_text_object_end(text);
}

/* Adds the other capabilities of the config, as far as the revision has a place for them. */
static void put_declared(mcpw_text *text, const offers *o, const mcpw_revision *revision, mcpw_ref type,
                         mcpw_json declared) {
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json value;
    if (declared.ptr == NULL || mcpw_json_iterate(declared, &it) != MCPW_OK) {
        return;
    }
    while (mcpw_json_next(&it, &key, &value)) {
        member_name name;
        name_of(key, name);
        if (!offers_top(o, name) && mcpw_slot_exists(mcpw_slot_named(revision, type, name))) {
            mcpw_text_member_copy(text, key, value);
        }
    }
}

mcpw_status mcpw_capabilities(const mcpw_endpoint *endpoint, const mcpw_profile *profile, mcpw_arena *arena,
                              mcpw_json *out) {
    const mcpw_revision *const revision = profile->revision;
    const mcpw_type *const type = own_type(endpoint, revision);
    mcpw_text text = mcpw_endpoint_text(endpoint);
    offers o = {{NULL}, 0};
    *out = no_json;
    if (type == NULL) {
        return MCPW_E_NOT_FOUND;
    }
    collect(endpoint, profile, &o);
    mcpw_text_object(&text);
    for (size_t i = 0; i < o.count; i++) {
        if (is_first(&o, i, top_len(o.paths[i]))) {
            put_top(&text, &o, i, revision, mcpw_type_ref(type), endpoint->config.capabilities);
        }
    }
    put_declared(&text, &o, revision, mcpw_type_ref(type), endpoint->config.capabilities);
    mcpw_text_object_end(&text);
    return mcpw_text_finish(&text, arena, out);
}

mcpw_json mcpw_capabilities_declared(const mcpw_session *session, const mcpw_profile *profile,
                                     mcpw_arena *arena) {
    mcpw_json own = session->declared;
    if (session->era == MCPW_ERA_LEGACY && own.ptr != NULL) {
        return own;
    }
    return mcpw_capabilities(session->endpoint, profile, arena, &own) == MCPW_OK ? own : no_json;
}

mcpw_json mcpw_capability_object(const char *path, mcpw_arena *arena) {
    mcpw_text text = {mcpw_buffer_in(arena), MCPW_OK};
    unsigned depth = 1;
    mcpw_text_object(&text);
    for (const char *at = path; *at != '\0'; depth++) {
        member_name name;
        const size_t part = mcpw_path_part(path, at);
        part_of(path, at, name);
        mcpw_text_key_str(&text, mcpw_str_from(name));
        mcpw_text_object(&text);
        at += part + (at[part] == '.');
    }
    while (depth-- > 0) {
        mcpw_text_object_end(&text);
    }
    return mcpw_text_get(&text);
}

/* ---- Who this is ---- */

mcpw_status mcpw_implementation(const mcpw_endpoint *endpoint, const mcpw_revision *revision,
                                mcpw_arena *arena, mcpw_json *out) {
    const mcpw_type *const type = mcpw_revision_type(revision, "Implementation");
    mcpw_text text = mcpw_endpoint_text(endpoint);
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json value;
    mcpw_text_object(&text);
    mcpw_text_member(&text, "name", mcpw_str_from(endpoint->config.name));
    mcpw_text_member(&text, "version", mcpw_str_from(endpoint->config.version));
    if (endpoint->config.info.ptr != NULL && mcpw_json_iterate(endpoint->config.info, &it) == MCPW_OK) {
        while (type != NULL && mcpw_json_next(&it, &key, &value)) {
            member_name name;
            name_of(key, name);
            if (strcmp(name, "name") != 0 && strcmp(name, "version") != 0 &&
                mcpw_slot_exists(mcpw_type_slot(type, name))) {
                mcpw_text_member_copy(&text, key, value);
            }
        }
    }
    mcpw_text_object_end(&text);
    return mcpw_text_finish(&text, arena, out);
}
