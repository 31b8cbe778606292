/* SPDX-License-Identifier: MIT */
/* Declarations that the files of mcpwire call share. */
#ifndef MCPWIRE_CALL_H
#define MCPWIRE_CALL_H

#include "call_link.h"
#include "glance.h"
#include "requests.h"
#include "text.h"

#include <mcpw/json.h>

#include <stdbool.h>
#include <stddef.h>

/* A client in use. */
typedef struct caller {
    server_link link;
    const mcpw_revision *revision; /* the negotiated one */
    bool json;                     /* print whole results */
    bool log;                      /* show log messages and progress */
    bool verbose;                  /* show all diagnostics */
    size_t notes;                  /* number of diagnostics shown */
    const char *const *roots;      /* folders that the server may use */
    size_t root_count;
    bool asks;                   /* a user at the terminal can answer input requests */
    bool may_log_in;             /* a login may follow a refusal for want of a token, so it is not printed */
    bool patient;                /* and may take any time, because no timeout was given */
    bool on_terminal;            /* standard output is a terminal, so its text must be safe */
    mcpw_extensions *extensions; /* of the session; NULL: none */
    mcpw_arena arena;            /* memory of the last result */
    text result_text;
    const char *tool; /* the tool that is called; NULL: none */
    mcpw_error error; /* the error of the last request */
} caller;

/* ---- call_request.c: requests, and lists page by page ---- */

/* Makes a request. params: the members of its params without braces, or empty. The result lives until the
 * next request. A failure is printed on stderr, unless it is MCPW_E_CAPABILITY. */
MCPW_NODISCARD mcpw_status caller_request(caller *c, const char *method, const text *params,
                                          mcpw_json *result);

/* The struct of params of a method, made of their members. NULL: c->error says why. */
const void *caller_params(caller *c, const char *method, const text *params);

/* Makes the text of a result, which lives until the next request. */
MCPW_NODISCARD mcpw_status caller_result(caller *c, const mcpw_result *answer, mcpw_json *result);

/* Prints the error of the last request on stderr. */
void caller_complain(const caller *c);

/* Calls `item` for every item of a list, page by page, until it returns false. MCPW_E_CAPABILITY: the server
 * has no such list; MCPW_E_SIZE: the list is too long, and only its beginning was passed. */
MCPW_NODISCARD mcpw_status caller_list(caller *c, const char *method, const char *member,
                                       bool (*item)(void *user, mcpw_json item), void *user);

/* ---- call_args.c: arguments from the command line ---- */

/* Appends KEY=VALUE words as members of an object according to the schema; without a schema all are strings.
 * False: the error was printed on stderr. */
bool args_put(caller *c, text *out, const char *const *words, size_t count, mcpw_json schema);

/* Makes an object of KEY=VALUE words according to the schema of a tool, which the server is asked for.
 * Returns an exit status; TOOL_INVALID: there is no such tool. */
int args_of_tool(caller *c, const char *tool, const char *const *words, size_t count, text *out);

/* Lists the tools until the wanted one, so that the session knows its schemas. The call itself shows whether
 * the tool exists. */
void args_learn(caller *c, const char *tool);

/* Reads the value of --args: JSON, @FILE or -. False: it is no object; the error was printed on stderr. */
bool args_read(const char *args, text *out);

/* ---- call_ask.c: requests and notifications of the server ---- */

/* Handlers for the features of this client; the caller is their user. */
const mcpw_dispatch *caller_dispatch(mcpw_dispatch *dispatch);

void caller_on_progress(void *user, mcpw_session *session, const mcpw_progress *progress);

/* ---- call_task.c: tasks ---- */

/* Adds tasks to the config of a client. False: the error was printed on stderr. */
bool caller_add_tasks(mcpw_session_config *config);

/* Calls a tool as a task, and shows the status as it changes until the task has ended. */
MCPW_NODISCARD mcpw_status caller_task(caller *c, const text *params, mcpw_json *result);

/* Takes a task up again, by its id or by the text of a handle. */
MCPW_NODISCARD mcpw_status caller_resume(caller *c, const char *handle, mcpw_json *result);

/* ---- call_print.c: results for people ---- */

/* Prints a tool: its name with its arguments, then its description. */
void print_tool(caller *c, text *out, mcpw_json tool);
void print_prompt(caller *c, text *out, mcpw_json prompt);
void print_resource(caller *c, text *out, mcpw_json resource);

/* Prints the result of tools/call. */
void print_content(caller *c, text *out, mcpw_json result);
/* Prints the result of prompts/get. */
void print_messages(caller *c, text *out, mcpw_json result);
/* Prints the result of resources/read: text as it is, and bytes as they are unless standard output is a
 * terminal. */
void print_contents(caller *c, text *out, mcpw_json result);
/* Prints the name and the capabilities of the server. */
void print_server(caller *c, text *out);

/* Writes the text to standard output, made safe for a terminal, and empties it; false: it failed, and the
 * error was printed on stderr. */
bool print_flush(const caller *c, text *out);

/* ---- call_skills.c: skills of the server; call_skills_none.c in a build without them ---- */

/* Declares the extension for skills. */
MCPW_NODISCARD mcpw_status call_skills_declare(mcpw_session_config *config, mcpw_error *error);
/* Prints the skills of a server, which is known by this label; returns an exit status. */
int call_skills_list(caller *c, const char *server);
/* Prints a verified file of a skill: the path below it, or NULL for SKILL.md; returns an exit status. */
int call_skills_read(caller *c, const char *server, const char *uri, const char *file);

/* ---- call_schema.c: the part of JSON Schema that command-line arguments need ---- */

/* A schema of the server, with an index. All queries together take time proportional to its length, whatever
 * its size and references. */
typedef struct schema {
    mcpw_json root;
    mcpw_arena *arena;
    const mcpw_str *required; /* sorted */
    size_t required_count;
    requests places; /* by JSON pointer; facts: place */
} schema;

void schema_begin(schema *s, mcpw_json root, mcpw_arena *arena);
void schema_free(schema *s);

/* The description of a schema within s, or the beginning of the description that it refers to; absent: none.
 */
mcpw_str schema_about(schema *s, mcpw_json part);

/* Describes a schema: "integer", "string[]", "\"red\" | \"blue\"", ... */
void schema_describe(text *out, schema *s, mcpw_json part);

/* True if the object of s must have a member of this name. */
bool schema_requires(const schema *s, mcpw_str name);

/* Appends the JSON value of a word according to a schema within s; the default is a string. False: the schema
 * does not allow the word. */
bool schema_value(text *out, schema *s, mcpw_json part, mcpw_str word);

#endif
