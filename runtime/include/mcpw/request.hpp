/* SPDX-License-Identifier: MIT */
/* Requests and their answers from C++17: see <mcpw/mcpw.hpp>. */
#ifndef MCPW_REQUEST_HPP
#define MCPW_REQUEST_HPP

#include <mcpw/ask.h>
#include <mcpw/json.h>
#include <mcpw/server.h>
#include <mcpw/values.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <type_traits>

namespace mcpw {

/* ---- Answers of several parts -------------------------------------------------------------------------- */

/* A part of a resource's content. The caller owns its texts, which must live until the answer is sent. */
struct content {
    std::string_view uri;       /* of the part */
    std::string_view data;      /* its text, or its bytes */
    std::string_view mime_type; /* empty: unknown */
    bool is_binary = false;     /* bytes, which are sent as base64 */
};

/* A part that is text. */
inline content text_content(std::string_view uri, std::string_view text,
                            std::string_view mime_type = {}) noexcept {
    return content{uri, text, mime_type, false};
}

/* A part that is bytes. */
inline content byte_content(std::string_view uri, std::string_view bytes,
                            std::string_view mime_type = {}) noexcept {
    return content{uri, bytes, mime_type, true};
}

/* A message of a prompt. */
struct message {
    const char *role;      /* "user" or "assistant" */
    std::string_view text; /* its text */
};

/* A message of the user's. */
inline message from_user(std::string_view text) noexcept { return message{"user", text}; }
/* A message of the model's. */
inline message from_assistant(std::string_view text) noexcept { return message{"assistant", text}; }

namespace detail {

/* An object that is written into the memory of a request. */
class object_writer {
  public:
    explicit object_writer(mcpw_arena *into) noexcept : arena_(into), buffer_(mcpw_buffer_in(into)) {
        mcpw_json_write_into(&writer_, &buffer_);
        mcpw_json_write_object(&writer_);
    }
    object_writer(const object_writer &) = delete;
    object_writer &operator=(const object_writer &) = delete;
    void open_array(const char *name) noexcept {
        mcpw_json_write_key(&writer_, name);
        mcpw_json_write_array(&writer_);
    }
    void open_object(const char *name) noexcept {
        mcpw_json_write_key(&writer_, name);
        mcpw_json_write_object(&writer_);
    }
    void open_item() noexcept { mcpw_json_write_object(&writer_); }
    void close() noexcept { mcpw_json_write_close(&writer_); }
    void text(const char *name, std::string_view value) noexcept {
        mcpw_json_write_key(&writer_, name);
        mcpw_json_write_string(&writer_, str(value).ptr, value.size());
    }
    void bytes(const char *name, std::string_view value) noexcept {
        const mcpw_str encoded = mcpw_base64_encode(arena_, str(value).ptr, value.size());
        if (encoded.ptr == nullptr) {
            failed_ = true;
        } else {
            text(name, view(encoded));
        }
    }
    /* Ends the object, and answers the request with it. */
    mcpw_status answer(mcpw_request *to) noexcept {
        mcpw_json whole{};
        close();
        const mcpw_status status = failed_ ? MCPW_E_MEMORY : mcpw_json_write_end(&writer_, &whole);
        return status == MCPW_OK ? mcpw_respond_json(to, whole, nullptr) : status;
    }

  private:
    mcpw_arena *arena_;
    mcpw_buffer buffer_;
    mcpw_json_writer writer_{};
    bool failed_ = false;
};

} // namespace detail

/* ---- Answers to input requests ------------------------------------------------------------------------- */

/* The answer of the user or the model. It refers to the memory of its request. */
class answer {
  public:
    /* An answer that a function of <mcpw/ask.h> has filled in. */
    explicit answer(const mcpw_ask_answer &of) noexcept
        : action_(of.action), content_(of.content), text_(of.text), result_(of.result) {}
    /* Whether a form was filled in, or a URL will be visited. */
    bool accepted() const noexcept { return action_ == MCPW_ASK_ACCEPT; }
    /* The user's reaction. */
    mcpw_ask_action action() const noexcept { return action_; }
    /* The values of an accepted form, an object; else absent. */
    mcpw_json content() const noexcept { return content_; }
    /* A member of these values, as by mcpw::get. */
    template <class T> result<T> get(const char *name, mcpw_arena *into = nullptr) const {
        return mcpw::get<T>(content_, name, into);
    }
    /* The model's text. */
    std::string_view text() const noexcept { return view(text_); }
    /* The whole result. */
    mcpw_json whole() const noexcept { return result_; }

