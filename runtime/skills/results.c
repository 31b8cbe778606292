/* SPDX-License-Identifier: MIT */
/* Results of the requests about skills, page by page. A page holds whole entries, and the cursor of the next
 * one is the URI of its last entry, so a change of the list neither splits nor repeats an entry. */
#define _XOPEN_SOURCE 700
#include "served.h"

#include <stdlib.h>

enum { PAGE_BYTES = 1 << 20 /* a page that has so many bytes is the last entry's */ };

static void write_text(mcpw_json_writer *w, const char *key, mcpw_str text) {
    mcpw_json_write_key(w, key);
    mcpw_json_write_string(w, text.ptr, text.len);
}

static void lack_memory(mcpw_json_writer *w) { w->status = w->status == MCPW_OK ? MCPW_E_MEMORY : w->status; }

static void write_uri(mcpw_json_writer *w, const char *key, const mcpw_skills *skills, mcpw_str path,
                      mcpw_arena *arena) {
    const mcpw_str uri = mcpw_skills_uri(skills->prefix, path, arena);
    if (uri.ptr == NULL) {
        lack_memory(w);
        return;
    }
    write_text(w, key, uri);
}

/* The path of a skill's SKILL.md, in the arena; absent without memory. */
static mcpw_str own_file(mcpw_str path, mcpw_arena *arena) {
    static const char name[] = "/SKILL.md";
    mcpw_str out = {NULL, path.len + sizeof name - 1};
    char *const text = mcpw_arena_alloc(arena, out.len + 1);
    if (text != NULL) {
        memcpy(text, path.ptr, path.len);
        memcpy(text + path.len, name, sizeof name);
    }
    out.ptr = text;
    return out;
}

static void write_file(mcpw_json_writer *w, const mcpw_skills *skills, const mcpw_viewed_file *file,
                       mcpw_arena *arena) {
    char digest[MCPW_SKILL_DIGEST_SIZE];
    if (file->indexed != NULL) {
        mcpw_skills_write_digest(file->indexed->hash, digest);
    } else {
        memcpy(digest, file->in_memory->digest, sizeof digest);
    }
    mcpw_json_write_object(w);
    write_uri(w, "uri", skills, file->path, arena);
    write_text(w, "digest", mcpw_str_from(digest));
    mcpw_json_write_key(w, "size");
    mcpw_json_write_int(w, file->size);
    mcpw_json_write_close(w);
}

static void write_entry(mcpw_json_writer *w, const mcpw_skills *skills, const mcpw_skill_view *view,
                        mcpw_arena *arena) {
    const mcpw_str path = own_file(view->path, arena);
    mcpw_json_write_object(w);
    if (path.ptr == NULL) {
        lack_memory(w);
        return;
    }
    write_uri(w, "uri", skills, path, arena);
    mcpw_json_write_key(w, "frontmatter");
    mcpw_json_write_raw(w, view->indexed != NULL ? view->indexed->frontmatter : view->in_memory->frontmatter);
    mcpw_json_write_key(w, "resources");
    if (view->in_memory != NULL && view->in_memory->read != NULL) {
        mcpw_json_write_string(w, "dynamic", strlen("dynamic"));
    } else {
        mcpw_json_write_array(w);
        for (size_t i = 0; i < mcpw_view_file_count(view); i++) {
            const mcpw_mark mark = mcpw_arena_mark(arena);
            const mcpw_viewed_file file = mcpw_view_file(skills, view, i);
            write_file(w, skills, &file, arena);
            mcpw_arena_rewind(arena, mark);
        }
        mcpw_json_write_close(w);
    }
    mcpw_json_write_close(w);
}

static void begin_result(mcpw_json_writer *w, mcpw_buffer *buffer) {
    mcpw_json_write_into(w, buffer);
    mcpw_json_write_object(w);
    write_text(w, "resultType", mcpw_str_from("complete"));
}

