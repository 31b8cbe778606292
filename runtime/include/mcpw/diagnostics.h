/* SPDX-License-Identifier: MIT */
/*
 * Diagnostics: the diagnostics of sessions (mcpw_diagnostic), as lines for people or programs. POSIX only.
 *
 *     echo: error: tools/call "weather" (id 3): CallToolResult: /structuredContent/temp: expected number, got
 * string
 *
 * The servers of one call (mcpw_serve, mcpw_serve_stdio, mcpw_serve_http) write such lines to standard error
 * by default. Another program makes diagnostics of its own:
 *
 *     mcpw_diagnostics *const diagnostics = mcpw_diagnostics_new(NULL, &error);
 *     config.on_diagnostic = mcpw_diagnostics_write;
 *     config.diagnostic_user = diagnostics;
 *
 * Lines hold text of peers. Control characters, characters that change the direction of writing and bytes
 * that are not UTF-8 are written as \xNN, so a terminal can show every line. A line has at most
 * MCPW_DIAGNOSTICS_LINE bytes, and there is a limit to the number of lines: so a peer can neither command a
 * terminal nor fill a disk. A line is left out where standard error has no room for it, so no thread waits
 * for its reader. Lines carry no time; the system's log adds it.
 *
 * Threads: notes may come from several threads at once.
 */
#ifndef MCPW_DIAGNOSTICS_H
#define MCPW_DIAGNOSTICS_H

#include <mcpw/session.h>

MCPW_BEGIN_DECLS

/* Writes the lines. */
typedef struct mcpw_diagnostics mcpw_diagnostics;

enum { MCPW_DIAGNOSTICS_LINE = 4096 /* bytes of a line at most, its line end included */ };

/* How lines look. */
typedef enum mcpw_diagnostics_format {
    MCPW_DIAGNOSTICS_TEXT = 0, /* for people */
    /* A JSON object a line. Its members are program, level and message, and those that apply of kind (the
     * name of the mcpw_diagnostic_kind in lower case), method, id, subject, type, pointer and status. */
    MCPW_DIAGNOSTICS_JSON = 1,
    MCPW_DIAGNOSTICS_OFF = 2 /* nothing is written */
} mcpw_diagnostics_format;

/* Whether lines of text are coloured. */
typedef enum mcpw_diagnostics_color {
    MCPW_DIAGNOSTICS_COLOR_AUTO = 0,  /* on a terminal, unless NO_COLOR is set or TERM is "dumb" */
    MCPW_DIAGNOSTICS_COLOR_NEVER = 1, /* nowhere */
    MCPW_DIAGNOSTICS_COLOR_ALWAYS = 2 /* everywhere */
} mcpw_diagnostics_color;

/* How to write. Zero and NULL take the default. Initialise with MCPW_DIAGNOSTICS_OPTIONS_INIT. Texts are
 * copied. */
typedef struct mcpw_diagnostics_options {
    size_t struct_size; /* set by MCPW_DIAGNOSTICS_OPTIONS_INIT */
    const char *name;   /* of the program, at the beginning of each line; default "mcpwire". Of the servers of
                           one call: default the server's name */
    mcpw_diagnostics_format format; /* default MCPW_DIAGNOSTICS_TEXT */
    mcpw_diagnostics_color color;   /* default MCPW_DIAGNOSTICS_COLOR_AUTO */
    /* Lines below this level are not written; default MCPW_LOG_NOTICE. Faults of this program
     * (MCPW_DIAGNOSTIC_HANDLER) are errors. MCPW_DIAGNOSTIC_UNKNOWN_REPLY is a notice,
     * MCPW_DIAGNOSTIC_DROPPED is info, other notes are warnings. */
    mcpw_log_level level;
    /* Lines that may be written at once, for faults of this program and for those of peers separately;
     * default 100. */
    unsigned max_lines;
    uint64_t refill_ms; /* ms after which one more may be; default 10000. How many lines were left out is
                           written with the next one, and when the diagnostics are freed */
    /* Takes each line, with its line end, in the place of standard error. It must not call the diagnostics.
     * NULL: standard error. */
    void (*write)(void *user, mcpw_str line);
    void *user; /* passed to write */
} mcpw_diagnostics_options;

/* Everything at its default. */
#define MCPW_DIAGNOSTICS_OPTIONS_INIT MCPW_SIZED(mcpw_diagnostics_options)

/* New diagnostics; options NULL: everything at its default. Returns NULL on failure, with the reason in
 * error; error may be NULL. */
MCPW_NODISCARD MCPW_API mcpw_diagnostics *mcpw_diagnostics_new(const mcpw_diagnostics_options *options,
                                                               mcpw_error *error);
/* Frees diagnostics. Sessions that write to them must be gone. Does nothing for NULL. */
MCPW_API void mcpw_diagnostics_free(mcpw_diagnostics *diagnostics);

/* Writes a diagnostic: for on_diagnostic of a mcpw_session_config whose diagnostic_user is the diagnostics.
 */
MCPW_API void mcpw_diagnostics_write(void *diagnostics, mcpw_session *session,
                                     const mcpw_diagnostic *diagnostic);

/* Writes a line of the program's own, to which only the limit of its length applies. A message that is too
 * long is cut. */
MCPW_API void mcpw_diagnostics_log(mcpw_diagnostics *diagnostics, mcpw_log_level level, const char *message);

MCPW_END_DECLS

#endif
