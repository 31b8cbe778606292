/* SPDX-License-Identifier: MIT */
/* An HTTP client with libcurl's multi interface. Its sockets are in one set, so the loop waits for that only.
 */
#include "curl_loop.h"
#include "http_curl.h"
#include "http_login.h"
#include "os.h"

#include <mcpw/detail/http_origins.h>
#include <mcpw/detail/session.h>
#include <mcpw/envelope.h>
#include <mcpw/http_connect.h>

#include <curl/curl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    CONNECT_TIMEOUT = 30000,
    CONNECTIONS = 16,
    MORE_CONNECTIONS = 2, /* for messages that requests may wait for */
    PATIENCE = 2000,
    MOST_EVENTS = 16,   /* of sockets at once */
    FIRST_STATUS = 200, /* a lower status is not the final response */
    REDIRECTS = 5,
    MOST_SKIPPED = 1 << 16, /* bytes of a body that nobody needs: more of it ends the connection */
    MOST_ROUNDS = 4         /* of one call of work(): the caller checks the time after these */
};

typedef struct connection {
    mcpw_session *session;
    mcpw_http_client *http;
    mcpw_curl_loop loop;               /* the transport's handle is that of its set */
    mcpw_curl_loop more;               /* has connections of its own, and the same set */
    size_t busy;                       /* requests of `loop` */
    mcpw_http_connect_options options; /* the texts are copies in memory */
    mcpw_arena memory;
    bool has_output; /* the session has output */
    bool has_more;   /* work() stopped before everything was done */
    bool is_ending;  /* end() was called */
    bool is_joined;  /* the set has that of the login */
    CURLU *url;      /* the URL of all requests */
    struct transfer *transfers;
} connection;

/* A request of libcurl. */
typedef struct transfer {
    struct transfer *next;
    struct transfer *previous;
    connection *connection;
    mcpw_http_call *call;
    mcpw_http_order order; /* lives as long as the call */
    CURL *easy;
    mcpw_curl_loop *loop; /* of the connection, which carries it out; NULL: neither */
    struct curl_slist *head;
    mcpw_curl_head response_head;
    size_t skipped; /* bytes of a body that is not used */
    bool is_enough; /* the core needs no more of the response */
    bool is_held;   /* the core wants the rest later */
    CURLU *url;     /* the target of a redirect; NULL: the URL of all requests */
    unsigned redirects;
    bool is_redirected; /* repeat the request at url when this response has ended */
    mcpw_oauth_pass pass;
    bool waits;       /* for the login */
    bool is_refused;  /* the server has refused its token */
    bool is_repeated; /* repeat the request with other fields when this response has ended */
    bool is_given_up; /* end the call with `refusal` when this response has ended */
    mcpw_error refusal;
    char why[CURL_ERROR_SIZE];
} transfer;

/* ---- Transfers ----------------------------------------------------------------------------------------- */

/* True if a request carries a response or a notification. */
static bool wants_no_response(const transfer *t) {
    const mcpw_json body = {t->order.body.ptr, t->order.body.len, 0};
    mcpw_message_envelope e;
    return body.len != 0 && mcpw_envelope_read(&e, body, 0, NULL) == MCPW_OK &&
           e.kind != MCPW_MESSAGE_REQUEST;
}

/* Hands a request to libcurl. Requests may take all connections, and may end only after the server has a
 * response of the client. Responses and notifications then use connections of their own. */
static bool put_in(connection *c, transfer *t) {
    const bool is_full = c->busy >= c->options.max_connections;
    mcpw_curl_loop *const loop = is_full && wants_no_response(t) ? &c->more : &c->loop;
    if (curl_multi_add_handle(loop->multi, t->easy) != CURLM_OK) {
        return false;
    }
    t->loop = loop;
    c->busy += loop == &c->loop ? 1 : 0;
    return true;
}

