/* SPDX-License-Identifier: MIT */
/* mcpwire call: lists and uses the features of a server from the shell. */
#define _XOPEN_SOURCE 700

#include "call.h"

#include "call_login.h"
#include "json_schema.h"
#include "options.h"
#include "system.h"
#include "terminal.h"
#include "tool.h"

#include <mcpw/codec.h>
#include <mcpw/extension.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    DEFAULT_TIMEOUT = 60, /* seconds */
    MAX_TIMEOUT = 7 * 24 * 3600,
    MS = 1000,
    DEFAULT_DISCOVER = 10000, /* ms; the default of the library */
    PART_OF_TIME = 4,         /* the part of the time that the end of an HTTP session may take */
    LONGEST_END = 2000,       /* ms; the default of the library for it */
    MAX_NOTES = 20,
    MAX_ID = 40, /* bytes of an id in a diagnostic */
    SIGNAL_BASE = 128
};

/* The action of the command; exactly one is chosen. */
typedef enum action {
    LIST_TOOLS,
    CALL_TOOL,
    RESUME_TASK,
    LIST_RESOURCES,
    READ_RESOURCE,
    LIST_PROMPTS,
    GET_PROMPT,
    LIST_SKILLS,
    READ_SKILL,
    SHOW_INFO
} action;

typedef struct settings {
    action action;
    const char *chosen; /* the option that chose the action; NULL: none */
    const char *name;   /* of the tool or prompt, or the URI */
    const char *file;   /* of the skill; NULL: SKILL.md */
    const char *args;
    const char **words; /* KEY=VALUE, with room for every argument */
    size_t word_count;
    const char **roots;
    size_t root_count;
    const char *revision;
    size_t timeout;       /* seconds; 0: not given */
    size_t start_timeout; /* seconds; 0: not given */
    bool json;
    bool log;
    bool unchecked;
    bool task;
    bool verbose;
    bool help;
    const char *ca_file;
    const char **headers;
    size_t header_count;
    const char *url;            /* of a running server; NULL: command starts it */
    const char *const *command; /* ends with NULL */
} settings;

/* Takes an option that chooses the action, which is the number in its row. */
static bool choose(void *to, const option *entry, const char *name) {
    settings *const set = to;
    if (set->chosen != NULL) {
        tool_complain("%s and %s: only one of them can be done at once", set->chosen, entry->name);
        return false;
    }
    set->action = (action)entry->least;
    set->chosen = entry->name;
    set->name = name;
    return true;
}

static bool add_root(void *to, const option *entry, const char *value) {
    settings *const set = to;
    char *const path = system_full_path(value);
    (void)entry;
    if (path == NULL) {
        tool_complain("--root %s: %s", value, strerror(errno));
        return false;
    }
    set->roots[set->root_count++] = path;
    return true;
}

static bool add_header(void *to, const option *entry, const char *value) {
    settings *const set = to;
    (void)entry;
    set->headers[set->header_count++] = value;
    return true;
}

static bool take_revision(void *to, const option *entry, const char *value) {
    const mcpw_revision *unused = NULL;
    *(const char **)to = value;
    return options_revision(&unused, entry, value);
}

