/* SPDX-License-Identifier: MIT */
/* The notes of sessions as lines: their form, how long they get, and how many there may be. */
#define _POSIX_C_SOURCE 200809L
#include <mcpw/diagnostics.h>
#include <mcpw/io.h>
#include <mcpw/json.h>

#include "check.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 1 << 20 };

typedef struct lines {
    size_t count;
    size_t longest;
    size_t len;
    char text[ROOM];
} lines;

static lines told;

static void take(void *user, mcpw_str line) {
    lines *const l = user;
    l->count++;
    l->longest = line.len > l->longest ? line.len : l->longest;
    if (line.len <= sizeof l->text - 1 - l->len) {
        memcpy(l->text + l->len, line.ptr, line.len);
        l->len += line.len;
        l->text[l->len] = '\0';
    }
}

static mcpw_diagnostics_options options_taken(void) {
    mcpw_diagnostics_options options = MCPW_DIAGNOSTICS_OPTIONS_INIT;
    memset(&told, 0, sizeof told);
    options.name = "echo";
    options.write = take;
    options.user = &told;
    return options;
}

static mcpw_diagnostics *new_of(const mcpw_diagnostics_options *options) {
    mcpw_error error;
    mcpw_diagnostics *const d = mcpw_diagnostics_new(options, &error);
    CHECK(d != NULL);
    return d;
}

static mcpw_error error_of(const char *path, const char *message) {
    mcpw_error error = {0};
    error.code = MCPW_E_TYPE;
    (void)snprintf(error.path, sizeof error.path, "%s", path);
    (void)snprintf(error.message, sizeof error.message, "%s", message);
    return error;
}

static mcpw_diagnostic note_of(mcpw_diagnostic_kind kind, const mcpw_error *error) {
    static const mcpw_id id = {MCPW_ID_INTEGER, {.integer = 3}};
    const mcpw_diagnostic diagnostic = {.kind = kind,
                                        .id = &id,
                                        .method = MCPW_STR("tools/call"),
                                        .error = error,
                                        .subject = MCPW_STR("weather"),
                                        .type = kind == MCPW_DIAGNOSTIC_HANDLER ? "CallToolResult" : NULL};
    return diagnostic;
}

static void a_line_of_text_says_what_and_where(void) {
    const mcpw_diagnostics_options options = options_taken();
    mcpw_diagnostics *const d = new_of(&options);
    const mcpw_error error = error_of("/structuredContent/temp", "expected number, got string");
    const mcpw_error bad = error_of("", "unexpected character 'x'");
    const mcpw_diagnostic diagnostic = note_of(MCPW_DIAGNOSTIC_HANDLER, &error);
    const mcpw_diagnostic line = {.kind = MCPW_DIAGNOSTIC_BAD_LINE, .error = &bad};
    mcpw_diagnostics_write(d, NULL, &diagnostic);
    mcpw_diagnostics_write(d, NULL, &line);
    mcpw_diagnostics_log(d, MCPW_LOG_NOTICE, "ready");
    mcpw_diagnostics_free(d);
    CHECK_STRING(told.text, "echo: error: tools/call \"weather\" (id 3): CallToolResult: "
                            "/structuredContent/temp: expected number, got string\n"
                            "echo: warning: unexpected character 'x'\n"
                            "echo: notice: ready\n");
}

static void a_line_of_json_is_an_object(void) {
    mcpw_diagnostics_options options = options_taken();
    options.format = MCPW_DIAGNOSTICS_JSON;
    mcpw_diagnostics *const d = new_of(&options);
    const mcpw_error error = error_of("/a", "expected \"b\"");
    const mcpw_diagnostic diagnostic = note_of(MCPW_DIAGNOSTIC_HANDLER, &error);
    mcpw_diagnostics_write(d, NULL, &diagnostic);
    mcpw_diagnostics_free(d);
    CHECK_STRING(told.text,
                 "{\"program\":\"echo\",\"level\":\"error\",\"kind\":\"handler\",\"method\":\"tools/call\","
                 "\"subject\":\"weather\",\"id\":3,\"type\":\"CallToolResult\",\"pointer\":\"/a\","
                 "\"status\":\"MCPW_E_TYPE\",\"message\":\"expected \\\"b\\\"\"}\n");
}

