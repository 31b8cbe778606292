/* SPDX-License-Identifier: MIT */
#include "options.h"

#include "console.h"
#include "suggest.h"
#include "text.h"
#include "tool.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { HELP_COLUMN = 22, BASE = 10, UNIT_SHIFT = 10, OPTION_LABEL = 40, CHOICES_SIZE = 100 };

option_reader options_begin(const option *table, size_t count, int argc, char **argv) {
    const option_reader o = {table, count, argv[0], argc, argv, 1, false};
    return o;
}

static const char *option_name(const void *table, size_t index) {
    return ((const option *)table)[index].name;
}

static int unknown_option(const option_reader *o, const char *name, size_t len) {
    char near[SUGGEST_SIZE];
    char given[SUGGEST_SIZE];
    (void)snprintf(given, sizeof given, "%.*s", len < sizeof given ? (int)len : (int)sizeof given - 1, name);
    if (suggest(near, given, o->table, o->count, option_name)) {
        tool_complain("%s has no option %s; did you mean %s?", o->command, given, near);
    } else {
        tool_complain("%s has no option %s; \"mcpwire %s --help\" lists them", o->command, given, o->command);
    }
    return OPTION_BAD;
}

static int read_option(option_reader *o, const char *arg, const char **value) {
    const char *const equals = strchr(arg, '=');
    const size_t len = equals != NULL ? (size_t)(equals - arg) : strlen(arg);
    for (size_t i = 0; i < o->count; i++) {
        const option *const entry = o->table + i;
        if (strlen(entry->name) != len || memcmp(entry->name, arg, len) != 0) {
            continue;
        }
        if (entry->value_name == NULL && equals != NULL) {
            tool_complain("%s takes no value", entry->name);
            return OPTION_BAD;
        }
        if (entry->bare) {
            *value = equals != NULL ? equals + 1 : NULL;
            return (int)i;
        }
        if (entry->value_name != NULL && equals == NULL && o->at == o->argc) {
            tool_complain("%s needs a value: %s %s", entry->name, entry->name, entry->value_name);
            return OPTION_BAD;
        }
        if (entry->value_name != NULL) {
            *value = equals != NULL ? equals + 1 : o->argv[o->at++];
        }
        return (int)i;
    }
    return unknown_option(o, arg, len);
}

int options_next(option_reader *o, const char **value) {
    *value = NULL;
    if (o->at >= o->argc) {
        return OPTION_END;
    }
    const char *const arg = o->argv[o->at++];
    if (!o->operands_only && strcmp(arg, "--") == 0) {
        o->operands_only = true;
        return options_next(o, value);
    }
    if (o->operands_only || arg[0] != '-' || arg[1] == '\0') {
        *value = arg;
        return OPTION_OPERAND;
    }
    return read_option(o, strcmp(arg, "-h") == 0 ? "--help" : arg, value);
}

static unsigned unit_shift(const char *suffix) {
    static const char units[] = "KMG";
    if (suffix[0] == '\0') {
        return 0;
    }
    const char *const unit = strchr(units, suffix[0]);
    return unit != NULL && suffix[1] == '\0' ? (unsigned)(unit - units + 1) * UNIT_SHIFT : UINT8_MAX;
}

static bool read_number(const option *entry, const char *value, size_t *out) {
    const char *p = value;
    size_t number = 0;
    bool fits = *p >= '0' && *p <= '9';
    for (; *p >= '0' && *p <= '9'; p++) {
        const size_t digit = (size_t)(*p - '0');
        fits = fits && number <= (SIZE_MAX - digit) / BASE;
        number = fits ? number * BASE + digit : number;
    }
    const unsigned shift = unit_shift(p);
    fits = fits && shift != UINT8_MAX && number <= SIZE_MAX >> shift;
    number = fits ? number << shift : number;
    if (!fits || number < entry->least || number > entry->most) {
        if (entry->most == SIZE_MAX) {
            tool_complain("%s is \"%s\"; expected a number of at least %zu, with an optional K, M or G",
                          entry->name, value, entry->least);
        } else {
            tool_complain("%s is \"%s\"; expected a number from %zu to %zu", entry->name, value, entry->least,
                          entry->most);
        }
        return false;
    }
    *out = number;
    return true;
}

