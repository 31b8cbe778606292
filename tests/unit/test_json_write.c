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
    mcpw_json out = {NULL, 0};
    CHECK(mcpw_json_write_end(&x->w, &out) == MCPW_OK);
    CHECK_TEXT(out.ptr, out.len, want);
}

static void check_refused(writing *x, mcpw_status want) {
    mcpw_json out = {NULL, 0};
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
    mcpw_json out = {NULL, 0};
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
    mcpw_json out = {NULL, 0};
    mcpw_json_write_begin(&w, NULL, 10);
    mcpw_json_write_null(&w);
    CHECK(mcpw_json_write_end(&w, &out) == MCPW_E_SIZE && out.ptr == NULL);
}

int main(void) {
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
