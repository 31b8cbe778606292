/* SPDX-License-Identifier: MIT */
/*
 * The library from C++17: owners that free what they hold, std::string_view in and out, ranges, results that
 * hold a value or an error, and lambdas as handlers. It is a thin layer: every owner gives its C object by
 * get(), structs are those of the C headers, and what is not wrapped is called as from C.
 *
 * Nothing here throws, and nothing is allocated for a call. Where MCPW_CPP_EXCEPTIONS is defined before this
 * header, value() of a result throws mcpw::exception in place of an error, and what a handler throws is
 * answered as its failure; without it a handler must not throw.
 *
 * Threads: as the C objects.
 */
#ifndef MCPW_MCPW_HPP
#define MCPW_MCPW_HPP

#include <mcpw/codec.h>
#include <mcpw/io.h>
#include <mcpw/json.h>
#include <mcpw/server.h>
#include <mcpw/session.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#if defined(MCPW_CPP_EXCEPTIONS)
#include <stdexcept>
#endif

namespace mcpw {

/* ---- Text ---------------------------------------------------------------------------------------------- */

/* The bytes of a text; empty where it is absent. */
inline std::string_view view(mcpw_str text) noexcept {
    return text.ptr != nullptr ? std::string_view(text.ptr, text.len) : std::string_view();
}

/* The text of a JSON value; empty where it is absent. */
inline std::string_view view(mcpw_json value) noexcept {
    return value.ptr != nullptr ? std::string_view(value.ptr, value.len) : std::string_view();
}

/* A text, never absent: an empty view is an empty text. The bytes are the caller's. */
inline mcpw_str str(std::string_view text) noexcept {
    return mcpw_str{text.data() != nullptr ? text.data() : "", text.size()};
}

/* A JSON value from its text, which is checked where it is used. */
inline mcpw_json json(std::string_view text) noexcept {
    return mcpw_json{text.data() != nullptr ? text.data() : "", text.size()};
}

/* ---- Errors -------------------------------------------------------------------------------------------- */

/* An error of a status, with its general text unless one is given. */
inline mcpw_error error_of(mcpw_status status, const mcpw_error *why = nullptr) noexcept {
    if (why != nullptr && why->code == status) {
        return *why;
    }
    mcpw_error error{};
    error.code = status;
    const std::string_view text(mcpw_status_text(status));
    text.copy(error.message, sizeof error.message - 1);
    return error;
}

#if defined(MCPW_CPP_EXCEPTIONS)
/* What value() throws; what() is the message. */
class exception : public std::runtime_error {
  public:
    explicit exception(const mcpw_error &why) : std::runtime_error(why.message), error_(why) {}
    /* The record of the failure. */
    const mcpw_error &error() const noexcept { return error_; }

