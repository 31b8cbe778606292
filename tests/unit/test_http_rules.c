/* SPDX-License-Identifier: MIT */
/* By which status and code a request over HTTP is answered: one row for each rule, and for each of two rules
 * that are broken, which of them is told. */
#include "http_harness.h"

#define LIST "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{$M}}"
#define NAMED(version)                                                                                       \
    "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{'_meta':{"                                      \
    "'io.modelcontextprotocol/protocolVersion':'" version "',"                                               \
    "'io.modelcontextprotocol/clientCapabilities':{}}}}"
#define REQUEST(method) "{'jsonrpc':'2.0','id':'x','method':'" method "','params':{$M}}"
#define CALL(more) "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{$M," more "}}"
#define AT(lines) "Mcp-Method: tools/call\nMcp-Name: at\n" lines

typedef struct row {
    const char *lines; /* of the header, other than usual */
    const char *body;
    int status;
    const char *piece; /* of the answer */
} row;

static void check_row(const row *r, mcpw_http_eras eras, size_t piece) {
    site s = {0};
    s.config.eras = eras;
    if (!site_start(&s)) {
        CHECK(false);
        return;
    }
    const response *const got = site_finish(site_post(&s, r->lines, r->body, piece));
    if (got->status != r->status || !site_has(got->body, r->piece) || !got->ended) {
        (void)fprintf(stderr, "%s\n%s\n%d %s\n", r->lines, r->body, got->status, got->body);
        CHECK(false);
    }
    site_stop(&s);
}

static void check_rows(const row *rows, size_t count, mcpw_http_eras eras) {
    for (size_t i = 0; i < count; i++) {
        check_row(rows + i, eras, HTTP_TEXT);
        check_row(rows + i, eras, 1);
    }
}

/* Rules with and without sessions, and the differences with sessions. */
#define CHECK_ROWS(rows)                                                                                     \
    check_rows(rows, sizeof(rows) / sizeof *(rows), MCPW_HTTP_MODERN);                                       \
    check_rows(rows, sizeof(rows) / sizeof *(rows), MCPW_HTTP_BOTH)
#define CHECK_MODERN_ROWS(rows) check_rows(rows, sizeof(rows) / sizeof *(rows), MCPW_HTTP_MODERN)

static void hosts_and_origins_are_those_of_the_loopback(void) {
    static const row rows[] = {
        {"", LIST, 200, "'hello'"},
        {"Host: 127.0.0.1", LIST, 200, ""},
        {"Host: [::1]:8080\nOrigin: http://[::1]:8080", LIST, 200, ""},
        {"Host: LOCALHOST", LIST, 200, ""},
        {"Origin: https://localhost:8080", LIST, 200, ""},
        {"Host: evil.example.com", LIST, 403, "'code':-32600"},
        {"Host: localhost.evil.example.com", LIST, 403, ""},
        {"Host: localhost:", LIST, 200, ""},
        {"Host: localhost:80@evil.example.com", LIST, 400, ""},
        {"Host: localhost:80:80", LIST, 400, ""},
        {"Host: [::1]:80x", LIST, 400, ""},
        {"Origin: http://localhost:80@evil.example.com", LIST, 403, ""},
        {"Host:-", LIST, 400, ""},
        {"Host:", LIST, 403, ""},
        {"+Host: evil.example.com", LIST, 400, ""},
        {"Origin: http://evil.example.com", LIST, 403, ""},
        {"Origin: http://localhost.evil.example.com", LIST, 403, ""},
        {"Origin: null", LIST, 403, ""},
        {"Origin: file://localhost", LIST, 403, ""},
        {"Origin: http://localhost\n+Origin: http://evil.example.com", LIST, 403, ""},
        {"Host: evil.example.com\nContent-Type: text/plain", LIST, 403, ""},
    };
    CHECK_ROWS(rows);
}

