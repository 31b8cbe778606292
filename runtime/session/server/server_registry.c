/* SPDX-License-Identifier: MIT */
/* The entries of a server, whatever their kind: kept, found, listed, and their changes reported. */
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/reflect.h>
#include <mcpw/project.h>

#include "../support/scopes.h"
#include "server_internal.h"

enum { FIRST_ENTRIES = 16 };

static const mcpw_str none = {NULL, 0};

/* The names of a family's members, and of the functions that add and remove them. */
typedef struct family_names {
    const char *type;
    const char *result; /* the type of the result of a list */
    const char *list;   /* the member of it that is the list */
    const char *key;    /* the member that tells entries apart */
    mcpw_change change;
    const char *add;
    const char *remove;
} family_names;

static const family_names names[MCPW_FAMILY_COUNT] = {
    [MCPW_FAMILY_TOOL] = {"Tool", "ListToolsResult", "tools", "name", MCPW_CHANGE_TOOLS,
                          "mcpw_server_add_tool", "mcpw_server_remove_tool"},
    [MCPW_FAMILY_RESOURCE] = {"Resource", "ListResourcesResult", "resources", "uri", MCPW_CHANGE_RESOURCES,
                              "mcpw_server_add_resource", "mcpw_server_remove_resource"},
    [MCPW_FAMILY_TEMPLATE] = {"ResourceTemplate", "ListResourceTemplatesResult", "resourceTemplates",
                              "uriTemplate", MCPW_CHANGE_RESOURCES, "mcpw_server_add_resource_template",
                              "mcpw_server_remove_resource_template"},
    [MCPW_FAMILY_PROMPT] = {"Prompt", "ListPromptsResult", "prompts", "name", MCPW_CHANGE_PROMPTS,
                            "mcpw_server_add_prompt", "mcpw_server_remove_prompt"}};

static mcpw_str as_str(mcpw_json json) {
    const mcpw_str text = {json.ptr, json.len};
    return text;
}

static void *take(mcpw_server *server, size_t size) {
    return mcpw_resize(&server->base.config.allocator, NULL, 0, size);
}

static void give(mcpw_server *server, void *ptr, size_t size) {
    if (ptr != NULL) {
        (void)mcpw_resize(&server->base.config.allocator, ptr, size, 0);
    }
}

/* ---- Entries ------------------------------------------------------------------------------------------- */

static size_t revision_count(const mcpw_server *server) { return server->base.library.count; }

void mcpw_entry_free(mcpw_server *server, mcpw_entry *entry) {
    const size_t count = revision_count(server);
    if (entry == NULL) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (entry->views[i].len != 0) {
            mcpw_server_release(server, as_str(entry->views[i]));
        }
    }
    mcpw_tool_schemas_unref(&server->base.config, entry->schemas);
    mcpw_server_release(server, entry->key);
    mcpw_server_release(server, entry->scopes);
    mcpw_server_release(server, as_str(entry->definition));
    give(server, entry->uri_template, sizeof *entry->uri_template);
    give(server, entry, sizeof *entry + count * sizeof entry->views[0]);
}

static mcpw_entry *entry_new(mcpw_server *server, mcpw_family family, mcpw_str key, mcpw_json definition) {
    const size_t size = sizeof(mcpw_entry) + revision_count(server) * sizeof(mcpw_json);
    mcpw_entry *const entry = take(server, size);
    mcpw_str text;
    if (entry == NULL) {
        return NULL;
    }
    memset(entry, 0, size);
    mcpw_status status = mcpw_server_keep(server, definition.ptr, definition.len, &text);
    entry->definition.ptr = text.ptr;
    entry->definition.len = text.len;
    status = status == MCPW_OK ? mcpw_server_keep(server, key.ptr, key.len, &entry->key) : status;
    if (status == MCPW_OK && family == MCPW_FAMILY_TEMPLATE) {
        entry->uri_template = take(server, sizeof *entry->uri_template);
        status = entry->uri_template != NULL ? mcpw_uri_template_parse(entry->uri_template, entry->key, NULL)
                                             : MCPW_E_MEMORY;
    }
    if (status != MCPW_OK) {
        mcpw_entry_free(server, entry);
        return NULL;
    }
    return entry;
}

/* ---- Definitions --------------------------------------------------------------------------------------- */

void mcpw_define_fail(mcpw_definition *d, mcpw_status status, const char *member, const char *why) {
    if (d->status == MCPW_OK) {
        d->status = status;
        mcpw_error_set(d->error, status, 0, "%s", why);
        mcpw_error_prepend_key(d->error, member, strlen(member));
    }
}

