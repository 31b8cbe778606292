/* SPDX-License-Identifier: MIT */
/*
 * Hostile texts of any size, through everything that reads or writes them. Each piece of work is one call of
 * `measured`, so that callgrind can count its instructions alone; before it a line says what it is:
 *
 *     text, operation, bytes, status, bytes of memory at most (0: not counted)
 *
 * work.py runs the program for a size and for ten times that, and compares the work for each byte. A run does
 * one of so many parts, from 0 on, so that all processors can take part.
 */
#include "work.h"
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/framer.h>
#include <mcpw/detail/table.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { DECIMAL = 10, NAME_BYTES = 8, NESTING = 100, LINE = 256 };

/* ---- Texts ---- */

static void put(mcpw_buffer *b, const char *text) {
    if (mcpw_buffer_append(b, text, strlen(text)) != MCPW_OK) {
        abort();
    }
}

__attribute__((format(printf, 2, 3))) static void putf(mcpw_buffer *b, const char *format, ...) {
    char line[LINE];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(line, sizeof line, format, args);
    va_end(args);
    put(b, line);
}

static void repeat(mcpw_buffer *b, size_t times, const char *text) {
    for (size_t i = 0; i < times; i++) {
        put(b, text);
    }
}

/* Items with a comma between them; %zu in one, if there is one, is its number. */
static void list(mcpw_buffer *b, size_t size, const char *item) {
    const size_t end = b->len + size;
    for (size_t i = 0; i == 0 || b->len < end; i++) {
        const char *const number = strstr(item, "%zu");
        if (i != 0) {
            put(b, ",");
        }
        if (number == NULL) {
            put(b, item);
        } else {
            putf(b, "%.*s%07zu%s", (int)(number - item), item, i, number + sizeof "%zu" - 1);
        }
    }
}

typedef struct text {
    const char *name;
    const char *type;
    const char *head;
    const char *item; /* a list of these, until it is as large as is wanted */
    const char *tail;
    const char *repeated; /* or this, without commas; or both, and this where @ stands in the head */
} text;

#define TOOL "{\"name\":\"n%zu\",\"inputSchema\":{\"type\":\"object\"}}"
#define FORM "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{"

#define WRONG_MESSAGES                                                                                       \
    "{\"@\":{\"method\":\"sampling/createMessage\",\"params\":{\"maxTokens\":1,\"messages\":["

