/* SPDX-License-Identifier: MIT */
/* A thread for each client connection. It reads a request as a whole, sends it to the server, and passes the
 * response on as it arrives, at the client's speed. One lock protects the checks. */
#define _XOPEN_SOURCE 700
#include "tap_proxy.h"

#include "ca.h"
#include "tap_address.h"
#include "tap_body.h"
#include "tap_resource.h"
#include "tap_secrets.h"
#include "tap_system.h"
#include "tool.h"
#include <mcpw/detail/event_reader.h>

#include <curl/curl.h>
#include <mcpw/io.h>
#include <microhttpd.h>

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    ENOUGH = 1 << 16,   /* bytes waiting for the client; above that, the server must wait */
    BLOCK = 1 << 14,    /* bytes of a response in one read of libmicrohttpd */
    MOST_CLIENTS = 256, /* connections at once; others wait until one is closed */
    POLL_MS = 200,      /* between two checks for the end */
    IDLE_S = 3600,      /* seconds of silence on a stream, after which the connection is closed */
    FLUSH_MS = 200,     /* the interval for writing findings that had no room */
    HOST_SIZE = 300,    /* of a Host, its NUL included */
    WORDS = 256         /* bytes of the reason of an error */
};

typedef struct proxy {
    const proxy_settings *set;
    conversations *all;
    void (*flush)(void *user);
    void *user;
    tap_lock *lock;  /* for the conversations, their reports and the secrets */
    secrets secrets; /* that have passed */
    uint64_t begin;
    atomic_bool stops;
    atomic_size_t body_bytes; /* of all requests under way */
    bool is_loopback;         /* it listens on a loopback address, and accepts only loopback host names */
    char origin[1024];        /* of the server: "https://example.com" */
    const char *path;         /* the path of its endpoint */
} proxy;

/* A message from one side, up to the limit. */
typedef struct one_message {
    mcpw_buffer text;
    uint64_t len; /* the whole length */
} one_message;

/* A request and its response. */
typedef struct passage {
    proxy *proxy;
    struct MHD_Connection *client;
    char *target;        /* of the request, as the client wrote it: path and query */
    bool has_begun;      /* its head was read */
    bool is_endpoint;    /* it is for the endpoint, so its messages are checked */
    char own[HOST_SIZE]; /* the proxy's origin, as the client writes it */
    bool is_metadata;    /* the response may be metadata of the resource, which are changed */
    mcpw_buffer held;    /* where they are collected */
    CURL *easy;
    CURLM *multi;
    struct curl_slist *fields;
    one_message request;
    tap_body body;
    conversation *conversation; /* NULL: the exchange is not checked */
    bool opens;                 /* the request is initialize */
    char *session;              /* the session id in the response */
    bool resumes;               /* the events were sent before */
    struct MHD_Response *response;
    long status;
    bool is_stream; /* of server-sent events */
    bool is_json;
    mcpw_event_reader events;
    one_message answer;
    mcpw_buffer out; /* for the client */
    size_t given;    /* bytes of out that were given */
    bool is_paused;
    bool is_done; /* the server's response is complete */
    bool has_failed;
    bool ignores_client; /* the client has sent its next request already */
} passage;

/* ---- Checking ------------------------------------------------------------------------------------------ */

static void keep(const passage *p, one_message *s, const char *bytes, size_t len) {
    const size_t most = p->proxy->set->max_bytes;
    s->len += len;
    if (s->text.len + len <= most && mcpw_buffer_append(&s->text, bytes, len) != MCPW_OK) {
        s->len = (uint64_t)most + 1; /* a length over the limit */
    }
}

/* Puts a message on one line for the log; a line feed in JSON is white space. */
static void flatten(mcpw_buffer *text) {
    for (size_t i = 0; i < text->len; i++) {
        if (text->data[i] == '\n' || text->data[i] == '\r') {
            text->data[i] = ' ';
        }
    }
}

