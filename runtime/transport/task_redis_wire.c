/* SPDX-License-Identifier: MIT */
/* A connection of the store of tasks. hiredis reads and writes without waiting, and all waiting is done here,
 * so a question ends in time even if the server sends a byte now and then. */
#define _GNU_SOURCE
#include "http_redis_internal.h"
#include "task_redis_internal.h"

#include <mcpw/io.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

void mcpw_task_redis_add(task_command *c, mcpw_str word) {
    c->words[c->count] = word.len != 0 ? word.ptr : "";
    c->lens[c->count++] = word.len;
}

void mcpw_task_redis_add_text(task_command *c, const char *word) {
    mcpw_task_redis_add(c, mcpw_str_from(word));
}

void mcpw_task_redis_add_number(task_command *c, uint64_t number) {
    char *const text = c->numbers[c->count];
    (void)snprintf(text, TASK_REDIS_NUMBER, "%" PRIu64, number);
    mcpw_task_redis_add_text(c, text);
}

void mcpw_task_redis_close(task_wire *wire) {
    freeReplyObject(wire->reply);
    wire->reply = NULL;
    if (wire->context != NULL) {
        redisFree(wire->context);
        wire->context = NULL;
    }
}

/* Whether the socket can be read or written before the end; false also when the wire is woken. */
static bool wait_for(const task_wire *wire, short events, uint64_t end) {
    struct pollfd fds[] = {{.fd = wire->context->fd, .events = events}, {.fd = wire->wake, .events = POLLIN}};
    int ready = -1;
    while (ready < 0) {
        const uint64_t now = mcpw_io_now();
        ready = now < end ? poll(fds, sizeof fds / sizeof *fds, (int)(end - now)) : 0;
        if (ready < 0 && errno != EINTR) {
            return false;
        }
    }
    return fds[0].revents != 0 && fds[1].revents == 0;
}

/* ---- Questions ---- */

static bool send_all(const task_wire *wire, uint64_t end) {
    int done = 0;
    while (done == 0) {
        redis_guard guard;
        mcpw_redis_guard(&guard);
        const int status = redisBufferWrite(wire->context, &done);
        mcpw_redis_unguard(&guard);
        if (status != REDIS_OK || (done == 0 && !wait_for(wire, POLLOUT, end))) {
            return false;
        }
    }
    return true;
}

/* The reply, and nothing after it. */
static bool receive_one(task_wire *wire, size_t most, uint64_t end) {
    const redisReader *const reader = wire->context->reader;
    void *reply = NULL;
    size_t got = 0;
    while (redisGetReplyFromReader(wire->context, &reply) == REDIS_OK && reply == NULL) {
        const size_t before = reader->len;
        if (!wait_for(wire, POLLIN, end) || redisBufferRead(wire->context) != REDIS_OK) {
            return false;
        }
        got += reader->len - before;
        wire->is_too_long = got > most;
        if (wire->is_too_long) {
            return false;
        }
    }
    wire->reply = reply;
    return reply != NULL && reader->pos == reader->len;
}

const redisReply *mcpw_task_redis_ask(task_wire *wire, const task_command *command, size_t most,
                                      uint64_t end) {
    freeReplyObject(wire->reply);
    wire->reply = NULL;
    wire->is_too_long = false;
    if (redisAppendCommandArgv(wire->context, command->count, (const char **)(uintptr_t)command->words,
                               command->lens) != REDIS_OK ||
        !send_all(wire, end) || !receive_one(wire, most, end)) {
        mcpw_task_redis_close(wire);
        return NULL;
    }
    return wire->reply;
}

/* ---- Connecting ---- */

static bool is_connected(const task_wire *wire, uint64_t end) {
    int problem = 0;
    socklen_t size = sizeof problem;
    return wait_for(wire, POLLOUT, end) &&
           getsockopt(wire->context->fd, SOL_SOCKET, SO_ERROR, &problem, &size) == 0 && problem == 0 &&
           fcntl(wire->context->fd, F_SETFD, FD_CLOEXEC) == 0;
}

static bool log_in(task_wire *wire, uint64_t end) {
    enum { SHORT = 1 << 16 };
    const mcpw_task_redis_config *const config = wire->config;
    task_command c = {.count = 0};
    if (config->password == NULL) {
        return true;
    }
    mcpw_task_redis_add_text(&c, "AUTH");
    if (config->user != NULL) {
        mcpw_task_redis_add_text(&c, config->user);
    }
    mcpw_task_redis_add_text(&c, config->password);
    const redisReply *const reply = mcpw_task_redis_ask(wire, &c, SHORT, end);
    return reply != NULL && reply->type != REDIS_REPLY_ERROR;
}

bool mcpw_task_redis_open(task_wire *wire, uint64_t end) {
    const mcpw_task_redis_config *const config = wire->config;
    wire->is_too_long = false;
    if (wire->context != NULL) {
        /* Nothing was asked, so all there is to read is the end of the connection. */
        struct pollfd idle = {.fd = wire->context->fd, .events = POLLIN};
        if (poll(&idle, 1, 0) == 0) {
            return true;
        }
        mcpw_task_redis_close(wire);
    }
    wire->context = *config->address == '/' ? redisConnectUnixNonBlock(config->address)
                                            : redisConnectNonBlock(config->address, config->port);
    if (wire->context != NULL) {
        mcpw_redis_limit(wire->context->reader, &wire->limited);
    }
    if (wire->context == NULL || wire->context->err != 0 || !is_connected(wire, end) || !log_in(wire, end)) {
        mcpw_task_redis_close(wire);
        return false;
    }
    return true;
}
