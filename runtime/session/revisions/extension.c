/* SPDX-License-Identifier: MIT */
/* Adds extensions and middleware to the set of an end, and checks each of them. */
#include "extension.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/reflect.h>

#include "../core/tool_schema.h"
#include "../support/print.h"
#include "../support/scopes.h"

static const char prefix_of_capability[] = "extensions.";

mcpw_extensions *mcpw_extensions_new(const mcpw_extended *extended, const mcpw_allocator *allocator,
                                     const mcpw_pattern_engine *patterns) {
    mcpw_extensions *const set = mcpw_resize(allocator, NULL, 0, sizeof *set);
    if (set != NULL) {
        memset(set, 0, sizeof *set);
        set->extended = extended;
        set->allocator = *allocator;
        set->memory = (mcpw_arena)MCPW_ARENA_INIT;
        set->memory.allocator = *allocator;
        set->patterns = patterns;
    }
    return set;
}

static void forget_methods(mcpw_extensions *set, size_t from) {
    while (set->method_count > from) {
        const mcpw_custom *const method = set->methods + --set->method_count;
        mcpw_tool_schema_free(method->params_schema);
        mcpw_tool_schema_free(method->result_schema);
    }
}

void mcpw_extensions_free(mcpw_extensions *set) {
    if (set == NULL) {
        return;
    }
    for (size_t i = set->count; i-- > 0;) {
        const mcpw_extension *const given = &set->items[i].given;
        if (given->freed != NULL) {
            given->freed(given->user);
        }
    }
    const mcpw_allocator allocator = set->allocator;
    forget_methods(set, 0);
    mcpw_arena_free(&set->memory);
    (void)mcpw_resize(&allocator, set, sizeof *set, 0);
}

/* ---- Ids ---- */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_alphanumeric(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

static bool is_label(const char *label, size_t len) {
    if (len == 0 || !is_letter(label[0]) || !is_alphanumeric(label[len - 1])) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        if (!is_alphanumeric(label[i]) && label[i] != '-') {
            return false;
        }
    }
    return true;
}

static bool is_prefix(const char *prefix, size_t len) {
    size_t begin = 0;
    for (size_t i = 0; i <= len; i++) {
        if (i == len || prefix[i] == '.') {
            if (!is_label(prefix + begin, i - begin)) {
                return false;
            }
            begin = i + 1;
        }
    }
    return true;
}

static bool is_name(const char *name, size_t len) {
    if (len == 0 || !is_alphanumeric(name[0]) || !is_alphanumeric(name[len - 1])) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        if (!is_alphanumeric(name[i]) && strchr("-_.", name[i]) == NULL) {
            return false;
        }
    }
    return true;
}

static bool is_id(const char *id) {
    const char *const slash = id != NULL ? strchr(id, '/') : NULL;
    return slash != NULL && strlen(id) <= MCPW_MAX_KEY && is_prefix(id, (size_t)(slash - id)) &&
           is_name(slash + 1, strlen(slash + 1));
}

/* ---- What is there ---- */

bool mcpw_extensions_are_in(const mcpw_revision *revision) {
    const mcpw_type *const type = mcpw_revision_type(revision, "ServerCapabilities");
    return type != NULL && mcpw_slot_exists(mcpw_slot_named(revision, mcpw_type_ref(type), "extensions"));
}

bool mcpw_extensions_take(const mcpw_extensions *set, const mcpw_profile *profile) {
    for (size_t i = 0; !profile->takes_extensions && i < set->method_count; i++) {
        const mcpw_custom *const method = set->methods + i;
        if (method->scope != MCPW_SCOPE_EXTENSION &&
            mcpw_method_number(profile->revision, method->name.ptr, method->name.len) != 0) {
            return true;
        }
    }
    return profile->takes_extensions;
}

const mcpw_registered *mcpw_extensions_by_id(const mcpw_extensions *set, const char *id) {
    for (size_t i = 0; set != NULL && id != NULL && i < set->count; i++) {
        if (strcmp(set->items[i].given.id, id) == 0) {
            return set->items + i;
        }
    }
    return NULL;
}

