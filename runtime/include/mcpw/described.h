/* SPDX-License-Identifier: MIT */
/*
 * A C struct that is described by its members. The description yields the JSON Schema of a tool that begins
 * in C. It also yields a type by which mcpw_decode and mcpw_encode convert values from and to JSON. If a
 * schema needs more than these descriptions can express, begin with the schema: mcpwire_tool of CMake makes
 * the struct from it.
 *
 *     typedef struct tide_input {
 *         mcpw_str harbour;
 *         mcpw_opt_int days;
 *     } tide_input;
 *     static const mcpw_described_member tide_members[] = {
 *         MCPW_MEMBER(tide_input, harbour, "Where"),
 *         MCPW_MEMBER_RANGE(tide_input, days, 1, 7, "How many days, 1 if not said"),
 *     };
 *     static const mcpw_described tide_type = MCPW_DESCRIBED(tide_input, tide_members);
 *
 *     const mcpw_type *const tide = mcpw_described_type(&tide_type, &arena, &error); // once
 *     status = mcpw_decode(tide, text, len, &request_arena, &input, NULL, &error);
 *
 * mcpw_decode accepts a value if and only if its schema does, except numbers that no double can represent and
 * members that occur twice. Descriptions are constants. They are not copied, and threads may share them.
 *
 * Limits: a struct has at most 64 members and 65,534 bytes (32 and 4,094 under MCPW_SMALL) and refers to at
 * most 63 others. Names and words have at most 250 bytes each, none of which JSON has to escape.
 */
#ifndef MCPW_DESCRIBED_H
#define MCPW_DESCRIBED_H

#include <mcpw/arena.h>
#include <mcpw/base.h>
#include <mcpw/error.h>
#include <mcpw/type.h>

#include <stddef.h>

MCPW_BEGIN_DECLS

/* The C type of a member. The macros below determine it. */
typedef enum mcpw_member_kind {
    MCPW_MEMBER_BOOLEAN = 1,     /* bool */
    MCPW_MEMBER_INTEGER = 2,     /* int, long or long long */
    MCPW_MEMBER_UNSIGNED = 3,    /* unsigned, of 32 bits */
    MCPW_MEMBER_NUMBER = 4,      /* double */
    MCPW_MEMBER_STRING = 5,      /* mcpw_str */
    MCPW_MEMBER_JSON = 6,        /* mcpw_json: any value */
    MCPW_MEMBER_OPT_BOOLEAN = 7, /* mcpw_opt_bool */
    MCPW_MEMBER_OPT_INTEGER = 8, /* mcpw_opt_int */
    MCPW_MEMBER_OPT_NUMBER = 9,  /* mcpw_opt_double */
    MCPW_MEMBER_WORD = 10,       /* an enum: 0 is absent, n the n-th word */
    MCPW_MEMBER_OBJECT = 11,     /* a struct, within this one */
    MCPW_MEMBER_POINTER = 12,    /* a pointer to a struct; NULL: absent */
    MCPW_MEMBER_LIST = 13        /* a struct of `items`, a pointer to them, and then `count`, a size_t */
    MCPW_ENUM_WIDTH(MCPW_MEMBER)
} mcpw_member_kind;

/* One member. Use the macros, because this struct may change. */
typedef struct mcpw_described_member {
    const char *name;                  /* in JSON, and in C */
    const char *description;           /* for readers of the schema; NULL: none */
    size_t offset;                     /* in the struct */
    size_t size;                       /* in bytes */
    mcpw_member_kind kind;             /* its C type */
    mcpw_member_kind item;             /* LIST: the type of items */
    bool optional;                     /* may be absent */
    bool bounded;                      /* least and most apply */
    double least;                      /* smallest value of a number */
    double most;                       /* largest value of a number */
    const char *const *words;          /* WORD: ends with NULL */
    const struct mcpw_described *type; /* OBJECT, POINTER, LIST of objects */
    size_t count_offset;               /* LIST: offset of count */
} mcpw_described_member;

