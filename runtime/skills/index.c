/* SPDX-License-Identifier: MIT */
/* The index of a directory: hashes of files, and front matter of skills. */
#define _XOPEN_SOURCE 700
#include "index.h"

#include "frontmatter.h"
#include "path.h"

#include <stdlib.h>

enum { SETTLING = 2 /* seconds until a file's times tell every change */ };

static const char skill_file[] = "/SKILL.md";

/* ---- Looking up ---------------------------------------------------------------------------------------- */

/* An item of an array of structs that begin with a path, and are sorted by it; NULL: there is none. */
static const void *find(const void *items, size_t count, size_t size, mcpw_str path) {
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const mcpw_str *const item = (const void *)((const char *)items + middle * size);
        const int order = mcpw_skills_compare(*item, path);
        if (order == 0) {
            return item;
        }
        low = order < 0 ? middle + 1 : low;
        high = order > 0 ? middle : high;
    }
    return NULL;
}

const mcpw_indexed_file *mcpw_index_file(const mcpw_index *index, mcpw_str path) {
    return find(index->files, index->file_count, sizeof *index->files, path);
}

const mcpw_indexed_skill *mcpw_index_skill(const mcpw_index *index, mcpw_str path) {
    return find(index->skills, index->skill_count, sizeof *index->skills, path);
}

/* ---- Files --------------------------------------------------------------------------------------------- */

static bool is_settled(const mcpw_file_id *id) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) {
        return false;
    }
    return id->modified.tv_sec + SETTLING <= now.tv_sec && id->changed.tv_sec + SETTLING <= now.tv_sec;
}

/* The same file in the old index, if it has not changed. */
static const mcpw_indexed_file *known_file(const mcpw_walk *w, const mcpw_indexed_file *file) {
    const mcpw_indexed_file *const old = w->old != NULL ? mcpw_index_file(w->old, file->path) : NULL;
    return old != NULL && old->is_settled && mcpw_file_id_equal(&old->id, &file->id) ? old : NULL;
}

static mcpw_status take_file(mcpw_walk *w, mcpw_indexed_file *file, mcpw_arena *arena, char **bytes,
                             mcpw_error *why) {
    mcpw_file_read read;
    const bool was_settled = is_settled(&file->id);
    const mcpw_status status =
        mcpw_file_take(w->options->root, file->path, w->options->max_bytes, arena, &read, why);
    if (status == MCPW_OK) {
        memcpy(file->hash, read.hash, sizeof file->hash);
        file->is_settled = was_settled && mcpw_file_id_equal(&file->id, &read.id);
        file->id = read.id;
        file->has_hash = true;
        *bytes = read.bytes;
    }
    w->next->is_racy = w->next->is_racy || status == MCPW_E_NOT_FOUND || status == MCPW_E_STATE;
    return status;
}

static void break_skill(mcpw_walk *w, mcpw_indexed_skill *skill, mcpw_str path, const mcpw_error *why) {
    skill->is_broken = true;
    mcpw_walk_report(w, path, why);
}

/* ---- Skills -------------------------------------------------------------------------------------------- */

/* Whether a skill keeps the limits of its files. */
static bool keeps_limits(mcpw_walk *w, mcpw_indexed_skill *skill) {
    mcpw_error why = {MCPW_OK, 0, "", ""};
    unsigned long long bytes = 0;
    for (size_t i = 0; i < skill->count && i < w->options->max_files; i++) {
        const off_t size = w->next->files[skill->first + i].id.size;
        bytes += size > 0 ? (unsigned long long)size : 0;
    }
    if (skill->count > w->options->max_files) {
        mcpw_error_set(&why, MCPW_E_SIZE, 0, "the skill has more than %zu files", w->options->max_files);
    } else if (bytes > w->options->max_bytes) {
        mcpw_error_set(&why, MCPW_E_SIZE, 0, "the skill has more than %zu bytes", w->options->max_bytes);
    } else {
        return true;
    }
    break_skill(w, skill, skill->path, &why);
    return false;
}

