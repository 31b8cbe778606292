/* SPDX-License-Identifier: MIT */
/*
 * A file server: the files of one directory as resources, on standard input and output or over HTTP.
 *
 *     example_files DIRECTORY [--http 8080 ...]
 *
 * file:///notes/today.txt is the file notes/today.txt in the directory. Each file that is there is listed; a
 * template with completion serves those that came later. The tool `search` finds text in the files, `refresh`
 * looks for new, changed and removed ones, of which clients are told. Hidden files, links and what lies
 * outside of the directory do not exist here.
 */
#define _POSIX_C_SOURCE 200809L
#include <mcpw/json.h>
#include <mcpw/serve.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 1024, MAX_FILE = 16 << 20, MAX_MATCHES = 100, MATCH_SIZE = 6 * PATH_SIZE + 64 };

typedef struct file {
    struct file *next;
    struct folder *folder;
    struct timespec changed;
    bool seen; /* by the scan that is under way */
    char path[PATH_SIZE];
    char uri[sizeof "file:///" + 3 * PATH_SIZE];
} file;

typedef struct folder {
    int fd;
    mcpw_server *server;
    file *files;
    int added, removed; /* by the last scan */
} folder;

/* ---- Files --------------------------------------------------------------------------------------------- */

static const struct {
    const char *suffix;
    const char *mime_type;
    bool is_text;
} types[] = {
    {".txt", "text/plain", true},
    {".md", "text/markdown", true},
    {".html", "text/html", true},
    {".c", "text/x-c", true},
    {".h", "text/x-c", true},
    {".csv", "text/csv", true},
    {".json", "application/json", true},
    {".xml", "text/xml", true},
    {".png", "image/png", false},
    {".jpg", "image/jpeg", false},
    {".gif", "image/gif", false},
    {".wav", "audio/wav", false},
    {".pdf", "application/pdf", false},
    {"", "application/octet-stream", false},
};

/* The place in types of what a file is, by its suffix. */
static size_t type_of(const char *path) {
    size_t i = 0;
    while (strlen(path) < strlen(types[i].suffix) ||
           strcmp(path + strlen(path) - strlen(types[i].suffix), types[i].suffix) != 0) {
        i++; /* the last one fits */
    }
    return i;
}

/* Opens what is named by a path inside of the directory; -1: there is no such thing. Every step is taken
 * without following links, and none leads up, so nothing outside can be reached. */
static int open_inside(int directory, const char *path, int flags) {
    int at = dup(directory);
    while (at >= 0) {
        const size_t len = strcspn(path, "/");
        char name[PATH_SIZE];
        if (len == 0 || len >= sizeof name || path[0] == '.') {
            break;
        }
        memcpy(name, path, len);
        name[len] = '\0';
        path += len;
        const int next = openat(at, name, O_NOFOLLOW | O_NONBLOCK | (*path != '\0' ? O_DIRECTORY : flags));
        close(at);
        if (*path == '\0') {
            return next;
        }
        at = next;
        path++;
    }
    if (at >= 0) {
        close(at);
    }
    return -1;
}

/* The bytes of a file, to be freed; NULL: there is no such file, or it is too large. */
static char *load(const folder *folder, const char *path, size_t *len) {
    const int fd = open_inside(folder->fd, path, O_RDONLY);
    struct stat status;
    char *bytes = NULL;
    ssize_t got = 1;
    *len = 0;
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= MAX_FILE) {
        bytes = malloc((size_t)status.st_size + 1);
    }
    while (bytes != NULL && got > 0 && *len < (size_t)status.st_size) {
        got = read(fd, bytes + *len, (size_t)status.st_size - *len);
        *len += got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0) {
        close(fd);
    }
    return bytes;
}

/* ---- Resources ----------------------------------------------------------------------------------------- */

static mcpw_status answer_with(mcpw_request *request, const folder *folder, const char *path) {
    const size_t type = type_of(path);
    size_t len;
    char *const bytes = load(folder, path, &len);
    mcpw_status status = MCPW_E_UTF8;
    if (bytes == NULL) {
        return mcpw_respond_resource_not_found(request);
    }
    if (types[type].is_text) { /* if its bytes are text indeed */
        const mcpw_str text = {bytes, len};
        status = mcpw_respond_resource_text(request, types[type].mime_type, text);
    }
    if (status != MCPW_OK) {
        status = mcpw_respond_resource_bytes(request, types[type].mime_type, bytes, len);
    }
    free(bytes);
    return status;
}

static mcpw_status read_listed(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    const file *const f = user;
    (void)read;
    return answer_with(request, f->folder, f->path);
}

static mcpw_status read_any(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    return answer_with(request, user, mcpw_resource_variable(read, "path").ptr);
}