static void foreign_text_commands_no_terminal(void) {
    static const char *const attacks[] = {
        "\x1b[31m",    "\n",           "\r",
        "\302\23331m", /* U+009B, which begins a command as the first one does */
        "\x7f",        "\342\200\256", "\342\201\246", // NOLINT(misc-misleading-bidirectional)
        "\xff"};
    for (int format = 0; format < 2; format++) {
        for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++) {
            mcpw_diagnostics_options options = options_taken();
            options.format = (mcpw_diagnostics_format)format;
            mcpw_diagnostics *const d = new_of(&options);
            const mcpw_error error = error_of(attacks[i], attacks[i]);
            const mcpw_id id = {MCPW_ID_STRING, {.string = {attacks[i], strlen(attacks[i])}}};
            mcpw_diagnostic diagnostic = note_of(MCPW_DIAGNOSTIC_BAD_MESSAGE, &error);
            diagnostic.id = &id;
            diagnostic.method = diagnostic.subject = mcpw_str_from(attacks[i]);
            mcpw_diagnostics_write(d, NULL, &diagnostic);
            mcpw_diagnostics_free(d);
            CHECK(told.count == 1 && strcspn(told.text, "\n") == told.len - 1);
            CHECK(told.len == 1 || strstr(told.text, attacks[i]) == NULL || attacks[i][0] == '\n');
            CHECK(strstr(told.text, "\\x") != NULL);
        }
    }
}

/* The worst that a peer can do: every part as long as it may be, each character escaped. */
static void a_line_has_a_limit_and_stays_whole(void) {
    static char bad[ROOM];
    memset(bad, 1, ROOM);
    for (int format = 0; format < 2; format++) {
        mcpw_diagnostics_options options = options_taken();
        mcpw_error error = {0};
        mcpw_json end;
        options.format = (mcpw_diagnostics_format)format;
        options.name =
            "\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\";
        mcpw_diagnostics *const d = new_of(&options);
        memset(error.path, 1, sizeof error.path - 1);
        memset(error.message, 1, sizeof error.message - 1);
        const mcpw_id id = {MCPW_ID_STRING, {.string = {bad, ROOM}}};
        mcpw_diagnostic diagnostic = note_of(MCPW_DIAGNOSTIC_HANDLER, &error);
        diagnostic.id = &id;
        diagnostic.method = diagnostic.subject = (mcpw_str){bad, ROOM};
        mcpw_diagnostics_write(d, NULL, &diagnostic);
        mcpw_diagnostics_free(d);
        CHECK(told.count == 1 && told.longest <= MCPW_DIAGNOSTICS_LINE);
        CHECK(told.text[told.len - 1] == '\n' && strstr(told.text, "...") != NULL);
        CHECK(format == 0 ||
              mcpw_json_get(mcpw_json_of(told.text, told.len - 1), "message", &end) == MCPW_OK);
    }
}

static void a_flood_is_counted_and_not_written(void) {
    enum { FLOOD = 100000, MOST = 5 };
    mcpw_diagnostics_options options = options_taken();
    options.max_lines = MOST;
    options.refill_ms = 3600000;
    mcpw_diagnostics *const d = new_of(&options);
    const mcpw_error error = error_of("", "no JSON");
    const mcpw_diagnostic bad = {.kind = MCPW_DIAGNOSTIC_BAD_LINE, .error = &error};
    const mcpw_diagnostic own = note_of(MCPW_DIAGNOSTIC_HANDLER, &error);
    for (int i = 0; i < FLOOD; i++) {
        mcpw_diagnostics_write(d, NULL, &bad);
    }
    CHECK(told.count == MOST);
    mcpw_diagnostics_write(d, NULL, &own); /* faults of this program have lines of their own */
    CHECK(told.count == MOST + 1);
    mcpw_diagnostics_free(d);
    CHECK(told.count == MOST + 2);
    CHECK(strstr(told.text, "echo: warning: 99995 more diagnostics were left out\n") != NULL);
}

static void lines_come_back_with_time(void) {
    mcpw_diagnostics_options options = options_taken();
    options.max_lines = 1;
    options.refill_ms = 1;
    mcpw_diagnostics *const d = new_of(&options);
    const mcpw_error error = error_of("", "no JSON");
    const mcpw_diagnostic bad = {.kind = MCPW_DIAGNOSTIC_BAD_LINE, .error = &error};
    while (told.count < 20) { /* each waits for its ms */
        mcpw_diagnostics_write(d, NULL, &bad);
    }
    mcpw_diagnostics_free(d);
}

static void the_default_holds_a_flood_too(void) {
    const mcpw_diagnostics_options options = options_taken();
    mcpw_diagnostics *const d = new_of(&options);
    const mcpw_error error = error_of("", "no JSON");
    const mcpw_diagnostic bad = {.kind = MCPW_DIAGNOSTIC_BAD_LINE, .error = &error};
    for (int i = 0; i < 10000; i++) {
        mcpw_diagnostics_write(d, NULL, &bad);
    }
    CHECK(told.count >= 100 && told.count < 200); /* a slow machine may take a while */
    mcpw_diagnostics_free(d);
}

