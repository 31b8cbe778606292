/* SPDX-License-Identifier: MIT */
/* The work of a loop beside its session: descriptors and timers of the program's. */
#include "thread_stage.h"

typedef struct seen {
    mcpw_io *io;
    int ready;
    short events;
    int timed;
    int64_t number;
    int other; /* a descriptor that a callback no longer wants */
} seen;

static stage *idle_stage(void) {
    stage *const s = stage_new();
    stage_begin(s);
    return s;
}

static void on_ready(void *user, mcpw_io *io, int fd, short events) {
    seen *const f = user;
    char byte;
    f->io = io;
    f->events = events;
    f->ready++;
    CHECK(read(fd, &byte, 1) == 1);
}

static void a_watched_descriptor_is_told(void) {
    stage *const s = idle_stage();
    seen f = {0};
    int ends[2] = {-1, -1};
    CHECK(pipe(ends) == 0 && mcpw_io_watch(&s->io, ends[0], POLLIN, on_ready, &f) == MCPW_OK);
    CHECK(mcpw_io_step(&s->io, 0, NULL) == MCPW_OK && f.ready == 0);
    CHECK(write(ends[1], "ab", 2) == 2);
    CHECK(mcpw_io_step(&s->io, STAGE_PATIENCE, NULL) == MCPW_OK);
    CHECK(f.ready == 1 && f.io == &s->io && (f.events & POLLIN) != 0);
    CHECK(mcpw_io_work(&s->io, NULL) == MCPW_OK && f.ready == 2); /* a loop of the program's own, too */
    CHECK(write(ends[1], "c", 1) == 1);
    mcpw_io_unwatch(&s->io, ends[0]);
    mcpw_io_unwatch(&s->io, ends[0]);
    CHECK(mcpw_io_step(&s->io, 0, NULL) == MCPW_OK && f.ready == 2);
    (void)close(ends[0]);
    (void)close(ends[1]);
    stage_free(s);
}

static void unwatch_other(void *user, mcpw_io *io, int fd, short events) {
    seen *const f = user;
    on_ready(user, io, fd, events);
    mcpw_io_unwatch(io, f->other);
}

static void what_a_callback_no_longer_wants_is_not_told(void) {
    stage *const s = idle_stage();
    seen f = {0};
    int ends[2][2];
    for (int i = 0; i < 2; i++) {
        CHECK(pipe(ends[i]) == 0 && write(ends[i][1], "x", 1) == 1);
        CHECK(mcpw_io_watch(&s->io, ends[i][0], POLLIN, unwatch_other, &f) == MCPW_OK);
    }
    f.other = ends[1][0];
    CHECK(mcpw_io_step(&s->io, STAGE_PATIENCE, NULL) == MCPW_OK && f.ready == 1);
    for (int i = 0; i < 2; i++) {
        (void)close(ends[i][0]);
        (void)close(ends[i][1]);
    }
    stage_free(s);
}

static void on_time(void *user, mcpw_io *io) {
    seen *const f = user;
    f->io = io;
    f->timed++;
}

static void step_until(stage *s, const int *count, int times) {
    const uint64_t end = mcpw_io_now() + STAGE_PATIENCE;
    while (*count < times && mcpw_io_now() < end) {
        CHECK(mcpw_io_step(&s->io, -1, NULL) == MCPW_OK); /* the timer ends the wait */
    }
}

static void a_timer_ends_a_wait_once(void) {
    stage *const s = idle_stage();
    seen f = {0};
    const uint64_t begin = mcpw_io_now();
    CHECK(mcpw_io_timeout(&s->io) == -1);
    CHECK(mcpw_io_start_timer(&s->io, 20, 0, on_time, &f, NULL) == MCPW_OK);
    CHECK(mcpw_io_timeout(&s->io) > 0 && mcpw_io_timeout(&s->io) <= 20);
    step_until(s, &f.timed, 1);
    CHECK(f.timed == 1 && f.io == &s->io && mcpw_io_now() - begin >= 20);
    CHECK(mcpw_io_timeout(&s->io) == -1);
    stage_free(s);
}

static void a_period_goes_on_until_it_is_stopped(void) {
    stage *const s = idle_stage();
    seen f = {0};
    CHECK(mcpw_io_start_timer(&s->io, 0, 2, on_time, &f, &f.number) == MCPW_OK);
    step_until(s, &f.timed, 3);
    mcpw_io_stop_timer(&s->io, f.number);
    const int before = f.timed;
    CHECK(mcpw_io_step(&s->io, 10, NULL) == MCPW_OK && f.timed == before && before >= 3);
    mcpw_io_stop_timer(&s->io, f.number);
    stage_free(s);
}

static void run_twice_at_most(void *user, mcpw_io *io) {
    seen *const f = user;
    on_time(user, io);
    if (f->timed > 1) { /* else the step would never end */
        mcpw_io_stop_timer(io, f->number);
    }
}

static void the_longest_period_never_ends(void) {
    stage *const s = idle_stage();
    seen f = {0};
    CHECK(mcpw_io_start_timer(&s->io, 1, UINT64_MAX, run_twice_at_most, &f, &f.number) == MCPW_OK);
    step_until(s, &f.timed, 1);
    CHECK(f.timed == 1);
    CHECK(mcpw_io_step(&s->io, 5, NULL) == MCPW_OK && f.timed == 1);
    stage_free(s);
}

static void start_again(void *user, mcpw_io *io) {
    seen *const f = user;
    on_time(user, io);
    CHECK(mcpw_io_start_timer(io, 0, 0, start_again, f, NULL) == MCPW_OK);
}

static void a_timer_that_a_callback_starts_waits_for_the_next_step(void) {
    stage *const s = idle_stage();
    seen f = {0};
    CHECK(mcpw_io_start_timer(&s->io, 0, 0, start_again, &f, NULL) == MCPW_OK);
    CHECK(mcpw_io_step(&s->io, 0, NULL) == MCPW_OK && f.timed == 1);
    CHECK(mcpw_io_step(&s->io, 0, NULL) == MCPW_OK && f.timed == 2);
    stage_free(s);
}

static void what_cannot_be_watched_is_refused(void) {
    stage *const s = idle_stage();
    mcpw_io nothing = MCPW_IO_INIT;
    seen f = {0};
    CHECK(mcpw_io_watch(&s->io, -1, POLLIN, on_ready, &f) == MCPW_E_ARGUMENT);
    CHECK(mcpw_io_watch(&nothing, 0, POLLIN, on_ready, &f) == MCPW_E_ARGUMENT);
    CHECK(mcpw_io_start_timer(&nothing, 1, 0, on_time, &f, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_io_start_timer(&s->io, 1, 0, NULL, &f, NULL) == MCPW_E_ARGUMENT);
    mcpw_io_unwatch(NULL, 0);
    mcpw_io_stop_timer(NULL, 0);
    stage_free(s);
}

int main(void) {
    RUN(a_watched_descriptor_is_told);
    RUN(what_a_callback_no_longer_wants_is_not_told);
    RUN(a_timer_ends_a_wait_once);
    RUN(a_period_goes_on_until_it_is_stopped);
    RUN(the_longest_period_never_ends);
    RUN(a_timer_that_a_callback_starts_waits_for_the_next_step);
    RUN(what_cannot_be_watched_is_refused);
    return check_failures != 0;
}
