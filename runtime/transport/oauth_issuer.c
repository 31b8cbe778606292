/* SPDX-License-Identifier: MIT */
/* Requests to an issuer with libcurl's multi interface. Its sockets are in one set, which the loop of the
 * server watches. */
#include "curl_loop.h"
#include "http_curl.h"

#include <mcpw/io.h>
#include <mcpw/oauth_issuer.h>
#include <mcpw/system.h>

#include <stdlib.h>

enum { MOST_EVENTS = 16 };

/* The algorithms of proofs if the config names none, as <mcpw/oauth_jose.h> says. */
static const char default_algorithms[] = "ES256 RS256 PS256 EdDSA";

typedef struct transfer transfer;

struct mcpw_oauth_issuer {
    mcpw_oauth_verifier *core;
    mcpw_http_verifier functions;
    mcpw_http_watch watch;
    mcpw_arena memory;
    const char *ca_file;
    mcpw_curl_loop loop; /* its set is what the watch watches */
    transfer *transfers;
    void (*on_warning)(void *user, const char *message);
    void *user;
};

/* A request of libcurl. */
struct transfer {
    transfer *next;
    transfer *previous;
    mcpw_oauth_issuer *issuer;
    CURL *easy;
    struct curl_slist *head;
    mcpw_buffer body;
    uint64_t number;
    size_t max_body;
    bool is_too_long;
    char why[CURL_ERROR_SIZE];
};

/* ---- Transfers ----------------------------------------------------------------------------------------- */

static void free_transfer(transfer *t) {
    *(t->previous != NULL ? &t->previous->next : &t->issuer->transfers) = t->next;
    if (t->next != NULL) {
        t->next->previous = t->previous;
    }
    if (t->easy != NULL) {
        (void)curl_multi_remove_handle(t->issuer->loop.multi, t->easy);
        curl_easy_cleanup(t->easy);
    }
    mcpw_curl_free_fields(t->head);
    mcpw_buffer_free(&t->body);
    free(t);
}

static size_t on_body(char *bytes, size_t one, size_t len, void *self) {
    transfer *const t = self;
    const size_t size = one * len;
    if (size > t->max_body - t->body.len) {
        t->is_too_long = true;
        return 0;
    }
    return mcpw_buffer_append(&t->body, bytes, size) == MCPW_OK ? size : 0;
}

#define SET(option, value) (is_set = is_set && curl_easy_setopt(t->easy, (option), (value)) == CURLE_OK)

static bool set_up(transfer *t, const mcpw_oauth_fetch *fetch) {
    const uint64_t now = mcpw_time_of_day();
    bool is_set = true;
    SET(CURLOPT_URL, fetch->url.ptr);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_OPENSOCKETFUNCTION, mcpw_curl_open_socket);
    SET(CURLOPT_TIMEOUT_MS, fetch->until > now ? (long)(fetch->until - now) : 1L);
    SET(CURLOPT_ERRORBUFFER, t->why);
    SET(CURLOPT_PRIVATE, (void *)t);
    SET(CURLOPT_HTTPHEADER, t->head);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, (void *)t);
    if (t->issuer->ca_file != NULL) {
        SET(CURLOPT_CAINFO, t->issuer->ca_file);
    }
    if (fetch->body.ptr != NULL) { /* copied, as the verifier may give the request up */
        SET(CURLOPT_POST, 1L);
        SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)fetch->body.len);
        SET(CURLOPT_COPYPOSTFIELDS, fetch->body.ptr);
    }
    return is_set;
}

static void make(mcpw_oauth_issuer *issuer, const mcpw_oauth_fetch *fetch) {
    transfer *const t = calloc(1, sizeof *t);
    mcpw_error error;
    (void)mcpw_error_set(&error, MCPW_E_CONNECTION, 0, "libcurl cannot make this request");
    if (t == NULL) {
        mcpw_oauth_verifier_no_response(issuer->core, fetch->number, &error);
        return;
    }
    t->issuer = issuer;
    t->number = fetch->number;
    t->max_body = fetch->max_body;
    t->body = (mcpw_buffer)MCPW_BUFFER_INIT;
    t->body.allocator = mcpw_curl_wiping(); /* an introspection tells about users */
    t->next = issuer->transfers;
    if (t->next != NULL) {
        t->next->previous = t;
    }
    issuer->transfers = t;
    t->easy = curl_easy_init();
    if (t->easy == NULL || mcpw_curl_add_fields(&t->head, fetch->fields, fetch->field_count) != MCPW_OK ||
        !set_up(t, fetch) || curl_multi_add_handle(issuer->loop.multi, t->easy) != CURLM_OK) {
        free_transfer(t);
        mcpw_oauth_verifier_no_response(issuer->core, fetch->number, &error);
    }
}

