/* SPDX-License-Identifier: MIT */
/* The objects of a trace go into a temporary file as server-sent events. Each page has a thread that reads
 * the file at its own speed, so a slow page neither costs memory nor delays the session. */
#include "tap_web.h"

#include "report_html.h"
#include "system.h"
#include "tap_net.h"
#include "tap_system.h"
#include "tool.h"

#include <microhttpd.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SECRET_BYTES = 16,
    SECRET_SIZE = 2 * SECRET_BYTES + 1,
    HOST_SIZE = 32, /* "127.0.0.1:65535" */
    BLOCK = 1 << 16,
    MOST_PAGES = 32,
    SILENCE_MS = 15000, /* after which a comment shows whether the page is still there */
    PATIENCE_MS = 1000,
    STEP_MS = 10,
    WORDS = 256, /* bytes of the reason of an error */
    BASE = 10,
    MOST_PORT = 65535
};

static const char live_data[] = "{\"events\":\"events\"}";
static const char end_event[] = "event: end\ndata: \n\n";
static const char still_there[] = ":\n\n";

struct web {
    struct MHD_Daemon *daemon;
    struct MHD_Response *page;
    FILE *file;
    char secret[SECRET_SIZE];
    char hosts[2][HOST_SIZE];
    size_t max_bytes;
    tap_lock *lock; /* for the rest */
    size_t size;    /* of the events in the file */
    uint64_t lost;
    unsigned readers;
    bool has_ended;
};

typedef struct reader {
    web *web;
    size_t at;
    bool was_told; /* of the end */
} reader;

/* ---- Events -------------------------------------------------------------------------------------------- */

/* Appends an event, whose id is its place in the file. False: there is no room. */
static bool append(web *w, const char *bytes, size_t len) {
    text out = TEXT_INIT;
    text_format(&out, "id: %zu\ndata: ", w->size);
    text_bytes(&out, bytes, len);
    text_add(&out, "\n\n");
    const bool fits =
        !out.lost && out.buffer.len <= w->max_bytes - w->size &&
        tap_write_at(w->file, out.buffer.data, out.buffer.len, w->size) == (ptrdiff_t)out.buffer.len;
    w->size += fits ? out.buffer.len : 0;
    text_free(&out);
    return fits;
}

void web_event(web *w, const text *event) {
    tap_lock_take(w->lock);
    if (w->lost != 0 || event->lost || !append(w, event->buffer.data, event->buffer.len)) {
        w->lost++; /* what follows a gap would be shown in a wrong light */
    }
    tap_lock_tell(w->lock);
    tap_lock_give(w->lock);
}

/* Waits for events. False: the silence has become long. */
static bool wait_for_more(const reader *r) {
    web *const w = r->web;
    bool is_over = false;
    while (r->at == w->size && !w->has_ended && !is_over) {
        is_over = !tap_lock_wait(w->lock, SILENCE_MS);
    }
    return r->at != w->size || w->has_ended;
}

static ssize_t give_text(char *to, const char *words) {
    const size_t len = strlen(words);
    memcpy(to, words, len);
    return (ssize_t)len;
}

/* Gives a page the next piece. */
static ssize_t give(void *self, uint64_t unused, char *to, size_t room) {
    reader *const r = self;
    web *const w = r->web;
    (void)unused;
    tap_lock_take(w->lock);
    const bool has_more = wait_for_more(r);
    const size_t left = w->size - r->at;
    tap_lock_give(w->lock);
    if (!has_more) {
        return give_text(to, still_there);
    }
    if (left == 0) {
        if (r->was_told) {
            return MHD_CONTENT_READER_END_OF_STREAM;
        }
        r->was_told = true;
        return give_text(to, end_event);
    }
    const ptrdiff_t got = tap_read_at(w->file, to, left < room ? left : room, r->at);
    if (got <= 0) {
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    r->at += (size_t)got;
    return got;
}

static void forget_reader(void *self) {
    reader *const r = self;
    tap_lock_take(r->web->lock);
    r->web->readers--;
    tap_lock_give(r->web->lock);
    free(r);
}

/* The end of the first line that an empty one follows; NULL: there is none. */
static const char *empty_line(const char *bytes, size_t len) {
    for (size_t i = 0; i + 1 < len; i++) {
        if (bytes[i] == '\n' && bytes[i + 1] == '\n') {
            return bytes + i;
        }
    }
    return NULL;
}

/* The place after the event that a page has seen last; 0: it has seen none, or says something else. */
static size_t place_after(const web *w, const char *last) {
    char *end = NULL;
    const uint64_t at = last != NULL ? strtoull(last, &end, BASE) : 0;
    char piece[BLOCK];
    if (last == NULL || end == last || *end != '\0' || at >= w->size) {
        return 0;
    }
    if (at != 0 && (tap_read_at(w->file, piece, 2, at - 2) != 2 || memcmp(piece, "\n\n", 2) != 0)) {
        return 0;
    }
    for (size_t from = (size_t)at; from < w->size;) { /* an event has no empty line in it */
        const ptrdiff_t got = tap_read_at(w->file, piece, sizeof piece, from);
        const char *const gap = got > 1 ? empty_line(piece, (size_t)got) : NULL;
        if (gap != NULL) {
            return from + (size_t)(gap - piece) + 2;
        }
        if (got <= 1) {
            break;
        }
        from += (size_t)got - 1;
    }
    return 0;
}

/* ---- Requests ------------------------------------------------------------------------------------------ */

static const char *field_of(struct MHD_Connection *client, const char *name) {
    return MHD_lookup_connection_value(client, MHD_HEADER_KIND, name);
}

static enum MHD_Result add_fields(struct MHD_Response *response, const char *type) {
    static const char *const fields[][2] = {{"Cache-Control", "no-store"},
                                            {"X-Content-Type-Options", "nosniff"},
                                            {"Referrer-Policy", "no-referrer"},
                                            {"Cross-Origin-Resource-Policy", "same-origin"},
                                            {"Cross-Origin-Opener-Policy", "same-origin"},
                                            {"X-Frame-Options", "DENY"}};
    char policy[512];
    (void)snprintf(policy, sizeof policy, "%s; frame-ancestors 'none'", page_policy);
    bool added = MHD_add_response_header(response, "Content-Type", type) == MHD_YES &&
                 MHD_add_response_header(response, "Content-Security-Policy", policy) == MHD_YES;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        added = added && MHD_add_response_header(response, fields[i][0], fields[i][1]) == MHD_YES;
    }
    return added ? MHD_YES : MHD_NO;
}

