/* SPDX-License-Identifier: MIT */
/* A store of tokens in files: a folder of the user's, a file for each value, and one beside it that is
 * locked. */
#define _GNU_SOURCE /* flock beside POSIX */

#include <mcpw/oauth.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    NAME_SIZE = crypto_hash_sha256_BYTES * 2 + 1, /* hexadecimal digits */
    SUFFIX_SIZE = 24,
    PRIVATE_FOLDER = 0700,
    PRIVATE_FILE = 0600,
    OTHERS = 0077,
    MOST_VALUE = 1 << 20 /* bytes */
};

static const char unfinished[] = ".new"; /* the end of the name of a value that is being written */

/* A lock that is held. */
typedef struct held {
    struct held *next;
    int descriptor;
    char name[NAME_SIZE];
} held;

typedef struct files {
    mcpw_oauth_store store; /* first, so that the program's pointer is that of the whole */
    int folder;
    held *locks;
} files;

static void name_of(mcpw_str key, char name[NAME_SIZE]) {
    unsigned char digest[crypto_hash_sha256_BYTES];
    (void)crypto_hash_sha256(digest, (const unsigned char *)key.ptr, key.len);
    (void)sodium_bin2hex(name, NAME_SIZE, digest, sizeof digest);
}

static void path_of(char path[NAME_SIZE + SUFFIX_SIZE], const char *name, const char *suffix) {
    (void)snprintf(path, NAME_SIZE + SUFFIX_SIZE, "%s.%s", name, suffix);
}

/* Whether a descriptor is of a thing of this kind that belongs to the user alone. */
static bool is_private(int descriptor, mode_t kind) {
    struct stat found;
    return fstat(descriptor, &found) == 0 && (found.st_mode & S_IFMT) == kind && found.st_uid == geteuid() &&
           (found.st_mode & OTHERS) == 0;
}

/* ---- Locks --------------------------------------------------------------------------------------------- */

static mcpw_status lock(void *self, mcpw_str key) {
    files *const f = self;
    char path[NAME_SIZE + SUFFIX_SIZE];
    held *const one = malloc(sizeof *one);
    if (one == NULL) {
        return MCPW_E_MEMORY;
    }
    name_of(key, one->name);
    path_of(path, one->name, "lock");
    one->descriptor = openat(f->folder, path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, PRIVATE_FILE);
    if (one->descriptor >= 0 && flock(one->descriptor, LOCK_EX | LOCK_NB) == 0) {
        one->next = f->locks;
        f->locks = one;
        return MCPW_OK;
    }
    const bool is_taken = one->descriptor >= 0 && (errno == EWOULDBLOCK || errno == EINTR);
    if (one->descriptor >= 0) {
        (void)close(one->descriptor);
    }
    free(one);
    return is_taken ? MCPW_PENDING : MCPW_E_IO;
}

static void unlock(void *self, mcpw_str key) {
    files *const f = self;
    char name[NAME_SIZE];
    name_of(key, name);
    for (held **at = &f->locks; *at != NULL; at = &(*at)->next) {
        held *const one = *at;
        if (strcmp(one->name, name) == 0) {
            *at = one->next;
            (void)close(
                one->descriptor); /* which returns the lock; the file stays, as others may wait for it */
            free(one);
            return;
        }
    }
}

/* ---- Values -------------------------------------------------------------------------------------------- */

