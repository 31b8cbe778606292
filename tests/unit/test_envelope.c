/* SPDX-License-Identifier: MIT */
#include <mcpw/envelope.h>

#include <stdlib.h>

#include "check.h"

/* Reads a text that lies in memory of exactly its size, so that a read past its end is noticed. */
static mcpw_status read_tight(mcpw_message_envelope *e, const char *text, unsigned depth, mcpw_error *error) {
    const size_t len = strlen(text);
    char *const copy = malloc(len + (len == 0));
    if (copy == NULL) {
        return MCPW_E_MEMORY;
    }
    memcpy(copy, text, len);
    const mcpw_status status = mcpw_envelope_read(e, mcpw_json_of(copy, len), depth, error);
    free(copy);
    return status;
}

static mcpw_message_envelope read_text(const char *text) {
    mcpw_message_envelope e;
    CHECK(mcpw_envelope_read(&e, mcpw_json_of(text, strlen(text)), 0, NULL) == MCPW_OK);
    return e;
}

static bool holds(const mcpw_message_envelope *e, mcpw_envelope_at at, const char *text) {
    return text != NULL ? e->at[at].len == strlen(text) && memcmp(e->at[at].ptr, text, e->at[at].len) == 0
                        : e->at[at].ptr == NULL;
}

static void a_message_is_of_the_kind_that_its_members_make(void) {
    static const struct {
        const char *text;
        mcpw_message_kind kind;
    } cases[] = {
        {"{\"id\":1,\"method\":\"ping\"}", MCPW_MESSAGE_REQUEST},
        {"{\"id\":null,\"method\":\"ping\"}", MCPW_MESSAGE_REQUEST},
        {"{\"method\":\"a\"}", MCPW_MESSAGE_NOTIFICATION},
        {"{\"method\":1,\"id\":1}", MCPW_MESSAGE_NONE},
        {"{\"id\":1,\"result\":{}}", MCPW_MESSAGE_RESULT},
        {"{\"id\":1,\"error\":{}}", MCPW_MESSAGE_ERROR},
        {"{}", MCPW_MESSAGE_NONE},
        {" [ 1 ] ", MCPW_MESSAGE_BATCH},
        {"[]", MCPW_MESSAGE_BATCH},
        {"\"text\"", MCPW_MESSAGE_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(read_text(cases[i].text).kind == cases[i].kind);
    }
}

static void every_member_is_found_where_it_stands(void) {
    const mcpw_message_envelope e = read_text(
        " { \"jsonrpc\" : \"2.0\", \"id\": 7 , "
        "\"method\":\"tools/call\",\"other\":[{\"name\":1}],\"params\": "
        "{\"name\":\"n\",\"uri\":\"u\",\"taskId\":\"t\",\"task\":{},\"requestId\":3,\"protocolVersion\":"
        "\"p\","
        "\"arguments\":{\"name\":\"inner\"},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"v\","
        "\"io.modelcontextprotocol/clientCapabilities\":{\"a\":1},\"io.modelcontextprotocol/clientInfo\":{},"
        "\"io.modelcontextprotocol/logLevel\":\"info\",\"progressToken\":5}},"
        "\"result\":[ ],\"error\":{\"code\":-1,\"data\":{\"code\":2}}} ");
    static const char *const expected[MCPW_AT_COUNT] = {
        "\"2.0\"",   "7",     "\"tools/call\"",
        NULL,        "[ ]",   "{\"code\":-1,\"data\":{\"code\":2}}",
        NULL,        "\"n\"", "{\"name\":\"inner\"}",
        "\"u\"",     "\"t\"", "{}",
        "3",         "\"p\"", "\"v\"",
        "{\"a\":1}", "{}",    "\"info\"",
        "5",         "-1"};
    for (mcpw_envelope_at at = MCPW_AT_JSONRPC; at < MCPW_AT_COUNT; at++) {
        CHECK(at == MCPW_AT_PARAMS || at == MCPW_AT_META || holds(&e, at, expected[at]));
    }
    CHECK(e.at[MCPW_AT_PARAMS].len > 0 && e.at[MCPW_AT_PARAMS].ptr[0] == '{');
    CHECK(e.at[MCPW_AT_META].len > 0 && e.at[MCPW_AT_META].ptr[e.at[MCPW_AT_META].len - 1] == '}');
    CHECK(e.twice == 0);
}

static void of_two_members_the_first_counts_and_both_are_noticed(void) {
    const mcpw_message_envelope e =
        read_text("{\"id\":1,\"id\":2,\"params\":{\"name\":\"a\",\"uri\":1,\"uri\":2},"
                  "\"params\":{\"name\":\"b\",\"taskId\":1}}");
    CHECK(holds(&e, MCPW_AT_ID, "1") && mcpw_envelope_is_twice(&e, MCPW_AT_ID));
    CHECK(holds(&e, MCPW_AT_NAME, "\"a\"") && !mcpw_envelope_is_twice(&e, MCPW_AT_NAME));
    CHECK(holds(&e, MCPW_AT_URI, "1") && mcpw_envelope_is_twice(&e, MCPW_AT_URI));
    CHECK(holds(&e, MCPW_AT_TASK_ID, NULL) && mcpw_envelope_is_twice(&e, MCPW_AT_PARAMS));
}

static void names_are_compared_without_their_escapes(void) {
    const mcpw_message_envelope e = read_text("{\"\\u0069d\":1,\"id\":2,\"ID\":3,\"meth\\u006fd\":\"m\"}");
    CHECK(holds(&e, MCPW_AT_ID, "1") && mcpw_envelope_is_twice(&e, MCPW_AT_ID));
    CHECK(e.kind == MCPW_MESSAGE_REQUEST);
}

static void params_of_another_type_have_no_members(void) {
    const mcpw_message_envelope e = read_text("{\"method\":\"m\",\"params\":[{\"name\":1}],\"error\":null}");
    CHECK(holds(&e, MCPW_AT_PARAMS, "[{\"name\":1}]") && holds(&e, MCPW_AT_NAME, NULL));
    CHECK(holds(&e, MCPW_AT_ERROR, "null") && holds(&e, MCPW_AT_CODE, NULL));
}

static void what_is_no_json_is_refused_with_its_place(void) {
    static const struct {
        const char *text;
        mcpw_status status;
        size_t offset;
    } cases[] = {
        {"", MCPW_E_SYNTAX, 0},
        {" ", MCPW_E_SYNTAX, 1},
        {"{", MCPW_E_SYNTAX, 1},
        {"{\"id\":1,}", MCPW_E_SYNTAX, 8},
        {"{\"id\":}", MCPW_E_SYNTAX, 6},
        {"{\"id\"", MCPW_E_SYNTAX, 5},
        {"{\"id\":", MCPW_E_SYNTAX, 6},
        {"{\"id\":1", MCPW_E_SYNTAX, 7},
        {"{\"params\":{\"name\":1]}", MCPW_E_SYNTAX, 19},
        {"{\"params\":{\"a\":\"\xff\"}}", MCPW_E_UTF8, 16},
        {"{\"id\":1}{}", MCPW_E_SYNTAX, 8},
        {"[1,]", MCPW_E_SYNTAX, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mcpw_message_envelope e;
        mcpw_error error;
        CHECK(read_tight(&e, cases[i].text, 0, &error) == cases[i].status);
        CHECK(error.offset == cases[i].offset);
        CHECK(e.kind == MCPW_MESSAGE_NONE && e.at[MCPW_AT_ID].ptr == NULL);
    }
}

/* The place and the verdict of both are the same, whatever the text is: here each beginning of one. */
static void it_says_of_a_text_what_checking_says(void) {
    static const char text[] =
        "{\"jsonrpc\":\"2.0\",\"id\":\"\\u00e9\",\"method\":\"a\xc3\xa9\",\"params\":{\"_meta\":"
        "{\"progressToken\":-1.5e+3},\"arguments\":[true,{},null]}} ";
    for (size_t len = 0; len < sizeof text; len++) {
        const mcpw_json part = mcpw_json_of(text, len);
        mcpw_message_envelope e;
        mcpw_error read = {.offset = 0};
        mcpw_error check = {.offset = 0};
        CHECK(mcpw_envelope_read(&e, part, 0, &read) == mcpw_json_check(part, 0, &check));
        CHECK(read.offset == check.offset);
    }
}

static void depth_is_limited_as_everywhere(void) {
    static const char *const texts[] = {"{}", "{\"params\":{}}", "{\"params\":{\"_meta\":{}}}",
                                        "{\"params\":{\"_meta\":{\"progressToken\":[]}}}"};
    for (unsigned depth = 1; depth <= 4; depth++) {
        for (unsigned i = 0; i < 4; i++) {
            mcpw_message_envelope e;
            CHECK(read_tight(&e, texts[i], depth, NULL) == (i < depth ? MCPW_OK : MCPW_E_DEPTH));
        }
    }
    mcpw_message_envelope e;
    CHECK(read_tight(&e, "{}", MCPW_MAX_DEPTH + 1, NULL) == MCPW_E_ARGUMENT);
}

static void ids_and_texts_are_read_by_type(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str method;
    mcpw_message_envelope e = read_text("{\"id\":\"a\\n\",\"method\":\"m\\u00e9\"}");
    mcpw_id id = mcpw_envelope_id(&e, &arena);
    CHECK(id.kind == MCPW_ID_STRING && mcpw_str_is(id.as.string, "a\n"));
    CHECK(mcpw_envelope_string(&e, MCPW_AT_METHOD, &arena, &method) == MCPW_OK);
    CHECK(mcpw_str_is(method, "m\xc3\xa9"));
    CHECK(mcpw_envelope_string(&e, MCPW_AT_NAME, &arena, &method) != MCPW_OK && method.ptr == NULL);
    e = read_text("{\"id\":1.0}");
    id = mcpw_envelope_id(&e, NULL);
    CHECK(id.kind == MCPW_ID_INTEGER && id.as.integer == 1);
    e = read_text("{\"id\":1.5}");
    CHECK(mcpw_envelope_id(&e, NULL).kind == MCPW_ID_ABSENT);
    e = read_text("{}");
    CHECK(mcpw_envelope_id(&e, NULL).kind == MCPW_ID_ABSENT);
    mcpw_arena_free(&arena);
}

int main(void) {
    RUN(a_message_is_of_the_kind_that_its_members_make);
    RUN(every_member_is_found_where_it_stands);
    RUN(of_two_members_the_first_counts_and_both_are_noticed);
    RUN(names_are_compared_without_their_escapes);
    RUN(params_of_another_type_have_no_members);
    RUN(what_is_no_json_is_refused_with_its_place);
    RUN(it_says_of_a_text_what_checking_says);
    RUN(depth_is_limited_as_everywhere);
    RUN(ids_and_texts_are_read_by_type);
    return check_end();
}
