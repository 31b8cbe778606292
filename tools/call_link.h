/* SPDX-License-Identifier: MIT */
/*
 * A server over pipes or HTTP, and a session with it, for one run of the command. Everything ends at its
 * deadline, or when the user wants it.
 *
 * SIGINT, SIGTERM and SIGHUP cancel the current work: the server is notified and ended. A second signal ends
 * this process at once.
 */
#ifndef MCPWIRE_CALL_LINK_H
#define MCPWIRE_CALL_LINK_H

#include <mcpw/client_tasks.h>
#include <mcpw/io.h>

#include <stdbool.h>
#include <stdint.h>

enum { LAST_LINE_SIZE = 128, ADVICE_SIZE = 2048 };

/* Initialise with zeros, then link_open, then link_close. */
typedef struct server_link {
    mcpw_session *session; /* NULL: none */
    mcpw_io io;
    mcpw_child child;
    uint64_t deadline; /* on the clock of mcpw_io_now; UINT64_MAX: none */
    int wake;          /* readable after a signal */
    bool opened;       /* the negotiation has ended with open_status */
    mcpw_status open_status;
    mcpw_error why;                   /* the reason why no more requests are possible */
    bool was_read;                    /* before the server ended, it had read all that was sent */
    void (*on_stderr)(mcpw_str line); /* the caller's; NULL: the last line is kept */
    char last_line[LAST_LINE_SIZE];   /* of standard error, including the NUL */
    const char *url;                  /* of the server; NULL: it is a child */
    bool has_login;                   /* a login gives the tokens */
    bool must_log_in;                 /* the server requires a token, and none was sent */
    char advice[ADVICE_SIZE]; /* advice about credentials that the server wants; empty: it wants none */
} server_link;

/* A login at a server (<mcpw/http_login.h>). */
struct mcpw_http_login;

/* The address of the server. */
typedef struct link_target {
    const char *const *argv; /* the command that starts it; NULL: it runs at url */
    const char *url;
    const char *const *headers; /* "Name: value", for each HTTP request */
    size_t header_count;
    const char *ca_file;           /* trusted certificates; NULL: the system's */
    struct mcpw_http_login *login; /* gives the tokens; NULL: the environment does */
    bool inherit_stderr;           /* the server writes to this process's standard error */
    unsigned patience;             /* ms that the end of an HTTP session may take; 0: the library's default */
} link_target;

/* Connects to a server and negotiates; sets user and on_open of the config. timeout: ms for everything up to
 * the end of link_close, which takes a moment more if none is left; UINT64_MAX: none. link_close is needed
 * after a failure too. */
MCPW_NODISCARD mcpw_status link_open(server_link *l, const link_target *to, mcpw_session_config *config,
                                     uint64_t timeout, mcpw_error *error);

/* Makes a request and waits for its result, which is in the arena. MCPW_E_CANCELLED: a signal arrived. */
MCPW_NODISCARD mcpw_status link_request(server_link *l, const mcpw_revision *revision, int method,
                                        const void *params, const mcpw_call *call, mcpw_arena *arena,
                                        mcpw_result *result, mcpw_error *error);

/* The same for a method that an extension adds, by name and as text. */
MCPW_NODISCARD mcpw_status link_request_named(server_link *l, const char *method, mcpw_json params,
                                              mcpw_arena *arena, mcpw_json *result, mcpw_error *error);

/* Calls a tool, and waits until it is answered by a task or by its result. *task is the task, to be freed
 * before link_close, or NULL. */
MCPW_NODISCARD mcpw_status link_call_task(server_link *l, const mcpw_revision *revision, const void *params,
                                          const mcpw_call *call, mcpw_arena *arena, mcpw_result *result,
                                          mcpw_task **task, mcpw_error *error);

/* Follows a task to its end, and frees its handle. A signal cancels the task. At the deadline of the link it
 * goes on. */
MCPW_NODISCARD mcpw_status link_follow(server_link *l, mcpw_task *task, const mcpw_revision *revision,
                                       const mcpw_task_follow_options *options, mcpw_arena *arena,
                                       mcpw_result *result, mcpw_error *error);

/* Waits until fd is readable. False: the time is over, or a signal arrived. */
bool link_wait_for_input(const server_link *l, int fd);

/* Ends the session and the server. */
void link_close(server_link *l);

/* The number of the signal that arrived; 0: none. */
int link_signal(void);

#endif
