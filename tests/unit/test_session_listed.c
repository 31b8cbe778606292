/* SPDX-License-Identifier: MIT */
/* A client's checks of calls, by the schemas of the tools that its server has listed. */
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/field.h>
#include <mcpw/detail/reflect.h>

#include "session_harness.h"

#define NUMBERS "{'type':'object','properties':{'n':{'type':'integer'}},'required':['n']}"
#define TOOL(name, output) "{'name':'" name "','inputSchema':" NUMBERS ",'outputSchema':" output "}"

static bool can_say_structured(const mcpw_revision *revision) {
    return mcpw_slot_exists(mcpw_type_slot(mcpw_revision_type(revision, "Tool"), "outputSchema"));
}

static const char *rest_of(const end *e) { return is_modern(e->speaks) ? "'resultType':'complete'," : ""; }

static long long id_of(end *e) {
    const char *const line = heard(e);
    const char *const at = strstr(line, "\"id\":");
    CHECK(at != NULL);
    return at != NULL ? strtoll(at + strlen("\"id\":"), NULL, 10) : 0;
}

static void say_result(end *e, long long id, const char *members) {
    say(e, fmt("{'jsonrpc':'2.0','id':%lld,'result':{%s%s}}", id, rest_of(e), members));
}

static void list_page(end *e, const char *cursor, const char *tools, const char *next) {
    char members[HARNESS_TEXT];
    (void)snprintf(members, sizeof members, "%s'tools':[%s]%s",
                   is_modern(e->speaks) ? "'ttlMs':5,'cacheScope':'public'," : "", tools, next);
    CHECK(call(e, "tools/list", cursor) == MCPW_OK);
    say_result(e, id_of(e), members);
    CHECK(e->out.status == MCPW_OK);
}

static void list(end *e, const char *tools) { list_page(e, "", tools, ""); }

/* A call whose result has these members. */
static mcpw_status called(end *e, const char *tool, const char *result) {
    char members[HARNESS_TEXT];
    (void)snprintf(members, sizeof members, "'content':[]%s", result);
    CHECK(call(e, "tools/call", fmt("'name':'%s'", tool)) == MCPW_OK);
    say_result(e, id_of(e), members);
    return e->out.status;
}

/* A client of each revision in which tools have an outputSchema. */
static end *next_client(int *index) {
    while (*index < revision_count()) {
        end *const e = client_of(revision_at(*index), revision_at(*index));
        (*index)++;
        if (can_say_structured(e->speaks)) {
            return e;
        }
        end_free(e);
    }
    return NULL;
}

static void a_result_that_keeps_the_promise_is_told(void) {
    int index = 0;
    for (end *e = next_client(&index); e != NULL; e = next_client(&index)) {
        open_client(e);
        list(e, TOOL("t", NUMBERS));
        CHECK(called(e, "t", ",'structuredContent':{'n':1}") == MCPW_OK);
        CHECK_HAS(e->out.text, "'n':1");
        end_free(e);
    }
}

static void a_result_that_breaks_it_fails_the_call(void) {
    int index = 0;
    for (end *e = next_client(&index); e != NULL; e = next_client(&index)) {
        open_client(e);
        list(e, TOOL("t", NUMBERS));
        CHECK(called(e, "t", ",'structuredContent':{'n':'x'}") == MCPW_E_TYPE);
        CHECK_HAS(e->out.why, "/structuredContent/n: ");
        CHECK(called(e, "t", ",'structuredContent':{}") == MCPW_E_MISSING);
        CHECK_HAS(e->out.why, "/structuredContent: ");
        end_free(e);
    }
}

static void structured_content_must_be_there(void) {
    int index = 0;
    for (end *e = next_client(&index); e != NULL; e = next_client(&index)) {
        open_client(e);
        list(e, TOOL("t", NUMBERS));
        CHECK(called(e, "t", "") == MCPW_E_MISSING);
        CHECK_HAS(e->out.why, "/structuredContent: ");
        end_free(e);
    }
}

static void an_error_has_promised_nothing(void) {
    int index = 0;
    for (end *e = next_client(&index); e != NULL; e = next_client(&index)) {
        open_client(e);
        list(e, TOOL("t", NUMBERS));
        CHECK(called(e, "t", ",'isError':true") == MCPW_OK);
        CHECK(called(e, "t", ",'isError':true,'structuredContent':{'n':'x'}") == MCPW_OK);
        end_free(e);
    }
}

