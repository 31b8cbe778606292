/* SPDX-License-Identifier: MIT */
/* The output of a replay goes to the host, which takes everything at once. */
#include "tap_outlet.h"

#include "console.h"

outlet outlet_of(int fd) {
    (void)fd;
    return (outlet){.pending = TEXT_INIT};
}

text *outlet_begin(outlet *o) { return &o->pending; }

void outlet_end(outlet *o) { o->lost += o->pending.lost ? 1 : 0; }

bool outlet_waits(const outlet *o) {
    (void)o;
    return false;
}

void outlet_flush(outlet *o) {
    if (o->pending.buffer.len != 0) {
        o->error = o->error != 0 ? o->error : console_write(&o->pending);
    }
    text_clear(&o->pending);
}

void outlet_drain(outlet *o, int patience) {
    (void)patience;
    outlet_flush(o);
}

void outlet_free(outlet *o) { text_free(&o->pending); }
