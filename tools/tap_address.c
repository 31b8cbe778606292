/* SPDX-License-Identifier: MIT */
#include "tap_address.h"

#include "tool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PORT = 65535, BASE = 10 };

const char *address_of_url(const char *url, char *origin, size_t size) {
    const char *const host = strstr(url, "://");
    const size_t len = host != NULL ? (size_t)(host + 3 - url) + strcspn(host + 3, "/") : 0;
    if ((strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0) || len >= size) {
        tool_complain("--to %s: a URL with http or https is expected", url);
        return NULL;
    }
    memcpy(origin, url, len);
    origin[len] = '\0';
    return url[len] != '\0' ? url + len : "/";
}

bool address_to_listen(const char *text, struct sockaddr_storage *to, bool *is_loopback) {
    const char *const colon = strrchr(text, ':');
    const char *const port = colon != NULL ? colon + 1 : text;
    char address[INET6_ADDRSTRLEN] = "127.0.0.1";
    char *end = NULL;
    const unsigned long number = strtoul(port, &end, BASE);
    const bool is_bracketed = colon != NULL && *text == '[' && colon[-1] == ']';
    const size_t skipped = is_bracketed ? 1 : 0;
    const size_t len = colon != NULL ? (size_t)(colon - text) - 2 * skipped : 0;
    if (colon != NULL && len < sizeof address) {
        memcpy(address, text + skipped, len);
        address[len] = '\0';
    }
    struct sockaddr_in *const four = (struct sockaddr_in *)to;
    struct sockaddr_in6 *const six = (struct sockaddr_in6 *)to;
    memset(to, 0, sizeof *to);
    const bool is_four = inet_pton(AF_INET, address, &four->sin_addr) == 1;
    const bool is_six = !is_four && inet_pton(AF_INET6, address, &six->sin6_addr) == 1;
    if (*port == '\0' || *end != '\0' || number > MOST_PORT || len >= sizeof address ||
        (!is_four && !is_six)) {
        tool_complain("--listen %s: [ADDRESS:]PORT is expected, the address in digits", text);
        return false;
    }
    to->ss_family = is_four ? AF_INET : AF_INET6;
    *(is_four ? &four->sin_port : &six->sin6_port) = htons((uint16_t)number);
    *is_loopback = strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
    return true;
}
