/* SPDX-License-Identifier: MIT */
/*
 * requestState: the data that a server keeps in its client's hands. It is the HMAC-SHA-256 of a JSON object,
 * followed by that object, both in base64url. The client can read it. It can neither change it nor use it
 * elsewhere: for another method, other params or another user.
 */
#include "state.h"

#include "../core/digest.h"
#include "../support/print.h"
#include "../support/wire_names.h"
#include <mcpw/extension_kit.h>
#include <mcpw/system.h>

#if defined(MCPW_HAVE_SODIUM)

#include <sodium.h>

enum {
    VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING,
    FORM = 2,      /* version of the JSON; other ones are refused */
    ID_BYTES = 16, /* random bytes of a handle */
    ID_SIZE = 2 * ID_BYTES + 1
};

/* Members of a state. They are short, because they go to and fro with each round. */
static const char form_name[] = "v";
static const char binding_name[] = "b"; /* what it is bound to */
static const char end_name[] = "e";     /* the time at which it ends, in ms since 1970 */
static const char content_name[] = "c"; /* what it is for */

/* The key of the states of this session, and of those that share its endpoint. */
static mcpw_str key_of(const mcpw_session *session) { return session->config->state_key; }

static void begin_mac(const mcpw_session *session, crypto_auth_hmacsha256_state *state) {
    (void)crypto_auth_hmacsha256_init(state, (const unsigned char *)key_of(session).ptr, key_of(session).len);
}

static void sign(const mcpw_session *session, mcpw_json text,
                 unsigned char mac[crypto_auth_hmacsha256_BYTES]) {
    crypto_auth_hmacsha256_state state;
    begin_mac(session, &state);
    (void)crypto_auth_hmacsha256_update(&state, (const unsigned char *)text.ptr, text.len);
    (void)crypto_auth_hmacsha256_final(&state, mac);
}

/* Binds a state to what it is good for: the method, all of the params but what differs from round to round,
 * and on whose behalf it is asked. It is keyed, so that nobody can guess a principal by it. */
static mcpw_status bind(mcpw_request *r, mcpw_str *out) {
    static const char *const differing[] = {MCPW_NAME_META, MCPW_NAME_INPUT_RESPONSES,
                                            MCPW_NAME_REQUEST_STATE, NULL};
    const mcpw_str method = mcpw_request_method(r);
    unsigned char parts[1 + MCPW_DIGEST_SIZE + MCPW_DIGEST_SIZE] = {0};
    unsigned char mac[crypto_auth_hmacsha256_BYTES];
    crypto_auth_hmacsha256_state state;
    mcpw_json params = no_json;
    char *const text = mcpw_arena_alloc(&r->arena, sodium_base64_ENCODED_LEN(sizeof mac, VARIANT));
    mcpw_status status =
        mcpw_field_text(mcpw_field_of(r->message.type, r->message.value), &r->arena, &params);
    if (status == MCPW_OK) {
        status = mcpw_json_digest(params, differing, &r->arena, parts + 1);
    }
    if (status != MCPW_OK || text == NULL) {
        return MCPW_E_MEMORY;
    }
    parts[0] = r->origin.principal.ptr != NULL;
    (void)crypto_hash_sha256(parts + 1 + MCPW_DIGEST_SIZE, (const unsigned char *)r->origin.principal.ptr,
                             r->origin.principal.len);
    begin_mac(r->session, &state);
    (void)crypto_auth_hmacsha256_update(&state, parts, sizeof parts);
    (void)crypto_auth_hmacsha256_update(&state, (const unsigned char *)method.ptr, method.len);
    (void)crypto_auth_hmacsha256_final(&state, mac);
    out->len = sodium_base64_ENCODED_LEN(sizeof mac, VARIANT) - 1;
    out->ptr = sodium_bin2base64(text, out->len + 1, mac, sizeof mac, VARIANT);
    return MCPW_OK;
}

static int64_t now_of(const mcpw_session *session) {
    const uint64_t now = mcpw_session_time_of_day(session);
    return now < INT64_MAX ? (int64_t)now : INT64_MAX;
}

/* When a state that is made now ceases to be good. */
static int64_t end_of(const mcpw_request *r) {
    const int64_t now = now_of(r->session);
    const uint64_t age = r->input.patience != 0 ? r->input.patience : r->session->config->input_ttl_ms;
    return age < (uint64_t)(INT64_MAX - now) ? now + (int64_t)age : INT64_MAX;
}

