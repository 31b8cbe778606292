/* SPDX-License-Identifier: MIT */
/*
 * The server that the interop tests run independent clients against. Its tools, prompts and resources are
 * those that MCP's conformance suite asks for, as far as they make sense over stdio, with `echo` and
 * `test_slow`.
 *
 *   fixture.c           options, the session, the loop
 *   fixture_later.c     answers that come later, from a timer
 *   fixture_tools.c     tools that answer on their own
 *   fixture_input_requests.c tools that ask the client something before they answer
 *   fixture_tasks.c     tools whose calls may be tasks
 *   fixture_content.c   resources, prompts and completion
 */
#ifndef MCPWIRE_FIXTURE_H
#define MCPWIRE_FIXTURE_H

#include <mcp/pinned.h>
#include <mcpw/server.h>

typedef struct fixture_timer fixture_timer;

typedef struct fixture {
    mcpw_server *server;
    fixture_timer *timers; /* requests that are answered later */
    bool more_tools;       /* whether the tool and the prompt that come and go are there */
    bool more_prompts;
} fixture;

/* The scopes of entries, which everything_server alone asks for, and the beginning of all of them. */
#define FIXTURE_SCOPE "mcp:conformance:"

#define FIXTURE_WATCHED "test://watched-resource"

/* An image of one point and a sound of no length. */
#define FIXTURE_PNG_BASE64                                                                                   \
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
#define FIXTURE_WAV_BASE64 "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="

/* Add what the server offers. MCPW_OK, or why one of it is refused. */
MCPW_NODISCARD mcpw_status fixture_add_tools(fixture *f, mcpw_error *error);
MCPW_NODISCARD mcpw_status fixture_add_input_requests(fixture *f, mcpw_error *error);
MCPW_NODISCARD mcpw_status fixture_add_content(fixture *f, mcpw_error *error);
MCPW_NODISCARD mcpw_status fixture_add_tasks(fixture *f, mcpw_error *error);

/* Makes the server keep tasks, before it has tools. lists: it lists them, because its clients have names. */
MCPW_NODISCARD mcpw_status fixture_keep_tasks(fixture *f, bool lists, mcpw_error *error);

/* Adds or removes a tool, or a prompt, so that the list changes. */
MCPW_NODISCARD mcpw_status fixture_change_tools(fixture *f);
MCPW_NODISCARD mcpw_status fixture_change_prompts(fixture *f);

/* Answers tools/call with a text, as printf makes it. */
MCPW_NODISCARD mcpw_status fixture_say(mcpw_request *request, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Answers -32602 with the name of an argument and what is wrong with it. */
MCPW_NODISCARD mcpw_status fixture_refuse(mcpw_request *request, const char *name, const char *why);

/* Asks the user to fill in a form, the text of ElicitRequestFormParams; message, unless it is absent, stands
 * in place of the form's: mcpw_request_ask. */
MCPW_NODISCARD mcpw_status fixture_ask_user(mcpw_request *request, const char *key, const char *form,
                                            mcpw_str message, const mcp_elicit_result **result);

/* A text that the user gave; absent when it is none. */
mcpw_str fixture_given(const mcp_elicit_result *result, const char *name);

/* The action at each of a number of turns, delay ms apart. The last of them answers the request. */
typedef mcpw_status (*fixture_turn)(mcpw_request *request, unsigned turn, unsigned delay);

/* Keeps a request and takes turns with it, unless it is cancelled before. */
MCPW_NODISCARD mcpw_status fixture_later(fixture *f, mcpw_request *request, unsigned delay,
                                         fixture_turn turn);

/* Takes the turns that are due; ms until the next one, -1 when there is none. */
int fixture_run_timers(fixture *f);

#endif
