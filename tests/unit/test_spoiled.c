/* SPDX-License-Identifier: MIT */
/*
 * Texts of every shape, each spoiled at each byte and cut off there. Whatever comes out, decode and validate
 * agree on it, what decode takes survives encode, and a limit that is a little too low is named. The oracle
 * says what the verdict has to be; here it is the paths after errors that matter, run under the sanitizers.
 */
#include <mcp/2025-03-26.h>
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>

#include <stdlib.h>

#include "check.h"

typedef struct sample {
    const char *revision;
    const char *type;
    const char *text;
} sample;

static const sample samples[] = {
    {"2025-11-25", "CallToolResult",
     "{\"content\":[{\"type\":\"text\",\"text\":\"a\\u00e9\\n\xc3\xa9 and so on, for more than a lane\"},"
     "{\"type\":\"image\",\"data\":\"aGk=\",\"mimeType\":\"m\",\"annotations\":{\"audience\":[\"user\","
     "\"assistant\"],"
     "\"priority\":0.25}},{\"type\":\"resource\",\"resource\":{\"uri\":\"u\",\"text\":\"t\"}},"
     "{\"type\":\"resource_link\",\"uri\":\"u\",\"name\":\"n\",\"size\":12}],\"structuredContent\":{\"a\":[1,"
     "-2.5e3,true,"
     "null,{\"b\":{}}]},\"isError\":false,\"_meta\":{\"x\":1},\"other\":[]}"},
    {"2025-11-25", "GetPromptRequestParams",
     "{ \"name\" : \"n\" ,\t\"arguments\" : { \"a\" : \"1\" , \"b\\u0062\" : \"\" } , "
     "\"_meta\":{\"progressToken\":7} }"},
    {"2025-11-25", "Tool",
     "{\"name\":\"t\",\"inputSchema\":{\"$schema\":\"s\",\"type\":\"object\",\"properties\":{\"a\":{\"x\":1}}"
     ","
     "\"required\":[\"a\"]},\"annotations\":{\"readOnlyHint\":true},\"icons\":[{\"src\":\"s\",\"sizes\":["
     "\"1x1\"],"
     "\"theme\":\"dark\"}],\"execution\":{\"taskSupport\":\"optional\"}}"},
    {"2025-11-25", "ElicitRequest",
     "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"method\":\"elicitation/"
     "create\",\"params\":{\"message\":\"m\",\"requestedSchema\":"
     "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"minLength\":1,\"format\":\"email\"},"
     "\"b\":{\"type\":\"integer\",\"default\":3},\"c\":{\"type\":\"boolean\"},\"d\":{\"type\":\"string\","
     "\"enum\":[\"x\"]},"
     "\"e\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"x\",\"y\"]},\"maxItems\":2}},"
     "\"required\":[\"a\"]}}}"},
    {"2025-11-25", "CreateMessageRequestParams",
     "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"t\"},{\"type\":\"tool_"
     "use\",\"id\":\"i\","
     "\"name\":\"n\",\"input\":{}}]},{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"t\"}}]"
     ","
     "\"maxTokens\":100,\"temperature\":1e0,\"modelPreferences\":{\"hints\":[{\"name\":\"h\"}],"
     "\"costPriority\":1}}"},
    {"2025-11-25", "CompleteRequestParams",
     "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"u\"},\"argument\":{\"name\":\"n\",\"value\":\"v\"},"
     "\"context\":{\"arguments\":{\"k\":\"v\"}}}"},
    {"2025-11-25", "ElicitResult",
     "{\"action\":\"accept\",\"content\":{\"a\":\"s\",\"b\":1,\"c\":true,\"d\":[\"x\"],\"e\":1.5}}"},
    {"2025-03-26", "JSONRPCMessage",
     "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"_meta\":{},\"x\":0}},{\"jsonrpc\":\"2."
     "0\",\"method\":\"n\"}]"},
    {"2026-07-28", "CallToolRequest",
     "{\"jsonrpc\":\"2.0\",\"id\":9007199254740993,\"method\":\"tools/call\",\"params\":{\"_meta\":"
     "{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/"
     "clientInfo\":{\"name\":\"c\","
     "\"version\":\"1\"},\"io.modelcontextprotocol/"
     "clientCapabilities\":{\"roots\":{}}},\"name\":\"n\",\"arguments\":{}}}"},
    {"2026-07-28", "InputRequiredResult",
     "{\"resultType\":\"input_required\",\"inputRequests\":{\"k\":{\"method\":\"roots/list\",\"params\":{}}},"
     "\"requestState\":\"s\"}"},
    {"2026-07-28", "ListToolsResult",
     "{\"resultType\":\"complete\",\"ttlMs\":5,\"cacheScope\":\"private\",\"nextCursor\":\"c\",\"tools\":[{"
     "\"name\":\"t\","
     "\"inputSchema\":{\"type\":\"object\",\"anyOf\":[{}]}}]}"},
};

enum { SAMPLES = sizeof samples / sizeof *samples, TEXT_SIZE = 2048, VALUE_SIZE = 4096, MOST_LIMIT = 200 };

static const unsigned all_flags[] = {0, MCPW_STRICT,
                                     MCPW_ALLOW_UNKNOWN | MCPW_NULL_IS_ABSENT | MCPW_PEER_DEFAULTS};
enum { FLAGS = sizeof all_flags / sizeof *all_flags };

static mcpw_arena arena = MCPW_ARENA_INIT;
static mcpw_buffer buffer = MCPW_BUFFER_INIT;

static const mcpw_type *type_of(const sample *s) {
    const mcpw_type *const type = mcpw_find_type(s->revision, s->type);
    if (type == NULL || mcpw_type_size(type) > VALUE_SIZE) {
        (void)fprintf(stderr, "%s is no type of %s, or a large one\n", s->type, s->revision);
        exit(1);
    }
    return type;
}

