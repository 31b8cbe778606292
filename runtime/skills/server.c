/* SPDX-License-Identifier: MIT */
/* The handlers of a server with skills, and how they are registered. */
#define _XOPEN_SOURCE 700
#include "served.h"

#include <mcpw/extension.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum {
    DEFAULT_SKILLS = 1024,
    DEFAULT_ENTRIES = 131072,
    DEFAULT_MEMORY = 64 << 20,
    DEFAULT_PAGE = 50,
    DEFAULT_CHECK = 1000, /* ms */
    PATH_VARIABLE = 16    /* bytes of "{+path}" and a NUL, and more */
};

static const char default_prefix[] = "skill://";
static const char own_file[] = "/SKILL.md";
static const mcpw_json none = {NULL, 0, 0};
static const mcpw_str no_text = {NULL, 0};

/* ---- Requests ------------------------------------------------------------------------------------------ */

static mcpw_status refuse(mcpw_request *request, const char *why) {
    return mcpw_respond_error(request, MCPW_RPC_INVALID_PARAMS, why, none);
}

/* The path that a URI of the params names; absent: the member is absent. False: it is unusable. */
static bool take_path(const mcpw_skills *skills, mcpw_request *request, mcpw_json params, const char *member,
                      mcpw_str *path) {
    mcpw_arena *const arena = mcpw_request_arena(request);
    mcpw_json value = none;
    mcpw_str uri = no_text;
    *path = no_text;
    if (params.ptr == NULL || mcpw_json_get(params, member, &value) != MCPW_OK) {
        return true;
    }
    return mcpw_json_string(value, arena, &uri) == MCPW_OK &&
           mcpw_skills_path(skills->prefix, uri, arena, path);
}

/* Takes the lock, and finds the skills that the request may know. The caller gives the lock back. */
static mcpw_status begin(mcpw_skills *skills, mcpw_request *request, mcpw_skill_views *views) {
    mcpw_error error;
    (void)pthread_mutex_lock(&skills->lock);
    const mcpw_status status = mcpw_skills_refresh(skills, &error);
    return status == MCPW_OK ? mcpw_skills_view(skills, request, views) : status;
}

static void end(mcpw_skills *skills) { (void)pthread_mutex_unlock(&skills->lock); }

static mcpw_status list_skills(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    mcpw_skills *const skills = user;
    mcpw_skill_views views = {NULL, 0};
    mcpw_json result = none;
    mcpw_str after;
    if (!take_path(skills, request, call->params, "cursor", &after)) {
        return refuse(request, "Invalid params: the cursor is unknown");
    }
    mcpw_status status = begin(skills, request, &views);
    if (status == MCPW_OK) {
        status = mcpw_skills_list_result(skills, &views, after, mcpw_request_arena(request), &result);
    }
    end(skills);
    return status == MCPW_OK ? mcpw_respond_json(request, result, NULL) : MCPW_E_IO;
}

/* The directory of a skill by the path of its SKILL.md; absent: it is another file. */
static mcpw_str skill_of(mcpw_str path) {
    const size_t len = sizeof own_file - 1;
    return path.len > len && memcmp(path.ptr + path.len - len, own_file, len) == 0
               ? (mcpw_str){path.ptr, path.len - len}
               : no_text;
}

static mcpw_status get_skill(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    mcpw_skills *const skills = user;
    mcpw_skill_views views = {NULL, 0};
    mcpw_json result = none;
    mcpw_str path;
    if (!take_path(skills, request, call->params, "uri", &path) || path.ptr == NULL) {
        return refuse(request, "Unknown skill");
    }
    mcpw_status status = begin(skills, request, &views);
    const mcpw_skill_view *const view = status == MCPW_OK ? mcpw_views_find(&views, skill_of(path)) : NULL;
    if (view != NULL) {
        status = mcpw_skills_get_result(skills, view, mcpw_request_arena(request), &result);
    }
    end(skills);
    if (status == MCPW_OK && view == NULL) {
        return refuse(request, "Unknown skill");
    }
    return status == MCPW_OK ? mcpw_respond_json(request, result, NULL) : MCPW_E_IO;
}

