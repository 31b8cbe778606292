/* SPDX-License-Identifier: MIT */
/* Parses the arguments of a subcommand with a table of its options. */
#ifndef MCPWIRE_OPTIONS_H
#define MCPWIRE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct option {
    const char *name;       /* with its two hyphens */
    const char *value_name; /* NULL: takes no value */
    const char *help;       /* may contain line feeds */
    bool bare;              /* the value is optional, and then follows "=" */
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

/* Results of options_next other than the index of an option. */
enum { OPTION_END = -1, OPTION_OPERAND = -2, OPTION_BAD = -3 };

/* Begins after argv[0], the name of the subcommand. */
option_reader options_begin(const option *table, size_t count, int argc, char **argv);

/* The next argument: the index of an option (*value is its value, or NULL), or an operand in *value, or the
 * end. Options may precede "--" anywhere, as "--name value" or "--name=value". OPTION_BAD: the error was
 * printed on stderr. */
int options_next(option_reader *o, const char **value);

/* Reads all arguments of a subcommand whose operands are files. apply takes the options; it prints an error
 * and returns false for an invalid value. files has room for every argument. False: the error was printed on
 * stderr. */
bool options_read(option_reader *o,
                  bool (*apply)(void *user, const option_reader *o, int which, const char *value), void *user,
                  const char **files, size_t *file_count);

/* Reads a whole number from min to max with an optional suffix K, M or G (powers of 1024); prints an error
 * and returns false otherwise. */
bool options_number(const option_reader *o, int option, const char *value, size_t min, size_t max,
                    size_t *out);

/* Reads one of some words as its index; prints an error and returns false otherwise. */
bool options_choice(const option_reader *o, int option, const char *value, const char *const *words,
                    size_t count, size_t *out);

/* Reads "text" or "json"; prints an error and returns false otherwise. */
bool options_format(const option_reader *o, int option, const char *value, bool *json);

/* Writes the usage, a line for each option, and the names of the revisions to stdout. */
void options_explain(const char *usage, const option *table, size_t count);

#endif
