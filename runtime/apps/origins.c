/* SPDX-License-Identifier: MIT */
/* Lists of origins, as the sources of a content security policy. (CSP Level 3, section 2.3.1.) */
#include "apps_internal.h"

#include <mcpw/error.h>

enum { MOST_PORT_DIGITS = 5, MOST_PORT = 65535, DECIMAL = 10 };

bool mcpw_next_origin(mcpw_str *list, mcpw_str *word) {
    while (list->len > 0 && list->ptr[0] == ' ') {
        list->ptr++;
        list->len--;
    }
    if (list->len == 0) { /* there may be no list */
        return false;
    }
    const char *const end = memchr(list->ptr, ' ', list->len);
    word->ptr = list->ptr;
    word->len = end != NULL ? (size_t)(end - list->ptr) : list->len;
    list->ptr += word->len;
    list->len -= word->len;
    return true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_alphanumeric(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Takes a text off the front; false: it is not there. */
static bool skip(mcpw_str *text, const char *front) {
    const size_t len = strlen(front);
    if (text->len < len || memcmp(text->ptr, front, len) != 0) {
        return false;
    }
    text->ptr += len;
    text->len -= len;
    return true;
}

/* Labels of letters, digits and hyphens, joined by dots. */
static bool is_host(mcpw_str host) {
    for (size_t i = 0; i < host.len; i++) {
        const bool is_inside = i > 0 && i + 1 < host.len;
        const char c = host.ptr[i];
        if (!is_alphanumeric(c) && !(is_inside && (c == '-' || (c == '.' && host.ptr[i - 1] != '.')))) {
            return false;
        }
    }
    return host.len > 0;
}

/* An address of IPv6 in brackets. */
static bool is_address(mcpw_str host) {
    if (host.len < sizeof "[::]" - 1 || host.ptr[0] != '[' || host.ptr[host.len - 1] != ']') {
        return false;
    }
    for (size_t i = 1; i + 1 < host.len; i++) {
        if (!is_digit(host.ptr[i]) && strchr("abcdefABCDEF:.", host.ptr[i]) == NULL) {
            return false;
        }
    }
    return true;
}

/* Whether digits are a port. */
static bool is_port(mcpw_str port) {
    unsigned long number = 0;
    for (size_t i = 0; i < port.len && i <= MOST_PORT_DIGITS; i++) {
        number = number * DECIMAL + (unsigned long)(port.ptr[i] - '0');
    }
    return port.len > 0 && port.len <= MOST_PORT_DIGITS && number > 0 && number <= MOST_PORT;
}

bool mcpw_is_origin(mcpw_str text) {
    static const char *const schemes[] = {"https://", "http://", "wss://", "ws://"};
    size_t i = 0;
    while (i < sizeof schemes / sizeof *schemes && !skip(&text, schemes[i])) {
        i++;
    }
    if (i == sizeof schemes / sizeof *schemes) {
        return false;
    }
    size_t host = text.len;
    while (host > 0 && is_digit(text.ptr[host - 1])) {
        host--;
    }
    if (host > 0 && text.ptr[host - 1] == ':') {
        if (!is_port((mcpw_str){text.ptr + host, text.len - host})) {
            return false;
        }
        text.len = host - 1;
    }
    if (is_address(text)) {
        return true;
    }
    (void)skip(&text, "*.");
    return is_host(text);
}

mcpw_str mcpw_apps_end_text(mcpw_buffer *text, mcpw_status status) {
    status = status == MCPW_OK ? mcpw_buffer_append(text, "", 1) : status;
    const mcpw_json whole = mcpw_buffer_take(text);
    return status == MCPW_OK && whole.ptr != NULL ? (mcpw_str){whole.ptr, whole.len - 1}
                                                  : (mcpw_str){NULL, 0};
}

mcpw_status mcpw_check_origins(const char *list, const char *member, mcpw_error *error) {
    mcpw_str rest = list != NULL ? mcpw_str_from(list) : (mcpw_str){NULL, 0};
    mcpw_str word;
    while (mcpw_next_origin(&rest, &word)) {
        if (!mcpw_is_origin(word)) {
            char excerpt[MCPW_EXCERPT_SIZE];
            mcpw_error_set(error, MCPW_E_FORMAT, 0, "\"%s\" is no origin such as https://api.example.com",
                           mcpw_excerpt(excerpt, word.ptr, word.len));
            mcpw_error_prepend_key(error, member, strlen(member));
            return MCPW_E_FORMAT;
        }
    }
    return MCPW_OK;
}
