/* SPDX-License-Identifier: MIT */
/* MCPW_STRICT and "format" of a JSON Schema have one opinion of each text. */
#include <mcp/2025-11-25.h>

#include "changed_tables.h"
#include "schema_harness.h"

enum { TEXT_SIZE = 512 };

static changed c;
static _Alignas(max_align_t) unsigned char value[TEXT_SIZE];

/* Texts of one format as they stand within JSON's quotes. Each list ends with NULL. */
typedef struct format_texts {
    const char *name;
    mcpw_format format;
    const char *const *good;
    const char *const *bad;
} format_texts;

static const char *const good_uris[] = {"a:",
                                        "a+b-c.d1:x",
                                        "A:%4f%Af",
                                        "urn:isbn:0451450523",
                                        "http://a.example:8080/b?c=/?#d",
                                        "http://u:p@[::1]:80/",
                                        "http://[v1.a:b]/",
                                        "http://[::ffff:127.0.0.1]",
                                        "file:///a",
                                        "mailto:a@b.example",
                                        NULL};
static const char *const bad_uris[] = {"",
                                       "a",
                                       ":x",
                                       "1a:x",
                                       "//a.example",
                                       "http://[bad",
                                       "http://[bad]",
                                       "http://[::1]x",
                                       "http://a:b/",
                                       "http://a b/",
                                       "a:%",
                                       "a:%4",
                                       "a:%g0",
                                       "a:[x]",
                                       "a:x#y#z",
                                       "a:{b}",
                                       "a:\\u0000",
                                       "a:\xc3\xa9",
                                       NULL};
static const char *const good_templates[] = {"",    "/a/{b:3,c*}", "{+a_b.c%41}%20", "{?a,b:9999}", "{#x}",
                                             "a'b", NULL};
static const char *const bad_templates[] = {
    "{",         "}",     "{}",     "{+}", "{a", "{a b}", "{a,}", "{a:}", "{a:0}",    "{a:b}",
    "{a:12345}", "{a*b}", "{a..b}", "{.}", "%2", "%zz",   "a b",  "a|b",  "a\\u007f", NULL};
static const char *const good_stamps[] = {"2024-02-29T00:00:00Z",
                                          "2025-12-31t23:59:60z",
                                          "2025-01-02T03:04:05.5Z",
                                          "2025-01-01T00:59:60+01:00",
                                          "2025-01-02T03:04:05-23:59",
                                          "2024-12-31T22:59:60-01:00",
                                          NULL};
static const char *const bad_stamps[] = {"",
                                         "2024-02-31T00:00:00Z",
                                         "2023-02-29T00:00:00Z",
                                         "2025-01-02",
                                         "2025-01-02 03:04:05Z",
                                         "2025-01-02T03:04:60Z",
                                         "2025-12-31T23:59:60+01:00",
                                         "2025-01-02T24:00:00Z",
                                         "2025-01-02T03:04:05",
                                         "2025-01-02T03:04:05.Z",
                                         "2025-01-02T03:04:05+0130",
                                         "2025-01-02T03:04:05Zx",
                                         "2025-01-02T03:04:05Z\\u0000",
                                         NULL};
static const char *const good_dates[] = {"2000-02-29", "2024-12-31", "0000-12-01", NULL};
static const char *const bad_dates[] = {"",           "2024-02-31",  "1900-02-29", "2024-04-31", "2024-00-01",
                                        "2024-13-01", "2024-04-00",  "2024-1-01",  "2024/01/01", "x024-01-01",
                                        "2024-01-0",  "2024-01-011", NULL};
static const char *const good_mails[] = {"a@b",           "a.b+c@d.example", "\\\"a b\\\"@a.example",
                                         "a@[127.0.0.1]", "a@[IPv6:::1]",    NULL};
static const char *const bad_mails[] = {"",           "a",          "@",         "@b",         "a@",
                                        "a b@c",      "a..b@c",     ".a@c",      "a.@c",       "a@b@c",
                                        "a@-b",       "a@b_c",      "a@[1.2.3]", "a@[IPv6:x]", "\\\"@a",
                                        "\xc3\xa9@a", "a@\xc3\xa9", "a@b..c",    NULL};

static const format_texts formats[] = {
    {"uri", MCPW_FORMAT_URI, good_uris, bad_uris},
    {"uri-template", MCPW_FORMAT_URI_TEMPLATE, good_templates, bad_templates},
    {"date-time", MCPW_FORMAT_DATE_TIME, good_stamps, bad_stamps},
    {"date", MCPW_FORMAT_DATE, good_dates, bad_dates},
    {"email", MCPW_FORMAT_EMAIL, good_mails, bad_mails},
};

/* The verdict of the codec. Its tables have the format at a member that is any string. */
static mcpw_status strict_verdict(mcpw_format format, const char *text) {
    char message[TEXT_SIZE];
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = MCPW_STRICT;
    memset(c.checks + OWN_CHECK, 0, sizeof *c.checks);
    c.checks[OWN_CHECK].format = (uint8_t)format;
    const int len =
        snprintf(message, sizeof message, "{\"messages\":[],\"systemPrompt\":%s,\"maxTokens\":2}", text);
    const mcpw_status status = mcpw_decode(&c.type, message, (size_t)len, &arena, value, &options, NULL);
    mcpw_arena_free(&arena);
    return status;
}

static void check_texts(const format_texts *f, const char *const *texts, mcpw_status want) {
    char schema_text[TEXT_SIZE];
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.flags = MCPW_SCHEMA_ASSERT_FORMATS;
    (void)snprintf(schema_text, sizeof schema_text, "{\"format\":\"%s\"}", f->name);
    mcpw_schema *const schema = schema_of(schema_text, &options);
    for (; *texts != NULL; texts++) {
        char text[TEXT_SIZE];
        (void)snprintf(text, sizeof text, "\"%s\"", *texts);
        (void)check_that(strict_verdict(f->format, text) == want, __FILE__, __LINE__, text);
        (void)check_that(value_status(schema, text) == want, __FILE__, __LINE__, text);
    }
    mcpw_schema_free(schema);
}

static void test_each_format_has_one_verdict(void) {
    change(&c, &mcp_20251125_create_message_request_params_table);
    CHECK(c.type.size <= sizeof value);
    type_of(&c, "systemPrompt")->check = OWN_CHECK;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        check_texts(formats + i, formats[i].good, MCPW_OK);
        check_texts(formats + i, formats[i].bad, MCPW_E_FORMAT);
    }
}

int main(void) {
    RUN(test_each_format_has_one_verdict);
    return check_end();
}
