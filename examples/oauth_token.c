/* SPDX-License-Identifier: MIT */
/*
 * A server verifies and exchanges tokens. This command does the same, and waits for the issuer:
 *
 *     oauth_token verify ISSUER RESOURCE TOKEN          by the issuer's keys
 *     oauth_token introspect ISSUER RESOURCE TOKEN ID SECRET_FILE
 *     oauth_token exchange ISSUER ENDPOINT TOKEN ID SECRET_FILE URL    for a token of an upstream at URL
 *
 * A server does not wait: see <mcpw/oauth_issuer.h>.
 */
#include <mcpw/oauth_upstream.h>
#include <mcpw/oauth_verifier.h>

#include <curl/curl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MS = 1000, USAGE = 2, MOST_SECRET = 1024, MOST_LINE = 8192, TIMEOUT = 5 };

static uint64_t now(void) { return (uint64_t)time(NULL) * MS; }

static mcpw_str read_secret(const char *path) {
    static char text[MOST_SECRET];
    FILE *const file = fopen(path, "r");
    if (file == NULL || fgets(text, sizeof text, file) == NULL) {
        text[0] = '\0';
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    text[strcspn(text, "\n")] = '\0';
    return mcpw_str_from(text);
}

/* ---- HTTP ---- */

static size_t on_body(char *bytes, size_t one, size_t len, void *user) {
    return mcpw_buffer_append(user, bytes, one * len) == MCPW_OK ? one * len : 0;
}

/* Makes a request. Returns the status; 0: there is no response, and error says why. */
static int request(mcpw_str url, const mcpw_http_field *fields, size_t count, mcpw_str body, mcpw_buffer *out,
                   mcpw_error *error) {
    CURL *const easy = curl_easy_init();
    struct curl_slist *head = NULL;
    long status = 0;
    char line[MOST_LINE];
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(line, sizeof line, "%.*s: %.*s", (int)fields[i].name.len, fields[i].name.ptr,
                       (int)fields[i].value.len, fields[i].value.ptr);
        head = curl_slist_append(head, line);
    }
    (void)curl_easy_setopt(easy, CURLOPT_URL, url.ptr);
    (void)curl_easy_setopt(easy, CURLOPT_TIMEOUT, (long)TIMEOUT);
    (void)curl_easy_setopt(easy, CURLOPT_HTTPHEADER, head);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEDATA, (void *)out);
    if (body.ptr != NULL) {
        (void)curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body.ptr);
    }
    const CURLcode code = curl_easy_perform(easy);
    if (code == CURLE_OK) {
        (void)curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    } else {
        mcpw_error_set(error, MCPW_E_CONNECTION, 0, "%s", curl_easy_strerror(code));
    }
    curl_slist_free_all(head);
    curl_easy_cleanup(easy);
    return (int)status;
}

/* ---- Verifying ---- */

static void judged(void *user, void *waiter, const mcpw_http_verdict *verdict) {
    int *const outcome = waiter;
    (void)user;
    *outcome = (int)verdict->outcome;
    if (verdict->outcome == MCPW_HTTP_VALID) {
        printf("valid: subject %.*s, scopes %.*s\n", (int)verdict->subject.len,
               verdict->subject.ptr != NULL ? verdict->subject.ptr : "", (int)verdict->scopes.len,
               verdict->scopes.ptr != NULL ? verdict->scopes.ptr : "");
    } else {
        printf("refused: %s\n", verdict->description != NULL ? verdict->description : "");
    }
}

static void on_warning(void *user, const char *message) {
    (void)user;
    (void)fprintf(stderr, "oauth_token: %s\n", message);
}

/* Makes the requests that the verifier orders. */
static void make_requests(mcpw_oauth_verifier *verifier) {
    mcpw_oauth_fetch fetch = MCPW_OAUTH_FETCH_INIT;
    while (mcpw_oauth_verifier_next(verifier, &fetch)) {
        mcpw_buffer body = MCPW_BUFFER_INIT;
        mcpw_error error = {.code = MCPW_OK};
        const int status = request(fetch.url, fetch.fields, fetch.field_count, fetch.body, &body, &error);
        mcpw_oauth_verifier_advance(verifier, now());
        if (status != 0) {
            mcpw_oauth_verifier_response(verifier, fetch.number, status, (mcpw_str){body.data, body.len});
        } else {
            mcpw_oauth_verifier_no_response(verifier, fetch.number, &error);
        }
        mcpw_buffer_free(&body);
    }
}

