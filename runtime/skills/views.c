/* SPDX-License-Identifier: MIT */
/* The skills that a request may know. */
#define _XOPEN_SOURCE 700
#include "served.h"

#include <mcpw/io.h>

mcpw_status mcpw_skills_refresh(mcpw_skills *skills, mcpw_error *error) {
    const uint64_t now = mcpw_io_now();
    const int64_t wait = skills->options.check_ms;
    const bool is_fresh = wait >= 0 && skills->checked_at != 0 && now - skills->checked_at < (uint64_t)wait;
    if (skills->of_index.root < 0 || (is_fresh && !skills->is_stale)) {
        return MCPW_OK;
    }
    for (int i = 0; i < MCPW_SKILLS_TRIES; i++) {
        mcpw_index next;
        const mcpw_status status = mcpw_index_make(&next, &skills->index, &skills->of_index, error);
        if (status != MCPW_OK) {
            return status;
        }
        mcpw_index_free(&skills->index);
        skills->index = next;
        skills->checked_at = now;
        skills->is_stale = next.is_racy;
        if (!next.is_racy) {
            break;
        }
    }
    return MCPW_OK;
}

/* ---- Views --------------------------------------------------------------------------------------------- */

static bool allows(const mcpw_skills *skills, mcpw_request *request, mcpw_str path) {
    return skills->options.allows == NULL || skills->options.allows(skills->options.user, request, path);
}

/* Whether a skill in memory hides one of the directory. */
static bool is_hidden(const mcpw_skills *skills, mcpw_str path) {
    for (size_t i = 0; i < skills->memory_count; i++) {
        const mcpw_str other = skills->memory[i]->path;
        if (mcpw_skills_is_within(path, other) || mcpw_skills_is_within(other, path)) {
            return true;
        }
    }
    return false;
}

mcpw_status mcpw_skills_view(const mcpw_skills *skills, mcpw_request *request, mcpw_skill_views *out) {
    const size_t most = skills->index.skill_count + skills->memory_count;
    size_t at = 0;
    out->count = 0;
    out->items = mcpw_arena_alloc(mcpw_request_arena(request), (most + 1) * sizeof *out->items);
    if (out->items == NULL) {
        return MCPW_E_MEMORY;
    }
    for (size_t i = 0; i < skills->index.skill_count; i++) {
        const mcpw_indexed_skill *const skill = skills->index.skills + i;
        for (; at < skills->memory_count && mcpw_skills_compare(skills->memory[at]->path, skill->path) <= 0;
             at++) {
            if (allows(skills, request, skills->memory[at]->path)) {
                out->items[out->count++] =
                    (mcpw_skill_view){skills->memory[at]->path, NULL, skills->memory[at]};
            }
        }
        if (!is_hidden(skills, skill->path) && allows(skills, request, skill->path)) {
            out->items[out->count++] = (mcpw_skill_view){skill->path, skill, NULL};
        }
    }
    for (; at < skills->memory_count; at++) {
        if (allows(skills, request, skills->memory[at]->path)) {
            out->items[out->count++] = (mcpw_skill_view){skills->memory[at]->path, NULL, skills->memory[at]};
        }
    }
    return MCPW_OK;
}

const mcpw_skill_view *mcpw_views_find(const mcpw_skill_views *views, mcpw_str path) {
    for (size_t i = 0; i < views->count; i++) {
        if (mcpw_str_equal(views->items[i].path, path)) {
            return views->items + i;
        }
    }
    return NULL;
}

size_t mcpw_view_file_count(const mcpw_skill_view *view) {
    return view->indexed != NULL ? view->indexed->count : view->in_memory->file_count;
}

mcpw_viewed_file mcpw_view_file(const mcpw_skills *skills, const mcpw_skill_view *view, size_t index) {
    mcpw_viewed_file file = {{NULL, 0}, 0, NULL, NULL};
    if (view->indexed != NULL) {
        file.indexed = skills->index.files + view->indexed->first + index;
        file.path = file.indexed->path;
        file.size = (int64_t)file.indexed->id.size;
    } else {
        file.in_memory = view->in_memory->files + index;
        file.path = file.in_memory->path;
        file.size = (int64_t)file.in_memory->bytes.len;
    }
    return file;
}

const mcpw_memory_skill *mcpw_views_memory(const mcpw_skill_views *views, mcpw_str path) {
    for (size_t i = 0; i < views->count; i++) {
        const mcpw_memory_skill *const skill = views->items[i].in_memory;
        if (skill != NULL && mcpw_skills_is_within(path, skill->path)) {
            return skill;
        }
    }
    return NULL;
}

bool mcpw_views_have(const mcpw_skill_views *views, mcpw_str path) {
    for (size_t i = 0; i < views->count; i++) {
        if (views->items[i].indexed != NULL && mcpw_skills_is_within(path, views->items[i].path)) {
            return true;
        }
    }
    return false;
}