static void tools_that_were_not_listed_are_not_checked(void) {
    int index = 0;
    for (end *e = next_client(&index); e != NULL; e = next_client(&index)) {
        open_client(e);
        CHECK(called(e, "t", ",'structuredContent':{'n':'x'}") == MCPW_OK);
        list(e, TOOL("t", NUMBERS) ",{'name':'free','inputSchema':{'type':'object'}}");
        CHECK(called(e, "other", ",'structuredContent':{'n':'x'}") == MCPW_OK);
        CHECK(called(e, "free", "") == MCPW_OK);
        end_free(e);
    }
}

static void an_option_turns_it_off(void) {
    int index = 0;
    for (end *e = next_client(&index); e != NULL; e = next_client(&index)) {
        e->config.check_results = MCPW_OFF;
        open_client(e);
        list(e, TOOL("t", NUMBERS));
        CHECK(called(e, "t", ",'structuredContent':{'n':'x'}") == MCPW_OK);
        end_free(e);
    }
}

static void a_new_list_takes_the_place_of_the_old_one(void) {
    int index = 0;
    for (end *e = next_client(&index); e != NULL; e = next_client(&index)) {
        open_client(e);
        list(e, TOOL("t", NUMBERS) "," TOOL("gone", NUMBERS));
        list(e, TOOL("t", "{'type':'object','required':['m']}"));
        CHECK(called(e, "t", ",'structuredContent':{'n':1}") == MCPW_E_MISSING);
        CHECK(called(e, "t", ",'structuredContent':{'m':1}") == MCPW_OK);
        CHECK(called(e, "gone", "") == MCPW_OK);
        end_free(e);
    }
}

static void a_list_that_has_changed_is_not_held_against_anyone(void) {
    int index = 0;
    for (end *e = next_client(&index); e != NULL; e = next_client(&index)) {
        open_client(e);
        list(e, TOOL("t", NUMBERS));
        if (is_modern(e->speaks)) {
            const mcpw_interest interest = {.tools = true};
            CHECK(mcpw_session_listen(e->session, &interest, NULL, NULL, NULL, NULL) == MCPW_OK);
            const long long id = id_of(e);
            const char *const about = fmt("'_meta':{'io.modelcontextprotocol/subscriptionId':%lld}", id);
            say(e, fmt("{'jsonrpc':'2.0','method':'notifications/subscriptions/acknowledged','params':{%s,"
                       "'notifications':{'toolsListChanged':true}}}",
                       about));
            say(e, fmt("{'jsonrpc':'2.0','method':'notifications/tools/list_changed','params':{%s}}", about));
        } else {
            say(e, "{'jsonrpc':'2.0','method':'notifications/tools/list_changed'}");
        }
        CHECK(called(e, "t", "") == MCPW_OK);
        list(e, TOOL("t", NUMBERS));
        CHECK(called(e, "t", "") == MCPW_E_MISSING);
        end_free(e);
    }
}

static void pages_add_up(void) {
    int index = 0;
    for (end *e = next_client(&index); e != NULL; e = next_client(&index)) {
        open_client(e);
        list(e, TOOL("old", NUMBERS));
        list_page(e, "", TOOL("a", NUMBERS), ",'nextCursor':'2'");
        CHECK(called(e, "old", "") == MCPW_E_MISSING); /* it may stand on the next page */
        list_page(e, "'cursor':'2'", TOOL("b", NUMBERS), "");
        CHECK(called(e, "a", "") == MCPW_E_MISSING);
        CHECK(called(e, "b", "") == MCPW_E_MISSING);
        CHECK(called(e, "old", "") == MCPW_OK);
        end_free(e);
    }
}

static void a_call_under_way_keeps_its_schema(void) {
    int index = 0;
    for (end *e = next_client(&index); e != NULL; e = next_client(&index)) {
        open_client(e);
        list(e, TOOL("t", NUMBERS));
        CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
        const long long id = id_of(e);
        list(e, "");
        say_result(e, id, "'content':[]");
        CHECK(e->out.status == MCPW_E_MISSING);
        end_free(e);
    }
}

static void many_tools_are_found_again(void) {
    enum { TOOLS = 60 };
    int index = 0;
    for (end *e = next_client(&index); e != NULL; e = next_client(&index)) {
        open_client(e);
        for (int page = 0; page < TOOLS; page++) {
            char tool[HARNESS_TEXT];
            (void)snprintf(tool, sizeof tool,
                           "{'name':'t%d','inputSchema':" NUMBERS ",'outputSchema':" NUMBERS "}", page);
            list_page(e, page == 0 ? "" : "'cursor':'c'", tool, page + 1 < TOOLS ? ",'nextCursor':'c'" : "");
        }
        for (int page = 0; page < TOOLS; page++) {
            CHECK(called(e, fmt("t%d", page), "") == MCPW_E_MISSING);
        }
        end_free(e);
    }
}

