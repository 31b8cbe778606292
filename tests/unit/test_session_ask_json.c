/* SPDX-License-Identifier: MIT */
/* Input requests in one line, with answers as JSON and texts, in every revision that can ask them. */
#include <mcpw/ask.h>

#include "session_asking.h"

#define SIZE "{'type':'object','properties':{'size':{'type':'integer','maximum':9}},'required':['size']}"
#define ACCEPT(content) "{'action':'accept','content':" content "}"
#define WRITTEN(content) "{'role':'assistant','model':'m','content':" content "}"
#define TEXT_BLOCK(text) "{'type':'text','text':'" text "'}"

enum { ELICITING_AT = 2, URL_AT = 3 /* the first revisions that have elicitation, and its URL mode */ };

static mcpw_ask_answer answered;
static mcpw_status asked;
static char content[HARNESS_ERROR];
static char text[HARNESS_ERROR];

static mcpw_json json(const char *single) {
    const char *const given = q(single);
    const mcpw_json value = mcpw_json_of(given, strlen(given));
    return value;
}

/* Keeps what the input request gave, and ends the request unless it waits. */
static mcpw_status keep_answer(end *e, mcpw_request *request, mcpw_status status) {
    asked = status;
    (void)snprintf(content, sizeof content, "%.*s", (int)answered.content.len,
                   answered.content.ptr != NULL ? answered.content.ptr : "");
    (void)snprintf(text, sizeof text, "%.*s", (int)answered.text.len,
                   answered.text.ptr != NULL ? answered.text.ptr : "");
    return status == MCPW_OK ? say_hello(e, request, "") : status;
}

static mcpw_status ask_size(end *e, mcpw_request *request, const void *params) {
    (void)params;
    answered = (mcpw_ask_answer)MCPW_ASK_ANSWER_INIT;
    return keep_answer(e, request, mcpw_ask_form(request, "q", "How large?", json(SIZE), &answered));
}

static mcpw_status ask_visit(end *e, mcpw_request *request, const void *params) {
    (void)params;
    answered = (mcpw_ask_answer)MCPW_ASK_ANSWER_INIT;
    return keep_answer(e, request, mcpw_ask_url(request, "q", "Log in", "https://a.example/", &answered));
}

static mcpw_status ask_model(end *e, mcpw_request *request, const void *params) {
    mcpw_ask_text_options options = MCPW_ASK_TEXT_OPTIONS_INIT;
    (void)params;
    options.max_tokens = 7;
    options.system_prompt = "Be brief";
    options.more = json("{'temperature':0.5}");
    answered = (mcpw_ask_answer)MCPW_ASK_ANSWER_INIT;
    return keep_answer(e, request, mcpw_ask_text(request, "q", mcpw_str_from("Say it"), &options, &answered));
}

/* Makes the call, checks that the input request has these words, and gives the answer. */
static end *server_told(int speaks, end_handler handler, const char *words, const char *with) {
    end *const e = server_asking(revision_at(speaks), revision_at(speaks), handler);
    say_request(e, "1", "tools/call", "'name':'t'");
    const char *const input_request = heard(e);
    CHECK(asked == MCPW_PENDING);
    CHECK_HAS(input_request, words);
    if (is_modern(e->speaks)) {
        say_request(e, "2", "tools/call", fmt("'name':'t','inputResponses':{'q':%s}", with));
    } else {
        say(e, fmt("{'jsonrpc':'2.0','id':1,'result':%s}", with));
    }
    return e;
}

static void a_form_is_asked_and_its_content_told(void) {
    for (int r = ELICITING_AT; r < revision_count(); r++) {
        end *const e = server_told(r, ask_size, "'message':'How large?'", ACCEPT("{'size':3}"));
        CHECK_HAS(heard(e), "'result':{");
        CHECK(asked == MCPW_OK && answered.action == MCPW_ASK_ACCEPT);
        CHECK_STRING(content, q("{'size':3}"));
        CHECK(e->diagnostics[MCPW_DIAGNOSTIC_HANDLER] == 0 && e->diagnostics[MCPW_DIAGNOSTIC_DROPPED] == 0);
        end_free(e);
    }
}

static void the_schema_of_the_form_reaches_the_client(void) {
    for (int r = ELICITING_AT; r < revision_count(); r++) {
        end *const e = server_told(r, ask_size, "'maximum':9", ACCEPT("{'size':3}"));
        end_free(e);
    }
}

static void declining_and_cancelling_are_told_apart(void) {
    for (int r = ELICITING_AT; r < revision_count(); r++) {
        end *e = server_told(r, ask_size, "How large?", "{'action':'decline'}");
        CHECK(asked == MCPW_OK && answered.action == MCPW_ASK_DECLINE && answered.content.ptr == NULL);
        end_free(e);
        e = server_told(r, ask_size, "How large?", "{'action':'cancel'}");
        CHECK(asked == MCPW_OK && answered.action == MCPW_ASK_CANCEL && answered.content.ptr == NULL);
        end_free(e);
    }
}

