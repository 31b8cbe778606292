/* SPDX-License-Identifier: MIT */
/* Values that are checked by masks: the verdict is the scanner's, wherever a value lies in a block, whatever
 * stands behind it, and however it was changed. */
#include "../fuzz/masks_compare.h"
#include "check.h"

#include "runs.h"

enum { LONGEST = 4096, BLOCKS = 3 * 64 };

static mcpw_skipper *skip;

static uint64_t random_state = UINT64_C(88172645463325252);

static size_t below(size_t n) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (size_t)(random_state % n);
}

typedef struct text {
    unsigned char bytes[LONGEST];
    size_t len;
} text;

static void add(text *t, const char *what) {
    const size_t len = strlen(what);
    if (t->len + len <= LONGEST) {
        memcpy(t->bytes + t->len, what, len);
        t->len += len;
    }
}

static const char *const scalars[] = {"1",
                                      "0",
                                      "-0.5e3",
                                      "-12",
                                      "3.25",
                                      "120",
                                      "true",
                                      "false",
                                      "null",
                                      "\"\"",
                                      "\"a\"",
                                      "\"a, [long] {text}: of more than one half\"",
                                      "\"\\n\\\\\"",
                                      "\"\\u00e9\\ud83d\\ude00\"",
                                      "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"",
                                      "\"\\\\\\\"\\\\\""};
static const char *const pieces[] = {
    "{",   "}",       "[",    "]",  ",",    ":",   "\"",     "\\", " ",    "\n",   "1",    "0",
    "-",   ".",       "e",    "t",  "true", "nul", "\"k\":", ",1", "\x01", "\xc3", "\xa9", "\xed\xa0\x80",
    "\\u", "\\ud800", "\"\"", "[]", "{}"};

#define SOME(list) ((list)[below(sizeof(list) / sizeof *(list))])

static void add_space(text *t) {
    if (below(6) == 0) {
        add(t, below(20) == 0 ? "\n" : below(3) == 0 ? "   " : " ");
    }
}

static void add_value(text *t, unsigned levels) {
    const size_t kind = levels == 0 ? 2 : below(4);
    if (kind > 1) {
        add(t, SOME(scalars));
        return;
    }
    const size_t count = below(5);
    add(t, kind == 0 ? "{" : "[");
    for (size_t i = 0; i < count; i++) {
        add(t, i != 0 ? "," : "");
        add_space(t);
        if (kind == 0) {
            add(t, below(2) == 0 ? "\"a name\"" : "\"\\\"\"");
            add_space(t);
            add(t, ":");
            add_space(t);
        }
        add_value(t, levels - 1);
        add_space(t);
    }
    add(t, kind == 0 ? "}" : "]");
}

/* An array, so that it begins with a bracket; a string of some length moves the rest along the blocks. */
static void make(text *t) {
    t->len = 0;
    add(t, "[\"");
    for (size_t i = below(BLOCKS); i > 0; i--) {
        add(t, "x");
    }
    add(t, "\",");
    add_value(t, 5);
    add(t, "]");
}

static void change(text *t) {
    const char *const piece = SOME(pieces);
    const size_t len = strlen(piece);
    const size_t at = 1 + below(t->len - 1);
    switch (below(3)) {
    case 0: /* put something in */
        if (t->len + len <= LONGEST) {
            memmove(t->bytes + at + len, t->bytes + at, t->len - at);
            memcpy(t->bytes + at, piece, len);
            t->len += len;
        }
        break;
    case 1: /* take a byte away */
        memmove(t->bytes + at, t->bytes + at + 1, t->len - at - 1);
        t->len--;
        break;
    default: /* put it in place of what is there */
        memcpy(t->bytes + at, piece, len < t->len - at ? len : t->len - at);
        break;
    }
}

static bool agrees(const text *t, size_t *valid) {
    bool is_valid = false;
    const bool agree = masks_agree(skip, t->bytes, t->len, &is_valid);
    *valid += is_valid;
    if (!agree) {
        (void)fprintf(stderr, "%.*s\n", (int)t->len, (const char *)t->bytes);
    }
    return agree;
}

static void well_formed_values_pass(void) {
    enum { TEXTS = 20000 };
    size_t valid = 0;
    for (int i = 0; i < TEXTS; i++) {
        text t;
        make(&t);
        CHECK(agrees(&t, &valid));
    }
    CHECK(valid == TEXTS);
}

static void changed_values_have_the_verdict_of_the_scanner(void) {
    enum { TEXTS = 200000, FEW = TEXTS / 20 };
    size_t valid = 0;
    for (int i = 0; i < TEXTS; i++) {
        text t;
        make(&t);
        for (size_t n = 1 + below(2); n > 0; n--) {
            change(&t);
        }
        CHECK(agrees(&t, &valid));
    }
    CHECK(valid > FEW && valid < TEXTS - FEW);
}

static void levels_are_limited(void) {
    static const unsigned char nested[] = "[[[[]]]]";
    size_t copied = 0;
    CHECK(skip(nested, sizeof nested - 1, NULL, 4, &copied) == sizeof nested - 1);
    CHECK(skip(nested, sizeof nested - 1, NULL, 3, &copied) == 0);
}

int main(void) {
    skip = mcpw_runs_here()->skip;
    if (skip == NULL) {
        printf("skipped: this processor, or this build, has no masks\n");
        return CHECK_SKIPPED;
    }
    RUN(well_formed_values_pass);
    RUN(changed_values_have_the_verdict_of_the_scanner);
    RUN(levels_are_limited);
    return check_end();
}
