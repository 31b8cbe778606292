/* SPDX-License-Identifier: MIT */
/*
 * Runs each case of cases.txt through everything that reads JSON, and wants one verdict of all. The text
 * stands at every place of a SIMD block, after the places where the reader's copy ends, and with nothing
 * readable past it (the build with sanitizers sees to that).
 */
#define _POSIX_C_SOURCE 200809L
#include <mcpw/codec.h>
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/field.h>
#include <mcpw/detail/reflect.h>
#include <mcpw/json.h>

#include "block.h"
#include "cases.h"

enum { SKIPPED = 77, BLOCK = 64, LONG_TEXT = 2000, FAR_STEP = 7, FILL = 8192, NEXT = 1920, SLACK = 640 };

#define REVISION "2025-11-25"

static const char in_struct[] = "{\"level\":\"info\",\"logger\":\"%*s\",\"data\":";
static const char unknown_member[] = "{\"uri\":\"file:///%*s\",\"x\":";

typedef struct suite {
    const mcpw_type *whole;      /* any value */
    const mcpw_type *with_any;   /* with a member that takes any value */
    const mcpw_type *with_extra; /* keeps unknown members */
    mcpw_arena arena;
    mcpw_buffer out;
    mcpw_options options;
    char value[512]; /* room for a struct */
    size_t checks;
    size_t failures;
} suite;

/* The place of a text: in memory of its own size, so that a byte read past it is an error. */
typedef struct place {
    char *all;
    char *text; /* as given */
    size_t text_len;
    size_t len;
} place;

static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

static bool put(place *p, const char *head, const char *text, size_t len, const char *tail) {
    const size_t before = strlen(head);
    const size_t behind = strlen(tail);
    p->len = before + len + behind;
    p->all = malloc(p->len != 0 ? p->len : 1);
    if (p->all == NULL) {
        return false;
    }
    memcpy(p->all, head, before);
    memcpy(p->all + before, text, len);
    memcpy(p->all + before + len, tail, behind);
    p->text = p->all + before;
    p->text_len = len;
    while (p->text_len > 0 && is_space(*p->text)) {
        p->text++;
        p->text_len--;
    }
    while (p->text_len > 0 && is_space(p->text[p->text_len - 1])) {
        p->text_len--;
    }
    return true;
}

static void expect(suite *s, const json_case *c, bool accepted, const char *how, size_t padding) {
    s->checks++;
    if (accepted != c->accept) {
        s->failures++;
        (void)fprintf(stderr, "cases.txt:%d: %s: %s by %s, %zu bytes in\n", c->line, c->why,
                      accepted ? "accepted" : "refused", how, padding);
    }
}

static bool same(const place *p, mcpw_json got) {
    return got.len == p->text_len && memcmp(got.ptr, p->text, got.len) == 0;
}

/* Decodes and validates a place; *kept is the raw value at that offset of the struct. */
static void read_as(suite *s, const json_case *c, const mcpw_type *type, const place *p, size_t at,
                    const char *how, size_t padding) {
    mcpw_error error;
    const mcpw_status decoded = mcpw_decode(type, p->all, p->len, &s->arena, s->value, &s->options, &error);
    mcpw_json kept = {NULL, 0, 0};
    if (decoded == MCPW_OK) {
        memcpy(&kept, s->value + at, sizeof kept);
    }
    expect(s, c, decoded == MCPW_OK && same(p, kept), how, padding);
    expect(s, c,
           mcpw_validate(type, p->all, p->len, &s->arena, &s->options, NULL) == decoded && decoded == MCPW_OK,
           "validate", padding);
    mcpw_arena_reset(&s->arena);
}

static void skip(suite *s, const json_case *c, const place *p, unsigned extra_offset, size_t padding) {
    const mcpw_status status =
        mcpw_decode(s->with_extra, p->all, p->len, &s->arena, s->value, &s->options, NULL);
    mcpw_members extra = {NULL, 0};
    if (status == MCPW_OK) {
        memcpy(&extra, s->value + extra_offset, sizeof extra);
    }
    expect(s, c, status == MCPW_OK && extra.count == 1 && same(p, extra.items[0].value), "skip", padding);
    expect(s, c, mcpw_validate(s->with_extra, p->all, p->len, &s->arena, &s->options, NULL) == MCPW_OK,
           "validate of an unknown member", padding);
    mcpw_arena_reset(&s->arena);
}

/* Whether the text is a string whose characters come out, or no string at all. */
static bool unescapes(suite *s, mcpw_json value) {
    mcpw_str text;
    if (mcpw_json_kind_of(value) != MCPW_JSON_STRING) {
        return true;
    }
    return mcpw_json_string(value, &s->arena, &text) == MCPW_OK && text.len <= value.len;
}

/* The readers of raw values: as an item, and as a member. */
static void walk(suite *s, const json_case *c, size_t padding) {
    place p;
    mcpw_json_iter it;
    mcpw_json item = {NULL, 0, 0};
    mcpw_json first = {NULL, 0, 0};
    size_t items = 0;
    if (!put(&p, "[", c->text, c->len, "]")) {
        abort();
    }
    const mcpw_json all = mcpw_json_of(p.all, p.len);
    if (mcpw_json_iterate(all, &it) == MCPW_OK) {
        while (mcpw_json_next(&it, NULL, &item)) {
            first = items++ == 0 ? item : first;
        }
    }
    expect(s, c, it.status == MCPW_OK && items == 1 && same(&p, first) && unescapes(s, first), "iterate",
           padding);
    expect(s, c, mcpw_json_count(all) == 1 && mcpw_json_equal(all, all), "count and equal", padding);
    free(p.all);
    if (!put(&p, "{\"a\":0,\"k\":", c->text, c->len, ",\"z\":0}")) {
        abort();
    }
    const mcpw_json object = mcpw_json_of(p.all, p.len);
    const bool found = mcpw_json_get(object, "k", &item) == MCPW_OK && same(&p, item);
    expect(s, c, found && mcpw_json_get(object, "z", &item) == MCPW_OK, "get", padding);
    free(p.all);
    mcpw_arena_reset(&s->arena);
}

