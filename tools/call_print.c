/* SPDX-License-Identifier: MIT */
#include "call.h"

#include <mcpw/codec.h>
#include <mcpw/server.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { INDENT = 4 };

static mcpw_str words_of(caller *c, mcpw_json object, const char *name) {
    return glance_string(object, name, &c->arena);
}

static void print_words(text *out, mcpw_str words) {
    text_bytes(out, words.ptr != NULL ? words.ptr : "", words.len);
}

static bool write_out(const text *out) {
    errno = 0;
    if (out->lost) {
        tool_complain("out of memory");
        return false;
    }
    if (out->buffer.len != 0 &&
        (fwrite(out->buffer.data, 1, out->buffer.len, stdout) != out->buffer.len || fflush(stdout) != 0)) {
        tool_complain_output(errno);
        return false;
    }
    return true;
}

bool print_flush(const caller *c, text *out) {
    text safe = TEXT_INIT;
    if (c->on_terminal && out->buffer.len != 0) {
        (c->json ? text_safe_json : text_safe_lines)(&safe, out->buffer.data, out->buffer.len);
        safe.lost = safe.lost || out->lost;
    }
    const bool written = write_out(c->on_terminal ? &safe : out);
    text_free(&safe);
    text_clear(out);
    return written;
}

/* Prints every line, indented. */
static void print_indented(text *out, mcpw_str words) {
    while (words.ptr != NULL && words.len != 0) {
        const char *const end = memchr(words.ptr, '\n', words.len);
        const mcpw_str line = {words.ptr, end != NULL ? (size_t)(end - words.ptr) : words.len};
        if (line.len != 0) {
            text_format(out, "%*s", INDENT, "");
            print_words(out, line);
        }
        text_add(out, "\n");
        words.ptr += line.len + (end != NULL ? 1U : 0U);
        words.len -= line.len + (end != NULL ? 1U : 0U);
    }
}

/* Prints the description, or else the title. */
static void print_about(caller *c, text *out, mcpw_json thing) {
    const mcpw_str description = words_of(c, thing, "description");
    print_indented(out, description.ptr != NULL ? description : words_of(c, thing, "title"));
}

static void print_line(text *out, const char *label, mcpw_str words) {
    if (words.ptr != NULL) {
        text_add(out, label);
        print_words(out, words);
        text_add(out, "\n");
    }
}

/* ---- lists ---- */

static void print_argument_descriptions(text *out, schema *s) {
    mcpw_json_iter it;
    mcpw_json key = {NULL, 0, 0};
    mcpw_json value = {NULL, 0, 0};
    mcpw_str name = {NULL, 0};
    if (mcpw_json_iterate(glance_member(s->root, "properties"), &it) != MCPW_OK) {
        return;
    }
    while (mcpw_json_next(&it, &key, &value)) {
        const mcpw_str description = schema_about(s, value);
        if (description.ptr != NULL && mcpw_json_string(key, s->arena, &name) == MCPW_OK) {
            text_format(out, "%*s", INDENT, "");
            print_words(out, name);
            print_line(out, ": ", description);
        }
    }
}

void print_tool(caller *c, text *out, mcpw_json tool) {
    mcpw_json_iter it;
    mcpw_json key = {NULL, 0, 0};
    mcpw_json value = {NULL, 0, 0};
    mcpw_str name = {NULL, 0};
    size_t count = 0;
    schema s;
    schema_begin(&s, glance_member(tool, "inputSchema"), &c->arena);
    print_words(out, words_of(c, tool, "name"));
    text_add(out, "(");
    if (mcpw_json_iterate(glance_member(s.root, "properties"), &it) == MCPW_OK) {
        while (mcpw_json_next(&it, &key, &value) && mcpw_json_string(key, &c->arena, &name) == MCPW_OK) {
            text_add(out, count++ != 0 ? ", " : "");
            print_words(out, name);
            text_add(out, schema_requires(&s, name) ? ": " : "?: ");
            schema_describe(out, &s, value);
        }
    }
    text_add(out, ")\n");
    print_about(c, out, tool);
    print_argument_descriptions(out, &s);
    schema_free(&s);
}

