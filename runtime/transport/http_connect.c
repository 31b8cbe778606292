/* SPDX-License-Identifier: MIT */
/* An HTTP client with libcurl's multi interface. Its sockets are in one epoll descriptor, so the loop waits
 * for that only. */
#include "../base/sized.h"

#include <mcpw/detail/http_origins.h>
#include <mcpw/http_connect.h>

#include <curl/curl.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

enum {
    CONNECT_TIMEOUT = 30000,
    CONNECTIONS = 16,
    PATIENCE = 2000,
    MOST_EVENTS = 16,    /* of epoll in one call */
    FIELDS_AT_ONCE = 16, /* a list of fields grows by so many */
    FIRST_STATUS = 200,  /* a lower status is not the final response */
    REDIRECTS = 5,
    MOST_HEAD = 1 << 18, /* maximum bytes of the head of a response */
    MOST_ROUNDS = 4      /* of one call of work(): the caller checks the time after these */
};

typedef struct connection {
    mcpw_session *session;
    mcpw_http_client *http;
    CURLM *multi;
    mcpw_http_connect_options options; /* the texts are copies in memory */
    mcpw_arena memory;
    int epoll;
    uint64_t due;    /* the time when libcurl must be called; UINT64_MAX: never */
    bool has_output; /* the session has output */
    bool has_more;   /* work() stopped before everything was done */
    CURLU *url;      /* the URL of all requests */
    struct transfer *transfers;
} connection;

/* A request of libcurl. */
typedef struct transfer {
    struct transfer *next;
    struct transfer *previous;
    connection *connection;
    mcpw_http_call *call;
    CURL *easy;
    struct curl_slist *head;
    mcpw_buffer lines;       /* of the response's head */
    mcpw_http_field *fields; /* these point into lines */
    size_t field_count;
    bool is_enough; /* the core needs no more of the response */
    bool is_held;   /* the core wants the rest later */
    CURLU *url;     /* the target of a redirect; NULL: the URL of all requests */
    unsigned redirects;
    bool is_redirected; /* repeat the request at url when this response has ended */
    char why[CURL_ERROR_SIZE];
} transfer;

/* ---- Transfers ----------------------------------------------------------------------------------------- */

static void free_transfer(transfer *t) {
    connection *const c = t->connection;
    if (t->easy != NULL) {
        (void)curl_multi_remove_handle(c->multi, t->easy);
        curl_easy_cleanup(t->easy);
    }
    *(t->previous != NULL ? &t->previous->next : &c->transfers) = t->next;
    if (t->next != NULL) {
        t->next->previous = t->previous;
    }
    curl_slist_free_all(t->head);
    curl_url_cleanup(t->url);
    mcpw_buffer_free(&t->lines);
    free(t->fields);
    free(t);
}

/* ---- The head of a response ---- */

/* Adds one line of the head: "Name: value". A line without a colon, such as the status line, is ignored. */
static bool add_field(transfer *t, mcpw_str line) {
    const char *const colon = memchr(line.ptr, ':', line.len);
    if (colon == NULL) {
        return true;
    }
    if (t->field_count % FIELDS_AT_ONCE == 0) {
        mcpw_http_field *const more = realloc(t->fields, (t->field_count + FIELDS_AT_ONCE) * sizeof *more);
        if (more == NULL) {
            return false;
        }
        t->fields = more;
    }
    const size_t len = (size_t)(colon - line.ptr);
    t->fields[t->field_count++] = (mcpw_http_field){{line.ptr, len}, {colon + 1, line.len - len - 1}};
    return true;
}

