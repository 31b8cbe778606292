/* SPDX-License-Identifier: MIT */
/* The samples' sensor over TCP on this machine: host PORT. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sample.h"
#include "tcp.h"

static uint16_t port;

void sample_serve(wire *w) { tcp_serve(w, port, sample_now); }

bool sample_measure(void *user, int32_t *milli_celsius) {
    (void)user;
    *milli_celsius = 21500;
    return true;
}

void sample_log(const char *text) { (void)fprintf(stderr, "%s\n", text); }

uint64_t sample_now(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

int main(int argc, char **argv) {
    port = argc == 2 ? (uint16_t)strtoul(argv[1], NULL, 10) : 0;
    sample_run();
    return 1;
}
