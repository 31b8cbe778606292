/* SPDX-License-Identifier: MIT */
/* The refusals of MCPW_STRICT beyond the schema: each text is valid without it. */
#include <mcpw/codec.h>

#include <stdio.h>
#include <stdlib.h>

#include "check.h"

static const char revision[] = "2025-11-25";

static mcpw_status validate(const char *type, const char *text, unsigned flags, mcpw_error *error) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = flags;
    const mcpw_status status =
        mcpw_validate(mcpw_find_type(revision, type), text, strlen(text), &arena, &options, error);
    mcpw_arena_free(&arena);
    return status;
}

/* Valid by the schema, and under strict only when `strict` says so. */
static void expect(const char *type, const char *text, mcpw_status strict, const char *path) {
    mcpw_error error;
    CHECK(validate(type, text, 0, &error) == MCPW_OK);
    const mcpw_status got = validate(type, text, MCPW_STRICT, &error);
    if (got != strict) {
        (void)printf("%s: %s\n", text, got != MCPW_OK ? error.message : "accepted");
    }
    CHECK(got == strict);
    if (got != MCPW_OK && path != NULL) {
        CHECK_STRING(error.path, path);
    }
}

static void uris_have_a_scheme_and_no_spaces(void) {
    expect("Resource", "{\"name\":\"n\",\"uri\":\"file:///a%20b\"}", MCPW_OK, NULL);
    expect("Resource", "{\"name\":\"n\",\"uri\":\"no scheme\"}", MCPW_E_FORMAT, "/uri");
    expect("Resource", "{\"name\":\"n\",\"uri\":\"a:%zz\"}", MCPW_E_FORMAT, "/uri");
}

static void escapes_are_undone_before_a_format_is_looked_at(void) {
    expect("Resource", "{\"name\":\"n\",\"uri\":\"a\\u003ab\"}", MCPW_OK, NULL);
    expect("Resource", "{\"name\":\"n\",\"uri\":\"a\\u0020:b\"}", MCPW_E_FORMAT, "/uri");
}

static void roots_are_files(void) {
    expect("Root", "{\"uri\":\"file:///x\"}", MCPW_OK, NULL);
    expect("Root", "{\"uri\":\"https://x\"}", MCPW_E_FORMAT, "/uri");
}

static void templates_close_their_braces(void) {
    expect("ResourceTemplate", "{\"name\":\"n\",\"uriTemplate\":\"x:/{id}/{+rest}\"}", MCPW_OK, NULL);
    expect("ResourceTemplate", "{\"name\":\"n\",\"uriTemplate\":\"x:/{id\"}", MCPW_E_FORMAT, "/uriTemplate");
    expect("ResourceTemplate", "{\"name\":\"n\",\"uriTemplate\":\"x:/{}\"}", MCPW_E_FORMAT, "/uriTemplate");
}

static void data_is_base64(void) {
    expect("ImageContent", "{\"type\":\"image\",\"data\":\"aGk=\",\"mimeType\":\"image/png\"}", MCPW_OK,
           NULL);
    expect("ImageContent", "{\"type\":\"image\",\"data\":\"aGk\",\"mimeType\":\"image/png\"}", MCPW_E_FORMAT,
           "/data");
    expect("ImageContent", "{\"type\":\"image\",\"data\":\"aGl=\",\"mimeType\":\"image/png\"}", MCPW_E_FORMAT,
           "/data"); /* bits of the padding */
    expect("ImageContent", "{\"type\":\"image\",\"data\":\"a_k=\",\"mimeType\":\"image/png\"}", MCPW_E_FORMAT,
           "/data");
}

static void timestamps_are_rfc_3339(void) {
    expect("Annotations", "{\"lastModified\":\"2025-01-12T15:00:58Z\"}", MCPW_OK, NULL);
    expect("Annotations", "{\"lastModified\":\"2025-01-12T15:00:58.25+02:00\"}", MCPW_OK, NULL);
    expect("Annotations", "{\"lastModified\":\"2025-13-12T15:00:58Z\"}", MCPW_E_FORMAT, "/lastModified");
    expect("Annotations", "{\"lastModified\":\"yesterday\"}", MCPW_E_FORMAT, "/lastModified");
}

