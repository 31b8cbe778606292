/* SPDX-License-Identifier: MIT */
/* What the parts of mcpwire call share. */
#ifndef MCPWIRE_CALL_H
#define MCPWIRE_CALL_H

#include "call_link.h"
#include "requests.h"
#include "text.h"

#include <mcpw/json.h>

#include <stdbool.h>
#include <stddef.h>

/* A client at work. */
typedef struct caller {
    server_link link;
    const mcpw_revision *revision; /* that is spoken */
    bool json;                     /* print whole results */
    bool log;                      /* show log messages and progress */
    bool verbose;                  /* show all notes */
    size_t notes;                  /* that were shown */
    const char *const *roots;      /* folders that the server may know of */
    size_t root_count;
    bool asks;        /* somebody is at the terminal who can answer questions */
    bool patient;     /* and may take any time over it, because no timeout was given */
    bool on_terminal; /* so is standard output: what is written there must be safe */
    mcpw_arena arena; /* of the last result */
    text result_text;
    const char *tool; /* that is called; NULL: none */
    mcpw_error error; /* of the last request */
} caller;

/* ---- call_request.c: requests, and lists page by page ---- */

/* Makes a request. params: the members of its params without braces, or empty. The result lives until the
 * next request. Failure is said on stderr, unless it is MCPW_E_CAPABILITY. */
MCPW_NODISCARD mcpw_status caller_request(caller *c, const char *method, const text *params,
                                          mcpw_json *result);

/* Says the error of the last request on stderr. */
void caller_complain(const caller *c);

/* Gives every item of a list, page by page, until item says false. MCPW_E_CAPABILITY: the server has no such
 * list; MCPW_E_SIZE: it is too long, and its beginning was given. */
MCPW_NODISCARD mcpw_status caller_list(caller *c, const char *method, const char *member,
                                       bool (*item)(void *user, mcpw_json item), void *user);

/* ---- call_args.c: arguments from the command line ---- */

/* Appends KEY=VALUE words as members of an object, by the schema; absent: all are strings. False: said on
 * stderr which one does not fit. */
bool args_put(caller *c, text *out, const char *const *words, size_t count, mcpw_json schema);

/* The same as an object, by the schema of a tool that the server is asked for. An exit status: TOOL_INVALID
 * where there is no such tool. */
int args_of_tool(caller *c, const char *tool, const char *const *words, size_t count, text *out);

/* Lists the tools as far as a tool, so that the session knows what its schemas want. Whether there is such a
 * tool shows when it is called. */
void args_learn(caller *c, const char *tool);

/* What --args gives: JSON, or @FILE, or -. False: said on stderr why it is no object. */
bool args_read(const char *args, text *out);

/* ---- call_ask.c: what the server asks and tells ---- */

/* Slots for what this client can; user and handlers are the caller. */
const mcpw_dispatch *caller_dispatch(mcpw_dispatch *dispatch);

void caller_on_progress(void *user, mcpw_session *session, const mcpw_progress *progress);

/* ---- call_print.c: results for people ---- */

/* A tool: its name with its arguments, its description. */
void print_tool(caller *c, text *out, mcpw_json tool);
void print_prompt(caller *c, text *out, mcpw_json prompt);
void print_resource(caller *c, text *out, mcpw_json resource);

/* The result of tools/call. */
void print_content(caller *c, text *out, mcpw_json result);
/* The result of prompts/get. */
void print_messages(caller *c, text *out, mcpw_json result);
/* The result of resources/read: text as it is, bytes as they are unless it is for a terminal. */
void print_contents(caller *c, text *out, mcpw_json result);
/* Who the server is and what it can. */
void print_server(caller *c, text *out);

/* Writes it to standard output, safe where that is a terminal, and empties it; false: said on stderr that it
 * failed. */
bool print_flush(const caller *c, text *out);

/* ---- call_schema.c: JSON Schema, as far as arguments from a command line need it ---- */

/* A member of an object; ptr is NULL where it has none. */
mcpw_json schema_member(mcpw_json object, const char *name);

/* A member of an object that is a string; absent when it is none. It may be unescaped into the arena. */
mcpw_str schema_string(mcpw_json object, const char *member, mcpw_arena *arena);

/* A schema of the server's, with what was found in it: however large it is and whatever it refers to, all
 * questions about it together take time in proportion to its length. */
typedef struct schema {
    mcpw_json root;
    mcpw_arena *arena;
    const mcpw_str *required; /* sorted */
    size_t required_count;
    requests places; /* by JSON pointer; facts: place */
} schema;

void schema_begin(schema *s, mcpw_json root, mcpw_arena *arena);
void schema_free(schema *s);

/* The description of a schema within s, or, where that refers to another one, the beginning of the other's;
 * absent: it has none. */
mcpw_str schema_about(schema *s, mcpw_json part);

/* "integer", "string[]", "\"red\" | \"blue\"", ... */
void schema_describe(text *out, schema *s, mcpw_json part);

/* Whether the object that s is about must have a member of this name. */
bool schema_requires(const schema *s, mcpw_str name);

/* Appends the JSON value that a word stands for by a schema within s: a string where nothing else is said.
 * False: it is none of what the schema wants. */
bool schema_value(text *out, schema *s, mcpw_json part, mcpw_str word);

#endif
