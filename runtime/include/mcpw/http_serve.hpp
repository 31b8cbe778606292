/* SPDX-License-Identifier: MIT */
/* Servers over HTTP from C++17; they need the library mcpwire::http. */
#ifndef MCPW_HTTP_SERVE_HPP
#define MCPW_HTTP_SERVE_HPP

#include <mcpw/http_serve.h>
#include <mcpw/server.hpp>
#include <mcpw/session.hpp>

#include <cstdint>
#include <memory>

namespace mcpw {

/* Serves over HTTP until the listener is stopped: mcpw_serve_http. */
inline result<void> serve_http(server &what, const mcpw_http_serve_options &options) {
    mcpw_error why{};
    const mcpw_status status = mcpw_serve_http(what.get(), &options, &why);
    return result<void>(status, why);
}

/* The same on a port of the loopback address (0: any free port), with the given number of threads for
 * handlers. */
inline result<void> serve_http(server &what, std::uint16_t port, unsigned workers = 0) {
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    options.port = port;
    options.workers = workers;
    return serve_http(what, options);
}

/* A listener takes connections and serves them. */
class http_listener {
  public:
    /* Binds and listens. The endpoint in options.http must outlive the listener. */
    static result<http_listener> make(const mcpw_http_serve_options &options) {
        mcpw_error why{};
        mcpw_http_listener *const made = mcpw_http_listener_new(&options, &why);
        return made != nullptr ? result<http_listener>(http_listener(made)) : result<http_listener>(why);
    }
    /* The C object. */
    mcpw_http_listener *get() const noexcept { return listener_.get(); }
    /* The port of the listener. */
    std::uint16_t port() const noexcept { return mcpw_http_listener_port(get()); }
    /* Serves until stop(); it cannot run again. */
    result<void> run() const {
        mcpw_error why{};
        const mcpw_status status = mcpw_http_listener_run(get(), &why);
        return result<void>(status, why);
    }
    /* Stops the listener. Any thread may call this, and a signal handler. */
    void stop() const noexcept { mcpw_http_listener_stop(get()); }

  private:
    struct freed {
        void operator()(mcpw_http_listener *of) const noexcept { mcpw_http_listener_free(of); }
    };
    explicit http_listener(mcpw_http_listener *of) noexcept : listener_(of) {}
    std::unique_ptr<mcpw_http_listener, freed> listener_;
};

} // namespace mcpw

#endif
