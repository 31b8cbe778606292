/* SPDX-License-Identifier: MIT */
#include <mcpw/json.h>

#include <math.h>

#include "check.h"

typedef struct writing {
    mcpw_json_writer w;
    char data[512];
} writing;

static mcpw_json_writer *begin(writing *x) {
    mcpw_json_write_begin(&x->w, x->data, sizeof x->data);
    return &x->w;
}

static void check_written(writing *x, const char *want) {
    mcpw_json out = {NULL, 0, 0};
    CHECK(mcpw_json_write_end(&x->w, &out) == MCPW_OK);
    CHECK_TEXT(out.ptr, out.len, want);
}

static void check_refused(writing *x, mcpw_status want) {
    mcpw_json out = {NULL, 0, 0};
    CHECK(mcpw_json_write_end(&x->w, &out) == want);
    CHECK(out.ptr == NULL);
}

static void commas_and_colons_are_put_in(void) {
    writing x;
    mcpw_json_writer *const w = begin(&x);
    mcpw_json_write_object(w);
    mcpw_json_write_key(w, "a");
    mcpw_json_write_array(w);
    mcpw_json_write_int(w, 1);
    mcpw_json_write_double(w, 2.5);
    mcpw_json_write_bool(w, true);
    mcpw_json_write_null(w);
    mcpw_json_write_object(w);
    mcpw_json_write_close(w);
    mcpw_json_write_close(w);
    mcpw_json_write_key(w, "b");
    mcpw_json_write_string(w, "x\"\n\x01\xc3\xa9", 6);
    mcpw_json_write_close(w);
    check_written(&x, "{\"a\":[1,2.5,true,null,{}],\"b\":\"x\\\"\\n\\u0001\xc3\xa9\"}");
}

static void a_scalar_is_a_whole_value(void) {
    writing x;
    mcpw_json_write_bool(begin(&x), false);
    check_written(&x, "false");
}

static void raw_text_is_checked_and_compacted(void) {
    writing x;
    mcpw_json_write_raw(begin(&x), mcpw_json_from("{ \"a b\" :\n[ 1 , \"\\\" x\" ] }\r\n"));
    check_written(&x, "{\"a b\":[1,\"\\\" x\"]}");
    mcpw_json_write_raw(begin(&x), mcpw_json_from("1}"));
    check_refused(&x, MCPW_E_SYNTAX);
    mcpw_json_write_raw(begin(&x), mcpw_json_from(NULL));
    check_refused(&x, MCPW_E_SYNTAX);
}

static void a_full_buffer_is_reported_and_kept(void) {
    char data[8];
    mcpw_json_writer w;
    mcpw_json out = {NULL, 0, 0};
    mcpw_json_write_begin(&w, data, sizeof data);
    mcpw_json_write_string(&w, "0123456789", 10);
    mcpw_json_write_string(&w, "x", 1);
    CHECK(mcpw_json_write_end(&w, &out) == MCPW_E_SIZE && w.len <= sizeof data);
    mcpw_json_write_begin(&w, data, sizeof data);
    mcpw_json_write_string(&w, "012345", 6);
    CHECK(mcpw_json_write_end(&w, &out) == MCPW_OK && out.len == 8);
}

static void calls_that_make_no_value_are_refused(void) {
    writing x;
    begin(&x);
    check_refused(&x, MCPW_E_ARGUMENT);
    mcpw_json_write_array(begin(&x));
    check_refused(&x, MCPW_E_ARGUMENT);
    mcpw_json_write_close(begin(&x));
    check_refused(&x, MCPW_E_ARGUMENT);
    mcpw_json_write_key(begin(&x), "a");
    check_refused(&x, MCPW_E_ARGUMENT);
    mcpw_json_write_null(begin(&x));
    mcpw_json_write_null(&x.w);
    check_refused(&x, MCPW_E_ARGUMENT);
}

static void objects_need_keys_and_arrays_refuse_them(void) {
    writing x;
    mcpw_json_write_object(begin(&x));
    mcpw_json_write_int(&x.w, 1);
    mcpw_json_write_close(&x.w);
    check_refused(&x, MCPW_E_ARGUMENT);
    mcpw_json_write_array(begin(&x));
    mcpw_json_write_key(&x.w, "a");
    mcpw_json_write_null(&x.w);
    mcpw_json_write_close(&x.w);
    check_refused(&x, MCPW_E_ARGUMENT);
    mcpw_json_write_object(begin(&x));
    mcpw_json_write_key(&x.w, "a");
    mcpw_json_write_key(&x.w, "b");
    check_refused(&x, MCPW_E_ARGUMENT);
    mcpw_json_write_object(begin(&x));
    mcpw_json_write_key(&x.w, "a");
    mcpw_json_write_close(&x.w);
    check_refused(&x, MCPW_E_ARGUMENT);
}

