/* SPDX-License-Identifier: MIT */
/* A protected server whose verdicts take their time. usage: protected [delay=MS] [timeout=MS] [waiting=N]. It
 * prints its port, and "cancelled" for each verdict that is not needed any more. A token is "good" or not,
 * and has its subject after a '-'. */
#include <mcpw/http_protect.h>
#include <mcpw/http_serve.h>
#include <mcpw/io.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { MOST_PENDING = 64, BASE = 10, LONGEST = 64 };

typedef struct pending {
    mcpw_http_exchange *exchange;
    uint64_t due;
    char token[LONGEST];
} pending;

/* A verifier that thinks for a while. Without a delay its descriptor wakes the loop. */
typedef struct thinker {
    mcpw_http_watch watch;
    pending pending[MOST_PENDING];
    size_t count;
    uint64_t delay;
} thinker;

static mcpw_http_listener *running; /* for the signal */

static mcpw_status verify(void *self, mcpw_http_exchange *exchange, const mcpw_http_credentials *credentials,
                          mcpw_http_verdict *verdict) {
    thinker *const t = self;
    const uint64_t one = 1;
    (void)verdict;
    if (t->count == MOST_PENDING || credentials->token.len >= LONGEST) {
        return MCPW_E_FULL;
    }
    pending *const p = t->pending + t->count++;
    p->exchange = exchange;
    p->due = mcpw_io_now() + t->delay;
    memcpy(p->token, credentials->token.ptr, credentials->token.len);
    p->token[credentials->token.len] = '\0';
    if (t->delay == 0 && write(t->watch.descriptor, &one, sizeof one) != sizeof one) {
        return MCPW_E_IO;
    }
    return MCPW_PENDING;
}

static void drop(thinker *t, size_t i) { t->pending[i] = t->pending[--t->count]; }

static void cancel(void *self, mcpw_http_exchange *exchange) {
    thinker *const t = self;
    for (size_t i = 0; i < t->count; i++) {
        if (t->pending[i].exchange == exchange) {
            drop(t, i);
            printf("cancelled\n");
            (void)fflush(stdout);
            return;
        }
    }
}

static void decide(const pending *p) {
    static const char good[] = "good";
    mcpw_http_verdict verdict = MCPW_HTTP_VERDICT_INIT;
    if (strncmp(p->token, good, sizeof good - 1) == 0) {
        verdict.outcome = MCPW_HTTP_VALID;
        verdict.issuer = (mcpw_str)MCPW_STR("https://login.example");
        const char *const name = strchr(p->token, '-');
        verdict.subject = mcpw_str_from(name != NULL ? name + 1 : "someone");
    }
    mcpw_http_verified(p->exchange, &verdict);
}

static void run(void *self, uint64_t now) {
    thinker *const t = self;
    uint64_t count;
    const ssize_t got = read(t->watch.descriptor, &count, sizeof count);
    (void)got; /* it may be here for the time alone */
    for (size_t i = t->count; i-- > 0;) {
        if (t->pending[i].due <= now) {
            const pending p = t->pending[i];
            drop(t, i);
            decide(&p);
        }
    }
}

static uint64_t deadline(const void *self) {
    const thinker *const t = self;
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < t->count; i++) {
        first = t->pending[i].due < first ? t->pending[i].due : first;
    }
    return first;
}

static mcpw_status who(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call, (void)user;
    return mcpw_respond_text(request, mcpw_request_principal(request));
}

static void stop(int number) {
    (void)number;
    mcpw_http_listener_stop(running); // NOLINT(bugprone-signal-handler,cert-sig30-c): its header allows it
}

static void on_start(void *user, mcpw_http_listener *listener) {
    (void)user;
    running = listener;
    (void)signal(SIGTERM, stop);
    printf("%u\n", mcpw_http_listener_port(listener));
    (void)fflush(stdout);
}

static void take(thinker *t, mcpw_http_protect *protect, const char *argument) {
    const char *const value = strchr(argument, '=');
    const unsigned long number = value != NULL ? strtoul(value + 1, NULL, BASE) : 0;
    if (strncmp(argument, "delay=", 6) == 0) {
        t->delay = number;
    } else if (strncmp(argument, "timeout=", 8) == 0) {
        protect->verify_timeout_ms = number;
    } else if (strncmp(argument, "waiting=", 8) == 0) {
        protect->max_waiting = number;
    } else {
        exit(2);
    }
}

int main(int argc, char **argv) {
    static thinker t;
    mcpw_http_verifier verifier = MCPW_HTTP_VERIFIER_INIT;
    mcpw_http_protect protect = MCPW_HTTP_PROTECT_INIT;
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    const mcpw_tool tool = {.name = "who", .call = who, .scopes = ""};
    const mcpw_tool closed = {.name = "closed", .call = who, .scopes = "closed"};
    mcpw_error error;
    for (int i = 1; i < argc; i++) {
        take(&t, &protect, argv[i]);
    }
    t.watch = (mcpw_http_watch){&t, eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), run, deadline};
    verifier.self = &t;
    verifier.verify = verify;
    verifier.cancel = cancel;
    verifier.watch = &t.watch;
    protect.resource = "https://mcp.example/mcp";
    protect.authorization_servers = "https://login.example";
    protect.verifier = &verifier;
    http.protect = &protect;
    options.http = &http;
    options.on_start = on_start;
    mcpw_server *const server = mcpw_server_new("protected", "1", &error);
    mcpw_status status = server != NULL ? mcpw_server_add_tool(server, &tool, &error) : error.code;
    status = status == MCPW_OK ? mcpw_server_add_tool(server, &closed, &error) : status;
    status = status == MCPW_OK ? mcpw_serve_http(server, &options, &error) : status;
    if (status != MCPW_OK) {
        (void)fprintf(stderr, "protected: %s\n", error.message);
    }
    mcpw_server_free(server);
    (void)close(t.watch.descriptor);
    return status == MCPW_OK ? 0 : 1;
}
