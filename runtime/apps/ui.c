/* SPDX-License-Identifier: MIT */
/* The member `ui` in the _meta of tools and pages. */
#include "apps_internal.h"

#include <mcpw/error.h>

static const char ui_name[] = "ui";
static const char uri_name[] = "resourceUri";
static const char old_uri_name[] = "ui/resourceUri"; /* deprecated: a member of _meta itself */
static const char csp_name[] = "csp";
static const char permissions_name[] = "permissions";
static const char visibility_name[] = "visibility";
static const char domain_name[] = "domain";
static const char border_name[] = "prefersBorder";

const mcpw_domain_list mcpw_domain_lists[MCPW_DOMAIN_LISTS] = {
    {"connect_domains", "connectDomains", offsetof(mcpw_page_ui, connect_domains)},
    {"resource_domains", "resourceDomains", offsetof(mcpw_page_ui, resource_domains)},
    {"frame_domains", "frameDomains", offsetof(mcpw_page_ui, frame_domains)},
    {"base_uri_domains", "baseUriDomains", offsetof(mcpw_page_ui, base_uri_domains)}};

/* The names of bits. */
typedef struct bit_name {
    unsigned bit;
    const char *name;
} bit_name;

static const bit_name permissions[] = {{MCPW_PAGE_CAMERA, "camera"},
                                       {MCPW_PAGE_MICROPHONE, "microphone"},
                                       {MCPW_PAGE_GEOLOCATION, "geolocation"},
                                       {MCPW_PAGE_CLIPBOARD_WRITE, "clipboardWrite"}};
static const bit_name callers[] = {{MCPW_VISIBLE_TO_MODEL, "model"}, {MCPW_VISIBLE_TO_APP, "app"}};

enum { PERMISSIONS = sizeof permissions / sizeof *permissions, CALLERS = sizeof callers / sizeof *callers };

bool mcpw_is_page_uri(mcpw_str uri) {
    const size_t len = sizeof MCPW_UI_SCHEME - 1;
    return uri.len > len && memcmp(uri.ptr, MCPW_UI_SCHEME, len) == 0;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

/* Whether a domain is one word: its form is the host's. */
static bool is_word(const char *text) {
    for (size_t i = 0; text[i] != '\0'; i++) {
        if ((unsigned char)text[i] <= ' ') {
            return false;
        }
    }
    return text[0] != '\0';
}

static mcpw_status wrong(mcpw_error *error, mcpw_status status, const char *member, const char *why) {
    mcpw_error_set(error, status, 0, "%s", why);
    mcpw_error_prepend_key(error, member, strlen(member));
    return status;
}

mcpw_status mcpw_page_ui_check(const mcpw_page_ui *ui, mcpw_error *error) {
    unsigned known = 0;
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < MCPW_DOMAIN_LISTS; i++) {
        status = mcpw_check_origins(mcpw_domains_of(ui, i), mcpw_domain_lists[i].member, error);
    }
    for (size_t i = 0; i < PERMISSIONS; i++) {
        known |= permissions[i].bit;
    }
    if (status == MCPW_OK && (ui->permissions & ~known) != 0) {
        return wrong(error, MCPW_E_ARGUMENT, permissions_name, "it has an unknown bit");
    }
    if (status == MCPW_OK && ui->domain != NULL && !is_word(ui->domain)) {
        return wrong(error, MCPW_E_FORMAT, domain_name, "expected a domain, without blanks");
    }
    return status;
}

static void write_text(mcpw_json_writer *w, const char *text) {
    mcpw_json_write_string(w, text, strlen(text));
}

static void write_origins(mcpw_json_writer *w, const char *name, const char *list) {
    mcpw_str rest = mcpw_str_from(list);
    mcpw_str word;
    mcpw_json_write_key(w, name);
    mcpw_json_write_array(w);
    while (mcpw_next_origin(&rest, &word)) {
        mcpw_json_write_string(w, word.ptr, word.len);
    }
    mcpw_json_write_close(w);
}

static void write_permissions(mcpw_json_writer *w, unsigned asked) {
    mcpw_json_write_key(w, permissions_name);
    mcpw_json_write_object(w);
    for (size_t i = 0; i < PERMISSIONS; i++) {
        if ((asked & permissions[i].bit) != 0) {
            mcpw_json_write_key(w, permissions[i].name);
            mcpw_json_write_object(w);
            mcpw_json_write_close(w);
        }
    }
    mcpw_json_write_close(w);
}

