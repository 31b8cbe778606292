/* SPDX-License-Identifier: MIT */
/* Clients from C++17: see <mcpw/mcpw.hpp>. */
#ifndef MCPW_CLIENT_HPP
#define MCPW_CLIENT_HPP

#include <mcpw/io.h>
#include <mcpw/session.hpp>
#include <mcpw/values.hpp>

namespace mcpw {

/* ---- Clients ------------------------------------------------------------------------------------------- */

/* A client whose calls wait for their answers. Its destructor closes the session and ends the server. */
class client {
  public:
    /* Starts a server and negotiates. */
    static result<client> start(const mcpw_spawn &spawn, const mcpw_session_config &config) {
        mcpw_error why{};
        mcpw_client *const made = mcpw_client_start(&spawn, &config, &why);
        return made != nullptr ? result<client>(client(made)) : result<client>(why);
    }
    /* The same from the words of a command, which end with NULL. */
    static result<client> start(const char *const *argv, const mcpw_session_config &config) {
        mcpw_spawn spawn{};
        spawn.argv = argv;
        return start(spawn, config);
    }
    /* The same on descriptors. */
    static result<client> attach(int in, int out, const mcpw_session_config &config) {
        mcpw_error why{};
        mcpw_client *const made = mcpw_client_attach(in, out, &config, &why);
        return made != nullptr ? result<client>(client(made)) : result<client>(why);
    }
    /* Takes ownership of a client that was made in C; NULL: none. */
    static client take(mcpw_client *of) noexcept { return client(of); }
    /* The C object. */
    mcpw_client *get() const noexcept { return client_.get(); }
    /* Its session, which lives as long as the client. */
    mcpw_session *session() const noexcept { return mcpw_client_session(get()); }

    /* Calls by a generated function: `client.call(mcp_call_tools_call, params, arena)`. The result lives in
     * the arena. how may be NULL. */
    template <class Params, class Result>
    result<const Result &> call(mcpw_status (*by)(mcpw_client *, const Params *, const mcpw_call *,
                                                  mcpw_arena *, const Result **, mcpw_error *),
                                const Params &params, arena &into, const mcpw_call *how = nullptr) const {
        const Result *found = nullptr;
        mcpw_error why{};
        const mcpw_status status = by(get(), &params, how, into.get(), &found, &why);
        if (status != MCPW_OK) {
            return error_of(status, &why);
        }
        return *found;
    }
    /* The server's error that the last call failed with, including code and data; NULL: it ended in another
     * way. */
    const mcpw_rpc_error *remote_error() const noexcept { return mcpw_client_remote_error(get()); }
    /* Reads and answers messages for up to timeout_ms. */
    result<void> wait(int timeout_ms) const {
        mcpw_error why{};
        const mcpw_status status = mcpw_client_wait(get(), timeout_ms, &why);
        return result<void>(status, why);
    }
    /* Cancels the call that another thread is waiting in; that call returns MCPW_E_CANCELLED. Any thread may
     * call this. */
    void cancel() const noexcept { mcpw_client_cancel(get()); }
    /* For a loop of many clients: fills in the descriptors for poll(), at most MCPW_CLIENT_FDS, and returns
     * their number. */
    std::size_t fds(mcpw_pollfd *into) const noexcept { return mcpw_client_fds(get(), into); }
    /* The ms until work() has something to do; -1: no limit. */
    int timeout() const noexcept { return mcpw_client_timeout(get()); }
    /* Does the work that is possible without waiting. */
    result<void> work() const {
        mcpw_error why{};
        const mcpw_status status = mcpw_client_work(get(), &why);
        return result<void>(status, why);
    }
    /* Checks whether the server answers within timeout_ms (0: as in the config). */
    result<void> ping(std::uint64_t timeout_ms = 0) const {
        mcpw_error why{};
        const mcpw_status status = mcpw_client_ping(get(), timeout_ms, &why);
        return result<void>(status, why);
    }

  private:
    struct stopped {
        void operator()(mcpw_client *of) const noexcept { mcpw_client_free(of); }
    };
    explicit client(mcpw_client *of) noexcept : client_(of) {}
    std::unique_ptr<mcpw_client, stopped> client_;
};

} // namespace mcpw

#endif