/* False for a JSON body that says that a login is required: it is no message of the protocol. (RFC 6750.) */
static bool is_message(const passage *p, side from, const one_message *s) {
    mcpw_json unused = {NULL, 0, 0};
    return from == CLIENT || (p->status != MHD_HTTP_UNAUTHORIZED && p->status != MHD_HTTP_FORBIDDEN) ||
           s->len > s->text.len ||
           mcpw_json_get(mcpw_json_of(s->text.data, s->text.len), "jsonrpc", &unused) == MCPW_OK;
}

/* Hides the secrets in a message. False: no memory. */
static bool hide_secrets(proxy *all, one_message *s) {
    const size_t before = s->text.len;
    tap_lock_take(all->lock);
    const bool done = secrets_hide(&all->secrets, &s->text);
    tap_lock_give(all->lock);
    s->len = s->len == before ? s->text.len : s->len;
    return done;
}

static void take_message(passage *p, side from, one_message *s) {
    proxy *const all = p->proxy;
    record line;
    memset(&line, 0, sizeof line);
    line.from = from;
    if (p->conversation == NULL || s->len == 0 || !is_message(p, from, s) || !hide_secrets(all, s)) {
        s->text.len = 0;
        s->len = 0;
        return;
    }
    flatten(&s->text);
    line.line = (mcpw_str){s->text.len != 0 ? s->text.data : "", s->text.len};
    line.kind = s->len > s->text.len ? RECORD_SKIPPED : RECORD_LINE;
    line.number = s->len;
    tap_lock_take(all->lock);
    conversation_take(p->conversation, mcpw_io_now() - all->begin, &line);
    all->flush(all->user);
    tap_lock_give(all->lock);
    if (from == SERVER) { /* a stream may have more */
        s->text.len = 0;
        s->len = 0;
    }
}

/* Reports that a request waits for no response any more, because it got an HTTP status instead. */
static void refuse(passage *p) {
    const long status = p->status < MHD_HTTP_OK ? MHD_HTTP_BAD_GATEWAY : p->status;
    const mcpw_str message = {p->request.text.data, p->request.text.len};
    if (p->conversation != NULL && status >= MHD_HTTP_BAD_REQUEST && p->request.len == message.len) {
        tap_lock_take(p->proxy->lock);
        conversation_refused(p->conversation, mcpw_io_now() - p->proxy->begin, message, (uint64_t)status);
        p->proxy->flush(p->proxy->user);
        tap_lock_give(p->proxy->lock);
    }
}

/* ---- The conversation ---------------------------------------------------------------------------------- */

static const char *field_of(const passage *p, const char *name) {
    return MHD_lookup_connection_value(p->client, MHD_HEADER_KIND, name);
}

/* True if the header names a revision without sessions, whose requests are stateless. */
static bool stands_alone(const passage *p) {
    const char *const version = field_of(p, "MCP-Protocol-Version");
    const mcpw_revision *const revision = version != NULL ? mcpw_find_revision(version) : NULL;
    return revision != NULL && !mcpw_revision_has_handshake(revision);
}

static bool is_initialize(const passage *p) {
    const mcpw_json text = mcpw_json_of(p->request.text.data, p->request.text.len);
    mcpw_arena memory = MCPW_ARENA_INIT;
    mcpw_str method;
    const bool is = p->request.text.len != 0 &&
                    mcpw_json_get_string(text, "method", &memory, &method) == MCPW_OK &&
                    mcpw_str_is(method, "initialize");
    mcpw_arena_free(&memory);
    return is;
}

/* Joins a conversation. A request names its session. Requests without one belong to the conversation of the
 * last initialize. */
static void join(passage *p) {
    if (!p->is_endpoint) {
        return; /* such as a token endpoint, whose bodies are secrets */
    }
    const char *const session = field_of(p, "Mcp-Session-Id");
    p->opens = is_initialize(p);
    tap_lock_take(p->proxy->lock);
    p->conversation = p->opens || stands_alone(p)
                          ? conversation_begin(p->proxy->all)
                          : conversation_of(p->proxy->all, session != NULL ? session : "");
    tap_lock_give(p->proxy->lock);
}

