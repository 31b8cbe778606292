/* SPDX-License-Identifier: MIT */
/*
 * A client over HTTP and a server, each by its core, joined by wires that may be slow, cut, and full of
 * noise. Whatever either program does meanwhile, each request of the client's is answered once; where nothing
 * disturbs them, the server finds no header that does not agree with its body.
 *
 * The header says the revision of the handlers, limits and eras of the server (the definition), flags, a
 * seed, how bodies are cut, and the revisions that the server speaks. The text is lines of things to do: a !,
 * a letter and two bytes. Lower case letters are the client's (side_operate, and q: a request), upper case
 * ones those of operate and of stage_operate.
 */
#include "http_stage.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/http_client.h>
#include <mcpw/json.h>

enum { WIRES = 16, ROUNDS = 30, NOISE = 64, MOST_CALLS = 400 };

/* A call and its exchange. */
typedef struct wire {
    stage_slot slot; /* what the server's handlers know as the program's own; first */
    mcpw_http_call *call;
    mcpw_http_exchange *exchange;
    bool is_slow;
} wire;

typedef struct pair {
    stage server;
    side client;
    mcpw_http_client *http;
    wire wires[WIRES];
    unsigned seed;
    unsigned largest;  /* piece; 0: all at once */
    unsigned calls;    /* so far */
    bool is_noisy;     /* bytes are changed on their way to the client */
    bool is_disturbed; /* in whatever way */
} pair;

static unsigned draw(pair *p) {
    p->seed = p->seed * 1103515245U + 12345U;
    return p->seed >> 16;
}

static size_t piece_of(pair *p, size_t len) {
    const size_t most = p->largest == 0 ? len : 1 + draw(p) % p->largest;
    return most < len ? most : len;
}

/* ---- Wires ---- */

static void close_exchange(wire *w) {
    if (w->exchange != NULL) {
        mcpw_http_exchange *const exchange = w->exchange;
        w->exchange = NULL;
        mcpw_http_close(exchange);
    }
}

/* Ends a call, as if the response were complete or the wire was cut. */
static void end_call(wire *w, bool is_cut) {
    mcpw_http_call *const call = w->call;
    mcpw_error error = {MCPW_E_IO, 0, "", "the wire was cut"};
    w->call = NULL;
    close_exchange(w);
    if (call != NULL) {
        mcpw_http_call_end(call, is_cut ? &error : NULL);
    }
}

/* Takes bytes to the client; false: it wants no more. */
static bool carry(pair *p, wire *w, mcpw_str bytes) {
    bool wants = true;
    while (bytes.len != 0 && wants) {
        const size_t len = piece_of(p, bytes.len);
        char *const copy = fuzz_copy(bytes.ptr, len);
        for (size_t i = 0; p->is_noisy && i < len; i++) {
            copy[i] = (char)(draw(p) % NOISE == 0 ? draw(p) : (unsigned char)copy[i]);
        }
        wants = mcpw_http_call_body(w->call, copy, len);
        free(copy);
        bytes.ptr += len;
        bytes.len -= len;
    }
    return wants;
}

static void check_agreement(const pair *p, const mcpw_http_output *head) {
    const mcpw_json text = mcpw_json_of(head->bytes.ptr, head->bytes.len);
    mcpw_json error = {NULL, 0, 0};
    int64_t code = 0;
    if (!p->is_disturbed && mcpw_json_get(text, "error", &error) == MCPW_OK &&
        mcpw_json_get_int(error, "code", &code) == MCPW_OK) {
        FUZZ_ASSERT(code != -32020 && code != -32700);
    }
}

/* Takes a step of a response; false: there is none. */
static bool take(pair *p, wire *w) {
    mcpw_http_output out;
    if (w->exchange == NULL || w->is_slow || !mcpw_http_next(w->exchange, &out)) {
        return false;
    }
    if (out.step == MCPW_HTTP_END) {
        end_call(w, false);
        return true;
    }
    if (out.step == MCPW_HTTP_HEAD) {
        check_agreement(p, &out);
        mcpw_http_call_head(w->call, out.status, out.fields, out.field_count);
    }
    if (!carry(p, w, out.bytes)) {
        end_call(w, false);
    }
    return true;
}