static enum MHD_Result refuse(struct MHD_Connection *client, unsigned status) {
    static char nothing[] = "";
    struct MHD_Response *const response = MHD_create_response_from_buffer(0, nothing, MHD_RESPMEM_PERSISTENT);
    const enum MHD_Result queued = response != NULL && add_fields(response, "text/plain")
                                       ? MHD_queue_response(client, status, response)
                                       : MHD_NO;
    if (response != NULL) {
        MHD_destroy_response(response);
    }
    return queued;
}

/* True if a request is for this server under a name that no other machine can have, and from its own page. A
 * web page elsewhere could otherwise reach it through a host name of its own. */
static bool is_ours(const web *w, struct MHD_Connection *client) {
    const char *const host = field_of(client, "Host");
    const char *const origin = field_of(client, "Origin");
    const char *const site = field_of(client, "Sec-Fetch-Site");
    for (size_t i = 0; host != NULL && i < 2; i++) {
        if (strcmp(host, w->hosts[i]) == 0) {
            return (origin == NULL || (strncmp(origin, "http://", strlen("http://")) == 0 &&
                                       strcmp(origin + strlen("http://"), host) == 0)) &&
                   (site == NULL || strcmp(site, "none") == 0 || strcmp(site, "same-origin") == 0);
        }
    }
    return false;
}

/* The path after the secret; NULL: the secret is another one. The time says nothing about where it differs.
 */
static const char *path_after(const web *w, const char *path) {
    const size_t len = SECRET_SIZE - 1;
    unsigned char differs = 0;
    if (strlen(path) < len + 2 || path[0] != '/' || path[len + 1] != '/') {
        return NULL;
    }
    for (size_t i = 0; i < len; i++) {
        differs |= (unsigned char)(path[i + 1] ^ w->secret[i]);
    }
    return differs == 0 ? path + len + 2 : NULL;
}

static enum MHD_Result stream(web *w, struct MHD_Connection *client) {
    reader *const r = calloc(1, sizeof *r);
    if (r == NULL) {
        return MHD_NO;
    }
    r->web = w;
    tap_lock_take(w->lock);
    w->readers++;
    r->at = place_after(w, field_of(client, "Last-Event-ID"));
    tap_lock_give(w->lock);
    struct MHD_Response *const response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, give, r, forget_reader);
    if (response == NULL) {
        forget_reader(r);
        return MHD_NO;
    }
    const enum MHD_Result queued = add_fields(response, "text/event-stream") == MHD_YES
                                       ? MHD_queue_response(client, MHD_HTTP_OK, response)
                                       : MHD_NO;
    MHD_destroy_response(response);
    return queued;
}

static enum MHD_Result take(void *self, struct MHD_Connection *client, const char *path, const char *method,
                            const char *version, const char *bytes, size_t *len, void **state) {
    web *const w = self;
    (void)version;
    (void)bytes;
    (void)state;
    if (!is_ours(w, client)) {
        return refuse(client, MHD_HTTP_FORBIDDEN);
    }
    const char *const after = path_after(w, path);
    if (after == NULL || (*after != '\0' && strcmp(after, "events") != 0)) {
        return refuse(client, MHD_HTTP_NOT_FOUND);
    }
    if (strcmp(method, "GET") != 0 || *len != 0) {
        return refuse(client, MHD_HTTP_METHOD_NOT_ALLOWED);
    }
    return *after == '\0' ? MHD_queue_response(client, MHD_HTTP_OK, w->page) : stream(w, client);
}