static int verify(mcpw_oauth_verifier_config *config, const char *resource, const char *token) {
    mcpw_error error = {.code = MCPW_OK};
    int outcome = -1;
    config->judged = judged;
    config->on_warning = on_warning;
    mcpw_oauth_verifier *const verifier = mcpw_oauth_verifier_new(config, &error);
    if (verifier == NULL) {
        (void)fprintf(stderr, "oauth_token: %s\n", error.message);
        return 1;
    }
    mcpw_http_verdict verdict = MCPW_HTTP_VERDICT_INIT;
    const mcpw_http_credentials credentials = {.struct_size = sizeof credentials,
                                               .scheme = MCPW_HTTP_BEARER,
                                               .token = mcpw_str_from(token),
                                               .method = mcpw_str_from("POST"),
                                               .url = mcpw_str_from(resource),
                                               .resource = mcpw_str_from(resource)};
    if (mcpw_oauth_verifier_verify(verifier, &outcome, &credentials, now(), &verdict) == MCPW_OK) {
        judged(NULL, &outcome, &verdict);
    }
    make_requests(verifier);
    if (outcome < 0 && mcpw_oauth_verifier_deadline(verifier) == UINT64_MAX) {
        mcpw_oauth_verifier_cancel(verifier, &outcome); /* nothing is asked, so no verdict comes */
    }
    mcpw_oauth_verifier_free(verifier);
    return outcome == MCPW_HTTP_VALID ? 0 : 1;
}

/* ---- Exchanging ---- */

/* Makes the field of the first request to the upstream, and says how long it is: never what is in it. */
static int use(mcpw_oauth_upstream *upstream, const char *url) {
    mcpw_http_field field;
    if (mcpw_oauth_upstream_field(upstream, url, now(), &field) != MCPW_OK) {
        (void)fprintf(stderr, "oauth_token: there is no token for %s\n", url);
        return 1;
    }
    printf("exchanged: %.*s of %zu bytes for %s\n", (int)field.name.len, field.name.ptr, field.value.len,
           url);
    return 0;
}

static int exchange(const mcpw_oauth_upstream_config *config, const char *token) {
    mcpw_error error = {.code = MCPW_OK};
    mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
    mcpw_buffer body = MCPW_BUFFER_INIT;
    mcpw_oauth_upstream *const upstream = mcpw_oauth_upstream_new(config, &error);
    mcpw_status status =
        upstream != NULL ? mcpw_oauth_upstream_exchange(upstream, mcpw_str_from(token), now(), &order, &error)
                         : error.code;
    if (status == MCPW_OK) {
        const int answer = request(order.url, order.fields, order.field_count, order.body, &body, &error);
        status =
            mcpw_oauth_upstream_exchanged(upstream, answer, (mcpw_str){body.data, body.len}, now(), &error);
    }
    if (status != MCPW_OK) {
        (void)fprintf(stderr, "oauth_token: %s\n", error.message);
    }
    const int result = status == MCPW_OK ? use(upstream, config->url) : 1;
    mcpw_buffer_free(&body);
    mcpw_oauth_upstream_free(upstream);
    return result;
}

int main(int argc, char **argv) {
    const char *const command = argc > 1 ? argv[1] : "";
    mcpw_oauth_verifier_config config = MCPW_OAUTH_VERIFIER_CONFIG_INIT;
    if (strcmp(command, "exchange") == 0 && argc == 8) {
        mcpw_oauth_upstream_config upstream = MCPW_OAUTH_UPSTREAM_CONFIG_INIT;
        upstream.issuer = argv[2];
        upstream.token_endpoint = argv[3];
        upstream.client_id = argv[5];
        upstream.client_secret = read_secret(argv[6]).ptr;
        upstream.url = argv[7];
        return exchange(&upstream, argv[4]);
    }
    if (argc < 5) {
        (void)fprintf(stderr, "usage: oauth_token verify | introspect | exchange ISSUER ...\n");
        return USAGE;
    }
    config.issuer = argv[2];
    if (strcmp(command, "introspect") == 0 && argc == 7) {
        config.check = MCPW_OAUTH_BY_INTROSPECTION;
        config.client_id = argv[5];
        config.client_secret = read_secret(argv[6]).ptr;
    }
    return verify(&config, argv[3], argv[4]);
}
