/* SPDX-License-Identifier: MIT */
#include <mcpw/adapt.h>
#include <mcpw/detail/field.h>
#include <mcpw/detail/reflect.h>

#include "counting_allocator.h"
#include "projecting.h"

enum { MOST_ROOM = 4096, ROOM_STEP = 40 };

static mcpw_project_options telling(outcome *o) {
    mcpw_project_options options = MCPW_PROJECT_INIT;
    options.values = all_values();
    options.on_drop = tell;
    options.user = o;
    return options;
}

/* The same in arenas of any size: where the room is not enough that is the error. */
static void adapt_in_little_room(const mcpw_type *from, const void *value, const mcpw_type *to,
                                 const outcome *whole) {
    for (size_t limit = 1; limit < MOST_ROOM; limit += ROOM_STEP) {
        counting memory = {0};
        mcpw_arena arena = MCPW_ARENA_INIT;
        const void *out = value;
        outcome o;
        memset(&o, 0, sizeof o);
        const mcpw_project_options options = telling(&o);
        arena.allocator = counting_allocator(&memory);
        arena.limit = limit;
        const mcpw_status status = mcpw_adapt(from, value, to, &options, &arena, &out, &o.error);
        CHECK(status == whole->status || status == MCPW_E_ARENA);
        CHECK(status == MCPW_OK || (o.error.code == status && out == NULL));
        mcpw_arena_free(&arena);
        CHECK(memory.in_use == 0);
    }
}

/* Adapts the value of a text and encodes what comes out. */
static outcome adapt(const char *from, const char *to, const char *part, const char *text) {
    const mcpw_type *const source = part_of(from, part);
    const mcpw_type *const target = part_of(to, part);
    outcome o;
    mcpw_arena arena = MCPW_ARENA_INIT;
    void *const value = calloc(1, mcpw_type_size(source));
    const void *out = value;
    memset(&o, 0, sizeof o);
    o.text = (mcpw_buffer)MCPW_BUFFER_INIT;
    const mcpw_project_options options = telling(&o);
    CHECK(mcpw_decode(source, text, strlen(text), &arena, value, NULL, &o.error) == MCPW_OK);
    CHECK_STRING(o.error.message, "");
    o.status = mcpw_adapt(source, value, target, &options, &arena, &out, &o.error);
    if (o.status == MCPW_OK) {
        CHECK(mcpw_encode(target, out, &o.text, NULL, &o.error) == MCPW_OK);
    } else {
        CHECK(out == NULL);
    }
    adapt_in_little_room(source, value, target, &o);
    free(value);
    mcpw_arena_free(&arena);
    return o;
}

