/* SPDX-License-Identifier: MIT */
/* The tables of structs that are described by their members: those that generated code has for others. */
#include <mcpw/json.h>

#include <string.h>

#include "../base/arena_internal.h"
#include "../base/error_text.h"
#include "../json/number.h"
#include "described.h"
#include "tables.h"

/* A bit for each of the bytes of a text that are compared at once. */
MCPW_INLINE uint16_t mask_of(size_t len) {
    return (uint16_t)(len < MCPW_PATTERN_BYTES ? (1U << len) - 1 : MCPW_PATTERN_MASK);
}

#if defined(MCPW_SMALL)
#include "described_rows_small.h"
#else
#include "described_rows_fast.h"
#endif

enum { CHECK_INT32 = 1, CHECK_UINT32 = 2, FIRST_CHECKS = 3 /* with the one that demands nothing */ };

/* Tables being made. The counts of the revision say how much of them there is. */
typedef struct maker {
    const mcpw_described_set *all;
    mcpw_arena *arena;
    mcpw_error *error;
    mcpw_status status; /* once it is not MCPW_OK the tables are worth nothing */
    mcpw_buffer pool;
    mcpw_row *rows;
    mcpw_struct *structs;
    mcpw_array *arrays;
    mcpw_enum *enums;
    mcpw_enum_value *enum_values;
    mcpw_check *checks;
    uint16_t *keys; /* by the number of a member; the first is that of none */
    mcpw_ref *refs;
    unsigned members;
    mcpw_revision *revision;
} maker;

static void fail(maker *k, mcpw_status status, const char *why) {
    if (k->status == MCPW_OK) {
        k->status = status;
        mcpw_error_text(k->error, status, 0, why);
    }
}

static void *room(maker *k, size_t count, size_t size) {
    void *const at = mcpw_arena_alloc(k->arena, (count + 1) * size);
    if (at == NULL) {
        fail(k, mcpw_arena_status(k->arena), "no memory for the tables of a struct");
        return NULL;
    }
    return memset(at, 0, (count + 1) * size);
}

/* ---- texts ---- */

static unsigned put_bytes(maker *k, const char *bytes, size_t len) {
    const size_t at = k->pool.len;
    if (mcpw_buffer_append(&k->pool, bytes, len) != MCPW_OK) {
        fail(k, mcpw_arena_status(k->arena), "no memory for the texts of a struct");
    } else if (k->pool.len > UINT16_MAX - MCPW_POOL_PADDING) {
        fail(k, MCPW_E_ARGUMENT, "the names and words are longer than 64 KiB");
    }
    return (unsigned)at;
}

static unsigned put_name(maker *k, const char *name) { return put_bytes(k, name, strlen(name) + 1); }

/* A text that is compared with input: in quotes, with what stands after it there. */
static unsigned put_text(maker *k, const char *text, const char *after) {
    const size_t len = strlen(text);
    const size_t at = k->pool.len;
    const mcpw_status status = mcpw_json_append_string(&k->pool, mcpw_str_from(text));
    if (status == MCPW_E_MEMORY) {
        fail(k, mcpw_arena_status(k->arena), "no memory for the texts of a struct");
    } else if (status != MCPW_OK || k->pool.len != at + len + MCPW_VALUE_QUOTES || len > MCPW_MAX_KEY) {
        fail(k, MCPW_E_ARGUMENT, "a name or word is longer than 250 bytes, no UTF-8, or needs escapes");
    }
    (void)put_name(k, after);
    return (unsigned)at;
}

static unsigned put_integer(maker *k, int64_t value) {
    char text[MCPW_INT_SIZE + 1];
    text[mcpw_format_int(text, value)] = '\0';
    return put_name(k, text);
}

static unsigned put_number(maker *k, double value) {
    char text[MCPW_DOUBLE_SIZE + 1];
    text[mcpw_format_double(text, value)] = '\0';
    return put_name(k, text);
}

/* ---- checks ---- */

static void add_integer_check(maker *k, mcpw_member_range range) {
    const unsigned least = put_integer(k, range.least);
    const unsigned most = put_integer(k, range.most);
    k->checks[k->revision->check_count++] =
        (mcpw_check)MCPW_CHECK(range.least, range.most, 0, 0, (uint16_t)least, (uint16_t)most,
                               MCPW_CHECK_MIN | MCPW_CHECK_MAX, MCPW_FORMAT_NONE, 0);
}

