/* SPDX-License-Identifier: MIT */
/* The places of runs, and log messages of tasks. A log message does not name the request that it is of, but
 * its context does: the place of the run in its loop. */
#include "keeper.h"

#include <mcpw/envelope.h>

/* A place that no run has, from 1; 0: memory has run out. */
static size_t free_place(mcpw_task_loop *loop) {
    const size_t found = loop->free_place;
    if (found != 0) {
        loop->free_place = loop->places[found - 1].next_free;
        return found;
    }
    const size_t count = loop->place_count;
    mcpw_task_place *const places = mcpw_resize(&loop->keeper->config.allocator, loop->places,
                                                count * sizeof *places, (count + 1) * sizeof *places);
    if (places == NULL) {
        return 0;
    }
    loop->places = places;
    return ++loop->place_count;
}

void *mcpw_task_place_take(mcpw_task_loop *loop, mcpw_task_live *live) {
    live->place = free_place(loop);
    if (live->place != 0) {
        loop->places[live->place - 1] = (mcpw_task_place){.live = live};
    }
    return (void *)(uintptr_t)live->place;
}

void mcpw_task_place_leave(mcpw_task_live *live) {
    if (live->place != 0) {
        live->loop->places[live->place - 1].live = NULL;
        live->place = 0;
    }
}

/* The number of a place, from 1; 0: it is none. */
static size_t place_number(const mcpw_task_loop *loop, const void *context) {
    const size_t at = (size_t)(uintptr_t)context;
    return at <= loop->place_count ? at : 0;
}

void mcpw_task_place_give(mcpw_task_loop *loop, const void *context) {
    const size_t at = place_number(loop, context);
    if (at != 0) {
        mcpw_task_place *const place = loop->places + at - 1;
        if (place->live != NULL) {
            place->live->place = 0;
        }
        *place = (mcpw_task_place){.next_free = loop->free_place};
        loop->free_place = at;
    }
}

mcpw_task_live *mcpw_task_place_of(const mcpw_task_loop *loop, const void *context) {
    const size_t at = place_number(loop, context);
    return at != 0 ? loop->places[at - 1].live : NULL;
}

void mcpw_task_places_free(mcpw_task_loop *loop) {
    (void)mcpw_resize(&loop->keeper->config.allocator, loop->places, loop->place_count * sizeof *loop->places,
                      0);
    loop->places = NULL;
    loop->place_count = loop->free_place = 0;
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
