/* SPDX-License-Identifier: MIT */
/* URLs of this machine, read as libcurl reads them. */
#include "login_internal.h"
#include "os_net.h"

#include <stdlib.h>

/* Copies a part of a URL. False: it is not there, or too long. */
static bool take(CURLU *from, CURLUPart part, char out[MCPW_LOGIN_URI_SIZE]) {
    char *text = NULL;
    const bool is_there =
        curl_url_get(from, part, &text, 0) == CURLUE_OK && text != NULL && strlen(text) < MCPW_LOGIN_URI_SIZE;
    if (is_there) {
        memcpy(out, text, strlen(text) + 1);
    }
    curl_free(text);
    return is_there;
}

/* Whether a host is this machine, by its name or address. */
static bool is_local(const char *host) {
    enum { LOOPBACK = 127 };
    struct in_addr address;
    return curl_strequal(host, "localhost") != 0 || strcmp(host, "[::1]") == 0 ||
           (inet_pton(AF_INET, host, &address) == 1 && *(const unsigned char *)&address == LOOPBACK);
}

bool mcpw_login_url_read(const char *text, mcpw_login_url *url) {
    enum { DECIMAL = 10 };
    char part[MCPW_LOGIN_URI_SIZE];
    CURLU *const parts = curl_url();
    *url = (mcpw_login_url){.port = 0};
    bool is_read = parts != NULL &&
                   curl_url_set(parts, CURLUPART_URL, text, CURLU_DISALLOW_USER) == CURLUE_OK &&
                   take(parts, CURLUPART_SCHEME, part);
    url->is_https = is_read && strcmp(part, "https") == 0;
    is_read = is_read && (url->is_https || strcmp(part, "http") == 0) && take(parts, CURLUPART_HOST, part);
    url->is_local = is_read && is_local(part);
    const bool is_name = is_read && curl_strequal(part, "localhost") != 0;
    url->is_v4 = is_name || (is_read && strcmp(part, "127.0.0.1") == 0);
    url->is_v6 = is_name || (is_read && strcmp(part, "[::1]") == 0);
    if (is_read && take(parts, CURLUPART_PORT, part)) {
        url->port = (unsigned)strtoul(part, NULL, DECIMAL);
    }
    url->has_query = is_read && (take(parts, CURLUPART_QUERY, part) || take(parts, CURLUPART_FRAGMENT, part));
    is_read = is_read && take(parts, CURLUPART_PATH, url->path);
    curl_url_cleanup(parts);
    return is_read;
}

bool mcpw_login_may_open(const char *url) {
    mcpw_login_url parts;
    for (const char *at = url; *at != '\0'; at++) {
        if (*at <= ' ' || *at > '~') {
            return false;
        }
    }
    return mcpw_login_url_read(url, &parts) && (parts.is_https || parts.is_local);
}