static const option options[] = {
    {"--tool", "NAME", "call this tool with the arguments KEY=VALUE", OPTION_BY_ALL(choose, CALL_TOOL)},
    {"--args", "JSON", "its arguments as a JSON object; @FILE takes them from a\nfile, - from standard input",
     OPTION_WORD(settings, args)},
    {"--task", NULL, "call the tool as a task of the server, and show its status",
     OPTION_FLAG(settings, task)},
    {"--resume", "HANDLE", "take up a task again, by its handle or its id",
     OPTION_BY_ALL(choose, RESUME_TASK)},
    {"--resources", NULL, "list the resources and the templates of resources",
     OPTION_BY_ALL(choose, LIST_RESOURCES)},
    {"--resource", "URI", "read this resource", OPTION_BY_ALL(choose, READ_RESOURCE)},
    {"--prompts", NULL, "list the prompts", OPTION_BY_ALL(choose, LIST_PROMPTS)},
    {"--prompt", "NAME", "get this prompt with the arguments KEY=VALUE", OPTION_BY_ALL(choose, GET_PROMPT)},
    {"--skills", NULL, "list the skills", OPTION_BY_ALL(choose, LIST_SKILLS)},
    {"--skill", "URI", "print SKILL.md of this skill, if it is what the list says",
     OPTION_BY_ALL(choose, READ_SKILL)},
    {"--file", "PATH", "print this file of the skill instead", OPTION_WORD(settings, file)},
    {"--info", NULL, "tell what the server says about itself", OPTION_BY_ALL(choose, SHOW_INFO)},
    {"--json", NULL, "print results whole, as JSON", OPTION_FLAG(settings, json)},
    {"--header", "FIELD", "send this with each request to a URL, \"Name: value\"; may be\nrepeated",
     OPTION_BY_ALL(add_header, 0)},
    {"--cacert", "FILE", "trust the certificates in this file (PEM), for a URL",
     OPTION_WORD(settings, ca_file)},
    {"--revision", "R", "speak this revision of the protocol and no other",
     OPTION_BY(take_revision, settings, revision)},
    {"--timeout", "S",
     "seconds that all of it may take (default: 60 for each\nanswer, begun again by progress)",
     OPTION_NUMBER(settings, timeout, 1, MAX_TIMEOUT)},
    {"--start-timeout", "S", "seconds until the handshake of older servers is tried\nas well (default 10)",
     OPTION_NUMBER(settings, start_timeout, 1, MAX_TIMEOUT)},
    {"--log", NULL, "show log messages and progress on standard error", OPTION_FLAG(settings, log)},
    {"--root", "DIR", "a folder that the server may know of; may be repeated", OPTION_BY_ALL(add_root, 0)},
    {"--unchecked", NULL, "do not check arguments and result by the schemas of the\ntool",
     OPTION_FLAG(settings, unchecked)},
    {"--verbose", NULL, "show standard error of the server, and what is not right\nwith it",
     OPTION_FLAG(settings, verbose)},
    {"--help", NULL, "show this text", OPTION_FLAG(settings, help)},
};

enum { OPTIONS = sizeof options / sizeof *options };

/* ---- arguments ---- */

static int print_help(void) {
    options_explain("usage: mcpwire call [OPTION...] [KEY=VALUE...] -- COMMAND [ARGUMENT...]\n"
                    "       mcpwire call [OPTION...] URL [KEY=VALUE...]\n"
                    "\n"
                    "Starts a server of the Model Context Protocol, or asks one at a URL (http or https),\n"
                    "and lists its tools, or does with it what the options say.\n",
                    options, OPTIONS);
    fputs("\n\n"
          "exit status: 0 success, 1 the tool or the server answered with an error or not\n"
          "at all, 2 usage error or no server, 3 the server requires a login, 128 and its\n"
          "number if a signal ended it\n"
          "\n"
          "examples:\n"
          "  mcpwire call -- ./server\n"
          "  mcpwire call --tool echo message=hello -- ./server\n"
          "  mcpwire call --tool plot --args '{\"points\": [1, 2]}' --json -- ./server\n"
          "  mcpwire call --resource file:///etc/motd -- ./server\n"
          "  mcpwire call https://example.com/mcp --tool echo message=hello\n"
          "\n"
          "If a server at a URL requires a login, that of \"mcpwire login\" is used. Without one, the\n"
          "browser is opened if standard error is a terminal. A token in the environment variable\n"
          "MCPWIRE_TOKEN is sent as a bearer token instead of a login.\n"
          "\n"
          "A server that asks for input gets it from the terminal, if standard input is one; else\n"
          "the request is declined.\n"
          "\n"
          "Common faults of servers are mended; notes on standard error name them.\n",
          stdout);
    return tool_finish_output();
}

static bool check_settings(const settings *set) {
    const bool takes_words = set->action == CALL_TOOL || set->action == GET_PROMPT;
    if (set->command == NULL && set->url == NULL) {
        tool_complain("call needs a server to start: mcpwire call [OPTION...] -- COMMAND [ARGUMENT...]");
    } else if (set->command != NULL && set->url != NULL) {
        tool_complain("%s and %s: only one server can be asked at once", set->url, set->command[0]);
    } else if ((set->header_count != 0 || set->ca_file != NULL) && set->url == NULL) {
        tool_complain("%s is for a server at a URL", set->header_count != 0 ? "--header" : "--cacert");
    } else if (set->word_count != 0 && !takes_words) {
        tool_complain("%s: arguments are for --tool and --prompt", set->words[0]);
    } else if (set->task && set->action != CALL_TOOL) {
        tool_complain("--task is for --tool");
    } else if (set->args != NULL && set->action != CALL_TOOL) {
        tool_complain("--args is for --tool");
    } else if (set->file != NULL && set->action != READ_SKILL) {
        tool_complain("--file is for --skill");
    } else if (set->args != NULL && set->word_count != 0) {
        tool_complain("arguments are given twice: by --args and as %s", set->words[0]);
    } else {
        return true;
    }
    return false;
}

