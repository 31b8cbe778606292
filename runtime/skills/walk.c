/* SPDX-License-Identifier: MIT */
/* Finds the files and directories below the root, in the order of their paths. */
#define _XOPEN_SOURCE 700
#include "index.h"

#include "path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { FIRST_ROOM = 64, CONTROL_END = 0x20, DELETE = 0x7f };

static const char skill_file[] = "SKILL.md";

/* An entry of a directory. */
typedef struct entry {
    const char *name;
    size_t len;
    bool is_directory;
    bool is_file; /* a regular one */
    mcpw_file_id id;
} entry;

/* The entries of a directory. */
typedef struct entries {
    entry *items;
    size_t count;
    size_t room;
} entries;

/* ---- Reports ------------------------------------------------------------------------------------------- */

/* Notes the hash of a problem. False: it is known already, or there is no room for it. */
static bool is_new_problem(mcpw_walk *w, mcpw_str path, const mcpw_error *why) {
    uint64_t hash = 14695981039346656037U; /* FNV-1a */
    for (size_t i = 0; i < path.len; i++) {
        hash = (hash ^ (unsigned char)path.ptr[i]) * 1099511628211U;
    }
    for (const char *c = why->message; *c != '\0'; c++) {
        hash = (hash ^ (unsigned char)*c) * 1099511628211U;
    }
    if (w->next->reported_count == MCPW_SKILLS_REPORTED) {
        return false;
    }
    w->next->reported[w->next->reported_count++] = hash;
    for (size_t i = 0; w->old != NULL && i < w->old->reported_count; i++) {
        if (w->old->reported[i] == hash) {
            return false;
        }
    }
    return true;
}

void mcpw_walk_report(mcpw_walk *w, mcpw_str path, const mcpw_error *why) {
    static const char digits[] = "0123456789abcdef";
    enum { ESCAPE = 4, NIBBLE = 4, LOW = 0xf };
    char safe[ESCAPE * MCPW_SKILL_MAX_PATH + 1];
    size_t len = 0;
    if (!is_new_problem(w, path, why) || w->options->on_diagnostic == NULL) {
        return;
    }
    for (size_t i = 0; i < path.len && i < MCPW_SKILL_MAX_PATH; i++) {
        const unsigned char c = (unsigned char)path.ptr[i];
        if (c >= CONTROL_END && c < DELETE) {
            safe[len++] = (char)c;
        } else {
            safe[len++] = '\\';
            safe[len++] = 'x';
            safe[len++] = digits[c >> NIBBLE];
            safe[len++] = digits[c & LOW];
        }
    }
    safe[len] = '\0';
    w->options->on_diagnostic(w->options->user, len != 0 ? safe : ".", why);
}

static mcpw_str here(const mcpw_walk *w) { return (mcpw_str){w->path, w->path_len}; }

/* Reports a problem at the current path. */
static void report(mcpw_walk *w, mcpw_status status, const char *text) {
    mcpw_error why = {MCPW_OK, 0, "", ""};
    mcpw_error_set(&why, status, 0, "%s", text);
    mcpw_walk_report(w, here(w), &why);
}

/* Reports a problem that makes the skills around the current path incomplete. */
static void report_gap(mcpw_walk *w, mcpw_status status, const char *text) {
    report(w, status, text);
    for (size_t i = w->open; i != 0; i = w->next->skills[i - 1].outer) {
        w->next->skills[i - 1].is_broken = true;
    }
}

static void fail(mcpw_walk *w, mcpw_status status) {
    w->status = mcpw_error_set(w->error, status, 0, "%s", mcpw_status_text(status));
}

/* The memory of the index is used up: what is still to come is left out. */
static void fill_up(mcpw_walk *w, const char *text) {
    w->is_full = true;
    report_gap(w, MCPW_E_SIZE, text);
}

static void out_of_memory(mcpw_walk *w, const mcpw_arena *arena) {
    if (arena->status == MCPW_E_ARENA) {
        fill_up(w, "the index needs more memory than max_memory: the rest is left out");
    } else {
        fail(w, MCPW_E_MEMORY);
    }
}

