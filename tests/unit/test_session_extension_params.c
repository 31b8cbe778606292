/* SPDX-License-Identifier: MIT */
/* The params of an extension's requests are read together with their message, and its results are written
 * after what the session adds to them. */
#include "session_extending.h"

#define DECLARING(id) fmt("{'extensions':{'%s':{}}}", id)

/* A server whose handler keeps the params, and answers by the text of its end. */
typedef struct scene {
    end *e;
    sample sample;
    char params[HARNESS_TEXT];
    const char *result; /* with ' for quotes */
    bool writes;        /* the handler writes it member by member */
    int runs;
} scene;

static mcpw_status respond(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    scene *const s = user;
    char room[HARNESS_TEXT];
    const char *const text = q(s->result);
    mcpw_json result = mcpw_json_of(text, strlen(text));
    mcpw_json_writer w;
    s->runs++;
    (void)snprintf(s->params, sizeof s->params, "%.*s", (int)call->params.len, call->params.ptr);
    CHECK(mcpw_json_check(call->params, 0, NULL) == MCPW_OK);
    mcpw_json_write_begin(&w, room, sizeof room);
    mcpw_json_write_raw(&w, result);
    CHECK(!s->writes || mcpw_json_write_end(&w, &result) == MCPW_OK);
    return mcpw_respond_json(request, result, NULL);
}

static void open_scene(scene *s, const char *schema) {
    mcpw_error error;
    *s = (scene){.result = "{'a':1}"};
    make_sample(&s->sample, true);
    s->sample.methods[0].request = respond;
    s->sample.methods[0].params_schema = mcpw_json_from(schema != NULL ? q(schema) : NULL);
    s->sample.extension.user = s;
    s->e = end_make(MCPW_ROLE_SERVER, MODERN, MODERN);
    s->e->unchecked = true; /* the revision does not know the method */
    end_serve(s->e, "tools/list", list_one_tool);
    CHECK(mcpw_client_add_extension(&s->e->config, &s->sample.extension, &error) == MCPW_OK);
    open_server(s->e);
}

static void say_members(scene *s, int id, const char *members, const char *capabilities) {
    say_request_as(s->e, fmt("%d", id), s->sample.request, members, capabilities, "");
}

/* Reading changes strings where they stand, so the text is a copy. From the third on the _meta is known. */
static void a_handler_gets_the_text_of_the_params_as_it_was_sent(void) {
    static const char members[] = "'text':'a\\u0062\\n','name':'plain','list':['x', {'y' : 'z\\\\'}]";
    scene s;
    open_scene(&s, NULL);
    for (int i = 0; i < 4; i++) {
        say_members(&s, i, members, DECLARING(s.sample.id));
        CHECK_HAS(heard(s.e), "'result':{");
        CHECK_HAS(s.params, q(members));
        CHECK(s.params[0] == '{' && s.params[strlen(s.params) - 1] == '}');
    }
    CHECK(s.runs == 4);
    end_free(s.e);
}

static void each_request_declares_for_itself(void) {
    scene s;
    open_scene(&s, NULL);
    for (int i = 0; i < 12; i++) {
        const bool declares = (i / 3) % 2 == 0;
        const int before = s.runs;
        say_members(&s, i, "", declares ? DECLARING(s.sample.id) : "{'extensions':{'org.x/other':{}}}");
        CHECK_HAS(heard(s.e), declares ? "'a':1" : "'code':-32021");
        CHECK(s.runs == before + declares);
    }
    end_free(s.e);
}

static void params_that_do_not_fit_are_refused(void) {
    scene s;
    open_scene(&s, "{'type':'object','properties':{'n':{'type':'integer'}}}");
    if (s.e->session == NULL) {
        return; /* without JSON Schema at run time such an extension cannot be added */
    }
    say_members(&s, 1, "'n':1", DECLARING(s.sample.id));
    CHECK_HAS(heard(s.e), "'a':1");
    say_members(&s, 2, "'n':'x'", DECLARING(s.sample.id));
    CHECK_HAS(heard(s.e), "'code':-32602,'message':'Invalid params: /params/n");
    say(s.e, fmt("{'jsonrpc':'2.0','id':3,'method':'%s','params':{'n':1}}", s.sample.request));
    CHECK_HAS(heard(s.e), "'error':{'code':-326");
    say(s.e, fmt("{'jsonrpc':'2.0','id':4,'method':'%s','params':[1]}", s.sample.request));
    CHECK_HAS(heard(s.e), "'error':{'code':-326");
    say(s.e,
        fmt("{'jsonrpc':'2.0','id':5,'method':'%s','params':{'_meta':{'a':1,'a':2}}}", s.sample.request));
    CHECK_HAS(heard(s.e), "'error':{'code':-326");
    CHECK(s.runs == 1);
    say_members(&s, 6, "'n':2", DECLARING(s.sample.id));
    CHECK_HAS(heard(s.e), "'a':1");
    end_free(s.e);
}

