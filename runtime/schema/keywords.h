/* SPDX-License-Identifier: MIT */
/* The keywords of JSON Schema: which dialect has which, and what their values may be. */
#ifndef MCPW_KEYWORDS_H
#define MCPW_KEYWORDS_H

#include <mcpw/schema.h>

#include "tape.h"

/* In the order of their texts. */
typedef enum mcpw_keyword {
    MCPW_KEY_ANCHOR,
    MCPW_KEY_COMMENT,
    MCPW_KEY_DEFS,
    MCPW_KEY_DYNAMIC_ANCHOR,
    MCPW_KEY_DYNAMIC_REF,
    MCPW_KEY_ID,
    MCPW_KEY_RECURSIVE_ANCHOR,
    MCPW_KEY_RECURSIVE_REF,
    MCPW_KEY_REF,
    MCPW_KEY_SCHEMA,
    MCPW_KEY_VOCABULARY,
    MCPW_KEY_ADDITIONAL_ITEMS,
    MCPW_KEY_ADDITIONAL_PROPERTIES,
    MCPW_KEY_ALL_OF,
    MCPW_KEY_ANY_OF,
    MCPW_KEY_CONST,
    MCPW_KEY_CONTAINS,
    MCPW_KEY_CONTENT_ENCODING,
    MCPW_KEY_CONTENT_MEDIA_TYPE,
    MCPW_KEY_CONTENT_SCHEMA,
    MCPW_KEY_DEFINITIONS,
    MCPW_KEY_DEPENDENCIES,
    MCPW_KEY_DEPENDENT_REQUIRED,
    MCPW_KEY_DEPENDENT_SCHEMAS,
    MCPW_KEY_DEPRECATED,
    MCPW_KEY_DESCRIPTION,
    MCPW_KEY_ELSE,
    MCPW_KEY_ENUM,
    MCPW_KEY_EXAMPLES,
    MCPW_KEY_EXCLUSIVE_MAXIMUM,
    MCPW_KEY_EXCLUSIVE_MINIMUM,
    MCPW_KEY_FORMAT,
    MCPW_KEY_IF,
    MCPW_KEY_ITEMS,
    MCPW_KEY_MAX_CONTAINS,
    MCPW_KEY_MAX_ITEMS,
    MCPW_KEY_MAX_LENGTH,
    MCPW_KEY_MAX_PROPERTIES,
    MCPW_KEY_MAXIMUM,
    MCPW_KEY_MIN_CONTAINS,
    MCPW_KEY_MIN_ITEMS,
    MCPW_KEY_MIN_LENGTH,
    MCPW_KEY_MIN_PROPERTIES,
    MCPW_KEY_MINIMUM,
    MCPW_KEY_MULTIPLE_OF,
    MCPW_KEY_NOT,
    MCPW_KEY_ONE_OF,
    MCPW_KEY_PATTERN,
    MCPW_KEY_PATTERN_PROPERTIES,
    MCPW_KEY_PREFIX_ITEMS,
    MCPW_KEY_PROPERTIES,
    MCPW_KEY_PROPERTY_NAMES,
    MCPW_KEY_READ_ONLY,
    MCPW_KEY_REQUIRED,
    MCPW_KEY_THEN,
    MCPW_KEY_TITLE,
    MCPW_KEY_TYPE,
    MCPW_KEY_UNEVALUATED_ITEMS,
    MCPW_KEY_UNEVALUATED_PROPERTIES,
    MCPW_KEY_UNIQUE_ITEMS,
    MCPW_KEY_WRITE_ONLY,
    MCPW_KEYWORDS /* how many there are; also: no keyword */
} mcpw_keyword;

/* The subschemas in the value of a keyword. */
typedef enum mcpw_holds {
    MCPW_HOLDS_NOTHING,
    MCPW_HOLDS_ONE,
    MCPW_HOLDS_LIST,
    MCPW_HOLDS_MAP,
    MCPW_HOLDS_ITEMS, /* one or, before 2020-12, a list */
    MCPW_HOLDS_MIXED  /* a map of schemas and of lists of names */
} mcpw_holds;

/* The vocabularies (2020-12 core, section 8.1.2). */
enum {
    MCPW_VOCABULARY_CORE = 1,
    MCPW_VOCABULARY_APPLICATOR = 2,
    MCPW_VOCABULARY_UNEVALUATED = 4,
    MCPW_VOCABULARY_VALIDATION = 8,
    MCPW_VOCABULARY_METADATA = 16,
    MCPW_VOCABULARY_FORMAT = 32,
    MCPW_VOCABULARY_CONTENT = 64,
    MCPW_VOCABULARY_ASSERTED_FORMAT = 128,
    MCPW_VOCABULARY_USUAL = 127
};

/* A schema is an object or a boolean. */
enum { MCPW_IS_SCHEMA = MCPW_IS_OBJECT | MCPW_IS_BOOLEAN };

/* The language of a resource: a dialect, and the vocabularies that its meta-schema names. */
typedef struct mcpw_language {
    mcpw_schema_dialect dialect;
    unsigned vocabularies;
} mcpw_language;

typedef struct mcpw_keyword_row {
    const char *name;
    unsigned dialects;   /* a bit for each: 1 << dialect */
    unsigned vocabulary; /* MCPW_VOCABULARY_... */
    unsigned types;      /* MCPW_IS_... that the value may have */
    mcpw_holds holds;
} mcpw_keyword_row;

extern const mcpw_keyword_row mcpw_keyword_rows[MCPW_KEYWORDS];

/* The keyword of a name in a language; MCPW_KEYWORDS: it says nothing there. */
mcpw_keyword mcpw_find_keyword(mcpw_language language, const char *name, size_t len);

/* The dialect whose meta-schema has this URI, without an empty fragment; 0: none. */
mcpw_schema_dialect mcpw_find_dialect(const char *uri, size_t len);

/* The bit of a vocabulary by its URI; 0: it is not known. */
unsigned mcpw_find_vocabulary(const char *uri, size_t len);

/* The text of a meta-schema, or a part of one, by its URI (metaschemas.c); absent: it is none. */
mcpw_json mcpw_find_metaschema(const char *uri, size_t len);

#endif
