/* SPDX-License-Identifier: MIT */
/* Pairs members by looking for each name, for builds that have no memory to sort them in. The beginning of an
 * object is found by reading the text again, so that no level needs memory either. */
#include "unordered.h"

#include "names.h"

#if defined(MCPW_SMALL) || defined(MCPW_NO_MALLOC)

void mcpw_pairs_init(mcpw_comparison *c) { (void)c; }

void mcpw_pairs_free(mcpw_comparison *c) { (void)c; }

/* The first name of the object in which the side is, as the innermost of so many levels. */
static const unsigned char *first_name(mcpw_side *side, unsigned level) {
    const unsigned char *first = side->begin;
    unsigned depth = 0;
    for (const unsigned char *p = side->begin; p < side->at;) {
        if (*p == '"') {
            p = mcpw_scan_string(&side->scanner, p);
            continue;
        }
        if (*p == '{' || *p == '[') {
            depth++;
            first = depth == level ? p + 1 : first;
        }
        depth -= *p == '}' || *p == ']';
        p++;
    }
    return mcpw_scan_space(&side->scanner, first);
}

/* The name after the one at p, or the closing brace. */
static const unsigned char *next_name(mcpw_side *side, const unsigned char *p) {
    p = mcpw_scan_value(&side->scanner, mcpw_side_value(side, p));
    p = mcpw_scan_space(&side->scanner, p);
    return *p == ',' ? mcpw_scan_space(&side->scanner, p + 1) : p;
}

/* Side a is at a name: goes to its value, and to that of the same name in b, of as many as stand before it.
 */
bool mcpw_pairs_begin(mcpw_comparison *c) {
    size_t before = 0;
    const unsigned char *const name = c->sides[0].at;
    for (const unsigned char *p = first_name(c->sides, c->open); p != name; p = next_name(c->sides, p)) {
        before += mcpw_same_string(p, name);
    }
    const unsigned char *p = first_name(c->sides + 1, c->open);
    for (; *p == '"'; p = next_name(c->sides + 1, p)) {
        if (mcpw_same_string(p, name) && before-- == 0) {
            c->sides[0].at = mcpw_side_value(c->sides, name);
            c->sides[1].at = mcpw_side_value(c->sides + 1, p);
            return true;
        }
    }
    return false;
}

/* Counts the names of the object that the side is in, and puts the side past it. */
static size_t pass_names(mcpw_side *side, unsigned level) {
    size_t count = 0;
    const unsigned char *p = first_name(side, level);
    for (; *p == '"'; p = next_name(side, p)) {
        count++;
    }
    side->at = p + 1;
    return count;
}

bool mcpw_pairs_next(mcpw_comparison *c, bool *more) {
    const unsigned char *const p = mcpw_scan_space(&c->sides[0].scanner, c->sides[0].at);
    *more = *p == ',';
    if (*more) {
        c->sides[0].at = mcpw_scan_space(&c->sides[0].scanner, p + 1);
        return mcpw_pairs_begin(c);
    }
    return pass_names(c->sides, c->open) == pass_names(c->sides + 1, c->open);
}

/* ---- entries ---- */

static bool have_one_name(const unsigned char *a, const unsigned char *b) {
    return mcpw_compare_names(a, b) == 0;
}

bool mcpw_equal_unordered(const mcpw_entries *e, const unsigned char *a, const unsigned char *b,
                          size_t count) {
    const size_t bytes = count * e->size;
    bool equal = true;
    for (const unsigned char *name = a; name != a + bytes && equal; name += e->size) {
        size_t before = 0;
        for (const unsigned char *p = a; p != name; p += e->size) {
            before += have_one_name(p, name);
        }
        const unsigned char *other = b;
        while (other != b + bytes && (!have_one_name(other, name) || before-- != 0)) {
            other += e->size;
        }
        equal = other != b + bytes && e->equal(e, name, other);
    }
    return equal;
}

#endif
