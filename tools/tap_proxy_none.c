/* SPDX-License-Identifier: MIT */
#include "tap_proxy.h"

#include "tool.h"

int proxy_run(const proxy_settings *settings, conversations *all, void (*flush)(void *user), void *user) {
    (void)all;
    (void)flush;
    (void)user;
    tool_complain("--listen %s: this mcpwire was built without libmicrohttpd and libcurl", settings->listen);
    return TOOL_FAILED;
}