static bool is_url(const char *text) {
    return strncmp(text, "http://", sizeof "http://" - 1) == 0 ||
           strncmp(text, "https://", sizeof "https://" - 1) == 0;
}

static bool read_arguments(settings *set, int argc, char **argv) {
    option_reader reader = options_begin(options, OPTIONS, argc, argv);
    const char *value = NULL;
    int which;
    while ((which = options_next(&reader, &value)) != OPTION_END) {
        if (which == OPTION_OPERAND && reader.operands_only) { /* the command; its own options follow */
            set->command = (const char *const *)(argv + reader.at - 1);
            break;
        }
        if (which == OPTION_OPERAND && is_url(value) && set->url == NULL) {
            set->url = value;
            continue;
        }
        if (which == OPTION_OPERAND) {
            if (strchr(value, '=') == NULL) {
                tool_complain("%s is not KEY=VALUE; the server's command follows --", value);
                return false;
            }
            set->words[set->word_count++] = value;
        } else if (which == OPTION_BAD || !options_apply(&reader, set, which, value)) {
            return false;
        }
    }
    return set->help || check_settings(set);
}

/* ---- lists ---- */

typedef struct listing {
    caller *caller;
    text *out;
    void (*print)(caller *c, text *out, mcpw_json item);
    size_t count;
} listing;

static bool list_item(void *user, mcpw_json item) {
    listing *const l = user;
    if (l->caller->json) {
        text_add(l->out, l->count != 0 ? "," : "");
        text_bytes(l->out, item.ptr, item.len);
    } else {
        l->print(l->caller, l->out, item);
    }
    l->count++;
    return true;
}

/* The outcome of a list. */
typedef enum listed { LIST_WHOLE, LIST_CUT, LIST_FAILED } listed;

/* Prints a list; as JSON it is a member of an object. A list that the server has not declared is empty. */
static listed print_list(caller *c, text *out, const char *method, const char *name,
                         void (*print)(caller *c, text *out, mcpw_json item)) {
    listing l = {c, out, print, 0};
    if (c->json) {
        text_format(out, "\"%s\":[", name);
    }
    const mcpw_status status = caller_list(c, method, name, list_item, &l);
    if (status == MCPW_E_CAPABILITY) {
        tool_complain("%s: %s", method, c->error.message);
    }
    text_add(out, c->json ? "]" : "");
    return status == MCPW_OK                                      ? LIST_WHOLE
           : status == MCPW_E_SIZE || status == MCPW_E_CAPABILITY ? LIST_CUT
                                                                  : LIST_FAILED;
}

/* JSON is printed if it is complete or cut at a limit; text is printed up to the failure. */
static int show_lists(caller *c, action what) {
    text out = TEXT_INIT;
    listed went;
    text_add(&out, c->json ? "{" : "");
    if (what == LIST_TOOLS) {
        went = print_list(c, &out, "tools/list", "tools", print_tool);
    } else if (what == LIST_PROMPTS) {
        went = print_list(c, &out, "prompts/list", "prompts", print_prompt);
    } else {
        went = print_list(c, &out, "resources/list", "resources", print_resource);
        text_add(&out, c->json ? "," : "");
        if (went != LIST_FAILED) {
            const listed more =
                print_list(c, &out, "resources/templates/list", "resourceTemplates", print_resource);
            went = more > went ? more : went;
        }
    }
    text_add(&out, c->json ? "}\n" : "");
    const bool written = (went == LIST_FAILED && c->json) || print_flush(c, &out);
    text_free(&out);
    return !written ? TOOL_FAILED : went == LIST_WHOLE ? TOOL_OK : TOOL_INVALID;
}

/* ---- uses ---- */

/* The pointer of invalid arguments, which were not sent. */
static const char arguments_path[] = "/arguments";

/* The exit status after a request that has failed. */
static int failed(const caller *c) {
    return strncmp(c->error.path, arguments_path, sizeof arguments_path - 1) == 0 ? TOOL_FAILED
                                                                                  : TOOL_INVALID;
}

