/* SPDX-License-Identifier: MIT */
/*
 * The basic values of every mcpwire header: text, raw JSON, optional scalars, request ids.
 *
 * Ownership: none of these types owns memory. A decoded value points into its arena and lives until that
 * arena is reset. A value that a caller builds may point at anything that outlives the call, also at
 * constants. A zero-initialised value is absent.
 */
#ifndef MCPW_BASE_H
#define MCPW_BASE_H

#include <mcpw/config.h>
#include <mcpw/detail/export.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Before the declarations of a header: C linkage in C++. */
#if defined(__cplusplus)
#define MCPW_BEGIN_DECLS extern "C" {
/* After them. */
#define MCPW_END_DECLS }
#else
#define MCPW_BEGIN_DECLS
/* After them. */
#define MCPW_END_DECLS
#endif

/* Marks a function whose result must be looked at. */
#if defined(__cplusplus) && __cplusplus >= 201703L
#define MCPW_NODISCARD [[nodiscard]]
#elif defined(__GNUC__) || defined(__clang__)
#define MCPW_NODISCARD __attribute__((warn_unused_result))
#else
#define MCPW_NODISCARD
#endif

/* Marks a function that a later version replaces, and names its successor. The function stays until the next
 * major version. */
#if defined(__cplusplus) && __cplusplus >= 201402L
#define MCPW_DEPRECATED(instead) [[deprecated(instead)]]
#elif defined(__GNUC__) || defined(__clang__)
#define MCPW_DEPRECATED(instead) __attribute__((deprecated(instead)))
#else
#define MCPW_DEPRECATED(instead)
#endif

/* A cast that compiles in C and in C++ without a warning. */
#if defined(__cplusplus)
#define MCPW_CAST(type, value) static_cast<type>(value)
#else
#define MCPW_CAST(type, value) ((type)(value))
#endif

/* Structs that a program allocates begin with struct_size, so that later versions can append members:
 *   - 0 stands for the struct of version 1.0, so `static const mcpw_tool tool = {.name = "echo"}` is enough.
 *   - A member that came later counts only where struct_size is the sizeof of a header that has it. The
 *     _INIT macros set it, and so does MCPW_SIZED(type).
 *   - Members after struct_size take their defaults. So an older program works with a newer library.
 *   - A newer program works with an older library as long as the members that the library does not know are
 *     zero. Otherwise the call returns MCPW_E_ARGUMENT. MCPW_SIZED(type) initialises such a struct: its size
 * is set, everything else is zero. */
#if defined(__cplusplus)
extern "C++" {
template <typename T> inline T mcpw_sized() {
    T made = T();
    made.struct_size = sizeof(T);
    return made;
}
}
/* Initialises such a struct. */
#define MCPW_SIZED(type) mcpw_sized<type>()
#else
/* Initialises such a struct. */
#define MCPW_SIZED(type)                                                                                     \
    { .struct_size = sizeof(type) }
#endif

/* The other side of such a struct: a function of the library, or of an extension, that takes one. */

/* Bytes of a program's struct that may be read. known: its size here; first: its size in version 1.0, which
 * struct_size 0 stands for. 0: the struct was not initialised, or sets members that are not known here. */
static inline size_t mcpw_sized_bytes(const void *given, size_t known, size_t first) {
    const char *const bytes = MCPW_CAST(const char *, given);
    size_t size = 0;
    memcpy(&size, given, sizeof size);
    for (size_t i = known; i < size; i++) {
        /* A caller that sets a larger size has that many bytes. */
        if (bytes[i] != 0) { /* NOLINT(clang-analyzer-core.UndefinedBinaryOperatorResult) */
            return 0;
        }
    }
    if (size == 0) {
        return first;
    }
    if (size < sizeof size) {
        return 0;
    }
    return size < known ? size : known;
}

/* Copies a program's struct over the defaults in `own`. Members that it lacks keep them. given NULL: all do.
 */
static inline bool mcpw_sized_take(void *own, size_t known, size_t first, const void *given) {
    const size_t size = given != NULL ? mcpw_sized_bytes(given, known, first) : 0;
    if (size == 0) {
        return given == NULL;
    }
    memcpy(own, given, size);
    memcpy(own, &known, sizeof known);
    return true;
}

/* Bytes of a struct up to the end of a member: of its last one in version 1.0. */
#define MCPW_SIZED_FIRST(own, last)                                                                          \
    MCPW_CAST(size_t, MCPW_CAST(const char *, MCPW_CAST(const void *, &(own)->last + 1)) -                   \
                          MCPW_CAST(const char *, MCPW_CAST(const void *, (own))))

