/* SPDX-License-Identifier: MIT */
/*
 * A client over HTTP in a program that makes its HTTP requests itself, here by libcurl's multi interface. It
 * prints the names of a server's tools. <mcpw/http_client.h> says which requests to make and reads responses.
 *
 *     http_client_multi http://localhost:8080/mcp
 */
#include <mcp/client.h>
#include <mcpw/http_client.h>
#include <mcpw/io.h>

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_FIELDS = 64, MAX_LINE = 4096, MAX_WAIT = 1000 /* ms */ };

typedef struct request {
    mcpw_http_call *call;
    CURL *easy;
    struct curl_slist *head;
    bool has_head;
} request;

static void give_head(request *r) {
    mcpw_http_field fields[MAX_FIELDS];
    size_t count = 0;
    long status = 0;
    struct curl_header *h = NULL;
    while (count < MAX_FIELDS && (h = curl_easy_nextheader(r->easy, CURLH_HEADER, -1, h)) != NULL) {
        fields[count].name = mcpw_str_from(h->name);
        fields[count++].value = mcpw_str_from(h->value);
    }
    curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &status);
    r->has_head = true;
    mcpw_http_call_head(r->call, (int)status, fields, count);
}

static size_t on_body(char *bytes, size_t one, size_t len, void *self) {
    request *const r = self;
    if (!r->has_head) {
        give_head(r);
    }
    return mcpw_http_call_body(r->call, bytes, one * len) ? one * len : 0; /* 0: no more is needed */
}

static void begin(CURLM *multi, const char *url, const mcpw_http_order *order) {
    request *const r = calloc(1, sizeof *r);
    char line[MAX_LINE];
    if (r == NULL || (r->easy = curl_easy_init()) == NULL) {
        abort();
    }
    r->call = order->call;
    mcpw_http_call_set_user(order->call, r);
    for (size_t i = 0; i < order->field_count; i++) {
        const mcpw_http_field *const f = &order->fields[i];
        (void)snprintf(line, sizeof line, "%.*s: %.*s", (int)f->name.len, f->name.ptr, (int)f->value.len,
                       f->value.ptr);
        r->head = curl_slist_append(r->head, line);
    }
    curl_easy_setopt(r->easy, CURLOPT_URL, url);
    curl_easy_setopt(r->easy, CURLOPT_CUSTOMREQUEST, order->method);
    curl_easy_setopt(r->easy, CURLOPT_HTTPHEADER, r->head);
    if (order->body.ptr != NULL) {
        curl_easy_setopt(r->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)order->body.len);
        curl_easy_setopt(r->easy, CURLOPT_POSTFIELDS, order->body.ptr);
    }
    curl_easy_setopt(r->easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(r->easy, CURLOPT_WRITEDATA, (void *)r);
    curl_easy_setopt(r->easy, CURLOPT_PRIVATE, (void *)r);
    curl_multi_add_handle(multi, r->easy);
}

static void end(CURLM *multi, request *r) {
    curl_multi_remove_handle(multi, r->easy);
    curl_easy_cleanup(r->easy);
    curl_slist_free_all(r->head);
    free(r);
}

/* Reports the responses that are complete or have failed. */
static void collect(CURLM *multi) {
    int left = 0;
    for (CURLMsg *m = curl_multi_info_read(multi, &left); m != NULL; m = curl_multi_info_read(multi, &left)) {
        const CURLcode code = m->data.result;
        mcpw_error why;
        request *r = NULL;
        mcpw_error_set(&why, MCPW_E_CONNECTION, 0, "%s", curl_easy_strerror(code));
        curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &r);
        if (!r->has_head && code == CURLE_OK) {
            give_head(r); /* there was no body */
        }
        mcpw_http_call_end(r->call, code == CURLE_OK || code == CURLE_WRITE_ERROR ? NULL : &why);
        end(multi, r);
    }
}

/* Does what there is to do, and waits for more. Returns MCPW_PENDING, or the error that ends the client. */
static mcpw_status step(mcpw_http_client *client, CURLM *multi, const char *url, mcpw_error *error) {
    mcpw_http_order order;
    int running = 0;
    mcpw_http_client_advance(client, mcpw_io_now());
    mcpw_status status = mcpw_http_client_next(client, &order, error);
    for (; status == MCPW_OK; status = mcpw_http_client_next(client, &order, error)) {
        if (order.gives_up) {
            end(multi, mcpw_http_call_user(order.call));
        } else {
            begin(multi, url, &order);
        }
    }
    curl_multi_perform(multi, &running);
    const uint64_t now = mcpw_io_now();
    const uint64_t due = mcpw_http_client_deadline(client);
    const uint64_t wait = due < now ? 0 : due - now;
    curl_multi_poll(multi, NULL, 0, wait < MAX_WAIT ? (int)wait : MAX_WAIT, NULL);
    collect(multi);
    return status;
}

static void print_tools(void *user, mcpw_session *session, const mcpw_reply *reply) {
    const mcp_list_tools_result *const result = mcp_reply_tools_list(reply);
    (void)session;
    for (size_t i = 0; result != NULL && i < result->tools.count; i++) {
        printf("%.*s\n", (int)result->tools.items[i].name.len, result->tools.items[i].name.ptr);
    }
    if (reply->error != NULL) {
        fprintf(stderr, "http_client_multi: %s\n", reply->error->message);
    }
    *(mcpw_status *)user = reply->status;
}

int main(int argc, char **argv) {
    const mcp_paginated_request_params params = {.cursor = {NULL, 0}};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_http_client_config http = MCPW_HTTP_CLIENT_CONFIG_INIT;
    mcpw_error error;
    mcpw_status listed = MCPW_PENDING;
    config.role = MCPW_ROLE_CLIENT;
    config.name = "example-http-client-multi";
    config.version = "1.0.0";
    http.session = mcpw_session_new(&config, &error);
    CURLM *const multi = curl_multi_init();
    mcpw_http_client *const client = http.session != NULL ? mcpw_http_client_new(&http, &error) : NULL;
    if (argc != 2 || multi == NULL || client == NULL || mcpw_session_open(http.session) != MCPW_OK ||
        mcp_request_tools_list(http.session, &params, NULL, print_tools, &listed, NULL, &error) != MCPW_OK) {
        fprintf(stderr, "usage: http_client_multi URL\n");
        return 2;
    }
    mcpw_status status = MCPW_PENDING;
    while (listed == MCPW_PENDING && status == MCPW_PENDING) {
        status = step(client, multi, argv[1], &error);
    }
    mcpw_http_client_stop(client); /* ends the session on the server, if there is one */
    do {
        status = step(client, multi, argv[1], &error);
    } while (status == MCPW_PENDING && !mcpw_http_client_is_idle(client));
    mcpw_http_client_free(client);
    mcpw_session_free(http.session);
    curl_multi_cleanup(multi);
    return listed == MCPW_OK ? 0 : 1;
}
