/* SPDX-License-Identifier: MIT */
/*
 * A server in steady state allocates nothing: once it has answered some batches of calls, answering more of
 * them calls neither the given allocator nor, behind its back, the C library's. So does the transport: the
 * same with the calls read from one pipe and the answers written to another.
 */
#define _POSIX_C_SOURCE 200809L
#include "counting.h"
#include "libc_calls.h"
#include "session_inside.h"

#include <mcpw/io.h>
#include <stdio.h>
#include <unistd.h>

enum { WARM_UP_PASSES = 3, COUNTED_PASSES = 50, ANSWERS_ROOM = 1 << 16 };

typedef struct load {
    bench_inside inside;
    mcpw_io io;
    int calls[2]; /* a pipe whose second end the client writes to */
    int answers[2];
    char text[ANSWERS_ROOM]; /* answers to the last batch */
    size_t text_len;
} load;

static bool pass_inside(load *l) { return bench_inside_pass(&l->inside); }

/* A batch fits into a pipe, and so do its answers: nobody waits for anybody. */
static bool pass_piped(load *l) {
    mcpw_error error;
    if (write(l->calls[1], l->inside.calls, l->inside.len) != (ssize_t)l->inside.len ||
        mcpw_io_work(&l->io, &error) != MCPW_OK) {
        return false;
    }
    const ssize_t got = read(l->answers[0], l->text, sizeof l->text);
    l->text_len = got > 0 ? (size_t)got : 0;
    return got > 0;
}

static bool repeat(load *l, bool (*pass)(load *l), int times) {
    bool good = true;
    for (int i = 0; good && i < times; i++) {
        good = pass(l);
    }
    if (!good) {
        fprintf(stderr, "a batch could not be passed\n");
    }
    return good;
}

/* Runs in steady state and tells whether nothing was allocated. */
static bool expect_none(load *l, const char *how, bool (*pass)(load *l), const size_t *calls) {
    if (!repeat(l, pass, WARM_UP_PASSES)) {
        return false;
    }
    const size_t given = *calls;
    const size_t libc = bench_libc_calls();
    if (!repeat(l, pass, COUNTED_PASSES)) {
        return false;
    }
    const size_t behind = bench_libc_calls() - libc;
    printf("%s, %s, %s: %zu calls of the allocator and %zu of malloc in %d requests\n", l->inside.about->name,
           l->inside.about->dialect->revision, how, *calls - given, behind, COUNTED_PASSES * BENCH_BATCH);
    return *calls == given && behind == 0;
}

static bool check_piped(load *l, const size_t *calls) {
    const mcpw_io idle = MCPW_IO_INIT;
    mcpw_error error;
    l->io = idle;
    if (pipe(l->calls) != 0 || pipe(l->answers) != 0) {
        perror("pipe");
        return false;
    }
    const bool good =
        mcpw_io_begin(&l->io, l->inside.session, l->calls[0], l->answers[1], &error) == MCPW_OK &&
        expect_none(l, "through pipes", pass_piped, calls) &&
        bench_check_answers(l->text, l->text_len, BENCH_FIRST_ID, BENCH_BATCH, true);
    mcpw_io_end(&l->io);
    for (int i = 0; i < 2; i++) {
        (void)close(l->calls[i]);
        (void)close(l->answers[i]);
    }
    return good;
}

static bool check_case(const bench_case *about) {
    static load l;
    size_t calls = 0;
    bool good = bench_inside_open(&l.inside, about, bench_counting_allocator(&calls));
    if (good) {
        const bool inside = expect_none(&l, "the session", pass_inside, &calls);
        const bool piped = check_piped(&l, &calls);
        good = inside && piped && calls > 0; /* 0 calls at all: nothing was counted */
    }
    bench_inside_close(&l.inside);
    return good;
}

int main(void) {
    bool good = true;
    for (size_t i = 0; i < bench_case_count(); i++) {
        const bench_case about = bench_case_at(i);
        good = check_case(&about) && good;
    }
    return good ? 0 : 1;
}
