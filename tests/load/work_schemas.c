/* SPDX-License-Identifier: MIT */
/* JSON Schemas of any size: compiled, and checked once. Each family grows in one construct, or in two that
 * refer to each other. */
#include "work.h"
#include <mcpw/schema.h>

#include <stdio.h>
#include <stdlib.h>

#include "work_patterns.h"

enum { PART = 3, PARTS = 2, NUMBER_SIZE = 24, HIGHEST_LEVEL = 100 };

/* How a piece is repeated until its part is as large as is wanted. */
typedef enum repeating {
    LISTED = 0, /* with commas between; each %n is the number of the piece */
    JOINED,     /* without */
    NESTED /* 100 at a time around `core`, with the piece of the other part after them, as lists are nested
            */
} repeating;

typedef struct part {
    const char *head;
    const char *item;
    repeating how;
} part;

typedef struct family {
    const char *name;
    part parts[PARTS];
    const char *tail;
    const char *value; /* to check; NULL: 1; empty: none, as a limit ends the compilation of a large one */
} family;

#define DRAFT_07 "\"$schema\":\"http://json-schema.org/draft-07/schema#\","
#define DRAFT_2019 "\"$schema\":\"https://json-schema.org/draft/2019-09/schema\","
#define ONE(head, item, how)                                                                                 \
    {                                                                                                        \
        {head, item, how}, { NULL, NULL, LISTED }                                                            \
    }
#define TWO(head, item, second, other)                                                                       \
    {                                                                                                        \
        {head, item, LISTED}, { second, other, LISTED }                                                      \
    }
#define TEN_A "aaaaaaaaaa"

