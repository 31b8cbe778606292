/* SPDX-License-Identifier: MIT */
/*
 * The diagnostics of sessions (mcpw_diagnostic), as lines for people or programs. Such a line is:
 *
 *     echo: error: tools/call "weather" (id 3): CallToolResult: /structuredContent/temp: expected number
 *
 * The one-call servers (mcpw_serve, mcpw_serve_stdio, mcpw_serve_http) write such lines to standard error by
 * default. Other programs make a writer:
 *
 *     mcpw_diagnostics *const diagnostics = mcpw_diagnostics_new(NULL, &error);
 *     config.on_diagnostic = mcpw_diagnostics_write;
 *     config.diagnostic_user = diagnostics;
 *
 * Lines contain text from peers. Control characters, characters that change the direction of writing and
 * bytes that are not UTF-8 are written as \xNN, so a terminal can show every line. A line has at most
 * MCPW_DIAGNOSTICS_LINE bytes, and the number of lines is limited. So a peer can neither control a terminal
 * nor fill a disk. If standard error has no room for a line, the line is dropped, so no thread waits for its
 * reader. Lines carry no time; the system's log adds it.
 *
 * Threads: several threads may write diagnostics at once.
 */
#ifndef MCPW_DIAGNOSTICS_H
#define MCPW_DIAGNOSTICS_H

#include <mcpw/session.h>

MCPW_BEGIN_DECLS

/* A writer of lines. */
typedef struct mcpw_diagnostics mcpw_diagnostics;

enum { MCPW_DIAGNOSTICS_LINE = 4096 /* the most bytes of a line, its line end included */ };

/* The format of lines. */
typedef enum mcpw_diagnostics_format {
    MCPW_DIAGNOSTICS_TEXT = 0, /* for people */
    /* One JSON object a line. It always has the members program, level and message. As they apply, it has
       kind (the name of the mcpw_diagnostic_kind in lower case), method, id, subject, type, pointer and
       status. */
    MCPW_DIAGNOSTICS_JSON = 1,
    MCPW_DIAGNOSTICS_OFF = 2 /* nothing is written */
} mcpw_diagnostics_format;

/* Whether lines of text are coloured. */
typedef enum mcpw_diagnostics_color {
    MCPW_DIAGNOSTICS_COLOR_AUTO = 0,  /* on a terminal, unless NO_COLOR is set or TERM is "dumb" */
    MCPW_DIAGNOSTICS_COLOR_NEVER = 1, /* never */
    MCPW_DIAGNOSTICS_COLOR_ALWAYS = 2 /* always */
} mcpw_diagnostics_color;

/* How to write. Zero and NULL take the default. Initialise with MCPW_DIAGNOSTICS_OPTIONS_INIT. Texts are
 * copied. */
typedef struct mcpw_diagnostics_options {
    size_t struct_size; /* set by MCPW_DIAGNOSTICS_OPTIONS_INIT */
    /* The program's name, at the beginning of each line; default "mcpwire". In the one-call servers the
     * default is the server's name. */
    const char *name;
    mcpw_diagnostics_format format; /* default MCPW_DIAGNOSTICS_TEXT */
    mcpw_diagnostics_color color;   /* default MCPW_DIAGNOSTICS_COLOR_AUTO */
    /* Lines below this level are not written; default MCPW_LOG_NOTICE. Faults of this program
     * (MCPW_DIAGNOSTIC_HANDLER) are errors. MCPW_DIAGNOSTIC_UNKNOWN_REPLY is a notice,
     * MCPW_DIAGNOSTIC_DROPPED is info, and the other kinds are warnings. */
    mcpw_log_level level;
    /* The number of lines that may be written at once; default 100. Faults of this program and faults of
     * peers count separately. */
    unsigned max_lines;
    /* ms after which one more line may be written; default 10000. The number of dropped lines is written with
     * the next line, and when the diagnostics are freed. */
    uint64_t refill_ms;
    /* Called with each line and its line end, in place of standard error. It must not call the diagnostics.
     * NULL: standard error. */
    void (*write)(void *user, mcpw_str line);
    void *user; /* passed to write */
} mcpw_diagnostics_options;

/* Everything at its default. */
#define MCPW_DIAGNOSTICS_OPTIONS_INIT MCPW_SIZED(mcpw_diagnostics_options)

/* New diagnostics; options NULL: everything at its default. Returns NULL on failure, with the reason in
 * error; error may be NULL. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_diagnostics *
mcpw_diagnostics_new(const mcpw_diagnostics_options *options, mcpw_error *error);
/* Frees diagnostics. Sessions that write to them must be gone. Does nothing for NULL. */
MCPW_SESSION_API void mcpw_diagnostics_free(mcpw_diagnostics *diagnostics);

/* Writes a diagnostic. It is for on_diagnostic of a mcpw_session_config whose diagnostic_user is the writer.
 */
MCPW_SESSION_API void mcpw_diagnostics_write(void *diagnostics, mcpw_session *session,
                                             const mcpw_diagnostic *diagnostic);

/* Writes a line of the program's own. It is not written if its level is below that of the options, or with
 * MCPW_DIAGNOSTICS_OFF. max_lines does not apply. A message of more than 639 bytes is cut. */
MCPW_SESSION_API void mcpw_diagnostics_log(mcpw_diagnostics *diagnostics, mcpw_log_level level,
                                           const char *message);

MCPW_END_DECLS

#endif
