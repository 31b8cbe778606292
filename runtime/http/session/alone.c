/* SPDX-License-Identifier: MIT */
/* Sessions of a process that serves them without a cluster. */
#include "http_streams.h"

static void opened(mcpw_http_session *http_session) { (void)http_session; }

static uint64_t next_stream(mcpw_http_session *http_session) { return ++http_session->last_stream; }

static bool is_foreign(const mcpw_http_server *server, uint64_t stream) {
    (void)server;
    (void)stream;
    return false;
}

static mcpw_status adopt(mcpw_http_server *server, mcpw_str id, mcpw_str principal,
                         mcpw_http_session **http_session) {
    (void)server;
    (void)id;
    (void)principal;
    *http_session = NULL;
    return MCPW_E_NOT_FOUND;
}

static mcpw_status touch(mcpw_http_session *http_session) {
    (void)http_session;
    return MCPW_OK;
}

static mcpw_status look_at(mcpw_http_exchange *exchange) {
    (void)exchange;
    return MCPW_OK;
}

static void send_on_own(mcpw_http_session *http_session, const mcpw_outgoing *said) {
    mcpw_http_stream_send(http_session, &http_session->own, said->text);
}

static void reads(const mcpw_http_session *http_session) { (void)http_session; }

const mcpw_sharing mcpw_not_shared = {
    .is_shared = false, /* so neither keep nor repeat is called */
    .opened = opened,
    .next_stream = next_stream,
    .is_foreign = is_foreign,
    .adopt = adopt,
    .touch = touch,
    .ended = opened,
    .look_at = look_at,
    .send_on_own = send_on_own,
    .reads = reads,
};
