/* SPDX-License-Identifier: MIT */
/* mcpwire validate: checks the values of files against the protocol. */
#include "check.h"
#include "json_schema.h"
#include "options.h"
#include "overlay.h"
#include "protocol.h"
#include "suggest.h"
#include "text.h"
#include "tool.h"
#include "unwrap.h"

#include <mcpw/codec.h>
#include <mcpw/detail/catalogue.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_MAX_OPEN ((size_t)1000000)
#define MAX_MAX_OPEN ((size_t)1 << 30)

typedef struct settings {
    const char *revision; /* NULL: not given */
    const char *type;
    const char *schema;   /* any schema, of --json-schema */
    const char *protocol; /* of --schema */
    const char *like;
    overlay_settings overlays;
    bool types;
    bool help;
    check_settings check;
    const char **files; /* room for every argument */
    size_t file_count;
} settings;

static bool take_pointer(void *to, const option *entry, const char *value) {
    *(const char **)to = value;
    if (!unwrap_is_pointer(value)) {
        tool_complain("%s is \"%s\"; expected a JSON pointer, such as /message", entry->name, value);
        return false;
    }
    return true;
}

static const option options[] = {
    {"--revision", "R",
     "revision of the protocol, such as 2025-11-25, or auto (the\n"
     "default for messages): each session says which it is in",
     OPTION_WORD(settings, revision)},
    {"--type", "T",
     "check values against this definition of the schema\n(CallToolResult) instead of as messages",
     OPTION_WORD(settings, type)},
    {"--types", NULL, "list the types of the revision or the overlay, and check nothing",
     OPTION_FLAG(settings, types)},
    {"--json-schema", "FILE",
     "check values against the JSON Schema in this file (2020-12,\n"
     "2019-09 or draft-07) instead",
     OPTION_WORD(settings, schema)},
    {"--schema", "FILE",
     "check by this schema of the protocol, as the specification\n"
     "publishes it (schema.json), which this build need not know",
     OPTION_WORD(settings, protocol)},
    {"--like", "R",
     "the revision that says which result a method has, with\n"
     "--schema (default: the nearest, which is named)",
     OPTION_WORD(settings, like)},
    {"--overlay", "OVERLAY",
     "put this overlay on top of its revision: one of mcpwire's, or\n"
     "the file of one, or the schema of an extension; repeatable",
     OPTION_BY(overlay_take, settings, overlays)},
    {"--ndjson", NULL, "a value a line; without it a file is one value", OPTION_FLAG(settings, check.ndjson)},
    {"--message", "POINTER",
     "where the message stands in a line that holds more, as a\n"
     "JSON pointer (/message)",
     OPTION_BY(take_pointer, settings, check.message)},
    {"--split", "POINTER",
     "what tells the sessions of a file apart: the place of their\n"
     "name in a line (/session)",
     OPTION_BY(take_pointer, settings, check.split)},
    {"--all-errors", NULL, "report every error of a value, not only the first",
     OPTION_FLAG(settings, check.all_errors)},
    {"--errors-only", NULL, "report no valid values and no notes",
     OPTION_FLAG(settings, check.report.errors_only)},
    {"--strict", NULL,
     "refuse also what only the specification's prose forbids; with\n"
     "a schema, what breaks a format, and members that occur twice",
     OPTION_FLAG(settings, check.strict)},
    {"--format", "F",
     "text (default), json: an object a value, github: annotations\n"
     "of a workflow, junit: XML, or html: a page that shows them",
     OPTION_BY(report_take_format, settings, check.report.format)},
    {"--redact", NULL, "leave the values of messages out of the page of html",
     OPTION_FLAG(settings, check.report.redacts)},
    {"--quiet", NULL, "no report, only the exit status", OPTION_FLAG(settings, check.report.quiet)},
    {"--max-bytes", "N", "longest value, in bytes (default 64M)",
     OPTION_NUMBER(settings, check.max_bytes, 1, SIZE_MAX)},
    {"--max-depth", "N", "deepest nesting (default 128)",
     OPTION_NUMBER(settings, check.max_depth, 1, MCPW_MAX_DEPTH)},
    {"--max-open", "N", "most requests to remember until their response\n(default 1000000)",
     OPTION_NUMBER(settings, check.max_open, 0, MAX_MAX_OPEN)},
    {"--help", NULL, "show this text", OPTION_FLAG(settings, help)},
};

