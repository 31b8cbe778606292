/* SPDX-License-Identifier: MIT */
#include "views.h"

#include <mcpw/json.h>

/* Ids are random digits that no client chooses, so some of them are a hash. */
static uint32_t hash_of_id(const char *id) {
    static const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15); /* 2^64 over the golden ratio */
    uint64_t word;
    memcpy(&word, id, sizeof word);
    return (uint32_t)(word * odd >> 32);
}

static uint32_t hash_of_view(const void *object) { return hash_of_id(((const mcpw_task_view *)object)->id); }

static size_t size_of(const mcpw_task_view *view) { return sizeof *view + view->buffer.capacity; }

static mcpw_task_view *find(const mcpw_task_views *views, mcpw_str id) {
    mcpw_task_view *view =
        id.len == MCPW_TASK_ID_LEN ? mcpw_task_table_first(&views->table, hash_of_id(id.ptr)) : NULL;
    while (view != NULL && memcmp(view->id, id.ptr, MCPW_TASK_ID_LEN) != 0) {
        view = view->in_bucket;
    }
    return view;
}

const mcpw_task_view *mcpw_task_view_find(const mcpw_task_views *views, mcpw_str id, bool core,
                                          uint64_t version) {
    const mcpw_task_view *const view = find(views, id);
    return view != NULL && view->version == version && view->core == core && view->text.ptr != NULL ? view
                                                                                                    : NULL;
}

static void forget_oldest(mcpw_task_views *views) {
    mcpw_task_view *const view = views->oldest;
    views->oldest = view->next;
    views->newest = view->next != NULL ? views->newest : NULL;
    views->bytes -= size_of(view);
    mcpw_task_table_drop(&views->table, view, hash_of_view(view));
    mcpw_buffer_free(&view->buffer);
    (void)mcpw_resize(&views->allocator, view, sizeof *view, 0);
}

static mcpw_task_view *make(mcpw_task_views *views, mcpw_str id) {
    mcpw_task_view *const view = mcpw_task_table_reserve(&views->table, &views->allocator, hash_of_view)
                                     ? mcpw_resize(&views->allocator, NULL, 0, sizeof *view)
                                     : NULL;
    if (view != NULL) {
        *view = (mcpw_task_view){.buffer = MCPW_BUFFER_INIT};
        view->buffer.allocator = views->allocator;
        memcpy(view->id, id.ptr, MCPW_TASK_ID_LEN);
        mcpw_task_table_put(&views->table, view, hash_of_view(view));
        *(views->newest != NULL ? &views->newest->next : &views->oldest) = view;
        views->newest = view;
        views->bytes += size_of(view);
    }
    return view;
}

/* Copies the text by the writer, which does not check again what was checked. */
static void fill(mcpw_task_view *view, mcpw_json text) {
    mcpw_json_writer w;
    view->buffer.len = 0;
    view->text = (mcpw_json){NULL, 0, 0};
    if (mcpw_buffer_reserve(&view->buffer, text.len) == MCPW_OK) {
        mcpw_json_write_into(&w, &view->buffer);
        mcpw_json_write_raw(&w, text);
        if (mcpw_json_write_end(&w, &view->text) != MCPW_OK) {
            view->text = (mcpw_json){NULL, 0, 0};
        }
    }
}

void mcpw_task_view_keep(mcpw_task_views *views, mcpw_str id, bool core, uint64_t version, mcpw_json text) {
    enum { LEAST = 16 }; /* views that have room beside each other */
    if (id.len != MCPW_TASK_ID_LEN || text.len > views->max_bytes / LEAST) {
        return;
    }
    mcpw_task_view *view = find(views, id);
    view = view != NULL ? view : make(views, id);
    if (view != NULL) {
        views->bytes -= size_of(view);
        fill(view, text);
        view->core = core;
        view->version = version;
        views->bytes += size_of(view);
    }
    while (views->bytes > views->max_bytes) {
        forget_oldest(views);
    }
}

void mcpw_task_views_free(mcpw_task_views *views) {
    while (views->oldest != NULL) {
        forget_oldest(views);
    }
    mcpw_task_table_free(&views->table, &views->allocator);
}
