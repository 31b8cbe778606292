/* SPDX-License-Identifier: MIT */
/*
 * A server of HTTP: whatever requests come, several at once, their bodies in whatever pieces, and whatever
 * the program does meanwhile, each is answered by one status, and by a JSON text or a stream of events that
 * is well-formed to its end; nothing comes after that, and when all is over no memory is left. The same
 * bytes in other pieces are answered alike.
 *
 * The header says the revision of the handlers, limits and eras (the definition), flags, a seed, how bodies
 * are cut, and the revisions spoken. The text is requests and what happens between them. A line that begins
 * with > begins a request: its method and path. Lines of its header follow, up to an empty line, and its
 * body, up to the next line that begins with > or with !. A header line @ stands for several (see
 * stage_add_usual). A line that begins with ! is something else that happens: a letter and two bytes (see
 * stage_operate).
 */
#include "http_stage.h"

static mcpw_str next_line(mcpw_str *text) {
    const char *const end = memchr(text->ptr, '\n', text->len);
    const mcpw_str line = {text->ptr, end != NULL ? (size_t)(end - text->ptr) : text->len};
    const size_t used = line.len + (end != NULL);
    text->ptr += used;
    text->len -= used;
    return line;
}

static bool begins_something(mcpw_str text) {
    return text.len != 0 && (text.ptr[0] == '>' || text.ptr[0] == '!');
}

/* The text before the next line that begins something. */
static mcpw_str next_body(mcpw_str *text) {
    mcpw_str body = {text->ptr, 0};
    while (text->len != 0 && !begins_something(*text)) {
        (void)next_line(text);
    }
    body.len = (size_t)(text->ptr - body.ptr);
    return body;
}

/* A line in two, at the first byte of that kind. */
static mcpw_str cut(mcpw_str line, char at, mcpw_str *rest) {
    const char *const found = line.len != 0 ? memchr(line.ptr, at, line.len) : NULL;
    const mcpw_str first = {line.ptr, found != NULL ? (size_t)(found - line.ptr) : line.len};
    *rest = (mcpw_str){line.ptr + first.len + (found != NULL), line.len - first.len - (found != NULL)};
    return first;
}

static void send(stage *s, mcpw_str first, mcpw_str *text) {
    static stage_request r;
    mcpw_str header = *text;
    mcpw_str line = next_line(text);
    r.field_count = r.used = 0;
    r.method = cut((mcpw_str){first.ptr + 1, first.len - 1}, ' ', &r.path);
    while (line.len != 0) {
        line = next_line(text);
    }
    r.body = next_body(text);
    for (line = next_line(&header); line.len != 0; line = next_line(&header)) {
        mcpw_str value;
        const mcpw_str name = cut(line, ':', &value);
        if (name.len != 0 && name.ptr[0] == '@') {
            stage_add_usual(s, &r, name.len > 1 ? (unsigned char)name.ptr[1] : '\0');
        } else {
            stage_add_field(s, &r, name, value);
        }
    }
    stage_send(s, &r);
}

static void run(stage *s, mcpw_str text) {
    while (text.len != 0) {
        const mcpw_str line = next_line(&text);
        const unsigned char *const bytes = (const unsigned char *)line.ptr;
        if (line.len > 1 && bytes[0] == '!') {
            stage_operate(s, bytes[1], line.len > 2 ? bytes[2] : 0, line.len > 3 ? bytes[3] : 0);
        } else if (line.len != 0 && bytes[0] == '>') {
            send(s, line, &text);
        }
        stage_settle(s);
    }
}

/* All, one, or two: of one era, and of both. */
static const char *spoken(unsigned choice) {
    static const char *const several[] = {NULL, NULL, "2025-06-18 2026-07-28", "2025-03-26 2025-11-25"};
    enum { SEVERAL = sizeof several / sizeof *several };
    size_t count = 0;
    const mcpw_revision *const *const revisions = mcpw_revisions(&count);
    choice %= SEVERAL + (unsigned)count;
    return choice < SEVERAL ? several[choice] : mcpw_revision_name(revisions[choice - SEVERAL]);
}

static mcpw_buffer play(const stage_config *config, mcpw_str text) {
    static stage s;
    stage_start(&s, config);
    run(&s, text);
    stage_end(&s);
    return s.said;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { LIMITS = 16, ERAS = 3, STOPS = 16, LINGERS = 32, KEEPS = 64, STINGY = 128, OUTPUTS = 3 };
    static const size_t most_output[OUTPUTS] = {0, 1, 300};
    const fuzz_header h = fuzz_read_header(data, size);
    const mcpw_str text = {h.text, h.len};
    const unsigned flags = size > 3 ? data[3] : 0; /* those of fuzz_options and more */
    stage_config config = {.limits = h.definition % LIMITS,
                           .eras = (mcpw_http_eras)(h.definition / LIMITS % ERAS),
                           .lingers = (flags & LINGERS) != 0,
                           .keeps = (flags & KEEPS) != 0,
                           .stops = (flags & STOPS) != 0,
                           .is_stingy = (flags & STINGY) != 0,
                           .fails = size > 4 ? data[4] : 0};
    config.side.role = MCPW_ROLE_SERVER;
    config.side.revision = h.revision;
    config.side.revisions = spoken(h.extra[2]);
    config.side.flags = h.options.flags & (MCPW_STRICT | MCPW_NULL_IS_ABSENT);
    config.side.seed = h.extra[0];
    config.side.max_output = most_output[h.definition / LIMITS / ERAS % OUTPUTS];
    mcpw_buffer whole = play(&config, text);
    if (h.extra[1] != 0 && config.fails == 0 && !config.is_stingy) {
        config.largest = h.extra[1];
        mcpw_buffer pieces = play(&config, text);
        FUZZ_ASSERT(pieces.len == whole.len &&
                    (whole.len == 0 || memcmp(pieces.data, whole.data, whole.len) == 0));
        mcpw_buffer_free(&pieces);
    }
    mcpw_buffer_free(&whole);
    return 0;
}