static mcpw_status complete_path(mcpw_request *request, const mcpw_completion *completion, void *user) {
    const folder *const folder = user;
    size_t count = 0;
    for (const file *f = folder->files; f != NULL; f = f->next) {
        count++;
    }
    mcpw_str *const values = mcpw_arena_alloc(mcpw_request_arena(request), (count + 1) * sizeof *values);
    if (values == NULL) {
        return MCPW_E_MEMORY;
    }
    count = 0;
    for (const file *f = folder->files; f != NULL; f = f->next) {
        if (strncmp(f->path, completion->value.ptr, completion->value.len) == 0) {
            values[count++] = mcpw_str_from(f->path);
        }
    }
    return mcpw_respond_completion(request, values, count);
}

/* ---- Looking for files --------------------------------------------------------------------------------- */

static void write_uri(char *out, const char *path) {
    out += sprintf(out, "file:///");
    for (; *path != '\0'; path++) {
        const unsigned char c = (unsigned char)*path;
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           strchr("-._~/", c) != NULL;
        out += sprintf(out, plain ? "%c" : "%%%02X", (unsigned)c);
    }
}

static void add_file(folder *folder, const char *path, const struct stat *status) {
    file *const f = calloc(1, sizeof *f);
    mcpw_error error = {.message = "no memory"};
    bool added = false;
    if (f != NULL) {
        (void)snprintf(f->path, sizeof f->path, "%s", path);
        write_uri(f->uri, path);
        f->folder = folder;
        f->changed = status->st_mtim;
        f->seen = true;
        const mcpw_resource resource = {
            .uri = f->uri,
            .name = f->path,
            .mime_type = types[type_of(path)].mime_type,
            .read = read_listed,
            .user = f,
        };
        added = mcpw_server_add_resource(folder->server, &resource, &error) == MCPW_OK;
    }
    if (added) {
        f->next = folder->files;
        folder->files = f;
        folder->added++;
    } else { /* a name that is no UTF-8, say */
        fprintf(stderr, "files: %s: left out: %s\n", path, error.message);
        free(f);
    }
}

static void note_file(folder *folder, const char *path, const struct stat *status) {
    file *f = folder->files;
    while (f != NULL && strcmp(f->path, path) != 0) {
        f = f->next;
    }
    if (f == NULL) {
        add_file(folder, path, status);
        return;
    }
    f->seen = true;
    if (memcmp(&f->changed, &status->st_mtim, sizeof f->changed) != 0) {
        f->changed = status->st_mtim;
        mcpw_server_resource_updated(folder->server, f->uri);
    }
}

/* Looks into the directory of this descriptor, whose path, "" or "a/b/", is at the beginning of `path`. */
static void look_into(folder *folder, int fd, char path[PATH_SIZE], size_t len) {
    DIR *const directory = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;
    struct stat status;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        const size_t name = strlen(entry->d_name);
        if (entry->d_name[0] == '.' || len + name + 2 > PATH_SIZE ||
            fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
            continue;
        }
        memcpy(path + len, entry->d_name, name + 1);
        if (S_ISREG(status.st_mode)) {
            note_file(folder, path, &status);
        } else if (S_ISDIR(status.st_mode)) {
            const int inner = openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
            memcpy(path + len + name, "/", 2);
            look_into(folder, inner, path, len + name + 1);
        }
    }
    if (directory != NULL) {
        closedir(directory);
    } else if (fd >= 0) {
        close(fd);
    }
}

static void scan(folder *folder) {
    char path[PATH_SIZE] = "";
    folder->added = folder->removed = 0;
    for (file *f = folder->files; f != NULL; f = f->next) {
        f->seen = false;
    }
    look_into(folder, openat(folder->fd, ".", O_RDONLY | O_DIRECTORY), path, 0);
    for (file **at = &folder->files; *at != NULL;) {
        file *const f = *at;
        if (f->seen) {
            at = &f->next;
            continue;
        }
        *at = f->next;
        if (mcpw_server_remove_resource(folder->server, f->uri) == MCPW_OK) {
            folder->removed++;
        }
        free(f);
    }
}

/* ---- Tools --------------------------------------------------------------------------------------------- */

static mcpw_status refresh(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    folder *const folder = user;
    char text[64];
    (void)call;
    scan(folder);
    (void)snprintf(text, sizeof text, "%d added, %d removed", folder->added, folder->removed);
    return mcpw_respond_text(request, mcpw_str_from(text));
}

static bool contains(const char *line, size_t len, mcpw_str text) {
    for (; len >= text.len; line++, len--) {
        if (memcmp(line, text.ptr, text.len) == 0) {
            return true;
        }
    }
    return false;
}

