/* SPDX-License-Identifier: MIT */
#include "tap_web.h"

#include "tool.h"

web *web_open(const web_settings *settings) {
    (void)settings;
    tool_complain("--web: this mcpwire was built without libmicrohttpd");
    return NULL;
}

void web_event(web *w, const text *event) {
    (void)w;
    (void)event;
}

void web_close(web *w) { (void)w; }