  private:
    mcpw_error error_;
};
#endif

namespace detail {

/* What all results have in common; Held stands for the value. */
template <class Held> class outcome {
  public:
    /* Whether there is a value. */
    bool has_value() const noexcept { return held_.index() == 0; }
    /* Whether there is a value. */
    explicit operator bool() const noexcept { return has_value(); }
    /* MCPW_OK, or why there is no value. */
    mcpw_status status() const noexcept { return has_value() ? MCPW_OK : error().code; }
    /* Why there is no value: only to be asked where there is none. */
    const mcpw_error &error() const noexcept { return *std::get_if<1>(&held_); }

  protected:
    explicit outcome(Held &&value) : held_(std::in_place_index<0>, std::move(value)) {}
    explicit outcome(const mcpw_error &why) : held_(std::in_place_index<1>, why) {}
    Held &held() noexcept { return *std::get_if<0>(&held_); }
    const Held &held() const noexcept { return *std::get_if<0>(&held_); }
#if defined(MCPW_CPP_EXCEPTIONS)
    void need() const {
        if (!has_value()) {
            throw exception(error());
        }
    }
#endif

  private:
    std::variant<Held, mcpw_error> held_;
};

} // namespace detail

/* A value, or why there is none. `*` and `->` are only for where there is one: ask by `if (result)`. */
template <class T> class [[nodiscard]] result : public detail::outcome<T> {
  public:
    /* A value. */
    result(T value) : detail::outcome<T>(std::move(value)) {}
    /* Why there is none. */
    result(const mcpw_error &why) : detail::outcome<T>(why) {}
    /* The value. */
    T &operator*() &noexcept { return this->held(); }
    /* The value. */
    const T &operator*() const &noexcept { return this->held(); }
    /* The value, to move from. */
    T &&operator*() &&noexcept { return std::move(this->held()); }
    /* A member of the value. */
    T *operator->() noexcept { return &this->held(); }
    /* A member of the value. */
    const T *operator->() const noexcept { return &this->held(); }
    /* The value, or another one. */
    T value_or(T other) const & { return this->has_value() ? this->held() : std::move(other); }
    /* The value, or another one. */
    T value_or(T other) && { return this->has_value() ? std::move(this->held()) : std::move(other); }
#if defined(MCPW_CPP_EXCEPTIONS)
    /* The value, or an exception. */
    T &value() & {
        this->need();
        return this->held();
    }
    /* The value, or an exception. */
    T &&value() && {
        this->need();
        return std::move(this->held());
    }
#endif
};

/* The same of a value that lives elsewhere, such as in an arena. */
template <class T> class [[nodiscard]] result<T &> : public detail::outcome<T *> {
  public:
    /* A value. */
    result(T &value) : detail::outcome<T *>(&value) {}
    /* Why there is none. */
    result(const mcpw_error &why) : detail::outcome<T *>(why) {}
    /* The value. */
    T &operator*() const noexcept { return *this->held(); }
    /* A member of the value. */
    T *operator->() const noexcept { return this->held(); }
#if defined(MCPW_CPP_EXCEPTIONS)
    /* The value, or an exception. */
    T &value() const {
        this->need();
        return *this->held();
    }
#endif
};

/* Success, or why not. */
template <> class [[nodiscard]] result<void> : public detail::outcome<std::monostate> {
  public:
    /* Success. */
    result() : detail::outcome<std::monostate>(std::monostate()) {}
    /* Why there is none. */
    result(const mcpw_error &why) : detail::outcome<std::monostate>(why) {}
    /* From what a C function returned and filled in. */
    result(mcpw_status status, const mcpw_error &why)
        : detail::outcome<std::monostate>(status == MCPW_OK ? result() : result(error_of(status, &why))) {}
#if defined(MCPW_CPP_EXCEPTIONS)
    /* Nothing, or an exception. */
    void value() const { this->need(); }
#endif
};

/* ---- Lists --------------------------------------------------------------------------------------------- */

/* The items of a list, as a range. It owns nothing. */
template <class T> class list {
  public:
    /* So many items; NULL: none. */
    list(const T *items, std::size_t count) noexcept : items_(items), count_(items != nullptr ? count : 0) {}
    /* The first item. */
    const T *begin() const noexcept { return items_; }
    /* Behind the last item. */
    const T *end() const noexcept { return count_ != 0 ? items_ + count_ : items_; }
    /* How many items there are. */
    std::size_t size() const noexcept { return count_; }
    /* Whether there is none. */
    bool empty() const noexcept { return count_ == 0; }
    /* An item by its place from 0, which must be one. */
    const T &operator[](std::size_t place) const noexcept { return items_[place]; }

  private:
    const T *items_;
    std::size_t count_;
};

/* The items of any list of the generated structs: `for (const auto &tool : mcpw::items(result->tools))`. */
template <class List> auto items(const List &of) noexcept {
    return list<std::remove_const_t<std::remove_pointer_t<decltype(of.items)>>>(of.items, of.count);
}

/* ---- Memory -------------------------------------------------------------------------------------------- */

/* Owns what is decoded into it. */
class arena {
  public:
    arena() noexcept = default;
    ~arena() { mcpw_arena_free(&arena_); }
    /* Takes over what another one holds. */
    arena(arena &&other) noexcept : arena_(std::exchange(other.arena_, none())) {}
    /* Exchanges what the two hold. */
    arena &operator=(arena &&other) noexcept {
        std::swap(arena_, other.arena_);
        return *this;
    }
    arena(const arena &) = delete;
    arena &operator=(const arena &) = delete;
    /* The C object. */
    mcpw_arena *get() noexcept { return &arena_; }
    /* Forgets every value and keeps the memory. */
    void reset() noexcept { mcpw_arena_reset(&arena_); }
    /* A copy of a text, followed by a NUL; absent when memory runs out. */
    mcpw_str copy(std::string_view text) noexcept {
        return mcpw_arena_str(&arena_, str(text).ptr, text.size());
    }

