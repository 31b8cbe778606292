/* SPDX-License-Identifier: MIT */
/*
 * The requests of ours that are pending. A list has them in the order in which they were made. A table
 * finds them by what the peer says: the id on the wire, and the number that stays and is the token of their
 * progress. A heap has them by when they are due. However many there are, nothing walks over all of them.
 */
#include "pending.h"

#include "../requests/passage.h"
#include "listed.h"

enum {
    CHILDREN = 2,   /* of each place in the heap */
    FIRST_CLOCK = 8 /* places of the heap */
};

/* ---- By id and by number ---- */

typedef enum by { BY_ID, BY_NUMBER } by;

static int64_t key_of(const mcpw_pending *p, by by) { return by == BY_ID ? p->id : p->number; }

static uint32_t hash_of(int64_t key, by by) { return (uint32_t)key << 1 | by; }

static mcpw_pending *pending_of(const mcpw_hash_link *link) {
    return MCPW_HOLDER_OF(link - (link->hash & 1), mcpw_pending, place.by);
}

static void put(mcpw_pending *p, by by) {
    mcpw_hash_table *const t = &p->session->pending.by;
    (void)mcpw_table_reserve(t, &p->session->config->allocator);
    mcpw_table_put(t, p->place.by + by, hash_of(key_of(p, by), by));
}

static void drop(mcpw_pending *p, by by) {
    if (key_of(p, by) != 0) {
        mcpw_table_drop(&p->session->pending.by, p->place.by + by);
    }
}

static mcpw_pending *find(mcpw_session *session, by by, int64_t key) {
    const uint32_t hash = hash_of(key, by);
    const mcpw_hash_link *link = key > 0 ? mcpw_table_first(&session->pending.by, hash) : NULL;
    while (link != NULL && (link->hash != hash || key_of(pending_of(link), by) != key)) {
        link = link->next;
    }
    return link != NULL ? pending_of(link) : NULL;
}

void mcpw_pending_take_number(mcpw_pending *p) {
    p->number = p->session->next_id++;
    put(p, BY_NUMBER);
}

void mcpw_pending_take_id(mcpw_pending *p) {
    if (p->number == 0) {
        mcpw_pending_take_number(p);
        p->id = p->number;
    } else {
        p->id = p->session->next_id++;
    }
    put(p, BY_ID);
}

void mcpw_pending_drop_id(mcpw_pending *p) {
    drop(p, BY_ID);
    p->id = 0;
}

mcpw_pending *mcpw_pending_find(mcpw_session *session, int64_t id) {
    mcpw_pending *const p = find(session, BY_ID, id);
    return p != NULL && p->kind == MCPW_PENDING_SENT ? p : NULL;
}

/* The number that a text of decimal digits stands for; 0: none. */
static int64_t number_in(mcpw_str text) {
    enum { TEN = 10, MOST_DIGITS = 18 /* that fit whatever they are */ };
    int64_t number = 0;
    if (text.len == 0 || text.len > MOST_DIGITS || text.ptr[0] == '0') {
        return 0;
    }
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9') {
            return 0;
        }
        number = number * TEN + (text.ptr[i] - '0');
    }
    return number;
}

mcpw_pending *mcpw_pending_answered(mcpw_session *session, const mcpw_id *id) {
    if (id->kind == MCPW_ID_INTEGER) {
        return mcpw_pending_find(session, id->as.integer);
    }
    return id->kind == MCPW_ID_STRING && session->config->lenient
               ? mcpw_pending_find(session, number_in(id->as.string))
               : NULL;
}

mcpw_pending *mcpw_pending_numbered(mcpw_session *session, int64_t number) {
    return find(session, BY_NUMBER, number);
}

/* ---- By when they are due ---- */

static void put_at(mcpw_pending_table *t, size_t at, mcpw_pending *p) {
    t->clock[at] = p;
    p->clock.at = at;
}

static void sift_up(mcpw_pending_table *t, size_t at, mcpw_pending *p) {
    while (at != 0 && t->clock[(at - 1) / CHILDREN]->clock.due > p->clock.due) {
        put_at(t, at, t->clock[(at - 1) / CHILDREN]);
        at = (at - 1) / CHILDREN;
    }
    put_at(t, at, p);
}

static void sift_down(mcpw_pending_table *t, size_t at, mcpw_pending *p) {
    for (size_t child = at * CHILDREN + 1; child < t->clock_count; child = at * CHILDREN + 1) {
        if (child + 1 < t->clock_count && t->clock[child + 1]->clock.due < t->clock[child]->clock.due) {
            child++;
        }
        if (t->clock[child]->clock.due >= p->clock.due) {
            break;
        }
        put_at(t, at, t->clock[child]);
        at = child;
    }
    put_at(t, at, p);
}

static void stop_clock(mcpw_pending *p) {
    mcpw_pending_table *const t = &p->session->pending;
    if (p->clock.due == UINT64_MAX) {
        return;
    }
    mcpw_pending *const last = t->clock[--t->clock_count];
    if (last != p) {
        const size_t at = p->clock.at;
        sift_down(t, at, last);
        sift_up(t, last->clock.at, last);
    }
    p->clock.due = UINT64_MAX;
}

