/* SPDX-License-Identifier: MIT */
#include "corpus.h"

#include <stdio.h>
#include <stdlib.h>

const bench_goal bench_goals[BENCH_GOALS] = {
    {"decode", "json-c"},         {"decode", "simdjson"},        {"decode", "yyjson"},
    {"encode", "yyjson writing"}, {"pass on", "yyjson writing"},
};

const bench_class bench_classes[] = {
    {"small", "2026-07-28", NULL, {20.0, 1.25, 1.35, 1.0, 1.0}},
    {"list", "2026-07-28", "ListToolsResult", {17.0, 1.05, 1.65, 0.9, 5.0}},
    {"text", "2026-07-28", "CallToolResult", {16.0, 1.0, 1.35, 1.1, 1.1}},
    {"call", "2026-07-28", "CallToolRequestParams", {19.0, 1.15, 1.2, 0.6, 3.0}},
    {"blob", "2026-07-28", "ReadResourceResult", {27.0, 3.5, 9.0, 1.2, 1.2}},
    {"legacy", "2025-11-25", NULL, {0, 0, 0, 0, 0}},
};
const size_t bench_class_count = sizeof bench_classes / sizeof bench_classes[0];

const bench_class *bench_find_class(const char *name) {
    for (size_t i = 0; i < bench_class_count; i++) {
        if (strcmp(bench_classes[i].name, name) == 0) {
            return bench_classes + i;
        }
    }
    return NULL;
}

bool bench_class_built(const bench_class *about) { return mcpw_find_revision(about->revision) != NULL; }

static bool report(const bench_corpus *corpus, const char *what, size_t line, const mcpw_error *error) {
    fprintf(stderr, "%s: %s fails on line %zu: %s: %s: %s\n", corpus->about->name, what, line + 1,
            mcpw_status_name(error->code), error->path, error->message);
    return false;
}

static char *read_file(const char *path, size_t *len) {
    FILE *const file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    char *data = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        const long size = ftell(file);
        rewind(file);
        if (size > 0) {
            *len = (size_t)size;
            data = malloc(*len);
        }
        if (data != NULL && fread(data, 1, *len, file) != *len) {
            free(data);
            data = NULL;
        }
    }
    fclose(file);
    return data;
}

/* Copies each line to a place of its own, with padding after it. */
static bool split_lines(bench_corpus *corpus, const char *data, size_t len) {
    size_t lines = 0;
    for (size_t i = 0; i < len; i++) {
        lines += data[i] == '\n';
    }
    corpus->texts = calloc(lines + 1, sizeof *corpus->texts);
    corpus->storage = calloc(1, len + (lines + 1) * BENCH_PADDING);
    if (corpus->texts == NULL || corpus->storage == NULL) {
        return false;
    }
    char *to = corpus->storage;
    for (size_t start = 0; start < len;) {
        const char *const newline = memchr(data + start, '\n', len - start);
        const size_t line = (newline != NULL ? (size_t)(newline - data) : len) - start;
        memcpy(to, data + start, line);
        corpus->texts[corpus->count].ptr = to;
        corpus->texts[corpus->count].len = line;
        corpus->count++;
        corpus->bytes += line;
        to += line + BENCH_PADDING;
        start += line + 1;
    }
    return corpus->count > 0;
}

static mcpw_answered_request resolve(void *user, const mcpw_id *id) {
    const bench_corpus *const corpus = user;
    mcpw_answered_request answer = {0, false};
    if (id->kind == MCPW_ID_INTEGER && (uint64_t)id->as.integer < corpus->answer_count) {
        answer.method = corpus->answers[id->as.integer];
    }
    return answer;
}

/* Notes the method of every request under its id, as a session does when it sends one. */
static bool note_requests(bench_corpus *corpus) {
    corpus->answer_count = corpus->count;
    corpus->answers = calloc(corpus->count, sizeof *corpus->answers);
    if (corpus->answers == NULL) {
        return false;
    }
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error;
    bool good = true;
    for (size_t i = 0; good && i < corpus->count; i++) {
        mcpw_message message;
        const bench_text text = corpus->texts[i];
        if (mcpw_message_decode(corpus->revision, text.ptr, text.len, &arena, NULL, NULL, &message, NULL,
                                &error) != MCPW_OK) {
            good = report(corpus, "decode", i, &error);
        } else if (message.kind == MCPW_MESSAGE_REQUEST && message.id.kind == MCPW_ID_INTEGER &&
                   (uint64_t)message.id.as.integer < corpus->answer_count) {
            corpus->answers[message.id.as.integer] = message.method;
        }
        mcpw_arena_reset(&arena);
    }
    mcpw_arena_free(&arena);
    return good;
}

