/* SPDX-License-Identifier: MIT */
/*
 * Input requests as JSON and texts: <mcpw/ask.h>. Their params are written in the newest revision that has
 * the method, so that mcpw_request_ask projects them, and their answers, as it does for typed handlers.
 */
#include <mcpw/ask.h>
#include <mcpw/detail/catalogue.h>
#include <stddef.h>

#include "../core/registry.h"
#include "../requests/running.h"
#include "../support/wire_names.h"
#include "ask.h"
#include "state.h"

enum { DEFAULT_TOKENS = 1000 };

static const char elicit_method[] = "elicitation/create";
static const char sample_method[] = "sampling/createMessage";
static const char content_name[] = "content";

/* An input request, and the function that was called for it. It lies on the caller's stack. */
typedef struct asking {
    mcpw_request *request;
    const char *function;
    const char *key;
    const char *method;
    /* Writes the params; NULL: they are given in json. */
    mcpw_status (*write)(const struct asking *asking, mcpw_text *text);
    /* Takes the parts of the answer out of its result. */
    mcpw_status (*take)(struct asking *asking);
    const mcpw_revision *revision; /* that the params are written in */
    int number;                    /* of the method there */
    const char *message;
    const char *url;
    mcpw_str prompt;
    mcpw_json json; /* the form, or the params */
    mcpw_ask_text_options options;
    mcpw_ask_answer answer;
    mcpw_status status;
} asking;

/* ---- Params -------------------------------------------------------------------------------------------- */

static mcpw_status write_form(const asking *a, mcpw_text *text) {
    mcpw_text_member(text, "message", mcpw_str_from(a->message));
    mcpw_text_member_json(text, "requestedSchema", a->json);
    return MCPW_OK;
}

/* The handle of the input request is made here where the revision has one: a projection makes it where only
 * the client's has one. */
static mcpw_status write_url(const asking *a, mcpw_text *text) {
    static const char complete[] = "notifications/elicitation/complete";
    mcpw_str id;
    mcpw_text_member(text, "mode", mcpw_str_from("url"));
    mcpw_text_member(text, "message", mcpw_str_from(a->message));
    mcpw_text_member(text, "url", mcpw_str_from(a->url));
    if (mcpw_method_number(a->revision, complete, sizeof complete - 1) == 0) {
        return MCPW_OK;
    }
    const mcpw_status status = mcpw_elicitation_id(a->request->session, &a->request->arena, &id);
    if (status == MCPW_OK) {
        mcpw_text_member(text, MCPW_NAME_ELICITATION_ID, id);
    }
    return status;
}

static mcpw_status write_prompt(const asking *a, mcpw_text *text) {
    const int64_t tokens = a->options.max_tokens != 0 ? a->options.max_tokens : DEFAULT_TOKENS;
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json value;
    mcpw_text_key(text, "messages");
    mcpw_text_array(text);
    mcpw_text_object(text);
    mcpw_text_member(text, "role", mcpw_str_from("user"));
    mcpw_text_key(text, content_name);
    mcpw_text_object(text);
    mcpw_text_member(text, "type", mcpw_str_from("text"));
    mcpw_text_member(text, "text", a->prompt);
    mcpw_text_object_end(text);
    mcpw_text_object_end(text);
    mcpw_text_array_end(text);
    mcpw_text_key(text, "maxTokens");
    mcpw_text_int(text, tokens);
    if (a->options.system_prompt != NULL) {
        mcpw_text_member(text, "systemPrompt", mcpw_str_from(a->options.system_prompt));
    }
    if (a->options.more.ptr == NULL) {
        return MCPW_OK;
    }
    const mcpw_status status = mcpw_json_check(a->options.more, 0, NULL);
    if (status != MCPW_OK || mcpw_json_iterate(a->options.more, &it) != MCPW_OK ||
        it.kind != MCPW_JSON_OBJECT) {
        return status != MCPW_OK ? status : MCPW_E_TYPE;
    }
    while (mcpw_json_next(&it, &key, &value)) {
        mcpw_text_member_copy(text, key, value);
    }
    return MCPW_OK;
}

/* Puts the params into the request's memory, as text. */
static mcpw_status make_text(asking *a, mcpw_json *out) {
    mcpw_text text = mcpw_session_text(a->request->session);
    mcpw_text_object(&text);
    const mcpw_status status = a->write(a, &text);
    mcpw_text_object_end(&text);
    if (status != MCPW_OK) {
        mcpw_text_free(&text);
        return status;
    }
    return mcpw_text_finish(&text, &a->request->arena, out);
}

