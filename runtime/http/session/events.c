/* SPDX-License-Identifier: MIT */
/* An event store in memory. The events of a session are stored in one buffer, oldest first. At the limit the
 * oldest are removed: first those of the session, then those of the session that was silent for longest. */
#include "events.h"

#include <mcpw/json.h>

enum { FIRST_BUCKETS = 64 };

/* The header of an event's text. */
typedef struct record {
    uint64_t stream;
    uint64_t number;
    size_t len;
} record;

/* The events of one session. */
typedef struct log {
    struct log *next; /* the next older one, by the time of the last event */
    struct log *previous;
    struct log *same; /* the next one in its bucket */
    mcpw_buffer records;
    size_t first; /* the offset of the oldest event */
    size_t count;
    size_t id_len; /* the id follows the struct */
} log;

struct mcpw_events {
    mcpw_allocator allocator;
    size_t max_count; /* of one session */
    size_t max_bytes;
    size_t max_all; /* bytes of all sessions */
    size_t all;     /* bytes in use */
    log *newest;
    log *oldest;
    log **buckets;
    size_t bucket_count; /* a power of two */
    size_t log_count;
};

/* ---- Logs ---- */

static mcpw_str id_of(const log *l) { return (mcpw_str){(const char *)(l + 1), l->id_len}; }

static log **bucket_of(const mcpw_events *events, mcpw_str id) {
    size_t hash = 5381;
    for (size_t i = 0; i < id.len; i++) {
        hash = hash * 33 ^ (unsigned char)id.ptr[i];
    }
    return events->buckets + (hash & (events->bucket_count - 1));
}

static log *find(const mcpw_events *events, mcpw_str id) {
    log *found = *bucket_of(events, id);
    while (found != NULL && !mcpw_str_equal(id_of(found), id)) {
        found = found->same;
    }
    return found;
}

static void unlink_log(mcpw_events *events, log *l) {
    *(l->previous != NULL ? &l->previous->next : &events->newest) = l->next;
    *(l->next != NULL ? &l->next->previous : &events->oldest) = l->previous;
}

static void link_newest(mcpw_events *events, log *l) {
    l->previous = NULL;
    l->next = events->newest;
    *(events->newest != NULL ? &events->newest->previous : &events->oldest) = l;
    events->newest = l;
}

/* Keeps the number of logs close to the number of buckets. Without memory the lookup gets slower. */
static void grow(mcpw_events *events) {
    const size_t count = 2 * events->bucket_count;
    log **const old = events->buckets;
    if (events->log_count < events->bucket_count) {
        return;
    }
    log **const buckets = mcpw_resize(&events->allocator, NULL, 0, count * sizeof *buckets);
    if (buckets == NULL) {
        return;
    }
    memset(buckets, 0, count * sizeof *buckets);
    (void)mcpw_resize(&events->allocator, old, events->bucket_count * sizeof *old, 0);
    events->buckets = buckets;
    events->bucket_count = count;
    for (log *l = events->newest; l != NULL; l = l->next) {
        log **const bucket = bucket_of(events, id_of(l));
        l->same = *bucket;
        *bucket = l;
    }
}

static log *add(mcpw_events *events, mcpw_str id) {
    log *const l = mcpw_resize(&events->allocator, NULL, 0, sizeof *l + id.len);
    if (l == NULL) {
        return NULL;
    }
    memset(l, 0, sizeof *l);
    memcpy(l + 1, id.ptr, id.len);
    l->id_len = id.len;
    l->records = (mcpw_buffer)MCPW_BUFFER_INIT;
    l->records.allocator = events->allocator;
    grow(events);
    log **const bucket = bucket_of(events, id);
    l->same = *bucket;
    *bucket = l;
    link_newest(events, l);
    events->log_count++;
    return l;
}

static void free_log(mcpw_events *events, log *l) {
    log **at = bucket_of(events, id_of(l));
    while (*at != l) {
        at = &(*at)->same;
    }
    *at = l->same;
    unlink_log(events, l);
    events->all -= l->records.len - l->first;
    events->log_count--;
    mcpw_buffer_free(&l->records);
    (void)mcpw_resize(&events->allocator, l, sizeof *l + l->id_len, 0);
}

/* ---- Records ---- */

static record record_at(const log *l, size_t at) {
    record r = {0};
    if (l->records.data != NULL) {
        memcpy(&r, l->records.data + at, sizeof r);
    }
    return r;
}