mcpw_status mcpw_state_seal(mcpw_request *request, mcpw_json content, mcpw_str *out, mcpw_error *error) {
    mcpw_session *const session = request->session;
    mcpw_arena *const arena = &request->arena;
    mcpw_text text = mcpw_session_text(session);
    mcpw_json json;
    mcpw_str binding = no_str;
    mcpw_status status = key_of(session).ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
    status = status == MCPW_OK ? bind(request, &binding) : status;
    mcpw_text_object(&text);
    mcpw_text_key(&text, form_name);
    mcpw_text_int(&text, FORM);
    mcpw_text_member(&text, binding_name, binding);
    mcpw_text_key(&text, end_name);
    mcpw_text_int(&text, end_of(request));
    mcpw_text_member_json(&text, content_name, content);
    mcpw_text_object_end(&text);
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

static mcpw_status refuse_state(mcpw_error *error, const char *why) {
    return mcpw_error_set(error, MCPW_E_VALUE, 0, "%s", why);
}

/* Whether a state was made for what a request is bound to. */
static bool agrees(mcpw_json text, mcpw_str binding, mcpw_arena *arena) {
    mcpw_str made_for;
    return mcpw_json_get_string(text, binding_name, arena, &made_for) == MCPW_OK &&
           mcpw_str_equal(made_for, binding);
}

mcpw_status mcpw_state_open(mcpw_request *request, mcpw_str sealed, mcpw_json *content, mcpw_error *error) {
    mcpw_session *const session = request->session;
    mcpw_arena *const arena = &request->arena;
    unsigned char mac[crypto_auth_hmacsha256_BYTES];
    unsigned char *const all = mcpw_arena_alloc(arena, sealed.len + 1);
    size_t bytes = 0;
    int64_t form = 0;
    int64_t end = 0;
    mcpw_str binding = no_str;
    if (all == NULL || key_of(session).ptr == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    if (sodium_base642bin(all, sealed.len + 1, sealed.ptr, sealed.len, NULL, &bytes, NULL, VARIANT) != 0 ||
        bytes <= crypto_auth_hmacsha256_BYTES) {
        return refuse_state(error, "not a state of this server");
    }
    const mcpw_json text = {(const char *)all + crypto_auth_hmacsha256_BYTES,
                            bytes - crypto_auth_hmacsha256_BYTES, 0};
    sign(session, text, mac);
    if (sodium_memcmp(mac, all, sizeof mac) != 0) {
        return refuse_state(error, "not a state of this server, or changed");
    }
    if (mcpw_json_get_int(text, form_name, &form) != MCPW_OK || form != FORM) {
        return refuse_state(error, "the state was made by another version of this server");
    }
    if (bind(request, &binding) != MCPW_OK) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    if (!agrees(text, binding, arena)) {
        return refuse_state(error,
                            "the state belongs to another request, with other params or of another user");
    }
    if (mcpw_json_get_int(text, end_name, &end) != MCPW_OK || end < now_of(session)) {
        return refuse_state(error, "the state has expired");
    }
    return mcpw_json_get(text, content_name, content);
}

mcpw_status mcpw_elicitation_id(mcpw_session *session, mcpw_arena *arena, mcpw_str *out) {
    unsigned char bytes[ID_BYTES];
    char *const text = mcpw_arena_alloc(arena, ID_SIZE);
    (void)session;
    if (text == NULL || mcpw_random(bytes, sizeof bytes) != MCPW_OK) {
        return MCPW_E_MEMORY;
    }
    out->ptr = sodium_bin2hex(text, ID_SIZE, bytes, sizeof bytes);
    out->len = ID_SIZE - 1;
    return MCPW_OK;
}

#else

static mcpw_status lacking(mcpw_error *error) {
    return mcpw_error_set(error, MCPW_E_STATE, 0,
                          "this library was built without libsodium, which signs requestState");
}

mcpw_status mcpw_state_seal(mcpw_request *request, mcpw_json content, mcpw_str *out, mcpw_error *error) {
    (void)request, (void)content, (void)out;
    return lacking(error);
}

mcpw_status mcpw_state_open(mcpw_request *request, mcpw_str sealed, mcpw_json *content, mcpw_error *error) {
    (void)request, (void)sealed, (void)content;
    return lacking(error);
}

/* A handle has to be unique in its session alone, where it is looked for. */
mcpw_status mcpw_elicitation_id(mcpw_session *session, mcpw_arena *arena, mcpw_str *out) {
    char text[MCPW_DIGITS + sizeof "elicitation-"];
    const int len = mcpw_print_text(text, sizeof text, "elicitation-%ld", (long)++session->elicitations);
    *out = mcpw_arena_str(arena, text, (size_t)len);
    return out->ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
}

#endif