/* Takes it back, if libcurl has it. */
static void take_out(connection *c, transfer *t) {
    if (t->loop != NULL) {
        c->busy -= t->loop == &c->loop ? 1 : 0;
        (void)curl_multi_remove_handle(t->loop->multi, t->easy);
        t->loop = NULL;
    }
}

/* Frees one of a connection's transfers. */
static void free_transfer(connection *c, transfer *t) {
    take_out(c, t);
    curl_easy_cleanup(t->easy);
    *(c->transfers == t ? &c->transfers : &t->previous->next) = t->next;
    if (t->next != NULL) {
        t->next->previous = t->previous;
    }
    mcpw_curl_free_fields(t->head);
    curl_url_cleanup(t->url);
    mcpw_curl_head_free(&t->response_head);
    free(t);
}

/* ---- Redirects ---- */

/* True if a part is the same in two URLs, or each URL has the given value. */
static bool is_part(CURLU *from, CURLU *to, CURLUPart part, const char *first, const char *second) {
    char *a = NULL;
    char *b = NULL;
    const bool are_there = curl_url_get(from, part, &a, CURLU_DEFAULT_PORT) == CURLUE_OK &&
                           curl_url_get(to, part, &b, CURLU_DEFAULT_PORT) == CURLUE_OK;
    const bool is = are_there && (first == NULL ? curl_strequal(a, b) != 0
                                                : strcmp(a, first) == 0 && strcmp(b, second) == 0);
    curl_free(a);
    curl_free(b);
    return is;
}

/* True if credentials for one URL may go to another: within one origin, or from http to https of the same
 * host at the default ports. */
static bool may_follow(CURLU *from, CURLU *to) {
    const bool is_same =
        is_part(from, to, CURLUPART_SCHEME, NULL, NULL) && is_part(from, to, CURLUPART_PORT, NULL, NULL);
    const bool is_safer = is_part(from, to, CURLUPART_SCHEME, "http", "https") &&
                          is_part(from, to, CURLUPART_PORT, "80", "443");
    return is_part(from, to, CURLUPART_HOST, NULL, NULL) && (is_same || is_safer);
}

/* The target of a redirect, if it may be followed; otherwise NULL. */
static CURLU *target_of(const transfer *t, const char *location) {
    const connection *const c = t->connection;
    CURLU *const from = t->url != NULL ? t->url : c->url;
    CURLU *const to = curl_url_dup(from);
    if (to != NULL && (curl_url_set(to, CURLUPART_URL, location, 0) != CURLUE_OK || !may_follow(from, to))) {
        curl_url_cleanup(to);
        return NULL;
    }
    return to;
}

static const char *find_location(transfer *t, mcpw_buffer *out) {
    size_t at = 0;
    const mcpw_str value = mcpw_curl_head_next(&t->response_head, "Location", &at);
    return value.ptr != NULL && mcpw_buffer_append(out, value.ptr, value.len) == MCPW_OK &&
                   mcpw_buffer_append(out, "", 1) == MCPW_OK
               ? out->data
               : NULL;
}

/* True if a redirect repeats the request with its method and body. The request is repeated when the response
 * has ended, and the core does not see the redirect. (RFC 9110, sections 15.4.8 and 15.4.9.) */
static bool is_followed(transfer *t, long status) {
    enum { TEMPORARY = 307, PERMANENT = 308 };
    connection *const c = t->connection;
    mcpw_buffer text = MCPW_BUFFER_INIT;
    if ((status != TEMPORARY && status != PERMANENT) || c->options.follow_redirects == MCPW_OFF ||
        t->redirects >= c->options.max_redirects) {
        return false;
    }
    const char *const location = find_location(t, &text);
    CURLU *const to = location != NULL ? target_of(t, location) : NULL;
    mcpw_buffer_free(&text);
    if (to == NULL) {
        return false;
    }
    curl_url_cleanup(t->url);
    t->url = to;
    t->redirects++;
    t->is_redirected = true;
    CURLU *const all = status == PERMANENT ? curl_url_dup(to) : NULL;
    if (all != NULL) {
        curl_url_cleanup(c->url);
        c->url = all;
    }
    return true;
}