static mcpw_status read_directory(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    mcpw_skills *const skills = user;
    mcpw_skill_views views = {NULL, 0};
    mcpw_json result = none;
    mcpw_str path;
    mcpw_str after;
    if (!take_path(skills, request, call->params, "uri", &path) || path.ptr == NULL) {
        return refuse(request, "Unknown directory");
    }
    if (!take_path(skills, request, call->params, "cursor", &after)) {
        return refuse(request, "Invalid params: the cursor is unknown");
    }
    mcpw_status status = begin(skills, request, &views);
    if (status == MCPW_OK) {
        status =
            mcpw_skills_directory_result(skills, &views, path, after, mcpw_request_arena(request), &result);
    }
    end(skills);
    if (status == MCPW_E_NOT_FOUND) {
        return refuse(request, "Unknown directory");
    }
    return status == MCPW_OK ? mcpw_respond_json(request, result, NULL) : MCPW_E_IO;
}

/* ---- Files --------------------------------------------------------------------------------------------- */

/* Answers with the bytes of a file: as text if they are text, and the type is none of bytes. */
static mcpw_status answer(mcpw_request *request, mcpw_str path, mcpw_str mime_type, mcpw_str bytes) {
    bool is_text = false;
    const char *const by_suffix = mcpw_skills_mime_type(path, &is_text);
    const char *const given = mime_type.ptr != NULL ? mime_type.ptr : by_suffix;
    mcpw_status status = MCPW_E_UTF8;
    if (is_text) {
        status = mcpw_respond_resource_text(request, given != NULL ? given : "text/plain", bytes);
    }
    if (status == MCPW_E_UTF8) {
        status = mcpw_respond_resource_bytes(request, given != NULL ? given : "application/octet-stream",
                                             bytes.ptr, bytes.len);
    }
    return status;
}

/* The file of a read. */
typedef struct target {
    mcpw_str path;
    bool is_found;
    bool is_on_disk;
    unsigned char hash[MCPW_SKILLS_HASH];
    mcpw_str bytes; /* of a file in memory */
    mcpw_str mime_type;
    mcpw_status (*read)(mcpw_request *request, mcpw_str path, void *user); /* of a dynamic skill */
    void *user;
} target;

static mcpw_status find_in_memory(const mcpw_memory_skill *skill, mcpw_arena *arena, target *t) {
    if (skill->read != NULL) {
        t->is_found = t->path.len > skill->path.len + 1;
        t->read = skill->read;
        t->user = skill->user;
        t->path.ptr += t->is_found ? skill->path.len + 1 : 0;
        t->path.len -= t->is_found ? skill->path.len + 1 : 0;
        return MCPW_OK;
    }
    for (size_t i = 0; i < skill->file_count; i++) {
        const mcpw_memory_file *const file = skill->files + i;
        if (mcpw_str_equal(file->path, t->path)) {
            t->is_found = true;
            t->bytes = mcpw_arena_str(arena, file->bytes.ptr, file->bytes.len);
            t->mime_type = mcpw_arena_str(arena, file->mime_type.ptr, file->mime_type.len);
            return t->bytes.ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
        }
    }
    return MCPW_OK;
}

/* Finds the file of a read among the skills that the request may know. */
static mcpw_status find_target(mcpw_skills *skills, mcpw_request *request, target *t) {
    mcpw_skill_views views = {NULL, 0};
    mcpw_status status = begin(skills, request, &views);
    if (status == MCPW_OK) {
        const mcpw_memory_skill *const memory = mcpw_views_memory(&views, t->path);
        const mcpw_indexed_file *const file = memory == NULL && mcpw_views_have(&views, t->path)
                                                  ? mcpw_index_file(&skills->index, t->path)
                                                  : NULL;
        if (memory != NULL) {
            status = find_in_memory(memory, mcpw_request_arena(request), t);
        } else if (file != NULL) {
            t->is_found = t->is_on_disk = true;
            memcpy(t->hash, file->hash, sizeof t->hash);
        }
    }
    end(skills);
    return status;
}

/* Reads the file. False: it is not what the index says, which is looked at again. */
static bool load(mcpw_skills *skills, mcpw_request *request, target *t, mcpw_status *status) {
    mcpw_file_read file;
    mcpw_error error;
    *status = mcpw_file_take(skills->of_index.root, t->path, skills->options.max_bytes,
                             mcpw_request_arena(request), &file, &error);
    if (*status == MCPW_OK && memcmp(file.hash, t->hash, sizeof file.hash) == 0) {
        t->bytes = (mcpw_str){file.bytes, (size_t)file.id.size};
        return true;
    }
    (void)pthread_mutex_lock(&skills->lock);
    skills->is_stale = true;
    (void)pthread_mutex_unlock(&skills->lock);
    return *status == MCPW_E_MEMORY;
}

