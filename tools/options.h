/* SPDX-License-Identifier: MIT */
/* Parses the arguments of a subcommand with a table of its options. */
#ifndef MCPWIRE_OPTIONS_H
#define MCPWIRE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct option option;

/* Takes the value of an option into a member of the settings; prints an error and returns false for an
 * invalid value. */
typedef bool (*option_taker)(void *to, const option *entry, const char *value);

typedef enum option_kind { OPTION_IS_FLAG, OPTION_IS_WORD, OPTION_IS_NUMBER, OPTION_IS_TAKEN } option_kind;

struct option {
    const char *name;       /* with its two hyphens */
    const char *value_name; /* NULL: takes no value */
    const char *help;       /* may contain line feeds */
    option_kind kind;
    size_t at; /* of the member in the settings */
    size_t least;
    size_t most;
    option_taker take;
    bool bare; /* the value is optional, and then follows "=" */
};

/* An option sets a bool, stores its value as a const char * or a size_t, or is taken by a function. */
#define OPTION_FLAG(type, member) OPTION_IS_FLAG, offsetof(type, member), 0, 0, NULL, false
#define OPTION_WORD(type, member) OPTION_IS_WORD, offsetof(type, member), 0, 0, NULL, false
#define OPTION_NUMBER(type, member, min, max) OPTION_IS_NUMBER, offsetof(type, member), min, max, NULL, false
#define OPTION_BY(function, type, member) OPTION_IS_TAKEN, offsetof(type, member), 0, 0, function, false
/* A function takes the whole settings, and finds the number in the row of the option. */
#define OPTION_BY_ALL(function, number) OPTION_IS_TAKEN, 0, number, 0, function, false

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

/* Takes an option into the settings. A number is whole, and may have a suffix K, M or G (powers of 1024).
 * False: the value is invalid, and the error was printed on stderr. */
bool options_apply(const option_reader *o, void *settings, int which, const char *value);

/* Reads all arguments of a subcommand whose operands are files, which have room for every argument. False:
 * the error was printed on stderr. */
bool options_read(option_reader *o, void *settings, const char **files, size_t *file_count);

/* An option_taker for the revision with that name, which is a const mcpw_revision *. */
bool options_revision(void *to, const option *entry, const char *value);

/* Reads one of some words as its index; prints an error and returns false otherwise. */
bool options_choice(const option *entry, const char *value, const char *const *words, size_t count,
                    size_t *out);

/* Reads "text" or "json"; prints an error and returns false otherwise. */
bool options_format(const option *entry, const char *value, bool *json);

/* Writes the usage, a line for each option, and the names of the revisions to stdout. */
void options_explain(const char *usage, const option *table, size_t count);

#endif
