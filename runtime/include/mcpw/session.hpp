/* SPDX-License-Identifier: MIT */
/* Sessions for a program's own transport from C++17: see <mcpw/mcpw.hpp>. */
#ifndef MCPW_SESSION_HPP
#define MCPW_SESSION_HPP

#include <mcpw/frame.h>
#include <mcpw/result.hpp>
#include <mcpw/session.h>

#include <cstddef>
#include <memory>
#include <optional>

namespace mcpw {

/* ---- Sessions ------------------------------------------------------------------------------------------ */

/* A config with the name and version of this program. */
inline mcpw_session_config config(const char *name, const char *version) noexcept {
    mcpw_session_config made = MCPW_SESSION_CONFIG_INIT;
    made.name = name;
    made.version = version;
    return made;
}

/* A server or client, prepared once from a config for all its sessions. It lives until it and the last of its
 * sessions are gone. */
class endpoint {
  public:
    /* A new endpoint; the config's server and handlers must outlive it and its sessions. */
    static result<endpoint> make(const mcpw_session_config &config) {
        mcpw_error why{};
        mcpw_endpoint *const made = mcpw_endpoint_new(&config, &why);
        return made != nullptr ? result<endpoint>(endpoint(made)) : result<endpoint>(why);
    }
    /* The C object. */
    mcpw_endpoint *get() const noexcept { return endpoint_.get(); }

  private:
    struct freed {
        void operator()(mcpw_endpoint *of) const noexcept { mcpw_endpoint_free(of); }
    };
    explicit endpoint(mcpw_endpoint *of) noexcept : endpoint_(of) {}
    std::unique_ptr<mcpw_endpoint, freed> endpoint_;
};

/* One end of a connection, without I/O. It works with one stream of bytes (feed, output, sent) or with whole
 * messages of many streams (receive, next_message), not with both. */
class session {
  public:
    /* A new session; the config's server and handlers must outlive it. */
    static result<session> make(const mcpw_session_config &config) {
        mcpw_error why{};
        mcpw_session *const made = mcpw_session_new(&config, &why);
        return made != nullptr ? result<session>(session(made)) : result<session>(why);
    }
    /* A new session of an endpoint. Handlers get user; NULL: the config's. */
    static result<session> from(const endpoint &of, void *user = nullptr) {
        mcpw_error why{};
        mcpw_session *const made = mcpw_session_from(of.get(), user, &why);
        return made != nullptr ? result<session>(session(made)) : result<session>(why);
    }
    /* The C object. */
    mcpw_session *get() const noexcept { return session_.get(); }
    /* Clients: begins the negotiation. */
    [[nodiscard]] mcpw_status open() const noexcept { return mcpw_session_open(get()); }
    /* Takes bytes from the peer. */
    [[nodiscard]] mcpw_status feed(std::string_view bytes) const noexcept {
        return mcpw_session_feed(get(), str(bytes).ptr, bytes.size());
    }
    /* The bytes to send next. */
    std::string_view output() const noexcept {
        const char *bytes = nullptr;
        const std::size_t count = mcpw_session_output(get(), &bytes);
        return count != 0 ? std::string_view(bytes, count) : std::string_view();
    }
    /* Reports that the first count bytes of the output were sent. */
    void sent(std::size_t count) const noexcept { mcpw_session_sent(get(), count); }
    /* Takes a whole message from the peer. context belongs to the transport, such as the message's stream.
     * Handlers get it by request::context(), and every message that belongs to this one comes out with it. */
    [[nodiscard]] mcpw_status receive(std::string_view message, void *context = nullptr) const noexcept {
        return mcpw_session_receive(get(), str(message).ptr, message.size(), context);
    }
    /* The next message to send, with its context; its text lives until the session is called again. So:
     * `while (const auto message = session.next_message())`. */
    std::optional<mcpw_outgoing> next_message() const noexcept {
        mcpw_outgoing message{};
        return mcpw_session_next_message(get(), &message) ? std::optional<mcpw_outgoing>(message)
                                                          : std::nullopt;
    }
    /* Reports that the stream of a context is gone. Its request is cancelled, and the context does not come
     * out again. */
    void abandon(void *context) const noexcept { mcpw_session_abandon(get(), context); }
    /* Frees the memory that is kept for later messages. Call it when a session is idle. */
    void trim() const noexcept { mcpw_session_trim(get()); }

  private:
    struct freed {
        void operator()(mcpw_session *of) const noexcept { mcpw_session_free(of); }
    };
    explicit session(mcpw_session *of) noexcept : session_(of) {}
    std::unique_ptr<mcpw_session, freed> session_;
};

} // namespace mcpw

#endif