static wire *free_wire(pair *p) {
    for (size_t i = 0; i < WIRES; i++) {
        if (p->wires[i].call == NULL) {
            return p->wires + i;
        }
    }
    return NULL;
}

static wire *wire_of(pair *p, const mcpw_http_call *call) {
    size_t i = 0;
    while (i < WIRES && p->wires[i].call != call) {
        i++;
    }
    FUZZ_ASSERT(i < WIRES);
    return p->wires + i;
}

/* A body that no server accepts. */
static void refuse(pair *p, mcpw_http_call *call) {
    p->is_disturbed = true;
    mcpw_http_call_head(call, 503, NULL, 0);
    mcpw_http_call_end(call, NULL);
}

static void begin(pair *p, const mcpw_http_order *order) {
    mcpw_http_field fields[STAGE_FIELDS];
    size_t count = 0;
    wire *const w = free_wire(p);
    fields[count++] = (mcpw_http_field){MCPW_STR_VALUE("Host"), MCPW_STR_VALUE("localhost")};
    for (size_t i = 0; i < order->field_count && count < STAGE_FIELDS; i++) {
        fields[count++] = order->fields[i];
    }
    const mcpw_http_request request = {.method = mcpw_str_from(order->method),
                                       .path = MCPW_STR_VALUE("/mcp"),
                                       .fields = fields,
                                       .field_count = count};
    if (w == NULL || ++p->calls > MOST_CALLS) {
        refuse(p, order->call);
        return;
    }
    memset(w, 0, sizeof *w);
    w->slot.of = &p->server;
    if (mcpw_http_begin(p->server.http, &request, w, &w->exchange) != MCPW_OK) {
        refuse(p, order->call);
        return;
    }
    w->call = order->call;
    mcpw_http_call_set_user(order->call, w);
    for (mcpw_str body = order->body; body.len != 0;) {
        const size_t len = piece_of(p, body.len);
        mcpw_http_body(w->exchange, body.ptr, len);
        body.ptr += len;
        body.len -= len;
    }
    mcpw_http_body_end(w->exchange);
}

/* ---- All that goes on ---- */

static bool send_orders(pair *p) {
    mcpw_http_order order;
    mcpw_error error = {0};
    bool any = false;
    while (mcpw_http_client_next(p->http, &order, &error) == MCPW_OK) {
        any = true;
        if (order.gives_up) {
            wire *const w = wire_of(p, order.call);
            FUZZ_ASSERT(mcpw_http_call_user(order.call) == w);
            w->call = NULL;
            close_exchange(w);
        } else {
            begin(p, &order);
        }
    }
    return any;
}

static bool take_all(pair *p) {
    bool any = false;
    for (mcpw_http_exchange *e = mcpw_http_ready(p->server.http); e != NULL;
         e = mcpw_http_ready(p->server.http)) {
        wire *const w = mcpw_http_user(e);
        FUZZ_ASSERT(w != NULL && w->exchange == e);
        any = take(p, w) || any;
    }
    for (size_t i = 0; i < WIRES; i++) {
        any = take(p, p->wires + i) || any;
    }
    return any;
}

static void settle(pair *p) {
    for (int i = 0; i < ROUNDS; i++) {
        const bool sent = send_orders(p);
        if (!take_all(p) && !sent) {
            return;
        }
    }
}

static void advance(pair *p, uint64_t by) {
    p->server.now += by;
    side_advance(&p->client, by);
    mcpw_http_client_advance(p->http, p->server.now);
    mcpw_http_advance(p->server.http, p->server.now);
}

static void operate(pair *p, int letter, unsigned number, unsigned n) {
    enum { SOON = 100, LATE = 10000 };
    wire *const w = p->wires + number % WIRES;
    switch (letter) {
    case 'A':
        advance(p, (uint64_t)number * SOON);
        break;
    case 'T':
        advance(p, (uint64_t)number * LATE);
        break;
    case 'B':
        end_call(w, true);
        break;
    case 'E':
        mcpw_http_client_stop(p->http);
        break;
    case 'N':
        p->is_noisy = !p->is_noisy;
        break;
    case 'W':
        w->is_slow = !w->is_slow;
        break;
    case 'Z':
    case 'D':
        stage_operate(&p->server, letter, number, n);
        break;
    default: /* upper case: of the server's program */
        if (letter >= 'A' && letter <= 'Z') {
            stage_operate(&p->server, letter | 0x20, number, n);
        }
        break;
    }
}

