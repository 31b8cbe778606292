/* SPDX-License-Identifier: MIT */
/* Texts and results of the library from C++17: see <mcpw/mcpw.hpp>. */
#ifndef MCPW_RESULT_HPP
#define MCPW_RESULT_HPP

#include <mcpw/base.h>
#include <mcpw/error.h>

#include <string_view>
#include <utility>
#include <variant>

#if defined(MCPW_CPP_EXCEPTIONS)
#include <stdexcept>
#endif

namespace mcpw {

/* ---- Text ---------------------------------------------------------------------------------------------- */

/* The bytes of a text; empty if it is absent. */
inline std::string_view view(mcpw_str text) noexcept {
    return text.ptr != nullptr ? std::string_view(text.ptr, text.len) : std::string_view();
}

/* The text of a JSON value; empty if it is absent. */
inline std::string_view view(mcpw_json value) noexcept {
    return value.ptr != nullptr ? std::string_view(value.ptr, value.len) : std::string_view();
}

/* A text, never absent: an empty view is an empty text. The bytes are the caller's. */
inline mcpw_str str(std::string_view text) noexcept {
    return mcpw_str{text.data() != nullptr ? text.data() : "", text.size()};
}

/* A JSON value from its text. The text is checked when the value is used. */
inline mcpw_json json(std::string_view text) noexcept {
    return mcpw_json_of(text.data() != nullptr ? text.data() : "", text.size());
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
/* The exception of value(); what() is the message. */
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

/* The common base of all results; Held stands for the value. */
template <class Held> class outcome {
  public:
    /* Whether there is a value. */
    bool has_value() const noexcept { return held_.index() == 0; }
    /* Whether there is a value. */
    explicit operator bool() const noexcept { return has_value(); }
    /* MCPW_OK, or the status of the failure. */
    mcpw_status status() const noexcept { return has_value() ? MCPW_OK : error().code; }
    /* The error. Call it only if there is no value. */
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

/* A value or an error. Use `*` and `->` only if there is a value: test it by `if (result)`. */
template <class T> class [[nodiscard]] result : public detail::outcome<T> {
  public:
    /* A value. */
    result(T value) : detail::outcome<T>(std::move(value)) {}
    /* An error. */
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
    /* An error. */
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

/* Success or an error. */
template <> class [[nodiscard]] result<void> : public detail::outcome<std::monostate> {
  public:
    /* Success. */
    result() : detail::outcome<std::monostate>(std::monostate()) {}
    /* An error. */
    result(const mcpw_error &why) : detail::outcome<std::monostate>(why) {}
    /* From the status that a C function returned and the error that it filled in. */
    result(mcpw_status status, const mcpw_error &why)
        : detail::outcome<std::monostate>(status == MCPW_OK ? result() : result(error_of(status, &why))) {}
#if defined(MCPW_CPP_EXCEPTIONS)
    /* Nothing, or an exception. */
    void value() const { this->need(); }
#endif
};

} // namespace mcpw

#endif
