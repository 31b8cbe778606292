/* SPDX-License-Identifier: MIT */
/* Numbers, strings and arrays against their rows. */
#include "../json/characters.h"
#include "../json/number.h"
#include "fit.h"
#include "multiple.h"
#include "text_formats.h"

/* ---- numbers ---- */

enum {
    SHORT_DIGITS = 18, /* always fit in an int64_t */
    ITEMS_A_STEP = 4,
    BYTES_A_PIECE = 16 /* what is looked at byte by byte is paid for by pieces */
};

/* A number that is looked at: its value, when it is short. */
typedef struct number {
    mcpw_str text;
    bool is_short;
    int64_t value;
} number;

static number number_of(const mcpw_checking *c, uint32_t node) {
    const mcpw_tape_node *const n = c->tape->nodes + node;
    number result = {mcpw_tape_text(c->tape, node), n->type == MCPW_IS_WHOLE && n->size <= SHORT_DIGITS, 0};
    if (result.is_short) {
        const char *p = result.text.ptr;
        const char *const end = p + result.text.len;
        const bool negative = *p == '-';
        for (p += negative; p < end; p++) {
            result.value = result.value * 10 + (*p - '0');
        }
        result.value = negative ? -result.value : result.value;
    }
    return result;
}

static int order_of(int64_t a, int64_t b) { return a < b ? -1 : a > b; }

/* A number with a point, whose integral part is short, beside an integer. False: it is none. */
static bool compare_parts(mcpw_str text, int64_t with, int *order) {
    const char *p = text.ptr;
    const char *const end = p + text.len;
    const bool negative = *p == '-';
    const char *const first = p + negative;
    int64_t whole = 0;
    for (p = first; p < end && mcpw_is_digit((unsigned char)*p) && p - first < SHORT_DIGITS; p++) {
        whole = whole * 10 + (*p - '0');
    }
    if (p == end || *p != '.') {
        return false;
    }
    bool more = false;
    for (p++; p < end; p++) {
        if (!mcpw_is_digit((unsigned char)*p)) {
            return false;
        }
        more = more || *p != '0';
    }
    *order = order_of(negative ? -whole : whole, with);
    if (*order == 0 && more) {
        *order = negative ? -1 : 1;
    }
    return true;
}

/* Compares a number with a bound. False: the check is given up, as the digits are not paid for. */
static bool compare(mcpw_checking *c, const number *n, const mcpw_bound *b, mcpw_str text, int *order) {
    if (MCPW_LIKELY(n->is_short && b->is_short == MCPW_BOUND_IS_VALUE)) {
        *order = order_of(n->value, b->value);
        return true;
    }
    if (n->is_short && b->is_short == MCPW_BOUND_IS_ABOVE) {
        *order = n->value <= b->value ? -1 : 1;
        return true;
    }
    if (b->is_short == MCPW_BOUND_IS_VALUE && compare_parts(n->text, b->value, order)) {
        return true;
    }
    if (!mcpw_pay(c, text.len / BYTES_A_PIECE)) {
        return false;
    }
    *order = mcpw_compare_decimal(n->text.ptr, n->text.len, text.ptr, text.len);
    return true;
}

static bool is_multiple(mcpw_checking *c, const number *n, const mcpw_bound *b, mcpw_str text) {
    if (n->is_short && b->is_short == MCPW_BOUND_IS_VALUE) {
        return n->value % b->value == 0;
    }
    return mcpw_pay(c, mcpw_multiple_work(n->text, text)) && mcpw_is_multiple(n->text, text);
}

static bool bound_fits(mcpw_checking *c, const number *n, const mcpw_bound *b, const mcpw_spot *spot) {
    const mcpw_str text = mcpw_pool_text(c->schema, b->text);
    int order = 0;
    if (MCPW_UNLIKELY(!mcpw_pay(c, n->text.len / BYTES_A_PIECE)) ||
        (b->kind != MCPW_BOUND_MULTIPLE && !compare(c, n, b, text, &order))) {
        return false;
    }
    switch ((mcpw_bound_kind)b->kind) {
    case MCPW_BOUND_MINIMUM:
        return order >= 0 || mcpw_refuse_text(c, spot, MCPW_E_RANGE, "number is less than ", text, "");
    case MCPW_BOUND_MAXIMUM:
        return order <= 0 || mcpw_refuse_text(c, spot, MCPW_E_RANGE, "number is greater than ", text, "");
    case MCPW_BOUND_ABOVE:
        return order > 0 || mcpw_refuse_text(c, spot, MCPW_E_RANGE, "number is not greater than ", text, "");
    case MCPW_BOUND_BELOW:
        return order < 0 || mcpw_refuse_text(c, spot, MCPW_E_RANGE, "number is not less than ", text, "");
    default:
        return is_multiple(c, n, b, text) ||
               mcpw_refuse_text(c, spot, MCPW_E_VALUE, "number is not a multiple of ", text, "");
    }
}

