/* SPDX-License-Identifier: MIT */
/* Exchanges: creation, release and the pool of idle ones. */
#include "exchange.h"

#include "gate.h"

enum { KEEP_BYTES = 1 << 16 /* a larger buffer is freed instead of kept for its next use */ };

/* ---- Memory ---- */

void mcpw_exchange_free_session(mcpw_http_exchange *exchange) {
    if (exchange->session != NULL) {
        mcpw_session_on_output(exchange->session, NULL, NULL);
        mcpw_session_free(exchange->session);
        exchange->session = NULL;
    }
}

static void free_exchange(mcpw_http_exchange *exchange) {
    const mcpw_allocator allocator = exchange->server->config.allocator;
    mcpw_exchange_free_session(exchange);
    mcpw_buffer_free(&exchange->head);
    mcpw_buffer_free(&exchange->body);
    mcpw_buffer_free(&exchange->out);
    mcpw_buffer_free(&exchange->given);
    mcpw_buffer_free(&exchange->gate);
    mcpw_buffer_free(&exchange->access);
    (void)mcpw_resize(&allocator, exchange, sizeof *exchange, 0);
}

static mcpw_http_exchange *new_exchange(mcpw_http_server *server) {
    const mcpw_http_config *const config = &server->config;
    mcpw_http_exchange *const exchange = mcpw_resize(&config->allocator, NULL, 0, sizeof *exchange);
    if (exchange == NULL) {
        return NULL;
    }
    memset(exchange, 0, sizeof *exchange);
    exchange->server = server;
    exchange->head = exchange->body = exchange->out = exchange->given = exchange->gate = exchange->access =
        (mcpw_buffer)MCPW_BUFFER_INIT;
    exchange->access.allocator = config->allocator;
    exchange->head.allocator = exchange->body.allocator = config->allocator;
    exchange->out.allocator = exchange->given.allocator = exchange->gate.allocator = config->allocator;
    return exchange;
}

static void empty(mcpw_buffer *buffer) {
    buffer->len = 0;
    if (buffer->capacity > KEEP_BYTES) {
        mcpw_buffer_free(buffer);
    }
}

/* Takes the remaining messages. A session keeps the text of its last message until the next call, and a
 * caller that has sent the whole response need not make that call. */
static void pass_over(mcpw_session *session) {
    mcpw_outgoing said;
    while (mcpw_session_next_message(session, &said)) {
    }
}

/* Clears the state of one request. */
static void clear(mcpw_http_exchange *exchange) {
    mcpw_http_exchange fresh;
    const bool was_large = exchange->body.capacity > KEEP_BYTES || exchange->out.capacity > KEEP_BYTES;
    if (was_large && exchange->session != NULL) {
        pass_over(exchange->session);
        mcpw_session_trim(exchange->session);
    }
    empty(&exchange->head);
    empty(&exchange->body);
    empty(&exchange->out);
    empty(&exchange->given);
    empty(&exchange->gate);
    empty(&exchange->access);
    memset(&fresh, 0, sizeof fresh);
    fresh.server = exchange->server;
    fresh.session = exchange->session;
    fresh.head = exchange->head;
    fresh.body = exchange->body;
    fresh.out = exchange->out;
    fresh.given = exchange->given;
    fresh.gate = exchange->gate;
    fresh.access = exchange->access;
    *exchange = fresh;
}

/* ---- Time ---- */

static uint64_t earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }

void mcpw_exchange_await(mcpw_http_exchange *exchange) {
    const uint64_t verdict = exchange->waits ? exchange->verdict_due : UINT64_MAX;
    const uint64_t access = exchange->is_standing ? exchange->access_ends : UINT64_MAX;
    const uint64_t own = earlier(exchange->due, earlier(verdict, access));
    mcpw_timers_expire_by(&exchange->server->timers, &exchange->timer,
                          earlier(exchange->kind->deadline(exchange), own));
}

bool mcpw_server_has_timers(mcpw_http_server *server) {
    return mcpw_timers_reserve(&server->timers, &server->config.allocator,
                               server->open_count + server->session_count + 1);
}

/* ---- The lists ---- */

void mcpw_exchange_unmark_ready(mcpw_http_exchange *exchange) {
    mcpw_exchange_list *const list = exchange->ready;
    if (list == NULL) {
        return;
    }
    if (exchange->server->cursor == exchange) {
        exchange->server->cursor = exchange->next_ready;
    }
    *(exchange->previous_ready != NULL ? &exchange->previous_ready->next_ready : &list->first) =
        exchange->next_ready;
    *(exchange->next_ready != NULL ? &exchange->next_ready->previous_ready : &list->last) =
        exchange->previous_ready;
    exchange->ready = NULL;
}

