/* SPDX-License-Identifier: MIT */
/* The apps extension at both ends, and the tools that have pages. */
#include "apps_internal.h"

#include <limits.h>

const char mcpw_apps_tag[] = MCPW_APPS_EXTENSION;

static const char meta_name[] = "_meta";
static const char types_name[] = "mimeTypes";

/* ---- Settings of clients ------------------------------------------------------------------------------- */

/* Finds the fault in the settings that a client declares; NULL: there is none. `takes`: whether they have the
 * type of pages. */
static const char *read_settings(mcpw_json settings, mcpw_arena *arena, bool *takes) {
    mcpw_json types;
    mcpw_json_iter it;
    mcpw_json item;
    *takes = false;
    if (mcpw_json_kind_of(settings) != MCPW_JSON_OBJECT) {
        return MCPW_APPS_EXTENSION ": expected object";
    }
    if (mcpw_json_get(settings, types_name, &types) != MCPW_OK) {
        return NULL;
    }
    if (mcpw_json_iterate(types, &it) != MCPW_OK || it.kind != MCPW_JSON_ARRAY) {
        return MCPW_APPS_EXTENSION ": /mimeTypes: expected array";
    }
    while (mcpw_json_next(&it, NULL, &item)) {
        mcpw_str type;
        if (mcpw_json_kind_of(item) != MCPW_JSON_STRING) {
            return MCPW_APPS_EXTENSION ": /mimeTypes: expected strings";
        }
        *takes = *takes ||
                 (mcpw_json_string(item, arena, &type) == MCPW_OK && mcpw_str_is(type, MCPW_PAGE_MIME_TYPE));
    }
    return NULL;
}

bool mcpw_request_takes_pages(mcpw_request *request) {
    const mcpw_json settings = mcpw_request_settings(request, MCPW_APPS_EXTENSION);
    bool takes = false;
    return settings.ptr != NULL && read_settings(settings, mcpw_request_arena(request), &takes) == NULL &&
           takes;
}

/* Refuses a request with malformed settings. */
static mcpw_status check_settings(mcpw_passage *passage, void *user) {
    static const mcpw_json nothing = {NULL, 0, 0};
    const mcpw_json settings = mcpw_request_settings(mcpw_passage_request(passage), MCPW_APPS_EXTENSION);
    bool takes = false;
    const char *const fault =
        settings.ptr != NULL ? read_settings(settings, mcpw_passage_arena(passage), &takes) : NULL;
    (void)user;
    return fault == NULL ? MCPW_OK : mcpw_passage_set_error(passage, MCPW_RPC_INVALID_PARAMS, fault, nothing);
}

/* ---- Tools with pages ---------------------------------------------------------------------------------- */

/* The length of a text, for messages. */
static int length(mcpw_str text) { return text.len < INT_MAX ? (int)text.len : INT_MAX; }

/* Whether a tool can show a page: there is a resource of this URI, whose type is that of pages if it has
 * one. */
static mcpw_status check_resource(const mcpw_server *server, mcpw_str tool, mcpw_str uri, mcpw_arena *scratch,
                                  mcpw_error *error) {
    mcpw_json definition;
    mcpw_str type;
    const mcpw_status status = mcpw_server_find_resource(server, uri, scratch, &definition);
    if (status == MCPW_E_NOT_FOUND) {
        return mcpw_error_set(error, status, 0, "tool %.*s: there is no resource %.*s for its page",
                              length(tool), tool.ptr, length(uri), uri.ptr);
    }
    if (status != MCPW_OK) {
        return mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
    }
    if (mcpw_json_get_string(definition, "mimeType", scratch, &type) == MCPW_OK &&
        !mcpw_str_is(type, MCPW_PAGE_MIME_TYPE)) {
        return mcpw_error_set(error, MCPW_E_VALUE, 0, "tool %.*s: its page %.*s has not the type %s",
                              length(tool), tool.ptr, length(uri), uri.ptr, MCPW_PAGE_MIME_TYPE);
    }
    return MCPW_OK;
}

/* Checks the `ui` in the _meta of a tool's definition, or of its `more`. */
static mcpw_status check_meta(const mcpw_server *server, mcpw_str name, mcpw_json definition,
                              mcpw_arena *scratch, mcpw_error *error) {
    mcpw_tool_ui ui = {0};
    mcpw_error why;
    mcpw_json meta;
    if (mcpw_json_get(definition, meta_name, &meta) != MCPW_OK) {
        return MCPW_OK;
    }
    const mcpw_status status = mcpw_tool_ui_read(meta, scratch, &ui, &why);
    if (status == MCPW_OK) {
        return ui.resource_uri != NULL
                   ? check_resource(server, name, mcpw_str_from(ui.resource_uri), scratch, error)
                   : MCPW_OK;
    }
    return status == MCPW_E_NOT_FOUND ? MCPW_OK
                                      : mcpw_error_set(error, status, 0, "tool %.*s: /_meta%s: %s",
                                                       length(name), name.ptr, why.path, why.message);
}

