/* SPDX-License-Identifier: MIT */
/*
 * The fast ways of reading guess: at a union's alternative by the first member, at a result before its tag is
 * read. If a guess was wrong they hand over, and their findings on the way are not a verdict: neither that
 * the text is broken nor that it holds, nor anything of the value. Each text here makes one of them hand over
 * in the middle, plainly or by an escape that only the plain way reads; the verdict stands beside it. A value
 * is written again and must be the text that was read.
 */
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>
#include <mcpw/detail/catalogue.h>
#include <mcpw/json.h>

#include "check.h"

enum {
    VALUE_SIZE = 4096,
    SHOWN = 300,
    TEXT_SIZE = 40000,
    LONG = 9000 /* bytes, more than are copied at once */
};

typedef struct scene {
    const char *text;
    mcpw_status want; /* without flags */
} scene;

/* Alternatives are told apart by `type`; `text` is of one alone, of which it is a string. */
static const scene blocks[] = {
    {"{\"type\":\"text\",\"text\":\"t\"}", MCPW_OK},
    {"{\"text\":\"t\",\"type\":\"text\"}", MCPW_OK},
    {"{\"\\u0074ype\":\"text\",\"text\":\"t\"}", MCPW_OK},
    {"{\"text\":\"t\",\"type\":\"te\\u0078t\"}", MCPW_OK},
    {"{\"_meta\":{\"a\":1},\"data\":\"aGk=\",\"mimeType\":\"m\",\"type\":\"image\"}", MCPW_OK},
    /* what the guess fails at is an unknown member to the real alternative: broken for one, kept by the other
     */
    {"{\"_meta\":{\"a\":1},\"text\":5,\"data\":\"aGk=\",\"mimeType\":\"m\",\"type\":\"audio\"}", MCPW_OK},
    {"{\"_meta\":{},\"text\":{\"a\":[1,2]},\"data\":\"\",\"mimeType\":\"m\",\"type\":\"im\\u0061ge\"}",
     MCPW_OK},
    {"{\"_meta\":{},\"text\":\"a\",\"text\":\"b\",\"data\":\"\",\"mimeType\":\"m\",\"type\":\"image\"}",
     MCPW_OK},
    {"{\"annotations\":{\"priority\":1},\"uri\":\"u\",\"name\":\"n\",\"type\":\"resource_link\"}", MCPW_OK},
    {"{\"resource\":{\"uri\":\"u\",\"text\":5,\"blob\":\"aGk=\"},\"type\":\"resource\"}", MCPW_OK},
    {"{\"_meta\":{},\"resource\":{\"blob\":\"aGk=\",\"text\":[],\"uri\":\"u\"},\"type\":\"resource\"}",
     MCPW_OK},
    /* the guess has read all of it, and the tag says otherwise */
    {"{\"text\":\"t\",\"type\":\"image\"}", MCPW_E_MISSING},
    {"{\"text\":\"t\",\"type\":\"nope\"}", MCPW_E_UNION},
    {"{\"text\":\"t\"}", MCPW_E_UNION},
    {"{\"text\":\"t\",\"type\":7}", MCPW_E_UNION},
    {"{\"type\":\"text\",\"text\":\"t\",\"type\":\"text\"}", MCPW_E_DUPLICATE},
    {"{\"text\":\"t\",\"type\":\"text\",\"ty\\u0070e\":\"text\"}", MCPW_E_DUPLICATE},
    /* the real alternative fails further on than the guess did */
    {"{\"_meta\":{},\"text\":5,\"data\":6,\"mimeType\":\"m\",\"type\":\"image\"}", MCPW_E_TYPE},
    {"{\"_meta\":{},\"text\":5,\"data\":\"\",\"mimeType\":\"m\",\"type\":\"image\",}", MCPW_E_SYNTAX},
    {"{\"_meta\":{},\"type\":\"image\",\"data\":\"\",\"mimeType\":\"m\",\"text\":\"\xff\"}", MCPW_E_UTF8},
};

/* Unions in unions: one hand-over within another. */
static const scene messages[] = {
    {"{\"content\":[{\"_meta\":{},\"content\":[{\"_meta\":{},\"text\":5,\"data\":\"aGk=\",\"mimeType\":\"m\","
     "\"type\":\"image\"},{\"text\":\"t\",\"type\":\"text\"}],\"toolUseId\":\"i\",\"type\":\"tool_result\"}],"
     "\"role\":\"user\"}",
     MCPW_OK},
    {"{\"role\":\"user\",\"content\":{\"_meta\":{},\"content\":[{\"_meta\":{},\"resource\":{\"text\":1,"
     "\"uri\":\"u\","
     "\"blob\":\"\"},\"type\":\"resource\"}],\"toolUseId\":\"i\",\"type\":\"tool_result\"}}",
     MCPW_OK},
    {"{\"role\":\"user\",\"content\":[{\"_meta\":{},\"text\":5,\"input\":{\"type\":\"text\"},\"id\":\"i\","
     "\"name\":\"n\",\"type\":\"tool_use\"}]}",
     MCPW_OK},
    {"{\"role\":\"user\",\"content\":[{\"_meta\":{},\"content\":[{\"text\":\"t\",\"type\":\"image\"}],"
     "\"toolUseId\":\"i\",\"type\":\"tool_result\"}]}",
     MCPW_E_MISSING},
};

