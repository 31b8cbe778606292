/* SPDX-License-Identifier: MIT */
#include <mcpw/codec.h>
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/table.h>

#include "check.h"

static void revisions_are_found_by_name(void) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    CHECK(count > 0);
    for (size_t i = 0; i < count; i++) {
        CHECK(mcpw_find_revision(all[i]->name) == all[i]);
        CHECK(i == 0 || all[i - 1]->number < all[i]->number);
    }
    CHECK(mcpw_find_revision("1999-01-01") == NULL);
    CHECK(mcpw_find_revision(NULL) == NULL);
}

static void every_definition_is_found_by_name(void) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < all[i]->definition_count; k++) {
            const mcpw_type *const type = all[i]->definitions[k];
            CHECK(mcpw_find_type(all[i]->name, type->name) == type);
            CHECK(type->revision == all[i]);
        }
    }
}

static void other_names_find_no_type(void) {
    size_t count = 0;
    const mcpw_revision *const revision = mcpw_revisions(&count)[0];
    CHECK(mcpw_revision_type(revision, "tool") == NULL);
    CHECK(mcpw_revision_type(revision, "") == NULL);
    CHECK(mcpw_revision_type(revision, "Zzz") == NULL);
    CHECK(mcpw_revision_type(revision, NULL) == NULL);
    CHECK(mcpw_revision_type(NULL, "Tool") == NULL);
    CHECK(mcpw_find_type("1999-01-01", "Tool") == NULL);
}

static void methods_and_numbers_belong_together(void) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    for (size_t i = 0; i < count; i++) {
        CHECK(all[i]->method_count > 0);
        for (int n = 1; n <= all[i]->method_count; n++) {
            const mcpw_str name = mcpw_method_name(all[i], n);
            CHECK(name.len > 0 && mcpw_method_number(all[i], name.ptr, name.len) == n);
            CHECK(mcpw_method_entry(all[i], n) == all[i]->methods + (n - 1));
        }
    }
}

static void methods_are_found_without_a_hash(void) {
    size_t count = 0;
    mcpw_revision plain = *mcpw_revisions(&count)[0];
    plain.method_hash_mul = 0;
    for (int n = 1; n <= plain.method_count; n++) {
        const mcpw_str name = mcpw_method_name(&plain, n);
        CHECK(mcpw_method_number(&plain, name.ptr, name.len) == n);
    }
    CHECK(mcpw_method_number(&plain, "tools/calls", 11) == 0);
}

static void other_names_find_no_method(void) {
    size_t count = 0;
    const mcpw_revision *const revision = mcpw_revisions(&count)[0];
    CHECK(mcpw_method_number(revision, "tools/calm", 10) == 0);
    CHECK(mcpw_method_number(revision, "tools/call", 9) == 0);
    CHECK(mcpw_method_number(revision, "", 0) == 0);
    CHECK(mcpw_method_number(revision, NULL, 0) == 0);
    CHECK(mcpw_method_entry(revision, 0) == NULL);
    CHECK(mcpw_method_entry(revision, -1) == NULL);
    CHECK(mcpw_method_entry(revision, revision->method_count + 1) == NULL);
    CHECK(mcpw_method_name(revision, 0).ptr == NULL);
}

int main(void) {
    RUN(revisions_are_found_by_name);
    RUN(every_definition_is_found_by_name);
    RUN(other_names_find_no_type);
    RUN(methods_and_numbers_belong_together);
    RUN(methods_are_found_without_a_hash);
    RUN(other_names_find_no_method);
    return check_end();
}