  private:
    static mcpw_arena none() noexcept { return MCPW_ARENA_INIT; }
    mcpw_arena arena_ = MCPW_ARENA_INIT;
};

/* Output text that grows. */
class buffer {
  public:
    buffer() noexcept = default;
    ~buffer() { mcpw_buffer_free(&buffer_); }
    /* Takes over what another one holds. */
    buffer(buffer &&other) noexcept : buffer_(std::exchange(other.buffer_, none())) {}
    /* Exchanges what the two hold. */
    buffer &operator=(buffer &&other) noexcept {
        std::swap(buffer_, other.buffer_);
        return *this;
    }
    buffer(const buffer &) = delete;
    buffer &operator=(const buffer &) = delete;
    /* The C object. */
    mcpw_buffer *get() noexcept { return &buffer_; }
    /* What was written, until more is. */
    std::string_view text() const noexcept {
        return buffer_.data != nullptr ? std::string_view(buffer_.data, buffer_.len) : std::string_view();
    }
    /* Forgets what was written and keeps the memory. */
    void clear() noexcept { buffer_.len = 0; }

  private:
    static mcpw_buffer none() noexcept { return MCPW_BUFFER_INIT; }
    mcpw_buffer buffer_ = MCPW_BUFFER_INIT;
};

/* ---- The codec ----------------------------------------------------------------------------------------- */

/* Decodes by a generated function, such as mcp_tool_decode. What the value refers to
 * lives in the arena. options may be NULL. */
template <class T>
result<T> decode(mcpw_status (*by)(const char *, std::size_t, mcpw_arena *, T *, const mcpw_options *,
                                   mcpw_error *),
                 std::string_view text, arena &into, const mcpw_options *options = nullptr) {
    T value{};
    mcpw_error why{};
    const mcpw_status status = by(str(text).ptr, text.size(), into.get(), &value, options, &why);
    if (status != MCPW_OK) {
        return error_of(status, &why);
    }
    return value;
}

/* Appends the text of a value by a generated function, such as mcp_tool_encode. */
template <class T>
result<void> encode(mcpw_status (*by)(const T *, mcpw_buffer *, const mcpw_options *, mcpw_error *),
                    const T &value, buffer &out, const mcpw_options *options = nullptr) {
    mcpw_error why{};
    const mcpw_status status = by(&value, out.get(), options, &why);
    return result<void>(status, why);
}

/* ---- JSON ---------------------------------------------------------------------------------------------- */

/* A member of an object by its name, as bool, std::int64_t, double, std::string_view (which may need the
 * arena, for escapes) or mcpw_json. */
template <class T> result<T> get(mcpw_json object, const char *name, mcpw_arena *into = nullptr) {
    static_assert(std::is_same_v<T, bool> || std::is_same_v<T, std::int64_t> || std::is_same_v<T, double> ||
                      std::is_same_v<T, std::string_view> || std::is_same_v<T, mcpw_json>,
                  "a member is read as bool, std::int64_t, double, std::string_view or mcpw_json");
    if constexpr (std::is_same_v<T, std::string_view>) {
        mcpw_str text{};
        const mcpw_status status = mcpw_json_get_string(object, name, into, &text);
        return status == MCPW_OK ? result<T>(view(text)) : result<T>(error_of(status));
    } else {
        T value{};
        mcpw_status status = MCPW_OK;
        if constexpr (std::is_same_v<T, bool>) {
            status = mcpw_json_get_bool(object, name, &value);
        } else if constexpr (std::is_same_v<T, double>) {
            status = mcpw_json_get_double(object, name, &value);
        } else if constexpr (std::is_same_v<T, mcpw_json>) {
            status = mcpw_json_get(object, name, &value);
        } else {
            status = mcpw_json_get_int(object, name, &value);
        }
        return status == MCPW_OK ? result<T>(value) : result<T>(error_of(status));
    }
}

/* One item of an array, or one member of an object. */
struct json_item {
    mcpw_json key;   /* as it stands in the text, quotes included; absent in an array */
    mcpw_json value; /* the item */
};

/* The items of an array or the members of an object, in order: `for (const auto &item : mcpw::walk(value))`.
 * It is empty for other values, and ends early where the text is broken. */
class walk {
  public:
    /* A walk over a value, whose text the caller keeps. */
    explicit walk(mcpw_json value) noexcept : value_(value) {}