static void bodies_are_json_and_answers_of_both_kinds(void) {
    static const row rows[] = {
        {"Content-Type: Application/JSON; charset=utf-8", LIST, 200, ""},
        {"Content-Type: text/plain", LIST, 415, "'code':-32600"},
        {"Content-Type:-", LIST, 415, ""},
        {"+Content-Type: application/json", LIST, 415, ""},
        {"Content-Encoding: gzip", LIST, 415, ""},
        {"Content-Encoding: identity", LIST, 200, ""},
        {"Accept: */*", LIST, 200, ""},
        {"Accept:-", LIST, 200, ""},
        {"Accept: application/json;q=0.5\n+Accept: text/*", LIST, 200, ""},
        {"Accept: application/json, application/*", LIST, 406, ""},
        {"Accept: image/png, application/json", LIST, 406, ""},
        {"Accept: application/json", LIST, 406, ""},
        {"Accept: text/event-stream", LIST, 406, ""},
    };
    CHECK_ROWS(rows);
}

static void bodies_are_messages(void) {
    static const row rows[] = {
        {"", "{broken", 400, "'code':-32700"},
        {"", "", 400, "'code':-32700"},
        {"", "[]", 400, "'code':-32600"},
        {"", "[" LIST "]", 400, "'code':-32600"},
        {"", "7", 400, "'code':-32600"},
        {"", "{'jsonrpc':'2.0','id':1,'result':{}}", 400, "'id':1,'error':{'code':-32600"},
        {"", "{'jsonrpc':'2.0','id':1,'method':7}", 400, "'id':1,'error':{'code':-32600"},
        {"", "{'jsonrpc':'2.0','id':null,'method':'tools/list'}", 400, "{'jsonrpc':'2.0','error'"},
        {"", "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{$M},'result':{}}", 400,
         "'id':1,'error':{'code':-32600"},
        {"", "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{$M},'error':{}}", 400,
         "'id':1,'error':{'code':-32600"},
        {"", "{'jsonrpc':'2.0','id':1,'method':'tools/list','method':'tools/call','params':{$M}}", 400,
         "-32600"},
        {"", "{'jsonrpc':'2.0','id':1,'id':1,'method':'tools/list','params':{$M}}", 400, "-32600"},
        {"", "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{$M,$M}}", 400, "-32600"},
        {"",
         "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{'_meta':{"
         "'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
         "'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
         "'io.modelcontextprotocol/clientCapabilities':{}}}}",
         400, "-32600"},
        {"",
         "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{'_meta':{"
         "'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
         "'io.modelcontextprotocol/clientCapabilities':{},"
         "'io.modelcontextprotocol/clientCapabilities':{}}}}",
         400, "-32600"},
        {AT("Mcp-Param-N: 1"), CALL("'name':'at','name':'at'"), 400, "-32600"},
        {AT("Mcp-Param-N: 1"), CALL("'name':'at','arguments':{'n':1},'arguments':{'n':1}"), 400, "-32600"},
        {"", "{'jsonrpc':'2.0','id':1,'method':'tools/list','m\\u0065thod':'x','params':{$M}}", 400,
         "-32600"},
    };
    CHECK_ROWS(rows);
}

static void every_request_says_who_makes_it(void) {
    static const row rows[] = {
        {"", "{'jsonrpc':'2.0','id':1,'method':'tools/list'}", 400, "'id':1,'error':{'code':-32602"},
        {"", "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{}}", 400, "-32602"},
        {"", "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':[]}", 400, "-32602"},
        {"",
         "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{'_meta':{"
         "'io.modelcontextprotocol/protocolVersion':'2026-07-28'}}}",
         400, "-32602"},
        {"",
         "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{'_meta':{"
         "'io.modelcontextprotocol/clientCapabilities':{}}}}",
         400, "-32602"},
    };
    CHECK_ROWS(rows);
}

static void versions_agree_and_are_spoken(void) {
    static const row rows[] = {
        {"MCP-Protocol-Version:-", LIST, 400, "'id':1,'error':{'code':-32020"},
        {"MCP-Protocol-Version: 2025-11-25", LIST, 400, "-32020"},
        {"", NAMED("v999.0.0"), 400, "-32020"},
        {"+MCP-Protocol-Version: 2026-07-28", LIST, 400, "-32020"},
        {"MCP-Protocol-Version: v999.0.0", NAMED("v999.0.0"), 400, "-32022"},
        {"MCP-Protocol-Version: v999.0.0", NAMED("v999.0.0"), 400, "'requested':'v999.0.0'"},
        {"MCP-Protocol-Version: v999.0.0", NAMED("v999.0.0"), 400, "2026-07-28"},
        {"MCP-Protocol-Version: 2025-11-25", NAMED("2025-11-25"), 400, "-32022"},
        /* before the method */
        {"MCP-Protocol-Version: v999.0.0\nMcp-Method:-", NAMED("v999.0.0"), 400, "-32022"},
    };
    CHECK_ROWS(rows);
}