static void drop_oldest(mcpw_events *events, log *l) {
    const size_t size = sizeof(record) + record_at(l, l->first).len;
    l->first += size;
    l->count--;
    events->all -= size;
}

/* Moves the records to the beginning, if the gap is at least as large as they are. */
static void close_gap(log *l) {
    const size_t used = l->records.len - l->first;
    if (l->records.data != NULL && l->first != 0 && l->first >= used) {
        memmove(l->records.data, l->records.data + l->first, used);
        l->records.len = used;
        l->first = 0;
    }
}

/* Makes room for one more record of that size; false: it exceeds the limits. */
static bool make_room(mcpw_events *events, log *l, size_t size) {
    if (size > events->max_bytes || size > events->max_all) {
        return false;
    }
    while (l->count != 0 &&
           (l->count >= events->max_count || l->records.len - l->first > events->max_bytes - size)) {
        drop_oldest(events, l);
    }
    while (events->all > events->max_all - size) {
        log *const oldest = events->oldest;
        if (oldest->count != 0) {
            drop_oldest(events, oldest);
        }
        if (oldest->count == 0 && oldest != l) {
            free_log(events, oldest);
        }
    }
    close_gap(l);
    return true;
}

static mcpw_status append(void *self, mcpw_str session, uint64_t stream, uint64_t number, mcpw_str text) {
    mcpw_events *const events = self;
    const record r = {stream, number, text.len};
    log *const found = find(events, session);
    log *const l = found != NULL ? found : add(events, session);
    if (l == NULL) {
        return MCPW_E_MEMORY;
    }
    unlink_log(events, l);
    link_newest(events, l);
    if (!make_room(events, l, sizeof r + text.len)) {
        return MCPW_E_SIZE;
    }
    const size_t before = l->records.len;
    mcpw_status status = mcpw_buffer_append(&l->records, &r, sizeof r);
    status = status == MCPW_OK ? mcpw_buffer_append(&l->records, text.ptr, text.len) : status;
    if (status != MCPW_OK) {
        l->records.len = before;
        return status;
    }
    l->count++;
    events->all += sizeof r + text.len;
    return MCPW_OK;
}

static mcpw_status replay(void *self, mcpw_str session, uint64_t stream, uint64_t after, mcpw_http_give *give,
                          void *user) {
    const log *const l = find(self, session);
    mcpw_status status = MCPW_OK;
    for (size_t at = l != NULL ? l->first : 0; l != NULL && at != l->records.len && status == MCPW_OK;) {
        const record r = record_at(l, at);
        if (r.stream == stream && r.number > after) {
            status = give(user, r.number, (mcpw_str){l->records.data + at + sizeof r, r.len});
        }
        at += sizeof r + r.len;
    }
    return status;
}

static void drop(void *self, mcpw_str session) {
    log *const l = find(self, session);
    if (l != NULL) {
        free_log(self, l);
    }
}

/* ---- The store ---- */

mcpw_events *mcpw_events_new(const mcpw_http_config *config, mcpw_http_store *store) {
    mcpw_events *const events = mcpw_resize(&config->allocator, NULL, 0, sizeof *events);
    if (events == NULL) {
        return NULL;
    }
    memset(events, 0, sizeof *events);
    events->allocator = config->allocator;
    events->max_count = config->max_events;
    events->max_bytes = config->max_event_bytes;
    events->max_all = config->max_store_bytes;
    events->buckets = mcpw_resize(&config->allocator, NULL, 0, FIRST_BUCKETS * sizeof *events->buckets);
    if (events->buckets == NULL) {
        mcpw_events_free(events);
        return NULL;
    }
    memset(events->buckets, 0, FIRST_BUCKETS * sizeof *events->buckets);
    events->bucket_count = FIRST_BUCKETS;
    *store = (mcpw_http_store){.self = events, .append = append, .replay = replay, .drop = drop};
    return events;
}

void mcpw_events_free(mcpw_events *events) {
    if (events == NULL) {
        return;
    }
    const mcpw_allocator allocator = events->allocator;
    while (events->newest != NULL) {
        free_log(events, events->newest);
    }
    (void)mcpw_resize(&allocator, events->buckets, events->bucket_count * sizeof *events->buckets, 0);
    (void)mcpw_resize(&allocator, events, sizeof *events, 0);
}
