/* SPDX-License-Identifier: MIT */
/*
 * A server has registries of tools, resources, resource templates, prompts and completions. Any number of
 * sessions share it. It lists its entries in pages, looks them up and checks their arguments. Its sessions
 * notify their clients when a list changes. An entry is written once and serves every revision.
 *
 * In revisions with a handshake, the handshake declares the kinds of entries, and that cannot change later. A
 * client that connected before the first tool was added does not learn that the server has tools. So add one
 * entry of each kind first.
 *
 * A session may have typed slots beside it (dispatch and handlers of its config). If the slot of a method is
 * filled in, it alone gets the requests of that method, also for a list. All other methods come here.
 *
 * Threads: a server and all sessions that use it belong to one thread at a time. Another thread may answer a
 * request that was handed to it: <mcpw/thread.h>. Any thread may report changes, by
 * mcpw_server_resource_updated and the like. Calls on another thread that add to a server or remove from it
 * return MCPW_E_THREAD, if one of its loops can detect that. (MCP, "Tools", "Resources", "Prompts",
 * "Completion", "Pagination".)
 */
#ifndef MCPW_SERVER_H
#define MCPW_SERVER_H

#include <mcpw/pattern.h>
#include <mcpw/session.h>

MCPW_BEGIN_DECLS

/* How to make a server. Initialise with MCPW_SERVER_CONFIG_INIT. Texts, JSON and the library are copied.
 * patterns and user must outlive the server. */
typedef struct mcpw_server_config {
    size_t struct_size;       /* set by MCPW_SERVER_CONFIG_INIT */
    const char *name;         /* required */
    const char *version;      /* required, unless each session's config has one */
    mcpw_json info;           /* an object with more members of Implementation */
    const char *instructions; /* for the model: how to use this server */
    size_t page_size;         /* entries in a page of a list; 0: all in one */
    mcpw_allocator allocator; /* for all memory that the server keeps */
    /* Called when clients begin to watch a resource (watched is true), and when none watches it any more.
     * There is one call for a URI, however many clients and subscriptions it has. uri is NUL-terminated and
     * lives during the call. May be NULL. (MCP, "Resources", subscriptions; from 2026-07-28 on
     * "Subscriptions".) */
    void (*on_watch)(void *user, mcpw_server *server, mcpw_str uri, bool watched);
    void *user; /* passed to on_watch */
    /* The engine for schemas of tools that have patterns, such as mcpw_pcre2() of <mcpw/pcre2.h>. NULL: a
     * tool with such a schema is refused. */
    const mcpw_pattern_engine *patterns;
    mcpw_switch check_schemas; /* arguments and structured content are checked against the schemas of their
                                  tool; on by default */
    bool fill_defaults;        /* arguments that a client left out take the "default" of the inputSchema */
    /* The revisions that its sessions may speak; a program may add its own. It is copied. NULL: the revisions
     * that were built into the library. */
    const mcpw_library *library;
} mcpw_server_config;

/* Everything absent. */
#define MCPW_SERVER_CONFIG_INIT MCPW_SIZED(mcpw_server_config)

/* A server without entries. NULL, with error filled in, if memory runs out, name is missing or info is not an
 * object. error may be NULL. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_server *mcpw_server_new(const char *name, const char *version,
                                                             mcpw_error *error);
/* The same with all options. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_server *mcpw_server_new_with(const mcpw_server_config *config,
                                                                  mcpw_error *error);

/* Declares that this server sends log messages. Sessions that begin afterwards declare `logging`, answer
 * logging/setLevel, and allow mcpw_request_log and mcpw_session_log. (MCP, "Logging".) */
MCPW_SESSION_API void mcpw_server_will_log(mcpw_server *server);

/* Frees a server. Its sessions must be gone. Does nothing for NULL. */
MCPW_SESSION_API void mcpw_server_free(mcpw_server *server);

/* ---- Tools --------------------------------------------------------------------------------------------- */

/* A call of a tool. It lives as long as its request. */
typedef struct mcpw_tool_call {
    mcpw_str name;       /* of the tool */
    mcpw_json arguments; /* an object; "{}" when the client sent none */
    const void *value;   /* the arguments as a struct, where the tool has a type for them; else NULL */
} mcpw_tool_call;