/* ---- Logins ---- */

/* The values of a field, with commas between them. Absent: none, or no memory. */
static mcpw_str join_values(const transfer *t, const char *name, mcpw_buffer *out) {
    size_t at = 0;
    mcpw_status status = MCPW_OK;
    for (mcpw_str value = mcpw_curl_head_next(&t->response_head, name, &at);
         value.ptr != NULL && status == MCPW_OK; value = mcpw_curl_head_next(&t->response_head, name, &at)) {
        status = out->data != NULL ? mcpw_buffer_append(out, ", ", 2) : MCPW_OK;
        status = status == MCPW_OK ? mcpw_buffer_append(out, value.ptr, value.len) : status;
    }
    return status == MCPW_OK && out->data != NULL ? (mcpw_str){out->data, out->len} : (mcpw_str){NULL, 0};
}

/* True if the login keeps a response from the core: the request is repeated, or fails. */
static bool is_taken_by_login(transfer *t, long status) {
    const connection *const c = t->connection;
    mcpw_http_login *const login = c->options.login;
    mcpw_buffer challenges = MCPW_BUFFER_INIT;
    char *peer = NULL;
    size_t at = 0;
    if (login == NULL || c->is_ending) {
        return false;
    }
    if (mcpw_curl_proxy(c->options.proxy) == NULL) {
        (void)curl_easy_getinfo(t->easy, CURLINFO_PRIMARY_IP, &peer);
    }
    const mcpw_http_login_response response = {
        .status = (int)status,
        .www_authenticate = join_values(t, "WWW-Authenticate", &challenges),
        .dpop_nonce = mcpw_curl_head_next(&t->response_head, "DPoP-Nonce", &at),
        .peer = peer};
    const mcpw_oauth_action action = login->answered(login, &t->pass, &response, &t->refusal);
    mcpw_buffer_free(&challenges);
    t->is_given_up = action == MCPW_OAUTH_GIVE_UP;
    t->is_refused = action == MCPW_OAUTH_BEGIN;
    t->is_repeated = action == MCPW_OAUTH_BEGIN || action == MCPW_OAUTH_AGAIN;
    return t->is_given_up || t->is_repeated;
}

/* ---- The response ---- */

static bool give_head(transfer *t) {
    long status = 0;
    if (!mcpw_curl_head_cut(&t->response_head) ||
        curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status) != CURLE_OK) {
        return false;
    }
    if (!is_followed(t, status) && !is_taken_by_login(t, status)) {
        mcpw_http_call_head(t->call, (int)status, t->response_head.fields, t->response_head.field_count);
    }
    return true;
}

static size_t on_head(char *bytes, size_t one, size_t len, void *self) {
    transfer *const t = self;
    mcpw_buffer *const lines = &t->response_head.lines;
    long status = 0;
    const size_t size = one * len;
    const bool is_end = size != 0 && (bytes[0] == '\r' || bytes[0] == '\n');
    if (!is_end) {
        return size <= MCPW_CURL_MOST_HEAD - lines->len && mcpw_buffer_append(lines, bytes, size) == MCPW_OK
                   ? size
                   : 0;
    }
    (void)curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    const bool is_given = status < FIRST_STATUS || give_head(t);
    lines->len = 0;
    return is_given ? size : 0;
}

static size_t on_body(char *bytes, size_t one, size_t len, void *self) {
    transfer *const t = self;
    if (t->is_redirected || t->is_repeated || t->is_given_up) {
        t->skipped += one * len;
        t->is_enough = t->skipped > MOST_SKIPPED;
        return t->is_enough ? 0 : one * len;
    }
    t->is_held = mcpw_http_call_is_held(t->call);
    if (t->is_held) {
        return CURL_WRITEFUNC_PAUSE; /* libcurl passes the same bytes again */
    }
    t->is_enough = !mcpw_http_call_body(t->call, bytes, one * len);
    return t->is_enough ? 0 : one * len;
}

