/* SPDX-License-Identifier: MIT */
/*
 * Our client, run against servers that were written with other software. client.c does the checks,
 * client_handlers.c answers what servers ask, client_peers.c says what each server is expected to do,
 * client_over_stdio.c and client_over_http.c are two ways to it, of which a program has one.
 */
#ifndef MCPWIRE_INTEROP_CLIENT_H
#define MCPWIRE_INTEROP_CLIENT_H

#include <mcp/client.h>

/* The offers of a server, and its expected responses. Texts are looked for within the answer. */
typedef struct tool_case {
    const char *what; /* the name of the check */
    const char *tool;
    const char *arguments; /* JSON; NULL: none */
    const char *expected;
    bool is_error;
    const char *since; /* the first revision that has what it takes; NULL: all */
} tool_case;

typedef struct peer {
    const char *name;        /* on the command line */
    const char *server_name; /* as it introduces itself */
    const tool_case *cases;
    size_t case_count;
    const char *tools[4]; /* some that it lists, NULL-terminated */
    const char *prompts[4];
    const char *uri_template;
    const char *uri; /* of a resource */
    const char *uri_text;
    const char *template_uri; /* of a resource by the template */
    const char *template_text;
    const char *prompt; /* with arguments */
    const char *prompt_arguments[4];
    const char *prompt_text;
    const char *completed_prompt;
    const char *completed_argument;
    const char *completed_start;
    const char *completed_value;
    const char *progress_tool;
    const char *progress_arguments;
    size_t progress_count;
    double progress_total;
    const char *slow_tool;
    const char *slow_arguments;
    const char *echo_format; /* of the answer of its tool echo */
    const char *watched_uri;
    const char *update_tool; /* says that it changed */
    const char *quiet_tool;  /* ends what update_tool began; NULL: nothing to end */
    const char *log_tool;
    const char *log_text;  /* what it logs */
    bool unknown_is_error; /* an unknown tool is an error of JSON-RPC, not of the tool */
    bool is_small;         /* it has tools that answer and tell progress, and nothing else */
} peer;

extern const peer peers[];
extern const size_t peer_count;

enum { KEPT_TEXT = 256, KEPT_COUNT = 64 };

/* Messages that came unasked. */
typedef struct heard {
    size_t logs;
    char last_log[KEPT_TEXT];
    size_t tools_changed;
    size_t updates;
    char last_uri[KEPT_TEXT];
    size_t progress;
    double last_progress;
    double last_total;
    size_t input_requests; /* that the server asked */
} heard;

/* Handlers of everything that a server may send; user is a heard. */
extern const mcp_client_handlers client_handlers;
void hear_progress(void *user, mcpw_session *session, const mcpw_progress *progress);

/* Connects to a server by its link, the rest of the command line, of which client_link says what it is. */
extern const char client_link[];
mcpw_client *client_open(char **link, const mcpw_session_config *config, mcpw_error *error);

#endif
