/* SPDX-License-Identifier: MIT */
/*
 * A server whose tools ask: the user by a form or a web page, the client's model, and the client for its
 * roots. They report progress and write to the log. The tool "learn" adds another tool and a prompt, and the
 * client is told that the lists have changed.
 */
#include <mcpw/ask.h>
#include <mcpw/json.h>
#include <mcpw/serve.h>

#include <stdio.h>

/* Answers with a text, or with the reason why there is none. */
static mcpw_status respond(mcpw_request *request, const mcpw_ask_answer *answer, mcpw_status status,
                           mcpw_str text) {
    if (status == MCPW_PENDING || status == MCPW_E_CAPABILITY) {
        return status; /* the handler runs again, or the client cannot be asked */
    }
    return status == MCPW_OK ? mcpw_respond_text(request, text)
                             : mcpw_respond_tool_error(request, answer->error.message);
}

static mcpw_status book(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    static const mcpw_json form =
        MCPW_JSON("{\"type\":\"object\",\"properties\":{"
                  "\"seats\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":8,\"default\":2},"
                  "\"class\":{\"type\":\"string\",\"enum\":[\"first\",\"second\"],\"default\":\"second\"},"
                  "\"email\":{\"type\":\"string\",\"format\":\"email\"}},\"required\":[\"seats\"]}");
    mcpw_ask_answer answer = MCPW_ASK_ANSWER_INIT;
    (void)call;
    (void)user;
    const mcpw_status status = mcpw_ask_form(request, "seats", "How many seats?", form, &answer);
    const bool accepted = status == MCPW_OK && answer.action == MCPW_ASK_ACCEPT;
    return respond(request, &answer, status,
                   accepted ? (mcpw_str){answer.content.ptr, answer.content.len}
                            : mcpw_str_from("No seats."));
}

static mcpw_status pay(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_ask_answer answer = MCPW_ASK_ANSWER_INIT;
    (void)call;
    (void)user;
    mcpw_status status =
        mcpw_ask_url(request, "pay", "Pay on our page.", "https://pay.example.com/1", &answer);
    if (status == MCPW_OK) { /* a real server does this later, when the page says that it was paid */
        status = mcpw_session_elicitation_complete(mcpw_request_session(request),
                                                   mcpw_request_elicitation(request, "pay"));
    }
    return respond(request, &answer, status,
                   mcpw_str_from(answer.action == MCPW_ASK_ACCEPT ? "The page is open." : "Not paid."));
}

static mcpw_status rhyme(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_ask_answer answer = MCPW_ASK_ANSWER_INIT;
    (void)call;
    (void)user;
    const mcpw_status status =
        mcpw_ask_text(request, "rhyme", mcpw_str_from("Write one line that rhymes."), NULL, &answer);
    return respond(request, &answer, status, answer.text);
}

static mcpw_status folders(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_ask_answer answer = MCPW_ASK_ANSWER_INIT;
    (void)call;
    (void)user;
    const mcpw_status status = mcpw_ask_json(request, "roots", "roots/list", mcpw_json_from(NULL), &answer);
    return respond(request, &answer, status, (mcpw_str){answer.result.ptr, answer.result.len});
}

static mcpw_status count_to_three(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    for (int i = 1; i <= 3; i++) {
        mcpw_request_progress(request, i, 3, "counting");
        mcpw_request_log(request, MCPW_LOG_INFO, "count", (mcpw_json)MCPW_JSON("\"one more\""));
    }
    return mcpw_respond_text(request, mcpw_str_from("Three."));
}

static mcpw_status get_rhyme(mcpw_request *request, const mcpw_prompt_get *get, void *user) {
    (void)get;
    return mcpw_respond_prompt_text(request, mcpw_str_from(user));
}

static mcpw_status learn(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    static const mcpw_tool learned = {
        .name = "rhyme_again", .description = "Asks the model for a line", .call = rhyme};
    static const mcpw_prompt prompt = {
        .name = "rhyme_again", .get = get_rhyme, .user = (void *)"Write another line."};
    (void)call;
    return mcpw_server_add_tool(user, &learned, NULL) == MCPW_OK &&
                   mcpw_server_add_prompt(user, &prompt, NULL) == MCPW_OK
               ? mcpw_respond_text(request, mcpw_str_from("Learned."))
               : mcpw_respond_tool_error(request, "Nothing more to learn.");
}

static mcpw_status offer(mcpw_server *server, mcpw_error *error) {
    const mcpw_tool tools[] = {
        {.name = "book", .description = "Asks the user to fill in a form", .call = book},
        {.name = "pay", .description = "Asks the user to visit a page", .call = pay},
        {.name = "rhyme", .description = "Asks the model for a line", .call = rhyme},
        {.name = "folders", .description = "Asks the client for its roots", .call = folders},
        {.name = "count", .description = "Reports progress and logs", .call = count_to_three},
        {.name = "learn", .description = "Adds a tool and a prompt", .call = learn, .user = server},
    };
    static const mcpw_prompt prompt = {
        .name = "rhyme", .get = get_rhyme, .user = (void *)"Write one line that rhymes."};
    mcpw_status status = mcpw_server_add_prompt(server, &prompt, error);
    mcpw_server_will_log(server);
    for (size_t i = 0; status == MCPW_OK && i < sizeof tools / sizeof *tools; i++) {
        status = mcpw_server_add_tool(server, &tools[i], error);
    }
    return status;
}

int main(int argc, char **argv) {
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("questions", "1.0.0", &error);
    mcpw_status status = server != NULL ? offer(server, &error) : error.code;
    if (status == MCPW_OK) {
        status = mcpw_serve(server, argc, argv, NULL, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "questions: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