/* ---- The request ---- */

/* Adds a field of the order, unless the login has one of that name. */
static mcpw_status add_field(transfer *t, const mcpw_http_field *field) {
    for (size_t i = 0; i < t->pass.field_count; i++) {
        const mcpw_str name = t->pass.fields[i].name;
        if (name.len == field->name.len && curl_strnequal(name.ptr, field->name.ptr, name.len) != 0) {
            return MCPW_OK;
        }
    }
    return mcpw_curl_add_fields(&t->head, field, 1);
}

static mcpw_status write_head(transfer *t) {
    mcpw_status status = MCPW_OK;
    mcpw_curl_free_fields(t->head);
    t->head = NULL;
    for (size_t i = 0; status == MCPW_OK && i < t->order.field_count; i++) {
        status = add_field(t, t->order.fields + i);
    }
    status = status == MCPW_OK ? mcpw_curl_add_fields(&t->head, t->pass.fields, t->pass.field_count) : status;
    if (status == MCPW_OK) { /* send the body without waiting for "100 Continue" */
        struct curl_slist *const more = curl_slist_append(t->head, "Expect:");
        status = more != NULL ? MCPW_OK : MCPW_E_MEMORY;
        t->head = more != NULL ? more : t->head;
    }
    return status;
}

/* Sets the URL of a transfer; libcurl copies it. */
static bool set_url(const transfer *t) {
    char *text = NULL;
    const bool is_set =
        curl_url_get(t->url != NULL ? t->url : t->connection->url, CURLUPART_URL, &text, 0) == CURLUE_OK &&
        curl_easy_setopt(t->easy, CURLOPT_URL, text) == CURLE_OK;
    curl_free(text);
    return is_set;
}

#define SET(option, value) (is_set = is_set && curl_easy_setopt(t->easy, (option), (value)) == CURLE_OK)

static bool set_up(transfer *t) {
    const mcpw_http_order *const order = &t->order;
    const mcpw_http_connect_options *const options = &t->connection->options;
    bool is_set = true;
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_OPENSOCKETFUNCTION, mcpw_curl_open_socket);
    SET(CURLOPT_TCP_KEEPALIVE, 1L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)options->connect_timeout_ms);
    SET(CURLOPT_ERRORBUFFER, t->why);
    SET(CURLOPT_PRIVATE, (void *)t);
    SET(CURLOPT_HEADERFUNCTION, on_head);
    SET(CURLOPT_HEADERDATA, (void *)t);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, (void *)t);
    if (options->proxy != NULL) {
        SET(CURLOPT_PROXY, options->proxy);
    }
    if (options->ca_file != NULL) {
        SET(CURLOPT_CAINFO, options->ca_file);
    }
    if (options->cert_file != NULL) {
        SET(CURLOPT_SSLCERT, options->cert_file);
    }
    if (options->key_file != NULL) {
        SET(CURLOPT_SSLKEY, options->key_file);
    }
    if (strcmp(order->method, "POST") == 0) {
        SET(CURLOPT_POST, 1L);
        SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)order->body.len);
        SET(CURLOPT_POSTFIELDS, order->body.ptr);
    } else if (strcmp(order->method, "DELETE") == 0) {
        SET(CURLOPT_CUSTOMREQUEST, order->method);
    }
    return is_set;
}

/* Ends a call that cannot be started. */
static void end_unmade(mcpw_http_call *call, const char *why) {
    mcpw_error error;
    mcpw_error_set(&error, MCPW_E_CONNECTION, 0, "%s", why);
    mcpw_http_call_end(call, &error);
}

/* Ends a call whose transfer is of no more use. */
static void end_transfer(connection *c, transfer *t, const mcpw_error *error) {
    mcpw_http_call *const call = t->call;
    free_transfer(c, t);
    mcpw_http_call_end(call, error);
}

