/* SPDX-License-Identifier: MIT */
/*
 * The `ui` in the _meta of a server's tools and pages, as a host reads it: refused with a place and a reason,
 * or within its bounds, and whatever origins a page names, its content security policy has the directives
 * that it must have, each once, and no source that a second reading does not take for an origin.
 *
 * The first byte says which: 0 the rest is the _meta of a tool, 1 of a page, 2 lists of origins for the four
 * members, with a zero byte between them.
 */
#include "fuzz.h"

#include <mcpw/apps.h>
#include <mcpw/json.h>

enum { TOOL, PAGE, LISTS, KINDS, BOTH = MCPW_VISIBLE_TO_MODEL | MCPW_VISIBLE_TO_APP };
enum {
    ALL_PERMISSIONS =
        MCPW_PAGE_CAMERA | MCPW_PAGE_MICROPHONE | MCPW_PAGE_GEOLOCATION | MCPW_PAGE_CLIPBOARD_WRITE
};

static const char *const directives[] = {"default-src", "script-src", "style-src",   "img-src",
                                         "font-src",    "media-src",  "connect-src", "frame-src",
                                         "base-uri",    "object-src", "form-action"};
enum { DIRECTIVES = sizeof directives / sizeof *directives };

static bool is_one_of(mcpw_str word, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (mcpw_str_is(word, words[i])) {
            return true;
        }
    }
    return false;
}

/* By its characters alone: none of them ends a source, a directive, a policy or a header. */
static bool is_source(mcpw_str word) {
    static const char *const keywords[] = {"'none'", "'self'", "'unsafe-inline'", "data:"};
    if (is_one_of(word, keywords, sizeof keywords / sizeof *keywords)) {
        return true;
    }
    for (size_t i = 0; i < word.len; i++) {
        const char c = word.ptr[i];
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!is_letter && (c == '\0' || strchr(":/.-*[]", c) == NULL)) {
            return false;
        }
    }
    const bool is_plain = word.len >= sizeof "ws://a" - 1 &&
                          (memcmp(word.ptr, "http", 4) == 0 || memcmp(word.ptr, "ws", 2) == 0);
    const char *const star = memchr(word.ptr, '*', word.len); /* only in front of a dot, after the slashes */
    return is_plain &&
           (star == NULL || (star[-1] == '/' && star[1] == '.' &&
                             memchr(star + 1, '*', word.len - (size_t)(star + 1 - word.ptr)) == NULL));
}

/* The next piece up to a separator; false: there is none. */
static bool next_piece(mcpw_str *text, char separator, mcpw_str *piece) {
    if (text->ptr == NULL) {
        return false;
    }
    const char *const end = memchr(text->ptr, separator, text->len);
    *piece = (mcpw_str){text->ptr, end != NULL ? (size_t)(end - text->ptr) : text->len};
    text->len -= piece->len + (end != NULL);
    text->ptr = end != NULL ? end + 1 : NULL;
    return true;
}

static size_t number_of(mcpw_str directive) {
    size_t i = 0;
    while (i < DIRECTIVES && !mcpw_str_is(directive, directives[i])) {
        i++;
    }
    return i;
}

static void check_policy(mcpw_str policy) {
    bool seen[DIRECTIVES] = {false};
    mcpw_str directive;
    size_t count = 0;
    while (next_piece(&policy, ';', &directive)) {
        mcpw_str word;
        size_t words = 0;
        while (next_piece(&directive, ' ', &word)) {
            if (word.len == 0) {
                FUZZ_ASSERT(words == 0); /* after the semicolon */
                continue;
            }
            if (words++ == 0) {
                const size_t number = number_of(word);
                FUZZ_ASSERT(number < DIRECTIVES && !seen[number]);
                seen[number] = true;
            } else {
                FUZZ_ASSERT(is_source(word));
            }
        }
        FUZZ_ASSERT(words > 1);
        count++;
    }
    FUZZ_ASSERT(count == DIRECTIVES);
}

static void check_refusal(mcpw_status status, const mcpw_error *error) {
    FUZZ_ASSERT(status == MCPW_E_NOT_FOUND || status == MCPW_E_TYPE || status == MCPW_E_VALUE ||
                status == MCPW_E_FORMAT);
    fuzz_check_error(status, error);
}

static void check_tool(mcpw_json meta, mcpw_arena *arena) {
    mcpw_error error = {0};
    mcpw_tool_ui ui = MCPW_SIZED(mcpw_tool_ui);
    const mcpw_status status = mcpw_tool_ui_read(meta, arena, &ui, &error);
    if (status != MCPW_OK) {
        check_refusal(status, &error);
        return;
    }
    FUZZ_ASSERT(ui.visibility != 0 && (ui.visibility & ~(unsigned)BOTH) == 0);
    FUZZ_ASSERT(ui.resource_uri == NULL || strncmp(ui.resource_uri, "ui://", strlen("ui://")) == 0);
}

static void check_page(mcpw_json meta, mcpw_arena *arena) {
    mcpw_error error = {0};
    mcpw_str policy;
    mcpw_page_ui ui = MCPW_SIZED(mcpw_page_ui);
    const mcpw_status status = mcpw_page_ui_read(meta, arena, &ui, &error);
    if (status != MCPW_OK) {
        check_refusal(status, &error);
        return;
    }
    FUZZ_ASSERT((ui.permissions & ~(unsigned)ALL_PERMISSIONS) == 0);
    FUZZ_SAME(mcpw_page_policy(&ui, arena, &policy, &error), MCPW_OK, "what is read has a policy");
    check_policy(policy);
}

static void check_lists(fuzz_in *in, mcpw_arena *arena) {
    mcpw_error error = {0};
    mcpw_str policy;
    mcpw_page_ui ui = MCPW_SIZED(mcpw_page_ui);
    const char **const members[] = {&ui.connect_domains, &ui.resource_domains, &ui.frame_domains,
                                    &ui.base_uri_domains};
    for (size_t i = 0; i < sizeof members / sizeof *members && in->left != 0; i++) {
        const uint8_t *const end = memchr(in->at, 0, in->left);
        const mcpw_str list = fuzz_take(in, end != NULL ? (size_t)(end - in->at) : in->left);
        (void)fuzz_byte(in);
        char *const text = mcpw_arena_alloc(arena, list.len + 1);
        FUZZ_ASSERT(text != NULL);
        memcpy(text, list.ptr, list.len);
        text[list.len] = '\0';
        *members[i] = text;
    }
    const mcpw_status status = mcpw_page_policy(&ui, arena, &policy, &error);
    if (status == MCPW_OK) {
        check_policy(policy);
    } else {
        FUZZ_SAME(status, MCPW_E_FORMAT, "a list is refused");
        fuzz_check_error(status, &error);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_in in = {data, size};
    mcpw_arena arena = MCPW_ARENA_INIT;
    const unsigned kind = fuzz_byte(&in) % KINDS;
    char *const text = fuzz_copy((const char *)in.at, in.left);
    mcpw_json meta = mcpw_json_of(text, in.left);
    if (kind == LISTS) {
        check_lists(&in, &arena);
    } else if (mcpw_json_check(meta, 0, NULL) == MCPW_OK) { /* as in each message that is decoded */
        (kind == TOOL ? check_tool : check_page)(meta, &arena);
    }
    free(text);
    mcpw_arena_free(&arena);
    return 0;
}
