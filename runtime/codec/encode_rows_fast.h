/* SPDX-License-Identifier: MIT */
/*
 * The members that a struct names, fast. Part of encode.c.
 *
 * One jump finds the kind of a member: its target writes the usual kinds, and leaves everything else to
 * write_row, which knows all of them. Most are pointers that are NULL when the member is absent.
 */
#ifndef MCPW_ENCODE_ROWS_FAST_H
#define MCPW_ENCODE_ROWS_FAST_H

/* Ends a member of a usual kind: by a comma, or by its name in the path of an error. */
MCPW_INLINE unsigned char *end_row(mcpw_writer *w, unsigned char *p, const mcpw_row *row) {
    if (MCPW_UNLIKELY(p == NULL)) {
        return fail_in_row(w, row);
    }
    *p = ',';
    return p + 1;
}

/* The room that a member needs, and its key. */
MCPW_INLINE unsigned char *begin_row(mcpw_writer *w, unsigned char *p, const mcpw_row *row, size_t room) {
    p = mcpw_room(w, p, room);
    return MCPW_LIKELY(p != NULL) ? put_key(w, p, row) : NULL;
}

MCPW_INLINE unsigned char *write_string_row(mcpw_writer *w, unsigned char *p, const mcpw_row *row,
                                            mcpw_str text) {
    p = begin_row(w, p, row, text.len);
    if (MCPW_LIKELY(p != NULL)) {
        p = MCPW_LIKELY(row->value.check == 0) ? mcpw_put_string_here(w, p, text)
                                               : write_bounded_string(w, p, text, row->value.check);
    }
    return end_row(w, p, row);
}

MCPW_INLINE unsigned char *write_raw_row(mcpw_writer *w, unsigned char *p, const mcpw_row *row,
                                         const unsigned char *at) {
    p = begin_row(w, p, row, 0);
    return end_row(w, p != NULL ? mcpw_write_raw(w, p, row->value, mcpw_load_json(at)) : NULL, row);
}

MCPW_INLINE unsigned char *write_const_row(mcpw_writer *w, unsigned char *p, const mcpw_row *row) {
    p = begin_row(w, p, row, 0);
    return end_row(w, p != NULL ? write_const(w, p, row->value.index) : NULL, row);
}

MCPW_INLINE unsigned char *write_struct_row(mcpw_writer *w, unsigned char *p, const mcpw_row *row,
                                            const unsigned char *value) {
    p = begin_row(w, p, row, 0);
    return end_row(w, p != NULL ? write_struct(w, p, w->revision->structs + row->value.index, value) : NULL,
                   row);
}

/* Whether a member of another kind shows at once that it is absent. */
MCPW_INLINE bool row_is_absent(const mcpw_row *row, const unsigned char *at) {
    switch (mcpw_kinds[row->value.kind].absent) {
    case MCPW_ABSENT_FALSE:
        return !mcpw_load_bool(at);
    case MCPW_ABSENT_LIST:
        return mcpw_load_pointer(at) == NULL && mcpw_load_list(at).count == 0;
    case MCPW_ABSENT_ZERO:
        return mcpw_load_kind(at) == 0;
    default:
        return false;
    }
}

/* A member whose pointer says that it is there. */
MCPW_INLINE unsigned char *write_pointed_row(mcpw_writer *w, unsigned char *p, const mcpw_row *row,
                                             const unsigned char *at, const unsigned char *pointer) {
    if (row->value.kind == MCPW_KIND_STRING) {
        return write_string_row(w, p, row, mcpw_load_str(at));
    }
    return row->value.kind == MCPW_KIND_STRUCT_PTR ? write_struct_row(w, p, row, pointer)
                                                   : write_raw_row(w, p, row, at);
}

