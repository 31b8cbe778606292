/* SPDX-License-Identifier: MIT */
/*
 * Tools that ask the client something. Each of them runs from its beginning until it has every answer that it
 * needs; how an answer comes (a request to the client, or another round of the call) it need not know.
 */
#include "fixture.h"

#include <mcpw/json.h>

/* The elicitation for the user: ElicitRequestFormParams. */
#define FORM(message, schema)                                                                                \
    "{\"message\":\"" message "\",\"requestedSchema\":{\"type\":\"object\"," schema "}}"
#define NAME_FORM                                                                                            \
    FORM("What is your name?", "\"properties\":{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]")
#define COLOR_FORM                                                                                           \
    FORM("What is your favorite color?",                                                                     \
         "\"properties\":{\"color\":{\"type\":\"string\"}},\"required\":[\"color\"]")
#define CONFIRM_FORM                                                                                         \
    FORM("Please confirm", "\"properties\":{\"ok\":{\"type\":\"boolean\"}},\"required\":[\"ok\"]")
#define USER_FORM                                                                                            \
    FORM("", "\"properties\":{\"username\":{\"type\":\"string\"},"                                           \
             "\"email\":{\"type\":\"string\",\"format\":\"email\"}},\"required\":[\"username\"]")
#define DEFAULTS_FORM                                                                                        \
    FORM("Please check these values",                                                                        \
         "\"properties\":{\"name\":{\"type\":\"string\",\"default\":\"John Doe\"},"                          \
         "\"age\":{\"type\":\"integer\",\"default\":30},\"score\":{\"type\":\"number\",\"default\":95.5},"   \
         "\"status\":{\"type\":\"string\",\"enum\":[\"active\",\"inactive\",\"pending\"],"                   \
         "\"default\":\"active\"},\"verified\":{\"type\":\"boolean\",\"default\":true}}")
#define CHOICES_FORM                                                                                         \
    FORM("Please choose",                                                                                    \
         "\"properties\":{"                                                                                  \
         "\"untitledSingle\":{\"type\":\"string\",\"enum\":[\"option1\",\"option2\",\"option3\"]},"          \
         "\"titledSingle\":{\"type\":\"string\",\"oneOf\":[{\"const\":\"value1\",\"title\":\"First\"},"      \
         "{\"const\":\"value2\",\"title\":\"Second\"},{\"const\":\"value3\",\"title\":\"Third\"}]},"         \
         "\"legacyEnum\":{\"type\":\"string\",\"enum\":[\"opt1\",\"opt2\",\"opt3\"],"                        \
         "\"enumNames\":[\"One\",\"Two\",\"Three\"]},"                                                       \
         "\"untitledMulti\":{\"type\":\"array\",\"items\":{\"type\":\"string\","                             \
         "\"enum\":[\"option1\",\"option2\",\"option3\"]}},"                                                 \
         "\"titledMulti\":{\"type\":\"array\",\"items\":{\"anyOf\":["                                        \
         "{\"const\":\"value1\",\"title\":\"First\"},{\"const\":\"value2\",\"title\":\"Second\"},"           \
         "{\"const\":\"value3\",\"title\":\"Third\"}]}}}")

enum { MAX_TOKENS = 100 };

static const mcpw_str no_message = {NULL, 0}; /* that of the form */

mcpw_status fixture_ask_user(mcpw_request *request, const char *key, const char *form, mcpw_str message,
                             const mcp_elicit_result **result) {
    mcp_elicit_request_params params = {.kind = MCP_ELICIT_REQUEST_PARAMS_ELICIT_REQUEST_FORM_PARAMS};
    mcp_elicit_request_form_params *const asked = &params.as.elicit_request_form_params;
    if (mcp_elicit_request_form_params_decode(form, strlen(form), mcpw_request_arena(request), asked, NULL,
                                              NULL) != MCPW_OK) {
        return MCPW_E_ARGUMENT; /* a mistake of this program's, not of the client's */
    }
    if (message.ptr != NULL) {
        asked->message = message;
    }
    return mcp_ask_elicitation_create(request, key, &params, result, NULL);
}