/* Reads len bytes. False: there are fewer. */
static bool read_all(int descriptor, char *to, size_t len) {
    while (len != 0) {
        const ssize_t n = read(descriptor, to, len);
        if (n == 0 || (n < 0 && errno != EINTR)) {
            return false;
        }
        to += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool write_all(int descriptor, mcpw_str text) {
    while (text.len != 0) {
        const ssize_t n = write(descriptor, text.ptr, text.len);
        if (n < 0 && errno != EINTR) {
            return false;
        }
        text.ptr += n > 0 ? n : 0;
        text.len -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static mcpw_status read_value(int descriptor, mcpw_arena *arena, mcpw_str *value) {
    struct stat found;
    if (!is_private(descriptor, S_IFREG) || fstat(descriptor, &found) != 0 || found.st_size > MOST_VALUE) {
        return MCPW_E_IO;
    }
    char *const text = mcpw_arena_alloc(arena, (size_t)found.st_size + 1);
    if (text == NULL) {
        return MCPW_E_MEMORY;
    }
    text[found.st_size] = '\0';
    *value = (mcpw_str){text, (size_t)found.st_size};
    return read_all(descriptor, text, value->len) ? MCPW_OK : MCPW_E_IO;
}

static mcpw_status load(void *self, mcpw_str key, mcpw_arena *arena, mcpw_str *value) {
    const files *const f = self;
    char name[NAME_SIZE];
    char path[NAME_SIZE + SUFFIX_SIZE];
    name_of(key, name);
    path_of(path, name, "json");
    const int descriptor = openat(f->folder, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        return errno == ENOENT ? MCPW_E_NOT_FOUND : MCPW_E_IO;
    }
    const mcpw_status status = read_value(descriptor, arena, value);
    (void)close(descriptor);
    return status;
}

static bool ends_with(const char *name, const char *suffix) {
    const size_t len = strlen(name);
    return len > strlen(suffix) && strcmp(name + len - strlen(suffix), suffix) == 0;
}

static bool is_value(const char *name) { return ends_with(name, ".json"); }

/* Opens the list of the folder's files. NULL: it cannot be read. */
static DIR *list(const files *f) {
    const int again = openat(f->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *const entries = again >= 0 ? fdopendir(again) : NULL;
    if (entries == NULL && again >= 0) {
        (void)close(again);
    }
    return entries;
}

/* Removes values that a program did not finish writing because it was killed. They may contain tokens, and no
 * logout finds them. */
static void remove_remains(const files *f) {
    enum { OLD = 600 /* seconds; a younger one may be written right now */ };
    DIR *const entries = list(f);
    struct stat found;
    if (entries == NULL) {
        return;
    }
    for (const struct dirent *e = readdir(entries); e != NULL; e = readdir(entries)) {
        if (ends_with(e->d_name, unfinished) &&
            fstatat(f->folder, e->d_name, &found, AT_SYMLINK_NOFOLLOW) == 0 &&
            time(NULL) - found.st_mtime > OLD) {
            (void)unlinkat(f->folder, e->d_name, 0);
        }
    }
    (void)closedir(entries);
}

/* Whether the folder has as many values as it may, or cannot be read. */
static bool is_full(const files *f) {
    DIR *const entries = list(f);
    size_t count = 0;
    if (entries == NULL) {
        return true;
    }
    for (const struct dirent *e = readdir(entries); e != NULL; e = readdir(entries)) {
        count += is_value(e->d_name) ? 1 : 0;
    }
    (void)closedir(entries);
    return count >= MCPW_OAUTH_MOST_RECORDS;
}

/* Removes a value, and makes sure that it stays removed. */
static mcpw_status erase(const files *f, const char *path) {
    if (unlinkat(f->folder, path, 0) != 0) {
        return errno == ENOENT ? MCPW_OK : MCPW_E_IO;
    }
    return fsync(f->folder) == 0 ? MCPW_OK : MCPW_E_IO;
}

/* Writes a value to a file, renames it, and makes sure that both outlast a crash of the system. */
static mcpw_status save(void *self, mcpw_str key, mcpw_str value) {
    const files *const f = self;
    char name[NAME_SIZE];
    char path[NAME_SIZE + SUFFIX_SIZE];
    char fresh[NAME_SIZE + SUFFIX_SIZE];
    char suffix[SUFFIX_SIZE];
    name_of(key, name);
    path_of(path, name, "json");
    if (value.ptr == NULL) {
        return erase(f, path);
    }
    if (faccessat(f->folder, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0 && is_full(f)) {
        return MCPW_E_FULL;
    }
    (void)snprintf(suffix, sizeof suffix, "%08x%08x%s", (unsigned)randombytes_random(),
                   (unsigned)randombytes_random(), unfinished);
    path_of(fresh, name, suffix);
    const int descriptor =
        openat(f->folder, fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, PRIVATE_FILE);
    if (descriptor < 0) {
        return MCPW_E_IO;
    }
    bool is_written = write_all(descriptor, value) && fsync(descriptor) == 0;
    is_written = close(descriptor) == 0 && is_written;
    if (!is_written || renameat(f->folder, fresh, f->folder, path) != 0) {
        (void)unlinkat(f->folder, fresh, 0);
        return MCPW_E_IO;
    }
    return fsync(f->folder) == 0 ? MCPW_OK : MCPW_E_IO;
}

/* ---- Making -------------------------------------------------------------------------------------------- */

mcpw_oauth_store *mcpw_oauth_files_new(const char *directory, mcpw_error *error) {
    if (directory == NULL || sodium_init() < 0) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "a store in files needs a directory, and libsodium");
        return NULL;
    }
    files *const f = malloc(sizeof *f);
    if (f == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "the store ran out of memory");
        return NULL;
    }
    *f = (files){.store = MCPW_OAUTH_STORE_INIT};
    const bool is_made = mkdir(directory, PRIVATE_FOLDER) == 0 || errno == EEXIST;
    f->folder = is_made ? open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (f->folder < 0 || !is_private(f->folder, S_IFDIR)) {
        mcpw_error_set(error, MCPW_E_IO, 0, "%.100s: %s", directory,
                       f->folder < 0 ? "the directory of the store cannot be made or opened"
                                     : "expected a directory that belongs to this user alone (mode 0700)");
        mcpw_oauth_files_free(&f->store);
        return NULL;
    }
    remove_remains(f);
    f->store.self = f;
    f->store.lock = lock;
    f->store.unlock = unlock;
    f->store.load = load;
    f->store.save = save;
    return &f->store;
}

void mcpw_oauth_files_free(mcpw_oauth_store *store) {
    files *const f = (files *)store;
    if (f == NULL) {
        return;
    }
    while (f->locks != NULL) {
        held *const one = f->locks;
        f->locks = one->next;
        (void)close(one->descriptor);
        free(one);
    }
    if (f->folder >= 0) {
        (void)close(f->folder);
    }
    free(f);
}
