/* SPDX-License-Identifier: MIT */
#include "keywords.h"

enum {
    D2020 = 1 << MCPW_SCHEMA_2020_12,
    D2019 = 1 << MCPW_SCHEMA_2019_09,
    D07 = 1 << MCPW_SCHEMA_DRAFT_07,
    NEWER = D2020 | D2019,
    ANY_DIALECT = NEWER | D07
};

const mcpw_keyword_row mcpw_keyword_rows[MCPW_KEYWORDS] = {
    [MCPW_KEY_ANCHOR] = {"$anchor", NEWER, MCPW_VOCABULARY_CORE, MCPW_IS_STRING, MCPW_HOLDS_NOTHING},
    [MCPW_KEY_COMMENT] = {"$comment", ANY_DIALECT, MCPW_VOCABULARY_CORE, MCPW_IS_STRING, MCPW_HOLDS_NOTHING},
    [MCPW_KEY_DEFS] = {"$defs", NEWER, MCPW_VOCABULARY_CORE, MCPW_IS_OBJECT, MCPW_HOLDS_MAP},
    [MCPW_KEY_DYNAMIC_ANCHOR] = {"$dynamicAnchor", D2020, MCPW_VOCABULARY_CORE, MCPW_IS_STRING,
                                 MCPW_HOLDS_NOTHING},
    [MCPW_KEY_DYNAMIC_REF] = {"$dynamicRef", D2020, MCPW_VOCABULARY_CORE, MCPW_IS_STRING, MCPW_HOLDS_NOTHING},
    [MCPW_KEY_ID] = {"$id", ANY_DIALECT, MCPW_VOCABULARY_CORE, MCPW_IS_STRING, MCPW_HOLDS_NOTHING},
    [MCPW_KEY_RECURSIVE_ANCHOR] = {"$recursiveAnchor", D2019, MCPW_VOCABULARY_CORE, MCPW_IS_BOOLEAN,
                                   MCPW_HOLDS_NOTHING},
    [MCPW_KEY_RECURSIVE_REF] = {"$recursiveRef", D2019, MCPW_VOCABULARY_CORE, MCPW_IS_STRING,
                                MCPW_HOLDS_NOTHING},
    [MCPW_KEY_REF] = {"$ref", ANY_DIALECT, MCPW_VOCABULARY_CORE, MCPW_IS_STRING, MCPW_HOLDS_NOTHING},
    [MCPW_KEY_SCHEMA] = {"$schema", ANY_DIALECT, MCPW_VOCABULARY_CORE, MCPW_IS_STRING, MCPW_HOLDS_NOTHING},
    [MCPW_KEY_VOCABULARY] = {"$vocabulary", NEWER, MCPW_VOCABULARY_CORE, MCPW_IS_OBJECT, MCPW_HOLDS_NOTHING},
    [MCPW_KEY_ADDITIONAL_ITEMS] = {"additionalItems", D07 | D2019, MCPW_VOCABULARY_APPLICATOR, MCPW_IS_SCHEMA,
                                   MCPW_HOLDS_ONE},
    [MCPW_KEY_ADDITIONAL_PROPERTIES] = {"additionalProperties", ANY_DIALECT, MCPW_VOCABULARY_APPLICATOR,
                                        MCPW_IS_SCHEMA, MCPW_HOLDS_ONE},
    [MCPW_KEY_ALL_OF] = {"allOf", ANY_DIALECT, MCPW_VOCABULARY_APPLICATOR, MCPW_IS_ARRAY, MCPW_HOLDS_LIST},
    [MCPW_KEY_ANY_OF] = {"anyOf", ANY_DIALECT, MCPW_VOCABULARY_APPLICATOR, MCPW_IS_ARRAY, MCPW_HOLDS_LIST},
    [MCPW_KEY_CONST] = {"const", ANY_DIALECT, MCPW_VOCABULARY_VALIDATION, MCPW_IS_ANYTHING,
                        MCPW_HOLDS_NOTHING},
    [MCPW_KEY_CONTAINS] = {"contains", ANY_DIALECT, MCPW_VOCABULARY_APPLICATOR, MCPW_IS_SCHEMA,
                           MCPW_HOLDS_ONE},
    [MCPW_KEY_CONTENT_ENCODING] = {"contentEncoding", ANY_DIALECT, MCPW_VOCABULARY_CONTENT, MCPW_IS_STRING,
                                   MCPW_HOLDS_NOTHING},
    [MCPW_KEY_CONTENT_MEDIA_TYPE] = {"contentMediaType", ANY_DIALECT, MCPW_VOCABULARY_CONTENT, MCPW_IS_STRING,
                                     MCPW_HOLDS_NOTHING},
    [MCPW_KEY_CONTENT_SCHEMA] = {"contentSchema", NEWER, MCPW_VOCABULARY_CONTENT, MCPW_IS_SCHEMA,
                                 MCPW_HOLDS_ONE},
    [MCPW_KEY_DEFINITIONS] = {"definitions", ANY_DIALECT, MCPW_VOCABULARY_CORE, MCPW_IS_OBJECT,
                              MCPW_HOLDS_MAP},
    [MCPW_KEY_DEPENDENCIES] = {"dependencies", D07, MCPW_VOCABULARY_APPLICATOR, MCPW_IS_OBJECT,
                               MCPW_HOLDS_MIXED},
    [MCPW_KEY_DEPENDENT_REQUIRED] = {"dependentRequired", NEWER, MCPW_VOCABULARY_VALIDATION, MCPW_IS_OBJECT,
                                     MCPW_HOLDS_NOTHING},
    [MCPW_KEY_DEPENDENT_SCHEMAS] = {"dependentSchemas", NEWER, MCPW_VOCABULARY_APPLICATOR, MCPW_IS_OBJECT,
                                    MCPW_HOLDS_MAP},
    [MCPW_KEY_DEPRECATED] = {"deprecated", NEWER, MCPW_VOCABULARY_METADATA, MCPW_IS_BOOLEAN,
                             MCPW_HOLDS_NOTHING},
    [MCPW_KEY_DESCRIPTION] = {"description", ANY_DIALECT, MCPW_VOCABULARY_METADATA, MCPW_IS_STRING,
                              MCPW_HOLDS_NOTHING},
    [MCPW_KEY_ELSE] = {"else", ANY_DIALECT, MCPW_VOCABULARY_APPLICATOR, MCPW_IS_SCHEMA, MCPW_HOLDS_ONE},
    [MCPW_KEY_ENUM] = {"enum", ANY_DIALECT, MCPW_VOCABULARY_VALIDATION, MCPW_IS_ARRAY, MCPW_HOLDS_NOTHING},
    [MCPW_KEY_EXAMPLES] = {"examples", ANY_DIALECT, MCPW_VOCABULARY_METADATA, MCPW_IS_ARRAY,
                           MCPW_HOLDS_NOTHING},
    [MCPW_KEY_EXCLUSIVE_MAXIMUM] = {"exclusiveMaximum", ANY_DIALECT, MCPW_VOCABULARY_VALIDATION,
                                    MCPW_IS_NUMERIC, MCPW_HOLDS_NOTHING},
    [MCPW_KEY_EXCLUSIVE_MINIMUM] = {"exclusiveMinimum", ANY_DIALECT, MCPW_VOCABULARY_VALIDATION,
                                    MCPW_IS_NUMERIC, MCPW_HOLDS_NOTHING},
    [MCPW_KEY_FORMAT] = {"format", ANY_DIALECT, MCPW_VOCABULARY_FORMAT, MCPW_IS_STRING, MCPW_HOLDS_NOTHING},
    [MCPW_KEY_IF] = {"if", ANY_DIALECT, MCPW_VOCABULARY_APPLICATOR, MCPW_IS_SCHEMA, MCPW_HOLDS_ONE},
    [MCPW_KEY_ITEMS] = {"items", ANY_DIALECT, MCPW_VOCABULARY_APPLICATOR, MCPW_IS_SCHEMA | MCPW_IS_ARRAY,
                        MCPW_HOLDS_ITEMS},
    [MCPW_KEY_MAX_CONTAINS] = {"maxContains", NEWER, MCPW_VOCABULARY_VALIDATION, MCPW_IS_NUMERIC,
                               MCPW_HOLDS_NOTHING},
    [MCPW_KEY_MAX_ITEMS] = {"maxItems", ANY_DIALECT, MCPW_VOCABULARY_VALIDATION, MCPW_IS_NUMERIC,
                            MCPW_HOLDS_NOTHING},
    [MCPW_KEY_MAX_LENGTH] = {"maxLength", ANY_DIALECT, MCPW_VOCABULARY_VALIDATION, MCPW_IS_NUMERIC,
                             MCPW_HOLDS_NOTHING},
    [MCPW_KEY_MAX_PROPERTIES] = {"maxProperties", ANY_DIALECT, MCPW_VOCABULARY_VALIDATION, MCPW_IS_NUMERIC,
                                 MCPW_HOLDS_NOTHING},
    [MCPW_KEY_MAXIMUM] = {"maximum", ANY_DIALECT, MCPW_VOCABULARY_VALIDATION, MCPW_IS_NUMERIC,
                          MCPW_HOLDS_NOTHING},
    [MCPW_KEY_MIN_CONTAINS] = {"minContains", NEWER, MCPW_VOCABULARY_VALIDATION, MCPW_IS_NUMERIC,
                               MCPW_HOLDS_NOTHING},
    [MCPW_KEY_MIN_ITEMS] = {"minItems", ANY_DIALECT, MCPW_VOCABULARY_VALIDATION, MCPW_IS_NUMERIC,
                            MCPW_HOLDS_NOTHING},
    [MCPW_KEY_MIN_LENGTH] = {"minLength", ANY_DIALECT, MCPW_VOCABULARY_VALIDATION, MCPW_IS_NUMERIC,
                             MCPW_HOLDS_NOTHING},
    [MCPW_KEY_MIN_PROPERTIES] = {"minProperties", ANY_DIALECT, MCPW_VOCABULARY_VALIDATION, MCPW_IS_NUMERIC,
                                 MCPW_HOLDS_NOTHING},
    [MCPW_KEY_MINIMUM] = {"minimum", ANY_DIALECT, MCPW_VOCABULARY_VALIDATION, MCPW_IS_NUMERIC,
                          MCPW_HOLDS_NOTHING},
    [MCPW_KEY_MULTIPLE_OF] = {"multipleOf", ANY_DIALECT, MCPW_VOCABULARY_VALIDATION, MCPW_IS_NUMERIC,
                              MCPW_HOLDS_NOTHING},
    [MCPW_KEY_NOT] = {"not", ANY_DIALECT, MCPW_VOCABULARY_APPLICATOR, MCPW_IS_SCHEMA, MCPW_HOLDS_ONE},
    [MCPW_KEY_ONE_OF] = {"oneOf", ANY_DIALECT, MCPW_VOCABULARY_APPLICATOR, MCPW_IS_ARRAY, MCPW_HOLDS_LIST},
    [MCPW_KEY_PATTERN] = {"pattern", ANY_DIALECT, MCPW_VOCABULARY_VALIDATION, MCPW_IS_STRING,
                          MCPW_HOLDS_NOTHING},
    [MCPW_KEY_PATTERN_PROPERTIES] = {"patternProperties", ANY_DIALECT, MCPW_VOCABULARY_APPLICATOR,
                                     MCPW_IS_OBJECT, MCPW_HOLDS_MAP},
    [MCPW_KEY_PREFIX_ITEMS] = {"prefixItems", D2020, MCPW_VOCABULARY_APPLICATOR, MCPW_IS_ARRAY,
                               MCPW_HOLDS_LIST},
    [MCPW_KEY_PROPERTIES] = {"properties", ANY_DIALECT, MCPW_VOCABULARY_APPLICATOR, MCPW_IS_OBJECT,
                             MCPW_HOLDS_MAP},
    [MCPW_KEY_PROPERTY_NAMES] = {"propertyNames", ANY_DIALECT, MCPW_VOCABULARY_APPLICATOR, MCPW_IS_SCHEMA,
                                 MCPW_HOLDS_ONE},
    [MCPW_KEY_READ_ONLY] = {"readOnly", ANY_DIALECT, MCPW_VOCABULARY_METADATA, MCPW_IS_BOOLEAN,
                            MCPW_HOLDS_NOTHING},
    [MCPW_KEY_REQUIRED] = {"required", ANY_DIALECT, MCPW_VOCABULARY_VALIDATION, MCPW_IS_ARRAY,
                           MCPW_HOLDS_NOTHING},
    [MCPW_KEY_THEN] = {"then", ANY_DIALECT, MCPW_VOCABULARY_APPLICATOR, MCPW_IS_SCHEMA, MCPW_HOLDS_ONE},
    [MCPW_KEY_TITLE] = {"title", ANY_DIALECT, MCPW_VOCABULARY_METADATA, MCPW_IS_STRING, MCPW_HOLDS_NOTHING},
    [MCPW_KEY_TYPE] = {"type", ANY_DIALECT, MCPW_VOCABULARY_VALIDATION, MCPW_IS_STRING | MCPW_IS_ARRAY,
                       MCPW_HOLDS_NOTHING},
    [MCPW_KEY_UNEVALUATED_ITEMS] = {"unevaluatedItems", NEWER, MCPW_VOCABULARY_UNEVALUATED, MCPW_IS_SCHEMA,
                                    MCPW_HOLDS_ONE},
    [MCPW_KEY_UNEVALUATED_PROPERTIES] = {"unevaluatedProperties", NEWER, MCPW_VOCABULARY_UNEVALUATED,
                                         MCPW_IS_SCHEMA, MCPW_HOLDS_ONE},
    [MCPW_KEY_UNIQUE_ITEMS] = {"uniqueItems", ANY_DIALECT, MCPW_VOCABULARY_VALIDATION, MCPW_IS_BOOLEAN,
                               MCPW_HOLDS_NOTHING},
    [MCPW_KEY_WRITE_ONLY] = {"writeOnly", ANY_DIALECT, MCPW_VOCABULARY_METADATA, MCPW_IS_BOOLEAN,
                             MCPW_HOLDS_NOTHING},
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