static void meta_keys_follow_their_grammar(void) {
    expect("Result", "{\"_meta\":{\"example.com/a_b\":1,\"plain\":2}}", MCPW_OK, NULL);
    expect("Result", "{\"_meta\":{\"bad key\":1}}", MCPW_E_FORMAT, "/_meta");
    expect("Result", "{\"_meta\":{\"1a/x\":1}}", MCPW_E_FORMAT, "/_meta");
}

static void at_most_a_hundred_completions(void) {
    char text[2000] = "{\"completion\":{\"values\":[\"v\"";
    for (int i = 1; i < 100; i++) {
        (void)strcat(text, ",\"v\"");
    }
    const size_t len = strlen(text);
    (void)strcpy(text + len, "]}}");
    expect("CompleteResult", text, MCPW_OK, NULL);
    (void)strcpy(text + len, ",\"v\"]}}");
    expect("CompleteResult", text, MCPW_E_FORMAT, "/completion/values");
}

static void members_occur_once_everywhere(void) {
    expect("Result", "{\"x\":{\"a\":1,\"b\":{\"c\":1,\"d\":2}}}", MCPW_OK, NULL);
    expect("Result", "{\"x\":{\"a\":1,\"\\u0061\":2}}", MCPW_E_DUPLICATE, "/x");
    expect("Result", "{\"x\":1,\"x\":2}", MCPW_E_DUPLICATE, "");
}

static void encoding_looks_into_raw_values(void) {
    static const char text[] = "{\"x\":{\"a\":1,\"a\":2}}";
    const mcpw_type *const type = mcpw_find_type(revision, "Result");
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    void *const value = malloc(mcpw_type_size(type));
    CHECK(mcpw_decode(type, text, sizeof text - 1, &arena, value, NULL, NULL) == MCPW_OK);
    CHECK(mcpw_encode(type, value, &out, &options, NULL) == MCPW_OK);
    CHECK_TEXT(out.data, out.len, text);
    options.flags = MCPW_STRICT;
    CHECK(mcpw_encode(type, value, &out, &options, NULL) == MCPW_E_DUPLICATE);
    free(value);
    mcpw_buffer_free(&out);
    mcpw_arena_free(&arena);
}

static void memory_that_runs_out_in_the_walk_is_a_status(void) {
    char text[6000] = "{\"_meta\":{\"k\":1";
    char member[16];
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_error error;
    options.flags = MCPW_STRICT;
    for (int i = 0; i < 200; i++) {
        (void)snprintf(member, sizeof member, ",\"k%d\":1", i);
        (void)strcat(text, member);
    }
    (void)strcat(text, "}}");
    for (size_t limit = 4096; limit < 16384; limit += 512) {
        mcpw_arena arena = MCPW_ARENA_INIT;
        arena.limit = limit;
        const mcpw_status status =
            mcpw_validate(mcpw_find_type(revision, "Result"), text, strlen(text), &arena, &options, &error);
        CHECK(status == MCPW_OK || status == MCPW_E_ARENA);
        mcpw_arena_free(&arena);
    }
}

int main(void) {
    if (mcpw_find_revision(revision) == NULL) {
        (void)printf("skipped: %s is not built\n", revision);
        return CHECK_SKIPPED;
    }
    RUN(uris_have_a_scheme_and_no_spaces);
    RUN(escapes_are_undone_before_a_format_is_looked_at);
    RUN(roots_are_files);
    RUN(templates_close_their_braces);
    RUN(data_is_base64);
    RUN(timestamps_are_rfc_3339);
    RUN(meta_keys_follow_their_grammar);
    RUN(at_most_a_hundred_completions);
    RUN(members_occur_once_everywhere);
    RUN(encoding_looks_into_raw_values);
    RUN(memory_that_runs_out_in_the_walk_is_a_status);
    return check_end();
}
