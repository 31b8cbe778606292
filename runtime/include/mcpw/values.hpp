/* SPDX-License-Identifier: MIT */
/* Lists, memory, structs and JSON from C++17: see <mcpw/mcpw.hpp>. */
#ifndef MCPW_VALUES_HPP
#define MCPW_VALUES_HPP

#include <mcpw/codec.h>
#include <mcpw/json.h>
#include <mcpw/result.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace mcpw {

/* ---- Lists --------------------------------------------------------------------------------------------- */

/* The items of a list, as a range. It owns nothing. */
template <class T> class list {
  public:
    /* From an array of count items; NULL: none. */
    list(const T *items, std::size_t count) noexcept : items_(items), count_(items != nullptr ? count : 0) {}
    /* The first item. */
    const T *begin() const noexcept { return items_; }
    /* Past the last item. */
    const T *end() const noexcept { return count_ != 0 ? items_ + count_ : items_; }
    /* The number of items. */
    std::size_t size() const noexcept { return count_; }
    /* Whether there is none. */
    bool empty() const noexcept { return count_ == 0; }
    /* An item by its index from 0, which must be in range. */
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

/* An arena; it owns all values that are decoded into it. */
class arena {
  public:
    arena() noexcept = default;
    ~arena() { mcpw_arena_free(&arena_); }
    /* Takes over the contents of another one. */
    arena(arena &&other) noexcept : arena_(std::exchange(other.arena_, none())) {}
    /* Exchanges the contents of the two. */
    arena &operator=(arena &&other) noexcept {
        std::swap(arena_, other.arena_);
        return *this;
    }
    arena(const arena &) = delete;
    arena &operator=(const arena &) = delete;
    /* The C object. */
    mcpw_arena *get() noexcept { return &arena_; }
    /* Frees every value and keeps the memory. */
    void reset() noexcept { mcpw_arena_reset(&arena_); }
    /* A copy of a text, followed by a NUL; absent if memory runs out. */
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
    /* Takes over the contents of another one. */
    buffer(buffer &&other) noexcept : buffer_(std::exchange(other.buffer_, none())) {}
    /* Exchanges the contents of the two. */
    buffer &operator=(buffer &&other) noexcept {
        std::swap(buffer_, other.buffer_);
        return *this;
    }
    buffer(const buffer &) = delete;
    buffer &operator=(const buffer &) = delete;
    /* The C object. */
    mcpw_buffer *get() noexcept { return &buffer_; }
    /* The text so far. The view is valid until more is written. */
    std::string_view text() const noexcept {
        return buffer_.data != nullptr ? std::string_view(buffer_.data, buffer_.len) : std::string_view();
    }
    /* Empties the buffer and keeps the memory. */
    void clear() noexcept { buffer_.len = 0; }

  private:
    static mcpw_buffer none() noexcept { return MCPW_BUFFER_INIT; }
    mcpw_buffer buffer_ = MCPW_BUFFER_INIT;
};

/* ---- The codec ----------------------------------------------------------------------------------------- */

/* Decodes by a generated function, such as mcp_tool_decode. Everything that the value refers to lies in the
 * arena. options may be NULL. */
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
    mcpw_json key;   /* the name with its quotes and escapes; absent in an array */
    mcpw_json value; /* the item */
};

/* The items of an array or the members of an object, in order: `for (const auto &item : mcpw::walk(value))`.
 * It is empty for other values, and ends early if the text is broken. */
class walk {
  public:
    /* A walk over a value, whose text the caller keeps. */
    explicit walk(mcpw_json value) noexcept : value_(value) {}

    /* The end of a walk. */
    struct sentinel {};

    /* One pass over the items. */
    class iterator {
      public:
        using iterator_category = std::input_iterator_tag; /* for std::iterator_traits, as those below */
        using value_type = json_item;                      /* an item */
        using difference_type = std::ptrdiff_t;            /* never used */
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
        /* Whether the end is reached. */
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
    /* Past the last. */
    sentinel end() const noexcept { return {}; }

  private:
    mcpw_json value_;
};

} // namespace mcpw

#endif