  private:
    mcpw_ask_action action_;
    mcpw_json content_;
    mcpw_str text_;
    mcpw_json result_;
};

/* ---- Requests of the peer's ---------------------------------------------------------------------------- */

/* A request while its handler has it. It owns nothing. It may be copied, and used until it is answered. A
 * function that answers returns the status that the handler must return. */
class request {
  public:
    /* From the request that a C handler gets. */
    explicit request(mcpw_request *of) noexcept : request_(of) {}
    /* The C object. */
    mcpw_request *get() const noexcept { return request_; }
    /* Memory that lives as long as the request. */
    mcpw_arena *arena() const noexcept { return mcpw_request_arena(request_); }
    /* The context that its transport passed to session::receive, which must be a T; NULL: none. */
    template <class T> T *context() const noexcept {
        return static_cast<T *>(mcpw_request_context(request_));
    }
    /* Whether the peer has declared a capability such as "sampling". */
    bool can(const char *capability) const noexcept { return mcpw_request_can(request_, capability); }
    /* The user on whose behalf it was made; empty: unknown. */
    std::string_view principal() const noexcept { return view(mcpw_request_principal(request_)); }

    /* Answers tools/call with a text. */
    [[nodiscard]] mcpw_status text(std::string_view text) const noexcept {
        return mcpw_respond_text(request_, str(text));
    }
    /* Answers tools/call with the reason why the tool failed. */
    [[nodiscard]] mcpw_status tool_error(std::string_view why) const noexcept {
        const mcpw_str copy = copied(why);
        return copy.ptr != nullptr ? mcpw_respond_tool_error(request_, copy.ptr) : MCPW_E_MEMORY;
    }
    /* Answers tools/call with structured content. */
    [[nodiscard]] mcpw_status structured(mcpw_json value) const noexcept {
        return mcpw_respond_structured(request_, value);
    }
    /* The same from a struct of the type that the tool was registered with as structured. */
    template <class T> [[nodiscard]] mcpw_status structured_value(const T &value) const noexcept {
        return mcpw_respond_structured_value(request_, &value);
    }

    /* Answers resources/read with one text. mime_type NULL: that of the registration. */
    [[nodiscard]] mcpw_status resource_text(std::string_view text,
                                            const char *mime_type = nullptr) const noexcept {
        return mcpw_respond_resource_text(request_, mime_type, str(text));
    }
    /* Answers resources/read with bytes. mime_type NULL: that of the registration. */
    [[nodiscard]] mcpw_status resource_bytes(std::string_view bytes,
                                             const char *mime_type = nullptr) const noexcept {
        return mcpw_respond_resource_bytes(request_, mime_type, str(bytes).ptr, bytes.size());
    }
    /* Answers resources/read with several parts, a list or any range of mcpw::content. */
    template <class Range> [[nodiscard]] mcpw_status contents(const Range &parts) const noexcept {
        detail::object_writer w(arena());
        w.open_array("contents");
        for (const content &part : parts) {
            w.open_item();
            w.text("uri", part.uri);
            if (!part.mime_type.empty()) {
                w.text("mimeType", part.mime_type);
            }
            part.is_binary ? w.bytes("blob", part.data) : w.text("text", part.data);
            w.close();
        }
        w.close();
        return w.answer(request_);
    }
    /* The same: `request.contents({mcpw::text_content(...), ...})`. */
    [[nodiscard]] mcpw_status contents(std::initializer_list<content> parts) const noexcept {
        return contents<std::initializer_list<content>>(parts);
    }
    /* Answers that there is no such resource. */
    [[nodiscard]] mcpw_status resource_not_found() const noexcept {
        return mcpw_respond_resource_not_found(request_);
    }

    /* Answers prompts/get with one text of the user's. */
    [[nodiscard]] mcpw_status prompt_text(std::string_view text) const noexcept {
        return mcpw_respond_prompt_text(request_, str(text));
    }
    /* Answers prompts/get with several messages, a list or any range of mcpw::message. */
    template <class Range>
    [[nodiscard]] mcpw_status messages(const Range &of, std::string_view description = {}) const noexcept {
        detail::object_writer w(arena());
        if (!description.empty()) {
            w.text("description", description);
        }
        w.open_array("messages");
        for (const message &one : of) {
            w.open_item();
            w.text("role", one.role);
            w.open_object("content");
            w.text("type", "text");
            w.text("text", one.text);
            w.close();
            w.close();
        }
        w.close();
        return w.answer(request_);
    }
    /* The same: `request.messages({mcpw::from_user(...), mcpw::from_assistant(...)})`. */
    [[nodiscard]] mcpw_status messages(std::initializer_list<message> of,
                                       std::string_view description = {}) const noexcept {
        return messages<std::initializer_list<message>>(of, description);
    }
    /* An argument of a prompt; empty if it was not sent. */
    std::string_view argument(const mcpw_prompt_get &of, const char *name) const noexcept {
        return view(mcpw_prompt_get_argument(request_, &of, name));
    }

