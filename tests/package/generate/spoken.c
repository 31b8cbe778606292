/* SPDX-License-Identifier: MIT */
/* Two pieces of one program: one brings a revision of its own, which its sessions speak; the other does not. */
#include <mcp/2027-01-15.h>

#include <mcpw/codec.h>
#include <mcpw/library.h>
#include <mcpw/project.h>
#include <mcpw/server.h>
#include <mcpw/session.h>

#include <stdio.h>
#include <string.h>

static mcpw_status say_hello(void *user, mcpw_request *request, mcpw_json arguments) {
    (void)user;
    (void)arguments;
    return mcpw_respond_text(request, "hello", 5);
}

/* Carries what one end has written to the other; false: it had nothing to say. */
static bool carry(mcpw_session *from, mcpw_session *to) {
    const mcpw_str said = mcpw_session_output(from);
    const bool any = said.len != 0;
    (void)!mcpw_session_feed(to, said.ptr, said.len);
    mcpw_session_sent(from, said.len);
    return any;
}

static void print_result(void *user, mcpw_session *session, const mcpw_reply *reply) {
    (void)user;
    (void)session;
    printf("%s\n", reply->status == MCPW_OK ? "answered" : reply->error.message);
}

/* The revision that two ends come to. */
static void talk(const char *who, const mcpw_library *client_has, const mcpw_library *server_has) {
    (void)who;
    (void)client_has;
    (void)server_has;
}

int main(void) { return 0; }
