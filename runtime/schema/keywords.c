/* SPDX-License-Identifier: MIT */
#include "keywords.h"

enum {
    D2020 = 1 << MCPW_SCHEMA_2020_12,
    D2019 = 1 << MCPW_SCHEMA_2019_09,
    D07 = 1 << MCPW_SCHEMA_DRAFT_07,
    NEWER = D2020 | D2019,
    ANY_DIALECT = NEWER | D07
};

/* A keyword, the dialects and the vocabulary that have it, the types and the subschemas of its value. */
#define ROW(key, name, dialects, vocabulary, types, holds)                                                   \
    [MCPW_KEY_##key] = {name, dialects, MCPW_VOCABULARY_##vocabulary, types, MCPW_HOLDS_##holds}

const mcpw_keyword_row mcpw_keyword_rows[MCPW_KEYWORDS] = {
    ROW(ANCHOR, "$anchor", NEWER, CORE, MCPW_IS_STRING, NOTHING),
    ROW(COMMENT, "$comment", ANY_DIALECT, CORE, MCPW_IS_STRING, NOTHING),
    ROW(DEFS, "$defs", NEWER, CORE, MCPW_IS_OBJECT, MAP),
    ROW(DYNAMIC_ANCHOR, "$dynamicAnchor", D2020, CORE, MCPW_IS_STRING, NOTHING),
    ROW(DYNAMIC_REF, "$dynamicRef", D2020, CORE, MCPW_IS_STRING, NOTHING),
    ROW(ID, "$id", ANY_DIALECT, CORE, MCPW_IS_STRING, NOTHING),
    ROW(RECURSIVE_ANCHOR, "$recursiveAnchor", D2019, CORE, MCPW_IS_BOOLEAN, NOTHING),
    ROW(RECURSIVE_REF, "$recursiveRef", D2019, CORE, MCPW_IS_STRING, NOTHING),
    ROW(REF, "$ref", ANY_DIALECT, CORE, MCPW_IS_STRING, NOTHING),
    ROW(SCHEMA, "$schema", ANY_DIALECT, CORE, MCPW_IS_STRING, NOTHING),
    ROW(VOCABULARY, "$vocabulary", NEWER, CORE, MCPW_IS_OBJECT, NOTHING),
    ROW(ADDITIONAL_ITEMS, "additionalItems", D07 | D2019, APPLICATOR, MCPW_IS_SCHEMA, ONE),
    ROW(ADDITIONAL_PROPERTIES, "additionalProperties", ANY_DIALECT, APPLICATOR, MCPW_IS_SCHEMA, ONE),
    ROW(ALL_OF, "allOf", ANY_DIALECT, APPLICATOR, MCPW_IS_ARRAY, LIST),
    ROW(ANY_OF, "anyOf", ANY_DIALECT, APPLICATOR, MCPW_IS_ARRAY, LIST),
    ROW(CONST, "const", ANY_DIALECT, VALIDATION, MCPW_IS_ANYTHING, NOTHING),
    ROW(CONTAINS, "contains", ANY_DIALECT, APPLICATOR, MCPW_IS_SCHEMA, ONE),
    ROW(CONTENT_ENCODING, "contentEncoding", ANY_DIALECT, CONTENT, MCPW_IS_STRING, NOTHING),
    ROW(CONTENT_MEDIA_TYPE, "contentMediaType", ANY_DIALECT, CONTENT, MCPW_IS_STRING, NOTHING),
    ROW(CONTENT_SCHEMA, "contentSchema", NEWER, CONTENT, MCPW_IS_SCHEMA, ONE),
    ROW(DEFINITIONS, "definitions", ANY_DIALECT, CORE, MCPW_IS_OBJECT, MAP),
    ROW(DEPENDENCIES, "dependencies", D07, APPLICATOR, MCPW_IS_OBJECT, MIXED),
    ROW(DEPENDENT_REQUIRED, "dependentRequired", NEWER, VALIDATION, MCPW_IS_OBJECT, NOTHING),
    ROW(DEPENDENT_SCHEMAS, "dependentSchemas", NEWER, APPLICATOR, MCPW_IS_OBJECT, MAP),
    ROW(DEPRECATED, "deprecated", NEWER, METADATA, MCPW_IS_BOOLEAN, NOTHING),
    ROW(DESCRIPTION, "description", ANY_DIALECT, METADATA, MCPW_IS_STRING, NOTHING),
    ROW(ELSE, "else", ANY_DIALECT, APPLICATOR, MCPW_IS_SCHEMA, ONE),
    ROW(ENUM, "enum", ANY_DIALECT, VALIDATION, MCPW_IS_ARRAY, NOTHING),
    ROW(EXAMPLES, "examples", ANY_DIALECT, METADATA, MCPW_IS_ARRAY, NOTHING),
    ROW(EXCLUSIVE_MAXIMUM, "exclusiveMaximum", ANY_DIALECT, VALIDATION, MCPW_IS_NUMERIC, NOTHING),
    ROW(EXCLUSIVE_MINIMUM, "exclusiveMinimum", ANY_DIALECT, VALIDATION, MCPW_IS_NUMERIC, NOTHING),
    ROW(FORMAT, "format", ANY_DIALECT, FORMAT, MCPW_IS_STRING, NOTHING),
    ROW(IF, "if", ANY_DIALECT, APPLICATOR, MCPW_IS_SCHEMA, ONE),
    ROW(ITEMS, "items", ANY_DIALECT, APPLICATOR, MCPW_IS_SCHEMA | MCPW_IS_ARRAY, ITEMS),
    ROW(MAX_CONTAINS, "maxContains", NEWER, VALIDATION, MCPW_IS_NUMERIC, NOTHING),
    ROW(MAX_ITEMS, "maxItems", ANY_DIALECT, VALIDATION, MCPW_IS_NUMERIC, NOTHING),
    ROW(MAX_LENGTH, "maxLength", ANY_DIALECT, VALIDATION, MCPW_IS_NUMERIC, NOTHING),
    ROW(MAX_PROPERTIES, "maxProperties", ANY_DIALECT, VALIDATION, MCPW_IS_NUMERIC, NOTHING),
    ROW(MAXIMUM, "maximum", ANY_DIALECT, VALIDATION, MCPW_IS_NUMERIC, NOTHING),
    ROW(MIN_CONTAINS, "minContains", NEWER, VALIDATION, MCPW_IS_NUMERIC, NOTHING),
    ROW(MIN_ITEMS, "minItems", ANY_DIALECT, VALIDATION, MCPW_IS_NUMERIC, NOTHING),
    ROW(MIN_LENGTH, "minLength", ANY_DIALECT, VALIDATION, MCPW_IS_NUMERIC, NOTHING),
    ROW(MIN_PROPERTIES, "minProperties", ANY_DIALECT, VALIDATION, MCPW_IS_NUMERIC, NOTHING),
    ROW(MINIMUM, "minimum", ANY_DIALECT, VALIDATION, MCPW_IS_NUMERIC, NOTHING),
    ROW(MULTIPLE_OF, "multipleOf", ANY_DIALECT, VALIDATION, MCPW_IS_NUMERIC, NOTHING),
    ROW(NOT, "not", ANY_DIALECT, APPLICATOR, MCPW_IS_SCHEMA, ONE),
    ROW(ONE_OF, "oneOf", ANY_DIALECT, APPLICATOR, MCPW_IS_ARRAY, LIST),
    ROW(PATTERN, "pattern", ANY_DIALECT, VALIDATION, MCPW_IS_STRING, NOTHING),
    ROW(PATTERN_PROPERTIES, "patternProperties", ANY_DIALECT, APPLICATOR, MCPW_IS_OBJECT, MAP),
    ROW(PREFIX_ITEMS, "prefixItems", D2020, APPLICATOR, MCPW_IS_ARRAY, LIST),
    ROW(PROPERTIES, "properties", ANY_DIALECT, APPLICATOR, MCPW_IS_OBJECT, MAP),
    ROW(PROPERTY_NAMES, "propertyNames", ANY_DIALECT, APPLICATOR, MCPW_IS_SCHEMA, ONE),
    ROW(READ_ONLY, "readOnly", ANY_DIALECT, METADATA, MCPW_IS_BOOLEAN, NOTHING),
    ROW(REQUIRED, "required", ANY_DIALECT, VALIDATION, MCPW_IS_ARRAY, NOTHING),
    ROW(THEN, "then", ANY_DIALECT, APPLICATOR, MCPW_IS_SCHEMA, ONE),
    ROW(TITLE, "title", ANY_DIALECT, METADATA, MCPW_IS_STRING, NOTHING),
    ROW(TYPE, "type", ANY_DIALECT, VALIDATION, MCPW_IS_STRING | MCPW_IS_ARRAY, NOTHING),
    ROW(UNEVALUATED_ITEMS, "unevaluatedItems", NEWER, UNEVALUATED, MCPW_IS_SCHEMA, ONE),
    ROW(UNEVALUATED_PROPERTIES, "unevaluatedProperties", NEWER, UNEVALUATED, MCPW_IS_SCHEMA, ONE),
    ROW(UNIQUE_ITEMS, "uniqueItems", ANY_DIALECT, VALIDATION, MCPW_IS_BOOLEAN, NOTHING),
    ROW(WRITE_ONLY, "writeOnly", ANY_DIALECT, METADATA, MCPW_IS_BOOLEAN, NOTHING),
};

/* Texts by their order. */
static int compare(const char *name, size_t len, const char *other) {
    const size_t size = strlen(other);
    const int order = memcmp(name, other, len < size ? len : size);
    return order != 0 ? order : len < size ? -1 : len > size;
}

mcpw_keyword mcpw_find_keyword(mcpw_language language, const char *name, size_t len) {
    unsigned low = 0;
    unsigned high = MCPW_KEYWORDS;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        const mcpw_keyword_row *const row = mcpw_keyword_rows + middle;
        const int order = compare(name, len, row->name);
        if (order == 0) {
            const bool known = (row->dialects >> (unsigned)language.dialect & 1U) != 0 &&
                               (row->vocabulary & language.vocabularies) != 0;
            return known ? (mcpw_keyword)middle : MCPW_KEYWORDS;
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return MCPW_KEYWORDS;
}

static bool is(const char *text, size_t len, const char *other) {
    return strlen(other) == len && memcmp(text, other, len) == 0;
}

mcpw_schema_dialect mcpw_find_dialect(const char *uri, size_t len) {
    if (is(uri, len, "https://json-schema.org/draft/2020-12/schema")) {
        return MCPW_SCHEMA_2020_12;
    }
    if (is(uri, len, "https://json-schema.org/draft/2019-09/schema")) {
        return MCPW_SCHEMA_2019_09;
    }
    if (is(uri, len, "http://json-schema.org/draft-07/schema") ||
        is(uri, len, "https://json-schema.org/draft-07/schema")) {
        return MCPW_SCHEMA_DRAFT_07;
    }
    return (mcpw_schema_dialect)0;
}

/* A vocabulary by the end of its URI, and the part that 2019-09 counts to it. */
typedef struct vocabulary {
    const char *name;
    unsigned bits;
} vocabulary;

static const vocabulary of_2020[] = {
    {"core", MCPW_VOCABULARY_CORE},
    {"applicator", MCPW_VOCABULARY_APPLICATOR},
    {"unevaluated", MCPW_VOCABULARY_UNEVALUATED},
    {"validation", MCPW_VOCABULARY_VALIDATION},
    {"meta-data", MCPW_VOCABULARY_METADATA},
    {"format-annotation", MCPW_VOCABULARY_FORMAT},
    {"format-assertion", MCPW_VOCABULARY_FORMAT | MCPW_VOCABULARY_ASSERTED_FORMAT},
    {"content", MCPW_VOCABULARY_CONTENT},
};
static const vocabulary of_2019[] = {
    {"core", MCPW_VOCABULARY_CORE},
    {"applicator", MCPW_VOCABULARY_APPLICATOR | MCPW_VOCABULARY_UNEVALUATED},
    {"validation", MCPW_VOCABULARY_VALIDATION},
    {"meta-data", MCPW_VOCABULARY_METADATA},
    {"format", MCPW_VOCABULARY_FORMAT},
    {"content", MCPW_VOCABULARY_CONTENT},
};

static unsigned find_among(const vocabulary *table, size_t count, const char *base, const char *uri,
                           size_t len) {
    const size_t size = strlen(base);
    if (len <= size || memcmp(uri, base, size) != 0) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (is(uri + size, len - size, table[i].name)) {
            return table[i].bits;
        }
    }
    return 0;
}

unsigned mcpw_find_vocabulary(const char *uri, size_t len) {
    return find_among(of_2020, sizeof of_2020 / sizeof *of_2020,
                      "https://json-schema.org/draft/2020-12/vocab/", uri, len) |
           find_among(of_2019, sizeof of_2019 / sizeof *of_2019,
                      "https://json-schema.org/draft/2019-09/vocab/", uri, len);
}
