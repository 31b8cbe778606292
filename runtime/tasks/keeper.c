/* SPDX-License-Identifier: MIT */
/* The part of each task that this process has in memory, and the loops on which tasks run. */
#include "keeper.h"

#include "clock.h"

#include <mcpw/codec.h>

const char mcpw_task_extension_id[] = MCPW_TASK_EXTENSION;

mcpw_task_keeper *mcpw_keeper_of(const mcpw_request *request) {
    return mcpw_session_extension_user(mcpw_request_session(request), mcpw_task_extension_id,
                                       mcpw_task_extension_id);
}

bool mcpw_task_is_core(const mcpw_revision *revision) {
    static const char method[] = "tasks/result";
    return mcpw_method_number(revision, method, sizeof method - 1) != 0;
}

bool mcpw_task_has_extensions(const mcpw_revision *revision) {
    static const char method[] = "server/discover";
    return mcpw_method_number(revision, method, sizeof method - 1) != 0;
}

uint64_t mcpw_task_now(const mcpw_task_keeper *keeper) {
    return mcpw_tasks_now(keeper->config.clock, keeper->config.user);
}

/* ---- Tasks in memory ---- */

static uint32_t hash_of_live(const void *object) { return ((const mcpw_task_live *)object)->hash; }

mcpw_task_live *mcpw_task_live_find(const mcpw_task_keeper *keeper, mcpw_str id) {
    const uint32_t hash = mcpw_task_hash(keeper->seed, id);
    mcpw_task_live *live = mcpw_task_table_first(&keeper->lives, hash);
    while (live != NULL && (live->hash != hash || id.len != MCPW_TASK_ID_LEN ||
                            memcmp(id.ptr, live->id, MCPW_TASK_ID_LEN) != 0)) {
        live = live->in_bucket;
    }
    return live;
}

mcpw_task_live *mcpw_task_live_make(mcpw_task_keeper *keeper, mcpw_str id) {
    mcpw_task_live *live = mcpw_task_live_find(keeper, id);
    if (live != NULL || id.len != MCPW_TASK_ID_LEN ||
        !mcpw_task_table_reserve(&keeper->lives, &keeper->config.allocator, hash_of_live)) {
        return live;
    }
    live = mcpw_resize(&keeper->config.allocator, NULL, 0, sizeof *live);
    if (live != NULL) {
        *live = (mcpw_task_live){.hash = mcpw_task_hash(keeper->seed, id)};
        live->unsaved = (mcpw_buffer)MCPW_BUFFER_INIT;
        live->unsaved.allocator = keeper->config.allocator;
        live->waiters_end = &live->waiters;
        memcpy(live->id, id.ptr, id.len);
        mcpw_task_table_put(&keeper->lives, live, live->hash);
    }
    return live;
}

void mcpw_task_waiter_unlink(mcpw_task_live *live, mcpw_task_waiter **at) {
    *at = (*at)->next;
    if (*at == NULL) {
        live->waiters_end = at;
    }
}

/* ---- Clients that get progress ---- */

static mcpw_task_client **client_at(mcpw_task_keeper *keeper, const mcpw_session *session) {
    mcpw_task_client **at = &keeper->clients;
    while (*at != NULL && (*at)->session != session) {
        at = &(*at)->next;
    }
    return at;
}

static void forget_client(mcpw_task_keeper *keeper, mcpw_task_live *live) {
    mcpw_task_client *const client = live->client;
    if (client == NULL) {
        return;
    }
    mcpw_task_live **at = &client->first;
    while (*at != live) {
        at = &(*at)->next_of_client;
    }
    *at = live->next_of_client;
    live->client = NULL;
    (void)mcpw_resize(&keeper->config.allocator, (void *)(uintptr_t)live->token.ptr, live->token.len, 0);
    live->token = (mcpw_json){NULL, 0, 0};
    if (client->first == NULL) {
        *client_at(keeper, client->session) = client->next;
        (void)mcpw_resize(&keeper->config.allocator, client, sizeof *client, 0);
    }
}

void mcpw_task_live_follow(mcpw_task_keeper *keeper, mcpw_task_live *live, mcpw_session *session,
                           mcpw_json token) {
    enum { MOST_TOKEN = 256 };
    mcpw_task_client **const at = client_at(keeper, session);
    const mcpw_allocator *const allocator = &keeper->config.allocator;
    if (token.ptr != NULL && token.len > MOST_TOKEN) {
        token = (mcpw_json){NULL, 0, 0};
    }
    char *const copy = token.ptr != NULL ? mcpw_resize(allocator, NULL, 0, token.len) : NULL;
    if (*at == NULL) {
        *at = mcpw_resize(allocator, NULL, 0, sizeof **at);
        if (*at != NULL) {
            **at = (mcpw_task_client){.session = session};
        }
    }
    if (*at == NULL) {
        (void)mcpw_resize(allocator, copy, token.len, 0);
        return;
    }
    if (copy != NULL) {
        memcpy(copy, token.ptr, token.len);
        live->token = mcpw_json_of(copy, token.len);
    }
    live->client = *at;
    live->next_of_client = live->client->first;
    live->client->first = live;
}