static void write_cache(mcpw_json_writer *w, const mcpw_skills *skills) {
    mcpw_json_write_key(w, "ttlMs");
    mcpw_json_write_int(w, skills->options.ttl_ms);
    write_text(w, "cacheScope", mcpw_str_from(skills->options.cache_public ? "public" : "private"));
}

/* Ends a result, and moves it into the arena. */
static mcpw_status end_result(mcpw_json_writer *w, mcpw_buffer *buffer, mcpw_arena *arena, mcpw_json *out) {
    mcpw_json_write_close(w);
    mcpw_status status = mcpw_json_write_end(w, out);
    if (status == MCPW_OK) {
        const mcpw_str copy = mcpw_arena_str(arena, out->ptr, out->len);
        *out = mcpw_json_of(copy.ptr, copy.len);
        status = copy.ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
    }
    mcpw_buffer_free(buffer);
    return status;
}

static mcpw_buffer buffer_of(const mcpw_skills *skills) {
    mcpw_buffer buffer = MCPW_BUFFER_INIT;
    buffer.allocator = skills->options.allocator;
    return buffer;
}

/* ---- Skills -------------------------------------------------------------------------------------------- */

static bool is_listed(const mcpw_skill_view *view) {
    return view->in_memory == NULL || !view->in_memory->is_unlisted;
}

mcpw_status mcpw_skills_list_result(const mcpw_skills *skills, const mcpw_skill_views *views, mcpw_str after,
                                    mcpw_arena *arena, mcpw_json *out) {
    mcpw_buffer buffer = buffer_of(skills);
    const mcpw_skill_view *last = NULL;
    bool has_more = false;
    size_t count = 0;
    mcpw_json_writer w;
    begin_result(&w, &buffer);
    mcpw_json_write_key(&w, "skills");
    mcpw_json_write_array(&w);
    for (size_t i = 0; i < views->count && !has_more; i++) {
        const mcpw_skill_view *const view = views->items + i;
        if (!is_listed(view) || (after.ptr != NULL && mcpw_skills_compare(view->path, after) <= 0)) {
            continue;
        }
        if (count != 0 && (count == skills->options.page_size || buffer.len >= PAGE_BYTES)) {
            has_more = true;
        } else {
            write_entry(&w, skills, view, arena);
            last = view;
            count++;
        }
    }
    mcpw_json_write_close(&w);
    if (has_more && last != NULL) {
        write_uri(&w, "nextCursor", skills, last->path, arena);
    }
    write_cache(&w, skills);
    return end_result(&w, &buffer, arena, out);
}

mcpw_status mcpw_skills_get_result(const mcpw_skills *skills, const mcpw_skill_view *view, mcpw_arena *arena,
                                   mcpw_json *out) {
    mcpw_buffer buffer = buffer_of(skills);
    mcpw_json_writer w;
    begin_result(&w, &buffer);
    mcpw_json_write_key(&w, "skill");
    write_entry(&w, skills, view, arena);
    write_cache(&w, skills);
    return end_result(&w, &buffer, arena, out);
}

/* ---- Directories --------------------------------------------------------------------------------------- */

/* A child of a directory. */
typedef struct child {
    mcpw_str path;
    bool is_directory;
    mcpw_viewed_file file; /* if it is none */
} child;

static int compare_children(const void *left, const void *right) {
    const child *const a = left;
    const child *const b = right;
    return mcpw_skills_compare(a->path, b->path);
}

typedef struct children {
    child *items;
    size_t count;
} children;

/* Adds the child of a directory that a path leads through. */
static void add_child(children *list, mcpw_str directory, const mcpw_viewed_file *file, mcpw_str path) {
    static const mcpw_viewed_file no_file = {{NULL, 0}, 0, NULL, NULL};
    const size_t begin = directory.len + 1;
    if (path.len <= begin || !mcpw_skills_is_within(path, directory)) {
        return;
    }
    const char *const slash = memchr(path.ptr + begin, '/', path.len - begin);
    const mcpw_str own = {path.ptr, slash != NULL ? (size_t)(slash - path.ptr) : path.len};
    const bool is_same = list->count != 0 && mcpw_str_equal(list->items[list->count - 1].path, own);
    if (!is_same) { /* equal ones that do not stand together are removed later */
        list->items[list->count++] =
            (child){own, slash != NULL || file == NULL, file != NULL ? *file : no_file};
    }
}

