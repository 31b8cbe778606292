/* SPDX-License-Identifier: MIT */
/*
 * The parts of a login. http_login.c asks the state machine for steps. It carries them out by the other
 * files, which do not know each other: login_request.c, login_listener.c, login_browser_*.c,
 * login_opener_*.c, login_directory_*.c. login_url.c is below them.
 */
#ifndef MCPW_LOGIN_INTERNAL_H
#define MCPW_LOGIN_INTERNAL_H

#include <mcpw/http_login.h>

#include "curl_loop.h"
#include "http_curl.h"
#include "http_login.h"

/* ---- login_request.c: one request of the login --------------------------------------------------------- */

/* Whether the address of the MCP server is public. The first connection to it decides. */
typedef enum mcpw_login_reach {
    MCPW_LOGIN_UNKNOWN,
    MCPW_LOGIN_PUBLIC,
    MCPW_LOGIN_PRIVATE /* so a login may use private addresses, too */
} mcpw_login_reach;

typedef struct mcpw_login_request mcpw_login_request;

/* The parts of the options that requests need. */
typedef struct mcpw_login_network {
    const char *url; /* of the MCP server */
    const char *proxy;
    const char *ca_file;
    unsigned connect_timeout_ms;
    mcpw_login_reach reach;
    mcpw_curl_loop loop;
    mcpw_login_request *request; /* the one that is under way; NULL: none */
} mcpw_login_network;

/* Ends the request that is under way, and closes the loop. */
void mcpw_login_network_close(mcpw_login_network *network);
/* Begins the request of an order, whose texts must live until its end. */
MCPW_NODISCARD mcpw_status mcpw_login_request_begin(mcpw_login_network *network,
                                                    const mcpw_oauth_order *order, mcpw_error *error);
/* Gives up the request that is under way. */
void mcpw_login_request_drop(mcpw_login_network *network);
/* Lets libcurl work. If the request has ended, the state machine gets its response. */
void mcpw_login_network_work(mcpw_login_network *network, mcpw_oauth *oauth);
/* Notes the numeric address that has responded for the MCP server. */
void mcpw_login_network_note_address(mcpw_login_network *network, const char *peer);

/* ---- login_url.c --------------------------------------------------------------------------------------- */

enum { MCPW_LOGIN_URI_SIZE = 256 /* of a URI of this machine, its NUL included */ };

/* The parts of a URL of http or https that matter to a listener. */
typedef struct mcpw_login_url {
    char path[MCPW_LOGIN_URI_SIZE];
    unsigned port; /* 0: none is written */
    bool is_https;
    bool is_local;  /* its host is this machine */
    bool is_v4;     /* its host is 127.0.0.1, or localhost */
    bool is_v6;     /* its host is [::1], or localhost */
    bool has_query; /* or a fragment */
} mcpw_login_url;

/* False: it is no such URL, has user information, or its path is too long. */
MCPW_NODISCARD bool mcpw_login_url_read(const char *text, mcpw_login_url *url);
/* Whether a user may be sent to a URL: https, or http on this machine, printable. */
bool mcpw_login_may_open(const char *url);

/* ---- login_listener.c: the receiver of the redirect ---------------------------------------------------- */

typedef struct mcpw_login_listener mcpw_login_listener;

/* Binds sockets of this machine: those of `uri`, else a random port, whose URI is written to `uri`. It does
 * not listen yet. NULL: error has the reason. */
mcpw_login_listener *mcpw_login_listener_new(char uri[MCPW_LOGIN_URI_SIZE], mcpw_os_set *set,
                                             mcpw_error *error);
void mcpw_login_listener_free(mcpw_login_listener *listener);
/* Begins to listen. */
MCPW_NODISCARD mcpw_status mcpw_login_listener_open(mcpw_login_listener *listener, mcpw_error *error);
/* Ends to listen, and keeps the port. Responses that were sent still reach the browser. Does nothing for
 * NULL. */
void mcpw_login_listener_close(mcpw_login_listener *listener);
/* Takes connections and answers their requests. A redirect goes to the state machine. */
void mcpw_login_listener_work(mcpw_login_listener *listener, mcpw_oauth *oauth, uint64_t now);
/* When it must be called next, in ms of mcpw_io_now. */
uint64_t mcpw_login_listener_due(const mcpw_login_listener *listener);
/* Whether a socket is one of its own. */
bool mcpw_login_listener_has(const mcpw_login_listener *listener, uintptr_t socket);
/* Whether a listener can serve a redirect URI: http at 127.0.0.1, [::1] or localhost, with a port. */
bool mcpw_login_can_listen_at(const char *uri);

/* ---- login_browser_*.c --------------------------------------------------------------------------------- */

/* A process that was started: its id, on Windows its handle; 0: none, or the system keeps it. */
typedef intptr_t mcpw_login_browser;

/* Starts the first command of a list that can be started; NULL: the default. MCPW_E_NOT_FOUND: none can. */
MCPW_NODISCARD mcpw_status mcpw_login_open_browser(const char *commands, const char *url,
                                                   mcpw_login_browser *browser, mcpw_error *error);
/* Forgets a process if it has ended, and sets *browser to 0. */
void mcpw_login_reap(mcpw_login_browser *browser);

/* ---- login_opener_*.c: on POSIX ------------------------------------------------------------------------ */

/* The command of the system that opens a URL in the user's browser. */
const char *mcpw_login_opener(void);

/* ---- login_directory_*.c ------------------------------------------------------------------------------- */

enum { MCPW_LOGIN_PATH_SIZE = 4096 /* of a directory, its NUL included */ };

/* Writes the path of this user's tokens, and makes the directories above it. */
MCPW_NODISCARD mcpw_status mcpw_login_directory(char out[MCPW_LOGIN_PATH_SIZE], mcpw_error *error);

#endif