static void methods_and_names_agree(void) {
    static const row rows[] = {
        {"Mcp-Method:-", LIST, 400, "'id':1,'error':{'code':-32020"},
        {"Mcp-Method: TOOLS/LIST", LIST, 400, "-32020"},
        {"Mcp-Method: prompts/list", LIST, 400, "-32020"},
        {"Mcp-Method:-\nmcp-method: \t tools/list \t", LIST, 200, ""},
        {"Mcp-Method: tools/call\nMcp-Name: hello", CALL("'name':'hello'"), 200, "'text':'hello'"},
        {"Mcp-Method: tools/call\nMcp-Name: =?base64?aGVsbG8=?=", CALL("'name':'hello'"), 200, ""},
        {"Mcp-Method: tools/call\nMcp-Name: =?base64?aGVsbG8?=", CALL("'name':'hello'"), 400, "-32020"},
        {"Mcp-Method: tools/call", CALL("'name':'hello'"), 400, "-32020"},
        {"Mcp-Method: tools/call\nMcp-Name: keep", CALL("'name':'hello'"), 400, "-32020"},
        {"Mcp-Method: tools/call\nMcp-Name: hello\n+Mcp-Name: hello", CALL("'name':'hello'"), 400, "-32020"},
        {"Mcp-Method: tools/call", CALL("'name':7"), 200, "-32602"},
        {"Mcp-Method: resources/read\nMcp-Name: test://a",
         "{'jsonrpc':'2.0','id':1,'method':'resources/read','params':{$M,'uri':'test://b'}}", 400, "-32020"},
        {"Mcp-Method: prompts/get",
         "{'jsonrpc':'2.0','id':1,'method':'prompts/get','params':{$M,'name':'p'}}", 400, "-32020"},
        {"Mcp-Method: tasks/get\nMcp-Name: 8",
         "{'jsonrpc':'2.0','id':1,'method':'tasks/get','params':{$M,'taskId':'7'}}", 400, "-32020"},
        /* before the method is looked for */
        {"Mcp-Method: tools/list", REQUEST("no/such"), 400, "-32020"},
    };
    CHECK_ROWS(rows);
}

static void arguments_agree_with_their_headers(void) {
    static const row rows[] = {
        {AT("Mcp-Param-Region: Hello"), CALL("'name':'at','arguments':{'region':'Hello'}"), 200, "hello"},
        {AT("mcp-param-region: =?base64?SGVsbG8=?="), CALL("'name':'at','arguments':{'region':'Hello'}"), 200,
         "hello"},
        {AT("Mcp-Param-Region: =?base64?SGVsbG8?="), CALL("'name':'at','arguments':{'region':'Hello'}"), 400,
         "-32020"},
        {AT("Mcp-Param-Region: =?base64?SGV$bG8=?="), CALL("'name':'at','arguments':{'region':'Hello'}"), 400,
         "-32020"},
        {AT("Mcp-Param-Region: SGVsbG8="), CALL("'name':'at','arguments':{'region':'Hello'}"), 400, "-32020"},
        {AT("Mcp-Param-Region: =?base64?SGVsbG8="),
         CALL("'name':'at','arguments':{'region':'=?base64?SGVsbG8='}"), 200, "hello"},
        {AT(""), CALL("'name':'at','arguments':{'region':'Hello'}"), 400, "-32020"},
        {AT("Mcp-Param-Region: a\n+Mcp-Param-Region: a"), CALL("'name':'at','arguments':{'region':'a'}"), 400,
         "-32020"},
        {AT("Mcp-Param-Region: Hello"), CALL("'name':'at','arguments':{}"), 400, "-32020"},
        {AT("Mcp-Param-Region: Hello"), CALL("'name':'at'"), 400, "-32020"},
        {AT("Mcp-Param-Region:"), CALL("'name':'at','arguments':{'region':''}"), 200, "hello"},
        {AT(""), CALL("'name':'at','arguments':{}"), 200, "hello"},
        {AT(""), CALL("'name':'at'"), 200, "hello"},
        {AT("Mcp-Param-N: 42"), CALL("'name':'at','arguments':{'n':42.0}"), 200, "hello"},
        {AT("Mcp-Param-N: 43"), CALL("'name':'at','arguments':{'n':42}"), 400, "-32020"},
        {AT("Mcp-Param-N: x"), CALL("'name':'at','arguments':{'n':42}"), 400, "-32020"},
        {AT("Mcp-Param-N: 4.50"), CALL("'name':'at','arguments':{'n':4.5}"), 200, "'isError':true"},
        {AT("Mcp-Param-N: 4.6"), CALL("'name':'at','arguments':{'n':4.5}"), 400, "-32020"},
        {AT("Mcp-Param-N: 1"), CALL("'name':'at','arguments':{'n':[1]}"), 200, "'isError':true"},
        {AT(""), CALL("'name':'at','arguments':{'plain':1}"), 200, "hello"},
        {AT("Mcp-Param-B: true"), CALL("'name':'at','arguments':{'b':true}"), 200, "hello"},
        {AT("Mcp-Param-B: false"), CALL("'name':'at','arguments':{'b':true}"), 400, "-32020"},
        {AT("Mcp-Param-Deep: d"), CALL("'name':'at','arguments':{'in':{'deep':'d'}}"), 200, "hello"},
        {AT(""), CALL("'name':'at','arguments':{'in':{'deep':'d'}}"), 400, "-32020"},
        {AT("Mcp-Param-Region: a"), CALL("'name':'at','arguments':{'region':'a','region':'b'}"), 400,
         "-32020"},
    };
    CHECK_ROWS(rows);
}