void mcpw_define(mcpw_definition *d, mcpw_server *server, mcpw_family family, mcpw_error *error) {
    const mcpw_arena empty = MCPW_ARENA_INIT;
    memset(d, 0, sizeof *d);
    d->server = server;
    d->family = family;
    d->error = error;
    d->scratch = empty;
    d->scratch.allocator = server->base.config.allocator;
    d->text.buffer = mcpw_buffer_in(&d->scratch);
    d->status = mcpw_server_check_thread(server, names[family].add, error);
    d->text.status = d->status; /* on a wrong thread nothing is written, nor memory asked for */
    mcpw_text_object(&d->text);
}

/* Takes note where the member that was just written has failed. */
static void look_at(mcpw_definition *d, const char *member) {
    if (d->text.status != MCPW_OK) {
        mcpw_define_fail(d, d->text.status, member, mcpw_status_text(d->text.status));
    }
}

void mcpw_define_text(mcpw_definition *d, const char *member, const char *value) {
    if (value != NULL) {
        mcpw_text_member(&d->text, member, mcpw_str_from(value));
        look_at(d, member);
    }
}

void mcpw_define_names(mcpw_definition *d, const char *name, const char *title, const char *description) {
    mcpw_define_text(d, "name", name);
    mcpw_define_text(d, "title", title);
    mcpw_define_text(d, "description", description);
}

static bool is_json(mcpw_definition *d, const char *member, mcpw_json value) {
    mcpw_error error;
    const mcpw_status status = mcpw_json_check(value, 0, &error);
    if (status != MCPW_OK) {
        mcpw_define_fail(d, status, member, error.message);
    }
    return status == MCPW_OK;
}

void mcpw_define_json(mcpw_definition *d, const char *member, mcpw_json value) {
    if (value.ptr != NULL && is_json(d, member, value)) {
        mcpw_text_member_json(&d->text, member, value);
        look_at(d, member);
    }
}

void mcpw_define_more(mcpw_definition *d, mcpw_json more) {
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json value;
    if (more.ptr == NULL || !is_json(d, "more", more)) {
        return;
    }
    if (mcpw_json_iterate(more, &it) != MCPW_OK || it.kind != MCPW_JSON_OBJECT) {
        mcpw_define_fail(d, MCPW_E_TYPE, "more", "expected object");
        return;
    }
    while (mcpw_json_next(&it, &key, &value)) {
        mcpw_text_member_copy(&d->text, key, value);
    }
    look_at(d, "more");
}

/* The type in the newest revision that has it. */
static const mcpw_type *newest_type(const mcpw_server *server, mcpw_family family) {
    const mcpw_revision *const *const revisions = server->base.library.revisions;
    size_t count = revision_count(server);
    const mcpw_type *type = NULL;
    while (type == NULL && count > 0) {
        type = mcpw_revision_type(revisions[--count], names[family].type);
    }
    return type;
}

/* Whether the definition makes a valid value of its type. */
static void check_definition(mcpw_definition *d, const mcpw_type *type, const char *key) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_uri_template uri_template;
    mcpw_error why;
    options.flags = MCPW_STRICT;
    mcpw_text_object_end(&d->text);
    look_at(d, names[d->family].key);
    if (key == NULL) {
        mcpw_define_fail(d, MCPW_E_ARGUMENT, names[d->family].key, "it is missing");
    } else if (d->family == MCPW_FAMILY_TEMPLATE) {
        const mcpw_status status = mcpw_uri_template_parse(&uri_template, mcpw_str_from(key), &why);
        if (status != MCPW_OK) {
            mcpw_define_fail(d, status, names[d->family].key, why.message);
        }
    }
    if (d->status == MCPW_OK) {
        const mcpw_json text = mcpw_text_get(&d->text);
        d->status = mcpw_validate(type, text.ptr, text.len, &d->scratch, &options, d->error);
    }
}

mcpw_entry *mcpw_define_end(mcpw_definition *d, const char *key) {
    const mcpw_type *const type = newest_type(d->server, d->family);
    mcpw_entry *entry = NULL;
    check_definition(d, type, key);
    if (d->status == MCPW_OK) {
        entry = entry_new(d->server, d->family, mcpw_str_from(key), mcpw_text_get(&d->text));
        if (entry == NULL) {
            mcpw_define_fail(d, MCPW_E_MEMORY, names[d->family].key, mcpw_status_text(MCPW_E_MEMORY));
        } else {
            entry->type = type;
        }
    }
    mcpw_arena_free(&d->scratch);
    return entry;
}

