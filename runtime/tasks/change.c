/* SPDX-License-Identifier: MIT */
/* Records are read, changed and written back, and those who follow their tasks are told. */
#include "keeper.h"

#include <mcpw/codec.h>

enum { MOST_TRIES = 8 /* of a change while others change the record, too */ };

/* ---- Reading ---- */

/* Copies a text to a place that has room for it, and returns the place after it. */
static char *put(char *at, mcpw_str *text) {
    if (text->ptr == NULL) {
        text->len = 0;
        return at;
    }
    memcpy(at, text->ptr, text->len);
    text->ptr = at;
    return at + text->len;
}

/* Copies an entry with its texts, which lie one after the other. */
static void take(void *user, const mcpw_task_entry *entry) {
    mcpw_task_copy *const copy = user;
    copy->entry = *entry;
    copy->status =
        mcpw_buffer_reserve(&copy->text, entry->text.len + entry->worker.len + entry->principal.len + 1);
    if (copy->status != MCPW_OK) {
        return;
    }
    char *at = copy->text.data;
    at = put(at, &copy->entry.worker);
    at = put(at, &copy->entry.principal);
    at = put(at, &copy->entry.text);
    copy->text.len = (size_t)(at - copy->text.data);
    copy->status = mcpw_task_record_read(copy->entry.text, &copy->record);
}

static mcpw_status read_once(const mcpw_task_keeper *keeper, mcpw_str id, mcpw_task_copy *copy) {
    copy->text.len = 0;
    copy->status = MCPW_E_NOT_FOUND;
    const mcpw_status status =
        keeper->store->read(keeper->store->self, id, keeper->config.max_record_bytes, take, copy);
    copy->entry.id = id;
    return status == MCPW_OK ? copy->status : status;
}

/* Whether nobody will ever finish a task that is worked on. */
static bool is_lost(const mcpw_task_keeper *keeper, const mcpw_task_entry *entry) {
    const mcpw_task_live *live = NULL;
    if (entry->worker.ptr == NULL) {
        return false;
    }
    if (!mcpw_str_is(entry->worker, keeper->store->worker)) {
        return entry->is_orphan;
    }
    live = mcpw_task_live_find(keeper, entry->id);
    return live == NULL || live->loop == NULL;
}

void mcpw_keeper_fail(mcpw_task_record *record, mcpw_json error) {
    record->status = MCPW_RECORD_FAILED;
    record->parts[MCPW_TASK_ERROR] = (mcpw_str){error.ptr, error.len};
}

/* Leaves of a final record what its readers need. */
static void strip(mcpw_task_record *record) {
    for (int part = 0; mcpw_record_is_final(record->status) && part < MCPW_TASK_PART_COUNT; part++) {
        const bool is_kept = part == MCPW_TASK_MESSAGE ||
                             (part == MCPW_TASK_RESULT && record->status == MCPW_RECORD_COMPLETED) ||
                             (part == MCPW_TASK_ERROR && record->status == MCPW_RECORD_FAILED);
        record->parts[part] = is_kept ? record->parts[part] : (mcpw_str){NULL, 0};
    }
}

/* Writes a changed record in place of the one that was read. */
static mcpw_status write_back(mcpw_task_keeper *keeper, mcpw_task_copy *copy, mcpw_str worker) {
    static const mcpw_json too_large =
        MCPW_JSON("{\"code\":-32603,\"message\":\"The result of the task is too large\"}");
    mcpw_task_entry entry = copy->entry;
    mcpw_buffer text = MCPW_BUFFER_INIT;
    text.allocator = keeper->config.allocator;
    const uint64_t now = mcpw_task_now(keeper);
    copy->record.updated_at = now > copy->record.updated_at ? now : copy->record.updated_at;
    entry.version++;
    entry.is_orphan = false;
    for (bool again = true; again;) {
        again = false;
        strip(&copy->record);
        text.len = 0;
        copy->status = mcpw_task_record_write(&copy->record, &text);
        entry.is_final = mcpw_record_is_final(copy->record.status);
        entry.worker = entry.is_final ? (mcpw_str){NULL, 0} : worker;
        entry.text = mcpw_keeper_text(&text);
        if (copy->status == MCPW_OK) {
            copy->status = text.len <= keeper->config.max_record_bytes
                               ? keeper->store->replace(keeper->store->self, &entry, &keeper->limits)
                               : MCPW_E_SIZE;
        }
        if (copy->status == MCPW_E_SIZE && copy->record.status != MCPW_RECORD_FAILED) {
            mcpw_keeper_fail(&copy->record, too_large);
            again = true;
        }
    }
    mcpw_buffer_free(&text);
    return copy->status;
}

