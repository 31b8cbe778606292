/* SPDX-License-Identifier: MIT */
/* Servers from C++17: see <mcpw/mcpw.hpp>. */
#ifndef MCPW_SERVER_HPP
#define MCPW_SERVER_HPP

#include <mcpw/io.h>
#include <mcpw/request.hpp>
#include <mcpw/server.h>

#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

namespace mcpw {

/* ---- Servers ------------------------------------------------------------------------------------------- */

namespace detail {

/* A handler that a server keeps. */
struct keeper {
    virtual ~keeper() = default;
    std::unique_ptr<keeper> next;
};

template <class F> struct kept final : keeper {
    explicit kept(F given) : handler(std::move(given)) {}
    F handler;
};

template <class T> struct is_result : std::false_type {};
template <class T> struct is_result<result<T>> : std::true_type {};

/* Answers a request with a text, as its handler's method needs it. */
inline mcpw_status answer_text(mcpw_request *to, const mcpw_tool_call *, std::string_view text) noexcept {
    return mcpw_respond_text(to, str(text));
}
inline mcpw_status answer_text(mcpw_request *to, const mcpw_resource_read *, std::string_view text) noexcept {
    return mcpw_respond_resource_text(to, nullptr, str(text));
}
inline mcpw_status answer_text(mcpw_request *to, const mcpw_prompt_get *, std::string_view text) noexcept {
    return mcpw_respond_prompt_text(to, str(text));
}

/* The same for a JSON value. */
inline mcpw_status answer_json(mcpw_request *to, const mcpw_tool_call *, mcpw_json value) noexcept {
    return mcpw_respond_structured(to, value);
}
inline mcpw_status answer_json(mcpw_request *to, const mcpw_resource_read *, mcpw_json value) noexcept {
    return mcpw_respond_resource_text(to, nullptr, str(view(value)));
}

/* Converts a handler's return value into a status. A value that is not a status is sent as the answer. */
template <class About, class Given>
mcpw_status answer_with(mcpw_request *to, const About *about, const Given &given) {
    if constexpr (is_result<Given>::value) {
        return given ? answer_with(to, about, *given) : given.status();
    } else if constexpr (std::is_convertible_v<Given, mcpw_status>) {
        return given;
    } else if constexpr (std::is_convertible_v<Given, std::string_view>) {
        return answer_text(to, about, std::string_view(given));
    } else if constexpr (std::is_convertible_v<Given, mcpw_json>) {
        return answer_json(to, about, given);
    } else {
        return request(to).completion(given);
    }
}

/* Calls a handler and lets no exception pass into C. */
template <class F, class About> mcpw_status call(F &handler, mcpw_request *of, const About *about) noexcept {
#if defined(MCPW_CPP_EXCEPTIONS)
    try {
        return answer_with(of, about, handler(request(of), *about));
    } catch (const exception &thrown) {
        return thrown.error().code;
    } catch (...) {
        return MCPW_E_STATE; /* answered -32603 */
    }
#else
    return answer_with(of, about, handler(request(of), *about));
#endif
}

template <class F, class About> mcpw_status run(mcpw_request *of, const About *about, void *user) noexcept {
    return call(*static_cast<F *>(user), of, about);
}

/* Two handlers of one registration. */
template <class F, class C> struct completing {
    F handler;
    C complete;
};

template <class F, class C, class About>
mcpw_status run_handler(mcpw_request *of, const About *about, void *user) noexcept {
    return call(static_cast<completing<F, C> *>(user)->handler, of, about);
}

template <class F, class C>
mcpw_status run_complete(mcpw_request *of, const mcpw_completion *about, void *user) noexcept {
    return call(static_cast<completing<F, C> *>(user)->complete, of, about);
}

} // namespace detail

/* A server with its tools, resources and prompts. A handler is a callable that takes a mcpw::request and the
 * struct of that kind of request. It may return:
 *   - A mcpw_status, as in C. The functions of mcpw::request that answer return one.
 *   - A text, which is the answer of a tool, a resource or a prompt.
 *   - A mcpw_json, which is the structured content of a tool, or the text of a resource.
 *   - A range of texts, which are the values of a completion.
 *   - A mcpw::result of one of these; its error is the status.
 *
 * A handler lives as long as the server, even if its tool is removed. With workers it runs on several threads
 * at once. */
class server {
  public:
    /* A server without entries. */
    server(const char *name, const char *version) : server_(mcpw_server_new(name, version, nullptr)) {}
    /* The same with all options. */
    explicit server(const mcpw_server_config &config) : server_(mcpw_server_new_with(&config, nullptr)) {}
    ~server() {
        server_.reset();
        while (first_ != nullptr) { /* not by recursion */
            first_ = std::move(first_->next);
        }
    }
    /* Takes over the contents of another server. */
    server(server &&) noexcept = default;
    /* Exchanges the contents of the two. */
    server &operator=(server &&other) noexcept {
        std::swap(server_, other.server_);
        std::swap(first_, other.first_);
        return *this;
    }
    server(const server &) = delete;
    server &operator=(const server &) = delete;
    /* The C object; NULL if memory ran out or the config was invalid. Adding to it then fails with
     * MCPW_E_MEMORY. */
    mcpw_server *get() const noexcept { return server_.get(); }