/* ---- Lists --------------------------------------------------------------------------------------------- */

/* Makes room for one more item of a list that lies in an arena. */
static bool grow(mcpw_walk *w, mcpw_arena *arena, void **items, size_t count, size_t *room, size_t size) {
    if (count < *room) {
        return true;
    }
    const size_t more = *room != 0 ? *room * 2 : FIRST_ROOM;
    void *const larger = mcpw_arena_alloc(arena, more * size);
    if (larger == NULL) {
        out_of_memory(w, arena);
        return false;
    }
    if (count != 0) {
        memcpy(larger, *items, count * size);
    }
    *items = larger;
    *room = more;
    return true;
}

/* Entries come in the order that their paths have: a directory counts as if its name ended with a slash. */
static int compare_entries(const void *left, const void *right) {
    const entry *const a = left;
    const entry *const b = right;
    const size_t shorter = a->len < b->len ? a->len : b->len;
    const int order = memcmp(a->name, b->name, shorter);
    if (order != 0) {
        return order;
    }
    const unsigned char next_a = shorter < a->len  ? (unsigned char)a->name[shorter]
                                 : a->is_directory ? '/'
                                                   : 0;
    const unsigned char next_b = shorter < b->len  ? (unsigned char)b->name[shorter]
                                 : b->is_directory ? '/'
                                                   : 0;
    return (next_a > next_b) - (next_a < next_b);
}

/* Adds an entry of the directory. False: the walk ends. */
static bool add_entry(mcpw_walk *w, int fd, const char *name, entries *list) {
    struct stat status;
    void *items = list->items;
    if (fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        return true; /* it is gone already */
    }
    if (w->entries++ >= w->options->max_entries) {
        fill_up(w, "there are more files and directories than max_entries: the rest is left out");
        return false;
    }
    if (!grow(w, &w->scratch, &items, list->count, &list->room, sizeof *list->items)) {
        return false;
    }
    list->items = items;
    const mcpw_str copy = mcpw_arena_str(&w->scratch, name, strlen(name));
    if (copy.ptr == NULL) {
        out_of_memory(w, &w->scratch);
        return false;
    }
    list->items[list->count++] = (entry){copy.ptr, copy.len, S_ISDIR(status.st_mode), S_ISREG(status.st_mode),
                                         mcpw_file_id_of(&status)};
    return true;
}

static bool is_wanted(const mcpw_walk *w, const char *name) {
    const bool is_self = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
    return !is_self && !(w->options->skip_hidden && name[0] == '.');
}

/* Reads the entries of an open directory, and closes it. */
static void read_entries(mcpw_walk *w, int fd, entries *list) {
    DIR *const directory = fdopendir(fd);
    const struct dirent *item;
    if (directory == NULL) {
        (void)close(fd);
        fail(w, errno == ENOMEM ? MCPW_E_MEMORY : MCPW_E_IO);
        return;
    }
    errno = 0;
    while ((item = readdir(directory)) != NULL) { /* NOLINT(concurrency-mt-unsafe) */
        if (is_wanted(w, item->d_name) && !add_entry(w, dirfd(directory), item->d_name, list)) {
            break;
        }
        errno = 0;
    }
    if (item == NULL && errno != 0) {
        report_gap(w, MCPW_E_IO, "the directory cannot be read to its end");
    }
    (void)closedir(directory);
    if (list->count != 0) {
        qsort(list->items, list->count, sizeof *list->items, compare_entries);
    }
}

/* ---- The walk ------------------------------------------------------------------------------------------ */

/* Appends a name to the current path. False: it is too long. */
static bool enter(mcpw_walk *w, const entry *e) {
    const size_t slash = w->path_len != 0 ? 1 : 0;
    if (w->path_len + slash + e->len > MCPW_SKILL_MAX_PATH) {
        report_gap(w, MCPW_E_SIZE, "a path in it is too long");
        return false;
    }
    if (slash != 0) {
        w->path[w->path_len++] = '/';
    }
    memcpy(w->path + w->path_len, e->name, e->len);
    w->path_len += e->len;
    return true;
}

