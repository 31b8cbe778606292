/* SPDX-License-Identifier: MIT */
/* Two pieces of one program: one brings a revision of its own, which its sessions speak; the other has those
 * of the library. */
#include <mcp/2026-07-28.h>
#include <mcp/2027-01-15.h>

#include <mcpw/codec.h>
#include <mcpw/detail/protocol.h>
#include <mcpw/frame.h>
#include <mcpw/project.h>
#include <mcpw/server.h>

#include <stdio.h>
#include <string.h>

static mcpw_status greet(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_respond_text(request, mcpw_str_from("hello"));
}

/* Carries what one end has to say to the other; false: nothing. */
static bool carry(mcpw_session *from, mcpw_session *to) {
    const char *bytes;
    size_t len;
    bool any = false;
    while ((len = mcpw_session_output(from, &bytes)) != 0) {
        any = true;
        if (mcpw_session_feed(to, bytes, len) != MCPW_OK) {
            return false;
        }
        mcpw_session_sent(from, len);
    }
    return any;
}

static void pump(mcpw_session *a, mcpw_session *b) {
    while (carry(a, b) || carry(b, a)) {
    }
}

static void print_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    const mcpw_revision *const spoken = mcpw_session_revision(session);
    printf("%s: %s, %s, %ld\n", (const char *)user, mcpw_revision_name(spoken),
           reply->status == MCPW_OK ? mcpw_type_name(reply->type) : "failed",
           (long)mcpw_protocol_code(spoken, MCPW_CODE_MISSING_CAPABILITY));
}

/* A client calls the tool of a server; each has its set of revisions. */
static bool talk(const char *who, const mcpw_library *client_has, const mcpw_library *server_has) {
    const mcpw_tool tool = {.name = "greet", .call = greet};
    mcpw_server_config offer = MCPW_SERVER_CONFIG_INIT;
    mcpw_session_config here = MCPW_SESSION_CONFIG_INIT;
    mcpw_session_config there = MCPW_SESSION_CONFIG_INIT;
    offer.name = offer.version = here.name = here.version = "1";
    offer.library = server_has;
    here.role = MCPW_ROLE_CLIENT;
    here.library = client_has;
    there.role = MCPW_ROLE_SERVER;
    there.server = mcpw_server_new_with(&offer, NULL);
    const bool added = there.server != NULL && mcpw_server_add_tool(there.server, &tool, NULL) == MCPW_OK;
    mcpw_session *const server = added ? mcpw_session_new(&there, NULL) : NULL;
    mcpw_session *const client = mcpw_session_new(&here, NULL);
    bool asked = false;
    if (server != NULL && client != NULL && mcpw_session_open(client) == MCPW_OK) {
        const mcp_20260728_call_tool_request_params params = {.name = mcpw_str_from("greet")};
        pump(client, server);
        asked = mcpw_session_request(client, &mcp_20260728_revision, MCP_20260728_METHOD_TOOLS_CALL, &params,
                                     NULL, print_reply, (void *)(uintptr_t)who, NULL, NULL) == MCPW_OK;
        pump(client, server);
    }
    mcpw_session_free(client);
    mcpw_session_free(server);
    mcpw_server_free(there.server);
    return asked;
}

/* A value of the revision that is added, in one of the library's. */
static bool project(const mcpw_type *from, const mcpw_type *to) {
    static const char text[] = "{\"name\":\"n\",\"inputSchema\":{\"type\":\"object\"}}";
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcp_20270115_tool theirs;
    mcp_20260728_tool ours = {0};
    const bool said = mcpw_decode(from, text, sizeof text - 1, &arena, &theirs, NULL, NULL) == MCPW_OK &&
                      mcpw_project(from, &theirs, to, &arena, &ours, NULL, NULL) == MCPW_OK;
    printf("projected: %s\n", said ? ours.name.ptr : "no");
    mcpw_arena_free(&arena);
    return said;
}

int main(void) {
    mcpw_error error;
    mcpw_library library; /* a value; another piece of the program may have another */
    mcpw_library_init(&library);
    const mcpw_status status = mcpw_library_add(&library, &mcp_20270115_revision, &error);
    const mcpw_type *const tool = mcpw_library_type(&library, "2027-01-15", "Tool");
    const bool done = status == MCPW_OK && talk("both bring it", &library, &library) &&
                      talk("the client does", &library, NULL) && talk("the server does", NULL, &library) &&
                      project(tool, mcpw_find_type("2026-07-28", "Tool"));
    printf("without it: %s\n", mcpw_find_type("2027-01-15", "Tool") == NULL ? "not found" : "found");
    return done ? 0 : 1;
}