/* Ends a call for which the login has no token. */
static void end_unauthorized(connection *c, transfer *t, const mcpw_error *why) {
    mcpw_error error = *why;
    error.code = MCPW_E_UNAUTHORIZED;
    end_transfer(c, t, &error);
}

/* Gets the header fields of the login. False: the request waits for it, or has ended. */
static bool take_pass(connection *c, transfer *t) {
    mcpw_http_login *const login = c->options.login;
    mcpw_error error = {.code = MCPW_OK};
    t->waits = false;
    if (login == NULL) {
        return true;
    }
    const mcpw_status status = login->fields(login, t->order.method, &t->pass, &error);
    if (status == MCPW_PENDING && c->is_ending) {
        return true; /* nobody waits for a login any more */
    }
    if (status != MCPW_OK && status != MCPW_PENDING) {
        end_unauthorized(c, t, &error); /* which frees it */
        return false;
    }
    t->waits = status == MCPW_PENDING;
    return status == MCPW_OK;
}

/* Hands the request to libcurl, or lets it wait for the login. */
static void launch(connection *c, transfer *t) {
    if (!take_pass(c, t)) {
        return;
    }
    t->is_refused = t->is_repeated = t->is_enough = false;
    t->skipped = 0;
    if (write_head(t) != MCPW_OK || curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, t->head) != CURLE_OK ||
        !set_url(t) || !put_in(c, t)) {
        mcpw_http_call *const call = t->call;
        free_transfer(c, t);
        end_unmade(call, "libcurl cannot make this request");
    }
}

static void make(connection *c, const mcpw_http_order *order) {
    transfer *const t = calloc(1, sizeof *t);
    if (t == NULL) {
        end_unmade(order->call, "no memory for a request of HTTP");
        return;
    }
    t->connection = c;
    t->call = order->call;
    t->order = *order;
    t->response_head = (mcpw_curl_head)MCPW_CURL_HEAD_INIT;
    t->pass = (mcpw_oauth_pass)MCPW_OAUTH_PASS_INIT;
    t->next = c->transfers;
    if (t->next != NULL) {
        t->next->previous = t;
    }
    c->transfers = t;
    mcpw_http_call_set_user(order->call, t);
    t->easy = curl_easy_init();
    if (t->easy == NULL || !set_up(t)) {
        free_transfer(c, t);
        end_unmade(order->call, "libcurl cannot make this request");
        return;
    }
    launch(c, t);
}

/* ---- Events -------------------------------------------------------------------------------------------- */

/* Repeats a request at the target of its redirect. */
static bool make_again(transfer *t) {
    connection *const c = t->connection;
    t->is_redirected = t->is_enough = false;
    t->skipped = 0;
    take_out(c, t);
    return set_url(t) && put_in(c, t);
}

static void end_one(connection *c, transfer *t, CURLcode code) {
    const bool is_good = code == CURLE_OK || t->is_enough;
    mcpw_error error;
    if (t->is_given_up) {
        end_unauthorized(c, t, &t->refusal);
        return;
    }
    if (t->is_repeated) { /* also if the rest of the refusal was lost */
        take_out(c, t);
        t->waits = t->is_refused; /* its token may still be good for other requests, but not for this one */
        if (!t->waits) {
            launch(c, t);
        }
        return;
    }
    if (t->is_redirected && is_good && make_again(t)) {
        return;
    }
    if (!is_good) {
        mcpw_curl_explain(&error, t->why, code);
    }
    end_transfer(c, t, is_good ? NULL : &error);
}

/* Ends the calls whose transfers have ended; true: there were some. */
static bool end_transfers(connection *c, const mcpw_curl_loop *loop) {
    bool any = false;
    CURLcode result;
    for (CURL *easy; (easy = mcpw_curl_loop_ended(loop, &result)) != NULL;) {
        transfer *t = NULL;
        if (curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&t) == CURLE_OK && t != NULL) {
            any = true;
            end_one(c, t, result);
        }
    }
    return any;
}