/* Makes the requests that the verifier orders. */
static void follow(mcpw_oauth_issuer *issuer) {
    mcpw_oauth_fetch fetch = MCPW_OAUTH_FETCH_INIT;
    while (mcpw_oauth_verifier_next(issuer->core, &fetch)) {
        make(issuer, &fetch);
    }
}

static void end_transfer(transfer *t, CURLcode code) {
    mcpw_oauth_verifier *const core = t->issuer->core;
    mcpw_error error;
    long status = 0;
    if (code == CURLE_OK && curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK) {
        mcpw_oauth_verifier_response(core, t->number, (int)status, (mcpw_str){t->body.data, t->body.len});
    } else {
        mcpw_curl_explain(&error, t->is_too_long ? "the response is longer than the limit" : t->why, code);
        mcpw_oauth_verifier_no_response(core, t->number, &error);
    }
    free_transfer(t);
}

/* ---- The watch ----------------------------------------------------------------------------------------- */

static void run(void *self, uint64_t now) {
    mcpw_oauth_issuer *const issuer = self;
    mcpw_os_ready ready[MOST_EVENTS];
    CURLcode result;
    (void)now; /* the loop asks the same clock */
    const size_t count = mcpw_os_set_take(issuer->loop.set, ready, MOST_EVENTS, 0);
    for (size_t i = 0; i < count; i++) {
        mcpw_curl_loop_ready(&issuer->loop, ready + i);
    }
    mcpw_curl_loop_tick(&issuer->loop);
    mcpw_oauth_verifier_advance(issuer->core, mcpw_time_of_day());
    for (CURL *easy; (easy = mcpw_curl_loop_ended(&issuer->loop, &result)) != NULL;) {
        transfer *t = NULL;
        if (curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&t) == CURLE_OK && t != NULL) {
            end_transfer(t, result);
        }
    }
    follow(issuer);
    mcpw_os_set_settle(issuer->loop.set);
}

static uint64_t deadline(const void *self) {
    const mcpw_oauth_issuer *const issuer = self;
    const uint64_t until = mcpw_oauth_verifier_deadline(issuer->core); /* of the other clock */
    const uint64_t now = until != UINT64_MAX ? mcpw_time_of_day() : 0;
    const uint64_t core = until == UINT64_MAX ? UINT64_MAX : mcpw_io_now() + (until > now ? until - now : 0);
    const uint64_t loop = mcpw_curl_loop_due(&issuer->loop);
    return core < loop ? core : loop;
}

static mcpw_status verify(void *self, mcpw_http_exchange *exchange, const mcpw_http_credentials *credentials,
                          mcpw_http_verdict *verdict) {
    mcpw_oauth_issuer *const issuer = self;
    const mcpw_status status =
        mcpw_oauth_verifier_verify(issuer->core, exchange, credentials, mcpw_time_of_day(), verdict);
    if (mcpw_oauth_verifier_deadline(issuer->core) != UINT64_MAX) {
        issuer->loop.due = 0; /* run makes requests, as a failure of one gives verdicts */
    }
    return status;
}

static void cancel(void *self, mcpw_http_exchange *exchange) {
    const mcpw_oauth_issuer *const issuer = self;
    mcpw_oauth_verifier_cancel(issuer->core, exchange);
}

static void judged(void *user, void *waiter, const mcpw_http_verdict *verdict) {
    (void)user;
    mcpw_http_verified(waiter, verdict);
}

static void on_warning(void *user, const char *message) {
    const mcpw_oauth_issuer *const issuer = user;
    if (issuer->on_warning != NULL) {
        issuer->on_warning(issuer->user, message);
    }
}

/* ---- Begin and end ------------------------------------------------------------------------------------- */