/* The integers between two numbers, of those of a range. */
static mcpw_member_range within(mcpw_member_range range, double least, double most) {
    if (least > (double)range.least) {
        const int64_t cut = least < (double)range.most ? (int64_t)least : range.most;
        range.least = (double)cut < least && cut < range.most ? cut + 1 : cut;
    }
    if (most < (double)range.most) {
        const int64_t cut = most > (double)range.least ? (int64_t)most : range.least;
        range.most = (double)cut > most && cut > range.least ? cut - 1 : cut;
    }
    return range;
}

static uint8_t add_check(maker *k, const mcpw_described_member *m, bool is_real) {
    if (k->revision->check_count > UINT8_MAX) {
        fail(k, MCPW_E_ARGUMENT, "too many members have bounds");
        return 0;
    }
    if (!is_real) {
        add_integer_check(k, within(mcpw_member_range_of(m->kind, m->size), m->least, m->most));
    } else {
        const unsigned least = put_number(k, m->least);
        const unsigned most = put_number(k, m->most);
        k->checks[k->revision->check_count++] =
            (mcpw_check)MCPW_CHECK(0, 0, m->least, m->most, (uint16_t)least, (uint16_t)most,
                                   MCPW_CHECK_MIN | MCPW_CHECK_MAX, MCPW_FORMAT_NONE, 0);
    }
    return (uint8_t)(k->revision->check_count - 1);
}

/* ---- types ---- */

static uint16_t add_enum(maker *k, const mcpw_described_member *m) {
    const uint16_t first = k->revision->enum_value_count;
    const unsigned name = put_name(k, m->name);
    for (const char *const *word = m->words; *word != NULL; word++) {
        const unsigned text = put_text(k, *word, "");
        const size_t len = strlen(*word);
        k->enum_values[k->revision->enum_value_count++] =
            (mcpw_enum_value)MCPW_ENUM_VALUE((uint16_t)text, mask_of(len + MCPW_VALUE_QUOTES), (uint16_t)len);
        (void)len;
    }
    (void)name;
    k->enums[k->revision->enum_count] =
        (mcpw_enum)MCPW_ENUM(first, (uint16_t)(k->revision->enum_value_count - first), (uint16_t)name);
    return k->revision->enum_count++;
}

static uint16_t place_of(const maker *k, const mcpw_described *type) {
    uint16_t i = 0;
    while (k->all->list[i] != type) {
        i++;
    }
    return i;
}

/* The type of a member, or of the items of a list. */
static mcpw_ref type_of(maker *k, const mcpw_described_member *m, mcpw_member_kind kind) {
    mcpw_ref ref = {(uint8_t)mcpw_described_kind(kind, m->size), 0, 0};
    switch (mcpw_base_kind(ref)) {
    case MCPW_KIND_INT32:
        ref.index = kind == MCPW_MEMBER_UNSIGNED;
        ref.check = m->bounded ? add_check(k, m, false) : ref.index != 0 ? CHECK_UINT32 : CHECK_INT32;
        break;
    case MCPW_KIND_INTEGER:
    case MCPW_KIND_NUMBER:
        ref.check = m->bounded ? add_check(k, m, mcpw_base_kind(ref) == MCPW_KIND_NUMBER) : 0;
        break;
    case MCPW_KIND_ENUM:
        ref.index = add_enum(k, m);
        break;
    case MCPW_KIND_STRUCT:
        ref.index = place_of(k, m->type);
        break;
    case MCPW_KIND_ARRAY: {
        const mcpw_array array = {type_of(k, m, m->item), (uint16_t)m->size, true};
        k->arrays[k->revision->array_count] = array;
        ref.index = k->revision->array_count++;
        break;
    }
    default:
        break;
    }
    return ref;
}

static void add_row(maker *k, const mcpw_described_member *m, unsigned bit, mcpw_row_set *required) {
    const bool is_required = !mcpw_described_may_lack(m);
    const unsigned number = ++k->members;
    const unsigned key = put_text(k, m->name, ":");
    if (m->offset > MOST_OFFSET || m->size > UINT16_MAX) {
        fail(k, MCPW_E_ARGUMENT, "a struct or an item is too large");
    }
    k->keys[number] = (uint16_t)key;
    k->refs[number] = type_of(k, m, m->kind);
    k->rows[k->revision->row_count++] =
        row_of(number, key, strlen(m->name), m->offset, bit, is_required, k->refs[number]);
    *required |= (mcpw_row_set)is_required << bit;
}

