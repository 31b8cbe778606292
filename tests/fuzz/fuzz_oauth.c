/* SPDX-License-Identifier: MIT */
/*
 * Logins: a script of bytes chooses the config, what servers answer, in which order, where redirects lead,
 * what comes back from the browser and when. Whatever they are: a request goes only where it may, a token
 * only to the MCP server, no message shows a secret, and a login has an end.
 *
 * The first two bytes say the config. Each later one says what happens next; some take more bytes.
 */
#include "fuzz.h"

#include "url.h"

#include <mcpw/oauth.h>

#include <sodium.h>

enum { ROOM = 4096, SECOND = 1000, START = 1800000000, KINDS_OF_ANSWERS = 16, OUT_OF_ORDER = 192 };

#define SECRET "SECRET"
#define AS "https://as.example.com"

typedef struct stage {
    fuzz_in in;
    mcpw_oauth *oauth;
    mcpw_oauth_url server;
    uint64_t now;
    char state[ROOM]; /* of the last page that was opened */
    bool is_open;     /* a page was opened, and nobody came back */
    unsigned tokens;
    const char *repeated; /* what a server repeats to the client: its secret, if it has one */
} stage;

static bool has_secret(const char *text) { return strstr(text, SECRET) != NULL; }

static void on_warning(void *user, const char *message) {
    (void)user;
    FUZZ_ASSERT(!has_secret(message));
}

static void check_message(const mcpw_error *error) {
    FUZZ_ASSERT(memchr(error->message, 0, sizeof error->message) != NULL);
    FUZZ_ASSERT(!has_secret(error->message) && !has_secret(error->path) && error->message[0] != '\0');
}

static mcpw_status sign(void *self, mcpw_str input, unsigned char *out, size_t *len) {
    const unsigned *const refuses = self;
    FUZZ_ASSERT(input.len != 0 && *len >= 64);
    memset(out, 0, 64);
    *len = 64;
    return *refuses != 0 ? MCPW_E_IO : MCPW_OK;
}

/* ---- Answers ---------------------------------------------------------------------------------------------
 */

/* The response of a server that means well. */
static int good_answer(stage *s, const char *url, char *out) {
    const unsigned choice = fuzz_byte(&s->in);
    const char *const resource = (choice & 1U) != 0 ? "https://mcp.example.com" : s->server.text.ptr;
    const char *const issuer = (choice & 2U) != 0 ? "https://as2.example.com/t" : AS;
    if (strstr(url, "oauth-protected-resource") != NULL) {
        (void)snprintf(out, ROOM, "{\"resource\":\"%s\",\"authorization_servers\":[\"%s\"]%s}", resource,
                       issuer, (choice & 4U) != 0 ? ",\"scopes_supported\":[\"a\",\"offline_access\"]" : "");
        return 200;
    }
    if (strstr(url, "/.well-known/") != NULL) {
        (void)snprintf(
            out, ROOM,
            "{\"issuer\":\"%s\",\"authorization_endpoint\":\"%s/authorize\",\"token_endpoint\":\"%s/token\","
            "\"registration_endpoint\":\"%s/"
            "register\",\"code_challenge_methods_supported\":[\"S256\"]%s%s%s}",
            strstr(url, "as2.") != NULL ? "https://as2.example.com/t" : AS, AS, AS, AS,
            (choice & 4U) != 0 ? ",\"client_id_metadata_document_supported\":true" : "",
            (choice & 8U) != 0 ? ",\"token_endpoint_auth_methods_supported\":[\"client_secret_post\"]" : "",
            (choice & 16U) != 0 ? ",\"authorization_response_iss_parameter_supported\":true" : "");
        return 200;
    }
    if (strstr(url, "/register") != NULL) {
        (void)snprintf(out, ROOM, "{\"client_id\":\"id-%u\",\"client_secret\":\"" SECRET "-r\"}", choice);
        return 201;
    }
    (void)snprintf(
        out, ROOM, "{\"access_token\":\"" SECRET "-%u\",\"token_type\":\"%s\",\"expires_in\":%u%s%s}",
        s->tokens++,
        (choice & 1U) != 0   ? "DPoP"
        : (choice & 2U) != 0 ? "N_A"
                             : "bearer",
        choice * 4U, (choice & 4U) == 0 ? ",\"refresh_token\":\"" SECRET "-f\"" : "",
        (choice & 2U) != 0 ? ",\"issued_token_type\":\"urn:ietf:params:oauth:token-type:id-jag\"" : "");
    return 200;
}

