/* SPDX-License-Identifier: MIT */
/* Plans say what projection says, or leave the value to it. */
#include <mcpw/detail/plan.h>

#include <mcp/2025-11-25.h>

#include "counting_allocator.h"
#include "projecting.h"

enum { FIRST_GIVEN = 3, MOST_ROOM = 4096, ROOM_STEP = 40 };

static const char *const revisions[] = {REV_A, REV_B, REV_C, REV_D, REV_E};

/* The values of results are there when a plan is made, those of the client come later. */
static mcpw_members values_at_first(mcpw_member room[static sizeof meta_values / sizeof *meta_values]) {
    memcpy(room, meta_values, sizeof meta_values);
    for (size_t i = FIRST_GIVEN; i < sizeof meta_values / sizeof *meta_values; i++) {
        room[i].value = (mcpw_json){NULL, 0, 0};
    }
    return (mcpw_members){room, sizeof meta_values / sizeof *meta_values};
}

static bool nothing_is_told(void *user, const char *name, bool root) {
    (void)user;
    return strcmp(name, "resultType") == 0 || (root && strcmp(name, "_meta") == 0);
}

/* A value, a plan for it and what that needs. */
typedef struct planned {
    mcpw_arena arena;
    const mcpw_type *from;
    const mcpw_type *to;
    void *value;
    const mcpw_plan *plan;
    void *made;
} planned;

static void make_needed(planned *p) {
    mcpw_project_options options = MCPW_PROJECT_INIT;
    const mcpw_type *const needs = mcpw_plan_needs(p->plan);
    options.values = all_values();
    if (needs != NULL) {
        p->made = mcpw_arena_alloc(&p->arena, mcpw_type_size(needs));
        CHECK(mcpw_project_values(needs, &p->arena, p->made, &options, NULL) == MCPW_OK);
    }
}

/* False: one of the revisions has no such thing. */
static bool plan_for(planned *p, const char *from, const char *to, const char *part, const char *text,
                     bool silent) {
    mcpw_member room[sizeof meta_values / sizeof *meta_values];
    mcpw_plan_options options = {0};
    memset(p, 0, sizeof *p);
    p->arena = (mcpw_arena)MCPW_ARENA_INIT;
    p->from = part_of(from, part);
    p->to = part_of(to, part);
    if (p->from == NULL || p->to == NULL) {
        return false;
    }
    p->value = mcpw_arena_alloc(&p->arena, mcpw_type_size(p->from));
    options.values = values_at_first(room);
    options.is_silent = silent ? nothing_is_told : NULL;
    if (mcpw_decode(p->from, text, strlen(text), &p->arena, p->value, NULL, NULL) != MCPW_OK ||
        mcpw_plan_make(p->from, p->to, &options, &p->arena, &p->plan) != MCPW_OK) {
        mcpw_arena_free(&p->arena);
        return false;
    }
    make_needed(p);
    return true;
}

static bool follow(planned *p, mcpw_buffer *out) {
    const void *said = NULL;
    const bool followed = mcpw_plan_follow(p->plan, p->value, p->made, &p->arena, &said);
    if (followed) {
        CHECK(mcpw_encode(p->to, said, out, NULL, NULL) == MCPW_OK);
    } else {
        CHECK(said == NULL);
    }
    return followed;
}

/* The result of projection, which reports nothing. */
static void check_projection(planned *p, const mcpw_buffer *planned_text) {
    mcpw_project_options options = MCPW_PROJECT_INIT;
    outcome o = {0};
    void *const said = mcpw_arena_alloc(&p->arena, mcpw_type_size(p->to));
    o.text = (mcpw_buffer)MCPW_BUFFER_INIT;
    options.values = all_values();
    options.on_drop = tell;
    options.user = &o;
    o.status = mcpw_project(p->from, p->value, p->to, &p->arena, said, &options, &o.error);
    CHECK(o.status == MCPW_OK);
    CHECK(mcpw_encode(p->to, said, &o.text, NULL, NULL) == MCPW_OK);
    CHECK_STRING(o.told, "");
    CHECK(o.text.len == planned_text->len && memcmp(o.text.data, planned_text->data, o.text.len) == 0);
    end_outcome(&o);
}

static unsigned follow_all(const char *part, const char *text) {
    unsigned followed = 0;
    for (size_t from = 0; from < sizeof revisions / sizeof *revisions; from++) {
        for (size_t to = 0; to < sizeof revisions / sizeof *revisions; to++) {
            planned p;
            mcpw_buffer out = MCPW_BUFFER_INIT;
            if (from == to || !plan_for(&p, revisions[from], revisions[to], part, text, false)) {
                continue;
            }
            if (follow(&p, &out)) {
                followed++;
                check_projection(&p, &out);
            }
            mcpw_buffer_free(&out);
            mcpw_arena_free(&p.arena);
        }
    }
    return followed;
}

