/* SPDX-License-Identifier: MIT */
/* The rules of the protocol, asked by a program that has no session: one that looks on. */
#include <mcpw/policy.h>

#include <stdio.h>

/* The receiver's reaction to a request of the client, and the rules that the request breaks. */
static void look_at(const mcpw_policy_state *state, const char *method) {
    mcpw_verdict verdict;
    const mcpw_policy_message request = {
        .from = MCPW_ROLE_CLIENT,
        .kind = MCPW_MESSAGE_REQUEST,
        .revision = state->agreed,
        .name = mcpw_str_from(method),
    };
    printf("%s: %s\n", method, mcpw_policy_admits(state, &request, &verdict) ? "taken" : "not taken");
    for (int rule = MCPW_RULE_NONE + 1; rule < MCPW_RULE_COUNT; rule++) {
        if (mcpw_policy_breaks((mcpw_rule)rule, state, &request, &verdict)) {
            printf("    %s: %s\n", mcpw_rule_name(verdict.rule), verdict.text);
        }
    }
}

int main(void) {
    mcpw_policy_state state = {.phase = MCPW_PHASE_NEW, .agreed = mcpw_find_revision("2025-11-25")};
    if (state.agreed == NULL) {
        return 1; /* the library was built without that revision */
    }
    look_at(&state, "tools/list");
    state.phase = MCPW_PHASE_OPEN;
    state.initialized = true;
    state.server.text = mcpw_json_from("{\"tools\":{}}");
    look_at(&state, "tools/list");
    look_at(&state, "prompts/list");
    return 0;
}
