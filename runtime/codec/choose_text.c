/* SPDX-License-Identifier: MIT */
/* Chooses the alternative of a union for a value that is text. */
#include "choose_text.h"
#include "error_report.h"

/* An object that is looked at member by member. Nothing of it is changed. */
typedef struct text_value {
    mcpw_walk *w;
    unsigned char *start;
    unsigned char *member; /* value of the member that was reached; NULL: none yet */
    unsigned char *end;    /* up to where it was read; NULL: up to something that is no JSON */
    bool broken;           /* a value that was compared is no JSON */
    mcpw_key_token key;
} text_value;

/* If the text is broken there are no more members: the alternative that is tried reports the fault.
 */
static bool next(void *value, mcpw_str *name) {
    text_value *const text = value;
    mcpw_reader *const r = &text->w->reader;
    unsigned char *p = text->start;
    if (text->member == NULL) {
        p = mcpw_space(r, p + 1);
    } else {
        p = text->broken ? NULL : mcpw_skip_value(r, text->member);
        text->end = p;
        if (p == NULL) {
            return false;
        }
        p = mcpw_space(r, p);
        text->end = p;
        if (*p != ',') {
            return false;
        }
        p = mcpw_space(r, p + 1);
    }
    text->end = p;
    if (*p == '}') {
        return false;
    }
    mcpw_look_ahead(r, p);
    text->member = mcpw_read_key(r, p, &text->key);
    if (text->member == NULL) {
        return false;
    }
    text->end = text->member;
    name->ptr = text->key.ptr;
    name->len = text->key.len;
    return true;
}

static bool passes(void *value, const mcpw_test *t) {
    text_value *const text = value;
    const mcpw_tables *const tables = &text->w->tables;
    unsigned char *const p = text->member;
    if (t->value == MCPW_NO_OFFSET || mcpw_test_matches(tables, p, t)) {
        return true;
    }
    unsigned char *end = p;
    const bool same = mcpw_token_is(&text->w->reader, tables->pool, t->value, p, &end);
    text->broken |= end == NULL;
    return same;
}

mcpw_choice mcpw_choose_text(mcpw_walk *w, unsigned char *p, const mcpw_union *u) {
    static const mcpw_probe probe = {next, passes};
    text_value text;
    text.w = w;
    text.start = p;
    text.member = NULL;
    text.end = p; /* nothing is read unless there are tests to run */
    text.broken = false;
    const mcpw_unchosen value = {w->tables.revision, mcpw_json_type(*p), w->flags, &probe, &text};
    mcpw_choice choice = mcpw_choose(&value, u);
    if (text.broken || (text.end != NULL && !mcpw_spend(w, p, text.end))) {
        choice.first = MCPW_BROKEN;
    }
    return choice;
}