void mcpw_page_ui_write(mcpw_json_writer *w, const mcpw_page_ui *ui) {
    bool has_lists = false;
    mcpw_json_write_object(w);
    for (size_t i = 0; i < MCPW_DOMAIN_LISTS; i++) {
        const char *const list = mcpw_domains_of(ui, i);
        if (list == NULL) {
            continue;
        }
        if (!has_lists) {
            mcpw_json_write_key(w, csp_name);
            mcpw_json_write_object(w);
            has_lists = true;
        }
        write_origins(w, mcpw_domain_lists[i].name, list);
    }
    if (has_lists) {
        mcpw_json_write_close(w);
    }
    if (ui->permissions != 0) {
        write_permissions(w, ui->permissions);
    }
    if (ui->domain != NULL) {
        mcpw_json_write_key(w, domain_name);
        write_text(w, ui->domain);
    }
    if (ui->prefers_border != MCPW_DEFAULT) {
        mcpw_json_write_key(w, border_name);
        mcpw_json_write_bool(w, ui->prefers_border == MCPW_ON);
    }
    mcpw_json_write_close(w);
}

void mcpw_tool_ui_write(mcpw_json_writer *w, const mcpw_tool_ui *ui) {
    mcpw_json_write_object(w);
    if (ui->resource_uri != NULL) {
        mcpw_json_write_key(w, uri_name);
        write_text(w, ui->resource_uri);
    }
    if (ui->visibility != 0) {
        mcpw_json_write_key(w, visibility_name);
        mcpw_json_write_array(w);
        for (size_t i = 0; i < CALLERS; i++) {
            if ((ui->visibility & callers[i].bit) != 0) {
                write_text(w, callers[i].name);
            }
        }
        mcpw_json_write_close(w);
    }
    mcpw_json_write_close(w);
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

/* A `ui` that is read. The place of a fault is made from the inside out. */
typedef struct reader {
    mcpw_arena *arena;
    mcpw_error *error;
} reader;

static mcpw_status fail(const reader *r, mcpw_status status, const char *why) {
    return mcpw_error_set(r->error, status, 0, "%s", why);
}

/* Puts the name of a member before the place of a fault. */
static mcpw_status in(const reader *r, const char *member, mcpw_status status) {
    if (status != MCPW_OK) {
        mcpw_error_prepend_key(r->error, member, strlen(member));
    }
    return status;
}

static mcpw_status no_memory(const reader *r) {
    return fail(r, MCPW_E_MEMORY, mcpw_status_text(MCPW_E_MEMORY));
}

/* Reads a string as a text with a NUL after it, which contains no other one. */
static mcpw_status read_string(const reader *r, mcpw_json value, const char **out) {
    mcpw_str text;
    const mcpw_status status = mcpw_json_string(value, r->arena, &text);
    if (status == MCPW_E_TYPE) {
        return fail(r, status, "expected string");
    }
    if (status != MCPW_OK) {
        return fail(r, status, mcpw_status_text(status));
    }
    if (memchr(text.ptr, '\0', text.len) != NULL) {
        return fail(r, MCPW_E_FORMAT, "the text contains a NUL");
    }
    *out = mcpw_arena_str(r->arena, text.ptr, text.len).ptr;
    return *out != NULL ? MCPW_OK : no_memory(r);
}

/* A member of an object; absent: it has none, or it is absent itself. */
static mcpw_status read_member(const reader *r, mcpw_json object, const char *name, mcpw_json *out) {
    mcpw_status status = MCPW_E_NOT_FOUND;
    *out = (mcpw_json){NULL, 0, 0};
    if (object.ptr != NULL) {
        status = mcpw_json_get(object, name, out);
    }
    if (status == MCPW_E_NOT_FOUND) {
        *out = (mcpw_json){NULL, 0, 0};
        return MCPW_OK;
    }
    return status == MCPW_OK
               ? MCPW_OK
               : fail(r, status, status == MCPW_E_TYPE ? "expected object" : mcpw_status_text(status));
}

static mcpw_status end_reading(const reader *r, mcpw_status status) {
    return status == MCPW_E_NOT_FOUND ? fail(r, status, "there is no ui") : status;
}

static mcpw_status begin_array(const reader *r, mcpw_json value, mcpw_json_iter *it) {
    return mcpw_json_iterate(value, it) == MCPW_OK && it->kind == MCPW_JSON_ARRAY
               ? MCPW_OK
               : fail(r, MCPW_E_TYPE, "expected array");
}

/* Reads an array of origins as a list with blanks between them. */
static mcpw_status read_origins(const reader *r, mcpw_json value, const char **out) {
    mcpw_buffer text = mcpw_buffer_in(r->arena);
    mcpw_status written = MCPW_OK;
    mcpw_json_iter it;
    mcpw_json item;
    mcpw_status status = begin_array(r, value, &it);
    for (size_t i = 0; status == MCPW_OK && mcpw_json_next(&it, NULL, &item); i++) {
        const char *origin = "";
        status = read_string(r, item, &origin);
        if (status == MCPW_OK && !mcpw_is_origin(mcpw_str_from(origin))) {
            char excerpt[MCPW_EXCERPT_SIZE];
            status = mcpw_error_set(r->error, MCPW_E_FORMAT, 0,
                                    "\"%s\" is no origin such as https://api.example.com",
                                    mcpw_excerpt(excerpt, origin, strlen(origin)));
        }
        if (status != MCPW_OK) {
            mcpw_error_prepend_index(r->error, i);
            return status;
        }
        written = written == MCPW_OK ? mcpw_buffer_append(&text, " ", i != 0 ? 1 : 0) : written;
        written = written == MCPW_OK ? mcpw_buffer_append(&text, origin, strlen(origin)) : written;
    }
    if (status != MCPW_OK || (written == MCPW_OK && text.len == 0)) {
        return status;
    }
    *out = mcpw_apps_end_text(&text, written).ptr;
    return *out != NULL ? MCPW_OK : no_memory(r);
}

static mcpw_status read_csp(const reader *r, mcpw_json csp, mcpw_page_ui *ui) {
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < MCPW_DOMAIN_LISTS; i++) {
        const mcpw_domain_list *const list = mcpw_domain_lists + i;
        mcpw_json value;
        status = read_member(r, csp, list->name, &value);
        if (status == MCPW_OK && value.ptr != NULL) {
            char *const at = (char *)ui + list->offset;
            status = in(r, list->name, read_origins(r, value, (const char **)(void *)at));
        }
    }
    return status;
}