static void unknown_methods_are_not_found(void) {
    static const row rows[] = {
        {"Mcp-Method: no/such", REQUEST("no/such"), 404, "'id':'x','error':{'code':-32601"},
        {"Mcp-Method: initialize", REQUEST("initialize"), 404, "-32601"},
        {"Mcp-Method: ping", REQUEST("ping"), 404, "-32601"},
        {"Mcp-Method: logging/setLevel", REQUEST("logging/setLevel"), 404, "-32601"},
        {"Mcp-Method: resources/subscribe", REQUEST("resources/subscribe"), 404, "-32601"},
        {"Mcp-Method: prompts/list", REQUEST("prompts/list"), 404, "-32601"}, /* known, not served */
    };
    CHECK_ROWS(rows);
}

static void what_a_request_lacks_is_told_by_its_status(void) {
    static const row rows[] = {
        {"Mcp-Method: tools/call\nMcp-Name: needs", CALL("'name':'needs'"), 400, "'code':-32021"},
        {"Mcp-Method: tools/call\nMcp-Name: none", CALL("'name':'none'"), 200, "'code':-32602"},
    };
    CHECK_ROWS(rows);
}

static void notifications_are_accepted(void) {
    static const row rows[] = {
        {"Mcp-Method: notifications/cancelled",
         "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}", 202, ""},
        {"Mcp-Method: tools/list", "{'jsonrpc':'2.0','method':'notifications/x'}", 400, "-32020"},
        {"Mcp-Method: notifications/x\nMCP-Protocol-Version: v9",
         "{'jsonrpc':'2.0','method':'notifications/x'}", 400, "-32600"},
    };
    CHECK_ROWS(rows);
}

static void what_belongs_to_older_revisions_does_not_count(void) {
    static const row rows[] = {
        {"Mcp-Session-Id: 1\nLast-Event-ID: 7", LIST, 200, ""},
    };
    CHECK_ROWS(rows);
}

static void a_message_that_names_no_era_is_of_the_only_one(void) {
    static const row rows[] = {
        /* before what the headers say */
        {"MCP-Protocol-Version:-", "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{}}", 400,
         "-32602"},
        {"Mcp-Method:-\nMCP-Protocol-Version:-", "{'jsonrpc':'2.0','method':'notifications/x'}", 202, ""},
        {"Mcp-Method: initialize",
         "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'protocolVersion':'2025-11-25',"
         "'capabilities':{},'clientInfo':{'name':'c','version':'1'}}}",
         400, "-32602"},
    };
    CHECK_MODERN_ROWS(rows);
}

/* ---- What is no POST ---- */

