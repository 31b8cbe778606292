/* SPDX-License-Identifier: MIT */
/* Error responses, and the errors that the program receives for them. */
#include <mcpw/detail/challenge.h>
#include <mcpw/detail/session.h>
#include <mcpw/error.h>

#include "client.h"

#include "../core/fields.h"

enum {
    MOST_DESCRIPTION = 64, /* bytes of the server's text in a message, including the NUL */
    MOST_SCOPE = 40,
    MOST_URL = 100,
    MOST_BODY = 100
};

/* ---- WWW-Authenticate ---------------------------------------------------------------------------------- */

/* Takes a token off the text; empty: there is none. */
static mcpw_str take_token(mcpw_str *text) {
    mcpw_str token = {text->ptr, 0};
    while (token.len < text->len && mcpw_header_is_token((mcpw_str){text->ptr + token.len, 1})) {
        token.len++;
    }
    text->ptr += token.len;
    text->len -= token.len;
    return token;
}

static void skip(mcpw_str *text, const char *marks) {
    while (text->len != 0 && text->ptr[0] != '\0' && strchr(marks, text->ptr[0]) != NULL) {
        text->ptr++;
        text->len--;
    }
}

/* Takes a quoted string off the text, without its quotes and escapes. Absent: no memory. */
static mcpw_str take_quoted(mcpw_str *text, mcpw_arena *arena) {
    size_t end = 1;
    while (end < text->len && text->ptr[end] != '"') {
        end += text->ptr[end] == '\\' && end + 1 < text->len ? 2 : 1;
    }
    char *const out = mcpw_arena_alloc(arena, end);
    size_t len = 0;
    for (size_t at = 1; out != NULL && at < end; at++) {
        at += text->ptr[at] == '\\' && at + 1 < end ? 1 : 0;
        out[len++] = text->ptr[at];
    }
    end += end < text->len ? 1 : 0;
    text->ptr += end;
    text->len -= end;
    return (mcpw_str){out, len};
}

static mcpw_status take_value(mcpw_str *text, mcpw_arena *arena, mcpw_str *value) {
    if (text->len != 0 && text->ptr[0] == '"') {
        *value = take_quoted(text, arena);
        return value->ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
    }
    *value = take_token(text);
    return MCPW_OK;
}

static void put_parameter(mcpw_http_challenge *challenge, mcpw_str name, mcpw_str value) {
    const struct {
        mcpw_str name;
        mcpw_str *to;
    } parameters[] = {{MCPW_STR_VALUE("realm"), &challenge->realm},
                      {MCPW_STR_VALUE("error"), &challenge->error},
                      {MCPW_STR_VALUE("error_description"), &challenge->error_description},
                      {MCPW_STR_VALUE("resource_metadata"), &challenge->resource_metadata},
                      {MCPW_STR_VALUE("scope"), &challenge->scope}};
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        if (mcpw_header_is(name, parameters[i].name) && parameters[i].to->ptr == NULL) {
            *parameters[i].to = value;
        }
    }
}

/* Skips what a scheme may have in place of parameters, such as "YII/8==". A comma or the end follows it. (RFC
 * 9110, section 11.2, token68.) */
static void skip_token68(mcpw_str *text) {
    mcpw_str rest = *text;
    skip(&rest, " \t");
    while (rest.len != 0 && (rest.ptr[0] == '/' || mcpw_header_is_token((mcpw_str){rest.ptr, 1}))) {
        rest.ptr++;
        rest.len--;
    }
    skip(&rest, "=");
    skip(&rest, " \t");
    if (rest.len == 0 || rest.ptr[0] == ',') {
        *text = rest;
    }
}

/* Takes one challenge off the text: its scheme and the parameters up to the next scheme. Other text is
 * skipped. MCPW_E_NOT_FOUND: there is none. */
