/* SPDX-License-Identifier: MIT */
/* A store of tokens in files of Windows: a folder of the user's, a file for each value, and one beside it
 * that is held open by whoever has the lock. */
#include "os_win.h"

#include <mcpw/detail/private_file.h>
#include <mcpw/oauth.h>

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    NAME_SIZE = crypto_hash_sha256_BYTES * 2 + 1, /* hexadecimal digits */
    SUFFIX_SIZE = 24,
    MOST_VALUE = 1 << 20, /* bytes */
    REPLACES = 400,       /* attempts to replace a file that another program reads, such as a virus scanner */
    PAUSE_MS = 5          /* between two of them */
};

static const char unfinished[] = ".new"; /* the end of the name of a value that is being written */

/* A lock that is held. */
typedef struct held {
    struct held *next;
    HANDLE file;
    char name[NAME_SIZE];
} held;

typedef struct files {
    mcpw_oauth_store store; /* first, so that the program's pointer is that of the whole */
    held *locks;
    char *folder;
} files;

static void name_of(mcpw_str key, char name[NAME_SIZE]) {
    unsigned char digest[crypto_hash_sha256_BYTES];
    (void)crypto_hash_sha256(digest, (const unsigned char *)key.ptr, key.len);
    (void)sodium_bin2hex(name, NAME_SIZE, digest, sizeof digest);
}

/* The path of a file in the folder, which the caller frees; NULL: no memory. */
static char *path_of(const files *f, const char *name, const char *suffix) {
    const size_t size = strlen(f->folder) + NAME_SIZE + SUFFIX_SIZE;
    char *const path = malloc(size);
    if (path != NULL) {
        (void)snprintf(path, size, "%s\\%s.%s", f->folder, name, suffix);
    }
    return path;
}

static HANDLE open_at(const char *path, unsigned how) {
    return path != NULL ? (HANDLE)mcpw_private_open(path, how) : INVALID_HANDLE_VALUE;
}

/* ---- Locks --------------------------------------------------------------------------------------------- */

static mcpw_status lock(void *self, mcpw_str key) {
    files *const f = self;
    held *const one = malloc(sizeof *one);
    if (one == NULL) {
        return MCPW_E_MEMORY;
    }
    name_of(key, one->name);
    char *const path = path_of(f, one->name, "lock");
    one->file = open_at(path, MCPW_PRIVATE_WRITE | MCPW_PRIVATE_MAKE | MCPW_PRIVATE_ALONE);
    const bool is_taken = one->file == INVALID_HANDLE_VALUE && GetLastError() == ERROR_SHARING_VIOLATION;
    free(path);
    if (one->file != INVALID_HANDLE_VALUE) {
        one->next = f->locks;
        f->locks = one;
        return MCPW_OK;
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
            (void)CloseHandle(one->file); /* which returns the lock; the file stays, as others may want it */
            free(one);
            return;
        }
    }
}

/* ---- Values -------------------------------------------------------------------------------------------- */

static mcpw_status read_value(HANDLE file, mcpw_arena *arena, mcpw_str *value) {
    LARGE_INTEGER size;
    DWORD moved = 0;
    if (!mcpw_private_is((intptr_t)file) || !GetFileSizeEx(file, &size) || size.QuadPart > MOST_VALUE) {
        return MCPW_E_IO;
    }
    char *const text = mcpw_arena_alloc(arena, (size_t)size.QuadPart + 1);
    if (text == NULL) {
        return MCPW_E_MEMORY;
    }
    text[size.QuadPart] = '\0';
    *value = (mcpw_str){text, (size_t)size.QuadPart};
    return ReadFile(file, text, (DWORD)value->len, &moved, NULL) && moved == value->len ? MCPW_OK : MCPW_E_IO;
}

static bool is_absent(DWORD number) {
    return number == ERROR_FILE_NOT_FOUND || number == ERROR_PATH_NOT_FOUND;
}

