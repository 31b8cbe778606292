/* SPDX-License-Identifier: MIT */
/* The front matter of SKILL.md: YAML as JSON, within limits. */
#include "frontmatter.h"

#include <yaml.h>

#define TAG_PREFIX "tag:yaml.org,2002:"

/* A key of a mapping that is open. */
typedef struct seen_key {
    struct seen_key *next;
    mcpw_str name;
} seen_key;

/* A sequence or mapping that is open. */
typedef struct open_node {
    bool is_mapping;
    bool after_key; /* of a mapping: the next node is a value */
    seen_key *keys;
} open_node;

typedef struct yaml_walk {
    yaml_parser_t parser;
    yaml_event_t event;
    mcpw_json_writer writer;
    mcpw_arena *arena; /* keys, and numbers */
    open_node open[MCPW_SKILL_FRONTMATTER_DEPTH];
    size_t depth;
    size_t nodes;
    bool has_root;
    bool is_done;
    mcpw_error *error;
} yaml_walk;

/* ---- Cutting ------------------------------------------------------------------------------------------- */

/* The length of the line at `at`, and in `next` the beginning of the line after it. */
static size_t line_at(const char *text, size_t len, size_t at, size_t *next) {
    const char *const end = memchr(text + at, '\n', len - at);
    size_t stop = end != NULL ? (size_t)(end - text) : len;
    *next = end != NULL ? stop + 1 : len;
    stop -= end != NULL && stop > at && text[stop - 1] == '\r' ? 1U : 0U;
    return stop - at;
}

static bool is_end_line(const char *line, size_t len) {
    while (len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\t')) {
        len--;
    }
    return len == 3 && memcmp(line, "---", 3) == 0;
}

mcpw_status mcpw_frontmatter_cut(const void *bytes, size_t len, mcpw_str *yaml, mcpw_error *error) {
    static const char mark[] = "\xEF\xBB\xBF";
    const char *text = bytes;
    size_t next = 0;
    if (len >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0) {
        text += sizeof mark - 1;
        len -= sizeof mark - 1;
    }
    if (len < 3 || line_at(text, len, 0, &next) != 3 || memcmp(text, "---", 3) != 0) {
        return mcpw_error_set(error, MCPW_E_FORMAT, 0, "SKILL.md does not begin with a line \"---\"");
    }
    const size_t begin = next;
    for (size_t at = begin; at < len; at = next) {
        const size_t line = line_at(text, len, at, &next);
        if (at - begin > MCPW_SKILL_FRONTMATTER_BYTES) {
            return mcpw_error_set(error, MCPW_E_SIZE, 0, "the front matter has more than %d bytes",
                                  (int)MCPW_SKILL_FRONTMATTER_BYTES);
        }
        if (is_end_line(text + at, line)) {
            *yaml = (mcpw_str){text + begin, at - begin};
            return MCPW_OK;
        }
    }
    return mcpw_error_set(error, MCPW_E_FORMAT, 0, "the front matter has no closing line \"---\"");
}

/* ---- Walking ------------------------------------------------------------------------------------------- */

/* The line of an event in SKILL.md. */
static size_t line_of(const yaml_walk *w) { return w->event.start_mark.line + 2; }

static mcpw_status refuse(yaml_walk *w, mcpw_status status, const char *why) {
    return mcpw_error_set(w->error, status, 0, "line %zu of SKILL.md: %s", line_of(w), why);
}

static mcpw_status no_memory(yaml_walk *w) {
    return mcpw_error_set(w->error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
}

/* Why libyaml has stopped. */
static mcpw_status parser_failed(yaml_walk *w) {
    const yaml_parser_t *const p = &w->parser;
    if (p->error == YAML_MEMORY_ERROR) {
        return no_memory(w);
    }
    const bool is_text = p->error == YAML_READER_ERROR;
    const size_t line = p->problem_mark.line + 2;
    const char *const problem = p->problem != NULL ? p->problem : "it is no YAML";
    return is_text ? mcpw_error_set(w->error, MCPW_E_UTF8, 0, "the front matter is no text: %s", problem)
                   : mcpw_error_set(w->error, MCPW_E_FORMAT, 0, "line %zu of SKILL.md: %s", line, problem);
}

static bool has_tag(const yaml_char_t *tag, const char *name) {
    return tag != NULL && strncmp((const char *)tag, TAG_PREFIX, sizeof TAG_PREFIX - 1) == 0 &&
           strcmp((const char *)tag + sizeof TAG_PREFIX - 1, name) == 0;
}

static bool is_unspecific(const yaml_char_t *tag) {
    return tag == NULL || strcmp((const char *)tag, "!") == 0;
}

/* The type of a scalar by its tag or its text. MCPW_YAML_NO_JSON: it has none. */
static mcpw_yaml_kind kind_of(const yaml_event_t *event, mcpw_str text) {
    const yaml_char_t *const tag = event->data.scalar.tag;
    const mcpw_yaml_kind plain = mcpw_yaml_kind_of(text);
    static const struct {
        const char *tag;
        mcpw_yaml_kind kind;
    } tags[] = {{"null", MCPW_YAML_NULL},
                {"bool", MCPW_YAML_BOOL},
                {"int", MCPW_YAML_INT},
                {"float", MCPW_YAML_FLOAT}};
    if (tag == NULL) {
        return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE ? plain : MCPW_YAML_STRING;
    }
    if (is_unspecific(tag) || has_tag(tag, "str")) {
        return MCPW_YAML_STRING;
    }
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        if (has_tag(tag, tags[i].tag)) {
            const bool fits =
                plain == tags[i].kind || (plain == MCPW_YAML_INT && tags[i].kind == MCPW_YAML_FLOAT);
            return fits ? plain : MCPW_YAML_NO_JSON;
        }
    }
    return MCPW_YAML_NO_JSON;
}