/* The result of tools/call of 2026-07-28; resultType selects it. */
static const scene results[] = {
    {"{\"resultType\":\"complete\",\"content\":[]}", MCPW_OK},
    {"{\"content\":[],\"resultType\":\"complete\"}", MCPW_OK},
    {"{\"content\":[{\"_meta\":{},\"text\":5,\"data\":\"\",\"mimeType\":\"m\",\"type\":\"audio\"}],"
     "\"result\\u0054ype\":\"comp\\u006cete\"}",
     MCPW_OK},
    {"{\"content\":5,\"requestState\":\"s\",\"resultType\":\"input_required\"}", MCPW_OK},
    {"{\"inputRequests\":7,\"content\":[],\"resultType\":\"complete\"}", MCPW_OK},
    {"{\"content\":[],\"resultType\":\"nope\"}", MCPW_E_UNION},
    {"{\"content\":[]}", MCPW_E_UNION},
    {"{\"content\":5,\"resultType\":\"complete\"}", MCPW_E_TYPE},
    {"{\"content\":[],\"resultType\":\"complete\",\"resultType\":\"complete\"}", MCPW_E_DUPLICATE},
};

/* The result of completion/complete: one struct, whose tag is looked at when all of it has been read. */
static const scene completions[] = {
    {"{\"resultType\":\"complete\",\"completion\":{\"values\":[\"a\"]}}", MCPW_OK},
    {"{\"completion\":{\"values\":[]},\"resultTyp\\u0065\":\"comp\\u006cete\"}", MCPW_OK},
    {"{\"completion\":{\"values\":[]},\"resultType\":\"nope\"}", MCPW_E_UNION},
    {"{\"completion\":{\"values\":[]},\"resultType\":\"complet\"}", MCPW_E_UNION},
    {"{\"completion\":{\"values\":[7]},\"resultType\":\"complete\"}", MCPW_E_TYPE},
    {"{\"resultType\":\"complete\"}", MCPW_E_MISSING},
};

static mcpw_arena arena = MCPW_ARENA_INIT;
static mcpw_buffer written = MCPW_BUFFER_INIT;

static void show(const char *text, size_t len, mcpw_status status, mcpw_status want) {
    (void)fprintf(stderr, "%s, not %s: %.*s\n", mcpw_status_name(status), mcpw_status_name(want),
                  len < SHOWN ? (int)len : SHOWN, text);
}

/* Whether both passes come to the verdict, and the value, where there is one, is that of the text. */
static bool holds(const mcpw_type *type, const char *text, size_t len, unsigned flags, mcpw_status want) {
    static max_align_t value[VALUE_SIZE / sizeof(max_align_t)];
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = flags;
    mcpw_arena_reset(&arena);
    const mcpw_status decoded = mcpw_decode(type, text, len, &arena, value, &options, NULL);
    const mcpw_status validated = mcpw_validate(type, text, len, &arena, &options, NULL);
    if (decoded != want || validated != want) {
        show(text, len, decoded != want ? decoded : validated, want);
        return false;
    }
    if (want != MCPW_OK) {
        return true;
    }
    written.len = 0;
    const mcpw_status status = mcpw_encode(type, value, &written, &options, NULL);
    const mcpw_json before = mcpw_json_of(text, len);
    const mcpw_json after = mcpw_json_of(written.data, written.len);
    if (status != MCPW_OK || !mcpw_json_equal(before, after)) {
        show(text, len, status, MCPW_OK);
        return false;
    }
    return true;
}

static void hold(const char *revision, const char *name, const scene *scenes, size_t count) {
    const mcpw_type *const type = mcpw_find_type(revision, name);
    CHECK(type != NULL && mcpw_type_size(type) <= VALUE_SIZE);
    for (size_t i = 0; i < count && type != NULL; i++) {
        CHECK(holds(type, scenes[i].text, strlen(scenes[i].text), 0, scenes[i].want));
    }
}

static void a_block_that_hands_over_is_read_by_its_tag(void) {
    hold("2025-11-25", "ContentBlock", blocks, sizeof blocks / sizeof *blocks);
}

static void a_union_in_a_union_hands_over_for_itself(void) {
    hold("2025-11-25", "SamplingMessage", messages, sizeof messages / sizeof *messages);
}

