/* SPDX-License-Identifier: MIT */
/* Connects the requests of libmicrohttpd with the exchanges of <mcpw/http.h>. */
#include "os_net.h"

#include "http_serve_internal.h"

#include <mcpw/io.h>

#include <stdlib.h>
#include <string.h>

/* Block size of a stream: libmicrohttpd allocates one for each, and uses it for clients without chunked
 * coding. */
enum { STREAM_BLOCK = 512 };
/* Maximum bytes that are read from the body of a refused request, so that the client receives the response
 * before the connection ends. */
enum { MOST_PASSED = 1024 * 1024 };
/* A call that has moved LARGE bytes has allocated large blocks. They are returned to the system after QUIET
 * ms without calls, because returning them takes time. */
enum { LARGE = 1024 * 1024, QUIET = 200 };
/* Header fields on the stack; a request with more allocates them. */
enum { FEW_FIELDS = 48 };

static void suspend(http_call *call) {
    mcpw_http_loop_watch(call);
    call->suspended = true;
    MHD_suspend_connection(call->connection);
}

static void resume(http_call *call) {
    if (call->suspended) {
        call->suspended = false;
        call->listener->resumed = true;
        MHD_resume_connection(call->connection);
    }
}

void mcpw_http_call_hang_up(http_call *call) {
    call->gone = true;
    resume(call);
}

/* ---- A response ---------------------------------------------------------------------------------------- */

static ssize_t give(http_call *call, char *to, size_t room) {
    const size_t len = call->rest.len < room ? call->rest.len : room;
    memcpy(to, call->rest.ptr, len);
    call->rest.ptr += len;
    call->rest.len -= len;
    return (ssize_t)len;
}

/* Reads more of a stream when the connection can take it. */
static ssize_t read_stream(void *self, uint64_t position, char *to, size_t room) {
    http_call *const call = self;
    mcpw_http_output output;
    (void)position;
    if (call->gone) {
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    while (call->rest.len == 0) {
        if (!mcpw_http_next(call->exchange, &output)) {
            suspend(call);
            return 0;
        }
        if (output.step == MCPW_HTTP_END) {
            return MHD_CONTENT_READER_END_OF_STREAM;
        }
        call->rest = output.bytes;
        call->given += output.bytes.len;
    }
    return give(call, to, room);
}

/* Adds a field as NUL-terminated texts, which libmicrohttpd needs. */
static bool add_field(struct MHD_Response *response, const mcpw_http_field *field) {
    const size_t size = field->name.len + field->value.len + 2;
    char *const texts = malloc(size);
    bool done = false;
    if (texts != NULL) {
        char *const value = texts + field->name.len + 1;
        memcpy(texts, field->name.ptr, field->name.len);
        texts[field->name.len] = '\0';
        if (field->value.len != 0) {
            memcpy(value, field->value.ptr, field->value.len);
        }
        value[field->value.len] = '\0';
        done = MHD_add_response_header(response, texts, value) == MHD_YES;
    }
    free(texts);
    return done;
}

static enum MHD_Result queue(struct MHD_Connection *connection, int status, struct MHD_Response *response) {
    enum MHD_Result done = MHD_NO;
    if (response != NULL) {
        done = MHD_queue_response(connection, (unsigned)status, response);
        MHD_destroy_response(response);
    }
    return done;
}

static enum MHD_Result refuse(struct MHD_Connection *connection) {
    static char nothing[] = "";
    return queue(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                 MHD_create_response_from_buffer(0, nothing, MHD_RESPMEM_PERSISTENT));
}

/* Refuses a request of which libmicrohttpd has read less than was sent. */
static enum MHD_Result refuse_ambiguous(struct MHD_Connection *connection) {
    static char why[] = "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"Bad request: the head "
                        "of the request can be read in two ways\"}}";
    static const mcpw_http_field fields[] = {{MCPW_STR("Content-Type"), MCPW_STR("application/json")},
                                             {MCPW_STR("Connection"), MCPW_STR("close")}};
    struct MHD_Response *const response =
        MHD_create_response_from_buffer(sizeof why - 1, why, MHD_RESPMEM_PERSISTENT);
    bool is_complete = response != NULL;
    for (size_t i = 0; is_complete && i < sizeof fields / sizeof *fields; i++) {
        is_complete = add_field(response, fields + i);
    }
    if (response != NULL && !is_complete) {
        MHD_destroy_response(response);
        return MHD_NO;
    }
    return queue(connection, MHD_HTTP_BAD_REQUEST, response);
}

/* Makes the response for a head; NULL: no memory. */
static struct MHD_Response *response_of(http_call *call, const mcpw_http_output *head) {
    struct MHD_Response *response;
    if (head->streams) {
        call->rest = head->bytes;
        response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read_stream, call, NULL);
    } else { /* these bytes stay unchanged until the exchange is closed */
        response = MHD_create_response_from_buffer(head->bytes.len, (void *)(uintptr_t)head->bytes.ptr,
                                                   MHD_RESPMEM_PERSISTENT);
        call->given = head->bytes.len;
    }
    for (size_t i = 0; response != NULL && i < head->field_count; i++) {
        call->closes = call->closes || mcpw_str_is(head->fields[i].name, "Connection");
        if (!add_field(response, head->fields + i)) {
            MHD_destroy_response(response);
            response = NULL;
        }
    }
    return response;
}