static mcpw_status read_permissions(const reader *r, mcpw_json object, mcpw_page_ui *ui) {
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < PERMISSIONS; i++) {
        mcpw_json value;
        status = read_member(r, object, permissions[i].name, &value);
        if (status == MCPW_OK && value.ptr != NULL) {
            status = mcpw_json_kind_of(value) == MCPW_JSON_OBJECT
                         ? MCPW_OK
                         : in(r, permissions[i].name, fail(r, MCPW_E_TYPE, "expected object"));
            ui->permissions |= permissions[i].bit;
        }
    }
    return status;
}

static mcpw_status read_page(const reader *r, mcpw_json object, mcpw_page_ui *ui) {
    mcpw_json csp;
    mcpw_json asked;
    mcpw_json domain;
    mcpw_json border;
    mcpw_status status = read_member(r, object, csp_name, &csp);
    status = status == MCPW_OK ? in(r, csp_name, read_csp(r, csp, ui)) : status;
    status = status == MCPW_OK ? read_member(r, object, permissions_name, &asked) : status;
    status = status == MCPW_OK ? in(r, permissions_name, read_permissions(r, asked, ui)) : status;
    status = status == MCPW_OK ? read_member(r, object, domain_name, &domain) : status;
    if (status == MCPW_OK && domain.ptr != NULL) {
        status = read_string(r, domain, &ui->domain);
        if (status == MCPW_OK && !is_word(ui->domain)) {
            status = fail(r, MCPW_E_FORMAT, "expected a domain, without blanks");
        }
        status = in(r, domain_name, status);
    }
    status = status == MCPW_OK ? read_member(r, object, border_name, &border) : status;
    if (status == MCPW_OK && border.ptr != NULL) {
        bool wanted = false;
        status = mcpw_json_bool(border, &wanted) == MCPW_OK
                     ? MCPW_OK
                     : in(r, border_name, fail(r, MCPW_E_TYPE, "expected boolean"));
        ui->prefers_border = wanted ? MCPW_ON : MCPW_OFF;
    }
    return status;
}