/* mcpw_sized_take for the struct at `own`, whose last member in version 1.0 is `last`. */
#define MCPW_TAKE(own, last, given)                                                                          \
    mcpw_sized_take((own), sizeof *(own), MCPW_SIZED_FIRST(own, last), (given))

/* Whether an object that the library writes to has all its members and nothing unknown. `last` is its last
 * member, and that of version 1.0: a member that is appended makes the two differ. Padding after it does not
 * count. */
#define MCPW_HAS_ALL(object, last)                                                                           \
    (mcpw_sized_bytes((object), sizeof *(object), MCPW_SIZED_FIRST(object, last)) >=                         \
     MCPW_SIZED_FIRST(object, last))

/* C enums are four bytes wide in every table. For an ABI that shrinks them (-fshort-enums, bare-metal ARM)
 * one more enumerator forces the width. */
#if defined(__ARM_SIZEOF_MINIMAL_ENUM) && __ARM_SIZEOF_MINIMAL_ENUM < 4
#define MCPW_ENUM_WIDTH(prefix) , prefix##_MAX_ENUM = 0x7fffffff
#else
#define MCPW_ENUM_WIDTH(prefix)
#endif

/* A union kind or enum value that the revision does not name. Decoding produces it under MCPW_ALLOW_UNKNOWN
 * only. */
#define MCPW_UNKNOWN 255

MCPW_BEGIN_DECLS

/* The version of the library at run time, as text: "1.0.0". MCPW_VERSION is the version of the headers. */
MCPW_API const char *mcpw_version(void);

/* UTF-8 text of len bytes. A NUL byte follows decoded text; len does not count it. The text itself may also
 * contain NUL bytes. It is absent if ptr is NULL, and empty if len is 0 and ptr is not NULL. */
typedef struct mcpw_str {
    const char *ptr; /* the bytes; NULL: absent */
    size_t len;      /* how many */
} mcpw_str;

/* The text of one JSON value, not NUL-terminated. It is absent if ptr is NULL. Encoding checks text that a
 * caller supplies. Decoding and mcpw_json_write_end seal a value. A sealed value is known to be well-formed,
 * and encoding does not check it again. So the text of a sealed value must not be changed. A change of ptr or
 * len breaks the seal, and the value is checked. */
typedef struct mcpw_json {
    const char *ptr; /* the text; NULL: absent */
    size_t len;      /* bytes of it */
    uint64_t seal;   /* the library's own; 0 in a value that a program makes */
} mcpw_json;

/* One member of an object that is in no table. */
typedef struct mcpw_member {
    mcpw_str name;   /* unescaped */
    mcpw_json value; /* its text, unchanged */
} mcpw_member;

/* The members of an object that its type does not name, in the order in which they were read. They are
 * written back when the struct is encoded. */
typedef struct mcpw_members {
    const mcpw_member *items; /* NULL: absent */
    size_t count;             /* number of items */
} mcpw_members;

/* An optional integer, absent unless set. MCPW_INT() initialises one. */
typedef struct mcpw_opt_int {
    bool set;      /* whether it is there */
    int64_t value; /* meaningful when set */
} mcpw_opt_int;

/* An optional number, absent unless set. MCPW_DOUBLE() initialises one. */
typedef struct mcpw_opt_double {
    bool set;     /* whether it is there */
    double value; /* meaningful when set */
} mcpw_opt_double;

/* An optional boolean, absent unless set. MCPW_BOOL() initialises one. */
typedef struct mcpw_opt_bool {
    bool set;   /* whether it is there */
    bool value; /* meaningful when set */
} mcpw_opt_bool;

/* The kind of a request id or a progress token. */
typedef enum mcpw_id_kind {
    MCPW_ID_ABSENT = 0,  /* there is none */
    MCPW_ID_STRING = 1,  /* as.string */
    MCPW_ID_INTEGER = 2, /* as.integer */
    MCPW_ID_NULL = 3     /* only in an error response to a request whose id could not be read */
    MCPW_ENUM_WIDTH(MCPW_ID_KIND)
} mcpw_id_kind;

#ifdef _WIN32
/* A HANDLE on Windows, a descriptor elsewhere: a program reads it, writes to it or waits for it. */
typedef intptr_t mcpw_handle;
#else
/* A descriptor, a HANDLE on Windows: a program reads it, writes to it or waits for it. */
typedef int mcpw_handle;
#endif