/* The same for what answers a method of 2026-07-28. */
static void hold_answers(const char *method, const scene *scenes, size_t count) {
    const mcpw_revision *const revision = mcpw_find_revision("2026-07-28");
    const int number = mcpw_method_number(revision, method, strlen(method));
    const mcpw_type *const type = mcpw_method_response(mcpw_method_entry(revision, number));
    CHECK(type != NULL && mcpw_type_size(type) <= VALUE_SIZE);
    for (size_t i = 0; i < count && type != NULL; i++) {
        CHECK(holds(type, scenes[i].text, strlen(scenes[i].text), 0, scenes[i].want));
    }
}

static void a_result_that_hands_over_is_read_by_its_tag(void) {
    hold_answers("tools/call", results, sizeof results / sizeof *results);
}

static void a_result_that_was_read_before_its_tag_still_needs_it(void) {
    hold_answers("completion/complete", completions, sizeof completions / sizeof *completions);
}

static void an_unknown_tag_is_kept_whatever_was_guessed(void) {
    static const char text[] = "{\"_meta\":{},\"text\":5,\"x\":[{}],\"type\":\"nope\"}";
    const mcpw_type *const type = mcpw_find_type("2025-11-25", "ContentBlock");
    CHECK(holds(type, text, sizeof text - 1, MCPW_ALLOW_UNKNOWN, MCPW_OK));
}

/* The reports of a validation that goes on after errors. */
typedef struct told {
    unsigned count;
    mcpw_status first;
    char path[MCPW_ERROR_PATH_SIZE];
} told;

static bool diagnostic(void *user, const mcpw_error *error) {
    told *const t = user;
    if (t->count++ == 0) {
        t->first = error->code;
        (void)snprintf(t->path, sizeof t->path, "%s", error->path);
    }
    return true;
}

static void what_a_guess_finds_wrong_is_not_told(void) {
    static const struct {
        const char *text;
        unsigned count;
        mcpw_status first;
        const char *path;
    } cases[] = {
        {"{\"content\":[7,8],\"resultType\":\"nope\"}", 1, MCPW_E_UNION, ""},
        {"{\"content\":[7,8],\"resultType\":\"complete\"}", 2, MCPW_E_UNION, "/content/0"},
        {"{\"content\":[{\"text\":\"t\",\"type\":\"image\"}],\"resultType\":\"complete\"}", 2, MCPW_E_MISSING,
         "/content/0"},
        {"{\"content\":[{\"text\":5,\"data\":\"\",\"mimeType\":\"m\",\"type\":\"image\"}],"
         "\"resultType\":\"complete\"}",
         0, MCPW_OK, ""},
    };
    const mcpw_revision *const revision = mcpw_find_revision("2026-07-28");
    const int number = mcpw_method_number(revision, "tools/call", strlen("tools/call"));
    const mcpw_type *const type = mcpw_method_response(mcpw_method_entry(revision, number));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        told t = {0, MCPW_OK, ""};
        mcpw_options options = MCPW_OPTIONS_INIT;
        options.on_error = diagnostic;
        options.user = &t;
        const mcpw_status status =
            mcpw_validate(type, cases[i].text, strlen(cases[i].text), &arena, &options, NULL);
        CHECK(status == cases[i].first && t.first == cases[i].first);
        CHECK(t.count == cases[i].count);
        CHECK_TEXT(t.path, strlen(t.path), cases[i].path);
    }
}

/* In a text that is long enough for masks, at each place that a block of them can have; with as many blocks
 * before it as have been guessed right, and wrong. */
static void a_hand_over_in_a_long_text_is_the_same(void) {
    static const char wrong[] =
        "{\"_meta\":{},\"text\":5,\"data\":\"\",\"mimeType\":\"m\",\"type\":\"image\"},";
    static char text[TEXT_SIZE];
    const mcpw_type *const type = mcpw_find_type("2025-11-25", "CallToolResult");
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        const mcpw_status block = blocks[i].want;
        for (int shift = 0; shift < 64; shift += 7) {
            const int len =
                snprintf(text, sizeof text,
                         "{%*s\"content\":[{\"text\":\"t\",\"type\":\"text\"},%s%s%s],\"_meta\":{\"x\":"
                         "[\"%0*d\",{\"type\":\"text\"}]}}",
                         shift, "", shift % 2 != 0 ? wrong : "", wrong, blocks[i].text, LONG, shift);
            CHECK(len > 0 && len < TEXT_SIZE);
            CHECK(holds(type, text, (size_t)len, 0, block));
        }
    }
}

int main(void) {
    RUN(a_block_that_hands_over_is_read_by_its_tag);
    RUN(a_union_in_a_union_hands_over_for_itself);
    RUN(a_result_that_hands_over_is_read_by_its_tag);
    RUN(a_result_that_was_read_before_its_tag_still_needs_it);
    RUN(an_unknown_tag_is_kept_whatever_was_guessed);
    RUN(what_a_guess_finds_wrong_is_not_told);
    RUN(a_hand_over_in_a_long_text_is_the_same);
    mcpw_buffer_free(&written);
    mcpw_arena_free(&arena);
    return check_end();
}
