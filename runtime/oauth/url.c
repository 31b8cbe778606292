/* SPDX-License-Identifier: MIT */
#include "url.h"

#include <mcpw/oauth.h>

enum { HTTP_PORT = 80, HTTPS_PORT = 443, MOST_PORT = 65535, DECIMAL = 10, OCTETS = 4, IPV6_OCTETS = 16 };

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool mcpw_oauth_is_same_word(mcpw_str a, mcpw_str b) {
    size_t i = 0;
    while (i < a.len && i < b.len && lower(a.ptr[i]) == lower(b.ptr[i])) {
        i++;
    }
    return a.len == b.len && i == a.len;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

static bool begins_with(mcpw_str text, const char *what) {
    const size_t len = strlen(what);
    return text.len >= len && mcpw_oauth_is_same_word((mcpw_str){text.ptr, len}, mcpw_str_from(what));
}

/* The length of the text up to the first of the marks. */
static size_t until(mcpw_str text, const char *marks) {
    size_t len = 0;
    while (len < text.len && strchr(marks, text.ptr[len]) == NULL) {
        len++;
    }
    return len;
}

static mcpw_str take(mcpw_str *text, size_t len) {
    const mcpw_str taken = {text->ptr, len};
    text->ptr += len;
    text->len -= len;
    return taken;
}

/* Whether no byte is a space, a control character, beyond ASCII, or one that RFC 3986 excludes. */
static bool is_plain(mcpw_str text) {
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] <= ' ' || text.ptr[i] > '~' || strchr("\"<>\\^`{|}", text.ptr[i]) != NULL) {
            return false;
        }
    }
    return true;
}

static bool is_host(mcpw_str host) {
    const bool is_literal = host.len > 2 && host.ptr[0] == '[' && host.ptr[host.len - 1] == ']';
    const mcpw_str inside = is_literal ? (mcpw_str){host.ptr + 1, host.len - 2} : host;
    for (size_t i = 0; i < inside.len; i++) {
        const char c = inside.ptr[i];
        const bool is_hex = is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f');
        if (is_literal ? !is_hex && c != ':' && c != '.'
                       : !is_digit(c) && !is_letter(c) && c != '-' && c != '.' && c != '_') {
            return false;
        }
    }
    return inside.len != 0;
}

static bool read_port(mcpw_str digits, unsigned *port) {
    unsigned value = 0;
    for (size_t i = 0; i < digits.len; i++) {
        if (!is_digit(digits.ptr[i]) || value > MOST_PORT) {
            return false;
        }
        value = value * DECIMAL + (unsigned)(digits.ptr[i] - '0');
    }
    *port = value;
    return value != 0 && value <= MOST_PORT;
}

bool mcpw_oauth_url_read(mcpw_str text, mcpw_oauth_url *url) {
    mcpw_str rest = text;
    *url = (mcpw_oauth_url){.text = text};
    if (text.ptr == NULL || text.len > MCPW_OAUTH_MOST_URL || !is_plain(text)) {
        return false;
    }
    url->is_https = begins_with(text, "https://");
    if (!url->is_https && !begins_with(text, "http://")) {
        return false;
    }
    (void)take(&rest, url->is_https ? strlen("https://") : strlen("http://"));
    mcpw_str authority = take(&rest, until(rest, "/?#"));
    url->origin = (mcpw_str){text.ptr, text.len - rest.len};
    const bool is_literal = authority.len != 0 && authority.ptr[0] == '[';
    const size_t bracket = until(authority, "]");
    url->host = take(&authority, !is_literal               ? until(authority, ":")
                                 : bracket < authority.len ? bracket + 1
                                                           : bracket);
    url->port = url->is_https ? HTTPS_PORT : HTTP_PORT;
    if (authority.len != 0 && (authority.ptr[0] != ':' ||
                               !read_port((mcpw_str){authority.ptr + 1, authority.len - 1}, &url->port))) {
        return false;
    }
    url->path = take(&rest, until(rest, "?#"));
    url->query = take(&rest, until(rest, "#"));
    url->has_fragment = rest.len != 0;
    return is_host(url->host);
}

bool mcpw_oauth_url_same_origin(const mcpw_oauth_url *a, const mcpw_oauth_url *b) {
    return a->is_https == b->is_https && a->port == b->port && mcpw_oauth_is_same_word(a->host, b->host);
}

