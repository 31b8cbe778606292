/* SPDX-License-Identifier: MIT */
#include "changes.h"

#include <string.h>

struct mcpw_server_loop {
    mcpw_job job; /* stands first: the loop runs it */
    mcpw_server_loop *next;
    mcpw_changes *changes;
    const mcpw_executor *executor;
    void *self;
    size_t uses;      /* by sessions, and by the transport */
    bool handed_over; /* the job waits for the loop */
};

mcpw_status mcpw_changes_begin(mcpw_changes *changes, mcpw_server *server,
                               const mcpw_changes_callbacks *callbacks, const mcpw_allocator *allocator) {
    memset(changes, 0, sizeof *changes);
    changes->allocator = allocator;
    changes->server = server;
    changes->callbacks = callbacks;
    changes->waiting.end = &changes->waiting.first;
    changes->lock = mcpw_lock_new(allocator);
    return changes->lock != NULL ? MCPW_OK : MCPW_E_MEMORY;
}

static void drop_loop(mcpw_changes *changes, mcpw_server_loop *loop) {
    if (loop->handed_over) {
        loop->executor->withdraw(loop->self, &loop->job);
    }
    (void)mcpw_resize(changes->allocator, loop, sizeof *loop, 0);
}

void mcpw_changes_end(mcpw_changes *changes) {
    while (changes->loops != NULL) {
        mcpw_server_loop *const loop = changes->loops;
        changes->loops = loop->next;
        drop_loop(changes, loop);
    }
    mcpw_waiting_free(changes, &changes->waiting);
    mcpw_lock_free(changes->lock, changes->allocator);
    changes->lock = NULL;
}

/* ---- Loops --------------------------------------------------------------------------------------------- */

/* The place of a loop in the list, or the end of that. */
static mcpw_server_loop **place_of(mcpw_changes *changes, const void *self) {
    mcpw_server_loop **at = &changes->loops;
    while (*at != NULL && (*at)->self != self) {
        at = &(*at)->next;
    }
    return at;
}

static void run_job(mcpw_job *job) {
    mcpw_server_loop *const loop = (mcpw_server_loop *)(void *)job;
    mcpw_changes *const changes = loop->changes;
    mcpw_lock_take(changes->lock);
    loop->handed_over = false;
    mcpw_lock_give(changes->lock);
    changes->callbacks->tell(changes->server); /* whose callbacks may end the loop */
}

mcpw_status mcpw_changes_join(mcpw_changes *changes, const mcpw_executor *executor, void *self) {
    mcpw_status status = MCPW_OK;
    mcpw_lock_take(changes->lock);
    mcpw_server_loop **const at = place_of(changes, self);
    if (*at == NULL) {
        mcpw_server_loop *const loop = mcpw_resize(changes->allocator, NULL, 0, sizeof *loop);
        if (loop != NULL) {
            *loop = (mcpw_server_loop){
                .job.run = run_job, .changes = changes, .executor = executor, .self = self};
        }
        *at = loop;
        status = loop != NULL ? MCPW_OK : MCPW_E_MEMORY;
    }
    if (*at != NULL) {
        (*at)->uses++;
    }
    mcpw_lock_give(changes->lock);
    return status;
}

void mcpw_changes_leave(mcpw_changes *changes, const void *self) {
    mcpw_lock_take(changes->lock);
    mcpw_server_loop **const at = place_of(changes, self);
    mcpw_server_loop *const loop = *at;
    void *const ended = loop != NULL && --loop->uses == 0 ? loop->self : NULL;
    if (ended != NULL) {
        *at = loop->next;
        drop_loop(changes, loop);
    }
    if (changes->loops == NULL) { /* no listener is left */
        mcpw_waiting_free(changes, &changes->waiting);
    }
    mcpw_lock_give(changes->lock);
    if (ended != NULL) {
        changes->callbacks->left(changes->server, ended);
    }
}

/* ---- What waits ---------------------------------------------------------------------------------------- */