static mcpw_status read_visibility(const reader *r, mcpw_json value, unsigned *out) {
    mcpw_json_iter it;
    mcpw_json item;
    mcpw_status status = begin_array(r, value, &it);
    unsigned bits = 0;
    for (size_t i = 0; status == MCPW_OK && mcpw_json_next(&it, NULL, &item); i++) {
        const char *name = "";
        unsigned bit = 0;
        status = read_string(r, item, &name);
        for (size_t k = 0; status == MCPW_OK && k < CALLERS; k++) {
            bit |= strcmp(name, callers[k].name) == 0 ? callers[k].bit : 0;
        }
        if (status == MCPW_OK && bit == 0) {
            status = fail(r, MCPW_E_VALUE, "expected \"model\" or \"app\"");
        }
        if (status != MCPW_OK) {
            mcpw_error_prepend_index(r->error, i);
        }
        bits |= bit;
    }
    *out = bits;
    return status == MCPW_OK && bits == 0 ? fail(r, MCPW_E_VALUE, "expected \"model\" or \"app\"") : status;
}

static mcpw_status read_uri(const reader *r, mcpw_json value, const char **out) {
    const mcpw_status status = read_string(r, value, out);
    return status != MCPW_OK || mcpw_is_page_uri(mcpw_str_from(*out))
               ? status
               : fail(r, MCPW_E_FORMAT, "the URI of a page begins with \"" MCPW_UI_SCHEME "\"");
}

static mcpw_status read_tool(const reader *r, mcpw_json object, mcpw_tool_ui *ui) {
    mcpw_json uri;
    mcpw_json visibility;
    mcpw_status status = read_member(r, object, uri_name, &uri);
    if (status == MCPW_OK && uri.ptr != NULL) {
        status = in(r, uri_name, read_uri(r, uri, &ui->resource_uri));
    }
    status = status == MCPW_OK ? read_member(r, object, visibility_name, &visibility) : status;
    return status == MCPW_OK && visibility.ptr != NULL
               ? in(r, visibility_name, read_visibility(r, visibility, &ui->visibility))
               : status;
}

/* Finds the `ui` of a _meta. MCPW_E_NOT_FOUND, and no error: there is none. */
static mcpw_status find_ui(const reader *r, mcpw_json meta, mcpw_json *out) {
    mcpw_status status = meta.ptr != NULL ? mcpw_json_check(meta, 0, r->error) : MCPW_OK;
    status = status == MCPW_OK ? read_member(r, meta, ui_name, out) : status;
    if (status == MCPW_OK && out->ptr == NULL) {
        return MCPW_E_NOT_FOUND;
    }
    return status == MCPW_OK && mcpw_json_kind_of(*out) != MCPW_JSON_OBJECT
               ? in(r, ui_name, fail(r, MCPW_E_TYPE, "expected object"))
               : status;
}

mcpw_status mcpw_tool_ui_read(mcpw_json meta, mcpw_arena *arena, mcpw_tool_ui *out, mcpw_error *error) {
    const reader r = {arena, error};
    mcpw_tool_ui ui = {.struct_size = sizeof ui, .visibility = MCPW_VISIBLE_TO_MODEL | MCPW_VISIBLE_TO_APP};
    mcpw_json object;
    if (arena == NULL || out == NULL || !MCPW_HAS_ALL(out, visibility)) {
        return fail(&r, MCPW_E_ARGUMENT, "arena or out is NULL, or the struct_size of out is wrong");
    }
    mcpw_status status = find_ui(&r, meta, &object);
    if (status == MCPW_OK) {
        status = in(&r, ui_name, read_tool(&r, object, &ui));
    }
    if ((status == MCPW_OK && ui.resource_uri == NULL) || status == MCPW_E_NOT_FOUND) {
        mcpw_json old;
        const mcpw_status found = read_member(&r, meta, old_uri_name, &old);
        if (found == MCPW_OK && old.ptr != NULL) {
            status = in(&r, old_uri_name, read_uri(&r, old, &ui.resource_uri));
        }
    }
    if (status == MCPW_OK) {
        *out = ui;
    }
    return end_reading(&r, status);
}

mcpw_status mcpw_page_ui_read(mcpw_json meta, mcpw_arena *arena, mcpw_page_ui *out, mcpw_error *error) {
    const reader r = {arena, error};
    mcpw_page_ui ui = MCPW_SIZED(mcpw_page_ui);
    mcpw_json object;
    if (arena == NULL || out == NULL || !MCPW_HAS_ALL(out, prefers_border)) {
        return fail(&r, MCPW_E_ARGUMENT, "arena or out is NULL, or the struct_size of out is wrong");
    }
    mcpw_status status = find_ui(&r, meta, &object);
    status = status == MCPW_OK ? in(&r, ui_name, read_page(&r, object, &ui)) : status;
    if (status == MCPW_OK) {
        *out = ui;
    }
    return end_reading(&r, status);
}
