/* SPDX-License-Identifier: MIT */
/* The cases of cases.txt, read. */
#ifndef MCPW_TESTS_JSON_CASES_H
#define MCPW_TESTS_JSON_CASES_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct json_case {
    char *text;
    size_t len;
    bool accept;
    bool free; /* RFC 8259 leaves it open */
    int line;
    char *why;
} json_case;

typedef struct json_cases {
    json_case *items;
    size_t count;
} json_cases;

/* Puts a byte, or the bytes of `%HH` or `%{N*...}` at *p, into out (NULL: nowhere); how many. */
static size_t json_case_put(const char **p, char *out) {
    const char *s = *p;
    size_t len = 0;
    if (s[0] != '%') {
        if (out != NULL) {
            *out = *s;
        }
        *p = s + 1;
        return 1;
    }
    if (s[1] != '{') {
        const char hex[] = {s[1], s[2], '\0'};
        if (out != NULL) {
            *out = (char)strtoul(hex, NULL, 16);
        }
        *p = s + 3;
        return 1;
    }
    char *star = NULL;
    const unsigned long times = strtoul(s + 2, &star, 10);
    const char *const end = strchr(star, '}');
    for (unsigned long i = 0; i < times; i++) {
        for (s = star + 1; s < end;) {
            len += json_case_put(&s, out != NULL ? out + len : NULL);
        }
    }
    *p = end + 1;
    return len;
}

static size_t json_case_write(const char *p, char *out) {
    size_t len = 0;
    while (*p != '\0') {
        len += json_case_put(&p, out != NULL ? out + len : NULL);
    }
    return len;
}

/* One line, cut at its tabs; false when it is no case. */
static bool json_case_read(char *line, json_case *out) {
    char *const text = strchr(line, '\t');
    char *const why = text != NULL ? strchr(text + 1, '\t') : NULL;
    if (line[0] == '#' || why == NULL) {
        return false;
    }
    *text = '\0';
    *why = '\0';
    out->free = strncmp(line, "free-", 5) == 0;
    out->accept = strcmp(line + (out->free ? 5 : 0), "accept") == 0;
    out->len = json_case_write(text + 1, NULL);
    out->text = malloc(out->len + 1);
    out->why = strdup(why + 1);
    return out->text != NULL && out->why != NULL && json_case_write(text + 1, out->text) == out->len;
}

static bool json_cases_load(json_cases *cases, const char *path) {
    enum { LINE = 1 << 16 };
    char *const line = malloc(LINE);
    FILE *const file = fopen(path, "rb");
    bool good = file != NULL && line != NULL;
    cases->items = NULL;
    cases->count = 0;
    for (int number = 1; good && fgets(line, LINE, file) != NULL; number++) {
        json_case one = {NULL, 0, false, false, number, NULL};
        line[strcspn(line, "\n")] = '\0';
        if (json_case_read(line, &one)) {
            json_case *const grown = realloc(cases->items, (cases->count + 1) * sizeof *grown);
            good = grown != NULL;
            cases->items = good ? grown : cases->items;
            if (good) {
                cases->items[cases->count++] = one;
            }
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    free(line);
    return good && cases->count != 0;
}

static void json_cases_free(json_cases *cases) {
    for (size_t i = 0; i < cases->count; i++) {
        free(cases->items[i].text);
        free(cases->items[i].why);
    }
    free(cases->items);
}

#endif