static void lines_below_the_level_are_not_written(void) {
    static const struct {
        mcpw_log_level level;
        size_t lines;
    } levels[] = {{MCPW_LOG_DEBUG, 8}, {MCPW_LOG_NOTICE, 7},   {MCPW_LOG_WARNING, 6},
                  {MCPW_LOG_ERROR, 1}, {MCPW_LOG_CRITICAL, 0}, {MCPW_CAST(mcpw_log_level, 0), 7}};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        mcpw_diagnostics_options options = options_taken();
        options.level = levels[i].level;
        mcpw_diagnostics *const d = new_of(&options);
        const mcpw_error error = error_of("", "why");
        for (int kind = MCPW_DIAGNOSTIC_BAD_LINE; kind <= MCPW_DIAGNOSTIC_TOLERATED; kind++) {
            const mcpw_diagnostic diagnostic = note_of((mcpw_diagnostic_kind)kind, &error);
            mcpw_diagnostics_write(d, NULL, &diagnostic);
        }
        mcpw_diagnostics_free(d);
        CHECK(told.count == levels[i].lines);
    }
}

static void nothing_is_written_where_it_is_off(void) {
    mcpw_diagnostics_options options = options_taken();
    options.format = MCPW_DIAGNOSTICS_OFF;
    mcpw_diagnostics *const d = new_of(&options);
    const mcpw_error error = error_of("", "why");
    const mcpw_diagnostic diagnostic = note_of(MCPW_DIAGNOSTIC_HANDLER, &error);
    mcpw_diagnostics_write(d, NULL, &diagnostic);
    mcpw_diagnostics_log(d, MCPW_LOG_EMERGENCY, "fire");
    mcpw_diagnostics_free(d);
    CHECK(told.count == 0);
}

static void colours_are_for_whoever_wants_them(void) {
    for (int color = 0; color < 3; color++) {
        mcpw_diagnostics_options options = options_taken();
        options.color = (mcpw_diagnostics_color)color;
        mcpw_diagnostics *const d = new_of(&options);
        mcpw_diagnostics_log(d, MCPW_LOG_ERROR, "why");
        mcpw_diagnostics_free(d);
        CHECK((strstr(told.text, "\x1b[") != NULL) == (color == MCPW_DIAGNOSTICS_COLOR_ALWAYS));
    }
}

/* Some clients start a server with a pipe for its standard error, and never read it. */
static void a_reader_that_does_not_read_is_not_waited_for(void) {
    enum { MANY = 100000 };
    mcpw_diagnostics_options options = MCPW_DIAGNOSTICS_OPTIONS_INIT;
    const mcpw_error error = error_of("", "no JSON");
    const mcpw_diagnostic bad = {.kind = MCPW_DIAGNOSTIC_BAD_LINE, .error = &error};
    int ends[2];
    char text[8192];
    const int kept = dup(STDERR_FILENO);
    CHECK(pipe(ends) == 0 && dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
    options.max_lines = MANY;
    mcpw_diagnostics *const d = new_of(&options);
    for (int i = 0; i < MANY; i++) {
        mcpw_diagnostics_write(d, NULL, &bad);
    }
    ssize_t got = 0; /* the pipe is full; now there is room for a line or two */
    while (got < (ssize_t)sizeof text) {
        got += read(ends[0], text + got, sizeof text - (size_t)got);
    }
    mcpw_diagnostics_free(d);
    CHECK(dup2(kept, STDERR_FILENO) == STDERR_FILENO);
    (void)close(ends[1]);
    (void)close(kept);
    size_t last = 0;
    for (ssize_t more = read(ends[0], text, sizeof text - 1); more > 0;
         more = read(ends[0], text, sizeof text - 1)) {
        last = (size_t)more;
    }
    text[last] = '\0';
    CHECK(strstr(text, " more diagnostics were left out\n") != NULL);
    (void)close(ends[0]);
}

static void a_struct_of_an_older_header_is_taken(void) {
    mcpw_diagnostics_options options = options_taken();
    struct {
        mcpw_diagnostics_options known;
        char more[sizeof(void *)];
    } newer = {.known = options};
    options.struct_size = offsetof(mcpw_diagnostics_options, write);
    mcpw_diagnostics *const older = mcpw_diagnostics_new(&options, NULL);
    CHECK(older != NULL);
    mcpw_diagnostics_free(older);
    newer.known.struct_size = sizeof newer;
    mcpw_diagnostics *const zero = mcpw_diagnostics_new(&newer.known, NULL);
    CHECK(zero != NULL);
    mcpw_diagnostics_free(zero);
    newer.more[0] = 1;
    CHECK(mcpw_diagnostics_new(&newer.known, NULL) == NULL);
    newer.known.struct_size = 1;
    CHECK(mcpw_diagnostics_new(&newer.known, NULL) == NULL);
    mcpw_diagnostics_free(NULL);
}

/* ---- What servers of one call write by themselves ---- */

static mcpw_status break_its_word(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    static const mcpw_json wrong = MCPW_JSON("{\"temp\":\"warm\"}");
    (void)call;
    (void)user;
    return mcpw_respond_structured(request, wrong);
}

static mcpw_status fail(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)request;
    (void)call;
    (void)user;
    return MCPW_E_IO;
}