#define META                                                                                                 \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                 \
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"c\",\"version\":\"1\"},"                             \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"

static void plans_say_what_projection_says(void) {
    static const struct {
        const char *part;
        const char *text;
        unsigned least; /* pairs of revisions that a plan does for */
    } cases[] = {
        {"tools/call params", "{\"name\":\"a\",\"arguments\":{\"b\":[1,2]}}", 16},
        {"tools/call params", "{\"name\":\"a\"}", 16},
        {"tools/call params", "{\"name\":\"a\",\"_meta\":{\"progressToken\":7}}", 1},
        {"tools/call params", "{\"name\":\"a\"," META "}", 0},
        {"tools/call result", "{\"content\":[{\"type\":\"text\",\"text\":\"b\"}],\"isError\":true}", 16},
        {"tools/call result",
         "{\"content\":[{\"type\":\"text\",\"text\":\"b\",\"annotations\":{\"audience\":[\"user\","
         "\"assistant\"],"
         "\"priority\":0.5}},{\"type\":\"image\",\"data\":\"YQ==\",\"mimeType\":\"image/png\"},"
         "{\"type\":\"resource\",\"resource\":{\"uri\":\"file:///a\",\"text\":\"b\"}}]}",
         0},
        {"tools/call result", "{\"content\":[],\"structuredContent\":{\"a\":1}}", 2},
        {"tools/call result", "{\"content\":[],\"structuredContent\":[1]}", 0},
        {"tools/call result", "{\"content\":[{\"type\":\"audio\",\"data\":\"YQ==\",\"mimeType\":\"a/b\"}]}",
         9},
        {"tools/list result",
         "{\"tools\":[{\"name\":\"a\",\"description\":\"b\",\"inputSchema\":{\"type\":\"object\"}}]}", 0},
        {"resources/read params", "{\"uri\":\"file:///a\"}", 16},
        {"resources/read result", "{\"contents\":[{\"uri\":\"file:///a\",\"text\":\"b\"}]}", 0},
        {"prompts/get params", "{\"name\":\"a\"}", 16},
        {"prompts/get result",
         "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"a\"}}]}", 16},
        {"sampling/createMessage params",
         "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"a\"}}],\"maxTokens\":9,"
         "\"temperature\":0.25,\"includeContext\":\"none\"}",
         20},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const unsigned followed = follow_all(cases[i].part, cases[i].text);
        if (!check_that(followed >= cases[i].least, __FILE__, __LINE__, "plans are followed")) {
            (void)fprintf(stderr, "%s: %u\n", cases[i].text, followed);
        }
    }
}

static bool goes_by_plan(const char *from, const char *to, const char *part, const char *text, bool silent) {
    planned p;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    const bool made = plan_for(&p, from, to, part, text, silent);
    const bool followed = made && follow(&p, &out);
    CHECK(made);
    mcpw_buffer_free(&out);
    mcpw_arena_free(&p.arena);
    return followed;
}

static void what_would_be_told_or_replaced_goes_by_no_plan(void) {
    static const char call[] = "tools/call result";
    CHECK(!goes_by_plan(REV_D, REV_A, call, "{\"content\":[],\"structuredContent\":{}}", true));
    CHECK(!goes_by_plan(REV_D, REV_E, call, "{\"content\":[],\"other\":1}", true));
    CHECK(!goes_by_plan(REV_D, REV_A, call,
                        "{\"content\":[{\"type\":\"audio\",\"data\":\"YQ==\",\"mimeType\":\"a/b\"}]}", true));
    CHECK(!goes_by_plan(REV_E, REV_D, call,
                        "{\"content\":[],\"structuredContent\":[],\"resultType\":\"complete\"}", true));
    CHECK(!goes_by_plan(REV_E, REV_D, call, "{\"content\":[],\"resultType\":\"complete\"}", false));
}

static void what_nobody_is_told_of_is_left_out(void) {
    CHECK(goes_by_plan(REV_E, REV_D, "tools/call result", "{\"content\":[],\"resultType\":\"complete\"}",
                       true));
    CHECK(goes_by_plan(REV_E, REV_A, "tools/call params", "{\"name\":\"a\"," META "}", true));
}