bool options_apply(const option_reader *o, void *settings, int which, const char *value) {
    const option *const entry = o->table + which;
    void *const to = (char *)settings + entry->at;
    switch (entry->kind) {
    case OPTION_IS_FLAG:
        *(bool *)to = true;
        return true;
    case OPTION_IS_WORD:
        *(const char **)to = value;
        return true;
    case OPTION_IS_NUMBER:
        return value != NULL && read_number(entry, value, to);
    default:
        return entry->take(to, entry, value);
    }
}

bool options_revision(void *to, const option *entry, const char *value) {
    const mcpw_revision *const found = tool_find_revision(value);
    (void)entry;
    *(const mcpw_revision **)to = found;
    return found != NULL;
}

bool options_read(option_reader *o, void *settings, const char **files, size_t *file_count) {
    const char *value = NULL;
    int which;
    while ((which = options_next(o, &value)) != OPTION_END) {
        if (which == OPTION_OPERAND) {
            files[(*file_count)++] = value;
        } else if (which == OPTION_BAD || !options_apply(o, settings, which, value)) {
            return false;
        }
    }
    return true;
}

bool options_choice(const option *entry, const char *value, const char *const *words, size_t count,
                    size_t *out) {
    char expected[CHOICES_SIZE];
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(value, words[i]) == 0) {
            *out = i;
            return true;
        }
        const char *const between = i == 0 ? "" : i + 1 < count ? ", " : " or ";
        if (used < sizeof expected) {
            used += (size_t)snprintf(expected + used, sizeof expected - used, "%s%s", between, words[i]);
        }
    }
    tool_complain("%s is \"%s\"; expected %s", entry->name, value, expected);
    return false;
}

bool options_format(const option *entry, const char *value, bool *json) {
    static const char *const words[] = {"text", "json"};
    size_t which = 0;
    const bool known = options_choice(entry, value, words, sizeof words / sizeof words[0], &which);
    *json = which == 1;
    return known;
}

static void put_spaces(text *out, size_t count) {
    for (size_t i = 0; i < count; i++) {
        text_add(out, " ");
    }
}

static void put_option(text *out, const option *entry) {
    char label[OPTION_LABEL];
    const bool has_value = entry->value_name != NULL;
    const char *words = entry->help;
    (void)snprintf(label, sizeof label, "%s%s%s%s", entry->name,
                   entry->bare ? "[="
                   : has_value ? " "
                               : "",
                   has_value ? entry->value_name : "", entry->bare ? "]" : "");
    text_format(out, "  %-*s", HELP_COLUMN, label);
    if (strlen(label) >= HELP_COLUMN) {
        text_add(out, "\n  ");
        put_spaces(out, HELP_COLUMN);
    }
    for (const char *end = strchr(words, '\n'); end != NULL; end = strchr(words, '\n')) {
        text_bytes(out, words, (size_t)(end - words));
        text_add(out, "\n  ");
        put_spaces(out, HELP_COLUMN);
        words = end + 1;
    }
    text_add(out, words);
    text_add(out, "\n");
}

void options_explain(const char *usage, const option *table, size_t count) {
    text out = TEXT_INIT;
    text_add(&out, usage);
    text_add(&out, "\noptions:\n");
    for (size_t i = 0; i < count; i++) {
        put_option(&out, table + i);
    }
    text_add(&out, "\nrevisions: ");
    tool_list_revisions(&out, ", ");
    (void)console_write(&out); /* tool_finish_output tells of a failure */
    text_free(&out);
}