bool bench_corpus_load(bench_corpus *corpus, const bench_class *about, const char *folder) {
    memset(corpus, 0, sizeof *corpus);
    corpus->about = about;
    corpus->revision = mcpw_find_revision(about->revision);
    if (about->type != NULL) {
        corpus->type = mcpw_find_type(about->revision, about->type);
    }
    if (corpus->revision == NULL || (about->type != NULL && corpus->type == NULL)) {
        fprintf(stderr, "%s: the library lacks revision %s or type %s\n", about->name, about->revision,
                about->type != NULL ? about->type : "-");
        return false;
    }
    char path[1024];
    const int printed = snprintf(path, sizeof path, "%s/%s.ndjson", folder, about->name);
    size_t len = 0;
    char *const data = printed > 0 && (size_t)printed < sizeof path ? read_file(path, &len) : NULL;
    if (data == NULL) {
        fprintf(stderr, "%s: cannot read; make it with: python3 tests/bench/corpus.py %s\n", path, folder);
        return false;
    }
    const bool good = split_lines(corpus, data, len) && (corpus->type != NULL || note_requests(corpus));
    free(data);
    if (!good) {
        bench_corpus_free(corpus);
    }
    return good;
}

void bench_corpus_free(bench_corpus *corpus) {
    free(corpus->texts);
    free(corpus->storage);
    free(corpus->answers);
    memset(corpus, 0, sizeof *corpus);
}

size_t bench_value_size(const bench_corpus *corpus) {
    return corpus->type != NULL ? mcpw_type_size(corpus->type) : sizeof(mcpw_message);
}

static mcpw_status decode_one(const bench_corpus *corpus, bench_text text, mcpw_arena *arena, void *out,
                              const mcpw_options *options, mcpw_error *error) {
    if (corpus->type != NULL) {
        return mcpw_decode(corpus->type, text.ptr, text.len, arena, out, options, error);
    }
    return mcpw_message_decode(corpus->revision, text.ptr, text.len, arena, resolve,
                               (void *)(uintptr_t)corpus, out, options, error);
}

bool bench_decode(const bench_corpus *corpus, mcpw_arena *arena, void *out) {
    mcpw_error error;
    for (size_t i = 0; i < corpus->count; i++) {
        if (decode_one(corpus, corpus->texts[i], arena, out, NULL, &error) != MCPW_OK) {
            return report(corpus, "decode", i, &error);
        }
        mcpw_arena_reset(arena);
    }
    return true;
}

bool bench_validate(const bench_corpus *corpus, mcpw_arena *scratch) {
    mcpw_error error;
    for (size_t i = 0; i < corpus->count; i++) {
        const bench_text text = corpus->texts[i];
        const mcpw_status status =
            corpus->type != NULL
                ? mcpw_validate(corpus->type, text.ptr, text.len, scratch, NULL, &error)
                : mcpw_message_validate(corpus->revision, text.ptr, text.len, scratch, resolve,
                                        (void *)(uintptr_t)corpus, NULL, NULL, &error);
        if (status != MCPW_OK) {
            return report(corpus, "validate", i, &error);
        }
    }
    return true;
}

bool bench_encode(const bench_corpus *corpus, const bench_values *values, mcpw_buffer *buffer,
                  size_t *bytes) {
    mcpw_error error;
    size_t total = 0;
    for (size_t i = 0; i < corpus->count; i++) {
        buffer->len = 0;
        const mcpw_status status =
            corpus->type != NULL
                ? mcpw_encode(corpus->type, values->items[i], buffer, NULL, &error)
                : mcpw_message_encode(corpus->revision, values->items[i], buffer, NULL, &error);
        if (status != MCPW_OK) {
            return report(corpus, "encode", i, &error);
        }
        total += buffer->len;
    }
    *bytes = total;
    return true;
}

/* A value that was decoded with a level more than it is encoded with may nest too deeply for all that its
 * seal says. So it is checked like one that has no seal. */
bool bench_values_make(bench_values *values, const bench_corpus *corpus, bench_origin origin) {
    *values = (bench_values){MCPW_ARENA_INIT, calloc(corpus->count, sizeof(void *))};
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_error error;
    options.max_depth = MCPW_DEFAULT_DEPTH + (origin == BENCH_OWN);
    for (size_t i = 0; values->items != NULL && i < corpus->count; i++) {
        values->items[i] = malloc(bench_value_size(corpus));
        if (values->items[i] == NULL) {
            return false;
        }
        if (decode_one(corpus, corpus->texts[i], &values->arena, values->items[i], &options, &error) !=
            MCPW_OK) {
            return report(corpus, "decode", i, &error);
        }
    }
    return values->items != NULL;
}

void bench_values_free(bench_values *values, const bench_corpus *corpus) {
    for (size_t i = 0; values->items != NULL && i < corpus->count; i++) {
        free(values->items[i]);
    }
    free(values->items);
    mcpw_arena_free(&values->arena);
}