mcpw_status mcpw_entry_set_scopes(mcpw_server *server, mcpw_entry *entry, const char *scopes,
                                  mcpw_error *error) {
    static const char member[] = "scopes";
    if (scopes == NULL) {
        return MCPW_OK;
    }
    const char *const fault = mcpw_scopes_fault(mcpw_str_from(scopes), entry->uri_template);
    const mcpw_status status =
        fault == NULL ? mcpw_server_keep(server, scopes, strlen(scopes), &entry->scopes) : MCPW_E_ARGUMENT;
    if (status != MCPW_OK) {
        mcpw_error_set(error, status, 0, "%s", fault != NULL ? fault : mcpw_status_text(status));
        mcpw_error_prepend_key(error, member, sizeof member - 1);
    }
    return status;
}

mcpw_status mcpw_define_add(mcpw_definition *d, const char *key, const char *scopes, mcpw_handler run,
                            mcpw_complete_handler complete, void *user) {
    mcpw_entry *const entry = mcpw_define_end(d, key);
    if (entry == NULL) {
        return d->status;
    }
    const mcpw_status status = mcpw_entry_set_scopes(d->server, entry, scopes, d->error);
    if (status != MCPW_OK) {
        mcpw_entry_free(d->server, entry);
        return status;
    }
    entry->run = run;
    entry->complete = complete;
    entry->user = user;
    return mcpw_registry_add(d->server, d->family, entry, d->error);
}

/* ---- Registries ---------------------------------------------------------------------------------------- */

static mcpw_entry *find(const mcpw_registry *r, mcpw_str key) {
    return mcpw_table_find(&r->by_key, mcpw_table_hash(key), key, offsetof(mcpw_entry, key));
}

const mcpw_entry *mcpw_registry_find(const mcpw_server *server, mcpw_family family, mcpw_str key) {
    return find(server->registries + family, key);
}

static bool make_room(mcpw_server *server, mcpw_registry *r) {
    if (r->count == r->capacity) {
        const size_t capacity = r->capacity != 0 ? 2 * r->capacity : FIRST_ENTRIES;
        mcpw_entry **const entries =
            mcpw_resize(&server->base.config.allocator, r->entries, r->capacity * sizeof *r->entries,
                        capacity * sizeof *r->entries);
        if (entries == NULL) {
            return false;
        }
        r->entries = entries;
        r->capacity = capacity;
    }
    return mcpw_table_reserve(&r->by_key, &server->base.config.allocator);
}

mcpw_status mcpw_registry_add(mcpw_server *server, mcpw_family family, mcpw_entry *entry, mcpw_error *error) {
    mcpw_registry *const r = server->registries + family;
    mcpw_status status = MCPW_OK;
    if (find(r, entry->key) != NULL) {
        status = MCPW_E_DUPLICATE;
    } else if (!make_room(server, r)) {
        status = MCPW_E_MEMORY;
    }
    if (status != MCPW_OK) {
        mcpw_error_set(error, status, 0, "%s",
                       status == MCPW_E_DUPLICATE ? "it is registered already: remove that first"
                                                  : mcpw_status_text(status));
        mcpw_error_prepend_key(error, names[family].key, strlen(names[family].key));
        mcpw_entry_free(server, entry);
        return status;
    }
    entry->number = ++r->last_number;
    r->entries[r->count++] = entry;
    mcpw_table_put(&r->by_key, &entry->in_bucket, mcpw_table_hash(entry->key));
    server->completes |= entry->complete != NULL;
    mcpw_server_changed(server, names[family].change, none);
    return MCPW_OK;
}