mcpw_str fixture_given(const mcp_elicit_result *result, const char *name) {
    for (size_t i = 0; i < result->content.count; i++) {
        const mcp_elicit_result_content_value_entry *const entry = &result->content.items[i];
        if (mcpw_str_is(entry->key, name) && entry->value.kind == MCP_ELICIT_RESULT_CONTENT_VALUE_STRING) {
            return entry->value.as.string;
        }
    }
    return mcpw_str_from(NULL);
}

static mcpw_status ask_model(mcpw_request *request, const char *key, mcpw_str prompt, mcpw_str *reply) {
    const mcp_sampling_message message = {
        .role = MCP_ROLE_USER,
        .content = {.kind = MCP_SAMPLING_MESSAGE_CONTENT_TEXT_CONTENT, .as.text_content.text = prompt}};
    const mcp_create_message_request_params params = {.messages = {&message, 1}, .max_tokens = MAX_TOKENS};
    const mcp_create_message_result *result;
    const mcpw_status status = mcp_ask_sampling_create_message(request, key, &params, &result, NULL);
    if (status == MCPW_OK) {
        const bool text = result->content.kind == MCP_CREATE_MESSAGE_RESULT_CONTENT_TEXT_CONTENT;
        *reply = text ? result->content.as.text_content.text : mcpw_str_from("(no text)");
    }
    return status;
}

static mcpw_status ask_roots(mcpw_request *request, const char *key, const mcp_list_roots_result **result) {
    return mcp_ask_roots_list(request, key, NULL, result, NULL);
}

static mcpw_status sampling(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str prompt;
    mcpw_str reply;
    (void)user;
    if (mcpw_json_get_string(call->arguments, "prompt", mcpw_request_arena(request), &prompt) != MCPW_OK) {
        return fixture_refuse(request, "prompt", "expected a string");
    }
    const mcpw_status status = ask_model(request, "reply", prompt, &reply);
    return status == MCPW_OK ? fixture_say(request, "LLM response: %.*s", (int)reply.len, reply.ptr) : status;
}

/* The user's action, and the content. */
static mcpw_status say_outcome(mcpw_request *request, const char *what, const mcp_elicit_result *result) {
    static const char *const actions[] = {
        [MCP_ELICIT_RESULT_ACTION_ACCEPT] = "accept",
        [MCP_ELICIT_RESULT_ACTION_CANCEL] = "cancel",
        [MCP_ELICIT_RESULT_ACTION_DECLINE] = "decline",
    };
    const bool known = (size_t)result->action < sizeof actions / sizeof actions[0];
    mcpw_buffer text = MCPW_BUFFER_INIT;
    mcpw_json content = MCPW_JSON("{}");
    mcpw_status status = mcp_elicit_result_encode(result, &text, NULL, NULL);
    if (status == MCPW_OK) {
        (void)!mcpw_json_get(mcpw_json_of(text.data, text.len), "content", &content);
        status = fixture_say(request, "%s: action=%s, content=%.*s", what,
                             known ? actions[result->action] : "unknown", (int)content.len, content.ptr);
    }
    mcpw_buffer_free(&text);
    return status;
}

static mcpw_status elicitation(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str message;
    const mcp_elicit_result *result;
    (void)user;
    if (mcpw_json_get_string(call->arguments, "message", mcpw_request_arena(request), &message) != MCPW_OK) {
        return fixture_refuse(request, "message", "expected a string");
    }
    const mcpw_status status = fixture_ask_user(request, "reply", USER_FORM, message, &result);
    return status == MCPW_OK ? say_outcome(request, "User response", result) : status;
}

