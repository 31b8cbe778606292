/* SPDX-License-Identifier: MIT */
/*
 * requestState: what a server keeps in its client's hands. It is JSON, {"m": method, "n": the tool, prompt or
 * resource it was made for, "e": time at which it ends, "c": content}, behind its HMAC-SHA-256, both in
 * base64url. The client can read it, and neither change it nor use it elsewhere.
 */
#include "session_internal.h"

#if defined(MCPW_HAVE_SODIUM)

#include <sodium.h>

enum { KEY_SIZE = 32, VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

static mcpw_status key_of(mcpw_session *session) {
    if (session->state_key.ptr != NULL) {
        return MCPW_OK;
    }
    char *const key = mcpw_arena_alloc(&session->memory, KEY_SIZE);
    if (key == NULL || sodium_init() < 0) {
        return MCPW_E_MEMORY;
    }
    randombytes_buf(key, KEY_SIZE);
    session->state_key.ptr = key;
    session->state_key.len = KEY_SIZE;
    return MCPW_OK;
}

static void sign(const mcpw_session *session, mcpw_json text,
                 unsigned char mac[crypto_auth_hmacsha256_BYTES]) {
    crypto_auth_hmacsha256_state state;
    (void)crypto_auth_hmacsha256_init(&state, (const unsigned char *)session->state_key.ptr,
                                      session->state_key.len);
    (void)crypto_auth_hmacsha256_update(&state, (const unsigned char *)text.ptr, text.len);
    (void)crypto_auth_hmacsha256_final(&state, mac);
}

/* What the request is about, in whichever member says it. */
static mcpw_str subject_of(const mcpw_request *r) {
    const mcpw_field params = mcpw_field_of(r->message.type, r->message.value);
    const mcpw_str name = mcpw_field_str(mcpw_field_get(params, "name"));
    return name.ptr != NULL ? name : mcpw_field_str(mcpw_field_get(params, "uri"));
}

/* When a state that is made now is good no more. */
static int64_t end_of(const mcpw_session *session) {
    const uint64_t ttl = session->config.input_ttl;
    return session->now < INT64_MAX && ttl < INT64_MAX - session->now ? (int64_t)(session->now + ttl)
                                                                      : INT64_MAX;
}

mcpw_status mcpw_state_seal(mcpw_request *request, mcpw_json content, mcpw_str *out, mcpw_error *error) {
    mcpw_session *const session = request->session;
    mcpw_arena *const arena = &request->arena;
    mcpw_text text = mcpw_session_text(session);
    mcpw_json json;
    mcpw_status status = key_of(session);
    mcpw_text_put(&text, "{\"m\":");
    mcpw_text_string(&text, mcpw_request_method(request));
    mcpw_text_key(&text, "n");
    mcpw_text_string(&text, subject_of(request));
    mcpw_text_key(&text, "e");
    mcpw_text_int(&text, end_of(session));
    mcpw_text_key(&text, "c");
    mcpw_text_json(&text, content);
    mcpw_text_put(&text, "}");
    if (status == MCPW_OK) {
        status = mcpw_text_finish(&text, arena, &json);
    }
    mcpw_text_free(&text);
    if (status == MCPW_OK) {
        const size_t bytes = crypto_auth_hmacsha256_BYTES + json.len;
        const size_t room = sodium_base64_encoded_len(bytes, VARIANT);
        unsigned char *const all = mcpw_arena_alloc(arena, bytes);
        char *const encoded = mcpw_arena_alloc(arena, room);
        status = all != NULL && encoded != NULL ? MCPW_OK : MCPW_E_MEMORY;
        if (status == MCPW_OK) {
            sign(session, json, all);
            memcpy(all + crypto_auth_hmacsha256_BYTES, json.ptr, json.len);
            out->ptr = sodium_bin2base64(encoded, room, all, bytes, VARIANT);
            out->len = room - 1;
        }
    }
    if (status != MCPW_OK) {
        mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
    }
    return status;
}

static mcpw_status refuse(mcpw_error *error, const char *why) {
    mcpw_error_set(error, MCPW_E_VALUE, 0, "%s", why);
    return MCPW_E_VALUE;
}

/* Whether a member of the state says the same as the request; an absent text counts as empty. */
static bool agrees(mcpw_json text, const char *name, mcpw_str with, mcpw_arena *arena) {
    mcpw_str made_for;
    return mcpw_json_get_string(text, name, arena, &made_for) == MCPW_OK && made_for.len == with.len &&
           (with.len == 0 || memcmp(made_for.ptr, with.ptr, with.len) == 0);
}

mcpw_status mcpw_state_open(mcpw_request *request, mcpw_str sealed, mcpw_json *content, mcpw_error *error) {
    mcpw_session *const session = request->session;
    mcpw_arena *const arena = &request->arena;
    unsigned char mac[crypto_auth_hmacsha256_BYTES];
    unsigned char *const all = mcpw_arena_alloc(arena, sealed.len + 1);
    size_t bytes = 0;
    int64_t end = 0;
    if (all == NULL || key_of(session) != MCPW_OK) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return MCPW_E_MEMORY;
    }
    if (sodium_base642bin(all, sealed.len + 1, sealed.ptr, sealed.len, NULL, &bytes, NULL, VARIANT) != 0 ||
        bytes <= crypto_auth_hmacsha256_BYTES) {
        return refuse(error, "not a state of this server");
    }
    const mcpw_json text = {(const char *)all + crypto_auth_hmacsha256_BYTES,
                            bytes - crypto_auth_hmacsha256_BYTES};
    sign(session, text, mac);
    if (sodium_memcmp(mac, all, sizeof mac) != 0) {
        return refuse(error, "not a state of this server, or changed");
    }
    if (!agrees(text, "m", mcpw_request_method(request), arena) ||
        !agrees(text, "n", subject_of(request), arena)) {
        return refuse(error, "the state belongs to another request");
    }
    if (mcpw_json_get_int(text, "e", &end) != MCPW_OK || (uint64_t)end < session->now) {
        return refuse(error, "the state has expired");
    }
    return mcpw_json_get(text, "c", content);
}

#else

static mcpw_status lacking(mcpw_error *error) {
    mcpw_error_set(error, MCPW_E_STATE, 0,
                   "this library was built without libsodium, which signs requestState");
    return MCPW_E_STATE;
}

mcpw_status mcpw_state_seal(mcpw_request *request, mcpw_json content, mcpw_str *out, mcpw_error *error) {
    (void)request, (void)content, (void)out;
    return lacking(error);
}

mcpw_status mcpw_state_open(mcpw_request *request, mcpw_str sealed, mcpw_json *content, mcpw_error *error) {
    (void)request, (void)sealed, (void)content;
    return lacking(error);
}

#endif