static mcpw_status check_tool(const mcpw_server *server, mcpw_json tool, mcpw_arena *scratch,
                              mcpw_error *error) {
    mcpw_str name;
    const mcpw_status status = mcpw_json_get_string(tool, "name", scratch, &name);
    return status == MCPW_OK ? check_meta(server, name, tool, scratch, error)
                             : mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
}

/* Checks all tools before the server serves. */
static bool are_pages_there(void *user, mcpw_json capabilities, mcpw_error *why) {
    mcpw_apps *const apps = user;
    mcpw_arena scratch = MCPW_ARENA_INIT;
    mcpw_status status = MCPW_OK;
    mcpw_json tool = mcpw_server_tool_at(apps->server, 0);
    scratch.allocator = *mcpw_server_allocator(apps->server);
    (void)capabilities;
    for (size_t i = 1; status == MCPW_OK && tool.ptr != NULL; i++) {
        status = check_tool(apps->server, tool, &scratch, why);
        mcpw_arena_reset(&scratch);
        tool = mcpw_server_tool_at(apps->server, i);
    }
    mcpw_arena_free(&scratch);
    apps->checks_tools = apps->checks_tools || status == MCPW_OK;
    return status == MCPW_OK;
}

/* Finds the fault of a tool's `ui`; NULL: there is none. */
static const char *fault_of(const mcpw_tool_ui *ui) {
    const unsigned known = MCPW_VISIBLE_TO_MODEL | MCPW_VISIBLE_TO_APP;
    if (ui->resource_uri == NULL && ui->visibility == 0) {
        return "it has neither resource_uri nor visibility";
    }
    if (ui->resource_uri != NULL && !mcpw_is_page_uri(mcpw_str_from(ui->resource_uri))) {
        return "the URI of a page begins with \"" MCPW_UI_SCHEME "\"";
    }
    return (ui->visibility & ~known) != 0 ? "visibility has an unknown bit" : NULL;
}

static mcpw_status refuse(mcpw_error *error, mcpw_status status, const char *member, const char *why) {
    mcpw_error_set(error, status, 0, "%s", why);
    mcpw_error_prepend_key(error, member, strlen(member));
    return status;
}

/* A member that is added to an object. */
typedef struct member {
    const char *name;
    const mcpw_tool_ui *ui; /* its value; NULL: it is json */
    mcpw_json json;
} member;

/* Makes an object of the members of another one and of one more, which replaces that of its name. */
static mcpw_status with_member(mcpw_arena *arena, mcpw_json object, const member *m, mcpw_json *out) {
    const char *const but[] = {m->name, NULL};
    mcpw_buffer text = mcpw_buffer_in(arena);
    mcpw_json_writer w;
    mcpw_json value;
    mcpw_status status = mcpw_buffer_append(&text, "{", 1);
    status = status == MCPW_OK ? mcpw_json_append_members(&text, object, but) : status;
    status = status == MCPW_OK && text.len > 1 ? mcpw_buffer_append(&text, ",", 1) : status;
    status = status == MCPW_OK ? mcpw_json_append_string(&text, mcpw_str_from(m->name)) : status;
    status = status == MCPW_OK ? mcpw_buffer_append(&text, ":", 1) : status;
    if (status == MCPW_OK) {
        mcpw_json_write_into(&w, &text);
        if (m->ui != NULL) {
            mcpw_tool_ui_write(&w, m->ui);
        } else {
            mcpw_json_write_raw(&w, m->json);
        }
        status = mcpw_json_write_end(&w, &value);
    }
    status = status == MCPW_OK ? mcpw_buffer_append(&text, "}", 1) : status;
    *out = mcpw_buffer_take(&text);
    return status;
}

/* Puts the `ui` of a tool into the _meta of its other members. */
static mcpw_status add_ui(mcpw_arena *arena, const mcpw_tool_ui *ui, mcpw_json *more, mcpw_error *error) {
    const member inner = {.name = "ui", .ui = ui};
    member outer = {.name = meta_name};
    mcpw_json meta = {NULL, 0, 0};
    mcpw_json found;
    if (more->ptr != NULL && mcpw_json_get(*more, meta_name, &meta) != MCPW_OK) {
        meta.ptr = NULL;
    }
    if (meta.ptr != NULL && mcpw_json_kind_of(meta) != MCPW_JSON_OBJECT) {
        return refuse(error, MCPW_E_TYPE, "more", "its _meta is no object");
    }
    if (meta.ptr != NULL && mcpw_json_get(meta, inner.name, &found) == MCPW_OK) {
        return refuse(error, MCPW_E_DUPLICATE, "more", "its _meta has a ui, and the tool has one");
    }
    mcpw_status status = with_member(arena, meta, &inner, &outer.json);
    status = status == MCPW_OK ? with_member(arena, *more, &outer, more) : status;
    return status == MCPW_OK ? MCPW_OK : refuse(error, status, inner.name, mcpw_status_text(status));
}