static void link_ready(mcpw_exchange_list *list, mcpw_http_exchange *exchange) {
    mcpw_http_server *const server = exchange->server;
    exchange->ready = list;
    exchange->next_ready = NULL;
    exchange->previous_ready = list->last;
    *(list->last != NULL ? &list->last->next_ready : &list->first) = exchange;
    list->last = exchange;
    if (server->is_walking && server->cursor == NULL && list == &server->ready) {
        server->cursor = exchange; /* the walk is at its end, and continues with this one */
    }
}

void mcpw_exchange_mark_ready(mcpw_http_exchange *exchange) {
    mcpw_http_server *const server = exchange->server;
    if (exchange->ready == NULL && exchange->is_open) {
        link_ready(exchange->is_gone ? &server->gone : &server->ready, exchange);
    }
}

static void link_exchange(mcpw_http_server *server, mcpw_http_exchange *exchange) {
    exchange->is_open = true;
    exchange->previous = NULL;
    exchange->next = server->open;
    if (server->open != NULL) {
        server->open->previous = exchange;
    }
    server->open = exchange;
    server->open_count++;
}

static void unlink_exchange(mcpw_http_exchange *exchange) {
    mcpw_http_server *const server = exchange->server;
    exchange->is_open = false;
    mcpw_exchange_unmark_ready(exchange);
    mcpw_timers_stop(&server->timers, &exchange->timer);
    if (exchange->next != NULL) {
        exchange->next->previous = exchange->previous;
    }
    if (exchange->previous != NULL) {
        exchange->previous->next = exchange->next;
    } else {
        server->open = exchange->next;
    }
    server->open_count--;
}

static mcpw_http_exchange *take_exchange(mcpw_http_server *server) {
    mcpw_http_exchange *const idle = server->idle;
    if (!mcpw_server_has_timers(server)) {
        return NULL;
    }
    if (idle == NULL) {
        return new_exchange(server);
    }
    server->idle = idle->next;
    server->idle_count--;
    return idle;
}

mcpw_http_exchange *mcpw_exchange_open(mcpw_http_server *server, void (*expire)(void *exchange)) {
    mcpw_http_exchange *const exchange = take_exchange(server);
    if (exchange != NULL) {
        exchange->kind = server->kind;
        exchange->access_ends = UINT64_MAX;
        exchange->timer = (mcpw_timer){0, exchange, expire};
        link_exchange(server, exchange);
    }
    return exchange;
}

void mcpw_exchange_release(mcpw_http_exchange *exchange) {
    mcpw_http_server *const server = exchange->server;
    const bool is_closed = exchange->session != NULL && mcpw_session_is_closed(exchange->session);
    unlink_exchange(exchange);
    exchange->kind->leave(exchange);
    if (server->is_ended || is_closed || server->idle_count >= server->config.max_idle) {
        free_exchange(exchange);
        return;
    }
    clear(exchange);
    exchange->next = server->idle;
    server->idle = exchange;
    server->idle_count++;
}

void mcpw_exchange_close(mcpw_http_exchange *exchange) {
    mcpw_gate_forget(exchange);
    exchange->kind->abandon(exchange);
    exchange->due = UINT64_MAX;
    exchange->user = NULL;
    exchange->is_gone = exchange->kind->is_in_use(exchange);
    if (!exchange->is_gone) {
        mcpw_exchange_release(exchange);
        return;
    }
    mcpw_timers_stop(&exchange->server->timers, &exchange->timer);
    mcpw_exchange_unmark_ready(exchange);
    if (!exchange->is_pending) { /* otherwise its session reports its end */
        mcpw_exchange_mark_ready(exchange);
    }
}

void mcpw_exchanges_reap(mcpw_http_server *server) {
    for (mcpw_http_exchange *e = server->gone.first, *next = NULL; e != NULL; e = next) {
        next = e->next_ready;
        if (!e->kind->is_in_use(e)) {
            mcpw_exchange_release(e);
        }
    }
}

static void free_list(mcpw_http_exchange *first) {
    while (first != NULL) {
        mcpw_http_exchange *const next = first->next;
        free_exchange(first);
        first = next;
    }
}

void mcpw_exchanges_free(mcpw_http_server *server) {
    for (mcpw_http_exchange *e = server->open; e != NULL; e = e->next) {
        mcpw_gate_forget(e);
    }
    free_list(server->open);
    free_list(server->idle);
    server->open = server->idle = NULL;
}