/* Prints a result, which may be marked as an error. */
static int show(caller *c, mcpw_json result, void (*print)(caller *c, text *out, mcpw_json result)) {
    text out = TEXT_INIT;
    bool is_error = false;
    if (mcpw_json_get_bool(result, "isError", &is_error) != MCPW_OK) {
        is_error = false;
    }
    if (c->json) {
        text_bytes(&out, result.ptr, result.len);
        text_add(&out, "\n");
    } else {
        print(c, &out, result);
    }
    const bool written = print_flush(c, &out);
    text_free(&out);
    return !written ? TOOL_FAILED : is_error ? TOOL_INVALID : TOOL_OK;
}

/* Makes a request and prints its result. */
static int use(caller *c, const char *method, const text *params,
               void (*print)(caller *c, text *out, mcpw_json result)) {
    mcpw_json result = {NULL, 0, 0};
    const mcpw_status status = caller_request(c, method, params, &result);
    if (status == MCPW_E_CAPABILITY) {
        caller_complain(c);
    }
    return status == MCPW_OK ? show(c, result, print) : failed(c);
}

/* The same for a tool that is called as a task. */
static int use_task(caller *c, const text *params) {
    mcpw_json result = {NULL, 0, 0};
    return caller_task(c, params, &result) == MCPW_OK ? show(c, result, print_content) : failed(c);
}

static int resume_task(caller *c, const settings *set) {
    mcpw_json result = {NULL, 0, 0};
    return caller_resume(c, set->name, &result) == MCPW_OK ? show(c, result, print_content) : failed(c);
}

static void put_name(text *params, const char *member, const char *name) {
    text_format(params, "\"%s\":", member);
    const mcpw_str value = mcpw_str_from(name);
    text_json(params, value.ptr, value.len);
}

static int use_tool(caller *c, const settings *set, text *arguments) {
    text params = TEXT_INIT;
    int status = TOOL_OK;
    if (set->word_count != 0) {
        status = args_of_tool(c, set->name, set->words, set->word_count, arguments);
    } else if (!set->unchecked && json_schema_works()) {
        args_learn(c, set->name);
    }
    if (status == TOOL_OK) {
        put_name(&params, "name", set->name);
        if (arguments->buffer.len != 0) {
            text_add(&params, ",\"arguments\":");
            text_bytes(&params, arguments->buffer.data, arguments->buffer.len);
        }
        c->tool = set->name;
        status = set->task ? use_task(c, &params) : use(c, "tools/call", &params, print_content);
    }
    text_free(&params);
    return status;
}

static int use_prompt(caller *c, const settings *set) {
    const mcpw_json no_schema = {NULL, 0, 0}; /* arguments of prompts are strings */
    text params = TEXT_INIT;
    put_name(&params, "name", set->name);
    if (set->word_count != 0) {
        text_add(&params, ",\"arguments\":{");
        (void)args_put(c, &params, set->words, set->word_count, no_schema);
        text_add(&params, "}");
    }
    const int status = use(c, "prompts/get", &params, print_messages);
    text_free(&params);
    return status;
}

static int use_resource(caller *c, const settings *set) {
    text params = TEXT_INIT;
    put_name(&params, "uri", set->name);
    const int status = use(c, "resources/read", &params, print_contents);
    text_free(&params);
    return status;
}

/* ---- the run ---- */

/* Asks a server with a handshake for all of its log messages. Without a handshake each request asks for them.
 */
static void ask_for_log(caller *c) {
    static const char method[] = "logging/setLevel";
    text params = TEXT_INIT;
    mcpw_json unused = {NULL, 0, 0};
    if (c->log && mcpw_method_number(c->revision, method, strlen(method)) != 0) {
        text_add(&params, "\"level\":\"debug\"");
        const mcpw_status status = caller_request(c, method, &params, &unused);
        (void)status; /* a server without log messages may still report progress */
    }
    text_free(&params);
}

/* The label of the server. */
static const char *server_of(const settings *set) { return set->url != NULL ? set->url : set->command[0]; }

static int act(caller *c, const settings *set, text *arguments) {
    text out = TEXT_INIT;
    switch (set->action) {
    case CALL_TOOL:
        return use_tool(c, set, arguments);
    case RESUME_TASK:
        return resume_task(c, set);
    case READ_RESOURCE:
        return use_resource(c, set);
    case GET_PROMPT:
        return use_prompt(c, set);
    case LIST_SKILLS:
        return call_skills_list(c, server_of(set));
    case READ_SKILL:
        return call_skills_read(c, server_of(set), set->name, set->file);
    case SHOW_INFO:
        print_server(c, &out);
        break;
    default:
        return show_lists(c, set->action);
    }
    const bool written = print_flush(c, &out);
    text_free(&out);
    return written ? TOOL_OK : TOOL_FAILED;
}

