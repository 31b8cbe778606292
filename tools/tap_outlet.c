/* SPDX-License-Identifier: MIT */
#include "tap_outlet.h"

#include <errno.h>
#include <string.h>

enum { MAX_PENDING = 1 << 20 /* bytes that wait for a reader */ };

outlet outlet_of(int fd) {
    const outlet o = {sink_of(fd), TEXT_INIT, 0, 0, 0, 0};
    return o;
}

text *outlet_begin(outlet *o) {
    o->begun = o->pending.buffer.len;
    if (o->begun - o->written > MAX_PENDING || o->error != 0) {
        o->lost++;
        return NULL;
    }
    return &o->pending;
}

void outlet_end(outlet *o) {
    if (o->pending.lost) { /* drop the incomplete line */
        o->pending.lost = false;
        o->pending.buffer.len = o->begun;
        o->lost++;
    }
}

bool outlet_waits(const outlet *o) { return o->error == 0 && o->written < o->pending.buffer.len; }

/* The length of the whole lines that fit in one portion, so that other writers' lines do not split them; at
 * least one line. */
static size_t next_lines(const outlet *o) {
    const char *const begin = o->pending.buffer.data + o->written;
    const size_t left = o->pending.buffer.len - o->written;
    size_t end = left < o->out.portion ? left : o->out.portion;
    while (end > 0 && begin[end - 1] != '\n') {
        end--;
    }
    return end != 0 ? end : left;
}

void outlet_flush(outlet *o) {
    while (outlet_waits(o)) {
        const size_t len = next_lines(o);
        const ptrdiff_t n = sink_write(&o->out, o->pending.buffer.data + o->written, len);
        if (n < 0) {
            o->error = errno;
        }
        o->written += n > 0 ? (size_t)n : 0;
        if (n < (ptrdiff_t)len) {
            break;
        }
    }
    const size_t left = outlet_waits(o) ? o->pending.buffer.len - o->written : 0;
    if (left == 0 || o->written > MAX_PENDING) { /* remove the written lines */
        if (left != 0) {
            memmove(o->pending.buffer.data, o->pending.buffer.data + o->written, left);
        }
        o->pending.buffer.len = left;
        o->written = 0;
    }
}

void outlet_drain(outlet *o, int patience) {
    outlet_flush(o);
    while (outlet_waits(o) && sink_wait(&o->out, patience)) {
        outlet_flush(o);
    }
    sink_finish(&o->out, patience);
}

void outlet_free(outlet *o) { text_free(&o->pending); }