/* The SKILL.md of a skill, which is one of its files. */
static mcpw_indexed_file *own_file(mcpw_walk *w, const mcpw_indexed_skill *skill) {
    const size_t len = skill->path.len + sizeof skill_file - 1;
    for (size_t i = 0; i < skill->count; i++) {
        mcpw_indexed_file *const file = w->next->files + skill->first + i;
        if (file->path.len == len &&
            memcmp(file->path.ptr + skill->path.len, skill_file, sizeof skill_file - 1) == 0) {
            return file;
        }
    }
    return NULL;
}

/* Copies the front matter of the old index. False: there is none, or it may have changed. */
static bool reuse_frontmatter(mcpw_walk *w, mcpw_indexed_skill *skill, mcpw_indexed_file *file) {
    const mcpw_indexed_file *const old_file = known_file(w, file);
    const mcpw_indexed_skill *const old = old_file != NULL ? mcpw_index_skill(w->old, skill->path) : NULL;
    if (old == NULL) {
        return false;
    }
    const mcpw_str copy = mcpw_arena_str(&w->next->arena, old->frontmatter.ptr, old->frontmatter.len);
    skill->frontmatter = mcpw_json_of(copy.ptr, copy.len);
    return copy.ptr != NULL;
}

static mcpw_status make_frontmatter(mcpw_walk *w, mcpw_indexed_skill *skill, mcpw_indexed_file *file,
                                    mcpw_error *why) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    char *bytes = NULL;
    mcpw_json frontmatter = {NULL, 0, 0};
    arena.allocator = w->options->allocator;
    mcpw_status status = take_file(w, file, &arena, &bytes, why);
    if (status == MCPW_OK) {
        status = mcpw_skill_frontmatter(bytes, (size_t)file->id.size, &arena, &frontmatter, why);
    }
    if (status == MCPW_OK) {
        status = mcpw_frontmatter_check(frontmatter, mcpw_skills_name_of(skill->path), why);
    }
    if (status == MCPW_OK) {
        const mcpw_str copy = mcpw_arena_str(&w->next->arena, frontmatter.ptr, frontmatter.len);
        skill->frontmatter = mcpw_json_of(copy.ptr, copy.len);
        status = copy.ptr != NULL ? MCPW_OK
                                  : mcpw_error_set(why, w->next->arena.status, 0, "%s",
                                                   mcpw_status_text(w->next->arena.status));
    }
    mcpw_arena_free(&arena);
    return status;
}

static void check_skill(mcpw_walk *w, mcpw_indexed_skill *skill) {
    mcpw_error why = {MCPW_OK, 0, "", ""};
    if (skill->is_broken || !keeps_limits(w, skill)) {
        return;
    }
    mcpw_indexed_file *const file = own_file(w, skill);
    if (file == NULL) { /* it was the file that did not fit */
        skill->is_broken = true;
    } else if (!reuse_frontmatter(w, skill, file) && make_frontmatter(w, skill, file, &why) != MCPW_OK) {
        if (why.code == MCPW_E_MEMORY) {
            w->status = mcpw_error_set(w->error, MCPW_E_MEMORY, 0, "%s", why.message);
        } else {
            break_skill(w, skill, skill->path, &why);
        }
    }
}

/* Hashes the files of a skill that have no hash yet. */
static void hash_files(mcpw_walk *w, mcpw_indexed_skill *skill) {
    mcpw_error why = {MCPW_OK, 0, "", ""};
    for (size_t i = 0; i < skill->count && !skill->is_broken; i++) {
        mcpw_indexed_file *const file = w->next->files + skill->first + i;
        const mcpw_indexed_file *const old = file->has_hash ? NULL : known_file(w, file);
        char *unused = NULL;
        if (old != NULL) {
            memcpy(file->hash, old->hash, sizeof file->hash);
            file->is_settled = file->has_hash = true;
        } else if (!file->has_hash && take_file(w, file, NULL, &unused, &why) != MCPW_OK) {
            break_skill(w, skill, file->path, &why);
        }
    }
    if (!skill->is_broken) { /* files may have grown since they were found */
        (void)keeps_limits(w, skill);
    }
}

