/* SPDX-License-Identifier: MIT */
/*
 * MCP sessions over one stream of bytes that has neither a beginning nor an end, such as a serial line.
 * Nobody says there when a client goes and another one comes, bytes may be lost, and either end may be reset
 * in the middle of a line:
 *
 *   - `initialize` begins a new session, whatever the session before was doing.
 *   - A line that stops in the middle ends after some time of silence. It is refused like any other garbage.
 *   - A line that lost bytes is refused, even where the rest of it would be a message.
 *
 * The peer gets one JSON-RPC error for each refused line, and the session goes on. All memory is the
 * caller's. The parts of a device that differ, such as UARTs and sockets, are not known here.
 */
#ifndef DEVICE_WIRE_H
#define DEVICE_WIRE_H

#include <mcpw/server.h>

#include "pool.h"

/* Put this into the stream where bytes were lost. No text in UTF-8 has this byte, so the line is refused. */
#define WIRE_LOST ((char)0xff)

/* How a device serves. The pointers must outlive it. */
typedef struct wire_config {
    const char *name; /* of the server */
    const char *version;
    void *memory; /* a block for all that sessions keep, aligned for any type */
    size_t memory_size;
    char *line; /* a block for the line that comes in */
    size_t line_size;
    size_t max_output; /* bytes that wait to be sent */
    uint32_t quiet_ms; /* a line that has stopped for so long has ended; 0: it waits for ever */
    /* Adds tools and the like to the server. */
    mcpw_status (*add)(mcpw_server *server, void *user);
    void (*log)(void *user, const char *text); /* called with a line for whoever looks after the device */
    void *user;                                /* passed to add and log */
} wire_config;

/* A device. Its members are its own; heap.most is the most memory that was in use. */
typedef struct wire {
    wire_config config;
    pool heap;
    mcpw_server *server;
    mcpw_endpoint *endpoint;
    mcpw_session *session;
    size_t len;      /* bytes of the line so far */
    bool is_long;    /* the line did not fit: the session has its beginning and refuses it */
    uint64_t now;    /* ms */
    uint64_t latest; /* when the last byte came, in ms */
} wire;

/* Makes the server and its first session. false: the memory is too small, or config.add failed. */
bool wire_open(wire *w, const wire_config *config);

/* Takes bytes from the peer, at most to the end of a line, and returns how many. Send the output before the
 * next call, so that it does not pile up. `now` is in ms of any clock that does not go back. */
size_t wire_take(wire *w, const char *bytes, size_t len, uint64_t now);

/* Call this from time to time while no bytes come. */
void wire_wait(wire *w, uint64_t now);

/* Begins a new session, for streams that say when a peer comes, such as those of TCP. false: no memory. */
bool wire_restart(wire *w);

/* Bytes for the peer: whole lines. They live until the next call. 0: none. */
size_t wire_output(wire *w, const char **bytes);

/* The first len bytes of them were sent. */
void wire_sent(wire *w, size_t len);

#endif