/* ---- Addresses ----------------------------------------------------------------------------------------- */

/* Reads four decimal numbers with points between them. */
static bool read_ipv4(mcpw_str host, unsigned char out[OCTETS]) {
    enum { MOST_OCTET = 255, MOST_DIGITS = 3 };
    for (size_t i = 0; i < OCTETS; i++) {
        const mcpw_str digits = take(&host, until(host, "."));
        unsigned value = 0;
        if (digits.len == 0 || digits.len > MOST_DIGITS || (digits.len > 1 && digits.ptr[0] == '0')) {
            return false;
        }
        for (size_t at = 0; at < digits.len; at++) {
            if (!is_digit(digits.ptr[at])) {
                return false;
            }
            value = value * DECIMAL + (unsigned)(digits.ptr[at] - '0');
        }
        if (value > MOST_OCTET || (i + 1 < OCTETS) != (host.len != 0)) {
            return false;
        }
        out[i] = (unsigned char)value;
        (void)take(&host, host.len != 0 ? 1 : 0);
    }
    return host.len == 0;
}

/* Whether the last label of a name begins with a digit, which is an address in an unusual form, or stands for
 * this machine. (RFC 6761, section 6.3.) */
static bool is_odd_name(mcpw_str host) {
    host.len -= host.len != 0 && host.ptr[host.len - 1] == '.' ? 1 : 0;
    size_t at = host.len;
    while (at != 0 && host.ptr[at - 1] != '.') {
        at--;
    }
    const mcpw_str last = {host.ptr + at, host.len - at};
    return last.len == 0 || is_digit(last.ptr[0]) ||
           mcpw_oauth_is_same_word(last, MCPW_STR_VALUE("localhost"));
}

static bool is_public_ipv4(const unsigned char *a) {
    /* Blocks that are not public, by first address and length of the prefix. (RFC 6890.) */
    static const unsigned char blocks[][OCTETS + 1] = {
        {0, 0, 0, 0, 8},      {10, 0, 0, 0, 8},     {100, 64, 0, 0, 10}, {127, 0, 0, 0, 8},
        {169, 254, 0, 0, 16}, {172, 16, 0, 0, 12},  {192, 0, 0, 0, 24},  {192, 0, 2, 0, 24},
        {192, 88, 99, 0, 24}, {192, 168, 0, 0, 16}, {198, 18, 0, 0, 15}, {198, 51, 100, 0, 24},
        {203, 0, 113, 0, 24}, {224, 0, 0, 0, 3}};
    enum { BITS = 8, ALL = 255 };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        bool is_inside = true;
        for (unsigned at = 0; at < OCTETS; at++) {
            const unsigned left = blocks[i][OCTETS] > at * BITS ? blocks[i][OCTETS] - at * BITS : 0;
            const unsigned mask = left >= BITS ? ALL : ALL & ~((unsigned)ALL >> left);
            is_inside = is_inside && (a[at] & mask) == (blocks[i][at] & mask);
        }
        if (is_inside) {
            return false;
        }
    }
    return true;
}