static int error_answer(stage *s, char *out) {
    const char *const codes[] = {"invalid_grant", "invalid_client", "use_dpop_nonce",
                                 "server_error",  s->repeated,      "x"};
    const unsigned choice = fuzz_byte(&s->in);
    (void)snprintf(out, ROOM, "{\"error\":\"%s\",\"error_description\":\"you sent %s\"}",
                   codes[choice % (sizeof codes / sizeof *codes)],
                   (choice & 64U) != 0 ? s->repeated : "that");
    return (choice & 128U) != 0 ? 401 : 400;
}

/* Changes some bytes of an answer. */
static void spoil_answer(stage *s, char *text) {
    const size_t len = strlen(text);
    for (unsigned left = fuzz_byte(&s->in) % 4; len != 0 && left != 0; left--) {
        const size_t at = fuzz_size(&s->in) % len;
        const char c = (char)fuzz_byte(&s->in);
        text[at] = c != '\0' ? c : ' ';
    }
}

static void answer(stage *s, const char *url, unsigned kind) {
    static char text[ROOM];
    const mcpw_str location = MCPW_STR("Location");
    const mcpw_str nonce = MCPW_STR("DPoP-Nonce");
    mcpw_http_field fields[] = {{nonce, MCPW_STR_VALUE("n1")}, {location, {NULL, 0}}};
    mcpw_str body;
    int status = 200;
    size_t count = 0;
    text[0] = '\0';
    switch (kind) {
    case 8:
        status = good_answer(s, url, text);
        spoil_answer(s, text);
        break;
    case 9:
        body = fuzz_take(&s->in, fuzz_byte(&s->in));
        mcpw_oauth_response(s->oauth, 200, NULL, 0, body);
        return;
    case 10:
        status = 404;
        break;
    case 11:
        fields[1].value = fuzz_take(&s->in, fuzz_byte(&s->in) % 64);
        mcpw_oauth_response(s->oauth, 302, fields, 2, (mcpw_str){NULL, 0});
        return;
    case 12:
        status = error_answer(s, text);
        count = 1;
        break;
    case 13:
        mcpw_oauth_no_response(s->oauth, NULL);
        return;
    case 14:
        status = (int)fuzz_size(&s->in) % 700;
        break;
    case 15:
        return; /* it never comes */
    default:
        status = good_answer(s, url, text);
        break;
    }
    mcpw_oauth_response(s->oauth, status, fields, count, mcpw_str_from(text));
}

/* ---- The user --------------------------------------------------------------------------------------------
 */

static void visit(stage *s, mcpw_str url) {
    const char *const at = strstr(url.ptr, "&state=");
    FUZZ_ASSERT(at != NULL && !has_secret(url.ptr));
    const char *const value = at + strlen("&state=");
    const size_t len = strcspn(value, "&");
    FUZZ_ASSERT(len == 43); /* 256 bits */
    memcpy(s->state, value, len);
    s->state[len] = '\0';
    s->is_open = true;
}

static void come_back(stage *s) {
    enum { KINDS = 8 };
    static char text[ROOM];
    mcpw_error error = {.code = MCPW_OK};
    mcpw_str redirect = {text, 0};
    const char *iss = "https%3A%2F%2Fas.example.com";
    switch (fuzz_byte(&s->in) % KINDS) {
    case 4:
        iss = "https%3A%2F%2Fevil.example.com";
        break;
    case 5:
        redirect = fuzz_take(&s->in, fuzz_byte(&s->in));
        break;
    case 6:
        redirect.len =
            (size_t)snprintf(text, sizeof text, "error=%s&state=%s&iss=%s", s->repeated, s->state, iss);
        break;
    case 7:
        return;
    case 3: /* a whole URL, with more after the parameters */
        redirect = fuzz_take(&s->in, fuzz_byte(&s->in));
        redirect.len = (size_t)snprintf(
            text, sizeof text, "http://127.0.0.1:1/callback?state=%s&iss=%s&code=" SECRET "-code%.*s",
            s->state, iss, (int)redirect.len, redirect.ptr != NULL ? redirect.ptr : "");
        redirect.ptr = text;
        break;
    default:
        break;
    }
    if (redirect.ptr == text && redirect.len == 0) {
        redirect.len =
            (size_t)snprintf(text, sizeof text, "code=" SECRET "-code&state=%s&iss=%s", s->state, iss);
    }
    const mcpw_status status = mcpw_oauth_redirected(s->oauth, redirect, &error);
    s->is_open = s->is_open && status != MCPW_OK;
    if (status != MCPW_OK) {
        check_message(&error);
    }
}

