/* SPDX-License-Identifier: MIT */
/* The forms of elicitations: what both ends check of them, in every revision that has them. */
#include "session_asking.h"

#define AGE "{'type':'object','properties':{'n':{'type':'integer','maximum':120}},'required':['n']}"
#define ASKED "{'message':'How old?','requestedSchema':" AGE "}"
#define ANSWER(content) "{'action':'accept','content':" content "}"

enum { ELICITING_AT = 2 /* the first revision that has elicitation */ };

/* The outcome of the handler's input request. */
static mcpw_status asked;
static mcpw_error told;
static char answered[HARNESS_ERROR];

static mcpw_status ask_form(end *e, mcpw_request *request, const char *params) {
    const mcpw_revision *const revision = e->dispatch.revision;
    const int number = mcpw_method_number(revision, "elicitation/create", strlen("elicitation/create"));
    const mcpw_type *const type = mcpw_method_params(mcpw_method_entry(revision, number));
    const void *const value = decoded(type, params, mcpw_request_arena(request));
    mcpw_result result = {NULL, NULL};
    asked = mcpw_request_ask(request, "q", revision, number, value, &result, &told);
    answered[0] = '\0';
    if (asked == MCPW_PENDING) {
        return asked;
    }
    if (asked == MCPW_OK) {
        mcpw_buffer out = MCPW_BUFFER_INIT;
        CHECK(mcpw_encode(result.type, result.value, &out, NULL, NULL) == MCPW_OK);
        (void)snprintf(answered, sizeof answered, "%.*s", (int)out.len, out.data);
        mcpw_buffer_free(&out);
    }
    return say_hello(e, request, "");
}

static mcpw_status ask_age(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return ask_form(e, request, ASKED);
}

/* A server that asks, and is answered. */
static end *server_answered(const char *speaks, end_handler handler, bool unchecked, const char *with) {
    end *const e = server_of(speaks, speaks);
    e->config.check_forms = unchecked ? MCPW_OFF : MCPW_ON;
    end_serve(e, "tools/call", handler);
    open_server(e);
    say_request(e, "1", "tools/call", "'name':'t'");
    run_to_idle(e);
    if (is_modern(e->speaks)) {
        say_request(e, "2", "tools/call", fmt("'name':'t','inputResponses':{'q':%s}", with));
    } else {
        say(e, fmt("{'jsonrpc':'2.0','id':1,'result':%s}", with));
    }
    CHECK_HAS(heard(e), "'result':{"); /* the handler has ended, whatever it was told */
    return e;
}

/* ---- Who asks ---- */

static void an_answer_that_fits_is_told(void) {
    for (int i = ELICITING_AT; i < revision_count(); i++) {
        end_free(server_answered(revision_at(i), ask_age, false, ANSWER("{'n':7}")));
        CHECK(asked == MCPW_OK);
        CHECK_HAS(answered, "'n':7");
    }
}

static void an_answer_that_does_not_is_told_with_what_is_wrong(void) {
    for (int i = ELICITING_AT; i < revision_count(); i++) {
        end_free(server_answered(revision_at(i), ask_age, false, ANSWER("{'n':700}")));
        CHECK(asked == MCPW_E_RANGE);
        CHECK_STRING(told.path, "/content/n");
        end_free(server_answered(revision_at(i), ask_age, false, ANSWER("{}")));
        CHECK(asked == MCPW_E_MISSING);
        CHECK_STRING(told.path, "/content");
        end_free(server_answered(revision_at(i), ask_age, false, "{'action':'accept'}"));
        CHECK(asked == MCPW_E_MISSING);
    }
}

static void who_declines_has_filled_in_nothing(void) {
    for (int i = ELICITING_AT; i < revision_count(); i++) {
        end_free(server_answered(revision_at(i), ask_age, false, "{'action':'decline'}"));
        CHECK(asked == MCPW_OK);
        CHECK_HAS(answered, "'action':'decline'");
        end_free(server_answered(revision_at(i), ask_age, false, "{'action':'cancel','content':{'n':700}}"));
        CHECK(asked == MCPW_OK);
    }
}

static void an_option_lets_answers_be(void) {
    for (int i = ELICITING_AT; i < revision_count(); i++) {
        end_free(server_answered(revision_at(i), ask_age, true, ANSWER("{'n':700}")));
        CHECK(asked == MCPW_OK);
    }
}

static mcpw_status ask_date(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return ask_form(e, request,
                    "{'message':'When?','requestedSchema':{'type':'object',"
                    "'properties':{'d':{'type':'string','format':'date'}}}}");
}