void print_prompt(caller *c, text *out, mcpw_json prompt) {
    mcpw_json_iter it;
    mcpw_json argument = {NULL, 0, 0};
    bool required = false;
    size_t count = 0;
    print_words(out, words_of(c, prompt, "name"));
    text_add(out, "(");
    if (mcpw_json_iterate(glance_member(prompt, "arguments"), &it) == MCPW_OK) {
        while (mcpw_json_next(&it, NULL, &argument)) {
            const bool needed = mcpw_json_get_bool(argument, "required", &required) == MCPW_OK && required;
            text_add(out, count++ != 0 ? ", " : "");
            print_words(out, words_of(c, argument, "name"));
            text_add(out, needed ? "" : "?");
        }
    }
    text_add(out, ")\n");
    print_about(c, out, prompt);
}

void print_resource(caller *c, text *out, mcpw_json resource) {
    const mcpw_str uri = words_of(c, resource, "uri");
    const mcpw_str name = words_of(c, resource, "name");
    const mcpw_str type = words_of(c, resource, "mimeType");
    print_words(out, uri.ptr != NULL ? uri : words_of(c, resource, "uriTemplate"));
    text_add(out, "  ");
    print_words(out, name);
    if (type.ptr != NULL) {
        text_add(out, " (");
        print_words(out, type);
        text_add(out, ")");
    }
    text_add(out, "\n");
    print_about(c, out, resource);
}

/* ---- content ---- */

/* Prints text as a paragraph. */
static void print_paragraph(text *out, mcpw_str words) {
    print_words(out, words);
    if (words.ptr == NULL || words.len == 0 || words.ptr[words.len - 1] != '\n') {
        text_add(out, "\n");
    }
}

/* The number of bytes that base64 text decodes to; 0: it is invalid. */
static size_t decoded_size(caller *c, mcpw_str base64) {
    mcpw_str bytes = {NULL, 0};
    return base64.ptr != NULL && mcpw_base64_decode(&c->arena, base64, &bytes) == MCPW_OK ? bytes.len : 0;
}

/* Describes binary content: [image image/png, 1234 bytes]. */
static void describe(caller *c, text *out, mcpw_str kind, mcpw_json block, const char *data) {
    const mcpw_str type = words_of(c, block, "mimeType");
    const mcpw_str uri = words_of(c, block, "uri");
    text_add(out, "[");
    print_words(out, kind);
    if (uri.ptr != NULL) {
        text_add(out, " ");
        print_words(out, uri);
    }
    if (type.ptr != NULL) {
        text_add(out, " ");
        print_words(out, type);
    }
    if (data != NULL && glance_member(block, data).ptr != NULL) {
        text_format(out, ", %zu bytes", decoded_size(c, words_of(c, block, data)));
    }
    text_add(out, "]\n");
}

/* True if content is of a kind that only a model's messages have. */
static bool is_of_model(mcpw_str kind) {
    return mcpw_str_is(kind, "tool_use") || mcpw_str_is(kind, "tool_result");
}

static void print_block(caller *c, text *out, mcpw_json block) {
    const mcpw_str kind = words_of(c, block, "type");
    if (mcpw_str_is(kind, "text")) {
        print_paragraph(out, words_of(c, block, "text"));
    } else if (mcpw_str_is(kind, "resource")) {
        const mcpw_json resource = glance_member(block, "resource");
        const mcpw_str words = words_of(c, resource, "text");
        describe(c, out, kind, resource, "blob");
        if (words.ptr != NULL) {
            print_paragraph(out, words);
        }
    } else if (mcpw_str_is(kind, "image") || mcpw_str_is(kind, "audio") ||
               mcpw_str_is(kind, "resource_link") || is_of_model(kind)) {
        describe(c, out, kind, block, "data");
    } else {
        text_add(out, "[unknown content] ");
        print_paragraph(out, (mcpw_str){block.ptr, block.len});
    }
}

