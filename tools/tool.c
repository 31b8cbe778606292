/* SPDX-License-Identifier: MIT */
#include "console.h"
#include "text.h"

#include <mcpw/codec.h>
#include <mcpw/detail/catalogue.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tool_complain(const char *fmt, ...) {
    text line = TEXT_INIT;
    va_list args;
    va_start(args, fmt);
    const int len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *const words = len >= 0 ? malloc((size_t)len + 1) : NULL;
    text_add(&line, "mcpwire: ");
    if (words != NULL) {
        va_start(args, fmt);
        (void)vsnprintf(words, (size_t)len + 1, fmt, args);
        va_end(args);
        text_safe(&line, words, (size_t)len);
        free(words);
    } else {
        text_add(&line, "out of memory");
    }
    text_add(&line, "\n");
    text_write_stderr(&line);
    text_free(&line);
}

const mcpw_revision *tool_default_revision(void) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    for (size_t i = 0; i < count; i++) {
        if (mcpw_revision_number(all[i]) == MCPW_PIN) {
            return all[i];
        }
    }
    return all[count - 1]; /* a build contains its pinned revision; otherwise the newest is the best guess */
}

void tool_list_revisions(text *out, const char *separator) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    for (size_t i = 0; i < count; i++) {
        text_add(out, i != 0 ? separator : "");
        text_add(out, mcpw_revision_name(all[i]));
    }
}

const mcpw_revision *tool_find_revision(const char *name) {
    const mcpw_revision *const found = mcpw_find_revision(name);
    if (found == NULL) {
        text held = TEXT_INIT;
        tool_list_revisions(&held, ", ");
        text_bytes(&held, "", 1);
        tool_complain("there is no revision \"%s\"; this build has %s", name,
                      held.lost ? "others" : held.buffer.data);
        text_free(&held);
    }
    return found;
}

void tool_complain_output(int error) {
    if (error != EPIPE) {
        tool_complain("cannot write to standard output: %s", strerror(error));
    }
}

int tool_print(text *t) {
    const int error = console_write(t);
    text_free(t);
    if (error != 0) {
        tool_complain_output(error);
        return TOOL_FAILED;
    }
    return tool_finish_output();
}

int tool_finish_output(void) {
    const int error = console_flush();
    if (error != 0) {
        tool_complain_output(error);
    }
    return error != 0 ? TOOL_FAILED : TOOL_OK;
}