static bool disturbs(int letter) { return letter != 'q' && letter != 'r' && letter != 'R' && letter != 'W'; }

static void run(pair *p, const char *text, size_t len) {
    while (len != 0) {
        const char *const end = memchr(text, '\n', len);
        const size_t n = end != NULL ? (size_t)(end - text) : len;
        const unsigned char *const bytes = (const unsigned char *)text;
        if (n > 3 && bytes[0] == '!') {
            const int letter = bytes[1];
            p->is_disturbed = p->is_disturbed || disturbs(letter);
            if (letter == 'q') {
                const unsigned methods = (unsigned)mcpw_method_count(p->client.revision) + 2U;
                side_request(&p->client, (int)(bytes[2] % methods), bytes[3]);
            } else if (letter == 'e' || letter == 't' || !side_operate(&p->client, letter, bytes[2])) {
                operate(p, letter, bytes[2], bytes[3]);
            }
        }
        settle(p);
        text += n + (end != NULL);
        len -= n + (end != NULL);
    }
}

/* ---- Begin and end ---- */

static const char *spoken(unsigned choice) {
    size_t count = 0;
    const mcpw_revision *const *const revisions = mcpw_revisions(&count);
    choice %= 1 + (unsigned)count;
    return choice == 0 ? NULL : mcpw_revision_name(revisions[choice - 1]);
}

static void finish(pair *p) {
    for (size_t i = 0; i < WIRES; i++) {
        p->wires[i].is_slow = false;
    }
    settle(p);
    mcpw_http_client_stop(p->http);
    settle(p);
    mcpw_session_close(p->client.session);
    for (size_t i = 0; i < WIRES; i++) {
        p->wires[i].call = NULL;
        close_exchange(p->wires + i);
    }
    mcpw_http_client_free(p->http);
    mcpw_session_free(p->client.session);
    p->client.session = NULL;
    side_end(&p->client);
    stage_end(&p->server);
    mcpw_buffer_free(&p->server.said);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { LIMITS = 2, ERAS = 3, NO_STREAM = 16, KEEPS = 64 };
    static pair p;
    const fuzz_header h = fuzz_read_header(data, size);
    const unsigned flags = size > 3 ? data[3] : 0;
    mcpw_http_client_config c = MCPW_HTTP_CLIENT_CONFIG_INIT;
    mcpw_error error = {0};
    memset(&p, 0, sizeof p);
    p.seed = h.extra[0];
    p.largest = h.extra[1];
    stage_config server = {.limits = h.definition % LIMITS * 2,
                           .eras = (mcpw_http_eras)(h.definition / LIMITS % ERAS),
                           .keeps = (flags & KEEPS) != 0,
                           .stops = true};
    server.side.role = MCPW_ROLE_SERVER;
    server.side.revision = h.revision;
    server.side.revisions = spoken(h.extra[2]);
    server.side.seed = h.extra[0];
    const side_config client = {
        .role = MCPW_ROLE_CLIENT, .revision = h.revision, .seed = h.extra[0], .whole = true};
    stage_start(&p.server, &server);
    if (p.server.http == NULL) {
        stage_end(&p.server);
        return 0;
    }
    side_start(&p.client, &client);
    c.session = p.client.session;
    c.open_stream = (flags & NO_STREAM) != 0 ? MCPW_OFF : MCPW_ON;
    c.max_queued = 1 + (h.extra[2] >> 6); /* few: this program reads on all the same */
    p.http = mcpw_http_client_new(&c, &error);
    FUZZ_ASSERT(p.http != NULL);
    FUZZ_SAME(mcpw_session_open(p.client.session), MCPW_OK, "open");
    settle(&p);
    run(&p, h.text, h.len);
    finish(&p);
    return 0;
}