/* Whether a call of a tool may be a task (<mcpw/tasks.h>). */
typedef enum mcpw_task_use {
    MCPW_TASK_FORBIDDEN = 0, /* it is always a plain call */
    /* It may be one. In 2025-11-25 the client decides. With the extension the handler does, by
     * mcpw_request_detach_as_task. */
    MCPW_TASK_OPTIONAL = 1,
    MCPW_TASK_REQUIRED = 2, /* it is always a task; a client without tasks gets an error */
    MCPW_TASK_PREFERRED = 3 /* as MCPW_TASK_OPTIONAL, and with the extension it is always a task */
    MCPW_ENUM_WIDTH(MCPW_TASK)
} mcpw_task_use;

/* A tool. Texts and JSON are copied when it is added.
 *
 * Its schemas are compiled at that time and are enforced from then on (if the library has <mcpw/schema.h>).
 * If the arguments do not fit, call does not run. The answer is a result with isError, whose text names up to
 * 20 faults by their pointers, so that the model can correct them. Before 2025-11-25 the answer is -32602,
 * which names the first fault. A result is not sent if its structured content does not fit output_schema, or
 * if it lacks structured content that the peer's revision needs. The request then fails with -32603. Results
 * with isError are not checked. (MCP, "Tools", error handling, output schema.) */
typedef struct mcpw_tool {
    size_t struct_size;      /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    const char *name;        /* 1 to 128 of A-Z a-z 0-9 _ - . */
    const char *title;       /* for people; NULL: none */
    const char *description; /* for the model; NULL: none */
    /* a JSON Schema, of 2020-12 unless "$schema" names another dialect; absent: {"type":"object"} */
    mcpw_json input_schema;
    mcpw_json output_schema; /* absent: the result has no structured content, or an unchecked one */
    mcpw_json more;          /* an object with more members of Tool: annotations, icons, execution, _meta */
    /* A type that the arguments are decoded into before call runs. Arguments that do not fit are answered as
     * above. NULL: call gets them raw, and may reject them by mcpw_request_refuse. */
    const mcpw_type *arguments;
    /* A type that structured content must also have; NULL: none. */
    const mcpw_type *structured;
    /* Answers a call. mcpw_dispatch in <mcpw/session.h> lists the statuses that it may return. */
    mcpw_status (*call)(mcpw_request *request, const mcpw_tool_call *call, void *user);
    void *user; /* passed to call */
    /* Scopes that a request for it needs over HTTP, separated by spaces; NULL: none
     * (<mcpw/http_protect.h>). */
    const char *scopes;
    const struct mcpw_tool_ui *ui; /* its page, and who may call it (<mcpw/apps.h>); NULL: no page */
    /* Whether its calls may be tasks. A server that keeps no tasks refuses a tool with any value but
     * MCPW_TASK_FORBIDDEN: mcpw_server_add_tasks comes first. */
    mcpw_task_use task;
} mcpw_tool;

/* Adds a tool; the order of these calls is the order of tools/list. MCPW_E_DUPLICATE if there is one of this
 * name. MCPW_E_ARGUMENT or a codec status if it makes no valid Tool, with the place and the reason in error.
 * That includes an invalid schema (<mcpw/schema.h> lists the possible faults). MCPW_E_STATE: it has a `ui`,
 * and the server has no apps. MCPW_E_THREAD, MCPW_E_MEMORY, or the status by which an extension refuses it.
 */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_server_add_tool(mcpw_server *server, const mcpw_tool *tool,
                                                                 mcpw_error *error);
/* Removes a tool. MCPW_E_NOT_FOUND if there is none of this name. A removed tool takes no more calls. Calls
 * that are under way go on, also the one that removes the tool, and their handlers may run again. So user
 * must outlive them. (From 2026-07-28 on, an input request is a round of input_required, and the client's
 * retry is another call.) */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_server_remove_tool(mcpw_server *server, const char *name);

/* Answers tools/call with one text. For any other result call mcp_<revision>_respond_tools_call(). */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_respond_text(mcpw_request *request, mcpw_str text);
/* The same, as an error of the tool (isError), which the model gets to see. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_respond_tool_error(mcpw_request *request, const char *text);
/* Answers tools/call with structured content, and with its text as content for clients that know no
 * structured content. (MCP, "Tools", structured content; from 2025-06-18 on.) */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_respond_structured(mcpw_request *request, mcpw_json value);
/* The same from a struct of the type that the tool was registered with as structured. MCPW_E_ARGUMENT: it was
 * registered without one. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_respond_structured_value(mcpw_request *request,
                                                                          const void *value);

/* ---- Resources ----------------------------------------------------------------------------------------- */

enum { MCPW_MAX_VARIABLES = 16 /* of a URI template; one with more is refused */ };