static mcpw_status fail_lost(mcpw_task_keeper *keeper, mcpw_task_copy *copy) {
    static const mcpw_json lost =
        MCPW_JSON("{\"code\":-32603,\"message\":\"The process that ran the task has ended\"}");
    mcpw_keeper_fail(&copy->record, lost);
    copy->record.parts[MCPW_TASK_MESSAGE] = mcpw_str_from("The process that ran the task has ended");
    return write_back(keeper, copy, (mcpw_str){NULL, 0});
}

/* Fails a task whose worker has ended. */
static mcpw_status end_lost(mcpw_task_keeper *keeper, mcpw_task_copy *copy) {
    mcpw_status status = MCPW_OK;
    if (!mcpw_record_is_final(copy->record.status) && is_lost(keeper, &copy->entry)) {
        status = fail_lost(keeper, copy);
        status = status == MCPW_E_STATE ? read_once(keeper, copy->entry.id, copy) : status;
    }
    return status;
}

mcpw_status mcpw_keeper_read(mcpw_task_keeper *keeper, mcpw_str id, mcpw_arena *arena, mcpw_task_copy *copy) {
    mcpw_buffer text = MCPW_BUFFER_INIT;
    text.allocator = keeper->config.allocator;
    *copy =
        (mcpw_task_copy){.text = arena != NULL ? mcpw_buffer_in(arena) : text, .entry = MCPW_TASK_ENTRY_INIT};
    mcpw_status status = read_once(keeper, id, copy);
    return status == MCPW_OK ? end_lost(keeper, copy) : status;
}

mcpw_status mcpw_keeper_read_own(mcpw_task_keeper *keeper, mcpw_str id, mcpw_request *request,
                                 mcpw_task_copy *copy) {
    const mcpw_status status = mcpw_keeper_read(keeper, id, mcpw_request_arena(request), copy);
    return status == MCPW_OK && !mcpw_str_equal(copy->entry.principal, mcpw_request_principal(request))
               ? MCPW_E_NOT_FOUND
               : status;
}

/* A record that somebody looks at. */
typedef struct looking {
    const mcpw_task_keeper *keeper;
    mcpw_str id;
    mcpw_str principal;
    bool core;
    mcpw_task_copy *copy;
} looking;

static void take_view(void *user, const mcpw_task_entry *entry) {
    const looking *const l = user;
    const mcpw_task_view *const view = mcpw_task_view_find(&l->keeper->views, l->id, l->core, entry->version);
    if (view == NULL || (!entry->is_final && is_lost(l->keeper, entry))) {
        take(l->copy, entry);
        return;
    }
    l->copy->view = view;
    l->copy->status = mcpw_str_equal(entry->principal, l->principal) ? MCPW_OK : MCPW_E_NOT_FOUND;
}