enum { OPTIONS = sizeof options / sizeof *options };

/* ---- arguments ---- */

static int print_help(void) {
    options_explain("usage: mcpwire validate [OPTION...] FILE...\n"
                    "\n"
                    "Checks that each value is a valid message of the Model Context Protocol, or,\n"
                    "with --type, a valid value of that type, or, with --json-schema, one that the schema\n"
                    "accepts. With --schema the messages or values are those of that revision of the\n"
                    "protocol. A FILE named - is standard input, one that is a URL (http, https) is read\n"
                    "from there.\n"
                    "A response is checked by the request that it answers, if that stands before it in\n"
                    "the same session, else as an envelope. Files that mcpwire tap has recorded are\n"
                    "recognised, and compressed ones (gzip) are unpacked.\n",
                    options, OPTIONS);
    text out = TEXT_INIT;
    text_format(&out, "\ndefault: auto; with --type %s\n", mcpw_revision_name(tool_default_revision()));
    text_add(&out, "\n"
                   "exit status: 0 all values are valid, 1 a value is invalid or a file holds none, 2 usage\n"
                   "or input error\n"
                   "\n"
                   "examples:\n"
                   "  mcpwire validate --ndjson session.ndjson\n"
                   "  mcpwire validate --revision 2025-11-25 --type CallToolResult result.json\n"
                   "  mcpwire validate --json-schema tool.json --all-errors arguments.json\n"
                   "  mcpwire validate --schema schema.json --like 2026-07-28 --ndjson session.ndjson\n"
                   "  mcpwire validate --overlay extension.json --ndjson session.ndjson\n"
                   "  mcpwire validate --ndjson --split /session --message /message proxy.log.gz\n"
                   "  server | mcpwire validate --ndjson --all-errors --format json -\n");
    return tool_print(&out);
}

static bool has_files(const settings *set) {
    if (set->file_count == 0) {
        tool_complain("validate needs a file; - is standard input, \"mcpwire validate --help\" explains");
        return false;
    }
    return input_is_read_once(set->files, set->file_count);
}

/* Checks that the options can be combined. */
static bool agrees(const settings *set) {
    if (set->check.split != NULL && (!set->check.ndjson || set->type != NULL || set->schema != NULL)) {
        tool_complain("--split is for messages, one a line: it needs --ndjson, and excludes --type");
        return false;
    }
    if (set->check.report.redacts && set->check.report.format != REPORT_HTML) {
        tool_complain("--redact is for --format html");
        return false;
    }
    if (set->schema != NULL && (set->type != NULL || set->revision != NULL)) {
        tool_complain("--json-schema is for any JSON: it excludes %s",
                      set->type != NULL ? "--type" : "--revision");
        return false;
    }
    if (set->protocol != NULL && (set->schema != NULL || set->revision != NULL)) {
        tool_complain("--schema is a revision of its own: it excludes %s",
                      set->schema != NULL ? "--json-schema" : "--revision");
        return false;
    }
    if (set->overlays.count != 0 && (set->protocol != NULL || set->schema != NULL)) {
        tool_complain("--overlay is put on a revision of this build: it excludes %s",
                      set->protocol != NULL ? "--schema" : "--json-schema");
        return false;
    }
    if (set->types && (set->protocol != NULL || set->schema != NULL || set->type != NULL)) {
        tool_complain("--types lists those of a revision or an overlay: it excludes %s",
                      set->type != NULL       ? "--type"
                      : set->protocol != NULL ? "--schema"
                                              : "--json-schema");
        return false;
    }
    if (set->like != NULL && (set->protocol == NULL || set->type != NULL)) {
        tool_complain("--like is for messages that are checked by --schema");
        return false;
    }
    return true;
}

