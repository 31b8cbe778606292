/* SPDX-License-Identifier: MIT */
/* Options of programs that were compiled with an older or a newer header: an older one means the defaults of
 * what it lacks, and a newer one is refused if it asks for something that is not known here. */
#include <mcpw/message.h>

#include <mcp/2025-11-25.h>

#include "check.h"

#include <stddef.h>

typedef struct newer {
    mcpw_options known;
    char more[sizeof(void *)];
} newer;

static mcpw_arena arena = MCPW_ARENA_INIT;

static const char text[] = "{\"name\":\"n\",\"uri\":\"a:b\"}";
static const char message[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

/* The status of each function that takes options. */
typedef mcpw_status (*function)(const mcpw_options *options);

static mcpw_status decodes(const mcpw_options *options) {
    mcp_20251125_resource r;
    return mcp_20251125_resource_decode(text, sizeof text - 1, &arena, &r, options, NULL);
}

static mcpw_status validates(const mcpw_options *options) {
    return mcpw_validate(&mcp_20251125_resource_table, text, sizeof text - 1, &arena, options, NULL);
}

static mcpw_status encodes(const mcpw_options *options) {
    mcp_20251125_resource r;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    CHECK(mcp_20251125_resource_decode(text, sizeof text - 1, &arena, &r, NULL, NULL) == MCPW_OK);
    const mcpw_status status = mcp_20251125_resource_encode(&r, &out, options, NULL);
    mcpw_buffer_free(&out);
    return status;
}

static mcpw_status decodes_a_message(const mcpw_options *options) {
    mcpw_message m;
    return mcpw_message_decode(mcpw_find_revision("2025-11-25"), message, sizeof message - 1, &arena, NULL,
                               NULL, &m, options, NULL);
}

static mcpw_status validates_a_message(const mcpw_options *options) {
    mcpw_envelope found;
    return mcpw_message_validate(mcpw_find_revision("2025-11-25"), message, sizeof message - 1, &arena, NULL,
                                 NULL, &found, options, NULL);
}

static mcpw_status encodes_a_message(const mcpw_options *options) {
    mcpw_message m;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    const mcpw_revision *const revision = mcpw_find_revision("2025-11-25");
    CHECK(mcpw_message_decode(revision, message, sizeof message - 1, &arena, NULL, NULL, &m, NULL, NULL) ==
          MCPW_OK);
    const mcpw_status status = mcpw_message_encode(revision, &m, &out, options, NULL);
    mcpw_buffer_free(&out);
    return status;
}

static const function functions[] = {decodes,           validates,           encodes,
                                     decodes_a_message, validates_a_message, encodes_a_message};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static void options_of_an_older_header_have_the_defaults_of_what_they_lack(void) {
    for (size_t i = 0; i < FUNCTIONS; i++) {
        mcpw_options options = MCPW_OPTIONS_INIT;
        options.struct_size = offsetof(mcpw_options, max_bytes);
        options.max_bytes = 1; /* it is not there */
        CHECK(functions[i](&options) == MCPW_OK);
    }
}

static void options_of_a_newer_header_are_taken_as_long_as_they_ask_for_nothing_new(void) {
    for (size_t i = 0; i < FUNCTIONS; i++) {
        newer options = {.known = MCPW_OPTIONS_INIT};
        options.known.struct_size = sizeof options;
        CHECK(functions[i](&options.known) == MCPW_OK);
        options.more[0] = 1;
        CHECK(functions[i](&options.known) == MCPW_E_ARGUMENT);
    }
}

static void options_that_were_not_initialised_are_refused(void) {
    for (size_t i = 0; i < FUNCTIONS; i++) {
        mcpw_options options = MCPW_OPTIONS_INIT;
        options.struct_size = 1;
        CHECK(functions[i](&options) == MCPW_E_ARGUMENT);
    }
}

static void memory_that_was_not_initialised_is_refused(void) {
    mcpw_arena one = MCPW_ARENA_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    one.struct_size = out.struct_size = 1;
    CHECK(mcpw_arena_alloc(&one, 1) == NULL && one.status == MCPW_E_ARGUMENT);
    CHECK(mcpw_buffer_append(&out, "x", 1) == MCPW_E_ARGUMENT);
}

int main(void) {
    RUN(options_of_an_older_header_have_the_defaults_of_what_they_lack);
    RUN(options_of_a_newer_header_are_taken_as_long_as_they_ask_for_nothing_new);
    RUN(options_that_were_not_initialised_are_refused);
    RUN(memory_that_was_not_initialised_is_refused);
    mcpw_arena_free(&arena);
    return check_end();
}
