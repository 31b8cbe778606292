/* SPDX-License-Identifier: MIT */
/* The grammar of each format that MCPW_STRICT checks: what passes, and what breaks it in one place. Their
 * places in the protocol are in test_strict.c. */
#include <mcp/2025-11-25.h>

#include <stdio.h>

#include "check.h"

enum { TEXT_SIZE = 512 };

typedef struct sample {
    const char *text; /* within JSON quotes */
    bool good;
} sample;

static void check_samples(const char *type, const char *before, const char *after, const sample *samples,
                          size_t count) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = MCPW_STRICT;
    for (size_t i = 0; i < count; i++) {
        char text[TEXT_SIZE];
        mcpw_error error;
        const int len = snprintf(text, sizeof text, "%s%s%s", before, samples[i].text, after);
        const mcpw_status want = samples[i].good ? MCPW_OK : MCPW_E_FORMAT;
        const mcpw_status got =
            mcpw_validate(mcpw_find_type("2025-11-25", type), text, (size_t)len, &arena, &options, &error);
        if (got != want) {
            (void)fprintf(stderr, "%s: %s\n", text, got != MCPW_OK ? error.message : "accepted");
        }
        CHECK(got == want);
    }
    mcpw_arena_free(&arena);
}

#define SAMPLES(type, before, after, samples)                                                                \
    check_samples((type), (before), (after), (samples), sizeof(samples) / sizeof *(samples))

static void uris(void) {
    static const sample samples[] = {
        {"a:", true},      {"a+b-c.d1:x", true}, {"A:%4f%Af", true},    {"x:/-._~?#@!$&'()*+,;=", true},
        {"", false},       {":x", false},        {"1a:x", false},       {"+a:x", false},
        {"abc", false},    {"a_b:x", false},     {"a:%", false},        {"a:%4", false},
        {"a:%g0", false},  {"a:%0g", false},     {"a: b", false},       {"a:\\u0000", false},
        {"a:\\\"", false}, {"a:{b}", false},     {"a:\xc3\xa9", false},
    };
    SAMPLES("Resource", "{\"name\":\"n\",\"uri\":\"", "\"}", samples);
}

static void file_uris(void) {
    static const sample samples[] = {
        {"file:///a", true}, {"file://", true},    {"file:/a", false},
        {"file:", false},    {"FILE:///a", false}, {"", false},
    };
    SAMPLES("Root", "{\"uri\":\"", "\"}", samples);
}

static void uri_templates(void) {
    static const sample samples[] = {
        {"", true},        {"x:/{a}{b}", true}, {"{+a_b.c,d*,e:3}", true},
        {"{?%41}", true},  {"{#x}", true},      {"{&x}", true},
        {"a{{b}}", false}, {"a}", false},       {"{}", false},
        {"{a", false},     {"{a b}", false},    {"{a+}", false},
        {"a b", false},    {"a<b", false},      {"a>b", false},
        {"a\\\\b", false}, {"a^b", false},      {"a`b", false},
        {"a|b", false},    {"a\\u0001", false}, {"\\\"", false},
    };
    SAMPLES("ResourceTemplate", "{\"name\":\"n\",\"uriTemplate\":\"", "\"}", samples);
}

static void base64(void) {
    static const sample samples[] = {
        {"", true},      {"AAAA", true},  {"az+/", true},  {"AZ09", true},  {"AAA=", true},  {"AA==", true},
        {"A", false},    {"AA", false},   {"AAA", false},  {"A===", false}, {"====", false}, {"AA=A", false},
        {"AAB=", false}, {"AB==", false}, {"AA-_", false}, {"AA A", false},
    };
    SAMPLES("ImageContent", "{\"type\":\"image\",\"mimeType\":\"m\",\"data\":\"", "\"}", samples);
}

static void timestamps(void) {
    static const sample samples[] = {
        {"2025-01-02T03:04:05Z", true},       {"2025-12-31t23:59:60z", true},
        {"2025-01-02T03:04:05.5Z", true},     {"2025-01-02T03:04:05.123456+01:30", true},
        {"2025-01-02T03:04:05-23:59", true},  {"2025-01-02", false},
        {"2025-01-02 03:04:05Z", false},      {"2025-00-02T03:04:05Z", false},
        {"2025-13-02T03:04:05Z", false},      {"2025-01-00T03:04:05Z", false},
        {"2025-01-32T03:04:05Z", false},      {"2025/01-02T03:04:05Z", false},
        {"2025-01/02T03:04:05Z", false},      {"x025-01-02T03:04:05Z", false},
        {"2025-01-02T24:04:05Z", false},      {"2025-01-02T03-04:05Z", false},
        {"2025-01-02T03:60:05Z", false},      {"2025-01-02T03:04-05Z", false},
        {"2025-01-02T03:04:61Z", false},      {"2025-01-02T03:04:05.Z", false},
        {"2025-01-02T03:04:05.5", false},     {"2025-01-02T03:04:05Zx", false},
        {"2025-01-02T03:04:05x", false},      {"2025-01-02T03:04:05+0130", false},
        {"2025-01-02T03:04:05+24:00", false}, {"2025-01-02T03:04:05+01-30", false},
        {"2025-01-02T03:04:05+01:60", false}, {"2025-01-02T03:04:05+1:300", false},
    };
    SAMPLES("Annotations", "{\"lastModified\":\"", "\"}", samples);
}

static void meta_keys(void) {
    static const sample samples[] = {
        {"a", true},       {"a-b_c.d", true}, {"9", true},         {"a.b/c", true},   {"a.b-c/", true},
        {"a1.b2/c", true}, {"", false},       {"-a", false},       {"a-", false},     {"a b", false},
        {"/a", false},     {"1a/b", false},   {"a-/b", false},     {"a..b/c", false}, {"a_b/c", false},
        {"a/b/c", false},  {"a.b/-c", false}, {"a\\u0020", false},
    };
    SAMPLES("TextContent", "{\"type\":\"text\",\"text\":\"t\",\"_meta\":{\"k\":[1, {}] , \"", "\" : null}}",
            samples);
}

/* As long as it likes, with escapes or without. */
static void long_meta_keys(void) {
    enum { LETTERS = 400 };
    char plain[LETTERS + 1];
    char escaped[TEXT_SIZE];
    char wrong[TEXT_SIZE];
    memset(plain, 'k', LETTERS);
    plain[LETTERS] = '\0';
    (void)snprintf(escaped, sizeof escaped, "\\u0061.b/%s", plain);
    (void)snprintf(wrong, sizeof wrong, "a.b/%s\\u0020", plain);
    const sample samples[] = {{plain, true}, {escaped, true}, {wrong, false}};
    SAMPLES("TextContent", "{\"type\":\"text\",\"text\":\"t\",\"_meta\":{\"", "\":1}}", samples);
}

int main(void) {
    RUN(uris);
    RUN(file_uris);
    RUN(uri_templates);
    RUN(base64);
    RUN(timestamps);
    RUN(meta_keys);
    RUN(long_meta_keys);
    return check_end();
}
