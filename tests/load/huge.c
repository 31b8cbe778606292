/* SPDX-License-Identifier: MIT */
/*
 * Texts that are too large: a line of 1 GB, ten million elements, a megabyte of digits. Each is handled, or
 * refused with the status that says why, and takes no more memory than the limits allow.
 */
#include <mcpw/frame.h>
#include <mcpw/json.h>
#include <mcpw/server.h>

#include <stdlib.h>

#include "memory.h"

enum { MIB = 1 << 20, KIB = 1024, CHUNK = 1 << 16, GIB_CHUNKS = 1 << 14, MILLIONS = 10000000, SKIPPED = 77 };

static int failures = 0;

static void check(bool good, const char *what, const char *why) {
    if (!good) {
        (void)fprintf(stderr, "%s: %s\n", what, why);
        failures++;
    }
}

/* Says what came of it and how much memory was used at most, beyond `before` KiB. */
static void told(const char *what, mcpw_status status, long before, size_t most_mib) {
    const long used = memory_kib("VmHWM:") - before;
    printf("%s: %s, %ld MiB\n", what, mcpw_status_name(status), used / KIB);
    check(used <= (long)(most_mib * KIB), what, "takes too much memory");
}

static long mark(void) {
    (void)memory_forget_peak();
    return memory_kib("VmRSS:");
}

/* ---- A line of 1 GB -------------------------------------------------------------------------------------
 */

static void feed_gigabyte(mcpw_session *session, const char *text, const char *what) {
    static char chunk[CHUNK];
    const char *out = NULL;
    const long before = mark();
    const size_t len = strlen(text);
    for (size_t i = 0; i < sizeof chunk; i++) {
        chunk[i] = text[i % len];
    }
    mcpw_status status = MCPW_OK;
    for (int i = 0; i < GIB_CHUNKS && status == MCPW_OK; i++) {
        status = mcpw_session_feed(session, chunk, sizeof chunk);
    }
    told(what, status, before, 256);
    mcpw_session_sent(session, mcpw_session_output(session, &out));
    static const char ping[] = "\n{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"ping\"}\n";
    check(mcpw_session_feed(session, ping, sizeof ping - 1) == MCPW_OK, what, "ends the session");
    const size_t answered = mcpw_session_output(session, &out);
    static const char pong[] = "{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":{}}\n";
    check(answered == sizeof pong - 1 && memcmp(out, pong, answered) == 0, what,
          "is not forgotten after its end");
    mcpw_session_sent(session, answered);
}

static void line_of_a_gigabyte(void) {
    static const char *const texts[] = {"[", "{\"a\":", "a", "\"\\u0041", " "};
    static const char open[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
                               "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{"
                               "\"name\":\"c\",\"version\":\"1\"}}}\n";
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    const char *out = NULL;
    config.role = MCPW_ROLE_SERVER;
    config.name = "huge";
    config.version = "1";
    mcpw_session *const session = mcpw_session_new(&config, NULL);
    if (session == NULL || mcpw_session_feed(session, open, sizeof open - 1) != MCPW_OK) {
        abort();
    }
    mcpw_session_sent(session, mcpw_session_output(session, &out));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char what[64];
        (void)snprintf(what, sizeof what, "1 GB of %s", texts[i]);
        feed_gigabyte(session, texts[i], what);
    }
    mcpw_session_free(session);
}

/* ---- Ten million of something ---------------------------------------------------------------------------
 */

typedef struct many {
    const char *what;
    const char *type;
    const char *head;
    const char *item;
    const char *tail;
    size_t count;
} many;

#define DATA "{\"level\":\"info\",\"data\":"