/* Splits the complete head into its fields. */
static bool cut_head(transfer *t) {
    const char *at = t->lines.data;
    const char *const end = at + t->lines.len;
    t->field_count = 0;
    while (at < end) {
        const char *const line_end = memchr(at, '\n', (size_t)(end - at));
        size_t len = line_end != NULL ? (size_t)(line_end - at) : (size_t)(end - at);
        const char *const next = at + len + 1;
        len -= len != 0 && at[len - 1] == '\r' ? 1 : 0;
        if (!add_field(t, (mcpw_str){at, len})) {
            return false;
        }
        at = next;
    }
    return true;
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
    static const char name[] = "Location";
    for (size_t i = 0; i < t->field_count; i++) {
        mcpw_str value = t->fields[i].value;
        if (t->fields[i].name.len != sizeof name - 1 ||
            curl_strnequal(t->fields[i].name.ptr, name, sizeof name - 1) == 0) {
            continue;
        }
        while (value.len != 0 && (value.ptr[0] == ' ' || value.ptr[0] == '\t')) {
            value = (mcpw_str){value.ptr + 1, value.len - 1};
        }
        return mcpw_buffer_append(out, value.ptr, value.len) == MCPW_OK &&
                       mcpw_buffer_append(out, "", 1) == MCPW_OK
                   ? out->data
                   : NULL;
    }
    return NULL;
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

/* ---- The response ---- */

static bool give_head(transfer *t) {
    long status = 0;
    if (!cut_head(t) || curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status) != CURLE_OK) {
        return false;
    }
    if (!is_followed(t, status)) {
        mcpw_http_call_head(t->call, (int)status, t->fields, t->field_count);
    }
    return true;
}

static size_t on_head(char *bytes, size_t one, size_t len, void *self) {
    transfer *const t = self;
    long status = 0;
    const size_t size = one * len;
    const bool is_end = size != 0 && (bytes[0] == '\r' || bytes[0] == '\n');
    if (!is_end) {
        return size <= MOST_HEAD - t->lines.len && mcpw_buffer_append(&t->lines, bytes, size) == MCPW_OK
                   ? size
                   : 0;
    }
    (void)curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    const bool is_given = status < FIRST_STATUS || give_head(t);
    t->lines.len = 0;
    return is_given ? size : 0;
}

static size_t on_body(char *bytes, size_t one, size_t len, void *self) {
    transfer *const t = self;
    if (t->is_redirected) {
        return one * len;
    }
    t->is_held = mcpw_http_call_is_held(t->call);
    if (t->is_held) {
        return CURL_WRITEFUNC_PAUSE; /* libcurl passes the same bytes again */
    }
    t->is_enough = !mcpw_http_call_body(t->call, bytes, one * len);
    return t->is_enough ? 0 : one * len;
}

/* ---- The request ---- */

static mcpw_status add_line(transfer *t, mcpw_buffer *line, const mcpw_http_field *field) {
    /* libcurl expects "Name;" for a field without a value */
    static const char colon[] = ": ";
    line->len = 0;
    mcpw_status status = mcpw_buffer_append(line, field->name.ptr, field->name.len);
    if (status == MCPW_OK && field->value.len != 0) {
        status = mcpw_buffer_append(line, colon, sizeof colon - 1);
        status = status == MCPW_OK ? mcpw_buffer_append(line, field->value.ptr, field->value.len) : status;
    } else if (status == MCPW_OK) {
        status = mcpw_buffer_append(line, ";", 1);
    }
    status = status == MCPW_OK ? mcpw_buffer_append(line, "", 1) : status;
    struct curl_slist *const more = status == MCPW_OK ? curl_slist_append(t->head, line->data) : NULL;
    if (more == NULL) {
        return MCPW_E_MEMORY;
    }
    t->head = more;
    return MCPW_OK;
}

static mcpw_status write_head(transfer *t, const mcpw_http_order *order) {
    mcpw_buffer line = MCPW_BUFFER_INIT;
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < order->field_count; i++) {
        status = add_line(t, &line, order->fields + i);
    }
    if (status == MCPW_OK) { /* send the body without waiting for "100 Continue" */
        struct curl_slist *const more = curl_slist_append(t->head, "Expect:");
        status = more != NULL ? MCPW_OK : MCPW_E_MEMORY;
        t->head = more != NULL ? more : t->head;
    }
    mcpw_buffer_free(&line);
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

static bool set_up(transfer *t, const mcpw_http_order *order) {
    const mcpw_http_connect_options *const options = &t->connection->options;
    bool is_set = true;
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_TCP_KEEPALIVE, 1L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)options->connect_timeout_ms);
    SET(CURLOPT_ERRORBUFFER, t->why);
    SET(CURLOPT_PRIVATE, (void *)t);
    SET(CURLOPT_HTTPHEADER, t->head);
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
    return is_set && set_url(t);
}