static mcpw_status read_file(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    mcpw_skills *const skills = user;
    mcpw_arena *const arena = mcpw_request_arena(request);
    mcpw_status status = MCPW_OK;
    bool is_loaded = false;
    target t;
    memset(&t, 0, sizeof t);
    if (!mcpw_skills_path(skills->prefix, read->uri, arena, &t.path)) {
        return mcpw_respond_resource_not_found(request);
    }
    for (int i = 0; i < MCPW_SKILLS_TRIES && !is_loaded; i++) {
        const mcpw_mark mark = mcpw_arena_mark(arena);
        t.is_found = false;
        status = find_target(skills, request, &t);
        if (status != MCPW_OK) {
            return status == MCPW_E_MEMORY ? status : MCPW_E_IO;
        }
        is_loaded = !t.is_found || !t.is_on_disk || load(skills, request, &t, &status);
        if (!is_loaded) {
            mcpw_arena_rewind(arena, mark);
        }
    }
    if (status != MCPW_OK || !is_loaded) {
        return status == MCPW_E_MEMORY ? status : MCPW_E_IO;
    }
    if (!t.is_found) {
        return mcpw_respond_resource_not_found(request);
    }
    return t.read != NULL ? t.read(request, t.path, t.user) : answer(request, t.path, t.mime_type, t.bytes);
}

/* ---- Registration -------------------------------------------------------------------------------------- */

static char *copy_text(const mcpw_allocator *allocator, const char *text) {
    const size_t size = strlen(text) + 1;
    char *const copy = mcpw_resize(allocator, NULL, 0, size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

static void free_text(const mcpw_allocator *allocator, char *text) {
    if (text != NULL) {
        (void)mcpw_resize(allocator, text, strlen(text) + 1, 0);
    }
}

static size_t limit(size_t given, size_t standard, size_t most) {
    return given == 0 ? standard : given < most ? given : most;
}

static void fill_options(mcpw_skills_options *o) {
    o->prefix = o->prefix != NULL ? o->prefix : default_prefix;
    o->max_files = limit(o->max_files, MCPW_SKILL_MAX_FILES, MCPW_SKILL_MAX_FILES);
    o->max_bytes = limit(o->max_bytes, MCPW_SKILL_MAX_BYTES, MCPW_SKILL_MAX_BYTES);
    o->max_skills = limit(o->max_skills, DEFAULT_SKILLS, SIZE_MAX / 2);
    o->max_entries = limit(o->max_entries, DEFAULT_ENTRIES, SIZE_MAX / 2);
    o->max_memory = limit(o->max_memory, DEFAULT_MEMORY, SIZE_MAX / 2);
    o->page_size = limit(o->page_size, DEFAULT_PAGE, SIZE_MAX / 2);
    o->check_ms = o->check_ms == 0 ? DEFAULT_CHECK : o->check_ms;
}

static const char *wrong_with(const mcpw_skills_options *o) {
    if (!mcpw_skills_prefix_is_valid(o->prefix)) {
        return "the prefix is no scheme with :// and a path that ends with a slash";
    }
    return o->ttl_ms < 0 ? "ttl_ms is negative" : NULL;
}

static mcpw_skills *make(const mcpw_skills_options *o, mcpw_error *error) {
    const mcpw_allocator allocator = o->allocator;
    mcpw_skills *const skills = mcpw_resize(&allocator, NULL, 0, sizeof *skills);
    if (skills != NULL) {
        memset(skills, 0, sizeof *skills);
        skills->options = *o;
        skills->of_index.root = -1;
        skills->index.arena = (mcpw_arena)MCPW_ARENA_INIT;
        skills->prefix = copy_text(&allocator, o->prefix);
        skills->scopes = o->scopes != NULL ? copy_text(&allocator, o->scopes) : NULL;
    }
    if (skills == NULL || pthread_mutex_init(&skills->lock, NULL) != 0) {
        if (skills != NULL) {
            free_text(&allocator, skills->prefix);
            free_text(&allocator, skills->scopes);
            (void)mcpw_resize(&allocator, skills, sizeof *skills, 0);
        }
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return NULL;
    }
    if (skills->prefix == NULL || (o->scopes != NULL && skills->scopes == NULL)) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        mcpw_skills_free(skills);
        return NULL;
    }
    skills->options.prefix = skills->prefix;
    skills->options.scopes = skills->scopes;
    return skills;
}

static mcpw_status open_root(mcpw_skills *skills, const char *directory, mcpw_error *error) {
    const mcpw_skills_options *const o = &skills->options;
    const int root = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) {
        return mcpw_error_set(error, MCPW_E_IO, 0, "the directory of skills cannot be opened: %s",
                              strerror(errno)); /* NOLINT(concurrency-mt-unsafe) */
    }
    skills->of_index = (mcpw_index_options){
        .root = root,
        .max_files = o->max_files,
        .max_bytes = o->max_bytes,
        .max_skills = o->max_skills,
        .max_entries = o->max_entries,
        .max_memory = o->max_memory,
        .skip_hidden = o->skip_hidden,
        .on_diagnostic = o->on_diagnostic,
        .user = o->user,
        .allocator = o->allocator,
    };
    return mcpw_skills_refresh(skills, error);
}

