/* SPDX-License-Identifier: MIT */
/*
 * The skills of a server.
 *
 *   path.c      paths of files
 *   uri.c       their URIs, and their types
 *   memory.c    skills that the program adds
 *   views.c     the skills that a request may know, of the directory and in memory
 *   results.c   results of requests, page by page
 *   server.c    the handlers, and how they are registered
 */
#ifndef MCPW_SKILLS_SERVED_H
#define MCPW_SKILLS_SERVED_H

#include "index.h"
#include "path.h"

#include <mcpw/json.h>

#include <pthread.h>

/* A file of a skill in memory. */
typedef struct mcpw_memory_file {
    mcpw_str path; /* below the root */
    mcpw_str bytes;
    mcpw_str mime_type; /* absent: by the suffix */
    char digest[MCPW_SKILL_DIGEST_SIZE];
} mcpw_memory_file;

/* A skill in memory. */
typedef struct mcpw_memory_skill {
    mcpw_arena arena; /* has the rest of it */
    mcpw_str path;
    mcpw_json frontmatter;
    mcpw_memory_file *files; /* sorted by path */
    size_t file_count;
    mcpw_status (*read)(mcpw_request *request, mcpw_str path, void *user); /* NULL: it is static */
    void *user;
    bool is_unlisted;
} mcpw_memory_skill;

struct mcpw_skills {
    pthread_mutex_t lock; /* held by whoever uses what follows; never while a request is answered */
    mcpw_skills_options options;
    char *prefix;
    char *scopes;
    mcpw_index_options of_index; /* root -1: there is no directory */
    mcpw_index index;
    bool is_stale; /* the index is known to be old */
    uint64_t checked_at;
    mcpw_memory_skill **memory; /* sorted by path */
    size_t memory_count;
    size_t memory_room;
};

/* ---- uri.c ---- */

/* The URI of a path after a prefix, in the arena; absent without memory. */
mcpw_str mcpw_skills_uri(const char *before, mcpw_str path, mcpw_arena *arena);
/* The path of a URI with this prefix, in the arena. False: it has another one or no valid path, or memory ran
 * out. */
bool mcpw_skills_path(const char *before, mcpw_str uri, mcpw_arena *arena, mcpw_str *path);
/* Whether a text can be the prefix of URIs. */
bool mcpw_skills_prefix_is_valid(const char *prefix);
/* The type of a file by its suffix; NULL: unknown. */
const char *mcpw_skills_mime_type(mcpw_str path, bool *is_text);

/* ---- memory.c ---- */

void mcpw_memory_free(mcpw_skills *skills);

/* ---- views.c ---- */

/* A skill that a request may know: one of the directory or one in memory. */
typedef struct mcpw_skill_view {
    mcpw_str path;
    const mcpw_indexed_skill *indexed;
    const mcpw_memory_skill *in_memory;
} mcpw_skill_view;

/* The skills that a request may know, sorted by path. */
typedef struct mcpw_skill_views {
    mcpw_skill_view *items;
    size_t count;
} mcpw_skill_views;

/* A file of a skill, wherever it is. */
typedef struct mcpw_viewed_file {
    mcpw_str path;
    int64_t size;
    const mcpw_indexed_file *indexed;
    const mcpw_memory_file *in_memory;
} mcpw_viewed_file;

/* Brings the index up to date if that is due. */
MCPW_NODISCARD mcpw_status mcpw_skills_refresh(mcpw_skills *skills, mcpw_error *error);
MCPW_NODISCARD mcpw_status mcpw_skills_view(const mcpw_skills *skills, mcpw_request *request,
                                            mcpw_skill_views *out);
/* The view of a skill; NULL: there is none. */
const mcpw_skill_view *mcpw_views_find(const mcpw_skill_views *views, mcpw_str path);
/* The number of files of a skill. */
size_t mcpw_view_file_count(const mcpw_skill_view *view);
mcpw_viewed_file mcpw_view_file(const mcpw_skills *skills, const mcpw_skill_view *view, size_t index);
/* The skill in memory that a path lies in; NULL: none. */
const mcpw_memory_skill *mcpw_views_memory(const mcpw_skill_views *views, mcpw_str path);
/* Whether a file of the directory belongs to one of the skills. */
bool mcpw_views_have(const mcpw_skill_views *views, mcpw_str path);

/* ---- results.c ---- */

/* Results are JSON in the arena of the request. MCPW_E_NOT_FOUND: there is no such skill or directory. */
MCPW_NODISCARD mcpw_status mcpw_skills_list_result(const mcpw_skills *skills, const mcpw_skill_views *views,
                                                   mcpw_str after, mcpw_arena *arena, mcpw_json *out);
MCPW_NODISCARD mcpw_status mcpw_skills_get_result(const mcpw_skills *skills, const mcpw_skill_view *view,
                                                  mcpw_arena *arena, mcpw_json *out);
MCPW_NODISCARD mcpw_status mcpw_skills_directory_result(const mcpw_skills *skills,
                                                        const mcpw_skill_views *views, mcpw_str path,
                                                        mcpw_str after, mcpw_arena *arena, mcpw_json *out);

#endif
