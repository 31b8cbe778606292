/* SPDX-License-Identifier: MIT */
#include "masks.h"

#if defined(MCPW_HAS_PATHS)
#include <immintrin.h>

#include "characters.h"
#include "scanner.h"

#define TARGET __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,pclmul")))
#define INLINE TARGET MCPW_INLINE

typedef uint64_t mask;

enum {
    BLOCK = 64,
    HALF = BLOCK / 2,
    CHUNK = 2,    /* blocks that are looked at before their brackets are visited */
    MOST = 60,    /* levels */
    TOP_BIT = 63, /* of a mask */
    EIGHT = 8
};

/* What a block leaves to the next: each a bit, the lowest, that stands before the next block. */
typedef struct carry {
    mask in_string; /* all bits: the block ends in a string */
    mask escaped;
    mask scalar;
    mask comma, colon, brace, bracket, name, end; /* see `behind` */
    mask name_open;                               /* the string in which the block ends */
    mask object, array;                           /* see `demands` */
} carry;

/* A value that is being looked at. */
typedef struct look {
    const unsigned char *from;
    const unsigned char *end;
    const unsigned char *checked; /* escapes and characters are, up to here */
    mask objects;                 /* a bit a level, the innermost lowest; above them stands one more */
    mask seen;                    /* all that objects was */
    mask bad;
} look;

/* The bytes of a block by what they are. in: of strings, with the opening quote and without the closing one.
 */
typedef struct block {
    mask quote, in;
    mask comma, colon, open, close, braces, space, scalar;
} block;

/* ---- what the bytes are ---- */

INLINE mask bits(__m256i a, __m256i b) {
    return (uint32_t)_mm256_movemask_epi8(a) | (mask)(uint32_t)_mm256_movemask_epi8(b) << HALF;
}

INLINE mask equal(__m256i a, __m256i b, char c) {
    const __m256i want = _mm256_set1_epi8(c);
    return bits(_mm256_cmpeq_epi8(a, want), _mm256_cmpeq_epi8(b, want));
}

/* Each bit becomes the exclusive or of itself and of all below it. */
INLINE mask prefix_xor(mask m) {
    const __m128i all = _mm_set1_epi8(-1);
    return (mask)_mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)m), all, 0));
}

/* The bytes behind backslashes that are not escaped themselves. */
INLINE mask escaped_bytes(mask backslash, mask *carried) {
    mask escaped = *carried;
    *carried = 0;
    for (mask left = backslash & ~escaped; left != 0;) {
        const mask here = left & (0 - left);
        escaped |= here << 1;
        left &= ~(here | here << 1);
        *carried = here >> TOP_BIT;
    }
    return escaped;
}

/* Checks escapes from their backslashes on, and other characters that are not ASCII, one by one. `at` is
 * where the block begins. */
TARGET static MCPW_NOINLINE bool check_characters(look *l, const unsigned char *at, mask starts) {
    for (; starts != 0; starts &= starts - 1) {
        const unsigned char *const p = at + mcpw_lowest_bit(starts);
        if (p < l->checked) {
            continue;
        }
        uint32_t character = 0;
        mcpw_status status = MCPW_OK;
        if (*p == '\\') {
            l->checked = mcpw_read_escape(p, l->end, &character, &status);
        } else {
            const unsigned n = mcpw_utf8_sequence(p, (size_t)(l->end - p));
            l->checked = n != 0 ? p + n : NULL;
        }
        if (l->checked == NULL) {
            return false;
        }
    }
    return true;
}