static void add_struct(maker *k, const mcpw_described *type) {
    const uint16_t first = k->revision->row_count;
    const unsigned name = put_name(k, type->name);
    mcpw_row_set required = 0;
    if (type->count > MCPW_MAX_ROWS || type->size > UINT16_MAX) {
        fail(k, MCPW_E_ARGUMENT, "a struct is too large, or has too many members");
        return;
    }
    for (unsigned i = 0; i < type->count && k->status == MCPW_OK; i++) {
        add_row(k, type->members + i, i, &required);
    }
    (void)name;
    (void)required;
    k->rows[k->revision->row_count++] = end_row();
    k->structs[k->revision->struct_count++] =
        (mcpw_struct)MCPW_STRUCT(required, first, (uint16_t)type->size, (uint16_t)name, MCPW_NO_OFFSET,
                                 MCPW_KIND_JSON, 0, 0, 0, (uint8_t)type->count, 0, 0, 0);
}

/* Room for as much as there can be. */
static bool open_tables(maker *k) {
    size_t members = 0;
    size_t words = 0;
    for (size_t i = 0; i < k->all->count; i++) {
        const mcpw_described *const type = k->all->list[i];
        members += type->count;
        for (size_t j = 0; j < type->count; j++) {
            for (const char *const *word = type->members[j].words; word != NULL && *word != NULL; word++) {
                words++;
            }
        }
    }
    if (members > MOST_MEMBERS || words > UINT16_MAX) {
        fail(k, MCPW_E_ARGUMENT, "the structs have too many members or words");
        return false;
    }
    k->revision = room(k, 1, sizeof *k->revision);
    k->rows = room(k, members + k->all->count, sizeof *k->rows);
    k->structs = room(k, k->all->count, sizeof *k->structs);
    k->arrays = room(k, members, sizeof *k->arrays);
    k->enums = room(k, members, sizeof *k->enums);
    k->enum_values = room(k, words, sizeof *k->enum_values);
    k->checks = room(k, members + FIRST_CHECKS, sizeof *k->checks);
    k->keys = room(k, members + 1, sizeof *k->keys);
    k->refs = room(k, members + 1, sizeof *k->refs);
    return k->status == MCPW_OK;
}

static void close_tables(maker *k) {
    static const char zeros[MCPW_POOL_PADDING] = {0};
    mcpw_revision *const v = k->revision;
    (void)put_bytes(k, zeros, sizeof zeros);
    v->name = v->schema_sha256 = v->generator = "";
    v->abi = MCPW_TABLE_ABI;
    v->pool = k->pool.data;
    v->pool_size = (uint16_t)k->pool.len;
    v->rows = k->rows;
    v->structs = k->structs;
    v->arrays = k->arrays;
    v->enums = k->enums;
    v->enum_values = k->enum_values;
    v->checks = k->checks;
    v->keys = k->keys;
    v->refs = k->refs;
    v->layout = MCPW_LAYOUT;
}

static void make_tables(maker *k) {
    static const char sentinel[] = "\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1"; /* MCPW_POOL_SENTINEL */
    (void)put_bytes(k, sentinel, sizeof sentinel);
    k->refs[0].kind = MCPW_KIND_JSON; /* of members that a struct does not have */
    k->revision->check_count = CHECK_INT32;
    add_integer_check(k, mcpw_member_range_of(MCPW_MEMBER_INTEGER, sizeof(int32_t)));
    add_integer_check(k, mcpw_member_range_of(MCPW_MEMBER_UNSIGNED, sizeof(uint32_t)));
    for (size_t i = 0; i < k->all->count && k->status == MCPW_OK; i++) {
        add_struct(k, k->all->list[i]);
    }
    close_tables(k);
}

const mcpw_type *mcpw_described_type(const mcpw_described *type, mcpw_arena *arena, mcpw_error *error) {
    mcpw_described_set all = {{NULL}, 0};
    maker k = {.all = &all, .arena = arena, .error = error};
    const mcpw_mark mark = mcpw_arena_mark(arena);
    k.pool = mcpw_buffer_in(arena);
    k.status = mcpw_described_collect(&all, type, error);
    mcpw_type *const made = k.status == MCPW_OK ? room(&k, 1, sizeof *made) : NULL;
    if (made != NULL && open_tables(&k)) {
        make_tables(&k);
    }
    if (k.status != MCPW_OK) {
        mcpw_arena_rewind(arena, mark);
        return NULL;
    }
    *made = (mcpw_type){k.revision, type->name, {MCPW_KIND_STRUCT, 0, 0}, (uint32_t)type->size};
    return made;
}
