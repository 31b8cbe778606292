/* SPDX-License-Identifier: MIT */
/* The types of the tables that contain themselves. tests/load has a bomb for each of them: a type that is new
 * here needs one as well. */
#include <mcpw/codec.h>
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/table.h>

#include "check.h"

enum { LEVELS = 64 };

/* The way from a definition down to where the walk stands. */
typedef struct way {
    const mcpw_revision *v;
    mcpw_ref at[LEVELS];
    size_t depth;
    bool recursive;
} way;

static void walk(way *w, mcpw_ref ref);

static void walk_struct(way *w, const mcpw_struct *s) {
    for (unsigned i = 0; i < s->count; i++) {
        walk(w, mcpw_row_value(w->v, w->v->rows + s->first + i));
    }
    walk(w, mcpw_extra_value(w->v, s));
}

static void walk_union(way *w, const mcpw_union *u) {
    for (unsigned i = 0; i < u->alternative_count; i++) {
        walk(w, mcpw_alternative_value(w->v, w->v->alternatives + u->alternatives + i));
    }
}

static void step_in(way *w, mcpw_ref ref) {
    switch (ref.kind) {
    case MCPW_KIND_STRUCT:
        walk_struct(w, w->v->structs + ref.index);
        break;
    case MCPW_KIND_UNION:
        walk_union(w, w->v->unions + ref.index);
        break;
    case MCPW_KIND_ARRAY:
        walk(w, w->v->arrays[ref.index].item);
        break;
    case MCPW_KIND_MAP:
        walk(w, w->v->maps[ref.index].value);
        break;
    case MCPW_KIND_SHAPED:
        walk(w, w->v->shapes[ref.index]);
        break;
    default:
        break;
    }
}

static void walk(way *w, mcpw_ref ref) {
    ref.kind = ref.kind == MCPW_KIND_STRUCT_PTR  ? (uint8_t)MCPW_KIND_STRUCT
               : ref.kind == MCPW_KIND_UNION_PTR ? (uint8_t)MCPW_KIND_UNION
                                                 : ref.kind;
    for (size_t i = 0; i < w->depth; i++) {
        if (w->at[i].kind == ref.kind && w->at[i].index == ref.index && ref.kind != MCPW_KIND_JSON &&
            ref.kind != MCPW_KIND_STRING) {
            w->recursive = true;
            return;
        }
    }
    if (w->recursive || w->depth == LEVELS) {
        return;
    }
    w->at[w->depth++] = ref;
    step_in(w, ref);
    w->depth--;
}

/* Whether a definition contains itself or something that does. */
static bool is_recursive(const mcpw_type *type) {
    way w = {0};
    w.v = type->revision;
    walk(&w, type->ref);
    return w.recursive;
}

static void only_json_values_contain_themselves(void) {
    size_t count = 0;
    const mcpw_revision *const *const revisions = mcpw_revisions(&count);
    for (size_t r = 0; r < count; r++) {
        const bool has_values = mcpw_revision_type(revisions[r], "JSONValue") != NULL;
        size_t recursive = 0;
        for (size_t i = 0; i < revisions[r]->definition_count; i++) {
            recursive += is_recursive(revisions[r]->definitions[i]);
        }
        CHECK((recursive != 0) == has_values);
        if (has_values) {
            CHECK(is_recursive(mcpw_revision_type(revisions[r], "JSONValue")));
            CHECK(is_recursive(mcpw_revision_type(revisions[r], "JSONObject")));
            CHECK(!is_recursive(mcpw_revision_type(revisions[r], "SamplingMessage")));
            CHECK(!is_recursive(mcpw_revision_type(revisions[r], "PrimitiveSchemaDefinition")));
        }
    }
}

/* Depth is what ends them, by each way in. */
static void each_bomb_ends_at_the_depth(void) {
    static const char *const steps[] = {"[", "{\"a\":", "[{\"\":", "{\"a\":[[", "[[[[{\"a\":{\"a\":"};
    static const char *const types[] = {"JSONValue", "JSONObject"};
    enum { SIZE = 1 << 16 };
    static char text[SIZE];
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_json value;
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
            const mcpw_type *const type = mcpw_find_type("2026-07-28", types[t]);
            const size_t step = strlen(steps[s]);
            for (size_t i = 0; i + step <= sizeof text; i += step) {
                memcpy(text + i, steps[s], step);
            }
            const mcpw_status want = t == 1 && steps[s][0] == '[' ? MCPW_E_TYPE : MCPW_E_DEPTH;
            CHECK(mcpw_decode(type, text, sizeof text / step * step, &arena, &value, NULL, NULL) == want);
            CHECK(mcpw_validate(type, text, sizeof text / step * step, &arena, NULL, NULL) == want);
        }
    }
    mcpw_arena_free(&arena);
}

int main(void) {
    RUN(only_json_values_contain_themselves);
    RUN(each_bomb_ends_at_the_depth);
    return check_end();
}