static const many texts[] = {
    {"10 million items", "CompleteResult", "{\"completion\":{\"values\":[", "\"\",", "\"\"]}}", MILLIONS},
    {"10 million empty objects as items", "ListRootsResult", "{\"roots\":[", "{},", "{}]}", MILLIONS},
    {"10 million structs", "ListRootsResult", "{\"roots\":[", "{\"uri\":\"\"},", "{\"uri\":\"\"}]}",
     MILLIONS / 2},
    {"10 million raw items", "LoggingMessageNotificationParams", DATA "[", "0,", "0]}", MILLIONS},
    {"10 million raw members", "LoggingMessageNotificationParams", DATA "{", "\"a\":0,", "\"a\":0}}",
     MILLIONS},
    {"10 million unknown members", "Root", "{\"uri\":\"\",", "\"a\":0,", "\"a\":0}", MILLIONS},
    {"10 million entries of a map", "GetPromptRequestParams", "{\"arguments\":{", "\"\":\"\",",
     "\"\":\"\"},\"name\":\"\"}", MILLIONS / 2},
    {"a megabyte of digits", "ProgressNotificationParams", "{\"progressToken\":1,\"progress\":1", "7", "}",
     MIB},
    {"a megabyte of digits of an integer", "ProgressNotificationParams",
     "{\"progress\":1,\"progressToken\":1", "7", "}", MIB},
    {"a megabyte of exponent", "ProgressNotificationParams", "{\"progressToken\":1,\"progress\":1e", "7", "}",
     MIB},
    {"a megabyte of raw exponent", "LoggingMessageNotificationParams", DATA "1e", "7", "}", MIB},
    {"a name of a megabyte", "Root", "{\"uri\":\"\",\"", "k", "\":0}", MIB},
    {"a name of escapes", "Root", "{\"uri\":\"\",\"", "\\u006b", "\":0}", MIB},
    {"a million arrays opened", "LoggingMessageNotificationParams", DATA, "[", "", MIB},
    {"a million objects opened", "JSONValue", "", "{\"a\":", "", MIB},
};

static char *make(const many *m, size_t *len) {
    const size_t head = strlen(m->head);
    const size_t item = strlen(m->item);
    const size_t tail = strlen(m->tail);
    *len = head + m->count * item + tail;
    char *const text = malloc(*len);
    if (text == NULL) {
        abort();
    }
    memcpy(text, m->head, head);
    for (size_t i = 0; i < m->count; i++) {
        memcpy(text + head + i * item, m->item, item);
    }
    memcpy(text + *len - tail, m->tail, tail);
    return text;
}

static bool is_answer(mcpw_status status) {
    return status == MCPW_OK || status == MCPW_E_ELEMENTS || status == MCPW_E_ARENA ||
           status == MCPW_E_MISSING || status == MCPW_E_OVERFLOW || status == MCPW_E_DEPTH ||
           status == MCPW_E_DUPLICATE || status == MCPW_E_LENGTH || status == MCPW_E_FORMAT;
}

static bool count_it(void *user, const mcpw_error *error) {
    (void)error;
    ++*(size_t *)user;
    return true;
}

enum { ARENA_MIB = 512, ROOM = 256 };

static void read_many(const many *m) {
    const mcpw_type *type = mcpw_find_type("2025-11-25", m->type);
    type = type != NULL ? type : mcpw_find_type("2026-07-28", m->type);
    static uint64_t value[ROOM];
    size_t len = 0;
    size_t errors = 0;
    char what[96];
    char *const text = make(m, &len);
    const unsigned flags[] = {0, MCPW_STRICT, MCPW_ALLOW_UNKNOWN};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        mcpw_arena arena = MCPW_ARENA_INIT;
        mcpw_options options = MCPW_OPTIONS_INIT;
        options.flags = flags[i];
        arena.limit = (size_t)ARENA_MIB * MIB;
        const long before = mark();
        const mcpw_status status = mcpw_decode(type, text, len, &arena, value, &options, NULL);
        (void)snprintf(what, sizeof what, "%s, flags %u", m->what, flags[i]);
        check(is_answer(status), what, mcpw_status_name(status));
        check(arena.total <= arena.limit, what, "goes beyond the limit of its arena");
        told(what, status, before, ARENA_MIB + 8);
        mcpw_arena_free(&arena);
        options.max_elements = KIB;
        options.on_error = count_it;
        options.user = &errors;
        const mcpw_status all = mcpw_validate(type, text, len, &arena, &options, NULL);
        check(is_answer(all), what, mcpw_status_name(all));
        mcpw_arena_free(&arena);
    }
    const mcpw_json raw = mcpw_json_of(text, len);
    (void)mcpw_json_count(raw);
    free(text);
}

int main(void) {
    if (!MEMORY_IS_OURS || memory_kib("VmHWM:") < 0) {
        printf("skipped: memory can be measured without sanitizers and with /proc alone\n");
        return SKIPPED;
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        read_many(texts + i);
    }
    line_of_a_gigabyte();
    return failures != 0;
}
