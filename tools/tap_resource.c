/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* strncasecmp */
#include "tap_resource.h"

#include "text.h"

#include <mcpw/json.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char well_known[] = "/.well-known/oauth-protected-resource";
static const char own_path[] = "/mcp";

bool resource_is_metadata(const char *path) {
    const size_t len = sizeof well_known - 1;
    return strncmp(path, well_known, len) == 0 && (path[len] == '\0' || path[len] == '/' || path[len] == '?');
}

bool resource_is_endpoint(const char *path, const char *endpoint) {
    const size_t len = strcspn(path, "?");
    const size_t own = strcspn(endpoint, "?");
    return (len == 1 && *path == '/') || (len == strlen("/mcp") && strncmp(path, "/mcp", len) == 0) ||
           (len == own && strncmp(path, endpoint, len) == 0);
}

char *resource_path(const char *path, const char *endpoint) {
    const char *const after = path + sizeof well_known - 1;
    if (!resource_is_metadata(path) || strcmp(after, own_path) != 0) {
        return strdup(path);
    }
    const int len = (int)strcspn(endpoint, "?");
    const bool is_root = len == 1;
    return text_made("%s%.*s", well_known, is_root ? 0 : len, endpoint);
}

/* The place of a word in a text, in any case of letters; NULL: it is not there. */
static const char *find(const char *text, const char *word) {
    const size_t len = strlen(word);
    while (*text != '\0' && strncasecmp(text, word, len) != 0) {
        text++;
    }
    return *text != '\0' ? text : NULL;
}

char *resource_challenge(const char *value, const resource_addresses *addresses) {
    static const char name[] = "resource_metadata";
    const size_t len = strlen(addresses->origin);
    const char *at = value;
    for (const char *next = find(at, name); next != NULL; next = find(at, name)) {
        at = next + sizeof name - 1;
        at += strspn(at, " \t");
        at += *at == '=' ? 1 : 0;
        at += strspn(at, " \t\"");
        if (strncasecmp(at, addresses->origin, len) == 0 && (at[len] == '/' || at[len] == '"')) {
            const int before = (int)(at - value);
            return text_made("%.*s%s%s", before, value, addresses->own, at + len);
        }
    }
    return strdup(value);
}

/* The resource as the proxy's clients must see it; empty: it is not the server. */
static bool own_resource(mcpw_str resource, const resource_addresses *addresses, mcpw_buffer *out) {
    const size_t len = strlen(addresses->origin);
    const size_t path = strcspn(addresses->path, "?");
    if (resource.len < len || strncasecmp(resource.ptr, addresses->origin, len) != 0) {
        return true;
    }
    const mcpw_str rest = {resource.ptr + len, resource.len - len};
    const bool is_endpoint = rest.len == path && memcmp(rest.ptr, addresses->path, path) == 0 && path > 1;
    const bool is_origin = rest.len == 0 || (rest.len == 1 && rest.ptr[0] == '/');
    if (!is_endpoint && !is_origin) {
        return true;
    }
    const mcpw_str end = is_endpoint ? mcpw_str_from(own_path) : rest;
    return mcpw_buffer_append(out, addresses->own, strlen(addresses->own)) == MCPW_OK &&
           (end.len == 0 || mcpw_buffer_append(out, end.ptr, end.len) == MCPW_OK);
}

/* Replaces the text of a value within a document. */
static bool exchange(mcpw_buffer *document, mcpw_json old, const mcpw_buffer *with) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    const char *const end = document->data + document->len;
    const bool done =
        mcpw_buffer_append(&out, document->data, (size_t)(old.ptr - document->data)) == MCPW_OK &&
        mcpw_buffer_append(&out, "\"", 1) == MCPW_OK &&
        mcpw_buffer_append(&out, with->data, with->len) == MCPW_OK &&
        mcpw_buffer_append(&out, "\"", 1) == MCPW_OK &&
        mcpw_buffer_append(&out, old.ptr + old.len, (size_t)(end - old.ptr) - old.len) == MCPW_OK;
    if (!done) {
        mcpw_buffer_free(&out);
        return false;
    }
    mcpw_buffer_free(document);
    *document = out;
    return true;
}

bool resource_rewrite(mcpw_buffer *document, const resource_addresses *addresses) {
    const mcpw_json text = mcpw_json_of(document->data, document->len);
    enum { DEPTH = 16 };
    mcpw_arena memory = MCPW_ARENA_INIT;
    mcpw_buffer own = MCPW_BUFFER_INIT;
    mcpw_error unused;
    mcpw_json value = {NULL, 0, 0};
    mcpw_str resource;
    bool done = true;
    if (document->len != 0 && mcpw_json_check(text, DEPTH, &unused) == MCPW_OK &&
        mcpw_json_get(text, "resource", &value) == MCPW_OK &&
        mcpw_json_get_string(text, "resource", &memory, &resource) == MCPW_OK) {
        done = own_resource(resource, addresses, &own) && (own.len == 0 || exchange(document, value, &own));
    }
    mcpw_buffer_free(&own);
    mcpw_arena_free(&memory);
    return done;
}
