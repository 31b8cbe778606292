/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <mcpw/io.h>

#include <limits.h>
#include <stdlib.h>

struct fixture_timer {
    fixture_timer *next;
    fixture *owner;
    mcpw_request *request; /* NULL: answered, or cancelled */
    fixture_turn turn;
    unsigned number;
    unsigned delay;
    uint64_t due;
};

static void cancelled(void *user, mcpw_request *request) {
    fixture_timer *timer = user;
    (void)request;
    timer->request = NULL; /* it is freed when timers are run next */
    timer->due = 0;
}

mcpw_status fixture_later(fixture *f, mcpw_request *request, unsigned delay, fixture_turn turn) {
    fixture_timer *timer = calloc(1, sizeof *timer);
    if (timer == NULL) {
        return MCPW_E_MEMORY;
    }
    *timer = (fixture_timer){f->timers, f, request, turn, 0, delay, mcpw_io_now() + delay};
    f->timers = timer;
    mcpw_request_on_cancel(request, cancelled, timer);
    return MCPW_OK;
}

/* MCPW_PENDING: there are more turns. Else the request is answered, and gone. */
static void take_turn(fixture_timer *timer) {
    const mcpw_status status = timer->turn(timer->request, timer->number++, timer->delay);
    if (status == MCPW_PENDING) {
        timer->due += timer->delay;
        return;
    }
    mcpw_request *const request = timer->request;
    timer->request = NULL;
    if (status != MCPW_OK) {
        (void)!mcpw_respond_error(request, MCPW_RPC_INTERNAL_ERROR, mcpw_status_text(status),
                                  mcpw_json_from(NULL));
    }
}

int fixture_run_timers(fixture *f) {
    const uint64_t now = mcpw_io_now();
    uint64_t next = UINT64_MAX;
    for (fixture_timer **link = &f->timers; *link != NULL;) {
        fixture_timer *const timer = *link;
        if (timer->request != NULL && timer->due <= now) {
            take_turn(timer);
        }
        if (timer->request == NULL) {
            *link = timer->next;
            free(timer);
            continue;
        }
        next = timer->due < next ? timer->due : next;
        link = &timer->next;
    }
    if (next == UINT64_MAX) {
        return -1;
    }
    const uint64_t wait = next > now ? next - now : 0;
    return wait < INT_MAX ? (int)wait : INT_MAX;
}
