/* SPDX-License-Identifier: MIT */
/* The table of kinds: what it says is true of the C values that the tables describe. */
#include <mcpw/codec.h>
#include <mcpw/detail/reflect.h>

#include "check.h"
#include "value.h"

enum { ROOM = 64 };

static const mcpw_ref refs[] = {
    {MCPW_KIND_STRING, 0, 0},      {MCPW_KIND_JSON, 0, 0},       {MCPW_KIND_JSON_OBJECT, 0, 0},
    {MCPW_KIND_SHAPED, 0, 0},      {MCPW_KIND_INTEGER, 0, 0},    {MCPW_KIND_OPT_INTEGER, 0, 0},
    {MCPW_KIND_NUMBER, 0, 0},      {MCPW_KIND_OPT_NUMBER, 0, 0}, {MCPW_KIND_BOOLEAN, 0, 0},
    {MCPW_KIND_OPT_BOOLEAN, 0, 0}, {MCPW_KIND_ENUM, 0, 0},       {MCPW_KIND_CONST, 0, 0},
    {MCPW_KIND_OPT_CONST, 0, 0},   {MCPW_KIND_ID, 0, 0},         {MCPW_KIND_STRUCT, 0, 0},
    {MCPW_KIND_STRUCT_PTR, 0, 0},  {MCPW_KIND_ARRAY, 0, 0},      {MCPW_KIND_MAP, 0, 0},
    {MCPW_KIND_UNION, 0, 0},       {MCPW_KIND_UNION_PTR, 0, 0},  {MCPW_KIND_NULL, 0, 0},
    {MCPW_KIND_INT32, 0, 0},
};
enum { REFS = sizeof refs / sizeof *refs };

static void every_kind_is_in_the_table(void) {
    CHECK(REFS == MCPW_KIND_COUNT - 1); /* all but the mark after the last row */
    for (int i = 0; i < REFS; i++) {
        CHECK(refs[i].kind == i + 1);
        CHECK(mcpw_base_kind(refs[i]) != MCPW_KIND_END);
    }
}

static void a_plain_kind_is_its_own_base(void) {
    for (int i = 0; i < REFS; i++) {
        const mcpw_ref plain = mcpw_plain_ref(refs[i]);
        CHECK(mcpw_base_kind(plain) == plain.kind);
        CHECK(!mcpw_is_pointer(plain) && !mcpw_is_optional(plain));
        CHECK(mcpw_kinds[plain.kind].is == mcpw_kinds[refs[i].kind].is);
    }
}

static void what_is_optional_is_absent_as_zeros(void) {
    static _Alignas(max_align_t) const unsigned char zeros[ROOM];
    const mcpw_revision *const revision = mcpw_revisions(&(size_t){0})[0];
    for (int i = 0; i < REFS; i++) {
        const bool optional = mcpw_is_optional(refs[i]) || mcpw_is_pointer(refs[i]);
        const bool present = mcpw_is_present(revision, refs[i], zeros);
        CHECK(present == (mcpw_kinds[refs[i].kind].absent == MCPW_ABSENT_NEVER));
        CHECK(!optional || !present);
    }
}

static void an_optional_value_holds_the_plain_one(void) {
    const mcpw_ref integer = {MCPW_KIND_OPT_INTEGER, 0, 0};
    const mcpw_ref boolean = {MCPW_KIND_OPT_BOOLEAN, 0, 0};
    mcpw_opt_int n = {false, 0};
    mcpw_opt_bool b = {false, false};
    *(int64_t *)(void *)mcpw_plain_place(integer, (unsigned char *)&n) = 7;
    *(bool *)(void *)mcpw_plain_place(boolean, (unsigned char *)&b) = true;
    CHECK(n.set && n.value == 7 && b.set && b.value);
    CHECK(*(const int64_t *)(const void *)mcpw_plain_value(integer, (unsigned char *)&n) == 7);
    CHECK(mcpw_load_bool(mcpw_plain_value(boolean, (unsigned char *)&b)));
}

static void a_list_without_items_but_with_a_count_is_there(void) {
    const mcpw_revision *const revision = mcpw_revisions(&(size_t){0})[0];
    const mcpw_ref array = {MCPW_KIND_ARRAY, 0, 0};
    const mcpw_list wrong = {NULL, 1};
    CHECK(mcpw_is_present(revision, array, (const unsigned char *)&wrong));
}

static void a_union_that_stores_no_kind_is_there_as_its_alternative_is(void) {
    static _Alignas(max_align_t) const unsigned char zeros[MCPW_NO_OFFSET];
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    for (size_t k = 0; k < count; k++) {
        for (unsigned i = 0; i < all[k]->union_count; i++) {
            const mcpw_union *const u = all[k]->unions + i;
            if ((u->flags & MCPW_UNION_BARE) != 0) {
                const mcpw_ref ref = {MCPW_KIND_UNION, 0, (uint16_t)i};
                const mcpw_ref bare = mcpw_bare_value(all[k], u);
                CHECK(mcpw_size_of(all[k], ref) == mcpw_size_of(all[k], bare));
                CHECK(mcpw_is_present(all[k], ref, zeros) == mcpw_is_present(all[k], bare, zeros));
            }
        }
    }
}

/* The generator lays structs out by what compilers say; the table has to agree with it about each member. */
static void members_lie_side_by_side(void) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    for (size_t k = 0; k < count; k++) {
        for (unsigned i = 0; i < all[k]->struct_count; i++) {
            const mcpw_struct *const s = all[k]->structs + i;
            for (unsigned r = 0; r < s->count && s->size != 0; r++) {
                const mcpw_row *const row = all[k]->rows + s->first + r;
                const size_t end = row->offset + mcpw_size_of(all[k], mcpw_row_value(all[k], row));
                CHECK(end <= s->size);
                for (unsigned other = 0; other < s->count; other++) {
                    const unsigned at = all[k]->rows[s->first + other].offset;
                    CHECK(at <= row->offset || at >= end);
                }
            }
        }
    }
}

int main(void) {
    RUN(every_kind_is_in_the_table);
    RUN(a_plain_kind_is_its_own_base);
    RUN(what_is_optional_is_absent_as_zeros);
    RUN(an_optional_value_holds_the_plain_one);
    RUN(a_list_without_items_but_with_a_count_is_there);
    RUN(a_union_that_stores_no_kind_is_there_as_its_alternative_is);
    RUN(members_lie_side_by_side);
    return check_end();
}
