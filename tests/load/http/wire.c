/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem, strcasestr */
#include "wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CLIENT "{\"name\":\"load\",\"version\":\"1.0.0\"}"

enum { DECIMAL = 10, HEX = 16, OPEN_TIMEOUT = 10000, STATUS_AT = 9 };

static const uint64_t second = 1000000000;

static const wire_dialect dialects[] = {
    {"2026-07-28",
     ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
     "\"io.modelcontextprotocol/clientInfo\":" CLIENT ",\"io.modelcontextprotocol/clientCapabilities\":{}}",
     true, ""},
    {"2025-11-25", "", false, ""}};

uint64_t wire_now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * second + (uint64_t)t.tv_nsec;
}

uint64_t wire_cpu_of(int process) {
    clockid_t clock = 0;
    struct timespec t;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &t) != 0) {
        return 0;
    }
    return (uint64_t)t.tv_sec * second + (uint64_t)t.tv_nsec;
}

long wire_memory_of(int process) {
    char path[64];
    char line[128];
    long kilobytes = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/status", process);
    FILE *const file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "VmRSS:", strlen("VmRSS:")) == 0) {
            kilobytes = strtol(line + strlen("VmRSS:"), NULL, DECIMAL);
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return kilobytes;
}

int wire_connect(int port) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    struct sockaddr_in to;
    memset(&to, 0, sizeof to);
    to.sin_family = AF_INET;
    to.sin_port = htons((uint16_t)port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0) {
        return -1;
    }
    if (connect(fd, (const struct sockaddr *)&to, sizeof to) != 0 ||
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
        fcntl(fd, F_SETFL, O_NONBLOCK) != 0) {
        const int why = errno;
        (void)close(fd);
        errno = why;
        return -1;
    }
    return fd;
}

bool wire_find_dialect(const char *revision, wire_dialect *out) {
    for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
        if (strcmp(dialects[i].revision, revision) == 0) {
            *out = dialects[i];
            return true;
        }
    }
    return false;
}

/* ---- Requests ------------------------------------------------------------------------------------------ */

static size_t put_post(char *out, const wire_dialect *dialect, int port, const char *mirrored,
                       const char *body) {
    const int len =
        snprintf(out, WIRE_REQUEST,
                 "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
                 "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: %s\r\n%s%s%s%s"
                 "Content-Length: %zu\r\n\r\n%s",
                 port, dialect->revision, mirrored, dialect->session[0] != '\0' ? "Mcp-Session-Id: " : "",
                 dialect->session, dialect->session[0] != '\0' ? "\r\n" : "", strlen(body), body);
    return len > 0 && len < WIRE_REQUEST ? (size_t)len : 0;
}

size_t wire_put(char *out, const wire_dialect *dialect, int port, long id, const char *method,
                const char *name, const char *params) {
    char mirrored[256] = "";
    char body[WIRE_REQUEST / 2];
    if (dialect->mirrors) {
        (void)snprintf(mirrored, sizeof mirrored, "Mcp-Method: %s\r\n%s%s%s", method,
                       name != NULL ? "Mcp-Name: " : "", name != NULL ? name : "",
                       name != NULL ? "\r\n" : "");
    }
    (void)snprintf(body, sizeof body, "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"method\":\"%s\",\"params\":{%s%s}}",
                   id, method, params, dialect->meta);
    return put_post(out, dialect, port, mirrored, body);
}

size_t wire_put_call(char *out, const wire_dialect *dialect, int port, long id) {
    char params[128];
    (void)snprintf(params, sizeof params,
                   "\"name\":\"echo\",\"arguments\":{\"message\":\"message number %ld\"}", id);
    return wire_put(out, dialect, port, id, "tools/call", "echo", params);
}

/* ---- Responses ----------------------------------------------------------------------------------------- */