/* A JSON-RPC id: a string or an integer. The two are kept apart, so that a response repeats the id exactly.
 */
typedef struct mcpw_id {
    mcpw_id_kind kind; /* selects the member of as */
    union {
        mcpw_str string; /* MCPW_ID_STRING */
        int64_t integer; /* MCPW_ID_INTEGER */
    } as;                /* the id itself */
} mcpw_id;

/* Initialises a mcpw_str with a string literal. This and the initialisers below are constants. */
#define MCPW_STR(literal)                                                                                    \
    { (literal), sizeof(literal) - 1 }
/* Initialises a mcpw_json with JSON in a string literal. */
#define MCPW_JSON(literal)                                                                                   \
    { (literal), sizeof(literal) - 1, 0 }
#if defined(__cplusplus)
/* A string literal as a mcpw_str where no initialiser can stand: to assign, to pass, to return. */
#define MCPW_STR_VALUE(literal) (mcpw_str MCPW_STR(literal))
/* JSON in a string literal as a mcpw_json, in the same places. */
#define MCPW_JSON_VALUE(literal) (mcpw_json MCPW_JSON(literal))
#else
/* A string literal as a mcpw_str where no initialiser can stand: to assign, to pass, to return. */
#define MCPW_STR_VALUE(literal) ((mcpw_str)MCPW_STR(literal))
/* JSON in a string literal as a mcpw_json, in the same places. */
#define MCPW_JSON_VALUE(literal) ((mcpw_json)MCPW_JSON(literal))
#endif
/* Initialises a mcpw_opt_bool that is set. */
#define MCPW_BOOL(v)                                                                                         \
    { true, (v) }
/* Initialises a mcpw_opt_int that is set. */
#define MCPW_INT(v)                                                                                          \
    { true, (v) }
/* Initialises a mcpw_opt_double that is set. */
#define MCPW_DOUBLE(v)                                                                                       \
    { true, (v) }

/* A switch whose default depends on the member. */
typedef enum mcpw_switch {
    MCPW_DEFAULT = 0, /* the default in the member's comment */
    MCPW_ON = 1,      /* it is done */
    MCPW_OFF = 2      /* it is not done */
    MCPW_ENUM_WIDTH(MCPW_SWITCH)
} mcpw_switch;

/* The target of lists without items, aligned for every item. Nothing is read there. */
typedef union mcpw_nothing {
    long long integer; /* the largest integers */
    double number;     /* numbers */
    void *pointer;     /* pointers */
} mcpw_nothing;

/* The target of MCPW_EMPTY. */
extern MCPW_API const mcpw_nothing mcpw_empty;

/* The items of an empty list, for items of a type: `.tools = {MCPW_EMPTY(mcp_tool), 0}`. A list whose items
 * are NULL is absent, and a required list must not be absent. */
#if defined(__cplusplus)
#define MCPW_EMPTY(type) static_cast<const type *>(static_cast<const void *>(&mcpw_empty))
#else
#define MCPW_EMPTY(type) ((const type *)(const void *)&mcpw_empty)
#endif

/* Text from a NUL-terminated string; absent when s is NULL. */
static inline mcpw_str mcpw_str_from(const char *s) {
    mcpw_str out = {s, 0};
    if (s != NULL) {
        out.len = strlen(s);
    }
    return out;
}

/* Raw JSON from a NUL-terminated string; absent when s is NULL. */
static inline mcpw_json mcpw_json_from(const char *s) {
    mcpw_json out = {s, 0, 0};
    if (s != NULL) {
        out.len = strlen(s);
    }
    return out;
}

/* Raw JSON from len bytes at ptr; absent when ptr is NULL. It is checked when it is encoded. */
static inline mcpw_json mcpw_json_of(const char *ptr, size_t len) {
    const mcpw_json out = {ptr, len, 0};
    return out;
}

/* Whether a has the same bytes as the NUL-terminated string b. */
static inline bool mcpw_str_is(mcpw_str a, const char *b) {
    return a.ptr != NULL && strlen(b) == a.len && memcmp(a.ptr, b, a.len) == 0;
}

/* Whether two texts have the same bytes; two absent texts are equal. */
static inline bool mcpw_str_equal(mcpw_str a, mcpw_str b) {
    if (a.ptr == NULL || b.ptr == NULL) {
        return a.ptr == b.ptr;
    }
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

MCPW_END_DECLS

#endif
