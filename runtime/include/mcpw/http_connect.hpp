/* SPDX-License-Identifier: MIT */
/* Clients over HTTP from C++17; they need the library mcpwire::http_client. */
#ifndef MCPW_HTTP_CONNECT_HPP
#define MCPW_HTTP_CONNECT_HPP

#include <mcpw/client.hpp>
#include <mcpw/http_connect.h>

namespace mcpw {

/* Connects to a server over HTTP and negotiates: mcpw_client_connect. */
inline result<client> connect(const mcpw_http_connect_options &options, const mcpw_session_config &config) {
    mcpw_error why{};
    mcpw_client *const made = mcpw_client_connect(&options, &config, &why);
    return made != nullptr ? result<client>(client::take(made)) : result<client>(why);
}

/* The same from a URL, such as "https://example.com/mcp". */
inline result<client> connect(const char *url, const mcpw_session_config &config) {
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    options.url = url;
    return connect(options, config);
}

} // namespace mcpw

#endif