static void free_live(mcpw_task_keeper *keeper, mcpw_task_live *live) {
    keeper->unsaved -= live->unsaved.len != 0;
    mcpw_buffer_free(&live->unsaved);
    mcpw_task_table_drop(&keeper->lives, live, live->hash);
    (void)mcpw_resize(&keeper->config.allocator, live, sizeof *live, 0);
}

void mcpw_task_live_release(mcpw_task_keeper *keeper, mcpw_task_live *live) {
    if (live->loop == NULL && live->waiters == NULL && live->listeners == 0 && live->client == NULL) {
        free_live(keeper, live);
    }
}

void mcpw_task_live_end(mcpw_task_keeper *keeper, mcpw_task_live *live) {
    forget_client(keeper, live);
    mcpw_task_live_release(keeper, live);
}

void mcpw_task_lives_free(mcpw_task_keeper *keeper) {
    for (size_t i = 0; i < keeper->lives.bucket_count; i++) {
        while (keeper->lives.buckets[i] != NULL) {
            mcpw_task_live *const live = keeper->lives.buckets[i];
            live->listeners = 0;
            forget_client(keeper, live);
            free_live(keeper, live);
        }
    }
    mcpw_task_table_free(&keeper->lives, &keeper->config.allocator);
}

void mcpw_task_session_ended(mcpw_session *session, void *user) {
    mcpw_task_keeper *const keeper = user;
    mcpw_task_client *const client = *client_at(keeper, session);
    mcpw_task_live *live = client != NULL ? client->first : NULL;
    while (live != NULL) {
        mcpw_task_live *const next = live->next_of_client;
        mcpw_task_live_end(keeper, live);
        live = next;
    }
}

/* ---- Loops ---- */

/* The newest revision of an endpoint whose requests stand for themselves. */
static const mcpw_revision *modern_of(const mcpw_endpoint *endpoint) {
    static const char initialize[] = "initialize";
    const mcpw_revision *found = NULL;
    for (size_t i = 0; mcpw_endpoint_revision_at(endpoint, i) != NULL; i++) {
        const mcpw_revision *const revision = mcpw_endpoint_revision_at(endpoint, i);
        if (mcpw_method_number(revision, initialize, sizeof initialize - 1) == 0) {
            found = revision;
        }
    }
    return found;
}

/* Inner sessions never show a state to anybody, so its key protects nothing. It is the same in all processes,
 * so that each can run a task again. */
static mcpw_status make_endpoint(mcpw_task_keeper *keeper, mcpw_error *error) {
    static const char key[] = "the state of a task stays in its store";
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    if (keeper->endpoint != NULL) {
        return MCPW_OK;
    }
    config.role = MCPW_ROLE_SERVER;
    config.server = keeper->server;
    config.user = keeper->config.user; /* handlers see it as that of their session */
    config.clock = keeper->config.clock;
    config.state_key = (mcpw_str){key, sizeof key - 1};
    config.input_ttl_ms = keeper->config.max_ttl_ms;
    config.max_message = SIZE_MAX; /* the record of a task has a limit */
    config.max_output = SIZE_MAX;
    config.max_requests = keeper->config.max_running + 1;
    config.allocator = keeper->config.allocator;
    config.send_server_info = MCPW_OFF;
    keeper->endpoint = mcpw_endpoint_new(&config, error);
    keeper->revision = keeper->endpoint != NULL ? modern_of(keeper->endpoint) : NULL;
    if (keeper->endpoint != NULL && keeper->revision == NULL) {
        mcpw_endpoint_free(keeper->endpoint);
        keeper->endpoint = NULL;
        return mcpw_error_set(error, MCPW_E_VERSION, 0, "tasks need a revision without a handshake");
    }
    return keeper->endpoint != NULL ? MCPW_OK : error->code;
}

mcpw_task_loop *mcpw_task_loop_of(mcpw_task_keeper *keeper, const mcpw_session *session, mcpw_error *error) {
    void *const queue = mcpw_session_executor(session);
    mcpw_task_loop *loop = keeper->loops;
    while (loop != NULL && loop->queue != queue) {
        loop = loop->next;
    }
    if (loop != NULL || make_endpoint(keeper, error) != MCPW_OK) {
        return loop;
    }
    mcpw_session *const inner = mcpw_session_inside(keeper->endpoint, session, error);
    loop = inner != NULL ? mcpw_resize(&keeper->config.allocator, NULL, 0, sizeof *loop) : NULL;
    if (loop == NULL) {
        mcpw_session_free(inner);
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return NULL;
    }
    *loop = (mcpw_task_loop){.job.run = keeper->callbacks->run,
                             .hearing.run = keeper->callbacks->hear,
                             .next = keeper->loops,
                             .keeper = keeper,
                             .queue = queue,
                             .inner = inner};
    loop->queued_end = &loop->queued;
    mcpw_task_lock(keeper);
    keeper->loops = loop;
    mcpw_task_unlock(keeper);
    mcpw_session_on_output(inner, keeper->callbacks->on_output, loop);
    return loop;
}

mcpw_task_loop *mcpw_task_loop_with(const mcpw_task_keeper *keeper, const mcpw_session *session) {
    mcpw_task_loop *loop = keeper->loops;
    while (loop != NULL && loop->inner != session) {
        loop = loop->next;
    }
    return loop;
}
