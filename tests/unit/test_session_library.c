/* SPDX-License-Identifier: MIT */
/* Sessions with sets of revisions of their own: two pieces of a program, of which one brings a revision that
 * the other lacks. */
#include <mcp/2024-11-05.h>
#include <mcp/2025-03-26.h>
#include <mcp/2025-06-18.h>
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>

#include <mcpw/server.h>

#include "session_harness.h"

static mcpw_library set_of(const mcpw_revision *one, const mcpw_revision *other) {
    mcpw_library library = {0};
    CHECK(mcpw_library_add(&library, one, NULL) == MCPW_OK);
    CHECK(other == NULL || mcpw_library_add(&library, other, NULL) == MCPW_OK);
    return library;
}

/* The revision that a client and a server of these sets come to. */
static const mcpw_revision *agreed(const mcpw_library *client_has, const mcpw_library *server_has) {
    end *const client = client_of(MODERN, MODERN);
    end *const server = server_of(MODERN, MODERN);
    end_serve(server, "tools/list", list_one_tool);
    client->unchecked = server->unchecked = true;
    client->config.revisions = server->config.revisions = NULL;
    client->config.library = client_has;
    server->config.library = server_has;
    end_start(server);
    end_start(client);
    CHECK(mcpw_session_open(client->session) == MCPW_OK);
    pump(client, server, NULL);
    CHECK(client->opened == 1 && client->open_status == MCPW_OK);
    const mcpw_revision *const revision = mcpw_session_revision(client->session);
    end_free(client);
    end_free(server);
    return revision;
}

static void the_newest_that_both_have_is_spoken(void) {
    const mcpw_library with = set_of(&mcp_20251125_revision, &mcp_20260728_revision);
    const mcpw_library without = set_of(&mcp_20250618_revision, &mcp_20251125_revision);
    CHECK(agreed(&with, &with) == &mcp_20260728_revision);
    CHECK(agreed(&with, &without) == &mcp_20251125_revision);
    CHECK(agreed(&without, &with) == &mcp_20251125_revision);
    CHECK(agreed(&without, NULL) == &mcp_20251125_revision);
    CHECK(agreed(NULL, &with) == &mcp_20260728_revision);
}

static mcpw_endpoint *endpoint_of(mcpw_server *server, const mcpw_library *library, const char *revisions,
                                  mcpw_error *error) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    config.role = MCPW_ROLE_SERVER;
    config.name = config.version = "1";
    config.server = server;
    config.library = library;
    config.revisions = revisions;
    return mcpw_endpoint_new(&config, error);
}

static void names_are_those_of_the_set(void) {
    const mcpw_library small = set_of(&mcp_20251125_revision, NULL);
    mcpw_error error;
    CHECK(endpoint_of(NULL, &small, "2026-07-28", &error) == NULL);
    CHECK(error.code == MCPW_E_VERSION);
    mcpw_endpoint *const endpoint = endpoint_of(NULL, &small, "2025-11-25", &error);
    CHECK(endpoint != NULL);
    mcpw_endpoint_free(endpoint);
}

static void a_server_is_served_in_the_revisions_of_its_set(void) {
    const mcpw_library small = set_of(&mcp_20251125_revision, NULL);
    const mcpw_library large = set_of(&mcp_20251125_revision, &mcp_20260728_revision);
    mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
    mcpw_error error;
    config.name = config.version = "1";
    config.library = &small;
    mcpw_server *const server = mcpw_server_new_with(&config, NULL);
    CHECK(endpoint_of(server, &large, NULL, &error) == NULL);
    CHECK(error.code == MCPW_E_VERSION);
    CHECK_HAS(error.message, "2026-07-28");
    mcpw_endpoint *const listed = endpoint_of(server, &large, "2025-11-25", &error);
    mcpw_endpoint *const taken = endpoint_of(server, NULL, NULL, &error);
    CHECK(listed != NULL && taken != NULL);
    CHECK(endpoint_of(server, NULL, "2026-07-28", &error) == NULL);
    mcpw_endpoint_free(listed);
    mcpw_endpoint_free(taken);
    mcpw_server_free(server);
}

int main(void) {
    RUN(the_newest_that_both_have_is_spoken);
    RUN(names_are_those_of_the_set);
    RUN(a_server_is_served_in_the_revisions_of_its_set);
    return check_end();
}