static mcpw_status add_template(mcpw_server *server, mcpw_skills *skills, const char *uri_template,
                                mcpw_error *error) {
    const mcpw_resource_template files = {
        .struct_size = sizeof files,
        .uri_template = uri_template,
        .name = "skill files",
        .description = "Files of skills; skills/list has their URIs",
        .read = read_file,
        .user = skills,
        .scopes = skills->scopes,
    };
    return mcpw_server_add_resource_template(server, &files, error);
}

static mcpw_status register_with(mcpw_server *server, mcpw_skills *skills, mcpw_error *error) {
    const mcpw_extension_method methods[] = {{.name = "skills/list", .request = list_skills},
                                             {.name = "skills/get", .request = get_skill},
                                             {.name = "resources/directory/read", .request = read_directory}};
    const bool has_directories = skills->options.directory_read != MCPW_OFF;
    char uri_template[MCPW_SKILL_MAX_PATH + PATH_VARIABLE];
    mcpw_extension extension = MCPW_EXTENSION_INIT;
    (void)snprintf(uri_template, sizeof uri_template, "%s{+path}", skills->prefix);
    extension.id = MCPW_SKILLS_EXTENSION;
    extension.settings = mcpw_json_from(has_directories ? "{\"directoryRead\":true}" : "{}");
    extension.needs = "resources";
    extension.methods = methods;
    extension.method_count = sizeof methods / sizeof *methods - (has_directories ? 0 : 1);
    extension.user = skills;
    extension.scopes = skills->options.list_scopes;
    mcpw_status status = add_template(server, skills, uri_template, error);
    if (status == MCPW_OK) {
        status = mcpw_server_add_extension(server, &extension, error);
        if (status != MCPW_OK && mcpw_server_remove_resource_template(server, uri_template) != MCPW_OK) {
            status = mcpw_error_set(error, MCPW_E_THREAD, 0, "the server belongs to another thread");
        }
    }
    return status;
}

mcpw_skills *mcpw_server_add_skills(mcpw_server *server, const char *directory,
                                    const mcpw_skills_options *options, mcpw_error *error) {
    mcpw_skills_options own = MCPW_SKILLS_OPTIONS_INIT;
    if (server == NULL || !MCPW_TAKE(&own, allocator, options)) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the server is NULL, or struct_size is wrong");
        return NULL;
    }
    fill_options(&own);
    const char *const wrong = wrong_with(&own);
    if (wrong != NULL) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the options of skills are unusable: %s", wrong);
        return NULL;
    }
    mcpw_skills *const skills = make(&own, error);
    if (skills == NULL) {
        return NULL;
    }
    mcpw_status status = directory != NULL ? open_root(skills, directory, error) : MCPW_OK;
    if (status == MCPW_OK) {
        status = register_with(server, skills, error);
    }
    if (status != MCPW_OK) {
        mcpw_skills_free(skills);
        return NULL;
    }
    return skills;
}

void mcpw_skills_free(mcpw_skills *skills) {
    if (skills == NULL) {
        return;
    }
    const mcpw_allocator allocator = skills->options.allocator;
    mcpw_memory_free(skills);
    mcpw_index_free(&skills->index);
    if (skills->of_index.root >= 0) {
        (void)close(skills->of_index.root);
    }
    (void)pthread_mutex_destroy(&skills->lock);
    free_text(&allocator, skills->prefix);
    free_text(&allocator, skills->scopes);
    (void)mcpw_resize(&allocator, skills, sizeof *skills, 0);
}