/* Writes {"path":...,"line":...} for each line of a file that holds the text. */
static void search_file(const file *f, mcpw_str text, int *count, mcpw_json_writer *w) {
    size_t len;
    char *const bytes = load(f->folder, f->path, &len);
    const char *const end = bytes != NULL ? bytes + len : NULL;
    int number = 0;
    for (const char *line = bytes; line != end && *count < MAX_MATCHES; number++) {
        const char *const stop = memchr(line, '\n', (size_t)(end - line));
        const char *const next = stop != NULL ? stop + 1 : end;
        if (contains(line, (size_t)(next - line), text)) {
            mcpw_json_write_object(w);
            mcpw_json_write_key(w, "path");
            mcpw_json_write_string(w, f->path, strlen(f->path));
            mcpw_json_write_key(w, "line");
            mcpw_json_write_int(w, number + 1);
            mcpw_json_write_close(w);
            (*count)++;
        }
        line = next;
    }
    free(bytes);
}

static mcpw_status search(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const folder *const folder = user;
    mcpw_arena *const arena = mcpw_request_arena(request);
    char *const room = mcpw_arena_alloc(arena, MAX_MATCHES * MATCH_SIZE);
    mcpw_json_writer w;
    mcpw_json result;
    mcpw_str text;
    int count = 0;
    if (room == NULL) {
        return MCPW_E_MEMORY;
    }
    if (mcpw_json_get_string(call->arguments, "text", arena, &text) != MCPW_OK || text.len == 0) {
        return mcpw_respond_tool_error(request, "search needs a text, which is a string and not empty");
    }
    mcpw_json_write_begin(&w, room, MAX_MATCHES * MATCH_SIZE);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "matches");
    mcpw_json_write_array(&w);
    for (const file *f = folder->files; f != NULL; f = f->next) {
        if (types[type_of(f->path)].is_text) {
            search_file(f, text, &count, &w);
        }
    }
    mcpw_json_write_close(&w);
    mcpw_json_write_key(&w, "complete");
    mcpw_json_write_bool(&w, count < MAX_MATCHES);
    mcpw_json_write_close(&w);
    const mcpw_status status = mcpw_json_write_end(&w, &result);
    return status == MCPW_OK ? mcpw_respond_structured(request, result) : status;
}

/* ---- The server ---------------------------------------------------------------------------------------- */

static mcpw_status offer(folder *folder, mcpw_error *error) {
    const mcpw_tool search_tool = {
        .name = "search",
        .description = "Finds the lines of text files that hold a text",
        .input_schema = MCPW_JSON("{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}},"
                                  "\"required\":[\"text\"]}"),
        .output_schema = MCPW_JSON(
            "{\"type\":\"object\",\"properties\":{\"complete\":{\"type\":\"boolean\"},"
            "\"matches\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"path\":"
            "{\"type\":\"string\"},\"line\":{\"type\":\"integer\"}},\"required\":[\"path\",\"line\"]}}},"
            "\"required\":[\"matches\",\"complete\"]}"),
        .call = search,
        .user = folder,
    };
    const mcpw_tool refresh_tool = {
        .name = "refresh",
        .description = "Looks for files that are new, changed or removed",
        .call = refresh,
        .user = folder,
    };
    const mcpw_resource_template any = {
        .uri_template = "file:///{+path}",
        .name = "file",
        .description = "Any file of the directory",
        .read = read_any,
        .complete = complete_path,
        .user = folder,
    };
    mcpw_status status = mcpw_server_add_tool(folder->server, &search_tool, error);
    if (status == MCPW_OK) {
        status = mcpw_server_add_tool(folder->server, &refresh_tool, error);
    }
    if (status == MCPW_OK) {
        status = mcpw_server_add_resource_template(folder->server, &any, error);
    }
    return status;
}

int main(int argc, char **argv) {
    folder folder = {.fd = argc >= 2 ? open(argv[1], O_RDONLY | O_DIRECTORY) : -1};
    mcpw_error error;
    if (folder.fd < 0) {
        fprintf(stderr, "usage: %s DIRECTORY [OPTION]...\n", argv[0]);
        return 2;
    }
    folder.server = mcpw_server_new("files", "1.0.0", &error);
    mcpw_status status = folder.server != NULL ? offer(&folder, &error) : error.code;
    if (status == MCPW_OK) {
        scan(&folder);
        status = mcpw_serve(folder.server, argc - 1, argv + 1, NULL, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "files: %s\n", error.message);
    }
    mcpw_server_free(folder.server);
    while (folder.files != NULL) {
        file *const f = folder.files;
        folder.files = f->next;
        free(f);
    }
    close(folder.fd);
    return status == MCPW_OK ? 0 : 1;
}
