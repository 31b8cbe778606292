/* SPDX-License-Identifier: MIT */
/*
 * What a server offers: registries of tools, resources, resource templates, prompts and completions, shared
 * by any number of sessions. What is registered is listed, paged and looked up. Its arguments are checked,
 * and sessions tell their clients when the lists change. It is written once and serves every revision.
 *
 * Where there is a handshake, it says what kinds of things there are, and that stays so: a client that
 * connected before the first tool was added is not told of tools. So add one of each kind first.
 *
 * A session may have typed slots beside it (dispatch and handlers of its config). A method whose slot is
 * filled in goes there alone, lists included. Every other one comes here.
 *
 * Threads: a server and all sessions that use it belong to one thread at a time. Answers to a request that
 * another thread has may come from there: <mcpw/thread.h>. Any thread may report changes:
 * mcpw_server_resource_updated and the like. Calls that add to a server or remove from it are refused on
 * another thread with MCPW_E_THREAD, where one of its loops can tell. (MCP, "Tools", "Resources", "Prompts",
 * "Completion", "Pagination".)
 */
#ifndef MCPW_SERVER_H
#define MCPW_SERVER_H

#include <mcpw/pattern.h>
#include <mcpw/session.h>

MCPW_BEGIN_DECLS

/* Initialise with MCPW_SERVER_CONFIG_INIT; everything is copied. */
typedef struct mcpw_server_config {
    size_t struct_size;       /* set by MCPW_SERVER_CONFIG_INIT */
    const char *name;         /* required */
    const char *version;      /* required, unless each session's config gives one */
    mcpw_json info;           /* an object with more members of Implementation */
    const char *instructions; /* for the model: how to use this server */
    size_t page_size;         /* entries in a page of a list; 0: all in one */
    mcpw_allocator allocator; /* for all that the server keeps */
    /* A resource is watched from now on, or no more. Each URI is told once, whatever number of clients and
     * subscriptions there is to it. uri is NUL-terminated and lives during the call. NULL: not told. (MCP,
     * "Resources", subscriptions; from 2026-07-28 on "Subscriptions".) */
    void (*on_watch)(void *user, mcpw_server *server, mcpw_str uri, bool watched);
    void *user; /* passed to on_watch */
    /* For schemas of tools that have patterns, such as mcpw_pcre2() of <mcpw/pcre2.h>; NULL: a tool with such
     * a schema is refused. */
    const mcpw_pattern_engine *patterns;
    mcpw_switch check_schemas; /* arguments and structured content are held against the schemas of their
                                  tool; on by default */
    bool fill_defaults;        /* arguments that a client left out take the "default" of the inputSchema */
    /* The revisions that its sessions may speak, a program's own among them; copied. NULL: those that the
     * library holds. */
    const mcpw_library *library;
} mcpw_server_config;

/* Everything absent. */
#define MCPW_SERVER_CONFIG_INIT MCPW_SIZED(mcpw_server_config)

/* A server with nothing in it; NULL, with error filled in, when memory runs out, name is missing or info is
 * no object. error may be NULL. */
MCPW_NODISCARD MCPW_API mcpw_server *mcpw_server_new(const char *name, const char *version,
                                                     mcpw_error *error);
/* The same with everything that can be said of a server. */
MCPW_NODISCARD MCPW_API mcpw_server *mcpw_server_new_with(const mcpw_server_config *config,
                                                          mcpw_error *error);

/* Says that this server sends log messages: sessions that begin afterwards declare `logging`, answer
 * logging/setLevel, and let mcpw_request_log and mcpw_session_log through. (MCP, "Logging".) */
MCPW_API void mcpw_server_will_log(mcpw_server *server);

/* Ends a server. Its sessions must be gone. Does nothing for NULL. */
MCPW_API void mcpw_server_free(mcpw_server *server);

/* ---- Tools --------------------------------------------------------------------------------------------- */

/* A call of a tool. It lives as long as its request. */
typedef struct mcpw_tool_call {
    mcpw_str name;       /* of the tool */
    mcpw_json arguments; /* an object; "{}" when the client sent none */
    const void *value;   /* the arguments as a struct, where the tool has a type for them; else NULL */
} mcpw_tool_call;

