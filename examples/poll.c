/* SPDX-License-Identifier: MIT */
/*
 * A server of many clients on a Unix socket, with poll() and nothing of <mcpw/io.h>: how to drive sessions
 * from an event loop of your own. One server is offered to all; each connection is a session.
 *
 *     example_poll SOCKET
 *
 * The tool `wait` answers when the time that it is given has passed, while everybody else is served. The
 * server ends when its standard input does: on Ctrl-D, or with the program that started it.
 */
#define _POSIX_C_SOURCE 200809L
#include <mcpw/frame.h>
#include <mcpw/json.h>
#include <mcpw/server.h>

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MAX_CLIENTS = 64, BUFFER_SIZE = 1 << 16, BACKLOG = 16, MS = 1000, NS_IN_MS = 1000000 };

typedef struct client {
    int fd;
    mcpw_session *session;
} client;

/* A call of `wait`. It lies in the memory of its request, and so goes with it. */
typedef struct timer {
    struct timer *next;
    mcpw_request *request;
    uint64_t due;
} timer;

typedef struct loop {
    int listener;
    mcpw_server *server;
    client clients[MAX_CLIENTS];
    size_t count;
    timer *timers;
    uint64_t now;
} loop;

static uint64_t clock_ms(void) {
    struct timespec t = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * MS + (uint64_t)t.tv_nsec / NS_IN_MS;
}

/* ---- A tool that answers later ---- */

static void forget(loop *l, const mcpw_request *request) {
    timer **at = &l->timers;
    while (*at != NULL && (*at)->request != request) {
        at = &(*at)->next;
    }
    if (*at != NULL) {
        *at = (*at)->next;
    }
}

static void on_cancel(void *user, mcpw_request *request) { forget(user, request); }

static mcpw_status wait_for(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    loop *const l = user;
    timer *const t = mcpw_arena_alloc(mcpw_request_arena(request), sizeof *t);
    int64_t ms;
    if (t == NULL) {
        return MCPW_E_MEMORY;
    }
    if (mcpw_json_get_int(call->arguments, "ms", &ms) != MCPW_OK || ms < 0) {
        return mcpw_respond_tool_error(request, "wait needs ms, which is an integer from 0");
    }
    *t = (timer){l->timers, request, l->now + (uint64_t)ms};
    l->timers = t;
    mcpw_request_on_cancel(request, on_cancel, l); /* also when the client goes */
    return MCPW_OK;
}

static void answer_due(loop *l) {
    timer *t = l->timers;
    while (t != NULL) {
        if (t->due > l->now) {
            t = t->next;
            continue;
        }
        mcpw_request *const request = t->request;
        forget(l, request);
        if (mcpw_respond_text(request, mcpw_str_from("waited")) != MCPW_OK) {
            mcpw_session_close(mcpw_request_session(request)); /* no memory */
        }
        t = l->timers;
    }
}

/* ---- Clients ---- */

static void welcome(loop *l) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    const int fd = accept(l->listener, NULL, NULL);
    mcpw_error error;
    config.role = MCPW_ROLE_SERVER;
    config.server = l->server;
    mcpw_session *const session = fd >= 0 ? mcpw_session_new(&config, &error) : NULL;
    if (session != NULL) {
        l->clients[l->count++] = (client){fd, session};
    } else if (fd >= 0) {
        close(fd);
    }
}

static void part(loop *l, client *c) {
    mcpw_session_free(c->session); /* cancels what it still waits for */
    close(c->fd);
    *c = l->clients[--l->count];
}

/* Takes what has come. */
static void receive(const client *c) {
    char bytes[BUFFER_SIZE];
    const ssize_t got = recv(c->fd, bytes, sizeof bytes, MSG_DONTWAIT);
    mcpw_status status = MCPW_OK;
    if (got > 0) {
        status = mcpw_session_feed(c->session, bytes, (size_t)got);
    } else if (got == 0) {
        status = mcpw_session_end_input(c->session); /* answers that are due may still be sent */
    } else if (errno != EAGAIN && errno != EINTR) {
        mcpw_session_close(c->session);
    }
    if (status == MCPW_E_MEMORY) {
        mcpw_session_close(c->session);
    }
}

/* Sends what can be sent. False when the client takes no more. */
static bool deliver(const client *c) {
    const char *bytes;
    size_t len;
    while ((len = mcpw_session_output(c->session, &bytes)) != 0) {
        const ssize_t sent = send(c->fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0) {
            return errno == EAGAIN || errno == EINTR; /* poll tells when there is room again */
        }
        mcpw_session_sent(c->session, (size_t)sent);
    }
    return true;
}

