/* SPDX-License-Identifier: MIT */
/* The client's half of HTTP, as far as a load needs it: many connections, each with one request at a time. */
#ifndef LOAD_HTTP_WIRE_H
#define LOAD_HTTP_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WIRE_REQUEST = 2048,   /* more than a request has */
    WIRE_RESPONSE = 16384, /* and a response that is no stream */
    WIRE_SESSION = 128     /* and the id of a session */
};

/* How the clients of a revision talk. */
typedef struct wire_dialect {
    const char *revision;
    const char *meta;           /* params._meta of a request, with a comma before it */
    bool mirrors;               /* headers repeat the method and the name */
    char session[WIRE_SESSION]; /* empty: there are none */
} wire_dialect;

typedef struct wire_link {
    int fd;
    bool echoes;    /* a response must have the message of its request */
    long id;        /* of the request */
    uint64_t asked; /* when, in ns */
    size_t out_len; /* bytes of the request */
    size_t sent;    /* of them */
    size_t in_len;  /* bytes of the response that have come */
    char out[WIRE_REQUEST];
    char in[WIRE_RESPONSE + 1]; /* with a NUL after it */
} wire_link;

/* The facts about a response. */
typedef enum wire_state { WIRE_MORE, WIRE_GOOD, WIRE_BAD } wire_state;

/* ns on a clock that does not go back. */
uint64_t wire_now(void);

/* The processor time of another process so far, in ns; 0: it is not known. */
uint64_t wire_cpu_of(int process);

/* Its resident memory, in kilobytes. */
long wire_memory_of(int process);

/* A connection to a port of this machine that does not block; -1 with errno. */
int wire_connect(int port);

/* The dialect of a revision; false: the load knows none. */
bool wire_find_dialect(const char *revision, wire_dialect *out);

/* Opens a session where the revision has them, and notes its id. */
bool wire_open(int port, wire_dialect *dialect);

/* Writes a request of that method; params without _meta, such as "\"name\":\"echo\"". Returns its length. */
size_t wire_put(char *out, const wire_dialect *dialect, int port, long id, const char *method,
                const char *name, const char *params);

/* Writes the call of the tool echo; the message holds the id. */
size_t wire_put_call(char *out, const wire_dialect *dialect, int port, long id);

/* Looks at what has come of a response so far: whether all of it is there, and it is a result. */
wire_state wire_judge(const wire_link *link);

#endif
