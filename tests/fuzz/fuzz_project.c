/* SPDX-License-Identifier: MIT */
/*
 * Projection: what a method takes or gives in one revision, written in another, is a value there. The
 * definition is twice the method's number, and one for its result; the header's last bytes are the target's
 * revision, the place that is spoiled (0: none) and how.
 */
#include "fuzz_json.h"
#include "spoil.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/plan.h>
#include <mcpw/project.h>

enum { ODD_TEXT = 8, ASK_MASK = 3 };

typedef struct asked {
    unsigned how;
    size_t drops;
} asked;

static mcpw_status substitute(void *user, const mcpw_unsayable *what, mcpw_arena *arena, mcpw_json *out) {
    static const char *const texts[] = {"{\"type\":\"text\",\"text\":\"instead\"}", "\"user\"", "[1,\n2]",
                                        "{"};
    asked *const a = user;
    FUZZ_ASSERT(what->path != NULL && what->target != NULL);
    if (what->value.ptr != NULL) {
        FUZZ_SAME(mcpw_json_check(what->value, MCPW_MAX_DEPTH, NULL), MCPW_OK,
                  "the value that cannot be said");
    }
    if ((a->how & 1U) == 0) {
        return MCPW_E_NOT_FOUND;
    }
    const mcpw_str text = mcpw_str_from(texts[(a->how >> 1) & ASK_MASK]);
    const mcpw_str kept = mcpw_arena_str(arena, text.ptr, text.len);
    out->ptr = kept.ptr;
    out->len = kept.len;
    return MCPW_OK;
}

static void on_drop(void *user, const char *path) {
    asked *const a = user;
    FUZZ_ASSERT(path != NULL && memchr(path, 0, MCPW_ERROR_PATH_SIZE) != NULL);
    a->drops++;
}

static const mcpw_type *type_of(const mcpw_revision *revision, mcpw_str method, bool result) {
    const mcpw_method *const entry =
        mcpw_method_entry(revision, mcpw_method_number(revision, method.ptr, method.len));
    return entry == NULL ? NULL : result ? mcpw_method_result(entry) : mcpw_method_params(entry);
}

static void check_value(const mcpw_type *type, const void *value, unsigned flags, bool whole) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer text = MCPW_BUFFER_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_error error = {0};
    void *const again = fuzz_alloc(mcpw_type_size(type));
    options.flags = flags & MCPW_ALLOW_UNKNOWN;
    const mcpw_status written = mcpw_encode(type, value, &text, &options, &error);
    if (whole) {
        FUZZ_SAME(written, MCPW_OK, error.message);
    }
    if (written == MCPW_OK) {
        FUZZ_ASSERT(fuzz_is_one_line(text.data, text.len));
        FUZZ_SAME(mcpw_decode(type, text.data, text.len, &arena, again, &options, &error), MCPW_OK,
                  error.message);
        FUZZ_ASSERT(mcpw_equal(type, value, again));
    }
    free(again);
    mcpw_buffer_free(&text);
    mcpw_arena_free(&arena);
}

/* If a plan can be followed, projection succeeds and says the same. out: what it says; NULL: it fails. */
static void check_plan(mcpw_members values, const mcpw_type *from, const void *value, const mcpw_type *to,
                       const void *out, bool whole) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_plan_options options = {0};
    const mcpw_plan *plan = NULL;
    const void *said = NULL;
    options.values = values;
    if (mcpw_plan_make(from, to, &options, &arena, &plan) == MCPW_OK &&
        mcpw_plan_follow(plan, value, NULL, &arena, &said)) {
        FUZZ_ASSERT(out != NULL);
        FUZZ_ASSERT(!whole || mcpw_equal(to, out, said));
    }
    mcpw_arena_free(&arena);
}

static void project(const fuzz_header *h, const mcpw_type *from, const void *value, const mcpw_type *to,
                    bool whole) {
    static const mcpw_member values[] = {
        {MCPW_STR("io.modelcontextprotocol/protocolVersion"), MCPW_JSON("\"2026-07-28\"")},
        {MCPW_STR("io.modelcontextprotocol/clientCapabilities"), MCPW_JSON("{}")},
        {MCPW_STR("io.modelcontextprotocol/clientInfo"), MCPW_JSON("{\"name\":\"c\",\"version\":\"1\"}")},
        {MCPW_STR("resultType"), MCPW_JSON("\"complete\"")},
        {MCPW_STR("ttlMs"), MCPW_JSON("1")},
        {MCPW_STR("cacheScope"), MCPW_JSON("\"public\"")},
        {MCPW_STR("name"), MCPW_JSON("{\"odd\":\r\n1}")},
    };
    enum { VALUES = sizeof values / sizeof values[0] };
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    mcpw_project_options options = MCPW_PROJECT_INIT;
    asked a = {h->extra[2], 0};
    unsigned char *const out = fuzz_alloc(mcpw_type_size(to));
    options.values.items = values;
    options.values.count = h->extra[2] % (VALUES + 1U);
    options.substitute = substitute;
    options.on_drop = on_drop;
    options.user = &a;
    const mcpw_status status = mcpw_project(from, value, to, &arena, out, &options, &error);
    fuzz_check_error(status, &error);
    if (status == MCPW_OK) {
        check_value(to, out, h->options.flags, whole);
    } else {
        for (size_t i = 0; i < mcpw_type_size(to); i++) {
            FUZZ_ASSERT(out[i] == 0);
        }
    }
    check_plan(options.values, from, value, to, status == MCPW_OK ? out : NULL, whole);
    free(out);
    mcpw_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const fuzz_header h = fuzz_read_header(data, size);
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    const mcpw_revision *const target = all[h.extra[0] % count];
    const mcpw_str method =
        mcpw_method_name(h.revision, 1 + (int)(h.definition / 2 % (unsigned)mcpw_method_count(h.revision)));
    const bool result = (h.definition & 1U) != 0;
    const mcpw_type *const from = type_of(h.revision, method, result);
    const mcpw_type *to = type_of(target, method, result);
    mcpw_arena arena = MCPW_ARENA_INIT;
    if (to == NULL) { /* a pair that nobody would choose */
        to = mcpw_type_at(target, h.definition % mcpw_type_count(target));
    }
    if (from == NULL || to == NULL) {
        return 0;
    }
    void *const value = fuzz_alloc(mcpw_type_size(from));
    if (mcpw_decode(from, h.text, h.len, &arena, value, &h.options, NULL) == MCPW_OK) {
        project(&h, from, value, to, true);
        const mcpw_str odd = {h.text, h.len < ODD_TEXT ? h.len : ODD_TEXT};
        if (h.extra[1] != 0 && fuzz_spoil(from, value, h.extra[1], h.extra[2], odd)) {
            project(&h, from, value, to, false);
        }
    }
    free(value);
    mcpw_arena_free(&arena);
    return 0;
}