/* A tool. Texts and JSON are copied when it is added.
 *
 * Its schemas are compiled then, and hold from then on (where the library has <mcpw/schema.h>). Arguments
 * that do not fit never reach call: the answer is a result with isError, whose text names every fault by its
 * pointer, so that the model can mend it; before 2025-11-25 it is -32602, which names the first. A result
 * whose structured content does not fit output_schema, or that has none where the peer's revision wants it,
 * never leaves: the request fails with -32603. Results with isError are free. (MCP, "Tools", error handling,
 * output schema.) */
typedef struct mcpw_tool {
    size_t struct_size;      /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    const char *name;        /* 1 to 128 of A-Z a-z 0-9 _ - . */
    const char *title;       /* for people; NULL: none */
    const char *description; /* for the model; NULL: none */
    mcpw_json
        input_schema; /* of JSON Schema, 2020-12 unless "$schema" says otherwise; absent: {"type":"object"} */
    mcpw_json output_schema; /* absent: the result has no structured content, or an unchecked one */
    mcpw_json more;          /* an object with more members of Tool: annotations, icons, execution, _meta */
    /* A type that the arguments are decoded into before call runs; what does not fit is answered as above.
     * NULL: call gets them raw, and says by mcpw_request_refuse what else is wrong with them. */
    const mcpw_type *arguments;
    /* A type that structured content must have, besides. */
    const mcpw_type *structured;
    /* Answers a call. What it may return stands in <mcpw/session.h>. */
    mcpw_status (*call)(mcpw_request *request, const mcpw_tool_call *call, void *user);
    void *user; /* passed to call */
} mcpw_tool;

/* Adds a tool, in the order of tools/list. MCPW_E_DUPLICATE when there is one of this name, MCPW_E_ARGUMENT
 * or a codec status when it makes no valid Tool, with where and why in error: so of a schema that is none
 * (<mcpw/schema.h> lists what may be wrong with it). A tool that is removed takes no
 * more calls; those under way, its own too, go on, though their handlers run again: so user must outlive
 * them. (Where an input request is a round of input_required, from 2026-07-28 on, the client's retry is
 * another call.) */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_server_add_tool(mcpw_server *server, const mcpw_tool *tool,
                                                         mcpw_error *error);
/* Removes a tool. MCPW_E_NOT_FOUND when there is none of this name. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_server_remove_tool(mcpw_server *server, const char *name);

/* Answers tools/call with one text. Any other result: mcp_<revision>_respond_tools_call(). */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_respond_text(mcpw_request *request, mcpw_str text);
/* The same, as an error of the tool (isError), which the model gets to see. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_respond_tool_error(mcpw_request *request, const char *text);
/* Answers tools/call with structured content, and its text as content for clients that know no other.
 * (MCP, "Tools", structured content; from 2025-06-18 on.) */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_respond_structured(mcpw_request *request, mcpw_json value);
/* The same from a struct of the type that the tool was registered with as structured. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_respond_structured_value(mcpw_request *request, const void *value);

/* ---- Resources ----------------------------------------------------------------------------------------- */

enum { MCPW_MAX_VARIABLES = 16 /* of a URI template; one with more is refused */ };

/* A variable of a URI template and what it stands for. */
typedef struct mcpw_uri_variable {
    mcpw_str name;  /* as in the template */
    mcpw_str value; /* decoded */
} mcpw_uri_variable;

/* What is read. It lives as long as its request. The values of variables are percent-decoded, UTF-8 and
 * without NUL; mind that an escaped slash or ".." has become a plain one. */
typedef struct mcpw_resource_read {
    mcpw_str uri;                                    /* as the client sent it */
    const char *mime_type;                           /* as registered; NULL: unknown */
    size_t variable_count;                           /* of a template */
    mcpw_uri_variable variables[MCPW_MAX_VARIABLES]; /* the first variable_count of them */
} mcpw_resource_read;

/* The value of a template's variable by its name; absent when there is none. */
MCPW_API mcpw_str mcpw_resource_variable(const mcpw_resource_read *read, const char *name);

