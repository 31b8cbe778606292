/* SPDX-License-Identifier: MIT */
/* Pages of a server: resources with HTML, whose reads are answered with their policy. */
#include "apps_internal.h"

static const char meta_name[] = "_meta";

/* ---- Content ------------------------------------------------------------------------------------------- */

static void write_member(mcpw_json_writer *w, const char *name, mcpw_str text) {
    mcpw_json_write_key(w, name);
    mcpw_json_write_string(w, text.ptr, text.len);
}

/* Makes the value of the member of a document: a text if it is UTF-8, else base64. */
static mcpw_status make_document(mcpw_str html, mcpw_arena *arena, const char **member, mcpw_json *out) {
    const mcpw_mark mark = mcpw_arena_mark(arena);
    mcpw_buffer text = mcpw_buffer_in(arena);
    mcpw_json_writer w;
    mcpw_json_write_into(&w, &text);
    mcpw_json_write_string(&w, html.ptr, html.len);
    mcpw_status status = mcpw_json_write_end(&w, out);
    *member = "text";
    if (status == MCPW_E_UTF8) {
        mcpw_arena_rewind(arena, mark);
        const mcpw_str blob = mcpw_base64_encode(arena, html.ptr, html.len);
        text = mcpw_buffer_in(arena);
        mcpw_json_write_into(&w, &text);
        mcpw_json_write_string(&w, blob.ptr, blob.len);
        status = blob.ptr != NULL ? mcpw_json_write_end(&w, out) : MCPW_E_MEMORY;
        *member = "blob";
    }
    (void)mcpw_buffer_take(&text);
    return status;
}

/* Whether contents have a _meta in the revision of a request. */
static bool has_meta(const mcpw_request *request) {
    const mcpw_type *const type = mcpw_revision_type(mcpw_request_revision(request), "TextResourceContents");
    return type != NULL && mcpw_type_has(type, meta_name);
}

static mcpw_status answer(mcpw_request *request, const char *member, mcpw_json content, mcpw_json meta) {
    mcpw_arena *const arena = mcpw_request_arena(request);
    mcpw_buffer out = mcpw_buffer_in(arena);
    mcpw_json_writer w;
    mcpw_json result;
    mcpw_str uri;
    mcpw_status status = mcpw_json_get_string(mcpw_request_params_text(request), "uri", arena, &uri);
    if (status != MCPW_OK) {
        return status;
    }
    mcpw_json_write_into(&w, &out);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "contents");
    mcpw_json_write_array(&w);
    mcpw_json_write_object(&w);
    write_member(&w, "uri", uri);
    write_member(&w, "mimeType", mcpw_str_from(MCPW_PAGE_MIME_TYPE));
    mcpw_json_write_key(&w, member);
    mcpw_json_write_raw(&w, content);
    if (meta.ptr != NULL && has_meta(request)) {
        mcpw_json_write_key(&w, meta_name);
        mcpw_json_write_raw(&w, meta);
    }
    mcpw_json_write_close(&w);
    mcpw_json_write_close(&w);
    mcpw_json_write_close(&w);
    status = mcpw_json_write_end(&w, &result);
    return status == MCPW_OK ? mcpw_respond_json(request, result, NULL) : status;
}

/* The page that a request reads; NULL: it reads none. */
static const mcpw_kept_page *page_of(const mcpw_request *request) {
    const mcpw_apps *const apps =
        mcpw_session_extension_user(mcpw_request_session(request), MCPW_APPS_EXTENSION, mcpw_apps_tag);
    const void *const user = mcpw_request_entry_user(request);
    const mcpw_kept_page *page = apps != NULL ? apps->pages : NULL;
    while (page != NULL && page != user) {
        page = page->next;
    }
    return page;
}

/* A response that is made on the session's thread, because pages are added there. */
typedef struct response {
    mcpw_request *request;
    mcpw_str html;
    mcpw_status status;
} response;

static void respond(void *argument) {
    response *const r = argument;
    const mcpw_kept_page *const page = page_of(r->request);
    const char *member = NULL;
    mcpw_json content;
    mcpw_error error;
    if (page == NULL || r->html.ptr == NULL) {
        mcpw_error_set(&error, MCPW_E_ARGUMENT, 0, "the request reads no page, or the document is absent");
        r->status = mcpw_request_unsendable(r->request, MCPW_E_ARGUMENT, &error);
        return;
    }
    r->status = make_document(r->html, mcpw_request_arena(r->request), &member, &content);
    r->status = r->status == MCPW_OK ? answer(r->request, member, content, page->meta) : r->status;
}

mcpw_status mcpw_respond_page(mcpw_request *request, mcpw_str html) {
    response r = {request, html, MCPW_OK};
    const mcpw_status status = mcpw_request_run_at_home(request, __func__, respond, &r);
    return status == MCPW_OK ? r.status : status;
}

