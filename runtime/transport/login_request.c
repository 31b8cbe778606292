/* SPDX-License-Identifier: MIT */
/* Requests of a login, by libcurl: one at a time, without redirects, and only to addresses that are checked.
 */
#include "os_net.h"

#include "login_internal.h"

#include <mcpw/io.h>

#include <stdlib.h>

enum { FIRST_STATUS = 200 /* a lower status is not the final response */ };

struct mcpw_login_request {
    mcpw_login_network *network;
    CURL *easy;
    struct curl_slist *head;
    mcpw_curl_head response_head;
    mcpw_buffer body;
    size_t max_body;
    bool is_checked; /* connect to public addresses alone */
    bool is_own;     /* to the origin of the MCP server */
    bool is_private; /* an address was refused */
    bool is_too_long;
    char why[CURL_ERROR_SIZE];
};

/* ---- Addresses ----------------------------------------------------------------------------------------- */

static bool is_public(const struct sockaddr *address) {
    if (address->sa_family == AF_INET) {
        const struct in_addr *const in = &((const struct sockaddr_in *)(const void *)address)->sin_addr;
        return mcpw_oauth_address_is_public((const unsigned char *)in, sizeof *in);
    }
    if (address->sa_family == AF_INET6) {
        const struct in6_addr *const in = &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
        return mcpw_oauth_address_is_public((const unsigned char *)in, sizeof *in);
    }
    return false;
}

static void note_place(mcpw_login_network *network, bool is_public_address) {
    if (network->reach == MCPW_LOGIN_UNKNOWN) {
        network->reach = is_public_address ? MCPW_LOGIN_PUBLIC : MCPW_LOGIN_PRIVATE;
    }
}

void mcpw_login_network_note_address(mcpw_login_network *network, const char *peer) {
    unsigned char address[sizeof(struct in6_addr)];
    if (inet_pton(AF_INET, peer, address) == 1) {
        note_place(network, mcpw_oauth_address_is_public(address, sizeof(struct in_addr)));
    } else if (inet_pton(AF_INET6, peer, address) == 1) {
        note_place(network, mcpw_oauth_address_is_public(address, sizeof(struct in6_addr)));
    }
}

/* Opens a socket for the address that libcurl is about to connect to, unless the address is refused. The MCP
 * server itself may have any address until it has responded, because the user has named it. */
static curl_socket_t open_socket(void *self, curlsocktype purpose, struct curl_sockaddr *address) {
    mcpw_login_request *const r = self;
    const mcpw_login_reach reach = r->network->reach;
    const bool may_be_private = reach == MCPW_LOGIN_PRIVATE || (r->is_own && reach == MCPW_LOGIN_UNKNOWN);
    if (r->is_checked && !may_be_private && !is_public(&address->addr)) {
        r->is_private = true;
        return CURL_SOCKET_BAD;
    }
    return mcpw_curl_open_socket(NULL, purpose, address);
}

/* Whether a URL has the origin of the MCP server. */
static bool is_own_origin(const char *server, const char *url) {
    static const CURLUPart parts[] = {CURLUPART_SCHEME, CURLUPART_HOST, CURLUPART_PORT};
    CURLU *const a = curl_url();
    CURLU *const b = curl_url();
    bool is_own = a != NULL && b != NULL && curl_url_set(a, CURLUPART_URL, server, 0) == CURLUE_OK &&
                  curl_url_set(b, CURLUPART_URL, url, 0) == CURLUE_OK;
    for (size_t i = 0; is_own && i < sizeof parts / sizeof *parts; i++) {
        char *one = NULL;
        char *other = NULL;
        is_own = curl_url_get(a, parts[i], &one, CURLU_DEFAULT_PORT) == CURLUE_OK &&
                 curl_url_get(b, parts[i], &other, CURLU_DEFAULT_PORT) == CURLUE_OK &&
                 curl_strequal(one, other) != 0;
        curl_free(one);
        curl_free(other);
    }
    curl_url_cleanup(a);
    curl_url_cleanup(b);
    return is_own;
}

/* ---- The response -------------------------------------------------------------------------------------- */

static size_t on_head(char *bytes, size_t one, size_t len, void *self) {
    mcpw_login_request *const r = self;
    mcpw_buffer *const lines = &r->response_head.lines;
    const size_t size = one * len;
    long status = 0;
    if (size != 0 && (bytes[0] == '\r' || bytes[0] == '\n')) {
        (void)curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &status);
        lines->len = status < FIRST_STATUS ? 0 : lines->len;
        return size;
    }
    r->is_too_long = r->is_too_long || size > MCPW_CURL_MOST_HEAD - lines->len;
    return !r->is_too_long && mcpw_buffer_append(lines, bytes, size) == MCPW_OK ? size : 0;
}

static size_t on_body(char *bytes, size_t one, size_t len, void *self) {
    mcpw_login_request *const r = self;
    const size_t size = one * len;
    r->is_too_long = r->is_too_long || size > r->max_body - r->body.len;
    return !r->is_too_long && mcpw_buffer_append(&r->body, bytes, size) == MCPW_OK ? size : 0;
}

/* ---- The request --------------------------------------------------------------------------------------- */

static void free_request(mcpw_login_request *r) {
    if (r->easy != NULL) {
        (void)curl_multi_remove_handle(r->network->loop.multi, r->easy);
        curl_easy_cleanup(r->easy);
    }
    mcpw_curl_free_fields(r->head);
    mcpw_curl_head_free(&r->response_head);
    mcpw_buffer_free(&r->body);
    free(r);
}

#define SET(option, value) (is_set = is_set && curl_easy_setopt(r->easy, (option), (value)) == CURLE_OK)