static const family families[] = {
    /* URIs and references */
    {"a long $id", ONE("{\"$id\":\"https://a.example/", "x", JOINED), "\"}", NULL},
    {"a long $id of many folders", ONE("{\"$id\":\"https://a.example/", "x/", JOINED), "\"}", ""},
    {"references against a long $id",
     {{"{\"$id\":\"https://a.example/", "x", JOINED},
      {"/\",\"$defs\":{\"t\":{\"$id\":\"t\"}},\"allOf\":[", "{\"$ref\":\"t\"}", LISTED}},
     "]}",
     NULL},
    {"references into folders of a long $id",
     {{"{\"$id\":\"https://a.example/", "x/", JOINED},
      {"\",\"$defs\":{", "\"d%n\":{\"$id\":\"a/b%n\"},\"r%n\":{\"$ref\":\"a/b%n\"}", LISTED}},
     "}}",
     NULL},
    {"references up the folders of a long $id",
     {{"{\"$id\":\"https://a.example/", "x/", JOINED},
      {"\",\"$defs\":{\"t\":{\"$id\":\"../../t\"}},\"allOf\":[", "{\"$ref\":\"../../t\"}", LISTED}},
     "]}",
     NULL},
    {"queries after a long $id",
     {{"{\"$id\":\"https://a.example/", "x", JOINED},
      {"\",\"$defs\":{", "\"d%n\":{\"$id\":\"?q%n\"},\"r%n\":{\"$ref\":\"?q%n\"}", LISTED}},
     "}}",
     NULL},
    {"dots in a reference", ONE("{\"$id\":\"https://a.example/x\",\"$ref\":\"", "./", JOINED),
     "x#/$defs/d\",\"$defs\":{\"d\":{}}}", NULL},
    {"steps up in a reference", ONE("{\"$id\":\"https://a.example/x\",\"$ref\":\"", "../", JOINED),
     "x#/$defs/d\",\"$defs\":{\"d\":{}}}", NULL},
    {"a path of empty segments", ONE("{\"$id\":\"https://a.example/", "/", JOINED), "\"}", ""},
    {"$id in many definitions", ONE("{\"$defs\":{", "\"d%n\":{\"$id\":\"https://a.example/%n\"}", LISTED),
     "}}", NULL},
    {"$id in $id", ONE("", "{\"$id\":\"a%n/\",\"items\":", NESTED), "", NULL},
    {"references to many $id",
     TWO("{\"$defs\":{", "\"d%n\":{\"$id\":\"u:%n\"}", "},\"allOf\":[", "{\"$ref\":\"u:%n\"}"), "]}", NULL},
    {"absolute references",
     TWO("{\"$id\":\"https://a.example/x\",\"$defs\":{", "\"d%n\":{}", "},\"allOf\":[",
         "{\"$ref\":\"https://a.example/x#/$defs/d%n\"}"),
     "]}", NULL},
    {"references to many definitions",
     TWO("{\"$defs\":{", "\"d%n\":{\"type\":\"integer\"}", "},\"allOf\":[", "{\"$ref\":\"#/$defs/d%n\"}"),
     "]}", NULL},
    {"references to one definition",
     ONE("{\"$defs\":{\"d\":{\"minimum\":0}},\"allOf\":[", "{\"$ref\":\"#/$defs/d\"}", LISTED), "]}", NULL},
    {"references to the root", ONE("{\"items\":{\"anyOf\":[", "{\"$ref\":\"#\"}", LISTED), "]}}", "[]"},
    {"a chain of references", ONE("{\"$defs\":{", "\"d%n\":{\"$ref\":\"#/$defs/d%p\"}", LISTED),
     ",\"d\":{}}}", NULL},
    {"a ring of references through items",
     ONE("{\"$defs\":{", "\"d%n\":{\"items\":{\"$ref\":\"#/$defs/d%p\"}}", LISTED),
     ",\"d\":{}},\"$ref\":\"#/$defs/d\"}", NULL},
    {"references to items of allOf",
     TWO("{\"$defs\":{\"l\":{\"allOf\":[", "{\"minimum\":%n}", "]}},\"anyOf\":[true,",
         "{\"$ref\":\"#/$defs/l/allOf/%n\"}"),
     "]}", NULL},
    {"references to items of prefixItems",
     TWO("{\"prefixItems\":[", "{\"minimum\":%n}", "],\"anyOf\":[true,", "{\"$ref\":\"#/prefixItems/%n\"}"),
     "]}", NULL},
    {"references to properties",
     TWO("{\"properties\":{", "\"p%n\":{\"minimum\":%n}", "},\"anyOf\":[true,",
         "{\"$ref\":\"#/properties/p%n\"}"),
     "]}", NULL},
    {"references to names with escapes",
     TWO("{\"$defs\":{", "\"~/%%%n\":{}", "},\"allOf\":[", "{\"$ref\":\"#/$defs/~0~1%25%n\"}"), "]}", NULL},
    {"a long pointer", ONE("{\"$defs\":{\"d\":{}},\"$ref\":\"#/$defs/d", "%64", JOINED), "\"}", NULL},
    {"a long fragment of escapes", ONE("{\"$defs\":{\"d\":{}},\"$ref\":\"#/%24defs/", "%64", JOINED), "\"}",
     NULL},
    {"anchors", TWO("{\"$defs\":{", "\"d%n\":{\"$anchor\":\"a%n\"}", "},\"allOf\":[", "{\"$ref\":\"#a%n\"}"),
     "]}", NULL},
    {"anchors that nobody asks for", ONE("{\"$defs\":{", "\"d%n\":{\"$anchor\":\"a%n\"}", LISTED), "}}",
     NULL},
    {"a long anchor", ONE("{\"$anchor\":\"", "a", JOINED), "\"}", NULL},
    {"dynamic anchors in resources",
     ONE("{\"$defs\":{", "\"d%n\":{\"$id\":\"u:%n\",\"$dynamicAnchor\":\"a\"}", LISTED),
     "},\"$dynamicAnchor\":\"a\",\"items\":{\"$dynamicRef\":\"#a\"}}", "[1]"},
    {"dynamic references",
     ONE("{\"$dynamicAnchor\":\"a\",\"anyOf\":[true,", "{\"items\":{\"$dynamicRef\":\"#a\"}}", LISTED), "]}",
     "[1]"},
    {"dynamic anchors and references",
     TWO("{\"$defs\":{", "\"d%n\":{\"$id\":\"u:%n\",\"$dynamicAnchor\":\"a\"}",
         "},\"$dynamicAnchor\":\"a\",\"anyOf\":[true,", "{\"items\":{\"$dynamicRef\":\"#a\"}}"),
     "]}", "[1]"},
    {"dynamic references that are plain",
     TWO("{\"$defs\":{", "\"d%n\":{\"$anchor\":\"a%n\"}", "},\"anyOf\":[true,", "{\"$dynamicRef\":\"#a%n\"}"),
     "]}", NULL},
    {"recursive references of 2019-09",
     ONE("{" DRAFT_2019 "\"$recursiveAnchor\":true,\"anyOf\":[true,", "{\"items\":{\"$recursiveRef\":\"#\"}}",
         LISTED),
     "]}", "[1]"},
    {"meta-schemas with vocabularies",
     TWO("{\"$defs\":{\"m\":{\"$id\":\"u:m\",\"$schema\":\"https://json-schema.org/draft/2020-12/"
         "schema\",\"$vocabulary\":{\"https://json-schema.org/draft/2020-12/vocab/core\":true,",
         "\"u:v%n\":false", "}},", "\"d%n\":{\"$id\":\"u:%n\",\"$schema\":\"u:m\"}"),
     "}}", NULL},
    {"dialects of resources",
     ONE("{\"$defs\":{",
         "\"d%n\":{\"$id\":\"u:%n\",\"$schema\":\"https://json-schema.org/draft/2020-12/schema\"}", LISTED),
     "}}", NULL},
    {"a long $schema", ONE("{\"$schema\":\"https://a.example/", "x", JOINED), "\"}", NULL},
    {"an $id that two have", ONE("{\"$defs\":{", "\"d%n\":{\"$id\":\"u:same\"}", LISTED), "}}", NULL},
    {"references that lead to nothing", ONE("{\"allOf\":[", "{\"$ref\":\"#/$defs/d%n\"}", LISTED), "]}",
     NULL},
    /* draft-07 */
    {"definitions of draft-07",
     TWO("{" DRAFT_07 "\"definitions\":{", "\"d%n\":{}", "},\"allOf\":[", "{\"$ref\":\"#/definitions/d%n\"}"),
     "]}", NULL},
    {"anchors of draft-07",
     TWO("{" DRAFT_07 "\"definitions\":{", "\"d%n\":{\"$id\":\"#a%n\"}", "},\"allOf\":[",
         "{\"$ref\":\"#a%n\"}"),
     "]}", NULL},
    {"dependencies of draft-07, names",
     ONE("{" DRAFT_07 "\"dependencies\":{", "\"k%n\":[\"a\",\"b%n\"]", LISTED), "}}", "{}"},
    {"dependencies of draft-07, schemas",
     ONE("{" DRAFT_07 "\"dependencies\":{", "\"k%n\":{\"required\":[\"a\"]}", LISTED), "}}", "{}"},
    {"items of draft-07", ONE("{" DRAFT_07 "\"items\":[", "{\"minimum\":%n}", LISTED),
     "],\"additionalItems\":false}", "[1000000]"},
    {"$ref beside other keywords of draft-07",
     ONE("{" DRAFT_07 "\"definitions\":{\"d\":{}},\"allOf\":[",
         "{\"$ref\":\"#/definitions/d\",\"title\":\"%n\"}", LISTED),
     "]}", NULL},
    /* objects */
    {"definitions", ONE("{\"$defs\":{", "\"d%n\":{\"type\":\"string\"}", LISTED), "}}", NULL},
    {"definitions in definitions", ONE("", "{\"$defs\":{\"d\":{\"type\":\"object\"}},\"items\":", NESTED), "",
     NULL},
    {"properties", ONE("{\"properties\":{", "\"p%n\":{\"type\":\"string\"}", LISTED), "}}", "{\"p1\":1}"},
    {"properties in properties", ONE("", "{\"properties\":{\"a\":", NESTED), "", "{}"},
    {"properties of one name", ONE("{\"properties\":{", "\"the same name\":true", LISTED), "}}", "{}"},
    {"properties of long names",
     ONE("{\"properties\":{", "\"" TEN_A TEN_A TEN_A TEN_A TEN_A TEN_A TEN_A TEN_A "%n\":true", LISTED), "}}",
     "{}"},
    {"a property of a very long name", ONE("{\"properties\":{\"", "k", JOINED), "\":true}}", "{}"},
    {"properties with escaped names", ONE("{\"properties\":{", "\"\\u006b%n\\n\":true", LISTED), "}}", "{}"},
    {"keywords that nobody knows", ONE("{", "\"x%n\":{\"$id\":\"u:%n\"}", LISTED), "}", NULL},
    {"required", ONE("{\"required\":[", "\"k%n\"", LISTED), "]}", "{}"},
    {"required, one again and again", ONE("{\"required\":[", "\"the same name\"", LISTED), "]}", "{}"},
    {"patternProperties", ONE("{\"patternProperties\":{", "\"^%n\":true", LISTED), "}}", "{\"a\":1}"},
    {"additionalProperties in each other", ONE("", "{\"additionalProperties\":", NESTED), "", "{}"},
    {"propertyNames", ONE("", "{\"propertyNames\":", NESTED), "", "{}"},
    {"dependentRequired", ONE("{\"dependentRequired\":{", "\"k%n\":[\"a\",\"b%n\"]", LISTED), "}}",
     "{\"k0000000\":1}"},
    {"dependentRequired, one long list", ONE("{\"dependentRequired\":{\"a\":[", "\"k%n\"", LISTED), "]}}",
     "{\"a\":1}"},
    {"dependentSchemas", ONE("{\"dependentSchemas\":{", "\"k%n\":{\"minProperties\":1}", LISTED), "}}",
     "{\"k0000000\":1}"},
    {"unevaluatedProperties in each other", ONE("", "{\"unevaluatedProperties\":", NESTED), "", "{\"a\":1}"},
    {"unevaluatedProperties beside allOf",
     ONE("{\"unevaluatedProperties\":false,\"allOf\":[", "{\"properties\":{\"a\":true}}", LISTED), "]}",
     "{\"a\":1}"},
    /* arrays */
    {"prefixItems", ONE("{\"prefixItems\":[", "{\"type\":\"string\"}", LISTED), "]}", "[\"\"]"},
    {"items in items", ONE("", "{\"items\":", NESTED), "", "[]"},
    {"contains in contains", ONE("", "{\"contains\":", NESTED), "", "[1]"},
    {"unevaluatedItems in each other", ONE("", "{\"unevaluatedItems\":", NESTED), "", "[1]"},
    {"unevaluatedItems beside anyOf",
     ONE("{\"unevaluatedItems\":true,\"anyOf\":[", "{\"prefixItems\":[true]}", LISTED), "]}", "[1]"},
    {"uniqueItems in allOf", ONE("{\"allOf\":[", "{\"uniqueItems\":true}", LISTED), "]}", "[1,2]"},
    /* values */
    {"an enum of strings", ONE("{\"enum\":[", "\"word number %n\"", LISTED), "]}", "\"\""},
    {"an enum of one string", ONE("{\"enum\":[", "\"the same word\"", LISTED), "]}", "\"\""},
    {"an enum of numbers", ONE("{\"enum\":[", "%n.5", LISTED), "]}", "1"},
    {"an enum of objects", ONE("{\"enum\":[", "{\"a\":%n}", LISTED), "]}", "{\"a\":0.5}"},
    {"an enum of long strings",
     ONE("{\"enum\":[\"\",\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"", "w", JOINED), "\"]}", "\"\""},
    {"a long const", ONE("{\"const\":\"", "w", JOINED), "\"}", "\"\""},
    {"a const of many members", ONE("{\"const\":{", "\"m%n\":0", LISTED), "}}", "{}"},
    {"constants", ONE("{\"anyOf\":[", "{\"const\":%n}", LISTED), "]}", "7"},
    {"types", ONE("{\"type\":[", "\"string\"", LISTED), "]}", "\"\""},
    {"digits of a minimum", ONE("{\"minimum\":1", "7", JOINED), "}", NULL},
    {"digits of a maximum after the point", ONE("{\"maximum\":1.", "7", JOINED), "}", NULL},
    {"digits of an exponent", ONE("{\"exclusiveMaximum\":1e", "7", JOINED), "}", NULL},
    {"zeros of a multipleOf", ONE("{\"multipleOf\":1.", "0", JOINED), "}", NULL},
    {"digits of a multipleOf", ONE("{\"multipleOf\":1", "7", JOINED), "}", NULL},
    {"digits of a const", ONE("{\"const\":1", "7", JOINED), "}", NULL},
    {"digits of a count", ONE("{\"minLength\":1", "7", JOINED), "}", "\"\""},
    {"bounds", ONE("{\"allOf\":[", "{\"minimum\":%n,\"exclusiveMaximum\":%n.5}", LISTED), "]}", NULL},
    {"lengths and counts",
     ONE("{\"allOf\":[", "{\"minLength\":0,\"maxLength\":%n1,\"maxItems\":1%n,\"maxProperties\":2}", LISTED),
     "]}", "\"\""},
    {"patterns", ONE("{\"allOf\":[true,", "{\"pattern\":\"^[a-z]%n\"}", LISTED), "]}", NULL},
    {"patterns that repeat groups", ONE("{\"allOf\":[true,", "{\"pattern\":\"(?:ab|cd){1,100}\"}", LISTED),
     "]}", NULL},
    {"a long pattern", ONE("{\"pattern\":\"", "[a-z]", JOINED), "\"}", ""},
    {"formats", ONE("{\"anyOf\":[", "{\"format\":\"date-time\"}", LISTED), "]}", "\"x\""},
    {"titles", ONE("{\"allOf\":[", "{\"title\":\"t%n\",\"description\":\"d\"}", LISTED), "]}", NULL},
    {"a long description", ONE("{\"description\":\"", "d\\n", JOINED), "\"}", NULL},
    {"a long default", ONE("{\"default\":[", "{\"$id\":\"u:%n\"}", LISTED), "]}", NULL},
    {"content of strings",
     ONE("{\"allOf\":[", "{\"contentSchema\":{\"minimum\":%n},\"contentMediaType\":\"a/b\"}", LISTED), "]}",
     NULL},
    /* alternatives */
    {"allOf", ONE("{\"allOf\":[", "{\"minimum\":0}", LISTED), "]}", NULL},
    {"anyOf", ONE("{\"anyOf\":[", "{\"type\":\"string\"}", LISTED), "]}", NULL},
    {"oneOf", ONE("{\"oneOf\":[", "{\"const\":%n}", LISTED), "]}", NULL},
    {"allOf in allOf", ONE("", "{\"allOf\":[{\"minimum\":0},", NESTED), "", NULL},
    {"anyOf in anyOf", ONE("", "{\"anyOf\":[{\"type\":\"null\"},", NESTED), "", NULL},
    {"oneOf in oneOf", ONE("", "{\"oneOf\":[{\"type\":\"null\"},", NESTED), "", NULL},
    {"not in not", ONE("", "{\"not\":", NESTED), "", NULL},
    {"if in if", ONE("", "{\"if\":{\"type\":\"string\"},\"then\":false,\"else\":", NESTED), "", NULL},
    {"if, then, else",
     ONE("{\"allOf\":[", "{\"if\":{\"const\":%n},\"then\":true,\"else\":{\"minimum\":0}}", LISTED), "]}",
     NULL},
    {"empty schemas", ONE("{\"allOf\":[", "{}", LISTED), "]}", NULL},
    {"true and false", ONE("{\"anyOf\":[", "false,true", LISTED), "]}", NULL},
    {"white space", ONE("{\"type\":", " \n", JOINED), "\"integer\"}", NULL},
    {"brackets", ONE("{\"const\":", "[", JOINED), "}", NULL},
};

/* ---- texts ---- */

static void put(mcpw_buffer *b, const char *text, size_t len) {
    if (mcpw_buffer_append(b, text, len) != MCPW_OK) {
        abort();
    }
}

/* A piece; %n is its number, and %p that of the one before it, or nothing. */
static void put_item(mcpw_buffer *b, const char *item, size_t i) {
    char number[NUMBER_SIZE];
    for (const char *p = item; *p != '\0'; p++) {
        if (*p != '%' || (p[1] != 'n' && p[1] != 'p')) {
            put(b, p, 1);
            continue;
        }
        p++;
        const bool before = *p == 'p';
        const int len = before && i == 0 ? 0 : snprintf(number, sizeof number, "1%06zu", i - before);
        put(b, number, (size_t)len);
    }
}

/* Schemas that are nested, side by side: their depth has a limit, so that only their number can grow. */
static void put_nested(mcpw_buffer *b, size_t end, const char *item) {
    put(b, "{\"allOf\":[true", strlen("{\"allOf\":[true"));
    while (b->len < end) {
        put(b, ",", 1);
        const size_t first = b->len;
        for (size_t i = 0; i < HIGHEST_LEVEL / 4; i++) {
            put_item(b, item, b->len);
        }
        put(b, "true", strlen("true"));
        const size_t last = b->len;
        unsigned quoted = 0;
        char open[HIGHEST_LEVEL * 2];
        size_t depth = 0;
        for (size_t i = first; i < last; i++) {
            const char c = b->data[i];
            quoted ^= c == '"';
            if (quoted == 0 && (c == '{' || c == '[')) {
                open[depth++] = c == '{' ? '}' : ']';
            } else if (quoted == 0 && (c == '}' || c == ']')) {
                depth--;
            }
        }
        while (depth > 0) {
            put(b, open + --depth, 1);
        }
    }
    put(b, "]}", 2);
}

static void put_part(mcpw_buffer *b, const part *p, size_t size) {
    put(b, p->head, strlen(p->head));
    const size_t end = b->len + size;
    if (p->how == NESTED) {
        put_nested(b, end, p->item);
        return;
    }
    for (size_t i = 0; i == 0 || b->len < end; i++) {
        put(b, ",", i != 0 && p->how == LISTED ? 1 : 0);
        put_item(b, p->item, i);
    }
}

/* In a family of two parts the one part has as many pieces as the other. */
static void make_schema(mcpw_buffer *b, const family *f, size_t size) {
    const bool two = f->parts[1].item != NULL;
    b->len = 0;
    put_part(b, f->parts, two ? size / 2 : size);
    if (two) {
        const bool listed = f->parts[0].how == LISTED;
        const size_t ratio = listed ? strlen(f->parts[1].item) : 1;
        const size_t length = listed ? strlen(f->parts[0].item) : 1;
        put_part(b, f->parts + 1, size / 2 * ratio / (length + 2) * 3 / 4);
    }
    put(b, f->tail, strlen(f->tail));
}

/* ---- operations ---- */

static void *metered(void *user, void *ptr, size_t old_size, size_t new_size) {
    job *const j = user;
    j->used = j->used - old_size + new_size;
    j->most = j->used > j->most ? j->used : j->most;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

static mcpw_status do_compile(job *j) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.patterns = work_patterns();
    options.allocator.resize = metered;
    options.allocator.user = j;
    options.flags = MCPW_SCHEMA_ASSERT_FORMATS;
    return mcpw_schema_compile(j->text.data, j->text.len, &options, (mcpw_schema **)&j->user, &j->error);
}

static mcpw_status do_check(job *j) {
    return mcpw_schema_check(j->user, j->out.data, j->out.len, &j->arena, NULL, &j->error);
}

static bool has_text(job *j) { return j->text.len != 0; }

static bool has_schema(job *j) { return j->user != NULL && j->out.len != 0; }

void work_schemas(job *j, size_t size) {
    static const operation compile = {"compile", has_text, do_compile};
    static const operation check = {"check", has_schema, do_check};
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        const family *const f = families + i;
        if (!job_turn(j)) {
            continue;
        }
        make_schema(&j->text, f, size / PART);
        j->out.len = 0;
        put(&j->out, f->value != NULL ? f->value : "1", strlen(f->value != NULL ? f->value : "1"));
        j->user = NULL;
        j->used = 0;
        j->most = 0;
        job_run(j, f->name, &compile);
        j->most = 0;
        job_run(j, f->name, &check);
        mcpw_schema_free(j->user);
    }
}