static void audio_becomes_a_note_of_it(void) {
    SAYS(adapt(REV_D, REV_A, "tools/call result",
               "{\"content\":[{\"type\":\"audio\",\"data\":\"aGVsbG8=\",\"mimeType\":\"audio/wav\"},"
               "{\"type\":\"audio\",\"data\":\"aGVsbG8h\",\"mimeType\":\"a\\\"b\"},"
               "{\"type\":\"audio\",\"data\":\"\",\"mimeType\":\"a\"}]}"),
         "{\"content\":[{\"type\":\"text\",\"text\":\"[audio: audio/wav, 5 bytes]\"},"
         "{\"type\":\"text\",\"text\":\"[audio: a\\\"b, 6 bytes]\"},"
         "{\"type\":\"text\",\"text\":\"[audio: a, 0 bytes]\"}]}",
         "");
    SAYS(adapt(REV_B, REV_A, "prompts/get result",
               "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"audio\",\"data\":\"YQ==\","
               "\"mimeType\":\"audio/ogg\"}}]}"),
         "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"[audio: audio/ogg, 1 "
         "bytes]\"}}]}",
         "");
}

static void audio_stays_where_it_is_known(void) {
    static const char text[] =
        "{\"content\":[{\"type\":\"audio\",\"data\":\"aGVsbG8=\",\"mimeType\":\"audio/wav\"}]}";
    SAYS(adapt(REV_D, REV_B, "tools/call result", text), text, "");
}

static void a_link_becomes_its_name_and_uri(void) {
    SAYS(adapt(REV_E, REV_B, "tools/call result",
               "{\"resultType\":\"complete\",\"content\":[{\"type\":\"resource_link\",\"name\":\"n\",\"uri\":"
               "\"file:///a\",\"title\":\"t\",\"size\":3}]}"),
         "{\"content\":[{\"type\":\"text\",\"text\":\"[resource: n, file:///a]\"}]}", "/resultType ");
    SAYS(adapt(REV_C, REV_A, "prompts/get result",
               "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"resource_link\",\"name\":\"n\","
               "\"uri\":\"u\"}}]}"),
         "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"[resource: n, u]\"}}]}",
         "");
}

static void what_a_result_has_besides_is_dropped(void) {
    SAYS(adapt(REV_E, REV_A, "tools/call result",
               "{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"h\",\"annotations\":{"
               "\"audience\":[\"user\"],\"priority\":0.5,\"lastModified\":\"x\"},\"_meta\":{\"a\":1}},"
               "{\"type\":\"resource\",\"resource\":{\"uri\":\"u\",\"blob\":\"aa\",\"_meta\":{}}}],"
               "\"isError\":true}"),
         "{\"content\":[{\"type\":\"text\",\"text\":\"h\",\"annotations\":{\"audience\":[\"user\"],"
         "\"priority\":"
         "0.5}},{\"type\":\"resource\",\"resource\":{\"uri\":\"u\",\"blob\":\"aa\"}}],\"isError\":true}",
         "/resultType /content/0/annotations/lastModified /content/0/_meta /content/1/resource/_meta ");
}

static void structured_content_alone_becomes_text(void) {
    SAYS(adapt(REV_D, REV_B, "tools/call result",
               "{\"content\":[],\"structuredContent\":{\"a\":\"\\u0041\"}}"),
         "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"a\\\":\\\"\\\\u0041\\\"}\"}]}",
         "/structuredContent ");
    SAYS(adapt(REV_E, REV_D, "tools/call result",
               "{\"resultType\":\"complete\",\"content\":[],\"structuredContent\":[1,\"x\"]}"),
         "{\"content\":[{\"type\":\"text\",\"text\":\"[1,\\\"x\\\"]\"}]}", "/resultType /structuredContent ");
}

static void structured_content_beside_content_is_dropped(void) {
    SAYS(adapt(REV_E, REV_D, "tools/call result",
               "{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"1\"}],"
               "\"structuredContent\":1}"),
         "{\"content\":[{\"type\":\"text\",\"text\":\"1\"}]}", "/resultType /structuredContent ");
}

static void structured_content_stays_where_it_is_known(void) {
    static const char text[] = "{\"content\":[],\"structuredContent\":{\"a\":1}}";
    SAYS(adapt(REV_D, REV_C, "tools/call result", text), text, "");
}

static void broken_structured_content_is_refused(void) {
    const mcpw_type *const from = part_of(REV_E, "tools/call result");
    static const char text[] = "{\"resultType\":\"complete\",\"content\":[],\"structuredContent\":[1]}";
    mcpw_arena arena = MCPW_ARENA_INIT;
    void *const value = calloc(1, mcpw_type_size(from));
    const void *out = value;
    mcpw_error error;
    CHECK(mcpw_decode(from, text, strlen(text), &arena, value, NULL, NULL) == MCPW_OK);
    const mcpw_json broken = mcpw_json_from("[1");
    memcpy((char *)value + mcpw_type_slot(from, "structuredContent").offset, &broken, sizeof broken);
    CHECK(mcpw_adapt(from, value, part_of(REV_B, "tools/call result"), NULL, &arena, &out, &error) ==
          MCPW_E_SYNTAX);
    CHECK_STRING(error.path, "/structuredContent");
    CHECK(out == NULL);
    free(value);
    mcpw_arena_free(&arena);
}

static void a_titled_choice_becomes_the_older_form(void) {
    SAYS(adapt(
             REV_D, REV_C, "elicitation/create params",
             "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":"
             "\"string\",\"title\":\"T\",\"description\":\"D\",\"default\":\"x\",\"oneOf\":[{\"const\":\"x\","
             "\"title\":\"X\"},{\"const\":\"y\",\"title\":\"Y\"}]}}}}"),
         "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":"
         "\"string\",\"title\":\"T\",\"description\":\"D\",\"enum\":[\"x\",\"y\"],\"enumNames\":[\"X\",\"Y\"]"
         "}}}}",
         "");
}

static void a_single_block_stands_for_its_list(void) {
    SAYS(adapt(REV_D, REV_A, "sampling/createMessage params",
               "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"audio\",\"data\":\"aGVsbG8=\","
               "\"mimeType\":\"audio/wav\"}]}],\"maxTokens\":1}"),
         "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"[audio: audio/wav, 5 "
         "bytes]\"}}],\"maxTokens\":1}",
         "");
}

static void everything_else_is_refused_by_name(void) {
    REFUSES(adapt(REV_D, REV_C, "sampling/createMessage params",
                  "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},"
                  "{\"type\":\"text\",\"text\":\"b\"}]}],\"maxTokens\":1}"),
            MCPW_E_PROJECTION, "/messages/0/content", "array");
    REFUSES(adapt(REV_D, REV_C, "sampling/createMessage result",
                  "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":\"tool_use\",\"id\":\"1\","
                  "\"name\":\"n\",\"input\":{}}}"),
            MCPW_E_PROJECTION, "/content", "ToolUseContent");
    REFUSES(
        adapt(REV_D, REV_C, "sampling/createMessage params",
              "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"tool_result\",\"toolUseId\":\"1\","
              "\"content\":[]}}],\"maxTokens\":1}"),
        MCPW_E_PROJECTION, "/messages/0/content", "ToolResultContent");
    REFUSES(adapt(REV_E, REV_C, "elicitation/create params",
                  "{\"mode\":\"url\",\"message\":\"m\",\"url\":\"u\"}"),
            MCPW_E_PROJECTION, "", "ElicitRequestURLParams");
}

static void values_of_the_context_are_put_in(void) {
    SAYS(adapt(REV_A, REV_E, "resources/list result", "{\"resources\":[]}"),
         "{\"resultType\":\"complete\",\"resources\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}", "");
}

static void the_same_type_is_the_value_itself(void) {
    const mcpw_type *const type = part_of(REV_D, "tools/call result");
    const int value = 1;
    const void *out = NULL;
    mcpw_arena arena = MCPW_ARENA_INIT;
    CHECK(mcpw_adapt(type, &value, type, NULL, &arena, &out, NULL) == MCPW_OK && out == &value);
    mcpw_arena_free(&arena);
}

int main(void) {
    if (!all_revisions()) {
        (void)printf("skipped: not every revision is built\n");
        return CHECK_SKIPPED;
    }
    RUN(audio_becomes_a_note_of_it);
    RUN(audio_stays_where_it_is_known);
    RUN(a_link_becomes_its_name_and_uri);
    RUN(what_a_result_has_besides_is_dropped);
    RUN(structured_content_alone_becomes_text);
    RUN(structured_content_beside_content_is_dropped);
    RUN(structured_content_stays_where_it_is_known);
    RUN(broken_structured_content_is_refused);
    RUN(a_titled_choice_becomes_the_older_form);
    RUN(a_single_block_stands_for_its_list);
    RUN(everything_else_is_refused_by_name);
    RUN(values_of_the_context_are_put_in);
    RUN(the_same_type_is_the_value_itself);
    return check_end();
}