/* ---- The whole ----------------------------------------------------------------------------------------- */

static int compare_skills(const void *left, const void *right) {
    const mcpw_indexed_skill *const a = left;
    const mcpw_indexed_skill *const b = right;
    return mcpw_skills_compare(a->path, b->path);
}

/* Removes skills that break a rule, and files of no skill. */
static mcpw_status compact(mcpw_walk *w) {
    mcpw_index *const next = w->next;
    size_t kept = 0;
    size_t *const places = mcpw_arena_alloc(&w->scratch, (next->file_count + 1) * sizeof *places);
    if (places == NULL) {
        return mcpw_error_set(w->error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    for (size_t s = 0; s < next->skill_count; s++) {
        if (next->skills[s].is_broken) {
            continue;
        }
        for (size_t i = 0; i < next->skills[s].count; i++) {
            next->files[next->skills[s].first + i].is_used = true;
        }
        next->skills[kept++] = next->skills[s];
    }
    next->skill_count = kept;
    kept = 0;
    for (size_t i = 0; i < next->file_count; i++) {
        places[i] = kept;
        if (next->files[i].is_used) {
            next->files[kept++] = next->files[i];
        }
    }
    next->file_count = kept;
    for (size_t s = 0; s < next->skill_count; s++) {
        next->skills[s].first = places[next->skills[s].first];
    }
    if (next->skill_count != 0) {
        qsort(next->skills, next->skill_count, sizeof *next->skills, compare_skills);
    }
    return MCPW_OK;
}

static void check_count(mcpw_walk *w) {
    mcpw_error why = {MCPW_OK, 0, "", ""};
    size_t good = 0;
    for (size_t s = 0; s < w->next->skill_count; s++) {
        mcpw_indexed_skill *const skill = w->next->skills + s;
        good += skill->is_broken ? 0U : 1U;
        if (good == w->options->max_skills + 1 && !skill->is_broken) {
            mcpw_error_set(&why, MCPW_E_SIZE, 0, "there are more than %zu skills: the rest is left out",
                           w->options->max_skills);
            mcpw_walk_report(w, skill->path, &why);
        }
        skill->is_broken = skill->is_broken || good > w->options->max_skills;
    }
}

mcpw_status mcpw_index_make(mcpw_index *next, const mcpw_index *old, const mcpw_index_options *options,
                            mcpw_error *error) {
    mcpw_walk w = {.options = options, .old = old, .next = next, .scratch = MCPW_ARENA_INIT, .error = error};
    memset(next, 0, sizeof *next);
    next->arena = (mcpw_arena)MCPW_ARENA_INIT;
    next->arena.allocator = w.scratch.allocator = options->allocator;
    next->arena.limit = w.scratch.limit = options->max_memory;
    mcpw_walk_all(&w);
    for (size_t s = 0; w.status == MCPW_OK && s < next->skill_count; s++) {
        check_skill(&w, next->skills + s);
    }
    if (w.status == MCPW_OK) {
        check_count(&w);
    }
    for (size_t s = 0; w.status == MCPW_OK && s < next->skill_count; s++) {
        hash_files(&w, next->skills + s);
    }
    if (w.status == MCPW_OK) {
        w.status = compact(&w);
    }
    mcpw_arena_free(&w.scratch);
    if (w.status != MCPW_OK) {
        mcpw_index_free(next);
    }
    return w.status;
}

void mcpw_index_free(mcpw_index *index) {
    mcpw_arena_free(&index->arena);
    const mcpw_arena arena = index->arena;
    memset(index, 0, sizeof *index);
    index->arena = arena;
}