    /* Adds a tool whose calls go to handler. */
    template <class F> result<void> tool(mcpw_tool about, F handler) {
        about.call = detail::run<F, mcpw_tool_call>;
        return add(about, std::move(handler), mcpw_server_add_tool);
    }
    /* The same with the members that most tools need. */
    template <class F>
    result<void> tool(const char *name, const char *description, mcpw_json input_schema, F handler) {
        mcpw_tool about{};
        about.name = name;
        about.description = description;
        about.input_schema = input_schema;
        return tool(about, std::move(handler));
    }
    /* Adds a resource that handler reads: it takes a `const mcpw_resource_read &`. */
    template <class F> result<void> resource(mcpw_resource about, F handler) {
        about.read = detail::run<F, mcpw_resource_read>;
        return add(about, std::move(handler), mcpw_server_add_resource);
    }
    /* The same with the members that most resources need. mime_type NULL: unknown. */
    template <class F>
    result<void> resource(const char *uri, const char *name, const char *mime_type, F handler) {
        mcpw_resource about{};
        about.uri = uri;
        about.name = name;
        about.mime_type = mime_type;
        return resource(about, std::move(handler));
    }
    /* Adds a family of resources that handler reads; mcpw::variable returns the variables of its template. */
    template <class F> result<void> resource_template(mcpw_resource_template about, F handler) {
        about.read = detail::run<F, mcpw_resource_read>;
        return add(about, std::move(handler), mcpw_server_add_resource_template);
    }
    /* The same with a handler that suggests values: it takes a `const mcpw_completion &`. */
    template <class F, class C>
    result<void> resource_template(mcpw_resource_template about, F handler, C complete) {
        using both = detail::completing<F, C>;
        about.read = detail::run_handler<F, C, mcpw_resource_read>;
        about.complete = detail::run_complete<F, C>;
        return add(about, both{std::move(handler), std::move(complete)}, mcpw_server_add_resource_template);
    }
    /* Adds a prompt that handler answers: it takes a `const mcpw_prompt_get &`. */
    template <class F> result<void> prompt(mcpw_prompt about, F handler) {
        about.get = detail::run<F, mcpw_prompt_get>;
        return add(about, std::move(handler), mcpw_server_add_prompt);
    }
    /* The same with a handler that suggests values, as for resource_template. */
    template <class F, class C> result<void> prompt(mcpw_prompt about, F handler, C complete) {
        using both = detail::completing<F, C>;
        about.get = detail::run_handler<F, C, mcpw_prompt_get>;
        about.complete = detail::run_complete<F, C>;
        return add(about, both{std::move(handler), std::move(complete)}, mcpw_server_add_prompt);
    }

    /* Declares that it sends log messages: mcpw_server_will_log. */
    void will_log() noexcept { mcpw_server_will_log(get()); }
    /* Notifies clients that the content of a resource has changed. Any thread may call this. */
    void resource_updated(const char *uri) const noexcept { mcpw_server_resource_updated(get(), uri); }
    /* Notifies clients that the list of tools has changed. Any thread may call this. */
    void tools_changed() const noexcept { mcpw_server_tools_changed(get()); }
    /* Notifies clients that the list of prompts has changed. Any thread may call this. */
    void prompts_changed() const noexcept { mcpw_server_prompts_changed(get()); }
    /* Notifies clients that the list of resources has changed. Any thread may call this. */
    void resources_changed() const noexcept { mcpw_server_resources_changed(get()); }

    /* Serves one client on standard input and output until the client disconnects. */
    result<void> serve_stdio() {
        mcpw_error why{};
        const mcpw_status status = mcpw_serve_stdio(server_.get(), &why);
        return result<void>(status, why);
    }
    /* The same with options. */
    result<void> serve_stdio(const mcpw_serve_options &options) {
        mcpw_error why{};
        const mcpw_status status = mcpw_serve_stdio_with(server_.get(), &options, &why);
        return result<void>(status, why);
    }
    /* The same with the given number of threads for handlers. */
    result<void> serve_stdio(unsigned workers) {
        mcpw_serve_options options = MCPW_SERVE_OPTIONS_INIT;
        options.workers = workers;
        return serve_stdio(options);
    }

  private:
    struct freed {
        void operator()(mcpw_server *of) const noexcept { mcpw_server_free(of); }
    };
    template <class About, class F>
    result<void> add(About &about, F &&handler,
                     mcpw_status (*by)(mcpw_server *, const About *, mcpw_error *)) {
        using keep = detail::kept<std::decay_t<F>>;
        std::unique_ptr<keep> own(server_ != nullptr ? new (std::nothrow) keep(std::move(handler)) : nullptr);
        mcpw_error why{};
        if (own == nullptr) {
            return error_of(MCPW_E_MEMORY);
        }
        about.user = &own->handler;
        const mcpw_status status = by(server_.get(), &about, &why);
        if (status == MCPW_OK) {
            own->next = std::move(first_);
            first_ = std::move(own);
        }
        return result<void>(status, why);
    }
    std::unique_ptr<mcpw_server, freed> server_;
    std::unique_ptr<detail::keeper> first_;
};

} // namespace mcpw

#endif