/* A struct that holds the text as a caller's raw value: its encoding is a line, and the value comes back. */
static void encode(suite *s, const json_case *c, mcpw_slot data) {
    static const char level[] = "{\"level\":\"info\",\"data\":0}";
    const mcpw_json given = mcpw_json_of(c->text, c->len);
    mcpw_json back;
    if (mcpw_decode(s->with_any, level, sizeof level - 1, &s->arena, s->value, NULL, NULL) != MCPW_OK) {
        abort();
    }
    memcpy(s->value + data.offset, &given, sizeof given);
    s->out.len = 0;
    const mcpw_status status = mcpw_encode(s->with_any, s->value, &s->out, &s->options, NULL);
    bool good = status == MCPW_OK && memchr(s->out.data, '\n', s->out.len) == NULL &&
                memchr(s->out.data, '\r', s->out.len) == NULL;
    if (good) {
        const mcpw_json all = mcpw_json_of(s->out.data, s->out.len);
        good = mcpw_json_get(all, "data", &back) == MCPW_OK && mcpw_json_equal(back, given) &&
               mcpw_json_count(all) == 2;
    }
    expect(s, c, good, "encode", 0);
    mcpw_arena_reset(&s->arena);
}

/* The case after that many bytes. */
static void run_at(suite *s, const json_case *c, size_t padding) {
    place p;
    char *const head = malloc(padding + sizeof in_struct + sizeof unknown_member);
    if (head == NULL) {
        abort();
    }
    memset(head, ' ', padding);
    head[padding] = '\0';
    if (!put(&p, head, c->text, c->len, "")) {
        abort();
    }
    const mcpw_json all = mcpw_json_of(p.all, p.len);
    read_as(s, c, s->whole, &p, 0, "decode", padding);
    expect(s, c, mcpw_json_check(all, MCPW_MAX_DEPTH, NULL) == MCPW_OK, "check", padding);
    free(p.all);
    (void)sprintf(head, in_struct, (int)padding, "");
    if (!put(&p, head, c->text, c->len, "}")) {
        abort();
    }
    read_as(s, c, s->with_any, &p, mcpw_type_slot(s->with_any, "data").offset, "decode in a struct", padding);
    free(p.all);
    (void)sprintf(head, unknown_member, (int)padding, "");
    if (!put(&p, head, c->text, c->len, "}")) {
        abort();
    }
    skip(s, c, &p, mcpw_extra_at(mcpw_type_revision(s->with_extra), mcpw_type_ref(s->with_extra)), padding);
    free(p.all);
    free(head);
}

static void run_case(suite *s, const json_case *c) {
    const size_t last = c->len < LONG_TEXT ? BLOCK : 2;
    for (size_t padding = 0; padding <= last; padding++) {
        run_at(s, c, padding);
    }
    if (c->len < LONG_TEXT) { /* the text lies across the end of a part that the reader has copied */
        for (size_t back = 0; back < c->len + BLOCK + SLACK / 8; back += FAR_STEP) {
            run_at(s, c, FILL + NEXT - back);
            run_at(s, c, FILL + 2 * NEXT - SLACK - back);
        }
    }
    walk(s, c, 0);
    encode(s, c, mcpw_type_slot(s->with_any, "data"));
}

static bool can_run(void) {
#if defined(__AVX2__) && defined(__GNUC__)
    return __builtin_cpu_supports("avx2") != 0;
#else
    return true;
#endif
}

int main(int argc, char **argv) {
    static const mcpw_ref any = {MCPW_KIND_JSON, 0, 0};
    mcpw_type_room room;
    json_cases cases;
    suite s = {0};
    if (argc != 2 || !json_cases_load(&cases, argv[1])) {
        (void)fprintf(stderr, "usage: suite CASES\n");
        return 2;
    }
    if (!can_run()) {
        printf("skipped: this CPU has no AVX2, which the program is built for\n");
        json_cases_free(&cases);
        return SKIPPED;
    }
    s.arena = (mcpw_arena)MCPW_ARENA_INIT;
    s.out = (mcpw_buffer)MCPW_BUFFER_INIT;
    s.options = (mcpw_options)MCPW_OPTIONS_INIT;
    s.options.max_depth = MCPW_MAX_DEPTH;
    s.with_any = mcpw_find_type(REVISION, "LoggingMessageNotificationParams");
    s.with_extra = mcpw_find_type(REVISION, "Root");
    s.whole = mcpw_type_make(&room, mcpw_type_revision(s.with_any), any, "any");
    for (size_t i = 0; i < cases.count; i++) {
        run_case(&s, cases.items + i);
    }
    printf("%zu cases, %zu checks, %zu failures, %s\n", cases.count, s.checks, s.failures, MCPW_BLOCK_NAME);
    const bool good = s.failures == 0;
    json_cases_free(&cases);
    mcpw_arena_free(&s.arena);
    mcpw_buffer_free(&s.out);
    return good ? 0 : 1;
}