/* Makes the struct of the params; NULL: the method is asked without. */
static mcpw_status make_params(asking *a, const void **out) {
    mcpw_arena *const arena = &a->request->arena;
    const mcpw_type *const type = mcpw_method_params(mcpw_method_entry(a->revision, a->number));
    mcpw_json text = a->json;
    *out = NULL;
    mcpw_status status = a->write != NULL ? make_text(a, &text) : MCPW_OK;
    if (status != MCPW_OK || text.ptr == NULL || type == NULL) {
        return status;
    }
    void *const value = mcpw_arena_alloc(arena, mcpw_type_size(type));
    if (value == NULL) {
        return MCPW_E_MEMORY;
    }
    status = mcpw_decode(type, text.ptr, text.len, arena, value, NULL, &a->answer.error);
    *out = value;
    return status;
}

/* ---- Answers ------------------------------------------------------------------------------------------- */

static mcpw_status take_action(asking *a) {
    static const char *const names[] = {
        [MCPW_ASK_ACCEPT] = "accept", [MCPW_ASK_DECLINE] = "decline", [MCPW_ASK_CANCEL] = "cancel"};
    static const mcpw_json empty = MCPW_JSON("{}");
    mcpw_str action;
    const mcpw_status status = mcpw_json_get_string(a->answer.result, "action", &a->request->arena, &action);
    if (status != MCPW_OK) {
        return status;
    }
    for (int i = MCPW_ASK_ACCEPT; i <= MCPW_ASK_CANCEL; i++) {
        if (mcpw_str_is(action, names[i])) {
            a->answer.action = (mcpw_ask_action)i;
        }
    }
    if (a->answer.action == MCPW_ASK_ACCEPT && a->url == NULL &&
        mcpw_json_get(a->answer.result, content_name, &a->answer.content) != MCPW_OK) {
        a->answer.content = empty; /* nothing is as good as an empty form */
    }
    return MCPW_OK;
}

/* The text of a content block; MCPW_E_NOT_FOUND where it is another kind of block. */
static mcpw_status text_of(mcpw_json block, mcpw_arena *arena, mcpw_str *out) {
    mcpw_str type;
    const mcpw_status status = mcpw_json_get_string(block, "type", arena, &type);
    if (status != MCPW_OK || !mcpw_str_is(type, "text")) {
        return status == MCPW_OK ? MCPW_E_NOT_FOUND : status;
    }
    return mcpw_json_get_string(block, "text", arena, out);
}

/* Joins the texts of several blocks. */
static mcpw_status join_texts(mcpw_json blocks, mcpw_arena *arena, mcpw_str *out) {
    mcpw_buffer joined = mcpw_buffer_in(arena);
    mcpw_json_iter it;
    mcpw_json block;
    mcpw_str text;
    mcpw_status status = mcpw_json_iterate(blocks, &it);
    bool any = false;
    while (status == MCPW_OK && mcpw_json_next(&it, NULL, &block)) {
        status = text_of(block, arena, &text);
        if (status == MCPW_OK) {
            any = true;
            status = mcpw_buffer_append(&joined, text.ptr, text.len);
        } else if (status == MCPW_E_NOT_FOUND) {
            status = MCPW_OK;
        }
    }
    if (status != MCPW_OK || !any) {
        return status == MCPW_OK ? MCPW_E_NOT_FOUND : status;
    }
    *out = mcpw_arena_str(arena, joined.data, joined.len);
    return out->ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
}

static mcpw_status take_text(asking *a) {
    mcpw_arena *const arena = &a->request->arena;
    mcpw_json content;
    mcpw_status status = mcpw_json_get(a->answer.result, content_name, &content);
    if (status == MCPW_OK) {
        status = mcpw_json_kind_of(content) == MCPW_JSON_ARRAY ? join_texts(content, arena, &a->answer.text)
                                                               : text_of(content, arena, &a->answer.text);
    }
    if (status == MCPW_E_NOT_FOUND) {
        status = MCPW_E_TYPE;
        mcpw_error_set(&a->answer.error, status, 0, "the model did not write text");
        mcpw_error_prepend_key(&a->answer.error, content_name, sizeof content_name - 1);
    }
    return status;
}

static mcpw_status take_all(asking *a) {
    (void)a; /* the result is all that is wanted */
    return MCPW_OK;
}

/* ---- An input request
 * ---------------------------------------------------------------------------------------- */

/* Finds the newest revision that has the method. */
static bool find_revision(asking *a) {
    size_t count = 0;
    const mcpw_revision *const *const all =
        mcpw_library_revisions(a->request->session->config->library, &count);
    a->number = 0;
    while (count > 0 && a->number == 0) {
        a->revision = all[--count];
        a->number = mcpw_method_number(a->revision, a->method, strlen(a->method));
    }
    return a->number != 0;
}

