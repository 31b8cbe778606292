/* SPDX-License-Identifier: MIT */
/* Equality of two raw values. Both are checked first, and from then on nothing has to be. They are walked
 * side by side, without recursion, and no part of them more than a few times. So nesting costs nothing. */
#include <mcpw/json.h>

#include "number.h"
#include "unordered.h"

bool mcpw_same_string(const unsigned char *p, const unsigned char *q) {
    for (p++, q++;;) {
        while (*p == *q && *p != '"' && *p != '\\') {
            p++;
            q++;
        }
        if (*p == '"' || *q == '"') {
            return *p == *q;
        }
        if ((*p != '\\' && *q != '\\') || mcpw_next_character(&p) != mcpw_next_character(&q)) {
            return false;
        }
    }
}

/* Moves both sides over so many bytes, and over the white space after them. */
static void step(mcpw_comparison *c, size_t bytes) {
    for (mcpw_side *side = c->sides; side < c->sides + MCPW_SIDES; side++) {
        side->at = mcpw_scan_space(&side->scanner, side->at + bytes);
    }
}

/* ---- the walk ---- */

/* Goes from names, where both sides are, to values that belong together. */
static bool enter_member(mcpw_comparison *c) {
    if (mcpw_same_string(c->sides[0].at, c->sides[1].at)) {
        c->sides[0].at = mcpw_side_value(c->sides, c->sides[0].at);
        c->sides[1].at = mcpw_side_value(c->sides + 1, c->sides[1].at);
        return true;
    }
    c->levels[c->open - 1] = MCPW_LEVEL_UNORDERED;
    return mcpw_pairs_begin(c);
}

static bool equal_scalars(mcpw_comparison *c) {
    mcpw_json texts[MCPW_SIDES];
    for (unsigned i = 0; i < MCPW_SIDES; i++) {
        mcpw_side *const side = c->sides + i;
        texts[i].ptr = (const char *)side->at;
        side->at = mcpw_scan_value(&side->scanner, side->at);
        texts[i].len = (size_t)((const char *)side->at - texts[i].ptr);
    }
    const mcpw_json a = texts[0];
    const mcpw_json b = texts[1];
    if (a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0) {
        return true;
    }
    const unsigned type = mcpw_json_type((unsigned char)*a.ptr);
    if (type != mcpw_json_type((unsigned char)*b.ptr)) {
        return false;
    }
    if (type == MCPW_IS_NUMBER) {
        return mcpw_compare_decimal(a.ptr, a.len, b.ptr, b.len) == 0;
    }
    return type == MCPW_IS_STRING && /* true, false, null: the text would be the same */
           mcpw_same_string((const unsigned char *)a.ptr, (const unsigned char *)b.ptr);
}

/* Opens an array or an object on both sides. *empty: one of them has nothing in it. */
static bool open_level(mcpw_comparison *c, bool *empty) {
    const bool object = *c->sides[0].at == '{';
    const unsigned char closing = object ? '}' : ']';
    step(c, 1);
    c->sides[0].number++;
    c->sides[1].number++;
    c->levels[c->open++] = object ? MCPW_LEVEL_OBJECT : MCPW_LEVEL_ARRAY;
    *empty = *c->sides[0].at == closing || *c->sides[1].at == closing;
    return *empty || !object || enter_member(c);
}

/* Closes what ends after two values, or in what is empty, up to where the next values begin, if any level is
 * still open. */
static bool leave_values(mcpw_comparison *c) {
    while (c->open > 0) {
        const unsigned level = c->levels[c->open - 1];
        bool more = false;
        if (level == MCPW_LEVEL_UNORDERED) {
            if (!mcpw_pairs_next(c, &more)) {
                return false;
            }
            if (more) {
                return true;
            }
            c->open--;
            continue;
        }
        step(c, 0);
        if (*c->sides[0].at != *c->sides[1].at) { /* one has more items, or members */
            return false;
        }
        if (*c->sides[0].at == ',') {
            step(c, 1);
            return level == MCPW_LEVEL_ARRAY || enter_member(c);
        }
        c->sides[0].at++;
        c->sides[1].at++;
        c->open--;
    }
    return true;
}

static bool equal_values(mcpw_comparison *c) {
    do {
        const unsigned char first = *c->sides[0].at;
        bool ended = true;
        if (first == '{' || first == '[') {
            if (*c->sides[1].at != first || !open_level(c, &ended)) {
                return false;
            }
        } else if (!equal_scalars(c)) {
            return false;
        }
        if (ended && !leave_values(c)) {
            return false;
        }
    } while (c->open > 0);
    return true;
}

/* Opens one side. False when the text is not one value. */
static bool open_side(mcpw_side *side, mcpw_json text) {
    size_t offset = 0;
    if (mcpw_scan_whole(text, MCPW_MAX_DEPTH, &text, &offset) != MCPW_OK) {
        return false;
    }
    side->begin = (const unsigned char *)text.ptr;
    side->at = side->begin;
    side->number = 0;
    mcpw_scanner_open(&side->scanner, side->begin + text.len, MCPW_MAX_DEPTH);
    return true;
}

bool mcpw_json_equal(mcpw_json a, mcpw_json b) {
    mcpw_comparison c;
    if (a.ptr == NULL || b.ptr == NULL) {
        return a.ptr == b.ptr;
    }
    const bool same = a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
    if (!open_side(c.sides, a)) {
        return false;
    }
    if (same) {
        return true;
    }
    if (!open_side(c.sides + 1, b)) {
        return false;
    }
    c.open = 0;
    mcpw_pairs_init(&c);
    const bool equal = equal_values(&c);
    mcpw_pairs_free(&c);
    return equal;
}