/* Limits the time for the rest of a body that no exchange reads. An exchange limits it only until there is a
 * response, which libmicrohttpd sends after the end of the body. The rest has the time of a head. */
static void limit_rest(http_call *call) {
    if (!call->complete) {
        mcpw_http_heads_next(&call->listener->heads, call->connection);
    }
}

static void lift_limit(http_call *call) { mcpw_http_heads_came(&call->listener->heads, call->connection); }

/* Takes the head of the response, if there is one. Without memory the connection ends, and so it does if the
 * time for the body is over: libmicrohttpd sends no response before the end of a body. */
static bool has_answer(http_call *call) {
    mcpw_http_output output;
    if (call->response == NULL && call->exchange != NULL && mcpw_http_next(call->exchange, &output)) {
        call->status = output.status;
        call->response = response_of(call, &output);
        call->gone = call->response == NULL || (!call->complete && call->status == MHD_HTTP_REQUEST_TIMEOUT);
        limit_rest(call);
    }
    return call->response != NULL;
}

void mcpw_http_call_go_on(http_call *call) {
    if (call->complete) {
        resume(call);
    } else if (has_answer(call) && call->gone) {
        (void)shutdown(mcpw_http_call_socket(call->connection), MCPW_NET_BOTH);
    }
}

static enum MHD_Result send_answer(http_call *call) {
    struct MHD_Response *const response = call->response;
    call->response = NULL;
    call->complete = true; /* no more of the body is read */
    lift_limit(call);
    return queue(call->connection, call->status, response);
}

/* Sends the response, or suspends the connection until there is one. */
static enum MHD_Result answer(http_call *call) {
    if (call->exchange == NULL) {
        return refuse(call->connection);
    }
    if (!call->gone && has_answer(call)) {
        return send_answer(call);
    }
    if (call->gone) {
        return MHD_NO;
    }
    suspend(call);
    return MHD_YES;
}

/* ---- A request ----------------------------------------------------------------------------------------- */

/* The fields of a head. All are counted, and as many as fit are stored. */
typedef struct head {
    mcpw_http_field *fields;
    size_t room;
    size_t count;
} head;

static enum MHD_Result count_field(void *self, enum MHD_ValueKind kind, const char *name, size_t name_len,
                                   const char *value, size_t value_len) {
    head *const h = self;
    (void)kind;
    if (h->count < h->room) {
        mcpw_http_field *const field = h->fields + h->count;
        field->name.ptr = name;
        field->name.len = name_len;
        field->value.ptr = value != NULL ? value : "";
        field->value.len = value_len;
    }
    h->count++;
    return MHD_YES;
}

static mcpw_str text_of(const char *text) {
    const mcpw_str made = {text, strlen(text)};
    return made;
}

/* The numeric address of the peer, without its port. */
static mcpw_str address_of(struct MHD_Connection *connection, char out[INET6_ADDRSTRLEN]) {
    const union MHD_ConnectionInfo *const info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *const address = info != NULL ? info->client_addr : NULL;
    const char *text = NULL;
    if (address != NULL && address->sa_family == AF_INET) {
        text = inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)address)->sin_addr, out,
                         INET6_ADDRSTRLEN);
    } else if (address != NULL && address->sa_family == AF_INET6) {
        text = inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr, out,
                         INET6_ADDRSTRLEN);
    }
    return mcpw_str_from(text);
}