/* Finds the children of a directory: each once, sorted. */
static mcpw_status find_children(const mcpw_skills *skills, const mcpw_skill_views *views, mcpw_str directory,
                                 mcpw_arena *arena, children *list) {
    size_t most = 1;
    size_t kept = 0;
    for (size_t i = 0; i < views->count; i++) {
        most += mcpw_view_file_count(views->items + i) + 1;
    }
    list->count = 0;
    list->items = mcpw_arena_alloc(arena, most * sizeof *list->items);
    if (list->items == NULL) {
        return MCPW_E_MEMORY;
    }
    for (size_t i = 0; i < views->count; i++) {
        const mcpw_skill_view *const view = views->items + i;
        add_child(list, directory, NULL, view->path);
        for (size_t f = 0; f < mcpw_view_file_count(view); f++) {
            const mcpw_viewed_file file = mcpw_view_file(skills, view, f);
            add_child(list, directory, &file, file.path);
        }
    }
    if (list->count == 0) {
        return MCPW_E_NOT_FOUND;
    }
    qsort(list->items, list->count, sizeof *list->items, compare_children);
    for (size_t i = 0; i < list->count; i++) {
        if (i == 0 || !mcpw_str_equal(list->items[i].path, list->items[kept - 1].path)) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
    return MCPW_OK;
}

static void write_child(mcpw_json_writer *w, const mcpw_skills *skills, const child *c, mcpw_arena *arena) {
    bool is_text = false;
    const char *const by_suffix = mcpw_skills_mime_type(c->path, &is_text);
    mcpw_str type = mcpw_str_from(c->is_directory ? "inode/directory" : by_suffix);
    if (c->file.in_memory != NULL && !c->is_directory && c->file.in_memory->mime_type.ptr != NULL) {
        type = c->file.in_memory->mime_type;
    }
    mcpw_json_write_object(w);
    write_uri(w, "uri", skills, c->path, arena);
    write_text(w, "name", mcpw_skills_name_of(c->path));
    if (type.ptr != NULL) {
        write_text(w, "mimeType", type);
    }
    if (!c->is_directory) {
        mcpw_json_write_key(w, "size");
        mcpw_json_write_int(w, c->file.size);
    }
    mcpw_json_write_close(w);
}

mcpw_status mcpw_skills_directory_result(const mcpw_skills *skills, const mcpw_skill_views *views,
                                         mcpw_str path, mcpw_str after, mcpw_arena *arena, mcpw_json *out) {
    children list = {NULL, 0};
    mcpw_buffer buffer = buffer_of(skills);
    mcpw_json_writer w;
    const child *last = NULL;
    size_t count = 0;
    bool has_more = false;
    const mcpw_status status = find_children(skills, views, path, arena, &list);
    if (status != MCPW_OK) {
        return status;
    }
    begin_result(&w, &buffer);
    mcpw_json_write_key(&w, "resources");
    mcpw_json_write_array(&w);
    for (size_t i = 0; i < list.count && !has_more; i++) {
        if (after.ptr != NULL && mcpw_skills_compare(list.items[i].path, after) <= 0) {
            continue;
        }
        has_more = count == skills->options.page_size;
        if (!has_more) {
            last = list.items + i;
            write_child(&w, skills, last, arena);
            count++;
        }
    }
    mcpw_json_write_close(&w);
    if (has_more && last != NULL) {
        write_uri(&w, "nextCursor", skills, last->path, arena);
    }
    write_cache(&w, skills);
    return end_result(&w, &buffer, arena, out);
}