/* A variable of a URI template and its value. */
typedef struct mcpw_uri_variable {
    mcpw_str name;  /* as in the template */
    mcpw_str value; /* decoded */
} mcpw_uri_variable;

/* A read of a resource. It lives as long as its request. The values of variables are percent-decoded, UTF-8
 * and without NUL. Beware that an escaped slash or ".." is a plain one after decoding. */
typedef struct mcpw_resource_read {
    mcpw_str uri;                                    /* exactly as in the request */
    const char *mime_type;                           /* as registered; NULL: unknown */
    size_t variable_count;                           /* of a template */
    mcpw_uri_variable variables[MCPW_MAX_VARIABLES]; /* the first variable_count of them */
} mcpw_resource_read;

/* The value of a template's variable by its name; absent: there is none. */
MCPW_SESSION_API mcpw_str mcpw_resource_variable(const mcpw_resource_read *read, const char *name);

/* Expands a URI template with these values, percent-encoded as needed. It is for clients. The URI lies in the
 * arena. A variable without a value is empty. MCPW_E_FORMAT for expressions other than {name} and {+name}. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_uri_template_expand(mcpw_arena *arena, mcpw_str uri_template,
                                                                     const mcpw_uri_variable *variables,
                                                                     size_t count, mcpw_str *out,
                                                                     mcpw_error *error);

/* Answers resources/read. mcpw_dispatch in <mcpw/session.h> lists the statuses that it may return. */
typedef mcpw_status (*mcpw_read_handler)(mcpw_request *request, const mcpw_resource_read *read, void *user);

/* A request to complete an argument of a prompt or a variable of a template. It lives as long as its request.
 */
typedef struct mcpw_completion {
    mcpw_str name;     /* of the prompt, or the URI template */
    mcpw_str argument; /* the argument or variable */
    mcpw_str value;    /* the text typed so far */
    mcpw_json context; /* the arguments known so far, an object of strings; absent: none */
} mcpw_completion;

/* Suggests values, by mcpw_respond_completion. mcpw_dispatch in <mcpw/session.h> lists the statuses that it
 * may return. */
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
    mcpw_read_handler read;  /* answers with the content; required */
    void *user;              /* passed to read */
    /* Scopes that a request for it needs over HTTP, separated by spaces; NULL: none
     * (<mcpw/http_protect.h>). */
    const char *scopes;
} mcpw_resource;

/* A family of resources. Its URI template may contain two kinds of expressions of RFC 6570: {name} of level
 * 1, and {+name} of level 2, which also matches slashes. Two expressions must have text between them. Other
 * expressions, such as {name*}, are refused. */
typedef struct mcpw_resource_template {
    size_t struct_size;             /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    const char *uri_template;       /* its identity; required */
    const char *name;               /* required */
    const char *title;              /* for people; NULL: none */
    const char *description;        /* for the model; NULL: none */
    const char *mime_type;          /* of all of them; NULL: unknown */
    mcpw_json more;                 /* an object with more members of ResourceTemplate */
    mcpw_read_handler read;         /* answers with the content; required */
    mcpw_complete_handler complete; /* NULL: no suggestions */
    void *user;                     /* passed to read and complete */
    /* Scopes that a request for one of them needs over HTTP, separated by spaces. {name} stands for the value
     * of a variable: "notes:read:{id}". NULL: none (<mcpw/http_protect.h>). */
    const char *scopes;
} mcpw_resource_template;