static void leave(passage *p) {
    if (p->conversation == NULL) {
        return;
    }
    tap_lock_take(p->proxy->lock);
    conversation_leave(p->conversation);
    tap_lock_give(p->proxy->lock);
}

/* Names the conversation after the session in the response to initialize. */
static void name(passage *p) {
    if (p->opens && p->conversation != NULL) {
        tap_lock_take(p->proxy->lock);
        conversation_set_name(p->conversation, p->session != NULL ? p->session : "");
        tap_lock_give(p->proxy->lock);
        p->opens = false;
    }
}

/* ---- From the server ----------------------------------------------------------------------------------- */

static bool is_one_of(const char *text, size_t len, const char *const *names, size_t count) {
    size_t i = 0;
    while (i < count && (strlen(names[i]) != len || strncasecmp(names[i], text, len) != 0)) {
        i++;
    }
    return i < count;
}

/* True for fields that belong to one connection and are not forwarded. (RFC 9110, section 7.6.1.) */
static bool is_of_connection(const char *text, size_t len) {
    static const char *const names[] = {"Connection", "Keep-Alive",     "Proxy-Connection",
                                        "TE",         "Trailer",        "Transfer-Encoding",
                                        "Upgrade",    "Content-Length", "Date"};
    return is_one_of(text, len, names, sizeof names / sizeof *names);
}

static void note_secrets(passage *p, const char *field, const char *value) {
    tap_lock_take(p->proxy->lock);
    secrets_of_field(&p->proxy->secrets, field, value);
    tap_lock_give(p->proxy->lock);
}

static resource_addresses addresses_of(const passage *p) {
    return (resource_addresses){.origin = p->proxy->origin, .path = p->proxy->path, .own = p->own};
}

static bool changes_challenge(const passage *p, const char *field) {
    return p->proxy->set->rewrites && p->own[0] != '\0' && strcasecmp(field, "WWW-Authenticate") == 0;
}

static char *new_challenge(const passage *p, const char *value) {
    const resource_addresses addresses = addresses_of(p);
    return resource_challenge(value, &addresses);
}

/* Reads a line of the head. A later status line replaces an earlier one (1xx). */
static size_t on_head(char *line, size_t size, size_t count, void *self) {
    passage *const p = self;
    size_t len = size * count;
    const size_t taken = len;
    while (len != 0 && (line[len - 1] == '\r' || line[len - 1] == '\n')) {
        len--;
    }
    const char *const colon = len != 0 ? memchr(line, ':', len) : NULL;
    if (colon == NULL || p->response == NULL || is_of_connection(line, (size_t)(colon - line))) {
        return taken;
    }
    char *const field = text_made("%.*s", (int)len, line);
    if (field == NULL) {
        return 0;
    }
    char *value = field + (colon - line);
    *value++ = '\0';
    value += strspn(value, " \t");
    if (strcasecmp(field, "Mcp-Session-Id") == 0) {
        free(p->session);
        p->session = strdup(value);
    } else if (strcasecmp(field, "Content-Type") == 0) {
        p->is_stream = strncasecmp(value, "text/event-stream", strlen("text/event-stream")) == 0;
        p->is_json = strncasecmp(value, "application/json", strlen("application/json")) == 0;
    }
    note_secrets(p, field, value);
    char *const changed = changes_challenge(p, field) ? new_challenge(p, value) : NULL;
    (void)MHD_add_response_header(p->response, field, changed != NULL ? changed : value);
    free(changed);
    free(field);
    return taken;
}

static void hear_events(passage *p, const char *bytes, size_t len) {
    mcpw_str data;
    while (mcpw_event_reader_next(&p->events, &bytes, &len, &data) == MCPW_OK) {
        if (data.len != 0) {
            keep(p, &p->answer, data.ptr, data.len);
            take_message(p, SERVER, &p->answer);
        }
    }
}

