/* SPDX-License-Identifier: MIT */
/* Skills that the program adds. */
#define _XOPEN_SOURCE 700
#include "served.h"

#include "frontmatter.h"

#include <stdlib.h>

static mcpw_status no_memory(mcpw_error *error) {
    return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
}

static void free_skill(const mcpw_skills *skills, mcpw_memory_skill *skill) {
    const mcpw_allocator allocator = skills->options.allocator;
    if (skill != NULL) {
        mcpw_arena_free(&skill->arena);
        (void)mcpw_resize(&allocator, skill, sizeof *skill, 0);
    }
}

void mcpw_memory_free(mcpw_skills *skills) {
    const mcpw_allocator allocator = skills->options.allocator;
    for (size_t i = 0; i < skills->memory_count; i++) {
        free_skill(skills, skills->memory[i]);
    }
    if (skills->memory != NULL) {
        (void)mcpw_resize(&allocator, (void *)skills->memory, skills->memory_room * sizeof *skills->memory,
                          0);
    }
}

/* ---- Making one ---------------------------------------------------------------------------------------- */

static mcpw_str join(mcpw_arena *arena, mcpw_str directory, mcpw_str name) {
    mcpw_str path = {NULL, directory.len + 1 + name.len};
    char *const out = mcpw_arena_alloc(arena, path.len + 1);
    if (out != NULL) {
        memcpy(out, directory.ptr, directory.len);
        out[directory.len] = '/';
        memcpy(out + directory.len + 1, name.ptr, name.len);
        out[path.len] = '\0';
    }
    path.ptr = out;
    return path;
}

static mcpw_status copy_file(mcpw_memory_skill *skill, const mcpw_skill_file *given, mcpw_memory_file *out,
                             mcpw_error *error) {
    const mcpw_str name = mcpw_str_from(given->path);
    if (name.ptr == NULL || (given->bytes == NULL && given->len != 0)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "a file of the skill has no path or no bytes");
    }
    out->path = join(&skill->arena, skill->path, name);
    out->bytes = mcpw_arena_str(&skill->arena, given->len != 0 ? given->bytes : "", given->len);
    if (out->path.ptr == NULL || out->bytes.ptr == NULL) {
        return no_memory(error);
    }
    if (given->mime_type != NULL) {
        out->mime_type = mcpw_arena_str(&skill->arena, given->mime_type, strlen(given->mime_type));
        if (out->mime_type.ptr == NULL) {
            return no_memory(error);
        }
    }
    if (!mcpw_skills_path_is_valid(name) || !mcpw_skills_path_is_valid(out->path)) {
        return mcpw_error_set(error, MCPW_E_FORMAT, 0, "the path of a file of the skill is unusable");
    }
    mcpw_skill_digest(out->bytes.ptr, out->bytes.len, out->digest);
    return MCPW_OK;
}

static int compare_files(const void *left, const void *right) {
    const mcpw_memory_file *const a = left;
    const mcpw_memory_file *const b = right;
    return mcpw_skills_compare(a->path, b->path);
}

static mcpw_status check_limits(const mcpw_skills *skills, const mcpw_skill *given, mcpw_error *error) {
    size_t left = skills->options.max_bytes;
    if (given->file_count > skills->options.max_files) {
        return mcpw_error_set(error, MCPW_E_SIZE, 0, "the skill has more than %zu files",
                              skills->options.max_files);
    }
    for (size_t i = 0; i < given->file_count; i++) {
        if (given->files[i].len > left) {
            return mcpw_error_set(error, MCPW_E_SIZE, 0, "the skill has more than %zu bytes",
                                  skills->options.max_bytes);
        }
        left -= given->files[i].len;
    }
    return MCPW_OK;
}

/* Takes the front matter of the SKILL.md among the files. */
static mcpw_status find_frontmatter(mcpw_memory_skill *skill, mcpw_error *error) {
    for (size_t i = 0; i < skill->file_count; i++) {
        const mcpw_memory_file *const file = skill->files + i;
        const mcpw_str name = {file->path.ptr + skill->path.len + 1, file->path.len - skill->path.len - 1};
        if (i != 0 && mcpw_str_equal(file->path, file[-1].path)) {
            return mcpw_error_set(error, MCPW_E_DUPLICATE, 0, "the skill has two files of one path");
        }
        if (mcpw_str_is(name, "SKILL.md")) {
            const mcpw_status status = mcpw_skill_frontmatter(file->bytes.ptr, file->bytes.len, &skill->arena,
                                                              &skill->frontmatter, error);
            if (status != MCPW_OK) {
                return status;
            }
        }
    }
    return skill->frontmatter.ptr != NULL
               ? MCPW_OK
               : mcpw_error_set(error, MCPW_E_FORMAT, 0, "the skill has no file SKILL.md");
}

static mcpw_status copy_files(mcpw_memory_skill *skill, const mcpw_skill *given, mcpw_error *error) {
    skill->files = mcpw_arena_alloc(&skill->arena, (given->file_count + 1) * sizeof *skill->files);
    if (skill->files == NULL) {
        return no_memory(error);
    }
    memset(skill->files, 0, (given->file_count + 1) * sizeof *skill->files);
    for (size_t i = 0; i < given->file_count; i++) {
        const mcpw_status status = copy_file(skill, given->files + i, skill->files + i, error);
        if (status != MCPW_OK) {
            return status;
        }
    }
    skill->file_count = given->file_count;
    qsort(skill->files, skill->file_count, sizeof *skill->files, compare_files);
    return find_frontmatter(skill, error);
}

