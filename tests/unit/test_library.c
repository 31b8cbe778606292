/* SPDX-License-Identifier: MIT */
/* Sets of revisions, as values. That bindings of a program's own are found is shown by package.generate. */
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/table.h>
#include <mcpw/library.h>

#include "check.h"

static mcpw_library only(const mcpw_revision *revision) {
    mcpw_library library = {0};
    CHECK(mcpw_library_add(&library, revision, NULL) == MCPW_OK);
    return library;
}

static void the_first_set_is_what_the_library_holds(void) {
    mcpw_library library;
    size_t held = 0;
    size_t count = 0;
    mcpw_library_init(&library);
    const mcpw_revision *const *const all = mcpw_revisions(&held);
    const mcpw_revision *const *const own = mcpw_library_revisions(&library, &count);
    CHECK(count == held && memcmp(own, all, held * sizeof *all) == 0);
    CHECK(mcpw_library_revisions(NULL, &count) == all && count == held);
    CHECK(mcpw_library_type(NULL, "2026-07-28", "Tool") == mcpw_find_type("2026-07-28", "Tool"));
}

static void revisions_are_sorted_whatever_came_first(void) {
    mcpw_library library = only(&mcp_20260728_revision);
    CHECK(mcpw_library_add(&library, &mcp_20251125_revision, NULL) == MCPW_OK);
    CHECK(library.count == 2);
    CHECK(library.revisions[0] == &mcp_20251125_revision && library.revisions[1] == &mcp_20260728_revision);
}

static void each_set_finds_its_own(void) {
    const mcpw_library a = only(&mcp_20251125_revision);
    const mcpw_library b = only(&mcp_20260728_revision);
    CHECK(mcpw_library_revision(&a, "2025-11-25") == &mcp_20251125_revision);
    CHECK(mcpw_library_revision(&b, "2025-11-25") == NULL);
    CHECK(mcpw_library_type(&a, "2026-07-28", "Tool") == NULL);
    CHECK(mcpw_library_type(&b, "2026-07-28", "Tool") == mcpw_find_type("2026-07-28", "Tool"));
    CHECK(mcpw_library_type(&b, "2026-07-28", "tool") == NULL);
    CHECK(mcpw_library_revision(&b, NULL) == NULL);
}

static void one_of_the_same_name_takes_the_place(void) {
    mcpw_library library;
    mcpw_revision other = mcp_20251125_revision;
    mcpw_library_init(&library);
    const size_t count = library.count;
    CHECK(mcpw_library_add(&library, &other, NULL) == MCPW_OK);
    CHECK(library.count == count);
    CHECK(mcpw_library_revision(&library, "2025-11-25") == &other);
}

static void what_is_no_revision_of_this_library_is_refused(void) {
    mcpw_library library = only(&mcp_20251125_revision);
    mcpw_revision other = mcp_20260728_revision;
    mcpw_error error;
    other.abi++;
    CHECK(mcpw_library_add(&library, &other, &error) == MCPW_E_ARGUMENT);
    CHECK(strcmp(error.message, "these bindings were generated for another mcpwire") == 0);
    CHECK(mcpw_library_add(&library, NULL, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_library_add(NULL, &mcp_20260728_revision, &error) == MCPW_E_ARGUMENT);
    CHECK(library.count == 1);
}

static void a_full_set_stays_as_it_is(void) {
    enum { ONE_MORE = MCPW_LIBRARY_MAX + 1, LETTERS = 3 };
    static mcpw_revision many[ONE_MORE];
    static char names[ONE_MORE][LETTERS];
    mcpw_library library = {0};
    mcpw_error error;
    for (int i = 0; i < ONE_MORE; i++) {
        many[i] = mcp_20251125_revision;
        (void)snprintf(names[i], LETTERS, "%02d", i);
        many[i].name = names[i];
        const mcpw_status status = mcpw_library_add(&library, many + i, &error);
        CHECK(status == (i < MCPW_LIBRARY_MAX ? MCPW_OK : MCPW_E_SIZE));
    }
    CHECK(library.count == MCPW_LIBRARY_MAX);
    CHECK(library.revisions[MCPW_LIBRARY_MAX - 1] == many + (MCPW_LIBRARY_MAX - 1));
}

int main(void) {
    RUN(the_first_set_is_what_the_library_holds);
    RUN(revisions_are_sorted_whatever_came_first);
    RUN(each_set_finds_its_own);
    RUN(one_of_the_same_name_takes_the_place);
    RUN(what_is_no_revision_of_this_library_is_refused);
    RUN(a_full_set_stays_as_it_is);
    return check_end();
}
