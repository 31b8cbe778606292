/* SPDX-License-Identifier: MIT */
/* The access of a request at a protected server over HTTP, from C++17. It needs the library mcpwire::session.
 */
#ifndef MCPW_HTTP_PROTECT_HPP
#define MCPW_HTTP_PROTECT_HPP

#include <mcpw/http_protect.h>
#include <mcpw/request.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace mcpw {

/* The access that a request was granted, without its token. The texts live as long as the request. */
class access {
  public:
    /* From that of the request: mcpw_http_access_of. */
    explicit access(const mcpw_http_access &of) noexcept : of_(&of) {}
    /* The C object. */
    const mcpw_http_access *get() const noexcept { return of_; }
    /* The issuer of the token; empty: the request came without a token, or none was named. */
    std::string_view issuer() const noexcept { return view(of_->issuer); }
    /* The user at the issuer; empty: unknown. */
    std::string_view subject() const noexcept { return view(of_->subject); }
    /* The client that got the token; empty: unknown. */
    std::string_view client_id() const noexcept { return view(of_->client_id); }
    /* The granted scopes, separated by spaces; empty: none. */
    std::string_view scopes() const noexcept { return view(of_->scopes); }
    /* When the token expires, in ms since 1970; 0: unknown. */
    std::uint64_t expires_at() const noexcept { return of_->expires_at; }

  private:
    const mcpw_http_access *of_;
};

/* The access of a request; absent: the request did not come by HTTP, or its server does not check access. */
inline std::optional<access> access_of(const request &of) noexcept {
    const mcpw_http_access *const found = mcpw_http_access_of(of.get());
    return found != nullptr ? std::optional<access>(access(*found)) : std::nullopt;
}

/* Whether a request has a scope: mcpw_http_has_scope. */
inline bool has_scope(const request &of, const char *scope) noexcept {
    return mcpw_http_has_scope(of.get(), scope);
}

} // namespace mcpw

#endif