/* The place of the first entry with a greater number. */
static size_t place_after(const mcpw_registry *r, uint64_t number) {
    size_t low = 0;
    size_t high = r->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (r->entries[middle]->number > number) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

mcpw_status mcpw_registry_remove(mcpw_server *server, mcpw_family family, const char *key) {
    if (server == NULL || key == NULL) {
        return MCPW_E_ARGUMENT;
    }
    const mcpw_status status = mcpw_server_check_thread(server, names[family].remove, NULL);
    if (status != MCPW_OK) {
        return status;
    }
    mcpw_registry *const r = server->registries + family;
    mcpw_entry *const entry = find(r, mcpw_str_from(key));
    if (entry == NULL) {
        return MCPW_E_NOT_FOUND;
    }
    mcpw_table_drop(&r->by_key, &entry->in_bucket);
    const size_t after = place_after(r, entry->number);
    memmove(r->entries + after - 1, r->entries + after, (r->count - after) * sizeof *r->entries);
    r->count--;
    mcpw_entry_free(server, entry);
    mcpw_server_changed(server, names[family].change, none);
    return MCPW_OK;
}

void mcpw_registry_free(mcpw_server *server, mcpw_family family) {
    mcpw_registry *const r = server->registries + family;
    for (size_t i = 0; i < r->count; i++) {
        mcpw_entry_free(server, r->entries[i]);
    }
    give(server, r->entries, r->capacity * sizeof *r->entries);
    mcpw_table_free(&r->by_key, &server->base.config.allocator);
}

/* ---- Views --------------------------------------------------------------------------------------------- */

/* Whether some revision gives the type a member of this name. */
static bool is_member_somewhere(const mcpw_server *server, mcpw_family family, mcpw_str name) {
    const mcpw_revision *const *const revisions = server->base.library.revisions;
    for (size_t i = 0; i < revision_count(server); i++) {
        const mcpw_type *const type = mcpw_revision_type(revisions[i], names[family].type);
        if (name.len <= MCPW_MAX_KEY && mcpw_slot_exists(mcpw_type_slot(type, name.ptr))) {
            return true;
        }
    }
    return false;
}

/* Drops members that other revisions name and this one does not. False without memory. */
static bool drop_foreign(const mcpw_server *server, mcpw_family family, const mcpw_type *type,
                         unsigned char *value, mcpw_arena *arena) {
    mcpw_members *const extra = (mcpw_members *)mcpw_extra_of(type, value);
    if (extra == NULL) {
        return true;
    }
    mcpw_member *const kept = mcpw_arena_alloc(arena, extra->count * sizeof *kept);
    size_t count = 0;
    for (size_t i = 0; kept != NULL && i < extra->count; i++) {
        if (!is_member_somewhere(server, family, extra->items[i].name)) {
            kept[count++] = extra->items[i];
        }
    }
    extra->items = kept;
    extra->count = count;
    return kept != NULL;
}

/* Makes the text of an entry in another revision, or in its own without what does not belong there. */
static mcpw_status project(const mcpw_server *server, const mcpw_entry *entry, mcpw_family family,
                           const mcpw_type *to, mcpw_arena *arena, mcpw_json *out) {
    const mcpw_project_options options = MCPW_PROJECT_INIT;
    mcpw_buffer text = mcpw_buffer_in(arena);
    void *const from = mcpw_arena_alloc(arena, mcpw_type_size(entry->type));
    void *value = from;
    if (from == NULL) {
        return MCPW_E_MEMORY;
    }
    mcpw_status status =
        mcpw_decode(entry->type, entry->definition.ptr, entry->definition.len, arena, from, NULL, NULL);
    if (status == MCPW_OK && to != entry->type) {
        value = mcpw_arena_alloc(arena, mcpw_type_size(to));
        status =
            value == NULL ? MCPW_E_MEMORY : mcpw_project(entry->type, from, to, arena, value, &options, NULL);
    }
    if (status == MCPW_OK) {
        status = drop_foreign(server, family, to, value, arena) ? mcpw_encode(to, value, &text, NULL, NULL)
                                                                : MCPW_E_MEMORY;
    }
    *out = mcpw_buffer_take(&text);
    return status;
}

/* An entry as a peer sees it whose revision's type stands at that place. Empty: it cannot be said there. */
static mcpw_status view(mcpw_server *server, mcpw_family family, mcpw_entry *entry, const mcpw_type *type,
                        size_t place, mcpw_arena *arena, mcpw_json *out) {
    static const mcpw_json nothing = {"", 0, 0};
    mcpw_json *const cached = entry->views + place;
    if (cached->ptr == NULL) {
        mcpw_json text;
        mcpw_str kept;
        mcpw_status status = project(server, entry, family, type, arena, &text);
        if (status == MCPW_E_MEMORY || status == MCPW_E_ARENA) {
            return status;
        }
        if (status != MCPW_OK) {
            *cached = nothing;
        } else {
            status = mcpw_server_keep(server, text.ptr, text.len, &kept);
            if (status != MCPW_OK) {
                return status;
            }
            cached->ptr = kept.ptr;
            cached->len = kept.len;
        }
    }
    *out = *cached;
    return MCPW_OK;
}

static size_t place_of(const mcpw_server *server, const mcpw_revision *revision) {
    const mcpw_revision *const *const revisions = server->base.library.revisions;
    size_t i = 0;
    while (i < revision_count(server) && revisions[i] != revision) {
        i++;
    }
    return i;
}

/* ---- Lists --------------------------------------------------------------------------------------------- */

/* A cursor is the base64 of the family and of the number of the last entry that was listed. So no entry
 * appears twice or is left out because others come and go between two pages. */
enum { CURSOR_SIZE = 9, CURSOR_BITS = 8 };

static mcpw_str cursor_text(mcpw_arena *arena, mcpw_family family, uint64_t number) {
    unsigned char bytes[CURSOR_SIZE] = {(unsigned char)family};
    for (int i = CURSOR_SIZE - 1; i > 0; i--, number >>= CURSOR_BITS) {
        bytes[i] = (unsigned char)number;
    }
    return mcpw_base64_encode(arena, bytes, sizeof bytes);
}

static bool read_cursor(const mcpw_registry *r, mcpw_family family, mcpw_str cursor, mcpw_arena *arena,
                        uint64_t *number) {
    mcpw_str bytes;
    *number = 0;
    if (mcpw_base64_decode(arena, cursor, &bytes) != MCPW_OK || bytes.len != CURSOR_SIZE ||
        (unsigned char)bytes.ptr[0] != family) {
        return false;
    }
    for (int i = 1; i < CURSOR_SIZE; i++) {
        *number = *number << CURSOR_BITS | (unsigned char)bytes.ptr[i];
    }
    return *number != 0 && *number <= r->last_number;
}

/* The entries of a page. All have their view in the peer's revision. */
typedef struct page {
    mcpw_entry *const *entries;
    size_t count;
    size_t place;  /* the place of the peer's revision among the views */
    size_t size;   /* about the bytes that they take */
    uint64_t last; /* the number of the last one when there are more; else 0 */
} page;

/* Makes the page of entries from that index on. An entry that was not asked for in this revision yet is
 * projected. Its memory is given back at once, so that a long list needs no more memory than a short one. */
static mcpw_status make_page(mcpw_server *server, mcpw_family family, mcpw_request *request, size_t index,
                             page *page) {
    const mcpw_registry *const r = server->registries + family;
    const mcpw_revision *const revision = mcpw_request_revision(request);
    const mcpw_type *const type = mcpw_revision_type(revision, names[family].type);
    mcpw_arena *const arena = mcpw_request_arena(request);
    const mcpw_mark before = mcpw_arena_mark(arena);
    uint64_t number = 0;
    size_t told = 0;
    page->place = place_of(server, revision);
    page->entries = r->entries + index;
    if (type == NULL || page->place == revision_count(server)) {
        return MCPW_OK;
    }
    for (; index < r->count; index++) {
        mcpw_entry *const entry = r->entries[index];
        mcpw_json definition = {NULL, 0, 0};
        const mcpw_status status = view(server, family, entry, type, page->place, arena, &definition);
        mcpw_arena_rewind(arena, before);
        if (status != MCPW_OK) {
            return status;
        }
        if (definition.len != 0 && told != 0 && told == server->base.config.page_size) {
            page->last = number;
            return MCPW_OK;
        }
        if (definition.len != 0) {
            number = entry->number;
            page->size += definition.len + 1;
            told++;
        }
        page->count++;
    }
    return MCPW_OK;
}

mcpw_status mcpw_registry_list(mcpw_server *server, mcpw_family family, mcpw_request *request) {
    const mcpw_registry *const r = server->registries + family;
    mcpw_arena *const arena = mcpw_request_arena(request);
    const mcpw_str cursor = mcpw_field_str(mcpw_request_field(request, "cursor"));
    page page = {0};
    uint64_t number = 0;
    if (cursor.ptr != NULL && !read_cursor(r, family, cursor, arena, &number)) {
        mcpw_error error;
        mcpw_error_set(&error, MCPW_E_VALUE, 0, "the cursor does not belong to this list");
        return mcpw_request_refuse(request, "/cursor", &error);
    }
    const mcpw_status status = make_page(server, family, request, place_after(r, number), &page);
    const mcpw_str next = status == MCPW_OK && page.last != 0 ? cursor_text(arena, family, page.last) : none;
    if (status != MCPW_OK || (page.last != 0 && next.ptr == NULL)) {
        return status != MCPW_OK ? status : MCPW_E_MEMORY;
    }
    mcpw_written a;
    mcpw_written_begin(&a, request, names[family].result, page.size);
    mcpw_text_key(&a.text, names[family].list);
    mcpw_text_array(&a.text);
    for (size_t i = 0; i < page.count; i++) {
        const mcpw_json definition = page.entries[i]->views[page.place];
        if (definition.len != 0) { /* an empty one cannot be said there */
            mcpw_text_json(&a.text, definition);
        }
    }
    mcpw_text_array_end(&a.text);
    if (next.ptr != NULL) {
        mcpw_text_member(&a.text, "nextCursor", next);
    }
    return mcpw_written_end(&a);
}
