/* SPDX-License-Identifier: MIT */
/* How much stack each operation takes at the deepest nesting that there is: each runs in a thread whose stack
 * is painted before and looked at afterwards. SECURITY.md says what is promised. */
#define _POSIX_C_SOURCE 200809L

#include <mcpw/codec.h>
#include <mcpw/json.h>
#include <mcpw/message.h>
#include <mcpw/project.h>
#include <mcpw/schema.h>

#include <pthread.h>
#include <stdlib.h>

#include "check.h"

#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
enum { FRAMES_ARE_USUAL = true };
#else
enum { FRAMES_ARE_USUAL = false };
#endif

/* Bytes that a nested call of a check takes. Every frame of s390x has 160 bytes for registers. */
#if defined(__s390x__)
#define CALL 720
#elif UINTPTR_MAX == UINT32_MAX
#define CALL 640
#else
#define CALL 400
#endif

enum {
    KB = 1024,
    STACK = 4096 * KB, /* of the thread, where nothing overflows that is counted */
    PAINT = 0xa5,
    LEVELS = MCPW_MAX_DEPTH,
    TEXT_SIZE = 64 * LEVELS,
    VALUE_WORDS = 64,
    FLAT = 16, /* KiB, however deep */
    LEVEL = sizeof(void *) < sizeof(uint64_t)
                ? 480
                : 400, /* bytes a level, beside what is flat; 32-bit x86 has few registers */
    CALLS_A_LEVEL = 8,
    MORE_CALLS = 128
};

/* Texts nested as deep as they may be. */
typedef struct texts {
    char arrays[TEXT_SIZE];
    char objects[TEXT_SIZE];
    char ordered[TEXT_SIZE];
    char reversed[TEXT_SIZE];
    char message[TEXT_SIZE];
    char raw[TEXT_SIZE];
} texts;

typedef struct job {
    const texts *t;
    void (*run)(const texts *t);
} job;

static void nest(char *to, const char *head, const char *open, const char *middle, const char *close,
                 const char *tail, unsigned levels) {
    size_t len = (size_t)sprintf(to, "%s", head);
    for (unsigned i = 0; i < levels; i++) {
        len += (size_t)sprintf(to + len, "%s", open);
    }
    len += (size_t)sprintf(to + len, "%s", middle);
    for (unsigned i = 0; i < levels; i++) {
        len += (size_t)sprintf(to + len, "%s", close);
    }
    (void)sprintf(to + len, "%s", tail);
}

static void make_texts(texts *t) {
    nest(t->arrays, "", "[", "1", "]", "", LEVELS);
    nest(t->objects, "", "{\"a\":", "1", "}", "", LEVELS);
    nest(t->ordered, "", "{\"y\":0,\"x\":", "1", "}", "", LEVELS);
    nest(t->reversed, "", "{\"x\":", "1", ",\"y\":0}", "", LEVELS);
    nest(t->raw, "{\"level\":\"info\",\"data\":", "{\"a\":", "1", "}", "}", LEVELS - 1);
    nest(t->message,
         "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":",
         "{\"a\":", "1", "}", "}}", LEVELS - 2);
}

static mcpw_options deepest(unsigned flags) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.max_depth = LEVELS;
    options.flags = flags;
    return options;
}

static void decode(const char *type_name, const char *text, unsigned flags) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error;
    uint64_t value[VALUE_WORDS];
    uint64_t copy[VALUE_WORDS];
    mcpw_buffer out = MCPW_BUFFER_INIT;
    const mcpw_options options = deepest(flags);
    const mcpw_type *const type = mcpw_find_type("2026-07-28", type_name);
    CHECK(type != NULL && mcpw_type_size(type) <= sizeof value);
    CHECK(mcpw_decode(type, text, strlen(text), &arena, value, &options, &error) == MCPW_OK);
    CHECK(mcpw_copy(type, value, &arena, copy, &error) == MCPW_OK);
    CHECK(mcpw_equal(type, value, copy));
    CHECK(mcpw_encode(type, value, &out, &options, &error) == MCPW_OK);
    mcpw_buffer_free(&out);
    mcpw_arena_free(&arena);
}

static void raw_values(const texts *t) { decode("LoggingMessageNotificationParams", t->raw, 0); }
static void raw_values_strictly(const texts *t) {
    decode("LoggingMessageNotificationParams", t->raw, MCPW_STRICT);
}
static void recursive_types(const texts *t) {
    decode("JSONValue", t->arrays, 0);
    decode("JSONValue", t->objects, MCPW_STRICT);
}
static void comparing(const texts *t) {
    CHECK(mcpw_json_equal(mcpw_json_from(t->ordered), mcpw_json_from(t->reversed)));
    CHECK(!mcpw_json_equal(mcpw_json_from(t->ordered), mcpw_json_from(t->objects)));
}
static void checking(const texts *t) {
    CHECK(mcpw_json_check(mcpw_json_from(t->arrays), LEVELS, NULL) == MCPW_OK);
}
static void messages(const texts *t) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error;
    mcpw_message message;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    const mcpw_options options = deepest(MCPW_STRICT);
    const mcpw_revision *const revision = mcpw_find_revision("2025-11-25");
    CHECK(mcpw_message_decode(revision, t->message, strlen(t->message), &arena, NULL, NULL, &message,
                              &options, &error) == MCPW_OK);
    CHECK(mcpw_message_encode(revision, &message, &out, &options, &error) == MCPW_OK);
    mcpw_buffer_free(&out);
    mcpw_arena_free(&arena);
}