/* ---- Begin and end ------------------------------------------------------------------------------------- */

static bool make_secret(web *w) {
    static const char digits[] = "0123456789abcdef";
    enum { SHIFT = 4, MASK = 15 };
    unsigned char bytes[SECRET_BYTES];
    if (!tap_random(bytes, sizeof bytes)) {
        return false;
    }
    for (size_t i = 0; i < SECRET_BYTES; i++) {
        w->secret[2 * i] = digits[bytes[i] >> SHIFT];
        w->secret[2 * i + 1] = digits[bytes[i] & MASK];
    }
    return true;
}

static bool make_page(web *w) {
    text page = TEXT_INIT;
    text_bytes(&page, (const char *)page_head, page_head_len);
    text_add(&page, live_data);
    text_bytes(&page, (const char *)page_tail, page_tail_len);
    w->page = page.lost
                  ? NULL
                  : MHD_create_response_from_buffer(page.buffer.len, page.buffer.data, MHD_RESPMEM_MUST_COPY);
    text_free(&page);
    return w->page != NULL && add_fields(w->page, "text/html; charset=utf-8") == MHD_YES;
}

static bool read_port(const char *word, struct sockaddr_in *to) {
    char *end = NULL;
    const unsigned long port = word != NULL ? strtoul(word, &end, BASE) : 0;
    memset(to, 0, sizeof *to);
    to->sin_family = AF_INET;
    to->sin_port = htons((uint16_t)port);
    to->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return word == NULL || (*word >= '0' && *word <= '9' && *end == '\0' && port <= MOST_PORT);
}

typedef struct beginning {
    web *web;
    const struct sockaddr_in *address;
} beginning;

static void begin(void *user) {
    const beginning *const b = user;
    b->web->daemon = MHD_start_daemon(MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD, 0,
                                      NULL, NULL, take, b->web, MHD_OPTION_SOCK_ADDR, b->address,
                                      MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_PAGES, MHD_OPTION_END);
}

static bool start(web *w, const struct sockaddr_in *address) {
    beginning b = {w, address};
    tap_start_threads(begin, &b);
    return w->daemon != NULL;
}

static void name_hosts(web *w) {
    const union MHD_DaemonInfo *const info = MHD_get_daemon_info(w->daemon, MHD_DAEMON_INFO_BIND_PORT);
    const unsigned port = info != NULL ? info->port : 0U;
    (void)snprintf(w->hosts[0], HOST_SIZE, "127.0.0.1:%u", port);
    (void)snprintf(w->hosts[1], HOST_SIZE, "localhost:%u", port);
}

static void free_web(web *w) {
    if (w->page != NULL) {
        MHD_destroy_response(w->page);
    }
    if (w->file != NULL) {
        (void)fclose(w->file);
    }
    tap_lock_free(w->lock);
    free(w);
}

web *web_open(const web_settings *settings) {
    struct sockaddr_in address;
    web *const w = calloc(1, sizeof *w);
    if (!read_port(settings->port, &address)) {
        tool_complain("--web=%s: a port is expected", settings->port);
        free(w);
        return NULL;
    }
    if (w != NULL) {
        w->lock = tap_lock_new();
    }
    if (w == NULL || w->lock == NULL) {
        tool_complain("--web: out of memory");
        free(w);
        return NULL;
    }
    w->max_bytes = settings->max_bytes;
    w->file = system_temporary(); /* nobody else may read it */
    if (w->file == NULL || !make_secret(w) || !make_page(w)) {
        tool_complain("--web: %s", strerror(errno));
        free_web(w);
        return NULL;
    }
    if (!start(w, &address)) {
        char why[WORDS];
        tap_explain_socket(why, sizeof why);
        tool_complain("--web: %s", why);
        free_web(w);
        return NULL;
    }
    name_hosts(w);
    tool_complain("tap: http://%s/%s/ shows the session", w->hosts[0], w->secret);
    return w;
}

/* Says how much is missing, and that nothing follows. */
static void end(web *w) {
    text lost = TEXT_INIT;
    tap_lock_take(w->lock);
    if (w->lost != 0) {
        text_format(&lost, "{\"lost\":%" PRIu64 "}", w->lost);
        w->max_bytes = SIZE_MAX;
        (void)append(w, lost.buffer.data, lost.buffer.len);
        tool_complain("--web: %" PRIu64 " messages are missing on the page (--max-web)", w->lost);
    }
    w->has_ended = true;
    tap_lock_tell(w->lock);
    tap_lock_give(w->lock);
    text_free(&lost);
}

void web_close(web *w) {
    unsigned readers = 1;
    if (w == NULL) {
        return;
    }
    end(w);
    for (unsigned waited = 0; readers != 0 && waited < PATIENCE_MS; waited += STEP_MS) {
        tap_lock_take(w->lock);
        readers = w->readers;
        tap_lock_give(w->lock);
        if (readers != 0) {
            tap_sleep(STEP_MS);
        }
    }
    MHD_stop_daemon(w->daemon);
    free_web(w);
}
