/* SPDX-License-Identifier: MIT */
/* Skills of the server: the list, and files that are verified. */
#include "call.h"

#include "tool.h"

#include <mcpw/skills.h>

#include <string.h>

/* The skills of the server while they are asked for. */
typedef struct asking {
    caller *caller;
    text *out;
    size_t count;
    bool is_told;      /* the error was printed already */
    bool found_broken; /* an entry was left out */
} asking;

mcpw_status call_skills_declare(mcpw_session_config *config, mcpw_error *error) {
    return mcpw_client_add_skills(config, error);
}

/* Reads a resource by the types of the revision. */
static mcpw_status read_resource(asking *a, mcpw_json params, mcpw_arena *arena, mcpw_json *result,
                                 mcpw_error *error) {
    text members = TEXT_INIT;
    mcpw_json answer = {NULL, 0, 0};
    text_bytes(&members, params.ptr + 1, params.len - 2); /* without the braces */
    mcpw_status status = caller_request(a->caller, "resources/read", &members, &answer);
    text_free(&members);
    if (status != MCPW_OK) {
        a->is_told = status != MCPW_E_CAPABILITY;
        *error = a->caller->error;
        return status;
    }
    const mcpw_str copy = mcpw_arena_str(arena, answer.ptr, answer.len);
    *result = mcpw_json_of(copy.ptr, copy.len);
    return copy.ptr != NULL ? MCPW_OK : mcpw_error_set(error, MCPW_E_MEMORY, 0, "out of memory");
}

static mcpw_status ask(void *user, const char *method, mcpw_json params, mcpw_arena *arena, mcpw_json *result,
                       mcpw_error *error) {
    asking *const a = user;
    return strcmp(method, "resources/read") == 0
               ? read_resource(a, params, arena, result, error)
               : link_request_named(&a->caller->link, method, params, arena, result, error);
}

static mcpw_skills_client *begin(asking *a, const char *server) {
    mcpw_skills_client_options options = MCPW_SKILLS_CLIENT_OPTIONS_INIT;
    options.server = server;
    options.ask = ask;
    options.user = a;
    mcpw_skills_client *const client = mcpw_skills_client_new(&options, &a->caller->error);
    if (client == NULL) {
        caller_complain(a->caller);
    }
    return client;
}

/* Prints why it has failed, unless that was done. */
static void complain(const asking *a, const mcpw_error *error) {
    if (!a->is_told) {
        a->caller->error = *error;
        caller_complain(a->caller);
    }
}

/* ---- The list ---- */

static void print_entry(text *out, const mcpw_skill_entry *entry) {
    int64_t bytes = 0;
    for (size_t i = 0; i < entry->file_count; i++) {
        bytes += entry->files[i].size;
    }
    text_bytes(out, entry->uri.ptr, entry->uri.len);
    if (entry->is_dynamic) {
        text_add(out, "  (dynamic)\n    ");
    } else {
        text_format(out, "  (%zu file%s, %lld bytes)\n    ", entry->file_count,
                    entry->file_count == 1 ? "" : "s", (long long)bytes);
    }
    for (size_t i = 0; i < entry->description.len; i++) { /* indents each of its lines */
        text_bytes(out, entry->description.ptr + i, 1);
        if (entry->description.ptr[i] == '\n' && i + 1 < entry->description.len) {
            text_add(out, "    ");
        }
    }
    text_add(out, "\n");
}

static bool take_entry(void *user, const mcpw_skill_entry *entry) {
    asking *const a = user;
    if (a->caller->json) {
        text_add(a->out, a->count != 0 ? "," : "");
        text_bytes(a->out, entry->text.ptr, entry->text.len);
    } else {
        print_entry(a->out, entry);
    }
    a->count++;
    return true;
}

static void take_broken(void *user, mcpw_str uri, const mcpw_error *error) {
    asking *const a = user;
    a->found_broken = true;
    tool_complain("%.*s%s%s", (int)uri.len, uri.ptr != NULL ? uri.ptr : "", uri.ptr != NULL ? ": " : "",
                  error->message);
}

int call_skills_list(caller *c, const char *server) {
    text out = TEXT_INIT;
    asking a = {c, &out, 0, false, false};
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_skills_client *const client = begin(&a, server);
    if (client == NULL) {
        return TOOL_FAILED;
    }
    text_add(&out, c->json ? "{\"skills\":[" : "");
    const mcpw_status status = mcpw_skills_client_list(client, take_entry, take_broken, &a, &error);
    text_add(&out, c->json ? "]}\n" : "");
    if (status != MCPW_OK) {
        complain(&a, &error);
    }
    const bool written = (status != MCPW_OK && c->json) || print_flush(c, &out);
    text_free(&out);
    mcpw_skills_client_free(client);
    return !written ? TOOL_FAILED : status == MCPW_OK && !a.found_broken ? TOOL_OK : TOOL_INVALID;
}

/* ---- Files ---- */

static void put_member(text *out, const char *name, mcpw_str value) {
    text_format(out, "\"%s\":", name);
    text_json(out, value.ptr, value.len);
    text_add(out, ",");
}

/* Prints a file with its origin, as JSON. */
static void print_json(asking *a, const mcpw_skill_content *content, mcpw_arena *arena) {
    text *const out = a->out;
    mcpw_str data = {content->bytes, content->len};
    text_add(out, "{");
    put_member(out, "server", content->server);
    put_member(out, "skill", content->skill);
    put_member(out, "uri", content->uri);
    if (content->mime_type.ptr != NULL) {
        put_member(out, "mimeType", content->mime_type);
    }
    text_format(out, "\"verified\":%s,\"%s\":", content->is_verified ? "true" : "false",
                content->is_text ? "text" : "blob");
    if (!content->is_text) {
        data = mcpw_base64_encode(arena, content->bytes, content->len);
    }
    text_json(out, data.ptr != NULL ? data.ptr : "", data.len);
    text_add(out, "}\n");
}

static void print_file(asking *a, const mcpw_skill_content *content, mcpw_arena *arena) {
    if (!content->is_verified) {
        tool_complain("note: the skill is dynamic, so its files are not verified");
    }
    if (a->caller->json) {
        print_json(a, content, arena);
    } else if (!content->is_text && a->caller->on_terminal) {
        text_format(a->out, "[%zu bytes]\n", content->len);
    } else {
        text_bytes(a->out, content->bytes, content->len);
    }
}

int call_skills_read(caller *c, const char *server, const char *uri, const char *file) {
    text out = TEXT_INIT;
    asking a = {c, &out, 0, false, false};
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_skill_content content;
    bool written = true;
    mcpw_skills_client *const client = begin(&a, server);
    if (client == NULL) {
        return TOOL_FAILED;
    }
    const mcpw_status status =
        mcpw_skills_client_read(client, mcpw_str_from(uri), mcpw_str_from(file), &arena, &content, &error);
    if (status == MCPW_OK) {
        print_file(&a, &content, &arena);
        written = print_flush(c, &out);
    } else {
        complain(&a, &error);
    }
    text_free(&out);
    mcpw_arena_free(&arena);
    mcpw_skills_client_free(client);
    return !written ? TOOL_FAILED : status == MCPW_OK ? TOOL_OK : TOOL_INVALID;
}
