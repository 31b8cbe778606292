/* SPDX-License-Identifier: MIT */
/* One call that serves over either transport, from C++17; it needs the library mcpwire::serve. */
#ifndef MCPW_SERVE_HPP
#define MCPW_SERVE_HPP

#include <mcpw/serve.h>
#include <mcpw/server.hpp>

namespace mcpw {

/* Serves on standard input and output or over HTTP, as the arguments of main select: mcpw_serve. options may
 * be NULL. */
inline result<void> serve(server &what, int argc, char **argv, const mcpw_run_options *options = nullptr) {
    mcpw_error why{};
    const mcpw_status status = mcpw_serve(what.get(), argc, argv, options, &why);
    return result<void>(status, why);
}

} // namespace mcpw

#endif