mcpw_status mcpw_keeper_look(mcpw_task_keeper *keeper, mcpw_str id, bool core, mcpw_request *request,
                             mcpw_task_copy *copy) {
    const mcpw_str principal = mcpw_request_principal(request);
    looking l = {keeper, id, principal, core, copy};
    *copy = (mcpw_task_copy){.text = mcpw_buffer_in(mcpw_request_arena(request)),
                             .entry = MCPW_TASK_ENTRY_INIT,
                             .status = MCPW_E_NOT_FOUND};
    mcpw_status status =
        keeper->store->read(keeper->store->self, id, keeper->config.max_record_bytes, take_view, &l);
    status = status == MCPW_OK ? copy->status : status;
    copy->entry.id = id;
    if (status != MCPW_OK || copy->view != NULL) {
        return status;
    }
    status = end_lost(keeper, copy);
    return status == MCPW_OK && !mcpw_str_equal(copy->entry.principal, principal) ? MCPW_E_NOT_FOUND : status;
}

void mcpw_task_copy_free(mcpw_task_copy *copy) { mcpw_buffer_free(&copy->text); }

/* ---- Telling ---- */

void mcpw_task_tell_client(const mcpw_task_client *client, const char *method, mcpw_json params,
                           const mcpw_allocator *allocator) {
    const mcpw_revision *const revision = mcpw_session_revision(client->session);
    const int number = revision != NULL ? mcpw_method_number(revision, method, strlen(method)) : 0;
    const mcpw_type *const type =
        number != 0 ? mcpw_method_params(mcpw_method_entry(revision, number)) : NULL;
    mcpw_arena arena = MCPW_ARENA_INIT;
    arena.allocator = *allocator;
    void *const value = type != NULL ? mcpw_arena_alloc(&arena, mcpw_type_size(type)) : NULL;
    if (value != NULL && mcpw_decode(type, params.ptr, params.len, &arena, value, NULL, NULL) == MCPW_OK) {
        const mcpw_status status = mcpw_session_notify(client->session, revision, number, value, NULL);
        (void)status; /* nothing depends on it */
    }
    mcpw_arena_free(&arena);
}

void mcpw_task_tell_more(mcpw_task_keeper *keeper, const mcpw_task_live *live, const char *method,
                         mcpw_buffer *begun, mcpw_status status, mcpw_json params, const char *const *but) {
    if (status == MCPW_OK) {
        begun->len--; /* the brace, after which the other members come */
        status = mcpw_json_append_members(begun, params, but);
        status = status == MCPW_OK ? mcpw_buffer_append(begun, "}", 1) : status;
    }
    if (status == MCPW_OK) {
        mcpw_task_tell_client(live->client, method, mcpw_json_of(begun->data, begun->len),
                              &keeper->config.allocator);
    }
    mcpw_buffer_free(begun);
}

static void tell(mcpw_task_keeper *keeper, const mcpw_task_live *live, mcpw_str id,
                 const mcpw_task_record *record) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_json_writer w;
    mcpw_json params;
    out.allocator = keeper->config.allocator;
    mcpw_json_write_into(&w, &out);
    mcpw_json_write_object(&w);
    if (live->listeners != 0) {
        mcpw_task_write_detailed(&w, id, record);
    } else {
        mcpw_task_write(&w, id, record, true);
    }
    mcpw_json_write_close(&w);
    mcpw_status status = mcpw_json_write_end(&w, &params);
    if (status == MCPW_OK && live->listeners != 0) {
        status = mcpw_server_notify_named(keeper->server, "notifications/tasks", "taskIds", id, params, NULL);
    } else if (status == MCPW_OK) {
        mcpw_task_tell_client(live->client, "notifications/tasks/status", params, &keeper->config.allocator);
    }
    mcpw_buffer_free(&out);
}

/* Takes the first request that waits for a task, and has waited since before a pass; NULL: there is none.
 * With `asks` one whose client is asked for input, else one that only waits. */
static mcpw_task_waiter *take_waiter(const mcpw_task_keeper *keeper, mcpw_str id, uint64_t pass, bool asks) {
    mcpw_task_live *const live = mcpw_task_live_find(keeper, id);
    mcpw_task_waiter **at = live != NULL ? &live->waiters : NULL;
    while (at != NULL && *at != NULL && ((*at)->pass >= pass || (*at)->asks != asks)) {
        at = &(*at)->next;
    }
    mcpw_task_waiter *const found = at != NULL ? *at : NULL;
    if (found != NULL) {
        mcpw_task_waiter_unlink(live, at);
    }
    return found;
}

