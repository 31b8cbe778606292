/* SPDX-License-Identifier: MIT */
/* A store of events as a program may have one: nothing is asked of it about a session that was dropped, and
 * the events of a stream come to it in their order. Some of them it does not take. */
#include "http_stage.h"

static bool was_dropped(const stage_store *store, mcpw_str session) {
    const size_t held = store->drops < STAGE_DROPS ? store->drops : STAGE_DROPS;
    for (size_t i = 0; i < held; i++) {
        if (mcpw_str_is(session, store->dropped[i])) {
            return true;
        }
    }
    return false;
}

static bool is_of(const stage_record *r, mcpw_str session, uint64_t stream) {
    return r->text != NULL && r->stream == stream && mcpw_str_is(session, r->session);
}

static stage_record *record_at(stage_store *store, size_t number) {
    return store->records + number % STAGE_RECORDS;
}

static size_t first_of(const stage_store *store) {
    return store->count > STAGE_RECORDS ? store->count - STAGE_RECORDS : 0;
}

static mcpw_status append(void *self, mcpw_str session, uint64_t stream, uint64_t event, mcpw_str text) {
    enum { REFUSED = 11 };
    stage_store *const store = self;
    FUZZ_ASSERT(!was_dropped(store, session));
    FUZZ_ASSERT(text.len != 0 && event != 0);
    for (size_t i = first_of(store); i < store->count; i++) {
        const stage_record *const r = record_at(store, i);
        FUZZ_ASSERT(!is_of(r, session, stream) || r->event < event);
    }
    if (text.len % REFUSED == 0) {
        return MCPW_E_IO;
    }
    stage_record *const r = record_at(store, store->count++);
    free(r->text);
    (void)snprintf(r->session, sizeof r->session, "%.*s", (int)session.len, session.ptr);
    r->stream = stream;
    r->event = event;
    r->text = fuzz_copy(text.ptr, text.len);
    r->len = text.len;
    return MCPW_OK;
}

static mcpw_status replay(void *self, mcpw_str session, uint64_t stream, uint64_t after, mcpw_http_give *give,
                          void *user) {
    stage_store *const store = self;
    mcpw_status status = MCPW_OK;
    FUZZ_ASSERT(!was_dropped(store, session));
    for (size_t i = first_of(store); i < store->count && status == MCPW_OK; i++) {
        const stage_record *const r = record_at(store, i);
        if (is_of(r, session, stream) && r->event > after) {
            status = give(user, r->event, (mcpw_str){r->text, r->len});
        }
    }
    return status;
}

static void drop(void *self, mcpw_str session) {
    stage_store *const store = self;
    FUZZ_ASSERT(!was_dropped(store, session)); /* once */
    char *const to = store->dropped[store->drops++ % STAGE_DROPS];
    (void)snprintf(to, STAGE_ID, "%.*s", (int)session.len, session.ptr);
}

mcpw_http_store stage_store_of(stage *s) {
    return (mcpw_http_store){.self = &s->store, .append = append, .replay = replay, .drop = drop};
}

void stage_store_free(stage *s) {
    for (size_t i = 0; i < STAGE_RECORDS; i++) {
        free(s->store.records[i].text);
    }
}