/* The number at a place if it is an integer below MCPW_FEW_DIGITS without a sign, else -1. */
MCPW_INLINE int64_t few_digits(const unsigned char *at, bool is_double) {
    int64_t bits;
    int64_t back;
    double number;
    memcpy(&bits, at, sizeof bits);
    if (!is_double) {
        return (uint64_t)bits < MCPW_FEW_DIGITS ? bits : -1;
    }
    memcpy(&number, at, sizeof number);
    const int64_t value = number >= 0 && number < (double)MCPW_FEW_DIGITS ? (int64_t)number : -1;
    number = (double)value;
    memcpy(&back, &number, sizeof back);
    return back == bits ? value : -1; /* -0 has a sign */
}

/* A scalar that is there: small numbers, booleans and strings as ids, without a call. */
MCPW_INLINE unsigned char *write_scalar_row(mcpw_writer *w, unsigned char *p, const mcpw_struct *s,
                                            const mcpw_row *row, const unsigned char *at,
                                            mcpw_row_set *unknown) {
    const unsigned char *const plain = at + mcpw_kinds[row->value.kind].inside;
    const mcpw_id *const id = (const mcpw_id *)(const void *)at;
    int64_t few = -1;
    switch (row->value.kind) {
    case MCPW_KIND_INTEGER:
    case MCPW_KIND_OPT_INTEGER:
        few = few_digits(plain, false);
        break;
    case MCPW_KIND_NUMBER:
    case MCPW_KIND_OPT_NUMBER:
        few = few_digits(plain, true);
        break;
    case MCPW_KIND_ID:
        if (id->kind == MCPW_ID_STRING && id->as.string.ptr != NULL) {
            return write_string_row(w, p, row, id->as.string);
        }
        few = id->kind == MCPW_ID_INTEGER ? few_digits((const unsigned char *)&id->as.integer, false) : -1;
        break;
    default:
        break;
    }
    if (few < 0 || row->value.check != 0) {
        return write_row(w, p, s, row, at, unknown);
    }
    p = begin_row(w, p, row, 0);
    return end_row(w, p != NULL ? mcpw_put_few_digits(p, (uint32_t)few) : NULL, row);
}

/* A member of a kind that is not a pointer. */
MCPW_INLINE unsigned char *write_other_row(mcpw_writer *w, unsigned char *p, const mcpw_struct *s,
                                           const mcpw_row *row, const unsigned char *at,
                                           mcpw_row_set *unknown) {
    if (row->value.kind == MCPW_KIND_CONST) {
        return write_const_row(w, p, row);
    }
    if (row->value.kind == MCPW_KIND_STRUCT) {
        return write_struct_row(w, p, row, at);
    }
    if (!row_is_absent(row, at)) {
        return write_scalar_row(w, p, s, row, at, unknown);
    }
    return MCPW_LIKELY(!mcpw_row_required(s, row)) ? p : write_missing(w, p, row);
}

MCPW_INLINE unsigned char *write_rows(mcpw_writer *w, unsigned char *p, const mcpw_struct *s,
                                      const unsigned char *base, mcpw_row_set *unknown) {
    const mcpw_row *row = w->revision->rows + s->first;
    const mcpw_row *const end = row + s->count;
    for (; row < end; row++) {
        static_assert(MCPW_KIND_STRING == 1 && MCPW_KIND_SHAPED == 4, "texts are the first kinds");
        const unsigned char *const at = base + row->offset;
        if (row->value.kind <= MCPW_KIND_SHAPED || row->value.kind == MCPW_KIND_STRUCT_PTR) {
            const unsigned char *const pointer = mcpw_load_pointer(at);
            if (pointer == NULL) {
                if (MCPW_UNLIKELY(mcpw_row_required(s, row))) {
                    return fail_missing(w, row);
                }
                continue;
            }
            p = write_pointed_row(w, p, row, at, pointer);
        } else {
            p = write_other_row(w, p, s, row, at, unknown);
        }
        if (MCPW_UNLIKELY(p == NULL)) {
            return NULL;
        }
    }
    return p;
}

#endif
