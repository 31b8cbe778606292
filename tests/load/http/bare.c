/* SPDX-License-Identifier: MIT */
/*
 * The least that an HTTP server has to do: epoll, one thread; it finds the end of a request's head and the
 * length of its body, and writes a fixed answer with the id. It prints its port.
 */
#define _GNU_SOURCE /* memmem, strcasestr, accept4 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ROOM = 4096, EVENTS = 256, BACKLOG = 1024, DECIMAL = 10 };

typedef struct peer {
    int fd;
    size_t len;
    char in[ROOM + 1];
} peer;

/* The length of the request that stands at the beginning; 0: it is not whole. */
static size_t whole(const peer *p) {
    const char *const end = memmem(p->in, p->len, "\r\n\r\n", 4);
    const char *const length = end != NULL ? strcasestr(p->in, "\r\ncontent-length:") : NULL;
    if (end == NULL || length == NULL) {
        return 0;
    }
    const size_t size =
        (size_t)(end - p->in) + 4 + strtoul(length + strlen("\r\ncontent-length:"), NULL, DECIMAL);
    return size <= p->len ? size : 0;
}

static int answer(const peer *p) {
    char body[256];
    char out[512];
    const char *const id = strstr(p->in, "\"id\":");
    const int body_len = snprintf(body, sizeof body,
                                  "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":{\"resultType\":\"complete\","
                                  "\"content\":[{\"type\":\"text\",\"text\":\"message number 1000000\"}]}}",
                                  id != NULL ? strtol(id + 5, NULL, DECIMAL) : 0);
    const int len = snprintf(
        out, sizeof out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
        body_len, body);
    return write(p->fd, out, (size_t)len) == len;
}

static int serve(peer *p) {
    const ssize_t got = read(p->fd, p->in + p->len, ROOM - p->len);
    if (got <= 0) {
        return 0;
    }
    p->len += (size_t)got;
    p->in[p->len] = '\0';
    for (size_t size = whole(p); size != 0; size = whole(p)) {
        if (!answer(p)) {
            return 0;
        }
        p->len -= size;
        memmove(p->in, p->in + size, p->len + 1);
    }
    return p->len < ROOM;
}

static void welcome(int listener, int epoll) {
    const int on = 1;
    peer *const p = calloc(1, sizeof *p);
    struct epoll_event event = {EPOLLIN, {.ptr = p}};
    if (p == NULL) {
        return;
    }
    p->fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (p->fd < 0 || setsockopt(p->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
        epoll_ctl(epoll, EPOLL_CTL_ADD, p->fd, &event) != 0) {
        free(p);
    }
}

int main(void) {
    struct sockaddr_in at;
    socklen_t size = sizeof at;
    struct epoll_event events[EVENTS];
    struct epoll_event event = {EPOLLIN, {.ptr = NULL}};
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int epoll = epoll_create1(EPOLL_CLOEXEC);
    memset(&at, 0, sizeof at);
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (listener < 0 || epoll < 0 || bind(listener, (const struct sockaddr *)&at, sizeof at) != 0 ||
        listen(listener, BACKLOG) != 0 || getsockname(listener, (struct sockaddr *)&at, &size) != 0 ||
        epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) != 0) {
        perror("bare");
        return 1;
    }
    printf("%d\n", ntohs(at.sin_port));
    (void)fflush(stdout);
    for (;;) {
        const int count = epoll_wait(epoll, events, EVENTS, -1);
        for (int i = 0; i < count; i++) {
            peer *const p = events[i].data.ptr;
            if (p == NULL) {
                welcome(listener, epoll);
            } else if (!serve(p)) {
                (void)close(p->fd);
                free(p);
            }
        }
    }
}
