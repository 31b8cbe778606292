/* SPDX-License-Identifier: MIT */
/* Projection of strings, numbers, booleans, enums, constants and ids. */
#include "../json/number.h"
#include "project_internal.h"

bool mcpw_project_string(mcpw_projector *p, const unsigned char *at, mcpw_ref to, unsigned char *out) {
    const mcpw_str text = mcpw_load_str(at);
    if (MCPW_UNLIKELY(to.check != 0) &&
        !mcpw_string_in_bounds(p->to.revision, text.ptr, text.len, to.check)) {
        return mcpw_project_fail_bounds(p, MCPW_E_LENGTH, to.check);
    }
    *(mcpw_str *)(void *)out = text;
    return true;
}

/* A number, exactly. */
typedef struct number {
    bool is_integer;
    int64_t integer;
    double real;
} number;

static const double int64_bound = 9223372036854775808.0; /* 2^63: the first double beyond int64_t */

static number load_number(mcpw_ref from, const unsigned char *at) {
    number n = {true, 0, 0};
    switch (from.kind) {
    case MCPW_KIND_INTEGER:
        n.integer = *(const int64_t *)(const void *)at;
        return n;
    case MCPW_KIND_OPT_INTEGER:
        n.integer = ((const mcpw_opt_int *)(const void *)at)->value;
        return n;
    default:
        n.is_integer = false;
        n.real = from.kind == MCPW_KIND_NUMBER ? *(const double *)(const void *)at
                                               : ((const mcpw_opt_double *)(const void *)at)->value;
        return n;
    }
}

static bool store_integer(mcpw_projector *p, number n, mcpw_ref to, unsigned char *out) {
    if (!n.is_integer) {
        const bool fits = n.real >= -int64_bound && n.real < int64_bound;
        n.integer = fits ? (int64_t)n.real : 0;
        if (!fits || (double)n.integer < n.real || (double)n.integer > n.real) {
            return mcpw_project_fail(p, MCPW_E_PROJECTION, "the number is no integer");
        }
    }
    if (to.check != 0 && !mcpw_integer_in_bounds(p->to.revision, n.integer, to.check)) {
        return mcpw_project_fail_bounds(p, MCPW_E_RANGE, to.check);
    }
    if (to.kind == MCPW_KIND_INTEGER) {
        *(int64_t *)(void *)out = n.integer;
    } else {
        *(mcpw_opt_int *)(void *)out = (mcpw_opt_int){true, n.integer};
    }
    return true;
}

static bool store_real(mcpw_projector *p, number n, mcpw_ref to, unsigned char *out) {
    unsigned char text[MCPW_DOUBLE_SIZE + 1];
    if (n.is_integer) {
        n.real = (double)n.integer;
        if (n.real >= int64_bound || (int64_t)n.real != n.integer) {
            return mcpw_project_fail(p, MCPW_E_PROJECTION, "the integer is not exact as a double");
        }
    }
    if (!(n.real - n.real == 0)) { /* an infinity or no number */
        return mcpw_project_fail(p, MCPW_E_VALUE, "number is not finite");
    }
    if (to.check != 0) {
        const size_t len = mcpw_format_double((char *)text, n.real);
        text[len] = '\0';
        if (!mcpw_number_in_bounds(p->to.revision, n.real, text, text + len, to.check)) {
            return mcpw_project_fail_bounds(p, MCPW_E_RANGE, to.check);
        }
    }
    if (to.kind == MCPW_KIND_NUMBER) {
        *(double *)(void *)out = n.real;
    } else {
        *(mcpw_opt_double *)(void *)out = (mcpw_opt_double){true, n.real};
    }
    return true;
}

