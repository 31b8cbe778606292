/* SPDX-License-Identifier: MIT */
/* Foreign URLs: parsed, compared, and checked before anything connects to them. */
#ifndef MCPW_OAUTH_URL_H
#define MCPW_OAUTH_URL_H

#include <mcpw/arena.h>

enum { MCPW_OAUTH_MOST_URL = 2048 /* bytes of a URL; a longer one is refused */ };

/* A URL of http or https. Its texts are parts of `text`. */
typedef struct mcpw_oauth_url {
    mcpw_str text;
    mcpw_str origin; /* up to the path */
    mcpw_str host;   /* brackets of IPv6 included */
    mcpw_str path;   /* empty, or begins with '/' */
    mcpw_str query;  /* begins with '?'; empty: none */
    unsigned port;   /* the default one of the scheme if none is written */
    bool is_https;
    bool has_fragment;
} mcpw_oauth_url;

/* Parses a URL. False: it is no such URL, has user information or invalid characters, or is too long. */
MCPW_NODISCARD bool mcpw_oauth_url_read(mcpw_str text, mcpw_oauth_url *url);
/* Whether two texts are equal, whatever the case of their letters. */
bool mcpw_oauth_is_same_word(mcpw_str a, mcpw_str b);
/* Whether scheme, host and port are the same. */
bool mcpw_oauth_url_same_origin(const mcpw_oauth_url *a, const mcpw_oauth_url *b);
/* Whether the host is this machine by its name or address. */
bool mcpw_oauth_url_is_loopback(const mcpw_oauth_url *url);
/* The reason why a URL must not be requested for an MCP server; NULL: it may. */
const char *mcpw_oauth_url_refusal(const mcpw_oauth_url *url, const mcpw_oauth_url *server);
/* Whether a resource is the server, or a path above it at a '/'. */
bool mcpw_oauth_url_covers(const mcpw_oauth_url *resource, const mcpw_oauth_url *server);
/* A Location, resolved against the URL of its response. Absent: no memory. */
mcpw_str mcpw_oauth_url_resolve(mcpw_arena *arena, const mcpw_oauth_url *base, mcpw_str location);
/* Joins texts; the last one of `parts` is absent. Absent: no memory. */
mcpw_str mcpw_oauth_join(mcpw_arena *arena, const mcpw_str *parts);

#endif