bool mcpw_number_fits(mcpw_checking *c, const mcpw_number_row *row, const mcpw_spot *spot) {
    const number n = number_of(c, spot->node);
    const mcpw_bound *b = c->schema->bounds + row->bounds.first;
    const mcpw_bound *const end = b + row->bounds.count;
    bool fits = true;
    for (; b < end && (fits || c->goes_on); b++) {
        fits = bound_fits(c, &n, b, spot) && fits;
    }
    return fits;
}

/* ---- strings ---- */

/* Characters, as code points. */
static uint32_t characters_of(mcpw_str text) {
    uint32_t count = 0;
    for (size_t i = 0; i < text.len; i++) {
        count += ((unsigned char)text.ptr[i] & 0xc0U) != 0x80U;
    }
    return count;
}

static bool length_fits(mcpw_checking *c, const mcpw_string_row *row, mcpw_str text, const mcpw_spot *spot) {
    if (!mcpw_pay(c, text.len / BYTES_A_PIECE)) {
        return false;
    }
    const uint32_t length = characters_of(text);
    if (length < row->least) {
        return mcpw_refuse_count(c, spot, MCPW_E_LENGTH, "string is shorter than ", row->least,
                                 " characters");
    }
    return length <= row->most ||
           mcpw_refuse_count(c, spot, MCPW_E_LENGTH, "string is longer than ", row->most, " characters");
}

/* A match is tried with few steps first. If it takes more, each further try is charged in advance for all
 * the steps that it may take. A search goes through the text, so each byte has steps as well. */
enum { BYTES_A_STEP = 64, STEPS_A_BYTE = 32, FEW_STEPS = 10000, MORE_STEPS = 10, MOST_STEPS = 1000000 };

static mcpw_status search(mcpw_checking *c, const void *compiled, mcpw_str text, uint64_t steps) {
    const mcpw_mark mark = mcpw_arena_mark(c->comparer.scratch);
    const uint64_t limit = steps + (uint64_t)STEPS_A_BYTE * text.len;
    const mcpw_status status = c->schema->engine->match(
        compiled, text.ptr, text.len, limit < UINT32_MAX ? (uint32_t)limit : UINT32_MAX, c->comparer.scratch);
    mcpw_arena_rewind(c->comparer.scratch, mark);
    return status;
}

bool mcpw_pattern_fits(mcpw_checking *c, uint32_t pattern, mcpw_str text) {
    const void *const compiled = mcpw_pattern_of(c, pattern);
    uint64_t steps = FEW_STEPS;
    if (compiled == NULL || !mcpw_pay(c, 1 + text.len / BYTES_A_STEP)) {
        return false;
    }
    mcpw_status status = search(c, compiled, text, steps);
    while (MCPW_UNLIKELY(status == MCPW_E_WORK) && steps < MOST_STEPS) {
        steps *= MORE_STEPS;
        if (!mcpw_pay(c, steps + text.len)) {
            return false;
        }
        status = search(c, compiled, text, steps);
    }
    return status == MCPW_OK || (status != MCPW_E_VALUE && mcpw_give_up(c, NULL, status));
}

static bool format_fits(mcpw_checking *c, uint32_t format, mcpw_str text) {
    const mcpw_status status = mcpw_pay(c, mcpw_format_work(format, text.len))
                                   ? mcpw_format_fits(format, text, c->schema->engine, c->comparer.scratch)
                                   : MCPW_E_WORK;
    return status == MCPW_OK || (status != MCPW_E_FORMAT && mcpw_give_up(c, NULL, status));
}

bool mcpw_string_fits(mcpw_checking *c, const mcpw_string_row *row, const mcpw_spot *spot) {
    const mcpw_str text = mcpw_tape_text(c->tape, spot->node);
    bool fits = true;
    if (!mcpw_length_is_fine(row, text.len) && !length_fits(c, row, text, spot)) {
        fits = false;
    }
    if (row->pattern != MCPW_NO_PATTERN && (fits || c->goes_on) &&
        !mcpw_pattern_fits(c, row->pattern, text)) {
        fits = mcpw_refuse_text(c, spot, MCPW_E_FORMAT, "string does not match the pattern ",
                                mcpw_pool_text(c->schema, c->schema->pattern_texts[row->pattern]), "");
    }
    if (row->format != 0 && (fits || c->goes_on) && !format_fits(c, row->format, text)) {
        fits = mcpw_refuse_text(c, spot, MCPW_E_FORMAT, "string is no ", mcpw_format_name(row->format), "");
    }
    return fits;
}

/* ---- arrays ---- */

static bool item_fits(mcpw_checking *c, uint32_t shape, const mcpw_spot *spot, uint32_t node,
                      uint32_t index) {
    const mcpw_place place = {spot->place, 0, index};
    const mcpw_spot item = {node, &place, NULL};
    if (shape == MCPW_SHAPE_FALSE) {
        return mcpw_refuse_count(c, &item, MCPW_E_UNEXPECTED, "no more than ", index, " items are allowed");
    }
    return mcpw_fits(c, shape, &item);
}