/* ---- The MCP server --------------------------------------------------------------------------------------
 */

static void request(stage *s) {
    static const char *const challenges[] = {
        "Bearer", "Bearer scope=\"a b\"", "Bearer error=\"insufficient_scope\", scope=\"c\"",
        "DPoP error=\"use_dpop_nonce\"",
        "Bearer resource_metadata=\"https://mcp.example.com/.well-known/oauth-protected-resource\""};
    mcpw_oauth_pass pass = MCPW_OAUTH_PASS_INIT;
    mcpw_error error = {.code = MCPW_OK};
    const unsigned choice = fuzz_byte(&s->in);
    const bool is_other = choice % 16 == 15;
    const mcpw_status status = mcpw_oauth_fields(
        s->oauth, "POST", is_other ? "https://mcp.example.com/other" : s->server.text.ptr, &pass, &error);
    FUZZ_ASSERT(status == MCPW_OK || status == MCPW_PENDING || error.message[0] != '\0');
    FUZZ_ASSERT(!is_other || (status == MCPW_OK && pass.field_count == 0));
    if (status != MCPW_OK) {
        return;
    }
    const int statuses[] = {200, 401, 403, 404};
    mcpw_str challenge = mcpw_str_from(challenges[choice / 4 % (sizeof challenges / sizeof *challenges)]);
    if ((choice & 128U) != 0) {
        challenge = fuzz_take(&s->in, fuzz_byte(&s->in));
    }
    error.code = MCPW_OK;
    if (mcpw_oauth_answered(s->oauth, &pass, statuses[choice % 4], challenge, MCPW_STR_VALUE("n2"), &error) ==
        MCPW_OAUTH_GIVE_UP) {
        check_message(&error);
    }
}

static void between(stage *s) {
    enum { KINDS = 16 };
    mcpw_oauth_login login = MCPW_OAUTH_LOGIN_INIT;
    const unsigned choice = fuzz_byte(&s->in);
    switch (choice % KINDS) {
    case 0:
        mcpw_oauth_begin(s->oauth, (choice & 16U) != 0);
        break;
    case 1:
        ((choice & 16U) != 0 ? mcpw_oauth_revoke : mcpw_oauth_forget)(s->oauth);
        break;
    case 2:
        s->now += (uint64_t)fuzz_size(&s->in) * SECOND / 4;
        mcpw_oauth_advance(s->oauth, s->now);
        break;
    case 3:
        if (mcpw_oauth_read(s->oauth, &login) == MCPW_OK) {
            FUZZ_ASSERT(login.issuer.ptr != NULL && login.resource.ptr != NULL);
        }
        break;
    default:
        request(s);
        break;
    }
}

/* Answers an order. Some answers come out of order: after another event, or twice. */
static void take_order(stage *s, const mcpw_oauth_order *order) {
    static char url[ROOM];
    const unsigned choice = fuzz_byte(&s->in);
    (void)snprintf(url, sizeof url, "%s", order->url.ptr); /* that of the order may go */
    if (choice >= OUT_OF_ORDER) {
        switch (fuzz_byte(&s->in) % 4) {
        case 0:
            between(s);
            break;
        case 1:
            come_back(s);
            break;
        case 2:
            answer(s, url, fuzz_byte(&s->in) % KINDS_OF_ANSWERS);
            break;
        default:
            mcpw_oauth_no_response(s->oauth, NULL);
            break;
        }
    }
    answer(s, url, choice % KINDS_OF_ANSWERS);
}

static void check_url(const stage *s, mcpw_str text) {
    mcpw_oauth_url url;
    FUZZ_ASSERT(text.ptr != NULL && text.ptr[text.len] == '\0' && strlen(text.ptr) == text.len);
    FUZZ_ASSERT(mcpw_oauth_url_read(text, &url) && mcpw_oauth_url_refusal(&url, &s->server) == NULL);
}