    /* Where a walk ends. */
    struct sentinel {};

    /* One pass over the items. */
    class iterator {
      public:
        using iterator_category = std::input_iterator_tag; /* for std::iterator_traits, as those below */
        using value_type = json_item;                      /* an item */
        using difference_type = std::ptrdiff_t;            /* none is ever made */
        using pointer = const json_item *;                 /* good until the next step */
        using reference = const json_item &;               /* good until the next step */
        /* At the first item. */
        explicit iterator(mcpw_json value) noexcept : more_(mcpw_json_iterate(value, &it_) == MCPW_OK) {
            ++*this;
        }
        /* The item. */
        reference operator*() const noexcept { return item_; }
        /* The item. */
        pointer operator->() const noexcept { return &item_; }
        /* Goes to the next item. */
        iterator &operator++() noexcept {
            more_ = more_ && mcpw_json_next(&it_, &item_.key, &item_.value);
            return *this;
        }
        /* Goes to the next item. */
        void operator++(int) noexcept { ++*this; }
        /* Whether it has come to the end. */
        friend bool operator==(const iterator &at, sentinel) noexcept { return !at.more_; }
        /* Whether there is an item. */
        friend bool operator!=(const iterator &at, sentinel) noexcept { return at.more_; }

      private:
        mcpw_json_iter it_{};
        json_item item_{};
        bool more_;
    };

    /* The first item. */
    iterator begin() const noexcept { return iterator(value_); }
    /* Behind the last. */
    sentinel end() const noexcept { return {}; }

  private:
    mcpw_json value_;
};

/* ---- Requests of the peer's ---------------------------------------------------------------------------- */

/* A request while its handler has it. It owns nothing. Copy it at will, and use it until it is answered. A
 * function that answers returns what the handler is to return. */
class request {
  public:
    /* What a handler of C is given. */
    explicit request(mcpw_request *of) noexcept : request_(of) {}
    /* The C object. */
    mcpw_request *get() const noexcept { return request_; }
    /* Memory that lives as long as the request. */
    mcpw_arena *arena() const noexcept { return mcpw_request_arena(request_); }
    /* The context that its transport gave to session::receive, which must be a T; NULL: it gave none. */
    template <class T> T *context() const noexcept {
        return static_cast<T *>(mcpw_request_context(request_));
    }
    /* Whether the peer has declared a capability such as "sampling". */
    bool can(const char *capability) const noexcept { return mcpw_request_can(request_, capability); }
    /* Answers tools/call with a text. */
    [[nodiscard]] mcpw_status text(std::string_view text) const noexcept {
        return mcpw_respond_text(request_, str(text));
    }
    /* Answers tools/call with a text that says why the tool failed. */
    [[nodiscard]] mcpw_status tool_error(std::string_view why) const noexcept {
        const mcpw_str copy = mcpw_arena_str(arena(), str(why).ptr, why.size());
        return copy.ptr != nullptr ? mcpw_respond_tool_error(request_, copy.ptr) : MCPW_E_MEMORY;
    }
    /* Answers tools/call with structured content. */
    [[nodiscard]] mcpw_status structured(mcpw_json value) const noexcept {
        return mcpw_respond_structured(request_, value);
    }
    /* Tells progress, where the peer asked for it. total: where it will end. message: NULL: none. */
    mcpw_status progress(double value, std::optional<double> total = std::nullopt,
                         const char *message = nullptr) const noexcept {
        return mcpw_request_progress(request_, value, total.value_or(-1), message);
    }
    /* Sends a log message, where the peer wants it. */
    mcpw_status log(mcpw_log_level level, mcpw_json data, const char *logger = nullptr) const noexcept {
        return mcpw_request_log(request_, level, logger, data);
    }