static mcpw_status load(void *self, mcpw_str key, mcpw_arena *arena, mcpw_str *value) {
    const files *const f = self;
    char name[NAME_SIZE];
    name_of(key, name);
    char *const path = path_of(f, name, "json");
    const HANDLE file = open_at(path, 0);
    const DWORD number = GetLastError();
    const bool has_path = path != NULL;
    free(path);
    if (file == INVALID_HANDLE_VALUE) {
        return !has_path ? MCPW_E_MEMORY : is_absent(number) ? MCPW_E_NOT_FOUND : MCPW_E_IO;
    }
    const mcpw_status status = read_value(file, arena, value);
    (void)CloseHandle(file);
    return status;
}

/* Calls visit for each file whose name has an ending, until it returns false. False: the folder cannot be
 * read. */
static bool each(const files *f, const wchar_t *ending,
                 void (*visit)(const files *f, const WIN32_FIND_DATAW *found, void *to), void *to) {
    WIN32_FIND_DATAW found;
    wchar_t *const folder = mcpw_os_wide(f->folder);
    const size_t len = folder != NULL ? wcslen(folder) : 0;
    wchar_t *const pattern = folder != NULL ? malloc((len + SUFFIX_SIZE) * sizeof *pattern) : NULL;
    if (pattern != NULL) {
        (void)swprintf(pattern, len + SUFFIX_SIZE, L"%ls\\*%ls", folder, ending);
    }
    const HANDLE search = pattern != NULL ? FindFirstFileW(pattern, &found) : INVALID_HANDLE_VALUE;
    const bool is_read = search != INVALID_HANDLE_VALUE || (pattern != NULL && is_absent(GetLastError()));
    free(pattern);
    free(folder);
    if (search != INVALID_HANDLE_VALUE) {
        do {
            visit(f, &found, to);
        } while (FindNextFileW(search, &found));
        (void)FindClose(search);
    }
    return is_read;
}

static void count(const files *f, const WIN32_FIND_DATAW *found, void *to) {
    (void)f, (void)found;
    ++*(size_t *)to;
}