static mcpw_status read_page(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    const mcpw_kept_page *const page = user;
    return page->read != NULL ? page->read(request, read, page->user)
                              : answer(request, page->member, page->content, page->meta);
}

/* ---- Adding -------------------------------------------------------------------------------------------- */

static mcpw_status no_memory(mcpw_error *error) {
    return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
}

/* Why a page cannot be added, beside its `ui`. */
static mcpw_status check_page(const mcpw_apps *apps, const mcpw_page *page, mcpw_error *error) {
    if (apps == NULL) {
        return mcpw_error_set(error, MCPW_E_STATE, 0, "mcpw_server_add_apps was not called");
    }
    if ((page->html.ptr == NULL) == (page->read == NULL)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "a page has either html or read");
    }
    if (page->uri != NULL && !mcpw_is_page_uri(mcpw_str_from(page->uri))) {
        mcpw_error_set(error, MCPW_E_FORMAT, 0, "the URI of a page begins with \"" MCPW_UI_SCHEME "\"");
        mcpw_error_prepend_key(error, "uri", strlen("uri"));
        return MCPW_E_FORMAT;
    }
    return MCPW_OK;
}

/* Makes the object whose only member is a value that was written, or the `ui` of a page. */
static mcpw_status make_object(mcpw_arena *arena, const char *name, mcpw_json value, const mcpw_page_ui *ui,
                               mcpw_json *out) {
    mcpw_buffer text = mcpw_buffer_in(arena);
    mcpw_json_writer w;
    mcpw_json_write_into(&w, &text);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, name);
    if (ui != NULL) {
        mcpw_page_ui_write(&w, ui);
    } else {
        mcpw_json_write_raw(&w, value);
    }
    mcpw_json_write_close(&w);
    const mcpw_status status = mcpw_json_write_end(&w, out);
    (void)mcpw_buffer_take(&text);
    return status;
}

/* Makes the texts of a page in the memory of all pages. */
static mcpw_status keep_texts(mcpw_apps *apps, const mcpw_page *page, const mcpw_page_ui *ui,
                              mcpw_kept_page *kept) {
    static const mcpw_json none = {NULL, 0, 0};
    mcpw_status status = MCPW_OK;
    if (page->html.ptr != NULL) {
        status = make_document(page->html, &apps->memory, &kept->member, &kept->content);
    }
    return status == MCPW_OK && ui != NULL ? make_object(&apps->memory, "ui", none, ui, &kept->meta) : status;
}

/* Registers the resource. Its entry in the list has the same _meta as its content. */
static mcpw_status add_resource(const mcpw_apps *apps, const mcpw_page *page, mcpw_kept_page *kept,
                                mcpw_error *error) {
    mcpw_arena scratch = MCPW_ARENA_INIT;
    mcpw_resource resource = {.uri = page->uri,
                              .name = page->name,
                              .title = page->title,
                              .description = page->description,
                              .mime_type = MCPW_PAGE_MIME_TYPE,
                              .read = read_page,
                              .user = kept,
                              .scopes = page->scopes};
    scratch.allocator = *mcpw_server_allocator(apps->server);
    mcpw_status status =
        kept->meta.ptr != NULL ? make_object(&scratch, meta_name, kept->meta, NULL, &resource.more) : MCPW_OK;
    status = status == MCPW_OK ? mcpw_server_add_resource(apps->server, &resource, error) : no_memory(error);
    mcpw_arena_free(&scratch);
    return status;
}

mcpw_status mcpw_server_add_page(mcpw_server *server, const mcpw_page *given, mcpw_error *error) {
    mcpw_page page = {0};
    mcpw_page_ui ui = MCPW_SIZED(mcpw_page_ui);
    if (server == NULL || given == NULL || !MCPW_TAKE(&page, scopes, given) ||
        !MCPW_TAKE(&ui, prefers_border, page.ui)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "server or page is NULL, or the struct_size of the page or its ui is wrong");
    }
    mcpw_apps *const apps = mcpw_server_extension_user(server, MCPW_APPS_EXTENSION, mcpw_apps_tag);
    mcpw_status status = check_page(apps, &page, error);
    status = status == MCPW_OK ? mcpw_page_ui_check(&ui, error) : status;
    if (status != MCPW_OK) {
        return status;
    }
    const mcpw_mark mark = mcpw_arena_mark(&apps->memory);
    mcpw_kept_page *const kept = mcpw_arena_alloc(&apps->memory, sizeof *kept);
    if (kept == NULL) {
        return no_memory(error);
    }
    *kept = (mcpw_kept_page){.next = apps->pages, .read = page.read, .user = page.user};
    status = keep_texts(apps, &page, page.ui != NULL ? &ui : NULL, kept);
    status = status == MCPW_OK ? add_resource(apps, &page, kept, error)
                               : mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
    if (status != MCPW_OK) {
        mcpw_arena_rewind(&apps->memory, mark);
        return status;
    }
    apps->pages = kept;
    return MCPW_OK;
}