static mcpw_status ask(asking *a) {
    mcpw_result result = {NULL, NULL};
    const void *params = NULL;
    mcpw_error *const error = &a->answer.error;
    mcpw_status status = mcpw_ask_is_allowed(a->request, a->key, error);
    if (status != MCPW_OK) {
        return status;
    }
    if (!find_revision(a)) {
        return mcpw_error_set(error, MCPW_E_CAPABILITY, 0, "no revision of this library has %s", a->method);
    }
    status = make_params(a, &params);
    if (status != MCPW_OK) { /* the input request is no good, which is this end's fault */
        mcpw_explain(error, status);
        return mcpw_request_unsendable(a->request, status, error);
    }
    status = mcpw_request_ask(a->request, a->key, a->revision, a->number, params, &result, error);
    if (status != MCPW_OK) {
        return status;
    }
    status = mcpw_field_text(mcpw_field_of(result.type, result.value), &a->request->arena, &a->answer.result);
    status = status == MCPW_OK ? a->take(a) : status;
    if (status != MCPW_OK) {
        mcpw_explain(error, status);
        mcpw_ask_refuse(a->request, a->key, error);
    }
    return status;
}

static void run(void *argument) {
    asking *const a = argument;
    a->status = ask(a);
}

static size_t bytes_of(const mcpw_ask_answer *answer) {
    return answer != NULL ? mcpw_sized_bytes(answer, sizeof *answer, MCPW_SIZED_FIRST(answer, error)) : 0;
}

static bool is_usable(const asking *a, const mcpw_ask_answer *answer) {
    return bytes_of(answer) >= offsetof(mcpw_ask_answer, content) && a->method != NULL &&
           a->request != NULL && a->key != NULL;
}

/* Asks on the session's thread, and gives the caller as much of the answer as it knows. */
static mcpw_status ask_at_home(asking *a, mcpw_ask_answer *answer) {
    const mcpw_ask_answer none = MCPW_ASK_ANSWER_INIT;
    if (!is_usable(a, answer)) {
        return MCPW_E_ARGUMENT;
    }
    const size_t size = bytes_of(answer);
    a->answer = none;
    const mcpw_status brought = mcpw_request_run_at_home(a->request, a->function, run, a);
    const mcpw_status status = brought == MCPW_OK ? a->status : brought;
    if (status != MCPW_OK && status != MCPW_PENDING) {
        mcpw_explain(&a->answer.error, status);
    }
    a->answer.struct_size = answer->struct_size;
    memcpy(answer, &a->answer, size);
    return status;
}

mcpw_status mcpw_ask_form(mcpw_request *request, const char *key, const char *message, mcpw_json schema,
                          mcpw_ask_answer *answer) {
    asking a = {.request = request,
                .function = "mcpw_ask_form",
                .key = key,
                .method = message != NULL && schema.ptr != NULL ? elicit_method : NULL,
                .write = write_form,
                .take = take_action,
                .message = message,
                .json = schema};
    return ask_at_home(&a, answer);
}

mcpw_status mcpw_ask_url(mcpw_request *request, const char *key, const char *message, const char *url,
                         mcpw_ask_answer *answer) {
    asking a = {.request = request,
                .function = "mcpw_ask_url",
                .key = key,
                .method = message != NULL && url != NULL ? elicit_method : NULL,
                .write = write_url,
                .take = take_action,
                .message = message,
                .url = url};
    return ask_at_home(&a, answer);
}

mcpw_status mcpw_ask_text(mcpw_request *request, const char *key, mcpw_str prompt,
                          const mcpw_ask_text_options *options, mcpw_ask_answer *answer) {
    asking a = {.request = request,
                .function = "mcpw_ask_text",
                .key = key,
                .method = prompt.ptr != NULL ? sample_method : NULL,
                .write = write_prompt,
                .take = take_text,
                .prompt = prompt,
                .options = MCPW_ASK_TEXT_OPTIONS_INIT};
    if (!MCPW_TAKE(&a.options, more, options)) {
        return MCPW_E_ARGUMENT;
    }
    return ask_at_home(&a, answer);
}

mcpw_status mcpw_ask_json(mcpw_request *request, const char *key, const char *method, mcpw_json params,
                          mcpw_ask_answer *answer) {
    asking a = {.request = request,
                .function = "mcpw_ask_json",
                .key = key,
                .method = method,
                .take = take_all,
                .json = params};
    return ask_at_home(&a, answer);
}
