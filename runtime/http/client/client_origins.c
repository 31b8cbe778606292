/* SPDX-License-Identifier: MIT */
/* The client's memory of servers that need a handshake. */
#include "../core/fields.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/http_origins.h>
#include <mcpw/http_client.h>
#include <mcpw/policy.h>

enum { MOST = 1024 };

/* The text of the origin follows the struct. */
typedef struct origin {
    struct origin *next; /* the origin learned before this one */
    size_t len;
} origin;

struct mcpw_http_origins {
    mcpw_allocator allocator;
    origin *newest; /* the newest server that needs a handshake */
    size_t count;
    size_t most;
};

/* The scheme, host and port of a URL. */
static mcpw_str origin_of(const char *url) {
    const char *const scheme = strstr(url, "://");
    const char *const host = scheme != NULL ? scheme + 3 : url;
    return (mcpw_str){url, (size_t)(host - url) + strcspn(host, "/?#")};
}

static origin **find(mcpw_http_origins *origins, mcpw_str text) {
    origin **at = &origins->newest;
    while (*at != NULL && !mcpw_header_is((mcpw_str){(const char *)(*at + 1), (*at)->len}, text)) {
        at = &(*at)->next;
    }
    return at;
}

static void forget(mcpw_http_origins *origins, origin **at) {
    origin *const o = *at;
    *at = o->next;
    origins->count--;
    (void)mcpw_resize(&origins->allocator, o, sizeof *o + o->len, 0);
}

static void remember(mcpw_http_origins *origins, mcpw_str text) {
    origin *const o = mcpw_resize(&origins->allocator, NULL, 0, sizeof *o + text.len);
    if (o == NULL) {
        return;
    }
    memcpy(o + 1, text.ptr, text.len);
    o->len = text.len;
    o->next = origins->newest;
    origins->newest = o;
    if (++origins->count > origins->most) {
        origin **oldest = &origins->newest;
        while ((*oldest)->next != NULL) {
            oldest = &(*oldest)->next;
        }
        forget(origins, oldest);
    }
}

mcpw_http_origins *mcpw_http_origins_new(size_t most, const mcpw_allocator *allocator) {
    const mcpw_allocator plain = {NULL, NULL};
    const mcpw_allocator *const used = allocator != NULL ? allocator : &plain;
    mcpw_http_origins *const origins = mcpw_resize(used, NULL, 0, sizeof *origins);
    if (origins != NULL) {
        *origins = (mcpw_http_origins){*used, NULL, 0, most != 0 ? most : MOST};
    }
    return origins;
}

void mcpw_http_origins_free(mcpw_http_origins *origins) {
    if (origins == NULL) {
        return;
    }
    const mcpw_allocator allocator = origins->allocator;
    while (origins->newest != NULL) {
        forget(origins, &origins->newest);
    }
    (void)mcpw_resize(&allocator, origins, sizeof *origins, 0);
}

void mcpw_http_origins_learn(mcpw_http_origins *origins, const char *url, const mcpw_session *session) {
    const mcpw_revision *const revision = session != NULL ? mcpw_session_revision(session) : NULL;
    const mcpw_str text = origin_of(url);
    origin **const at = find(origins, text);
    if (*at != NULL) {
        forget(origins, at);
    }
    if (revision != NULL && mcpw_revision_has_handshake(revision)) {
        remember(origins, text);
    }
}

/* True if a space-separated list contains the name. An absent list contains every name. */
static bool is_listed(const char *list, const char *name) {
    mcpw_str rest = mcpw_str_from(list);
    mcpw_str part;
    while (list != NULL && mcpw_header_part(&rest, ' ', &part)) {
        if (mcpw_str_is(part, name)) {
            return true;
        }
    }
    return list == NULL;
}

const char *mcpw_http_origins_revisions(const mcpw_http_origins *origins, const char *url,
                                        const mcpw_session_config *config, mcpw_arena *arena) {
    mcpw_buffer out = mcpw_buffer_in(arena);
    mcpw_library held;
    size_t count = 0;
    if (*find((mcpw_http_origins *)(uintptr_t)origins, origin_of(url)) == NULL) {
        return config->revisions;
    }
    mcpw_library_init(&held);
    const mcpw_revision *const *const revisions =
        mcpw_library_revisions(config->library != NULL ? config->library : &held, &count);
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < count; i++) {
        const char *const name = mcpw_revision_name(revisions[i]);
        if (mcpw_revision_has_handshake(revisions[i]) && is_listed(config->revisions, name)) {
            status = out.len != 0 ? mcpw_buffer_append(&out, " ", 1) : MCPW_OK;
            status = status == MCPW_OK ? mcpw_buffer_append(&out, name, strlen(name)) : status;
        }
    }
    status = status == MCPW_OK ? mcpw_buffer_append(&out, "", 1) : status;
    const mcpw_json list = mcpw_buffer_take(&out);
    return status == MCPW_OK && list.len > 1 ? list.ptr : config->revisions;
}