/* Ends a call that cannot be started. */
static void end_unmade(mcpw_http_call *call, const char *why) {
    mcpw_error error;
    mcpw_error_set(&error, MCPW_E_CONNECTION, 0, "%s", why);
    mcpw_http_call_end(call, &error);
}

static void make(connection *c, const mcpw_http_order *order) {
    transfer *const t = calloc(1, sizeof *t);
    if (t == NULL) {
        end_unmade(order->call, "no memory for a request of HTTP");
        return;
    }
    t->connection = c;
    t->call = order->call;
    t->lines = (mcpw_buffer)MCPW_BUFFER_INIT;
    t->next = c->transfers;
    if (t->next != NULL) {
        t->next->previous = t;
    }
    c->transfers = t;
    mcpw_http_call_set_user(order->call, t);
    t->easy = curl_easy_init();
    if (t->easy == NULL || write_head(t, order) != MCPW_OK || !set_up(t, order) ||
        curl_multi_add_handle(c->multi, t->easy) != CURLM_OK) {
        mcpw_http_call *const call = t->call;
        free_transfer(t);
        end_unmade(call, "libcurl cannot make this request");
    }
}

/* ---- Events -------------------------------------------------------------------------------------------- */

/* Repeats a request at the target of its redirect. */
static bool make_again(transfer *t) {
    connection *const c = t->connection;
    t->is_redirected = false;
    return curl_multi_remove_handle(c->multi, t->easy) == CURLM_OK && set_url(t) &&
           curl_multi_add_handle(c->multi, t->easy) == CURLM_OK;
}

/* Ends the calls whose transfers have ended; true: there were some. */
static bool end_transfers(connection *c) {
    int left = 0;
    bool any = false;
    const CURLMsg *message;
    while ((message = curl_multi_info_read(c->multi, &left)) != NULL) {
        transfer *t = NULL;
        const CURLcode code = message->data.result;
        mcpw_error error;
        if (message->msg != CURLMSG_DONE ||
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&t) != CURLE_OK || t == NULL) {
            continue;
        }
        any = true;
        mcpw_http_call *const call = t->call;
        const bool is_good = code == CURLE_OK || t->is_enough;
        if (t->is_redirected && is_good && make_again(t)) {
            continue;
        }
        if (!is_good) {
            mcpw_error_set(&error, MCPW_E_CONNECTION, 0, "%s",
                           t->why[0] != '\0' ? t->why : curl_easy_strerror(code));
        }
        free_transfer(t);
        mcpw_http_call_end(call, is_good ? NULL : &error);
    }
    return any;
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
            free_transfer(mcpw_http_call_user(order.call));
        }
    }
    return status == MCPW_PENDING ? MCPW_OK : status;
}