/* Frees a waiter, and returns its request, which is no longer watched. */
static mcpw_request *request_of(const mcpw_task_keeper *keeper, mcpw_task_waiter *waiter) {
    mcpw_request *const request = waiter->request;
    (void)mcpw_resize(&keeper->config.allocator, waiter, sizeof *waiter, 0);
    mcpw_request_on_cancel(request, NULL, NULL);
    return request;
}

/* One after the other is taken from the list, because each may end others, and may wait again. */
void mcpw_task_wake(mcpw_task_keeper *keeper, mcpw_str id) {
    const uint64_t pass = ++keeper->pass;
    mcpw_task_waiter *waiter = take_waiter(keeper, id, pass, false);
    for (; waiter != NULL; waiter = take_waiter(keeper, id, pass, false)) {
        const mcpw_status status = mcpw_request_resume(request_of(keeper, waiter));
        (void)status; /* a request that cannot run again has ended */
    }
}

/* Answers the requests whose clients are asked for input of a task that has ended. */
static void answer_askers(mcpw_task_keeper *keeper, mcpw_str id) {
    const uint64_t pass = ++keeper->pass;
    mcpw_task_waiter *waiter = take_waiter(keeper, id, pass, true);
    for (; waiter != NULL; waiter = take_waiter(keeper, id, pass, true)) {
        keeper->callbacks->answer(keeper, request_of(keeper, waiter), id);
    }
}

static void end_if_unused(mcpw_task_keeper *keeper, mcpw_str id) {
    mcpw_task_live *const live = mcpw_task_live_find(keeper, id);
    if (live != NULL && live->loop == NULL) {
        mcpw_task_live_end(keeper, live);
    }
}

void mcpw_task_lost(mcpw_task_keeper *keeper, const mcpw_task_live *live) {
    char text[MCPW_TASK_ID_LEN + 1];
    memcpy(text, live->id, sizeof text);
    const mcpw_str id = {text, MCPW_TASK_ID_LEN};
    mcpw_task_wake(keeper, id);
    answer_askers(keeper, id);
    end_if_unused(keeper, id);
}

void mcpw_task_changed(mcpw_task_keeper *keeper, mcpw_str id, const mcpw_task_record *record) {
    const mcpw_task_live *live = mcpw_task_live_find(keeper, id);
    const bool is_final = mcpw_record_is_final(record->status);
    if (live != NULL && (live->listeners != 0 || live->client != NULL)) {
        tell(keeper, live, id, record);
        live = mcpw_task_live_find(keeper, id);
    }
    if (live != NULL && live->waiters != NULL) {
        mcpw_task_wake(keeper, id);
        if (is_final) {
            answer_askers(keeper, id);
        }
    }
    if (is_final) {
        end_if_unused(keeper, id);
    }
}

/* ---- Changing ---- */

mcpw_status mcpw_keeper_update(mcpw_task_keeper *keeper, mcpw_str id, mcpw_task_change *change, void *user) {
    mcpw_task_copy copy;
    mcpw_status status = MCPW_E_STATE;
    for (int tries = 0; status == MCPW_E_STATE && tries < MOST_TRIES; tries++) {
        status = mcpw_keeper_read(keeper, id, NULL, &copy);
        mcpw_str worker = copy.entry.worker;
        const bool is_final = status == MCPW_OK && mcpw_record_is_final(copy.record.status);
        if (status == MCPW_OK && !is_final) {
            status = change(user, &copy.record, &worker);
            status = status == MCPW_OK ? write_back(keeper, &copy, worker) : status;
        }
        if (status == MCPW_OK && !is_final) {
            mcpw_task_changed(keeper, id, &copy.record);
        }
        mcpw_task_copy_free(&copy);
        if (is_final) {
            return MCPW_E_STATE;
        }
    }
    return status;
}