bool mcpw_oauth_address_is_public(const unsigned char *address, size_t len) {
    static const unsigned char mapped[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    static const unsigned char nat64[] = {0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0};
    static const unsigned char teredo[] = {0x20, 0x01, 0, 0};
    static const unsigned char documents[] = {0x20, 0x01, 0x0D, 0xB8};
    static const unsigned char six_to_four[] = {0x20, 0x02};
    enum { GLOBAL_MASK = 0xE0, GLOBAL = 0x20 };
    if (address == NULL || (len != OCTETS && len != IPV6_OCTETS)) {
        return false;
    }
    if (len == OCTETS) {
        return is_public_ipv4(address);
    }
    if (memcmp(address, mapped, sizeof mapped) == 0 || memcmp(address, nat64, sizeof nat64) == 0) {
        return is_public_ipv4(address + sizeof mapped);
    }
    if (memcmp(address, six_to_four, sizeof six_to_four) == 0) {
        return is_public_ipv4(address + sizeof six_to_four);
    }
    return (address[0] & GLOBAL_MASK) == GLOBAL && memcmp(address, teredo, sizeof teredo) != 0 &&
           memcmp(address, documents, sizeof documents) != 0;
}

bool mcpw_oauth_url_is_loopback(const mcpw_oauth_url *url) {
    enum { LOOPBACK = 127 };
    unsigned char address[OCTETS];
    return mcpw_oauth_is_same_word(url->host, MCPW_STR_VALUE("localhost")) ||
           mcpw_str_is(url->host, "[::1]") || (read_ipv4(url->host, address) && address[0] == LOOPBACK);
}

/* Whether the host is written as an address that is not public. Only 2000::/3 is public in IPv6, without the
 * blocks in it that stand for IPv4. */
static bool is_private_literal(const mcpw_oauth_url *url) {
    enum { GROUP_END = 5 }; /* "[2001:" */
    unsigned char address[OCTETS];
    if (url->host.ptr[0] == '[') {
        const bool is_global = url->host.len > GROUP_END &&
                               (url->host.ptr[1] == '2' || url->host.ptr[1] == '3') &&
                               url->host.ptr[GROUP_END] == ':';
        return !is_global || begins_with(url->host, "[2002:") || begins_with(url->host, "[2001:0:") ||
               begins_with(url->host, "[2001::") || memchr(url->host.ptr, '.', url->host.len) != NULL;
    }
    return read_ipv4(url->host, address) ? !is_public_ipv4(address) : is_odd_name(url->host);
}

const char *mcpw_oauth_url_refusal(const mcpw_oauth_url *url, const mcpw_oauth_url *server) {
    const bool is_here = mcpw_oauth_url_is_loopback(url);
    if (is_here && !mcpw_oauth_url_is_loopback(server)) {
        return "leads to this machine, where the MCP server is not";
    }
    if (!url->is_https && !is_here) {
        return "is not https";
    }
    if (!is_here && is_private_literal(url) && !is_private_literal(server)) {
        return "leads to a private address, where the MCP server is not";
    }
    return url->has_fragment ? "has a fragment" : NULL;
}

bool mcpw_oauth_url_covers(const mcpw_oauth_url *resource, const mcpw_oauth_url *server) {
    mcpw_str path = resource->path;
    if (!mcpw_oauth_url_same_origin(resource, server) || resource->has_fragment) {
        return false;
    }
    if (resource->query.len != 0) {
        return mcpw_str_equal(resource->path, server->path) && mcpw_str_equal(resource->query, server->query);
    }
    path.len -= path.len != 0 && path.ptr[path.len - 1] == '/' ? 1 : 0;
    return path.len <= server->path.len && memcmp(path.ptr, server->path.ptr, path.len) == 0 &&
           (path.len == server->path.len || server->path.ptr[path.len] == '/');
}

mcpw_str mcpw_oauth_join(mcpw_arena *arena, const mcpw_str *parts) {
    size_t len = 0;
    for (const mcpw_str *part = parts; part->ptr != NULL; part++) {
        len += part->len;
    }
    char *const text = mcpw_arena_alloc(arena, len + 1);
    char *at = text;
    for (const mcpw_str *part = parts; text != NULL && part->ptr != NULL; part++) {
        memcpy(at, part->ptr, part->len);
        at += part->len;
    }
    if (text == NULL) {
        return (mcpw_str){NULL, 0};
    }
    *at = '\0';
    return (mcpw_str){text, len};
}

mcpw_str mcpw_oauth_url_resolve(mcpw_arena *arena, const mcpw_oauth_url *base, mcpw_str location) {
    const mcpw_str none = {NULL, 0};
    if (begins_with(location, "https://") || begins_with(location, "http://")) {
        return mcpw_arena_str(arena, location.ptr, location.len);
    }
    if (begins_with(location, "//")) {
        const mcpw_str scheme = {base->text.ptr, (base->is_https ? sizeof "https:" : sizeof "http:") - 1};
        return mcpw_oauth_join(arena, (const mcpw_str[]){scheme, location, none});
    }
    mcpw_str folder = {base->path.ptr, location.len != 0 && location.ptr[0] == '/' ? 0 : base->path.len};
    while (folder.len != 0 && folder.ptr[folder.len - 1] != '/') {
        folder.len--;
    }
    const mcpw_str slash = {"/", folder.len == 0 && (location.len == 0 || location.ptr[0] != '/') ? 1 : 0};
    return mcpw_oauth_join(arena, (const mcpw_str[]){base->origin, folder, slash, location, none});
}