static void values_that_json_lacks_are_refused(void) {
    writing x;
    mcpw_json_write_double(begin(&x), HUGE_VAL);
    check_refused(&x, MCPW_E_VALUE);
    mcpw_json_write_string(begin(&x), "\xff", 1);
    check_refused(&x, MCPW_E_UTF8);
    mcpw_json_write_string(begin(&x), NULL, 1);
    check_refused(&x, MCPW_E_ARGUMENT);
}

static void depth_is_limited(void) {
    writing x;
    begin(&x);
    for (int i = 0; i < MCPW_JSON_WRITE_DEPTH; i++) {
        mcpw_json_write_array(&x.w);
    }
    CHECK(x.w.status == MCPW_OK);
    mcpw_json_write_array(&x.w);
    check_refused(&x, MCPW_E_DEPTH);
}

/* The first failure stays, whatever is written after it, and nothing is written any more. */
static void nothing_follows_a_failure(void) {
    writing x;
    mcpw_json_writer *const w = begin(&x);
    mcpw_json_write_object(w);
    mcpw_json_write_key(w, NULL);
    const size_t len = w->len;
    mcpw_json_write_key(w, "a");
    mcpw_json_write_object(w);
    mcpw_json_write_array(w);
    mcpw_json_write_string(w, NULL, 1);
    mcpw_json_write_string(w, "s", 1);
    mcpw_json_write_int(w, 1);
    mcpw_json_write_double(w, 1);
    mcpw_json_write_double(w, (double)NAN);
    mcpw_json_write_bool(w, true);
    mcpw_json_write_null(w);
    mcpw_json_write_raw(w, mcpw_json_from("[1"));
    mcpw_json_write_close(w);
    CHECK(w->len == len);
    check_refused(&x, MCPW_E_ARGUMENT);
}

static void a_name_is_followed_by_a_value(void) {
    writing x;
    mcpw_json_writer *const w = begin(&x);
    mcpw_json_write_object(w);
    mcpw_json_write_key(w, "a");
    mcpw_json_write_key(w, "b");
    check_refused(&x, MCPW_E_ARGUMENT);
}

static void a_writer_without_room_writes_nothing(void) {
    mcpw_json_writer w;
    mcpw_json out = {NULL, 0, 0};
    mcpw_json_write_begin(&w, NULL, 10);
    mcpw_json_write_null(&w);
    CHECK(mcpw_json_write_end(&w, &out) == MCPW_E_SIZE && out.ptr == NULL);
}

static void a_buffer_grows_with_the_value_after_what_it_holds(void) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_json_writer w;
    mcpw_json value = {NULL, 0, 0};
    CHECK(mcpw_buffer_append(&out, "before", 6) == MCPW_OK);
    mcpw_json_write_into(&w, &out);
    mcpw_json_write_array(&w);
    for (int i = 0; i < 1000; i++) {
        mcpw_json_write_int(&w, i);
    }
    mcpw_json_write_close(&w);
    CHECK(mcpw_json_write_end(&w, &value) == MCPW_OK);
    CHECK(value.ptr == out.data + 6 && value.len == out.len - 6);
    CHECK(memcmp(out.data, "before[0,1,2,", 13) == 0 && mcpw_json_count(value) == 1000);
    mcpw_buffer_free(&out);
}

static void a_buffer_is_as_it_was_after_a_failure(void) {
    char room[64];
    mcpw_buffer out;
    mcpw_json_writer w;
    mcpw_json value = {NULL, 0, 0};
    mcpw_buffer_use(&out, room, sizeof room);
    CHECK(mcpw_buffer_append(&out, "before", 6) == MCPW_OK);
    mcpw_json_write_into(&w, &out);
    mcpw_json_write_array(&w);
    for (int i = 0; i < 100; i++) {
        mcpw_json_write_int(&w, i);
    }
    mcpw_json_write_close(&w);
    CHECK(mcpw_json_write_end(&w, &value) == MCPW_E_MEMORY && value.ptr == NULL);
    CHECK_TEXT(out.data, out.len, "before");
}