/* Lets libcurl process its sockets and timeouts. */
static void drive(connection *c) {
    struct epoll_event events[MOST_EVENTS];
    int running = 0;
    const int count = epoll_wait(c->epoll, events, MOST_EVENTS, 0);
    for (int i = 0; i < count; i++) {
        const int in = (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0 ? CURL_CSELECT_IN : 0;
        const int out = (events[i].events & EPOLLOUT) != 0 ? CURL_CSELECT_OUT : 0;
        (void)curl_multi_socket_action(c->multi, events[i].data.fd, in | out, &running);
    }
    if (c->due <= mcpw_io_now()) {
        c->due = UINT64_MAX;
        (void)curl_multi_socket_action(c->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
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
        c->has_more = end_transfers(c);
        status = follow(c, &c->has_more, error);
        c->has_more = let_go(c) || c->has_more;
        if (c->has_more) {
            drive(c);
        }
    }
    return status;
}

static uint64_t due(void *self) {
    const connection *const c = self;
    const uint64_t core = mcpw_http_client_deadline(c->http);
    if (c->has_output || c->has_more) {
        return 0;
    }
    return core < c->due ? core : c->due;
}

static void on_output(void *user, mcpw_session *session) {
    connection *const c = user;
    (void)session;
    c->has_output = true;
}

/* Registers the events that libcurl wants for a socket. */
static int on_socket(CURL *easy, curl_socket_t fd, int what, void *self, void *known) {
    const connection *const c = self;
    struct epoll_event event = {0, {.fd = fd}};
    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        (void)epoll_ctl(c->epoll, EPOLL_CTL_DEL, fd, NULL); /* it may be closed already */
        return 0;
    }
    event.events = (what & CURL_POLL_IN) != 0 ? EPOLLIN : 0;
    event.events |= (what & CURL_POLL_OUT) != 0 ? EPOLLOUT : 0;
    if (known == NULL) {
        (void)curl_multi_assign(c->multi, fd, self);
    }
    if (epoll_ctl(c->epoll, EPOLL_CTL_ADD, fd, &event) == 0 ||
        (errno == EEXIST && epoll_ctl(c->epoll, EPOLL_CTL_MOD, fd, &event) == 0)) {
        return 0;
    }
    return -1;
}

static int on_timer(CURLM *multi, long ms, void *self) {
    connection *const c = self;
    (void)multi;
    c->due = ms < 0 ? UINT64_MAX : mcpw_io_now() + (uint64_t)ms;
    return 0;
}

/* ---- Begin and end ------------------------------------------------------------------------------------- */

static void free_link(connection *c) {
    for (transfer *t = c->transfers, *next = NULL; t != NULL; t = next) {
        next = t->next;
        free_transfer(t);
    }
    mcpw_session_on_output(c->session, NULL, NULL);
    mcpw_http_client_free(c->http);
    if (c->multi != NULL) {
        (void)curl_multi_cleanup(c->multi);
    }
    if (c->epoll >= 0) {
        (void)close(c->epoll);
    }
    curl_url_cleanup(c->url);
    mcpw_arena_free(&c->memory);
    free(c);
}

/* Ends the HTTP session within the time limit. */
static void end(void *self) {
    connection *const c = self;
    const uint64_t until = mcpw_io_now() + c->options.patience_ms;
    mcpw_http_client_stop(c->http);
    while (work(c, NULL) == MCPW_OK && !mcpw_http_client_is_idle(c->http)) {
        const uint64_t now = mcpw_io_now();
        const uint64_t next = due(c);
        const uint64_t wait = next < until ? next : until;
        struct epoll_event event;
        if (now >= until) {
            break;
        }
        (void)epoll_wait(c->epoll, &event, 1,
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
    config.session = c->session;
    c->http = mcpw_http_client_new(&config, error);
    if (c->http == NULL) {
        return error != NULL && error->code != MCPW_OK ? error->code : MCPW_E_ARGUMENT;
    }
    options->http = NULL; /* the client has a copy */
    c->epoll = epoll_create1(EPOLL_CLOEXEC);
    c->multi = curl_multi_init();
    if (c->epoll < 0 || c->multi == NULL ||
        curl_multi_setopt(c->multi, CURLMOPT_SOCKETFUNCTION, on_socket) != CURLM_OK ||
        curl_multi_setopt(c->multi, CURLMOPT_SOCKETDATA, (void *)c) != CURLM_OK ||
        curl_multi_setopt(c->multi, CURLMOPT_TIMERFUNCTION, on_timer) != CURLM_OK ||
        curl_multi_setopt(c->multi, CURLMOPT_TIMERDATA, (void *)c) != CURLM_OK ||
        curl_multi_setopt(c->multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)options->max_connections) !=
            CURLM_OK) {
        return mcpw_error_set(error, MCPW_E_IO, 0, "libcurl cannot be used");
    }
    return MCPW_OK;
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
    c->epoll = -1;
    c->due = UINT64_MAX;
    const mcpw_status status = prepare(c, &local);
    if (status != MCPW_OK) {
        if (error != NULL) {
            *error = local;
        }
        free_link(c);
        return status;
    }
    mcpw_session_on_output(session, on_output, c);
    *transport = (mcpw_transport){.self = c, .fd = c->epoll, .work = work, .due = due, .end = end};
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
