/* SPDX-License-Identifier: MIT */
/* The content security policy that a host enforces for a page. (SEP-1865, "Host Behavior"; CSP Level 3.) */
#include "apps_internal.h"

/* A directive, and the list of origins that it allows besides. */
typedef struct directive {
    const char *begin;
    size_t domains;     /* a member of mcpw_page_ui, by offset; 0: none */
    const char *others; /* the end without such a list; NULL: the beginning alone */
} directive;

#define DOMAINS(member) offsetof(mcpw_page_ui, member)

static const directive directives[] = {
    {"default-src 'none'", 0, NULL},
    {"script-src 'self' 'unsafe-inline'", DOMAINS(resource_domains), NULL},
    {"style-src 'self' 'unsafe-inline'", DOMAINS(resource_domains), NULL},
    {"img-src 'self' data:", DOMAINS(resource_domains), NULL},
    {"font-src", DOMAINS(resource_domains), " 'none'"},
    {"media-src 'self' data:", DOMAINS(resource_domains), NULL},
    {"connect-src", DOMAINS(connect_domains), " 'none'"},
    {"frame-src", DOMAINS(frame_domains), " 'none'"},
    {"base-uri", DOMAINS(base_uri_domains), " 'self'"},
    {"object-src 'none'", 0, NULL},
    {"form-action 'none'", 0, NULL},
};

/* Text that is put together. */
typedef struct text {
    mcpw_buffer buffer;
    mcpw_status status;
} text;

static void put(text *t, const char *words, size_t len) {
    t->status = t->status == MCPW_OK ? mcpw_buffer_append(&t->buffer, words, len) : t->status;
}

static void put_words(text *t, const char *words) { put(t, words, strlen(words)); }

static void write_directive(text *t, const directive *d, const mcpw_page_ui *ui) {
    const char *const at = (const char *)ui + d->domains;
    const char *const list = d->domains != 0 ? *(const char *const *)(const void *)at : NULL;
    mcpw_str rest = list != NULL ? mcpw_str_from(list) : (mcpw_str){NULL, 0};
    mcpw_str word;
    size_t count = 0;
    put_words(t, d->begin);
    while (mcpw_next_origin(&rest, &word)) {
        put_words(t, " ");
        put(t, word.ptr, word.len);
        count++;
    }
    if (count == 0 && d->others != NULL) {
        put_words(t, d->others);
    }
}

mcpw_status mcpw_page_policy(const mcpw_page_ui *given, mcpw_arena *arena, mcpw_str *out, mcpw_error *error) {
    mcpw_page_ui ui = MCPW_SIZED(mcpw_page_ui);
    if (arena == NULL || out == NULL || !MCPW_TAKE(&ui, prefers_border, given)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "arena or out is NULL, or the struct_size of the ui is wrong");
    }
    const mcpw_status status = mcpw_page_ui_check(&ui, error);
    if (status != MCPW_OK) {
        return status;
    }
    text t = {mcpw_buffer_in(arena), MCPW_OK};
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++) {
        put_words(&t, i != 0 ? "; " : "");
        write_directive(&t, directives + i, &ui);
    }
    const mcpw_str whole = mcpw_apps_end_text(&t.buffer, t.status);
    if (whole.ptr == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    *out = whole;
    return MCPW_OK;
}
