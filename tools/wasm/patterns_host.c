/* SPDX-License-Identifier: MIT */
/* Patterns of JSON Schema by the engine of the host: JavaScript has the one that the patterns are written
 * for. It knows no limit of steps. */
#include "host.h"
#include "json_schema.h"

typedef struct pattern {
    mcpw_allocator allocator;
    int32_t number;
} pattern;

static mcpw_status compile(const char *text, size_t len, const mcpw_allocator *allocator, void **out,
                           char *message) {
    const int32_t number = host_pattern_new(text, len, message, MCPW_ERROR_MESSAGE_SIZE);
    if (number == HOST_NO_PATTERN) {
        return MCPW_E_FORMAT;
    }
    pattern *const made = mcpw_resize(allocator, NULL, 0, sizeof *made);
    if (made == NULL) {
        host_pattern_free(number);
        return MCPW_E_MEMORY;
    }
    made->allocator = *allocator;
    made->number = number;
    *out = made;
    return MCPW_OK;
}

static mcpw_status match(const void *compiled, const char *text, size_t len, uint32_t limit,
                         mcpw_arena *scratch) {
    const pattern *const p = compiled;
    (void)limit;
    (void)scratch;
    return host_pattern_match(p->number, text, len) != 0 ? MCPW_OK : MCPW_E_VALUE;
}

static void release(void *compiled) {
    pattern *const p = compiled;
    const mcpw_allocator allocator = p->allocator;
    host_pattern_free(p->number);
    (void)mcpw_resize(&allocator, p, sizeof *p, 0);
}

const mcpw_pattern_engine *json_schema_patterns(void) {
    static const mcpw_pattern_engine engine = {sizeof engine, compile, match, release};
    return &engine;
}
