/* SPDX-License-Identifier: MIT */
/* Structs of sessions and clients that were not initialised, or that ask for what is not known here. */
#include <mcpw/http_client.h>
#include <mcpw/io.h>

#include "session_harness.h"

static mcpw_session_config client_config(void) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    config.role = MCPW_ROLE_CLIENT;
    config.name = "c";
    config.version = "1";
    return config;
}

static void a_call_is_refused(void) {
    end *const e = server_of(MODERN, MODERN);
    open_server(e);
    const mcpw_call call = {.struct_size = 1};
    mcpw_error error = {0};
    CHECK(mcpw_session_request(e->session, NULL, 0, NULL, &call, NULL, NULL, NULL, &error) ==
          MCPW_E_ARGUMENT);
    CHECK_HAS(error.message, "struct_size of the mcpw_call is wrong");
    end_free(e);
}

static void a_spawn_is_refused(void) {
    const mcpw_session_config config = client_config();
    const mcpw_spawn spawn = {.struct_size = 1};
    mcpw_error error = {0};
    CHECK(mcpw_client_start(&spawn, &config, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    CHECK_HAS(error.message, "struct_size of the mcpw_spawn is wrong");
}

static void a_config_of_a_client_over_http_is_refused(void) {
    mcpw_http_client_config config = MCPW_HTTP_CLIENT_CONFIG_INIT;
    mcpw_error error = {0};
    CHECK(mcpw_http_client_new(&config, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    config.struct_size = 1;
    CHECK(mcpw_http_client_new(&config, &error) == NULL);
    CHECK_HAS(error.message, "MCPW_HTTP_CLIENT_CONFIG_INIT");
}

static void a_transport_without_functions_is_refused(void) {
    const mcpw_session_config config = client_config();
    const mcpw_transport empty = {.fd = -1};
    mcpw_session *const session = mcpw_session_new(&config, NULL);
    mcpw_io io;
    mcpw_error error = {0};
    CHECK(session != NULL && mcpw_io_carry(&io, session, &empty, &error) == MCPW_E_ARGUMENT);
    CHECK_HAS(error.message, "mcpw_io_carry needs a transport with its functions");
    CHECK(mcpw_io_carry(&io, session, NULL, &error) == MCPW_E_ARGUMENT);
    mcpw_session_free(session);
}

int main(void) {
    RUN(a_call_is_refused);
    RUN(a_spawn_is_refused);
    RUN(a_config_of_a_client_over_http_is_refused);
    RUN(a_transport_without_functions_is_refused);
    return check_end();
}
