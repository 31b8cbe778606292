/* SPDX-License-Identifier: MIT */
/* Files below a root directory. Every step opens one name relative to the descriptor before, and follows no
 * link, so no race with another process can lead out. */
#define _XOPEN_SOURCE 700
#include "index.h"
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <unistd.h>

enum { PORTION = 1 << 16 };

mcpw_file_id mcpw_file_id_of(const struct stat *status) {
    return (mcpw_file_id){status->st_dev, status->st_ino, status->st_size, status->st_mtim, status->st_ctim};
}

static bool same_time(const struct timespec *a, const struct timespec *b) {
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

bool mcpw_file_id_equal(const mcpw_file_id *a, const mcpw_file_id *b) {
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           same_time(&a->modified, &b->modified) && same_time(&a->changed, &b->changed);
}

/* Opens a path below the root, which has no empty, "." or ".." step; -1: errno says why not. */
static int open_below(int root, mcpw_str path) {
    char name[MCPW_SKILL_MAX_PATH + 1];
    int at = root;
    size_t begin = 0;
    while (begin <= path.len) {
        const char *const slash = memchr(path.ptr + begin, '/', path.len - begin);
        const size_t len = slash != NULL ? (size_t)(slash - path.ptr) - begin : path.len - begin;
        const int kind = slash != NULL ? O_DIRECTORY : O_NONBLOCK | O_NOCTTY;
        memcpy(name, path.ptr + begin, len);
        name[len] = '\0';
        const int next = openat(at, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | kind);
        const int reason = errno;
        if (at != root) {
            (void)close(at);
        }
        errno = reason;
        at = next;
        if (at < 0) {
            break;
        }
        begin += len + 1;
    }
    return at;
}

static mcpw_status open_failed(int reason, mcpw_error *error) {
    const bool is_gone = reason == ENOENT || reason == ELOOP || reason == ENOTDIR || reason == ENXIO;
    return mcpw_error_set(error, is_gone ? MCPW_E_NOT_FOUND : MCPW_E_IO, 0, "the file cannot be opened: %s",
                          strerror(reason)); /* NOLINT(concurrency-mt-unsafe) */
}

/* Reads the file to its end. The hash is computed of the same bytes that are kept. */
static mcpw_status read_all(int fd, mcpw_file_read *out, mcpw_error *error) {
    crypto_hash_sha256_state state;
    unsigned char portion[PORTION];
    const size_t size = (size_t)out->id.size;
    size_t len = 0;
    (void)crypto_hash_sha256_init(&state);
    for (;;) {
        const size_t room = size + 1 - len < sizeof portion ? size + 1 - len : sizeof portion;
        const ssize_t got = read(fd, portion, room);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return mcpw_error_set(error, MCPW_E_IO, 0, "the file cannot be read: %s",
                                  strerror(errno)); /* NOLINT(concurrency-mt-unsafe) */
        }
        if (got == 0) {
            break;
        }
        if ((size_t)got > size - len) { /* it has grown */
            return MCPW_E_STATE;
        }
        (void)crypto_hash_sha256_update(&state, portion, (unsigned long long)got);
        if (out->bytes != NULL) {
            memcpy(out->bytes + len, portion, (size_t)got);
        }
        len += (size_t)got;
    }
    (void)crypto_hash_sha256_final(&state, out->hash);
    return len == size ? MCPW_OK : MCPW_E_STATE;
}

/* Reads an open file once. MCPW_E_STATE: it has changed meanwhile. */
static mcpw_status take_once(int fd, size_t most, mcpw_arena *arena, mcpw_file_read *out, mcpw_error *error) {
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        return mcpw_error_set(error, MCPW_E_NOT_FOUND, 0, "it is no regular file");
    }
    out->id = mcpw_file_id_of(&status);
    out->bytes = NULL;
    if (status.st_size < 0 || (unsigned long long)status.st_size > most) {
        return mcpw_error_set(error, MCPW_E_SIZE, 0, "the file has more than %zu bytes", most);
    }
    if (arena != NULL) {
        out->bytes = mcpw_arena_alloc(arena, (size_t)status.st_size + 1);
        if (out->bytes == NULL) {
            return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        }
        out->bytes[status.st_size] = '\0';
    }
    const mcpw_status read_status = read_all(fd, out, error);
    if (read_status != MCPW_OK) {
        return read_status;
    }
    const mcpw_file_id before = out->id;
    if (fstat(fd, &status) != 0) {
        return MCPW_E_STATE;
    }
    out->id = mcpw_file_id_of(&status);
    return mcpw_file_id_equal(&before, &out->id) ? MCPW_OK : MCPW_E_STATE;
}

mcpw_status mcpw_file_take(int root, mcpw_str path, size_t most, mcpw_arena *arena, mcpw_file_read *out,
                           mcpw_error *error) {
    mcpw_status status = MCPW_E_STATE;
    if (!mcpw_skills_path_is_valid(path)) {
        return mcpw_error_set(error, MCPW_E_NOT_FOUND, 0, "the path leads nowhere");
    }
    for (int i = 0; status == MCPW_E_STATE && i < MCPW_SKILLS_TRIES; i++) {
        const int fd = open_below(root, path);
        if (fd < 0) {
            return open_failed(errno, error);
        }
        const mcpw_mark mark = mcpw_arena_mark(arena != NULL ? arena : &(mcpw_arena)MCPW_ARENA_INIT);
        status = take_once(fd, most, arena, out, error);
        if (status != MCPW_OK && arena != NULL) {
            mcpw_arena_rewind(arena, mark);
        }
        (void)close(fd);
    }
    return status == MCPW_E_STATE ? mcpw_error_set(error, status, 0, "the file changes while it is read")
                                  : status;
}

void mcpw_skills_write_digest(const unsigned char hash[MCPW_SKILLS_HASH], char out[MCPW_SKILL_DIGEST_SIZE]) {
    static const char prefix[] = "sha256:";
    memcpy(out, prefix, sizeof prefix - 1);
    (void)sodium_bin2hex(out + sizeof prefix - 1, MCPW_SKILL_DIGEST_SIZE - (sizeof prefix - 1), hash,
                         MCPW_SKILLS_HASH);
}

void mcpw_skill_digest(const void *bytes, size_t len, char out[MCPW_SKILL_DIGEST_SIZE]) {
    unsigned char hash[MCPW_SKILLS_HASH];
    (void)crypto_hash_sha256(hash, len != 0 ? bytes : (const void *)"", len);
    mcpw_skills_write_digest(hash, out);
}