static mcpw_status copy_dynamic(mcpw_memory_skill *skill, const mcpw_skill *given, mcpw_error *error) {
    if (given->file_count != 0) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "a dynamic skill has no files");
    }
    if (mcpw_json_kind_of(given->frontmatter) != MCPW_JSON_OBJECT ||
        mcpw_json_check(given->frontmatter, MCPW_SKILL_FRONTMATTER_DEPTH, NULL) != MCPW_OK) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "the front matter of a dynamic skill is no JSON object");
    }
    const mcpw_str copy = mcpw_arena_str(&skill->arena, given->frontmatter.ptr, given->frontmatter.len);
    skill->frontmatter = mcpw_json_of(copy.ptr, copy.len);
    return copy.ptr != NULL ? MCPW_OK : no_memory(error);
}

static mcpw_status make_skill(const mcpw_skills *skills, const mcpw_skill *given, mcpw_memory_skill *skill,
                              mcpw_error *error) {
    mcpw_status status = check_limits(skills, given, error);
    if (status != MCPW_OK) {
        return status;
    }
    skill->path = mcpw_arena_str(&skill->arena, given->path, strlen(given->path));
    if (skill->path.ptr == NULL) {
        return no_memory(error);
    }
    if (!mcpw_skills_path_is_valid(skill->path)) {
        return mcpw_error_set(error, MCPW_E_FORMAT, 0, "the path of the skill is unusable");
    }
    skill->read = given->read;
    skill->user = given->user;
    skill->is_unlisted = given->is_unlisted;
    status = given->read != NULL ? copy_dynamic(skill, given, error) : copy_files(skill, given, error);
    return status == MCPW_OK
               ? mcpw_frontmatter_check(skill->frontmatter, mcpw_skills_name_of(skill->path), error)
               : status;
}

/* ---- Adding and removing ------------------------------------------------------------------------------- */

static bool overlap(mcpw_str a, mcpw_str b) {
    return mcpw_skills_is_within(a, b) || mcpw_skills_is_within(b, a);
}

static mcpw_status insert(mcpw_skills *skills, mcpw_memory_skill *skill, mcpw_error *error) {
    const mcpw_allocator allocator = skills->options.allocator;
    enum { FIRST_ROOM = 8 };
    size_t at = 0;
    for (size_t i = 0; i < skills->memory_count; i++) {
        if (overlap(skills->memory[i]->path, skill->path)) {
            return mcpw_error_set(error, MCPW_E_DUPLICATE, 0,
                                  "there is a skill of this path, around it or in it");
        }
        at += mcpw_skills_compare(skills->memory[i]->path, skill->path) < 0 ? 1U : 0U;
    }
    if (skills->memory_count == skills->options.max_skills) {
        return mcpw_error_set(error, MCPW_E_SIZE, 0, "there are %zu skills already",
                              skills->options.max_skills);
    }
    if (skills->memory_count == skills->memory_room) {
        const size_t room = skills->memory_room != 0 ? skills->memory_room * 2 : FIRST_ROOM;
        void *const larger =
            mcpw_resize(&allocator, (void *)skills->memory, skills->memory_room * sizeof *skills->memory,
                        room * sizeof *skills->memory);
        if (larger == NULL) {
            return no_memory(error);
        }
        skills->memory = larger;
        skills->memory_room = room;
    }
    memmove((void *)(skills->memory + at + 1), (const void *)(skills->memory + at),
            (skills->memory_count - at) * sizeof *skills->memory);
    skills->memory[at] = skill;
    skills->memory_count++;
    return MCPW_OK;
}

mcpw_status mcpw_skills_add(mcpw_skills *skills, const mcpw_skill *given, mcpw_error *error) {
    mcpw_skill own = {0};
    if (skills == NULL || given == NULL || !MCPW_TAKE(&own, is_unlisted, given) || own.path == NULL ||
        (own.files == NULL && own.file_count != 0)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the skills, the skill or its path is NULL");
    }
    const mcpw_allocator allocator = skills->options.allocator;
    mcpw_memory_skill *const skill = mcpw_resize(&allocator, NULL, 0, sizeof *skill);
    if (skill == NULL) {
        return no_memory(error);
    }
    memset(skill, 0, sizeof *skill);
    skill->arena = (mcpw_arena)MCPW_ARENA_INIT;
    skill->arena.allocator = allocator;
    mcpw_status status = make_skill(skills, &own, skill, error);
    if (status == MCPW_OK) {
        (void)pthread_mutex_lock(&skills->lock);
        status = insert(skills, skill, error);
        (void)pthread_mutex_unlock(&skills->lock);
    }
    if (status != MCPW_OK) {
        free_skill(skills, skill);
    }
    return status;
}

mcpw_status mcpw_skills_remove(mcpw_skills *skills, const char *path) {
    mcpw_memory_skill *found = NULL;
    if (skills == NULL || path == NULL) {
        return MCPW_E_ARGUMENT;
    }
    (void)pthread_mutex_lock(&skills->lock);
    for (size_t i = 0; i < skills->memory_count && found == NULL; i++) {
        if (mcpw_str_is(skills->memory[i]->path, path)) {
            found = skills->memory[i];
            skills->memory_count--;
            memmove((void *)(skills->memory + i), (const void *)(skills->memory + i + 1),
                    (skills->memory_count - i) * sizeof *skills->memory);
        }
    }
    (void)pthread_mutex_unlock(&skills->lock);
    free_skill(skills, found);
    return found != NULL ? MCPW_OK : MCPW_E_NOT_FOUND;
}
