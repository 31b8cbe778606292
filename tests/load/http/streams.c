/* SPDX-License-Identifier: MIT */
/*
 * Opens many listen streams on a server over HTTP, then calls its tool change, which changes the list of
 * tools, and waits until each stream has told of it. Prints a JSON object: streams, errors, ms until all were
 * open, ms until all had heard, kilobytes of the server for a stream.
 *
 *   load_http_streams PORT PROCESS STREAMS
 */
#define _GNU_SOURCE
#include "wire.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { EVENTS = 256, TIMEOUT = 10000, DECIMAL = 10, ARGUMENTS = 4, HEARD_ROOM = 2048 };

static const double ms = 1e6; /* ns */
static const char acknowledged[] = "notifications/subscriptions/acknowledged";
static const char changed[] = "notifications/tools/list_changed";

typedef struct stream {
    int fd;
    bool open;
    bool heard;
    size_t len;
    char in[HEARD_ROOM + 1];
} stream;

typedef struct load {
    int port;
    int process;
    wire_dialect dialect;
    stream *streams;
    size_t count;
    size_t open;
    size_t heard;
    size_t errors;
    int epoll;
} load;

static bool subscribe(load *l, stream *s, long id) {
    char out[WIRE_REQUEST];
    struct epoll_event event = {EPOLLIN, {.ptr = s}};
    const size_t len = wire_put(out, &l->dialect, l->port, id, "subscriptions/listen", NULL,
                                "\"notifications\":{\"toolsListChanged\":true}");
    s->fd = wire_connect(l->port);
    if (s->fd < 0 || write(s->fd, out, len) != (ssize_t)len ||
        epoll_ctl(l->epoll, EPOLL_CTL_ADD, s->fd, &event) != 0) {
        perror("subscribe");
        return false;
    }
    return true;
}

static void take(load *l, stream *s) {
    const ssize_t got = read(s->fd, s->in + s->len, HEARD_ROOM - s->len);
    if (got < 0 && errno == EAGAIN) {
        return;
    }
    if (got <= 0) {
        l->errors++;
        (void)close(s->fd);
        s->fd = -1;
        return;
    }
    s->len += (size_t)got;
    s->in[s->len] = '\0';
    if (!s->open && strstr(s->in, acknowledged) != NULL) {
        s->open = true;
        l->open++;
    }
    if (!s->heard && strstr(s->in, changed) != NULL) {
        s->heard = true;
        l->heard++;
    }
}

/* Reads what comes until so many streams are in the state that is counted. */
static bool wait_for(load *l, const size_t *counted, size_t wanted) {
    struct epoll_event events[EVENTS];
    while (*counted < wanted) {
        const int count = epoll_wait(l->epoll, events, EVENTS, TIMEOUT);
        if (count <= 0 || l->errors != 0) {
            fprintf(stderr, "%zu of %zu, %zu streams have ended\n", *counted, wanted, l->errors);
            return false;
        }
        for (int i = 0; i < count; i++) {
            take(l, events[i].data.ptr);
        }
    }
    return true;
}

static bool open_all(load *l) {
    enum { AT_ONCE = 64 };
    for (size_t i = 0; i < l->count; i += AT_ONCE) {
        const size_t to = i + AT_ONCE < l->count ? i + AT_ONCE : l->count;
        for (size_t k = i; k < to; k++) {
            if (!subscribe(l, l->streams + k, (long)k + 1)) {
                return false;
            }
        }
        if (!wait_for(l, &l->open, to)) {
            return false;
        }
    }
    return true;
}

static bool change(load *l) {
    char out[WIRE_REQUEST];
    const int fd = wire_connect(l->port);
    const size_t len = wire_put(out, &l->dialect, l->port, 0, "tools/call", "change",
                                "\"name\":\"change\",\"arguments\":{}");
    const bool good = fd >= 0 && write(fd, out, len) == (ssize_t)len && wait_for(l, &l->heard, l->count);
    (void)close(fd);
    return good;
}

/* Opens the streams, changes the list, and prints. */
static bool run(load *l) {
    if (l->streams == NULL || l->epoll < 0 || !wire_find_dialect("2026-07-28", &l->dialect)) {
        fprintf(stderr, "the load could not begin\n");
        return false;
    }
    const long empty = wire_memory_of(l->process);
    const uint64_t begin = wire_now();
    bool good = open_all(l);
    const uint64_t opened = wire_now();
    const long full = wire_memory_of(l->process);
    good = good && change(l);
    const uint64_t heard = wire_now();
    printf("{\"streams\": %zu, \"heard\": %zu, \"errors\": %zu, \"open_ms\": %.0f, \"heard_ms\": %.0f, "
           "\"kb_a_stream\": %.2f}\n",
           l->open, l->heard, l->errors, (double)(opened - begin) / ms, (double)(heard - opened) / ms,
           l->open != 0 ? (double)(full - empty) / (double)l->open : 0.0);
    return good;
}

int main(int argc, char **argv) {
    load l;
    memset(&l, 0, sizeof l);
    if (argc != ARGUMENTS) {
        fprintf(stderr, "usage: %s PORT PROCESS STREAMS\n", argv[0]);
        return 2;
    }
    l.port = (int)strtol(argv[1], NULL, DECIMAL);
    l.process = (int)strtol(argv[2], NULL, DECIMAL);
    l.count = strtoul(argv[3], NULL, DECIMAL);
    l.streams = calloc(l.count, sizeof *l.streams);
    l.epoll = epoll_create1(EPOLL_CLOEXEC);
    const bool good = run(&l);
    free(l.streams);
    return good ? 0 : 1;
}