/* Each dynamic reference leads back to itself, so that the check makes as many nested calls as it may,
 * whatever the value is. */
static void check_by_endless_schemas(unsigned max_depth) {
    static const char *const schemas[] = {
        "{\"$dynamicAnchor\":\"a\",\"$dynamicRef\":\"#a\"}",
        "{\"$dynamicAnchor\":\"a\",\"oneOf\":[{\"$dynamicRef\":\"#a\"}],\"unevaluatedProperties\":true}",
        "{\"$dynamicAnchor\":\"a\",\"if\":{\"$dynamicRef\":\"#a\"},\"unevaluatedProperties\":true}",
        ("{\"$dynamicAnchor\":\"a\",\"dependentSchemas\":{\"b\":{\"$dynamicRef\":\"#a\"}},"
         "\"unevaluatedProperties\":true}"),
    };
    static const char value[] = "{\"b\":1}";
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.max_depth = max_depth;
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        mcpw_arena scratch = MCPW_ARENA_INIT;
        mcpw_schema *schema = NULL;
        mcpw_error error;
        CHECK(mcpw_schema_compile(schemas[i], strlen(schemas[i]), NULL, &schema, &error) == MCPW_OK);
        CHECK(mcpw_schema_check(schema, value, sizeof value - 1, &scratch, &options, &error) == MCPW_E_DEPTH);
        mcpw_schema_free(schema);
        mcpw_arena_free(&scratch);
    }
}

static void endless_schemas(const texts *t) {
    (void)t;
    check_by_endless_schemas(MCPW_DEFAULT_DEPTH);
}

static void endless_schemas_at_the_most_levels(const texts *t) {
    (void)t;
    check_by_endless_schemas(LEVELS);
}

static void nothing(const texts *t) { (void)t; }

static void *run(void *user) {
    const job *const j = user;
    j->run(j->t);
    return NULL;
}

/* Bytes of stack that a thread takes for it. */
static size_t stack_of(const texts *t, void (*what)(const texts *t)) {
    job j = {t, what};
    pthread_t thread;
    pthread_attr_t attributes;
    unsigned char *const stack = aligned_alloc(64 * KB, STACK);
    size_t left = 0;
    if (stack == NULL) {
        return STACK;
    }
    memset(stack, PAINT, STACK);
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstack(&attributes, stack, STACK) == 0);
    CHECK(pthread_create(&thread, &attributes, run, &j) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    while (left < STACK && stack[left] == PAINT) {
        left++;
    }
    CHECK(pthread_attr_destroy(&attributes) == 0);
    free(stack);
    return STACK - left;
}

typedef struct promise {
    const char *what;
    void (*run)(const texts *t);
    size_t most;
} promise;

static void operations_keep_to_the_stack_that_is_promised(void) {
    static const promise promises[] = {
        {"raw values", raw_values, FLAT * KB},
        {"raw values, strict", raw_values_strictly, FLAT * KB},
        {"a type that contains itself", recursive_types, FLAT * KB + (size_t)LEVELS * LEVEL},
        {"equality", comparing, FLAT * KB},
        {"checking", checking, FLAT * KB},
        {"messages", messages, FLAT * KB},
        {"a schema that never ends", endless_schemas,
         (CALLS_A_LEVEL * MCPW_DEFAULT_DEPTH + MORE_CALLS) * CALL},
        {"the same at 512 levels", endless_schemas_at_the_most_levels,
         (CALLS_A_LEVEL * LEVELS + MORE_CALLS) * CALL},
    };
    texts *const t = malloc(sizeof *t);
    CHECK(t != NULL);
    if (t != NULL) {
        make_texts(t);
        const size_t least = stack_of(t, nothing);
        for (size_t i = 0; i < sizeof promises / sizeof promises[0]; i++) {
            const size_t taken = stack_of(t, promises[i].run) - least;
            printf("%s: %zu bytes of stack\n", promises[i].what, taken);
            CHECK(taken <= promises[i].most);
        }
    }
    free(t);
}

int main(void) {
    if (!FRAMES_ARE_USUAL) {
        printf("skipped: frames are larger without optimisation and with sanitizers\n");
        return CHECK_SKIPPED;
    }
    RUN(operations_keep_to_the_stack_that_is_promised);
    return check_end();
}
