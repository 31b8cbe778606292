/* SPDX-License-Identifier: MIT */
#include <mcpw/json.h>
#include <mcpw/json_c.h>

#include <math.h>

#include <json-c/json.h>

#include "check.h"

/* json-c takes no allocator: its memory can be refused where malloc is glibc's, which tells its own name. */
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CAN_FAIL 1
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#undef CAN_FAIL
#endif
#endif

#if defined(CAN_FAIL)
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): glibc's names
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *ptr, size_t size);
void __libc_free(void *ptr);

static size_t calls;
static size_t fail_from; /* this allocation and those after it fail; 0: none */
static size_t living;    /* allocations that are not given back */

static bool fails(void) {
    calls++;
    return fail_from != 0 && calls >= fail_from;
}

static void *born(void *ptr) {
    living += ptr != NULL;
    return ptr;
}

void *malloc(size_t size) { return fails() ? NULL : born(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : born(__libc_calloc(count, size)); }

void *realloc(void *ptr, size_t size) {
    if (fails()) {
        return NULL;
    }
    return ptr != NULL ? __libc_realloc(ptr, size) : born(__libc_realloc(ptr, size));
}

void free(void *ptr) {
    living -= ptr != NULL;
    __libc_free(ptr);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

static const char text_to_fail[] =
    "{\"a\":[1,2.5,18446744073709551615,\"a string that json-c has to allocate, by its length\",null,true],"
    "\"b\":{\"c\":{\"d\":\"e\\n\"}},\"f\":-1.5e300}";

static void each_failed_allocation_is_reported_on_the_way_in(void) {
    mcpw_status status = MCPW_E_MEMORY;
    for (size_t n = 1; status != MCPW_OK; n++) {
        struct json_object *object = NULL;
        mcpw_error error;
        const size_t before = living;
        calls = 0;
        fail_from = n;
        status = mcpw_json_to_object(mcpw_json_from(text_to_fail), &object, &error);
        fail_from = 0;
        CHECK(status == MCPW_OK || (status == MCPW_E_MEMORY && object == NULL && error.code == status));
        json_object_put(object);
        CHECK(living == before);
    }
}

static void each_failed_allocation_is_reported_on_the_way_back(void) {
    const size_t before = living;
    struct json_object *object = NULL;
    mcpw_status status = mcpw_json_to_object(mcpw_json_from(text_to_fail), &object, NULL);
    CHECK(status == MCPW_OK);
    status = MCPW_E_MEMORY;
    for (size_t n = 1; status != MCPW_OK; n++) {
        mcpw_arena arena = MCPW_ARENA_INIT;
        mcpw_json out = {NULL, 0, 0};
        mcpw_error error;
        calls = 0;
        fail_from = n;
        status = mcpw_json_from_object(object, &arena, &out, &error);
        fail_from = 0;
        CHECK(status == MCPW_OK || (status == MCPW_E_MEMORY && out.ptr == NULL && error.code == status));
        mcpw_arena_free(&arena);
    }
    json_object_put(object); /* and the texts of its numbers, which json-c keeps with them */
    CHECK(living == before);
}
#endif

/* The text after a journey through json-c. */
static void check_round_trip(const char *text, const char *want) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    struct json_object *object = NULL;
    mcpw_json out = {NULL, 0, 0};
    mcpw_error error;
    CHECK(mcpw_json_to_object(mcpw_json_from(text), &object, &error) == MCPW_OK);
    CHECK(mcpw_json_from_object(object, &arena, &out, &error) == MCPW_OK);
    CHECK_TEXT(out.ptr, out.len, want);
    json_object_put(object);
    mcpw_arena_free(&arena);
}

static void scalars_survive(void) {
    check_round_trip("null", "null");
    check_round_trip("true", "true");
    check_round_trip("0", "0");
    check_round_trip("-12", "-12");
    check_round_trip("9223372036854775807", "9223372036854775807");
    check_round_trip("18446744073709551615", "18446744073709551615");
    check_round_trip("\"a\\u0000\xc3\xa9\\n\"", "\"a\\u0000\xc3\xa9\\n\"");
}

static void doubles_keep_their_text(void) {
    check_round_trip("0.1", "0.1");
    check_round_trip("1.50", "1.50");
    check_round_trip("[1e300]", "[1e300]");
}

static void structures_survive(void) {
    check_round_trip("{\"a\":[1,{\"b\":null}],\"c\":{}}", "{\"a\":[1,{\"b\":null}],\"c\":{}}");
}

static void the_default_depth_is_reached(void) {
    char text[2 * 129];
    struct json_object *object = NULL;
    memset(text, '[', 129);
    memset(text + 129, ']', 129);
    const mcpw_json deepest = mcpw_json_of(text + 1, 2 * 128);
    const mcpw_json too_deep = mcpw_json_of(text, sizeof text);
    CHECK(mcpw_json_to_object(deepest, &object, NULL) == MCPW_OK);
    json_object_put(object);
    CHECK(mcpw_json_to_object(too_deep, &object, NULL) == MCPW_E_DEPTH && object == NULL);
}

static void what_is_no_json_is_refused(void) {
    static const char *const texts[] = {"", "1 2", "{a:1}", "'x'", "[1,]", "NaN", "01", "\"\\ud800\""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct json_object *object = NULL;
        mcpw_error error;
        const mcpw_status status = mcpw_json_to_object(mcpw_json_from(texts[i]), &object, &error);
        CHECK(status != MCPW_OK && error.code == status && object == NULL);
    }
}

static void objects_that_json_cannot_express_are_refused(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_json out = {NULL, 0, 0};
    mcpw_error error;
    struct json_object *const infinite = json_object_new_double(HUGE_VAL);
    struct json_object *const bytes = json_object_new_string("\xff");
    CHECK(mcpw_json_from_object(infinite, &arena, &out, &error) == MCPW_E_VALUE && out.ptr == NULL);
    CHECK(mcpw_json_from_object(bytes, &arena, &out, &error) == MCPW_E_UTF8);
    CHECK_STRING(error.message, mcpw_status_text(MCPW_E_UTF8));
    json_object_put(infinite);
    json_object_put(bytes);
    mcpw_arena_free(&arena);
}

static void a_changed_double_is_written_anew(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    struct json_object *object = NULL;
    mcpw_json out = {NULL, 0, 0};
    CHECK(mcpw_json_to_object(mcpw_json_from("1.50"), &object, NULL) == MCPW_OK);
    CHECK(json_object_set_double(object, 0.1) == 1);
    CHECK(mcpw_json_from_object(object, &arena, &out, NULL) == MCPW_OK);
    CHECK_TEXT(out.ptr, out.len, "0.1");
    json_object_put(object);
    mcpw_arena_free(&arena);
}

/* A program may make json-c write anything for a number. */
static void a_text_that_is_not_the_number_is_not_trusted(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_json out = {NULL, 0, 0};
    char other[] = "2.5";
    char nonsense[] = "}";
    struct json_object *const object = json_object_new_double(1.5);
    json_object_set_serializer(object, json_object_userdata_to_json_string, other, NULL);
    CHECK(mcpw_json_from_object(object, &arena, &out, NULL) == MCPW_OK);
    CHECK_TEXT(out.ptr, out.len, "1.5");
    json_object_set_serializer(object, json_object_userdata_to_json_string, nonsense, NULL);
    CHECK(mcpw_json_from_object(object, &arena, &out, NULL) == MCPW_OK);
    CHECK_TEXT(out.ptr, out.len, "1.5");
    json_object_put(object);
    mcpw_arena_free(&arena);
}

int main(void) {
    RUN(scalars_survive);
    RUN(doubles_keep_their_text);
    RUN(structures_survive);
    RUN(the_default_depth_is_reached);
    RUN(what_is_no_json_is_refused);
    RUN(objects_that_json_cannot_express_are_refused);
    RUN(a_changed_double_is_written_anew);
    RUN(a_text_that_is_not_the_number_is_not_trusted);
#if defined(CAN_FAIL)
    RUN(each_failed_allocation_is_reported_on_the_way_in);
    RUN(each_failed_allocation_is_reported_on_the_way_back);
#endif
    return check_end();
}
