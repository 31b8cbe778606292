/* SPDX-License-Identifier: MIT */
/*
 * The exports of mcpwire.wasm. Each command is called as the program calls it: argv[0] is its name, and its
 * files are the texts that the host opens by name. It returns the exit status; the output goes to host_write
 * while it runs.
 */
#include "../text.h"
#include "host.h"
#include "look.h"
#include "overlay.h"
#include "tool.h"

#include <mcpw/codec.h>

#include <stdlib.h>

#define EXPORT(function) __attribute__((export_name("mcpwire_" #function)))

/* Memory of the module for arguments; NULL: there is none left. The host frees it. */
EXPORT(alloc) void *module_alloc(size_t size);
EXPORT(free) void module_free(void *memory);
EXPORT(validate) int module_validate(int argc, char **argv);
EXPORT(convert) int module_convert(int argc, char **argv);
EXPORT(report) int module_report(int argc, char **argv);
/* Writes an object with the version, the revisions, the default one and the overlays. */
EXPORT(about) int module_about(void);

void *module_alloc(size_t size) { return malloc(size); }

void module_free(void *memory) { free(memory); }

int module_validate(int argc, char **argv) { return validate_run(argc, argv); }

int module_convert(int argc, char **argv) { return convert_run(argc, argv); }

int module_report(int argc, char **argv) { return look_run(argc, argv); }

/* Adds a list of the names that a text has between blanks. */
static void put_names(text *out, const char *name, const text *words) {
    text_format(out, ",\"%s\":[", name);
    for (size_t i = 0, begin = 0; i <= words->buffer.len; i++) {
        if (i == words->buffer.len || words->buffer.data[i] == ' ') {
            text_add(out, begin != 0 ? "," : "");
            text_json(out, words->buffer.data + begin, i - begin);
            begin = i + 1;
        }
    }
    text_add(out, "]");
}

int module_about(void) {
    text out = TEXT_INIT;
    text revisions = TEXT_INIT;
    text overlays = TEXT_INIT;
    tool_list_revisions(&revisions, " ");
    overlays_list_names(&overlays, " ");
    text_add(&out, "{\"version\":\"" MCPWIRE_VERSION "\"");
    put_names(&out, "revisions", &revisions);
    put_names(&out, "overlays", &overlays);
    text_add(&out, ",\"defaultRevision\":");
    const mcpw_str name = mcpw_str_from(mcpw_revision_name(tool_default_revision()));
    text_json(&out, name.ptr, name.len);
    text_add(&out, "}\n");
    text_free(&revisions);
    text_free(&overlays);
    return tool_print(&out);
}