const mcpw_custom *mcpw_extensions_find(const mcpw_extensions *set, mcpw_str method) {
    for (size_t i = 0; set != NULL && i < set->method_count; i++) {
        if (mcpw_str_equal(set->methods[i].name, method)) {
            return set->methods + i;
        }
    }
    return NULL;
}

const mcpw_type *mcpw_custom_params(const mcpw_custom *custom, const mcpw_revision *revision) {
    if (custom->params != NULL) {
        return custom->params;
    }
    return mcpw_revision_type(revision, (custom->flags & MCPW_METHOD_REQUEST) != 0 ? "RequestParams"
                                                                                   : "NotificationParams");
}

bool mcpw_extensions_bring(const mcpw_extensions *set, const mcpw_revision *revision) {
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i].changes_types && set->items[i].given.revision == revision) {
            return true;
        }
    }
    return false;
}

const mcpw_added_result *mcpw_extensions_taker(const mcpw_extensions *set, mcpw_str method) {
    const size_t count = set != NULL && set->takes_results ? set->result_count : 0;
    for (size_t i = 0; i < count; i++) {
        if (set->results[i].given.taken != NULL && mcpw_str_equal(set->results[i].method, method)) {
            return set->results + i;
        }
    }
    return NULL;
}

const char *mcpw_extensions_answer(const mcpw_extensions *set, mcpw_str method, mcpw_json result) {
    for (size_t i = 0; set != NULL && i < set->result_count; i++) {
        const mcpw_added_result *const added = set->results + i;
        mcpw_json value;
        if (mcpw_str_equal(added->method, method) && mcpw_json_get(result, "resultType", &value) == MCPW_OK &&
            value.len == added->value.len + 2 &&
            memcmp(value.ptr + 1, added->value.ptr, added->value.len) == 0) {
            return added->extension->given.id;
        }
    }
    return NULL;
}

const mcpw_added_topic *mcpw_extensions_topic(const mcpw_extensions *set, const char *filter) {
    for (size_t i = 0; set != NULL && i < set->topic_count; i++) {
        if (strcmp(set->topics[i].topic.filter, filter) == 0) {
            return set->topics + i;
        }
    }
    return NULL;
}

/* A revision of the library that has the method itself and speaks extensions; NULL: none does. */
static const mcpw_revision *core_with(mcpw_str method) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_library_revisions(NULL, &count);
    while (count-- > 0) {
        if (mcpw_extensions_are_in(all[count]) &&
            mcpw_method_number(all[count], method.ptr, method.len) != 0) {
            return all[count];
        }
    }
    return NULL;
}

/* ---- Adding one ---- */

static mcpw_status no_memory(mcpw_error *error) {
    return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
}

static const char *keep_text(mcpw_extensions *set, const char *text) {
    return text != NULL ? mcpw_arena_str(&set->memory, text, strlen(text)).ptr : NULL;
}

/* Replaces a list of scopes by a copy in the set's memory. `of` names the part of the extension that has
 * them. */
static mcpw_status keep_scopes(mcpw_extensions *set, const char *id, const char *of, const char **scopes,
                               mcpw_error *error) {
    if (*scopes == NULL) {
        return MCPW_OK;
    }
    const mcpw_str text = mcpw_str_from(*scopes);
    const char *const fault = mcpw_scopes_fault(text, NULL);
    if (fault != NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s: the scopes of %s: %s", id, of, fault);
    }
    *scopes = mcpw_arena_str(&set->memory, text.ptr, text.len).ptr;
    return *scopes != NULL ? MCPW_OK : no_memory(error);
}

