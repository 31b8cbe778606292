/* SPDX-License-Identifier: MIT */
/*
 * A server over HTTP in the loop of another HTTP server, libevent's evhttp: <mcpw/http.h> says what is to be
 * answered, evhttp reads and writes. `http_libevent 8080` serves http://localhost:8080/mcp, `http_libevent 0`
 * any free port, which it prints.
 *
 * evhttp tells of a peer that has gone when it writes to it: a stream is written to every 15 seconds.
 */
#include <mcpw/http.h>
#include <mcpw/io.h>
#include <mcpw/json.h>
#include <mcpw/server.h>

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

enum { MAX_FIELDS = 64, UNAVAILABLE = 503, MS = 1000 };

typedef struct place {
    mcpw_http_server *http;
    struct event_base *base;
    struct event *timer;
} place;

/* A request of evhttp's and its exchange. */
typedef struct turn {
    place *place;
    mcpw_http_exchange *exchange;
    struct evhttp_request *request;
    bool streams;
} turn;

/* ---- Responses ---- */

static void finish(turn *t) {
    mcpw_http_close(t->exchange);
    free(t);
}

/* A request that was not answered to its end is ours once its connection is gone, which it is now. */
static void free_request(evutil_socket_t fd, short what, void *user) {
    (void)fd;
    (void)what;
    evhttp_request_free(user);
}

static void on_hang_up(struct evhttp_connection *connection, void *user) {
    turn *const t = user;
    (void)connection;
    (void)event_base_once(t->place->base, -1, EV_TIMEOUT, free_request, t->request, NULL);
    finish(t);
}

static void send_head(turn *t, const mcpw_http_output *out, struct evbuffer *bytes) {
    struct evkeyvalq *const headers = evhttp_request_get_output_headers(t->request);
    for (size_t i = 0; i < out->field_count; i++) {
        char name[128];
        char value[1024];
        (void)snprintf(name, sizeof name, "%.*s", (int)out->fields[i].name.len, out->fields[i].name.ptr);
        (void)snprintf(value, sizeof value, "%.*s", (int)out->fields[i].value.len, out->fields[i].value.ptr);
        (void)evhttp_add_header(headers, name, value);
    }
    if (out->streams) {
        evhttp_send_reply_start(t->request, out->status, NULL);
        evhttp_send_reply_chunk(t->request, bytes);
    } else {
        evhttp_connection_set_closecb(evhttp_request_get_connection(t->request), NULL, NULL);
        evhttp_send_reply(t->request, out->status, NULL, bytes);
    }
}

/* Sends what there is to send. After a whole response the request is evhttp's alone. */
static void send_on(turn *t) {
    struct evbuffer *const bytes = evbuffer_new();
    mcpw_http_output out;
    bool ended = false;
    while (!ended && mcpw_http_next(t->exchange, &out)) {
        if (out.bytes.len != 0) {
            (void)evbuffer_add(bytes, out.bytes.ptr, out.bytes.len);
        }
        if (out.step == MCPW_HTTP_HEAD) {
            t->streams = out.streams;
            send_head(t, &out, bytes);
        } else if (out.step == MCPW_HTTP_BODY) {
            evhttp_send_reply_chunk(t->request, bytes);
        }
        ended = out.step == MCPW_HTTP_END;
    }
    evbuffer_free(bytes);
    if (ended && t->streams) {
        evhttp_connection_set_closecb(evhttp_request_get_connection(t->request), NULL, NULL);
        evhttp_send_reply_end(t->request);
    }
    if (ended) {
        finish(t);
    }
}

/* Lets all exchanges go on that have something to send, and sees to the time. */
static void go_on(place *p) {
    mcpw_http_exchange *exchange;
    while ((exchange = mcpw_http_ready(p->http)) != NULL) {
        send_on(mcpw_http_user(exchange));
    }
    const uint64_t due = mcpw_http_deadline(p->http);
    const uint64_t time = mcpw_io_now();
    if (due != UINT64_MAX) {
        const uint64_t ms = due > time ? due - time : 0;
        const struct timeval wait = {(time_t)(ms / MS), (suseconds_t)(ms % MS * MS)};
        (void)evtimer_add(p->timer, &wait);
    }
}

static void on_time(evutil_socket_t fd, short what, void *user) {
    place *const p = user;
    (void)fd;
    (void)what;
    mcpw_http_advance(p->http, mcpw_io_now());
    go_on(p);
}

/* ---- Requests ---- */

static mcpw_str text_of(const char *text) { return mcpw_str_from(text != NULL ? text : ""); }

