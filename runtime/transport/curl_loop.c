/* SPDX-License-Identifier: MIT */
#include "curl_loop.h"

#include <mcpw/io.h>

/* Registers the events that libcurl wants for a socket. */
static int on_socket(CURL *easy, curl_socket_t socket, int what, void *self, void *known) {
    const mcpw_curl_loop *const loop = self;
    const mcpw_handle handle = (mcpw_handle)socket;
    (void)easy, (void)known;
    if (what == CURL_POLL_REMOVE) {
        mcpw_os_set_drop(loop->set, handle); /* it may be closed already */
        return 0;
    }
    const unsigned in = (what & CURL_POLL_IN) != 0 ? MCPW_SET_IN : 0;
    const unsigned out = (what & CURL_POLL_OUT) != 0 ? MCPW_SET_OUT : 0;
    return mcpw_os_set_put(loop->set, handle, in | out, (uintptr_t)socket) ? 0 : -1;
}

static int on_timer(CURLM *multi, long ms, void *self) {
    mcpw_curl_loop *const loop = self;
    (void)multi;
    loop->due = ms < 0 ? UINT64_MAX : mcpw_io_now() + (uint64_t)ms;
    return 0;
}

bool mcpw_curl_loop_open(mcpw_curl_loop *loop, mcpw_os_set *set) {
    loop->set = set;
    loop->due = UINT64_MAX;
    loop->multi = curl_multi_init();
    return loop->multi != NULL &&
           curl_multi_setopt(loop->multi, CURLMOPT_SOCKETFUNCTION, on_socket) == CURLM_OK &&
           curl_multi_setopt(loop->multi, CURLMOPT_SOCKETDATA, (void *)loop) == CURLM_OK &&
           curl_multi_setopt(loop->multi, CURLMOPT_TIMERFUNCTION, on_timer) == CURLM_OK &&
           curl_multi_setopt(loop->multi, CURLMOPT_TIMERDATA, (void *)loop) == CURLM_OK;
}

void mcpw_curl_loop_close(mcpw_curl_loop *loop) {
    if (loop->multi != NULL) {
        (void)curl_multi_cleanup(loop->multi);
        loop->multi = NULL;
    }
}

uint64_t mcpw_curl_loop_due(const mcpw_curl_loop *loop) {
    const uint64_t sockets = mcpw_os_set_due(loop->set);
    return sockets < loop->due ? sockets : loop->due;
}

void mcpw_curl_loop_ready(const mcpw_curl_loop *loop, const mcpw_os_ready *ready) {
    int running = 0;
    const int in = (ready->events & (MCPW_SET_IN | MCPW_SET_BROKEN)) != 0 ? CURL_CSELECT_IN : 0;
    const int out = (ready->events & MCPW_SET_OUT) != 0 ? CURL_CSELECT_OUT : 0;
    (void)curl_multi_socket_action(loop->multi, (curl_socket_t)ready->who, in | out, &running);
}

void mcpw_curl_loop_tick(mcpw_curl_loop *loop) {
    int running = 0;
    if (loop->due <= mcpw_io_now()) {
        loop->due = UINT64_MAX;
        (void)curl_multi_socket_action(loop->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
}

CURL *mcpw_curl_loop_ended(const mcpw_curl_loop *loop, CURLcode *result) {
    int left = 0;
    const CURLMsg *message;
    while ((message = curl_multi_info_read(loop->multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}