static mcpw_status take_key(yaml_walk *w, open_node *node, mcpw_str text, mcpw_yaml_kind kind) {
    if (kind != MCPW_YAML_STRING) {
        return refuse(w, MCPW_E_FORMAT, "a key is no string; quotes make it one");
    }
    if (memchr(text.ptr, '\0', text.len) != NULL) {
        return refuse(w, MCPW_E_FORMAT, "a key contains a NUL");
    }
    for (const seen_key *key = node->keys; key != NULL; key = key->next) {
        if (mcpw_str_equal(key->name, text)) {
            return refuse(w, MCPW_E_DUPLICATE, "a key stands twice in one mapping");
        }
    }
    seen_key *const key = mcpw_arena_alloc(w->arena, sizeof *key);
    const mcpw_str name = mcpw_arena_str(w->arena, text.ptr, text.len);
    if (key == NULL || name.ptr == NULL) {
        return no_memory(w);
    }
    *key = (seen_key){node->keys, name};
    node->keys = key;
    node->after_key = true;
    mcpw_json_write_key(&w->writer, name.ptr);
    return MCPW_OK;
}

static mcpw_status take_value(yaml_walk *w, mcpw_str text, mcpw_yaml_kind kind) {
    if (kind == MCPW_YAML_STRING) {
        mcpw_json_write_string(&w->writer, text.ptr, text.len);
    } else if (kind == MCPW_YAML_NULL) {
        mcpw_json_write_null(&w->writer);
    } else if (kind == MCPW_YAML_BOOL) {
        mcpw_json_write_bool(&w->writer, text.ptr[0] == 't' || text.ptr[0] == 'T');
    } else {
        char *const out = mcpw_arena_alloc(w->arena, text.len + MCPW_YAML_NUMBER_EXTRA);
        const size_t len = out != NULL ? mcpw_yaml_number(text, out) : 0;
        if (out == NULL) {
            return no_memory(w);
        }
        if (len == 0) {
            return refuse(w, MCPW_E_OVERFLOW, "a number is too large");
        }
        mcpw_json_write_raw(&w->writer, mcpw_json_of(out, len));
    }
    return MCPW_OK;
}

static mcpw_status take_scalar(yaml_walk *w) {
    const mcpw_str text = {(const char *)w->event.data.scalar.value, w->event.data.scalar.length};
    const mcpw_yaml_kind kind = kind_of(&w->event, text);
    open_node *const node = w->depth != 0 ? w->open + w->depth - 1 : NULL;
    if (node == NULL) {
        return refuse(w, MCPW_E_FORMAT, "the front matter is no mapping");
    }
    if (kind == MCPW_YAML_NO_JSON) {
        return refuse(w, MCPW_E_FORMAT, "a value has no counterpart in JSON");
    }
    if (node->is_mapping && !node->after_key) {
        return take_key(w, node, text, kind);
    }
    node->after_key = false;
    return take_value(w, text, kind);
}

static mcpw_status open_one(yaml_walk *w, bool is_mapping, const yaml_char_t *tag) {
    open_node *const outer = w->depth != 0 ? w->open + w->depth - 1 : NULL;
    if (outer == NULL && !is_mapping) {
        return refuse(w, MCPW_E_FORMAT, "the front matter is no mapping");
    }
    if (outer != NULL && outer->is_mapping && !outer->after_key) {
        return refuse(w, MCPW_E_FORMAT, "a key is no string; quotes make it one");
    }
    if (!is_unspecific(tag) && !has_tag(tag, is_mapping ? "map" : "seq")) {
        return refuse(w, MCPW_E_FORMAT, "a value has no counterpart in JSON");
    }
    if (w->depth == MCPW_SKILL_FRONTMATTER_DEPTH) {
        return refuse(w, MCPW_E_DEPTH, "the front matter is nested too deeply");
    }
    if (outer != NULL) {
        outer->after_key = false;
    }
    w->has_root = true;
    w->open[w->depth++] = (open_node){is_mapping, false, NULL};
    (is_mapping ? mcpw_json_write_object : mcpw_json_write_array)(&w->writer);
    return MCPW_OK;
}

static mcpw_status close_one(yaml_walk *w) {
    w->depth--;
    mcpw_json_write_close(&w->writer);
    return MCPW_OK;
}