/* The URI that a template stands for with these values, percent-encoded as they need, in the arena: for
 * clients. A variable without a value is empty. MCPW_E_FORMAT for expressions beyond {name} and {+name}. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_uri_template_expand(mcpw_arena *arena, mcpw_str uri_template,
                                                             const mcpw_uri_variable *variables, size_t count,
                                                             mcpw_str *out, mcpw_error *error);

/* Answers resources/read; what it may return: <mcpw/session.h>. */
typedef mcpw_status (*mcpw_read_handler)(mcpw_request *request, const mcpw_resource_read *read, void *user);

/* What a client wants completed: an argument of a prompt or a variable of a template. It lives as long as its
 * request. */
typedef struct mcpw_completion {
    mcpw_str name;     /* of the prompt, or the URI template */
    mcpw_str argument; /* the argument or variable */
    mcpw_str value;    /* what was typed so far */
    mcpw_json context; /* arguments that are known already, an object of strings; absent: none */
} mcpw_completion;

/* Suggests values: answers with mcpw_respond_completion. What it may return: <mcpw/session.h>. */
typedef mcpw_status (*mcpw_complete_handler)(mcpw_request *request, const mcpw_completion *completion,
                                             void *user);

/* A resource. Texts and JSON are copied when it is added. */
typedef struct mcpw_resource {
    size_t struct_size;      /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    const char *uri;         /* its identity; required */
    const char *name;        /* required */
    const char *title;       /* for people; NULL: none */
    const char *description; /* for the model; NULL: none */
    const char *mime_type;   /* NULL: unknown */
    mcpw_opt_int size;       /* bytes */
    mcpw_json more;          /* an object with more members of Resource */
    mcpw_read_handler read;  /* gives the content; required */
    void *user;              /* passed to read */
} mcpw_resource;

/* A family of resources. Its URI template may hold expressions of RFC 6570 level 1 ({name}), {+name} of
 * level 2, which also matches slashes; between two there is text. Others, such as {name*}, are refused. */
typedef struct mcpw_resource_template {
    size_t struct_size;             /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    const char *uri_template;       /* its identity; required */
    const char *name;               /* required */
    const char *title;              /* for people; NULL: none */
    const char *description;        /* for the model; NULL: none */
    const char *mime_type;          /* of all of them; NULL: unknown */
    mcpw_json more;                 /* an object with more members of ResourceTemplate */
    mcpw_read_handler read;         /* gives the content; required */
    mcpw_complete_handler complete; /* NULL: no suggestions */
    void *user;                     /* passed to read and complete */
} mcpw_resource_template;

/* Adds a resource, in the order of resources/list. As mcpw_server_add_tool. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_server_add_resource(mcpw_server *server,
                                                             const mcpw_resource *resource,
                                                             mcpw_error *error);
/* Removes a resource. MCPW_E_NOT_FOUND when there is none of this URI. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_server_remove_resource(mcpw_server *server, const char *uri);
/* Adds a template, in the order of resources/templates/list. As mcpw_server_add_tool; MCPW_E_FORMAT when the
 * URI template is none, or one that is not supported. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_server_add_resource_template(
    mcpw_server *server, const mcpw_resource_template *resource_template, mcpw_error *error);
/* Removes a template. MCPW_E_NOT_FOUND when there is none of this text. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_server_remove_resource_template(mcpw_server *server,
                                                                         const char *uri_template);

/* Answers resources/read with one text. mime_type NULL: that of the registration. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_respond_resource_text(mcpw_request *request, const char *mime_type,
                                                               mcpw_str text);
/* Answers resources/read with bytes, which are sent as base64. mime_type NULL: that of the registration. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_respond_resource_bytes(mcpw_request *request, const char *mime_type,
                                                                const void *bytes, size_t len);
/* Answers that there is no such resource, by the code that the peer's revision has for it, with the URI. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_respond_resource_not_found(mcpw_request *request);

/* Tells every client that watches a resource that its content has changed.
 *
 * This and the functions below may be called from any thread while the server lives, whether it is served or
 * not. Inside the server's loop clients are told at once. Elsewhere the change waits, and the loop is
 * woken and tells them. If a change is reported again while it waits, clients are told once. At most 1024
 * URIs wait. If more would wait, or there is no memory for one, every watched resource counts as changed, so
 * no client misses a change. Changes that wait when the last session and loop have gone are dropped. The
 * allocator of the server's config is called by that thread, too. A server whose sessions have no queue
 * (<mcpw/thread.h>) belongs to one thread in this as well. (MCP, "Resources", subscriptions.) */