/* Goes on with the login. When it has ended, the requests that waited for it are sent, or fail. */
static void log_in(connection *c) {
    mcpw_http_login *const login = c->options.login;
    mcpw_error error = {.code = MCPW_OK};
    if (login == NULL) {
        return;
    }
    mcpw_status status = MCPW_E_UNAUTHORIZED;
    if (c->is_ending) {
        mcpw_error_set(&error, MCPW_E_UNAUTHORIZED, 0, "the client was closed during the login");
    } else {
        status = login->work(login, &error);
    }
    mcpw_session_hold(c->session, status == MCPW_PENDING, mcpw_io_now());
    if (status == MCPW_PENDING) {
        return;
    }
    for (transfer *t = c->transfers, *next = NULL; t != NULL; t = next) {
        next = t->next;
        if (t->waits && status != MCPW_OK && (t->is_refused || c->is_ending)) {
            end_unauthorized(c, t, &error);
        } else if (t->waits) {
            launch(c, t);
        }
    }
}

/* Carries out the orders of the core until there are none; *any: there was one. */
static mcpw_status follow(connection *c, bool *any, mcpw_error *error) {
    mcpw_http_order order;
    mcpw_status status;
    c->has_output = false;
    while ((status = mcpw_http_client_next(c->http, &order, error)) == MCPW_OK) {
        *any = true;
        if (!order.gives_up) {
            make(c, &order);
        } else if (mcpw_http_call_user(order.call) != NULL) {
            free_transfer(c, mcpw_http_call_user(order.call));
        }
    }
    return status == MCPW_PENDING ? MCPW_OK : status;
}

/* Lets libcurl process its sockets and timeouts. */
static void drive(connection *c) {
    mcpw_os_ready ready[MOST_EVENTS];
    const size_t count = mcpw_os_set_take(c->loop.set, ready, MOST_EVENTS, 0);
    for (size_t i = 0; i < count; i++) { /* libcurl ignores a socket that the loop does not have */
        mcpw_curl_loop_ready(&c->loop, ready + i);
        mcpw_curl_loop_ready(&c->more, ready + i);
    }
    mcpw_curl_loop_tick(&c->loop);
    mcpw_curl_loop_tick(&c->more);
}

/* Continues the transfers that the core had paused; their kept bytes arrive at once. */
static bool let_go(connection *c) {
    bool any = false;
    for (transfer *t = c->transfers; t != NULL; t = t->next) {
        if (t->is_held && !mcpw_http_call_is_held(t->call)) {
            t->is_held = false;
            any = true;
            (void)curl_easy_pause(t->easy, CURLPAUSE_CONT); /* a failure ends the transfer */
        }
    }
    return any;
}

/* Limits the rounds, so that a busy server cannot keep the caller from its other work. */
static mcpw_status work(void *self, mcpw_error *error) {
    connection *const c = self;
    mcpw_status status = MCPW_OK;
    drive(c);
    c->has_more = true;
    for (int i = 0; status == MCPW_OK && c->has_more && i < MOST_ROUNDS; i++) {
        mcpw_http_client_advance(c->http, mcpw_io_now()); /* so that a delay begins when its stream ends */
        c->has_more = end_transfers(c, &c->loop);
        c->has_more = end_transfers(c, &c->more) || c->has_more;
        log_in(c);
        status = follow(c, &c->has_more, error);
        c->has_more = let_go(c) || c->has_more;
        if (c->has_more) {
            drive(c);
        }
    }
    mcpw_os_set_settle(c->loop.set);
    return status;
}