/* Whether the bytes of a block are what they may be. a and b are the block, `at` its place. */
INLINE bool classify(look *l, carry *c, const unsigned char *at, __m256i a, __m256i b, block *k) {
    const __m256i controls = _mm256_set1_epi8(0x1f);
    const __m256i least = _mm256_min_epu8(a, b);
    const __m256i control = _mm256_cmpeq_epi8(_mm256_max_epu8(least, controls), controls);
    const __m256i slash = _mm256_set1_epi8('\\');
    const __m256i slash_a = _mm256_cmpeq_epi8(a, slash);
    const __m256i slash_b = _mm256_cmpeq_epi8(b, slash);
    const __m256i rare = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(slash_a, slash_b));
    k->quote = equal(a, b, '"');
    if (MCPW_UNLIKELY(_mm256_movemask_epi8(control) != 0)) {
        return false;
    }
    if (MCPW_UNLIKELY(((unsigned)_mm256_movemask_epi8(rare) | c->escaped) != 0)) {
        const mask backslash = bits(slash_a, slash_b);
        const mask escaped = escaped_bytes(backslash, &c->escaped);
        k->quote &= ~escaped;
        if (!check_characters(l, at, (backslash & ~escaped) | bits(a, b))) {
            return false;
        }
    }
    k->in = prefix_xor(k->quote) ^ c->in_string;
    c->in_string = 0 - (k->in >> TOP_BIT);
    const mask out = ~(k->in | k->quote);
    const __m256i bit5 = _mm256_set1_epi8(0x20); /* what tells { from [ and } from ] */
    const __m256i upper_a = _mm256_or_si256(a, bit5);
    const __m256i upper_b = _mm256_or_si256(b, bit5);
    k->open = equal(upper_a, upper_b, '{') & out;
    k->close = equal(upper_a, upper_b, '}') & out;
    k->comma = equal(a, b, ',') & out;
    k->colon = equal(a, b, ':') & out;
    k->space = equal(a, b, ' ') & out;
    k->braces = bits(_mm256_slli_epi16(a, 2), _mm256_slli_epi16(b, 2));
    k->scalar = out & ~(k->open | k->close | k->comma | k->colon | k->space);
    return true;
}

/* ---- what stands beside what ---- */

/* The places of what comes behind the marked bytes and the white space there: a mark that is added to a run
 * of ones comes out behind it. */
INLINE mask behind(mask marks, mask *carried, mask space) {
    const mask next = marks << 1 | *carried;
    *carried = marks >> TOP_BIT;
    if (space == 0) {
        return next;
    }
    unsigned long long sum = 0;
    *carried |= __builtin_uaddll_overflow(next & space, space, &sum);
    return (next | sum) & ~space;
}

/* The closing quotes of the strings that begin at the marks. */
INLINE mask closing(mask marks, mask *carried, mask in) {
    unsigned long long sum = 0;
    *carried = __builtin_uaddll_overflow(marks | *carried, in, &sum);
    return sum & ~in;
}

/* The brackets before which, back to the one before, a mark stands (or on which it does). */
INLINE mask demands(mask marks, mask *carried, mask brackets) {
    unsigned long long sum = 0;
    marks |= *carried;
    *carried = __builtin_uaddll_overflow(marks & ~brackets, ~brackets, &sum);
    return (sum | marks) & brackets;
}

/* ---- numbers and literals ---- */

/* One by one, from their first bytes on. */
TARGET static MCPW_NOINLINE bool check_scalars_slowly(const look *l, const unsigned char *at, mask starts) {
    for (; starts != 0; starts &= starts - 1) {
        mcpw_scanner s;
        mcpw_scanner_open(&s, l->end, 0);
        const unsigned char *const p = mcpw_scan_scalar(&s, at + mcpw_lowest_bit(starts));
        if (p == NULL) {
            return false;
        }
        const unsigned char c = p < l->end ? *p : ' ';
        if (c != ',' && c != ' ' && c != '}' && c != ']') {
            return false;
        }
    }
    return true;
}

/* The bytes of the literal at p, behind which four more may be read; 0 when it is none. */
INLINE unsigned literal_length(const unsigned char *p) {
    if (memcmp(p, "true", 4) == 0 || memcmp(p, "null", 4) == 0) {
        return 4;
    }
    return memcmp(p, "false", 5) == 0 ? 5 : 0;
}

INLINE __m256i digits_of(__m256i v) {
    const __m256i value = _mm256_sub_epi8(v, _mm256_set1_epi8('0'));
    return _mm256_cmpeq_epi8(_mm256_min_epu8(value, _mm256_set1_epi8(9)), value);
}

/* Whether numbers without exponents are well-formed: those that begin at `first` and fill `all`. */
INLINE bool are_numbers(__m256i a, __m256i b, mask digits, mask first, mask all) {
    const mask minus = equal(a, b, '-') & all;
    const mask point = equal(a, b, '.') & all;
    const mask zero = equal(a, b, '0') & all;
    const mask whole = (first & ~minus) | minus << 1; /* where their integers begin */
    const mask fraction = point << 1;
    mask bad = all & ~(digits | minus | point);
    bad |= (minus & ~first) | (whole & ~digits) | (fraction & ~digits);
    bad |= (whole & zero) << 1 & digits;
    bad |= ((fraction & digits) + digits) & ~digits & point;
    return bad == 0;
}