/* It has no id, so it is no request; the method has no notification. */
static void a_notification_of_that_name_reaches_nobody(void) {
    scene s;
    open_scene(&s, NULL);
    say(s.e, fmt("{'jsonrpc':'2.0','method':'%s','params':{'a':1}}", s.sample.request));
    CHECK(s.runs == 0);
    CHECK(*heard(s.e) == '\0');
    end_free(s.e);
}

static void a_revision_that_is_not_spoken_is_refused(void) {
    scene s;
    open_scene(&s, NULL);
    for (int i = 0; i < 3; i++) {
        say_members(&s, i, "", DECLARING(s.sample.id));
        CHECK_HAS(heard(s.e), "'a':1");
    }
    say(s.e, fmt("{'jsonrpc':'2.0','id':9,'method':'%s','params':{'_meta':{"
                 "'io.modelcontextprotocol/protocolVersion':'1999-01-01',"
                 "'io.modelcontextprotocol/clientInfo':{'name':'c','version':'1'},"
                 "'io.modelcontextprotocol/clientCapabilities':%s}}}",
                 s.sample.request, DECLARING(s.sample.id)));
    CHECK_HAS(heard(s.e), "'supported':[");
    CHECK(s.runs == 3);
    end_free(s.e);
}

/* How often a name stands in what was heard. */
static int count(const char *line, const char *name) {
    int found = 0;
    for (const char *at = strstr(line, name); at != NULL; at = strstr(at + 1, name)) {
        found++;
    }
    return found;
}

/* Both ways, as text of the handler's and as one that was checked while it was written. */
static void a_result_has_each_member_once(void) {
    static const struct {
        const char *result;
        const char *has;
    } results[] = {
        {"{'a':1}", "'a':1}"},
        {"{}", "'resultType':'complete'"},
        {"{'a':{'_meta':1},'b':'_meta'}", "'a':{'_meta':1}"},
        {"{'resultType':'complete','a':1}", "'resultType':'complete'"},
        {"{'a':1,'_meta':{'x':2}}", "'x':2"},
        {"{'\\u005fmeta':{'x':2}}", "'\\u005fmeta':{'x':2}"},
    };
    scene s;
    open_scene(&s, NULL);
    for (int i = 0; i < 2 * (int)(sizeof results / sizeof *results); i++) {
        s.result = results[i / 2].result;
        s.writes = i % 2 != 0;
        say_members(&s, i, "", DECLARING(s.sample.id));
        const char *const line = heard(s.e);
        CHECK_HAS(line, results[i / 2].has);
        CHECK_HAS(line, fmt("'id':%d,'result':{", i));
        CHECK(count(line, q("'resultType':")) == 1);
        CHECK(count(line, q("'_meta':{'io")) + count(line, q("'_meta':{'x")) <= 1);
        CHECK(mcpw_json_check(mcpw_json_of(line, strcspn(line, "\n")), 0, NULL) == MCPW_OK);
    }
    end_free(s.e);
}

static void a_result_that_asks_is_refused(void) {
    for (int i = 0; i < 2; i++) {
        scene s;
        open_scene(&s, NULL);
        s.writes = i != 0;
        s.result = "{'resultType':'input_required','a':1}";
        say_members(&s, 1, "", DECLARING(s.sample.id));
        CHECK_HAS(heard(s.e), "'error':{'code':-32603");
        end_free(s.e);
    }
}

int main(void) {
    RUN(a_handler_gets_the_text_of_the_params_as_it_was_sent);
    RUN(each_request_declares_for_itself);
    RUN(params_that_do_not_fit_are_refused);
    RUN(a_notification_of_that_name_reaches_nobody);
    RUN(a_revision_that_is_not_spoken_is_refused);
    RUN(a_result_has_each_member_once);
    RUN(a_result_that_asks_is_refused);
    return check_failures != 0;
}