    /* Answers completion/complete with a range of texts. */
    template <class Range> [[nodiscard]] mcpw_status completion(const Range &values) const noexcept {
        std::size_t count = 0;
        for (const auto &value : values) {
            (void)value;
            count++;
        }
        auto *const texts =
            static_cast<mcpw_str *>(mcpw_arena_alloc(arena(), (count + 1) * sizeof(mcpw_str)));
        if (texts == nullptr) {
            return MCPW_E_MEMORY;
        }
        mcpw_str *next = texts;
        for (const auto &value : values) {
            *next++ = str(std::string_view(value));
        }
        return mcpw_respond_completion(request_, texts, count);
    }

    /* Answers any request with the text of its result, in the peer's revision. */
    [[nodiscard]] mcpw_status json(mcpw_json result) const noexcept {
        return mcpw_respond_json(request_, result, nullptr);
    }
    /* Answers any request with an error. */
    [[nodiscard]] mcpw_status error(std::int64_t code, std::string_view why,
                                    mcpw_json data = {}) const noexcept {
        const mcpw_str copy = copied(why);
        return copy.ptr != nullptr ? mcpw_respond_error(request_, code, copy.ptr, data) : MCPW_E_MEMORY;
    }

    /* Sends progress if the peer asked for it. total is the final value. message may be NULL. */
    mcpw_status progress(double value, std::optional<double> total = std::nullopt,
                         const char *message = nullptr) const noexcept {
        return mcpw_request_progress(request_, value, total.value_or(-1), message);
    }
    /* Sends a log message if the peer wants it. */
    mcpw_status log(mcpw_log_level level, mcpw_json data, const char *logger = nullptr) const noexcept {
        return mcpw_request_log(request_, level, logger, data);
    }
    /* Notifies clients that watch a resource that its content has changed. */
    void resource_updated(const char *uri) const noexcept { mcpw_request_resource_updated(request_, uri); }

    /* Asks the user to fill in a form: mcpw_ask_form. The first call may have no answer yet (MCPW_PENDING).
     * The handler then returns status(), and runs again from its beginning when the answer has come. */
    result<answer> ask_form(const char *key, const char *message, mcpw_json schema) const {
        mcpw_ask_answer given = MCPW_ASK_ANSWER_INIT;
        return told(mcpw_ask_form(request_, key, message, schema, &given), given);
    }
    /* Asks the user to visit a URL: mcpw_ask_url. As ask_form. */
    result<answer> ask_url(const char *key, const char *message, const char *url) const {
        mcpw_ask_answer given = MCPW_ASK_ANSWER_INIT;
        return told(mcpw_ask_url(request_, key, message, url, &given), given);
    }
    /* Asks the client's model for a text: mcpw_ask_text. As ask_form. options may be NULL. */
    result<answer> ask_text(const char *key, std::string_view prompt,
                            const mcpw_ask_text_options *options = nullptr) const {
        mcpw_ask_answer given = MCPW_ASK_ANSWER_INIT;
        return told(mcpw_ask_text(request_, key, str(prompt), options, &given), given);
    }
    /* Makes any input request by its method: mcpw_ask_json. As ask_form. */
    result<answer> ask_json(const char *key, const char *method, mcpw_json params = {}) const {
        mcpw_ask_answer given = MCPW_ASK_ANSWER_INIT;
        return told(mcpw_ask_json(request_, key, method, params, &given), given);
    }

  private:
    static result<answer> told(mcpw_status status, const mcpw_ask_answer &given) {
        return status == MCPW_OK ? result<answer>(answer(given))
                                 : result<answer>(error_of(status, &given.error));
    }
    mcpw_str copied(std::string_view text) const noexcept {
        return mcpw_arena_str(arena(), str(text).ptr, text.size());
    }
    mcpw_request *request_;
};

/* The value of a template's variable; empty if there is none. */
inline std::string_view variable(const mcpw_resource_read &of, const char *name) noexcept {
    return view(mcpw_resource_variable(&of, name));
}

} // namespace mcpw

#endif