static void play(stage *s) {
    while (s->in.left != 0) {
        mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
        mcpw_error error = {.code = MCPW_OK};
        switch (mcpw_oauth_next(s->oauth, &order, &error)) {
        case MCPW_OAUTH_SEND:
            check_url(s, order.url);
            FUZZ_ASSERT(strcmp(order.method, "GET") != 0 || order.body.ptr == NULL);
            take_order(s, &order);
            break;
        case MCPW_OAUTH_OPEN:
            FUZZ_ASSERT(strncmp(order.url.ptr, AS "/authorize?", strlen(AS "/authorize?")) == 0 ||
                        order.url.len != 0);
            visit(s, order.url);
            break;
        case MCPW_OAUTH_WAIT:
            FUZZ_ASSERT(order.until > s->now);
            if (s->is_open) {
                come_back(s);
            }
            between(s);
            break;
        case MCPW_OAUTH_FAILED:
            check_message(&error);
            between(s);
            break;
        default:
            between(s);
            break;
        }
    }
}

/* ---- Random bytes that are the same for each run ---------------------------------------------------------
 */

static uint32_t random_state;

static const char *random_name(void) { return "fixed"; }

static uint32_t random_number(void) {
    random_state = random_state * 1103515245U + 12345U;
    return random_state;
}

static void random_fill(void *const bytes, const size_t len) {
    for (size_t i = 0; i < len; i++) {
        ((unsigned char *)bytes)[i] = (unsigned char)(random_number() >> 16);
    }
}

static randombytes_implementation fixed = {
    .implementation_name = random_name, .random = random_number, .buf = random_fill};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const mcpw_oauth_credential known = {
        .issuer = AS, .client_id = "known", .client_secret = SECRET "-pre"};
    stage s = {.in = {data, size}, .now = (uint64_t)START * SECOND};
    mcpw_oauth_config config = MCPW_OAUTH_CONFIG_INIT;
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    mcpw_error error = {.code = MCPW_OK};
    unsigned refuses = 0;
    for (size_t at = 0; at + strlen(SECRET) <= size; at++) {
        if (memcmp(data + at, SECRET, strlen(SECRET)) == 0) {
            return 0; /* what anybody can write is no secret */
        }
    }
    (void)randombytes_set_implementation(&fixed);
    random_state = 1;
    const unsigned one = fuzz_byte(&s.in);
    const unsigned two = fuzz_byte(&s.in);
    refuses = two & 1U;
    signer.self = &refuses;
    signer.algorithm = "ES256";
    signer.public_key = "{\"kty\":\"EC\"}";
    signer.sign = sign;
    config.server_url = (one & 1U) != 0 ? "http://localhost:3000/mcp" : "https://mcp.example.com/mcp";
    config.redirect_uri = "http://127.0.0.1:1/callback";
    config.grant = (mcpw_oauth_grant)(one / 2 % 4);
    config.issuer = config.grant != MCPW_OAUTH_CODE || (one & 8U) != 0 ? AS : NULL;
    config.credentials = &known;
    config.credential_count = config.grant != MCPW_OAUTH_CODE || (one & 16U) != 0 ? 1 : 0;
    s.repeated = config.credential_count != 0 ? known.client_secret : "nothing";
    config.dpop = (one & 32U) != 0 ? &signer : NULL;
    config.signer = (two & 2U) != 0 ? &signer : NULL;
    config.client_metadata_url = (one & 64U) != 0 ? "https://client.example.com/c" : NULL;
    config.idp_token_endpoint = "https://idp.example.com/token";
    config.idp_client_id = "idp";
    config.idp_id_token = SECRET "-id";
    config.assertion = SECRET "-jwt";
    config.foreign_metadata = (two & 4U) != 0;
    config.scopes = (two & 8U) != 0 ? "x offline_access" : NULL;
    config.on_warning = on_warning;
    FUZZ_ASSERT(mcpw_oauth_url_read(mcpw_str_from(config.server_url), &s.server));
    s.oauth = mcpw_oauth_new(&config, &error);
    FUZZ_ASSERT(s.oauth != NULL);
    mcpw_oauth_advance(s.oauth, s.now);
    play(&s);
    mcpw_oauth_free(s.oauth);
    return 0;
}
