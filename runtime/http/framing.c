/* SPDX-License-Identifier: MIT */
/* A request that two readers can read in two ways is a way past whoever has read it first: a proxy sees one
 * request where the server sees two, or another host. Such a request is refused, and its connection ends. */
#include "framing.h"

#include "fields.h"

/* ---- The target ---- */

/* The length of "http://" or "https://" in front of a text; 0: neither is there. */
static size_t scheme_of(mcpw_str text) {
    static const mcpw_str schemes[] = {MCPW_STR("http://"), MCPW_STR("https://")};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        const size_t len = schemes[i].len;
        if (text.len >= len && mcpw_header_is((mcpw_str){text.ptr, len}, schemes[i])) {
            return len;
        }
    }
    return 0;
}

/* How many bytes come before the first of those marks. */
static size_t length_until(mcpw_str text, const char *marks) {
    size_t len = 0;
    while (len < text.len && (text.ptr[len] == '\0' || strchr(marks, text.ptr[len]) == NULL)) {
        len++;
    }
    return len;
}

mcpw_target mcpw_target_of(mcpw_str target) {
    mcpw_target cut = {{NULL, 0}, target};
    const size_t scheme = scheme_of(target);
    if (scheme != 0) {
        const mcpw_str rest = {target.ptr + scheme, target.len - scheme};
        cut.authority = (mcpw_str){rest.ptr, length_until(rest, "/?#")};
        cut.path = (mcpw_str){rest.ptr + cut.authority.len, rest.len - cut.authority.len};
    }
    cut.path.len = length_until(cut.path, "?");
    if (scheme != 0 && cut.path.len == 0) {
        cut.path = MCPW_STR_VALUE("/");
    }
    return cut;
}

/* ---- Hosts ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

mcpw_str mcpw_host_without_port(mcpw_str host) {
    size_t len = host.len;
    while (len != 0 && is_digit(host.ptr[len - 1])) {
        len--;
    }
    return len != 0 && host.ptr[len - 1] == ':' ? (mcpw_str){host.ptr, len - 1} : host;
}

/* Whether a byte can stand in the name of a host, or with a colon in an address of IPv6. */
static bool is_of_name(char c) {
    static const char marks[] = "-._~!$&'()*+,;=%";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
           (c != '\0' && strchr(marks, c) != NULL);
}

/* Whether a text is a host with or without a port. An empty one is: it names nobody. (RFC 3986, 3.2.2.) */
static bool is_host(mcpw_str text) {
    const mcpw_str host = mcpw_host_without_port(text);
    size_t from = 0;
    size_t to = host.len;
    if (host.len >= 2 && host.ptr[0] == '[' && host.ptr[host.len - 1] == ']') {
        from = 1;
        to = host.len - 1;
    }
    for (size_t i = from; i < to; i++) {
        if (!is_of_name(host.ptr[i]) && !(from != 0 && host.ptr[i] == ':')) {
            return false;
        }
    }
    return true;
}

/* ---- The parts of a head ---- */

static bool is_control(char c) { return (unsigned char)c < ' ' || c == '\x7f'; }

static const char *fault_of_target(mcpw_str target) {
    for (size_t i = 0; i < target.len; i++) {
        if (is_control(target.ptr[i]) || target.ptr[i] == ' ' || (unsigned char)target.ptr[i] > '~') {
            return "Bad request: a byte of the target cannot stand there";
        }
    }
    const mcpw_target cut = mcpw_target_of(target);
    if (target.len == 0 ||
        (cut.authority.ptr != NULL && (cut.authority.len == 0 || !is_host(cut.authority)))) {
        return "Bad request: the target is no path, and no URL of http or https";
    }
    return NULL;
}

static const char *fault_of_fields(const mcpw_http_field *fields, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!mcpw_header_is_token(fields[i].name)) {
            return "Bad request: the name of a header field is none";
        }
        for (size_t at = 0; at < fields[i].value.len; at++) {
            if (is_control(fields[i].value.ptr[at]) && fields[i].value.ptr[at] != '\t') {
                return "Bad request: a control character stands in a header field";
            }
        }
    }
    return NULL;
}

static const char *fault_of_host(const mcpw_http_request *request) {
    const mcpw_str target = mcpw_target_of(request->path).authority;
    mcpw_str host;
    const size_t count =
        mcpw_header_find(request->fields, request->field_count, MCPW_STR_VALUE("Host"), &host);
    if (count != 1) {
        return count == 0 ? "Bad request: the header field Host is missing"
                          : "Bad request: the header field Host stands there twice";
    }
    if (!is_host(host)) {
        return "Bad request: the value of Host is no host";
    }
    if (target.ptr != NULL && !mcpw_header_is(mcpw_host_without_port(host), mcpw_host_without_port(target))) {
        return "Bad request: Host and the target name two hosts";
    }
    return NULL;
}

bool mcpw_framing_length(mcpw_str text, uint64_t *length) {
    enum { BASE = 10 };
    *length = 0;
    for (size_t i = 0; i < text.len; i++) {
        const unsigned digit = (unsigned)(text.ptr[i] - '0');
        if (!is_digit(text.ptr[i]) || *length > (UINT64_MAX - digit) / BASE) {
            return false;
        }
        *length = *length * BASE + digit;
    }
    return text.len != 0;
}

static const char *fault_of_length(const mcpw_http_request *request) {
    mcpw_str length;
    mcpw_str coding;
    uint64_t bytes;
    const size_t lengths =
        mcpw_header_find(request->fields, request->field_count, MCPW_STR_VALUE("Content-Length"), &length);
    const size_t codings =
        mcpw_header_find(request->fields, request->field_count, MCPW_STR_VALUE("Transfer-Encoding"), &coding);
    if (lengths > 1 || (lengths == 1 && !mcpw_framing_length(length, &bytes))) {
        return "Bad request: Content-Length is not one number";
    }
    if (codings > 1 || (codings == 1 && !mcpw_header_is(coding, MCPW_STR_VALUE("chunked")))) {
        return "Bad request: Transfer-Encoding is not chunked alone";
    }
    if (lengths != 0 && codings != 0) {
        return "Bad request: Content-Length and Transfer-Encoding stand side by side";
    }
    return NULL;
}

const char *mcpw_framing_fault(const mcpw_http_request *request) {
    const char *fault = fault_of_target(request->path);
    fault = fault == NULL ? fault_of_fields(request->fields, request->field_count) : fault;
    fault = fault == NULL ? fault_of_host(request) : fault;
    return fault == NULL ? fault_of_length(request) : fault;
}