/* Whether the body of a chunked response has come to its end. Chunks are counted, not searched. */
static bool is_last_chunk_there(const char *at, const char *end) {
    while (at < end) {
        char *rest = NULL;
        const char *const newline = memmem(at, (size_t)(end - at), "\r\n", 2);
        const unsigned long size = newline != NULL ? strtoul(at, &rest, HEX) : 0;
        if (newline == NULL || size + 4 > (size_t)(end - newline)) {
            return false;
        }
        if (size == 0) {
            return true;
        }
        at = newline + 2 + size + 2;
    }
    return false;
}

static bool is_right(const wire_link *link, const char *body) {
    char wanted[64];
    if (strstr(body, "\"result\"") == NULL) {
        return false;
    }
    (void)snprintf(wanted, sizeof wanted, "\"message number %ld\"", link->id);
    return !link->echoes || strstr(body, wanted) != NULL;
}

wire_state wire_judge(const wire_link *link) {
    const char *const head_end = memmem(link->in, link->in_len, "\r\n\r\n", 4);
    if (head_end == NULL) {
        return link->in_len < WIRE_RESPONSE ? WIRE_MORE : WIRE_BAD;
    }
    if (link->in_len < STATUS_AT + 3 || memcmp(link->in + STATUS_AT, "200", 3) != 0) {
        return WIRE_BAD;
    }
    const char *const body = head_end + 4;
    const char *const end = link->in + link->in_len;
    const char *const length = strcasestr(link->in, "\r\ncontent-length:");
    const bool whole =
        length != NULL && length < head_end
            ? (size_t)(end - body) >= strtoul(length + strlen("\r\ncontent-length:"), NULL, DECIMAL)
            : is_last_chunk_there(body, end);
    if (!whole) {
        return link->in_len < WIRE_RESPONSE ? WIRE_MORE : WIRE_BAD;
    }
    return is_right(link, body) ? WIRE_GOOD : WIRE_BAD;
}

/* ---- Sessions ------------------------------------------------------------------------------------------ */

/* One exchange that waits. The response, or as much of it as fits, is in the link. */
static bool exchange(wire_link *link, int port) {
    bool good = false;
    link->fd = wire_connect(port);
    link->in_len = 0;
    if (link->fd < 0 || write(link->fd, link->out, link->out_len) != (ssize_t)link->out_len) {
        return false;
    }
    struct pollfd wait = {link->fd, POLLIN, 0};
    while (!good && link->in_len < WIRE_RESPONSE && poll(&wait, 1, OPEN_TIMEOUT) == 1) {
        const ssize_t got = read(link->fd, link->in + link->in_len, WIRE_RESPONSE - link->in_len);
        if (got <= 0) {
            break;
        }
        link->in_len += (size_t)got;
        link->in[link->in_len] = '\0';
        good = memcmp(link->in + STATUS_AT, "202", 3) == 0 || wire_judge(link) == WIRE_GOOD;
    }
    (void)close(link->fd);
    return good;
}

bool wire_open(int port, wire_dialect *dialect) {
    static const char wanted[] = "\r\nmcp-session-id:";
    wire_link *const link = calloc(1, sizeof *link);
    if (link == NULL || dialect->mirrors) {
        free(link);
        return dialect->mirrors;
    }
    char params[256];
    (void)snprintf(params, sizeof params,
                   "\"protocolVersion\":\"%s\",\"capabilities\":{},\"clientInfo\":" CLIENT,
                   dialect->revision);
    link->out_len = wire_put(link->out, dialect, port, 0, "initialize", NULL, params);
    bool good = exchange(link, port);
    const char *const found = good ? strcasestr(link->in, wanted) : NULL;
    if (found != NULL) {
        const char *const at = found + sizeof wanted - 1 + strspn(found + sizeof wanted - 1, " ");
        (void)snprintf(dialect->session, sizeof dialect->session, "%.*s", (int)strcspn(at, " \r"), at);
    }
    if (good) {
        link->out_len = put_post(link->out, dialect, port, "",
                                 "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        good = exchange(link, port);
    }
    free(link);
    return good;
}