/* Makes room for a method whose name is new. NULL: *status says why. */
static mcpw_custom *begin_method(mcpw_extensions *set, const mcpw_registered *owner, mcpw_str name,
                                 mcpw_status *status, mcpw_error *error) {
    const char *const id = owner->given.id;
    const mcpw_custom *const other = mcpw_extensions_find(set, name);
    const mcpw_revision *const core = core_with(name);
    if (set->method_count == MCPW_MAX_EXTENSION_METHODS) {
        *status = mcpw_error_set(error, MCPW_E_SIZE, 0, "%s: there are more than %d methods of extensions",
                                 id, MCPW_MAX_EXTENSION_METHODS);
        return NULL;
    }
    if (core != NULL) {
        *status = mcpw_error_set(error, MCPW_E_DUPLICATE, 0, "%s: revision %s has a method \"%.*s\"", id,
                                 mcpw_revision_name(core), (int)name.len, name.ptr);
        return NULL;
    }
    if (other != NULL) {
        *status = mcpw_error_set(error, MCPW_E_DUPLICATE, 0, "%s: the extension %s has a %s \"%.*s\"", id,
                                 other->extension->given.id,
                                 (other->flags & MCPW_METHOD_REQUEST) != 0 ? "request" : "notification",
                                 (int)name.len, name.ptr);
        return NULL;
    }
    mcpw_custom *const method = set->methods + set->method_count++;
    *method = (mcpw_custom){.extension = owner, .name = name};
    return method;
}

/* Adds the methods that the bindings say are the extension's. */
static mcpw_status add_generated(mcpw_extensions *set, mcpw_registered *owner, mcpw_error *error) {
    const mcpw_revision *const revision = owner->given.revision;
    const mcpw_protocol *const protocol = mcpw_protocol_of(revision);
    bool is_known = false;
    bool has_methods = false;
    for (size_t i = 0; i < protocol->feature_count; i++) {
        const mcpw_feature *const feature = protocol->features + i;
        if (owner->capability == NULL || strcmp(feature->capability, owner->capability) != 0) {
            continue;
        }
        is_known = true;
        owner->changes_types =
            owner->changes_types || feature->part == MCPW_PART_PARAMS || feature->part == MCPW_PART_RESULT;
        if (feature->part != MCPW_PART_METHOD) {
            continue;
        }
        has_methods = true;
        const mcpw_method *const entry = mcpw_method_entry(revision, feature->method);
        mcpw_status status = MCPW_OK;
        mcpw_custom *const method =
            begin_method(set, owner, mcpw_method_name(revision, feature->method), &status, error);
        if (method == NULL) {
            return status;
        }
        method->flags = mcpw_method_flags(entry);
        method->number = feature->method;
        method->params = mcpw_method_params(entry);
        method->result = mcpw_method_result(entry);
    }
    owner->changes_types = owner->changes_types || !has_methods || protocol->topic_count != 0;
    return is_known
               ? MCPW_OK
               : mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s: the bindings %s are of no such extension",
                                owner->given.id, mcpw_revision_name(revision));
}

static mcpw_status compile(const mcpw_extensions *set, const mcpw_custom *method, const char *member,
                           mcpw_json text, struct mcpw_schema **out, mcpw_error *error) {
    mcpw_error why;
    if (text.ptr == NULL) {
        return MCPW_OK;
    }
    if (!mcpw_tool_schemas_work()) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "%s: %s needs a library that was built with MCPW_WITH_SCHEMA", method->name.ptr,
                              member);
    }
    const mcpw_status status = mcpw_tool_schema_compile(set->patterns, &set->allocator, member, text,
                                                        MCPW_FORMATS_SAY_NOTHING, out, &why);
    return status == MCPW_OK ? MCPW_OK
                             : mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s: %s: %s", method->name.ptr,
                                              why.path, why.message);
}