static void formats_hold(void) {
    for (int i = ELICITING_AT; i < revision_count(); i++) {
        end_free(server_answered(revision_at(i), ask_date, false, ANSWER("{'d':'soon'}")));
        CHECK(asked == MCPW_E_FORMAT);
        CHECK_STRING(told.path, "/content/d");
        end_free(server_answered(revision_at(i), ask_date, false, ANSWER("{'d':'2026-07-28'}")));
        CHECK(asked == MCPW_OK);
    }
}

static mcpw_status ask_nested(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return ask_form(e, request,
                    "{'message':'Who?','requestedSchema':{'type':'object',"
                    "'properties':{'a':{'type':'string','pattern':'('}}}}");
}

static void a_form_that_is_none_is_not_sent(void) {
    for (int i = ELICITING_AT; i < revision_count(); i++) {
        end *const e = server_of(revision_at(i), revision_at(i));
        end_serve(e, "tools/call", ask_nested);
        open_server(e);
        say_request(e, "1", "tools/call", "'name':'t'");
        CHECK(asked == MCPW_E_FORMAT);
        CHECK_STRING(told.path, "/requestedSchema/properties/a/pattern");
        CHECK_HAS(heard(e), "'id':1,'result':{"); /* and no input request before it */
        CHECK(e->diagnostics[MCPW_DIAGNOSTIC_HANDLER] == 1);
        end_free(e);
    }
}

/* ---- Who answers ---- */

static const char *reply_with;
static mcpw_status sent;

static mcpw_status reply(end *e, mcpw_request *request, const void *params) {
    const mcpw_type *const type = result_type(e->dispatch.revision, mcpw_request_method(request));
    const void *const value = decoded(type, reply_with, mcpw_request_arena(request));
    (void)params;
    sent = mcpw_respond(request, type, value, NULL);
    return sent;
}

static mcpw_status reply_by_text(end *e, mcpw_request *request, const void *params) {
    (void)e;
    (void)params;
    sent = mcpw_respond_json(request, mcpw_json_from(q(reply_with)), NULL);
    return sent;
}

/* A client that is asked to fill in a form. Its response to that is its next message. */
static end *client_asked(const char *speaks, end_handler handler, bool unchecked, bool fills,
                         const char *input_request) {
    end *const e = answering_client(speaks, speaks, handler);
    e->config.check_forms = unchecked ? MCPW_OFF : MCPW_ON;
    e->config.fill_forms = fills;
    open_client(e);
    sent = MCPW_PENDING;
    if (is_modern(e->speaks)) {
        CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
        run_to_idle(e);
        say(e, fmt("{'jsonrpc':'2.0','id':2,'result':{'resultType':'input_required','inputRequests':{'k':{"
                   "'method':'elicitation/create','params':%s}}}}",
                   input_request));
    } else {
        say(e, fmt("{'jsonrpc':'2.0','id':'q','method':'elicitation/create','params':%s}", input_request));
    }
    return e;
}

static void what_fits_goes_out(void) {
    static const end_handler handlers[] = {reply, reply_by_text};
    reply_with = ANSWER("{'n':7}");
    for (int i = ELICITING_AT; i < revision_count(); i++) {
        for (size_t h = 0; h < 2; h++) {
            end *const e = client_asked(revision_at(i), handlers[h], false, false, ASKED);
            CHECK(sent == MCPW_OK);
            CHECK_HAS(heard(e), "'content':{'n':7}");
            end_free(e);
        }
    }
}

static void what_does_not_fit_stays(void) {
    static const end_handler handlers[] = {reply, reply_by_text};
    reply_with = ANSWER("{'n':'seven'}");
    for (int i = ELICITING_AT; i < revision_count(); i++) {
        for (size_t h = 0; h < 2; h++) {
            end *const e = client_asked(revision_at(i), handlers[h], false, false, ASKED);
            CHECK(sent == MCPW_E_TYPE);
            CHECK_HAS(e->last_diagnostic, "/content/n");
            CHECK(!has(heard(e), "seven"));
            end_free(e);
        }
        end *const free = client_asked(revision_at(i), reply, true, false, ASKED);
        CHECK(sent == MCPW_OK);
        CHECK_HAS(heard(free), "seven");
        end_free(free);
    }
}

static void declining_needs_nothing(void) {
    reply_with = "{'action':'decline'}";
    for (int i = ELICITING_AT; i < revision_count(); i++) {
        end *const e = client_asked(revision_at(i), reply, false, true, ASKED);
        CHECK(sent == MCPW_OK);
        CHECK_HAS(heard(e), "{'action':'decline'}");
        end_free(e);
    }
}