static const char *method_of(const struct evhttp_request *request) {
    switch (evhttp_request_get_command(request)) {
    case EVHTTP_REQ_POST:
        return "POST";
    case EVHTTP_REQ_GET:
        return "GET";
    case EVHTTP_REQ_DELETE:
        return "DELETE";
    default:
        return "OPTIONS";
    }
}

/* A request has come, its body included. */
static void on_request(struct evhttp_request *request, void *user) {
    place *const p = user;
    turn *const t = calloc(1, sizeof *t);
    mcpw_http_field fields[MAX_FIELDS];
    mcpw_http_request head = {.method = text_of(method_of(request)),
                              .path = text_of(evhttp_request_get_uri(request)),
                              .fields = fields};
    const struct evkeyval *field = evhttp_request_get_input_headers(request)->tqh_first;
    for (; field != NULL && head.field_count < MAX_FIELDS; field = field->next.tqe_next) {
        fields[head.field_count++] = (mcpw_http_field){text_of(field->key), text_of(field->value)};
    }
    mcpw_http_advance(p->http, mcpw_io_now());
    if (t == NULL || mcpw_http_begin(p->http, &head, t, &t->exchange) != MCPW_OK) {
        free(t);
        evhttp_send_error(request, UNAVAILABLE, NULL);
        return;
    }
    struct evbuffer *const body = evhttp_request_get_input_buffer(request);
    const size_t len = evbuffer_get_length(body);
    t->place = p;
    t->request = request;
    evhttp_connection_set_closecb(evhttp_request_get_connection(request), on_hang_up, t);
    mcpw_http_body(t->exchange, evbuffer_pullup(body, -1), len);
    mcpw_http_body_end(t->exchange);
    send_on(t);
    go_on(p);
}

/* ---- The server ---- */

static mcpw_status echo(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str message;
    (void)user;
    const mcpw_status status =
        mcpw_json_get_string(call->arguments, "message", mcpw_request_arena(request), &message);
    return status == MCPW_OK ? mcpw_respond_text(request, message) : status;
}

static const mcpw_tool echo_tool = {
    .name = "echo",
    .description = "Says what it is told",
    .input_schema = MCPW_JSON("{\"type\":\"object\",\"properties\":{\"message\":{\"type\":\"string\"}},"
                              "\"required\":[\"message\"]}"),
    .call = echo,
};

static void on_signal(evutil_socket_t number, short what, void *user) {
    (void)number;
    (void)what;
    (void)event_base_loopbreak(user);
}

/* Serves until a signal comes. */
static void serve(place *p, uint16_t port) {
    struct evhttp *const http = evhttp_new(p->base);
    struct event *const stop = evsignal_new(p->base, SIGTERM, on_signal, p->base);
    struct evhttp_bound_socket *const bound = evhttp_bind_socket_with_handle(http, "127.0.0.1", port);
    if (bound != NULL) {
        struct sockaddr_in address;
        socklen_t len = sizeof address;
        evhttp_set_allowed_methods(http,
                                   EVHTTP_REQ_POST | EVHTTP_REQ_GET | EVHTTP_REQ_DELETE | EVHTTP_REQ_OPTIONS);
        evhttp_set_gencb(http, on_request, p);
        (void)getsockname(evhttp_bound_socket_get_fd(bound), (struct sockaddr *)(void *)&address, &len);
        printf("%u\n", (unsigned)ntohs(address.sin_port));
        (void)fflush(stdout);
        p->timer = evtimer_new(p->base, on_time, p);
        (void)evsignal_add(stop, NULL);
        go_on(p);
        (void)event_base_dispatch(p->base);
        event_free(p->timer);
    }
    event_free(stop);
    evhttp_free(http);
}

int main(int argc, char **argv) {
    mcpw_session_config sessions = MCPW_SESSION_CONFIG_INIT;
    mcpw_http_config config = MCPW_HTTP_CONFIG_INIT;
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("echo", "1.0.0", &error);
    place p = {NULL, event_base_new(), NULL};
    sessions.role = MCPW_ROLE_SERVER;
    sessions.server = server;
    if (server != NULL && mcpw_server_add_tool(server, &echo_tool, &error) == MCPW_OK) {
        config.endpoint = mcpw_endpoint_new(&sessions, &error);
        p.http = config.endpoint != NULL ? mcpw_http_server_new(&config, &error) : NULL;
    }
    if (p.http != NULL) {
        serve(&p, (uint16_t)(argc > 1 ? strtoul(argv[1], NULL, 10) : 0));
    } else {
        fprintf(stderr, "http_libevent: %s\n", error.message);
    }
    event_base_free(p.base);
    mcpw_http_server_free(p.http);
    mcpw_endpoint_free(config.endpoint);
    mcpw_server_free(server);
    return p.http != NULL ? 0 : 1;
}
