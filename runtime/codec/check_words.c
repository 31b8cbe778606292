/* SPDX-License-Identifier: MIT */
/* What checks demand, in words. */
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

static MCPW_NOINLINE void add_bound(words *w, const char *relation, const char *bound) {
    enum { SHOWN = 40 };
    add(w, relation, SIZE_MAX);
    add(w, bound, SHOWN);
}

const char *mcpw_check_words(char out[MCPW_ERROR_MESSAGE_SIZE], const mcpw_revision *revision, unsigned check,
                             mcpw_status status) {
    const mcpw_check *const c = revision->checks + check;
    const bool has_min = (c->flags & MCPW_CHECK_MIN) != 0;
    const bool has_max = (c->flags & MCPW_CHECK_MAX) != 0;
    words w = {out, 0};
    add(&w, "expected ", SIZE_MAX);
    if (status == MCPW_E_FORMAT) {
        add(&w, mcpw_format_text(c->format), SIZE_MAX);
        return out;
    }
    if (has_min) {
        add_bound(&w, (c->flags & MCPW_CHECK_ABOVE_MIN) != 0 ? "more than " : "at least ",
                  revision->pool + c->min_text);
    }
    if (has_min && has_max) {
        add(&w, " and ", SIZE_MAX);
    }
    if (has_max) {
        add_bound(&w, (c->flags & MCPW_CHECK_BELOW_MAX) != 0 ? "less than " : "at most ",
                  revision->pool + c->max_text);
    }
    return out;
}
