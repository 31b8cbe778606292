/* SPDX-License-Identifier: MIT */
/* Lists of scopes: how they are read and checked. */
#include "scopes.h"

bool mcpw_scopes_are_valid(mcpw_str scopes) {
    for (size_t i = 0; i < scopes.len; i++) {
        if (scopes.ptr[i] != ' ' && !mcpw_scope_has((unsigned char)scopes.ptr[i])) {
            return false;
        }
    }
    return true;
}

bool mcpw_scopes_next(mcpw_str *scopes, mcpw_str *scope) {
    if (scopes->len == 0) {
        return false;
    }
    const char *const end = scopes->ptr + scopes->len;
    const char *at = scopes->ptr;
    while (at != end && *at == ' ') {
        at++;
    }
    scope->ptr = at;
    while (at != end && *at != ' ') {
        at++;
    }
    scope->len = (size_t)(at - scope->ptr);
    *scopes = (mcpw_str){at, (size_t)(end - at)};
    return scope->len != 0;
}

bool mcpw_scopes_next_variable(mcpw_str *text, mcpw_str *literal, mcpw_str *name) {
    const char *const end = text->ptr + text->len;
    const char *const open = text->len != 0 ? memchr(text->ptr, '{', text->len) : NULL;
    const char *const close = open != NULL ? memchr(open, '}', (size_t)(end - open)) : NULL;
    *literal = *text;
    if (close == NULL) {
        return false;
    }
    literal->len = (size_t)(open - text->ptr);
    *name = (mcpw_str){open + 1, (size_t)(close - open) - 1};
    *text = (mcpw_str){close + 1, (size_t)(end - close) - 1};
    return true;
}

size_t mcpw_uri_template_place(const mcpw_uri_template *uri_template, mcpw_str name) {
    size_t i = 0;
    while (i < uri_template->count && !mcpw_str_equal(uri_template->parts[i].name, name)) {
        i++;
    }
    return i;
}

const char *mcpw_scopes_fault(mcpw_str scopes, const mcpw_uri_template *uri_template) {
    mcpw_str literal;
    mcpw_str name;
    if (!mcpw_scopes_are_valid(scopes)) {
        return "a scope has visible ASCII characters except \" and \\, and spaces separate scopes";
    }
    while (uri_template != NULL && mcpw_scopes_next_variable(&scopes, &literal, &name)) {
        if (mcpw_uri_template_place(uri_template, name) == uri_template->count) {
            return "it names a variable that the URI template does not have";
        }
    }
    return NULL;
}