static mcpw_status add_method(mcpw_extensions *set, const mcpw_registered *owner,
                              const mcpw_extension_method *given, mcpw_error *error) {
    mcpw_extension_method own = MCPW_SIZED(mcpw_extension_method);
    const char *const id = owner->given.id;
    if (!MCPW_TAKE(&own, notification, given) || own.name == NULL || own.name[0] == '\0') {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s: a method has no name or a wrong struct_size",
                              id);
    }
    if (own.is_notification && (own.request != NULL || own.result != NULL || own.result_schema.ptr != NULL)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s: \"%s\" is a notification, which has no result",
                              id, own.name);
    }
    const mcpw_str name = mcpw_arena_str(&set->memory, own.name, strlen(own.name));
    if (name.ptr == NULL) {
        return no_memory(error);
    }
    mcpw_status status = MCPW_OK;
    mcpw_custom *const method = begin_method(set, owner, name, &status, error);
    if (method == NULL) {
        return status;
    }
    const bool from_server = own.from == MCPW_ROLE_SERVER || (own.from == 0 && own.is_notification);
    method->flags = (own.is_notification ? MCPW_METHOD_NOTIFICATION : MCPW_METHOD_REQUEST) |
                    (from_server ? (unsigned)MCPW_METHOD_FROM_SERVER : (unsigned)MCPW_METHOD_FROM_CLIENT);
    method->params = own.params;
    method->result = own.result;
    method->request = own.request;
    method->notification = own.notification;
    method->scope = own.scope;
    method->on_session_thread = own.on_session_thread;
    method->scopes = own.scopes;
    if (own.scope != MCPW_SCOPE_EXTENSION && (own.is_notification || from_server)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "%s: \"%s\" is no request of clients, so no core has it", id, own.name);
    }
    status = keep_scopes(set, id, own.name, &method->scopes, error);
    status = status == MCPW_OK
                 ? compile(set, method, "params_schema", own.params_schema, &method->params_schema, error)
                 : status;
    return status == MCPW_OK
               ? compile(set, method, "result_schema", own.result_schema, &method->result_schema, error)
               : status;
}

/* Whether a result can be added beside those that are there. */
static mcpw_status check_result(const mcpw_extensions *set, const char *id, const mcpw_extension_result *own,
                                mcpw_error *error) {
    const mcpw_added_result *const other =
        own->taken != NULL ? mcpw_extensions_taker(set, mcpw_str_from(own->method)) : NULL;
    if (other != NULL) {
        return mcpw_error_set(error, MCPW_E_DUPLICATE, 0, "%s: %s takes results of %s already", id,
                              other->extension->given.id, own->method);
    }
    return set->result_count < MCPW_MAX_EXTENSION_RESULTS
               ? MCPW_OK
               : mcpw_error_set(error, MCPW_E_SIZE, 0, "%s: there are more than %d results of extensions", id,
                                MCPW_MAX_EXTENSION_RESULTS);
}

static mcpw_status add_results(mcpw_extensions *set, const mcpw_registered *owner, mcpw_error *error) {
    const mcpw_extension *const given = &owner->given;
    const char *at = (const char *)given->results;
    for (size_t i = 0; i < given->result_count; i++) {
        mcpw_extension_result own = MCPW_SIZED(mcpw_extension_result);
        const mcpw_extension_result *const result = (const void *)at;
        if (!MCPW_TAKE(&own, ended, result) || own.method == NULL || own.value == NULL) {
            return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                                  "%s: a result has no method, no value or a wrong struct_size", given->id);
        }
        const mcpw_status status = check_result(set, given->id, &own, error);
        if (status != MCPW_OK) {
            return status;
        }
        mcpw_added_result added = {owner, mcpw_arena_str(&set->memory, own.method, strlen(own.method)),
                                   mcpw_arena_str(&set->memory, own.value, strlen(own.value)), own};
        if (own.type_name != NULL) {
            added.given.type_name = mcpw_arena_str(&set->memory, own.type_name, strlen(own.type_name)).ptr;
        }
        set->results[set->result_count++] = added;
        set->takes_results = set->takes_results || own.taken != NULL;
        at += result->struct_size != 0 ? result->struct_size : sizeof *result;
    }
    return set->memory.status == MCPW_OK ? MCPW_OK : no_memory(error);
}