static const text texts[] = {
    {"items", "ListRootsResult", "{\"roots\":[", "{\"uri\":\"file:///%zu\"}", "]}", NULL},
    {"unknown members", "Root", "{\"uri\":\"file:///a\",", "\"k%zu\":0", "}", NULL},
    {"unknown members of one name", "Root", "{\"uri\":\"file:///a\",", "\"same\":0", "}", NULL},
    {"unknown members with escaped names", "Root", "{\"uri\":\"file:///a\",", "\"\\u006b%zu\":0", "}", NULL},
    {"a known member again and again", "Root", "{\"uri\":\"file:///a\",", "\"name\":\"\"", "}", NULL},
    {"a map", "GetPromptRequestParams", "{\"name\":\"n\",\"arguments\":{", "\"k%zu\":\"\"", "}}", NULL},
    {"a map of one name", "GetPromptRequestParams", "{\"name\":\"n\",\"arguments\":{", "\"same\":\"\"", "}}",
     NULL},
    {"raw members", "LoggingMessageNotificationParams", "{\"level\":\"info\",\"data\":{", "\"k%zu\":0", "}}",
     NULL},
    {"raw members of one name", "LoggingMessageNotificationParams", "{\"level\":\"info\",\"data\":{",
     "\"s\":0", "}}", NULL},
    {"raw objects of raw objects", "LoggingMessageNotificationParams", "{\"level\":\"info\",\"data\":[",
     "{\"a\":{\"a\":{\"a\":{\"a\":[]}}}}", "]}", NULL},
    {"digits", "ProgressNotificationParams", "{\"progressToken\":1,\"progress\":1", NULL, "}", "7"},
    {"digits after the point", "ProgressNotificationParams", "{\"progressToken\":1,\"progress\":1.", NULL,
     "}", "7"},
    {"digits of an exponent", "ProgressNotificationParams", "{\"progressToken\":1,\"progress\":1e-", NULL,
     "}", "7"},
    {"zeros of an integer", "ProgressNotificationParams", "{\"progressToken\":1.", NULL, "e0,\"progress\":1}",
     "0"},
    {"digits in raw text", "LoggingMessageNotificationParams", "{\"level\":\"info\",\"data\":1", NULL, "}",
     "7"},
    {"a long name", "Root", "{\"uri\":\"file:///a\",\"", NULL, "\":0}", "k"},
    {"a long escaped name", "Root", "{\"uri\":\"file:///a\",\"", NULL, "\":0}", "\\u006b"},
    {"a long string", "Root", "{\"uri\":\"", NULL, "\"}", "abcdefgh"},
    {"escapes", "Root", "{\"uri\":\"", NULL, "\"}", "\\n"},
    {"escapes by number", "Root", "{\"uri\":\"", NULL, "\"}", "\\u00e9"},
    {"pairs of surrogates", "Root", "{\"uri\":\"", NULL, "\"}", "\\ud83d\\ude00"},
    {"UTF-8", "Root", "{\"uri\":\"", NULL, "\"}", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
    {"white space", "Root", "{\"uri\":", NULL, "\"file:///a\"}", " \t\n "},
    {"arrays opened", "LoggingMessageNotificationParams", "{\"level\":\"info\",\"data\":", NULL, "", "["},
    {"objects opened", "LoggingMessageNotificationParams", "{\"level\":\"info\",\"data\":", NULL, "",
     "{\"a\":"},
    {"typed objects opened", "ListToolsResult", "{\"tools\":[{\"name\":\"n\",\"inputSchema\":", NULL, "",
     "{\"type\":\"object\",\"properties\":"},
    {"objects of a recursive type opened", "JSONValue", "", NULL, "", "{\"a\":"},
    {"arrays of a recursive type opened", "JSONValue", "", NULL, "", "["},
    {"values of a recursive type", "JSONValue", "[", "{\"a\":[{\"b\":[\"c\",1,true,[]]}]}", "]", NULL},
    {"values of a recursive type, the last wrong", "JSONValue", "[", "{\"a\":[{\"b\":[\"c\",1,true,[]]}]}",
     ",{\"a\":[{\"b\":null}]}]", NULL},
    {"content", "CallToolResult", "{\"content\":[", "{\"type\":\"text\",\"text\":\"t\"}", "]}", NULL},
    {"content, its tag last", "CallToolResult", "{\"content\":[", "{\"text\":\"t\",\"type\":\"text\"}", "]}",
     NULL},
    {"content, its tag after members of others", "CallToolResult", "{\"content\":[",
     "{\"data\":\"\",\"text\":\"t\",\"mimeType\":\"\",\"uri\":\"u:\",\"type\":\"text\"}", "]}", NULL},
    {"content of an unknown type", "CallToolResult", "{\"content\":[", "{\"type\":\"other\",\"text\":\"t\"}",
     "]}", NULL},
    {"content, the last wrong", "CallToolResult", "{\"content\":[", "{\"type\":\"text\",\"text\":\"t\"}",
     ",{\"type\":\"text\"}]}", NULL},
    {"one object with its tag last", "SamplingMessage", "{\"role\":\"user\",\"content\":{\"text\":\"t\",",
     "\"k%zu\":0", ",\"type\":\"text\"}}", NULL},
    {"results of tools in messages", "SamplingMessage", "{\"role\":\"user\",\"content\":[",
     "{\"type\":\"tool_result\",\"toolUseId\":\"i\",\"content\":[{\"type\":\"text\",\"text\":\"t\"}]}", "]}",
     NULL},
    {"results of tools, the last wrong", "SamplingMessage", "{\"role\":\"user\",\"content\":[",
     "{\"toolUseId\":\"i\",\"content\":[{\"text\":\"t\",\"type\":\"text\"}],\"type\":\"tool_result\"}",
     ",{\"content\":[{}],\"type\":\"tool_result\"}]}", NULL},
    {"resources that two alternatives could be", "ReadResourceResult", "{\"contents\":[",
     "{\"uri\":\"u:\",\"text\":5,\"blob\":\"\"}", "]}", NULL},
    {"schemas of a form", "ElicitRequestFormParams", FORM,
     "\"k%zu\":{\"type\":\"string\",\"enum\":[\"a\"],\"enumNames\":[\"b\"]}", "}}}", NULL},
    {"schemas of a form that could be many", "ElicitRequestFormParams", FORM,
     "\"k%zu\":{\"enum\":[\"a\"],\"oneOf\":[{\"const\":\"a\",\"title\":\"A\"}],\"type\":\"string\"}", "}}}",
     NULL},
    {"schemas of a form that are none", "ElicitRequestFormParams", FORM,
     "\"k%zu\":{\"enum\":[1],\"oneOf\":[{}],\"items\":{\"anyOf\":[]},\"type\":\"array\"}", "}}}", NULL},
    {"wrong items after a long name", "InputRequests", WRONG_MESSAGES, "{}", "]}}}", "k"},
    {"wrong items after a long escaped name", "InputRequests", WRONG_MESSAGES, "{}", "]}}}", "\\\\"},
    {"a form in an anyOf, the last wrong", "ElicitRequestParams", FORM, "\"k%zu\":{\"type\":\"string\"}",
     ",\"z\":0}},\"mode\":\"form\"}", NULL},
    {"tools", "ListToolsResult", "{\"tools\":[", TOOL, "]}", NULL},
    {"items that are all wrong", "ListRootsResult", "{\"roots\":[", "{}", "]}", NULL},
    {"roles that are unknown", "PromptMessage",
     "{\"content\":{\"type\":\"text\",\"text\":\"\",\"annotations\":{"
     "\"audience\":[",
     "\"other\"", "]}},\"role\":\"user\"}", NULL},
    {"messages of unknown roles", "GetPromptResult", "{\"messages\":[",
     "{\"role\":\"other\",\"content\":{\"type\":\"text\",\"text\":\"t\"}}", "]}", NULL},
    {"words of a required list", "Tool",
     "{\"name\":\"n\",\"inputSchema\":{\"type\":\"object\",\"required\":[", "\"k%zu\"", "]}}", NULL},
    {"names in _meta", "Root", "{\"uri\":\"file:///a\",\"_meta\":{", "\"a/k%zu\":0", "}}", NULL},
    {"nothing closed", "ListRootsResult", "{\"roots\":[", "{\"uri\":\"file:///%zu\"}", "", NULL},
};

static void make_text(mcpw_buffer *b, const text *t, size_t size) {
    b->len = 0;
    const char *const mark = t->item != NULL && t->repeated != NULL ? strchr(t->head, '@') : NULL;
    if (mark != NULL) {
        putf(b, "%.*s", (int)(mark - t->head), t->head);
        repeat(b, size / 2 / strlen(t->repeated) + 1, t->repeated);
        size /= 2;
    }
    put(b, mark != NULL ? mark + 1 : t->head);
    if (t->item != NULL) {
        list(b, size, t->item);
    } else {
        repeat(b, size / strlen(t->repeated) + 1, t->repeated);
    }
    put(b, t->tail);
}

/* ---- Operations on a text of a type ---- */

static const char *const names[] = {"2025-11-25", "2026-07-28"};

static const mcpw_type *find_type(const char *name) {
    const mcpw_type *const type = mcpw_find_type(names[0], name);
    return type != NULL ? type : mcpw_find_type(names[1], name);
}

static bool go_on(void *user, const mcpw_error *error) {
    (void)error;
    ++*(size_t *)user;
    return true;
}

static mcpw_status decode_with(job *j, unsigned flags) {
    j->options.flags = flags;
    return mcpw_decode(j->type, j->text.data, j->text.len, &j->arena, j->value, &j->options, &j->error);
}

static mcpw_status do_decode(job *j) { return decode_with(j, 0); }
static mcpw_status do_decode_unknown(job *j) {
    return decode_with(j, MCPW_ALLOW_UNKNOWN | MCPW_PEER_DEFAULTS);
}
static mcpw_status do_decode_strict(job *j) { return decode_with(j, MCPW_STRICT); }

static mcpw_status do_validate(job *j) {
    return mcpw_validate(j->type, j->text.data, j->text.len, &j->arena, NULL, &j->error);
}

static mcpw_status do_collect(job *j) {
    size_t errors = 0;
    j->options.flags = MCPW_STRICT;
    j->options.on_error = go_on;
    j->options.user = &errors;
    return mcpw_validate(j->type, j->text.data, j->text.len, &j->arena, &j->options, &j->error);
}

/* The rest works on a decoded value. */
static bool has_value(job *j) { return decode_with(j, MCPW_ALLOW_UNKNOWN) == MCPW_OK; }

static mcpw_status do_encode(job *j) {
    j->out.len = 0;
    return mcpw_encode(j->type, j->value, &j->out, &j->options, &j->error);
}

static mcpw_status do_encode_strict(job *j) {
    j->options.flags |= MCPW_STRICT;
    return do_encode(j);
}

static mcpw_status do_copy(job *j) { return mcpw_copy(j->type, j->value, &j->arena, j->other, &j->error); }

static bool has_copy(job *j) { return has_value(j) && do_copy(j) == MCPW_OK; }

static mcpw_status do_equal(job *j) {
    return mcpw_equal(j->type, j->value, j->other) ? MCPW_OK : MCPW_E_VALUE;
}

/* The other value has its unknown members and its map the other way round. */
static bool has_reversed(job *j);

static bool has_target(job *j) {
    const mcpw_revision *const to =
        mcpw_find_revision(strcmp(j->type->revision->name, names[0]) == 0 ? names[1] : names[0]);
    j->target = mcpw_revision_type(to, j->type->name);
    return j->target != NULL && has_value(j);
}

static mcpw_status do_project(job *j) {
    return mcpw_project(j->type, j->value, j->target, &j->arena, j->other, NULL, &j->error);
}

static bool has_text(job *j) {
    (void)j;
    return true;
}

static mcpw_json whole(const job *j) {
    const mcpw_json all = mcpw_json_of(j->text.data, j->text.len);
    return all;
}

static mcpw_status do_check(job *j) { return mcpw_json_check(whole(j), 0, &j->error); }

static mcpw_status do_json_equal(job *j) {
    const mcpw_json copy = mcpw_json_of(j->out.data, j->out.len);
    return mcpw_json_equal(whole(j), copy) ? MCPW_OK : MCPW_E_VALUE;
}

/* The same text, with something in it that is not the same byte by byte. */
static bool has_other_text(job *j) {
    j->out.len = 0;
    put(&j->out, " ");
    return mcpw_buffer_append(&j->out, j->text.data, j->text.len) == MCPW_OK;
}

static mcpw_status do_message(job *j) {
    mcpw_message message;
    return mcpw_message_decode(j->type->revision, j->text.data, j->text.len, &j->arena, NULL, NULL, &message,
                               NULL, &j->error);
}

static bool has_message(job *j) {
    j->out.len = 0;
    put(&j->out, "{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"n\",\"_meta\":");
    if (mcpw_buffer_append(&j->out, j->text.data, j->text.len) != MCPW_OK) {
        abort();
    }
    put(&j->out, "},\"id\":1}");
    const mcpw_buffer text = j->text;
    j->text = j->out;
    j->out = text;
    return true;
}

static mcpw_status do_frame(job *j) {
    mcpw_framer framer = MCPW_FRAMER_INIT;
    mcpw_str line;
    mcpw_status status = MCPW_OK;
    for (size_t at = 0; at < j->text.len && (status == MCPW_OK || status == MCPW_PENDING); at++) {
        const char *byte = j->text.data + at;
        size_t one = 1;
        status = mcpw_framer_next(&framer, &byte, &one, &line);
    }
    mcpw_framer_free(&framer);
    return status;
}

static const operation operations[] = {
    {"decode", has_text, do_decode},
    {"decode, strict", has_text, do_decode_strict},
    {"decode, unknown allowed", has_text, do_decode_unknown},
    {"validate", has_text, do_validate},
    {"validate, all errors", has_text, do_collect},
    {"check", has_text, do_check},
    {"encode", has_value, do_encode},
    {"encode, strict", has_value, do_encode_strict},
    {"copy", has_value, do_copy},
    {"equal", has_copy, do_equal},
    {"equal, reversed", has_reversed, do_equal},
    {"project", has_target, do_project},
    {"json_equal", has_other_text, do_json_equal},
    {"frame, byte by byte", has_text, do_frame},
    {"message", has_message, do_message},
};

/* ---- Reversing ---- */

static void reverse(void *items, size_t count, size_t size) {
    unsigned char *const at = items;
    unsigned char *const swap = malloc(size);
    if (swap == NULL) {
        abort();
    }
    for (size_t i = 0; i < count / 2; i++) {
        unsigned char *const a = at + i * size;
        unsigned char *const b = at + (count - 1 - i) * size;
        memcpy(swap, a, size);
        memcpy(a, b, size);
        memcpy(b, swap, size);
    }
    free(swap);
}

/* Turns the lists of an object's members round that stand in the struct itself, two levels down. */
static bool reverse_lists(const mcpw_revision *v, const mcpw_struct *s, unsigned char *at, int levels) {
    bool any = false;
    const unsigned offset = mcpw_extra_offset(v, s);
    if (offset != MCPW_NO_OFFSET) {
        mcpw_members *const extra = (mcpw_members *)(void *)(at + offset);
        reverse((void *)(uintptr_t)extra->items, extra->count, sizeof *extra->items);
        any = extra->count > 1;
    }
    for (unsigned i = 0; i < s->count; i++) {
        const mcpw_row *const row = v->rows + s->first + i;
        unsigned char *const member = at + row->offset;
        const mcpw_ref ref = mcpw_row_value(v, row);
        if (ref.kind == MCPW_KIND_MAP) {
            mcpw_members list;
            memcpy(&list, member, sizeof list);
            reverse((void *)(uintptr_t)list.items, list.count, v->maps[ref.index].entry_size);
            any |= list.count > 1;
        } else if (ref.kind == MCPW_KIND_STRUCT && levels > 0) {
            any |= reverse_lists(v, v->structs + ref.index, member, levels - 1);
        } else if (ref.kind == MCPW_KIND_STRUCT_PTR && levels > 0) {
            unsigned char *pointee = NULL;
            memcpy(&pointee, member, sizeof pointee);
            any |= pointee != NULL && reverse_lists(v, v->structs + ref.index, pointee, levels - 1);
        }
    }
    return any;
}

static bool has_reversed(job *j) {
    const mcpw_revision *const v = j->type->revision;
    return j->type->ref.kind == MCPW_KIND_STRUCT && has_copy(j) &&
           decode_with(j, MCPW_ALLOW_UNKNOWN) == MCPW_OK &&
           reverse_lists(v, v->structs + j->type->ref.index, (unsigned char *)j->value, 2);
}

/* ---- Running ---- */

__attribute__((noinline)) mcpw_status measured(job *j, mcpw_status (*run)(job *j)) { return run(j); }

bool job_turn(job *j) { return j->turn++ % j->parts == j->part; }

void job_run(job *j, const char *what, const operation *o) {
    j->arena = (mcpw_arena)MCPW_ARENA_INIT;
    j->options = (mcpw_options)MCPW_OPTIONS_INIT;
    if (o->ready(j)) {
        const size_t len = j->text.len;
        const mcpw_status status = measured(j, o->run);
        printf("%s\t%s\t%zu\t%s\t%zu\n", what, o->name, len, mcpw_status_name(status), j->most);
    }
    mcpw_arena_free(&j->arena);
}

/* ---- Raw values with their members the other way round ---- */

/* The member of that number: names that differ, that differ after an escape, or that are all the same. */
static void put_member(mcpw_buffer *b, int kind, size_t i) {
    switch (kind) {
    case 0:
        putf(b, "\"k%07zu\":0", i);
        break;
    case 1:
        putf(b, "\"\\u006b%07zu\":[]", i);
        break;
    default:
        putf(b, "\"same\":%zu", i);
        break;
    }
}

static void run_reversed_json(job *j, size_t size) {
    enum { KINDS = 3, SAME = 2, MEMBER_BYTES = 16, SEVEN_DIGITS = 1000000 };
    static const operation equal = {"json_equal, reversed", has_text, do_json_equal};
    static const char *const whats[KINDS] = {"raw members", "raw members with escaped names",
                                             "raw members of one name"};
    const size_t count = size / MEMBER_BYTES;
    for (int kind = 0; kind < KINDS; kind++) {
        j->text.len = 0;
        j->out.len = 0;
        put(&j->text, "{\"first\":1");
        put(&j->out, "{");
        for (size_t i = 0; i < count; i++) { /* those of one name have to stay in their order */
            put(&j->text, ",");
            put_member(&j->text, kind, SEVEN_DIGITS + i);
            put_member(&j->out, kind, SEVEN_DIGITS + (kind == SAME ? i : count - 1 - i));
            put(&j->out, ",");
        }
        put(&j->text, "}");
        put(&j->out, "\"first\":1}");
        job_run(j, whats[kind], &equal);
    }
}

/* Values that are nested the deeper the larger they are, in the same order or in the other. */
static void run_nested_json(job *j, size_t size) {
    enum { LEVEL_BYTES = 180, PADDING = 150 };
    static const operation equal = {"json_equal", has_text, do_json_equal};
    static const char *const whats[] = {"nested objects", "nested objects, each the other way round"};
    const size_t levels = size / LEVEL_BYTES;
    for (size_t other = 0; other < 2; other++) {
        j->text.len = 0;
        j->out.len = 0;
        for (size_t i = 0; i < levels; i++) {
            put(&j->text, "{\"pad\":\"");
            repeat(&j->text, PADDING, "x");
            put(&j->text, "\",\"in\":");
            put(&j->out, other != 0 ? "{\"in\":" : " {\"pad\":\"");
            repeat(&j->out, other != 0 ? 0 : PADDING, "x");
            put(&j->out, other != 0 ? "" : "\",\"in\":");
        }
        put(&j->text, "1");
        put(&j->out, "1");
        for (size_t i = 0; i < levels; i++) {
            put(&j->text, "}");
            put(&j->out, other != 0 ? ",\"pad\":\"" : "");
            repeat(&j->out, other != 0 ? PADDING : 0, "x");
            put(&j->out, other != 0 ? "\"}" : "}");
        }
        job_run(j, whats[other], &equal);
    }
}

/* Names of members that fall into the slot of a known one. */
static void run_colliding_names(job *j, size_t size) {
    static const char known[] = "name";
    j->type = find_type("Tool");
    const mcpw_struct *const s = j->type->revision->structs + j->type->ref.index;
    const unsigned char *const k = (const unsigned char *)known;
    const unsigned slot = MCPW_HASH(k, sizeof known - 1, s->hash_mul, s->hash_shift, s->hash_mask);
    j->text.len = 0;
    put(&j->text, "{\"name\":\"n\",\"inputSchema\":{\"type\":\"object\"}");
    for (size_t i = 0; j->text.len < size; i++) {
        char name[LINE];
        const size_t len = (size_t)snprintf(name, sizeof name, "k%zu", i);
        const unsigned char *const n = (const unsigned char *)name;
        if (MCPW_HASH(n, len, s->hash_mul, s->hash_shift, s->hash_mask) == slot) {
            putf(&j->text, ",\"%s\":0", name);
        }
    }
    put(&j->text, "}");
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        job_run(j, "names that fall into one slot", operations + i);
    }
}