void mcpw_waiting_free(mcpw_changes *changes, mcpw_waiting *waiting) {
    while (waiting->first != NULL) {
        mcpw_waiting_uri *const uri = waiting->first;
        waiting->first = uri->next;
        (void)mcpw_resize(changes->allocator, uri, sizeof *uri + uri->len + 1, 0);
    }
    memset(waiting, 0, sizeof *waiting);
    waiting->end = &waiting->first;
}

static bool is_waiting(const mcpw_waiting *waiting, mcpw_str uri) {
    const mcpw_waiting_uri *at = waiting->first;
    while (at != NULL && (at->len != uri.len || memcmp(at + 1, uri.ptr, uri.len) != 0)) {
        at = at->next;
    }
    return at != NULL;
}

/* Without room or memory for one more, every resource that is watched counts as changed: a client may read
 * one in vain, but it misses nothing. */
static void put_uri(mcpw_changes *changes, mcpw_str uri) {
    mcpw_waiting *const waiting = &changes->waiting;
    mcpw_waiting_uri *fresh = NULL;
    if (waiting->all || is_waiting(waiting, uri)) {
        return;
    }
    if (waiting->count < MCPW_WAITING_URIS) {
        fresh = mcpw_resize(changes->allocator, NULL, 0, sizeof *fresh + uri.len + 1);
    }
    if (fresh == NULL) {
        const unsigned lists = waiting->lists;
        const char *const misused = waiting->misused;
        mcpw_waiting_free(changes, waiting);
        waiting->lists = lists;
        waiting->misused = misused;
        waiting->all = true;
        return;
    }
    fresh->next = NULL;
    fresh->len = uri.len;
    memcpy(fresh + 1, uri.ptr, uri.len);
    ((char *)(fresh + 1))[uri.len] = '\0';
    *waiting->end = fresh;
    waiting->end = &fresh->next;
    waiting->count++;
}

/* With the lock held. */
static void hand_over(const mcpw_changes *changes) {
    for (mcpw_server_loop *loop = changes->loops; loop != NULL; loop = loop->next) {
        if (!loop->handed_over) {
            loop->handed_over = true;
            loop->executor->hand_over(loop->self, &loop->job);
        }
    }
}

static bool is_within(const mcpw_changes *changes) {
    const mcpw_server_loop *loop = changes->loops;
    while (loop != NULL && !loop->executor->is_within(loop->self)) {
        loop = loop->next;
    }
    return loop != NULL;
}

/* While there is no loop, sessions may be looked for only under the lock: the first loop may join on another
 * thread. From then on sessions come and go on that one alone. */
bool mcpw_changes_wait(mcpw_changes *changes, mcpw_change change, mcpw_str uri) {
    mcpw_lock_take(changes->lock);
    const bool waits = changes->loops != NULL && !is_within(changes);
    if (waits && change == MCPW_CHANGE_RESOURCE) {
        put_uri(changes, uri);
    } else if (waits) {
        changes->waiting.lists |= 1U << change;
    }
    if (waits) {
        hand_over(changes);
    }
    const bool is_done =
        waits || (changes->loops == NULL && !changes->callbacks->is_marked_ready(changes->server));
    mcpw_lock_give(changes->lock);
    return is_done;
}

bool mcpw_changes_misused(mcpw_changes *changes, const char *function) {
    mcpw_lock_take(changes->lock);
    const mcpw_server_loop *loop = changes->loops;
    while (loop != NULL && !loop->executor->is_away(loop->self, false)) {
        loop = loop->next;
    }
    if (loop != NULL) {
        changes->waiting.misused = function;
        hand_over(changes);
    }
    mcpw_lock_give(changes->lock);
    return loop != NULL;
}

mcpw_waiting mcpw_changes_take(mcpw_changes *changes) {
    mcpw_lock_take(changes->lock);
    mcpw_waiting taken = changes->waiting;
    memset(&changes->waiting, 0, sizeof changes->waiting);
    changes->waiting.end = &changes->waiting.first;
    mcpw_lock_give(changes->lock);
    return taken;
}
