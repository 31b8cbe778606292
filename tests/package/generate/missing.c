/* SPDX-License-Identifier: MIT */
/* Asks a part of a revision for what it does not have. */
#include <mcp/2027-03-01.h>

int main(void) {
    mcp_20270301_prompt prompt = {0};
    return prompt.name.len == 0 ? 0 : 1;
}