/* Keeps the bytes of metadata that will be changed. False: they pass as they are. */
static bool hold(passage *p, const char *bytes, size_t len) {
    if (!p->is_metadata || !p->is_json) {
        return false;
    }
    if (p->held.len + len <= MOST_METADATA && mcpw_buffer_append(&p->held, bytes, len) == MCPW_OK) {
        return true;
    }
    p->is_metadata = false;    /* too long */
    mcpw_buffer_free(&p->out); /* nothing was in it yet */
    p->out = p->held;
    p->held = (mcpw_buffer)MCPW_BUFFER_INIT;
    return false;
}

/* Passes on metadata in which the proxy stands for the server. */
static void release(passage *p) {
    const resource_addresses addresses = addresses_of(p);
    if (p->is_metadata && p->held.len != 0 &&
        (!resource_rewrite(&p->held, &addresses) ||
         mcpw_buffer_append(&p->out, p->held.data, p->held.len) != MCPW_OK)) {
        p->has_failed = true;
    }
}

static size_t on_body(char *bytes, size_t size, size_t count, void *self) {
    passage *const p = self;
    const size_t len = size * count;
    if (p->out.len - p->given >= ENOUGH) {
        p->is_paused = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    if (p->given == p->out.len) {
        p->given = p->out.len = 0;
    }
    if (hold(p, bytes, len)) {
        return len;
    }
    if (mcpw_buffer_append(&p->out, bytes, len) != MCPW_OK) {
        return 0;
    }
    name(p);
    if (p->is_stream && !p->resumes) {
        hear_events(p, bytes, len);
    } else if (p->is_json) {
        keep(p, &p->answer, bytes, len);
    }
    return len;
}

static size_t on_read(char *to, size_t size, size_t count, void *self) {
    passage *const p = self;
    return body_read(&p->body, to, size * count);
}

/* Ends the response, complete or not. */
static void end(passage *p, CURLcode why) {
    p->is_done = true;
    p->has_failed = why != CURLE_OK;
    (void)curl_easy_getinfo(p->easy, CURLINFO_RESPONSE_CODE, &p->status);
    name(p);
    release(p);
    if (p->is_json && why == CURLE_OK) {
        take_message(p, SERVER, &p->answer);
    }
    refuse(p);
}

/* ---- Both sides ---------------------------------------------------------------------------------------- */

static curl_socket_t descriptor_of(const passage *p) {
    const union MHD_ConnectionInfo *const info =
        MHD_get_connection_info(p->client, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info != NULL ? info->connect_fd : CURL_SOCKET_BAD;
}

/* True if the client has gone. A client that has already sent its next request is not checked again. */
static bool has_gone(passage *p, curl_socket_t client) {
    return !tap_is_connected(client, &p->ignores_client);
}

/* Processes output of the server; waits for it, or for the end of the client. False: the client has gone. */
static bool step(passage *p) {
    int running = 0;
    int left = 0;
    struct curl_waitfd client = {descriptor_of(p), CURL_WAIT_POLLIN, 0};
    const CURLMsg *said;
    if (curl_multi_perform(p->multi, &running) != CURLM_OK) {
        end(p, CURLE_FAILED_INIT);
        return true;
    }
    while ((said = curl_multi_info_read(p->multi, &left)) != NULL) {
        if (said->msg == CURLMSG_DONE) {
            end(p, said->data.result);
        }
    }
    if (p->is_done || p->out.len != p->given) {
        return true;
    }
    (void)curl_multi_poll(p->multi, &client, p->ignores_client ? 0 : 1, POLL_MS, NULL);
    return !p->proxy->stops && (client.revents == 0 || !has_gone(p, client.fd));
}

/* Passes more of the response to libmicrohttpd. */
static ssize_t give(void *self, uint64_t position, char *to, size_t room) {
    passage *const p = self;
    (void)position;
    while (p->given == p->out.len && !p->is_done) {
        if (p->is_paused) {
            p->is_paused = false;
            (void)curl_easy_pause(p->easy, CURLPAUSE_CONT);
        }
        if (!step(p)) {
            return MHD_CONTENT_READER_END_WITH_ERROR;
        }
    }
    const size_t left = p->out.len - p->given;
    if (left == 0) {
        return p->has_failed ? MHD_CONTENT_READER_END_WITH_ERROR : MHD_CONTENT_READER_END_OF_STREAM;
    }
    const size_t len = left < room ? left : room;
    memcpy(to, p->out.data + p->given, len);
    p->given += len;
    return (ssize_t)len;
}

static enum MHD_Result answer(struct MHD_Connection *client, unsigned status, const char *why) {
    char text[512];
    const int len = snprintf(text, sizeof text, "mcpwire tap: %s\n", why);
    struct MHD_Response *const response =
        MHD_create_response_from_buffer((size_t)len, text, MHD_RESPMEM_MUST_COPY);
    enum MHD_Result queued = MHD_NO;
    if (response != NULL) {
        (void)MHD_add_response_header(response, "Content-Type", "text/plain");
        queued = MHD_queue_response(client, status, response);
        MHD_destroy_response(response);
    }
    return queued;
}

/* ---- To the server ------------------------------------------------------------------------------------- */

static enum MHD_Result add_field(void *self, enum MHD_ValueKind kind, const char *field, const char *value) {
    static const char *const ours[] = {"Host", "Expect",
                                       "Accept-Encoding"}; /* responses must not be compressed */
    passage *const p = self;
    char *line = NULL;
    (void)kind;
    note_secrets(p, field, value != NULL ? value : "");
    if (is_of_connection(field, strlen(field)) ||
        is_one_of(field, strlen(field), ours, sizeof ours / sizeof *ours)) {
        return MHD_YES;
    }
    const bool is_empty = value == NULL || *value == '\0'; /* libcurl writes an empty field differently */
    line = text_made("%s%s%s", field, is_empty ? ";" : ": ", is_empty ? "" : value);
    if (line != NULL) {
        struct curl_slist *const longer = curl_slist_append(p->fields, line);
        p->fields = longer != NULL ? longer : p->fields;
        free(line);
    }
    return MHD_YES;
}

/* Removes the fields that libcurl would add. */
static bool leave_out_what_was_not_said(passage *p) {
    static const char *const fields[] = {"Expect:", "Accept:", "Content-Type:"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        char field[sizeof "Content-Type"];
        (void)snprintf(field, sizeof field, "%.*s", (int)strcspn(fields[i], ":"), fields[i]);
        if (i == 0 || field_of(p, field) == NULL) {
            struct curl_slist *const longer = curl_slist_append(p->fields, fields[i]);
            if (longer == NULL) {
                return false;
            }
            p->fields = longer;
        }
    }
    return true;
}

static void set_body(passage *p, const char *method) {
    const curl_off_t len = (curl_off_t)body_rewind(&p->body);
    if (len != 0 || strcmp(method, "POST") == 0) {
        (void)curl_easy_setopt(p->easy, CURLOPT_POST, 1L);
        (void)curl_easy_setopt(p->easy, CURLOPT_POSTFIELDSIZE_LARGE, len);
        (void)curl_easy_setopt(p->easy, CURLOPT_READFUNCTION, on_read);
        (void)curl_easy_setopt(p->easy, CURLOPT_READDATA, p);
    }
    (void)curl_easy_setopt(p->easy, CURLOPT_CUSTOMREQUEST, method);
}

/* The URL at the server; the caller frees it. NULL: no memory. */
static char *url_of(const passage *p) {
    const proxy *const all = p->proxy;
    const char *const query = p->target + strcspn(p->target, "?");
    if (p->is_endpoint) {
        const bool joins = *query != '\0' && strchr(all->path, '?') != NULL;
        return text_made("%s%s%s%s", all->origin, all->path, joins ? "&" : "", query + (joins ? 1 : 0));
    }
    char *const path = resource_path(p->target, all->path);
    char *const url = path != NULL ? text_made("%s%s", all->origin, path) : NULL;
    free(path);
    return url;
}

static bool make_request(passage *p, const char *method) {
    const proxy *const all = p->proxy;
    p->easy = curl_easy_init();
    p->multi = curl_multi_init();
    (void)MHD_get_connection_values(p->client, MHD_HEADER_KIND, add_field, p);
    char *const url = url_of(p);
    if (p->easy == NULL || p->multi == NULL || !leave_out_what_was_not_said(p) || url == NULL) {
        free(url);
        return false;
    }
    (void)curl_easy_setopt(p->easy, CURLOPT_URL, url);
    free(url);
    (void)curl_easy_setopt(p->easy, CURLOPT_PATH_AS_IS, 1L);
    (void)curl_easy_setopt(p->easy, CURLOPT_HTTPHEADER, p->fields);
    (void)curl_easy_setopt(p->easy, CURLOPT_PROTOCOLS_STR, "http,https");
    (void)curl_easy_setopt(p->easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    (void)curl_easy_setopt(p->easy, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(p->easy, CURLOPT_HEADERFUNCTION, on_head);
    (void)curl_easy_setopt(p->easy, CURLOPT_HEADERDATA, p);
    (void)curl_easy_setopt(p->easy, CURLOPT_WRITEFUNCTION, on_body);
    (void)curl_easy_setopt(p->easy, CURLOPT_WRITEDATA, p);
    const char *const trusted = ca_file_of(all->set->ca_file);
    if (trusted != NULL) {
        (void)curl_easy_setopt(p->easy, CURLOPT_CAINFO, trusted);
    }
    set_body(p, method);
    return curl_multi_add_handle(p->multi, p->easy) == CURLM_OK;
}

static enum MHD_Result copy_field(void *self, enum MHD_ValueKind kind, const char *field, const char *value) {
    (void)kind;
    return MHD_add_response_header(self, field, value);
}

/* Sends a response without a body, so that libmicrohttpd sends no chunks. */
static enum MHD_Result answer_nothing(passage *p) {
    static char nothing[] = "";
    struct MHD_Response *const response = MHD_create_response_from_buffer(0, nothing, MHD_RESPMEM_PERSISTENT);
    if (response == NULL) {
        return MHD_NO;
    }
    (void)MHD_get_response_headers(p->response, copy_field, response);
    const enum MHD_Result queued = MHD_queue_response(p->client, (unsigned)p->status, response);
    MHD_destroy_response(response);
    return queued;
}

/* Sends the request to the server, and waits for the head of the response and some of its body. */
static enum MHD_Result pass_on(passage *p, const char *method) {
    p->response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, give, p, NULL);
    if (p->response == NULL || !make_request(p, method)) {
        return MHD_NO;
    }
    p->resumes = field_of(p, "Last-Event-ID") != NULL;
    take_message(p, CLIENT, &p->request);
    while (!p->is_done && p->out.len == 0) {
        if (!step(p)) {
            return MHD_NO;
        }
        (void)curl_easy_getinfo(p->easy, CURLINFO_RESPONSE_CODE, &p->status);
        if (p->status >= MHD_HTTP_OK && p->is_stream) {
            break; /* send its head to the client at once */
        }
    }
    (void)curl_easy_getinfo(p->easy, CURLINFO_RESPONSE_CODE, &p->status);
    if (p->status < MHD_HTTP_OK) {
        return answer(p->client, MHD_HTTP_BAD_GATEWAY, "the server cannot be reached");
    }
    return p->is_done && p->out.len == 0 ? answer_nothing(p)
                                         : MHD_queue_response(p->client, (unsigned)p->status, p->response);
}

/* ---- From clients -------------------------------------------------------------------------------------- */

/* True if a request is for this machine. Otherwise a web page could reach the server with its own host name.
 */
static bool is_for_us(const proxy *all, struct MHD_Connection *client) {
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    const char *const host = MHD_lookup_connection_value(client, MHD_HEADER_KIND, "Host");
    if (!all->is_loopback) {
        return true;
    }
    if (host == NULL) {
        return false;
    }
    const size_t len = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
    return is_one_of(host, len, names, sizeof names / sizeof *names);
}

/* Writes the origin under which the client knows the proxy. A malformed Host leaves it empty. */
static void name_own_origin(passage *p) {
    const char *const host = field_of(p, "Host");
    static const char *const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.:[]";
    if (host != NULL && host[strspn(host, plain)] == '\0' && strlen(host) + sizeof "http://" <= HOST_SIZE) {
        (void)snprintf(p->own, sizeof p->own, "http://%s", host);
    }
}

/* Called by libmicrohttpd before anything else of a request, with its target as it came. */
static void *begin(void *self, const char *target, struct MHD_Connection *client) {
    proxy *const all = self;
    passage *const p = calloc(1, sizeof *p);
    if (p == NULL) {
        return NULL;
    }
    const char *const host = strstr(target, "://"); /* the absolute form (RFC 9112, section 3.2.2) */
    if (*target != '/' && host != NULL) {
        target = host + 3 + strcspn(host + 3, "/");
    }
    p->proxy = all;
    p->client = client;
    p->target = strdup(*target != '\0' ? target : "/");
    p->is_endpoint = resource_is_endpoint(target, all->path);
    p->events = (mcpw_event_reader)MCPW_EVENT_READER_INIT;
    p->events.limit = all->set->max_bytes;
    p->held = (mcpw_buffer)MCPW_BUFFER_INIT;
    p->body = (tap_body)BODY_INIT(&all->body_bytes);
    return p;
}

/* Reads the head of a request. */
static enum MHD_Result take_head(passage *p) {
    proxy *const all = p->proxy;
    p->has_begun = true;
    if (!is_for_us(all, p->client)) {
        return answer(p->client, MHD_HTTP_FORBIDDEN, "the request is for another host");
    }
    if (p->target == NULL || *p->target != '/') {
        return answer(p->client, MHD_HTTP_BAD_REQUEST, "a path is expected");
    }
    name_own_origin(p);
    p->is_metadata = all->set->rewrites && p->own[0] != '\0' && !p->is_endpoint;
    tap_lock_take(all->lock);
    secrets_of_url(&all->secrets, p->target);
    tap_lock_give(all->lock);
    return MHD_YES;
}

/* False: the connection is given up. A body that is too long is read to its end, because a response can be
 * sent only then. */
static bool take_body(passage *p, const char *bytes, size_t len) {
    const body_verdict verdict = body_take(&p->body, bytes, len);
    if (verdict == BODY_TAKEN) {
        keep(p, &p->request, bytes, len);
    } else {
        mcpw_buffer_free(&p->request.text);
    }
    return verdict != BODY_FAILED;
}

static enum MHD_Result take(void *self, struct MHD_Connection *client, const char *path, const char *method,
                            const char *version, const char *bytes, size_t *len, void **state) {
    passage *const p = *state;
    (void)self;
    (void)client;
    (void)path; /* decoded, so another one could be meant */
    (void)version;
    if (p == NULL) {
        return MHD_NO; /* no memory */
    }
    if (!p->has_begun) {
        return take_head(p);
    }
    if (*len != 0) {
        const bool taken = take_body(p, bytes, *len);
        *len = 0;
        return taken ? MHD_YES : MHD_NO;
    }
    if (p->body.verdict == BODY_TOO_LONG) {
        return answer(p->client, MHD_HTTP_CONTENT_TOO_LARGE, "the body is too long");
    }
    if (p->body.verdict == BODY_NO_ROOM) {
        return answer(p->client, MHD_HTTP_SERVICE_UNAVAILABLE, "there is no room for the body");
    }
    join(p);
    return pass_on(p, method);
}

static void completed(void *self, struct MHD_Connection *client, void **state,
                      enum MHD_RequestTerminationCode why) {
    passage *const p = *state;
    (void)self;
    (void)client;
    (void)why;
    if (p == NULL) {
        return;
    }
    if (p->easy != NULL && p->multi != NULL) {
        (void)curl_multi_remove_handle(p->multi, p->easy);
    }
    curl_easy_cleanup(p->easy);
    (void)curl_multi_cleanup(p->multi);
    curl_slist_free_all(p->fields);
    if (p->response != NULL) {
        MHD_destroy_response(p->response);
    }
    leave(p);
    mcpw_event_reader_free(&p->events);
    mcpw_buffer_free(&p->request.text);
    mcpw_buffer_free(&p->answer.text);
    body_free(&p->body);
    mcpw_buffer_free(&p->out);
    mcpw_buffer_free(&p->held);
    free(p->target);
    free(p->session);
    free(p);
    *state = NULL;
}

/* ---- Begin and end ------------------------------------------------------------------------------------- */

static struct MHD_Daemon *start(proxy *all, const struct sockaddr_storage *address) {
    unsigned flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD;
    if (address->ss_family == AF_INET6) {
        flags |= MHD_USE_IPv6;
    }
    struct MHD_Daemon *const daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, take, all, MHD_OPTION_SOCK_ADDR, address, MHD_OPTION_URI_LOG_CALLBACK, begin,
        all, MHD_OPTION_NOTIFY_COMPLETED, completed, all, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CLIENTS, MHD_OPTION_END);
    if (daemon == NULL) {
        char why[WORDS];
        tap_explain_socket(why, sizeof why);
        tool_complain("--listen %s: %s", all->set->listen, why);
    }
    return daemon;
}

/* Waits for a signal, and writes delayed output meanwhile. */
static void wait_for_end(proxy *all) {
    while (!tap_has_end_come(FLUSH_MS)) {
        tap_lock_take(all->lock);
        all->flush(all->user);
        tap_lock_give(all->lock);
    }
}

int proxy_run(const proxy_settings *settings, conversations *all, void (*flush)(void *user), void *user) {
    proxy p = {.set = settings, .all = all, .flush = flush, .user = user, .begin = mcpw_io_now()};
    struct sockaddr_storage address;
    p.path = address_of_url(settings->url, p.origin, sizeof p.origin);
    if (p.path == NULL || !address_to_listen(settings->listen, &address, &p.is_loopback)) {
        return TOOL_FAILED;
    }
    p.lock = tap_lock_new();
    if (p.lock == NULL) {
        tool_complain("--listen: out of memory");
        return TOOL_FAILED;
    }
    (void)curl_global_init(CURL_GLOBAL_DEFAULT);
    secrets_init(&p.secrets);
    secrets_of_url(&p.secrets, settings->url);
    tap_keep_end();
    struct MHD_Daemon *const daemon = start(&p, &address);
    if (daemon != NULL) {
        const union MHD_DaemonInfo *const info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
        const char *const user = strchr(p.origin, '@'); /* not to be shown, nor is a query */
        const char *const host = strstr(p.origin, "://") + 3;
        tool_complain("tap: http://%s:%u/mcp stands for %.*s%s%.*s", p.is_loopback ? "localhost" : "0.0.0.0",
                      info != NULL ? info->port : 0U, (int)(host - p.origin), p.origin,
                      user != NULL ? user + 1 : host, (int)strcspn(p.path, "?"), p.path);
        wait_for_end(&p);
        p.stops = true;
        MHD_stop_daemon(daemon);
    }
    secrets_free(&p.secrets);
    tap_lock_free(p.lock);
    curl_global_cleanup();
    return daemon != NULL ? TOOL_OK : TOOL_FAILED;
}
