/* SPDX-License-Identifier: MIT */
/* Texts of one revision in, texts of another out: what the tests of projection have in common. */
#ifndef MCPW_TESTS_PROJECTING_H
#define MCPW_TESTS_PROJECTING_H

#include <mcpw/detail/catalogue.h>
#include <mcpw/project.h>

#include "check.h"

#include <stdlib.h>

#define REV_A "2024-11-05"
#define REV_B "2025-03-26"
#define REV_C "2025-06-18"
#define REV_D "2025-11-25"
#define REV_E "2026-07-28"

static const mcpw_member meta_values[] = {
    {MCPW_STR("resultType"), MCPW_JSON("\"complete\"")},
    {MCPW_STR("ttlMs"), MCPW_JSON("0")},
    {MCPW_STR("cacheScope"), MCPW_JSON("\"private\"")},
    {MCPW_STR("io.modelcontextprotocol/protocolVersion"), MCPW_JSON("\"2026-07-28\"")},
    {MCPW_STR("io.modelcontextprotocol/clientInfo"), MCPW_JSON("{\"name\":\"c\",\"version\":\"1\"}")},
    {MCPW_STR("io.modelcontextprotocol/clientCapabilities"), MCPW_JSON("{\"roots\":{}}")},
};

static inline mcpw_members all_values(void) {
    const mcpw_members values = {meta_values, sizeof meta_values / sizeof *meta_values};
    return values;
}

/* "tools/call params" */
static inline const mcpw_type *part_of(const char *revision, const char *part) {
    const mcpw_revision *const v = mcpw_find_revision(revision);
    const char *const space = strchr(part, ' ');
    const mcpw_method *const m = mcpw_method_entry(v, mcpw_method_number(v, part, (size_t)(space - part)));
    if (m == NULL) {
        return NULL;
    }
    return strcmp(space, " params") == 0 ? mcpw_method_params(m) : mcpw_method_result(m);
}

enum { TOLD_SIZE = 1024 };

/* The outcome of a projection. */
typedef struct outcome {
    mcpw_status status;
    mcpw_error error;
    mcpw_buffer text;
    char told[TOLD_SIZE]; /* the dropped paths, each with a space after it */
} outcome;

static inline void tell(void *user, const char *path) {
    outcome *const o = user;
    const size_t used = strlen(o->told);
    if (used + strlen(path) + 2 <= sizeof o->told) {
        (void)snprintf(o->told + used, sizeof o->told - used, "%s ", path);
    }
}

static inline void end_outcome(outcome *o) {
    mcpw_buffer_free(&o->text);
    memset(o, 0, sizeof *o);
}

static inline void check_said(outcome *o, const char *text, const char *told, const char *file, int line) {
    if (!check_that(o->status == MCPW_OK, file, line, "projection fails")) {
        (void)fprintf(stderr, "  %s: %s\n", o->error.path, o->error.message);
    } else {
        (void)check_text(o->text.data, o->text.len, text, file, line);
        (void)check_text(o->told, strlen(o->told), told, file, line);
    }
    end_outcome(o);
}

static inline void check_refused(outcome *o, mcpw_status status, const char *path, const char *part,
                                 const char *file, int line) {
    (void)check_that(o->status == status && o->error.code == status, file, line, "another status");
    (void)check_text(o->error.path, strlen(o->error.path), path, file, line);
    if (!check_that(strstr(o->error.message, part) != NULL, file, line, part)) {
        (void)fprintf(stderr, "  got: %s\n", o->error.message);
    }
    end_outcome(o);
}

/* The output text and the dropped paths. */
#define SAYS(result, text, told)                                                                             \
    do {                                                                                                     \
        outcome check_outcome = (result);                                                                    \
        check_said(&check_outcome, (text), (told), __FILE__, __LINE__);                                      \
    } while (0)

/* Status, path and a part of the message. */
#define REFUSES(result, status, path, part)                                                                  \
    do {                                                                                                     \
        outcome check_outcome = (result);                                                                    \
        check_refused(&check_outcome, (status), (path), (part), __FILE__, __LINE__);                         \
    } while (0)

static inline bool all_revisions(void) {
    return mcpw_find_revision(REV_A) != NULL && mcpw_find_revision(REV_B) != NULL &&
           mcpw_find_revision(REV_C) != NULL && mcpw_find_revision(REV_D) != NULL &&
           mcpw_find_revision(REV_E) != NULL;
}

#endif
