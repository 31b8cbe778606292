/* SPDX-License-Identifier: MIT */
/* Small files of arguments: certificates, keys, tokens. */
#include <mcpw/error.h>

#include "serve_command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_BYTES = 1 << 20 };

static char *failed(char *text, FILE *in, mcpw_error *error, const char *file, const char *why) {
    char name[MCPW_EXCERPT_SIZE];
    mcpw_error_set(error, MCPW_E_IO, 0, "cannot read \"%s\": %s", mcpw_excerpt(name, file, strlen(file)),
                   why);
    if (in != NULL) {
        (void)fclose(in);
    }
    mcpw_serve_file_free(text);
    return NULL;
}

char *mcpw_serve_file_read(const char *file, mcpw_error *error) {
    FILE *const in = fopen(file, "rb");
    char *const text =
        in != NULL ? calloc(1, MOST_BYTES + 1) : NULL; /* one block, because growing would leave copies */
    if (in == NULL || text == NULL) {
        return failed(text, in, error, file, strerror(errno));
    }
    (void)setvbuf(in, NULL, _IONBF, 0); /* stdio must not keep a copy either */
    const size_t len = fread(text, 1, MOST_BYTES, in);
    if (ferror(in) != 0) {
        return failed(text, in, error, file, strerror(errno));
    }
    if (getc(in) != EOF) {
        return failed(text, in, error, file, "it is longer than 1 MiB");
    }
    if (strlen(text) != len) {
        return failed(text, in, error, file, "it holds a NUL byte");
    }
    (void)fclose(in);
    return text;
}

void mcpw_serve_file_free(char *text) {
    volatile char *const bytes = text; /* so that the compiler keeps the writes */
    for (size_t i = 0; text != NULL && i < MOST_BYTES; i++) {
        bytes[i] = '\0';
    }
    free(text);
}
