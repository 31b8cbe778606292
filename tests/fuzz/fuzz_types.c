/* SPDX-License-Identifier: MIT */
/* Prints what the numbers in the header of an input stand for: "type REVISION-NUMBER NUMBER REVISION NAME",
 * and "method REVISION-NUMBER NUMBER REVISION METHOD RESULT-TYPE". */
#include "fuzz.h"

int main(void) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < all[i]->definition_count; j++) {
            printf("type %zu %zu %s %s\n", i, j, all[i]->name, all[i]->definitions[j]->name);
        }
        for (int j = 1; j <= all[i]->method_count; j++) {
            const mcpw_str name = mcpw_method_name(all[i], j);
            const mcpw_method *const entry = mcpw_method_entry(all[i], j);
            printf("method %zu %d %s %.*s %s\n", i, j, all[i]->name, (int)name.len, name.ptr,
                   entry->result != NULL ? entry->result->name : "-");
        }
    }
    return 0;
}