/* Shows the form in user. */
static mcpw_status form(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcp_elicit_result *result;
    (void)call;
    const mcpw_status status = fixture_ask_user(request, "form", user, no_message, &result);
    return status == MCPW_OK ? say_outcome(request, "Elicitation completed", result) : status;
}

static mcpw_status ask_name(mcpw_request *request, const char *key, mcpw_str *name) {
    const mcp_elicit_result *result;
    const mcpw_status status = fixture_ask_user(request, key, NAME_FORM, no_message, &result);
    if (status == MCPW_OK) {
        *name = fixture_given(result, "name");
        if (name->ptr == NULL) {
            return MCPW_E_VALUE; /* declined, or no text: there is no one to greet */
        }
    }
    return status;
}

static mcpw_status one_input_request(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str name;
    (void)call;
    (void)user;
    const mcpw_status status = ask_name(request, "user_name", &name);
    return status == MCPW_OK ? fixture_say(request, "Hello, %.*s!", (int)name.len, name.ptr) : status;
}

static mcpw_status capital(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str reply;
    (void)call;
    (void)user;
    const mcpw_status status =
        ask_model(request, "capital", mcpw_str_from("What is the capital of France?"), &reply);
    return status == MCPW_OK ? mcpw_respond_text(request, reply) : status;
}

static mcpw_status roots(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcp_list_roots_result *found;
    mcpw_buffer text = MCPW_BUFFER_INIT;
    (void)call;
    (void)user;
    mcpw_status status = ask_roots(request, "client_roots", &found);
    for (size_t i = 0; status == MCPW_OK && i < found->roots.count; i++) {
        const mcpw_str uri = found->roots.items[i].uri;
        status = i == 0 ? MCPW_OK : mcpw_buffer_append(&text, ", ", 2);
        if (status == MCPW_OK) {
            status = mcpw_buffer_append(&text, uri.ptr, uri.len);
        }
    }
    if (status == MCPW_OK) {
        status = fixture_say(request, "Roots: %.*s", (int)text.len, text.len > 0 ? text.data : "");
    }
    mcpw_buffer_free(&text);
    return status;
}

static mcpw_status keep_state(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcp_elicit_result *result;
    (void)call;
    (void)user;
    const bool again = mcpw_request_state(request).ptr != NULL;
    mcpw_status status = again ? MCPW_OK : mcpw_request_set_state(request, mcpw_json_from("{\"step\":1}"));
    if (status == MCPW_OK) {
        status = fixture_ask_user(request, "confirm", CONFIRM_FORM, no_message, &result);
    }
    return status == MCPW_OK ? fixture_say(request, "%s", again ? "state-ok" : "state-lost") : status;
}

/* All questions are asked before the first answer is waited for. */
static mcpw_status three_input_requests(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str name = {NULL, 0};
    mcpw_str greeting = {NULL, 0};
    const mcp_list_roots_result *found = NULL;
    (void)call;
    (void)user;
    mcpw_status status = mcpw_request_set_state(request, mcpw_json_from("{\"step\":1}"));
    if (status != MCPW_OK) {
        return status;
    }
    const mcpw_status asked[] = {
        ask_name(request, "user_name", &name),
        ask_model(request, "greeting", mcpw_str_from("What is the capital of France?"), &greeting),
        ask_roots(request, "client_roots", &found),
    };
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        if (asked[i] != MCPW_OK && asked[i] != MCPW_PENDING) {
            return asked[i];
        }
        status = asked[i] == MCPW_OK ? status : asked[i];
    }
    return status == MCPW_OK ? fixture_say(request, "%.*s, %.*s, %u root(s)", (int)name.len, name.ptr,
                                           (int)greeting.len, greeting.ptr, (unsigned)found->roots.count)
                             : status;
}

