/* SPDX-License-Identifier: MIT */
/* How a server begins and ends to keep tasks. */
#include "keeper.h"

#include <mcpw/system.h>

static const uint64_t default_ttl = 3600000;
static const uint64_t default_max_ttl = 86400000;
static const uint64_t default_poll_interval = 1000;
static const size_t default_max_tasks = 1000;
static const size_t default_max_bytes = (size_t)64 << 20;
static const size_t default_max_record = (size_t)16 << 20;
static const size_t default_max_running = 256;
static const size_t default_page = 50;
static const size_t default_view_bytes = (size_t)1 << 20;
/* The room of a store in memory by default. */
static const size_t default_all_tasks = 100000;
static const size_t default_all_bytes = (size_t)256 << 20;

static mcpw_status end_task(void *user, mcpw_task_record *record, mcpw_str *worker) {
    static const mcpw_json error =
        MCPW_JSON("{\"code\":-32603,\"message\":\"The server ended before the task was finished\"}");
    (void)user;
    mcpw_keeper_fail(record, error);
    worker->ptr = NULL;
    return MCPW_OK;
}

/* A task of a loop that was not ended yet; NULL: there is none in this bucket. */
static mcpw_task_live *next_to_end(const mcpw_task_keeper *keeper, const mcpw_task_loop *loop,
                                   size_t bucket) {
    mcpw_task_live *live = bucket < keeper->lives.bucket_count ? keeper->lives.buckets[bucket] : NULL;
    while (live != NULL && (live->loop != loop || live->is_ending)) {
        live = live->in_bucket;
    }
    return live;
}

/* Ends the tasks of a loop: nobody will take their outcome. Each bucket is read again after each, because
 * requests that wait for a task run then, and may end others. */
static void end_tasks(mcpw_task_keeper *keeper, const mcpw_task_loop *loop) {
    for (size_t i = 0; i < keeper->lives.bucket_count; i++) {
        mcpw_task_live *live = next_to_end(keeper, loop, i);
        for (; live != NULL; live = next_to_end(keeper, loop, i)) {
            live->is_ending = true;
            if (live->unsaved.len != 0) {
                mcpw_task_save_last(keeper, live); /* it has an outcome, which the store did not take */
            } else {
                const mcpw_status status =
                    mcpw_keeper_update(keeper, mcpw_str_from(live->id), end_task, NULL);
                (void)status; /* it may be final, or the store may be gone */
            }
        }
    }
}

/* Frees what is left of the tasks of a loop. */
static void release_lives(mcpw_task_keeper *keeper, const mcpw_task_loop *loop) {
    for (size_t i = 0; i < keeper->lives.bucket_count; i++) {
        mcpw_task_live *live = keeper->lives.buckets[i];
        while (live != NULL) {
            mcpw_task_live *const next = live->in_bucket;
            if (live->loop == loop) {
                live->loop = NULL;
                live->is_running = live->is_queued = false;
                mcpw_task_live_end(keeper, live);
            }
            live = next;
        }
    }
}

static void free_loop(mcpw_task_keeper *keeper, mcpw_task_loop *loop) {
    mcpw_task_loop **at = &keeper->loops;
    mcpw_task_lock(keeper);
    while (*at != loop) {
        at = &(*at)->next;
    }
    *at = loop->next;
    const bool hears = loop->hears; /* from now on nobody hands it over */
    if (hears) {
        mcpw_task_hear_elsewhere(keeper);
    }
    mcpw_task_unlock(keeper);
    if (hears) {
        mcpw_session_withdraw(loop->inner, &loop->hearing);
    }
    mcpw_session_on_output(loop->inner, NULL, NULL);
    if (loop->handed_over) {
        mcpw_session_withdraw(loop->inner, &loop->job);
    }
    loop->inside = true; /* nothing starts any more */
    end_tasks(keeper, loop);
    mcpw_session_free(loop->inner);
    release_lives(keeper, loop);
    mcpw_task_places_free(loop);
    (void)mcpw_resize(&keeper->config.allocator, loop, sizeof *loop, 0);
}