static mcpw_status take_challenge(mcpw_str *text, mcpw_arena *arena, mcpw_http_challenge *out) {
    *out = (mcpw_http_challenge){.scheme = {NULL, 0}};
    skip(text, " \t,");
    const mcpw_str scheme = take_token(text);
    if (scheme.len == 0) {
        return MCPW_E_NOT_FOUND;
    }
    out->scheme = scheme;
    skip_token68(text);
    for (;;) {
        skip(text, " \t,");
        mcpw_str rest = *text;
        mcpw_str value = {NULL, 0};
        const mcpw_str name = take_token(&rest);
        skip(&rest, " \t");
        if (name.len == 0 || rest.len == 0 || rest.ptr[0] != '=') {
            return MCPW_OK; /* another scheme, or the end */
        }
        rest.ptr++;
        rest.len--;
        skip(&rest, " \t");
        const mcpw_status status = take_value(&rest, arena, &value);
        if (status != MCPW_OK) {
            return status;
        }
        put_parameter(out, name, value);
        *text = rest;
    }
}

mcpw_status mcpw_http_challenge_find(mcpw_str value, mcpw_str scheme, mcpw_arena *arena,
                                     mcpw_http_challenge *challenge) {
    mcpw_str rest = value;
    mcpw_status status = value.len <= MCPW_MAX_CHALLENGE ? MCPW_OK : MCPW_E_SIZE;
    *challenge = (mcpw_http_challenge){.scheme = {NULL, 0}};
    while (status == MCPW_OK && !mcpw_header_is(challenge->scheme, scheme)) {
        status = take_challenge(&rest, arena, challenge);
    }
    if (status != MCPW_OK) {
        *challenge = (mcpw_http_challenge){.scheme = {NULL, 0}};
    }
    return status;
}

mcpw_status mcpw_http_challenge_read(mcpw_str value, mcpw_arena *arena, mcpw_http_challenge *challenge) {
    mcpw_str rest = value;
    const mcpw_status status = mcpw_http_challenge_find(value, MCPW_STR_VALUE("Bearer"), arena, challenge);
    return status == MCPW_E_NOT_FOUND ? take_challenge(&rest, arena, challenge) : status;
}

/* ---- Reports ------------------------------------------------------------------------------------------- */

mcpw_json mcpw_http_calls_error_in(const mcpw_http_call *call) {
    mcpw_message_envelope e;
    const bool is_read =
        mcpw_envelope_read(&e, (mcpw_json){call->reply.data, call->reply.len, 0}, 0, NULL) == MCPW_OK;
    const bool has_error = is_read && mcpw_json_kind_of(e.at[MCPW_AT_ERROR]) == MCPW_JSON_OBJECT;
    return has_error ? e.at[MCPW_AT_ERROR] : (mcpw_json){NULL, 0, 0};
}

static mcpw_str text_of(const mcpw_buffer *buffer) {
    return buffer->len != 0 ? (mcpw_str){buffer->data, buffer->len} : (mcpw_str){NULL, 0};
}

/* The challenge of the response; members that the response lacks are absent. It lives until the head of the
 * request is written again. */
static mcpw_http_challenge challenge_of(mcpw_http_call *call) {
    mcpw_http_challenge challenge = {.scheme = {NULL, 0}};
    const bool is_asked = call->status == MCPW_HTTP_UNAUTHORIZED || call->status == MCPW_HTTP_FORBIDDEN;
    if (!is_asked ||
        mcpw_http_challenge_read(text_of(&call->challenge), &call->head, &challenge) != MCPW_OK) {
        challenge = (mcpw_http_challenge){.scheme = {NULL, 0}};
    }
    return challenge;
}

void mcpw_http_calls_fail_call(mcpw_http_call *call, const mcpw_error *why) {
    mcpw_http_client *const client = call->client;
    const mcpw_id id = {MCPW_ID_INTEGER, {.integer = call->request}};
    if (call->request != 0) {
        const mcpw_http_failure failure = {.error = why,
                                           .http_status = call->status,
                                           .method = call->method,
                                           .has_token = call->has_token,
                                           .challenge = challenge_of(call),
                                           .location = text_of(&call->location),
                                           .body = text_of(&call->reply)};
        if (client->config.on_failure != NULL) {
            client->config.on_failure(client->config.user, &failure);
        }
        (void)!mcpw_session_fail(client->config.session, &id, why); /* the request may have timed out */
    } else {
        mcpw_http_calls_warn(client, why->message, (mcpw_str){NULL, 0});
    }
    mcpw_http_calls_free_call(call);
}