/* Those that begin in a block. The last one may go on behind it. */
TARGET static MCPW_NOINLINE bool check_scalars(const look *l, const unsigned char *at, __m256i a, __m256i b,
                                               mask scalar, mask start) {
    mask slow = 0;
    mask all = scalar;
    if ((start & (start - 1)) == 0) {
        return check_scalars_slowly(l, at, start);
    }
    if (all >> TOP_BIT != 0) {
        slow = UINT64_C(1) << (TOP_BIT - (unsigned)_lzcnt_u64(start));
        all &= slow - 1;
        start &= slow - 1;
    }
    const mask digits = bits(digits_of(a), digits_of(b)) & scalar;
    mask literals = start & ~(digits | equal(a, b, '-'));
    start &= ~literals;
    for (; literals != 0; literals &= literals - 1) {
        const unsigned place = mcpw_lowest_bit(literals);
        if (l->end - at - place <= EIGHT) {
            slow |= UINT64_C(1) << place;
            all &= all + (UINT64_C(1) << place);
            continue;
        }
        const unsigned n = literal_length(at + place);
        const mask ones = ((UINT64_C(1) << n) - 1) << place;
        if (n == 0 || (ones & ~all) != 0 || (all >> place >> n & 1U) != 0) {
            return false;
        }
        all &= ~ones;
    }
    if (!are_numbers(a, b, digits & all, start, all)) {
        slow |= start;
    }
    return slow == 0 || check_scalars_slowly(l, at, slow);
}

/* ---- tokens and their neighbours ---- */

/* Checks the block's tokens against their neighbours. A string behind a comma or a brace is a name if a colon
 * follows, which demands that an object is open, and else an item of an array: *object and *array receive the
 * brackets before which that is so. */
INLINE void check_neighbours(look *l, carry *c, const unsigned char *at, __m256i a, __m256i b, const block *k,
                             mask space, mask *object, mask *array) {
    const mask string = k->quote & k->in;
    const mask closed = k->quote & ~k->in;
    const mask start = k->scalar & ~(k->scalar << 1 | c->scalar);
    const mask value = string | start | k->open;
    const mask after = k->comma | k->close; /* what may come behind a value */
    c->scalar = k->scalar >> TOP_BIT;

    const mask comma = behind(k->comma, &c->comma, space);
    const mask colon = behind(k->colon, &c->colon, space);
    const mask brace = behind(k->open & k->braces, &c->brace, space);
    const mask bracket = behind(k->open & ~k->braces, &c->bracket, space);
    const mask names = closing((comma | brace) & string, &c->name_open, k->in) & closed;
    const mask name = behind(names, &c->name, space);
    const mask end = behind((closed ^ names) | k->close | k->scalar, &c->end, space) & ~k->scalar;

    l->bad |= ((comma | colon) & ~value) | (brace & ~(string | k->close)) | (bracket & ~(value | k->close)) |
              (start & ~(comma | colon | bracket)) | (end & ~after) | (name & ~(after | k->colon));
    if (MCPW_UNLIKELY(start != 0) && !check_scalars(l, at, a, b, k->scalar, start)) {
        l->bad = 1;
    }
    const mask brackets = k->open | k->close;
    *object = demands(name & k->colon, &c->object, brackets);
    *array = demands((comma & ~string) | (name & ~k->colon), &c->array, brackets);
}

/* ---- brackets ---- */

enum { OPENS = 1, IS_BRACE = 2, WANTS_OBJECT = 4, WANTS_ARRAY = 8 };

/* Writes a byte for each bracket, in eights; returns how many brackets there are. */
INLINE size_t list_brackets(unsigned char *to, const block *k, mask object, mask array) {
    const mask each = UINT64_C(0x0101010101010101);
    const mask brackets = k->open | k->close;
    const size_t count = (size_t)_mm_popcnt_u64(brackets);
    mask opens = _pext_u64(k->open, brackets);
    mask braces = _pext_u64(k->braces, brackets);
    mask objects = _pext_u64(object, brackets);
    mask arrays = _pext_u64(array, brackets);
    for (size_t i = 0; i < count; i += EIGHT) {
        const mask eight = _pdep_u64(opens, each * OPENS) | _pdep_u64(braces, each * IS_BRACE) |
                           _pdep_u64(objects, each * WANTS_OBJECT) | _pdep_u64(arrays, each * WANTS_ARRAY);
        memcpy(to + i, &eight, sizeof eight);
        opens >>= EIGHT;
        braces >>= EIGHT;
        objects >>= EIGHT;
        arrays >>= EIGHT;
    }
    return count;
}