static void a_form_that_breaks_its_schema_is_no_answer(void) {
    for (int r = ELICITING_AT; r < revision_count(); r++) {
        end *const e = server_told(r, ask_size, "How large?", ACCEPT("{'size':10}"));
        CHECK_HAS(heard(e), "'code':-32603");
        CHECK(asked == MCPW_E_RANGE && answered.error.code == MCPW_E_RANGE);
        CHECK_STRING(answered.error.path, "/content/size");
        end_free(e);
    }
}

static void a_client_without_the_capability_is_not_asked(void) {
    for (int r = 0; r < revision_count(); r++) {
        end *const e = server_of(revision_at(r), revision_at(r));
        end_serve(e, "tools/call", ask_size);
        open_server_as(e, "{}");
        say_request_as(e, "1", "tools/call", "'name':'t'", "{}", "");
        CHECK(asked == MCPW_E_CAPABILITY && answered.error.code == MCPW_E_CAPABILITY);
        CHECK_HAS(heard(e), "'error':{");
        end_free(e);
    }
}

static void a_url_is_asked_for(void) {
    for (int r = URL_AT; r < revision_count(); r++) {
        end *const e = server_told(r, ask_visit, "'url':'https://a.example/'", "{'action':'accept'}");
        CHECK_HAS(heard(e), "'result':{");
        CHECK(asked == MCPW_OK && answered.action == MCPW_ASK_ACCEPT && answered.content.ptr == NULL);
        end_free(e);
    }
}

static void a_model_is_asked_and_its_text_told(void) {
    for (int r = 0; r < revision_count(); r++) {
        end *const e =
            server_told(r, ask_model, "'systemPrompt':'Be brief'", WRITTEN(TEXT_BLOCK("said \\u00e9")));
        CHECK_HAS(heard(e), "'result':{");
        CHECK(asked == MCPW_OK);
        CHECK_STRING(text, "said \xc3\xa9");
        end_free(e);
    }
}

static void the_options_of_a_prompt_reach_the_client(void) {
    for (int r = 0; r < revision_count(); r++) {
        end *e = server_told(r, ask_model, "'maxTokens':7", WRITTEN(TEXT_BLOCK("x")));
        end_free(e);
        e = server_told(r, ask_model, "'temperature':0.5", WRITTEN(TEXT_BLOCK("x")));
        end_free(e);
        e = server_told(r, ask_model, "{'type':'text','text':'Say it'}", WRITTEN(TEXT_BLOCK("x")));
        end_free(e);
    }
}

static void several_blocks_of_text_are_joined(void) {
    for (int r = URL_AT; r < revision_count(); r++) {
        end *const e =
            server_told(r, ask_model, "Say it", WRITTEN("[" TEXT_BLOCK("a") "," TEXT_BLOCK("b") "]"));
        CHECK(asked == MCPW_OK);
        CHECK_STRING(text, "ab");
        end_free(e);
    }
}

static void a_model_that_writes_no_text_gives_no_answer(void) {
    for (int r = 0; r < revision_count(); r++) {
        end *const e = server_told(r, ask_model, "Say it",
                                   WRITTEN("{'type':'image','data':'AA==','mimeType':'image/png'}"));
        CHECK(asked == MCPW_E_TYPE);
        CHECK_STRING(answered.error.path, "/content");
        CHECK_HAS(heard(e), "'code':-32603");
        end_free(e);
    }
}

/* ---- Mistakes of the handler's ---- */

static mcpw_status ask_nonsense(end *e, mcpw_request *request, const void *params) {
    (void)params;
    answered = (mcpw_ask_answer)MCPW_ASK_ANSWER_INIT;
    return keep_answer(e, request,
                       mcpw_ask_form(request, "q", "How large?", json("{'type':'string'}"), &answered));
}

static void a_form_that_is_no_form_is_refused_at_the_input_request(void) {
    for (int r = ELICITING_AT; r < revision_count(); r++) {
        end *const e = server_asking(revision_at(r), revision_at(r), ask_nonsense);
        say_request(e, "1", "tools/call", "'name':'t'");
        CHECK_HAS(heard(e), "'code':-32603");
        CHECK(asked != MCPW_OK && asked != MCPW_PENDING && answered.error.code == asked);
        CHECK_HAS(answered.error.path, "/requestedSchema");
        CHECK(e->diagnostics[MCPW_DIAGNOSTIC_HANDLER] == 1);
        end_free(e);
    }
}

