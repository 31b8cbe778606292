/* SPDX-License-Identifier: MIT */
/* A server whose tools take their time: one on a worker, one on a thread of its own. */
#define _POSIX_C_SOURCE 200809L
#include <mcpw/io.h>
#include <mcpw/json.h>
#include <mcpw/thread.h>

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

/* On a worker: it may wait. */
static mcpw_status count(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    int64_t to = 0;
    (void)user;
    if (mcpw_json_get_int(call->arguments, "to", &to) != MCPW_OK) {
        return mcpw_respond_tool_error(request, "/to: an integer is needed");
    }
    for (int64_t i = 1; i <= to; i++) {
        (void)poll(NULL, 0, 10);
        const mcpw_status status = mcpw_request_progress(request, (double)i, (double)to, "counting");
        if (status != MCPW_OK) {
            return status; /* MCPW_E_CANCELLED: nobody waits for the rest */
        }
    }
    return mcpw_respond_text(request, mcpw_str_from("counted"));
}

/* The thread has the request until it returns it. */
static void *work(void *argument) {
    mcpw_request *const request = argument;
    mcpw_status status = MCPW_E_CANCELLED;
    (void)poll(NULL, 0, 50); /* a database, a file, another service */
    if (!mcpw_request_is_cancelled(request)) {
        status = mcpw_respond_text(request, mcpw_str_from("fetched"));
    }
    status = mcpw_request_return(request, status);
    (void)status; /* the request is gone, whatever it says */
    return NULL;
}

/* Hands its request to a thread. */
static mcpw_status fetch(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    pthread_t thread;
    mcpw_status status = mcpw_request_detach(request);
    (void)call;
    (void)user;
    if (status != MCPW_OK) {
        return status;
    }
    if (pthread_create(&thread, NULL, work, request) != 0) {
        return MCPW_E_MEMORY; /* not MCPW_OK: it was not given away after all */
    }
    (void)pthread_detach(thread);
    return MCPW_OK;
}

static void on_hour(void *user, mcpw_io *io) {
    (void)io;
    mcpw_server_tools_changed(user);
}

static void on_start(void *user, mcpw_io *io) {
    enum { HOUR = 3600000 /* ms */ };
    if (mcpw_io_start_timer(io, HOUR, HOUR, on_hour, user, NULL) != MCPW_OK) {
        fprintf(stderr, "threads: no memory for a timer\n");
    }
}

/* A thread that knows the server alone. */
typedef struct minutes {
    mcpw_server *server;
    int stop; /* readable when it is to end */
} minutes;

static bool wait_a_minute(const minutes *m) {
    enum { MINUTE = 60000 /* ms */ };
    struct pollfd stop = {m->stop, POLLIN, 0};
    return poll(&stop, 1, MINUTE) != 0;
}

static void *tell_each_minute(void *argument) {
    minutes *const m = argument;
    while (!wait_a_minute(m)) {
        mcpw_server_resource_updated(m->server, "demo://minute");
    }
    return NULL;
}

static mcpw_status serve(mcpw_server *server, mcpw_error *error) {
    mcpw_serve_options options = MCPW_SERVE_OPTIONS_INIT;
    options.workers = 4; /* handlers run on four threads */
    options.on_start = on_start;
    options.user = server;
    return mcpw_serve_stdio_with(server, &options, error);
}

/* The thread ends when the server has been served, and before it is freed. */
static mcpw_status serve_with_minutes(mcpw_server *server, mcpw_error *error) {
    minutes m = {.server = server};
    pthread_t thread;
    int ends[2];
    if (pipe(ends) != 0) {
        return MCPW_E_IO;
    }
    m.stop = ends[0];
    const bool tells = pthread_create(&thread, NULL, tell_each_minute, &m) == 0;
    const mcpw_status status = serve(server, error);
    (void)close(ends[1]); /* which can be seen at the other end */
    if (tells) {
        (void)pthread_join(thread, NULL);
    }
    (void)close(ends[0]);
    return status;
}

int main(void) {
    const mcpw_tool tools[] = {
        {.name = "count",
         .input_schema = MCPW_JSON("{\"type\":\"object\",\"properties\":{\"to\":{\"type\":\"integer\"}}}"),
         .call = count},
        {.name = "fetch", .call = fetch},
    };
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("threads", "1.0.0", &error);
    mcpw_status status = server != NULL ? MCPW_OK : error.code;
    for (size_t i = 0; i < sizeof tools / sizeof tools[0] && status == MCPW_OK; i++) {
        status = mcpw_server_add_tool(server, &tools[i], &error);
    }
    status = status == MCPW_OK ? serve_with_minutes(server, &error) : status;
    if (status != MCPW_OK) {
        fprintf(stderr, "threads: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
