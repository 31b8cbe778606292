/* SPDX-License-Identifier: MIT */
/* The messages of checks. */
#include "check.h"

typedef struct words {
    char *out;
    size_t len;
} words;

/* As many of the first characters as there is room for, and no more than most. */
static MCPW_NOINLINE void add(words *w, const char *text, size_t most) {
    size_t i = 0;
    while (text[i] != '\0' && i < most && w->len < MCPW_ERROR_MESSAGE_SIZE - 1) {
        w->out[w->len++] = text[i++];
    }
    w->out[w->len] = '\0';
}

/* Adds a demand if it is wanted, with "and" if there is one before it. */
static MCPW_NOINLINE void add_constraint(words *w, bool wanted, const char *residual, const char *argument) {
    enum { SHOWN = 40 };
    if (!wanted) {
        return;
    }
    add(w, w->len == 0 ? "expected " : " and ", SIZE_MAX);
    add(w, residual, SIZE_MAX);
    add(w, argument, SHOWN);
}

const char *mcpw_check_words(char out[MCPW_ERROR_MESSAGE_SIZE], const mcpw_revision *revision, unsigned check,
                             mcpw_status status) {
    const mcpw_check *const c = revision->checks + check;
    const char *const pool = revision->pool;
    const bool above = (c->flags & MCPW_CHECK_ABOVE_MIN) != 0;
    const bool below = (c->flags & MCPW_CHECK_BELOW_MAX) != 0;
    words w = {out, 0};
    if (status == MCPW_E_FORMAT) {
        add_constraint(&w, true, mcpw_format_text(c->format), "");
        return out;
    }
    add_constraint(&w, (c->flags & MCPW_CHECK_MIN) != 0, above ? "more than " : "at least ",
                   pool + c->min_text);
    add_constraint(&w, (c->flags & MCPW_CHECK_MAX) != 0, below ? "less than " : "at most ",
                   pool + c->max_text);
    add_constraint(&w, (c->flags & MCPW_CHECK_MULTIPLE) != 0, "a multiple of ", pool + c->argument);
    return out;
}
