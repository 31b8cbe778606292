/* SPDX-License-Identifier: MIT */
/*
 * Answers requests about JSON texts on stdin, for the oracle tests.
 *
 * A request is a line "MODE REVISION TYPE LENGTH", then LENGTH bytes of text, then a line feed. Modes:
 *
 *   v    validate                "1" or "0 CODE OFFSET PATH<tab>MESSAGE"
 *   d    decode                  the same
 *   r    decode, then encode     "1 LENGTH ALTERNATIVES" and a line with that many bytes, or "0 ..."
 *   a    all of these must agree the same, or "! WHAT: ..."
 *   all  every error             "E COUNT", then a line "CODE OFFSET PATH<tab>MESSAGE" for each
 *
 * ALTERNATIVES says which alternatives of unions were decoded (alternative.h). Paths and messages are written
 * with control characters and backslashes as \xHH, so that an answer is a line.
 */
/* open_memstream */
#define _POSIX_C_SOURCE 200809L

#include "alternative.h"

#include <mcpw/arena.h>
#include <mcpw/codec.h>
#include <mcpw/detail/generated.h>
#include <mcpw/error.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 512, NAME_SIZE = 160, MODE_SIZE = 4, EXIT_USAGE = 2 };

typedef struct request {
    char mode[MODE_SIZE];
    const mcpw_type *type;
    char *text; /* exactly len bytes, so that a sanitizer sees every read beyond them */
    size_t len;
} request;

typedef struct driver {
    mcpw_arena arena;
    mcpw_arena copies;
    mcpw_buffer out;
    mcpw_buffer copy_out;
} driver;

static void die(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("oracle driver: ", stderr);
    (void)vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(EXIT_USAGE);
}

static void put_escaped(FILE *to, const char *text) {
    for (const unsigned char *p = (const unsigned char *)text; *p != 0; p++) {
        if (*p < ' ' || *p == 0x7f || *p == '\\') {
            (void)fprintf(to, "\\x%02x", *p);
        } else {
            fputc(*p, to);
        }
    }
}

static void put_error(FILE *to, const mcpw_error *error) {
    (void)fprintf(to, "%s %zu ", mcpw_status_name(error->code), error->offset);
    put_escaped(to, error->path);
    fputc('\t', to);
    put_escaped(to, error->message);
}

static void put_verdict(FILE *to, mcpw_status status, const mcpw_error *error) {
    if (status == MCPW_OK) {
        fputs("1", to);
        return;
    }
    fputs("0 ", to);
    put_error(to, error);
}

static void put_bytes(const mcpw_buffer *out, const mcpw_type *type, const void *value) {
    char alternatives[ALTERNATIVES_SIZE];
    list_alternatives(type, value, alternatives);
    printf("1 %zu %s\n", out->len, alternatives);
    (void)fwrite(out->data, 1, out->len, stdout);
    fputc('\n', stdout);
}

static void put_disagreement(const char *what, mcpw_status a, const mcpw_error *a_error, mcpw_status b,
                             const mcpw_error *b_error) {
    printf("! %s: ", what);
    put_verdict(stdout, a, a_error);
    fputs(" | ", stdout);
    put_verdict(stdout, b, b_error);
    fputc('\n', stdout);
}

/* A zeroed struct of the type, of exactly its size. */
static void *new_value(const mcpw_type *type) {
    void *value = calloc(1, mcpw_type_size(type));
    if (value == NULL) {
        die("out of memory");
    }
    return value;
}

static mcpw_status validate(driver *d, const request *r, mcpw_error *error) {
    memset(error, 0, sizeof *error);
    return mcpw_validate(r->type, r->text, r->len, &d->arena, NULL, error);
}

static mcpw_status decode(driver *d, const request *r, void *value, mcpw_error *error) {
    memset(error, 0, sizeof *error);
    return mcpw_decode(r->type, r->text, r->len, &d->arena, value, NULL, error);
}

static mcpw_status encode(const request *r, const void *value, mcpw_buffer *out, mcpw_error *error) {
    memset(error, 0, sizeof *error);
    out->len = 0;
    return mcpw_encode(r->type, value, out, NULL, error);
}

/* The input may be freed as soon as it is decoded; doing so shows a value that still refers to it. */
static void drop_text(request *r) {
    free(r->text);
    r->text = NULL;
}

static void answer_round_trip(driver *d, request *r) {
    mcpw_error error;
    void *value = new_value(r->type);
    mcpw_status status = decode(d, r, value, &error);
    drop_text(r);
    if (status == MCPW_OK) {
        status = encode(r, value, &d->out, &error);
    }
    if (status == MCPW_OK) {
        put_bytes(&d->out, r->type, value);
    } else {
        put_verdict(stdout, status, &error);
        fputc('\n', stdout);
    }
    free(value);
}

static void answer_verdict(driver *d, const request *r, bool decoding) {
    mcpw_error error;
    mcpw_status status;
    if (decoding) {
        void *value = new_value(r->type);
        status = decode(d, r, value, &error);
        free(value);
    } else {
        status = validate(d, r, &error);
    }
    put_verdict(stdout, status, &error);
    fputc('\n', stdout);
}