/* Checks the `ui` that a tool without the member `ui` has in its `more`. */
static mcpw_status check_more(const mcpw_apps *apps, const mcpw_tool *tool, mcpw_arena *arena, mcpw_json more,
                              mcpw_error *error) {
    mcpw_error why;
    const mcpw_str name = mcpw_str_from(tool->name != NULL ? tool->name : "");
    const mcpw_status status = check_meta(apps->server, name, more, arena, &why);
    return status == MCPW_OK ? MCPW_OK : refuse(error, status, "more", why.message);
}

static mcpw_status adding_tool(void *user, const mcpw_tool *tool, mcpw_arena *arena, mcpw_json *more,
                               mcpw_error *error) {
    const mcpw_apps *const apps = user;
    mcpw_tool_ui ui = {0};
    mcpw_error why;
    if (tool->ui == NULL) {
        return apps->checks_tools ? check_more(apps, tool, arena, *more, error) : MCPW_OK;
    }
    const char *const fault =
        MCPW_TAKE(&ui, visibility, tool->ui) ? fault_of(&ui) : "its struct_size is wrong";
    if (fault != NULL) {
        return refuse(error, MCPW_E_ARGUMENT, "ui", fault);
    }
    if (more->ptr != NULL &&
        (mcpw_json_check(*more, 0, &why) != MCPW_OK || mcpw_json_kind_of(*more) != MCPW_JSON_OBJECT)) {
        return refuse(error, MCPW_E_TYPE, "more", "expected object");
    }
    if (apps->checks_tools && ui.resource_uri != NULL) {
        const mcpw_status status =
            check_resource(apps->server, mcpw_str_from(tool->name != NULL ? tool->name : ""),
                           mcpw_str_from(ui.resource_uri), arena, &why);
        if (status != MCPW_OK) {
            return refuse(error, status, "ui", why.message);
        }
    }
    return add_ui(arena, &ui, more, error);
}

/* ---- Both ends ----------------------------------------------------------------------------------------- */

static void free_apps(void *user) {
    mcpw_apps *const apps = user;
    const mcpw_allocator allocator = apps->memory.allocator;
    mcpw_arena_free(&apps->memory);
    (void)mcpw_resize(&allocator, apps, sizeof *apps, 0);
}

static mcpw_status no_memory(mcpw_error *error) {
    return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
}

mcpw_status mcpw_server_add_apps(mcpw_server *server, mcpw_error *error) {
    const mcpw_middleware middleware = {.name = MCPW_APPS_EXTENSION, .before = check_settings};
    mcpw_extension extension = MCPW_EXTENSION_INIT;
    if (server == NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the server is NULL");
    }
    const mcpw_allocator *const allocator = mcpw_server_allocator(server);
    mcpw_apps *const apps = mcpw_resize(allocator, NULL, 0, sizeof *apps);
    if (apps == NULL) {
        return no_memory(error);
    }
    *apps = (mcpw_apps){.server = server, .memory = MCPW_ARENA_INIT};
    apps->memory.allocator = *allocator;
    apps->memory.limit = SIZE_MAX;
    extension.id = MCPW_APPS_EXTENSION;
    extension.is_met = are_pages_there;
    extension.user = apps;
    extension.middleware = &middleware;
    extension.middleware_count = 1;
    extension.adding_tool = adding_tool;
    extension.freed = free_apps;
    extension.tag = mcpw_apps_tag;
    const mcpw_status status = mcpw_server_add_extension(server, &extension, error);
    if (status != MCPW_OK) {
        free_apps(apps);
    }
    return status;
}

/* Writes the settings of a host: the type of pages. */
static mcpw_status write_settings(mcpw_buffer *text, mcpw_json *out) {
    mcpw_json_writer w;
    mcpw_json_write_into(&w, text);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, types_name);
    mcpw_json_write_array(&w);
    mcpw_json_write_string(&w, MCPW_PAGE_MIME_TYPE, sizeof MCPW_PAGE_MIME_TYPE - 1);
    mcpw_json_write_close(&w);
    mcpw_json_write_close(&w);
    return mcpw_json_write_end(&w, out);
}

mcpw_status mcpw_client_add_apps(mcpw_session_config *config, mcpw_error *error) {
    mcpw_extension extension = MCPW_EXTENSION_INIT;
    mcpw_buffer text = MCPW_BUFFER_INIT;
    if (config != NULL) {
        text.allocator = config->allocator;
    }
    extension.id = MCPW_APPS_EXTENSION;
    mcpw_status status = write_settings(&text, &extension.settings);
    status = status == MCPW_OK ? mcpw_client_add_extension(config, &extension, error) : no_memory(error);
    mcpw_buffer_free(&text);
    return status;
}