  private:
    mcpw_request *request_;
};

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

/* What a handler returned, as a status: a text is the answer. */
template <class Given> mcpw_status answer(mcpw_request *to, Given &&given) {
    if constexpr (std::is_convertible_v<Given, mcpw_status>) {
        return given;
    } else {
        return mcpw_respond_text(to, str(std::string_view(given)));
    }
}

template <class F, class About> mcpw_status run(mcpw_request *of, const About *about, void *user) noexcept {
    F &handler = *static_cast<F *>(user);
#if defined(MCPW_CPP_EXCEPTIONS)
    try {
        return answer(of, handler(request(of), *about));
    } catch (const exception &thrown) {
        return thrown.error().code;
    } catch (...) {
        return MCPW_E_STATE; /* answered -32603 */
    }
#else
    return answer(of, handler(request(of), *about));
#endif
}

} // namespace detail

/* Tools, resources and prompts. A handler is a callable: `mcpw_status (mcpw::request, const mcpw_tool_call
 * &)`, or one that returns a text, which is the answer. It lives as long as the server, also when its tool
 * has been removed. */
class server {
  public:
    /* A server with nothing in it. */
    server(const char *name, const char *version) : server_(mcpw_server_new(name, version)) {}
    /* The same with everything that can be said of a server. */
    explicit server(const mcpw_server_config &config) : server_(mcpw_server_new_with(&config)) {}
    ~server() {
        server_.reset();
        while (first_ != nullptr) { /* not by recursion */
            first_ = std::move(first_->next);
        }
    }
    /* Takes over what another one holds. */
    server(server &&) noexcept = default;
    /* Exchanges what the two hold. */
    server &operator=(server &&other) noexcept {
        std::swap(server_, other.server_);
        std::swap(first_, other.first_);
        return *this;
    }
    server(const server &) = delete;
    server &operator=(const server &) = delete;
    /* The C object; NULL where memory ran out or the config was no good. */
    mcpw_server *get() const noexcept { return server_.get(); }