static void show_stderr(mcpw_str line) {
    text t = TEXT_INIT;
    text_safe_lines(&t, line.ptr, line.len);
    text_add(&t, "\n");
    text_write_stderr(&t);
    text_free(&t);
}

/* True if a diagnostic explains the output, so that it is shown without --verbose. */
static bool is_shown_unasked(const mcpw_diagnostic *diagnostic) {
    return diagnostic->kind == MCPW_DIAGNOSTIC_TOLERATED || diagnostic->kind == MCPW_DIAGNOSTIC_TOOL_SCHEMA ||
           (diagnostic->kind == MCPW_DIAGNOSTIC_UNKNOWN_REPLY && diagnostic->error->code == MCPW_E_NOT_FOUND);
}

/* Prints the id of a response to no request, because it shows where the server took it from. */
static void complain_id(const mcpw_diagnostic *diagnostic) {
    if (diagnostic->id->kind == MCPW_ID_INTEGER) {
        tool_complain("note: id %lld: %s", (long long)diagnostic->id->as.integer, diagnostic->error->message);
    } else {
        tool_complain("note: id \"%.*s\": %s",
                      (int)text_cut(diagnostic->id->as.string.ptr, diagnostic->id->as.string.len, MAX_ID),
                      diagnostic->id->as.string.ptr, diagnostic->error->message);
    }
}

static void on_diagnostic(void *user, mcpw_session *session, const mcpw_diagnostic *diagnostic) {
    caller *const c = user; /* a caller begins with its link */
    (void)session;
    if (diagnostic->error == NULL ||
        (!c->verbose && (!is_shown_unasked(diagnostic) || c->notes >= MAX_NOTES))) {
        return;
    }
    const mcpw_error *const e = diagnostic->error;
    if (diagnostic->kind == MCPW_DIAGNOSTIC_UNKNOWN_REPLY && diagnostic->id != NULL &&
        diagnostic->id->kind != MCPW_ID_NULL && diagnostic->id->kind != MCPW_ID_ABSENT) {
        complain_id(diagnostic);
    } else {
        tool_complain("note: %.*s%s%s%s%s", (int)diagnostic->method.len,
                      diagnostic->method.ptr != NULL ? diagnostic->method.ptr : "",
                      diagnostic->method.len != 0 ? ": " : "", e->path, e->path[0] != '\0' ? ": " : "",
                      e->message);
    }
    if (++c->notes == MAX_NOTES && !c->verbose) {
        tool_complain("note: further notes are left out; --verbose shows them");
    }
}

static mcpw_status start(caller *c, const settings *set, const mcpw_dispatch *dispatch, call_login *login) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    const uint64_t timeout = set->timeout != 0 ? (uint64_t)set->timeout * MS : UINT64_MAX;
    const bool terminal = terminal_shows(TERMINAL_ERROR);
    c->link.on_stderr = set->verbose && terminal ? show_stderr : NULL;
    config.name = "mcpwire";
    config.version = MCPWIRE_VERSION;
    config.dispatch = dispatch;
    config.handlers = c;
    config.revisions = set->revision;
    config.on_diagnostic = on_diagnostic;
    config.lenient = true;
    config.check_results = set->unchecked ? MCPW_OFF : MCPW_ON;
    config.check_arguments = !set->unchecked && json_schema_works();
    config.patterns = json_schema_patterns();
    config.request_timeout_ms = set->timeout != 0 ? timeout : (uint64_t)DEFAULT_TIMEOUT * MS;
    config.max_request_timeout_ms = UINT64_MAX;
    config.discover_timeout_ms = (uint64_t)set->start_timeout * MS;
    if (config.discover_timeout_ms == 0 && timeout / 2 < DEFAULT_DISCOVER) {
        config.discover_timeout_ms = timeout / 2; /* the other half is for initialize */
    }
    const link_target target = {
        .argv = set->command,
        .url = set->url,
        .headers = set->headers,
        .header_count = set->header_count,
        .ca_file = set->ca_file,
        .login = call_login_of(login),
        .inherit_stderr = set->verbose && !terminal,
        .patience = timeout / PART_OF_TIME < LONGEST_END ? (unsigned)(timeout / PART_OF_TIME) : 0};
    const bool takes_tasks = set->action == CALL_TOOL || set->action == RESUME_TASK;
    const bool takes_skills = set->action == LIST_SKILLS || set->action == READ_SKILL;
    mcpw_status status = takes_tasks && !caller_add_tasks(&config) ? MCPW_E_MEMORY : MCPW_OK;
    if (takes_skills) {
        status = call_skills_declare(&config, &c->error);
    }
    if (status == MCPW_OK) {
        status = link_open(&c->link, &target, &config, timeout, &c->error);
    }
    c->extensions = config.extensions;
    return status;
}