/* The rules of a decoded value: it is valid as a struct, a copy is equal to it and encodes to the same
 * bytes. Returns what does not hold, or NULL. */
static const char *check_value(driver *d, const request *r, const void *value, mcpw_error *error) {
    if (encode(r, value, &d->out, error) != MCPW_OK) {
        return "a decoded value does not encode";
    }
    if (mcpw_validate_value(r->type, value, &d->copies, NULL, error) != MCPW_OK) {
        return "a decoded value is not valid as a struct";
    }
    const char *wrong = NULL;
    void *copy = new_value(r->type);
    if (mcpw_copy(r->type, value, &d->copies, copy, error) != MCPW_OK) {
        wrong = "a decoded value cannot be copied";
    } else if (!mcpw_equal(r->type, value, copy)) {
        wrong = "a copy is not equal";
    } else if (encode(r, copy, &d->copy_out, error) != MCPW_OK) {
        wrong = "a copy does not encode";
    } else if (d->copy_out.len != d->out.len || memcmp(d->copy_out.data, d->out.data, d->out.len) != 0) {
        wrong = "a copy encodes to other bytes";
    }
    free(copy);
    return wrong;
}

static void answer_agreement(driver *d, request *r) {
    mcpw_error validated;
    mcpw_error decoded;
    const mcpw_status verdict = validate(d, r, &validated);
    void *value = new_value(r->type);
    const mcpw_status status = decode(d, r, value, &decoded);
    drop_text(r);
    if (status != verdict || (status != MCPW_OK && (validated.offset != decoded.offset ||
                                                    strcmp(validated.path, decoded.path) != 0))) {
        put_disagreement("validate and decode differ", verdict, &validated, status, &decoded);
    } else if (status != MCPW_OK) {
        put_verdict(stdout, status, &decoded);
        fputc('\n', stdout);
    } else {
        mcpw_error error;
        memset(&error, 0, sizeof error);
        const char *wrong = check_value(d, r, value, &error);
        if (wrong == NULL) {
            put_bytes(&d->out, r->type, value);
        } else {
            put_disagreement(wrong, MCPW_OK, NULL, error.code, &error);
        }
    }
    free(value);
}

typedef struct error_list {
    char *text;
    size_t len;
    size_t count;
    FILE *stream;
} error_list;

static bool collect(void *user, const mcpw_error *error) {
    error_list *list = user;
    list->count++;
    put_error(list->stream, error);
    fputc('\n', list->stream);
    return true;
}

static void answer_all_errors(driver *d, const request *r) {
    error_list list = {NULL, 0, 0, NULL};
    list.stream = open_memstream(&list.text, &list.len);
    if (list.stream == NULL) {
        die("out of memory");
    }
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.on_error = collect;
    options.user = &list;
    mcpw_error first;
    memset(&first, 0, sizeof first);
    const mcpw_status status = mcpw_validate(r->type, r->text, r->len, &d->arena, &options, &first);
    (void)fclose(list.stream);
    if ((status == MCPW_OK) != (list.count == 0)) {
        printf("! the verdict is %s but %zu errors were reported\n", mcpw_status_name(status), list.count);
    } else {
        printf("E %zu\n%s", list.count, list.text);
    }
    free(list.text);
}

static bool read_request(request *r) {
    char line[LINE_SIZE];
    char revision[NAME_SIZE];
    char type[NAME_SIZE];
    if (fgets(line, sizeof line, stdin) == NULL) {
        return false;
    }
    if (sscanf(line, "%3s %159s %159s %zu", r->mode, revision, type, &r->len) != 4) {
        die("not a request: %s", line);
    }
    r->type = mcpw_find_type(revision, type);
    if (r->type == NULL) {
        die("no type %s in revision %s", type, revision);
    }
    r->text = malloc(r->len);
    if ((r->text == NULL && r->len != 0) || fread(r->text, 1, r->len, stdin) != r->len || getchar() != '\n') {
        die("the text of a request is cut short");
    }
    return true;
}

static void answer(driver *d, request *r) {
    if (strcmp(r->mode, "v") == 0) {
        answer_verdict(d, r, false);
    } else if (strcmp(r->mode, "d") == 0) {
        answer_verdict(d, r, true);
    } else if (strcmp(r->mode, "r") == 0) {
        answer_round_trip(d, r);
    } else if (strcmp(r->mode, "a") == 0) {
        answer_agreement(d, r);
    } else if (strcmp(r->mode, "all") == 0) {
        answer_all_errors(d, r);
    } else {
        die("no mode %s", r->mode);
    }
}

int main(void) {
    driver d = {MCPW_ARENA_INIT, MCPW_ARENA_INIT, MCPW_BUFFER_INIT, MCPW_BUFFER_INIT};
    request r;
    while (read_request(&r)) {
        answer(&d, &r);
        free(r.text);
        mcpw_arena_reset(&d.arena);
        mcpw_arena_reset(&d.copies);
    }
    mcpw_arena_free(&d.arena);
    mcpw_arena_free(&d.copies);
    mcpw_buffer_free(&d.out);
    mcpw_buffer_free(&d.copy_out);
    return fflush(stdout) == 0 ? 0 : EXIT_USAGE;
}
