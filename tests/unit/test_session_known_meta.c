/* SPDX-License-Identifier: MIT */
/* Clients without a handshake say the same _meta in each request, which is not read again. */
#include "core/core.h"
#include "session_harness.h"

#define SAID(name, more)                                                                                     \
    "{'io.modelcontextprotocol/protocolVersion':'" MODERN                                                    \
    "','io.modelcontextprotocol/clientInfo':{'name':'" name                                                  \
    "','version':'1'},'io.modelcontextprotocol/clientCapabilities':{'sampling':{}}" more "}"

static void say_with(end *e, int id, const char *meta) {
    say(e, fmt("{'jsonrpc':'2.0','id':%d,'method':'tools/call','params':{'name':'t','_meta':%s}}", id, meta));
}

static bool is_from(mcpw_request *request, const char *name) {
    mcpw_str text = {NULL, 0};
    return mcpw_json_get_string(mcpw_request_client_info(request), "name", NULL, &text) == MCPW_OK &&
           mcpw_str_is(text, name);
}

static end *keeping_server(void) {
    end *const e = server_of(MODERN, MODERN);
    end_serve(e, "tools/call", keep);
    open_server(e);
    return e;
}

static void finish(end *e, mcpw_request *request) {
    CHECK(answer(e, request, "{'content':[]}") == MCPW_OK);
    CHECK_HAS(heard(e), "'result':{");
}

static void each_request_has_its_own(void) {
    static const struct {
        const char *meta;
        const char *name;
        bool can_log;
    } said[] = {
        {SAID("a", ""), "a", false},
        {SAID("a", ""), "a", false},
        {SAID("a", ""), "a", false},
        {SAID("b", ""), "b", false},
        {SAID("a", ""), "a", false},
        {SAID("b", ""), "b", false},
        {SAID("b", ""), "b", false},
        {SAID("b", ""), "b", false},
        {SAID("c", ",'progressToken':7"), "c", true},
        {SAID("c", ""), "c", false},
        {SAID("c", ",'progressToken':7"), "c", true},
        {SAID("c", ",'progressToken':7"), "c", true},
        {SAID("c", ",'progressToken':7"), "c", true},
    };
    end *const e = keeping_server();
    for (int i = 0; i < (int)(sizeof said / sizeof *said); i++) {
        say_with(e, i, said[i].meta);
        CHECK(is_from(e->kept, said[i].name));
        CHECK(mcpw_request_can(e->kept, "sampling") && !mcpw_request_can(e->kept, "elicitation"));
        CHECK(mcpw_request_progress(e->kept, 1, 2, NULL) == MCPW_OK);
        const bool told = strstr(heard(e), "notifications/progress") != NULL;
        CHECK(told == said[i].can_log);
        finish(e, e->kept);
    }
    end_free(e);
}

/* The session remembers another one meanwhile, and gives its memory back. */
static void a_request_keeps_what_it_shares(void) {
    end *const e = keeping_server();
    mcpw_request *kept[4];
    for (int i = 0; i < 4; i++) {
        say_with(e, i, SAID("early", ""));
        kept[i] = e->kept;
    }
    for (int i = 4; i < 8; i++) {
        say_with(e, i, SAID("late", ",'x':[1]"));
        CHECK(is_from(e->kept, "late"));
        finish(e, e->kept);
    }
    mcpw_session_trim(e->session);
    for (int i = 0; i < 4; i++) {
        CHECK(is_from(kept[i], "early"));
        CHECK_TEXT(mcpw_request_meta(kept[i]).ptr, mcpw_request_meta(kept[i]).len, q(SAID("early", "")));
        finish(e, kept[i]);
    }
    end_free(e);
}

/* Beside the remembered text another one begins alike, and what is wrong in a message is still told. */
static void a_text_that_begins_alike_is_another_one(void) {
    end *const e = keeping_server();
    for (int i = 0; i < 3; i++) {
        say_with(e, i, SAID("a", ""));
        finish(e, e->kept);
    }
    say(e, fmt("{'jsonrpc':'2.0','id':8,'method':'tools/call','params':{'name':'t','_meta':%s,'_meta':{}}}",
               SAID("a", "")));
    CHECK_HAS(heard(e), "'code':-326");
    say(e,
        fmt("{'jsonrpc':'2.0','id':9,'method':'tools/call','params':{'name':7,'_meta':%s}}", SAID("a", "")));
    CHECK_HAS(heard(e), "'code':-32602");
    say(e, fmt("{'jsonrpc':'2.0','id':10,'method':'tools/call','params':{'name':'t','_meta':%s]}}",
               SAID("a", "")));
    CHECK_HAS(heard(e), "'code':-32700");
    say_with(e, 11, SAID("a", ",'more':1"));
    CHECK_TEXT(mcpw_request_meta(e->kept).ptr, mcpw_request_meta(e->kept).len, q(SAID("a", ",'more':1")));
    finish(e, e->kept);
    end_free(e);
}

/* One session remembers 1,024 bytes, and nothing of a longer text. */
static void a_meta_of_at_most_1024_bytes_is_remembered(void) {
    enum { LIMIT = 1024 };
    for (int by = -1; by <= 1; by++) {
        end *const e = keeping_server();
        const size_t len = strlen(SAID("a", ",'x':''"));
        char fill[LIMIT];
        memset(fill, 'x', sizeof fill);
        fill[(size_t)(LIMIT + by) - len] = '\0';
        for (int i = 0; i < 3; i++) {
            char meta[2 * LIMIT];
            (void)snprintf(meta, sizeof meta, SAID("a", ",'x':'%s'"), fill);
            say_with(e, i, meta);
            CHECK(is_from(e->kept, "a"));
            finish(e, e->kept);
        }
        CHECK((e->session->known_meta != NULL) == (by <= 0));
        end_free(e);
    }
}

/* So the memory of a session does not grow with its requests. */
static void another_one_is_not_remembered_while_requests_share_the_first(void) {
    end *const e = keeping_server();
    for (int i = 0; i < 2; i++) {
        say_with(e, i, SAID("a", ""));
        finish(e, e->kept);
    }
    const mcpw_known_meta *const first = e->session->known_meta;
    say_with(e, 2, SAID("a", ""));
    mcpw_request *const sharing = e->kept;
    for (int i = 3; i < 6; i++) {
        say_with(e, i, SAID("b", ""));
        finish(e, e->kept);
        CHECK(first != NULL && e->session->known_meta == first);
    }
    finish(e, sharing);
    for (int i = 6; i < 8; i++) {
        say_with(e, i, SAID("b", ""));
        finish(e, e->kept);
    }
    CHECK(e->session->known_meta != NULL && e->session->known_meta != first);
    end_free(e);
}

int main(void) {
    RUN(each_request_has_its_own);
    RUN(a_request_keeps_what_it_shares);
    RUN(a_text_that_begins_alike_is_another_one);
    RUN(a_meta_of_at_most_1024_bytes_is_remembered);
    RUN(another_one_is_not_remembered_while_requests_share_the_first);
    return check_end();
}
