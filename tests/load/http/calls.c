/* SPDX-License-Identifier: MIT */
/*
 * Calls the echo tool of a server over HTTP: many keep-alive connections, each with one request under way.
 * Prints a JSON object: requests, errors, seconds, processor time of the server for a request, latencies.
 *
 *   load_http_calls PORT PROCESS REVISION CONNECTIONS REQUESTS [any]
 *
 * any: whatever result will do, for a server that does not echo.
 */
#define _GNU_SOURCE
#include "wire.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { FIRST_ID = 1000000, EVENTS = 256, TIMEOUT = 10000, DECIMAL = 10, ARGUMENTS = 6 };

static const double us = 1e3; /* ns */
static const double second = 1e9;

typedef struct load {
    int port;
    wire_dialect dialect;
    wire_link *links;
    size_t connections;
    size_t requests; /* wanted */
    size_t asked;
    size_t answered;
    size_t errors;
    uint32_t *latencies; /* us */
    int epoll;
} load;

/* Sends what is left of a request. */
static bool send_rest(wire_link *link) {
    while (link->sent < link->out_len) {
        const ssize_t wrote = write(link->fd, link->out + link->sent, link->out_len - link->sent);
        if (wrote < 0) {
            return errno == EAGAIN;
        }
        link->sent += (size_t)wrote;
    }
    return true;
}

static bool ask(load *l, wire_link *link) {
    link->id = FIRST_ID + (long)l->asked++;
    link->out_len = wire_put_call(link->out, &l->dialect, l->port, link->id);
    link->sent = 0;
    link->in_len = 0;
    link->asked = wire_now();
    return send_rest(link);
}

static void give_up(load *l, wire_link *link) {
    l->errors++;
    if (l->errors == 1) {
        fprintf(stderr, "request %ld: %.*s\n", link->id, (int)link->in_len, link->in);
    }
    (void)close(link->fd);
    link->fd = -1;
}

static void take(load *l, wire_link *link) {
    const ssize_t got = read(link->fd, link->in + link->in_len, WIRE_RESPONSE - link->in_len);
    if (got < 0 && errno == EAGAIN) {
        return;
    }
    if (got <= 0) {
        give_up(l, link);
        return;
    }
    link->in_len += (size_t)got;
    link->in[link->in_len] = '\0';
    const wire_state state = wire_judge(link);
    if (state == WIRE_BAD) {
        give_up(l, link);
    } else if (state == WIRE_GOOD) {
        l->latencies[l->answered++] = (uint32_t)((double)(wire_now() - link->asked) / us);
        if (l->asked < l->requests && !ask(l, link)) {
            give_up(l, link);
        }
    }
}

static bool connect_all(load *l) {
    for (size_t i = 0; i < l->connections; i++) {
        wire_link *const link = l->links + i;
        struct epoll_event event = {EPOLLIN, {.ptr = link}};
        link->fd = wire_connect(l->port);
        if (link->fd < 0 || epoll_ctl(l->epoll, EPOLL_CTL_ADD, link->fd, &event) != 0) {
            perror("connect");
            return false;
        }
    }
    return true;
}

static void drive(load *l) {
    struct epoll_event events[EVENTS];
    for (size_t i = 0; i < l->connections && l->asked < l->requests; i++) {
        if (!ask(l, l->links + i)) {
            give_up(l, l->links + i);
        }
    }
    while (l->answered + l->errors < l->requests && l->errors < l->connections) {
        const int count = epoll_wait(l->epoll, events, EVENTS, TIMEOUT);
        if (count <= 0) {
            fprintf(stderr, "nothing came for %d ms\n", TIMEOUT);
            l->errors += l->requests - l->answered - l->errors;
            return;
        }
        for (int i = 0; i < count; i++) {
            wire_link *const link = events[i].data.ptr;
            if (link->fd >= 0) {
                take(l, link);
            }
        }
    }
}

static int by_size(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void tell(load *l, uint64_t spent, uint64_t cpu, long memory) {
    const size_t n = l->answered;
    qsort(l->latencies, n, sizeof *l->latencies, by_size);
    printf("{\"requests\": %zu, \"errors\": %zu, \"seconds\": %.3f, \"a_second\": %.0f, \"cpu_us\": %.2f, "
           "\"median_us\": %u, \"p99_us\": %u, \"memory_kb\": %ld}\n",
           n, l->errors, (double)spent / second, (double)n / ((double)spent / second),
           n != 0 ? (double)cpu / us / (double)n : 0.0, n != 0 ? l->latencies[n / 2] : 0,
           n != 0 ? l->latencies[n - 1 - n / 100] : 0, memory);
}

/* Connects, calls, and prints. */
static bool run(load *l, int process) {
    if (l->links == NULL || l->latencies == NULL || l->epoll < 0 || !wire_open(l->port, &l->dialect) ||
        !connect_all(l)) {
        fprintf(stderr, "the load could not begin\n");
        return false;
    }
    const uint64_t cpu = wire_cpu_of(process);
    const uint64_t begin = wire_now();
    drive(l);
    tell(l, wire_now() - begin, wire_cpu_of(process) - cpu, wire_memory_of(process));
    return l->errors == 0;
}

int main(int argc, char **argv) {
    load l;
    memset(&l, 0, sizeof l);
    if (argc < ARGUMENTS || !wire_find_dialect(argv[3], &l.dialect)) {
        fprintf(stderr, "usage: %s PORT PROCESS REVISION CONNECTIONS REQUESTS [any]\n", argv[0]);
        return 2;
    }
    const int process = (int)strtol(argv[2], NULL, DECIMAL);
    l.port = (int)strtol(argv[1], NULL, DECIMAL);
    l.connections = strtoul(argv[4], NULL, DECIMAL);
    l.requests = strtoul(argv[5], NULL, DECIMAL);
    l.links = calloc(l.connections, sizeof *l.links);
    l.latencies = calloc(l.requests, sizeof *l.latencies);
    l.epoll = epoll_create1(EPOLL_CLOEXEC);
    for (size_t i = 0; l.links != NULL && i < l.connections; i++) {
        l.links[i].echoes = argc <= ARGUMENTS;
    }
    const bool good = run(&l, process);
    free(l.links);
    free(l.latencies);
    return good ? 0 : 1;
}