/* A struct and its members. MCPW_DESCRIBED initialises one. */
typedef struct mcpw_described {
    const char *name;                     /* in C */
    size_t size;                          /* bytes */
    const mcpw_described_member *members; /* in the order in which they are written */
    size_t count;                         /* how many */
} mcpw_described;

/* Describes the struct T by an array of members. */
#define MCPW_DESCRIBED(T, members)                                                                           \
    { #T, sizeof(T), (members), sizeof(members) / sizeof *(members) }

/* A required member. A mcpw_opt_bool, mcpw_opt_int or mcpw_opt_double may be absent nevertheless. The
 * description may be NULL. */
#define MCPW_MEMBER(T, member, description)                                                                  \
    MCPW_MEMBER_OF(T, member, description, MCPW_MEMBER_KIND(T, member), false, false, 0, 0, NULL, NULL)
/* An optional member. If it is missing, a mcpw_str or mcpw_json is absent. Any other member is 0, and that 0
 * is written when the struct is encoded. */
#define MCPW_MEMBER_OPTIONAL(T, member, description)                                                         \
    MCPW_MEMBER_OF(T, member, description, MCPW_MEMBER_KIND(T, member), true, false, 0, 0, NULL, NULL)
/* A number from least to most, both included. */
#define MCPW_MEMBER_RANGE(T, member, least, most, description)                                               \
    MCPW_MEMBER_OF(T, member, description, MCPW_MEMBER_KIND(T, member), false, true, (least), (most), NULL,  \
                   NULL)
/* An enum. Its value 0 stands for no word, and its value n for the n-th word. words is an array of strings
 * that ends with NULL. */
#define MCPW_MEMBER_WORDS(T, member, words, description)                                                     \
    MCPW_MEMBER_OF(T, member, description, MCPW_MEMBER_WORD, false, false, 0, 0, (words), NULL)
/* The same as an optional member; 0 means that it is absent. */
#define MCPW_MEMBER_OPTIONAL_WORDS(T, member, words, description)                                            \
    MCPW_MEMBER_OF(T, member, description, MCPW_MEMBER_WORD, true, false, 0, 0, (words), NULL)
/* A struct within this one, by its description. */
#define MCPW_MEMBER_STRUCT(T, member, type, description)                                                     \
    MCPW_MEMBER_OF(T, member, description, MCPW_MEMBER_OBJECT, false, false, 0, 0, NULL, (type))
/* A pointer to a struct; NULL: absent. The struct may be this one. */
#define MCPW_MEMBER_POINTER_TO(T, member, type, description)                                                 \
    MCPW_MEMBER_OF(T, member, description, MCPW_MEMBER_POINTER, true, false, 0, 0, NULL, (type))
/* A list: a struct with `items`, a pointer to constants, and then `count`, a size_t. The list is required.
 * (In an optional list, absent and empty would be the same.) items may be NULL if count is 0. */
#define MCPW_MEMBER_LIST(T, member, description)                                                             \
    MCPW_MEMBER_LIST_OF_KIND(T, member, description, MCPW_MEMBER_ITEM_KIND(T, member), NULL)
/* A list of structs. */
#define MCPW_MEMBER_LIST_OF(T, member, type, description)                                                    \
    MCPW_MEMBER_LIST_OF_KIND(T, member, description, MCPW_MEMBER_OBJECT, (type))

/* Appends the JSON Schema (2020-12) of a struct. MCPW_E_ARGUMENT: a description does not fit its struct (the
 * error names the member), or two structs have the same name; MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_described_schema(const mcpw_described *type, mcpw_buffer *out,
                                                          mcpw_error *error);

/* Makes the handle of a struct's type, for mcpw_decode, mcpw_encode and others that take one. It lies in
 * the arena and does not change. Members that the struct lacks are ignored. NULL: error has MCPW_E_ARGUMENT
 * if a description does not fit its struct or is beyond a limit (and names the member), MCPW_E_MEMORY or
 * MCPW_E_ARENA. */
MCPW_NODISCARD MCPW_API const mcpw_type *mcpw_described_type(const mcpw_described *type, mcpw_arena *arena,
                                                             mcpw_error *error);

/* ---- Parts of the macros ------------------------------------------------------------------------------- */

/* A member that is not a list. */
#define MCPW_MEMBER_OF(T, member, description, kind, optional, bounded, least, most, words, type)            \
    {                                                                                                        \
#member, (description), offsetof(T, member), sizeof(MCPW_CAST(T *, 0)->member), (kind),              \
            MCPW_CAST(mcpw_member_kind, 0), (optional), (bounded), (least), (most), (words), (type), 0       \
    }
/* A list of items of a kind. */
#define MCPW_MEMBER_LIST_OF_KIND(T, member, description, kind, type)                                         \
    {                                                                                                        \
#member, (description), offsetof(T, member.items), sizeof(*MCPW_CAST(T *, 0)->member.items),         \
            MCPW_MEMBER_LIST, (kind), false, false, 0, 0, NULL, (type), offsetof(T, member.count)            \
    }

MCPW_END_DECLS

#if defined(__cplusplus)
#include <type_traits>
template <typename type> struct mcpw_member_kind_of;
#define MCPW_MEMBER_KIND_IS(type, kind)                                                                      \
    template <> struct mcpw_member_kind_of<type> { static constexpr mcpw_member_kind value = kind; }
MCPW_MEMBER_KIND_IS(bool, MCPW_MEMBER_BOOLEAN);
MCPW_MEMBER_KIND_IS(int, MCPW_MEMBER_INTEGER);
MCPW_MEMBER_KIND_IS(long, MCPW_MEMBER_INTEGER);
MCPW_MEMBER_KIND_IS(long long, MCPW_MEMBER_INTEGER);
MCPW_MEMBER_KIND_IS(unsigned, MCPW_MEMBER_UNSIGNED);
MCPW_MEMBER_KIND_IS(double, MCPW_MEMBER_NUMBER);
MCPW_MEMBER_KIND_IS(mcpw_str, MCPW_MEMBER_STRING);
MCPW_MEMBER_KIND_IS(mcpw_json, MCPW_MEMBER_JSON);
MCPW_MEMBER_KIND_IS(mcpw_opt_bool, MCPW_MEMBER_OPT_BOOLEAN);
MCPW_MEMBER_KIND_IS(mcpw_opt_int, MCPW_MEMBER_OPT_INTEGER);
MCPW_MEMBER_KIND_IS(mcpw_opt_double, MCPW_MEMBER_OPT_NUMBER);
#undef MCPW_MEMBER_KIND_IS
/* The kind of a member. */
#define MCPW_MEMBER_KIND(T, member) (mcpw_member_kind_of<decltype(T::member)>::value)
/* The kind of the items of a list. */
#define MCPW_MEMBER_ITEM_KIND(T, member)                                                                     \
    (mcpw_member_kind_of<std::remove_const_t<std::remove_pointer_t<decltype(T::member.items)>>>::value)
#else
/* The kind of a value. */
#define MCPW_MEMBER_KIND_OF(value)                                                                           \
    _Generic((value), bool                                                                                   \
             : MCPW_MEMBER_BOOLEAN, int                                                                      \
             : MCPW_MEMBER_INTEGER, long                                                                     \
             : MCPW_MEMBER_INTEGER, long long                                                                \
             : MCPW_MEMBER_INTEGER, unsigned                                                                 \
             : MCPW_MEMBER_UNSIGNED, double                                                                  \
             : MCPW_MEMBER_NUMBER, mcpw_str                                                                  \
             : MCPW_MEMBER_STRING, mcpw_json                                                                 \
             : MCPW_MEMBER_JSON, mcpw_opt_bool                                                               \
             : MCPW_MEMBER_OPT_BOOLEAN, mcpw_opt_int                                                         \
             : MCPW_MEMBER_OPT_INTEGER, mcpw_opt_double                                                      \
             : MCPW_MEMBER_OPT_NUMBER)
/* The kind of a member. */
#define MCPW_MEMBER_KIND(T, member) MCPW_MEMBER_KIND_OF(((T *)0)->member)
/* The kind of the items of a list. */
#define MCPW_MEMBER_ITEM_KIND(T, member) MCPW_MEMBER_KIND_OF(*((T *)0)->member.items)
#endif

#endif
