/* SPDX-License-Identifier: MIT */
/*
 * The skills of a directory.
 *
 *   open.c    opens files below the root, loads them, and computes their hashes
 *   walk.c    finds the files and directories, and which directories are skills
 *   index.c   makes the index of what the walk has found, with the hashes of the index before
 */
#ifndef MCPW_SKILLS_INDEX_H
#define MCPW_SKILLS_INDEX_H

#include <mcpw/arena.h>
#include <mcpw/skills.h>

#include <sys/stat.h>
#include <time.h>

enum {
    MCPW_SKILLS_HASH = 32,     /* bytes of a SHA-256 */
    MCPW_SKILLS_DEPTH = 32,    /* nested directories */
    MCPW_SKILLS_REPORTED = 64, /* diagnostics at once */
    MCPW_SKILLS_TRIES = 3      /* reads of a file that changes */
};

/* ---- open.c ---- */

/* The facts by which a change of a file is found. */
typedef struct mcpw_file_id {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec modified;
    struct timespec changed;
} mcpw_file_id;

mcpw_file_id mcpw_file_id_of(const struct stat *status);
bool mcpw_file_id_equal(const mcpw_file_id *a, const mcpw_file_id *b);

/* A file as it was read. */
typedef struct mcpw_file_read {
    mcpw_file_id id;
    unsigned char hash[MCPW_SKILLS_HASH];
    char *bytes; /* if they were asked for: of id.size bytes and a NUL, in the arena */
} mcpw_file_read;

/* Reads the regular file at a path below the root. No step follows a link or leads up. `arena` NULL: only its
 * hash is computed. MCPW_E_NOT_FOUND: there is no such regular file. MCPW_E_SIZE: it has more than `most`
 * bytes. MCPW_E_STATE: it changes while it is read. MCPW_E_IO, MCPW_E_MEMORY. */
MCPW_NODISCARD mcpw_status mcpw_file_take(int root, mcpw_str path, size_t most, mcpw_arena *arena,
                                          mcpw_file_read *out, mcpw_error *error);

/* The hash as text. */
void mcpw_skills_write_digest(const unsigned char hash[MCPW_SKILLS_HASH], char out[MCPW_SKILL_DIGEST_SIZE]);

/* ---- index.c ---- */

/* A file of a skill. */
typedef struct mcpw_indexed_file {
    mcpw_str path; /* below the root */
    mcpw_file_id id;
    unsigned char hash[MCPW_SKILLS_HASH];
    bool is_settled; /* its times are so old that a later change shows in them */
    bool has_hash;
    bool is_used; /* by a skill */
} mcpw_indexed_file;

/* A skill; its files are those from first on. */
typedef struct mcpw_indexed_skill {
    mcpw_str path; /* its directory */
    mcpw_json frontmatter;
    size_t first;
    size_t count;
    size_t outer;   /* the skill around it, counted from 1; 0: none */
    bool is_broken; /* it breaks a rule */
} mcpw_indexed_skill;

/* An index; zeros: an empty one. Files and skills are sorted by path. */
typedef struct mcpw_index {
    mcpw_arena arena; /* has everything */
    mcpw_indexed_file *files;
    size_t file_count;
    mcpw_indexed_skill *skills;
    size_t skill_count;
    bool is_racy;                            /* a file changed between two looks at it */
    uint64_t reported[MCPW_SKILLS_REPORTED]; /* hashes of the diagnostics */
    size_t reported_count;
} mcpw_index;

/* The options that an index needs. */
typedef struct mcpw_index_options {
    int root;
    size_t max_files;
    size_t max_bytes;
    size_t max_skills;
    size_t max_entries;
    size_t max_memory;
    bool skip_hidden;
    void (*on_diagnostic)(void *user, const char *path, const mcpw_error *error);
    void *user;
    mcpw_allocator allocator;
} mcpw_index_options;

/* Makes an index of the directory as it is now. Unchanged files and skills are taken from `old`. On failure,
 * which is MCPW_E_MEMORY or MCPW_E_IO, `next` is empty. */
MCPW_NODISCARD mcpw_status mcpw_index_make(mcpw_index *next, const mcpw_index *old,
                                           const mcpw_index_options *options, mcpw_error *error);
void mcpw_index_free(mcpw_index *index);
/* The file of a path; NULL: there is none. */
const mcpw_indexed_file *mcpw_index_file(const mcpw_index *index, mcpw_str path);
/* The skill of a path; NULL: there is none. */
const mcpw_indexed_skill *mcpw_index_skill(const mcpw_index *index, mcpw_str path);

/* ---- walk.c ---- */

/* The making of an index. */
typedef struct mcpw_walk {
    const mcpw_index_options *options;
    const mcpw_index *old;
    mcpw_index *next;
    mcpw_arena scratch; /* names of the directories that are open */
    size_t file_room;
    size_t skill_room;
    size_t entries;
    size_t open;  /* the innermost skill that the walk is in, counted from 1; 0: none */
    bool is_full; /* a limit of the whole directory is reached */
    char path[MCPW_SKILL_MAX_PATH + 1];
    size_t path_len;
    mcpw_status status; /* of what ends the walk */
    mcpw_error *error;
} mcpw_walk;

/* Finds all files of skills, and the skills, in the order of their paths. Hashes and front matter are missing
 * yet. */
void mcpw_walk_all(mcpw_walk *w);

/* Reports a problem. */
void mcpw_walk_report(mcpw_walk *w, mcpw_str path, const mcpw_error *why);

#endif