/* Visits brackets until the first one is closed; returns how many come before that, or the count. */
INLINE size_t visit(look *l, const unsigned char *brackets, size_t count) {
    mask objects = l->objects;
    mask seen = l->seen;
    mask bad = 0;
    size_t i = 0;
    for (; i < count; i++) {
        const unsigned what = brackets[i]; // NOLINT(clang-analyzer-core.uninitialized.Assign): listed
        const mask opened = objects << 1 | (what / IS_BRACE & 1U);
        const mask closed = objects >> 1;
        const bool opens = (what & OPENS) != 0;
        bad |= what / WANTS_OBJECT & ~objects;
        bad |= what / WANTS_ARRAY & objects;
        bad |= opens ? 0 : (what / IS_BRACE ^ objects) & 1U;
        objects = opens ? opened : closed;
        seen |= objects;
        if (MCPW_UNLIKELY(objects == 1)) {
            break;
        }
    }
    l->bad |= bad & 1U;
    l->objects = objects;
    l->seen = seen;
    return i;
}

/* ---- blocks ---- */

/* The bytes of a block. What the text lacks are spaces. */
INLINE void load(const unsigned char *from, size_t left, unsigned char *to, __m256i *a, __m256i *b) {
    unsigned char last[BLOCK];
    if (MCPW_UNLIKELY(left < BLOCK)) {
        memset(last, ' ', sizeof last);
        memcpy(last, from, left);
        from = last;
        to = NULL;
    }
    *a = _mm256_loadu_si256((const __m256i *)(const void *)from);
    *b = _mm256_loadu_si256((const __m256i *)(const void *)(from + HALF));
    if (to != NULL) {
        _mm256_storeu_si256((__m256i *)(void *)to, *a);
        _mm256_storeu_si256((__m256i *)(void *)(to + HALF), *b);
    }
}

/* The place of a bracket by its number among those of a chunk. */
INLINE size_t place_of(const mask *brackets, size_t number) {
    size_t at = 0;
    for (size_t count; number >= (count = (size_t)_mm_popcnt_u64(*brackets)); brackets++) {
        number -= count;
        at += BLOCK;
    }
    return at + mcpw_lowest_bit(_pdep_u64(UINT64_C(1) << number, *brackets));
}

TARGET size_t mcpw_masks_skip(const unsigned char *from, size_t len, unsigned char *to, unsigned depth,
                              size_t *copied) {
    look l = {from, from + len, from, 1, 1, 0};
    carry c;
    memset(&c, 0, sizeof c);
    *copied = 0;
    for (size_t base = 0; base < len;) {
        const size_t begin = base;
        unsigned char list[(CHUNK + 1) * BLOCK];
        mask brackets[CHUNK] = {0};
        size_t count = 0;
        for (size_t i = 0; i < CHUNK && base < len; i++, base += BLOCK) {
            __m256i a;
            __m256i b;
            block k;
            mask object = 0;
            mask array = 0;
            load(from + base, len - base, to != NULL ? to + base : NULL, &a, &b);
            if (!classify(&l, &c, from + base, a, b, &k)) {
                return 0;
            }
            *copied = to != NULL && len - base >= BLOCK ? base + BLOCK : *copied;
            if (MCPW_LIKELY(k.space == 0)) {
                check_neighbours(&l, &c, from + base, a, b, &k, 0, &object, &array);
            } else {
                check_neighbours(&l, &c, from + base, a, b, &k, k.space, &object, &array);
            }
            brackets[i] = k.open | k.close;
            count += list_brackets(list + count, &k, object, array);
        }
        const size_t last = visit(&l, list, count);
        if (MCPW_UNLIKELY(l.bad != 0 || l.seen >> MOST != 0)) {
            return 0;
        }
        if (last != count) {
            const unsigned levels = TOP_BIT - (unsigned)_lzcnt_u64(l.seen);
            return levels <= depth ? begin + place_of(brackets, last) + 1 : 0;
        }
    }
    return 0;
}
#endif
