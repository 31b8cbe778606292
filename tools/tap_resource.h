/* SPDX-License-Identifier: MIT */
/*
 * The metadata of a protected resource (RFC 9728), as a client sees them through a proxy. They name the real
 * server. A client that was given the proxy's address refuses them, since a token for them would go
 * elsewhere. So a user may want them to name the proxy: then the client requests tokens for the proxy's
 * address. That works if neither the authorization server nor the server checks the resource.
 */
#ifndef MCPWIRE_TAP_RESOURCE_H
#define MCPWIRE_TAP_RESOURCE_H

#include <mcpw/arena.h>
#include <mcpw/base.h>

#include <stdbool.h>
#include <stddef.h>

enum { MOST_METADATA = 1 << 18 /* bytes of a document that is changed */ };

/* The addresses of a server and of the proxy before it. */
typedef struct resource_addresses {
    const char *origin; /* of the server: "https://example.com" */
    const char *path;   /* of its endpoint: "/mcp" */
    const char *own;    /* the origin of the proxy: "http://localhost:8080" */
} resource_addresses;

/* Whether a path is that of the metadata, with or without the endpoint's path. */
bool resource_is_metadata(const char *path);

/* Whether a path is that of the endpoint, at the proxy or at the server. */
bool resource_is_endpoint(const char *path, const char *endpoint);

/* The path at the server for a path at the proxy, whose endpoint is /mcp. The caller frees it; NULL: no
 * memory. */
char *resource_path(const char *path, const char *endpoint);

/* A copy of a WWW-Authenticate whose resource_metadata lead to the proxy if they led to the server. The
 * caller frees it; NULL: no memory. */
char *resource_challenge(const char *value, const resource_addresses *addresses);

/* Replaces the member resource of a document if it names the server. Other documents stay as they are. False:
 * no memory. */
bool resource_rewrite(mcpw_buffer *document, const resource_addresses *addresses);

#endif
