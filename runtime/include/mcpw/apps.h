/* SPDX-License-Identifier: MIT */
/*
 * The apps extension, io.modelcontextprotocol/ui: tools with a page that the host shows.
 *
 * A page is a resource with HTML. A host shows it in a sandbox beside a call of its tool, and passes messages
 * between the page and the server. The messages between a page and its host pass through no session.
 *
 *     static const char html[] = "<!doctype html>...";
 *     static const mcpw_page page = {.uri = "ui://moon", .name = "moon", .html = MCPW_STR(html)};
 *     static const mcpw_tool_ui ui = {.resource_uri = "ui://moon"};
 *     const mcpw_tool tool = {.name = "show_moon", .call = show_moon, .ui = &ui};
 *
 *     status = mcpw_server_add_apps(server, &error);
 *     status = mcpw_server_add_page(server, &page, &error);
 *     status = mcpw_server_add_tool(server, &tool, &error);
 *
 * Every result of such a tool needs content for hosts that show no pages. mcpw_request_takes_pages tells
 * whether a host shows them. (MCP extension "Apps"; SEP-1865.)
 */
#ifndef MCPW_APPS_H
#define MCPW_APPS_H

#include <mcpw/extension.h>
#include <mcpw/server.h>

MCPW_BEGIN_DECLS

/* The id of the extension. */
#define MCPW_APPS_EXTENSION "io.modelcontextprotocol/ui"
/* The MIME type of pages. */
#define MCPW_PAGE_MIME_TYPE "text/html;profile=mcp-app"

/* ---- Tools --------------------------------------------------------------------------------------------- */

/* The callers of a tool. */
enum {
    MCPW_VISIBLE_TO_MODEL = 1, /* the model sees the tool, and may call it */
    MCPW_VISIBLE_TO_APP = 2    /* pages of the same server may call it */
};

/* The member `ui` in the _meta of a tool. It needs resource_uri or visibility, or both. resource_uri begins
 * with "ui://". Else mcpw_server_add_tool returns MCPW_E_ARGUMENT. */
typedef struct mcpw_tool_ui {
    size_t struct_size;       /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    const char *resource_uri; /* the URI of the page; NULL: the tool has none */
    unsigned visibility;      /* MCPW_VISIBLE_TO_...; 0: both. Hosts enforce it; tools/list has every tool */
} mcpw_tool_ui;

/* Adds the extension to a server. Call it before adding tools with a `ui`. If a tool names a page, there must
 * be a resource of that URI, or a template that the URI matches, when the first session or endpoint is made.
 * Otherwise it is not made, and the error names the tool and the page. A tool that is added later is refused:
 * MCPW_E_NOT_FOUND if there is no such resource, MCPW_E_VALUE if the resource has another MIME type. The
 * check also covers a `ui` that a tool has in its `more`.
 *
 * A request from a client whose settings of the extension are malformed is answered with -32602. Errors of
 * this function are those of mcpw_server_add_extension. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_server_add_apps(mcpw_server *server, mcpw_error *error);

/* Whether the client of a request shows pages: it has declared the extension with their MIME type, in the
 * request or at the handshake. */
MCPW_SESSION_API bool mcpw_request_takes_pages(mcpw_request *request);

/* ---- Pages --------------------------------------------------------------------------------------------- */

/* Features of the browser that a page asks for. */
enum {
    MCPW_PAGE_CAMERA = 1,         /* the camera */
    MCPW_PAGE_MICROPHONE = 2,     /* the microphone */
    MCPW_PAGE_GEOLOCATION = 4,    /* the user's location */
    MCPW_PAGE_CLIPBOARD_WRITE = 8 /* writing to the clipboard */
};

/* The member `ui` in the _meta of a page: its content security policy and its wishes. Lists of origins are
 * separated by blanks. An origin has the scheme http, https, ws or wss, a host, and possibly a port:
 * "https://api.example.com". "https://" followed by "*." stands for all subdomains. */
typedef struct mcpw_page_ui {
    size_t struct_size;           /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    const char *connect_domains;  /* for its requests; NULL: it makes none */
    const char *resource_domains; /* for images, scripts, styles, fonts and media; NULL: its own alone */
    const char *frame_domains;    /* for frames in it; NULL: it has none */
    const char *base_uri_domains; /* for its base URI; NULL: its own origin alone */
    unsigned permissions;         /* MCPW_PAGE_...: hosts may grant them */
    const char *domain;           /* an origin of its own, in the host's form; NULL: the host's choice */
    mcpw_switch prefers_border;   /* a border and a background by the host; default: the host's choice */
} mcpw_page_ui;

/* A page. Texts are copied when it is added. */
typedef struct mcpw_page {
    size_t struct_size;      /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    const char *uri;         /* its identity; required. It begins with "ui://" */
    const char *name;        /* required */
    const char *title;       /* for people; NULL: none */
    const char *description; /* NULL: none */
    /* An HTML5 document. It is sent as text if it is UTF-8, else as base64. Absent: `read` makes it. */
    mcpw_str html;
    mcpw_read_handler read; /* answers each read by mcpw_respond_page; NULL: html is the page */
    void *user;             /* passed to read */
    const mcpw_page_ui *ui; /* NULL: it needs nothing from other origins */
    /* Scopes that a request for it needs over HTTP, separated by spaces; NULL: none
     * (<mcpw/http_protect.h>). */
    const char *scopes;
} mcpw_page;

/* Adds a page, which is a resource: mcpw_server_remove_resource removes it. Its memory is kept until the
 * server is freed. MCPW_E_STATE: mcpw_server_add_apps was not called. MCPW_E_ARGUMENT: it has both html and
 * read, or neither, or unknown permissions. MCPW_E_FORMAT: the URI does not begin with "ui://", or a text is
 * no origin. Other errors are those of mcpw_server_add_resource. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_server_add_page(mcpw_server *server, const mcpw_page *page,
                                                                 mcpw_error *error);

/* Answers the read of a page with an HTML5 document, in the `read` of a page. MCPW_E_ARGUMENT: the request is
 * for no page of mcpw_server_add_page. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_respond_page(mcpw_request *request, mcpw_str html);

/* ---- Hosts --------------------------------------------------------------------------------------------- */

/* Declares to servers that this client shows pages. Errors are those of mcpw_client_add_extension. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_client_add_apps(mcpw_session_config *config,
                                                                 mcpw_error *error);

/* Reads the `ui` in the _meta of a server's tool, in the deprecated form "ui/resourceUri" as well. Texts lie
 * in the arena. `visibility` is never 0. MCPW_E_NOT_FOUND: there is none. MCPW_E_TYPE, MCPW_E_VALUE and
 * MCPW_E_FORMAT: it is malformed, and the error has the place. Then do not show a page. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_tool_ui_read(mcpw_json meta, mcpw_arena *arena,
                                                              mcpw_tool_ui *out, mcpw_error *error);

/* The same for the _meta of a page. A list without items is NULL, because both mean the same. The one in the
 * content of resources/read takes precedence over the one in resources/list. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_page_ui_read(mcpw_json meta, mcpw_arena *arena,
                                                              mcpw_page_ui *out, mcpw_error *error);

/* The Content-Security-Policy that a host must enforce for a page, in the arena. `ui` NULL: the policy of
 * pages without one. Every origin is checked, so that none can add a directive: errors are those of
 * mcpw_server_add_page. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_page_policy(const mcpw_page_ui *ui, mcpw_arena *arena,
                                                             mcpw_str *out, mcpw_error *error);

MCPW_END_DECLS

#endif