static mcpw_status two_rounds(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str name;
    const mcp_elicit_result *result;
    (void)call;
    (void)user;
    mcpw_status status = mcpw_request_set_state(request, mcpw_json_from("{\"step\":1}"));
    if (status == MCPW_OK) {
        status = ask_name(request, "step1", &name);
    }
    if (status == MCPW_OK) {
        status = mcpw_request_set_state(request, mcpw_json_from("{\"step\":2}"));
    }
    if (status == MCPW_OK) {
        status = fixture_ask_user(request, "step2", COLOR_FORM, no_message, &result);
    }
    if (status != MCPW_OK) {
        return status;
    }
    const mcpw_str color = fixture_given(result, "color");
    return fixture_say(request, "%.*s likes %.*s", (int)name.len, name.ptr, (int)color.len,
                       color.ptr != NULL ? color.ptr : "");
}

/* Asks only for what the client can do. */
static mcpw_status what_client_can(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str reply = {NULL, 0};
    mcpw_str name = {NULL, 0};
    (void)call;
    (void)user;
    mcpw_status status = MCPW_OK;
    if (mcpw_request_can(request, "sampling")) {
        status = ask_model(request, "capital", mcpw_str_from("What is the capital of France?"), &reply);
    }
    if (mcpw_request_can(request, "elicitation") && (status == MCPW_OK || status == MCPW_PENDING)) {
        const mcpw_status asked = ask_name(request, "user_name", &name);
        status = asked == MCPW_OK ? status : asked;
    }
    return status == MCPW_OK ? fixture_say(request, "%s %s", reply.ptr != NULL ? "sampled" : "no sampling",
                                           name.ptr != NULL ? "asked" : "no questions")
                             : status;
}

#define PROMPT_SCHEMA                                                                                        \
    "{\"type\":\"object\",\"properties\":{\"prompt\":{\"type\":\"string\"}},\"required\":[\"prompt\"]}"
#define MESSAGE_SCHEMA                                                                                       \
    "{\"type\":\"object\",\"properties\":{\"message\":{\"type\":\"string\"}},\"required\":[\"message\"]}"

static const mcpw_tool tools[] = {
    {.name = "test_sampling",
     .description = "Asks the model",
     .input_schema = MCPW_JSON(PROMPT_SCHEMA),
     .call = sampling},
    {.name = "test_elicitation",
     .description = "Asks the user",
     .input_schema = MCPW_JSON(MESSAGE_SCHEMA),
     .call = elicitation},
    {.name = "test_elicitation_sep1034_defaults",
     .description = "Asks the user for values that have defaults",
     .call = form,
     .user = (void *)DEFAULTS_FORM},
    {.name = "test_elicitation_sep1330_enums",
     .description = "Asks the user for choices of every kind",
     .call = form,
     .user = (void *)CHOICES_FORM},
    {.name = "test_missing_capability", .description = "Needs a client that can sample", .call = capital},
    {.name = "test_input_required_result_elicitation",
     .description = "Asks for a name",
     .call = one_input_request},
    {.name = "test_streaming_elicitation", .description = "Asks for a name", .call = one_input_request},
    {.name = "test_input_required_result_sampling", .description = "Asks the model", .call = capital},
    {.name = "test_input_required_result_list_roots", .description = "Asks for the roots", .call = roots},
    {.name = "test_input_required_result_request_state", .description = "Keeps a state", .call = keep_state},
    {.name = "test_input_required_result_tampered_state", .description = "Keeps a state", .call = keep_state},
    {.name = "test_input_required_result_multiple_inputs",
     .description = "Asks three things at once",
     .call = three_input_requests},
    {.name = "test_input_required_result_multi_round",
     .description = "Asks in two rounds",
     .call = two_rounds},
    {.name = "test_input_required_result_capabilities",
     .description = "Asks what the client can answer",
     .call = what_client_can},
};

mcpw_status fixture_add_input_requests(fixture *f, mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < sizeof tools / sizeof tools[0]; i++) {
        status = mcpw_server_add_tool(f->server, &tools[i], error);
    }
    return status;
}
