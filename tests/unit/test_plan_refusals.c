/* SPDX-License-Identifier: MIT */
/* Values that no plan handles, in the small library either, which makes none that is followed. */
#include <mcpw/detail/plan.h>

#include "projecting.h"

static void plans_are_of_structs_of_two_revisions(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_plan *plan = NULL;
    const mcpw_type *const type = part_of(REV_E, "tools/call result");
    const mcpw_type *const content = mcpw_find_type(REV_D, "ContentBlock");
    CHECK(mcpw_plan_make(type, type, NULL, &arena, &plan) == MCPW_E_ARGUMENT && plan == NULL);
    CHECK(mcpw_plan_make(type, content, NULL, &arena, &plan) == MCPW_E_ARGUMENT);
    CHECK(mcpw_plan_make(NULL, type, NULL, &arena, &plan) == MCPW_E_ARGUMENT);
    mcpw_arena_free(&arena);
}

static void what_a_plan_gives_up_leaves_nothing(void) {
    static const char text[] = "{\"content\":[],\"structuredContent\":{\"a\":1}}";
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_plan *plan = NULL;
    const void *out = text;
    const mcpw_type *const from = part_of(REV_D, "tools/call result");
    void *const value = mcpw_arena_alloc(&arena, mcpw_type_size(from));
    CHECK(mcpw_decode(from, text, sizeof text - 1, &arena, value, NULL, NULL) == MCPW_OK);
    CHECK(mcpw_plan_make(from, part_of(REV_A, "tools/call result"), NULL, &arena, &plan) == MCPW_OK);
    CHECK(mcpw_plan_needs(plan) == NULL);
    const size_t used = mcpw_arena_used(&arena);
    CHECK(!mcpw_plan_follow(plan, value, NULL, &arena, &out) && out == NULL);
    CHECK(mcpw_arena_used(&arena) == used);
    mcpw_arena_free(&arena);
}

int main(void) {
    if (!all_revisions()) {
        (void)printf("skipped: not every revision is built\n");
        return CHECK_SKIPPED;
    }
    RUN(plans_are_of_structs_of_two_revisions);
    RUN(what_a_plan_gives_up_leaves_nothing);
    return check_end();
}
