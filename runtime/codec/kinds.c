/* SPDX-License-Identifier: MIT */
#include <mcpw/detail/reflect.h>

#include "kinds.h"

#include <assert.h>
#include <stddef.h>

#include "value.h"

enum {
    ANYTHING =
        MCPW_IS_OBJECT | MCPW_IS_ARRAY | MCPW_IS_STRING | MCPW_IS_NUMBER | MCPW_IS_BOOLEAN | MCPW_IS_NULL,
    BY_ENTRY = 0, /* the struct, union or constant itself has it */
};

/* A kind that is its own base. */
#define PLAIN(kind, size, absent, is) [kind] = {size, absent, kind, 0, {0}, is}
/* A kind that wraps another one: {bool set; value}, or a pointer to it. */
#define OPTION(kind, type, base, is)                                                                         \
    [kind] = {sizeof(type), MCPW_ABSENT_FALSE, base, offsetof(type, value), {0}, is}
#define POINTING(kind, base, is) [kind] = {sizeof(void *), MCPW_ABSENT_NULL, base, 0, {0}, is}

const mcpw_kind_facts mcpw_kinds[MCPW_KIND_COUNT] = {
    PLAIN(MCPW_KIND_END, 0, MCPW_ABSENT_NEVER, BY_ENTRY),
    PLAIN(MCPW_KIND_STRING, sizeof(mcpw_str), MCPW_ABSENT_NULL, MCPW_IS_STRING),
    PLAIN(MCPW_KIND_JSON, sizeof(mcpw_json), MCPW_ABSENT_NULL, ANYTHING),
    PLAIN(MCPW_KIND_JSON_OBJECT, sizeof(mcpw_json), MCPW_ABSENT_NULL, MCPW_IS_OBJECT),
    PLAIN(MCPW_KIND_SHAPED, sizeof(mcpw_json), MCPW_ABSENT_NULL, BY_ENTRY),
    PLAIN(MCPW_KIND_INTEGER, sizeof(int64_t), MCPW_ABSENT_NEVER, MCPW_IS_NUMBER),
    OPTION(MCPW_KIND_OPT_INTEGER, mcpw_opt_int, MCPW_KIND_INTEGER, MCPW_IS_NUMBER),
    PLAIN(MCPW_KIND_NUMBER, sizeof(double), MCPW_ABSENT_NEVER, MCPW_IS_NUMBER),
    OPTION(MCPW_KIND_OPT_NUMBER, mcpw_opt_double, MCPW_KIND_NUMBER, MCPW_IS_NUMBER),
    PLAIN(MCPW_KIND_BOOLEAN, sizeof(bool), MCPW_ABSENT_NEVER, MCPW_IS_BOOLEAN),
    OPTION(MCPW_KIND_OPT_BOOLEAN, mcpw_opt_bool, MCPW_KIND_BOOLEAN, MCPW_IS_BOOLEAN),
    PLAIN(MCPW_KIND_ENUM, sizeof(int32_t), MCPW_ABSENT_ZERO, MCPW_IS_STRING),
    PLAIN(MCPW_KIND_CONST, 0, MCPW_ABSENT_NEVER, BY_ENTRY),
    [MCPW_KIND_OPT_CONST] = {sizeof(bool), MCPW_ABSENT_FALSE, MCPW_KIND_CONST, 0, {0}, BY_ENTRY},
    PLAIN(MCPW_KIND_ID, sizeof(mcpw_id), MCPW_ABSENT_ZERO, MCPW_IS_STRING | MCPW_IS_NUMBER),
    PLAIN(MCPW_KIND_STRUCT, BY_ENTRY, MCPW_ABSENT_NEVER, MCPW_IS_OBJECT),
    POINTING(MCPW_KIND_STRUCT_PTR, MCPW_KIND_STRUCT, MCPW_IS_OBJECT),
    PLAIN(MCPW_KIND_ARRAY, sizeof(mcpw_list), MCPW_ABSENT_LIST, MCPW_IS_ARRAY),
    PLAIN(MCPW_KIND_MAP, sizeof(mcpw_list), MCPW_ABSENT_LIST, MCPW_IS_OBJECT),
    PLAIN(MCPW_KIND_UNION, BY_ENTRY, MCPW_ABSENT_UNION, BY_ENTRY),
    POINTING(MCPW_KIND_UNION_PTR, MCPW_KIND_UNION, BY_ENTRY),
    PLAIN(MCPW_KIND_NULL, 0, MCPW_ABSENT_NEVER, MCPW_IS_NULL),
    PLAIN(MCPW_KIND_INT32, sizeof(int32_t), MCPW_ABSENT_NEVER, MCPW_IS_NUMBER),
};

/* The assumptions about structs of this table and of mcpw_is_present. */
static_assert(offsetof(mcpw_str, ptr) == 0 && offsetof(mcpw_json, ptr) == 0,
              "a text is absent without its pointer");
static_assert(offsetof(mcpw_opt_int, set) == 0 && offsetof(mcpw_opt_double, set) == 0 &&
                  offsetof(mcpw_opt_bool, set) == 0,
              "an optional value begins with its flag");
static_assert(sizeof(bool) == 1, "a flag is one byte");
static_assert(offsetof(mcpw_id, kind) == 0 && sizeof(mcpw_id_kind) == sizeof(int32_t),
              "an id begins with its kind");
static_assert(offsetof(mcpw_list, items) == 0 && offsetof(mcpw_list, count) == sizeof(void *) &&
                  sizeof(mcpw_list) == sizeof(void *) + sizeof(size_t),
              "a list is a pointer and a count");
static_assert(offsetof(mcpw_members, items) == offsetof(mcpw_list, items) &&
                  offsetof(mcpw_members, count) == offsetof(mcpw_list, count) &&
                  sizeof(mcpw_members) == sizeof(mcpw_list),
              "extra members are a list");
static_assert(sizeof(mcpw_id) <= UINT8_MAX, "sizes fit into a byte");

bool mcpw_bare_is_present(const mcpw_revision *revision, mcpw_ref ref, const unsigned char *at) {
    return mcpw_is_present(revision, mcpw_bare_value(revision, revision->unions + ref.index), at);
}

size_t mcpw_size_of(const mcpw_revision *revision, mcpw_ref ref) {
    if (ref.kind == MCPW_KIND_UNION) {
        const mcpw_union *const u = revision->unions + ref.index;
        return (u->flags & MCPW_UNION_BARE) == 0 ? u->size
                                                 : mcpw_size_of(revision, mcpw_bare_value(revision, u));
    }
    return ref.kind == MCPW_KIND_STRUCT ? revision->structs[ref.index].size : mcpw_kinds[ref.kind].size;
}
