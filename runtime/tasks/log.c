/* SPDX-License-Identifier: MIT */
/* Log messages of tasks. A log message does not name the request that it is of, but its context does: the
 * place of the run in its loop. */
#include "keeper.h"

#include <mcpw/envelope.h>

/* A place that no run has; NULL when memory runs out. */
static mcpw_task_place *free_place(mcpw_task_loop *loop) {
    size_t at = 0;
    while (at < loop->place_count && loop->places[at].is_taken) {
        at++;
    }
    if (at == loop->place_count) {
        mcpw_task_place *const places = mcpw_resize(&loop->keeper->config.allocator, loop->places,
                                                    at * sizeof *places, (at + 1) * sizeof *places);
        if (places == NULL) {
            return NULL;
        }
        loop->places = places;
        loop->place_count++;
    }
    return loop->places + at;
}

void *mcpw_task_place_take(mcpw_task_loop *loop, mcpw_task_live *live) {
    mcpw_task_place *const place = live->client != NULL ? free_place(loop) : NULL;
    if (place == NULL) {
        return NULL;
    }
    *place = (mcpw_task_place){.live = live, .is_taken = true};
    live->place = (size_t)(place - loop->places) + 1;
    return (void *)(uintptr_t)live->place;
}

void mcpw_task_place_leave(mcpw_task_live *live) {
    if (live->place != 0) {
        live->loop->places[live->place - 1].live = NULL;
        live->place = 0;
    }
}

const mcpw_task_live *mcpw_task_place_of(mcpw_task_loop *loop, const void *context, bool is_last) {
    const size_t at = (size_t)(uintptr_t)context;
    if (at == 0 || at > loop->place_count) {
        return NULL;
    }
    mcpw_task_place *const place = loop->places + at - 1;
    place->is_taken = !is_last;
    return place->live;
}

void mcpw_task_places_free(mcpw_task_loop *loop) {
    (void)mcpw_resize(&loop->keeper->config.allocator, loop->places, loop->place_count * sizeof *loop->places,
                      0);
    loop->places = NULL;
    loop->place_count = 0;
}

void mcpw_task_logged(mcpw_task_keeper *keeper, const mcpw_task_live *live, mcpw_str text) {
    static const char *const but[] = {"_meta", NULL};
    mcpw_message_envelope envelope;
    mcpw_str level;
    mcpw_json meta;
    if (live == NULL || live->client == NULL ||
        mcpw_envelope_read(&envelope, mcpw_json_of(text.ptr, text.len), 0, NULL) != MCPW_OK ||
        mcpw_json_get_string(envelope.at[MCPW_AT_PARAMS], "level", NULL, &level) != MCPW_OK ||
        !mcpw_session_wants_log(live->client->session, level)) {
        return;
    }
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_json_writer w;
    out.allocator = keeper->config.allocator;
    mcpw_json_write_into(&w, &out);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "_meta");
    mcpw_task_write_related(&w, mcpw_str_from(live->id));
    mcpw_json_write_close(&w);
    mcpw_task_tell_more(keeper, live, "notifications/message", &out, mcpw_json_write_end(&w, &meta),
                        envelope.at[MCPW_AT_PARAMS], but);
}
