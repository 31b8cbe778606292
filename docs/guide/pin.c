/* SPDX-License-Identifier: MIT */
/* One source for every pin. */
#include <mcp/pinned.h>

#include <stdio.h>

int main(void) {
    size_t count;
    const mcpw_revision *const *const revisions = mcpw_revisions(&count);
#if MCPW_PIN >= 20260728
    printf("results have a resultType\n");
#else
    printf("results have no resultType\n");
#endif
    printf("pinned: %s\n", mcpw_revision_name(&mcp_revision));
    for (size_t i = 0; i < count; i++) {
        printf("%s %.8s...\n", mcpw_revision_name(revisions[i]), mcpw_revision_sha256(revisions[i]));
    }
    return 0;
}