/* Sets the parts that keep a request within its limits. */
static bool set_limits(mcpw_login_request *r) {
    const mcpw_login_network *const network = r->network;
    const char *const proxy = r->is_checked ? mcpw_curl_proxy(network->proxy) : network->proxy;
    bool is_set = true;
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    SET(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    SET(CURLOPT_FRESH_CONNECT, 1L); /* each address is checked */
    SET(CURLOPT_FORBID_REUSE, 1L);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)network->connect_timeout_ms);
    if (r->is_checked) { /* by the proxy or directly, but never past the check */
        SET(CURLOPT_PROXY, proxy != NULL ? proxy : "");
        SET(CURLOPT_NOPROXY, "");
        r->is_checked = proxy == NULL;
    } else if (proxy != NULL) {
        SET(CURLOPT_PROXY, proxy);
    }
    if (network->ca_file != NULL) {
        SET(CURLOPT_CAINFO, network->ca_file);
    }
    SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
    SET(CURLOPT_OPENSOCKETDATA, (void *)r);
    return is_set;
}

static bool set_up(mcpw_login_request *r, const mcpw_oauth_order *order) {
    bool is_set = set_limits(r);
    SET(CURLOPT_ERRORBUFFER, r->why);
    SET(CURLOPT_URL, order->url.ptr);
    SET(CURLOPT_HTTPHEADER, r->head);
    SET(CURLOPT_HEADERFUNCTION, on_head);
    SET(CURLOPT_HEADERDATA, (void *)r);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, (void *)r);
    if (strcmp(order->method, "POST") == 0) {
        SET(CURLOPT_POST, 1L);
        SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)order->body.len);
        SET(CURLOPT_POSTFIELDS, order->body.ptr);
    }
    return is_set;
}

static bool write_head(mcpw_login_request *r, const mcpw_oauth_order *order) {
    if (mcpw_curl_add_fields(&r->head, order->fields, order->field_count) != MCPW_OK) {
        return false;
    }
    struct curl_slist *const more = curl_slist_append(r->head, "Expect:");
    r->head = more != NULL ? more : r->head;
    return more != NULL;
}

mcpw_status mcpw_login_request_begin(mcpw_login_network *network, const mcpw_oauth_order *order,
                                     mcpw_error *error) {
    mcpw_login_request_drop(network);
    mcpw_login_request *const r = calloc(1, sizeof *r);
    if (r == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory for a request");
    }
    r->network = network;
    r->response_head = (mcpw_curl_head)MCPW_CURL_HEAD_INIT;
    r->body = (mcpw_buffer)MCPW_BUFFER_INIT;
    r->body.allocator = mcpw_curl_wiping();
    r->response_head.lines.allocator = r->body.allocator; /* a Location may have a secret in it */
    r->max_body = order->max_body;
    r->is_checked = order->public_only;
    r->is_own = is_own_origin(network->url, order->url.ptr);
    r->easy = curl_easy_init();
    if (r->easy == NULL || !write_head(r, order) || !set_up(r, order) ||
        curl_multi_add_handle(network->loop.multi, r->easy) != CURLM_OK) {
        free_request(r);
        return mcpw_error_set(error, MCPW_E_CONNECTION, 0, "libcurl cannot make this request");
    }
    network->request = r;
    return MCPW_OK;
}

void mcpw_login_request_drop(mcpw_login_network *network) {
    if (network->request != NULL) {
        free_request(network->request);
        network->request = NULL;
    }
}

/* ---- Events -------------------------------------------------------------------------------------------- */

void mcpw_login_network_close(mcpw_login_network *network) {
    mcpw_login_request_drop(network);
    mcpw_curl_loop_close(&network->loop);
}

/* The reason why a request has no response. */
static void explain(const mcpw_login_request *r, CURLcode code, mcpw_error *error) {
    if (r->is_too_long) {
        mcpw_error_set(error, MCPW_E_SIZE, 0, "it is longer than %zu bytes", r->max_body);
    } else if (r->is_private) {
        mcpw_error_set(error, MCPW_E_CONNECTION, 0,
                       "its address is private, and the MCP server has a public one; ask its operator");
    } else {
        mcpw_curl_explain(error, r->why, code);
    }
}

/* Notes the address that has responded for the MCP server. An address that was only tried proves nothing,
 * because the owner of a name can list any. */
static void note_peer(const mcpw_login_request *r) {
    char *peer = NULL;
    if (r->is_checked && r->is_own && curl_easy_getinfo(r->easy, CURLINFO_PRIMARY_IP, &peer) == CURLE_OK &&
        peer != NULL) {
        mcpw_login_network_note_address(r->network, peer);
    }
}

static void end_request(mcpw_login_network *network, CURLcode code, mcpw_oauth *oauth) {
    mcpw_login_request *const r = network->request;
    mcpw_error error = {.code = MCPW_OK};
    long status = 0;
    network->request = NULL;
    if (code == CURLE_OK) {
        note_peer(r);
    }
    if (code == CURLE_OK && mcpw_curl_head_cut(&r->response_head) &&
        curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK) {
        mcpw_oauth_response(oauth, (int)status, r->response_head.fields, r->response_head.field_count,
                            (mcpw_str){r->body.data != NULL ? r->body.data : "", r->body.len});
    } else {
        explain(r, code, &error);
        mcpw_oauth_no_response(oauth, &error);
    }
    free_request(r);
}

void mcpw_login_network_work(mcpw_login_network *network, mcpw_oauth *oauth) {
    CURLcode result;
    mcpw_curl_loop_tick(&network->loop);
    for (CURL *easy; (easy = mcpw_curl_loop_ended(&network->loop, &result)) != NULL;) {
        if (network->request != NULL && easy == network->request->easy) {
            end_request(network, result, oauth);
        }
    }
}