static void complain(const sample *s, const char *text, size_t len, const mcpw_error *e) {
    (void)fprintf(stderr, "%s %s: %.*s\n  %s: %s\n", s->revision, s->type, (int)len, text, e->path,
                  e->message);
}

/* A value that decode accepts must be written, and read again as an equal value. */
static bool survives(const mcpw_type *type, const void *value, const mcpw_options *options, mcpw_error *e) {
    static max_align_t again[VALUE_SIZE / sizeof(max_align_t)];
    buffer.len = 0;
    return mcpw_encode(type, value, &buffer, options, e) == MCPW_OK &&
           mcpw_decode(type, buffer.data, buffer.len, &arena, again, options, e) == MCPW_OK &&
           mcpw_equal(type, value, again);
}

static mcpw_status read_text(const sample *s, const char *text, size_t len, const mcpw_options *options) {
    static max_align_t value[VALUE_SIZE / sizeof(max_align_t)];
    const mcpw_type *const type = type_of(s);
    mcpw_error decoded = {0};
    mcpw_error validated = {0};
    char *const exact = malloc(len + 1); /* of its own size, so that reading past it shows */
    mcpw_status status;
    if (exact == NULL) {
        exit(1);
    }
    memcpy(exact, text, len);
    mcpw_arena_reset(&arena);
    status = mcpw_decode(type, exact, len, &arena, value, options, &decoded);
    if (mcpw_validate(type, exact, len, &arena, options, &validated) != status) {
        complain(s, text, len, &validated);
        CHECK(validated.code == status);
    }
    free(exact);
    if (status == MCPW_OK && !survives(type, value, options, &decoded)) {
        complain(s, text, len, &decoded);
        CHECK(decoded.code == MCPW_OK);
    }
    return status;
}

static mcpw_options with_flags(unsigned flags) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = flags;
    return options;
}

static void the_samples_are_valid(void) {
    for (size_t i = 0; i < SAMPLES; i++) {
        const mcpw_options options = with_flags(0);
        CHECK(read_text(&samples[i], samples[i].text, strlen(samples[i].text), &options) == MCPW_OK);
    }
}

static void a_byte_that_is_wrong_is_handled_alike(void) {
    static const char wrong[] = "\"\\{}[],: \n0-.ex\x7f\x01\x80\xc3";
    for (size_t i = 0; i < SAMPLES; i++) {
        const size_t len = strlen(samples[i].text);
        char text[TEXT_SIZE];
        CHECK(len < sizeof text);
        for (size_t at = 0; at < len; at++) {
            for (size_t k = 0; k < sizeof wrong; k++) {
                const mcpw_options options = with_flags(all_flags[(at + k) % FLAGS]);
                memcpy(text, samples[i].text, len);
                text[at] = wrong[k];
                (void)read_text(&samples[i], text, len, &options);
            }
        }
    }
}

static void a_text_that_is_cut_off_is_refused(void) {
    for (size_t i = 0; i < SAMPLES; i++) {
        const size_t len = strlen(samples[i].text);
        for (size_t at = 0; at < len; at++) {
            const mcpw_options options = with_flags(all_flags[at % FLAGS]);
            CHECK(read_text(&samples[i], samples[i].text, at, &options) != MCPW_OK);
        }
    }
}

static void a_value_of_another_kind_is_handled_alike(void) {
    static const char *const values[] = {"null", "1",  "-1.5", "\"x\"",        "true",
                                         "[]",   "{}", "[1]",  "{\"a\":\"b\"}"};
    for (size_t i = 0; i < SAMPLES; i++) {
        const char *const text = samples[i].text;
        for (const char *colon = strchr(text, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
            const char *const end = colon + 1 + strcspn(colon + 1, ",}]");
            for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
                char changed[TEXT_SIZE];
                const mcpw_options options = with_flags(all_flags[k % FLAGS]);
                const int len = snprintf(changed, sizeof changed, "%.*s%s%s", (int)(colon + 1 - text), text,
                                         values[k], end);
                (void)read_text(&samples[i], changed, (size_t)len, &options);
            }
        }
    }
}

/* The lowest limit that lets the text pass. Below it the status says which limit it is. */
static unsigned least_limit(const sample *s, mcpw_status refusal, bool depth) {
    mcpw_options options = with_flags(0);
    unsigned limit = 1;
    for (; limit < MOST_LIMIT; limit++) {
        mcpw_status status;
        options.max_depth = depth ? limit : 0;
        options.max_elements = depth ? 0 : limit;
        status = read_text(s, s->text, strlen(s->text), &options);
        if (status == MCPW_OK) {
            break;
        }
        CHECK(status == refusal || status == MCPW_E_UNION);
    }
    return limit;
}

static void limits_are_exact(void) {
    for (size_t i = 0; i < SAMPLES; i++) {
        CHECK(least_limit(&samples[i], MCPW_E_DEPTH, true) < MOST_LIMIT);
        CHECK(least_limit(&samples[i], MCPW_E_ELEMENTS, false) < MOST_LIMIT);
    }
    /* result, content, block, annotations, audience */
    CHECK(least_limit(&samples[0], MCPW_E_DEPTH, true) == 5);
}

int main(void) {
    RUN(the_samples_are_valid);
    RUN(a_byte_that_is_wrong_is_handled_alike);
    RUN(a_text_that_is_cut_off_is_refused);
    RUN(a_value_of_another_kind_is_handled_alike);
    RUN(limits_are_exact);
    mcpw_arena_free(&arena);
    mcpw_buffer_free(&buffer);
    return check_end();
}