static mcpw_status misuse(end *e, mcpw_request *request, const void *params) {
    mcpw_ask_text_options options = MCPW_ASK_TEXT_OPTIONS_INIT;
    const mcpw_json form = json(SIZE);
    const mcpw_json none = {NULL, 0, 0};
    mcpw_ask_answer fresh = MCPW_ASK_ANSWER_INIT;
    union {
        mcpw_ask_answer answer;
        unsigned char bytes[sizeof(mcpw_ask_answer) + 1];
    } newer;
    (void)params;
    memset(&newer, 0, sizeof newer);
    newer.answer.struct_size = sizeof newer.bytes;
    newer.bytes[sizeof newer.bytes - 1] = 1;
    CHECK(mcpw_ask_form(request, NULL, "m", form, &fresh) == MCPW_E_ARGUMENT);
    CHECK(mcpw_ask_form(request, "q", NULL, form, &fresh) == MCPW_E_ARGUMENT);
    CHECK(mcpw_ask_form(request, "q", "m", none, &fresh) == MCPW_E_ARGUMENT);
    CHECK(mcpw_ask_form(request, "q", "m", form, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_ask_form(request, "q", "m", form, &newer.answer) == MCPW_E_ARGUMENT);
    CHECK(mcpw_ask_url(request, "q", "m", NULL, &fresh) == MCPW_E_ARGUMENT);
    CHECK(mcpw_ask_text(request, "q", (mcpw_str){NULL, 0}, NULL, &fresh) == MCPW_E_ARGUMENT);
    options.struct_size = 1;
    CHECK(mcpw_ask_text(request, "q", mcpw_str_from("p"), &options, &fresh) == MCPW_E_ARGUMENT);
    CHECK(mcpw_ask_json(request, "q", NULL, none, &fresh) == MCPW_E_ARGUMENT);
    CHECK(mcpw_ask_json(request, "q", "no/such", none, &fresh) == MCPW_E_CAPABILITY);
    CHECK(mcpw_ask_json(request, "q", "tools/list", none, &fresh) == MCPW_E_CAPABILITY);
    return say_hello(e, request, "");
}

static void what_is_missing_is_refused_before_anything_is_asked(void) {
    end *const e = server_asking(MODERN, MODERN, misuse);
    say_request(e, "1", "tools/call", "'name':'t'");
    CHECK_HAS(heard(e), "'result':{");
    EXPECT(e, "");
    end_free(e);
}

static mcpw_status ask_for_roots(end *e, mcpw_request *request, const void *params) {
    (void)params;
    answered = (mcpw_ask_answer)MCPW_ASK_ANSWER_INIT;
    const mcpw_status status = mcpw_ask_json(request, "q", "roots/list", (mcpw_json){NULL, 0, 0}, &answered);
    answered.content = answered.result;
    return keep_answer(e, request, status);
}

static void any_input_request_is_asked_by_its_method(void) {
    for (int r = 0; r < revision_count(); r++) {
        end *const e = server_told(r, ask_for_roots, "roots/list", ROOTED);
        CHECK(asked == MCPW_OK);
        CHECK_HAS(content, "'uri':'file:///r'");
        end_free(e);
    }
}

/* An answer of an older program has fewer members. */
static mcpw_status ask_briefly(end *e, mcpw_request *request, const void *params) {
    (void)params;
    answered = (mcpw_ask_answer)MCPW_ASK_ANSWER_INIT;
    answered.struct_size = offsetof(mcpw_ask_answer, text);
    answered.error.code = MCPW_E_IO;
    return keep_answer(e, request, mcpw_ask_form(request, "q", "How large?", json(SIZE), &answered));
}

static void a_smaller_answer_is_filled_in_as_far_as_it_goes(void) {
    end *const e = server_told(ELICITING_AT, ask_briefly, "How large?", ACCEPT("{'size':3}"));
    CHECK(asked == MCPW_OK && answered.error.code == MCPW_E_IO);
    CHECK(answered.struct_size == offsetof(mcpw_ask_answer, text));
    CHECK_STRING(content, q("{'size':3}"));
    end_free(e);
}

int main(void) {
    RUN(a_form_is_asked_and_its_content_told);
    RUN(the_schema_of_the_form_reaches_the_client);
    RUN(declining_and_cancelling_are_told_apart);
    RUN(a_form_that_breaks_its_schema_is_no_answer);
    RUN(a_client_without_the_capability_is_not_asked);
    RUN(a_url_is_asked_for);
    RUN(a_model_is_asked_and_its_text_told);
    RUN(the_options_of_a_prompt_reach_the_client);
    RUN(several_blocks_of_text_are_joined);
    RUN(a_model_that_writes_no_text_gives_no_answer);
    RUN(a_form_that_is_no_form_is_refused_at_the_input_request);
    RUN(what_is_missing_is_refused_before_anything_is_asked);
    RUN(any_input_request_is_asked_by_its_method);
    RUN(a_smaller_answer_is_filled_in_as_far_as_it_goes);
    return check_end();
}