static const mcpw_tool weather = {
    .name = "weather",
    .output_schema = MCPW_JSON("{\"type\":\"object\",\"properties\":{\"temp\":{\"type\":\"number\"}}}"),
    .call = break_its_word,
};
static const mcpw_tool broken = {.name = "broken", .call = fail};

#define CALL(id, tool)                                                                                       \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" tool              \
    "\",\"arguments\":{}}}\n"

static const char conversation[] =
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
    "\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\n"
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n" CALL("1", "weather")
        CALL("2", "broken");

/* Serves a conversation with standard streams of its own, and gives what came out of two of them. */
static void serve(const mcpw_serve_options *options, char *said, char *diagnosed, size_t size) {
    mcpw_server *const server = mcpw_server_new("station", "1", NULL);
    FILE *const files[3] = {tmpfile(), tmpfile(), tmpfile()};
    char *const texts[3] = {NULL, said, diagnosed};
    int kept[3];
    CHECK(mcpw_server_add_tool(server, &weather, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_tool(server, &broken, NULL) == MCPW_OK);
    (void)fputs(conversation, files[0]);
    rewind(files[0]);
    for (int i = 0; i < 3; i++) {
        kept[i] = dup(i);
        CHECK(dup2(fileno(files[i]), i) == i);
    }
    const mcpw_status status = mcpw_serve_stdio_with(server, options, NULL);
    for (int i = 0; i < 3; i++) {
        CHECK(dup2(kept[i], i) == i);
        (void)close(kept[i]);
    }
    CHECK(status == MCPW_OK);
    for (int i = 1; i < 3; i++) {
        rewind(files[i]);
        texts[i][fread(texts[i], 1, size - 1, files[i])] = '\0';
    }
    for (int i = 0; i < 3; i++) {
        (void)fclose(files[i]);
    }
    mcpw_server_free(server);
}

static void a_server_of_one_call_says_what_its_handlers_did_wrong(void) {
    char said[4096];
    char diagnosed[4096];
    serve(NULL, said, diagnosed, sizeof said);
    CHECK_STRING(diagnosed,
                 "station: error: tools/call \"weather\" (id 1): CallToolResult: "
                 "/structuredContent/temp: expected number, got string\n"
                 "station: error: tools/call \"broken\" (id 2): the handler failed: input or output "
                 "failed\n");
    /* The client is told no internals. */
    CHECK(strstr(said, "\"id\":1,\"error\":{\"code\":-32603") != NULL && strstr(said, "temp") == NULL);
}

static void count_note(void *user, mcpw_session *session, const mcpw_diagnostic *diagnostic) {
    (void)session;
    (void)diagnostic;
    ++*(int *)user;
}

static void a_program_may_take_the_notes_or_turn_them_off(void) {
    mcpw_diagnostics_options off = MCPW_DIAGNOSTICS_OPTIONS_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_serve_options options = MCPW_SERVE_OPTIONS_INIT;
    char said[4096];
    char diagnosed[4096];
    int diagnostics = 0;
    off.format = MCPW_DIAGNOSTICS_OFF;
    options.diagnostics = &off;
    serve(&options, said, diagnosed, sizeof said);
    CHECK_STRING(diagnosed, "");
    config.on_diagnostic = count_note;
    config.diagnostic_user = &diagnostics;
    options.diagnostics = NULL;
    options.config = &config;
    serve(&options, said, diagnosed, sizeof said);
    CHECK_STRING(diagnosed, "");
    CHECK(diagnostics == 2);
}

int main(void) {
    RUN(a_line_of_text_says_what_and_where);
    RUN(a_line_of_json_is_an_object);
    RUN(foreign_text_commands_no_terminal);
    RUN(a_line_has_a_limit_and_stays_whole);
    RUN(a_flood_is_counted_and_not_written);
    RUN(lines_come_back_with_time);
    RUN(the_default_holds_a_flood_too);
    RUN(lines_below_the_level_are_not_written);
    RUN(nothing_is_written_where_it_is_off);
    RUN(colours_are_for_whoever_wants_them);
    RUN(a_reader_that_does_not_read_is_not_waited_for);
    RUN(a_struct_of_an_older_header_is_taken);
    RUN(a_server_of_one_call_says_what_its_handlers_did_wrong);
    RUN(a_program_may_take_the_notes_or_turn_them_off);
    return check_end();
}