/* Prints one block or an array of them. */
static size_t print_blocks(caller *c, text *out, mcpw_json content) {
    mcpw_json_iter it;
    mcpw_json block = {NULL, 0, 0};
    size_t count = 0;
    if (mcpw_json_kind_of(content) != MCPW_JSON_ARRAY) {
        print_block(c, out, content);
        return 1;
    }
    if (mcpw_json_iterate(content, &it) == MCPW_OK) {
        while (mcpw_json_next(&it, NULL, &block)) {
            print_block(c, out, block);
            count++;
        }
    }
    return count;
}

void print_content(caller *c, text *out, mcpw_json result) {
    const mcpw_json structured = glance_member(result, "structuredContent");
    const mcpw_json content = glance_member(result, "content");
    const size_t blocks = content.ptr != NULL ? print_blocks(c, out, content) : 0;
    if (blocks == 0 && structured.ptr != NULL) { /* content usually repeats it for people */
        const mcpw_str words = {structured.ptr, structured.len};
        print_paragraph(out, words);
    }
}

void print_messages(caller *c, text *out, mcpw_json result) {
    mcpw_json_iter it;
    mcpw_json message = {NULL, 0, 0};
    if (mcpw_json_iterate(glance_member(result, "messages"), &it) != MCPW_OK) {
        return;
    }
    while (mcpw_json_next(&it, NULL, &message)) {
        print_words(out, words_of(c, message, "role"));
        text_add(out, ": ");
        (void)print_blocks(c, out, glance_member(message, "content"));
    }
}

void print_contents(caller *c, text *out, mcpw_json result) {
    mcpw_json_iter it;
    mcpw_json item = {NULL, 0, 0};
    mcpw_str bytes = {NULL, 0};
    const mcpw_str kind = mcpw_str_from("resource");
    if (mcpw_json_iterate(glance_member(result, "contents"), &it) != MCPW_OK) {
        return;
    }
    while (mcpw_json_next(&it, NULL, &item)) {
        const mcpw_str words = words_of(c, item, "text");
        const mcpw_str blob = words_of(c, item, "blob");
        if (words.ptr != NULL && !c->on_terminal) {
            text_bytes(out, words.ptr, words.len);
        } else if (words.ptr != NULL) {
            print_paragraph(out, words);
        } else if (!c->on_terminal && blob.ptr != NULL &&
                   mcpw_base64_decode(&c->arena, blob, &bytes) == MCPW_OK) {
            text_bytes(out, bytes.ptr, bytes.len);
        } else {
            describe(c, out, kind, item, "blob");
        }
    }
}

void print_server(caller *c, text *out) {
    const mcpw_session *const session = c->link.session;
    const mcpw_json info = mcpw_session_peer_info(session);
    const mcpw_json capabilities = mcpw_session_peer_capabilities(session);
    const mcpw_str instructions = mcpw_session_instructions(session);
    const mcpw_str declared = {capabilities.ptr, capabilities.len};
    if (c->json) {
        const mcpw_str whole = {info.ptr != NULL ? info.ptr : "null", info.ptr != NULL ? info.len : 4};
        text_format(out, "{\"revision\":\"%s\",\"serverInfo\":", mcpw_revision_name(c->revision));
        text_bytes(out, whole.ptr, whole.len);
        text_add(out, ",\"capabilities\":");
        text_bytes(out, declared.ptr != NULL ? declared.ptr : "{}", declared.ptr != NULL ? declared.len : 2);
        if (instructions.ptr != NULL) {
            text_add(out, ",\"instructions\":");
            text_json(out, instructions.ptr, instructions.len);
        }
        text_add(out, "}\n");
        return;
    }
    print_line(out, "name: ", words_of(c, info, "name"));
    print_line(out, "title: ", words_of(c, info, "title"));
    print_line(out, "version: ", words_of(c, info, "version"));
    print_line(out, "revision: ", mcpw_str_from(mcpw_revision_name(c->revision)));
    print_line(out, "capabilities: ", declared);
    print_line(out, "instructions: ", instructions);
}
