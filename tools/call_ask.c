/* SPDX-License-Identifier: MIT */
/* Answers the server's requests, and shows its notifications. */
#define _XOPEN_SOURCE 700

#include "call.h"

#include "terminal.h"
#include "tool.h"

#include <mcpw/codec.h>
#include <mcpw/detail/catalogue.h>
#include <mcpw/session.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is(mcpw_str a, const char *b) { return mcpw_str_is(a, b); }

/* Prints text from the server on standard error, which may be a terminal. */
static void print(const char *before, mcpw_str words, const char *after) {
    text t = TEXT_INIT;
    text_add(&t, before);
    if (words.ptr != NULL) {
        text_safe_lines(&t, words.ptr, words.len);
    }
    text_add(&t, after);
    text_write_stderr(&t);
    text_free(&t);
}

/* ---- roots ---- */

static void put_uri(text *out, const char *path) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    text_add(out, "file://");
    for (const char *p = path; *p != '\0'; p++) {
        if (strchr(plain, *p) != NULL) {
            text_bytes(out, p, 1);
        } else {
            text_format(out, "%%%02X", (unsigned char)*p);
        }
    }
}

static mcpw_status answer_roots(const caller *c, mcpw_request *request) {
    text out = TEXT_INIT;
    text uri = TEXT_INIT;
    text_add(&out, "{\"roots\":[");
    for (size_t i = 0; i < c->root_count; i++) {
        const char *const slash = strrchr(c->roots[i], '/');
        const char *const name = slash != NULL && slash[1] != '\0' ? slash + 1 : c->roots[i];
        text_clear(&uri);
        put_uri(&uri, c->roots[i]);
        text_add(&out, i != 0 ? ",{\"uri\":" : "{\"uri\":");
        text_json(&out, uri.buffer.data, uri.buffer.len);
        text_add(&out, ",\"name\":");
        text_json(&out, name, strlen(name));
        text_add(&out, "}");
    }
    text_add(&out, "]}");
    const mcpw_json result = mcpw_json_of(out.buffer.data, out.buffer.len);
    const mcpw_status status =
        out.lost || uri.lost ? MCPW_E_MEMORY : mcpw_respond_json(request, result, NULL);
    text_free(&uri);
    text_free(&out);
    return status;
}

/* ---- Input requests ---- */

/* Reads a line from the terminal, without its end. False: the input has ended. */
static bool read_answer(const caller *c, text *line) {
    terminal_line read = TERMINAL_MORE;
    text_clear(line);
    (void)fflush(stderr);
    while (read == TERMINAL_MORE && link_wait_for_input(&c->link, TERMINAL_INPUT)) {
        read = terminal_read(line);
    }
    return read == TERMINAL_WHOLE;
}

/* Prints "days: How many (integer, 3): " */
static void ask_field(schema *form, mcpw_json field, mcpw_str name, bool required) {
    text t = TEXT_INIT;
    const mcpw_json fallback = glance_member(field, "default");
    const mcpw_str about = glance_string(field, "description", form->arena);
    const mcpw_str title = glance_string(field, "title", form->arena);
    print("", name, "");
    print(about.ptr != NULL || title.ptr != NULL ? ": " : "", about.ptr != NULL ? about : title, " (");
    schema_describe(&t, form, field);
    const mcpw_str type = {t.buffer.data, t.buffer.len};
    const mcpw_str given = {fallback.ptr, fallback.len};
    print("", type, "");
    print(given.ptr != NULL ? ", if empty " : "", given,
          required || given.ptr != NULL ? "): " : ", may be empty): ");
    text_free(&t);
}

/* Appends the value of a field from the typed word. False: the word does not fit. */
static bool put_field(text *content, schema *form, mcpw_json key, mcpw_json field, mcpw_str word) {
    const mcpw_json fallback = glance_member(field, "default");
    text value = TEXT_INIT;
    bool good = word.len != 0 && schema_value(&value, form, field, word);
    if (word.len == 0 && fallback.ptr != NULL) {
        text_bytes(&value, fallback.ptr, fallback.len);
        good = true;
    }
    if (good) {
        text_add(content, content->buffer.len != 0 ? "," : "");
        text_bytes(content, key.ptr, key.len);
        text_add(content, ":");
        text_bytes(content, value.buffer.data, value.buffer.len);
    }
    text_free(&value);
    return good;
}

/* Reads the value of a field and appends it with its key; an empty optional field is left out. False: the
 * input has ended. */
static bool read_field(const caller *c, text *content, schema *form, mcpw_json key, mcpw_json field) {
    mcpw_str name = {NULL, 0};
    text line = TEXT_INIT;
    bool answered = false;
    bool more = mcpw_json_string(key, form->arena, &name) == MCPW_OK;
    const bool required = more && schema_requires(form, name);
    while (more && !answered) {
        ask_field(form, field, name, required);
        more = read_answer(c, &line);
        const mcpw_str word = {line.buffer.data != NULL ? line.buffer.data : "", line.buffer.len};
        answered = more && (put_field(content, form, key, field, word) || (word.len == 0 && !required));
    }
    text_free(&line);
    return more;
}

/* Reads every field of a form. False: the input has ended. */
static bool read_form(const caller *c, text *content, mcpw_json wanted, mcpw_arena *arena) {
    mcpw_json_iter it;
    mcpw_json key = {NULL, 0, 0};
    mcpw_json field = {NULL, 0, 0};
    bool more = true;
    schema form;
    schema_begin(&form, wanted, arena);
    if (mcpw_json_iterate(glance_member(wanted, "properties"), &it) == MCPW_OK) {
        while (more && mcpw_json_next(&it, &key, &field)) {
            more = read_field(c, content, &form, key, field);
        }
    }
    schema_free(&form);
    return more;
}