static void a_string_is_appended_with_its_escapes(void) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    CHECK(mcpw_buffer_append(&out, ":", 1) == MCPW_OK);
    CHECK(mcpw_json_append_string(&out, (mcpw_str){"a\"\n\0\xc3\xa9", 6}) == MCPW_OK);
    CHECK_TEXT(out.data, out.len, ":\"a\\\"\\n\\u0000\xc3\xa9\"");
    mcpw_buffer_free(&out);
}

static void a_string_of_escapes_alone_grows_the_buffer(void) {
    char text[5000];
    mcpw_buffer out = MCPW_BUFFER_INIT;
    memset(text, 1, sizeof text);
    CHECK(mcpw_json_append_string(&out, (mcpw_str){text, sizeof text}) == MCPW_OK);
    CHECK(out.len == 6 * sizeof text + 2);
    CHECK(memcmp(out.data + out.len - 7, "\\u0001\"", 7) == 0);
    mcpw_buffer_free(&out);
}

static void what_is_no_text_is_not_appended(void) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    CHECK(mcpw_buffer_append(&out, "before", 6) == MCPW_OK);
    CHECK(mcpw_json_append_string(&out, (mcpw_str){"ok\xff", 3}) == MCPW_E_UTF8);
    CHECK(mcpw_json_append_string(&out, (mcpw_str){NULL, 0}) == MCPW_E_ARGUMENT);
    CHECK_TEXT(out.data, out.len, "before");
    mcpw_buffer_free(&out);
}

static void a_raw_value_is_appended_without_line_breaks(void) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    CHECK(mcpw_json_append_raw(&out, mcpw_json_from("[1, 2]"), 0, NULL) == MCPW_OK);
    CHECK(mcpw_json_append_raw(&out, mcpw_json_from("{\"a\":\r\n1}"), 0, NULL) == MCPW_OK);
    CHECK_TEXT(out.data, out.len, "[1, 2]{\"a\":1}");
    mcpw_buffer_free(&out);
}

static void raw_text_that_is_no_value_is_not_appended(void) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_error error;
    CHECK(mcpw_json_append_raw(&out, mcpw_json_from("[1,]"), 0, &error) == MCPW_E_SYNTAX);
    CHECK(error.code == MCPW_E_SYNTAX && error.offset == 3);
    CHECK(mcpw_json_append_raw(&out, mcpw_json_from("[[1]]"), 1, &error) == MCPW_E_DEPTH);
    CHECK(out.len == 0);
    mcpw_buffer_free(&out);
}

static void members_are_appended_but_for_those_that_are_named(void) {
    static const char *const but[] = {"a", NULL};
    mcpw_buffer out = MCPW_BUFFER_INIT;
    CHECK(mcpw_buffer_append(&out, "{", 1) == MCPW_OK);
    CHECK(mcpw_json_append_members(&out, mcpw_json_from("{\"a\":1,\"b\":2}"), but) == MCPW_OK);
    CHECK(mcpw_json_append_members(&out, mcpw_json_from("{\"a\":3}"), NULL) == MCPW_OK);
    CHECK_TEXT(out.data, out.len, "{\"b\":2,\"a\":3");
    CHECK(mcpw_json_append_members(&out, mcpw_json_from("[]"), but) == MCPW_E_TYPE);
    mcpw_buffer_free(&out);
}

int main(void) {
    RUN(a_buffer_grows_with_the_value_after_what_it_holds);
    RUN(a_buffer_is_as_it_was_after_a_failure);
    RUN(a_string_is_appended_with_its_escapes);
    RUN(a_string_of_escapes_alone_grows_the_buffer);
    RUN(what_is_no_text_is_not_appended);
    RUN(a_raw_value_is_appended_without_line_breaks);
    RUN(raw_text_that_is_no_value_is_not_appended);
    RUN(members_are_appended_but_for_those_that_are_named);
    RUN(commas_and_colons_are_put_in);
    RUN(a_scalar_is_a_whole_value);
    RUN(raw_text_is_checked_and_compacted);
    RUN(a_full_buffer_is_reported_and_kept);
    RUN(calls_that_make_no_value_are_refused);
    RUN(objects_need_keys_and_arrays_refuse_them);
    RUN(values_that_json_lacks_are_refused);
    RUN(depth_is_limited);
    RUN(nothing_follows_a_failure);
    RUN(a_name_is_followed_by_a_value);
    RUN(a_writer_without_room_writes_nothing);
    return check_end();
}
