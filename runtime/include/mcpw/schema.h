/* SPDX-License-Identifier: MIT */
/*
 * Any JSON Schema, compiled at run time: the inputSchema and outputSchema of a tool, the form of an
 * elicitation, or a schema of the program's own. "$schema" selects the dialect: JSON Schema 2020-12, 2019-09
 * or draft-07.
 *
 *     mcpw_schema *schema = NULL;
 *     if (mcpw_schema_compile(text, len, NULL, &schema, &error) == MCPW_OK) {
 *         ... mcpw_schema_check(schema, value, value_len, &scratch, NULL, &error) ...
 *         mcpw_schema_free(schema);
 *     }
 *
 * A compiled schema never changes, so threads may share it. The working memory of a check is in the caller's
 * arena.
 *
 * Some rules go beyond JSON Schema. A member that occurs twice is checked each time and counts twice. Numbers
 * of any size are compared as exact decimals. Nothing is fetched. If a reference leads to a document outside
 * the schema, the caller's resolver supplies it, or the schema is refused. The meta-schemas of the three
 * dialects are built in.
 */
#ifndef MCPW_SCHEMA_H
#define MCPW_SCHEMA_H

#include <mcpw/arena.h>
#include <mcpw/base.h>
#include <mcpw/codec.h>
#include <mcpw/error.h>
#include <mcpw/pattern.h>

MCPW_BEGIN_DECLS

/* A compiled schema. */
typedef struct mcpw_schema mcpw_schema;

/* The dialects of JSON Schema. */
typedef enum mcpw_schema_dialect {
    MCPW_SCHEMA_2020_12 = 1, /* the default, as in MCP (basic, "JSON Schema Usage") */
    MCPW_SCHEMA_2019_09 = 2, /* 2019-09 */
    MCPW_SCHEMA_DRAFT_07 = 3 /* draft-07 */
    MCPW_ENUM_WIDTH(MCPW_SCHEMA_DIALECT)
} mcpw_schema_dialect;

/* Flags of mcpw_schema_options. */
enum {
    /* Refuse strings that break their "format". Without this flag formats are not checked, as in JSON Schema,
       unless the meta-schema demands it. */
    MCPW_SCHEMA_ASSERT_FORMATS = 1
};

/* Supplies the document of a URI that a schema refers to. The URI is absolute and has no fragment. The text
 * must live until mcpw_schema_compile returns. Any status but MCPW_OK ends the compilation; MCPW_E_NOT_FOUND
 * means that there is no such document. */
typedef mcpw_status (*mcpw_schema_resolver)(void *user, const char *uri, mcpw_json *document);

/* How to compile. Zero means the default. Initialise with MCPW_SCHEMA_OPTIONS_INIT. */
typedef struct mcpw_schema_options {
    size_t struct_size;                  /* set by MCPW_SCHEMA_OPTIONS_INIT */
    unsigned flags;                      /* MCPW_SCHEMA_ASSERT_FORMATS */
    mcpw_schema_dialect dialect;         /* if "$schema" is absent; 0: 2020-12 */
    const char *base_uri;                /* the URI of the schema, for relative references */
    const mcpw_pattern_engine *patterns; /* for "pattern" and the like, such as that of <mcpw/pcre2.h>; NULL:
                                            a schema that has them is refused */
    mcpw_schema_resolver resolve;        /* NULL: no documents except the meta-schemas */
    void *user;                          /* passed to resolve */
    unsigned max_depth;                  /* of a schema's text; default MCPW_DEFAULT_DEPTH */
    size_t max_bytes;                    /* of all documents together; default MCPW_SCHEMA_DEFAULT_BYTES */
    mcpw_allocator allocator;            /* for the schema and for compiling it; resize NULL: malloc */
} mcpw_schema_options;

/* The defaults. */
#define MCPW_SCHEMA_OPTIONS_INIT MCPW_SIZED(mcpw_schema_options)

/* The default limit for the bytes of a schema and all documents that it refers to: 16 MiB. */
#define MCPW_SCHEMA_DEFAULT_BYTES (MCPW_CAST(size_t, 16) << 20)

/* Compiles the schema of len bytes at text, which may be freed afterwards. On failure *out is NULL, and error
 * has the reason and the place in the schema (its path is a pointer into the document that it names). Work
 * and memory grow only with the length of the schema. The call may return:
 *   - MCPW_E_TYPE, MCPW_E_VALUE: the value of a keyword is not allowed.
 *   - MCPW_E_NOT_FOUND: a reference has no target, or "$schema" is an unknown dialect.
 *   - MCPW_E_UNION: a reference leads back to itself without looking into the value.
 *   - MCPW_E_FORMAT: a pattern is not a regular expression, or there is no engine for it.
 *   - MCPW_E_WORK: compiling takes 16 million steps more than its length accounts for.
 *   - MCPW_E_ELEMENTS: its URIs have more segments than 4,096 and one for every 4 bytes of the schema, or
 *     it has more than 4,096 patterns.
 *   - For the text: MCPW_E_SYNTAX, MCPW_E_UTF8, MCPW_E_DEPTH, MCPW_E_SIZE, MCPW_E_DUPLICATE. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_schema_compile(const char *text, size_t len,
                                                        const mcpw_schema_options *options, mcpw_schema **out,
                                                        mcpw_error *error);

/* Frees a schema; NULL is allowed. */
MCPW_API void mcpw_schema_free(mcpw_schema *schema);

/* Checks whether text is one JSON value that the schema accepts. error has the place in the value and the
 * reason. Working memory comes from scratch, about five times the text, and scratch is unchanged afterwards.
 * So a second check of the same size allocates nothing. options are those of mcpw_validate: the limits, and
 * on_error, which is called for every error. MCPW_STRICT refuses members that occur twice. Work is bounded.
 * MCPW_E_WORK: the schema's alternatives cost too much for this value. MCPW_E_DEPTH: the value is nested too
 * deep, or references and alternatives are: a check nests 8 calls for each level of max_depth, and 128 more.
 */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_schema_check(const mcpw_schema *schema, const char *text, size_t len,
                                                      mcpw_arena *scratch, const mcpw_options *options,
                                                      mcpw_error *error);

/* The bytes of memory that a schema takes, without its patterns. */
MCPW_API size_t mcpw_schema_size(const mcpw_schema *schema);

MCPW_END_DECLS

#endif