/* Asks the user at the terminal: returns the action, and appends the content of a form. */
static const char *ask(const caller *c, text *content, mcpw_json params, mcpw_arena *arena) {
    const char *action = "cancel";
    text line = TEXT_INIT;
    print("The server asks: ", glance_string(params, "message", arena), "\nAnswer it? [Y/n] ");
    if (read_answer(c, &line)) {
        const char first = line.buffer.len != 0 ? line.buffer.data[0] : 'y';
        if (first == 'n' || first == 'N') {
            action = "decline";
        } else if (read_form(c, content, glance_member(params, "requestedSchema"), arena)) {
            action = "accept";
        }
    }
    text_free(&line);
    return action;
}

/* Asks once, and replies. MCPW_PENDING: the content does not fit the form, and the error was printed. */
static mcpw_status try_input_request(const caller *c, mcpw_request *request, mcpw_json params) {
    mcpw_arena *const arena = mcpw_request_arena(request);
    mcpw_error error = {0};
    text content = TEXT_INIT;
    text out = TEXT_INIT;
    const char *action = "decline";
    if (c->asks && !is(glance_string(params, "mode", arena), "url")) {
        action = ask(c, &content, params, arena);
    }
    text_format(&out, "{\"action\":\"%s\"", action);
    if (strcmp(action, "accept") == 0) {
        text_add(&out, ",\"content\":{");
        text_bytes(&out, content.buffer.data, content.buffer.len);
        text_add(&out, "}");
    }
    text_add(&out, "}");
    const mcpw_json result = mcpw_json_of(out.buffer.data, out.buffer.len);
    mcpw_status status =
        out.lost || content.lost ? MCPW_E_MEMORY : mcpw_respond_json(request, result, &error);
    if (status != MCPW_OK && error.path[0] != '\0' && strcmp(action, "accept") == 0) {
        tool_complain("%s: %s", error.path, error.message);
        status = MCPW_PENDING;
    }
    text_free(&content);
    text_free(&out);
    return status;
}

static mcpw_status answer_input_request(const caller *c, mcpw_request *request, mcpw_json params) {
    mcpw_status status = MCPW_PENDING;
    while (status == MCPW_PENDING) { /* at the end of the input the input request is cancelled */
        status = try_input_request(c, request, params);
    }
    return status;
}

/* ---- Notifications ---- */

static void show_log(mcpw_json params, mcpw_arena *arena) {
    const mcpw_json data = glance_member(params, "data");
    const mcpw_str logger = glance_string(params, "logger", arena);
    const mcpw_str words = glance_string(params, "data", arena);
    const mcpw_str raw = {data.ptr, data.len};
    print("log: ", glance_string(params, "level", arena), ": ");
    print("", logger, logger.ptr != NULL ? ": " : "");
    print("", words.ptr != NULL ? words : raw, "\n");
}

void caller_on_progress(void *user, mcpw_session *session, const mcpw_progress *progress) {
    char total[32] = "";
    (void)user;
    (void)session;
    if (progress->total.set) {
        (void)snprintf(total, sizeof total, " of %g", progress->total.value);
    }
    fprintf(stderr, "progress: %g%s", progress->progress, total);
    print(progress->message.ptr != NULL ? ": " : "", progress->message, "\n");
}

/* ---- Handlers ---- */

static bool has(const void *handlers, int method) {
    const caller *const c = handlers;
    const mcpw_str name = mcpw_method_name(tool_default_revision(), method);
    return is(name, "elicitation/create") || (is(name, "roots/list") && c->root_count != 0) ||
           (is(name, "notifications/message") && c->log);
}

/* The JSON text of params, in the arena; absent: no memory. */
static mcpw_json text_of(int method, const void *params, mcpw_arena *arena) {
    const mcpw_method *const entry = mcpw_method_entry(tool_default_revision(), method);
    mcpw_buffer buffer = MCPW_BUFFER_INIT;
    mcpw_json out = {NULL, 0, 0};
    if (params != NULL && mcpw_method_params(entry) != NULL &&
        mcpw_encode(mcpw_method_params(entry), params, &buffer, NULL, NULL) == MCPW_OK) {
        const mcpw_str copy = mcpw_arena_str(arena, buffer.data, buffer.len);
        out.ptr = copy.ptr;
        out.len = copy.len;
    }
    mcpw_buffer_free(&buffer);
    return out;
}

static mcpw_status on_request(const void *handlers, int method, mcpw_request *request, const void *params,
                              void *user) {
    const caller *const c = handlers;
    (void)user;
    if (is(mcpw_request_method(request), "roots/list")) {
        return answer_roots(c, request);
    }
    return answer_input_request(c, request, text_of(method, params, mcpw_request_arena(request)));
}

static void on_notification(const void *handlers, int method, mcpw_session *session, const void *params,
                            void *user) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    (void)handlers;
    (void)session;
    (void)user;
    show_log(text_of(method, params, &arena), &arena);
    mcpw_arena_free(&arena);
}

const mcpw_dispatch *caller_dispatch(mcpw_dispatch *dispatch) {
    *dispatch = (mcpw_dispatch){
        .revision = tool_default_revision(),
        .role = MCPW_ROLE_CLIENT,
        .has = has,
        .request = on_request,
        .notification = on_notification,
    };
    return dispatch;
}