    /* Adds a tool whose calls go to handler. */
    template <class F> result<void> tool(mcpw_tool about, F handler) {
        about.call = detail::run<F, mcpw_tool_call>;
        return add(about, std::move(handler), mcpw_server_add_tool);
    }
    /* The same with what most tools need. */
    template <class F>
    result<void> tool(const char *name, const char *description, mcpw_json input_schema, F handler) {
        mcpw_tool about{};
        about.name = name;
        about.description = description;
        about.input_schema = input_schema;
        return tool(about, std::move(handler));
    }
    /* Adds a resource that handler reads: `mcpw_status (mcpw::request, const mcpw_resource_read &)`. */
    template <class F> result<void> resource(mcpw_resource about, F handler) {
        about.read = detail::run<F, mcpw_resource_read>;
        return add(about, std::move(handler), mcpw_server_add_resource);
    }
    /* Adds a prompt that handler gives: `mcpw_status (mcpw::request, const mcpw_prompt_get &)`. */
    template <class F> result<void> prompt(mcpw_prompt about, F handler) {
        about.get = detail::run<F, mcpw_prompt_get>;
        return add(about, std::move(handler), mcpw_server_add_prompt);
    }
    /* Serves one client on standard input and output until it goes. */
    result<void> serve_stdio() {
        mcpw_error why{};
        const mcpw_status status = mcpw_serve_stdio(server_.get(), &why);
        return result<void>(status, why);
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

/* ---- Sessions ------------------------------------------------------------------------------------------ */

/* A config with the name and version of this program. */
inline mcpw_session_config config(const char *name, const char *version) noexcept {
    mcpw_session_config made = MCPW_SESSION_CONFIG_INIT;
    made.name = name;
    made.version = version;
    return made;
}

/* What an end is, worked out once from a config for all sessions of it. It lives until it and the last of its
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

/* One end of a connection, without I/O. It takes and gives either one stream of bytes (feed, output, sent) or
 * whole messages of many streams (receive, next_message), not both. */
class session {
  public:
    /* A new session; the config's server and handlers must outlive it. */
    static result<session> make(const mcpw_session_config &config) {
        mcpw_error why{};
        mcpw_session *const made = mcpw_session_new(&config, &why);
        return made != nullptr ? result<session>(session(made)) : result<session>(why);
    }
    /* A new session of an endpoint. user is given to handlers; NULL: the config's. */
    static result<session> from(const endpoint &of, void *user = nullptr) {
        mcpw_error why{};
        mcpw_session *const made = mcpw_session_from(of.get(), user, &why);
        return made != nullptr ? result<session>(session(made)) : result<session>(why);
    }
    /* The C object. */
    mcpw_session *get() const noexcept { return session_.get(); }
    /* Of a client: begins the negotiation. */
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
    /* Says that the first count bytes of the output were sent. */
    void sent(std::size_t count) const noexcept { mcpw_session_sent(get(), count); }
    /* Takes a whole message of the peer's. context is the transport's own, such as the stream that it came
     * by: handlers read it by request::context(), and what belongs to the message comes out with it. */
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
    /* The stream of a context is gone: its request is cancelled, and the context not heard of again. */
    void abandon(void *context) const noexcept { mcpw_session_abandon(get(), context); }
    /* Gives back the memory that is kept for messages to come, when a session rests. */
    void trim() const noexcept { mcpw_session_trim(get()); }

  private:
    struct freed {
        void operator()(mcpw_session *of) const noexcept { mcpw_session_free(of); }
    };
    explicit session(mcpw_session *of) noexcept : session_(of) {}
    std::unique_ptr<mcpw_session, freed> session_;
};

/* ---- Clients ------------------------------------------------------------------------------------------- */

/* A client whose calls wait. It is stopped, and the server ended, where it goes out of scope. */
class client {
  public:
    /* Starts a server and negotiates. */
    static result<client> start(const mcpw_spawn &spawn, const mcpw_session_config &config) {
        mcpw_error why{};
        mcpw_client *const made = mcpw_client_start(&spawn, &config, &why);
        return made != nullptr ? result<client>(client(made)) : result<client>(why);
    }
    /* The same from words, the last of which is NULL. */
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
    /* The C object. */
    mcpw_client *get() const noexcept { return client_.get(); }
    /* Its session, which goes with it. */
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
    /* The error of the server's that the last call failed with, with code and data; NULL: another end. */
    const mcpw_rpc_error *remote_error() const noexcept { return mcpw_client_remote_error(get()); }
    /* Reads and answers what comes for up to timeout ms. */
    result<void> wait(int timeout) const {
        mcpw_error why{};
        const mcpw_status status = mcpw_client_wait(get(), timeout, &why);
        return result<void>(status, why);
    }
    /* From any thread: the call that another one is waiting in ends with MCPW_E_CANCELLED. */
    void cancel() const noexcept { mcpw_client_cancel(get()); }
    /* For a loop of many: what poll() is to wait for, at most MCPW_CLIENT_FDS; their number. */
    std::size_t fds(pollfd *into) const noexcept { return mcpw_client_fds(get(), into); }
    /* How many ms may pass until work() has something to do; -1: any number. */
    int timeout() const noexcept { return mcpw_client_timeout(get()); }
    /* Does what can be done without waiting. */
    result<void> work() const {
        mcpw_error why{};
        const mcpw_status status = mcpw_client_work(get(), &why);
        return result<void>(status, why);
    }
    /* Whether the server answers within timeout ms (0: as in the config). */
    result<void> ping(std::uint64_t timeout = 0) const {
        mcpw_error why{};
        const mcpw_status status = mcpw_client_ping(get(), timeout, &why);
        return result<void>(status, why);
    }

  private:
    struct stopped {
        void operator()(mcpw_client *of) const noexcept { mcpw_client_stop(of); }
    };
    explicit client(mcpw_client *of) noexcept : client_(of) {}
    std::unique_ptr<mcpw_client, stopped> client_;
};

} // namespace mcpw

#endif
