/* SPDX-License-Identifier: MIT */
/* Reading a subcommand's arguments by a table of its options. */
#ifndef MCPWIRE_OPTIONS_H
#define MCPWIRE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct option {
    const char *name;       /* with its two hyphens */
    const char *value_name; /* NULL: takes no value */
    const char *help;       /* may hold line feeds */
    bool bare;              /* goes without its value too: then that follows a "=" where it is given */
} option;

typedef struct option_reader {
    const option *table;
    size_t count;
    const char *command;
    int argc;
    char **argv;
    int at;
    bool operands_only; /* "--" was read */
} option_reader;

/* What options_next found, where it is not the place of an option in the table. */
enum { OPTION_END = -1, OPTION_OPERAND = -2, OPTION_BAD = -3 };

/* Begins behind argv[0], which is the subcommand's name. */
option_reader options_begin(const option *table, size_t count, int argc, char **argv);

/* The next argument: the place of an option in the table (*value is its value, if it takes one), or an
 * operand in *value, or the end. *value is NULL where an option has none. Options may stand anywhere before
 * "--", as "--name value" or
 * "--name=value". OPTION_BAD: said on stderr what is wrong. */
int options_next(option_reader *o, const char **value);

/* All arguments of a subcommand whose operands are files: its options go to apply, which complains and
 * returns false for a value that is none, and its operands to files, which has room for every argument.
 * False: said on stderr what is wrong. */
bool options_read(option_reader *o,
                  bool (*apply)(void *user, const option_reader *o, int which, const char *value), void *user,
                  const char **files, size_t *file_count);

/* A whole number from min to max with an optional suffix K, M or G (powers of 1024); complains and returns
 * false for anything else. */
bool options_number(const option_reader *o, int option, const char *value, size_t min, size_t max,
                    size_t *out);

/* One of some words: its place among them; complains and returns false for anything else. */
bool options_choice(const option_reader *o, int option, const char *value, const char *const *words,
                    size_t count, size_t *out);

/* "text" or "json"; complains and returns false for anything else. */
bool options_format(const option_reader *o, int option, const char *value, bool *json);

/* Writes how a command is used, a line for each option, and the names of the revisions to stdout. */
void options_explain(const char *usage, const option *table, size_t count);

#endif