static uint64_t due(void *self) {
    const connection *const c = self;
    const mcpw_http_login *const login = c->options.login;
    const uint64_t loop = mcpw_curl_loop_due(&c->loop);
    uint64_t next = mcpw_http_client_deadline(c->http);
    if (c->has_output || c->has_more) {
        return 0;
    }
    if (login != NULL && !c->is_ending) {
        const uint64_t then = login->due(login);
        next = then < next ? then : next;
    }
    next = next < loop ? next : loop;
    return next < c->more.due ? next : c->more.due; /* it has the same set */
}

static void on_output(void *user, mcpw_session *session) {
    connection *const c = user;
    (void)session;
    c->has_output = true;
}

/* ---- Begin and end ------------------------------------------------------------------------------------- */

static void free_link(connection *c) {
    for (transfer *t = c->transfers, *next = NULL; t != NULL; t = next) {
        next = t->next;
        free_transfer(c, t);
    }
    mcpw_session_on_output(c->session, NULL, NULL);
    mcpw_session_hold(c->session, false, mcpw_io_now());
    mcpw_http_client_free(c->http);
    mcpw_curl_loop_close(&c->loop);
    mcpw_curl_loop_close(&c->more);
    if (c->is_joined) {
        mcpw_os_set_part(c->loop.set, c->options.login->set);
    }
    mcpw_os_set_free(c->loop.set);
    curl_url_cleanup(c->url);
    mcpw_arena_free(&c->memory);
    free(c);
}

/* Ends the HTTP session within the time limit. */
static void end(void *self) {
    connection *const c = self;
    const uint64_t until = mcpw_io_now() + c->options.patience_ms;
    c->is_ending = true; /* no login begins now */
    if (c->options.login != NULL) {
        c->options.login->stop(c->options.login);
    }
    mcpw_http_client_stop(c->http);
    while (work(c, NULL) == MCPW_OK && !mcpw_http_client_is_idle(c->http)) {
        const uint64_t now = mcpw_io_now();
        const uint64_t next = due(c);
        const uint64_t wait = next < until ? next : until;
        mcpw_os_ready ready;
        if (now >= until) {
            break;
        }
        (void)mcpw_os_set_take(c->loop.set, &ready, 1,
                               wait > now ? (int)(wait - now) : 0); /* work() checks the sockets again */
    }
    free_link(c);
}

/* Copies a text of the options. */
static bool copy(connection *c, const char **text) {
    if (*text != NULL) {
        *text = mcpw_arena_str(&c->memory, *text, strlen(*text)).ptr;
        return *text != NULL;
    }
    return true;
}

/* Opens libcurl with that many connections at most. */
static bool open_one(mcpw_curl_loop *loop, mcpw_os_set *set, long connections) {
    return mcpw_curl_loop_open(loop, set) &&
           curl_multi_setopt(loop->multi, CURLMOPT_MAX_HOST_CONNECTIONS, connections) == CURLM_OK;
}

/* Opens libcurl and the set of its sockets, which has those of the login as well. */
static mcpw_status open_loop(connection *c, mcpw_error *error) {
    mcpw_http_login *const login = c->options.login;
    int number;
    c->loop.set = mcpw_os_set_new(&number);
    if (c->loop.set == NULL || !open_one(&c->loop, c->loop.set, (long)c->options.max_connections) ||
        !open_one(&c->more, c->loop.set, MORE_CONNECTIONS)) {
        return mcpw_error_set(error, MCPW_E_IO, 0, "libcurl cannot be used");
    }
    c->is_joined = login != NULL && mcpw_os_set_join(c->loop.set, login->set);
    return c->is_joined || login == NULL
               ? MCPW_OK
               : mcpw_error_set(error, MCPW_E_IO, 0, "the sockets of the login cannot be watched");
}

