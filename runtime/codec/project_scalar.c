/* SPDX-License-Identifier: MIT */
/* Projection of strings, numbers, booleans, enums, constants and ids. */
#include <mcpw/detail/generated.h>
#include <mcpw/detail/reflect.h>

#include "../json/number.h"
#include "project_internal.h"

bool mcpw_project_string(mcpw_projector *p, const unsigned char *at, mcpw_ref to, unsigned char *out) {
    const mcpw_str text = mcpw_load_str(at);
    if (MCPW_UNLIKELY(to.check != 0) && !mcpw_project_holds(p, mcpw_checked_string(text), to.check)) {
        return false;
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
    number n = {from.kind == MCPW_KIND_INTEGER, 0, 0};
    if (n.is_integer) {
        n.integer = *(const int64_t *)(const void *)at;
    } else {
        n.real = *(const double *)(const void *)at;
    }
    return n;
}

static bool store_integer(mcpw_projector *p, number n, mcpw_ref to, unsigned char *out) {
    if (!n.is_integer) {
        const bool fits = n.real >= -int64_bound && n.real < int64_bound;
        n.integer = fits ? (int64_t)n.real : 0;
        if (!fits || (double)n.integer < n.real || (double)n.integer > n.real) {
            return mcpw_project_fail(p, MCPW_E_PROJECTION, "the number is no integer");
        }
    }
    if (to.check != 0 && !mcpw_project_holds(p, mcpw_checked_integer(n.integer), to.check)) {
        return false;
    }
    *(int64_t *)(void *)mcpw_plain_place(to, out) = n.integer;
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
        if (!mcpw_project_holds(p, mcpw_checked_number(n.real, text, text + len), to.check)) {
            return false;
        }
    }
    *(double *)(void *)mcpw_plain_place(to, out) = n.real;
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
    (void)mcpw_plain_place(to, out);
    return true;
}

bool mcpw_project_scalar(mcpw_projector *p, const mcpw_source *source, mcpw_ref to, unsigned char *out) {
    const mcpw_ref from = source->ref;
    const mcpw_kind plain = mcpw_base_kind(to);
    if (mcpw_is_number(from) && mcpw_is_number(to)) {
        const number n = load_number(from, source->at);
        return plain == MCPW_KIND_INTEGER ? store_integer(p, n, to, out) : store_real(p, n, to, out);
    }
    if (from.kind != plain) {
        return mcpw_project_odd(p, source, to, out);
    }
    switch (plain) {
    case MCPW_KIND_BOOLEAN:
        *(bool *)(void *)mcpw_plain_place(to, out) = mcpw_load_bool(source->at);
        return true;
    case MCPW_KIND_CONST:
        return project_const(p, from, to, out);
    case MCPW_KIND_ENUM:
        return project_enum(p, source, to, out);
    case MCPW_KIND_ID:
        memcpy(out, source->at, sizeof(mcpw_id));
        return true;
    default:
        return mcpw_project_odd(p, source, to, out);
    }
}