/* ---- Arguments ---- */

static void arguments_are_checked_where_that_is_wanted(void) {
    int index = 0;
    for (end *e = next_client(&index); e != NULL; e = next_client(&index)) {
        e->config.check_arguments = true;
        open_client(e);
        list(e, TOOL("t", "{'type':'object'}"));
        CHECK(call(e, "tools/call", "'name':'t','arguments':{'n':'x'}") == MCPW_E_TYPE);
        CHECK(call(e, "tools/call", "'name':'t'") == MCPW_E_MISSING);
        EXPECT(e, ""); /* nothing was sent */
        CHECK(call(e, "tools/call", "'name':'t','arguments':{'n':1}") == MCPW_OK);
        say_result(e, id_of(e), "'content':[],'structuredContent':{}");
        CHECK(e->out.status == MCPW_OK);
        end_free(e);
    }
}

static void without_the_option_they_are_the_server_s_business(void) {
    int index = 0;
    for (end *e = next_client(&index); e != NULL; e = next_client(&index)) {
        open_client(e);
        list(e, TOOL("t", "{'type':'object'}"));
        CHECK(call(e, "tools/call", "'name':'t','arguments':{'n':'x'}") == MCPW_OK);
        (void)id_of(e);
        end_free(e);
    }
}

/* ---- Schemas that cannot be used ---- */

static void a_schema_that_is_none_is_noted_and_lets_calls_be(void) {
    int index = 0;
    for (end *e = next_client(&index); e != NULL; e = next_client(&index)) {
        open_client(e);
        list(e, TOOL("t", "{'type':'object','$ref':'https://example.com/far'}"));
        CHECK(called(e, "t", "") == MCPW_OK);
        CHECK(e->diagnostics[MCPW_DIAGNOSTIC_TOOL_SCHEMA] == 1);
        CHECK_HAS(e->last_diagnostic, "/outputSchema");
        CHECK_HAS(e->last_diagnostic, "tool t: ");
        CHECK(called(e, "t", "") == MCPW_OK);
        CHECK(e->diagnostics[MCPW_DIAGNOSTIC_TOOL_SCHEMA] == 1); /* once a list */
        end_free(e);
    }
}

static void patterns_need_an_engine(void) {
    int index = 0;
    for (end *e = next_client(&index); e != NULL; e = next_client(&index)) {
        open_client(e);
        list(e, TOOL("t", "{'type':'object','properties':{'s':{'type':'string','pattern':'^a'}}}"));
        CHECK(called(e, "t", ",'structuredContent':{'s':'b'}") == MCPW_OK);
        CHECK(e->diagnostics[MCPW_DIAGNOSTIC_TOOL_SCHEMA] == 1);
        end_free(e);
    }
}

static void schemas_take_no_more_memory_than_is_allowed(void) {
    int index = 0;
    for (end *e = next_client(&index); e != NULL; e = next_client(&index)) {
        e->config.max_tool_schemas = 224; /* one fits as text, none compiled */
        open_client(e);
        list(e, TOOL("a", NUMBERS) "," TOOL("b", NUMBERS) "," TOOL("c", NUMBERS) "," TOOL("d", NUMBERS));
        CHECK(e->diagnostics[MCPW_DIAGNOSTIC_TOOL_SCHEMA] == 1); /* of all that do not fit */
        CHECK(called(e, "d", "") == MCPW_OK);
        CHECK(called(e, "a", "") == MCPW_OK);
        CHECK(e->diagnostics[MCPW_DIAGNOSTIC_TOOL_SCHEMA] == 2);
        end_free(e);
    }
}

int main(void) {
    RUN(a_result_that_keeps_the_promise_is_told);
    RUN(a_result_that_breaks_it_fails_the_call);
    RUN(structured_content_must_be_there);
    RUN(an_error_has_promised_nothing);
    RUN(tools_that_were_not_listed_are_not_checked);
    RUN(an_option_turns_it_off);
    RUN(a_new_list_takes_the_place_of_the_old_one);
    RUN(a_list_that_has_changed_is_not_held_against_anyone);
    RUN(pages_add_up);
    RUN(a_call_under_way_keeps_its_schema);
    RUN(many_tools_are_found_again);
    RUN(arguments_are_checked_where_that_is_wanted);
    RUN(without_the_option_they_are_the_server_s_business);
    RUN(a_schema_that_is_none_is_noted_and_lets_calls_be);
    RUN(patterns_need_an_engine);
    RUN(schemas_take_no_more_memory_than_is_allowed);
    return check_end();
}