/* Begins an exchange. A refused call has none. */
static void begin(http_call *call, const http_line *line) {
    mcpw_http_field few[FEW_FIELDS];
    mcpw_http_field *many = NULL;
    head h = {few, FEW_FIELDS, 0};
    mcpw_http_request request;
    char peer[INET6_ADDRSTRLEN];
    (void)MHD_get_connection_values_n(call->connection, MHD_HEADER_KIND, count_field, &h);
    if (h.count > h.room) {
        many = calloc(h.count, sizeof *many);
        h.fields = many;
        h.room = many != NULL ? h.count : 0;
        h.count = 0;
        (void)MHD_get_connection_values_n(call->connection, MHD_HEADER_KIND, count_field, &h);
    }
    if (h.count <= h.room && !mcpw_http_wire_is_plain(call->connection, line, h.fields, h.count)) {
        call->closes = true;
    } else if (h.count <= h.room) {
        memset(&request, 0, sizeof request);
        request.method = text_of(line->method);
        request.path = text_of(line->url);
        request.fields = h.fields;
        request.field_count = h.count;
        request.peer = address_of(call->connection, peer);
        if (mcpw_http_begin(call->listener->http, &request, call, &call->exchange) != MCPW_OK) {
            call->exchange = NULL;
        }
    }
    free(many);
}

static enum MHD_Result start(mcpw_http_listener *self, struct MHD_Connection *connection,
                             const http_line *line, void **state) {
    http_call *const call = calloc(1, sizeof *call);
    mcpw_http_heads_came(&self->heads, connection);
    if (call == NULL) {
        return MHD_NO;
    }
    *state = call;
    call->listener = self;
    call->connection = connection;
    call->next = self->calls;
    if (self->calls != NULL) {
        self->calls->before = call;
    }
    self->calls = call;
    begin(call, line);
    if (call->exchange == NULL && call->closes) {
        return refuse_ambiguous(connection);
    }
    if (call->exchange == NULL) {
        limit_rest(call);
    }
    /* An early response is sent after the body was read, because the client could miss it otherwise. There
     * are two exceptions: a client that expects "100 Continue" is answered at once, and a body whose end is
     * unknown is not read. */
    if (has_answer(call) && call->closes) {
        return send_answer(call);
    }
    if (call->response != NULL &&
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Expect") != NULL) {
        return send_answer(call);
    }
    return MHD_YES;
}

/* True if the server need not read the rest of a body, because it was answered long ago. */
static bool is_endless(const http_call *call) {
    return call->passed > MOST_PASSED && call->passed - MOST_PASSED > call->listener->config.max_body;
}

static enum MHD_Result take_body(http_call *call, const char *bytes, size_t *len) {
    if (call->exchange != NULL) {
        mcpw_http_body(call->exchange, bytes, *len);
        (void)has_answer(call);
    }
    call->passed += *len;
    *len = 0;
    return call->gone || is_endless(call) ? MHD_NO : MHD_YES;
}

enum MHD_Result mcpw_http_call_take(void *self, struct MHD_Connection *connection, const char *url,
                                    const char *method, const char *version, const char *bytes, size_t *len,
                                    void **state) {
    http_call *const call = *state;
    if (call == NULL) {
        const http_line line = {method, url, version};
        return start(self, connection, &line, state);
    }
    if (*len != 0) {
        return take_body(call, bytes, len);
    }
    if (!call->complete) {
        call->complete = true;
        lift_limit(call);
        if (call->exchange != NULL) {
            mcpw_http_body_end(call->exchange);
        }
    }
    return answer(call);
}

void mcpw_http_call_completed(void *self, struct MHD_Connection *connection, void **state,
                              enum MHD_RequestTerminationCode why) {
    mcpw_http_listener *const listener = self;
    http_call *const call = *state;
    (void)why;
    mcpw_http_heads_next(&listener->heads, connection);
    if (call == NULL) {
        return;
    }
    *state = NULL;
    mcpw_http_loop_unwatch(call);
    if (call->response != NULL) {
        MHD_destroy_response(call->response);
    }
    if (call->exchange != NULL) {
        mcpw_http_close(call->exchange);
    }
    if (call->passed >= LARGE || call->given >= LARGE) {
        listener->trims = mcpw_io_now() + QUIET;
    }
    if (call->next != NULL) {
        call->next->before = call->before;
    }
    *(call->before != NULL ? &call->before->next : &listener->calls) = call->next;
    free(call);
}