static void queue_ended(void *user, void *queue) {
    mcpw_task_keeper *const keeper = user;
    mcpw_task_loop *loop = keeper->loops;
    while (loop != NULL && loop->queue != queue) {
        loop = loop->next;
    }
    if (loop != NULL) {
        free_loop(keeper, loop);
    }
}

/* ---- Begin and end ---- */

static void release(mcpw_task_keeper *keeper) {
    const mcpw_allocator allocator = keeper->config.allocator;
    mcpw_task_memory_free(keeper->own_store);
    mcpw_lock_free(keeper->lock, &allocator);
    (void)mcpw_resize(&allocator, keeper, sizeof *keeper, 0);
}

static void freed(void *user) {
    mcpw_task_keeper *const keeper = user;
    if (keeper->lock != NULL) {
        keeper->store->follow(keeper->store->self, NULL, NULL);
    }
    while (keeper->loops != NULL) {
        free_loop(keeper, keeper->loops);
    }
    mcpw_endpoint_free(keeper->endpoint);
    mcpw_task_lives_free(keeper);
    mcpw_task_views_free(&keeper->views);
    release(keeper);
}

static bool accepts(mcpw_request *request, mcpw_str name, void *user) {
    mcpw_task_keeper *const keeper = user;
    mcpw_task_copy copy;
    mcpw_error error;
    /* the loop takes changes of other processes */
    const bool has_loop = mcpw_task_loop_of(keeper, mcpw_request_session(request), &error) != NULL;
    if (!has_loop || name.len != MCPW_TASK_ID_LEN) {
        return false;
    }
    const mcpw_status status = mcpw_keeper_read_own(keeper, name, request, &copy);
    mcpw_task_live *const live = status == MCPW_OK ? mcpw_task_live_make(keeper, name) : NULL;
    mcpw_task_copy_free(&copy);
    if (live != NULL) {
        live->listeners++;
    }
    return live != NULL;
}

static void listener_ended(mcpw_str name, void *user) {
    mcpw_task_keeper *const keeper = user;
    mcpw_task_live *const live = mcpw_task_live_find(keeper, name);
    if (live != NULL && live->listeners != 0) {
        live->listeners--;
        mcpw_task_live_release(keeper, live);
    }
}

static void set_defaults(mcpw_task_keeper *keeper) {
    mcpw_tasks_config *const c = &keeper->config;
    c->max_ttl_ms = c->max_ttl_ms != 0 ? c->max_ttl_ms : default_max_ttl;
    c->ttl_ms = c->ttl_ms != 0 ? c->ttl_ms : default_ttl;
    c->ttl_ms = c->ttl_ms < c->max_ttl_ms ? c->ttl_ms : c->max_ttl_ms;
    c->poll_interval_ms = c->poll_interval_ms != 0 ? c->poll_interval_ms : default_poll_interval;
    c->max_tasks = c->max_tasks != 0 ? c->max_tasks : default_max_tasks;
    c->max_bytes = c->max_bytes != 0 ? c->max_bytes : default_max_bytes;
    c->max_record_bytes = c->max_record_bytes != 0 ? c->max_record_bytes : default_max_record;
    c->max_running = c->max_running != 0 ? c->max_running : default_max_running;
    c->page_size = c->page_size != 0 ? c->page_size : default_page;
    keeper->views.max_bytes = c->max_view_bytes != 0 ? c->max_view_bytes : default_view_bytes;
    keeper->views.allocator = c->allocator;
    keeper->limits = (mcpw_task_limits){c->max_tasks, c->max_bytes};
}

