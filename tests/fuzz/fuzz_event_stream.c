/* SPDX-License-Identifier: MIT */
/*
 * Streams of server-sent events: whatever pieces the bytes come in, the reader gives the events that a plain
 * reading of the whole finds, with their ids and times, and refuses what is too long alike.
 *
 * The header says the most bytes of an event (the definition), how pieces are cut, and whether the stream is
 * read a second time after its first one, as after a break.
 */
#include "fuzz.h"
#include <mcpw/detail/event_reader.h>

enum { TEXT = 1 << 14, BESIDES = 8 /* in a line, beside its value */, LONG_ID = 4096 };

/* The findings in a stream. */
typedef struct found {
    mcpw_buffer events; /* the data of each, after its id and the time at that moment */
    mcpw_status status; /* MCPW_PENDING: it is used up */
    char id[TEXT];
    size_t id_len;
    uint64_t retry;
    bool has_retry;
} found;

static void put(mcpw_buffer *out, const void *bytes, size_t len) {
    FUZZ_SAME(mcpw_buffer_append(out, bytes, len), MCPW_OK, "memory");
}

static void note(found *f, mcpw_str id, uint64_t retry, mcpw_str data) {
    put(&f->events, &id.len, sizeof id.len);
    put(&f->events, id.ptr, id.len);
    put(&f->events, &retry, sizeof retry);
    put(&f->events, &data.len, sizeof data.len);
    put(&f->events, data.ptr, data.len);
}

/* ---- A plain reading ---- */

typedef struct plain {
    found *found;
    size_t limit;
    mcpw_buffer data;
    char id[TEXT]; /* of the event that is not complete */
    size_t id_len;
    bool has_id;
    bool is_other; /* not of type "message" */
} plain;

static bool is(mcpw_str text, const char *other) { return mcpw_str_is(text, other); }

static void end_event(plain *p) {
    found *const f = p->found;
    if (p->has_id) {
        memcpy(f->id, p->id, p->id_len);
        f->id_len = p->id_len;
    }
    if (p->data.len != 0 && !p->is_other) {
        note(f, (mcpw_str){f->id, f->id_len}, f->retry, (mcpw_str){p->data.data, p->data.len - 1});
    }
    p->data.len = 0;
    p->has_id = p->is_other = false;
}

static void take_retry(found *f, mcpw_str value) {
    double ms = 0;
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] < '0' || value.ptr[i] > '9') {
            return;
        }
        ms = ms * 10 + (value.ptr[i] - '0');
    }
    if (value.len != 0) {
        f->retry = ms < (double)UINT32_MAX ? (uint64_t)ms : UINT32_MAX;
        f->has_retry = true;
    }
}

static void take_line(plain *p, mcpw_str line) {
    size_t colon = 0;
    while (colon < line.len && line.ptr[colon] != ':') {
        colon++;
    }
    const mcpw_str name = {line.ptr, colon};
    size_t from = colon < line.len ? colon + 1 : line.len;
    from += from < line.len && line.ptr[from] == ' ';
    const mcpw_str value = {line.ptr + from, line.len - from};
    if (line.len == 0) {
        end_event(p);
    } else if (is(name, "data")) {
        put(&p->data, value.ptr, value.len);
        put(&p->data, "\n", 1);
        p->found->status = p->data.len - 1 > p->limit ? MCPW_E_SIZE : MCPW_PENDING;
    } else if (is(name, "id") && memchr(value.ptr, '\0', value.len) == NULL && value.len > LONG_ID) {
        p->id_len = 0;
        p->has_id = true;
    } else if (is(name, "id") && memchr(value.ptr, '\0', value.len) == NULL && value.len > p->limit) {
        p->found->status = MCPW_E_SIZE;
    } else if (is(name, "id") && memchr(value.ptr, '\0', value.len) == NULL) {
        memcpy(p->id, value.ptr, value.len);
        p->id_len = value.len;
        p->has_id = true;
    } else if (is(name, "retry")) {
        take_retry(p->found, value);
    } else if (is(name, "event")) {
        p->is_other = value.len != 0 && !is(value, "message");
    }
}

