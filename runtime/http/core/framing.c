/* SPDX-License-Identifier: MIT */
/* A request that two readers understand differently can bypass the first reader: a proxy sees one request
 * where the server sees two, or sees another host. The server refuses such a request and closes its
 * connection. */
#include "framing.h"

#include "fields.h"

/* ---- Bytes ---- */

/* True for a character of reg-name. (RFC 3986, 3.2.2.) Every request needs this check, so it must be fast. */
static bool is_of_name(char c) {
    static const uint32_t bits[] = {0x00000000U, 0x2bff7ff2U, 0x87fffffeU, 0x47fffffeU};
    enum { BITS = 32, ASCII = 128 };
    const unsigned char byte = (unsigned char)c;
    return byte < ASCII && (bits[byte / BITS] >> (byte % BITS) & 1) != 0;
}

static bool is_control(char c) { return (unsigned char)c < ' ' || c == '\x7f'; }

/* True if one of eight bytes may be a control character. Tabs count. */
static bool may_have_control(const char *bytes) {
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    const uint64_t deletes = word ^ (ones * 0x7f);
    return ((((word - ones * ' ') & ~word) | ((deletes - ones) & ~deletes)) & (ones << 7)) != 0;
}

static bool has_control(mcpw_str value) {
    enum { WORD = sizeof(uint64_t) };
    bool may = value.len < WORD || may_have_control(value.ptr + value.len - WORD);
    for (size_t i = 0; !may && i + WORD < value.len; i += WORD) {
        may = may_have_control(value.ptr + i);
    }
    for (size_t i = 0; may && i < value.len; i++) {
        if (is_control(value.ptr[i]) && value.ptr[i] != '\t') {
            return true;
        }
    }
    return false;
}

/* ---- The target ---- */

/* The length of "http://" or "https://" in front of a text; 0: neither. */
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

/* The number of bytes before the first of the marks. */
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
    const char *const query = cut.path.len != 0 ? memchr(cut.path.ptr, '?', cut.path.len) : NULL;
    cut.path.len = query != NULL ? (size_t)(query - cut.path.ptr) : cut.path.len;
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

/* True if a text is a host with or without a port. An empty text is valid. (RFC 3986, 3.2.2.) */
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

/* The fields that frame a request or name its host. */
typedef enum frame_part { HOST, LENGTH, CODING, FRAME_PARTS } frame_part;

typedef struct frame {
    mcpw_str value[FRAME_PARTS]; /* of the last field */
    size_t count[FRAME_PARTS];
} frame;

static const char *fault_of_target(mcpw_str target) {
    for (size_t i = 0; i < target.len; i++) {
        if (is_control(target.ptr[i]) || target.ptr[i] == ' ' || (unsigned char)target.ptr[i] > '~') {
            return "Bad request: the target has an invalid byte";
        }
    }
    if (target.len != 0 && *target.ptr == '/') {
        return NULL;
    }
    const mcpw_target cut = mcpw_target_of(target);
    if (target.len == 0 ||
        (cut.authority.ptr != NULL && (cut.authority.len == 0 || !is_host(cut.authority)))) {
        return "Bad request: the target is neither a path nor a URL with http or https";
    }
    return NULL;
}

static const char *fault_of_fields(const mcpw_http_field *fields, size_t count, frame *found) {
    static const mcpw_str names[FRAME_PARTS] = {MCPW_STR("Host"), MCPW_STR("Content-Length"),
                                                MCPW_STR("Transfer-Encoding")};
    for (size_t i = 0; i < count; i++) {
        if (!mcpw_header_is_token(fields[i].name)) {
            return "Bad request: the name of a header field is invalid";
        }
        if (has_control(fields[i].value)) {
            return "Bad request: a header field has a control character";
        }
        for (size_t part = 0; part < FRAME_PARTS; part++) {
            if (fields[i].name.len == names[part].len && mcpw_header_is(fields[i].name, names[part])) {
                found->value[part] = mcpw_header_trim(fields[i].value);
                found->count[part]++;
            }
        }
    }
    return NULL;
}

static const char *fault_of_host(mcpw_str target, const frame *found) {
    const mcpw_str host = found->value[HOST];
    if (found->count[HOST] != 1) {
        return found->count[HOST] == 0 ? "Bad request: the header field Host is missing"
                                       : "Bad request: the header field Host occurs twice";
    }
    if (!is_host(host)) {
        return "Bad request: the value of Host is invalid";
    }
    const mcpw_str authority = *target.ptr != '/' ? mcpw_target_of(target).authority : (mcpw_str){NULL, 0};
    if (authority.ptr != NULL &&
        !mcpw_header_is(mcpw_host_without_port(host), mcpw_host_without_port(authority))) {
        return "Bad request: Host and the target name different hosts";
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

static const char *fault_of_length(const frame *found) {
    uint64_t bytes;
    if (found->count[LENGTH] > 1 ||
        (found->count[LENGTH] == 1 && !mcpw_framing_length(found->value[LENGTH], &bytes))) {
        return "Bad request: Content-Length is not a single number";
    }
    if (found->count[CODING] > 1 ||
        (found->count[CODING] == 1 && !mcpw_header_is(found->value[CODING], MCPW_STR_VALUE("chunked")))) {
        return "Bad request: Transfer-Encoding is not chunked alone";
    }
    if (found->count[LENGTH] != 0 && found->count[CODING] != 0) {
        return "Bad request: Content-Length and Transfer-Encoding are both present";
    }
    return NULL;
}

const char *mcpw_framing_fault(const mcpw_http_request *request) {
    frame found = {{{NULL, 0}, {NULL, 0}, {NULL, 0}}, {0, 0, 0}};
    const char *fault = fault_of_target(request->path);
    fault = fault == NULL ? fault_of_fields(request->fields, request->field_count, &found) : fault;
    fault = fault == NULL ? fault_of_host(request->path, &found) : fault;
    return fault == NULL ? fault_of_length(&found) : fault;
}