static size_t number_in(const char *text) {
    char *end = NULL;
    const size_t number = strtoul(text, &end, DECIMAL);
    return *end == '\0' ? number : 0;
}

int main(int argc, char **argv) {
    job j;
    memset(&j, 0, sizeof j);
    const size_t size = argc > 1 ? number_in(argv[1]) : 0;
    j.part = argc > 3 ? number_in(argv[2]) : 0;
    j.parts = argc > 3 ? number_in(argv[3]) : 1;
    if (size == 0 || j.parts == 0) {
        (void)fprintf(stderr, "usage: work BYTES [PART PARTS]\n");
        return 2;
    }
    j.text = (mcpw_buffer)MCPW_BUFFER_INIT;
    j.out = (mcpw_buffer)MCPW_BUFFER_INIT;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (!job_turn(&j)) {
            continue;
        }
        j.type = find_type(texts[i].type);
        for (size_t k = 0; k < sizeof operations / sizeof operations[0]; k++) {
            make_text(&j.text, texts + i, size);
            job_run(&j, texts[i].name, operations + k);
        }
    }
    if (job_turn(&j)) {
        run_colliding_names(&j, size);
        run_reversed_json(&j, size);
        run_nested_json(&j, size);
    }
    work_schemas(&j, size);
    j.most = 0;
    work_sessions(&j, size);
    mcpw_buffer_free(&j.text);
    mcpw_buffer_free(&j.out);
    return 0;
}
