/* SPDX-License-Identifier: MIT */
/* Prints what the numbers in the header of an input stand for: "type REVISION-NUMBER NUMBER REVISION NAME",
 * and "method REVISION-NUMBER NUMBER REVISION METHOD RESULT-TYPE". */
#include "fuzz.h"

#include <mcpw/detail/catalogue.h>

int main(void) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < mcpw_type_count(all[i]); j++) {
            printf("type %zu %zu %s %s\n", i, j, mcpw_revision_name(all[i]),
                   mcpw_type_name(mcpw_type_at(all[i], j)));
        }
        for (int j = 1; j <= mcpw_method_count(all[i]); j++) {
            const mcpw_str name = mcpw_method_name(all[i], j);
            const mcpw_method *const entry = mcpw_method_entry(all[i], j);
            printf("method %zu %d %s %.*s %s\n", i, j, mcpw_revision_name(all[i]), (int)name.len, name.ptr,
                   mcpw_method_result(entry) != NULL ? mcpw_type_name(mcpw_method_result(entry)) : "-");
        }
    }
    return 0;
}