static const response *without_body(const char *method, const char *path, const char *lines) {
    site s = {0};
    mcpw_status status = MCPW_E_STATE;
    s.config.eras = MCPW_HTTP_MODERN;
    CHECK(site_start(&s));
    const response *const got = site_finish(site_begin(&s, method, path, lines, &status));
    CHECK(status == MCPW_OK);
    site_stop(&s);
    return got;
}

static void only_post_is_allowed(void) {
    static const char *const methods[] = {"GET", "DELETE", "OPTIONS", "PUT", "post"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const response *const got = without_body(methods[i], "/mcp", "");
        CHECK(got->status == 405 && got->ended);
        CHECK(site_has(got->fields, "Allow: POST\n"));
    }
}

static void other_paths_are_not_found(void) {
    CHECK(without_body("POST", "/", "")->status == 404);
    CHECK(without_body("POST", "/mcp/", "")->status == 404);
    CHECK(without_body("POST", "/mcp?a=b", "")->status == 0); /* the body is waited for */
}

/* ---- Settings ---- */

static int status_with(const mcpw_http_config *config, const char *lines) {
    site s = {0};
    s.config = *config;
    CHECK(site_start(&s));
    const int status = site_finish(site_post(&s, lines, LIST, HTTP_TEXT))->status;
    site_stop(&s);
    return status;
}

static void hosts_and_origins_may_be_named(void) {
    mcpw_http_config config = MCPW_HTTP_CONFIG_INIT;
    config.hosts = "mcp.example.com other.example:99";
    CHECK(status_with(&config, "Host: mcp.example.com:443") == 200);
    CHECK(status_with(&config, "Host: other.example:99") == 200);
    CHECK(status_with(&config, "Host: other.example") == 403);
    CHECK(status_with(&config, "Host: localhost") == 403);
    CHECK(status_with(&config, "Host: mcp.example.com\nOrigin: https://mcp.example.com") == 200);
    CHECK(status_with(&config, "Host: mcp.example.com\nOrigin: http://localhost") == 403);
    config.origins = "https://app.example.com";
    CHECK(status_with(&config, "Host: mcp.example.com\nOrigin: https://app.example.com") == 200);
    CHECK(status_with(&config, "Host: mcp.example.com\nOrigin: https://mcp.example.com") == 403);
    config.hosts = "*";
    config.origins = NULL;
    CHECK(status_with(&config, "Host: anything") == 200);
    CHECK(status_with(&config, "Host: anything\nOrigin: http://anything") == 403);
    config.origins = "*";
    CHECK(status_with(&config, "Host: anything\nOrigin: null") == 200);
}

static void what_is_too_large_is_refused(void) {
    mcpw_http_config config = MCPW_HTTP_CONFIG_INIT;
    config.max_body = 64;
    CHECK(status_with(&config, "") == 413);
    CHECK(status_with(&config, "Content-Length: 65") == 413);
    CHECK(status_with(&config, "Content-Length: 99999999999999999999") == 400);
    config.max_body = 0;
    config.max_head = 64;
    CHECK(status_with(&config, "") == 431);
    config.max_head = 0;
    config.max_fields = 4;
    CHECK(status_with(&config, "") == 431);
}

static void a_server_needs_an_endpoint(void) {
    const mcpw_http_config config = MCPW_HTTP_CONFIG_INIT;
    mcpw_error error;
    CHECK(mcpw_http_server_new(&config, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    mcpw_http_server_free(NULL);
}

int main(void) {
    RUN(hosts_and_origins_are_those_of_the_loopback);
    RUN(bodies_are_json_and_answers_of_both_kinds);
    RUN(bodies_are_messages);
    RUN(every_request_says_who_makes_it);
    RUN(versions_agree_and_are_spoken);
    RUN(methods_and_names_agree);
    RUN(arguments_agree_with_their_headers);
    RUN(unknown_methods_are_not_found);
    RUN(what_a_request_lacks_is_told_by_its_status);
    RUN(notifications_are_accepted);
    RUN(what_belongs_to_older_revisions_does_not_count);
    RUN(a_message_that_names_no_era_is_of_the_only_one);
    RUN(only_post_is_allowed);
    RUN(other_paths_are_not_found);
    RUN(hosts_and_origins_may_be_named);
    RUN(what_is_too_large_is_refused);
    RUN(a_server_needs_an_endpoint);
    return check_end();
}