static void begin_skill(mcpw_walk *w) {
    mcpw_index *const next = w->next;
    void *items = next->skills;
    if (w->path_len == 0) {
        report(w, MCPW_E_FORMAT, "a SKILL.md of the root itself is left out: no directory names the skill");
        return;
    }
    if (!grow(w, &next->arena, &items, next->skill_count, &w->skill_room, sizeof *next->skills)) {
        return;
    }
    next->skills = items;
    const mcpw_str path = mcpw_arena_str(&next->arena, w->path, w->path_len);
    if (path.ptr == NULL) {
        out_of_memory(w, &next->arena);
        return;
    }
    next->skills[next->skill_count++] =
        (mcpw_indexed_skill){.path = path, .first = next->file_count, .outer = w->open};
    w->open = next->skill_count;
}

static void add_file(mcpw_walk *w, const entry *e) {
    mcpw_index *const next = w->next;
    void *items = next->files;
    if (w->open == 0 ||
        !grow(w, &next->arena, &items, next->file_count, &w->file_room, sizeof *next->files)) {
        return;
    }
    next->files = items;
    const mcpw_str path = mcpw_arena_str(&next->arena, w->path, w->path_len);
    if (path.ptr == NULL) {
        out_of_memory(w, &next->arena);
        return;
    }
    next->files[next->file_count++] = (mcpw_indexed_file){.path = path, .id = e->id};
}

static void walk_directory(mcpw_walk *w, int fd, unsigned depth);

static void walk_entry(mcpw_walk *w, int parent, const entry *e, unsigned depth) {
    const size_t len = w->path_len;
    if (!enter(w, e)) {
        return;
    }
    if (!mcpw_skills_name_is_text(e->name, e->len)) {
        report_gap(w, MCPW_E_UTF8, "a name in it is no UTF-8 or has control characters");
    } else if (e->is_file) {
        add_file(w, e);
    } else if (!e->is_directory) {
        report(w, MCPW_E_VALUE, "it is a link, a pipe or a device");
    } else if (depth == MCPW_SKILLS_DEPTH) {
        report_gap(w, MCPW_E_DEPTH, "its directories are nested too deeply");
    } else {
        const int fd = openat(parent, e->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd >= 0) {
            walk_directory(w, fd, depth + 1);
        } else if (errno == EACCES || errno == EPERM) {
            report_gap(w, MCPW_E_IO, "the directory may not be read");
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) {
            fail(w, MCPW_E_IO);
        } /* else it is gone, or is no directory any more */
    }
    w->path_len = len;
}

/* Whether a directory has SKILL.md. */
static bool is_skill(const entries *list) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].is_file && strcmp(list->items[i].name, skill_file) == 0) {
            return true;
        }
    }
    return false;
}

/* Walks an open directory, and closes it. */
static void walk_directory(mcpw_walk *w, int fd, unsigned depth) {
    const mcpw_mark mark = mcpw_arena_mark(&w->scratch);
    const size_t outer = w->open;
    const int own = fcntl(fd, F_DUPFD_CLOEXEC, 0); /* readdir has the other */
    entries list = {NULL, 0, 0};
    if (own < 0) {
        (void)close(fd);
        fail(w, MCPW_E_IO);
        return;
    }
    read_entries(w, fd, &list);
    if (w->status == MCPW_OK && is_skill(&list)) {
        begin_skill(w);
    }
    for (size_t i = 0; i < list.count && w->status == MCPW_OK && !w->is_full; i++) {
        walk_entry(w, own, list.items + i, depth);
    }
    if (w->open != outer && w->open != 0) {
        mcpw_indexed_skill *const skill = w->next->skills + w->open - 1;
        skill->count = w->next->file_count - skill->first;
    }
    w->open = outer;
    (void)close(own);
    mcpw_arena_rewind(&w->scratch, mark);
}

void mcpw_walk_all(mcpw_walk *w) {
    const int fd = openat(w->options->root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        fail(w, MCPW_E_IO);
        return;
    }
    walk_directory(w, fd, 0);
}
