/* SPDX-License-Identifier: MIT */
/*
 * A server at the other end of two pipes, or of HTTP, and a session with it, for one call of the command:
 * everything ends in time, and at the user's wish.
 *
 * SIGINT, SIGTERM and SIGHUP give up what is under way: the server is told, and ended. A second one ends this
 * process at once.
 */
#ifndef MCPWIRE_CALL_LINK_H
#define MCPWIRE_CALL_LINK_H

#include <mcpw/io.h>

#include <stdbool.h>
#include <stdint.h>

enum { LAST_LINE_SIZE = 128, ADVICE_SIZE = 2048 };

/* Initialise with zeros, then link_open, then link_close. */
typedef struct server_link {
    mcpw_session *session; /* NULL: there is none */
    mcpw_io io;
    mcpw_child child;
    uint64_t deadline; /* on the clock of mcpw_io_now; UINT64_MAX: none */
    int wake;          /* tells of signals */
    bool opened;       /* the negotiation has ended, with: */
    mcpw_status open_status;
    mcpw_error why;                   /* nothing can be asked any more, because of this */
    void (*on_stderr)(mcpw_str line); /* the caller's; NULL: the last line is kept */
    char last_line[LAST_LINE_SIZE];   /* of standard error, its NUL included */
    char advice[ADVICE_SIZE]; /* lines about credentials that the server wants; empty: it wants none */
} server_link;

/* Where the server is. */
typedef struct link_target {
    const char *const *argv; /* how it is started; NULL: it runs, at */
    const char *url;
    const char *const *headers; /* "Name: value", for each request of HTTP */
    size_t header_count;
    const char *ca_file; /* certificates that are trusted; NULL: the system's */
    bool inherit_stderr; /* standard error of a server that is started goes where ours goes */
    unsigned patience;   /* ms that the end of a session over HTTP may take; 0: the library's default */
} link_target;

/* Reaches a server and negotiates; user and on_open of the config are set here. timeout: ms for everything up
 * to the end of link_close, which takes a moment more where none is left; UINT64_MAX: none. link_close is due
 * whether it went well or not. */
MCPW_NODISCARD mcpw_status link_open(server_link *l, const link_target *to, mcpw_session_config *config,
                                     uint64_t timeout, mcpw_error *error);

/* Makes a request and waits for its end: whatever result comes, in the arena. MCPW_E_CANCELLED: a signal
 * came.
 */
MCPW_NODISCARD mcpw_status link_request(server_link *l, const mcpw_revision *revision, int method,
                                        const void *params, const mcpw_call *call, mcpw_arena *arena,
                                        mcpw_result *result, mcpw_error *error);

/* Waits until there is something to read. False: time is up, or a signal came. */
bool link_wait_for_input(const server_link *l, int fd);

/* Ends the session and the server. */
void link_close(server_link *l);

/* The number of the signal that came; 0: none. */
int link_signal(void);

#endif