static mcpw_status open_loop(mcpw_oauth_issuer *issuer, mcpw_error *error) {
    int number;
    issuer->loop.set = mcpw_os_set_new(&number);
    return issuer->loop.set != NULL && mcpw_curl_loop_open(&issuer->loop, issuer->loop.set)
               ? MCPW_OK
               : mcpw_error_set(error, MCPW_E_IO, 0, "libcurl cannot be used");
}

/* Copies a text of the options. False: no memory. */
static bool copy(mcpw_oauth_issuer *issuer, const char **text) {
    if (*text != NULL) {
        *text = mcpw_arena_str(&issuer->memory, *text, strlen(*text)).ptr;
        return *text != NULL;
    }
    return true;
}

static mcpw_status open_verifier(mcpw_oauth_issuer *issuer, const mcpw_oauth_issuer_options *options,
                                 mcpw_error *error) {
    mcpw_oauth_verifier_config config = MCPW_OAUTH_VERIFIER_CONFIG_INIT;
    const char *algorithms = NULL;
    if (options->verifier == NULL || !MCPW_TAKE(&config, user, options->verifier)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "verifier is needed: see MCPW_OAUTH_VERIFIER_CONFIG_INIT");
    }
    if (config.dpop != NULL) {
        mcpw_oauth_dpop_config dpop = MCPW_OAUTH_DPOP_CONFIG_INIT;
        algorithms = MCPW_TAKE(&dpop, allocator, config.dpop) && dpop.algorithms != NULL ? dpop.algorithms
                                                                                         : default_algorithms;
        if (!copy(issuer, &algorithms)) {
            return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        }
    }
    issuer->on_warning = config.on_warning;
    issuer->user = config.user;
    config.judged = judged;
    config.on_warning = on_warning;
    config.user = issuer;
    issuer->core = mcpw_oauth_verifier_new(&config, error);
    issuer->functions = (mcpw_http_verifier)MCPW_HTTP_VERIFIER_INIT;
    issuer->functions.self = issuer;
    issuer->functions.verify = verify;
    issuer->functions.cancel = cancel;
    issuer->functions.dpop_algorithms = algorithms;
    issuer->functions.dpop_required = options->dpop_required;
    issuer->functions.watch = &issuer->watch;
    issuer->watch = (mcpw_http_watch){issuer, mcpw_os_set_handle(issuer->loop.set), run, deadline};
    return issuer->core != NULL ? MCPW_OK : MCPW_E_ARGUMENT;
}

mcpw_oauth_issuer *mcpw_oauth_issuer_new(const mcpw_oauth_issuer_options *options, mcpw_error *error) {
    mcpw_oauth_issuer_options own = MCPW_OAUTH_ISSUER_OPTIONS_INIT;
    if (options == NULL || !MCPW_TAKE(&own, dpop_required, options)) {
        (void)mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s", mcpw_status_text(MCPW_E_ARGUMENT));
        return NULL;
    }
    mcpw_oauth_issuer *const issuer = calloc(1, sizeof *issuer);
    if (issuer == NULL) {
        (void)mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return NULL;
    }
    issuer->memory = (mcpw_arena)MCPW_ARENA_INIT;
    issuer->ca_file = own.ca_file;
    if (!copy(issuer, &issuer->ca_file)) {
        (void)mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        mcpw_oauth_issuer_free(issuer);
        return NULL;
    }
    if (open_loop(issuer, error) != MCPW_OK || open_verifier(issuer, &own, error) != MCPW_OK) {
        mcpw_oauth_issuer_free(issuer);
        return NULL;
    }
    return issuer;
}

void mcpw_oauth_issuer_free(mcpw_oauth_issuer *issuer) {
    if (issuer == NULL) {
        return;
    }
    for (transfer *t = issuer->transfers, *next = NULL; t != NULL; t = next) {
        next = t->next;
        free_transfer(t);
    }
    mcpw_curl_loop_close(&issuer->loop);
    mcpw_os_set_free(issuer->loop.set);
    mcpw_oauth_verifier_free(issuer->core);
    mcpw_arena_free(&issuer->memory);
    free(issuer);
}

const mcpw_http_verifier *mcpw_oauth_issuer_verifier(const mcpw_oauth_issuer *issuer) {
    return issuer != NULL ? &issuer->functions : NULL;
}