void mcpw_http_calls_refuse(mcpw_http_call *call, mcpw_status status, const char *words, mcpw_str more) {
    char message[MCPW_CLIENT_WORDS];
    mcpw_error error = {.code = status};
    mcpw_client_put_words(message, sizeof message, words, more);
    mcpw_error_set(&error, status, 0, "%s", message);
    mcpw_http_calls_fail_call(call, &error);
}

bool mcpw_http_calls_is_unauthorized(const mcpw_http_call *call) {
    return call->status == MCPW_HTTP_UNAUTHORIZED ||
           (call->status == MCPW_HTTP_FORBIDDEN && call->challenge.len != 0);
}

/* Makes a text from the server printable; empty: there is none. */
static const char *printable(char *out, size_t size, mcpw_str text) {
    (void)mcpw_put_printable(out, size, text.ptr != NULL ? text.ptr : "", text.len);
    return out;
}

/* The server's explanation: its description, else the message of its error, else the code, else its body. */
static mcpw_str words_of(mcpw_http_call *call, const mcpw_http_challenge *challenge) {
    const mcpw_json error = mcpw_http_calls_error_in(call);
    mcpw_str words = challenge->error_description;
    if (words.len == 0 &&
        (error.ptr == NULL || mcpw_json_get_string(error, "message", &call->head, &words) != MCPW_OK)) {
        words = challenge->error;
    }
    return words.len != 0 ? words : text_of(&call->reply);
}

/* The error's message has limited room, so the most helpful part comes first. on_failure receives all of it.
 */
static void refuse_unauthorized(mcpw_http_call *call) {
    const mcpw_http_challenge challenge = challenge_of(call);
    char url[MOST_URL];
    char scope[MOST_SCOPE];
    char words[MOST_DESCRIPTION];
    mcpw_error error = {.code = MCPW_E_UNAUTHORIZED};
    (void)printable(url, sizeof url, challenge.resource_metadata);
    (void)printable(scope, sizeof scope, challenge.scope);
    (void)printable(words, sizeof words, words_of(call, &challenge));
    mcpw_error_set(&error, MCPW_E_UNAUTHORIZED, 0, "HTTP status %ld: %s%s%s%s%s%s%s", (long)call->status,
                   !call->has_token                         ? "no token was given (option \"token\")"
                   : call->status == MCPW_HTTP_UNAUTHORIZED ? "the token was refused"
                                                            : "the token is not sufficient",
                   words[0] != '\0' ? ": " : "", words, scope[0] != '\0' ? "; scope " : "", scope,
                   url[0] != '\0' ? "; see " : "", url);
    mcpw_http_calls_fail_call(call, &error);
}

/* The meaning of a status beyond its number; empty: none. */
static const char *meaning_of(const mcpw_http_call *call) {
    const bool is_nowhere =
        call->status == MCPW_HTTP_NOT_FOUND || call->status == MCPW_HTTP_METHOD_NOT_ALLOWED;
    return is_nowhere && mcpw_str_is(call->method, "initialize")
               ? ": no Streamable HTTP here; the older HTTP+SSE is not supported"
               : "";
}

void mcpw_http_calls_refuse_status(mcpw_http_call *call) {
    enum { REDIRECTS = 300, ERRORS = 400 };
    char words[MOST_BODY];
    mcpw_error error = {.code = MCPW_E_HTTP};
    if (mcpw_http_calls_is_unauthorized(call)) {
        refuse_unauthorized(call);
        return;
    }
    if (call->status >= REDIRECTS && call->status < ERRORS && call->location.len != 0) {
        mcpw_error_set(&error, MCPW_E_HTTP, 0,
                       "the server answered by HTTP status %ld: a redirect to %s, which is not followed",
                       (long)call->status, printable(words, sizeof words, text_of(&call->location)));
    } else {
        mcpw_error_set(&error, MCPW_E_HTTP, 0, "the server answered by HTTP status %ld%s%s%s",
                       (long)call->status, meaning_of(call), call->reply.len != 0 ? ": " : "",
                       printable(words, sizeof words, text_of(&call->reply)));
    }
    mcpw_http_calls_fail_call(call, &error);
}
