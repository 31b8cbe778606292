/* SPDX-License-Identifier: MIT */
/* Skills of the server, in a build without libyaml. */
#include "call.h"

#include "tool.h"

mcpw_status call_skills_declare(mcpw_session_config *config, mcpw_error *error) {
    (void)config;
    return mcpw_error_set(error, MCPW_E_CAPABILITY, 0,
                          "this mcpwire was built without libyaml and libsodium, which skills need");
}

int call_skills_list(caller *c, const char *server) {
    (void)c;
    (void)server;
    return TOOL_FAILED;
}

int call_skills_read(caller *c, const char *server, const char *uri, const char *file) {
    (void)c;
    (void)server;
    (void)uri;
    (void)file;
    return TOOL_FAILED;
}
