/* SPDX-License-Identifier: MIT */
/*
 * The apps extension, of public functions alone.
 *
 *   origins.c   lists of origins
 *   ui.c        the member `ui` of a _meta, written and read
 *   csp.c       the content security policy of a page
 *   pages.c     pages of a server
 *   apps.c      the extension at both ends, and the tools that have pages
 */
#ifndef MCPW_APPS_INTERNAL_H
#define MCPW_APPS_INTERNAL_H

#include <mcpw/apps.h>
#include <mcpw/extension_kit.h>
#include <mcpw/json.h>

#define MCPW_UI_SCHEME "ui://"

/* A page as a server keeps it. It is kept until the server ends, because a read may be under way on a worker.
 */
typedef struct mcpw_kept_page {
    struct mcpw_kept_page *next;
    const char *member; /* the one that has the document; NULL: read answers */
    mcpw_json content;  /* its value */
    mcpw_json meta;     /* the _meta of it; absent: none */
    mcpw_read_handler read;
    void *user;
} mcpw_kept_page;

/* The `user` of the extension at a server. */
typedef struct mcpw_apps {
    mcpw_server *server;
    mcpw_arena memory;     /* of the pages */
    mcpw_kept_page *pages; /* the newest first */
    bool checks_tools;     /* tools have been checked, so those that come later are checked at once */
} mcpw_apps;

/* The tag of the extension. */
extern const char mcpw_apps_tag[sizeof MCPW_APPS_EXTENSION];

/* ---- origins.c ---- */

/* Takes the next word off a list that is separated by blanks; false: there is none. */
bool mcpw_next_origin(mcpw_str *list, mcpw_str *word);
/* Whether a text is an origin that a content security policy can name. */
bool mcpw_is_origin(mcpw_str text);
/* Checks all words of a list; NULL is an empty list. */
MCPW_NODISCARD mcpw_status mcpw_check_origins(const char *list, const char *member, mcpw_error *error);

/* ---- ui.c ---- */

enum { MCPW_DOMAIN_LISTS = 4 };

/* A list of origins of a page's policy. */
typedef struct mcpw_domain_list {
    const char *member; /* of mcpw_page_ui, for messages */
    const char *name;   /* on the wire */
    size_t offset;      /* in a mcpw_page_ui */
} mcpw_domain_list;
extern const mcpw_domain_list mcpw_domain_lists[MCPW_DOMAIN_LISTS];

static inline const char *mcpw_domains_of(const mcpw_page_ui *ui, size_t list) {
    const char *const at = (const char *)ui + mcpw_domain_lists[list].offset;
    return *(const char *const *)(const void *)at;
}

/* Checks the `ui` of a page. */
MCPW_NODISCARD mcpw_status mcpw_page_ui_check(const mcpw_page_ui *ui, mcpw_error *error);
/* Writes the object that is the `ui` of a page, or of a tool. */
void mcpw_page_ui_write(mcpw_json_writer *w, const mcpw_page_ui *ui);
void mcpw_tool_ui_write(mcpw_json_writer *w, const mcpw_tool_ui *ui);
/* Whether a text is the URI of a page. */
bool mcpw_is_page_uri(mcpw_str uri);

/* Ends a text of an arena. Absent without memory. */
mcpw_str mcpw_apps_end_text(mcpw_buffer *text, mcpw_status status);

#endif
