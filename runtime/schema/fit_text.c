/* SPDX-License-Identifier: MIT */
/*
 * Checks an object of scalars, such as the arguments of most tools, against a simple schema. It reads the
 * text in place, in one pass. It only finds texts that fit: the tape decides about all others, and reports
 * errors.
 */
#include "fit.h"

#include "../json/scan_short.h"

enum {
    MOST_BYTES = 4096, /* so a text has fewer elements than any default limit */
    WORD = 64          /* bits */
};

/* A text being read. */
typedef struct reading {
    mcpw_scanner s;
    const mcpw_schema *schema;
    const mcpw_object_row *row;
    uint64_t present; /* bits of the names that the schema needs */
    uint32_t count;   /* of members */
} reading;

const mcpw_object_row *mcpw_plain_row(const mcpw_schema *schema) {
    const mcpw_shape *const s = schema->shapes + schema->root;
    const mcpw_object_row *const row = schema->object_rows + s->object;
    const bool is_plain = (s->types & MCPW_IS_OBJECT) != 0 && s->steps.count == 0 && s->tracks == 0 &&
                          s->object != 0 && row->names.count != 0 && row->patterns.count == 0 &&
                          row->depends == 0 && row->property_names == MCPW_SHAPE_TRUE && row->bits < WORD;
    return is_plain ? row : NULL;
}

/* The type of a scalar; 0: it is none. */
static uint32_t type_of(const unsigned char *p, const unsigned char *end) {
    const uint32_t type = mcpw_json_type(*p);
    if (type != MCPW_IS_NUMBER) {
        return (type & (MCPW_IS_OBJECT | MCPW_IS_ARRAY)) == 0 ? type : 0;
    }
    for (p += *p == '-'; p < end; p++) {
        if (!mcpw_is_digit(*p)) {
            return MCPW_IS_NUMBER;
        }
    }
    return MCPW_IS_WHOLE;
}

/* Scans a value of a shape; NULL: it does not fit as it stands. Escapes make a string shorter than its text,
 * which matters if a shape checks more than the type. */
static const unsigned char *read_value(reading *r, const unsigned char *p, uint32_t shape) {
    const unsigned char *const end = mcpw_scan_value(&r->s, p);
    if (end == NULL || shape == MCPW_SHAPE_TRUE) {
        return end;
    }
    const bool is_string = *p == '"';
    const mcpw_tape_node node = {0, (uint32_t)(end - p) - (is_string ? 2 : 0), 0, type_of(p, end)};
    const bool says_more = is_string && r->schema->shapes[shape].string != 0;
    return (!says_more || memchr(p, '\\', (size_t)(end - p)) == NULL) &&
                   mcpw_leaf_fits(r->schema, shape, &node)
               ? end
               : NULL;
}

/* Scans a member; NULL: it does not fit as it stands, or its name is long. */
static const unsigned char *read_member(reading *r, const unsigned char *p) {
    const unsigned char *const end = mcpw_scan_short(&r->s, p);
    const unsigned char *const colon = end != NULL ? mcpw_scan_space(&r->s, end) : NULL;
    if (colon == NULL || !mcpw_scanner_is(&r->s, colon, ':')) {
        return NULL;
    }
    const char *const name = (const char *)p + 1;
    const size_t len = (size_t)(end - p) - 2;
    const mcpw_name *const known = mcpw_find_name(r->schema, r->row, mcpw_hash_text(name, len), name, len);
    uint32_t shape = r->row->additional;
    if (known != NULL) {
        r->present |= known->bit != MCPW_NO_BIT ? UINT64_C(1) << known->bit : 0;
        shape = known->shape != MCPW_NO_SHAPE ? known->shape : shape;
    }
    r->count++;
    return read_value(r, mcpw_scan_space(&r->s, colon + 1), shape);
}

/* Scans the members from p on, after the opening brace. */
static bool members_fit(reading *r, const unsigned char *p) {
    p = mcpw_scan_space(&r->s, p);
    bool more = !mcpw_scanner_is(&r->s, p, '}');
    while (more) {
        p = read_member(r, p);
        if (p == NULL) {
            return false;
        }
        p = mcpw_scan_space(&r->s, p);
        more = mcpw_scanner_is(&r->s, p, ',');
        p = more ? mcpw_scan_space(&r->s, p + 1) : p;
    }
    return mcpw_scanner_is(&r->s, p, '}') && mcpw_scan_space(&r->s, p + 1) == r->s.end;
}

bool mcpw_text_fits(const mcpw_schema *schema, const char *text, size_t len) {
    const unsigned char *const begin = (const unsigned char *)text;
    const mcpw_object_row *const row = schema->plain;
    if (row == NULL || len == 0 || len > MOST_BYTES || *begin != '{') {
        return false;
    }
    reading r;
    mcpw_scanner_open(&r.s, begin + len, MCPW_DEFAULT_DEPTH - 1); /* the object is one level */
    r.schema = schema;
    r.row = row;
    r.present = 0;
    r.count = 0;
    const uint64_t required = (UINT64_C(1) << row->required) - 1;
    return members_fit(&r, begin + 1) && (r.present & required) == required && r.count >= row->least &&
           r.count <= row->most;
}