MCPW_API void mcpw_server_resource_updated(mcpw_server *server, const char *uri);
/* The same of the server of a request, for a handler that has no other way to it. */
MCPW_API void mcpw_request_resource_updated(mcpw_request *request, const char *uri);
/* Tells clients that the list of tools has changed. Functions that add or remove a tool do it themselves.
 * From any thread, as mcpw_server_resource_updated. (MCP, "Tools", list changed notification.) */
MCPW_API void mcpw_server_tools_changed(mcpw_server *server);
/* The same of prompts. */
MCPW_API void mcpw_server_prompts_changed(mcpw_server *server);
/* The same of resources and templates: of the list, not of what they hold. */
MCPW_API void mcpw_server_resources_changed(mcpw_server *server);

/* ---- Prompts ------------------------------------------------------------------------------------------- */

/* An argument of a prompt. */
typedef struct mcpw_prompt_argument {
    const char *name;        /* required */
    const char *description; /* for people; NULL: none */
    bool required;           /* a prompts/get without it is answered -32602 */
} mcpw_prompt_argument;

/* What is asked of a prompt. It lives as long as its request. */
typedef struct mcpw_prompt_get {
    mcpw_str name;       /* of the prompt */
    mcpw_json arguments; /* an object of strings; "{}" when the client sent none */
} mcpw_prompt_get;

/* An argument by name, unescaped; absent when it was not sent. */
MCPW_API mcpw_str mcpw_prompt_get_argument(mcpw_request *request, const mcpw_prompt_get *get,
                                           const char *name);

/* A prompt. Texts and JSON are copied when it is added. */
typedef struct mcpw_prompt {
    size_t struct_size;                    /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    const char *name;                      /* its identity; required */
    const char *title;                     /* for people; NULL: none */
    const char *description;               /* NULL: none */
    const mcpw_prompt_argument *arguments; /* NULL: it takes none */
    size_t argument_count;                 /* how many */
    mcpw_json more;                        /* an object with more members of Prompt */
    /* Answers prompts/get. What it may return stands in <mcpw/session.h>. */
    mcpw_status (*get)(mcpw_request *request, const mcpw_prompt_get *get, void *user);
    mcpw_complete_handler complete; /* NULL: no suggestions */
    void *user;                     /* passed to get and complete */
} mcpw_prompt;

/* Adds a prompt, in the order of prompts/list. As mcpw_server_add_tool. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_server_add_prompt(mcpw_server *server, const mcpw_prompt *prompt,
                                                           mcpw_error *error);
/* Removes a prompt. MCPW_E_NOT_FOUND when there is none of this name. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_server_remove_prompt(mcpw_server *server, const char *name);

/* Answers prompts/get with one text of the user's. Any other result: mcp_<revision>_respond_prompts_get(). */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_respond_prompt_text(mcpw_request *request, mcpw_str text);

/* Answers completion/complete. Of more than 100 values the first 100 are sent, with total and hasMore. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_respond_completion(mcpw_request *request, const mcpw_str *values,
                                                            size_t count);

/* ---- Base64 (RFC 4648 section 4) ----------------------------------------------------------------------- */

/* The base64 of bytes, in the arena; absent when memory runs out. */
MCPW_NODISCARD MCPW_API mcpw_str mcpw_base64_encode(mcpw_arena *arena, const void *bytes, size_t len);
/* The bytes of a base64 text with its padding, in the arena. MCPW_E_FORMAT when it is none. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_base64_decode(mcpw_arena *arena, mcpw_str text, mcpw_str *out);

MCPW_END_DECLS

#endif
