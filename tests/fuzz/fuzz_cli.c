/* SPDX-License-Identifier: MIT */
/*
 * The mcpwire command: arguments from the first line of the text (at blanks), standard input from the rest.
 * Without arguments it is asked about one value of the header's type, and must say what mcpw_validate says.
 */
#define _POSIX_C_SOURCE 200809L

#include "fuzz.h"

#include <mcpw/json.h>

#include <fcntl.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 16, INVALID = 1, FAILED = 2 };

int mcpwire_main(int argc, char **argv);

#if defined(__clang__)
/* The descriptor for reports of sanitizers, while standard error is the command's. */
__attribute__((weak)) void __sanitizer_set_report_fd(void *fd);
#endif

/* The process's own descriptors, and what the command gets in their place. */
typedef struct streams {
    FILE *in;
    FILE *out;
    int null;
    int own_out;
    int own_err;
} streams;

static const streams *open_streams(void) {
    static streams s; /* once a process: thousands of runs a second share them */
    if (s.in == NULL) {
        s.in = tmpfile();
        s.out = tmpfile();
        s.null = open("/dev/null", O_WRONLY);
        s.own_out = dup(STDOUT_FILENO);
        s.own_err = dup(STDERR_FILENO);
        if (s.in == NULL || s.out == NULL || s.null < 0) {
            abort();
        }
#if defined(__clang__)
        if (__sanitizer_set_report_fd != NULL) {
            __sanitizer_set_report_fd((void *)(intptr_t)s.own_err);
        }
#endif
    }
    return &s;
}

static void put_input(const streams *s, const char *text, size_t len) {
    const int fd = fileno(s->in);
    FUZZ_ASSERT(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0);
    FUZZ_ASSERT(write(fd, text, len) == (ssize_t)len && lseek(fd, 0, SEEK_SET) == 0);
    FUZZ_ASSERT(dup2(fd, STDIN_FILENO) == STDIN_FILENO);
}

/* Runs the command; what it writes is in *text, to be freed. */
static int run(const streams *s, int argc, char **argv, char **text, size_t *len) {
    const int fd = fileno(s->out);
    FUZZ_ASSERT(fflush(stdout) == 0 && ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0);
    FUZZ_ASSERT(dup2(fd, STDOUT_FILENO) >= 0 && dup2(s->null, STDERR_FILENO) >= 0);
    const int status = mcpwire_main(argc, argv);
    (void)fflush(stdout);
    (void)dup2(s->own_out, STDOUT_FILENO);
    (void)dup2(s->own_err, STDERR_FILENO);
    const off_t size = lseek(fd, 0, SEEK_CUR);
    FUZZ_ASSERT(size >= 0);
    *len = (size_t)size;
    *text = fuzz_alloc(*len);
    FUZZ_ASSERT(pread(fd, *text, *len, 0) == (ssize_t)*len);
    return status;
}

static bool has(int argc, char **argv, const char *name) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* Lines for a terminal: nothing in them can be taken for a command to it. */
static void check_output(int argc, char **argv, const char *text, size_t len) {
    const bool json = has(argc, argv, "--format=json") && !has(argc, argv, "--help");
    if (has(argc, argv, "validate") && has(argc, argv, "--quiet") && !has(argc, argv, "--help")) {
        FUZZ_ASSERT(len == 0);
    }
    FUZZ_ASSERT(len == 0 || text[len - 1] == '\n');
    for (size_t i = 0; i < len;) {
        const char *const end = memchr(text + i, '\n', len - i);
        const mcpw_json line = mcpw_json_of(text + i, (size_t)(end - (text + i)));
        for (size_t k = 0; k < line.len; k++) {
            const unsigned char *const c = (const unsigned char *)line.ptr + k;
            const size_t left = line.len - k;
            FUZZ_ASSERT(*c >= ' ' && *c != 0x7f);
            FUZZ_ASSERT(left < 2 || c[0] != 0xc2 || c[1] >= 0xa0);                           /* U+0080... */
            FUZZ_ASSERT(left < 3 || c[0] != 0xe2 || c[1] != 0x80 || (c[2] & 0xfeU) != 0x8e); /* U+200E... */
            FUZZ_ASSERT(left < 3 || c[0] != 0xe2 || c[1] != 0x80 || c[2] < 0xaa || c[2] > 0xae);
            FUZZ_ASSERT(left < 3 || c[0] != 0xe2 || c[1] != 0x81 || c[2] < 0xa6 || c[2] > 0xa9);
        }
        if (json && line.len != 0 && line.ptr[0] == '{') {
            FUZZ_SAME(mcpw_json_check(line, 0, NULL), MCPW_OK, "a report as JSON");
        }
        i += line.len + 1;
    }
}

static int split(char *text, char **argv) {
    int argc = 0;
    argv[argc++] = (char *)"mcpwire";
    for (char *word = strtok(text, " "); word != NULL && argc < MOST_ARGUMENTS; word = strtok(NULL, " ")) {
        for (char *p = word; *p != '\0' && word[0] != '-'; p++) {
            *p = *p == '/' ? '_' : *p; /* files of this folder alone */
        }
        argv[argc++] = word;
    }
    argv[argc] = NULL;
    return argc;
}

static void ask_about_type(const fuzz_header *h, const streams *s) {
    char *argv[] = {(char *)"mcpwire",
                    (char *)"validate",
                    (char *)"--revision",
                    NULL,
                    (char *)"--type",
                    NULL,
                    (char *)"-",
                    (char *)"--strict",
                    NULL};
    const int argc = (h->options.flags & MCPW_STRICT) != 0 ? 8 : 7;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    char *text = NULL;
    size_t len = 0;
    argv[3] = fuzz_copy(mcpw_revision_name(h->revision), strlen(mcpw_revision_name(h->revision)) + 1);
    argv[5] = fuzz_copy(mcpw_type_name(h->type), strlen(mcpw_type_name(h->type)) + 1);
    argv[argc] = NULL;
    put_input(s, h->text, h->len);
    options.flags = h->options.flags & MCPW_STRICT;
    const mcpw_status verdict = mcpw_validate(h->type, h->text, h->len, &arena, &options, NULL);
    const int status = run(s, argc, argv, &text, &len);
    FUZZ_ASSERT(status == (verdict == MCPW_OK ? 0 : INVALID));
    check_output(argc, argv, text, len);
    free(text);
    free(argv[3]);
    free(argv[5]);
    mcpw_arena_free(&arena);
}

/* The command would unpack it, and look at what comes out. */
static bool is_packed(const fuzz_header *h) {
    return h->len >= 2 && h->text[0] == '\x1f' && h->text[1] == '\x8b';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_header h = fuzz_read_header(data, size);
    const streams *const s = open_streams();
    const char *const end = h.len != 0 ? memchr(h.text, '\n', h.len) : NULL;
    const size_t line = end != NULL ? (size_t)(end - h.text) : 0;
    char *argv[MOST_ARGUMENTS + 1];
    char *text = NULL;
    size_t len = 0;
    if (line == 0) {
        if (!is_packed(&h)) {
            ask_about_type(&h, s);
        }
        return 0;
    }
    char *const words = fuzz_alloc(line + 1);
    memcpy(words, h.text, line);
    const int argc = split(words, argv);
    put_input(s, h.text + line + 1, h.len - line - 1);
    const int status = run(s, argc, argv, &text, &len);
    FUZZ_ASSERT(status >= 0 && status <= FAILED);
    check_output(argc, argv, text, len);
    free(text);
    free(words);
    return 0;
}