static mcpw_status add_topics(mcpw_extensions *set, const mcpw_registered *owner, mcpw_error *error) {
    const mcpw_extension *const given = &owner->given;
    const char *at = (const char *)given->topics;
    for (size_t i = 0; i < given->topic_count; i++) {
        mcpw_extension_topic own = MCPW_SIZED(mcpw_extension_topic);
        const mcpw_extension_topic *const topic = (const void *)at;
        if (!MCPW_TAKE(&own, filter, topic) || own.filter == NULL) {
            return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                                  "%s: a topic has no filter or a wrong struct_size", given->id);
        }
        if (mcpw_extensions_topic(set, own.filter) != NULL) {
            return mcpw_error_set(error, MCPW_E_DUPLICATE, 0, "%s: the extension %s has the filter \"%s\"",
                                  given->id, mcpw_extensions_topic(set, own.filter)->extension->given.id,
                                  own.filter);
        }
        if (set->topic_count == MCPW_MAX_EXTENSION_RESULTS) {
            return mcpw_error_set(error, MCPW_E_SIZE, 0, "%s: there are more than %d topics of extensions",
                                  given->id, MCPW_MAX_EXTENSION_RESULTS);
        }
        const char *const filter = keep_text(set, own.filter);
        const mcpw_status status =
            filter != NULL ? keep_scopes(set, given->id, filter, &own.scopes, error) : no_memory(error);
        if (status != MCPW_OK) {
            return status;
        }
        set->topics[set->topic_count++] =
            (mcpw_added_topic){owner, {.filter = filter, .capability = owner->capability}, own};
        at += topic->struct_size != 0 ? topic->struct_size : sizeof *topic;
    }
    return MCPW_OK;
}

static mcpw_status add_all_methods(mcpw_extensions *set, mcpw_registered *owner, mcpw_error *error) {
    const mcpw_extension *const given = &owner->given;
    mcpw_status status = given->revision != NULL ? add_generated(set, owner, error) : MCPW_OK;
    const char *at = (const char *)given->methods;
    for (size_t i = 0; status == MCPW_OK && i < given->method_count; i++) {
        const mcpw_extension_method *const method = (const void *)at;
        status = add_method(set, owner, method, error);
        at += method->struct_size != 0 ? method->struct_size : sizeof *method;
    }
    return status;
}

mcpw_status mcpw_extensions_add_middleware(mcpw_extensions *set, const mcpw_middleware *given,
                                           mcpw_error *error) {
    mcpw_middleware own = MCPW_SIZED(mcpw_middleware);
    if (given == NULL || !MCPW_TAKE(&own, user, given) || own.name == NULL ||
        (own.passes & ~(unsigned)MCPW_PASS_ALL) != 0) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "a middleware has no name, unknown passes or a wrong struct_size");
    }
    if (set->middleware_count == MCPW_MAX_MIDDLEWARE) {
        return mcpw_error_set(error, MCPW_E_SIZE, 0, "%s: there are more than %d middlewares", own.name,
                              MCPW_MAX_MIDDLEWARE);
    }
    own.passes = own.passes != 0 ? own.passes : (unsigned)MCPW_PASS_RECEIVED_REQUESTS;
    set->middleware[set->middleware_count++] = own;
    set->passes |= own.passes;
    return MCPW_OK;
}

static mcpw_status add_all_middleware(mcpw_extensions *set, const mcpw_extension *given, mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    const char *at = (const char *)given->middleware;
    for (size_t i = 0; status == MCPW_OK && i < given->middleware_count; i++) {
        const mcpw_middleware *const middleware = (const void *)at;
        status = mcpw_extensions_add_middleware(set, middleware, error);
        at += middleware->struct_size != 0 ? middleware->struct_size : sizeof *middleware;
    }
    return status;
}

