/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target over files, without libFuzzer: replay FILE-OR-FOLDER... A folder's files are run, not
 * those of the folders in it. Prints how many ran; an input that breaks something ends the process.
 */
#define _POSIX_C_SOURCE 200809L

#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096 };

static int run_file(const char *path) {
    FILE *const file = fopen(path, "rb");
    struct stat info;
    if (file == NULL || fstat(fileno(file), &info) != 0) {
        (void)fprintf(stderr, "%s: %s\n", path, strerror(errno));
        exit(2);
    }
    uint8_t *const data = fuzz_alloc((size_t)info.st_size);
    const size_t size = fread(data, 1, (size_t)info.st_size, file);
    (void)fclose(file);
    if (getenv("MCPW_FUZZ_VERBOSE") != NULL) {
        (void)fprintf(stderr, "%s\n", path);
    }
    /* exactly as long as the input, for sanitizers */
    uint8_t *const input = (uint8_t *)fuzz_copy((const char *)data, size);
    free(data);
    (void)LLVMFuzzerTestOneInput(input, size);
    free(input);
    return 1;
}

static int run(const char *path) {
    char name[PATH_SIZE];
    DIR *const folder = opendir(path);
    int count = 0;
    if (folder == NULL) {
        return errno == ENOTDIR ? run_file(path) : 0;
    }
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        struct stat info;
        (void)snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (stat(name, &info) == 0 && S_ISREG(info.st_mode)) {
            count += run_file(name);
        }
    }
    (void)closedir(folder);
    return count;
}

int main(int argc, char **argv) {
    int count = 0;
    for (int i = 1; i < argc; i++) {
        count += run(argv[i]);
    }
    printf("%d inputs\n", count);
    return count != 0 ? 0 : 1;
}