static mcpw_status count_node(yaml_walk *w) {
    return ++w->nodes <= MCPW_SKILL_FRONTMATTER_NODES
               ? MCPW_OK
               : refuse(w, MCPW_E_ELEMENTS, "the front matter has too many values");
}

static mcpw_status take_event(yaml_walk *w) {
    const yaml_event_t *const event = &w->event;
    mcpw_status status;
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        status = count_node(w);
        return status == MCPW_OK ? take_scalar(w) : status;
    case YAML_SEQUENCE_START_EVENT:
        status = count_node(w);
        return status == MCPW_OK ? open_one(w, false, event->data.sequence_start.tag) : status;
    case YAML_MAPPING_START_EVENT:
        status = count_node(w);
        return status == MCPW_OK ? open_one(w, true, event->data.mapping_start.tag) : status;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_one(w);
    case YAML_ALIAS_EVENT:
        return refuse(w, MCPW_E_FORMAT, "aliases are not supported");
    case YAML_DOCUMENT_START_EVENT:
        return w->has_root ? refuse(w, MCPW_E_FORMAT, "the front matter has two documents") : MCPW_OK;
    case YAML_STREAM_END_EVENT:
        w->is_done = true;
        return MCPW_OK;
    default:
        return MCPW_OK;
    }
}

static mcpw_status walk(yaml_walk *w) {
    mcpw_status status = MCPW_OK;
    while (status == MCPW_OK && !w->is_done) {
        if (yaml_parser_parse(&w->parser, &w->event) == 0) {
            return parser_failed(w);
        }
        status = take_event(w);
        yaml_event_delete(&w->event);
    }
    if (status == MCPW_OK && !w->has_root) {
        status = mcpw_error_set(w->error, MCPW_E_FORMAT, 0, "the front matter is no mapping");
    }
    return status;
}

mcpw_status mcpw_skill_frontmatter(const void *bytes, size_t len, mcpw_arena *arena, mcpw_json *out,
                                   mcpw_error *error) {
    mcpw_arena scratch = MCPW_ARENA_INIT;
    mcpw_str yaml = {NULL, 0};
    yaml_walk w;
    scratch.allocator = arena->allocator;
    *out = (mcpw_json){NULL, 0, 0};
    mcpw_status status = mcpw_frontmatter_cut(bytes, len, &yaml, error);
    if (status != MCPW_OK) {
        return status;
    }
    memset(&w, 0, sizeof w);
    w.arena = &scratch;
    w.error = error;
    if (yaml_parser_initialize(&w.parser) == 0) {
        return no_memory(&w);
    }
    mcpw_buffer buffer = mcpw_buffer_in(arena);
    yaml_parser_set_encoding(&w.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&w.parser, (const unsigned char *)yaml.ptr, yaml.len);
    mcpw_json_write_into(&w.writer, &buffer);
    status = walk(&w);
    if (status == MCPW_OK) {
        status = mcpw_json_write_end(&w.writer, out);
        if (status != MCPW_OK) {
            mcpw_error_set(error, status, 0, "the front matter: %s", mcpw_status_text(status));
        }
    }
    (void)mcpw_buffer_take(&buffer); /* *out stays where it is, sealed */
    if (status != MCPW_OK) {
        *out = (mcpw_json){NULL, 0, 0};
    }
    yaml_parser_delete(&w.parser);
    mcpw_arena_free(&scratch);
    return status;
}

/* ---- Names --------------------------------------------------------------------------------------------- */

bool mcpw_skill_name_is_valid(mcpw_str name) {
    if (name.ptr == NULL || name.len == 0 || name.len > MCPW_SKILL_MAX_NAME || name.ptr[0] == '-' ||
        name.ptr[name.len - 1] == '-') {
        return false;
    }
    for (size_t i = 0; i < name.len; i++) {
        const char c = name.ptr[i];
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '-') {
            return false;
        }
    }
    return true;
}

mcpw_status mcpw_frontmatter_check(mcpw_json frontmatter, mcpw_str directory, mcpw_error *error) {
    mcpw_arena scratch = MCPW_ARENA_INIT;
    mcpw_str name = {NULL, 0};
    mcpw_str description = {NULL, 0};
    mcpw_status status = MCPW_OK;
    if (!mcpw_skill_name_is_valid(directory)) {
        status =
            mcpw_error_set(error, MCPW_E_FORMAT, 0,
                           "the name of the skill's directory has other characters than a-z, 0-9 and inner "
                           "hyphens, or more than %d",
                           (int)MCPW_SKILL_MAX_NAME);
    } else if (mcpw_json_get_string(frontmatter, "name", &scratch, &name) != MCPW_OK) {
        status = mcpw_error_set(error, MCPW_E_FORMAT, 0, "the front matter has no name");
    } else if (mcpw_json_get_string(frontmatter, "description", &scratch, &description) != MCPW_OK) {
        status = mcpw_error_set(error, MCPW_E_FORMAT, 0, "the front matter has no description");
    } else if (!mcpw_str_equal(name, directory)) {
        status = mcpw_error_set(error, MCPW_E_FORMAT, 0,
                                "the name in the front matter is not the name of the directory");
    }
    mcpw_arena_free(&scratch);
    return status;
}