static bool read_arguments(settings *set, int argc, char **argv) {
    option_reader reader = options_begin(options, OPTIONS, argc, argv);
    return options_read(&reader, set, set->files, &set->file_count) &&
           (set->help || ((set->types || has_files(set)) && agrees(set)));
}

static bool find_revision(settings *set) {
    const bool told = set->revision != NULL && strcmp(set->revision, "auto") != 0;
    const bool by_type = set->type != NULL;
    if (set->schema != NULL) {
        return true;
    }
    if (by_type && set->revision != NULL && !told) {
        tool_complain("--revision auto is for messages: a value of a type does not name its revision");
        return false;
    }
    set->check.report.with_revisions = !told && !by_type;
    set->check.revision = told ? tool_find_revision(set->revision) : by_type ? tool_default_revision() : NULL;
    return !told || set->check.revision != NULL;
}

static const char *definition_name(const void *revision, size_t index) {
    return mcpw_type_name(mcpw_type_at(revision, index));
}

/* The newest revision that has the type; NULL: none has. */
static const char *other_revision(const char *type) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    while (count-- > 0) {
        if (mcpw_revision_type(all[count], type) != NULL) {
            return mcpw_revision_name(all[count]);
        }
    }
    return NULL;
}

static bool find_type(settings *set) {
    const char *const name = set->type;
    const mcpw_revision *const revision = set->check.revision;
    char near[SUGGEST_SIZE];
    if (name == NULL) {
        return true;
    }
    set->check.type = mcpw_revision_type(revision, name);
    if (set->check.type != NULL) {
        return true;
    }
    const char *const other = other_revision(name);
    if (other != NULL) {
        tool_complain("revision %s has no type \"%s\"; revision %s has it", mcpw_revision_name(revision),
                      name, other);
    } else if (suggest(near, name, revision, mcpw_type_count(revision), definition_name)) {
        tool_complain("revision %s has no type \"%s\"; did you mean %s?", mcpw_revision_name(revision), name,
                      near);
    } else {
        tool_complain("revision %s has no type \"%s\"; types are the definitions of its schema",
                      mcpw_revision_name(revision), name);
    }
    return false;
}

/* ---- a schema of the protocol ---- */

static const char *name_in_schema(const void *schema, size_t index) {
    return ((const protocol *)schema)->definitions[index].name.ptr;
}

static int check_type(settings *set, const protocol *p, const char *file) {
    const protocol_definition *const found = protocol_find(p, set->type, strlen(set->type));
    char near[SUGGEST_SIZE];
    if (found == NULL) {
        const bool has_near = suggest(near, set->type, p, p->definition_count, name_in_schema);
        tool_complain("%s has no definition \"%s\"%s%s%s", file, set->type, has_near ? "; did you mean " : "",
                      has_near ? near : "", has_near ? "?" : "");
        return TOOL_FAILED;
    }
    mcpw_schema *const schema = protocol_compile(p, found);
    if (schema == NULL) {
        return TOOL_FAILED;
    }
    set->check.schema = schema;
    const int status = check_files(&set->check, set->files, set->file_count);
    json_schema_free(schema);
    return status;
}

static int check_messages(settings *set, protocol *p) {
    const mcpw_revision *const like = set->like != NULL ? tool_find_revision(set->like) : NULL;
    if ((set->like != NULL && like == NULL) || !protocol_find_methods(p, like)) {
        return TOOL_FAILED;
    }
    if (like == NULL && !set->check.report.quiet) {
        tool_complain("%s: methods have the results of %s, the nearest revision (--like names another)",
                      set->protocol, mcpw_revision_name(p->like));
    }
    if (p->without_result != 0 && !set->check.report.quiet) {
        tool_complain("%s: results without a definition are checked only as objects: %zu, such as that of "
                      "%.*s",
                      set->protocol, p->without_result, (int)p->first_without.len, p->first_without.ptr);
    }
    const exchange_schema checks = protocol_checks(p);
    check_settings how = set->check;
    how.messages = &checks;
    how.revision = p->like;
    return check_files(&how, set->files, set->file_count);
}