static bool project_boolean(mcpw_ref from, const unsigned char *at, mcpw_ref to, unsigned char *out) {
    const bool value = from.kind == MCPW_KIND_BOOLEAN ? mcpw_load_bool(at)
                                                      : ((const mcpw_opt_bool *)(const void *)at)->value;
    if (to.kind == MCPW_KIND_BOOLEAN) {
        *(bool *)(void *)out = value;
    } else {
        *(mcpw_opt_bool *)(void *)out = (mcpw_opt_bool){true, value};
    }
    return true;
}

static bool project_enum(mcpw_projector *p, const mcpw_source *source, mcpw_ref to, unsigned char *out) {
    const int32_t value = mcpw_load_kind(source->at);
    const mcpw_str text = mcpw_enum_text(p->from.revision, source->ref.index, value);
    if (value == MCPW_UNKNOWN) {
        p->saw_unknown = true;
        return true;
    }
    if (text.ptr == NULL) {
        return mcpw_project_fail(p, MCPW_E_VALUE, "%ld is no value of %s", (long)value,
                                 p->from.pool + p->from.revision->enums[source->ref.index].name);
    }
    int32_t found = value; /* most enums never change */
    if (!mcpw_str_equal(mcpw_enum_text(p->to.revision, to.index, value), text)) {
        found = mcpw_enum_value_of(p->to.revision, to.index, text.ptr, text.len);
    }
    if (found == 0) {
        return mcpw_project_unsayable(p, source, to, out);
    }
    memcpy(out, &found, sizeof found);
    return true;
}

static bool project_const(mcpw_projector *p, mcpw_ref from, mcpw_ref to, unsigned char *out) {
    const mcpw_json a = mcpw_const_text(p->from.pool, p->from.revision->consts + from.index);
    const mcpw_json b = mcpw_const_text(p->to.pool, p->to.revision->consts + to.index);
    if (a.len != b.len || memcmp(a.ptr, b.ptr, a.len) != 0) {
        return mcpw_project_fail(p, MCPW_E_PROJECTION, "%.*s is not %.*s, as revision %s has it", (int)a.len,
                                 a.ptr, (int)b.len, b.ptr, p->to.revision->name);
    }
    if (to.kind == MCPW_KIND_OPT_CONST) {
        *(bool *)(void *)out = true;
    }
    return true;
}

/* Whether both are kinds of the same sort, required or optional. */
static bool are(mcpw_ref from, mcpw_ref to, mcpw_kind one, mcpw_kind other) {
    return (from.kind == one || from.kind == other) && (to.kind == one || to.kind == other);
}

bool mcpw_project_scalar(mcpw_projector *p, const mcpw_source *source, mcpw_ref to, unsigned char *out) {
    const mcpw_ref from = source->ref;
    const bool is_number = from.kind == MCPW_KIND_INTEGER || from.kind == MCPW_KIND_OPT_INTEGER ||
                           from.kind == MCPW_KIND_NUMBER || from.kind == MCPW_KIND_OPT_NUMBER;
    if (is_number && (to.kind == MCPW_KIND_INTEGER || to.kind == MCPW_KIND_OPT_INTEGER)) {
        return store_integer(p, load_number(from, source->at), to, out);
    }
    if (is_number && (to.kind == MCPW_KIND_NUMBER || to.kind == MCPW_KIND_OPT_NUMBER)) {
        return store_real(p, load_number(from, source->at), to, out);
    }
    if (are(from, to, MCPW_KIND_BOOLEAN, MCPW_KIND_OPT_BOOLEAN)) {
        return project_boolean(from, source->at, to, out);
    }
    if (are(from, to, MCPW_KIND_CONST, MCPW_KIND_OPT_CONST)) {
        return project_const(p, from, to, out);
    }
    if (are(from, to, MCPW_KIND_ENUM, MCPW_KIND_ENUM)) {
        return project_enum(p, source, to, out);
    }
    if (are(from, to, MCPW_KIND_ID, MCPW_KIND_ID)) {
        memcpy(out, source->at, sizeof(mcpw_id));
        return true;
    }
    return mcpw_project_odd(p, source, to, out);
}