void mcpw_pending_set_due(mcpw_pending *p, uint64_t due) {
    mcpw_pending_table *const t = &p->session->pending;
    stop_clock(p);
    p->clock.due = due;
    if (due != UINT64_MAX) {
        sift_up(t, t->clock_count++, p);
    }
}

void mcpw_pending_put_off(mcpw_session *session, uint64_t ms) {
    for (size_t i = 0; i < session->pending.clock_count; i++) { /* their order stays the same */
        mcpw_pending *const p = session->pending.clock[i];
        p->clock.due = mcpw_later(p->clock.due, ms);
        p->clock.due_at_last = mcpw_later(p->clock.due_at_last, ms);
    }
}

mcpw_pending *mcpw_pending_first_due(const mcpw_session *session) {
    return session->pending.clock_count != 0 ? session->pending.clock[0] : NULL;
}

/* Makes a place for each request that there is, so that setting a time never fails. */
static bool make_clock_room(mcpw_session *session) {
    mcpw_pending_table *const t = &session->pending;
    if (t->count < t->clock_capacity) {
        return true;
    }
    const size_t capacity = t->clock_capacity != 0 ? 2 * t->clock_capacity : FIRST_CLOCK;
    mcpw_pending **const clock =
        mcpw_resize(&session->config->allocator, t->clock, t->clock_capacity * sizeof *t->clock,
                    capacity * sizeof *t->clock);
    if (clock != NULL) {
        t->clock = clock;
        t->clock_capacity = capacity;
    }
    return clock != NULL;
}

/* ---- The objects ---- */

mcpw_pending *mcpw_pending_new(mcpw_session *session) {
    mcpw_pending_table *const t = &session->pending;
    mcpw_pending *p = t->idle;
    if (!make_clock_room(session)) {
        return NULL;
    }
    if (p != NULL) {
        t->idle = p->place.next;
        t->idle_count--;
    } else {
        p = mcpw_session_alloc(session, sizeof *p);
        if (p == NULL) {
            return NULL;
        }
        p->arena = (mcpw_arena)MCPW_ARENA_INIT;
        p->arena.allocator = session->config->allocator;
        p->session = session;
    }
    p->place.next = NULL;
    p->place.at = t->end;
    *t->end = p;
    t->end = &p->place.next;
    t->count++;
    p->clock.due = p->clock.due_at_last = UINT64_MAX;
    return p;
}

/* A middleware that ends the request which it sees still has the passage, which lies in its memory. */
static void end_passage(mcpw_pending *p) {
    mcpw_arena *const outlives = p->passage->outlives;
    p->session->config->extensions->extended->end_passage(p->passage);
    if (outlives != NULL) {
        *outlives = p->arena;
        p->arena = (mcpw_arena)MCPW_ARENA_INIT;
        p->arena.allocator = p->session->config->allocator;
    }
}

void mcpw_pending_release(mcpw_pending *p) {
    mcpw_session *const session = p->session;
    mcpw_pending_table *const t = &session->pending;
    if (t->flushing == p) {
        t->flushing = p->place.next;
    }
    *p->place.at = p->place.next;
    if (p->place.next != NULL) {
        p->place.next->place.at = p->place.at;
    } else {
        t->end = p->place.at;
    }
    t->count--;
    stop_clock(p);
    drop(p, BY_ID);
    drop(p, BY_NUMBER);
    if (p->input.round != NULL) {
        p->input.round->callbacks->drop(
            p->input.round); /* user code may refuse what is left, which takes memory */
    }
    if (p->state != NULL && !p->traits.lends_state) {
        p->session->config->extensions->extended->end_state(p);
    }
    if (p->passage != NULL) {
        end_passage(p);
    }
    mcpw_listed_unref(session, p->tool);
    mcpw_arena arena = p->arena;
    if (t->idle_count >= MCPW_KEPT_IDLE) {
        mcpw_arena_free(&arena);
    } else {
        mcpw_arena_tidy(&arena);
    }
    memset(p, 0, sizeof *p);
    p->session = session;
    p->arena = arena;
    p->place.next = t->idle;
    t->idle = p;
    t->idle_count++;
}

void mcpw_pending_free(mcpw_session *session) {
    mcpw_pending_table *const t = &session->pending;
    while (t->idle != NULL) {
        mcpw_pending *const p = t->idle;
        t->idle = p->place.next;
        mcpw_arena_free(&p->arena);
        mcpw_session_release(session, p, sizeof *p);
    }
    mcpw_table_free(&t->by, &session->config->allocator);
    mcpw_session_release(session, t->clock, t->clock_capacity * sizeof(mcpw_pending *));
}

void mcpw_pending_trim(mcpw_session *session) {
    if (session->pending.count == 0) {
        mcpw_pending_free(session);
        memset(&session->pending, 0, sizeof session->pending);
        mcpw_pending_init(session);
    }
}