static uint64_t units_of(FILETIME time) { return (uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime; }

static void remove_old(const files *f, const WIN32_FIND_DATAW *found, void *to) {
    enum {
        OLD = 600 /* seconds; a younger one may be written right now */,
        UNITS = 10000000 /* in a second */
    };
    FILETIME now;
    wchar_t *const folder = mcpw_os_wide(f->folder);
    const size_t room = folder != NULL ? wcslen(folder) + MAX_PATH + 2 : 0;
    wchar_t *const path = folder != NULL ? malloc(room * sizeof *path) : NULL;
    (void)to;
    GetSystemTimeAsFileTime(&now);
    if (path != NULL && units_of(now) - units_of(found->ftLastWriteTime) > (uint64_t)OLD * UNITS) {
        (void)swprintf(path, room, L"%ls\\%ls", folder, found->cFileName);
        (void)DeleteFileW(path);
    }
    free(path);
    free(folder);
}

/* Whether the folder has as many values as it may, or cannot be read. */
static bool is_full(const files *f) {
    size_t values = 0;
    return !each(f, L".json", count, &values) || values >= MCPW_OAUTH_MOST_RECORDS;
}

static bool write_all(HANDLE file, mcpw_str text) {
    while (text.len != 0) {
        DWORD moved = 0;
        if (!WriteFile(file, text.ptr, text.len < MOST_VALUE ? (DWORD)text.len : MOST_VALUE, &moved, NULL)) {
            return false;
        }
        text.ptr += moved;
        text.len -= moved;
    }
    return true;
}

/* Gives a file another's name, and makes sure that it has it after a crash of the system. */
static bool replace(const wchar_t *from, const wchar_t *to) {
    bool is_done = false;
    for (int i = 0; !is_done && i < REPLACES; i++) {
        is_done = MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0;
        if (!is_done && GetLastError() != ERROR_ACCESS_DENIED && GetLastError() != ERROR_SHARING_VIOLATION) {
            break;
        }
        Sleep(is_done ? 0 : PAUSE_MS);
    }
    return is_done;
}

static mcpw_status write_value(const char *fresh, const char *path, mcpw_str value) {
    wchar_t *const from = mcpw_os_wide(fresh);
    wchar_t *const to = mcpw_os_wide(path);
    const HANDLE file = open_at(fresh, MCPW_PRIVATE_WRITE | MCPW_PRIVATE_MAKE | MCPW_PRIVATE_NEW);
    bool is_written = file != INVALID_HANDLE_VALUE && write_all(file, value) && FlushFileBuffers(file) != 0;
    if (file != INVALID_HANDLE_VALUE) {
        (void)CloseHandle(file);
    }
    is_written = is_written && from != NULL && to != NULL && replace(from, to);
    if (!is_written && file != INVALID_HANDLE_VALUE && from != NULL) {
        (void)DeleteFileW(from);
    }
    free(from);
    free(to);
    return is_written ? MCPW_OK : MCPW_E_IO;
}

static mcpw_status erase(const char *path) {
    wchar_t *const wide = mcpw_os_wide(path);
    const bool is_gone = wide != NULL && (DeleteFileW(wide) != 0 || is_absent(GetLastError()));
    free(wide);
    return is_gone ? MCPW_OK : MCPW_E_IO;
}

static bool exists(const char *path) {
    const HANDLE file = open_at(path, 0);
    const bool is_there = file != INVALID_HANDLE_VALUE || !is_absent(GetLastError());
    if (file != INVALID_HANDLE_VALUE) {
        (void)CloseHandle(file);
    }
    return is_there;
}

/* Writes a value to a file and renames it. */
static mcpw_status save(void *self, mcpw_str key, mcpw_str value) {
    const files *const f = self;
    char name[NAME_SIZE];
    char suffix[SUFFIX_SIZE];
    mcpw_status status = MCPW_E_MEMORY;
    name_of(key, name);
    (void)snprintf(suffix, sizeof suffix, "%08x%08x%s", (unsigned)randombytes_random(),
                   (unsigned)randombytes_random(), unfinished);
    char *const path = path_of(f, name, "json");
    char *const fresh = path_of(f, name, suffix);
    if (path != NULL && fresh != NULL) {
        status = value.ptr == NULL             ? erase(path)
                 : !exists(path) && is_full(f) ? MCPW_E_FULL
                                               : write_value(fresh, path, value);
    }
    free(path);
    free(fresh);
    return status;
}

/* ---- Making -------------------------------------------------------------------------------------------- */

/* Whether the directory is there, or was made, and is the user's alone. */
static mcpw_status prepare(const char *directory, mcpw_error *error) {
    const bool is_made = mcpw_private_folder(directory);
    const HANDLE folder = is_made ? open_at(directory, 0) : INVALID_HANDLE_VALUE;
    const bool is_private = folder != INVALID_HANDLE_VALUE && mcpw_private_is((intptr_t)folder);
    BY_HANDLE_FILE_INFORMATION about;
    const bool is_folder = folder != INVALID_HANDLE_VALUE && GetFileInformationByHandle(folder, &about) &&
                           (about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    if (folder != INVALID_HANDLE_VALUE) {
        (void)CloseHandle(folder);
    }
    return is_private && is_folder
               ? MCPW_OK
               : mcpw_error_set(error, MCPW_E_IO, 0, "%.100s: %s", directory,
                                folder == INVALID_HANDLE_VALUE
                                    ? "the directory of the store cannot be made or opened"
                                    : "expected a directory that belongs to this user alone");
}

mcpw_oauth_store *mcpw_oauth_files_new(const char *directory, mcpw_error *error) {
    if (directory == NULL || sodium_init() < 0) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "a store in files needs a directory, and libsodium");
        return NULL;
    }
    files *const f = calloc(1, sizeof *f);
    char *const copy = f != NULL ? _strdup(directory) : NULL;
    if (copy == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "the store ran out of memory");
        free(f);
        return NULL;
    }
    *f = (files){.store = MCPW_OAUTH_STORE_INIT, .folder = copy};
    if (prepare(directory, error) != MCPW_OK) {
        mcpw_oauth_files_free(&f->store);
        return NULL;
    }
    (void)each(f, L".new", remove_old,
               NULL); /* a program that was killed left them, and no logout finds them */
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
        (void)CloseHandle(one->file);
        free(one);
    }
    free(f->folder);
    free(f);
}