static void a_plan_needs_what_it_is_to_be_given(void) {
    planned p;
    const void *out = &p;
    CHECK(plan_for(&p, REV_D, REV_E, "tools/call params", "{\"name\":\"a\"}", false));
    CHECK(p.made != NULL);
    CHECK(!mcpw_plan_follow(p.plan, p.value, NULL, &p.arena, &out) && out == NULL);
    mcpw_arena_free(&p.arena);
    out = &p;
    CHECK(plan_for(&p, REV_D, REV_E, "tools/call params", "{\"name\":\"a\",\"_meta\":{\"progressToken\":7}}",
                   false));
    CHECK(!mcpw_plan_follow(p.plan, p.value, NULL, &p.arena, &out) && out == NULL);
    mcpw_arena_free(&p.arena);
}

static void a_list_that_no_memory_holds_goes_by_no_plan(void) {
    static const mcp_20251125_content_block block;
    planned p;
    const void *out = &p;
    CHECK(plan_for(&p, REV_D, REV_E, "tools/call result", "{\"content\":[]}", true));
    mcp_20251125_call_tool_result *const result = p.value;
    result->content.items = &block;
    result->content.count = SIZE_MAX / 2;
    CHECK(!mcpw_plan_follow(p.plan, p.value, p.made, &p.arena, &out) && out == NULL);
    mcpw_arena_free(&p.arena);
}

static void plans_of_the_same_revisions_share_what_both_need(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_plan_options options = {0};
    const mcpw_plan *plan;
    const mcpw_type *const from = part_of(REV_E, "tools/call result");
    const mcpw_type *const to = part_of(REV_D, "tools/call result");
    CHECK(mcpw_plan_make(from, to, &options, &arena, &plan) == MCPW_OK);
    const size_t first = mcpw_arena_used(&arena);
    options.like = plan;
    CHECK(mcpw_plan_make(from, to, &options, &arena, &plan) == MCPW_OK);
    CHECK(mcpw_arena_used(&arena) - first < first / 2);
    mcpw_arena_free(&arena);
}

static void values_make_a_struct_or_say_what_they_lack(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_project_options options = MCPW_PROJECT_INIT;
    mcpw_error error = {0};
    const mcpw_type *const type = mcpw_find_type(REV_E, "RequestMetaObject");
    void *const out = calloc(1, mcpw_type_size(type));
    options.values = all_values();
    CHECK(mcpw_project_values(type, &arena, out, &options, &error) == MCPW_OK);
    options.values.count--;
    CHECK(mcpw_project_values(type, &arena, out, &options, &error) == MCPW_E_PROJECTION);
    CHECK_STRING(error.path, "/io.modelcontextprotocol~1clientCapabilities");
    CHECK(mcpw_project_values(mcpw_find_type(REV_E, "Annotations"), &arena, out, &options, &error) ==
          MCPW_E_PROJECTION);
    CHECK(mcpw_project_values(type, NULL, out, &options, &error) == MCPW_E_ARGUMENT);
    free(out);
    mcpw_arena_free(&arena);
}

static void plans_end_where_room_does(void) {
    planned p;
    CHECK(plan_for(
        &p, REV_E, REV_D, "tools/call result",
        "{\"content\":[{\"type\":\"text\",\"text\":\"b\",\"annotations\":{\"audience\":[\"user\"]}}],"
        "\"resultType\":\"complete\"}",
        true));
    for (size_t limit = 1; limit < MOST_ROOM; limit += ROOM_STEP) {
        counting memory = {0};
        mcpw_arena arena = MCPW_ARENA_INIT;
        const void *out = p.value;
        const mcpw_plan *plan = NULL;
        arena.allocator = counting_allocator(&memory);
        arena.limit = limit;
        CHECK(mcpw_plan_follow(p.plan, p.value, NULL, &arena, &out) == (out != NULL));
        CHECK((mcpw_plan_make(p.from, p.to, NULL, &arena, &plan) == MCPW_OK) == (plan != NULL));
        mcpw_arena_free(&arena);
        CHECK(memory.in_use == 0);
    }
    mcpw_arena_free(&p.arena);
}

int main(void) {
    if (!all_revisions()) {
        (void)printf("skipped: not every revision is built\n");
        return CHECK_SKIPPED;
    }
    RUN(plans_say_what_projection_says);
    RUN(what_would_be_told_or_replaced_goes_by_no_plan);
    RUN(what_nobody_is_told_of_is_left_out);
    RUN(a_plan_needs_what_it_is_to_be_given);
    RUN(a_list_that_no_memory_holds_goes_by_no_plan);
    RUN(plans_of_the_same_revisions_share_what_both_need);
    RUN(values_make_a_struct_or_say_what_they_lack);
    RUN(plans_end_where_room_does);
    return check_end();
}