/* Adds a resource; the order of these calls is the order of resources/list. Errors as for
 * mcpw_server_add_tool. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_server_add_resource(mcpw_server *server,
                                                                     const mcpw_resource *resource,
                                                                     mcpw_error *error);
/* Removes a resource. MCPW_E_NOT_FOUND if there is none with this URI. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_server_remove_resource(mcpw_server *server, const char *uri);
/* Adds a template; the order of these calls is the order of resources/templates/list. Errors as for
 * mcpw_server_add_tool. MCPW_E_FORMAT if the URI template is invalid or not supported. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_server_add_resource_template(
    mcpw_server *server, const mcpw_resource_template *resource_template, mcpw_error *error);
/* Removes a template. MCPW_E_NOT_FOUND if there is none with this text. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_server_remove_resource_template(mcpw_server *server,
                                                                                 const char *uri_template);

/* Answers resources/read with one text. mime_type NULL: that of the registration. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_respond_resource_text(mcpw_request *request,
                                                                       const char *mime_type, mcpw_str text);
/* Answers resources/read with bytes, which are sent as base64. mime_type NULL: that of the registration. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_respond_resource_bytes(mcpw_request *request,
                                                                        const char *mime_type,
                                                                        const void *bytes, size_t len);
/* Answers that there is no such resource, with the URI and with the error code that the peer's revision has
 * for it. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_respond_resource_not_found(mcpw_request *request);

/* Notifies every client that watches a resource that its content has changed.
 *
 * This and the functions below may be called from any thread while the server lives, whether it is served or
 * not. Inside the server's loop clients are notified at once. Elsewhere the change waits, and the loop is
 * woken to notify them. A change that is reported again while it waits is sent once. At most 1024 URIs wait.
 * If more would wait, or if there is no memory for one, every watched resource counts as changed, so that no
 * client misses a change. Changes that still wait when the last session and loop are gone are dropped. The
 * calling thread also calls the allocator of the server's config. If the sessions of a server have no queue
 * (<mcpw/thread.h>), only the server's own thread may call these functions. (MCP, "Resources",
 * subscriptions.) */
MCPW_SESSION_API void mcpw_server_resource_updated(mcpw_server *server, const char *uri);
/* The same for the server of a request, for a handler that has no pointer to its server. */
MCPW_SESSION_API void mcpw_request_resource_updated(mcpw_request *request, const char *uri);
/* Notifies clients that the list of tools has changed. Functions that add or remove a tool do this
 * themselves. Threads as for mcpw_server_resource_updated. (MCP, "Tools", list changed notification.) */
MCPW_SESSION_API void mcpw_server_tools_changed(mcpw_server *server);
/* The same for prompts. */
MCPW_SESSION_API void mcpw_server_prompts_changed(mcpw_server *server);
/* The same for the list of resources and templates, not for their contents. */
MCPW_SESSION_API void mcpw_server_resources_changed(mcpw_server *server);

/* ---- Prompts ------------------------------------------------------------------------------------------- */

/* An argument of a prompt. */
typedef struct mcpw_prompt_argument {
    const char *name;        /* required */
    const char *description; /* for people; NULL: none */
    bool required;           /* a prompts/get that lacks it is answered -32602 */
} mcpw_prompt_argument;

/* A request for a prompt. It lives as long as its request. */
typedef struct mcpw_prompt_get {
    mcpw_str name;       /* of the prompt */
    mcpw_json arguments; /* an object of strings; "{}" when the client sent none */
} mcpw_prompt_get;

/* An argument by name, unescaped; absent: it was not sent. */
MCPW_SESSION_API mcpw_str mcpw_prompt_get_argument(mcpw_request *request, const mcpw_prompt_get *get,
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
    /* Answers prompts/get. mcpw_dispatch in <mcpw/session.h> lists the statuses that it may return. */
    mcpw_status (*get)(mcpw_request *request, const mcpw_prompt_get *get, void *user);
    mcpw_complete_handler complete; /* NULL: no suggestions */
    void *user;                     /* passed to get and complete */
    /* Scopes that a request for it needs over HTTP, separated by spaces; NULL: none
     * (<mcpw/http_protect.h>). */
    const char *scopes;
} mcpw_prompt;

/* Adds a prompt; the order of these calls is the order of prompts/list. Errors as for mcpw_server_add_tool.
 */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_server_add_prompt(mcpw_server *server,
                                                                   const mcpw_prompt *prompt,
                                                                   mcpw_error *error);
/* Removes a prompt. MCPW_E_NOT_FOUND if there is none of this name. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_server_remove_prompt(mcpw_server *server, const char *name);

/* Answers prompts/get with one text of the user's. For any other result call
 * mcp_<revision>_respond_prompts_get(). */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_respond_prompt_text(mcpw_request *request, mcpw_str text);

/* Answers completion/complete. If there are more than 100 values, the first 100 are sent, with total and
 * hasMore. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_respond_completion(mcpw_request *request,
                                                                    const mcpw_str *values, size_t count);

/* ---- Base64 (RFC 4648 section 4) ----------------------------------------------------------------------- */

/* The base64 of bytes, in the arena; absent when memory runs out. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_str mcpw_base64_encode(mcpw_arena *arena, const void *bytes, size_t len);
/* The bytes of a base64 text with its padding, in the arena. MCPW_E_FORMAT if the text is not base64. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_base64_decode(mcpw_arena *arena, mcpw_str text,
                                                               mcpw_str *out);

MCPW_END_DECLS

#endif