/* The whole, whose last line may lack its end; then it is none, but it may be too long already. */
static void read_plain(plain *p, mcpw_str text) {
    bool is_first = true;
    while (text.len != 0 && p->found->status == MCPW_PENDING) {
        size_t len = 0;
        while (len < text.len && text.ptr[len] != '\n' && text.ptr[len] != '\r') {
            len++;
        }
        mcpw_str line = {text.ptr, len};
        const bool ends = len < text.len;
        const bool is_pair = len + 1 < text.len && text.ptr[len] == '\r' && text.ptr[len + 1] == '\n';
        text.ptr += ends ? len + 1 + is_pair : len;
        text.len -= ends ? len + 1 + is_pair : len;
        if (line.len > p->limit + BESIDES) {
            p->found->status = MCPW_E_SIZE;
            return;
        }
        if (is_first && len >= 3 && memcmp(line.ptr, "\xEF\xBB\xBF", 3) == 0) {
            line = (mcpw_str){line.ptr + 3, line.len - 3};
        }
        is_first = false;
        if (ends) {
            take_line(p, line);
        }
    }
}

/* ---- In pieces ---- */

static unsigned draw(unsigned *seed) {
    *seed = *seed * 1103515245U + 12345U;
    return *seed >> 16;
}

static void read_pieces(mcpw_event_reader *reader, found *f, mcpw_str text, unsigned seed, unsigned largest) {
    f->status = MCPW_PENDING;
    while (text.len != 0 && f->status == MCPW_PENDING) {
        const size_t most = largest == 0 ? text.len : 1 + draw(&seed) % largest;
        size_t len = most < text.len ? most : text.len;
        char *const piece = fuzz_copy(text.ptr, len);
        const char *at = piece;
        mcpw_str data = {NULL, 0};
        text.ptr += len;
        text.len -= len;
        do {
            f->status = mcpw_event_reader_next(reader, &at, &len, &data);
            if (f->status == MCPW_OK) {
                note(f, mcpw_event_reader_id(reader), reader->has_retry ? reader->retry_ms : 0, data);
            }
        } while (f->status == MCPW_OK);
        FUZZ_ASSERT(f->status != MCPW_PENDING || len == 0);
        free(piece);
    }
    const mcpw_str id = mcpw_event_reader_id(reader);
    FUZZ_ASSERT(id.len < sizeof f->id);
    memcpy(f->id, id.len != 0 ? id.ptr : "", id.len);
    f->id_len = id.len;
    f->has_retry = reader->has_retry;
    f->retry = reader->has_retry ? reader->retry_ms : 0;
}

static void check_same(const found *a, const found *b) {
    FUZZ_SAME(a->status, b->status, "the end of a stream");
    FUZZ_ASSERT(a->events.len == b->events.len);
    FUZZ_ASSERT(a->events.len == 0 || memcmp(a->events.data, b->events.data, a->events.len) == 0);
    FUZZ_ASSERT(a->id_len == b->id_len && memcmp(a->id, b->id, a->id_len) == 0);
    FUZZ_ASSERT(a->has_retry == b->has_retry && a->retry == b->retry);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { LIMIT = 512 };
    static found wanted;
    static found given;
    static plain p;
    const fuzz_header h = fuzz_read_header(data, size);
    const mcpw_str text = {h.text, h.len < TEXT / 2 ? h.len : TEXT / 2};
    mcpw_event_reader reader = MCPW_EVENT_READER_INIT;
    memset(&wanted, 0, sizeof wanted);
    memset(&given, 0, sizeof given);
    memset(&p, 0, sizeof p);
    wanted.events = given.events = p.data = (mcpw_buffer)MCPW_BUFFER_INIT;
    reader.limit = p.limit = 1 + h.definition % LIMIT;
    wanted.status = MCPW_PENDING;
    p.found = &wanted;
    read_plain(&p, text);
    read_pieces(&reader, &given, text, h.extra[0], h.extra[1]);
    check_same(&given, &wanted);
    if ((h.extra[2] & 1U) != 0 && wanted.status == MCPW_PENDING) {
        mcpw_event_reader_restart(&reader);
        p.data.len = 0;
        p.has_id = p.is_other = false;
        read_plain(&p, text);
        read_pieces(&reader, &given, text, h.extra[1], h.extra[0]);
        check_same(&given, &wanted);
    }
    mcpw_event_reader_free(&reader);
    mcpw_buffer_free(&p.data);
    mcpw_buffer_free(&wanted.events);
    mcpw_buffer_free(&given.events);
    return 0;
}