static mcpw_status take_store(mcpw_task_keeper *keeper, const mcpw_task_store *given, mcpw_error *error) {
    mcpw_task_store *const own = &keeper->given;
    *own = (mcpw_task_store)MCPW_TASK_STORE_INIT;
    if (!MCPW_TAKE(own, follow, given) || own->create == NULL || own->read == NULL || own->replace == NULL ||
        own->list == NULL || own->remove == NULL || own->worker == NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "the store of tasks lacks a function or has a wrong struct_size");
    }
    keeper->store = own;
    keeper->lock = own->follow != NULL ? mcpw_lock_new(&keeper->config.allocator) : NULL;
    return own->follow == NULL || keeper->lock != NULL
               ? MCPW_OK
               : mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
}

/* Makes the store in memory unless the program has one, which gets as many entries as it has room for. */
static mcpw_status make_store(mcpw_task_keeper *keeper, mcpw_error *error) {
    mcpw_task_memory_config config = MCPW_TASK_MEMORY_CONFIG_INIT;
    const mcpw_task_store *const given = keeper->config.store;
    const mcpw_status status = mcpw_random(&keeper->seed, sizeof keeper->seed);
    if (status != MCPW_OK) {
        return mcpw_error_set(error, status, 0, "tasks need random numbers, thus libsodium");
    }
    if (given != NULL) {
        return take_store(keeper, given, error);
    }
    config.max_tasks = keeper->config.max_tasks > default_all_tasks ? keeper->config.max_tasks : 0;
    config.max_bytes = keeper->config.max_bytes > default_all_bytes ? keeper->config.max_bytes : 0;
    config.clock = keeper->config.clock;
    config.user = keeper->config.user;
    config.allocator = keeper->config.allocator;
    keeper->own_store = mcpw_task_memory_new(&config, error);
    keeper->store = keeper->own_store;
    return keeper->store != NULL ? MCPW_OK : error->code;
}

static mcpw_status add(mcpw_task_keeper *keeper, mcpw_server *server, mcpw_error *error) {
    const mcpw_extension_topic topic = {
        .struct_size = sizeof topic, .filter = "taskIds", .accepts = accepts, .ended = listener_ended};
    mcpw_extension extension = MCPW_EXTENSION_INIT;
    extension.id = mcpw_task_extension_id;
    extension.methods = mcpw_task_methods;
    /* the last one is that of lists */
    extension.method_count = MCPW_TASK_METHODS - (keeper->config.lists != MCPW_ON);
    extension.user = keeper;
    extension.declares = "tasks.requests.tools.call";
    extension.topics = &topic;
    extension.topic_count = 1;
    extension.before_tool = mcpw_task_before_tool;
    extension.queue_ended = queue_ended;
    extension.session_ended = mcpw_task_session_ended;
    extension.freed = freed;
    extension.scopes = keeper->config.scopes;
    extension.tag = mcpw_task_extension_id;
    return mcpw_server_add_extension(server, &extension, error);
}

static const mcpw_task_callbacks callbacks = {mcpw_task_job, mcpw_task_hear_job, mcpw_task_on_output,
                                              mcpw_task_answer};

mcpw_status mcpw_server_add_tasks(mcpw_server *server, const mcpw_tasks_config *config, mcpw_error *error) {
    mcpw_tasks_config own = MCPW_TASKS_CONFIG_INIT;
    mcpw_error local;
    error = error != NULL ? error : &local;
    if (server == NULL || !MCPW_TAKE(&own, allocator, config)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the server is NULL, or struct_size is wrong");
    }
    mcpw_task_keeper *const keeper = mcpw_resize(&own.allocator, NULL, 0, sizeof *keeper);
    if (keeper == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    *keeper = (mcpw_task_keeper){.config = own, .server = server, .callbacks = &callbacks};
    set_defaults(keeper);
    mcpw_status status = make_store(keeper, error);
    status = status == MCPW_OK ? add(keeper, server, error) : status;
    if (status != MCPW_OK) {
        release(keeper);
    } else if (keeper->lock != NULL) {
        keeper->store->follow(keeper->store->self, mcpw_task_hear, keeper);
    }
    return status;
}
