/* SPDX-License-Identifier: MIT */
/* Command-line arguments for tools and prompts. */
#include "call.h"

#include "suggest.h"
#include "system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READ_SIZE = 1 << 16, FIRST_NAMES = 16 };

/* The search for a tool by its name. */
typedef struct search {
    caller *caller;
    const char *name;
    text schema;  /* of the tool that was found */
    char **names; /* the names of the other tools */
    size_t count;
    size_t capacity;
    bool found;
} search;

static void keep_name(search *s, mcpw_str name) {
    if (s->count == s->capacity) {
        const size_t capacity = s->capacity * 2 + FIRST_NAMES;
        char **const names = realloc((void *)s->names, capacity * sizeof *names);
        if (names == NULL) {
            return;
        }
        s->names = names;
        s->capacity = capacity;
    }
    char *const copy = malloc(name.len + 1);
    if (copy != NULL) {
        memcpy(copy, name.ptr, name.len);
        copy[name.len] = '\0';
        s->names[s->count++] = copy;
    }
}

static bool search_item(void *user, mcpw_json item) {
    search *const s = user;
    const mcpw_json schema = glance_member(item, "inputSchema");
    const mcpw_str name = glance_string(item, "name", &s->caller->arena);
    if (name.ptr == NULL) {
        return true;
    }
    if (!mcpw_str_is(name, s->name)) {
        keep_name(s, name);
        return true;
    }
    s->found = true;
    if (schema.ptr != NULL) {
        text_bytes(&s->schema, schema.ptr, schema.len);
    }
    return false;
}

static const char *name_at(const void *list, size_t index) { return ((char *const *)list)[index]; }

static void say_no_tool(const search *s) {
    char near[SUGGEST_SIZE];
    if (suggest(near, s->name, (const void *)s->names, s->count, name_at)) {
        tool_complain("the server has no tool %s; did you mean %s?", s->name, near);
    } else {
        tool_complain("the server has no tool %s; \"mcpwire call -- COMMAND\" lists them", s->name);
    }
}

/* Appends KEY=VALUE as a member, according to the tool's schema. */
static bool put_word(text *out, const char *word, schema *wanted) {
    char key[SUGGEST_SIZE];
    const char *const equals = strchr(word, '=');
    const mcpw_str value = mcpw_str_from(equals + 1);
    const int len = equals - word < SUGGEST_SIZE ? (int)(equals - word) : 0;
    (void)snprintf(key, sizeof key, "%.*s", len, word);
    const mcpw_json property = glance_member(glance_member(wanted->root, "properties"), key);
    text_json(out, word, (size_t)(equals - word));
    text_add(out, ":");
    if (schema_value(out, wanted, property, value)) {
        return true;
    }
    text type = TEXT_INIT;
    schema_describe(&type, wanted, property);
    text_bytes(&type, "", 1);
    tool_complain("%s is \"%s\"; the tool expects: %s", key, value.ptr, type.lost ? "" : type.buffer.data);
    text_free(&type);
    return false;
}

bool args_put(caller *c, text *out, const char *const *words, size_t count, mcpw_json wanted) {
    schema s;
    bool good = true;
    schema_begin(&s, wanted, &c->arena);
    for (size_t i = 0; i < count && good; i++) {
        text_add(out, i != 0 ? "," : "");
        good = put_word(out, words[i], &s);
    }
    schema_free(&s);
    return good;
}

static void free_search(search *s) {
    while (s->count > 0) {
        free(s->names[--s->count]);
    }
    free((void *)s->names);
    text_free(&s->schema);
}

void args_learn(caller *c, const char *tool) {
    search s = {c, tool, TEXT_INIT, NULL, 0, 0, false};
    const mcpw_status listed = caller_list(c, "tools/list", "tools", search_item, &s);
    (void)listed; /* the failure was printed, and the tool may exist nevertheless */
    free_search(&s);
}

/* True if a tool may be called although listing the tools has failed. */
static bool may_go_on(mcpw_status listed) {
    return listed != MCPW_E_CANCELLED && listed != MCPW_E_CLOSED && listed != MCPW_E_TIMEOUT &&
           listed != MCPW_E_CONNECTION && listed != MCPW_E_UNAUTHORIZED && listed != MCPW_E_MEMORY;
}

int args_of_tool(caller *c, const char *tool, const char *const *words, size_t count, text *out) {
    search s = {c, tool, TEXT_INIT, NULL, 0, 0, false};
    int status = TOOL_INVALID;
    const mcpw_status listed = caller_list(c, "tools/list", "tools", search_item, &s);
    const mcpw_json schema = mcpw_json_of(s.schema.buffer.data, s.schema.buffer.len);
    if (listed == MCPW_OK && !s.found) {
        say_no_tool(&s);
    } else if (listed == MCPW_OK || may_go_on(listed)) {
        if (!s.found) {
            tool_complain("the tools cannot be listed: all arguments are sent as strings; --args sends JSON");
        }
        text_add(out, "{");
        status = args_put(c, out, words, count, schema) ? TOOL_OK : TOOL_FAILED;
        text_add(out, "}");
    }
    free_search(&s);
    return status;
}

/* Reads a whole file. */
static bool read_file(const char *name, text *out) {
    char portion[READ_SIZE];
    FILE *const in = strcmp(name, "-") == 0 ? stdin : system_open(name);
    size_t n = 0;
    while (in != NULL && (n = fread(portion, 1, sizeof portion, in)) > 0) {
        text_bytes(out, portion, n);
    }
    const bool is_read = in != NULL && ferror(in) == 0;
    if (!is_read) {
        tool_complain("%s: %s", name, strerror(errno));
    }
    if (in != NULL && in != stdin) {
        (void)fclose(in);
    }
    return is_read && !out->lost;
}

bool args_read(const char *args, text *out) {
    mcpw_error error;
    memset(&error, 0, sizeof error);
    if (strcmp(args, "-") == 0 || args[0] == '@') {
        if (!read_file(args[0] == '@' ? args + 1 : args, out)) {
            return false;
        }
    } else {
        text_add(out, args);
    }
    const mcpw_json value = mcpw_json_of(out->buffer.data != NULL ? out->buffer.data : "", out->buffer.len);
    if (mcpw_json_check(value, 0, &error) != MCPW_OK) {
        tool_complain("--args is not JSON: %s, at byte %zu", error.message, error.offset);
        return false;
    }
    if (mcpw_json_kind_of(value) != MCPW_JSON_OBJECT) {
        tool_complain("--args is not a JSON object");
        return false;
    }
    return true;
}