static int run_by_protocol(settings *set) {
    protocol p;
    int status = TOOL_FAILED;
    if (protocol_open(&p, set->protocol, set->check.strict)) {
        status = set->type != NULL ? check_type(set, &p, set->protocol) : check_messages(set, &p);
    }
    protocol_close(&p);
    return status;
}

static int list_types(settings *set) {
    const bool told = set->revision != NULL && strcmp(set->revision, "auto") != 0;
    const mcpw_revision *revision = told ? tool_find_revision(set->revision) : tool_default_revision();
    const size_t count = revision != NULL ? mcpw_type_count(revision) : 0;
    overlays *all = NULL;
    const protocol *p = NULL;
    if (set->overlays.count != 0) {
        set->overlays.by_name = true;
        all = overlays_open(&set->overlays);
        p = all != NULL ? overlays_schema(all, &revision) : NULL;
    }
    const bool good = revision != NULL && (p != NULL || set->overlays.count == 0);
    text out = TEXT_INIT;
    for (size_t i = 0; good && p == NULL && i < count; i++) {
        text_add(&out, mcpw_type_name(mcpw_type_at(revision, i)));
        text_add(&out, "\n");
    }
    for (size_t i = 0; p != NULL && i < p->definition_count; i++) {
        text_safe(&out, p->definitions[i].name.ptr, p->definitions[i].name.len);
        text_add(&out, "\n");
    }
    overlays_free(all);
    return good ? tool_print(&out) : TOOL_FAILED;
}

/* Checks values of a definition that an overlay adds or changes. */
static int check_type_of_overlay(settings *set) {
    set->overlays.by_name = true;
    overlays *const all = overlays_open(&set->overlays);
    const mcpw_revision *base = NULL;
    const protocol *const p = all != NULL ? overlays_schema(all, &base) : NULL;
    int status = TOOL_FAILED;
    if (p != NULL) {
        set->check.revision = base;
        status = check_type(set, p, set->overlays.given[0]);
    }
    overlays_free(all);
    return status;
}

/* Checks messages by a revision, or by the revisions that they name. */
static int check_by_revision(settings *set) {
    const bool is_auto = set->check.revision == NULL;
    overlays *all = NULL;
    set->overlays.with_own = is_auto;
    if (set->type == NULL && (is_auto || set->overlays.count != 0)) {
        all = overlays_open(&set->overlays);
        if (all == NULL) {
            return TOOL_FAILED;
        }
    }
    set->check.overlays = all;
    const int status = check_files(&set->check, set->files, set->file_count);
    overlays_free(all);
    return status;
}

static int run(settings *set, int argc, char **argv) {
    if (!read_arguments(set, argc, argv)) {
        return TOOL_FAILED;
    }
    if (set->help) {
        return print_help();
    }
    if (set->types) {
        return list_types(set);
    }
    if (set->protocol != NULL) {
        return run_by_protocol(set);
    }
    set->overlays.strict = set->check.strict;
    if (set->type != NULL && set->overlays.count != 0) {
        return check_type_of_overlay(set);
    }
    if (!find_revision(set) || !find_type(set)) {
        return TOOL_FAILED;
    }
    if (set->schema == NULL) {
        return check_by_revision(set);
    }
    mcpw_schema *const schema = json_schema_open(set->schema, set->check.strict);
    if (schema == NULL) {
        return TOOL_FAILED;
    }
    set->check.schema = schema;
    const int status = check_files(&set->check, set->files, set->file_count);
    json_schema_free(schema);
    return status;
}

int validate_run(int argc, char **argv) {
    settings set;
    memset(&set, 0, sizeof set);
    set.check.max_bytes = MCPW_DEFAULT_BYTES;
    set.check.max_depth = MCPW_DEFAULT_DEPTH;
    set.check.max_open = DEFAULT_MAX_OPEN;
    set.files = calloc((size_t)argc, sizeof *set.files);
    if (set.files == NULL) {
        tool_complain("out of memory");
        return TOOL_FAILED;
    }
    const int status = run(&set, argc, argv);
    free(set.files);
    return status;
}