static void defaults_are_filled_in_where_that_is_wanted(void) {
    static const char input_request[] =
        "{'message':'Which?','requestedSchema':{'type':'object','properties':{'n':"
        "{'type':'integer','default':5},"
        "'s':{'type':'string','default':'x'}},'required':['n']}}";
    for (int i = ELICITING_AT; i < revision_count(); i++) {
        if (i == ELICITING_AT) {
            continue; /* its forms have defaults for booleans alone */
        }
        reply_with = ANSWER("{'s':'own'}");
        end *const e = client_asked(revision_at(i), reply, false, true, input_request);
        CHECK(sent == MCPW_OK);
        CHECK_HAS(heard(e), "'content':{'s':'own','n':5}");
        end_free(e);
        reply_with = "{'action':'accept'}";
        end *const empty = client_asked(revision_at(i), reply_by_text, false, true, input_request);
        CHECK(sent == MCPW_OK);
        CHECK_HAS(heard(empty), "'content':{'n':5,'s':'x'}");
        end_free(empty);
        end *const without = client_asked(revision_at(i), reply, false, false, input_request);
        CHECK(sent == MCPW_E_MISSING);
        end_free(without);
    }
}

static void a_form_that_is_none_is_refused_before_anyone_sees_it(void) {
    for (int i = ELICITING_AT; i < revision_count(); i++) {
        end *const e = client_asked(revision_at(i), reply, false, false,
                                    "{'message':'Who?','requestedSchema':{'type':'object',"
                                    "'properties':{'a':{'type':'string','pattern':'('}}}}");
        CHECK(sent == MCPW_PENDING); /* nobody was asked */
        if (is_modern(e->speaks)) {
            CHECK(e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
            CHECK_HAS(e->out.why, "/requestedSchema/properties/a/pattern");
        } else {
            const char *const line = heard(e);
            CHECK_HAS(line, "'code':-32602");
            CHECK_HAS(line, "/requestedSchema/properties/a/pattern");
        }
        end_free(e);
    }
}

/* ---- All that a form may ask, at both ends ---- */

static mcpw_status ask_everything(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return ask_form(
        e, request,
        "{'message':'All?','requestedSchema':{'type':'object','properties':{"
        "'s':{'type':'string','default':'John Doe'},'i':{'type':'integer','default':30},"
        "'f':{'type':'number','default':95.5},'b':{'type':'boolean','default':true},"
        "'e':{'type':'string','enum':['a','b'],'default':'a'},"
        "'t':{'type':'string','oneOf':[{'const':'v1','title':'First'},{'const':'v2','title':'S'}]},"
        "'m':{'type':'array','items':{'type':'string','enum':['x','y','z']},'default':['x']},"
        "'l':{'type':'string','enum':['o1','o2'],'enumNames':['One','Two']},"
        "'tm':{'type':'array','items':{'anyOf':[{'const':'p','title':'P'},{'const':'q','title':'Q'}]}}"
        "}}}");
}

static void a_form_with_everything_is_filled_in(void) {
    static const char *const revisions[] = {HANDSHAKE, MODERN};
    for (size_t i = 0; i < 2; i++) {
        end *const client = answering_client(revisions[i], revisions[i], reply);
        end *const server = server_of(revisions[i], revisions[i]);
        client->config.fill_forms = true;
        end_serve(server, "tools/call", ask_everything);
        open_pair(client, server, revisions[i]);
        reply_with = ANSWER("{'t':'v1','l':'o2','tm':['p','q']}");
        CHECK(call(client, "tools/call", "'name':'t'") == MCPW_OK);
        pump(client, server, NULL);
        CHECK(client->out.count == 1 && client->out.status == MCPW_OK && asked == MCPW_OK);
        CHECK_HAS(answered, "'s':'John Doe'");
        CHECK_HAS(answered, "'f':95.5");
        CHECK_HAS(answered, "'m':['x']");
        reply_with = ANSWER("{'t':'v3'}");
        CHECK(call(client, "tools/call", "'name':'t'") == MCPW_OK);
        pump(client, server, NULL);
        CHECK(sent == MCPW_E_UNION);
        end_free(client);
        end_free(server);
    }
}

int main(void) {
    RUN(an_answer_that_fits_is_told);
    RUN(an_answer_that_does_not_is_told_with_what_is_wrong);
    RUN(who_declines_has_filled_in_nothing);
    RUN(an_option_lets_answers_be);
    RUN(formats_hold);
    RUN(a_form_that_is_none_is_not_sent);
    RUN(what_fits_goes_out);
    RUN(what_does_not_fit_stays);
    RUN(declining_needs_nothing);
    RUN(defaults_are_filled_in_where_that_is_wanted);
    RUN(a_form_that_is_none_is_refused_before_anyone_sees_it);
    RUN(a_form_with_everything_is_filled_in);
    return check_end();
}