static short interest(const client *c) {
    const char *bytes;
    return (short)((mcpw_session_wants_input(c->session) ? POLLIN : 0) |
                   (mcpw_session_output(c->session, &bytes) != 0 ? POLLOUT : 0));
}

/* One more round with a client. False when it is over. */
static bool serve(const loop *l, const client *c, short events) {
    mcpw_session_advance(c->session, l->now); /* fails what has timed out */
    if ((events & POLLIN) != 0 && mcpw_session_wants_input(c->session)) {
        receive(c);
    } else if ((events & (POLLHUP | POLLERR)) != 0) {
        return false; /* it neither sends nor takes anything */
    }
    if (!deliver(c)) {
        return false;
    }
    return interest(c) != 0 || (!mcpw_session_is_closed(c->session) && mcpw_session_is_busy(c->session));
}

/* ---- The loop ---- */

/* How long poll may wait. */
static int patience(const loop *l) {
    uint64_t due = UINT64_MAX;
    for (const timer *t = l->timers; t != NULL; t = t->next) {
        due = t->due < due ? t->due : due;
    }
    for (size_t i = 0; i < l->count; i++) {
        const uint64_t session = mcpw_session_deadline(l->clients[i].session);
        due = session < due ? session : due;
    }
    if (due == UINT64_MAX) {
        return -1;
    }
    return due <= l->now ? 0 : due - l->now < INT_MAX ? (int)(due - l->now) : INT_MAX;
}

/* Whether standard input has ended. */
static bool is_told_to_end(void) {
    char ignored[BUFFER_SIZE];
    return read(STDIN_FILENO, ignored, sizeof ignored) <= 0;
}

static void run(loop *l) {
    bool ended = false;
    while (!ended) {
        struct pollfd fds[MAX_CLIENTS + 2];
        const size_t count = l->count;
        struct pollfd *const door = fds + count;
        struct pollfd *const input = door + 1;
        for (size_t i = 0; i < count; i++) {
            fds[i] = (struct pollfd){l->clients[i].fd, interest(&l->clients[i]), 0};
        }
        *door = (struct pollfd){count < MAX_CLIENTS ? l->listener : -1, POLLIN, 0};
        *input = (struct pollfd){STDIN_FILENO, POLLIN, 0};
        if (poll(fds, (nfds_t)count + 2, patience(l)) < 0) {
            continue; /* a signal */
        }
        l->now = clock_ms();
        answer_due(l);
        for (size_t i = count; i-- > 0;) { /* from the last, because part() puts that in the gap */
            if (!serve(l, &l->clients[i], fds[i].revents)) {
                part(l, &l->clients[i]);
            }
        }
        if (door->revents != 0) {
            welcome(l);
        }
        ended = input->revents != 0 && is_told_to_end();
    }
    while (l->count != 0) {
        part(l, &l->clients[0]);
    }
}

static int listen_at(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    (void)unlink(path);
    return fd >= 0 && bind(fd, (const struct sockaddr *)&address, sizeof address) == 0 &&
                   listen(fd, BACKLOG) == 0
               ? fd
               : -1;
}

int main(int argc, char **argv) {
    loop l = {.listener = argc == 2 ? listen_at(argv[1]) : -1, .now = clock_ms()};
    const mcpw_tool wait_tool = {
        .name = "wait",
        .description = "Answers when some time has passed",
        .input_schema = MCPW_JSON("{\"type\":\"object\",\"properties\":{\"ms\":{\"type\":\"integer\"}},"
                                  "\"required\":[\"ms\"]}"),
        .call = wait_for,
        .user = &l,
    };
    mcpw_error error;
    if (l.listener < 0) {
        perror(argc == 2 ? argv[1] : "usage: example_poll SOCKET");
        return 2;
    }
    l.server = mcpw_server_new("poll", "1.0.0", &error);
    const mcpw_status status =
        l.server != NULL ? mcpw_server_add_tool(l.server, &wait_tool, &error) : error.code;
    if (status == MCPW_OK) {
        run(&l);
    } else {
        fprintf(stderr, "poll: %s\n", error.message);
    }
    mcpw_server_free(l.server);
    close(l.listener);
    (void)unlink(argv[1]);
    return status == MCPW_OK ? 0 : 1;
}