static mcpw_status keep_given(mcpw_extensions *set, mcpw_registered *item, mcpw_error *error) {
    mcpw_extension *const own = &item->given;
    mcpw_error why;
    if (own->settings.ptr != NULL) {
        if (mcpw_json_check(own->settings, 0, &why) != MCPW_OK ||
            mcpw_json_kind_of(own->settings) != MCPW_JSON_OBJECT) {
            return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s: the settings are not a JSON object",
                                  own->id);
        }
        const mcpw_str settings = mcpw_arena_str(&set->memory, own->settings.ptr, own->settings.len);
        own->settings = (mcpw_json){settings.ptr, settings.len, 0};
    }
    own->id = keep_text(set, own->id);
    own->needs = keep_text(set, own->needs);
    own->declares = keep_text(set, own->declares);
    const size_t size = sizeof prefix_of_capability + strlen(own->id != NULL ? own->id : "");
    char *const capability = mcpw_arena_alloc(&set->memory, size);
    if (set->memory.status != MCPW_OK || capability == NULL) {
        return no_memory(error);
    }
    (void)mcpw_print_text(capability, size, "%s%s", prefix_of_capability, own->id);
    item->capability = capability;
    return keep_scopes(set, own->id, "the extension", &own->scopes, error);
}

/* Two extensions that change types of the protocol cannot be used at once. */
static mcpw_status check_changes(const mcpw_extensions *set, const mcpw_registered *item, mcpw_error *error) {
    for (size_t i = 0; item->changes_types && i < set->count; i++) {
        const mcpw_registered *const other = set->items + i;
        if (other != item && other->changes_types && other->given.revision != item->given.revision) {
            return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                                  "%s and %s both change types of the protocol: generate their bindings with "
                                  "both overlays",
                                  item->given.id, other->given.id);
        }
    }
    return MCPW_OK;
}

mcpw_status mcpw_extensions_add(mcpw_extensions *set, const mcpw_extension *given, mcpw_error *error) {
    mcpw_extension own = MCPW_EXTENSION_INIT;
    if (given == NULL || !MCPW_TAKE(&own, user, given)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "the extension is NULL or not initialised with MCPW_EXTENSION_INIT");
    }
    if (!is_id(own.id)) {
        return mcpw_error_set(error, MCPW_E_FORMAT, 0, "\"%s\" is no id of an extension: it is prefix/name",
                              own.id != NULL ? own.id : "");
    }
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->items[i].given.id, own.id) == 0) {
            return mcpw_error_set(error, MCPW_E_DUPLICATE, 0, "the extension %s was added before", own.id);
        }
    }
    if (set->count == MCPW_MAX_EXTENSIONS) {
        return mcpw_error_set(error, MCPW_E_SIZE, 0, "%s: there are more than %d extensions", own.id,
                              MCPW_MAX_EXTENSIONS);
    }
    mcpw_registered *const item = set->items + set->count++;
    *item = (mcpw_registered){.given = own,
                              .methods = set->method_count,
                              .middleware = set->middleware_count,
                              .results = set->result_count,
                              .topics = set->topic_count,
                              .passes = set->passes,
                              .takes_results = set->takes_results,
                              .mark = mcpw_arena_mark(&set->memory)};
    mcpw_status status = keep_given(set, item, error);
    status = status == MCPW_OK ? add_all_methods(set, item, error) : status;
    status = status == MCPW_OK ? add_results(set, item, error) : status;
    status = status == MCPW_OK ? add_topics(set, item, error) : status;
    status = status == MCPW_OK ? check_changes(set, item, error) : status;
    status = status == MCPW_OK ? add_all_middleware(set, &item->given, error) : status;
    if (status != MCPW_OK) {
        mcpw_extensions_remove_last(set);
    }
    return status;
}

void mcpw_extensions_remove_last(mcpw_extensions *set) {
    const mcpw_registered *const item = set->items + --set->count;
    forget_methods(set, item->methods);
    set->middleware_count = item->middleware;
    set->result_count = item->results;
    set->topic_count = item->topics;
    set->passes = item->passes;
    set->takes_results = item->takes_results;
    mcpw_arena_rewind(&set->memory, item->mark);
}
