/* SPDX-License-Identifier: MIT */
/* Declarations that the subcommands of mcpwire share: exit codes, errors, and the form of a subcommand. */
#ifndef MCPWIRE_TOOL_H
#define MCPWIRE_TOOL_H

#include <mcpw/base.h>
#include <mcpw/type.h>

#include <stdio.h>

#if defined(__GNUC__) || defined(__clang__)
#define TOOL_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define TOOL_PRINTF(fmt, first)
#endif

enum {
    TOOL_OK = 0,      /* it succeeded */
    TOOL_INVALID = 1, /* it succeeded, and the result is negative */
    TOOL_FAILED = 2,  /* it failed: usage, input or output */
    TOOL_LOGIN = 3    /* a server requires a login, and there is none */
};

/* A subcommand: a file with a run function, and a line in the table of main.c. argv[0] is its name. */
typedef struct subcommand {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
} subcommand;

int validate_run(int argc, char **argv);
#ifdef MCPWIRE_SESSION /* built with sessions */
int tap_run(int argc, char **argv);
int call_run(int argc, char **argv);
int convert_run(int argc, char **argv);
#endif

/* Writes "mcpwire: MESSAGE" and a line feed to stderr. External text in it is cleaned with text_safe. */
void tool_complain(const char *fmt, ...) TOOL_PRINTF(1, 2);

/* The revision that the build pins. */
const mcpw_revision *tool_default_revision(void);

/* Finds a revision by name; NULL: this build has none, and the error was printed. */
const mcpw_revision *tool_find_revision(const char *name);

struct text;

/* Appends the names of all revisions with the separator between them. */
void tool_list_revisions(struct text *out, const char *separator);

/* Writes help or another whole text to stdout and frees it: TOOL_OK, or TOOL_FAILED with a message. */
int tool_print(struct text *t);

/* Flushes stdout after other output: TOOL_OK, or TOOL_FAILED with a message. */
int tool_finish_output(void);

/* Prints that writing to stdout failed with this errno; nothing if the reader of a pipe has gone. */
void tool_complain_output(int error);

#endif