/* One attempt, with a login or without one. *wants_login: the server requires one, and there may be one. */
static int attempt(const settings *set, text *arguments, call_login *login, bool *wants_login) {
    const mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_dispatch dispatch;
    int status = TOOL_FAILED;
    caller c;
    memset(&c, 0, sizeof c);
    c.json = set->json;
    c.verbose = set->verbose;
    c.log = set->log;
    c.roots = set->roots;
    c.root_count = set->root_count;
    c.asks = terminal_asks();
    c.on_terminal = terminal_shows(TERMINAL_OUTPUT);
    c.may_log_in = *wants_login;
    c.arena = arena;
    c.result_text.buffer = (mcpw_buffer)MCPW_BUFFER_INIT;
    if (start(&c, set, caller_dispatch(&dispatch), login) != MCPW_OK) {
        caller_complain(&c);
    } else {
        c.revision = mcpw_session_revision(c.link.session);
        ask_for_log(&c);
        c.patient = c.asks && set->timeout == 0 && set->name != NULL;
        status = act(&c, set, arguments);
    }
    const bool must_log_in = c.link.must_log_in;
    *wants_login = *wants_login && must_log_in && status != TOOL_OK && link_signal() == 0;
    link_close(&c.link);
    mcpw_extensions_free(c.extensions);
    text_free(&c.result_text);
    mcpw_arena_free(&c.arena);
    return status != TOOL_OK && must_log_in ? TOOL_LOGIN : status;
}

/* True if the user has given a token for the server. */
static bool has_own_token(const settings *set) {
    static const char name[] = "Authorization:";
    bool has = getenv("MCPWIRE_TOKEN") != NULL;
    for (size_t i = 0; i < set->header_count; i++) {
        has = has || strncasecmp(set->headers[i], name, sizeof name - 1) == 0;
    }
    return has;
}

/* Tries with the stored login, or without one. If that is refused and a user is there, a login begins. */
static int try_url(const settings *set, text *arguments) {
    const bool has_user = terminal_shows(TERMINAL_ERROR);
    call_login *login = call_login_open(set->url, set->ca_file, has_user, true);
    bool wants_login = login == NULL && has_user && call_login_works();
    int status = attempt(set, arguments, login, &wants_login);
    if (wants_login) {
        login = call_login_open(set->url, set->ca_file, true, false);
        wants_login = false;
        if (set->args == NULL) { /* they are made from words */
            text_clear(arguments);
        }
        status = login != NULL ? attempt(set, arguments, login, &wants_login) : TOOL_LOGIN;
    }
    if (call_login_lacks_user(login)) {
        tool_complain("the login has ended; \"mcpwire login %s\" makes another", set->url);
    }
    call_login_close(login);
    return status;
}

static int run(const settings *set) {
    text arguments = TEXT_INIT;
    bool wants_login = false;
    int status = TOOL_FAILED;
    if (set->args == NULL || args_read(set->args, &arguments)) {
        status = set->url != NULL && !has_own_token(set) ? try_url(set, &arguments)
                                                         : attempt(set, &arguments, NULL, &wants_login);
    }
    text_free(&arguments);
    return link_signal() != 0 ? SIGNAL_BASE + link_signal() : status;
}

int call_run(int argc, char **argv) {
    settings set;
    int status = TOOL_FAILED;
    memset(&set, 0, sizeof set);
    set.words = calloc((size_t)argc, sizeof *set.words);
    set.roots = calloc((size_t)argc, sizeof *set.roots);
    set.headers = calloc((size_t)argc, sizeof *set.headers);
    if (set.words == NULL || set.roots == NULL || set.headers == NULL) {
        tool_complain("out of memory");
    } else if (read_arguments(&set, argc, argv)) {
        status = set.help ? print_help() : run(&set);
    }
    while (set.root_count > 0) {
        free((void *)(uintptr_t)set.roots[--set.root_count]);
    }
    free((void *)set.words);
    free((void *)set.roots);
    free((void *)set.headers);
    return status;
}