/* Items of a list whose shape is one, and says little: most of them are looked at here. */
static bool plain_items_fit(mcpw_checking *c, const mcpw_array_row *row, const mcpw_spot *spot) {
    const mcpw_tape_node *const a = c->tape->nodes + spot->node;
    uint32_t node = spot->node + 1;
    bool fits = mcpw_pay(c, a->size);
    for (uint32_t i = 0; i < a->size && (fits || c->goes_on); i++, node = mcpw_tape_after(c->tape, node)) {
        fits = (mcpw_leaf_fits(c->schema, row->rest, c->tape->nodes + node) ||
                item_fits(c, row->rest, spot, node, i)) &&
               fits;
    }
    return fits;
}

static bool items_fit(mcpw_checking *c, const mcpw_array_row *row, const mcpw_spot *spot) {
    const mcpw_tape_node *const a = c->tape->nodes + spot->node;
    const uint32_t *const prefix = c->schema->numbers + row->prefix.first;
    const bool whole = row->rest != MCPW_SHAPE_TRUE || spot->marks != NULL;
    const uint32_t count = whole || row->prefix.count > a->size ? a->size : row->prefix.count;
    uint32_t node = spot->node + 1;
    bool fits = mcpw_pay(c, count / ITEMS_A_STEP);
    for (uint32_t i = 0; i < count && (fits || c->goes_on); i++, node = mcpw_tape_after(c->tape, node)) {
        const bool in_prefix = i < row->prefix.count;
        const uint32_t shape = in_prefix ? prefix[i] : row->rest;
        fits = (shape == MCPW_SHAPE_TRUE || item_fits(c, shape, spot, node, i)) && fits;
        if (spot->marks != NULL && (in_prefix || row->says_rest != 0)) {
            mcpw_mark_set(spot->marks, i);
        }
    }
    return fits;
}

static bool contains_fits(mcpw_checking *c, const mcpw_array_row *row, const mcpw_spot *spot) {
    const mcpw_tape_node *const a = c->tape->nodes + spot->node;
    const bool marks = spot->marks != NULL && row->contains_says != 0;
    uint32_t node = spot->node + 1;
    uint32_t found = 0;
    if (!mcpw_pay(c, a->size / ITEMS_A_STEP)) {
        return false;
    }
    for (uint32_t i = 0; i < a->size && !c->stopped; i++, node = mcpw_tape_after(c->tape, node)) {
        const mcpw_place place = {spot->place, 0, i};
        const mcpw_spot item = {node, &place, NULL};
        if (mcpw_fits_quietly(c, row->contains, &item)) {
            found++;
            if (marks) {
                mcpw_mark_set(spot->marks, i);
            } else if (found >= row->contains_least && row->contains_most == MCPW_NO_LIMIT) {
                break;
            }
        }
    }
    if (found < row->contains_least) {
        return mcpw_refuse_count(c, spot, MCPW_E_LENGTH, "fewer than ", row->contains_least,
                                 " items match \"contains\"");
    }
    return found <= row->contains_most || mcpw_refuse_count(c, spot, MCPW_E_LENGTH, "more than ",
                                                            row->contains_most, " items match \"contains\"");
}

static bool are_unique(mcpw_checking *c, const mcpw_spot *spot) {
    uint32_t first = 0;
    uint32_t second = 0;
    const bool twins = mcpw_tape_has_twins(&c->comparer, c->tape, spot->node, &first, &second);
    if (c->comparer.status != MCPW_OK) {
        return mcpw_give_up(c, spot, c->comparer.status);
    }
    return !twins || mcpw_refuse_count(c, spot, MCPW_E_DUPLICATE, "items are not unique: that at ", second,
                                       " is there already");
}

bool mcpw_array_fits(mcpw_checking *c, const mcpw_array_row *row, const mcpw_spot *spot) {
    const uint32_t size = c->tape->nodes[spot->node].size;
    bool fits = true;
    if (size < row->least) {
        fits = mcpw_refuse_count(c, spot, MCPW_E_LENGTH, "array has fewer than ", row->least, " items");
    } else if (size > row->most) {
        fits = mcpw_refuse_count(c, spot, MCPW_E_LENGTH, "array has more than ", row->most, " items");
    }
    if ((fits || c->goes_on) &&
        (row->prefix.count != 0 || row->rest != MCPW_SHAPE_TRUE || spot->marks != NULL)) {
        const bool plain = row->prefix.count == 0 && spot->marks == NULL && row->rest != MCPW_SHAPE_FALSE;
        fits = (plain ? plain_items_fit(c, row, spot) : items_fit(c, row, spot)) && fits;
    }
    if ((fits || c->goes_on) && row->contains != MCPW_NO_SHAPE) {
        fits = contains_fits(c, row, spot) && fits;
    }
    if ((fits || c->goes_on) && row->unique != 0 && size > 1) {
        fits = are_unique(c, spot) && fits;
    }
    return fits;
}
