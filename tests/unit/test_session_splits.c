/* SPDX-License-Identifier: MIT */
/* However bytes arrive, a conversation comes out the same. */

#include "session_harness.h"

static mcpw_status echo(end *e, mcpw_request *request, const void *params) {
    static const mcpw_json data = MCPW_JSON("\"d\"");
    (void)params;
    CHECK(mcpw_request_progress(request, 1, 2, NULL) == MCPW_OK);
    CHECK(mcpw_request_log(request, MCPW_LOG_INFO, NULL, data) == MCPW_OK);
    return answer(e, request, "{'content':[{'type':'text','text':'h\xc3\xa9llo'}]}");
}

/* The messages of a client with a handshake, good and bad. */
static const char *const legacy_script[] = {
    "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'%s','capabilities':{},"
    "'clientInfo':{'name':'c','version':'1'}}}\n",
    "{'jsonrpc':'2.0','method':'notifications/initialized'}\r\n",
    "\n\r\n",
    "{'jsonrpc':'2.0','id':'\xf0\x9f\x98\x80','method':'tools/call','params':{'name':'\\u00e9','_meta':{"
    "'progressToken':'t'}}}\n",
    "{broken\n",
    "\xff\xfe\n",
    "[{'jsonrpc':'2.0','id':1,'method':'ping'},{'jsonrpc':'2.0','method':'x'},5]\n",
    "{'jsonrpc':'2.0','id':3,'method':'no/such'}\n",
    "{'jsonrpc':'2.0','id':4,'method':'ping'}" /* its end never comes */
};

static const char *const modern_script[] = {
    "{'jsonrpc':'2.0','id':0,'method':'server/discover','params':{'_meta':{"
    "'io.modelcontextprotocol/protocolVersion':'%s','io.modelcontextprotocol/clientCapabilities':{}}}}\n",
    "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'_meta':{"
    "'io.modelcontextprotocol/protocolVersion':'2026-07-28','io.modelcontextprotocol/clientCapabilities':{},"
    "'io.modelcontextprotocol/logLevel':'debug','progressToken':5},'name':'t'}}\n",
    "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'name':'t'}}\r\n", "x\n",
    "{'jsonrpc':'2.0','id':4,'method':'ping'}"};

/* Feeds a text in pieces; the whole output. */
static char *output_of(const char *speaks, const char *text, wire how) {
    end *const e = server_of(speaks, HANDSHAKE);
    const size_t len = strlen(text);
    const char *bytes = NULL;
    e->unchecked = true;
    end_serve(e, "tools/call", echo);
    end_start(e);
    for (size_t at = 0; at < len;) {
        const size_t piece = piece_of(&how, len - at);
        char *const exact = copy_text(text + at, piece); /* so that reading beyond it shows */
        CHECK(mcpw_session_feed(e->session, exact, piece) == MCPW_OK);
        free(exact);
        at += piece;
    }
    CHECK(mcpw_session_feed(e->session, NULL, 0) == MCPW_OK);
    CHECK(mcpw_session_end_input(e->session) == MCPW_OK);
    const size_t size = mcpw_session_output(e->session, &bytes);
    char *const out = copy_text(bytes, size);
    end_free(e);
    return out;
}

static void any_split_gives_the_same_output(void) {
    for (int i = 0; i < revision_count(); i++) {
        const bool modern = i == revision_count() - 1;
        const char *const *const script = modern ? modern_script : legacy_script;
        const size_t count = modern ? sizeof modern_script / sizeof *modern_script
                                    : sizeof legacy_script / sizeof *legacy_script;
        char text[8192] = "";
        for (size_t k = 0; k < count; k++) {
            const char *const place = strstr(script[k], "%s");
            const size_t used = strlen(text);
            if (place != NULL) {
                (void)snprintf(text + used, sizeof text - used, "%.*s%s%s", (int)(place - script[k]),
                               script[k], revision_at(i), place + 2);
            } else {
                (void)snprintf(text + used, sizeof text - used, "%s", script[k]);
            }
        }
        char *const input = copy_text(q(text), strlen(text));
        char *const whole = output_of(revision_at(i), input, (wire){0});
        CHECK_HAS(whole, "h\xc3\xa9llo");
        CHECK_HAS(whole, "-32700");
        CHECK_HAS(whole, "'id':4,");
        for (unsigned seed = 1; seed < 60; seed++) {
            char *const split = output_of(revision_at(i), input, (wire){seed});
            CHECK_STRING(split, whole);
            free(split);
        }
        free(whole);
        free(input);
    }
}

static void two_ends_agree_over_any_wire(void) {
    for (int i = 0; i < revision_count(); i++) {
        for (unsigned seed = 0; seed < 8; seed++) {
            end *const client = client_of(MODERN, MODERN);
            end *const server = server_of(MODERN, HANDSHAKE);
            wire w = {seed};
            const mcpw_call how = {.on_progress = end_on_progress};
            end_serve(server, "tools/call", echo);
            open_pair(client, server, revision_at(i));
            for (int k = 0; k < 10; k++) {
                CHECK(call_with(client, "tools/call", "'name':'t','arguments':{'a':'\xe2\x82\xac'}", &how) ==
                      MCPW_OK);
            }
            pump(client, server, &w);
            CHECK(client->out.count == 10 && client->out.status == MCPW_OK && client->progressed == 10);
            CHECK_HAS(client->out.text, "h\xc3\xa9llo");
            end_free(client);
            end_free(server);
        }
    }
}

int main(void) {
    RUN(any_split_gives_the_same_output);
    RUN(two_ends_agree_over_any_wire);
    return check_end();
}