static mcpw_status prepare(connection *c, mcpw_error *error) {
    mcpw_http_connect_options *const options = &c->options;
    mcpw_http_client_config config = MCPW_HTTP_CLIENT_CONFIG_INIT;
    if (!copy(c, &options->url) || !copy(c, &options->proxy) || !copy(c, &options->ca_file) ||
        !copy(c, &options->cert_file) || !copy(c, &options->key_file)) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory for a connection");
    }
    options->connect_timeout_ms =
        options->connect_timeout_ms != 0 ? options->connect_timeout_ms : CONNECT_TIMEOUT;
    options->max_connections = options->max_connections != 0 ? options->max_connections : CONNECTIONS;
    options->patience_ms = options->patience_ms != 0 ? options->patience_ms : PATIENCE;
    options->max_redirects = options->max_redirects != 0 ? options->max_redirects : REDIRECTS;
    c->url = curl_url();
    if (c->url == NULL || curl_url_set(c->url, CURLUPART_URL, options->url, 0) != CURLUE_OK) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the URL cannot be used");
    }
    if (!MCPW_TAKE(&config, on_failure, options->http)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "http was not initialised with MCPW_HTTP_CLIENT_CONFIG_INIT");
    }
    if (options->login != NULL && strcmp(options->login->url, options->url) != 0) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the login is for another URL");
    }
    options->follow_redirects = options->login != NULL ? MCPW_OFF : options->follow_redirects;
    config.session = c->session;
    c->http = mcpw_http_client_new(&config, error);
    if (c->http == NULL) {
        return error != NULL && error->code != MCPW_OK ? error->code : MCPW_E_ARGUMENT;
    }
    options->http = NULL; /* the client has a copy */
    return open_loop(c, error);
}

/* True if a text begins like an HTTP URL; libcurl checks the rest. */
static bool is_url(const char *url) {
    return url != NULL && (strncmp(url, "http://", sizeof "http://" - 1) == 0 ||
                           strncmp(url, "https://", sizeof "https://" - 1) == 0);
}

mcpw_status mcpw_http_transport(const mcpw_http_connect_options *options, mcpw_session *session,
                                mcpw_transport *transport, mcpw_error *error) {
    mcpw_error local = {.code = MCPW_OK};
    mcpw_http_connect_options own = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    if (options == NULL || !MCPW_TAKE(&own, follow_redirects, options) || session == NULL ||
        transport == NULL || !is_url(own.url)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "a URL with http or https is needed: see MCPW_HTTP_CONNECT_OPTIONS_INIT");
    }
    connection *const c = calloc(1, sizeof *c);
    if (c == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory for a connection");
    }
    c->session = session;
    c->options = own;
    c->memory = (mcpw_arena)MCPW_ARENA_INIT;
    const mcpw_status status = prepare(c, &local);
    if (status != MCPW_OK) {
        if (error != NULL) {
            *error = local;
        }
        free_link(c);
        return status;
    }
    mcpw_session_on_output(session, on_output, c);
    *transport = (mcpw_transport){
        .self = c, .fd = mcpw_os_set_handle(c->loop.set), .work = work, .due = due, .end = end};
    return MCPW_OK;
}

static mcpw_status begin(void *user, mcpw_session *session, mcpw_transport *transport, mcpw_error *error) {
    return mcpw_http_transport(user, session, transport, error);
}

mcpw_client *mcpw_client_connect(const mcpw_http_connect_options *options, const mcpw_session_config *config,
                                 mcpw_error *error) {
    mcpw_http_connect_options own = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    mcpw_session_config known = MCPW_SESSION_CONFIG_INIT;
    if (!MCPW_TAKE(&own, follow_redirects, options) || config == NULL ||
        !MCPW_TAKE(&known, diagnostic_user, config) || own.origins == NULL || !is_url(own.url)) {
        return mcpw_client_over(begin, &own, config, error);
    }
    mcpw_arena arena = MCPW_ARENA_INIT;
    known.revisions = mcpw_http_origins_revisions(own.origins, own.url, &known, &arena);
    mcpw_client *const client = mcpw_client_over(begin, &own, &known, error);
    mcpw_http_origins_learn(own.origins, own.url, mcpw_client_session(client));
    mcpw_arena_free(&arena);
    return client;
}
